//! What goes in comes out: any value, any type, through every way of writing and reading, at its predicted size.
#![cfg(all(feature = "std", feature = "serde"))]

#[path = "support/strategies.rs"]
mod strategies;

use proptest::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use strategies::{Everything, OneByte, everything, hex, values};
use wbin::{Config, Cursor, Decoder, Int, Kind, OwnedValue, RawValue, Value};

// ---------------------------------------------------------------------------------------------------------
// The size that PRE-1 and FLT-6 say, worked out in another way than the encoder's
// ---------------------------------------------------------------------------------------------------------

fn int_size(int: Int) -> usize {
    let (u, inline) = match int.is_negative() {
        false => (int.as_u128().unwrap(), 64),
        true => (!int.as_i128().unwrap() as u128, 32),
    };
    if u < inline {
        return 1;
    }
    (1..=8).find(|n| u >> (8 * n) == 0).map_or(17, |n| 1 + n)
}

/// Tag and length or count, where `inline` is the first number that does not fit the tag.
fn head_size(n: usize, inline: usize) -> usize {
    match n {
        n if n < inline => 1,
        0..=0xFF => 2,
        0x100..=0xFFFF => 3,
        0x1_0000..=0xFFFF_FFFF => 5,
        _ => 9,
    }
}

/// The bytes of the short decimal, tag not counted: by trying every k and every m that could be meant.
fn decimal_size(f: f64) -> Option<usize> {
    for k in 0..8_i32 {
        let guess = (f * 10_f64.powi(k)).round();
        if guess.is_nan() || guess.abs() > 2_f64.powi(45) {
            continue;
        }
        for m in guess as i64 - 2..=guess as i64 + 2 {
            if (-(1 << 44)..1 << 44).contains(&m) && (m as f64 / 10_f64.powi(k)).to_bits() == f.to_bits() {
                let x = i128::from(m) * 8 + i128::from(k);
                return (1..=6).find(|n| (-(1 << (8 * n - 1))..1 << (8 * n - 1)).contains(&x));
            }
        }
    }
    None
}

/// Whether some binary32 widens to these bits.
fn is_single(f: f64) -> bool {
    match f.is_nan() {
        true => f.to_bits() & 0x1FFF_FFFF == 0,
        false => f64::from(f as f32).to_bits() == f.to_bits(),
    }
}

/// All three forms, the shortest first.
fn float_size(f: f64) -> usize {
    let decimal = decimal_size(f).map(|n| 1 + n);
    let single = is_single(f).then_some(5);
    [decimal, single, Some(9)].into_iter().flatten().min().unwrap()
}

fn size(value: &Value<'_>) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 1,
        Value::Int(int) => int_size(*int),
        Value::Float(f) => float_size(*f),
        Value::String(text) => head_size(text.len(), 64) + text.len(),
        Value::Bytes(bytes) => head_size(bytes.len(), 0) + bytes.len(),
        Value::List(list) => head_size(list.len(), 16) + list.iter().map(size).sum::<usize>(),
        Value::Map(map) => {
            head_size(map.len(), 16) + map.iter().map(|(key, value)| size(key) + size(value)).sum::<usize>()
        }
        Value::Ext(ext) => 1 + int_size(Int::from(ext.ext_type)) + size(&ext.value),
    }
}

fn depth(value: &Value<'_>) -> u32 {
    match value {
        Value::List(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Map(map) => 1 + map.iter().map(|(key, value)| depth(key).max(depth(value))).max().unwrap_or(0),
        Value::Ext(ext) => 1 + depth(&ext.value),
        _ => 0,
    }
}

// ---------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------

/// Without columns.
const PLAIN: Config = Config::new().plain(true);

proptest! {
    #![proptest_config(strategies::cases(128))]

    #[test]
    fn a_value_comes_back_through_every_door(value in values()) {
        let plain = value.to_vec_with(&PLAIN).unwrap();
        prop_assert_eq!(plain.len(), size(&value));
        prop_assert!(value.to_vec().unwrap().len() <= plain.len());
        for config in [PLAIN, Config::new()] {
        let bytes = value.to_vec_with(&config).unwrap();
        prop_assert_eq!(&config.to_vec(&value).unwrap(), &bytes);
        let mut written = Vec::new();
        config.to_writer(&mut written, &value).unwrap();
        prop_assert_eq!(&written, &bytes);
        let mut encoder = wbin::Encoder::with_config(&config);
        encoder.value(&value).unwrap();
        prop_assert_eq!(&encoder.finish().unwrap(), &bytes);
        let mut encoder = wbin::Encoder::with_config(&config);
        encoder.serialize(&value).unwrap();
        prop_assert_eq!(&encoder.finish().unwrap(), &bytes);

        prop_assert_eq!(&Value::from_slice(&bytes).unwrap(), &value);
        prop_assert_eq!(&wbin::from_slice::<Value<'_>>(&bytes).unwrap(), &value);
        prop_assert_eq!(&wbin::from_reader::<_, OwnedValue>(&bytes[..]).unwrap().0, &value);
        prop_assert_eq!(&wbin::from_reader::<_, OwnedValue>(OneByte(&bytes)).unwrap().0, &value);
        prop_assert_eq!(&wbin::iter_reader::<_, OwnedValue>(OneByte(&bytes)).next().unwrap().unwrap().0, &value);
        prop_assert_eq!(&Decoder::new(&bytes).value().unwrap(), &value);
        prop_assert_eq!(&Cursor::new(&bytes).to_value().unwrap(), &value);
        let raw: RawValue<'_> = wbin::from_slice(&bytes).unwrap();
        prop_assert_eq!(&raw, &RawValue::from_slice(&bytes).unwrap());
        prop_assert_eq!(&raw.to_value().unwrap(), &value);
        prop_assert_eq!(config.to_vec(&raw).unwrap(), &bytes[..]);
        wbin::from_slice::<IgnoredAny>(&bytes).unwrap();

        wbin::check(&bytes).unwrap();
        prop_assert_eq!(wbin::skip(&bytes).unwrap(), bytes.len());
        let notation = wbin::diag::to_string(&bytes).unwrap();
        prop_assert_eq!(&notation, &value.to_string());
        prop_assert_eq!(wbin::diag::parse(&notation).unwrap(), &plain[..], "{}", notation);
        let pretty = wbin::diag::to_string_pretty(&bytes).unwrap();
        prop_assert_eq!(wbin::diag::parse(&pretty).unwrap(), &plain[..], "{}", pretty);
        }
    }

    #[test]
    fn borrowed_equals_owned(value in values()) {
        let bytes = value.to_vec().unwrap();
        let borrowed = Value::from_slice(&bytes).unwrap();
        let owned: Value<'static> = Value::from_slice(&bytes).unwrap().into_owned();
        prop_assert_eq!(&borrowed, &owned);
        prop_assert_eq!(&borrowed.clone(), &owned);
        prop_assert_eq!(owned.to_vec().unwrap(), &bytes[..]);
        prop_assert_eq!(borrowed.to_string(), owned.to_string());
        let hash = |value: &Value<'_>| {
            use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
            BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
        };
        prop_assert_eq!(hash(&borrowed), hash(&owned));
    }

    #[test]
    fn equal_values_have_equal_bytes_and_others_have_not(a in values(), b in values()) {
        prop_assert_eq!(a == b, a.to_vec().unwrap() == b.to_vec().unwrap());
    }

    #[test]
    fn one_more_byte_is_trailing(value in values(), byte in any::<u8>()) {
        let mut bytes = value.to_vec().unwrap();
        let end = bytes.len();
        bytes.push(byte);
        let errors = [
            Value::from_slice(&bytes).err(),
            wbin::from_slice::<Value<'_>>(&bytes).err(),
            wbin::from_slice::<IgnoredAny>(&bytes).err(),
            wbin::from_slice::<RawValue<'_>>(&bytes).err(),
            wbin::from_reader::<_, OwnedValue>(OneByte(&bytes)).err(),
            wbin::check(&bytes).err(),
            wbin::diag::to_string(&bytes).err(),
            RawValue::from_slice(&bytes).err(),
        ];
        for (way, error) in errors.into_iter().enumerate() {
            let error = error.unwrap_or_else(|| panic!("accepted in way {way}"));
            prop_assert_eq!((error.name(), error.offset()), ("trailing-bytes", Some(end)), "way {}", way);
        }
        let (first, rest) = wbin::take_from_slice::<Value<'_>>(&bytes).unwrap();
        prop_assert_eq!(first, value);
        prop_assert_eq!(rest, [byte]);
        prop_assert_eq!(wbin::skip(&bytes).unwrap(), end);
    }

    #[test]
    fn the_canonical_form_is_a_fixed_point(value in values()) {
        let bytes = value.to_vec().unwrap();
        let strict = Config::new().strict(true);
        let canonical = match wbin::canonical::to_canonical(&bytes) {
            Ok(canonical) => canonical,
            // Keys that differ by the payload of a NaN or by the order of a map (CAN-9).
            Err(error) => {
                prop_assert_eq!(error.name(), "duplicate-key");
                return Ok(());
            }
        };
        prop_assert_eq!(&wbin::canonical::to_canonical(&canonical).unwrap(), &canonical);
        wbin::canonical::check(&canonical).unwrap();
        strict.check(&canonical).unwrap();
        let config = Config::new().canonical(true);
        prop_assert_eq!(&config.to_vec(&value).unwrap(), &canonical);
        prop_assert_eq!(&value.to_vec_with(&config).unwrap(), &canonical);
        let read = strict.from_slice::<Value<'_>>(&canonical).unwrap();
        prop_assert_eq!(&read, &Value::from_slice_with(&canonical, &strict).unwrap());
        prop_assert_eq!(&read.to_vec_with(&PLAIN).unwrap(), &canonical);
        prop_assert_eq!(canonical.len(), size(&read));
        for end in (0..canonical.len()).step_by(1 + canonical.len() / 20) {
            let cut = &canonical[..end];
            prop_assert_eq!(wbin::canonical::to_canonical(cut).unwrap_err().name(), "truncated");
            prop_assert_eq!(strict.from_slice::<Value<'_>>(cut).unwrap_err().name(), "truncated");
        }
        let more = [&canonical[..], &[0]].concat();
        prop_assert_eq!(wbin::canonical::to_canonical(&more).unwrap_err().name(), "trailing-bytes");
        prop_assert_eq!(strict.check(&more).unwrap_err().name(), "trailing-bytes");
        // Strict reading accepts no more than that.
        prop_assert_eq!(strict.check(&bytes).is_ok(), bytes == canonical);
        prop_assert_eq!(strict.from_slice::<IgnoredAny>(&bytes).is_ok(), bytes == canonical);
    }

    #[test]
    fn the_same_limit_holds_on_both_sides(value in values(), limit in 0_u32..8) {
        let config = Config::new().max_depth(limit);
        let [plain, bytes] = [true, false].map(|plain| value.to_vec_with(&Config::new().plain(plain)).unwrap());
        let fits = depth(&value) <= limit;
        let results = [
            value.to_vec_with(&config).map(drop),
            config.to_vec(&value).map(drop),
            config.canonical(true).to_vec(&value).map(drop),
            wbin::Encoder::with_config(&config).value(&value).map(drop),
            wbin::Encoder::with_config(&config).raw(&RawValue::from_slice(&bytes).unwrap()).map(drop),
            wbin::Encoder::with_config(&config).serialize(&value).map(drop),
            Value::from_slice_with(&bytes, &config).map(drop),
            config.from_slice::<Value<'_>>(&bytes).map(drop),
            // What is in plain columns is skipped unseen (COL-42).
            config.from_slice::<IgnoredAny>(&plain).map(drop),
            config.skip(&plain).map(drop),
            config.from_slice::<RawValue<'_>>(&bytes).map(drop),
            config.from_reader::<_, OwnedValue>(&bytes[..]).map(drop),
            config.iter::<Value<'_>>(&bytes).next().unwrap().map(drop),
            config.iter_reader::<_, OwnedValue>(&bytes[..]).next().unwrap().map(drop),
            config.check(&bytes),
            config.to_canonical(&bytes).map(drop),
            Cursor::with_config(&bytes, &config).to_value().map(drop),
        ];
        for (way, result) in results.into_iter().enumerate() {
            match result {
                Ok(()) => prop_assert!(fits, "way {} took {} levels", way, depth(&value)),
                // A map that has no canonical form is refused for that as well.
                Err(error) if error.name() == "duplicate-key" => {}
                Err(error) => {
                    prop_assert_eq!(error.name(), "depth-limit", "way {}", way);
                    prop_assert!(!fits, "way {} refused {} levels", way, depth(&value));
                }
            }
        }
    }

    #[test]
    fn sequences_of_values(values in prop::collection::vec(values(), 0..6), signed in any::<bool>()) {
        let mut bytes = Vec::new();
        let mut ends = Vec::new();
        if signed && !values.is_empty() {
            bytes.extend([0xDF, 0x57, 0x42, 0x01]);
        }
        for value in &values {
            bytes.extend(value.to_vec().unwrap());
            ends.push(bytes.len());
        }
        let mut iter = wbin::iter::<Value<'_>>(&bytes);
        let mut stream = wbin::iter_reader::<_, OwnedValue>(OneByte(&bytes));
        prop_assert_eq!((iter.byte_offset(), stream.byte_offset()), (0, 0));
        for (value, end) in values.iter().zip(&ends) {
            prop_assert_eq!(&iter.next().unwrap().unwrap(), value);
            prop_assert_eq!(iter.byte_offset(), *end);
            prop_assert_eq!(&stream.next().unwrap().unwrap().0, value);
            prop_assert_eq!(stream.byte_offset(), *end);
        }
        prop_assert!(iter.next().is_none() && stream.next().is_none());
        let mut encoder = wbin::Encoder::with_config(&Config::new().signature(signed && !values.is_empty()));
        for value in &values {
            encoder.value(value).unwrap();
        }
        // Whether there is enough for columns is seen in all of it.
        let written = encoder.finish().unwrap();
        let read: Result<Vec<Value<'_>>, _> = wbin::iter(&written).collect();
        prop_assert_eq!(&read.unwrap(), &values);
        let config = Config::new().signature(signed && !values.is_empty());
        let plain = |config: &Config| {
            let mut encoder = wbin::Encoder::with_config(config);
            for value in &values {
                encoder.value(value).unwrap();
            }
            encoder.finish().unwrap()
        };
        let each: Vec<u8> = values.iter().flat_map(|value| value.to_vec_with(&PLAIN).unwrap()).collect();
        let signature = if config.has_signature() { &wbin::tag::SIGNATURE[..] } else { &[] };
        prop_assert_eq!(&plain(&config.plain(true)), &[signature, &each].concat());
        prop_assert!(written.len() <= signature.len() + each.len());
        // By hand, one after the other.
        let mut rest = &bytes[..];
        for value in &values {
            let (first, after) = wbin::take_from_slice::<Value<'_>>(rest).unwrap();
            prop_assert_eq!(&first, value);
            prop_assert_eq!(wbin::skip(rest).unwrap(), rest.len() - after.len());
            rest = after;
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn every_part_cut_out_is_a_document(value in values()) {
        let bytes = value.to_vec_with(&PLAIN).unwrap();
        parts(Cursor::new(&bytes), &value, &bytes);
    }

    #[test]
    fn two_ways_to_a_value_agree_on_broken_input(
        value in values(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        // Of several faults in columns any may be found first (COL-41): tests/columns.rs asks the twin.
        let mut bytes = value.to_vec_with(&Config::new().plain(true)).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let direct = Value::from_slice(&bytes);
        let by_serde = wbin::from_slice::<Value<'_>>(&bytes);
        let streamed = wbin::from_reader::<_, OwnedValue>(OneByte(&bytes));
        let checked = wbin::check(&bytes);
        match &direct {
            Ok(direct) => {
                prop_assert_eq!(direct, &by_serde.unwrap(), "{}", hex(&bytes));
                prop_assert_eq!(direct, &streamed.unwrap().0);
                checked.unwrap();
                // What was read is written in the preferred way, which is never longer.
                let again = direct.to_vec().unwrap();
                prop_assert!(again.len() <= bytes.len());
                prop_assert_eq!(&Value::from_slice(&again).unwrap(), direct);
            }
            Err(error) => {
                let serde_error = by_serde.unwrap_err();
                prop_assert_eq!(
                    (error.name(), error.offset()), (serde_error.name(), serde_error.offset()), "{}", hex(&bytes)
                );
                prop_assert!(streamed.is_err());
                // Keys that a value looks through are equal there only (MAP-7).
                prop_assert!(checked.is_err() || error.name() == "duplicate-key", "{}", hex(&bytes));
            }
        }
    }
}

proptest! {
    #![proptest_config(strategies::cases(32))]

    #[test]
    fn every_strict_prefix_is_truncated(value in values()) {
        let bytes = value.to_vec().unwrap();
        // All of a short one, and some of a long one.
        for end in (0..bytes.len()).step_by(1 + bytes.len() / 60) {
            let cut = &bytes[..end];
            let errors = [
                Value::from_slice(cut).err(),
                wbin::from_slice::<Value<'_>>(cut).err(),
                wbin::from_slice::<IgnoredAny>(cut).err(),
                wbin::from_slice::<RawValue<'_>>(cut).err(),
                wbin::from_reader::<_, OwnedValue>(OneByte(cut)).err(),
                wbin::check(cut).err(),
                wbin::skip(cut).err(),
                wbin::diag::to_string(cut).err(),
                Decoder::new(cut).value().err(),
                Decoder::new(cut).skip().err(),
            ];
            let place = errors[0].as_ref().and_then(wbin::Error::offset);
            for (way, error) in errors.into_iter().enumerate() {
                let error = error.unwrap_or_else(|| panic!("{} was accepted in way {way}", hex(cut)));
                prop_assert_eq!(error.name(), "truncated", "{} way {}", hex(cut), way);
                prop_assert_eq!(error.offset(), place, "{} way {}", hex(cut), way);
            }
            // In a sequence the end before the first byte of a value is no error.
            let mut iter = wbin::iter::<Value<'_>>(cut);
            let mut stream = wbin::iter_reader::<_, OwnedValue>(OneByte(cut));
            match end {
                0 => prop_assert!(iter.next().is_none() && stream.next().is_none()),
                _ => {
                    let error = iter.next().unwrap().unwrap_err();
                    prop_assert_eq!((error.name(), error.offset()), ("truncated", place));
                    let error = stream.next().unwrap().err().unwrap();
                    prop_assert_eq!((error.name(), error.offset()), ("truncated", place));
                    prop_assert!(iter.next().is_none() && stream.next().is_none());
                }
            }
        }
    }
}

/// Compares every part of a value with what a cursor finds.
fn parts(cursor: Cursor<'_>, value: &Value<'_>, document: &[u8]) {
    let raw = cursor.raw().unwrap();
    assert_eq!(raw.as_bytes(), &document[cursor.position()..][..raw.as_bytes().len()]);
    assert_eq!(&Value::from_slice(raw.as_bytes()).unwrap(), value);
    assert_eq!(&cursor.to_value().unwrap(), value);
    assert_eq!(cursor.kind().unwrap(), value.kind());
    assert_eq!(wbin::skip(&document[cursor.position()..]).unwrap(), raw.as_bytes().len());
    match value {
        Value::List(list) => {
            let items: Vec<_> = cursor.items().unwrap().map(Result::unwrap).collect();
            assert_eq!(items.len(), list.len());
            for (index, (item, value)) in items.into_iter().zip(list).enumerate() {
                assert_eq!(cursor.index(index).unwrap().unwrap().position(), item.position());
                parts(item, value, document);
            }
            assert!(cursor.index(list.len()).unwrap().is_none());
        }
        Value::Map(map) => {
            let entries: Vec<_> = cursor.entries().unwrap().map(Result::unwrap).collect();
            assert_eq!(entries.len(), map.len());
            for ((key, item), (map_key, value)) in entries.into_iter().zip(map) {
                if let Some(name) = map_key.as_str() {
                    assert_eq!(cursor.get(name).unwrap().unwrap().position(), item.position());
                }
                parts(key, map_key, document);
                parts(item, value, document);
            }
            assert!(cursor.get("no such key, ever").unwrap().is_none());
        }
        Value::Null | Value::Ext(_) => {}
        Value::Bool(on) => assert_eq!(cursor.bool().unwrap(), *on),
        Value::Int(int) => assert_eq!(cursor.int().unwrap(), *int),
        Value::Float(f) => assert_eq!(cursor.f64().unwrap().to_bits(), f.to_bits()),
        Value::String(text) => assert_eq!(cursor.str().unwrap(), text),
        Value::Bytes(bytes) => assert_eq!(cursor.bytes().unwrap(), &bytes[..]),
    }
    if value.kind() != Kind::List {
        assert_eq!(cursor.items().unwrap_err().name(), "invalid-type");
    }
    if value.kind() != Kind::Map {
        assert_eq!(cursor.get("x").unwrap_err().name(), "invalid-type");
    }
}

#[test]
fn a_cursor_stops_where_the_document_is_broken() {
    let bytes = strategies::unhex("85 01 43 6162"); // more items than bytes
    let cursor = Cursor::new(&bytes);
    assert_eq!(cursor.items().unwrap_err().name(), "truncated");
    let bytes = strategies::unhex("83 01 d4 02");
    let mut items = Cursor::new(&bytes).items().unwrap();
    assert_eq!(items.next().unwrap().unwrap().int().unwrap(), Int::from(1));
    let error = items.next().unwrap().err().unwrap();
    assert_eq!((error.name(), error.offset()), ("reserved-tag", Some(2)));
    assert!(items.next().is_none());
    let bytes = strategies::unhex("92 41 61 01 d4 02");
    let mut entries = Cursor::new(&bytes).entries().unwrap();
    assert!(entries.next().unwrap().is_ok());
    assert_eq!(entries.next().unwrap().err().unwrap().offset(), Some(4));
    assert!(entries.next().is_none());
    assert_eq!(Cursor::new(&bytes).get("a").unwrap().unwrap().int().unwrap(), Int::from(1));
    assert_eq!(Cursor::new(&bytes).get("b").unwrap_err().name(), "reserved-tag");
    assert_eq!(Cursor::new(&[]).kind().unwrap_err().name(), "truncated");
}

#[test]
fn a_cursor_counts_levels_from_the_root() {
    let bytes = strategies::unhex("81 81 91 01 81 05");
    let config = Config::new().max_depth(3);
    let cursor = Cursor::with_config(&bytes, &config);
    let inner = cursor.index(0).unwrap().unwrap().index(0).unwrap().unwrap();
    assert_eq!((inner.position(), inner.kind().unwrap()), (2, Kind::Map));
    // The map is the third level; a list in it would be the fourth.
    let error = inner.entries().unwrap().next().unwrap().err().unwrap();
    assert_eq!((error.name(), error.offset()), ("depth-limit", Some(4)));
    assert_eq!(inner.raw().unwrap_err().name(), "depth-limit");
    assert_eq!(cursor.to_value().unwrap_err().name(), "depth-limit");
    assert_eq!(
        Cursor::new(&bytes).pointer("/0/0").unwrap().unwrap().to_value().unwrap(),
        wbin::wbin!({1: [5]})
    );
    // A signature moves everything, `some` is looked through.
    let bytes = strategies::unhex("df 57 42 01 bb 91 41 61 bb 82 01 bb b8");
    let cursor = Cursor::new(&bytes);
    let list = cursor.get("a").unwrap().unwrap();
    assert_eq!(list.kind().unwrap(), Kind::List);
    assert_eq!(list.raw().unwrap().as_bytes(), &bytes[8..]);
    assert_eq!(list.index(1).unwrap().unwrap().to_value().unwrap(), Value::Null);
    assert_eq!(list.index(1).unwrap().unwrap().raw().unwrap().as_bytes(), &bytes[11..]);
}

// ---------------------------------------------------------------------------------------------------------
// Floats
// ---------------------------------------------------------------------------------------------------------

/// The bytes give back the bits, and none of the other forms is shorter.
fn shortest(f: f64) {
    let bytes = wbin::to_vec(&f).unwrap();
    assert_eq!(wbin::from_slice::<f64>(&bytes).unwrap().to_bits(), f.to_bits(), "{f:?}");
    assert_eq!(bytes.len(), float_size(f), "{f:?} as {}", hex(&bytes));
    // Which of two forms of the same length (FLT-6).
    let form = match (decimal_size(f), is_single(f)) {
        (Some(n @ 1..=3), _) | (Some(n), false) => 0xAF + n as u8,
        (_, true) => 0xB6,
        (None, false) => 0xB7,
    };
    assert_eq!(bytes[0], form, "{f:?} as {}", hex(&bytes));
    if (0xB0..=0xB5).contains(&form) {
        let mut x = [if bytes[bytes.len() - 1] & 0x80 == 0 { 0 } else { 0xFF }; 8];
        x[..bytes.len() - 1].copy_from_slice(&bytes[1..]);
        let x = i64::from_le_bytes(x);
        assert_eq!(((x >> 3) as f64 / 10_f64.powi((x & 7) as i32)).to_bits(), f.to_bits());
        // The smallest k: either there is none, or m is no multiple of ten.
        assert!(x & 7 == 0 || (x >> 3) % 10 != 0, "{f:?} as {}", hex(&bytes));
    }
    assert_eq!(bytes, Value::from(f).to_vec().unwrap());
    let mut encoder = wbin::Encoder::new();
    encoder.f64(f).unwrap();
    assert_eq!(bytes, encoder.finish().unwrap());
}

proptest! {
    #![proptest_config(strategies::cases(4000))]

    #[test]
    fn floats_take_the_shortest_form(f in strategies::floats()) {
        shortest(f);
    }

    #[test]
    fn decimals_take_the_shortest_form(m in -(1_i64 << 46)..1 << 46, shift in 0..46, k in 0..9) {
        shortest((m >> shift) as f64 / 10_f64.powi(k));
    }

    #[test]
    fn singles_keep_their_bits(bits in any::<u32>()) {
        let bytes = wbin::to_vec(&f32::from_bits(bits)).unwrap();
        prop_assert_eq!(wbin::from_slice::<f32>(&bytes).unwrap().to_bits(), bits);
        prop_assert_eq!(&bytes, &wbin::to_vec(&strategies::widened(bits)).unwrap());
        shortest(strategies::widened(bits));
    }
}

#[test]
fn floats_at_the_edges_of_their_forms() {
    strategies::SPECIAL_FLOATS.into_iter().map(f64::from_bits).for_each(shortest);
    for k in 0..9 {
        for bits in 0..47 {
            for off in -3..=3_i64 {
                for sign in [1.0, -1.0] {
                    shortest(sign * ((1_i64 << bits) + off) as f64 / 10_f64.powi(k));
                }
            }
        }
    }
    // And the neighbours of what has a short form.
    for f in [0.1, 12.99, 1e-7, 123456.789, 17592186044415.0, 1759218.6044415] {
        for step in -2..=2_i64 {
            shortest(f64::from_bits((f64::to_bits(f) as i64 + step) as u64));
        }
    }
}

#[test]
fn ints_and_lengths_at_the_edges_of_their_forms() {
    for bits in 0..=127 {
        for off in -2..=2_i128 {
            let n = (1_i128.checked_shl(bits).unwrap_or(i128::MAX)).wrapping_add(off);
            for n in [n, n.wrapping_neg()] {
                let bytes = wbin::to_vec(&n).unwrap();
                assert_eq!(bytes.len(), int_size(Int::from(n)), "{n}");
                assert_eq!(wbin::from_slice::<i128>(&bytes).unwrap(), n);
                assert_eq!(Value::from_slice(&bytes).unwrap(), n);
            }
        }
    }
    for n in [0, 15, 16, 63, 64, 255, 256, 65_535, 65_536] {
        let text = "x".repeat(n);
        assert_eq!(wbin::to_vec(&text).unwrap().len(), head_size(n, 64) + n);
        assert_eq!(Value::Bytes(text.as_bytes().into()).to_vec().unwrap().len(), head_size(n, 0) + n);
        assert_eq!(PLAIN.to_vec(&vec![(); n]).unwrap().len(), head_size(n, 16) + n);
        let map: Value<'_> = (0..n).map(|i| (Value::from(i), Value::Null)).collect();
        assert_eq!(map.to_vec_with(&PLAIN).unwrap().len(), size(&map));
        for bytes in [map.to_vec_with(&PLAIN).unwrap(), map.to_vec().unwrap()] {
            assert_eq!(Value::from_slice(&bytes).unwrap(), map);
            assert_eq!(wbin::from_slice::<Value<'_>>(&bytes).unwrap(), map);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Types
// ---------------------------------------------------------------------------------------------------------

/// Reads all items of a list, those that cannot be read as nothing.
struct Each<T>(Vec<Option<T>>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Each<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Each<T>, D::Error> {
        struct Visitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Visitor<T> {
            type Value = Each<T>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Each<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element::<T>().map_or(Some(None), |item| item.map(Some)) {
                    items.push(item);
                }
                Ok(Each(items))
            }
        }
        deserializer.deserialize_seq(Visitor(std::marker::PhantomData))
    }
}

#[derive(Deserialize, PartialEq, Debug)]
struct Row {
    a: u8,
    #[serde(default)]
    b: Option<OwnedValue>,
    #[serde(rename = "prefix-a", alias = "prefix-b", default)]
    long: Option<OwnedValue>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct FlatRow {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, OwnedValue>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct StrictRow {
    a: u8,
    b: u8,
}

/// Entries of a map as they come, twice or not.
#[derive(PartialEq, Debug)]
struct AnyEntries(Vec<(OwnedValue, OwnedValue)>);

impl<'de> Deserialize<'de> for AnyEntries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<AnyEntries, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = AnyEntries;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<AnyEntries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(AnyEntries(entries))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// Maps of a few kinds one after the other, with or without keys that come twice, as bytes.
fn rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let keys = [
        "41 61",
        "41 62",
        "48 7072656669782d61",
        "48 7072656669782d62",
        "40",
        "05",
        "c0 01 61",
        "b8",
        "42 6162",
        "41 ff",
    ];
    let values = [
        "05",
        "41 78",
        "b8",
        "81 92 41 61 01 41 62 02",
        "92 41 61 05 41 62 41 79",
        "bb b8",
        "93 41 61 05 41 62 06 41 63 07",
        "91 41 62 41 ff",
    ];
    let kind =
        prop::collection::vec(prop::sample::select(&[0_usize, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9][..]), 1..5);
    let row = (
        0_usize..4,
        prop::option::weighted(0.1, (0_usize..5, 0_usize..10)),
        prop::collection::vec(0_usize..8, 5),
    );
    (prop::collection::vec(kind, 4), prop::collection::vec(row, 4..40)).prop_map(move |(kinds, rows)| {
        let encode = |(kind, change, chosen): (usize, Option<(usize, usize)>, Vec<usize>)| {
            let mut names: Vec<usize> = kinds[kind].clone();
            if let Some((at, name)) = change {
                let at = at % names.len();
                names[at] = name;
            }
            let mut bytes = vec![0x90 + names.len() as u8];
            for (name, value) in names.iter().zip(chosen) {
                bytes.extend(strategies::unhex(keys[*name]));
                bytes.extend(strategies::unhex(values[value]));
            }
            bytes
        };
        rows.into_iter().map(encode).collect()
    })
}

proptest! {
    #![proptest_config(strategies::cases(200))]

    #[test]
    fn maps_in_a_row_are_read_as_each_of_them_alone(rows in rows()) {
        fn alike<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(rows: &[Vec<u8>]) {
            let count = rows.len() as u8;
            let document = [&[0xC9, count, 0][..], &rows.concat()].concat();
            let all = wbin::from_slice::<Each<T>>(&document).unwrap().0;
            assert_eq!(all.len(), rows.len());
            for (item, row) in all.into_iter().zip(rows) {
                assert_eq!(item, wbin::from_slice::<T>(row).ok(), "{} in {}", hex(row), hex(&document));
            }
        }
        alike::<OwnedValue>(&rows);
        alike::<Row>(&rows);
        alike::<FlatRow>(&rows);
        alike::<StrictRow>(&rows);
        alike::<AnyEntries>(&rows);
        alike::<BTreeMap<String, OwnedValue>>(&rows);
        alike::<BTreeMap<Option<String>, OwnedValue>>(&rows);
        alike::<Vec<OwnedValue>>(&rows);
        // The same through the decoder of values, which has a memory of its own.
        let document = [&[0xC9, rows.len() as u8, 0][..], &rows.concat()].concat();
        let direct = Value::from_slice(&document);
        let each: Result<Vec<_>, _> = rows.iter().map(|row| Value::from_slice(row)).collect();
        match (direct, each) {
            (Ok(direct), Ok(each)) => prop_assert_eq!(direct, Value::from(each)),
            (direct, each) => prop_assert!(direct.is_err() && each.is_err()),
        }
        prop_assert_eq!(wbin::check(&document).is_ok(), rows.iter().all(|row| wbin::check(row).is_ok()));
    }
}

proptest! {
    #![proptest_config(strategies::cases(64))]

    #[test]
    fn a_type_comes_back_through_every_door(value in everything()) {
        let bytes = wbin::to_vec(&value).unwrap();
        wbin::check(&bytes).unwrap();
        prop_assert_eq!(&wbin::from_slice::<Everything>(&bytes).unwrap(), &value);
        prop_assert_eq!(&wbin::from_reader::<_, Everything>(&bytes[..]).unwrap(), &value);
        prop_assert_eq!(&wbin::from_reader::<_, Everything>(OneByte(&bytes)).unwrap(), &value);
        prop_assert_eq!(&wbin::iter_reader::<_, Everything>(&bytes[..]).next().unwrap().unwrap(), &value);
        for config in [Config::new(), PLAIN, Config::new().human_readable(true), Config::new().signature(true)] {
            let bytes = config.to_vec(&value).unwrap();
            prop_assert_eq!(&config.from_slice::<Everything>(&bytes).unwrap(), &value);
        }
        // One byte more or less.
        for end in (0..bytes.len()).step_by(1 + bytes.len() / 100) {
            prop_assert_eq!(wbin::from_slice::<Everything>(&bytes[..end]).unwrap_err().name(), "truncated");
        }
        let more = [&bytes[..], &[0]].concat();
        prop_assert_eq!(wbin::from_slice::<Everything>(&more).unwrap_err().name(), "trailing-bytes");
        // Through the bytes of its notation, and through the raw parts of its map.
        let notation = wbin::diag::to_string(&bytes).unwrap();
        prop_assert_eq!(&wbin::from_slice::<Everything>(&wbin::diag::parse(&notation).unwrap()).unwrap(), &value);
        let raw: BTreeMap<&str, RawValue<'_>> = wbin::from_slice(&bytes).unwrap();
        prop_assert_eq!(&wbin::from_slice::<Everything>(&wbin::to_vec(&raw).unwrap()).unwrap(), &value);
        // The one depth that it needs, on both sides.
        let needed = (0..=128).find(|depth| Config::new().max_depth(*depth).check(&bytes).is_ok()).unwrap();
        let (less, enough) = (Config::new().max_depth(needed - 1), Config::new().max_depth(needed));
        prop_assert_eq!(less.to_vec(&value).unwrap_err().name(), "depth-limit");
        prop_assert_eq!(less.from_slice::<Everything>(&bytes).unwrap_err().name(), "depth-limit");
        prop_assert_eq!(&enough.to_vec(&value).unwrap(), &bytes);
        prop_assert_eq!(&enough.from_slice::<Everything>(&bytes).unwrap(), &value);
    }

    #[test]
    fn broken_input_for_a_type_is_an_error_or_a_value(
        value in everything(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = wbin::to_vec(&value).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let by_slice = wbin::from_slice::<Everything>(&bytes);
        let by_reader = wbin::from_reader::<_, Everything>(OneByte(&bytes));
        match (by_slice, by_reader) {
            (Ok(by_slice), Ok(by_reader)) => {
                prop_assert_eq!(&by_slice, &by_reader);
                prop_assert_eq!(&wbin::from_slice::<Everything>(&wbin::to_vec(&by_slice).unwrap()).unwrap(), &by_slice);
                wbin::skip(&bytes).unwrap();
            }
            (Err(by_slice), Err(by_reader)) => {
                prop_assert_eq!(by_slice.to_string(), by_reader.to_string());
                prop_assert!(by_slice.offset().is_some_and(|offset| offset <= bytes.len()));
            }
            (by_slice, by_reader) => prop_assert!(false, "{by_slice:?} but {by_reader:?}"),
        }
    }
}
