//! The deserializer: values of the plain layer as what serde's types ask for (SRD-1).
//!
//! Each method tries the tags of the type that is asked for before anything else. Whatever a visitor
//! leaves half read is put right by [`Deserializer::part`], so that a type which recovers from the
//! error of a part goes on at the next part.

use super::columns::Cell;
use super::raw::RAW_NAME;
use super::tagged::{EXT_KEY, EXT_NAME};
use super::value::VALUE_NAME;
use crate::canonical::Form;
use crate::check;
use crate::columns::Columns;
use crate::config::Config;
use crate::error::{Code, Error, Result, Step};
use crate::keys::{self, Few, Guess, Memory, Range};
use crate::num::{self, Int};
use crate::plain::{Token, bad_tag, str_from};
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::mem;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer as _, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

/// Methods of a key for types that are no text.
macro_rules! rare_key {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.again().$method(visitor)
        })*
    };
}

/// Deserializes from a slice; made by [`from_slice`](crate::from_slice()) and its kin.
///
/// ```
/// use serde::Deserialize;
/// let mut deserializer = wbin::Deserializer::from_slice(&[0x05, 0x06]);
/// assert_eq!(u8::deserialize(&mut deserializer).unwrap(), 5);
/// assert_eq!(deserializer.position(), 1);
/// ```
pub struct Deserializer<'de> {
    pub(super) reader: Reader<'de>,
    pub(super) depth_left: u32,
    pub(super) max_depth: u32,
    pub(super) human_readable: bool,
    /// How many options are open around the value that comes next.
    pub(super) options: u32,
    /// How many more items types are told to reserve memory for: a document has no more values
    /// than bytes, however many its counts claim.
    budget: usize,
    /// The keys of untyped maps that are being read; each map knows where its own begin.
    keys: Vec<Range>,
    /// Keys of maps that were read.
    memory: Memory<'de>,
    /// The columns that are being read.
    pub(super) columns: Columns<'de>,
    /// The column and the number of the key that was read last from columns.
    pub(super) column_key: Option<(u32, usize)>,
}

impl<'de> Deserializer<'de> {
    /// A deserializer at the start of `bytes`, with the default limits.
    pub fn from_slice(bytes: &'de [u8]) -> Deserializer<'de> {
        Deserializer::with_config(bytes, &Config::new())
    }

    /// A deserializer with the depth limit and the human-readable switch of a [`Config`].
    ///
    /// A signature is passed over; a bad one is found when the first value is read.
    pub fn with_config(bytes: &'de [u8], config: &Config) -> Deserializer<'de> {
        let mut reader = Reader::new(bytes);
        let _ = reader.signature();
        Deserializer::resume(reader, config)
    }

    #[inline]
    pub(super) fn resume(reader: Reader<'de>, config: &Config) -> Deserializer<'de> {
        Deserializer {
            budget: reader.remaining(),
            reader,
            depth_left: config.get_max_depth(),
            max_depth: config.get_max_depth(),
            human_readable: config.is_human_readable(),
            options: 0,
            column_key: None,
            keys: Vec::new(),
            memory: Memory::default(),
            columns: Columns::default(),
        }
    }

    /// The value that comes next, read to its end whatever its type makes of it.
    #[inline]
    pub(super) fn root<T: de::Deserialize<'de>>(&mut self) -> Result<T> {
        self.whole(|de| T::deserialize(de))
    }

    /// What is read with `read` of the value that comes next, which is read to its end whatever is made of
    /// it.
    #[inline]
    pub(super) fn whole<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let place = self.place();
        let value = read(self)?;
        self.complete(&place)?;
        Ok(value)
    }

    /// The offset in bytes of what comes next.
    pub fn position(&self) -> usize {
        self.reader.pos
    }

    /// Reads a head; the reader stays before one that cannot be read.
    #[inline(always)]
    fn token(&mut self) -> Result<Token<'de>> {
        self.reader.token(self.depth_left, self.max_depth)
    }

    /// Memory to reserve for `n` items.
    #[inline(always)]
    fn grant(&mut self, n: usize) -> usize {
        let granted = n.min(self.budget);
        self.budget -= granted;
        granted
    }

    /// Reads a part of a container with `read`. If that fails, the error learns its place, and the
    /// reader moves behind the part, so that the next one can be read.
    #[inline(always)]
    fn part<T>(
        &mut self,
        step: impl FnOnce() -> Step,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let place = self.place();
        match read(self) {
            Ok(value) => match self.complete(&place) {
                Ok(()) => Ok(value),
                Err(error) => Err(error.inside(step())),
            },
            Err(error) => Err(self.part_failed(error, place, Some(step()))),
        }
    }

    #[inline(always)]
    fn place(&self) -> Place {
        Place { pos: self.reader.pos, depth_left: self.depth_left }
    }

    /// Whether a part that was read without an error was read to its end: a type may ignore the error
    /// of a deserializer it was given, or not use it at all. A scalar is read whole or not at all, and
    /// a container that was left half read has not given its level back.
    #[inline(always)]
    fn has_read(&self, place: &Place) -> bool {
        self.reader.pos != place.pos && self.depth_left == place.depth_left
    }

    /// Makes sure that a part which was read without an error is behind the reader.
    #[inline(always)]
    fn complete(&mut self, place: &Place) -> Result<()> {
        match self.has_read(place) {
            true => Ok(()),
            false => self.read_over(place),
        }
    }

    /// Moves behind a part, wherever in it the reader stands.
    #[cold]
    #[inline(never)]
    fn read_over(&mut self, place: &Place) -> Result<()> {
        self.reader.pos = place.pos;
        self.depth_left = place.depth_left;
        while self.keys.last().is_some_and(|key| key.0 >= place.pos) {
            self.keys.pop(); // of a map that was left half read
        }
        let result = skip_value(&mut self.reader, self.depth_left, self.max_depth);
        if result.is_err() {
            // There is no next part: whatever is read after this must fail, too.
            self.reader.pos = self.reader.data.len();
        }
        result
    }

    #[cold]
    #[inline(never)]
    fn part_failed(&mut self, error: Error, place: Place, step: Option<Step>) -> Error {
        // If the part is not even well-formed, the error says so already.
        let _ = self.read_over(&place);
        let error = error.at(place.pos);
        match step {
            Some(step) => error.inside(step),
            None => error,
        }
    }

    /// The error of a value that is not what the visitor wants; the value is read again to name it.
    #[cold]
    #[inline(never)]
    fn mismatch(&mut self, start: usize, expected: &dyn de::Expected) -> Error {
        self.reader.pos = start;
        let token = match self.token() {
            Ok(token) => token,
            Err(error) => return error,
        };
        // Nothing of it was read, as far as its container is concerned.
        self.reader.pos = start;
        let found = match token {
            Token::Null => Unexpected::Unit,
            Token::Bool(on) => Unexpected::Bool(on),
            Token::Pos(u) => Unexpected::Unsigned(u),
            Token::Neg(u) if u <= i64::MAX as u64 => Unexpected::Signed(!u as i64),
            Token::Neg(u) => return big_int(Code::InvalidType, Int::from_wire(true, u), start, expected),
            Token::Big(int) => return big_int(Code::InvalidType, int, start, expected),
            Token::Float(f) => Unexpected::Float(f),
            Token::Str(bytes) => match str_from(bytes, start) {
                Ok(text) => Unexpected::Str(text),
                Err(error) => return error,
            },
            Token::Bytes(bytes) => Unexpected::Bytes(bytes),
            Token::List(_) | Token::ListOpen | Token::ListColumns => Unexpected::Seq,
            Token::Map(_) | Token::MapOpen | Token::MapColumns => Unexpected::Map,
            Token::Ext(_) => Unexpected::Other("ext"),
            Token::Some => Unexpected::Option,
            Token::End => return bad_tag(tag::END, start),
        };
        Error::invalid_type(found, expected).at(start)
    }

    /// The error of a map that is no variant of an enum; nothing of it counts as read.
    #[cold]
    fn one_entry(&mut self, start: usize) -> Error {
        self.reader.pos = start;
        Error::new(Code::InvalidLength, start, "an enum is a string or a map of one entry")
    }

    /// The payload of an ext, which comes next or is an element of a column.
    fn payload<T: DeserializeSeed<'de>>(
        &mut self,
        ext_type: u64,
        column: Option<(u32, usize)>,
        seed: T,
    ) -> Result<T::Value> {
        let step = || Step::Other(alloc::format!("ext {ext_type}"));
        match column {
            None => self.part(step, |de| seed.deserialize(de)),
            Some((node, index)) => {
                let result = seed.deserialize(Cell { de: self, node, index });
                result.map_err(|error| error.at(self.columns.node(node).start).inside(step()))
            }
        }
    }

    /// Opens a container: from here on its parts are one level deeper.
    #[inline(always)]
    fn enter(&mut self) {
        // The head was read under the limit, so there is a level left.
        self.depth_left -= 1;
        self.options = 0;
    }

    /// The payload of a `some`, of which the head was read.
    fn payload_of_some<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter();
        let place = self.place();
        let value = visitor.visit_some(&mut *self)?;
        self.complete(&place)?;
        self.leave();
        Ok(value)
    }

    /// An option of a value that comes next. Types can nest options without end around one value, so
    /// these have a limit of their own.
    #[inline(always)]
    fn some<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let before = self.options;
        if before >= self.max_depth.saturating_add(Config::MORE_OPTIONS) {
            return Err(Error::depth(self.max_depth, self.reader.pos));
        }
        self.options += 1;
        let result = visitor.visit_some(&mut *self);
        self.options = before;
        result
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.depth_left += 1;
    }

    /// Passes over the `some`s before a value that is not an option (SOM-4).
    #[cold]
    #[inline(never)]
    fn look_through<V: Visitor<'de>>(
        &mut self,
        visitor: V,
        then: impl FnOnce(&mut Self, V) -> Result<V::Value>,
    ) -> Result<V::Value> {
        let before = self.depth_left;
        while let Some(&tag::SOME) = self.reader.data.get(self.reader.pos) {
            self.token()?;
            self.enter();
        }
        let value = then(self, visitor)?;
        self.depth_left = before;
        Ok(value)
    }

    #[inline(always)]
    fn seq<V: Visitor<'de>>(&mut self, left: usize, open: bool, visitor: V) -> Result<V::Value> {
        self.enter();
        let hint = match open {
            true => None,
            false => Some(self.grant(left)),
        };
        let mut items = Items { de: self, left, open, total: left, hint };
        let value = visitor.visit_seq(&mut items)?;
        items.end()?;
        self.leave();
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn bytes_as_seq<V: Visitor<'de>>(
        &mut self,
        bytes: &'de [u8],
        start: usize,
        visitor: V,
    ) -> Result<V::Value> {
        let mut items = Bytes { bytes, index: 0, human_readable: self.human_readable };
        let value = visitor.visit_seq(&mut items).map_err(|error| error.at(start))?;
        match items.index == bytes.len() {
            true => Ok(value),
            false => Err(left_over(items.index, bytes.len() - items.index, start)),
        }
    }

    #[inline(always)]
    fn map<V: Visitor<'de>>(&mut self, left: usize, open: bool, keys: Keys, visitor: V) -> Result<V::Value> {
        self.enter();
        let hint = match open {
            true => None,
            false => Some(self.grant(2 * left) / 2),
        };
        let first_key = self.keys.len();
        let guess = self.memory.guess(&self.reader, left);
        let key = self.reader.pos;
        let mut entries = Entries {
            de: self,
            left,
            open,
            keys,
            first_key,
            key: (key, key),
            value_due: false,
            hint,
            guess,
            count: 0,
            known: 0,
            few: (left <= Few::MOST).then(Few::default),
            start: key,
        };
        let value = match visitor.visit_map(&mut entries) {
            Ok(value) => value,
            // An error between a key and its value is about the key.
            Err(error) if entries.value_due => return Err(error.at(entries.key.0)),
            Err(error) => return Err(error),
        };
        entries.end()?;
        self.leave();
        Ok(value)
    }

    /// Whatever comes next, as the visitor method of its own type.
    #[inline(always)]
    fn any<V: Visitor<'de>>(&mut self, visitor: V, native: bool) -> Result<V::Value> {
        let start = self.reader.pos;
        let keys = if native { Keys::Native } else { Keys::Untyped };
        match self.token()? {
            Token::Str(bytes) => visitor.visit_borrowed_str(str_from(bytes, start)?),
            Token::Pos(u) => visitor.visit_u64(u),
            Token::Float(f) => visitor.visit_f64(f),
            Token::Null => visitor.visit_unit(),
            Token::Bool(on) => visitor.visit_bool(on),
            Token::List(n) => self.seq(n, false, visitor),
            Token::Map(n) => self.map(n, false, keys, visitor),
            token => self.rare_any(token, start, visitor, native),
        }
    }

    #[inline(never)]
    fn rare_any<V: Visitor<'de>>(
        &mut self,
        token: Token<'de>,
        start: usize,
        visitor: V,
        native: bool,
    ) -> Result<V::Value> {
        let keys = if native { Keys::Native } else { Keys::Untyped };
        match token {
            Token::Neg(u) => visit_int(Int::from_wire(true, u), visitor),
            Token::Big(int) => visit_int(int, visitor),
            Token::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::ListOpen => self.seq(usize::MAX, true, visitor),
            Token::MapOpen => self.map(usize::MAX, true, keys, visitor),
            Token::ListColumns => self.columns_as_list(start, visitor),
            Token::MapColumns => self.columns_as_map(start, visitor, native, false),
            Token::Some => self.any_some(start, visitor, native),
            Token::Ext(ext_type) => {
                self.enter();
                let value = match native {
                    true => visitor.visit_enum(NativeExt { de: self, ext_type, column: None })?,
                    false => {
                        let mut entry = ExtAsMap { ext_type, de: self, column: None, state: 0 };
                        let value = visitor.visit_map(&mut entry)?;
                        if entry.state < 2 {
                            return Err(left_over(0, 1, start));
                        }
                        value
                    }
                };
                self.leave();
                Ok(value)
            }
            _ => Err(bad_tag(tag::END, start)),
        }
    }

    /// A `some`, of which the head was read. Types that are not asked for an option are given one only
    /// where it counts (VAL-9).
    #[inline(never)]
    fn any_some<V: Visitor<'de>>(&mut self, start: usize, visitor: V, native: bool) -> Result<V::Value> {
        let payload = self.reader.data[start..].iter().find(|byte| **byte != tag::SOME);
        if !native && payload == Some(&tag::NULL) {
            return self.payload_of_some(visitor);
        }
        self.reader.pos = start;
        self.look_through(visitor, |de, visitor| match native {
            true => de.deserialize_newtype_struct(VALUE_NAME, visitor),
            false => de.deserialize_any(visitor),
        })
    }

    /// An int of any width, for a visitor that wants one of more than 64 bits if `wide`.
    #[cold]
    #[inline(never)]
    fn rare_int<V: Visitor<'de>>(&mut self, visitor: V, wide: bool) -> Result<V::Value> {
        let start = self.reader.pos;
        let int = match self.token()? {
            Token::Pos(u) => Int::from_wire(false, u),
            Token::Neg(u) => Int::from_wire(true, u),
            Token::Big(int) => int,
            Token::Some => {
                self.reader.pos = start;
                return self.look_through(visitor, |de, visitor| de.rare_int(visitor, wide));
            }
            _ => return Err(self.mismatch(start, &visitor)),
        };
        // Visitors for up to 64 bits know nothing of larger ints.
        match wide || int.as_u64().is_some() || int.as_i64().is_some() {
            true => visit_int(int, visitor),
            false => Err(big_int(Code::InvalidValue, int, start, &visitor)),
        }
    }

    #[inline(always)]
    fn int<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        let mut ahead = self.reader;
        if let Some(&tag) = ahead.data.get(start) {
            ahead.pos += 1;
            if tag <= tag::INT_INLINE_MAX {
                self.reader.pos = ahead.pos;
                return visitor.visit_u64(u64::from(tag));
            }
            if matches!(tag, tag::INT_POS..=tag::INT_POS_LAST) {
                let u = ahead.uint(usize::from(tag & 7) + 1, start)?;
                self.reader.pos = ahead.pos;
                return visitor.visit_u64(u);
            }
            if tag >= tag::INT_INLINE_NEG {
                self.reader.pos = ahead.pos;
                return visitor.visit_i64(i64::from(tag as i8));
            }
        }
        self.rare_int(visitor, false)
    }

    /// A float, or an int that is exact in one: in a binary32 if `narrow`.
    #[cold]
    #[inline(never)]
    fn rare_float<V: Visitor<'de>>(&mut self, visitor: V, narrow: bool) -> Result<V::Value> {
        let start = self.reader.pos;
        let int = match self.token()? {
            Token::Float(f) => return visitor.visit_f64(f),
            Token::Some => {
                self.reader.pos = start;
                return self.look_through(visitor, |de, visitor| de.rare_float(visitor, narrow));
            }
            Token::Pos(u) => Int::from_wire(false, u),
            Token::Neg(u) => Int::from_wire(true, u),
            Token::Big(int) => int,
            _ => return Err(self.mismatch(start, &visitor)),
        };
        let exact = int.as_exact_f64().filter(|f| !narrow || f64::from(*f as f32) == *f);
        match exact {
            Some(f) => visitor.visit_f64(f),
            None => Err(big_int(Code::InvalidValue, int, start, &"an int that a float holds exactly")),
        }
    }

    /// A string, or `None` if something else comes next.
    #[inline(always)]
    fn text(&mut self) -> Result<Option<&'de str>> {
        let start = self.reader.pos;
        let mut ahead = self.reader;
        let tag = ahead.peek()?;
        ahead.pos += 1;
        let length = match tag {
            tag::STR_INLINE..=tag::STR_INLINE_LAST => u64::from(tag - tag::STR_INLINE),
            tag::STR..=tag::STR_LAST => ahead.long_length(tag, start)?,
            _ => return Ok(None),
        };
        let bytes = ahead.bytes(length, start)?;
        self.reader.pos = ahead.pos;
        str_from(bytes, start).map(Some)
    }

    #[inline(always)]
    fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.text()? {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.no_string(visitor),
        }
    }

    #[cold]
    #[inline(never)]
    fn no_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.token()? {
            Token::Some => {
                self.reader.pos = start;
                self.look_through(visitor, Self::string)
            }
            _ => Err(self.mismatch(start, &visitor)),
        }
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.token()? {
            Token::List(n) => self.seq(n, false, visitor),
            Token::ListOpen => self.seq(usize::MAX, true, visitor),
            Token::ListColumns => self.columns_as_list(start, visitor),
            Token::Bytes(bytes) => self.bytes_as_seq(bytes, start, visitor),
            Token::Some => {
                self.reader.pos = start;
                self.look_through(visitor, Self::list)
            }
            _ => Err(self.mismatch(start, &visitor)),
        }
    }

    fn fields<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.token()? {
            Token::Map(n) => self.map(n, false, Keys::Fields, visitor),
            Token::MapOpen => self.map(usize::MAX, true, Keys::Fields, visitor),
            Token::MapColumns => self.columns_as_map(start, visitor, false, true),
            Token::Some => {
                self.reader.pos = start;
                self.look_through(visitor, Self::fields)
            }
            _ => Err(self.mismatch(start, &visitor)),
        }
    }

    fn entries<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.token()? {
            Token::Map(n) => self.map(n, false, Keys::Typed, visitor),
            Token::MapOpen => self.map(usize::MAX, true, Keys::Typed, visitor),
            Token::MapColumns => self.columns_as_map(start, visitor, false, false),
            Token::Some => {
                self.reader.pos = start;
                self.look_through(visitor, Self::entries)
            }
            Token::Ext(_) => {
                // A flattened ext, or one that serde buffered: the map that `any` makes of it.
                self.reader.pos = start;
                self.any(visitor, false)
            }
            _ => Err(self.mismatch(start, &visitor)),
        }
    }

    fn variant<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        if let Some(name) = self.text()? {
            let unit: BorrowedStrDeserializer<'de, Error> = BorrowedStrDeserializer::new(name);
            return visitor.visit_enum(unit).map_err(|error| error.at(start));
        }
        let open = match self.token()? {
            Token::Map(1) => false,
            Token::MapOpen => true,
            Token::Map(_) => return Err(self.one_entry(start)),
            Token::MapColumns => return self.columns_as_variant(start, visitor),
            Token::Some => {
                self.reader.pos = start;
                return self.look_through(visitor, Self::variant);
            }
            _ => return Err(self.mismatch(start, &visitor)),
        };
        if open && self.reader.peek()? == tag::END {
            return Err(self.one_entry(start));
        }
        self.enter();
        let mut payload_read = false;
        let value = visitor.visit_enum(Variant { de: self, payload_read: &mut payload_read })?;
        if !payload_read {
            return Err(Error::new(Code::InvalidLength, start, "the contents of a variant were left unread"));
        }
        if open {
            match self.reader.peek()? {
                tag::END => self.reader.pos += 1,
                _ => return Err(self.one_entry(start)),
            }
        }
        self.leave();
        Ok(value)
    }

    /// An ext for a type that knows exts.
    fn ext<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.token()? {
            Token::Ext(ext_type) => {
                self.enter();
                let mut pair = ExtAsPair { ext_type, de: self, column: None, state: 0 };
                let value = visitor.visit_seq(&mut pair)?;
                if pair.state < 2 {
                    return Err(left_over(0, 1, start));
                }
                self.leave();
                Ok(value)
            }
            Token::Some => {
                self.reader.pos = start;
                self.look_through(visitor, Self::ext)
            }
            _ => Err(self.mismatch(start, &visitor)),
        }
    }

    fn any_bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.token()? {
            Token::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::List(_) | Token::ListOpen | Token::ListColumns => {
                // Not every visitor of bytes takes a list; all that own them take a buffer.
                self.reader.pos = start;
                let bytes = <Vec<u8> as de::Deserialize>::deserialize(&mut *self)?;
                visitor.visit_byte_buf(bytes)
            }
            Token::Some => {
                self.reader.pos = start;
                self.look_through(visitor, Self::any_bytes)
            }
            _ => Err(self.mismatch(start, &visitor)),
        }
    }
}

/// Where a part begins.
struct Place {
    pos: usize,
    depth_left: u32,
}

/// The widest visitor method that an int needs (SRD-9).
pub(super) fn visit_int<'de, V: Visitor<'de>>(int: Int, visitor: V) -> Result<V::Value> {
    if let Some(u) = int.as_u64() {
        return visitor.visit_u64(u);
    }
    if let Some(i) = int.as_i64() {
        return visitor.visit_i64(i);
    }
    match (int.as_i128(), int.as_u128()) {
        (Some(i), _) => visitor.visit_i128(i),
        (None, u) => visitor.visit_u128(u.unwrap_or_default()),
    }
}

#[cold]
pub(super) fn big_int(code: Code, int: Int, start: usize, expected: &dyn de::Expected) -> Error {
    let what = if code == Code::InvalidValue { "invalid value" } else { "invalid type" };
    let (found, expected) = (alloc::format!("integer `{int}`"), expected.to_string());
    Error::expected_found(code, start, what, found, expected)
}

#[cold]
#[inline(never)]
pub(super) fn left_over(read: usize, left: usize, at: usize) -> Error {
    let (found, expected) = ((read + left).to_string(), read.to_string());
    Error::expected_found(Code::InvalidLength, at, "invalid length", found, expected)
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any(visitor, false)
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.reader.peek()? {
            tag @ (tag::FALSE | tag::TRUE) => {
                self.reader.pos += 1;
                visitor.visit_bool(tag == tag::TRUE)
            }
            tag::SOME => self.look_through(visitor, |de, visitor| de.deserialize_bool(visitor)),
            _ => Err(self.mismatch(self.reader.pos, &visitor)),
        }
    }

    #[inline]
    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.rare_int(visitor, true)
    }

    #[inline]
    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.int(visitor)
    }

    #[inline]
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.rare_int(visitor, true)
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        match self.reader.data.get(start) {
            Some(&tag::FLOAT32) => {
                let bits = Reader { pos: start + 1, ..self.reader }.u32(start)?;
                self.reader.pos = start + 5;
                visitor.visit_f32(f32::from_bits(bits))
            }
            Some(&(tag::DECIMAL..=tag::FLOAT64)) => self.deserialize_f64(visitor),
            _ => self.rare_float(visitor, true),
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.reader.pos;
        let mut ahead = Reader { pos: start + 1, ..self.reader };
        let f = match self.reader.data.get(start) {
            Some(&tag::FLOAT64) => f64::from_bits(ahead.u64(start)?),
            Some(&tag @ tag::DECIMAL..=tag::DECIMAL_LAST) => ahead.decimal(tag, start)?,
            Some(&tag::FLOAT32) => num::widen(ahead.u32(start)?),
            _ => return self.rare_float(visitor, false),
        };
        self.reader.pos = ahead.pos;
        visitor.visit_f64(f)
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any_bytes(visitor)
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.reader.peek()? {
            tag::NULL => {
                self.reader.pos += 1;
                visitor.visit_none()
            }
            tag::SOME => {
                self.token()?;
                self.payload_of_some(visitor)
            }
            _ => self.some(visitor),
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.reader.peek()? {
            tag::NULL => {
                self.reader.pos += 1;
                visitor.visit_unit()
            }
            tag::SOME => self.look_through(visitor, |de, visitor| de.deserialize_unit(visitor)),
            _ => Err(self.mismatch(self.reader.pos, &visitor)),
        }
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            VALUE_NAME => self.any(visitor, true),
            RAW_NAME => {
                let start = self.reader.pos;
                let mut ahead = self.reader;
                check::next(&mut ahead, self.depth_left, self.max_depth)?;
                self.reader = ahead;
                let bytes = &ahead.data[start..ahead.pos];
                visitor.visit_borrowed_bytes(bytes)
            }
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

    #[inline]
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
        self.entries(visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.fields(visitor)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.variant(visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        skip_value(&mut self.reader, self.depth_left, self.max_depth)?;
        visitor.visit_unit()
    }
}

/// The items of a list.
struct Items<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    /// How many are left; for an open list a number that does not run out.
    left: usize,
    open: bool,
    /// How many there were to begin with.
    total: usize,
    hint: Option<usize>,
}

impl Items<'_, '_> {
    /// Checks that nothing is left, and passes over the end tag of an open list.
    #[inline(always)]
    fn end(&mut self) -> Result<()> {
        if !self.open && self.left == 0 {
            return Ok(());
        }
        self.rare_end()
    }

    #[cold]
    #[inline(never)]
    fn rare_end(&mut self) -> Result<()> {
        let at = self.de.reader.pos;
        if self.left == 0 {
            return Ok(());
        }
        if self.open && self.de.reader.peek()? == tag::END {
            self.de.reader.pos += 1;
            return Ok(());
        }
        match self.open {
            true => Err(Error::new(Code::InvalidLength, at, "items of an open list were left unread")),
            false => Err(left_over(self.total - self.left, self.left, at)),
        }
    }

    /// Whether another item follows.
    #[inline(always)]
    fn more(&mut self) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        if self.open && self.de.reader.peek()? == tag::END {
            self.de.reader.pos += 1;
            self.left = 0;
            return Ok(false);
        }
        self.left -= 1;
        Ok(true)
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if !self.more()? {
            return Ok(None);
        }
        let read = self.total - self.left;
        self.de.part(|| Step::Index(read as u64 - 1), |de| seed.deserialize(de)).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.hint
    }
}

/// Bytes as the list of ints that a `Vec<u8>` asks for (SRD-5).
struct Bytes<'de> {
    bytes: &'de [u8],
    index: usize,
    human_readable: bool,
}

impl<'de> SeqAccess<'de> for &mut Bytes<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(&byte) = self.bytes.get(self.index) else {
            return Ok(None);
        };
        self.index += 1;
        seed.deserialize(Byte { byte, human_readable: self.human_readable }).map(Some)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.bytes.len() - self.index)
    }
}

/// One of these bytes, as an int.
struct Byte {
    byte: u8,
    human_readable: bool,
}

impl<'de> de::Deserializer<'de> for Byte {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_u64(u64::from(self.byte))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            VALUE_NAME => self.deserialize_any(visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// What is known of the keys of a map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// The fields of a struct: text.
    Fields,
    /// A map that has a type, which decides about keys that occur twice.
    Typed,
    /// A map that was not asked for: keys that occur twice are found here (MAP-5).
    Untyped,
    /// The same for a [`Value`](crate::Value), which looks through `some` (MAP-7).
    Native,
}

/// The entries of a map.
struct Entries<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    left: usize,
    open: bool,
    keys: Keys,
    first_key: usize,
    /// Where the key of the entry stands.
    key: Range,
    value_due: bool,
    hint: Option<usize>,
    guess: Guess,
    /// How many keys were read, and how many of these were the expected ones.
    count: usize,
    known: usize,
    /// The keys of a map that has few; those of others are listed.
    few: Option<Few>,
    /// Where the first key stands.
    start: usize,
}

impl Entries<'_, '_> {
    #[inline(always)]
    fn end(&mut self) -> Result<()> {
        if self.open || self.left > 0 || self.value_due {
            self.rare_end()?;
        }
        let untyped = matches!(self.keys, Keys::Untyped | Keys::Native);
        let differ = !untyped || self.guess.is_confirmed() || self.few.is_some_and(|few| few.differ());
        if !differ || self.guess.is_to_be_kept() {
            self.tell_apart()?;
        }
        Ok(())
    }

    /// Counts a key, and makes sure that one which occurs twice will be noticed.
    #[inline(always)]
    fn count_key(&mut self, key: Range) {
        self.key = key;
        self.value_due = true;
        self.count += 1;
        if matches!(self.keys, Keys::Untyped | Keys::Native) {
            match &mut self.few {
                Some(few) => few.add(self.de.reader.data, key),
                None => self.de.keys.push(key),
            }
        }
    }

    /// Counts the keys before one that is not the expected one, which those were.
    #[cold]
    #[inline(never)]
    fn count_known(&mut self) {
        let (data, n) = (self.de.reader.data, mem::take(&mut self.known));
        let last = self.key;
        let mut known = Vec::with_capacity(n);
        keys::list(data, self.start, n, &mut known);
        self.count -= n;
        known.into_iter().for_each(|key| self.count_key(key));
        (self.key, self.value_due) = (last, false);
    }

    /// Refuses keys that occur twice, in a map that was not asked for; and keeps new ones in mind.
    #[inline(never)]
    fn tell_apart(&mut self) -> Result<()> {
        let de = &mut *self.de;
        let data = de.reader.data;
        if de.keys.len() - self.first_key != self.count {
            // They were only counted.
            de.keys.truncate(self.first_key);
            keys::list(data, self.start, self.count, &mut de.keys);
        }
        let own_keys = de.keys.get(self.first_key..).unwrap_or_default();
        let form = if self.keys == Keys::Native { Form::Untyped } else { Form::Preferred };
        let twice = keys::find_duplicate(data, own_keys, form).map(|twice| own_keys[twice].0);
        if twice.is_none() {
            de.memory.keep(self.guess, |index| inline_text(data, *own_keys.get(index)?));
        }
        de.keys.truncate(self.first_key);
        match (self.keys, twice) {
            (Keys::Untyped | Keys::Native, Some(offset)) => Err(keys::duplicate(offset)),
            _ => Ok(()),
        }
    }

    #[cold]
    #[inline(never)]
    fn rare_end(&mut self) -> Result<()> {
        let at = self.de.reader.pos;
        if self.value_due {
            return Err(Error::new(Code::InvalidLength, at, "a value of a map was left unread"));
        }
        if self.left == 0 {
            return Ok(());
        }
        if self.open && self.de.reader.peek()? == tag::END {
            self.de.reader.pos += 1;
            return Ok(());
        }
        Err(Error::new(Code::InvalidLength, at, "entries of a map were left unread"))
    }
}

/// The text of a key whose length is in its tag.
fn inline_text(data: &[u8], (start, end): Range) -> Option<&str> {
    match data.get(start)? {
        tag::STR_INLINE..=tag::STR_INLINE_LAST => str_from(data.get(start + 1..end)?, start).ok(),
        _ => None,
    }
}

/// The step of a path that an encoded key is.
#[cold]
fn key_step(key: &[u8]) -> Step {
    let mut reader = Reader::new(key);
    match reader.token(1, 1) {
        Ok(Token::Str(text)) => Step::Key(String::from_utf8_lossy(text).into_owned()),
        _ => Step::Other(crate::diag::print(key, u32::MAX, None).unwrap_or_default()),
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.value_due {
            // The value before was not asked for.
            skip_value(&mut self.de.reader, self.de.depth_left, self.de.max_depth)?;
            self.value_due = false;
        }
        if self.left == 0 {
            return Ok(None);
        }
        if self.open && self.de.reader.peek()? == tag::END {
            self.de.reader.pos += 1;
            self.left = 0;
            return Ok(None);
        }
        self.left -= 1;
        let place = self.de.place();
        let start = place.pos;
        if let Some(text) = self.de.memory.next(&mut self.guess, &mut self.de.reader) {
            let end = self.de.reader.pos;
            self.value_due = true;
            self.key = (start, end);
            self.known += 1;
            self.count += 1;
            return match seed.deserialize(Key { de: self.de, text: Some(text), start }) {
                Ok(key) if self.de.reader.pos == end => Ok(Some(key)),
                Ok(key) => self.de.read_over(&place).map(|()| Some(key)),
                Err(error) => Err(self.de.part_failed(error, place, None)),
            };
        }
        if self.known > 0 {
            self.count_known();
        }
        let key = match self.keys {
            Keys::Fields => seed.deserialize(Field { de: self.de }),
            _ => seed.deserialize(Key { de: self.de, text: None, start }),
        };
        let key = match key {
            Ok(key) => key,
            Err(error) => {
                // The error is about the key; its value is passed over with it.
                let error = self.de.part_failed(error, place, None);
                self.count_key((start, self.de.reader.pos));
                return Err(error);
            }
        };
        self.de.complete(&place)?;
        self.count_key((start, self.de.reader.pos));
        Ok(Some(key))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        if !self.value_due {
            return Err(Error::nowhere(Code::InvalidLength, "a value was asked for before its key"));
        }
        self.value_due = false;
        let (data, key) = (self.de.reader.data, self.key);
        self.de.part(|| key_step(&data[key.0..key.1]), |de| seed.deserialize(de))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.hint
    }
}

/// The key of a map. If it was known before it was read, its text need not be validated.
struct Key<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    text: Option<&'de str>,
    start: usize,
}

impl<'d, 'de> Key<'d, 'de> {
    /// The deserializer before the key, for types that ask for something else than text.
    #[cold]
    fn again(self) -> &'d mut Deserializer<'de> {
        self.de.reader.pos = self.start;
        self.de
    }

    #[inline(always)]
    fn string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.text {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.de.string(visitor),
        }
    }
}

impl<'de> de::Deserializer<'de> for Key<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.de.human_readable
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.text {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.de.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.string(visitor)
    }

    /// What flattened fields ask for, which take any key. (The names of fields and variants are read by
    /// [`Field`]: they must not be ints, which derived code takes for an index.)
    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match (name, self.text) {
            (VALUE_NAME, Some(text)) => visitor.visit_borrowed_str(text),
            _ => self.again().deserialize_newtype_struct(name, visitor),
        }
    }

    rare_key! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_bytes deserialize_byte_buf deserialize_option deserialize_unit
        deserialize_seq deserialize_map deserialize_ignored_any
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.again().deserialize_enum(name, variants, visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.again().deserialize_unit_struct(name, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, n: usize, visitor: V) -> Result<V::Value> {
        self.again().deserialize_tuple(n, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        n: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.again().deserialize_tuple_struct(name, n, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.again().deserialize_struct(name, fields, visitor)
    }
}

/// The name of a struct's field: text, never a number, which derived code would take for an index.
struct Field<'d, 'de> {
    de: &'d mut Deserializer<'de>,
}

impl<'de> de::Deserializer<'de> for Field<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.de.human_readable
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.de.string(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// The one entry of a map that is a variant with a payload.
struct Variant<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    payload_read: &'d mut bool,
}

impl<'d, 'de> EnumAccess<'de> for Variant<'d, 'de> {
    type Error = Error;
    type Variant = Payload<'d, 'de>;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant)> {
        let start = self.de.reader.pos;
        let name = seed.deserialize(Field { de: self.de }).map_err(|error| error.at(start))?;
        let key = (start, self.de.reader.pos);
        Ok((name, Payload { de: self.de, key, read: self.payload_read }))
    }
}

/// The payload of a variant.
struct Payload<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    key: Range,
    read: &'d mut bool,
}

impl<'de> Payload<'_, 'de> {
    #[inline]
    fn read<T>(self, read: impl FnOnce(&mut Deserializer<'de>) -> Result<T>) -> Result<T> {
        let (data, key) = (self.de.reader.data, self.key);
        *self.read = true;
        self.de.part(|| key_step(&data[key.0..key.1]), read)
    }
}

impl<'de> VariantAccess<'de> for Payload<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        self.read(|de| de::Deserialize::deserialize(de))
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.read(|de| seed.deserialize(de))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.read(|de| de.list(visitor))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.read(|de| de.fields(visitor))
    }
}

/// An ext for whoever knows exts: its type, then its payload.
pub(super) struct ExtAsPair<'d, 'de> {
    pub(super) de: &'d mut Deserializer<'de>,
    pub(super) ext_type: u64,
    /// The column and the element that its payload is, if it stands in columns.
    pub(super) column: Option<(u32, usize)>,
    pub(super) state: u8,
}

impl<'de> SeqAccess<'de> for &mut ExtAsPair<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.state += 1;
        match self.state {
            1 => seed.deserialize(self.ext_type.into_deserializer()).map(Some),
            2 => self.de.payload(self.ext_type, self.column, seed).map(Some),
            _ => {
                self.state = 2;
                Ok(None)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(2 - usize::from(self.state))
    }
}

/// An ext for whoever does not: a map of one entry, of which the key is a name of its own.
pub(super) struct ExtAsMap<'d, 'de> {
    pub(super) de: &'d mut Deserializer<'de>,
    pub(super) ext_type: u64,
    /// The column and the element that its payload is, if it stands in columns.
    pub(super) column: Option<(u32, usize)>,
    pub(super) state: u8,
}

impl<'de> MapAccess<'de> for &mut ExtAsMap<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.state > 0 {
            return Ok(None);
        }
        self.state = 1;
        seed.deserialize(BorrowedStrDeserializer::new(EXT_KEY)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.state = 2;
        let place = self.de.place();
        let (ext_type, column) = (self.ext_type, self.column);
        let pair = ExtAsPair { ext_type, de: &mut *self.de, column, state: 0 };
        let result = seed.deserialize(ExtAsList { pair });
        // If the list was refused or ignored, so was the payload.
        if column.is_none() {
            self.de.complete(&place)?;
        }
        result
    }

    fn size_hint(&self) -> Option<usize> {
        Some(1 - usize::from(self.state > 0))
    }
}

/// The value of that entry: a list of the type and the payload.
struct ExtAsList<'d, 'de> {
    pair: ExtAsPair<'d, 'de>,
}

impl<'de> de::Deserializer<'de> for ExtAsList<'_, 'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        self.pair.de.human_readable
    }

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let start = self.pair.de.reader.pos;
        let value = visitor.visit_seq(&mut self.pair)?;
        match self.pair.state {
            0 | 1 => Err(left_over(0, 2, start)),
            _ => Ok(value),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let de = self.pair.de;
        if self.pair.column.is_none() {
            skip_value(&mut de.reader, de.depth_left, de.max_depth)?;
        }
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

/// An ext for a [`Value`](crate::Value), which alone asks in this way.
pub(super) struct NativeExt<'d, 'de> {
    pub(super) de: &'d mut Deserializer<'de>,
    pub(super) ext_type: u64,
    /// The column and the element that its payload is, if it stands in columns.
    pub(super) column: Option<(u32, usize)>,
}

impl<'d, 'de> EnumAccess<'de> for NativeExt<'d, 'de> {
    type Error = Error;
    type Variant = NativePayload<'d, 'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant)> {
        let ext_type = seed.deserialize(self.ext_type.into_deserializer())?;
        Ok((ext_type, NativePayload { de: self.de, ext_type: self.ext_type, column: self.column }))
    }
}

pub(super) struct NativePayload<'d, 'de> {
    de: &'d mut Deserializer<'de>,
    ext_type: u64,
    column: Option<(u32, usize)>,
}

impl<'de> VariantAccess<'de> for NativePayload<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        Err(no_such_payload())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.de.payload(self.ext_type, self.column, seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value> {
        Err(no_such_payload())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        Err(no_such_payload())
    }
}

#[cold]
fn no_such_payload() -> Error {
    Error::nowhere(Code::InvalidType, "the payload of an ext is one value")
}
