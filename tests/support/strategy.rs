//! Values and documents at random, for proptest.

use super::{Tree, reference};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::Union;

/// Ints of every width, and those beside the boundaries.
pub(crate) fn int() -> impl Strategy<Value = Tree> {
    let edges =
        prop::sample::select(vec![31_u128, 32, 63, 64, 127, 128, 255, 256, 65_535, 65_536, 1 << 32, 1 << 64]);
    let magnitude = prop_oneof![
        4 => 0_u128..300,
        2 => (edges, -2_i128..3).prop_map(|(edge, by)| edge.wrapping_add_signed(by)),
        2 => (any::<u128>(), 0_u32..128).prop_map(|(u, shift)| u >> shift),
        1 => Just(u128::MAX),
    ];
    (any::<bool>(), magnitude).prop_map(|(negative, u)| match negative {
        true => Tree::Int(true, u >> 1 & u128::MAX >> 1),
        false => Tree::Int(false, u),
    })
}

/// Floats that are short decimals, those that nearly are, binary32, and any bits at all.
pub(crate) fn float() -> impl Strategy<Value = Tree> {
    let powers: [f64; 10] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e-3];
    let decimal = (any::<i64>(), 8_u32..64, prop::sample::select(powers.to_vec()))
        .prop_map(|(m, shift, power)| (m >> shift) as f64 / power);
    let beside =
        (decimal.clone(), -2_i64..3).prop_map(|(f, by)| f64::from_bits(f.to_bits().wrapping_add_signed(by)));
    let special = prop::sample::select(vec![
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        f64::from_bits(0x7FF0_0000_0000_0001),
        f64::from_bits(0x7FF0_0000_2000_0000),
        f64::MIN_POSITIVE,
        f64::MAX,
        17_592_186_044_415.0,
        -17_592_186_044_416.0,
    ]);
    let float = prop_oneof![
        4 => decimal,
        1 => beside,
        2 => any::<u32>().prop_map(|bits| f64::from(f32::from_bits(bits))),
        2 => any::<u64>().prop_map(f64::from_bits),
        2 => special,
    ];
    float.prop_map(|f| Tree::Float(f.to_bits()))
}

pub(crate) fn text() -> impl Strategy<Value = Tree> {
    prop_oneof![
        6 => "[a-c]{0,3}",
        2 => ".{0,12}",
        1 => (60_usize..70, any::<char>()).prop_map(|(n, c)| c.to_string().repeat(n)),
        1 => (254_usize..258).prop_map(|n| "x".repeat(n)),
    ]
    .prop_map(Tree::Str)
}

/// Any value, with maps of any keys and with `some`.
pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        1 => Just(Tree::Null),
        1 => any::<bool>().prop_map(Tree::Bool),
        4 => int(),
        4 => float(),
        4 => text(),
        1 => vec(any::<u8>(), 0..5).prop_map(Tree::Bytes),
        1 => Just(Tree::some(Tree::Null)),
    ];
    leaf.prop_recursive(4, 40, 8, |inner| {
        let entries = vec((inner.clone(), inner.clone()), 0..6).prop_map(distinct);
        let long = (14_u128..20).prop_map(|n| {
            Tree::Map((0..n).map(|n| (Tree::Int(false, n * 7 % 19), Tree::Bool(n % 2 == 0))).collect())
        });
        Union::new_weighted(vec![
            (4, vec(inner.clone(), 0..6).prop_map(Tree::List).boxed()),
            (1, (14_usize..18, inner.clone()).prop_map(|(n, item)| Tree::List(vec![item; n])).boxed()),
            (4, entries.prop_map(Tree::Map).boxed()),
            (1, long.boxed()),
            (
                1,
                (prop_oneof![0_u64..70, any::<u64>()], inner.clone())
                    .prop_map(|(ext_type, payload)| Tree::Ext(ext_type, Box::new(payload)))
                    .boxed(),
            ),
            (1, inner.prop_map(Tree::some).boxed()),
        ])
    })
}

/// The entries whose keys are new, also to those who look through `some`.
pub(crate) fn distinct(entries: Vec<(Tree, Tree)>) -> Vec<(Tree, Tree)> {
    let mut kept: Vec<(Tree, Tree)> = Vec::new();
    for (key, value) in entries {
        let plain = key.without_some();
        if kept.iter().all(|(before, _)| before.without_some() != plain) {
            kept.push((key, value));
        }
    }
    kept
}

/// Bytes that are likely to be read far: small containers, short payloads, now and then anything.
pub(crate) fn tags() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        6 => 0x00_u8..0x08,
        2 => prop::sample::select(vec![0x40_u8, 0x41, 0x42, 0x61, 0xC3, 0xA9]),
        4 => 0x80_u8..0x84,
        4 => 0x90_u8..0x93,
        1 => 0xA0_u8..0xB8,
        3 => 0xB8_u8..0xC0,
        2 => 0xC0_u8..0xD2,
        3 => prop::sample::select(vec![0xD0_u8, 0xD1, 0xBE, 0xBB, 0xBF]),
        1 => 0xF0_u8..=0xFF,
        1 => any::<u8>(),
    ];
    // Half of those that hold a value end with it.
    (vec(byte, 0..40), any::<bool>()).prop_map(|(mut bytes, whole)| {
        if let (true, Ok(end)) = (whole, reference::skip(&bytes, 128)) {
            bytes.truncate(end);
        }
        bytes
    })
}
