//! The push encoder and the pull decoder: what each call does, and what misuse does not do.

#[path = "support/strategies.rs"]
mod strategies;

use proptest::prelude::*;
use strategies::{hex, unhex, values};
use wbin::{Category, Config, Decoder, Encoder, Error, Event, Ext, Int, Kind, RawValue, Result, Value, wbin};

type Calls = fn(&mut Encoder) -> Result<&mut Encoder>;

#[track_caller]
fn encoded(calls: Calls) -> Vec<u8> {
    encoded_with(&Config::new(), calls)
}

#[track_caller]
fn encoded_with(config: &Config, calls: Calls) -> Vec<u8> {
    let mut encoder = Encoder::with_config(config);
    calls(&mut encoder).expect("no misuse");
    encoder.finish().expect("finished")
}

#[track_caller]
fn gives(calls: Calls, bytes: &str) {
    let encoded = encoded(calls);
    assert_eq!(hex(&encoded), bytes.replace(' ', ""));
    wbin::check(&encoded).expect("valid");
}

// ---------------------------------------------------------------------------------------------------------
// The encoder
// ---------------------------------------------------------------------------------------------------------

#[test]
fn scalars() {
    gives(|e| e.null(), "b8");
    gives(|e| e.bool(false), "b9");
    gives(|e| e.bool(true), "ba");
    gives(|e| e.f64(1.5), "b0 79");
    gives(|e| e.f64(-0.0), "b6 00 00 00 80");
    gives(|e| e.f64(f64::from_bits(0x7FF8_0000_0000_0001)), "b7 01 00 00 00 00 00 f8 7f");
    gives(|e| e.str(""), "40");
    gives(|e| e.str("é"), "42 c3 a9");
    gives(|e| e.bytes(b""), "c4 00");
    gives(|e| e.bytes(b"\0\xFF"), "c4 02 00 ff");
    let long = "x".repeat(300);
    let mut encoder = Encoder::new();
    encoder.str(&long).unwrap().bytes(long.as_bytes()).unwrap();
    let bytes = encoder.finish().unwrap();
    assert_eq!(hex(&bytes[..3]), "c12c01");
    assert_eq!(hex(&bytes[303..306]), "c52c01");
}

#[test]
fn ints_of_every_type() {
    gives(|e| e.int(0_u8), "00");
    gives(|e| e.int(64_i8), "a0 40");
    gives(|e| e.int(-33_i16), "a8 20");
    gives(|e| e.int(256_u16), "a1 00 01");
    gives(|e| e.int(-1_i32), "ff");
    gives(|e| e.int(u32::MAX), "a3 ff ff ff ff");
    gives(|e| e.int(i64::MIN), "af ff ff ff ff ff ff ff 7f");
    gives(|e| e.int(u64::MAX), "a7 ff ff ff ff ff ff ff ff");
    gives(|e| e.int(5_usize), "05");
    gives(|e| e.int(-5_isize), "fb");
    gives(|e| e.int(1_u128 << 64), "bc 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
    gives(|e| e.int(Int::MIN), "bd ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff 7f");
    gives(|e| e.int(Int::MAX), "bc ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff");
}

#[test]
fn lists_and_maps_with_a_count() {
    gives(|e| e.list(0)?.end(), "80");
    gives(|e| e.list(2)?.int(1)?.list(1)?.null()?.end()?.end(), "82 01 81 b8");
    gives(|e| e.map(0)?.end(), "90");
    gives(|e| e.map(2)?.str("a")?.int(1)?.int(2)?.map(0)?.end()?.end(), "92 41 61 01 02 90");
    gives(
        |e| {
            e.list(16)?;
            (0..16).try_for_each(|n| e.int(n).map(drop))?;
            e.end()
        },
        "c8 10 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
    );
    // Containers as keys.
    gives(
        |e| e.map(2)?.list(1)?.int(1)?.end()?.null()?.map(1)?.int(1)?.int(2)?.end()?.null()?.end(),
        "92 81 01 b8 91 01 02 b8",
    );
}

#[test]
fn open_lists_and_maps_end_at_fifteen() {
    // Up to 15 a count takes the place of the open tag; from 16 on there is an end tag.
    let plain = Config::new().plain(true);
    for (n, config) in
        [0_usize, 1, 2, 14, 15, 16, 17, 100, 300].into_iter().flat_map(|n| [(n, plain), (n, Config::new())])
    {
        let mut encoder = Encoder::with_config(&config);
        encoder.open_list().unwrap();
        for i in 0..n {
            encoder.int(i % 60).unwrap();
        }
        encoder.end().unwrap();
        encoder.open_map().unwrap();
        for i in 0..n {
            encoder.int(i).unwrap().bool(true).unwrap();
        }
        encoder.end().unwrap();
        let bytes = encoder.finish().unwrap();
        let list: Value<'_> = (0..n).map(|i| Value::from(i % 60)).collect();
        let map: Value<'_> = (0..n).map(|i| (i, true)).collect();
        let mut decoder = Decoder::new(&bytes);
        assert_eq!((decoder.value().unwrap(), decoder.value().unwrap()), (list.clone(), map.clone()));
        decoder.finish().unwrap();
        match n {
            0..=15 => {
                let each = [&list, &map].map(|value| value.to_vec_with(&config).unwrap());
                assert_eq!(bytes, each.concat());
            }
            // By columns they have a count.
            _ if !config.is_plain() => {
                let in_columns = |values: &[Value<'_>]| {
                    let bytes = values.iter().flat_map(|value| value.to_vec().unwrap());
                    bytes.collect::<Vec<u8>>()
                };
                if n >= 100 {
                    assert_eq!(bytes, in_columns(&[list, map]));
                    assert_eq!(bytes[0], 0xD2);
                }
            }
            _ => {
                assert_eq!((bytes[0], bytes[n + 1], bytes[n + 2]), (0xD0, 0xBE, 0xD1));
                assert_eq!(bytes[bytes.len() - 1], 0xBE);
            }
        }
    }
    // Nested, and as keys.
    gives(|e| e.open_list()?.open_list()?.end()?.open_map()?.end()?.end(), "82 80 90");
    gives(|e| e.open_map()?.open_list()?.int(1)?.end()?.open_map()?.end()?.end(), "91 81 01 90");
}

#[test]
fn some_takes_a_byte_only_where_it_tells_something_apart() {
    gives(|e| e.some()?.null()?.end(), "bb b8");
    gives(|e| e.some()?.some()?.null()?.end()?.end(), "bb bb b8");
    gives(|e| e.some()?.int(5)?.end(), "05");
    gives(|e| e.some()?.some()?.str("a")?.end()?.end(), "41 61");
    gives(|e| e.some()?.list(1)?.null()?.end()?.end(), "81 b8");
    gives(|e| e.some()?.open_list()?.some()?.null()?.end()?.end()?.end(), "81 bb b8");
    gives(|e| e.some()?.value(&Value::Null)?.end(), "bb b8");
    gives(|e| e.some()?.ext(70)?.null()?.end()?.end(), "bf a0 46 b8");
    gives(|e| e.ext(70)?.some()?.null()?.end()?.end(), "bf a0 46 bb b8");
    gives(
        |e| e.map(2)?.some()?.null()?.end()?.int(1)?.null()?.some()?.null()?.end()?.end(),
        "92 bb b8 01 b8 bb b8",
    );
    gives(|e| e.some()?.raw(&RawValue::from_slice(&[0xBB, 0x05]).unwrap())?.end(), "bb bb 05");
    gives(|e| e.some()?.raw(&RawValue::from_slice(&[0xB8]).unwrap())?.end(), "bb b8");
}

#[test]
fn exts_of_every_width() {
    gives(|e| e.ext(0)?.int(1)?.end(), "bf 00 01");
    gives(|e| e.ext(63)?.null()?.end(), "bf 3f b8");
    gives(|e| e.ext(64)?.str("a")?.end(), "bf a0 40 41 61");
    gives(
        |e| e.ext(u64::MAX)?.ext(5)?.list(0)?.end()?.end()?.end(),
        "bf a7 ff ff ff ff ff ff ff ff bf 05 80",
    );
}

/// Misuse: the call, the name of the error, and what the encoder can still be brought to.
#[track_caller]
fn misuse(before: Calls, wrong: Calls, name: &str, after: Calls, bytes: &str) {
    let mut encoder = Encoder::new();
    before(&mut encoder).expect("before");
    let len = encoder.len();
    // More than once: the error itself changes nothing.
    for _ in 0..3 {
        let error = wrong(&mut encoder).err().expect("misuse");
        assert_eq!(error.name(), name);
        assert_eq!(error.offset(), None, "what is written has no place in an input");
        assert_eq!(encoder.len(), len);
    }
    after(&mut encoder).expect("after");
    assert_eq!(hex(&encoder.finish().expect("finished")), bytes.replace(' ', ""));
}

#[test]
fn too_many_or_too_few_values() {
    let name = "length-mismatch";
    misuse(|e| e.list(1)?.int(1), |e| e.int(2), name, |e| e.end(), "81 01");
    misuse(|e| e.list(0), |e| e.null(), name, |e| e.end(), "80");
    misuse(|e| e.list(2)?.int(1), |e| e.end(), name, |e| e.int(2)?.end(), "82 01 02");
    misuse(|e| e.map(1)?.int(1)?.int(2), |e| e.bool(true), name, |e| e.end(), "91 01 02");
    misuse(|e| e.map(1)?.int(1), |e| e.end(), name, |e| e.int(2)?.end(), "91 01 02");
    misuse(|e| e.map(1), |e| e.end(), name, |e| e.int(1)?.int(2)?.end(), "91 01 02");
    misuse(|e| e.open_map()?.int(1), |e| e.end(), name, |e| e.int(2)?.end(), "91 01 02");
    misuse(|e| e.ext(5), |e| e.end(), name, |e| e.int(1)?.end(), "bf 05 01");
    misuse(|e| e.ext(5)?.int(1), |e| e.int(2), name, |e| e.end(), "bf 05 01");
    misuse(|e| e.some(), |e| e.end(), name, |e| e.null()?.end(), "bb b8");
    misuse(|e| e.some()?.null(), |e| e.str("x"), name, |e| e.end(), "bb b8");
    // Every call that writes or opens something is refused where there is no room.
    let calls: [Calls; 14] = [
        |e| e.null(),
        |e| e.bool(true),
        |e| e.int(1),
        |e| e.f64(1.0),
        |e| e.str("long enough to be seen"),
        |e| e.bytes(b"long enough to be seen"),
        |e| e.list(1),
        |e| e.map(1),
        |e| e.open_list(),
        |e| e.open_map(),
        |e| e.ext(5),
        |e| e.some(),
        |e| e.value(&wbin!([1, {"a": 2}])),
        |e| e.raw(&RawValue::from_slice(&[0x82, 0x01, 0x02]).unwrap()),
    ];
    for call in calls {
        misuse(|e| e.list(1)?.int(1), call, name, |e| e.end(), "81 01");
        misuse(|e| e.list(2)?.list(0), call, name, |e| e.end()?.null()?.end(), "82 80 b8");
        misuse(|e| e.map(1)?.int(1)?.null(), call, name, |e| e.end(), "91 01 b8");
        misuse(|e| e.some()?.int(1), call, name, |e| e.end(), "01");
        misuse(|e| e.ext(70)?.int(1), call, name, |e| e.end(), "bf a0 46 01");
    }
}

#[test]
fn nothing_is_open_or_something_still_is() {
    misuse(|e| e.int(1), |e| e.end(), "encoder-state", |e| e.int(2), "01 02");
    misuse(|e| e.list(0)?.end(), |e| e.end(), "encoder-state", |e| Ok(e), "80");
    let openers: [Calls; 6] =
        [|e| e.list(1), |e| e.map(1), |e| e.open_list(), |e| e.open_map(), |e| e.ext(1), |e| e.some()];
    for open in openers {
        let mut encoder = Encoder::new();
        open(&mut encoder).unwrap();
        let error = encoder.finish().unwrap_err();
        assert_eq!((error.name(), error.category()), ("encoder-state", Category::Data));
        let mut encoder = Encoder::new();
        open(encoder.list(1).unwrap()).unwrap();
        assert_eq!(encoder.finish().unwrap_err().name(), "encoder-state");
    }
}

#[test]
fn keys_that_are_given_twice() {
    let maps: [Calls; 8] = [
        |e| e.map(2)?.int(1)?.null()?.int(1)?.null(),
        |e| e.open_map()?.str("a")?.null()?.str("a")?.null(),
        |e| e.map(2)?.list(1)?.int(1)?.end()?.null()?.open_list()?.int(1)?.end()?.null(),
        |e| e.map(2)?.null()?.null()?.null()?.null(),
        |e| e.map(2)?.some()?.null()?.end()?.null()?.some()?.null()?.end()?.null(),
        |e| e.map(2)?.some()?.int(1)?.end()?.null()?.int(1)?.null(),
        |e| e.map(2)?.int(5)?.null()?.raw(&RawValue::from_slice(&[0xA0, 0x05]).unwrap())?.null(),
        |e| e.map(2)?.value(&wbin!([1]))?.null()?.list(1)?.int(1)?.end()?.null(),
    ];
    for map in maps {
        let mut encoder = Encoder::new();
        map(&mut encoder).unwrap();
        for _ in 0..2 {
            assert_eq!(encoder.end().err().unwrap().name(), "duplicate-key");
        }
        assert_eq!(encoder.finish().unwrap_err().name(), "encoder-state");
    }
    // Keys of one map are not those of another.
    gives(
        |e| {
            e.list(2)?.map(1)?.int(1)?.map(1)?.int(1)?.map(1)?.int(1)?.null()?.end()?.end()?.end()?;
            e.map(1)?.int(1)?.null()?.end()?.end()
        },
        "82 91 01 91 01 91 01 b8 91 01 b8",
    );
    gives(|e| e.map(2)?.int(1)?.null()?.f64(1.0)?.null()?.end(), "92 01 b8 b0 08 b8");
    gives(|e| e.map(2)?.null()?.null()?.some()?.null()?.end()?.null()?.end(), "92 b8 b8 bb b8 b8");
    gives(|e| e.map(2)?.f64(0.0)?.null()?.f64(-0.0)?.null()?.end(), "92 b0 00 b8 b6 00 00 00 80 b8");
}

#[test]
fn the_depth_is_limited() {
    let config = Config::new().max_depth(2);
    let openers: [Calls; 6] =
        [|e| e.list(1), |e| e.map(1), |e| e.open_list(), |e| e.open_map(), |e| e.ext(1), |e| e.some()];
    for open in openers {
        let mut encoder = Encoder::with_config(&config);
        encoder.open_list().unwrap();
        encoder.open_list().unwrap();
        let error = open(&mut encoder).err().unwrap();
        assert_eq!((error.name(), error.category()), ("depth-limit", Category::Limit));
        encoder.int(1).unwrap().end().unwrap().int(2).unwrap().end().unwrap();
        assert_eq!(encoder.finish().unwrap(), unhex("82 81 01 02"));
    }
    // Whole values count where they are put.
    let (one, two) = (wbin!([1]), wbin!([[1]]));
    let mut encoder = Encoder::with_config(&config);
    encoder.list(3).unwrap();
    assert_eq!(encoder.value(&two).err().unwrap().name(), "depth-limit");
    let bytes = two.to_vec().unwrap();
    assert_eq!(encoder.raw(&RawValue::from_slice(&bytes).unwrap()).err().unwrap().name(), "depth-limit");
    assert_eq!(encoder.len(), 1);
    encoder.value(&one).unwrap().raw(&RawValue::from_slice(&bytes[1..]).unwrap()).unwrap();
    encoder.value(&Value::Null).unwrap().end().unwrap();
    assert_eq!(encoder.finish().unwrap(), unhex("83 81 01 81 01 b8"));
    let mut encoder = Encoder::new();
    for _ in 0..128 {
        encoder.list(1).unwrap();
    }
    assert_eq!(encoder.list(1).err().unwrap().name(), "depth-limit");
    assert_eq!(
        Encoder::with_config(&Config::new().max_depth(0)).list(0).err().unwrap().name(),
        "depth-limit"
    );
    assert!(Encoder::with_config(&Config::new().max_depth(0)).int(0).is_ok());
}

#[test]
fn whole_values_and_raw_ones() {
    let value = wbin!({"a": [1, 2.5, null], 5: {}});
    let bytes = value.to_vec().unwrap();
    let raw = RawValue::from_slice(&bytes).unwrap();
    let mut encoder = Encoder::new();
    encoder.map(2).unwrap().value(&value).unwrap().raw(&raw).unwrap();
    encoder.str("k").unwrap().value(&Value::from(Ext::new(70, 1))).unwrap().end().unwrap();
    let written = encoder.finish().unwrap();
    let expected = [&[0x92][..], &bytes, &bytes, &unhex("41 6b bf a0 46 01")].concat();
    assert_eq!(hex(&written), hex(&expected));
    // A raw value stays what it is, longer than needed.
    gives(|e| e.list(1)?.raw(&RawValue::from_slice(&[0xA1, 0x05, 0x00]).unwrap())?.end(), "81 a1 05 00");
}

#[test]
fn the_canonical_form() {
    let canonical = Config::new().canonical(true).signature(true);
    let shuffled: Calls = |e| {
        e.open_map()?.str("b")?.int(1)?.str("a")?.open_list()?;
        (0..20).try_for_each(|n| e.int(n).map(drop))?;
        e.end()?.int(300)?.f64(f64::from_bits(0xFFF8_0000_0000_0001))?;
        e.int(5)?.raw(&RawValue::from_slice(&[0xBB, 0xA0, 0x05]).unwrap())?.end()
    };
    let bytes = encoded_with(&canonical, shuffled);
    let list: String = (0..20).map(|n| format!("{n:02x}")).collect();
    assert_eq!(hex(&bytes), format!("94050541 61c814{list}41 6201a12c01b60000c07f").replace(' ', ""));
    wbin::canonical::check(&bytes).unwrap();
    // Keys that are the same in canonical form are refused at the end.
    let mut encoder = Encoder::with_config(&canonical);
    encoder.map(2).unwrap().f64(f64::NAN).unwrap().null().unwrap();
    encoder.f64(-f64::NAN).unwrap().null().unwrap().end().unwrap();
    assert_eq!(encoder.finish().unwrap_err().name(), "duplicate-key");
    // One value after the other, each in its form.
    assert_eq!(
        encoded_with(&canonical, |e| e.map(2)?.int(2)?.null()?.int(1)?.null()?.end()?.open_list()?.end()),
        unhex("92 01 b8 02 b8 80")
    );
}

#[test]
fn the_signature_stands_at_the_start_only() {
    let signed = Config::new().signature(true);
    assert_eq!(encoded_with(&signed, |e| e.int(5)), unhex("df 57 42 01 05"));
    assert_eq!(encoded_with(&signed, |e| e.int(5)?.list(1)?.null()?.end()), unhex("df 57 42 01 05 81 b8"));
    assert_eq!(encoded_with(&signed.canonical(true), |e| e.int(5)), [0x05]);
    // A raw value's own signature does not get in.
    let raw = RawValue::from_vec(unhex("df 57 42 01 05")).unwrap();
    let mut encoder = Encoder::with_config(&signed);
    encoder.list(1).unwrap().raw(&raw).unwrap().end().unwrap();
    assert_eq!(encoder.finish().unwrap(), unhex("df 57 42 01 81 05"));
}

#[test]
fn the_length_so_far() {
    let mut encoder = Encoder::default();
    assert!(encoder.is_empty());
    encoder.open_list().unwrap().str("abc").unwrap();
    assert_eq!((encoder.len(), encoder.is_empty()), (5, false));
    encoder.end().unwrap();
    assert_eq!(encoder.finish().unwrap().len(), 5);
    assert!(Encoder::new().finish().unwrap().is_empty());
}

#[cfg(feature = "serde")]
#[test]
fn types_of_serde_in_the_middle() {
    struct Fails;
    impl serde::Serialize for Fails {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            use serde::ser::{Error, SerializeSeq};
            let mut seq = serializer.serialize_seq(Some(3))?;
            seq.serialize_element("half")?;
            Err(S::Error::custom("no"))
        }
    }
    let mut encoder = Encoder::with_config(&Config::new().signature(true));
    encoder.list(3).unwrap();
    let len = encoder.len();
    assert_eq!(encoder.serialize(&Fails).err().unwrap().name(), "custom");
    assert_eq!(encoder.len(), len);
    encoder.serialize(&("a", Some(()))).unwrap().serialize(&None::<u8>).unwrap().null().unwrap();
    assert_eq!(encoder.serialize(&1).err().unwrap().name(), "length-mismatch");
    encoder.end().unwrap();
    assert_eq!(encoder.finish().unwrap(), unhex("df 57 42 01 83 82 41 61 bb b8 b8 b8"));
    // By columns, where that is shorter, once for all: the same bytes as of the value.
    let numbers = Value::from(vec![wbin!(65_536); 16]);
    let nulls: Value<'_> = (0..14).map(|n| (n, Value::Null)).collect();
    let value = Value::from([nulls, numbers, wbin!(0.0), Value::Bytes(vec![0; 62].into())]);
    let mut encoder = Encoder::new();
    encoder.serialize(&value).unwrap();
    assert_eq!(encoder.finish().unwrap(), value.to_vec().unwrap());
    // In `some` it is wrapped like everything else.
    gives(|e| e.some()?.serialize(&())?.end(), "bb b8");
    gives(|e| e.some()?.serialize(&Some(()))?.end(), "bb bb b8");
    gives(|e| e.some()?.serialize(&5)?.end(), "05");
    // Levels count together.
    let mut encoder = Encoder::with_config(&Config::new().max_depth(2));
    encoder.list(1).unwrap();
    assert_eq!(encoder.serialize(&[[1]]).err().unwrap().name(), "depth-limit");
    encoder.serialize(&[1]).unwrap();
    let mut encoder = Encoder::with_config(&Config::new().canonical(true));
    encoder.serialize(&std::collections::BTreeMap::from([((300, 1), 1), ((5, 1), 1)])).unwrap();
    assert_eq!(encoder.finish().unwrap(), unhex("92 82 05 01 01 82 a1 2c 01 01 01"));
}

// ---------------------------------------------------------------------------------------------------------
// The decoder
// ---------------------------------------------------------------------------------------------------------

/// One document of each kind, and a second one of it in another form.
const KINDS: [(Kind, &str, &str); 10] = [
    (Kind::Null, "b8", "b8"),
    (Kind::Bool, "b9", "ba"),
    (Kind::Int, "05", "bd 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00"),
    (Kind::Float, "b0 79", "b7 00 00 00 00 00 00 f8 7f"),
    (Kind::String, "41 61", "c1 01 00 61"),
    (Kind::Bytes, "c4 01 61", "c7 01 00 00 00 00 00 00 00 61"),
    (Kind::List, "81 05", "d0 05 be"),
    (Kind::Map, "91 05 06", "d1 05 06 be"),
    (Kind::Ext, "bf 05 06", "bf a0 05 06"),
    (Kind::Some, "bb b8", "bb 05"),
];

type Read = fn(&mut Decoder<'_>) -> Result<()>;

const READS: [(Kind, Read); 12] = [
    (Kind::Null, |d| d.null()),
    (Kind::Bool, |d| d.bool().map(drop)),
    (Kind::Int, |d| d.int().map(drop)),
    (Kind::Int, |d| d.i64().map(drop)),
    (Kind::Int, |d| d.u64().map(drop)),
    (Kind::Float, |d| d.f64().map(drop)),
    (Kind::String, |d| d.str().map(drop)),
    (Kind::Bytes, |d| d.bytes().map(drop)),
    (Kind::List, |d| d.list().map(drop)),
    (Kind::Map, |d| d.map().map(drop)),
    (Kind::Ext, |d| d.ext().map(drop)),
    (Kind::Some, |d| match d.some()? {
        true => Ok(()),
        false => Err(Decoder::new(&[0x05]).str().unwrap_err()),
    }),
];

#[test]
fn the_wrong_call_leaves_the_decoder_where_it_was() {
    for (kind, short, long) in KINDS {
        for (outer, prefix, suffix) in [(0, "", ""), (1, "81", ""), (1, "d0", "be"), (2, "d1 07", "be")] {
            for document in [short, long] {
                let bytes = unhex(&format!("{prefix} {document} {suffix}"));
                let mut decoder = Decoder::new(&bytes);
                match (outer, prefix) {
                    (0, _) => {}
                    (1, _) => drop(decoder.list().unwrap()),
                    _ => {
                        decoder.map().unwrap();
                        decoder.int().unwrap();
                    }
                }
                let (position, depth) = (decoder.position(), decoder.depth());
                for _ in 0..2 {
                    assert_eq!(decoder.kind().unwrap(), kind);
                    assert!(decoder.more().unwrap());
                    for (wanted, read) in READS {
                        if wanted != kind {
                            let error = read(&mut decoder).unwrap_err();
                            assert_eq!(error.name(), "invalid-type", "{document}");
                            assert_eq!((decoder.position(), decoder.depth()), (position, depth));
                        }
                    }
                }
                // And then the value is read, and everything closed.
                decoder.value().unwrap();
                if outer > 0 {
                    assert!(!decoder.more().unwrap());
                    assert_eq!(decoder.kind().unwrap(), Kind::End);
                    decoder.end().unwrap();
                }
                assert_eq!(decoder.position(), bytes.len());
                decoder.finish().unwrap();
            }
        }
    }
}

#[test]
fn scalars_are_read_as_what_they_are() {
    let bytes = unhex("b8 ba b9 05 a0 ff e0 b0 79 42 c3 a9 c4 02 00 ff");
    let mut decoder = Decoder::new(&bytes);
    decoder.null().unwrap();
    assert!(decoder.bool().unwrap());
    assert!(!decoder.bool().unwrap());
    assert_eq!(decoder.int().unwrap(), Int::from(5));
    assert_eq!(decoder.u64().unwrap(), 255);
    assert_eq!(decoder.i64().unwrap(), -32);
    assert_eq!(decoder.f64().unwrap(), 1.5);
    let text: &str = decoder.str().unwrap();
    let blob: &[u8] = decoder.bytes().unwrap();
    assert!(!decoder.more().unwrap());
    decoder.finish().unwrap();
    // They are parts of the input.
    assert_eq!((text.as_ptr(), blob.as_ptr()), (bytes[10..].as_ptr(), bytes[14..].as_ptr()));
    assert_eq!((text, blob), ("é", &b"\0\xFF"[..]));
}

#[test]
fn ints_that_do_not_fit_stay_unread() {
    for (document, as_i64, as_u64) in [
        ("05", Some(5), Some(5)),
        ("ff", Some(-1), None),
        ("a7 ff ff ff ff ff ff ff 7f", Some(i64::MAX), Some(i64::MAX as u64)),
        ("a7 00 00 00 00 00 00 00 80", None, Some(1 << 63)),
        ("af ff ff ff ff ff ff ff 7f", Some(i64::MIN), None),
        ("af 00 00 00 00 00 00 00 80", None, None),
        ("bc 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", Some(5), Some(5)),
        ("bd 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", Some(-5), None),
        ("bc 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00", None, None),
    ] {
        let bytes = unhex(document);
        assert_eq!(Decoder::new(&bytes).i64().ok(), as_i64, "{document}");
        assert_eq!(Decoder::new(&bytes).u64().ok(), as_u64, "{document}");
        let mut decoder = Decoder::new(&bytes);
        let _ = decoder.u64().is_err() && decoder.i64().is_err();
        if as_i64.is_none() && as_u64.is_none() {
            assert_eq!(decoder.position(), 0);
            decoder.int().unwrap();
        }
        decoder.finish().unwrap();
    }
}

#[test]
fn containers_are_entered_and_left() {
    let bytes = unhex("84 82 01 02 d0 03 be 91 41 61 04 d1 05 06 be");
    let mut decoder = Decoder::new(&bytes);
    assert_eq!(decoder.list().unwrap(), Some(4));
    assert_eq!(decoder.list().unwrap(), Some(2));
    assert_eq!(decoder.depth(), 2);
    // Too early: an error, and nothing moved.
    for _ in 0..2 {
        let error = decoder.end().unwrap_err();
        assert_eq!((error.name(), error.offset()), ("invalid-length", Some(2)));
    }
    assert_eq!(decoder.finish().unwrap_err().name(), "invalid-length");
    assert_eq!((decoder.int().unwrap(), decoder.int().unwrap()), (Int::from(1), Int::from(2)));
    // Too far: what comes next belongs to the list around it.
    assert!(!decoder.more().unwrap());
    for (_, read) in READS {
        assert!(read(&mut decoder).is_err());
    }
    for error in [
        decoder.int().unwrap_err(),
        decoder.skip().unwrap_err(),
        decoder.value().unwrap_err(),
        decoder.raw().unwrap_err(),
    ] {
        assert_eq!((error.name(), error.offset()), ("invalid-length", Some(4)));
    }
    assert_eq!(decoder.position(), 4);
    decoder.end().unwrap();
    assert_eq!(decoder.list().unwrap(), None);
    assert!(decoder.more().unwrap());
    decoder.skip().unwrap();
    assert!(!decoder.more().unwrap());
    assert!(decoder.int().is_err());
    decoder.end().unwrap();
    assert_eq!(decoder.map().unwrap(), Some(1));
    assert_eq!(decoder.str().unwrap(), "a");
    assert!(decoder.end().is_err());
    assert!(decoder.more().unwrap());
    decoder.int().unwrap();
    decoder.end().unwrap();
    assert_eq!(decoder.map().unwrap(), None);
    decoder.int().unwrap();
    assert!(decoder.end().is_err());
    decoder.int().unwrap();
    decoder.end().unwrap();
    assert!(!decoder.more().unwrap());
    decoder.end().unwrap();
    assert_eq!(decoder.depth(), 0);
    assert_eq!(decoder.end().unwrap_err().name(), "invalid-length");
    assert!(!decoder.more().unwrap());
    decoder.finish().unwrap();
    assert_eq!(decoder.int().unwrap_err().name(), "truncated");
}

#[test]
fn exts_and_somes_hold_one_value() {
    let bytes = unhex("bf a0 46 bb bb b8 05");
    let mut decoder = Decoder::new(&bytes);
    assert!(!decoder.some().unwrap());
    assert_eq!(decoder.ext().unwrap(), 70);
    assert!(decoder.end().is_err());
    assert!(decoder.some().unwrap() && decoder.some().unwrap() && !decoder.some().unwrap());
    assert_eq!(decoder.depth(), 3);
    decoder.null().unwrap();
    assert!(decoder.null().is_err());
    assert_eq!(decoder.kind().unwrap(), Kind::End);
    (0..3).for_each(|_| decoder.end().unwrap());
    assert_eq!(decoder.int().unwrap(), Int::from(5));
    decoder.finish().unwrap();
}

#[test]
fn skip_raw_and_value_read_one_whole() {
    let bytes = unhex("83 92 01 81 41 61 02 b8 d0 01 be bb b8");
    let mut decoder = Decoder::new(&bytes);
    decoder.list().unwrap();
    let raw = decoder.raw().unwrap();
    assert_eq!(raw.as_bytes(), &bytes[1..8]);
    assert_eq!(raw.as_bytes().as_ptr(), bytes[1..].as_ptr());
    let again = decoder.clone();
    decoder.skip().unwrap();
    assert_eq!(decoder.position(), 11);
    assert_eq!(decoder.value().unwrap(), Value::Null);
    decoder.end().unwrap();
    decoder.finish().unwrap();
    // A clone goes its own way.
    let mut again = again;
    assert_eq!(again.value().unwrap(), wbin!([1]));
    assert_eq!(again.raw().unwrap().as_bytes(), unhex("bb b8"));
    again.end().unwrap();
    // What is skipped is well-formed, no more; what is read whole is valid.
    for (document, name) in [("82 41 ff 05", "invalid-utf8"), ("82 92 01 b8 01 b8 05", "duplicate-key")] {
        let bytes = unhex(document);
        let at = |offset| Some(offset);
        for read in [|d: &mut Decoder<'_>| d.raw().map(drop), |d: &mut Decoder<'_>| d.value().map(drop)] {
            let mut decoder = Decoder::new(&bytes);
            decoder.list().unwrap();
            let error = read(&mut decoder).unwrap_err();
            let offset = if name == "invalid-utf8" { 1 } else { 4 };
            assert_eq!((error.name(), error.offset()), (name, at(offset)), "{document}");
            decoder.skip().unwrap();
            assert_eq!(decoder.int().unwrap(), Int::from(5));
            decoder.end().unwrap();
            decoder.finish().unwrap();
        }
    }
}

#[test]
fn after_any_error_the_decoder_stands_where_it_stood() {
    let reads: [Read; 16] = [
        |d| d.null(),
        |d| d.bool().map(drop),
        |d| d.int().map(drop),
        |d| d.i64().map(drop),
        |d| d.u64().map(drop),
        |d| d.f64().map(drop),
        |d| d.str().map(drop),
        |d| d.bytes().map(drop),
        |d| d.list().map(drop),
        |d| d.map().map(drop),
        |d| d.ext().map(drop),
        |d| d.skip(),
        |d| d.raw().map(drop),
        |d| d.value().map(drop),
        |d| d.event().map(drop),
        |d| d.end(),
    ];
    for broken in [
        "a1 05",
        "b6 00",
        "b7 00",
        "b0",
        "bc 00",
        "43 61",
        "c0 05 61",
        "c1 05",
        "c4 05 00",
        "82 05",
        "91 05",
        "cb 05",
        "bf",
        "bf a1 05",
        "bf b8 00",
        "41 ff",
        "81 41 ff",
        "81 d4",
        "d4",
        "d2 00",
        "be",
        "81 be",
        "df 57 42 01",
        "d1 05 be",
        "d0 05",
        "bb",
        "bd ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff",
        "92 05 b8 05 b8",
        "",
    ] {
        for prefix in ["", "83 05", "d0 05", "bf 05", "bb"] {
            let bytes = unhex(&format!("{prefix} {broken}"));
            if prefix == "83 05" && broken.is_empty() {
                continue; // the count itself is more than there are bytes
            }
            for read in reads {
                let mut decoder = Decoder::new(&bytes);
                let opened: Result<()> = match prefix {
                    "" => Ok(()),
                    "bf 05" => decoder.ext().map(drop),
                    "bb" => decoder.some().map(drop),
                    _ => decoder.list().map(drop).and_then(|()| decoder.int().map(drop)),
                };
                if opened.is_err() {
                    continue;
                }
                let (position, depth) = (decoder.position(), decoder.depth());
                let kind = |decoder: &mut Decoder<'_>| decoder.kind().map_err(|error| error.to_string());
                let before = kind(&mut decoder);
                let Err(error) = read(&mut decoder) else { continue };
                let bare: fn(&Error) -> (&'static str, Option<usize>) =
                    |error| (error.name(), error.offset());
                assert_eq!(
                    (decoder.position(), decoder.depth()),
                    (position, depth),
                    "{} {error}",
                    hex(&bytes)
                );
                assert_eq!(kind(&mut decoder), before, "{}", hex(&bytes));
                assert_eq!(bare(&read(&mut decoder).unwrap_err()), bare(&error), "{}", hex(&bytes));
            }
        }
    }
}

#[test]
fn events_tell_everything() {
    let bytes = unhex("86 b8 ba 05 b0 79 91 41 61 c4 01 00 d0 bf 46 bb b8 e0 be");
    // 70 as an ext type takes two bytes; 46 is a string's tag, which no type has.
    let mut decoder = Decoder::new(&bytes);
    let mut seen = Vec::new();
    let error = loop {
        match decoder.event() {
            Ok(Some(event)) => seen.push(event),
            Ok(None) => panic!("no end"),
            Err(error) => break error,
        }
    };
    assert_eq!((error.name(), error.offset()), ("ext-type", Some(14)));
    assert_eq!(seen.len(), 10);
    let bytes = unhex("86 b8 ba 05 b0 79 91 41 61 c4 01 00 d0 bf 05 bb b8 e0 be");
    let mut decoder = Decoder::new(&bytes);
    let mut seen = Vec::new();
    while let Some(event) = decoder.event().unwrap() {
        seen.push(event);
    }
    assert_eq!(
        seen,
        [
            Event::List(Some(6)),
            Event::Null,
            Event::Bool(true),
            Event::Int(Int::from(5)),
            Event::Float(1.5),
            Event::Map(Some(1)),
            Event::String("a"),
            Event::Bytes(b"\0"),
            Event::End,
            Event::List(None),
            Event::Ext(5),
            Event::Some,
            Event::Null,
            Event::End,
            Event::End,
            Event::Int(Int::from(-32)),
            Event::End,
            Event::End,
        ]
    );
    decoder.finish().unwrap();
    assert_eq!(decoder.event().unwrap(), None);
    // Events mix with the other calls.
    let mut decoder = Decoder::new(&bytes);
    assert_eq!(decoder.event().unwrap(), Some(Event::List(Some(6))));
    decoder.null().unwrap();
    assert_eq!(decoder.event().unwrap(), Some(Event::Bool(true)));
    (0..3).for_each(|_| decoder.skip().unwrap());
    decoder.list().unwrap();
    assert_eq!(decoder.event().unwrap(), Some(Event::Ext(5)));
    // Nothing at all, or nothing but a signature, is no document.
    for (document, offset) in [("", 0), ("df 57 42 01", 4)] {
        let bytes = unhex(document);
        let error = Decoder::new(&bytes).event().unwrap_err();
        assert_eq!((error.name(), error.offset()), ("truncated", Some(offset)));
    }
}

#[test]
fn a_signature_is_passed_over_at_the_start() {
    for (_, document, _) in KINDS {
        let bytes = unhex(&format!("df 57 42 01 {document}"));
        for (kind, read) in READS {
            let mut decoder = Decoder::new(&bytes);
            let result = read(&mut decoder);
            assert_eq!(result.is_ok(), decoder_kind(&bytes) == kind, "{document}");
        }
        let mut decoder = Decoder::new(&bytes);
        assert!(decoder.more().unwrap());
        assert_eq!(decoder.position(), 4);
        assert_eq!(Decoder::new(&bytes).raw().unwrap().as_bytes(), &bytes[4..]);
        Decoder::new(&bytes).skip().unwrap();
        Decoder::new(&bytes).value().unwrap();
        Decoder::new(&bytes).event().unwrap().unwrap();
    }
    for (document, name) in [
        ("df 57 42 02 05", "unsupported-version"),
        ("df 58 42 01 05", "bad-signature"),
        ("df 57", "truncated"),
    ] {
        let bytes = unhex(document);
        for (_, read) in READS {
            let error = read(&mut Decoder::new(&bytes)).unwrap_err();
            assert_eq!((error.name(), error.offset()), (name, Some(0)), "{document}");
        }
    }
    let twice = unhex("05 df 57 42 01 05");
    let mut decoder = Decoder::new(&twice);
    decoder.int().unwrap();
    let error = decoder.int().unwrap_err();
    assert_eq!((error.name(), error.offset()), ("bad-signature", Some(1)));
}

fn decoder_kind(bytes: &[u8]) -> Kind {
    Decoder::new(bytes).kind().unwrap()
}

#[test]
fn limits_and_strict_reading() {
    let config = Config::new().max_depth(2);
    let bytes = unhex("81 81 81 05");
    let mut decoder = Decoder::with_config(&bytes, &config).unwrap();
    decoder.list().unwrap();
    decoder.list().unwrap();
    for read in [
        |d: &mut Decoder<'_>| d.list().map(drop),
        |d: &mut Decoder<'_>| d.skip(),
        |d: &mut Decoder<'_>| d.event().map(drop),
    ] {
        let error = read(&mut decoder).unwrap_err();
        assert_eq!((error.name(), error.offset()), ("depth-limit", Some(2)));
    }
    let strict = Config::new().strict(true);
    for (document, name) in
        [("a0 05", "not-canonical"), ("df 57 42 01 05", "not-canonical"), ("82 05", "truncated")]
    {
        let bytes = unhex(document);
        assert_eq!(Decoder::with_config(&bytes, &strict).err().unwrap().name(), name);
    }
    let bytes = unhex("82 01 02");
    Decoder::with_config(&bytes, &strict).unwrap().value().unwrap();
}

#[test]
fn an_end_tag_where_none_may_stand() {
    let error = |document: &str, calls: fn(&mut Decoder<'_>) -> Result<Kind>| {
        let bytes = unhex(document);
        let mut decoder = Decoder::new(&bytes);
        let error = calls(&mut decoder).unwrap_err();
        (error.name(), error.offset())
    };
    assert_eq!(error("be", |d| d.kind()), ("unexpected-end", Some(0)));
    assert_eq!(
        error("81 be", |d| {
            d.list()?;
            d.kind()
        }),
        ("unexpected-end", Some(1))
    );
    assert_eq!(
        error("d1 01 be", |d| {
            d.map()?;
            d.int()?;
            d.kind()
        }),
        ("unexpected-end", Some(2))
    );
    assert_eq!(
        error("bb be", |d| {
            d.some()?;
            d.kind()
        }),
        ("unexpected-end", Some(1))
    );
    assert_eq!(
        error("d0 01", |d| {
            d.list()?;
            d.int()?;
            d.kind()
        }),
        ("truncated", Some(2))
    );
    // In a plain column
    assert_eq!(
        error("d2 01 00 01 be", |d| {
            d.list()?;
            d.kind()
        }),
        ("unexpected-end", Some(4))
    );
}

// ---------------------------------------------------------------------------------------------------------
// Both
// ---------------------------------------------------------------------------------------------------------

/// Writes again what a decoder reads, event by event; with counts, or without.
fn copy(bytes: &[u8], counted: bool) -> Vec<u8> {
    let mut decoder = Decoder::new(bytes);
    let mut encoder = Encoder::new();
    while let Some(event) = decoder.event().unwrap() {
        match event {
            Event::Null => encoder.null(),
            Event::Bool(on) => encoder.bool(on),
            Event::Int(int) => encoder.int(int),
            Event::Float(f) => encoder.f64(f),
            Event::String(text) => encoder.str(text),
            Event::Bytes(bytes) => encoder.bytes(bytes),
            Event::List(Some(n)) if counted => encoder.list(n),
            Event::List(_) => encoder.open_list(),
            Event::Map(Some(n)) if counted => encoder.map(n),
            Event::Map(_) => encoder.open_map(),
            Event::Ext(number) => encoder.ext(number),
            Event::Some => encoder.some(),
            Event::End => encoder.end(),
            other => panic!("{other:?}"),
        }
        .unwrap();
    }
    encoder.finish().unwrap()
}

/// Reads a value by asking for what comes.
fn pull<'de>(decoder: &mut Decoder<'de>) -> Result<Value<'de>> {
    Ok(match decoder.kind()? {
        Kind::Null => decoder.null().map(|()| Value::Null)?,
        Kind::Bool => Value::from(decoder.bool()?),
        Kind::Int => Value::from(decoder.int()?),
        Kind::Float => Value::from(decoder.f64()?),
        Kind::String => Value::from(decoder.str()?),
        Kind::Bytes => Value::from(decoder.bytes()?),
        Kind::List => {
            let mut items = Vec::new();
            decoder.list()?;
            while decoder.more()? {
                items.push(pull(decoder)?);
            }
            decoder.end()?;
            items.into()
        }
        Kind::Map => {
            let mut entries = Vec::new();
            decoder.map()?;
            while decoder.more()? {
                entries.push((pull(decoder)?, pull(decoder)?));
            }
            decoder.end()?;
            Value::from(wbin::Map::try_from_entries(entries)?)
        }
        Kind::Ext => {
            let number = decoder.ext()?;
            let value = pull(decoder)?;
            decoder.end()?;
            Value::from(Ext::new(number, value))
        }
        other => panic!("{other}"),
    })
}

proptest! {
    #![proptest_config(strategies::cases(128))]

    #[test]
    fn what_is_copied_by_events_is_the_same(value in values()) {
        let bytes = value.to_vec().unwrap();
        prop_assert_eq!(&copy(&bytes, true), &bytes);
        let open = copy(&bytes, false);
        prop_assert_eq!(&Value::from_slice(&open).unwrap(), &value);
        prop_assert_eq!(&copy(&open, false), &open);
        let mut decoder = Decoder::new(&open);
        prop_assert_eq!(&pull(&mut decoder).unwrap(), &value);
        decoder.finish().unwrap();
        prop_assert_eq!(wbin::skip(&open).unwrap(), open.len());
        for end in (0..open.len()).step_by(1 + open.len() / 40) {
            let mut decoder = Decoder::new(&open[..end]);
            prop_assert_eq!(pull(&mut decoder).unwrap_err().name(), "truncated");
        }
    }
}
