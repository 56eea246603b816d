//! `diag` and `undiag`.

use crate::args::{BinaryOut, Common, Diag, Undiag};
use crate::fail::Result;
use crate::io::Input;
use crate::progress::Progress;
use crate::sequence::{bad, message, ranges};
use crate::text::line_and_column;
use std::path::Path;
use wbin::diag as notation;

pub(crate) fn diag(args: &Diag, common: &Common) -> Result<()> {
    if args.reverse {
        return reverse(&args.file, &args.out, common);
    }
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("printing", Some(input.bytes.len() as u64), common);
    let mut output = args.out.out.create()?;
    for range in ranges(&input) {
        let range = range?;
        let (start, end) = (range.start, range.end);
        let bytes = &input.bytes[range];
        let text = match args.pretty {
            true => notation::to_string_pretty(bytes),
            false => notation::to_string(bytes),
        };
        output.put(text.map_err(|error| bad(&input, &error, start))?)?;
        output.put("\n")?;
        progress.reached(end as u64);
    }
    drop(progress);
    output.finish_and_tell(&input, common, false)
}

pub(crate) fn undiag(args: &Undiag, common: &Common) -> Result<()> {
    reverse(&args.file, &args.out, common)
}

fn reverse(file: &Path, out: &BinaryOut, common: &Common) -> Result<()> {
    out.refuse_terminal()?;
    let input = Input::read(file, common)?;
    let progress = Progress::start("encoding", None, common);
    let text = match std::str::from_utf8(&input.bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = String::from_utf8_lossy(&input.bytes[..error.valid_up_to()]);
            let (line, column) = line_and_column(&valid, valid.len());
            return Err(input.bad(format_args!("invalid UTF-8 data at line {line}, column {column}")));
        }
    };
    let encoded = notation::parse(text).map_err(|error| {
        let what = message(&error);
        match error.offset() {
            Some(offset) => {
                let (line, column) = line_and_column(text, offset);
                input.bad(format_args!("{what} at line {line}, column {column}"))
            }
            None => input.bad(format_args!("{}: {what}", error.name())),
        }
    })?;
    drop(progress);
    let mut output = out.out.create()?;
    output.put(&encoded)?;
    output.finish_and_tell(&input, common, false)
}
