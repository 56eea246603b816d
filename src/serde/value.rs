//! [`Value`] and [`Int`] as types of serde.

use super::api::{from_slice, to_vec};
use super::tagged::{EXT_KEY, Tagged};
use crate::error::{self, Error};
use crate::num::Int;
use crate::value::{Ext, Keys, List, Map, Value};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::{any, fmt, ptr};
use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The name by which the deserializer knows that a value is asked for.
pub(super) const VALUE_NAME: &str = "$wbin::Value";

impl Serialize for Int {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.as_u64(), self.as_i64(), self.as_i128()) {
            (Some(u), _, _) => serializer.serialize_u64(u),
            (_, Some(i), _) => serializer.serialize_i64(i),
            (_, _, Some(i)) => serializer.serialize_i128(i),
            _ => serializer.serialize_u128(self.as_u128().unwrap_or_default()),
        }
    }
}

struct IntVisitor;

impl Visitor<'_> for IntVisitor {
    type Value = Int;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an int")
    }

    fn visit_u64<E: de::Error>(self, n: u64) -> Result<Int, E> {
        Ok(Int::from(n))
    }

    fn visit_i64<E: de::Error>(self, n: i64) -> Result<Int, E> {
        Ok(Int::from(n))
    }

    fn visit_u128<E: de::Error>(self, n: u128) -> Result<Int, E> {
        Ok(Int::from(n))
    }

    fn visit_i128<E: de::Error>(self, n: i128) -> Result<Int, E> {
        Ok(Int::from(n))
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Int, D::Error> {
        deserializer.deserialize_any(IntVisitor)
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(on) => serializer.serialize_bool(*on),
            Value::Int(int) => int.serialize(serializer),
            Value::Float(f) => serializer.serialize_f64(*f),
            Value::String(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::List(list) => list.serialize(serializer),
            Value::Map(map) => map.serialize(serializer),
            Value::Ext(ext) => ext.serialize(serializer),
        }
    }
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for Map<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for Ext<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Tagged { ext_type: self.ext_type, value: &self.value }.serialize(serializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value<'a>, D::Error> {
        deserializer.deserialize_newtype_struct(VALUE_NAME, ValueVisitor::default())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Ext<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ext<'a>, D::Error> {
        Tagged::deserialize(deserializer).map(|tagged| Ext { ext_type: tagged.ext_type, value: tagged.value })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Map<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Map<'a>, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Map(map) => Ok(map),
            other => Err(wrong_kind(&other, &"a map")),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for List<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<'a>, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::List(list) => Ok(list),
            other => Err(wrong_kind(&other, &"a list")),
        }
    }
}

/// A [`Value`] that owns all it holds, for [`from_reader`](crate::from_reader()) and
/// [`iter_reader`](crate::iter_reader), whose results cannot borrow.
///
/// ```
/// # #[cfg(feature = "std")] {
/// let bytes = [0x01, 0x41, b'a'];
/// let values: Vec<wbin::OwnedValue> =
///     wbin::iter_reader(&bytes[..]).collect::<Result<_, _>>().unwrap();
/// assert_eq!(values[1].0, "a");
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct OwnedValue(pub Value<'static>);

impl Serialize for OwnedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for OwnedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OwnedValue, D::Error> {
        Value::deserialize(deserializer).map(|value| OwnedValue(value.into_owned()))
    }
}

/// Converts a type of serde to a [`Value`].
///
/// ```
/// let value = wbin::to_value(&("a", [1, 2])).unwrap();
/// assert_eq!(value.to_string(), r#"["a", [1, 2]]"#);
/// ```
///
/// It goes through the encoded form, so what a `Value` looks through (SOM-4) is not kept.
///
/// # Errors
///
/// As [`to_vec`](crate::to_vec()).
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> error::Result<Value<'static>> {
    Ok(Value::from_slice(&to_vec(value)?)?.into_owned())
}

/// Converts a [`Value`] to a type of serde.
///
/// ```
/// let value = wbin::wbin!({"id": 7, "tags": ["a"]});
/// #[derive(serde::Deserialize)]
/// struct Item { id: u8, tags: Vec<String> }
/// let item: Item = wbin::from_value(&value).unwrap();
/// assert_eq!((item.id, item.tags.len()), (7, 1));
/// ```
///
/// # Errors
///
/// If the value is not what the type wants: the offset is that in the encoded form, through which it
/// goes. If it is nested deeper than 128 levels.
pub fn from_value<T: DeserializeOwned>(value: &Value<'_>) -> error::Result<T> {
    from_slice(&value.to_vec()?)
}

/// Takes whatever comes. Our own deserializer calls it directly, with exts as enums; others, and
/// serde's buffer, go through `visit_newtype_struct` and give exts as maps of one entry.
#[derive(Default)]
struct ValueVisitor<'k, 'de> {
    foreign: bool,
    /// Of an item of a list what is known of the keys of those before it.
    keys: Option<&'k mut KeysBefore<'de>>,
}

/// The keys of the maps in a list, which may share them.
#[derive(Default)]
enum KeysBefore<'de> {
    #[default]
    Unknown,
    /// Those of the first map begin with this one.
    Begin(&'de str),
    /// The maps are rows of a table.
    Known(Keys<'de>),
    /// They are not.
    Differ,
}

impl<'de> KeysBefore<'de> {
    /// Looks at the keys of one more map. Those of rows are the same text in the same place.
    fn meet(&mut self, entries: &[(Value<'de>, Value<'de>)]) {
        let first = entries.first().and_then(|(key, _)| borrowed(key));
        *self = match (&self, first) {
            (KeysBefore::Unknown, Some(first)) => KeysBefore::Begin(first),
            (KeysBefore::Begin(before), Some(first)) if ptr::eq(*before, first) => {
                KeysBefore::Known(Keys::new(entries.iter().map(|(key, _)| key.clone()).collect()))
            }
            _ => KeysBefore::Differ,
        }
    }
}

fn borrowed<'de>(key: &Value<'de>) -> Option<&'de str> {
    match key {
        Value::String(Cow::Borrowed(text)) => Some(text),
        _ => None,
    }
}

/// Lists of fewer items do not share keys.
const SHARED_MIN: usize = 4;

/// An item of a list.
struct Item<'k, 'de>(Option<&'k mut KeysBefore<'de>>);

impl<'de> DeserializeSeed<'de> for Item<'_, 'de> {
    type Value = Value<'de>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_newtype_struct(VALUE_NAME, ValueVisitor { foreign: false, keys: self.0 })
    }
}

impl<'de> Visitor<'de> for ValueVisitor<'_, 'de> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_any(ValueVisitor { foreign: true, keys: None })
    }

    #[inline]
    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        Value::deserialize(deserializer)
    }

    #[inline]
    fn visit_bool<E>(self, on: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(on))
    }

    #[inline]
    fn visit_u64<E>(self, n: u64) -> Result<Value<'de>, E> {
        Ok(Value::Int(Int::from(n)))
    }

    #[inline]
    fn visit_i64<E>(self, n: i64) -> Result<Value<'de>, E> {
        Ok(Value::Int(Int::from(n)))
    }

    fn visit_u128<E>(self, n: u128) -> Result<Value<'de>, E> {
        Ok(Value::Int(Int::from(n)))
    }

    fn visit_i128<E>(self, n: i128) -> Result<Value<'de>, E> {
        Ok(Value::Int(Int::from(n)))
    }

    #[inline]
    fn visit_f64<E>(self, f: f64) -> Result<Value<'de>, E> {
        Ok(Value::Float(f))
    }

    #[inline]
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Owned(String::from(text))))
    }

    fn visit_string<E>(self, text: String) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Owned(text)))
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Value<'de>, E> {
        Ok(Value::Bytes(Cow::Borrowed(bytes)))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Value<'de>, E> {
        Ok(Value::Bytes(Cow::Owned(bytes.to_vec())))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Value<'de>, E> {
        Ok(Value::Bytes(Cow::Owned(bytes)))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value<'de>, A::Error> {
        let n = seq.size_hint();
        let mut items = Vec::with_capacity(hint::<Value<'_>, A::Error>(n));
        let mut keys = (!self.foreign && n >= Some(SHARED_MIN)).then(KeysBefore::default);
        while let Some(item) = seq.next_element_seed(Item(keys.as_mut()))? {
            items.push(item);
        }
        Ok(Value::List(List::from(items)))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value<'de>, A::Error> {
        if self.foreign {
            return foreign_map(map);
        }
        // Our own deserializer, which alone calls this directly, has compared the keys.
        let mut entries = match &self.keys {
            Some(KeysBefore::Known(keys)) => match row(keys, &mut map)? {
                Ok(row) => return Ok(Value::Map(row)),
                Err(entries) => entries,
            },
            _ => Vec::with_capacity(hint::<(Value<'_>, Value<'_>), A::Error>(map.size_hint())),
        };
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        if let Some(before @ (KeysBefore::Unknown | KeysBefore::Begin(_))) = self.keys {
            before.meet(&entries);
        }
        Ok(Value::Map(Map::trusted(entries)))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value<'de>, A::Error> {
        let (ext_type, payload) = data.variant()?;
        let value = payload.newtype_variant()?;
        Ok(Value::Ext(Box::new(Ext { ext_type, value })))
    }
}

/// A map that may have keys that are known; if it has others, the entries up to the first of these.
#[inline]
fn row<'de, A: MapAccess<'de>>(
    keys: &Keys<'de>,
    map: &mut A,
) -> Result<core::result::Result<Map<'de>, Entries<'de>>, A::Error> {
    let mut values = Vec::with_capacity(keys.len());
    let known = |key: &Value<'de>, at: usize| match (keys.get(at).and_then(borrowed), borrowed(key)) {
        (Some(known), Some(own)) => ptr::eq(known, own),
        _ => false,
    };
    let mut other = None;
    while let Some(key) = map.next_key()? {
        if !known(&key, values.len()) {
            other = Some((key, map.next_value()?));
            break;
        }
        values.push(map.next_value()?);
    }
    if other.is_none() && values.len() == keys.len() {
        return Ok(Ok(Map::row(keys.clone(), values)));
    }
    Ok(Err(keys.iter().cloned().zip(values).chain(other).collect()))
}

type Entries<'de> = Vec<(Value<'de>, Value<'de>)>;

/// How many items to reserve memory for, if a deserializer says `n`. Our own counts no more than are there, others may
/// say what they like.
fn hint<T, E>(n: Option<usize>) -> usize {
    const MOST: usize = 1 << 20; // bytes, as serde's own collections allow themselves
    let n = n.unwrap_or(0);
    match any::type_name::<E>() == any::type_name::<Error>() {
        true => n,
        false => n.min(MOST / size_of::<T>()),
    }
}

/// A map of another format or of serde's buffer: an ext if its one key is the name that ours gives
/// to exts, and no key twice.
fn foreign_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Value<'de>, A::Error> {
    let mut entries: Vec<(Value<'de>, Value<'de>)> = Vec::new();
    while let Some(entry) = map.next_entry()? {
        entries.push(entry);
    }
    if let [(key, Value::List(pair))] = entries.as_slice() {
        if let (Some(EXT_KEY), [Value::Int(ext_type), value]) = (key.as_str(), pair.as_slice()) {
            if let Some(ext_type) = ext_type.as_u64() {
                return Ok(Value::from(Ext::new(ext_type, value.clone())));
            }
        }
    }
    Map::try_from_entries(entries).map(Value::Map).map_err(de::Error::custom)
}

/// A value of another kind than the one that is wanted.
#[cold]
fn wrong_kind<E: de::Error>(found: &Value<'_>, expected: &dyn de::Expected) -> E {
    let kind = alloc::format!("{}", found.kind());
    E::invalid_type(de::Unexpected::Other(&kind), expected)
}
