//! The growing output: stores of a fixed width into memory that is already there.

use crate::num::ends;
use alloc::vec::Vec;

/// Bytes being written. All of `buf` is initialised, and `len` of them are output: so a number of one
/// to eight bytes is a store of nine with its tag, of which as many are kept as count.
#[derive(Default)]
pub(crate) struct Output {
    buf: Vec<u8>,
    len: usize,
}

/// Room to begin with: most messages fit.
const FIRST: usize = 128;

impl Output {
    /// Memory for a small document.
    #[inline]
    pub(crate) fn new() -> Output {
        Output { buf: [0; FIRST].to_vec(), len: 0 }
    }

    pub(crate) fn with_capacity(capacity: usize) -> Output {
        Output { buf: alloc::vec![0; capacity], len: 0 }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        // `len` never is more than there is.
        self.buf.get(..self.len).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn into_vec(mut self) -> Vec<u8> {
        self.buf.truncate(self.len);
        self.buf
    }

    /// Forgets what was written after `len`, and keeps the memory.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, n: usize) {
        let target = (self.len + n).max(self.buf.len() * 2).max(FIRST);
        self.buf.resize(target, 0);
    }

    /// Stores `N` bytes, of which `keep` count.
    #[inline(always)]
    fn store<const N: usize>(&mut self, bytes: [u8; N], keep: usize) {
        match self.buf.get_mut(self.len..).and_then(|space| space.first_chunk_mut::<N>()) {
            Some(space) => {
                *space = bytes;
                self.len += keep;
            }
            None => self.store_after_growth(&bytes, keep),
        }
    }

    #[cold]
    #[inline(never)]
    fn store_after_growth(&mut self, bytes: &[u8], keep: usize) {
        self.grow(bytes.len());
        self.buf[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += keep;
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.store([byte], 1);
    }

    /// A tag and the low `n` bytes, 0…8, of a number.
    #[inline(always)]
    pub(crate) fn tag_uint(&mut self, tag: u8, u: u64, n: usize) {
        let mut wide = [tag; 9];
        wide[1..].copy_from_slice(&u.to_le_bytes());
        self.store(wide, 1 + n);
    }

    /// A tag and a number of 16 bytes.
    pub(crate) fn tag_uint_16(&mut self, tag: u8, u: u128) {
        self.byte(tag);
        self.store(u.to_le_bytes(), 16);
    }

    #[inline(always)]
    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        let n = bytes.len();
        match self.buf.get_mut(self.len..).and_then(|space| space.get_mut(..n)) {
            Some(space) => {
                space.copy_from_slice(bytes);
                self.len += n;
            }
            None => self.store_after_growth(bytes, n),
        }
    }

    /// A tag, and a few bytes after it.
    #[inline(always)]
    pub(crate) fn tag_slice(&mut self, tag: u8, bytes: &[u8]) {
        let n = bytes.len();
        match bytes.last_chunk::<8>() {
            None => self.tag_uint(tag, ends(bytes).0, n),
            Some(tail) if n <= 16 => {
                // The first eight, cut to what the last eight do not cover, and these.
                self.tag_uint(tag, ends(bytes).0, n - 8);
                self.store(*tail, 8);
            }
            Some(_) => {
                self.byte(tag);
                self.slice(bytes);
            }
        }
    }

    /// Puts another byte where one was written.
    pub(crate) fn patch(&mut self, at: usize, byte: u8) {
        self.buf[at] = byte;
    }

    /// Puts bytes between those that were written: for what is known only afterwards.
    pub(crate) fn insert(&mut self, at: usize, bytes: &[u8]) {
        let end = self.len;
        self.slice(bytes);
        self.buf.copy_within(at..end, at + bytes.len());
        self.buf[at..at + bytes.len()].copy_from_slice(bytes);
    }
}
