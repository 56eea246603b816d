//! Values at random that are like each other, as the rows of a table are, and not quite: what columns
//! are made for, and what they have to get right nevertheless.

use super::Tree;
use super::strategy::{distinct, float, int, text};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// At most so many rows; of what is drawn the first ones are taken.
const ROWS: usize = 20;

fn uint(u: u128) -> Tree {
    Tree::Int(false, u)
}

fn signed(i: i128) -> Tree {
    if i < 0 { Tree::Int(true, !i as u128) } else { uint(i as u128) }
}

fn string(text: &str) -> Tree {
    Tree::Str(text.to_string())
}

/// Strings that come again, some of them longer than what a table has for a key or a dictionary likes.
fn repeated() -> BoxedStrategy<Tree> {
    let long = ["x".repeat(65), "long, and said often ".repeat(5), "é".repeat(200)];
    let pool = ["", "on", "off", "pending", "Grüße"].map(String::from);
    select([&pool[..], &long[..]].concat()).prop_map(Tree::Str).boxed()
}

/// Ints at the ends of what a column of ints holds, and beyond.
fn edges() -> BoxedStrategy<Tree> {
    let unsigned = [0, 1, u128::from(u64::MAX), 1 << 63, (1 << 63) - 1];
    let signed_ones = [-1, i128::from(i64::MIN), i128::from(i64::MIN) + 1, i128::from(i64::MAX)];
    let wide = [1 << 64, u128::MAX, 1 << 127].map(uint);
    let low = [i128::MIN, i128::from(i64::MIN) - 1].map(signed);
    prop_oneof![
        select(unsigned.map(uint).to_vec()),
        select(signed_ones.map(signed).to_vec()),
        select([&wide[..], &low[..]].concat()),
    ]
    .boxed()
}

fn cents() -> BoxedStrategy<Tree> {
    (-100_000_i32..1_000_000).prop_map(|m| Tree::Float((f64::from(m) / 100.0).to_bits())).boxed()
}

fn odd_floats() -> BoxedStrategy<Tree> {
    let bits = [
        (-0.0_f64).to_bits(),
        0,
        f64::NAN.to_bits(),
        0xFFF8_0000_0000_0001,
        0x7FF0_0000_2000_0000,
        f64::INFINITY.to_bits(),
        1.5_f64.to_bits(),
    ];
    select(bits.to_vec()).prop_map(Tree::Float).boxed()
}

fn empties() -> BoxedStrategy<Tree> {
    select(vec![
        Tree::List(Vec::new()),
        Tree::Map(Vec::new()),
        Tree::List(vec![Tree::List(Vec::new())]),
        Tree::Null,
    ])
    .boxed()
}

/// The cells of one field, row by row.
fn cells() -> BoxedStrategy<Vec<Tree>> {
    let column = |cell: BoxedStrategy<Tree>| vec(cell, ROWS).boxed();
    let small = (0_u128..50).prop_map(uint).boxed();
    let near = (any::<i64>(), 0_u32..60)
        .prop_flat_map(|(start, shift)| {
            let step = any::<i64>().prop_map(move |step| i128::from(step >> shift));
            vec(step, ROWS).prop_map(move |steps| (start, steps))
        })
        .prop_map(|(start, steps)| {
            steps.into_iter().map(|step| i128::from(start) + step).map(signed).collect()
        });
    let rising = (-4_000_000_000_i64..4_000_000_000, vec(-3_i64..1000, ROWS)).prop_map(|(start, steps)| {
        let sum = steps.into_iter().scan(start, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        sum.map(|sum| signed(i128::from(sum))).collect::<Vec<_>>()
    });
    let wide = prop_oneof![3 => any::<u64>().prop_map(|u| uint(u128::from(u))), 1 => edges()].boxed();
    let whole = (-100_i32..100).prop_map(|m| Tree::Float(f64::from(m).to_bits()));
    let mixed = prop_oneof![small.clone(), whole, cents(), odd_floats()].boxed();
    let single = any::<u32>().prop_map(|bits| Tree::Float(f64::from(f32::from_bits(bits)).to_bits())).boxed();
    let bytes = prop_oneof![vec(any::<u8>(), 0..6), vec(Just(7), 70)].prop_map(Tree::Bytes).boxed();
    let some_null = prop_oneof![small.clone(), Just(Tree::some(Tree::Null)), Just(Tree::Null)].boxed();
    let scalars = prop_oneof![
        3 => column(small.clone()),
        1 => near,
        2 => rising,
        1 => column(edges()),
        1 => column(wide),
        1 => column(int().boxed()),
        1 => column(mixed),
        2 => column(cents()),
        1 => column(prop_oneof![3 => cents(), 1 => odd_floats()].boxed()),
        1 => column(single),
        1 => column(float().boxed()),
        2 => column(any::<bool>().prop_map(Tree::Bool).boxed()),
        3 => column(repeated()),
        1 => column(text().boxed()),
        1 => column(bytes),
        1 => column(empties()),
        1 => column(some_null),
        1 => column(Just(Tree::Null).boxed()),
    ];
    let pair = (cents(), small.clone()).prop_map(|(a, b)| Tree::List(vec![a, b]));
    let triple = vec(small.clone(), 3).prop_map(Tree::List);
    let few = vec(prop_oneof![4 => small.clone(), 1 => repeated()], 0..4).prop_map(Tree::List);
    let point = (cents(), cents(), any::<u8>()).prop_map(|(x, y, odd)| {
        let mut entries = vec![(string("x"), x), (string("y"), y)];
        match odd {
            0..20 => drop(entries.pop()),
            20..40 => entries.swap(0, 1),
            40..60 => entries.push((string("z"), Tree::Null)),
            _ => {}
        }
        Tree::Map(entries)
    });
    let inner_table = vec(point.clone(), 0..4).prop_map(Tree::List);
    let counts = vec((repeated(), small.clone()), 0..4).prop_map(|entries| Tree::Map(distinct(entries)));
    let deep = prop_oneof![empties(), Just(Tree::List(vec![Tree::List(vec![uint(1)]), Tree::List(vec![])]))];
    let ext = (select(vec![0_u64, 0, 0, 70, u64::MAX]), small)
        .prop_map(|(ext_type, payload)| Tree::Ext(ext_type, Box::new(payload)));
    let nested = prop_oneof![
        column(pair.boxed()),
        column(triple.boxed()),
        column(few.boxed()),
        column(point.boxed()),
        column(inner_table.boxed()),
        column(counts.boxed()),
        column(deep.boxed()),
        column(ext.boxed()),
    ];
    // A null here and there, or where nearly everything is null.
    let nulls = prop_oneof![3 => Just(0_u8), 1 => Just(40), 1 => Just(230)];
    (prop_oneof![3 => scalars, 1 => nested], nulls, vec(any::<u8>(), ROWS))
        .prop_map(|(cells, nulls, dice)| {
            let cell = |(cell, dice): (Tree, u8)| if dice < nulls { Tree::Null } else { cell };
            cells.into_iter().zip(dice).map(cell).collect()
        })
        .boxed()
}

/// Keys of rows: short strings nearly always.
fn key() -> BoxedStrategy<Tree> {
    let names = ["id", "name", "price", "tags", "a", "b", "", "größe"].map(String::from);
    let long = [63, 64, 65].map(|n| "k".repeat(n));
    prop_oneof![
        20 => select(names.to_vec()).prop_map(Tree::Str),
        3 => select(long.to_vec()).prop_map(Tree::Str),
        1 => (0_u128..3).prop_map(uint),
    ]
    .boxed()
}

/// How one row is unlike the others.
#[derive(Clone, Copy, Debug)]
enum Odd {
    No,
    Missing(Index),
    Turned(Index),
    Swapped(Index, Index),
    Added,
    Other(Index),
    NoRow,
    Empty,
}

fn odd() -> impl Strategy<Value = Odd> {
    prop_oneof![
        24 => Just(Odd::No),
        3 => any::<Index>().prop_map(Odd::Missing),
        1 => any::<Index>().prop_map(Odd::Turned),
        1 => any::<(Index, Index)>().prop_map(|(one, other)| Odd::Swapped(one, other)),
        1 => Just(Odd::Added),
        1 => any::<Index>().prop_map(Odd::Other),
        1 => Just(Odd::NoRow),
        1 => Just(Odd::Empty),
    ]
}

fn row(mut entries: Vec<(Tree, Tree)>, odd: Odd) -> Tree {
    let len = entries.len();
    match odd {
        Odd::No => {}
        Odd::Missing(at) => drop(entries.remove(at.index(len))),
        Odd::Turned(at) => entries.rotate_left(at.index(len)),
        Odd::Swapped(one, other) => entries.swap(one.index(len), other.index(len)),
        Odd::Added => entries.push((string("added"), Tree::List(vec![Tree::Bool(true)]))),
        Odd::Other(at) => entries[at.index(len)].1 = string("of another kind"),
        Odd::NoRow => return Tree::Null,
        Odd::Empty => entries.clear(),
    }
    Tree::Map(entries)
}

/// A list of maps that have the same keys, nearly.
pub(crate) fn rows() -> BoxedStrategy<Tree> {
    let fields = vec((key(), cells()), 1..7);
    // In half of them every row is like the others.
    (fields, vec(odd(), ROWS), any::<bool>(), 1..=ROWS)
        .prop_map(|(fields, odd, same, n)| {
            let keys = distinct(fields.iter().map(|(key, _)| (key.clone(), Tree::Null)).collect());
            let cells: Vec<&Vec<Tree>> = fields.iter().map(|(_, cells)| cells).collect();
            let entries = |i: usize| {
                keys.iter().zip(&cells).map(move |((key, _), cells)| (key.clone(), cells[i].clone()))
            };
            (0..n).map(|i| row(entries(i).collect(), if same { Odd::No } else { odd[i] })).collect()
        })
        .prop_map(Tree::List)
        .boxed()
}

/// A map of many entries whose values are like each other.
fn map() -> BoxedStrategy<Tree> {
    let keys = prop_oneof![
        3 => Just((0..ROWS).map(|i| Tree::Str(format!("key-{i}"))).collect::<Vec<_>>()),
        1 => vec(text(), ROWS),
        1 => (0_u128..1 << 40).prop_map(|start| (0..ROWS as u128).map(|i| uint(start + 7 * i)).collect()),
        1 => cells(),
    ];
    let values = prop_oneof![2 => cells(), 1 => rows().prop_map(|rows| {
        let Tree::List(rows) = rows else { panic!("rows are a list") };
        rows.into_iter().cycle().take(ROWS).collect()
    })];
    (keys, values, 1..=ROWS)
        .prop_map(|(keys, values, n)| Tree::Map(distinct(keys.into_iter().zip(values).take(n).collect())))
        .boxed()
}

/// Lists and maps in which columns are worth it, and what documents have around them.
pub(crate) fn alike() -> BoxedStrategy<Tree> {
    let scalars = (cells(), 1..=ROWS).prop_map(|(mut cells, n)| {
        cells.truncate(n);
        Tree::List(cells)
    });
    let around = (rows(), map(), cells()).prop_map(|(rows, map, cells)| {
        Tree::Map(vec![
            (string("version"), uint(3)),
            (string("rows"), rows),
            (string("index"), map),
            (string("cells"), Tree::List(cells)),
        ])
    });
    prop_oneof![4 => rows(), 2 => map(), 2 => scalars, 1 => around].boxed()
}

/// Documents of columns in one another that are n each, of all but a few kinds: what the elements are
/// counted for (COL-44). About as many have too many as have not.
pub(crate) fn stacks() -> BoxedStrategy<Vec<u8>> {
    let n = prop_oneof![16_u8..48, 1_u8..=255];
    // Mostly of those without bits.
    let layers = vec(prop_oneof![7 => 0_usize..4, 1 => 4_usize..8], 0..35);
    (n, layers, any::<Index>(), 0_u8..13, any::<bool>(), 0_usize..3)
        .prop_map(|(n, layers, base, length, keys, around)| {
            let mut out = [vec![0x81; around], vec![if keys { 0xD3 } else { 0xD2 }, 0xA0, n]].concat();
            if keys {
                out.extend([0x36, 0]);
                out.extend(0..n);
            }
            let (known, bases) = (layers_of(n), bases_of(n, length));
            layers.into_iter().for_each(|layer| out.extend(&known[layer]));
            out.extend(base.get(&bases));
            out
        })
        .boxed()
}

fn bits_of(n: u8, bit: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut bits = vec![0; usize::from(n).div_ceil(8)];
    (0..usize::from(n)).filter(|i| bit(*i)).for_each(|i| bits[i / 8] |= 1 << (i % 8));
    bits
}

/// What leads from n elements to n others.
fn layers_of(n: u8) -> [Vec<u8>; 8] {
    let (all, none) = (&bits_of(n, |_| true)[..], &bits_of(n, |_| false)[..]);
    [
        vec![0xB0, 1],
        vec![0xB1, 1],
        vec![0xD0, 1, 0x40],
        vec![0xF0, 0],
        [&[0xA0], all].concat(),
        [&[0xD0, 1, 0x40, 0x11], all].concat(),
        [&[0x12], all, &[0xB0, 1]].concat(),
        [&[0xE0, 2], none, &[0xF0, 0]].concat(),
    ]
}

/// What n elements end in; the entry of the dictionary is so long.
fn bases_of(n: u8, length: u8) -> [Vec<u8>; 7] {
    let (all, none) = (&bits_of(n, |_| true)[..], &bits_of(n, |_| false)[..]);
    let times = |bytes: &[u8]| bytes.repeat(usize::from(n));
    let variants: &[u8] = if n == 1 { &[0x10] } else { &[0x10, 0x10] };
    [
        [&[0x20], none].concat(),
        [&[0x12], none].concat(),
        [&[0x12], all, &[0x20], none].concat(),
        [&[0xE0, 2], &bits_of(n, |i| i % 2 == 1)[..], variants].concat(),
        [&[0x00, 0xA0, n], &times(&[5])[..]].concat(),
        [&[0x00, 0xA1], &(2 * u16::from(n)).to_le_bytes()[..], &times(&[0x41, 0x61])].concat(),
        [&[0x90, 1, 0x70, length, 0], &vec![b'x'; usize::from(length)][..], none].concat(),
    ]
}
