//! Types of serde with the attributes that are easy to get wrong.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};
use serde_bytes::{ByteBuf, Bytes};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use wbin::ext::{BigInt, Decimal, Tagged, Timestamp, Uuid};
use wbin::{Config, Cursor, Int, OwnedValue, RawValue, Value};

#[derive(Serialize, Deserialize, Debug)]
#[serde(untagged)]
enum Untagged {
    Unit,
    Flag(bool),
    Small(u8),
    Wide(i64),
    Real(f64),
    Name(String),
    Pair(u8, String),
    Fields { a: Option<u8>, b: Vec<Untagged> },
    Names(BTreeMap<String, Untagged>),
    Items(Vec<Untagged>),
    Blob(ByteBuf),
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "t")]
enum Internal {
    A,
    B {
        a: Option<Option<u8>>,
        b: String,
    },
    C(BTreeMap<String, OwnedValue>),
    #[serde(rename = "name")]
    D(Flat),
    #[serde(other)]
    Other,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A,
    B(u8),
    C(u8, Option<String>),
    D {
        a: f32,
        b: Box<Option<Adjacent>>,
    },
    #[serde(rename = "name")]
    E(Option<()>),
}

#[derive(Serialize, Deserialize, Debug)]
enum External {
    A,
    B(Option<Box<External>>),
    C(u8, char),
    #[serde(rename = "name")]
    D {
        a: Option<u8>,
        #[serde(default)]
        b: Vec<External>,
    },
    E(BTreeMap<Option<u8>, ()>),
}

#[derive(Serialize, Deserialize, Debug)]
struct Flat {
    id: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    rest: BTreeMap<String, Untagged>,
}

#[derive(Serialize, Deserialize, Debug)]
struct Inner {
    b: i64,
    #[serde(default, with = "serde_bytes")]
    c: Vec<u8>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Closed {
    #[serde(alias = "name")]
    id: (u8, i16, u128),
    #[serde(default)]
    a: Option<Option<Option<()>>>,
    b: [i8; 2],
}

#[derive(Serialize, Deserialize, Debug)]
struct Borrowed<'a> {
    #[serde(borrow)]
    a: Option<&'a str>,
    #[serde(borrow)]
    b: Cow<'a, str>,
    #[serde(borrow)]
    c: Option<Cow<'a, Bytes>>,
    #[serde(borrow)]
    id: Value<'a>,
    #[serde(borrow)]
    name: Option<RawValue<'a>>,
}

#[derive(Serialize, Deserialize, Debug)]
struct Exts {
    a: Timestamp,
    b: Option<Uuid>,
    c: Tagged<Option<BigInt>>,
    id: Vec<Decimal>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    A,
    Int(i128),
    List(Vec<Option<Key>>),
    Map(BTreeMap<Option<Option<u8>>, bool>),
}

#[derive(Serialize, Deserialize, Debug, Default, PartialEq)]
struct Unit;

/// Takes the value if it can, and the default if not: the error is swallowed.
#[derive(Serialize, Debug, Default, PartialEq)]
#[serde(transparent)]
struct Lenient<T>(T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Lenient(T::deserialize(deserializer).unwrap_or_default()))
    }
}

/// Puts bytes into a lot of types; what is accepted comes back when it was written.
pub fn typed(bytes: &[u8]) {
    owned::<Untagged>(bytes, true);
    owned::<Internal>(bytes, true);
    owned::<Vec<Internal>>(bytes, true);
    owned::<Adjacent>(bytes, true);
    owned::<External>(bytes, true);
    owned::<Flat>(bytes, true);
    owned::<Closed>(bytes, true);
    owned::<Exts>(bytes, true);
    owned::<BTreeMap<Key, Option<Vec<Option<i8>>>>>(bytes, true);
    owned::<BTreeMap<Option<bool>, BTreeMap<char, f32>>>(bytes, true);
    owned::<BTreeMap<(i8, String), Tagged<External>>>(bytes, true);
    owned::<Option<Option<Option<Unit>>>>(bytes, true);
    owned::<Vec<Int>>(bytes, true);
    owned::<ByteBuf>(bytes, true);
    owned::<(u8, (String, Option<ByteBuf>), Result<u16, i32>)>(bytes, true);
    owned::<BTreeMap<Lenient<Option<u8>>, ()>>(bytes, false);
    borrowed(bytes);
    lenient(bytes);
    let _ = wbin::from_slice::<BTreeMap<u64, IgnoredAny>>(bytes);
}

impl<T: PartialEq> Eq for Lenient<T> {}

impl<T: Ord> PartialOrd for Lenient<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Lenient<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// Equality is that of what is written, since NaN has none of its own.
fn owned<T: Serialize + DeserializeOwned + Debug>(bytes: &[u8], exact: bool) {
    let got = wbin::from_slice::<T>(bytes);
    let read = wbin::from_reader::<_, T>(bytes);
    // What is not well-formed, or too deep, is accepted by no type, whatever it skips or swallows.
    for config in [Config::new(), Config::new().max_depth(2)] {
        if config.skip(bytes).ok() != Some(bytes.len()) {
            let got = config.from_slice::<T>(bytes);
            assert!(got.is_err(), "{got:?} from what {:?} is said of", config.skip(bytes));
        }
    }
    // What a document means does not depend on how it was encoded.
    if let Ok(tree) = super::support::reference::decode(bytes, 128) {
        let preferred = wbin::from_slice::<T>(&super::support::reference::preferred(&tree));
        // Which of several faults is reported may (ERR-5): that of an open map's count comes late.
        let meaning =
            |got: &wbin::Result<T>| got.as_ref().ok().map(|value| wbin::to_vec(value).expect("an encoding"));
        assert_eq!(meaning(&got), meaning(&preferred), "{got:?}, but in preferred form {preferred:?}");
    }
    let Ok(value) = got else {
        let (here, there) = (got.expect_err("an error"), read.expect_err("refused in a slice"));
        assert_eq!((here.name(), here.offset(), here.path()), (there.name(), there.offset(), there.path()));
        return;
    };
    let form = wbin::to_vec(&value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    assert_eq!(wbin::to_vec(&read.expect("accepted in a slice")).expect("an encoding"), form);
    let back: T = wbin::from_slice(&form).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    assert_eq!(wbin::to_vec(&back).expect("an encoding"), form, "{value:?}, then {back:?}");
    wbin::check(&form).expect("valid bytes");
    if exact {
        let config = Config::new().canonical(true).strict(true);
        match config.to_vec(&value) {
            Ok(sorted) => {
                assert_eq!(sorted, wbin::canonical::to_canonical(&form).expect("a canonical form"));
                let back: T = config.from_slice(&sorted).unwrap_or_else(|error| panic!("{value:?}: {error}"));
                assert_eq!(config.to_vec(&back).expect("an encoding"), sorted, "{value:?}, then {back:?}");
            }
            Err(error) => assert_eq!(error.name(), "duplicate-key", "{value:?}"),
        }
    }
}

fn borrowed(bytes: &[u8]) {
    let Ok(value) = wbin::from_slice::<Borrowed<'_>>(bytes) else { return };
    let inside = |text: &str| text.is_empty() || bytes.as_ptr_range().contains(&text.as_ptr());
    assert!(value.a.is_none_or(inside) && matches!(value.b, Cow::Borrowed(text) if inside(text)));
    let form = wbin::to_vec(&value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    let back: Borrowed<'_> = wbin::from_slice(&form).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    assert_eq!(wbin::to_vec(&back).expect("an encoding"), form, "{value:?}, then {back:?}");
}

/// An item that its type refuses does no harm to those after it, in lists and maps, however deep.
fn lenient(bytes: &[u8]) {
    type Deep = Vec<Lenient<Vec<Lenient<BTreeMap<String, Lenient<u8>>>>>>;
    owned::<Deep>(bytes, true);
    if bytes.first() == Some(&0xDF) || wbin::check(bytes).is_err() || Value::from_slice(bytes).is_err() {
        return;
    }
    items::<u8>(bytes);
    items::<String>(bytes);
    items::<Option<Option<Vec<u8>>>>(bytes);
    items::<(u8, Option<Choice>)>(bytes);
    items::<Option<Choice>>(bytes);
    items::<Option<Untagged>>(bytes);
    items::<Option<Internal>>(bytes);
    items::<Option<Adjacent>>(bytes);
    items::<Option<Flat>>(bytes);
    items::<Option<Tagged<u8>>>(bytes);
    items::<BTreeMap<String, Lenient<u8>>>(bytes);
}

/// Each item of a list, or value of a map, is what it is alone, or the default.
fn items<T: Serialize + DeserializeOwned + Default + Debug>(bytes: &[u8]) {
    let cursor = Cursor::new(bytes);
    let alone = |part: wbin::Result<Cursor<'_>>| {
        let raw = part.expect("a part").raw().expect("a valid part");
        wbin::from_slice::<T>(raw.as_bytes()).unwrap_or_default()
    };
    let written = |parts: &[T]| wbin::to_vec(parts).expect("an encoding");
    if let Ok(items) = cursor.items() {
        let got: Vec<Lenient<T>> = wbin::from_slice(bytes).expect("every item is taken");
        let got: Vec<T> = got.into_iter().map(|item| item.0).collect();
        let expected: Vec<T> = items.map(alone).collect();
        assert_eq!(written(&got), written(&expected), "{got:?}, but alone {expected:?}");
    } else if let Ok(entries) = cursor.entries() {
        let Values::<T>(got) = wbin::from_slice(bytes).expect("every value is taken");
        let expected: Vec<T> = entries.map(|entry| alone(entry.map(|(_, value)| value))).collect();
        assert_eq!(written(&got), written(&expected), "{got:?}, but alone {expected:?}");
    }
}

/// The values of a map, whatever its keys are.
struct Values<T>(Vec<T>);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Values<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Default> serde::de::Visitor<'de> for Entries<T> {
            type Value = Values<T>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Values<T>, A::Error> {
                let mut values = Vec::new();
                while let Some((_, value)) = map.next_entry::<Lenient<u8>, Lenient<T>>()? {
                    values.push(value.0);
                }
                Ok(Values(values))
            }
        }
        deserializer.deserialize_map(Entries(std::marker::PhantomData))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Choice {
    A,
    B(u8, u8),
}
