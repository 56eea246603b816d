//! The pull decoder: one value or part of a value at a time, without serde.

use crate::canonical;
use crate::check;
use crate::columns::{Columns, Element, Mark, Part, Parts, Run};
use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::num::Int;
use crate::plain::{Token, bad_tag, str_from};
use crate::raw::RawValue;
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag::{self, Class};
use crate::value::Value;
use crate::write::Output;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// What comes next in a [`Decoder`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// An int.
    Int,
    /// A float.
    Float,
    /// A string.
    String,
    /// Bytes.
    Bytes,
    /// A list.
    List,
    /// A map.
    Map,
    /// An extension.
    Ext,
    /// A `some`: a value follows.
    Some,
    /// The list, map, ext or `some` that was entered has nothing more.
    End,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Bool => "a bool",
            Kind::Int => "an int",
            Kind::Float => "a float",
            Kind::String => "a string",
            Kind::Bytes => "bytes",
            Kind::List => "a list",
            Kind::Map => "a map",
            Kind::Ext => "an ext",
            Kind::Some => "some",
            Kind::End => "the end",
        })
    }
}

/// One step through a document: a scalar whole, a container's head, or its end.
///
/// Every `List`, `Map`, `Ext` and `Some` is followed by what it holds and then by an `End`.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event<'de> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An int.
    Int(Int),
    /// A float.
    Float(f64),
    /// A string.
    String(&'de str),
    /// Bytes.
    Bytes(&'de [u8]),
    /// A list, and how many items it announces (`None` if it is open).
    List(Option<usize>),
    /// A map, and how many entries it announces (`None` if it is open).
    Map(Option<usize>),
    /// An extension's type.
    Ext(u64),
    /// A `some`.
    Some,
    /// The end of the innermost of what was opened.
    End,
}

/// Whether the `some` wrappers of a document tell something apart: where a chain of them ends in null
/// (VAL-9). A chain is looked at once, however long it is.
#[derive(Default)]
pub(crate) struct SomeChain {
    /// The chain that was looked at last: from its first payload to what it ends in.
    start: usize,
    end: usize,
    counts: bool,
}

impl SomeChain {
    /// Whether a `some` whose payload begins at `payload` counts.
    pub(crate) fn counts(&mut self, document: &[u8], payload: usize) -> bool {
        // In columns a later value may stand further to the front.
        if payload > self.end || payload < self.start {
            self.start = payload;
            let rest = document.get(payload..).unwrap_or_default();
            let length = rest.iter().take_while(|byte| **byte == tag::SOME).count();
            self.end = payload + length;
            self.counts = rest.get(length) == Some(&tag::NULL);
        }
        self.counts
    }
}

/// How much of an opened container is still to come, in values.
#[derive(Clone, Copy, Debug)]
enum Left {
    Counted(usize),
    OpenList,
    OpenMapKey,
    OpenMapValue,
    /// What is left stands in columns: see the last of the column frames.
    InColumns,
}

/// A container that stands in columns, or is a list or map by columns itself.
#[derive(Clone, Debug)]
struct ColumnFrame<'de> {
    /// What is still to come of it.
    parts: Parts,
    /// For a list or map by columns itself: the columns that were there before, and what follows it.
    root: Option<(Mark, Reader<'de>)>,
    /// The element of a plain column that was read last: it ends where the reader is.
    plain: Option<(u32, usize)>,
}

/// Reads a document by asking for what the caller expects.
///
/// Methods are named by what stands on the wire. What is opened with [`list`](Decoder::list),
/// [`map`](Decoder::map), [`ext`](Decoder::ext) or [`some`](Decoder::some) is closed with
/// [`end`](Decoder::end); [`more`](Decoder::more) tells whether something is left before that.
/// After an error the decoder still stands before the value it is about.
///
/// Values are checked as they are read. Keys that occur twice are found only by
/// [`value`](Decoder::value), [`raw`](Decoder::raw) and [`check`](crate::check()).
///
/// ```
/// # fn main() -> wbin::Result<()> {
/// use wbin::{Decoder, Encoder};
/// let mut encoder = Encoder::new();
/// encoder.map(2)?.str("id")?.int(7)?.str("tags")?.list(2)?.str("a")?.str("b")?.end()?.end()?;
/// let bytes = encoder.finish()?;
///
/// let mut decoder = Decoder::new(&bytes);
/// let mut id = 0;
/// let mut tags = Vec::new();
/// decoder.map()?;
/// while decoder.more()? {
///     match decoder.str()? {
///         "id" => id = decoder.i64()?,
///         "tags" => {
///             decoder.list()?;
///             while decoder.more()? {
///                 tags.push(decoder.str()?);
///             }
///             decoder.end()?;
///         }
///         _ => decoder.skip()?,
///     }
/// }
/// decoder.end()?;
/// decoder.finish()?;
/// assert_eq!((id, tags), (7, vec!["a", "b"]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Decoder<'de> {
    /// Inside a plain column its input ends where the column does.
    reader: Reader<'de>,
    /// The whole input.
    whole: &'de [u8],
    frames: Vec<Left>,
    columns: Columns<'de>,
    column_frames: Vec<ColumnFrame<'de>>,
    /// What belongs to the token that was read last, until it is taken or left: the container that it
    /// opens in columns, and the element of a plain column that it begins.
    opened: Option<ColumnFrame<'de>>,
    plain: Option<(u32, usize)>,
    /// How many levels may be opened, and the limit of which that is what is left.
    depth_left: u32,
    max_depth: u32,
}

impl<'de> Decoder<'de> {
    /// A decoder at the start of `bytes`, with the default limits. A signature is passed over.
    pub fn new(bytes: &'de [u8]) -> Decoder<'de> {
        Decoder::with_depth(bytes, Config::DEFAULT_MAX_DEPTH)
    }

    /// A decoder with the limits of a [`Config`].
    ///
    /// # Errors
    ///
    /// If the config is strict and the first value of `bytes` is not canonical (CAN-1).
    pub fn with_config(bytes: &'de [u8], config: &Config) -> Result<Decoder<'de>> {
        if config.is_strict() {
            canonical::check_first(bytes, config.get_max_depth())?;
        }
        Ok(Decoder::with_depth(bytes, config.get_max_depth()))
    }

    pub(crate) fn with_depth(bytes: &'de [u8], max_depth: u32) -> Decoder<'de> {
        let mut decoder = Decoder::resume(bytes, 0, max_depth, max_depth);
        // A bad one is found when the first value is read.
        let _ = decoder.reader.signature();
        decoder
    }

    /// A decoder in the middle of a document, before a value.
    pub(crate) fn resume(document: &'de [u8], at: usize, depth_left: u32, max_depth: u32) -> Decoder<'de> {
        let reader = Reader { data: document, pos: at };
        Decoder {
            reader,
            whole: document,
            frames: Vec::new(),
            columns: Columns::default(),
            column_frames: Vec::new(),
            opened: None,
            plain: None,
            depth_left,
            max_depth,
        }
    }

    /// A decoder before an element of a column, in columns that were opened before. One level of those that
    /// are open is that of the columns.
    pub(crate) fn in_columns(
        document: &'de [u8],
        columns: Columns<'de>,
        element: (u32, usize),
        max_depth: u32,
    ) -> Decoder<'de> {
        let (node, index) = element;
        let depth_left = columns.node(node).depth_left.saturating_add(1);
        let mut decoder = Decoder::resume(document, document.len(), depth_left, max_depth);
        decoder.columns = columns;
        decoder.frames.push(Left::InColumns);
        let parts = Parts::Elements(Run { node, from: index, to: index + 1 });
        decoder.column_frames.push(ColumnFrame { parts, root: None, plain: None });
        decoder
    }

    /// What is left of the container that was entered last, if that stands in columns; and how many columns
    /// there are.
    pub(crate) fn column_parts(&self) -> Option<(Parts, u32)> {
        let frame = self.column_frames.last().filter(|_| self.is_in_columns())?;
        Some((frame.parts, self.columns.len()))
    }

    /// The columns that are open.
    pub(crate) fn take_columns(&mut self) -> Columns<'de> {
        core::mem::take(&mut self.columns)
    }

    /// How much input there is, as far as what comes next is concerned.
    pub(crate) fn input(&self) -> &'de [u8] {
        self.reader.data
    }

    /// How many levels are allowed in what comes next.
    pub(crate) fn levels_left(&self) -> u32 {
        self.depth_left()
    }

    /// The offset in bytes of what comes next; inside of columns, that of its column (COL-39).
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut decoder = wbin::Decoder::new(&[0x42, b'h', b'i', 0x05]);
    /// decoder.str()?;
    /// assert_eq!(decoder.position(), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn position(&self) -> usize {
        match (self.frames.last(), self.column_frames.last()) {
            (Some(Left::InColumns), Some(frame)) => {
                frame.parts.position(&self.columns).unwrap_or(self.reader.pos)
            }
            _ => self.reader.pos,
        }
    }

    /// All the bytes.
    pub(crate) fn document(&self) -> &'de [u8] {
        self.whole
    }

    /// Whether what comes next stands in columns, where keys of one map are known to differ.
    pub(crate) fn is_in_columns(&self) -> bool {
        matches!(self.frames.last(), Some(Left::InColumns))
    }

    /// How many levels are open at this point.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    fn depth_left(&self) -> u32 {
        // The frames were opened under the same limit, so there are not more of them.
        self.depth_left - self.frames.len() as u32
    }

    /// Whether the current container has more, or, outside of any, whether input is left.
    ///
    /// # Errors
    ///
    /// If the input ends inside the container, or after a signature.
    pub fn more(&mut self) -> Result<bool> {
        self.reader.signature()?;
        match self.frames.last() {
            // A value has to follow a signature (SIG-4).
            None if self.reader.data == tag::SIGNATURE => Err(Error::truncated(tag::SIGNATURE.len())),
            None => Ok(self.reader.remaining() > 0),
            Some(Left::Counted(left)) => Ok(*left > 0),
            Some(Left::OpenMapValue) => Ok(true),
            Some(Left::InColumns) => self.part().map(|part| part.is_some()),
            Some(Left::OpenList | Left::OpenMapKey) => Ok(self.reader.peek()? != tag::END),
        }
    }

    /// What comes next in columns. If a plain value was read before that, it ended where the reader is.
    fn part(&mut self) -> Result<Option<Part<'de>>> {
        let Some(frame) = self.column_frames.last_mut() else { return Ok(None) };
        if let Some((node, index)) = frame.plain.take() {
            self.columns.passed(node, index, self.reader.pos)?;
        }
        Ok(frame.parts.peek(&mut self.columns))
    }

    /// What comes next in columns, as if its head stood in the plain layer.
    fn column_token(&mut self) -> Result<Token<'de>> {
        let (node, index) = match self.part()? {
            Some(Part::Element(node, index)) => (node, index),
            Some(Part::Key(text)) => return Ok(Token::Str(text.as_bytes())),
            None => return Ok(Token::End),
        };
        let element = self.columns.element(node, index)?;
        let token = match element {
            Element::Null => Token::Null,
            Element::Bool(on) => Token::Bool(on),
            Element::Unsigned(u) => Token::Pos(u),
            Element::Signed(n) if n < 0 => Token::Neg(!n as u64),
            Element::Signed(n) => Token::Pos(n as u64),
            Element::Float(f) => Token::Float(f),
            Element::String(text) => Token::Str(text.as_bytes()),
            Element::Bytes(bytes) => Token::Bytes(bytes),
            Element::Plain { node, index, at, end } => {
                self.reader = Reader { data: self.whole.get(..end).unwrap_or_default(), pos: at };
                self.plain = Some((node, index));
                return self.plain_token();
            }
            Element::List(_) | Element::Tuple { .. } => Token::List(element.count(&mut self.columns)),
            Element::Map { .. } | Element::Row { .. } => Token::Map(element.count(&mut self.columns)),
            Element::Ext { ext_type, .. } => Token::Ext(ext_type),
        };
        if let Some(parts) = element.parts(&mut self.columns) {
            self.opened = Some(ColumnFrame { parts, root: None, plain: None });
        }
        Ok(token)
    }

    /// What comes next, without reading it.
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut decoder = wbin::Decoder::new(&[0x80]);
    /// assert_eq!(decoder.kind()?, wbin::Kind::List);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the input ends, or no value begins with the tag that comes next (TAG-2).
    pub fn kind(&mut self) -> Result<Kind> {
        if !self.more()? && !self.frames.is_empty() {
            return Ok(Kind::End);
        }
        if self.is_in_columns() {
            let before = self.reader;
            let token = self.column_token();
            self.leave_token(before);
            return token.map(kind_of);
        }
        let tag = self.reader.peek()?;
        Ok(match Class::of(tag) {
            Class::IntInlinePos
            | Class::IntInlineNeg
            | Class::IntPos
            | Class::IntNeg
            | Class::IntPos16
            | Class::IntNeg16 => Kind::Int,
            Class::StrInline | Class::Str => Kind::String,
            Class::ListInline | Class::List | Class::ListOpen | Class::ListColumns => Kind::List,
            Class::MapInline | Class::Map | Class::MapOpen | Class::MapColumns => Kind::Map,
            Class::Decimal | Class::Float32 | Class::Float64 => Kind::Float,
            Class::Null => Kind::Null,
            Class::False | Class::True => Kind::Bool,
            Class::Some => Kind::Some,
            Class::Ext => Kind::Ext,
            Class::Bytes => Kind::Bytes,
            Class::End | Class::Reserved | Class::Signature => {
                return Err(bad_tag(tag, self.reader.pos));
            }
        })
    }

    /// Reads a head, if the current container has one more value. It is to be [taken](Decoder::count) or
    /// [left](Decoder::leave_token).
    fn token(&mut self) -> Result<Token<'de>> {
        if !self.more()? && !self.frames.is_empty() {
            let message = "nothing is left in this list or map";
            return Err(Error::new(Code::InvalidLength, self.reader.pos, message));
        }
        match self.is_in_columns() {
            true => self.column_token(),
            false => self.plain_token(),
        }
    }

    /// Reads a head from the reader. Lists and maps by columns are opened, as if they were others.
    fn plain_token(&mut self) -> Result<Token<'de>> {
        let start = self.reader.pos;
        let token = self.reader.token(self.depth_left(), self.max_depth)?;
        let map = match token {
            Token::End => return Err(bad_tag(tag::END, start)),
            Token::ListColumns => false,
            Token::MapColumns => true,
            _ => return Ok(token),
        };
        let mark = self.columns.mark();
        let depth_left = self.depth_left() - 1;
        let run = self.columns.open(&mut self.reader, start, map, depth_left, self.max_depth)?;
        let parts = match map {
            true => Parts::Entries { keys: run, values: self.columns.values_of(run), value_due: false },
            false => Parts::Elements(run),
        };
        self.opened = Some(ColumnFrame { parts, root: Some((mark, self.reader)), plain: None });
        Ok(if map { Token::Map(run.to) } else { Token::List(run.to) })
    }

    /// Where the token that was read begins: where the decoder was, unless it is a value in a plain column,
    /// which may stand in another one (COL-39).
    fn start_of_token(&self, position: usize) -> usize {
        self.plain.map_or(position, |(node, index)| self.columns.position(node, index))
    }

    /// Takes the token that was read: the next one is what follows it.
    fn count(&mut self) {
        let plain = self.plain.take();
        if let Some(frame) = self.frames.last_mut() {
            *frame = match *frame {
                Left::Counted(left) => Left::Counted(left.saturating_sub(1)),
                Left::OpenList => Left::OpenList,
                Left::OpenMapKey => Left::OpenMapValue,
                Left::OpenMapValue => Left::OpenMapKey,
                Left::InColumns => {
                    if let Some(frame) = self.column_frames.last_mut() {
                        frame.parts.advance(&mut self.columns);
                        frame.plain = plain;
                    }
                    Left::InColumns
                }
            };
        }
    }

    /// Leaves the token that was read: it comes next again.
    fn leave_token(&mut self, before: Reader<'de>) {
        self.reader = before;
        self.plain = None;
        if let Some(ColumnFrame { root: Some((mark, _)), .. }) = self.opened.take() {
            self.columns.close(mark);
        }
    }

    /// Enters the container of the token that was taken.
    fn enter(&mut self, left: Left) {
        match self.opened.take() {
            Some(frame) => {
                self.column_frames.push(frame);
                self.frames.push(Left::InColumns);
            }
            None => self.frames.push(left),
        }
    }

    /// Reads one value of the kind that `pick` accepts, or stays before it.
    fn expect<T>(
        &mut self,
        expected: &'static str,
        pick: impl FnOnce(Token<'de>, usize) -> Result<Option<T>>,
    ) -> Result<T> {
        self.reader.signature()?;
        let before = self.reader;
        let start = self.position();
        let token = self.token();
        let start = self.start_of_token(start);
        match token.and_then(|token| pick(token, start)) {
            Ok(Some(value)) => {
                self.count();
                Ok(value)
            }
            Err(error) => {
                self.leave_token(before);
                Err(error)
            }
            Ok(None) => {
                self.leave_token(before);
                let found = alloc::format!("{}", self.kind()?);
                let expected = String::from(expected);
                Err(Error::expected_found(Code::InvalidType, start, "invalid type", found, expected))
            }
        }
    }

    /// Reads null.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn null(&mut self) -> Result<()> {
        self.expect("null", |token, _| Ok(matches!(token, Token::Null).then_some(())))
    }

    /// Reads a boolean.
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn bool(&mut self) -> Result<bool> {
        self.expect("a bool", |token, _| match token {
            Token::Bool(on) => Ok(Some(on)),
            _ => Ok(None),
        })
    }

    /// Reads an int of any size (VAL-2).
    ///
    /// # Errors
    ///
    /// If something else comes next.
    pub fn int(&mut self) -> Result<Int> {
        self.expect("an int", |token, _| {
            Ok(match token {
                Token::Pos(u) => Some(Int::from_wire(false, u)),
                Token::Neg(u) => Some(Int::from_wire(true, u)),
                Token::Big(int) => Some(int),
                _ => None,
            })
        })
    }

    /// Reads an int of -2^63…2^63-1.
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// assert_eq!(wbin::Decoder::new(&[0xFF]).i64()?, -1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If something else comes next, or the int is out of that range.
    pub fn i64(&mut self) -> Result<i64> {
        self.expect("an int of 64 bits", |token, _| {
            Ok(match token {
                Token::Pos(u) => i64::try_from(u).ok(),
                Token::Neg(u) => i64::try_from(u).ok().map(|u| !u),
                Token::Big(int) => int.as_i64(),
                _ => None,
            })
        })
    }

    /// Reads an int of 0…2^64-1.
    ///
    /// # Errors
    ///
    /// If something else comes next, or the int is out of that range.
    pub fn u64(&mut self) -> Result<u64> {
        self.expect("an int of 0 to 2^64-1", |token, _| {
            Ok(match token {
                Token::Pos(u) => Some(u),
                Token::Big(int) => int.as_u64(),
                _ => None,
            })
        })
    }

    /// Reads a float (FLT-1).
    ///
    /// # Errors
    ///
    /// If something else comes next; an int is not a float.
    pub fn f64(&mut self) -> Result<f64> {
        self.expect("a float", |token, _| match token {
            Token::Float(f) => Ok(Some(f)),
            _ => Ok(None),
        })
    }

    /// Reads a string, borrowed from the input (STR-1).
    ///
    /// # Errors
    ///
    /// If something else comes next, or the string is not UTF-8.
    pub fn str(&mut self) -> Result<&'de str> {
        self.expect("a string", |token, start| match token {
            Token::Str(bytes) => str_from(bytes, start).map(Some),
            _ => Ok(None),
        })
    }

    /// Reads bytes, borrowed from the input (BYT-1).
    ///
    /// # Errors
    ///
    /// If something else comes next; a string is not bytes.
    pub fn bytes(&mut self) -> Result<&'de [u8]> {
        self.expect("bytes", |token, _| match token {
            Token::Bytes(bytes) => Ok(Some(bytes)),
            _ => Ok(None),
        })
    }

    /// Opens a list, and tells how many items it announces (`None` if it is open; LST-1, OPN-1).
    ///
    /// # Errors
    ///
    /// If something else comes next, or the list is nested too deep.
    pub fn list(&mut self) -> Result<Option<usize>> {
        let (announced, left) = self.expect("a list", |token, _| {
            Ok(match token {
                Token::List(n) => Some((Some(n), Left::Counted(n))),
                Token::ListOpen => Some((None, Left::OpenList)),
                _ => None,
            })
        })?;
        self.enter(left);
        Ok(announced)
    }

    /// Opens a map, and tells how many entries it announces (`None` if it is open; MAP-1, OPN-1).
    /// Its keys and values follow by turns.
    ///
    /// # Errors
    ///
    /// If something else comes next, or the map is nested too deep.
    pub fn map(&mut self) -> Result<Option<usize>> {
        let (announced, left) = self.expect("a map", |token, _| {
            Ok(match token {
                Token::Map(n) => Some((Some(n), Left::Counted(2 * n))),
                Token::MapOpen => Some((None, Left::OpenMapKey)),
                _ => None,
            })
        })?;
        self.enter(left);
        Ok(announced)
    }

    /// Opens an extension, and gives its type; its payload follows, then [`end`](Decoder::end)
    /// (EXT-1).
    ///
    /// # Errors
    ///
    /// If something else comes next, or the extension is nested too deep.
    pub fn ext(&mut self) -> Result<u64> {
        let ext_type = self.expect("an ext", |token, _| match token {
            Token::Ext(ext_type) => Ok(Some(ext_type)),
            _ => Ok(None),
        })?;
        self.enter(Left::Counted(1));
        Ok(ext_type)
    }

    /// Opens a `some`, if one comes next; its payload follows, then [`end`](Decoder::end) (SOM-1).
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut decoder = wbin::Decoder::new(&[0xBB, 0xB8]); // some(null)
    /// assert!(decoder.some()?);
    /// decoder.null()?;
    /// decoder.end()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the input is not well-formed here.
    pub fn some(&mut self) -> Result<bool> {
        if self.kind()? != Kind::Some {
            return Ok(false);
        }
        self.expect("some", |token, _| Ok(matches!(token, Token::Some).then_some(())))?;
        self.enter(Left::Counted(1));
        Ok(true)
    }

    /// Closes what was opened last.
    ///
    /// # Errors
    ///
    /// If it has more values, or nothing is open.
    pub fn end(&mut self) -> Result<()> {
        let at = self.reader.pos;
        if self.more()? && !self.frames.is_empty() {
            return Err(Error::new(Code::InvalidLength, at, "values are left in this list or map"));
        }
        match self.frames.pop() {
            None => Err(Error::new(Code::InvalidLength, at, "no list or map is open")),
            Some(Left::Counted(_)) => Ok(()),
            Some(Left::InColumns) => {
                if let Some(ColumnFrame { root: Some((mark, after)), .. }) = self.column_frames.pop() {
                    self.columns.close(mark);
                    self.reader = after;
                }
                Ok(())
            }
            Some(_) => {
                self.reader.pos += 1;
                Ok(())
            }
        }
    }

    /// Passes over the next value, checking no more than that it is well-formed (ERR-4).
    ///
    /// # Errors
    ///
    /// If no well-formed value comes next.
    pub fn skip(&mut self) -> Result<()> {
        if !self.more()? && !self.frames.is_empty() {
            return self.token().map(drop);
        }
        if self.is_in_columns() {
            // What is not looked at is passed over by those that look for what follows it.
            self.count();
            return Ok(());
        }
        let (start, depth_left) = (self.reader.pos, self.depth_left());
        match skip_value(&mut self.reader, depth_left, self.max_depth) {
            Ok(()) => {
                self.count();
                Ok(())
            }
            Err(error) => {
                self.reader.pos = start;
                Err(error)
            }
        }
    }

    /// Reads the next value whole, unread but checked, borrowed from the input; or, if it stands in
    /// columns, written in the plain layer.
    ///
    /// # Errors
    ///
    /// If no valid value comes next.
    pub fn raw(&mut self) -> Result<RawValue<'de>> {
        self.reader.signature()?;
        if !self.more()? && !self.frames.is_empty() {
            self.token()?;
        }
        if !self.is_in_columns() {
            let (start, mut reader) = (self.reader.pos, self.reader);
            let depth = check::next(&mut reader, self.depth_left(), self.max_depth)?;
            self.reader = reader;
            self.count();
            return Ok(RawValue::trusted(&reader.data[start..reader.pos], depth));
        }
        let mut out = Output::new();
        match self.part()? {
            None => {}
            Some(Part::Key(text)) => out.str(text),
            Some(Part::Element(node, index)) => self.columns.write(node, index, &mut out)?,
        }
        // What is wrong in a plain column stood at another place.
        let written = &mut Reader::new(out.as_bytes());
        let checked = check::next(written, self.depth_left(), self.max_depth);
        let depth = checked.map_err(|error| error.moved_to(self.position()))?;
        self.count();
        Ok(RawValue::trusted_vec(out.into_vec(), depth))
    }

    /// Reads the next value whole.
    ///
    /// # Errors
    ///
    /// If no valid value comes next.
    pub fn value(&mut self) -> Result<Value<'de>> {
        if !self.more()? && !self.frames.is_empty() {
            self.token()?;
        }
        if self.is_in_columns() {
            return Ok(self.raw()?.to_value()?.into_owned());
        }
        let (start, depth_left) = (self.reader.pos, self.depth_left());
        match Value::decode(&mut self.reader, depth_left, self.max_depth) {
            Ok(value) => {
                self.count();
                Ok(value)
            }
            Err(error) => {
                self.reader.pos = start;
                Err(error)
            }
        }
    }

    /// The next event, or `None` where the input ends between two values.
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// use wbin::{Decoder, Event};
    /// let mut decoder = Decoder::new(&[0x81, 0xBA]);
    /// assert_eq!(decoder.event()?, Some(Event::List(Some(1))));
    /// assert_eq!(decoder.event()?, Some(Event::Bool(true)));
    /// assert_eq!(decoder.event()?, Some(Event::End));
    /// assert_eq!(decoder.event()?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the input is not well-formed here, or holds a string that is not UTF-8.
    pub fn event(&mut self) -> Result<Option<Event<'de>>> {
        if !self.more()? {
            if self.frames.is_empty() {
                return match self.reader.pos {
                    // Nothing at all is no document.
                    0 => Err(Error::truncated(0)),
                    _ => Ok(None),
                };
            }
            self.end()?;
            return Ok(Some(Event::End));
        }
        let (before, start) = (self.reader, self.position());
        let event = self.event_at(start);
        if event.is_err() {
            self.leave_token(before);
        }
        event.map(Some)
    }

    fn event_at(&mut self, start: usize) -> Result<Event<'de>> {
        let token = self.token()?;
        let start = self.start_of_token(start);
        let (event, opened) = match token {
            Token::Null => (Event::Null, None),
            Token::Bool(on) => (Event::Bool(on), None),
            Token::Pos(u) => (Event::Int(Int::from_wire(false, u)), None),
            Token::Neg(u) => (Event::Int(Int::from_wire(true, u)), None),
            Token::Big(int) => (Event::Int(int), None),
            Token::Float(f) => (Event::Float(f), None),
            Token::Str(bytes) => (Event::String(str_from(bytes, start)?), None),
            Token::Bytes(bytes) => (Event::Bytes(bytes), None),
            Token::List(n) => (Event::List(Some(n)), Some(Left::Counted(n))),
            Token::Map(n) => (Event::Map(Some(n)), Some(Left::Counted(2 * n))),
            Token::ListOpen => (Event::List(None), Some(Left::OpenList)),
            Token::MapOpen => (Event::Map(None), Some(Left::OpenMapKey)),
            Token::Ext(ext_type) => (Event::Ext(ext_type), Some(Left::Counted(1))),
            Token::Some => (Event::Some, Some(Left::Counted(1))),
            Token::End | Token::ListColumns | Token::MapColumns => return Err(bad_tag(tag::END, start)),
        };
        self.count();
        if let Some(left) = opened {
            self.enter(left);
        }
        Ok(event)
    }

    /// Checks that the input ends here.
    ///
    /// # Errors
    ///
    /// If a list or map is open, or bytes are left.
    pub fn finish(&self) -> Result<()> {
        let at = self.reader.pos;
        if !self.frames.is_empty() {
            return Err(Error::new(Code::InvalidLength, at, "a list or map is still open"));
        }
        if self.reader.remaining() > 0 {
            return Err(Error::trailing(at));
        }
        Ok(())
    }
}

fn kind_of(token: Token<'_>) -> Kind {
    match token {
        Token::Null => Kind::Null,
        Token::Bool(_) => Kind::Bool,
        Token::Pos(_) | Token::Neg(_) | Token::Big(_) => Kind::Int,
        Token::Float(_) => Kind::Float,
        Token::Str(_) => Kind::String,
        Token::Bytes(_) => Kind::Bytes,
        Token::List(_) | Token::ListOpen | Token::ListColumns => Kind::List,
        Token::Map(_) | Token::MapOpen | Token::MapColumns => Kind::Map,
        Token::Ext(_) => Kind::Ext,
        Token::Some => Kind::Some,
        Token::End => Kind::End,
    }
}
