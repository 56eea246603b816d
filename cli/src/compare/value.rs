//! The value that all formats encode and decode: what JSON can hold, with its numbers exact and its members in
//! order. It is no type of wbin's own, so that wbin goes the way through serde that the others have to go.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use wbin::Int;

#[derive(Debug)]
pub(super) enum Common {
    Null,
    Bool(bool),
    Int(Int),
    Float(f64),
    String(String),
    List(Vec<Common>),
    Map(Vec<(String, Common)>),
}

/// Floats are equal if all their bits are.
impl PartialEq for Common {
    fn eq(&self, other: &Common) -> bool {
        match (self, other) {
            (Common::Null, Common::Null) => true,
            (Common::Bool(a), Common::Bool(b)) => a == b,
            (Common::Int(a), Common::Int(b)) => a == b,
            (Common::Float(a), Common::Float(b)) => a.to_bits() == b.to_bits(),
            (Common::String(a), Common::String(b)) => a == b,
            (Common::List(a), Common::List(b)) => a == b,
            (Common::Map(a), Common::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl Serialize for Common {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Not a unit, which some CBOR crates write as an empty list.
            Common::Null => serializer.serialize_none(),
            Common::Bool(on) => serializer.serialize_bool(*on),
            Common::Int(int) => match int.as_i64() {
                // BSON has an int of 32 bits; to the other formats they are the same.
                Some(n) => match i32::try_from(n) {
                    Ok(n) => serializer.serialize_i32(n),
                    Err(_) => serializer.serialize_i64(n),
                },
                None => int.serialize(serializer),
            },
            Common::Float(f) => serializer.serialize_f64(*f),
            Common::String(text) => serializer.serialize_str(text),
            Common::List(items) => serializer.collect_seq(items),
            Common::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Common {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Common, D::Error> {
        deserializer.deserialize_any(CommonVisitor)
    }
}

struct CommonVisitor;

impl<'de> Visitor<'de> for CommonVisitor {
    type Value = Common;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what JSON can hold")
    }

    fn visit_unit<E: Error>(self) -> Result<Common, E> {
        Ok(Common::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Common, E> {
        Ok(Common::Null)
    }

    fn visit_bool<E: Error>(self, on: bool) -> Result<Common, E> {
        Ok(Common::Bool(on))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Common, E> {
        Ok(Common::Int(n.into()))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Common, E> {
        Ok(Common::Int(n.into()))
    }

    fn visit_i128<E: Error>(self, n: i128) -> Result<Common, E> {
        Ok(Common::Int(n.into()))
    }

    fn visit_u128<E: Error>(self, n: u128) -> Result<Common, E> {
        Ok(Common::Int(n.into()))
    }

    fn visit_f64<E: Error>(self, f: f64) -> Result<Common, E> {
        Ok(Common::Float(f))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Common, E> {
        Ok(Common::String(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Common, E> {
        Ok(Common::String(text))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Common, A::Error> {
        let mut items = Vec::with_capacity(room::<Common>(seq.size_hint()));
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Common::List(items))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Common, A::Error> {
        let mut entries = Vec::with_capacity(room::<(String, Common)>(map.size_hint()));
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Common::Map(entries))
    }
}

/// Room for as many as a format announces, but not for more than 1 MiB.
fn room<T>(announced: Option<usize>) -> usize {
    announced.unwrap_or(0).min((1 << 20) / size_of::<T>())
}
