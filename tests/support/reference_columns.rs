//! The column layer of the naive twin: a column is read whole, into the values that it stands for.
//!
//! What keeps a reader from finding the end is an `Err`. What is wrong besides is noted, and the values
//! concerned are replaced by something.

use super::{Fault, Reader, Tree, le, power_of_ten, widened};

/// The width in bits of packed numbers, by its code.
const WIDTHS: [usize; 16] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 40, 48, 56, 64];

/// What is added up over all columns so far of a list or map by columns.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    /// The columns themselves (COL-45).
    columns: usize,
    /// Their elements, and the text that dictionaries give out (COL-44).
    elements: usize,
    text: usize,
    /// The bytes of plain columns, and their values.
    plain: usize,
    values: usize,
}

const MIN: i128 = i64::MIN as i128;
const MAX: i128 = i64::MAX as i128;
const MAX_UNSIGNED: i128 = u64::MAX as i128;

/// What a column is a part of, as far as it decides what the column may be.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Anywhere,
    /// What a nullable column holds.
    Nullable,
    /// Of a union.
    Variant,
    /// Of a dictionary.
    Entries,
}

impl Place {
    fn allows(self, kind: u8, low: u8, n: usize) -> bool {
        let known = match kind {
            0 | 2 | 13 | 15 => low == 0,
            // Null; a sparse column is read by those who may have one; nullable.
            1 => low == 0 && self == Place::Variant || low == 2 && self == Place::Anywhere,
            4 => n >= 2,
            5 | 11 => low <= 1,
            _ => true,
        };
        let here = match self {
            Place::Anywhere => true,
            Place::Nullable | Place::Variant => kind != 14,
            Place::Entries => (3..=8).contains(&kind),
        };
        known && here
    }
}

/// Packed numbers, and whether the bits after them are zero.
struct Packed {
    numbers: Vec<u64>,
    clean: bool,
}

impl Packed {
    fn sum(&self) -> u128 {
        self.numbers.iter().map(|number| u128::from(*number)).sum()
    }
}

/// Numbers with a base, and whether all of them are in their range and the bits after them zero.
struct Based {
    elements: Vec<i128>,
    valid: bool,
}

impl<'a> Reader<'a> {
    /// D2 (COL-1).
    pub(super) fn list_by_columns(&mut self, at: usize, depth: usize) -> Result<Tree, Fault> {
        let outer = std::mem::take(&mut self.sums);
        let n = self.head_by_columns(at, depth)?;
        let items = self.column(n, Place::Anywhere, depth + 1)?;
        self.weigh(outer, at);
        Ok(Tree::List(items))
    }

    /// D3 (COL-2).
    pub(super) fn map_by_columns(&mut self, at: usize, depth: usize) -> Result<Tree, Fault> {
        let outer = std::mem::take(&mut self.sums);
        let n = self.head_by_columns(at, depth)?;
        let maps = self.maps(&[n as u64], n, depth + 1)?;
        self.weigh(outer, at);
        Ok(maps.into_iter().next().expect("the map that was asked for"))
    }

    /// The count after D2 and D3. The tag alone is enough for the depth to count, as with D0 and D1.
    fn head_by_columns(&mut self, at: usize, depth: usize) -> Result<usize, Fault> {
        self.enter(depth, at)?;
        let n = self.count(1, u64::MAX, at)?;
        self.claim(n, at)
    }

    /// At most 312 for each byte after the tag up to here, plain columns aside (COL-44).
    fn weigh(&mut self, outer: Sums, at: usize) {
        let Sums { elements, text, plain, values, .. } = std::mem::replace(&mut self.sums, outer);
        self.must(32 * elements + text <= 312 * (self.pos - at - 1 - plain + values), at);
    }

    /// A column of n, at the depth that its elements have.
    fn column(&mut self, n: usize, place: Place, depth: usize) -> Result<Vec<Tree>, Fault> {
        if n == 0 {
            return Ok(Vec::new());
        }
        let at = self.pos;
        let head = self.kind_byte()?;
        let (kind, low) = (head >> 4, head & 0x0F);
        if !place.allows(kind, low, n) {
            return Err(("invalid-column", at));
        }
        if let 10..=13 | 15 = kind {
            self.enter(depth, at)?;
        }
        let counts = kind != 14 && place != Place::Nullable;
        self.sums.elements += if counts { n } else { 0 };
        self.sums.elements += if kind == 15 { n } else { 0 };
        match (kind, low) {
            (0, _) => self.plain(n, at, depth),
            (1, 0) => Ok(vec![Tree::Null; n]),
            (1, _) => {
                let bits = self.bitmap(n, at)?;
                let set = bits.iter().filter(|bit| **bit).count();
                let mut values = self.column(set, Place::Nullable, depth)?.into_iter();
                let mut value = || values.next().expect("one for each bit");
                Ok(bits.into_iter().map(|bit| if bit { value() } else { Tree::Null }).collect())
            }
            (2, _) => Ok(self.bitmap(n, at)?.into_iter().map(Tree::Bool).collect()),
            (3, w) => {
                let ints = self.based(n, w, MIN, at)?;
                self.must(ints.valid, at);
                Ok(ints.elements.into_iter().map(int).collect())
            }
            (4, w) => self.by_differences(n, w, at),
            (5, single) => {
                let size = if single == 1 { 4 } else { 8 };
                let bytes = self.take((size * n) as u128, at)?;
                let float = |bytes: &[u8]| match size {
                    4 => widened(le(bytes) as u32),
                    _ => le(bytes) as u64,
                };
                Ok(bytes.chunks(size).map(|bytes| Tree::Float(float(bytes))).collect())
            }
            (6, w) => {
                let k = self.take(1, at)?[0];
                if k > 22 {
                    return Err(("invalid-column", at));
                }
                let ms = self.based(n, w, MIN, at)?;
                let exact = ms.elements.iter().all(|m| m.abs() < 1 << 53);
                self.must(ms.valid && exact, at);
                let float = |m: i128| m as f64 / power_of_ten(u32::from(k));
                Ok(ms.elements.into_iter().map(|m| Tree::Float(float(m).to_bits())).collect())
            }
            (7, w) => self.strings(n, w, at),
            (8, w) => {
                let (pieces, valid) = self.pieces(n, w, at)?;
                self.must(valid, at);
                Ok(pieces.into_iter().map(|piece| Tree::Bytes(piece.to_vec())).collect())
            }
            (9, w) => self.dictionary(n, w, at, depth),
            (10, w) => {
                let lengths = self.packed(n, w, at)?;
                let sum = self.claim(lengths.sum(), at)?;
                self.must(lengths.clean, at);
                let mut items = self.column(sum, Place::Anywhere, depth + 1)?.into_iter();
                let list = |length: u64| Tree::List(items.by_ref().take(length as usize).collect());
                Ok(lengths.numbers.into_iter().map(list).collect())
            }
            (11, 0) => {
                let k = self.count(1, u64::MAX, at)?;
                let all = self.claim(k.saturating_mul(n as u128), at)?;
                let items = self.column(all, Place::Anywhere, depth + 1)?;
                Ok(items.chunks(k as usize).map(|items| Tree::List(items.to_vec())).collect())
            }
            (11, _) => {
                let f = self.fields(at)?;
                self.claim(n as u128, at)?;
                let columns: Vec<Vec<Tree>> =
                    (0..f).map(|_| self.column(n, Place::Anywhere, depth + 1)).collect::<Result<_, _>>()?;
                let list = |i: usize| Tree::List(columns.iter().map(|column| column[i].clone()).collect());
                Ok((0..n).map(list).collect())
            }
            (12, w) => {
                let counts = self.packed(n, w, at)?;
                let sum = self.claim(counts.sum(), at)?;
                self.must(counts.clean, at);
                self.maps(&counts.numbers, sum, depth + 1)
            }
            (13, _) => self.table(n, at, depth),
            (14, w) => self.union(n, w, at, depth),
            _ => {
                let ext_type = self.ext_type().map_err(|(name, _)| (name, at))?;
                let payloads = self.column(n, Place::Anywhere, depth + 1)?;
                Ok(payloads.into_iter().map(|payload| Tree::Ext(ext_type, Box::new(payload))).collect())
            }
        }
    }

    /// The byte that begins a column, unless there were as many columns as there may be (COL-45).
    fn kind_byte(&mut self) -> Result<u8, Fault> {
        let at = self.pos;
        let byte = self.input.get(at).ok_or(("truncated", at))?;
        self.pos += 1;
        self.sums.columns += 1;
        if self.sums.columns > 4096 { Err(("invalid-column", at)) } else { Ok(*byte) }
    }

    // --- the kinds that take more than a line ---------------------------------------------------------

    /// Kind 0. Nobody has to read the values to find the end.
    fn plain(&mut self, n: usize, at: usize, depth: usize) -> Result<Vec<Tree>, Fault> {
        let length = self.count(0, u64::MAX, at)?;
        if length < n as u128 {
            return Err(("invalid-column", at));
        }
        let whole = self.input;
        self.take(length, at)?;
        let end = self.pos;
        self.pos = end - length as usize;
        self.input = &whole[..end];
        self.inside += 1;
        self.sums.plain += length as usize;
        self.sums.values += n;
        let sums = self.sums;
        let values = match (0..n).map(|_| self.value(depth)).collect() {
            Ok(values) => {
                self.must(self.pos == end, at);
                values
            }
            Err(fault) => {
                self.note(fault);
                vec![Tree::Null; n]
            }
        };
        self.sums = sums;
        self.inside -= 1;
        self.input = whole;
        self.pos = end;
        Ok(values)
    }

    /// Kind 4.
    fn by_differences(&mut self, n: usize, w: u8, at: usize) -> Result<Vec<Tree>, Fault> {
        let first = self.int_in(MIN, MAX, at)?;
        let differences = self.based(n - 1, w, MIN, at)?;
        let mut valid = differences.valid;
        let mut values = vec![first];
        for difference in differences.elements {
            let value = values[values.len() - 1] + difference;
            valid &= (MIN..=MAX).contains(&difference) && (MIN..=MAX).contains(&value);
            values.push(value);
        }
        self.must(valid, at);
        Ok(values.into_iter().map(int).collect())
    }

    /// Kind 7.
    fn strings(&mut self, n: usize, w: u8, at: usize) -> Result<Vec<Tree>, Fault> {
        let (pieces, valid) = self.pieces(n, w, at)?;
        self.must(valid, at);
        if pieces.iter().any(|piece| std::str::from_utf8(piece).is_err()) {
            self.note(("invalid-utf8", at));
        }
        Ok(pieces.into_iter().map(|piece| Tree::Str(String::from_utf8_lossy(piece).into_owned())).collect())
    }

    /// Kind 9.
    fn dictionary(&mut self, n: usize, w: u8, at: usize, depth: usize) -> Result<Vec<Tree>, Fault> {
        let m = self.count(1, u64::MAX, at)?;
        let m = self.claim(m, at)?;
        let entries = self.column(m, Place::Entries, depth)?;
        let indices = self.packed(n, w, at)?;
        let values: Vec<Option<&Tree>> =
            indices.numbers.iter().map(|index| entries.get(*index as usize)).collect();
        let length = |value: &Option<&Tree>| match value {
            Some(Tree::Str(text)) => text.len(),
            Some(Tree::Bytes(bytes)) => bytes.len(),
            _ => 0,
        };
        let expanded: usize = values.iter().map(length).sum();
        self.sums.text += expanded;
        let known = values.iter().all(Option::is_some);
        self.must(indices.clean && known && expanded <= 64 * (self.pos - at), at);
        Ok(values.into_iter().map(|value| value.cloned().unwrap_or(Tree::Null)).collect())
    }

    /// The keys and values of kind 12, or of D3. Equal keys are one fault, wherever they are.
    fn maps(&mut self, counts: &[u64], sum: usize, depth: usize) -> Result<Vec<Tree>, Fault> {
        let keys_at = self.pos;
        let noted = self.faults.len();
        let keys = self.column(sum, Place::Anywhere, depth)?;
        let mut rest = &keys[..];
        let mut twice = false;
        for count in counts {
            let (own, after) = rest.split_at(*count as usize);
            twice |= (1..own.len()).any(|at| own[..at].contains(&own[at]));
            rest = after;
        }
        twice &= self.faults.len() == noted;
        let values = self.column(sum, Place::Anywhere, depth);
        if twice {
            self.note(("duplicate-key", keys_at));
        }
        let mut rest = keys.into_iter().zip(values?);
        Ok(counts.iter().map(|count| Tree::Map(rest.by_ref().take(*count as usize).collect())).collect())
    }

    /// Kind 13.
    fn table(&mut self, n: usize, at: usize, depth: usize) -> Result<Vec<Tree>, Fault> {
        let f = self.fields(at)?;
        let mut keys = Vec::new();
        for _ in 0..f {
            keys.push((self.pos, self.table_key(at)?));
        }
        for (index, (key_at, key)) in keys.iter().enumerate() {
            if std::str::from_utf8(key).is_err() {
                self.note(("invalid-utf8", *key_at));
            }
            if keys[..index].iter().any(|(_, earlier)| earlier == key) {
                self.note(("duplicate-key", *key_at));
            }
        }
        let mut rows = vec![Vec::new(); n];
        for (_, key) in keys {
            let key = Tree::Str(String::from_utf8_lossy(key).into_owned());
            for (row, value) in rows.iter_mut().zip(self.field(n, depth + 1)?) {
                row.extend(value.map(|value| (key.clone(), value)));
            }
        }
        Ok(rows.into_iter().map(Tree::Map).collect())
    }

    fn table_key(&mut self, at: usize) -> Result<&'a [u8], Fault> {
        let length = match self.take(1, at)?[0] {
            t @ 0x40..=0x7F => u128::from(t - 0x40),
            t @ 0xC0..=0xC3 => self.number(1 << (t & 3), at)?,
            _ => return Err(("invalid-column", at)),
        };
        if length > 64 {
            return Err(("invalid-column", at));
        }
        self.take(length, at)
    }

    /// A field of a table: a column, or a sparse one, which has nothing for some rows.
    fn field(&mut self, n: usize, depth: usize) -> Result<Vec<Option<Tree>>, Fault> {
        let at = self.pos;
        if self.input.get(at) != Some(&0x11) {
            return Ok(self.column(n, Place::Anywhere, depth)?.into_iter().map(Some).collect());
        }
        self.kind_byte()?;
        let bits = self.bitmap(n, at)?;
        let set = bits.iter().filter(|bit| **bit).count();
        let mut values = self.column(set, Place::Anywhere, depth)?.into_iter();
        Ok(bits.into_iter().map(|bit| if bit { values.next() } else { None }).collect())
    }

    /// Kind 14.
    fn union(&mut self, n: usize, w: u8, at: usize, depth: usize) -> Result<Vec<Tree>, Fault> {
        let m = self.count(2, 16, at)? as u64;
        let variants = self.packed(n, w, at)?;
        if variants.numbers.iter().any(|variant| *variant >= m) {
            return Err(("invalid-column", at));
        }
        self.must(variants.clean, at);
        let mut columns = Vec::new();
        for variant in 0..m {
            let chosen = variants.numbers.iter().filter(|number| **number == variant).count();
            columns.push(self.column(chosen, Place::Variant, depth)?.into_iter());
        }
        let mut next = |variant: u64| columns[variant as usize].next().expect("one for each that chose it");
        Ok(variants.numbers.iter().map(|variant| next(*variant)).collect())
    }

    // --- what columns are made of ---------------------------------------------------------------------

    /// Notes that something is wrong in the contents of the column at `at`.
    fn must(&mut self, valid: bool, at: usize) {
        if !valid {
            self.note(("invalid-column", at));
        }
    }

    /// An int of a header, whose faults are those of the column: its sign and u.
    fn header_int(&mut self, at: usize) -> Result<(bool, u128), Fault> {
        Ok(match self.take(1, at)?[0] {
            t @ 0x00..=0x3F => (false, u128::from(t)),
            t @ 0xA0..=0xA7 => (false, self.number(t - 0x9F, at)?),
            t @ 0xA8..=0xAF => (true, self.number(t - 0xA7, at)?),
            0xBC => (false, self.number(16, at)?),
            0xBD => (true, self.number(16, at)?),
            t @ 0xE0..=0xFF => (true, 255 - u128::from(t)),
            _ => return Err(("invalid-column", at)),
        })
    }

    fn int_in(&mut self, min: i128, max: i128, at: usize) -> Result<i128, Fault> {
        let (negative, u) = self.header_int(at)?;
        let int = i128::try_from(u).ok().map(|u| if negative { -1 - u } else { u });
        int.filter(|int| (min..=max).contains(int)).ok_or(("invalid-column", at))
    }

    fn count(&mut self, min: u64, max: u64, at: usize) -> Result<u128, Fault> {
        match self.header_int(at)? {
            (false, u) if (u128::from(min)..=u128::from(max)).contains(&u) => Ok(u),
            _ => Err(("invalid-column", at)),
        }
    }

    /// So many elements need an eighth of as many bytes.
    fn claim(&self, n: u128, at: usize) -> Result<usize, Fault> {
        let most = 8 * (self.input.len() - self.pos);
        if n > most as u128 { Err(("truncated", at)) } else { Ok(n as usize) }
    }

    /// How many fields a table has, or a tuple; each takes a byte at least.
    fn fields(&mut self, at: usize) -> Result<usize, Fault> {
        let f = self.count(1, u64::MAX, at)?;
        let most = self.input.len() - self.pos;
        if f > most as u128 { Err(("truncated", at)) } else { Ok(f as usize) }
    }

    /// Numbers in so many bits each, one bit after the other.
    fn packed(&mut self, n: usize, w: u8, at: usize) -> Result<Packed, Fault> {
        let width = WIDTHS[usize::from(w)];
        let bytes = self.take((n as u128 * width as u128).div_ceil(8), at)?;
        let bit = |i: usize| u64::from(bytes[i / 8] >> (i % 8) & 1);
        let number = |i: usize| (0..width).map(|j| bit(i * width + j) << j).sum();
        let clean = (n * width..8 * bytes.len()).all(|i| bit(i) == 0);
        Ok(Packed { numbers: (0..n).map(number).collect(), clean })
    }

    fn bitmap(&mut self, n: usize, at: usize) -> Result<Vec<bool>, Fault> {
        let bits = self.packed(n, 0, at)?;
        self.must(bits.clean, at);
        Ok(bits.numbers.into_iter().map(|bit| bit == 1).collect())
    }

    /// A base that is not less than `min`, and the numbers to be added to it.
    fn based(&mut self, n: usize, w: u8, min: i128, at: usize) -> Result<Based, Fault> {
        let base = self.int_in(min, MAX_UNSIGNED, at)?;
        let packed = self.packed(n, w, at)?;
        let elements: Vec<i128> = packed.numbers.iter().map(|number| base + i128::from(*number)).collect();
        let max = if base < 0 { MAX } else { MAX_UNSIGNED };
        let valid = packed.clean && elements.iter().all(|element| *element <= max);
        Ok(Based { elements, valid })
    }

    /// The bytes of each string, and whether the lengths are as they should be.
    fn pieces(&mut self, n: usize, w: u8, at: usize) -> Result<(Vec<&'a [u8]>, bool), Fault> {
        let lengths = self.based(n, w, 0, at)?;
        let sum: i128 = lengths.elements.iter().sum();
        let mut text = self.take(sum as u128, at)?;
        let mut pieces = Vec::new();
        for length in lengths.elements {
            let (piece, rest) = text.split_at(length as usize);
            pieces.push(piece);
            text = rest;
        }
        Ok((pieces, lengths.valid))
    }
}

fn int(i: i128) -> Tree {
    if i < 0 { Tree::Int(true, !i as u128) } else { Tree::Int(false, i as u128) }
}
