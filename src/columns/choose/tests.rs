//! Is each column written in the shortest way? Which one that is, and how many bytes it takes, is found here in the
//! simplest one.

use super::super::collect::Field;
use super::super::{layout, measure, walk};
use super::*;
use crate::config::Config;
use crate::tag;
use crate::value::Value;
use alloc::boxed::Box;
use alloc::string::{String, ToString};

/// Numbers that look like any, the same each time.
pub(in crate::columns) struct Dice(pub(in crate::columns) u64);

impl Dice {
    pub(in crate::columns) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(in crate::columns) fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }
}

fn bits(on: impl IntoIterator<Item = bool>) -> Bits {
    let mut bits = Bits::default();
    on.into_iter().for_each(|on| bits.push(on));
    bits
}

fn texts<S: AsRef<[u8]>>(strings: impl IntoIterator<Item = S>) -> Texts {
    let mut texts = Texts::default();
    strings.into_iter().for_each(|string| texts.push(string.as_ref()));
    texts
}

fn int_store(numbers: &[i128]) -> Ints {
    Ints {
        numbers: numbers.iter().map(|number| *number as u64).collect(),
        negative: numbers.iter().any(|number| *number < 0),
        large: numbers.iter().any(|number| *number > i64::MAX.into()),
    }
}

// What columns take, found in the simplest way.

fn size_of_int(int: i128) -> usize {
    let mut out = Output::new();
    if int < 0 {
        out.i64(int as i64)
    } else {
        out.pos(int as u64)
    }
    out.len()
}

fn size_of_float(f: f64) -> usize {
    let mut out = Output::new();
    out.float(f);
    out.len()
}

fn size_of_packed(largest: i128, n: usize) -> usize {
    let bits = column::WIDTHS.iter().find(|bits| largest >> **bits == 0).expect("a width");
    (n * usize::from(*bits)).div_ceil(8)
}

fn size_of_plain(length: usize) -> usize {
    1 + size_of_int(length as i128) + length
}

fn spread(numbers: &[i128]) -> (i128, i128) {
    let (least, largest) = (numbers.iter().min().expect("a number"), numbers.iter().max().expect("a number"));
    (*least, largest - least)
}

fn size_of_based(numbers: &[i128]) -> usize {
    let (least, spread) = spread(numbers);
    1 + size_of_int(least) + size_of_packed(spread, numbers.len())
}

fn size_of_differences(numbers: &[i128]) -> Option<usize> {
    let differences: Vec<i128> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let is_int = |number: &i128| i64::try_from(*number).is_ok();
    let may_be = numbers.len() > 2 && numbers.iter().chain(&differences).all(is_int);
    may_be.then(|| size_of_int(numbers[0]) + size_of_based(&differences))
}

/// Each that is there, once.
fn distinct<T: Clone + PartialEq>(all: &[T]) -> Vec<T> {
    let mut distinct: Vec<T> = Vec::new();
    all.iter().for_each(|one| {
        if !distinct.contains(one) {
            distinct.push(one.clone());
        }
    });
    distinct
}

fn size_of_dictionary(entries: usize, m: usize, n: usize) -> Option<usize> {
    (n > 2 && m < n).then(|| 1 + size_of_int(m as i128) + entries + size_of_packed(m as i128 - 1, n))
}

/// The m of m / power, if that is exactly the float.
fn m_of(f: f64, power: f64) -> Option<i128> {
    let m = (f * power).round();
    let is_exact = m.abs() < 9_007_199_254_740_992.0 && (m as i64 as f64 / power).to_bits() == f.to_bits();
    is_exact.then_some(m as i128)
}

fn size_of_decimals(floats: &[f64]) -> Option<usize> {
    let all = |power: &f64| floats.iter().map(|f| m_of(*f, *power)).collect::<Option<Vec<i128>>>();
    num::POWERS.iter().find_map(all).map(|m| 1 + size_of_based(&m))
}

/// The decimals and the others, as variants of a union.
fn split(floats: &[f64]) -> Option<(usize, usize)> {
    let exponent = |f: f64| num::short_decimal(f).map(|decimal| decimal.x & 7);
    let largest = floats.iter().filter_map(|f| exponent(*f)).max()?;
    let power = num::POWERS[largest as usize];
    let fits = |f: f64| exponent(f).is_some() && m_of(f, power).is_some();
    let (decimals, others): (Vec<f64>, Vec<f64>) = floats.iter().partition(|f| fits(**f));
    let n = floats.iter().filter(|f| exponent(**f).is_some()).count();
    let is_split = !others.is_empty() && 16 * n >= floats.len();
    Some((size_of_decimals(&decimals).filter(|_| is_split)?, 1 + 8 * others.len()))
}

/// The first of the shortest.
fn shortest(sizes: &[(&str, Option<usize>)]) -> (String, usize) {
    let sizes = sizes.iter().filter_map(|(kinds, size)| Some((*kinds, (*size)?)));
    let (kinds, size) = sizes.min_by_key(|(_, size)| *size).expect("a kind");
    (kinds.into(), size)
}

/// `plain` is what is written if nothing is shorter, and how many bytes that takes.
fn of_ints(numbers: &[i128], plain: (&str, usize)) -> (String, usize) {
    let entries = distinct(numbers);
    shortest(&[
        ("i", Some(size_of_based(numbers))),
        (plain.0, Some(plain.1)),
        ("d", size_of_differences(numbers)),
        ("Di", size_of_dictionary(size_of_based(&entries), entries.len(), numbers.len())),
    ])
}

fn of_floats(floats: &[f64], may_split: bool, plain: (&str, usize)) -> (String, usize) {
    let n = floats.len();
    let is_narrow = floats.iter().all(|f| num::exact_f32(*f).is_some());
    let (binary, width) = if is_narrow { ("f", 4) } else { ("F", 8) };
    let bits: Vec<u64> = floats.iter().map(|f| f.to_bits()).collect();
    let entries: Vec<f64> = distinct(&bits).into_iter().map(f64::from_bits).collect();
    let m = entries.len();
    let decimals = size_of_decimals(floats);
    let of_entries = shortest(&[(binary, Some(1 + width * m)), (".", size_of_decimals(&entries))]);
    let best = shortest(&[
        (binary, Some(1 + width * n)),
        (plain.0, Some(plain.1)),
        (".", decimals),
        (
            if of_entries.0 == "." {
                "D."
            } else if is_narrow {
                "Df"
            } else {
                "DF"
            },
            size_of_dictionary(of_entries.1, m, n),
        ),
    ]);
    // What is repeated, or all decimal, is not split.
    let split = split(floats).map(|(decimals, others)| 2 + n.div_ceil(8) + decimals + others);
    match split.filter(|size| may_split && !is_narrow && *size < best.1) {
        Some(size) if best.0 == "F" || best.0 == plain.0 => ("UF.".into(), size),
        _ => best,
    }
}

fn size_of_strings(strings: &[Vec<u8>]) -> usize {
    let lengths: Vec<i128> = strings.iter().map(|string| string.len() as i128).collect();
    size_of_based(&lengths) + strings.iter().map(Vec::len).sum::<usize>()
}

fn of_strings(strings: &[Vec<u8>], is_text: bool, plain: (&str, usize)) -> (String, usize) {
    let entries = distinct(strings);
    let expanded = strings.iter().map(Vec::len).sum::<usize>();
    let entries_size = size_of_strings(&entries);
    // Wider indices pay for more text.
    let sizes = column::WIDTHS.iter().filter_map(|bits| {
        let indices = size_of_packed((1 << bits) - 1, strings.len());
        let is_wide = entries.len() as u128 <= 1 << bits;
        let size = 1 + size_of_int(entries.len() as i128) + entries_size + indices;
        (is_wide && expanded <= 64 * size).then_some(size)
    });
    let dictionary = (strings.len() > 2 && entries.len() < strings.len()).then(|| sizes.min()).flatten();
    shortest(&[
        (if is_text { "t" } else { "x" }, Some(size_of_strings(strings))),
        (plain.0, Some(plain.1)),
        (if is_text { "Dt" } else { "Dx" }, dictionary),
    ])
}

/// Elements for a column: any of these, or few of them again and again, or those that follow each other.
fn some<T: Clone>(dice: &mut Dice, mut one: impl FnMut(&mut Dice, usize) -> T) -> Vec<T> {
    let n = 1 + match dice.below(8) {
        0 => dice.below(4),
        1 => dice.below(200),
        _ => dice.below(40),
    };
    let m = match dice.below(3) {
        0 => n,
        1 => 1 + dice.below(n),
        _ => 1 + dice.below(5),
    };
    let all: Vec<T> = (0..n).map(|index| one(dice, index)).collect();
    if m == n { all } else { (0..n).map(|_| all[dice.below(m.min(n))].clone()).collect() }
}

fn some_ints(dice: &mut Dice) -> Vec<i128> {
    let shift = |dice: &mut Dice| 1_i128 << dice.below(64);
    let base = (shift(dice) - shift(dice)) * (dice.below(3) as i128 - 1);
    let (near, far) = (shift(dice), shift(dice));
    let step = [0, 0, shift(dice), -shift(dice)][dice.below(4)] / 32;
    let how_far = [0, 1, 10, 100][dice.below(4)];
    let all = some(dice, |dice, index| {
        let range = if dice.below(100) < how_far { far } else { near };
        base + step * index as i128 + i128::from(dice.next()) % range
    });
    let is_large = all.iter().any(|number| *number > i64::MAX.into());
    let (least, largest) = if is_large { (0, u64::MAX.into()) } else { (i64::MIN.into(), i64::MAX.into()) };
    all.iter().map(|number| *number.max(&least).min(&largest)).collect()
}

fn some_floats(dice: &mut Dice) -> Vec<f64> {
    let power = num::POWERS[[0, 1, 2, 3, 8, 15][dice.below(6)]];
    let (range, base) = (1 << dice.below(40), 1_u64 << dice.below(50));
    let how_odd = [0, 0, 1, 10, 50, 94, 100][dice.below(7)];
    let is_narrow = dice.below(3) == 0;
    some(dice, |dice, _| {
        let decimal = (dice.next() % range + base) as f64 / power;
        let f = match dice.below(100) < how_odd {
            true => f64::from_bits(dice.next()),
            false => decimal,
        };
        if is_narrow { f64::from(f as f32) } else { f }
    })
}

fn some_strings(dice: &mut Dice) -> Vec<Vec<u8>> {
    let least = [0, 0, 1, 8, 30, 70][dice.below(6)];
    let (longest, how_long) = (1 << dice.below(8), [0, 0, 2][dice.below(3)]);
    some(dice, |dice, _| {
        let more = if dice.below(50) < how_long { 300 } else { 0 };
        let length = least + dice.below(longest) + more;
        let letters = 1 + dice.below(26);
        (0..length).map(|_| b'a' + dice.below(letters) as u8).collect()
    })
}

/// Elements of a column, as they are thought of.
#[derive(Debug)]
enum Model {
    Bools(Vec<bool>),
    Small(Vec<i32>),
    Ints(Vec<i128>),
    Floats(Vec<f64>),
    Singles(Vec<f32>),
    Text(Vec<Vec<u8>>),
    Blob(Vec<Vec<u8>>),
    /// Those that are not null, and which these are.
    Nullable(Vec<bool>, Box<Model>),
    Lists(Vec<u32>, Box<Model>),
    Tuples(Vec<Model>),
    Maps(Vec<u32>, Box<Model>, Box<Model>),
    /// For each field which rows have it, and their values.
    Table(usize, Vec<(Vec<bool>, Model)>),
    Union(Vec<u8>, Vec<Model>),
    Nulls(usize),
}

/// The encoded keys of tables.
const KEYS: [&[u8]; 4] = [b"\x41a", b"\x42bb", b"\x43ccc", b"\x40"];

fn count_of(bits: &[bool]) -> usize {
    bits.iter().filter(|on| **on).count()
}

fn ints_of(small: &[i32]) -> Vec<i128> {
    small.iter().map(|number| i128::from(*number)).collect()
}

fn floats_of(singles: &[f32]) -> Vec<f64> {
    singles.iter().map(|f| num::widen(f.to_bits())).collect()
}

/// The first of each, then the second ones, and so on.
fn flat<T: Copy>(each: &[Vec<T>]) -> Vec<T> {
    (0..each[0].len()).flat_map(|index| each.iter().map(move |own| own[index])).collect()
}

impl Model {
    fn len(&self) -> usize {
        match self {
            Model::Bools(all) => all.len(),
            Model::Small(all) => all.len(),
            Model::Ints(all) => all.len(),
            Model::Floats(all) => all.len(),
            Model::Singles(all) => all.len(),
            Model::Text(all) | Model::Blob(all) => all.len(),
            Model::Nullable(present, _) => present.len(),
            Model::Lists(lengths, _) | Model::Maps(lengths, ..) => lengths.len(),
            Model::Tuples(places) => places[0].len(),
            Model::Table(n, _) | Model::Nulls(n) => *n,
            Model::Union(choices, _) => choices.len(),
        }
    }

    /// The column, and those in it, behind others.
    fn add(&self, columns: &mut Vec<Column<'static>>) -> u32 {
        let id = columns.len() as u32;
        columns.push(Column { rows: self.len(), ..Column::default() });
        let store = match self {
            Model::Bools(all) => Store::Bool(bits(all.iter().copied())),
            Model::Small(all) => Store::Small(all.clone()),
            Model::Ints(all) => Store::Int(int_store(all)),
            Model::Floats(all) => Store::Float(all.clone()),
            Model::Singles(all) => Store::Single(all.iter().map(|f| f.to_bits()).collect()),
            Model::Text(all) => Store::Text(texts(all)),
            Model::Blob(all) => Store::Blob(texts(all)),
            Model::Nullable(present, values) => {
                let values = values.add(columns) as usize;
                columns[id as usize].present = Some(bits(present.iter().copied()));
                mem::take(&mut columns[values].store)
            }
            Model::Lists(lengths, items) => {
                Store::List { lengths: lengths.clone(), items: items.add(columns) }
            }
            Model::Tuples(places) => {
                Store::Tuple { places: places.iter().map(|place| place.add(columns)).collect() }
            }
            Model::Maps(counts, keys, values) => {
                let (keys, values) = (keys.add(columns), values.add(columns));
                Store::Map { counts: counts.clone(), keys, values }
            }
            Model::Table(rows, fields) => {
                let field = |(key, (present, values)): (&&'static [u8], &(Vec<bool>, Model))| Field {
                    key,
                    ends: (0, 0),
                    column: values.add(columns),
                    // Up to the last row that has it; none if that is all of them so far.
                    rows: Some(bits(
                        present[..present.iter().rposition(|on| *on).map_or(0, |last| last + 1)]
                            .iter()
                            .copied(),
                    ))
                    .filter(|bits| count_ones(bits) < bits.len),
                    count: count_of(present),
                };
                let fields: Vec<Field<'_>> = KEYS.iter().zip(fields).map(field).collect();
                let cells = fields.iter().map(|field| field.count).sum();
                Store::Table(Table { fields, rows: *rows, cells })
            }
            Model::Union(choices, variants) => {
                let variants = variants.iter().map(|variant| variant.add(columns)).collect();
                Store::Union { choices: choices.clone(), variants }
            }
            Model::Nulls(n) => {
                columns[id as usize].present = Some(bits((0..*n).map(|_| false)));
                Store::Empty
            }
        };
        columns[id as usize].store = store;
        id
    }

    /// How many bytes each element takes in the plain layer.
    fn sizes(&self) -> Vec<usize> {
        let size_of = |bytes: &[u8], is_text: bool| {
            let mut out = Output::new();
            if is_text {
                out.text(bytes)
            } else {
                out.bytes(bytes)
            }
            out.len()
        };
        let with_items = |lengths: &[u32], each: &[Vec<usize>]| {
            let mut each: Vec<_> = each.iter().map(|sizes| sizes.iter()).collect();
            let element = |length: &u32| {
                let items =
                    |sizes: &mut core::slice::Iter<'_, usize>| sizes.take(*length as usize).sum::<usize>();
                (if *length < 16 { 1 } else { 2 }) + each.iter_mut().map(items).sum::<usize>()
            };
            lengths.iter().map(element).collect()
        };
        match self {
            Model::Bools(all) => alloc::vec![1; all.len()],
            Model::Small(all) => all.iter().map(|number| size_of_int(i128::from(*number))).collect(),
            Model::Ints(all) => all.iter().map(|number| size_of_int(*number)).collect(),
            Model::Floats(all) => all.iter().map(|f| size_of_float(*f)).collect(),
            Model::Singles(all) => floats_of(all).iter().map(|f| size_of_float(*f)).collect(),
            Model::Text(all) => all.iter().map(|text| size_of(text, true)).collect(),
            Model::Blob(all) => all.iter().map(|bytes| size_of(bytes, false)).collect(),
            Model::Nullable(present, values) => {
                let mut values = values.sizes().into_iter();
                present.iter().map(|on| if *on { values.next().expect("a value") } else { 1 }).collect()
            }
            Model::Lists(lengths, items) => with_items(lengths, &[items.sizes()]),
            Model::Tuples(places) => {
                let each: Vec<Vec<usize>> = places.iter().map(Model::sizes).collect();
                (0..self.len()).map(|row| 1 + each.iter().map(|sizes| sizes[row]).sum::<usize>()).collect()
            }
            Model::Maps(counts, keys, values) => with_items(counts, &[keys.sizes(), values.sizes()]),
            Model::Table(rows, fields) => {
                let mut sizes = alloc::vec![1; *rows];
                for (key, (present, values)) in KEYS.iter().zip(fields) {
                    let rows = sizes.iter_mut().zip(present).filter(|(_, on)| **on);
                    rows.zip(values.sizes()).for_each(|((row, _), value)| *row += key.len() + value);
                }
                sizes
            }
            Model::Union(choices, variants) => {
                let mut each: Vec<_> = variants.iter().map(|variant| variant.sizes().into_iter()).collect();
                choices.iter().map(|choice| each[usize::from(*choice)].next().expect("an element")).collect()
            }
            Model::Nulls(n) => alloc::vec![1; *n],
        }
    }

    /// The shortest way, as the kinds of all columns by a letter each, and how many bytes it takes.
    fn best(&self) -> (String, usize) {
        match self {
            Model::Nullable(present, values) => {
                let values = if values.len() > 0 { values.best_in(true) } else { Default::default() };
                let size = 1 + present.len().div_ceil(8) + values.1;
                self.or_plain(("n".to_string() + &values.0, size))
            }
            Model::Nulls(n) => self.or_plain(("n".into(), 1 + n.div_ceil(8))),
            _ => self.best_in(false),
        }
    }

    fn or_plain(&self, best: (String, usize)) -> (String, usize) {
        let plain = size_of_plain(self.sizes().iter().sum());
        if plain < best.1 { ("p".into(), plain) } else { best }
    }

    /// The same for values that are not null, or for a variant of a union.
    fn best_in(&self, is_variant: bool) -> (String, usize) {
        let plain = ("p", size_of_plain(self.sizes().iter().sum()));
        let counts = |counts: &[u32]| {
            let largest = counts.iter().max().expect("a count");
            size_of_packed(i128::from(*largest), counts.len())
        };
        let (kinds, size) = match self {
            Model::Bools(all) => ("b".into(), 1 + all.len().div_ceil(8)),
            Model::Small(all) => return of_ints(&ints_of(all), plain),
            Model::Ints(all) => return of_ints(all, plain),
            Model::Floats(all) => return of_floats(all, !is_variant, plain),
            Model::Singles(all) => return of_floats(&floats_of(all), false, plain),
            Model::Text(all) => return of_strings(all, true, plain),
            Model::Blob(all) => return of_strings(all, false, plain),
            Model::Lists(lengths, items) => {
                let largest = lengths.iter().max().copied().unwrap_or_default();
                let (kinds, size) = if largest > 0 { items.best() } else { Default::default() };
                match largest > 0 && lengths.iter().all(|length| *length == largest) {
                    true => ("S".to_string() + &kinds, 1 + size_of_int(largest.into()) + size),
                    false => ("L".to_string() + &kinds, 1 + counts(lengths) + size),
                }
            }
            Model::Tuples(places) => {
                let head = 1 + size_of_int(places.len() as i128);
                let each = places.iter().map(Model::best);
                let each = each.fold((String::new(), 0), |all, own| (all.0 + &own.0, all.1 + own.1));
                let as_places = ("T", each.1);
                let narrow = |place: &Model| match place {
                    Model::Singles(all) => Some(floats_of(all)),
                    _ => None,
                };
                let floats = |place: &Model| match place {
                    Model::Floats(all) => Some(all.clone()),
                    _ => narrow(place),
                };
                let ints = |place: &Model| match place {
                    Model::Small(all) => Some(ints_of(all)),
                    Model::Ints(all) => Some(all.clone()),
                    _ => None,
                };
                let all_floats: Option<Vec<Vec<f64>>> = places.iter().map(floats).collect();
                let all_ints: Option<Vec<Vec<i128>>> = places.iter().map(ints).collect();
                let is_mixed = all_ints.iter().flatten().flatten().any(|int| *int < 0)
                    && all_ints.iter().flatten().flatten().any(|int| *int > i64::MAX.into());
                let (kinds, size) = match (all_floats, all_ints) {
                    (Some(all), _) => of_floats(&flat(&all), true, as_places),
                    (_, Some(all)) if !is_mixed => of_ints(&flat(&all), as_places),
                    _ => ("T".into(), each.1),
                };
                (if kinds == "T" { kinds + &each.0 } else { "S".to_string() + &kinds }, head + size)
            }
            Model::Maps(lengths, keys, values) => {
                let each = if keys.len() > 0 { [keys.best(), values.best()] } else { Default::default() };
                ("M".to_string() + &each[0].0 + &each[1].0, 1 + counts(lengths) + each[0].1 + each[1].1)
            }
            Model::Table(rows, fields) => {
                let mut all = ("R".to_string(), 1 + size_of_int(fields.len() as i128));
                for (key, (present, values)) in KEYS.iter().zip(fields) {
                    all.1 += key.len();
                    if values.len() < *rows {
                        all = (all.0 + "s", all.1 + 1 + present.len().div_ceil(8));
                    }
                    if values.len() > 0 {
                        let (kinds, size) = values.best();
                        all = (all.0 + &kinds, all.1 + size);
                    }
                }
                all
            }
            Model::Union(choices, variants) => {
                // The first floats are split, if they are.
                let is_floats = |variant: &Model| matches!(variant, Model::Floats(_));
                let first =
                    variants.iter().position(is_floats).filter(|_| variants.len() < column::VARIANTS_MAX);
                let split = first.and_then(|first| {
                    let Model::Floats(floats) = &variants[first] else { return None };
                    let (decimals, others) = split(floats)?;
                    let size = 2 + floats.len().div_ceil(8) + decimals + others;
                    (size < 8 * floats.len()).then_some((first, decimals, others))
                });
                let m = variants.len() + usize::from(split.is_some());
                let mut all = (
                    "U".to_string(),
                    1 + size_of_int(m as i128) + size_of_packed(m as i128 - 1, choices.len()),
                );
                for (at, variant) in variants.iter().enumerate() {
                    let (kinds, size) = match (variant, split) {
                        _ if variant.len() == 0 => Default::default(),
                        (Model::Nulls(_), _) => ("0".into(), 1),
                        (_, Some((split, _, others))) if split == at => ("F".into(), others),
                        _ => variant.best_in(true),
                    };
                    all = (all.0 + &kinds, all.1 + size);
                }
                match split {
                    Some((_, decimals, _)) => (all.0 + ".", all.1 + decimals),
                    None => all,
                }
            }
            Model::Nullable(..) | Model::Nulls(_) => return self.best(),
        };
        self.or_plain((kinds, size))
    }

    /// Is it written like that, so that it is read as what it was, and weighs what the writer counted? Gives the kinds.
    fn check(&self) -> String {
        let mut columns = Vec::new();
        self.add(&mut columns);
        measure::bound(&mut columns, 0);
        let n = self.len();
        let mut plain = Output::new();
        plain.list_head(n);
        let mut emitter = Emitter::new(&columns);
        (0..n).for_each(|_| emitter.element(0, &mut plain));
        let work = Tries::work(plain.len());
        let mut writer = Writer::new(&columns, &[], Tries::new(&work));
        let mut out = Output::new();
        out.byte(tag::LIST_COLUMNS);
        out.pos(n as u64);
        let head = out.len();
        assert!(writer.columns(&[0], 0, &mut out).expect("columns"), "{self:?}");
        let plain_of = |value: Value<'_>| value.to_vec_with(&Config::new().plain(true)).expect("a document");
        let read = |bytes: &[u8]| plain_of(Value::from_slice(bytes).expect("a value"));
        assert_eq!(read(out.as_bytes()), read(plain.as_bytes()), "{self:?}");
        let mut reader = Reader { data: out.as_bytes(), pos: 1 };
        let walked = walk::walk(&mut reader, &mut (), 0, 1, 100, 100).expect("columns").load;
        let counted = writer.load;
        assert_eq!((counted.elements, counted.plain), (walked.elements, walked.plain), "{self:?}");
        if writer.wide > 0 {
            return "wide".into();
        }
        let letter = |column: &layout::Column<'_>| match column.kind {
            layout::Kind::Plain => 'p',
            layout::Kind::Null => '0',
            layout::Kind::Sparse => 's',
            layout::Kind::Nullable => 'n',
            layout::Kind::Bool => 'b',
            layout::Kind::Int => 'i',
            layout::Kind::Differences => 'd',
            layout::Kind::Float64 => 'F',
            layout::Kind::Float32 => 'f',
            layout::Kind::Decimal => '.',
            layout::Kind::String => 't',
            layout::Kind::Bytes => 'x',
            layout::Kind::Dictionary => 'D',
            layout::Kind::Lists => 'L',
            layout::Kind::SameLength => 'S',
            layout::Kind::Tuples => 'T',
            layout::Kind::Maps => 'M',
            layout::Kind::Table => 'R',
            layout::Kind::Union => 'U',
            layout::Kind::Ext => 'E',
        };
        let layout = layout::layout(out.as_bytes(), 0).expect("columns");
        let kinds: String = layout.columns.iter().map(letter).collect();
        assert_eq!((kinds.clone(), out.len() - head), self.best(), "{self:?}");
        if let Model::Text(all) | Model::Blob(all) = self {
            let text = if kinds.starts_with('D') { all.iter().map(Vec::len).sum() } else { 0 };
            assert_eq!(counted.text, text as u64, "{self:?}");
        }
        kinds
    }
}

/// Checks some models, of which each of these kinds is to be seen.
fn each_is(times: usize, kinds: &[&str], make: impl Fn(&mut Dice) -> Model) {
    let mut dice = Dice(0x1234_5678_9ABC_DEF1);
    let seen: Vec<String> = (0..times).map(|_| make(&mut dice).check()).collect();
    for kinds in kinds {
        let count = seen.iter().filter(|seen| seen == kinds).count();
        assert!(count > 0, "{kinds} was not seen");
    }
    assert!(seen.iter().filter(|seen| *seen == "wide").count() < times / 10);
}

fn small(numbers: &[i128]) -> Vec<i32> {
    let small = |number: &i128| (*number).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    numbers.iter().map(small).collect()
}

fn some_singles(dice: &mut Dice) -> Vec<f32> {
    // A NaN may have other bits by the way.
    some_floats(dice).into_iter().map(|f| f as f32).map(|f| if f.is_nan() { 0.5 } else { f }).collect()
}

#[test]
fn ints() {
    each_is(2000, &["i", "p", "d", "Di"], |dice| Model::Ints(some_ints(dice)));
}

#[test]
fn ints_of_32_bits() {
    each_is(2000, &["i", "p", "d", "Di"], |dice| Model::Small(small(&some_ints(dice))));
}

#[test]
fn floats() {
    each_is(2000, &["F", "f", "p", ".", "D.", "Df", "DF", "UF."], |dice| Model::Floats(some_floats(dice)));
    each_is(1000, &["f", "p", ".", "D.", "Df"], |dice| Model::Singles(some_singles(dice)));
}

#[test]
fn strings_and_bytes() {
    each_is(1000, &["t", "p", "Dt"], |dice| Model::Text(some_strings(dice)));
    each_is(1000, &["x", "Dx"], |dice| Model::Blob(some_strings(dice)));
}

/// So many of these, again and again.
fn again<T: Clone>(all: &[T], n: usize) -> Vec<T> {
    all.iter().cycle().take(n).cloned().collect()
}

/// So many scalars of one kind.
fn scalars(dice: &mut Dice, n: usize) -> Model {
    match dice.below(8) {
        0 => Model::Bools((0..n).map(|_| dice.below(2) == 0).collect()),
        1 | 2 => Model::Small(again(&small(&some_ints(dice)), n)),
        3 => Model::Ints(again(&some_ints(dice), n)),
        4 => Model::Floats(again(&some_floats(dice), n)),
        5 => Model::Singles(again(&some_singles(dice), n)),
        6 => Model::Text(again(&some_strings(dice), n)),
        _ => Model::Blob(again(&some_strings(dice), n)),
    }
}

/// The same, of which some may be null.
fn values(dice: &mut Dice, n: usize) -> Model {
    let how_many = [0, 0, 0, 1, 50, 99, 100][dice.below(7)];
    let present: Vec<bool> = (0..n).map(|_| dice.below(100) >= how_many).collect();
    match count_of(&present) {
        0 => Model::Nulls(n),
        count if count == n => scalars(dice, n),
        count => Model::Nullable(present, Box::new(scalars(dice, count))),
    }
}

/// The lengths of some lists, which may all be the same.
fn lengths(dice: &mut Dice) -> Vec<u32> {
    let n = 1 + dice.below(30);
    let least = dice.below(4) as u32;
    let more = [1, 1, 2, 3, 20][dice.below(5)];
    (0..n).map(|_| least + dice.below(more) as u32).collect()
}

/// Values that are short enough to be left as they are in plain columns.
fn are_short(model: &Model) -> bool {
    model.sizes().iter().all(|size| *size < compact::CONTAINER_MIN)
}

/// Makes some until it is of short ones.
fn short(dice: &mut Dice, make: impl Fn(&mut Dice) -> Model) -> Model {
    loop {
        let model = make(dice);
        if are_short(&model) {
            return model;
        }
    }
}

#[test]
fn bools_and_nulls() {
    each_is(100, &["b"], |dice| Model::Bools((0..=dice.below(20)).map(|_| dice.below(2) == 0).collect()));
    let kinds = ["n", "nb", "ni", "nd", "nDi", "nf", "nF", "n.", "nDf", "nt", "nDt", "nx", "nDx", "np", "p"];
    each_is(3000, &kinds, |dice| {
        let n = 1 + dice.below(40);
        values(dice, n)
    });
}

#[test]
fn lists() {
    each_is(2000, &["L", "Li", "Si", "Sd", "LDi", "Sb", "Sni", "LDt", "p", "Sp", "Lp"], |dice| {
        short(dice, |dice| {
            let lengths = lengths(dice);
            let n = lengths.iter().sum::<u32>() as usize;
            let items = if n > 0 { values(dice, n) } else { Model::Bools(Vec::new()) };
            Model::Lists(lengths, Box::new(items))
        })
    });
}

#[test]
fn maps() {
    each_is(1000, &["M", "Mii", "Mti", "p"], |dice| {
        short(dice, |dice| {
            let counts = lengths(dice);
            let n = counts.iter().sum::<u32>() as usize;
            // Keys are told apart.
            let keys = match dice.below(2) {
                0 => Model::Small((0..n as i32).map(|key| key * 7 % 1000).collect()),
                _ => Model::Text((0..n).map(|key| key.to_string().into_bytes()).collect()),
            };
            let values = if n > 0 { values(dice, n) } else { Model::Bools(Vec::new()) };
            Model::Maps(counts, Box::new(keys), Box::new(values))
        })
    });
}

#[test]
fn tuples() {
    each_is(
        2000,
        &["Si", "SDi", "Sf", "SF", "S.", "SDf", "SD.", "SUF.", "Tii", "TDii", "Tni", "p"],
        |dice| {
            short(dice, |dice| {
                let (n, width) = (1 + dice.below(30), 1 + dice.below(4));
                // Of one list, or each for itself.
                let one = dice.below(2) == 0;
                let all = (some_ints(dice), some_floats(dice), some_singles(dice));
                let part = |index: usize, len: usize| (0..n).map(move |row| (row * width + index) % len);
                let kind = dice.below(6);
                let places = (0..width).map(|place| {
                    let (ints, floats, singles) = match one {
                        true => all.clone(),
                        false => (some_ints(dice), some_floats(dice), some_singles(dice)),
                    };
                    let ints: Vec<i128> = part(place, ints.len()).map(|at| ints[at]).collect();
                    let floats = part(place, floats.len()).map(|at| floats[at]).collect();
                    let singles = part(place, singles.len()).map(|at| singles[at]).collect();
                    match kind + dice.below(2) {
                        0 => values(dice, n),
                        1 => Model::Small(small(&ints)),
                        2 | 3 => Model::Ints(ints),
                        4 => Model::Singles(singles),
                        _ => Model::Floats(floats),
                    }
                });
                Model::Tuples(places.collect())
            })
        },
    );
    // What rises from place to place.
    let rises = |place| (0..20).map(|row| 100 * row + 50 * place).collect();
    assert_eq!(Model::Tuples(alloc::vec![Model::Small(rises(0)), Model::Small(rises(1))]).check(), "Sd");
    // Zero is not below zero: it goes with the largest ints.
    let large = again(&[0, 50, 100, 150, 200, 250, 255, 1 << 63], 40);
    let small = small(&again(&large[..7], 40));
    assert_eq!(Model::Tuples(alloc::vec![Model::Small(small), Model::Ints(large)]).check(), "SDi");
}

#[test]
fn tables() {
    each_is(2000, &["Ri", "RDi", "Rsi", "Rsn", "Rs", "RsDi", "Rsisi", "p"], |dice| {
        short(dice, |dice| {
            let (rows, width) = (1 + dice.below(30), 1 + dice.below(KEYS.len()));
            let fields = (0..width).map(|_| {
                let how_many = [100, 100, 90, 50, 2][dice.below(5)];
                // From some row on there is none, or in any of them.
                let last = if dice.below(3) == 0 { dice.below(rows + 1) } else { rows };
                let present: Vec<bool> =
                    (0..rows).map(|row| row < last && dice.below(100) < how_many).collect();
                let n = count_of(&present);
                let values = if n > 0 { values(dice, n) } else { Model::Bools(Vec::new()) };
                (present, values)
            });
            Model::Table(rows, fields.collect())
        })
    });
}

#[test]
fn unions() {
    each_is(2000, &["Uii", "Ui0", "U.i", "UiF.", "U0F.", "p"], |dice| {
        short(dice, |dice| {
            let most = [3, 3, 3, 3, 15][dice.below(5)];
            let (n, m) = (2 + dice.below(60), 2 + dice.below(most));
            let choices: Vec<u8> = (0..n).map(|_| dice.below(m) as u8).collect();
            let variants = (0..m).map(|variant| {
                let count = choices.iter().filter(|choice| usize::from(**choice) == variant).count();
                match dice.below(5) {
                    0 if count > 0 => Model::Nulls(count),
                    1 => Model::Floats(again(&some_floats(dice), count)),
                    _ => scalars(dice, count),
                }
            });
            let variants = variants.collect();
            Model::Union(choices, variants)
        })
    });
}

/// Whether a dictionary is found among `n` elements of which the first `new` are all different, and the others are
/// the first one again.
fn is_found(n: usize, new: usize, of: (usize, usize)) -> bool {
    let element = |index: usize| if index < new { index as u64 } else { 0 };
    Dictionary::default().find(n, usize::MAX, of, element, |_, a, b| element(a) == element(b))
}

/// Where more than a part of a sample is new, nothing else is looked at; of more elements a larger one is taken.
#[test]
fn samples() {
    for (n, sample) in
        [(1024, None), (2000, Some(1024)), (8192, Some(1024)), (8800, Some(1100)), (40_000, Some(4096))]
    {
        for (part, whole) in [(7, 8), (15, 16)] {
            let most = sample.map_or(n - 1, |sample| sample / whole * part);
            assert!(is_found(n, most, (part, whole)), "{n}");
            assert!(!is_found(n, most + 1, (part, whole)), "{n}");
        }
    }
    // Those that follow a sample may all be new, but for the last one.
    let found = |n: u64, repeated: u64| {
        let element = |index: usize| index as u64 % (n - repeated);
        Dictionary::default()
            .find(n as usize, usize::MAX, (1, 1), element, |_, a, b| element(a) == element(b))
    };
    assert!(found(3000, 1) && !found(3000, 0));
    assert!(found(3, 1) && !found(2, 1));
}

/// Elements that look alike are not compared for long.
#[test]
fn elements_that_look_alike() {
    // 33 different ones are compared 528 times.
    let found = |n: usize| {
        let element = |index: usize| if index < 33 { index } else { 0 };
        Dictionary::default().find(n, usize::MAX, (7, 8), |_| 7, |_, a, b| element(a) == element(b))
    };
    assert!(found(66) && !found(65));
}

#[test]
fn the_most_entries() {
    for (n, best, most) in [
        (10, 5, 0),
        (10, 6, 2),
        (10, 7, 4),
        (10, 8, 8),
        (10, 9, 8),
        (10, 10, 16),
        (100, 16, 0),
        (100, 17, 2),
        (100, 29, 4),
        (100, 1000, 65_536),
        (1000, usize::MAX, 65_536),
    ] {
        assert_eq!(entries_max(n, best), most, "{n} {best}");
    }
}

/// Lists and maps of which some are null.
#[test]
fn nulls_among_lists_and_maps() {
    each_is(3000, &["nSi", "nLi", "nTii", "nRi", "np", "p"], |dice| {
        short(dice, |dice| {
            let present: Vec<bool> = (0..2 + dice.below(20)).map(|_| dice.below(3) > 0).collect();
            let n = count_of(&present);
            match n {
                0 => return Model::Nulls(present.len()),
                _ if n == present.len() => return scalars(dice, n),
                _ => {}
            }
            let values = match dice.below(3) {
                0 => {
                    let lengths = again(&lengths(dice), n);
                    let count = lengths.iter().sum::<u32>() as usize;
                    let items = if count > 0 { scalars(dice, count) } else { Model::Bools(Vec::new()) };
                    Model::Lists(lengths, Box::new(items))
                }
                1 => Model::Tuples((0..=dice.below(3)).map(|_| scalars(dice, n)).collect()),
                _ => Model::Table(n, alloc::vec![(alloc::vec![true; n], scalars(dice, n))]),
            };
            Model::Nullable(present, Box::new(values))
        })
    });
}

/// Numbers that are near to each other are all looked at, others only as far as a sample is worth it.
#[test]
fn repeated_numbers() {
    let numbers = |largest: i32| {
        let numbers = (0..1000).map(|n| n * 1234 % 999 * 4).chain([largest]);
        numbers.chain([4000; 6999]).collect::<Vec<i32>>()
    };
    assert_eq!(Model::Small(numbers(4095)).check(), "Di");
    let mut columns = Vec::new();
    Model::Small(numbers(4096)).add(&mut columns);
    measure::bound(&mut columns, 0);
    let work = Tries::work(8000);
    let mut out = Output::new();
    Writer::new(&columns, &[], Tries::new(&work)).columns(&[0], 0, &mut out).expect("columns");
    assert_eq!(out.as_bytes()[0], column::INT << 4 | 9);
    // As many as indices of eight bits tell apart, while differences take ten bits.
    let mut dice = Dice(7);
    let mut at = 0;
    let walk: Vec<i32> = (0..2000)
        .map(|_| {
            at = (at + dice.below(63) as i32 - 31).clamp(0, 255);
            16 * at
        })
        .collect();
    assert_eq!(distinct(&walk).len(), 256);
    assert_eq!(Model::Small(walk).check(), "Di");
}

#[test]
fn decimals_of_the_largest_exponent() {
    let floats =
        |exponent| Model::Floats((0..20).map(|m| f64::from(m * m) / num::POWERS[exponent]).collect());
    assert_eq!([21, 22].map(|exponent| floats(exponent).check()), [".", "."]);
}

#[test]
fn a_dictionary_that_is_a_byte_shorter() {
    let strings = ["a", "b", "c", "a", "a", "a", "a", "a"].map(|text| text.as_bytes().to_vec());
    assert_eq!(Model::Text(strings.to_vec()).check(), "Dt");
}

/// What a dictionary gives out is as much as its bytes bear, or its indices are wider.
#[test]
fn text_that_is_repeated_often() {
    for n in [127, 128, 129, 1000] {
        assert_eq!(Model::Text(alloc::vec![alloc::vec![b'x'; 21]; n]).check(), "Dt");
    }
}

/// Texts of one print, and those of eight bytes that differ where a shorter one's length would be, are told apart.
#[test]
fn texts_that_look_alike() {
    // The second half of each makes up for the first.
    let alike = |first: u64| {
        let mixed = (16_u64.rotate_left(5) ^ first).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        [first, mixed.rotate_left(5) ^ 1].map(u64::to_le_bytes).concat()
    };
    assert_eq!(print(&alike(1)), print(&alike(2)));
    for [a, b] in [[alike(1), alike(2)], ["abcdefga", "abcdefgi"].map(|text| text.as_bytes().to_vec())] {
        assert_eq!(Model::Blob(again(&[a, b], 40)).check(), "Dx");
    }
}
