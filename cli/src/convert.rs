//! `encode`, `decode` and `canon`.

use crate::args::{Canon, Common, Decode, Encode};
use crate::fail::Result;
use crate::io::Input;
use crate::json::{self, Fault};
use crate::progress::Progress;
use crate::sequence::{bad, message, ranges};
use std::path::Path;
use wbin::{Config, Decoder, Value};

pub(crate) fn encode(args: &Encode, common: &Common) -> Result<()> {
    args.out.refuse_terminal()?;
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("encoding", Some(input.bytes.len() as u64), common);
    let config = Config::new().canonical(args.canonical).plain(args.plain);
    let mut encoded = if args.signature { wbin::tag::SIGNATURE.to_vec() } else { Vec::new() };
    let mut add = |value: &Value<'_>| match value.to_vec_with(&config) {
        Ok(mut bytes) if encoded.is_empty() => {
            encoded.append(&mut bytes);
            Ok(())
        }
        Ok(bytes) => {
            encoded.extend_from_slice(&bytes);
            Ok(())
        }
        Err(error) => Err(format!("{}: {}", error.name(), message(&error))),
    };
    // A byte order mark is no part of the value.
    let text = input.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&input.bytes);
    if args.ndjson || is_ndjson(&args.file) {
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
            let value = json::read(line, &quiet)
                .map_err(|fault| input.bad(Fault { line: index as u64 + 1, ..fault }))?;
            add(&value).map_err(|what| input.bad(format_args!("{what} at line {}", index + 1)))?;
            values += 1;
        }
        if args.signature && values == 0 {
            return Err(input.bad("no value in it, and a signature needs one after it"));
        }
    } else {
        let value = json::read(text, &progress).map_err(|fault| input.bad(fault))?;
        add(&value).map_err(|what| input.bad(what))?;
    }
    drop(progress);
    let mut output = args.out.out.create()?;
    output.put(&encoded)?;
    output.finish_and_tell(&input, common, true)
}

/// Whether a file is named as one that has a value on each line.
fn is_ndjson(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|name| name.eq_ignore_ascii_case("ndjson") || name.eq_ignore_ascii_case("jsonl"))
}

pub(crate) fn decode(args: &Decode, common: &Common) -> Result<()> {
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("decoding", Some(input.bytes.len() as u64), common);
    let mut output = args.out.create()?;
    let mut decoder = Decoder::new(&input.bytes);
    loop {
        let value = decoder.value().map_err(|error| bad(&input, &error, 0))?;
        json::write(&mut output, &input, &value, args.pretty)?;
        progress.reached(decoder.position() as u64);
        if !decoder.more().map_err(|error| bad(&input, &error, 0))? {
            break;
        }
    }
    drop(progress);
    output.finish_and_tell(&input, common, false)
}

pub(crate) fn canon(args: &Canon, common: &Common) -> Result<()> {
    args.out.refuse_terminal()?;
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("rewriting", Some(input.bytes.len() as u64), common);
    let mut canonical = Vec::new();
    for range in ranges(&input) {
        let range = range?;
        let start = range.start;
        let bytes =
            Config::new().to_canonical(&input.bytes[range]).map_err(|error| bad(&input, &error, start))?;
        canonical.extend_from_slice(&bytes);
        progress.reached(start as u64);
    }
    drop(progress);
    let mut output = args.out.out.create()?;
    output.put(&canonical)?;
    output.finish_and_tell(&input, common, false)
}
