//! The dynamic value that every codec encodes and decodes: a plain enum with serde's traits written by hand.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// What a self-describing format can say about data whose type is not known beforehand.
///
/// An int has one form only: `I64` where it fits, `U64` above. Map entries keep their order.
#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    I64(i64),
    U64(u64),
    F64(f64),
    String(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The int `n`, in its one form.
    pub fn from_u64(n: u64) -> Value {
        i64::try_from(n).map_or(Value::U64(n), Value::I64)
    }

    /// The same value with the entries of every map in the order of their keys, for formats that do not keep it.
    pub fn sorted(&self) -> Value {
        match self {
            Value::List(items) => Value::List(items.iter().map(Value::sorted).collect()),
            Value::Map(entries) => {
                let mut entries: Vec<_> =
                    entries.iter().map(|(key, value)| (key.clone(), value.sorted())).collect();
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                Value::Map(entries)
            }
            other => other.clone(),
        }
    }
}

/// Floats are equal if all their bits are: a codec that turns -0.0 into 0.0 has not kept the value.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::I64(a), Value::I64(b)) => a == b,
            (Value::U64(a), Value::U64(b)) => a == b,
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Map(a), Value::Map(b)) => a == b,
            _ => false,
        }
    }
}

impl Serialize for Value {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Not `serialize_unit`, which two of the CBOR crates write as an empty list.
            Value::Null => serializer.serialize_none(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::I64(value) => serializer.serialize_i64(*value),
            Value::U64(value) => serializer.serialize_u64(*value),
            Value::F64(value) => serializer.serialize_f64(*value),
            Value::String(value) => serializer.serialize_str(value),
            Value::Bytes(value) => serializer.serialize_bytes(value),
            Value::List(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Value::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Enough for the length hints of honest input, and no more than 1 MiB for others.
fn capacity<T>(hint: Option<usize>) -> usize {
    hint.unwrap_or(0).min((1 << 20) / size_of::<T>())
}

impl<'de> Deserialize<'de> for Value {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct ValueVisitor;

        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            #[inline]
            fn visit_unit<E: Error>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            #[inline]
            fn visit_none<E: Error>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            #[inline]
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
                Value::deserialize(deserializer)
            }

            #[inline]
            fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }

            #[inline]
            fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
                Ok(Value::I64(value))
            }

            #[inline]
            fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
                Ok(Value::from_u64(value))
            }

            #[inline]
            fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
                Ok(Value::F64(value))
            }

            #[inline]
            fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
                Ok(Value::String(value.to_owned()))
            }

            #[inline]
            fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
                Ok(Value::String(value))
            }

            #[inline]
            fn visit_bytes<E: Error>(self, value: &[u8]) -> Result<Value, E> {
                Ok(Value::Bytes(value.to_owned()))
            }

            #[inline]
            fn visit_byte_buf<E: Error>(self, value: Vec<u8>) -> Result<Value, E> {
                Ok(Value::Bytes(value))
            }

            #[inline]
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
                let mut items = Vec::with_capacity(capacity::<Value>(seq.size_hint()));
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Value::List(items))
            }

            #[inline]
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                let mut entries = Vec::with_capacity(capacity::<(String, Value)>(map.size_hint()));
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Value::Map(entries))
            }
        }

        deserializer.deserialize_any(ValueVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_by_number_and_by_bits() {
        assert_eq!(Value::from_u64(5), Value::I64(5));
        assert_eq!(Value::from_u64(u64::MAX), Value::U64(u64::MAX));
        assert_ne!(Value::F64(0.0), Value::F64(-0.0));
        assert_eq!(Value::F64(f64::NAN), Value::F64(f64::NAN));
        assert_ne!(Value::I64(1), Value::F64(1.0));
    }

    #[test]
    fn sorting_reaches_every_level() {
        let map = |keys: [&str; 2]| Value::Map(keys.map(|key| (key.to_owned(), Value::Null)).to_vec());
        let nested = Value::List(vec![map(["b", "a"])]);
        assert_ne!(nested, Value::List(vec![map(["a", "b"])]));
        assert_eq!(nested.sorted(), Value::List(vec![map(["a", "b"])]));
    }

    #[test]
    fn every_kind_survives_serde() {
        let all = Value::List(vec![
            Value::Null,
            Value::Bool(true),
            Value::I64(i64::MIN),
            Value::U64(u64::MAX),
            Value::F64(-0.5),
            Value::String("text".to_owned()),
            Value::Bytes(vec![0, 255]),
            Value::Map(vec![("key".to_owned(), Value::List(vec![]))]),
        ]);
        let bytes = rmp_serde::to_vec_named(&all).unwrap();
        assert_eq!(rmp_serde::from_slice::<Value>(&bytes).unwrap(), all);
    }
}
