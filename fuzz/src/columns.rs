//! Records that are nearly alike: what columns are for, and where their writers have to choose.

use super::structured::has_twice;
use super::support::loose::{Dice, Style, loose, mutate};
use super::support::{Tree, reference};
use arbitrary::{Arbitrary, Result, Unstructured};
use wbin::{Encoder, RawValue, Value};

/// Lists and maps of things that are nearly alike, and numbers for how they are written.
#[derive(Debug)]
pub struct Rows {
    tree: Tree,
    seed: u64,
}

impl<'a> Arbitrary<'a> for Rows {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Rows> {
        // First what is small, since the bytes may end.
        let seed = u.arbitrary::<u64>()? | 1;
        let n = u.int_in_range(1..=40)?;
        let tree = match u.int_in_range(0..=5)? {
            0 => Tree::List(cells(u, n, 3)?),
            1 => Tree::Map(keys(u, n)?.into_iter().zip(cells(u, n, 2)?).collect()),
            2 => Tree::Map(keys(u, n)?.into_iter().zip(rows(u, n, 2)?).collect()),
            3 => {
                let parts = [("rows", rows(u, n, 2)?), ("cells", cells(u, n, 2)?)];
                Tree::Map(parts.map(|(key, part)| (string(key), Tree::List(part))).into())
            }
            _ => Tree::List(rows(u, n, 3)?),
        };
        Ok(Rows { tree, seed })
    }
}

/// Keys of rows and text in cells, of lengths on both sides of what matters, and few enough to collide.
const NAMES: [&str; 10] = [
    "",
    "a",
    "b",
    "id",
    "name",
    "größe",
    "$wbin::ext",
    "eight by",
    "a key of 64 bytes, which is the longest that a table can have...",
    "a key of 65 bytes, which is longer than those that tables have...",
];

/// Ints at the ends of what columns of ints hold, and beyond: negative ones are -1 - u.
const EDGES: [(bool, u128); 10] = [
    (false, 0),
    (true, 0),
    (false, (1 << 63) - 1),
    (false, 1 << 63),
    (true, (1 << 63) - 1),
    (true, 1 << 63),
    (false, (1 << 64) - 1),
    (false, 1 << 64),
    (false, u128::MAX),
    (true, u128::MAX >> 1),
];

/// Floats that are no decimals, or nearly: zeros, infinities, NaNs, single ones.
const FLOATS: [u64; 9] = [
    0,
    1 << 63,
    0x7FF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0001,
    0x7FF0_0000_2000_0000,
    0x3FF8_0000_0000_0000,
    0x3FD5_5555_5555_5555,
    0x4340_0000_0000_0000,
];

fn string(text: &str) -> Tree {
    Tree::Str(text.into())
}

fn int(n: i64) -> Tree {
    if n < 0 { Tree::Int(true, u128::from(!n as u64)) } else { Tree::Int(false, n as u128) }
}

fn name(u: &mut Unstructured<'_>) -> Result<Tree> {
    Ok(string(u.choose(&NAMES)?))
}

fn edge(u: &mut Unstructured<'_>) -> Result<Tree> {
    let (negative, n) = *u.choose(&EDGES)?;
    Ok(Tree::Int(negative, n))
}

/// Keys of a map: numbered text, ints at some distance from each other, or whatever comes.
fn keys(u: &mut Unstructured<'_>, n: usize) -> Result<Vec<Tree>> {
    let (start, step): (i32, i16) = (u.arbitrary()?, u.arbitrary()?);
    match u.int_in_range(0..=4)? {
        0 => cells(u, n, 1),
        1 | 2 => Ok((0..n as i64).map(|i| int(i64::from(start) + i * i64::from(step))).collect()),
        _ => Ok((0..n).map(|i| Tree::Str(format!("{start}-{i}"))).collect()),
    }
}

/// The cells of one field, or the items of a list: of one kind, but for the odd one.
fn cells(u: &mut Unstructured<'_>, n: usize, depth: u32) -> Result<Vec<Tree>> {
    let kind = u.int_in_range(0..=if depth > 0 { 16 } else { 10 })?;
    let odd: u8 = u.arbitrary()?;
    let start: i64 = u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?;
    let mut sum = start;
    let mut cell = |u: &mut Unstructured<'_>| {
        Ok(match kind {
            0 => int(start.wrapping_add(u.arbitrary::<u8>()?.into())),
            1 => {
                sum = sum.wrapping_add(u.arbitrary::<i8>()?.into());
                int(sum)
            }
            2 => edge(u)?,
            3 => Tree::Float((u.arbitrary::<i32>()? as f64 / 100.0).to_bits()),
            4 => Tree::Float(*u.choose(&FLOATS)?),
            5 => Tree::Float(f64::from(f32::from_bits(u.arbitrary()?)).to_bits()),
            6 => Tree::Float(u.arbitrary()?),
            7 => Tree::Bool(u.arbitrary()?),
            8 => name(u)?,
            9 => Tree::Str(u.arbitrary()?),
            10 => Tree::Bytes(u.arbitrary()?),
            11 => {
                let len = u.int_in_range(0..=4)?;
                Tree::List(cells(u, len, depth - 1)?)
            }
            12 => Tree::List(vec![int(start), name(u)?]),
            13 => {
                let len = u.int_in_range(0..=3)?;
                Tree::List(rows(u, len, depth - 1)?)
            }
            14 => rows(u, 1, depth - 1)?.remove(0),
            15 => Tree::Ext(start.unsigned_abs(), Box::new(int(u.arbitrary::<i8>()?.into()))),
            _ => {
                let len = u.int_in_range(0..=3)?;
                Tree::Map(keys(u, len)?.into_iter().map(|key| (key, Tree::Bool(true))).collect())
            }
        })
    };
    let odd_one = |u: &mut Unstructured<'_>| {
        Ok(match u.int_in_range(0..=7)? {
            0 => edge(u)?,
            1 => Tree::Float(*u.choose(&FLOATS)?),
            2 => name(u)?,
            3 => Tree::some(Tree::Null),
            4 => Tree::List(Vec::new()),
            5 => Tree::Map(Vec::new()),
            _ => Tree::Null,
        })
    };
    // In half of all fields every cell is as the others.
    let often = if odd < 128 { odd } else { 0 };
    (0..n).map(|_| if often > 0 && u.ratio(often, 255)? { odd_one(u) } else { cell(u) }).collect()
}

/// Maps of the same keys in the same order, but for those in which one is missing, turned, added or twice.
fn rows(u: &mut Unstructured<'_>, n: usize, depth: u32) -> Result<Vec<Tree>> {
    let mut fields = Vec::new();
    for _ in 0..u.int_in_range(1..=5)? {
        let key = match u.ratio(1, 24)? {
            true => edge(u)?,
            false => name(u)?,
        };
        if fields.iter().all(|(before, _)| *before != key) {
            fields.push((key, cells(u, n, depth.saturating_sub(1))?.into_iter()));
        }
    }
    let alike: bool = u.arbitrary()?;
    let mut row = || {
        let mut entries: Vec<(Tree, Tree)> = Vec::new();
        for (key, cells) in &mut fields {
            entries.extend(cells.next().map(|cell| (key.clone(), cell)));
        }
        let at = if alike || entries.is_empty() { 0 } else { u.choose_index(entries.len())? };
        match if alike { 255 } else { u.arbitrary::<u8>()? } {
            0..16 if !entries.is_empty() => drop(entries.remove(at)),
            16..28 => entries.rotate_left(at),
            28..36 => entries.push((string("added"), name(u)?)),
            36..42 if !entries.is_empty() => entries[at].1 = name(u)?,
            42..46 => return Ok(Tree::Null),
            46..50 => entries.clear(),
            50 if !entries.is_empty() => entries.push(entries[at].clone()),
            _ => {}
        }
        Ok(Tree::Map(entries))
    };
    (0..n).map(|_| row()).collect()
}

/// What is written by columns is the same from every writer, means what the plain form means, and is never
/// longer; any other columns for the same value are read as well, and damaged ones are judged by the twin.
pub fn columns(rows: &Rows) {
    let Rows { tree, seed } = rows;
    if let Some(bytes) = by_default(tree) {
        super::differential(&bytes);
        super::value(&bytes);
    }
    let mut dice = Dice(*seed);
    let style = Style { columns: true, wrappers: dice.one_in(2) };
    let mut any_form = Vec::new();
    loose(tree, style, &mut dice, &mut any_form);
    super::differential(&any_form);
    if !has_twice(tree) {
        assert_eq!(reference::decode(&any_form, 128).as_ref(), Ok(tree));
        super::value(&any_form);
    }
    mutate(&mut any_form, &mut dice);
    super::differential(&any_form);
    super::value(&any_form);
}

/// The bytes that all writers give by default; `None` where a map has a key twice.
pub(crate) fn by_default(tree: &Tree) -> Option<Vec<u8>> {
    let told = || {
        let mut encoder = Encoder::new();
        tree.encode(&mut encoder)?;
        encoder.finish()
    };
    let serialized = || {
        let mut encoder = Encoder::new();
        encoder.serialize(tree)?;
        encoder.finish()
    };
    let written = [told(), wbin::to_vec(tree), serialized()];
    if has_twice(tree) {
        for got in written {
            assert_eq!(got.expect_err("equal keys (LIM-5)").name(), "duplicate-key");
        }
        return None;
    }
    let [told, others @ ..] = written.map(|got| got.expect("an encoding"));
    for other in others {
        assert_eq!(told, other, "serde writes the same");
    }
    let plain = reference::preferred(tree);
    assert!(told.len() <= plain.len(), "longer by columns than without");
    assert_eq!(reference::decode(&told, 128).as_ref(), Ok(tree));
    let mut encoder = Encoder::new();
    encoder.raw(&RawValue::from_slice(&plain).expect("the plain form")).expect("a value");
    assert_eq!(encoder.finish().expect("an encoding"), told, "a raw value is written the same");
    if !tree.has_some() {
        let value = tree.to_value();
        assert_eq!(value.to_vec().expect("an encoding"), told, "a value is written the same");
        assert_eq!(Value::from_slice(&told).expect("what was written"), value);
    }
    Some(told)
}
