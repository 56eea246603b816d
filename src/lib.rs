//! **wbin** is a compact, tagged, self-describing binary format, and this is its crate: any value made of
//! strings, ints, floats, bytes, lists and maps, in few bytes, soon, and safe on hostile input.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Job<'a> {
//!     id: u64,
//!     task: &'a str,
//!     delays: Vec<f64>,
//! }
//!
//! # #[cfg(feature = "serde")]
//! # fn main() -> wbin::Result<()> {
//! let job = Job { id: 17, task: "resize", delays: vec![0.5, 12.99] };
//! let bytes = wbin::to_vec(&job)?;
//! assert_eq!(bytes.len(), 30);
//! assert_eq!(wbin::from_slice::<Job>(&bytes)?, job); // `task` is borrowed from `bytes`
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "serde"))]
//! # fn main() {}
//! ```
//!
//! The bytes carry their own structure: they can be read without the type, by any language that has an
//! implementation of SPEC.md, of which the rules (as `STR-3`) are cited throughout this documentation.
//!
//! # How do I …
//!
//! **… encode and decode my own types?** [`to_vec`] and [`from_slice`] (also named [`serialize`] and
//! [`deserialize`]), with serde's derives. [`to_writer`] and [`from_reader`] for files and sockets. A [`Buffer`]
//! encodes many values in the same memory, which is quicker.
//!
//! **… read data of which I have no type?** As a [`Value`]:
//!
//! ```
//! use wbin::{Value, wbin};
//! let bytes = wbin!({"user": {"name": "root", "groups": [0, 4]}}).to_vec()?;
//! let value = Value::from_slice(&bytes)?;
//! assert_eq!(value["user"]["groups"][1], 4);
//! # Ok::<(), wbin::Error>(())
//! ```
//!
//! **… get one field out of a large document?** With a [`Cursor`], which passes over the rest:
//!
//! ```
//! # let bytes = wbin::wbin!({"user": {"name": "root", "groups": [0, 4]}}).to_vec()?;
//! let name = wbin::Cursor::new(&bytes).pointer("/user/name")?.unwrap();
//! assert_eq!(name.str()?, "root");
//! # Ok::<(), wbin::Error>(())
//! ```
//!
//! **… pass a part on without decoding it?** As a [`RawValue`] field.
//!
//! **… read several values from one stream?** With [`iter`] or [`iter_reader`], which tell a clean end from
//! a value that is cut short; or one at a time with [`take_from_slice`].
//!
//! **… make it smaller, or faster?** Smaller it is: lists of like values and large maps are stored by columns
//! where that is shorter, with no more to do than to put records into one list or map instead of into many
//! documents. Encoding may take longer for that; [`Config::plain`] leaves columns out. Reading takes both.
//!
//! ```
//! use wbin::{Config, Value, wbin};
//! let rows = (0..50).map(|i| wbin!({"id": (1000 + i), "even": (i % 2 == 0)}));
//! let value = Value::from_iter(rows);
//! let plain = value.to_vec_with(&Config::new().plain(true))?;
//! assert_eq!(plain.len(), 652);
//! let bytes = value.to_vec()?;
//! assert!(bytes.len() < 40);
//! assert_eq!(Value::from_slice(&bytes)?, value);
//! # Ok::<(), wbin::Error>(())
//! ```
//!
//! **… compare, sign or hash encoded values?** In the [`canonical`] form, of which there is one for each
//! value: [`Config::canonical`] writes it, [`Config::strict`] accepts nothing else.
//!
//! ```
//! use wbin::{Config, wbin};
//! let config = Config::new().canonical(true);
//! let (a, b) = (wbin!({"x": 1, "y": 2}), wbin!({"y": 2, "x": 1}));
//! assert_eq!(a.to_vec_with(&config)?, b.to_vec_with(&config)?);
//! # Ok::<(), wbin::Error>(())
//! ```
//!
//! **… store times, UUIDs, big numbers?** With the types of [`ext`], or `#[serde(with = "…")]` and the
//! modules of [`with`], which know `SystemTime`, `Duration` and what converts to them.
//!
//! **… write an implementation without serde?** With the push [`Encoder`] and the pull [`Decoder`].
//!
//! **… see what is in some bytes?** With [`diag::to_string`], or the program `wbin`: `wbin inspect FILE`.
//! [`columns::layout`] tells what columns there are.
//!
//! ```
//! assert_eq!(wbin::diag::to_string(&[0x82, 0x01, 0x41, b'a'])?, r#"[1, "a"]"#);
//! # Ok::<(), wbin::Error>(())
//! ```
//!
//! **… convert from and to JSON?** With the feature `json` and its module `json`, which keeps what JSON has
//! no words for.
//!
//! **… find out what went wrong?** [`Error`] has a category, a stable name, the offset in the input, and for
//! typed targets the path:
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! let bytes = wbin::wbin!({"users": [{"id": 1}, {"id": "two"}]}).to_vec()?;
//! #[derive(serde::Deserialize, Debug)]
//! struct Users { users: Vec<User> }
//! #[derive(serde::Deserialize, Debug)]
//! struct User { id: u32 }
//! let error = wbin::from_slice::<Users>(&bytes).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     r#"invalid type: string "two", expected u32 at byte 17 in .users[1].id"#,
//! );
//! # }
//! # Ok::<(), wbin::Error>(())
//! ```
//!
//! # Untrusted input
//!
//! No input makes this crate panic, abort, or take memory beyond a small constant times the input and what
//! the target type needs. Counts are checked against the bytes that are there, nesting is limited (128
//! levels, [`Config::max_depth`]), text is validated, a key that occurs twice in a map is an error, and so
//! are bytes after the value. There is no unsafe code.
//!
//! # Features
//!
//! | feature | default | |
//! |---|---|---|
//! | `std` | yes | readers and writers, `SystemTime` |
//! | `serde` | yes | everything that works with serde's traits |
//! | `json` | | the mapping to and from JSON, with `serde_json` |
//! | `simdutf8` | | UTF-8 validation of long strings with SIMD |
//!
//! Without `std` the crate needs `alloc` only. Features add, and change nothing that is there without them.

#![no_std]
// The crate's page links to what only these features bring.
#![cfg_attr(not(all(feature = "serde", feature = "std")), allow(rustdoc::broken_intra_doc_links))]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod canonical;
mod check;
pub mod columns;
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
    Buffer, Deserializer, Iter, OwnedValue, Serializer, deserialize, from_slice, from_value, iter, serialize,
    take_from_slice, to_value, to_vec, with,
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
pub use value::{Ext, List, Map, MapIter, Value, ValueIndex};

/// Extensions as types of serde: any type with a number, and the four that the format knows.
#[cfg(feature = "serde")]
pub mod ext {
    pub use crate::serde::tagged::{BigInt, Decimal, Tagged, Timestamp, Uuid};
}

#[cfg(feature = "json")]
pub use self::serde::json;

/// The README's examples are tests, too.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;

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
