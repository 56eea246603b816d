//! Values of lists and maps by columns: a column at a time, those inside of others first.

use super::{Ext, List, Map, Value, map};
use crate::columns::{Columns, Entry, Mark, Node, Shape};
use crate::error::Result;
use crate::keys;
use crate::num::{self, Int};
use crate::read::Reader;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::{IntoIter, Vec};

/// A list or map by columns that is being put together.
///
/// The columns are gone through from the last to the first, so that what a column holds is there before
/// the column itself. Scalars are read only where they are put into a list or map.
pub(super) struct Assembly<'a> {
    /// Whether it is a map: a column of keys and one of values.
    map: bool,
    /// The columns that were there before.
    mark: Mark,
    first: u32,
    /// The column that comes next is the one before this.
    next: u32,
    /// The values of columns whose own column comes later, the last one first.
    done: Vec<Values<'a>>,
    /// The plain column that is being read: its number, its values, and what follows the list or map.
    pub(super) plain: Option<PlainColumn<'a>>,
}

/// The values of a column, one after the other.
enum Values<'a> {
    Built(IntoIter<Value<'a>>),
    /// A column of scalars, and how many of them were read.
    Scalars(Node<'a>, usize),
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
        Ok(Assembly { map, mark, first, next: columns.len(), done: Vec::new(), plain: None })
    }

    /// Puts columns together up to the next plain one, which the reader is then at, or to the end.
    pub(super) fn go_on(&mut self, columns: &mut Columns<'a>, reader: &mut Reader<'a>) -> Result<()> {
        if let Some(plain) = self.plain.take() {
            columns.passed(plain.node, columns.node(plain.node).n - 1, reader.pos)?;
            *reader = plain.after;
            self.done.push(Values::Built(plain.values.into_iter()));
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
            if let Some(values) = self.column(columns, id)? {
                self.done.push(values);
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self, columns: &mut Columns<'a>) -> Result<Value<'a>> {
        let n = columns.node(self.first).n;
        let mut first = self.take();
        let value = match self.map {
            false => Value::List(List::from(first.collect(n, columns))),
            true => {
                let mut values = self.take();
                let mut entries = Vec::with_capacity(n);
                entries.extend((0..n).map(|_| (first.next(columns), values.next(columns))));
                tell_apart(columns, self.first, &entries)?;
                Value::Map(Map::trusted(entries))
            }
        };
        columns.close(self.mark);
        Ok(value)
    }

    /// The values of the first column in the one that comes next.
    fn take(&mut self) -> Values<'a> {
        self.done.pop().unwrap_or(Values::Built(Vec::new().into_iter()))
    }

    /// The same where there may be no column at all.
    fn take_any(&mut self, columns: &Columns<'a>, id: u32) -> Values<'a> {
        match columns.after(id) == id + 1 {
            true => Values::Built(Vec::new().into_iter()),
            false => self.take(),
        }
    }

    /// The values of a column; none of a field that rows may lack, of which those that are there are
    /// kept as they are.
    fn column(&mut self, columns: &mut Columns<'a>, id: u32) -> Result<Option<Values<'a>>> {
        let node = *columns.node(id);
        let (n, data) = (node.n, columns.data());
        let built: Vec<Value<'a>> = match node.shape {
            Shape::Dictionary => {
                // Its entries are listed apart.
                drop(self.take());
                return Ok(Some(Values::Scalars(node, 0)));
            }
            Shape::Sparse if columns.after(id) > id + 1 => return Ok(None),
            Shape::Sparse => Vec::new(),
            Shape::Nullable => {
                let mut values = self.take_any(columns, id);
                let next = |index| match node.bit(data, index) {
                    false => Value::Null,
                    true => values.next(columns),
                };
                (0..n).map(next).collect()
            }
            Shape::Union { .. } => {
                let mut variants: Vec<Values<'a>> = columns
                    .variants(id)
                    .map(|there| if there { self.take() } else { Values::Built(Vec::new().into_iter()) })
                    .collect();
                (0..n).map(|index| variants[node.number(data, index) as usize].next(columns)).collect()
            }
            Shape::Lists => {
                let mut items = self.take_any(columns, id);
                let list = |index| items.list(node.number(data, index) as usize, columns);
                (0..n).map(list).collect()
            }
            Shape::SameLength { k } => {
                let mut items = self.take();
                (0..n).map(|_| items.list(k, columns)).collect()
            }
            Shape::Tuples { n: places } => {
                let mut places: Vec<_> = (0..places).map(|_| self.take()).collect();
                let tuple = |_| {
                    let mut items = Vec::with_capacity(places.len());
                    items.extend(places.iter_mut().map(|place| place.next(columns)));
                    Value::List(List::from(items))
                };
                (0..n).map(tuple).collect()
            }
            Shape::Maps => {
                let there = columns.after(id) > id + 1;
                let mut keys = self.take_any(columns, id);
                let mut values = if there { self.take() } else { Values::Built(Vec::new().into_iter()) };
                let mut maps = Vec::with_capacity(n);
                for index in 0..n {
                    let count = node.number(data, index) as usize;
                    let mut own = Vec::with_capacity(count);
                    own.extend((0..count).map(|_| (keys.next(columns), values.next(columns))));
                    if there {
                        tell_apart(columns, id + 1, &own)?;
                    }
                    maps.push(Value::Map(Map::trusted(own)));
                }
                maps
            }
            Shape::Table { .. } => self.table(columns, id),
            Shape::Ext { ext_type } => {
                let mut payloads = self.take();
                let ext = |_| Value::Ext(Box::new(Ext { ext_type, value: payloads.next(columns) }));
                (0..n).map(ext).collect()
            }
            _ => return Ok(Some(Values::Scalars(node, 0))),
        };
        Ok(Some(Values::Built(built.into_iter())))
    }

    /// The rows of a table.
    fn table(&mut self, columns: &mut Columns<'a>, id: u32) -> Vec<Value<'a>> {
        let n = columns.node(id).n;
        let mut fields = Vec::with_capacity(columns.keys(id).len());
        let mut column = id + 1;
        // How many fields each row lacks, if any does.
        let mut lacking: Vec<usize> = Vec::new();
        for &key in columns.keys(id) {
            let node = *columns.node(column);
            let bitmap = match node.shape {
                Shape::Sparse => {
                    lacking.resize(n, 0);
                    let counts = lacking.iter_mut().enumerate();
                    counts.for_each(|(row, count)| *count += usize::from(!node.bit(columns.data(), row)));
                    Some(node)
                }
                _ => None,
            };
            fields.push((key, bitmap, self.take()));
            column = columns.after(column);
        }
        let data = columns.data();
        let mut rows = Vec::with_capacity(n);
        for row in 0..n {
            let lacks = lacking.get(row).copied().unwrap_or_default();
            let mut entries = Vec::with_capacity(fields.len() - lacks);
            for (key, bitmap, values) in &mut fields {
                if bitmap.is_some_and(|bitmap: Node<'a>| !bitmap.bit(data, row)) {
                    continue;
                }
                let value = values.next(columns);
                entries.push((Value::String(Cow::Borrowed(*key)), value));
            }
            rows.push(Value::Map(Map::trusted(entries)));
        }
        rows
    }
}

impl<'a> Values<'a> {
    #[inline(always)]
    fn next(&mut self, columns: &Columns<'a>) -> Value<'a> {
        match self {
            Values::Built(values) => values.next().unwrap_or_default(),
            Values::Scalars(node, next) => {
                *next += 1;
                scalar(columns, node, *next - 1)
            }
        }
    }

    /// The next `n` values.
    fn collect(&mut self, n: usize, columns: &Columns<'a>) -> Vec<Value<'a>> {
        let mut own = Vec::with_capacity(n);
        match self {
            Values::Built(values) => own.extend(values.take(n)),
            Values::Scalars(node, next) => {
                let first = *next;
                *next += n;
                own.extend((first..first + n).map(|index| scalar(columns, node, index)));
            }
        }
        own
    }

    fn list(&mut self, n: usize, columns: &Columns<'a>) -> Value<'a> {
        Value::List(List::from(self.collect(n, columns)))
    }
}

/// An element of a column of scalars.
#[inline(always)]
fn scalar<'a>(columns: &Columns<'a>, node: &mut Node<'a>, index: usize) -> Value<'a> {
    let data = columns.data();
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
        Shape::Dictionary => match columns.entry(node, index) {
            Entry::Signed(n) => Value::Int(Int::from(n)),
            Entry::Unsigned(n) => Value::Int(Int::from_wire(false, n)),
            Entry::Float(f) => Value::Float(f),
            Entry::String(text) => Value::String(Cow::Borrowed(text)),
            Entry::Bytes(bytes) => Value::Bytes(Cow::Borrowed(bytes)),
        },
        _ => Value::Null,
    }
}

/// Refuses keys that are the same without their `some`s (MAP-7); the others were told apart when the
/// columns were read.
fn tell_apart(columns: &Columns<'_>, keys: u32, entries: &[(Value<'_>, Value<'_>)]) -> Result<()> {
    if entries.len() > 1
        && columns.node(keys).shape != Shape::String
        && map::find_duplicate(entries).is_some()
    {
        return Err(keys::duplicate(columns.node(keys).start));
    }
    Ok(())
}
