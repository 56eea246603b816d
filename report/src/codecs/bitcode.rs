//! Bitcode through serde, which needs a schema.

use super::{Class, Result, fail};
use crate::typed::{Decode, Encode, Typed, fresh};

pub struct Bitcode;

impl Typed for Bitcode {
    const NAME: &'static str = "bitcode";
    const CLASS: Class = Class::Schema;
    const NOTE: &'static str = "through serde, for which it keeps no buffer; its own derive does not take types that contain themselves";
    const SKIPS: bool = false;
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        fresh(buffer, || bitcode::serialize(value).map_err(fail))
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        bitcode::deserialize(bytes).map_err(fail)
    }
}
