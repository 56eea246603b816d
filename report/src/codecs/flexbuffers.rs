//! FlexBuffers.

use super::{Codec, Result, fail};
use crate::value::Value;

pub struct Flexbuffers;

impl Codec for Flexbuffers {
    const NAME: &'static str = "flexbuffers";
    const NOTE: &'static str =
        "sorts the entries of maps; its own way of reading is a lazy reader, not a value";
    const KEEPS_ORDER: bool = false;
    type Own<'a> = ();

    fn encode(value: &Value) -> Result<Vec<u8>> {
        flexbuffers::to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        flexbuffers::from_slice(bytes).map_err(fail)
    }
}
