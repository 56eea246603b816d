//! The growing output: stores of a fixed width into memory that is already there.

use alloc::vec::Vec;

/// Bytes being written. All of `buf` is initialised; `len` of them are output. So a store of nine
/// bytes is one check and two moves, however many of them count.
#[derive(Default)]
pub(crate) struct Output {
    buf: Vec<u8>,
    pub(crate) len: usize,
}

impl Output {
    pub(crate) fn with_capacity(capacity: usize) -> Output {
        Output { buf: alloc::vec![0; capacity], len: 0 }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.buf[..self.len]
    }

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
        let target = (self.len + n).max(self.buf.len() * 2).max(64);
        self.buf.resize(target, 0);
    }

    /// `n` bytes that may be stored into; [`Output::advance`] says how many count.
    #[inline(always)]
    fn space(&mut self, n: usize) -> &mut [u8] {
        if self.buf.len() - self.len < n {
            self.grow(n);
        }
        &mut self.buf[self.len..][..n]
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.space(1)[0] = byte;
        self.len += 1;
    }

    /// A tag and the low `n` bytes, 0…8, of a number.
    #[inline(always)]
    pub(crate) fn tag_uint(&mut self, tag: u8, u: u64, n: usize) {
        let space = self.space(9);
        space[0] = tag;
        space[1..9].copy_from_slice(&u.to_le_bytes());
        self.len += 1 + n;
    }

    /// A tag and a number of 16 bytes.
    pub(crate) fn tag_uint_16(&mut self, tag: u8, u: u128) {
        let space = self.space(17);
        space[0] = tag;
        space[1..17].copy_from_slice(&u.to_le_bytes());
        self.len += 17;
    }

    #[inline(always)]
    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        self.space(bytes.len()).copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// A tag, and bytes after it.
    #[inline(always)]
    pub(crate) fn tag_slice(&mut self, tag: u8, bytes: &[u8]) {
        let space = self.space(1 + bytes.len());
        space[0] = tag;
        space[1..].copy_from_slice(bytes);
        self.len += 1 + bytes.len();
    }

    /// Puts another byte where one was written.
    pub(crate) fn patch(&mut self, at: usize, byte: u8) {
        self.buf[at] = byte;
    }

    /// Puts bytes between those that were written: for what is known only afterwards.
    pub(crate) fn insert(&mut self, at: usize, bytes: &[u8]) {
        self.space(bytes.len());
        let end = self.len;
        self.buf.copy_within(at..end, at + bytes.len());
        self.buf[at..at + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}
