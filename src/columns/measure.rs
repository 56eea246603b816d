//! How many bytes columns would take in the plain layer, where nobody wrote them there.

use super::choose::int_size;
use super::collect::{Column, Store, Table, Texts};
use crate::num;
use crate::tag;
use alloc::vec::Vec;

/// Notes the size of a column and of those in it; of numbers and texts, which are slow to measure, a lower bound.
pub(super) fn bound(columns: &mut [Column<'_>], id: u32) {
    for inner in inner(&columns[id as usize].store) {
        bound(columns, inner);
    }
    let (mut plain, mut is_bound) = (0, false);
    for inner in inner(&columns[id as usize].store) {
        let own = &columns[inner as usize];
        plain += own.plain;
        is_bound |= own.is_bound;
    }
    let own = &mut columns[id as usize];
    let values = match &own.store {
        Store::Int(ints) => {
            // Two bytes hold what is from 64 to 255.
            let is_long = |number: &&u64| int_size(**number, ints.negative) > 1;
            let larger = ints.numbers.iter().fold(0, |all, number| all | number);
            is_bound = larger > 0xFF;
            ints.numbers.len() + ints.numbers.iter().filter(is_long).count()
        }
        Store::Float(floats) => {
            let long = count(floats, |f| u64::from(is_long(*f)));
            is_bound = long < floats.len();
            9 * long + 2 * (floats.len() - long)
        }
        Store::Single(floats) => {
            let long = count(floats, |bits| u32::from(is_long_single(f32::from_bits(*bits))));
            is_bound = long < floats.len();
            5 * long + 2 * (floats.len() - long)
        }
        Store::Text(texts) => {
            // None is long if all together are not.
            is_bound = texts.bytes.len() > tag::STR_INLINE_MAX;
            texts.bytes.len() + texts.ends.len()
        }
        store => heads(store) + tuple_heads(own),
    };
    own.plain = plain + values + nulls(own);
    own.is_bound = is_bound;
}

/// The sizes of columns, of which some had to be counted to the end.
pub(super) struct Sizes<'c, 'p> {
    columns: &'c [Column<'p>],
    /// Those of the columns; none were counted if it is empty.
    counted: Vec<Option<usize>>,
}

impl<'c, 'p> Sizes<'c, 'p> {
    pub(super) fn new(columns: &'c [Column<'p>]) -> Sizes<'c, 'p> {
        Sizes { columns, counted: Vec::new() }
    }

    /// The size of a column.
    pub(super) fn exact(&mut self, id: u32) -> usize {
        let own = &self.columns[id as usize];
        if !own.is_bound {
            return own.plain;
        }
        if let Some(Some(size)) = self.counted.get(id as usize) {
            return *size;
        }
        let values = match &own.store {
            Store::Float(floats) => floats.iter().map(|f| float_size(*f)).sum(),
            Store::Single(floats) => floats.iter().map(|bits| float_size(num::widen(*bits))).sum(),
            store => heads(store) + tuple_heads(own),
        };
        let inner: usize = inner(&own.store).into_iter().map(|inner| self.exact(inner)).sum();
        let size = inner + values + nulls(own);
        self.counted.resize(self.columns.len(), None);
        self.counted[id as usize] = Some(size);
        size
    }
}

/// The columns in a column; nobody collects exts without writing them.
fn inner(store: &Store<'_>) -> Vec<u32> {
    match store {
        Store::List { items, .. } => alloc::vec![*items],
        Store::Tuple { places } => places.clone(),
        Store::Map { keys, values, .. } => alloc::vec![*keys, *values],
        Store::Table(table) => table.fields.iter().map(|field| field.column).collect(),
        Store::Union { variants, .. } => variants.clone(),
        _ => Vec::new(),
    }
}

fn nulls(own: &Column<'_>) -> usize {
    own.present.as_ref().map_or(0, |present| {
        present.len - present.bytes.iter().map(|byte| byte.count_ones() as usize).sum::<usize>()
    })
}

/// What the elements take without those of the columns in it, and without nulls.
fn heads(store: &Store<'_>) -> usize {
    match store {
        Store::Bool(bits) => bits.len,
        Store::Small(numbers) => small_size(numbers),
        Store::Int(ints) => ints.numbers.iter().map(|number| int_size(*number, ints.negative)).sum(),
        Store::Text(texts) => texts_size(texts, tag::STR_INLINE_MAX),
        Store::Blob(texts) => texts.bytes.len() + lengths(texts).map(long_head).sum::<usize>(),
        Store::List { lengths, .. } => {
            lengths.iter().map(|length| head(*length as usize, tag::COUNT_INLINE_MAX)).sum()
        }
        Store::Map { counts, .. } => {
            counts.iter().map(|count| head(*count as usize, tag::COUNT_INLINE_MAX)).sum()
        }
        Store::Table(table) => table_size(table),
        _ => 0,
    }
}

/// The heads of tuples: the column that has them knows how many there are.
fn tuple_heads(own: &Column<'_>) -> usize {
    match &own.store {
        Store::Tuple { places } => (own.len() - nulls(own)) * head(places.len(), tag::COUNT_INLINE_MAX),
        _ => 0,
    }
}

fn lengths(texts: &Texts) -> impl Iterator<Item = usize> {
    texts.iter().map(<[u8]>::len)
}

fn texts_size(texts: &Texts, inline: usize) -> usize {
    texts.bytes.len() + lengths(texts).map(|length| head(length, inline)).sum::<usize>()
}

fn table_size(table: &Table<'_>) -> usize {
    let keys: usize = table.fields.iter().map(|field| field.count * field.key.len()).sum();
    let heads = match table.fields.len() {
        0..=tag::COUNT_INLINE_MAX => table.rows,
        _ => (0..table.rows)
            .map(|row| table.fields.iter().filter(|field| field.has(row)).count())
            .map(|count| head(count, tag::COUNT_INLINE_MAX))
            .sum(),
    };
    keys + heads
}

/// Counts something of many values in lanes as wide as these are.
fn count<T, L: Into<u64> + core::iter::Sum<L>>(values: &[T], of: impl Fn(&T) -> L) -> usize {
    values.chunks(1 << 16).map(|some| some.iter().map(&of).sum::<L>().into()).sum::<u64>() as usize
}

fn small_size(numbers: &[i32]) -> usize {
    let bytes = |number: &i32| {
        let u = (number ^ number >> 31) as u32;
        let most = 63 >> (*number < 0) as u32;
        u32::from(u > most) + u32::from(u > 0xFF) + u32::from(u > 0xFFFF) + u32::from(u > 0xFF_FFFF)
    };
    numbers.len() + count(numbers, bytes)
}

fn head(n: usize, inline: usize) -> usize {
    if n <= inline { 1 } else { long_head(n) }
}

fn long_head(n: usize) -> usize {
    match n as u64 {
        0..=0xFF => 2,
        0x100..=0xFFFF => 3,
        0x1_0000..=0xFFFF_FFFF => 5,
        _ => 9,
    }
}

fn float_size(f: f64) -> usize {
    let binary = || if num::exact_f32(f).is_some() { 5 } else { 9 };
    match num::short_decimal(f) {
        Some(decimal) if decimal.width <= 3 => 1 + decimal.width,
        Some(decimal) => binary().min(1 + decimal.width),
        None => binary(),
    }
}

/// Whether a float takes nine bytes; some that do are not found.
#[inline(always)]
fn is_long(f: f64) -> bool {
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    // As in `num::short_decimal`, for the most common size.
    let m = (f * 1e7 + MAGIC) - MAGIC;
    f.to_bits() & 0x1FFF_FFFF != 0 && f.abs() < 2.25e8 && m / 1e7 != f
}

/// Whether a binary32 float takes five bytes; some that do are not found. A short decimal of up to three
/// bytes that is exactly a binary32 is a whole number of 1/128: other decimals of so few digits are never so
/// near to one.
#[inline(always)]
fn is_long_single(f: f32) -> bool {
    // Adding and taking away 1.5 · 2^23 rounds to a whole number.
    const MAGIC: f32 = 12_582_912.0;
    const LARGEST: f32 = 4_194_304.0;
    let parts = f * 128.0;
    let whole = (parts + MAGIC) - MAGIC;
    whole != parts && parts.abs() < LARGEST
}

#[cfg(test)]
mod tests {
    use super::super::collect::{Bits, Field, Ints};
    use super::super::emit::Emitter;
    use super::*;
    use crate::write::Output;

    fn bits(on: &[bool]) -> Bits {
        let mut bits = Bits::default();
        on.iter().for_each(|on| bits.push(*on));
        bits
    }

    fn column(rows: usize, store: Store<'_>) -> Column<'_> {
        Column { rows, store, ..Column::default() }
    }

    fn texts(lengths: &[usize]) -> Texts {
        let mut texts = Texts::default();
        lengths.iter().for_each(|length| texts.push(&alloc::vec![b'x'; *length]));
        texts
    }

    fn ints(numbers: &[u64], negative: bool) -> Store<'static> {
        Store::Int(Ints { numbers: numbers.to_vec(), negative, large: false })
    }

    /// The sizes of columns are those of what is written of the first of them, and bounds are no more.
    fn is_right(columns: &mut [Column<'_>], what: &str) {
        bound(columns, 0);
        let mut out = Output::new();
        let mut emitter = Emitter::new(columns);
        (0..columns[0].len()).for_each(|_| emitter.element(0, &mut out));
        let own = &columns[0];
        assert!(own.plain <= out.len(), "{what}: a bound of {} for {}", own.plain, out.len());
        assert!(own.is_bound || own.plain == out.len(), "{what}: {} for {}", own.plain, out.len());
        let mut sizes = Sizes::new(columns);
        let twice = [sizes.exact(0), sizes.exact(0)];
        assert_eq!(twice, [out.len(); 2], "{what}");
    }

    /// The same of a column that has no others in it.
    fn alone(rows: usize, store: Store<'_>, what: &str) {
        is_right(&mut [column(rows, store)], what);
    }

    #[test]
    fn sizes_of_ints() {
        let limits = [0, 1, 63, 64, 31, 32, 33, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x100_0000];
        for u in limits.into_iter().chain([0x7FFF_FFFE, i32::MAX]) {
            for number in [u, !u] {
                alone(1, Store::Small(alloc::vec![number]), &alloc::format!("{number}"));
            }
        }
        let mut all: Vec<i32> = limits.iter().flat_map(|u| [*u, !u]).collect();
        all.resize(70_000, -1);
        alone(all.len(), Store::Small(all), "many");
        for shift in 0..64 {
            for number in [(1_u64 << shift) - 1, 1 << shift, !(1 << shift)] {
                for negative in [false, true] {
                    alone(1, ints(&[number], negative), &alloc::format!("{number} {negative}"));
                    alone(2, ints(&[number, 64], negative), &alloc::format!("{number} {negative}, and 64"));
                }
            }
        }
        alone(4, ints(&[0, 63, 64, 0xFF], false), "a byte each");
    }

    #[test]
    fn sizes_of_floats() {
        let mut floats =
            alloc::vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, 1e-7, 1e-8, 0.1, 1.0 / 3.0];
        for places in 0..9 {
            for m in [1.0, 15.0, 16.0, 4095.0, 4096.0, 1e6 - 1.0, 1e9 + 1.0, 2.25e8, 2.25e8 + 1.0, 1e13 + 1.0]
            {
                floats.extend([m / f64::from(10_u32.pow(places)), -m / f64::from(10_u32.pow(places))]);
                floats.extend([m / f64::from(1 << places), m + 1.0 / 128.0]);
            }
        }
        floats.extend([2.25e8 + 0.1, 2.25e8 - 0.1, 2.24e8 + 0.01]);
        for f in &floats {
            alone(1, Store::Float(alloc::vec![*f]), &alloc::format!("{f:?}"));
            let single = (*f as f32).to_bits();
            alone(1, Store::Single(alloc::vec![single]), &alloc::format!("{single:x}"));
        }
        let singles = floats.iter().map(|f| (*f as f32).to_bits()).collect();
        alone(floats.len(), Store::Single(singles), "many singles");
        alone(floats.len(), Store::Float(floats), "many floats");
        // Those of which the bound is the size.
        for long in [alloc::vec![core::f64::consts::PI; 3], alloc::vec![1.0 / 3.0; 70_000]] {
            let mut columns = [column(long.len(), Store::Float(long))];
            is_right(&mut columns, "long floats");
            assert!(!columns[0].is_bound);
            let singles = alloc::vec![(1.0_f32 / 3.0).to_bits(); columns[0].rows];
            let mut columns = [column(singles.len(), Store::Single(singles))];
            is_right(&mut columns, "long singles");
            assert!(!columns[0].is_bound);
        }
    }

    #[test]
    fn sizes_of_text_and_bits() {
        alone(9, Store::Bool(bits(&[true; 9])), "bits");
        for length in [0, 1, 63, 64, 255, 256, 65_535, 65_536] {
            alone(1, Store::Text(texts(&[length])), &alloc::format!("text of {length}"));
            alone(1, Store::Blob(texts(&[length])), &alloc::format!("bytes of {length}"));
        }
        alone(3, Store::Text(texts(&[3, 70, 300])), "text");
        alone(3, Store::Blob(texts(&[3, 70, 300])), "bytes");
        assert_eq!([long_head(u32::MAX as usize), long_head(1 << 32)], [5, 9]);
    }

    #[test]
    fn sizes_of_lists_and_maps() {
        // One with a bound and one without.
        let inner = |n: usize| [ints(&alloc::vec![300; n], false), Store::Bool(bits(&alloc::vec![true; n]))];
        for length in [0, 1, 15, 16, 255, 256, 65_535, 65_536] {
            for store in inner(length + 2) {
                let list = Store::List { lengths: alloc::vec![length as u32, 2], items: 1 };
                is_right(
                    &mut [column(2, list), column(length + 2, store)],
                    &alloc::format!("list of {length}"),
                );
            }
            let [keys, values] = inner(length + 2).map(|store| column(length + 2, store));
            let map = Store::Map { counts: alloc::vec![2, length as u32], keys: 1, values: 2 };
            is_right(&mut [column(2, map), keys, values], &alloc::format!("map of {length}"));
        }
        for width in [1, 15, 16] {
            let places = (1..=width).collect();
            let mut columns = alloc::vec![column(4, Store::Tuple { places })];
            columns[0].present = Some(bits(&[true, false, true, true]));
            columns.extend((0..width).map(|_| column(3, ints(&[1, 300, 70_000], false))));
            is_right(&mut columns, &alloc::format!("tuples of {width}"));
        }
        let choices = alloc::vec![0, 1, 0, 1];
        let mut variants = inner(2).map(|store| column(2, store));
        variants[1].present = Some(bits(&[false, true]));
        variants[1].store = Store::Bool(bits(&[true]));
        let [first, second] = variants;
        is_right(
            &mut [column(4, Store::Union { choices, variants: alloc::vec![1, 2] }), first, second],
            "a union",
        );
    }

    #[test]
    fn sizes_of_tables() {
        for width in [1_u32, 15, 16, 300] {
            for is_sparse in [false, true] {
                let key = |length: usize| {
                    let mut key = Output::new();
                    key.text(&alloc::vec![b'k'; length]);
                    key
                };
                let keys = [key(3), key(63), key(64)];
                // Of three rows each but the last field is in the first and the last one, or in all.
                let fields = (1..=width).map(|id| {
                    let is_sparse = is_sparse && id < width;
                    Field {
                        key: keys[id as usize % 3].as_bytes(),
                        ends: (0, 0),
                        column: id,
                        rows: is_sparse.then(|| bits(&[true, false, true])),
                        count: if is_sparse { 2 } else { 3 },
                    }
                });
                let fields: Vec<Field<'_>> = fields.collect();
                let cells = fields.iter().map(|field| field.count).sum();
                let inner: Vec<Column<'_>> = fields
                    .iter()
                    .map(|field| column(field.count, ints(&alloc::vec![300; field.count], false)))
                    .collect();
                let mut columns = alloc::vec![column(3, Store::Table(Table { fields, rows: 3, cells }))];
                columns.extend(inner);
                is_right(&mut columns, &alloc::format!("a table of {width}, {is_sparse}"));
            }
        }
    }

    #[test]
    fn sizes_with_nulls() {
        for present in [[false; 9], [true, false, true, true, false, true, true, true, false]] {
            let n = present.iter().filter(|on| **on).count();
            for store in [
                Store::Small(alloc::vec![-100; n]),
                ints(&alloc::vec![1 << 40; n], true),
                Store::Float(alloc::vec![0.25; n]),
                Store::Single(alloc::vec![0.25_f32.to_bits(); n]),
                Store::Text(texts(&alloc::vec![70; n])),
                Store::Bool(bits(&alloc::vec![false; n])),
            ] {
                let present = Some(bits(&present));
                is_right(&mut [Column { rows: 9, present, store, ..Column::default() }], "with nulls");
            }
        }
    }
}
