//! The serializer: serde's 29 shapes as values of the plain layer (SRD-1).

use super::error::{printed, unprintable};
use super::raw::RAW_NAME;
use super::rows::{Cell, FIRST};
use super::tagged::EXT_NAME;
use crate::canonical::Form;
use crate::check;
use crate::columns::{CONTAINER_MIN, DEEPEST, ENTRIES_MIN, Rows, SCALARS_MIN, ValueKind};
use crate::config::Config;
use crate::encode::{duplicate_key, finish, length_mismatch, too_deep};
use crate::error::{Code, Error, Result};
use crate::keys::{self, Few, Range};
use crate::num::Int;
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;
use core::fmt::Display;
use core::sync::atomic::{AtomicUsize, Ordering};
use serde::ser::{self, Serialize};

/// Serializes into memory; made by [`to_vec`](crate::to_vec()) and its kin.
///
/// ```
/// use serde::Serialize;
/// let mut serializer = wbin::Serializer::with_config(&wbin::Config::new());
/// (1, "a").serialize(&mut serializer).unwrap();
/// assert_eq!(serializer.into_vec().unwrap(), [0x82, 0x01, 0x41, b'a']);
/// ```
pub struct Serializer {
    pub(super) out: Output,
    /// How many more levels may be opened.
    pub(super) depth_left: u32,
    pub(super) max_depth: u32,
    pub(super) human_readable: bool,
    /// The keys of all maps that are open; each map knows where its own begin.
    keys: Vec<Range>,
    /// How many options are open around the value that comes next.
    pub(super) options: u32,
    /// Whether something was written that is not in its preferred form: a raw value, an open list.
    other_forms: bool,
    /// Whether a part failed: if the type that holds it goes on, its bytes are not whole.
    pub(super) failed: bool,
    /// The columns of the list whose items are collected.
    pub(super) rows: Rows,
    /// How many levels were left in that list.
    pub(super) rows_depth: u32,
    /// How many items it announced.
    pub(super) announced: usize,
    /// Lists and maps that were open when collecting ended early: their columns, and where they begin.
    pub(super) begun: Vec<(u32, usize)>,
    /// The column of which an element came next then, and where it begins.
    pub(super) left_at: (u32, usize),
    /// How many lists and maps are open that may become columns as a whole: nothing in them is collected.
    held: u32,
    /// Whether there is something in the plain layer that columns may be shorter than.
    pub(super) second_pass: bool,
}

impl Serializer {
    /// A serializer with the depth limit and the human-readable switch of a [`Config`].
    pub fn with_config(config: &Config) -> Serializer {
        // What it writes is not looked at once more, so all of it is in the plain layer.
        Serializer { held: 1, ..Serializer::new(Output::default(), Rows::default(), config) }
    }

    #[inline]
    pub(super) fn new(out: Output, rows: Rows, config: &Config) -> Serializer {
        Serializer {
            out,
            depth_left: config.get_max_depth(),
            max_depth: config.get_max_depth(),
            human_readable: config.is_human_readable(),
            keys: Vec::new(),
            options: 0,
            other_forms: false,
            failed: false,
            rows,
            rows_depth: 0,
            announced: 0,
            begun: Vec::new(),
            left_at: (0, 0),
            held: u32::from(config.is_plain() || config.is_canonical()),
            second_pass: false,
        }
    }

    /// The bytes written.
    ///
    /// # Errors
    ///
    /// If a part of the value failed, and the type that holds it ignored that.
    pub fn into_vec(self) -> Result<Vec<u8>> {
        self.into_output().map(Output::into_vec)
    }

    #[inline]
    pub(super) fn into_output(self) -> Result<Output> {
        match self.failed {
            true => Err(Error::nowhere(Code::EncoderState, "an error of a part was ignored")),
            false => Ok(self.out),
        }
    }

    /// The document in the form that a config asks for.
    #[inline]
    pub(super) fn finish(self, config: &Config) -> Result<Vec<u8>> {
        let may_shorten = self.second_pass;
        finish(self.into_output()?, config, may_shorten)
    }

    /// Serializes a part of a list or map.
    #[inline(always)]
    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let result = value.serialize(&mut *self);
        self.failed |= result.is_err();
        result
    }

    #[inline(always)]
    pub(super) fn enter(&mut self) -> Result<()> {
        match self.depth_left.checked_sub(1) {
            Some(left) => {
                self.depth_left = left;
                self.options = 0;
                Ok(())
            }
            None => Err(self.fail(too_deep(self.max_depth))),
        }
    }

    /// Whether a key occurs twice among those that were written.
    #[inline]
    fn has_twice(&self, keys: &[Range]) -> bool {
        match self.other_forms {
            // Equal keys need not have the same bytes.
            true => keys::find_duplicate(self.out.as_bytes(), keys, Form::Preferred).is_some(),
            false => keys::find_written_twice(self.out.as_bytes(), keys).is_some(),
        }
    }

    /// Remembers that something failed, if the type that is serialized should ignore it.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, error: Error) -> Error {
        self.failed = true;
        error
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.depth_left += 1;
    }

    /// Opens a list, or a map of fields.
    #[inline(always)]
    fn list(&mut self, n: Option<usize>) -> Result<Compound<'_>> {
        self.enter()?;
        let start = self.out.len();
        let mode = match n {
            Some(n) => {
                self.out.list_head(n);
                match n {
                    0 | 1 => Mode::Plain,
                    _ => Mode::Next,
                }
            }
            None => {
                self.out.open();
                self.held += 1;
                self.second_pass = true;
                Mode::Held
            }
        };
        Ok(Compound { ser: self, start, announced: n, count: 0, levels: 1, mode })
    }

    /// Looks at a value of a map of three entries or more, the first of which begin alike if it is worth being
    /// tried by columns.
    #[inline(always)]
    fn watch(&mut self, watched: &mut Watch, start: usize) {
        if watched.left > 0 {
            self.watch_more(watched, start);
        }
    }

    #[inline]
    fn watch_more(&mut self, watched: &mut Watch, start: usize) {
        let kind = self.out.as_bytes().get(start).map_or(ValueKind::Other, |tag| ValueKind::of(*tag));
        if *watched.kind.get_or_insert(kind) != kind {
            watched.left = 0;
            watched.is_held = false;
            self.held -= 1;
            return;
        }
        watched.left -= 1;
    }

    /// Ends watching a map, which began at `start`.
    #[inline(always)]
    fn end_watch(&mut self, watched: &Watch, start: usize) {
        self.held -= u32::from(watched.is_held);
        self.second_pass |= watched.is_held && watched.left == 0 && self.is_long(start);
    }

    /// Whether what began at `start` is worth being tried by columns for its length.
    #[inline(always)]
    fn is_long(&self, start: usize) -> bool {
        self.out.len() - start >= CONTAINER_MIN
    }

    /// Begins to watch the values of a map.
    #[inline(always)]
    fn begin_watch(&mut self, n: usize) -> Watch {
        let is_held = n >= ENTRIES_MIN;
        self.held += u32::from(is_held);
        Watch { left: if is_held { ENTRIES_MIN as u8 } else { 0 }, is_held, kind: None }
    }

    /// Whether all names of a map of fields differ (MAP-5).
    #[cold]
    #[inline(never)]
    pub(super) fn names_differ(&self, start: usize, count: usize) -> bool {
        let data = self.out.as_bytes();
        let mut reader = Reader { data, pos: start };
        let mut names = Vec::with_capacity(count);
        // It was written here, so it is read without errors.
        let mut read = || {
            reader.token(1, 1)?;
            for _ in 0..count {
                let name = reader.pos;
                skip_value(&mut reader, u32::MAX, u32::MAX)?;
                names.push((name, reader.pos));
                skip_value(&mut reader, u32::MAX, u32::MAX)?;
            }
            Ok::<(), Error>(())
        };
        read().is_ok() && keys::find_written_twice(data, &names).is_none()
    }

    /// `{variant: …}`, of which the value follows.
    #[inline]
    fn variant(&mut self, variant: &str) -> Result<()> {
        self.enter()?;
        self.out.map_head(1);
        self.out.str(variant);
        Ok(())
    }

    #[inline(always)]
    fn fields(&mut self, n: usize) -> Result<FieldCompound<'_>> {
        self.enter()?;
        let start = self.out.len();
        self.out.map_head(n);
        let watch = self.begin_watch(n);
        Ok(FieldCompound { ser: self, start, announced: n, count: 0, print: 0, levels: 1, watch })
    }
}

impl<'s> ser::Serializer for &'s mut Serializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s>;
    type SerializeTuple = Compound<'s>;
    type SerializeTupleStruct = Compound<'s>;
    type SerializeTupleVariant = Compound<'s>;
    type SerializeMap = MapCompound<'s>;
    type SerializeStruct = FieldCompound<'s>;
    type SerializeStructVariant = FieldCompound<'s>;

    fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    #[inline]
    fn serialize_bool(self, on: bool) -> Result<()> {
        self.out.bool(on);
        Ok(())
    }

    #[inline]
    fn serialize_i8(self, n: i8) -> Result<()> {
        self.serialize_i64(i64::from(n))
    }

    #[inline]
    fn serialize_i16(self, n: i16) -> Result<()> {
        self.serialize_i64(i64::from(n))
    }

    #[inline]
    fn serialize_i32(self, n: i32) -> Result<()> {
        self.serialize_i64(i64::from(n))
    }

    #[inline]
    fn serialize_i64(self, n: i64) -> Result<()> {
        self.out.i64(n);
        Ok(())
    }

    fn serialize_i128(self, n: i128) -> Result<()> {
        self.out.int(Int::from(n));
        Ok(())
    }

    #[inline]
    fn serialize_u8(self, n: u8) -> Result<()> {
        self.serialize_u64(u64::from(n))
    }

    #[inline]
    fn serialize_u16(self, n: u16) -> Result<()> {
        self.serialize_u64(u64::from(n))
    }

    #[inline]
    fn serialize_u32(self, n: u32) -> Result<()> {
        self.serialize_u64(u64::from(n))
    }

    #[inline]
    fn serialize_u64(self, n: u64) -> Result<()> {
        self.out.pos(n);
        Ok(())
    }

    fn serialize_u128(self, n: u128) -> Result<()> {
        self.out.int(Int::from(n));
        Ok(())
    }

    #[inline]
    fn serialize_f32(self, f: f32) -> Result<()> {
        self.out.f32(f);
        Ok(())
    }

    #[inline]
    fn serialize_f64(self, f: f64) -> Result<()> {
        self.out.float(f);
        Ok(())
    }

    fn serialize_char(self, c: char) -> Result<()> {
        self.out.str(c.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<()> {
        self.out.str(text);
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<()> {
        self.serialize_str(&printed(value).map_err(unprintable)?)
    }

    #[inline]
    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.out.bytes(bytes);
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    /// The value; behind a `some` where it would be read as `None` without one (SRD-4).
    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        let (start, before) = (self.out.len(), self.options);
        // Types can nest options without end around one value: they may not before it is known how
        // many of them take a byte, and so count as levels.
        if before >= self.max_depth.saturating_add(Config::MORE_OPTIONS) {
            return Err(self.fail(too_deep(self.max_depth)));
        }
        self.options += 1;
        let result = value.serialize(&mut *self);
        self.options = before;
        result?;
        if self.out.wrap_some(start) > self.depth_left {
            return Err(self.fail(too_deep(self.max_depth)));
        }
        Ok(())
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        self.out.byte(tag::NULL);
        Ok(())
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
            RAW_NAME => value.serialize(RawSerializer { ser: self }),
            _ => value.serialize(self),
        }
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.variant(variant)?;
        value.serialize(&mut *self)?;
        self.leave();
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, n: Option<usize>) -> Result<Compound<'s>> {
        self.list(n)
    }

    #[inline]
    fn serialize_tuple(self, n: usize) -> Result<Compound<'s>> {
        self.list(Some(n))
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, n: usize) -> Result<Compound<'s>> {
        if name == EXT_NAME && n == 2 {
            self.enter()?;
            let start = self.out.len();
            self.out.byte(tag::EXT);
            return Ok(Compound {
                ser: self,
                start,
                announced: Some(2),
                count: 0,
                levels: 1,
                mode: Mode::Plain,
            });
        }
        self.list(Some(n))
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        n: usize,
    ) -> Result<Compound<'s>> {
        self.variant(variant)?;
        let list = self.list(Some(n))?;
        Ok(Compound { levels: 2, ..list })
    }

    #[inline]
    fn serialize_map(self, n: Option<usize>) -> Result<MapCompound<'s>> {
        self.enter()?;
        let start = self.out.len();
        match n {
            Some(n) => self.out.map_head(n),
            None => {
                self.out.open();
            }
        }
        let watch = self.begin_watch(n.unwrap_or(ENTRIES_MIN));
        let first_key = self.keys.len();
        let (body, few) = (self.out.len(), n.filter(|n| *n <= Few::MOST).map(|_| Few::default()));
        Ok(MapCompound {
            ser: self,
            start,
            body,
            announced: n,
            count: 0,
            few,
            first_key,
            value_due: false,
            watch,
        })
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, n: usize) -> Result<FieldCompound<'s>> {
        self.fields(n)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        n: usize,
    ) -> Result<FieldCompound<'s>> {
        self.variant(variant)?;
        let fields = self.fields(n)?;
        Ok(FieldCompound { levels: 2, ..fields })
    }
}

/// A list, an ext, or a map of fields that is being written.
pub struct Compound<'s> {
    ser: &'s mut Serializer,
    start: usize,
    announced: Option<usize>,
    count: usize,
    /// How many levels end with it: a variant is one more.
    levels: u32,
    mode: Mode,
}

/// What becomes of the items of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// They are written in the plain layer, and each may be written by columns.
    Plain,
    /// They are written in the plain layer, and may be written by columns only together.
    Held,
    /// They are collected, which the first one may have ended.
    Rows,
    /// That depends on the first one.
    Next,
}

impl Compound<'_> {
    #[inline(always)]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.count += 1;
        match self.mode {
            Mode::Plain | Mode::Held => self.ser.part(value),
            Mode::Rows if self.ser.rows.are_collected() => {
                let result = value.serialize(Cell { ser: &mut *self.ser, column: 0 });
                self.ser.failed |= result.is_err();
                result
            }
            Mode::Rows => self.ser.part(value),
            Mode::Next => self.first_item(value),
        }
    }

    /// The first item of a list of two or more.
    #[inline(never)]
    fn first_item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let start = self.ser.out.len();
        let announced = self.announced.unwrap_or_default();
        let is_collected = self.ser.held == 0 && self.ser.max_depth - self.ser.depth_left <= DEEPEST;
        self.ser.held += 1;
        let result = match is_collected {
            true => {
                self.ser.announced = announced;
                self.ser.rows_depth = self.ser.depth_left;
                value.serialize(Cell { ser: &mut *self.ser, column: FIRST })
            }
            false => value.serialize(&mut *self.ser),
        };
        self.ser.failed |= result.is_err();
        self.mode = match self.ser.out.as_bytes().get(start) {
            _ if is_collected && self.ser.rows.are_collected() => {
                self.ser.rows.reserve(announced - 1);
                Mode::Rows
            }
            Some(tag) if announced < SCALARS_MIN && ValueKind::of(*tag).is_scalar() => {
                // It is too short to be tried.
                self.ser.held -= 1;
                Mode::Plain
            }
            _ => Mode::Held,
        };
        result
    }

    #[inline(always)]
    fn close(self) -> Result<()> {
        match self.announced {
            Some(n) if n == self.count => {}
            Some(_) => return Err(self.ser.fail(length_mismatch())),
            None => self.ser.other_forms |= self.ser.out.close(self.start, self.count, false),
        }
        if matches!(self.mode, Mode::Held | Mode::Rows) {
            self.ser.held -= 1;
            if self.mode == Mode::Rows && self.ser.rows.are_collected() {
                self.ser.finish_rows(self.start, self.count);
            } else {
                self.ser.second_pass |= self.ser.is_long(self.start);
            }
        }
        self.ser.depth_left += self.levels;
        Ok(())
    }
}

impl Serializer {
    /// Writes the rows that were collected.
    #[inline(never)]
    fn finish_rows(&mut self, start: usize, n: usize) {
        // If something failed, the columns need not fit together.
        match self.failed {
            false => self.second_pass |= !self.rows.finish(n, start, &mut self.out) && self.is_long(start),
            true => self.rows.clear(),
        }
    }
}

/// The values of a map that may be worth being tried by columns.
struct Watch {
    /// How many values are still to be looked at.
    left: u8,
    /// Whether nothing in the map is collected.
    is_held: bool,
    /// What the values were up to now.
    kind: Option<ValueKind>,
}

impl ser::SerializeSeq for Compound<'_> {
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

impl ser::SerializeTuple for Compound<'_> {
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

impl ser::SerializeTupleStruct for Compound<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.item(value)?;
        // An ext begins like no list does; its first field must have been its type.
        if self.count == 1 && self.ser.out.as_bytes().get(self.start) == Some(&tag::EXT) {
            let mut written = Reader { data: self.ser.out.as_bytes(), pos: self.start + 1 };
            if written.ext_type().is_err() || written.remaining() > 0 {
                let error = Error::nowhere(Code::ExtType, "an ext type is an int of 0 to 2^64-1");
                return Err(self.ser.fail(error));
            }
        }
        Ok(())
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeTupleVariant for Compound<'_> {
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

/// A map of fields that is being written.
pub struct FieldCompound<'s> {
    ser: &'s mut Serializer,
    start: usize,
    announced: usize,
    count: usize,
    /// A number that is the same for the same names in the same order.
    print: usize,
    levels: u32,
    watch: Watch,
}

impl FieldCompound<'_> {
    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.count += 1;
        // The names of a type are always the same text at the same place.
        let name = key.as_ptr().addr() ^ key.len().rotate_right(8);
        self.print = (self.print.rotate_left(5) ^ name).wrapping_mul(0x9E37_79B9);
        self.ser.out.str(key);
        let start = self.ser.out.len();
        let result = self.ser.part(value);
        self.ser.watch(&mut self.watch, start);
        result
    }

    #[inline(always)]
    fn close(self) -> Result<()> {
        if self.announced != self.count {
            return Err(self.ser.fail(length_mismatch()));
        }
        let slots = &TOLD_APART[self.print >> 8 & 63];
        if slots[0].load(Ordering::Relaxed) != self.print && !self.tell_apart(slots) {
            return Err(self.ser.fail(duplicate_key()));
        }
        self.ser.end_watch(&self.watch, self.start);
        self.ser.depth_left += self.levels;
        Ok(())
    }

    /// Whether all names differ (MAP-5): two fields can be renamed alike, and the tag of an enum can be
    /// named like a field.
    #[cold]
    #[inline(never)]
    fn tell_apart(&self, slots: &[AtomicUsize; 4]) -> bool {
        if slots.iter().any(|slot| slot.load(Ordering::Relaxed) == self.print) {
            return true;
        }
        let differ = self.ser.names_differ(self.start, self.count);
        if differ {
            let is_free = |slot: &&AtomicUsize| slot.load(Ordering::Relaxed) == 0;
            let slot = slots.iter().find(is_free).unwrap_or(&slots[self.print >> 14 & 3]);
            slot.store(self.print, Ordering::Relaxed);
        }
        differ
    }
}

/// Lists of field names that were found to differ: a type is looked at once, not each time. Types that fall on the same
/// place have four slots there.
static TOLD_APART: [[AtomicUsize; 4]; 64] = [const { [const { AtomicUsize::new(0) }; 4] }; 64];

impl ser::SerializeStruct for FieldCompound<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

impl ser::SerializeStructVariant for FieldCompound<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.close()
    }
}

/// A map whose keys are known only at run time.
pub struct MapCompound<'s> {
    ser: &'s mut Serializer,
    start: usize,
    /// Where the first key begins.
    body: usize,
    announced: Option<usize>,
    count: usize,
    /// The keys of a map that announced few; those of others are listed.
    few: Option<Few>,
    first_key: usize,
    value_due: bool,
    watch: Watch,
}

impl MapCompound<'_> {
    #[inline(always)]
    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if self.value_due {
            return Err(self.ser.fail(key_without_value()));
        }
        let start = self.ser.out.len();
        self.ser.part(key)?;
        let range = (start, self.ser.out.len());
        match &mut self.few {
            Some(few) => few.add(self.ser.out.as_bytes(), range),
            None => self.ser.keys.push(range),
        }
        self.count += 1;
        Ok(())
    }

    #[inline(always)]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let start = self.ser.out.len();
        let result = self.ser.part(value);
        self.ser.watch(&mut self.watch, start);
        result
    }

    /// Whether no key occurs twice (MAP-5).
    #[inline(always)]
    fn keys_differ(&mut self) -> bool {
        if let Some(few) = self.few {
            if few.differ() {
                return true;
            }
            keys::list(self.ser.out.as_bytes(), self.body, self.count, &mut self.ser.keys);
        }
        let own_keys = self.ser.keys.get(self.first_key..).unwrap_or_default();
        let differ = !self.ser.has_twice(own_keys);
        self.ser.keys.truncate(self.first_key);
        differ
    }
}

impl ser::SerializeMap for MapCompound<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key(key)?;
        self.value_due = true;
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if !self.value_due {
            return Err(self.ser.fail(key_without_value()));
        }
        self.value_due = false;
        self.value(value)
    }

    /// A key and its value: most maps are written in this way.
    #[inline]
    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<()> {
        self.key(key)?;
        self.value(value)
    }

    #[inline]
    fn end(mut self) -> Result<()> {
        if self.value_due {
            return Err(self.ser.fail(key_without_value()));
        }
        if !self.keys_differ() {
            return Err(self.ser.fail(duplicate_key()));
        }
        match self.announced {
            Some(n) if n == self.count => {}
            Some(_) => return Err(self.ser.fail(length_mismatch())),
            None => self.ser.other_forms |= self.ser.out.close(self.start, self.count, true),
        }
        self.ser.end_watch(&self.watch, self.start);
        self.ser.leave();
        Ok(())
    }
}

#[cold]
fn key_without_value() -> Error {
    Error::nowhere(Code::EncoderState, "the keys and values of a map do not take turns")
}

/// Takes the bytes of a [`RawValue`](crate::RawValue), and nothing else.
struct RawSerializer<'s> {
    ser: &'s mut Serializer,
}

/// What a raw value's bytes are refused as.
macro_rules! refuse {
    ($($method:ident($($arg:ty),*) -> $ok:ty;)*) => {
        $(fn $method(self, $(_: $arg),*) -> Result<$ok> {
            Err(Error::nowhere(Code::EncoderState, "a raw value that is no bytes"))
        })*
    };
}

impl ser::Serializer for RawSerializer<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ser::Impossible<(), Error>;
    type SerializeTuple = ser::Impossible<(), Error>;
    type SerializeTupleStruct = ser::Impossible<(), Error>;
    type SerializeTupleVariant = ser::Impossible<(), Error>;
    type SerializeMap = ser::Impossible<(), Error>;
    type SerializeStruct = ser::Impossible<(), Error>;
    type SerializeStructVariant = ser::Impossible<(), Error>;

    /// The bytes come from whoever knows the name, so they are checked again: an encoder never
    /// writes what a decoder refuses.
    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        if let Err(error) = check::valid(bytes, self.ser.depth_left) {
            return Err(self.ser.fail(error));
        }
        self.ser.other_forms = true;
        match bytes.first() {
            Some(&tag::SIGNATURE_TAG) => self.ser.out.slice(&bytes[tag::SIGNATURE.len()..]),
            _ => self.ser.out.slice(bytes),
        }
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<()> {
        self.serialize_none()
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<()> {
        self.serialize_none()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<()> {
        self.serialize_none()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        self.serialize_none()
    }
}
