//! wbin and other formats: the JSON mapping, and the same values through serde.
#![cfg(all(feature = "std", feature = "serde"))]

#[path = "support/strategies.rs"]
mod strategies;

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as JsonValue, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::PathBuf;
use strategies::Blob;
use wbin::ext::{BigInt, Decimal, Tagged, Timestamp, Uuid};
use wbin::{Ext, OwnedValue, Value, wbin};

/// Values that JSON has as well: finite floats, text keys, ints of 64 bits.
fn json_values() -> impl Strategy<Value = JsonValue> {
    let leaf = prop_oneof![
        Just(JsonValue::Null),
        any::<bool>().prop_map(JsonValue::from),
        any::<u64>().prop_map(JsonValue::from),
        any::<i64>().prop_map(JsonValue::from),
        (any::<u64>(), 0_u32..64).prop_map(|(n, shift)| JsonValue::from(n >> shift)),
        strategies::floats().prop_filter("finite", |f| f.is_finite()).prop_map(JsonValue::from),
        strategies::strings().prop_map(JsonValue::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(JsonValue::from),
            prop::collection::btree_map(strategies::strings(), inner, 0..6)
                .prop_map(|entries| JsonValue::Object(entries.into_iter().collect())),
        ]
    })
}

// ---------------------------------------------------------------------------------------------------------
// Through serde
// ---------------------------------------------------------------------------------------------------------

proptest! {
    #![proptest_config(strategies::cases(128))]

    #[test]
    fn json_values_go_through_wbin(json in json_values()) {
        let bytes = wbin::to_vec(&json).unwrap();
        prop_assert_eq!(&wbin::from_slice::<JsonValue>(&bytes).unwrap(), &json);
        let value = Value::from_slice(&bytes).unwrap();
        // wbin's value is a type of serde for serde_json, both ways.
        prop_assert_eq!(&serde_json::to_value(&value).unwrap(), &json);
        prop_assert_eq!(&Value::deserialize(&json).unwrap(), &value);
        let text = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(&serde_json::from_str::<OwnedValue>(&text).unwrap().0, &value);
        prop_assert_eq!(&serde_json::from_str::<JsonValue>(&text).unwrap(), &json);
        prop_assert_eq!(&wbin::to_vec(&value).unwrap(), &bytes);
    }
}

#[test]
fn json_text_is_transcoded_without_a_value_of_json() {
    let text = r#"{"z":[1,-2,3.5,1e-7,true,null,"é"],"a":{"":{}},"n":18446744073709551615}"#;
    let value: Value<'_> = serde_json::from_str(text).unwrap();
    let bytes = wbin::to_vec(&value).unwrap();
    assert_eq!(
        wbin::diag::to_string(&bytes).unwrap(),
        r#"{"z": [1, -2, 3.5, 1e-7, true, null, "é"], "a": {"": {}}, "n": 18446744073709551615}"#
    );
    // The order of the text is kept, also on the way back.
    let back = serde_json::to_string(&Value::from_slice(&bytes).unwrap()).unwrap();
    assert_eq!(back, text);
    // Keys of a JSON object are unique, or there is no value.
    assert!(serde_json::from_str::<Value<'_>>(r#"{"a": 1, "b": 2, "a": 3}"#).is_err());
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Shared {
    flag: bool,
    small: i32,
    large: i64,
    double: f64,
    text: String,
    letter: char,
    unit: (),
    none: Option<u8>,
    some: Option<String>,
    list: Vec<i32>,
    tuple: (i32, String),
    nested: Inner,
    by_name: BTreeMap<String, Vec<Inner>>,
    shapes: Vec<Shape>,
    internal: Internal,
    adjacent: Adjacent,
    untagged: Vec<Untagged>,
    #[serde(flatten)]
    rest: BTreeMap<String, i64>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Inner {
    #[serde(rename = "X")]
    x: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    maybe: Option<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Empty,
    Circle(i32),
    Line(i32, i32),
    Rect { w: i32, h: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "t")]
enum Internal {
    One { a: i32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Two(String),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Untagged {
    Int(i64),
    Text(String),
    Inner(Inner),
}

fn shared() -> Shared {
    let inner = |x, maybe: Option<&str>| Inner { x, maybe: maybe.map(Into::into) };
    Shared {
        flag: true,
        small: -70_000,
        large: i64::MAX,
        double: 12.99,
        text: "é😀".into(),
        letter: 'ß',
        unit: (),
        none: None,
        some: Some(String::new()),
        list: vec![0, -1, 63, 64, 70_000],
        tuple: (5, "five".into()),
        nested: inner(1, None),
        by_name: BTreeMap::from([
            ("k".into(), vec![inner(2, Some("m")), inner(3, None)]),
            ("".into(), vec![]),
        ]),
        shapes: vec![Shape::Empty, Shape::Circle(5), Shape::Line(1, 2), Shape::Rect { w: 3, h: 4 }],
        internal: Internal::One { a: 1 },
        adjacent: Adjacent::Two("two".into()),
        untagged: vec![Untagged::Int(-5), Untagged::Text("t".into()), Untagged::Inner(inner(6, None))],
        rest: BTreeMap::from([("extra".into(), 7), ("more".into(), -8)]),
    }
}

/// What serde_json, rmp-serde and bson make of a type, and what wbin's value makes of that.
#[track_caller]
fn agree<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = wbin::to_vec(value).unwrap();
    assert_eq!(&wbin::from_slice::<T>(&bytes).unwrap(), value);
    let any = wbin::from_slice::<OwnedValue>(&bytes).unwrap();

    let json = serde_json::to_vec(value).unwrap();
    assert_eq!(&serde_json::from_slice::<T>(&json).unwrap(), value);
    assert_eq!(serde_json::from_slice::<OwnedValue>(&json).unwrap(), any, "JSON into a value");
    assert_eq!(&serde_json::from_slice::<T>(&serde_json::to_vec(&any).unwrap()).unwrap(), value);

    let rmp = rmp_serde::to_vec_named(value).unwrap();
    assert_eq!(&rmp_serde::from_slice::<T>(&rmp).unwrap(), value);
    assert_eq!(rmp_serde::from_slice::<OwnedValue>(&rmp).unwrap(), any, "MessagePack into a value");
    assert_eq!(rmp_serde::to_vec_named(&any).unwrap().len(), rmp.len());
    assert_eq!(&rmp_serde::from_slice::<T>(&rmp_serde::to_vec_named(&any).unwrap()).unwrap(), value);

    let bson = bson::serialize_to_vec(value).unwrap();
    assert_eq!(&bson::deserialize_from_slice::<T>(&bson).unwrap(), value);
    assert_eq!(bson::deserialize_from_slice::<OwnedValue>(&bson).unwrap(), any, "BSON into a value");
    assert_eq!(&bson::deserialize_from_slice::<T>(&bson::serialize_to_vec(&any).unwrap()).unwrap(), value);

    // A document of each format inside of the others' values: to wbin and back.
    let document: bson::Document = bson::deserialize_from_slice(&bson).unwrap();
    assert_eq!(document.len(), any.0.as_map().unwrap().len());
    let json: JsonValue = serde_json::from_slice(&json).unwrap();
    assert_eq!(wbin::from_slice::<JsonValue>(&bytes).unwrap(), json);
    assert_eq!(&wbin::from_slice::<T>(&wbin::to_vec(&json).unwrap()).unwrap(), value);
}

#[test]
fn shared_shapes_agree_in_every_format() {
    agree(&shared());
    agree(&BTreeMap::from([("a".to_string(), vec![1, 2]), ("b".to_string(), vec![])]));
    agree(&Internal::One { a: i32::MIN });
    agree(&Adjacent::Two("x".into()));
    agree(&Shape::Rect { w: 1, h: -1 });
}

#[test]
fn the_sizes_of_the_shared_shapes() {
    let value = shared();
    let wbin = wbin::to_vec(&value).unwrap().len();
    let rmp = rmp_serde::to_vec_named(&value).unwrap().len();
    let bson = bson::serialize_to_vec(&value).unwrap().len();
    let json = serde_json::to_vec(&value).unwrap().len();
    println!("wbin {wbin}, MessagePack {rmp}, BSON {bson}, JSON {json}");
    assert!(wbin < rmp && rmp < json && wbin < bson);
}

#[test]
fn what_only_some_formats_have_goes_through_those() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Binary {
        blob: Blob,
        by_int: BTreeMap<i64, bool>,
        single: f32,
        max: u64,
        nan: Vec<f64>,
    }
    let value = Binary {
        blob: Blob(vec![0, 255]),
        by_int: BTreeMap::from([(-1, true), (300, false)]),
        single: 0.1,
        max: u64::MAX,
        nan: vec![f64::INFINITY, -0.0],
    };
    let any = wbin::from_slice::<OwnedValue>(&wbin::to_vec(&value).unwrap()).unwrap();
    let rmp = rmp_serde::to_vec_named(&value).unwrap();
    assert_eq!(rmp_serde::from_slice::<OwnedValue>(&rmp).unwrap(), any);
    assert_eq!(rmp_serde::from_slice::<Binary>(&rmp_serde::to_vec_named(&any).unwrap()).unwrap(), value);
}

#[test]
fn wbins_own_types_in_other_formats() {
    fn trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
        let json = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value, "{json}");
        let rmp = rmp_serde::to_vec_named(&value).unwrap();
        assert_eq!(rmp_serde::from_slice::<T>(&rmp).unwrap(), value);
        let bson = bson::serialize_to_vec(&BTreeMap::from([("v", &value)])).unwrap();
        assert_eq!(bson::deserialize_from_slice::<BTreeMap<String, T>>(&bson).unwrap()["v"], value);
    }
    trip(Timestamp::new(5, 0).unwrap());
    trip(Timestamp::new(-5, 7).unwrap());
    trip(Uuid([7; 16]));
    trip(BigInt::from(-256_i128));
    trip(Decimal::new(1299, -2));
    trip(Tagged { ext_type: 70, value: "text".to_string() });
    trip(wbin::Int::from(-5));
    trip(OwnedValue(wbin!({"a": [1, 2.5, null, {"b": "c"}]})));
    // With other formats an extension is a list of the two.
    assert_eq!(serde_json::to_value(Timestamp::new(5, 0).unwrap()).unwrap(), json!([0, 5]));
    assert_eq!(serde_json::to_value(Value::from(Ext::new(70, "x"))).unwrap(), json!([70, "x"]));
    // A raw value is its bytes, in formats that have bytes and in those that have not.
    let raw = wbin::RawValue::from_vec(wbin!([1, "a"]).to_vec().unwrap()).unwrap();
    assert_eq!(serde_json::to_value(&raw).unwrap(), json!([130, 1, 65, 97]));
    let rmp = rmp_serde::to_vec_named(&raw).unwrap();
    assert_eq!(rmp_serde::from_slice::<wbin::RawValue<'_>>(&rmp).unwrap(), raw);
    let text = serde_json::to_string(&raw).unwrap();
    assert_eq!(serde_json::from_str::<wbin::RawValue<'_>>(&text).unwrap(), raw);
    assert!(
        rmp_serde::from_slice::<wbin::RawValue<'_>>(&rmp_serde::to_vec(&Blob(vec![0xD4])).unwrap()).is_err()
    );
    // Their own values in wbin.
    let document = bson::doc! {"a": 1, "b": [true, 2.5, bson::Bson::Null], "c": {"d": "e"}};
    let bytes = wbin::to_vec(&document).unwrap();
    assert_eq!(
        wbin::diag::to_string(&bytes).unwrap(),
        r#"{"a": 1, "b": [true, 2.5, null], "c": {"d": "e"}}"#
    );
    assert_eq!(wbin::from_slice::<bson::Document>(&bytes).unwrap(), document);
}

// ---------------------------------------------------------------------------------------------------------
// Real documents
// ---------------------------------------------------------------------------------------------------------

/// The public documents beside the repository; none, where they are not.
fn documents() -> Vec<(String, JsonValue)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let mut documents = Vec::new();
    for folder in [root.clone(), root.join("schemastore")] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: there is no {}", folder.display());
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                let json = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
                documents.push((name, json));
            }
        }
    }
    documents.sort_by(|(a, _), (b, _)| a.cmp(b));
    documents
}

#[test]
fn real_documents_survive_and_are_not_larger_than_messagepack() {
    let (mut sums, mut rmp_sum) = ([0, 0], 0);
    for (name, json) in documents() {
        let plain = wbin::Config::new().plain(true);
        let shortest = wbin::to_vec(&json).unwrap();
        let bytes = plain.to_vec(&json).unwrap();
        for (bytes, config) in [(&bytes, plain), (&shortest, wbin::Config::new())] {
            assert!(wbin::from_slice::<JsonValue>(bytes).unwrap() == json, "{name}");
            let value = Value::from_slice(bytes).unwrap();
            assert!(serde_json::to_value(&value).unwrap() == json, "{name}");
            assert!(value.to_vec_with(&config).unwrap() == *bytes, "{name}");
            assert_eq!(wbin::skip(bytes).unwrap(), bytes.len());
            wbin::check(bytes).unwrap();
        }
        let canonical = wbin::canonical::to_canonical(&bytes).unwrap();
        assert_eq!(canonical.len(), bytes.len(), "the canonical form only sorts: {name}");
        assert!(wbin::canonical::to_canonical(&shortest).unwrap() == canonical, "{name}");
        let notation = wbin::diag::to_string(&bytes).unwrap();
        assert!(wbin::diag::to_string(&shortest).unwrap() == notation, "{name}");
        assert!(wbin::diag::parse(&notation).unwrap() == bytes, "{name}");
        let rmp = rmp_serde::to_vec_named(&json).unwrap();
        println!("{name}: wbin {} ({} plain) MessagePack {}", shortest.len(), bytes.len(), rmp.len());
        sums[0] += shortest.len();
        sums[1] += bytes.len();
        rmp_sum += rmp.len();
        // The ints 64…127 take two bytes here and one there; this document has hardly anything else.
        let most = if name == "instruments" { rmp.len() + rmp.len() / 200 } else { rmp.len() };
        assert!(bytes.len() <= most, "{name}: {} of {}", bytes.len(), rmp.len());
        assert!(shortest.len() <= rmp.len() && shortest.len() <= bytes.len(), "{name}: {}", shortest.len());
    }
    println!("all: wbin {} ({} plain) MessagePack {rmp_sum}", sums[0], sums[1]);
    assert!(sums[0] <= sums[1] && sums[1] <= rmp_sum);
}

// ---------------------------------------------------------------------------------------------------------
// The JSON mapping
// ---------------------------------------------------------------------------------------------------------

#[cfg(feature = "json")]
mod mapping {
    use super::*;
    use wbin::json::{Json, from_json, resolve, to_json};

    /// A value and its JSON, both ways, as a value of JSON and as text.
    #[track_caller]
    fn maps(notation: &str, json: &str) {
        let bytes = wbin::diag::parse(notation).unwrap();
        let value = Value::from_slice(&bytes).unwrap();
        let parsed: JsonValue = serde_json::from_str(json).unwrap();
        assert_eq!(to_json(&value).unwrap(), parsed, "{notation}");
        assert_eq!(
            serde_json::to_string(&Json::new(&value)).unwrap(),
            json.replace(": ", ":").replace(", ", ",")
        );
        assert_eq!(from_json(&parsed).unwrap(), value, "{json}");
        let read: Value<'_> = serde_json::from_str(json).unwrap();
        assert_eq!(resolve(read).unwrap(), value, "{json}");
    }

    #[test]
    fn the_table_of_the_specification() {
        let spec = include_str!("../SPEC.md");
        let table = spec.split("## 23. JSON").nth(1).unwrap().split("## 24.").next().unwrap();
        let mut rows = 0;
        for line in table.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            if cells[1] == "some(null)" {
                let bytes = wbin::diag::parse(cells[1]).unwrap();
                assert_eq!(to_json(&Value::from_slice(&bytes).unwrap()).unwrap(), JsonValue::Null);
            } else {
                maps(cells[1], cells[2]);
            }
            rows += 1;
        }
        assert!(rows >= 12, "the table was found");
    }

    #[test]
    fn values_of_every_kind() {
        maps("null", "null");
        maps("true", "true");
        maps("9223372036854775808", "9223372036854775808");
        maps("18446744073709551615", "18446744073709551615");
        maps("18446744073709551616", r#"{"$wbin:int": "18446744073709551616"}"#);
        maps("-9223372036854775808", "-9223372036854775808");
        maps("-9223372036854775809", r#"{"$wbin:int": "-9223372036854775809"}"#);
        maps(
            "-170141183460469231731687303715884105728",
            r#"{"$wbin:int": "-170141183460469231731687303715884105728"}"#,
        );
        maps("0.0", "0.0");
        maps("1.5", "1.5");
        maps("0.1", "0.1");
        maps("nan", r#"{"$wbin:float": "nan"}"#);
        maps("-inf", r#"{"$wbin:float": "-inf"}"#);
        maps("f64'fff8000000000000'", r#"{"$wbin:float": "fff8000000000000"}"#);
        maps(r#""a\"\\\n\u0000é😀""#, r#""a\"\\\n\u0000é😀""#);
        maps("h''", r#"{"$wbin:bytes": ""}"#);
        maps("[]", "[]");
        maps("{}", "{}");
        maps("[1, [2, {\"a\": h'01'}]]", r#"[1, [2, {"a": {"$wbin:bytes": "01"}}]]"#);
        maps(
            "ext(18446744073709551615, ext(0, nan))",
            r#"{"$wbin:ext": [18446744073709551615, {"$wbin:ext": [0, {"$wbin:float": "nan"}]}]}"#,
        );
        maps("{null: 1}", r#"{"$wbin:map": [[null, 1]]}"#);
        maps("{\"a\": 1, 5: 2}", r#"{"$wbin:map": [["a", 1], [5, 2]]}"#);
        maps(
            "{h'00': {1: 2}, {3: 4}: 5}",
            r#"{"$wbin:map": [[{"$wbin:bytes": "00"}, {"$wbin:map": [[1, 2]]}], [{"$wbin:map": [[3, 4]]}, 5]]}"#,
        );
        // What looks like a form is one only alone.
        maps("{\"$wbin:\": 1}", r#"{"$wbin:map": [["$wbin:", 1]]}"#);
        maps("{\"$wbin:int\": \"5\"}", r#"{"$wbin:map": [["$wbin:int", "5"]]}"#);
        maps("{\"$wbin:int\": \"5\", \"a\": 1}", r#"{"$wbin:int": "5", "a": 1}"#);
        maps("{\"$wbin\": 1}", r#"{"$wbin": 1}"#);
        maps(
            "{\"$wbin:map\": {\"$wbin:map\": 1}}",
            r#"{"$wbin:map": [["$wbin:map", {"$wbin:map": [["$wbin:map", 1]]}]]}"#,
        );
    }

    #[test]
    fn floats_stay_floats_and_ints_stay_ints() {
        for (text, value) in [
            ("1.0", wbin!(1.0)),
            ("1", wbin!(1)),
            ("1e2", wbin!(100.0)),
            ("-0.0", wbin!(-0.0)),
            ("-0", wbin!(-0.0)),
            ("0", wbin!(0)),
        ] {
            let read: JsonValue = serde_json::from_str(text).unwrap();
            assert_eq!(from_json(&read).unwrap(), value, "{text}");
        }
        for f in strategies::SPECIAL_FLOATS.map(f64::from_bits) {
            let json = to_json(&wbin!(f)).unwrap();
            assert!(!json.is_i64() && !json.is_u64());
            let text = json.to_string();
            assert!(!f.is_finite() || text.contains(['.', 'e']), "{text}");
            assert_eq!(from_json(&serde_json::from_str(&text).unwrap()).unwrap(), wbin!(f), "{text}");
        }
    }

    #[test]
    fn forms_are_read_in_all_their_spellings() {
        for (json, notation) in [
            (json!({"$wbin:int": "5"}), "5"),
            (json!({"$wbin:int": "0"}), "0"),
            (json!({"$wbin:int": "-1"}), "-1"),
            (json!({"$wbin:float": "3ff8000000000000"}), "1.5"),
            (json!({"$wbin:float": "7FF8000000000001"}), "f64'7ff8000000000001'"),
            (json!({"$wbin:float": "7ff8000000000000"}), "nan"),
            (json!({"$wbin:float": "8000000000000000"}), "-0.0"),
            (json!({"$wbin:bytes": "00fFAb"}), "h'00ffab'"),
            (json!({"$wbin:ext": [{"$wbin:int": "5"}, 1]}), "ext(5, 1)"),
            (json!({"$wbin:map": []}), "{}"),
            (json!({"$wbin:map": [["a", 1]]}), "{\"a\": 1}"),
            (json!({"$wbin:map": [[{"$wbin:map": []}, {"$wbin:float": "inf"}]]}), "{{}: inf}"),
        ] {
            let value = from_json(&json).unwrap();
            assert_eq!(value.to_string(), notation, "{json}");
        }
    }

    #[test]
    fn malformed_forms_are_refused() {
        for bad in [
            json!({"$wbin:": 1}),
            json!({"$wbin:what": 1}),
            json!({"$wbin:INT": "5"}),
            json!({"$wbin:int": 5}),
            json!({"$wbin:int": ""}),
            json!({"$wbin:int": "-"}),
            json!({"$wbin:int": "+5"}),
            json!({"$wbin:int": "007"}),
            json!({"$wbin:int": "-0"}),
            json!({"$wbin:int": "00"}),
            json!({"$wbin:int": "1.0"}),
            json!({"$wbin:int": " 5"}),
            json!({"$wbin:int": "٥"}),
            json!({"$wbin:int": "--5"}),
            json!({"$wbin:int": "5-"}),
            json!({"$wbin:int": "340282366920938463463374607431768211456"}),
            json!({"$wbin:int": "-170141183460469231731687303715884105729"}),
            json!({"$wbin:float": 1.5}),
            json!({"$wbin:float": "NaN"}),
            json!({"$wbin:float": "+inf"}),
            json!({"$wbin:float": "1.5"}),
            json!({"$wbin:float": "7ff800000000000"}),
            json!({"$wbin:float": "7ff80000000000000"}),
            json!({"$wbin:float": "7ff800000000000g"}),
            json!({"$wbin:bytes": "0"}),
            json!({"$wbin:bytes": "0g"}),
            json!({"$wbin:bytes": "00 01"}),
            json!({"$wbin:bytes": "é"}),
            json!({"$wbin:bytes": [0]}),
            json!({"$wbin:ext": 5}),
            json!({"$wbin:ext": [5]}),
            json!({"$wbin:ext": [5, 1, 2]}),
            json!({"$wbin:ext": [-1, 1]}),
            json!({"$wbin:ext": ["5", 1]}),
            json!({"$wbin:ext": [5.0, 1]}),
            json!({"$wbin:ext": [{"$wbin:int": "18446744073709551616"}, 1]}),
            json!({"$wbin:ext": [5, {"$wbin:what": 1}]}),
            json!({"$wbin:map": {}}),
            json!({"$wbin:map": [[1]]}),
            json!({"$wbin:map": [[1, 2, 3]]}),
            json!({"$wbin:map": [1, 2]}),
            json!({"$wbin:map": [[{"$wbin:int": "x"}, 2]]}),
            json!({"$wbin:map": [[1, 2], [{"$wbin:int": "1"}, 3]]}),
            json!({"$wbin:map": [["a", 1], ["a", 2]]}),
        ] {
            assert!(from_json(&bad).is_err(), "{bad}");
            assert!(from_json(&json!([1, {"k": bad}])).is_err());
            let read: OwnedValue = serde_json::from_value(bad.clone()).unwrap();
            assert!(resolve(read.0).is_err(), "{bad}");
        }
        let twice = from_json(&json!({"$wbin:map": [["a", 1], ["a", 2]]})).unwrap_err();
        let bytes = json!({"$wbin:bytes": "0"});
        assert_eq!((twice.name(), from_json(&bytes).unwrap_err().name()), ("duplicate-key", "json"));
    }

    #[test]
    fn what_is_as_deep_as_allowed_goes_both_ways() {
        type Wrap = fn(Value<'static>) -> Value<'static>;
        let wraps: [Wrap; 5] = [
            |inner| wbin!([inner]),
            |inner| wbin!({"k": inner}),
            |inner| wbin!({5: inner}),
            |inner| wbin!({(inner): 5}),
            |inner| Ext::new(70, inner).into(),
        ];
        for wrap in wraps {
            let deep = |levels| (0..levels).fold(wbin!(1), |inner, _| wrap(inner));
            for levels in [1, 50, 127, 128] {
                let value = deep(levels);
                value.to_vec().unwrap();
                let json = to_json(&value).unwrap();
                assert_eq!(from_json(&json).unwrap(), value, "{levels}");
            }
            assert_eq!(deep(129).to_vec().unwrap_err().name(), "depth-limit");
            assert!(to_json(&deep(129)).is_err());
        }
        let lists = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        from_json(&lists(128)).unwrap();
        assert_eq!(from_json(&lists(129)).unwrap_err().name(), "depth-limit");
    }

    proptest! {
        #![proptest_config(strategies::cases(256))]

        #[test]
        fn any_value_goes_through_json_text(value in strategies::values()) {
            let text = serde_json::to_string(&Json::new(&value)).unwrap();
            let read: Value<'_> = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&resolve(read).unwrap(), &value, "{}", text);
        }

        #[test]
        fn any_value_goes_through_a_value_of_json(value in strategies::values()) {
            let json = to_json(&value).unwrap();
            let back = from_json(&json).unwrap();
            prop_assert_eq!(&to_json(&back).unwrap(), &json);
            // serde_json sorts its keys, and nothing else has changed.
            let canonical = |value: &Value<'_>| value.to_vec().and_then(|bytes| wbin::canonical::to_canonical(&bytes));
            if let Ok(sorted) = canonical(&value) {
                prop_assert_eq!(canonical(&back).unwrap(), sorted);
            }
            let plain = |value: &Value<'_>| value.to_vec_with(&wbin::Config::new().plain(true)).unwrap().len();
            prop_assert_eq!(plain(&back), plain(&value));
        }

        #[test]
        fn any_json_goes_through_a_value(json in json_values()) {
            let value = from_json(&json).unwrap();
            prop_assert_eq!(&to_json(&value).unwrap(), &json);
            let bytes = value.to_vec().unwrap();
            prop_assert_eq!(&to_json(&Value::from_slice(&bytes).unwrap()).unwrap(), &json);
            // Where there are no forms, the mapping and serde agree.
            prop_assert_eq!(wbin::to_vec(&json).unwrap(), bytes);
        }
    }

    #[test]
    fn real_documents_are_mapped() {
        for (name, json) in documents() {
            let value = from_json(&json).unwrap();
            assert!(to_json(&value).unwrap() == json, "{name}");
            assert!(value.to_vec().unwrap() == wbin::to_vec(&json).unwrap(), "{name}");
        }
    }
}
