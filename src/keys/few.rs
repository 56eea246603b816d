//! Telling the keys of a small map apart while it is read or written.

use super::{FEW, Range, fingerprint_in, is_preferred};
use crate::read::Reader;
use crate::skip::skip_value;
use alloc::vec::Vec;

/// The keys of a map of at most `Few::MOST` entries, while it is read or written: they are told apart
/// as they come, without being remembered. What looks alike is left to a closer look at the end.
#[derive(Clone, Copy, Default)]
pub(crate) struct Few {
    prints: [u32; FEW],
    n: u8,
    alike: bool,
}

impl Few {
    /// The most keys that are told apart in this way.
    pub(crate) const MOST: usize = FEW;

    #[inline(always)]
    pub(crate) fn add(&mut self, data: &[u8], key: Range) {
        let print = fingerprint_in(data, key);
        // The prints that are not there yet are 0, which only makes a closer look more likely.
        let alike = self.prints.iter().fold(false, |alike, other| alike | (*other == print));
        self.alike |= alike || !is_preferred(data, key);
        if let Some(slot) = self.prints.get_mut(usize::from(self.n)) {
            *slot = print;
            self.n += 1;
        }
    }

    /// Whether all keys are known to differ.
    #[inline(always)]
    pub(crate) fn differ(&self) -> bool {
        !self.alike
    }
}

/// Puts the first `n` keys of a map, of which the first stands at `start`, into a list. They were read
/// or written before, so they can be passed over.
#[cold]
#[inline(never)]
pub(crate) fn list(data: &[u8], start: usize, n: usize, keys: &mut Vec<Range>) {
    let mut reader = Reader { data, pos: start };
    for index in 0..n {
        if index > 0 && skip_value(&mut reader, u32::MAX, u32::MAX).is_err() {
            return;
        }
        let key = reader.pos;
        if skip_value(&mut reader, u32::MAX, u32::MAX).is_err() {
            return;
        }
        keys.push((key, reader.pos));
    }
}
