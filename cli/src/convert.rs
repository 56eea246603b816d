//! `encode`, `decode` and `canon`.

use crate::args::{Canon, Common, Decode, Encode};
use crate::fail::Result;
use crate::io::Input;
use crate::json;
use crate::progress::Progress;
use crate::sequence::{bad, message, ranges};
use std::path::Path;
use wbin::{Config, Decoder};

pub(crate) fn encode(args: &Encode, common: &Common) -> Result<()> {
    args.out.refuse_terminal()?;
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("encoding", Some(input.bytes.len() as u64), common);
    let config = Config::new().canonical(args.canonical).plain(args.plain);
    let mut encoded = if args.signature { wbin::tag::SIGNATURE.to_vec() } else { Vec::new() };
    let lines = args.ndjson || is_ndjson(&args.file);
    let values = json::read_values(&input, lines, json::read, &progress, |value| {
        match value.to_vec_with(&config) {
            Ok(mut bytes) if encoded.is_empty() => encoded.append(&mut bytes),
            Ok(bytes) => encoded.extend_from_slice(&bytes),
            Err(error) => return Err(format!("{}: {}", error.name(), message(&error))),
        }
        Ok(())
    })?;
    if args.signature && values == 0 {
        return Err(input.bad("no value in it, and a signature needs one after it"));
    }
    drop(progress);
    let mut output = args.out.out.create()?;
    output.put(&encoded)?;
    output.finish_and_tell(&input, common, true)
}

/// Whether a file is named as one that has a value on each line.
pub(crate) fn is_ndjson(path: &Path) -> bool {
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
