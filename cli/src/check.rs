//! `check`.

use crate::args::{Check, Common};
use crate::fail::{Failure, Result};
use crate::io::{Input, Output};
use crate::progress::Progress;
use crate::sequence::bad;
use crate::text::count;
use wbin::{Config, Decoder};

pub(crate) fn run(args: &Check, common: &Common) -> Result<()> {
    let input = Input::read(&args.file, common)?;
    let progress = Progress::start("checking", None, common);
    let config = Config::new().strict(args.canonical);
    let values = match args.sequence {
        true => Some(sequence(&input, &config)?),
        false => {
            config.check(&input.bytes).map_err(|error| match error.name() {
                "trailing-bytes" => with_hint(bad(&input, &error, 0)),
                _ => bad(&input, &error, 0),
            })?;
            None
        }
    };
    drop(progress);
    if common.quiet {
        return Ok(());
    }
    let canonical = if args.canonical { " canonical," } else { "" };
    let values = values.map(|n| format!(" {},", count(n, "value"))).unwrap_or_default();
    let size = count(input.bytes.len(), "byte");
    let mut output = Output::standard();
    output.put(format!("{}: ok,{canonical}{values} {size}\n", input.name))?;
    output.finish()
}

/// Checks each value of a sequence; gives how many there are.
fn sequence(input: &Input, config: &Config) -> Result<usize> {
    let bytes = input.bytes.as_slice();
    let mut decoder = Decoder::new(bytes);
    let mut values = 0;
    while decoder.more().map_err(|error| bad(input, &error, 0))? {
        let start = decoder.position();
        // To the end of the value, or of all if it has none: then the check says why.
        let end = decoder.skip().map(|()| decoder.position());
        let rest = &bytes[start..*end.as_ref().unwrap_or(&bytes.len())];
        config.check(rest).map_err(|error| bad(input, &error, start))?;
        end.map_err(|error| bad(input, &error, 0))?;
        values += 1;
    }
    Ok(values)
}

fn with_hint(failure: Failure) -> Failure {
    match failure {
        Failure::Input(text) => Failure::Input(format!("{text} (--sequence accepts several values)")),
        other => other,
    }
}
