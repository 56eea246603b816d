//! Numbers on bytes: ints, their widths, and short decimals. Pure functions.

use crate::error::{Code, Error, Result};
use core::fmt;
use core::num::ParseIntError;
use core::str::FromStr;

/// The powers of ten that short decimals divide by.
const POW10: [f64; 8] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// The powers of ten that a double holds exactly: those of decimal columns (COL-20).
pub(crate) const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// An element of a decimal column: `m / 10^exponent`, correctly rounded (COL-20).
#[inline(always)]
pub(crate) fn over_power(m: i64, exponent: u8) -> f64 {
    m as f64 / POWERS[usize::from(exponent).min(22)]
}

/// How many bytes `u` needs, 1…8.
#[inline]
pub(crate) fn width(u: u64) -> usize {
    8 - (u | 1).leading_zeros() as usize / 8
}

/// The double that the payload `x` of a short decimal stands for (FLT-2).
#[inline]
pub(crate) fn decimal_value(x: i64) -> f64 {
    (x >> 3) as f64 / POW10[(x & 7) as usize]
}

/// The payload of a short decimal: `x` and its width in bytes, 1…6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decimal {
    pub(crate) x: i64,
    pub(crate) width: usize,
}

/// The short decimal that gives back exactly the bits of `f`, with the smallest `k`, if there is
/// one of at most six bytes (FLT-6).
///
/// A decimal m / 10^k with m < 2^44 has fewer than 15 digits, so two different ones never round to
/// the same double, and the one with the smallest k is the shortest. For |f| below 2^51 / 10^K the
/// product f · 10^K is within half a unit of m · 10^(K-k), so rounding finds that integer; and K is
/// chosen so large that any k above it would need more than 44 bits for m.
#[inline]
pub(crate) fn short_decimal(f: f64) -> Option<Decimal> {
    let magnitude = f.abs();
    // K = 7 while f · 10^7 < 2^51; above that k ≤ 4 (2^44 / 2.25e8 < 10^5); then k ≤ 1.
    let scale: usize = if magnitude < 2.25e8 {
        7
    } else if magnitude < 2.25e11 {
        4
    } else if magnitude < 1.76e13 {
        1
    } else {
        return None; // also NaN and infinities
    };
    // Adding and taking away 1.5 · 2^52 rounds to an integer, without a call to `round`.
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    let m = (f * POW10[scale] + MAGIC) - MAGIC;
    if m / POW10[scale] != f {
        return None;
    }
    decimal_digits(m as i64, scale, f)
}

/// Takes the trailing zeros off and packs: the rarer half of [`short_decimal`].
#[inline]
fn decimal_digits(mut m: i64, scale: usize, f: f64) -> Option<Decimal> {
    if m == 0 && f.is_sign_negative() {
        return None; // a short decimal never is -0.0
    }
    // Zeros go four, two and one at a time: that takes off all of up to seven.
    let mut k = scale;
    if k >= 4 && m % 10_000 == 0 {
        m /= 10_000;
        k -= 4;
    }
    if k >= 2 && m % 100 == 0 {
        m /= 100;
        k -= 2;
    }
    if k >= 1 && m % 10 == 0 {
        m /= 10;
        k -= 1;
    }
    let x = (m << 3) | k as i64;
    // Bits of x in two's complement: those of the magnitude and one for the sign.
    let width = width(((x ^ (x >> 63)) as u64) << 1);
    (width <= 6).then_some(Decimal { x, width })
}

/// The binary32 that widens to exactly the bits of `f` (FLT-3), NaNs included.
#[inline]
pub(crate) fn exact_f32(f: f64) -> Option<u32> {
    // A binary32 has 29 bits of fraction less: most doubles are told at once.
    if f.to_bits() & 0x1FFF_FFFF != 0 {
        return None;
    }
    let narrow = f as f32;
    if f64::from(narrow).to_bits() == f.to_bits() && !f.is_nan() {
        return Some(narrow.to_bits());
    }
    nan_f32(f)
}

#[cold]
fn nan_f32(f: f64) -> Option<u32> {
    let bits = f.to_bits();
    if !f.is_nan() || bits & 0x1FFF_FFFF != 0 {
        return None;
    }
    Some((bits >> 63 << 31) as u32 | 0x7F80_0000 | (bits >> 29) as u32 & 0x007F_FFFF)
}

/// Widens a binary32 by bits, so that NaNs are not quieted (FLT-3).
#[inline]
pub(crate) fn widen(bits: u32) -> f64 {
    let narrow = f32::from_bits(bits);
    if narrow.is_nan() {
        let bits = u64::from(bits);
        return f64::from_bits(bits >> 31 << 63 | 0x7FF << 52 | (bits & 0x007F_FFFF) << 29);
    }
    f64::from(narrow)
}

/// The first and the last eight bytes; fewer bytes are one number, and zero.
#[inline(always)]
pub(crate) fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(head), Some(tail)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
    } else if let (Some(head), Some(tail)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let shift = 8 * (bytes.len() as u32 - 4);
        (u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << shift, 0)
    } else if let [first, .., last] = bytes {
        // Two or three bytes; of two the one in the middle is the last.
        let (half, last_at) = (bytes.len() / 2, bytes.len() - 1);
        let middle = u64::from(bytes[half]) << (8 * half as u32);
        (u64::from(*first) | middle | u64::from(*last) << (8 * last_at as u32), 0)
    } else {
        (bytes.first().map_or(0, |byte| u64::from(*byte)), 0)
    }
}

/// An int of the data model: -2^127 … 2^128-1 (VAL-2).
///
/// ```
/// use wbin::Int;
/// let int = Int::from(-5);
/// assert_eq!(int.as_i64(), Some(-5));
/// assert_eq!(int.as_u64(), None);
/// assert_eq!(u8::try_from(Int::from(7)).unwrap(), 7);
/// assert_eq!("340282366920938463463374607431768211455".parse::<Int>().unwrap(), Int::from(u128::MAX));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Int {
    /// The value is `u`, or `-1 - u` if this is set: as on the wire, so there is one form for each.
    neg: bool,
    /// Low and high half of `u`; two words, because `u128` would align every `Value` to 16 bytes.
    u: [u64; 2],
}

impl Int {
    /// The smallest int, -2^127.
    pub const MIN: Int = Int { neg: true, u: [u64::MAX, u64::MAX >> 1] };
    /// The largest int, 2^128-1.
    pub const MAX: Int = Int { neg: false, u: [u64::MAX, u64::MAX] };

    #[inline]
    pub(crate) fn from_wire(neg: bool, u: u64) -> Int {
        Int { neg, u: [u, 0] }
    }

    /// `None` below -2^127.
    #[inline]
    pub(crate) fn from_wire_16(neg: bool, u: u128) -> Option<Int> {
        (!neg || u >> 127 == 0).then_some(Int { neg, u: [u as u64, (u >> 64) as u64] })
    }

    /// The sign, and `u` where the value is `u` or `-1 - u`.
    #[inline]
    pub(crate) fn to_wire(self) -> (bool, u128) {
        (self.neg, u128::from(self.u[1]) << 64 | u128::from(self.u[0]))
    }

    /// `Some(u)` if `u` of the wire fits 64 bits.
    #[inline]
    pub(crate) fn to_wire_64(self) -> Option<(bool, u64)> {
        (self.u[1] == 0).then_some((self.neg, self.u[0]))
    }

    /// Whether the int is below zero.
    pub fn is_negative(self) -> bool {
        self.neg
    }

    /// The int as an `i64`, if it fits.
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        if self.u[1] != 0 || self.u[0] >> 63 != 0 {
            return None;
        }
        let u = self.u[0] as i64;
        Some(if self.neg { !u } else { u })
    }

    /// The int as a `u64`, if it fits.
    #[inline]
    pub fn as_u64(self) -> Option<u64> {
        (!self.neg && self.u[1] == 0).then_some(self.u[0])
    }

    /// The int as an `i128`, if it fits.
    pub fn as_i128(self) -> Option<i128> {
        let (neg, u) = self.to_wire();
        (u >> 127 == 0).then_some(if neg { !(u as i128) } else { u as i128 })
    }

    /// The int as a `u128`, if it fits.
    pub fn as_u128(self) -> Option<u128> {
        let (neg, u) = self.to_wire();
        (!neg).then_some(u)
    }

    /// The int as a double, if the double is exactly the int.
    ///
    /// ```
    /// use wbin::Int;
    /// assert_eq!(Int::from(1_i64 << 53).as_exact_f64(), Some(9007199254740992.0));
    /// assert_eq!(Int::from((1_i64 << 53) + 1).as_exact_f64(), None);
    /// ```
    pub fn as_exact_f64(self) -> Option<f64> {
        // A magnitude is exact in a double if its significant bits are at most 53.
        let (neg, u) = self.to_wire();
        let magnitude = u.checked_add(u128::from(neg))?;
        let significant = magnitude.checked_shr(magnitude.trailing_zeros()).unwrap_or(0);
        if significant >> 53 != 0 {
            return None;
        }
        Some(if neg { -(magnitude as f64) } else { magnitude as f64 })
    }
}

macro_rules! int_conversions {
    ($($unsigned:ident)* ; $($signed:ident)*) => {
        $(impl From<$unsigned> for Int {
            #[inline]
            fn from(n: $unsigned) -> Int {
                let n = n as u128;
                Int { neg: false, u: [n as u64, (n >> 64) as u64] }
            }
        })*
        $(impl From<$signed> for Int {
            #[inline]
            fn from(n: $signed) -> Int {
                let n = n as i128;
                let u = n ^ (n >> 127);
                Int { neg: n < 0, u: [u as u64, (u >> 64) as u64] }
            }
        })*
        $(impl TryFrom<Int> for $unsigned {
            type Error = Error;
            fn try_from(int: Int) -> Result<$unsigned> {
                int.as_u128().and_then(|n| n.try_into().ok()).ok_or_else(|| out_of_range(int, stringify!($unsigned)))
            }
        })*
        $(impl TryFrom<Int> for $signed {
            type Error = Error;
            fn try_from(int: Int) -> Result<$signed> {
                int.as_i128().and_then(|n| n.try_into().ok()).ok_or_else(|| out_of_range(int, stringify!($signed)))
            }
        })*
    };
}
int_conversions!(u8 u16 u32 u64 u128 usize; i8 i16 i32 i64 i128 isize);

#[cold]
fn out_of_range(int: Int, target: &'static str) -> Error {
    Error::nowhere(Code::InvalidValue, alloc::format!("{int} does not fit {target}"))
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> core::cmp::Ordering {
        let key = |int: &Int| (!int.neg, if int.neg { !int.to_wire().1 } else { int.to_wire().1 });
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_i128() {
            Some(n) => fmt::Display::fmt(&n, f),
            None => fmt::Display::fmt(&self.to_wire().1, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Int {
    type Err = ParseIntError;

    fn from_str(text: &str) -> core::result::Result<Int, ParseIntError> {
        match text.parse::<i128>() {
            Ok(n) => Ok(Int::from(n)),
            Err(error) if text.starts_with('-') => Err(error),
            Err(_) => text.parse::<u128>().map(Int::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use core::num::IntErrorKind;

    /// Tries every k, without cleverness.
    fn naive(f: f64) -> Option<Decimal> {
        if f.to_bits() == (-0.0f64).to_bits() {
            return None;
        }
        for (k, power) in POW10.iter().enumerate() {
            let m = (f * power).round();
            for m in [m - 1.0, m, m + 1.0] {
                if m.abs() < (1u64 << 44) as f64 + 2.0 && m / power == f {
                    let x = ((m as i64) << 3) | k as i64;
                    for width in 1..=6 {
                        let shift = 64 - 8 * width as u32;
                        if x << shift >> shift == x {
                            return Some(Decimal { x, width });
                        }
                    }
                }
            }
        }
        None
    }

    #[test]
    fn short_decimals_agree_with_trying_every_k() {
        let mut state = 1u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut found = 0;
        for _ in 0..2_000_000 {
            let digits = next() % 20;
            let m = (next() >> (next() % 64)) as i64;
            let f = match next() % 4 {
                0 => f64::from_bits(next()),
                1 => (m >> 18) as f64 / POW10[(digits % 8) as usize],
                2 => -((m >> 19) as f64 / POW10[(digits % 8) as usize]),
                _ => m as f64 * 0.1f64.powi((digits % 12) as i32),
            };
            let fast = short_decimal(f);
            assert_eq!(fast, naive(f), "{f:?}");
            if let Some(decimal) = fast {
                assert_eq!(decimal_value(decimal.x).to_bits(), f.to_bits());
                found += 1;
            }
        }
        assert!(found > 500_000, "{found}");
    }

    #[test]
    fn short_decimals_at_the_boundaries() {
        assert_eq!(short_decimal(0.0), Some(Decimal { x: 0, width: 1 }));
        assert_eq!(short_decimal(-0.0), None);
        assert_eq!(short_decimal(12.99), Some(Decimal { x: 1299 << 3 | 2, width: 2 }));
        assert_eq!(short_decimal(15.0), Some(Decimal { x: 120, width: 1 }));
        assert_eq!(short_decimal(16.0), Some(Decimal { x: 128, width: 2 }));
        assert_eq!(short_decimal(-16.0), Some(Decimal { x: -128, width: 1 }));
        let largest = (1u64 << 44) - 1;
        assert_eq!(short_decimal(largest as f64).map(|d| d.width), Some(6));
        assert_eq!(short_decimal((largest + 1) as f64), None);
        assert_eq!(short_decimal(-((1u64 << 44) as f64)).map(|d| d.width), Some(6));
        assert_eq!(short_decimal(-((1u64 << 44) as f64) - 1.0), None);
        assert_eq!(short_decimal(1.0 / 3.0), None);
        assert_eq!(short_decimal(f64::NAN), None);
        assert_eq!(short_decimal(f64::INFINITY), None);
        assert_eq!(short_decimal(1e-7), Some(Decimal { x: 15, width: 1 }));
        assert_eq!(short_decimal(1e-8), None);
    }

    #[test]
    fn binary32_keeps_bits() {
        for bits in [0, 1, 0x7F80_0000, 0x7FC0_0000, 0x7F80_0001, 0xFFFF_FFFF, 0x8000_0000, 0x3F80_0000] {
            assert_eq!(exact_f32(widen(bits)), Some(bits), "{bits:08X}");
        }
        assert_eq!(exact_f32(0.1), None);
        assert_eq!(exact_f32(f64::from_bits(0x7FF8_0000_0000_0001)), None);
        // Of few bits, but too large or too small
        assert_eq!([exact_f32(2f64.powi(128)), exact_f32(2f64.powi(-150))], [None, None]);
        assert_eq!(exact_f32(-(2f64.powi(-149))), Some(0x8000_0001));
        assert_eq!(widen(0x7F80_0001).to_bits(), 0x7FF0_0000_2000_0000);
    }

    #[test]
    fn ints_at_the_boundaries() {
        assert_eq!(Int::MIN.as_i128(), Some(i128::MIN));
        assert_eq!(Int::MAX.as_u128(), Some(u128::MAX));
        assert_eq!(Int::from(i64::MIN).as_i64(), Some(i64::MIN));
        assert_eq!(Int::from(i64::MIN as i128 - 1).as_i64(), None);
        assert_eq!(Int::from(u64::MAX).as_i64(), None);
        assert!(Int::from(-2) < Int::from(-1) && Int::from(-1) < Int::from(0) && Int::from(0) < Int::MAX);
        assert!(Int::MIN < Int::from(i64::MIN));
        assert_eq!(Int::MIN.to_string(), i128::MIN.to_string());
        assert_eq!(alloc::format!("{:?}", Int::MAX), u128::MAX.to_string());
        assert_eq!(Int::MIN.to_string().parse::<Int>().unwrap(), Int::MIN);
        assert_eq!(Int::MAX.to_string().parse::<Int>().unwrap(), Int::MAX);
        let fault = |text: &str| *text.parse::<Int>().unwrap_err().kind();
        assert_eq!(fault("-170141183460469231731687303715884105729"), IntErrorKind::NegOverflow);
        assert_eq!(fault("340282366920938463463374607431768211456"), IntErrorKind::PosOverflow);
        assert_eq!(fault("1x"), IntErrorKind::InvalidDigit);
        assert_eq!(Int::from(0).as_exact_f64(), Some(0.0));
        assert_eq!(Int::MAX.as_exact_f64(), None);
        assert_eq!(Int::MIN.as_exact_f64(), Some(-(2f64.powi(127))));
        assert_eq!([width(0), width(1), width(255), width(256), width(u64::MAX)], [1, 1, 1, 2, 8]);
    }
}
