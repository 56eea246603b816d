//! Writing heads and scalars in their preferred (shortest) form.

use crate::num::{self, Int};
use crate::tag;
use crate::write::Output;

impl Output {
    /// An int ≥ 0 (PRE-1).
    #[inline(always)]
    pub(crate) fn pos(&mut self, u: u64) {
        if u <= u64::from(tag::INT_INLINE_MAX) {
            self.byte(u as u8);
        } else {
            let n = num::width(u);
            self.tag_uint(tag::INT_POS - 1 + n as u8, u, n);
        }
    }

    /// The int `-1 - u` (PRE-1).
    #[inline(always)]
    pub(crate) fn neg(&mut self, u: u64) {
        if u < 32 {
            self.byte(!(u as u8));
        } else {
            let n = num::width(u);
            self.tag_uint(tag::INT_NEG - 1 + n as u8, u, n);
        }
    }

    #[inline(always)]
    pub(crate) fn i64(&mut self, n: i64) {
        if n >= 0 { self.pos(n as u64) } else { self.neg(!n as u64) }
    }

    pub(crate) fn int(&mut self, int: Int) {
        match int.to_wire_64() {
            Some((false, u)) => self.pos(u),
            Some((true, u)) => self.neg(u),
            None => {
                let (neg, u) = int.to_wire();
                self.tag_uint_16(if neg { tag::INT_NEG_16 } else { tag::INT_POS_16 }, u);
            }
        }
    }

    /// A float: the short decimal if it is the shortest, else binary32 if exact, else binary64 (FLT-6).
    #[inline(always)]
    pub(crate) fn float(&mut self, f: f64) {
        if let Some(decimal) = num::short_decimal(f) {
            if decimal.width <= 3 {
                return self.decimal(decimal);
            }
            return self.longer_decimal(decimal, f);
        }
        self.binary(f);
    }

    #[inline]
    fn decimal(&mut self, decimal: num::Decimal) {
        self.tag_uint(tag::DECIMAL - 1 + decimal.width as u8, decimal.x as u64, decimal.width);
    }

    /// Four bytes and more are longer than a binary32, or as long.
    #[inline]
    fn longer_decimal(&mut self, decimal: num::Decimal, f: f64) {
        match num::exact_f32(f) {
            Some(bits) => self.tag_uint(tag::FLOAT32, u64::from(bits), 4),
            None => self.decimal(decimal),
        }
    }

    #[inline(always)]
    fn binary(&mut self, f: f64) {
        match num::exact_f32(f) {
            Some(bits) => self.tag_uint(tag::FLOAT32, u64::from(bits), 4),
            None => self.tag_uint(tag::FLOAT64, f.to_bits(), 8),
        }
    }

    /// A binary32, of which the bits are kept (FLT-3).
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn f32(&mut self, f: f32) {
        match num::short_decimal(f64::from(f)) {
            Some(decimal) if decimal.width <= 3 => self.decimal(decimal),
            _ => self.tag_uint(tag::FLOAT32, u64::from(f.to_bits()), 4),
        }
    }

    #[inline(always)]
    pub(crate) fn bool(&mut self, on: bool) {
        self.byte(if on { tag::TRUE } else { tag::FALSE });
    }

    /// A string (STR-1, STR-2).
    #[inline(always)]
    pub(crate) fn str(&mut self, text: &str) {
        self.text(text.as_bytes());
    }

    /// A string of which the bytes are known to be UTF-8.
    #[inline(always)]
    pub(crate) fn text(&mut self, bytes: &[u8]) {
        if bytes.len() <= tag::STR_INLINE_MAX {
            self.tag_slice(tag::STR_INLINE + bytes.len() as u8, bytes);
        } else {
            self.long_head(tag::STR, bytes.len());
            self.slice(bytes);
        }
    }

    /// Bytes (BYT-1).
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.long_head(tag::BYTES, bytes.len());
        self.slice(bytes);
    }

    /// The head of a list of `n` items (LST-1).
    #[inline(always)]
    pub(crate) fn list_head(&mut self, n: usize) {
        if n <= tag::COUNT_INLINE_MAX {
            self.byte(tag::LIST_INLINE + n as u8);
        } else {
            self.long_head(tag::LIST, n);
        }
    }

    /// The head of a map of `n` entries (MAP-1).
    #[inline(always)]
    pub(crate) fn map_head(&mut self, n: usize) {
        if n <= tag::COUNT_INLINE_MAX {
            self.byte(tag::MAP_INLINE + n as u8);
        } else {
            self.long_head(tag::MAP, n);
        }
    }

    /// A length or count in the fewest of 1, 2, 4 or 8 bytes (PRE-1).
    #[inline]
    pub(crate) fn long_head(&mut self, tag: u8, n: usize) {
        let n = n as u64;
        let (code, width) = match n {
            0..=0xFF => (0, 1),
            0x100..=0xFFFF => (1, 2),
            0x1_0000..=0xFFFF_FFFF => (2, 4),
            _ => (3, 8),
        };
        self.tag_uint(tag + code, n, width);
    }

    /// Opens a list or map whose count is not known yet; [`Output::close`] completes it.
    pub(crate) fn open(&mut self) {
        self.byte(tag::LIST_OPEN);
    }

    /// Completes the list or map opened at `at`: up to 15 entries get a counted head in place, more
    /// an end tag (OPN-1), which takes no more bytes than a count would. Tells whether it stays open.
    pub(crate) fn close(&mut self, at: usize, n: usize, map: bool) -> bool {
        let (inline, open) = match map {
            true => (tag::MAP_INLINE, tag::MAP_OPEN),
            false => (tag::LIST_INLINE, tag::LIST_OPEN),
        };
        if n <= tag::COUNT_INLINE_MAX {
            self.patch(at, inline + n as u8);
            return false;
        }
        self.patch(at, open);
        self.byte(tag::END);
        true
    }

    /// An ext's tag and type; the payload follows (EXT-1).
    pub(crate) fn ext_head(&mut self, ext_type: u64) {
        self.byte(tag::EXT);
        self.pos(ext_type);
    }

    /// Puts `some` before the value that was written from `at` on, if it needs it (SOM-2). Gives how
    /// many `some`s now stand there.
    #[inline(always)]
    pub(crate) fn wrap_some(&mut self, at: usize) -> u32 {
        match self.as_bytes().get(at) {
            Some(&(tag::NULL | tag::SOME)) => self.insert_some(at),
            _ => 0,
        }
    }

    #[cold]
    fn insert_some(&mut self, at: usize) -> u32 {
        self.insert(at, &[tag::SOME]);
        self.as_bytes()[at..].iter().take_while(|byte| **byte == tag::SOME).count() as u32
    }
}
