//! Random values for the tests, of the data model and of serde's types, and a few helpers.
#![allow(dead_code, unreachable_pub, unused_imports)] // each test file uses its part

use proptest::prelude::*;
use std::io::Read;
use wbin::{Ext, Int, List, Map, Value};

/// So many cases of a property. A case that fails is printed, not kept in a file.
pub fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig { cases, ..default },
    }
}

/// Lower-case digits, as the vectors write them.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes from digits in either case, with spaces anywhere.
pub fn unhex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        digits.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).expect("a digit")).collect();
    assert!(digits.len() % 2 == 0, "half a byte");
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// A reader that delivers one byte a call.
pub struct OneByte<'a>(pub &'a [u8]);

impl Read for OneByte<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = buf.len().min(1);
        self.0.read(&mut buf[..n])
    }
}

/// Every power of two that some width ends at, and what is beside it; then everything else.
pub fn ints() -> impl Strategy<Value = Int> {
    const BITS: [u32; 12] = [0, 5, 6, 7, 8, 16, 24, 32, 53, 63, 64, 127];
    prop_oneof![
        4 => (-40_i64..80).prop_map(Int::from),
        4 => (prop::sample::select(&BITS[..]), -2_i128..=2, any::<bool>()).prop_map(|(bits, off, negative)| {
            let edge = if bits == 127 { i128::MAX } else { 1 << bits };
            let near = edge.saturating_add(off);
            Int::from(if negative { near.wrapping_neg() } else { near })
        }),
        2 => (any::<u128>(), 0_u32..128).prop_map(|(u, shift)| Int::from(u >> shift)),
        2 => (any::<i128>(), 0_u32..128).prop_map(|(i, shift)| Int::from(i >> shift)),
        1 => prop::sample::select(vec![Int::MIN, Int::MAX, Int::from(i128::MAX), Int::from(i64::MIN)]),
    ]
}

/// The floats at which some rule changes.
pub const SPECIAL_FLOATS: [u64; 24] = [
    0,
    0x8000_0000_0000_0000,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0000,
    0x7FF8_0000_0000_0001,
    0x7FF0_0000_0000_0001,
    0x7FF0_0000_2000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0xFFFF_FFFF_E000_0000,
    0x0000_0000_0000_0001,
    0x000F_FFFF_FFFF_FFFF,
    0x0010_0000_0000_0000,
    0x7FEF_FFFF_FFFF_FFFF,
    0x36A0_0000_0000_0000, // the smallest binary32
    0x47EF_FFFF_E000_0000, // the largest binary32
    0x3FB9_9999_9999_999A, // 0.1
    0x3FD5_5555_5555_5555, // 1/3
    0x42AF_FFFF_FFFF_FFFE, // 2^44 - 1
    0x42B0_0000_0000_0000, // 2^44
    0xC2B0_0000_0000_0000, // -2^44
    0x4340_0000_0000_0000, // 2^53
    0x3E7A_D7F2_9ABC_AF48, // 1e-7
];

pub fn floats() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => any::<u64>().prop_map(f64::from_bits),
        4 => decimals(),
        2 => any::<u32>().prop_map(widened),
        1 => any::<i32>().prop_map(f64::from),
        2 => prop::sample::select(&SPECIAL_FLOATS[..]).prop_map(f64::from_bits),
    ]
}

/// What a person would write: some digits, a point somewhere.
pub fn decimals() -> impl Strategy<Value = f64> {
    (any::<i64>(), 8_u32..64, 0_i32..11).prop_map(|(m, shift, k)| (m >> shift) as f64 / 10_f64.powi(k))
}

/// A binary32 as the binary64 of the same bits, NaNs not quieted.
pub fn widened(bits: u32) -> f64 {
    let f = f32::from_bits(bits);
    match f.is_nan() {
        false => f64::from(f),
        true => {
            let bits = u64::from(bits);
            f64::from_bits(bits >> 31 << 63 | 0x7FF << 52 | (bits & 0x007F_FFFF) << 29)
        }
    }
}

/// Lengths at which a head grows.
const LENGTHS: [usize; 9] = [0, 1, 62, 63, 64, 65, 254, 255, 256];

pub fn strings() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::collection::vec(any::<char>(), 0..12).prop_map(|chars| chars.into_iter().collect()),
        3 => "[a-z]{0,8}",
        2 => prop::sample::select(&LENGTHS[..]).prop_map(|n| "x".repeat(n)),
        1 => prop::sample::select(&LENGTHS[..])
            .prop_map(|n| format!("{}{}", "é".repeat(n / 2), "-".repeat(n % 2))),
    ]
}

pub fn byte_strings() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 0..12),
        1 => (prop::sample::select(&LENGTHS[..]), any::<u8>()).prop_map(|(n, byte)| vec![byte; n]),
    ]
}

pub fn ext_types() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..5, 60_u64..68, prop::sample::select(vec![255, 256, 1 << 32, u64::MAX]), any::<u64>()]
}

pub fn scalars() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        4 => ints().prop_map(Value::Int),
        4 => floats().prop_map(Value::Float),
        4 => strings().prop_map(Value::from),
        2 => byte_strings().prop_map(|bytes| Value::Bytes(bytes.into())),
    ]
}

/// A list of maps with the same keys, more or less, as tables are.
pub fn records() -> impl Strategy<Value = Value<'static>> {
    let keys = prop::collection::vec(prop_oneof![3 => strings().prop_map(Value::from), 1 => scalars()], 1..6);
    let rows = prop::collection::vec((prop::collection::vec(scalars(), 6), any::<u8>()), 0..16);
    (keys, rows).prop_map(|(keys, rows)| {
        let row = |(values, odd): (Vec<Value<'static>>, u8)| {
            let mut entries: Vec<_> = keys.iter().cloned().zip(values.iter().cloned()).collect();
            match odd {
                0..16 => drop(entries.pop()),
                16..32 => entries.rotate_left(1),
                32..48 => entries.push(("another".into(), Value::Null)),
                48..64 => entries.push((values[0].clone(), Value::Null)),
                _ => {}
            }
            Value::Map(Map::from_iter(entries))
        };
        rows.into_iter().map(row).collect()
    })
}

/// Any value, four levels deep.
pub fn values() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![4 => nested(scalars()), 1 => nested(prop_oneof![3 => scalars(), 1 => records()])]
}

fn nested(leaves: impl Strategy<Value = Value<'static>> + 'static) -> impl Strategy<Value = Value<'static>> {
    leaves.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..6).prop_map(|items| Value::List(List::from(items))),
            1 => (inner.clone(), 14_usize..18).prop_map(|(item, n)| Value::List(List::from(vec![item; n]))),
            3 => prop::collection::vec((inner.clone(), inner.clone()), 0..6)
                .prop_map(|entries| Value::Map(Map::from_iter(entries))),
            1 => (14_usize..18, inner.clone())
                .prop_map(|(n, item)| Value::Map((0..n).map(|i| (i, item.clone())).collect())),
            1 => (ext_types(), inner).prop_map(|(number, value)| Value::from(Ext::new(number, value))),
        ]
    })
}

/// Types of serde with every attribute that changes what is written.
#[cfg(feature = "serde")]
pub use typed::*;

#[cfg(feature = "serde")]
mod typed {
    use super::*;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    /// A float that is equal to itself, whatever its bits.
    #[derive(Serialize, Deserialize, Clone, Copy, Debug)]
    pub struct Double(pub f64);

    impl PartialEq for Double {
        fn eq(&self, other: &Double) -> bool {
            self.0.to_bits() == other.0.to_bits()
        }
    }

    #[derive(Serialize, Deserialize, Clone, Copy, Debug)]
    pub struct Single(pub f32);

    impl PartialEq for Single {
        fn eq(&self, other: &Single) -> bool {
            self.0.to_bits() == other.0.to_bits()
        }
    }

    /// Bytes as bytes.
    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub struct Blob(pub Vec<u8>);

    impl Serialize for Blob {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.0)
        }
    }

    impl<'de> Deserialize<'de> for Blob {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Blob, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Blob;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Blob, E> {
                    Ok(Blob(bytes.to_vec()))
                }
                fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Blob, A::Error> {
                    let mut bytes = Vec::new();
                    while let Some(byte) = seq.next_element()? {
                        bytes.push(byte);
                    }
                    Ok(Blob(bytes))
                }
            }
            deserializer.deserialize_byte_buf(Visitor)
        }
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    pub struct Unit;

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    pub struct Pair(pub i16, pub String);

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    pub enum External {
        Unit,
        Newtype(Option<Option<u8>>),
        Nothing(()),
        Tuple(u8, Double),
        Struct { a: Option<()>, b: Vec<External> },
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    #[serde(tag = "t", rename_all = "snake_case")]
    pub enum Internal {
        Unit,
        Newtype(Inner),
        Struct { a: String, b: Option<u32> },
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    pub enum Adjacent {
        Unit,
        Newtype(String),
        Tuple(u8, bool),
        Struct { a: i64 },
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    #[serde(untagged)]
    pub enum Untagged {
        Int(i64),
        Text(String),
        List(Vec<Untagged>),
        Struct { only: Box<Untagged> },
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    pub struct Inner {
        pub x: i32,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub label: String,
    }

    #[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
    pub struct Everything {
        pub flag: bool,
        pub small: i8,
        pub large: u64,
        pub wide: u128,
        pub signed: i128,
        pub single: Single,
        pub double: Double,
        pub letter: char,
        pub text: String,
        pub blob: Blob,
        pub list: Vec<u8>,
        pub array: [u16; 3],
        pub unit: (),
        pub unit_struct: Unit,
        pub pair: Pair,
        pub nested: Option<Option<Option<u8>>>,
        pub some_unit: Option<()>,
        #[serde(rename = "type")]
        pub kind: External,
        pub internal: Internal,
        pub adjacent: Adjacent,
        pub untagged: Untagged,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub nick: Option<String>,
        #[serde(skip)]
        pub skipped: u8,
        pub by_int: BTreeMap<i16, String>,
        pub by_option: BTreeMap<Option<Option<u8>>, bool>,
        #[serde(flatten)]
        pub inner: Inner,
        #[serde(flatten)]
        pub rest: BTreeMap<String, u64>,
    }

    fn externals() -> impl Strategy<Value = External> {
        let leaf = prop_oneof![
            Just(External::Unit),
            any::<Option<Option<u8>>>().prop_map(External::Newtype),
            Just(External::Nothing(())),
            (any::<u8>(), floats()).prop_map(|(n, f)| External::Tuple(n, Double(f))),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            (any::<Option<()>>(), prop::collection::vec(inner, 0..3))
                .prop_map(|(a, b)| External::Struct { a, b })
        })
    }

    fn inners() -> impl Strategy<Value = Inner> {
        (any::<i32>(), strings()).prop_map(|(x, label)| Inner { x, label })
    }

    fn internals() -> impl Strategy<Value = Internal> {
        prop_oneof![
            Just(Internal::Unit),
            inners().prop_map(Internal::Newtype),
            (strings(), any::<Option<u32>>()).prop_map(|(a, b)| Internal::Struct { a, b }),
        ]
    }

    fn adjacents() -> impl Strategy<Value = Adjacent> {
        prop_oneof![
            Just(Adjacent::Unit),
            strings().prop_map(Adjacent::Newtype),
            any::<(u8, bool)>().prop_map(|(a, b)| Adjacent::Tuple(a, b)),
            any::<i64>().prop_map(|a| Adjacent::Struct { a }),
        ]
    }

    fn untaggeds() -> impl Strategy<Value = Untagged> {
        let leaf = prop_oneof![any::<i64>().prop_map(Untagged::Int), strings().prop_map(Untagged::Text)];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Untagged::List),
                inner.prop_map(|only| Untagged::Struct { only: Box::new(only) }),
            ]
        })
    }

    pub fn everything() -> impl Strategy<Value = Everything> {
        let scalars = (
            any::<(bool, i8, u64)>(),
            any::<(u128, i128)>(),
            any::<u32>().prop_map(|bits| Single(f32::from_bits(bits))),
            floats().prop_map(Double),
            any::<char>(),
            strings(),
            byte_strings().prop_map(Blob),
            byte_strings(),
            any::<[u16; 3]>(),
            (any::<i16>(), strings()).prop_map(|(n, text)| Pair(n, text)),
        );
        let options = any::<(Option<Option<Option<u8>>>, Option<()>)>();
        let enums = (externals(), internals(), adjacents(), untaggeds());
        let maps = (
            prop::option::of(strings()),
            prop::collection::btree_map(any::<i16>(), strings(), 0..4),
            prop::collection::btree_map(any::<Option<Option<u8>>>(), any::<bool>(), 0..4),
            inners(),
            // Names that no field has.
            prop::collection::btree_map("x-[a-z]{0,4}", any::<u64>(), 0..4),
        );
        (scalars, options, enums, maps).prop_map(|(scalars, options, enums, maps)| Everything {
            flag: scalars.0.0,
            small: scalars.0.1,
            large: scalars.0.2,
            wide: scalars.1.0,
            signed: scalars.1.1,
            single: scalars.2,
            double: scalars.3,
            letter: scalars.4,
            text: scalars.5,
            blob: scalars.6,
            list: scalars.7,
            array: scalars.8,
            unit: (),
            unit_struct: Unit,
            pair: scalars.9,
            nested: options.0,
            some_unit: options.1,
            kind: enums.0,
            internal: enums.1,
            adjacent: enums.2,
            untagged: enums.3,
            nick: maps.0,
            skipped: 0,
            by_int: maps.1,
            by_option: maps.2,
            inner: maps.3,
            rest: maps.4,
        })
    }
}
