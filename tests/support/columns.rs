//! The other direction of the naive twin's column layer: lists and maps by columns, of any legal kinds.
//!
//! What it writes is what a decoder has to read, and hardly ever what an encoder would write: kinds are
//! drawn by lot, numbers are wider than they need to be, dictionaries have entries that nobody asks for.

use super::Tree;
use super::loose::{Dice, Style, length, loose, number};

/// The width in bits of packed numbers, by its code.
const WIDTHS: [u32; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 40, 48, 56, 64];

/// How many kinds of columns there are.
pub(crate) const KINDS: u8 = 16;

/// Whether a value can be written by columns: a list or map that is not empty.
pub(crate) fn has_columns(value: &Tree) -> bool {
    match value {
        Tree::List(items) => !items.is_empty(),
        Tree::Map(entries) => !entries.is_empty(),
        _ => false,
    }
}

/// A list or map by columns, with kinds that the dice choose.
pub(crate) fn document(value: &Tree, style: Style, dice: &mut Dice) -> Vec<u8> {
    let mut writer = Writer { style, dice, sums: Sums::default() };
    let chosen = (0..8).find_map(|_| {
        let bytes = writer.whole(value, &mut |writer, values| writer.column(values, Place::Anywhere));
        bytes.filter(|bytes| writer.allowed(bytes))
    });
    let bytes = chosen.or_else(|| writer.whole(value, &mut |writer, values| writer.plain(values)));
    bytes.unwrap_or_else(|| panic!("no list and no map: {value:?}"))
}

/// A list by columns, of which the outermost has this kind, or `None` where it cannot have it.
pub(crate) fn list_of_kind(items: &[Tree], kind: u8, style: Style, dice: &mut Dice) -> Option<Vec<u8>> {
    let mut writer = Writer { style, dice, sums: Sums::default() };
    let items: Vec<&Tree> = items.iter().collect();
    let column = writer.kind(kind, &items, Place::Anywhere)?;
    let bytes = [vec![0xD2], writer.header(items.len() as i128), column].concat();
    writer.allowed(&bytes).then_some(bytes)
}

/// What a column is a part of, as far as it decides what the column may be.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Anywhere,
    Nullable,
    Variant,
    Entries,
}

struct Writer<'d> {
    style: Style,
    dice: &'d mut Dice,
    sums: Sums,
}

/// Of all columns together, what COL-44 asks for.
#[derive(Clone, Copy, Default)]
struct Sums {
    weight: usize,
    /// The bytes of plain columns, as far as they are more than the values.
    less: usize,
}

impl Writer<'_> {
    /// D2 or D3, its count, and the columns that `column` makes.
    fn whole(
        &mut self,
        value: &Tree,
        column: &mut dyn FnMut(&mut Self, &[&Tree]) -> Vec<u8>,
    ) -> Option<Vec<u8>> {
        self.sums = Sums::default();
        match value {
            Tree::List(items) => {
                let items: Vec<&Tree> = items.iter().collect();
                Some([vec![0xD2], self.header(items.len() as i128), column(self, &items)].concat())
            }
            Tree::Map(entries) => {
                let keys: Vec<&Tree> = entries.iter().map(|(key, _)| key).collect();
                let values: Vec<&Tree> = entries.iter().map(|(_, value)| value).collect();
                let head = [vec![0xD3], self.header(entries.len() as i128)].concat();
                Some([head, column(self, &keys), column(self, &values)].concat())
            }
            _ => None,
        }
    }

    /// Whether the bytes of the list or map bear what its elements weigh. (It never has as many columns as
    /// COL-45 forbids.)
    fn allowed(&self, bytes: &[u8]) -> bool {
        self.sums.weight <= 312 * (bytes.len() - 1 - self.sums.less)
    }

    fn column(&mut self, values: &[&Tree], place: Place) -> Vec<u8> {
        if values.is_empty() {
            return Vec::new();
        }
        let column = (0..16).find_map(|_| {
            let kind = self.dice.below(u64::from(KINDS)) as u8;
            // Plain columns can hold all, so they would be most of them.
            let plain = kind == 0 && !self.dice.one_in(3);
            if plain { None } else { self.kind(kind, values, place) }
        });
        column.unwrap_or_else(|| self.kind(0, values, place).expect("a plain column holds anything"))
    }

    /// A column of this kind, if it can hold these values, of which there must be one at least.
    fn kind(&mut self, kind: u8, values: &[&Tree], place: Place) -> Option<Vec<u8>> {
        match place {
            Place::Nullable if kind == 1 || kind == 14 => return None,
            Place::Variant if kind == 14 => return None,
            Place::Entries if !(3..=8).contains(&kind) => return None,
            _ => {}
        }
        let before = self.sums;
        let column = self.of_kind(kind, values, place);
        match column {
            None => self.sums = before,
            Some(_) if kind == 14 => {}
            Some(_) => {
                let counts = usize::from(place != Place::Nullable) + usize::from(kind == 15);
                self.sums.weight += 32 * counts * values.len();
            }
        }
        column
    }

    fn of_kind(&mut self, kind: u8, values: &[&Tree], place: Place) -> Option<Vec<u8>> {
        match kind {
            0 => Some(self.plain(values)),
            1 if place == Place::Variant => {
                values.iter().all(|value| **value == Tree::Null).then(|| vec![0x10])
            }
            1 => {
                let set: Vec<bool> = values.iter().map(|value| **value != Tree::Null).collect();
                let rest: Vec<&Tree> = values.iter().copied().filter(|value| **value != Tree::Null).collect();
                Some([vec![0x12], bitmap(&set), self.column(&rest, Place::Nullable)].concat())
            }
            2 => {
                let bool = |value: &&Tree| if let Tree::Bool(on) = value { Some(*on) } else { None };
                let bits: Vec<bool> = values.iter().map(bool).collect::<Option<_>>()?;
                Some([vec![0x20], bitmap(&bits)].concat())
            }
            3 => self.based(0x30, &[], &ints(values)?, i128::from(i64::MIN)),
            4 => self.by_differences(&ints(values)?),
            5 => self.floats(&floats(values)?),
            6 => self.decimals(&floats(values)?),
            7 => self.pieces(0x70, values),
            8 => self.pieces(0x80, values),
            9 => self.dictionary(values),
            10 => {
                let lists = lists(values)?;
                let lengths: Vec<u64> = lists.iter().map(|list| list.len() as u64).collect();
                let (w, lengths) = self.packed(&lengths);
                let items: Vec<&Tree> = lists.into_iter().flatten().collect();
                Some([vec![0xA0 | w], lengths, self.column(&items, Place::Anywhere)].concat())
            }
            11 => {
                let lists = lists(values)?;
                let k = lists[0].len();
                if k == 0 || lists.iter().any(|list| list.len() != k) {
                    return None;
                }
                if self.dice.one_in(2) {
                    let items: Vec<&Tree> = lists.into_iter().flatten().collect();
                    let columns = self.column(&items, Place::Anywhere);
                    return Some([vec![0xB0], self.header(k as i128), columns].concat());
                }
                let mut out = [vec![0xB1], self.header(k as i128)].concat();
                for j in 0..k {
                    let items: Vec<&Tree> = lists.iter().map(|list| &list[j]).collect();
                    out.extend(self.column(&items, Place::Anywhere));
                }
                Some(out)
            }
            12 => {
                let maps = maps(values)?;
                let counts: Vec<u64> = maps.iter().map(|map| map.len() as u64).collect();
                let (w, counts) = self.packed(&counts);
                let keys: Vec<&Tree> = maps.iter().copied().flatten().map(|(key, _)| key).collect();
                let values: Vec<&Tree> = maps.iter().copied().flatten().map(|(_, value)| value).collect();
                let keys = self.column(&keys, Place::Anywhere);
                let values = self.column(&values, Place::Anywhere);
                Some([vec![0xC0 | w], counts, keys, values].concat())
            }
            13 => self.table(&maps(values)?),
            14 => Some(self.union(values)),
            15 => {
                let Tree::Ext(ext_type, _) = values[0] else { return None };
                let payloads: Vec<&Tree> = payloads(values, *ext_type)?;
                let ext_type = self.header(i128::from(*ext_type));
                Some([vec![0xF0], ext_type, self.column(&payloads, Place::Anywhere)].concat())
            }
            _ => panic!("kind {kind}"),
        }
    }

    fn plain(&mut self, values: &[&Tree]) -> Vec<u8> {
        let mut body = Vec::new();
        values.iter().for_each(|value| loose(value, self.style, self.dice, &mut body));
        self.sums.less += body.len() - values.len();
        [vec![0x00], self.header(body.len() as i128), body].concat()
    }

    /// Ints as a base and what is to be added; the base is the least of them, or less.
    fn based(&mut self, kind: u8, before: &[u8], ints: &[i128], floor: i128) -> Option<Vec<u8>> {
        let (min, max) = (*ints.iter().min()?, *ints.iter().max()?);
        let below = match self.dice.below(4) {
            0 => 0,
            1 => i128::from(self.dice.below(300)),
            2 => min, // a base of zero, if it can be
            _ => i128::from(self.dice.below(u64::MAX)),
        };
        let base = min.checked_sub(below).filter(|base| (floor..=min).contains(base)).unwrap_or(min);
        let base = if base < 0 && max > i128::from(i64::MAX) { min } else { base };
        let signed = base >= i128::from(i64::MIN) && max <= i128::from(i64::MAX);
        let unsigned = base >= 0 && max <= i128::from(u64::MAX);
        if !signed && !unsigned {
            return None;
        }
        let numbers: Vec<u64> =
            ints.iter().map(|int| u64::try_from(int - base).ok()).collect::<Option<_>>()?;
        let (w, numbers) = self.packed(&numbers);
        Some([&[kind | w], before, &self.header(base), &numbers].concat())
    }

    fn by_differences(&mut self, ints: &[i128]) -> Option<Vec<u8>> {
        let fits = |int: i128| i64::try_from(int).is_ok();
        let differences: Vec<i128> = ints.windows(2).map(|two| two[1] - two[0]).collect();
        if differences.is_empty() || !ints.iter().chain(&differences).all(|int| fits(*int)) {
            return None;
        }
        let first = self.header(ints[0]);
        self.based(0x40, &first, &differences, i128::from(i64::MIN))
    }

    fn floats(&mut self, floats: &[u64]) -> Option<Vec<u8>> {
        let singles: Option<Vec<u32>> = floats.iter().map(|bits| single(*bits)).collect();
        match singles.filter(|_| !self.dice.one_in(3)) {
            Some(singles) => {
                Some([vec![0x51], singles.into_iter().flat_map(u32::to_le_bytes).collect()].concat())
            }
            None => Some([vec![0x50], floats.iter().flat_map(|bits| bits.to_le_bytes()).collect()].concat()),
        }
    }

    /// Some k with which all of them can be written.
    fn decimals(&mut self, floats: &[u64]) -> Option<Vec<u8>> {
        let start = self.dice.below(23) as u32;
        (start..23).chain(0..start).find_map(|k| {
            let power = 10_u128.pow(k) as f64;
            let m = |bits: &u64| {
                let m = (f64::from_bits(*bits) * power).round();
                let exact = m.abs() < 2_f64.powi(53) && (m as i64 as f64 / power).to_bits() == *bits;
                exact.then_some(m as i128)
            };
            let ms: Vec<i128> = floats.iter().map(m).collect::<Option<_>>()?;
            self.based(0x60, &[k as u8], &ms, i128::from(i64::MIN))
        })
    }

    fn pieces(&mut self, kind: u8, values: &[&Tree]) -> Option<Vec<u8>> {
        let (mut lengths, mut all) = (Vec::new(), Vec::new());
        for value in values {
            let piece: &[u8] = match (kind, value) {
                (0x70, Tree::Str(text)) => text.as_bytes(),
                (0x80, Tree::Bytes(bytes)) => bytes,
                _ => return None,
            };
            lengths.push(piece.len() as i128);
            all.extend(piece);
        }
        Some([self.based(kind, &[], &lengths, 0)?, all].concat())
    }

    /// Each value once or more often, in any order, and for each element one that is equal to it.
    fn dictionary(&mut self, values: &[&Tree]) -> Option<Vec<u8>> {
        let mut entries: Vec<&Tree> = Vec::new();
        for value in values {
            if !entries.contains(value) || self.dice.one_in(16) {
                let at = self.dice.below(entries.len() as u64 + 1) as usize;
                entries.insert(at, *value);
            }
        }
        let kind = self.dice.below(6) as u8;
        let column =
            (kind..6).chain(0..kind).find_map(|kind| self.kind(3 + kind, &entries, Place::Entries))?;
        let mut indices = Vec::new();
        for value in values {
            let equal: Vec<usize> = (0..entries.len()).filter(|at| entries[*at] == *value).collect();
            indices.push(equal[self.dice.below(equal.len() as u64) as usize] as u64);
        }
        let m = self.header(entries.len() as i128);
        let (w, indices) = self.packed(&indices);
        let out = [vec![0x90 | w], m, column, indices].concat();
        let length = |value: &&Tree| match value {
            Tree::Str(text) => text.len(),
            Tree::Bytes(bytes) => bytes.len(),
            _ => 0,
        };
        let given: usize = values.iter().map(length).sum();
        self.sums.weight += given;
        (given <= 64 * out.len()).then_some(out)
    }

    /// Rows whose keys are short strings, in an order that all of them keep; now and then with a field
    /// that no row has.
    fn table(&mut self, rows: &[&[(Tree, Tree)]]) -> Option<Vec<u8>> {
        let named: Vec<Vec<(&str, &Tree)>> = rows.iter().map(|row| named(row)).collect::<Option<_>>()?;
        let mut left: Vec<&str> = named.iter().flatten().map(|(key, _)| *key).collect();
        left.sort_unstable();
        left.dedup();
        let mut fields: Vec<&str> = Vec::new();
        while !left.is_empty() {
            // Those that stand after no other that is left.
            let first = |key: &str| {
                named.iter().all(|row| {
                    let at = row.iter().position(|(other, _)| *other == key).unwrap_or(0);
                    row[..at].iter().all(|(before, _)| !left.contains(before))
                })
            };
            let free: Vec<&str> = left.iter().copied().filter(|key| first(key)).collect();
            if free.is_empty() {
                return None;
            }
            let next = free[self.dice.below(free.len() as u64) as usize];
            fields.push(next);
            left.retain(|key| *key != next);
        }
        let nobodys = "nobody has it";
        if (fields.is_empty() || self.dice.one_in(8)) && !fields.contains(&nobodys) {
            let at = self.dice.below(fields.len() as u64 + 1) as usize;
            fields.insert(at, nobodys);
        }
        let mut out = [vec![0xD0], self.header(fields.len() as i128)].concat();
        for key in &fields {
            length(0x40, 63, 0xC0, key.len(), self.dice, &mut out);
            out.extend(key.bytes());
        }
        for key in &fields {
            let found = named.iter().map(|row| row.iter().find(|(other, _)| other == key));
            let values: Vec<Option<&Tree>> = found.map(|entry| entry.map(|(_, value)| *value)).collect();
            out.extend(self.field(&values));
        }
        Some(out)
    }

    fn field(&mut self, values: &[Option<&Tree>]) -> Vec<u8> {
        let present: Vec<&Tree> = values.iter().copied().flatten().collect();
        if present.len() == values.len() && !self.dice.one_in(6) {
            return self.column(&present, Place::Anywhere);
        }
        let set: Vec<bool> = values.iter().map(Option::is_some).collect();
        [vec![0x11], bitmap(&set), self.column(&present, Place::Anywhere)].concat()
    }

    /// Like to like, or by lot.
    fn union(&mut self, values: &[&Tree]) -> Vec<u8> {
        let m = 2 + if self.dice.one_in(2) { self.dice.below(3) } else { self.dice.below(15) };
        let mode = self.dice.below(4);
        let variants: Vec<u64> = values
            .iter()
            .map(|value| match mode {
                0 => self.dice.below(m),
                1 => m - 1,
                _ => class(value) % m,
            })
            .collect();
        let (w, packed) = self.packed(&variants);
        let mut out = [vec![0xE0 | w], self.header(i128::from(m)), packed].concat();
        for variant in 0..m {
            let chosen: Vec<&Tree> = values
                .iter()
                .zip(&variants)
                .filter(|(_, of)| **of == variant)
                .map(|(value, _)| *value)
                .collect();
            out.extend(self.column(&chosen, Place::Variant));
        }
        out
    }

    /// An int in any of its encodings.
    fn header(&mut self, int: i128) -> Vec<u8> {
        let mut out = Vec::new();
        match int {
            0..=63 if !self.dice.one_in(4) => out.push(int as u8),
            -32..=-1 if !self.dice.one_in(4) => out.push(int as i8 as u8),
            0.. => number(0x9F, int as u128, self.dice, &mut out),
            _ => number(0xA7, !int as u128, self.dice, &mut out),
        }
        out
    }

    /// Numbers in the fewest bits, or in more, and the code of how many.
    fn packed(&mut self, numbers: &[u64]) -> (u8, Vec<u8>) {
        let max = numbers.iter().max().copied().unwrap_or(0);
        let least = WIDTHS.iter().position(|width| u128::from(max) >> width == 0).expect("64 bits");
        let more = if self.dice.one_in(3) { self.dice.below(16 - least as u64) as usize } else { 0 };
        let w = least + more;
        let bits = numbers.iter().flat_map(|number| (0..WIDTHS[w]).map(move |bit| number >> bit & 1 == 1));
        (w as u8, bitmap(&bits.collect::<Vec<_>>()))
    }
}

/// One bit after the other, the lowest of a byte first.
fn bitmap(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    bits.chunks(8).map(byte).collect()
}

/// A number that values have in common which can go into one column.
fn class(value: &Tree) -> u64 {
    match value {
        Tree::Null => 0,
        Tree::Bool(_) => 1,
        Tree::Int(..) => 2,
        Tree::Float(_) => 3,
        Tree::Str(_) => 4,
        Tree::Bytes(_) => 5,
        Tree::List(items) => 6 + items.len() as u64,
        Tree::Map(entries) => {
            let first = entries.first().map_or(0, |(key, _)| 1 + class(key));
            7 + first + entries.len() as u64
        }
        Tree::Ext(ext_type, _) => 8 + ext_type % 1000,
        Tree::Some(_) => 9,
    }
}

/// Those of at most 64 bits, as far as there is no other; which of these fit together is another matter.
fn ints(values: &[&Tree]) -> Option<Vec<i128>> {
    let int = |value: &&Tree| match value {
        Tree::Int(false, u) => u64::try_from(*u).ok().map(i128::from),
        Tree::Int(true, u) => i64::try_from(*u).ok().map(|u| -1 - i128::from(u)),
        _ => None,
    };
    values.iter().map(int).collect()
}

fn floats(values: &[&Tree]) -> Option<Vec<u64>> {
    values.iter().map(|value| if let Tree::Float(bits) = value { Some(*bits) } else { None }).collect()
}

fn lists<'t>(values: &[&'t Tree]) -> Option<Vec<&'t [Tree]>> {
    values.iter().map(|value| if let Tree::List(items) = value { Some(&items[..]) } else { None }).collect()
}

type Entries = [(Tree, Tree)];

fn maps<'t>(values: &[&'t Tree]) -> Option<Vec<&'t Entries>> {
    values
        .iter()
        .map(|value| if let Tree::Map(entries) = value { Some(&entries[..]) } else { None })
        .collect()
}

/// The entries of a map whose keys can be those of a table.
fn named(row: &Entries) -> Option<Vec<(&str, &Tree)>> {
    let mut entries = Vec::new();
    for (key, value) in row {
        match key {
            Tree::Str(key) if key.len() <= 64 => entries.push((key.as_str(), value)),
            _ => return None,
        }
    }
    Some(entries)
}

fn payloads<'t>(values: &[&'t Tree], ext_type: u64) -> Option<Vec<&'t Tree>> {
    let payload = |value: &&'t Tree| match value {
        Tree::Ext(other, payload) if *other == ext_type => Some(&**payload),
        _ => None,
    };
    values.iter().map(payload).collect()
}

/// The binary32 that widens to these bits, if there is one.
fn single(bits: u64) -> Option<u32> {
    let f = f64::from_bits(bits);
    match f.is_nan() {
        true => (bits << 35 == 0).then_some((bits >> 63 << 31 | 0xFF << 23 | bits << 12 >> 41) as u32),
        false => (f64::from(f as f32).to_bits() == bits).then_some((f as f32).to_bits()),
    }
}
