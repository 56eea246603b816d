//! CBOR through minicbor-serde.

use minicbor_serde::Serializer;
use serde::Serialize;
use serde::de::IgnoredAny;

use super::{Class, Codec, Result, fail, start};
use crate::typed::{Decode, Encode, Typed};
use crate::value::Value;

pub struct Minicbor;

impl Codec for Minicbor {
    const NAME: &'static str = "minicbor-serde";
    const NOTE: &'static str = "the crate has no value of its own";
    type Own<'a> = ();

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        value.serialize(&mut Serializer::new(&mut bytes)).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        minicbor_serde::from_slice(bytes).map_err(fail)
    }
}

impl Typed for Minicbor {
    const NAME: &'static str = "minicbor-serde";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "into a kept vector";
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.clear();
        value.serialize(&mut Serializer::new(&mut *buffer)).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        minicbor_serde::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        minicbor_serde::from_slice(bytes).map(|IgnoredAny| ()).map_err(fail)
    }
}
