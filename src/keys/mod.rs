//! The keys of maps: finding one that occurs twice (MAP-5), and knowing again those that were read
//! before.

#[cfg(feature = "serde")]
mod few;
mod memory;
mod starts;

#[cfg(feature = "serde")]
pub(crate) use few::{Few, list};
pub(crate) use memory::{Guess, Memory};
pub(crate) use starts::Starts;

use crate::canonical::{self, Form};
use crate::error::{Code, Error};
use crate::num::ends;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Where an encoded key stands in a buffer: its first byte, and the byte after it.
pub(crate) type Range = (usize, usize);

/// Up to this many keys are compared with one another.
const FEW: usize = 8;
/// Up to this many are told apart by a set of fingerprints; more by their order or a table.
const SEVERAL: usize = 48;
/// Of more than this many the first few are told apart before all of them: keys of a byte or two are soon the same.
const MANY: usize = 1 << 14;

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
    let mut rewritten = Output::default();
    let mut ranges = Vec::with_capacity(keys.len());
    for key in keys {
        let start = rewritten.len();
        // Keys were read before, so rewriting them does not fail.
        if is_preferred(data, *key) || canonical::rewrite(&data[key.0..key.1], form, &mut rewritten).is_err()
        {
            rewritten.slice(&data[key.0..key.1]);
        }
        ranges.push((start, rewritten.len()));
    }
    find_written_twice(rewritten.as_bytes(), &ranges)
}

/// The index of a key whose bytes are those of one before it.
#[inline]
pub(crate) fn find_duplicate_bytes<'k>(n: usize, key: impl Fn(usize) -> &'k [u8]) -> Option<usize> {
    find_same(n, &key, (0..n).map(|index| fingerprint(key(index))))
}

/// Whether a key is seen at once to be in its preferred form: a small int, a string with the shortest
/// head, null, a boolean. Others may be, too.
#[inline(always)]
fn is_preferred(data: &[u8], (start, end): Range) -> bool {
    match data.get(start) {
        // The last byte is the highest.
        Some(&tag @ tag::INT_POS..=tag::INT_NEG_LAST) => {
            let inline = match (end - start, tag) {
                (2, ..=tag::INT_POS_LAST) => tag::INT_INLINE_MAX,
                (2, _) => !tag::INT_INLINE_NEG,
                _ => 0,
            };
            data.get(end - 1).is_some_and(|byte| *byte > inline)
        }
        Some(tag::LIST_INLINE..tag::NULL | tag::SOME..tag::STR | tag::BYTES..tag::INT_INLINE_NEG) => false,
        // The shortest head leaves more text than the next shorter one could.
        Some(&tag::STR) => end - start > 2 + tag::STR_INLINE_MAX,
        Some(tag) if *tag == tag::STR + 1 => end - start > 3 + 0xFF,
        Some(tag::STR..tag::BYTES) => false,
        tag => tag.is_some(),
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
        _ => many(n, key),
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
fn many<'k>(n: usize, key: impl Fn(usize) -> &'k [u8]) -> Option<usize> {
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
    let bytes = || (0..n).map(|index| key(index).len()).sum();
    look_up(n, bytes, |a, b| key(a).cmp(key(b)), |index| fingerprint(key(index)))
}

/// Finds a key that is the same as one before it in a table; the keys take so many bytes.
fn look_up(
    n: usize,
    bytes: impl Fn() -> usize,
    compare: impl Fn(usize, usize) -> Ordering,
    print: impl Fn(usize) -> u32,
) -> Option<usize> {
    // Many keys of a byte or two are soon the same.
    let first = if n > MANY { MANY / 16 } else { n };
    for some in [first, n] {
        match hash(some, places(some, &bytes), |a, b| compare(a, b).is_eq(), &print) {
            Ok(None) if some < n => {}
            Ok(twice) => return twice,
            Err(Crowded) => return sort(n, compare),
        }
    }
    None
}

/// How many places a table has for `n` keys, which take so many bytes.
fn places(n: usize, bytes: impl FnOnce() -> usize) -> usize {
    match n {
        ..=MANY => 4 * n,
        // As much memory as the keys take themselves, but with some room to spare.
        _ => (bytes() / size_of::<u32>()).clamp(n + n / 4, 4 * n),
    }
}

/// A table had to be looked through again and again: keys can be made to have the same fingerprint.
struct Crowded;

/// Puts `n` keys into a table of so many places. Gives the index of one that is the same as one before it.
fn hash(
    n: usize,
    size: usize,
    same: impl Fn(usize, usize) -> bool,
    print: impl Fn(usize) -> u32,
) -> Result<Option<usize>, Crowded> {
    // A place is the index of a key and one.
    let mut table = alloc::vec![0_u32; size];
    let mut probes = 0;
    for index in 0..n {
        let mut place = ((u64::from(print(index)) * size as u64) >> 32) as usize;
        while table[place] != 0 {
            if same(table[place] as usize - 1, index) {
                return Ok(Some(index));
            }
            place = if place + 1 < size { place + 1 } else { 0 };
            probes += 1;
        }
        if probes > 4 * n || n > u32::MAX as usize / 8 {
            return Err(Crowded);
        }
        table[place] = index as u32 + 1;
    }
    Ok(None)
}

#[cold]
#[inline(never)]
fn sort(n: usize, compare: impl Fn(usize, usize) -> Ordering) -> Option<usize> {
    match u32::try_from(n) {
        Ok(n) => {
            let compare = |a: u32, b: u32| compare(a as usize, b as usize);
            first_second((0..n).collect(), compare).map(|index| index as usize)
        }
        Err(_) => first_second((0..n).collect(), compare),
    }
}

/// Of keys that are the same as one before them the first.
fn first_second<I: Copy + Ord>(mut sorted: Vec<I>, compare: impl Fn(I, I) -> Ordering) -> Option<I> {
    sorted.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    // Equal keys are neighbours, the earlier entry first.
    let twice = sorted.windows(2).filter(|pair| compare(pair[0], pair[1]).is_eq()).map(|pair| pair[1]);
    twice.min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    pub(super) fn keys_of(texts: &[&str]) -> (Vec<u8>, Vec<Range>) {
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
    fn a_key_twice_is_found_among_keys_in_order() {
        let second = |names: &[String]| {
            let texts: Vec<&str> = names.iter().map(String::as_str).collect();
            let (data, keys) = keys_of(&texts);
            find_duplicate(&data, &keys, Form::Preferred)
        };
        // Told apart by their beginnings, by what stands behind these, by their lengths
        let patterns =
            [|i| alloc::format!("{i:03}"), |i| alloc::format!("12345678{i:03}"), |i| "x".repeat(i)];
        for pattern in patterns {
            let mut names: Vec<String> = (0..100).map(pattern).collect();
            assert_eq!(second(&names), None);
            names.insert(70, names[69].clone());
            assert_eq!(second(&names), Some(70));
        }
        // Each is greater than the one before it by its length, or else by its bytes.
        let mut names: Vec<String> = ["aaa", "b", "aaa"].map(String::from).to_vec();
        names.extend((0..100).map(|i| alloc::format!("c{i:03}")));
        assert_eq!(find_duplicate_bytes(names.len(), |index| names[index].as_bytes()), Some(2));
    }

    #[test]
    fn a_key_twice_is_found_among_very_many() {
        let n = MANY + 1000;
        let names: Vec<String> = (0..n).map(|i| alloc::format!("k{}", i * 7919 % n)).collect();
        let mut texts: Vec<&str> = names.iter().map(String::as_str).collect();
        let second = |texts: &[&str]| {
            let (data, keys) = keys_of(texts);
            find_duplicate(&data, &keys, Form::Preferred)
        };
        assert_eq!(second(&texts), None);
        texts[n - 1] = texts[n - 100];
        assert_eq!(second(&texts), Some(n - 1));
        texts[500] = texts[400];
        assert_eq!(second(&texts), Some(500));
    }

    #[test]
    fn a_table_goes_on_at_its_start_and_is_given_up_when_it_is_crowded() {
        // What a table tells of keys with these prints, each of them new, or the last like the first.
        let told = |n: usize, twice: bool, print: fn(usize) -> u32| {
            let same = |a: usize, b: usize| twice && a == 0 && b == n - 1;
            hash(n, 4 * n, same, print).map_err(|Crowded| "crowded")
        };
        for n in [3, 100] {
            assert_eq!(told(n, false, |index| (index as u32) << 25), Ok(None), "{n}");
            assert_eq!(told(n, true, |index| (index as u32 % 99) << 25), Ok(Some(n - 1)), "{n}");
        }
        // All of them at the last place
        assert_eq!(told(3, false, |_| u32::MAX), Ok(None));
        assert_eq!(told(3, true, |_| u32::MAX), Ok(Some(2)));
        assert_eq!(told(100, false, |_| u32::MAX), Err("crowded"));
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

    /// A string in a form with a head of so many bytes.
    fn long_text(tag: u8, length: &[u8], n: usize) -> Vec<u8> {
        [&[tag], length, &alloc::vec![b'x'; n]].concat()
    }

    #[test]
    fn preferred_forms_are_told_from_longer_ones() {
        // In the middle of a document; what stands behind it does not matter.
        let seen = |key: &[u8]| {
            let data = [&[0xFF; 300], key, &[0xFF; 9]].concat();
            is_preferred(&data, (300, 300 + key.len()))
        };
        let scalars: [&[u8]; 14] = [
            &[0x00],
            &[0x3F],
            &[0xFF],
            &[0xE0],
            &[0xB8],
            &[0xBA],
            &[0x40],
            &[0x41, b'x'],
            &[0xA0, 0x40],
            &[0xA0, 0xFF],
            &[0xA8, 0x20],
            &[0xA1, 0x00, 0x01],
            &[0xA9, 0x00, 0x01],
            &[0xA7, 0, 0, 0, 0, 0, 0, 0, 1],
        ];
        scalars.iter().for_each(|key| assert!(seen(key), "{key:?}"));
        for (tag, length, n) in
            [(0x7F, &[][..], 63), (0xC0, &[64], 64), (0xC0, &[255], 255), (0xC1, &[0, 1], 256)]
        {
            assert!(seen(&long_text(tag, length, n)), "{tag:02X} {n}");
        }
        let longer: [&[u8]; 8] = [
            &[0xA0, 0x3F],
            &[0xA0, 0x00],
            &[0xA8, 0x1F],
            &[0xA8, 0x00],
            &[0xA1, 0x40, 0x00],
            &[0xA9, 0xFF, 0x00],
            &[0xA7, 1, 0, 0, 0, 0, 0, 0, 0],
            &[0xAF, 0, 0, 0, 1, 0, 0, 0, 0],
        ];
        longer.iter().for_each(|key| assert!(!seen(key), "{key:?}"));
        for (tag, length, n) in
            [(0xC0, &[0][..], 0), (0xC0, &[63], 63), (0xC1, &[10, 0], 10), (0xC1, &[255, 0], 255)]
        {
            assert!(!seen(&long_text(tag, length, n)), "{tag:02X} {n}");
        }
    }
}
