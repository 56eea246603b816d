//! What do errors say? Tables of bad input and the exact message, category, name, offset and path, the
//! same through every way of reading.
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::error::Error as _;
use std::fmt::Debug;
use std::io;
use support::{OneByte, unhex};
use wbin::{Category, Config, Decoder, Encoder, Error, OwnedValue, RawValue, Value, diag, ext, wbin};

/// All that can be asked of an error.
#[derive(PartialEq, Debug)]
struct Report {
    message: String,
    name: &'static str,
    category: Category,
    offset: Option<usize>,
    path: Option<String>,
}

fn report(error: &Error) -> Report {
    let (name, category, offset, path) = (error.name(), error.category(), error.offset(), error.path());
    Report { message: error.to_string(), name, category, offset, path }
}

/// Reads bytes in every way that there is, and gives the error, which is the same in all of them.
fn refuse<T: DeserializeOwned + Debug>(bytes: &[u8]) -> Report {
    let slice = wbin::from_slice::<T>(bytes).expect_err("an error");
    let expected = report(&slice);
    let same = |what: &str, got: Result<T, Error>| {
        let error = got.err().unwrap_or_else(|| panic!("{what}: no error, but {expected:?}"));
        assert_eq!(report(&error), expected, "{what}");
    };
    let config = Config::new();
    same("deserialize", wbin::deserialize(bytes));
    same("Config::from_slice", config.from_slice(bytes));
    same("from_reader", wbin::from_reader(bytes));
    same("from_reader, bytes one by one", wbin::from_reader(OneByte::new(bytes)));
    if expected.name == "trailing-bytes" || bytes.is_empty() {
        return expected; // not for those who read the first value of several
    }
    same("take_from_slice", wbin::take_from_slice(bytes).map(|(value, _)| value));
    same("iter", wbin::iter(bytes).next().expect("an item"));
    // A reader's values are skipped over before they are decoded: faults of the wire have no path there.
    let decoded = expected.category == Category::Data;
    for got in [wbin::iter_reader::<_, T>(bytes).next(), wbin::iter_reader(OneByte::new(bytes)).next()] {
        let got = report(&got.expect("an item").expect_err("an error"));
        assert_eq!((got.name, got.category, got.offset), (expected.name, expected.category, expected.offset));
        assert!(got == expected || !decoded, "{got:?}, not {expected:?}");
    }
    // Behind another value, everything is one byte further on. A signature is good at the start only.
    if bytes[0] == wbin::tag::SIGNATURE_TAG {
        return expected;
    }
    let later = [&[0x05], bytes].concat();
    for mut items in [
        Box::new(wbin::iter::<Either<T>>(&later)) as Box<dyn Iterator<Item = wbin::Result<Either<T>>>>,
        Box::new(wbin::iter_reader(OneByte::new(&later))),
    ] {
        let first = items.next().expect("an item");
        assert!(first.is_ok() || first.as_ref().is_err_and(|error| error.category() == Category::Data));
        let error = items.next().expect("a second item").expect_err("an error in the second item");
        assert_eq!(error.offset(), expected.offset.map(|offset| offset + 1), "{expected:?}");
        assert_eq!(error.name(), expected.name, "{expected:?}");
    }
    expected
}

/// The type that is asked for; where the first value is not for it, that does no harm.
#[derive(Debug)]
struct Either<T>(#[allow(dead_code)] T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Either<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Either<T>, D::Error> {
        T::deserialize(deserializer).map(Either)
    }
}

type Refusal = fn(&[u8]) -> Report;

// --- the wire -------------------------------------------------------------------------------------

#[test]
fn of_the_wire() {
    use Category::*;
    let any: Refusal = refuse::<OwnedValue>;
    let rows: [(&str, &str, &str, Category, usize); 38] = [
        // bytes, message without its place, name, category, offset
        ("", "the input ends inside a value", "truncated", Truncated, 0),
        ("A0", "the input ends inside a value", "truncated", Truncated, 0),
        ("A7 01 02 03 04 05 06 07", "the input ends inside a value", "truncated", Truncated, 0),
        ("BC 01", "the input ends inside a value", "truncated", Truncated, 0),
        ("B6 00 00 00", "the input ends inside a value", "truncated", Truncated, 0),
        ("B7 00 00 00", "the input ends inside a value", "truncated", Truncated, 0),
        ("B1 00", "the input ends inside a value", "truncated", Truncated, 0),
        ("42 61", "the input ends inside a value", "truncated", Truncated, 0),
        ("C1 01", "the input ends inside a value", "truncated", Truncated, 0),
        ("C4 02 00", "the input ends inside a value", "truncated", Truncated, 0),
        ("82 05", "the input ends inside a value", "truncated", Truncated, 0),
        ("82 05 A1 05", "the input ends inside a value", "truncated", Truncated, 2),
        ("91 05", "the input ends inside a value", "truncated", Truncated, 0),
        ("D0 05", "the input ends inside a value", "truncated", Truncated, 2),
        ("D1 05", "the input ends inside a value", "truncated", Truncated, 2),
        ("BB", "the input ends inside a value", "truncated", Truncated, 1),
        ("BF", "the input ends inside a value", "truncated", Truncated, 1),
        ("BF 05", "the input ends inside a value", "truncated", Truncated, 2),
        ("DF 57", "the input ends inside a value", "truncated", Truncated, 0),
        ("DF 57 42 01", "the input ends inside a value", "truncated", Truncated, 4),
        ("D4", "tag D4 is reserved", "reserved-tag", Syntax, 0),
        ("82 05 DE", "tag DE is reserved", "reserved-tag", Syntax, 2),
        ("D2 00", "invalid column: a count that is not above zero", "invalid-column", Syntax, 0),
        ("81 D3 01 10", "invalid column: a kind that may not stand here", "invalid-column", Syntax, 3),
        ("BE", "an end tag where no open list or map can end", "unexpected-end", Syntax, 0),
        ("D1 05 BE", "an end tag where no open list or map can end", "unexpected-end", Syntax, 2),
        ("BB BE", "an end tag where no open list or map can end", "unexpected-end", Syntax, 1),
        ("DF 00 42 01 05", "a bad or misplaced signature", "bad-signature", Syntax, 0),
        ("81 DF 57 42 01 05", "a bad or misplaced signature", "bad-signature", Syntax, 1),
        ("DF 57 42 02 05", "format version 2 is not supported", "unsupported-version", Syntax, 0),
        ("BF FF 05", "an ext type is an int of 0 to 2^64-1", "ext-type", Syntax, 1),
        ("05 06", "bytes after the value", "trailing-bytes", Syntax, 1),
        ("41 FF", "a string is not valid UTF-8", "invalid-utf8", Syntax, 0),
        ("82 05 42 C0 80", "a string is not valid UTF-8", "invalid-utf8", Syntax, 2),
        ("BD 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80", "an int below -2^127", "int-range", Syntax, 0),
        ("92 41 61 00 41 61 00", "a map has the same key twice", "duplicate-key", Syntax, 4),
        ("92 05 00 A0 05 00", "a map has the same key twice", "duplicate-key", Syntax, 3),
        ("92 B8 00 BB B8 00", "a map has the same key twice", "duplicate-key", Syntax, 3),
    ];
    for (digits, message, name, category, offset) in rows {
        let got = any(&unhex(digits));
        let message = format!("{message} at byte {offset}");
        let shown = got.message.split(" in ").next().unwrap_or_default();
        assert_eq!(
            (shown, got.name, got.category, got.offset),
            (&*message, name, category, Some(offset)),
            "{digits}"
        );
        // The same without types, where there are no paths.
        let value = report(&Value::from_slice(&unhex(digits)).unwrap_err());
        assert_eq!(value, Report { message, name, category, offset: Some(offset), path: None }, "{digits}");
    }
}

#[test]
fn of_limits() {
    let deep = [0x81; 129];
    let got = refuse::<OwnedValue>(&deep);
    assert_eq!((got.name, got.category, got.offset), ("depth-limit", Category::Limit, Some(128)));
    let error = Value::from_slice(&deep).unwrap_err();
    assert_eq!(error.to_string(), "nested deeper than the limit of 128 at byte 128");
    let flat = Config::new().max_depth(1);
    let error = flat.from_slice::<Vec<Vec<u8>>>(&[0x81, 0x81, 0x05]).unwrap_err();
    assert_eq!(error.to_string(), "nested deeper than the limit of 1 at byte 1 in [0]");
    let error = flat.to_vec(&[[1], [2]]).unwrap_err();
    assert_eq!(error.to_string(), "nested deeper than the limit of 1");
    assert_eq!((error.name(), error.category(), error.offset()), ("depth-limit", Category::Limit, None));

    let short = Config::new().max_input(5);
    let error = short.from_reader::<_, String>(&b"\x45hello"[..]).unwrap_err();
    assert_eq!(error.to_string(), "the input is larger than the limit of 5 bytes at byte 5");
    assert_eq!((error.name(), error.category(), error.offset()), ("input-limit", Category::Limit, Some(5)));
    let error = short.iter_reader::<_, String>(OneByte::new(b"\x45hello")).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "the input is larger than the limit of 5 bytes at byte 5");
    assert_eq!(short.from_reader::<_, String>(&b"\x44hell"[..]).unwrap(), "hell");
}

#[test]
fn of_strict_reading() {
    let strict = Config::new().strict(true);
    for (digits, message) in [
        ("A0 05", "not canonical: an int that is not in its shortest form at byte 0"),
        ("82 05 A8 00", "not canonical: an int that is not in its shortest form at byte 2"),
        ("B1 79 00", "not canonical: a float that is not in its preferred form at byte 0"),
        ("C0 01 61", "not canonical: a length that is not in its shortest form at byte 0"),
        ("C5 01 00 61", "not canonical: a length that is not in its shortest form at byte 0"),
        ("81 C8 01 05", "not canonical: a count that is not in its shortest form at byte 1"),
        ("D0 05 BE", "not canonical: an open list or map at byte 0"),
        ("BB 05", "not canonical: a some that tells nothing apart at byte 0"),
        ("BF A0 05 00", "not canonical: an ext type that is not in its shortest form at byte 1"),
        ("92 02 00 01 00", "not canonical: a key that is smaller than the one before it at byte 3"),
        ("DF 57 42 01 05", "not canonical: a signature at byte 0"),
    ] {
        let bytes = unhex(digits);
        let error = strict.from_slice::<OwnedValue>(&bytes).map(drop).unwrap_err();
        assert_eq!(error.to_string(), message, "{digits}");
        assert_eq!((error.name(), error.category()), ("not-canonical", Category::Syntax));
        let error =
            strict.iter_reader::<_, OwnedValue>(OneByte::new(&bytes)).next().unwrap().map(drop).unwrap_err();
        assert_eq!(error.to_string(), message, "{digits}, from a reader");
        assert_eq!(wbin::canonical::check(&bytes).unwrap_err().to_string(), message, "{digits}");
    }
    // The length of a string that is not UTF-8 is looked at first (CAN-8).
    for (digits, message) in [
        ("43 61 62 FF", "a string is not valid UTF-8 at byte 0"),
        ("82 05 42 FF FF", "a string is not valid UTF-8 at byte 2"),
        ("C0 02 61 FF", "not canonical: a length that is not in its shortest form at byte 0"),
    ] {
        let error = wbin::canonical::check(&unhex(digits)).unwrap_err();
        assert_eq!(error.to_string(), message, "{digits}");
    }
}

// --- types ----------------------------------------------------------------------------------------

#[derive(Serialize, Deserialize, Debug)]
struct Team {
    users: Vec<User>,
}

#[derive(Serialize, Deserialize, Debug)]
struct User {
    name: String,
    #[serde(default)]
    age: Option<u8>,
    #[serde(default)]
    tags: BTreeMap<String, u8>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Exact {
    id: u8,
}

#[derive(Serialize, Deserialize, Debug)]
enum Shape {
    Empty,
    Circle(u8),
    Line(u8, u8),
    Rect { w: u8, h: u8 },
}

/// A type that has its own idea of what is good.
#[derive(Debug)]
struct Even;

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Even, D::Error> {
        match u64::deserialize(deserializer)? % 2 {
            0 => Ok(Even),
            _ => Err(serde::de::Error::custom("an odd number")),
        }
    }
}

/// One row: what is read as what, and what comes of it.
fn row<T: DeserializeOwned + Debug>(
    notation: &str,
    message: &str,
    name: &'static str,
    offset: usize,
    path: Option<&str>,
) {
    let bytes = diag::parse(notation).unwrap_or_else(|error| panic!("{notation}: {error}"));
    let place = match path {
        Some(path) => format!(" at byte {offset} in {path}"),
        None => format!(" at byte {offset}"),
    };
    let (message, path) = (format!("{message}{place}"), path.map(str::to_string));
    let expected = Report { message, name, category: Category::Data, offset: Some(offset), path };
    assert_eq!(refuse::<T>(&bytes), expected, "{notation} as {}", std::any::type_name::<T>());
}

#[test]
fn of_types() {
    row::<bool>("5", "invalid type: integer `5`, expected a boolean", "invalid-type", 0, None);
    row::<bool>("null", "invalid type: unit value, expected a boolean", "invalid-type", 0, None);
    row::<u8>("true", "invalid type: boolean `true`, expected u8", "invalid-type", 0, None);
    row::<u8>("1.5", "invalid type: floating point `1.5`, expected u8", "invalid-type", 0, None);
    row::<u8>("5.0", "invalid type: floating point `5.0`, expected u8", "invalid-type", 0, None);
    row::<u8>("\"5\"", "invalid type: string \"5\", expected u8", "invalid-type", 0, None);
    row::<u8>("h'05'", "invalid type: byte array, expected u8", "invalid-type", 0, None);
    row::<u8>("[5]", "invalid type: sequence, expected u8", "invalid-type", 0, None);
    row::<u8>("{0: 5}", "invalid type: map, expected u8", "invalid-type", 0, None);
    row::<u8>("ext(5, 5)", "invalid type: ext, expected u8", "invalid-type", 0, None);
    row::<String>("5", "invalid type: integer `5`, expected a string", "invalid-type", 0, None);
    row::<String>("-5", "invalid type: integer `-5`, expected a string", "invalid-type", 0, None);
    row::<String>(
        "-18446744073709551616",
        "invalid type: integer `-18446744073709551616`, expected a string",
        "invalid-type",
        0,
        None,
    );
    row::<String>(
        "340282366920938463463374607431768211455",
        "invalid type: integer `340282366920938463463374607431768211455`, expected a string",
        "invalid-type",
        0,
        None,
    );
    row::<String>("h'61'", "invalid type: byte array, expected a string", "invalid-type", 0, None);
    row::<()>("5", "invalid type: integer `5`, expected unit", "invalid-type", 0, None);
    row::<f64>("\"1.5\"", "invalid type: string \"1.5\", expected f64", "invalid-type", 0, None);
    row::<Vec<u8>>("5", "invalid type: integer `5`, expected a sequence", "invalid-type", 0, None);
    row::<BTreeMap<u8, u8>>("[]", "invalid type: sequence, expected a map", "invalid-type", 0, None);
    row::<User>("5", "invalid type: integer `5`, expected struct User", "invalid-type", 0, None);
    row::<Shape>("5", "invalid type: integer `5`, expected enum Shape", "invalid-type", 0, None);
}

#[test]
fn of_ranges() {
    row::<u8>("256", "invalid value: integer `256`, expected u8", "invalid-value", 0, None);
    row::<u8>("-1", "invalid value: integer `-1`, expected u8", "invalid-value", 0, None);
    row::<i8>("128", "invalid value: integer `128`, expected i8", "invalid-value", 0, None);
    row::<i64>(
        "9223372036854775808",
        "invalid value: integer `9223372036854775808`, expected i64",
        "invalid-value",
        0,
        None,
    );
    row::<u64>("-1", "invalid value: integer `-1`, expected u64", "invalid-value", 0, None);
    row::<char>("\"ab\"", "invalid value: string \"ab\", expected a character", "invalid-value", 0, None);
    row::<f64>(
        "9007199254740993",
        "invalid value: integer `9007199254740993`, expected an int that a float holds exactly",
        "invalid-value",
        0,
        None,
    );
    row::<Vec<u8>>(
        "[1, 2, 300]",
        "invalid value: integer `300`, expected u8",
        "invalid-value",
        3,
        Some("[2]"),
    );
    row::<Even>("5", "an odd number", "custom", 0, None);
    row::<Vec<Even>>("[2, 5]", "an odd number", "custom", 2, Some("[1]"));
}

#[test]
fn of_128_bits() {
    // What a 128-bit int is refused as depends on serde's own visitors, which have no word for it.
    for (notation, name) in
        [("18446744073709551616", "invalid-value"), ("-18446744073709551616", "invalid-value")]
    {
        let bytes = diag::parse(notation).unwrap();
        for got in [refuse::<u8>(&bytes), refuse::<u64>(&bytes), refuse::<i64>(&bytes)] {
            assert_eq!((got.name, got.category, got.offset), (name, Category::Data, Some(0)), "{got:?}");
            assert!(got.message.contains(notation), "{got:?}");
        }
    }
    let bytes = diag::parse("340282366920938463463374607431768211455").unwrap();
    assert_eq!(refuse::<i128>(&bytes).name, "invalid-value");
    let bytes = diag::parse("-1").unwrap();
    assert_eq!(refuse::<u128>(&bytes).name, "invalid-value");
}

#[test]
fn of_lengths() {
    let two = "a tuple of size 2";
    row::<(u8, u8)>("[1]", &format!("invalid length: 1, expected {two}"), "invalid-length", 0, None);
    row::<(u8, u8)>("[]", &format!("invalid length: 0, expected {two}"), "invalid-length", 0, None);
    row::<(u8, u8)>("[1, 2, 3]", "invalid length: 3, expected 2", "invalid-length", 3, None);
    row::<[u8; 2]>("[1, 2, 3, 4]", "invalid length: 4, expected 2", "invalid-length", 3, None);
    row::<[u8; 2]>("h'010203'", "invalid length: 3, expected 2", "invalid-length", 0, None);
    row::<Vec<(u8, u8)>>(
        "[[1, 2], [3]]",
        "invalid length: 1, expected a tuple of size 2",
        "invalid-length",
        4,
        Some("[1]"),
    );
}

#[test]
fn of_fields() {
    row::<User>("{}", "missing field `name`", "missing-field", 0, None);
    row::<Team>(
        r#"{"users": [{"name": "a"}, {"age": 5}]}"#,
        "missing field `name`",
        "missing-field",
        16,
        Some(".users[1]"),
    );
    row::<Exact>(r#"{"id": 1, "x": 2}"#, "unknown field: `x`, expected `id`", "unknown-field", 5, None);
    row::<User>(
        r#"{0: "a"}"#,
        "invalid type: integer `0`, expected field identifier",
        "invalid-type",
        1,
        None,
    );
    row::<User>(r#"{[]: "a"}"#, "invalid type: sequence, expected field identifier", "invalid-type", 1, None);

    // The notation has no maps with a key twice.
    let twice = unhex("92 42 69 64 01 42 69 64 02");
    let got = refuse::<Exact>(&twice);
    assert_eq!((got.name, got.category), ("duplicate-field", Category::Data));
    assert_eq!(got.message, "duplicate field `id` at byte 5");
    assert_eq!((got.offset, got.path), (Some(5), None));
}

#[test]
fn of_variants() {
    row::<Shape>(
        "\"X\"",
        "unknown variant: `X`, expected one of `Empty`, `Circle`, `Line`, `Rect`",
        "unknown-variant",
        0,
        None,
    );
    row::<Shape>(
        r#"{"X": 1}"#,
        "unknown variant: `X`, expected one of `Empty`, `Circle`, `Line`, `Rect`",
        "unknown-variant",
        1,
        None,
    );
    row::<Shape>(
        r#"{0: 1}"#,
        "invalid type: integer `0`, expected variant identifier",
        "invalid-type",
        1,
        None,
    );
    row::<Shape>("{}", "an enum is a string or a map of one entry", "invalid-length", 0, None);
    row::<Shape>(
        r#"{"Circle": 1, "Empty": null}"#,
        "an enum is a string or a map of one entry",
        "invalid-length",
        0,
        None,
    );
    row::<Shape>(
        "\"Circle\"",
        "invalid type: unit variant, expected newtype variant",
        "invalid-type",
        0,
        None,
    );
    row::<Shape>(
        r#"{"Empty": 1}"#,
        "invalid type: integer `1`, expected unit",
        "invalid-type",
        7,
        Some(".Empty"),
    );
    row::<Shape>(
        r#"{"Circle": 300}"#,
        "invalid value: integer `300`, expected u8",
        "invalid-value",
        8,
        Some(".Circle"),
    );
    row::<Shape>(
        r#"{"Line": [1, true]}"#,
        "invalid type: boolean `true`, expected u8",
        "invalid-type",
        8,
        Some(".Line[1]"),
    );
    row::<Shape>(r#"{"Rect": {"w": 1}}"#, "missing field `h`", "missing-field", 6, Some(".Rect"));
    row::<Shape>(
        r#"{"Rect": {"w": 1, "h": -1}}"#,
        "invalid value: integer `-1`, expected u8",
        "invalid-value",
        12,
        Some(".Rect.h"),
    );
}

#[test]
fn of_nested_values() {
    let team = wbin!({"users": [
        {"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": 7},
    ]});
    let bytes = team.to_vec().unwrap();
    let got = refuse::<Team>(&bytes);
    assert_eq!(got.message, "invalid type: integer `7`, expected a string at byte 38 in .users[3].name");
    assert_eq!(got.path.as_deref(), Some(".users[3].name"));

    let u8_of = |key: &str| format!("{{{key}: 300}}");
    for (key, path) in [
        ("\"a\"", ".a"),
        ("\"a-b_c9\"", ".a-b_c9"),
        ("\"é\"", ".é"),
        ("\"\"", "[\"\"]"),
        ("\"a b\"", "[\"a b\"]"),
        ("\"9a\"", "[\"9a\"]"),
        ("\"a.b\"", "[\"a.b\"]"),
        ("\"a\\\"b\"", "[\"a\\\"b\"]"),
    ] {
        let bytes = diag::parse(&u8_of(key)).unwrap();
        assert_eq!(refuse::<BTreeMap<String, u8>>(&bytes).path.as_deref(), Some(path), "{key}");
    }
    let bytes = diag::parse("{7: 300}").unwrap();
    assert_eq!(refuse::<BTreeMap<u8, u8>>(&bytes).path.as_deref(), Some("[7]"));
    let bytes = diag::parse("{-7: {true: 300}}").unwrap();
    assert_eq!(refuse::<BTreeMap<i8, BTreeMap<bool, u8>>>(&bytes).path.as_deref(), Some("[-7][true]"));
    let bytes = diag::parse("{[1, 2]: 300}").unwrap();
    assert_eq!(refuse::<BTreeMap<(u8, u8), u8>>(&bytes).path.as_deref(), Some("[[1, 2]]"));
    // A key that is not what the type wants is no part of a path: nothing is in it.
    let got = refuse::<HashMap<u8, u8>>(&diag::parse("{\"a\": 1}").unwrap());
    assert_eq!((got.offset, got.path), (Some(1), None));
    assert_eq!(got.name, "invalid-type");
    // Inside a container that is a key.
    let got = refuse::<BTreeMap<(u8, u8), u8>>(&diag::parse("{[1, true]: 0}").unwrap());
    assert_eq!((got.offset, got.path.as_deref()), (Some(3), Some("[1]")));
}

#[test]
fn of_exts() {
    row::<ext::Tagged<u8>>(
        "ext(5, 300)",
        "invalid value: integer `300`, expected u8",
        "invalid-value",
        2,
        Some("[ext 5]"),
    );
    row::<ext::Tagged<u8>>("300", "invalid type: integer `300`, expected an ext", "invalid-type", 0, None);
    row::<ext::Uuid>("ext(5, h'')", "invalid value: ext 5, expected ext 1, a UUID", "invalid-value", 0, None);
    row::<ext::Timestamp>(
        "ext(1, 5)",
        "invalid value: ext 1, expected ext 0, a timestamp",
        "invalid-value",
        0,
        None,
    );
    row::<Vec<ext::Uuid>>(
        "[5]",
        "invalid type: integer `5`, expected an ext",
        "invalid-type",
        1,
        Some("[0]"),
    );
}

/// Faults of the wire inside a typed value have a path as well.
#[test]
fn of_the_wire_in_types() {
    let bytes = unhex("91 45 75 73 65 72 73 82 91 44 6E 61 6D 65 41 61 91 44 6E 61 6D 65 41 FF");
    let got = refuse::<Team>(&bytes);
    assert_eq!(got.message, "a string is not valid UTF-8 at byte 22 in .users[1].name");
    assert_eq!((got.name, got.category), ("invalid-utf8", Category::Syntax));
    let got = refuse::<Team>(&bytes[..23]);
    assert_eq!(got.message, "the input ends inside a value at byte 22 in .users[1].name");
    assert_eq!(got.category, Category::Truncated);
}

#[test]
fn expected_and_found_are_told() {
    let error = wbin::from_slice::<bool>(&[0x05]).unwrap_err();
    assert_eq!((error.expected(), error.found()), (Some("a boolean"), Some("integer `5`")));
    let error = wbin::from_slice::<Shape>(&unhex("41 58")).unwrap_err();
    assert_eq!(error.expected(), Some("one of `Empty`, `Circle`, `Line`, `Rect`"));
    assert_eq!(error.found(), Some("`X`"));
    let error = wbin::check(&[0xD4]).unwrap_err();
    assert_eq!((error.expected(), error.found()), (None, None));
}

// --- decoders, encoders, notation -----------------------------------------------------------------

#[test]
fn of_a_decoder() {
    let mut decoder = Decoder::new(&[0x82, 0x05, 0x41, 0x61]);
    let error = decoder.i64().unwrap_err();
    assert_eq!(error.to_string(), "invalid type: a list, expected an int of 64 bits at byte 0");
    assert_eq!(decoder.list().unwrap(), Some(2));
    assert_eq!(decoder.str().unwrap_err().to_string(), "invalid type: an int, expected a string at byte 1");
    assert_eq!(decoder.end().unwrap_err().name(), "invalid-length");
    assert_eq!(decoder.int().unwrap(), 5.into());
    assert_eq!(decoder.finish().unwrap_err().name(), "invalid-length");
    assert_eq!(decoder.str().unwrap(), "a");
    assert_eq!(decoder.null().unwrap_err().to_string(), "nothing is left in this list or map at byte 4");
    assert_eq!(decoder.value().map(drop).unwrap_err().name(), "invalid-length");
    assert_eq!(decoder.skip().unwrap_err().name(), "invalid-length");
    decoder.end().unwrap();
    decoder.finish().unwrap();
    assert_eq!(decoder.end().unwrap_err().to_string(), "no list or map is open at byte 4");
    assert_eq!(decoder.null().unwrap_err().name(), "truncated");
}

#[test]
fn of_an_encoder() {
    type Calls = fn(&mut Encoder) -> wbin::Result<&mut Encoder>;
    let mismatch = "a list or map has not as many values as it announced";
    let rows: [(Calls, &str, &str); 10] = [
        (|e| e.list(1)?.end(), mismatch, "length-mismatch"),
        (|e| e.list(0)?.null(), mismatch, "length-mismatch"),
        (|e| e.map(1)?.int(1)?.end(), mismatch, "length-mismatch"),
        (|e| e.open_map()?.int(1)?.end(), mismatch, "length-mismatch"),
        (|e| e.ext(5)?.end(), mismatch, "length-mismatch"),
        (|e| e.some()?.end(), mismatch, "length-mismatch"),
        (|e| e.some()?.null()?.null(), mismatch, "length-mismatch"),
        (|e| e.end(), "no list or map is open", "encoder-state"),
        (
            |e| e.map(2)?.int(5)?.null()?.int(5)?.null()?.end(),
            "a map has the same key twice",
            "duplicate-key",
        ),
        (
            |e| e.open_map()?.str("a")?.null()?.str("a")?.null()?.end(),
            "a map has the same key twice",
            "duplicate-key",
        ),
    ];
    for (calls, message, name) in rows {
        let mut encoder = Encoder::new();
        let error = calls(&mut encoder).map(drop).expect_err(message);
        assert_eq!((error.to_string().as_str(), error.name(), error.offset()), (message, name, None));
    }
    let mut encoder = Encoder::new();
    encoder.list(1).unwrap();
    let error = encoder.finish().unwrap_err();
    assert_eq!((error.to_string().as_str(), error.name()), ("a list or map is still open", "encoder-state"));

    // After an error the encoder is as it was.
    let mut encoder = Encoder::new();
    encoder.list(2).unwrap().int(1).unwrap();
    assert!(encoder.end().is_err());
    assert!(encoder.serialize(&Broken).is_err());
    encoder.int(2).unwrap();
    assert!(encoder.int(3).is_err());
    assert!(encoder.value(&Value::Null).is_err());
    encoder.end().unwrap();
    assert_eq!(encoder.finish().unwrap(), [0x82, 0x01, 0x02]);
}

/// A type that fails to say what it is.
struct Broken;

impl Serialize for Broken {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("broken"))
    }
}

/// Types that announce what they do not keep.
struct Announce {
    list: bool,
    announced: usize,
    given: usize,
}

impl Serialize for Announce {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{SerializeMap, SerializeSeq};
        if self.list {
            let mut list = serializer.serialize_seq(Some(self.announced))?;
            (0..self.given).try_for_each(|n| list.serialize_element(&n))?;
            return list.end();
        }
        let mut map = serializer.serialize_map(Some(self.announced))?;
        (0..self.given).try_for_each(|n| map.serialize_entry(&n, &()))?;
        map.end()
    }
}

#[test]
fn of_serializing() {
    let error = wbin::to_vec(&Broken).unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error.name(), error.category()),
        ("broken", "custom", Category::Data)
    );
    assert_eq!((error.offset(), error.path()), (None, None));
    for list in [true, false] {
        for (announced, given) in [(1, 0), (0, 1), (2, 1), (1, 2), (100, 99)] {
            let error = wbin::to_vec(&Announce { list, announced, given }).unwrap_err();
            assert_eq!(error.name(), "length-mismatch", "{announced} {given}");
        }
        assert!(wbin::to_vec(&Announce { list, announced: 20, given: 20 }).is_ok());
    }
    // Two keys that differ in Rust and are one here.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum Key {
        Small(u8),
        Large(u64),
    }
    impl Serialize for Key {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Key::Small(n) => serializer.serialize_u8(*n),
                Key::Large(n) => serializer.serialize_u64(*n),
            }
        }
    }
    let map = BTreeMap::from([(Key::Small(5), 0), (Key::Large(5), 0)]);
    let error = wbin::to_vec(&map).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.name()), ("a map has the same key twice", "duplicate-key"));
}

#[test]
fn of_the_notation() {
    for (text, message) in [
        ("", "expected a value at byte 0"),
        ("[1, 2", "expected `,` or `]` at byte 5"),
        ("[1,]", "expected a value at byte 3"),
        ("{1 2}", "expected `:` at byte 3"),
        ("{1: 2", "expected `,` or `}` at byte 5"),
        ("ext(5)", "expected `,` at byte 5"),
        ("ext(-1, 0)", "expected an ext type of 0 to 2^64-1 at byte 4"),
        ("some(null", "expected `)` at byte 9"),
        ("1 2", "expected the end of the text at byte 2"),
        ("\"a", "expected a closing `\"` at byte 2"),
        ("\"\\x\"", "expected an escape at byte 1"),
        ("\"\\ud800\"", "expected an escape of a character at byte 1"),
        ("h'0'", "expected pairs of hex digits and a closing `'` at byte 2"),
        ("-0", "expected a number in range at byte 0"),
        ("1e999", "expected a number in range at byte 0"),
        ("[é]", "expected a value at byte 1"),
    ] {
        let error = diag::parse(text).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.name()), (message, "notation"), "{text}");
        assert_eq!(error.category(), Category::Syntax);
    }
    assert_eq!(diag::parse("{1: 2, 1: 3}").unwrap_err().name(), "duplicate-key");
}

// --- the type itself ------------------------------------------------------------------------------

#[test]
fn an_error_is_one_pointer_wide() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    fn is_sent_anywhere<T: Send + Sync + std::error::Error + 'static>() {}
    is_sent_anywhere::<Error>();
}

/// A reader or writer that fails.
struct Failing;

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::ConnectionReset, "the peer is gone"))
    }
}

impl io::Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_of_input_and_output_are_kept() {
    let partly = || io::Read::chain(&[0x82_u8, 0x05][..], Failing);
    for error in [
        wbin::from_reader::<_, u8>(Failing).unwrap_err(),
        wbin::from_reader::<_, Vec<u8>>(partly()).unwrap_err(),
        wbin::iter_reader::<_, u8>(Failing).next().unwrap().unwrap_err(),
        wbin::iter_reader::<_, Vec<u8>>(partly()).next().unwrap().unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "the peer is gone");
        assert_eq!((error.name(), error.category(), error.offset()), ("io", Category::Io, None));
        let source =
            error.source().and_then(|source| source.downcast_ref::<io::Error>()).expect("the source");
        assert_eq!(source.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(io::Error::from(error).kind(), io::ErrorKind::ConnectionReset);
    }
    let error = wbin::to_writer(Failing, &5).unwrap_err();
    assert_eq!((error.to_string().as_str(), error.category()), ("the disk is full", Category::Io));
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::StorageFull);
    // After it an iterator ends.
    let mut items = wbin::iter_reader::<_, u8>(Failing);
    assert!(items.next().is_some_and(|item| item.is_err()));
    assert!(items.next().is_none());
}

#[test]
fn errors_become_those_of_input_and_output() {
    let kinds = [
        (wbin::from_slice::<u8>(&[0xA0]).unwrap_err(), io::ErrorKind::UnexpectedEof),
        (wbin::from_slice::<u8>(&[0xD4]).unwrap_err(), io::ErrorKind::InvalidData),
        (wbin::from_slice::<u8>(&[0xBA]).unwrap_err(), io::ErrorKind::InvalidData),
        (Config::new().max_depth(0).check(&[0x80]).unwrap_err(), io::ErrorKind::InvalidData),
    ];
    for (error, kind) in kinds {
        let (name, message) = (error.name(), error.to_string());
        assert!(error.source().is_none());
        let as_io = io::Error::from(error);
        assert_eq!((as_io.kind(), as_io.to_string()), (kind, message));
        let inner = as_io.get_ref().and_then(|inner| inner.downcast_ref::<Error>()).expect("the error");
        assert_eq!(inner.name(), name);
    }
    fn reads() -> io::Result<u8> {
        Ok(wbin::from_slice(&[0xA0])?)
    }
    assert_eq!(reads().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn debug_shows_everything() {
    let bytes = wbin::to_vec(&[1, 2, 300]).unwrap();
    let error = wbin::from_slice::<Vec<u8>>(&bytes).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Error { name: \"invalid-value\", message: \"invalid value: integer `300`, expected u8\", offset: 3, path: \"[2]\" }"
    );
    let error = wbin::check(&[0xD4]).unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "Error { name: \"reserved-tag\", message: \"tag D4 is reserved\", offset: 0 }"
    );
}

/// An iterator goes on after an error of data, since the next value is found; not after others.
#[test]
fn iterators_go_on_after_errors_of_data() {
    let bytes = unhex("05 41 61 06 A1 00 01 07");
    let names = |items: &mut dyn Iterator<Item = wbin::Result<u8>>| -> Vec<Result<u8, &str>> {
        items.map(|item| item.map_err(|error| error.name())).collect()
    };
    let expected = [Ok(5), Err("invalid-type"), Ok(6), Err("invalid-value"), Ok(7)];
    assert_eq!(names(&mut wbin::iter(&bytes)), expected);
    assert_eq!(names(&mut wbin::iter_reader(OneByte::new(&bytes))), expected);
    let bytes = unhex("05 D4 06");
    let expected = [Ok(5), Err("reserved-tag")];
    assert_eq!(names(&mut wbin::iter(&bytes)), expected);
    assert_eq!(names(&mut wbin::iter_reader(OneByte::new(&bytes))), expected);
}

#[test]
fn a_deserializer_tells_of_a_bad_signature_with_its_first_value() {
    for (digits, message) in [
        ("DF 57 42 02 05", "format version 2 is not supported at byte 0"),
        ("DF 57 43 01 05", "a bad or misplaced signature at byte 0"),
        ("DF 57 42", "the input ends inside a value at byte 0"),
        ("DF 57 42 01 DF 57 42 02 05", "a bad or misplaced signature at byte 4"),
    ] {
        let bytes = unhex(digits);
        let mut deserializer = wbin::Deserializer::from_slice(&bytes);
        assert_eq!(u8::deserialize(&mut deserializer).unwrap_err().to_string(), message, "{digits}");
    }
}

#[test]
fn raw_values_tell_what_is_wrong_with_them() {
    let error = RawValue::from_slice(&unhex("82 05 41 FF")).unwrap_err();
    assert_eq!(error.to_string(), "a string is not valid UTF-8 at byte 2");
    #[derive(Deserialize, Debug)]
    struct Envelope<'a> {
        #[allow(dead_code)]
        to: u8,
        #[serde(borrow)]
        #[allow(dead_code)]
        body: RawValue<'a>,
    }
    let bytes = unhex("92 42 74 6F 05 44 62 6F 64 79 82 05 41 FF");
    let error = wbin::from_slice::<Envelope<'_>>(&bytes).unwrap_err();
    assert_eq!((error.name(), error.category()), ("invalid-utf8", Category::Syntax));
    assert_eq!((error.offset(), error.path().as_deref()), (Some(12), Some(".body")));
    assert_eq!(error.to_string(), "a string is not valid UTF-8 at byte 12 in .body");
}
