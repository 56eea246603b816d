//! Elements of columns as what serde's types ask for (COL-1, SRD-1).
//!
//! Rows are put together from their columns, one element at a time. An element is found by its column and
//! its number, whatever was read before it: a type that stops half way through a row disturbs nothing.

use super::de::{Deserializer, ExtAsMap, ExtAsPair, NativeExt, big_int, left_over, visit_int};
use super::raw::RAW_NAME;
use super::tagged::EXT_NAME;
use super::value::VALUE_NAME;
use crate::canonical::Form;
use crate::check;
use crate::columns::{Element, Entry, Part, Run, Shape};
use crate::config::Config;
use crate::diag;
use crate::error::{Code, Error, Result, Step};
use crate::num::{self, Int};
use crate::read::Reader;
use crate::write::Output;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer as _, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

/// Element `index` of the column `node`.
pub(super) struct Cell<'d, 'de> {
    pub(super) de: &'d mut Deserializer<'de>,
    pub(super) node: u32,
    pub(super) index: usize,
}

impl<'de> Deserializer<'de> {
    /// Opens the columns of a list or map, of which the tag at `start` was read.
    fn open_columns(&mut self, start: usize, map: bool) -> Result<Run> {
        self.columns.open(&mut self.reader, start, map, self.depth_left - 1, self.max_depth)
    }

    /// A list by columns, of which the tag at `start` was read.
    #[inline(never)]
    pub(super) fn columns_as_list<V: Visitor<'de>>(&mut self, start: usize, visitor: V) -> Result<V::Value> {
        let mark = self.columns.mark();
        let run = self.open_columns(start, false)?;
        let result = self.column_items(run, start, visitor);
        self.columns.close(mark);
        result
    }

    /// A map by columns, of which the tag at `start` was read.
    #[inline(never)]
    pub(super) fn columns_as_map<V: Visitor<'de>>(
        &mut self,
        start: usize,
        visitor: V,
        native: bool,
        fields: bool,
    ) -> Result<V::Value> {
        let mark = self.columns.mark();
        let keys = self.open_columns(start, true)?;
        let values = self.columns.values_of(keys);
        let result = match native {
            true => self.columns.tell_apart(keys, Form::Untyped),
            false => Ok(()),
        };
        let result = result.and_then(|()| self.column_map(keys, values, fields, start, visitor));
        self.columns.close(mark);
        result
    }

    /// The one entry of a map by columns as a variant.
    #[cold]
    #[inline(never)]
    pub(super) fn columns_as_variant<V: Visitor<'de>>(
        &mut self,
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        let mark = self.columns.mark();
        let keys = self.open_columns(start, true)?;
        let values = self.columns.values_of(keys);
        let result = self.column_variant(Element::Map { keys, values }, start, visitor);
        self.columns.close(mark);
        result
    }

    #[inline(always)]
    fn column_items<V: Visitor<'de>>(&mut self, run: Run, start: usize, visitor: V) -> Result<V::Value> {
        self.options = 0;
        let mut items = Items { de: self, run, first: run.from };
        let value = visitor.visit_seq(&mut items)?;
        match items.run.to - items.run.from {
            0 => Ok(value),
            left => Err(left_over(items.run.from - run.from, left, start)),
        }
    }

    #[inline(always)]
    fn column_tuple<V: Visitor<'de>>(
        &mut self,
        first: u32,
        n: usize,
        row: usize,
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.options = 0;
        let mut places = Places { de: self, column: first, read: 0, n, row, table: None };
        let value = visitor.visit_seq(&mut places)?;
        match places.n - places.read {
            0 => Ok(value),
            left => Err(left_over(places.read, left, start)),
        }
    }

    /// A row of which the fields are those of a type, in its order.
    #[inline(always)]
    fn column_fields<V: Visitor<'de>>(
        &mut self,
        table: u32,
        row: usize,
        n: usize,
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.options = 0;
        let mut places = Places { de: self, column: table + 1, read: 0, n, row, table: Some(table) };
        let value = visitor.visit_seq(&mut places).map_err(|error| error.at(start))?;
        match places.n - places.read {
            0 => Ok(value),
            // What is called by two names is in the list twice.
            _ => Err(Error::new(Code::InvalidLength, start, "entries of a map were left unread")),
        }
    }

    #[inline(always)]
    fn column_row<V: Visitor<'de>>(
        &mut self,
        table: u32,
        row: usize,
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.options = 0;
        let n = self.columns.keys(table).len();
        let dense = self.columns.is_dense(table).is_some();
        let mut fields = Fields { de: self, table, row, column: table + 1, field: 0, n, dense, value: None };
        let value = visitor.visit_map(&mut fields).map_err(|error| error.at(start))?;
        if fields.value.is_some() {
            return Err(Error::new(Code::InvalidLength, start, "a value of a map was left unread"));
        }
        fields.pass_absent();
        match fields.field == n {
            true => Ok(value),
            false => Err(Error::new(Code::InvalidLength, start, "entries of a map were left unread")),
        }
    }

    fn column_map<V: Visitor<'de>>(
        &mut self,
        keys: Run,
        values: Run,
        fields: bool,
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.options = 0;
        let mut entries = Entries { de: self, keys, values: values.node, fields, key: None };
        let value = visitor.visit_map(&mut entries).map_err(|error| error.at(start))?;
        if entries.key.is_some() {
            return Err(Error::new(Code::InvalidLength, start, "a value of a map was left unread"));
        }
        match entries.keys.from == entries.keys.to {
            true => Ok(value),
            false => Err(Error::new(Code::InvalidLength, start, "entries of a map were left unread")),
        }
    }

    /// A map of one entry as a variant.
    fn column_variant<V: Visitor<'de>>(
        &mut self,
        element: Element<'de>,
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.options = 0;
        let one = element.count(&mut self.columns) == 1;
        let mut parts = element.parts(&mut self.columns).filter(|_| one);
        let mut next = || {
            let part = parts.as_ref()?.peek(&mut self.columns);
            parts.as_mut()?.advance(&mut self.columns);
            part
        };
        let (Some(key), Some(Part::Element(node, index))) = (next(), next()) else {
            return Err(Error::new(Code::InvalidLength, start, "an enum is a string or a map of one entry"));
        };
        let name = match key {
            Part::Key(name) => name,
            Part::Element(key, at) => match self.columns.element(key, at)? {
                Element::String(name) => name,
                _ => return Err(Error::invalid_type(Unexpected::Other("a key"), &"a string").at(start)),
            },
        };
        let mut read = false;
        let value =
            visitor.visit_enum(Variant { cell: Cell { de: self, node, index }, name, read: &mut read })?;
        match read {
            true => Ok(value),
            false => {
                Err(Error::new(Code::InvalidLength, start, "the contents of a variant were left unread"))
            }
        }
    }
}

impl<'d, 'de> Cell<'d, 'de> {
    /// Where errors say that it stands.
    fn start(&self) -> usize {
        self.de.columns.node(self.node).start
    }

    #[inline(always)]
    fn element(&mut self) -> Result<Element<'de>> {
        self.de.columns.element(self.node, self.index)
    }

    /// Reads an element of a plain column.
    #[inline(never)]
    fn plain<T>(
        self,
        element: (u32, usize, usize, usize),
        read: impl FnOnce(&mut Deserializer<'de>) -> Result<T>,
    ) -> Result<T> {
        let (node, index, at, end) = element;
        let de = self.de;
        let (outer, mark) = ((de.reader, de.depth_left), de.columns.mark());
        de.reader.data = de.reader.data.get(..end).unwrap_or_default();
        de.reader.pos = at;
        de.depth_left = de.columns.node(node).depth_left;
        let result = de.whole(read);
        let end = de.reader.pos;
        de.columns.close(mark);
        (de.reader, de.depth_left) = outer;
        let value = result?;
        de.columns.passed(node, index, end)?;
        Ok(value)
    }

    /// The error of an element that is not what the visitor wants.
    #[cold]
    #[inline(never)]
    fn mismatch<T>(&self, element: Element<'de>, expected: &dyn de::Expected) -> Result<T> {
        let found = match element {
            Element::Null => Unexpected::Unit,
            Element::Bool(on) => Unexpected::Bool(on),
            Element::Unsigned(u) => Unexpected::Unsigned(u),
            Element::Signed(n) => Unexpected::Signed(n),
            Element::Float(f) => Unexpected::Float(f),
            Element::String(text) => Unexpected::Str(text),
            Element::Bytes(bytes) => Unexpected::Bytes(bytes),
            Element::List(_) | Element::Tuple { .. } => Unexpected::Seq,
            Element::Map { .. } | Element::Row { .. } => Unexpected::Map,
            Element::Ext { .. } | Element::Plain { .. } => Unexpected::Other("ext"),
        };
        Err(Error::invalid_type(found, expected).at(self.start()))
    }

    #[inline(always)]
    fn int<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (node, data) = self.de.columns.look(self.node);
        if !matches!(node.shape, Shape::Unsigned | Shape::Signed) {
            return self.rare_int(visitor);
        }
        let u = node.based(data, self.index);
        match node.shape == Shape::Signed && (u as i64) < 0 {
            true => visitor.visit_i64(u as i64),
            false => visitor.visit_u64(u),
        }
    }

    #[inline(never)]
    fn rare_int<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Unsigned(u) => visitor.visit_u64(u),
            Element::Signed(n) => match u64::try_from(n) {
                Ok(u) => visitor.visit_u64(u),
                Err(_) => visitor.visit_i64(n),
            },
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_i64(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    #[cold]
    #[inline(never)]
    fn wide_int<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Unsigned(u) => visit_int(Int::from(u), visitor),
            Element::Signed(n) => visit_int(Int::from(n), visitor),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_i128(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    #[inline(never)]
    fn rare_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Bool(on) => visitor.visit_bool(on),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_bool(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    /// A float, or an int that is exact in one: in a binary32 if `narrow`.
    #[inline(never)]
    fn rare_float<V: Visitor<'de>>(mut self, visitor: V, narrow: bool) -> Result<V::Value> {
        let int = match self.element()? {
            // Types of 32 bits get NaNs with their bits, not by a conversion that makes them quiet.
            Element::Float(f) if narrow && f.is_nan() => {
                return match num::exact_f32(f) {
                    Some(bits) => visitor.visit_f32(f32::from_bits(bits)),
                    None => visitor.visit_f64(f),
                };
            }
            Element::Float(f) => return visitor.visit_f64(f),
            Element::Unsigned(u) => Int::from(u),
            Element::Signed(n) => Int::from(n),
            Element::Plain { node, index, at, end } => {
                return self.plain((node, index, at, end), |de| match narrow {
                    true => de.deserialize_f32(visitor),
                    false => de.deserialize_f64(visitor),
                });
            }
            other => return self.mismatch(other, &visitor),
        };
        match int.as_exact_f64().filter(|f| !narrow || f64::from(*f as f32) == *f) {
            Some(f) => visitor.visit_f64(f),
            None => Err(big_int(Code::InvalidValue, int, self.start(), &"an int that a float holds exactly")),
        }
    }

    /// The text, if it is seen at once.
    #[inline(always)]
    fn text(&mut self) -> Option<&'de str> {
        let (node, data) = self.de.columns.look(self.node);
        match node.shape {
            Shape::String => Some(node.string(data, self.index)),
            Shape::Dictionary => {
                let columns = &self.de.columns;
                match columns.entry(columns.node(self.node), self.index) {
                    Entry::String(text) => Some(text),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn string<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.text() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.rare_string(visitor),
        }
    }

    #[inline(never)]
    fn rare_string<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::String(text) => visitor.visit_borrowed_str(text),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_str(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    #[inline(always)]
    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (id, index) = (self.node, self.index);
        let (node, data) = self.de.columns.look(id);
        let start = node.start;
        match node.shape {
            Shape::Lists => {
                let from = node.seek(data, index) as usize;
                let to = from + node.number(data, index) as usize;
                self.de.column_items(Run { node: id + 1, from, to }, start, visitor)
            }
            Shape::SameLength { k } => {
                let run = Run { node: id + 1, from: index * k, to: index * k + k };
                self.de.column_items(run, start, visitor)
            }
            Shape::Tuples { n } => self.de.column_tuple(id + 1, n, index, start, visitor),
            _ => self.rare_list(visitor),
        }
    }

    #[inline(never)]
    fn rare_list<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = self.start();
        match self.element()? {
            Element::List(run) => self.de.column_items(run, start, visitor),
            Element::Tuple { first, n, row } => self.de.column_tuple(first, n, row, start, visitor),
            Element::Bytes(bytes) => self.de.bytes_as_seq(bytes, start, visitor),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_seq(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    #[inline(always)]
    fn map<V: Visitor<'de>>(
        self,
        visitor: V,
        fields: bool,
        plain: impl FnOnce(&mut Deserializer<'de>, V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        let (id, row) = (self.node, self.index);
        let node = self.de.columns.node(id);
        match node.shape {
            Shape::Table { .. } => {
                let start = node.start;
                self.de.column_row(id, row, start, visitor)
            }
            _ => self.rare_map(visitor, fields, plain),
        }
    }

    #[inline(never)]
    fn rare_map<V: Visitor<'de>>(
        mut self,
        visitor: V,
        fields: bool,
        plain: impl FnOnce(&mut Deserializer<'de>, V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        let start = self.start();
        match self.element()? {
            Element::Row { table, row } => self.de.column_row(table, row, start, visitor),
            Element::Map { keys, values } => self.de.column_map(keys, values, fields, start, visitor),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| plain(de, visitor))
            }
            // A flattened ext, or one that serde buffered: the map that `any` makes of it.
            Element::Ext { .. } if !fields => self.any(visitor, false),
            other => self.mismatch(other, &visitor),
        }
    }

    fn any<V: Visitor<'de>>(mut self, visitor: V, native: bool) -> Result<V::Value> {
        let element = self.element()?;
        match element {
            Element::Null => visitor.visit_unit(),
            Element::Bool(on) => visitor.visit_bool(on),
            Element::Unsigned(u) => visitor.visit_u64(u),
            Element::Signed(n) => visit_int(Int::from(n), visitor),
            Element::Float(f) => visitor.visit_f64(f),
            Element::String(text) => visitor.visit_borrowed_str(text),
            Element::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Element::List(_) | Element::Tuple { .. } => self.list(visitor),
            Element::Row { .. } => self.map(visitor, false, |de, visitor| de.deserialize_any(visitor)),
            Element::Map { keys, .. } => {
                if native {
                    self.de.columns.tell_apart(keys, Form::Untyped)?;
                }
                self.map(visitor, false, |de, visitor| de.deserialize_any(visitor))
            }
            Element::Ext { ext_type, payload, index } => {
                let start = self.start();
                let column = Some((payload, index));
                self.de.options = 0;
                if native {
                    return visitor.visit_enum(NativeExt { de: self.de, ext_type, column });
                }
                let mut entry = ExtAsMap { ext_type, de: self.de, column, state: 0 };
                let value = visitor.visit_map(&mut entry)?;
                match entry.state < 2 {
                    true => Err(left_over(0, 1, start)),
                    false => Ok(value),
                }
            }
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| match native {
                    true => de.deserialize_newtype_struct(VALUE_NAME, visitor),
                    false => de.deserialize_any(visitor),
                })
            }
        }
    }

    fn ext<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Ext { ext_type, payload, index } => {
                let start = self.start();
                self.de.options = 0;
                let column = Some((payload, index));
                let mut pair = ExtAsPair { ext_type, de: self.de, column, state: 0 };
                let value = visitor.visit_seq(&mut pair)?;
                match pair.state < 2 {
                    true => Err(left_over(0, 1, start)),
                    false => Ok(value),
                }
            }
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_newtype_struct(EXT_NAME, visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    /// An option that is not null. Types can nest options without end around one value.
    #[inline(always)]
    fn some<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Cell { de, node, index } = self;
        let before = de.options;
        if before >= de.max_depth.saturating_add(Config::MORE_OPTIONS) {
            return Err(Error::depth(de.max_depth, de.columns.node(node).start));
        }
        de.options += 1;
        let result = visitor.visit_some(Cell { de: &mut *de, node, index });
        de.options = before;
        result
    }

    #[inline(never)]
    fn rare_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Null => visitor.visit_none(),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_option(visitor))
            }
            _ => self.some(visitor),
        }
    }

    /// The bytes of the value, written in the plain layer.
    fn raw<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.start();
        let mut out = Output::new();
        self.de.columns.write(self.node, self.index, &mut out)?;
        let (depth_left, max_depth) = (self.de.columns.node(self.node).depth_left, self.de.max_depth);
        let checked = check::next(&mut Reader::new(out.as_bytes()), depth_left, max_depth);
        checked.map_err(|error| error.moved_to(start))?;
        visitor.visit_byte_buf(out.into_vec())
    }
}

impl<'de> de::Deserializer<'de> for Cell<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.de.human_readable
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any(visitor, false)
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (node, data) = self.de.columns.look(self.node);
        match node.shape {
            Shape::Bool => visitor.visit_bool(node.bit(data, self.index)),
            _ => self.rare_bool(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline(always)]
    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline(always)]
    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline(always)]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.wide_int(visitor)
    }

    #[inline(always)]
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline(always)]
    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline(always)]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline(always)]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.wide_int(visitor)
    }

    #[inline(always)]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (node, data) = self.de.columns.look(self.node);
        match node.shape {
            // The bits of a NaN, too, stay as they are.
            Shape::Float32 => visitor.visit_f32(f32::from_bits(node.float32(data, self.index))),
            _ => self.rare_float(visitor, true),
        }
    }

    #[inline(always)]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (node, data) = self.de.columns.look(self.node);
        match node.shape {
            Shape::Float => visitor.visit_f64(node.float(data, self.index)),
            _ => self.rare_float(visitor, false),
        }
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline(always)]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline(always)]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Element::List(_) | Element::Tuple { .. } => {
                // Not every visitor of bytes takes a list; all that own them take a buffer.
                visitor.visit_byte_buf(<Vec<u8> as de::Deserialize>::deserialize(self)?)
            }
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_bytes(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Cell { de, mut node, mut index } = self;
        match de.columns.node(node).shape {
            Shape::Nullable => match de.columns.present(node, index) {
                Some(rank) => (node, index) = (node + 1, rank),
                None => return visitor.visit_none(),
            },
            Shape::Union { .. } | Shape::Plain | Shape::Null | Shape::Sparse => {
                return Cell { de, node, index }.rare_option(visitor);
            }
            _ => {}
        }
        if de.columns.node(node).shape == Shape::Plain {
            return Cell { de, node, index }.rare_option(visitor);
        }
        Cell { de, node, index }.some(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.element()? {
            Element::Null => visitor.visit_unit(),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_unit(visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            VALUE_NAME => self.any(visitor, true),
            RAW_NAME => self.raw(visitor),
            EXT_NAME => self.ext(visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.list(visitor)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.list(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.list(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.map(visitor, false, |de, visitor| de.deserialize_map(visitor))
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let (id, row) = (self.node, self.index);
        let node = self.de.columns.node(id);
        if matches!(node.shape, Shape::Table { .. }) {
            let start = node.start;
            if is_derived::<V>() && self.de.columns.has_fields(id, fields) {
                // How many fields a type has is known before it runs.
                return self.de.column_fields(id, row, fields.len(), start, visitor);
            }
        }
        self.map(visitor, true, |de, visitor| de.deserialize_struct(name, fields, visitor))
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let start = self.start();
        if let Some(name) = self.text() {
            let unit: BorrowedStrDeserializer<'de, Error> = BorrowedStrDeserializer::new(name);
            return visitor.visit_enum(unit).map_err(|error| error.at(start));
        }
        let element = self.element()?;
        match element {
            Element::String(name) => {
                let unit: BorrowedStrDeserializer<'de, Error> = BorrowedStrDeserializer::new(name);
                visitor.visit_enum(unit).map_err(|error| error.at(start))
            }
            Element::Row { .. } | Element::Map { .. } => self.de.column_variant(element, start, visitor),
            Element::Plain { node, index, at, end } => {
                self.plain((node, index, at, end), |de| de.deserialize_enum(name, variants, visitor))
            }
            other => self.mismatch(other, &visitor),
        }
    }

    /// The name of a variant. Flattened fields ask for keys like that, and take any.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.de.column_key == Some((self.node, self.index)) {
            true => self.any(visitor, false),
            false => self.string(visitor),
        }
    }

    /// What is not wanted costs nothing.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// Whether a visitor of a struct is one that serde derives, and so takes the fields in their order as well
/// as by their names. Visitors that are written by hand may take names only.
#[inline(always)]
fn is_derived<V>() -> bool {
    let name = core::any::type_name::<V>();
    name.ends_with("::deserialize::__Visitor")
        || name.ends_with("::deserialize::__Visitor<'_>")
        || name.ends_with("::deserialize::__Visitor<'_, '_>")
}

/// The items of a list: elements of one column.
struct Items<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    run: Run,
    first: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element<T: de::Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Run { node, from: index, to } = self.run;
        if index == to {
            return Ok(None);
        }
        self.run.from += 1;
        match seed.deserialize(Cell { de: self.de, node, index }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.failed(error)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.run.to - self.run.from)
    }
}

impl Items<'_, '_> {
    #[cold]
    #[inline(never)]
    fn failed(&self, error: Error) -> Error {
        let step = Step::Index((self.run.from - self.first) as u64 - 1);
        error.at(self.de.columns.node(self.run.node).start).inside(step)
    }
}

/// The items of a tuple, or the fields of a row in their order: an element of each of some columns.
struct Places<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    column: u32,
    read: usize,
    n: usize,
    row: usize,
    /// The table, if they are fields.
    table: Option<u32>,
}

impl<'de> SeqAccess<'de> for &mut Places<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element<T: de::Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.read == self.n {
            return Ok(None);
        }
        let (node, index) = (self.column, self.row);
        self.column = self.de.columns.after(node);
        self.read += 1;
        match seed.deserialize(Cell { de: self.de, node, index }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.failed(error, node)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.n - self.read)
    }
}

impl Places<'_, '_> {
    #[cold]
    #[inline(never)]
    fn failed(&self, error: Error, node: u32) -> Error {
        let step = match self.table {
            Some(table) => Step::Key(String::from(self.de.columns.key(table, self.read - 1))),
            None => Step::Index(self.read as u64 - 1),
        };
        error.at(self.de.columns.node(node).start).inside(step)
    }
}

/// The fields of a row.
struct Fields<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    table: u32,
    row: usize,
    /// The field that comes next, if the row has it.
    field: usize,
    column: u32,
    n: usize,
    /// Whether rows have all fields.
    dense: bool,
    /// The value of the field whose name was read last, until it is read.
    value: Option<(u32, usize)>,
}

impl Fields<'_, '_> {
    /// Passes over fields that the row does not have; gives where the value of the next one is.
    #[inline(always)]
    fn pass_absent(&mut self) -> Option<(u32, usize)> {
        while self.field < self.n {
            if self.dense {
                return Some((self.column, self.row));
            }
            if let Some(found) = self.de.columns.field(self.column, self.row) {
                return Some(found);
            }
            self.pass();
        }
        None
    }

    #[inline(always)]
    fn pass(&mut self) {
        self.column = self.de.columns.after(self.column);
        self.field += 1;
    }

    #[cold]
    #[inline(never)]
    fn failed(&self, error: Error, node: u32) -> Error {
        let name = self.de.columns.key(self.table, self.field - 1);
        error.at(self.de.columns.node(node).start).inside(Step::Key(String::from(name)))
    }
}

impl<'de> MapAccess<'de> for &mut Fields<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        // A value that was not asked for is passed over by not being looked at.
        self.value = None;
        let Some(value) = self.pass_absent() else {
            return Ok(None);
        };
        let text = self.de.columns.key(self.table, self.field);
        self.pass();
        let key = seed.deserialize(Text { text, human_readable: self.de.human_readable })?;
        self.value = Some(value);
        Ok(Some(key))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let Some((node, index)) = self.value.take() else {
            return Err(Error::nowhere(Code::InvalidLength, "a value was asked for before its key"));
        };
        match seed.deserialize(Cell { de: self.de, node, index }) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.failed(error, node)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.dense.then(|| self.n - self.field)
    }
}

/// The entries of a map: an element of a column of keys and one of a column of values each.
struct Entries<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    keys: Run,
    values: u32,
    /// Whether the keys are names of fields: text.
    fields: bool,
    /// The key that was read last, until its value is read.
    key: Option<usize>,
}

impl Entries<'_, '_> {
    #[cold]
    #[inline(never)]
    fn failed(&mut self, error: Error, key: usize) -> Error {
        let columns = &mut self.de.columns;
        let step = match columns.element(self.keys.node, key) {
            Ok(Element::String(text)) => Step::Key(String::from(text)),
            _ => {
                let mut out = Output::new();
                let written = columns.write(self.keys.node, key, &mut out);
                let text = written.and_then(|()| diag::print(out.as_bytes(), u32::MAX, None));
                Step::Other(text.unwrap_or_default())
            }
        };
        error.at(columns.node(self.values).start).inside(step)
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.key = None;
        let Run { node, from: index, to } = self.keys;
        if index == to {
            return Ok(None);
        }
        self.keys.from += 1;
        self.de.column_key = Some((node, index));
        let cell = Cell { de: self.de, node, index };
        let key = match self.fields {
            true => seed.deserialize(FieldCell { cell }),
            false => seed.deserialize(cell),
        };
        match key {
            Ok(key) => {
                self.key = Some(index);
                Ok(Some(key))
            }
            Err(error) => Err(error.at(self.de.columns.node(node).start)),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let Some(index) = self.key.take() else {
            return Err(Error::nowhere(Code::InvalidLength, "a value was asked for before its key"));
        };
        match seed.deserialize(Cell { de: self.de, node: self.values, index }) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.failed(error, index)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.keys.to - self.keys.from)
    }
}

/// The name of a field, which the types of keys take as a string.
struct Text<'de> {
    text: &'de str,
    human_readable: bool,
}

impl<'de> de::Deserializer<'de> for Text<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            VALUE_NAME => self.deserialize_any(visitor),
            RAW_NAME => {
                let mut out = Output::new();
                out.str(self.text);
                visitor.visit_byte_buf(out.into_vec())
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let unit: BorrowedStrDeserializer<'de, Error> = BorrowedStrDeserializer::new(self.text);
        visitor.visit_enum(unit)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// A key that is the name of a struct's field: text, never a number, which derived code would take for an
/// index.
struct FieldCell<'d, 'de> {
    cell: Cell<'d, 'de>,
}

impl<'de> de::Deserializer<'de> for FieldCell<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.cell.de.human_readable
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.cell.string(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// A map of one entry as a variant with a payload.
struct Variant<'v, 'd, 'de> {
    cell: Cell<'d, 'de>,
    name: &'de str,
    read: &'v mut bool,
}

impl<'v, 'd, 'de> EnumAccess<'de> for Variant<'v, 'd, 'de> {
    type Error = Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name = seed.deserialize(Text { text: self.name, human_readable: self.cell.de.human_readable });
        Ok((name.map_err(|error| error.at(self.cell.start()))?, self))
    }
}

impl<'de> Variant<'_, '_, 'de> {
    #[inline]
    fn payload<T>(self, read: impl FnOnce(Cell<'_, 'de>) -> Result<T>) -> Result<T> {
        *self.read = true;
        let (start, name) = (self.cell.start(), self.name);
        read(self.cell).map_err(|error| error.at(start).inside(Step::Key(String::from(name))))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.payload(|cell| de::Deserialize::deserialize(cell))
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.payload(|cell| seed.deserialize(cell))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.payload(|cell| cell.list(visitor))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(self, name: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.payload(|cell| cell.deserialize_struct("", name, visitor))
    }
}
