//! The cursor over a slice: loads of a known width, with the end of the input as the only limit.

use crate::error::{Error, Result};
use byteorder::{ByteOrder, LittleEndian};

/// A position in a slice.
///
/// Loads move the position even where they fail; whoever goes on after an error reads with a copy, which the
/// compiler keeps in registers, and takes over its position at the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'de> {
    pub(crate) data: &'de [u8],
    pub(crate) pos: usize,
}

impl<'de> Reader<'de> {
    #[inline]
    pub(crate) fn new(data: &'de [u8]) -> Reader<'de> {
        Reader { data, pos: 0 }
    }

    /// How many bytes are left.
    #[inline]
    pub(crate) fn remaining(&self) -> usize {
        self.data.len() - self.pos
    }

    /// The next byte, which stays where it is.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Result<u8> {
        match self.data.get(self.pos) {
            Some(&byte) => Ok(byte),
            None => Err(Error::truncated(self.pos)),
        }
    }

    /// The byte so far ahead.
    #[inline(always)]
    pub(crate) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.data.get(self.pos + ahead).copied()
    }

    /// The next `n` bytes, 1…8, as a little-endian number; `start` is the value they belong to.
    #[inline(always)]
    pub(crate) fn uint(&mut self, n: usize, start: usize) -> Result<u64> {
        // One load of eight bytes and a mask serve every width; the last few bytes take the slow way.
        let Some(chunk) = self.data.get(self.pos..).and_then(|rest| rest.first_chunk::<8>()) else {
            let number = self.uint_at_end(n, start)?;
            self.pos += n;
            return Ok(number);
        };
        self.pos += n;
        Ok(u64::from_le_bytes(*chunk) & (u64::MAX >> ((64 - 8 * n as u32) & 63)))
    }

    #[cold]
    #[inline(never)]
    fn uint_at_end(mut self, n: usize, start: usize) -> Result<u64> {
        let bytes = self.bytes(n as u64, start)?;
        Ok(LittleEndian::read_uint(bytes, n))
    }

    /// The next 16 bytes as a little-endian number.
    pub(crate) fn uint_16(&mut self, start: usize) -> Result<u128> {
        Ok(LittleEndian::read_u128(self.bytes(16, start)?))
    }

    /// The next four bytes as the bits of a binary32.
    #[inline(always)]
    pub(crate) fn u32(&mut self, start: usize) -> Result<u32> {
        match self.data.get(self.pos..).and_then(|rest| rest.first_chunk::<4>()) {
            Some(chunk) => {
                self.pos += 4;
                Ok(u32::from_le_bytes(*chunk))
            }
            None => Err(Error::truncated(start)),
        }
    }

    /// The next eight bytes as the bits of a binary64.
    #[inline(always)]
    pub(crate) fn u64(&mut self, start: usize) -> Result<u64> {
        match self.data.get(self.pos..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(chunk) => {
                self.pos += 8;
                Ok(u64::from_le_bytes(*chunk))
            }
            None => Err(Error::truncated(start)),
        }
    }

    /// The next `n` bytes. `n` comes from the wire, so it is compared before it becomes a `usize`.
    #[inline(always)]
    pub(crate) fn bytes(&mut self, n: u64, start: usize) -> Result<&'de [u8]> {
        // One comparison of u64 covers targets whose usize is smaller than a wire length.
        let rest = self.data.get(self.pos..).unwrap_or_default();
        if n > rest.len() as u64 {
            return Err(Error::truncated(start));
        }
        let n = n as usize;
        self.pos += n;
        Ok(&rest[..n])
    }

    /// Accepts a count of `n` entries that take at least `each` bytes, if the bytes are there (LIM-3).
    #[inline(always)]
    pub(crate) fn count(&self, n: u64, each: u64, start: usize) -> Result<usize> {
        match n.checked_mul(each) {
            Some(least) if least <= self.remaining() as u64 => Ok(n as usize),
            _ => Err(Error::truncated(start)),
        }
    }
}
