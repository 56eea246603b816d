//! The canonical form: one encoding for each value (CAN-1).

mod check;
mod entries;
mod heads;

pub use check::check;
pub(crate) use check::{check_first, check_whole};

use crate::config::Config;
use crate::decode::{Decoder, SomeChain};
use crate::error::Result;
use crate::plain::Token;
use crate::tag;
use crate::write::Output;
use alloc::vec::Vec;
use entries::Entries;
use heads::{Heads, Written, opens};

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

/// The canonical form of all the values that stand in `bytes`, one after the other, as an encoder wrote them.
pub(crate) fn of_sequence(bytes: &[u8], max_depth: u32) -> Result<Vec<u8>> {
    let mut heads = Written::new(bytes, max_depth);
    let mut out = Output::with_capacity(bytes.len());
    while heads.more() {
        transcode(&mut heads, &mut out, Form::Canonical)?;
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

/// A container that is being written.
struct Frame {
    /// Values so far: twice the entries of a map.
    count: usize,
    /// Of a map that is to be sorted, how many entries the maps around it have so far.
    outer: Option<usize>,
}

/// Writes one value in a form.
fn transcode<'de>(heads: &mut impl Heads<'de>, out: &mut Output, form: Form) -> Result<()> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut entries = Entries::default();
    let mut open_counts = Vec::new().into_iter();
    let mut chain = SomeChain::default();
    loop {
        let (source, head) = heads.next()?;
        let is_end = matches!(head, Token::End);
        if let (Some(frame), false) = (frames.last_mut(), is_end) {
            if frame.outer.is_some() {
                entries.value_begins(out.len(), source, frame.count % 2 == 0);
            }
            frame.count += 1;
        }
        let mut open_count = |is_map: bool| {
            if let Some(n) = open_counts.next() {
                return Ok(n);
            }
            // The head stands before the values that it counts: look ahead, once for all that follow.
            open_counts = count_open(heads.entered(source)?, is_map)?.into_iter();
            Ok(open_counts.next().unwrap_or_default())
        };
        let mut outer = None;
        match head {
            Token::Null => out.byte(tag::NULL),
            Token::Bool(on) => out.bool(on),
            Token::Pos(u) => out.pos(u),
            Token::Neg(u) => out.neg(u),
            Token::Big(int) => out.int(int),
            Token::Float(f) if form != Form::Canonical => out.float(f),
            Token::Float(f) => write_float(out, f),
            Token::Str(text) => out.text(text),
            Token::Bytes(bytes) => out.bytes(bytes),
            Token::List(n) => out.list_head(n),
            Token::ListOpen => out.list_head(open_count(false)?),
            Token::Map(_) | Token::MapOpen => {
                out.map_head(match head {
                    Token::Map(n) => n,
                    _ => open_count(true)?,
                });
                outer = Some(entries.all.len()).filter(|_| form == Form::Canonical);
            }
            Token::Some => {
                if form != Form::Untyped && chain.counts(heads.document(), heads.position()) {
                    out.byte(tag::SOME);
                }
            }
            Token::Ext(ext_type) => out.ext_head(ext_type),
            // These come as if they stood in the plain layer.
            Token::ListColumns | Token::MapColumns => {}
            Token::End => {
                if let Some(Frame { outer: Some(outer), .. }) = frames.pop() {
                    entries.sort(outer, frames.len(), out)?;
                }
            }
        }
        if opens(&head) {
            frames.push(Frame { count: 0, outer });
        }
        if frames.is_empty() {
            return Ok(());
        }
    }
}

/// How many items or entries each open list and map has: of the one that `decoder` just entered, and of those that
/// follow in the document, in the order in which they begin.
fn count_open(mut decoder: Decoder<'_>, is_map: bool) -> Result<Vec<usize>> {
    let mut values = alloc::vec![(0, is_map)];
    // For each container that was entered its place among them, if it is open.
    let mut frames = alloc::vec![Some(0)];
    while decoder.depth() > 0 {
        let (_, head) = Heads::next(&mut decoder)?;
        if let (Some(Some(index)), false) = (frames.last(), matches!(head, Token::End)) {
            let (count, _) = &mut values[*index];
            *count += 1;
        }
        match head {
            Token::ListOpen | Token::MapOpen => {
                frames.push(Some(values.len()));
                values.push((0, matches!(head, Token::MapOpen)));
            }
            Token::End => drop(frames.pop()),
            _ if opens(&head) => frames.push(None),
            _ => {}
        }
    }
    Ok(values.into_iter().map(|(count, map)| if map { count / 2 } else { count }).collect())
}

fn write_float(out: &mut Output, f: f64) {
    if f.is_nan() {
        out.tag_uint(tag::FLOAT32, u64::from(NAN), 4);
    } else {
        out.float(f);
    }
}
