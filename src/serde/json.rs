//! The mapping to and from JSON, in which whatever JSON cannot hold has a form of its own (JSN-1).
//!
//! | value | form |
//! |---|---|
//! | int outside of -2^63…2^64-1 | `{"$wbin:int": "digits"}` |
//! | NaN and infinities | `{"$wbin:float": "nan"}`, `"inf"`, `"-inf"`, or the 16 hex digits of the bits |
//! | bytes | `{"$wbin:bytes": "hex digits"}` |
//! | ext | `{"$wbin:ext": [type, payload]}` |
//! | map with keys that are not text, or that looks like one of these forms | `{"$wbin:map": [[key, value], …]}` |
//!
//! Everything else is itself: ints are numbers without a point or exponent, floats always have one.
//!
//! ```
//! # fn main() -> wbin::Result<()> {
//! use wbin::{json, wbin};
//! let value = wbin!({"a": [1, 2.0], "raw": wbin::Value::from(&b"\x00\xff"[..]), "n": f64::INFINITY});
//! let as_json = json::to_json(&value)?;
//! assert_eq!(
//!     as_json.to_string(),
//!     r#"{"a":[1,2.0],"n":{"$wbin:float":"inf"},"raw":{"$wbin:bytes":"00ff"}}"#
//! );
//! assert_eq!(json::from_json(&as_json)?.as_map().map(wbin::Map::len), Some(3));
//! # Ok(())
//! # }
//! ```
//!
//! (`serde_json::Value` sorts its keys unless its own feature `preserve_order` is on; [`Json`] writes
//! text directly and keeps the order.)

use crate::config::Config;
use crate::diag::parse_hex;
use crate::encode::too_deep;
use crate::error::{Code, Error, Result};
use crate::num::Int;
use crate::value::{Ext, List, Map, Value};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value as JsonValue;

/// What the names of the forms begin with.
const PREFIX: &str = "$wbin:";
const INT: &str = "$wbin:int";
const FLOAT: &str = "$wbin:float";
const BYTES: &str = "$wbin:bytes";
const EXT: &str = "$wbin:ext";
const MAP: &str = "$wbin:map";

/// A value that serializes as JSON in this mapping, for `serde_json::to_string` and its kin.
///
/// ```
/// use wbin::{json::Json, wbin};
/// let value = wbin!({"b": 1, "a": {5: "five"}});
/// let text = serde_json::to_string(&Json::new(&value)).unwrap();
/// assert_eq!(text, r#"{"b":1,"a":{"$wbin:map":[[5,"five"]]}}"#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Json<'v, 'a> {
    value: &'v Value<'a>,
    depth_left: u32,
}

impl<'v, 'a> Json<'v, 'a> {
    /// Serializes a value that is nested at most 128 deep; a deeper one is an error.
    pub fn new(value: &'v Value<'a>) -> Json<'v, 'a> {
        Json { value, depth_left: Config::DEFAULT_MAX_DEPTH }
    }

    fn inner(&self, value: &'v Value<'a>) -> Json<'v, 'a> {
        // A container is serialized only with a level left.
        Json { value, depth_left: self.depth_left - 1 }
    }
}

/// A form: an object of one entry.
fn form<S: Serializer, T: Serialize + ?Sized>(
    serializer: S,
    name: &'static str,
    content: &T,
) -> core::result::Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, content)?;
    map.end()
}

/// Whether a map is an object: its keys are text, and it does not look like a form (JSN-7).
fn is_object(map: &Map<'_>) -> bool {
    let looks_like_form =
        map.len() == 1 && map.keys().any(|key| key.as_str().is_some_and(|key| key.starts_with(PREFIX)));
    !looks_like_form && map.keys().all(|key| key.as_str().is_some())
}

impl Serialize for Json<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> core::result::Result<S::Ok, S::Error> {
        let container = matches!(self.value, Value::List(_) | Value::Map(_) | Value::Ext(_));
        if container && self.depth_left == 0 {
            return Err(S::Error::custom(too_deep(Config::DEFAULT_MAX_DEPTH)));
        }
        match self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(on) => serializer.serialize_bool(*on),
            Value::Int(int) => match (int.as_i64(), int.as_u64()) {
                (Some(n), _) => serializer.serialize_i64(n),
                (_, Some(n)) => serializer.serialize_u64(n),
                _ => form(serializer, INT, &int.to_string()),
            },
            Value::Float(f) if f.is_finite() => serializer.serialize_f64(*f),
            Value::Float(f) => form(serializer, FLOAT, &*float_name(*f)),
            Value::String(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => form(serializer, BYTES, &hex(bytes)),
            Value::List(list) => {
                let mut seq = serializer.serialize_seq(Some(list.len()))?;
                list.iter().try_for_each(|item| seq.serialize_element(&self.inner(item)))?;
                seq.end()
            }
            Value::Ext(ext) => {
                let ext_type = Value::from(ext.ext_type);
                let payload = self.inner(&ext.value);
                form(serializer, EXT, &(Json::new(&ext_type), payload))
            }
            Value::Map(map) if is_object(map) => {
                let mut object = serializer.serialize_map(Some(map.len()))?;
                map.iter().try_for_each(|(key, value)| {
                    object.serialize_entry(key.as_str().unwrap_or_default(), &self.inner(value))
                })?;
                object.end()
            }
            Value::Map(map) => {
                let pairs: Vec<_> =
                    map.iter().map(|(key, value)| (self.inner(key), self.inner(value))).collect();
                form(serializer, MAP, &pairs)
            }
        }
    }
}

/// Converts a value to a `serde_json::Value`.
///
/// # Errors
///
/// If it is nested deeper than 128 levels.
pub fn to_json(value: &Value<'_>) -> Result<JsonValue> {
    if value.is_deeper_than(Config::DEFAULT_MAX_DEPTH) {
        return Err(too_deep(Config::DEFAULT_MAX_DEPTH));
    }
    serde_json::to_value(Json::new(value)).map_err(|error| Error::nowhere(Code::Json, error.to_string()))
}

/// Converts a `serde_json::Value` to a value, with the forms read back to what they stand for.
///
/// What `serde_json` has read as a float (an int of more than 64 bits among them) is a float, and of
/// two equal names it has kept one (JSN-2).
///
/// # Errors
///
/// If an object of one entry, named like a form, is none; if a `$wbin:map` has a key twice; or if it
/// is nested deeper than 128 levels.
pub fn from_json(json: &JsonValue) -> Result<Value<'_>> {
    // A level of a value is at most three of JSON: `resolve` counts those of the value.
    resolve(plain(json, 3 * Config::DEFAULT_MAX_DEPTH + 3)?)
}

impl<'a> TryFrom<&'a JsonValue> for Value<'a> {
    type Error = Error;

    /// As [`from_json`].
    fn try_from(json: &'a JsonValue) -> Result<Value<'a>> {
        from_json(json)
    }
}

impl TryFrom<&Value<'_>> for JsonValue {
    type Error = Error;

    /// As [`to_json`].
    fn try_from(value: &Value<'_>) -> Result<JsonValue> {
        to_json(value)
    }
}

/// A value in which the forms are still maps.
fn plain(json: &JsonValue, depth_left: u32) -> Result<Value<'_>> {
    let deeper = || depth_left.checked_sub(1).ok_or_else(|| too_deep(Config::DEFAULT_MAX_DEPTH));
    Ok(match json {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(on) => Value::Bool(*on),
        JsonValue::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(n), _, _) => Value::from(n),
            (_, Some(n), _) => Value::from(n),
            (_, _, Some(f)) => Value::from(f),
            _ => return Err(refused("a number that no float holds", &number.to_string())),
        },
        JsonValue::String(text) => Value::String(Cow::Borrowed(text)),
        JsonValue::Array(items) => {
            let depth = deeper()?;
            Value::List(items.iter().map(|item| plain(item, depth)).collect::<Result<List<'_>>>()?)
        }
        JsonValue::Object(entries) => {
            let depth = deeper()?;
            let entries = entries
                .iter()
                .map(|(key, value)| Ok((Value::String(Cow::Borrowed(key)), plain(value, depth)?)));
            Value::Map(Map::trusted(entries.collect::<Result<Vec<_>>>()?))
        }
    })
}

/// Reads the forms in a value that came from JSON as it stood there: for JSON readers other than
/// `serde_json`.
///
/// ```
/// use wbin::{json, wbin};
/// let read = wbin!({"id": {"$wbin:bytes": "00ff"}});
/// assert_eq!(json::resolve(read).unwrap().to_string(), r#"{"id": h'00ff'}"#);
/// ```
///
/// # Errors
///
/// As [`from_json`].
pub fn resolve(value: Value<'_>) -> Result<Value<'_>> {
    resolve_to(value, Config::DEFAULT_MAX_DEPTH)
}

fn resolve_to(value: Value<'_>, depth_left: u32) -> Result<Value<'_>> {
    if !matches!(value, Value::List(_) | Value::Map(_) | Value::Ext(_)) {
        return Ok(value);
    }
    let deeper = || depth_left.checked_sub(1).ok_or_else(|| too_deep(Config::DEFAULT_MAX_DEPTH));
    match value {
        Value::List(mut list) => {
            let depth = deeper()?;
            for item in list.iter_mut() {
                *item = resolve_to(item.take(), depth)?;
            }
            Ok(Value::List(list))
        }
        Value::Map(mut map) => {
            if let (1, Some((key, content))) = (map.len(), map.iter().next()) {
                if let Some(name) = key.as_str().filter(|name| name.starts_with(PREFIX)) {
                    return resolve_form(name, content, deeper);
                }
            }
            let depth = deeper()?;
            for item in map.values_mut() {
                *item = resolve_to(item.take(), depth)?;
            }
            Ok(Value::Map(map))
        }
        Value::Ext(mut ext) => {
            ext.value = resolve_to(ext.value.take(), deeper()?)?;
            Ok(Value::Ext(ext))
        }
        scalar => Ok(scalar),
    }
}

/// What a form stands for.
fn resolve_form<'a>(name: &str, content: &Value<'a>, deeper: impl Fn() -> Result<u32>) -> Result<Value<'a>> {
    let resolved = match (name, content) {
        (INT, Value::String(digits)) => parse_int(digits).map(Value::Int),
        (FLOAT, Value::String(text)) => parse_float(text).map(Value::Float),
        (BYTES, Value::String(digits)) => parse_hex(digits).map(|bytes| Value::Bytes(bytes.into())),
        (EXT, Value::List(pair)) => match pair.as_slice() {
            [ext_type, payload] => match resolve_to(ext_type.clone(), 0)?.as_u64() {
                Some(ext_type) => {
                    let payload = resolve_to(payload.clone(), deeper()?)?;
                    Some(Value::from(Ext::new(ext_type, payload)))
                }
                None => None,
            },
            _ => None,
        },
        (MAP, Value::List(pairs)) => {
            let depth = deeper()?;
            let mut entries = Vec::with_capacity(pairs.len());
            for pair in pairs {
                match pair.as_list().map(|pair| pair.as_slice()) {
                    Some([key, value]) => {
                        entries.push((resolve_to(key.clone(), depth)?, resolve_to(value.clone(), depth)?))
                    }
                    _ => return Err(refused("a malformed form", name)),
                }
            }
            Some(Value::Map(Map::try_from_entries(entries)?))
        }
        _ => None,
    };
    resolved.ok_or_else(|| refused("a malformed form", name))
}

/// Digits, with a minus sign or none.
fn parse_int(digits: &str) -> Option<Int> {
    // Exactly as it is written, so without zeros before other digits, and no minus before zero.
    digits.parse::<Int>().ok().filter(|int| int.to_string() == digits)
}

fn float_name(f: f64) -> Cow<'static, str> {
    match f {
        f64::INFINITY => "inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        f if f.to_bits() == 0x7FF8_0000_0000_0000 => "nan".into(),
        f => alloc::format!("{:016x}", f.to_bits()).into(),
    }
}

fn parse_float(text: &str) -> Option<f64> {
    match text {
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::from_bits(0x7FF8_0000_0000_0000)),
        _ => {
            let bytes = parse_hex(text)?;
            Some(f64::from_bits(u64::from_be_bytes(bytes.try_into().ok()?)))
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cold]
fn refused(what: &str, content: &str) -> Error {
    Error::nowhere(Code::Json, alloc::format!("{what}: {content}"))
}
