//! Is there one canonical form for each value, and does strict reading take that and nothing else?
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use proptest::prelude::*;
use support::loose::{Dice, encoding, mutate};
use support::strategy::tree;
use support::{Tree, hex, reference, unhex};
use wbin::{Config, Encoder, RawValue, Value, canonical};

const NAN: u64 = 0x7FF8_0000_0000_0000;

/// The value without what the canonical form gives up: the order of entries, and what is in NaNs.
/// Entries are put in the order of how they print, which is as good as any.
fn normal(value: &Tree) -> Tree {
    match value {
        Tree::Float(bits) if f64::from_bits(*bits).is_nan() => Tree::Float(NAN),
        Tree::List(items) => Tree::List(items.iter().map(normal).collect()),
        Tree::Map(entries) => {
            let mut entries: Vec<_> =
                entries.iter().map(|(key, value)| (normal(key), normal(value))).collect();
            entries.sort_by_cached_key(|(key, _)| format!("{key:?}"));
            Tree::Map(entries)
        }
        Tree::Ext(ext_type, payload) => Tree::Ext(*ext_type, Box::new(normal(payload))),
        Tree::Some(payload) => Tree::Some(Box::new(normal(payload))),
        scalar => scalar.clone(),
    }
}

/// Whether two keys of some map have the same canonical form (CAN-9).
fn has_no_form(value: &Tree) -> bool {
    match value {
        Tree::List(items) => items.iter().any(has_no_form),
        Tree::Map(entries) => {
            let keys: Vec<Tree> = entries.iter().map(|(key, _)| normal(key)).collect();
            let twice = (1..keys.len()).any(|at| keys[..at].contains(&keys[at]));
            twice || entries.iter().any(|(key, value)| has_no_form(key) || has_no_form(value))
        }
        Tree::Ext(_, payload) | Tree::Some(payload) => has_no_form(payload),
        _ => false,
    }
}

/// The same value, with the entries of all its maps in another order and other bits in its NaNs.
fn shuffled(value: &Tree, dice: &mut Dice) -> Tree {
    match value {
        Tree::Float(bits) if f64::from_bits(*bits).is_nan() => {
            Tree::Float(NAN | dice.below(2) << 63 | dice.below(1 << 40))
        }
        Tree::List(items) => Tree::List(items.iter().map(|item| shuffled(item, dice)).collect()),
        Tree::Map(entries) => {
            let mut entries: Vec<_> =
                entries.iter().map(|(key, value)| (shuffled(key, dice), shuffled(value, dice))).collect();
            for at in (1..entries.len()).rev() {
                entries.swap(at, dice.below(at as u64 + 1) as usize);
            }
            Tree::Map(entries)
        }
        Tree::Ext(ext_type, payload) => Tree::Ext(*ext_type, Box::new(shuffled(payload, dice))),
        Tree::Some(payload) => Tree::Some(Box::new(shuffled(payload, dice))),
        scalar => scalar.clone(),
    }
}

/// Values that have a canonical form.
fn formed() -> impl Strategy<Value = Tree> {
    tree().prop_filter("two keys have one canonical form", |tree| !has_no_form(tree))
}

fn config() -> ProptestConfig {
    let scale: u32 = std::env::var("WBIN_TEST_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: 800 * scale,
        max_global_rejects: 800 * scale,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_form_of_a_form_is_itself(value in formed(), seed: u64) {
        let bytes = encoding(&value, seed);
        let form = canonical::to_canonical(&bytes).expect("a valid document");
        prop_assert_eq!(hex(&canonical::to_canonical(&form).expect("a valid document")), hex(&form));
    }

    #[test]
    fn the_form_does_not_depend_on_how_a_value_was_encoded(value in formed(), seeds: (u64, u64, u64)) {
        let form = canonical::to_canonical(&encoding(&value, seeds.0)).expect("a valid document");
        let other = encoding(&value, seeds.1);
        prop_assert_eq!(hex(&canonical::to_canonical(&other).expect("a valid document")), hex(&form));
        let signed = [&wbin::tag::SIGNATURE[..], &other].concat();
        prop_assert_eq!(hex(&canonical::to_canonical(&signed).expect("a valid document")), hex(&form));
        let other = encoding(&shuffled(&value, &mut Dice(seeds.2 | 1)), seeds.1);
        prop_assert_eq!(hex(&canonical::to_canonical(&other).expect("a valid document")), hex(&form));
        prop_assert_eq!(hex(&reference::canonical(&value).expect("a form")), hex(&form));
    }

    #[test]
    fn every_way_of_writing_gives_the_form(value in formed(), seed: u64) {
        let sorted = Config::new().canonical(true);
        let form = canonical::to_canonical(&encoding(&value, seed)).expect("a valid document");
        prop_assert_eq!(hex(&sorted.to_vec(&value).expect("a value")), hex(&form));
        // A canonical document has no signature, whatever the config says.
        prop_assert_eq!(hex(&sorted.signature(true).to_vec(&value).expect("a value")), hex(&form));
        let mut encoder = Encoder::with_config(&sorted);
        value.encode(&mut encoder).expect("a value");
        prop_assert_eq!(hex(&encoder.finish().expect("a value")), hex(&form));
        // Bytes of any form in others.
        let raw = RawValue::from_vec(encoding(&value, seed)).expect("a valid document");
        let among: Vec<u8> = [&[0x83, 0x05][..], &form, &[0x41, b'x']].concat();
        prop_assert_eq!(hex(&sorted.to_vec(&(5, &raw, "x")).expect("a value")), hex(&among));
        let plain = value.without_some();
        let form = reference::canonical(&plain).expect("a form");
        prop_assert_eq!(hex(&plain.to_value().to_vec_with(&sorted).expect("a value")), hex(&form));
    }

    #[test]
    fn the_form_says_the_same(value in formed(), seed: u64) {
        let form = canonical::to_canonical(&encoding(&value, seed)).expect("a valid document");
        let strict = Config::new().strict(true);
        let read: Tree = strict.from_slice(&form).expect("a canonical document");
        prop_assert_eq!(normal(&read), normal(&value));
        let read: Value<'_> = strict.from_slice(&form).expect("a canonical document");
        prop_assert_eq!(normal(&Tree::from(&read)), normal(&value.without_some()));
        prop_assert!(Value::from_slice_with(&form, &strict).expect("a canonical document") == read);
        prop_assert!(canonical::check(&form).is_ok() && strict.check(&form).is_ok());
        // Nothing that differs is taken for it.
        prop_assert_eq!(hex(&strict.plain(true).to_vec(&read).expect("a value")), hex(&reference::preferred(&Tree::from(&read))));
    }

    #[test]
    fn strict_reading_takes_the_form_only(value in tree(), seed: u64) {
        let bytes = encoding(&value, seed);
        let form = canonical::to_canonical(&bytes);
        let expected = form.as_ref().is_ok_and(|form| *form == bytes);
        let strict = canonical::check(&bytes);
        prop_assert_eq!(strict.is_ok(), expected, "{} {:?}", hex(&bytes), strict);
        prop_assert_eq!(form.is_err(), has_no_form(&value));
        if let Err(error) = form {
            prop_assert_eq!(error.name(), "duplicate-key");
        }
    }

    #[test]
    fn a_damaged_form_is_another_form_or_none(value in formed(), seed: u64, times in 1..3) {
        let mut bytes = reference::canonical(&value).expect("a form");
        let mut dice = Dice(seed | 1);
        (0..times).for_each(|_| mutate(&mut bytes, &mut dice));
        let form = canonical::to_canonical(&bytes);
        let expected = form.is_ok_and(|form| form == bytes);
        let strict = canonical::check(&bytes);
        prop_assert_eq!(strict.is_ok(), expected, "{} {:?}", hex(&bytes), strict);
        // What is accepted strictly is accepted, and means what it says.
        if strict.is_ok() {
            let read: Tree = wbin::from_slice(&bytes).expect("a canonical document");
            prop_assert_eq!(hex(&reference::canonical(&read).expect("a form")), hex(&bytes));
        }
    }
}

#[test]
fn entries_are_in_the_order_of_their_encoded_keys() {
    let keys =
        ["05", "A0 40", "A1 00 02", "A1 FF 01", "B0 08", "B8", "41 61", "41 62", "42 61 61", "80", "FF"];
    let mut sorted: Vec<Vec<u8>> = keys.map(unhex).to_vec();
    sorted.sort();
    let map = |keys: &[Vec<u8>]| {
        let entries = keys.iter().flat_map(|key| [key.clone(), vec![0x00]].concat());
        [0x90 + keys.len() as u8].into_iter().chain(entries).collect::<Vec<u8>>()
    };
    let form = map(&sorted);
    let mut dice = Dice(7);
    for _ in 0..100 {
        let mut keys = sorted.clone();
        (1..keys.len()).for_each(|at| keys.swap(at, dice.below(at as u64 + 1) as usize));
        let bytes = map(&keys);
        assert_eq!(hex(&canonical::to_canonical(&bytes).unwrap()), hex(&form));
        assert_eq!(canonical::check(&bytes).is_ok(), bytes == form);
    }
}

/// Two keys of one canonical form: the second is named, wherever it stands (CAN-9).
#[test]
fn keys_of_one_form_have_none() {
    for (bytes, offset) in [
        ("92 B6 00 00 C0 7F 00 B6 00 00 C0 FF 00", 7),
        ("93 B6 00 00 C0 7F 00 05 00 B6 00 00 C0 FF 00", 9),
        ("93 B6 00 00 C0 FF 00 05 00 B6 00 00 C0 7F 00", 9),
        ("92 92 01 00 02 00 05 92 02 00 01 00 06", 7),
        ("92 81 B6 00 00 C0 7F 00 81 B7 01 00 00 00 00 00 F8 7F 00", 8),
        ("DF 57 42 01 92 B6 00 00 C0 7F 00 B6 00 00 C0 FF 00", 11),
    ] {
        let bytes = unhex(bytes);
        assert!(wbin::check(&bytes).is_ok(), "the keys are different");
        let error = canonical::to_canonical(&bytes).unwrap_err();
        assert_eq!((error.name(), error.offset()), ("duplicate-key", Some(offset)), "{}", hex(&bytes));
        let value = wbin::from_slice::<Tree>(&bytes).unwrap();
        let error = Config::new().canonical(true).to_vec(&value).unwrap_err();
        assert_eq!(error.name(), "duplicate-key");
    }
}

/// A `some` stays where its own chain ends in null, whatever chains were read before it (VAL-9).
#[test]
fn a_some_is_looked_at_by_itself() {
    for (bytes, form) in [
        ("82 BB B8 BB 05", "82 BB B8 05"),
        ("82 BB 05 BB B8", "82 05 BB B8"),
        // A long chain just before a short one
        ("82 BB BB BB BB BB B8 BB 05", "82 BB BB BB BB BB B8 05"),
        ("82 BB BB BB BB BB 05 BB B8", "82 05 BB B8"),
        // By columns, where what comes later may stand further to the front
        ("D2 02 B1 02 00 04 BB B8 BB B8 00 04 BB 05 BB 05", "82 82 BB B8 05 82 BB B8 05"),
        ("D2 02 B1 02 00 04 BB 05 BB 05 00 04 BB B8 BB B8", "82 82 05 BB B8 82 05 BB B8"),
    ] {
        assert_eq!(hex(&canonical::to_canonical(&unhex(bytes)).unwrap()), hex(&unhex(form)), "{bytes}");
    }
}

/// Raw values are in any form: by columns, with open lists in these and around them, and as deep as they are.
#[test]
fn raw_values_are_brought_to_the_form() {
    let sorted = Config::new().canonical(true);
    let written = |bytes: &str| {
        let raw = RawValue::from_vec(unhex(bytes)).unwrap();
        sorted.to_vec(&[raw.clone(), raw])
    };
    for (bytes, form) in [
        ("D2 03 31 05 24", "83 05 06 07"),
        // A list by columns in a map by columns, and an open list after them
        (
            "92 41 62 D2 02 B1 02 00 04 BB B8 BB B8 00 04 BB 05 BB 05 41 61 D0 D0 05 BE D1 01 02 BE BE",
            "92 41 61 82 81 05 91 01 02 41 62 82 82 BB B8 05 82 BB B8 05",
        ),
        // Open lists in a plain column
        ("D2 02 00 09 D0 05 BE D0 D0 BE A0 06 BE", "82 81 05 82 80 06"),
        ("D0 D1 41 62 01 41 61 B6 00 00 C0 7F BE BE", "81 92 41 61 B6 00 00 C0 7F 41 62 01"),
    ] {
        let twice = format!("82 {form} {form}");
        assert_eq!(written(bytes).map(|form| hex(&form)).unwrap(), hex(&unhex(&twice)), "{bytes}");
    }
    // Two NaNs are two keys, but not in this form: the second stands behind the tag of the list and the map's.
    let error = written("92 B7 01 00 00 00 00 00 F8 7F 01 B6 00 00 C0 7F 02").unwrap_err();
    assert_eq!((error.name(), error.offset()), ("duplicate-key", Some(12)));
    // Two levels and two others are three too many for one.
    for depth in 0..5 {
        let deep = RawValue::from_vec(unhex("81 D2 02 B0 02 31 05 E4")).unwrap();
        let got = Config::new().canonical(true).max_depth(depth).to_vec(&[deep]);
        assert_eq!(got.is_ok(), depth >= 4, "{depth}: {got:?}");
    }
    // Open lists are counted with as many levels as there are.
    for depth in 0..5 {
        let deep = RawValue::from_vec(unhex("D0 D0 05 BE BE")).unwrap();
        let got = Config::new().canonical(true).max_depth(depth).to_vec(&[deep]);
        assert_eq!(got.is_ok(), depth >= 3, "{depth}: {got:?}");
    }
}

/// A sequence in canonical form is one of canonical forms.
#[test]
fn an_encoder_gives_the_form_of_each_value() {
    let mut encoder = Encoder::with_config(&Config::new().canonical(true).signature(true));
    encoder
        .map(2)
        .unwrap()
        .str("b")
        .unwrap()
        .int(1)
        .unwrap()
        .str("a")
        .unwrap()
        .int(2)
        .unwrap()
        .end()
        .unwrap();
    encoder.f64(-f64::NAN).unwrap().some().unwrap().int(5).unwrap().end().unwrap();
    encoder.open_list().unwrap();
    for n in 0..20 {
        encoder.int(n).unwrap();
    }
    encoder.end().unwrap();
    let bytes = encoder.finish().unwrap();
    let expected = "92 41 61 02 41 62 01  B6 00 00 C0 7F  05  C8 14 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13";
    assert_eq!(hex(&bytes), hex(&unhex(expected)));
    let items: Vec<wbin::Result<Tree>> = Config::new().strict(true).iter(&bytes).collect();
    assert!(items.len() == 4 && items.iter().all(Result::is_ok), "{items:?}");
}
