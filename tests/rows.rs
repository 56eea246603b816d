//! Are lists that go straight into columns while they are serialized the same bytes as those that are written
//! in the plain layer first, and looked at afterwards?
#![cfg(all(feature = "std", feature = "serde"))]

use proptest::prelude::*;
use serde::Serialize;
use serde::ser::{Error as _, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use std::cell::RefCell;
use std::collections::BTreeMap;
use wbin::{Buffer, Config, Encoder, OwnedValue, RawValue};

/// Numbers for what a test makes up.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % n
    }

    fn rare(&mut self) -> bool {
        self.roll(40) == 0
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Dice) -> T) -> Option<T> {
        (self.roll(2) == 0).then(|| make(self))
    }

    fn list<T>(&mut self, most: u64, mut make: impl FnMut(&mut Dice) -> T) -> Vec<T> {
        (0..self.roll(most + 1)).map(|_| make(self)).collect()
    }

    fn text(&mut self) -> String {
        let n = if self.rare() { 70 } else { self.roll(9) };
        (0..n).map(|_| char::from(b'a' + self.roll(3) as u8)).collect()
    }

    fn float(&mut self) -> f64 {
        match self.roll(6) {
            0 => self.roll(1000) as f64 / 100.0,
            1 => f64::from(self.roll(1 << 20) as f32 / 7.0),
            2 => -0.0,
            3 => f64::NAN,
            _ => self.roll(u64::MAX) as f64 / 1e9,
        }
    }
}

thread_local! {
    static BUFFER: RefCell<Buffer> = RefCell::default();
}

/// A list of rows that ends with an error.
struct Fails {
    at: usize,
}

impl Serialize for Fails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(50))?;
        for index in 0..self.at {
            list.serialize_element(&(index, "text", [0.5_f32; 3], Some(true)))?;
        }
        Err(S::Error::custom("fails"))
    }
}

/// The bytes that `value` is encoded as are those of its plain form, encoded once more.
fn is_the_same<T: Serialize + ?Sized>(value: &T) {
    let plain = Config::new().plain(true).to_vec(value).expect("a plain encoding");
    let mut encoder = Encoder::new();
    encoder.raw(&RawValue::from_slice(&plain).expect("a document")).expect("a value");
    let by_two_passes = encoder.finish().expect("an encoding");
    let bytes = wbin::to_vec(value).expect("an encoding");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(&bytes), hex(&by_two_passes));
    // Memory that was used for other values makes no difference, nor does one that failed.
    BUFFER.with_borrow_mut(|buffer| {
        for _ in 0..2 {
            assert_eq!(hex(buffer.encode(value).expect("an encoding")), hex(&bytes));
        }
        buffer.encode(&Fails { at: bytes.len() % 50 }).expect_err("an error of its own");
    });
    let read = |bytes: &[u8]| wbin::from_slice::<OwnedValue>(bytes).expect("a value").0;
    assert_eq!(format!("{:?}", read(&bytes)), format!("{:?}", read(&plain)));
}

#[derive(Serialize, Clone)]
enum Choice {
    Unit,
    Other,
    New(u8),
    Pair(i32, String),
    Fields { x: f32, y: Option<bool> },
    Inner(Box<Choice>),
}

#[derive(Serialize, Clone)]
#[serde(tag = "type")]
enum Tagged {
    A { x: u8 },
    B { x: u8, y: String, z: f64 },
    C,
}

#[derive(Serialize, Clone)]
#[serde(untagged)]
enum Any {
    Bool(bool),
    Blob(ByteList),
    Int(i64),
    Large(u64),
    Wide(i128),
    Float(f64),
    Single(f32),
    Text(String),
    Null(()),
    List(Vec<Any>),
    Map(BTreeMap<String, Any>),
    Fields { a: u8 },
    Empty {},
}

#[derive(Serialize, Clone)]
struct Deep {
    id: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    place: (f32, f64, i8),
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inner: Vec<Deep>,
}

#[derive(Serialize, Clone)]
struct Row {
    on: bool,
    small: u8,
    signed: i32,
    large: u64,
    single: f32,
    float: f64,
    text: String,
    letter: char,
    option: Option<u32>,
    unit: (),
    array: [u16; 3],
    points: [(f32, f32); 2],
    list: Vec<i64>,
    lists: Vec<Vec<bool>>,
    same: Vec<Option<u8>>,
    choice: Choice,
    choices: Vec<Choice>,
    maybe_choice: Option<Choice>,
    deep: Vec<Deep>,
}

#[derive(Serialize, Clone)]
struct Odd {
    id: u8,
    tagged: Option<Tagged>,
    twice: Option<Option<u8>>,
    any: Any,
    map: BTreeMap<u8, String>,
    names: Option<BTreeMap<String, u8>>,
    blob: ByteList,
    raw: Option<RawValue<'static>>,
}

#[derive(Clone)]
struct ByteList(Vec<u8>);

impl Serialize for ByteList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

fn choice(dice: &mut Dice) -> Choice {
    match dice.roll(12) {
        0 => Choice::New(dice.roll(9) as u8),
        1 => Choice::Pair(dice.roll(1 << 20) as i32, dice.text()),
        2 => Choice::Fields { x: dice.roll(99) as f32, y: dice.maybe(|dice| dice.roll(2) == 0) },
        3 => Choice::Inner(Box::new(choice(dice))),
        4..8 => Choice::Other,
        _ => Choice::Unit,
    }
}

fn any_value(dice: &mut Dice, levels: u32) -> Any {
    match dice.roll(if levels == 0 { 8 } else { 11 }) {
        0 | 1 => Any::Int(dice.roll(1000) as i64 - 500),
        2 => Any::Large(u64::MAX - dice.roll(9)),
        3 => Any::Wide(i128::MAX - i128::from(dice.roll(9))),
        4 => Any::Float(dice.float()),
        5 => Any::Single(dice.roll(9) as f32),
        6 => Any::Text(dice.text()),
        7 => Any::Null(()),
        8 => Any::List(dice.list(4, |dice| any_value(dice, levels - 1))),
        9 => Any::Map(dice.list(4, |dice| (dice.text(), any_value(dice, levels - 1))).into_iter().collect()),
        _ => Any::Fields { a: 5 },
    }
}

fn deep(dice: &mut Dice, levels: u32) -> Deep {
    Deep {
        id: dice.roll(1 << 16) as u16,
        note: dice.maybe(Dice::text),
        place: (dice.roll(9) as f32, dice.float(), dice.roll(256) as u8 as i8),
        inner: if levels == 0 { Vec::new() } else { dice.list(3, |dice| deep(dice, levels - 1)) },
    }
}

fn row(dice: &mut Dice, same: usize) -> Row {
    Row {
        on: dice.roll(2) == 0,
        small: dice.roll(256) as u8,
        signed: dice.roll(1 << 32) as u32 as i32,
        large: if dice.rare() { u64::MAX } else { dice.roll(1 << 50) },
        single: dice.roll(1 << 12) as f32 / 8.0,
        float: dice.float(),
        text: dice.text(),
        letter: char::from(b'a' + dice.roll(26) as u8),
        option: dice.maybe(|dice| dice.roll(300) as u32),
        unit: (),
        array: [0; 3].map(|_| dice.roll(9) as u16),
        points: [(0.5, dice.roll(3) as f32), (1.5, 2.5)],
        list: dice.list(20, |dice| dice.roll(1 << 40) as i64 - (1 << 20)),
        lists: dice.list(3, |dice| dice.list(9, |dice| dice.roll(2) == 0)),
        same: (0..same).map(|_| dice.maybe(|dice| dice.roll(9) as u8)).collect(),
        choice: choice(dice),
        choices: dice.list(4, choice),
        maybe_choice: dice.maybe(choice),
        deep: dice.list(3, |dice| deep(dice, 2)),
    }
}

fn odd(dice: &mut Dice) -> Odd {
    Odd {
        id: dice.roll(256) as u8,
        tagged: dice.maybe(|dice| match dice.roll(3) {
            0 => Tagged::A { x: 5 },
            1 => Tagged::B { x: 6, y: dice.text(), z: dice.float() },
            _ => Tagged::C,
        }),
        twice: match dice.roll(20) {
            0 => Some(None),
            roll => Some(Some(roll as u8)),
        },
        any: if dice.rare() { any_value(dice, 3) } else { Any::Int(7) },
        map: if dice.rare() { BTreeMap::from([(1, dice.text())]) } else { BTreeMap::new() },
        names: None,
        blob: ByteList(dice.list(9, |dice| dice.roll(256) as u8)),
        raw: None,
    }
}

/// A list of one part of odd rows: irregular parts of other kinds do not hide what one of them does.
fn parts(odd: Vec<Odd>) {
    is_the_same(&odd);
    is_the_same(&odd.iter().map(|odd| odd.tagged.clone()).collect::<Vec<_>>());
    is_the_same(&odd.iter().map(|odd| (odd.id, odd.twice)).collect::<Vec<_>>());
    is_the_same(&odd.iter().map(|odd| (odd.id, odd.blob.clone())).collect::<Vec<_>>());
    is_the_same(&odd.iter().map(|odd| (odd.id, odd.map.clone())).collect::<Vec<_>>());
    is_the_same(&odd.iter().map(|odd| odd.any.clone()).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_the_same_bytes(seed in any::<u64>(), n in 0..60_u64, same in 0..10_usize) {
        let mut dice = Dice(seed);
        let rows: Vec<Row> = (0..n).map(|_| row(&mut dice, same)).collect();
        is_the_same(&rows);
        is_the_same(&(5, rows.clone()));
        is_the_same(&BTreeMap::from([("rows", &rows)]));
        is_the_same(&rows.iter().map(|row| &row.list).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.same).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.choice).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.choices).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.maybe_choice).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.deep).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.points).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| [&row.choice, &row.choice]).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| (&row.text, row.float, row.option)).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| row.float).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| row.large).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| &row.text).collect::<Vec<_>>());
        is_the_same(&rows.iter().map(|row| row.option).collect::<Vec<_>>());
    }

    #[test]
    fn odd_rows_are_the_same_bytes(seed in any::<u64>(), n in 0..40_u64) {
        let mut dice = Dice(seed);
        parts((0..n).map(|_| odd(&mut dice)).collect());
    }

    #[test]
    fn any_values_are_the_same_bytes(seed in any::<u64>(), n in 0..40_u64) {
        let mut dice = Dice(seed);
        is_the_same(&(0..n).map(|_| any_value(&mut dice, 3)).collect::<Vec<_>>());
    }
}

#[test]
fn raw_parts_and_maps_in_rows() {
    let raw = wbin::to_vec(&[1, 2]).expect("an encoding");
    let mut dice = Dice(5);
    let mut odds: Vec<Odd> = (0..30).map(|_| odd(&mut dice)).collect();
    odds[20].raw = Some(RawValue::from_slice(&raw).expect("a document").into_owned());
    odds[25].names = Some(BTreeMap::from([("a".to_owned(), 1)]));
    parts(odds);
}

/// A value of each kind, number `n` of it.
fn of_kind(kind: usize, n: usize) -> Any {
    let int = |n: usize| Any::Int(n as i64);
    match kind {
        0 => int(n),
        1 => Any::Int(-(1 << 40) - n as i64),
        2 => Any::Large(u64::MAX - n as u64),
        3 => Any::Wide(i128::MAX - n as i128),
        4 => Any::Float(n as f64 + 0.1),
        5 => Any::Single(n as f32),
        6 => Any::Text(n.to_string()),
        7 => Any::Null(()),
        8 => Any::Bool(n % 3 == 0),
        9 => Any::Blob(ByteList(vec![n as u8; n % 4])),
        10 => Any::List(vec![int(n), int(1)]),
        11 => Any::List(Vec::new()),
        12 => Any::List(vec![Any::List(vec![int(n)]), Any::List(vec![int(1)])]),
        13 => Any::List((0..9).map(int).collect()),
        14 => Any::Map(BTreeMap::from([("k".to_owned(), int(n))])),
        15 => Any::Fields { a: n as u8 },
        16 => Any::Wide(-(1 << 63) - 1 - n as i128),
        17 => Any::Wide(n as i128 - 5),
        _ => Any::Empty {},
    }
}

#[derive(Serialize, Clone)]
enum Wrapped {
    One(Any),
    Other(Any),
    Neither,
    Fields { a: u8, b: Any, c: u8 },
}

/// A value of another kind is met in each place: what was collected up to there is written in the plain layer.
#[test]
fn values_of_two_kinds_are_the_same_bytes() {
    #[derive(Serialize)]
    struct Fields {
        a: u8,
        b: Any,
        c: u8,
    }
    const KINDS: usize = 19;
    for (kind, other) in (0..KINDS * KINDS).map(|pair| (pair / KINDS, pair % KINDS)) {
        let at = [1, 17][(kind + other) % 2];
        let value = |n: usize| of_kind(if n == at { other } else { kind }, n);
        fn list<T: Serialize>(row: impl Fn(usize) -> T) {
            is_the_same(&(0..20).map(row).collect::<Vec<_>>());
        }
        list(value);
        list(|n| (n, value(n)));
        list(|n| [value(n), value(n + 1), value(n)]);
        list(|n| vec![value(n); n % 3]);
        list(|n| vec![value(n), value(n + 1), value(n)]);
        list(|n| vec![(n % 3 > 0).then(|| value(n)), Some(value(n + 1))]);
        list(|n| Fields { a: n as u8, b: value(n), c: 7 });
        list(|n| (n > 5).then(|| value(n)));
        list(|n| match n % 4 {
            0 => Wrapped::Other(Any::Int(n as i64)),
            1 => Wrapped::One(value(n)),
            2 => Wrapped::Fields { a: n as u8, b: Any::Int(n as i64), c: 6 },
            _ => Wrapped::Neither,
        });
        list(|n| (n % 3 > 0).then(|| Wrapped::Fields { a: 1, b: value(n), c: n as u8 }));
    }
}

struct Named {
    fields: Vec<&'static str>,
    is_variant: bool,
    value: u8,
}
impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_variant {
            return serializer.serialize_newtype_variant("Named", 0, self.fields[0], &self.value);
        }
        let mut row = serializer.serialize_struct("Named", self.fields.len())?;
        for (index, name) in self.fields.iter().enumerate() {
            row.serialize_field(name, &self.value.wrapping_add(index as u8))?;
        }
        row.end()
    }
}

/// Where keys are new in many rows, or too many to be compared, they are no fields.
#[test]
fn rows_with_fields_of_their_own() {
    let rows = |n: usize, fields: &dyn Fn(usize) -> Vec<&'static str>| {
        let row = |n: usize| Named { fields: fields(n), is_variant: false, value: n as u8 };
        is_the_same(&(0..n).map(row).collect::<Vec<_>>());
    };
    const COMMON: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for common in [0, 1, 2, 3, 8] {
        for fresh in [1, 2, 3, 6, 9, 30] {
            for every in [1, 2, 3, 8] {
                for is_first in [false, true] {
                    let fields = |n: usize| -> Vec<&'static str> {
                        let own = if n % every == every - 1 { fresh } else { 0 };
                        let own = (0..own).map(|at| -> &'static str { format!("{n}, {at}").leak() });
                        match is_first {
                            true => own.chain(COMMON[..common].iter().copied()).collect(),
                            false => COMMON[..common].iter().copied().chain(own).collect(),
                        }
                    };
                    for n in [2, 3, 4, 5, 20] {
                        rows(n, &fields);
                    }
                }
            }
        }
    }
    let names: Vec<&'static str> = (0..301).map(|at| -> &'static str { format!("{at}").leak() }).collect();
    // Most rows lack most of what the first one has.
    for late in [3, 4, 7, 12] {
        rows(20, &|n| match n {
            0 => names[..30].to_vec(),
            _ if n == late => vec![names[0], names[40]],
            _ => vec![names[0]],
        });
    }
    for most in [255, 256, 257, 301] {
        for at in [1, 2, 5] {
            rows(6, &|n| if n < at { names[1..most].to_vec() } else { names[..most].to_vec() });
        }
    }
}

/// Fields and variants are known by their names, wherever these stand; and such as are too long for keys are none.
#[test]
fn names_at_any_place_and_of_any_length() {
    let name = |at: usize, length: usize| -> &'static str { format!("{at:0length$}").leak() };
    for length in [1, 63, 64, 65, 66] {
        for is_variant in [false, true] {
            for late in [0, 1, 10] {
                let row = |n: usize| {
                    let fields = (0..3).map(|at| name(at, if n < late { 1 } else { length })).collect();
                    Named { fields, is_variant, value: n as u8 }
                };
                is_the_same(&(0..30).map(row).collect::<Vec<_>>());
                // Most names stand where they stood, but one.
                let most = |n: usize| {
                    let fields = vec!["first", "second", "third", name(n % late.max(1), length)];
                    Named { fields, is_variant, value: n as u8 }
                };
                is_the_same(&(0..8).map(most).collect::<Vec<_>>());
                is_the_same(&(0..30).map(most).collect::<Vec<_>>());
                let some = |n: usize| Named { fields: vec![name(n % 3, length)], is_variant, value: n as u8 };
                is_the_same(&(0..30).map(some).collect::<Vec<_>>());
            }
        }
    }
    // As many variants as a union may have, and more of them.
    for variants in [1, 2, 14, 15, 16, 17, 20] {
        for unit in [0, 1] {
            let row = |n: usize| match n % variants {
                0 if unit == 1 => Err("unit"),
                at => Ok(Named { fields: vec![name(at, 3)], is_variant: true, value: n as u8 }),
            };
            let rows: Vec<_> = (0..60).map(row).collect();
            #[derive(Serialize)]
            #[serde(untagged)]
            enum Either<'a> {
                Unit(&'a str),
                Named(&'a Named),
            }
            let rows = rows.iter().map(|row| match row {
                Ok(named) => Either::Named(named),
                Err(unit) => Either::Unit(unit),
            });
            is_the_same(&rows.collect::<Vec<_>>());
        }
    }
}

/// Tuples of one length or of two, of which some items have no value of their own.
#[test]
fn tuples_of_two_lengths() {
    #[derive(Serialize)]
    enum Variant {
        With(u8),
        Without,
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Item {
        Variant(Variant),
        List([u8; 2]),
        Row { a: u8 },
        Int(u8),
        Null,
    }
    struct Tuple {
        kind: usize,
        length: usize,
    }
    impl Serialize for Tuple {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut tuple = serializer.serialize_tuple(self.length)?;
            for at in 0..self.length {
                tuple.serialize_element(&match (self.kind, at % 2) {
                    (0, _) | (1 | 2, 0) | (3, 1) => Item::Variant(Variant::With(at as u8)),
                    (1, _) | (3, _) => Item::Variant(Variant::Without),
                    (4 | 5, 0) => Item::List([at as u8, 1]),
                    (6 | 7, 0) => Item::Row { a: at as u8 },
                    (2 | 4 | 6, _) => Item::Null,
                    (5, _) => Item::List([1, 2]),
                    _ => Item::Int(at as u8),
                })?;
            }
            tuple.end()
        }
    }
    for (kind, later) in (0..81).map(|pair| (pair / 9, pair % 9)) {
        for length in [1, 2, 3, 8, 9] {
            for other in [1, 2, 3, 8, 9] {
                let tuple = |n: usize| match n {
                    0 | 2 => Tuple { kind, length },
                    _ => Tuple { kind: later, length: other },
                };
                is_the_same(&(0..20).map(tuple).collect::<Vec<_>>());
            }
        }
    }
}

/// A list is compared with its own bytes, however many stand before it.
#[test]
fn rows_behind_other_values_are_the_same_bytes() {
    for before in [0, 10, 1000] {
        let text = "x".repeat(before);
        for n in 1..20 {
            let row = |row: usize, least: u8| [0; 8].map(|_: u8| least + row as u8);
            is_the_same(&(&text, (0..n).map(|at| row(at, 0)).collect::<Vec<_>>()));
            is_the_same(&(&text, (0..n).map(|at| row(at, 60)).collect::<Vec<_>>()));
            let wide = |row: usize| -> [u16; 8] {
                std::array::from_fn(|at| ((row * 7919 + at * 104_729) % 60_000 + 300) as u16)
            };
            is_the_same(&(&text, (0..n).map(wide).collect::<Vec<_>>()));
            is_the_same(&(&text, (0..n).map(|at| (at, 0.5, at % 2)).collect::<Vec<_>>()));
            is_the_same(&(&text, (0..n).map(|at| (at.to_string(), at)).collect::<Vec<_>>()));
            is_the_same(&(&text, (0..n).collect::<Vec<_>>()));
            is_the_same(&(&text, (0..n).map(|at| at.to_string()).collect::<Vec<_>>()));
        }
    }
}

/// Lists and maps that nest deeper than columns are made of.
#[test]
fn deep_rows_are_the_same_bytes() {
    struct Nest {
        kind: usize,
        levels: usize,
        n: usize,
    }
    impl Serialize for Nest {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Nest { kind, levels, n } = *self;
            let inner = Nest { kind, levels: levels.saturating_sub(1), n };
            match kind {
                // A text, where the last one has a variant with a value.
                6 if levels == 0 => serializer.serialize_unit_variant("Nest", 0, "none"),
                _ if levels == 0 => serializer.serialize_u64(n as u64),
                0 => serializer.collect_seq([inner]),
                1 => (&inner, n as u8).serialize(serializer),
                2 => serializer.serialize_newtype_variant("Nest", 0, "one", &inner),
                3 => serializer.serialize_newtype_variant("Nest", 0, ["one", "other"][n % 2], &inner),
                4 if n % 3 == 1 => serializer.serialize_unit_variant("Nest", 0, "none"),
                4 | 6 => serializer.serialize_newtype_variant("Nest", 0, "one", &inner),
                _ => {
                    let mut row = serializer.serialize_struct("Nest", 2)?;
                    row.serialize_field("n", &n)?;
                    row.serialize_field("inner", &inner)?;
                    row.end()
                }
            }
        }
    }
    for kind in 0..7 {
        for levels in [5, 20, 44, 45, 46, 47, 48, 49, 50, 60] {
            let nest = |n: usize| Nest { kind, levels: levels - usize::from(kind == 6 && n < 19), n };
            is_the_same(&(0..20).map(nest).collect::<Vec<_>>());
        }
    }
}

/// Fails, announces too much, or has a name twice, in one of its rows.
struct Faulty {
    rows: usize,
    at: usize,
    fault: u8,
}

struct FaultyRow {
    is_faulty: bool,
    fault: u8,
}

impl Serialize for Faulty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.rows))?;
        for row in 0..self.rows {
            let result = seq.serialize_element(&FaultyRow { is_faulty: row == self.at, fault: self.fault });
            // A type may go on after an error.
            if self.fault % 2 == 0 {
                result?;
            }
        }
        seq.end()
    }
}

impl Serialize for FaultyRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fault = if self.is_faulty { self.fault / 2 } else { u8::MAX };
        let mut fields = serializer.serialize_struct("Row", if fault == 0 { 4 } else { 3 })?;
        fields.serialize_field("a", &1)?;
        fields.serialize_field("b", &[[1.5, 2.5], [3.5, 4.5]])?;
        match fault {
            1 => return Err(S::Error::custom("no")),
            2 => fields.serialize_field("a", "twice")?,
            3 => fields.serialize_field("a", &2)?,
            4 => fields.serialize_field("other", &[[[()]]])?,
            5 => fields.serialize_field("c", &[[[()]]])?,
            _ => fields.serialize_field("c", "text")?,
        }
        fields.end()
    }
}

#[test]
fn rows_are_refused_for_what_they_are_refused_in_the_plain_layer() {
    for rows in [2, 3, 20] {
        for at in 0..rows {
            for fault in 0..14 {
                for depth in [3, 4, 5, 128] {
                    let value = Faulty { rows, at, fault };
                    let config = Config::new().max_depth(depth);
                    let plain = config.plain(true).to_vec(&value).map_err(|error| error.name());
                    let bytes = config.to_vec(&value).map_err(|error| error.name());
                    assert_eq!(bytes.as_ref().err(), plain.as_ref().err(), "{rows} {at} {fault} {depth}");
                    if plain.is_ok() && depth == 128 {
                        is_the_same(&value);
                    }
                }
            }
        }
    }
}

#[derive(Serialize)]
struct WithExt {
    #[serde(with = "wbin::with::timestamp")]
    at: std::time::SystemTime,
    id: u8,
}

#[test]
fn exts_in_rows() {
    let at = |seconds| std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    is_the_same(&(0..40).map(|id| WithExt { at: at(1_700_000_000 + u64::from(id)), id }).collect::<Vec<_>>());
}

/// Rows of so few bools have no bytes for themselves (COL-44): each bool takes a second bit, and no more.
#[test]
fn rows_of_few_bools_take_two_bits_for_each() {
    #[derive(Serialize)]
    struct One {
        ok: bool,
    }
    #[derive(Serialize)]
    struct Three {
        a: bool,
        b: bool,
        c: bool,
    }
    #[derive(Serialize)]
    struct Five([Three; 1], One, One);
    fn takes<T: Serialize>(row: impl Fn(usize) -> T, bits: usize) {
        let rows: Vec<T> = (0..10_000).map(row).collect();
        is_the_same(&rows);
        let bytes = wbin::to_vec(&rows).expect("an encoding");
        wbin::check(&bytes).expect("a valid document");
        let expected = 10_000 * bits / 8;
        assert!(
            (expected..expected + 40).contains(&bytes.len()),
            "{} bytes, {expected} of bits",
            bytes.len()
        );
    }
    let odd = |n: usize| n % 2 == 1;
    takes(|n| One { ok: odd(n) }, 2);
    takes(|n| Three { a: odd(n), b: odd(n / 2), c: odd(n / 3) }, 6);
    let three = |n: usize| Three { a: odd(n), b: odd(n / 2), c: odd(n / 3) };
    takes(|n| Five([three(n)], One { ok: odd(n) }, One { ok: odd(n / 5) }), 10);
    takes(|n| [odd(n); 9], 9);
    // What rises is told by its differences, of a bit each.
    #[derive(Serialize)]
    struct Counted {
        ok: bool,
        n: usize,
    }
    takes(|n| Counted { ok: odd(n), n }, 4);
}

/// Exts have no bytes for themselves, either, and what rises in equal steps takes a bit: such ints are stored as they are.
#[test]
fn exts_that_rise_in_equal_steps_take_the_bits_of_their_range() {
    let at = |seconds| std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    #[derive(Serialize)]
    struct At(#[serde(with = "wbin::with::timestamp")] std::time::SystemTime);
    let rows: Vec<At> = (0..4000).map(|n| At(at(1_700_000_000 + 60 * n))).collect();
    is_the_same(&rows);
    let bytes = wbin::to_vec(&rows).expect("an encoding");
    wbin::check(&bytes).expect("a valid document");
    assert!(bytes.len() < 4000 * 4, "{} bytes", bytes.len());
}

/// A table of more fields than a list may have columns (COL-45) is written in the plain layer, or its rows as maps.
#[test]
fn rows_of_too_many_fields() {
    for (fields, by_columns) in [(1000, true), (4000, true), (4095, true), (4096, false), (5000, false)] {
        let row = |n: usize| -> BTreeMap<String, usize> {
            (0..fields).map(|field| (format!("{field:05}"), n * field * 1000)).collect()
        };
        let rows: Vec<_> = (0..16).map(row).collect();
        let bytes = wbin::to_vec(&rows).expect("an encoding");
        let layout = wbin::columns::layout(&bytes, 0);
        let table = layout.is_ok_and(|layout| layout.columns[0].kind == wbin::columns::Kind::Table);
        assert_eq!(table, by_columns, "{fields}");
        assert!(bytes.len() <= Config::new().plain(true).to_vec(&rows).expect("an encoding").len());
        assert_eq!(wbin::from_slice::<Vec<BTreeMap<String, usize>>>(&bytes).expect("the rows"), rows);
        is_the_same(&rows);
    }
}

/// The same where rows lack some of them: two columns for each.
#[test]
fn rows_of_too_many_fields_that_some_lack() {
    for (fields, by_columns) in [(2047, true), (2048, false)] {
        let row = |n: usize| -> BTreeMap<String, usize> {
            let has = |field: &usize| n != 1 + field % 15;
            (0..fields).filter(has).map(|field| (format!("{field:05}"), n * field * 1000)).collect()
        };
        let rows: Vec<_> = (0..16).map(row).collect();
        let bytes = wbin::to_vec(&rows).expect("an encoding");
        let layout = wbin::columns::layout(&bytes, 0);
        let table = layout.is_ok_and(|layout| layout.columns[0].kind == wbin::columns::Kind::Table);
        assert_eq!(table, by_columns, "{fields}");
        assert_eq!(wbin::from_slice::<Vec<BTreeMap<String, usize>>>(&bytes).expect("the rows"), rows);
    }
}
