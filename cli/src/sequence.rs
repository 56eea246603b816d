//! The values of a file one after the other, and what is wrong with one of them.

use crate::fail::{Failure, Result};
use crate::io::Input;
use crate::walk::place_of;
use std::ops::Range;
use wbin::{Decoder, Error};

/// What an error says, without its name and without the offset in what was read.
pub(crate) fn message(error: &Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("not canonical: ").unwrap_or(&text);
    let suffix = error.offset().map(|offset| format!(" at byte {offset}"));
    suffix.and_then(|suffix| text.strip_suffix(&suffix)).unwrap_or(text).to_owned()
}

/// The failure that an error in an input is; `base` is the offset at which what was read began.
pub(crate) fn bad(input: &Input, error: &Error, base: usize) -> Failure {
    let message = message(error);
    let name = error.name();
    match error.offset() {
        None => input.bad(format_args!("{name}: {message}")),
        Some(offset) => {
            let offset = base + offset;
            let place = match name {
                "trailing-bytes" => String::new(),
                _ => place_of(&input.bytes, offset),
            };
            input.bad(format_args!("{name}: {message} at byte {offset}{place}"))
        }
    }
}

/// Where each of the values in an input stands, the signature left out. They are well-formed; after
/// the first that is not, nothing comes.
pub(crate) struct Ranges<'i> {
    input: &'i Input,
    decoder: Decoder<'i>,
    /// Whether no value was found yet: an input without any is as truncated as one that ends in one.
    first: bool,
    failed: bool,
}

pub(crate) fn ranges(input: &Input) -> Ranges<'_> {
    Ranges { input, decoder: Decoder::new(&input.bytes), first: true, failed: false }
}

impl Ranges<'_> {
    fn step(&mut self) -> wbin::Result<Option<Range<usize>>> {
        if !self.decoder.more()? && !self.first {
            return Ok(None);
        }
        self.first = false;
        let start = self.decoder.position();
        self.decoder.skip()?;
        Ok(Some(start..self.decoder.position()))
    }
}

impl Iterator for Ranges<'_> {
    type Item = Result<Range<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let step = self.step().map_err(|error| bad(self.input, &error, 0));
        self.failed = step.is_err();
        step.transpose()
    }
}
