//! Knowing keys again: records repeat them.

use crate::num::ends;
use crate::read::Reader;
use crate::tag;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Key lists of maps that were read before, so that the keys of the next map of the same kind need
/// not be validated and told apart again: records repeat their keys in the same order.
///
/// It is only a memory: what it does not know is read as if there were none.
#[derive(Default)]
pub(crate) struct Memory<'de> {
    /// None, before a map of a larger document was read; then `SLOTS`.
    slots: Vec<Slot<'de>>,
}

const SLOTS: usize = 16;
/// A document with fewer bytes left has hardly maps enough of one kind.
const WORTH: usize = 1024;

#[derive(Default)]
struct Slot<'de> {
    /// Of the number of entries and the first key.
    print: u32,
    /// The keys; none if a map of this kind was seen only once.
    keys: Box<[Known<'de>]>,
    /// How often the slot was filled: a map inside of one that is being read may take its slot.
    version: u32,
}

#[derive(Clone, Copy)]
struct Known<'de> {
    text: &'de str,
    /// Its first eight bytes, or as many as there are.
    head: u64,
}

/// Longer lists of keys are not remembered.
const LONGEST: usize = 48;

/// What the keys of one map are compared with.
#[derive(Clone, Copy)]
pub(crate) struct Guess {
    /// The slot of its kind of map.
    slot: u8,
    /// Which of the keys is next; `WRONG` if one was another, or none is known.
    next: u8,
    /// How many keys the map has, if they are to be kept; else 0.
    keep: u8,
    /// The version of the slot.
    version: u32,
}

const WRONG: u8 = u8::MAX;

impl Guess {
    /// Nothing is known.
    pub(crate) const NONE: Guess = Guess { slot: 0, next: WRONG, keep: 0, version: 0 };

    /// Whether all keys of a map were the expected ones, so that they are known to differ.
    #[inline(always)]
    pub(crate) fn is_confirmed(self) -> bool {
        self.next != WRONG
    }

    /// Whether the keys are worth keeping: the map is the second of its kind.
    #[cfg(feature = "serde")]
    #[inline(always)]
    pub(crate) fn is_to_be_kept(self) -> bool {
        self.keep > 0
    }
}

impl<'de> Memory<'de> {
    /// What is known of the map of `n` entries whose first key comes next.
    #[inline]
    pub(crate) fn guess(&mut self, reader: &Reader<'_>, n: usize) -> Guess {
        if !(2..=LONGEST).contains(&n) {
            return Guess::NONE;
        }
        let Some(head) = reader.data.get(reader.pos..).and_then(|rest| rest.first_chunk::<8>()) else {
            return Guess::NONE;
        };
        if self.slots.is_empty() {
            if reader.remaining() < WORTH {
                return Guess::NONE;
            }
            self.slots.resize_with(SLOTS, Slot::default);
        }
        // The tag and what follows of a short key, the tag and seven bytes of a longer one.
        let used = (head[0].wrapping_sub(tag::STR_INLINE)).min(7);
        let head = u64::from_le_bytes(*head) & (u64::MAX >> (56 - 8 * u32::from(used)));
        let print = ((head ^ n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32 | 1;
        let index = (print >> 28) as u8;
        let Some(slot) = self.slots.get_mut(usize::from(index)) else {
            return Guess::NONE;
        };
        if slot.print != print {
            *slot = Slot { print, keys: Box::default(), version: slot.version.wrapping_add(1) };
            return Guess::NONE;
        }
        match slot.keys.is_empty() {
            true => Guess { slot: index, next: WRONG, keep: n as u8, version: slot.version },
            false => Guess { slot: index, next: 0, keep: 0, version: slot.version },
        }
    }

    /// The next key, if it is the one that is expected: a string whose length is in its tag.
    #[inline(always)]
    pub(crate) fn next(&self, guess: &mut Guess, reader: &mut Reader<'_>) -> Option<&'de str> {
        if guess.next == WRONG {
            return None;
        }
        let slot = self.slots.get(usize::from(guess.slot)).filter(|slot| slot.version == guess.version);
        let known = slot.and_then(|slot| slot.keys.get(usize::from(guess.next)));
        match known.and_then(|known| known.matches(reader)) {
            Some(text) => {
                reader.pos += 1 + text.len();
                guess.next += 1;
                Some(text)
            }
            None => {
                guess.next = WRONG;
                None
            }
        }
    }

    /// Keeps the keys of a map that were found to differ, if all are text.
    pub(crate) fn keep(&mut self, guess: Guess, key: impl Fn(usize) -> Option<&'de str>) {
        let known = |index| {
            let text = key(index).filter(|text| text.len() <= tag::STR_INLINE_MAX)?;
            Some(Known { text, head: ends(text.as_bytes()).0 })
        };
        let keys = (0..usize::from(guess.keep)).map(known).collect();
        if let (Some(keys), Some(slot)) = (keys, self.slots.get_mut(usize::from(guess.slot))) {
            if slot.version == guess.version {
                slot.keys = keys;
                slot.version = slot.version.wrapping_add(1);
            }
        }
    }
}

impl<'de> Known<'de> {
    /// The text, if it is what comes next.
    #[inline(always)]
    fn matches(&self, reader: &Reader<'_>) -> Option<&'de str> {
        let key = reader.data.get(reader.pos..)?;
        let wide = key.first_chunk::<9>()?;
        let head =
            u64::from_le_bytes([wide[1], wide[2], wide[3], wide[4], wide[5], wide[6], wide[7], wide[8]]);
        let len = self.text.len();
        let unused = (64 - 8 * len.min(8) as u32) & 63;
        let same = usize::from(wide[0]) == usize::from(tag::STR_INLINE) + len
            && ((head ^ self.head) << unused == 0 || len == 0)
            && (len <= 8 || key.get(9..1 + len) == self.text.as_bytes().get(8..));
        same.then_some(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::keys_of;
    use super::*;

    #[test]
    fn the_memory_knows_only_what_it_was_told() {
        let mut memory = Memory::default();
        let keys = ["id", "a name of more than eight bytes", "", "12345678", "five5", "1"];
        let (mut data, _) = keys_of(&keys);
        data.extend([0; WORTH]); // so that it is worth while
        let read = |memory: &mut Memory<'static>, data: &[u8]| {
            let mut reader = Reader::new(data);
            let mut guess = memory.guess(&reader, keys.len());
            let found: Vec<_> = (0..keys.len()).map_while(|_| memory.next(&mut guess, &mut reader)).collect();
            (guess, found)
        };
        assert_eq!(read(&mut memory, &data).1.len(), 0); // seen once
        let (guess, found) = read(&mut memory, &data); // seen again: to be kept
        assert_eq!(found.len(), 0);
        memory.keep(guess, |index| Some(keys[index]));
        let (guess, found) = read(&mut memory, &data);
        assert_eq!(found, keys);
        assert!(guess.is_confirmed());
        // A single other bit anywhere is noticed.
        let len = data.len() - WORTH;
        for at in 3..len {
            let mut other = data.clone();
            other[at] ^= 1;
            let (guess, found) = read(&mut memory, &other);
            assert!(found.len() < keys.len() && !guess.is_confirmed(), "{at}");
        }
    }

    #[test]
    fn any_first_key_is_known_again() {
        for first in ["", "1", "seven77", "eight888", "a name of more than eight bytes"] {
            let keys = [first, "id"];
            let mut memory = Memory::default();
            let (mut data, _) = keys_of(&keys);
            data.extend([0; WORTH]);
            let mut confirmed = Vec::new();
            for _ in 0..3 {
                let mut reader = Reader::new(&data);
                let mut guess = memory.guess(&reader, keys.len());
                let found = (0..keys.len()).map_while(|_| memory.next(&mut guess, &mut reader)).count();
                assert_eq!(found, if guess.is_confirmed() { keys.len() } else { 0 });
                confirmed.push(guess.is_confirmed());
                memory.keep(guess, |index| Some(keys[index]));
            }
            assert_eq!(confirmed, [false, false, true], "{first}");
        }
    }
}
