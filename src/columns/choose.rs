//! Each column in its cheapest kind.
//!
//! Sizes are known before anything is written, but for columns that have others in them: these are
//! written, and taken back if the plain layer is as short.

use super::collect::{Bits, Column, Ints, Store, Table, Texts};
use super::compact::{self, Tries};
use super::emit::Emitter;
use super::load::Load;
use super::measure::Sizes;
use super::packed::{self, Packed};
use crate::error::Result;
use crate::num::{self, ends};
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag::column;
use crate::write::Output;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use byteorder::{ByteOrder, LittleEndian};
use core::mem;

/// Fewer elements are not looked through for repetition.
const DICTIONARY_MIN: usize = 3;
/// Larger dictionaries are slow to write.
const DICTIONARY_MAX: usize = 1 << 16;
/// After so many elements of which more than 7 of 8 numbers, or 15 of 16 strings, are new, no others are looked
/// through.
const SAMPLE: usize = 1024;
/// Longer samples are taken of columns of more than 8 times as many elements, up to this.
const SAMPLE_MAX: usize = 4096;
/// Ints that are so near to each other are looked up in a table, by their difference to the least.
const NEAR_MAX: u64 = 1 << 12;

/// Writes columns.
pub(super) struct Writer<'c, 'p> {
    columns: &'c [Column<'p>],
    /// The document that they come from, if they do.
    data: &'p [u8],
    /// What the columns written so far have, as decoders count it; of columns themselves nothing.
    load: Load,
    /// How far scalars take more bits than they have to: by one for each; and ints without looking for the shortest.
    wide: u8,
    /// The column of the keys of a map by columns: no two of them are the same.
    distinct: Option<u32>,
    /// What was tried around this.
    tried: Tries<'c>,
    /// How many bytes the columns take in the plain layer.
    sizes: Sizes<'c, 'p>,
    /// The dictionary of the column that is looked at, and the bytes of a plain one: memory that is used again.
    dictionary: Dictionary,
    body: Output,
}

/// The repeated elements of a column, each once.
#[derive(Default)]
struct Dictionary {
    /// The element that each entry is.
    entries: Vec<u32>,
    /// The number that each entry is known by.
    prints: Vec<u64>,
    /// The entry of each element.
    indices: Vec<u32>,
    /// Where entries are looked up: an entry, and one, or zero.
    table: Vec<u32>,
}

impl<'c, 'p> Writer<'c, 'p> {
    pub(super) fn new(columns: &'c [Column<'p>], data: &'p [u8], tried: Tries<'c>) -> Writer<'c, 'p> {
        Writer {
            columns,
            data,
            load: Load::default(),
            wide: 0,
            distinct: None,
            tried,
            sizes: Sizes::new(columns),
            dictionary: Dictionary::default(),
            body: Output::default(),
        }
    }

    /// Whether a column takes fewer bytes plain than `size`.
    fn is_longer(&mut self, id: u32, nulls: usize, size: usize) -> bool {
        let own = &self.columns[id as usize];
        // What is only a bound decides most often.
        size > plain_size(own.plain - nulls) && size > plain_size(self.sizes.exact(id) - nulls)
    }

    /// Whether a list of all elements, with a head of so many bytes, takes more than `size` bytes.
    pub(super) fn is_shorter(&mut self, id: u32, head: usize, size: usize) -> bool {
        size < head + self.columns[id as usize].plain || size < head + self.sizes.exact(id)
    }

    /// Writes the columns of a list, or of the keys and values of a map, behind its head, which begins at `at`; tells
    /// whether they may be so many, and give out so much.
    pub(super) fn columns(&mut self, columns: &[u32], at: usize, out: &mut Output) -> Result<bool> {
        let head = out.len();
        self.distinct = columns.first().copied().filter(|_| columns.len() > 1);
        for wide in 0..=2 {
            (self.wide, self.load) = (wide, Load::default());
            columns.iter().try_for_each(|id| self.column(*id, out))?;
            if self.is_allowed(out, at) {
                return Ok(true);
            }
            out.truncate(head);
        }
        Ok(false)
    }

    /// Whether a decoder takes what was written from the tag at `at` on (COL-44, COL-45).
    fn is_allowed(&self, out: &Output, at: usize) -> bool {
        let bytes = out.as_bytes().get(at..).unwrap_or_default();
        // At most four are made of each: a sparse one, a nullable one, a dictionary and its entries.
        let are_few = 4 * self.columns.len() as u64 <= column::COLUMNS_MAX;
        self.load.is_allowed(bytes.len())
            && (are_few || skip_value(&mut Reader::new(bytes), u32::MAX, u32::MAX).is_ok())
    }

    /// Writes a column that has elements.
    fn column(&mut self, id: u32, out: &mut Output) -> Result<()> {
        self.column_in(id, false, out)
    }

    /// The same for a column that may be a variant of a union, which is none itself.
    fn column_in(&mut self, id: u32, is_variant: bool, out: &mut Output) -> Result<()> {
        let own = &self.columns[id as usize];
        let (at, before) = (out.len(), self.load);
        match &own.present {
            None if self.wide > 0 && !is_variant && own.is_scalar() => {
                // Nullable without a null: a bit of its own for each.
                head(out, column::NULL, column::NULLABLE);
                out.slice(&Bits::ones(own.len()).bytes);
                self.store(id, 0, true, out)?;
            }
            None => self.store(id, 0, is_variant, out)?,
            Some(present) => {
                head(out, column::NULL, column::NULLABLE);
                out.slice(&present.bytes);
                let nulls = own.len() - count_ones(present);
                self.load.elements += nulls as u64;
                if nulls < own.len() {
                    self.store(id, nulls, is_variant, out)?;
                }
                if self.is_longer(id, 0, out.len() - at) {
                    out.truncate(at);
                    self.load = before;
                    self.plain(id, false, out)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the elements that are not null.
    fn store(&mut self, id: u32, nulls: usize, is_variant: bool, out: &mut Output) -> Result<()> {
        let own = &self.columns[id as usize];
        let n = own.len() - nulls;
        let (at, before) = (out.len(), self.load);
        let floats_size = match &own.store {
            Store::Float(floats) => 8 * floats.len(),
            Store::Single(floats) => 4 * floats.len(),
            _ => 0,
        };
        let mut most = plain_size(own.plain - nulls);
        if most <= floats_size {
            most = plain_size(self.sizes.exact(id) - nulls);
        }
        self.load.elements += n as u64;
        let may_split = own.present.is_none() && !is_variant;
        let written = match &own.store {
            Store::Empty | Store::Plain => false,
            Store::Bool(bits) => {
                head(out, column::BOOL, 0);
                out.slice(&bits.bytes);
                true
            }
            Store::Small(numbers) => self.int_column(id, nulls, numbers.as_slice(), most, out),
            Store::Int(ints) => self.int_column(id, nulls, ints, most, out),
            Store::Float(floats) => self.floats(floats.as_slice(), may_split, most, out),
            Store::Single(floats) => self.floats(&Singles(floats), may_split, most, out),
            Store::String(strings) => self.strings(column::STRING, strings.as_slice(), id, most, out),
            Store::Bytes(strings) => self.strings(column::BYTES, strings.as_slice(), id, most, out),
            Store::Text(texts) => self.strings(column::STRING, texts, id, most, out),
            Store::Blob(texts) => self.strings(column::BYTES, texts, id, most, out),
            Store::List { lengths, items } => {
                self.lists(lengths, *items, out)?;
                true
            }
            Store::Tuple { places } => {
                self.tuples(places, n, out)?;
                true
            }
            Store::Map { counts, keys, values } => {
                let code = packed::code_for(counts.iter().copied().max().unwrap_or_default().into());
                head(out, column::MAPS, code);
                packed::write(out, code, counts, u64::from);
                if self.columns[*keys as usize].len() > 0 {
                    self.column(*keys, out)?;
                    self.column(*values, out)?;
                }
                true
            }
            Store::Table(table) if !table.fields.is_empty() => {
                self.table(table, out)?;
                true
            }
            Store::Table(_) => false,
            Store::Ext { ext_type, payload } => {
                head(out, column::EXT, 0);
                out.pos(*ext_type);
                self.load.elements += n as u64; // once more
                self.column(*payload, out)?;
                true
            }
            Store::Union { choices, variants } => {
                self.load.elements -= n as u64; // those of the variants count
                self.union(choices, variants, out)?;
                true
            }
        };
        if !written || self.is_longer(id, nulls, out.len() - at) {
            out.truncate(at);
            self.load = before;
            self.plain(id, true, out)?;
        }
        Ok(())
    }

    fn union(&mut self, choices: &[u8], variants: &[u32], out: &mut Output) -> Result<()> {
        // Floats that are partly short decimals become two variants.
        let floats = variants.iter().enumerate().find_map(|(at, variant)| {
            match &self.columns[*variant as usize].store {
                Store::Float(floats) if variants.len() < column::VARIANTS_MAX => {
                    Some((at, floats.as_slice()))
                }
                _ => None,
            }
        });
        let split = floats.and_then(|(at, floats)| {
            let split = Split::of(floats).filter(|split| split.size < floats.len() * 8)?;
            Some((at, split))
        });
        let m = variants.len() + usize::from(split.is_some());
        let code = packed::code_for(m as u64 - 1);
        head(out, column::UNION, code);
        out.pos(m as u64);
        match &split {
            None => packed::write(out, code, choices, u64::from),
            Some((at, split)) => {
                let mut floats = 0;
                let choices = choices.iter().map(|choice| {
                    if usize::from(*choice) != *at {
                        return u64::from(*choice);
                    }
                    floats += 1;
                    if split.is_decimal.get(floats - 1) { m as u64 - 1 } else { *at as u64 }
                });
                packed::write_each(out, code, choices);
            }
        }
        for (index, variant) in variants.iter().enumerate() {
            let own = &self.columns[*variant as usize];
            match (&own.store, own.len()) {
                (_, 0) => {}
                (Store::Empty, n) => {
                    head(out, column::NULL, column::NULLS);
                    self.load.elements += n as u64;
                }
                _ => match &split {
                    Some((at, split)) if *at == index => {
                        self.load.elements += own.len() as u64;
                        split.others.as_slice().write(out);
                    }
                    _ => self.column_in(*variant, true, out)?,
                },
            }
        }
        if let Some((_, split)) = &split {
            split.decimals.write(out);
        }
        Ok(())
    }

    /// Writes the elements, or those that are not null, as they stand in the plain layer.
    fn plain(&mut self, id: u32, no_nulls: bool, out: &mut Output) -> Result<()> {
        let own = &self.columns[id as usize];
        let mut rows = Output::default();
        let mut starts = Vec::new();
        let (data, starts) = match own.starts.len() {
            0 => {
                let mut emitter = Emitter::new(self.columns);
                for _ in 0..own.len() {
                    starts.push(rows.len() as u32);
                    emitter.element(id, &mut rows);
                }
                (rows.as_bytes(), &starts)
            }
            _ => (self.data, &own.starts),
        };
        let (mut body, mut n) = (mem::take(&mut self.body), 0);
        body.truncate(0);
        for (index, start) in starts.iter().enumerate() {
            if no_nulls && own.present.as_ref().is_some_and(|present| !present.get(index)) {
                continue;
            }
            n += 1;
            compact::value_at(data, *start as usize, self.tried, &mut body)?;
        }
        self.tried.looked_at(body.len());
        self.load.elements += n;
        self.load.add_plain(n, body.len() as u64);
        head(out, column::PLAIN, 0);
        out.pos(body.len() as u64);
        out.slice(body.as_bytes());
        self.body = body;
        Ok(())
    }

    /// Writes ints, if they may be shorter than the `most` that they take plain, which is a bound.
    fn int_column<N: Numbers + ?Sized>(
        &mut self,
        id: u32,
        nulls: usize,
        ints: &N,
        mut most: usize,
        out: &mut Output,
    ) -> bool {
        let bounds = ints.bounds();
        if most < bounds.size {
            most = plain_size(self.sizes.exact(id) - nulls);
        }
        self.ints(ints, &bounds, most, out)
    }

    fn ints<N: Numbers + ?Sized>(
        &mut self,
        ints: &N,
        bounds: &Bounds,
        most: usize,
        out: &mut Output,
    ) -> bool {
        let n = ints.len();
        let Bounds { base, spread, negative, size: based } = *bounds;
        let mut best = most.min(based);
        let differences = match n {
            0..3 => None,
            _ if self.wide > 1 => None,
            _ => ints.differences(bounds, best).filter(|found| found.size < best),
        };
        best = differences.as_ref().map_or(best, |found| found.size);
        let dictionary = &mut self.dictionary;
        let found = match spread < NEAR_MAX {
            true => dictionary.find_near(n, |index| ints.get(index).wrapping_sub(base), spread, best),
            false => dictionary.find(n, best, (7, 8), |at| ints.get(at), |_, _, _| true),
        };
        if found {
            let entries_size = 1 + int_size(base, negative) + packed::size_for(spread, dictionary.len());
            if dictionary.size(entries_size, n) < best {
                self.load.elements += dictionary.len() as u64;
                let entries: Vec<u64> =
                    dictionary.entries.iter().map(|entry| ints.get(*entry as usize)).collect();
                dictionary.write(dictionary.code(), out, |out| {
                    let code = based_head(out, column::INT, base, negative, spread);
                    packed::write(out, code, &entries, |number| number.wrapping_sub(base));
                });
                return true;
            }
        }
        if let Some(found) = differences {
            head(out, column::DIFFERENCES, packed::code_for(found.spread));
            out.i64(ints.get(0) as i64);
            out.i64(found.least);
            ints.write_differences(&found, out);
            return true;
        }
        if based > most {
            return false;
        }
        let code = based_head(out, column::INT, base, negative, spread);
        ints.write(code, base, out);
        true
    }

    fn floats<F: Floats + ?Sized>(
        &mut self,
        floats: &F,
        may_split: bool,
        most: usize,
        out: &mut Output,
    ) -> bool {
        let n = floats.len();
        let narrow = floats.is_narrow();
        let binary = 1 + if narrow { 4 * n } else { 8 * n };
        let mut best = most.min(binary);
        let decimals = Decimals::of(floats).filter(|found| found.size < best);
        best = decimals.as_ref().map_or(best, |found| found.size);
        let bits = |index: usize| floats.bits(index);
        let dictionary = &mut self.dictionary;
        if dictionary.find(n, best, (7, 8), bits, |_, _, _| true) {
            let entries: Vec<f64> =
                dictionary.entries.iter().map(|entry| floats.get(*entry as usize)).collect();
            let as_decimals = Decimals::of(entries.as_slice());
            let binary = 1 + if narrow { 4 } else { 8 } * entries.len();
            let entries_size = as_decimals.as_ref().map_or(binary, |found| found.size.min(binary));
            if dictionary.size(entries_size, n) < best {
                self.load.elements += entries.len() as u64;
                dictionary.write(dictionary.code(), out, |out| match as_decimals {
                    Some(found) if found.size < binary => found.write(out),
                    _ if narrow => write_narrow(out, &entries),
                    _ => entries.as_slice().write(out),
                });
                return true;
            }
        }
        if let Some(found) = decimals {
            found.write(out);
            return true;
        }
        if !narrow && may_split {
            if let Some(split) = Split::of(floats).filter(|split| split.size < best) {
                split.write(out);
                return true;
            }
        }
        if binary > most {
            return false;
        }
        match narrow {
            true => floats.write_narrow(out),
            false => floats.write(out),
        }
        true
    }

    /// Writes the strings of a column, if they may be shorter than the `most` that they take plain, which may be a bound.
    fn strings<S: Strings + ?Sized>(
        &mut self,
        kind: u8,
        strings: &S,
        id: u32,
        mut most: usize,
        out: &mut Output,
    ) -> bool {
        let n = strings.len();
        let lengths = Lengths::of(strings.iter());
        let size = lengths.size();
        if most < size && self.columns[id as usize].is_bound {
            most = plain_size(self.sizes.exact(id) - (self.columns[id as usize].len() - n));
        }
        let print_of = |index: usize| print(strings.get(index));
        let same = |print: u64, a: usize, b: usize| exact(print) || strings.get(a) == strings.get(b);
        let dictionary = &mut self.dictionary;
        if self.distinct != Some(id) && dictionary.find(n, size.min(most), (15, 16), print_of, same) {
            let entries = || dictionary.entries.iter().map(|entry| strings.get(*entry as usize));
            // What a reader of it makes of it is limited: a wider index pays for more.
            let expanded = lengths.total;
            let of_entries = Lengths::of(entries());
            let entries_size = of_entries.size();
            let code = (dictionary.code()..16).find(|code| {
                let all = dictionary.size_with(*code, entries_size, n);
                expanded as u64 <= column::EXPANSION_MAX * all as u64
            });
            if let Some(code) =
                code.filter(|code| dictionary.size_with(*code, entries_size, n) < size.min(most))
            {
                self.load.elements += dictionary.len() as u64;
                self.load.text += expanded as u64;
                dictionary.write(code, out, |out| {
                    of_entries.write(out, kind, entries());
                    entries().for_each(|string| out.slice(string));
                });
                return true;
            }
        }
        if size > most {
            return false;
        }
        lengths.write(out, kind, strings.iter());
        match strings.in_one_piece() {
            Some(bytes) => out.slice(bytes),
            None => strings.iter().for_each(|string| out.slice(string)),
        }
        true
    }

    fn lists(&mut self, lengths: &[u32], items: u32, out: &mut Output) -> Result<()> {
        let (least, largest) = bounds(lengths.iter().map(|length| u64::from(*length)));
        if least == largest && least > 0 {
            head(out, column::SAME_LENGTH, column::ITEMS);
            out.pos(least);
        } else {
            let code = packed::code_for(largest);
            head(out, column::LISTS, code);
            packed::write(out, code, lengths, u64::from);
        }
        match largest {
            0 => Ok(()),
            _ => self.column(items, out),
        }
    }

    fn tuples(&mut self, places: &[u32], n: usize, out: &mut Output) -> Result<()> {
        let at = out.len();
        head(out, column::SAME_LENGTH, column::TUPLES);
        out.pos(places.len() as u64);
        let before = self.load;
        for place in places {
            self.column(*place, out)?;
        }
        // Numbers of one kind may be shorter as one column.
        let column = |place: &u32| &self.columns[*place as usize];
        if places.iter().any(|place| column(place).present.is_some()) {
            return Ok(());
        }
        let columns = self.columns;
        let singles = || {
            let each = each_of(columns, places, |store| match store {
                Store::Single(floats) => Some(floats.as_slice()),
                _ => None,
            })?;
            Some(Store::Single(interleave(&each, n)))
        };
        let floats = || {
            let each = each_of(columns, places, |store| match store {
                Store::Float(floats) => Some(Cow::Borrowed(floats.as_slice())),
                Store::Single(floats) => Some(floats.iter().map(|bits| num::widen(*bits)).collect()),
                _ => None,
            })?;
            Some(Store::Float(interleave(&each, n)))
        };
        let small = || {
            let each = each_of(columns, places, |store| match store {
                Store::Small(numbers) => Some(numbers.as_slice()),
                _ => None,
            })?;
            Some(Store::Small(interleave(&each, n)))
        };
        let ints = || {
            let each = each_of(columns, places, |store| match store {
                Store::Small(numbers) => Some(Cow::Owned(Ints::widen(numbers))),
                Store::Int(ints) => Some(Cow::Borrowed(ints)),
                _ => None,
            })?;
            Ints::together(&each, |each| interleave(each, n)).map(Store::Int)
        };
        let flat = match &column(&places[0]).store {
            Store::Single(_) => singles().or_else(floats),
            Store::Float(_) => floats(),
            Store::Small(_) => small().or_else(ints),
            Store::Int(_) => ints(),
            _ => None,
        };
        let Some(flat) = flat else { return Ok(()) };
        let mut as_one = Output::new();
        head(&mut as_one, column::SAME_LENGTH, column::ITEMS);
        as_one.pos(places.len() as u64);
        let most = out.len() - at - as_one.len();
        let in_places = mem::replace(&mut self.load, before);
        self.load.elements += (n * places.len()) as u64;
        let written = match &flat {
            Store::Float(floats) => self.floats(floats.as_slice(), true, most, &mut as_one),
            Store::Single(floats) => self.floats(&Singles(floats), true, most, &mut as_one),
            Store::Small(numbers) => self.ints(numbers.as_slice(), &numbers.bounds(), most, &mut as_one),
            Store::Int(ints) => self.ints(ints, &ints.bounds(), most, &mut as_one),
            _ => false,
        };
        if written && as_one.len() <= out.len() - at {
            out.truncate(at);
            out.slice(as_one.as_bytes());
        } else {
            self.load = in_places;
        }
        Ok(())
    }

    fn table(&mut self, table: &Table<'p>, out: &mut Output) -> Result<()> {
        head(out, column::TABLE, 0);
        out.pos(table.fields.len() as u64);
        for field in &table.fields {
            out.slice(field.key);
        }
        for field in &table.fields {
            if field.count < table.rows {
                let mut rows = field.rows.clone().unwrap_or_else(|| Bits::ones(field.count));
                rows.extend_to(table.rows);
                head(out, column::NULL, column::SPARSE);
                out.slice(&rows.bytes);
            }
            if field.count > 0 {
                self.column(field.column, out)?;
            }
        }
        Ok(())
    }
}

/// The first byte of a column.
fn head(out: &mut Output, kind: u8, low: u8) {
    out.byte(kind << 4 | low);
}

/// How many bytes a plain column of so many bytes takes.
fn plain_size(length: usize) -> usize {
    1 + int_size(length as u64, false) + length
}

/// How many bytes an int takes in the plain layer.
#[inline(always)]
pub(super) fn int_size(number: u64, signed: bool) -> usize {
    // Without branches: there is no telling them beforehand.
    let negative = number >> 63 & u64::from(signed);
    let u = number ^ negative.wrapping_neg();
    1 + usize::from(u >= 64 >> negative) * num::width(u)
}

fn count_ones(bits: &Bits) -> usize {
    bits.bytes.iter().map(|byte| byte.count_ones() as usize).sum()
}

/// The smallest and the largest of some numbers.
fn bounds(numbers: impl Iterator<Item = u64>) -> (u64, u64) {
    numbers.fold((u64::MAX, 0), |(least, largest), number| (least.min(number), largest.max(number)))
}

/// What stands before numbers with a base; gives the code of their width.
fn based_head(out: &mut Output, kind: u8, base: u64, negative: bool, spread: u64) -> u8 {
    let code = packed::code_for(spread);
    head(out, kind, code);
    match negative {
        true => out.i64(base as i64),
        false => out.pos(base),
    }
    code
}

/// The least of some ints, how far the largest is from it, and how many bytes they take by that.
struct Bounds {
    base: u64,
    spread: u64,
    /// Whether one is below zero.
    negative: bool,
    size: usize,
}

impl Bounds {
    fn new(base: u64, spread: u64, negative: bool, n: usize) -> Bounds {
        let size = 1 + int_size(base, negative) + packed::size_for(spread, n);
        Bounds { base, spread, negative, size }
    }
}

/// The differences between ints of which each follows another.
struct Differences {
    least: i64,
    spread: u64,
    size: usize,
}

impl Differences {
    fn new(first: i64, least: i64, largest: i64, n: usize) -> Differences {
        let spread = largest.wrapping_sub(least) as u64;
        let size =
            1 + int_size(first as u64, true) + int_size(least as u64, true) + packed::size_for(spread, n);
        Differences { least, spread, size }
    }
}

/// Ints, as they were collected.
trait Numbers {
    fn len(&self) -> usize;
    /// In two's complement.
    fn get(&self, index: usize) -> u64;
    fn bounds(&self) -> Bounds;
    /// The differences of at least three ints, if all of them are ints of 64 bits with a sign, and they may
    /// take fewer than `best` bytes.
    fn differences(&self, bounds: &Bounds, best: usize) -> Option<Differences>;
    /// Writes how far each is from the base.
    fn write(&self, code: u8, base: u64, out: &mut Output);
    fn write_differences(&self, found: &Differences, out: &mut Output);
}

/// Differences are looked at by so many: the first may tell that they take too much.
const SOME: usize = 64;

impl Numbers for [i32] {
    fn len(&self) -> usize {
        <[i32]>::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> u64 {
        i64::from(self[index]) as u64
    }

    fn bounds(&self) -> Bounds {
        let limits = (i32::MAX, i32::MIN);
        let (least, largest) =
            self.iter().fold(limits, |(least, largest), number| (least.min(*number), largest.max(*number)));
        let (least, largest) = (i64::from(least), i64::from(largest));
        Bounds::new(least as u64, (largest - least) as u64, least < 0, self.len())
    }

    fn differences(&self, bounds: &Bounds, best: usize) -> Option<Differences> {
        let (n, after) = (self.len() - 1, &self[1..]);
        let (mut least, mut largest) = (i64::MAX, i64::MIN);
        for (before, after) in self[..n].chunks(SOME).zip(after.chunks(SOME)) {
            let pairs = before.iter().zip(after);
            // Those of near numbers have 32 bits, too.
            match bounds.spread <= i32::MAX as u64 {
                true => {
                    let (l, g) = pairs.fold((i32::MAX, i32::MIN), |(l, g), (before, after)| {
                        let difference = after.wrapping_sub(*before);
                        (l.min(difference), g.max(difference))
                    });
                    (least, largest) = (least.min(i64::from(l)), largest.max(i64::from(g)));
                }
                false => pairs.for_each(|(before, after)| {
                    let difference = i64::from(*after) - i64::from(*before);
                    (least, largest) = (least.min(difference), largest.max(difference));
                }),
            }
            if packed::size_for(largest.wrapping_sub(least) as u64, n) >= best {
                return None;
            }
        }
        Some(Differences::new(self.first().copied()?.into(), least, largest, n))
    }

    fn write(&self, code: u8, base: u64, out: &mut Output) {
        // The low half of a base is what 32 bits need.
        packed::write(out, code, self, |number| u64::from((number as u32).wrapping_sub(base as u32)));
    }

    fn write_differences(&self, found: &Differences, out: &mut Output) {
        let differences: Vec<u64> = self.windows(2).map(|pair| difference(pair[0], pair[1], found)).collect();
        packed::write(out, packed::code_for(found.spread), &differences, |number| number);
    }
}

fn difference<N: Into<i64>>(before: N, after: N, found: &Differences) -> u64 {
    after.into().wrapping_sub(before.into()).wrapping_sub(found.least) as u64
}

impl Numbers for Ints {
    fn len(&self) -> usize {
        self.numbers.len()
    }

    #[inline(always)]
    fn get(&self, index: usize) -> u64 {
        self.numbers[index]
    }

    fn bounds(&self) -> Bounds {
        // In an order that is the numbers' own.
        let flip = if self.negative { 1 << 63 } else { 0 };
        let (least, largest) = bounds(self.numbers.iter().map(|number| number ^ flip));
        Bounds::new(least ^ flip, largest - least, self.negative, self.numbers.len())
    }

    fn differences(&self, _: &Bounds, best: usize) -> Option<Differences> {
        // A number of 2^63 or more would be taken for one below zero.
        let (first, others) = self.numbers.split_first().filter(|_| !self.large)?;
        let first = *first as i64;
        let n = others.len();
        let (mut least, mut largest) = (i64::MAX, i64::MIN);
        let mut before = first;
        for some in others.chunks(SOME) {
            for number in some {
                let number = *number as i64;
                let difference = number.checked_sub(before)?;
                (least, largest) = (least.min(difference), largest.max(difference));
                before = number;
            }
            if packed::size_for(largest.wrapping_sub(least) as u64, n) >= best {
                return None;
            }
        }
        Some(Differences::new(first, least, largest, n))
    }

    fn write(&self, code: u8, base: u64, out: &mut Output) {
        packed::write(out, code, &self.numbers, |number| number.wrapping_sub(base));
    }

    fn write_differences(&self, found: &Differences, out: &mut Output) {
        let pairs = self.numbers.windows(2);
        let differences: Vec<u64> =
            pairs.map(|pair| difference(pair[0] as i64, pair[1] as i64, found)).collect();
        packed::write(out, packed::code_for(found.spread), &differences, |number| number);
    }
}

/// Floats that all are m / 10^exponent.
struct Decimals {
    exponent: u8,
    base: i64,
    spread: u64,
    m: Vec<u64>,
    size: usize,
}

impl Decimals {
    fn of<F: Floats + ?Sized>(floats: &F) -> Option<Decimals> {
        let mut exponent = 0;
        for index in 0..floats.len() {
            while to_decimal(floats.get(index), exponent).is_none() {
                exponent += 1;
                if exponent > column::EXPONENT_MAX {
                    return None;
                }
            }
        }
        let mut m = Vec::with_capacity(floats.len());
        for index in 0..floats.len() {
            m.push(to_decimal(floats.get(index), exponent)? as u64);
        }
        let (least, largest) = bounds(m.iter().map(|m| m ^ 1 << 63));
        let (base, spread) = ((least ^ 1 << 63) as i64, largest - least);
        let size = 2 + int_size(base as u64, true) + packed::size_for(spread, m.len());
        Some(Decimals { exponent, base, spread, m, size })
    }

    fn write(&self, out: &mut Output) {
        let code = packed::code_for(self.spread);
        head(out, column::DECIMAL, code);
        out.byte(self.exponent);
        out.i64(self.base);
        packed::write(out, code, &self.m, |m| m.wrapping_sub(self.base as u64));
    }
}

/// Floats of which some are short decimals: a union of these and the others.
struct Split {
    is_decimal: Bits,
    decimals: Decimals,
    others: Vec<f64>,
    size: usize,
}

impl Split {
    fn of<F: Floats + ?Sized>(floats: &F) -> Option<Split> {
        let n = floats.len();
        let short_at = |index: usize| num::short_decimal(floats.get(index));
        let sample = n.min(SAMPLE);
        if 16 * (0..sample).filter(|index| short_at(*index).is_some()).count() < sample {
            return None;
        }
        let short: Vec<Option<num::Decimal>> = (0..n).map(short_at).collect();
        // The largest exponent of those that are short.
        let exponent = short.iter().flatten().map(|decimal| (decimal.x & 7) as u8).max()?;
        let mut is_decimal = Bits::default();
        let (mut decimals, mut others) = (Vec::new(), Vec::new());
        for (index, short) in short.iter().enumerate() {
            let f = floats.get(index);
            let fits = short.is_some() && to_decimal(f, exponent).is_some();
            is_decimal.push(fits);
            if fits { decimals.push(f) } else { others.push(f) }
        }
        let decimals =
            Decimals::of(decimals.as_slice()).filter(|_| !others.is_empty() && !decimals.is_empty())?;
        let size = 2 + is_decimal.bytes.len() + decimals.size + 1 + 8 * others.len();
        Some(Split { is_decimal, decimals, others, size })
    }

    fn write(&self, out: &mut Output) {
        head(out, column::UNION, 0);
        out.pos(2);
        // Variant 0 are the others.
        out.slice(&self.is_decimal.bytes);
        self.others.as_slice().write(out);
        self.decimals.write(out);
    }
}

/// The m of m / 10^exponent, if that is exactly the float.
#[inline(always)]
fn to_decimal(f: f64, exponent: u8) -> Option<i64> {
    const LARGEST: f64 = (1_u64 << 53) as f64;
    // Adding and taking away 1.5 · 2^52 rounds to a whole number.
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    let product = f * num::POWERS[usize::from(exponent)];
    // Not a number, too, is no decimal.
    if product.is_nan() || product.abs() >= LARGEST {
        return None;
    }
    let m = match product.abs() < LARGEST / 4.0 {
        true => (product + MAGIC) - MAGIC,
        false => product,
    };
    let m = m as i64;
    (num::over_power(m, exponent).to_bits() == f.to_bits()).then_some(m)
}

/// Floats, as they were collected.
trait Floats {
    fn len(&self) -> usize;
    fn get(&self, index: usize) -> f64;
    /// A number that is the same for the same floats only.
    fn bits(&self, index: usize) -> u64;
    /// Whether each is a binary32.
    fn is_narrow(&self) -> bool;
    /// Writes them as binary64.
    fn write(&self, out: &mut Output);
    /// Writes them as binary32, which each is.
    fn write_narrow(&self, out: &mut Output);
}

impl Floats for [f64] {
    fn len(&self) -> usize {
        <[f64]>::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> f64 {
        self[index]
    }

    #[inline(always)]
    fn bits(&self, index: usize) -> u64 {
        self[index].to_bits()
    }

    fn is_narrow(&self) -> bool {
        self.iter().all(|f| num::exact_f32(*f).is_some())
    }

    fn write(&self, out: &mut Output) {
        head(out, column::FLOAT, column::BINARY64);
        out.arrays(self, f64::to_le_bytes);
    }

    fn write_narrow(&self, out: &mut Output) {
        write_narrow(out, self);
    }
}

/// The bits of binary32 floats.
struct Singles<'c>(&'c [u32]);

impl Floats for Singles<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn get(&self, index: usize) -> f64 {
        num::widen(self.0[index])
    }

    #[inline(always)]
    fn bits(&self, index: usize) -> u64 {
        u64::from(self.0[index])
    }

    fn is_narrow(&self) -> bool {
        true
    }

    fn write(&self, out: &mut Output) {
        self.write_narrow(out);
    }

    fn write_narrow(&self, out: &mut Output) {
        head(out, column::FLOAT, column::BINARY32);
        out.arrays(self.0, u32::to_le_bytes);
    }
}

fn write_narrow(out: &mut Output, floats: &[f64]) {
    head(out, column::FLOAT, column::BINARY32);
    out.arrays(floats, |f| num::exact_f32(f).unwrap_or_default().to_le_bytes());
}

/// Strings, as they were collected.
trait Strings {
    fn len(&self) -> usize;
    fn get(&self, index: usize) -> &[u8];
    fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]>;
    /// All of them one after the other, if they stand like that.
    fn in_one_piece(&self) -> Option<&[u8]>;
}

impl Strings for [&[u8]] {
    fn len(&self) -> usize {
        <[&[u8]]>::len(self)
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &[u8] {
        self[index]
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        <[&[u8]]>::iter(self).copied()
    }

    fn in_one_piece(&self) -> Option<&[u8]> {
        None
    }
}

impl Strings for Texts {
    fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &[u8] {
        Texts::get(self, index)
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        Texts::iter(self)
    }

    fn in_one_piece(&self) -> Option<&[u8]> {
        Some(&self.bytes)
    }
}

/// The lengths of some strings.
struct Lengths {
    least: u64,
    largest: u64,
    /// All of them together.
    total: usize,
    n: usize,
}

impl Lengths {
    fn of<'s>(strings: impl ExactSizeIterator<Item = &'s [u8]>) -> Lengths {
        let empty = Lengths { least: u64::MAX, largest: 0, total: 0, n: strings.len() };
        strings.fold(empty, |all, string| {
            let length = string.len() as u64;
            Lengths {
                least: all.least.min(length),
                largest: all.largest.max(length),
                total: all.total + string.len(),
                n: all.n,
            }
        })
    }

    /// How many bytes a column of the strings takes.
    fn size(&self) -> usize {
        1 + int_size(self.least, false) + packed::size_for(self.largest - self.least, self.n) + self.total
    }

    /// Writes what stands before the text.
    fn write<'s>(&self, out: &mut Output, kind: u8, strings: impl ExactSizeIterator<Item = &'s [u8]>) {
        let code = based_head(out, kind, self.least, false, self.largest - self.least);
        packed::write_each(out, code, strings.map(|string| string.len() as u64 - self.least));
    }
}

/// What the columns of all places hold, if it is of one kind.
fn each_of<'c, 'p, T>(
    columns: &'c [Column<'p>],
    places: &[u32],
    of: impl Fn(&'c Store<'p>) -> Option<T>,
) -> Option<Vec<T>> {
    places.iter().map(|place| of(&columns[*place as usize].store)).collect()
}

/// The first elements of all columns, then the second ones, and so on.
fn interleave<T: Copy + Default, C: AsRef<[T]>>(columns: &[C], n: usize) -> Vec<T> {
    let width = columns.len();
    let mut all = alloc::vec![T::default(); n * width];
    for (index, column) in columns.iter().enumerate() {
        all.iter_mut().skip(index).step_by(width).zip(column.as_ref()).for_each(|(to, from)| *to = *from);
    }
    all
}

impl Ints {
    /// Several columns of ints as one, if one can hold them all.
    fn together(each: &[Cow<'_, Ints>], interleave: impl FnOnce(&[&[u64]]) -> Vec<u64>) -> Option<Ints> {
        let negative = each.iter().any(|ints| ints.negative);
        let large = each.iter().any(|ints| ints.large);
        if negative && large {
            return None;
        }
        let numbers: Vec<&[u64]> = each.iter().map(|ints| ints.numbers.as_slice()).collect();
        Some(Ints { numbers: interleave(&numbers), negative, large })
    }
}

/// How many entries a dictionary of `n` elements may have, so that its indices alone are shorter than `best`.
fn entries_max(n: usize, best: usize) -> usize {
    let mut most = 0;
    for bits in column::WIDTHS {
        // An index of this width tells more entries apart than one of the width before.
        let least = Packed { at: 0, bits }.size(n as u64) as usize + 3 + most / 8;
        if least >= best || most >= DICTIONARY_MAX {
            break;
        }
        most = 1_usize.checked_shl(bits.into()).unwrap_or(usize::MAX);
    }
    most.min(DICTIONARY_MAX)
}

impl Dictionary {
    /// Makes the table so large and empty, and forgets all entries.
    fn clear(&mut self, size: usize) {
        self.entries.clear();
        self.prints.clear();
        self.indices.clear();
        self.table.clear();
        self.table.resize(size, 0);
    }

    /// Finds the repeated numbers of a column, which are from the least one to `spread` above it; as
    /// [`find`](Dictionary::find).
    fn find_near(&mut self, n: usize, near: impl Fn(usize) -> u64, spread: u64, best: usize) -> bool {
        let entries_max = entries_max(n, best);
        if n < DICTIONARY_MIN || entries_max == 0 {
            return false;
        }
        self.clear(spread as usize + 1);
        for index in 0..n {
            let place = &mut self.table[near(index) as usize];
            if *place == 0 {
                self.entries.push(index as u32);
                if self.entries.len() > entries_max {
                    return false;
                }
                *place = self.entries.len() as u32;
            }
        }
        let table = &self.table;
        let is_shorter = self.entries.len() < n;
        if is_shorter {
            self.indices.extend((0..n).map(|index| table[near(index) as usize] - 1));
        }
        is_shorter
    }

    /// Finds the repeated elements of a column that takes `best` bytes otherwise; tells whether they repeat enough
    /// to be worth it. An element is known by a number that is the same for the same ones; where it may be the same for
    /// others, they are compared. Where more than this part of the first ones are new, the others are not looked at.
    fn find(
        &mut self,
        n: usize,
        best: usize,
        new_of: (usize, usize),
        print: impl Fn(usize) -> u64,
        same: impl Fn(u64, usize, usize) -> bool,
    ) -> bool {
        let entries_max = entries_max(n, best);
        if n < DICTIONARY_MIN || entries_max == 0 {
            return false;
        }
        let mut bits = if n <= 32 { 6 } else { 8 };
        self.clear(1 << bits);
        self.indices.reserve(n.min(SAMPLE));
        let place_of = |print: u64, bits: u32| {
            let mixed = print.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> (64 - bits)) as usize
        };
        let sample = (n / 8).clamp(SAMPLE, SAMPLE_MAX);
        let mut probes = 0;
        for index in 0..n {
            if index == sample && self.len() > sample / new_of.1 * new_of.0 {
                return false;
            }
            let print = print(index);
            let mut place = place_of(print, bits);
            let entry = loop {
                let Some(entry) = self.table[place].checked_sub(1) else { break None };
                let at = entry as usize;
                if self.prints[at] == print && same(print, self.entries[at] as usize, index) {
                    break Some(entry);
                }
                place = (place + 1) & (self.table.len() - 1);
                probes += 1;
                if probes > 8 * n {
                    // Elements can be made to look alike.
                    return false;
                }
            };
            let entry = match entry {
                Some(entry) => entry,
                None => {
                    self.entries.push(index as u32);
                    self.prints.push(print);
                    let m = self.len();
                    if m > entries_max {
                        return false;
                    }
                    self.table[place] = m as u32;
                    if 2 * m > self.table.len() {
                        bits += 2;
                        self.table.clear();
                        self.table.resize(1 << bits, 0);
                        for (entry, print) in (1..).zip(&self.prints) {
                            let mut place = place_of(*print, bits);
                            while self.table[place] != 0 {
                                place = (place + 1) & (self.table.len() - 1);
                            }
                            self.table[place] = entry;
                        }
                    }
                    m as u32 - 1
                }
            };
            self.indices.push(entry);
        }
        self.len() < n
    }

    /// Writes it, in a column of its own.
    fn write(&self, code: u8, out: &mut Output, entries: impl FnOnce(&mut Output)) {
        head(out, column::DICTIONARY, code);
        out.pos(self.len() as u64);
        entries(out);
        packed::write(out, code, &self.indices, u64::from);
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many bytes a dictionary of `n` elements takes, if the column of its entries takes so many.
    fn size(&self, entries: usize, n: usize) -> usize {
        self.size_with(self.code(), entries, n)
    }

    /// The same with indices of another width.
    fn size_with(&self, code: u8, entries: usize, n: usize) -> usize {
        let indices = Packed::of_code(code, 0).size(n as u64) as usize;
        1 + int_size(self.len() as u64, false) + entries + indices
    }

    /// The width of its indices.
    fn code(&self) -> u8 {
        packed::code_for(self.len() as u64 - 1)
    }
}

/// A number that is the same for the same text, and seldom for others; for no other if it is [`exact`].
#[inline(always)]
fn print(bytes: &[u8]) -> u64 {
    let n = bytes.len();
    if n < 8 {
        return ends(bytes).0 | (n as u64 + 1) << 56;
    }
    let chunks = bytes.chunks_exact(8);
    let last = ends(chunks.remainder()).0 ^ n as u64;
    let print = chunks.fold(last, |print, chunk| {
        (print.rotate_left(5) ^ LittleEndian::read_u64(chunk)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    // The upper bits are mixed best.
    print >> 8
}

/// Whether a print tells all of a text.
#[inline(always)]
fn exact(print: u64) -> bool {
    print >> 56 != 0
}

#[cfg(test)]
pub(super) mod tests;
