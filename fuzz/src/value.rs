//! `Value` against itself: all ways into it and out of it agree.

use super::support::reference::{self, Fault};
use super::{fault, stream};
use serde::de::IgnoredAny;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use wbin::{Config, Cursor, Decoder, OwnedValue, RawValue, Value, canonical, diag};

/// Puts bytes through everything that reads or writes a [`Value`].
pub fn value(bytes: &[u8]) {
    let value = Value::from_slice(bytes);
    let same = |what: &str, expected: &wbin::Result<Value<'_>>, got| same(bytes, what, expected, got);
    same("from_slice", &value, wbin::from_slice(bytes));
    same("from_reader", &value, Value::from_reader(bytes));
    same("an owned value", &value, wbin::from_reader(bytes).map(|OwnedValue(value)| value));
    let mut decoder = Decoder::new(bytes);
    same("Decoder", &value, decoder.value().and_then(|value| decoder.finish().map(|()| value)));
    skipping(bytes, value.is_ok());
    stream::sequences(bytes, &Config::new());
    let check = wbin::check(bytes);
    match (&check, &value) {
        (Ok(()), Err(error)) => {
            assert_eq!(error.name(), "duplicate-key", "only a reader that looks through some")
        }
        (Err(error), Ok(_)) => panic!("check refuses what Value accepts: {error}"),
        _ => {}
    }
    let raw = RawValue::from_slice(bytes);
    assert_eq!(raw.as_ref().map(drop).map_err(fault), check.as_ref().map(drop).map_err(fault));
    canonical_form(bytes, check.is_ok());
    if let Ok(value) = &value {
        let raw = raw.expect("check and RawValue agree");
        same("RawValue", &Ok(value.clone()), raw.to_value());
        same("RawValue by serde", &Ok(value.clone()), wbin::from_slice(raw.as_bytes()));
        if bytes.first() != Some(&0xDF) {
            same("Cursor", &Ok(value.clone()), Cursor::new(bytes).to_value());
            walk(Cursor::new(bytes), value);
            let ends = (0..bytes.len()).rev().take(24);
            for prefix in ends.map(|end| &bytes[..end]) {
                let error = Value::from_slice(prefix).expect_err("no document is a prefix of another");
                assert_eq!(error.name(), "truncated", "a prefix of {} (GEN-3)", prefix.len());
            }
        }
        written(bytes, value);
    }
}

fn same(bytes: &[u8], what: &str, expected: &wbin::Result<Value<'_>>, got: wbin::Result<Value<'_>>) {
    let (got, expected) = (got.as_ref().map_err(fault), expected.as_ref().map_err(fault));
    if let (Err(here), Err(there)) = (&got, &expected) {
        // What is in plain columns may be found before or after the faults of what follows (COL-41), and equal
        // keys in one before its other faults, of which the twin says no more.
        let late = reference::judge(bytes, 128).err().filter(|refusal| refusal.late);
        let known = |faults: &[Fault], fault: &Fault| faults.contains(fault) || fault.0 == "duplicate-key";
        if late.is_some_and(|refusal| known(&refusal.faults, here) && known(&refusal.faults, there)) {
            return;
        }
    }
    assert_eq!(got, expected, "{what}");
}

/// Every skipper ends where the others do (ERR-4).
fn skipping(bytes: &[u8], whole: bool) {
    let end = wbin::skip(bytes).map_err(|error| fault(&error));
    let mut decoder = Decoder::new(bytes);
    let skipped = decoder.skip().map(|()| decoder.position());
    assert_eq!(skipped.map_err(|error| fault(&error)), end, "Decoder::skip");
    let ignored = wbin::take_from_slice::<IgnoredAny>(bytes).map(|(_, rest)| bytes.len() - rest.len());
    assert_eq!(ignored.map_err(|error| fault(&error)), end, "IgnoredAny");
    assert!(!whole || end == Ok(bytes.len()), "{end:?} of {}", bytes.len());
}

/// Cursors find what the value has.
fn walk(cursor: Cursor<'_>, value: &Value<'_>) {
    assert_eq!(cursor.kind().expect("a kind"), value.kind());
    match value {
        Value::List(list) => {
            let items: Vec<_> = cursor.items().expect("items").collect::<Result<_, _>>().expect("items");
            assert_eq!(items.len(), list.len());
            for (item, value) in items.into_iter().zip(list.iter()) {
                walk(item, value);
            }
            let last = list.len().saturating_sub(1);
            let found = cursor.index(last).expect("an item").map(|item| item.to_value().expect("a value"));
            assert_eq!(found.as_ref(), list.get(last));
        }
        Value::Map(map) => {
            let entries: Vec<_> =
                cursor.entries().expect("entries").collect::<Result<_, _>>().expect("entries");
            assert_eq!(entries.len(), map.len());
            for ((here, content), (key, value)) in entries.into_iter().zip(map) {
                assert_eq!(here.to_value().expect("a key"), *key);
                walk(content.clone(), value);
                assert_eq!(map.get_value(key), Some(value));
                if let Some(name) = key.as_str() {
                    let found = cursor.get(name).expect("a map").expect("an entry");
                    assert_eq!(found.position(), content.position());
                }
            }
        }
        _ => assert_eq!(cursor.to_value().expect("a value"), *value),
    }
}

/// Canonical bytes are canonical, and nothing else is.
fn canonical_form(bytes: &[u8], valid: bool) {
    let strict = canonical::check(bytes);
    match canonical::to_canonical(bytes) {
        Ok(form) => {
            assert!(valid, "a canonical form of what is not valid");
            assert_eq!(canonical::to_canonical(&form).expect("a form of the form"), form, "CAN-10");
            canonical::check(&form).expect("the canonical form is canonical");
            assert_eq!(strict.is_ok(), form == bytes, "{strict:?}");
            let strict = Config::new().strict(true);
            same(&form, "strict", &Value::from_slice(&form), Value::from_slice_with(&form, &strict));
            same(&form, "strict by serde", &Value::from_slice(&form), strict.from_slice(&form));
        }
        Err(error) => {
            assert!(strict.is_err(), "canonical, yet {error}");
            assert!(!valid || error.name() == "duplicate-key", "{error} (CAN-9)");
        }
    }
}

/// What is written comes back.
fn written(bytes: &[u8], value: &Value<'_>) {
    let form = value.to_vec().expect("an encoding");
    assert_eq!(wbin::to_vec(value).expect("an encoding"), form, "serde writes the same");
    let back = Value::from_slice(&form).expect("what was written");
    assert_eq!(back, *value);
    assert_eq!(back.to_vec().expect("an encoding"), form);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    assert_eq!(hasher.hash_one(&back), hasher.hash_one(value));
    assert_eq!(value.clone().into_owned(), *value);
    let plain = value.to_vec_with(&Config::new().plain(true)).expect("an encoding");
    assert!(form.len() <= plain.len(), "longer by columns than without");
    // An open container can be shorter than one with a count: one byte against two or more. Columns can be
    // shorter than all that this encoder looks for.
    let shorter = bytes.iter().any(|byte| matches!(byte, 0xD0..=0xD3));
    assert!(shorter || plain.len() <= bytes.len(), "longer than what was read");

    let config = Config::new().canonical(true);
    match (value.to_vec_with(&config), config.to_vec(value)) {
        (Ok(here), Ok(there)) => {
            assert_eq!(here, there);
            assert_eq!(here, canonical::to_canonical(&form).expect("a canonical form"));
        }
        (Err(here), Err(there)) => {
            assert_eq!((here.name(), there.name()), ("duplicate-key", "duplicate-key"))
        }
        (here, there) => panic!("{here:?}, but serde says {there:?}"),
    }

    let text = diag::to_string(bytes).expect("a notation");
    let pretty = diag::to_string_pretty(bytes).expect("a notation");
    let parsed = diag::parse(&text).expect(&text);
    assert_eq!(diag::parse(&pretty).expect(&pretty), parsed);
    assert_eq!(diag::to_string(&parsed).expect("a notation"), text);
    same(&parsed, "diag", &Ok(value.clone()), Value::from_slice(&parsed));
    assert_eq!(value.to_string(), diag::to_string(&form).expect("a notation"));

    let json = wbin::json::to_json(value).expect("every value has a JSON form");
    // Whether an object keeps its order is a feature of serde_json.
    let back = wbin::json::from_json(&json).expect("a value");
    assert_eq!(back.to_vec_with(&config).ok(), value.to_vec_with(&config).ok(), "{json}");
    let text = serde_json::to_string(&wbin::json::Json::new(value)).expect("JSON");
    // serde_json has a limit of its own to the depth of what it reads.
    if let Ok(parsed) = serde_json::from_str::<serde_json::Value>(&text) {
        assert_eq!(parsed, json, "{text}");
    }
}
