//! `Value` and its parts: making, looking into, changing, comparing and printing them.

#[path = "support/strategies.rs"]
mod strategies;

use proptest::prelude::*;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use strategies::{ints, values};
use wbin::{Config, Cursor, Error, Ext, Int, Kind, List, Map, Value, wbin};

// ---------------------------------------------------------------------------------------------------------
// The macro
// ---------------------------------------------------------------------------------------------------------

#[test]
fn literals_of_every_kind() {
    assert_eq!(wbin!(null), Value::Null);
    assert_eq!(wbin!(true), Value::Bool(true));
    assert_eq!(wbin!(5), Value::Int(Int::from(5)));
    assert_eq!(wbin!(-5), Value::Int(Int::from(-5)));
    assert_eq!(wbin!(1.5), Value::Float(1.5));
    assert_eq!(wbin!(-0.0), Value::Float(-0.0));
    assert_eq!(wbin!("a"), Value::String("a".into()));
    assert_eq!(wbin!('a'), Value::String("a".into()));
    assert_eq!(wbin!(()), Value::Null);
    assert_eq!(wbin!([]), Value::List(List::new()));
    assert_eq!(wbin!({}), Value::Map(Map::new()));
    assert_eq!(wbin!(u128::MAX), Value::Int(Int::MAX));
}

#[test]
fn lists_and_maps_nest_and_may_end_with_a_comma() {
    let list = wbin!([null, true, -1, 2.5, "x", [], [[1]], {}, {"a": null},]);
    assert_eq!(list.to_string(), r#"[null, true, -1, 2.5, "x", [], [[1]], {}, {"a": null}]"#);
    let map = wbin!({
        "null": null,
        "list": [1, {"b": [2]}, ],
        "map": {"c": {"d": {},},},
        "negative": -1.5,
        "trailing": "comma",
    });
    assert_eq!(
        map.to_string(),
        r#"{"null": null, "list": [1, {"b": [2]}], "map": {"c": {"d": {}}}, "negative": -1.5, "trailing": "comma"}"#
    );
    assert_eq!(wbin!([null]).to_string(), "[null]");
    assert_eq!(wbin!([null, null]).to_string(), "[null, null]");
    assert_eq!(wbin!({"a": null, "b": []}).to_string(), r#"{"a": null, "b": []}"#);
}

#[test]
fn expressions_are_values() {
    struct Job {
        id: u64,
        tags: Vec<&'static str>,
    }
    let job = Job { id: 7, tags: vec!["a", "b"] };
    let (n, text, flag, none) = (3_i32, String::from("owned"), true, None::<u8>);
    let value = wbin!([
        n,
        -n,
        n + 1,
        n * 2 - 1,
        !flag,
        job.id,
        job.tags.len(),
        job.tags.clone(),
        text.as_str(),
        text.clone(),
        none,
        Some(5),
        if flag { "yes" } else { "no" },
        f64::INFINITY,
        i64::from(n),
        Value::from(&b"raw"[..]),
        Ext::new(70, 1),
        wbin!({"inner": true}),
        [1_u8, 2].map(|x| x + 1),
    ]);
    assert_eq!(
        value.to_string(),
        r#"[3, -3, 4, 5, false, 7, 2, ["a", "b"], "owned", "owned", null, 5, "yes", inf, 3, h'726177', "#
            .to_owned()
            + r#"ext(70, 1), {"inner": true}, [2, 3]]"#
    );
    let map =
        wbin!({"sum": n + 1, "call": text.to_uppercase(), "moved": text.clone(), "job": {"id": job.id}});
    assert_eq!(map.to_string(), r#"{"sum": 4, "call": "OWNED", "moved": "owned", "job": {"id": 7}}"#);
}

#[test]
fn keys_are_of_any_kind() {
    let (name, n) = ("name", 5_u8);
    let value = wbin!({
        "text": 1,
        5: 2,
        -5: 3,
        2.5: 4,
        true: 5,
        null: 6,
        'c': 7,
        [1, [2]]: 8,
        {"a": 1}: 9,
        name: 10,
        (n + 1): 11,
        (u64::MAX): 12,
        []: 13,
        {}: 14,
        -1.5: 15,
    });
    assert_eq!(
        value.to_string(),
        r#"{"text": 1, 5: 2, -5: 3, 2.5: 4, true: 5, null: 6, "c": 7, [1, [2]]: 8, {"a": 1}: 9, "name": 10, "#
            .to_owned() + r#"6: 11, 18446744073709551615: 12, []: 13, {}: 14, -1.5: 15}"#
    );
}

#[test]
fn of_a_key_that_is_given_twice_the_last_value_counts() {
    assert_eq!(wbin!({"a": 1, "b": 2, "a": 3}).to_string(), r#"{"a": 3, "b": 2}"#);
    assert_eq!(wbin!({1: 1, 1.0: 2, (1_u64): 3}).to_string(), "{1: 3, 1.0: 2}");
}

#[test]
fn what_is_in_the_macro_is_evaluated_once_and_in_order() {
    let count = Cell::new(0);
    let next = || {
        count.set(count.get() + 1);
        count.get()
    };
    let value = wbin!([next(), [next()], {(next()): next(), "k": next()}, next()]);
    assert_eq!(value.to_string(), r#"[1, [2], {3: 4, "k": 5}, 6]"#);
}

#[test]
fn the_macro_takes_as_many_items_as_a_page_has() {
    let list = wbin!([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
        28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
        53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
    ]);
    assert_eq!(list, (0..64).map(Value::from).collect::<Value<'_>>());
}

// ---------------------------------------------------------------------------------------------------------
// Looking into values
// ---------------------------------------------------------------------------------------------------------

#[test]
fn an_index_finds_an_item_or_null() {
    let value = wbin!({"a": [10, {"b": "c"}], "": 0, 5: "five"});
    assert_eq!(value["a"][0], 10);
    assert_eq!(value["a"][1]["b"], "c");
    assert_eq!(value[String::from("a")][1][&String::from("b")], "c");
    assert_eq!(value[&"a"][&0_usize], 10);
    assert_eq!(value[""], 0);
    for missing in
        [&value["b"], &value["a"][2], &value["a"]["b"], &value["x"]["y"][7], &value[0], &value["5"]]
    {
        assert!(missing.is_null());
    }
    assert!(wbin!(5)["a"].is_null() && wbin!("text")[0].is_null() && wbin!(null)["a"][0].is_null());
}

#[test]
fn an_index_changes_what_is_there() {
    let mut value = wbin!({"a": [10, {"b": "c"}]});
    value["a"][0] = wbin!({"new": true});
    value["a"][1]["b"] = 5.into();
    *value.get_mut("a").unwrap().get_mut(0).unwrap().get_mut("new").unwrap() = Value::Null;
    assert_eq!(value, wbin!({"a": [{"new": null}, {"b": 5}]}));
    assert!(value.get_mut("x").is_none() && value.get_mut(0).is_none() && value["a"].get_mut(9).is_none());
    value["a"].as_list_mut().unwrap().push(1.into());
    value.as_map_mut().unwrap().insert("z", 2);
    assert_eq!(value.to_string(), r#"{"a": [{"new": null}, {"b": 5}, 1], "z": 2}"#);
}

#[test]
#[should_panic(expected = "no such item or entry")]
fn an_index_does_not_add_an_entry() {
    let mut value = wbin!({"a": 1});
    value["b"] = 2.into();
}

#[test]
#[should_panic(expected = "no such item or entry")]
fn an_index_does_not_add_an_item() {
    wbin!([1])[1] = 2.into();
}

#[test]
fn the_end_of_an_open_container_ends_no_other() {
    let cases: [(&[u8], usize); 6] = [
        (&[0x81, 0xBE], 1),
        (&[0x83, 0x05, 0xBE, 0x06], 2),
        (&[0x91, 0xBE, 0x05], 1),
        (&[0x93, 0x05, 0x06, 0xBE, 0x07, 0x08, 0x09], 3),
        (&[0xD0, 0x82, 0xBE, 0x05, 0xBE], 2),
        (&[0xD1, 0x05, 0xBE], 2),
    ];
    for (bytes, at) in cases {
        let error = Value::from_slice(bytes).expect_err("an end");
        assert_eq!((error.name(), error.offset()), ("unexpected-end", Some(at)), "{bytes:x?}");
    }
}

#[test]
fn levels_count_behind_a_container_and_in_columns() {
    // [[5], [[5]]], and a list of lists by columns, of which the items are plain: [[[[5]]]]
    for (bytes, depth, at) in
        [(&[0x82, 0x81, 5, 0x81, 0x81, 5][..], 3, 4), (&[0xD2, 1, 0xB0, 1, 0x00, 3, 0x81, 0x81, 5], 4, 7)]
    {
        let read = |depth| Value::from_slice_with(bytes, &Config::new().max_depth(depth));
        read(depth).expect("as many levels as are allowed");
        let error = read(depth - 1).expect_err("one level too many");
        assert_eq!((error.name(), error.offset()), ("depth-limit", Some(at)), "{bytes:x?}");
    }
}

#[test]
fn a_key_that_is_another_without_its_some_is_reported_at_the_keys() {
    // [{null: null, some(null): null}]
    let bytes = [0xD2, 1, 0xC1, 2, 0x00, 3, 0xB8, 0xBB, 0xB8, 0x12, 0];
    let error = Value::from_slice(&bytes).expect_err("a key twice");
    assert_eq!((error.name(), error.offset()), ("duplicate-key", Some(4)));
}

#[test]
fn pointers_find_what_rfc_6901_says() {
    // The document and the pointers of the RFC's own example.
    let document = wbin!({
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    });
    assert_eq!(document.pointer("").unwrap(), &document);
    assert_eq!(document.pointer("/foo").unwrap(), &wbin!(["bar", "baz"]));
    let bytes = document.to_vec().unwrap();
    let cursor = Cursor::new(&bytes);
    for (pointer, number) in [
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ("/k\"l", 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ] {
        assert_eq!(document.pointer(pointer).unwrap(), &number, "{pointer}");
        assert_eq!(cursor.pointer(pointer).unwrap().unwrap().int().unwrap(), Int::from(number), "{pointer}");
    }
    assert_eq!(document.pointer("/foo/0").unwrap(), "bar");
    assert_eq!(cursor.pointer("/foo/1").unwrap().unwrap().str().unwrap(), "baz");
    for missing in [
        "foo",
        "/foo/2",
        "/foo/-",
        "/foo/00",
        "/foo/01",
        "/foo/+1",
        "/foo/ 1",
        "/foo/",
        "/foo/1/x",
        "/foo/99999999999999999999",
        "/bar",
        "//",
        "/a/b",
        "/m~n/x",
        "/m~1n",
    ] {
        assert_eq!(document.pointer(missing), None, "{missing}");
        assert!(cursor.pointer(missing).unwrap().is_none(), "{missing}");
    }
    // ~01 is ~1, not /.
    let tilde = wbin!({"~1": 1, "/": 2});
    assert_eq!(tilde.pointer("/~01").unwrap(), &1);
    assert_eq!(tilde.pointer("/~1").unwrap(), &2);
    // Only text keys are meant.
    assert_eq!(wbin!({0: "zero"}).pointer("/0"), None);
    let mut value = wbin!({"a": [1, {"b": 2}]});
    *value.pointer_mut("/a/1/b").unwrap() = wbin!([3]);
    assert!(value.pointer_mut("/a/1/c").is_none() && value.pointer_mut("a").is_none());
    assert_eq!(value.to_string(), r#"{"a": [1, {"b": [3]}]}"#);
    *value.pointer_mut("").unwrap() = Value::Null;
    assert!(value.is_null());
}

#[test]
fn every_value_tells_its_kind_and_gives_no_other() {
    let all = [
        (wbin!(null), Kind::Null, "null"),
        (wbin!(true), Kind::Bool, "a bool"),
        (wbin!(5), Kind::Int, "an int"),
        (wbin!(5.5), Kind::Float, "a float"),
        (wbin!("a"), Kind::String, "a string"),
        (Value::from(&b"a"[..]), Kind::Bytes, "bytes"),
        (wbin!([1]), Kind::List, "a list"),
        (wbin!({"a": 1}), Kind::Map, "a map"),
        (Value::from(Ext::new(5, 1)), Kind::Ext, "an ext"),
    ];
    for (value, kind, name) in all {
        assert_eq!((value.kind(), kind.to_string().as_str()), (kind, name));
        assert_eq!(value.is_null(), kind == Kind::Null);
        assert_eq!(value.as_bool(), (kind == Kind::Bool).then_some(true));
        assert_eq!(value.as_i64(), (kind == Kind::Int).then_some(5));
        assert_eq!(value.as_u64(), (kind == Kind::Int).then_some(5));
        assert_eq!(value.as_str(), (kind == Kind::String).then_some("a"));
        assert_eq!(value.as_bytes(), (kind == Kind::Bytes).then_some(&b"a"[..]));
        assert_eq!(value.as_list().is_some(), kind == Kind::List);
        assert_eq!(value.as_map().is_some(), kind == Kind::Map);
        assert_eq!(value.as_ext().is_some(), kind == Kind::Ext);
        let mut value = value;
        assert_eq!(value.as_list_mut().is_some(), kind == Kind::List);
        assert_eq!(value.as_map_mut().is_some(), kind == Kind::Map);
    }
    assert_eq!(wbin!(5.5).as_f64(), Some(5.5));
    assert_eq!(wbin!(-5).as_f64(), Some(-5.0));
    assert_eq!(wbin!((1_u64 << 53) + 1).as_f64(), None);
    assert_eq!((wbin!(-1).as_u64(), wbin!(-1).as_i64()), (None, Some(-1)));
    assert_eq!((wbin!(u64::MAX).as_u64(), wbin!(u64::MAX).as_i64()), (Some(u64::MAX), None));
    assert_eq!(wbin!(5.0).as_i64(), None);
    assert_eq!(Ext::new(5, "x").value, "x");
}

// ---------------------------------------------------------------------------------------------------------
// Equality
// ---------------------------------------------------------------------------------------------------------

fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    let hasher = RandomState::new();
    let equal = a == b;
    assert_eq!(b == a, equal);
    if equal {
        assert_eq!(hasher.hash_one(a), hasher.hash_one(b), "{a} {b}");
    }
    equal
}

#[test]
fn floats_are_equal_by_their_bits() {
    let float = |bits| Value::Float(f64::from_bits(bits));
    for a in strategies::SPECIAL_FLOATS {
        for b in strategies::SPECIAL_FLOATS {
            assert_eq!(same(&float(a), &float(b)), a == b, "{a:x} {b:x}");
            assert_eq!(same(&wbin!([float(a)]), &wbin!([float(b)])), a == b);
        }
    }
    assert!(!same(&wbin!(0.0), &wbin!(-0.0)));
    // With a plain f64 on one side it is the comparison of numbers.
    let nan = f64::NAN;
    assert!(wbin!(0.0) == -0.0 && wbin!(nan) != nan && wbin!(1) != 1.0);
}

#[test]
fn values_of_different_kinds_are_different() {
    let different = [
        wbin!(null),
        wbin!(false),
        wbin!(true),
        wbin!(0),
        wbin!(1),
        wbin!(0.0),
        wbin!(1.0),
        wbin!(""),
        wbin!("1"),
        Value::from(&b""[..]),
        Value::from(&b"1"[..]),
        wbin!([]),
        wbin!([[]]),
        wbin!([null]),
        wbin!([1]),
        wbin!([1, 1]),
        wbin!([[1], 1]),
        wbin!([[1, 1]]),
        wbin!({}),
        wbin!({1: 1}),
        wbin!({1: 1, 2: 2}),
        wbin!({2: 2, 1: 1}),
        wbin!([{}, 1]),
        wbin!([{1: 1}]),
        Value::from(Ext::new(1, 1)),
        Value::from(Ext::new(2, 1)),
        Value::from(Ext::new(1, wbin!([1]))),
        wbin!([Ext::new(1, 1)]),
    ];
    for (n, a) in different.iter().enumerate() {
        for (m, b) in different.iter().enumerate() {
            assert_eq!(same(a, b), n == m, "{a} {b}");
        }
    }
    assert_eq!(HashSet::<Value<'_>>::from(different.clone()).len(), different.len());
}

#[test]
fn ints_are_equal_whatever_type_they_came_from() {
    assert!(same(&Value::from(5_u8), &Value::from(5_i128)));
    assert!(same(&Value::from(u64::MAX), &Value::from(u128::from(u64::MAX))));
    let value = wbin!(200);
    assert!(value == 200_u8 && value == 200_i64 && value == 200_u128 && value == 200_usize && value != 199);
    assert!(value != -56_i8, "not as bits");
    assert!(wbin!(i64::MIN) == i64::MIN && wbin!(-1) != u64::MAX);
    assert!(wbin!("a") == "a" && wbin!("a") == *"a" && wbin!("a") != "b" && Value::from(&b"a"[..]) != "a");
    assert!(wbin!(true) == true && wbin!(1) != true);
    let by_key = HashMap::from([(wbin!({"a": [f64::NAN]}), 1)]);
    assert_eq!(by_key.get(&wbin!({"a": [f64::NAN]})), Some(&1));
}

// ---------------------------------------------------------------------------------------------------------
// Maps and lists
// ---------------------------------------------------------------------------------------------------------

#[test]
fn a_map_keeps_its_order_and_each_key_once() {
    let mut map = Map::new();
    assert!(map.is_empty());
    assert_eq!(map.insert("b", 1), None);
    assert_eq!(map.insert(5, 2), None);
    assert_eq!(map.insert("a", 3), None);
    assert_eq!(map.insert("b", 4), Some(Value::from(1)));
    assert_eq!(map.insert(5.0, 5), None);
    assert_eq!(map.insert(Value::Null, 6), None);
    assert_eq!(map.insert(wbin!([1]), 7), None);
    assert_eq!(map.insert(wbin!([1]), 8), Some(Value::from(7)));
    assert_eq!(map.len(), 6);
    assert_eq!(Value::from(map.clone()).to_string(), r#"{"b": 4, 5: 2, "a": 3, 5.0: 5, null: 6, [1]: 8}"#);
    assert_eq!((map.get("a"), map.get("c"), map.get("5")), (Some(&Value::from(3)), None, None));
    assert_eq!(map.get_value(&Value::from(5)), Some(&Value::from(2)));
    assert_eq!(map.get_value(&wbin!([1])), Some(&Value::from(8)));
    assert_eq!(map.get_value(&wbin!([1.0])), None);
    *map.get_mut("a").unwrap() = Value::Null;
    assert!(map.get_mut("z").is_none());
    assert_eq!(map.remove(&Value::from(5)), Some(Value::from(2)));
    assert_eq!(map.remove(&Value::from(5)), None);
    assert_eq!(map.remove(&Value::from("b")), Some(Value::from(4)));
    map.values_mut().for_each(|value| *value = wbin!([value.take()]));
    assert_eq!(Value::from(map.clone()).to_string(), r#"{"a": [null], 5.0: [5], null: [6], [1]: [8]}"#);
    assert_eq!(map.keys().count(), map.values().count());
    let by_reference: Vec<_> = (&map).into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let cloned = |(key, value): (&Value<'static>, &Value<'static>)| (key.clone(), value.clone());
    assert_eq!(by_reference, map.iter().map(cloned).collect::<Vec<_>>());
    assert_eq!(by_reference, map.clone().into_iter().collect::<Vec<_>>());
    assert_eq!(by_reference, map.clone().into_entries());
    assert_eq!(Map::try_from_entries(by_reference).unwrap(), map);
    assert_eq!(format!("{:?}", Map::from_iter([("a", 1)])), r#"{"a": 1}"#);
}

#[test]
fn entries_with_equal_keys_are_refused_or_the_last_counts() {
    for (a, b) in [
        (wbin!("a"), wbin!("a")),
        (wbin!(5), wbin!(5_u128)),
        (wbin!(null), wbin!(null)),
        (wbin!(f64::NAN), wbin!(f64::NAN)),
        (wbin!([1, {"k": null}]), wbin!([1, {"k": null}])),
        (Value::from(Ext::new(5, 1)), Value::from(Ext::new(5, 1))),
        (wbin!("x".repeat(100)), wbin!("x".repeat(100))),
        (wbin!({1: 1, 2: 2}), wbin!({1: 1, 2: 2})),
    ] {
        for others in [0, 1, 5, 60, 1000] {
            let mut entries: Vec<(Value<'_>, Value<'_>)> = vec![(a.clone(), 1.into())];
            entries.extend((0..others).map(|n| (Value::from(format!("other {n}")), n.into())));
            assert_eq!(Map::try_from_entries(entries.clone()).unwrap().len(), others + 1);
            entries.push((b.clone(), 2.into()));
            assert_eq!(Map::try_from_entries(entries.clone()).unwrap_err().name(), "duplicate-key", "{a}");
            let collected = Map::from_iter(entries);
            assert_eq!((collected.len(), collected.get_value(&a)), (others + 1, Some(&Value::from(2))));
            assert_eq!(collected.keys().next(), Some(&a), "where the key stood first");
        }
    }
    for (a, b) in [
        (wbin!(1), wbin!(1.0)),
        (wbin!(0.0), wbin!(-0.0)),
        (wbin!("a"), Value::from(&b"a"[..])),
        (wbin!({1: 1, 2: 2}), wbin!({2: 2, 1: 1})),
        (wbin!(null), wbin!([null])),
        (wbin!(f64::from_bits(0x7FF8_0000_0000_0001)), wbin!(f64::NAN)),
        (Value::from(Ext::new(5, 1)), Value::from(Ext::new(6, 1))),
    ] {
        assert_eq!(Map::try_from_entries(vec![(a, 1.into()), (b, 2.into())]).unwrap().len(), 2);
    }
}

/// Rows that have some of eight fields each, as columns and as they are in the plain layer: those share their keys.
fn rows_of_two_kinds(sets: &[u8], cell: &Value<'static>) -> (Vec<u8>, Vec<u8>) {
    let row = |(n, set): (usize, &u8)| {
        let fields = (0..8).filter(|field| set >> field & 1 == 1);
        let value = |field: usize| if field == 3 { cell.clone() } else { Value::from(1000 * n + field) };
        Value::from(fields.map(|field| (format!("field {field}"), value(field))).collect::<Map<'_>>())
    };
    let rows: Value<'_> = sets.iter().enumerate().map(row).collect();
    (rows.to_vec().unwrap(), rows.to_vec_with(&Config::new().plain(true)).unwrap())
}

fn hash_of<T: std::hash::Hash>(state: &RandomState, value: &T) -> u64 {
    state.hash_one(value)
}

/// Whatever can be done with a map gives the same, whether it shares its keys or not.
fn behave_alike(shared: &Map<'static>, own: &Map<'static>) {
    let state = RandomState::new();
    let same = |shared: &Map<'static>, own: &Map<'static>, what: &str| {
        assert_eq!(shared, own, "{what}");
        assert_eq!(own, shared, "{what}");
        assert_eq!(Value::from(shared.clone()), Value::from(own.clone()), "{what}");
        assert_eq!(hash_of(&state, shared), hash_of(&state, own), "{what}");
        assert_eq!(
            hash_of(&state, &Value::from(shared.clone())),
            hash_of(&state, &Value::from(own.clone())),
            "{what}"
        );
        assert_eq!(format!("{shared:?}"), format!("{own:?}"), "{what}");
        assert_eq!((shared.len(), shared.is_empty()), (own.len(), own.is_empty()), "{what}");
        assert!(shared.iter().eq(own.iter()) && shared.iter().rev().eq(own.iter().rev()), "{what}");
        assert_eq!(shared.iter().len(), own.len(), "{what}");
        assert_eq!(format!("{:?}", shared.iter()), format!("{own:?}"), "{what}");
        assert!(shared.keys().eq(own.keys()) && shared.values().eq(own.values()), "{what}");
        assert_eq!(shared.clone().into_entries(), own.clone().into_entries(), "{what}");
        let owned = |map: &Map<'static>| Value::from(map.clone()).into_owned();
        assert_eq!(owned(shared), owned(own), "{what}");
        let bytes = |map: &Map<'static>| Value::from(map.clone()).to_vec().unwrap();
        assert_eq!(bytes(shared), bytes(own), "{what}");
        for (key, value) in own {
            assert_eq!(shared.get_value(key), Some(value), "{what}");
            assert_eq!(shared.get(key.as_str().unwrap()), Some(value), "{what}");
        }
        assert_eq!(shared.get("none"), None, "{what}");
    };
    same(shared, own, "as they are");
    let change = |what: &str, change: &dyn Fn(&mut Map<'static>) -> Option<Value<'static>>| {
        let (mut one, mut other) = (shared.clone(), own.clone());
        assert_eq!(change(&mut one), change(&mut other), "{what}");
        same(&one, &other, what);
        assert_eq!(one == *shared, other == *own, "{what}");
        // The others with the same keys are as they were.
        same(shared, own, what);
    };
    change("a new key", &|map| map.insert("new", 5));
    change("a key that is there", &|map| map.insert("field 1", "changed"));
    change("a key less", &|map| map.remove(&Value::from("field 1")));
    change("a key that is not there", &|map| map.remove(&Value::from("new")));
    change("another value", &|map| map.get_mut("field 3").map(Value::take));
    change("other values", &|map| {
        map.values_mut().for_each(|value| *value = wbin!([value.take()]));
        None
    });
    change("out and in", &|map| {
        let entries = std::mem::take(map).into_iter().collect();
        *map = Map::try_from_entries(entries).unwrap();
        None
    });
}

proptest! {
    #![proptest_config(strategies::cases(24))]

    #[test]
    fn rows_that_share_their_keys_are_maps_like_others(
        sets in prop::collection::vec(prop_oneof![Just(0xFF_u8), Just(0x0F), any::<u8>()], 12..50),
        cell in values(),
    ) {
        let (columns, plain) = rows_of_two_kinds(&sets, &cell);
        // The encoder nearly always takes a table.
        let layout = wbin::columns::layout(&columns, 0);
        prop_assume!(layout.is_ok_and(|layout| layout.columns[0].kind == wbin::columns::Kind::Table));
        let (shared, own) = (Value::from_slice(&columns).unwrap(), Value::from_slice(&plain).unwrap());
        prop_assert!(shared == own);
        let (copy, owned) = (shared.clone(), shared.clone().into_owned());
        prop_assert!(copy == owned);
        drop(shared);
        prop_assert!(copy == own && owned == own && owned.to_vec().unwrap() == columns);
        let (owned, own) = (owned.as_list().unwrap(), own.into_owned());
        for (shared, own) in owned.iter().zip(own.as_list().unwrap().iter()) {
            behave_alike(shared.as_map().unwrap(), own.as_map().unwrap());
        }
    }
}

/// Many fields, and more sets of them than are remembered.
#[test]
fn rows_of_very_many_sets_of_fields() {
    for (fields, rows) in [(3, 3000_u64), (20, 3000), (70, 300), (130, 200)] {
        let row = |n: u64| {
            let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let has = |field: &u64| *field == 0 || mixed.rotate_left(*field as u32 * 5) & 1 == 1;
            let entries = (0..fields).filter(has).map(|field| (format!("{field}"), n + field));
            Value::from(entries.collect::<Map<'_>>())
        };
        let value: Value<'_> = (0..rows).map(row).collect();
        let bytes = value.to_vec().unwrap();
        let layout = wbin::columns::layout(&bytes, 0).unwrap();
        assert!(layout.columns.iter().any(|column| column.kind == wbin::columns::Kind::Table), "{fields}");
        let read = Value::from_slice(&bytes).unwrap();
        assert!(read == value);
        assert!(read.into_owned() == value);
    }
}

/// A map of short text keys, which need not be different.
fn record(keys: &[&str], values: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![0x90 + keys.len() as u8];
    for (key, value) in keys.iter().zip(values) {
        bytes.push(0x40 + key.len() as u8);
        bytes.extend(key.as_bytes());
        bytes.extend(value);
    }
    bytes
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [vec![0x80 + items.len() as u8], items.concat()].concat()
}

#[test]
fn keys_of_like_maps_are_told_apart_in_each_of_them() {
    // A decoder that remembers the keys of the maps before must not mix up what it remembers: the maps
    // inside of one may be of many kinds.
    let zeros = || vec![vec![0]; 3];
    for n in 0..400 {
        let (x, long_x) = (format!("x{n}"), format!("prefix-{n}"));
        for (outer, inner) in [
            (["a", "b", "c"], [&x, "y", "a"]),
            (["prefix-a", "b", "c"], [&long_x, "y", "prefix-a"]),
            (["prefix-a", "b", "c"], ["prefix-b", &x, "prefix-a"]),
        ] {
            let inner = record(&inner, &zeros());
            let evictor = record(&[&x, "p", "q"], &zeros());
            let inside = list(&[evictor.clone(), evictor, inner.clone(), inner]);
            let [first, second, _] = outer;
            let twice = record(&[first, second, first], &[vec![0], inside.clone(), vec![0]]);
            let good = record(&outer, &[vec![0], inside, vec![0]]);
            let plain = record(&outer, &zeros());
            let filler = [vec![0xC4, 250], vec![0; 250]].concat();
            let document = list(&[plain.clone(), plain.clone(), twice, filler.clone()]);
            assert_eq!(Value::from_slice(&document).unwrap_err().name(), "duplicate-key", "{outer:?} {n}");
            let document = list(&[plain.clone(), plain, good, filler]);
            let value = Value::from_slice(&document).unwrap();
            assert_eq!(value.to_vec_with(&Config::new().plain(true)).unwrap(), document);
            assert_eq!(Value::from_slice(&value.to_vec().unwrap()).unwrap(), value);
        }
    }
}

#[test]
fn many_like_maps_are_valid_exactly_if_each_of_them_is() {
    /// A record of a few kinds, with records in it; now and then with a key twice.
    fn random(next: &mut impl FnMut(usize) -> usize, levels: usize) -> Vec<u8> {
        const NAMES: [&str; 8] = ["a", "b", "", "prefix-a", "prefix-b", "prefix-c", "prefix-a-and-more", "c"];
        let n = 2 + next(2);
        let kind = next(4);
        let mut keys: Vec<&str> = (0..n).map(|at| NAMES[(kind + at * (1 + kind % 3)) % 8]).collect();
        if next(60) == 0 {
            let (to, from) = (next(n), next(n));
            keys[to] = keys[from];
        }
        let values: Vec<Vec<u8>> = (0..n)
            .map(|_| match (levels, next(3)) {
                (1.., 0) => {
                    let items: Vec<_> = (0..next(4)).map(|_| random(next, levels - 1)).collect();
                    list(&items)
                }
                _ => vec![0x45, b'v', b'a', b'l', b'u', b'e'],
            })
            .collect();
        record(&keys, &values)
    }
    let mut state = 1_u64;
    let mut next = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    let mut valid = 0;
    for _ in 0..3000 {
        let items: Vec<_> = (0..12).map(|_| random(&mut next, 3)).collect();
        let document = list(&items);
        // `check` compares the keys of each map for itself.
        let checked = wbin::check(&document);
        match Value::from_slice(&document) {
            Ok(value) => {
                checked.unwrap();
                assert_eq!(value.to_vec_with(&Config::new().plain(true)).unwrap(), document);
                let written = value.to_vec().unwrap();
                let read = Value::from_slice(&written);
                assert!(read.is_ok_and(|read| read == value), "{document:02x?}");
                valid += 1;
            }
            Err(error) => assert_eq!((error.name(), checked.is_err()), ("duplicate-key", true)),
        }
    }
    assert!((300..2700).contains(&valid), "{valid}");
}

#[test]
fn large_maps_do_not_take_quadratic_time() {
    let entries =
        |n: usize| (0..n).map(|n| (Value::from(format!("key {n}")), Value::from(n))).collect::<Vec<_>>();
    let map = Map::try_from_entries(entries(100_000)).unwrap();
    let mut twice = entries(100_000);
    twice.push(("key 77".into(), Value::Null));
    assert_eq!(Map::try_from_entries(twice).unwrap_err().name(), "duplicate-key");
    let bytes = Value::from(map.clone()).to_vec().unwrap();
    assert_eq!(Value::from_slice(&bytes).unwrap(), Value::from(map.clone()));
    assert_eq!(map.into_iter().collect::<Map<'_>>().len(), 100_000);
}

#[test]
fn a_list_is_a_vector() {
    let mut list: List<'_> = [1, 2, 3].into_iter().map(Value::from).collect();
    list.push("four".into());
    list.reverse();
    list.retain(|item| *item != 2);
    assert_eq!((list.len(), list.first().unwrap()), (3, &Value::from("four")));
    assert_eq!((&list).into_iter().count(), list.iter().count());
    list.iter_mut().for_each(|item| *item = wbin!([item.take()]));
    assert_eq!(format!("{list:?}"), r#"[["four"], [3], [1]]"#);
    assert_eq!(list.clone().into_vec(), list.clone().into_iter().collect::<Vec<_>>());
    assert_eq!(List::from(list.clone().into_vec()), list);
    assert_eq!(Value::from(list)[1][0], 3);
    assert!(List::new().is_empty() && List::default() == List::new());
}

#[test]
fn values_are_collected_from_iterators() {
    let list: Value<'_> = (0..3).map(Value::from).collect();
    assert_eq!(list, wbin!([0, 1, 2]));
    let map: Value<'_> = [("a", 1), ("b", 2)].into_iter().collect();
    assert_eq!(map, wbin!({"a": 1, "b": 2}));
    let by_int: Value<'_> = [1, 1].into_iter().zip(["x", "y"]).collect();
    assert_eq!(by_int, wbin!({1: "y"}));
    let ordered: Value<'_> = BTreeSet::from(["b", "a"]).into_iter().map(Value::from).collect();
    assert_eq!(ordered, wbin!(["a", "b"]));
}

#[test]
fn taking_leaves_null() {
    let mut value = wbin!({"a": [1, 2]});
    let taken = value["a"].take();
    assert_eq!((taken, &value), (wbin!([1, 2]), &wbin!({"a": null})));
    assert_eq!(value.take(), wbin!({"a": null}));
    assert_eq!(value, Value::default());
    let mut ext = Ext::new(5, wbin!([1]));
    assert_eq!(ext.value.take(), wbin!([1]));
    assert_eq!(ext, Ext::new(5, ()));
}

// ---------------------------------------------------------------------------------------------------------
// Conversions
// ---------------------------------------------------------------------------------------------------------

#[test]
fn values_from_rusts_own_types() {
    let int = |n: i128| Value::Int(Int::from(n));
    assert_eq!([Value::from(-1_i8), Value::from(-1_i16), Value::from(-1_i32)], [int(-1), int(-1), int(-1)]);
    assert_eq!(
        [Value::from(-1_i64), Value::from(-1_i128), Value::from(-1_isize)],
        [int(-1), int(-1), int(-1)]
    );
    assert_eq!([Value::from(1_u8), Value::from(1_u16), Value::from(1_u32)], [int(1), int(1), int(1)]);
    assert_eq!([Value::from(1_u64), Value::from(1_u128), Value::from(1_usize)], [int(1), int(1), int(1)]);
    assert_eq!(Value::from(Int::MAX), Value::from(u128::MAX));
    assert_eq!((Value::from(true), Value::from(())), (Value::Bool(true), Value::Null));
    assert_eq!(Value::from(0.5_f64), Value::from(0.5_f32));
    // Widened by bits: a signaling NaN stays one.
    assert_eq!(Value::from(f32::from_bits(0x7F80_0001)), Value::Float(f64::from_bits(0x7FF0_0000_2000_0000)));
    assert_eq!(Value::from(0.1_f32), Value::Float(0.1_f32 as f64));
    assert_eq!(Value::from('😀'), Value::from("😀"));
    assert_eq!(Value::from(String::from("a")), Value::from(Cow::Borrowed("a")));
    assert_eq!(Value::from(&[1_u8, 2][..]), Value::Bytes(vec![1, 2].into()));
    assert_eq!(Value::from(vec![1_u8, 2]), wbin!([1, 2]));
    assert_eq!(Value::from([[1], [2]]), wbin!([[1], [2]]));
    assert_eq!(Value::from(vec![Some("a"), None]), wbin!(["a", null]));
    assert_eq!(Value::from(Some(vec![1])), wbin!([1]));
    assert_eq!(Value::from(None::<String>), Value::Null);
    assert_eq!(Value::from(Map::from_iter([(1, 2)])), wbin!({1: 2}));
    assert_eq!(Value::from(Ext::new(5, "x")).as_ext().unwrap().ext_type, 5);
}

#[test]
fn ints_convert_where_they_fit() {
    assert_eq!(u8::try_from(Int::from(255)).unwrap(), 255);
    assert_eq!(u8::try_from(Int::from(256)).unwrap_err().to_string(), "256 does not fit u8");
    assert_eq!(i8::try_from(Int::from(-128)).unwrap(), -128);
    assert!(i8::try_from(Int::from(-129)).is_err() && i8::try_from(Int::from(128)).is_err());
    assert!(u64::try_from(Int::from(-1)).is_err() && i64::try_from(Int::from(u64::MAX)).is_err());
    assert_eq!(i128::try_from(Int::MIN).unwrap(), i128::MIN);
    assert_eq!(u128::try_from(Int::MAX).unwrap(), u128::MAX);
    assert!(i128::try_from(Int::MAX).is_err() && u128::try_from(Int::MIN).is_err());
    assert_eq!(usize::try_from(Int::from(5)).unwrap(), 5);
    assert_eq!(isize::try_from(Int::from(-5)).unwrap(), -5);
    for text in ["0", "-1", "18446744073709551616", "340282366920938463463374607431768211455"] {
        assert_eq!(text.parse::<Int>().unwrap().to_string(), text);
    }
    for bad in [
        "",
        "-",
        "1.0",
        "x",
        "340282366920938463463374607431768211456",
        "-170141183460469231731687303715884105729",
    ] {
        assert!(bad.parse::<Int>().is_err(), "{bad}");
    }
    assert_eq!(
        (Int::default(), format!("{:5}|{:?}", Int::from(7), Int::from(-7))),
        (Int::from(0), "    7|-7".into())
    );
}

#[test]
fn into_owned_cuts_the_ties_and_moves_what_is_owned() {
    let bytes = wbin!({"text": ["borrowed", {"k": "v"}]}).to_vec().unwrap();
    let owned: Value<'static> = {
        let copy = bytes.clone();
        Value::from_slice(&copy).unwrap().into_owned()
    };
    assert_eq!(owned, Value::from_slice(&bytes).unwrap());
    let text = String::from("long enough not to be anywhere else");
    let blob = vec![1_u8; 50];
    let (text_at, blob_at) = (text.as_ptr(), blob.as_ptr());
    let value = wbin!([text, Ext::new(5, Value::Bytes(blob.into()))]).into_owned();
    assert_eq!(value[0].as_str().unwrap().as_ptr(), text_at);
    assert_eq!(value[1].as_ext().unwrap().value.as_bytes().unwrap().as_ptr(), blob_at);
    // A long life is also a short one.
    fn shorter<'a>(value: Value<'static>, _: &'a str) -> Value<'a> {
        value
    }
    let local = String::from("x");
    assert_eq!(shorter(value, &local).as_list().unwrap().len(), 2);
}

// ---------------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------------

#[test]
fn values_print_as_the_notation() {
    let value = wbin!({
        "text": "\"\\\n\u{1}é😀", 5: [1.0, 1e300, -0.0, f64::NAN, f64::NEG_INFINITY], "b": Value::from(&b"\0\xFF"[..]),
        "e": Ext::new(70, wbin!({})), "n": null,
    });
    let line = r#"{"text": "\"\\\n\u0001é😀", 5: [1.0, 1e300, -0.0, nan, -inf], "b": h'00ff', "e": ext(70, {}), "n": null}"#;
    assert_eq!(value.to_string(), line);
    assert_eq!(format!("{value:?}"), line);
    let pretty = "{\n  \"text\": \"\\\"\\\\\\n\\u0001é😀\",\n  5: [\n    1.0,\n    1e300,\n    -0.0,\n    nan,\n    -inf\n  ],\n  \
                  \"b\": h'00ff',\n  \"e\": ext(70, {}),\n  \"n\": null\n}";
    assert_eq!(format!("{value:#}"), pretty);
    assert_eq!(format!("{value:#?}"), pretty);
    let bytes = value.to_vec().unwrap();
    assert_eq!(wbin::diag::to_string(&bytes).unwrap(), line);
    assert_eq!(wbin::diag::to_string_pretty(&bytes).unwrap(), pretty);
    assert_eq!(format!("{:?}", Ext::new(70, 1)), "ext(70, 1)");
    assert_eq!(format!("{:?}", wbin!(f64::from_bits(0xFFF8_0000_0000_0001))), "f64'fff8000000000001'");
}

// ---------------------------------------------------------------------------------------------------------
// Any depth, any thread
// ---------------------------------------------------------------------------------------------------------

#[test]
fn a_value_of_any_depth_needs_no_stack() {
    const DEPTH: u32 = 50_000;
    type Wrap = for<'a> fn(Value<'a>) -> Value<'a>;
    let wraps: [Wrap; 4] = [
        |inner| Value::from(vec![inner]),
        |inner| Value::from(Map::from_iter([(Value::from("k"), inner)])),
        |inner| Value::from(Ext::new(70, inner)),
        |inner| wbin!([1, {"a": inner}, 2]),
    ];
    let config = Config::new().max_depth(u32::MAX);
    for wrap in wraps {
        let mut deep = Value::from("bottom");
        for _ in 0..DEPTH {
            deep = wrap(deep);
        }
        let copy = deep.clone();
        assert!(same(&deep, &copy));
        let bytes = deep.to_vec_with(&config).unwrap();
        assert_eq!(deep.to_vec().unwrap_err().name(), "depth-limit");
        let read = Value::from_slice_with(&bytes, &config).unwrap();
        assert!(read == deep);
        assert_eq!(Value::from_slice(&bytes).unwrap_err().name(), "depth-limit");
        assert!(read.into_owned() == deep);
        assert!(deep.to_string().len() > DEPTH as usize);
        assert_eq!(config.skip(&bytes).unwrap(), bytes.len());
        config.check(&bytes).unwrap();
        config.to_canonical(&bytes).unwrap();
        drop((deep, copy));
    }
    // As a key.
    let mut deep = Value::Null;
    for _ in 0..2000 {
        deep = Value::from(Map::from_iter([(deep, 1)]));
    }
    let bytes = deep.to_vec_with(&config).unwrap();
    assert!(Value::from_slice_with(&bytes, &config).unwrap() == deep);
}

#[test]
fn columns_of_any_depth_need_no_stack() {
    // A level takes two columns at most, of which there may be 4,096 (COL-45).
    const DEPTH: usize = 2_000;
    let config = Config::new().max_depth(u32::MAX);
    type Wrap = for<'a> fn(Value<'a>) -> Value<'a>;
    // What stands before the column that is in one, what stands after it, and what it stands for.
    let levels: [(&[u8], &[u8], Wrap); 10] = [
        (&[0xB0, 1], &[], |inside| wbin!([inside])),
        (&[0xB1, 1], &[], |inside| wbin!([inside])),
        (&[0xB1, 2], &[0x20, 1], |inside| wbin!([inside, true])),
        (&[0xA0, 1], &[], |inside| wbin!([inside])),
        (&[0xD0, 1, 0x41, b'a'], &[], |inside| wbin!({"a": inside})),
        (&[0xD0, 1, 0x41, b'a', 0x11, 1], &[], |inside| wbin!({"a": inside})),
        (&[0xC0, 1, 0x30, 7, 0], &[], |inside| wbin!({7: inside})),
        (&[0xF0, 5], &[], |inside| Value::from(Ext::new(5, inside))),
        (&[0x12, 1, 0xB0, 1], &[], |inside| wbin!([inside])),
        (&[0xE0, 2, 1, 0xB0, 1], &[], |inside| wbin!([inside])),
    ];
    let mut all: Vec<Vec<usize>> = (0..levels.len()).map(|level| vec![level; DEPTH]).collect();
    all.push((0..DEPTH).map(|n| n * 7 % 5 + n % 4).collect());
    for chosen in all {
        let outside = chosen.iter().flat_map(|level| levels[*level].0);
        let after = chosen.iter().rev().flat_map(|level| levels[*level].1);
        let bytes: Vec<u8> =
            [0xD2, 1].iter().chain(outside).chain(&[0x20, 1]).chain(after).copied().collect();
        let read = Value::from_slice_with(&bytes, &config).unwrap();
        assert_eq!(Value::from_slice(&bytes).unwrap_err().name(), "depth-limit");
        let wrap = |inside, level: &usize| levels[*level].2(inside);
        let expected = wbin!([chosen.iter().rev().fold(Value::Bool(true), wrap)]);
        assert!(read == expected);
        let copy = read.clone();
        assert!(copy == read && copy.into_owned() == expected);
        drop(read);
        // What is refused at the bottom is dropped there.
        assert!(Value::from_slice_with(&bytes[..bytes.len() - 1], &config).is_err());
    }
}

#[test]
fn values_and_errors_go_between_threads() {
    fn anywhere<T: Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe + Unpin + 'static>() {}
    anywhere::<Value<'static>>();
    anywhere::<Map<'static>>();
    anywhere::<List<'static>>();
    anywhere::<Ext<'static>>();
    anywhere::<Int>();
    anywhere::<Config>();
    anywhere::<wbin::RawValue<'static>>();
    fn threads<T: Send + Sync + 'static>() {}
    threads::<Error>();
    threads::<wbin::Encoder>();
    threads::<wbin::Decoder<'static>>();
    // Without std there are no locks for what cursors in columns share.
    #[cfg(feature = "std")]
    threads::<Cursor<'static>>();
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert!(size_of::<Value<'_>>() <= 4 * size_of::<u64>());
    assert!(size_of::<Option<Value<'_>>>() <= 4 * size_of::<u64>());
}

proptest! {
    #![proptest_config(strategies::cases(256))]

    #[test]
    fn ints_order_as_numbers(a in ints(), b in ints()) {
        // As 129-bit numbers: the sign, then what is left.
        let key = |int: Int| match int.as_i128() {
            Some(n) => (false, n),
            None => (true, (int.as_u128().unwrap() - i128::MAX as u128) as i128),
        };
        prop_assert_eq!(a.cmp(&b), key(a).cmp(&key(b)));
        prop_assert_eq!(a.to_string().parse::<Int>().unwrap(), a);
        prop_assert_eq!(a.is_negative(), a < Int::from(0));
        if let Some(f) = a.as_exact_f64() {
            prop_assert_eq!(format!("{f:.0}"), a.to_string());
        }
    }

    #[test]
    fn a_change_is_seen_by_equality(value in values(), at in any::<prop::sample::Index>()) {
        prop_assert!(same(&value, &value.clone()));
        let bytes = value.to_vec().unwrap();
        let mut changed = bytes.clone();
        changed[at.index(bytes.len())] ^= 1;
        if let Ok(changed) = Value::from_slice(&changed) {
            prop_assert_eq!(changed.to_vec().unwrap() == bytes, changed == value);
        }
    }
}

#[test]
fn a_cursor_looks_through_a_some_around_a_key() {
    // {"a": 1}, its key behind a `some` that tells nothing apart
    let bytes = [0x91, 0xBB, 0x41, 0x61, 0x01];
    assert_eq!(Value::from_slice(&bytes).unwrap()["a"], 1);
    let found = wbin::Cursor::new(&bytes).get("a").unwrap().expect("the key");
    assert_eq!(found.position(), 4);
    assert_eq!(found.int().unwrap(), 1.into());
}
