//! The growing output: stores of a fixed width, of which as many bytes are kept as count.

use crate::num::ends;
use alloc::vec::Vec;

/// Bytes being written.
///
/// A number of one to eight bytes is appended as eight, and cut: one check of the capacity and one
/// store, whatever its width. Short strings are appended in the same way.
#[derive(Default)]
pub(crate) struct Output {
    buf: Vec<u8>,
}

/// Room to begin with: most messages fit.
const FIRST: usize = 256;

impl Output {
    /// Memory for a small document.
    #[inline]
    pub(crate) fn new() -> Output {
        Output { buf: Vec::with_capacity(FIRST) }
    }

    /// Goes on behind bytes that were written before.
    #[cfg(feature = "serde")]
    pub(crate) fn of(buf: Vec<u8>) -> Output {
        Output { buf }
    }

    /// Memory for so many bytes.
    pub(crate) fn with_capacity(capacity: usize) -> Output {
        // The last number or string, too, is stored as more bytes than count.
        Output { buf: Vec::with_capacity(capacity.saturating_add(16)) }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.buf.len()
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.buf
    }

    #[inline]
    pub(crate) fn into_vec(self) -> Vec<u8> {
        self.buf
    }

    /// Forgets what was written after `len`, and keeps the memory.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.buf.truncate(len);
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.buf.push(byte);
    }

    /// A tag and the low `n` bytes, 0…8, of a number.
    #[inline(always)]
    pub(crate) fn tag_uint(&mut self, tag: u8, u: u64, n: usize) {
        let end = self.buf.len() + 1 + n;
        if self.buf.capacity() - self.buf.len() < 9 {
            self.grow(9);
        }
        self.buf.push(tag);
        self.buf.extend_from_slice(&u.to_le_bytes());
        self.buf.truncate(end);
    }

    /// Makes room for so many bytes more.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.buf.reserve(n);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, n: usize) {
        self.buf.reserve(n);
    }

    /// Numbers of the same few bytes each.
    pub(crate) fn arrays<T: Copy, const BYTES: usize>(
        &mut self,
        numbers: &[T],
        of: impl Fn(T) -> [u8; BYTES],
    ) {
        self.buf.reserve(numbers.len() * BYTES);
        // By blocks, so that there is one check of the capacity for many of them.
        let mut block = [[0; BYTES]; 64];
        for some in numbers.chunks(block.len()) {
            block.iter_mut().zip(some).for_each(|(to, number)| *to = of(*number));
            self.buf.extend_from_slice(block[..some.len()].as_flattened());
        }
    }

    /// A tag and a number of 16 bytes.
    pub(crate) fn tag_uint_16(&mut self, tag: u8, u: u128) {
        self.buf.push(tag);
        self.buf.extend_from_slice(&u.to_le_bytes());
    }

    #[inline(always)]
    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        self.buf.extend_from_slice(bytes);
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
                self.buf.extend_from_slice(tail);
            }
            Some(_) => {
                self.buf.push(tag);
                self.buf.extend_from_slice(bytes);
            }
        }
    }

    /// Puts another byte where one was written.
    pub(crate) fn patch(&mut self, at: usize, byte: u8) {
        self.buf[at] = byte;
    }

    /// Puts bytes between those that were written: for what is known only afterwards.
    pub(crate) fn insert(&mut self, at: usize, bytes: &[u8]) {
        let end = self.buf.len();
        self.buf.extend_from_slice(bytes);
        self.buf.copy_within(at..end, at + bytes.len());
        self.buf[at..at + bytes.len()].copy_from_slice(bytes);
    }
}
