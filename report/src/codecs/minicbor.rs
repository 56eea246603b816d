//! CBOR through minicbor-serde.

use minicbor_serde::Serializer;
use serde::Serialize;

use super::{Codec, Result, fail, start};
use crate::value::Value;

pub struct Minicbor;

impl Codec for Minicbor {
    const NAME: &'static str = "minicbor-serde";
    const NOTE: &'static str = "the crate has no value of its own";
    type Own<'a> = ();

    fn encode(value: &Value) -> Result<Vec<u8>> {
        let mut bytes = start();
        value.serialize(&mut Serializer::new(&mut bytes)).map_err(fail)?;
        Ok(bytes)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        minicbor_serde::from_slice(bytes).map_err(fail)
    }
}
