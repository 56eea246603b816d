//! Do columns hold what stands in the documents that they were collected from?

use super::super::choose::tests::Dice;
use super::*;
use crate::config::Config;
use crate::num::Int;
use crate::value::{Ext, Value};
use crate::wbin;
use crate::write::Output;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::{format, vec};

/// Looks at all elements in the order of the document.
struct Looker<'c, 'p> {
    collector: &'c Collector<'p>,
    /// For each column how many elements were seen, how many of them are not null, and how many bytes they take.
    seen: Vec<(usize, usize, usize)>,
    /// What is collected, for messages.
    what: &'c str,
}

impl<'p> Looker<'_, 'p> {
    fn element(&mut self, id: u32, reader: &mut Reader<'p>) {
        let (start, what) = (reader.pos, self.what);
        let own = &self.collector.columns[id as usize];
        let (element, at, _) = self.seen[id as usize];
        self.seen[id as usize].0 += 1;
        assert_eq!(own.starts.get(element), Some(&(start as u32)), "{what}");
        let token = reader.token(u32::MAX, u32::MAX).expect("a head");
        let is_null = own.present.as_ref().is_some_and(|present| !present.get(element));
        // As it stands null needs nothing of its own.
        match own.store {
            Store::Plain => assert!(!is_null || matches!(token, Token::Null), "{what}"),
            Store::Union { .. } => assert!(own.present.is_none(), "{what}"),
            _ => assert_eq!(is_null, matches!(token, Token::Null), "{what}"),
        }
        if !is_null {
            self.seen[id as usize].1 += 1;
            self.value(&own.store, at, token, start, reader);
        }
        self.seen[id as usize].2 += reader.pos - start;
    }

    fn value(
        &mut self,
        store: &Store<'p>,
        at: usize,
        token: Token<'p>,
        start: usize,
        reader: &mut Reader<'p>,
    ) {
        let what = self.what;
        match (store, token) {
            (Store::Plain, _) => {
                reader.pos = start;
                skip_value(reader, u32::MAX, u32::MAX).expect("a value");
            }
            (Store::Bool(bits), Token::Bool(on)) => assert_eq!(bits.get(at), on, "{what}"),
            (Store::Int(ints), Token::Pos(u)) => {
                assert_eq!(ints.numbers[at], u, "{what}");
                assert!(if u >> 63 == 1 { ints.large && !ints.negative } else { true }, "{what}");
            }
            (Store::Int(ints), Token::Neg(u)) => {
                assert_eq!(ints.numbers[at], !u, "{what}");
                assert!(ints.negative && !ints.large && u >> 63 == 0, "{what}");
            }
            (Store::Float(floats), Token::Float(f)) => {
                assert_eq!(floats[at].to_bits(), f.to_bits(), "{what}")
            }
            (Store::String(strings), Token::Str(text)) | (Store::Bytes(strings), Token::Bytes(text)) => {
                assert_eq!(strings[at], text, "{what}");
            }
            (Store::List { lengths, items }, Token::List(_) | Token::ListOpen) => {
                let n = self.each(token, reader, |looker, _, reader| looker.element(*items, reader));
                assert_eq!(lengths[at] as usize, n, "{what}");
            }
            (Store::Tuple { places }, Token::List(_)) => {
                let n =
                    self.each(token, reader, |looker, index, reader| looker.element(places[index], reader));
                assert_eq!(places.len(), n, "{what}");
            }
            (Store::Map { counts, keys, values }, Token::Map(_) | Token::MapOpen) => {
                let n = self.each(token, reader, |looker, index, reader| {
                    looker.element(if index % 2 == 0 { *keys } else { *values }, reader);
                });
                assert_eq!(2 * counts[at] as usize, n, "{what}");
            }
            (Store::Table(table), Token::Map(_) | Token::MapOpen) => {
                let mut field: Option<usize> = None;
                let mut has = vec![false; table.fields.len()];
                self.each(token, reader, |looker, index, reader| {
                    if index % 2 == 1 {
                        return looker.element(table.fields[field.expect("a key")].column, reader);
                    }
                    let key = reader.pos;
                    skip_value(reader, u32::MAX, u32::MAX).expect("a key");
                    let key = &reader.data[key..reader.pos];
                    let next = table.fields.iter().position(|field| field.key == key);
                    assert!(next > field, "{what}: the order of fields");
                    field = next;
                    has[next.expect("a field")] = true;
                });
                let fields = table.fields.iter().map(|field| field.has(at)).collect::<Vec<_>>();
                assert_eq!(fields, has, "{what}");
            }
            (Store::Ext { ext_type, payload }, Token::Ext(other)) => {
                assert_eq!(*ext_type, other, "{what}");
                self.element(*payload, reader);
            }
            (Store::Union { choices, variants }, _) => {
                reader.pos = start;
                let is_union =
                    |id: &u32| matches!(self.collector.columns[*id as usize].store, Store::Union { .. });
                assert!(!variants.iter().any(is_union), "{what}");
                self.element(variants[usize::from(choices[at])], reader);
            }
            _ => panic!("{what}: another kind"),
        }
    }

    /// Goes through the values of a list or map; gives how many there are.
    fn each(
        &mut self,
        head: Token<'p>,
        reader: &mut Reader<'p>,
        mut look: impl FnMut(&mut Self, usize, &mut Reader<'p>),
    ) -> usize {
        let n = match head {
            Token::List(n) => Some(n),
            Token::Map(n) => Some(2 * n),
            _ => None,
        };
        let mut count = 0;
        while n.map_or_else(|| reader.peek().expect("a tag") != tag::END, |n| count < n) {
            look(self, count, reader);
            count += 1;
        }
        reader.pos += usize::from(n.is_none());
        count
    }

    /// Whether a column, and those in it, have no more than was seen. Gives their kinds, by a letter each.
    fn end(&self, id: u32) -> String {
        let own = &self.collector.columns[id as usize];
        let (elements, values, bytes) = self.seen[id as usize];
        let what = self.what;
        assert_eq!((own.starts.len(), own.plain), (elements, bytes), "{what}");
        let is_of = |bits: &Bits, len: usize| {
            bits.len == len
                && bits.bytes.len() == len.div_ceil(8)
                && (len..8 * bits.bytes.len()).all(|index| !bits.get(index))
        };
        assert!(own.present.as_ref().is_none_or(|present| is_of(present, elements)), "{what}");
        let each =
            |columns: &mut dyn Iterator<Item = u32>| columns.map(|id| self.end(id)).collect::<String>();
        let (kinds, n) = match &own.store {
            Store::Empty => ("0".into(), 0),
            Store::Bool(bits) => {
                assert!(is_of(bits, values), "{what}");
                ("b".into(), values)
            }
            Store::Int(ints) => ("i".into(), ints.numbers.len()),
            Store::Float(floats) => ("f".into(), floats.len()),
            Store::String(strings) => ("t".into(), strings.len()),
            Store::Bytes(strings) => ("x".into(), strings.len()),
            Store::List { lengths, items } => (format!("[{}]", self.end(*items)), lengths.len()),
            Store::Tuple { places } => (format!("({})", each(&mut places.iter().copied())), values),
            Store::Map { counts, keys, values } => {
                (format!("<{}>", each(&mut [*keys, *values].into_iter())), counts.len())
            }
            Store::Table(table) => {
                for field in &table.fields {
                    assert_eq!(field.count, self.seen[field.column as usize].0, "{what}");
                    let is_whole = field
                        .rows
                        .as_ref()
                        .is_none_or(|rows| is_of(rows, rows.len) && rows.len <= table.rows);
                    assert!(is_whole, "{what}");
                }
                assert_eq!(
                    table.cells,
                    table.fields.iter().map(|field| field.count).sum::<usize>(),
                    "{what}"
                );
                (format!("{{{}}}", each(&mut table.fields.iter().map(|field| field.column))), table.rows)
            }
            Store::Ext { payload, .. } => (format!("E{}", self.end(*payload)), values),
            Store::Plain => ("p".into(), values),
            Store::Union { choices, variants } => {
                (format!("U{}.", each(&mut variants.iter().copied())), choices.len())
            }
            Store::Small(_) | Store::Single(_) | Store::Text(_) | Store::Blob(_) => {
                panic!("{what}: not of bytes")
            }
        };
        assert_eq!(n, values, "{what}");
        if own.present.is_some() { format!("{kinds}?") } else { kinds }
    }
}

/// Collects so many values as one column, which is looked at; gives its kinds.
fn collected(values: &[u8], n: usize) -> String {
    let what: String = values.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut collector = Collector::new(values, Some(n));
    let column = collector.column();
    let mut reader = Reader { data: values, pos: 0 };
    for _ in 0..n {
        let start = reader.pos;
        collector.add(column, &mut reader).expect("a value");
        let mut other = Reader { data: values, pos: start };
        skip_value(&mut other, u32::MAX, u32::MAX).expect("a value");
        assert_eq!(reader.pos, other.pos, "{what}");
    }
    assert_eq!(collector.depth, 0, "{what}");
    let seen = vec![(0, 0, 0); collector.columns.len()];
    let mut looker = Looker { collector: &collector, seen, what: &what };
    let mut reader = Reader { data: values, pos: 0 };
    (0..n).for_each(|_| looker.element(column, &mut reader));
    looker.end(column)
}

/// What values are like.
enum Shape {
    Scalar(usize),
    Maybe(Box<Shape>),
    Either(Vec<Shape>),
    Tuple(Vec<Shape>),
    List(Box<Shape>, usize),
    Map(Box<Shape>),
    /// How many of a hundred rows have each field.
    Row(Vec<(Shape, usize)>),
    Ext(Box<Shape>),
}

impl Shape {
    fn any(dice: &mut Dice, levels: usize) -> Shape {
        let inner = |dice: &mut Dice| Shape::any(dice, levels - 1);
        let several = |dice: &mut Dice| (0..=dice.below(4)).map(|_| inner(dice)).collect();
        match dice.below(if levels > 0 { 16 } else { 6 }) {
            0..6 => Shape::Scalar(dice.below(11)),
            6 => Shape::Maybe(Box::new(inner(dice))),
            7 => Shape::Either(several(dice)),
            8 | 9 => Shape::Tuple(several(dice)),
            10 | 11 => Shape::List(Box::new(inner(dice)), 1 + dice.below(12)),
            12 => Shape::Map(Box::new(inner(dice))),
            13 => Shape::Ext(Box::new(inner(dice))),
            _ => Shape::Row(
                (0..=dice.below(5)).map(|_| (inner(dice), [100, 100, 80, 50, 3][dice.below(5)])).collect(),
            ),
        }
    }

    /// Writes one value like this; now and then something about it is new.
    fn write(&self, dice: &mut Dice, out: &mut Output) {
        let is_rare = dice.below(60) == 0;
        let is_open = dice.below(8) == 0;
        match self {
            Shape::Scalar(kind) => match if is_rare { dice.below(11) } else { *kind } {
                0 => out.pos(dice.below(64) as u64),
                1 => out.i64((dice.next() >> dice.below(64)) as i64),
                2 => out.pos(dice.next() >> dice.below(2)),
                3 => out.float(dice.below(1000) as f64 / 8.0),
                4 => out.float(f64::from_bits(dice.next())),
                5 => out.text(&b"abcdefghijklmnopq"[..dice.below(17)]),
                6 => out.text(&[b'x'; 90][..dice.below(90)]),
                7 => out.bytes(&[7; 20][..dice.below(20)]),
                8 => out.byte(tag::NULL),
                9 => out.int(Int::from(i128::from(dice.next() as i64) << dice.below(64))),
                _ => out.bool(dice.below(2) == 0),
            },
            Shape::Maybe(_) if dice.below(4) == 0 => out.byte(tag::NULL),
            Shape::Maybe(inner) => inner.write(dice, out),
            Shape::Either(each) => each[dice.below(each.len())].write(dice, out),
            Shape::Tuple(places) => {
                out.list_head(places.len() + usize::from(is_rare));
                places.iter().for_each(|place| place.write(dice, out));
                if is_rare {
                    out.bool(true);
                }
            }
            Shape::List(item, most) => {
                let n = dice.below(*most);
                if is_open {
                    out.byte(tag::LIST_OPEN)
                } else {
                    out.list_head(n)
                }
                (0..n).for_each(|_| item.write(dice, out));
                if is_open {
                    out.byte(tag::END);
                }
            }
            Shape::Map(value) => {
                let n = dice.below(4);
                out.map_head(n);
                for key in 0..n {
                    out.pos(key as u64);
                    value.write(dice, out);
                }
            }
            Shape::Row(fields) => {
                const KEYS: [&[u8]; 6] = [b"a", b"", b"eightlet", b"ninelettr", &[b'k'; 63], &[b'k'; 64]];
                let mut keys: Vec<(&[u8], &Shape)> = Vec::new();
                for (key, (value, how_many)) in KEYS.into_iter().zip(fields) {
                    if dice.below(100) < *how_many {
                        keys.push((key, value));
                    }
                }
                if is_rare {
                    match dice.below(4) {
                        0 => keys.reverse(),
                        1 => keys.insert(
                            dice.below(keys.len() + 1),
                            ([&b"new"[..], b"eightnew", b"ninelette"][dice.below(3)], &fields[0].0),
                        ),
                        2 => keys.push((&[b'k'; 65], &fields[0].0)),
                        _ => keys.push((b"again", self)),
                    }
                }
                if is_open {
                    out.byte(tag::MAP_OPEN)
                } else {
                    out.map_head(keys.len())
                }
                for (key, value) in keys {
                    out.text(key);
                    value.write(dice, out);
                }
                if is_open {
                    out.byte(tag::END);
                }
            }
            Shape::Ext(payload) => {
                out.ext_head(if is_rare { 1 } else { 300 });
                payload.write(dice, out);
            }
        }
    }
}

#[test]
fn columns_hold_what_they_are_of() {
    let mut dice = Dice(0x9876_5432_10FE_DCBA);
    for _ in 0..3000 {
        let shape = Shape::any(&mut dice, 3);
        let n = 1 + dice.below(80);
        let mut out = Output::new();
        (0..n).for_each(|_| shape.write(&mut dice, &mut out));
        collected(out.as_bytes(), n);
    }
}

/// The kinds of a column of some values.
fn kinds(values: &[Value<'_>]) -> String {
    let mut bytes = Vec::new();
    let plain = Config::new().plain(true);
    values.iter().for_each(|value| bytes.extend(value.to_vec_with(&plain).expect("a value")));
    collected(&bytes, values.len())
}

#[test]
fn kinds_of_values() {
    let is = |values: Value<'_>, expected: &str| {
        let Value::List(values) = &values else { panic!("values are a list") };
        let values: Vec<Value<'_>> = values.iter().cloned().collect();
        assert_eq!(kinds(&values), expected, "{values:?}");
    };
    is(wbin!([1, (-1), (i64::MAX), (i64::MIN)]), "i");
    is(wbin!([(u64::MAX), 1, (1_u64 << 63)]), "i");
    is(wbin!([(-1), (u64::MAX)]), "Uii.");
    is(wbin!([(u64::MAX), (-1)]), "Uii.");
    is(wbin!([(i128::from(i64::MIN) - 1), 1]), "p");
    is(wbin!([1, (i128::from(i64::MIN) - 1)]), "Uip.");
    is(wbin!([(i128::MAX), 1]), "p");
    is(wbin!([null, (i128::MAX), null, 1]), "p?");
    is(wbin!([(i128::MAX), null, 1]), "p");
    is(wbin!([null, 1, null]), "i?");
    is(wbin!([null, null]), "0?");
    is(wbin!([1, null, "a", null]), "Ui0?t.");
    is(wbin!([1, "a", null]), "Uit0?.");
    // Each kind has one variant, whatever comes first.
    is(wbin!([true, 1, "a", 1, true, "a"]), "Ubit.");
    is(wbin!([1, "a", (-100), 100, "a"]), "Uit.");
    is(wbin!(["a", 1.5, "a", (1.0 / 3.0)]), "Utf.");
    let bytes = || Value::Bytes(vec![1].into());
    is(wbin!([(bytes()), null, (bytes())]), "x?");
    is(wbin!([1, (bytes()), 1, (bytes())]), "Uix.");
    // Three kinds are variants, four among few elements are none.
    is(wbin!([1, "a", 1.5]), "Uitf.");
    is(wbin!([1, "a", 1.5, true]), "p");
    let with = |n: usize, last: Value<'static>| {
        let three = (0..n).map(|n| [wbin!(1), wbin!("a"), wbin!(1.5)][n % 3].clone());
        Value::from(three.chain([last]).collect::<Vec<_>>())
    };
    is(with(63, wbin!(true)), "p");
    is(with(64, wbin!(true)), "Uitfb.");
    // Tables are no kind by themselves.
    is(wbin!([1, "a", {"a": 1}, {"b": 1}, {"c": 1}, {"d": 1}]), "Uit{i}{i}{i}{i}.");
    // Lists of up to eight scalars are tuples if they are of one length; so are those of several kinds.
    is(wbin!([[1, 2], [3, 4]]), "(ii)");
    is(wbin!([[1, 2], [3]]), "[i]");
    is(wbin!([[], [1]]), "[i]");
    is(wbin!([[1, 2, 3, 4, 5, 6, 7, 8]]), "(iiiiiiii)");
    is(wbin!([[1, 2, 3, 4, 5, 6, 7, 8, 9]]), "[i]");
    is(wbin!([[[1], [2]]]), "[(i)]");
    is(wbin!([[[1], {"a": 1}]]), "((i){i})");
    is(wbin!([[[1], null]]), "((i)0?)");
    is(wbin!([[{"a": 1}, {"a": 2}]]), "[{i}]");
    for scalar in [wbin!(1), wbin!(-40), wbin!(-1), wbin!(1000), wbin!(1.5), wbin!(1.0 / 3.0), wbin!(0.1_f32)]
    {
        is(
            wbin!([[(scalar.clone()), (scalar.clone())]]),
            if matches!(scalar, Value::Int(_)) { "(ii)" } else { "(ff)" },
        );
    }
    for text in ["a".into(), "a".repeat(70)] {
        is(wbin!([[(text.clone()), (text)]]), "(tt)");
    }
    is(wbin!([[true, false]]), "(bb)");
    is(wbin!([[true, 1]]), "(bi)");
    // Maps that have too little in common.
    is(wbin!([{}, {"a": 1}]), "<ti>");
    is(wbin!([{"a": 1}, {}]), "{i}");
    is(wbin!([{1: 1}, {"a": 1}]), "<Uit.i>");
    is(wbin!([{"a": 1, "b": 1, "c": 1, "d": 1}, {"a": 1, "x": 1, "y": 1, "z": 1}]), "{iiiiiii}");
    is(
        wbin!([{"a": 1, "b": 1, "c": 1, "d": 1}, {"a": 1, "w": 1, "x": 1, "y": 1, "z": 1}]),
        "U{iiii}{iiiii}.",
    );
    is(wbin!([{"a": 1, "b": 1}, {"b": 1, "a": 1}]), "U{ii}{ii}.");
    is(wbin!([{"a": 1}, {"a": 1, 1: 1}]), "U{i}<Uti.i>.");
    is(wbin!([{"a": 1, "b": 1, "c": 1}, {"a": 1, "c": 1, "new": 1}]), "{iiii}");
    let row = |row: usize| {
        let keys = (0..3).map(|key| (Value::from(format!("{row}{key}")), wbin!(1)));
        Value::Map([(wbin!("a"), wbin!(1))].into_iter().chain(keys).collect())
    };
    is(Value::from((0..5).map(row).collect::<Vec<_>>()), &format!("{{{}}}", "i".repeat(16)));
    is(Value::from((0..6).map(row).collect::<Vec<_>>()), "<ti>");
    let wide = |n: usize| Value::Map((0..n).map(|key| (Value::from(format!("{key}")), wbin!(1))).collect());
    let kinds_of = |n: usize| format!("{{{}}}", "i".repeat(n));
    is(wbin!([(wide(255)), (wide(257))]), &kinds_of(257));
    let from_one = Value::Map((1..257).map(|key| (Value::from(format!("{key}")), wbin!(1))).collect());
    is(wbin!([(wide(256)), (from_one)]), &kinds_of(257));
    is(wbin!([(wide(255)), (wide(258))]), &format!("U{}{}.", kinds_of(255), kinds_of(258)));
    // Exts of one type.
    let ext = |ext_type: u64| Value::from(Ext::new(ext_type, 1));
    is(wbin!([(ext(1)), (ext(1))]), "Ei");
    is(wbin!([(ext(1)), (ext(2))]), "UEiEi.");
    // The last variant that there may be takes whatever comes.
    let exts = (0..64).map(|n| ext(n % 3)).chain((0..20).map(ext));
    is(Value::from(exts.collect::<Vec<_>>()), &format!("U{}p.", "Ei".repeat(15)));
    // Columns are taken apart down to some level.
    let nested = |levels: usize| (0..levels).fold(wbin!(1), |inner, _| wbin!([(inner)]));
    is(wbin!([(nested(48))]), &format!("{}(i){}", "[".repeat(47), "]".repeat(47)));
    is(wbin!([(nested(49))]), &format!("{}p{}", "[".repeat(48), "]".repeat(48)));
    let nested = |levels: usize| (0..levels).fold(wbin!(1), |inner, _| wbin!({"a": (inner)}));
    is(wbin!([(nested(48))]), &format!("{}i{}", "{".repeat(48), "}".repeat(48)));
    is(wbin!([(nested(49))]), &format!("{}p{}", "{".repeat(48), "}".repeat(48)));
    let nested = |levels: usize| (0..levels).fold(wbin!(1), |inner, _| Value::from(Ext::new(7, inner)));
    is(wbin!([(nested(48))]), &format!("{}i", "E".repeat(48)));
    is(wbin!([(nested(49))]), &format!("{}p", "E".repeat(48)));
}

/// Lists and maps of which nobody said how long they are.
#[test]
fn kinds_of_open_values() {
    let open =
        |levels: usize, tag: &[u8]| [&tag.repeat(levels)[..], &[1], &[tag::END].repeat(levels)].concat();
    assert_eq!(collected(&[tag::LIST_OPEN, 1, 2, tag::END, 0x82, 3, 4], 2), "[i]");
    assert_eq!(collected(&[0x82, 3, 4, tag::LIST_OPEN, 1, 2, tag::END], 2), "[i]");
    assert_eq!(collected(&[tag::MAP_OPEN, 0x41, b'a', 2, tag::END, 0x91, 0x41, b'a', 4], 2), "{i}");
    assert_eq!(collected(&[0x91, 1, 4, tag::MAP_OPEN, 2, 2, tag::END], 2), "<ii>");
    assert_eq!(collected(&[tag::MAP_OPEN, tag::END], 1), "{}");
    for (n, inner) in [(48, "i"), (49, "p")] {
        let levels = n.min(48);
        let lists = format!("{}{inner}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(collected(&open(n, &[tag::LIST_OPEN]), 1), lists);
        let maps = format!("{}{inner}{}", "{".repeat(levels), "}".repeat(levels));
        assert_eq!(collected(&open(n, &[tag::MAP_OPEN, 0x41, b'a']), 1), maps);
    }
}

/// Keys of fields are in their shortest form and not too long: they are compared by their bytes.
#[test]
fn keys_of_fields() {
    for (head, length, kinds) in [
        (&[0x41][..], 1, "{i}"),
        (&[0x7F], 63, "{i}"),
        (&[0xC0, 64], 64, "{i}"),
        (&[0xC0, 65], 65, "<ti>"),
        (&[0xC0, 1], 1, "<ti>"),
        (&[0xC0, 63], 63, "<ti>"),
        (&[0xC1, 64, 0], 64, "<ti>"),
        (&[0xC1, 0, 1], 256, "<ti>"),
    ] {
        let row = [&[0x91], head, &[b'k'].repeat(length), &[1]].concat();
        assert_eq!(collected(&row.repeat(3), 3), kinds, "{head:x?}");
    }
}
