//! Going through the values of a file one after the other, with the place of each.
//!
//! What is by columns has two orders: that of its values, row by row, and that of its bytes, column by column.
//! A [`Walk`] follows the values; [`pieces`](crate::pieces) follows the bytes.

use crate::text::{KEY_MAX, key_step, shorten_path};
use std::ops::Range;
use wbin::columns::{Layout, layout};
use wbin::tag::{LIST_COLUMNS, MAP_COLUMNS};
use wbin::{Decoder, Event, Result, Value};

/// What a value is to what is around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It stands by itself; how many stand before it.
    Root(usize),
    Item(usize),
    Key,
    Value,
    /// What an ext or a `some` holds.
    Payload,
}

/// A scalar, the head of a container, the end of an open one, or the signature.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    /// Its bytes. In columns it has none of its own; there this begins with the column.
    pub(crate) range: Range<usize>,
    /// How many containers are around it.
    pub(crate) depth: usize,
    /// `None` for the signature and for ends.
    pub(crate) role: Option<Role>,
    /// `None` for the signature.
    pub(crate) event: Option<Event<'a>>,
    /// Whether it is a key or in one.
    pub(crate) in_key: bool,
    /// The bytes of the key that is complete with this part; a key in a key does not count.
    pub(crate) key: Option<Range<usize>>,
    /// Whether it ends an open map.
    pub(crate) ends_map: bool,
    /// The columns, if it is the head of a list or map by columns that was passed over.
    pub(crate) columns: Option<Layout<'a>>,
}

#[derive(Clone)]
struct Frame<'a> {
    kind: FrameKind<'a>,
    /// Whether an end tag closes it.
    open: bool,
    /// Whether it is by columns, or in what is.
    in_columns: bool,
    /// How many values in it have begun.
    count: usize,
}

#[derive(Clone)]
enum FrameKind<'a> {
    List,
    /// The last key.
    Map(Key<'a>),
    Wrap,
}

#[derive(Clone)]
enum Key<'a> {
    /// It has these bytes.
    Bytes(Range<usize>),
    /// It stands in columns, and begins with this.
    Cell(Event<'a>),
}

/// The parts of all the values in a file.
pub(crate) struct Walk<'a> {
    bytes: &'a [u8],
    decoder: Decoder<'a>,
    /// Where the decoder's input begins in all the bytes.
    base: usize,
    /// Whether what is by columns is passed over.
    passes_columns: bool,
    frames: Vec<Frame<'a>>,
    roots: usize,
    /// The depth of the outermost key that is being read.
    key_depth: Option<usize>,
    /// The outermost key that was read last, until it is told.
    key: Option<Range<usize>>,
    /// Whether the signature, over which a decoder passes, was told if there is one.
    begun: bool,
}

impl<'a> Walk<'a> {
    /// All the values, those in columns too.
    pub(crate) fn new(bytes: &'a [u8]) -> Walk<'a> {
        Walk {
            bytes,
            decoder: Decoder::new(bytes),
            base: 0,
            passes_columns: false,
            frames: Vec::new(),
            roots: 0,
            key_depth: None,
            key: None,
            begun: false,
        }
    }

    /// The parts in the order of their bytes, from one offset to another: what is by columns is one part.
    pub(crate) fn of_bytes(bytes: &'a [u8], range: Range<usize>) -> Walk<'a> {
        let decoder = Decoder::new(&bytes[range.clone()]);
        Walk { decoder, base: range.start, passes_columns: true, ..Walk::new(bytes) }
    }

    /// The offset of what comes next; in columns that of its column.
    pub(crate) fn position(&self) -> usize {
        if self.begun { self.base + self.decoder.position() } else { self.base }
    }

    /// Whether what comes next stands in columns.
    pub(crate) fn is_in_columns(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.in_columns)
    }

    /// How many containers are open around what comes next.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The next part, or `None` at the end of the file. Ends of containers with counts have no bytes
    /// and so are no parts.
    pub(crate) fn next(&mut self) -> Result<Option<Part<'a>>> {
        let more = self.decoder.more()?;
        let start = self.base + self.decoder.position();
        if !std::mem::replace(&mut self.begun, true) && start > self.base {
            return Ok(Some(Part {
                range: self.base..start,
                depth: 0,
                role: None,
                event: None,
                in_key: false,
                key: None,
                ends_map: false,
                columns: None,
            }));
        }
        // What the decoder reads may end here, and other bytes follow.
        let by_columns = more && !self.is_in_columns() && self.begins_columns(start);
        if by_columns && self.passes_columns {
            return self.pass_columns(start).map(Some);
        }
        let Some(event) = self.decoder.event()? else {
            return Ok(None);
        };
        let end = self.base + self.decoder.position();
        let range = start..end.max(start);
        let ended = if event == Event::End { self.frames.pop() } else { None };
        let ends_map = ended.is_some_and(|frame| matches!(frame.kind, FrameKind::Map(_)));
        let depth = self.frames.len();
        let role = (event != Event::End).then(|| self.value_begins(start, event));
        let in_key = self.key_depth.is_some();
        let opened = match event {
            Event::List(n) => Some((FrameKind::List, n.is_none())),
            Event::Map(n) => Some((FrameKind::Map(Key::Bytes(0..0)), n.is_none())),
            Event::Ext(_) | Event::Some => Some((FrameKind::Wrap, false)),
            _ => None,
        };
        match opened {
            Some((kind, open)) => {
                let in_columns = by_columns || self.is_in_columns();
                self.frames.push(Frame { kind, open, in_columns, count: 0 });
            }
            None => self.value_ended(),
        }
        if let Err(error) = self.settle() {
            // In columns it is about the value just now, not about one that follows it.
            if let Some(frame) = self.frames.last_mut().filter(|frame| frame.in_columns) {
                frame.count -= 1;
            }
            return Err(error);
        }
        let key = self.key.take();
        Ok(Some(Part { range, depth, role, event: Some(event), in_key, key, ends_map, columns: None }))
    }

    /// Whether the tag of a list or map by columns stands at an offset.
    fn begins_columns(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), Some(&(LIST_COLUMNS | MAP_COLUMNS)))
    }

    /// Passes over the list or map by columns that comes next; the part is its tag and its count.
    fn pass_columns(&mut self, start: usize) -> Result<Part<'a>> {
        // The decoder may end sooner than the bytes do.
        self.decoder.skip()?;
        let layout = layout(self.bytes, start)?;
        let n = Some(usize::try_from(layout.n).unwrap_or(usize::MAX));
        let event = if self.bytes[start] == MAP_COLUMNS { Event::Map(n) } else { Event::List(n) };
        let depth = self.frames.len();
        let role = Some(self.value_begins(start, event));
        let in_key = self.key_depth.is_some();
        self.value_ended();
        self.settle()?;
        let end = layout.columns.first().map_or(layout.range.end, |column| column.head.start);
        let (key, columns) = (self.key.take(), Some(layout));
        Ok(Part { range: start..end, depth, role, event: Some(event), in_key, key, ends_map: false, columns })
    }

    /// Leaves the containers that are complete, so that what comes next is in the innermost one.
    fn settle(&mut self) -> Result<()> {
        while self.frames.last().is_some_and(|frame| !frame.open) && !self.decoder.more()? {
            self.decoder.event()?;
            self.frames.pop();
            self.value_ended();
        }
        Ok(())
    }

    fn value_begins(&mut self, start: usize, event: Event<'a>) -> Role {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else {
            self.roots += 1;
            return Role::Root(self.roots - 1);
        };
        frame.count += 1;
        match &mut frame.kind {
            FrameKind::List => Role::Item(frame.count - 1),
            FrameKind::Wrap => Role::Payload,
            FrameKind::Map(key) if frame.count % 2 == 1 => {
                *key = if frame.in_columns { Key::Cell(event) } else { Key::Bytes(start..start) };
                self.key_depth.get_or_insert(depth);
                Role::Key
            }
            FrameKind::Map(_) => Role::Value,
        }
    }

    /// A value in the innermost container is complete.
    fn value_ended(&mut self) {
        let end = self.base + self.decoder.position();
        let depth = self.frames.len();
        if let Some(Frame { kind: FrameKind::Map(key), count, .. }) = self.frames.last_mut() {
            if *count % 2 == 1 {
                if let Key::Bytes(range) = key {
                    range.end = end;
                }
                if self.key_depth == Some(depth) {
                    self.key_depth = None;
                    if let Key::Bytes(range) = key {
                        self.key = Some(range.clone());
                    }
                }
            }
        }
    }

    /// The place of the value that comes next: ` in .users[3].name`, empty for a root.
    pub(crate) fn place(&self) -> String {
        let mut path = String::new();
        for (at, frame) in self.frames.iter().enumerate() {
            // The innermost container is before its next value, the others are in their last one.
            let begun = if at + 1 == self.frames.len() { frame.count + 1 } else { frame.count };
            match &frame.kind {
                FrameKind::List => path.push_str(&format!("[{}]", begun - 1)),
                FrameKind::Map(key) if begun % 2 == 0 => path.push_str(&self.step(key)),
                FrameKind::Map(_) | FrameKind::Wrap => {}
            }
        }
        let mut path = shorten_path(path);
        let key_due = matches!(self.frames.last(), Some(Frame { kind: FrameKind::Map(_), count, .. }) if count % 2 == 0);
        if key_due {
            let start = self.position();
            let mut decoder = self.decoder.clone();
            let key = match self.is_in_columns() {
                true => decoder.event().ok().flatten().map(Key::Cell),
                false => decoder.skip().is_ok().then(|| Key::Bytes(start..self.base + decoder.position())),
            };
            path.extend(key.map(|key| self.step(&key)));
        }
        // In what stands after a value the roots are counted, from 1 on.
        let root = match (self.roots, self.frames.is_empty()) {
            (0, _) | (1, false) => String::new(),
            (roots, true) => format!(" in value {}", roots + 1),
            (roots, false) => format!(" in value {roots}"),
        };
        match (root.as_str(), path.as_str()) {
            (_, "") => root,
            ("", path) => format!(" in {path}"),
            (root, path) => format!("{root}, {path}"),
        }
    }

    /// The step of a path that a key is.
    fn step(&self, key: &Key<'a>) -> String {
        let notation = match key {
            Key::Bytes(range) => {
                let bytes = self.bytes.get(range.clone()).unwrap_or_default();
                if let Ok(text) = Decoder::new(bytes).str() {
                    return key_step(text);
                }
                wbin::diag::to_string(bytes)
            }
            Key::Cell(event) => match *event {
                Event::String(text) => return key_step(text),
                Event::Null => Ok(Value::Null.to_string()),
                Event::Bool(on) => Ok(Value::from(on).to_string()),
                Event::Int(int) => Ok(int.to_string()),
                Event::Float(f) => Ok(Value::from(f).to_string()),
                Event::Bytes(bytes) => Ok(Value::Bytes(bytes.into()).to_string()),
                // Only its first part was read.
                _ => Ok("…".to_owned()),
            },
        };
        let Ok(notation) = notation else {
            return String::new();
        };
        match notation.char_indices().nth(KEY_MAX) {
            Some((end, _)) => format!("[{}…]", &notation[..end]),
            None => format!("[{notation}]"),
        }
    }
}

/// The place of the value at an offset, or of the nearest one around it, for messages.
///
/// In columns many values stand at one offset. There it is the first one that cannot be read, or the list or
/// map by columns if all of them can.
pub(crate) fn place_of(bytes: &[u8], offset: usize) -> String {
    let mut walk = Walk::new(bytes);
    // Where the last list or map by columns is, in parts.
    let (mut parts, mut columns) = (0, None);
    while walk.position() < offset || walk.is_in_columns() {
        let outside = !walk.is_in_columns();
        match walk.next() {
            Ok(Some(_)) => {}
            _ => return walk.place(),
        }
        if outside {
            columns = walk.is_in_columns().then_some(parts);
        }
        parts += 1;
    }
    match columns {
        Some(columns) if !walk.is_in_columns() && walk.position() > offset => {
            let mut walk = Walk::new(bytes);
            for _ in 0..columns {
                let _ = walk.next();
            }
            walk.place()
        }
        _ => walk.place(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(notation: &str, offset: usize) -> String {
        place_of(&wbin::diag::parse(notation).unwrap(), offset)
    }

    #[test]
    fn places() {
        assert_eq!(place("5", 0), "");
        // 81 91 | 41 61 | 82 | 05 | 06
        let nested = r#"[{"a": [5, 6]}]"#;
        let places = ["", " in [0]", " in [0].a", " in [0].a", " in [0].a", " in [0].a[0]", " in [0].a[1]"];
        for (offset, text) in places.into_iter().enumerate() {
            assert_eq!(place(nested, offset), text, "{offset}");
        }
        // 92 | 81 80 | 01 | 42 20 61 | 02
        let keys = r#"{[[]]: 1, " a": 2}"#;
        let places = ["", " in [[[]]]", "", " in [[[]]]", " in [\" a\"]", "", "", " in [\" a\"]"];
        for (offset, text) in places.into_iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            assert_eq!(place(keys, offset), text, "{offset}");
        }
        assert_eq!(place_of(&[0x01, 0x81, 0xD4], 2), " in value 2, [0]");
        assert_eq!(place_of(&[0x01, 0xD4], 1), " in value 2");
        assert_eq!(place_of(&[0xDF, 0x57, 0x42, 0x01, 0xD4], 4), "");
        // after the end of an open list, in an ext
        assert_eq!(place_of(&[0x82, 0xBF, 0x05, 0xD0, 0x01, 0xBE, 0xD4], 6), " in [1]");
    }

    #[test]
    fn places_in_columns() {
        let place = |hex: &[u8], offset| place_of(hex, offset);
        // the second value of the field "a", in a plain column, has a reserved tag
        let row = [0xD2, 2, 0xD0, 1, 0x41, b'a', 0, 2, 5, 0xD4];
        assert_eq!(place(&row, 9), " in [1].a");
        assert_eq!(place(&[&[0x92, 0x41, b'x', 5, 0x41, b'y'], &row[..]].concat(), 15), " in .y[1].a");
        // two equal keys; a fault of the columns has the place of what they are
        assert_eq!(place(&[0x81, 0xD3, 2, 0x30, 5, 0, 0x20, 3], 3), " in [0]");
        // no fault at all: the list by columns that is there
        assert_eq!(place(&[0x82, 5, 0xD2, 2, 0x20, 1], 4), " in [1]");
        assert_eq!(place(&[0x83, 5, 0xD2, 2, 0x20, 1, 0xD4], 6), " in [2]");
        // keys that are no strings
        assert_eq!(place(&[0xD3, 2, 0x30, 5, 2, 0, 2, 5, 0xD4], 8), " in [6]");
        // one value too many
        assert_eq!(place(&[0xD2, 1, 0, 2, 5, 6], 2), " in [0]");
    }
}
