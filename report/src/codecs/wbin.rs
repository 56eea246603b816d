//! wbin, the format that is measured here, in its three forms.

use std::marker::PhantomData;

use ::wbin::{Buffer, Config};

use super::{Class, Codec, Result, SUBJECT, fail};
use crate::typed::{Decode, Encode, Typed};
use crate::value::Value;

/// What is written; all that reads takes every form.
pub trait Form {
    const NAME: &'static str;
    const NOTE: &'static str;
    const TYPED_NOTE: &'static str;
    const CONFIG: Config;
    const KEEPS_ORDER: bool = true;
}

/// With columns, which is the default.
pub struct Columns;

impl Form for Columns {
    const NAME: &'static str = SUBJECT;
    const NOTE: &'static str = "its own value borrows";
    const TYPED_NOTE: &'static str = "into a kept `Buffer`";
    const CONFIG: Config = Config::new();
}

/// Without columns.
pub struct Plain;

impl Form for Plain {
    const NAME: &'static str = "wbin plain";
    const NOTE: &'static str = "without columns";
    const TYPED_NOTE: &'static str = "without columns; into a kept `Buffer`";
    const CONFIG: Config = Config::new().plain(true);
}

/// The form in which equal values have the same bytes.
pub struct Canonical;

impl Form for Canonical {
    const NAME: &'static str = "wbin canonical";
    const NOTE: &'static str = "without columns and with sorted keys, so that equal values have equal bytes";
    const TYPED_NOTE: &'static str = "without columns and with sorted keys; into a kept `Buffer`";
    const CONFIG: Config = Config::new().canonical(true);
    const KEEPS_ORDER: bool = false;
}

pub struct Wbin<F>(PhantomData<F>);

/// A buffer that encodes to one of the forms.
pub struct Kept<F>(Buffer, PhantomData<F>);

impl<F: Form> Default for Kept<F> {
    fn default() -> Kept<F> {
        Kept(Buffer::with_config(&F::CONFIG), PhantomData)
    }
}

impl<F: Form> Codec for Wbin<F> {
    const NAME: &'static str = F::NAME;
    const NOTE: &'static str = F::NOTE;
    const CLASS: Class = Class::Subject;
    const KEEPS_ORDER: bool = F::KEEPS_ORDER;
    const OWN: Option<&'static str> = Some("wbin::Value");
    type Own<'a> = ::wbin::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        F::CONFIG.to_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        ::wbin::from_slice(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        ::wbin::Value::from_slice(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        value.to_vec_with(&F::CONFIG).map_err(fail)
    }
}

impl<F: Form> Typed for Wbin<F> {
    const NAME: &'static str = F::NAME;
    const NOTE: &'static str = F::TYPED_NOTE;
    const CLASS: Class = Class::Subject;
    type Buffer = Kept<F>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        buffer.0.encode(value).map_err(fail)
    }

    fn encode_once<T: Encode>(value: &T) -> Result<()> {
        F::CONFIG.to_vec(value).map(drop).map_err(fail)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        ::wbin::from_slice(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        ::wbin::skip(bytes).map(|_| ()).map_err(fail)
    }
}
