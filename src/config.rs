//! The limits and switches, the same for both directions.

#[cfg(feature = "std")]
use {
    crate::error::{Code, Error, Result},
    alloc::vec::Vec,
    std::io::Read,
};

/// Limits and switches of encoding and decoding.
///
/// The same `Config` serves both directions, so that what one side writes the other accepts.
/// Every call at the root of the crate also exists as a method.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use wbin::Config;
/// let strict = Config::new().strict(true).canonical(true);
/// let bytes = strict.to_vec(&vec![1, 2, 3]).unwrap();
/// assert_eq!(strict.from_slice::<Vec<u8>>(&bytes).unwrap(), [1, 2, 3]);
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    max_depth: u32,
    max_input: u64,
    strict: bool,
    canonical: bool,
    plain: bool,
    human_readable: bool,
    signature: bool,
}

impl Config {
    /// Default nesting limit, in levels (LIM-1).
    pub const DEFAULT_MAX_DEPTH: u32 = 128;
    /// How many more options than levels may be nested around one value: they take no bytes, so they are
    /// no levels, but types can nest them without end.
    #[cfg(feature = "serde")]
    pub(crate) const MORE_OPTIONS: u32 = 64;
    /// Default limit of what is read from a reader, in bytes: 1 GiB (LIM-4).
    pub const DEFAULT_MAX_INPUT: u64 = 1 << 30;

    /// The defaults: 128 levels, 1 GiB from a reader, every switch off.
    ///
    /// ```
    /// assert_eq!(wbin::Config::new().get_max_depth(), 128);
    /// ```
    pub const fn new() -> Config {
        Config {
            max_depth: Self::DEFAULT_MAX_DEPTH,
            max_input: Self::DEFAULT_MAX_INPUT,
            strict: false,
            canonical: false,
            plain: false,
            human_readable: false,
            signature: false,
        }
    }

    /// Sets how many lists, maps, exts and `some`s may be nested (LIM-1), for writing and reading.
    ///
    /// [`Value`](crate::Value), [`skip`](crate::skip()), [`check`](crate::check()) and the notation
    /// need no stack for nesting. Types of serde do: each level of a recursive type takes some
    /// hundred bytes of stack in an optimised build and a few kB in one that is not, so a limit of
    /// several thousand wants a thread with a larger stack.
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// let flat = wbin::Config::new().max_depth(1);
    /// assert!(flat.to_vec(&[1, 2]).is_ok());
    /// assert_eq!(flat.to_vec(&[[1], [2]]).unwrap_err().name(), "depth-limit");
    /// # }
    /// ```
    pub const fn max_depth(mut self, levels: u32) -> Config {
        self.max_depth = levels;
        self
    }

    /// Sets the most that a reader may deliver, in bytes (LIM-4).
    pub const fn max_input(mut self, bytes: u64) -> Config {
        self.max_input = bytes;
        self
    }

    /// Reading accepts the canonical form only (CAN-1).
    ///
    /// The bytes are checked in a pass of their own before they are decoded.
    pub const fn strict(mut self, on: bool) -> Config {
        self.strict = on;
        self
    }

    /// Writing gives the canonical form (CAN-1): the same bytes for the same value, whatever the
    /// order of its map entries.
    pub const fn canonical(mut self, on: bool) -> Config {
        self.canonical = on;
        self
    }

    /// Writing uses the plain layer only: no list and no map is stored by columns (COL-4).
    ///
    /// Columns make larger documents much smaller, and are the default. Without them encoding may be
    /// faster, and each part of a document can be cut out of it. Reading accepts both, always.
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// let numbers: Vec<u32> = (1000..1100).collect();
    /// let plain = wbin::Config::new().plain(true).to_vec(&numbers).unwrap();
    /// assert_eq!(plain.len(), 302);
    /// assert_eq!(wbin::to_vec(&numbers).unwrap().len(), 21);
    /// # }
    /// ```
    pub const fn plain(mut self, on: bool) -> Config {
        self.plain = on;
        self
    }

    /// What serde's types are told: with `true`, types such as `IpAddr` write themselves as text.
    ///
    /// It must be the same on both sides. The default is `false`, the compact form; but serde's own
    /// buffering (`untagged`, `flatten`, internally tagged enums) forgets the setting and always
    /// answers `true` while it reads, so a type like `IpAddr` behind those attributes needs `true`.
    pub const fn human_readable(mut self, on: bool) -> Config {
        self.human_readable = on;
        self
    }

    /// Writing puts the signature before the document (SIG-1). Reading accepts it always, unless
    /// it is [strict](Config::strict).
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// let bytes = wbin::Config::new().signature(true).to_vec(&5).unwrap();
    /// assert_eq!(bytes, [0xDF, 0x57, 0x42, 0x01, 0x05]);
    /// assert_eq!(wbin::from_slice::<u8>(&bytes).unwrap(), 5);
    /// # }
    /// ```
    pub const fn signature(mut self, on: bool) -> Config {
        self.signature = on;
        self
    }

    /// Everything that a reader holds, if it is not more than the limit.
    ///
    /// # Errors
    ///
    /// If the reader fails, or holds more than [`max_input`](Config::max_input) bytes (LIM-4).
    #[cfg(feature = "std")]
    pub fn read_to_end<R: Read>(&self, reader: R) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        reader.take(self.max_input.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::io)?;
        if bytes.len() as u64 > self.max_input {
            return Err(self.too_large());
        }
        Ok(bytes)
    }

    /// The error of an input that is larger than the limit.
    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn too_large(&self) -> Error {
        let limit = self.max_input;
        let message = alloc::format!("the input is larger than the limit of {limit} bytes");
        Error::new(Code::InputLimit, usize::try_from(limit).unwrap_or(usize::MAX), message)
    }

    /// How many levels may be nested.
    pub const fn get_max_depth(&self) -> u32 {
        self.max_depth
    }

    /// The most that a reader may deliver, in bytes.
    pub const fn get_max_input(&self) -> u64 {
        self.max_input
    }

    /// Whether reading accepts the canonical form only.
    pub const fn is_strict(&self) -> bool {
        self.strict
    }

    /// Whether writing gives the canonical form.
    pub const fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// Whether writing uses the plain layer only.
    pub const fn is_plain(&self) -> bool {
        self.plain
    }

    /// Whether serde's types are told that the format is human-readable.
    pub const fn is_human_readable(&self) -> bool {
        self.human_readable
    }

    /// Whether writing puts the signature before the document.
    pub const fn has_signature(&self) -> bool {
        self.signature
    }
}

impl Default for Config {
    fn default() -> Config {
        Config::new()
    }
}
