//! wbin
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod canonical;
mod check;
mod config;
mod cursor;
mod decode;
pub mod diag;
mod encode;
mod error;
mod keys;
mod num;
mod plain;
mod raw;
mod read;
#[cfg(feature = "serde")]
mod serde;
mod skip;
pub mod tag;
#[macro_use]
mod value;
mod write;

#[cfg(feature = "serde")]
pub use self::serde::{
    Deserializer, Iter, OwnedValue, Serializer, deserialize, from_slice, iter, serialize, take_from_slice,
    to_vec, with,
};
#[cfg(all(feature = "serde", feature = "std"))]
pub use self::serde::{ReaderIter, from_reader, iter_reader, to_writer};
pub use check::check;
pub use config::Config;
pub use cursor::{Cursor, Entries, Items};
pub use decode::{Decoder, Event, Kind};
pub use encode::Encoder;
pub use error::{Category, Error, Result};
pub use num::Int;
pub use raw::RawValue;
pub use skip::skip;
pub use value::{Ext, List, Map, Value, ValueIndex};

/// Extensions as types of serde: any type with a number, and the four that the format knows.
#[cfg(feature = "serde")]
pub mod ext {
    pub use crate::serde::tagged::{BigInt, Decimal, Tagged, Timestamp, Uuid};
}

#[cfg(feature = "json")]
pub use self::serde::json;

/// What the expansion of [`wbin!`] calls.
#[doc(hidden)]
pub mod __private {
    use crate::{Map, Value};
    use alloc::vec::Vec;

    pub fn list<'a, const N: usize>(items: [Value<'a>; N]) -> Value<'a> {
        Value::List(Vec::from(items).into())
    }

    pub fn map<'a, const N: usize>(entries: [(Value<'a>, Value<'a>); N]) -> Value<'a> {
        Value::Map(Map::from_iter(entries))
    }
}
