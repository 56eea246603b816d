//! The diagnostic notation: bytes as text for people, and back (DIA-1).

use crate::config::Config;
use crate::decode::{Decoder, Event, SomeChain};
use crate::encode::Encoder;
use crate::error::{Code, Error, Result};
use crate::num::Int;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// The notation of one document, on one line.
///
/// ```
/// let bytes = [0x92, 0x41, b'a', 0xB1, 0x19, 0x01, 0x05, 0xBB, 0xB8];
/// assert_eq!(wbin::diag::to_string(&bytes).unwrap(), r#"{"a": 3.5, 5: some(null)}"#);
/// ```
///
/// # Errors
///
/// If the bytes are not one well-formed document.
pub fn to_string(bytes: &[u8]) -> Result<String> {
    print(bytes, Config::DEFAULT_MAX_DEPTH, None)
}

/// The notation of one document, an item or entry a line, indented by two spaces.
///
/// ```
/// let bytes = [0x82, 0x01, 0x80];
/// assert_eq!(wbin::diag::to_string_pretty(&bytes).unwrap(), "[\n  1,\n  []\n]");
/// ```
///
/// # Errors
///
/// If the bytes are not one well-formed document.
pub fn to_string_pretty(bytes: &[u8]) -> Result<String> {
    print(bytes, Config::DEFAULT_MAX_DEPTH, Some(2))
}

pub(crate) fn print(bytes: &[u8], max_depth: u32, indent: Option<usize>) -> Result<String> {
    let mut decoder = Decoder::with_depth(bytes, max_depth);
    let mut text = String::new();
    let mut printer = Printer::new(&mut text, indent);
    // At which depths stand the `some`s that tell nothing apart, and so are not shown (DIA-9).
    let mut silent: Vec<usize> = Vec::new();
    let mut chain = SomeChain::default();
    loop {
        let event = decoder.event()?;
        let depth = decoder.depth();
        match event {
            Some(Event::Some) if !chain.counts(bytes, decoder.position()) => silent.push(depth),
            Some(Event::End) if silent.last() == Some(&(depth + 1)) => drop(silent.pop()),
            // Writing to a `String` cannot fail.
            Some(event) => drop(printer.event(event)),
            None => {}
        }
        if depth == 0 {
            decoder.finish()?;
            return Ok(text);
        }
    }
}

/// Writes events as text.
pub(crate) struct Printer<'w, W: Write> {
    out: &'w mut W,
    indent: Option<usize>,
    frames: Vec<Frame>,
}

struct Frame {
    kind: FrameKind,
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    List,
    Map,
    Call,
}

impl<'w, W: Write> Printer<'w, W> {
    pub(crate) fn new(out: &'w mut W, indent: Option<usize>) -> Printer<'w, W> {
        Printer { out, indent, frames: Vec::new() }
    }

    pub(crate) fn event(&mut self, event: Event<'_>) -> fmt::Result {
        if event == Event::End {
            return self.end();
        }
        self.separate()?;
        match event {
            Event::Null => self.out.write_str("null"),
            Event::Bool(on) => write!(self.out, "{on}"),
            Event::Int(int) => write!(self.out, "{int}"),
            Event::Float(f) => float(self.out, f),
            Event::String(text) => string(self.out, text),
            Event::Bytes(bytes) => {
                self.out.write_str("h'")?;
                bytes.iter().try_for_each(|byte| write!(self.out, "{byte:02x}"))?;
                self.out.write_str("'")
            }
            Event::List(_) => self.open(FrameKind::List, "["),
            Event::Map(_) => self.open(FrameKind::Map, "{"),
            Event::Some => self.open(FrameKind::Call, "some("),
            Event::Ext(ext_type) => {
                write!(self.out, "ext({ext_type}, ")?;
                self.open(FrameKind::Call, "")
            }
            Event::End => Ok(()),
        }
    }

    /// What stands between two values.
    fn separate(&mut self) -> fmt::Result {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let (kind, count) = (frame.kind, frame.count);
        frame.count += 1;
        match kind {
            FrameKind::Call => return Ok(()),
            FrameKind::Map if count % 2 == 1 => return self.out.write_str(": "),
            _ => {}
        }
        if count > 0 {
            self.out.write_str(if self.indent.is_some() { "," } else { ", " })?;
        }
        self.line()
    }

    fn open(&mut self, kind: FrameKind, text: &str) -> fmt::Result {
        self.frames.push(Frame { kind, count: 0 });
        self.out.write_str(text)
    }

    fn end(&mut self) -> fmt::Result {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        if frame.count > 0 && frame.kind != FrameKind::Call {
            self.line()?;
        }
        self.out.write_str(match frame.kind {
            FrameKind::List => "]",
            FrameKind::Map => "}",
            FrameKind::Call => ")",
        })
    }

    fn line(&mut self) -> fmt::Result {
        let Some(indent) = self.indent else {
            return Ok(());
        };
        let levels = self.frames.iter().filter(|frame| frame.kind != FrameKind::Call).count();
        write!(self.out, "\n{:1$}", "", indent * levels)
    }
}

/// A float: always with a point, an exponent or a name, so that it is not an int (DIA-3).
fn float<W: Write>(out: &mut W, f: f64) -> fmt::Result {
    if f.is_nan() && f.to_bits() != 0x7FF8_0000_0000_0000 {
        return write!(out, "f64'{:016x}'", f.to_bits());
    }
    match f {
        f if f.is_nan() => out.write_str("nan"),
        f64::INFINITY => out.write_str("inf"),
        f64::NEG_INFINITY => out.write_str("-inf"),
        _ => write!(out, "{f:?}"),
    }
}

fn string<W: Write>(out: &mut W, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0C => "\\f",
            0..=0x1F => "",
            _ => continue,
        };
        out.write_str(&text[plain..at])?;
        plain = at + 1;
        match escape {
            "" => write!(out, "\\u{byte:04x}")?,
            _ => out.write_str(escape)?,
        }
    }
    out.write_str(&text[plain..])?;
    out.write_char('"')
}

/// Encodes what the notation says, with lists and maps by columns where that is shorter (COL-4).
///
/// ```
/// assert_eq!(wbin::diag::parse("[1, h'00ff'] # comment").unwrap(), [0x82, 0x01, 0xC4, 0x02, 0x00, 0xFF]);
/// let error = wbin::diag::parse("[1, 2").unwrap_err();
/// assert_eq!(error.to_string(), "expected `,` or `]` at byte 5");
/// ```
///
/// # Errors
///
/// If the text is not in the notation (the offset is in bytes of the text), the value is nested
/// deeper than 128 levels, or a map has a key twice.
pub fn parse(text: &str) -> Result<Vec<u8>> {
    let mut encoder = Encoder::with_config(&Config::new().plain(true));
    for op in read(text)? {
        match op {
            Op::Null => encoder.null()?,
            Op::Bool(on) => encoder.bool(on)?,
            Op::Int(int) => encoder.int(int)?,
            Op::Float(f) => encoder.f64(f)?,
            Op::String(text) => encoder.str(&text)?,
            Op::Bytes(bytes) => encoder.bytes(&bytes)?,
            Op::List(n) => encoder.list(n)?,
            Op::Map(n) => encoder.map(n)?,
            Op::Ext(ext_type) => encoder.ext(ext_type)?,
            Op::Some => encoder.some()?,
            Op::End => encoder.end()?,
        };
    }
    encoder.finish()
}

/// What the text says, with the counts that are known only at the end of each list and map.
enum Op {
    Null,
    Bool(bool),
    Int(Int),
    Float(f64),
    String(String),
    Bytes(Vec<u8>),
    List(usize),
    Map(usize),
    Ext(u64),
    Some,
    End,
}

struct Text<'t> {
    text: &'t str,
    pos: usize,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Due {
    Value,
    /// A value, or the end of a list or map that has nothing yet.
    ValueOrEnd,
    AfterValue,
}

fn read(text: &str) -> Result<Vec<Op>> {
    let mut text = Text { text, pos: 0 };
    let mut ops: Vec<Op> = Vec::new();
    // For each open container the place of its opening among `ops`, and its values so far.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut due = Due::Value;
    loop {
        text.blank();
        if due != Due::AfterValue {
            let ended = due == Due::ValueOrEnd && text.closes(&ops, &open);
            if !ended {
                let at = ops.len();
                let op = text.value()?;
                due = match op {
                    Op::List(_) | Op::Map(_) => Due::ValueOrEnd,
                    Op::Ext(_) | Op::Some => Due::Value,
                    _ => Due::AfterValue,
                };
                ops.push(op);
                if due != Due::AfterValue {
                    open.push((at, 0));
                }
                continue;
            }
            due = Due::AfterValue;
        } else {
            // A value is complete: it counts in what is around it, and a separator or an end follows.
            let Some((at, count)) = open.last_mut() else {
                break;
            };
            *count += 1;
            let separator = match ops[*at] {
                Op::List(_) => ',',
                Op::Map(_) if *count % 2 == 1 => ':',
                Op::Map(_) => ',',
                _ => ')',
            };
            if separator != ')' && text.take(separator) {
                due = Due::Value;
                continue;
            }
            if separator == ':' {
                return Err(text.expected("`:`"));
            }
            if !text.closes(&ops, &open) {
                return Err(text.expected(match ops[open[open.len() - 1].0] {
                    Op::List(_) => "`,` or `]`",
                    Op::Map(_) => "`,` or `}`",
                    _ => "`)`",
                }));
            }
        }
        text.pos += 1;
        if let Some((at, count)) = open.pop() {
            match &mut ops[at] {
                Op::List(n) => *n = count,
                Op::Map(n) => *n = count / 2,
                _ => {}
            }
            ops.push(Op::End);
        }
    }
    text.blank();
    match text.rest().is_empty() {
        true => Ok(ops),
        false => Err(text.expected("the end of the text")),
    }
}

impl<'t> Text<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn expected(&self, what: &str) -> Error {
        Error::new(Code::Notation, self.pos, alloc::format!("expected {what}"))
    }

    /// Passes over white space and comments.
    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            self.pos += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.pos += trimmed.find(['\n', '\r']).unwrap_or(trimmed.len());
        }
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.pos += c.len_utf8();
        }
        found
    }

    /// Whether the closing character of the innermost container comes next.
    fn closes(&self, ops: &[Op], open: &[(usize, usize)]) -> bool {
        let closing = match open.last().map(|(at, _)| &ops[*at]) {
            Some(Op::List(_)) => ']',
            Some(Op::Map(_)) => '}',
            _ => ')',
        };
        self.rest().starts_with(closing)
    }

    /// A scalar, or the opening of a container.
    fn value(&mut self) -> Result<Op> {
        let rest = self.rest();
        match rest.chars().next() {
            Some('[') => {
                self.pos += 1;
                Ok(Op::List(0))
            }
            Some('{') => {
                self.pos += 1;
                Ok(Op::Map(0))
            }
            Some('"') => self.string().map(Op::String),
            Some('0'..='9' | '-') => self.number(),
            Some('a'..='z') => self.word(),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self) -> Result<Op> {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let after = rest[len..].chars().next();
        let op = match (&rest[..len], after) {
            ("null", _) => Op::Null,
            ("true", _) => Op::Bool(true),
            ("false", _) => Op::Bool(false),
            ("nan", _) => Op::Float(f64::from_bits(0x7FF8_0000_0000_0000)),
            ("inf", _) => Op::Float(f64::INFINITY),
            ("some", _) => {
                self.call(len)?;
                return Ok(Op::Some);
            }
            ("ext", _) => {
                self.call(len)?;
                return self.ext_type().map(Op::Ext);
            }
            ("h", Some('\'')) => {
                self.pos += len + 1;
                return self.hex().map(Op::Bytes);
            }
            ("f64", Some('\'')) => {
                let at = self.pos;
                self.pos += len + 1;
                let bytes = self.hex()?;
                return match <[u8; 8]>::try_from(bytes.as_slice()) {
                    Ok(bits) => Ok(Op::Float(f64::from_bits(u64::from_be_bytes(bits)))),
                    Err(_) => {
                        self.pos = at;
                        Err(self.expected("16 hex digits"))
                    }
                };
            }
            _ => return Err(self.expected("a value")),
        };
        self.pos += len;
        Ok(op)
    }

    /// Passes over the name of a call, of `len` bytes, and its opening parenthesis.
    fn call(&mut self, len: usize) -> Result<()> {
        self.pos += len;
        self.blank();
        match self.take('(') {
            true => Ok(()),
            false => Err(self.expected("`(`")),
        }
    }

    fn number(&mut self) -> Result<Op> {
        let rest = self.rest();
        if rest.starts_with("-inf") {
            self.pos += 4;
            return Ok(Op::Float(f64::NEG_INFINITY));
        }
        let part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let len = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let digits = &rest[..len];
        let op = match number_form(digits) {
            Some(Form::Float) => digits.parse().ok().filter(|f: &f64| f.is_finite()).map(Op::Float),
            Some(Form::Int) if digits != "-0" => digits.parse().ok().map(Op::Int),
            _ => None,
        };
        match op {
            Some(op) => {
                self.pos += len;
                Ok(op)
            }
            None => Err(self.expected("a number in range")),
        }
    }

    /// The type of an ext and the comma after it.
    fn ext_type(&mut self) -> Result<u64> {
        self.blank();
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (Some(Form::Int), Ok(ext_type)) = (number_form(&rest[..len]), rest[..len].parse()) else {
            return Err(self.expected("an ext type of 0 to 2^64-1"));
        };
        self.pos += len;
        self.blank();
        match self.take(',') {
            true => Ok(ext_type),
            false => Err(self.expected("`,`")),
        }
    }

    /// Hex digits up to a closing quote.
    fn hex(&mut self) -> Result<Vec<u8>> {
        let rest = self.rest();
        let digits = rest.split('\'').next().unwrap_or_default();
        let bytes = parse_hex(digits).filter(|_| digits.len() < rest.len());
        match bytes {
            Some(bytes) => {
                self.pos += digits.len() + 1;
                Ok(bytes)
            }
            None => Err(self.expected("pairs of hex digits and a closing `'`")),
        }
    }

    fn string(&mut self) -> Result<String> {
        let mut out = String::new();
        self.pos += 1;
        loop {
            let rest = self.rest();
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            out.push_str(&rest[..plain]);
            self.pos += plain;
            match self.rest().chars().next() {
                Some('"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some('\\') => out.push(self.escape()?),
                _ => return Err(self.expected("a closing `\"`")),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let c = match self.rest().chars().nth(1) {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('u') => return self.unicode(),
            _ => return Err(self.expected("an escape")),
        };
        self.pos += 2;
        Ok(c)
    }

    /// `\u` and four hex digits, or two of these for a character beyond the first 65,536.
    fn unicode(&mut self) -> Result<char> {
        let unit = |text: &str| {
            let digits = text.strip_prefix("\\u")?.get(..4)?;
            let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            hex.then(|| u16::from_str_radix(digits, 16).ok())?
        };
        let rest = self.rest();
        let units = [unit(rest), rest.get(6..).and_then(unit)];
        let units = units.into_iter().map_while(|unit| unit);
        match char::decode_utf16(units).next() {
            Some(Ok(c)) => {
                self.pos += 6 * c.len_utf16();
                Ok(c)
            }
            _ => Err(self.expected("an escape of a character")),
        }
    }
}

enum Form {
    Int,
    Float,
}

/// What a number is by its form: digits without zeros before them, a fraction, an exponent.
fn number_form(text: &str) -> Option<Form> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let text = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || whole > 1 && text.starts_with('0') {
        return None;
    }
    let mut rest = &text[whole..];
    if rest.is_empty() {
        return Some(Form::Int);
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let len = digits(fraction);
        if len == 0 {
            return None;
        }
        rest = &fraction[len..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let len = digits(exponent);
        if len == 0 {
            return None;
        }
        rest = &exponent[len..];
    }
    rest.is_empty().then_some(Form::Float)
}

/// Pairs of hex digits as bytes.
pub(crate) fn parse_hex(digits: &str) -> Option<Vec<u8>> {
    if digits.len() % 2 != 0 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect()
}
