//! Checking documents for the canonical form (CAN-8).

use super::write_float;
use crate::config::Config;
use crate::decode::{Decoder, Event};
use crate::error::{Code, Error, Result};
use crate::keys;
use crate::read::Reader;
use crate::tag;
use crate::write::Output;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Ordering;

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
