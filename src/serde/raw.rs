//! [`RawValue`] as a part of serde's types.

use crate::check;
use crate::error::Error;
use crate::raw::RawValue;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// The name by which the serializer and the deserializer know a raw value.
pub(super) const RAW_NAME: &str = "$wbin::RawValue";

impl Serialize for RawValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Bytes<'a>(&'a [u8]);
        impl Serialize for Bytes<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_bytes(self.0)
            }
        }
        serializer.serialize_newtype_struct(RAW_NAME, &Bytes(self.as_bytes()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawValue<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawValue<'a>, D::Error> {
        deserializer.deserialize_newtype_struct(RAW_NAME, RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = RawValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a wbin value, or its encoded bytes")
    }

    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<RawValue<'de>, E> {
        match check::valid(bytes, u32::MAX) {
            Ok(depth) => Ok(RawValue::trusted(bytes, depth)),
            Err(error) => Err(custom(error)),
        }
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<RawValue<'de>, E> {
        RawValue::from_vec(bytes.to_vec()).map_err(custom)
    }

    /// A value that stood in columns, written in the plain layer.
    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<RawValue<'de>, E> {
        RawValue::from_vec_within(bytes, u32::MAX).map_err(custom)
    }

    /// Bytes of a format that has none.
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<RawValue<'de>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element()? {
            bytes.push(byte);
        }
        RawValue::from_vec(bytes).map_err(custom)
    }

    /// Other deserializers, and serde's buffer, which do not know the name.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<RawValue<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

#[cold]
fn custom<E: de::Error>(error: Error) -> E {
    E::custom(error)
}
