//! BSON through the bson crate.

use bson::{Document, RawDocument};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Codec, Failure, Result, fail, start};
use crate::value::Value;

/// The key of the document that holds a top-level value which is not a map.
const WRAP: &str = "";

struct Wrapped<'a>(&'a Value);

impl Serialize for Wrapped<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(WRAP, self.0)?;
        map.end()
    }
}

fn is_wrapped(entries: &[(String, Value)]) -> bool {
    matches!(entries, [(key, _)] if key == WRAP)
}

pub struct Bson;

impl Codec for Bson {
    const NAME: &'static str = "bson";
    const NOTE: &'static str = "top-level lists and scalars are wrapped in a document of one entry";
    const OWN: Option<&'static str> = Some("bson::Document");
    type Own<'a> = Document;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        match value {
            Value::Map(entries) if is_wrapped(entries) => {
                return Err(Failure("looks like a wrapped value".to_owned()));
            }
            Value::Map(_) => bson::serialize_to_buffer(value, &mut bytes).map_err(fail)?,
            other => bson::serialize_to_buffer(&Wrapped(other), &mut bytes).map_err(fail)?,
        }
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        let value = bson::deserialize_from_slice(bytes).map_err(fail)?;
        match value {
            Value::Map(mut entries) if is_wrapped(&entries) => {
                Ok(entries.pop().map_or(Value::Null, |(_, value)| value))
            }
            other => Ok(other),
        }
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        RawDocument::from_bytes(bytes).and_then(Document::try_from).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        value.to_vec().map_err(fail)
    }
}
