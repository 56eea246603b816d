//! What is checked of a column beyond its form (COL-42): unused bits, ranges, text, the choices of a dictionary.

use super::invalid;
use super::packed::Packed;
use super::walk::{Based, Body, Found};
use crate::error::Result;
use crate::plain::{invalid_utf8, str_from};
use crate::tag::column;

/// Checks what a column itself holds. Gives the text of a column of strings.
pub(super) fn check<'a>(data: &'a [u8], found: &Found) -> Result<&'a str> {
    // The elements own a bit each, and those bits were there.
    let (start, n) = (found.start, found.n as usize);
    match found.body {
        Body::Sparse(packed)
        | Body::Nullable(packed)
        | Body::Bool(packed)
        | Body::Lists(packed)
        | Body::Maps(packed)
        | Body::Union(_, _, packed) => check_clean(data, packed, n, start)?,
        Body::Int(based) => check_based(data, based, n, i64::MIN, u64::MAX, start)?,
        Body::Differences(first, based) => check_differences(data, first, based, n - 1, start)?,
        Body::Decimal { m, .. } => {
            const MOST: i64 = (1 << 53) - 1;
            check_based(data, m, n, -MOST, MOST as u64, start)?;
        }
        Body::String(lengths, from, to) => {
            check_based(data, lengths, n, 0, u64::MAX, start)?;
            return text(data, lengths, n, from, to, start);
        }
        Body::Bytes(lengths, ..) => check_based(data, lengths, n, 0, u64::MAX, start)?,
        Body::Plain { .. }
        | Body::Null
        | Body::Float { .. }
        | Body::Dictionary
        | Body::SameLength(_)
        | Body::Tuples(_)
        | Body::Table(_)
        | Body::Ext(_) => {}
    }
    Ok("")
}

/// Refuses bits behind the last of packed numbers.
fn check_clean(data: &[u8], packed: Packed, n: usize, start: usize) -> Result<()> {
    match packed.ends_clean(data, n) {
        true => Ok(()),
        false => Err(invalid(start, "bits after the last of the packed numbers")),
    }
}

/// Checks based numbers: that each lies in `least..=most`.
fn check_based(data: &[u8], based: Based, n: usize, least: i64, most: u64, start: usize) -> Result<()> {
    check_clean(data, based.packed, n, start)?;
    let fits = |number: u64| match based.negative {
        true => {
            let sum = i128::from(based.base as i64) + i128::from(number);
            (i128::from(least)..=i128::from(most.min(i64::MAX as u64))).contains(&sum)
        }
        false => based.base.checked_add(number).is_some_and(|sum| sum <= most),
    };
    // The width alone nearly always tells.
    let all_fit = fits(0) && fits(based.packed.max());
    match all_fit || (0..n).all(|index| fits(based.packed.get(data, index))) {
        true => Ok(()),
        false => Err(invalid(start, "an int out of its range")),
    }
}

/// Checks the sums of differences.
fn check_differences(data: &[u8], first: i64, based: Based, n: usize, start: usize) -> Result<()> {
    check_based(data, based, n, i64::MIN, i64::MAX as u64, start)?;
    let largest = i128::from(based.base as i64) + i128::from(based.packed.max());
    let furthest = largest.max(i128::from(based.base as i64).abs()).saturating_mul(n as i128);
    if furthest <= i128::from(i64::MAX) - i128::from(first).abs() {
        return Ok(());
    }
    let mut value = first;
    for index in 0..n {
        match value.checked_add(based.get(data, index) as i64) {
            Some(next) => value = next,
            None => return Err(invalid(start, "an int out of its range")),
        }
    }
    Ok(())
}

/// Checks that each string of a column is UTF-8.
fn text(data: &[u8], lengths: Based, n: usize, from: usize, to: usize, start: usize) -> Result<&str> {
    let text = str_from(data.get(from..to).unwrap_or_default(), start)?;
    if text.is_ascii() {
        return Ok(text);
    }
    let mut at = 0;
    for index in 0..n {
        at += lengths.get(data, index) as usize;
        if !text.is_char_boundary(at) {
            return Err(invalid_utf8(start));
        }
    }
    Ok(text)
}

/// The choices of a dictionary.
pub(super) struct Choice {
    pub(super) start: usize,
    pub(super) n: usize,
    pub(super) indices: Packed,
    pub(super) entries: usize,
    /// The length of the longest entry in bytes, if they are text or bytes, or else 0.
    pub(super) longest: usize,
}

impl Choice {
    /// Checks the choices of a dictionary that ends at `end`; `length` is that of the entry that an element is.
    /// Gives how many bytes of text the elements have in all, or more.
    pub(super) fn check(&self, data: &[u8], end: usize, length: impl Fn(usize) -> u64) -> Result<u64> {
        let Choice { start, n, indices, entries, longest } = *self;
        check_clean(data, indices, n, start)?;
        let chosen = |index: usize| indices.get(data, index);
        if indices.max() >= entries as u64 && (0..n).any(|index| chosen(index) >= entries as u64) {
            return Err(invalid(start, "an entry that the dictionary does not have"));
        }
        let most = (end - start) as u64 * column::EXPANSION_MAX;
        // The longest entry alone nearly always tells.
        let mut sum = (longest as u64).saturating_mul(n as u64);
        if sum > most {
            sum = (0..n).map(length).sum();
        }
        match sum > most {
            true => Err(invalid(start, "a dictionary that expands more than 64 times")),
            false => Ok(sum),
        }
    }
}
