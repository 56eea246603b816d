//! Do lists and maps by columns mean what they stand for, to everything that reads, and does the encoder
//! write them only where they are smaller?
//!
//! The twin's writer makes documents of any legal kinds of columns, which are mostly not what the encoder
//! would write; the twin's reader says what such documents are, and what damaged ones are refused for.
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::alike::{alike, rows, stacks};
use support::loose::{Dice, Style, loose, mutate};
use support::reference::{self, Fault, Refusal};
use support::strategy::tree;
use support::{OneByte, Tree, columns, hex};
use wbin::{Config, Cursor, Decoder, Encoder, Kind, OwnedValue, RawValue, Value, canonical, diag};

const STYLE: Style = Style { columns: true, wrappers: true };

/// So many cases, or more in a longer search: `WBIN_TEST_SCALE=100 cargo test --release --test columns`.
fn cases(count: u32) -> ProptestConfig {
    let scale: u32 = std::env::var("WBIN_TEST_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1);
    let cases = count * scale;
    ProptestConfig {
        cases,
        max_global_rejects: cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Values in which there is something for columns to hold.
fn subjects() -> impl Strategy<Value = Tree> {
    let pair = (tree(), tree()).prop_map(|(a, b)| Tree::List(vec![a.clone(), b, Tree::Null, a]));
    prop_oneof![3 => alike(), 1 => pair]
}

/// A value and a document for it: by columns as a whole, or somewhere inside.
fn documents() -> impl Strategy<Value = (Tree, Shown)> {
    (subjects(), any::<u64>(), 0..3).prop_map(|(tree, seed, inside)| {
        let mut dice = Dice(seed | 1);
        let mut bytes = Vec::new();
        match columns::has_columns(&tree) && inside > 0 {
            true => bytes = columns::document(&tree, STYLE, &mut dice),
            false => loose(&tree, STYLE, &mut dice, &mut bytes),
        }
        (tree, Shown(bytes))
    })
}

/// Bytes that a failing case shows as hex digits.
struct Shown(Vec<u8>);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

fn fault(error: &wbin::Error) -> Fault {
    (error.name(), error.offset().expect("an error of reading has an offset"))
}

// --- what is valid --------------------------------------------------------------------------------------

/// Everything that reads finds the value that a document stands for.
fn means(bytes: &[u8], tree: &Tree) {
    let shown = hex(bytes);
    assert_eq!(reference::decode(bytes, 128).as_ref(), Ok(tree), "the twin, of {shown}");
    let same = |what: &str, got: wbin::Result<Tree>| {
        let got = got.unwrap_or_else(|error| panic!("{what} of {shown}: {error}"));
        assert_eq!(got, *tree, "{what} of {shown}");
    };
    same("from_slice into a tree", wbin::from_slice(bytes));
    same("from_reader into a tree", wbin::from_reader(OneByte::new(bytes)));
    same("iter_reader", wbin::iter_reader::<_, Tree>(OneByte::new(bytes)).next().expect("a value"));
    let mut decoder = Decoder::new(bytes);
    same("events", Tree::from_events(&mut decoder).and_then(|tree| decoder.finish().map(|()| tree)));
    let raw = RawValue::from_slice(bytes).expect("a valid document");
    assert_eq!(raw.as_bytes(), bytes);
    same("RawValue", raw.decode());

    let plain = tree.without_some();
    let value = |what: &str, got: wbin::Result<Value<'_>>| {
        let got = got.unwrap_or_else(|error| panic!("{what} of {shown}: {error}"));
        assert_eq!(Tree::from(&got), plain, "{what} of {shown}");
    };
    value("Value::from_slice", Value::from_slice(bytes));
    value("from_slice", wbin::from_slice(bytes));
    value("from_reader", wbin::from_reader(bytes).map(|OwnedValue(value)| value));
    value("Decoder::value", Decoder::new(bytes).value());
    value("RawValue::to_value", raw.to_value());
    value("Cursor::to_value", Cursor::new(bytes).to_value());

    let skip = |what: &str, got: wbin::Result<usize>| {
        assert_eq!(got.map_err(|error| fault(&error)), Ok(bytes.len()), "{what} of {shown}");
    };
    skip("skip", wbin::skip(bytes));
    let mut decoder = Decoder::new(bytes);
    skip("Decoder::skip", decoder.skip().map(|()| decoder.position()));
    skip("IgnoredAny", wbin::take_from_slice::<IgnoredAny>(bytes).map(|(_, rest)| bytes.len() - rest.len()));
    skip("check", wbin::check(bytes).map(|()| bytes.len()));

    match (canonical::to_canonical(bytes), reference::canonical(tree)) {
        (Ok(got), Some(form)) => assert_eq!(hex(&got), hex(&form), "the canonical form of {shown}"),
        // Keys that differ by the payload of a NaN or by the order of a map (CAN-9).
        (Err(error), None) => assert_eq!(error.name(), "duplicate-key", "{shown}"),
        (got, form) => panic!("the canonical form of {shown}: {got:?}, but the twin says {form:?}"),
    }
    let by_rows = reference::preferred(tree);
    let text =
        |bytes: &[u8]| diag::to_string(bytes).unwrap_or_else(|error| panic!("{}: {error}", hex(bytes)));
    assert_eq!(text(bytes), text(&by_rows), "the notation of {shown}");
    let parsed = diag::parse(&text(bytes)).expect("the notation is read");
    assert_eq!(reference::decode(&parsed, 128).as_ref(), Ok(tree), "through the notation, of {shown}");
    let pretty = |bytes: &[u8]| diag::to_string_pretty(bytes).expect("a notation");
    assert_eq!(pretty(bytes), pretty(&by_rows), "the notation of {shown}");

    walk(Cursor::new(bytes), &Value::from_slice(&by_rows).expect("a valid document"), &shown);
    for_types(bytes, &by_rows);
}

/// Cursors find what the value has.
fn walk(cursor: Cursor<'_>, value: &Value<'_>, shown: &str) {
    assert_eq!(cursor.kind().expect("a kind"), value.kind(), "{shown}");
    assert_eq!(cursor.to_value().expect("a value"), *value, "{shown}");
    match value {
        Value::List(list) => {
            let items: Vec<_> = cursor.items().expect("items").collect::<Result<_, _>>().expect("items");
            assert_eq!(items.len(), list.len(), "{shown}");
            for (item, value) in items.into_iter().zip(list.iter()) {
                walk(item, value, shown);
            }
            for index in [0, list.len() / 2, list.len()] {
                let found =
                    cursor.index(index).expect("a list").map(|item| item.to_value().expect("a value"));
                assert_eq!(found.as_ref(), list.get(index), "{shown}");
            }
        }
        Value::Map(map) => {
            let entries: Vec<_> =
                cursor.entries().expect("entries").collect::<Result<_, _>>().expect("entries");
            assert_eq!(entries.len(), map.len(), "{shown}");
            for ((here, content), (key, value)) in entries.into_iter().zip(map) {
                walk(here, key, shown);
                walk(content, value, shown);
                if let Some(name) = key.as_str() {
                    let found = cursor.get(name).expect("a map").expect("an entry");
                    assert_eq!(found.to_value().expect("a value"), *value, "{shown}");
                }
            }
            assert!(cursor.get("no such key, ever").expect("a map").is_none(), "{shown}");
        }
        Value::Bool(on) => assert_eq!(cursor.bool().expect("a bool"), *on),
        Value::Int(int) => assert_eq!(cursor.int().expect("an int"), *int),
        Value::Float(f) => assert_eq!(cursor.f64().expect("a float").to_bits(), f.to_bits()),
        Value::String(text) => assert_eq!(cursor.str().expect("a string"), text),
        Value::Bytes(bytes) => assert_eq!(cursor.bytes().expect("bytes"), &bytes[..]),
        Value::Null | Value::Ext(_) => {}
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    id: Option<OwnedValue>,
    #[serde(flatten)]
    rest: BTreeMap<String, OwnedValue>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Narrow {
    #[serde(default)]
    id: u32,
    name: Option<String>,
    #[serde(default)]
    price: f64,
    tags: Option<Vec<u8>>,
    a: Option<(f64, i64)>,
    b: Option<Box<Narrow>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Point {
    x: f64,
    #[serde(default)]
    y: Option<f64>,
}

/// What a type gets does not depend on the form, nor what it is refused for.
fn for_types(bytes: &[u8], by_rows: &[u8]) {
    fn alike<T: DeserializeOwned + Serialize>(bytes: &[u8], by_rows: &[u8]) {
        let outcome = |bytes: &[u8]| match wbin::from_slice::<T>(bytes) {
            Ok(value) => Ok(hex(&wbin::to_vec(&value).expect("an encoding"))),
            Err(error) => Err(error.name()),
        };
        let what = std::any::type_name::<T>();
        assert_eq!(outcome(bytes), outcome(by_rows), "{what} of {} and {}", hex(bytes), hex(by_rows));
    }
    alike::<Vec<OwnedValue>>(bytes, by_rows);
    alike::<Vec<Option<Option<OwnedValue>>>>(bytes, by_rows);
    alike::<Vec<Flat>>(bytes, by_rows);
    alike::<Vec<Narrow>>(bytes, by_rows);
    alike::<BTreeMap<String, Flat>>(bytes, by_rows);
    alike::<BTreeMap<String, OwnedValue>>(bytes, by_rows);
    alike::<Vec<BTreeMap<String, OwnedValue>>>(bytes, by_rows);
    alike::<Vec<Vec<u8>>>(bytes, by_rows);
    alike::<Vec<(f64, u8)>>(bytes, by_rows);
    alike::<Vec<Point>>(bytes, by_rows);
    alike::<Vec<Vec<Point>>>(bytes, by_rows);
    alike::<Vec<i64>>(bytes, by_rows);
    alike::<Vec<f64>>(bytes, by_rows);
    alike::<Vec<bool>>(bytes, by_rows);
    alike::<Vec<String>>(bytes, by_rows);
    alike::<BTreeMap<String, i128>>(bytes, by_rows);
    alike::<BTreeMap<String, Option<String>>>(bytes, by_rows);
    // Raw parts are documents of their own, wherever they came from.
    let parts = |bytes: &[u8]| {
        let parts: wbin::Result<Vec<RawValue<'_>>> = wbin::from_slice(bytes);
        parts.map(|parts| parts.iter().map(|part| part.decode().expect("a document")).collect::<Vec<Tree>>())
    };
    assert_eq!(parts(bytes).ok(), parts(by_rows).ok(), "raw parts of {}", hex(bytes));
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn any_columns_mean_what_they_stand_for((tree, bytes) in documents()) {
        means(&bytes.0, &tree);
    }

    /// `check` keeps no columns; of several faults it finds the one that is met first in the order of the values.
    #[test]
    fn check_finds_what_reading_finds(
        (_, bytes) in documents(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = bytes.0;
        for (place, byte) in changes {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        let mut decoder = Decoder::new(&bytes);
        let read = loop {
            match decoder.event() {
                Ok(_) if decoder.depth() > 0 => {}
                Ok(_) => break decoder.finish(),
                Err(error) => break Err(error),
            }
        };
        let (read, checked) = (read.map_err(|error| fault(&error)), wbin::check(&bytes).map_err(|error| fault(&error)));
        // Events do not compare the keys of maps in the plain layer.
        if !matches!(checked, Err(("duplicate-key", _))) {
            prop_assert_eq!(checked, read, "{}", hex(&bytes));
        }
    }

    #[test]
    fn nothing_follows((tree, bytes) in documents(), byte in any::<u8>()) {
        let bytes = [&bytes.0[..], &[byte]].concat();
        let end = bytes.len() - 1;
        let errors = [
            Value::from_slice(&bytes).err(),
            wbin::from_slice::<Tree>(&bytes).err(),
            wbin::from_slice::<IgnoredAny>(&bytes).err(),
            wbin::check(&bytes).err(),
            diag::to_string(&bytes).err(),
            RawValue::from_slice(&bytes).err(),
        ];
        for (way, error) in errors.into_iter().enumerate() {
            let error = error.unwrap_or_else(|| panic!("{} was accepted in way {way}", hex(&bytes)));
            prop_assert_eq!(fault(&error), ("trailing-bytes", end), "{} way {}", hex(&bytes), way);
        }
        let (first, rest) = wbin::take_from_slice::<Tree>(&bytes).expect("a value");
        prop_assert_eq!((first, rest), (tree, &[byte][..]));
    }

    #[test]
    fn a_sequence_of_columns(documents in prop::collection::vec(documents(), 1..4)) {
        let bytes: Vec<u8> = documents.iter().flat_map(|(_, bytes)| bytes.0.clone()).collect();
        let mut slice = wbin::iter::<Tree>(&bytes);
        let mut reader = wbin::iter_reader::<_, Tree>(OneByte::new(&bytes));
        let mut end = 0;
        for (tree, part) in &documents {
            end += part.0.len();
            prop_assert_eq!(&slice.next().expect("a value").expect("a value"), tree);
            prop_assert_eq!(&reader.next().expect("a value").expect("a value"), tree);
            prop_assert_eq!((slice.byte_offset(), reader.byte_offset()), (end, end));
        }
        prop_assert!(slice.next().is_none() && reader.next().is_none());
    }

    #[test]
    fn strict_reading_refuses_columns((tree, bytes) in documents()) {
        let strict = Config::new().strict(true);
        let form = reference::canonical(&tree);
        let accepted = form.as_deref() == Some(&bytes.0);
        prop_assert_eq!(strict.check(&bytes.0).is_ok(), accepted);
        prop_assert_eq!(Value::from_slice_with(&bytes.0, &strict).is_ok(), accepted);
        if let [0xD2 | 0xD3, ..] = bytes.0[..] {
            let error = strict.check(&bytes.0).expect_err("columns are not canonical");
            prop_assert_eq!(fault(&error), ("not-canonical", 0));
        }
    }
}

#[test]
fn every_kind_means_what_it_stands_for() {
    let mut runner = TestRunner::new(cases(60));
    let seen: Vec<AtomicUsize> = (0..columns::KINDS).map(|_| AtomicUsize::new(0)).collect();
    let lists = subjects().prop_map(|tree| if let Tree::List(items) = tree { items } else { vec![tree] });
    let result = runner.run(&(lists, any::<u64>()), |(items, seed)| {
        for kind in 0..columns::KINDS {
            let mut dice = Dice(seed | 1);
            if items.is_empty() {
                continue;
            }
            if let Some(bytes) = columns::list_of_kind(&items, kind, STYLE, &mut dice) {
                seen[usize::from(kind)].fetch_add(1, Ordering::Relaxed);
                means(&bytes, &Tree::List(items.clone()));
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    println!("{seen:?}");
}

// --- what the encoder writes ----------------------------------------------------------------------------

/// What every way of writing gives, which must be the same.
fn written(tree: &Tree, config: &Config) -> Vec<u8> {
    let push = |config: &Config| {
        let mut encoder = Encoder::with_config(config);
        tree.encode(&mut encoder)?;
        encoder.finish()
    };
    let bytes = push(config).expect("an encoding");
    assert_eq!(push(config).expect("an encoding"), bytes, "the same again");
    let same = |what: &str, got: wbin::Result<Vec<u8>>| {
        let got = got.unwrap_or_else(|error| panic!("{what} of {tree:?}: {error}"));
        assert_eq!(hex(&got), hex(&bytes), "{what}, and as an encoder is told it, of {tree:?}");
    };
    same("to_vec", config.to_vec(tree));
    let mut writer = Vec::new();
    let to_writer = config.to_writer(&mut writer, tree);
    same("to_writer", to_writer.map(|()| writer));
    let serialized = |value: &dyn Fn(&mut Encoder) -> wbin::Result<()>| {
        let mut encoder = Encoder::with_config(config);
        value(&mut encoder)?;
        encoder.finish()
    };
    same("Encoder::serialize", serialized(&|encoder| encoder.serialize(tree).map(drop)));
    if !tree.has_some() {
        let value = tree.to_value();
        same("Value::to_vec_with", value.to_vec_with(config));
        same("to_vec of a Value", config.to_vec(&value));
        same("Encoder::value", serialized(&|encoder| encoder.value(&value).map(drop)));
        same("to_vec of an OwnedValue", config.to_vec(&OwnedValue(value)));
    }
    bytes
}

/// How often columns were written, and how often not.
#[derive(Default)]
struct Forms {
    columns: AtomicUsize,
    plain: AtomicUsize,
}

fn by_default(tree: &Tree, forms: &Forms) {
    let bytes = written(tree, &Config::new());
    let plain = written(tree, &Config::new().plain(true));
    assert_eq!(hex(&plain), hex(&reference::preferred(tree)), "the plain layer alone is as it was");
    assert!(bytes.len() <= plain.len(), "columns are larger: {} for {}", hex(&bytes), hex(&plain));
    let counter = if bytes == plain { &forms.plain } else { &forms.columns };
    counter.fetch_add(1, Ordering::Relaxed);
    assert!(bytes == plain || bytes.len() < plain.len(), "columns that save nothing: {}", hex(&bytes));
    means(&bytes, tree);
    if !tree.has_some() {
        let again = Value::from_slice(&bytes).expect("a value").to_vec().expect("an encoding");
        assert_eq!(hex(&again), hex(&bytes), "the value that was read, written");
    }
    let signed = written(tree, &Config::new().signature(true));
    assert_eq!(hex(&signed), format!("df574201{}", hex(&bytes)));
    if let Some(form) = reference::canonical(tree) {
        assert_eq!(hex(&written(tree, &Config::new().canonical(true))), hex(&form));
        assert_eq!(hex(&written(tree, &Config::new().canonical(true).plain(false))), hex(&form));
    }
    // The same number of levels, whatever the form.
    let depth = tree.depth();
    let enough = Config::new().max_depth(depth);
    assert_eq!(hex(&written(tree, &enough)), hex(&bytes));
    assert_eq!(enough.from_slice::<Tree>(&bytes).expect("a value"), *tree);
    if depth > 0 {
        let less = Config::new().max_depth(depth - 1);
        assert_eq!(less.to_vec(tree).expect_err("too deep").name(), "depth-limit");
        assert_eq!(less.from_slice::<Tree>(&bytes).expect_err("too deep").name(), "depth-limit");
    }
}

#[test]
fn the_encoder_writes_what_is_read_and_no_more() {
    let forms = Forms::default();
    let mut runner = TestRunner::new(cases(500));
    let result = runner.run(&subjects(), |tree| {
        by_default(&tree, &forms);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let [columns, plain] = [&forms.columns, &forms.plain].map(|counter| counter.load(Ordering::Relaxed));
    println!("{columns} with columns, {plain} without");
    assert!(columns >= 100, "columns were written for {columns} values only");
    assert!(plain >= 20, "{plain} values were written without columns");
}

proptest! {
    #![proptest_config(cases(100))]

    /// A producer that does not know the counts writes something that means the same.
    #[test]
    fn open_containers_mean_the_same(tree in rows()) {
        let mut encoder = Encoder::new();
        let Tree::List(items) = &tree else { panic!("rows are a list") };
        encoder.open_list().expect("a list");
        for item in items {
            if let Tree::Map(entries) = item {
                encoder.open_map().expect("a map");
                for (key, value) in entries {
                    key.encode(&mut encoder).expect("a key");
                    value.encode(&mut encoder).expect("a value");
                }
                encoder.end().expect("the end of a map");
            } else {
                item.encode(&mut encoder).expect("an item");
            }
        }
        encoder.end().expect("the end of a list");
        means(&encoder.finish().expect("a document"), &tree);
    }

    /// Parts that are encoded already stand among others, in either form.
    #[test]
    fn raw_parts_among_others((tree, bytes) in documents(), n in 1_usize..5) {
        let raw = RawValue::from_slice(&bytes.0).expect("a document");
        let mut encoder = Encoder::new();
        encoder.list(n).expect("a list");
        for _ in 0..n {
            encoder.raw(&raw).expect("a part");
        }
        encoder.end().expect("the end of a list");
        means(&encoder.finish().expect("a document"), &Tree::List(vec![tree.clone(); n]));
        means(&wbin::to_vec(&vec![raw; n]).expect("an encoding"), &Tree::List(vec![tree; n]));
    }
}

/// What columns are for: many rows that are alike take a fraction of what they take one by one.
#[test]
fn rows_that_are_alike_get_smaller() {
    let text = |text: &str| Tree::Str(text.to_string());
    let row = |i: u128| {
        Tree::Map(vec![
            (text("id"), Tree::Int(false, 1000 + i)),
            (text("name"), text(["north", "south", "east", "west"][i as usize % 4])),
            (text("active"), Tree::Bool(i % 3 == 0)),
            (text("price"), Tree::Float((i as f64 / 100.0).to_bits())),
            (text("note"), if i % 10 == 0 { text("seen") } else { Tree::Null }),
        ])
    };
    for n in [10, 100, 1000] {
        let list = Tree::List((0..n).map(row).collect());
        let (bytes, plain) = (written(&list, &Config::new()), reference::preferred(&list));
        means(&bytes, &list);
        assert!(
            bytes.len() * 2 < plain.len(),
            "{n} rows in {} bytes instead of {}",
            bytes.len(),
            plain.len()
        );
        assert_eq!(bytes[0], 0xD2, "a list by columns");
    }
    let prices =
        Tree::Map((0..500_u128).map(|i| (Tree::Str(format!("article {i}")), Tree::Int(false, i))).collect());
    let (bytes, plain) = (written(&prices, &Config::new()), reference::preferred(&prices));
    means(&bytes, &prices);
    assert!(
        bytes.len() < plain.len() && bytes[0] == 0xD3,
        "{} bytes instead of {}",
        bytes.len(),
        plain.len()
    );
}

// --- what is refused ------------------------------------------------------------------------------------

/// How often documents were accepted, refused with an error that is fixed, or with another.
#[derive(Default)]
struct Verdicts {
    accepted: AtomicUsize,
    fixed: AtomicUsize,
    open: AtomicUsize,
}

/// Puts one document through everything that reads, with so many levels.
fn judged(bytes: &[u8], levels: u32, verdicts: &Verdicts) {
    let shown = format!("{} with {levels} levels", hex(bytes));
    let config = Config::new().max_depth(levels);
    let twin = reference::judge(bytes, levels as usize);
    let skipped = reference::skip(bytes, levels as usize);

    // What needs well-formedness only reads front to back, so there is one answer.
    let skip = |what: &str, got: wbin::Result<usize>| {
        assert_eq!(got.map_err(|error| fault(&error)), skipped, "{what} of {shown}");
    };
    skip("skip", config.skip(bytes));
    let decoder = Decoder::with_config(bytes, &config);
    skip("Decoder::skip", decoder.and_then(|mut decoder| decoder.skip().map(|()| decoder.position())));
    let ignored = config.take_from_slice::<IgnoredAny>(bytes).map(|(_, rest)| bytes.len() - rest.len());
    skip("IgnoredAny", ignored);

    // In a document that is by columns as a whole, faults are found in a fixed order, but for values in
    // plain columns and equal keys (COL-41). In a plain one any of several may be reported (ERR-5).
    let whole = matches!(bytes.strip_prefix(&[0xDF, 0x57, 0x42, 1]).unwrap_or(bytes), [0xD2 | 0xD3, ..]);
    let allowed = |refusal: &Refusal, error: &wbin::Error| match refusal {
        Refusal { late: true, .. } => true,
        Refusal { faults, .. } if whole && faults.iter().all(|(name, _)| *name != "duplicate-key") => {
            faults[0] == fault(error)
        }
        Refusal { faults, .. } => faults.contains(&fault(error)),
    };
    match &twin {
        Ok(_) => &verdicts.accepted,
        Err(refusal) if refusal.late => &verdicts.open,
        Err(_) => &verdicts.fixed,
    }
    .fetch_add(1, Ordering::Relaxed);
    let verdict = |what: &str, got: wbin::Result<Option<Tree>>| match (got, &twin) {
        (Ok(Some(got)), Ok(tree)) => assert_eq!(got, *tree, "{what} of {shown}"),
        (Ok(None), Ok(_)) => {}
        (Err(error), Err(refusal)) => {
            assert!(allowed(refusal, &error), "{what} of {shown}: {:?}, not {refusal:?}", fault(&error))
        }
        (got, _) => panic!("{what} of {shown}: {got:?}, but the twin says {twin:?}"),
    };
    verdict("from_slice into a tree", config.from_slice(bytes).map(Some));
    verdict("from_reader into a tree", config.from_reader(bytes).map(Some));
    verdict("check", config.check(bytes).map(|()| None));
    verdict("RawValue", config.from_slice::<RawValue<'_>>(bytes).map(|_| None));

    // A `Value` looks through `some`, whereby keys may become equal (MAP-7).
    let collision = twin.as_ref().is_ok_and(Tree::collides);
    let value = |what: &str, got: wbin::Result<Value<'_>>| match (got, &twin) {
        (Ok(got), Ok(tree)) => {
            assert!(!collision, "{what} of {shown} has lost a key");
            assert_eq!(Tree::from(&got), tree.without_some(), "{what} of {shown}");
        }
        (Err(error), _) if error.name() == "duplicate-key" && bytes.contains(&0xBB) => {
            assert!(collision || twin.is_err(), "{what} of {shown}: {error}");
        }
        (Err(error), Err(refusal)) => {
            assert!(allowed(refusal, &error), "{what} of {shown}: {:?}, not {refusal:?}", fault(&error))
        }
        (got, _) => panic!("{what} of {shown}: {got:?}, but the twin says {twin:?}"),
    };
    value("Value::from_slice", Value::from_slice_with(bytes, &config));
    value("from_slice", config.from_slice(bytes));
    value("Cursor::to_value", first_of(bytes, Cursor::with_config(bytes, &config).to_value(), &twin));

    // Events, and the notation that is made of them, need not compare keys.
    let readable = |refusal: &Refusal| {
        let faults = refusal.faults.iter().filter(|(name, _)| *name != "duplicate-key").copied().collect();
        Refusal { faults, late: refusal.late }
    };
    let stepped = |what: &str, got: wbin::Result<Option<Tree>>| match (got, &twin) {
        (Ok(Some(got)), Ok(tree)) => assert_eq!(got, *tree, "{what} of {shown}"),
        (Ok(None), Ok(_)) => {}
        (Ok(_), Err(refusal)) => {
            let left = readable(refusal);
            assert!(left.faults.is_empty(), "{what} of {shown}: accepted, in spite of {left:?}");
        }
        (Err(error), Err(refusal)) => {
            let left = readable(refusal);
            let other = !left.faults.is_empty() && allowed(&left, &error);
            assert!(other || allowed(refusal, &error), "{what} of {shown}: {error}, not {refusal:?}");
        }
        (Err(error), Ok(_)) => panic!("{what} of {shown}: {error}, but the twin accepts it"),
    };
    let events = Decoder::with_config(bytes, &config).and_then(|mut decoder| {
        let tree = Tree::from_events(&mut decoder)?;
        decoder.finish()?;
        Ok(Some(tree))
    });
    stepped("events", events);
    if levels == Config::DEFAULT_MAX_DEPTH {
        stepped("the notation", diag::to_string(bytes).map(|_| None));
    }

    let form = twin.as_ref().ok().and_then(reference::canonical);
    match (config.to_canonical(bytes), &form, &twin) {
        (Ok(got), Some(form), _) => assert_eq!(hex(&got), hex(form), "the canonical form of {shown}"),
        (Err(error), None, _) if error.name() == "duplicate-key" => {}
        (Err(error), None, Err(refusal)) => {
            assert!(allowed(refusal, &error), "to_canonical of {shown}: {:?}, not {refusal:?}", fault(&error))
        }
        (got, ..) => panic!("the canonical form of {shown}: {got:?}, but the twin says {form:?}"),
    }
    let strict = config.strict(true).check(bytes);
    assert_eq!(strict.is_ok(), form.as_deref() == Some(bytes), "strict check of {shown}: {strict:?}");
}

/// A cursor does not look at what follows the value.
fn first_of<'v>(
    bytes: &'v [u8],
    got: wbin::Result<Value<'v>>,
    twin: &Result<Tree, Refusal>,
) -> wbin::Result<Value<'v>> {
    match twin {
        Err(refusal) if refusal.faults.iter().any(|(name, _)| *name == "trailing-bytes") => {
            Value::from_slice(bytes)
        }
        _ => got,
    }
}

fn damaged(times: std::ops::Range<u64>) -> impl Strategy<Value = Shown> {
    (documents(), any::<u64>(), times).prop_map(|((_, mut bytes), seed, times)| {
        let mut dice = Dice(seed | 1);
        (0..times).for_each(|_| mutate(&mut bytes.0, &mut dice));
        bytes
    })
}

#[test]
fn damaged_columns_are_judged_as_the_twin_does() {
    let verdicts = Verdicts::default();
    let mut runner = TestRunner::new(cases(3000));
    let result = runner.run(&damaged(1..4), |bytes| {
        judged(&bytes.0, Config::DEFAULT_MAX_DEPTH, &verdicts);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let Verdicts { accepted, fixed, open } = &verdicts;
    let counts = [accepted, fixed, open].map(|counter| counter.load(Ordering::Relaxed));
    println!("{} accepted, {} with a fixed fault, {} with others", counts[0], counts[1], counts[2]);
    assert!(counts.into_iter().all(|count| count >= 150), "{counts:?}");
}

#[test]
fn few_levels_are_judged_as_the_twin_does() {
    let verdicts = Verdicts::default();
    let mut runner = TestRunner::new(cases(2000));
    let result = runner.run(&(damaged(0..2), 0_u32..7), |(bytes, levels)| {
        judged(&bytes.0, levels, &verdicts);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Columns in one another, most of which take no bits of their own (COL-44).
#[test]
fn stacks_are_judged_as_the_twin_does() {
    let verdicts = Verdicts::default();
    let mut runner = TestRunner::new(cases(300));
    let result = runner.run(&(stacks().prop_map(Shown), 0_u32..60), |(bytes, levels)| {
        judged(&bytes.0, Config::DEFAULT_MAX_DEPTH, &verdicts);
        judged(&bytes.0, levels, &verdicts);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let [accepted, fixed] =
        [&verdicts.accepted, &verdicts.fixed].map(|counter| counter.load(Ordering::Relaxed));
    assert!(accepted >= 50 && fixed >= 50, "{accepted} were accepted, {fixed} refused");
}

/// Bytes that begin as columns do and go on anyhow.
#[test]
fn any_bytes_after_the_tag_are_judged_as_the_twin_does() {
    let verdicts = Verdicts::default();
    let head = (prop::sample::select(vec![0xD2_u8, 0xD3]), 1_u8..12, 0_u8..16, 0_u8..16);
    let byte = prop_oneof![4 => 0_u8..4, 2 => 0x10_u8..0x70, 1 => any::<u8>()];
    let bytes = (head, prop::collection::vec(byte, 0..40)).prop_map(|((tag, n, kind, low), rest)| {
        let low = if matches!(kind, 3..=4 | 6..=10 | 12 | 14) { low % 4 } else { low % 2 };
        Shown([&[tag, n, kind << 4 | low], &rest[..]].concat())
    });
    let mut runner = TestRunner::new(cases(6000));
    let result = runner.run(&bytes, |bytes| {
        judged(&bytes.0, Config::DEFAULT_MAX_DEPTH, &verdicts);
        // What is after the value hides whether it is good.
        if let Ok(end) = reference::skip(&bytes.0, 128) {
            judged(&bytes.0[..end], Config::DEFAULT_MAX_DEPTH, &verdicts);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let accepted = verdicts.accepted.load(Ordering::Relaxed);
    assert!(accepted >= 100, "{accepted} were accepted");
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn every_strict_prefix_is_truncated((_, bytes) in documents()) {
        let bytes = bytes.0;
        // All of a short one, and some of a long one.
        for end in (0..bytes.len()).step_by(1 + bytes.len() / 80) {
            let cut = &bytes[..end];
            let errors = [
                Value::from_slice(cut).err(),
                wbin::from_slice::<Value<'_>>(cut).err(),
                wbin::from_slice::<Tree>(cut).err(),
                wbin::from_slice::<IgnoredAny>(cut).err(),
                wbin::from_slice::<RawValue<'_>>(cut).err(),
                wbin::from_reader::<_, OwnedValue>(OneByte::new(cut)).err(),
                wbin::check(cut).err(),
                wbin::skip(cut).err(),
                diag::to_string(cut).err(),
                canonical::to_canonical(cut).err(),
                Decoder::new(cut).value().err(),
                Decoder::new(cut).skip().err(),
                Tree::from_events(&mut Decoder::new(cut)).err(),
                Cursor::new(cut).to_value().err(),
                RawValue::from_slice(cut).err(),
            ];
            let expected = reference::decode(cut, 128).expect_err("a prefix")[0];
            prop_assert_eq!(expected.0, "truncated");
            for (way, error) in errors.into_iter().enumerate() {
                let error = error.unwrap_or_else(|| panic!("{} was accepted in way {way}", hex(cut)));
                prop_assert_eq!(fault(&error), expected, "{} way {}", hex(cut), way);
            }
            // In a sequence the end before the first byte of a value is no error.
            let mut slice = wbin::iter::<Tree>(cut);
            let mut reader = wbin::iter_reader::<_, Tree>(OneByte::new(cut));
            match end {
                0 => prop_assert!(slice.next().is_none() && reader.next().is_none()),
                _ => {
                    let error = slice.next().expect("an error").expect_err("a prefix");
                    prop_assert_eq!(fault(&error), expected, "{}", hex(cut));
                    let error = reader.next().expect("an error").expect_err("a prefix");
                    prop_assert_eq!(fault(&error), expected, "{}", hex(cut));
                }
            }
        }
    }
}

// --- types ----------------------------------------------------------------------------------------------

mod typed {
    use super::*;
    use std::collections::HashMap;
    use wbin::ext::Tagged;

    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    enum External {
        Unit,
        Newtype(Option<u16>),
        Tuple(i8, String),
        Struct { a: u32, b: Option<Box<External>> },
    }

    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    #[serde(tag = "type")]
    enum Internal {
        Unit,
        Struct { size: u32, name: Option<String> },
    }

    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Unit,
        Newtype(u64),
        Tuple(bool, f64),
        Struct { x: i32 },
    }

    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Number(i64),
        Text(String),
        List(Vec<u16>),
        Struct { only: bool },
    }

    #[derive(Serialize, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Clone, Debug)]
    struct Name(String);

    #[derive(Serialize, Deserialize, PartialEq, Clone, Copy, Debug)]
    struct Unit;

    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    struct Shared {
        created: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        deleted: Option<u64>,
    }

    mod as_bytes {
        use super::*;

        pub(super) fn serialize<S: serde::Serializer>(
            bytes: &[u8],
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(bytes)
        }

        pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Vec<u8>, D::Error> {
            match OwnedValue::deserialize(deserializer)?.0 {
                Value::Bytes(bytes) => Ok(bytes.into_owned()),
                other => Err(serde::de::Error::custom(format!("{other}, which is no bytes"))),
            }
        }
    }

    /// The bits of a float, so that NaNs are compared.
    #[derive(Serialize, Deserialize, Clone, Copy, Debug)]
    struct Single(f32);

    impl PartialEq for Single {
        fn eq(&self, other: &Single) -> bool {
            self.0.to_bits() == other.0.to_bits()
        }
    }

    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    struct Row<'a> {
        id: u64,
        wide: i128,
        #[serde(borrow)]
        text: &'a str,
        owned: String,
        name: Name,
        maybe: Option<i32>,
        twice: Option<Option<u8>>,
        letter: char,
        flag: bool,
        price: f64,
        single: Single,
        unit: Unit,
        nothing: (),
        tuple: (i8, String, Option<bool>),
        array: [u16; 3],
        /// More than sixteen.
        long: Vec<u32>,
        blob: Vec<u8>,
        #[serde(with = "as_bytes")]
        bytes: Vec<u8>,
        nested: Vec<Vec<i32>>,
        by_name: HashMap<String, i64>,
        by_number: BTreeMap<i32, Name>,
        external: External,
        internal: Internal,
        adjacent: Adjacent,
        untagged: Untagged,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        #[serde(default)]
        extra: u8,
        #[serde(skip)]
        skipped: u8,
        #[serde(rename = "renamed", alias = "other")]
        field: i16,
        any: OwnedValue,
        tagged: Tagged<u64>,
    }

    /// Maps whose fields are not known before.
    #[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
    struct Flat {
        id: u32,
        #[serde(flatten)]
        shared: Shared,
        #[serde(flatten)]
        rest: BTreeMap<String, OwnedValue>,
    }

    #[derive(Serialize, Deserialize)]
    struct Parts<'a> {
        id: u32,
        #[serde(borrow)]
        raw: RawValue<'a>,
    }

    fn row(n: usize, dice: &mut Dice) -> Row<'static> {
        const WORDS: [&str; 5] = ["", "north", "Grüße", "a longer text that is said again and again", "x"];
        let word = WORDS[dice.below(5) as usize];
        let mut number = |most: u64| dice.below(most);
        Row {
            id: 1000 + n as u64,
            wide: [n as i128, -1, i128::MAX, i128::MIN, 1 << 64][number(5) as usize],
            text: word,
            owned: format!("{word} {n}"),
            name: Name(word.into()),
            maybe: (number(3) > 0).then_some(n as i32 - 20),
            twice: [None, Some(None), Some(Some(n as u8))][number(3) as usize],
            letter: ['a', 'ß', '\u{10FFFF}', '\0'][number(4) as usize],
            flag: n % 3 == 0,
            price: [n as f64 / 100.0, f64::NEG_INFINITY, -0.0, 0.1][number(4) as usize],
            single: Single(f32::from_bits(
                [0x7F80_0001, 0xFFC1_2345, 0x3F80_0000, n as u32][number(4) as usize],
            )),
            unit: Unit,
            nothing: (),
            tuple: (
                (n as i8).wrapping_neg(),
                word.into(),
                [None, Some(true), Some(false)][number(3) as usize],
            ),
            array: [n as u16, 0, u16::MAX],
            long: (0..number(40) as u32).map(|item| item * item).collect(),
            blob: vec![n as u8; number(20) as usize],
            bytes: vec![0xFF; number(20) as usize],
            nested: (0..number(4)).map(|len| (0..len as i32).map(|item| -item).collect()).collect(),
            by_name: (0..number(20)).map(|key| (key.to_string(), -(key as i64))).collect(),
            by_number: (0..number(5) as i32).map(|key| (key - 2, Name(key.to_string()))).collect(),
            external: match number(4) {
                0 => External::Unit,
                1 => External::Newtype((n % 2 == 0).then_some(n as u16)),
                2 => External::Tuple(-1, word.into()),
                _ => External::Struct { a: n as u32, b: Some(Box::new(External::Unit)) },
            },
            internal: match n % 2 {
                0 => Internal::Unit,
                _ => Internal::Struct { size: n as u32, name: Some(word.into()) },
            },
            adjacent: match number(4) {
                0 => Adjacent::Unit,
                1 => Adjacent::Newtype(u64::MAX - n as u64),
                2 => Adjacent::Tuple(true, 0.5),
                _ => Adjacent::Struct { x: -(n as i32) },
            },
            untagged: match number(4) {
                0 => Untagged::Number(-(n as i64)),
                1 => Untagged::Text(word.into()),
                2 => Untagged::List(vec![n as u16; n % 5]),
                _ => Untagged::Struct { only: n % 2 == 0 },
            },
            tags: vec![word.into(); number(3) as usize],
            extra: 0,
            skipped: 0,
            field: n as i16,
            any: OwnedValue(match number(4) {
                0 => Value::Null,
                1 => Value::from(vec![Value::from(n), Value::from("x")]),
                2 => wbin::Ext::new(5, word).into(),
                _ => Value::from(word),
            }),
            tagged: Tagged { ext_type: 40, value: n as u64 },
        }
    }

    /// Both forms are read alike, from a slice and from a reader.
    fn same<'de, T: Serialize + Deserialize<'de> + PartialEq + std::fmt::Debug>(
        value: &T,
        forms: &'de [Vec<u8>; 2],
    ) {
        for bytes in forms {
            let read: T = wbin::from_slice(bytes).expect("a value");
            if read != *value {
                let show = |value: &T| {
                    let form = Config::new().canonical(true).to_vec(value).expect("an encoding");
                    diag::to_string_pretty(&form).expect("a notation")
                };
                assert_eq!(show(&read), show(value), "{}", hex(bytes));
                panic!("a difference that is not written: {}", hex(bytes));
            }
        }
        assert!(forms[1].len() < forms[0].len(), "{} and {}", forms[1].len(), forms[0].len());
    }

    fn forms<T: Serialize>(value: &T) -> [Vec<u8>; 2] {
        [Config::new().plain(true), Config::new()].map(|config| {
            let bytes = config.to_vec(value).expect("an encoding");
            wbin::check(&bytes).expect("a valid document");
            bytes
        })
    }

    #[test]
    fn types_are_read_from_either_form() {
        for n in [3, 17, 60, 200] {
            let mut dice = Dice(n as u64 | 1);
            let rows: Vec<Row<'_>> = (0..n).map(|index| row(index, &mut dice)).collect();
            same(&rows, &forms(&rows));
            // The same as the values of a map, and in a column of lists.
            let by_key: BTreeMap<String, Row<'_>> =
                rows.iter().map(|row| (format!("row {}", row.id), row.clone())).collect();
            same(&by_key, &forms(&by_key));
            let chunks: Vec<Vec<Row<'_>>> = rows.chunks(2).map(<[Row<'_>]>::to_vec).collect();
            same(&chunks, &forms(&chunks));
            // Nothing else is written where the type is written through an encoder.
            let mut encoder = Encoder::new();
            encoder.serialize(&rows).expect("rows");
            assert_eq!(encoder.finish().expect("rows"), forms(&rows)[1]);
            // And what a `Value` has is what both say.
            let [plain, written] = forms(&rows);
            let value = |bytes: &[u8]| Value::from_slice(bytes).expect("a value").into_owned();
            assert_eq!(value(&plain), value(&written));
        }
    }

    #[test]
    fn flattened_fields_and_raw_parts_are_read_from_either_form() {
        let flat = |n: u32| Flat {
            id: n,
            shared: Shared {
                created: 1_700_000_000 + u64::from(n),
                deleted: (n % 4 == 0).then_some(n.into()),
            },
            rest: (0..n % 3).map(|key| (format!("field {key}"), OwnedValue(Value::from(n)))).collect(),
        };
        let rows: Vec<Flat> = (0..100).map(flat).collect();
        same(&rows, &forms(&rows));

        let inner = forms(&rows);
        let parts =
            |n: u32| Parts { id: n, raw: RawValue::from_slice(&inner[n as usize % 2]).expect("a document") };
        let all: Vec<Parts<'_>> = (0..20).map(parts).collect();
        for bytes in forms(&all) {
            let read: Vec<Parts<'_>> = wbin::from_slice(&bytes).expect("parts");
            assert_eq!(read.len(), 20);
            for (n, part) in read.iter().enumerate() {
                assert_eq!(
                    (part.id as usize, part.raw.decode::<Vec<Flat>>().expect("rows")),
                    (n, rows.clone())
                );
            }
        }
    }

    /// Older and newer versions of a type, with fields that are skipped, defaulted or unknown.
    #[test]
    fn other_versions_of_a_type_read_either_form() {
        #[derive(Serialize)]
        struct New {
            id: u32,
            unknown: Vec<Option<String>>,
            name: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            absent: Option<u8>,
        }
        #[derive(Deserialize, PartialEq, Debug)]
        #[serde(default)]
        struct Old {
            name: String,
            absent: u8,
            id: u64,
            more: Vec<u8>,
        }
        impl Default for Old {
            fn default() -> Old {
                Old { name: String::new(), absent: 7, id: 0, more: vec![1] }
            }
        }
        let new = |n: u32| New {
            id: n,
            unknown: vec![Some("x".into()), None],
            name: ["a", "b"][n as usize % 2],
            absent: (n % 5 == 0).then_some(9),
        };
        let rows: Vec<New> = (0..50).map(new).collect();
        let [plain, written] = forms(&rows);
        assert!(written.len() < plain.len());
        let old: Vec<Old> = wbin::from_slice(&written).expect("older rows");
        assert_eq!(old, wbin::from_slice::<Vec<Old>>(&plain).expect("older rows"));
        assert_eq!(old[5], Old { name: "b".into(), absent: 9, id: 5, more: vec![1] });
        assert_eq!(old[6], Old { name: "a".into(), absent: 7, id: 6, more: vec![1] });

        #[derive(Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code)]
        struct Strict {
            id: u64,
            name: String,
        }
        for bytes in [plain, written] {
            let error = wbin::from_slice::<Vec<Strict>>(&bytes).expect_err("a field too many");
            assert_eq!((error.name(), error.path().as_deref()), ("unknown-field", Some("[0]")));
        }
    }
}

/// A list that is empty if it cannot be read.
#[derive(Debug, PartialEq)]
struct Lenient(Vec<u8>);

impl<'de> serde::Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Lenient, D::Error> {
        Ok(Lenient(Vec::deserialize(deserializer).unwrap_or_default()))
    }
}

#[test]
fn columns_that_do_not_hold_together_are_swallowed_by_no_type() {
    // The count of the second list is -1.
    let bytes = [0x83, 0x81, 0x05, 0xD2, 0xFF, 0x81, 0x06];
    let error = wbin::from_slice::<Vec<Lenient>>(&bytes).unwrap_err();
    assert_eq!((error.name(), error.offset()), ("invalid-column", Some(3)));
    // What is only no list of bytes is passed over.
    let bytes = [0x83, 0x81, 0x05, 0xD2, 0x02, 0x20, 0x02, 0x81, 0x06];
    let read: Vec<Lenient> = wbin::from_slice(&bytes).unwrap();
    assert_eq!(read, [Lenient(vec![5]), Lenient(vec![]), Lenient(vec![6])]);
}

#[test]
fn a_fault_in_a_plain_column_has_its_own_offset() {
    // true, and a string that is no text, in a union of bools and plain values.
    let bytes = [0xD2, 0x02, 0xE0, 0x02, 0x02, 0x20, 0x01, 0x00, 0x02, 0x41, 0xFF];
    let mut decoder = Decoder::new(&bytes);
    decoder.list().unwrap();
    assert!(decoder.bool().unwrap());
    let error = decoder.str().expect_err("no text");
    assert_eq!(fault(&error), ("invalid-utf8", 9));
    let error = decoder.event().expect_err("no text");
    assert_eq!(fault(&error), ("invalid-utf8", 9));
    let error = decoder.bytes().expect_err("no bytes");
    assert_eq!(fault(&error), ("invalid-type", 9));
    assert_eq!(fault(&wbin::check(&bytes).expect_err("no text")), ("invalid-utf8", 9));
}

/// A value of a plain column stands where it stands, as far as that is known; else its column tells.
#[test]
fn a_decoder_tells_where_values_of_a_plain_column_stand() {
    // [5, "hi", [7], null, true, false, 9, 10]
    let bytes = [0xD2, 8, 0x00, 11, 5, 0x42, b'h', b'i', 0x81, 7, 0xB8, 0xBA, 0xB9, 9, 10];
    let (column, mut decoder) = (2, Decoder::new(&bytes));
    decoder.list().unwrap();
    assert_eq!(decoder.position(), 4);
    assert_eq!(decoder.kind().unwrap(), Kind::Int);
    assert_eq!(decoder.position(), 4);
    assert_eq!(decoder.i64().unwrap(), 5);
    assert!(decoder.more().unwrap());
    assert_eq!(decoder.position(), 5);
    assert_eq!(decoder.str().unwrap(), "hi");
    assert!(decoder.more().unwrap());
    assert_eq!(decoder.position(), 8);
    // What is passed over is not looked at.
    decoder.skip().unwrap();
    assert!(decoder.more().unwrap());
    assert_eq!(decoder.position(), column);
    decoder.null().unwrap();
    assert!(decoder.more().unwrap());
    assert_eq!(decoder.position(), 11);
    assert_eq!(decoder.kind().unwrap(), Kind::Bool);
    decoder.skip().unwrap();
    assert!(decoder.more().unwrap());
    assert_eq!(decoder.position(), column);
    decoder.skip().unwrap();
    assert_eq!(decoder.kind().unwrap(), Kind::Int);
    assert_eq!(decoder.position(), 13);
    assert_eq!((decoder.i64().unwrap(), decoder.i64().unwrap()), (9, 10));
    decoder.end().unwrap();
    decoder.finish().unwrap();
}

/// By columns the fault of the first column comes first; by rows, in which values are read, that of the last.
#[test]
fn check_finds_the_first_fault_by_rows() {
    let plain = |values: &[u8]| [&[0x00, values.len() as u8][..], values].concat();
    let (good, bad) = (0x05, 0xD4);
    let columns = |columns: &[&[u8]]| [&[0xD2, 0x02, 0xB1, 0x02][..], &columns.concat()].concat();
    let cases = [
        // Row 1 of the first column, row 0 of the second.
        (columns(&[&plain(&[good, bad]), &plain(&[bad, good])]), 10),
        // The same row: the first column.
        (columns(&[&plain(&[good, bad]), &plain(&[good, bad])]), 7),
        // Only the first column has one, in a list as well.
        (columns(&[&plain(&[good, bad]), &plain(&[good, good])]), 7),
        (columns(&[&plain(&[good, 0x81, bad]), &plain(&[good, good])]), 8),
        // Item 1 of two lists, which is of the second, before an item of the second column's second row.
        (columns(&[&[&[0xA0, 0x03][..], &plain(&[good, bad])].concat(), &plain(&[good, bad])]), 9),
        // The only value behind a bitmap is that of row 1, before row 0 of the second column is met.
        (columns(&[&[&[0x12, 0x02][..], &plain(&[bad])].concat(), &plain(&[bad, good])]), 11),
        // Bytes behind the last value are found after it.
        (columns(&[&plain(&[good, good, good]), &plain(&[good, bad])]), 4),
    ];
    for (bytes, offset) in cases {
        let mut decoder = Decoder::new(&bytes);
        let read = loop {
            if let Err(error) = decoder.event() {
                break error;
            }
        };
        assert_eq!(read.offset(), Some(offset), "events of {}", hex(&bytes));
        let checked = wbin::check(&bytes).expect_err("a fault");
        assert_eq!(fault(&checked), fault(&read), "check of {}", hex(&bytes));
    }
}

/// The same for a fault at each place of a plain column in each kind of column, and one in each row beside it.
#[test]
fn check_finds_the_first_fault_in_columns_of_every_kind() {
    const ROWS: u8 = 6;
    /// Values of a byte each, one of which is none; or there is one too many.
    fn plain(n: u8, bad: u8) -> Vec<u8> {
        let length = n + u8::from(bad == n);
        let values = (0..length).map(|at| if at == bad && at < n { 0xD4 } else { at });
        [vec![0x00, length], values.collect()].concat()
    }
    let whole = |n: u8| plain(n, u8::MAX);
    let nullable = |bits: u8| vec![0x12, bits];
    let union =
        |first: Vec<u8>, last: Vec<u8>| [vec![0xE6, 3, 2, 0, 1, 2, 0, 2], first, vec![0x10], last].concat();
    // A column of six, and how many places it has for a fault.
    let shape = |kind: u8, bad: u8| -> (u8, Vec<u8>) {
        let (lists, maps) = (vec![0xA6, 0, 2, 1, 0, 3, 1], vec![0xC6, 1, 2, 0, 1, 0, 3]);
        let (places, parts) = match kind {
            0 => (6, vec![plain(6, bad)]),
            1 => (7, vec![lists, plain(7, bad)]),
            2 => (12, vec![vec![0xB0, 2], plain(12, bad)]),
            3 => (6, vec![vec![0xB1, 2], whole(6), plain(6, bad)]),
            4 => (7, vec![maps, plain(7, bad), whole(7)]),
            5 => (7, vec![maps, whole(7), plain(7, bad)]),
            6 => (3, vec![nullable(0b11_0100), plain(3, bad)]),
            7 => {
                let table = vec![0xD0, 2, 0x41, b'a', 0x41, b'b', 0x11, 0b01_1101];
                (4, vec![table, plain(4, bad), nullable(0)])
            }
            8 => (6, vec![vec![0xF0, 0x3F], plain(6, bad)]),
            9 => (3, vec![union(whole(2), plain(3, bad))]),
            10 => (2, vec![union(plain(2, bad), whole(3))]),
            11 => (3, vec![union(plain(2, 1), plain(3, bad))]),
            12 => (2, vec![vec![0xA6, 2, 1, 0, 1, 2, 0], union(plain(2, bad), whole(3))]),
            _ => (3, vec![vec![0xA6, 0, 2, 1, 0, 2, 1], nullable(0b1_0110), plain(3, bad)]),
        };
        (places, parts.concat())
    };
    let events = |bytes: &[u8]| {
        let mut decoder = Decoder::new(bytes);
        loop {
            match decoder.event() {
                Ok(_) if decoder.depth() > 0 => {}
                Ok(_) => return decoder.finish(),
                Err(error) => return Err(error),
            }
        }
    };
    for kind in 0..14 {
        let (places, _) = shape(kind, u8::MAX);
        for bad in (0..=places).chain([u8::MAX]) {
            let (_, column) = shape(kind, bad);
            for beside in (0..=ROWS).chain([u8::MAX]) {
                let other = plain(ROWS, beside);
                for columns in [[&column[..], &other], [&other, &column]] {
                    let bytes = [&[0xD2, ROWS, 0xB1, 2], &columns.concat()[..]].concat();
                    let shown = format!("kind {kind}, places {bad} and {beside}: {}", hex(&bytes));
                    let read = events(&bytes).map_err(|error| fault(&error));
                    let is_good = bad == u8::MAX && beside == u8::MAX && kind != 11;
                    assert_eq!(read.is_ok(), is_good, "{shown}");
                    assert_eq!(wbin::check(&bytes).map_err(|error| fault(&error)), read, "{shown}");
                }
            }
        }
    }
}

/// A key of a table is the same in each of the forms of a string.
#[test]
fn keys_of_tables_in_any_form_of_a_string() {
    let forms = |name: u8| -> [Vec<u8>; 5] {
        [
            vec![0x41, name],
            vec![0xC0, 1, name],
            vec![0xC1, 1, 0, name],
            vec![0xC2, 1, 0, 0, 0, name],
            vec![0xC3, 1, 0, 0, 0, 0, 0, 0, 0, name],
        ]
    };
    let table = |keys: &[&[u8]]| [&[0xD2, 1, 0xD0, 2][..], &keys.concat(), &[0x20, 1, 0x20, 0]].concat();
    for one in forms(b'a') {
        for other in forms(b'b') {
            let bytes = table(&[&one, &other]);
            wbin::check(&bytes).expect("a valid document");
            assert_eq!(diag::to_string(&bytes).expect("a document"), r#"[{"a": true, "b": false}]"#);
        }
        for other in forms(b'a') {
            let bytes = table(&[&one, &other]);
            let twice = Err(("duplicate-key", 4 + one.len()));
            assert_eq!(wbin::check(&bytes).map_err(|error| fault(&error)), twice, "{}", hex(&bytes));
            let read = Value::from_slice(&bytes).map(drop).map_err(|error| fault(&error));
            assert_eq!(read, twice, "{}", hex(&bytes));
        }
    }
}

/// Sums of differences are ints of 64 bits (COL-18), which the widths alone tell only of small ones.
#[test]
fn differences_from_the_largest_int() {
    let column = |base: u8, bits: u8| {
        let first = [0xA7, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F];
        [&[0xD2, 0x02, 0x40][..], &first, &[base, bits]].concat()
    };
    // By 0 + 0, -1 + 0, -1 + 1
    for (base, bits, second) in [(0x00, 0, i64::MAX), (0xFF, 0, i64::MAX - 1), (0xFF, 1, i64::MAX)] {
        let bytes = column(base, bits);
        assert_eq!(wbin::from_slice::<[i64; 2]>(&bytes).unwrap(), [i64::MAX, second]);
        wbin::check(&bytes).unwrap();
    }
    // By 0 + 1, 1 + 0
    for (base, bits) in [(0x00, 1), (0x01, 0)] {
        let bytes = column(base, bits);
        let error = wbin::from_slice::<[i64; 2]>(&bytes).unwrap_err();
        assert_eq!((error.name(), error.offset()), ("invalid-column", Some(2)));
        assert_eq!(fault(&wbin::check(&bytes).unwrap_err()), fault(&error));
    }
}

/// What a dictionary gives out is what its elements choose, not the longest entry for each (COL-24).
#[test]
fn a_dictionary_with_a_long_entry_that_is_rare() {
    let long = "x".repeat(100);
    let texts: Vec<&str> = (0..2000).map(|i| if i == 1000 { &long } else { ["y", "z"][i % 2] }).collect();
    let bytes = wbin::to_vec(&texts).unwrap();
    assert!(bytes.len() < 700, "{} bytes, so it is a dictionary", bytes.len());
    assert!(100 * texts.len() > 64 * bytes.len());
    wbin::check(&bytes).unwrap();
    assert_eq!(wbin::from_slice::<Vec<&str>>(&bytes).unwrap(), texts);
    assert_eq!(Value::from_slice(&bytes).unwrap(), wbin::to_value(&texts).unwrap());
}

/// The keys of maps in a column are told apart in each kind of column, for each map by itself.
#[test]
fn keys_in_columns_of_every_kind_are_told_apart() {
    let head = |int: i64| wbin::Config::new().plain(true).to_vec(&int).expect("an int");
    let packed = |bytes: usize, numbers: &[i64]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(bytes)).collect()
    };
    let based = |kind: u8, code: u8, bytes: usize, base: i64, ints: &[i64]| {
        let numbers: Vec<i64> = ints.iter().map(|int| int - base).collect();
        [vec![kind << 4 | code], head(base), packed(bytes, &numbers)].concat()
    };
    let texts = |kind: u8, ints: &[i64]| {
        let texts: Vec<String> = ints.iter().map(|int| int.to_string()).collect();
        let lengths: Vec<i64> = texts.iter().map(|text| text.len() as i64).collect();
        [vec![kind << 4 | 6, 0x00], packed(1, &lengths), texts.concat().into_bytes()].concat()
    };
    let column = |kind: usize, ints: &[i64]| -> Vec<u8> {
        let least = ints.iter().copied().min().unwrap_or(0);
        let differences: Vec<i64> = ints.windows(2).map(|pair| pair[1] - pair[0]).collect();
        match kind {
            0 => based(3, 6, 1, least, ints),
            1 => based(3, 9, 2, least, ints),
            2 => based(3, 11, 4, least - 7, ints),
            3 => based(3, 15, 8, -1000, ints),
            4 => {
                let base = differences.iter().copied().min().unwrap_or(0);
                let steps: Vec<i64> = differences.iter().map(|step| step - base).collect();
                [vec![0x4F], head(ints[0]), head(base), packed(8, &steps)].concat()
            }
            5 => {
                [vec![0x50], ints.iter().flat_map(|int| (*int as f64 / 8.0).to_le_bytes()).collect()].concat()
            }
            6 => [vec![0x51], ints.iter().flat_map(|int| (*int as f32).to_le_bytes()).collect()].concat(),
            7 => [vec![0x6F, 3], based(3, 15, 8, least, ints)[1..].to_vec()].concat(),
            8 => texts(7, ints),
            9 => texts(8, ints),
            10 => {
                let plain: Vec<u8> = ints.iter().flat_map(|int| head(*int)).collect();
                [vec![0x00], head(plain.len() as i64), plain].concat()
            }
            11 => {
                let mut entries = ints.to_vec();
                entries.sort_unstable();
                entries.dedup();
                let index = |int: &i64| entries.binary_search(int).expect("an entry") as i64;
                let indices: Vec<i64> = ints.iter().map(index).collect();
                let m = head(entries.len() as i64);
                [vec![0x99], m, based(3, 15, 8, -1000, &entries), packed(2, &indices)].concat()
            }
            12 => {
                // Two entries are the same, and only one of them is chosen.
                let m = head(256);
                let entries: Vec<i64> = (0..255).chain([254]).collect();
                let indices: Vec<i64> = ints.iter().map(|int| int & 0xFF).map(|int| int.min(254)).collect();
                [vec![0x99], m, based(3, 15, 8, -1000, &entries), packed(2, &indices)].concat()
            }
            _ => [vec![0xB0, 1], based(3, 15, 8, -1000, ints)].concat(),
        }
    };
    let mut dice = Dice(7);
    let mut told = [[0; 2]; 14];
    for round in 0..120 {
        for (kind, told) in told.iter_mut().enumerate() {
            let counts: Vec<usize> = match round % 4 {
                0 => vec![2 + dice.below(60) as usize],
                1 => (0..10).map(|_| dice.below(4) as usize).chain([2]).collect(),
                2 => vec![1, 1, 0, 1, 3],
                _ => (0..3).map(|_| dice.below(40) as usize).chain([2]).collect(),
            };
            let mut ints = Vec::new();
            for n in &counts {
                // Each map has keys of its own, that rise, fall or come in any order, and others have them, too.
                let (start, step) = (dice.below(20) as i64, 1 + dice.below(2) as i64);
                let mut own: Vec<i64> = (0..*n as i64).map(|at| start + step * at).collect();
                match dice.below(3) {
                    0 => own.reverse(),
                    1 => (1..*n).for_each(|at| own.swap(at, dice.below(at as u64 + 1) as usize)),
                    _ => {}
                }
                if *n > 1 && dice.one_in(2 * counts.len() as u64) {
                    let (one, other) = (dice.below(*n as u64) as usize, dice.below(*n as u64) as usize);
                    own[one] = own[other];
                }
                ints.extend(own);
            }
            let mut at = 0;
            let same = |own: &[i64]| (1..own.len()).any(|index| own[..index].contains(&own[index]));
            let twice = counts.iter().any(|n| {
                at += n;
                same(&ints[at - n..at])
            });
            let numbers: Vec<i64> = counts.iter().map(|n| *n as i64).collect();
            let maps = [vec![0xD2], head(counts.len() as i64), vec![0xC6], packed(1, &numbers)].concat();
            let nulls = [vec![0x12], vec![0; ints.len().div_ceil(8)]].concat();
            let bytes = [&maps[..], &column(kind, &ints), &nulls].concat();
            let expected = match twice {
                true => Some(("duplicate-key", Some(maps.len()))),
                false => None,
            };
            let got = |result: wbin::Result<()>| result.err().map(|error| (error.name(), error.offset()));
            let cursor = || wbin::Cursor::new(&bytes).index(0).map(drop);
            assert_eq!(got(wbin::check(&bytes)), expected, "check, kind {kind}: {counts:?} of {ints:?}");
            assert_eq!(
                got(Value::from_slice(&bytes).map(drop)),
                expected,
                "kind {kind}: {counts:?} of {ints:?}"
            );
            assert_eq!(got(cursor()), expected, "a cursor, kind {kind}: {counts:?} of {ints:?}");
            told[usize::from(twice)] += 1;
        }
    }
    assert!(told.iter().flatten().all(|times| *times >= 20), "{told:?}");
}

/// Decimals of 2^52 and more may be rounded to the same float (COL-20), and be the same key; smaller ones never are.
#[test]
fn decimals_that_are_the_same_float_are_the_same_key() {
    let keys = |m: i64| {
        let base = Config::new().plain(true).to_vec(&m).expect("an int");
        [&[0xD3, 2, 0x60, 1][..], &base, &[0b10, 0x12, 0]].concat()
    };
    let is_same = |m: i64| m as f64 / 10.0 == (m + 1) as f64 / 10.0;
    let (mut same, mut others) = (0, 0);
    for m in ((1 << 53) - 500..(1 << 53) - 2).chain((1 << 52) - 500..(1 << 52) + 500) {
        let twice = is_same(m).then_some("duplicate-key");
        assert_eq!(wbin::check(&keys(m)).err().map(|error| error.name()), twice, "{m}");
        assert_eq!(Value::from_slice(&keys(m)).err().map(|error| error.name()), twice, "{m}");
        *if is_same(m) { &mut same } else { &mut others } += 1;
    }
    assert!(same > 50 && others > 50, "{same} and {others}");
    // What takes fewer bits than that may come to as much with its base.
    let base = (1_i64 << 52) - 1;
    let head = Config::new().plain(true).to_vec(&base).expect("an int");
    let float =
        |m: i64| wbin::from_slice::<[f64; 1]>(&[&[0xD2, 1, 0x6D, 22], &head[..], &number(m - base)].concat());
    fn number(number: i64) -> [u8; 6] {
        *number.to_le_bytes().first_chunk().expect("eight bytes")
    }
    // There the floats are less close to each other: 10^22 is little more than 2^73.
    let near = (10_i128.pow(22) >> 21) as i64;
    let m = (near..near + 100).find(|m| float(*m).expect("a float") == float(*m + 1).expect("a float"));
    let m = m.expect("two that are the same");
    let keys =
        [&[0xD3, 2, 0x6D, 22], &head[..], &number(m - base), &number(m + 1 - base), &[0x12, 0]].concat();
    assert_eq!(wbin::check(&keys).expect_err("a key twice").name(), "duplicate-key");
    assert_eq!(Value::from_slice(&keys).expect_err("a key twice").name(), "duplicate-key");
}

/// Of many keys that are written down to be compared the first are compared before all of them.
#[test]
fn many_keys_without_a_number_are_told_apart() {
    let (some, more) = (4096, 5000);
    for counts in [vec![some], vec![more], vec![10, some], vec![10, more, 1]] {
        let n: usize = counts.iter().sum();
        let head = |int: usize| Config::new().plain(true).to_vec(&int).expect("an int");
        let packed = |numbers: &[usize]| -> Vec<u8> {
            numbers.iter().flat_map(|number| (*number as u16).to_le_bytes()).collect()
        };
        // Each key is a list of one int.
        let document = |ints: &[usize]| {
            let keys = [&[0xB0, 1, 0x39, 0], &packed(ints)[..]].concat();
            let nulls = [vec![0x12], vec![0; n.div_ceil(8)]].concat();
            [&[0xD2], &head(counts.len())[..], &[0xC9], &packed(&counts), &keys, &nulls].concat()
        };
        let mut ints: Vec<usize> = (0..n).collect();
        wbin::check(&document(&ints)).expect("keys that differ");
        Value::from_slice(&document(&ints)).expect("keys that differ");
        let begin: usize = counts[..counts.len().min(2) - 1].iter().sum();
        for (one, other) in [(begin, begin + 1), (begin + 5, begin + some - 1)] {
            ints[other] = ints[one];
            for error in [wbin::check(&document(&ints)), Value::from_slice(&document(&ints)).map(drop)] {
                assert_eq!(error.expect_err("a key twice").name(), "duplicate-key", "{counts:?}");
            }
            ints[other] = other;
        }
    }
    // The same where what is read may have any keys.
    for n in [some, more] {
        let map: BTreeMap<String, u8> = (0..n).map(|key| (key.to_string(), key as u8)).collect();
        let bytes = wbin::to_vec(&map).expect("a map");
        assert_eq!(bytes[0], 0xD3);
        assert_eq!(
            wbin::from_slice::<Value<'_>>(&bytes).expect("a map"),
            Value::from_slice(&bytes).expect("a map")
        );
    }
}

/// A column with the same two elements by turns, in each kind of entries that a dictionary may have.
#[test]
fn entries_of_dictionaries_of_every_kind() {
    let single = |float: f32| float.to_le_bytes();
    let double = |float: f64| float.to_le_bytes();
    let kinds: [(Vec<u8>, [Value<'_>; 2]); 9] = [
        (vec![0x36, 5, 0, 1], [5.into(), 6.into()]),
        (vec![0x36, 0xFE, 0, 5], [(-2).into(), 3.into()]),
        (vec![0x46, 7, 0xFD, 0], [7.into(), 4.into()]),
        ([&[0x50][..], &double(0.1), &double(-2.5)].concat(), [0.1.into(), (-2.5).into()]),
        ([&[0x51][..], &single(1.5), &single(-0.25)].concat(), [1.5.into(), (-0.25).into()]),
        (vec![0x66, 1, 0xFE, 0, 12], [(-0.2).into(), 1.0.into()]),
        ([&[0x76, 0, 1, 2][..], b"aef"].concat(), ["a".into(), "ef".into()]),
        (
            [&[0x86, 0, 2, 1][..], b"aef"].concat(),
            [Value::Bytes(b"ae"[..].into()), Value::Bytes(b"f"[..].into())],
        ),
        ([&[0x76, 1, 0, 1][..], b"aef"].concat(), ["a".into(), "ef".into()]),
    ];
    for (entries, [zero, one]) in kinds {
        let bytes = [&[0xD2, 5, 0x90, 2][..], &entries, &[0b0_1010]].concat();
        let expected = Value::from(vec![zero.clone(), one.clone(), zero.clone(), one.clone(), zero.clone()]);
        assert_eq!(Value::from_slice(&bytes).expect("a value"), expected);
        assert_eq!(wbin::from_slice::<Value<'_>>(&bytes).expect("a value"), expected);
        assert_eq!(Decoder::new(&bytes).value().expect("a value"), expected);
        let cursor = Cursor::new(&bytes);
        for (index, own) in [(3, &one), (0, &zero), (4, &zero), (1, &one)] {
            let item = cursor.index(index).expect("a list").expect("an item");
            assert_eq!(item.to_value().expect("a value"), *own, "{}", hex(&bytes));
        }
    }
}

/// Columns in columns are built on little stack, however deep they are.
#[test]
fn deep_columns_become_values_on_little_stack() {
    let test = || {
        for levels in [3900, 4000] {
            let lists = [vec![0xD2, 1], [0xB0, 1].repeat(levels), vec![0x20, 1]].concat();
            let config = Config::new().max_depth(5000);
            let mut value = &Value::from_slice_with(&lists, &config).expect("a value");
            for _ in 0..=levels {
                value = &value.as_list().expect("a list")[0];
            }
            assert_eq!(*value, Value::from(true));
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 21).spawn(test);
    thread.expect("a thread").join().expect("no fault in the thread");
}

/// Rows that lack fields have the keys of those that they have, also where others have half of these.
#[test]
fn rows_of_many_fields_have_their_own_keys() {
    const ROWS: usize = 64;
    const FIELDS: usize = 128;
    let mut dice = Dice(3);
    let names: Vec<String> = (0..FIELDS).map(|field| format!("{field:03}")).collect();
    for _ in 0..100 {
        let halves: Vec<u64> = (0..8).map(|_| dice.below(u64::MAX)).collect();
        let mut half = || u128::from(halves[dice.below(8) as usize]);
        let rows: Vec<u128> = (0..ROWS).map(|_| half() << 64 | half()).collect();
        let mut bytes = vec![0xD2, 0xA0, ROWS as u8, 0xD0, 0xA0, FIELDS as u8];
        names.iter().for_each(|name| bytes.extend([&[0x43], name.as_bytes()].concat()));
        for field in 0..FIELDS {
            let has = |row: &u128| row >> field & 1 == 1;
            let byte = |rows: &[u128]| rows.iter().rev().fold(0, |byte, row| byte << 1 | u8::from(has(row)));
            bytes.push(0x11);
            bytes.extend(rows.chunks(8).map(byte));
            let n = rows.iter().filter(|row| has(row)).count();
            if n > 0 {
                bytes.push(0x20);
                bytes.extend(vec![0; n.div_ceil(8)]);
            }
        }
        let value = Value::from_slice(&bytes).expect("a value");
        for (row, read) in rows.iter().zip(value.as_list().expect("a list").iter()) {
            let keys = read.as_map().expect("a map").keys().map(|key| key.as_str().expect("a name"));
            let own = (0..FIELDS).filter(|field| row >> field & 1 == 1).map(|field| &names[field][..]);
            assert!(keys.eq(own));
        }
    }
}

/// What cursors share of columns is where the last look at them ended; any may look next.
#[test]
fn cursors_into_the_same_columns_are_read_in_any_order() {
    const N: usize = 300;
    let mut dice = Dice(5);
    let mut draw = |n: usize, below: u64| -> Vec<u8> { (0..n).map(|_| dice.below(below) as u8).collect() };
    let bits = |bits: &[u8]| -> Vec<u8> {
        bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit)).collect()
    };
    let sum = |numbers: &[u8]| numbers.iter().map(|number| usize::from(*number)).sum::<usize>();
    let head = |int: usize| Config::new().plain(true).to_vec(&int).expect("an int");
    let texts = |kind: u8, lengths: &[u8], text: Vec<u8>| {
        [vec![kind << 4 | 6, 0x00], lengths.to_vec(), text].concat()
    };
    let letters = |n: usize| -> Vec<u8> { (0..n).map(|at| b'a' + (at % 23) as u8).collect() };
    let ints = |ints: Vec<u8>| [vec![0x36, 0x07], ints].concat();

    let lengths = draw(N, 4);
    let strings = texts(7, &lengths, letters(sum(&lengths)));
    let lengths = draw(N, 5);
    let bytes = texts(8, &lengths, letters(sum(&lengths)));
    let differences = [vec![0x46, 0x09, 0xF8], draw(N - 1, 17)].concat();
    let there = draw(N, 2);
    let nullable = [vec![0x12], bits(&there), ints(draw(sum(&there), 200))].concat();
    let there = draw(N, 2);
    let sparse = [vec![0xD0, 1, 0x41, b's', 0x11], bits(&there), ints(draw(sum(&there), 200))].concat();
    let lengths = draw(N, 4);
    let lists = [vec![0xA6], lengths.clone(), ints(draw(sum(&lengths), 200))].concat();
    let counts = draw(N, 3);
    let keys = [vec![0x44, 0x00, 0x01], vec![0; (sum(&counts) - 1) * 5 / 8 + 1]].concat();
    let maps = [vec![0xC6], counts.clone(), keys, ints(draw(sum(&counts), 200))].concat();
    let choices = draw(N, 3);
    let chose = |variant: u8| choices.iter().filter(|choice| **choice == variant).count();
    let union = [vec![0xE6, 4], choices.clone(), ints(draw(chose(0), 200)), vec![0x10]];
    let union = [union.concat(), texts(7, &vec![1; chose(2)], letters(chose(2)))].concat();
    let values: Vec<u8> = draw(N, 3)
        .iter()
        .flat_map(|size| [vec![0x05], vec![0xA0, 0x77], vec![0x82, 0x03, 0xB8]][usize::from(*size)].clone())
        .collect();
    let plain = [vec![0x00], head(values.len()), values].concat();
    let columns = [strings, bytes, differences, nullable, sparse, lists, maps, union, plain];
    let document = [&[0xD2], &head(N)[..], &[0xB1, columns.len() as u8], &columns.concat()].concat();
    wbin::check(&document).expect("a valid document");

    let expected = Value::from_slice(&document).expect("a value");
    let expected = expected.as_list().expect("a list");
    let cursors: Vec<Cursor<'_>> =
        Cursor::new(&document).items().expect("a list").collect::<Result<_, _>>().expect("items");
    let look = |index: usize| {
        let row = cursors[index].to_value().expect("a row");
        assert_eq!(row, expected[index], "{index}");
    };
    (0..N).rev().for_each(look);
    // From each place modulo 8 ahead by a little, by about 64 and by more, and back.
    for from in 0..16 {
        for ahead in [1, 2, 7, 8, 9, 63, 64, 65, 66, 71, 72, 73, 130, 200] {
            look(from);
            look(from + ahead);
            look(from + ahead + 1);
        }
    }
    (0..N).for_each(|index| look(index * 77 % N));
}

/// A cursor in columns tells where its column begins, one in a plain column where its value does.
#[test]
fn cursors_tell_where_their_columns_stand() {
    let rows = [
        &[0xD2, 2, 0xD0, 4, 0x41, b'a', 0x41, b'b', 0x41, b'c', 0x41, b'd'][..],
        &[0x36, 0, 7, 8],
        &[0x11, 0b10, 0x20, 1],
        &[0xB1, 2, 0x36, 0, 1, 2, 0x20, 0b01],
        &[0x00, 3, 0x41, b'x', 5],
    ]
    .concat();
    let cursor = Cursor::new(&rows);
    let items: Vec<_> = cursor.items().unwrap().map(|item| item.unwrap()).collect();
    for (index, item) in items.iter().enumerate() {
        assert_eq!((item.position(), cursor.index(index).unwrap().unwrap().position()), (2, 2));
        let fields: &[(&str, usize)] = match index {
            0 => &[("a", 12), ("c", 20), ("d", 30)],
            _ => &[("a", 12), ("b", 16), ("c", 20), ("d", 32)],
        };
        let entries: Vec<_> = item.entries().unwrap().map(|entry| entry.unwrap()).collect();
        assert_eq!(entries.len(), fields.len());
        for ((name, at), (key, value)) in fields.iter().zip(entries) {
            assert_eq!((key.str().unwrap(), key.position(), value.position()), (*name, 2, *at));
            assert_eq!(item.get(name).unwrap().unwrap().position(), *at);
        }
        let pair = item.get("c").unwrap().unwrap();
        assert_eq!([0, 1].map(|place| pair.index(place).unwrap().unwrap().position()), [22, 26]);
        let places: Vec<_> = pair.items().unwrap().map(|place| place.unwrap().position()).collect();
        assert_eq!(places, [22, 26]);
        assert!(pair.index(2).unwrap().is_none());
    }
    let map = [0xD3, 2, 0x76, 0, 1, 1, b'x', b'y', 0x20, 0b10];
    let cursor = Cursor::new(&map);
    assert_eq!(cursor.get("y").unwrap().unwrap().position(), 8);
    let entries: Vec<_> = cursor.entries().unwrap().map(|entry| entry.unwrap()).collect();
    for (key, value) in entries {
        assert_eq!((key.position(), value.position()), (2, 8));
    }
}

/// Of dictionaries that are too long to be listed only some places are noted.
#[test]
fn long_dictionaries_are_read_in_any_order() {
    const N: usize = 40_000;
    let head = |int: usize| Config::new().plain(true).to_vec(&int).expect("an int");
    let chosen = |index: usize| index * 7919 % N;
    let indices: Vec<u8> = (0..N).flat_map(|index| (chosen(index) as u16).to_le_bytes()).collect();
    let texts: Vec<String> = (0..N).map(|entry| entry.to_string()).collect();
    let lengths: Vec<u8> = texts.iter().map(|text| text.len() as u8).collect();
    let number: fn(usize) -> Value<'static> = |entry| Value::from(entry as u64 + 5);
    type Entry = fn(usize) -> Value<'static>;
    let kinds: [(Vec<u8>, Entry); 4] = [
        (
            [&[0x39, 5][..], &(0..N).flat_map(|entry| (entry as u16).to_le_bytes()).collect::<Vec<u8>>()]
                .concat(),
            number,
        ),
        ([&[0x40, 5, 1][..], &[0; N / 8]].concat(), number),
        ([&[0x76, 0][..], &lengths, texts.concat().as_bytes()].concat(), |entry| {
            Value::from(entry.to_string())
        }),
        ([&[0x86, 0][..], &lengths, texts.concat().as_bytes()].concat(), |entry| {
            Value::Bytes(entry.to_string().into_bytes().into())
        }),
    ];
    for (entries, value) in kinds {
        let bytes = [&[0xD2][..], &head(N), &[0x99], &head(N), &entries, &indices].concat();
        let expected: Vec<Value<'_>> = (0..N).map(|index| value(chosen(index))).collect();
        assert!(Value::from_slice(&bytes).expect("a value") == Value::from(expected.clone()));
        assert!(wbin::from_slice::<Value<'_>>(&bytes).expect("a value") == Value::from(expected.clone()));
        wbin::check(&bytes).expect("a valid document");
        let cursor = Cursor::new(&bytes);
        for index in [0, 1, 63, 64, 65, 7919, N - 1] {
            let own = cursor.index(index).expect("a list").expect("an item").to_value();
            assert_eq!(own.expect("a value"), expected[index], "{index}");
        }
        for (index, item) in cursor.items().expect("a list").enumerate().step_by(97) {
            assert_eq!(item.expect("an item").to_value().expect("a value"), expected[index], "{index}");
        }
        assert!(wbin::canonical::to_canonical(&bytes).expect("a document").len() > N);
    }
}
