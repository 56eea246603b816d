//! Validity: everything that building a value would find wrong, without building it.

use crate::canonical::Form;
use crate::config::Config;
use crate::decode::{Decoder, Event};
use crate::error::{Error, Result};
use crate::keys::{self, Range};
use crate::read::Reader;
use alloc::vec::Vec;

/// Checks one value that fills `bytes`; gives how many levels it nests.
pub(crate) fn valid(bytes: &[u8], max_depth: u32) -> Result<u32> {
    let mut decoder = Decoder::with_depth(bytes, max_depth);
    let depth = value(&mut decoder, bytes)?;
    decoder.finish()?;
    Ok(depth)
}

/// Checks the value that a reader is at, and moves behind it; `depth_left` levels are allowed of the
/// `max_depth` in all. Gives how many levels it nests.
pub(crate) fn next(reader: &mut Reader<'_>, depth_left: u32, max_depth: u32) -> Result<u32> {
    let mut decoder = Decoder::resume(reader.data, reader.pos, depth_left, max_depth);
    let depth = value(&mut decoder, reader.data)?;
    reader.pos = decoder.position();
    Ok(depth)
}

/// Checks the next value; gives how many levels it nests.
fn value(decoder: &mut Decoder<'_>, bytes: &[u8]) -> Result<u32> {
    // The keys of all open maps, and for each open container where its own begin (`None`: no map).
    let mut all_keys: Vec<Range> = Vec::new();
    let mut frames: Vec<Option<(usize, bool)>> = Vec::new();
    let mut deepest = 0;
    loop {
        decoder.more()?; // passes over a signature
        let start = decoder.position();
        let Some(event) = decoder.event()? else {
            return Err(Error::truncated(start));
        };
        if event != Event::End {
            if let Some(Some((_, key_due @ true))) = frames.last_mut() {
                *key_due = false;
                all_keys.push((start, start));
            } else if let Some(Some((_, key_due))) = frames.last_mut() {
                *key_due = true;
                // The key before this value ended where the value begins.
                close_key(&mut all_keys, start);
            }
        }
        match event {
            Event::List(_) | Event::Ext(_) | Event::Some => frames.push(None),
            // The keys of a map in columns were told apart when it was opened.
            Event::Map(_) if decoder.is_in_columns() => frames.push(None),
            Event::Map(_) => frames.push(Some((all_keys.len(), true))),
            Event::End => {
                if let Some(Some((first, _))) = frames.pop() {
                    let own = &all_keys[first..];
                    if let Some(twice) = keys::find_duplicate(bytes, own, Form::Preferred) {
                        return Err(keys::duplicate(own[twice].0));
                    }
                    all_keys.truncate(first);
                }
            }
            _ => {}
        }
        deepest = deepest.max(frames.len() as u32);
        if frames.is_empty() {
            return Ok(deepest);
        }
    }
}

fn close_key(all_keys: &mut [Range], end: usize) {
    if let Some(key) = all_keys.last_mut() {
        key.1 = end;
    }
}

/// Checks that `bytes` are one valid document: well-formed, every string UTF-8, no key twice in a
/// map, nothing after the value (ERR-4).
///
/// ```
/// assert!(wbin::check(&[0x82, 0x01, 0x41, b'a']).is_ok());
/// assert_eq!(wbin::check(&[0x41, 0xFF]).unwrap_err().name(), "invalid-utf8");
/// ```
///
/// # Errors
///
/// The first fault, with its place; or that the value is nested deeper than 128 levels.
pub fn check(bytes: &[u8]) -> Result<()> {
    Config::new().check(bytes)
}

impl Config {
    /// [`check`](crate::check()) with these limits, and, if [strict](Config::strict), for the
    /// canonical form (CAN-1).
    ///
    /// # Errors
    ///
    /// The first fault, with its place; or that the value is nested deeper than the limit.
    pub fn check(&self, bytes: &[u8]) -> Result<()> {
        match self.is_strict() {
            true => crate::canonical::check_whole(bytes, self.get_max_depth()),
            false => valid(bytes, self.get_max_depth()).map(drop),
        }
    }
}
