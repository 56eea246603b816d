//! serde-brief, whose own value borrows.

use super::{Codec, Result, fail, start};
use crate::value::Value;

pub struct SerdeBrief;

impl Codec for SerdeBrief {
    const NAME: &'static str = "serde-brief";
    const OWN: Option<&'static str> = Some("serde_brief::value::Value");
    type Own<'a> = serde_brief::value::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        serde_brief::to_writer(value, &mut bytes).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        serde_brief::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        serde_brief::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut bytes = start();
        serde_brief::to_writer(value, &mut bytes).map_err(fail)?;
        Ok(bytes)
    }
}
