//! Müsli's descriptive format, which holds serde types through `musli::serde`.

use musli::alloc::Global;
use musli::{Decode, Encode};

use super::{Codec, Result, fail, start};
use crate::value::Value;

#[derive(Encode)]
#[musli(transparent)]
struct Ref<'a>(#[musli(with = musli::serde)] &'a Value);

#[derive(Decode)]
#[musli(transparent)]
struct Owned(#[musli(with = musli::serde)] Value);

pub struct Musli;

impl Codec for Musli {
    const NAME: &'static str = "musli";
    const NOTE: &'static str = "the descriptive format; its storage format does not describe itself";
    const OWN: Option<&'static str> = Some("musli::value::Value");
    type Own<'a> = musli::value::Value<Global>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        musli::descriptive::encode(&mut bytes, &Ref(value)).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        let Owned(value) = musli::descriptive::from_slice(bytes).map_err(fail)?;
        Ok(value)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        musli::descriptive::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut bytes = start();
        musli::descriptive::encode(&mut bytes, value).map_err(fail)?;
        Ok(bytes)
    }
}
