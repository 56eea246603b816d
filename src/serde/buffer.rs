//! Memory for encoding that is used again.

use super::ser::Serializer;
use crate::columns::Rows;
use crate::config::Config;
use crate::encode::start;
use crate::error::Result;
use crate::write::Output;
use core::mem;
use serde::Serialize;

/// Encodes one value after the other in the same memory: the quickest way to encode many.
///
/// It keeps the memory of the largest value that it encoded, and of the columns that this was made of.
///
/// ```
/// let mut buffer = wbin::Buffer::new();
/// assert_eq!(buffer.encode(&(1, "a")).unwrap(), [0x82, 0x01, 0x41, b'a']);
/// assert_eq!(buffer.encode(&5).unwrap(), [0x05]);
/// ```
#[derive(Default)]
pub struct Buffer {
    config: Config,
    out: Output,
    rows: Rows,
}

impl Buffer {
    /// A buffer without memory, yet.
    pub fn new() -> Buffer {
        Buffer::default()
    }

    /// A buffer that encodes with these limits and switches.
    ///
    /// ```
    /// let mut buffer = wbin::Buffer::with_config(&wbin::Config::new().plain(true));
    /// assert_eq!(buffer.encode(&[7; 20]).unwrap().len(), 22);
    /// ```
    pub fn with_config(config: &Config) -> Buffer {
        Buffer { config: *config, ..Buffer::default() }
    }

    /// Encodes a value: the bytes that [`to_vec`](crate::to_vec()) gives, until the next call.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](crate::to_vec()). The buffer stays good.
    pub fn encode<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<&[u8]> {
        // After an error what was begun is dropped, and its memory with it.
        let mut out = mem::take(&mut self.out);
        out.truncate(0);
        start(&mut out, &self.config);
        let mut serializer = Serializer::new(out, mem::take(&mut self.rows), &self.config);
        value.serialize(&mut serializer)?;
        let rows = mem::take(&mut serializer.rows);
        self.out = Output::of(serializer.finish(&self.config)?);
        self.rows = rows;
        Ok(self.out.as_bytes())
    }
}

impl core::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Buffer").field("config", &self.config).finish_non_exhaustive()
    }
}
