//! Decoding a value: one loop, a stack of open containers, and no recursion.

use super::columns::Assembly;
use super::{Ext, List, Map, Value, map};
use crate::canonical;
use crate::columns::Columns;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::keys::{self, Guess, Memory};
use crate::num::Int;
use crate::plain::{Token, bad_tag, str_from};
use crate::read::Reader;
use crate::skip::skip_value;
use crate::tag;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Left of an open container: more than any count, since a count is at most the bytes that remain.
const OPEN: usize = usize::MAX;
/// Whatever of `OPEN` is left is above this.
const COUNTED_MAX: usize = usize::MAX / 2;

/// A container that is not complete yet.
enum Building<'a> {
    List(Vec<Value<'a>>, usize),
    Map(BuildingMap<'a>),
    /// What has one value: an ext of a type, or a `some`.
    Ext(u64, Option<Value<'a>>),
    Some(Option<Value<'a>>),
    Columns(Box<Assembly<'a>>),
}

struct BuildingMap<'a> {
    entries: Vec<(Value<'a>, Value<'a>)>,
    left: usize,
    /// The key that waits for its value, if that is a container, or is one itself.
    key: Option<Value<'a>>,
    guess: Guess,
    /// Where its first key stands.
    start: usize,
}

impl<'a> Value<'a> {
    /// Decodes a document into a value that borrows its text and bytes.
    ///
    /// ```
    /// use wbin::{Value, wbin};
    /// assert_eq!(Value::from_slice(&[0x82, 0x01, 0x41, b'a']).unwrap(), wbin!([1, "a"]));
    /// ```
    ///
    /// # Errors
    ///
    /// If the bytes are not one valid document, or nested deeper than 128 levels (ERR-4, LIM-1).
    pub fn from_slice(bytes: &'a [u8]) -> Result<Value<'a>> {
        Value::from_slice_with(bytes, &Config::new())
    }

    /// Decodes a document with the limits and switches of a [`Config`].
    ///
    /// # Errors
    ///
    /// If the bytes are not one valid document, nested deeper than the limit, or (if the config is
    /// [strict](Config::strict)) not canonical.
    pub fn from_slice_with(bytes: &'a [u8], config: &Config) -> Result<Value<'a>> {
        if config.is_strict() {
            canonical::check_whole(bytes, config.get_max_depth())?;
        }
        let mut reader = Reader::new(bytes);
        reader.signature()?;
        let value = Value::decode(&mut reader, config.get_max_depth(), config.get_max_depth())?;
        match reader.remaining() {
            0 => Ok(value),
            _ => Err(Error::trailing(reader.pos)),
        }
    }

    /// Decodes a document that a reader holds, reading to its end (at most 1 GiB, LIM-4).
    ///
    /// ```
    /// let value = wbin::Value::from_reader(&[0x41, b'a'][..]).unwrap();
    /// assert_eq!(value, "a");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_slice`](Value::from_slice); if the reader fails, or holds more than the limit.
    #[cfg(feature = "std")]
    pub fn from_reader<R: std::io::Read>(reader: R) -> Result<Value<'static>> {
        let bytes = Config::new().read_to_end(reader)?;
        Ok(Value::from_slice(&bytes)?.into_owned())
    }

    /// Decodes the next value; `depth_left` levels are allowed of the `max_depth` in all.
    pub(crate) fn decode(reader: &mut Reader<'a>, depth_left: u32, max_depth: u32) -> Result<Value<'a>> {
        let start = reader.pos;
        let token = reader.token(depth_left, max_depth)?;
        match scalar(token, start) {
            Ok(value) => value,
            Err(token) => {
                let (memory, columns) = (Memory::default(), Columns::default());
                let mut decoding =
                    Decoding { budget: reader.remaining(), reader, memory, columns, max_depth };
                decoding.container(token, start, depth_left)
            }
        }
    }
}

/// The value of a token, or the token of a container that is not empty.
#[inline(always)]
fn scalar<'a>(token: Token<'a>, start: usize) -> core::result::Result<Result<Value<'a>>, Token<'a>> {
    Ok(Ok(match token {
        Token::Str(bytes) => match str_from(bytes, start) {
            Ok(text) => Value::String(Cow::Borrowed(text)),
            Err(error) => return Ok(Err(error)),
        },
        Token::Pos(u) => Value::Int(Int::from_wire(false, u)),
        Token::Neg(u) => Value::Int(Int::from_wire(true, u)),
        Token::Float(f) => Value::Float(f),
        Token::Null => Value::Null,
        Token::Bool(on) => Value::Bool(on),
        Token::Big(int) => Value::Int(int),
        Token::Bytes(bytes) => Value::Bytes(Cow::Borrowed(bytes)),
        Token::List(0) => Value::List(List::new()),
        Token::Map(0) => Value::Map(Map::new()),
        container => return Err(container),
    }))
}

/// What reading goes on with.
enum Step<'a> {
    /// The container is complete.
    Closes,
    /// Another container begins in it, with a token that stands at a place.
    Opens(Token<'a>, usize),
    /// Another container began in it, and in that one a third.
    Enters(Building<'a>, Token<'a>, usize),
}

/// What became of a container that was opened.
enum Opened<'a> {
    /// It has no other container in it, and is complete.
    Whole(Value<'a>),
    /// Another container begins in it.
    Part(Building<'a>, Token<'a>, usize),
}

struct Decoding<'r, 'a> {
    reader: &'r mut Reader<'a>,
    memory: Memory<'a>,
    columns: Columns<'a>,
    /// How many more values memory may be reserved for: counts may claim what they like, but a
    /// document has no more values than bytes.
    budget: usize,
    max_depth: u32,
}

impl<'a> Decoding<'_, 'a> {
    /// Reads a container and all that is in it; `depth_left` levels are allowed, with its own.
    fn container(&mut self, token: Token<'a>, start: usize, depth_left: u32) -> Result<Value<'a>> {
        // What is not complete yet, each with the levels that are allowed, with its own.
        let mut stack: Vec<(Building<'a>, u32)> = Vec::new();
        let mut left = depth_left;
        let mut opened = self.open(token, start, left)?;
        loop {
            opened = match opened {
                Opened::Part(outer, token, start) => {
                    let inner = outer.levels(left);
                    stack.push((outer, left));
                    left = inner;
                    self.open(token, start, left)?
                }
                Opened::Whole(value) => {
                    let Some((outer, own)) = stack.last_mut() else { return Ok(value) };
                    outer.add(value);
                    match outer.read::<true>(self, *own - 1)? {
                        Step::Enters(inner, token, start) => {
                            left = outer.levels(*own);
                            Opened::Part(inner, token, start)
                        }
                        Step::Opens(token, start) => {
                            left = outer.levels(*own);
                            self.open(token, start, left)?
                        }
                        Step::Closes => match stack.pop() {
                            Some((whole, _)) => Opened::Whole(whole.finish(self)?),
                            None => return Ok(Value::Null),
                        },
                    }
                }
            };
        }
    }

    /// Begins a container, and completes it if there is no other in it; `depth_left` levels are
    /// allowed, with its own.
    fn open(&mut self, token: Token<'a>, start: usize, depth_left: u32) -> Result<Opened<'a>> {
        let mut building = match token {
            Token::List(n) => Building::List(Vec::with_capacity(self.reserve(n)), n),
            Token::ListOpen => Building::List(Vec::new(), OPEN),
            Token::Map(n) => {
                let guess = self.memory.guess(self.reader, n);
                let entries = Vec::with_capacity(self.reserve(2 * n) / 2);
                BuildingMap::open(entries, n, guess, self.reader.pos)
            }
            Token::MapOpen => BuildingMap::open(Vec::new(), OPEN, Guess::NONE, self.reader.pos),
            Token::Some => Building::Some(None),
            Token::Ext(ext_type) => Building::Ext(ext_type, None),
            Token::ListColumns | Token::MapColumns => {
                let (columns, map) = (&mut self.columns, matches!(token, Token::MapColumns));
                let mut assembly =
                    Assembly::open(columns, self.reader, start, map, depth_left - 1, self.max_depth)?;
                assembly.go_on(columns, self.reader)?;
                Building::Columns(Box::new(assembly))
            }
            _ => return Err(bad_tag(tag::END, start)),
        };
        // Its head was read under the limit, so there is a level left.
        match building.read::<false>(self, depth_left - 1)? {
            Step::Opens(token, start) | Step::Enters(_, token, start) => {
                Ok(Opened::Part(building, token, start))
            }
            Step::Closes => building.finish(self).map(Opened::Whole),
        }
    }

    /// The next token, and where it stands.
    #[inline(always)]
    fn token(&mut self, depth_left: u32) -> Result<(Token<'a>, usize)> {
        let start = self.reader.pos;
        Ok((self.reader.token(depth_left, self.max_depth)?, start))
    }

    /// Goes on where a container begins in another: with its value, if it is read here and now, or with
    /// the step that has to be taken first.
    #[inline(always)]
    fn inner<const HERE: bool>(
        &mut self,
        token: Token<'a>,
        start: usize,
        depth_left: u32,
    ) -> Result<ControlFlow<Step<'a>, Value<'a>>> {
        if !HERE || matches!(token, Token::End) {
            return Ok(ControlFlow::Break(Step::Opens(token, start)));
        }
        Ok(match self.open(token, start, depth_left)? {
            Opened::Whole(value) => ControlFlow::Continue(value),
            Opened::Part(inner, token, start) => ControlFlow::Break(Step::Enters(inner, token, start)),
        })
    }

    fn reserve(&mut self, n: usize) -> usize {
        let granted = n.min(self.budget);
        self.budget -= granted;
        granted
    }
}

impl<'a> Building<'a> {
    /// Reads scalars, up to a container or the end; and, if `HERE`, also containers that hold no others.
    #[inline(always)]
    fn read<const HERE: bool>(
        &mut self,
        decoding: &mut Decoding<'_, 'a>,
        depth_left: u32,
    ) -> Result<Step<'a>> {
        match self {
            Building::List(items, left) => {
                while *left > 0 {
                    let (token, start) = decoding.token(depth_left)?;
                    match scalar(token, start) {
                        Ok(value) => items.push(value?),
                        Err(Token::End) if *left > COUNTED_MAX => return Ok(Step::Closes),
                        Err(container) => match decoding.inner::<HERE>(container, start, depth_left)? {
                            ControlFlow::Continue(value) => items.push(value),
                            ControlFlow::Break(step) => return Ok(step),
                        },
                    }
                    *left -= 1;
                }
                Ok(Step::Closes)
            }
            Building::Map(map) => map.read::<HERE>(decoding, depth_left),
            Building::Columns(assembly) => {
                while let Some(plain) = &mut assembly.plain {
                    while plain.left > 0 {
                        let (token, start) = decoding.token(plain.depth_left)?;
                        match scalar(token, start) {
                            Ok(value) => plain.values.push(value?),
                            Err(container) => return Ok(Step::Opens(container, start)),
                        }
                        plain.left -= 1;
                    }
                    assembly.go_on(&mut decoding.columns, decoding.reader)?;
                }
                Ok(Step::Closes)
            }
            Building::Ext(_, Some(_)) | Building::Some(Some(_)) => Ok(Step::Closes),
            Building::Ext(_, payload) | Building::Some(payload) => {
                let (token, start) = decoding.token(depth_left)?;
                match scalar(token, start) {
                    Ok(value) => *payload = Some(value?),
                    Err(container) => return Ok(Step::Opens(container, start)),
                }
                Ok(Step::Closes)
            }
        }
    }

    /// How many levels are allowed in it, if `own` are with its own.
    fn levels(&self, own: u32) -> u32 {
        match self {
            // The columns around a plain one count, too.
            Building::Columns(assembly) => assembly.plain.as_ref().map_or(own, |plain| plain.depth_left),
            _ => own - 1,
        }
    }

    /// Takes a container that was opened in this one.
    #[inline(always)]
    fn add(&mut self, value: Value<'a>) {
        match self {
            Building::List(items, left) => {
                items.push(value);
                *left -= 1;
            }
            Building::Map(map) => match map.key.take() {
                Some(key) => {
                    map.entries.push((key, value));
                    map.left -= 1;
                }
                None => map.key = Some(value),
            },
            Building::Ext(_, payload) | Building::Some(payload) => {
                *payload = Some(value);
            }
            Building::Columns(assembly) => {
                if let Some(plain) = &mut assembly.plain {
                    plain.values.push(value);
                    plain.left -= 1;
                }
            }
        }
    }

    #[inline(always)]
    fn finish(self, decoding: &mut Decoding<'_, 'a>) -> Result<Value<'a>> {
        Ok(match self {
            Building::List(items, _) => Value::List(List::from(items)),
            Building::Map(map) => Value::Map(map.finish(decoding)?),
            Building::Ext(ext_type, payload) => {
                Value::Ext(Box::new(Ext { ext_type, value: payload.unwrap_or_default() }))
            }
            Building::Some(payload) => payload.unwrap_or_default(),
            Building::Columns(assembly) => assembly.finish(&mut decoding.columns)?,
        })
    }
}

impl<'a> BuildingMap<'a> {
    fn open(entries: Vec<(Value<'a>, Value<'a>)>, left: usize, guess: Guess, start: usize) -> Building<'a> {
        Building::Map(BuildingMap { entries, left, key: None, guess, start })
    }

    #[inline(always)]
    fn read<const HERE: bool>(
        &mut self,
        decoding: &mut Decoding<'_, 'a>,
        depth_left: u32,
    ) -> Result<Step<'a>> {
        let mut waiting = self.key.take();
        while self.left > 0 {
            let key = match waiting.take() {
                Some(key) => key,
                None => match decoding.memory.next(&mut self.guess, decoding.reader) {
                    Some(text) => Value::String(Cow::Borrowed(text)),
                    None => {
                        let (token, start) = decoding.token(depth_left)?;
                        match scalar(token, start) {
                            Ok(key) => key?,
                            Err(Token::End) if self.left > COUNTED_MAX => return Ok(Step::Closes),
                            Err(container) => return Ok(Step::Opens(container, start)),
                        }
                    }
                },
            };
            let (token, start) = decoding.token(depth_left)?;
            let value = match scalar(token, start) {
                Ok(value) => value?,
                Err(container) => match decoding.inner::<HERE>(container, start, depth_left)? {
                    ControlFlow::Continue(value) => value,
                    ControlFlow::Break(step) => {
                        self.key = Some(key);
                        return Ok(step);
                    }
                },
            };
            self.entries.push((key, value));
            self.left -= 1;
        }
        Ok(Step::Closes)
    }

    /// The map, if no key occurs twice (MAP-5).
    #[inline(always)]
    fn finish(self, decoding: &mut Decoding<'_, 'a>) -> Result<Map<'a>> {
        if !self.guess.is_confirmed() && self.entries.len() > 1 {
            self.tell_apart(decoding.reader.data, &mut decoding.memory)?;
        }
        Ok(Map::trusted(self.entries))
    }

    #[inline(never)]
    fn tell_apart(&self, data: &'a [u8], memory: &mut Memory<'a>) -> Result<()> {
        let text = |key: &Value<'a>| match key {
            Value::String(Cow::Borrowed(text)) => Some(*text),
            _ => None,
        };
        let all_text = self.entries.iter().all(|(key, _)| text(key).is_some());
        let bytes = |index: usize| text(&self.entries[index].0).unwrap_or_default().as_bytes();
        let twice = match all_text {
            true => keys::find_duplicate_bytes(self.entries.len(), bytes),
            false => map::find_duplicate(&self.entries),
        };
        if let Some(index) = twice {
            return Err(keys::duplicate(self.offset_of_key(data, index)));
        }
        if all_text {
            memory.keep(self.guess, |index| text(&self.entries[index].0));
        }
        Ok(())
    }

    /// Where a key stands, found by passing over all that is before it.
    #[cold]
    fn offset_of_key(&self, data: &[u8], index: usize) -> usize {
        let mut reader = Reader { data, pos: self.start };
        for _ in 0..2 * index {
            // It was read before, so it is well-formed and nested as deep as is allowed.
            if skip_value(&mut reader, u32::MAX, u32::MAX).is_err() {
                break;
            }
        }
        reader.pos
    }
}
