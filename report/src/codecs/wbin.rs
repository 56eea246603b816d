//! wbin, the format that is measured here.

use ::wbin::Config;

use super::{Class, Codec, Result, SUBJECT, fail};
use crate::typed::{Decode, Encode, Typed, fresh};
use crate::value::Value;

/// The configuration of the plain form, which has no columns.
const PLAIN: Config = Config::new().plain(true);

pub struct Wbin;

impl Codec for Wbin {
    const NAME: &'static str = SUBJECT;
    const NOTE: &'static str = "the own value borrows";
    const CLASS: Class = Class::Subject;
    const OWN: Option<&'static str> = Some("wbin::Value");
    type Own<'a> = ::wbin::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        ::wbin::to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        ::wbin::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        ::wbin::Value::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        value.to_vec().map_err(fail)
    }
}

impl Typed for Wbin {
    const NAME: &'static str = SUBJECT;
    const CLASS: Class = Class::Subject;
    const NOTE: &'static str = "makes a new vector";

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        fresh(buffer, || ::wbin::to_vec(value).map_err(fail))
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        ::wbin::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Vec<u8>) -> Result<()> {
        ::wbin::skip(bytes).map(|_| ()).map_err(fail)
    }
}

/// wbin without columns.
pub struct Plain;

impl Codec for Plain {
    const NAME: &'static str = "wbin plain";
    const NOTE: &'static str = "without columns";
    const CLASS: Class = Class::Subject;
    const OWN: Option<&'static str> = Some("wbin::Value");
    type Own<'a> = ::wbin::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        PLAIN.to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<Value> {
        <Wbin as Codec>::decode(bytes, scratch)
    }

    fn decode_own<'a>(bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        Wbin::decode_own(bytes, scratch)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        value.to_vec_with(&PLAIN).map_err(fail)
    }
}

impl Typed for Plain {
    const NAME: &'static str = "wbin plain";
    const CLASS: Class = Class::Subject;
    const NOTE: &'static str = "without columns; makes a new vector";

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        fresh(buffer, || PLAIN.to_vec(value).map_err(fail))
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        Wbin::borrow(bytes)
    }

    fn skip(bytes: &[u8], scratch: &mut Vec<u8>) -> Result<()> {
        Wbin::skip(bytes, scratch)
    }
}
