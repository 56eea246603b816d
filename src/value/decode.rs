//! Decoding a value: one loop, a stack of open containers, and no recursion.

use super::{Ext, List, Map, Value, map};
use crate::canonical;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::keys::{self, Range};
use crate::num::Int;
use crate::plain::{Token, bad_tag, str_from};
use crate::read::Reader;
use crate::tag;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

/// Left of an open container: more than any count, since a count is at most the bytes that remain.
const OPEN: usize = usize::MAX;
/// Whatever of `OPEN` is left is above this.
const COUNTED_MAX: usize = usize::MAX / 2;

/// A container that is not complete yet.
enum Building<'a> {
    Root,
    List {
        items: Vec<Value<'a>>,
        left: usize,
    },
    Map {
        entries: Vec<(Value<'a>, Value<'a>)>,
        left: usize,
        /// The key that waits for its value.
        key: Option<Value<'a>>,
        /// Where its keys begin in the list of all keys.
        first_key: usize,
        /// Whether a key is a container, so that keys are compared as values.
        complex: bool,
    },
    Some,
    Ext(u64),
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

    /// Decodes the next value; `depth_left` levels are allowed of the `max_depth` in all.
    pub(crate) fn decode(reader: &mut Reader<'a>, depth_left: u32, max_depth: u32) -> Result<Value<'a>> {
        let mut stack: Vec<Building<'a>> = Vec::new();
        let mut all_keys: Vec<Range> = Vec::new();
        let mut current = Building::Root;
        // Memory is reserved for what counts claim, but for no more values in all than there are
        // bytes: every value has at least one.
        let mut budget = reader.remaining();
        let mut reserve = |n: usize| {
            let granted = n.min(budget);
            budget -= granted;
            granted
        };
        loop {
            let start = reader.pos;
            if let Building::Map { key: None, complex, .. } = &mut current {
                let tag = reader.peek()?;
                match tag {
                    tag::END => {}
                    tag::LIST_INLINE..=0x9F | tag::SOME | tag::EXT | tag::LIST.. => *complex = true,
                    _ => {}
                }
                all_keys.push((start, start));
            }
            let token = reader.token(depth_left - stack.len() as u32, max_depth)?;
            let mut value = match token {
                Token::Str(bytes) => Value::String(Cow::Borrowed(str_from(bytes, start)?)),
                Token::Pos(u) => Value::Int(Int::from_wire(false, u)),
                Token::Neg(u) => Value::Int(Int::from_wire(true, u)),
                Token::Float(f) => Value::Float(f),
                Token::Null => Value::Null,
                Token::Bool(on) => Value::Bool(on),
                Token::Big(int) => Value::Int(int),
                Token::Bytes(bytes) => Value::Bytes(Cow::Borrowed(bytes)),
                Token::List(0) => Value::List(List::new()),
                Token::Map(0) => Value::Map(Map::new()),
                container => {
                    let opened = match container {
                        Token::List(n) => Building::List { items: Vec::with_capacity(reserve(n)), left: n },
                        Token::ListOpen => Building::List { items: Vec::new(), left: OPEN },
                        Token::Map(n) => Building::Map {
                            entries: Vec::with_capacity(reserve(2 * n) / 2),
                            left: n,
                            key: None,
                            first_key: all_keys.len(),
                            complex: false,
                        },
                        Token::MapOpen => Building::Map {
                            entries: Vec::new(),
                            left: OPEN,
                            key: None,
                            first_key: all_keys.len(),
                            complex: false,
                        },
                        Token::Some => Building::Some,
                        Token::Ext(ext_type) => Building::Ext(ext_type),
                        _ => Building::Root, // the end tag
                    };
                    if let Building::Root = opened {
                        let ended = mem::replace(&mut current, stack.pop().unwrap_or(Building::Root));
                        end(ended, start, reader.data, &mut all_keys)?
                    } else {
                        stack.push(mem::replace(&mut current, opened));
                        continue;
                    }
                }
            };
            // Gives the value to the container it belongs to, which it may complete.
            loop {
                match &mut current {
                    Building::List { items, left } => {
                        items.push(value);
                        *left -= 1;
                        if *left > 0 {
                            break;
                        }
                        value = Value::List(List::from(mem::take(items)));
                    }
                    Building::Map { entries, left, key, first_key, complex } => {
                        let Some(key) = key.take() else {
                            if let Some(range) = all_keys.last_mut() {
                                range.1 = reader.pos;
                            }
                            *key = Some(value);
                            break;
                        };
                        entries.push((key, value));
                        *left -= 1;
                        if *left > 0 {
                            break;
                        }
                        let entries = mem::take(entries);
                        check_keys(&entries, *complex, reader.data, &all_keys[*first_key..])?;
                        all_keys.truncate(*first_key);
                        value = Value::Map(Map::trusted(entries));
                    }
                    Building::Some => {}
                    Building::Ext(ext_type) => {
                        value = Value::Ext(Box::new(Ext { ext_type: *ext_type, value }));
                    }
                    Building::Root => return Ok(value),
                }
                current = stack.pop().unwrap_or(Building::Root);
            }
        }
    }
}

/// Completes what an end tag closes.
#[cold]
fn end<'a>(ended: Building<'a>, start: usize, data: &[u8], all_keys: &mut Vec<Range>) -> Result<Value<'a>> {
    match ended {
        Building::List { items, left } if left > COUNTED_MAX => Ok(Value::List(List::from(items))),
        Building::Map { entries, left, key: None, first_key, complex } if left > COUNTED_MAX => {
            all_keys.pop(); // the end tag stood where a key could
            check_keys(&entries, complex, data, &all_keys[first_key..])?;
            all_keys.truncate(first_key);
            Ok(Value::Map(Map::trusted(entries)))
        }
        _ => Err(bad_tag(tag::END, start)),
    }
}

/// Refuses a map that has a key twice (MAP-5).
#[inline(always)]
fn check_keys(
    entries: &[(Value<'_>, Value<'_>)],
    complex: bool,
    data: &[u8],
    ranges: &[Range],
) -> Result<()> {
    // Keys that are containers are compared as the values they became: `some` is looked through.
    let twice = match complex {
        false => keys::find_duplicate(data, ranges),
        true => map::find_duplicate(entries),
    };
    match twice {
        Some(index) => Err(keys::duplicate(ranges[index].0)),
        None => Ok(()),
    }
}
