//! Which lists and maps are written by columns, and which are left as they are?

use super::{Tries, compact, value_at};
use crate::config::Config;
use crate::tag;
use crate::value::Value;
use crate::wbin;
use crate::write::Output;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::cell::Cell;

fn plain(value: &Value<'_>) -> Vec<u8> {
    value.to_vec_with(&Config::new().plain(true)).expect("a value")
}

/// The document, by columns where that is shorter.
fn compacted(bytes: &[u8]) -> Vec<u8> {
    match compact(bytes) {
        Some(shorter) => {
            let shorter = shorter.into_vec();
            assert!(shorter.len() < bytes.len());
            shorter
        }
        None => bytes.to_vec(),
    }
}

/// A list of so many ints of a byte, and of two bytes.
fn ints(ones: usize, twos: usize) -> Value<'static> {
    let ones = (0..ones).map(|n| n * 37 % 64);
    let twos = (0..twos).map(|n| 64 + n * 101 % 190);
    Value::from(ones.chain(twos).map(|n| n as u64).collect::<Vec<_>>())
}

/// A list that is shorter by columns, as it is and by columns.
fn list() -> [Vec<u8>; 2] {
    let bytes = plain(&ints(0, 40));
    let shorter = compacted(&bytes);
    assert_eq!((bytes[0], shorter[0]), (tag::LIST, tag::LIST_COLUMNS));
    [bytes, shorter]
}

/// Something in lists of four kinds of values: none of these is worth columns.
fn in_vain(inner: &[u8], levels: usize, is_open: bool) -> Vec<u8> {
    let others = plain(&wbin!([1, "a", 1.5]));
    (0..levels).fold(inner.to_vec(), |inner, _| match is_open {
        true => [&[tag::LIST_OPEN][..], &inner, &others[1..], &[tag::END]].concat(),
        false => [&[0x84], &inner[..], &others[1..]].concat(),
    })
}

#[test]
fn short_lists_are_left() {
    for (value, is_shorter) in [
        (ints(0, 31), true),
        (ints(1, 30), false),
        // Few scalars of any kind.
        (Value::from(vec![1_u64 << 40; 16]), true),
        (Value::from(vec![1_u64 << 40; 15]), false),
        (Value::from(vec![-1_i64 << 40; 15]), false),
        (Value::from(vec![1.0 / 3.0; 15]), false),
        (Value::from(vec!["abcdefgh"; 15]), false),
        (Value::from(vec![Value::Bytes(vec![7; 9].into()); 15]), false),
        (Value::from(vec![1.0 / 3.0; 16]), true),
        (Value::from(vec!["abcdefgh"; 16]), true),
    ] {
        let bytes = plain(&value);
        let expected = if is_shorter { tag::LIST_COLUMNS } else { bytes[0] };
        assert_eq!(compacted(&bytes)[0], expected, "{value:?}");
        // In a map of one entry, too, which is longer.
        let inside = compacted(&[&[0x91, 0x41, b'a'], &bytes[..]].concat());
        assert_eq!(inside[..3], [0x91, 0x41, b'a']);
        assert_eq!(inside[3..], compacted(&bytes));
    }
}

#[test]
fn two_lists_or_maps_are_worth_it() {
    let value = ints(0, 40);
    assert_eq!(compacted(&plain(&wbin!([(value.clone())])))[..2], [0x81, tag::LIST_COLUMNS]);
    assert_eq!(compacted(&plain(&wbin!([(value.clone()), (value.clone())])))[0], tag::LIST_COLUMNS);
    let row = wbin!({"name": "a name", "other": "another", "third": (ints(20, 0))});
    assert_eq!(compacted(&plain(&wbin!([(row.clone()), (row)])))[0], tag::LIST_COLUMNS);
    // Three entries of a map, if they are of one kind.
    let two = wbin!({"a": (value.clone()), "b": (value.clone())});
    assert_eq!(compacted(&plain(&two))[0], 0x92);
    let three = wbin!({"a": (value.clone()), "b": (value.clone()), "c": (value)});
    assert_eq!(compacted(&plain(&three))[0], tag::MAP_COLUMNS);
    let map = |strings: &[usize]| {
        let value = |n: usize| if strings.contains(&n) { wbin!("a") } else { wbin!(100) };
        Value::Map((0..40).map(|n| (Value::from(format!("{n:02}")), value(n))).collect())
    };
    for (strings, first) in
        [(&[][..], tag::MAP_COLUMNS), (&[3], tag::MAP_COLUMNS), (&[2], tag::MAP), (&[0], tag::MAP)]
    {
        assert_eq!(compacted(&plain(&map(strings)))[0], first, "{strings:?}");
    }
}

/// The first three values of a map tell whether they are of one kind.
#[test]
fn maps_of_several_kinds_are_left() {
    for value in [
        wbin!(1),
        wbin!(300),
        wbin!(-1),
        wbin!(-300),
        wbin!(1.5),
        wbin!(1.0 / 3.0),
        wbin!("a"),
        wbin!(true),
        wbin!([]),
    ] {
        for other in [Value::Bytes(vec![1].into()), wbin!([1]), wbin!({})] {
            let map = |others: &[usize]| {
                let value = |n: usize| if others.contains(&n) { other.clone() } else { value.clone() };
                plain(&Value::Map((0..40).map(|n| (Value::from(format!("{n:02}")), value(n))).collect()))
            };
            assert_eq!(compacted(&map(&[]))[0], tag::MAP_COLUMNS, "{value:?}");
            if !matches!((&value, &other), (Value::List(_), Value::List(_))) {
                assert_eq!(compacted(&map(&[2]))[0], tag::MAP, "{value:?} and {other:?}");
            }
        }
    }
}

/// Columns that are as long are not taken.
#[test]
fn columns_are_shorter() {
    // With three of two bytes both take 72 bytes.
    for (twos, is_shorter) in [(0, true), (1, false), (2, false), (3, false), (4, true)] {
        let bytes = plain(&ints(64, twos));
        let columns = compacted(&bytes);
        assert_eq!(columns[0] == tag::LIST_COLUMNS, is_shorter, "{twos}");
        for before in [&[0x91, 0x41, b'a'][..], &[0x81]] {
            assert_eq!(compacted(&[before, &bytes].concat()), [before, &columns].concat());
        }
        // Beside one that gets shorter by more.
        let [other, shorter] = list();
        let both = |a: &[u8], b: &[u8]| [&[0x92, 0x41, b'a'], a, &[0x41, b'b'], b].concat();
        assert_eq!(compacted(&both(&other, &bytes)), both(&shorter, &columns));
    }
}

#[test]
fn what_is_tried_in_vain_is_tried_a_few_times() {
    let [bytes, columns] = list();
    for levels in 0..9 {
        let inner = if levels < 6 { &columns } else { &bytes };
        for is_open in [false, true] {
            let expected = in_vain(inner, levels, is_open);
            assert_eq!(compacted(&in_vain(&bytes, levels, is_open)), expected, "{levels}");
        }
        // What exts are in does not count less.
        let with_ext = |inner: &[u8]| {
            let others = plain(&wbin!([1, "a", 1.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
            (0..levels).fold(inner.to_vec(), |inner, _| {
                [&[tag::LIST, 17, tag::EXT, 7, 1][..], &others[1..], &inner].concat()
            })
        };
        assert_eq!(compacted(&with_ext(&bytes)), with_ext(inner), "{levels}");
    }
}

#[test]
fn deep_lists_are_left() {
    let [bytes, columns] = list();
    for head in [&[0x81][..], &[0x91, 0x41, b'a'], &[tag::EXT, 7]] {
        for levels in [1, 47, 48, 49] {
            let inside = |inner: &[u8]| [&head.repeat(levels), inner].concat();
            let inner = if levels < 48 { &columns } else { &bytes };
            assert_eq!(compacted(&inside(&bytes)), inside(inner), "{levels}");
        }
    }
}

/// What was tried is paid for by the bytes of the document, wherever they stand.
#[test]
fn many_lists() {
    let [bytes, columns] = list();
    let inside = |inner: &[u8]| {
        let entries: Vec<u8> =
            (100..300).flat_map(|n| [&plain(&Value::from(format!("{n}")))[..], inner].concat()).collect();
        [&[tag::MAP, 203, 0x41, b'a', 1, 0x41, b'b', 0x41, b'b', 0x41, b'c', 1], &entries[..]].concat()
    };
    assert_eq!(compacted(&inside(&bytes)), inside(&columns));
    let after = |inner: &[u8]| [&tag::SIGNATURE[..], &inner.repeat(200)].concat();
    assert_eq!(compacted(&after(&bytes)), after(&columns));
}

#[test]
fn columns_and_some_are_left() {
    let [bytes, columns] = list();
    for known in [&columns[..], &[tag::SOME, tag::NULL], &[tag::SOME, tag::SOME, tag::NULL]] {
        let inside =
            |inner: &[u8]| [&[0x93, 0x41, b'a', 1, 0x41, b'b'], known, &[0x41, b'c'], inner].concat();
        assert_eq!(compacted(&inside(&bytes)), inside(&columns));
    }
}

/// The same value of lists and maps of which nobody says how long they are.
fn open(value: &Value<'_>) -> Vec<u8> {
    match value {
        Value::List(items) => {
            let items: Vec<u8> = items.iter().flat_map(open).collect();
            [&[tag::LIST_OPEN], &items[..], &[tag::END]].concat()
        }
        Value::Map(entries) => {
            let entries: Vec<u8> =
                entries.iter().flat_map(|(key, value)| [open(key), open(value)].concat()).collect();
            [&[tag::MAP_OPEN], &entries[..], &[tag::END]].concat()
        }
        value => plain(value),
    }
}

#[test]
fn open_ones_get_the_same_columns() {
    let name = |n: u64| ["north", "south", "east"][n as usize % 3];
    let row =
        |n: u64| wbin!({"id": (n * 7), "name": (name(n)), "list": (ints(9, 5)), "map": {1: n, 2: (n + 1)}});
    let rows = Value::from((0..20).map(row).collect::<Vec<_>>());
    let by_name: Vec<(Value<'_>, Value<'_>)> =
        (0..20).map(|n| (Value::from(format!("{n}")), row(n))).collect();
    let lists = Value::from((9..20).map(|n| ints(n, n)).collect::<Vec<_>>());
    for value in [ints(0, 40), rows, Value::Map(by_name.into_iter().collect()), lists] {
        let columns = compacted(&plain(&value));
        assert!(matches!(columns[0], tag::LIST_COLUMNS | tag::MAP_COLUMNS));
        assert_eq!(compacted(&open(&value)), columns);
    }
    // Those that have too little, or nothing in common.
    let [bytes, columns] = list();
    let two = |inner: &[u8]| [&[tag::MAP_OPEN, 1][..], inner, &[2], inner, &[tag::END]].concat();
    assert_eq!(compacted(&two(&bytes)), two(&columns));
    let other = |inner: &[u8]| [&[tag::MAP_OPEN, 1][..], inner, &[2, 2, 3], inner, &[tag::END]].concat();
    assert_eq!(compacted(&other(&bytes)), other(&columns));
    let text: String = "a".repeat(70);
    let one = wbin!({"a": (text)});
    assert_eq!(compacted(&open(&one)), open(&one));
}

/// Nothing is tried once the work that is allowed for a document is done.
#[test]
fn work_comes_to_an_end() {
    assert_eq!(Tries::work(10).get(), 10 * 64 + (1 << 14));
    let [bytes, columns] = list();
    let (work, mut out) = (Cell::new(100), Output::new());
    let tried = Tries::new(&work);
    tried.looked_at(99);
    value_at(&bytes, 0, tried, &mut out).expect("a value");
    assert_eq!((out.as_bytes(), work.get()), (&columns[..], 0));
    value_at(&bytes, 0, tried, &mut out).expect("a value");
    assert_eq!(out.as_bytes()[columns.len()..], bytes);
}

/// Maps without an entry that nobody counted are no table.
#[test]
fn open_maps_without_entries() {
    let row = |n: u8| [0x92, 0x41, b'a', tag::MAP_OPEN, tag::END, 0x42, b'b', b'b', n];
    let bytes: Vec<u8> = [tag::LIST, 30].into_iter().chain((0..30).flat_map(row)).collect();
    let columns = compacted(&bytes);
    assert_eq!(columns[0], tag::LIST_COLUMNS);
    assert_eq!(Value::from_slice(&columns).expect("a value"), Value::from_slice(&bytes).expect("a value"));
}
