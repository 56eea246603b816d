//! Where the values come from that are rewritten: a decoder, or what an encoder wrote.

use crate::decode::{Decoder, Event};
use crate::error::Result;
use crate::plain::Token;
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use alloc::vec::Vec;

/// The heads of a document, one after the other.
pub(super) trait Heads<'de> {
    /// The next head, and where it stands. Every list, map, `some` and ext ends with an end.
    fn next(&mut self) -> Result<(usize, Token<'de>)>;

    fn document(&self) -> &'de [u8];

    /// Where what follows the last head stands.
    fn position(&self) -> usize;

    /// A decoder behind the head of an open list or map, which was read last, and stands at an offset.
    fn entered(&self, start: usize) -> Result<Decoder<'de>>;
}

/// Whether values and an end follow.
pub(super) fn opens(head: &Token<'_>) -> bool {
    matches!(
        head,
        Token::List(_) | Token::Map(_) | Token::ListOpen | Token::MapOpen | Token::Some | Token::Ext(_)
    )
}

impl<'de> Heads<'de> for Decoder<'de> {
    fn next(&mut self) -> Result<(usize, Token<'de>)> {
        loop {
            self.more()?; // passes over a signature
            let start = self.position();
            let Some(event) = self.event()? else { continue };
            let head = match event {
                Event::Null => Token::Null,
                Event::Bool(on) => Token::Bool(on),
                Event::Int(int) => Token::Big(int),
                Event::Float(f) => Token::Float(f),
                Event::String(text) => Token::Str(text.as_bytes()),
                Event::Bytes(bytes) => Token::Bytes(bytes),
                Event::List(n) => n.map_or(Token::ListOpen, Token::List),
                Event::Map(n) => n.map_or(Token::MapOpen, Token::Map),
                Event::Ext(ext_type) => Token::Ext(ext_type),
                Event::Some => Token::Some,
                Event::End => Token::End,
            };
            return Ok((start, head));
        }
    }

    fn document(&self) -> &'de [u8] {
        self.document()
    }

    fn position(&self) -> usize {
        self.position()
    }

    fn entered(&self, _: usize) -> Result<Decoder<'de>> {
        Ok(self.clone())
    }
}

/// Values that an encoder wrote, or checked: they are valid, and read faster than by a decoder, which does not know that.
pub(super) struct Written<'de> {
    reader: Reader<'de>,
    /// How many values are left of each container that was entered.
    left: Vec<usize>,
    /// The decoder of the list or map by columns that the reader has passed over.
    columns: Option<Decoder<'de>>,
    max_depth: u32,
}

/// What is left of an open list or map.
const OPEN: usize = usize::MAX;

impl<'de> Written<'de> {
    pub(super) fn new(bytes: &'de [u8], max_depth: u32) -> Written<'de> {
        Written { reader: Reader::new(bytes), left: Vec::new(), columns: None, max_depth }
    }

    /// Whether a value follows.
    pub(super) fn more(&self) -> bool {
        self.reader.remaining() > 0
    }

    /// How many levels are allowed in `levels` of them.
    fn depth_left(&self, levels: usize) -> u32 {
        self.max_depth.saturating_sub(u32::try_from(levels).unwrap_or(u32::MAX))
    }

    /// The next head of the columns that were entered.
    #[cold]
    fn next_of_columns(&mut self, decoder: Decoder<'de>) -> Result<(usize, Token<'de>)> {
        let decoder = self.columns.insert(decoder);
        let head = Heads::next(decoder)?;
        if decoder.depth() == 0 {
            self.columns = None;
        }
        Ok(head)
    }
}

impl<'de> Heads<'de> for Written<'de> {
    #[inline]
    fn next(&mut self) -> Result<(usize, Token<'de>)> {
        if let Some(decoder) = self.columns.take() {
            return self.next_of_columns(decoder);
        }
        let start = self.reader.pos;
        match self.left.last_mut() {
            Some(0) => {
                self.left.pop();
                return Ok((start, Token::End));
            }
            Some(&mut OPEN) if self.reader.peek()? == tag::END => {
                self.reader.pos += 1;
                self.left.pop();
                return Ok((start, Token::End));
            }
            Some(&mut OPEN) | None => {}
            Some(left) => *left -= 1,
        }
        let depth_left = self.depth_left(self.left.len());
        let head = self.reader.token(depth_left, self.max_depth)?;
        match head {
            Token::List(n) => self.left.push(n),
            Token::Map(n) => self.left.push(2 * n),
            Token::Some | Token::Ext(_) => self.left.push(1),
            Token::ListOpen | Token::MapOpen => self.left.push(OPEN),
            Token::ListColumns | Token::MapColumns => {
                self.reader.pos = start;
                skip_value(&mut self.reader, depth_left, self.max_depth)?;
                let document = self.reader.data;
                return self.next_of_columns(Decoder::resume(document, start, depth_left, self.max_depth));
            }
            _ => {}
        }
        Ok((start, head))
    }

    fn document(&self) -> &'de [u8] {
        self.reader.data
    }

    fn position(&self) -> usize {
        self.columns.as_ref().map_or(self.reader.pos, Decoder::position)
    }

    fn entered(&self, start: usize) -> Result<Decoder<'de>> {
        if let Some(columns) = &self.columns {
            return Ok(columns.clone());
        }
        let depth_left = self.depth_left(self.left.len() - 1);
        let mut decoder = Decoder::resume(self.reader.data, start, depth_left, self.max_depth);
        decoder.event()?;
        Ok(decoder)
    }
}
