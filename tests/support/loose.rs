//! Documents in any of the forms that a decoder has to accept, and what may happen to them on the way.

use super::{Tree, columns, reference};

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
