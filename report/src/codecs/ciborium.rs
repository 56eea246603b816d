//! CBOR through ciborium.

use serde::de::{DeserializeOwned, IgnoredAny};

use super::{Class, Codec, Failure, Result, fail, start};
use crate::typed::{Decode, Encode, Typed};
use crate::value::Value;

/// The size that ciborium's documentation recommends for speed. It reads strings and bytes up to this length in one
/// piece, and clears nothing, where its default buffer is cleared on each call.
const BUFFER: usize = 64 << 10;

pub struct Ciborium;

impl Codec for Ciborium {
    const NAME: &'static str = "ciborium";
    const NOTE: &'static str = "decodes with a kept buffer of 64 KiB, as its documentation advises";
    const OWN: Option<&'static str> = Some("ciborium::Value");
    type Own<'a> = ciborium::Value;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        ciborium::into_writer(value, &mut bytes).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<Value> {
        scratch.resize(BUFFER, 0);
        ciborium::de::from_reader_with_buffer(bytes, scratch).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        scratch.resize(BUFFER, 0);
        ciborium::de::from_reader_with_buffer(bytes, scratch).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        let mut bytes = start();
        ciborium::into_writer(value, &mut bytes).map_err(fail)?;
        Ok(bytes)
    }
}

impl Typed for Ciborium {
    const NAME: &'static str = "ciborium";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "into a kept vector; decodes with a kept buffer of 64 KiB";
    const BORROWS: bool = false;
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.clear();
        ciborium::into_writer(value, &mut *buffer).map_err(fail)?;
        Ok(buffer)
    }

    fn borrow<'de, T: Decode<'de>>(_: &'de [u8]) -> Result<T> {
        Err(Failure("it decodes into types that own only".to_owned()))
    }

    fn decode<T: DeserializeOwned + for<'de> Decode<'de>>(
        bytes: &[u8],
        scratch: &mut Self::Buffer,
    ) -> Result<T> {
        scratch.resize(BUFFER, 0);
        ciborium::de::from_reader_with_buffer(bytes, scratch).map_err(fail)
    }

    fn skip(bytes: &[u8], scratch: &mut Self::Buffer) -> Result<()> {
        scratch.resize(BUFFER, 0);
        ciborium::de::from_reader_with_buffer(bytes, scratch).map(|IgnoredAny| ()).map_err(fail)
    }
}
