//! Values and documents at random, for proptest.

use super::{Tree, columns, reference};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::Union;

/// Ints of every width, and those beside the boundaries.
pub(crate) fn int() -> impl Strategy<Value = Tree> {
    let edges =
        prop::sample::select(vec![31_u128, 32, 63, 64, 127, 128, 255, 256, 65_535, 65_536, 1 << 32, 1 << 64]);
    let magnitude = prop_oneof![
        4 => 0_u128..300,
        2 => (edges, -2_i128..3).prop_map(|(edge, by)| edge.wrapping_add_signed(by)),
        2 => (any::<u128>(), 0_u32..128).prop_map(|(u, shift)| u >> shift),
        1 => Just(u128::MAX),
    ];
    (any::<bool>(), magnitude).prop_map(|(negative, u)| match negative {
        true => Tree::Int(true, u >> 1 & u128::MAX >> 1),
        false => Tree::Int(false, u),
    })
}

/// Floats that are short decimals, those that nearly are, binary32, and any bits at all.
pub(crate) fn float() -> impl Strategy<Value = Tree> {
    let powers: [f64; 10] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e-3];
    let decimal = (any::<i64>(), 8_u32..64, prop::sample::select(powers.to_vec()))
        .prop_map(|(m, shift, power)| (m >> shift) as f64 / power);
    let beside =
        (decimal.clone(), -2_i64..3).prop_map(|(f, by)| f64::from_bits(f.to_bits().wrapping_add_signed(by)));
    let special = prop::sample::select(vec![
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        f64::from_bits(0x7FF0_0000_0000_0001),
        f64::from_bits(0x7FF0_0000_2000_0000),
        f64::MIN_POSITIVE,
        f64::MAX,
        17_592_186_044_415.0,
        -17_592_186_044_416.0,
    ]);
    let float = prop_oneof![
        4 => decimal,
        1 => beside,
        2 => any::<u32>().prop_map(|bits| f64::from(f32::from_bits(bits))),
        2 => any::<u64>().prop_map(f64::from_bits),
        2 => special,
    ];
    float.prop_map(|f| Tree::Float(f.to_bits()))
}

pub(crate) fn text() -> impl Strategy<Value = Tree> {
    prop_oneof![
        6 => "[a-c]{0,3}",
        2 => ".{0,12}",
        1 => (60_usize..70, any::<char>()).prop_map(|(n, c)| c.to_string().repeat(n)),
        1 => (254_usize..258).prop_map(|n| "x".repeat(n)),
    ]
    .prop_map(Tree::Str)
}

/// Any value, with maps of any keys and with `some`.
pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        1 => Just(Tree::Null),
        1 => any::<bool>().prop_map(Tree::Bool),
        4 => int(),
        4 => float(),
        4 => text(),
        1 => vec(any::<u8>(), 0..5).prop_map(Tree::Bytes),
        1 => Just(Tree::some(Tree::Null)),
    ];
    leaf.prop_recursive(4, 40, 8, |inner| {
        let entries = vec((inner.clone(), inner.clone()), 0..6).prop_map(distinct);
        let long = (14_u128..20).prop_map(|n| {
            Tree::Map((0..n).map(|n| (Tree::Int(false, n * 7 % 19), Tree::Bool(n % 2 == 0))).collect())
        });
        Union::new_weighted(vec![
            (4, vec(inner.clone(), 0..6).prop_map(Tree::List).boxed()),
            (1, (14_usize..18, inner.clone()).prop_map(|(n, item)| Tree::List(vec![item; n])).boxed()),
            (4, entries.prop_map(Tree::Map).boxed()),
            (1, long.boxed()),
            (
                1,
                (prop_oneof![0_u64..70, any::<u64>()], inner.clone())
                    .prop_map(|(ext_type, payload)| Tree::Ext(ext_type, Box::new(payload)))
                    .boxed(),
            ),
            (1, inner.prop_map(Tree::some).boxed()),
        ])
    })
}

/// The entries whose keys are new, also to those who look through `some`.
pub(crate) fn distinct(entries: Vec<(Tree, Tree)>) -> Vec<(Tree, Tree)> {
    let mut kept: Vec<(Tree, Tree)> = Vec::new();
    for (key, value) in entries {
        let plain = key.without_some();
        if kept.iter().all(|(before, _)| before.without_some() != plain) {
            kept.push((key, value));
        }
    }
    kept
}

/// Any encoding of a value, not the preferred one only: long heads, open lists and maps, floats in other
/// forms, a `some` that means nothing.
pub(crate) fn encoding(value: &Tree, seed: u64) -> Vec<u8> {
    let mut out = Vec::new();
    loose(value, Style { columns: false, wrappers: true }, &mut Dice(seed | 1), &mut out);
    out
}

/// What an encoding may make use of besides.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// Lists and maps by columns.
    pub(crate) columns: bool,
    /// A `some` that means nothing, but is a level.
    pub(crate) wrappers: bool,
}

/// Small random numbers (xorshift).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// Whether something happens that does one time in `n`.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Appends some encoding of a value.
pub(crate) fn loose(value: &Tree, style: Style, dice: &mut Dice, out: &mut Vec<u8>) {
    let counts = matches!(value, Tree::Null | Tree::Some(_));
    while style.wrappers && !counts && dice.one_in(12) {
        out.push(0xBB);
    }
    if style.columns && !dice.one_in(3) && columns::has_columns(value) {
        return out.extend(columns::document(value, style, dice));
    }
    if dice.below(3) == 0 && !matches!(value, Tree::List(_) | Tree::Map(_) | Tree::Ext(..) | Tree::Some(_)) {
        return out.extend(reference::preferred(value));
    }
    match value {
        Tree::Int(negative, u) => number(if *negative { 0xA7 } else { 0x9F }, *u, dice, out),
        Tree::Float(bits) => float_forms(*bits, dice, out),
        Tree::Str(text) => {
            length(0x40, 63, 0xC0, text.len(), dice, out);
            out.extend(text.bytes());
        }
        Tree::Bytes(bytes) => {
            length(0, 0, 0xC4, bytes.len(), dice, out);
            out.extend(bytes);
        }
        Tree::List(items) => {
            let open = dice.below(4) == 0;
            if open {
                out.push(0xD0)
            } else {
                length(0x80, 15, 0xC8, items.len(), dice, out)
            }
            items.iter().for_each(|item| loose(item, style, dice, out));
            out.extend(open.then_some(0xBE));
        }
        Tree::Map(entries) => {
            let open = dice.below(4) == 0;
            if open {
                out.push(0xD1)
            } else {
                length(0x90, 15, 0xCC, entries.len(), dice, out)
            }
            for (key, value) in entries {
                loose(key, style, dice, out);
                loose(value, style, dice, out);
            }
            out.extend(open.then_some(0xBE));
        }
        Tree::Ext(ext_type, payload) => {
            out.push(0xBF);
            match dice.below(2) {
                0 => out.extend(reference::preferred(&Tree::Int(false, u128::from(*ext_type)))),
                _ => number(0x9F, u128::from(*ext_type), dice, out),
            }
            loose(payload, style, dice, out);
        }
        Tree::Some(payload) => {
            out.push(0xBB);
            loose(payload, style, dice, out);
        }
        Tree::Null | Tree::Bool(_) => out.extend(reference::preferred(value)),
    }
}

/// A number in as many bytes as it takes, or in more.
pub(crate) fn number(before: u8, u: u128, dice: &mut Dice, out: &mut Vec<u8>) {
    let least = (1..=8).find(|n| u >> (8 * n) == 0);
    match least.filter(|_| dice.below(8) > 0) {
        Some(least) => {
            let n = least + dice.below(9 - least);
            out.push(before + n as u8);
            out.extend(&u.to_le_bytes()[..n as usize]);
        }
        None => {
            out.push(if before == 0x9F { 0xBC } else { 0xBD });
            out.extend(u.to_le_bytes());
        }
    }
}

pub(crate) fn length(inline: u8, inline_max: usize, long: u8, n: usize, dice: &mut Dice, out: &mut Vec<u8>) {
    if inline > 0 && n <= inline_max && dice.below(2) == 0 {
        return out.push(inline + n as u8);
    }
    let least = (0..4).find(|code| *code == 3 || (n as u64) >> (8 << code) == 0).unwrap_or(3);
    let code = least + dice.below(4 - least);
    out.push(long + code as u8);
    out.extend(&(n as u64).to_le_bytes()[..1 << code]);
}

/// Some form of a float: the short decimal with another k or width, binary32, binary64.
fn float_forms(bits: u64, dice: &mut Dice, out: &mut Vec<u8>) {
    let preferred = reference::preferred(&Tree::Float(bits));
    match dice.below(3) {
        0 if (0xB0..=0xB4).contains(&preferred[0]) => {
            // One byte more, which repeats the sign.
            out.push(preferred[0] + 1);
            out.extend(&preferred[1..]);
            out.push(if preferred[preferred.len() - 1] & 0x80 != 0 { 0xFF } else { 0 });
        }
        1 if !f64::from_bits(bits).is_nan() && f64::from(f64::from_bits(bits) as f32).to_bits() == bits => {
            out.push(0xB6);
            out.extend((f64::from_bits(bits) as f32).to_le_bytes());
        }
        _ => {
            out.push(0xB7);
            out.extend(bits.to_le_bytes());
        }
    }
}

/// One change to a document: what may happen on the way.
pub(crate) fn mutate(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len() as u64 + 1) as usize;
    match dice.below(7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        1 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
        2 if at < bytes.len() => drop(bytes.remove(at)),
        3 => bytes.insert(at, dice.below(256) as u8),
        4 => bytes.truncate(at),
        5 => {
            let end = at + dice.below((bytes.len() - at) as u64 + 1) as usize;
            let piece = bytes[at..end].to_vec();
            let to = dice.below(bytes.len() as u64 + 1) as usize;
            bytes.splice(to..to, piece);
        }
        _ => {
            // A tag that means something, where it does not belong.
            let tags = [0xB8, 0xBB, 0xBC, 0xBD, 0xBE, 0xBF, 0xC3, 0xCB, 0xCF, 0xD0, 0xD1, 0xD2, 0xD4, 0xDF];
            let tag = tags[dice.below(tags.len() as u64) as usize];
            match bytes.get_mut(at) {
                Some(byte) => *byte = tag,
                None => bytes.push(tag),
            }
        }
    }
}

/// Many maps of few kinds in one document, as records are, with the same keys in the same order most of
/// the time: what remembers keys has to notice when one is another, or comes twice, or is not UTF-8.
pub(crate) fn records(seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed | 1);
    let pool = [
        "a",
        "b",
        "c",
        "ab",
        "",
        "name",
        "names",
        "nam",
        "eight888",
        "eight888x",
        "eight888y",
        "eight888yz",
        "a longer key, of 30 characters",
        "a longer key, of 30 charactert",
        "x longer key, of 30 characters",
    ];
    let kinds: Vec<Vec<&str>> = (0..1 + dice.below(4))
        .map(|_| {
            let mut keys = pool.to_vec();
            (1..keys.len()).for_each(|at| keys.swap(at, dice.below(at as u64 + 1) as usize));
            keys.truncate(1 + dice.below(9) as usize);
            keys
        })
        .collect();
    // In a third of the documents everything is as it should be; in the others few things are not.
    let odd = [0, 1, 4][dice.below(3) as usize];
    let count = 10 + dice.below(25);
    let mut out = vec![0xC9];
    out.extend((count as u16).to_le_bytes());
    (0..count).for_each(|_| record(&pool, &kinds, odd, 2, &mut dice, &mut out));
    out
}

fn record(pool: &[&str], kinds: &[Vec<&str>], odd: u64, depth: u64, dice: &mut Dice, out: &mut Vec<u8>) {
    let keys = &kinds[dice.below(kinds.len() as u64) as usize];
    let mut keys: Vec<&str> = keys.clone();
    if dice.below(64) < odd {
        let at = dice.below(keys.len() as u64) as usize;
        match dice.below(4) {
            0 => keys[at] = pool[dice.below(pool.len() as u64) as usize], // most often twice
            1 => keys.truncate(at),
            2 => keys.swap(0, at),
            _ => keys.push(pool[dice.below(pool.len() as u64) as usize]),
        }
    }
    let open = dice.below(12) == 0;
    match open {
        true => out.push(0xD1),
        false => length(0x90, 15, 0xCC, keys.len(), dice, out),
    }
    for key in keys {
        match dice.below(400 / (odd + 1)) {
            0 if odd > 0 && dice.below(4) == 0 => out.extend([0x42, b'n', 0xFF]),
            1 if odd > 0 => out.extend([0xBB, 0x41, b'a']),
            2 if odd > 0 => out.push(0x05),
            3..8 => {
                out.extend([0xC0, key.len() as u8]);
                out.extend(key.bytes());
            }
            _ => {
                out.push(0x40 + key.len() as u8);
                out.extend(key.bytes());
            }
        }
        match dice.below(8) {
            0 if depth > 0 => record(pool, kinds, odd, depth - 1, dice, out),
            1 if depth > 0 => {
                out.push(0x82);
                record(pool, kinds, odd, depth - 1, dice, out);
                record(pool, kinds, odd, depth - 1, dice, out);
            }
            _ => out.push(dice.below(64) as u8),
        }
    }
    out.extend(open.then_some(0xBE));
}

/// Bytes that are likely to be read far: small containers, short payloads, now and then anything.
pub(crate) fn tags() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        6 => 0x00_u8..0x08,
        2 => prop::sample::select(vec![0x40_u8, 0x41, 0x42, 0x61, 0xC3, 0xA9]),
        4 => 0x80_u8..0x84,
        4 => 0x90_u8..0x93,
        1 => 0xA0_u8..0xB8,
        3 => 0xB8_u8..0xC0,
        2 => 0xC0_u8..0xD2,
        3 => prop::sample::select(vec![0xD0_u8, 0xD1, 0xBE, 0xBB, 0xBF]),
        1 => 0xF0_u8..=0xFF,
        1 => any::<u8>(),
    ];
    // Half of those that hold a value end with it.
    (vec(byte, 0..40), any::<bool>()).prop_map(|(mut bytes, whole)| {
        if let (true, Ok(end)) = (whole, reference::skip(&bytes, 128)) {
            bytes.truncate(end);
        }
        bytes
    })
}
