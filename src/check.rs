//! Validity: everything that building a value would find wrong, without building it.

use crate::columns::{self, Values};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::keys::{self, Starts};
use crate::plain::{Token, bad_tag, str_from};
use crate::read::Reader;
use crate::skip::{OPEN_LIST, OPEN_MAP_KEY, OPEN_MAP_VALUE};
use crate::tag;
use alloc::vec::Vec;

/// Checks one value that fills `bytes`; gives how many levels it nests.
pub(crate) fn valid(bytes: &[u8], max_depth: u32) -> Result<u32> {
    let mut reader = Reader::new(bytes);
    let depth = next(&mut reader, max_depth, max_depth)?;
    match reader.remaining() {
        0 => Ok(depth),
        _ => Err(Error::trailing(reader.pos)),
    }
}

/// Checks the value that a reader is at, and moves behind it; `depth_left` levels are allowed of the
/// `max_depth` in all. Gives how many levels it nests.
pub(crate) fn next(reader: &mut Reader<'_>, depth_left: u32, max_depth: u32) -> Result<u32> {
    let mut ahead = *reader;
    ahead.signature()?;
    let mut walk = Walk {
        reader: ahead,
        frame: Frame { left: 1, keys: NO_MAP },
        outer: Vec::new(),
        keys: Starts::up_to(reader.data.len()),
        columns: Vec::new(),
        depth_left,
        least_left: depth_left,
        max_depth,
    };
    while let Err(error) = walk.run() {
        walk.note(error)?;
    }
    reader.pos = walk.reader.pos;
    Ok(depth_left - walk.least_left)
}

/// What is left of a plain column: one more of the numbers that no count comes near.
const IN_COLUMN: u64 = u64::MAX - 3;

/// What is open.
#[derive(Clone, Copy)]
struct Frame {
    /// How many values are left.
    left: u64,
    /// For a map where its keys begin among all that were noted.
    keys: usize,
}

const NO_MAP: usize = usize::MAX;

/// Columns that are open, and what was open around them.
struct Columns<'a> {
    check: columns::Check<'a>,
    depth_left: u32,
    keys: usize,
}

struct Walk<'a> {
    /// In the columns that were opened last its input ends where a column does.
    reader: Reader<'a>,
    /// What was opened last, and what is around it.
    frame: Frame,
    outer: Vec<Frame>,
    /// The keys of all open maps.
    keys: Starts,
    columns: Vec<Columns<'a>>,
    depth_left: u32,
    /// The fewest levels that were left.
    least_left: u32,
    max_depth: u32,
}

impl<'a> Walk<'a> {
    /// Goes to the end of the value, or to a fault.
    fn run(&mut self) -> Result<()> {
        while self.frame.left > 0 {
            let start = self.reader.pos;
            let token = self.reader.token(self.depth_left, self.max_depth)?;
            if self.frame.keys != NO_MAP && self.frame.left % 2 == 0 && !matches!(token, Token::End) {
                self.keys.push(start);
            }
            match token {
                Token::Str(bytes) => {
                    str_from(bytes, start)?;
                    self.count()?;
                }
                Token::Null
                | Token::Bool(_)
                | Token::Pos(_)
                | Token::Neg(_)
                | Token::Big(_)
                | Token::Float(_)
                | Token::Bytes(_) => self.count()?,
                Token::List(n) => self.open(n as u64, NO_MAP)?,
                Token::Map(n) => {
                    // The bytes of the keys are there; the keys of maps in it take the same room.
                    self.keys.reserve(n);
                    self.open(2 * n as u64, self.keys.len())?;
                }
                Token::ListOpen => self.open(OPEN_LIST, NO_MAP)?,
                Token::MapOpen => self.open(OPEN_MAP_KEY, self.keys.len())?,
                Token::Some | Token::Ext(_) => self.open(1, NO_MAP)?,
                Token::End if matches!(self.frame.left, OPEN_LIST | OPEN_MAP_KEY) => self.close()?,
                Token::End => return Err(bad_tag(tag::END, start)),
                Token::ListColumns => self.open_columns(start, false)?,
                Token::MapColumns => self.open_columns(start, true)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn open(&mut self, left: u64, keys: usize) -> Result<()> {
        self.outer.push(core::mem::replace(&mut self.frame, Frame { left, keys }));
        self.depth_left -= 1;
        self.least_left = self.least_left.min(self.depth_left);
        if left > 0 { Ok(()) } else { self.close() }
    }

    /// What is open has nothing more.
    #[inline]
    fn close(&mut self) -> Result<()> {
        self.leave()?;
        self.count()
    }

    fn leave(&mut self) -> Result<()> {
        let first = self.frame.keys;
        if first != NO_MAP {
            if let Some(twice) = self.keys.find_duplicate(self.reader.data, first) {
                return Err(keys::duplicate(twice));
            }
            self.keys.truncate(first);
        }
        if let Some(outer) = self.outer.pop() {
            self.frame = outer;
            self.depth_left += 1;
        }
        Ok(())
    }

    /// A value has ended, and with it all that it was the last of.
    #[inline(always)]
    fn count(&mut self) -> Result<()> {
        match self.frame.left {
            left @ 2..IN_COLUMN => {
                self.frame.left = left - 1;
                Ok(())
            }
            _ => self.count_last(),
        }
    }

    #[inline(never)]
    fn count_last(&mut self) -> Result<()> {
        loop {
            self.frame.left = match self.frame.left {
                OPEN_LIST => OPEN_LIST,
                OPEN_MAP_KEY => OPEN_MAP_VALUE,
                OPEN_MAP_VALUE => OPEN_MAP_KEY,
                IN_COLUMN => {
                    let at = self.reader.pos;
                    let is_more =
                        self.columns.last_mut().is_some_and(|columns| columns.check.is_more_after(at));
                    if is_more || !self.go_on()? {
                        return Ok(());
                    }
                    // The list or map by columns has ended, too.
                    continue;
                }
                left => left - 1,
            };
            if self.frame.left > 0 || self.outer.is_empty() {
                return Ok(());
            }
            self.leave()?;
        }
    }

    #[cold]
    #[inline(never)]
    fn open_columns(&mut self, start: usize, map: bool) -> Result<()> {
        let (depth_left, keys) = (self.depth_left, self.keys.len());
        let check = columns::Check::begin(self.reader, start, map, depth_left - 1, self.max_depth)?;
        self.columns.push(Columns { check, depth_left, keys });
        self.outer.push(core::mem::replace(&mut self.frame, Frame { left: IN_COLUMN, keys: NO_MAP }));
        match self.go_on()? {
            true => self.count(),
            false => Ok(()),
        }
    }

    /// Goes on in the columns that were opened last, up to values that are to be checked; tells whether it is
    /// the end of them.
    fn go_on(&mut self) -> Result<bool> {
        let Some(columns) = self.columns.last_mut() else { return Ok(false) };
        if let Some(Values { reader, depth_left }) = columns.check.values()? {
            (self.reader, self.depth_left) = (reader, depth_left);
            return Ok(false);
        }
        if let (Some(columns), Some(outer)) = (self.columns.pop(), self.outer.pop()) {
            let (reader, least_left) = columns.check.end();
            (self.reader, self.depth_left, self.frame) = (reader, columns.depth_left, outer);
            self.least_left = self.least_left.min(least_left);
        }
        Ok(true)
    }

    /// A fault in a plain column is noted, for there may be one that comes before it in a later column; any
    /// other ends the walk.
    #[cold]
    fn note(&mut self, mut fault: Error) -> Result<()> {
        while let Some(columns) = self.columns.last_mut() {
            while self.frame.left != IN_COLUMN {
                let Some(outer) = self.outer.pop() else { return Err(fault) };
                self.frame = outer;
            }
            self.keys.truncate(columns.keys);
            match columns.check.fault(fault).map(|()| self.go_on()) {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(next)) => fault = next,
                Err(same) => {
                    fault = same;
                    if let (Some(columns), Some(outer)) = (self.columns.pop(), self.outer.pop()) {
                        (self.depth_left, self.frame) = (columns.depth_left, outer);
                    }
                }
            }
        }
        Err(fault)
    }
}

/// Checks that `bytes` are one valid document: well-formed, every string UTF-8, no key twice in a
/// map, nothing after the value (ERR-4).
///
/// ```
/// assert!(wbin::check(&[0x82, 0x01, 0x41, b'a']).is_ok());
/// assert_eq!(wbin::check(&[0x41, 0xFF]).unwrap_err().name(), "invalid-utf8");
/// ```
///
/// # Errors
///
/// The first fault, with its place; or that the value is nested deeper than 128 levels.
pub fn check(bytes: &[u8]) -> Result<()> {
    Config::new().check(bytes)
}

impl Config {
    /// [`check`](crate::check()) with these limits, and, if [strict](Config::strict), for the
    /// canonical form (CAN-1).
    ///
    /// # Errors
    ///
    /// The first fault, with its place; or that the value is nested deeper than the limit.
    pub fn check(&self, bytes: &[u8]) -> Result<()> {
        match self.is_strict() {
            true => crate::canonical::check_whole(bytes, self.get_max_depth()),
            false => valid(bytes, self.get_max_depth()).map(drop),
        }
    }
}
