//! The serializer of what stands in a list of rows: values go straight into columns.
//!
//! What is irregular ends that: all that was collected is written in the plain layer, and so is the rest.
//! The lists and maps that are open then go on there, each knowing where it began.

use super::error::{printed, unprintable};
use super::raw::RAW_NAME;
use super::ser::{Compound, MapCompound, Serializer};
use super::tagged::EXT_NAME;
use crate::columns::{DEEPEST, END, Found, Items, SCALARS_MIN, Scalar};
use crate::config::Config;
use crate::encode::{duplicate_key, length_mismatch, too_deep};
use crate::error::{Error, Result};
use crate::num::Int;
use crate::tag;
use core::fmt::Display;
use serde::ser::{self, Serialize};

/// Stands for the first column where it is not known yet whether rows are collected.
pub(super) const FIRST: u32 = u32::MAX;
/// Stands for the plain layer.
const PLAIN: u32 = u32::MAX - 1;
/// Stands for how far the columns of items are from each other, if that depends on the first item.
const UNDECIDED: u32 = u32::MAX;

/// Serializes one element of a column.
pub(super) struct Cell<'s> {
    pub(super) ser: &'s mut Serializer,
    pub(super) column: u32,
}

impl<'s> Cell<'s> {
    /// The elements of the column.
    #[inline(always)]
    fn items(&mut self) -> Option<&mut Items> {
        self.ser.rows.columns.get_mut(self.column as usize).map(|column| &mut column.items)
    }

    /// Adds an int of 32 bits.
    #[inline(always)]
    fn small(mut self, n: i32) -> Result<()> {
        match self.items() {
            Some(Items::Small(numbers)) => {
                numbers.push(n);
                Ok(())
            }
            _ => self.wide(i64::from(n)),
        }
    }

    /// Adds an int that may have more.
    #[inline(always)]
    fn int(self, n: i64) -> Result<()> {
        match i32::try_from(n) {
            Ok(n) => self.small(n),
            Err(_) => self.wide(n),
        }
    }

    /// Adds an int to others of which some have more than 32 bits.
    #[inline]
    fn wide(mut self, n: i64) -> Result<()> {
        if let Some(Items::Int(ints)) = self.items() {
            if n >= 0 || !ints.large {
                ints.negative |= n < 0;
                ints.numbers.push(n as u64);
                return Ok(());
            }
        }
        self.scalar(if n < 0 { Scalar::Int(true, !n as u64) } else { Scalar::Int(false, n as u64) })
    }

    /// Adds a scalar that is the first of its column, or irregular.
    #[cold]
    #[inline(never)]
    fn scalar(self, scalar: Scalar<'_>) -> Result<()> {
        let Cell { ser, mut column } = self;
        // A null in an option is another value than null.
        let is_some_null = matches!(scalar, Scalar::Null) && ser.options > 0;
        if column == FIRST {
            if ser.announced < SCALARS_MIN || is_some_null || matches!(scalar, Scalar::Wide(_)) {
                write(ser, scalar);
                return Ok(());
            }
            column = ser.rows.column();
        }
        if ser.rows.are_collected() {
            if !is_some_null && ser.rows.add(column, scalar) {
                return Ok(());
            }
            ser.rows_irregular(Some(column));
        }
        write(ser, scalar);
        Ok(())
    }

    /// Leaves the columns, if it was in them.
    #[cold]
    #[inline(never)]
    fn leave_rows(self) -> &'s mut Serializer {
        if self.column != FIRST && self.ser.rows.are_collected() {
            self.ser.rows_irregular(Some(self.column));
        }
        self.ser
    }

    #[inline(always)]
    fn fields(self, announced: usize, outer: u32) -> Result<RowFields<'s>> {
        let Cell { ser, mut column } = self;
        ser.enter()?;
        let (mut start, mut next) = (0, END);
        let mut is_first = true;
        if let Some(own) = ser.rows.columns.get_mut(column as usize) {
            if let Items::Table(table) = &own.items {
                next = table.first;
                own.open = announced.saturating_add(1);
                is_first = false;
            }
        }
        if is_first {
            (column, start) = ser.first_fields(column, announced);
        }
        Ok(RowFields { ser, column, outer, next, count: 0, announced, start })
    }

    #[inline(always)]
    fn list(self, announced: usize, is_tuple: bool, outer: u32) -> Result<RowItems<'s>> {
        let Cell { ser, mut column } = self;
        ser.enter()?;
        let (mut base, mut step) = (PLAIN, 0);
        if let Some(own) = ser.rows.columns.get_mut(column as usize) {
            match own.items {
                Items::List { items, .. } => base = items,
                Items::Tuple { first, width, .. } if width as usize == announced => {
                    (base, step) = (first, 1);
                }
                _ => {}
            }
            own.open = announced.saturating_add(1);
        }
        if base == PLAIN {
            (column, base, step) = ser.first_list(column, announced, is_tuple);
        }
        Ok(RowItems { ser, column, outer, base, step, announced, count: 0 })
    }

    /// Begins a variant with a value; gives the column of the value.
    fn variant(&mut self, name: &'static str) -> Result<u32> {
        self.ser.enter()?;
        if self.column == FIRST {
            self.column = self.ser.rows.column();
        }
        if self.ser.rows.are_collected() {
            let id = self.column;
            let may_begin = self.ser.may_collect();
            if let Some(value) = self.ser.rows.begin_variant(id, name, may_begin) {
                return Ok(value);
            }
            self.ser.rows_irregular(Some(id));
        }
        self.ser.out.map_head(1);
        self.ser.out.str(name);
        Ok(PLAIN)
    }
}

/// Writes a scalar in the plain layer.
fn write(ser: &mut Serializer, scalar: Scalar<'_>) {
    let out = &mut ser.out;
    match scalar {
        Scalar::Null => out.byte(tag::NULL),
        Scalar::Bool(on) => out.bool(on),
        Scalar::Int(false, u) => out.pos(u),
        Scalar::Int(true, u) => out.neg(u),
        Scalar::Wide(int) => out.int(int),
        Scalar::Float(f) => out.float(f),
        Scalar::Single(f) => out.f32(f),
        Scalar::Str(text) => out.str(text),
        Scalar::Bytes(bytes) => out.bytes(bytes),
    }
}

impl Serializer {
    /// Begins a map of fields where there was none before, or in the plain layer: gives its column, or where it
    /// begins.
    #[cold]
    #[inline(never)]
    fn first_fields(&mut self, column: u32, announced: usize) -> (u32, usize) {
        let column = self.container(column);
        if self.rows.are_collected() {
            if self.may_collect() && self.rows.begin_table(column, announced) {
                return (column, 0);
            }
            self.rows_irregular(Some(column));
        }
        let start = self.out.len();
        self.out.map_head(announced);
        (PLAIN, start)
    }

    /// Begins a list where there was none before, or of another length, or in the plain layer: gives its column,
    /// that of its first item, and how far those of the others are from each other.
    #[cold]
    #[inline(never)]
    fn first_list(&mut self, column: u32, announced: usize, is_tuple: bool) -> (u32, u32, u32) {
        let column = self.container(column);
        if self.rows.are_collected() {
            // Until here it was taken for one that fits.
            self.rows.columns[column as usize].open = 0;
            let may_begin = self.may_collect();
            if let Some((base, step)) = self.rows.begin_list(column, announced, is_tuple, may_begin) {
                return (column, base, step.unwrap_or(UNDECIDED));
            }
            self.rows_irregular(Some(column));
        }
        self.out.list_head(announced);
        (PLAIN, PLAIN, 0)
    }

    /// The column of a list or map that is about to begin.
    fn container(&mut self, column: u32) -> u32 {
        if column == FIRST { self.rows.column() } else { column }
    }

    /// Whether a list or map at this depth, which was just entered, may become a column.
    fn may_collect(&self) -> bool {
        self.rows_depth.saturating_sub(self.depth_left) <= DEEPEST
    }

    /// Goes on in the plain layer; an element of column `next` comes next.
    #[cold]
    #[inline(never)]
    pub(super) fn rows_irregular(&mut self, next: Option<u32>) {
        self.begun.clear();
        // If something failed the bytes do not matter, and the columns need not fit together.
        match self.failed {
            false => self.begun = self.rows.write_plain(next, &mut self.out),
            true => self.rows.clear(),
        }
        self.left_at = (next.unwrap_or(PLAIN), self.out.len());
        self.second_pass = true;
    }

    /// Where the open element of a column began in the plain layer.
    fn began(&self, column: u32) -> usize {
        self.begun.iter().find(|(begun, _)| *begun == column).map_or(0, |(_, start)| *start)
    }

    fn end_variant(&mut self, column: u32) {
        self.rows.end_variant(column);
    }
}

impl<'s> ser::Serializer for Cell<'s> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = RowSeq<'s>;
    type SerializeTuple = RowItems<'s>;
    type SerializeTupleStruct = RowSeq<'s>;
    type SerializeTupleVariant = RowItems<'s>;
    type SerializeMap = MapCompound<'s>;
    type SerializeStruct = RowFields<'s>;
    type SerializeStructVariant = RowFields<'s>;

    fn is_human_readable(&self) -> bool {
        self.ser.human_readable
    }

    #[inline]
    fn serialize_bool(mut self, on: bool) -> Result<()> {
        if let Some(Items::Bool(bits)) = self.items() {
            bits.push(on);
            return Ok(());
        }
        self.scalar(Scalar::Bool(on))
    }

    #[inline]
    fn serialize_i8(self, n: i8) -> Result<()> {
        self.small(i32::from(n))
    }

    #[inline]
    fn serialize_i16(self, n: i16) -> Result<()> {
        self.small(i32::from(n))
    }

    #[inline]
    fn serialize_i32(self, n: i32) -> Result<()> {
        self.small(n)
    }

    #[inline]
    fn serialize_i64(self, n: i64) -> Result<()> {
        self.int(n)
    }

    fn serialize_i128(self, n: i128) -> Result<()> {
        self.scalar(Scalar::Wide(Int::from(n)))
    }

    #[inline]
    fn serialize_u8(self, n: u8) -> Result<()> {
        self.small(i32::from(n))
    }

    #[inline]
    fn serialize_u16(self, n: u16) -> Result<()> {
        self.small(i32::from(n))
    }

    #[inline]
    fn serialize_u32(self, n: u32) -> Result<()> {
        self.int(i64::from(n))
    }

    #[inline]
    fn serialize_u64(self, n: u64) -> Result<()> {
        match i64::try_from(n) {
            Ok(n) => self.int(n),
            Err(_) => self.scalar(Scalar::Int(false, n)),
        }
    }

    fn serialize_u128(self, n: u128) -> Result<()> {
        self.scalar(Scalar::Wide(Int::from(n)))
    }

    #[inline]
    fn serialize_f32(mut self, f: f32) -> Result<()> {
        if let Some(Items::Single(floats)) = self.items() {
            floats.push(f.to_bits());
            return Ok(());
        }
        self.scalar(Scalar::Single(f))
    }

    #[inline]
    fn serialize_f64(mut self, f: f64) -> Result<()> {
        if let Some(Items::Float(floats)) = self.items() {
            floats.push(f);
            return Ok(());
        }
        self.scalar(Scalar::Float(f))
    }

    fn serialize_char(self, c: char) -> Result<()> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(mut self, text: &str) -> Result<()> {
        if let Some(Items::Text(texts)) = self.items() {
            texts.push(text.as_bytes());
            return Ok(());
        }
        self.scalar(Scalar::Str(text))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<()> {
        self.serialize_str(&printed(value).map_err(unprintable)?)
    }

    #[inline]
    fn serialize_bytes(mut self, bytes: &[u8]) -> Result<()> {
        if let Some(Items::Blob(texts)) = self.items() {
            texts.push(bytes);
            return Ok(());
        }
        self.scalar(Scalar::Bytes(bytes))
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        let Cell { ser, column } = self;
        let before = ser.options;
        if before >= ser.max_depth.saturating_add(Config::MORE_OPTIONS) {
            return Err(ser.fail(too_deep(ser.max_depth)));
        }
        let was_collected = ser.rows.are_collected();
        let start = ser.out.len();
        ser.options += 1;
        let result = value.serialize(Cell { ser: &mut *ser, column });
        ser.options = before;
        result?;
        if !ser.rows.are_collected() {
            return ser.end_some(column, start, was_collected);
        }
        Ok(())
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        if self.ser.options == 0 {
            if let Some(column) = self.ser.rows.columns.get_mut(self.column as usize) {
                if column.add_null() {
                    return Ok(());
                }
            }
        }
        self.scalar(Scalar::Null)
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<()> {
        match name {
            RAW_NAME => self.leave_rows().serialize_newtype_struct(name, value),
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let column = self.variant(variant)?;
        let ser = self.ser;
        match column {
            PLAIN => value.serialize(&mut *ser)?,
            column => value.serialize(Cell { ser: &mut *ser, column })?,
        }
        if column != PLAIN {
            ser.end_variant(self.column);
        }
        ser.leave();
        Ok(())
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<()> {
        let items = items.into_iter();
        let n = match items.size_hint() {
            (n, Some(most)) if n == most => n,
            _ => return self.leave_rows().collect_seq(items),
        };
        // What is known of the list stays in registers.
        let mut list = self.list(n, false, PLAIN)?;
        for item in items {
            list.item(&item)?;
        }
        list.close()
    }

    fn serialize_seq(self, n: Option<usize>) -> Result<RowSeq<'s>> {
        match n {
            Some(n) => self.list(n, false, PLAIN).map(RowSeq::Rows),
            None => self.leave_rows().serialize_seq(None).map(RowSeq::Plain),
        }
    }

    #[inline]
    fn serialize_tuple(self, n: usize) -> Result<RowItems<'s>> {
        self.list(n, true, PLAIN)
    }

    fn serialize_tuple_struct(self, name: &'static str, n: usize) -> Result<RowSeq<'s>> {
        if name == EXT_NAME && n == 2 {
            return self.leave_rows().serialize_tuple_struct(name, n).map(RowSeq::Plain);
        }
        self.list(n, true, PLAIN).map(RowSeq::Rows)
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        n: usize,
    ) -> Result<RowItems<'s>> {
        let column = self.variant(variant)?;
        let outer = self.column;
        Cell { ser: self.ser, column }.list(n, true, outer)
    }

    fn serialize_map(self, n: Option<usize>) -> Result<MapCompound<'s>> {
        self.leave_rows().serialize_map(n)
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, n: usize) -> Result<RowFields<'s>> {
        self.fields(n, PLAIN)
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        n: usize,
    ) -> Result<RowFields<'s>> {
        let column = self.variant(variant)?;
        let outer = self.column;
        Cell { ser: self.ser, column }.fields(n, outer)
    }
}

impl Serializer {
    /// Completes an option that was written in the plain layer, at least at its end.
    #[cold]
    #[inline(never)]
    fn end_some(&mut self, column: u32, start: usize, was_collected: bool) -> Result<()> {
        let start = match was_collected {
            false => start,
            // What is written behind it is in it; what was written as a whole needs nothing.
            true if self.left_at.0 == column => self.left_at.1,
            true => return Ok(()),
        };
        if self.out.wrap_some(start) > self.depth_left {
            return Err(self.fail(too_deep(self.max_depth)));
        }
        Ok(())
    }
}

/// A map of fields: a row of a table, as long as rows are collected.
///
/// It is small, and only values of it are given to what is called, so that it stays in registers.
pub(super) struct RowFields<'s> {
    ser: &'s mut Serializer,
    column: u32,
    /// The column of the variant that ends with it.
    outer: u32,
    /// The column of the field that comes next.
    next: u32,
    /// How many fields came.
    count: usize,
    announced: usize,
    /// Where it began, if it began in the plain layer.
    start: usize,
}

impl RowFields<'_> {
    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.count += 1;
        let column = self.next;
        match self.ser.rows.columns.get(column as usize).and_then(|own| own.is_of(key)) {
            Some(next) => {
                self.next = next;
                let result = value.serialize(Cell { ser: &mut *self.ser, column });
                self.ser.failed |= result.is_err();
                result
            }
            None => {
                let (next, result) = self.ser.other_field(self.column, column, key, value);
                self.next = next;
                result
            }
        }
    }

    #[inline(always)]
    fn close(self) -> Result<()> {
        let RowFields { ser, column, outer, next, count, announced, start } = self;
        if announced != count {
            return Err(ser.fail(length_mismatch()));
        }
        let mut is_like_others = false;
        if let Some(own) = ser.rows.columns.get_mut(column as usize) {
            if let Items::Table(table) = &mut own.items {
                is_like_others = next == END && table.new == 0;
                if is_like_others {
                    table.rows += 1;
                    own.open = 0;
                }
            }
        }
        if !is_like_others {
            ser.end_fields(column, next, count, start)?;
        }
        ser.depth_left += 1;
        if outer != PLAIN {
            ser.end_variant(outer);
            ser.depth_left += 1;
        }
        Ok(())
    }
}

impl Serializer {
    /// Adds a field that is not like in the rows before, or to the plain layer. Gives which comes next.
    #[cold]
    #[inline(never)]
    fn other_field<T: Serialize + ?Sized>(
        &mut self,
        table: u32,
        next: u32,
        key: &'static str,
        value: &T,
    ) -> (u32, Result<()>) {
        let (column, next) = self.find_field(table, next, key);
        let result = match column {
            PLAIN => value.serialize(&mut *self),
            column => value.serialize(Cell { ser: &mut *self, column }),
        };
        self.failed |= result.is_err();
        (next, result)
    }

    /// The column of a field that is not like in the rows before, or the key in the plain layer; and which field
    /// comes next.
    #[cold]
    #[inline(never)]
    fn find_field(&mut self, column: u32, mut next: u32, key: &'static str) -> (u32, u32) {
        if self.rows.are_collected() {
            if let Found::Column(column) = self.rows.find(column, &mut next, key) {
                return (column, next);
            }
            self.rows_irregular(None);
        }
        self.out.str(key);
        (PLAIN, END)
    }

    /// Ends a row that is not like those before, or a map in the plain layer.
    #[cold]
    #[inline(never)]
    fn end_fields(&mut self, column: u32, next: u32, count: usize, start: usize) -> Result<()> {
        if self.rows.are_collected() {
            if !self.rows.end_row(column, next, count) {
                self.rows_irregular(None);
            }
            return Ok(());
        }
        let start = match column {
            PLAIN => start,
            column => self.began(column),
        };
        match self.names_differ(start, count) {
            true => Ok(()),
            false => Err(self.fail(duplicate_key())),
        }
    }
}

impl ser::SerializeStruct for RowFields<'_> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeStructVariant for RowFields<'_> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

/// A list in a row, as long as rows are collected.
pub(super) struct RowItems<'s> {
    ser: &'s mut Serializer,
    column: u32,
    /// The column of the variant that ends with it.
    outer: u32,
    /// The column of the next item, and how far that of the one after it is from it.
    base: u32,
    step: u32,
    announced: usize,
    count: usize,
}

impl RowItems<'_> {
    #[inline(always)]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let column = self.base;
        if self.count >= self.announced {
            // There is no column for it.
            return Err(self.ser.fail(length_mismatch()));
        }
        self.count += 1;
        let result = match self.ser.rows.are_collected() {
            true => value.serialize(Cell { ser: &mut *self.ser, column }),
            false => value.serialize(&mut *self.ser),
        };
        self.ser.failed |= result.is_err();
        if self.step == UNDECIDED {
            self.step = self.ser.rows.decide(self.column);
        }
        self.base = column.wrapping_add(self.step);
        result
    }

    #[inline(always)]
    fn close(self) -> Result<()> {
        let RowItems { ser, column, outer, announced, count, .. } = self;
        if announced != count {
            return Err(ser.fail(length_mismatch()));
        }
        let mut is_like_others = false;
        if let Some(own) = ser.rows.columns.get_mut(column as usize) {
            match &mut own.items {
                Items::List { lengths, .. } if !lengths.is_empty() => {
                    lengths.push(count as u32);
                    own.open = 0;
                    is_like_others = true;
                }
                Items::Tuple { n, .. } => {
                    *n += 1;
                    own.open = 0;
                    is_like_others = true;
                }
                _ => {}
            }
        }
        if !is_like_others {
            ser.end_list(column, count);
        }
        ser.depth_left += 1;
        if outer != PLAIN {
            ser.end_variant(outer);
            ser.depth_left += 1;
        }
        Ok(())
    }
}

impl Serializer {
    /// Ends the first list of a column, or one in the plain layer.
    #[cold]
    #[inline(never)]
    fn end_list(&mut self, column: u32, count: usize) {
        if self.rows.are_collected() && !self.rows.end_list(column, count) {
            self.rows_irregular(None);
        }
    }
}

impl ser::SerializeTuple for RowItems<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeTupleVariant for RowItems<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

/// A list in a row, or what cannot be one.
pub(super) enum RowSeq<'s> {
    /// Items that are collected.
    Rows(RowItems<'s>),
    /// Items in the plain layer.
    Plain(Compound<'s>),
}

impl ser::SerializeSeq for RowSeq<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            RowSeq::Rows(items) => items.item(value),
            RowSeq::Plain(items) => ser::SerializeSeq::serialize_element(items, value),
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self {
            RowSeq::Rows(items) => items.close(),
            RowSeq::Plain(items) => ser::SerializeSeq::end(items),
        }
    }
}

impl ser::SerializeTupleStruct for RowSeq<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            RowSeq::Rows(items) => items.item(value),
            RowSeq::Plain(items) => ser::SerializeTupleStruct::serialize_field(items, value),
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self {
            RowSeq::Rows(items) => items.close(),
            RowSeq::Plain(items) => ser::SerializeTupleStruct::end(items),
        }
    }
}
