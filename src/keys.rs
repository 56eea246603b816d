//! The keys of maps: finding one that occurs twice, and knowing again those that were read before.

use crate::canonical::{self, Form};
use crate::error::{Code, Error};
use crate::read::Reader;
use crate::tag;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Where an encoded key stands in a buffer: its first byte, and the byte after it.
pub(crate) type Range = (usize, usize);

/// Up to this many keys are told apart one after the other; more are sorted.
const FEW: usize = 48;

#[cold]
#[inline(never)]
pub(crate) fn duplicate(offset: usize) -> Error {
    Error::new(Code::DuplicateKey, offset, "a map has the same key twice")
}

/// The index of a key that is the same as one before it (MAP-5), if there is one. Keys are compared
/// in a form that is the same for equal ones.
#[inline]
pub(crate) fn find_duplicate(data: &[u8], keys: &[Range], form: Form) -> Option<usize> {
    if keys.len() < 2 {
        return None;
    }
    let key = |index: usize| &data[keys[index].0..keys[index].1];
    // Equal values have equal bytes only if there is one encoding of each.
    if keys.iter().all(|key| data.get(key.0).is_some_and(|tag| always_preferred(*tag))) {
        return find_duplicate_bytes(keys.len(), key);
    }
    let preferred: Vec<Cow<'_, [u8]>> = (0..keys.len()).map(|index| rewritten(key(index), form)).collect();
    find_duplicate_bytes(keys.len(), |index| &*preferred[index])
}

/// Tags of which every encoding is the preferred one: small ints, short strings, null, booleans.
#[inline(always)]
fn always_preferred(tag: u8) -> bool {
    !(tag::LIST_INLINE..tag::INT_INLINE_NEG).contains(&tag) || (tag::NULL..=tag::TRUE).contains(&tag)
}

/// A key, which was read before, so that rewriting it does not fail.
fn rewritten(key: &[u8], form: Form) -> Cow<'_, [u8]> {
    match key.first() {
        Some(tag) if !always_preferred(*tag) => canonical::rewrite(key, form).map_or(key.into(), Cow::Owned),
        _ => key.into(),
    }
}

/// The index of a key whose bytes are those of one before it, in time that does not grow with the
/// square of their number.
#[inline]
pub(crate) fn find_duplicate_bytes<'k>(n: usize, key: impl Fn(usize) -> &'k [u8]) -> Option<usize> {
    if n > FEW {
        return many(n, key);
    }
    let mut prints = [0_u32; FEW];
    // A set of 512 bits that tells most new keys from all before them.
    let mut seen = [0_u64; 8];
    for index in 0..n {
        let bytes = key(index);
        let print = fingerprint(bytes);
        let (word, bit) = ((print >> 6 & 7) as usize, 1_u64 << (print & 63));
        if seen[word] & bit != 0 {
            let mut before = prints.iter().take(index).enumerate();
            if before.any(|(earlier, other)| *other == print && key(earlier) == bytes) {
                return Some(index);
            }
        }
        seen[word] |= bit;
        prints[index] = print;
    }
    None
}

/// A number that is the same for the same bytes, and seldom for others.
#[inline(always)]
fn fingerprint(bytes: &[u8]) -> u32 {
    let (head, tail) = ends(bytes);
    let mixed = (head ^ tail.rotate_left(23) ^ (bytes.len() as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

/// The first and the last eight bytes; fewer bytes are one number, and zero.
#[inline(always)]
pub(crate) fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(head), Some(tail)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
    } else if let (Some(head), Some(tail)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let shift = 8 * (bytes.len() as u32 - 4);
        (u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << shift, 0)
    } else {
        (bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)), 0)
    }
}

#[cold]
#[inline(never)]
fn many<'k>(n: usize, key: impl Fn(usize) -> &'k [u8]) -> Option<usize> {
    if (1..n).all(|index| key(index - 1) < key(index)) {
        return None;
    }
    let mut sorted: Vec<(u32, &[u8], usize)> = (0..n).map(|i| (fingerprint(key(i)), key(i), i)).collect();
    sorted.sort_unstable();
    // Equal keys are neighbours, the earlier entry first; report the first second one.
    let twice = sorted.windows(2).filter(|pair| pair[0].1 == pair[1].1).map(|pair| pair[1].2);
    twice.min()
}

/// Key lists of maps that were read before, so that the keys of the next map of the same kind need
/// not be validated and told apart again: records repeat their keys in the same order.
///
/// It is only a memory: what it does not know is read as if there were none.
#[derive(Default)]
pub(crate) struct Memory<'de> {
    slots: [Slot; 16],
    known: Vec<Known<'de>>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// Of the number of entries and the first key.
    print: u32,
    /// Where in `known` the keys begin; 0 (where nothing is) if the kind was seen once.
    start: u32,
}

#[derive(Clone, Copy)]
struct Known<'de> {
    text: &'de str,
    /// Its first eight bytes, or as many as there are.
    head: u64,
}

/// Key lists that are longer are not remembered.
const LONGEST: usize = 48;
/// Nor more keys than these in all.
const MOST: usize = 4096;

/// What the keys of one map are compared with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Guess {
    /// Where in the memory the next key is; 0 if none is expected.
    at: u32,
    /// The slot to keep the keys in, if the guess fails or there is none.
    slot: u32,
    /// Whether the keys are to be kept.
    keep: bool,
}

impl<'de> Memory<'de> {
    /// What is known of the map of `n` entries whose first key comes next.
    #[inline]
    pub(crate) fn guess(&mut self, reader: &Reader<'_>, n: usize) -> Guess {
        if !(2..=LONGEST).contains(&n) {
            return Guess::default();
        }
        let Some(head) = reader.data.get(reader.pos..).and_then(|rest| rest.first_chunk::<8>()) else {
            return Guess::default();
        };
        // The tag and what follows of a short key, the tag and seven bytes of a longer one.
        let used = (head[0].wrapping_sub(tag::STR_INLINE)).min(7);
        let head = u64::from_le_bytes(*head) & (u64::MAX >> (56 - 8 * u32::from(used)));
        let print = ((head ^ n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32 | 1;
        let index = print >> 28;
        let slot = &mut self.slots[index as usize];
        if slot.print != print {
            *slot = Slot { print, start: 0 };
            return Guess::default();
        }
        Guess { at: slot.start, slot: index, keep: slot.start == 0 }
    }

    /// The next key, if it is the one that is expected: a string whose length is in its tag.
    #[inline(always)]
    pub(crate) fn next(&self, guess: &mut Guess, reader: &mut Reader<'_>) -> Option<&'de str> {
        if guess.at == 0 {
            return None;
        }
        let known = self.known.get(guess.at as usize)?;
        let key = reader.data.get(reader.pos..)?;
        let len = known.text.len();
        let wide = key.first_chunk::<9>()?;
        let head =
            u64::from_le_bytes([wide[1], wide[2], wide[3], wide[4], wide[5], wide[6], wide[7], wide[8]]);
        let same_tag = usize::from(wide[0]) == usize::from(tag::STR_INLINE) + len;
        let unused = 64 - 8 * len.min(8) as u32;
        let same_head = len == 0 || (head ^ known.head) << unused == 0;
        if !(same_tag && same_head && (len <= 8 || key.get(9..1 + len)? == &known.text.as_bytes()[8..])) {
            *guess = Guess { at: 0, keep: true, ..*guess };
            return None;
        }
        reader.pos += 1 + len;
        guess.at += 1;
        Some(known.text)
    }

    /// Whether all keys of a map were the expected ones, so that they are known to differ.
    #[inline]
    pub(crate) fn confirms(guess: &Guess) -> bool {
        guess.at != 0
    }

    /// Keeps the keys of a map that were found to be text and to differ.
    #[inline]
    pub(crate) fn keep(&mut self, guess: Guess, keys: impl ExactSizeIterator<Item = &'de str>) {
        if guess.keep && self.known.len() + keys.len() < MOST {
            self.keep_new(guess, keys);
        }
    }

    #[inline(never)]
    fn keep_new(&mut self, guess: Guess, keys: impl ExactSizeIterator<Item = &'de str>) {
        if self.known.is_empty() {
            self.known.push(Known { text: "", head: 0 }); // nothing is at 0
        }
        let start = self.known.len();
        self.known.extend(keys.map(|text| Known { text, head: ends(text.as_bytes()).0 }));
        if self.known[start..].iter().all(|known| known.text.len() <= tag::STR_INLINE_MAX) {
            self.slots[guess.slot as usize].start = start as u32;
        } else {
            self.known.truncate(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::Output;
    use alloc::string::{String, ToString};

    fn keys_of(texts: &[&str]) -> (Vec<u8>, Vec<Range>) {
        let mut out = Output::default();
        let mut keys = Vec::new();
        for text in texts {
            let start = out.len();
            out.str(text);
            keys.push((start, out.len()));
        }
        (out.into_vec(), keys)
    }

    #[test]
    fn finds_the_second_of_two_equal_keys() {
        for n in [2_usize, 3, 7, 40, 48, 49, 200] {
            for pattern in ["k{}", "a rather long key with number {}", "{} x"] {
                let names: Vec<_> =
                    (0..n).map(|i| pattern.replace("{}", &(i * 7919 % n).to_string())).collect();
                let mut texts: Vec<&str> = names.iter().map(String::as_str).collect();
                let (data, keys) = keys_of(&texts);
                assert_eq!(find_duplicate(&data, &keys, Form::Preferred), None, "{n} {pattern}");
                texts[n - 1] = texts[0];
                let (data, keys) = keys_of(&texts);
                assert_eq!(find_duplicate(&data, &keys, Form::Preferred), Some(n - 1), "{n} {pattern}");
            }
        }
    }

    #[test]
    fn keys_are_compared_by_their_value() {
        // 5 twice, the second in two bytes
        assert_eq!(find_duplicate(&[0x05, 0xA0, 0x05], &[(0, 1), (1, 3)], Form::Preferred), Some(1));
        // 5 and 5.0 are different keys
        assert_eq!(find_duplicate(&[0x05, 0xB0, 0x28], &[(0, 1), (1, 3)], Form::Preferred), None);
        // [1, 2] twice, once with its count in a byte
        let data = [0x82, 1, 2, 0xC8, 2, 1, 2];
        assert_eq!(find_duplicate(&data, &[(0, 3), (3, 7)], Form::Preferred), Some(1));
        // {1: 1, 2: 2} and {2: 2, 1: 1} are different: order is part of a value
        let data = [0x92, 1, 1, 2, 2, 0x92, 2, 2, 1, 1];
        assert_eq!(find_duplicate(&data, &[(0, 5), (5, 10)], Form::Preferred), None);
    }

    #[test]
    fn the_memory_knows_only_what_it_was_told() {
        let mut memory = Memory::default();
        let keys = ["id", "a name of more than eight bytes", "", "12345678"];
        let (mut data, _) = keys_of(&keys);
        data.extend([0; 8]); // so that there are nine bytes to load for each
        let read = |memory: &mut Memory<'static>, data: &[u8]| {
            let mut reader = Reader::new(data);
            let mut guess = memory.guess(&reader, keys.len());
            let found: Vec<_> = (0..keys.len()).map_while(|_| memory.next(&mut guess, &mut reader)).collect();
            (guess, found)
        };
        assert_eq!(read(&mut memory, &data).1.len(), 0); // seen once
        let (guess, found) = read(&mut memory, &data); // seen again: to be kept
        assert_eq!(found.len(), 0);
        memory.keep(guess, keys.into_iter());
        let (guess, found) = read(&mut memory, &data);
        assert_eq!(found, keys);
        assert!(Memory::confirms(&guess));
        // A single other bit anywhere is noticed.
        let len = data.len() - 8;
        for at in 3..len {
            let mut other = data.clone();
            other[at] ^= 1;
            let (guess, found) = read(&mut memory, &other);
            assert!(found.len() < keys.len() && !Memory::confirms(&guess), "{at}");
        }
    }
}
