//! Finding a key that a map has twice, in time that does not grow with the square of its entries.

use crate::canonical;
use crate::error::{Code, Error};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Where an encoded key stands in a buffer: its first byte, and the byte after it.
pub(crate) type Range = (usize, usize);

/// Up to this many keys are compared with one another; more are sorted.
const FEW: usize = 48;

/// The index of a key that is the same as one before it (MAP-5), if there is one.
#[inline]
pub(crate) fn find_duplicate(data: &[u8], keys: &[Range]) -> Option<usize> {
    if keys.len() < 2 {
        return None;
    }
    if keys.len() <= FEW { few(data, keys) } else { many(data, keys) }
}

#[cold]
#[inline(never)]
pub(crate) fn duplicate(offset: usize) -> Error {
    Error::new(Code::DuplicateKey, offset, "a map has the same key twice")
}

/// Tags of which every encoding is the preferred one: small ints, short strings, null, booleans.
#[inline(always)]
fn always_preferred(tag: u8) -> bool {
    tag < 0x80 || tag >= 0xE0 || (0xB8..=0xBA).contains(&tag)
}

/// A number that is the same for keys of the same bytes.
#[inline(always)]
fn fingerprint(data: &[u8], (start, end): Range) -> u32 {
    let len = end - start;
    let (head, tail) = if let (true, Some(head), Some(tail)) = (
        len >= 8,
        data.get(start..).and_then(|rest| rest.first_chunk::<8>()),
        data.get(..end).and_then(|rest| rest.last_chunk::<8>()),
    ) {
        (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
    } else if let Some(head) = data.get(start..).and_then(|rest| rest.first_chunk::<8>()) {
        (u64::from_le_bytes(*head) & !(u64::MAX << ((8 * len as u32) & 63)), 0)
    } else {
        let key = data.get(start..end).unwrap_or_default();
        (key.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)), 0)
    };
    let mixed = (head ^ tail.rotate_left(23) ^ (len as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

fn few(data: &[u8], keys: &[Range]) -> Option<usize> {
    let mut prints = [0_u32; FEW];
    let mut seen = 0_u64;
    let mut suspicious = false;
    for (key, print) in keys.iter().zip(&mut prints) {
        if !always_preferred(data[key.0]) {
            return many(data, keys);
        }
        *print = fingerprint(data, *key);
        let bit = 1 << (*print & 63);
        suspicious |= seen & bit != 0;
        seen |= bit;
    }
    if !suspicious {
        return None;
    }
    for (later, print) in prints[..keys.len()].iter().enumerate().skip(1) {
        // Most often nothing is equal: this much is branch-free and in vector registers.
        let any = prints[..later].iter().fold(false, |any, earlier| any | (earlier == print));
        if any {
            let bytes = &data[keys[later].0..keys[later].1];
            let same = |earlier: &Range| &data[earlier.0..earlier.1] == bytes;
            if keys[..later].iter().any(same) {
                return Some(later);
            }
        }
    }
    None
}

fn many(data: &[u8], keys: &[Range]) -> Option<usize> {
    let bytes = |key: &Range| &data[key.0..key.1];
    let preferred = keys.iter().all(|key| always_preferred(data[key.0]));
    if preferred && keys.windows(2).all(|pair| bytes(&pair[0]) < bytes(&pair[1])) {
        return None;
    }
    let mut sorted: Vec<(u32, Cow<'_, [u8]>, usize)> = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        let mut form = Cow::Borrowed(bytes(key));
        if !always_preferred(data[key.0]) {
            // Keys were read before this is called, so rewriting them does not fail.
            if let Ok(owned) = canonical::preferred(&form) {
                form = Cow::Owned(owned);
            }
        }
        sorted.push((fingerprint(&form, (0, form.len())), form, index));
    }
    sorted.sort_unstable();
    // Equal keys are neighbours, the earlier entry first; report the first second one.
    let twice = sorted.windows(2).filter(|pair| pair[0].1 == pair[1].1).map(|pair| pair[1].2);
    twice.min()
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
                assert_eq!(find_duplicate(&data, &keys), None, "{n} {pattern}");
                texts[n - 1] = texts[0];
                let (data, keys) = keys_of(&texts);
                assert_eq!(find_duplicate(&data, &keys), Some(n - 1), "{n} {pattern}");
            }
        }
    }

    #[test]
    fn keys_are_compared_by_their_value() {
        // 5 twice, the second in two bytes
        assert_eq!(find_duplicate(&[0x05, 0xA0, 0x05], &[(0, 1), (1, 3)]), Some(1));
        // 5 and 5.0 are different keys
        assert_eq!(find_duplicate(&[0x05, 0xB0, 0x28], &[(0, 1), (1, 3)]), None);
        // [1, 2] twice, once with its count in a byte
        let data = [0x82, 1, 2, 0xC8, 2, 1, 2];
        assert_eq!(find_duplicate(&data, &[(0, 3), (3, 7)]), Some(1));
        // {1: 1, 2: 2} and {2: 2, 1: 1} are different: order is part of a value
        let data = [0x92, 1, 1, 2, 2, 0x92, 2, 2, 1, 1];
        assert_eq!(find_duplicate(&data, &[(0, 5), (5, 10)]), None);
    }
}
