//! Packed numbers: each takes the same few bits (COL-8).

use crate::tag::column::WIDTHS;
use crate::write::Output;

/// Where numbers of a width stand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packed {
    /// The offset of the first byte.
    pub(super) at: usize,
    /// The bits of each number, 1…64.
    pub(super) bits: u8,
}

impl Packed {
    /// Numbers of the width that a code of four bits stands for.
    pub(super) fn of_code(code: u8, at: usize) -> Packed {
        Packed { at, bits: WIDTHS[usize::from(code & 15)] }
    }

    /// How many bytes `n` numbers take.
    pub(super) fn size(self, n: u64) -> u64 {
        // A count is at most 8 × the bytes that remain, or the bytes are missed when they are read.
        n.saturating_mul(u64::from(self.bits)).div_ceil(8)
    }

    /// The largest number of this width.
    #[inline(always)]
    pub(super) fn max(self) -> u64 {
        u64::MAX >> ((64 - self.bits) & 63)
    }

    /// One of the numbers.
    #[inline(always)]
    pub(super) fn get(self, data: &[u8], index: usize) -> u64 {
        let bit = index as u64 * u64::from(self.bits);
        let at = self.at + (bit >> 3) as usize;
        // Widths that do not divide eight are below 57 bits, so eight bytes hold any number.
        let word = match data.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => load_end(data, at),
        };
        word >> (bit & 7) & self.max()
    }

    /// Whether the bits behind the last of `n` numbers are zero; the numbers are there.
    pub(super) fn ends_clean(self, data: &[u8], n: usize) -> bool {
        let used = (n as u64 * u64::from(self.bits)) & 7;
        let last = self.at as u64 + self.size(n as u64);
        used == 0 || data.get(last as usize - 1).is_none_or(|byte| byte >> used == 0)
    }
}

/// The code of the smallest width that holds a number.
pub(super) fn code_for(largest: u64) -> u8 {
    let bits = (64 - largest.leading_zeros()) as u8;
    WIDTHS.iter().position(|width| *width >= bits).unwrap_or(WIDTHS.len() - 1) as u8
}

/// How many bytes `n` numbers take, of which the largest is known.
pub(super) fn size_for(largest: u64, n: usize) -> usize {
    Packed::of_code(code_for(largest), 0).size(n as u64) as usize
}

/// So many numbers are written together; whatever their width, they take whole bytes.
const BLOCK: usize = 64;

/// Writes packed numbers, each being a number `of` one of these.
pub(super) fn write<T: Copy>(out: &mut Output, code: u8, numbers: &[T], of: impl Fn(T) -> u64) {
    let mut block = [0; BLOCK];
    for some in numbers.chunks(BLOCK) {
        block.iter_mut().zip(some).for_each(|(to, number)| *to = of(*number));
        write_block(out, code, &block[..some.len()]);
    }
}

/// The same for numbers that come one after the other.
pub(super) fn write_each(out: &mut Output, code: u8, mut numbers: impl Iterator<Item = u64>) {
    let mut block = [0; BLOCK];
    loop {
        let mut n = 0;
        for (to, number) in block.iter_mut().zip(&mut numbers) {
            *to = number;
            n += 1;
        }
        write_block(out, code, &block[..n]);
        if n < BLOCK {
            return;
        }
    }
}

fn write_block(out: &mut Output, code: u8, numbers: &[u64]) {
    match WIDTHS[usize::from(code & 15)] {
        8 => write_bytes::<1>(out, numbers),
        16 => write_bytes::<2>(out, numbers),
        24 => write_bytes::<3>(out, numbers),
        32 => write_bytes::<4>(out, numbers),
        40 => write_bytes::<5>(out, numbers),
        48 => write_bytes::<6>(out, numbers),
        56 => write_bytes::<7>(out, numbers),
        64 => write_bytes::<8>(out, numbers),
        bits => write_bits(out, u32::from(bits), numbers),
    }
}

/// Writes numbers of whole bytes.
fn write_bytes<const BYTES: usize>(out: &mut Output, numbers: &[u64]) {
    out.arrays(numbers, |number| {
        let mut low = [0; BYTES];
        low.copy_from_slice(&number.to_le_bytes()[..BYTES]);
        low
    });
}

/// Writes numbers of up to twelve bits.
fn write_bits(out: &mut Output, bits: u32, numbers: &[u64]) {
    let mut bytes = [0; BLOCK * 12 / 8 + 4];
    // Fewer than 32 bits wait while up to 12 are added.
    let (mut waiting, mut n, mut at) = (0_u64, 0, 0);
    for number in numbers {
        waiting |= number << n;
        n += bits;
        if n >= 32 {
            bytes[at..at + 4].copy_from_slice(&(waiting as u32).to_le_bytes());
            at += 4;
            waiting >>= 32;
            n -= 32;
        }
    }
    bytes[at..at + 4].copy_from_slice(&(waiting as u32).to_le_bytes());
    out.slice(&bytes[..at + n.div_ceil(8) as usize]);
}

/// What is left of the last eight bytes.
#[cold]
#[inline(never)]
fn load_end(data: &[u8], at: usize) -> u64 {
    let rest = data.get(at..).unwrap_or_default();
    rest.iter().take(8).rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// How many of the first `n` bits are set.
pub(super) fn count_ones(bytes: &[u8], n: u64) -> u64 {
    let (whole, rest) = ((n / 8) as usize, n % 8);
    let words = bytes[..whole].chunks_exact(8);
    let tail: u64 = words.remainder().iter().map(|byte| u64::from(byte.count_ones())).sum();
    let count: u64 =
        words.map(|word| u64::from(word.iter().map(|byte| byte.count_ones()).sum::<u32>())).sum();
    let last = bytes.get(whole).filter(|_| rest > 0).map_or(0, |byte| byte & ((1 << rest) - 1));
    count + tail + u64::from(last.count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn every_width_gives_the_numbers_that_were_packed() {
        for (code, bits) in WIDTHS.into_iter().enumerate() {
            let numbers: Vec<u64> =
                (0..100_u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)).collect();
            let mut bytes = alloc::vec![0xEE];
            let mut written = Output::new();
            written.byte(0xEE);
            write(&mut written, code as u8, &numbers, |number| number);
            let mut each = Output::new();
            write_each(&mut each, code as u8, numbers.iter().copied());
            assert_eq!(each.as_bytes(), &written.as_bytes()[1..]);
            let mut bit_string: Vec<bool> =
                numbers.iter().flat_map(|n| (0..bits).map(move |bit| n >> bit & 1 == 1)).collect();
            bit_string.resize(bit_string.len().next_multiple_of(8), false);
            let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
            bytes.extend(bit_string.chunks(8).map(byte));
            let packed = Packed::of_code(code as u8, 1);
            assert_eq!(written.as_bytes(), bytes);
            assert_eq!(packed.size(100), bytes.len() as u64 - 1);
            assert!(packed.ends_clean(&bytes, 100));
            for (index, number) in numbers.iter().enumerate() {
                assert_eq!(packed.get(&bytes, index), *number, "{bits} bits, number {index}");
            }
        }
    }

    #[test]
    fn the_size_is_that_of_the_smallest_width() {
        assert_eq!([size_for(0, 8), size_for(1, 8), size_for(1, 9)], [1, 1, 2]);
        assert_eq!([size_for(7, 3), size_for(8, 3)], [2, 2]);
        assert_eq!([size_for(255, 100), size_for(256, 100)], [100, 125]);
        assert_eq!([size_for(u64::MAX, 0), size_for(u64::MAX >> 8, 3), size_for(u64::MAX, 3)], [0, 21, 24]);
    }

    #[test]
    fn bits_behind_the_last_number_are_seen() {
        let packed = Packed::of_code(2, 0); // three bits each
        assert!(packed.ends_clean(&[0b0011_1111], 2));
        assert!(!packed.ends_clean(&[0b0111_1111], 2));
    }

    #[test]
    fn set_bits_are_counted_up_to_the_last_one_that_counts() {
        let bytes = [0xFF; 20];
        for n in 0..=160 {
            assert_eq!(count_ones(&bytes, n), n);
        }
        assert_eq!(count_ones(&[0b1010_0101], 6), 3);
    }
}
