//! `stats`: what the bytes of a document are spent on.

use crate::args::{Common, Stats};
use crate::fail::Result;
use crate::io::{Input, Output};
use crate::pieces::{Piece, What, pieces};
use crate::progress::Progress;
use crate::sequence::bad;
use crate::text::{count, percent, printable, quoted, thousands};
use crate::walk::{Part, Role, Walk};
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::fmt::Write;
use std::ops::Range;
use wbin::columns::{Column, Kind};
use wbin::tag::Class;
use wbin::{Decoder, Event};

/// How many characters of a string or key are shown.
const SHOWN: usize = 40;

pub(crate) fn run(args: &Stats, common: &Common) -> Result<()> {
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("counting", Some(input.bytes.len() as u64), common);
    let mut totals = Totals::new(&input.bytes, args.top);
    let mut walk = Walk::new(&input.bytes);
    loop {
        match walk.next() {
            Ok(Some(part)) => totals.value(&part),
            Ok(None) => break,
            Err(error) => return Err(bad(&input, &error, 0)),
        }
        progress.reached(walk.position() as u64);
    }
    let stopped = pieces(&input.bytes, |piece| {
        totals.piece(piece);
        Ok::<(), Infallible>(())
    });
    if let Ok(Some(stop)) = stopped {
        return Err(bad(&input, &stop.error, 0));
    }
    drop(progress);
    let mut output = Output::standard();
    output.put(totals.report(&input.name))?;
    output.finish()
}

/// The kinds of parts, in the order in which they are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Type {
    Null,
    Bool,
    Int,
    Float,
    String,
    Bytes,
    List,
    Map,
    Ext,
    Some,
    Signature,
    /// All of columns but the values in plain ones.
    Columns,
}

impl Type {
    /// What an event begins, if anything.
    fn of_event(event: Event<'_>) -> Option<Type> {
        Some(match event {
            Event::Null => Type::Null,
            Event::Bool(_) => Type::Bool,
            Event::Int(_) => Type::Int,
            Event::Float(_) => Type::Float,
            Event::String(_) => Type::String,
            Event::Bytes(_) => Type::Bytes,
            Event::List(_) => Type::List,
            Event::Map(_) => Type::Map,
            Event::Ext(_) => Type::Ext,
            Event::Some => Type::Some,
            _ => return None,
        })
    }

    fn of(class: Class, ends_map: bool) -> Type {
        match class {
            Class::IntInlinePos
            | Class::IntInlineNeg
            | Class::IntPos
            | Class::IntNeg
            | Class::IntPos16
            | Class::IntNeg16 => Type::Int,
            Class::Decimal | Class::Float32 | Class::Float64 => Type::Float,
            Class::StrInline | Class::Str => Type::String,
            Class::Bytes => Type::Bytes,
            Class::Null => Type::Null,
            Class::False | Class::True => Type::Bool,
            Class::Some => Type::Some,
            Class::Ext => Type::Ext,
            Class::MapInline | Class::Map | Class::MapOpen | Class::MapColumns => Type::Map,
            Class::End if ends_map => Type::Map,
            Class::Signature => Type::Signature,
            _ => Type::List,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Float => "float",
            Type::String => "string",
            Type::Bytes => "bytes",
            Type::List => "list",
            Type::Map => "map",
            Type::Ext => "ext",
            Type::Some => "some",
            Type::Signature => "signature",
            Type::Columns => "columns",
        }
    }
}

/// What was counted of one kind of parts.
#[derive(Clone, Copy, Default)]
struct Row {
    values: usize,
    /// Tags, lengths, counts and ext types.
    heads: usize,
    /// What the scalars themselves take.
    payloads: usize,
}

impl Row {
    fn bytes(self) -> usize {
        self.heads + self.payloads
    }

    fn add(&mut self, other: Row) {
        self.values += other.values;
        self.heads += other.heads;
        self.payloads += other.payloads;
    }
}

/// How often a key stands in the file.
struct KeyUse {
    times: usize,
    /// Where it stands first.
    at: usize,
}

/// What was counted of one kind of columns.
#[derive(Clone, Copy, Default)]
struct ColumnRow {
    columns: usize,
    elements: u64,
    heads: usize,
    payloads: usize,
}

/// A string and where it, or its column, stands.
struct Long<'a> {
    text: &'a str,
    at: usize,
    in_key: bool,
}

struct Totals<'a> {
    bytes: &'a [u8],
    top: usize,
    roots: usize,
    depth: usize,
    /// How many values there are of each type.
    values: BTreeMap<Type, usize>,
    /// What has bytes of its own.
    rows: BTreeMap<(Type, &'static str), Row>,
    columns: BTreeMap<Kind, ColumnRow>,
    /// The longest strings so far, the longest first.
    strings: Vec<Long<'a>>,
    keys: HashMap<&'a [u8], KeyUse>,
    key_count: usize,
    key_bytes: usize,
}

impl<'a> Totals<'a> {
    fn new(bytes: &'a [u8], top: usize) -> Totals<'a> {
        Totals {
            bytes,
            top,
            roots: 0,
            depth: 0,
            values: BTreeMap::new(),
            rows: BTreeMap::new(),
            columns: BTreeMap::new(),
            strings: Vec::new(),
            keys: HashMap::new(),
            key_count: 0,
            key_bytes: 0,
        }
    }

    /// A value, wherever it stands, or what is none.
    fn value(&mut self, part: &Part<'a>) {
        self.roots += usize::from(matches!(part.role, Some(Role::Root(_))));
        let Some(event) = part.event else { return };
        if let Some(kind) = Type::of_event(event) {
            *self.values.entry(kind).or_default() += 1;
        }
        match event {
            Event::String(text) => self.string(Long { text, at: part.range.start, in_key: part.in_key }),
            Event::List(_) | Event::Map(_) | Event::Ext(_) | Event::Some => {
                self.depth = self.depth.max(part.depth + 1);
            }
            _ => {}
        }
    }

    /// Some of the bytes.
    fn piece(&mut self, piece: &Piece<'_, 'a>) {
        match piece.what {
            What::Part(part) => self.part(part),
            What::Column(column) => {
                let row = self.columns.entry(column.kind).or_default();
                row.columns += 1;
                row.elements += column.n;
                row.heads += column.head.len();
                // The values in a plain column have rows of their own.
                row.payloads += if column.kind == Kind::Plain { 0 } else { column.payload.len() };
                if column.kind == Kind::Table {
                    self.fields(column);
                }
            }
            // They were counted with their dictionary.
            What::Indices(_) => {}
        }
    }

    /// A value that has bytes of its own.
    fn part(&mut self, part: &Part<'a>) {
        let class = Class::of(self.bytes[part.range.start]);
        let payload = match part.event {
            Some(Event::String(text)) => text.len(),
            Some(Event::Bytes(bytes)) => bytes.len(),
            Some(Event::Int(_) | Event::Float(_)) => part.range.len() - 1,
            _ => 0,
        };
        let row = Row {
            values: usize::from(part.role.is_some()),
            heads: part.range.len() - payload,
            payloads: payload,
        };
        self.rows.entry((Type::of(class, part.ends_map), class.name())).or_default().add(row);
        if let Some(key) = &part.key {
            self.key(key.clone());
        }
    }

    fn key(&mut self, key: Range<usize>) {
        self.key_count += 1;
        self.key_bytes += key.len();
        let at = key.start;
        self.keys.entry(&self.bytes[key]).or_insert(KeyUse { times: 0, at }).times += 1;
    }

    /// The names of a table's fields, which stand at the end of its head.
    fn fields(&mut self, table: &Column<'a>) {
        let begin = table.head.start + 1;
        let mut decoder = Decoder::new(&self.bytes[begin..table.head.end]);
        if decoder.int().is_err() {
            return;
        }
        let mut at = decoder.position();
        while decoder.str().is_ok() {
            self.key(begin + at..begin + decoder.position());
            at = decoder.position();
        }
    }

    fn string(&mut self, string: Long<'a>) {
        // The entries of a dictionary and the names of fields are met again and again.
        if self.strings.iter().any(|other| std::ptr::eq(other.text, string.text)) {
            return;
        }
        let rank = self.strings.partition_point(|other| other.text.len() >= string.text.len());
        if rank < self.top {
            self.strings.insert(rank, string);
            self.strings.truncate(self.top);
        }
    }

    fn report(&self, name: &str) -> String {
        let mut out = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(name, &mut out);
        out
    }

    fn write(&self, name: &str, out: &mut String) -> std::fmt::Result {
        let size = self.bytes.len();
        let columns = self.columns.values().fold(ColumnRow::default(), |sum, row| ColumnRow {
            columns: sum.columns + row.columns,
            elements: sum.elements + row.elements,
            heads: sum.heads + row.heads,
            payloads: sum.payloads + row.payloads,
        });
        // For each type the values that have bytes of their own.
        let mut types: BTreeMap<Type, Row> = BTreeMap::new();
        self.rows.iter().for_each(|((kind, _), row)| types.entry(*kind).or_default().add(*row));
        if columns.columns > 0 {
            let row = Row { values: 0, heads: columns.heads, payloads: columns.payloads };
            types.insert(Type::Columns, row);
        }
        let mut in_columns: BTreeMap<Type, usize> = BTreeMap::new();
        for (kind, values) in &self.values {
            let row = types.entry(*kind).or_default();
            in_columns.insert(*kind, values.saturating_sub(row.values));
            row.values = *values;
        }
        let mut total = Row::default();
        types.values().for_each(|row| total.add(*row));
        write!(out, "{name}: {}, {}", count(size, "byte"), count(total.values, "value"))?;
        if self.roots > 1 {
            write!(out, ", {} one after another", thousands(self.roots as u64))?;
        }
        writeln!(out, ", depth {}", self.depth)?;

        writeln!(out)?;
        writeln!(
            out,
            "{:<18}{:>13}{:>13}{:>13}{:>13}{:>9}",
            "type", "values", "heads", "payloads", "bytes", "share"
        )?;
        let mut line = |name: &str, row: Row| {
            writeln!(
                out,
                "{name:<18}{:>13}{:>13}{:>13}{:>13}{:>9}",
                thousands(row.values as u64),
                thousands(row.heads as u64),
                thousands(row.payloads as u64),
                thousands(row.bytes() as u64),
                percent(row.bytes(), size)
            )
        };
        for (kind, sum) in types {
            line(kind.name(), sum)?;
            let in_columns = in_columns.get(&kind).copied().unwrap_or_default();
            // A type with one tag of its own name has said everything.
            let one_tag =
                self.rows.contains_key(&(kind, kind.name())) && !matches!(kind, Type::List | Type::Map);
            if one_tag && in_columns == 0 {
                continue;
            }
            for ((_, class), row) in
                self.rows.range((kind, "")..).take_while(|((other, _), _)| *other == kind)
            {
                line(&format!("  {class}"), *row)?;
            }
            if in_columns > 0 {
                line("  in columns", Row { values: in_columns, ..Row::default() })?;
            }
        }
        line("total", total)?;

        if columns.columns > 0 {
            writeln!(out)?;
            writeln!(
                out,
                "{:<20}{:>11}{:>13}{:>13}{:>13}{:>13}{:>9}",
                "kind", "columns", "elements", "heads", "payloads", "bytes", "share"
            )?;
        }
        for (kind, row) in &self.columns {
            writeln!(
                out,
                "{:<20}{:>11}{:>13}{:>13}{:>13}{:>13}{:>9}",
                kind.name(),
                thousands(row.columns as u64),
                thousands(row.elements),
                thousands(row.heads as u64),
                thousands(row.payloads as u64),
                thousands((row.heads + row.payloads) as u64),
                percent(row.heads + row.payloads, size)
            )?;
        }

        let repeated: usize = self.keys.iter().map(|(key, uses)| key.len() * (uses.times - 1)).sum();
        writeln!(out)?;
        writeln!(
            out,
            "keys: {}, {} different; {}, {} of all",
            thousands(self.key_count as u64),
            thousands(self.keys.len() as u64),
            count(self.key_bytes, "byte"),
            percent(self.key_bytes, size)
        )?;
        writeln!(
            out,
            "keys that stand elsewhere already: {}; {}, {} of all",
            thousands((self.key_count - self.keys.len()) as u64),
            count(repeated, "byte"),
            percent(repeated, size)
        )?;

        let mut costly: Vec<_> = self.keys.iter().filter(|(_, uses)| uses.times > 1).collect();
        costly.sort_by_key(|(key, uses)| (std::cmp::Reverse(key.len() * uses.times), uses.at));
        costly.truncate(self.top);
        if !costly.is_empty() {
            writeln!(out, "\nrepeated keys\n{:>13}{:>13}  key", "bytes", "times")?;
        }
        for (key, uses) in costly {
            let bytes = thousands((key.len() * uses.times) as u64);
            let times = thousands(uses.times as u64);
            writeln!(out, "{bytes:>13}{times:>13}  {}", key_text(key))?;
        }

        if !self.strings.is_empty() {
            writeln!(out, "\nlongest strings\n{:>13}{:>13}  text", "bytes", "at byte")?;
        }
        for Long { text, at, in_key } in &self.strings {
            let (len, at) = (thousands(text.len() as u64), thousands(*at as u64));
            let role = if *in_key { " (in a key)" } else { "" };
            writeln!(out, "{len:>13}{at:>13}  {}{role}", quoted(text, SHOWN))?;
        }
        Ok(())
    }
}

/// An encoded key for people.
fn key_text(key: &[u8]) -> String {
    if let Ok(text) = wbin::Decoder::new(key).str() {
        return quoted(text, SHOWN);
    }
    let notation = wbin::diag::to_string(key).unwrap_or_default();
    match notation.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", printable(&notation[..end])),
        None => printable(&notation),
    }
}
