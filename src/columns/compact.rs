//! Documents of the plain layer, with lists and maps by columns where that is shorter.

use super::choose::Writer;
use super::collect::{Collector, DEEPEST, Kind};
use crate::error::Result;
use crate::plain::Token;
use crate::read::Reader;
use crate::skip::{pass_scalars, skip_value, values_in};
use crate::tag;
use crate::write::Output;
use core::cell::Cell;

/// Lists of fewer scalars are not tried.
pub(crate) const SCALARS_MIN: usize = 16;
/// Maps of fewer entries are not tried.
pub(crate) const ENTRIES_MIN: usize = 3;
/// Shorter lists and maps are hardly ever shorter by columns, in bytes.
pub(crate) const CONTAINER_MIN: usize = 64;
/// How often lists and maps that are in one another are tried in vain.
const TRIES_MAX: u32 = 6;
/// How many bytes are looked at in tries, for each byte that there is, and besides: what nests deep could be tried in
/// millions of ways.
const WORK_PER_BYTE: usize = 64;
const WORK_BESIDES: usize = 1 << 14;

/// What was tried around a value, and how much work is left for all of the document.
#[derive(Clone, Copy)]
pub(super) struct Tries<'w> {
    /// How often lists and maps were tried in vain.
    in_vain: u32,
    work: &'w Cell<usize>,
}

impl<'w> Tries<'w> {
    /// The work that is allowed for a document of so many bytes.
    pub(super) fn work(size: usize) -> Cell<usize> {
        Cell::new(size.saturating_mul(WORK_PER_BYTE).saturating_add(WORK_BESIDES))
    }

    pub(super) fn new(work: &'w Cell<usize>) -> Tries<'w> {
        Tries { in_vain: 0, work }
    }

    /// One more in vain.
    pub(super) fn more(self) -> Tries<'w> {
        Tries { in_vain: self.in_vain + 1, ..self }
    }

    /// Notes that so many bytes were looked at.
    pub(super) fn looked_at(self, bytes: usize) {
        self.work.set(self.work.get().saturating_sub(bytes));
    }

    fn are_enough(self) -> bool {
        self.in_vain >= TRIES_MAX || self.work.get() == 0
    }
}

/// Whether a list of `n` items, of which the first begins with `first`, may be worth trying.
fn is_candidate(n: usize, first: Option<u8>) -> bool {
    match first {
        Some(first) if !Kind::of(first).is_scalar() => n >= 2,
        _ => n >= SCALARS_MIN,
    }
}

/// The values of `bytes`, each in its shortest form; `None` if they are as they are.
pub(crate) fn compact(bytes: &[u8]) -> Option<Output> {
    // Offsets are kept in 32 bits.
    u32::try_from(bytes.len()).ok()?;
    let mut reader = Reader::new(bytes);
    // What was just written is well-formed.
    reader.signature().ok()?;
    if reader.remaining() < CONTAINER_MIN {
        return None;
    }
    let mut out = Output::default();
    let work = Tries::work(bytes.len());
    let mut rewriter = Rewriter { reader, written: 0, is_shorter: false, out: &mut out };
    while rewriter.reader.remaining() > 0 {
        rewriter.value(0, Tries::new(&work)).ok()?;
    }
    if !rewriter.is_shorter {
        return None;
    }
    rewriter.catch_up(bytes.len());
    Some(out)
}

/// Writes the value that begins at an offset of a document.
pub(super) fn value_at(data: &[u8], at: usize, tried: Tries<'_>, out: &mut Output) -> Result<()> {
    let mut rewriter = Rewriter { reader: Reader { data, pos: at }, written: at, is_shorter: false, out };
    rewriter.value(0, tried)?;
    let end = rewriter.reader.pos;
    rewriter.catch_up(end);
    Ok(())
}

/// Goes through a document of the plain layer. What stays as it is, is written where the next columns begin.
struct Rewriter<'d, 'o> {
    reader: Reader<'d>,
    /// What stands before this offset was written.
    written: usize,
    /// Whether anything is not as it was.
    is_shorter: bool,
    out: &'o mut Output,
}

impl Rewriter<'_, '_> {
    /// Writes what stands before an offset, as it is.
    fn catch_up(&mut self, end: usize) {
        self.out.slice(&self.reader.data[self.written..end]);
        self.written = end;
    }

    /// Goes through the value that the reader is at.
    fn value(&mut self, depth: u32, tried: Tries<'_>) -> Result<()> {
        let start = self.reader.pos;
        if let Some(end) = short(self.reader.data, start) {
            self.reader.pos = end;
            return Ok(());
        }
        let token = self.reader.token(u32::MAX, u32::MAX)?;
        let n = match token {
            Token::List(n) => Some(n),
            Token::Map(n) => Some(2 * n),
            Token::ListOpen | Token::MapOpen => None,
            Token::Ext(_) => Some(1),
            Token::Some | Token::ListColumns | Token::MapColumns => return self.pass(start),
            _ => return Ok(()),
        };
        if depth >= DEEPEST || tried.are_enough() {
            return self.pass(start);
        }
        let body = self.reader;
        let first = body.data.get(body.pos).copied();
        let map = matches!(token, Token::Map(_) | Token::MapOpen);
        let worth = match token {
            Token::List(n) => is_candidate(n, first),
            Token::Map(n) => n >= ENTRIES_MIN && is_alike(body, n)?,
            Token::ListOpen => true,
            Token::MapOpen => is_alike(body, usize::MAX)?,
            _ => false,
        };
        let mut tried = tried;
        if worth {
            if self.columns(start, n, map, tried)? {
                return Ok(());
            }
            self.reader = body;
            tried = tried.more();
        }
        let mut left = n.unwrap_or(usize::MAX);
        loop {
            left -= pass_scalars(&mut self.reader, left)?;
            if left == 0 {
                return Ok(());
            }
            if n.is_none() && self.reader.peek()? == tag::END {
                self.reader.pos += 1;
                return Ok(());
            }
            left -= 1;
            self.value(depth + 1, tried)?;
        }
    }

    /// Passes over the value that begins at `start`.
    fn pass(&mut self, start: usize) -> Result<()> {
        self.reader.pos = start;
        skip_value(&mut self.reader, u32::MAX, u32::MAX)
    }

    /// Writes a list or map by columns, if that is shorter; the reader is behind its head, which begins at
    /// `start`.
    fn columns(&mut self, start: usize, n: Option<usize>, map: bool, tried: Tries<'_>) -> Result<bool> {
        let reader = &mut self.reader;
        let mut collector = Collector::new(reader.data, if map { n.map(|n| n / 2) } else { n });
        let (keys, values) = (collector.column(), collector.column());
        let items = if map { values } else { keys };
        let mut count = 0;
        let mut left = n.unwrap_or(usize::MAX);
        while left > 0 {
            if n.is_none() && reader.peek()? == tag::END {
                reader.pos += 1;
                break;
            }
            left -= 1;
            let column = if map && count % 2 == 1 { values } else { keys };
            collector.add(column, reader)?;
            count += 1;
            if count == 64 && collector.is_plain(items) {
                return Ok(false);
            }
        }
        let end = reader.pos;
        tried.looked_at(end - start);
        if count == 0 || collector.is_plain(items) {
            return Ok(false);
        }
        self.out.reserve(start - self.written + (end - start) / 2);
        self.catch_up(start);
        let at = self.out.len();
        self.out.byte(if map { tag::MAP_COLUMNS } else { tag::LIST_COLUMNS });
        self.out.pos(if map { count / 2 } else { count });
        let mut writer = Writer::new(&collector.columns, collector.data, tried.more());
        let columns = [keys, values];
        let is_allowed = writer.columns(if map { &columns } else { &columns[..1] }, at, self.out)?;
        if !is_allowed || self.out.len() - at >= end - start {
            self.out.truncate(at);
            return Ok(false);
        }
        self.written = end;
        self.is_shorter = true;
        Ok(true)
    }
}

/// Where a value ends that is too short to be tried, and so are those in it.
fn short(data: &[u8], start: usize) -> Option<usize> {
    let data = &data[..data.len().min(start + CONTAINER_MIN - 1)];
    let mut reader = Reader { data, pos: start };
    // How many values are to come, of this one or in it. Each takes a byte at least.
    let mut left = 1;
    while left > 0 {
        left += values_in(&mut reader)?;
        left -= 1;
        if left > reader.remaining() {
            return None;
        }
    }
    Some(reader.pos)
}

/// Whether the first values of a map, which begins here, are of one kind.
fn is_alike(mut reader: Reader<'_>, n: usize) -> Result<bool> {
    let mut first = None;
    for _ in 0..n.min(ENTRIES_MIN) {
        if reader.peek()? == tag::END {
            return Ok(false);
        }
        skip_value(&mut reader, u32::MAX, u32::MAX)?;
        let kind = Kind::of(reader.peek()?);
        if *first.get_or_insert(kind) != kind {
            return Ok(false);
        }
        skip_value(&mut reader, u32::MAX, u32::MAX)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
