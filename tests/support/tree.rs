//! A value that holds everything of the data model, `some` included, and the ways into it and out of
//! it: from the vectors, through serde's untyped visitors, from and to the events of the crate.

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use wbin::{Decoder, Encoder, Event, Int, Value};

/// Any value. Floats are their bits, so that equality is that of chapter 2 of SPEC.md.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    /// Whether it is negative, and u: the int is u, or -1 - u.
    Int(bool, u128),
    Float(u64),
    Str(String),
    Bytes(Vec<u8>),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
    Ext(u64, Box<Tree>),
    /// Only where it counts (VAL-9).
    Some(Box<Tree>),
}

impl Tree {
    /// A `some` around a value, if it counts.
    pub(crate) fn some(payload: Tree) -> Tree {
        match payload {
            Tree::Null | Tree::Some(_) => Tree::Some(Box::new(payload)),
            other => other,
        }
    }

    /// Every `some` taken away, as readers without one see it.
    pub(crate) fn without_some(&self) -> Tree {
        match self {
            Tree::Some(payload) => payload.without_some(),
            Tree::List(items) => Tree::List(items.iter().map(Tree::without_some).collect()),
            Tree::Map(entries) => {
                let pair = |(key, value): &(Tree, Tree)| (key.without_some(), value.without_some());
                Tree::Map(entries.iter().map(pair).collect())
            }
            Tree::Ext(ext_type, payload) => Tree::Ext(*ext_type, Box::new(payload.without_some())),
            scalar => scalar.clone(),
        }
    }

    pub(crate) fn has_some(&self) -> bool {
        self.without_some() != *self
    }

    /// Whether two keys of some map are equal to those who look through `some` (MAP-7).
    pub(crate) fn collides(&self) -> bool {
        match self {
            Tree::List(items) => items.iter().any(Tree::collides),
            Tree::Ext(_, payload) | Tree::Some(payload) => payload.collides(),
            Tree::Map(entries) => {
                let keys: Vec<Tree> = entries.iter().map(|(key, _)| key.without_some()).collect();
                let twice = (1..keys.len()).any(|at| keys[..at].contains(&keys[at]));
                twice || entries.iter().any(|(key, value)| key.collides() || value.collides())
            }
            _ => false,
        }
    }

    /// How many levels it nests.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Tree::List(items) => 1 + items.iter().map(Tree::depth).max().unwrap_or(0),
            Tree::Map(entries) => {
                let pair = |(key, value): &(Tree, Tree)| key.depth().max(value.depth());
                1 + entries.iter().map(pair).max().unwrap_or(0)
            }
            Tree::Ext(_, payload) | Tree::Some(payload) => 1 + payload.depth(),
            _ => 0,
        }
    }

    /// A value as the vectors' README writes it.
    pub(crate) fn from_vector(json: &serde_json::Value) -> Result<Tree, String> {
        let members = json.as_object().filter(|members| members.len() == 1);
        let (kind, content) =
            members.and_then(|members| members.iter().next()).ok_or(format!("{json} is no value"))?;
        let text = || content.as_str().ok_or(format!("{kind} of {content}"));
        let items = || content.as_array().ok_or(format!("{kind} of {content}"));
        let bad = |error: &dyn fmt::Display| format!("{kind} of {content}: {error}");
        Ok(match kind.as_str() {
            "null" => Tree::Null,
            "bool" => Tree::Bool(content.as_bool().ok_or(format!("bool of {content}"))?),
            "u" => Tree::Int(false, text()?.parse().map_err(|error| bad(&error))?),
            "i" => {
                let int: i128 = text()?.parse().map_err(|error| bad(&error))?;
                Tree::Int(true, !int as u128)
            }
            "f64" => Tree::Float(u64::from_str_radix(text()?, 16).map_err(|error| bad(&error))?),
            "str" => Tree::Str(text()?.to_string()),
            "bytes" => Tree::Bytes(super::unhex(text()?)),
            "list" => Tree::List(items()?.iter().map(Tree::from_vector).collect::<Result<_, _>>()?),
            "map" => {
                let mut entries = Vec::new();
                for pair in items()? {
                    let key = Tree::from_vector(&pair[0])?;
                    entries.push((key, Tree::from_vector(&pair[1])?));
                }
                Tree::Map(entries)
            }
            "ext" => {
                let ext_type = content[0].as_str().and_then(|digits| digits.parse().ok());
                let payload = Tree::from_vector(&content[1])?;
                Tree::Ext(ext_type.ok_or(format!("ext of {content}"))?, Box::new(payload))
            }
            "some" => Tree::Some(Box::new(Tree::from_vector(content)?)),
            _ => return Err(format!("{kind} is no kind of value")),
        })
    }

    pub(crate) fn from_int(int: Int) -> Tree {
        match int.as_u128() {
            Some(u) => Tree::Int(false, u),
            None => Tree::Int(true, !int.as_i128().expect("a negative int") as u128),
        }
    }

    fn to_int(negative: bool, u: u128) -> Int {
        if negative { Int::from(!(u as i128)) } else { Int::from(u) }
    }

    /// The next value of a decoder, from its events.
    pub(crate) fn from_events(decoder: &mut Decoder<'_>) -> wbin::Result<Tree> {
        let event = decoder.event()?.expect("a value");
        Tree::from_event(event, decoder)
    }

    fn from_event(event: Event<'_>, decoder: &mut Decoder<'_>) -> wbin::Result<Tree> {
        let mut parts = Vec::new();
        let container = matches!(event, Event::List(_) | Event::Map(_) | Event::Ext(_) | Event::Some);
        if container {
            loop {
                match decoder.event()?.expect("an event inside a container") {
                    Event::End => break,
                    part => parts.push(Tree::from_event(part, decoder)?),
                }
            }
        }
        let announced = parts.len();
        let mut parts = parts.into_iter();
        let mut one = || parts.next().expect("a payload");
        Ok(match event {
            Event::Null => Tree::Null,
            Event::Bool(on) => Tree::Bool(on),
            Event::Int(int) => Tree::from_int(int),
            Event::Float(f) => Tree::Float(f.to_bits()),
            Event::String(text) => Tree::Str(text.to_string()),
            Event::Bytes(bytes) => Tree::Bytes(bytes.to_vec()),
            Event::Ext(ext_type) => Tree::Ext(ext_type, Box::new(one())),
            Event::Some => Tree::some(one()),
            Event::List(n) => {
                assert!(n.is_none_or(|n| n == announced), "{n:?} announced, {announced} given");
                Tree::List(parts.collect())
            }
            Event::Map(n) => {
                assert!(n.is_none_or(|n| 2 * n == announced), "{n:?} announced, {announced} given");
                let mut entries = Vec::new();
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    entries.push((key, value));
                }
                Tree::Map(entries)
            }
            other => panic!("{other:?} where a value begins"),
        })
    }

    /// Tells an encoder the whole value, counts and all.
    pub(crate) fn encode(&self, encoder: &mut Encoder) -> wbin::Result<()> {
        match self {
            Tree::Null => encoder.null()?,
            Tree::Bool(on) => encoder.bool(*on)?,
            Tree::Int(negative, u) => encoder.int(Tree::to_int(*negative, *u))?,
            Tree::Float(bits) => encoder.f64(f64::from_bits(*bits))?,
            Tree::Str(text) => encoder.str(text)?,
            Tree::Bytes(bytes) => encoder.bytes(bytes)?,
            Tree::List(items) => {
                encoder.list(items.len())?;
                items.iter().try_for_each(|item| item.encode(encoder))?;
                encoder.end()?
            }
            Tree::Map(entries) => {
                encoder.map(entries.len())?;
                for (key, value) in entries {
                    key.encode(encoder)?;
                    value.encode(encoder)?;
                }
                encoder.end()?
            }
            Tree::Ext(ext_type, payload) => {
                encoder.ext(*ext_type)?;
                payload.encode(encoder)?;
                encoder.end()?
            }
            Tree::Some(payload) => {
                encoder.some()?;
                payload.encode(encoder)?;
                encoder.end()?
            }
        };
        Ok(())
    }

    /// The crate's own value; there must be no `some` in this one.
    pub(crate) fn to_value(&self) -> Value<'static> {
        match self {
            Tree::Null => Value::Null,
            Tree::Bool(on) => Value::Bool(*on),
            Tree::Int(negative, u) => Value::Int(Tree::to_int(*negative, *u)),
            Tree::Float(bits) => Value::Float(f64::from_bits(*bits)),
            Tree::Str(text) => Value::from(text.clone()),
            Tree::Bytes(bytes) => Value::Bytes(bytes.clone().into()),
            Tree::List(items) => items.iter().map(Tree::to_value).collect(),
            Tree::Map(entries) => {
                let pair = |(key, value): &(Tree, Tree)| (key.to_value(), value.to_value());
                let entries = entries.iter().map(pair).collect();
                Value::Map(wbin::Map::try_from_entries(entries).expect("different keys"))
            }
            Tree::Ext(ext_type, payload) => Value::from(wbin::Ext::new(*ext_type, payload.to_value())),
            Tree::Some(_) => panic!("a value that holds no some was asked of {self:?}"),
        }
    }
}

impl From<&Value<'_>> for Tree {
    fn from(value: &Value<'_>) -> Tree {
        match value {
            Value::Null => Tree::Null,
            Value::Bool(on) => Tree::Bool(*on),
            Value::Int(int) => Tree::from_int(*int),
            Value::Float(f) => Tree::Float(f.to_bits()),
            Value::String(text) => Tree::Str(text.to_string()),
            Value::Bytes(bytes) => Tree::Bytes(bytes.to_vec()),
            Value::List(items) => Tree::List(items.iter().map(Tree::from).collect()),
            Value::Map(entries) => {
                Tree::Map(entries.iter().map(|(key, value)| (Tree::from(key), Tree::from(value))).collect())
            }
            Value::Ext(ext) => Tree::Ext(ext.ext_type, Box::new(Tree::from(&ext.value))),
        }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Null => serializer.serialize_unit(),
            Tree::Bool(on) => serializer.serialize_bool(*on),
            Tree::Int(false, u) => serializer.serialize_u128(*u),
            Tree::Int(true, u) => serializer.serialize_i128(!(*u as i128)),
            Tree::Float(bits) => serializer.serialize_f64(f64::from_bits(*bits)),
            Tree::Str(text) => serializer.serialize_str(text),
            Tree::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Tree::List(items) => serializer.collect_seq(items),
            Tree::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
            Tree::Ext(ext_type, payload) => {
                wbin::ext::Tagged { ext_type: *ext_type, value: payload }.serialize(serializer)
            }
            Tree::Some(payload) => serializer.serialize_some(payload),
        }
    }
}

/// By `deserialize_any`, as a type that knows nothing of the format would do it.
impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer).map(Tree::some)
    }

    fn visit_bool<E>(self, on: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(on))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Tree, E> {
        Ok(Tree::Int(false, u128::from(n)))
    }

    fn visit_u128<E>(self, n: u128) -> Result<Tree, E> {
        assert!(n > u128::from(u64::MAX), "{n} fits in 64 bits (SRD-9)");
        Ok(Tree::Int(false, n))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Tree, E> {
        assert!(n < 0, "{n} is not negative");
        Ok(Tree::Int(true, !n as u128))
    }

    fn visit_i128<E>(self, n: i128) -> Result<Tree, E> {
        assert!(i64::try_from(n).is_err(), "{n} fits in 64 bits (SRD-9)");
        match u128::try_from(n) {
            Ok(n) => Ok(Tree::Int(false, n)),
            Err(_) => Ok(Tree::Int(true, !n as u128)),
        }
    }

    fn visit_f64<E>(self, f: f64) -> Result<Tree, E> {
        Ok(Tree::Float(f.to_bits()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Str(text.to_string()))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Tree, E> {
        Ok(Tree::Bytes(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries: Vec<(Tree, Tree)> = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        // How exts look to those who do not know them (SRD-10).
        if let [(Tree::Str(name), Tree::List(pair))] = entries.as_slice() {
            if let ("$wbin::ext", [Tree::Int(false, ext_type), payload]) = (name.as_str(), pair.as_slice()) {
                let ext_type = u64::try_from(*ext_type).map_err(de::Error::custom)?;
                return Ok(Tree::Ext(ext_type, Box::new(payload.clone())));
            }
        }
        Ok(Tree::Map(entries))
    }
}
