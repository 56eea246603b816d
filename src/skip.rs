//! Passing over a value without looking into it: iterative, and with no memory but a small stack.

use crate::columns;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::plain::{bad_ext_type, bad_tag};
use crate::read::Reader;
use crate::tag::{self, Class};
use alloc::vec::Vec;

/// Where the bytes of a value come from: a slice, or a reader that is asked for exactly what the
/// value needs.
pub(crate) trait Source {
    fn position(&self) -> usize;
    fn tag(&mut self) -> Result<u8>;
    /// A number of 1…8 bytes.
    fn uint(&mut self, n: usize, start: usize) -> Result<u64>;
    fn pass(&mut self, n: u64, start: usize) -> Result<()>;
    /// The next bytes, passed over.
    fn take(&mut self, n: u64, start: usize) -> Result<&[u8]>;
    /// Refuses a count that the rest of the input cannot hold, if the rest is known.
    fn check_count(&self, n: u64, each: u64, start: usize) -> Result<()>;
}

impl Source for Reader<'_> {
    #[inline(always)]
    fn position(&self) -> usize {
        self.pos
    }

    #[inline(always)]
    fn tag(&mut self) -> Result<u8> {
        let tag = self.peek()?;
        self.pos += 1;
        Ok(tag)
    }

    #[inline(always)]
    fn uint(&mut self, n: usize, start: usize) -> Result<u64> {
        Reader::uint(self, n, start)
    }

    #[inline(always)]
    fn pass(&mut self, n: u64, start: usize) -> Result<()> {
        self.bytes(n, start).map(drop)
    }

    #[inline(always)]
    fn take(&mut self, n: u64, start: usize) -> Result<&[u8]> {
        self.bytes(n, start)
    }

    #[inline(always)]
    fn check_count(&self, n: u64, each: u64, start: usize) -> Result<()> {
        self.count(n, each, start).map(drop)
    }
}

/// What is left of an open list, and of an open map where a key or a value is due. Counts never
/// come near these numbers: a count is at most the bytes that remain. Where a key is due, an even number of
/// values is left.
pub(crate) const OPEN_LIST: u64 = u64::MAX;
pub(crate) const OPEN_MAP_KEY: u64 = u64::MAX - 1;
pub(crate) const OPEN_MAP_VALUE: u64 = u64::MAX - 2;

/// What is left of the containers around the current one. The first few need no allocation.
struct Stack {
    few: [u64; 16],
    many: Vec<u64>,
    len: usize,
}

impl Stack {
    #[inline(always)]
    fn push(&mut self, left: u64) {
        match self.few.get_mut(self.len) {
            Some(slot) => *slot = left,
            None => self.many.push(left),
        }
        self.len += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<u64> {
        self.len = self.len.checked_sub(1)?;
        match self.few.get(self.len) {
            Some(left) => Some(*left),
            None => self.many.pop(),
        }
    }
}

/// Passes over one value. It is checked for being well-formed, not for being valid (ERR-4).
#[inline]
pub(crate) fn skip_value<S: Source>(source: &mut S, depth_left: u32, max_depth: u32) -> Result<()> {
    let mut outer = Stack { few: [0; 16], many: Vec::new(), len: 0 };
    let mut left = 1_u64;
    loop {
        let start = source.position();
        let tag = source.tag()?;
        let opened = match payload_of(tag) {
            Some(n) => {
                source.pass(n, start)?;
                None
            }
            None if tag == tag::END && (left == OPEN_LIST || left == OPEN_MAP_KEY) => {
                left = outer.pop().unwrap_or(1);
                None
            }
            None => {
                let left = depth_left.saturating_sub(u32::try_from(outer.len).unwrap_or(u32::MAX));
                open(source, tag, start, left, max_depth)?
            }
        };
        if let Some(n) = opened {
            if n > 0 {
                outer.push(left);
                left = n;
                continue;
            }
        }
        loop {
            left = match left {
                OPEN_LIST => OPEN_LIST,
                OPEN_MAP_KEY => OPEN_MAP_VALUE,
                OPEN_MAP_VALUE => OPEN_MAP_KEY,
                counted => counted - 1,
            };
            if left != 0 {
                break;
            }
            match outer.pop() {
                Some(outer_left) => left = outer_left,
                None => return Ok(()),
            }
        }
    }
}

/// Passes over up to `n` scalars; gives how many there were.
#[inline]
pub(crate) fn pass_scalars(reader: &mut Reader<'_>, n: usize) -> Result<usize> {
    let mut ahead = *reader;
    let mut passed = 0;
    while passed < n {
        let start = ahead.pos;
        let tag = ahead.tag()?;
        let payload = match payload_of(tag) {
            Some(payload) => payload,
            None if matches!(Class::of(tag), Class::Str | Class::Bytes) => {
                ahead.uint(1 << (tag & 3), start)?
            }
            None => {
                ahead.pos = start;
                break;
            }
        };
        ahead.pass(payload, start)?;
        passed += 1;
    }
    *reader = ahead;
    Ok(passed)
}

/// Passes over a scalar, or the head of what holds others; gives how many these are. What has a rarer head is passed over
/// as a whole. `None` if it does not end in the slice.
#[inline(always)]
pub(crate) fn values_in(reader: &mut Reader<'_>) -> Option<usize> {
    let tag = reader.peek_at(0)?;
    let (passed, values) = match payload_of(tag) {
        Some(n) => (n as usize, 0),
        None => match (Class::of(tag), reader.peek_at(1)) {
            (Class::ListInline, _) => (0, usize::from(tag & 15)),
            (Class::MapInline, _) => (0, usize::from(tag & 15) * 2),
            (Class::Some, _) => (0, 1),
            (Class::Ext, Some(0..=tag::INT_INLINE_MAX)) => (1, 1),
            (Class::Str | Class::Bytes, Some(n)) if tag & 3 == 0 => (1 + usize::from(n), 0),
            (Class::List, Some(n)) if tag & 3 == 0 => (1, usize::from(n)),
            (Class::Map, Some(n)) if tag & 3 == 0 => (1, usize::from(n) * 2),
            _ => {
                skip_value(reader, u32::MAX, u32::MAX).ok()?;
                return Some(0);
            }
        },
    };
    reader.pos += 1 + passed;
    (reader.pos <= reader.data.len()).then_some(values)
}

/// How many bytes follow a tag that alone tells it.
#[inline(always)]
fn payload_of(tag: u8) -> Option<u64> {
    const PAYLOADS: [u8; 256] = {
        let mut payloads = [u8::MAX; 256];
        let mut tag = 0;
        while tag < payloads.len() {
            payloads[tag] = match Class::of(tag as u8) {
                Class::IntInlinePos | Class::IntInlineNeg | Class::Null | Class::False | Class::True => 0,
                Class::StrInline => tag as u8 - tag::STR_INLINE,
                Class::IntPos | Class::IntNeg => (tag as u8 & 7) + 1,
                Class::Decimal => tag as u8 - tag::DECIMAL + 1,
                Class::Float32 => 4,
                Class::Float64 => 8,
                Class::IntPos16 | Class::IntNeg16 => 16,
                _ => u8::MAX,
            };
            tag += 1;
        }
        payloads
    };
    // One load serves all tags: a jump for each would often be guessed wrong.
    Some(u64::from(PAYLOADS[usize::from(tag)])).filter(|n| *n != u64::from(u8::MAX))
}

/// The rarer tags: how many values a container opens with, or `None` for a scalar.
#[inline]
fn open<S: Source>(
    source: &mut S,
    tag: u8,
    start: usize,
    depth_left: u32,
    max_depth: u32,
) -> Result<Option<u64>> {
    let enter = || match depth_left {
        0 => Err(Error::depth(max_depth, start)),
        _ => Ok(()),
    };
    Ok(match Class::of(tag) {
        Class::ListInline => {
            enter()?;
            let n = u64::from(tag & 15);
            source.check_count(n, 1, start)?;
            Some(n)
        }
        Class::MapInline => {
            enter()?;
            let n = u64::from(tag & 15);
            source.check_count(n, 2, start)?;
            Some(2 * n)
        }
        Class::List => {
            let n = source.uint(1 << (tag & 3), start)?;
            enter()?;
            source.check_count(n, 1, start)?;
            // A source that does not know its end lets any count pass; no input is that long.
            Some(n.min(u64::MAX / 4))
        }
        Class::Map => {
            let n = source.uint(1 << (tag & 3), start)?;
            enter()?;
            source.check_count(n, 2, start)?;
            Some(n.min(u64::MAX / 8) * 2)
        }
        Class::Str | Class::Bytes => {
            let n = source.uint(1 << (tag & 3), start)?;
            source.pass(n, start)?;
            None
        }
        Class::ListOpen => {
            enter()?;
            Some(OPEN_LIST)
        }
        Class::MapOpen => {
            enter()?;
            Some(OPEN_MAP_KEY)
        }
        Class::Some => {
            enter()?;
            Some(1)
        }
        Class::Ext => {
            ext_type(source)?;
            enter()?;
            Some(1)
        }
        class @ (Class::ListColumns | Class::MapColumns) => {
            enter()?;
            let columns = if class == Class::MapColumns { 2 } else { 1 };
            columns::skip(source, start, columns, depth_left - 1, max_depth)?;
            None
        }
        _ => return Err(bad_tag(tag, start)),
    })
}

/// The type that follows an ext tag, or the head of a column of exts (EXT-1).
pub(crate) fn ext_type<S: Source>(source: &mut S) -> Result<u64> {
    let start = source.position();
    let tag = source.tag()?;
    let (ext_type, high) = match Class::of(tag) {
        Class::IntInlinePos => (u64::from(tag), 0),
        Class::IntPos => (source.uint(usize::from(tag & 7) + 1, start)?, 0),
        Class::IntPos16 => (source.uint(8, start)?, source.uint(8, start)?),
        _ => (0, u64::MAX),
    };
    if high != 0 { Err(bad_ext_type(start)) } else { Ok(ext_type) }
}

/// The length in bytes of the first value in `bytes`, its signature included; what follows it is
/// not looked at.
///
/// The value is well-formed, but it may still hold invalid UTF-8 or a key that occurs twice: see
/// [`check`](crate::check()).
///
/// ```
/// let bytes = [0x82, 0x01, 0x02, 0x63];
/// assert_eq!(wbin::skip(&bytes).unwrap(), 3);
/// ```
///
/// # Errors
///
/// If no well-formed value stands there, or it is nested deeper than 128 levels (ERR-4, LIM-1).
pub fn skip(bytes: &[u8]) -> Result<usize> {
    Config::new().skip(bytes)
}

impl Config {
    /// [`skip`](crate::skip()) with these limits.
    ///
    /// # Errors
    ///
    /// If no well-formed value stands there, or it is nested deeper than the limit.
    pub fn skip(&self, bytes: &[u8]) -> Result<usize> {
        let mut reader = Reader::new(bytes);
        reader.signature()?;
        skip_value(&mut reader, self.get_max_depth(), self.get_max_depth())?;
        Ok(reader.pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the reader is behind a scalar or a head, and how many values follow.
    #[test]
    fn values_in_scalars_and_heads() {
        type Case = (&'static [u8], Option<(usize, usize)>);
        let cases: [Case; 27] = [
            (&[0x05], Some((1, 0))),
            (&[0x42, b'a', b'b', 0x05], Some((3, 0))),
            (&[0xA1, 0x00, 0x01], Some((3, 0))),
            (&[0x80], Some((1, 0))),
            (&[0x83], Some((1, 3))),
            (&[0x93], Some((1, 6))),
            (&[tag::SOME], Some((1, 1))),
            (&[tag::EXT, 0x3F], Some((2, 1))),
            (&[tag::EXT, 0xA0, 0x40], None),
            (&[tag::EXT, 0xA0, 0x40, 0x05], Some((4, 0))),
            (&[tag::STR, 3, b'a', b'b', b'c', 0x05], Some((5, 0))),
            (&[tag::STR + 1, 1, 0, b'a', b'b', b'c'], Some((4, 0))),
            (&[tag::BYTES, 2, 0x00, 0x01], Some((4, 0))),
            (&[tag::BYTES + 1, 1, 0, 0x00, 0x01], Some((4, 0))),
            (&[tag::LIST, 20], Some((2, 20))),
            (&[tag::LIST + 1, 20, 0], None),
            (&[tag::MAP, 20], Some((2, 40))),
            (&[tag::MAP + 1, 20, 0], None),
            (&[tag::LIST_OPEN, 0x05], None),
            (&[tag::MAP_OPEN, 0x05], None),
            (&[tag::LIST_OPEN, 0x05, tag::END], Some((3, 0))),
            (&[tag::MAP_OPEN, 0x05, 0x06, tag::END], Some((4, 0))),
            // What does not end in the slice
            (&[], None),
            (&[0x42, b'a'], None),
            (&[0xA1, 0x00], None),
            (&[tag::STR, 3, b'a', b'b'], None),
            (&[tag::LIST], None),
        ];
        for (bytes, expected) in cases {
            let mut reader = Reader::new(bytes);
            let values = values_in(&mut reader);
            assert_eq!(values.map(|n| (reader.pos, n)), expected, "{bytes:02X?}");
        }
    }

    /// Scalars are passed over as far as they go, and no more than are asked for.
    #[test]
    fn scalars_before_a_list() {
        let bytes = [0x05, tag::STR, 1, b'x', tag::BYTES + 1, 2, 0, 7, 8, 0x41, b'y', 0xA1, 0, 1, 0x81, 0x05];
        for (n, expected) in [(0, (0, 0)), (1, (1, 1)), (3, (3, 9)), (4, (4, 11)), (5, (5, 14)), (9, (5, 14))]
        {
            let mut reader = Reader::new(&bytes);
            let passed = pass_scalars(&mut reader, n).unwrap();
            assert_eq!((passed, reader.pos), expected, "{n}");
        }
    }
}
