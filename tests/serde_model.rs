//! What becomes of every shape that serde knows, and of every use of serde that is known to break formats.
//!
//! A reader cannot hand out `&str`: `from_reader::<_, &str>` does not compile, since it wants `DeserializeOwned`.
//! That is shown by the signature; a test that must not compile needs a crate of its own.
#![cfg(all(feature = "std", feature = "serde"))]

#[path = "support/strategies.rs"]
mod strategies;

use serde::de::{
    self, DeserializeOwned, EnumAccess, IgnoredAny, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::ser::{self, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CString, OsString};
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI128, NonZeroU8, NonZeroU64, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, SystemTime};
use strategies::{Blob, Double, OneByte, Single, hex, unhex};
use wbin::ext::{BigInt, Decimal, Tagged, Timestamp, Uuid};
use wbin::{Category, Config, Error, Ext, Int, Map, RawValue, Value, wbin};

fn show(bytes: &[u8]) -> String {
    wbin::diag::to_string(bytes).expect("a document")
}

/// A document from its notation.
fn doc(notation: &str) -> Vec<u8> {
    wbin::diag::parse(notation).expect(notation)
}

/// The plain form.
fn encode<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let bytes = PLAIN.to_vec(value).expect("a value that can be encoded");
    wbin::check(&bytes).expect("an encoder writes valid documents only");
    bytes
}

const PLAIN: Config = Config::new().plain(true);

/// What is written by default, which is not longer.
#[track_caller]
fn by_columns<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let bytes = wbin::to_vec(value).expect("a value that can be encoded");
    wbin::check(&bytes).expect("an encoder writes valid documents only");
    assert!(bytes.len() <= encode(value).len(), "longer than the plain form: {}", hex(&bytes));
    bytes
}

/// The value is written as the notation says, and comes back through every way of reading.
#[track_caller]
fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, notation: &str) {
    let bytes = encode(&value);
    assert_eq!(show(&bytes), notation);
    back(&value, &bytes);
}

/// The value comes back, whatever it is written as.
#[track_caller]
fn trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    back(&value, &encode(&value));
}

#[track_caller]
fn back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(&wbin::from_slice::<T>(bytes).expect("from_slice"), value);
    assert_eq!(&wbin::from_reader::<_, T>(bytes).expect("from_reader"), value);
    assert_eq!(&wbin::from_reader::<_, T>(OneByte(bytes)).expect("one byte a time"), value);
    let mut stream = wbin::iter_reader::<_, T>(OneByte(bytes));
    assert_eq!(&stream.next().expect("an item").expect("iter_reader"), value);
    assert!(stream.next().is_none());
    assert_eq!(wbin::take_from_slice::<T>(bytes).expect("take_from_slice").1, b"");
    // The canonical form, and the value in between two others.
    let canonical = Config::new().canonical(true).to_vec(value).expect("canonical");
    assert_eq!(&Config::new().strict(true).from_slice::<T>(&canonical).expect("strict"), value);
    let between = encode(&(1, value, "end"));
    let (one, middle, end): (u8, T, String) = wbin::from_slice(&between).expect("in a list");
    assert_eq!((one, &middle, end.as_str()), (1, value, "end"));
    wbin::from_slice::<IgnoredAny>(bytes).expect("ignored");
    // In columns, if that is shorter: alone, and many times.
    let written = by_columns(value);
    assert_eq!(&wbin::from_slice::<T>(&written).expect("by columns"), value);
    assert_eq!(&wbin::from_reader::<_, T>(OneByte(&written)).expect("by columns, one byte a time"), value);
    let many = [value; 20];
    for bytes in [encode(&many), by_columns(&many)] {
        let read: Vec<T> = wbin::from_slice(&bytes).expect("twenty of them");
        assert!(read.len() == many.len() && read.iter().all(|read| read == value), "{}", hex(&bytes));
        let read: Vec<T> = wbin::from_reader(OneByte(&bytes)).expect("twenty of them, one byte a time");
        assert!(read.len() == many.len() && read.iter().all(|read| read == value), "{}", hex(&bytes));
        wbin::from_slice::<Vec<IgnoredAny>>(&bytes).expect("twenty of them, ignored");
    }
}

#[track_caller]
fn refused<T: DeserializeOwned>(bytes: &[u8], name: &str) -> Error {
    let by_slice = match wbin::from_slice::<T>(bytes) {
        Ok(_) => panic!("{} was accepted", hex(bytes)),
        Err(error) => error,
    };
    assert_eq!(by_slice.name(), name, "{by_slice}");
    let by_reader = match wbin::from_reader::<_, T>(OneByte(bytes)) {
        Ok(_) => panic!("{} was accepted from a reader", hex(bytes)),
        Err(error) => error,
    };
    assert_eq!(by_slice.to_string(), by_reader.to_string());
    by_slice
}

// ---------------------------------------------------------------------------------------------------------
// The 29 shapes
// ---------------------------------------------------------------------------------------------------------

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Unit;

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Newtype(u8);

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Pair(u8, bool);

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Shape {
    Empty,
    Circle(u8),
    Line(u8, u8),
    Rect { w: u8, h: u8 },
}

#[track_caller]
fn golden<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, bytes: &str) {
    assert_eq!(hex(&encode(&value)), bytes.replace(' ', ""));
    back(&value, &unhex(bytes));
}

type Golden = (&'static str, fn());

/// One row for each row of the table of SRD-1.
const SHAPES: [Golden; 29] = [
    ("bool", || {
        golden(false, "b9");
        golden(true, "ba");
    }),
    ("i8", || {
        golden(0_i8, "00");
        golden(-1_i8, "ff");
        golden(-32_i8, "e0");
        golden(-33_i8, "a8 20");
        golden(i8::MAX, "a0 7f");
        golden(i8::MIN, "a8 7f");
    }),
    ("i16", || {
        golden(63_i16, "3f");
        golden(64_i16, "a0 40");
        golden(i16::MAX, "a1 ff 7f");
        golden(i16::MIN, "a9 ff 7f");
    }),
    ("i32", || {
        golden(-256_i32, "a8 ff");
        golden(-257_i32, "a9 00 01");
        golden(i32::MAX, "a3 ff ff ff 7f");
        golden(i32::MIN, "ab ff ff ff 7f");
    }),
    ("i64", || {
        golden(1_i64 << 40, "a5 00 00 00 00 00 01");
        golden(i64::MAX, "a7 ff ff ff ff ff ff ff 7f");
        golden(i64::MIN, "af ff ff ff ff ff ff ff 7f");
    }),
    ("i128", || {
        golden(5_i128, "05");
        golden(-1_i128, "ff");
        golden(-(1_i128 << 64), "af ff ff ff ff ff ff ff ff");
        golden(-(1_i128 << 64) - 1, "bd 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
        golden(i128::MAX, "bc ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 7f");
        golden(i128::MIN, "bd ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 7f");
    }),
    ("u8", || {
        golden(0_u8, "00");
        golden(u8::MAX, "a0 ff");
    }),
    ("u16", || {
        golden(256_u16, "a1 00 01");
        golden(u16::MAX, "a1 ff ff");
    }),
    ("u32", || {
        golden(65536_u32, "a2 00 00 01");
        golden(u32::MAX, "a3 ff ff ff ff");
    }),
    ("u64", || {
        golden(1_u64 << 32, "a4 00 00 00 00 01");
        golden(1_u64 << 48, "a6 00 00 00 00 00 00 01");
        golden(u64::MAX, "a7 ff ff ff ff ff ff ff ff");
    }),
    ("u128", || {
        golden(u128::from(u64::MAX), "a7 ff ff ff ff ff ff ff ff");
        golden(1_u128 << 64, "bc 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
        golden(u128::MAX, "bc ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff");
    }),
    ("f32", || {
        golden(1.5_f32, "b0 79");
        golden(0.1_f32, "b6 cd cc cc 3d");
        golden(Single(-0.0), "b6 00 00 00 80");
        golden(f32::MAX, "b6 ff ff 7f 7f");
        golden(f32::INFINITY, "b6 00 00 80 7f");
    }),
    ("f64", || {
        golden(0.0_f64, "b0 00");
        golden(Double(-0.0), "b6 00 00 00 80");
        golden(0.1_f64, "b0 09");
        golden(12.99_f64, "b1 9a 28");
        golden(1e-8_f64, "b7 3a 8c 30 e2 8e 79 45 3e");
        golden(std::f64::consts::PI, "b7 18 2d 44 54 fb 21 09 40");
        golden(f64::NEG_INFINITY, "b6 00 00 80 ff");
    }),
    ("char", || {
        golden('a', "41 61");
        golden('\0', "41 00");
        golden('é', "42 c3 a9");
        golden('😀', "44 f0 9f 98 80");
        golden(char::MAX, "44 f4 8f bf bf");
    }),
    ("string", || {
        golden(String::new(), "40");
        golden("a".to_string(), "41 61");
        golden("x".repeat(63), &format!("7f {}", "78".repeat(63)));
        golden("x".repeat(64), &format!("c0 40 {}", "78".repeat(64)));
        golden("x".repeat(256), &format!("c1 00 01 {}", "78".repeat(256)));
        golden("x".repeat(65536), &format!("c2 00 00 01 00 {}", "78".repeat(65536)));
    }),
    ("byte array", || {
        golden(Blob(vec![]), "c4 00");
        golden(Blob(vec![0, 255]), "c4 02 00 ff");
        golden(Blob(vec![7; 256]), &format!("c5 00 01 {}", "07".repeat(256)));
    }),
    ("option", || {
        golden(None::<u8>, "b8");
        golden(Some(5_u8), "05");
        golden(Some(()), "bb b8");
        golden(Some(None::<u8>), "bb b8");
        golden(Some(Some(Unit)), "bb bb b8");
    }),
    ("unit", || golden((), "b8")),
    ("unit_struct", || golden(Unit, "b8")),
    ("unit_variant", || golden(Shape::Empty, "45 45 6d 70 74 79")),
    ("newtype_struct", || golden(Newtype(5), "05")),
    ("newtype_variant", || golden(Shape::Circle(5), "91 46 43 69 72 63 6c 65 05")),
    ("seq", || {
        golden(Vec::<u8>::new(), "80");
        golden(vec![1_u8, 2], "82 01 02");
        golden(vec![0_u8; 15], &format!("8f {}", "00".repeat(15)));
        golden(vec![0_u8; 16], &format!("c8 10 {}", "00".repeat(16)));
        golden(vec![true; 256], &format!("c9 00 01 {}", "ba".repeat(256)));
    }),
    ("tuple", || golden((1_u8, "a".to_string(), ()), "83 01 41 61 b8")),
    ("tuple_struct", || golden(Pair(1, true), "82 01 ba")),
    ("tuple_variant", || golden(Shape::Line(1, 2), "91 44 4c 69 6e 65 82 01 02")),
    ("map", || {
        golden(BTreeMap::<u8, u8>::new(), "90");
        golden(BTreeMap::from([(1_u8, true), (2, false)]), "92 01 ba 02 b9");
        let sixteen: BTreeMap<u8, u8> = (0..16).map(|n| (n, 0)).collect();
        let entries: String = (0..16).map(|n| format!("{n:02x}00")).collect();
        golden(sixteen, &format!("cc 10 {entries}"));
    }),
    ("struct", || golden(Point { x: 1, y: -2 }, "92 41 78 01 41 79 fe")),
    ("struct_variant", || {
        golden(Shape::Rect { w: 1, h: 2 }, "91 44 52 65 63 74 92 41 77 01 41 68 02");
    }),
];

#[test]
fn every_shape_of_serde_has_its_bytes() {
    SHAPES.iter().for_each(|(_, run)| run());
}

#[test]
fn the_shapes_are_those_of_the_specification() {
    let spec = include_str!("../SPEC.md");
    let table = spec.split("**SRD-1**").nth(1).and_then(|rest| rest.split("**SRD-2**").next()).unwrap();
    let rows: Vec<&str> = table
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            cells.get(1)?.parse::<u8>().ok()?;
            cells.get(2).copied()
        })
        .collect();
    assert_eq!(rows, SHAPES.map(|(name, _)| name));
}

// ---------------------------------------------------------------------------------------------------------
// What a visitor of anything is told
// ---------------------------------------------------------------------------------------------------------

/// Tells which visitor method was called.
#[derive(PartialEq, Debug)]
struct Called(String);

impl<'de> Deserialize<'de> for Called {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Called, D::Error> {
        struct V;
        macro_rules! tell {
            ($($method:ident: $type:ty;)*) => {
                $(fn $method<E>(self, v: $type) -> Result<Called, E> {
                    Ok(Called(format!("{} {v:?}", &stringify!($method)[6..])))
                })*
            };
        }
        impl<'de> Visitor<'de> for V {
            type Value = Called;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }
            tell! {
                visit_bool: bool;
                visit_i8: i8;
                visit_i16: i16;
                visit_i32: i32;
                visit_i64: i64;
                visit_i128: i128;
                visit_u8: u8;
                visit_u16: u16;
                visit_u32: u32;
                visit_u64: u64;
                visit_u128: u128;
                visit_f32: f32;
                visit_f64: f64;
                visit_char: char;
                visit_str: &str;
                visit_borrowed_str: &'de str;
                visit_string: String;
                visit_bytes: &[u8];
                visit_borrowed_bytes: &'de [u8];
                visit_byte_buf: Vec<u8>;
            }
            fn visit_none<E>(self) -> Result<Called, E> {
                Ok(Called("none".into()))
            }
            fn visit_unit<E>(self) -> Result<Called, E> {
                Ok(Called("unit".into()))
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Called, D::Error> {
                Called::deserialize(deserializer).map(|inner| Called(format!("some({})", inner.0)))
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(self, de: D) -> Result<Called, D::Error> {
                Called::deserialize(de).map(|inner| Called(format!("newtype({})", inner.0)))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Called, A::Error> {
                let mut text = format!("seq {:?}:", seq.size_hint());
                while let Some(item) = seq.next_element::<Called>()? {
                    text.push_str(&format!(" {},", item.0));
                }
                Ok(Called(text))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Called, A::Error> {
                let mut text = format!("map {:?}:", map.size_hint());
                while let Some((key, value)) = map.next_entry::<Called, Called>()? {
                    text.push_str(&format!(" {} => {},", key.0, value.0));
                }
                Ok(Called(text))
            }
        }
        deserializer.deserialize_any(V)
    }
}

#[test]
fn a_reader_of_anything_gets_the_method_that_fits() {
    for (notation, called) in [
        ("null", "unit"),
        ("true", "bool true"),
        ("0", "u64 0"),
        ("18446744073709551615", "u64 18446744073709551615"),
        ("-1", "i64 -1"),
        ("-9223372036854775808", "i64 -9223372036854775808"),
        // One below what fits: 128-bit methods, and only there.
        ("-9223372036854775809", "i128 -9223372036854775809"),
        ("18446744073709551616", "i128 18446744073709551616"),
        ("170141183460469231731687303715884105728", "u128 170141183460469231731687303715884105728"),
        ("1.0", "f64 1.0"),
        ("nan", "f64 NaN"),
        (r#""a""#, r#"borrowed_str "a""#),
        ("h'61'", "borrowed_bytes [97]"),
        ("[1, []]", "seq Some(2): u64 1, seq Some(0):,"),
        ("{1: 2}", "map Some(1): u64 1 => u64 2,"),
        ("some(null)", "some(unit)"),
        ("some(some(null))", "some(some(unit))"),
        (
            "ext(5, [1])",
            r#"map Some(1): borrowed_str "$wbin::ext" => seq Some(2): u64 5, seq Some(1): u64 1,,,"#,
        ),
    ] {
        assert_eq!(wbin::from_slice::<Called>(&doc(notation)).unwrap().0, called, "{notation}");
    }
    // Ints in more bytes than they need are the same ints.
    assert_eq!(
        wbin::from_slice::<Called>(&unhex("bc 05 00000000000000 0000000000000000")).unwrap().0,
        "u64 5"
    );
    assert_eq!(
        wbin::from_slice::<Called>(&unhex("bd 04 00000000000000 0000000000000000")).unwrap().0,
        "i64 -5"
    );
    // Where the count is not known, nobody is told one.
    assert_eq!(wbin::from_slice::<Called>(&unhex("d0 01 be")).unwrap().0, "seq None: u64 1,");
    assert_eq!(wbin::from_slice::<Called>(&unhex("d1 01 02 be")).unwrap().0, "map None: u64 1 => u64 2,");
    // A `some` that tells nothing apart is no option to a reader of anything.
    assert_eq!(wbin::from_slice::<Called>(&unhex("bb 05")).unwrap().0, "u64 5");
}

thread_local! {
    static HINTED: Cell<usize> = const { Cell::new(0) };
}

/// Lists of lists; adds up how many items it was told to expect.
struct Hinted;

impl<'de> Deserialize<'de> for Hinted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hinted, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Hinted;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("lists")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Hinted, A::Error> {
                HINTED.set(HINTED.get() + seq.size_hint().unwrap_or(0));
                while seq.next_element::<Hinted>()?.is_some() {}
                Ok(Hinted)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hinted, A::Error> {
                HINTED.set(HINTED.get() + 2 * map.size_hint().unwrap_or(0));
                while map.next_entry::<Hinted, Hinted>()?.is_some() {}
                Ok(Hinted)
            }
            fn visit_u64<E>(self, _: u64) -> Result<Hinted, E> {
                Ok(Hinted)
            }
        }
        deserializer.deserialize_any(V)
    }
}

#[test]
fn claimed_lengths_do_not_reach_the_type_as_they_are() {
    // Elsewhere: a type reserves what the hint says, and a few bytes claim gigabytes.
    for head in [[0xC8, 100], [0xCC, 50]] {
        // Each claim alone is within what remains; all together are many times the document.
        let mut document = head.repeat(60);
        document.extend([0; 200]);
        HINTED.set(0);
        assert!(wbin::from_slice::<Hinted>(&document).is_err());
        assert!(HINTED.get() <= document.len(), "{} of {}", HINTED.get(), document.len());
    }
    // An honest list is hinted in full.
    HINTED.set(0);
    wbin::from_slice::<Hinted>(&encode(&vec![0_u8; 1000])).ok().unwrap();
    assert_eq!(HINTED.get(), 1000);
}

// ---------------------------------------------------------------------------------------------------------
// Crashes and silent corruption
// ---------------------------------------------------------------------------------------------------------

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Nested {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inner: Vec<Nested>,
}

fn nested(levels: usize) -> Nested {
    (0..levels).fold(Nested::default(), |inner, _| Nested { inner: vec![inner] })
}

#[test]
fn deep_nesting_is_an_error_on_both_sides() {
    // Elsewhere: a recursive type overflows the stack, when reading or when writing.
    let deepest = nested(63); // two levels each, and the last map: 127
    trip(nested(63));
    assert_eq!(wbin::to_vec(&nested(64)).unwrap_err().name(), "depth-limit");
    let bytes = Config::new().max_depth(1000).to_vec(&nested(64)).unwrap();
    let error = refused::<Nested>(&bytes, "depth-limit");
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(Config::new().max_depth(129).from_slice::<Nested>(&bytes).unwrap(), nested(64));
    assert_eq!(Config::new().max_depth(127).to_vec(&deepest).unwrap(), encode(&deepest));
    assert_eq!(Config::new().max_depth(126).to_vec(&deepest).unwrap_err().name(), "depth-limit");
}

#[test]
fn deep_nesting_of_bytes_never_overflows_the_stack() {
    // Elsewhere: skipping, buffering and untyped reading recurse without a limit.
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    #[serde(untagged)]
    enum Buffered {
        List(Vec<Buffered>),
        Other(u8),
    }
    #[derive(Deserialize, Debug)]
    struct Fields {
        #[serde(rename = "known")]
        _known: u8,
    }
    for unit in ["81", "9101", "bb", "bf05", "d0", "d101", "9141ff", "c801"] {
        let deep = unhex(unit).repeat(100_000);
        let mut field = unhex("91 43 786178"); // an unknown field
        field.extend(&deep);
        let name = |result: Result<(), Error>| result.unwrap_err().name();
        // A map whose key is not text is refused by the types as what it is, at once.
        for result in [
            wbin::from_slice::<IgnoredAny>(&deep).map(drop),
            wbin::from_slice::<Value<'_>>(&deep).map(drop),
            wbin::from_slice::<Fields>(&field).map(drop),
            wbin::from_reader::<_, IgnoredAny>(&deep[..]).map(drop),
        ] {
            let name = name(result);
            assert!(matches!(name, "depth-limit" | "invalid-utf8" | "truncated"), "{unit}: {name}");
        }
        assert!(wbin::from_slice::<Buffered>(&deep).is_err());
        assert!(wbin::from_slice::<Nested>(&deep).is_err());
        assert!(wbin::from_slice::<Option<Option<Option<u8>>>>(&deep).is_err());
        assert!(wbin::from_slice::<Called>(&deep).is_err());
    }
    assert_eq!(refused::<Buffered>(&unhex("81").repeat(100_000), "depth-limit").offset(), Some(128));
}

#[test]
fn recursion_without_end_is_an_error() {
    // Elsewhere: a value that contains itself overflows the stack.
    struct Endless(&'static str);
    impl Serialize for Endless {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                "seq" => serializer.collect_seq([Endless("seq")]),
                "map" => serializer.collect_map([(1, Endless("map"))]),
                "key" => serializer.collect_map([(Endless("key"), 1)]),
                "tuple" => (Endless("tuple"), 1).serialize(serializer),
                "newtype variant" => {
                    serializer.serialize_newtype_variant("E", 0, "V", &Endless("newtype variant"))
                }
                "tuple variant" => {
                    let mut tuple = serializer.serialize_tuple_variant("E", 0, "V", 1)?;
                    ser::SerializeTupleVariant::serialize_field(&mut tuple, &Endless("tuple variant"))?;
                    ser::SerializeTupleVariant::end(tuple)
                }
                "struct variant" => {
                    let mut fields = serializer.serialize_struct_variant("E", 0, "V", 1)?;
                    ser::SerializeStructVariant::serialize_field(
                        &mut fields,
                        "f",
                        &Endless("struct variant"),
                    )?;
                    ser::SerializeStructVariant::end(fields)
                }
                "struct" => {
                    let mut fields = serializer.serialize_struct("S", 1)?;
                    fields.serialize_field("f", &Endless("struct"))?;
                    fields.end()
                }
                "ext" => Tagged { ext_type: 70, value: Endless("ext") }.serialize(serializer),
                _ => Some(Endless("some")).serialize(serializer),
            }
        }
    }
    for kind in [
        "seq",
        "map",
        "key",
        "tuple",
        "newtype variant",
        "tuple variant",
        "struct variant",
        "struct",
        "ext",
        "some",
    ] {
        assert_eq!(wbin::to_vec(&Endless(kind)).unwrap_err().name(), "depth-limit", "{kind}");
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Chain(Option<Box<Chain>>);

fn chain(somes: usize) -> Chain {
    (0..somes).fold(Chain(None), |inner, _| Chain(Some(Box::new(inner))))
}

#[test]
fn options_in_options_count_as_levels() {
    // Elsewhere: a chain of options is no container, so that nobody counts it.
    both(chain(0), "null");
    both(chain(2), "some(some(null))");
    trip(chain(125));
    assert_eq!(Config::new().max_depth(3).to_vec(&chain(3)).unwrap(), unhex("bb bb bb b8"));
    assert_eq!(Config::new().max_depth(3).to_vec(&chain(4)).unwrap_err().name(), "depth-limit");
    assert_eq!(wbin::to_vec(&chain(129)).unwrap_err().name(), "depth-limit");
    assert_eq!(refused::<Chain>(&[&[0xBB; 129][..], &[0xB8]].concat(), "depth-limit").offset(), Some(128));
    // Those that take no level are not counted against a small limit.
    let flat = Config::new().max_depth(0);
    assert_eq!(flat.to_vec(&Some(Some(Some(5)))).unwrap(), [0x05]);
    assert_eq!(flat.from_slice::<Deep<u8>>(&[0x05]).unwrap(), Some(Some(Some(5))));
    assert_eq!(flat.to_vec(&Some(None::<u8>)).unwrap_err().name(), "depth-limit");
    // Written and read it takes no more stack than the limit allows, however long it is. (Dropping it
    // is the standard library's recursion, and would.)
    let endless = chain(5000);
    assert_eq!(wbin::to_vec(&endless).unwrap_err().name(), "depth-limit");
    // This type never gets to the byte that stands there.
    assert_eq!(wbin::from_slice::<Chain>(&[0x05]).unwrap_err().name(), "depth-limit");
}

#[test]
fn truncated_input_is_never_a_shorter_value() {
    // Elsewhere: what is missing reads as zeros, or as the end of a list.
    let bytes = encode(&(vec![1_u64 << 60; 3], "text", Some(1.0 / 3.0), Blob(vec![1, 2, 3])));
    for end in 0..bytes.len() {
        let cut = &bytes[..end];
        let error = refused::<(Vec<u64>, String, Option<f64>, Blob)>(cut, "truncated");
        assert_eq!(error.category(), Category::Truncated);
        assert!(error.offset().unwrap() <= end);
    }
}

#[test]
fn trailing_bytes_are_an_error() {
    // Elsewhere: whatever follows the value is silently dropped.
    let error = refused::<u8>(&[0x05, 0x06], "trailing-bytes");
    assert_eq!((error.offset(), error.category()), (Some(1), Category::Syntax));
    assert_eq!(wbin::take_from_slice::<u8>(&[0x05, 0x06]).unwrap(), (5, &[0x06][..]));
    assert_eq!(refused::<()>(&unhex("df574201 b8 00"), "trailing-bytes").offset(), Some(5));
}

/// Reads only the first `n` parts of whatever it gets.
struct First<T>(Vec<T>);

thread_local! {
    static WANTED: Cell<usize> = const { Cell::new(1) };
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for First<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<First<T>, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = First<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or a map")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<First<T>, A::Error> {
                let mut items = Vec::new();
                for _ in 0..WANTED.get() {
                    items.extend(seq.next_element()?);
                }
                Ok(First(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<First<T>, A::Error> {
                let mut items = Vec::new();
                for part in 0..WANTED.get() {
                    match part % 2 {
                        0 => items.extend(map.next_key()?),
                        _ => items.push(map.next_value()?),
                    }
                }
                Ok(First(items))
            }
        }
        deserializer.deserialize_any(V(PhantomData))
    }
}

#[test]
fn a_list_that_is_not_read_to_its_end_is_an_error() {
    // Elsewhere: what the visitor left is read as what follows the list: wrong data, no error.
    for list in ["82 01 02", "c8 02 01 02", "d0 01 02 be"] {
        for outer in ["{}", "82 {} 05", "91 41 61 {}", "d0 {} be", "bf 05 {}"] {
            let bytes = unhex(&outer.replace("{}", list));
            for wanted in 0..2 {
                WANTED.set(wanted);
                let error = match outer {
                    "{}" => wbin::from_slice::<First<u8>>(&bytes).err(),
                    "82 {} 05" => wbin::from_slice::<(First<u8>, u8)>(&bytes).err(),
                    "91 41 61 {}" => wbin::from_slice::<BTreeMap<String, First<u8>>>(&bytes).err(),
                    "d0 {} be" => wbin::from_slice::<Vec<First<u8>>>(&bytes).err(),
                    _ => wbin::from_slice::<Tagged<First<u8>>>(&bytes).err(),
                };
                assert_eq!(error.expect("refused").name(), "invalid-length", "{} {wanted}", hex(&bytes));
            }
            WANTED.set(2);
            if outer == "82 {} 05" {
                let (first, five): (First<u8>, u8) = wbin::from_slice(&bytes).unwrap();
                assert_eq!((first.0, five), (vec![1, 2], 5));
            }
        }
    }
    // Asking further than the end is not an error.
    WANTED.set(5);
    assert_eq!(wbin::from_slice::<First<u8>>(&unhex("d0 01 02 be")).unwrap().0, [1, 2]);
    assert_eq!(wbin::from_slice::<First<u8>>(&unhex("82 01 02")).unwrap().0, [1, 2]);
}

#[test]
fn a_map_that_is_not_read_to_its_end_is_an_error() {
    // Elsewhere: as with lists; a key without its value is worse still.
    for map in ["92 01 02 03 04", "cc 02 01 02 03 04", "d1 01 02 03 04 be"] {
        for wanted in 0..4 {
            WANTED.set(wanted);
            let bytes = unhex(map);
            assert_eq!(wbin::from_slice::<First<u8>>(&bytes).err().unwrap().name(), "invalid-length");
            let bytes = unhex(&format!("82 {map} 05"));
            let error = wbin::from_slice::<(First<u8>, u8)>(&bytes).err().unwrap();
            assert_eq!(error.name(), "invalid-length", "{map} {wanted}");
        }
        WANTED.set(4);
        let bytes = unhex(&format!("82 {map} 05"));
        let (first, five): (First<u8>, u8) = wbin::from_slice(&bytes).unwrap();
        assert_eq!((first.0, five), (vec![1, 2, 3, 4], 5));
    }
}

#[test]
fn bytes_that_are_read_as_a_list_have_to_be_read_to_their_end() {
    // Elsewhere: another path for bytes, which forgets the check.
    assert_eq!(refused::<[u8; 2]>(&unhex("c4 03 010203"), "invalid-length").offset(), Some(0));
    assert_eq!(refused::<[u8; 4]>(&unhex("c4 03 010203"), "invalid-length").offset(), Some(0));
    assert_eq!(refused::<(u8, u8)>(&unhex("c4 03 010203"), "invalid-length").offset(), Some(0));
    assert_eq!(wbin::from_slice::<[u8; 3]>(&unhex("c4 03 010203")).unwrap(), [1, 2, 3]);
    // An item of the wrong type is at the tag of the bytes, since it has none of its own.
    assert_eq!(refused::<Vec<bool>>(&unhex("82 01 c4 01 61")[2..], "invalid-type").offset(), Some(0));
}

#[test]
fn an_ext_that_is_not_read_to_its_end_is_an_error() {
    // An ext looks like a map of one entry to whoever does not know it.
    for wanted in 0..2 {
        WANTED.set(wanted);
        let error = wbin::from_slice::<(First<IgnoredAny>, u8)>(&unhex("82 bf 05 01 07")).err().unwrap();
        assert_eq!(error.name(), "invalid-length");
    }
    WANTED.set(2);
    assert_eq!(wbin::from_slice::<(First<IgnoredAny>, u8)>(&unhex("82 bf 05 01 07")).unwrap().1, 7);
}

#[test]
fn a_variant_whose_contents_are_left_is_an_error() {
    // Elsewhere: the contents are read as what follows the enum.
    #[derive(Debug)]
    struct NameOnly;
    impl<'de> Deserialize<'de> for NameOnly {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NameOnly, D::Error> {
            struct V;
            impl<'de> Visitor<'de> for V {
                type Value = NameOnly;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("an enum")
                }
                fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<NameOnly, A::Error> {
                    data.variant::<String>().map(|_| NameOnly)
                }
            }
            deserializer.deserialize_enum("E", &["a"], V)
        }
    }
    assert_eq!(refused::<NameOnly>(&unhex("91 41 61 05"), "invalid-length").offset(), Some(0));
    assert!(wbin::take_from_slice::<(NameOnly, u8)>(&unhex("82 91 41 61 05 06")).is_err());
    assert!(wbin::from_slice::<NameOnly>(&unhex("d1 41 61 05 be")).is_err());
    // A unit variant has none.
    assert!(wbin::from_slice::<(NameOnly, u8)>(&unhex("82 41 61 06")).is_ok());
}

/// Parts that could be read; `None` for those that could not.
#[derive(PartialEq, Debug)]
struct Good<T>(Vec<Option<T>>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Good<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Good<T>, D::Error> {
        struct V<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
            type Value = Good<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list or a map")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Good<T>, A::Error> {
                let mut items = Vec::new();
                while items.len() < 2000 {
                    match seq.next_element() {
                        Ok(Some(item)) => items.push(Some(item)),
                        Ok(None) => break,
                        Err(_) => items.push(None),
                    }
                }
                Ok(Good(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Good<T>, A::Error> {
                let mut items = Vec::new();
                while items.len() < 2000 {
                    match map.next_key::<T>() {
                        Ok(Some(key)) => items.push(Some(key)),
                        Ok(None) => break,
                        // The value of a key that could not be read is passed over with it.
                        Err(_) => {
                            items.push(None);
                            continue;
                        }
                    }
                    items.push(map.next_value().ok());
                }
                Ok(Good(items))
            }
        }
        deserializer.deserialize_any(V(PhantomData))
    }
}

#[test]
fn after_an_error_that_a_list_swallows_the_next_item_is_read() {
    // Elsewhere: the reader stands in the middle of the bad item, and every later one is wrong.
    let good = |bytes: &[u8]| wbin::from_slice::<Good<u8>>(bytes).unwrap().0;
    let bad = [
        r#""text""#,
        "300",
        "-1",
        "1.5",
        "null",
        "[1, [2, 3], \"x\"]",
        "{1: 2, \"k\": [3]}",
        "h'010203'",
        "ext(70, [1, 2])",
        "some(null)",
        "true",
        "1000000000000000000000000",
    ];
    for item in bad {
        let list = doc(&format!("[1, {item}, 3, {item}, {item}, 6]"));
        assert_eq!(good(&list), [Some(1), None, Some(3), None, None, Some(6)], "{item}");
        let open = [&[0xD0][..], &list[1..], &[0xBE]].concat();
        assert_eq!(good(&open), [Some(1), None, Some(3), None, None, Some(6)], "{item}");
        // What comes after the list is right, too.
        let pair = doc(&format!("[[{item}], 7]"));
        assert_eq!(wbin::from_slice::<(Good<u8>, u8)>(&pair).unwrap(), (Good(vec![None]), 7));
    }
    // An item that fails deep inside, after parts of it were read.
    let list = doc(r#"[[[1, 2]], [[3, "x", 4]], [[5], [6, 7]]]"#);
    assert_eq!(
        wbin::from_slice::<Good<Vec<Vec<u8>>>>(&list).unwrap().0,
        [Some(vec![vec![1, 2]]), None, Some(vec![vec![5], vec![6, 7]])]
    );
    let list = doc(r#"[{"x": 1, "y": 2}, {"x": 1}, {"x": "?", "y": 2}, {"x": 3, "y": 4, "z": [5]}]"#);
    let points = wbin::from_slice::<Good<Point>>(&list).unwrap().0;
    assert_eq!(points, [Some(Point { x: 1, y: 2 }), None, None, Some(Point { x: 3, y: 4 })]);
    let list = doc(r#"[{"Line": [1, 2]}, {"Line": [1]}, {"Oval": [[1]]}, {"Circle": [1]}, "Empty"]"#);
    let shapes = wbin::from_slice::<Good<Shape>>(&list).unwrap().0;
    assert_eq!(shapes, [Some(Shape::Line(1, 2)), None, None, None, Some(Shape::Empty)]);
}

#[test]
fn after_an_error_that_a_map_swallows_the_next_entry_is_read() {
    // Elsewhere: a bad value is read as the next key.
    for item in [r#""text""#, "300", "[1, [2, 3]]", "{1: 2}", "ext(70, [1])", "some(null)", "1.5"] {
        let map = doc(&format!("{{1: 2, 3: {item}, 5: 6}}"));
        let good = |bytes: &[u8]| wbin::from_slice::<Good<u8>>(bytes).unwrap().0;
        let expected = [Some(1), Some(2), Some(3), None, Some(5), Some(6)];
        assert_eq!(good(&map), expected, "{item}");
        let open = [&[0xD1][..], &map[1..], &[0xBE]].concat();
        assert_eq!(good(&open), expected, "{item}");
        // A bad key is passed over with its value.
        let map = doc(&format!("{{1: 2, {item}: 4, 5: 6}}"));
        let expected = [Some(1), Some(2), None, Some(5), Some(6)];
        assert_eq!(good(&map), expected, "{item}");
        let open = [&[0xD1][..], &map[1..], &[0xBE]].concat();
        assert_eq!(good(&open), expected, "{item}");
        // The last one as well.
        let map = doc(&format!("{{1: 2, {item}: [4]}}"));
        assert_eq!(good(&map), [Some(1), Some(2), None], "{item}");
        let open = [&[0xD1][..], &map[1..], &[0xBE]].concat();
        assert_eq!(good(&open), [Some(1), Some(2), None], "{item}");
    }
}

#[test]
fn errors_that_are_swallowed_take_no_levels_with_them() {
    // Elsewhere: each failed item leaves the depth one lower, until good ones are refused.
    let list = doc(&format!("[{}[[1]]]", r#"[["x"]], "#.repeat(1000)));
    let good = wbin::from_slice::<Good<Vec<Vec<u8>>>>(&list).unwrap().0;
    assert_eq!(good.len(), 1001);
    assert_eq!(good[1000], Some(vec![vec![1]]));
    let list = doc(&format!("[{}some(some(null))]", r#"some(null), "#.repeat(500)));
    assert!(wbin::from_slice::<Good<u8>>(&list).unwrap().0.iter().all(Option::is_none));
}

/// Any value, or the default if it cannot be read: as many a `deserialize_with` does it.
fn lenient<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

#[test]
fn an_error_that_is_swallowed_inside_of_an_item_leaves_the_reader_behind_it() {
    // Elsewhere: the reader stands in the middle of the value that did not fit.
    #[derive(Deserialize, PartialEq, Debug)]
    struct Forgiving {
        #[serde(deserialize_with = "lenient")]
        a: u8,
        #[serde(deserialize_with = "lenient")]
        b: Vec<u8>,
        c: u8,
    }
    for bad in [r#"["c", 7]"#, r#"{"c": 7}"#, r#""c""#, "300", "some(null)", "ext(70, 7)", "[[[[]]]]", "1.5"]
    {
        let one = format!(r#"{{"a": {bad}, "b": {bad}, "c": 9}}"#);
        let expected = Forgiving { a: 0, b: vec![], c: 9 };
        assert_eq!(wbin::from_slice::<Forgiving>(&doc(&one)).unwrap(), expected, "{bad}");
        // Nothing is left of it: neither levels nor keys nor an offset.
        let many = format!("[{}]", vec![one; 200].join(", "));
        let all: Vec<Forgiving> = wbin::from_slice(&doc(&many)).unwrap();
        assert!(all.iter().all(|one| *one == expected), "{bad}");
    }
    let partly = doc(r#"{"a": 1, "b": [1, "x", 3], "c": 9}"#);
    assert_eq!(wbin::from_slice::<Forgiving>(&partly).unwrap(), Forgiving { a: 1, b: vec![], c: 9 });
    // At the root the value is passed over as well.
    struct Root(u8);
    impl<'de> Deserialize<'de> for Root {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Root, D::Error> {
            lenient(deserializer).map(Root)
        }
    }
    let two = [doc("[1, [2]]"), doc("5")].concat();
    let values: Vec<u8> = wbin::iter::<Root>(&two).map(|root| root.unwrap().0).collect();
    assert_eq!(values, [0, 5]);
    // But input that ends is an error that cannot be swallowed.
    assert_eq!(wbin::from_slice::<Root>(&unhex("82 01")).err().unwrap().name(), "truncated");
}

/// What could be read, or nothing.
#[derive(PartialEq, Debug, Clone)]
struct Lenient<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
        Ok(Lenient(T::deserialize(deserializer).ok()))
    }
}

#[test]
fn errors_that_are_swallowed_inside_of_anything() {
    // Elsewhere: each of these leaves the reader somewhere else.
    #[track_caller]
    fn swallowed<T: DeserializeOwned>(item: &[u8], none: impl Fn(&T) -> bool) {
        let list = [&[0x83][..], item, item, &[0x07]].concat();
        let (first, second, seven): (T, T, u8) = wbin::from_slice(&list).unwrap_or_else(|error| {
            panic!("{}: {error}", hex(&list));
        });
        assert!(none(&first) && none(&second) && seven == 7, "{}", hex(&list));
        let key = [&[0x91][..], item, &[0x05]].concat();
        let (_, five) = wbin::from_slice::<OneEntry<T>>(&key).unwrap().0;
        assert_eq!(five, 5, "{}", hex(&key));
        let ext = [&[0xBF, 0x05][..], item].concat();
        assert!(none(&wbin::from_slice::<Tagged<T>>(&ext).unwrap().value));
        let variant = [&[0x91, 0x41, 0x56][..], item].concat();
        let OneVariant::V(value) = wbin::from_slice(&variant).unwrap();
        assert!(none(&value));
        let two = [item, &[0x07]].concat();
        assert_eq!(wbin::take_from_slice::<T>(&two).unwrap().1, [0x07], "{}", hex(item));
        let many = [&[0xC9, 0x2C, 0x01][..], &item.repeat(299), &[0x05]].concat();
        assert_eq!(wbin::from_slice::<Vec<T>>(&many).unwrap().len(), 300);
    }
    #[derive(Deserialize)]
    enum OneVariant<T> {
        V(T),
    }
    /// A map of one entry, whatever its key.
    struct OneEntry<T>((T, u8));
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneEntry<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneEntry<T>, D::Error> {
            struct V<T>(PhantomData<T>);
            impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
                type Value = OneEntry<T>;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map of one entry")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OneEntry<T>, A::Error> {
                    let entry = map.next_entry()?.expect("an entry");
                    assert!(map.next_key::<IgnoredAny>()?.is_none());
                    Ok(OneEntry(entry))
                }
            }
            deserializer.deserialize_map(V(PhantomData))
        }
    }
    let items = [
        "[1, [2]]",
        "{1: 2}",
        r#"{"a": 1, "b": 2}"#,
        r#""text""#,
        "h'0102'",
        "ext(70, [1])",
        "some(null)",
        "some(some(null))",
        "1.5",
        "-1",
        "300",
        "{}",
        "[]",
    ];
    let mut items: Vec<Vec<u8>> = items.iter().map(|item| doc(item)).collect();
    items.extend(
        ["d0 01 d0 be be", "d1 01 02 be", "d1 be", "d0 be", "bb 81 01", "bb bb 91 01 02", "bb bf 05 81 01"]
            .map(unhex),
    );
    for item in &items {
        swallowed::<Lenient<u8>>(item, |value| value.0.is_none());
        swallowed::<Lenient<bool>>(item, |value| value.0.is_none());
        swallowed::<Option<Lenient<u8>>>(item, |value| *value != Some(Lenient(Some(1))));
        swallowed::<Option<Option<Lenient<u8>>>>(item, |_| true);
        swallowed::<Lenient<Option<u8>>>(item, |value| value.0.is_none());
        swallowed::<Lenient<Shape>>(item, |value| value.0.is_none());
        swallowed::<Lenient<Point>>(item, |value| value.0.is_none());
        swallowed::<Lenient<(bool, bool, bool)>>(item, |value| value.0.is_none());
        swallowed::<Lenient<Vec<bool>>>(item, |_| true);
        swallowed::<Lenient<Vec<Vec<bool>>>>(item, |_| true);
        swallowed::<Lenient<BTreeMap<bool, u8>>>(item, |_| true);
        swallowed::<Lenient<BTreeMap<u8, bool>>>(item, |_| true);
        swallowed::<Lenient<Uuid>>(item, |value| value.0.is_none());
        swallowed::<Lenient<Tagged<bool>>>(item, |value| value.0.is_none());
        swallowed::<Lenient<Untagged>>(item, |_| true);
        swallowed::<Lenient<Internal>>(item, |value| value.0.is_none());
        swallowed::<Lenient<char>>(item, |value| value.0.is_none());
        swallowed::<Lenient<()>>(item, |_| true);
        swallowed::<Lenient<[u8; 5]>>(item, |value| value.0.is_none());
        swallowed::<Lenient<serde_json::Value>>(item, |_| true);
        swallowed::<Lenient<Lenient<Lenient<bool>>>>(item, |_| true);
    }
    // A visitor that swallows takes no options with it either.
    let list = doc(&format!("[{}5, some(null), null]", r#""x", "#.repeat(500)));
    let good = wbin::from_slice::<Good<Option<Option<u8>>>>(&list).unwrap().0;
    assert_eq!(good[500..], [Some(Some(Some(5))), Some(Some(None)), Some(None)]);
}

#[test]
fn keys_of_a_map_that_failed_are_not_keys_of_the_one_around_it() {
    // The keys of all open maps are kept in one place here.
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Buffered {
        Map(BTreeMap<String, u64>),
        Int(u64),
    }
    // Serde's buffer cannot hold an int of 128 bits, so buffering fails inside of the inner maps.
    let map = doc(r#"{"a": {"x": 36893488147419103232}, "b": {"x": 36893488147419103232}, "x": 1}"#);
    struct Outer(Vec<Option<Buffered>>);
    impl<'de> Deserialize<'de> for Outer {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outer, D::Error> {
            struct V;
            impl<'de> Visitor<'de> for V {
                type Value = Outer;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Outer, A::Error> {
                    let mut values = Vec::new();
                    while map.next_key::<String>()?.is_some() {
                        values.push(map.next_value().ok());
                    }
                    Ok(Outer(values))
                }
            }
            deserializer.deserialize_any(V)
        }
    }
    let outer = wbin::from_slice::<Outer>(&map).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outer.0, [None, None, Some(Buffered::Int(1))]);
}

#[test]
fn a_value_that_is_asked_for_out_of_turn_is_an_error() {
    // Elsewhere: the reader takes the next key for it.
    #[derive(Debug)]
    struct Twice;
    impl<'de> Deserialize<'de> for Twice {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Twice, D::Error> {
            struct V;
            impl<'de> Visitor<'de> for V {
                type Value = Twice;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Twice, A::Error> {
                    map.next_key::<u8>()?;
                    map.next_value::<u8>()?;
                    map.next_value::<u8>().map(|_| Twice)
                }
            }
            deserializer.deserialize_map(V)
        }
    }
    assert!(wbin::from_slice::<Twice>(&unhex("92 01 02 03 04")).is_err());
    // A value that is not asked for is passed over.
    struct KeysOnly(Vec<u8>);
    impl<'de> Deserialize<'de> for KeysOnly {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeysOnly, D::Error> {
            struct V;
            impl<'de> Visitor<'de> for V {
                type Value = KeysOnly;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<KeysOnly, A::Error> {
                    let mut keys = Vec::new();
                    while let Some(key) = map.next_key()? {
                        keys.push(key);
                        if key == 3 {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                    map.next_value::<IgnoredAny>()?;
                    Ok(KeysOnly(keys))
                }
            }
            deserializer.deserialize_map(V)
        }
    }
    // (Past the end, the value of the last key can still be asked for.)
    match wbin::from_slice::<KeysOnly>(&unhex("92 01 82 02 02 03 04")) {
        Ok(keys) => assert_eq!(keys.0, [1, 3]),
        Err(error) => assert_eq!(error.name(), "invalid-length"),
    }
}

/// Announces `said` parts, gives `given`.
struct Lies {
    shape: &'static str,
    said: Option<usize>,
    given: usize,
}

impl Serialize for Lies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];
        let said = self.said.unwrap_or(0);
        match self.shape {
            "seq" => {
                let mut seq = serializer.serialize_seq(self.said)?;
                (0..self.given).try_for_each(|n| seq.serialize_element(&n))?;
                seq.end()
            }
            "tuple" => {
                let mut tuple = serializer.serialize_tuple(said)?;
                (0..self.given).try_for_each(|n| tuple.serialize_element(&n))?;
                tuple.end()
            }
            "tuple struct" => {
                let mut tuple = serializer.serialize_tuple_struct("T", said)?;
                (0..self.given)
                    .try_for_each(|n| ser::SerializeTupleStruct::serialize_field(&mut tuple, &n))?;
                ser::SerializeTupleStruct::end(tuple)
            }
            "tuple variant" => {
                let mut tuple = serializer.serialize_tuple_variant("E", 0, "V", said)?;
                (0..self.given)
                    .try_for_each(|n| ser::SerializeTupleVariant::serialize_field(&mut tuple, &n))?;
                ser::SerializeTupleVariant::end(tuple)
            }
            "map" => {
                let mut map = serializer.serialize_map(self.said)?;
                (0..self.given).try_for_each(|n| map.serialize_entry(&n, &n))?;
                map.end()
            }
            "struct" => {
                let mut fields = serializer.serialize_struct("S", said)?;
                FIELDS[..self.given].iter().try_for_each(|name| fields.serialize_field(name, &1))?;
                fields.end()
            }
            _ => {
                let mut fields = serializer.serialize_struct_variant("E", 0, "V", said)?;
                FIELDS[..self.given].iter().try_for_each(|name| {
                    ser::SerializeStructVariant::serialize_field(&mut fields, name, &1)
                })?;
                ser::SerializeStructVariant::end(fields)
            }
        }
    }
}

const COUNTED: [&str; 7] =
    ["seq", "tuple", "tuple struct", "tuple variant", "map", "struct", "struct variant"];

#[test]
fn a_type_that_lies_about_its_length_is_an_error() {
    // Elsewhere: the head says one thing and the contents another, and the document is broken.
    for shape in COUNTED {
        for (said, given) in [(2, 1), (2, 3), (0, 1), (1, 0), (15, 3), (16, 4), (300, 5)] {
            let lies = Lies { shape, said: Some(said), given };
            for result in [
                wbin::to_vec(&lies),
                wbin::to_vec(&(1, Some(&lies))),
                Config::new().canonical(true).to_vec(&[&lies]),
                wbin::to_vec(&BTreeMap::from([("k", &lies)])),
            ] {
                let error = result.expect_err(shape);
                assert_eq!((error.name(), error.category()), ("length-mismatch", Category::Data), "{shape}");
            }
        }
        let honest = Lies { shape, said: Some(3), given: 3 };
        encode(&honest);
    }
}

#[test]
fn an_error_in_the_middle_that_the_type_swallows_is_an_error_of_the_whole() {
    // Elsewhere: half of the bad part stays in the output, and everything after it is shifted.
    struct Fails;
    impl Serialize for Fails {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut seq = serializer.serialize_seq(Some(2))?;
            seq.serialize_element("half")?;
            Err(ser::Error::custom("no more"))
        }
    }
    struct Swallows(&'static str);
    impl Serialize for Swallows {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0 {
                "seq" => {
                    let mut seq = serializer.serialize_seq(Some(2))?;
                    let _ = seq.serialize_element(&Fails);
                    seq.serialize_element(&2)?;
                    seq.end()
                }
                "tuple" => {
                    let mut tuple = serializer.serialize_tuple(2)?;
                    tuple.serialize_element(&1)?;
                    let _ = tuple.serialize_element(&Fails);
                    tuple.end()
                }
                "struct" => {
                    let mut fields = serializer.serialize_struct("S", 2)?;
                    let _ = fields.serialize_field("a", &Fails);
                    fields.serialize_field("b", &2)?;
                    fields.end()
                }
                "key" => {
                    let mut map = serializer.serialize_map(Some(1))?;
                    let _ = map.serialize_key(&Fails);
                    map.serialize_entry(&1, &2)?;
                    map.end()
                }
                _ => {
                    let mut map = serializer.serialize_map(None)?;
                    map.serialize_key(&1)?;
                    let _ = map.serialize_value(&Fails);
                    map.end()
                }
            }
        }
    }
    for shape in ["seq", "tuple", "struct", "key", "value"] {
        for result in [wbin::to_vec(&Swallows(shape)), wbin::to_vec(&[Some(Swallows(shape))])] {
            assert!(result.is_err(), "{shape}");
        }
        let mut written = Vec::new();
        assert!(wbin::to_writer(&mut written, &Swallows(shape)).is_err());
        assert!(written.is_empty(), "nothing is written of a value that cannot be encoded");
    }
    // The error itself, if nobody swallows it.
    let error = wbin::to_vec(&[Fails]).unwrap_err();
    assert_eq!((error.name(), error.to_string().as_str()), ("custom", "no more"));
}

#[test]
fn map_values_before_keys_are_an_error() {
    // Elsewhere: keys and values trade places.
    struct OutOfTurn(&'static [bool]);
    impl Serialize for OutOfTurn {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(self.0.len() / 2))?;
            for (n, key) in self.0.iter().enumerate() {
                match key {
                    true => map.serialize_key(&n)?,
                    false => map.serialize_value(&n)?,
                }
            }
            map.end()
        }
    }
    encode(&OutOfTurn(&[true, false, true, false]));
    for turns in [&[false, true][..], &[true, true], &[true, false, false], &[true], &[true, false, true]] {
        assert_eq!(wbin::to_vec(&OutOfTurn(turns)).unwrap_err().name(), "encoder-state", "{turns:?}");
    }
}

#[test]
fn keys_that_are_written_twice_are_an_error() {
    // Elsewhere: one of the two values is lost when it is read, and which one is anybody's guess.
    #[derive(Serialize)]
    struct Flattened {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<&'static str, u8>,
    }
    let good = Flattened { a: 1, rest: BTreeMap::from([("b", 2)]) };
    assert_eq!(show(&encode(&good)), r#"{"a": 1, "b": 2}"#);
    #[derive(Serialize)]
    #[serde(tag = "t")]
    enum Tagging {
        V(Inside),
    }
    #[derive(Serialize)]
    struct Inside {
        t: u8,
    }
    struct Entries(&'static [(u8, u8)], Option<usize>);
    impl Serialize for Entries {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(self.1)?;
            self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
            map.end()
        }
    }
    struct Fields(&'static [&'static str]);
    impl Serialize for Fields {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("S", self.0.len())?;
            self.0.iter().try_for_each(|name| fields.serialize_field(name, &1))?;
            fields.end()
        }
    }
    for (what, result) in [
        ("flatten", wbin::to_vec(&Flattened { a: 1, rest: BTreeMap::from([("a", 2)]) })),
        ("the tag of an internally tagged enum", wbin::to_vec(&Tagging::V(Inside { t: 1 }))),
        ("a map", wbin::to_vec(&Entries(&[(1, 1), (2, 2), (1, 3)], Some(3)))),
        ("an open map", wbin::to_vec(&Entries(&[(1, 1), (1, 3)], None))),
        ("a struct", wbin::to_vec(&Fields(&["a", "b", "a"]))),
        ("inside", wbin::to_vec(&[Some(Entries(&[(1, 1), (1, 1)], Some(2)))])),
    ] {
        assert_eq!(result.expect_err(what).name(), "duplicate-key", "{what}");
    }
    encode(&Fields(&["a", "b", "c"]));
    encode(&Entries(&[(1, 1), (2, 1)], None));
    // Equal keys that are not written in the same way: with a count, and without one.
    struct Uncounted(u32);
    impl Serialize for Uncounted {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut seq = serializer.serialize_seq(None)?;
            (0..self.0).try_for_each(|n| seq.serialize_element(&n))?;
            seq.end()
        }
    }
    struct Both(u32, bool);
    impl Serialize for Both {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            match self.1 {
                true => map.serialize_entry(&Uncounted(self.0), &1)?,
                false => map.serialize_entry(&[Some(Uncounted(self.0))], &1)?,
            }
            match self.1 {
                true => map.serialize_entry(&(0..self.0).collect::<Vec<_>>(), &2)?,
                false => map.serialize_entry(&[(0..self.0).collect::<Vec<_>>()], &2)?,
            }
            map.end()
        }
    }
    for n in [0, 1, 15, 16, 17, 300] {
        for nested in [true, false] {
            assert_eq!(wbin::to_vec(&Both(n, nested)).expect_err("twice").name(), "duplicate-key", "{n}");
        }
    }
    // Every list of three names out of a few, again and again: it is told apart each time.
    static NAMES: [&str; 6] = ["a", "b", "", "abcdefgh", "abcdefghi", "abcdefgi"];
    static LISTS: std::sync::LazyLock<Vec<[&str; 3]>> = std::sync::LazyLock::new(|| {
        let lists = (0..6 * 6 * 6).map(|n| [NAMES[n / 36], NAMES[n / 6 % 6], NAMES[n % 6]]);
        lists.collect()
    });
    for round in 0..3 {
        for [a, b, c] in LISTS.iter() {
            let names: &'static [&'static str; 3] = LISTS.iter().find(|list| **list == [*a, *b, *c]).unwrap();
            let twice = a == b || b == c || a == c;
            assert_eq!(wbin::to_vec(&Fields(names)).is_err(), twice, "{names:?} {round}");
        }
    }
}

#[test]
fn keys_that_are_read_twice_are_an_error_where_they_would_be_lost() {
    // Elsewhere: silently the last one counts.
    assert_eq!(refused::<Point>(&doc_twice("x", "y"), "duplicate-field").path(), None);
    assert_eq!(refused::<serde_json::Value>(&doc_twice("a", "b"), "duplicate-key").offset(), Some(7));
    let error = wbin::from_slice::<Value<'_>>(&unhex("92 b8 00 bb b8 01")).unwrap_err();
    assert_eq!((error.name(), error.offset()), ("duplicate-key", Some(3)));
    for keys in ["05 00 a0 05 00", "05 00 bb 05 00", "80 00 d0 be 00", "b0 08 00 b7 000000000000f03f 00"] {
        let bytes = unhex(&format!("92 {keys}"));
        let by_serde = wbin::from_slice::<Value<'_>>(&bytes).unwrap_err();
        let direct = Value::from_slice(&bytes).unwrap_err();
        assert_eq!((by_serde.name(), by_serde.offset()), ("duplicate-key", direct.offset()), "{keys}");
        assert_eq!(direct.name(), "duplicate-key");
    }
    // Unknown fields are passed over, not read.
    #[derive(Deserialize)]
    struct None {}
    wbin::from_slice::<None>(&doc_twice("a", "b")).unwrap();
    // What is flattened away is buffered, and seen.
    #[derive(Deserialize, Debug)]
    struct Flat {
        #[serde(flatten)]
        _rest: BTreeMap<String, u8>,
    }
    // (A typed map decides for itself: MAP-5. Here the last entry counts.)
    assert!(wbin::from_slice::<Flat>(&doc_twice("a", "b")).is_ok());
}

#[test]
fn keys_that_are_read_twice_after_many_maps_of_the_same_kind() {
    // A reader may remember the keys of the maps before.
    let record = |keys: [&str; 3], middle: Vec<u8>| {
        let mut bytes = vec![0x93];
        for (key, value) in keys.iter().zip([vec![0], middle, vec![0]]) {
            bytes.extend(encode(key));
            bytes.extend(value);
        }
        bytes
    };
    for n in 0..200 {
        let x = format!("x{n}");
        let plain = record(["a", "b", "c"], vec![0]);
        let inner = record([&x, "y", "a"], vec![0]);
        let inside = [vec![0x82], inner.clone(), inner].concat();
        let twice = record(["a", "b", "a"], inside.clone());
        let good = record(["a", "b", "c"], inside);
        let filler = encode(&Blob(vec![0; 250]));
        let with = |last: &Vec<u8>| [&[0x84][..], &plain, &plain, last, &filler].concat();
        for (document, name) in [(with(&good), None), (with(&twice), Some("duplicate-key"))] {
            let names = [
                wbin::from_slice::<Value<'_>>(&document).err().map(|error| error.name()),
                wbin::from_slice::<Called>(&document).err().map(|error| error.name()),
                wbin::from_slice::<(JsonLike, JsonLike, JsonLike, Blob)>(&document)
                    .err()
                    .map(|error| error.name()),
            ];
            assert_eq!(names, [name; 3], "{x}");
        }
    }
    // Typed records too, where some have more, fewer or other fields.
    let points: Vec<BTreeMap<String, i32>> = (0..200)
        .map(|n| {
            let more = ["", "x1", "y", "z"][n % 4];
            BTreeMap::from([("x".into(), n as i32), ("y".into(), -1), (more.into(), -1)])
        })
        .collect();
    let read: Vec<Point> = wbin::from_slice(&encode(&points)).unwrap();
    assert!(read.iter().enumerate().all(|(n, point)| *point == Point { x: n as i32, y: -1 }));
    let mut bytes = encode(&points);
    bytes.splice(bytes.len().., []);
    assert_eq!(wbin::from_slice::<Vec<BTreeMap<String, i32>>>(&bytes).unwrap(), points);
    let value: Value<'_> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(value.to_vec_with(&PLAIN).unwrap(), bytes);
}

#[test]
fn keys_that_are_read_twice_where_a_key_was_refused() {
    // A key that its type refuses, and whose error is swallowed, is a key of the map nevertheless.
    struct NotA;
    impl<'de> Deserialize<'de> for NotA {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NotA, D::Error> {
            match <&str>::deserialize(deserializer)? {
                "a" => Err(de::Error::custom("not a")),
                _ => Ok(NotA),
            }
        }
    }
    struct Swallowing;
    impl<'de> Deserialize<'de> for Swallowing {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Swallowing, D::Error> {
            struct V;
            impl<'de> Visitor<'de> for V {
                type Value = Swallowing;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a map")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Swallowing, A::Error> {
                    loop {
                        match map.next_key::<NotA>() {
                            Ok(Some(NotA)) => drop(map.next_value::<IgnoredAny>()?),
                            Ok(None) => return Ok(Swallowing),
                            Err(_) => {}
                        }
                    }
                }
            }
            deserializer.deserialize_any(V)
        }
    }
    let record = |keys: [&str; 3]| {
        let entries: Vec<u8> = keys.iter().flat_map(|key| [encode(key), vec![0]].concat()).collect();
        [&[0x93][..], &entries].concat()
    };
    let good = record(["a", "b", "c"]);
    for (last, name) in [
        (good.clone(), None),
        (record(["a", "b", "x"]), None),
        (record(["a", "b", "b"]), Some("duplicate-key")),
        (record(["b", "c", "b"]), Some("duplicate-key")),
        (record(["a", "a", "c"]), Some("duplicate-key")),
        (record(["b", "a", "a"]), Some("duplicate-key")),
        (record(["a", "b", "a"]), Some("duplicate-key")),
    ] {
        let document = [&[0xC8, 51][..], &good.repeat(50), &last].concat();
        let error = wbin::from_slice::<Vec<Swallowing>>(&document).err();
        assert_eq!(error.map(|error| error.name()), name, "{}", hex(&last));
        let alone = wbin::from_slice::<Swallowing>(&last).err();
        assert_eq!(alone.map(|error| error.name()), name, "{}", hex(&last));
    }
}

/// Maps and lists of a value of JSON, which knows no bytes.
type JsonLike = serde_json::Value;

/// `{first: 1, second: 2, first: 3}`, which no encoder writes.
fn doc_twice(first: &str, second: &str) -> Vec<u8> {
    let mut bytes = vec![0x93];
    for (n, key) in [first, second, first].iter().enumerate() {
        bytes.extend(encode(key));
        bytes.push(n as u8 + 1);
    }
    bytes
}

/// Takes `room` bytes, then fails.
struct Full {
    room: usize,
    taken: Vec<u8>,
    /// How many bytes it takes a call.
    step: usize,
    kind: std::io::ErrorKind,
}

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = bytes.len().min(self.step).min(self.room - self.taken.len());
        if n == 0 {
            return Err(self.kind.into());
        }
        self.taken.extend(&bytes[..n]);
        Ok(n)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        panic!("a flush that nobody asked for");
    }
}

#[test]
fn a_writer_that_fails_at_any_byte_is_an_io_error() {
    // Elsewhere: an error of the writer is lost, or each value is flushed.
    let value = (vec![1_u64 << 50; 4], "text", BTreeMap::from([(1, 2.5), (2, 1.0 / 3.0)]));
    let bytes = encode(&value);
    for room in 0..bytes.len() {
        for step in [1, 3, usize::MAX] {
            let mut full = Full { room, taken: Vec::new(), step, kind: std::io::ErrorKind::StorageFull };
            let error = wbin::to_writer(&mut full, &value).unwrap_err();
            assert_eq!((error.name(), error.category()), ("io", Category::Io));
            assert_eq!(full.taken, bytes[..room]);
            let io: std::io::Error = error.into();
            assert_eq!(io.kind(), std::io::ErrorKind::StorageFull);
        }
    }
    let kind = std::io::ErrorKind::Other;
    let mut enough = Full { room: bytes.len(), taken: Vec::new(), step: 1, kind };
    wbin::to_writer(&mut enough, &value).unwrap();
    assert_eq!(enough.taken, bytes);
}

#[test]
fn the_serializer_itself_keeps_its_word_after_an_error() {
    // Elsewhere: whoever uses the serializer directly gets half a value.
    let mut serializer = wbin::Serializer::with_config(&Config::new());
    (1, "a").serialize(&mut serializer).unwrap();
    [Some(())].serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_vec().unwrap(), unhex("82 01 41 61 81 bb b8"));
    for shape in COUNTED {
        let mut serializer = wbin::Serializer::with_config(&Config::new());
        Lies { shape, said: Some(2), given: 1 }.serialize(&mut serializer).unwrap_err();
        assert!(serializer.into_vec().is_err(), "{shape}");
    }
    let mut deserializer = wbin::Deserializer::from_slice(b"\x05\x41a");
    assert_eq!(u8::deserialize(&mut deserializer).unwrap(), 5);
    assert_eq!(deserializer.position(), 1);
    assert_eq!(<&str>::deserialize(&mut deserializer).unwrap(), "a");
    assert_eq!(deserializer.position(), 3);
    assert!(u8::deserialize(&mut deserializer).is_err());
    let mut signed = wbin::Deserializer::from_slice(b"\xDF\x57\x42\x01\x05");
    assert_eq!(u8::deserialize(&mut signed).unwrap(), 5);
}

// ---------------------------------------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------------------------------------

type Deep<T> = Option<Option<Option<T>>>;

fn deep<T: Clone>(value: T) -> [Deep<T>; 4] {
    [None, Some(None), Some(Some(None)), Some(Some(Some(value)))]
}

#[test]
fn nested_options_stay_apart() {
    // Elsewhere: Some(None) comes back as None.
    both(deep(5_u8).to_vec(), "[null, some(null), some(some(null)), 5]");
    both(deep(()).to_vec(), "[null, some(null), some(some(null)), some(some(some(null)))]");
    both(deep(Unit).to_vec(), "[null, some(null), some(some(null)), some(some(some(null)))]");
    both(deep(Some(Unit)).to_vec(), "[null, some(null), some(some(null)), some(some(some(some(null))))]");
    for value in deep(vec![None, Some(())]) {
        trip(value);
    }
}

#[test]
fn some_unit_is_not_none() {
    // Elsewhere: Some(()) comes back as None.
    both(vec![None, Some(())], "[null, some(null)]");
    both(vec![None, Some(Unit)], "[null, some(null)]");
    both(vec![None, Some(PhantomData::<u8>)], "[null, some(null)]");
    both((Some(()), None::<()>, Some(Some(()))), "[some(null), null, some(some(null))]");
    // A newtype is what is inside.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Wrapped(Option<()>);
    both(vec![Some(Wrapped(None)), Some(Wrapped(Some(()))), None], "[some(null), some(some(null)), null]");
}

#[test]
fn nested_options_in_structs_maps_keys_and_variants() {
    // Elsewhere: right at the top, wrong inside of something.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Fields {
        a: Deep<u8>,
        b: Option<()>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        c: Option<Option<u8>>,
    }
    both(
        vec![
            Fields { a: Some(None), b: Some(()), c: Some(None) },
            Fields { a: Some(Some(Some(5))), b: None, c: None },
        ],
        r#"[{"a": some(null), "b": some(null), "c": some(null)}, {"a": 5, "b": null}]"#,
    );
    let keys: BTreeMap<Deep<u8>, Deep<()>> = deep(7).into_iter().zip(deep(())).collect();
    both(
        keys,
        "{null: null, some(null): some(null), some(some(null)): some(some(null)), 7: some(some(some(null)))}",
    );
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Variants {
        New(Option<Option<()>>),
        Tuple(Option<()>, Option<Option<u8>>),
        Struct { f: Option<Option<()>> },
    }
    both(
        vec![
            Variants::New(Some(None)),
            Variants::New(None),
            Variants::Tuple(Some(()), Some(None)),
            Variants::Struct { f: Some(Some(())) },
        ],
        r#"[{"New": some(null)}, {"New": null}, {"Tuple": [some(null), some(null)]}, {"Struct": {"f": some(some(null))}}]"#,
    );
}

#[test]
fn nested_options_behind_the_buffering_attributes() {
    // Elsewhere: serde's buffer keeps them apart, but only if it is told about `some`.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Only { value: Option<Option<()>> },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Inner {
        value: Option<Option<()>>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t")]
    enum Internal {
        A(Inner),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        A(Option<Option<()>>),
    }
    for (value, notation) in
        [(None, "null"), (Some(None), "some(null)"), (Some(Some(())), "some(some(null))")]
    {
        both(Untagged::Only { value }, &format!(r#"{{"value": {notation}}}"#));
        both(Outer { inner: Inner { value } }, &format!(r#"{{"value": {notation}}}"#));
        both(Internal::A(Inner { value }), &format!(r#"{{"t": "A", "value": {notation}}}"#));
        both(Adjacent::A(value), &format!(r#"{{"t": "A", "c": {notation}}}"#));
        // The contents before the tag, so that they have to be buffered.
        let turned = doc(&format!(r#"{{"c": {notation}, "t": "A"}}"#));
        assert_eq!(wbin::from_slice::<Adjacent>(&turned).unwrap(), Adjacent::A(value));
        let turned = doc(&format!(r#"{{"value": {notation}, "t": "A"}}"#));
        assert_eq!(wbin::from_slice::<Internal>(&turned).unwrap(), Internal::A(Inner { value }));
    }
}

#[test]
fn a_some_that_means_nothing_is_looked_through() {
    // SOM-4: what expects no option takes the payload.
    for (bytes, five) in [("bb 05", 5), ("bb bb 05", 5)] {
        assert_eq!(wbin::from_slice::<u8>(&unhex(bytes)).unwrap(), five);
        assert_eq!(wbin::from_slice::<Option<u8>>(&unhex(bytes)).unwrap(), Some(five));
        assert_eq!(wbin::from_slice::<Deep<u8>>(&unhex(bytes)).unwrap(), Some(Some(Some(five))));
        assert_eq!(wbin::from_slice::<Newtype>(&unhex(bytes)).unwrap(), Newtype(five));
        assert_eq!(wbin::from_slice::<f64>(&unhex(bytes)).unwrap(), 5.0);
    }
    assert!(wbin::from_slice::<bool>(&unhex("bb ba")).unwrap());
    wbin::from_slice::<()>(&unhex("bb bb b8")).unwrap();
    wbin::from_slice::<Unit>(&unhex("bb b8")).unwrap();
    assert_eq!(wbin::from_slice::<String>(&unhex("bb 41 61")).unwrap(), "a");
    assert_eq!(wbin::from_slice::<char>(&unhex("bb 41 61")).unwrap(), 'a');
    assert_eq!(wbin::from_slice::<Blob>(&unhex("bb c4 01 61")).unwrap().0, [0x61]);
    assert_eq!(wbin::from_slice::<Vec<u8>>(&unhex("bb 82 bb 01 02")).unwrap(), [1, 2]);
    assert_eq!(wbin::from_slice::<(u8,)>(&unhex("bb bb 81 05")).unwrap(), (5,));
    assert_eq!(
        wbin::from_slice::<Point>(&unhex("bb 92 bb 41 78 01 41 79 bb 02")).unwrap(),
        Point { x: 1, y: 2 }
    );
    assert_eq!(wbin::from_slice::<BTreeMap<u8, u8>>(&unhex("bb 91 bb 01 bb 02")).unwrap(), [(1, 2)].into());
    let circle = "bb 91 bb 46 43 69 72 63 6c 65 bb 05";
    assert_eq!(wbin::from_slice::<Shape>(&unhex(circle)).unwrap(), Shape::Circle(5));
    assert_eq!(wbin::from_slice::<Shape>(&unhex("bb 45 45 6d 70 74 79")).unwrap(), Shape::Empty);
    assert_eq!(
        wbin::from_slice::<Uuid>(&unhex(&format!("bb bf 01 c4 10 {}", "07".repeat(16)))).unwrap(),
        Uuid([7; 16])
    );
    assert_eq!(
        wbin::from_slice::<u128>(&unhex("bb bc 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00")).unwrap(),
        1 << 64
    );
    // Behind serde's buffer as well.
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Int(u8),
        List(Vec<u8>),
    }
    assert_eq!(wbin::from_slice::<Untagged>(&unhex("bb 05")).unwrap(), Untagged::Int(5));
    assert_eq!(
        wbin::from_slice::<Untagged>(&unhex("bb 82 bb 01 bb bb 02")).unwrap(),
        Untagged::List(vec![1, 2])
    );
    // Levels do not leak.
    let many = unhex(&format!("c9 e8 03 {}", "bb 05".repeat(1000)));
    assert_eq!(wbin::from_slice::<Vec<u8>>(&many).unwrap(), vec![5; 1000]);
    assert_eq!(wbin::from_slice::<Vec<Option<u8>>>(&many).unwrap(), vec![Some(5); 1000]);
    assert_eq!(wbin::from_slice::<Vec<Untagged>>(&many).unwrap().len(), 1000);
    assert_eq!(wbin::from_slice::<Value<'_>>(&many).unwrap(), Value::from(vec![5; 1000]));
}

// ---------------------------------------------------------------------------------------------------------
// Human-readable or not
// ---------------------------------------------------------------------------------------------------------

/// Whether the other side says that it is human-readable.
#[derive(PartialEq, Debug)]
struct Readable(bool);

impl Serialize for Readable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let readable = serializer.is_human_readable();
        serializer.serialize_bool(readable)
    }
}

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Readable, D::Error> {
        let readable = deserializer.is_human_readable();
        IgnoredAny::deserialize(deserializer).map(|_| Readable(readable))
    }
}

#[test]
fn the_human_readable_switch_reaches_every_type() {
    // Elsewhere: it is lost inside of lists, maps, variants, options or streams.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Wrap {
        New(Readable),
        Tuple(Readable, u8),
        Struct { f: Readable },
    }
    for on in [false, true] {
        let config = Config::new().human_readable(on);
        let all = (
            Readable(on),
            [Readable(on)],
            BTreeMap::from([(1, Readable(on))]),
            Some(Some(Readable(on))),
            [Wrap::New(Readable(on)), Wrap::Tuple(Readable(on), 1), Wrap::Struct { f: Readable(on) }],
            Tagged { ext_type: 70, value: Readable(on) },
        );
        let bytes = config.to_vec(&all).unwrap();
        assert_eq!(show(&bytes).matches(&on.to_string()).count(), 8);
        let read = config.from_slice(&bytes).unwrap();
        assert_eq!(all, read);
        assert_eq!(all, config.from_reader(&bytes[..]).unwrap());
        assert_eq!(all, config.take_from_slice(&bytes).unwrap().0);
        assert_eq!(all, config.iter(&bytes).next().unwrap().unwrap());
        assert_eq!(all, config.iter_reader(&bytes[..]).next().unwrap().unwrap());
        let mut written = Vec::new();
        config.to_writer(&mut written, &all).unwrap();
        assert_eq!(written, bytes);
        let mut encoder = wbin::Encoder::with_config(&config);
        encoder.serialize(&all).unwrap();
        assert_eq!(encoder.finish().unwrap(), bytes);
        let mut deserializer = wbin::Deserializer::with_config(&bytes, &config);
        assert_eq!(all, Deserialize::deserialize(&mut deserializer).unwrap());
        // Bytes that are read as a list, an ext that is read as a map.
        let read: Vec<Readable> = config.from_slice(&doc("h'0102'")).unwrap();
        assert_eq!(read, [Readable(on), Readable(on)]);
        let read: BTreeMap<String, Readable> = config.from_slice(&doc("ext(70, 1)")).unwrap();
        assert_eq!(read["$wbin::ext"], Readable(on));
        // Keys, too.
        let keys = config.to_vec(&HashMap::from([(IpAddr::V4(Ipv4Addr::LOCALHOST), 1)])).unwrap();
        assert_eq!(show(&keys).starts_with(r#"{"127.0.0.1""#), on);
        assert_eq!(config.from_slice::<HashMap<IpAddr, u8>>(&keys).unwrap().len(), 1);
    }
}

#[test]
fn addresses_are_compact_by_default_and_text_with_the_switch() {
    // Elsewhere: the two sides disagree about which of the forms it is.
    let addresses: Vec<IpAddr> = vec![Ipv4Addr::new(10, 0, 0, 1).into(), Ipv6Addr::LOCALHOST.into()];
    let socket = SocketAddr::from((addresses[1], 80));
    trip((addresses.clone(), socket));
    both(addresses[0], r#"{"V4": [10, 0, 0, 1]}"#);
    let readable = Config::new().human_readable(true);
    let bytes = readable.to_vec(&(&addresses, socket)).unwrap();
    assert_eq!(show(&bytes), r#"[["10.0.0.1", "::1"], "[::1]:80"]"#);
    assert_eq!(
        readable.from_slice::<(Vec<IpAddr>, SocketAddr)>(&bytes).unwrap(),
        (addresses.clone(), socket)
    );
    // One side alone with the switch: an error, nothing silent.
    assert!(wbin::from_slice::<(Vec<IpAddr>, SocketAddr)>(&bytes).is_err());
    assert!(readable.from_slice::<Vec<IpAddr>>(&encode(&addresses)).is_err());
}

#[test]
fn addresses_behind_buffering_attributes_need_the_switch() {
    // Elsewhere: serde's buffer says that it is human-readable, whatever the format says, and no binary
    // format can help that without a switch.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Ip(IpAddr),
        Socket(SocketAddr),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t")]
    enum Internal {
        Peer { ip: IpAddr },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat {
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Inner {
        ip: IpAddr,
    }
    let ip = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let all = (
        vec![Untagged::Ip(ip), Untagged::Socket(SocketAddr::from((ip, 1)))],
        Internal::Peer { ip },
        Flat { inner: Inner { ip } },
    );
    let readable = Config::new().human_readable(true);
    let bytes = readable.to_vec(&all).unwrap();
    assert_eq!(
        show(&bytes),
        r#"[["127.0.0.1", "127.0.0.1:1"], {"t": "Peer", "ip": "127.0.0.1"}, {"ip": "127.0.0.1"}]"#
    );
    assert_eq!(readable.from_slice::<(Vec<Untagged>, Internal, Flat)>(&bytes).unwrap(), all);
    // Without it: an error, nothing silent. (Text is read, since the buffer asks for text.)
    assert!(wbin::from_slice::<Vec<Untagged>>(&encode(&all.0)).is_err());
    assert!(wbin::from_slice::<Internal>(&encode(&all.1)).is_err());
    assert!(wbin::from_slice::<Flat>(&encode(&all.2)).is_err());
    assert_eq!(wbin::from_slice::<Untagged>(&encode("127.0.0.1")).unwrap(), Untagged::Ip(ip));
}

// ---------------------------------------------------------------------------------------------------------
// Ints of 128 bits
// ---------------------------------------------------------------------------------------------------------

#[test]
fn wide_ints_in_every_place() {
    // Elsewhere: 128 bits are refused, or are 16 opaque bytes to everybody else.
    for wide in [0, 1, u128::from(u64::MAX), 1 << 64, u128::MAX] {
        trip(wide);
        trip(vec![Some(wide)]);
        trip(BTreeMap::from([(wide, wide)]));
    }
    for wide in [0, -1, i128::from(i64::MIN), i128::from(i64::MIN) - 1, i128::MIN, i128::MAX] {
        trip(wide);
        trip((wide, NonZeroI128::new(wide)));
    }
    // Small ones are ordinary ints, which narrower types read.
    assert_eq!(wbin::from_slice::<u8>(&encode(&5_u128)).unwrap(), 5);
    assert_eq!(wbin::from_slice::<i128>(&encode(&-5_i8)).unwrap(), -5);
    assert_eq!(refused::<u64>(&encode(&(1_u128 << 64)), "invalid-value").offset(), Some(0));
    assert_eq!(refused::<i128>(&encode(&u128::MAX), "invalid-value").offset(), Some(0));
    assert_eq!(refused::<u128>(&encode(&-1), "invalid-value").offset(), Some(0));
}

#[test]
fn wide_ints_behind_buffering_attributes_are_a_clear_error() {
    // Elsewhere and here: serde's buffer has no place for 128 bits. What it can tell is 64 bits.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t")]
    enum Internal {
        Wide { n: u128 },
        Narrow { n: u64 },
        Any { n: Int },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Narrow(u64),
        Negative(i64),
        Any(Int),
    }
    both(Internal::Narrow { n: u64::MAX }, r#"{"t": "Narrow", "n": 18446744073709551615}"#);
    both(vec![Untagged::Narrow(5), Untagged::Negative(-5)], "[5, -5]");
    // wbin's own type asks for any int, so small ones pass.
    both(Internal::Any { n: Int::from(5) }, r#"{"t": "Any", "n": 5}"#);
    for n in [5, 1 << 100] {
        // The tag comes first, so serde need not buffer what it has read; it does nevertheless.
        match wbin::from_slice::<Internal>(&encode(&Internal::Wide { n })) {
            Ok(value) => assert_eq!(value, Internal::Wide { n }),
            Err(error) => {
                assert_eq!(error.category(), Category::Data);
                assert!(error.to_string().contains("128"), "{error}");
            }
        }
    }
    match wbin::from_slice::<Untagged>(&encode(&(1_u128 << 100))) {
        Ok(value) => assert_eq!(value, Untagged::Any(Int::from(1_u128 << 100))),
        Err(error) => assert!(error.to_string().contains("128"), "{error}"),
    }
}

// ---------------------------------------------------------------------------------------------------------
// Enums
// ---------------------------------------------------------------------------------------------------------

/// The value is right alone, and inside of whatever can hold it.
#[track_caller]
fn everywhere<T: Serialize + DeserializeOwned + PartialEq + Debug + Clone>(value: T, notation: &str) {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Field<T> {
        before: u8,
        value: T,
        after: u8,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct New<T>(T);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Variant<T> {
        New(T),
        Struct { value: T },
    }
    both(value.clone(), notation);
    both(vec![value.clone(), value.clone()], &format!("[{notation}, {notation}]"));
    both(New((value.clone(), 7)), &format!("[{notation}, 7]"));
    both(BTreeMap::from([("k".to_string(), value.clone())]), &format!(r#"{{"k": {notation}}}"#));
    both(
        Field { before: 1, value: value.clone(), after: 2 },
        &format!(r#"{{"before": 1, "value": {notation}, "after": 2}}"#),
    );
    both(Variant::New(value.clone()), &format!(r#"{{"New": {notation}}}"#));
    both(Variant::Struct { value: value.clone() }, &format!(r#"{{"Struct": {{"value": {notation}}}}}"#));
    both(Tagged { ext_type: 70, value: value.clone() }, &format!("ext(70, {notation})"));
    if !notation.starts_with("null") {
        both(Some(value), notation);
    }
}

macro_rules! representations {
    ($($(#[$attribute:meta])* $name:ident;)*) => {
        $(#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
        $(#[$attribute])*
        enum $name {
            Unit,
            New(u8),
            NewStruct(Point),
            NewMap(BTreeMap<String, u8>),
            NewList(Vec<u8>),
            NewOption(Option<u8>),
            NewUnit(()),
            NewNew(Newtype),
            Tuple(u8, String),
            Struct { a: u8, b: Option<u8> },
            NoFields {},
        })*
    };
}

representations! {
    External;
    #[serde(tag = "t", content = "c")] Adjacent;
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "t")]
enum Internal {
    Unit,
    NewStruct(Point),
    NewMap(BTreeMap<String, u8>),
    NewUnitStruct(Unit),
    Struct { a: u8, b: Option<u8> },
    NoFields {},
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Unit,
    New(u8),
    Text(String),
    Tuple(u8, String),
    NewStruct(Point),
    NewList(Vec<u8>),
    Struct { a: u8, b: Option<u8> },
    NewMap(BTreeMap<String, u8>),
}

#[test]
fn externally_tagged_enums() {
    // Elsewhere: unit variants are ints or maps of null, newtypes of options and units get lost.
    let point = Point { x: 1, y: 2 };
    let map = BTreeMap::from([("k".to_string(), 1)]);
    everywhere(External::Unit, r#""Unit""#);
    everywhere(External::New(5), r#"{"New": 5}"#);
    everywhere(External::NewStruct(point), r#"{"NewStruct": {"x": 1, "y": 2}}"#);
    everywhere(External::NewMap(map), r#"{"NewMap": {"k": 1}}"#);
    everywhere(External::NewList(vec![1, 2]), r#"{"NewList": [1, 2]}"#);
    everywhere(External::NewOption(None), r#"{"NewOption": null}"#);
    everywhere(External::NewOption(Some(5)), r#"{"NewOption": 5}"#);
    everywhere(External::NewUnit(()), r#"{"NewUnit": null}"#);
    everywhere(External::NewNew(Newtype(5)), r#"{"NewNew": 5}"#);
    everywhere(External::Tuple(1, "a".into()), r#"{"Tuple": [1, "a"]}"#);
    everywhere(External::Struct { a: 1, b: None }, r#"{"Struct": {"a": 1, "b": null}}"#);
    everywhere(External::NoFields {}, r#"{"NoFields": {}}"#);
}

#[test]
fn adjacently_tagged_enums() {
    // Elsewhere: the variant is written as an index, or struct variants cannot be read back.
    let point = Point { x: 1, y: 2 };
    let map = BTreeMap::from([("k".to_string(), 1)]);
    everywhere(Adjacent::Unit, r#"{"t": "Unit"}"#);
    everywhere(Adjacent::New(5), r#"{"t": "New", "c": 5}"#);
    everywhere(Adjacent::NewStruct(point), r#"{"t": "NewStruct", "c": {"x": 1, "y": 2}}"#);
    everywhere(Adjacent::NewMap(map), r#"{"t": "NewMap", "c": {"k": 1}}"#);
    everywhere(Adjacent::NewList(vec![1, 2]), r#"{"t": "NewList", "c": [1, 2]}"#);
    everywhere(Adjacent::NewOption(None), r#"{"t": "NewOption", "c": null}"#);
    everywhere(Adjacent::NewOption(Some(5)), r#"{"t": "NewOption", "c": 5}"#);
    everywhere(Adjacent::NewUnit(()), r#"{"t": "NewUnit", "c": null}"#);
    everywhere(Adjacent::NewNew(Newtype(5)), r#"{"t": "NewNew", "c": 5}"#);
    everywhere(Adjacent::Tuple(1, "a".into()), r#"{"t": "Tuple", "c": [1, "a"]}"#);
    everywhere(Adjacent::Struct { a: 1, b: None }, r#"{"t": "Struct", "c": {"a": 1, "b": null}}"#);
    everywhere(Adjacent::NoFields {}, r#"{"t": "NoFields", "c": {}}"#);
    // The contents may come first, and then are buffered.
    for (turned, value) in [
        (r#"{"c": [1, "a"], "t": "Tuple"}"#, Adjacent::Tuple(1, "a".into())),
        (r#"{"c": {"b": 2, "a": 1}, "t": "Struct"}"#, Adjacent::Struct { a: 1, b: Some(2) }),
        (r#"{"c": 5, "t": "NewNew"}"#, Adjacent::NewNew(Newtype(5))),
        (r#"{"c": null, "t": "Unit"}"#, Adjacent::Unit),
    ] {
        assert_eq!(wbin::from_slice::<Adjacent>(&doc(turned)).unwrap(), value);
    }
}

#[test]
fn internally_tagged_enums() {
    // Elsewhere: the map that holds tag and fields is refused because its length is not the struct's.
    let point = Point { x: 1, y: 2 };
    let map = BTreeMap::from([("k".to_string(), 1)]);
    everywhere(Internal::Unit, r#"{"t": "Unit"}"#);
    everywhere(Internal::NewStruct(point), r#"{"t": "NewStruct", "x": 1, "y": 2}"#);
    everywhere(Internal::NewMap(map), r#"{"t": "NewMap", "k": 1}"#);
    everywhere(Internal::NewUnitStruct(Unit), r#"{"t": "NewUnitStruct"}"#);
    everywhere(Internal::Struct { a: 1, b: None }, r#"{"t": "Struct", "a": 1, "b": null}"#);
    everywhere(Internal::NoFields {}, r#"{"t": "NoFields"}"#);
    let late = doc(r#"{"a": 1, "unknown": [{}], "b": 2, "t": "Struct"}"#);
    assert_eq!(wbin::from_slice::<Internal>(&late).unwrap(), Internal::Struct { a: 1, b: Some(2) });
    assert_eq!(refused::<Internal>(&doc(r#"{"a": 1}"#), "missing-field").offset(), Some(0));
    assert_eq!(refused::<Internal>(&doc(r#"{"t": "None"}"#), "unknown-variant").category(), Category::Data);
}

#[test]
fn untagged_enums() {
    // Elsewhere: fails around unit, and wherever a struct or variant looks unlike the others.
    let point = Point { x: 1, y: 2 };
    let map = BTreeMap::from([("k".to_string(), 1)]);
    everywhere(Untagged::Unit, "null");
    everywhere(Untagged::New(5), "5");
    everywhere(Untagged::Text("a".into()), r#""a""#);
    everywhere(Untagged::Tuple(1, "a".into()), r#"[1, "a"]"#);
    everywhere(Untagged::NewStruct(point), r#"{"x": 1, "y": 2}"#);
    everywhere(Untagged::NewList(vec![1, 2, 3]), "[1, 2, 3]");
    everywhere(Untagged::Struct { a: 1, b: None }, r#"{"a": 1, "b": null}"#);
    everywhere(Untagged::NewMap(map), r#"{"k": 1}"#);
    assert_eq!(refused::<Untagged>(&doc("1.5"), "custom").offset(), Some(0));
}

#[test]
fn enums_inside_of_buffered_enums() {
    // Elsewhere: each alone works, one inside of the other does not.
    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    #[serde(untagged)]
    enum Outer {
        External(External),
        List(Vec<Outer>),
        // Last, since serde reads it from a list as well.
        Internal(Internal),
    }
    for value in [
        External::Unit,
        External::New(5),
        External::NewOption(None),
        External::NewUnit(()),
        External::Tuple(1, "a".into()),
        External::Struct { a: 1, b: Some(2) },
        External::NoFields {},
    ] {
        trip(Outer::List(vec![Outer::External(value)]));
    }
    trip(Outer::List(vec![Outer::Internal(Internal::Unit), Outer::List(vec![])]));
    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    #[serde(tag = "kind")]
    enum Message {
        One { body: External, more: Adjacent },
        Two(Flat),
    }
    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        external: External,
        #[serde(flatten)]
        rest: BTreeMap<String, Untagged>,
    }
    everywhere(
        Message::One { body: External::New(5), more: Adjacent::Tuple(1, "a".into()) },
        r#"{"kind": "One", "body": {"New": 5}, "more": {"t": "Tuple", "c": [1, "a"]}}"#,
    );
    everywhere(
        Message::Two(Flat {
            a: 1,
            external: External::Struct { a: 1, b: None },
            rest: BTreeMap::from([("z".into(), Untagged::New(3))]),
        }),
        r#"{"kind": "Two", "a": 1, "Struct": {"a": 1, "b": null}, "z": 3}"#,
    );
}

#[test]
fn reordered_variants_stay_who_they_are() {
    // Elsewhere: variants are numbers, and moving one changes what old documents say.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Before {
        A,
        B(u8),
        C { x: u8 },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum After {
        New,
        C { x: u8 },
        B(u8),
        A,
    }
    let bytes = encode(&[Before::A, Before::B(1), Before::C { x: 2 }]);
    let after: Vec<After> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(after, [After::A, After::B(1), After::C { x: 2 }]);
    assert_eq!(encode(&after), bytes);
    assert_eq!(refused::<Before>(&encode(&After::New), "unknown-variant").offset(), Some(0));
}

#[test]
fn variants_and_fields_have_no_numbers() {
    // Elsewhere: an int in place of a name is an index, and picks whatever stands there now.
    assert_eq!(refused::<Shape>(&doc("0"), "invalid-type").offset(), Some(0));
    assert_eq!(refused::<Shape>(&doc("{1: 5}"), "invalid-type").offset(), Some(1));
    assert_eq!(refused::<Point>(&doc("{0: 1, 1: 2}"), "invalid-type").offset(), Some(1));
    assert_eq!(refused::<Point>(&doc("{h'78': 1, h'79': 2}"), "invalid-type").offset(), Some(1));
    assert_eq!(
        refused::<Shape>(&doc("{\"Rect\": {0: 1, 1: 2}}"), "invalid-type").path().as_deref(),
        Some(".Rect")
    );
    assert_eq!(refused::<Shape>(&doc("null"), "invalid-type").offset(), Some(0));
    // Nor is the tag of the other representations one.
    assert_eq!(refused::<Adjacent>(&doc(r#"{"t": 1, "c": 5}"#), "invalid-type").offset(), Some(3));
    assert_eq!(refused::<Adjacent>(&doc(r#"{"t": h'4e6577', "c": 5}"#), "invalid-type").offset(), Some(3));
    assert_eq!(refused::<Internal>(&doc(r#"{"t": 0}"#), "invalid-type").offset(), Some(3));
    // A struct is no list of its fields in order, which would be the same thing.
    assert_eq!(refused::<Point>(&doc("[1, 2]"), "invalid-type").found(), Some("sequence"));
    assert_eq!(
        refused::<Shape>(&doc(r#"{"Rect": [1, 2]}"#), "invalid-type").path().as_deref(),
        Some(".Rect")
    );
}

#[test]
fn an_enum_is_a_name_or_a_map_of_one_entry() {
    // Elsewhere: more entries are ignored, or read as something else.
    assert_eq!(wbin::from_slice::<Shape>(&doc(r#"{"Empty": null}"#)).unwrap(), Shape::Empty);
    assert_eq!(wbin::from_slice::<Shape>(&unhex("d1 46 43 69 72 63 6c 65 05 be")).unwrap(), Shape::Circle(5));
    for not_one in ["{}", r#"{"Circle": 5, "Empty": null}"#] {
        assert_eq!(refused::<Shape>(&doc(not_one), "invalid-length").offset(), Some(0));
        let open = [&[0xD1][..], &doc(not_one)[1..], &[0xBE]].concat();
        assert_eq!(refused::<Shape>(&open, "invalid-length").offset(), Some(0));
    }
    for (wrong, name) in [
        (r#""Circle""#, "invalid-type"),     // its contents are missing
        (r#"{"Empty": 5}"#, "invalid-type"), // it has none
        (r#"{"Circle": "x"}"#, "invalid-type"),
        (r#"{"Line": 5}"#, "invalid-type"),
        (r#"{"Line": [1]}"#, "invalid-length"),
        (r#"{"Line": [1, 2, 3]}"#, "invalid-length"),
        (r#"{"Rect": {"w": 1}}"#, "missing-field"),
        (r#"{"Oval": 1}"#, "unknown-variant"),
        (r#""Oval""#, "unknown-variant"),
        (r#""""#, "unknown-variant"),
    ] {
        let error = refused::<Shape>(&doc(wrong), name);
        assert!(error.offset().is_some(), "{wrong}: {error}");
        // Wherever it stands, what comes after is read.
        let list = doc(&format!("[{wrong}, {{\"Circle\": 1}}]"));
        assert_eq!(wbin::from_slice::<Good<Shape>>(&list).unwrap().0, [None, Some(Shape::Circle(1))]);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Attributes of fields
// ---------------------------------------------------------------------------------------------------------

#[test]
fn skipped_and_defaulted_fields() {
    // Elsewhere: fields are positions, so that a skipped one shifts all that follow.
    #[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
    #[serde(default)]
    struct Sparse {
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<u8>,
        #[serde(skip)]
        b: u8,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        c: Vec<u8>,
        #[serde(skip_serializing)]
        d: u8,
        #[serde(skip_deserializing)]
        e: u8,
        f: bool,
    }
    both(Sparse { f: true, ..Default::default() }, r#"{"e": 0, "f": true}"#);
    both(
        Sparse { a: Some(1), c: vec![2], ..Default::default() },
        r#"{"a": 1, "c": [2], "e": 0, "f": false}"#,
    );
    assert_eq!(wbin::from_slice::<Sparse>(&doc("{}")).unwrap(), Sparse::default());
    let read: Sparse = wbin::from_slice(&doc(r#"{"b": 9, "d": 8, "e": 7}"#)).unwrap();
    assert_eq!(read, Sparse { d: 8, ..Default::default() });
    // An Option without an entry is None, even without `default`.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Optional {
        a: Option<u8>,
        b: Option<Option<u8>>,
    }
    assert_eq!(wbin::from_slice::<Optional>(&doc("{}")).unwrap(), Optional { a: None, b: None });
    assert_eq!(
        refused::<Point>(&doc(r#"{"x": 1}"#), "missing-field").to_string(),
        "missing field `y` at byte 0"
    );
}

#[test]
fn renamed_and_aliased_fields() {
    // Elsewhere: an index into the list of names that serde gives is taken for a field; aliases are in it, too.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Renamed {
        first_name: u8,
        #[serde(rename = "ß", alias = "two", alias = "zwei")]
        second: u8,
        #[serde(rename(serialize = "out", deserialize = "in"))]
        third: Option<u8>,
        r#type: u8,
    }
    let value = Renamed { first_name: 1, second: 2, third: Some(3), r#type: 4 };
    assert_eq!(show(&encode(&value)), r#"{"firstName": 1, "ß": 2, "out": 3, "type": 4}"#);
    for name in ["ß", "two", "zwei"] {
        let bytes = doc(&format!(r#"{{"type": 4, "{name}": 2, "in": 3, "firstName": 1}}"#));
        assert_eq!(wbin::from_slice::<Renamed>(&bytes).unwrap(), value);
    }
    let error = refused::<Renamed>(&encode(&value), "unknown-field");
    assert_eq!(error.found(), Some("`out`"));
    let both = doc(r#"{"type": 4, "two": 2, "zwei": 2, "firstName": 1}"#);
    assert_eq!(refused::<Renamed>(&both, "duplicate-field").category(), Category::Data);
}

#[test]
fn unknown_fields_are_passed_over_or_refused_with_their_place() {
    // Elsewhere: no place, no path.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        x: u8,
    }
    let error = refused::<Vec<Strict>>(&doc(r#"[{"x": 1}, {"x": 2, "why": 3}]"#), "unknown-field");
    assert_eq!(error.path().as_deref(), Some("[1]"));
    assert_eq!(error.offset(), Some(9));
    assert_eq!(error.to_string(), "unknown field: `why`, expected `x` at byte 9 in [1]");
    let any = r#"[null, {1: "x"}, h'00', ext(70, [1]), some(null), 1.5, "text", -1000000]"#;
    let bytes = doc(&format!(r#"{{"a": {any}, "x": 1, "b": {any}, "y": 2, "c": {any}}}"#));
    assert_eq!(wbin::from_slice::<Point>(&bytes).unwrap(), Point { x: 1, y: 2 });
    let open = [&[0xD1][..], &bytes[1..], &[0xBE]].concat();
    assert_eq!(wbin::from_slice::<Point>(&open).unwrap(), Point { x: 1, y: 2 });
}

#[test]
fn other_catches_unknown_variants() {
    // Elsewhere: works for one of the representations only.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum External {
        Known(u8),
        #[serde(other)]
        Other,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t")]
    enum Internal {
        Known {
            a: u8,
        },
        #[serde(other)]
        Other,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Known(u8),
        #[serde(other)]
        Other,
    }
    assert_eq!(wbin::from_slice::<External>(&doc(r#""what""#)).unwrap(), External::Other);
    assert_eq!(wbin::from_slice::<External>(&doc(r#"{"what": null}"#)).unwrap(), External::Other);
    assert_eq!(wbin::from_slice::<External>(&doc(r#"{"Known": 5}"#)).unwrap(), External::Known(5));
    let bytes = doc(r#"{"t": "what", "a": [1], "b": {}}"#);
    assert_eq!(wbin::from_slice::<Internal>(&bytes).unwrap(), Internal::Other);
    assert_eq!(wbin::from_slice::<Adjacent>(&doc(r#"{"t": "what"}"#)).unwrap(), Adjacent::Other);
    assert_eq!(wbin::from_slice::<Adjacent>(&doc(r#"{"t": "what", "c": null}"#)).unwrap(), Adjacent::Other);
}

#[test]
fn remote_from_into_and_transparent() {
    // Elsewhere: nothing special; here so that the whole of derive is seen to work.
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(from = "(i32, i32)", into = "(i32, i32)")]
    struct Tuple(Point);
    impl From<(i32, i32)> for Tuple {
        fn from((x, y): (i32, i32)) -> Tuple {
            Tuple(Point { x, y })
        }
    }
    impl From<Tuple> for (i32, i32) {
        fn from(tuple: Tuple) -> (i32, i32) {
            (tuple.0.x, tuple.0.y)
        }
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(try_from = "String")]
    struct Even(String);
    impl TryFrom<String> for Even {
        type Error = String;
        fn try_from(text: String) -> Result<Even, String> {
            if text.len() % 2 == 0 { Ok(Even(text)) } else { Err(format!("odd: {text}")) }
        }
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Clear {
        inner: Vec<Option<()>>,
    }
    both(Tuple(Point { x: 1, y: 2 }), "[1, 2]");
    both(Clear { inner: vec![None, Some(())] }, "[null, some(null)]");
    assert_eq!(wbin::from_slice::<Vec<Even>>(&doc(r#"["ab", ""]"#)).unwrap()[0], Even("ab".into()));
    let error = refused::<Vec<Even>>(&doc(r#"["ab", "c"]"#), "custom");
    assert_eq!(error.to_string(), "odd: c at byte 4 in [1]");
}

#[test]
fn flattened_structs_and_maps() {
    // Elsewhere: maps of unknown length are refused, which is the end of flatten.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Outer {
        id: u8,
        #[serde(flatten)]
        point: Point,
        #[serde(flatten)]
        maybe: Option<Size>,
        #[serde(flatten)]
        rest: HashMap<String, Option<Vec<u8>>>,
        last: bool,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Size {
        w: u8,
        h: u8,
    }
    let point = Point { x: 1, y: 2 };
    let outer = |maybe, rest| Outer { id: 7, point, maybe, rest, last: true };
    both(outer(None, HashMap::new()), r#"{"id": 7, "x": 1, "y": 2, "last": true}"#);
    both(
        outer(Some(Size { w: 3, h: 4 }), HashMap::from([("z".into(), Some(vec![5]))])),
        r#"{"id": 7, "x": 1, "y": 2, "w": 3, "h": 4, "z": [5], "last": true}"#,
    );
    let many: HashMap<String, Option<Vec<u8>>> =
        (0..300).map(|n| (format!("key{n}"), Some(vec![n as u8]))).collect();
    trip(vec![outer(None, many)]);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Nothing {
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    both(Nothing { rest: BTreeMap::new() }, "{}");
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Deeply {
        #[serde(flatten)]
        outer: Outer,
        extra: u8,
    }
    both(
        Deeply { outer: outer(None, HashMap::new()), extra: 1 },
        r#"{"id": 7, "x": 1, "y": 2, "last": true, "extra": 1}"#,
    );
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Units {
        #[serde(flatten)]
        unit: (),
        a: u8,
    }
    both(Units { unit: (), a: 1 }, r#"{"a": 1}"#);
}

#[test]
fn flattened_maps_with_keys_that_are_not_text() {
    // Elsewhere: written, but not read; or the int is taken for the number of a field.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat<K: Ord> {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<K, u8>,
    }
    both(Flat { a: 1, rest: BTreeMap::from([(5_u64, 6)]) }, r#"{"a": 1, 5: 6}"#);
    both(Flat { a: 1, rest: BTreeMap::from([(0_u8, 6), (1, 7)]) }, r#"{"a": 1, 0: 6, 1: 7}"#);
    both(Flat { a: 1, rest: BTreeMap::from([(-5_i64, 6)]) }, r#"{"a": 1, -5: 6}"#);
    both(Flat { a: 1, rest: BTreeMap::from([(true, 6)]) }, r#"{"a": 1, true: 6}"#);
    both(Flat { a: 1, rest: BTreeMap::from([('c', 6)]) }, r#"{"a": 1, "c": 6}"#);
    let read: Flat<u8> = wbin::from_slice(&doc(r#"{5: 6, "a": 1, 7: 8}"#)).unwrap();
    assert_eq!(read, Flat { a: 1, rest: BTreeMap::from([(5, 6), (7, 8)]) });
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Hashed {
        #[serde(flatten)]
        rest: HashMap<i32, String>,
    }
    both(Hashed { rest: HashMap::from([(-1, "x".into())]) }, r#"{-1: "x"}"#);
    both(Hashed { rest: HashMap::new() }, "{}");
}

#[test]
fn lists_and_maps_of_unknown_length() {
    // Elsewhere: refused, or right for none and wrong for some; 15 and 16 is where the head changes here.
    struct Unknown<T>(RefCell<T>);
    impl<T: Iterator<Item = u32>> Serialize for Unknown<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut seq = serializer.serialize_seq(None)?;
            self.0.borrow_mut().try_for_each(|item| seq.serialize_element(&item))?;
            seq.end()
        }
    }
    struct UnknownMap<T>(RefCell<T>);
    impl<T: Iterator<Item = u32>> Serialize for UnknownMap<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            self.0.borrow_mut().try_for_each(|item| map.serialize_entry(&item, &Some(())))?;
            map.end()
        }
    }
    for n in [0, 1, 2, 14, 15, 16, 17, 255, 256, 1000] {
        let list: Vec<u32> = (0..n).collect();
        let bytes = encode(&Unknown(RefCell::new(0..n)));
        assert_eq!(wbin::from_slice::<Vec<u32>>(&bytes).unwrap(), list);
        match n {
            0..=15 => assert_eq!(bytes, encode(&list)),
            _ => assert_eq!((bytes[0], bytes[bytes.len() - 1]), (0xD0, 0xBE)),
        }
        let map: BTreeMap<u32, Option<()>> = (0..n).map(|n| (n, Some(()))).collect();
        let bytes = encode(&UnknownMap(RefCell::new(0..n)));
        assert_eq!(wbin::from_slice::<BTreeMap<u32, Option<()>>>(&bytes).unwrap(), map);
        match n {
            0..=15 => assert_eq!(bytes, encode(&map)),
            _ => assert_eq!((bytes[0], bytes[bytes.len() - 1]), (0xD1, 0xBE)),
        }
        // The canonical form counts.
        let canonical = Config::new().canonical(true).to_vec(&Unknown(RefCell::new(0..n))).unwrap();
        assert_eq!(canonical, encode(&list));
        // Inside of one another.
        let bytes = encode(&[Some(Unknown(RefCell::new(0..n))), Some(Unknown(RefCell::new(0..1)))]);
        assert_eq!(wbin::from_slice::<Vec<Vec<u32>>>(&bytes).unwrap(), [list.clone(), vec![0]]);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Keys
// ---------------------------------------------------------------------------------------------------------

#[test]
fn keys_of_any_type() {
    // Elsewhere: text only, or text made of numbers.
    fn map<K: Ord, const N: usize>(keys: [K; N]) -> BTreeMap<K, u8> {
        keys.into_iter().zip(1..).collect()
    }
    both(map([-1_i8, 0, 1]), "{-1: 1, 0: 2, 1: 3}");
    both(map([u64::MAX]), "{18446744073709551615: 1}");
    both(map([u128::MAX]), "{340282366920938463463374607431768211455: 1}");
    both(map([false, true]), "{false: 1, true: 2}");
    both(map(['a', '😀']), r#"{"a": 1, "😀": 2}"#);
    both(map([()]), "{null: 1}");
    both(map([Unit]), "{null: 1}");
    both(map([(1, 'x'), (2, 'y')]), r#"{[1, "x"]: 1, [2, "y"]: 2}"#);
    both(map([vec![1_u8], vec![]]), "{[]: 2, [1]: 1}");
    both(map([Blob(vec![1])]), "{h'01': 1}");
    both(map([None, Some(5_u8)]), "{null: 1, 5: 2}");
    both(map([None, Some(())]), "{null: 1, some(null): 2}");
    both(map([Newtype(1), Newtype(2)]), "{1: 1, 2: 2}");
    both(map([Pair(1, true)]), "{[1, true]: 1}");
    both(map([Point { x: 1, y: 2 }]), r#"{{"x": 1, "y": 2}: 1}"#);
    both(
        map([Shape::Empty, Shape::Circle(1), Shape::Line(1, 2), Shape::Rect { w: 1, h: 2 }]),
        r#"{"Empty": 1, {"Circle": 1}: 2, {"Line": [1, 2]}: 3, {"Rect": {"w": 1, "h": 2}}: 4}"#,
    );
    both(map([map([1]), map([2])]), "{{1: 1}: 1, {2: 1}: 2}");
    both(map([BTreeSet::from([1, 2])]), "{[1, 2]: 1}");
    both(map([Uuid([0; 16])]), "{ext(1, h'00000000000000000000000000000000'): 1}");
    trip(HashMap::from([((1, "a".to_string()), 1), ((2, String::new()), 2)]));
    // The same keys, flattened or buffered, are in a test of their own.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Buffered {
        Ints(BTreeMap<i32, u8>),
        Pairs(BTreeMap<(u8, u8), u8>),
        Shapes(BTreeMap<Shape, u8>),
    }
    both(Buffered::Ints(map([-5, 5])), "{-5: 1, 5: 2}");
    both(Buffered::Pairs(map([(1, 2)])), "{[1, 2]: 1}");
    both(Buffered::Shapes(map([Shape::Empty, Shape::Circle(1)])), r#"{"Empty": 1, {"Circle": 1}: 2}"#);
}

#[test]
fn keys_of_maps_that_come_again_and_again() {
    // A reader that remembers keys must give them to any type as it would have read them.
    #[track_caller]
    fn repeated<T: DeserializeOwned>(map: &str) {
        let one = doc(map);
        let alone = wbin::from_slice::<T>(&one);
        let many = [&[0xC8, 60][..], &one.repeat(60)].concat();
        assert!(many.len() > 1000);
        for (way, all) in [
            ("list", wbin::from_slice::<Vec<Lenient<T>>>(&many).unwrap()),
            ("buffered list", wbin::from_slice::<BothWays<T>>(&many).unwrap().0),
        ] {
            for item in all {
                assert_eq!(item.0.is_some(), alone.is_ok(), "{way} {map} {:?}", alone.as_ref().err());
            }
        }
        // The errors are the same, too, wherever they come.
        let name = |error: &Error| {
            (error.name(), error.expected().map(str::to_string), error.found().map(str::to_string))
        };
        if let (Err(alone), Err(first)) = (&alone, wbin::from_slice::<Vec<T>>(&many)) {
            assert_eq!(name(alone), name(&first), "{map}");
        }
    }
    /// Some of the items as they are, the others behind a type that asks for anything.
    struct BothWays<T>(Vec<Lenient<T>>);
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for BothWays<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BothWays<T>, D::Error> {
            struct V<T>(PhantomData<T>);
            impl<'de, T: Deserialize<'de>> Visitor<'de> for V<T> {
                type Value = BothWays<T>;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a list")
                }
                fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<BothWays<T>, A::Error> {
                    let mut items = Vec::new();
                    loop {
                        if seq.next_element::<Value<'de>>()?.is_none() {
                            return Ok(BothWays(items));
                        }
                        seq.next_element::<IgnoredAny>()?;
                        seq.next_element::<serde_json::Value>()?;
                        items.extend(seq.next_element()?);
                    }
                }
            }
            deserializer.deserialize_seq(V(PhantomData))
        }
    }
    type ByKey<K> = BTreeMap<K, IgnoredNothing>;
    let text = r#"{"Empty": 1, "b": [2, "three"], "a longer key than eight": null, "": {}}"#;
    let names = r#"{"Empty": 1, "Unit": [2, "three and more"], "Struct": null}"#;
    let chars = r#"{"a": 1, "b": "a value of some length", "😀": null}"#;
    for map in [text, names, chars] {
        repeated::<ByKey<String>>(map);
        repeated::<ByKey<Box<str>>>(map);
        repeated::<ByKey<Cow<'static, str>>>(map);
        repeated::<ByKey<PathBuf>>(map);
        repeated::<ByKey<char>>(map);
        repeated::<ByKey<Option<String>>>(map);
        repeated::<ByKey<Option<Option<char>>>>(map);
        repeated::<ByKey<TextKey>>(map);
        repeated::<ByKey<Shape>>(map);
        repeated::<ByKey<UnitName>>(map);
        repeated::<ByKey<EitherKey>>(map);
        repeated::<ByKey<u8>>(map);
        repeated::<ByKey<i128>>(map);
        repeated::<ByKey<bool>>(map);
        repeated::<ByKey<()>>(map);
        repeated::<ByKey<Unit>>(map);
        repeated::<ByKey<Blob>>(map);
        repeated::<ByKey<Vec<u8>>>(map);
        repeated::<ByKey<(u8, u8)>>(map);
        repeated::<ByKey<[u8; 2]>>(map);
        repeated::<ByKey<Pair>>(map);
        repeated::<ByKey<Point>>(map);
        repeated::<ByKey<BTreeMap<u8, u8>>>(map);
        repeated::<ByKey<Uuid>>(map);
        repeated::<ByKey<NonZeroU8>>(map);
        repeated::<HashMap<OsString, IgnoredNothing>>(map);
        repeated::<HashMap<IpAddr, IgnoredNothing>>(map);
        repeated::<HashMap<wbin::OwnedValue, IgnoredNothing>>(map);
        repeated::<Vec<(String, u8)>>(map);
        repeated::<serde_json::Value>(map);
        repeated::<wbin::OwnedValue>(map);
        repeated::<Called>(map);
        repeated::<Untagged>(map);
        repeated::<Flattened>(map);
    }
    // And what was read is right.
    let many = [&[0xC8, 60][..], &doc(text).repeat(60)].concat();
    let keys = ["", "Empty", "a longer key than eight", "b"];
    for map in wbin::from_slice::<Vec<BTreeMap<String, IgnoredAny>>>(&many).unwrap() {
        assert!(map.keys().eq(keys));
    }
    for map in wbin::from_slice::<Vec<BTreeMap<&str, IgnoredAny>>>(&many).unwrap() {
        assert!(map.keys().eq(&keys));
    }
    for map in wbin::from_slice::<Vec<BTreeMap<Option<TextKey>, IgnoredAny>>>(&many).unwrap() {
        assert!(map.keys().eq(&keys.map(|key| Some(TextKey(key.into())))));
    }
    for map in wbin::from_slice::<Vec<HashMap<Value<'_>, IgnoredAny>>>(&many).unwrap() {
        assert!(keys.iter().all(|key| map.contains_key(&Value::from(*key))));
    }
    for map in wbin::from_slice::<Vec<HashMap<RawKey<'_>, IgnoredAny>>>(&many).unwrap() {
        assert!(keys.iter().all(|key| map.contains_key(&RawKey(RawValue::from_vec(encode(key)).unwrap()))));
    }
}

/// A value that is not kept.
#[derive(Debug)]
struct IgnoredNothing;

impl<'de> Deserialize<'de> for IgnoredNothing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<IgnoredNothing, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| IgnoredNothing)
    }
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TextKey(String);

#[derive(Deserialize, PartialEq, Eq, Hash)]
struct RawKey<'a>(#[serde(borrow)] RawValue<'a>);

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum UnitName {
    Empty,
    Unit,
    Struct,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(untagged)]
enum EitherKey {
    Number(u8),
    Text(String),
}

#[derive(Deserialize, Debug)]
struct Flattened {
    #[serde(rename = "Empty")]
    _empty: u8,
    #[serde(flatten)]
    _rest: BTreeMap<String, serde_json::Value>,
}

#[test]
fn the_path_of_an_error_names_keys_of_any_type() {
    // Elsewhere: no path at all.
    let path = |notation: &str| {
        let error = wbin::from_slice::<BTreeMap<Shape, Vec<u8>>>(&doc(notation)).unwrap_err();
        error.path()
    };
    assert_eq!(path(r#"{"Empty": [1, 2, "x"]}"#).as_deref(), Some(".Empty[2]"));
    assert_eq!(path(r#"{{"Circle": 1}: [null]}"#).as_deref(), Some(r#"[{"Circle": 1}][0]"#));
    let error = wbin::from_slice::<BTreeMap<i8, BTreeMap<String, bool>>>(&doc(r#"{-1: {"a b": 2}}"#));
    assert_eq!(error.unwrap_err().path().as_deref(), Some(r#"[-1]["a b"]"#));
    let error = wbin::from_slice::<Tagged<Vec<Shape>>>(&doc(r#"ext(70, [{"Rect": {"w": true}}])"#));
    assert_eq!(error.unwrap_err().path().as_deref(), Some("[ext 70][0].Rect.w"));
}

// ---------------------------------------------------------------------------------------------------------
// Bytes and text
// ---------------------------------------------------------------------------------------------------------

#[test]
fn lists_of_bytes_and_bytes_read_each_other() {
    // Elsewhere: a Vec<u8> written as a list cannot be read as bytes, or the other way round.
    for n in [0, 1, 2, 15, 16, 63, 64, 255, 256, 257, 65535, 65536] {
        let list: Vec<u8> = (0..n).map(|n| n as u8).collect();
        let blob = Blob(list.clone());
        let (as_list, as_bytes) = (encode(&list), encode(&blob));
        back(&list, &as_list);
        back(&blob, &as_bytes);
        assert_eq!(wbin::from_slice::<Vec<u8>>(&as_bytes).unwrap(), list);
        assert_eq!(wbin::from_slice::<Blob>(&as_list).unwrap(), blob);
        assert_eq!(wbin::from_slice::<VecDeque<u8>>(&as_bytes).unwrap(), list);
        assert_eq!(wbin::from_slice::<Vec<u64>>(&as_bytes).unwrap().len(), n);
        let open = [&[0xD0][..], &as_list[as_list.len() - encode_items(&list)..], &[0xBE]].concat();
        assert_eq!(wbin::from_slice::<Blob>(&open).unwrap(), blob);
        let head = [2, 3, 5][usize::from(n > 255) + usize::from(n > 65535)];
        assert_eq!(as_bytes.len(), head + n);
    }
    // Arrays of a fixed length are lists.
    both([1_u8, 2, 3], "[1, 2, 3]");
    assert_eq!(wbin::from_slice::<[u8; 3]>(&doc("h'010203'")).unwrap(), [1, 2, 3]);
    assert_eq!(wbin::from_slice::<Blob>(&encode(&[9_u8; 32])).unwrap().0, [9; 32]);
    // What is no byte is an error.
    assert_eq!(refused::<Blob>(&doc("[1, 256]"), "invalid-value").path().as_deref(), Some("[1]"));
    assert_eq!(refused::<Blob>(&doc("[1, \"a\"]"), "invalid-type").path().as_deref(), Some("[1]"));
    // Buffered, too.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Buffered {
        Blob(Blob),
    }
    both(Buffered::Blob(Blob(vec![1, 2])), "h'0102'");
    assert_eq!(wbin::from_slice::<Buffered>(&doc("[1, 2]")).unwrap(), Buffered::Blob(Blob(vec![1, 2])));
}

/// How many bytes the items of a list take.
fn encode_items(list: &[u8]) -> usize {
    list.iter().map(|item| encode(item).len()).sum()
}

#[test]
fn bytes_and_text_are_never_taken_for_each_other() {
    // Elsewhere: bytes that happen to be UTF-8 come back as text.
    assert_eq!(refused::<String>(&doc("h'6162'"), "invalid-type").found(), Some("byte array"));
    assert_eq!(refused::<Blob>(&doc(r#""ab""#), "invalid-type").found(), Some(r#"string "ab""#));
    assert_eq!(refused::<Vec<u8>>(&doc(r#""ab""#), "invalid-type").offset(), Some(0));
    assert_eq!(refused::<char>(&doc("h'61'"), "invalid-type").offset(), Some(0));
    assert_eq!(refused::<PathBuf>(&doc("h'61'"), "invalid-type").offset(), Some(0));
    assert!(wbin::from_slice::<&str>(&doc("h'61'")).is_err());
    assert!(wbin::from_slice::<&[u8]>(&doc(r#""a""#)).is_err());
    assert!(wbin::from_slice::<Shape>(&doc("h'456d707479'")).is_err());
    assert_eq!(wbin::from_slice::<Value<'_>>(&doc("h'6162'")).unwrap(), Value::Bytes(b"ab".into()));
    assert_eq!(wbin::from_slice::<Called>(&doc("h'6162'")).unwrap().0, "borrowed_bytes [97, 98]");
    // Buffered, bytes come first: serde's own String takes bytes from its buffer.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Either {
        Bytes(Blob),
        Text(String),
    }
    both(vec![Either::Bytes(Blob(b"ab".to_vec())), Either::Bytes(Blob(vec![0xFF]))], "[h'6162', h'ff']");
    // A string that is no UTF-8 is an error, whoever wants it.
    for bad in ["41 ff", "42 c3 28", "c0 03 ed a0 80"] {
        let bytes = unhex(bad);
        assert_eq!(refused::<String>(&bytes, "invalid-utf8").offset(), Some(0));
        assert_eq!(refused::<char>(&bytes, "invalid-utf8").offset(), Some(0));
        assert_eq!(refused::<Either>(&bytes, "invalid-utf8").offset(), Some(0));
        assert_eq!(refused::<Shape>(&bytes, "invalid-utf8").offset(), Some(0));
        assert_eq!(wbin::from_slice::<Value<'_>>(&bytes).unwrap_err().name(), "invalid-utf8");
        let pair = [&[0x82, 0x05][..], &bytes].concat();
        assert_eq!(refused::<(u8, String)>(&pair, "invalid-utf8").offset(), Some(2));
        let field = [&[0x91][..], &bytes, &[0x05]].concat();
        assert_eq!(refused::<Point>(&field, "invalid-utf8").offset(), Some(1));
        let long = [&[0xC0, 70][..], "é".repeat(34).as_bytes(), &[0xFF, 0x61]].concat();
        assert_eq!(refused::<String>(&long, "invalid-utf8").offset(), Some(0));
    }
}

#[test]
fn a_char_is_a_string_of_one() {
    // Elsewhere: cut down to eight bits, or the first of many.
    for c in [
        '\0',
        'a',
        '\u{7f}',
        '\u{80}',
        'ß',
        '\u{7ff}',
        '\u{800}',
        '\u{d7ff}',
        '\u{e000}',
        '\u{feff}',
        '\u{ffff}',
        '😀',
        char::MAX,
    ] {
        trip(c);
        trip(vec![Some(c)]);
        assert_eq!(encode(&c), encode(&c.to_string()));
    }
    for text in ["", "ab", "😀😀", "e\u{301}"] {
        assert_eq!(refused::<char>(&encode(text), "invalid-value").offset(), Some(0));
        let error = refused::<Vec<char>>(&encode(&["a", text]), "invalid-value");
        assert_eq!(error.path().as_deref(), Some("[1]"));
    }
    assert_eq!(refused::<char>(&doc("97"), "invalid-type").expected(), Some("a character"));
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Buffered {
        Char(char),
        Text(String),
    }
    both(vec![Buffered::Char('😀'), Buffered::Text("ab".into())], r#"["😀", "ab"]"#);
}

// ---------------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------------

#[test]
fn ints_of_any_width_read_ints_of_any_width() {
    // Elsewhere: the width of the writer has to be the reader's.
    macro_rules! reads {
        ($n:expr, $bytes:expr => $($int:ident)*) => {
            $(match $int::try_from($n) {
                Ok(n) => assert_eq!(wbin::from_slice::<$int>($bytes).unwrap(), n),
                Err(_) => {
                    let error = wbin::from_slice::<$int>($bytes).unwrap_err();
                    assert_eq!((error.name(), error.offset()), ("invalid-value", Some(0)), "{error}");
                }
            })*
        };
    }
    let edges = [0_i128, 1, 5, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 1 << 31, 1 << 32]
        .into_iter()
        .chain([i64::MAX as i128, 1 << 63, u64::MAX as i128, 1 << 64, i128::MAX]);
    for n in edges.flat_map(|n| [n, -n, -n - 1]) {
        let preferred = encode(&n);
        reads!(n, &preferred => i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 isize usize);
        // In every longer form.
        let (u, negative) = if n < 0 { (!n as u128, true) } else { (n as u128, false) };
        for width in 1..=8 {
            if u >> (8 * width) == 0 {
                let tag = if negative { 0xA7 } else { 0x9F } + width as u8;
                let bytes = [&[tag][..], &u.to_le_bytes()[..width]].concat();
                reads!(n, &bytes => i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 isize usize);
            }
        }
        let bytes = [&[if negative { 0xBD } else { 0xBC }][..], &u.to_le_bytes()].concat();
        reads!(n, &bytes => i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 isize usize);
    }
    assert_eq!(refused::<i128>(&unhex(&format!("bd {}80", "00".repeat(15))), "int-range").offset(), Some(0));
    for wrong in ["1.0", "\"1\"", "true", "null", "[1]", "h'01'", "ext(0, 1)"] {
        assert_eq!(refused::<u8>(&doc(wrong), "invalid-type").offset(), Some(0));
        assert_eq!(refused::<i64>(&doc(wrong), "invalid-type").offset(), Some(0));
        assert_eq!(refused::<u128>(&doc(wrong), "invalid-type").offset(), Some(0));
    }
}

#[test]
fn usize_and_isize_have_no_width_of_their_own() {
    // Elsewhere: native widths on the wire, so that two machines disagree.
    both(vec![0_usize, 5, 1000], "[0, 5, 1000]");
    both(vec![-1_isize, isize::MIN], &format!("[-1, {}]", isize::MIN));
    assert_eq!(encode(&7_usize), encode(&7_u8));
    assert_eq!(wbin::from_slice::<u64>(&encode(&usize::MAX)).unwrap(), usize::MAX as u64);
    assert_eq!(refused::<usize>(&doc("-1"), "invalid-value").offset(), Some(0));
    assert!(wbin::from_slice::<usize>(&encode(&(u128::from(u64::MAX) + 1))).is_err());
}

#[test]
fn ints_read_into_floats_where_they_are_exact() {
    // Elsewhere: 1 is refused where 1.0 is wanted, or is silently rounded.
    let f64_of = |n: i128| wbin::from_slice::<f64>(&encode(&n));
    let f32_of = |n: i128| wbin::from_slice::<f32>(&encode(&n));
    for n in [0, 1, -1, 5, -32, -33, 1 << 24, -(1 << 24), (1 << 24) + 2, 1 << 62, 1 << 100, i128::MIN] {
        assert_eq!(f64_of(n).unwrap(), n as f64);
        assert_eq!(f32_of(n).unwrap(), n as f32);
    }
    for n in
        [(1_i128 << 53) + 1, -(1 << 53) - 1, i64::MAX as i128, u64::MAX as i128, i128::MAX, (1 << 100) + 1]
    {
        let error = f64_of(n).unwrap_err();
        assert_eq!((error.name(), error.offset()), ("invalid-value", Some(0)), "{n}");
        assert!(f32_of(n).is_err());
    }
    for n in [(1_i128 << 24) + 1, -(1 << 24) - 1, (1 << 53) - 1] {
        assert_eq!(f64_of(n).unwrap(), n as f64);
        assert_eq!(f32_of(n).unwrap_err().name(), "invalid-value", "{n}");
    }
    // 2^127 is a float of 32 bits, 2^128 is none.
    assert_eq!(wbin::from_slice::<f32>(&encode(&(1_u128 << 127))).unwrap(), 2_f32.powi(127));
    assert_eq!(wbin::from_slice::<f64>(&encode(&u128::MAX)).unwrap_err().name(), "invalid-value");
    assert_eq!(wbin::from_slice::<Vec<f64>>(&doc("[1, 2.5, -3]")).unwrap(), [1.0, 2.5, -3.0]);
    for wrong in ["\"1\"", "true", "null", "[1.0]", "h'01'"] {
        assert_eq!(refused::<f64>(&doc(wrong), "invalid-type").offset(), Some(0));
        assert_eq!(refused::<f32>(&doc(wrong), "invalid-type").offset(), Some(0));
    }
    // A struct field, an option, a key.
    let read: BTreeMap<String, Option<f32>> =
        wbin::from_slice(&doc(r#"{"a": 1, "b": null, "c": 0.5}"#)).unwrap();
    assert_eq!(read["a"], Some(1.0));
}

#[test]
fn floats_of_both_widths_read_each_other() {
    // Elsewhere: an f32 written cannot be read as f64, or is read as another number.
    for f in [0.0_f32, -0.0, 1.5, 0.1, 16777216.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY, -1e10] {
        let bytes = encode(&f);
        assert_eq!(wbin::from_slice::<f32>(&bytes).unwrap().to_bits(), f.to_bits());
        assert_eq!(wbin::from_slice::<f64>(&bytes).unwrap().to_bits(), f64::from(f).to_bits());
        assert_eq!(bytes, encode(&f64::from(f)), "a float has one form, whatever type it had");
    }
    for f in [0.1_f64, 1.0 / 3.0, 1e300, -1e300, 1e-300, 5e-324, f64::MAX, 12.99] {
        assert_eq!(wbin::from_slice::<f32>(&encode(&f)).unwrap().to_bits(), (f as f32).to_bits());
    }
    // A short decimal reads as the binary32 that is nearest to it.
    assert_eq!(wbin::from_slice::<f32>(&unhex("b0 09")).unwrap(), 0.1);
    for wrong in ["1.0", "0.0", "-0.0", "nan", "1e300"] {
        assert_eq!(refused::<u64>(&doc(wrong), "invalid-type").offset(), Some(0));
        assert_eq!(refused::<i8>(&doc(wrong), "invalid-type").offset(), Some(0));
    }
}

#[test]
fn every_bit_of_a_double_survives() {
    // Elsewhere: NaN becomes null, payloads are normalized, -0.0 loses its sign.
    for bits in strategies::SPECIAL_FLOATS {
        let f = f64::from_bits(bits);
        let bytes = encode(&f);
        assert_eq!(wbin::from_slice::<f64>(&bytes).unwrap().to_bits(), bits, "{bits:016x}");
        assert_eq!(wbin::from_slice::<Double>(&bytes).unwrap(), Double(f));
        assert_eq!(wbin::from_slice::<Value<'_>>(&bytes).unwrap(), Value::Float(f));
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        #[serde(untagged)]
        enum Buffered {
            Float(Double),
        }
        assert_eq!(wbin::from_slice::<Buffered>(&bytes).unwrap(), Buffered::Float(Double(f)));
        let keyed = encode(&(f, Some(f), [f]));
        assert_eq!(wbin::from_slice::<(Double, Option<Double>, [Double; 1])>(&keyed).unwrap().2, [Double(f)]);
    }
}

#[test]
fn every_bit_of_a_single_survives() {
    // Elsewhere: a NaN goes through a conversion that quiets it.
    let all = (0..=0xFFFF_u32).step_by(13).map(|high| high << 16 | high);
    let special = [0, 0x8000_0000, 1, 0x7F80_0000, 0x7F80_0001, 0x7FBF_FFFF, 0x7FC0_0000, 0xFFFF_FFFF];
    for bits in special.into_iter().chain(all) {
        let bytes = encode(&f32::from_bits(bits));
        assert_eq!(wbin::from_slice::<f32>(&bytes).unwrap().to_bits(), bits, "{bits:08x}");
        assert_eq!(wbin::from_slice::<Single>(&bytes).unwrap(), Single(f32::from_bits(bits)));
        let wide = strategies::widened(bits);
        assert_eq!(wbin::from_slice::<f64>(&bytes).unwrap().to_bits(), wide.to_bits(), "{bits:08x}");
        assert_eq!(bytes, encode(&wide), "{bits:08x}");
    }
}

// ---------------------------------------------------------------------------------------------------------
// Borrowing
// ---------------------------------------------------------------------------------------------------------

/// Whether `part` lies inside of `whole`, and not only looks like it.
fn inside(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    whole.start <= part.start && part.end <= whole.end
}

#[test]
fn text_and_bytes_are_borrowed_from_a_slice() {
    // Elsewhere: the crate cannot lend at all, or lends short strings only.
    for n in [1, 63, 64, 255, 256, 70_000] {
        let long = "é".repeat(n / 2) + &"x".repeat(n % 2);
        let bytes = encode(&(&long, Blob(long.clone().into_bytes()), [Some(&long)]));
        let (text, blob, list): (&str, &[u8], Vec<Option<&str>>) = wbin::from_slice(&bytes).unwrap();
        assert_eq!((text, blob, list[0]), (long.as_str(), long.as_bytes(), Some(long.as_str())));
        assert!(inside(text.as_bytes(), &bytes) && inside(blob, &bytes));
        assert!(inside(list[0].unwrap().as_bytes(), &bytes));
    }
    let bytes = encode(&BTreeMap::from([("key", "value")]));
    let map: HashMap<&str, &str> = wbin::from_slice(&bytes).unwrap();
    assert!(
        map.iter().all(|(key, value)| inside(key.as_bytes(), &bytes) && inside(value.as_bytes(), &bytes))
    );
    let (path, rest): (&Path, &[u8]) = wbin::take_from_slice(b"\x41a\x05").unwrap();
    assert_eq!((path, rest), (Path::new("a"), &[0x05][..]));
    for text in wbin::iter::<&str>(b"\x41a\x42bc") {
        text.unwrap();
    }
}

#[test]
fn cow_borrows_where_it_is_told_to() {
    // Elsewhere (serde itself): a Cow is always owned without the attribute.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Cows<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
        #[serde(borrow)]
        bytes: Cow<'a, [u8]>,
        owned: Cow<'a, str>,
        plain: &'a str,
        #[serde(borrow)]
        value: Value<'a>,
        #[serde(borrow)]
        raw: RawValue<'a>,
        #[serde(borrow)]
        tagged: Tagged<&'a str>,
    }
    let raw = encode(&["raw"]);
    let cows = Cows {
        text: "text".into(),
        bytes: b"bytes"[..].into(),
        owned: "owned".into(),
        plain: "plain",
        value: wbin!(["value"]),
        raw: RawValue::from_slice(&raw).unwrap(),
        tagged: Tagged { ext_type: 70, value: "tagged" },
    };
    let written = encode(&cows);
    // A Cow<[u8]> is a list to serde; from bytes it is borrowed.
    let bytes = doc(&show(&written).replace("[98, 121, 116, 101, 115]", "h'6279746573'"));
    let read: Cows<'_> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read, cows);
    assert!(matches!(&read.text, Cow::Borrowed(text) if inside(text.as_bytes(), &bytes)));
    assert!(matches!(&read.bytes, Cow::Borrowed(part) if inside(part, &bytes)));
    assert!(matches!(&read.owned, Cow::Owned(_)));
    assert!(inside(read.plain.as_bytes(), &bytes) && inside(read.tagged.value.as_bytes(), &bytes));
    assert!(inside(read.value[0].as_str().unwrap().as_bytes(), &bytes));
    assert!(inside(read.raw.as_bytes(), &bytes));
    assert_eq!(wbin::from_slice::<Cows<'_>>(&written).unwrap(), cows);
}

#[test]
fn text_is_borrowed_through_serdes_buffer() {
    // Elsewhere: the buffer owns, and &str behind untagged fails.
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged<'a> {
        Number(u8),
        Text(&'a str),
        Field {
            #[serde(borrow)]
            f: Cow<'a, str>,
        },
        Bytes(&'a [u8]),
    }
    #[derive(Deserialize, Debug)]
    struct Flat<'a> {
        #[serde(borrow, flatten)]
        rest: BTreeMap<&'a str, &'a str>,
    }
    let bytes = doc(r#"[5, "text", {"f": "field"}, h'ff']"#);
    let read: Vec<Untagged<'_>> = wbin::from_slice(&bytes).unwrap();
    assert!(matches!(&read[1], Untagged::Text(text) if inside(text.as_bytes(), &bytes)));
    assert!(
        matches!(&read[2], Untagged::Field { f: Cow::Borrowed(text) } if inside(text.as_bytes(), &bytes))
    );
    assert!(matches!(&read[3], Untagged::Bytes(part) if inside(part, &bytes)));
    let bytes = doc(r#"{"a": "b"}"#);
    let flat: Flat<'_> = wbin::from_slice(&bytes).unwrap();
    assert!(flat.rest.iter().all(|(k, v)| inside(k.as_bytes(), &bytes) && inside(v.as_bytes(), &bytes)));
}

#[test]
fn names_of_variants_and_fields_are_borrowed() {
    // Elsewhere: an identifier is a String of its own each time.
    struct Name<'a>(&'a str);
    impl<'de> Deserialize<'de> for Name<'de> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name<'de>, D::Error> {
            struct V;
            impl<'de> Visitor<'de> for V {
                type Value = Name<'de>;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("an enum")
                }
                fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Name<'de>, A::Error> {
                    let (name, payload) = data.variant::<&'de str>()?;
                    payload.newtype_variant::<IgnoredAny>()?;
                    Ok(Name(name))
                }
            }
            deserializer.deserialize_enum("E", &[], V)
        }
    }
    let bytes = doc(r#"{"Circle": 5}"#);
    let name: Name<'_> = wbin::from_slice(&bytes).unwrap();
    assert!(name.0 == "Circle" && inside(name.0.as_bytes(), &bytes));
}

// ---------------------------------------------------------------------------------------------------------
// Extensions
// ---------------------------------------------------------------------------------------------------------

#[test]
fn extensions_of_the_format() {
    // Elsewhere: a timestamp is a number or a string by convention.
    let t = |seconds, nanos| Timestamp::new(seconds, nanos).unwrap();
    golden(t(1_700_000_000, 0), "bf 00 a3 00 f1 53 65");
    golden(t(-1, 500_000_000), "bf 00 82 ff a3 00 65 cd 1d");
    both(t(i64::MIN, 999_999_999), "ext(0, [-9223372036854775808, 999999999])");
    both(t(i64::MAX, 0), "ext(0, 9223372036854775807)");
    golden(Uuid([7; 16]), &format!("bf 01 c4 10 {}", "07".repeat(16)));
    golden(BigInt::from(0), "bf 02 c4 00");
    golden(BigInt::from(-1), "bf 02 c4 01 ff");
    golden(BigInt::from(128), "bf 02 c4 02 80 00");
    golden(BigInt::from_le_bytes(&[1; 300]), &format!("bf 02 c5 2c 01 {}", "01".repeat(300)));
    golden(Decimal::new(1299, -2), "bf 03 82 a1 13 05 fe");
    both(Decimal::new(i128::MIN, i64::MAX), &format!("ext(3, [{}, {}])", i128::MIN, i64::MAX));
    assert_eq!(wbin::from_slice::<Timestamp>(&doc("ext(0, [5, 0])")).unwrap(), t(5, 0));
    assert_eq!(wbin::from_slice::<BigInt>(&doc("ext(2, h'0100')")).unwrap(), BigInt::from(1));
    assert_eq!(
        wbin::from_slice::<Uuid>(&doc(&format!("ext(1, [{}1])", "1, ".repeat(15)))).unwrap(),
        Uuid([1; 16])
    );
}

#[test]
fn big_integers_take_the_fewest_bytes() {
    // Elsewhere: zero has a byte, and negative ones have a sign of their own.
    let near = |n: i128| (-2..=2).filter_map(move |off| n.checked_add(off));
    for n in (0..127)
        .flat_map(|bits| [1 << bits, -(1 << bits)])
        .flat_map(near)
        .chain(near(i128::MAX))
        .chain(near(i128::MIN))
    {
        let big = BigInt::from(n);
        let bytes = big.to_le_bytes();
        let fewest = (0..=16).find(|len| n.checked_shr(8 * len).is_none_or(|_| fits(n, *len))).unwrap();
        assert_eq!(bytes.len(), fewest as usize, "{n}");
        assert_eq!(big.to_i128(), Some(n));
        assert_eq!(BigInt::from_le_bytes(&n.to_le_bytes()), big);
        let sign = if n < 0 { 0xFF } else { 0 };
        assert_eq!(BigInt::from_le_bytes(&[bytes, &[sign; 20]].concat()), big);
        golden(big.clone(), &format!("bf 02 c4 {:02x} {}", bytes.len(), hex(bytes)));
    }
    /// Whether a number of so many bytes in two's complement is this one.
    fn fits(n: i128, bytes: u32) -> bool {
        match bytes {
            0 => n == 0,
            16 => true,
            _ => (-(1 << (8 * bytes - 1))..1 << (8 * bytes - 1)).contains(&n),
        }
    }
    assert_eq!(BigInt::from_le_bytes(&[0; 17]).to_i128(), Some(0));
    assert_eq!(BigInt::from_le_bytes(&[1; 17]).to_i128(), None);
    assert_eq!(BigInt::default(), BigInt::from(0));
}

#[test]
fn extensions_that_are_not_what_they_should_be() {
    // Elsewhere: the payload is not looked at.
    for bad in [
        "5",
        "ext(1, 5)",
        "ext(0, \"5\")",
        "ext(0, 1.5)",
        "ext(0, [1])",
        "ext(0, [1, 2, 3])",
        "ext(0, [1, 1000000000])",
        "ext(0, [1, -1])",
        "ext(0, [1.0, 1])",
        "ext(0, 9223372036854775808)",
        "ext(0, null)",
    ] {
        let error = wbin::from_slice::<Timestamp>(&doc(bad)).expect_err(bad);
        assert_eq!(error.category(), Category::Data, "{bad}");
        assert!(error.offset().is_some(), "{bad}");
        let list = doc(&format!("[{bad}, ext(0, 5)]"));
        assert_eq!(wbin::from_slice::<Good<Timestamp>>(&list).unwrap().0, [None, Timestamp::new(5, 0)]);
    }
    for bad in
        ["ext(1, h'00')", "ext(1, \"0123456789abcdef\")", "ext(1, 5)", "h'00000000000000000000000000000000'"]
    {
        assert_eq!(wbin::from_slice::<Uuid>(&doc(bad)).expect_err(bad).category(), Category::Data);
    }
    for bad in ["ext(2, 5)", "ext(2, \"\")", "ext(3, h'')"] {
        assert_eq!(wbin::from_slice::<BigInt>(&doc(bad)).expect_err(bad).category(), Category::Data);
    }
    for bad in ["ext(3, 5)", "ext(3, [1])", "ext(3, [1, 2, 3])", "ext(3, [1.0, 2])"] {
        assert_eq!(wbin::from_slice::<Decimal>(&doc(bad)).expect_err(bad).category(), Category::Data);
    }
    assert_eq!(refused::<Tagged<u8>>(&unhex("bf ff 00"), "ext-type").offset(), Some(1));
    assert_eq!(refused::<Tagged<u8>>(&unhex("bf 05"), "truncated").offset(), Some(2));
    assert_eq!(refused::<u8>(&doc("ext(5, 5)"), "invalid-type").found(), Some("ext"));
}

#[test]
fn tagged_values() {
    // Elsewhere: an ext of a type that is not known is lost or refused.
    everywhere(Tagged { ext_type: 5, value: 1_u8 }, "ext(5, 1)");
    everywhere(
        Tagged { ext_type: u64::MAX, value: vec![Some(())] },
        "ext(18446744073709551615, [some(null)])",
    );
    everywhere(Tagged { ext_type: 64, value: Tagged { ext_type: 65, value: () } }, "ext(64, ext(65, null))");
    both(
        Tagged { ext_type: 64, value: Shape::Rect { w: 1, h: 2 } },
        r#"ext(64, {"Rect": {"w": 1, "h": 2}})"#,
    );
    let ext = Ext::new(70, wbin!({"a": [1, null]}));
    let bytes = encode(&ext);
    assert_eq!(show(&bytes), r#"ext(70, {"a": [1, null]})"#);
    assert_eq!(wbin::from_slice::<Ext<'_>>(&bytes).unwrap(), ext);
    // It is never deeper than allowed, and counts one level.
    let flat = Config::new().max_depth(1);
    assert!(flat.to_vec(&Tagged { ext_type: 70, value: 1 }).is_ok());
    assert_eq!(flat.to_vec(&Tagged { ext_type: 70, value: [1] }).unwrap_err().name(), "depth-limit");
    // Whoever writes something else under that name is told so.
    struct NotAnInt;
    impl Serialize for NotAnInt {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut pair = serializer.serialize_tuple_struct("$wbin::Ext", 2)?;
            ser::SerializeTupleStruct::serialize_field(&mut pair, "text")?;
            ser::SerializeTupleStruct::serialize_field(&mut pair, &1)?;
            ser::SerializeTupleStruct::end(pair)
        }
    }
    assert_eq!(wbin::to_vec(&NotAnInt).unwrap_err().name(), "ext-type");
    assert!(wbin::to_vec(&[&NotAnInt]).is_err());
}

#[test]
fn extensions_behind_buffering_attributes() {
    // Elsewhere: an extension works alone, but not where serde buffers.
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(untagged)]
    enum Untagged {
        Time(Timestamp),
        Id(Uuid),
        Big(BigInt),
        Money(Decimal),
        Own(Tagged<Vec<u8>>),
        Plain(u8),
    }
    let time = Timestamp::new(5, 7).unwrap();
    everywhere(Untagged::Time(time), "ext(0, [5, 7])");
    everywhere(Untagged::Id(Uuid([1; 16])), "ext(1, h'01010101010101010101010101010101')");
    everywhere(Untagged::Big(BigInt::from(256)), "ext(2, h'0001')");
    everywhere(Untagged::Money(Decimal::new(1299, -2)), "ext(3, [1299, -2])");
    everywhere(Untagged::Own(Tagged { ext_type: 70, value: vec![1, 2] }), "ext(70, [1, 2])");
    everywhere(Untagged::Plain(5), "5");
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Flat {
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        rest: BTreeMap<String, Untagged>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Inner {
        at: Timestamp,
        price: Decimal,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(tag = "t")]
    enum Internal {
        Event { at: Timestamp, id: Uuid },
        Flat(Flat),
    }
    let flat = Flat {
        inner: Inner { at: time, price: Decimal::new(5, -1) },
        rest: BTreeMap::from([("id".to_string(), Untagged::Id(Uuid([1; 16])))]),
    };
    let fields = r#""at": ext(0, [5, 7]), "price": ext(3, [5, -1]), "id": ext(1, h'01010101010101010101010101010101')"#;
    both(flat.clone(), &format!("{{{fields}}}"));
    both(Internal::Flat(flat), &format!(r#"{{"t": "Flat", {fields}}}"#));
    both(
        Internal::Event { at: time, id: Uuid([1; 16]) },
        r#"{"t": "Event", "at": ext(0, [5, 7]), "id": ext(1, h'01010101010101010101010101010101')}"#,
    );
}

#[test]
fn a_value_behind_buffering_attributes() {
    // Elsewhere: the format's own value type loses its extensions or its bytes there.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged<'a> {
        Number(u8),
        #[serde(borrow)]
        Any(Value<'a>),
    }
    let value = doc(
        r#"[ext(70, [1, ext(71, null)]), h'00ff', {1: [null], "k": {}}, 1.5, -0.0, nan, "text", 300, -1]"#,
    );
    let value = Value::from_slice(&value).unwrap();
    let bytes = encode(&[Untagged::Number(5), Untagged::Any(value.clone())]);
    let read: Vec<Untagged<'_>> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read, [Untagged::Number(5), Untagged::Any(value.clone())]);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat<'a> {
        a: u8,
        #[serde(flatten, borrow)]
        rest: Map<'a>,
    }
    let rest = Map::from_iter([(Value::from("v"), value), (Value::from("w"), Value::Null)]);
    let flat = Flat { a: 1, rest };
    let bytes = encode(&flat);
    assert_eq!(wbin::from_slice::<Flat<'_>>(&bytes).unwrap(), flat);
    let keyed = doc(r#"{5: 6, "a": 1, h'00': 7}"#);
    let read: Flat<'_> = wbin::from_slice(&keyed).unwrap();
    assert_eq!(
        read.rest,
        Map::from_iter([(Value::from(5), Value::from(6)), (Value::Bytes(vec![0].into()), Value::from(7))])
    );
    // A map that only looks like an ext is one behind the buffer, where nobody can tell.
    let looks = doc(r#"{"$wbin::ext": [5, 1]}"#);
    assert!(wbin::from_slice::<Value<'_>>(&looks).unwrap().as_map().is_some());
    // Kinds of their own.
    assert_eq!(refused_borrowed::<Map<'_>>(&doc("5"), "invalid-type").offset(), Some(0));
    assert_eq!(refused_borrowed::<wbin::List<'_>>(&doc("{}"), "invalid-type").offset(), Some(0));
    assert_eq!(refused_borrowed::<Int>(&doc("1.5"), "invalid-type").offset(), Some(0));
    assert_eq!(refused_borrowed::<Ext<'_>>(&doc("[]"), "invalid-type").offset(), Some(0));
}

#[track_caller]
fn refused_borrowed<'de, T: Deserialize<'de>>(bytes: &'de [u8], name: &str) -> Error {
    match wbin::from_slice::<T>(bytes) {
        Ok(_) => panic!("{} was accepted", hex(bytes)),
        Err(error) => {
            assert_eq!(error.name(), name, "{error}");
            error
        }
    }
}

#[test]
fn values_that_own_what_they_hold() {
    // Elsewhere: a value that may borrow cannot be read from a reader, nor be a part of what is.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Job {
        id: u8,
        #[serde(with = "wbin::with::owned")]
        arguments: Value<'static>,
        #[serde(with = "wbin::with::owned")]
        result: RawValue<'static>,
        more: Vec<wbin::OwnedValue>,
        #[serde(flatten)]
        rest: BTreeMap<String, wbin::OwnedValue>,
    }
    let arguments =
        Value::from_slice(&doc(r#"["text", h'00', ext(70, {1: null}), 1.5]"#)).unwrap().into_owned();
    let job = || Job {
        id: 1,
        arguments: arguments.clone(),
        result: RawValue::from_vec(unhex("82 a0 05 bb b8")).unwrap(),
        more: vec![wbin::OwnedValue(arguments.clone()), wbin::OwnedValue::default()],
        rest: BTreeMap::from([("k".to_string(), wbin::OwnedValue(arguments.clone()))]),
    };
    let bytes = encode(&job());
    assert_eq!(wbin::from_slice::<Job>(&bytes).unwrap(), job());
    assert_eq!(wbin::from_reader::<_, Job>(OneByte(&bytes)).unwrap(), job());
    assert_eq!(wbin::iter_reader::<_, Job>(&bytes[..]).next().unwrap().unwrap(), job());
    assert_eq!(encode(&wbin::OwnedValue(arguments.clone())), arguments.to_vec().unwrap());
    assert_eq!(refused::<wbin::OwnedValue>(&unhex("92 b8 00 bb b8 00"), "duplicate-key").offset(), Some(3));
}

#[test]
fn times_before_and_after_1970() {
    // Elsewhere: what is before 1970 is refused, or is off by a second.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct At(#[serde(with = "wbin::with::timestamp")] SystemTime);
    let epoch = SystemTime::UNIX_EPOCH;
    for (time, notation) in [
        (epoch, "ext(0, 0)"),
        (epoch + Duration::from_secs(1_700_000_000), "ext(0, 1700000000)"),
        (epoch + Duration::new(1, 1), "ext(0, [1, 1])"),
        (epoch - Duration::from_secs(1), "ext(0, -1)"),
        (epoch - Duration::from_nanos(1), "ext(0, [-1, 999999999])"),
        (epoch - Duration::from_millis(1500), "ext(0, [-2, 500000000])"),
        (epoch - Duration::from_secs(1 << 33), "ext(0, -8589934592)"),
    ] {
        both(At(time), notation);
    }
    // A time that the type does not reach is an error, not a panic. (Unix reaches all of 64 bits.)
    for far in
        ["ext(0, 9223372036854775807)", "ext(0, -9223372036854775808)", "ext(0, [-9223372036854775808, 1])"]
    {
        match wbin::from_slice::<At>(&doc(far)) {
            Ok(at) => assert_eq!(show(&encode(&at)), far),
            Err(error) => assert_eq!(error.category(), Category::Data),
        }
    }
}

#[test]
fn spans_of_time() {
    // Elsewhere: a struct of two named fields.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct For(#[serde(with = "wbin::with::duration")] Duration);
    both(For(Duration::ZERO), "0");
    both(For(Duration::from_secs(30)), "30");
    both(For(Duration::from_millis(1500)), "[1, 500000000]");
    both(For(Duration::MAX), "[18446744073709551615, 999999999]");
    both(For(Duration::from_secs(u64::MAX)), "18446744073709551615");
    for bad in [
        "-1",
        "1.5",
        "[1]",
        "[1, 1000000000]",
        "[-1, 5]",
        "[1, 2, 3]",
        "\"1s\"",
        "null",
        "{\"secs\": 1, \"nanos\": 2}",
    ] {
        assert_eq!(wbin::from_slice::<For>(&doc(bad)).expect_err(bad).category(), Category::Data);
    }
}

#[test]
fn sixteen_bytes_as_a_uuid() {
    // Elsewhere: 16 bytes are a list of ints, which takes up to 33 bytes.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Ids {
        #[serde(with = "wbin::with::uuid")]
        array: [u8; 16],
        #[serde(with = "wbin::with::uuid")]
        vector: Vec<u8>,
    }
    let ids = Ids { array: [200; 16], vector: vec![1; 16] };
    trip(vec![ids]);
    assert!(wbin::to_vec(&Ids { array: [0; 16], vector: vec![1; 15] }).is_err());
    let ext = format!("ext(1, h'{}')", "c8".repeat(16));
    let wrong = doc(&format!(r#"{{"array": {ext}, "vector": h'00'}}"#));
    assert_eq!(refused::<Ids>(&wrong, "invalid-type").path().as_deref(), Some(".vector"));
}

// ---------------------------------------------------------------------------------------------------------
// Raw values
// ---------------------------------------------------------------------------------------------------------

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Letter<'a> {
    to: &'a str,
    #[serde(borrow)]
    body: RawValue<'a>,
    #[serde(borrow)]
    more: Vec<RawValue<'a>>,
    #[serde(borrow)]
    maybe: Option<RawValue<'a>>,
    #[serde(borrow)]
    by_name: BTreeMap<&'a str, RawValue<'a>>,
}

#[test]
fn raw_values_pass_through_unread() {
    // Elsewhere: a raw value is decoded and encoded again, or only works at the top.
    let parts: Vec<Vec<u8>> =
        ["a0 05", "b8", "d0 01 be", "92 41 62 01 41 61 02", "bf a0 05 bb b8", "b7 000000000000f03f"]
            .map(unhex)
            .into();
    let raw = |n: usize| RawValue::from_slice(&parts[n]).unwrap();
    let letter = Letter {
        to: "b",
        body: raw(0),
        more: (0..parts.len()).map(raw).collect(),
        maybe: Some(raw(1)),
        by_name: BTreeMap::from([("x", raw(3)), ("y", raw(4))]),
    };
    let bytes = encode(&letter);
    let read: Letter<'_> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read, letter);
    assert!(read.more.iter().all(|raw| inside(raw.as_bytes(), &bytes)));
    assert_eq!(encode(&read), bytes);
    // None and Some(null) stay apart, as for any other type.
    for (value, expected) in [(None, "b8"), (Some(raw(1)), "bb b8"), (Some(raw(0)), "a0 05")] {
        let bytes = encode(&value);
        assert_eq!(bytes, unhex(expected));
        assert_eq!(wbin::from_slice::<Option<RawValue<'_>>>(&bytes).unwrap(), value);
    }
    let some = RawValue::from_vec(unhex("bb 05")).unwrap();
    assert_eq!(encode(&Some(&some)), unhex("bb bb 05"));
    assert_eq!(wbin::from_slice::<Option<RawValue<'_>>>(&unhex("bb bb 05")).unwrap(), Some(some));
    // One in the other.
    let inner = encode(&letter);
    let outer = (1, RawValue::from_slice(&inner).unwrap());
    let bytes = encode(&outer);
    let read: (u8, RawValue<'_>) = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read.1.decode::<Letter<'_>>().unwrap(), letter);
    assert_eq!(read.1.to_value().unwrap()["to"], "b");
}

#[test]
fn raw_values_in_the_canonical_form() {
    // Elsewhere: what was passed through spoils the canonical form of the whole.
    let body = unhex("92 41 62 a0 05 41 61 d0 01 be");
    let bytes = Config::new().canonical(true).to_vec(&(1, RawValue::from_slice(&body).unwrap())).unwrap();
    assert_eq!(bytes, unhex("82 01 92 41 61 81 01 41 62 05"));
    wbin::canonical::check(&bytes).unwrap();
}

#[test]
fn raw_values_are_checked_and_counted() {
    // Elsewhere: whatever bytes there are go out, and the whole document is broken.
    for (bad, name) in
        [("41 ff", "invalid-utf8"), ("92 05 00 05 00", "duplicate-key"), ("81 41 ff", "invalid-utf8")]
    {
        let bytes = [unhex("82 01"), unhex(bad)].concat();
        let error = refused_borrowed::<(u8, RawValue<'_>)>(&bytes, name);
        assert_eq!(error.category(), Category::Syntax);
        assert!(error.offset().unwrap() >= 2, "{error}");
    }
    assert_eq!(refused_borrowed::<(u8, RawValue<'_>)>(&unhex("82 01 82 05"), "truncated").offset(), Some(2));
    assert_eq!(RawValue::from_slice(&unhex("05 05")).unwrap_err().name(), "trailing-bytes");
    assert_eq!(RawValue::from_slice(&[]).unwrap_err().name(), "truncated");
    // Its depth counts where it stands.
    let deep = [vec![0x81; 127], vec![0x80]].concat();
    let raw = RawValue::from_slice(&deep).unwrap();
    assert_eq!(encode(&raw), deep);
    assert_eq!(wbin::to_vec(&[&raw]).unwrap_err().name(), "depth-limit");
    let config = Config::new().max_depth(129);
    let bytes = config.to_vec(&[&raw]).unwrap();
    assert_eq!(config.from_slice::<Vec<RawValue<'_>>>(&bytes).unwrap(), [raw]);
    assert_eq!(refused_borrowed::<Vec<RawValue<'_>>>(&bytes, "depth-limit").offset(), Some(128));
    // A signature belongs to a document, not to a part of one.
    let signed = Config::new().signature(true).to_vec(&5).unwrap();
    assert_eq!(encode(&[RawValue::from_slice(&signed).unwrap()]), [0x81, 0x05]);
    let raw: RawValue<'_> = wbin::from_slice(&signed).unwrap();
    assert_eq!(raw.as_bytes(), [0x05]);
    // Whoever takes its name for something else is told so.
    struct Fake(&'static [u8]);
    impl Serialize for Fake {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            struct Inner(&'static [u8]);
            impl Serialize for Inner {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    match self.0 {
                        [] => serializer.serialize_u8(5),
                        bytes => serializer.serialize_bytes(bytes),
                    }
                }
            }
            serializer.serialize_newtype_struct("$wbin::RawValue", &Inner(self.0))
        }
    }
    assert_eq!(encode(&Fake(b"\x05")), [0x05]);
    assert_eq!(wbin::to_vec(&Fake(b"")).unwrap_err().name(), "encoder-state");
    for bad in [&b"\x05\x05"[..], b"\x81", b"\x41\xFF", b"\x92\x05\x05\x05\x05", b"\xD4"] {
        assert!(wbin::to_vec(&Fake(bad)).is_err(), "{}", hex(bad));
        assert!(wbin::to_vec(&[Some(Fake(bad))]).is_err(), "{}", hex(bad));
    }
}

// ---------------------------------------------------------------------------------------------------------
// The values of another format
// ---------------------------------------------------------------------------------------------------------

#[test]
fn json_values_and_numbers_survive() {
    // Elsewhere: 1.0 comes back as 1, and large ints as floats.
    let value = serde_json::json!({
        "null": null, "yes": true, "small": 5, "negative": -5, "max": u64::MAX, "min": i64::MIN,
        "one": 1.0, "tenth": 0.1, "big": 1e300, "text": "é😀", "list": [[], {}, [1, 2.5]],
        "nested": {"": {"a/b": null}},
    });
    let notation = r#"{"big": 1e300, "list": [[], {}, [1, 2.5]], "max": 18446744073709551615,
        "min": -9223372036854775808, "negative": -5, "nested": {"": {"a/b": null}}, "null": null, "one": 1.0,
        "small": 5, "tenth": 0.1, "text": "é😀", "yes": true}"#;
    both(value.clone(), &notation.split_whitespace().collect::<Vec<_>>().join(" "));
    for number in ["0", "-1", "18446744073709551615", "-9223372036854775808", "1.0", "0.1", "-0.0", "1e300"] {
        let number: serde_json::Number = number.parse().unwrap();
        trip(number.clone());
        trip(vec![Some(number)]);
    }
    assert_eq!(refused::<serde_json::Number>(&doc("\"1\""), "invalid-type").offset(), Some(0));
    // Behind serde's buffer.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Flat {
        a: u8,
        #[serde(flatten)]
        rest: serde_json::Map<String, serde_json::Value>,
    }
    let serde_json::Value::Object(rest) = value else { unreachable!() };
    trip(Flat { a: 1, rest });
}

// ---------------------------------------------------------------------------------------------------------
// Types of the standard library
// ---------------------------------------------------------------------------------------------------------

#[test]
fn types_of_the_standard_library() {
    both(Duration::new(1, 2), r#"{"secs": 1, "nanos": 2}"#);
    trip(SystemTime::UNIX_EPOCH + Duration::new(5, 6));
    both(PathBuf::from("a/b"), r#""a/b""#);
    both(0_u8..5, r#"{"start": 0, "end": 5}"#);
    trip::<(Range<i8>, RangeInclusive<u8>, RangeFrom<u16>, RangeTo<i64>)>((-1..1, 1..=2, 3.., ..4));
    trip([Bound::Unbounded, Bound::Included(1), Bound::Excluded(2)]);
    trip((Wrapping(u8::MAX), Saturating(-1_i64)));
    trip((NonZeroU8::MAX, NonZeroU64::new(1), NonZeroU64::new(0)));
    assert_eq!(refused::<NonZeroU8>(&doc("0"), "invalid-value").offset(), Some(0));
    trip((Box::new(1), Cow::<str>::Owned("cow".into()), Cow::<[u8]>::Owned(vec![1])));
    trip::<(Box<str>, Box<[u8]>, Box<Path>)>(("a".into(), [1, 2].into(), Path::new("p").into()));
    both(Cell::new(5), "5");
    both(RefCell::new(Some(())), "some(null)");
    let locked: (Mutex<u8>, RwLock<u8>) =
        wbin::from_slice(&encode(&(Mutex::new(1), RwLock::new(2)))).unwrap();
    assert_eq!((locked.0.into_inner().unwrap(), locked.1.into_inner().unwrap()), (1, 2));
    trip([Ok::<u8, String>(5), Err("no".into())]);
    both(Ok::<Option<()>, ()>(None), r#"{"Ok": null}"#);
    trip((Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST, SocketAddr::from(([1, 2, 3, 4], 5))));
    both(CString::new("c").unwrap(), "h'63'");
    trip(CString::new(vec![0xFF, 0x80]).unwrap());
    assert!(wbin::from_slice::<CString>(&doc("h'610062'")).is_err());
    trip(OsString::from("os"));
    both(PhantomData::<u8>, "null");
    trip(std::cmp::Reverse(5));
}

#[test]
fn collections_of_the_standard_library() {
    trip(vec![BTreeMap::from([(1, "a".to_string())]), BTreeMap::new()]);
    trip(HashMap::from([("a".to_string(), HashSet::from([1, 2, 3]))]));
    trip((BTreeSet::from([3, 1, 2]), VecDeque::from([1, 2]), LinkedList::from([Some(1), None])));
    let heap: BinaryHeap<u8> = wbin::from_slice(&encode(&BinaryHeap::from([1, 3, 2]))).unwrap();
    assert_eq!(heap.into_sorted_vec(), [1, 2, 3]);
    // A list does not become a map, nor a map a list.
    assert_eq!(refused::<BTreeMap<u8, u8>>(&doc("[[1, 2]]"), "invalid-type").found(), Some("sequence"));
    assert_eq!(refused::<Vec<u8>>(&doc("{1: 2}"), "invalid-type").found(), Some("map"));
    assert_eq!(refused::<BTreeSet<u8>>(&doc("5"), "invalid-type").found(), Some("integer `5`"));
}

#[test]
fn arrays_and_tuples_of_every_length_that_serde_has() {
    fn array<const N: usize>()
    where
        [u16; N]: Serialize + DeserializeOwned,
    {
        let array = [300; N];
        trip(array);
        let longer = encode(&vec![300; N + 1]);
        assert_eq!(refused::<[u16; N]>(&longer, "invalid-length").offset(), Some(longer.len() - 3));
        if let Some(fewer) = N.checked_sub(1) {
            assert_eq!(refused::<[u16; N]>(&encode(&vec![300; fewer]), "invalid-length").offset(), Some(0));
        }
    }
    array::<0>();
    array::<1>();
    array::<2>();
    array::<15>();
    array::<16>();
    array::<17>();
    array::<31>();
    array::<32>();
    trip((1,));
    trip((1, 2));
    trip((1, 2, 3));
    trip((1, 2, 3, 4));
    trip((1, 2, 3, 4, 5));
    trip((1, 2, 3, 4, 5, 6));
    trip((1, 2, 3, 4, 5, 6, 7));
    trip((1, 2, 3, 4, 5, 6, 7, 8));
    trip((1, 2, 3, 4, 5, 6, 7, 8, 9));
    trip((1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    trip((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    trip((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    // PartialEq and Debug end at twelve, serde at sixteen.
    type Sixteen = (u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, bool, char, String, (), Unit, Option<u8>);
    let sixteen: Sixteen = (1, -1, 2, -2, 3, -3, 4, -4, 0.5, 0.25, true, 'x', "y".into(), (), Unit, Some(9));
    let bytes = encode(&sixteen);
    assert_eq!(bytes[..2], [0xC8, 16]);
    let read: Sixteen = wbin::from_slice(&bytes).unwrap();
    assert_eq!(encode(&read), bytes);
    assert_eq!((read.0, read.11, read.15), (1, 'x', Some(9)));
}

#[test]
fn values_in_place() {
    // Elsewhere: deserialize_in_place takes another path.
    let mut list = vec![9_u8; 5];
    let bytes = encode(&[1_u8, 2]);
    let mut deserializer = wbin::Deserializer::from_slice(&bytes);
    Deserialize::deserialize_in_place(&mut deserializer, &mut list).unwrap();
    assert_eq!(list, [1, 2]);
}

#[test]
fn a_serializer_is_told_about_text_that_is_only_displayed() {
    // Elsewhere: collect_str goes through a buffer of fixed size.
    struct Long;
    impl fmt::Display for Long {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (0..1000).try_for_each(|n| write!(f, "{n} "))
        }
    }
    impl Serialize for Long {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }
    assert_eq!(wbin::from_slice::<String>(&encode(&Long)).unwrap(), Long.to_string());
    assert_eq!(show(&encode(&format_args!("{}-{}", 1, 2))), r#""1-2""#);
}

#[test]
fn an_ext_that_is_refused_as_a_map_is_passed_over_whole() {
    // What was left of it would be read as the next item.
    #[derive(PartialEq, Debug)]
    struct Lenient<T>(T);
    impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
        fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            Ok(Lenient(T::deserialize(d).unwrap_or_default()))
        }
    }
    type Map<T> = BTreeMap<String, T>;
    let bytes = [0x82, 0xBF, 0x05, 0x90, 0x90]; // [ext(5, {}), {}]
    let read: Vec<Map<Lenient<u8>>> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read, [Map::from([("$wbin::ext".to_owned(), Lenient(0))]), Map::new()]);
    let read: Map<Lenient<u8>> = wbin::from_slice(&[0xBF, 0x05, 0x40]).unwrap();
    assert_eq!(read.len(), 1);
    let bytes = [0x81, 0xBF, 0xA0, 0xC8, 0x40]; // [ext(200, "")]
    let read: Vec<Lenient<Map<Lenient<u8>>>> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read.len(), 1);
    let read: Vec<Lenient<Map<u8>>> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read, [Lenient(Map::new())]);
}

/// An int in the place of a tag is no name, by columns as well: derived code would take it for an index.
#[test]
fn tags_in_columns_are_names() {
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(tag = "t")]
    enum Tagged {
        A,
        #[serde(other)]
        Other,
    }
    for int in ["D2 01 35 02 09", "81 0B"] {
        let error = wbin::from_slice::<Tagged>(&unhex(int)).unwrap_err();
        assert_eq!(error.name(), "invalid-type", "{int}: {error}");
    }
    for (name, value) in [("D2 01 70 01 00 41", Tagged::A), ("D2 01 70 01 00 58", Tagged::Other)] {
        assert_eq!(wbin::from_slice::<Tagged>(&unhex(name)).unwrap(), value);
    }
    // Keys of maps stay what they are.
    #[derive(Deserialize, Debug, PartialEq)]
    struct Flat {
        #[serde(flatten)]
        rest: BTreeMap<u8, bool>,
    }
    let keys = wbin::from_slice::<Flat>(&unhex("D3 02 30 05 02 20 03"));
    assert_eq!(keys.unwrap(), Flat { rest: [(5, true), (6, true)].into() });
}
