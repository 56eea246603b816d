//! MessagePack through rmp-serde, with rmpv's borrowing value.

use serde::de::IgnoredAny;

use super::{Class, Codec, Result, fail, start};
use crate::typed::{Decode, Encode, Typed};
use crate::value::Value;

pub struct Rmp;

impl Codec for Rmp {
    const NAME: &'static str = "rmp-serde";
    const NOTE: &'static str = "`write_named`; the own value is that of rmpv, which borrows";
    const OWN: Option<&'static str> = Some("rmpv::ValueRef");
    type Own<'a> = rmpv::ValueRef<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        rmp_serde::encode::write_named(&mut bytes, value).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        rmp_serde::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(mut bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        rmpv::decode::read_value_ref(&mut bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut bytes = start();
        rmpv::encode::write_value_ref(&mut bytes, value).map_err(fail)?;
        Ok(bytes)
    }
}

impl Typed for Rmp {
    const NAME: &'static str = "rmp-serde named";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "`write_named` into a kept vector";
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.clear();
        rmp_serde::encode::write_named(buffer, value).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        rmp_serde::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        rmp_serde::from_slice(bytes).map(|IgnoredAny| ()).map_err(fail)
    }
}

/// MessagePack with structs as arrays.
pub struct Positional;

impl Typed for Positional {
    const NAME: &'static str = "rmp-serde positional";
    const CLASS: Class = Class::Schema;
    const NOTE: &'static str = "`write` into a kept vector: structs are arrays without names";
    const SKIPS: bool = false;
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.clear();
        rmp_serde::encode::write(buffer, value).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        rmp_serde::from_slice(bytes).map_err(fail)
    }
}
