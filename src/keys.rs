//! The keys of maps: finding one that occurs twice, and knowing again those that were read before.

use crate::canonical::{self, Form};
use crate::error::{Code, Error};
use crate::num::ends;
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Where an encoded key stands in a buffer: its first byte, and the byte after it.
pub(crate) type Range = (usize, usize);

/// Up to this many keys are compared with one another.
const FEW: usize = 8;
/// Up to this many are told apart by a set of fingerprints; more are sorted.
const SEVERAL: usize = 48;

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
    // Equal values have equal bytes only if there is one encoding of each.
    match keys.iter().all(|key| is_preferred(data, *key)) {
        true => find_written_twice(data, keys),
        false => rewrite_and_find(data, keys, form),
    }
}

/// The same for keys that are known to be in their preferred form, as an encoder writes them.
#[inline]
pub(crate) fn find_written_twice(data: &[u8], keys: &[Range]) -> Option<usize> {
    if keys.len() < 2 {
        return None;
    }
    let key = |index: usize| &data[keys[index].0..keys[index].1];
    find_same(keys.len(), key, keys.iter().map(|key| fingerprint_in(data, *key)))
}

#[inline(never)]
fn rewrite_and_find(data: &[u8], keys: &[Range], form: Form) -> Option<usize> {
    let keys: Vec<Cow<'_, [u8]>> = keys.iter().map(|key| rewritten(&data[key.0..key.1], form)).collect();
    find_duplicate_bytes(keys.len(), |index| &*keys[index])
}

/// The index of a key whose bytes are those of one before it.
#[inline]
pub(crate) fn find_duplicate_bytes<'k>(n: usize, key: impl Fn(usize) -> &'k [u8]) -> Option<usize> {
    find_same(n, &key, (0..n).map(|index| fingerprint(key(index))))
}

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

/// Whether a key is seen at once to be in its preferred form: a small int, a string with the shortest
/// head, null, a boolean. Others may be, too.
#[inline(always)]
fn is_preferred(data: &[u8], (start, end): Range) -> bool {
    match data.get(start) {
        Some(tag::LIST_INLINE..tag::NULL | tag::SOME..tag::STR | tag::BYTES..tag::INT_INLINE_NEG) => false,
        // The shortest head leaves more text than the next shorter one could.
        Some(&tag::STR) => end - start > 2 + tag::STR_INLINE_MAX,
        Some(tag::STR..tag::BYTES) => end - start > 3 + 0xFF && data.get(start) == Some(&(tag::STR + 1)),
        tag => tag.is_some(),
    }
}

/// A key, which was read before, so that rewriting it does not fail.
fn rewritten(key: &[u8], form: Form) -> Cow<'_, [u8]> {
    match is_preferred(key, (0, key.len())) {
        true => key.into(),
        false => canonical::rewrite(key, form).map_or(key.into(), Cow::Owned),
    }
}

/// The index of a key whose bytes are those of one before it, in time that does not grow with the
/// square of their number. Keys of the same bytes have the same fingerprint.
#[inline(always)]
fn find_same<'k>(
    n: usize,
    key: impl Fn(usize) -> &'k [u8],
    prints: impl Iterator<Item = u32>,
) -> Option<usize> {
    match n {
        n if n <= FEW => few(key, prints),
        n if n <= SEVERAL => several(key, prints),
        _ => many(n, key, prints),
    }
}

#[inline(always)]
fn few<'k>(key: impl Fn(usize) -> &'k [u8], prints: impl Iterator<Item = u32>) -> Option<usize> {
    let mut before = [0_u32; FEW];
    for (index, print) in prints.enumerate().take(FEW) {
        let alike = before[..index].iter().fold(false, |alike, other| alike | (*other == print));
        if alike && (0..index).any(|other| key(other) == key(index)) {
            return Some(index);
        }
        before[index] = print;
    }
    None
}

#[inline(always)]
fn several<'k>(key: impl Fn(usize) -> &'k [u8], prints: impl Iterator<Item = u32>) -> Option<usize> {
    let mut before = [0_u32; SEVERAL];
    // A set of 512 bits that tells most new keys from all before them.
    let mut seen = [0_u64; 8];
    for (index, print) in prints.enumerate().take(SEVERAL) {
        let bit = 1_u64 << (print & 63);
        let word = &mut seen[(print >> 6 & 7) as usize];
        if *word & bit != 0 {
            let mut alike = before[..index].iter().enumerate().filter(|(_, other)| **other == print);
            if alike.any(|(other, _)| key(other) == key(index)) {
                return Some(index);
            }
        }
        *word |= bit;
        before[index] = print;
    }
    None
}

/// A number that is the same for the same bytes, and seldom for others.
#[inline(always)]
fn fingerprint(bytes: &[u8]) -> u32 {
    mix(ends(bytes), bytes.len())
}

/// The same for a part of a buffer, of which short keys are loaded with what follows them.
#[inline(always)]
fn fingerprint_in(data: &[u8], (start, end): Range) -> u32 {
    let len = end - start;
    let head = data.get(start..).and_then(|rest| rest.first_chunk::<8>());
    match head {
        Some(head) if len < 8 => {
            let head = u64::from_le_bytes(*head) & !(u64::MAX << (8 * len as u32));
            mix((head, 0), len)
        }
        _ => fingerprint(data.get(start..end).unwrap_or_default()),
    }
}

#[inline(always)]
fn mix((head, tail): (u64, u64), len: usize) -> u32 {
    let mixed = (head ^ tail.rotate_left(23) ^ len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

#[inline(never)]
fn many<'k>(n: usize, key: impl Fn(usize) -> &'k [u8], prints: impl Iterator<Item = u32>) -> Option<usize> {
    // Numbered or sorted keys are in order.
    let mut before: &[u8] = &[];
    let mut head_before = 0;
    let ordered = (0..n).all(|index| {
        let (own, own_head) = (key(index), ends(key(index)).0.swap_bytes());
        let order = (before.len(), head_before).cmp(&(own.len(), own_head));
        let is_before = order == Ordering::Less || order == Ordering::Equal && before < own;
        (before, head_before) = (own, own_head);
        is_before || index == 0
    });
    if ordered {
        return None;
    }
    // A table of places; a place is the index of a key and one.
    let mask = (4 * n).next_power_of_two() - 1;
    let mut table = alloc::vec![0_u32; mask + 1];
    let mut probes = 0;
    for (index, print) in prints.enumerate() {
        let mut place = print as usize & mask;
        while table[place] != 0 {
            if key(table[place] as usize - 1) == key(index) {
                return Some(index);
            }
            place = (place + 1) & mask;
            probes += 1;
        }
        // Keys can be made to have the same fingerprint.
        if probes > 4 * n || n > u32::MAX as usize / 8 {
            return sort(n, key);
        }
        table[place] = index as u32 + 1;
    }
    None
}

#[cold]
#[inline(never)]
fn sort<'k>(n: usize, key: impl Fn(usize) -> &'k [u8]) -> Option<usize> {
    let mut sorted: Vec<(&[u8], usize)> = (0..n).map(|index| (key(index), index)).collect();
    sorted.sort_unstable();
    // Equal keys are neighbours, the earlier entry first; report the first second one.
    let twice = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1);
    twice.min()
}

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
const WORTH: usize = 256;

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
    fn equal_fingerprints_do_not_matter() {
        // The middle of a long key is not in its fingerprint.
        for n in [3, 40, 3000] {
            let names: Vec<_> =
                (0..n).map(|i| alloc::format!("12345678{:09}87654321", i * 7919 % n)).collect();
            let mut texts: Vec<&str> = names.iter().map(String::as_str).collect();
            let (data, keys) = keys_of(&texts);
            assert_eq!(find_duplicate(&data, &keys, Form::Preferred), None, "{n}");
            texts[n - 1] = texts[1];
            let (data, keys) = keys_of(&texts);
            assert_eq!(find_duplicate(&data, &keys, Form::Preferred), Some(n - 1), "{n}");
        }
    }

    #[test]
    fn keys_are_compared_by_their_value() {
        // 5 twice, the second in two bytes
        assert_eq!(find_duplicate(&[0x05, 0xA0, 0x05], &[(0, 1), (1, 3)], Form::Preferred), Some(1));
        // A string twice, the second with its length in a byte
        assert_eq!(find_duplicate(&[0x41, 0x61, 0xC0, 1, 0x61], &[(0, 2), (2, 5)], Form::Preferred), Some(1));
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
}
