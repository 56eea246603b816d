//! Walking to a part of a document without decoding the rest.

use crate::config::Config;
use crate::decode::{Decoder, Kind};
use crate::error::Result;
use crate::num::Int;
use crate::raw::RawValue;
use crate::value::Value;
use crate::value::{pointer_index, pointer_steps};

/// A place in a document: the first byte of a value.
///
/// Moving to a key or an index passes over what stands before it, which is checked for being
/// well-formed but not read. A `some` is looked through (SOM-4).
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
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    document: &'a [u8],
    /// Where the value begins.
    at: usize,
    depth_left: u32,
    max_depth: u32,
}

impl<'a> Cursor<'a> {
    /// A cursor on the whole document, with the default limits. Nothing is checked yet.
    pub fn new(document: &'a [u8]) -> Cursor<'a> {
        Cursor::with_config(document, &Config::new())
    }

    /// A cursor with the depth limit of a [`Config`].
    pub fn with_config(document: &'a [u8], config: &Config) -> Cursor<'a> {
        let depth = config.get_max_depth();
        Cursor { document, at: 0, depth_left: depth, max_depth: depth }
    }

    /// The offset of the value, in bytes from the start of the document.
    pub fn position(&self) -> usize {
        self.at
    }

    /// A decoder that stands before the value, its `some`s opened.
    fn decoder(&self) -> Result<Decoder<'a>> {
        let mut decoder = Decoder::resume(self.document, self.at, self.depth_left, self.max_depth);
        while decoder.some()? {}
        Ok(decoder)
    }

    /// A cursor where a decoder, opened from here, stands.
    fn moved(&self, decoder: &Decoder<'a>) -> Cursor<'a> {
        let depth_left = self.depth_left - decoder.depth() as u32;
        Cursor { at: decoder.position(), depth_left, ..*self }
    }

    /// What kind of value it is.
    ///
    /// # Errors
    ///
    /// If no value begins here.
    pub fn kind(&self) -> Result<Kind> {
        self.decoder()?.kind()
    }

    /// The value of a text key, if this is a map that has it.
    ///
    /// # Errors
    ///
    /// If this is not a map, or not well-formed up to the key.
    pub fn get(&self, key: &str) -> Result<Option<Cursor<'a>>> {
        let mut decoder = self.decoder()?;
        decoder.map()?;
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

    /// An item, if this is a list that has so many.
    ///
    /// # Errors
    ///
    /// If this is not a list, or not well-formed up to the item.
    pub fn index(&self, index: usize) -> Result<Option<Cursor<'a>>> {
        let mut decoder = self.decoder()?;
        decoder.list()?;
        for _ in 0..index {
            if !decoder.more()? {
                return Ok(None);
            }
            decoder.skip()?;
        }
        Ok(decoder.more()?.then(|| self.moved(&decoder)))
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
        let mut cursor = *self;
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
        let mut decoder = self.decoder()?;
        decoder.list()?;
        Ok(Items { parts: Parts { cursor: *self, decoder, failed: false } })
    }

    /// The entries of a map, two cursors each.
    ///
    /// # Errors
    ///
    /// If this is not a map.
    pub fn entries(&self) -> Result<Entries<'a>> {
        let mut decoder = self.decoder()?;
        decoder.map()?;
        Ok(Entries { parts: Parts { cursor: *self, decoder, failed: false } })
    }

    /// The boolean.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn bool(&self) -> Result<bool> {
        self.decoder()?.bool()
    }

    /// The int.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn int(&self) -> Result<Int> {
        self.decoder()?.int()
    }

    /// The float.
    ///
    /// # Errors
    ///
    /// If it is none; an int is not a float.
    pub fn f64(&self) -> Result<f64> {
        self.decoder()?.f64()
    }

    /// The text, borrowed from the document.
    ///
    /// # Errors
    ///
    /// If it is no string, or not UTF-8.
    pub fn str(&self) -> Result<&'a str> {
        self.decoder()?.str()
    }

    /// The bytes, borrowed from the document.
    ///
    /// # Errors
    ///
    /// If it is no bytes.
    pub fn bytes(&self) -> Result<&'a [u8]> {
        self.decoder()?.bytes()
    }

    /// The encoded bytes of the value, checked.
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn raw(&self) -> Result<RawValue<'a>> {
        Decoder::resume(self.document, self.at, self.depth_left, self.max_depth).raw()
    }

    /// The value, decoded.
    ///
    /// # Errors
    ///
    /// If it is not valid.
    pub fn to_value(&self) -> Result<Value<'a>> {
        self.decoder()?.value()
    }
}

/// Goes through the values of a container; ends after an error.
#[derive(Debug)]
struct Parts<'a> {
    cursor: Cursor<'a>,
    decoder: Decoder<'a>,
    failed: bool,
}

impl<'a> Parts<'a> {
    fn next(&mut self) -> Option<Result<Cursor<'a>>> {
        if self.failed {
            return None;
        }
        let step = |parts: &mut Parts<'a>| {
            if !parts.decoder.more()? {
                return Ok(None);
            }
            let here = parts.cursor.moved(&parts.decoder);
            parts.decoder.skip()?;
            Ok(Some(here))
        };
        let next = step(self);
        self.failed = next.is_err();
        next.transpose()
    }
}

/// The items of a list: see [`Cursor::items`].
#[derive(Debug)]
pub struct Items<'a> {
    parts: Parts<'a>,
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
    parts: Parts<'a>,
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
