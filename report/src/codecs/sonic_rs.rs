//! JSON through sonic-rs.

use super::{Codec, Result, fail};
use crate::value::Value;

pub struct SonicRs;

impl Codec for SonicRs {
    const NAME: &'static str = "sonic-rs";
    const NOTE: &'static str = "the own value lies in an arena";
    const OWN: Option<&'static str> = Some("sonic_rs::Value");
    type Own<'a> = sonic_rs::Value;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        sonic_rs::to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        sonic_rs::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        sonic_rs::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        sonic_rs::to_vec(value).map_err(fail)
    }
}
