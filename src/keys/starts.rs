//! The keys of maps that are only checked: where each begins, in as few bytes as tell it.

use super::{find_same, fingerprint, fingerprint_in, is_preferred, look_up};
use crate::canonical::{self, Form};
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;
use core::cell::RefCell;

/// Offsets in one input. Where a value begins tells where it ends, so no more is kept: for keys of a byte
/// or two that is the most of what a check takes.
pub(crate) enum Starts {
    Narrow(Vec<u32>),
    /// For inputs of more than 4 GiB.
    Wide(Vec<u64>),
}

impl Starts {
    /// For offsets up to the length of an input.
    pub(crate) fn up_to(len: usize) -> Starts {
        match u32::try_from(len) {
            Ok(_) => Starts::Narrow(Vec::new()),
            Err(_) => Starts::Wide(Vec::new()),
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        match self {
            Starts::Narrow(all) => all.len(),
            Starts::Wide(all) => all.len(),
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> usize {
        match self {
            Starts::Narrow(all) => all[index] as usize,
            Starts::Wide(all) => all[index] as usize,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, at: usize) {
        match self {
            Starts::Narrow(all) => push(all, at as u32),
            Starts::Wide(all) => push(all, at as u64),
        }
    }

    /// Makes room for `n` more, of which there is certain to be room in the input.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, n: usize) {
        match self {
            Starts::Narrow(all) => all.reserve_exact(n),
            Starts::Wide(all) => all.reserve_exact(n),
        }
    }

    #[inline(always)]
    pub(crate) fn truncate(&mut self, len: usize) {
        match self {
            Starts::Narrow(all) => all.truncate(len),
            Starts::Wide(all) => all.truncate(len),
        }
    }

    /// Of the keys from number `first` on the offset of one that is the same as one before it (MAP-5).
    #[inline]
    pub(crate) fn find_duplicate(&self, data: &[u8], first: usize) -> Option<usize> {
        let n = self.len() - first;
        if n < 2 {
            return None;
        }
        let start = |index: usize| self.get(first + index);
        let preferred = (0..n).all(|index| is_preferred(data, (start(index), end_of(data, start(index)))));
        let twice = match preferred {
            true => find_encoded(data, n, start),
            false => self.rewrite_and_find(data, first),
        };
        twice.map(start)
    }

    /// Equal values have equal bytes only if there is one encoding of each.
    #[inline(never)]
    fn rewrite_and_find(&self, data: &[u8], first: usize) -> Option<usize> {
        let n = self.len() - first;
        let start = |index: usize| self.get(first + index);
        let key = |index: usize| data.get(start(index)..end_of(data, start(index))).unwrap_or_default();
        // Keys were read before, so rewriting them does not fail.
        let rewrite = |index: usize, out: &mut Output| {
            out.truncate(0);
            if canonical::rewrite(key(index), Form::Preferred, out).is_err() {
                out.truncate(0);
                out.slice(key(index));
            }
        };
        let mut rewritten = Output::default();
        let (mut bytes, mut as_written) = (0, true);
        for index in 0..n {
            rewrite(index, &mut rewritten);
            bytes += rewritten.len();
            as_written &= rewritten.as_bytes() == key(index);
        }
        if as_written {
            return find_encoded(data, n, start);
        }
        // They are written down one at a time: all of them may take more than they did.
        let two = RefCell::new([rewritten, Output::default()]);
        let compare = |a: usize, b: usize| {
            let [first, second] = &mut *two.borrow_mut();
            rewrite(a, first);
            rewrite(b, second);
            first.as_bytes().cmp(second.as_bytes())
        };
        let print = |index: usize| {
            let [first, _] = &mut *two.borrow_mut();
            rewrite(index, first);
            fingerprint(first.as_bytes())
        };
        look_up(n, || bytes, compare, print)
    }
}

/// Adds to a vector that takes little more than it has to once it is large.
#[inline(always)]
fn push<T>(all: &mut Vec<T>, item: T) {
    if all.len() == all.capacity() {
        grow(all);
    }
    all.push(item);
}

#[cold]
#[inline(never)]
fn grow<T>(all: &mut Vec<T>) {
    let more = match all.len() {
        n if n < 4096 => n.max(16),
        n => n / 4,
    };
    all.reserve_exact(more);
}

/// The index of a key whose bytes are those of one before it.
#[inline(always)]
fn find_encoded(data: &[u8], n: usize, start: impl Fn(usize) -> usize) -> Option<usize> {
    let range = |index: usize| (start(index), end_of(data, start(index)));
    let key = |index: usize| {
        let (start, end) = range(index);
        data.get(start..end).unwrap_or_default()
    };
    find_same(n, key, (0..n).map(|index| fingerprint_in(data, range(index))))
}

/// Where a key ends that was read before.
#[inline(always)]
fn end_of(data: &[u8], start: usize) -> usize {
    match data.get(start) {
        Some(&tag @ tag::STR_INLINE..=tag::STR_INLINE_LAST) => start + 1 + usize::from(tag - tag::STR_INLINE),
        Some(&tag @ tag::INT_POS..=tag::INT_NEG_LAST) => start + 2 + usize::from(tag & 7),
        Some(..=tag::INT_INLINE_MAX | tag::INT_INLINE_NEG..) => start + 1,
        _ => end_of_any(data, start),
    }
}

#[inline(never)]
fn end_of_any(data: &[u8], start: usize) -> usize {
    let mut reader = Reader { data, pos: start };
    match skip_value(&mut reader, u32::MAX, u32::MAX) {
        Ok(()) => reader.pos,
        Err(_) => start,
    }
}
