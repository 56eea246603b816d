//! Pot, whose own value borrows.

use serde::de::IgnoredAny;

use super::{Class, Codec, Result, fail, start};
use crate::typed::{Decode, Encode, Typed};
use crate::value::Value;

pub struct Pot;

impl Codec for Pot {
    const NAME: &'static str = "pot";
    const OWN: Option<&'static str> = Some("pot::Value");
    type Own<'a> = pot::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        pot::to_writer(value, &mut bytes).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        pot::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        pot::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut bytes = start();
        pot::to_writer(value, &mut bytes).map_err(fail)?;
        Ok(bytes)
    }
}

impl Typed for Pot {
    const NAME: &'static str = "pot";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "into a kept vector";
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.clear();
        pot::to_writer(value, &mut *buffer).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        pot::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        pot::from_slice(bytes).map(|IgnoredAny| ()).map_err(fail)
    }
}
