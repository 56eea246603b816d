//! The data that is measured: made from seeds, so that it is the same on every machine and in every year.
//!
//! `tests/bench_data.rs` compares it with recorded digests. Whoever changes a generator changes what all
//! figures recorded before mean.
#![allow(dead_code)] // the benches and the test each take what they need

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

pub(crate) mod typed;

/// A value of a type that is not known beforehand: what every format decodes into.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Data>),
    /// The entries in their order.
    Dict(Vec<(String, Data)>),
}

/// SplitMix64. It is written out here, since the next release of some other crate could draw other numbers.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`. That the remainder favours small ones does not matter for an `n` this small.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A float from 0 up to, not including, 1: 53 random bits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 1 to `most` ASCII letters.
    pub(crate) fn letters(&mut self, most: u64) -> String {
        let letters: Vec<char> = ('A'..='Z').chain('a'..='z').collect();
        let len = 1 + self.below(most);
        (0..len).map(|_| letters[self.below(52) as usize]).collect()
    }

    fn text(&mut self) -> String {
        self.letters(254)
    }

    /// An int from 0 to 2^63-1, a float in ±1e9, or a text.
    fn scalar(&mut self) -> Data {
        match self.below(3) {
            0 => Data::Int((self.next() >> 1) as i64),
            1 => Data::Float((self.unit() * 2.0 - 1.0) * 1e9),
            _ => Data::Text(self.text()),
        }
    }

    /// A scalar three times of five, or else a list or a dict of 1 to 15 scalars.
    fn item(&mut self) -> Data {
        match self.below(5) {
            3 => {
                let len = 1 + self.below(15);
                Data::List((0..len).map(|_| self.scalar()).collect())
            }
            4 => {
                let len = 1 + self.below(15);
                Data::Dict((0..len).map(|_| (self.text(), self.scalar())).collect())
            }
            _ => self.scalar(),
        }
    }
}

/// A short text.
pub(crate) fn string() -> Data {
    Data::Text("foo bar baz".to_owned())
}

/// 200 entries: the numbers 0 to 199 as decimal text, each with a random float from 0 to 1.
pub(crate) fn dict() -> Data {
    let mut random = Random::new(2);
    Data::Dict((0..200).map(|i| (i.to_string(), Data::Float(random.unit()))).collect())
}

/// 1,000 random items: ints, floats, texts, and lists and dicts of these.
pub(crate) fn mixed() -> Data {
    let mut random = Random::new(3);
    Data::List((0..1000).map(|_| random.item()).collect())
}

fn text(text: &str) -> Data {
    Data::Text(text.to_owned())
}

fn texts<const N: usize>(texts: [&str; N]) -> Data {
    Data::List(texts.map(text).into())
}

fn dict_of<const N: usize>(entries: [(&str, Data); N]) -> Data {
    Data::Dict(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

/// A job as a queue holds it.
pub(crate) fn job() -> Data {
    dict_of([
        ("id", text("5f1c2a9be07d4d33")),
        ("task", text("thumbnail.create")),
        ("args", Data::List(vec![text("photo-0017.jpg"), Data::Int(640), Data::Bool(true)])),
        (
            "kwargs",
            dict_of([("quality", Data::Float(0.85)), ("format", text("webp")), ("retries", Data::Int(3))]),
        ),
        ("tags", texts(["images", "low"])),
        ("created", Data::Int(1_764_547_200)),
        ("eta", Data::Null),
    ])
}

/// Four calls and their replies, in one list.
pub(crate) fn rpc() -> Data {
    let call =
        |id, method, params| dict_of([("id", Data::Int(id)), ("method", text(method)), ("params", params)]);
    let reply = |id, name, result| dict_of([("id", Data::Int(id)), (name, result)]);
    let user = dict_of([("uid", Data::Int(70_113)), ("name", text("ada")), ("active", Data::Bool(true))]);
    let error = dict_of([("code", Data::Int(-404)), ("message", text("no such file"))]);
    Data::List(vec![
        call(1, "add", Data::List(vec![Data::Int(19), Data::Int(23)])),
        reply(1, "result", Data::Int(42)),
        call(2, "user.find", dict_of([("name", text("ada")), ("limit", Data::Int(1))])),
        reply(2, "result", Data::List(vec![user])),
        call(3, "sensor.mean", dict_of([("sensor", text("roof-2")), ("hours", Data::Int(24))])),
        reply(3, "result", Data::Float(11.62)),
        call(4, "file.open", texts(["/srv/reports/today.txt", "r"])),
        reply(4, "error", error),
    ])
}

/// 100 records of a name, a lowest and a highest temperature.
pub(crate) fn entities() -> Data {
    let mut random = Random::new(6);
    let mut record = |i| {
        let min = random.below(400) as i64 - 200;
        let max = min + random.below(200) as i64;
        dict_of([
            ("name", Data::Text(format!("station {i}"))),
            ("min", Data::Float(min as f64 / 10.0)),
            ("max", Data::Float(max as f64 / 10.0)),
        ])
    };
    Data::List((0..100).map(&mut record).collect())
}

const PARAGRAPH: &str = "The harbour freezes late here, some winters not at all. When it does, the ferry stops at the \
    outer pier, and whoever lives on the islands walks the last half mile across the ice, pulling whatever was bought \
    in town on a sledge. Nobody minds much. The ice is quiet, the lamps on the far shore come closer slowly, and there \
    is always somebody with a thermos.";

/// A paragraph, a list of 100 ints, a dict of 100, an int and a float.
pub(crate) fn document() -> Data {
    dict_of([
        ("text", text(PARAGRAPH)),
        ("ints", Data::List((0..100).map(Data::Int).collect())),
        ("map", Data::Dict((0..100).map(|i| (i.to_string(), Data::Int(i))).collect())),
        ("int", Data::Int(123_456_789)),
        ("float", Data::Float(3.140_625)),
    ])
}

/// A name and what makes the data.
pub(crate) type Workload = (&'static str, fn() -> Data);

/// The workloads.
pub(crate) const WORKLOADS: [Workload; 7] = [
    ("string", string),
    ("dict", dict),
    ("mixed", mixed),
    ("job", job),
    ("rpc", rpc),
    ("entities", entities),
    ("document", document),
];

impl Serialize for Data {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            // Not a unit, which some formats write as an empty list.
            Data::Null => serializer.serialize_none(),
            Data::Bool(on) => serializer.serialize_bool(*on),
            Data::Int(n) => serializer.serialize_i64(*n),
            Data::Float(f) => serializer.serialize_f64(*f),
            Data::Text(text) => serializer.serialize_str(text),
            Data::List(items) => serializer.collect_seq(items),
            Data::Dict(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Data {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        deserializer.deserialize_any(DataVisitor)
    }
}

struct DataVisitor;

impl<'de> Visitor<'de> for DataVisitor {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, a bool, an int below 2^63, a float, a text, a list or a map with text as keys")
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    #[inline]
    fn visit_bool<E: Error>(self, on: bool) -> Result<Data, E> {
        Ok(Data::Bool(on))
    }

    #[inline]
    fn visit_i64<E: Error>(self, n: i64) -> Result<Data, E> {
        Ok(Data::Int(n))
    }

    #[inline]
    fn visit_u64<E: Error>(self, n: u64) -> Result<Data, E> {
        match i64::try_from(n) {
            Ok(n) => Ok(Data::Int(n)),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(n), &self)),
        }
    }

    #[inline]
    fn visit_f64<E: Error>(self, f: f64) -> Result<Data, E> {
        Ok(Data::Float(f))
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<Data, E> {
        Ok(Data::Text(text.to_owned()))
    }

    #[inline]
    fn visit_string<E: Error>(self, text: String) -> Result<Data, E> {
        Ok(Data::Text(text))
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Data, A::Error> {
        let mut items = Vec::with_capacity(room(seq.size_hint()));
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Data::List(items))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        let mut entries = Vec::with_capacity(room(map.size_hint()));
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Data::Dict(entries))
    }
}

/// Room for as many as a format announces; not every one of them checks that against its input.
fn room(announced: Option<usize>) -> usize {
    announced.unwrap_or(0).min(4096)
}
