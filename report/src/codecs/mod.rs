//! The formats that are compared, each in a file of its own behind one trait.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::measure::{self, Subject};
use crate::memory::{self, Peaks};
use crate::typed::{self, Typed};
use crate::value::Value;

mod bincode;
mod bitcode;
mod bson;
mod cbor4ii;
mod ciborium;
mod flexbuffers;
mod minicbor;
mod musli;
mod postcard;
mod pot;
mod rmp;
mod serde_brief;
mod serde_json;
mod simd_json;
mod sonic_rs;
mod wbin;
mod zerompk;

/// What a reader of the bytes must know beforehand. What is in one class is never ranked with what is in the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// wbin, in its forms: compared with both other classes, each apart.
    Subject,
    /// The bytes carry types and the names of fields.
    Names,
    /// Only who knows the type can read the bytes.
    Schema,
}

/// Why a codec could not encode or decode: its own error, printed.
#[derive(Debug)]
pub struct Failure(pub String);

/// Turns any codec's error into a [`Failure`], away from the path that is timed.
#[cold]
pub fn fail(error: impl Debug) -> Failure {
    Failure(format!("{error:?}"))
}

/// An empty vector with the room that serde_json's `to_vec` starts with, for the crates that write into a vector of the
/// caller's: growing from nothing would cost them more than encoding a small value.
fn start() -> Vec<u8> {
    Vec::with_capacity(128)
}

pub type Result<T> = std::result::Result<T, Failure>;

/// One format through one crate.
///
/// `scratch` is a buffer that lives as long as the input, for crates that want one: its contents mean nothing between
/// calls, only its memory is kept.
pub trait Codec {
    /// What `--codec` looks for.
    const NAME: &'static str;
    /// What a reader must know to judge the figures, or nothing.
    const NOTE: &'static str = "";
    const CLASS: Class = Class::Names;
    /// Whether the common value goes through serde, as it does for a user who has one type for many formats.
    const SERDE: bool = true;
    /// Whether map entries come back in the order in which they were written.
    const KEEPS_ORDER: bool = true;
    /// The name of the crate's own dynamic value, if it has one.
    const OWN: Option<&'static str> = None;
    /// The crate's own dynamic value; `()` if it has none.
    type Own<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>>;

    fn decode(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<Value>;

    fn decode_own<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        let _ = (bytes, scratch);
        Err(Failure("no value of its own".to_owned()))
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let _ = value;
        Err(Failure("no value of its own".to_owned()))
    }
}

/// A codec as a table of functions, each with the codec's code compiled into its loop: nothing is called through a
/// pointer within the time that is measured.
#[derive(Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    pub note: &'static str,
    pub class: Class,
    pub serde: bool,
    pub own: Option<&'static str>,
    /// Encodes the documents and checks that they, and the codec's own value, survive the round trip.
    pub prepare: fn(&[Value]) -> Result<Vec<Vec<u8>>>,
    pub encode: fn(&Subject<'_>, u64) -> u64,
    pub decode: fn(&Subject<'_>, u64) -> u64,
    pub encode_own: fn(&Subject<'_>, u64) -> u64,
    pub decode_own: fn(&Subject<'_>, u64) -> u64,
    /// Finds the end of each document.
    pub skip: Option<fn(&Subject<'_>, u64) -> u64>,
    pub peaks: fn(&Subject<'_>) -> Peaks,
}

impl Entry {
    fn new<C: Codec>() -> Entry {
        Entry {
            name: C::NAME,
            note: C::NOTE,
            class: C::CLASS,
            serde: C::SERDE,
            own: C::OWN,
            prepare: prepare::<C>,
            encode: measure::encode::<C>,
            decode: measure::decode::<C>,
            encode_own: measure::encode_own::<C>,
            decode_own: measure::decode_own::<C>,
            skip: None,
            peaks: memory::of::<C>,
        }
    }

    /// For a codec that can also pass over bytes.
    fn skipping<C: Codec + Typed>() -> Entry {
        Entry {
            prepare: |docs| {
                let bytes = prepare::<C>(docs)?;
                let mut scratch = C::Buffer::default();
                bytes.iter().try_for_each(|bytes| C::skip(bytes, &mut scratch))?;
                Ok(bytes)
            },
            skip: Some(|subject, batch| measure::skip::<C, _>(subject.bytes, batch)),
            ..Entry::new::<C>()
        }
    }
}

/// The name of the codec that the others are compared with.
pub const SUBJECT: &str = "wbin";

/// All codecs, in the order of the tables.
pub fn all() -> Vec<Entry> {
    vec![
        Entry::skipping::<wbin::Wbin<wbin::Columns>>(),
        Entry::skipping::<wbin::Wbin<wbin::Plain>>(),
        Entry::skipping::<wbin::Wbin<wbin::Canonical>>(),
        Entry::skipping::<rmp::Rmp>(),
        Entry::skipping::<zerompk::Zerompk>(),
        Entry::skipping::<ciborium::Ciborium>(),
        Entry::skipping::<cbor4ii::Cbor4ii>(),
        Entry::skipping::<minicbor::Minicbor>(),
        Entry::new::<bson::Bson>(),
        Entry::new::<musli::Musli>(),
        Entry::skipping::<pot::Pot>(),
        Entry::new::<serde_brief::SerdeBrief>(),
        Entry::new::<flexbuffers::Flexbuffers>(),
        Entry::skipping::<serde_json::SerdeJson>(),
        Entry::new::<sonic_rs::SonicRs>(),
        Entry::new::<simd_json::SimdJson>(),
    ]
}

/// The codecs for typed data, in the order of the tables.
pub fn typed<S: typed::Sample>() -> Vec<typed::Entry<S>> {
    vec![
        typed::Entry::new::<wbin::Wbin<wbin::Columns>>(),
        typed::Entry::new::<wbin::Wbin<wbin::Plain>>(),
        typed::Entry::new::<wbin::Wbin<wbin::Canonical>>(),
        typed::Entry::new::<rmp::Rmp>(),
        typed::Entry::new::<zerompk::Zerompk>(),
        typed::Entry::new::<cbor4ii::Cbor4ii>(),
        typed::Entry::new::<minicbor::Minicbor>(),
        typed::Entry::new::<ciborium::Ciborium>(),
        typed::Entry::new::<pot::Pot>(),
        typed::Entry::new::<serde_json::SerdeJson>(),
        typed::Entry::new::<postcard::Postcard>(),
        typed::Entry::new::<bincode::Bincode>(),
        typed::Entry::new::<bitcode::Bitcode>(),
        typed::Entry::new::<rmp::Positional>(),
    ]
}

fn prepare<C: Codec>(docs: &[Value]) -> Result<Vec<Vec<u8>>> {
    docs.iter()
        .map(|doc| {
            let bytes = C::encode(doc)?;
            let mut scratch = Vec::new();
            let back = C::decode(&bytes, &mut scratch)?;
            let equal = if C::KEEPS_ORDER { back == *doc } else { back.sorted() == doc.sorted() };
            if !equal {
                return Err(Failure("the decoded value differs".to_owned()));
            }
            if C::OWN.is_some() {
                // Seen through what it encodes to, in any order of entries: many crates sort or hash them.
                let own = C::encode_own(&C::decode_own(&bytes, &mut scratch)?)?;
                let back = C::decode(&own, &mut Vec::new())?;
                if back.sorted() != doc.sorted() {
                    return Err(Failure("the codec's own value differs".to_owned()));
                }
            }
            Ok(bytes)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_codec_keeps_the_seeded_data() {
        for workload in crate::data::seeded() {
            for codec in all() {
                if let Err(Failure(reason)) = (codec.prepare)(&workload.docs) {
                    panic!("{} of {}: {reason}", codec.name, workload.name);
                }
            }
        }
    }
}
