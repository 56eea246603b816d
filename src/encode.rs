//! The push encoder: one value or part of a value at a time, without serde.

use crate::canonical;
use crate::canonical::Form;
use crate::columns;
use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::keys::{self, Range};
use crate::num::Int;
use crate::raw::RawValue;
use crate::tag;
use crate::value::Value;
use crate::write::Output;
use alloc::vec::Vec;

/// Writes a document by being told what comes next.
///
/// What is opened with [`list`](Encoder::list), [`map`](Encoder::map), [`ext`](Encoder::ext),
/// [`some`](Encoder::some), [`open_list`](Encoder::open_list) or [`open_map`](Encoder::open_map) is
/// closed with [`end`](Encoder::end). Every scalar takes its shortest form. After an error the
/// encoder is as it was before the call.
///
/// Values given one after the other outside of a list make a concatenation, as
/// [`iter`](crate::iter) reads it.
///
/// ```
/// # fn main() -> wbin::Result<()> {
/// use wbin::Encoder;
/// let mut encoder = Encoder::new();
/// encoder.list(3)?.int(1)?.str("two")?.f64(3.5)?.end()?;
/// assert_eq!(encoder.finish()?, [0x83, 0x01, 0x43, b't', b'w', b'o', 0xB1, 0x19, 0x01]);
/// # Ok(())
/// # }
/// ```
pub struct Encoder {
    out: Output,
    frames: Vec<Frame>,
    /// The keys of all open maps; each frame knows where its own begin.
    keys: Vec<Range>,
    config: Config,
}

struct Frame {
    kind: FrameKind,
    start: usize,
    /// Values given so far: twice the entries of a map.
    count: usize,
    first_key: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    List(Option<usize>),
    Map(Option<usize>),
    Some,
    Ext,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder::new()
    }
}

impl Encoder {
    /// An encoder with the default limits.
    pub fn new() -> Encoder {
        Encoder::with_config(&Config::new())
    }

    /// An encoder with the limits and switches of a [`Config`]: depth, canonical form, signature.
    pub fn with_config(config: &Config) -> Encoder {
        let mut out = Output::default();
        start(&mut out, config);
        Encoder { out, frames: Vec::new(), keys: Vec::new(), config: *config }
    }

    /// Counts a value that begins here. Nothing can fail after it.
    fn value_starts(&mut self) -> Result<()> {
        self.check_room()?;
        self.count_value(self.out.len());
        Ok(())
    }

    /// Refuses a value for which the container has no room.
    fn check_room(&self) -> Result<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let room = match frame.kind {
            FrameKind::List(n) => n,
            FrameKind::Map(n) => n.map(|n| n.saturating_mul(2)),
            FrameKind::Some | FrameKind::Ext => Some(1),
        };
        match room {
            Some(room) if frame.count >= room => Err(length_mismatch()),
            _ => Ok(()),
        }
    }

    fn count_value(&mut self, at: usize) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if let FrameKind::Map(_) = frame.kind {
            match (frame.count % 2, self.keys.last_mut()) {
                (1, Some(key)) => key.1 = at,
                _ => self.keys.push((at, at)),
            }
        }
        frame.count += 1;
    }

    fn open(&mut self, kind: FrameKind) -> Result<()> {
        if self.frames.len() as u64 >= u64::from(self.config.get_max_depth()) {
            return Err(too_deep(self.config.get_max_depth()));
        }
        self.value_starts()?;
        let frame = Frame { kind, start: self.out.len(), count: 0, first_key: self.keys.len() };
        self.frames.push(frame);
        Ok(())
    }

    /// Writes null.
    ///
    /// # Errors
    ///
    /// This and all the other calls: if the list or map that is open announced fewer values.
    pub fn null(&mut self) -> Result<&mut Encoder> {
        self.value_starts()?;
        self.out.byte(tag::NULL);
        Ok(self)
    }

    /// Writes a boolean.
    ///
    /// # Errors
    ///
    /// If the list or map that is open announced fewer values.
    pub fn bool(&mut self, on: bool) -> Result<&mut Encoder> {
        self.value_starts()?;
        self.out.bool(on);
        Ok(self)
    }

    /// Writes an int of any width, in the fewest bytes (PRE-1).
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut encoder = wbin::Encoder::new();
    /// encoder.int(64)?;
    /// assert_eq!(encoder.finish()?, [0xA0, 0x40]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the list or map that is open announced fewer values.
    #[inline]
    pub fn int(&mut self, int: impl Into<Int>) -> Result<&mut Encoder> {
        self.value_starts()?;
        self.out.int(int.into());
        Ok(self)
    }

    /// Writes a float, in the fewest bytes that keep its bits (FLT-6).
    ///
    /// # Errors
    ///
    /// If the list or map that is open announced fewer values.
    pub fn f64(&mut self, f: f64) -> Result<&mut Encoder> {
        self.value_starts()?;
        self.out.float(f);
        Ok(self)
    }

    /// Writes a string (STR-1).
    ///
    /// # Errors
    ///
    /// If the list or map that is open announced fewer values.
    pub fn str(&mut self, text: &str) -> Result<&mut Encoder> {
        self.value_starts()?;
        self.out.str(text);
        Ok(self)
    }

    /// Writes bytes (BYT-1).
    ///
    /// # Errors
    ///
    /// If the list or map that is open announced fewer values.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<&mut Encoder> {
        self.value_starts()?;
        self.out.bytes(bytes);
        Ok(self)
    }

    /// Opens a list of `n` items (LST-1).
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map around it announced fewer values.
    pub fn list(&mut self, n: usize) -> Result<&mut Encoder> {
        self.open(FrameKind::List(Some(n)))?;
        self.out.list_head(n);
        Ok(self)
    }

    /// Opens a map of `n` entries; keys and values follow by turns (MAP-1).
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map around it announced fewer values.
    pub fn map(&mut self, n: usize) -> Result<&mut Encoder> {
        self.open(FrameKind::Map(Some(n)))?;
        self.out.map_head(n);
        Ok(self)
    }

    /// Opens a list whose count is not known yet (OPN-1).
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut encoder = wbin::Encoder::new();
    /// encoder.open_list()?;
    /// for n in (0..3).filter(|n| n % 2 == 0) {
    ///     encoder.int(n)?;
    /// }
    /// encoder.end()?;
    /// assert_eq!(encoder.finish()?, [0x82, 0x00, 0x02]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map around it announced fewer values.
    pub fn open_list(&mut self) -> Result<&mut Encoder> {
        self.open(FrameKind::List(None))?;
        self.out.open();
        Ok(self)
    }

    /// Opens a map whose count is not known yet (OPN-1).
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map around it announced fewer values.
    pub fn open_map(&mut self) -> Result<&mut Encoder> {
        self.open(FrameKind::Map(None))?;
        self.out.open();
        Ok(self)
    }

    /// Opens an extension of a type; one value follows, its payload (EXT-1).
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut encoder = wbin::Encoder::new();
    /// encoder.ext(0)?.int(1_700_000_000)?.end()?; // a timestamp
    /// assert_eq!(encoder.finish()?, [0xBF, 0x00, 0xA3, 0x00, 0xF1, 0x53, 0x65]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map around it announced fewer values.
    pub fn ext(&mut self, ext_type: u64) -> Result<&mut Encoder> {
        self.open(FrameKind::Ext)?;
        self.out.ext_head(ext_type);
        Ok(self)
    }

    /// Opens a `some`; one value follows. It takes a byte only before null and before another
    /// `some` (SOM-2).
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map around it announced fewer values.
    pub fn some(&mut self) -> Result<&mut Encoder> {
        self.open(FrameKind::Some)?;
        Ok(self)
    }

    /// Closes what was opened last.
    ///
    /// # Errors
    ///
    /// If the values given are not as many as announced, a key lacks its value, a key occurs
    /// twice (MAP-5), or nothing is open.
    pub fn end(&mut self) -> Result<&mut Encoder> {
        let Some(frame) = self.frames.last() else {
            return Err(Error::nowhere(Code::EncoderState, "no list or map is open"));
        };
        let (start, count) = (frame.start, frame.count);
        let complete = match frame.kind {
            FrameKind::List(n) => n.is_none_or(|n| n == count),
            FrameKind::Map(n) => count % 2 == 0 && n.is_none_or(|n| n == count / 2),
            FrameKind::Some | FrameKind::Ext => count == 1,
        };
        if !complete {
            return Err(length_mismatch());
        }
        let own_keys = &self.keys[frame.first_key..];
        if keys::find_duplicate(self.out.as_bytes(), own_keys, Form::Preferred).is_some() {
            return Err(duplicate_key());
        }
        match frame.kind {
            FrameKind::List(None) => {
                self.out.close(start, count, false);
            }
            FrameKind::Map(None) => {
                self.out.close(start, count / 2, true);
            }
            FrameKind::Some => {
                self.out.wrap_some(start);
            }
            _ => {}
        }
        self.keys.truncate(frame.first_key);
        self.frames.pop();
        Ok(self)
    }

    /// Writes a whole [`Value`].
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map that is open announced fewer values.
    pub fn value(&mut self, value: &Value<'_>) -> Result<&mut Encoder> {
        self.check_room()?;
        let at = self.out.len();
        let depth_left = self.depth_left();
        if let Err(error) = value.write(&mut self.out, depth_left, self.config.get_max_depth()) {
            self.out.truncate(at);
            return Err(error);
        }
        self.count_value(at);
        Ok(self)
    }

    /// Writes a [`RawValue`] as it is. (The canonical form rewrites it, if the config asks for that.)
    ///
    /// # Errors
    ///
    /// If it is nested too deep, or the list or map that is open announced fewer values.
    pub fn raw(&mut self, raw: &RawValue<'_>) -> Result<&mut Encoder> {
        if raw.depth() > self.depth_left() {
            return Err(too_deep(self.config.get_max_depth()));
        }
        self.value_starts()?;
        self.out.slice(raw.as_bytes());
        Ok(self)
    }

    /// Writes anything that serde can serialize.
    ///
    /// ```
    /// # fn main() -> wbin::Result<()> {
    /// let mut encoder = wbin::Encoder::new();
    /// encoder.list(2)?.serialize(&("a", 1))?.null()?.end()?;
    /// assert_eq!(encoder.finish()?, [0x82, 0x82, 0x41, b'a', 0x01, 0xB8]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the value cannot be encoded, or the list or map that is open announced fewer values.
    #[cfg(feature = "serde")]
    pub fn serialize<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> Result<&mut Encoder> {
        // Columns are chosen once, when all is there: the same as for a value that is told in another way.
        let plain = self.config.canonical(false).signature(false).plain(true);
        let encoded = plain.max_depth(self.depth_left());
        let encoded = encoded.to_vec(value)?;
        self.value_starts()?;
        self.out.slice(&encoded);
        Ok(self)
    }

    fn depth_left(&self) -> u32 {
        self.config.get_max_depth() - self.frames.len() as u32
    }

    /// How many bytes are written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.out.len() == 0
    }

    /// The bytes written.
    ///
    /// # Errors
    ///
    /// If a list or map is still open; in canonical form also if a map has keys of the same
    /// canonical form.
    pub fn finish(self) -> Result<Vec<u8>> {
        if !self.frames.is_empty() {
            return Err(Error::nowhere(Code::EncoderState, "a list or map is still open"));
        }
        finish(self.out, &self.config, true)
    }
}

/// What stands before the first value.
pub(crate) fn start(out: &mut Output, config: &Config) {
    if config.has_signature() && !config.is_canonical() {
        out.slice(&tag::SIGNATURE);
    }
}

/// The document, in the form that the config asks for: canonical, plain, or by columns where that is
/// shorter, unless it is known that this is nowhere.
#[inline]
pub(crate) fn finish(out: Output, config: &Config, may_shorten: bool) -> Result<Vec<u8>> {
    if config.is_canonical() {
        return canonical::of_sequence(out.as_bytes(), config.get_max_depth());
    }
    if may_shorten && !config.is_plain() {
        if let Some(compact) = columns::compact(out.as_bytes()) {
            return Ok(compact.into_vec());
        }
    }
    Ok(out.into_vec())
}

#[cold]
pub(crate) fn too_deep(limit: u32) -> Error {
    Error::nowhere(Code::DepthLimit, alloc::format!("nested deeper than the limit of {limit}"))
}

#[cold]
pub(crate) fn length_mismatch() -> Error {
    Error::nowhere(Code::LengthMismatch, "a list or map has not as many values as it announced")
}

#[cold]
pub(crate) fn duplicate_key() -> Error {
    Error::nowhere(Code::DuplicateKey, "a map has the same key twice")
}
