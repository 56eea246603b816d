//! MessagePack through rmp-serde, with rmpv's borrowing value.

use super::{Codec, Result, fail, start};
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
