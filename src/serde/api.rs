//! The calls that most programs need: values to bytes and back.

use super::de::Deserializer;
use super::ser::Serializer;
use crate::canonical;
use crate::columns::Rows;
use crate::config::Config;
use crate::encode::start;
use crate::error::{Error, Result};
use crate::read::Reader;
use crate::write::Output;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
#[cfg(feature = "std")]
use {
    serde::de::DeserializeOwned,
    std::io::{Read, Write},
};

/// Encodes a value.
///
/// ```
/// let bytes = wbin::to_vec(&("job", 17, [0.5, 12.99])).unwrap();
/// assert_eq!(bytes.len(), 12);
/// ```
///
/// # Errors
///
/// If the value is nested deeper than 128 levels (LIM-1), gives more or fewer items than it
/// announced, has a key twice in a map (MAP-5), or reports an error of its own.
#[inline]
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    Config::new().to_vec(value)
}

/// Encodes a value: another name of [`to_vec`].
///
/// # Errors
///
/// As [`to_vec`].
#[inline]
pub fn serialize<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    to_vec(value)
}

/// Encodes a value into a writer, which gets it in one piece and is not flushed.
///
/// ```
/// let mut file = Vec::new();
/// wbin::to_writer(&mut file, &[1, 2]).unwrap();
/// assert_eq!(file, [0x82, 0x01, 0x02]);
/// ```
///
/// # Errors
///
/// As [`to_vec`], and if the writer fails.
#[cfg(feature = "std")]
pub fn to_writer<W: Write, T: Serialize + ?Sized>(writer: W, value: &T) -> Result<()> {
    Config::new().to_writer(writer, value)
}

/// Decodes a value from bytes that hold it and nothing else.
///
/// Types may borrow text and bytes from the input: `&str`, `&[u8]`, and `Cow` with
/// `#[serde(borrow)]`.
///
/// ```
/// let (name, n): (&str, u8) = wbin::from_slice(&[0x82, 0x41, b'a', 0x05]).unwrap();
/// assert_eq!((name, n), ("a", 5));
/// ```
///
/// # Errors
///
/// If the bytes are not one document (ERR-4), or not what the type wants: see
/// [`Error::category`](crate::Error::category).
#[inline]
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    Config::new().from_slice(bytes)
}

/// Decodes a value from bytes that hold it and nothing else: another name of [`from_slice`].
///
/// # Errors
///
/// As [`from_slice`].
#[inline]
pub fn deserialize<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T> {
    from_slice(bytes)
}

/// Decodes a value that a reader holds, reading to its end (at most 1 GiB, LIM-4).
///
/// ```
/// let n: u8 = wbin::from_reader(&[0x05][..]).unwrap();
/// assert_eq!(n, 5);
/// ```
///
/// # Errors
///
/// As [`from_slice`]; if the reader fails, or holds more than the limit.
#[cfg(feature = "std")]
pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T> {
    Config::new().from_reader(reader)
}

/// Decodes the first value of `bytes`, and gives what follows it.
///
/// ```
/// let (first, rest): (u8, _) = wbin::take_from_slice(&[0x05, 0x06]).unwrap();
/// assert_eq!((first, rest), (5, &[0x06][..]));
/// ```
///
/// # Errors
///
/// As [`from_slice`], but bytes after the value are no error.
#[inline]
pub fn take_from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
    Config::new().take_from_slice(bytes)
}

impl Config {
    /// [`to_vec`](crate::to_vec()) with these limits and switches.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec()).
    #[inline]
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut out = Output::new();
        start(&mut out, self);
        let mut serializer = Serializer::new(out, Rows::default(), self);
        value.serialize(&mut serializer)?;
        serializer.finish(self)
    }

    /// [`to_vec`](Config::to_vec) by another name.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec()).
    pub fn serialize<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        self.to_vec(value)
    }

    /// [`to_writer`](crate::to_writer()) with these limits and switches.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec()), and if the writer fails.
    #[cfg(feature = "std")]
    pub fn to_writer<W: Write, T: Serialize + ?Sized>(&self, mut writer: W, value: &T) -> Result<()> {
        let bytes = self.to_vec(value)?;
        writer.write_all(&bytes).map_err(Error::io)
    }

    /// [`from_slice`](crate::from_slice()) with these limits and switches.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](crate::from_slice()); if [strict](Config::strict) also if the bytes are not
    /// canonical.
    #[inline]
    pub fn from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        if self.is_strict() {
            canonical::check_whole(bytes, self.get_max_depth())?;
        }
        let mut reader = Reader::new(bytes);
        reader.signature()?;
        let (value, end) = self.decode(reader)?;
        match end {
            end if end == bytes.len() => Ok(value),
            end => Err(Error::trailing(end)),
        }
    }

    /// [`from_slice`](Config::from_slice) by another name.
    ///
    /// # Errors
    ///
    /// As [`from_slice`](Config::from_slice).
    pub fn deserialize<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T> {
        self.from_slice(bytes)
    }

    /// [`take_from_slice`](crate::take_from_slice()) with these limits and switches.
    ///
    /// # Errors
    ///
    /// As [`take_from_slice`](crate::take_from_slice()).
    pub fn take_from_slice<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<(T, &'de [u8])> {
        if self.is_strict() {
            canonical::check_first(bytes, self.get_max_depth())?;
        }
        let mut reader = Reader::new(bytes);
        reader.signature()?;
        let (value, end) = self.decode(reader)?;
        Ok((value, &bytes[end..]))
    }

    /// Decodes the value at a reader's place; gives where it ends.
    #[inline]
    pub(super) fn decode<'de, T: Deserialize<'de>>(&self, reader: Reader<'de>) -> Result<(T, usize)> {
        let start = reader.pos;
        let mut deserializer = Deserializer::resume(reader, self);
        match deserializer.root() {
            Ok(value) => Ok((value, deserializer.position())),
            Err(error) => Err(error.at(start)),
        }
    }

    /// [`from_reader`](crate::from_reader()) with these limits and switches.
    ///
    /// # Errors
    ///
    /// As [`from_reader`](crate::from_reader()).
    #[cfg(feature = "std")]
    pub fn from_reader<R: Read, T: DeserializeOwned>(&self, reader: R) -> Result<T> {
        self.from_slice(&self.read_to_end(reader)?)
    }
}
