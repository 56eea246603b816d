//! The bytes of a file, one piece after the other: values, and the columns of what is by columns.

use crate::walk::{Part, Role, Walk};
use std::ops::Range;
use wbin::columns::{Column, Kind, Layout, Place};
use wbin::{Decoder, Error};

/// Bytes that belong together.
pub(crate) struct Piece<'p, 'a> {
    pub(crate) range: Range<usize>,
    /// How many containers and columns are around it.
    pub(crate) depth: usize,
    pub(crate) what: What<'p, 'a>,
}

pub(crate) enum What<'p, 'a> {
    Part(&'p Part<'a>),
    /// A column, without the values in it if it is a plain one, and without its indices if it is a
    /// dictionary.
    Column(&'p Column<'a>),
    /// The indices of a dictionary.
    Indices(&'p Column<'a>),
}

/// What is wrong with a file, and where its pieces end therefore.
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) depth: usize,
    pub(crate) error: Error,
}

/// Hands over the pieces in the order of their bytes, up to what is not well-formed or not valid by itself.
/// Keys are not compared, except in columns.
pub(crate) fn pieces<'a, E>(
    bytes: &'a [u8],
    each: impl FnMut(&Piece<'_, 'a>) -> Result<(), E>,
) -> Result<Option<Stop>, E> {
    let mut pieces = Pieces { bytes, fault: first_fault(bytes), each };
    let stopped = pieces.values(0..bytes.len(), 0)?;
    let (at, depth) = stopped.unwrap_or((bytes.len(), 0));
    Ok(pieces.fault.map(|error| Stop { at, depth, error }))
}

/// The first fault in the order of the values.
fn first_fault(bytes: &[u8]) -> Option<Error> {
    let mut decoder = Decoder::new(bytes);
    loop {
        match decoder.event() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}

struct Pieces<'a, F> {
    bytes: &'a [u8],
    fault: Option<Error>,
    each: F,
}

impl<'a, E, F: FnMut(&Piece<'_, 'a>) -> Result<(), E>> Pieces<'a, F> {
    /// Whether the first fault is before an offset, in what begins with `range`.
    fn is_broken(&self, begin: usize, before: usize) -> bool {
        let offset = self.fault.as_ref().and_then(Error::offset);
        offset.is_some_and(|offset| (begin..before).contains(&offset))
    }

    /// The values that stand in a range: all, or those of a plain column, which is in `depth` others. Tells
    /// where the pieces end if that is too soon, and how deep it is there.
    fn values(&mut self, range: Range<usize>, depth: usize) -> Result<Option<(usize, usize)>, E> {
        let is_all = range.start == 0;
        if !is_all && self.bytes.get(range.start) == Some(&wbin::tag::SIGNATURE_TAG) {
            // It stands before documents only.
            return Ok(Some((range.start, depth)));
        }
        let mut walk = Walk::of_bytes(self.bytes, range.clone());
        loop {
            let at = walk.position();
            let mut part = match walk.next() {
                Ok(Some(part)) => part,
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.fault.get_or_insert(error);
                    return Ok(Some((at, depth + walk.depth())));
                }
            };
            let own_depth = depth + part.depth;
            let is_broken = match is_all && part.columns.is_none() {
                // What is wrong outside of columns was found just now.
                true => false,
                false => self.is_broken(range.start, part.range.end),
            };
            if is_broken {
                return Ok(Some((part.range.start, own_depth)));
            }
            if let (false, Some(Role::Root(index))) = (is_all, part.role) {
                part.role = Some(Role::Item(index));
            }
            (self.each)(&Piece { range: part.range.clone(), depth: own_depth, what: What::Part(&part) })?;
            if let Some(layout) = &part.columns {
                if let Some(stopped) = self.columns(layout, own_depth + 1)? {
                    return Ok(Some(stopped));
                }
            }
        }
    }

    /// The columns of a list or map by columns, which is in `depth` others less one.
    fn columns(&mut self, layout: &Layout<'a>, depth: usize) -> Result<Option<(usize, usize)>, E> {
        let begin = layout.range.start;
        for (index, column) in layout.columns.iter().enumerate() {
            let depth = depth + column.depth;
            let end = match column.kind {
                Kind::Plain | Kind::Dictionary => column.head.end,
                _ => column.payload.end,
            };
            let range = column.head.start..end;
            if self.is_broken(begin, range.end) {
                return Ok(Some((range.start, depth)));
            }
            (self.each)(&Piece { range, depth, what: What::Column(column) })?;
            if column.kind == Kind::Plain {
                if let Some(stopped) = self.values(column.payload.clone(), depth + 1)? {
                    return Ok(Some(stopped));
                }
            }
            // Entries are one column, which stands right after that of the dictionary.
            let dictionary = index.checked_sub(1).and_then(|before| layout.columns.get(before));
            if let (Place::Entries, Some(dictionary)) = (column.place, dictionary) {
                let range = dictionary.payload.clone();
                if self.is_broken(begin, range.end) {
                    return Ok(Some((range.start, depth)));
                }
                (self.each)(&Piece { range, depth, what: What::Indices(dictionary) })?;
            }
        }
        let end = layout.range.end;
        Ok(self.is_broken(begin, end + 1).then_some((end, depth)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::place_of;
    use std::convert::Infallible;

    /// Documents with columns of all kinds.
    fn documents() -> Vec<Vec<u8>> {
        let rows: Vec<String> = (0..12)
            .map(|i| {
                let (lang, mixed) = (["\"en\"", "\"de\"", "null"][i % 3], ["[true]", "{\"x\": h'00'}", "5"][i % 3]);
                let note = if i % 4 == 0 { ", \"note\": [1, {}]" } else { "" };
                format!("{{\"id\": {}, \"l\": {lang}, \"m\": {mixed}, \"p\": {i}.25, \"t\": ext(1, \"{i}\"){note}}}", i * i)
            })
            .collect();
        let plain = wbin::diag::parse(&format!("{{\"rows\": [{}], 7: nan}}", rows.join(", "))).unwrap();
        let table = wbin::Value::from_slice(&plain).unwrap().to_vec().unwrap();
        assert!(table.contains(&wbin::tag::LIST_COLUMNS));
        let mut documents = vec![table];
        for hex in [
            // a list in a plain column, and a map by columns in another
            "82d2040006054161 8106b8 d302 7001006162 300102",
            "d202 000d d3027001006162300102 417a",
            "d203 9002 7002 00 656e6465 02",
            "d202 e002 02 2000 01 0180",
            "d202 b101 b001 3101e4",
            "d203 c005 70010061613001 02",
            "d202 f001 70010061 62",
            "d204 12051203 3105 08",
            "d201 0005 d2010001b8",
            "df574201 d20220 01 d20220 02",
            "92 d20220 01 05 d20220 02 06",
        ] {
            let digits = hex.replace(' ', "");
            let pairs = (0..digits.len()).step_by(2);
            documents.push(pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect());
        }
        documents
    }

    /// Checks that the pieces are all bytes up to where they end; tells whether that is too soon.
    fn check(bytes: &[u8]) -> bool {
        let mut end = 0;
        let stop = pieces(bytes, |piece| {
            assert_eq!(piece.range.start, end, "{bytes:x?}");
            assert!(!piece.range.is_empty() || matches!(piece.what, What::Indices(_)), "{bytes:x?}");
            end = piece.range.end;
            Ok::<(), Infallible>(())
        });
        let Ok(stop) = stop;
        assert_eq!(stop.as_ref().map_or(bytes.len(), |stop| stop.at), end, "{bytes:x?}");
        stop.is_some()
    }

    #[test]
    fn pieces_are_all_the_bytes() {
        for bytes in documents() {
            let broken = check(&bytes);
            let mut decoder = Decoder::new(&bytes);
            let valid = loop {
                match decoder.event() {
                    Ok(Some(_)) => {}
                    Ok(None) => break true,
                    Err(_) => break false,
                }
            };
            assert_eq!(broken, !valid, "{bytes:x?}");
        }
    }

    #[test]
    fn damage_is_no_danger() {
        for bytes in documents() {
            for at in 0..bytes.len() {
                check(&bytes[..at]);
                for change in [0x01, 0x02, 0x10, 0x80, 0xFF] {
                    let mut damaged = bytes.clone();
                    damaged[at] ^= change;
                    check(&damaged);
                    for offset in [at, at + 1, bytes.len()] {
                        place_of(&damaged, offset);
                    }
                }
            }
        }
    }

    #[test]
    fn nesting_in_plain_columns_has_an_end() {
        let mut bytes = vec![5];
        for _ in 0..200 {
            let mut outer = vec![0xD2, 1, 0];
            outer.extend(wbin::diag::parse(&bytes.len().to_string()).unwrap());
            outer.append(&mut bytes);
            bytes = outer;
        }
        assert!(check(&bytes));
    }
}
