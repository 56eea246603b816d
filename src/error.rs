//! The one error type: a category, a stable name, a place, and what was expected and found.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The result of every fallible call of this crate.
pub type Result<T> = core::result::Result<T, Error>;

/// What kind of thing went wrong: enough to decide what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Category {
    /// Reading from a reader or writing to a writer failed.
    Io,
    /// The input ends inside a value: more bytes may complete it.
    Truncated,
    /// The bytes are not well-formed, not valid, or (when reading strictly) not canonical.
    Syntax,
    /// The bytes are fine, but not what the target type wants; or a value cannot be encoded.
    Data,
    /// A limit of the [`Config`](crate::Config) was exceeded.
    Limit,
}

/// The stable names of SPEC.md's error chapter, and those of this crate's typed layer.
#[cfg_attr(not(all(feature = "std", feature = "serde", feature = "json")), allow(dead_code))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    Io,
    Truncated,
    ReservedTag,
    InvalidColumn,
    UnexpectedEnd,
    BadSignature,
    UnsupportedVersion,
    ExtType,
    TrailingBytes,
    InvalidUtf8,
    IntRange,
    DuplicateKey,
    NotCanonical,
    DepthLimit,
    InputLimit,
    InvalidType,
    InvalidValue,
    InvalidLength,
    UnknownVariant,
    UnknownField,
    MissingField,
    DuplicateField,
    Custom,
    LengthMismatch,
    EncoderState,
    Notation,
    Json,
}

impl Code {
    fn row(self) -> (&'static str, Category) {
        use Category::*;
        match self {
            Code::Io => ("io", Io),
            Code::Truncated => ("truncated", Truncated),
            Code::ReservedTag => ("reserved-tag", Syntax),
            Code::InvalidColumn => ("invalid-column", Syntax),
            Code::UnexpectedEnd => ("unexpected-end", Syntax),
            Code::BadSignature => ("bad-signature", Syntax),
            Code::UnsupportedVersion => ("unsupported-version", Syntax),
            Code::ExtType => ("ext-type", Syntax),
            Code::TrailingBytes => ("trailing-bytes", Syntax),
            Code::InvalidUtf8 => ("invalid-utf8", Syntax),
            Code::IntRange => ("int-range", Syntax),
            Code::DuplicateKey => ("duplicate-key", Syntax),
            Code::NotCanonical => ("not-canonical", Syntax),
            Code::DepthLimit => ("depth-limit", Limit),
            Code::InputLimit => ("input-limit", Limit),
            Code::InvalidType => ("invalid-type", Data),
            Code::InvalidValue => ("invalid-value", Data),
            Code::InvalidLength => ("invalid-length", Data),
            Code::UnknownVariant => ("unknown-variant", Data),
            Code::UnknownField => ("unknown-field", Data),
            Code::MissingField => ("missing-field", Data),
            Code::DuplicateField => ("duplicate-field", Data),
            Code::Custom => ("custom", Data),
            Code::LengthMismatch => ("length-mismatch", Data),
            Code::EncoderState => ("encoder-state", Data),
            Code::Notation => ("notation", Syntax),
            Code::Json => ("json", Data),
        }
    }
}

/// One step of a path, kept from the inside out.
#[cfg_attr(not(feature = "serde"), allow(dead_code))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Index(u64),
    Key(String),
    /// A key that is not text, as its diagnostic notation.
    Other(String),
}

const NO_OFFSET: usize = usize::MAX;

struct Inner {
    code: Code,
    offset: usize,
    message: Cow<'static, str>,
    expected: Option<String>,
    found: Option<String>,
    /// Innermost step first: each level of the decoder adds its own while the error travels out.
    path: Vec<Step>,
    #[cfg(feature = "std")]
    io: Option<std::io::Error>,
}

/// An error of encoding or decoding.
///
/// It is one pointer wide, so a `Result` of a small value travels in registers.
///
/// ```
/// let error = wbin::check(&[0x82, 0x01]).unwrap_err(); // a list of two, one item given
/// assert_eq!(error.name(), "truncated");
/// assert_eq!(error.category(), wbin::Category::Truncated);
/// assert_eq!(error.offset(), Some(0));
/// assert_eq!(error.to_string(), "the input ends inside a value at byte 0");
/// ```
pub struct Error(Box<Inner>);

impl Error {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(code: Code, offset: usize, message: impl Into<Cow<'static, str>>) -> Error {
        Error(Box::new(Inner {
            code,
            offset,
            message: message.into(),
            expected: None,
            found: None,
            path: Vec::new(),
            #[cfg(feature = "std")]
            io: None,
        }))
    }

    /// An error without a place in the input (yet): see [`Error::at`].
    #[cold]
    pub(crate) fn nowhere(code: Code, message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(code, NO_OFFSET, message)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn truncated(offset: usize) -> Error {
        Error::new(Code::Truncated, offset, "the input ends inside a value")
    }

    #[cold]
    pub(crate) fn trailing(offset: usize) -> Error {
        Error::new(Code::TrailingBytes, offset, "bytes after the value")
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn depth(limit: u32, offset: usize) -> Error {
        let message = alloc::format!("nested deeper than the limit of {limit}");
        Error::new(Code::DepthLimit, offset, message)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn expected_found(
        code: Code,
        offset: usize,
        what: &'static str,
        found: String,
        expected: String,
    ) -> Error {
        let message = alloc::format!("{what}: {found}, expected {expected}");
        let mut error = Error::new(code, offset, message);
        error.0.expected = Some(expected);
        error.0.found = Some(found);
        error
    }

    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn io(cause: std::io::Error) -> Error {
        let mut error = Error::nowhere(Code::Io, alloc::format!("{cause}"));
        error.0.io = Some(cause);
        error
    }

    pub(crate) fn is_invalid_utf8(&self) -> bool {
        self.0.code == Code::InvalidUtf8
    }

    /// Gives the error a place, if it has none.
    #[cold]
    #[inline(never)]
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) fn at(mut self, offset: usize) -> Error {
        if self.0.offset == NO_OFFSET {
            self.0.offset = offset;
        }
        self
    }

    /// Gives an error of a part of a head the place of that head.
    #[cold]
    pub(crate) fn moved(mut self, start: usize) -> Error {
        if matches!(self.0.code, Code::Truncated | Code::ExtType) {
            self.0.offset = start;
        }
        self
    }

    /// Gives an error of a value that was written anew the place where that stood before.
    #[cold]
    pub(crate) fn moved_to(mut self, start: usize) -> Error {
        self.0.offset = start;
        self
    }

    /// Moves the place by the bytes that stand before the part that was read.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn shifted(mut self, by: usize) -> Error {
        if self.0.offset != NO_OFFSET {
            self.0.offset += by;
        }
        self
    }

    /// Adds the next outer step of the path.
    #[cold]
    #[inline(never)]
    #[cfg_attr(not(feature = "serde"), allow(dead_code))]
    pub(crate) fn inside(mut self, step: Step) -> Error {
        self.0.path.push(step);
        self
    }

    /// The category: I/O, truncation, syntax, data or limit.
    ///
    /// ```
    /// let error = wbin::check(&[0xD4]).unwrap_err();
    /// assert_eq!(error.category(), wbin::Category::Syntax);
    /// ```
    pub fn category(&self) -> Category {
        self.0.code.row().1
    }

    /// The stable name of the error, as SPEC.md's error chapter lists it (ERR-1).
    ///
    /// ```
    /// assert_eq!(wbin::check(&[0xD4]).unwrap_err().name(), "reserved-tag");
    /// ```
    pub fn name(&self) -> &'static str {
        self.0.code.row().0
    }

    /// The offset, in bytes from the start of the input, of the first byte of the value at fault.
    ///
    /// `None` for errors of encoding and of I/O, which have no place in an input.
    ///
    /// ```
    /// assert_eq!(wbin::check(&[0x81, 0xD4]).unwrap_err().offset(), Some(1));
    /// ```
    pub fn offset(&self) -> Option<usize> {
        (self.0.offset != NO_OFFSET).then_some(self.0.offset)
    }

    /// Where in the value the error is, when a typed target was decoded: `.users[3].name`.
    ///
    /// `None` if the error is at the root or the input was not read into a typed target.
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// let bytes = wbin::to_vec(&[1, 2, 300]).unwrap();
    /// let error = wbin::from_slice::<Vec<u8>>(&bytes).unwrap_err();
    /// assert_eq!(error.path().as_deref(), Some("[2]"));
    /// # }
    /// ```
    pub fn path(&self) -> Option<String> {
        use fmt::Write;
        if self.0.path.is_empty() {
            return None;
        }
        let mut text = String::new();
        for step in self.0.path.iter().rev() {
            // Writing to a `String` cannot fail.
            let _ = match step {
                Step::Index(index) => write!(text, "[{index}]"),
                Step::Key(key) if is_word(key) => write!(text, ".{key}"),
                Step::Key(key) => write!(text, "[{key:?}]"),
                Step::Other(key) => write!(text, "[{key}]"),
            };
        }
        Some(text)
    }

    /// What the reader wanted, for errors of the typed layer.
    ///
    /// ```
    /// # #[cfg(feature = "serde")] {
    /// let error = wbin::from_slice::<bool>(&[0x05]).unwrap_err();
    /// assert_eq!(error.expected(), Some("a boolean"));
    /// assert_eq!(error.found(), Some("integer `5`"));
    /// # }
    /// ```
    pub fn expected(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// What stood in the input instead, for errors of the typed layer. See [`Error::expected`].
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }
}

fn is_word(key: &str) -> bool {
    let mut chars = key.chars();
    let head = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    head && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(offset) = self.offset() {
            write!(f, " at byte {offset}")?;
        }
        if let Some(path) = self.path() {
            write!(f, " in {path}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Error");
        debug.field("name", &self.name());
        debug.field("message", &self.0.message);
        if let Some(offset) = self.offset() {
            debug.field("offset", &offset);
        }
        if let Some(path) = self.path() {
            debug.field("path", &path);
        }
        debug.finish()
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        #[cfg(feature = "std")]
        if let Some(cause) = &self.0.io {
            return Some(cause);
        }
        None
    }
}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    /// Keeps the original error of a reader or writer; the rest become `InvalidData`, or
    /// `UnexpectedEof` where the input ended too soon.
    fn from(mut error: Error) -> std::io::Error {
        use std::io::ErrorKind;
        if let Some(cause) = error.0.io.take() {
            return cause;
        }
        let kind = match error.category() {
            Category::Truncated => ErrorKind::UnexpectedEof,
            _ => ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, error)
    }
}
