//! [`Value`]: any value of the data model, borrowing its text or owning it.

mod access;
mod build;
mod columns;
mod convert;
mod decode;
mod list;
#[macro_use]
mod macros;
mod map;
mod owned;
mod walk;
mod write;

pub use access::ValueIndex;
pub(crate) use access::{pointer_index, pointer_steps};
pub use list::List;
#[cfg(feature = "serde")]
pub(crate) use map::Keys;
pub use map::{Map, MapIter};

use crate::num::Int;
use alloc::borrow::Cow;
use alloc::boxed::Box;

/// Any value of the data model (VAL-1).
///
/// Text and bytes are borrowed from the input where there is one; [`into_owned`](Value::into_owned)
/// cuts the ties. Maps keep the order of their entries. Two values are equal if they are the same
/// int, the same bits of a float, the same text, and so on (VAL-3); so `Value` is `Eq` and `Hash`.
/// Decoding, comparing, cloning, printing, encoding and dropping need no stack, however deep a value
/// is nested.
///
/// ```
/// # fn main() -> wbin::Result<()> {
/// use wbin::{Value, wbin};
/// let value = wbin!({"name": "Ada", "born": 1815, "notes": ["G", 4.5, null]});
/// let bytes = value.to_vec()?;
/// let back = Value::from_slice(&bytes)?;
/// assert_eq!(back, value);
/// assert_eq!(back["name"], "Ada");
/// assert_eq!(back["notes"][1], 4.5);
/// assert_eq!(back.pointer("/notes/0").and_then(Value::as_str), Some("G"));
/// assert_eq!(back.to_string(), r#"{"name": "Ada", "born": 1815, "notes": ["G", 4.5, null]}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub enum Value<'a> {
    /// Null.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An int, -2^127 … 2^128-1.
    Int(Int),
    /// A float.
    Float(f64),
    /// Text.
    String(Cow<'a, str>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// A list.
    List(List<'a>),
    /// A map.
    Map(Map<'a>),
    /// An extension.
    Ext(Box<Ext<'a>>),
}

/// An extension: a number that tells what the value means, and the value (EXT-1).
///
/// ```
/// # fn main() -> wbin::Result<()> {
/// use wbin::{Ext, Value};
/// let value = Value::from(Ext::new(100, "application's own"));
/// assert_eq!(Value::from_slice(&value.to_vec()?)?, value);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Ext<'a> {
    /// The type: 0…63 are the format's, 64 and above the application's.
    pub ext_type: u64,
    /// The payload.
    pub value: Value<'a>,
}

impl<'a> Ext<'a> {
    /// An extension of a type.
    pub fn new(ext_type: u64, value: impl Into<Value<'a>>) -> Ext<'a> {
        Ext { ext_type, value: value.into() }
    }
}

impl core::fmt::Debug for Ext<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "ext({}, {:?})", self.ext_type, self.value)
    }
}

impl Drop for Ext<'_> {
    fn drop(&mut self) {
        if matches!(self.value, Value::List(_) | Value::Map(_) | Value::Ext(_)) {
            walk::drop_part(walk::Part::One(core::mem::take(&mut self.value)));
        }
    }
}
