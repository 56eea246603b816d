//! Bincode 2 through serde, which needs a schema.

use bincode::config::standard;
use bincode::serde::{borrow_decode_from_slice, encode_into_slice, encode_to_vec};

use super::{Class, Result, fail};
use crate::typed::{Decode, Encode, Typed, filled};

pub struct Bincode;

impl Typed for Bincode {
    const NAME: &'static str = "bincode";
    const CLASS: Class = Class::Schema;
    const NOTE: &'static str = "through serde, its standard configuration; into a kept slice";
    const SKIPS: bool = false;
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        filled(buffer, |buffer| encode_into_slice(value, buffer, standard()))
    }

    fn encode_once<T: Encode>(value: &T) -> Result<()> {
        encode_to_vec(value, standard()).map(drop).map_err(fail)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        borrow_decode_from_slice(bytes, standard()).map(|(value, _)| value).map_err(fail)
    }
}
