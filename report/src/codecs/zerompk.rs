//! MessagePack through zerompk, which has traits of its own instead of serde's.

use zerompk::{Error, FromMessagePack, Read, SliceReader, ToMessagePack, Write};

use super::{Class, Codec, Result, fail};
use crate::typed::{Decode, Encode, Typed, filled};
use crate::value::Value;

impl ToMessagePack for Value {
    fn write<W: Write>(&self, writer: &mut W) -> zerompk::Result<()> {
        match self {
            Value::Null => writer.write_nil(),
            Value::Bool(value) => writer.write_boolean(*value),
            Value::I64(value) => writer.write_i64(*value),
            Value::U64(value) => writer.write_u64(*value),
            Value::F64(value) => writer.write_f64(*value),
            Value::String(value) => writer.write_string(value),
            Value::Bytes(value) => writer.write_binary(value),
            Value::List(items) => {
                writer.write_array_len(items.len())?;
                items.iter().try_for_each(|item| item.write(writer))
            }
            Value::Map(entries) => {
                writer.write_map_len(entries.len())?;
                entries.iter().try_for_each(|(key, value)| {
                    writer.write_string(key)?;
                    value.write(writer)
                })
            }
        }
    }
}

impl<'de> FromMessagePack<'de> for Value {
    fn read<R: Read<'de>>(reader: &mut R) -> zerompk::Result<Value> {
        match reader.peek_marker()? {
            0xC0 => reader.read_nil().map(|()| Value::Null),
            0xC2 | 0xC3 => reader.read_boolean().map(Value::Bool),
            0x00..=0x7F | 0xCC..=0xCF => reader.read_u64().map(Value::from_u64),
            0xE0..=0xFF | 0xD0..=0xD3 => reader.read_i64().map(Value::I64),
            0xCA => reader.read_f32().map(|value| Value::F64(value.into())),
            0xCB => reader.read_f64().map(Value::F64),
            0xA0..=0xBF | 0xD9..=0xDB => reader.read_string().map(|text| Value::String(text.into_owned())),
            0xC4..=0xC6 => reader.read_binary().map(|bytes| Value::Bytes(bytes.into_owned())),
            0x90..=0x9F | 0xDC | 0xDD => {
                reader.increment_depth()?;
                let len = reader.read_array_len()?;
                let mut items = Vec::with_capacity(len.min(1 << 15));
                for _ in 0..len {
                    items.push(Value::read(reader)?);
                }
                reader.decrement_depth();
                Ok(Value::List(items))
            }
            0x80..=0x8F | 0xDE | 0xDF => {
                reader.increment_depth()?;
                let len = reader.read_map_len()?;
                let mut entries = Vec::with_capacity(len.min(1 << 14));
                for _ in 0..len {
                    entries.push((reader.read_string()?.into_owned(), Value::read(reader)?));
                }
                reader.decrement_depth();
                Ok(Value::Map(entries))
            }
            marker => Err(Error::InvalidMarker(marker)),
        }
    }
}

pub struct Zerompk;

impl Codec for Zerompk {
    const NAME: &'static str = "zerompk";
    const NOTE: &'static str =
        "through its own traits, written by hand for the common value, not through serde";
    const SERDE: bool = false;
    const OWN: Option<&'static str> = Some("zerompk::Value");
    type Own<'a> = zerompk::Value<'a>;

    fn encode(value: &Value) -> Result<Vec<u8>> {
        zerompk::to_msgpack_vec(value).map_err(fail)
    }

    fn decode(bytes: &[u8], _: &mut Vec<u8>) -> Result<Value> {
        zerompk::from_msgpack(bytes).map_err(fail)
    }

    fn decode_own<'a>(bytes: &'a [u8], _: &'a mut Vec<u8>) -> Result<Self::Own<'a>> {
        zerompk::from_msgpack(bytes).map_err(fail)
    }

    fn encode_own(value: &Self::Own<'_>) -> Result<Vec<u8>> {
        zerompk::to_msgpack_vec(value).map_err(fail)
    }
}

impl Typed for Zerompk {
    const NAME: &'static str = "zerompk";
    const CLASS: Class = Class::Names;
    const NOTE: &'static str = "its own derive, in map mode; into a kept slice";
    const SERDE: bool = false;
    type Buffer = Vec<u8>;

    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]> {
        if buffer.is_empty()
            && let Some(hint) = value.size_hint()
        {
            // It writes without checks into a slice of the length that it asks for.
            buffer.resize(hint.upper_bound(), 0);
        }
        filled(buffer, |buffer| zerompk::to_msgpack(value, buffer))
    }

    fn encode_once<T: Encode>(value: &T) -> Result<()> {
        zerompk::to_msgpack_vec(value).map(drop).map_err(fail)
    }

    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T> {
        zerompk::from_msgpack(bytes).map_err(fail)
    }

    fn skip(bytes: &[u8], _: &mut Self::Buffer) -> Result<()> {
        SliceReader::new(bytes).skip_value().map_err(fail)
    }
}
