//! What columns a list or map by columns has, for those who show or count its bytes.

use super::packed::Packed;
use super::walk::{Based, Body, Found, Visit, walk};
use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::plain::str_from;
use crate::read::Reader;
use crate::tag;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The columns of a list or map by columns.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Layout<'a> {
    /// How many items or entries it has.
    pub n: u64,
    /// Its bytes, from the tag to the last one of its columns.
    pub range: Range<usize>,
    /// Its columns in the order of their first bytes: a column stands before those in it.
    pub columns: Vec<Column<'a>>,
}

/// One column (COL-5).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Column<'a> {
    /// What it is.
    pub kind: Kind,
    /// What it holds, for the list, the map or the column that it is in.
    pub place: Place<'a>,
    /// How many columns it is in.
    pub depth: usize,
    /// How many elements it has.
    pub n: u64,
    /// The bits of each of its packed numbers, if it has such (COL-8).
    pub bits: Option<u8>,
    /// The bytes of the kind byte, and of the ints and keys that follow it.
    pub head: Range<usize>,
    /// The bytes of the numbers, the text or the values of a plain column, right after the head; but those
    /// of a dictionary, its indices, stand after the column of its entries. The columns in it are no part
    /// of this.
    pub payload: Range<usize>,
    /// The names of the fields of a table.
    pub fields: Vec<&'a str>,
}

/// The kinds of columns: the rows of the table of COL-7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Values one after the other (COL-12).
    Plain,
    /// Nothing but nulls (COL-13).
    Null,
    /// A field that rows may lack (COL-14).
    Sparse,
    /// Values that may be null (COL-15).
    Nullable,
    /// Booleans (COL-16).
    Bool,
    /// Ints (COL-17).
    Int,
    /// Ints, of which the differences are stored (COL-18).
    Differences,
    /// Floats of 64 bits (COL-19).
    Float64,
    /// Floats of 32 bits (COL-19).
    Float32,
    /// Floats that are decimal fractions (COL-20).
    Decimal,
    /// Strings (COL-21).
    String,
    /// Bytes (COL-22).
    Bytes,
    /// Values that are named by their numbers in a column of entries (COL-23).
    Dictionary,
    /// Lists (COL-25).
    Lists,
    /// Lists that are of one length (COL-26).
    SameLength,
    /// Lists that are of one length, with a column for each place in them (COL-27).
    Tuples,
    /// Maps (COL-28).
    Maps,
    /// Maps that have their keys in common (COL-29).
    Table,
    /// Values of several kinds (COL-31).
    Union,
    /// Extensions of one type (COL-32).
    Ext,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place<'a> {
    /// The items of a list, or of all lists in a column.
    Items,
    /// The keys of a map, or of all maps in a column.
    Keys,
    /// The values of a map, or of all maps in a column.
    Values,
    /// A field of a table.
    Field(&'a str),
    /// One of the items of each tuple, counted from 0.
    Item(usize),
    /// What is there of a sparse field, or is not null.
    Present,
    /// The entries of a dictionary.
    Entries,
    /// The elements of a union that chose this variant, counted from 0.
    Variant(usize),
    /// What exts hold.
    Payloads,
}

impl Kind {
    /// The name of this kind in the table of COL-7.
    ///
    /// ```
    /// assert_eq!(wbin::columns::Kind::Differences.name(), "int by differences");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Null => "null",
            Kind::Sparse => "sparse",
            Kind::Nullable => "nullable",
            Kind::Bool => "bool",
            Kind::Int => "int",
            Kind::Differences => "int by differences",
            Kind::Float64 => "float, 64 bits",
            Kind::Float32 => "float, 32 bits",
            Kind::Decimal => "decimal",
            Kind::String => "string",
            Kind::Bytes => "bytes",
            Kind::Dictionary => "dictionary",
            Kind::Lists => "lists",
            Kind::SameLength => "lists of one length",
            Kind::Tuples => "tuples",
            Kind::Maps => "maps",
            Kind::Table => "table",
            Kind::Union => "union",
            Kind::Ext => "ext",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The columns of the list or map by columns whose tag D2 or D3 stands at an offset of `bytes` (COL-1,
/// COL-2).
///
/// It is checked for being well-formed (COL-42), and the names of fields for being text; what stands in
/// plain columns is not looked at. What follows it is not, either. The ranges of all columns, put in order,
/// are all of its bytes but the tag and the count.
///
/// ```
/// # fn main() -> wbin::Result<()> {
/// use wbin::columns::{Kind, Place, layout};
/// // [{"a": 1, "b": true}, {"a": 2, "b": false}]
/// let bytes = [0xD2, 2, 0xD0, 2, 0x41, b'a', 0x41, b'b', 0x30, 1, 2, 0x20, 1];
/// let layout = layout(&bytes, 0)?;
/// assert_eq!((layout.n, layout.range), (2, 0..13));
/// let [table, a, b] = &layout.columns[..] else { panic!() };
/// assert_eq!((table.kind, &table.fields[..]), (Kind::Table, &["a", "b"][..]));
/// assert_eq!((a.kind, a.place, a.bits), (Kind::Int, Place::Field("a"), Some(1)));
/// assert_eq!((a.depth, &a.head, &a.payload), (1, &(8..10), &(10..11)));
/// assert_eq!(b.kind.name(), "bool");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If no list or map by columns begins there, it is not well-formed, the name of a field is not UTF-8, or
/// it nests deeper than 128 levels.
pub fn layout(bytes: &[u8], offset: usize) -> Result<Layout<'_>> {
    let mut reader = Reader { data: bytes, pos: offset };
    let map = match reader.peek()? {
        tag::LIST_COLUMNS => false,
        tag::MAP_COLUMNS => true,
        _ => return Err(Error::new(Code::InvalidType, offset, "no list or map by columns begins here")),
    };
    reader.pos += 1;
    let mut finder = Finder { bytes, map, columns: Vec::new(), inside: Vec::new(), roots: 0 };
    let (columns, depth) = (if map { 2 } else { 1 }, Config::DEFAULT_MAX_DEPTH);
    let walked = walk(&mut reader, &mut finder, offset, columns, depth - 1, depth)?;
    Ok(Layout { n: walked.n, range: offset..reader.pos, columns: finder.columns })
}

/// Writes down what the walk tells.
struct Finder<'a> {
    bytes: &'a [u8],
    map: bool,
    columns: Vec<Column<'a>>,
    /// For each column, how many there are right in it so far.
    inside: Vec<usize>,
    roots: usize,
}

impl<'a> Finder<'a> {
    /// The place of a column that begins at `start`; `variant` is told of those in unions.
    fn place(&mut self, owner: u32, variant: usize, start: usize) -> (Place<'a>, usize) {
        let owner = owner as usize;
        let (Some(outer), Some(inside)) = (self.columns.get_mut(owner), self.inside.get_mut(owner)) else {
            self.roots += 1;
            let place = match (self.map, self.roots) {
                (false, _) => Place::Items,
                (true, 1) => Place::Keys,
                (true, _) => Place::Values,
            };
            return (place, 0);
        };
        let before = *inside;
        *inside += 1;
        if matches!(outer.kind, Kind::Dictionary | Kind::SameLength | Kind::Tuples | Kind::Ext) && before == 0
        {
            // What stands between the kind byte and the first column is the head.
            outer.head.end = start;
            outer.payload = start..start;
        }
        let place = match outer.kind {
            Kind::Sparse | Kind::Nullable => Place::Present,
            Kind::Dictionary => Place::Entries,
            Kind::Tuples => Place::Item(before),
            Kind::Maps if before == 0 => Place::Keys,
            Kind::Maps => Place::Values,
            Kind::Table => Place::Field(outer.fields.get(before).copied().unwrap_or_default()),
            Kind::Union => Place::Variant(variant),
            Kind::Ext => Place::Payloads,
            _ => Place::Items,
        };
        (place, outer.depth + 1)
    }
}

impl Visit for Finder<'_> {
    fn column(&mut self, found: Found) -> Result<u32> {
        let Found { start, n, owner, variant, .. } = found;
        let Ok(id) = u32::try_from(self.columns.len()) else {
            return Err(Error::new(Code::InputLimit, start, "more columns than can be read at once"));
        };
        let (place, depth) = self.place(owner, variant, start);
        // What has no numbers has no payload, and its head grows as it is read.
        let none = start + 1..start + 1;
        let packed = |packed: Packed, n: u64| {
            // All of it was there.
            (packed.at..packed.at + packed.size(n) as usize, Some(packed.bits))
        };
        let text = |lengths: Based, end: usize| (lengths.packed.at..end, Some(lengths.packed.bits));
        let (kind, (payload, bits)) = match found.body {
            Body::Plain { at, end } => (Kind::Plain, (at..end, None)),
            Body::Null => (Kind::Null, (none, None)),
            Body::Sparse(bitmap) => (Kind::Sparse, packed(bitmap, n)),
            Body::Nullable(bitmap) => (Kind::Nullable, packed(bitmap, n)),
            Body::Bool(bitmap) => (Kind::Bool, packed(bitmap, n)),
            Body::Int(based) => (Kind::Int, packed(based.packed, n)),
            Body::Differences(_, based) => (Kind::Differences, packed(based.packed, n - 1)),
            Body::Float { narrow: true, at } => (Kind::Float32, (at..at + 4 * n as usize, None)),
            Body::Float { narrow: false, at } => (Kind::Float64, (at..at + 8 * n as usize, None)),
            Body::Decimal { m, .. } => (Kind::Decimal, packed(m.packed, n)),
            Body::String(lengths, _, end) => (Kind::String, text(lengths, end)),
            Body::Bytes(lengths, _, end) => (Kind::Bytes, text(lengths, end)),
            Body::Dictionary => (Kind::Dictionary, (none, None)),
            Body::Lists(lengths) => (Kind::Lists, packed(lengths, n)),
            Body::SameLength(_) => (Kind::SameLength, (none, None)),
            Body::Tuples(_) => (Kind::Tuples, (none, None)),
            Body::Maps(counts) => (Kind::Maps, packed(counts, n)),
            Body::Table(_) => (Kind::Table, (none, None)),
            Body::Union(_, _, variants) => (Kind::Union, packed(variants, n)),
            Body::Ext(_) => (Kind::Ext, (none, None)),
        };
        let head = start..payload.start;
        self.columns.push(Column { kind, place, depth, n, bits, head, payload, fields: Vec::new() });
        self.inside.push(0);
        Ok(id)
    }

    fn key(&mut self, table: u32, start: usize, from: usize, to: usize) -> Result<()> {
        let name = str_from(self.bytes.get(from..to).unwrap_or_default(), start)?;
        if let Some(table) = self.columns.get_mut(table as usize) {
            table.fields.push(name);
            table.head.end = to;
            table.payload = to..to;
        }
        Ok(())
    }

    fn indices(&mut self, dictionary: u32, _: u64, indices: Packed, end: usize) -> Result<u64> {
        if let Some(dictionary) = self.columns.get_mut(dictionary as usize) {
            dictionary.bits = Some(indices.bits);
            dictionary.payload = indices.at..end;
        }
        Ok(0)
    }

    fn close(&mut self, _: u32) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag;

    /// The ranges of all columns, in order, are the bytes behind the tag and the count.
    fn check_tiles(bytes: &[u8], at: usize) {
        let Ok(layout) = layout(bytes, at) else { return };
        let mut ranges: Vec<_> = layout
            .columns
            .iter()
            .flat_map(|column| [column.head.clone(), column.payload.clone()])
            .filter(|range| !range.is_empty())
            .collect();
        ranges.sort_by_key(|range| range.start);
        let mut end = ranges[0].start;
        assert!((at + 2..=at + 18).contains(&end), "{layout:?}");
        for range in ranges {
            assert_eq!(range.start, end, "{layout:?}");
            end = range.end;
        }
        assert_eq!(end, layout.range.end, "{layout:?}");
        for columns in layout.columns.windows(2) {
            assert!(columns[0].head.start < columns[1].head.start);
            assert!(columns[1].depth <= columns[0].depth + 1);
        }
    }

    #[test]
    fn every_byte_is_that_of_one_column() {
        let examples: [&[u8]; 14] = [
            &[0xD2, 3, 0, 4, 5, 0x41, b'a', 0xB8],
            &[0xD3, 2, 0x70, 1, 0, b'a', b'b', 0x30, 1, 2],
            &[0xD2, 3, 0x90, 2, 0x70, 2, 0, b'e', b'n', b'd', b'e', 2],
            &[0xD2, 3, 0xA1, 0x12, 0x31, 1, 0x24],
            &[0xD2, 3, 0xA0, 0],
            &[0xD2, 2, 0xB0, 2, 0x31, 1, 0xE4],
            &[0xD2, 2, 0xB1, 2, 0x70, 1, 0, b'a', b'b', 0x20, 1],
            &[0xD2, 3, 0xC0, 5, 0x70, 1, 0, b'a', b'a', 0x30, 1, 2],
            &[0xD2, 4, 0xE0, 2, 6, 0x30, 1, 2, 0x70, 1, 0, b'a', b'b'],
            &[0xD2, 2, 0xE0, 2, 0, 0x10],
            &[0xD2, 2, 0xF0, 0xA0, 0x40, 0x70, 1, 0, b'a', b'b'],
            &[0xD2, 3, 0x68, 2, 5, 14, 5, 0, 0x5F, 0],
            &[0xD2, 4, 0x40, 0xA1, 0xE8, 3, 1, 5],
            &[0xD2, 2, 0x51, 0, 0, 0xC0, 0x3F, 0, 0, 0, 0x80],
        ];
        for bytes in examples {
            assert_eq!(layout(bytes, 0).map(|layout| layout.range).ok(), Some(0..bytes.len()), "{bytes:x?}");
            check_tiles(bytes, 0);
            let shifted = [&[0x82, 5], bytes].concat();
            check_tiles(&shifted, 2);
            // Damage is found, or gives other columns.
            for at in 1..bytes.len() {
                for change in [1, 0x10, 0x80, 0xFF] {
                    let mut damaged = bytes.to_vec();
                    damaged[at] ^= change;
                    check_tiles(&damaged, 0);
                }
                assert_eq!(layout(&bytes[..at], 0).map_err(|error| error.name()), Err("truncated"));
            }
        }
    }

    #[test]
    fn a_document_of_many_kinds() {
        let rows: alloc::string::String = (0..40)
            .map(|i| {
                let (lang, tag) = (["en", "de", "fr"][i % 3], ["x", "null", "5"][i % 2]);
                alloc::format!(r#"{{"id": {i}, "l": "{lang}", "u": [{tag:?}, {i}.5], "n": null}}, "#)
            })
            .collect();
        let rows = alloc::format!("[{}]", rows.trim_end_matches(", "));
        let plain = diag::parse(&rows).unwrap();
        let bytes = super::super::compact(&plain).unwrap().into_vec();
        check_tiles(&bytes, 0);
        let layout = layout(&bytes, 0).unwrap();
        assert_eq!(layout.range.end, bytes.len());
        assert_eq!(layout.columns[0].kind, Kind::Table);
        assert_eq!(layout.columns[0].fields, ["id", "l", "u", "n"]);
        let fields: Vec<_> = layout.columns.iter().filter(|column| column.depth == 1).collect();
        assert_eq!(fields.len(), 4);
        assert_eq!(fields[1].place, Place::Field("l"));
    }

    #[test]
    fn every_column_has_its_place_and_its_bytes() {
        type Told<'a> = (Kind, Place<'a>, usize, u64, Option<u8>, Range<usize>, Range<usize>);
        let map = [&[0xD3, 2, 0x70, 1, 0, b'a', b'b', 0x50][..], &[0; 16]].concat();
        let singles = [&[0xD2, 3, 0xA1, 0x12, 0x51][..], &[0; 12]].concat();
        let cases: [(&[u8], &[Told<'_>]); 5] = [
            (
                &map,
                &[
                    (Kind::String, Place::Keys, 0, 2, Some(1), 2..4, 4..7),
                    (Kind::Float64, Place::Values, 0, 2, None, 7..8, 8..24),
                ],
            ),
            (
                &singles,
                &[
                    (Kind::Lists, Place::Items, 0, 3, Some(2), 2..3, 3..4),
                    (Kind::Float32, Place::Items, 1, 3, None, 4..5, 5..17),
                ],
            ),
            (&[0xD2, 9, 0x40, 7, 3, 0xFF], &[(Kind::Differences, Place::Items, 0, 9, Some(1), 2..5, 5..6)]),
            (
                &[0xD2, 4, 0xE0, 3, 6, 0x10, 0xF0, 5, 0x90, 2, 0x40, 7, 3, 0, 2],
                &[
                    (Kind::Union, Place::Items, 0, 4, Some(1), 2..4, 4..5),
                    (Kind::Null, Place::Variant(0), 1, 2, None, 5..6, 6..6),
                    (Kind::Ext, Place::Variant(1), 1, 2, None, 6..8, 8..8),
                    (Kind::Dictionary, Place::Payloads, 2, 2, Some(1), 8..10, 14..15),
                    (Kind::Differences, Place::Entries, 3, 2, Some(1), 10..13, 13..14),
                ],
            ),
            (
                &[
                    0xD2, 2, 0xB1, 2, 0x12, 1, 0x20, 1, 0xC0, 3, 0x30, 5, 2, 0xD0, 1, 0x41, b'k', 0x11, 1,
                    0x20, 0,
                ],
                &[
                    (Kind::Tuples, Place::Items, 0, 2, None, 2..4, 4..4),
                    (Kind::Nullable, Place::Item(0), 1, 2, Some(1), 4..5, 5..6),
                    (Kind::Bool, Place::Present, 2, 1, Some(1), 6..7, 7..8),
                    (Kind::Maps, Place::Item(1), 1, 2, Some(1), 8..9, 9..10),
                    (Kind::Int, Place::Keys, 2, 2, Some(1), 10..12, 12..13),
                    (Kind::Table, Place::Values, 2, 2, None, 13..17, 17..17),
                    (Kind::Sparse, Place::Field("k"), 3, 2, Some(1), 17..18, 18..19),
                    (Kind::Bool, Place::Present, 4, 1, Some(1), 19..20, 20..21),
                ],
            ),
        ];
        for (bytes, expected) in cases {
            let layout = layout(bytes, 0).unwrap();
            let told: Vec<Told<'_>> = layout
                .columns
                .into_iter()
                .map(|own| (own.kind, own.place, own.depth, own.n, own.bits, own.head, own.payload))
                .collect();
            assert_eq!(told, expected, "{bytes:x?}");
        }
        assert_eq!(alloc::format!("{}, {}", Kind::SameLength, Kind::Bool), "lists of one length, bool");
    }

    #[test]
    fn levels_are_those_of_the_default_limit() {
        let nested = |lists: usize| {
            let mut bytes = alloc::vec![0xD2, 1];
            (0..lists).for_each(|_| bytes.extend([0xB0, 1]));
            bytes.extend([0x20, 1]);
            bytes
        };
        assert_eq!(layout(&nested(127), 0).unwrap().columns.len(), 128);
        assert_eq!(layout(&nested(128), 0).unwrap_err().name(), "depth-limit");
    }

    #[test]
    fn what_is_none_is_refused() {
        assert_eq!(layout(&[0x81, 5], 0).unwrap_err().name(), "invalid-type");
        assert_eq!(layout(&[0x81, 5], 7).unwrap_err().name(), "truncated");
        let error = layout(&[0xD2, 1, 0xD0, 1, 0x41, 0xFF, 0x20, 1], 0).unwrap_err();
        assert_eq!((error.name(), error.offset()), ("invalid-utf8", Some(4)));
    }
}
