//! JSON through serde_json.

use serde::de::IgnoredAny;

use super::{Class, Codec, Result, fail};
use crate::typed::{Decode, Encode, Typed};
use crate::value::Value;

pub struct SerdeJson;

impl Codec for SerdeJson {
    const NAME: &'static str = "serde_json";
    const NOTE: &'static str = "with float_roundtrip, without which its floats are not exact";
    const OWN: Option<&'static str> = Some("serde_json::Value");
    type Own<'a> = serde_json::Value;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        serde_json::to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        serde_json::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        serde_json::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        serde_json::to_vec(value).map_err(fail)
    }
}

impl Typed for SerdeJson {
    const NAME: &'static str = "serde_json";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "into a kept vector; with float_roundtrip";
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.clear();
        serde_json::to_writer(&mut *buffer, value).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        serde_json::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        serde_json::from_slice(bytes).map(|IgnoredAny| ()).map_err(fail)
    }
}
