//! How much memory does a document take that was made to take much?
//!
//! Every claim of length is checked before memory is taken for it, so memory is bounded by the bytes
//! that are there: a value takes so many times its encoding and no more, and what does not build a
//! value takes next to nothing.
#![cfg(all(feature = "std", feature = "serde"))]
// An allocator cannot be written without it. The library itself forbids it.
#![allow(unsafe_code)]

#[path = "support/alloc.rs"]
mod alloc;

use alloc::{Counting, peak_of, work_of};
use serde::de::IgnoredAny;
use wbin::{Config, Cursor, Decoder, RawValue, Value};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: usize = 1 << 20;
/// How many times its encoding a value may take: 32 bytes for a value of one byte, as much again while a
/// vector grows, the four places that the smallest vector has, and memory that was reserved for a claim.
const OF_A_VALUE: usize = 96;
/// How many times its encoding a map of small keys takes while it is rewritten and they are sorted.
const OF_KEYS: usize = 48;
/// The bytes of each document.
const SIZE: usize = MIB / 4;
/// What a call may take besides, in bytes.
const BESIDES: usize = 64 * 1024;

/// A document that ends as it should after so many bytes, filled with a piece that is repeated.
fn filled(head: &[u8], piece: &[u8], end: &[u8]) -> Vec<u8> {
    let times = (SIZE - head.len() - end.len()) / piece.len();
    [head, &piece.repeat(times), end].concat()
}

/// A list that counts its items, each being this piece.
fn list_of(piece: &[u8]) -> Vec<u8> {
    let count = ((SIZE - 9) / piece.len()) as u64;
    [&[0xCB][..], &count.to_le_bytes(), &piece.repeat(count as usize)].concat()
}

/// Good documents that become as large as they can, and bad ones that claim to.
fn documents() -> Vec<(&'static str, Vec<u8>)> {
    let mut claims_in_claims = Vec::new();
    for level in 1..=128 {
        claims_in_claims.push(0xCB);
        claims_in_claims.extend(((SIZE - 9 * level) as u64).to_le_bytes());
    }
    claims_in_claims.resize(SIZE, 0x05);
    vec![
        ("ints", list_of(&[0x05])),
        ("nulls", list_of(&[0xB8])),
        ("empty strings", list_of(&[0x40])),
        ("empty lists", list_of(&[0x80])),
        ("empty maps", list_of(&[0x90])),
        ("lists of one", list_of(&[0x81, 0x05])),
        ("lists of lists", list_of(&[0x81, 0x81, 0x81, 0x81, 0x80])),
        ("maps of one", list_of(&[0x91, 0x05, 0x05])),
        ("maps in maps", list_of(&[0x91, 0x05, 0x91, 0x05, 0x91, 0x05, 0x90])),
        ("exts", list_of(&[0xBF, 0x05, 0x05])),
        ("some", list_of(&[0xBB, 0x05])),
        ("open lists", list_of(&[0xD0, 0x05, 0xBE])),
        ("empty open lists", list_of(&[0xD0, 0xBE])),
        ("open maps", list_of(&[0xD1, 0x05, 0x05, 0xBE])),
        ("an open list", filled(&[0xD0], &[0x05], &[0xBE])),
        ("an open list of lists", filled(&[0xD0], &[0x81, 0x05], &[0xBE])),
        ("a long string", [&[0xC2][..], &(SIZE as u32 - 5).to_le_bytes(), &vec![b'a'; SIZE - 5]].concat()),
        ("a claim", [&[0xCB][..], &(SIZE as u64 - 9 + 1).to_le_bytes(), &vec![0x05; SIZE - 9]].concat()),
        ("claims in claims", claims_in_claims),
        ("an open list without end", vec![0xD0; SIZE]),
        ("an open list of claims", filled(&[0xD0], &[0xC8, 0xFF], &[])),
        ("a claim of 2^60 strings", [&[0xCB][..], &(1_u64 << 60).to_le_bytes(), &vec![0x40; SIZE]].concat()),
    ]
}

/// A map of so many different small keys as fit; they have to be compared.
fn map_of_keys(piece: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let mut entries = Vec::new();
    let mut count = 0_u32;
    while entries.len() + 16 < SIZE {
        entries.extend(piece(count));
        entries.push(0x05);
        count += 1;
    }
    [&[0xCE][..], &count.to_le_bytes(), &entries].concat()
}

fn maps() -> Vec<(&'static str, Vec<u8>)> {
    let int = |n: u32| [&[0xA2][..], &n.to_le_bytes()[..3]].concat();
    let long = |n: u32| [&[0xA7][..], &u64::from(n).to_le_bytes()].concat();
    let text = |n: u32| format!("\x44{n:04x}").into_bytes()[..5].to_vec();
    let wide = |n: u32| format!("\x46{n:06x}").into_bytes();
    let open = |piece: Vec<u8>| [&[0xD1][..], &piece[5..], &[0xBE]].concat();
    let mut maps_in_maps = Vec::new();
    for level in 1..=128 {
        maps_in_maps.push(0xCF);
        maps_in_maps.extend(((SIZE - 10 * level) as u64 / 2).to_le_bytes());
        maps_in_maps.push(0x05);
    }
    maps_in_maps.resize(SIZE, 0x05);
    let same = || {
        let count = ((SIZE - 9) / 2) as u64;
        [&[0xCF][..], &count.to_le_bytes(), &[0x05, 0x05].repeat(count as usize)].concat()
    };
    vec![
        ("a map of ints", map_of_keys(int)),
        ("an open map of ints", open(map_of_keys(int))),
        ("a map of long ints", map_of_keys(long)),
        ("a map of short strings", map_of_keys(text)),
        ("a map of strings", map_of_keys(wide)),
        ("a map of lists", map_of_keys(|n| [&[0x81][..], &int(n)].concat())),
        ("a map of one key", same()),
        ("claims of maps in claims", maps_in_maps),
    ]
}

/// Prints what a call took, and compares it with what it may.
fn bounded<T>(
    what: &str,
    document: &str,
    bytes: &[u8],
    times: usize,
    call: impl FnOnce() -> T,
) -> Option<String> {
    bounded_but(BESIDES, what, document, bytes, times, call)
}

/// The same with so many bytes besides.
fn bounded_but<T>(
    besides: usize,
    what: &str,
    document: &str,
    bytes: &[u8],
    times: usize,
    call: impl FnOnce() -> T,
) -> Option<String> {
    let peak = peak_of(call);
    let most = times * bytes.len() + besides;
    let share = peak as f64 / bytes.len() as f64;
    println!("{what}, {document}: {share:.1} times the input");
    (peak > most).then(|| format!("{what}, {document}: {share:.1} times the input, of {times}"))
}

fn assert_all(faults: impl IntoIterator<Item = Option<String>>) {
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn values_are_bounded() {
    let all = documents().into_iter().chain(maps());
    assert_all(all.flat_map(|(document, bytes)| {
        [
            bounded("Value::from_slice", document, &bytes, OF_A_VALUE, || Value::from_slice(&bytes)),
            bounded("from_slice into a Value", document, &bytes, OF_A_VALUE, || {
                wbin::from_slice::<Value<'_>>(&bytes)
            }),
        ]
    }));
}

#[test]
fn passing_over_takes_nothing() {
    let all = documents().into_iter().chain(maps());
    assert_all(all.flat_map(|(document, bytes)| {
        [
            bounded("skip", document, &bytes, 0, || wbin::skip(&bytes)),
            bounded("IgnoredAny", document, &bytes, 0, || wbin::from_slice::<IgnoredAny>(&bytes)),
            bounded("Decoder::skip", document, &bytes, 0, || Decoder::new(&bytes).skip()),
            bounded("events", document, &bytes, 0, || {
                let mut decoder = Decoder::new(&bytes);
                while let Ok(Some(_)) = decoder.event() {}
            }),
            bounded("Cursor", document, &bytes, 0, || {
                let cursor = Cursor::new(&bytes);
                let last = cursor.index(usize::MAX).is_ok();
                (last, cursor.get("none").is_ok(), cursor.pointer("/1/2/3").is_ok())
            }),
        ]
    }));
}

#[test]
fn checking_takes_little() {
    assert_all(documents().into_iter().flat_map(|(document, bytes)| {
        [
            bounded("check", document, &bytes, 0, || wbin::check(&bytes)),
            bounded("RawValue", document, &bytes, 0, || RawValue::from_slice(&bytes)),
            bounded("strict check", document, &bytes, 0, || wbin::canonical::check(&bytes)),
        ]
    }));
}

/// Keys are compared, for which it is noted where each begins: four bytes for an entry of two at least. A table of
/// them takes as many bytes as the keys, or five for each. (Measured: 2.1 times the input.)
#[test]
fn checking_maps_takes_little() {
    assert_all(maps().into_iter().flat_map(|(document, bytes)| {
        [
            bounded("check", document, &bytes, 2, || wbin::check(&bytes)),
            bounded("strict check", document, &bytes, 2, || wbin::canonical::check(&bytes)),
            bounded("RawValue", document, &bytes, 2, || RawValue::from_slice(&bytes)),
            bounded("to_canonical", document, &bytes, OF_KEYS, || wbin::canonical::to_canonical(&bytes)),
        ]
    }));
}

/// A reader delivers less than is claimed: memory grows with what comes (LIM-3).
#[test]
fn readers_are_bounded() {
    let config = Config::new();
    let claim = |tag: u8, n: u64| [&[tag][..], &n.to_le_bytes(), &[0x61; 1000]].concat();
    let claims = [0xC3, 0xC7, 0xCB, 0xCF]
        .into_iter()
        .flat_map(|tag| [1 << 29, 1 << 40, 1 << 60, u64::MAX].map(|n| claim(tag, n)));
    assert_all(claims.flat_map(|bytes| {
        [
            bounded("iter_reader", "a claim", &bytes, 0, || {
                config.iter_reader::<_, IgnoredAny>(&bytes[..]).next().map(|item| item.is_ok())
            }),
            bounded("from_reader", "a claim", &bytes, 0, || {
                config.from_reader::<_, IgnoredAny>(&bytes[..]).is_ok()
            }),
        ]
    }));
    // A reader without end is left at the limit.
    let limited = Config::new().max_input(MIB as u64);
    for head in [
        &[0xC3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF][..],
        &[0xD0],
        &[0xCB, 0, 0, 0, 0, 1, 0, 0, 0],
    ] {
        let endless = || std::io::Read::chain(head, std::io::repeat(0x05));
        let peak = peak_of(|| {
            let item = limited.iter_reader::<_, IgnoredAny>(endless()).next().expect("an item");
            assert_eq!(item.expect_err("more than the limit").name(), "input-limit");
        });
        assert!(peak <= 4 * MIB, "{peak}");
        let peak = peak_of(|| {
            let item = limited.from_reader::<_, IgnoredAny>(endless());
            assert_eq!(item.expect_err("more than the limit").name(), "input-limit");
        });
        assert!(peak <= 4 * MIB, "{peak}");
    }
}

// --- columns -----------------------------------------------------------------------------------------------

/// The bytes of a document by columns of which a value is made: it becomes larger.
const SMALL: usize = 64 * 1024;
/// And of one that is only looked at.
const LARGE: usize = 128 * 1024;
/// Most columns of a list or map (COL-45).
const COLUMNS_MAX: usize = 4096;

/// A list by columns of so many bytes: its count, the heads before so many bits, which are all zero or all but a few,
/// and what follows them.
fn by_columns(size: usize, heads: &[u8], tail: &[u8], bits_each: usize) -> Vec<u8> {
    let n = (size - 9 - heads.len() - tail.len()) * 8 / bits_each;
    let mut bytes = vec![0xD2, 0xA7];
    bytes.extend((n as u64).to_le_bytes());
    bytes.extend(heads);
    bytes.resize(bytes.len() + (n * bits_each).div_ceil(8), 0);
    bytes.extend(tail);
    bytes
}

/// A table of so many fields of one bit each.
fn flags(size: usize, fields: usize) -> Vec<u8> {
    let n = (size - 16 - 4 * fields) * 8 / fields;
    let keys: Vec<u8> = (0..fields as u8).flat_map(|field| [0x41, b'a' + field]).collect();
    let field = [&[0x20][..], &vec![0; n.div_ceil(8)]].concat();
    [&[0xD2, 0xA7][..], &(n as u64).to_le_bytes(), &[0xD0, fields as u8], &keys, &field.repeat(fields)]
        .concat()
}

/// As many columns as there may be, in tuples of one item or more, as often as they fit.
fn tuples_of(size: usize, n: u8, column: &[u8], columns: usize) -> Vec<u8> {
    let f = (COLUMNS_MAX - 1) / columns;
    many(size, &[&[0xD2, n, 0xB1, 0xA1][..], &(f as u16).to_le_bytes(), &column.repeat(f)].concat())
}

/// A list of the same as often as it fits.
fn many(size: usize, item: &[u8]) -> Vec<u8> {
    let times = (size - 5) / item.len();
    [&[0xCA][..], &(times as u32).to_le_bytes(), &item.repeat(times)].concat()
}

/// Good documents by columns of so many bytes that become as large as they can, and bad ones that claim to.
fn columns(size: usize) -> Vec<(&'static str, Vec<u8>)> {
    let by_columns = |heads: &[u8], tail: &[u8], bits_each| by_columns(size, heads, tail, bits_each);
    let long_key = [&[0xD0, 0x01, 0x7F][..], &[b'k'; 63], &[0x31, 0x05]].concat();
    let claim = |head: &[u8]| [head, &[0xA7], &(1_u64 << 60).to_le_bytes(), &vec![0; size]].concat();
    // A field takes its key of four bytes and a bitmap of one.
    let fields = COLUMNS_MAX as u32 - 1;
    let keys = (0..fields)
        .flat_map(|n| [0x43, b'0' + (n >> 12) as u8, b'0' + (n >> 6 & 63) as u8, b'0' + (n & 63) as u8]);
    let mut sparse = vec![0xD2, 0x08, 0xD0, 0xA1];
    sparse.extend((fields as u16).to_le_bytes());
    sparse.extend(keys);
    sparse.extend([0x11, 0x00].repeat(fields as usize));
    // A dictionary of as many entries as there are bits, for one element.
    let dictionary = |entries: &[u8]| {
        let m = ((size - 100) * 8) as u32;
        let mut dictionary = [&[0xD2, 0x01, 0x98, 0xA3][..], &m.to_le_bytes(), entries].concat();
        dictionary.resize(dictionary.len() + m.div_ceil(8) as usize + 2, 0);
        dictionary
    };
    // Text of seven bytes that is said eight times in each byte.
    let texts = by_columns(&[&[0x90, 0x01, 0x70, 0x07, 0x00][..], b"sevenxx"].concat(), &[], 1);
    // Lists of one int of two bits each, of which one bit chooses.
    let n = (size - 32) / 3 * 8;
    let lists = [&[0xD2, 0xA3][..], &(n as u32).to_le_bytes(), &[0xE0, 0x02], &vec![0; n / 8]].concat();
    let lists = [&lists[..], &[0xB0, 0x01, 0x31, 0x05], &vec![0; n / 4]].concat();
    // Lists in lists of a few bits each, as deep as they may be.
    let stack = [&[0xD2, 0x20][..], &[0xB0, 0x01].repeat(122), &[0x3F, 0x00], &[0xFF; 256]].concat();
    // Each of the lists is the last item of the one around it, in a plain column beside a deep stack of lists.
    let mut nested = vec![0x05];
    for _ in 0..50 {
        let stack = [&[0xB0, 0x01].repeat(18)[..], &[0x31, 0x05, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
        let plain = [&[0x05; 31], &nested[..]].concat();
        let length = (plain.len() as u32).to_le_bytes();
        nested = [&[0xD2, 0x20, 0xB1, 0x02][..], &stack, &[0x00, 0xA3], &length, &plain].concat();
    }
    // Keys of one bit each, and values of none: differences of 1.
    let n = (size / 2) * 8 - 128;
    let mut keys = vec![0xD3, 0xA3];
    keys.extend((n as u32).to_le_bytes());
    keys.extend([0x40, 0x00, 0x01]);
    keys.resize(keys.len() + (n - 1).div_ceil(8), 0);
    keys.push(0x12);
    keys.resize(keys.len() + n.div_ceil(8), 0);
    vec![
        ("bools", by_columns(&[0x20], &[], 1)),
        ("absent values", by_columns(&[0x12], &[], 1)),
        ("ints", by_columns(&[0x30, 0x05], &[], 1)),
        ("texts of no bytes", by_columns(&[0x70, 0x00], &[], 1)),
        ("floats", by_columns(&[0x60, 0x02, 0x05], &[], 1)),
        ("empty lists", by_columns(&[0xA0], &[], 1)),
        ("empty maps", by_columns(&[0xC0], &[], 1)),
        ("lists of one", by_columns(&[0xB0, 0x01, 0x31, 0x05], &[], 2)),
        ("lists of five bools", by_columns(&[0xB0, 0x05, 0x20], &[], 5)),
        ("lists of lists", by_columns(&[0xB0, 0x01, 0xB0, 0x02, 0xB0, 0x02, 0x31, 0x05], &[], 8)),
        ("tuples of one", by_columns(&[0xB1, 0x01, 0x31, 0x05], &[], 2)),
        ("exts", by_columns(&[0xF0, 0x05, 0x32, 0x05], &[], 3)),
        ("maps of one", by_columns(&[0xD0, 0x01, 0x40, 0x31, 0x05], &[], 2)),
        ("maps of one, by a long key", by_columns(&long_key, &[], 2)),
        ("rows of five bools", flags(size, 5)),
        ("rows of twenty bools", flags(size, 20)),
        ("a choice of nulls", by_columns(&[0xE0, 0x02], &[0x10], 1)),
        ("a choice of lists", lists),
        ("a dictionary of many", dictionary(&[0x30, 0x00])),
        ("a dictionary of many texts", dictionary(&[0x70, 0x00])),
        ("a dictionary of differences", dictionary(&[0x40, 0x00, 0x00])),
        ("a dictionary of a text", texts),
        ("many columns", tuples_of(size, 1, &[0x12, 0x00], 1)),
        ("many columns of bools", tuples_of(size, 1, &[0x20, 0x00], 1)),
        ("many choices", tuples_of(size, 1, &[0xE0, 0x02, 0x00, 0x10], 2)),
        ("many choices of few", tuples_of(size, 1, &[0xE0, 0x10, 0x00, 0x10], 2)),
        ("sparse fields", many(size, &sparse)),
        ("deep stacks", many(size, &stack)),
        ("columns in columns", many(size, &nested)),
        ("many keys", keys),
        ("a claim", claim(&[0xD2])),
        ("a claim of plain bytes", claim(&[0xD2, 0x01, 0x00])),
        ("a claim of lists", claim(&[0xD2, 0x01, 0xB0])),
        ("a claim of tuples", claim(&[0xD2, 0x01, 0xB1])),
        ("a claim of fields", claim(&[0xD2, 0x01, 0xD0])),
        ("a claim of entries", claim(&[0xD2, 0x01, 0x90])),
        ("a claim of items", [&[0xD2, 0x01, 0xAF][..], &[0xFF; 8], &vec![0; size]].concat()),
        ("a claim of text", [&[0xD2, 0x01, 0x7F, 0x00][..], &[0xFF; 8], &vec![0; size]].concat()),
        (
            "a claim of tuples that stand",
            [&[0xD2, 0x01, 0xB1, 0xA2, 0x00, 0x7F, 0x00][..], &vec![0x30; size]].concat(),
        ),
    ]
}

/// A value in columns takes a bit where one in the plain layer takes a byte, and there are up to nine and three
/// quarters for each byte (COL-44), of 32 bytes each.
const OF_A_VALUE_IN_COLUMNS: usize = 320;
/// What is looked at takes the rows that are noted of long dictionaries and of the keys of maps.
const OF_COLUMNS: usize = 2;
/// The plain layer repeats the keys of a table, of up to 64 bytes, in each row, and takes the whole and a half
/// while it grows.
const OF_ROWS: usize = 800;
/// What columns take besides: there are no more than 4,096 that are open at a time (COL-45).
const BESIDES_COLUMNS: usize = MIB;

#[test]
fn values_in_columns_are_bounded() {
    assert_all(columns(SMALL).into_iter().flat_map(|(document, bytes)| {
        [
            bounded_but(
                BESIDES_COLUMNS,
                "Value::from_slice",
                document,
                &bytes,
                OF_A_VALUE_IN_COLUMNS,
                || Value::from_slice(&bytes),
            ),
            bounded_but(
                BESIDES_COLUMNS,
                "from_slice into a Value",
                document,
                &bytes,
                OF_A_VALUE_IN_COLUMNS,
                || wbin::from_slice::<Value<'_>>(&bytes),
            ),
            bounded_but(BESIDES_COLUMNS, "to_canonical", document, &bytes, OF_ROWS, || {
                wbin::canonical::to_canonical(&bytes)
            }),
        ]
    }));
}

#[test]
fn passing_over_columns_takes_nothing() {
    assert_all(columns(LARGE).into_iter().flat_map(|(document, bytes)| {
        [
            bounded("skip", document, &bytes, 0, || wbin::skip(&bytes)),
            bounded("IgnoredAny", document, &bytes, 0, || wbin::from_slice::<IgnoredAny>(&bytes)),
            bounded("Decoder::skip", document, &bytes, 0, || Decoder::new(&bytes).skip()),
            bounded("strict check", document, &bytes, 0, || wbin::canonical::check(&bytes)),
            // A reader's bytes are kept until the value is there.
            bounded("from_reader", document, &bytes, 3, || {
                wbin::from_reader::<_, IgnoredAny>(&bytes[..]).is_ok()
            }),
            bounded("iter_reader", document, &bytes, 4, || {
                wbin::iter_reader::<_, IgnoredAny>(&bytes[..]).next().map(|item| item.is_ok())
            }),
        ]
    }));
}

/// Columns that are only checked are not kept: only what is open is, and keys while they are compared.
#[test]
fn checking_columns_takes_little() {
    assert_all(columns(LARGE).into_iter().chain(maps_in_columns()).flat_map(|(document, bytes)| {
        [
            bounded_but(BESIDES_COLUMNS, "check", document, &bytes, 2, || wbin::check(&bytes)),
            bounded_but(BESIDES_COLUMNS, "RawValue", document, &bytes, 2, || RawValue::from_slice(&bytes)),
        ]
    }));
}

#[test]
fn opening_columns_is_bounded() {
    assert_all(columns(LARGE).into_iter().flat_map(|(document, bytes)| {
        [
            bounded_but(BESIDES_COLUMNS, "events", document, &bytes, OF_COLUMNS, || {
                let mut decoder = Decoder::new(&bytes);
                while let Ok(Some(_)) = decoder.event() {}
            }),
            bounded_but(BESIDES_COLUMNS, "Cursor", document, &bytes, OF_COLUMNS, || {
                let cursor = Cursor::new(&bytes);
                let last = cursor.index(usize::MAX).is_ok();
                (last, cursor.get("none").is_ok(), cursor.pointer("/1/2/3").is_ok())
            }),
        ]
    }));
}

/// What is known of a column takes 128 bytes, of a column of two bytes as well, and as much again while it grows.
const OF_NODES: usize = 130;

/// Where columns stand in plain columns of others, a decoder has all of them open, and a cursor only the innermost.
#[test]
fn opening_columns_in_columns_is_bounded() {
    let mut bytes = vec![0x05];
    for _ in 0..30 {
        let head = [&[0xD2, 1, 0xB1, 0xA1][..], &4000_u16.to_le_bytes()].concat();
        let length = (bytes.len() as u32).to_le_bytes();
        bytes = [&head[..], &[0x12, 0x00].repeat(3999), &[0x00, 0xA3], &length, &bytes].concat();
    }
    let document = "thousands of columns, in each other";
    assert_all([
        bounded_but(BESIDES_COLUMNS, "events", document, &bytes, OF_NODES, || {
            let mut decoder = Decoder::new(&bytes);
            while let Ok(Some(_)) = decoder.event() {}
        }),
        bounded_but(BESIDES_COLUMNS, "Value", document, &bytes, OF_A_VALUE_IN_COLUMNS, || {
            Value::from_slice(&bytes)
        }),
        bounded_but(BESIDES_COLUMNS, "check", document, &bytes, 2, || wbin::check(&bytes)),
        bounded_but(BESIDES_COLUMNS, "Cursor", document, &bytes, 2, || {
            let mut cursor = Cursor::new(&bytes);
            for _ in 0..30 {
                let tuple = cursor.index(0).expect("a list").expect("a tuple");
                cursor = tuple.index(3999).expect("a list").expect("the last");
            }
            assert_eq!(cursor.int().expect("an int"), 5.into());
        }),
    ]);
}

/// Maps by columns of as many keys as fit, in an order that tells nothing.
fn maps_in_columns() -> Vec<(&'static str, Vec<u8>)> {
    // A map of so many keys, and as many nulls in a column of their own.
    let map = |n: usize, keys: &[u8]| {
        let nulls = [&[0x12][..], &vec![0; n.div_ceil(8)]].concat();
        [&[0xD3, 0xA3][..], &(n as u32).to_le_bytes(), keys, &nulls].concat()
    };
    // Two primes: no two are the same.
    let shuffled = |index: usize, below: usize| (index * 7919 % below) as u32;
    let large = |index| shuffled(index, 999_983);
    // The code of a width, and its bytes.
    let ints = |code: u8, bytes: usize, numbers: Vec<u32>| {
        let packed: Vec<u8> =
            numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(bytes)).collect();
        map(numbers.len(), &[&[0x30 | code, 0x05][..], &packed].concat())
    };
    let texts = |n: usize| {
        let text: String = (0..n).map(|at| format!("{:06}", large(at))).collect();
        map(n, &[&[0x70, 0x06][..], &vec![0; n.div_ceil(8)], text.as_bytes()].concat())
    };
    let plain = |n: usize| {
        let keys: Vec<u8> = (0..n).flat_map(|at| format!("F{:06}", large(at)).into_bytes()).collect();
        map(n, &[&[0x00, 0xA3][..], &(keys.len() as u32).to_le_bytes(), &keys].concat())
    };
    vec![
        ("a map of ints of 16 bits", ints(9, 2, (0..60_000).map(|at| shuffled(at, 65_521)).collect())),
        ("a map of ints of 24 bits", ints(10, 3, (0..SIZE / 3).map(large).collect())),
        ("a map of ints of 32 bits", ints(11, 4, (0..SIZE / 4).map(large).collect())),
        ("a map of texts", texts(SIZE / 6)),
        ("a map of plain texts", plain(SIZE / 7)),
    ]
}

/// The documents are what they are made for: those that claim are refused, the others are good.
#[test]
fn documents_by_columns_are_good_or_claim_something() {
    for (document, bytes) in maps_in_columns() {
        wbin::check(&bytes).expect(document);
    }
    for (document, bytes) in columns(SMALL) {
        assert!(bytes.len() <= SMALL + 16, "{document}: {} bytes", bytes.len());
        match document.starts_with("a claim") {
            true => assert!(wbin::check(&bytes).is_err(), "{document}"),
            false => wbin::check(&bytes).expect(document),
        }
    }
}

/// While columns are read there is hardly more than what the value holds in the end, and none of it is there twice
/// when it is made its own. (A copy takes what the value holds, but for the keys of rows.)
#[test]
fn values_in_columns_are_built_once() {
    let rows = |n: i64, row: &dyn Fn(i64) -> Value<'static>| (0..n).map(row).collect::<Value<'_>>();
    let values = [
        ("rows", rows(4000, &|n| wbin::wbin!({"id": n, "half": 0.5, "odd": n % 2 == 1}))),
        ("rows of one", rows(8000, &|n| wbin::wbin!({"id": n * n}))),
        (
            "rows in rows",
            rows(
                500,
                &|n| wbin::wbin!({"id": n, "in": rows(n % 9, &|m| wbin::wbin!({"a": n, "b": [m, m]}))}),
            ),
        ),
        ("pairs", rows(8000, &|n| wbin::wbin!([n, 0.25]))),
        ("lists", rows(500, &|n| rows(n % 40, &|m| wbin::wbin!([n * m])))),
        ("what may be null", rows(4000, &|n| if n % 3 == 0 { Value::Null } else { wbin::wbin!([n, [n]]) })),
        ("several kinds", rows(4000, &|n| if n % 2 == 0 { wbin::wbin!({"a": n}) } else { wbin::wbin!([n]) })),
        (
            "rows that lack fields",
            rows(4000, &|n| {
                if n % 3 == 0 { wbin::wbin!({"a": n, "c": 5}) } else { wbin::wbin!({"a": n, "b": n}) }
            }),
        ),
        ("exts", rows(4000, &|n| Value::from(wbin::Ext::new(70, n)))),
        ("a map", Value::from((0..4000).map(|n| (n, n * n)).collect::<wbin::Map<'_>>())),
    ];
    for (what, value) in values {
        let bytes = value.to_vec().expect("an encoding");
        assert!(matches!(bytes[0], 0xD2 | 0xD3), "{what}");
        let read = Value::from_slice(&bytes).expect("a value");
        let held = peak_of(|| read.clone());
        for (how, peak) in [
            ("read", peak_of(|| Value::from_slice(&bytes).expect("a value"))),
            ("owned", peak_of(|| Value::from_slice(&bytes).expect("a value").into_owned())),
        ] {
            println!("{what}: {held} bytes, {how} by {peak}");
            assert!(peak <= held + 16 * 1024, "{what}: {held} bytes, {how} by {peak}");
        }
    }
}

/// Types ask for memory by what they are told, which is never more than the document could hold.
#[test]
fn types_are_bounded() {
    type Wide = [u64; 16];
    let mut nested = Vec::new();
    for level in 1..=100 {
        nested.push(0xCB);
        nested.extend(((SIZE - 9 * level) as u64).to_le_bytes());
    }
    nested.resize(SIZE, 0x80);
    #[derive(serde::Deserialize)]
    struct Nest(#[allow(dead_code)] Vec<Nest>, #[allow(dead_code)] Option<Wide>);
    // serde reserves a MiB at most for each vector, whatever it is told; here one of them may do so.
    assert!(peak_of(|| wbin::from_slice::<Vec<Nest>>(&nested)) <= 2 * MIB);
    assert!(peak_of(|| wbin::from_slice::<Vec<Vec<Vec<Wide>>>>(&nested)) <= 2 * MIB);
}

// --- work --------------------------------------------------------------------------------------------------

/// Lists in lists, of which each might be shorter by columns, and none is: an encoder that tries all ways takes
/// twice the time for each level, or worse.
fn in_vain(levels: usize) -> Value<'static> {
    let innermost = Value::from([Value::from("a text that is long enough for all of them to be tried"); 1]);
    let around = |inside: Value<'static>, level: usize| {
        let odd = if level % 4 == 0 { Value::from(39) } else { Value::from(-1) };
        Value::from([inside, odd, Value::from(-1)])
    };
    let chain = |inside: Value<'static>, n: usize| (0..n).fold(inside, around);
    let first = chain(innermost, levels / 2);
    chain(first, levels - levels / 2)
}

/// So many bytes of memory are taken, all in all, for each byte of the plain form. (Measured: 6,600 for the
/// smallest, of which nearly all is what is allowed besides; without a bound it was 187,000, and 700,000 at 40 levels.)
const OF_TRIES: usize = 10_000;
/// And where there are many of them.
const OF_MANY_TRIES: usize = 2_000;

#[test]
fn encoding_is_not_tried_in_vain_for_ever() {
    let each = |value: Value<'_>, most: usize| {
        let plain = value.to_vec_with(&Config::new().plain(true)).expect("an encoding").len();
        for (writer, work) in
            [("Value", work_of(|| value.to_vec())), ("serde", work_of(|| wbin::to_vec(&value)))]
        {
            println!("{writer}: {plain} bytes, {} for each", work / plain);
            assert!(work <= most * plain, "{writer}: {plain} bytes, {} for each", work / plain);
        }
    };
    for levels in [10, 20, 40, 120] {
        each(in_vain(levels), OF_TRIES);
        for n in [100, 1000] {
            each((0..n).map(|_| in_vain(levels)).collect(), OF_MANY_TRIES);
        }
    }
}
