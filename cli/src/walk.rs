//! Going through the values of a file one after the other, with the place of each.

use crate::text::{KEY_MAX, key_step, shorten_path};
use std::ops::Range;
use wbin::{Decoder, Event, Result};

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
    /// Its bytes.
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
}

struct Frame {
    kind: FrameKind,
    /// Whether an end tag closes it.
    open: bool,
    /// How many values in it have begun.
    count: usize,
}

enum FrameKind {
    List,
    /// The bytes of the last key.
    Map(Range<usize>),
    Wrap,
}

/// The parts of all the values in a file.
pub(crate) struct Walk<'a> {
    bytes: &'a [u8],
    decoder: Decoder<'a>,
    frames: Vec<Frame>,
    roots: usize,
    /// The depth of the outermost key that is being read.
    key_depth: Option<usize>,
    /// The outermost key that was read last, until it is told.
    key: Option<Range<usize>>,
    /// Whether the signature, over which a decoder passes, was told if there is one.
    begun: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Walk<'a> {
        Walk {
            bytes,
            decoder: Decoder::new(bytes),
            frames: Vec::new(),
            roots: 0,
            key_depth: None,
            key: None,
            begun: false,
        }
    }

    /// The offset of what comes next.
    pub(crate) fn position(&self) -> usize {
        if self.begun { self.decoder.position() } else { 0 }
    }

    /// How many containers are open around what comes next.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The next part, or `None` at the end of the file. Ends of containers with counts have no bytes
    /// and so are no parts.
    pub(crate) fn next(&mut self) -> Result<Option<Part<'a>>> {
        self.decoder.more()?;
        let start = self.decoder.position();
        if !std::mem::replace(&mut self.begun, true) && start > 0 {
            return Ok(Some(Part {
                range: 0..start,
                depth: 0,
                role: None,
                event: None,
                in_key: false,
                key: None,
                ends_map: false,
            }));
        }
        let Some(event) = self.decoder.event()? else {
            return Ok(None);
        };
        let range = start..self.decoder.position();
        let ended = if event == Event::End { self.frames.pop() } else { None };
        let ends_map = ended.is_some_and(|frame| matches!(frame.kind, FrameKind::Map(_)));
        let depth = self.frames.len();
        let role = (event != Event::End).then(|| self.value_begins(start));
        let in_key = self.key_depth.is_some();
        let opened = match event {
            Event::List(n) => Some((FrameKind::List, n.is_none())),
            Event::Map(n) => Some((FrameKind::Map(0..0), n.is_none())),
            Event::Ext(_) | Event::Some => Some((FrameKind::Wrap, false)),
            _ => None,
        };
        match opened {
            Some((kind, open)) => self.frames.push(Frame { kind, open, count: 0 }),
            None => self.value_ended(),
        }
        self.settle()?;
        let key = self.key.take();
        Ok(Some(Part { range, depth, role, event: Some(event), in_key, key, ends_map }))
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

    fn value_begins(&mut self, start: usize) -> Role {
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
                *key = start..start;
                self.key_depth.get_or_insert(depth);
                Role::Key
            }
            FrameKind::Map(_) => Role::Value,
        }
    }

    /// A value in the innermost container is complete.
    fn value_ended(&mut self) {
        let end = self.decoder.position();
        let depth = self.frames.len();
        if let Some(Frame { kind: FrameKind::Map(key), count, .. }) = self.frames.last_mut() {
            if *count % 2 == 1 {
                key.end = end;
                if self.key_depth == Some(depth) {
                    self.key_depth = None;
                    self.key = Some(key.clone());
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
            if decoder.skip().is_ok() {
                path.push_str(&self.step(&(start..decoder.position())));
            }
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

    /// The step of a path that an encoded key is.
    fn step(&self, key: &Range<usize>) -> String {
        let bytes = &self.bytes[key.clone()];
        let mut decoder = Decoder::new(bytes);
        if let Ok(text) = decoder.str() {
            return key_step(text);
        }
        let Ok(notation) = wbin::diag::to_string(bytes) else {
            return String::new();
        };
        match notation.char_indices().nth(KEY_MAX) {
            Some((end, _)) => format!("[{}…]", &notation[..end]),
            None => format!("[{notation}]"),
        }
    }
}

/// The place of the value at an offset, or of the nearest one around it, for messages.
pub(crate) fn place_of(bytes: &[u8], offset: usize) -> String {
    let mut walk = Walk::new(bytes);
    while walk.position() < offset && matches!(walk.next(), Ok(Some(_))) {}
    walk.place()
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
}
