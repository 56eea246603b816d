//! The formats that are compared, each through its serde crate and with its plainest calls.

use super::value::Common;
use serde::Serialize;
use std::fmt::Display;

/// A format: to bytes and back, or why not.
pub(super) struct Format {
    pub(super) name: &'static str,
    pub(super) encode: fn(&Common) -> Result<Vec<u8>, String>,
    pub(super) decode: fn(&[u8]) -> Result<Common, String>,
}

/// The first is the one that the others are told in parts of.
pub(super) const FORMATS: [Format; 6] = [
    Format {
        name: "JSON",
        encode: |value| serde_json::to_vec(value).map_err(text),
        decode: |bytes| serde_json::from_slice(bytes).map_err(text),
    },
    Format {
        name: "MessagePack",
        encode: |value| rmp_serde::to_vec_named(value).map_err(text),
        decode: |bytes| rmp_serde::from_slice(bytes).map_err(text),
    },
    Format {
        name: "CBOR",
        encode: |value| cbor4ii::serde::to_vec(Vec::new(), value).map_err(text),
        decode: |bytes| cbor4ii::serde::from_slice(bytes).map_err(text),
    },
    Format { name: "BSON", encode: to_bson, decode: from_bson },
    Format {
        name: OWN,
        encode: |value| wbin::to_vec(value).map_err(text),
        decode: |bytes| wbin::from_slice(bytes).map_err(text),
    },
    Format {
        name: "wbin --plain",
        encode: |value| wbin::Config::new().plain(true).to_vec(value).map_err(text),
        decode: |bytes| wbin::from_slice(bytes).map_err(text),
    },
];

/// What this program writes unless told otherwise.
pub(super) const OWN: &str = "wbin";

/// What the figures are of.
pub(super) const ABOUT: &str = "\
JSON without blanks (serde_json), MessagePack with names (rmp-serde), CBOR (cbor4ii), and BSON (bson),
where what is no map is put into one. All go through serde, from and into the same dynamic value, and
each has given it back equal. They are timed in turn, and the least time counts.
";

fn text(error: impl Display) -> String {
    error.to_string()
}

/// BSON has documents only: what is no map goes into one, under this name.
const FIELD: &str = "value";

#[derive(Serialize)]
struct Document<'a> {
    value: &'a Common,
}

fn to_bson(value: &Common) -> Result<Vec<u8>, String> {
    match value {
        Common::Map(entries) if is_document(entries) => bson::serialize_to_vec(&Document { value }),
        Common::Map(_) => bson::serialize_to_vec(value),
        value => bson::serialize_to_vec(&Document { value }),
    }
    .map_err(text)
}

fn from_bson(bytes: &[u8]) -> Result<Common, String> {
    match bson::deserialize_from_slice(bytes).map_err(text)? {
        Common::Map(mut entries) if is_document(&entries) => Ok(entries.remove(0).1),
        value => Ok(value),
    }
}

/// Whether a map looks like what another value was put into. If it is the data, it is put into one, too.
fn is_document(entries: &[(String, Common)]) -> bool {
    matches!(entries, [(name, _)] if name == FIELD)
}
