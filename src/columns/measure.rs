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
        Store::Small(numbers) => small_size(numbers),
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

/// The columns in a column.
fn inner(store: &Store<'_>) -> Vec<u32> {
    match store {
        Store::List { items, .. } => alloc::vec![*items],
        Store::Tuple { places } => places.clone(),
        Store::Map { keys, values, .. } => alloc::vec![*keys, *values],
        Store::Table(table) => table.fields.iter().map(|field| field.column).collect(),
        Store::Ext { payload, .. } => alloc::vec![*payload],
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
