//! `inspect`: the bytes of a document, and what they are.

use crate::args::{Common, Inspect};
use crate::fail::{Failure, Result};
use crate::io::{Input, Output};
use crate::pieces::{Piece, Stop, What, pieces};
use crate::sequence::{bad, message};
use crate::text::{count, quoted};
use crate::walk::{Part, Role};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use wbin::columns::{Column, Kind, Place};
use wbin::tag::{self, Class};
use wbin::{Decoder, Event};

/// How many bytes stand on a line.
const PER_LINE: usize = 12;
/// Of longer payloads so many characters or bytes are shown.
const SHOWN: usize = 48;
/// Of more fields of a table so many are named.
const FIELDS_SHOWN: usize = 12;

/// The colours, or none.
#[derive(Clone, Copy, Default)]
struct Styles {
    offset: Style,
    tag: Style,
    name: Style,
    key: Style,
    value: Style,
    error: Style,
}

const COLOURED: Styles = Styles {
    offset: Style::new().dimmed(),
    tag: AnsiColor::Yellow.on_default(),
    name: AnsiColor::Blue.on_default(),
    key: Style::new().bold(),
    value: AnsiColor::Green.on_default(),
    error: AnsiColor::Red.on_default().bold(),
};

pub(crate) fn run(args: &Inspect, common: &Common) -> Result<()> {
    let input = Input::read(&args.file, common)?;
    // Asked once: going through the text to take colours out again would cost more than all the rest.
    let styles = if common.color.on_stdout() { COLOURED } else { Styles::default() };
    let output = Output::standard();
    let mut printer = Printer { out: output, input: &input, full: args.full, styles };
    let failure = printer.print().map_err(|error| printer.out.failure(&error))?;
    printer.out.finish()?;
    failure.map_or(Ok(()), Err)
}

struct Printer<'i, W> {
    out: W,
    input: &'i Input,
    full: bool,
    styles: Styles,
}

impl<W: Write> Printer<'_, W> {
    /// Prints everything up to the end, or up to what is not well-formed; gives the first fault.
    fn print(&mut self) -> io::Result<Option<Failure>> {
        let bytes = self.input.bytes.as_slice();
        // A key that occurs twice does not stop the reading, but is marked where it stands.
        let twice = find_duplicate(bytes);
        let Styles { error: red, .. } = self.styles;
        let duplicate_at = twice.as_ref().and_then(wbin::Error::offset);
        let stopped = pieces(bytes, |piece| {
            self.piece(piece)?;
            if let (true, Some(error)) = (Some(piece.range.start) == duplicate_at, &twice) {
                write!(self.out, "  {red}← {}: {}{red:#}", error.name(), message(error))?;
            }
            writeln!(self.out)?;
            match self.full {
                true => self.more_bytes(piece.range.start, &bytes[piece.range.clone()]),
                false => Ok(()),
            }
        })?;
        if let Some(Stop { at, depth, error }) = stopped {
            self.broken(at, depth, &error)?;
            return Ok(Some(bad(self.input, twice.as_ref().unwrap_or(&error), 0)));
        }
        Ok(twice.map(|error| bad(self.input, &error, 0)))
    }

    /// The line of a piece, without its end.
    fn piece(&mut self, piece: &Piece<'_, '_>) -> io::Result<()> {
        self.bytes(piece.range.start, &self.input.bytes[piece.range.clone()])?;
        write!(self.out, "{:1$}", "", 2 * piece.depth)?;
        match piece.what {
            What::Part(part) => self.part(part),
            What::Column(column) => self.column(column),
            What::Indices(dictionary) => {
                let Styles { name, .. } = self.styles;
                write!(self.out, "{name}indices{name:#}")?;
                self.bits(dictionary)
            }
        }
    }

    /// What a column is.
    fn column(&mut self, column: &Column<'_>) -> io::Result<()> {
        let Styles { name, key, .. } = self.styles;
        match column.place {
            Place::Field(text) => write!(self.out, "{key}{}{key:#} ", quoted(text, SHOWN))?,
            Place::Item(index) => write!(self.out, "{key}[{index}]{key:#} ")?,
            Place::Keys => write!(self.out, "{key}keys{key:#} ")?,
            Place::Values => write!(self.out, "{key}values{key:#} ")?,
            Place::Entries => write!(self.out, "{key}entries{key:#} ")?,
            Place::Variant(index) => write!(self.out, "{key}variant {index}{key:#} ")?,
            // There is one of them.
            _ => {}
        }
        let elements = count(usize::try_from(column.n).unwrap_or(usize::MAX), "element");
        write!(self.out, "column {name}{}{name:#}: {elements}", column.kind)?;
        match column.kind {
            // A bit each; and the width of a dictionary is that of its indices.
            Kind::Sparse | Kind::Nullable | Kind::Bool | Kind::Dictionary => Ok(()),
            Kind::Table => {
                write!(self.out, ", {}:", count(column.fields.len(), "field"))?;
                let shown = if self.full { usize::MAX } else { FIELDS_SHOWN };
                for field in column.fields.iter().take(shown) {
                    write!(self.out, " {key}{}{key:#}", quoted(field, SHOWN))?;
                }
                let rest = if shown < column.fields.len() { " …" } else { "" };
                self.out.write_all(rest.as_bytes())
            }
            Kind::Ext => {
                // The type is an int like any other.
                let head = &self.input.bytes[column.head.start + 1..column.head.end];
                match Decoder::new(head).u64() {
                    Ok(ext_type) => self.ext_type(ext_type),
                    Err(_) => Ok(()),
                }
            }
            _ => self.bits(column),
        }
    }

    fn ext_type(&mut self, ext_type: u64) -> io::Result<()> {
        let Styles { value, .. } = self.styles;
        write!(self.out, ", type {value}{ext_type}{value:#}")?;
        match ext_type {
            tag::EXT_TIMESTAMP => self.out.write_all(b" (timestamp)"),
            tag::EXT_UUID => self.out.write_all(b" (UUID)"),
            tag::EXT_BIG_INT => self.out.write_all(b" (big integer)"),
            tag::EXT_DECIMAL => self.out.write_all(b" (decimal)"),
            _ => Ok(()),
        }
    }

    /// How wide the packed numbers of a column are.
    fn bits(&mut self, column: &Column<'_>) -> io::Result<()> {
        match column.bits {
            Some(bits) => write!(self.out, ", {} each", count(bits.into(), "bit")),
            None => Ok(()),
        }
    }

    /// What a value or a part of one is.
    fn part(&mut self, part: &Part<'_>) -> io::Result<()> {
        let Styles { name, key, value, .. } = self.styles;
        match part.role {
            Some(Role::Item(index)) => write!(self.out, "{key}[{index}]{key:#} ")?,
            Some(Role::Key) => write!(self.out, "{key}key{key:#} ")?,
            _ => {}
        }
        // No part is empty.
        let class = Class::of(self.input.bytes[part.range.start]);
        write!(self.out, "{name}{}{name:#}", class.name())?;
        let style = if part.in_key { key } else { value };
        let Some(event) = part.event else {
            return write!(self.out, " version {}", tag::VERSION);
        };
        match event {
            Event::Int(int) => write!(self.out, " {style}{int}{style:#}"),
            Event::Float(f) => write!(self.out, " {style}{}{style:#}", wbin::Value::from(f)),
            Event::String(text) => {
                let shown = if self.full { usize::MAX } else { SHOWN };
                write!(self.out, " {style}{}{style:#}", quoted(text, shown))?;
                self.length(text.len(), text.chars().nth(SHOWN).is_some() || class == Class::Str)
            }
            Event::Bytes(payload) => {
                let shown = if self.full { payload.len() } else { payload.len().min(SHOWN / 2) };
                let digits: String = payload[..shown].iter().map(|byte| format!("{byte:02x}")).collect();
                let rest = if shown < payload.len() { "…" } else { "" };
                write!(self.out, " {style}h'{digits}{rest}'{style:#}")?;
                self.length(payload.len(), true)
            }
            Event::List(Some(n)) => write!(self.out, ", {}", count(n, "item")),
            Event::Map(Some(n)) => write!(self.out, ", {}", count(n, "entry")),
            Event::Ext(ext_type) => self.ext_type(ext_type),
            // The name says it all.
            _ => Ok(()),
        }
    }

    fn length(&mut self, len: usize, worth_telling: bool) -> io::Result<()> {
        match worth_telling {
            true => write!(self.out, ", {}", count(len, "byte")),
            false => Ok(()),
        }
    }

    /// The offset, and the first bytes.
    fn bytes(&mut self, start: usize, bytes: &[u8]) -> io::Result<()> {
        let Styles { offset, tag, .. } = self.styles;
        write!(self.out, "{offset}{start:08x}{offset:#}  ")?;
        let all = bytes.len() <= PER_LINE || self.full;
        let shown = if all { bytes.len().min(PER_LINE) } else { PER_LINE - 1 };
        for (at, byte) in bytes[..shown].iter().enumerate() {
            match at {
                0 => write!(self.out, "{tag}{byte:02x}{tag:#} ")?,
                _ => write!(self.out, "{byte:02x} ")?,
            }
        }
        if !all {
            self.out.write_all(" … ".as_bytes())?;
        }
        let blank = if all { 3 * (PER_LINE - shown) } else { 0 };
        write!(self.out, "{:1$} ", "", blank)
    }

    /// The bytes that have no room on the line of their part.
    fn more_bytes(&mut self, start: usize, bytes: &[u8]) -> io::Result<()> {
        let Styles { offset, .. } = self.styles;
        for (line, bytes) in bytes.chunks(PER_LINE).enumerate().skip(1) {
            write!(self.out, "{offset}{:08x}{offset:#}  ", start + line * PER_LINE)?;
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(self.out, "{}", digits.join(" "))?;
        }
        Ok(())
    }

    /// What is left where reading cannot go on.
    fn broken(&mut self, start: usize, depth: usize, error: &wbin::Error) -> io::Result<()> {
        let Styles { error: red, .. } = self.styles;
        let rest = &self.input.bytes[start..];
        self.bytes(start, &rest[..rest.len().min(PER_LINE)])?;
        write!(self.out, "{:1$}{red}✗ ", "", 2 * depth)?;
        if let Some(tag) = rest.first() {
            write!(self.out, "{}, {} left: ", Class::of(*tag).name(), count(rest.len(), "byte"))?;
        }
        let offset = error.offset().unwrap_or(start);
        writeln!(self.out, "{} at byte {offset}: {}{red:#}", error.name(), message(error))
    }
}

/// The first key that a map has twice, in a file that is well-formed up to there.
fn find_duplicate(bytes: &[u8]) -> Option<wbin::Error> {
    let mut decoder = Decoder::new(bytes);
    while decoder.more().ok()? {
        if let Err(error) = decoder.raw() {
            return (error.name() == "duplicate-key").then_some(error);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(bytes: &[u8], full: bool) -> (String, Option<String>) {
        let input = Input { name: "x".into(), bytes: bytes.to_vec() };
        let mut printer = Printer { out: Vec::new(), input: &input, full, styles: Styles::default() };
        let failure = printer.print().unwrap().map(|failure| match failure {
            Failure::Input(text) => text,
            other => panic!("{other:?}"),
        });
        (String::from_utf8(printer.out).unwrap(), failure)
    }

    #[test]
    fn long_payloads() {
        let bytes = wbin::Value::from("a".repeat(70)).to_vec().unwrap();
        let (text, failure) = print(&bytes, false);
        let expected =
            format!("00000000  c0 46 61 61 61 61 61 61 61 61 61  …  str \"{}…\", 70 bytes\n", "a".repeat(48));
        assert_eq!((text, failure), (expected, None));
        let (text, _) = print(&bytes, true);
        assert_eq!(text.lines().count(), 6);
        assert!(text.lines().all(|line| line.starts_with("000000")));
        assert!(text.contains(&format!("\"{}\"", "a".repeat(70))));
    }
}
