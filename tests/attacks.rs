//! What happens when the types, not the bytes, are hostile? Types that lie about their length, stop in the
//! middle, change from one call to the next or never end, alone and among good rows that become columns: an
//! error, or bytes that are read again, and never a panic.
#![cfg(all(feature = "std", feature = "serde"))]

use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::fmt;
use std::io::{self, ErrorKind, Write};
use wbin::{Config, Encoder, Value};

/// What a type does wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Attack {
    /// Announces so many parts, and gives so many.
    Seq(Option<usize>, usize),
    Tuple(usize, usize),
    TupleStruct(usize, usize),
    TupleVariant(usize, usize),
    Map(Option<usize>, usize),
    Struct(usize, usize),
    StructVariant(usize, usize),
    /// An error after some parts; the second one is swallowed by who holds it.
    Fails(usize),
    Swallows,
    /// A map whose keys (`true`) and values come in this order.
    Order(&'static [bool]),
    /// A map or struct with one name twice.
    Twice,
    TwiceInStruct,
    /// Other fields than the time before, or another kind.
    Changing,
    /// Lists, maps, options, variants, fields or exts in each other without end.
    EndlessList,
    EndlessMap,
    EndlessSome,
    EndlessVariant,
    EndlessFields,
    EndlessExt,
    /// Text whose printing fails.
    Unprintable,
    /// What the library's own types hold, under their names, and something else in it.
    NoRaw,
    RawOf(&'static [u8]),
    NoExt,
    NoExtType,
    LongExt,
    NoValue,
}

use Attack::*;

const KEY: bool = true;
const VALUE: bool = false;
const ORDERS: [&[bool]; 6] =
    [&[VALUE], &[VALUE, KEY], &[KEY], &[KEY, KEY, VALUE], &[KEY, VALUE, VALUE], &[KEY, VALUE, KEY]];

fn attacks() -> Vec<Attack> {
    let mut all = vec![
        Swallows,
        Twice,
        TwiceInStruct,
        Changing,
        EndlessList,
        EndlessMap,
        EndlessSome,
        EndlessVariant,
        EndlessFields,
        EndlessExt,
        Unprintable,
        NoRaw,
        NoExt,
        NoExtType,
        LongExt,
        NoValue,
    ];
    for (said, given) in [(0, 1), (1, 0), (2, 1), (2, 3), (3, 6), (16, 15), (usize::MAX, 2)] {
        all.extend([Seq(Some(said), given), Tuple(said, given), TupleStruct(said, given)]);
        all.extend([TupleVariant(said, given), Map(Some(said), given), Struct(said, given)]);
        all.push(StructVariant(said, given));
    }
    all.extend([Seq(None, 3), Map(None, 3)]); // no lie, but open
    all.extend([0, 1, 3].map(Fails));
    all.extend(ORDERS.map(Order));
    // Nothing, no value, too little, two values, a fault, a signature, columns, columns with a fault.
    let raws: [&[u8]; 8] = [
        &[],
        &[0xBE],
        &[0x82, 0x01],
        &[1, 2],
        &[0x41, 0xFF],
        &[0xDF, 0x57, 0x42, 1, 5],
        &[0xD2, 0x02, 0x30, 0x05, 0x01],
        &[0xD2, 0x02, 0x20, 0xFF],
    ];
    all.extend(raws.map(RawOf));
    all
}

const NAMES: [&str; 6] = ["id", "name", "on", "d", "e", "f"];

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

impl Serialize for Attack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Seq(said, given) => {
                let mut seq = serializer.serialize_seq(said)?;
                (0..given).try_for_each(|n| seq.serialize_element(&n))?;
                seq.end()
            }
            Tuple(said, given) => {
                let mut tuple = serializer.serialize_tuple(said)?;
                (0..given).try_for_each(|n| tuple.serialize_element(&n))?;
                tuple.end()
            }
            TupleStruct(said, given) => {
                let mut tuple = serializer.serialize_tuple_struct("T", said)?;
                (0..given).try_for_each(|n| tuple.serialize_field(&n))?;
                tuple.end()
            }
            TupleVariant(said, given) => {
                let mut tuple = serializer.serialize_tuple_variant("E", 0, "V", said)?;
                (0..given).try_for_each(|n| tuple.serialize_field(&n))?;
                tuple.end()
            }
            Map(said, given) => {
                let mut map = serializer.serialize_map(said)?;
                (0..given).try_for_each(|n| map.serialize_entry(&n, &n))?;
                map.end()
            }
            Struct(said, given) => {
                let mut fields = serializer.serialize_struct("S", said)?;
                // The first are those of a good row.
                NAMES.iter().cycle().take(given).try_for_each(|name| fields.serialize_field(name, &1))?;
                fields.end()
            }
            StructVariant(said, given) => {
                let mut fields = serializer.serialize_struct_variant("E", 0, "V", said)?;
                NAMES.iter().cycle().take(given).try_for_each(|name| fields.serialize_field(name, &1))?;
                fields.end()
            }
            Fails(after) => {
                let mut fields = serializer.serialize_struct("S", 3)?;
                NAMES[..after].iter().try_for_each(|name| fields.serialize_field(name, &1))?;
                Err(S::Error::custom("no more"))
            }
            Swallows => {
                let mut fields = serializer.serialize_struct("S", 3)?;
                fields.serialize_field("id", &1)?;
                let _ = fields.serialize_field("name", &[Fails(1)]);
                fields.serialize_field("name", "x")?;
                fields.serialize_field("on", &true)?;
                fields.end()
            }
            Order(order) => {
                let mut map = serializer.serialize_map(Some(order.len() / 2))?;
                for (n, key) in order.iter().enumerate() {
                    match *key {
                        KEY => map.serialize_key(NAMES[n])?,
                        VALUE => map.serialize_value(&n)?,
                    }
                }
                map.end()
            }
            Twice => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("id", &1)?;
                map.serialize_entry("id", &2)?;
                map.end()
            }
            TwiceInStruct => {
                let mut fields = serializer.serialize_struct("S", 3)?;
                ["id", "name", "id"].iter().try_for_each(|name| fields.serialize_field(name, &1))?;
                fields.end()
            }
            Changing => {
                let call = CALLS.with(|calls| calls.replace(calls.get() + 1));
                match call % 5 {
                    0 => serializer.serialize_u8(7),
                    1 => [1, 2].serialize(serializer),
                    n => {
                        let mut fields = serializer.serialize_struct("S", n)?;
                        NAMES[call % 3..][..n].iter().try_for_each(|name| match call % 2 {
                            0 => fields.serialize_field(name, &call),
                            _ => fields.serialize_field(name, &NAMES[..n]),
                        })?;
                        fields.end()
                    }
                }
            }
            EndlessList => serializer.collect_seq([self]),
            EndlessMap => serializer.collect_map([("id", self)]),
            EndlessSome => serializer.serialize_some(self),
            EndlessVariant => serializer.serialize_newtype_variant("E", 0, "V", self),
            EndlessFields => {
                let mut fields = serializer.serialize_struct("S", 3)?;
                fields.serialize_field("id", &1)?;
                fields.serialize_field("name", self)?;
                fields.serialize_field("on", &true)?;
                fields.end()
            }
            EndlessExt => wbin::ext::Tagged { ext_type: 70, value: self }.serialize(serializer),
            Unprintable => {
                struct Broken;
                impl fmt::Display for Broken {
                    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("half of it")?;
                        Err(fmt::Error)
                    }
                }
                serializer.collect_str(&Broken)
            }
            NoRaw => serializer.serialize_newtype_struct("$wbin::RawValue", &[1, 2]),
            RawOf(bytes) => {
                struct Bytes<'a>(&'a [u8]);
                impl Serialize for Bytes<'_> {
                    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                        serializer.serialize_bytes(self.0)
                    }
                }
                serializer.serialize_newtype_struct("$wbin::RawValue", &Bytes(bytes))
            }
            NoExt => ext(serializer, 2, &["not a number"]),
            NoExtType => ext(serializer, 2, &[-5]),
            LongExt => ext(serializer, 2, &[70, 1, 2]),
            NoValue => serializer.serialize_newtype_struct("$wbin::Value", &Fails(0)),
        }
    }
}

/// The struct that an ext is for serde, with other parts.
fn ext<S: Serializer>(serializer: S, said: usize, parts: &[impl Serialize]) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple_struct("$wbin::Ext", said)?;
    parts.iter().try_for_each(|part| tuple.serialize_field(part))?;
    tuple.end()
}

/// A list of good rows, of which one is, or one field of one has, something else.
struct Rows<'a> {
    n: usize,
    at: usize,
    inside: bool,
    attack: &'a Attack,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Name<'a> {
    Text(&'static str),
    Bad(&'a Attack),
}

#[derive(Serialize)]
struct Good<'a> {
    id: usize,
    name: Name<'a>,
    on: bool,
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.n))?;
        for id in 0..self.n {
            match (id == self.at, self.inside) {
                (true, false) => seq.serialize_element(self.attack)?,
                (true, true) => {
                    seq.serialize_element(&Good { id, name: Name::Bad(self.attack), on: true })?;
                }
                _ => seq.serialize_element(&Good { id, name: Name::Text(NAMES[id % 6]), on: id % 3 == 0 })?,
            }
        }
        seq.end()
    }
}

/// Every way to write a type.
fn written<T: Serialize>(value: &T) -> Vec<(&'static str, wbin::Result<Vec<u8>>)> {
    let config = Config::new();
    let to_writer = || {
        let mut written = Vec::new();
        let result = wbin::to_writer(&mut written, value);
        assert!(result.is_ok() || written.is_empty(), "half of it is written");
        result.map(|()| written)
    };
    let encoder = |config: &Config| {
        let mut encoder = Encoder::with_config(config);
        encoder.open_list()?.null()?;
        let before = encoder.len();
        if let Err(error) = encoder.serialize(value) {
            assert_eq!(encoder.len(), before, "half of it is written");
            encoder.end()?;
            wbin::check(&encoder.finish().expect("what was good before")).expect("a document");
            return Err(error);
        }
        encoder.end()?;
        encoder.finish()
    };
    vec![
        ("to_vec", wbin::to_vec(value)),
        ("plain", config.plain(true).to_vec(value)),
        ("canonical", config.canonical(true).to_vec(value)),
        ("with a signature", config.signature(true).to_vec(value)),
        ("few levels", config.max_depth(4).to_vec(value)),
        ("to_writer", to_writer()),
        ("Encoder", encoder(&config)),
        ("a canonical Encoder", encoder(&config.canonical(true))),
        ("to_value", wbin::to_value(value).and_then(|value| value.to_vec())),
    ]
}

/// Whether all of it is an error: a `Changing` type and a raw value may be good, and open ones are.
fn must_fail(attack: Attack) -> bool {
    match attack {
        Seq(None, _) | Map(None, _) | Changing => false,
        RawOf(bytes) => wbin::check(bytes).is_err(),
        _ => true,
    }
}

fn attacked<T: Serialize>(what: &str, attack: Attack, value: &T) {
    println!("{attack:?} {what}"); // shown where it panics
    for (writer, result) in written(value) {
        match result {
            Ok(bytes) => {
                assert!(!must_fail(attack), "{writer} writes {attack:?} {what}: {bytes:02x?}");
                wbin::check(&bytes).unwrap_or_else(|error| panic!("{writer}, {attack:?} {what}: {error}"));
                Value::from_slice(&bytes).expect("what was written");
            }
            Err(error) => assert!(!error.to_string().is_empty(), "{writer}, {attack:?} {what}"),
        }
    }
}

#[test]
fn types_that_do_what_they_must_not() {
    for attack in attacks() {
        attacked("alone", attack, &attack);
        attacked("in a tuple", attack, &(1, attack, Some(attack)));
        attacked("as a value", attack, &std::collections::BTreeMap::from([("k", attack)]));
    }
}

#[test]
fn among_rows_that_become_columns() {
    for attack in attacks() {
        for n in [16, 17, 40] {
            // The first row, which decides what the columns are; those around where it is decided; the last.
            for at in [0, 1, 7, 8, 15, n - 1] {
                for inside in [false, true] {
                    let rows = Rows { n, at, inside, attack: &attack };
                    attacked(&format!("in row {at} of {n}, inside: {inside}"), attack, &rows);
                }
            }
        }
    }
}

#[test]
fn in_every_row() {
    for attack in attacks() {
        let rows = [attack; 40];
        attacked("in every row", attack, &&rows[..]);
        let nested: Vec<_> = rows.iter().map(|attack| (1, [*attack; 2])).collect();
        attacked("in rows of rows", attack, &nested);
    }
}

/// The good rows are what they are meant to be: written by columns, all at once.
#[test]
fn the_rows_around_them_become_columns() {
    let rows = Rows { n: 40, at: usize::MAX, inside: false, attack: &Changing };
    for (writer, bytes) in written(&rows) {
        let bytes = bytes.unwrap_or_else(|error| panic!("{writer}: {error}"));
        wbin::check(&bytes).expect(writer);
        if ["to_vec", "to_writer", "to_value"].contains(&writer) {
            assert_eq!(bytes[..2], [0xD2, 40], "{writer}");
        }
    }
}

/// Takes so many bytes, a few at a time, and then does something else.
struct Full {
    room: usize,
    then: Option<ErrorKind>,
    taken: Vec<u8>,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(7).min(self.room);
        match (n, self.then) {
            (0, Some(kind)) if !bytes.is_empty() => Err(kind.into()),
            _ => {
                self.room -= n;
                self.taken.extend(&bytes[..n]);
                Ok(n)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_at_each_byte() {
    let rows = Rows { n: 40, at: usize::MAX, inside: false, attack: &Changing };
    for config in [Config::new(), Config::new().plain(true), Config::new().canonical(true)] {
        let whole = config.to_vec(&rows).expect("an encoding");
        for room in 0..whole.len() {
            // A full disk, a closed pipe, and a writer that takes nothing any more.
            for then in [Some(ErrorKind::StorageFull), Some(ErrorKind::BrokenPipe), None] {
                let mut full = Full { room, then, taken: Vec::new() };
                let error = config.to_writer(&mut full, &rows).expect_err("no room");
                assert_eq!((error.name(), error.offset()), ("io", None));
                assert!(whole.starts_with(&full.taken));
            }
        }
        let mut roomy = Full { room: whole.len(), then: None, taken: Vec::new() };
        config.to_writer(&mut roomy, &rows).expect("room for all");
        assert_eq!(roomy.taken, whole);
    }
}
