//! Values one after the other.

use crate::canonical;
use crate::config::Config;
use crate::error::{Category, Result};
use crate::read::Reader;
use crate::tag;
use core::marker::PhantomData;
use serde::Deserialize;
#[cfg(feature = "std")]
use {
    crate::error::Error,
    crate::skip::{Source, skip_value},
    alloc::vec::Vec,
    byteorder::{ByteOrder, LittleEndian},
    serde::de::DeserializeOwned,
    std::io::Read,
};

/// Decodes the values that stand in `bytes` one after the other.
///
/// ```
/// let values: Vec<u8> = wbin::iter(&[0x01, 0x02, 0x03]).collect::<Result<_, _>>().unwrap();
/// assert_eq!(values, [1, 2, 3]);
/// ```
pub fn iter<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Iter<'de, T> {
    Config::new().iter(bytes)
}

/// Decodes the values that a reader delivers one after the other, reading no byte further than the
/// value that is asked for.
///
/// ```
/// let mut values = wbin::iter_reader::<_, u8>(&[0x01, 0x02, 0xA1][..]);
/// assert_eq!(values.next().unwrap().unwrap(), 1);
/// assert_eq!(values.next().unwrap().unwrap(), 2);
/// assert_eq!(values.byte_offset(), 2);
/// assert_eq!(values.next().unwrap().unwrap_err().name(), "truncated");
/// assert!(values.next().is_none());
/// ```
///
/// It reads in small steps: wrap a file or a socket into a `BufReader`.
#[cfg(feature = "std")]
pub fn iter_reader<R: Read, T: DeserializeOwned>(reader: R) -> ReaderIter<R, T> {
    Config::new().iter_reader(reader)
}

impl Config {
    /// [`iter`](crate::iter) with these limits and switches.
    pub fn iter<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Iter<'de, T> {
        Iter { config: *self, bytes, at: 0, done: false, output: PhantomData }
    }

    /// [`iter_reader`](crate::iter_reader) with these limits and switches; the limit of what a reader
    /// may deliver holds for each value.
    #[cfg(feature = "std")]
    pub fn iter_reader<R: Read, T: DeserializeOwned>(&self, reader: R) -> ReaderIter<R, T> {
        let bytes = Vec::new();
        ReaderIter { config: *self, reader, bytes, at: 0, done: false, output: PhantomData }
    }
}

/// The values of a slice: see [`iter`].
///
/// It ends where the input ends between two values; where it ends inside of one, the last item is
/// an error of the category [`Truncated`](crate::Category::Truncated). After any error that is not
/// one of [data](Category::Data) the next item is `None`; after one of data, the next value.
#[derive(Debug)]
pub struct Iter<'de, T> {
    config: Config,
    bytes: &'de [u8],
    at: usize,
    done: bool,
    output: PhantomData<T>,
}

impl<T> Iter<'_, T> {
    /// The offset in bytes of the next value; after an error that ended the values, of the value at
    /// fault.
    pub fn byte_offset(&self) -> usize {
        self.at
    }
}

impl<'de, T: Deserialize<'de>> Iter<'de, T> {
    fn read(&mut self) -> Result<T> {
        let mut reader = Reader { data: self.bytes, pos: self.at };
        if self.at == 0 {
            if self.config.is_strict() {
                canonical::check_first(self.bytes, self.config.get_max_depth())?;
            }
            reader.signature()?;
        } else if self.config.is_strict() {
            let rest = &self.bytes[self.at..];
            // A signature in here is refused as what it is, and not as one before a value (SIG-2).
            if rest.first() != Some(&tag::SIGNATURE_TAG) {
                canonical::check_first(rest, self.config.get_max_depth())
                    .map_err(|error| error.shifted(self.at))?;
            }
        }
        let start = reader.pos;
        let result = self.config.decode(reader);
        match result {
            Ok((value, end)) => {
                self.at = end;
                Ok(value)
            }
            Err(error) => {
                // The type did not want the value; the next one may be different.
                if error.category() != Category::Data {
                    return Err(error);
                }
                // A value that is not well-formed either ends the values, whatever its type wanted.
                self.at = self.config.skip_at(self.bytes, start)?;
                Err(error)
            }
        }
    }
}

impl Config {
    /// Where the value that begins at `start` ends, if it is well-formed.
    fn skip_at(&self, bytes: &[u8], start: usize) -> Result<usize> {
        let mut reader = Reader { data: bytes, pos: start };
        let depth = self.get_max_depth();
        crate::skip::skip_value(&mut reader, depth, depth)?;
        Ok(reader.pos)
    }
}

impl<'de, T: Deserialize<'de>> Iterator for Iter<'de, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.done || self.at == self.bytes.len() {
            return None;
        }
        let result = self.read();
        if let Err(error) = &result {
            // Strict reading fails before anything of the value is read.
            self.done |= error.category() != Category::Data;
        }
        Some(result)
    }
}

/// The values of a reader: see [`iter_reader`]. It ends as [`Iter`] does.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct ReaderIter<R, T> {
    config: Config,
    reader: R,
    /// The bytes of the value that is being read, kept for the next one's.
    bytes: Vec<u8>,
    at: usize,
    done: bool,
    output: PhantomData<T>,
}

#[cfg(feature = "std")]
impl<R, T> ReaderIter<R, T> {
    /// How many bytes were read: the offset of the next value.
    pub fn byte_offset(&self) -> usize {
        self.at
    }

    /// The reader, which stands behind the last value that was read.
    pub fn into_reader(self) -> R {
        self.reader
    }
}

#[cfg(feature = "std")]
impl<R: Read, T: DeserializeOwned> ReaderIter<R, T> {
    /// [`fill`](Self::fill); strict reading reports the first fault of any kind (CAN-8).
    fn fill_checked(&mut self) -> Result<bool> {
        let result = self.fill();
        match &result {
            Err(error) if self.config.is_strict() && error.category() != Category::Io => {
                match canonical::check_first(&self.bytes, self.config.get_max_depth()) {
                    Err(first) if first.category() != Category::Truncated => Err(first.shifted(self.at)),
                    _ => result,
                }
            }
            _ => result,
        }
    }

    /// Reads the bytes of the next value; `false` where the reader ends before it.
    fn fill(&mut self) -> Result<bool> {
        self.bytes.clear();
        let (base, config) = (self.at, self.config);
        let mut source = Delivered { reader: &mut self.reader, bytes: &mut self.bytes, base, config };
        if source.deliver(1)? == 0 {
            return Ok(false);
        }
        let mut read = 0;
        if source.bytes.first() == Some(&tag::SIGNATURE_TAG) && base == 0 {
            source.deliver(3)?;
            let mut signature = Reader::new(source.bytes);
            signature.signature()?;
            read = signature.pos;
        }
        let depth = self.config.get_max_depth();
        match skip_value(&mut Ahead { source: &mut source, read }, depth, depth) {
            Ok(()) => Ok(true),
            Err(error) if error.category() == Category::Truncated => {
                // All there is was delivered; a slice is told more exactly where it ends too soon.
                let mut delivered = Reader { data: source.bytes, pos: read };
                let exact = skip_value(&mut delivered, depth, depth).err();
                Err(exact.map_or(error, |exact| exact.shifted(base)))
            }
            Err(error) => Err(error),
        }
    }

    fn read(&mut self) -> Result<Option<T>> {
        let filled = self.fill_checked();
        let base = self.at;
        if let Ok(true) = filled {
            self.at += self.bytes.len();
        }
        if !filled? {
            self.done = true;
            return Ok(None);
        }
        self.config.from_slice(&self.bytes).map(Some).map_err(|error| error.shifted(base))
    }
}

#[cfg(feature = "std")]
impl<R: Read, T: DeserializeOwned> Iterator for ReaderIter<R, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.done {
            return None;
        }
        let before = self.at;
        let result = self.read();
        if let Err(error) = &result {
            self.done = self.at == before || error.category() != Category::Data;
            if self.done {
                self.at = before; // of the value at fault
            }
        }
        result.transpose()
    }
}

/// Bytes that a reader has delivered, and the reader.
#[cfg(feature = "std")]
struct Delivered<'r, R> {
    reader: &'r mut R,
    bytes: &'r mut Vec<u8>,
    /// The offset of the first of the bytes in all that was read.
    base: usize,
    config: Config,
}

#[cfg(feature = "std")]
impl<R: Read> Delivered<'_, R> {
    /// Appends up to `n` bytes, fewer only where the reader ends; gives how many.
    fn deliver(&mut self, n: u64) -> Result<u64> {
        // One byte more than allowed tells a value that is too large from an input that is too short.
        let room = self.config.get_max_input().saturating_sub(self.bytes.len() as u64);
        let asked = n.min(room.saturating_add(1));
        // Memory grows with what is delivered, not with what was claimed.
        let delivered = self.reader.by_ref().take(asked).read_to_end(self.bytes).map_err(Error::io)? as u64;
        match delivered > room {
            true => Err(self.config.too_large().shifted(self.base)),
            false => Ok(delivered),
        }
    }
}

/// The skipper's view: it goes through the bytes and asks for more where they end.
#[cfg(feature = "std")]
struct Ahead<'s, 'r, R> {
    source: &'s mut Delivered<'r, R>,
    read: usize,
}

#[cfg(feature = "std")]
impl<R: Read> Ahead<'_, '_, R> {
    /// Makes sure of `n` more bytes; gives where they begin.
    fn need(&mut self, n: u64, start: usize) -> Result<usize> {
        let at = self.read;
        let missing = n.saturating_sub((self.source.bytes.len() - at) as u64);
        if missing > 0 && self.source.deliver(missing)? < missing {
            return Err(Error::truncated(start));
        }
        self.read += n as usize;
        Ok(at)
    }
}

#[cfg(feature = "std")]
impl<R: Read> Source for Ahead<'_, '_, R> {
    fn position(&self) -> usize {
        self.source.base + self.read
    }

    fn tag(&mut self) -> Result<u8> {
        let start = self.position();
        let at = self.need(1, start)?;
        Ok(self.source.bytes[at])
    }

    fn uint(&mut self, n: usize, start: usize) -> Result<u64> {
        let at = self.need(n as u64, start)?;
        Ok(LittleEndian::read_uint(&self.source.bytes[at..at + n], n))
    }

    fn pass(&mut self, n: u64, start: usize) -> Result<()> {
        self.need(n, start).map(drop)
    }

    fn take(&mut self, n: u64, start: usize) -> Result<&[u8]> {
        let at = self.need(n, start)?;
        Ok(&self.source.bytes[at..])
    }

    fn check_count(&self, _: u64, _: u64, _: usize) -> Result<()> {
        Ok(())
    }
}
