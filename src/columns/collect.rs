//! Values of the plain layer taken apart into columns, before it is known how these are best written.

use crate::error::Result;
use crate::num::ends;
use crate::plain::Token;
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag::{self, Class, column};
use alloc::vec::Vec;
use core::mem;

/// Columns of values that are being collected; a column is known by its number.
pub(super) struct Collector<'p> {
    /// The document, in the plain layer.
    pub(super) data: &'p [u8],
    pub(super) columns: Vec<Column<'p>>,
    /// The levels of lists and maps around what is read now.
    depth: u32,
    /// How many elements a column that begins is likely to have.
    likely: usize,
}

/// Like values, from anywhere in the document.
#[derive(Default)]
pub(super) struct Column<'p> {
    /// Where each element stands in the document, nulls included.
    pub(super) starts: Vec<u32>,
    /// How many bytes all elements take in the plain layer.
    pub(super) plain: usize,
    /// How many elements there are, if it is not known where they start.
    pub(super) rows: usize,
    /// Whether `plain` is not counted to the end: it is no more than that.
    pub(super) is_bound: bool,
    /// Which elements are not null, once one was. In a union a variant of its own counts them.
    pub(super) present: Option<Bits>,
    pub(super) store: Store<'p>,
}

/// The elements that are not null.
#[derive(Default)]
pub(super) enum Store<'p> {
    /// There is none yet.
    #[default]
    Empty,
    Bool(Bits),
    /// Ints of 32 bits.
    Small(Vec<i32>),
    Int(Ints),
    Float(Vec<f64>),
    /// The bits of binary32 floats.
    Single(Vec<u32>),
    String(Vec<&'p [u8]>),
    Bytes(Vec<&'p [u8]>),
    /// Strings that stand one after the other.
    Text(Texts),
    /// Bytes that stand one after the other.
    Blob(Texts),
    List {
        lengths: Vec<u32>,
        items: u32,
    },
    /// Lists of one length, each place with a column of its own.
    Tuple {
        places: Vec<u32>,
    },
    Map {
        counts: Vec<u32>,
        keys: u32,
        values: u32,
    },
    Table(Table<'p>),
    Ext {
        ext_type: u64,
        payload: u32,
    },
    /// What is written as it stands in the document.
    Plain,
    Union {
        choices: Vec<u8>,
        variants: Vec<u32>,
    },
}

/// Ints of 64 bits.
#[derive(Clone, Default)]
pub(crate) struct Ints {
    /// In two's complement, if one is below zero.
    pub(crate) numbers: Vec<u64>,
    pub(crate) negative: bool,
    /// Whether one is 2^63 or more.
    pub(crate) large: bool,
}

/// Strings or bytes in one piece of memory.
#[derive(Default)]
pub(crate) struct Texts {
    pub(super) bytes: Vec<u8>,
    /// Where each ends.
    pub(super) ends: Vec<usize>,
}

impl Texts {
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let end = self.bytes.len() + bytes.len();
        match bytes.last_chunk::<8>() {
            // Most are short: eight bytes, cut, take less time than as many as there are.
            None => self.bytes.extend_from_slice(&ends(bytes).0.to_le_bytes()),
            Some(tail) if bytes.len() <= 16 => {
                self.bytes.extend_from_slice(&ends(bytes).0.to_le_bytes());
                self.bytes.truncate(end - 8);
                self.bytes.extend_from_slice(tail);
            }
            Some(_) => self.bytes.extend_from_slice(bytes),
        }
        self.bytes.truncate(end);
        self.ends.push(end);
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |end| &self.bytes[core::mem::replace(&mut start, *end)..*end])
    }
}

#[derive(Default)]
pub(super) struct Table<'p> {
    pub(super) fields: Vec<Field<'p>>,
    pub(super) rows: usize,
    /// How many fields all rows have together.
    pub(super) cells: usize,
}

pub(super) struct Field<'p> {
    /// The encoded key.
    pub(super) key: &'p [u8],
    /// What is compared first: the first and the last bytes of the key.
    pub(super) ends: (u64, u64),
    pub(super) column: u32,
    /// Which rows have it, up to the last that does; none if that is all of them so far.
    pub(super) rows: Option<Bits>,
    pub(super) count: usize,
}

/// A list of bits.
#[derive(Clone, Default)]
pub(crate) struct Bits {
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
}

impl Column<'_> {
    /// Whether its elements are neither lists nor maps, exts nor of several kinds.
    pub(super) fn is_scalar(&self) -> bool {
        use Store::*;
        matches!(
            self.store,
            Bool(_) | Small(_) | Int(_) | Float(_) | Single(_) | String(_) | Bytes(_) | Text(_) | Blob(_)
        )
    }

    /// How many elements there are, nulls included.
    pub(super) fn len(&self) -> usize {
        self.rows.max(self.starts.len())
    }

    /// Counts an element that is not null.
    #[inline(always)]
    fn add_present(&mut self, start: usize, end: usize) {
        if let Some(present) = &mut self.present {
            present.push(true);
        }
        self.count(start, end);
    }

    /// Counts an element that was added: it stands in the document from one offset to another.
    #[inline(always)]
    fn count(&mut self, start: usize, end: usize) {
        self.starts.push(start as u32);
        self.plain += end - start;
    }
}

impl Bits {
    pub(super) fn ones(n: usize) -> Bits {
        let mut bits = Bits { bytes: alloc::vec![0xFF; n / 8], len: n / 8 * 8 };
        (0..n % 8).for_each(|_| bits.push(true));
        bits
    }

    #[inline]
    pub(crate) fn push(&mut self, on: bool) {
        match self.bytes.last_mut().filter(|_| self.len % 8 != 0) {
            Some(last) => *last |= u8::from(on) << (self.len % 8),
            None => self.bytes.push(u8::from(on)),
        }
        self.len += 1;
    }

    pub(super) fn pop(&mut self) -> Option<bool> {
        self.len = self.len.checked_sub(1)?;
        let last = self.bytes.last_mut()?;
        let on = *last >> (self.len % 8) & 1 == 1;
        *last &= !(1 << (self.len % 8));
        if self.len % 8 == 0 {
            self.bytes.pop();
        }
        Some(on)
    }

    pub(super) fn get(&self, index: usize) -> bool {
        self.bytes.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    }

    fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len.div_ceil(8));
        if let Some(last) = self.bytes.last_mut().filter(|_| len % 8 != 0) {
            *last &= (1 << (len % 8)) - 1;
        }
        self.len = len;
    }

    pub(super) fn clear(&mut self, index: usize) {
        if let Some(byte) = self.bytes.get_mut(index / 8) {
            *byte &= !(1 << (index % 8));
        }
    }

    /// Makes it so long, with bits that are not set.
    pub(super) fn extend_to(&mut self, len: usize) {
        self.bytes.resize(len.div_ceil(8), 0);
        self.len = len;
    }
}

/// What a value is, as far as its tag tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Float,
    String,
    Bool,
    List,
    Map,
    Other,
}

impl Kind {
    pub(crate) fn of(tag: u8) -> Kind {
        match Class::of(tag) {
            Class::IntInlinePos | Class::IntInlineNeg | Class::IntPos | Class::IntNeg => Kind::Int,
            Class::Decimal | Class::Float32 | Class::Float64 => Kind::Float,
            Class::StrInline | Class::Str => Kind::String,
            Class::False | Class::True => Kind::Bool,
            Class::ListInline | Class::List | Class::ListOpen => Kind::List,
            Class::MapInline | Class::Map | Class::MapOpen => Kind::Map,
            _ => Kind::Other,
        }
    }

    pub(crate) fn is_scalar(self) -> bool {
        !matches!(self, Kind::List | Kind::Map)
    }
}

/// Deeper than this, values are kept as they stand: columns are taken apart by recursion.
pub(crate) const DEEPEST: u32 = 48;
/// Memory of a column is taken for so many elements at first where it is not known how many there will be, and
/// for no more than so many where it is.
const LIKELY: usize = 8;
const LIKELY_MAX: usize = 256;
/// Memory is taken for so many columns at first.
const COLUMNS_LIKELY: usize = 16;
/// Lists of up to so many items of one length are tuples at first.
const TUPLE_MAX: usize = 8;
/// The most pairs of keys that are compared to find out whether a row fits a table.
pub(super) const COMPARED_MAX: usize = 1 << 16;
/// Lists, maps and scalars of more kinds than this among few elements are no columns.
const KINDS_MAX: usize = 3;
const FEW: usize = 64;

impl<'p> Collector<'p> {
    /// A collector for a list or map of `n` items, if that is known.
    pub(super) fn new(data: &'p [u8], n: Option<usize>) -> Collector<'p> {
        Collector {
            data,
            columns: Vec::with_capacity(COLUMNS_LIKELY),
            depth: 0,
            likely: n.map_or(LIKELY, |n| n.clamp(1, LIKELY_MAX)),
        }
    }

    pub(super) fn column(&mut self) -> u32 {
        self.columns.push(Column::default());
        self.columns.len() as u32 - 1
    }

    /// Whether nothing in a column is like anything else.
    pub(super) fn is_plain(&self, column: u32) -> bool {
        matches!(self.columns[column as usize].store, Store::Plain)
    }

    fn at(&mut self, column: u32) -> &mut Column<'p> {
        &mut self.columns[column as usize]
    }

    /// Adds the value that a reader is at to a column.
    pub(super) fn add(&mut self, column: u32, reader: &mut Reader<'p>) -> Result<()> {
        let start = reader.pos;
        let Some(&tag) = self.data.get(start) else { return self.add_any(column, reader) };
        // What nearly all values are, in a column that already has such.
        let mut ahead = *reader;
        ahead.pos += 1;
        let own = &mut self.columns[column as usize];
        let is_added = match (&mut own.store, tag) {
            (Store::Int(ints), 0..=tag::INT_INLINE_MAX) => {
                ints.numbers.push(u64::from(tag));
                true
            }
            (Store::Int(ints), tag::INT_POS..=tag::INT_POS_LAST) => {
                ints.add(false, ahead.uint(usize::from(tag & 7) + 1, start)?)
            }
            (Store::String(strings), tag::STR_INLINE..=tag::STR_INLINE_LAST) => {
                strings.push(ahead.bytes(u64::from(tag - tag::STR_INLINE), start)?);
                true
            }
            (Store::Float(floats), tag::FLOAT64) => {
                floats.push(f64::from_bits(ahead.u64(start)?));
                true
            }
            (Store::Float(floats), tag::DECIMAL..=tag::DECIMAL_LAST) => {
                floats.push(ahead.decimal(tag, start)?);
                true
            }
            (Store::Union { .. }, tag) => {
                let Some((choice, variant)) = self.variant_for(column, tag) else {
                    return self.add_any(column, reader);
                };
                ahead = *reader;
                self.add(variant, &mut ahead)?;
                self.chose(column, choice);
                self.at(column).count(start, ahead.pos);
                *reader = ahead;
                return Ok(());
            }
            (
                Store::List { .. } | Store::Tuple { .. } | Store::Table(_),
                tag::LIST_INLINE..=tag::MAP_INLINE_LAST,
            ) => {
                let n = usize::from(tag & 15);
                let token = if tag < tag::MAP_INLINE { Token::List(n) } else { Token::Map(n) };
                if !self.add_container(column, token, start, &mut ahead)? {
                    self.make_union(column);
                    return self.add_any(column, reader);
                }
                self.at(column).add_present(start, ahead.pos);
                *reader = ahead;
                return Ok(());
            }
            (Store::Plain, _) => false,
            (_, tag::NULL) => match &mut own.present {
                Some(present) => {
                    present.push(false);
                    own.count(start, ahead.pos);
                    *reader = ahead;
                    return Ok(());
                }
                None => false,
            },
            _ => false,
        };
        if !is_added {
            return self.add_any(column, reader);
        }
        own.add_present(start, ahead.pos);
        *reader = ahead;
        Ok(())
    }

    /// The variant of a union that takes a value, if that is a scalar of which the tag alone tells it: the first of
    /// its kind.
    #[inline(always)]
    fn variant_for(&self, id: u32, tag: u8) -> Option<(usize, u32)> {
        let Store::Union { variants, .. } = &self.columns[id as usize].store else { return None };
        let takes = |store: &Store<'_>| match store {
            Store::Int(_) => tag <= tag::INT_INLINE_MAX,
            Store::Float(_) => Kind::of(tag) == Kind::Float,
            Store::String(_) => Kind::of(tag) == Kind::String,
            Store::Bool(_) => Kind::of(tag) == Kind::Bool,
            _ => false,
        };
        (0..).zip(variants.iter().copied()).find(|(_, variant)| takes(&self.columns[*variant as usize].store))
    }

    fn add_any(&mut self, column: u32, reader: &mut Reader<'p>) -> Result<()> {
        let start = reader.pos;
        let token = reader.token(u32::MAX, u32::MAX)?;
        self.add_token(column, token, start, reader)?;
        self.at(column).count(start, reader.pos);
        Ok(())
    }

    /// Adds a value of which the head was read; where it starts is added by the caller.
    fn add_token(&mut self, id: u32, token: Token<'p>, start: usize, reader: &mut Reader<'p>) -> Result<()> {
        let own = &mut self.columns[id as usize];
        if let (Token::Null, false) = (token, matches!(own.store, Store::Union { .. } | Store::Plain)) {
            let n = own.starts.len();
            own.present.get_or_insert_with(|| Bits::ones(n)).push(false);
            return Ok(());
        }
        let taken = match (&mut own.store, token) {
            (Store::Float(floats), Token::Float(f)) => {
                floats.push(f);
                true
            }
            (Store::Int(ints), Token::Pos(u)) => ints.add(false, u),
            (Store::Int(ints), Token::Neg(u)) => ints.add(true, u),
            (Store::String(strings), Token::Str(bytes)) => {
                strings.push(bytes);
                true
            }
            (Store::Bytes(strings), Token::Bytes(bytes)) => {
                strings.push(bytes);
                true
            }
            (Store::Bool(bits), Token::Bool(on)) => {
                bits.push(on);
                true
            }
            (Store::Plain, _) => {
                reader.pos = start;
                skip_value(reader, u32::MAX, u32::MAX)?;
                true
            }
            (Store::Union { .. }, _) => {
                self.add_to_union(id, token, start, reader)?;
                true
            }
            (Store::Empty, _) => {
                self.begin(id, token, start, reader)?;
                true
            }
            _ => self.add_container(id, token, start, reader)?,
        };
        if !taken {
            self.make_union(id);
            return self.add_token(id, token, start, reader);
        }
        if let Some(present) = &mut self.at(id).present {
            present.push(true);
        }
        Ok(())
    }

    /// The first value of a column that is not null decides what it is.
    fn begin(&mut self, id: u32, token: Token<'p>, start: usize, reader: &mut Reader<'p>) -> Result<()> {
        fn first<T>(value: T, likely: usize) -> Vec<T> {
            let mut vector = Vec::with_capacity(likely);
            vector.push(value);
            vector
        }
        let likely = self.likely;
        self.at(id).starts.reserve_exact(likely);
        let store = match token {
            Token::Bool(on) => {
                let mut bits = Bits::default();
                bits.push(on);
                Store::Bool(bits)
            }
            Token::Pos(u) => Store::Int(Ints::of(false, u, likely)),
            Token::Neg(u) if u <= i64::MAX as u64 => Store::Int(Ints::of(true, u, likely)),
            Token::Float(f) => Store::Float(first(f, likely)),
            Token::Str(bytes) => Store::String(first(bytes, likely)),
            Token::Bytes(bytes) => Store::Bytes(first(bytes, likely)),
            Token::List(n) if self.depth < DEEPEST => match n {
                1..=TUPLE_MAX if self.is_tuple(n, reader)? => {
                    Store::Tuple { places: (0..n).map(|_| self.column()).collect() }
                }
                _ => Store::List { lengths: Vec::new(), items: self.column() },
            },
            Token::ListOpen if self.depth < DEEPEST => {
                Store::List { lengths: Vec::new(), items: self.column() }
            }
            Token::Map(n) if self.depth < DEEPEST => return self.first_row(id, Some(n), reader),
            Token::MapOpen if self.depth < DEEPEST => return self.first_row(id, None, reader),
            Token::Ext(ext_type) if self.depth < DEEPEST => Store::Ext { ext_type, payload: self.column() },
            _ => {
                reader.pos = start;
                skip_value(reader, u32::MAX, u32::MAX)?;
                self.at(id).store = Store::Plain;
                return Ok(());
            }
        };
        self.at(id).store = store;
        if let Token::List(_) | Token::ListOpen | Token::Ext(_) = token {
            self.add_container(id, token, start, reader)?;
        }
        Ok(())
    }

    /// Whether the items of a list that begins here are scalars, or of several kinds.
    fn is_tuple(&self, n: usize, reader: &Reader<'p>) -> Result<bool> {
        let mut reader = *reader;
        let mut first = None;
        for _ in 0..n {
            let kind = Kind::of(reader.peek()?);
            if kind.is_scalar() || *first.get_or_insert(kind) != kind {
                return Ok(true);
            }
            skip_value(&mut reader, u32::MAX, u32::MAX)?;
        }
        Ok(false)
    }

    /// The first map of a column: a row of a table if its keys are strings that are not too long.
    fn first_row(&mut self, id: u32, n: Option<usize>, reader: &mut Reader<'p>) -> Result<()> {
        let before = *reader;
        let fields = Vec::with_capacity(n.unwrap_or(LIKELY).min(COLUMNS_LIKELY));
        self.at(id).store = Store::Table(Table { fields, ..Table::default() });
        if n != Some(0) && self.add_row(id, n, reader, true)? {
            return Ok(());
        }
        *reader = before;
        let (keys, values) = (self.column(), self.column());
        self.at(id).store = Store::Map { counts: Vec::new(), keys, values };
        self.add_map(id, n, reader)
    }

    /// Adds a list, map or ext to a column that has such, if it fits.
    fn add_container(
        &mut self,
        id: u32,
        token: Token<'p>,
        start: usize,
        reader: &mut Reader<'p>,
    ) -> Result<bool> {
        match (&self.columns[id as usize].store, token) {
            (Store::Tuple { places }, Token::List(n)) if places.len() == n => {
                self.depth += 1;
                for place in 0..n {
                    let Store::Tuple { places } = &self.columns[id as usize].store else { break };
                    let column = places[place];
                    self.add(column, reader)?;
                }
                self.depth -= 1;
            }
            (Store::Tuple { .. }, Token::List(_) | Token::ListOpen) => {
                let items = self.column();
                self.take_again(id, Store::List { lengths: Vec::new(), items })?;
                return self.add_container(id, token, start, reader);
            }
            (&Store::List { items, .. }, Token::List(_) | Token::ListOpen) => {
                let n = match token {
                    Token::List(n) => Some(n),
                    _ => None,
                };
                self.depth += 1;
                let count = self.each(n, reader, |collector, reader| collector.add(items, reader))?;
                self.depth -= 1;
                if let Store::List { lengths, .. } = &mut self.at(id).store {
                    lengths.push(count as u32);
                }
            }
            (Store::Map { .. }, Token::Map(n)) => self.add_map(id, Some(n), reader)?,
            (Store::Map { .. }, Token::MapOpen) => self.add_map(id, None, reader)?,
            (Store::Table(_), Token::Map(n)) => return self.add_to_table(id, Some(n), start, reader),
            (Store::Table(_), Token::MapOpen) => return self.add_to_table(id, None, start, reader),
            (&Store::Ext { ext_type, payload }, Token::Ext(other)) if ext_type == other => {
                self.depth += 1;
                self.add(payload, reader)?;
                self.depth -= 1;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Goes through `n` values, or those up to an end tag; gives how many there were.
    fn each(
        &mut self,
        n: Option<usize>,
        reader: &mut Reader<'p>,
        mut add: impl FnMut(&mut Self, &mut Reader<'p>) -> Result<()>,
    ) -> Result<usize> {
        let likely = mem::replace(&mut self.likely, LIKELY);
        let mut count = 0;
        while n.map_or_else(|| reader.peek().map(|tag| tag != tag::END), |n| Ok(count < n))? {
            add(self, reader)?;
            count += 1;
        }
        if n.is_none() {
            reader.pos += 1;
        }
        self.likely = likely;
        Ok(count)
    }

    /// Adds a map as keys and values.
    fn add_map(&mut self, id: u32, n: Option<usize>, reader: &mut Reader<'p>) -> Result<()> {
        let Store::Map { keys, values, .. } = self.at(id).store else { return Ok(()) };
        self.depth += 1;
        let count = self.each(n, reader, |collector, reader| {
            collector.add(keys, reader)?;
            collector.add(values, reader)
        })?;
        self.depth -= 1;
        if let Store::Map { counts, .. } = &mut self.at(id).store {
            counts.push(count as u32);
        }
        Ok(())
    }

    /// The encoded keys of a map, if all are short strings.
    fn keys(&mut self, n: Option<usize>, mut reader: Reader<'p>) -> Result<Option<Vec<&'p [u8]>>> {
        let mut keys = Vec::new();
        let mut all = true;
        self.each(n, &mut reader, |collector, reader| {
            match key(collector.data, reader)? {
                Some(key) => keys.push(key),
                None => {
                    all = false;
                    skip_value(reader, u32::MAX, u32::MAX)?;
                }
            }
            skip_value(reader, u32::MAX, u32::MAX)
        })?;
        Ok(all.then_some(keys))
    }

    /// Adds a map to a table, if its keys fit.
    fn add_to_table(
        &mut self,
        id: u32,
        n: Option<usize>,
        start: usize,
        reader: &mut Reader<'p>,
    ) -> Result<bool> {
        let before = *reader;
        if self.add_row(id, n, reader, false)? {
            return Ok(true);
        }
        // Something about its keys is new.
        *reader = before;
        let Some(keys) = self.keys(n, before)? else { return Ok(false) };
        let Store::Table(table) = &self.at(id).store else { return Ok(false) };
        let Some(shared) = table.shares(&keys) else { return Ok(false) };
        if 4 * shared < keys.len() {
            return Ok(false);
        }
        self.add_row(id, n, reader, true)?;
        // Keys that are different in each row are no fields.
        let Store::Table(table) = &self.at(id).store else { return Ok(true) };
        if table.rows >= 4 && table.fields.len() * table.rows > 4 * table.cells {
            let (keys, values) = (self.column(), self.column());
            self.at(id).starts.push(start as u32);
            self.take_again(id, Store::Map { counts: Vec::new(), keys, values })?;
            // This row is counted by whoever adds it.
            let own = self.at(id);
            own.starts.pop();
            own.plain -= reader.pos - start;
            own.present.as_mut().map(Bits::pop);
        }
        Ok(true)
    }

    /// Adds a row to a table. Keys that it does not have become fields if `extend`; else the row is taken
    /// back, and `false` tells that it does not fit.
    fn add_row(&mut self, id: u32, n: Option<usize>, reader: &mut Reader<'p>, extend: bool) -> Result<bool> {
        self.depth += 1;
        let mut next = 0;
        let mut left = n.unwrap_or(usize::MAX);
        let mut fits = true;
        while left > 0 {
            if n.is_none() && reader.peek()? == tag::END {
                reader.pos += 1;
                break;
            }
            left -= 1;
            let Store::Table(table) = &mut self.columns[id as usize].store else { break };
            let field = match table.find(self.data, reader, next) {
                Some(field) => field,
                None => {
                    let Some(key) = key(self.data, reader)?.filter(|_| extend) else {
                        fits = false;
                        break;
                    };
                    let column = self.columns.len() as u32;
                    self.columns.push(Column::default());
                    let Store::Table(table) = &mut self.columns[id as usize].store else { break };
                    let rows = (table.rows > 0).then(Bits::default);
                    let ends = ends(&key[1..]);
                    table.fields.insert(next, Field { key, ends, column, rows, count: 0 });
                    next
                }
            };
            let Store::Table(table) = &mut self.columns[id as usize].store else { break };
            let column = table.mark(field);
            next = field + 1;
            self.add(column, reader)?;
        }
        self.depth -= 1;
        if !fits {
            self.take_back_row(id);
        }
        if let Store::Table(table) = &mut self.columns[id as usize].store {
            table.rows += usize::from(fits);
        }
        Ok(fits)
    }

    /// Takes back what was added of a row that is not complete.
    fn take_back_row(&mut self, id: u32) {
        let Store::Table(table) = &mut self.columns[id as usize].store else { return };
        let row = table.rows;
        let mut columns = Vec::new();
        for field in &mut table.fields {
            if field.has(row) {
                field.unmark(row);
                table.cells -= 1;
                columns.push(field.column);
            }
        }
        columns.into_iter().for_each(|column| self.take_back(column));
    }

    /// Takes back the last element of a column.
    fn take_back(&mut self, id: u32) {
        let data = self.data;
        let own = &mut self.columns[id as usize];
        let Some(start) = own.starts.pop() else { return };
        let mut reader = Reader { data, pos: start as usize };
        // It was read before.
        let _ = skip_value(&mut reader, u32::MAX, u32::MAX);
        own.plain -= reader.pos - start as usize;
        if own.present.as_mut().is_some_and(|present| present.pop() == Some(false)) {
            return;
        }
        let mut inner: Vec<(u32, usize)> = Vec::new();
        match &mut own.store {
            Store::Empty | Store::Plain => {}
            Store::Bool(bits) => drop(bits.pop()),
            Store::Int(ints) => drop(ints.numbers.pop()),
            Store::Float(floats) => drop(floats.pop()),
            // Values that are collected from bytes never are one of these.
            Store::Small(_) | Store::Single(_) | Store::Text(_) | Store::Blob(_) => {}
            Store::String(strings) | Store::Bytes(strings) => drop(strings.pop()),
            Store::List { lengths, items } => {
                inner.push((*items, lengths.pop().unwrap_or_default() as usize));
            }
            Store::Tuple { places } => inner.extend(places.iter().map(|place| (*place, 1))),
            Store::Map { counts, keys, values } => {
                let count = counts.pop().unwrap_or_default() as usize;
                inner.extend([(*keys, count), (*values, count)]);
            }
            Store::Table(table) => {
                table.rows -= 1;
                return self.take_back_row(id);
            }
            Store::Ext { payload, .. } => inner.push((*payload, 1)),
            Store::Union { choices, variants } => {
                inner.extend(choices.pop().map(|choice| (variants[usize::from(choice)], 1)));
            }
        }
        for (column, n) in inner {
            (0..n).for_each(|_| self.take_back(column));
        }
    }

    /// Begins a column anew with another store.
    fn take_again(&mut self, id: u32, store: Store<'p>) -> Result<()> {
        let own = self.at(id);
        let starts = mem::take(&mut own.starts);
        *own = Column { store, ..Column::default() };
        for start in starts {
            self.add_any(id, &mut Reader { data: self.data, pos: start as usize })?;
        }
        Ok(())
    }

    /// Makes a column one of several variants.
    fn make_union(&mut self, id: u32) {
        let first = self.columns.len() as u32;
        let own = &mut self.columns[id as usize];
        let present = own.present.take();
        let n = own.starts.len();
        let mut choices = alloc::vec![0; n];
        let mut variants = alloc::vec![first];
        let mut starts = own.starts.clone();
        let mut plain = own.plain;
        let mut nulls = None;
        if let Some(present) = present {
            // One of the variants is null.
            variants.push(first + 1);
            (0..n).filter(|index| !present.get(*index)).for_each(|index| choices[index] = 1);
            let null_starts: Vec<u32> =
                (0..n).filter(|index| !present.get(*index)).map(|index| own.starts[index]).collect();
            starts = (0..n).filter(|index| present.get(*index)).map(|index| own.starts[index]).collect();
            plain -= null_starts.len();
            let null = Bits { bytes: alloc::vec![0; null_starts.len().div_ceil(8)], len: null_starts.len() };
            nulls = Some(Column {
                plain: null_starts.len(),
                starts: null_starts,
                present: Some(null),
                ..Column::default()
            });
        }
        let store = mem::replace(&mut own.store, Store::Union { choices, variants });
        self.columns.push(Column { starts, plain, store, ..Column::default() });
        self.columns.extend(nulls);
    }

    /// Adds a value to the variant that takes it, or to a new one; to plain values, if there are too many.
    fn add_to_union(
        &mut self,
        id: u32,
        token: Token<'p>,
        start: usize,
        reader: &mut Reader<'p>,
    ) -> Result<()> {
        let Store::Union { variants, .. } = &self.columns[id as usize].store else { return Ok(()) };
        let (m, n) = (variants.len(), self.columns[id as usize].starts.len());
        let before = *reader;
        for choice in 0..m {
            let Store::Union { variants, .. } = &self.columns[id as usize].store else { break };
            let variant = variants[choice];
            if self.add_to_variant(variant, token, start, reader)? {
                self.chose(id, choice);
                return Ok(());
            }
            *reader = before;
        }
        let Store::Union { variants, .. } = &self.columns[id as usize].store else { return Ok(()) };
        let kinds = variants.iter().filter(|variant| {
            let own = &self.columns[**variant as usize];
            !matches!(own.store, Store::Table(_) | Store::Empty)
        });
        if kinds.count() >= KINDS_MAX && n < FEW {
            // Nothing is like anything else.
            self.take_again(id, Store::Plain)?;
            reader.pos = start;
            return skip_value(reader, u32::MAX, u32::MAX);
        }
        // The last variant that there may be takes whatever comes.
        let column = self.column();
        if m + 1 == column::VARIANTS_MAX {
            self.at(column).store = Store::Plain;
        }
        if !self.add_to_variant(column, token, start, reader)? {
            reader.pos = start;
            skip_value(reader, u32::MAX, u32::MAX)?;
        }
        if let Store::Union { variants, .. } = &mut self.at(id).store {
            variants.push(column);
        }
        self.chose(id, m);
        Ok(())
    }

    fn chose(&mut self, id: u32, choice: usize) {
        if let Store::Union { choices, .. } = &mut self.at(id).store {
            choices.push(choice as u8);
        }
    }

    /// Adds a value to a variant of a union, if it takes such.
    fn add_to_variant(
        &mut self,
        id: u32,
        token: Token<'p>,
        start: usize,
        reader: &mut Reader<'p>,
    ) -> Result<bool> {
        let own = &mut self.columns[id as usize];
        let of_nulls = own.present.is_some();
        let takes = match (&mut own.store, token) {
            (Store::Empty, Token::Null) => of_nulls || own.starts.is_empty(),
            (Store::Empty, _) => !of_nulls,
            (Store::Plain, _) => true,
            (Store::Int(ints), Token::Pos(u)) => ints.takes(false, u),
            (Store::Int(ints), Token::Neg(u)) => ints.takes(true, u),
            (Store::Float(_), Token::Float(_)) => true,
            (Store::String(_), Token::Str(_)) => true,
            (Store::Bytes(_), Token::Bytes(_)) => true,
            (Store::Bool(_), Token::Bool(_)) => true,
            _ => {
                if !self.add_container(id, token, start, reader)? {
                    return Ok(false);
                }
                self.at(id).count(start, reader.pos);
                return Ok(true);
            }
        };
        if takes {
            self.add_token(id, token, start, reader)?;
            self.at(id).count(start, reader.pos);
        }
        Ok(takes)
    }
}

impl Ints {
    pub(super) fn widen(small: &[i32]) -> Ints {
        Ints {
            numbers: small.iter().map(|number| i64::from(*number) as u64).collect(),
            negative: small.iter().any(|number| *number < 0),
            large: false,
        }
    }

    fn of(negative: bool, u: u64, likely: usize) -> Ints {
        let mut ints = Ints { numbers: Vec::with_capacity(likely), ..Ints::default() };
        ints.add(negative, u);
        ints
    }

    /// Whether a column of 64 bits holds `u`, or `-1 - u`, beside the others.
    fn takes(&self, negative: bool, u: u64) -> bool {
        u <= i64::MAX as u64 && !(self.large && negative) || !negative && !self.negative
    }

    #[inline(always)]
    pub(super) fn add(&mut self, negative: bool, u: u64) -> bool {
        let takes = self.takes(negative, u);
        if takes {
            self.negative |= negative;
            self.large |= u > i64::MAX as u64;
            self.numbers.push(if negative { !u } else { u });
        }
        takes
    }
}

impl<'p> Table<'p> {
    /// The field, `next` or one after it, whose key a reader is at; the reader moves behind the key.
    #[inline(always)]
    fn find(&self, data: &[u8], reader: &mut Reader<'p>, next: usize) -> Option<usize> {
        let rest = data.get(reader.pos..)?;
        let found = match self.fields.get(next) {
            Some(field) if field.is_at(rest) => next,
            _ => next + self.fields.get(next..)?.iter().position(|field| field.is_at(rest))?,
        };
        reader.pos += self.fields[found].key.len();
        Some(found)
    }

    /// How many of the keys are fields, if these come in an order that the table can keep.
    fn shares(&self, keys: &[&[u8]]) -> Option<usize> {
        // Each is compared with each.
        if keys.len() * self.fields.len() > COMPARED_MAX {
            return None;
        }
        let mut next = 0;
        let mut shared = 0;
        for key in keys {
            if let Some(at) = self.fields.iter().position(|field| field.key == *key) {
                if at < next {
                    return None;
                }
                (next, shared) = (at + 1, shared + 1);
            }
        }
        Some(shared)
    }

    /// Counts a field of the row that is being added; gives its column.
    #[inline(always)]
    fn mark(&mut self, field: usize) -> u32 {
        let row = self.rows;
        self.cells += 1;
        let field = &mut self.fields[field];
        if field.count < row || field.rows.is_some() {
            let rows = field.rows.get_or_insert_with(|| Bits::ones(field.count));
            rows.extend_to(row);
            rows.push(true);
        }
        field.count += 1;
        field.column
    }
}

impl Field<'_> {
    #[inline(always)]
    fn is_at(&self, rest: &[u8]) -> bool {
        let n = self.key.len();
        match rest.first_chunk::<9>() {
            Some(first) if n <= 9 => {
                let head = [first[1], first[2], first[3], first[4], first[5], first[6], first[7], first[8]];
                let unused = (64 - 8 * (n as u32 - 1)) & 63;
                first[0] == self.key[0] && (n == 1 || (u64::from_le_bytes(head) ^ self.ends.0) << unused == 0)
            }
            _ => rest.starts_with(self.key),
        }
    }

    pub(super) fn has(&self, row: usize) -> bool {
        match &self.rows {
            Some(rows) => rows.get(row),
            None => self.count > row,
        }
    }

    /// Takes back that the last row has it.
    fn unmark(&mut self, row: usize) {
        self.count -= 1;
        if let Some(rows) = &mut self.rows {
            rows.truncate(row);
        }
    }
}

/// The encoded key that a reader is at, if it is a string that may be a table's; the reader moves behind
/// it.
fn key<'p>(data: &'p [u8], reader: &mut Reader<'p>) -> Result<Option<&'p [u8]>> {
    let start = reader.pos;
    match reader.token(u32::MAX, u32::MAX)? {
        // Keys are compared by their bytes, so they must be in their shortest form.
        Token::Str(text) if text.len() <= tag::STR_INLINE_MAX && data.get(start) < Some(&tag::STR) => {
            Ok(data.get(start..reader.pos))
        }
        Token::Str(text) if text.len() == column::KEY_MAX && data.get(start) == Some(&tag::STR) => {
            Ok(data.get(start..reader.pos))
        }
        _ => {
            reader.pos = start;
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests;
