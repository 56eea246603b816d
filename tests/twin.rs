//! Can the naive twin be trusted with columns? What its writer writes, its reader reads: every kind, in
//! every place, at the same depth, and nothing shorter.
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use support::alike::{alike, stacks};
use support::loose::{Dice, Style, mutate};
use support::strategy::tree;
use support::{Tree, columns, hex, reference};

const STYLE: Style = Style { columns: true, wrappers: true };
const BARE: Style = Style { columns: true, wrappers: false };

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases,
        ..ProptestConfig::default()
    }
}

/// Values in columns that are like each other, or nothing of the kind.
fn subjects() -> impl Strategy<Value = Tree> {
    let pair = (tree(), tree()).prop_map(|(a, b)| Tree::List(vec![a.clone(), b, Tree::Null, a]));
    prop_oneof![3 => alike().prop_filter("nothing to write", columns::has_columns), 1 => pair]
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn what_is_written_by_columns_is_read(tree in subjects(), seed in any::<u64>()) {
        let bytes = columns::document(&tree, STYLE, &mut Dice(seed | 1));
        prop_assert_eq!(reference::decode(&bytes, 128), Ok(tree), "{}", hex(&bytes));
        prop_assert_eq!(reference::skip(&bytes, 128), Ok(bytes.len()));
        for end in (0..bytes.len()).step_by(1 + bytes.len() / 100) {
            let faults = reference::decode(&bytes[..end], 128).expect_err("cut off");
            prop_assert_eq!(faults.len(), 1, "{:?} in {}", faults, hex(&bytes[..end]));
            prop_assert_eq!(faults[0].0, "truncated", "{}", hex(&bytes[..end]));
            prop_assert_eq!(reference::skip(&bytes[..end], 128), Err(faults[0]));
        }
    }

    #[test]
    fn a_value_nests_as_deep_in_both_forms(tree in subjects(), seed in any::<u64>()) {
        let bytes = columns::document(&tree, BARE, &mut Dice(seed | 1));
        let depth = tree.depth() as usize;
        let refused = reference::decode(&bytes, depth - 1).expect_err("too deep");
        prop_assert!(refused.iter().any(|(name, _)| *name == "depth-limit"), "{:?} in {}", refused, hex(&bytes));
        prop_assert_eq!(reference::decode(&bytes, depth), Ok(tree), "{}", hex(&bytes));
    }
}

/// What the columns of [`stacks`] weigh, and what their bytes bear (COL-44), worked out without a reader; and
/// what they end in.
fn weighed(bytes: &[u8]) -> (usize, usize, &'static str) {
    let n = usize::from(bytes[2]);
    let bits = n.div_ceil(8);
    let keys = if bytes[0] == 0xD3 { n } else { 0 };
    let mut elements = keys;
    let mut at = if keys > 0 { 5 + n } else { 3 };
    loop {
        let all = 32 * (elements + n);
        let first = || bytes[at + 1];
        match bytes[at] {
            0x20 => return (all, bytes.len(), "bools"),
            0x12 if first() == 0 => return (all, bytes.len(), "nulls"),
            0xE0 if bytes[at + 2 + bits] == 0x10 => return (all, bytes.len(), "nulls of a union"),
            0x00 if first() == 0xA0 => return (all, bytes.len(), "plain bytes"),
            0x00 => return (all, bytes.len() - n, "plain strings"),
            0x90 => return (all + 32 + n * usize::from(bytes[at + 3]), bytes.len(), "a dictionary"),
            _ => {}
        }
        let (counted, length) = match bytes[at] {
            0xB0 | 0xB1 => (n, 2),
            0xF0 => (2 * n, 2),
            0xD0 => (n, 3),
            0xA0 => (n, 1 + bits),
            // Nothing is null here, so it does not matter which of the two counts, this or the one in it.
            0x11 | 0x12 => (0, 1 + bits),
            0xE0 => (0, 2 + bits),
            byte => panic!("{byte:02X} at {at}"),
        };
        elements += counted;
        at += length;
    }
}

/// 312 for each byte after the tag, and no more.
#[test]
fn elements_are_counted() {
    let counts: Mutex<BTreeMap<&str, [u32; 2]>> = Mutex::default();
    let mut runner = proptest::test_runner::TestRunner::new(cases(1000));
    let result = runner.run(&stacks(), |bytes| {
        let at = bytes.iter().position(|byte| *byte != 0x81).expect("a list or map by columns");
        let (weight, size, base) = weighed(&bytes[at..]);
        let allowed = weight <= 312 * (size - 1);
        assert_eq!(reference::skip(&bytes, 128), Ok(bytes.len()), "{}", hex(&bytes));
        match reference::judge(&bytes, 128) {
            Ok(_) => assert!(allowed, "{}", hex(&bytes)),
            Err(refusal) => {
                assert!(!allowed, "{refusal:?} in {}", hex(&bytes));
                assert_eq!((&refusal.faults[..], refusal.late), (&[("invalid-column", at)][..], false));
            }
        }
        counts.lock().expect("one at a time").entry(base).or_default()[usize::from(allowed)] += 1;
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let counts = counts.into_inner().expect("no one is left");
    println!("{counts:?}");
    assert!(counts.len() == 6 && counts.values().flatten().all(|count| *count >= 5), "{counts:?}");
}

/// A list for each kind that can be a column of it.
#[test]
fn every_kind_is_written_and_read() {
    let int = |u| Tree::Int(false, u);
    let ints = |ints: &[u128]| Tree::List(ints.iter().copied().map(int).collect());
    let text = |text: &str| Tree::Str(text.to_string());
    let float = |f: f64| Tree::Float(f.to_bits());
    let row = |a: u128, b: &str| Tree::Map(vec![(text("a"), int(a)), (text("b"), text(b))]);
    let lists: [(u8, Vec<Tree>); 17] = [
        (0, vec![int(1), Tree::some(Tree::Null), text("x")]),
        (1, vec![Tree::Null, int(5), Tree::Null]),
        (2, vec![Tree::Bool(true), Tree::Bool(false)]),
        (3, vec![int(1), Tree::Int(true, i64::MAX as u128), int(i64::MAX as u128)]),
        (3, vec![int(u128::from(u64::MAX)), int(0)]),
        (4, vec![int(10), int(20), int(3)]),
        (5, vec![float(-0.0), float(1.5), float(0.1)]),
        (6, vec![float(0.25), float(12.99), float(-1e-9)]),
        (7, vec![text("Grüße"), text(""), text("x")]),
        (8, vec![Tree::Bytes(vec![0xFF]), Tree::Bytes(vec![])]),
        (9, vec![text("x"), text("y"), text("x")]),
        (10, vec![ints(&[1, 2]), ints(&[]), ints(&[3])]),
        (11, vec![ints(&[1, 2]), ints(&[3, 4])]),
        (12, vec![row(1, "x"), Tree::Map(vec![]), row(2, "y")]),
        (13, vec![row(1, "x"), Tree::Map(vec![]), row(2, "y")]),
        (14, vec![int(1), text("x"), Tree::Null]),
        (15, vec![Tree::Ext(7, Box::new(int(1))), Tree::Ext(7, Box::new(Tree::Null))]),
    ];
    for (kind, items) in lists {
        for seed in 0..300_u64 {
            let mut dice = Dice(seed * 0x9E37_79B9 + 1);
            let Some(bytes) = columns::list_of_kind(&items, kind, STYLE, &mut dice) else {
                panic!("no column of kind {kind} for {items:?}");
            };
            assert_eq!(reference::decode(&bytes, 128), Ok(Tree::List(items.clone())), "{}", hex(&bytes));
        }
    }
}

/// The faults of damaged columns, which a comparison is worth nothing without.
#[test]
fn damage_shows_in_every_way() {
    let seen: Mutex<BTreeMap<&str, u32>> = Mutex::default();
    let damaged = (subjects(), any::<u64>(), 1..3).prop_map(|(tree, seed, times)| {
        let mut dice = Dice(seed | 1);
        let mut bytes = columns::document(&tree, STYLE, &mut dice);
        (0..times).for_each(|_| mutate(&mut bytes, &mut dice));
        bytes
    });
    let mut runner = proptest::test_runner::TestRunner::new(cases(2000));
    let result = runner.run(&damaged, |bytes| {
        let mut seen = seen.lock().expect("one at a time");
        let skipped = reference::skip(&bytes, 128);
        match reference::judge(&bytes, 128) {
            Ok(_) => {
                *seen.entry("accepted").or_default() += 1;
                assert_eq!(skipped, Ok(bytes.len()));
            }
            Err(refusal) => {
                *seen.entry(if refusal.late { "late" } else { "at once" }).or_default() += 1;
                *seen.entry(refusal.faults[0].0).or_default() += 1;
                *seen.entry("one of several").or_default() += u32::from(refusal.faults.len() > 1);
                match skipped {
                    Ok(end) if end == bytes.len() => *seen.entry("well-formed").or_default() += 1,
                    Ok(_) => {}
                    Err(fault) => assert_eq!(refusal.faults.last(), Some(&fault)),
                }
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let seen = seen.into_inner().expect("no one is left");
    println!("{seen:?}");
    let names =
        ["truncated", "invalid-column", "invalid-utf8", "duplicate-key", "ext-type", "trailing-bytes"];
    for name in names.iter().chain(&["accepted", "at once", "late", "well-formed", "one of several"]) {
        assert!(seen.get(name).is_some_and(|count| *count >= 2), "{name} among {seen:?}");
    }
}
