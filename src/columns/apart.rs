//! Telling the keys of maps by columns apart where they stand: by their numbers, without writing them down.

use super::Columns;
use super::invalid;
use super::packed::Packed;
use super::plan::Run;
use super::walk::{Based, Body};
use crate::canonical::Form;
use crate::error::Result;
use crate::keys::{self, Starts};
use crate::read::Reader;
use crate::skip::skip_value;
use alloc::vec::Vec;

/// A column, as far as its elements are compared as keys.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    pub(super) start: usize,
    pub(super) n: u64,
    pub(super) depth_left: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The same numbers are the same keys.
    Numbers(Packed),
    /// Sums of differences from a first value on.
    Sums(i64, Based),
    /// Text or bytes from an offset on.
    Texts(Based, usize),
    /// Values up to an offset.
    Plain(usize, usize),
    Other,
}

impl Kind {
    pub(super) fn of(body: &Body) -> Kind {
        match *body {
            Body::Bool(packed) => Kind::Numbers(packed),
            Body::Int(based) => Kind::Numbers(based.packed),
            Body::Float { narrow, at } => Kind::Numbers(Packed { at, bits: if narrow { 32 } else { 64 } }),
            // Below 2^52 two of them are never rounded to the same float.
            Body::Decimal { m, .. } if most(m) < 1 << 52 => Kind::Numbers(m.packed),
            Body::Differences(first, based) => Kind::Sums(first, based),
            Body::String(lengths, from, _) | Body::Bytes(lengths, from, _) => Kind::Texts(lengths, from),
            Body::Plain { at, end } => Kind::Plain(at, end),
            _ => Kind::Other,
        }
    }
}

/// The largest that a based number can be, without its sign.
fn most(based: Based) -> u64 {
    match based.negative {
        true => (based.base as i64).unsigned_abs().max(based.packed.max()),
        false => based.base.saturating_add(based.packed.max()),
    }
}

impl Keys {
    /// Refuses a key that a map has twice (MAP-5); the maps have so many entries each, one after the other.
    pub(super) fn tell_apart(&self, data: &[u8], maps: impl Iterator<Item = u64>) -> Result<()> {
        let twice = || keys::duplicate(self.start);
        let mut from = 0;
        match self.kind {
            Kind::Numbers(packed) => {
                for n in maps {
                    if !differ(data, packed, from, n as usize) {
                        return Err(twice());
                    }
                    from += n as usize;
                }
            }
            Kind::Sums(first, based) => {
                let mut sum = first;
                // Where each differs from the one before it by something above zero, all differ.
                for n in maps {
                    let next = from + n as usize;
                    let sums = (from..next).map(|index| {
                        let own = sum;
                        if index as u64 + 1 < self.n {
                            sum = sum.wrapping_add(based.get(data, index) as i64);
                        }
                        own
                    });
                    let rising = (from + 1..next).all(|index| based.get(data, index - 1) as i64 > 0);
                    match rising {
                        true => sums.for_each(drop),
                        false => {
                            let mut all: Vec<i64> = sums.collect();
                            all.sort_unstable();
                            if has_same_neighbours(&all) {
                                return Err(twice());
                            }
                        }
                    }
                    from = next;
                }
            }
            Kind::Texts(lengths, mut at) => {
                let mut ends = Starts::up_to(data.len());
                for n in maps {
                    let begin = at;
                    ends.truncate(0);
                    for index in from..from + n as usize {
                        at += lengths.get(data, index) as usize;
                        ends.push(at);
                    }
                    let text = |index: usize| {
                        let from = if index == 0 { begin } else { ends.get(index - 1) };
                        data.get(from..ends.get(index)).unwrap_or_default()
                    };
                    if keys::find_duplicate_bytes(n as usize, text).is_some() {
                        return Err(twice());
                    }
                    from += n as usize;
                }
            }
            Kind::Plain(at, end) => {
                let mut reader = Reader { data: data.get(..end).unwrap_or_default(), pos: at };
                let mut starts = Starts::up_to(end);
                // Keys that stand alone in their maps are not looked at until one behind them is.
                let mut waiting = 0;
                for n in maps {
                    from += n as usize;
                    if n < 2 {
                        waiting += n;
                        continue;
                    }
                    for _ in 0..core::mem::take(&mut waiting) {
                        skip_value(&mut reader, u32::MAX, u32::MAX)?;
                    }
                    starts.truncate(0);
                    for _ in 0..n {
                        starts.push(reader.pos);
                        skip_value(&mut reader, u32::MAX, u32::MAX)?;
                    }
                    if from as u64 == self.n && reader.pos != end {
                        return Err(invalid(self.start, "bytes after the values of a plain column"));
                    }
                    if starts.find_duplicate(data, 0).is_some() {
                        return Err(twice());
                    }
                }
            }
            Kind::Other => {
                let mut columns = Columns::of_column(data, self.start, self.n, self.depth_left)?;
                for n in maps {
                    let to = from + n as usize;
                    columns.tell_apart(Run { node: 0, from, to }, Form::Preferred)?;
                    from = to;
                }
            }
        }
        Ok(())
    }
}

/// Whether `n` packed numbers from number `from` on all differ.
fn differ(data: &[u8], packed: Packed, from: usize, n: usize) -> bool {
    const FEW: usize = 16;
    let number = |index: usize| packed.get(data, from + index);
    if n <= FEW {
        return (1..n).all(|index| (0..index).all(|before| number(before) != number(index)));
    }
    if (1..n).all(|index| number(index - 1) < number(index)) {
        return true;
    }
    match packed.bits {
        // There are no more than so many numbers.
        bits @ ..=16 if n > 1 << bits => false,
        bits @ ..=16 => {
            let mut seen = alloc::vec![0_u64; (1_usize << bits).div_ceil(64)];
            (0..n).all(|index| {
                let (word, bit) = (number(index) as usize / 64, 1 << (number(index) % 64));
                let is_new = seen[word] & bit == 0;
                seen[word] |= bit;
                is_new
            })
        }
        ..=32 => {
            let mut all: Vec<u32> = (0..n).map(|index| number(index) as u32).collect();
            all.sort_unstable();
            !has_same_neighbours(&all)
        }
        _ => {
            let mut all: Vec<u64> = (0..n).map(number).collect();
            all.sort_unstable();
            !has_same_neighbours(&all)
        }
    }
}

fn has_same_neighbours<T: PartialEq>(sorted: &[T]) -> bool {
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
