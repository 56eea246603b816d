//! Values of lists and maps by columns: each is built once, in the place where it stays.

use super::map::Keys;
use super::{Ext, List, Map, Value, map};
use crate::columns::{Columns, Entry, Mark, Node, Shape};
use crate::error::{Error, Result};
use crate::keys;
use crate::num::{self, Int};
use crate::read::Reader;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::{IntoIter, Vec};

/// Elements are taken out of columns in columns by recursion, so many deep; columns that nest deeper are built whole
/// in between.
const HEIGHT_MAX: u32 = 64;
/// How many sets of fields are remembered at most, of a table whose rows lack some; and how many before one is seen
/// again.
const SETS_MAX: usize = 1024;
const SETS_FREE: usize = 32;

/// A list or map by columns that is being put together.
///
/// The columns are gone through from the last to the first, so that what a column holds is known before the column
/// itself; there the values of plain columns are read. All others are built at the end, each element when it is
/// taken out by the one around it.
pub(super) struct Assembly<'a> {
    /// Whether it is a map: a column of keys and one of values.
    map: bool,
    /// The columns that were there before.
    mark: Mark,
    first: u32,
    /// The column that comes next is the one before this.
    next: u32,
    /// The values of columns whose own column comes later, the last one first; and how high each is, which is how
    /// many are in one another.
    done: Vec<(Values<'a>, u32)>,
    /// The first fault of what was built.
    fault: Option<Error>,
    /// The plain column that is being read: its number, its values, and what follows the list or map.
    pub(super) plain: Option<PlainColumn<'a>>,
}

/// The values of a column, one after the other.
enum Values<'a> {
    Built(IntoIter<Value<'a>>),
    /// A column of scalars, and how many of them were read.
    Scalars(Node<'a>, usize),
    Compound(Box<Compound<'a>>),
}

/// A column with others in it.
struct Compound<'a> {
    id: u32,
    node: Node<'a>,
    /// How many elements were taken out.
    next: usize,
    /// The columns in it that have elements.
    inside: Vec<Values<'a>>,
    /// Of a union, which of them each variant is.
    variants: [u8; 16],
    keys: TableKeys<'a>,
}

/// The keys of the rows of a table.
enum TableKeys<'a> {
    /// It is none.
    None,
    /// All rows have all fields.
    Same(Keys<'a>),
    /// Some rows lack some.
    Sets(Box<Sets<'a>>),
}

/// Which keys go with which sets of fields. A set is so many words of a bit for each field.
struct Sets<'a> {
    names: Vec<&'a str>,
    /// For each word the fields that all rows have, and those that rows may lack: which bit they are, and their bitmaps.
    fields: Vec<(u64, Vec<(u32, u32)>)>,
    /// The fields of a row.
    row: Vec<u64>,
    /// The sets that are known, each in the place that it has by its bits, and their keys.
    known: Vec<u64>,
    keys: Vec<Option<Keys<'a>>>,
    /// How many more may be put there: one for each time that some were found there.
    credit: usize,
}

/// What values are built of.
struct Source<'c, 'a> {
    columns: &'c Columns<'a>,
    fault: &'c mut Option<Error>,
}

pub(super) struct PlainColumn<'a> {
    node: u32,
    pub(super) values: Vec<Value<'a>>,
    pub(super) left: usize,
    pub(super) depth_left: u32,
    after: Reader<'a>,
}

impl<'a> Assembly<'a> {
    /// Reads the columns that a reader is at; its tag at `start` was read.
    pub(super) fn open(
        columns: &mut Columns<'a>,
        reader: &mut Reader<'a>,
        start: usize,
        map: bool,
        depth_left: u32,
        max_depth: u32,
    ) -> Result<Assembly<'a>> {
        let mark = columns.mark();
        let first = columns.open(reader, start, map, depth_left, max_depth)?.node;
        Ok(Assembly { map, mark, first, next: columns.len(), done: Vec::new(), fault: None, plain: None })
    }

    /// Puts columns together up to the next plain one, which the reader is then at, or to the end.
    pub(super) fn go_on(&mut self, columns: &mut Columns<'a>, reader: &mut Reader<'a>) -> Result<()> {
        if let Some(plain) = self.plain.take() {
            columns.passed(plain.node, columns.node(plain.node).n - 1, reader.pos)?;
            *reader = plain.after;
            self.done.push((Values::Built(plain.values.into_iter()), 0));
        }
        while self.next > self.first {
            self.next -= 1;
            let id = self.next;
            let node = columns.node(id);
            if node.shape == Shape::Plain {
                let (at, end) = node.plain_range();
                let (n, depth_left) = (node.n, node.depth_left);
                let values = Vec::with_capacity(n);
                self.plain = Some(PlainColumn { node: id, values, left: n, depth_left, after: *reader });
                *reader = Reader { data: reader.data.get(..end).unwrap_or_default(), pos: at };
                return Ok(());
            }
            self.column(columns, id);
        }
        Ok(())
    }

    pub(super) fn finish(mut self, columns: &mut Columns<'a>) -> Result<Value<'a>> {
        let n = columns.node(self.first).n;
        let mut first = self.take();
        let mut values = self.take();
        let mut source = Source { columns, fault: &mut self.fault };
        let value = match self.map {
            false => Value::List(List::from(first.collect_all(n, &mut source))),
            true => source.map(n, self.first, &mut first, &mut values),
        };
        columns.close(self.mark);
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(value),
        }
    }

    /// The values of the first column in the one that comes next.
    fn take(&mut self) -> Values<'a> {
        self.done.pop().map_or_else(Values::none, |(values, _)| values)
    }

    /// Goes on behind a column.
    fn column(&mut self, columns: &mut Columns<'a>, id: u32) {
        let node = *columns.node(id);
        let there = columns.after(id) > id + 1;
        let inside = match node.shape {
            // Its values are those of the one column in it, for the table; if there is none, no row asks for one.
            Shape::Sparse if there => return,
            Shape::Nullable | Shape::Lists | Shape::SameLength { .. } | Shape::Ext { .. } => {
                usize::from(there)
            }
            Shape::Maps => 2 * usize::from(there),
            Shape::Tuples { n } => n,
            Shape::Table { fields } => fields,
            Shape::Union { .. } => columns.variants(id).filter(|there| *there).count(),
            Shape::Dictionary => {
                // Its entries are listed apart.
                self.done.pop();
                return self.done.push((Values::Scalars(node, 0), 0));
            }
            _ => return self.done.push((Values::Scalars(node, 0), 0)),
        };
        let inside = self.done.len().saturating_sub(inside)..;
        let height = 1 + self.done[inside.clone()].iter().map(|(_, height)| *height).max().unwrap_or(0);
        let inside = self.done.drain(inside).rev().map(|(values, _)| values).collect();
        let keys = match node.shape {
            Shape::Table { .. } => TableKeys::of(columns, id),
            _ => TableKeys::None,
        };
        let mut variants = [0; 16];
        let mut before = 0;
        for (variant, there) in variants.iter_mut().zip(columns.variants(id)) {
            *variant = before;
            before += u8::from(there);
        }
        let mut values = Values::Compound(Box::new(Compound { id, node, next: 0, inside, variants, keys }));
        if height < HEIGHT_MAX {
            return self.done.push((values, height));
        }
        let built = values.collect(node.n, &mut Source { columns, fault: &mut self.fault });
        self.done.push((Values::Built(built.into_iter()), 0));
    }
}

impl<'a> Values<'a> {
    fn none() -> Values<'a> {
        Values::Built(Vec::new().into_iter())
    }

    #[inline(always)]
    fn next(&mut self, source: &mut Source<'_, 'a>) -> Value<'a> {
        match self {
            Values::Built(values) => values.next().unwrap_or_default(),
            Values::Scalars(node, next) => {
                *next += 1;
                scalar(source.columns, node, *next - 1)
            }
            Values::Compound(column) => column.next(source),
        }
    }

    /// The next `n` values.
    #[inline(never)]
    fn collect(&mut self, n: usize, source: &mut Source<'_, 'a>) -> Vec<Value<'a>> {
        let mut own = Vec::with_capacity(n);
        match self {
            Values::Built(values) => own.extend(values.take(n)),
            Values::Scalars(node, next) => {
                let first = *next;
                *next += n;
                let (elements, columns) = (first..first + n, source.columns);
                match node.shape {
                    Shape::Dictionary => own.extend(elements.map(|index| entry(columns, node, index))),
                    _ => own.extend(elements.map(|index| number_or_text(node, columns.data(), index))),
                }
            }
            Values::Compound(column) => match &mut **column {
                // No row needs its number.
                Compound { keys: TableKeys::Same(keys), inside, .. } => {
                    own.extend((0..n).map(|_| row_of_all(keys, inside, source)));
                }
                Compound { node, inside, .. } if matches!(node.shape, Shape::Tuples { .. }) => {
                    own.extend((0..n).map(|_| tuple(inside, source)));
                }
                column => own.extend((0..n).map(|_| column.next(source))),
            },
        }
        own
    }

    /// The same for all that there are: a vector of them is given as it is.
    fn collect_all(self, n: usize, source: &mut Source<'_, 'a>) -> Vec<Value<'a>> {
        match self {
            Values::Built(values) => values.collect(),
            mut values => values.collect(n, source),
        }
    }

    #[inline]
    fn list(&mut self, n: usize, source: &mut Source<'_, 'a>) -> Value<'a> {
        Value::List(List::from(self.collect(n, source)))
    }
}

/// A row of a table of which all rows have all fields.
#[inline(always)]
fn row_of_all<'a>(keys: &Keys<'a>, fields: &mut [Values<'a>], source: &mut Source<'_, 'a>) -> Value<'a> {
    let mut values = Vec::with_capacity(fields.len());
    values.extend(fields.iter_mut().map(|field| field.next(source)));
    Value::Map(Map::row(keys.clone(), values))
}

/// The next element of each of these columns.
#[inline(always)]
fn tuple<'a>(places: &mut [Values<'a>], source: &mut Source<'_, 'a>) -> Value<'a> {
    let mut items = Vec::with_capacity(places.len());
    items.extend(places.iter_mut().map(|place| place.next(source)));
    Value::List(List::from(items))
}

impl<'a> Compound<'a> {
    /// The next element.
    #[inline(never)]
    fn next(&mut self, source: &mut Source<'_, 'a>) -> Value<'a> {
        let (node, data) = (&self.node, source.columns.data());
        let inside = match node.shape {
            Shape::Nullable if node.bit(data, self.next) => 0,
            Shape::Nullable => self.inside.len(),
            Shape::Union { .. } => {
                usize::from(self.variants[node.number(data, self.next) as usize % self.variants.len()])
            }
            _ => return self.container(source),
        };
        self.next += 1;
        match self.inside.get_mut(inside) {
            Some(inside) => inside.next(source),
            None => Value::Null,
        }
    }

    #[inline(never)]
    fn container(&mut self, source: &mut Source<'_, 'a>) -> Value<'a> {
        let (node, data) = (&self.node, source.columns.data());
        let index = self.next;
        self.next += 1;
        match (node.shape, &mut self.inside[..]) {
            (Shape::Table { .. }, fields) => match &mut self.keys {
                TableKeys::Same(keys) => row_of_all(keys, fields, source),
                TableKeys::Sets(sets) => Value::Map(sets.row(fields, index, source)),
                TableKeys::None => Value::Null,
            },
            (Shape::Lists, [items]) => {
                let n = node.number(data, index) as usize;
                items.list(n, source)
            }
            (Shape::Lists, _) => Value::List(List::new()),
            (Shape::SameLength { k }, [items]) => items.list(k, source),
            (Shape::Tuples { .. }, places) => tuple(places, source),
            (Shape::Maps, [keys, values]) => {
                let n = node.number(data, index) as usize;
                source.map(n, self.id + 1, keys, values)
            }
            (Shape::Maps, _) => Value::Map(Map::new()),
            (Shape::Ext { ext_type }, [payload]) => {
                Value::Ext(Box::new(Ext { ext_type, value: payload.next(source) }))
            }
            _ => Value::Null,
        }
    }
}

impl<'a> TableKeys<'a> {
    fn of(columns: &Columns<'a>, table: u32) -> TableKeys<'a> {
        let names = columns.keys(table);
        if columns.is_dense(table).is_some() {
            return TableKeys::Same(Arc::new(names.iter().map(|name| key(name)).collect()));
        }
        let words = names.len().div_ceil(64);
        let mut field = table + 1;
        let mut word = |names: &[&str]| {
            let (mut always, mut sparse) = (0, Vec::new());
            for at in 0..names.len() as u32 {
                match columns.node(field).shape {
                    Shape::Sparse => sparse.push((at, field)),
                    _ => always |= 1 << at,
                }
                field = columns.after(field);
            }
            (always, sparse)
        };
        let fields = names.chunks(64).map(&mut word).collect();
        // Two words for each: next to nothing beside the values of so many rows.
        let n = columns.node(table).n;
        let places = (n / 8).max(n.min(16)).min(SETS_MAX);
        TableKeys::Sets(Box::new(Sets {
            names: names.to_vec(),
            fields,
            row: alloc::vec![0; words],
            known: alloc::vec![0; places * words],
            keys: alloc::vec![None; places],
            credit: SETS_FREE,
        }))
    }
}

#[inline(always)]
fn key<'a>(name: &&'a str) -> Value<'a> {
    Value::String(Cow::Borrowed(*name))
}

/// Goes through those of all fields that are in a set.
#[inline(always)]
fn fields_in<T>(set: &[u64], all: &mut [T], mut each: impl FnMut(usize, &mut T)) {
    for (at, (word, fields)) in set.iter().zip(all.chunks_mut(64)).enumerate() {
        let mut left = *word;
        while let Some(field) = fields.get_mut(left.trailing_zeros() as usize) {
            each(64 * at + left.trailing_zeros() as usize, field);
            left &= left - 1;
        }
    }
}

impl<'a> Sets<'a> {
    fn row(&mut self, fields: &mut [Values<'a>], row: usize, source: &mut Source<'_, 'a>) -> Map<'a> {
        let data = source.columns.data();
        let mut n = 0;
        for (word, (always, sparse)) in self.row.iter_mut().zip(&self.fields) {
            let bit =
                |&(at, bitmap): &(u32, u32)| u64::from(source.columns.node(bitmap).bit(data, row)) << at;
            *word = sparse.iter().fold(*always, |word, field| word | bit(field));
            n += word.count_ones() as usize;
        }
        if n == 0 {
            return Map::new();
        }
        let keys = self.keys(n);
        match keys {
            Some(keys) => {
                let mut values = Vec::with_capacity(n);
                fields_in(&self.row, fields, |_, field| values.push(field.next(source)));
                Map::row(keys, values)
            }
            None => {
                let mut entries = Vec::with_capacity(n);
                fields_in(&self.row, fields, |index, field| {
                    entries.push((key(&self.names[index]), field.next(source)));
                });
                Map::trusted(entries)
            }
        }
    }

    /// The `n` keys that go with the set of a row, if it is to share them. Where nearly each row has a set of its own,
    /// that would only take more memory.
    fn keys(&mut self, n: usize) -> Option<Keys<'a>> {
        let mix = |mixed: u64, word: &u64| (mixed ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
        let mixed = self.row.iter().fold(0, mix);
        let place = (((mixed & 0xFFFF_FFFF) * self.keys.len() as u64) >> 32) as usize;
        let known = &mut self.known[place * self.row.len()..][..self.row.len()];
        let keys = &mut self.keys[place];
        if keys.is_some() && known.iter().eq(&self.row) {
            self.credit += 1;
            return keys.clone();
        }
        self.credit = self.credit.checked_sub(1)?;
        known.copy_from_slice(&self.row);
        let mut own = Vec::with_capacity(n);
        fields_in(&self.row, &mut self.names, |_, name| own.push(key(name)));
        *keys = Some(Arc::new(own));
        keys.clone()
    }
}

impl<'a> Source<'_, 'a> {
    /// A map of so many entries; `column` is that of its keys.
    fn map(&mut self, n: usize, column: u32, keys: &mut Values<'a>, values: &mut Values<'a>) -> Value<'a> {
        let mut entries = Vec::with_capacity(n);
        entries.extend((0..n).map(|_| (keys.next(self), values.next(self))));
        // Keys that are the same without their `some`s (MAP-7) are null, or hold it; others were told apart when the
        // columns were read.
        let holds_null =
            |key: &Value<'_>| matches!(key, Value::Null | Value::List(_) | Value::Map(_) | Value::Ext(_));
        if self.fault.is_none()
            && n > 1
            && entries.iter().any(|(key, _)| holds_null(key))
            && map::find_duplicate(&entries).is_some()
        {
            *self.fault = Some(keys::duplicate(self.columns.node(column).start));
        }
        Value::Map(Map::trusted(entries))
    }
}

/// An element of a column of scalars.
#[inline(always)]
fn scalar<'a>(columns: &Columns<'a>, node: &mut Node<'a>, index: usize) -> Value<'a> {
    match node.shape {
        Shape::Dictionary => entry(columns, node, index),
        _ => number_or_text(node, columns.data(), index),
    }
}

#[inline(always)]
fn entry<'a>(columns: &Columns<'a>, node: &Node<'a>, index: usize) -> Value<'a> {
    match columns.entry(node, index) {
        Entry::Signed(n) => Value::Int(Int::from(n)),
        Entry::Unsigned(n) => Value::Int(Int::from_wire(false, n)),
        Entry::Float(f) => Value::Float(f),
        Entry::String(text) => Value::String(Cow::Borrowed(text)),
        Entry::Bytes(bytes) => Value::Bytes(Cow::Borrowed(bytes)),
    }
}

#[inline(always)]
fn number_or_text<'a>(node: &mut Node<'a>, data: &'a [u8], index: usize) -> Value<'a> {
    match node.shape {
        Shape::Unsigned => Value::Int(Int::from_wire(false, node.based(data, index))),
        Shape::Signed => Value::Int(Int::from(node.based(data, index) as i64)),
        Shape::Float => Value::Float(node.float(data, index)),
        Shape::Float32 => Value::Float(num::widen(node.float32(data, index))),
        Shape::Decimal { exponent } => {
            Value::Float(num::over_power(node.based(data, index) as i64, exponent))
        }
        Shape::String => Value::String(Cow::Borrowed(node.string(data, index))),
        Shape::Bool => Value::Bool(node.bit(data, index)),
        Shape::Differences { .. } => Value::Int(Int::from(node.seek(data, index) as i64)),
        Shape::Bytes => Value::Bytes(Cow::Borrowed(node.slice(data, index))),
        _ => Value::Null,
    }
}
