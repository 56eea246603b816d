//! The canonical form: one encoding for each value (CAN-1).

use crate::config::Config;
use crate::decode::{Decoder, Event, SomeChain};
use crate::error::{Code, Error, Result};
use crate::keys;
use crate::read::Reader;
use crate::tag;
use crate::write::Output;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The canonical NaN, a binary32 (CAN-4).
const NAN: u32 = 0x7FC0_0000;

/// Rewrites one document in the canonical form.
///
/// Ints, lengths and floats take their shortest form, map entries are sorted by the bytes of their
/// keys, open lists and maps are counted, every NaN becomes the one canonical NaN, and a signature
/// goes away. A `some` stays where it tells apart what would be the same without it.
///
/// ```
/// // {"b": 1, "a": 5 in two bytes}
/// let bytes = [0x92, 0x41, b'b', 0x01, 0x41, b'a', 0xA0, 0x05];
/// let canonical = wbin::canonical::to_canonical(&bytes).unwrap();
/// assert_eq!(canonical, [0x92, 0x41, b'a', 0x05, 0x41, b'b', 0x01]);
/// ```
///
/// # Errors
///
/// If the bytes are not one valid document, or nested deeper than 128 levels.
pub fn to_canonical(bytes: &[u8]) -> Result<Vec<u8>> {
    Config::new().to_canonical(bytes)
}

/// Checks that the bytes are one document in the canonical form.
///
/// ```
/// assert!(wbin::canonical::check(&[0x05]).is_ok());
/// let error = wbin::canonical::check(&[0xA0, 0x05]).unwrap_err();
/// assert_eq!(error.to_string(), "not canonical: an int that is not in its shortest form at byte 0");
/// ```
///
/// # Errors
///
/// The first fault in the order of the bytes: `not-canonical`, or any other that a document can
/// have.
pub fn check(bytes: &[u8]) -> Result<()> {
    check_whole(bytes, Config::DEFAULT_MAX_DEPTH)
}

impl Config {
    /// [`canonical::to_canonical`](to_canonical) with these limits.
    ///
    /// # Errors
    ///
    /// If the bytes are not one valid document, or nested deeper than the limit.
    pub fn to_canonical(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut decoder = Decoder::with_depth(bytes, self.get_max_depth());
        let mut out = Output::with_capacity(bytes.len());
        transcode(&mut decoder, &mut out, Form::Canonical)?;
        decoder.finish()?;
        Ok(out.into_vec())
    }
}

/// The canonical form of all the values that stand in `bytes`, one after the other.
pub(crate) fn of_sequence(bytes: &[u8], max_depth: u32) -> Result<Vec<u8>> {
    let mut decoder = Decoder::with_depth(bytes, max_depth);
    let mut out = Output::with_capacity(bytes.len());
    while decoder.more()? {
        transcode(&mut decoder, &mut out, Form::Canonical)?;
    }
    Ok(out.into_vec())
}

/// Appends a value that was read before, in a form that is the same for equal values.
pub(crate) fn rewrite(bytes: &[u8], form: Form, out: &mut Output) -> Result<()> {
    let mut decoder = Decoder::resume(bytes, 0, u32::MAX, u32::MAX);
    transcode(&mut decoder, out, form)
}

/// What a value is rewritten in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The shortest encoding of every part; order and NaNs stay (PRE-1).
    Preferred,
    /// That, with every `some` looked through (SOM-4).
    Untyped,
    /// That, with maps sorted and one NaN.
    Canonical,
}

/// A map entry in the output, and where its key stood in the input.
struct Entry {
    key: usize,
    value: usize,
    source: usize,
}

/// A container that is being written.
struct Frame {
    /// Values so far: twice the entries of a map.
    count: usize,
    /// The entries of a map.
    entries: Option<Vec<Entry>>,
}

fn transcode(decoder: &mut Decoder<'_>, out: &mut Output, form: Form) -> Result<()> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut open_counts: Option<alloc::vec::IntoIter<usize>> = None;
    let mut chain = SomeChain::default();
    loop {
        decoder.more()?; // passes over a signature
        let source = decoder.position();
        let Some(event) = decoder.event()? else {
            continue;
        };
        let start = out.len();
        if let (Some(frame), false) = (frames.last_mut(), event == Event::End) {
            if let Some(entries) = &mut frame.entries {
                match entries.last_mut() {
                    Some(entry) if frame.count % 2 == 1 => entry.value = start,
                    _ => entries.push(Entry { key: start, value: start, source }),
                }
            }
            frame.count += 1;
        }
        if let (Event::List(None) | Event::Map(None), None) = (event, &open_counts) {
            // The head stands before the values that it counts: look ahead, once for all that follow.
            open_counts = Some(count_open(decoder.clone(), event)?.into_iter());
        }
        let mut count = |n: Option<usize>| n.or_else(|| open_counts.as_mut()?.next()).unwrap_or_default();
        match event {
            Event::Null => out.byte(tag::NULL),
            Event::Bool(on) => out.bool(on),
            Event::Int(int) => out.int(int),
            Event::Float(f) if form != Form::Canonical => out.float(f),
            Event::Float(f) => write_float(out, f),
            Event::String(text) => out.str(text),
            Event::Bytes(bytes) => out.bytes(bytes),
            Event::List(n) => {
                out.list_head(count(n));
                frames.push(Frame { count: 0, entries: None });
            }
            Event::Map(n) => {
                out.map_head(count(n));
                frames.push(Frame { count: 0, entries: Some(Vec::new()) });
            }
            Event::Some => {
                if form != Form::Untyped && chain.counts(decoder.document(), decoder.position()) {
                    out.byte(tag::SOME);
                }
                frames.push(Frame { count: 0, entries: None });
            }
            Event::Ext(ext_type) => {
                out.ext_head(ext_type);
                frames.push(Frame { count: 0, entries: None });
            }
            Event::End => match frames.pop() {
                Some(Frame { entries: Some(entries), .. }) if form == Form::Canonical => sort(out, &entries)?,
                _ => {}
            },
        }
        if frames.is_empty() {
            return Ok(());
        }
    }
}

/// How many items or entries each open list and map has: of the one that `decoder` just entered, and
/// of those that follow in the document, in the order in which they begin.
fn count_open(mut decoder: Decoder<'_>, entered: Event<'_>) -> Result<Vec<usize>> {
    let mut values = alloc::vec![(0, matches!(entered, Event::Map(_)))];
    // For each container that was entered its place among them, if it is open.
    let mut frames = alloc::vec![Some(0)];
    while decoder.depth() > 0 {
        let Some(event) = decoder.event()? else {
            break;
        };
        if let (Some(Some(index)), false) = (frames.last(), event == Event::End) {
            let (count, _) = &mut values[*index];
            *count += 1;
        }
        match event {
            Event::List(None) | Event::Map(None) => {
                frames.push(Some(values.len()));
                values.push((0, matches!(event, Event::Map(_))));
            }
            Event::List(_) | Event::Map(_) | Event::Ext(_) | Event::Some => frames.push(None),
            Event::End => drop(frames.pop()),
            _ => {}
        }
    }
    Ok(values.into_iter().map(|(count, map)| if map { count / 2 } else { count }).collect())
}

/// Puts the entries, which reach to the end of the output, in the order of their keys (CAN-5).
fn sort(out: &mut Output, entries: &[Entry]) -> Result<()> {
    let Some(first) = entries.first() else {
        return Ok(());
    };
    let body = &out.as_bytes()[first.key..];
    let key = |index: usize| {
        let entry = &entries[index];
        &body[entry.key - first.key..entry.value - first.key]
    };
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|a, b| key(*a).cmp(key(*b)));
    let twice = order.windows(2).filter(|pair| key(pair[0]) == key(pair[1]));
    if let Some(source) = twice.map(|pair| entries[pair[1]].source).min() {
        return Err(keys::duplicate(source));
    }
    if order.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    let mut sorted = Vec::with_capacity(body.len());
    for index in order {
        let end = entries.get(index + 1).map_or(body.len(), |next| next.key - first.key);
        sorted.extend_from_slice(&body[entries[index].key - first.key..end]);
    }
    out.truncate(first.key);
    out.slice(&sorted);
    Ok(())
}

fn write_float(out: &mut Output, f: f64) {
    if f.is_nan() {
        out.tag_uint(tag::FLOAT32, u64::from(NAN), 4);
    } else {
        out.float(f);
    }
}

/// Checks that `bytes` are one canonical value and nothing else.
pub(crate) fn check_whole(bytes: &[u8], max_depth: u32) -> Result<()> {
    match check_first(bytes, max_depth)? {
        end if end < bytes.len() => Err(Error::trailing(end)),
        _ => Ok(()),
    }
}

/// Checks that `bytes` begin with a canonical value; gives its length in bytes.
pub(crate) fn check_first(bytes: &[u8], max_depth: u32) -> Result<usize> {
    if bytes.first() == Some(&tag::SIGNATURE_TAG) {
        Decoder::with_depth(bytes, max_depth).more()?;
        return Err(not_canonical(0, "a signature"));
    }
    // For each open map the last key that ended, and whether a key is due; `None` for the rest.
    let mut frames: Vec<Option<Order>> = Vec::new();
    let mut decoder = Decoder::with_depth(bytes, max_depth);
    let mut head = Output::default();
    loop {
        let start = decoder.position();
        if let (Some(&(tag::LIST_COLUMNS | tag::MAP_COLUMNS)), true) = (bytes.get(start), decoder.more()?) {
            return Err(match decoder.levels_left() {
                0 => Error::depth(max_depth, start),
                _ => not_canonical(start, "a list or map by columns"),
            });
        }
        let event = match decoder.event() {
            Ok(Some(event)) => event,
            Ok(None) => continue,
            Err(error) if error.is_invalid_utf8() => {
                // The length stands before the text, and is looked at first (CAN-8).
                let length = Reader { data: bytes, pos: start }.string_length();
                head.truncate(0);
                write_string_head(&mut head, length);
                let shortest = bytes[start..].starts_with(head.as_bytes());
                return Err(if shortest { error } else { not_canonical(start, LENGTH) });
            }
            Err(error) => return Err(error),
        };
        if let (Some(Some(order)), false) = (frames.last_mut(), event == Event::End) {
            order.starts(start);
        }
        head.truncate(0);
        let what = match event {
            Event::Null | Event::Bool(_) => "",
            Event::Int(int) => {
                head.int(int);
                "an int that is not in its shortest form"
            }
            Event::Float(f) => {
                write_float(&mut head, f);
                "a float that is not in its preferred form"
            }
            Event::String(text) => {
                write_string_head(&mut head, text.len());
                LENGTH
            }
            Event::Bytes(bytes) => {
                head.long_head(tag::BYTES, bytes.len());
                LENGTH
            }
            Event::List(Some(n)) => {
                head.list_head(n);
                frames.push(None);
                "a count that is not in its shortest form"
            }
            Event::Map(Some(n)) => {
                head.map_head(n);
                frames.push(Some(Order::default()));
                "a count that is not in its shortest form"
            }
            Event::List(None) | Event::Map(None) => {
                return Err(not_canonical(start, "an open list or map"));
            }
            Event::Some => {
                let needed = matches!(bytes.get(start + 1), None | Some(&(tag::NULL | tag::SOME)));
                if !needed {
                    return Err(not_canonical(start, "a some that tells nothing apart"));
                }
                frames.push(None);
                ""
            }
            Event::Ext(ext_type) => {
                head.pos(ext_type);
                if !bytes[start + 1..].starts_with(head.as_bytes()) {
                    return Err(not_canonical(start + 1, "an ext type that is not in its shortest form"));
                }
                head.truncate(0);
                frames.push(None);
                ""
            }
            Event::End => {
                frames.pop();
                ""
            }
        };
        if !bytes[start..].starts_with(head.as_bytes()) {
            return Err(not_canonical(start, what));
        }
        let end = decoder.position();
        let opened = matches!(event, Event::List(_) | Event::Map(_) | Event::Ext(_) | Event::Some);
        if let (Some(Some(order)), false) = (frames.last_mut(), opened) {
            order.ends(bytes, end)?;
        }
        if frames.is_empty() {
            return Ok(end);
        }
    }
}

const LENGTH: &str = "a length that is not in its shortest form";

fn write_string_head(out: &mut Output, n: usize) {
    match n {
        0..=tag::STR_INLINE_MAX => out.byte(tag::STR_INLINE + n as u8),
        _ => out.long_head(tag::STR, n),
    }
}

/// The order of the keys of one map that is being checked.
#[derive(Default)]
struct Order {
    before: Option<keys::Range>,
    key_start: usize,
    value_due: bool,
}

impl Order {
    fn starts(&mut self, start: usize) {
        if !self.value_due {
            self.key_start = start;
        }
    }

    fn ends(&mut self, bytes: &[u8], end: usize) -> Result<()> {
        let start = self.key_start;
        self.value_due = !self.value_due;
        if !self.value_due {
            return Ok(());
        }
        match self.before.replace((start, end)) {
            Some(before) => match bytes[before.0..before.1].cmp(&bytes[start..end]) {
                Ordering::Less => Ok(()),
                Ordering::Equal => Err(keys::duplicate(start)),
                Ordering::Greater => {
                    Err(not_canonical(start, "a key that is smaller than the one before it"))
                }
            },
            None => Ok(()),
        }
    }
}

#[cold]
fn not_canonical(offset: usize, what: &'static str) -> Error {
    let message: Cow<'static, str> = alloc::format!("not canonical: {what}").into();
    Error::new(Code::NotCanonical, offset, message)
}
