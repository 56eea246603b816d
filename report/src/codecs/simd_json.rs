//! JSON through simd-json.

use simd_json::prelude::Writable;

use super::{Codec, Result, fail};
use crate::value::Value;

/// simd-json parses in place and destroys its input, so each decoding needs a copy; its memory is kept.
fn copy<'a>(bytes: &[u8], scratch: &'a mut Vec<u8>) -> &'a mut [u8] {
    scratch.clear();
    scratch.extend_from_slice(bytes);
    scratch
}

pub struct SimdJson;

impl Codec for SimdJson {
    const NAME: &'static str = "simd-json";
    const NOTE: &'static str =
        "decodes in place, so decoding includes a copy of the input; the own value borrows";
    const OWN: Option<&'static str> = Some("simd_json::BorrowedValue");
    type Own<'a> = simd_json::BorrowedValue<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        simd_json::to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<Value> {
        simd_json::from_slice(copy(bytes, scratch)).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        simd_json::to_borrowed_value(copy(bytes, scratch)).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        value.write(&mut bytes).map_err(fail)?;
        Ok(bytes)
    }
}
