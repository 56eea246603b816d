//! The bytes of one value, checked once and passed through unread.

use crate::check;
use crate::config::Config;
use crate::decode::Decoder;
use crate::error::Result;
use crate::read::Reader;
use crate::value::Value;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

/// The encoded bytes of one valid value, borrowed or owned.
///
/// As a field of a serde type it takes over the bytes of its value without decoding them, and
/// writes them again as they are: for values that only pass through, or that are decoded later. Only a
/// [`Config`] that asks for a form of the whole document gives it to them, too: the canonical one, or lists
/// and maps by columns where these are shorter, unless [`plain`](Config::plain) turns that off. What stood
/// in columns comes out of them in the plain layer.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use serde::{Deserialize, Serialize};
/// #[derive(Serialize, Deserialize)]
/// struct Envelope<'a> {
///     to: &'a str,
///     #[serde(borrow)]
///     body: wbin::RawValue<'a>,
/// }
/// let bytes = wbin::to_vec(&("ignored", 1)).unwrap();
/// let letter = Envelope { to: "b", body: wbin::RawValue::from_slice(&bytes).unwrap() };
/// let sent = wbin::to_vec(&letter).unwrap();
/// let received: Envelope = wbin::from_slice(&sent).unwrap();
/// assert_eq!(received.body.as_bytes(), bytes);
/// assert_eq!(received.body.decode::<(String, u8)>().unwrap(), ("ignored".to_string(), 1));
/// # }
/// ```
///
/// With serializers of other formats it is the bytes, as a byte string. Two raw values are equal if
/// their bytes are: compare [`Value`]s to compare what they mean.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawValue<'a> {
    bytes: Cow<'a, [u8]>,
    /// How many levels the value nests.
    depth: u32,
}

impl<'a> RawValue<'a> {
    /// Takes the bytes of one value, which it checks (ERR-4). A signature is left out.
    ///
    /// # Errors
    ///
    /// If the bytes are not one valid value of at most 128 levels.
    pub fn from_slice(bytes: &'a [u8]) -> Result<RawValue<'a>> {
        let depth = check::valid(bytes, Config::DEFAULT_MAX_DEPTH)?;
        let mut reader = Reader::new(bytes);
        reader.signature()?;
        Ok(RawValue::trusted(&bytes[reader.pos..], depth))
    }

    /// Takes the bytes of one value and keeps them.
    ///
    /// # Errors
    ///
    /// If the bytes are not one valid value of at most 128 levels.
    pub fn from_vec(bytes: Vec<u8>) -> Result<RawValue<'static>> {
        RawValue::from_vec_within(bytes, Config::DEFAULT_MAX_DEPTH)
    }

    /// The same with a depth limit.
    pub(crate) fn from_vec_within(mut bytes: Vec<u8>, max_depth: u32) -> Result<RawValue<'static>> {
        let depth = check::valid(&bytes, max_depth)?;
        let mut reader = Reader::new(&bytes);
        reader.signature()?;
        let start = reader.pos;
        bytes.drain(..start);
        Ok(RawValue { bytes: Cow::Owned(bytes), depth })
    }

    /// Bytes that were checked already.
    pub(crate) fn trusted(bytes: &'a [u8], depth: u32) -> RawValue<'a> {
        RawValue { bytes: Cow::Borrowed(bytes), depth }
    }

    /// The same, owned.
    pub(crate) fn trusted_vec(bytes: Vec<u8>, depth: u32) -> RawValue<'a> {
        RawValue { bytes: Cow::Owned(bytes), depth }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The encoded bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The encoded bytes, copied if they were borrowed.
    pub fn into_vec(self) -> Vec<u8> {
        self.bytes.into_owned()
    }

    /// The same value, which no longer borrows.
    pub fn into_owned(self) -> RawValue<'static> {
        RawValue { bytes: Cow::Owned(self.bytes.into_owned()), depth: self.depth }
    }

    /// Decodes into a [`Value`] that borrows from this one.
    ///
    /// # Errors
    ///
    /// If a map has keys that differ only by a `some`, which a `Value` looks through (SOM-4).
    pub fn to_value(&self) -> Result<Value<'_>> {
        Decoder::with_depth(&self.bytes, self.depth).value()
    }

    /// Decodes into a type of serde.
    ///
    /// # Errors
    ///
    /// If the value is not what the type wants.
    #[cfg(feature = "serde")]
    pub fn decode<'de, T: serde::Deserialize<'de>>(&'de self) -> Result<T> {
        Config::new().max_depth(self.depth.max(Config::DEFAULT_MAX_DEPTH)).from_slice(&self.bytes)
    }
}

impl fmt::Debug for RawValue<'_> {
    /// Prints the diagnostic notation (DIA-1).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::diag::print(&self.bytes, self.depth, None) {
            Ok(text) => f.write_str(&text),
            Err(_) => Err(fmt::Error),
        }
    }
}
