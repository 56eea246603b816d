//! Rows that are collected column by column while they are serialized, without bytes in between.
//!
//! They become the columns that [`collect`](super::collect) would have made of their bytes. Whatever it
//! would treat in a way that needs to know more than what came so far is *irregular*: then all is written in
//! the plain layer after all, and `compact` looks at it.

use super::choose::Writer;
use super::collect::{Bits, COMPARED_MAX, Column, Field, Ints, Store, Table, Texts};
use super::compact::{CONTAINER_MIN, Tries};
use super::emit::{Emitter, Open};
use super::measure;
use super::pool::Pool;
use crate::num::{self, Int};
use crate::tag::{self, column};
use crate::write::Output;
use alloc::vec::Vec;
use core::{mem, ptr};

/// The columns of one list; the first is that of its items.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) columns: Vec<Gathered>,
    /// Memory for more columns.
    pool: Pool,
}

/// Like values.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) items: Items,
    /// Which elements are null.
    nulls: Vec<u32>,
    /// How many items or fields the element that is not complete announced, and one; 0 if there is none.
    pub(crate) open: usize,
    /// If they are values of a field that all rows have: where the text of its name is, and how long it is.
    name: (usize, usize),
    /// The column of the field after that one.
    next: u32,
}

/// Stands for the field after the last.
pub(crate) const END: u32 = u32::MAX;

/// The elements that are not null.
#[derive(Default)]
pub(crate) enum Items {
    #[default]
    Empty,
    Bool(Bits),
    Small(Vec<i32>),
    Int(Ints),
    Float(Vec<f64>),
    Single(Vec<u32>),
    Text(Texts),
    Blob(Texts),
    List {
        lengths: Vec<u32>,
        items: u32,
        /// Whether it is a list of lists or maps for what its first items are, whatever its length.
        is_fixed: bool,
    },
    /// Lists of one length; the columns of their places follow each other.
    Tuple {
        first: u32,
        width: u32,
        n: usize,
    },
    Table(RowTable),
    /// Maps of one entry: variants of an enum with a value.
    Variant {
        name: &'static str,
        value: u32,
        n: usize,
    },
    Union {
        choices: Vec<u8>,
        variants: Vec<u32>,
    },
}

/// Maps of fields. The columns of the fields tell which field comes after each: that is all that is looked at
/// where a row is like the one before.
pub(crate) struct RowTable {
    /// The column of the first field.
    pub(crate) first: u32,
    fields: Vec<RowField>,
    pub(crate) rows: usize,
    /// How many fields the row that is being added brought.
    pub(crate) new: usize,
}

struct RowField {
    name: &'static str,
    column: u32,
    /// Which rows have it, up to the last that does, if not all do.
    rows: Option<Bits>,
    count: usize,
}

/// A value that is no list and no map.
#[derive(Clone, Copy)]
pub(crate) enum Scalar<'a> {
    Null,
    Bool(bool),
    Int(bool, u64),
    Wide(Int),
    Float(f64),
    Single(f32),
    Str(&'a str),
    Bytes(&'a [u8]),
}

/// What the name of a field leads to.
pub(crate) enum Found {
    Column(u32),
    Irregular,
}

/// Memory is taken for at most so many elements, or bytes of text, before they are there: what a type announces
/// need not be true.
const RESERVED_MAX: usize = 1 << 14;
/// Lists of up to so many items of one length are tuples at first.
const TUPLE_MAX: usize = 8;

/// An int, if it has 32 bits.
fn small(negative: bool, u: u64) -> Option<i32> {
    i32::try_from(u).ok().map(|u| if negative { !u } else { u })
}

/// Whether two names are the same: they mostly are the same text at the same place.
fn is_same(a: &'static str, b: &'static str) -> bool {
    ptr::eq(a, b) || a == b
}

impl Gathered {
    fn of(items: Items) -> Gathered {
        Gathered { items, ..Gathered::default() }
    }

    /// The next field, if these are the values of a field with this name that all rows have.
    #[inline(always)]
    pub(crate) fn is_of(&self, name: &'static str) -> Option<u32> {
        (self.name == (name.as_ptr().addr(), name.len())).then_some(self.next)
    }

    /// How many elements there are that are not null; complete ones.
    fn values(&self) -> usize {
        match &self.items {
            Items::Empty => 0,
            Items::Bool(bits) => bits.len,
            Items::Small(numbers) => numbers.len(),
            Items::Int(ints) => ints.numbers.len(),
            Items::Float(floats) => floats.len(),
            Items::Single(floats) => floats.len(),
            Items::Text(texts) | Items::Blob(texts) => texts.ends.len(),
            Items::List { lengths, .. } => lengths.len(),
            Items::Tuple { n, .. } | Items::Variant { n, .. } => *n,
            Items::Table(table) => table.rows,
            Items::Union { choices, .. } => choices.len() - usize::from(self.open > 0),
        }
    }

    /// Memory for `n` more elements like the first.
    fn reserve(&mut self, n: usize) {
        match &mut self.items {
            Items::Bool(bits) => bits.bytes.reserve_exact(n / 8),
            Items::Small(numbers) => numbers.reserve_exact(n),
            Items::Int(ints) => ints.numbers.reserve_exact(n),
            Items::Float(floats) => floats.reserve_exact(n),
            Items::Single(floats) => floats.reserve_exact(n),
            Items::Text(texts) | Items::Blob(texts) => {
                texts.ends.reserve_exact(n);
                texts.bytes.reserve_exact(n.saturating_mul(texts.bytes.len()).min(RESERVED_MAX) + 8);
            }
            Items::List { lengths, .. } => lengths.reserve_exact(n),
            _ => {}
        }
    }

    /// Adds null, if a column of that kind holds it by itself.
    #[inline]
    pub(crate) fn add_null(&mut self) -> bool {
        let is_union = matches!(self.items, Items::Union { .. });
        if !is_union {
            let element = self.values() + self.nulls.len();
            self.nulls.push(element as u32);
        }
        !is_union
    }

    /// Adds a scalar, if it is like the others.
    fn add(&mut self, scalar: Scalar<'_>, pool: &mut Pool) -> bool {
        match (&mut self.items, scalar) {
            (_, Scalar::Null) => return self.add_null(),
            (_, Scalar::Wide(int)) => {
                return match int.to_wire_64() {
                    Some((negative, u)) => self.add(Scalar::Int(negative, u), pool),
                    None => false,
                };
            }
            (Items::Empty, _) => match Items::beginning_with(scalar, pool) {
                Some(items) => self.items = items,
                None => return false,
            },
            (Items::Bool(bits), Scalar::Bool(on)) => bits.push(on),
            (Items::Small(numbers), Scalar::Int(negative, u)) => match small(negative, u) {
                Some(number) => numbers.push(number),
                None => {
                    let mut ints = Ints::widen(numbers);
                    let is_like_others = ints.add(negative, u);
                    self.items = Items::Int(ints);
                    return is_like_others;
                }
            },
            (Items::Int(ints), Scalar::Int(negative, u)) => return ints.add(negative, u),
            (Items::Float(floats), Scalar::Float(f)) => floats.push(f),
            (Items::Float(floats), Scalar::Single(f)) => floats.push(num::widen(f.to_bits())),
            (Items::Single(floats), Scalar::Single(f)) => floats.push(f.to_bits()),
            (Items::Single(floats), Scalar::Float(f)) => {
                let mut wide = pool.floats();
                wide.extend(floats.iter().map(|bits| num::widen(*bits)));
                wide.push(f);
                pool.keep_words(mem::take(floats));
                self.items = Items::Float(wide);
            }
            (Items::Text(texts), Scalar::Str(text)) => texts.push(text.as_bytes()),
            (Items::Blob(texts), Scalar::Bytes(bytes)) => texts.push(bytes),
            _ => return false,
        }
        true
    }
}

impl Items {
    /// The elements of a column of which the first is a scalar that is not null.
    fn beginning_with(scalar: Scalar<'_>, pool: &mut Pool) -> Option<Items> {
        Some(match scalar {
            Scalar::Null | Scalar::Wide(_) => return None,
            Scalar::Bool(on) => {
                let mut bits = pool.bits();
                bits.push(on);
                Items::Bool(bits)
            }
            Scalar::Int(true, u) if u > i64::MAX as u64 => return None,
            Scalar::Int(negative, u) => match small(negative, u) {
                Some(number) => {
                    let mut numbers = pool.small();
                    numbers.push(number);
                    Items::Small(numbers)
                }
                None => {
                    let mut ints = pool.ints();
                    ints.add(negative, u);
                    Items::Int(ints)
                }
            },
            Scalar::Float(f) => {
                let mut floats = pool.floats();
                floats.push(f);
                Items::Float(floats)
            }
            Scalar::Single(f) => {
                let mut floats = pool.words();
                floats.push(f.to_bits());
                Items::Single(floats)
            }
            Scalar::Str(text) => {
                let mut texts = pool.texts();
                texts.push(text.as_bytes());
                Items::Text(texts)
            }
            Scalar::Bytes(bytes) => {
                let mut texts = pool.texts();
                texts.push(bytes);
                Items::Blob(texts)
            }
        })
    }

    /// Whether elements are lists or maps.
    fn is_container(&self) -> bool {
        use Items::{List, Table, Tuple, Union, Variant};
        matches!(self, List { .. } | Tuple { .. } | Table(_) | Variant { .. } | Union { .. })
    }
}

impl RowTable {
    /// Which field the one of a column is, or how many there are.
    fn index_of(&self, column: u32) -> usize {
        self.fields.iter().position(|field| field.column == column).unwrap_or(self.fields.len())
    }

    /// The column of a field.
    fn column_of(&self, at: usize) -> u32 {
        self.fields.get(at).map_or(END, |field| field.column)
    }
}

impl RowField {
    /// How many of `rows` rows have it.
    fn count_of(&self, rows: usize) -> usize {
        if self.rows.is_some() { self.count } else { rows }
    }

    /// Notes that the next row, after `rows` others, does not have it.
    fn misses(&mut self, rows: usize) {
        if self.rows.is_none() {
            self.rows = Some(Bits::ones(rows));
            self.count = rows;
        }
    }

    /// Notes that the next row, after `rows` others, has it.
    fn mark(&mut self, rows: usize) {
        if let Some(bits) = &mut self.rows {
            bits.extend_to(rows);
            bits.push(true);
            self.count += 1;
        }
    }
}

impl Rows {
    /// Whether rows are being collected.
    #[inline(always)]
    pub(crate) fn are_collected(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Memory for `n` more rows, after the first, in the columns that have one element for each.
    pub(crate) fn reserve(&mut self, n: usize) {
        let n = n.min(RESERVED_MAX);
        self.columns.iter_mut().filter(|own| own.values() == 1).for_each(|own| own.reserve(n));
    }

    pub(crate) fn column(&mut self) -> u32 {
        self.columns.push(Gathered::default());
        self.columns.len() as u32 - 1
    }

    /// Adds a scalar to a column, if it is like the others there.
    pub(crate) fn add(&mut self, id: u32, scalar: Scalar<'_>) -> bool {
        let own = &mut self.columns[id as usize];
        if own.add(scalar, &mut self.pool) {
            return true;
        }
        // Variants with values and those without are one enum.
        match (&own.items, scalar) {
            (Items::Variant { .. }, Scalar::Str(_)) => self.make_union(id),
            (Items::Union { .. }, Scalar::Str(_) | Scalar::Null) => {}
            _ => return false,
        }
        let takes = |own: &Gathered| match scalar {
            Scalar::Str(_) => matches!(own.items, Items::Text(_)),
            _ => matches!(own.items, Items::Empty),
        };
        let Some(variant) = self.choose(id, takes) else { return false };
        self.columns[variant as usize].add(scalar, &mut self.pool)
    }

    /// Makes a column the first of several variants.
    fn make_union(&mut self, id: u32) {
        let first = self.columns.len() as u32;
        let own = &mut self.columns[id as usize];
        let nulls = mem::take(&mut own.nulls);
        let mut choices = alloc::vec![0; own.values() + nulls.len()];
        nulls.iter().for_each(|null| choices[*null as usize] = 1);
        let mut variants = alloc::vec![first];
        if !nulls.is_empty() {
            variants.push(first + 1);
        }
        let items = mem::replace(&mut own.items, Items::Union { choices, variants });
        self.columns.push(Gathered::of(items));
        if !nulls.is_empty() {
            let nulls = (0..nulls.len() as u32).collect();
            self.columns.push(Gathered { nulls, ..Gathered::default() });
        }
    }

    /// Chooses the variant of a union that takes the next element, or a new one; `None` if there are too many.
    fn choose(&mut self, id: u32, takes: impl Fn(&Gathered) -> bool) -> Option<u32> {
        let Items::Union { variants, .. } = &self.columns[id as usize].items else { return None };
        let known = variants.iter().position(|variant| takes(&self.columns[*variant as usize]));
        let m = variants.len();
        let choice = known.unwrap_or(m);
        if choice + 1 >= column::VARIANTS_MAX {
            return None;
        }
        let added = known.is_none().then(|| self.column());
        let Items::Union { choices, variants } = &mut self.columns[id as usize].items else { return None };
        variants.extend(added);
        choices.push(choice as u8);
        Some(variants[choice])
    }

    /// Begins an element that is a variant with a value; gives the column of the value.
    pub(crate) fn begin_variant(&mut self, id: u32, name: &'static str, may_begin: bool) -> Option<u32> {
        match &self.columns[id as usize].items {
            Items::Variant { name: own, value, .. } if is_same(own, name) => {
                let value = *value;
                self.columns[id as usize].open = 2;
                return Some(value);
            }
            _ if name.len() > column::KEY_MAX => return None,
            Items::Empty if may_begin => {
                let value = self.column();
                self.columns[id as usize].items = Items::Variant { name, value, n: 0 };
                self.columns[id as usize].open = 2;
                return Some(value);
            }
            Items::Variant { .. } | Items::Text(_) if may_begin => self.make_union(id),
            Items::Union { .. } if may_begin => {}
            _ => return None,
        }
        let takes =
            |own: &Gathered| matches!(own.items, Items::Variant { name: own, .. } if is_same(own, name));
        let variant = self.choose(id, takes)?;
        self.columns[id as usize].open = 2;
        self.begin_variant(variant, name, true)
    }

    /// Completes a variant with a value.
    pub(crate) fn end_variant(&mut self, id: u32) {
        let Some(own) = self.columns.get_mut(id as usize) else { return };
        own.open = 0;
        match &mut own.items {
            Items::Variant { n, .. } => *n += 1,
            Items::Union { choices, variants } => {
                if let Some(choice) = choices.last() {
                    let variant = variants[usize::from(*choice)];
                    self.end_variant(variant);
                }
            }
            _ => {}
        }
    }

    /// Begins the first row of a column.
    pub(crate) fn begin_table(&mut self, id: u32, announced: usize) -> bool {
        let own = &mut self.columns[id as usize];
        let begins = matches!(own.items, Items::Empty) && announced > 0;
        if begins {
            own.items = Items::Table(RowTable { first: END, fields: Vec::new(), rows: 0, new: 0 });
            own.open = announced.saturating_add(1);
        }
        begins
    }

    /// The field of a name that is not the one of column `next`, or that not all rows have; `next` becomes the
    /// column of the field after it.
    pub(crate) fn find(&mut self, id: u32, next: &mut u32, name: &'static str) -> Found {
        let new = self.columns.len() as u32;
        let Items::Table(table) = &mut self.columns[id as usize].items else { return Found::Irregular };
        let rows = table.rows;
        let due = table.index_of(*next);
        let known = table.fields.iter().position(|field| is_same(field.name, name));
        let at = match known {
            Some(at) if at < due => return Found::Irregular,
            Some(at) => {
                table.fields[due..at].iter_mut().for_each(|field| field.misses(rows));
                table.fields[at].mark(rows);
                at
            }
            None if name.len() > column::KEY_MAX => return Found::Irregular,
            None => {
                let mut field = RowField { name, column: new, rows: None, count: 0 };
                if rows > 0 {
                    field.rows = Some(Bits::default());
                    field.mark(rows);
                }
                table.fields.insert(due, field);
                table.new += 1;
                self.columns.push(Gathered::default());
                due
            }
        };
        self.chain(id, due.saturating_sub(1), at);
        let Items::Table(table) = &self.columns[id as usize].items else { return Found::Irregular };
        *next = table.column_of(at + 1);
        Found::Column(table.column_of(at))
    }

    /// Writes down in the columns of some fields what they are, and which come next.
    fn chain(&mut self, id: u32, first: usize, last: usize) {
        for at in first..=last {
            let Items::Table(table) = &mut self.columns[id as usize].items else { return };
            let (Some(field), next) = (table.fields.get(at), table.column_of(at + 1)) else { return };
            let name = match field.rows {
                None => (field.name.as_ptr().addr(), field.name.len()),
                Some(_) => (0, 0),
            };
            let column = field.column;
            table.first = table.column_of(0);
            let own = &mut self.columns[column as usize];
            (own.name, own.next) = (name, next);
        }
    }

    /// Completes a row of `count` fields that is not like those before; tells whether it is regular.
    pub(crate) fn end_row(&mut self, id: u32, next: u32, count: usize) -> bool {
        let Items::Table(table) = &mut self.columns[id as usize].items else { return false };
        let rows = table.rows;
        let due = table.index_of(next);
        table.fields[due..].iter_mut().for_each(|field| field.misses(rows));
        let new = mem::take(&mut table.new);
        let all = table.fields.len();
        let compared = count * (all - new);
        if new > 0 && rows > 0 && (4 * (count - new) < count || compared > COMPARED_MAX) {
            return false;
        }
        table.rows += 1;
        let cells: usize = table.fields.iter().map(|field| field.count_of(table.rows)).sum();
        let is_regular = !(new > 0 && rows > 0 && table.rows >= 4 && all * table.rows > 4 * cells);
        self.columns[id as usize].open = 0;
        self.chain(id, due, all.saturating_sub(1));
        // Keys that are different in each row are no fields.
        is_regular
    }

    /// Begins the first list of a column, of `n` items. Gives the column of the first item, and how far the columns
    /// of others are from it: `None` if that depends on the first item.
    pub(crate) fn begin_list(
        &mut self,
        id: u32,
        n: usize,
        is_tuple: bool,
        may_begin: bool,
    ) -> Option<(u32, Option<u32>)> {
        let new = self.columns.len() as u32;
        let own = &mut self.columns[id as usize];
        if !may_begin || !matches!(own.items, Items::Empty) {
            return None;
        }
        own.open = n.saturating_add(1);
        if is_tuple && (1..=TUPLE_MAX).contains(&n) {
            own.items = Items::Tuple { first: new, width: n as u32, n: 0 };
            self.columns.extend((0..n).map(|_| Gathered::default()));
            return Some((new, None));
        }
        own.items = Items::List { lengths: self.pool.words(), items: new, is_fixed: is_tuple };
        self.columns.push(Gathered::default());
        Some((new, Some(0)))
    }

    /// Decides what the first list of a column is, of which one item was added: a tuple if that is a scalar.
    /// Gives how far the columns of its items are from each other.
    pub(crate) fn decide(&mut self, id: u32) -> u32 {
        let Some(own) = self.columns.get(id as usize) else { return 0 };
        let Items::Tuple { first, .. } = own.items else { return 0 };
        if !self.columns[first as usize].items.is_container() {
            return 1;
        }
        let lengths = self.pool.words();
        self.columns[id as usize].items = Items::List { lengths, items: first, is_fixed: true };
        0
    }

    /// Completes the first list of a column, which is no tuple; tells whether it is regular.
    pub(crate) fn end_list(&mut self, id: u32, count: usize) -> bool {
        let own = &mut self.columns[id as usize];
        let Items::List { lengths, items, is_fixed } = &mut own.items else { return false };
        lengths.push(count as u32);
        let (items, may_be_tuple) = (*items, *is_fixed && count <= TUPLE_MAX);
        own.open = 0;
        // Null, or a variant without a value, among lists or maps would have made it a tuple.
        let items = &self.columns[items as usize];
        !may_be_tuple || items.nulls.is_empty() && !matches!(items.items, Items::Union { .. })
    }

    /// Writes a list of rows in the place of its head in the plain layer, which stands at the end of the
    /// output: by columns, if that is shorter. Tells whether it was.
    pub(crate) fn finish(&mut self, n: usize, at: usize, out: &mut Output) -> bool {
        let keys = self.keys();
        let mut columns = self.take_columns(keys.as_bytes());
        let is_shorter = finish(&mut columns, n, at, out);
        self.pool.recycle(columns);
        is_shorter
    }

    /// Writes what was collected in the plain layer; the head of the list was written. Gives where the lists
    /// and maps begin that are not complete.
    pub(crate) fn write_plain(&mut self, next: Option<u32>, out: &mut Output) -> Vec<(u32, usize)> {
        let announced: Vec<Option<usize>> =
            self.columns.iter().map(|column| column.open.checked_sub(1)).collect();
        let keys = self.keys();
        let columns = self.take_columns(keys.as_bytes());
        let mut emitter = Emitter::new(&columns);
        (0..columns[0].len()).for_each(|_| emitter.element(0, out));
        let mut open = Open { announced: &announced, next, starts: Vec::new() };
        emitter.begun(0, &mut open, out);
        self.pool.recycle(columns);
        open.starts
    }

    /// Forgets what was collected.
    pub(crate) fn clear(&mut self) {
        self.columns.clear();
    }

    /// All encoded keys, one after the other.
    fn keys(&self) -> Output {
        let mut keys = Output::new();
        for own in &self.columns {
            match &own.items {
                Items::Table(table) => table.fields.iter().for_each(|field| keys.str(field.name)),
                Items::Variant { name, .. } => keys.str(name),
                _ => {}
            }
        }
        keys
    }

    /// The columns, with what [`keys`](Rows::keys) gave.
    fn take_columns<'k>(&mut self, mut keys: &'k [u8]) -> Vec<Column<'k>> {
        let mut field = |name: &str, column: u32, rows: Option<Bits>, count: usize| {
            let size = name.len() + if name.len() <= tag::STR_INLINE_MAX { 1 } else { 2 };
            let (key, rest) = keys.split_at(size);
            keys = rest;
            Field { key, ends: (0, 0), column, rows, count }
        };
        let mut columns = Vec::with_capacity(self.columns.len());
        for own in self.columns.drain(..) {
            let rows = own.values() + own.nulls.len();
            let present = (!own.nulls.is_empty()).then(|| {
                let mut present = Bits::ones(rows);
                own.nulls.iter().for_each(|null| present.clear(*null as usize));
                self.pool.keep_words(own.nulls);
                present
            });
            let store = match own.items {
                Items::Empty => Store::Empty,
                Items::Bool(bits) => Store::Bool(bits),
                Items::Small(numbers) => Store::Small(numbers),
                Items::Int(ints) => Store::Int(ints),
                Items::Float(floats) => Store::Float(floats),
                Items::Single(floats) => Store::Single(floats),
                Items::Text(texts) => Store::Text(texts),
                Items::Blob(texts) => Store::Blob(texts),
                Items::List { lengths, items, .. } => Store::List { lengths, items },
                Items::Tuple { first, width, .. } => {
                    Store::Tuple { places: (first..first + width).collect() }
                }
                Items::Table(table) => {
                    let rows = table.rows;
                    let mut cells = 0;
                    let fields = table.fields.into_iter().map(|own| {
                        let count = own.count_of(rows);
                        cells += count;
                        field(own.name, own.column, own.rows, count)
                    });
                    let fields = fields.collect();
                    Store::Table(Table { fields, rows, cells })
                }
                Items::Variant { name, value, n } => Store::Table(Table {
                    fields: alloc::vec![field(name, value, None, n)],
                    rows: n,
                    cells: n,
                }),
                Items::Union { choices, variants } => Store::Union { choices, variants },
            };
            columns.push(Column { rows, present, store, ..Column::default() });
        }
        columns
    }
}

/// Writes a list of rows in the place of its head, as [`Rows::finish`] does.
fn finish(columns: &mut Vec<Column<'_>>, n: usize, at: usize, out: &mut Output) -> bool {
    let is_regular = (0..columns.len() as u32).all(|id| tuples(columns, id));
    let head = out.len() - at;
    if is_regular {
        measure::bound(columns, 0);
        let bound = head + columns[0].plain;
        let work = Tries::work(bound);
        let mut writer = Writer::new(columns, &[], Tries::new(&work).more());
        // Short ones, and those of which the offsets take more than 32 bits, are not tried by `compact` either.
        let is_tried = writer.is_shorter(0, head, CONTAINER_MIN - 1);
        if is_tried && u32::try_from(bound).is_ok() {
            out.truncate(at);
            out.byte(tag::LIST_COLUMNS);
            out.pos(n as u64);
            let is_allowed = writer.columns(&[0], at, out).unwrap_or(false);
            let size = out.len() - at;
            let is_shorter = writer.is_shorter(0, head, size);
            if is_allowed && is_shorter {
                return true;
            }
            out.truncate(at);
            out.list_head(n);
        }
    }
    let mut emitter = Emitter::new(columns);
    (0..columns[0].len()).for_each(|_| emitter.element(0, out));
    false
}

/// Makes lists that all have the same few items tuples, if these are scalars; tells whether it is regular.
fn tuples(columns: &mut Vec<Column<'_>>, id: u32) -> bool {
    let Store::List { lengths, items } = &columns[id as usize].store else { return true };
    let items = *items;
    let Some(n) = lengths.first().map(|n| *n as usize) else { return true };
    if !(1..=TUPLE_MAX).contains(&n) || lengths.iter().any(|length| *length as usize != n) {
        return true;
    }
    let own = &columns[items as usize];
    match &own.store {
        Store::List { .. } | Store::Tuple { .. } | Store::Table(_) => {
            return own.present.as_ref().is_none_or(|present| (0..n).all(|index| present.get(index)));
        }
        Store::Union { choices, variants } => {
            let is_map = |choice: &u8| {
                matches!(columns[variants[usize::from(*choice)] as usize].store, Store::Table(_))
            };
            return choices[..n].iter().all(is_map);
        }
        _ => {}
    }
    let places = split(mem::take(&mut columns[items as usize]), n);
    let first = columns.len() as u32;
    columns[id as usize].store = Store::Tuple { places: (first..first + n as u32).collect() };
    columns.extend(places);
    true
}

/// A column of scalars as `n` of them, each of which has every n-th.
fn split(column: Column<'_>, n: usize) -> Vec<Column<'_>> {
    let rows = column.rows;
    let each = |add: &mut dyn FnMut(usize, usize)| {
        let mut at = 0;
        for index in 0..rows {
            if column.present.as_ref().is_none_or(|present| present.get(index)) {
                add(index % n, at);
                at += 1;
            }
        }
    };
    fn parts<T: Default>(n: usize) -> Vec<T> {
        (0..n).map(|_| T::default()).collect()
    }
    let texts_of = |texts: &Texts| {
        let mut parts: Vec<Texts> = parts(n);
        each(&mut |place, at| parts[place].push(texts.get(at)));
        parts
    };
    let stores: Vec<Store<'_>> = match &column.store {
        Store::Bool(bits) => {
            let mut parts: Vec<Bits> = parts(n);
            each(&mut |place, at| parts[place].push(bits.get(at)));
            parts.into_iter().map(Store::Bool).collect()
        }
        Store::Small(numbers) => {
            let mut parts: Vec<Vec<i32>> = parts(n);
            each(&mut |place, at| parts[place].push(numbers[at]));
            parts.into_iter().map(Store::Small).collect()
        }
        Store::Int(ints) => {
            let mut parts: Vec<Ints> = parts(n);
            each(&mut |place, at| {
                let number = ints.numbers[at];
                let negative = ints.negative && number >> 63 == 1;
                parts[place].add(negative, if negative { !number } else { number });
            });
            parts.into_iter().map(Store::Int).collect()
        }
        Store::Float(floats) => {
            let mut parts: Vec<Vec<f64>> = parts(n);
            each(&mut |place, at| parts[place].push(floats[at]));
            parts.into_iter().map(Store::Float).collect()
        }
        Store::Single(floats) => {
            let mut parts: Vec<Vec<u32>> = parts(n);
            each(&mut |place, at| parts[place].push(floats[at]));
            parts.into_iter().map(Store::Single).collect()
        }
        Store::Text(texts) => texts_of(texts).into_iter().map(Store::Text).collect(),
        Store::Blob(texts) => texts_of(texts).into_iter().map(Store::Blob).collect(),
        _ => (0..n).map(|_| Store::Empty).collect(),
    };
    let place = |(place, store)| {
        let bits = |present: &Bits| {
            let mut bits = Bits::default();
            (place..rows).step_by(n).for_each(|index| bits.push(present.get(index)));
            bits
        };
        let present = column.present.as_ref().map(bits);
        let present = present.filter(|bits| (0..bits.len).any(|index| !bits.get(index)));
        Column { rows: rows / n, present, store, ..Column::default() }
    };
    stores.into_iter().enumerate().map(place).collect()
}
