//! Postcard, which needs a schema.

use super::{Class, Result, fail};
use crate::typed::{Decode, Encode, Typed, filled};

pub struct Postcard;

impl Typed for Postcard {
    const NAME: &'static str = "postcard";
    const CLASS: Class = Class::Schema;
    const NOTE: &'static str = "into a kept slice";
    const SKIPS: bool = false;
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        filled(buffer, |buffer| postcard::to_slice(value, buffer).map(|bytes| bytes.len()))
    }

    fn encode_once<T: Encode>(value: &T) -> Result<()> {
        postcard::to_stdvec(value).map(drop).map_err(fail)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        postcard::from_bytes(bytes).map_err(fail)
    }
}
