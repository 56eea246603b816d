//! CBOR through cbor4ii.

use cbor4ii::core::dec::Decode;
use cbor4ii::core::enc::Encode;
use cbor4ii::core::utils::{BufWriter, SliceReader};
use serde::de::IgnoredAny;

use super::{Class, Codec, Result, fail, start};
use crate::typed::{self, Typed};
use crate::value::Value;

pub struct Cbor4ii;

impl Codec for Cbor4ii {
    const NAME: &'static str = "cbor4ii";
    const OWN: Option<&'static str> = Some("cbor4ii::core::Value");
    type Own<'a> = cbor4ii::core::Value;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        cbor4ii::serde::to_vec(start(), value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        cbor4ii::serde::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        cbor4ii::core::Value::decode(&mut SliceReader::new(bytes)).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut writer = BufWriter::new(start());
        value.encode(&mut writer).map_err(fail)?;
        Ok(writer.into_inner())
    }
}

impl Typed for Cbor4ii {
    const NAME: &'static str = "cbor4ii";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "into a kept vector";
    type Buffer = Vec<u8>;

    fn encode<'b, T: typed::Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        let mut kept = std::mem::take(buffer);
        kept.clear();
        *buffer = cbor4ii::serde::to_vec(kept, value).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: typed::Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        cbor4ii::serde::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        cbor4ii::serde::from_slice(bytes).map(|IgnoredAny| ()).map_err(fail)
    }
}
