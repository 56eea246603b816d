//! wbin, the format that is measured here.

use super::{Codec, Result, SUBJECT, fail};
use crate::value::Value;

pub struct Wbin;

impl Codec for Wbin {
    const NAME: &'static str = SUBJECT;
    const NOTE: &'static str = "the own value borrows";
    const OWN: Option<&'static str> = Some("wbin::Value");
    type Own<'a> = wbin::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        wbin::to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        wbin::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        wbin::Value::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        value.to_vec().map_err(fail)
    }
}
