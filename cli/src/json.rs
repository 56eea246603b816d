//! Reading JSON with every digit and every name, and writing it.

use crate::fail::Result;
use crate::io::{Input, Output};
use crate::progress::Progress;
use crate::text::{key_step, quoted, shorten_path};
use std::collections::HashSet;
use struson::reader::json_path::JsonPathPiece;
use struson::reader::{
    JsonReader, JsonReaderPosition, JsonStreamReader, ReaderError, ReaderSettings, SyntaxErrorKind, ValueType,
};
use wbin::{Int, List, Map, Value};

/// How many levels a value may have.
const MAX_DEPTH: u32 = wbin::Config::DEFAULT_MAX_DEPTH;
/// How many levels its JSON may have: a map in a form of its own takes three, as in
/// `{"$wbin:map": [[1, 2]]}`, and a scalar in a form one more.
const MAX_JSON_DEPTH: u32 = 3 * MAX_DEPTH + 1;
/// What the names of the forms begin with.
const FORM: &str = "$wbin:";

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) what: String,
    /// From 1 on.
    pub(crate) line: u64,
    /// In characters, from 1 on.
    pub(crate) column: u64,
    /// As `.users[3].name`; empty at the root.
    pub(crate) path: String,
}

type Read<T> = std::result::Result<T, Fault>;

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at line {}, column {}", self.what, self.line, self.column)?;
        match self.path.as_str() {
            "" => Ok(()),
            path => write!(f, " in {path}"),
        }
    }
}

/// Reads the values of an input: the one that it is, or one on each line. Tells how many they are.
pub(crate) fn read_values(
    input: &Input,
    lines: bool,
    read: impl Fn(&[u8], &Progress) -> Read<Value<'static>>,
    progress: &Progress,
    mut each: impl FnMut(Value<'static>) -> std::result::Result<(), String>,
) -> Result<usize> {
    // A byte order mark is no part of the value.
    let text = input.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&input.bytes);
    if !lines {
        let value = read(text, progress).map_err(|fault| input.bad(fault))?;
        each(value).map_err(|what| input.bad(what))?;
        return Ok(1);
    }
    let mut values = 0;
    let mut line_start = 0;
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        progress.reached(line_start as u64);
        line_start += line.len() + 1;
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            continue;
        }
        // Inside of a line the progress of the file is not to be touched.
        let quiet = Progress::none();
        let value =
            read(line, &quiet).map_err(|fault| input.bad(Fault { line: index as u64 + 1, ..fault }))?;
        each(value).map_err(|what| input.bad(format_args!("{what} at line {}", index + 1)))?;
        values += 1;
    }
    Ok(values)
}

/// Reads a text that is one JSON value, in which the forms are maps like all others.
pub(crate) fn read_as_it_is(text: &[u8], progress: &Progress) -> Read<Value<'static>> {
    match Reader::new(text, false, progress).document() {
        Ok((value, _)) => Ok(value),
        Err(_) => locate(text, progress),
    }
}

/// Reads a text that is one JSON value.
pub(crate) fn read(text: &[u8], progress: &Progress) -> Read<Value<'static>> {
    let fast = Reader::new(text, false, progress).document();
    let resolved = fast.ok().and_then(|(value, _)| wbin::json::resolve(value).ok());
    match resolved {
        Some(value) => Ok(value),
        // Something is wrong: a second, slower reading finds out where.
        None => locate(text, progress),
    }
}

fn locate(text: &[u8], progress: &Progress) -> Read<Value<'static>> {
    let (value, too_deep) = Reader::new(text, true, progress).document()?;
    // Every form in it was tried alone, so what is left is the depth.
    wbin::json::resolve(value).map_err(|error| match too_deep {
        Some(place) => fault(error.to_string(), &place),
        None => Fault { what: error.to_string(), line: 1, column: 1, path: String::new() },
    })
}

/// A container that is not complete yet.
enum Open {
    List(List<'static>),
    Map {
        entries: Vec<(Value<'static>, Value<'static>)>,
        /// The name whose value is due.
        name: String,
        /// Only when places are wanted: where it began, and the names so far.
        begin: Option<JsonReaderPosition>,
        names: HashSet<String>,
    },
}

struct Reader<'t, 'p> {
    json: JsonStreamReader<&'t [u8]>,
    /// Whether to find out where an error is.
    locate: bool,
    progress: &'p Progress,
    /// The first place that is nested deeper than a value may be, unless forms take the levels.
    too_deep: Option<JsonReaderPosition>,
}

impl<'t, 'p> Reader<'t, 'p> {
    fn new(text: &'t [u8], locate: bool, progress: &'p Progress) -> Reader<'t, 'p> {
        let settings = ReaderSettings {
            track_path: locate,
            max_nesting_depth: Some(MAX_JSON_DEPTH),
            restrict_number_values: false,
            ..ReaderSettings::default()
        };
        Reader { json: JsonStreamReader::new_custom(text, settings), locate, progress, too_deep: None }
    }

    /// Reads the value, in which the forms are still maps, and the end of the text.
    fn document(mut self) -> Read<(Value<'static>, Option<JsonReaderPosition>)> {
        let value = self.value()?;
        self.json.consume_trailing_whitespace()?;
        Ok((value, self.too_deep))
    }

    fn value(&mut self) -> Read<Value<'static>> {
        let mut stack: Vec<Open> = Vec::new();
        loop {
            let mut done = self.scalar_or_open(&mut stack)?;
            // Gives what is complete to what is around it, until another value is due.
            loop {
                if let Some(value) = done.take() {
                    match stack.last_mut() {
                        None => return Ok(value),
                        Some(Open::List(items)) => items.push(value),
                        Some(Open::Map { entries, name, .. }) => {
                            entries.push((Value::from(std::mem::take(name)), value));
                        }
                    }
                }
                if self.json.has_next()? {
                    if let Some(Open::Map { name, names, .. }) = stack.last_mut() {
                        *name = self.name(names)?;
                    }
                    break;
                }
                done = match stack.pop() {
                    Some(Open::List(items)) => {
                        self.json.end_array()?;
                        Some(Value::List(items))
                    }
                    Some(Open::Map { entries, begin, .. }) => {
                        self.json.end_object()?;
                        Some(self.map(entries, begin)?)
                    }
                    // Not reached: a scalar is returned, anything else opened something.
                    None => None,
                };
            }
        }
    }

    /// Reads a scalar, or opens a container.
    fn scalar_or_open(&mut self, stack: &mut Vec<Open>) -> Read<Option<Value<'static>>> {
        Ok(Some(match self.json.peek()? {
            ValueType::Null => {
                self.json.next_null()?;
                Value::Null
            }
            ValueType::Boolean => Value::Bool(self.json.next_bool()?),
            ValueType::String => Value::from(self.json.next_string()?),
            ValueType::Number => {
                let place = self.locate.then(|| self.json.current_position(true));
                match number(self.json.next_number_as_str()?) {
                    Ok(value) => value,
                    Err(what) => return Err(self.fault(what, place)),
                }
            }
            container => {
                let place = self.json.current_position(self.locate);
                self.progress.reached(place.data_pos.unwrap_or(0));
                if stack.len() >= MAX_DEPTH as usize && self.too_deep.is_none() {
                    self.too_deep = Some(place.clone());
                }
                stack.push(if container == ValueType::Array {
                    self.json.begin_array()?;
                    Open::List(List::new())
                } else {
                    self.json.begin_object()?;
                    Open::Map {
                        entries: Vec::new(),
                        name: String::new(),
                        begin: self.locate.then_some(place),
                        names: HashSet::new(),
                    }
                });
                return Ok(None);
            }
        }))
    }

    /// The next name of an object; `names` are those before it.
    fn name(&mut self, names: &mut HashSet<String>) -> Read<String> {
        if !self.locate {
            return Ok(self.json.next_name_owned()?);
        }
        let place = self.json.current_position(true);
        let name = self.json.next_name_owned()?;
        if !names.insert(name.clone()) {
            // The path is not yet that of the member, but still of the one before it.
            let mut path = place.path.clone().unwrap_or_default();
            path.pop();
            let place = JsonReaderPosition { path: Some(path), ..place };
            return Err(fault(format!("duplicate name {}", quoted(&name, 64)), &place));
        }
        Ok(name)
    }

    /// An object as a map, or its form tried.
    fn map(
        &self,
        entries: Vec<(Value<'static>, Value<'static>)>,
        begin: Option<JsonReaderPosition>,
    ) -> Read<Value<'static>> {
        let is_form =
            matches!(&*entries, [(name, _)] if name.as_str().is_some_and(|name| name.starts_with(FORM)));
        let map = match Map::try_from_entries(entries) {
            Ok(map) => Value::Map(map),
            Err(error) => return Err(self.fault(error.to_string(), begin)),
        };
        if self.locate && is_form {
            match wbin::json::resolve(map.clone()) {
                Err(error) if error.name() != "depth-limit" => {
                    return Err(self.fault(error.to_string(), begin));
                }
                _ => {}
            }
        }
        Ok(map)
    }

    #[cold]
    fn fault(&self, what: String, place: Option<JsonReaderPosition>) -> Fault {
        fault(what, &place.unwrap_or_else(|| self.json.current_position(self.locate)))
    }
}

/// A number, exact as an int or the nearest float (JSN-2).
fn number(text: &str) -> std::result::Result<Value<'static>, String> {
    if text.contains(['.', 'e', 'E']) {
        return match text.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Value::Float(f)),
            _ => Err("a number too large for a float".into()),
        };
    }
    if text == "-0" {
        return Ok(Value::Float(-0.0));
    }
    if let Ok(small) = text.parse::<i64>() {
        return Ok(Value::from(small));
    }
    match text.parse::<Int>() {
        Ok(int) => Ok(Value::Int(int)),
        Err(_) => Err("an int out of the range -2^127 to 2^128-1".into()),
    }
}

#[cold]
fn fault(what: String, place: &JsonReaderPosition) -> Fault {
    let (line, column) = place.line_pos.map_or((0, 0), |pos| (pos.line, pos.column));
    let mut path = place.path.as_deref().unwrap_or_default();
    // What the reader calls a member whose name it has not read yet.
    if let [before @ .., JsonPathPiece::ObjectMember(name)] = path {
        path = if name == "<?>" { before } else { path };
    }
    let path = path.iter().map(|piece| match piece {
        JsonPathPiece::ArrayItem(index) => format!("[{index}]"),
        JsonPathPiece::ObjectMember(name) => key_step(name),
    });
    Fault { what, line: line + 1, column: column + 1, path: shorten_path(path.collect()) }
}

impl From<ReaderError> for Fault {
    #[cold]
    fn from(error: ReaderError) -> Fault {
        match &error {
            ReaderError::SyntaxError(syntax) => fault(syntax_text(syntax.kind).into(), &syntax.location),
            ReaderError::MaxNestingDepthExceeded { location, .. } => {
                fault(format!("nested deeper than the limit of {MAX_DEPTH}"), location)
            }
            // The text is in memory, so this can be about its encoding only.
            ReaderError::IoError { error, location } => fault(error.to_string(), location),
            ReaderError::UnexpectedValueType { location, .. }
            | ReaderError::UnexpectedStructure { location, .. }
            | ReaderError::UnsupportedNumberValue { location, .. } => fault(error.to_string(), location),
            _ => Fault { what: error.to_string(), line: 1, column: 1, path: String::new() },
        }
    }
}

fn syntax_text(kind: SyntaxErrorKind) -> &'static str {
    match kind {
        SyntaxErrorKind::CommentsNotEnabled
        | SyntaxErrorKind::IncompleteComment
        | SyntaxErrorKind::BlockCommentNotClosed => "JSON has no comments",
        SyntaxErrorKind::InvalidLiteral | SyntaxErrorKind::TrailingDataAfterLiteral => {
            "expected `null`, `true` or `false`"
        }
        SyntaxErrorKind::UnexpectedClosingBracket => "a closing bracket where none can stand",
        SyntaxErrorKind::UnexpectedComma => "a comma where none can stand",
        SyntaxErrorKind::MissingComma => "expected a comma or a closing bracket",
        SyntaxErrorKind::TrailingCommaNotEnabled => "a comma before a closing bracket",
        SyntaxErrorKind::UnexpectedColon => "a colon where none can stand",
        SyntaxErrorKind::MissingColon => "expected a colon",
        SyntaxErrorKind::MalformedNumber | SyntaxErrorKind::TrailingDataAfterNumber => "a malformed number",
        SyntaxErrorKind::ExpectingMemberNameOrObjectEnd => "expected a name in quotes or `}`",
        SyntaxErrorKind::NotEscapedControlCharacter => "a control character that is not escaped",
        SyntaxErrorKind::UnknownEscapeSequence | SyntaxErrorKind::MalformedEscapeSequence => {
            "a malformed escape"
        }
        SyntaxErrorKind::UnpairedSurrogatePairEscapeSequence => "an escaped surrogate without its other half",
        SyntaxErrorKind::IncompleteDocument => "the text ends before the value does",
        SyntaxErrorKind::TrailingData => "more text after the value (--ndjson reads one value on each line)",
        _ => "expected a value",
    }
}

/// Writes a value as JSON, and a line end.
pub(crate) fn write(output: &mut Output, input: &Input, value: &Value<'_>, pretty: bool) -> Result<()> {
    let json = wbin::json::Json::new(value);
    let written = match pretty {
        true => serde_json::to_writer_pretty(&mut *output, &json),
        false => serde_json::to_writer(&mut *output, &json),
    };
    match written {
        Ok(()) => output.put("\n"),
        Err(error) if error.is_io() => Err(output.failure(&error.into())),
        Err(error) => Err(input.bad(error)),
    }
}
