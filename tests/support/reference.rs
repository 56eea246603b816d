//! The naive twin: SPEC.md's decoder and encoder written down as plainly as possible, from the text
//! alone. It shares no code with the crate, takes no care of speed, and judges the crate.

// Found beside this file also by those who include it by its path.
#[path = "reference_columns.rs"]
mod columns;

use super::Tree;

/// The name of an error, and its offset.
pub(crate) type Fault = (&'static str, usize);

/// Reads one whole document. On refusal it gives *all* the faults that it comes across, front to
/// back: those of validity, and in the end at most one after which nothing can be read any more. A
/// decoder may report any of them (ERR-5), so where there is one only, it must be that.
pub(crate) fn decode(input: &[u8], limit: usize) -> Result<Tree, Vec<Fault>> {
    judge(input, limit).map_err(|refusal| refusal.faults)
}

/// Why a document is refused.
#[derive(PartialEq, Debug)]
pub(crate) struct Refusal {
    /// What [`decode`] gives: front to back, as far as columns are concerned in the one order in which
    /// they have to be found.
    pub(crate) faults: Vec<Fault>,
    /// Whether there are such among them as decoders find at different times: values in plain columns
    /// (COL-41).
    pub(crate) late: bool,
}

/// As [`decode`], with more about the faults.
pub(crate) fn judge(input: &[u8], limit: usize) -> Result<Tree, Refusal> {
    let mut reader = Reader::new(input, limit);
    let value = reader.document();
    let value = value.and_then(|value| match reader.pos == input.len() {
        true => Ok(value),
        false => Err(("trailing-bytes", reader.pos)),
    });
    match value {
        Ok(value) if reader.faults.is_empty() => return Ok(value),
        Ok(_) => {}
        Err(last) => reader.faults.push(last),
    }
    Err(Refusal { faults: reader.faults, late: reader.late })
}

/// The length of the first value, signature included, if it is well-formed (ERR-4).
pub(crate) fn skip(input: &[u8], limit: usize) -> Result<usize, Fault> {
    let mut reader = Reader::new(input, limit);
    reader.document().map(|_| reader.pos)
}

struct Reader<'a> {
    input: &'a [u8],
    pos: usize,
    limit: usize,
    /// What is not valid though it is well-formed.
    faults: Vec<Fault>,
    /// How many plain columns there are around the place.
    inside: usize,
    /// Of the list or map by columns that is being read.
    sums: columns::Sums,
    /// See [`Refusal::late`].
    late: bool,
}

/// Exact for every k that the format knows, 0 to 22.
fn power_of_ten(k: u32) -> f64 {
    10_u128.pow(k) as f64
}

fn le(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

/// The bits of the binary64 that a binary32 widens to.
fn widened(bits: u32) -> u64 {
    let wide = u64::from(bits);
    let (sign, exponent, fraction) = (wide >> 31, wide >> 23 & 0xFF, wide & 0x007F_FFFF);
    match exponent {
        0xFF => sign << 63 | 0x7FF << 52 | fraction << 29,
        _ => f64::from(f32::from_bits(bits)).to_bits(),
    }
}

impl<'a> Reader<'a> {
    fn new(input: &'a [u8], limit: usize) -> Reader<'a> {
        let sums = columns::Sums::default();
        Reader { input, pos: 0, limit, faults: Vec::new(), inside: 0, sums, late: false }
    }

    /// What is wrong here does not keep anybody from reading on.
    fn note(&mut self, fault: Fault) {
        self.late |= self.inside > 0;
        self.faults.push(fault);
    }

    fn document(&mut self) -> Result<Tree, Fault> {
        if self.input.first() == Some(&0xDF) {
            for (at, expected) in [(1, 0x57), (2, 0x42)] {
                match self.input.get(at) {
                    None => return Err(("truncated", 0)),
                    Some(byte) if *byte != expected => return Err(("bad-signature", 0)),
                    Some(_) => {}
                }
            }
            match self.input.get(3) {
                None => return Err(("truncated", 0)),
                Some(1) => self.pos = 4,
                Some(_) => return Err(("unsupported-version", 0)),
            }
        }
        self.value(0)
    }

    fn take(&mut self, n: u128, at: usize) -> Result<&'a [u8], Fault> {
        let rest = &self.input[self.pos..];
        if n > rest.len() as u128 {
            return Err(("truncated", at));
        }
        self.pos += n as usize;
        Ok(&rest[..n as usize])
    }

    fn number(&mut self, n: u8, at: usize) -> Result<u128, Fault> {
        self.take(u128::from(n), at).map(le)
    }

    /// In a plain column what follows can be read in spite of it, and may be what a decoder reports.
    fn enter(&mut self, depth: usize, at: usize) -> Result<(), Fault> {
        let fault = ("depth-limit", at);
        match depth {
            _ if depth < self.limit => Ok(()),
            _ if self.inside > 0 && depth < self.limit + 64 => {
                self.note(fault);
                Ok(())
            }
            _ => Err(fault),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Tree, Fault> {
        let at = self.pos;
        let Some(&t) = self.input.get(at) else {
            return Err(("truncated", at));
        };
        self.pos += 1;
        let width = 1 << (t & 3); // of a length or count, in C0…CF
        Ok(match t {
            0x00..=0x3F => Tree::Int(false, u128::from(t)),
            0x40..=0x7F => self.text(u128::from(t - 0x40), at)?,
            0x80..=0x8F => self.list(u128::from(t - 0x80), at, depth)?,
            0x90..=0x9F => self.map(u128::from(t - 0x90), at, depth)?,
            0xA0..=0xA7 => Tree::Int(false, self.number(t - 0x9F, at)?),
            0xA8..=0xAF => Tree::Int(true, self.number(t - 0xA7, at)?),
            0xB0..=0xB5 => {
                let n = t - 0xAF;
                let mut x = self.number(n, at)? as i128;
                if x >= 1 << (8 * n - 1) {
                    x -= 1 << (8 * n);
                }
                Tree::Float(((x >> 3) as f64 / power_of_ten((x & 7) as u32)).to_bits())
            }
            0xB6 => {
                let bits = self.number(4, at)? as u32;
                Tree::Float(widened(bits))
            }
            0xB7 => Tree::Float(self.number(8, at)? as u64),
            0xB8 => Tree::Null,
            0xB9 => Tree::Bool(false),
            0xBA => Tree::Bool(true),
            0xBB => {
                self.enter(depth, at)?;
                Tree::some(self.value(depth + 1)?)
            }
            0xBC => Tree::Int(false, self.number(16, at)?),
            0xBD => {
                let u = self.number(16, at)?;
                if u >> 127 != 0 {
                    self.note(("int-range", at));
                }
                Tree::Int(true, u)
            }
            0xBE => return Err(("unexpected-end", at)),
            0xBF => {
                let ext_type = self.ext_type()?;
                self.enter(depth, at)?;
                Tree::Ext(ext_type, Box::new(self.value(depth + 1)?))
            }
            0xC0..=0xC3 => {
                let n = self.number(width, at)?;
                self.text(n, at)?
            }
            0xC4..=0xC7 => {
                let n = self.number(width, at)?;
                Tree::Bytes(self.take(n, at)?.to_vec())
            }
            0xC8..=0xCB => {
                let n = self.number(width, at)?;
                self.list(n, at, depth)?
            }
            0xCC..=0xCF => {
                let n = self.number(width, at)?;
                self.map(n, at, depth)?
            }
            0xD0 => {
                self.enter(depth, at)?;
                let mut items = Vec::new();
                while !self.at_end()? {
                    items.push(self.value(depth + 1)?);
                }
                Tree::List(items)
            }
            0xD1 => {
                self.enter(depth, at)?;
                let mut entries = Vec::new();
                while !self.at_end()? {
                    self.entry(&mut entries, depth)?;
                }
                Tree::Map(entries)
            }
            0xD2 => self.list_by_columns(at, depth)?,
            0xD3 => self.map_by_columns(at, depth)?,
            0xD4..=0xDE => return Err(("reserved-tag", at)),
            0xDF => return Err(("bad-signature", at)),
            0xE0..=0xFF => Tree::Int(true, 255 - u128::from(t)),
        })
    }

    fn text(&mut self, n: u128, at: usize) -> Result<Tree, Fault> {
        let bytes = self.take(n, at)?;
        if std::str::from_utf8(bytes).is_err() {
            self.note(("invalid-utf8", at));
        }
        Ok(Tree::Str(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn list(&mut self, n: u128, at: usize, depth: usize) -> Result<Tree, Fault> {
        self.enter(depth, at)?;
        if n > (self.input.len() - self.pos) as u128 {
            return Err(("truncated", at));
        }
        (0..n).map(|_| self.value(depth + 1)).collect::<Result<_, _>>().map(Tree::List)
    }

    fn map(&mut self, n: u128, at: usize, depth: usize) -> Result<Tree, Fault> {
        self.enter(depth, at)?;
        if 2 * n > (self.input.len() - self.pos) as u128 {
            return Err(("truncated", at));
        }
        let mut entries = Vec::new();
        for _ in 0..n {
            self.entry(&mut entries, depth)?;
        }
        Ok(Tree::Map(entries))
    }

    fn entry(&mut self, entries: &mut Vec<(Tree, Tree)>, depth: usize) -> Result<(), Fault> {
        let at = self.pos;
        let key = self.value(depth + 1)?;
        if entries.iter().any(|(earlier, _)| *earlier == key) {
            self.note(("duplicate-key", at));
        }
        let value = self.value(depth + 1)?;
        entries.push((key, value));
        Ok(())
    }

    fn at_end(&mut self) -> Result<bool, Fault> {
        match self.input.get(self.pos) {
            None => Err(("truncated", self.pos)),
            Some(0xBE) => {
                self.pos += 1;
                Ok(true)
            }
            Some(_) => Ok(false),
        }
    }

    fn ext_type(&mut self) -> Result<u64, Fault> {
        let at = self.pos;
        let Some(&t) = self.input.get(at) else {
            return Err(("truncated", at));
        };
        self.pos += 1;
        let u = match t {
            0x00..=0x3F => u128::from(t),
            0xA0..=0xA7 => self.number(t - 0x9F, at)?,
            0xBC => self.number(16, at)?,
            _ => return Err(("ext-type", at)),
        };
        u64::try_from(u).map_err(|_| ("ext-type", at))
    }
}

/// The preferred encoding (PRE-1).
pub(crate) fn preferred(value: &Tree) -> Vec<u8> {
    write(value, false).expect("every value has a preferred encoding")
}

/// The canonical form, or `None` where two keys of a map have the same (CAN-9).
pub(crate) fn canonical(value: &Tree) -> Option<Vec<u8>> {
    write(value, true)
}

fn write(value: &Tree, canonical: bool) -> Option<Vec<u8>> {
    Some(match value {
        Tree::Null => vec![0xB8],
        Tree::Bool(false) => vec![0xB9],
        Tree::Bool(true) => vec![0xBA],
        Tree::Int(false, u @ 0..=63) => vec![*u as u8],
        Tree::Int(true, u @ 0..=31) => vec![255 - *u as u8],
        Tree::Int(false, u) if *u >> 64 == 0 => with_number(0x9F, &fewest(*u)),
        Tree::Int(true, u) if *u >> 64 == 0 => with_number(0xA7, &fewest(*u)),
        Tree::Int(negative, u) => [&[if *negative { 0xBD } else { 0xBC }][..], &u.to_le_bytes()].concat(),
        Tree::Float(bits) if canonical && f64::from_bits(*bits).is_nan() => vec![0xB6, 0, 0, 0xC0, 0x7F],
        Tree::Float(bits) => float(*bits),
        Tree::Str(text) => [&head(0x40, 63, 0xC0, text.len())[..], text.as_bytes()].concat(),
        Tree::Bytes(bytes) => [&long_head(0xC4, bytes.len())[..], bytes].concat(),
        Tree::List(items) => {
            let mut out = head(0x80, 15, 0xC8, items.len());
            for item in items {
                out.extend(write(item, canonical)?);
            }
            out
        }
        Tree::Map(entries) => {
            let mut pairs = Vec::new();
            for (key, value) in entries {
                pairs.push((write(key, canonical)?, write(value, canonical)?));
            }
            if canonical {
                pairs.sort();
                if pairs.windows(2).any(|two| two[0].0 == two[1].0) {
                    return None;
                }
            }
            let body = pairs.into_iter().flat_map(|(key, value)| [key, value].concat());
            head(0x90, 15, 0xCC, entries.len()).into_iter().chain(body).collect()
        }
        Tree::Ext(ext_type, payload) => {
            let ext_type = write(&Tree::Int(false, u128::from(*ext_type)), canonical)?;
            [vec![0xBF], ext_type, write(payload, canonical)?].concat()
        }
        Tree::Some(payload) => {
            let payload = write(payload, canonical)?;
            match payload[0] {
                0xB8 | 0xBB => [vec![0xBB], payload].concat(),
                _ => payload,
            }
        }
    })
}

/// The bytes of a number without the zeros at its end, but at least one.
fn fewest(u: u128) -> Vec<u8> {
    let bytes = u.to_le_bytes();
    let n = (1..=16).find(|n| *n == 16 || u >> (8 * n) == 0).unwrap_or(16);
    bytes[..n].to_vec()
}

/// The tag that stands `bytes` after `before` in the table, and the bytes.
fn with_number(before: u8, bytes: &[u8]) -> Vec<u8> {
    [&[before + bytes.len() as u8][..], bytes].concat()
}

fn head(inline: u8, inline_max: usize, long: u8, n: usize) -> Vec<u8> {
    if n <= inline_max { vec![inline + n as u8] } else { long_head(long, n) }
}

fn long_head(tag: u8, n: usize) -> Vec<u8> {
    let number = (n as u64).to_le_bytes();
    let code = (0..4).find(|code| *code == 3 || (n as u64) >> (8 << code) == 0).unwrap_or(3);
    [&[tag + code as u8][..], &number[..1 << code]].concat()
}

/// FLT-6.
fn float(bits: u64) -> Vec<u8> {
    let f = f64::from_bits(bits);
    let short = (0..8).find_map(|k| {
        let m = (f * power_of_ten(k)).round();
        if bits == 1 << 63 || !(-(2_f64.powi(44))..2_f64.powi(44)).contains(&m) {
            return None;
        }
        ((m / power_of_ten(k)).to_bits() == bits).then_some(m as i64 * 8 + i64::from(k))
    });
    let short = short.map(|x| {
        let n = (1..=6).find(|n| (-(1_i64 << (8 * n - 1))..1 << (8 * n - 1)).contains(&x)).unwrap_or(6);
        with_number(0xAF, &x.to_le_bytes()[..n])
    });
    let binary32 = match f.is_nan() {
        true => (bits << 35 == 0).then_some((bits >> 63 << 31 | 0xFF << 23 | bits << 12 >> 41) as u32),
        false => (f64::from(f as f32).to_bits() == bits).then_some((f as f32).to_bits()),
    };
    match (short, binary32) {
        (Some(short), Some(_)) if short.len() <= 4 => short,
        (_, Some(binary32)) => [&[0xB6][..], &binary32.to_le_bytes()].concat(),
        (Some(short), None) => short,
        (None, None) => [&[0xB7][..], &bits.to_le_bytes()].concat(),
    }
}
