//! `stats`: what the bytes of a document are spent on.

use crate::args::{Common, Stats};
use crate::fail::Result;
use crate::io::{Input, Output};
use crate::progress::Progress;
use crate::sequence::bad;
use crate::text::{count, percent, printable, quoted, thousands};
use crate::walk::{Part, Role, Walk};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use wbin::Event;
use wbin::tag::Class;

/// How many characters of a string or key are shown.
const SHOWN: usize = 40;

pub(crate) fn run(args: &Stats, common: &Common) -> Result<()> {
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("counting", Some(input.bytes.len() as u64), common);
    let mut totals = Totals::new(&input.bytes, args.top);
    let mut walk = Walk::new(&input.bytes);
    loop {
        match walk.next() {
            Ok(Some(part)) => totals.add(&part),
            Ok(None) => break,
            Err(error) => return Err(bad(&input, &error, 0)),
        }
        progress.reached(walk.position() as u64);
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
}

impl Type {
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

/// A string and where it stands.
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
    rows: BTreeMap<(Type, &'static str), Row>,
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
            rows: BTreeMap::new(),
            strings: Vec::new(),
            keys: HashMap::new(),
            key_count: 0,
            key_bytes: 0,
        }
    }

    fn add(&mut self, part: &Part<'a>) {
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
        self.roots += usize::from(matches!(part.role, Some(Role::Root(_))));
        match part.event {
            Some(Event::String(text)) => {
                self.string(Long { text, at: part.range.start, in_key: part.in_key })
            }
            Some(Event::List(_) | Event::Map(_) | Event::Ext(_) | Event::Some) => {
                self.depth = self.depth.max(part.depth + 1);
            }
            _ => {}
        }
        if let Some(key) = &part.key {
            self.key_count += 1;
            self.key_bytes += key.len();
            let bytes = &self.bytes[key.clone()];
            self.keys.entry(bytes).or_insert(KeyUse { times: 0, at: key.start }).times += 1;
        }
    }

    fn string(&mut self, string: Long<'a>) {
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
        let mut total = Row::default();
        self.rows.values().for_each(|row| total.add(*row));
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
        let mut types: BTreeMap<Type, Row> = BTreeMap::new();
        self.rows.iter().for_each(|((kind, _), row)| types.entry(*kind).or_default().add(*row));
        for (kind, sum) in types {
            line(kind.name(), sum)?;
            // A type with one tag of its own name has said everything.
            if self.rows.contains_key(&(kind, kind.name())) && !matches!(kind, Type::List | Type::Map) {
                continue;
            }
            for ((_, class), row) in
                self.rows.range((kind, "")..).take_while(|((other, _), _)| *other == kind)
            {
                line(&format!("  {class}"), *row)?;
            }
        }
        line("total", total)?;

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
