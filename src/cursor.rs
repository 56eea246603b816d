//! Walking to a part of a document without decoding the rest.

use crate::columns::{Columns, Element, Part, Parts};
use crate::config::Config;
use crate::decode::{Decoder, Kind};
use crate::error::{Error, Result};
use crate::num::Int;
use crate::raw::RawValue;
use crate::value::Value;
use crate::value::{pointer_index, pointer_steps};
use alloc::sync::Arc;
use core::mem;
use core::ops::DerefMut;

/// A place in a document: the first byte of a value.
///
/// Moving to a key or an index passes over what stands before it, which is checked for being
/// well-formed but not read. A `some` is looked through (SOM-4).
///
/// Where a list or map is stored by columns, these are opened once, and the cursors in it share what is
/// known of them.
///
/// ```
/// # fn main() -> wbin::Result<()> {
/// use wbin::{Cursor, wbin};
/// let bytes = wbin!({"users": [{"name": "a"}, {"name": "b", "age": 7}]}).to_vec()?;
/// let cursor = Cursor::new(&bytes);
/// let age = cursor.pointer("/users/1/age")?.unwrap();
/// assert_eq!(age.int()?, 7.into());
/// assert!(cursor.pointer("/users/2")?.is_none());
/// for user in cursor.get("users")?.unwrap().items()? {
///     assert!(user?.get("name")?.is_some());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    /// The input, up to where what this cursor is in ends.
    document: &'a [u8],
    /// Where the value begins, or its column.
    at: usize,
    place: Place<'a>,
    depth_left: u32,
    max_depth: u32,
}

/// Columns that several cursors point into.
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
struct Shared<'a>(Arc<std::sync::Mutex<Columns<'a>>>);

/// The same where there are no locks: it cannot be shared with other threads.
#[cfg(not(feature = "std"))]
#[derive(Clone, Debug)]
struct Shared<'a>(Arc<core::cell::RefCell<Columns<'a>>>);

impl<'a> Shared<'a> {
    #[cfg_attr(not(feature = "std"), allow(clippy::arc_with_non_send_sync))]
    fn new(columns: Columns<'a>) -> Shared<'a> {
        Shared(Arc::new(columns.into()))
    }

    #[cfg(feature = "std")]
    fn lock(&self) -> impl DerefMut<Target = Columns<'a>> {
        // Columns know no more than where looking into them ended, so they are right after a panic, too.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    #[cfg(not(feature = "std"))]
    fn lock(&self) -> impl DerefMut<Target = Columns<'a>> {
        self.0.borrow_mut()
    }
}

/// How a value is found.
#[derive(Clone, Debug)]
enum Place<'a> {
    /// Where the cursor says that it begins.
    Plain,
    /// Element `.2` of column `.1`.
    Column(Shared<'a>, u32, usize),
    /// A key of a table.
    Key(&'a str),
}

/// The parts of a container that was opened.
#[derive(Debug)]
// It is made for each step and not kept: a box would cost more than the bytes.
#[allow(clippy::large_enum_variant)]
enum Inside<'a> {
    Plain(Decoder<'a>),
    Columns(Shared<'a>, Parts),
}

impl<'a> Cursor<'a> {
    /// A cursor on the whole document, with the default limits. Nothing is checked yet.
    pub fn new(document: &'a [u8]) -> Cursor<'a> {
        Cursor::with_config(document, &Config::new())
    }

    /// A cursor with the depth limit of a [`Config`].
    pub fn with_config(document: &'a [u8], config: &Config) -> Cursor<'a> {
        let depth = config.get_max_depth();
        Cursor { document, at: 0, place: Place::Plain, depth_left: depth, max_depth: depth }
    }

    /// The offset of the value, in bytes from the start of the document; that of its column, if it stands
    /// in one.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Reads with a decoder that stands before the value.
    fn read<T>(&self, read: impl FnOnce(&mut Decoder<'a>) -> Result<T>) -> Result<T> {
        match &self.place {
            Place::Plain => {
                read(&mut Decoder::resume(self.document, self.at, self.depth_left, self.max_depth))
            }
            Place::Column(shared, node, index) => {
                let columns = mem::take(&mut *shared.lock());
                let mark = columns.mark();
                let mut decoder =
                    Decoder::in_columns(self.document, columns, (*node, *index), self.max_depth);
                let result = read(&mut decoder);
                let mut columns = decoder.take_columns();
                columns.close(mark);
                *shared.lock() = columns;
                result
            }
            Place::Key(text) => {
                // As the value that it would be on its own.
                let key = Columns::of_key(text);
                read(&mut Decoder::in_columns(self.document, key, (0, 0), self.max_depth))
            }
        }
    }

    /// The same with its `some`s opened.
    fn inside<T>(&self, read: impl FnOnce(&mut Decoder<'a>) -> Result<T>) -> Result<T> {
        self.read(|decoder| {
            while decoder.some()? {}
            read(decoder)
        })
    }

    /// Opens the list or map.
    fn open(&self, map: bool) -> Result<Inside<'a>> {
        let before = match &self.place {
            Place::Column(shared, ..) => shared.lock().len(),
            _ => 0,
        };
        // A decoder is copied only if it opened something.
        let (decoder, parts) = self.inside(|decoder| {
            match map {
                true => decoder.map()?,
                false => decoder.list()?,
            };
            Ok(match decoder.column_parts() {
                Some((parts, columns)) if columns == before => (None, Some(parts)),
                parts => (Some(decoder.clone()), parts.map(|(parts, _)| parts)),
            })
        })?;
        Ok(match (decoder, parts, &self.place) {
            (None, Some(parts), Place::Column(shared, ..)) => Inside::Columns(shared.clone(), parts),
            (Some(mut decoder), Some(parts), _) => {
                Inside::Columns(Shared::new(decoder.take_columns()), parts)
            }
            (Some(decoder), None, _) => Inside::Plain(decoder),
            (None, ..) => return Err(Error::truncated(self.at)),
        })
    }

    /// A cursor where a decoder stands that reads the plain layer.
    fn moved(&self, decoder: &Decoder<'a>) -> Cursor<'a> {
        Cursor {
            document: decoder.input(),
            at: decoder.position(),
            place: Place::Plain,
            depth_left: decoder.levels_left(),
            max_depth: self.max_depth,
        }
    }

    /// A cursor on a part of columns, which begins at `at` if that is known. What stands in a plain column needs
    /// the columns no more.
    fn at_part(
        &self,
        shared: &Shared<'a>,
        columns: &mut Columns<'a>,
        part: Part<'a>,
        at: Option<usize>,
    ) -> Result<Cursor<'a>> {
        let place = match part {
            Part::Key(text) => Place::Key(text),
            Part::Element(node, index) => match columns.element(node, index)? {
                Element::Plain { node, at, end, .. } => {
                    let document = columns.data().get(..end).unwrap_or_default();
                    let depth_left = columns.node(node).depth_left;
                    let max_depth = self.max_depth;
                    return Ok(Cursor { document, at, place: Place::Plain, depth_left, max_depth });
                }
                _ => Place::Column(shared.clone(), node, index),
            },
        };
        Ok(Cursor { at: at.unwrap_or(self.at), place, ..self.clone() })
    }

    /// What kind of value it is.
    ///
    /// # Errors
    ///
    /// If no value begins here.
    pub fn kind(&self) -> Result<Kind> {
        self.inside(|decoder| decoder.kind())
    }

    /// The value of a text key, if this is a map that has it.
    ///
    /// # Errors
    ///
    /// If this is not a map, or not well-formed up to the key.
    pub fn get(&self, key: &str) -> Result<Option<Cursor<'a>>> {
        let mut decoder = match self.open(true)? {
            Inside::Plain(decoder) => decoder,
            Inside::Columns(shared, parts) => return self.get_in_columns(&shared, parts, key),
        };
        while decoder.more()? {
            let mut wrapped = 0;
            while decoder.some()? {
                wrapped += 1;
            }
            let found = match decoder.kind()? {
                Kind::String => decoder.str()? == key,
                _ => {
                    decoder.skip()?;
                    false
                }
            };
            for _ in 0..wrapped {
                decoder.end()?;
            }
            if found {
                return Ok(Some(self.moved(&decoder)));
            }
            decoder.skip()?;
        }
        Ok(None)
    }

    fn get_in_columns(&self, shared: &Shared<'a>, mut parts: Parts, key: &str) -> Result<Option<Cursor<'a>>> {
        let mut columns = shared.lock();
        while let Some(part) = parts.next(&mut columns) {
            let found = match part {
                Part::Key(text) => text == key,
                Part::Element(node, index) => match columns.element(node, index)? {
                    Element::String(text) => text == key,
                    Element::Plain { .. } => {
                        // A string among keys of other kinds.
                        let own = self.at_part(shared, &mut columns, part, None)?;
                        own.kind()? == Kind::String && own.str()? == key
                    }
                    _ => false,
                },
            };
            let at = parts.column_start(&columns);
            match parts.next(&mut columns).filter(|_| found) {
                Some(value) => return self.at_part(shared, &mut columns, value, at).map(Some),
                None => continue,
            }
        }
        Ok(None)
    }

    /// An item, if this is a list that has so many.
    ///
    /// # Errors
    ///
    /// If this is not a list, or not well-formed up to the item.
    pub fn index(&self, index: usize) -> Result<Option<Cursor<'a>>> {
        match self.open(false)? {
            Inside::Plain(mut decoder) => {
                for _ in 0..index {
                    if !decoder.more()? {
                        return Ok(None);
                    }
                    decoder.skip()?;
                }
                Ok(decoder.more()?.then(|| self.moved(&decoder)))
            }
            Inside::Columns(shared, mut parts) => {
                let mut columns = shared.lock();
                parts.pass(index, &columns);
                let at = parts.column_start(&columns);
                let part = parts.next(&mut columns);
                part.map(|part| self.at_part(&shared, &mut columns, part, at)).transpose()
            }
        }
    }

    /// The value at a JSON pointer: see [`Value::pointer`].
    ///
    /// # Errors
    ///
    /// If the document is not well-formed up to that value.
    pub fn pointer(&self, pointer: &str) -> Result<Option<Cursor<'a>>> {
        let Some(steps) = pointer_steps(pointer) else {
            return Ok(None);
        };
        let mut cursor = self.clone();
        for step in steps {
            let next = match cursor.kind()? {
                Kind::Map => cursor.get(&step)?,
                Kind::List => match pointer_index(&step) {
                    Some(index) => cursor.index(index)?,
                    None => None,
                },
                _ => None,
            };
            match next {
                Some(found) => cursor = found,
                None => return Ok(None),
            }
        }
        Ok(Some(cursor))
    }

    /// The items of a list, one cursor each.
    ///
    /// # Errors
    ///
    /// If this is not a list.
    pub fn items(&self) -> Result<Items<'a>> {
        Ok(Items { parts: Walk { cursor: self.clone(), inside: self.open(false)?, failed: false } })
    }

    /// The entries of a map, two cursors each.
    ///
    /// # Errors
    ///
    /// If this is not a map.
    pub fn entries(&self) -> Result<Entries<'a>> {
        Ok(Entries { parts: Walk { cursor: self.clone(), inside: self.open(true)?, failed: false } })
    }

    /// The boolean.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn bool(&self) -> Result<bool> {
        self.inside(Decoder::bool)
    }

    /// The int.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn int(&self) -> Result<Int> {
        self.inside(Decoder::int)
    }

    /// The float.
    ///
    /// # Errors
    ///
    /// If it is none; an int is not a float.
    pub fn f64(&self) -> Result<f64> {
        self.inside(Decoder::f64)
    }

    /// The text, borrowed from the document.
    ///
    /// # Errors
    ///
    /// If it is no string, or not UTF-8.
    pub fn str(&self) -> Result<&'a str> {
        self.inside(Decoder::str)
    }

    /// The bytes, borrowed from the document.
    ///
    /// # Errors
    ///
    /// If it is no bytes.
    pub fn bytes(&self) -> Result<&'a [u8]> {
        self.inside(Decoder::bytes)
    }

    /// The encoded bytes of the value, checked.
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn raw(&self) -> Result<RawValue<'a>> {
        self.read(Decoder::raw)
    }

    /// The value, decoded.
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn to_value(&self) -> Result<Value<'a>> {
        self.inside(Decoder::value)
    }
}

/// Goes through the values of a container; ends after an error.
#[derive(Debug)]
struct Walk<'a> {
    cursor: Cursor<'a>,
    inside: Inside<'a>,
    failed: bool,
}

impl<'a> Walk<'a> {
    fn next(&mut self) -> Option<Result<Cursor<'a>>> {
        if self.failed {
            return None;
        }
        let step = |walk: &mut Walk<'a>| match &mut walk.inside {
            Inside::Plain(decoder) => {
                if !decoder.more()? {
                    return Ok(None);
                }
                let here = walk.cursor.moved(decoder);
                decoder.skip()?;
                Ok(Some(here))
            }
            Inside::Columns(shared, parts) => {
                let mut columns = shared.lock();
                let at = parts.column_start(&columns);
                let part = parts.next(&mut columns);
                part.map(|part| walk.cursor.at_part(shared, &mut columns, part, at)).transpose()
            }
        };
        let next = step(self);
        self.failed = next.is_err();
        next.transpose()
    }
}

/// The items of a list: see [`Cursor::items`].
#[derive(Debug)]
pub struct Items<'a> {
    parts: Walk<'a>,
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<Cursor<'a>>;

    fn next(&mut self) -> Option<Result<Cursor<'a>>> {
        self.parts.next()
    }
}

/// The entries of a map: see [`Cursor::entries`].
#[derive(Debug)]
pub struct Entries<'a> {
    parts: Walk<'a>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<(Cursor<'a>, Cursor<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let key = match self.parts.next()? {
            Ok(key) => key,
            Err(error) => return Some(Err(error)),
        };
        self.parts.next().map(|value| value.map(|value| (key, value)))
    }
}
