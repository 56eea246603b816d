//! Reading one head: the tag, and the payload of a scalar or the count of a container.

use crate::error::{Code, Error, Result};
use crate::num;
use crate::num::Int;
use crate::read::Reader;
use crate::tag::{self, Class};

/// One head. Containers have given their count only; their items follow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'de> {
    Null,
    Bool(bool),
    /// `u`, below 2^64.
    Pos(u64),
    /// `-1 - u`, with `u` below 2^64.
    Neg(u64),
    /// An int that took 16 bytes.
    Big(Int),
    Float(f64),
    /// Text, not validated yet.
    Str(&'de [u8]),
    Bytes(&'de [u8]),
    List(usize),
    Map(usize),
    ListOpen,
    MapOpen,
    End,
    Some,
    /// The type; the payload follows.
    Ext(u64),
    /// A list by columns, which follow.
    ListColumns,
    MapColumns,
}

impl<'de> Reader<'de> {
    /// Reads the next head (TAG-1); the reader stays before one that cannot be read.
    #[inline(always)]
    pub(crate) fn token(&mut self, depth_left: u32, max_depth: u32) -> Result<Token<'de>> {
        let start = self.pos;
        let mut ahead = *self;
        let tag = ahead.peek()?;
        ahead.pos += 1;
        let token = match tag {
            0..=tag::INT_INLINE_MAX => Token::Pos(u64::from(tag)),
            tag::STR_INLINE..=tag::STR_INLINE_LAST => {
                Token::Str(ahead.bytes(u64::from(tag - tag::STR_INLINE), start)?)
            }
            tag::INT_INLINE_NEG..=0xFF => Token::Neg(u64::from(!tag)),
            tag::INT_POS..=tag::INT_POS_LAST => Token::Pos(ahead.uint(usize::from(tag & 7) + 1, start)?),
            tag::INT_NEG..=tag::INT_NEG_LAST => Token::Neg(ahead.uint(usize::from(tag & 7) + 1, start)?),
            tag::DECIMAL..=tag::DECIMAL_LAST => Token::Float(ahead.decimal(tag, start)?),
            tag::FLOAT64 => Token::Float(f64::from_bits(ahead.u64(start)?)),
            tag::FLOAT32 => Token::Float(num::widen(ahead.u32(start)?)),
            tag::NULL => Token::Null,
            tag::FALSE => Token::Bool(false),
            tag::TRUE => Token::Bool(true),
            _ => {
                // By a copy of its own: a reader that is lent to a function is no longer in registers.
                let mut rare = ahead;
                let token = rare.rare_token(tag, start, depth_left, max_depth)?;
                self.pos = rare.pos;
                return Ok(token);
            }
        };
        self.pos = ahead.pos;
        Ok(token)
    }

    /// The payload of a short decimal (FLT-2).
    #[inline(always)]
    pub(crate) fn decimal(&mut self, tag: u8, start: usize) -> Result<f64> {
        let n = usize::from(tag - tag::DECIMAL) + 1;
        let unused = 64 - 8 * n as u32;
        let x = (self.uint(n, start)? << unused) as i64 >> unused;
        Ok(num::decimal_value(x))
    }

    /// The length or count of 1, 2, 4 or 8 bytes that the low two bits of a tag announce (STR-2, LST-2).
    #[inline(always)]
    pub(crate) fn long_length(&mut self, tag: u8, start: usize) -> Result<u64> {
        self.uint(1 << (tag & 3), start)
    }

    /// How long the string is that begins here, and was read before.
    #[cold]
    pub(crate) fn string_length(mut self) -> usize {
        let start = self.pos;
        match self.peek() {
            Ok(tag @ tag::STR_INLINE..=tag::STR_INLINE_LAST) => usize::from(tag - tag::STR_INLINE),
            Ok(tag) => {
                self.pos += 1;
                self.long_length(tag, start).map_or(0, |length| length as usize)
            }
            Err(_) => 0,
        }
    }

    #[inline]
    fn rare_token(&mut self, tag: u8, start: usize, depth_left: u32, max_depth: u32) -> Result<Token<'de>> {
        let enter = || match depth_left {
            0 => Err(Error::depth(max_depth, start)),
            _ => Ok(()),
        };
        Ok(match Class::of(tag) {
            Class::ListInline => {
                enter()?;
                Token::List(self.count(u64::from(tag & 15), 1, start)?)
            }
            Class::MapInline => {
                enter()?;
                Token::Map(self.count(u64::from(tag & 15), 2, start)?)
            }
            Class::Str => {
                let n = self.long_length(tag, start)?;
                Token::Str(self.bytes(n, start)?)
            }
            Class::Bytes => {
                let n = self.long_length(tag, start)?;
                Token::Bytes(self.bytes(n, start)?)
            }
            Class::List => {
                let n = self.long_length(tag, start)?;
                enter()?;
                Token::List(self.count(n, 1, start)?)
            }
            Class::Map => {
                let n = self.long_length(tag, start)?;
                enter()?;
                Token::Map(self.count(n, 2, start)?)
            }
            Class::ListOpen => {
                enter()?;
                Token::ListOpen
            }
            Class::MapOpen => {
                enter()?;
                Token::MapOpen
            }
            Class::Some => {
                enter()?;
                Token::Some
            }
            Class::Ext => {
                let ext_type = self.ext_type()?;
                enter()?;
                Token::Ext(ext_type)
            }
            Class::ListColumns => {
                enter()?;
                Token::ListColumns
            }
            Class::MapColumns => {
                enter()?;
                Token::MapColumns
            }
            Class::IntPos16 => match Int::from_wire_16(false, self.uint_16(start)?) {
                Some(int) => Token::Big(int),
                None => return Err(int_range(start)),
            },
            Class::IntNeg16 => match Int::from_wire_16(true, self.uint_16(start)?) {
                Some(int) => Token::Big(int),
                None => return Err(int_range(start)),
            },
            Class::End => Token::End,
            Class::Signature if start == 0 => {
                // It has its own errors, if it is one that is not to be passed over.
                self.pos = 0;
                self.signature()?;
                return Err(bad_tag(tag, start));
            }
            _ => return Err(bad_tag(tag, start)),
        })
    }

    /// The type that follows an ext tag (EXT-1).
    pub(crate) fn ext_type(&mut self) -> Result<u64> {
        let start = self.pos;
        let tag = self.peek()?;
        self.pos += 1;
        match Class::of(tag) {
            Class::IntInlinePos => Ok(u64::from(tag)),
            Class::IntPos => self.uint(usize::from(tag & 7) + 1, start),
            Class::IntPos16 => u64::try_from(self.uint_16(start)?).map_err(|_| bad_ext_type(start)),
            _ => Err(bad_ext_type(start)),
        }
    }

    /// Skips the signature, if the document begins with one (SIG-1).
    #[inline]
    pub(crate) fn signature(&mut self) -> Result<()> {
        match self.data.first() {
            Some(&tag::SIGNATURE_TAG) if self.pos == 0 => self.signature_bytes(),
            _ => Ok(()),
        }
    }

    #[cold]
    fn signature_bytes(&mut self) -> Result<()> {
        let given = &self.data[..self.data.len().min(4)];
        let same = given.iter().zip(tag::SIGNATURE).take(3).all(|(a, b)| *a == b);
        if !same {
            return Err(bad_tag(tag::SIGNATURE_TAG, 0));
        }
        match given.get(3) {
            None => Err(Error::truncated(0)),
            Some(&tag::VERSION) => {
                self.pos = 4;
                Ok(())
            }
            Some(other) => {
                let message = alloc::format!("format version {other} is not supported");
                Err(Error::new(Code::UnsupportedVersion, 0, message))
            }
        }
    }
}

#[cold]
pub(crate) fn bad_ext_type(start: usize) -> Error {
    Error::new(Code::ExtType, start, "an ext type is an int of 0 to 2^64-1")
}

#[cold]
fn int_range(start: usize) -> Error {
    Error::new(Code::IntRange, start, "an int below -2^127")
}

/// The error that a tag which begins no value deserves (TAG-2).
#[cold]
#[inline(never)]
pub(crate) fn bad_tag(tag: u8, start: usize) -> Error {
    match Class::of(tag) {
        Class::End => Error::new(Code::UnexpectedEnd, start, "an end tag where no open list or map can end"),
        Class::Signature => Error::new(Code::BadSignature, start, "a bad or misplaced signature"),
        _ => Error::new(Code::ReservedTag, start, alloc::format!("tag {tag:02X} is reserved")),
    }
}

/// The text of a string, validated (STR-3); `start` is its tag.
#[inline(always)]
pub(crate) fn str_from(bytes: &[u8], start: usize) -> Result<&str> {
    match utf8(bytes) {
        Some(text) => Ok(text),
        None => Err(invalid_utf8(start)),
    }
}

#[cold]
#[inline(never)]
pub(crate) fn invalid_utf8(start: usize) -> Error {
    Error::new(Code::InvalidUtf8, start, "a string is not valid UTF-8")
}

#[cfg(feature = "simdutf8")]
#[inline(always)]
fn utf8(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < 64 {
        return core::str::from_utf8(bytes).ok();
    }
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(not(feature = "simdutf8"))]
#[inline(always)]
fn utf8(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_string_is_in_its_head() {
        let length = |data: &[u8]| Reader::new(data).string_length();
        assert_eq!([length(&[0x40]), length(&[0x45]), length(&[0x7F])], [0, 5, 63]);
        assert_eq!([length(&[0xC0, 0x07]), length(&[0xC1, 0x02, 0x01])], [7, 258]);
        // In the middle of a document, too
        let reader = Reader { data: &[0x82, 0x05, 0xC0, 0x64], pos: 2 };
        assert_eq!(reader.string_length(), 100);
    }
}
