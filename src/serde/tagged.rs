//! Extensions as types of serde: any type with a number, and the four that the format knows.

use crate::error::{Code, Error, Result};
use crate::num::Int;
use crate::tag;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeTupleStruct, Serializer};

/// The name by which the serializer and the deserializer know an ext.
pub(super) const EXT_NAME: &str = "$wbin::Ext";
/// The key of the one entry that types which know no ext see (SRD-10).
pub(super) const EXT_KEY: &str = "$wbin::ext";

/// A value with the number of an extension (EXT-1).
///
/// ```
/// use wbin::ext::Tagged;
/// let meters = Tagged { ext_type: 100, value: 12.5 };
/// let bytes = wbin::to_vec(&meters).unwrap();
/// assert_eq!(bytes, [0xBF, 0xA0, 100, 0xB1, 0xE9, 0x03]);
/// assert_eq!(wbin::from_slice::<Tagged<f64>>(&bytes).unwrap(), meters);
/// ```
///
/// With other formats, and behind serde's buffering attributes, it is a list of the two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Tagged<T> {
    /// The type: 0…63 are the format's, 64 and above the application's.
    pub ext_type: u64,
    /// The payload.
    pub value: T,
}

impl<T: Serialize> Serialize for Tagged<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple_struct(EXT_NAME, 2)?;
        pair.serialize_field(&self.ext_type)?;
        pair.serialize_field(&self.value)?;
        pair.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Tagged<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        // A newtype first: only there a buffered ext, which is a map of one entry, can be told from
        // what other formats make of it, a list.
        deserializer.deserialize_newtype_struct(EXT_NAME, TaggedVisitor(PhantomData))
    }
}

struct TaggedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TaggedVisitor<T> {
    type Value = Tagged<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an ext")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> core::result::Result<Tagged<T>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> core::result::Result<Tagged<T>, A::Error> {
        let missing = |n| de::Error::invalid_length(n, &"an ext's type and payload");
        let ext_type = seq.next_element()?.ok_or_else(|| missing(0))?;
        let value = seq.next_element()?.ok_or_else(|| missing(1))?;
        match seq.next_element::<de::IgnoredAny>()? {
            None => Ok(Tagged { ext_type, value }),
            Some(_) => Err(missing(3)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> core::result::Result<Tagged<T>, A::Error> {
        struct Pair<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::DeserializeSeed<'de> for Pair<T> {
            type Value = Tagged<T>;
            fn deserialize<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> core::result::Result<Tagged<T>, D::Error> {
                deserializer.deserialize_seq(TaggedVisitor(PhantomData))
            }
        }
        match map.next_key::<alloc::borrow::Cow<'de, str>>()? {
            Some(key) if key == EXT_KEY => {}
            _ => return Err(de::Error::invalid_type(Unexpected::Map, &self)),
        }
        map.next_value_seed(Pair(PhantomData))
    }
}

/// Makes a type of serde of a type that is an ext with a payload of its own.
macro_rules! ext_type {
    ($type:ident, $number:expr, $what:literal, $payload:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
                Tagged { ext_type: $number, value: self.payload() }.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
                let tagged = Tagged::<$payload>::deserialize(deserializer)?;
                match tagged.ext_type {
                    number if number == $number => {
                        Self::from_payload(tagged.value).map_err(de::Error::custom)
                    }
                    other => Err(de::Error::invalid_value(
                        Unexpected::Other(&alloc::format!("ext {other}")),
                        &$what,
                    )),
                }
            }
        }
    };
}

/// A point in time: seconds since 1970-01-01T00:00:00Z, leap seconds not counted, and nanoseconds
/// after them (EXT-6).
///
/// ```
/// use wbin::ext::Timestamp;
/// let time = Timestamp::new(1_700_000_000, 0).unwrap();
/// assert_eq!(wbin::to_vec(&time).unwrap(), [0xBF, 0x00, 0xA3, 0x00, 0xF1, 0x53, 0x65]);
/// assert!(Timestamp::new(0, 1_000_000_000).is_none());
/// ```
///
/// With the module [`with::timestamp`](crate::with::timestamp), `SystemTime` and the types of other
/// crates that convert to it are written in this way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

impl Timestamp {
    /// A point in time; `None` if there are a billion nanoseconds or more.
    pub const fn new(seconds: i64, nanos: u32) -> Option<Timestamp> {
        if nanos < 1_000_000_000 { Some(Timestamp { seconds, nanos }) } else { None }
    }

    /// The whole seconds, rounded down.
    pub const fn seconds(&self) -> i64 {
        self.seconds
    }

    /// The nanoseconds after them.
    pub const fn nanos(&self) -> u32 {
        self.nanos
    }

    fn payload(&self) -> Seconds<i64> {
        Seconds { seconds: self.seconds, nanos: self.nanos }
    }

    fn from_payload(payload: Seconds<i64>) -> Result<Timestamp> {
        Ok(Timestamp { seconds: payload.seconds, nanos: payload.nanos })
    }
}

ext_type!(Timestamp, tag::EXT_TIMESTAMP, "ext 0, a timestamp", Seconds<i64>);

/// Seconds and nanoseconds: an int, or a list of two where there are nanoseconds.
pub(super) struct Seconds<T> {
    pub(super) seconds: T,
    pub(super) nanos: u32,
}

impl<T: Serialize> Serialize for Seconds<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        match self.nanos {
            0 => self.seconds.serialize(serializer),
            nanos => (&self.seconds, nanos).serialize(serializer),
        }
    }
}

impl<'de, T: TryFrom<i128>> Deserialize<'de> for Seconds<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        struct SecondsVisitor<T>(PhantomData<T>);

        impl<'de, T: TryFrom<i128>> Visitor<'de> for SecondsVisitor<T> {
            type Value = Seconds<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("seconds, or a list of seconds and nanoseconds below 1,000,000,000")
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> core::result::Result<Seconds<T>, E> {
                match T::try_from(i128::from(n)) {
                    Ok(seconds) => Ok(Seconds { seconds, nanos: 0 }),
                    Err(_) => Err(E::invalid_value(Unexpected::Signed(n), &self)),
                }
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> core::result::Result<Seconds<T>, E> {
                match T::try_from(i128::from(n)) {
                    Ok(seconds) => Ok(Seconds { seconds, nanos: 0 }),
                    Err(_) => Err(E::invalid_value(Unexpected::Unsigned(n), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> core::result::Result<Seconds<T>, A::Error> {
                let seconds = seq.next_element::<Int>()?.and_then(Int::as_i128);
                let nanos = seq.next_element::<u32>()?;
                match (seconds.map(T::try_from), nanos) {
                    (Some(Ok(seconds)), Some(nanos @ 0..=999_999_999)) => Ok(Seconds { seconds, nanos }),
                    _ => Err(de::Error::invalid_value(Unexpected::Seq, &self)),
                }
            }
        }

        deserializer.deserialize_any(SecondsVisitor(PhantomData))
    }
}

/// A UUID: its 16 bytes, in the order in which they are written (EXT-7).
///
/// ```
/// use wbin::ext::Uuid;
/// let bytes = wbin::to_vec(&Uuid([7; 16])).unwrap();
/// assert_eq!(bytes.len(), 20);
/// assert_eq!(wbin::from_slice::<Uuid>(&bytes).unwrap(), Uuid([7; 16]));
/// ```
///
/// With the module [`with::uuid`](crate::with::uuid), the types of other crates that are made of 16
/// bytes are written in this way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    fn payload(&self) -> Bytes {
        Bytes(self.0.to_vec())
    }

    fn from_payload(payload: Bytes) -> Result<Uuid> {
        let wrong = |bytes: Vec<u8>| {
            let message = alloc::format!("a UUID of {} bytes instead of 16", bytes.len());
            Error::nowhere(Code::InvalidLength, message)
        };
        payload.0.try_into().map(Uuid).map_err(wrong)
    }
}

ext_type!(Uuid, tag::EXT_UUID, "ext 1, a UUID", Bytes);

/// An integer of any size: two's complement, the lowest byte first, no byte for zero (EXT-8).
///
/// ```
/// use wbin::ext::BigInt;
/// let n = BigInt::from_le_bytes(&[0x00, 0x01, 0x00]); // 256, one byte longer than needed
/// assert_eq!(n.to_le_bytes(), [0x00, 0x01]);
/// assert_eq!(n.to_i128(), Some(256));
/// assert_eq!(BigInt::from(-1_i128).to_le_bytes(), [0xFF]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct BigInt {
    /// The fewest bytes that keep the sign.
    bytes: Vec<u8>,
}

impl BigInt {
    /// The integer that these bytes are.
    pub fn from_le_bytes(bytes: &[u8]) -> BigInt {
        let negative = bytes.last().is_some_and(|last| last >> 7 == 1);
        let filler = if negative { 0xFF } else { 0x00 };
        let mut len = bytes.len();
        // A last byte that only repeats the sign of the one before it is not needed.
        while len > 0 && bytes[len - 1] == filler {
            let before = if len > 1 { bytes[len - 2] >> 7 == 1 } else { false };
            if before != negative {
                break;
            }
            len -= 1;
        }
        BigInt { bytes: bytes[..len].to_vec() }
    }

    /// The fewest bytes that keep the sign.
    pub fn to_le_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The integer as an `i128`, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        let negative = self.bytes.last().is_some_and(|last| last >> 7 == 1);
        let mut le = [if negative { 0xFF } else { 0x00 }; 16];
        le.get_mut(..self.bytes.len())?.copy_from_slice(&self.bytes);
        Some(i128::from_le_bytes(le))
    }

    fn payload(&self) -> Bytes {
        Bytes(self.bytes.clone())
    }

    fn from_payload(payload: Bytes) -> Result<BigInt> {
        Ok(BigInt::from_le_bytes(&payload.0))
    }
}

impl From<i128> for BigInt {
    fn from(n: i128) -> BigInt {
        BigInt::from_le_bytes(&n.to_le_bytes())
    }
}

ext_type!(BigInt, tag::EXT_BIG_INT, "ext 2, a big integer", Bytes);

/// A decimal number: mantissa × 10^exponent (EXT-9).
///
/// ```
/// use wbin::ext::Decimal;
/// let price = Decimal::new(1999, -2);
/// let bytes = wbin::to_vec(&price).unwrap();
/// assert_eq!(wbin::diag::to_string(&bytes).unwrap(), "ext(3, [1999, -2])");
/// assert_eq!(wbin::from_slice::<Decimal>(&bytes).unwrap(), price);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Decimal {
    /// The digits.
    pub mantissa: Int,
    /// The power of ten that they are multiplied by.
    pub exponent: Int,
}

impl Decimal {
    /// The number mantissa × 10^exponent.
    pub fn new(mantissa: impl Into<Int>, exponent: impl Into<Int>) -> Decimal {
        Decimal { mantissa: mantissa.into(), exponent: exponent.into() }
    }

    fn payload(&self) -> (Int, Int) {
        (self.mantissa, self.exponent)
    }

    fn from_payload((mantissa, exponent): (Int, Int)) -> Result<Decimal> {
        Ok(Decimal { mantissa, exponent })
    }
}

ext_type!(Decimal, tag::EXT_DECIMAL, "ext 3, a decimal", (Int, Int));

/// Bytes as bytes, not as a list.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        struct BytesVisitor;

        impl<'de> Visitor<'de> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> core::result::Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> core::result::Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }

        deserializer.deserialize_bytes(BytesVisitor)
    }
}
