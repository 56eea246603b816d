//! Columns that are only checked: nothing is kept but what is open.
//!
//! Faults are those that reading the values would find, and of several the one that it would find first: those of
//! columns come before those of values in plain columns, and of these the first in the order of the values. So
//! a fault in a plain column is noted, handed from each column to the one it is in, and the first of them
//! reported when all columns were seen.

use super::Columns;
use super::apart::{Keys, Kind};
use super::content::{self, Choice};
use super::invalid;
use super::packed::Packed;
use super::walk::{Body, Found, Visit, Walk};
use crate::error::{Error, Result};
use crate::keys::{self, Starts};
use crate::plain::{invalid_utf8, str_from};
use crate::read::Reader;
use crate::tag;
use alloc::vec::Vec;

/// A list or map by columns that is being checked.
pub(crate) struct Check<'a> {
    walk: Walk,
    state: State<'a>,
    /// In the input that the columns stand in.
    reader: Reader<'a>,
}

/// Values of a plain column that are to be checked one after the other.
pub(crate) struct Values<'a> {
    /// Before the first; its input ends where the column does.
    pub(crate) reader: Reader<'a>,
    /// The levels that are allowed in each.
    pub(crate) depth_left: u32,
}

struct State<'a> {
    data: &'a [u8],
    /// The columns that are open, the innermost last. The first stands for the list or map itself.
    open: Vec<Open>,
    /// The plain column of which the values are being checked.
    plain: Option<Plain>,
    /// The keys of the table whose head is being read, and of these the first that is no text.
    names: Starts,
    no_text: Option<usize>,
    /// The fewest levels that were left in anything.
    least_left: u32,
}

/// A column with columns in it.
struct Open {
    found: Found,
    /// The first column in it: the keys of maps, the entries of a dictionary.
    first: Option<Keys>,
    /// The choices of a dictionary.
    indices: Option<Packed>,
    /// The first fault of a value in it, and the element that has it: of this column, if that is known from the
    /// columns in it, or else of these.
    fault: Option<(u64, Error)>,
}

struct Plain {
    found: Found,
    end: usize,
    /// How many values were read.
    read: u64,
}

impl<'a> Check<'a> {
    /// Begins with the columns of the list or map of which the tag at `start` was read; `depth_left` levels are
    /// allowed in it.
    pub(crate) fn begin(
        mut reader: Reader<'a>,
        start: usize,
        map: bool,
        depth_left: u32,
        max_depth: u32,
    ) -> Result<Check<'a>> {
        let columns = if map { 2 } else { 1 };
        let walk = Walk::begin(&mut reader, start, columns, depth_left, max_depth)?;
        let body = if map { Body::Maps(Packed::default()) } else { Body::Null };
        let found = Found { start, n: walk.n, owner: 0, variant: 0, depth_left, body };
        let state = State {
            data: reader.data,
            open: alloc::vec![Open { found, first: None, indices: None, fault: None }],
            plain: None,
            names: Starts::up_to(reader.data.len()),
            no_text: None,
            least_left: depth_left,
        };
        Ok(Check { walk, state, reader })
    }

    /// Goes on up to values that are to be checked, or to the end, where there are none.
    pub(crate) fn values(&mut self) -> Result<Option<Values<'a>>> {
        loop {
            if let Some(plain) = &self.state.plain {
                let data = self.reader.data.get(..plain.end).unwrap_or_default();
                let Body::Plain { at, .. } = plain.found.body else { return Ok(None) };
                let depth_left = plain.found.depth_left;
                return Ok(Some(Values { reader: Reader { data, pos: at }, depth_left }));
            }
            if !self.walk.step(&mut self.reader, &mut self.state)? {
                break;
            }
        }
        let Some(root) = self.state.open.pop() else { return Ok(None) };
        if self.walk.check_load(self.reader.pos).is_err() {
            // What dictionaries give out was only estimated: columns that are opened tell.
            let Found { start, depth_left, .. } = root.found;
            let mut reader = Reader { pos: start + 1, ..self.reader };
            let map = matches!(root.found.body, Body::Maps(_));
            Columns::default().open(&mut reader, start, map, depth_left, depth_left)?;
        }
        if let (Body::Maps(_), Some(keys)) = (root.found.body, root.first) {
            keys.tell_apart(self.reader.data, core::iter::once(root.found.n))?;
        }
        match root.fault {
            Some((_, fault)) => Err(fault),
            None => Ok(None),
        }
    }

    /// A value was checked, and ends at `at`; tells whether there is one more.
    #[inline]
    pub(crate) fn is_more_after(&mut self, at: usize) -> bool {
        let Some(plain) = &mut self.state.plain else { return false };
        plain.read += 1;
        if plain.read < plain.found.n {
            return true;
        }
        let start = plain.found.start;
        let fault = (at != plain.end).then(|| {
            plain.read -= 1;
            invalid(start, "bytes after the values of a plain column")
        });
        self.leave(fault);
        false
    }

    /// The value that was to be checked is wrong, if there was one; its column is left.
    pub(crate) fn fault(&mut self, error: Error) -> Result<()> {
        match self.state.plain.is_some() {
            true => {
                self.leave(Some(error));
                Ok(())
            }
            false => Err(error),
        }
    }

    fn leave(&mut self, fault: Option<Error>) {
        if let Some(plain) = self.state.plain.take() {
            let at = plain.read;
            self.state.finished(&plain.found, None, fault.map(|error| (at, error)));
        }
    }

    /// What follows the columns, and the fewest levels that were left in any of them.
    pub(crate) fn end(self) -> (Reader<'a>, u32) {
        (self.reader, self.state.least_left)
    }
}

impl State<'_> {
    /// A column and all in it was seen: what its owner is to know of it.
    fn finished(&mut self, found: &Found, keys: Option<Kind>, fault: Option<(u64, Error)>) {
        let data = self.data;
        let Some(owner) = self.open.last_mut() else { return };
        owner.first.get_or_insert_with(|| Keys {
            start: found.start,
            n: found.n,
            depth_left: found.depth_left,
            kind: keys.unwrap_or(Kind::of(&found.body)),
        });
        let Some((index, error)) = fault else { return };
        let index = match owner.found.body {
            // Each variant has elements of its own.
            Body::Union(_, _, choices) => {
                nth(owner.found.n, index, |at| choices.get(data, at) == found.variant as u64)
            }
            _ => index,
        };
        // Of faults in one element that of the earlier column comes first.
        if owner.fault.as_ref().is_none_or(|(known, _)| index < *known) {
            owner.fault = Some((index, error));
        }
    }
}

/// The place of number `rank` of those that are chosen.
fn nth(n: u64, rank: u64, chosen: impl Fn(usize) -> bool) -> u64 {
    (0..n).filter(|at| chosen(*at as usize)).nth(rank as usize).unwrap_or(n)
}

impl Visit for State<'_> {
    fn column(&mut self, found: Found) -> Result<u32> {
        content::check(self.data, &found)?;
        let is_open = match found.body {
            Body::Plain { end, .. } => {
                self.plain = Some(Plain { found, end, read: 0 });
                return Ok(0);
            }
            Body::Lists(_)
            | Body::SameLength(_)
            | Body::Tuples(_)
            | Body::Maps(_)
            | Body::Table(_)
            | Body::Ext(_) => {
                // There is a level for each, or they would have been refused.
                self.least_left = self.least_left.min(found.depth_left - 1);
                true
            }
            Body::Sparse(_) | Body::Nullable(_) | Body::Dictionary | Body::Union(..) => true,
            _ => false,
        };
        match is_open {
            true => self.open.push(Open { found, first: None, indices: None, fault: None }),
            false => self.finished(&found, None, None),
        }
        Ok(0)
    }

    fn key(&mut self, _: u32, start: usize, from: usize, to: usize) -> Result<()> {
        // The form of all keys comes before their contents (COL-40).
        if self.no_text.is_none() && str_from(self.data.get(from..to).unwrap_or_default(), start).is_err() {
            self.no_text = Some(start);
        }
        self.names.push(start);
        let Some(Open { found: Found { body: Body::Table(fields), .. }, .. }) = self.open.last() else {
            return Ok(());
        };
        let n = self.names.len();
        if (n as u64) < *fields {
            return Ok(());
        }
        if let Some(start) = self.no_text {
            return Err(invalid_utf8(start));
        }
        let text = |index: usize| text_at(self.data, self.names.get(index));
        if let Some(twice) = keys::find_duplicate_bytes(n, text) {
            return Err(keys::duplicate(self.names.get(twice)));
        }
        self.names.truncate(0);
        Ok(())
    }

    fn indices(&mut self, _: u32, m: u64, indices: Packed, end: usize) -> Result<u64> {
        let data = self.data;
        let Some(open) = self.open.last_mut() else { return Ok(0) };
        open.indices = Some(indices);
        let (start, n) = (open.found.start, open.found.n as usize);
        let length = |entry: usize| match open.first {
            Some(Keys { kind: Kind::Texts(lengths, _), .. }) => lengths.get(data, entry),
            _ => 0,
        };
        let longest = (0..m as usize).map(length).max().unwrap_or_default() as usize;
        let choice = Choice { start, n, indices, entries: m as usize, longest };
        choice.check(data, end, |index| length(indices.get(data, index) as usize))
    }

    fn close(&mut self, _: u32) -> Result<()> {
        let data = self.data;
        let Some(open) = self.open.pop() else { return Ok(()) };
        let Open { found, first, indices, fault } = open;
        if let (Body::Maps(counts), Some(keys)) = (found.body, first) {
            keys.tell_apart(data, (0..found.n as usize).map(|index| counts.get(data, index)))?;
        }
        let fault = fault.map(|(index, error)| {
            let index = match found.body {
                Body::Lists(counts) | Body::Maps(counts) => {
                    let mut before = 0;
                    (0..found.n)
                        .take_while(|list| {
                            before += counts.get(data, *list as usize);
                            before <= index
                        })
                        .count() as u64
                }
                Body::SameLength(k) => index / k,
                Body::Sparse(bits) | Body::Nullable(bits) => {
                    nth(found.n, index, |at| bits.get(data, at) == 1)
                }
                _ => index,
            };
            (index, error)
        });
        // Where the entries of a dictionary differ, the same indices are the same keys.
        let kind = match (indices, first) {
            (Some(indices), Some(entries)) if self.compares_keys() => {
                let differ = entries.tell_apart(data, core::iter::once(entries.n)).is_ok();
                differ.then_some(Kind::Numbers(indices))
            }
            _ => None,
        };
        self.finished(&found, kind, fault);
        Ok(())
    }
}

impl State<'_> {
    /// Whether the next column to be finished is one of keys.
    fn compares_keys(&self) -> bool {
        self.open
            .last()
            .is_some_and(|owner| matches!(owner.found.body, Body::Maps(_)) && owner.first.is_none())
    }
}

/// The text of a key of a table that was read before.
fn text_at(data: &[u8], start: usize) -> &[u8] {
    let reader = Reader { data, pos: start };
    let from = match data.get(start) {
        Some(&head @ tag::STR..) => start + 1 + (1 << (head & 3)),
        _ => start + 1,
    };
    data.get(from..from + reader.string_length()).unwrap_or_default()
}
