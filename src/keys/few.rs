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

#[cfg(test)]
mod tests {
    use super::super::tests::keys_of;
    use super::*;

    fn few(texts: &[&str]) -> Few {
        let (data, keys) = keys_of(texts);
        let mut few = Few::default();
        keys.iter().for_each(|key| few.add(&data, *key));
        few
    }

    #[test]
    fn keys_that_are_the_same_are_looked_at_again() {
        let all = ["a", "b", "c", "d", "e", "f", "g", "h"];
        assert!(few(&all).differ());
        for first in 0..all.len() {
            for second in first + 1..all.len() {
                let mut twice = all;
                twice[second] = twice[first];
                assert!(!few(&twice).differ(), "{first} {second}");
            }
        }
    }

    #[test]
    fn a_key_with_the_fingerprint_of_no_key_is_looked_at_again() {
        let (data, keys) = keys_of(&["PZ_T1L"]);
        assert_eq!(fingerprint_in(&data, keys[0]), 0);
        assert!(!few(&["PZ_T1L", "PZ_T1L"]).differ());
    }

    #[test]
    fn keys_in_longer_forms_than_needed_are_looked_at_again() {
        let mut few = Few::default();
        few.add(&[0x05, 0xA0, 0x05], (0, 1));
        assert!(few.differ());
        few.add(&[0x05, 0xA0, 0x05], (1, 3));
        assert!(!few.differ());
    }

    #[test]
    fn the_keys_of_a_map_are_listed() {
        // {"a": [1, 2], "b": {3: 4}, 5: 6}, from its first key on
        let data = [0x41, b'a', 0x82, 1, 2, 0x41, b'b', 0x91, 3, 4, 5, 6];
        let mut keys = Vec::new();
        list(&data, 0, 3, &mut keys);
        assert_eq!(keys, [(0, 2), (5, 7), (10, 11)]);
    }
}
