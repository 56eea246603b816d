//! `get`.

use crate::args::{Common, Get};
use crate::fail::{Failure, Result};
use crate::io::Input;
use crate::json;
use crate::sequence::bad;
use crate::text::printable;
use wbin::{Cursor, Kind};

pub(crate) fn run(args: &Get, common: &Common) -> Result<()> {
    if args.wbin {
        args.out.refuse_terminal()?;
    }
    let input = Input::read(&args.file, common)?;
    let found = find(&input, &args.pointer)?;
    let fail = |error: wbin::Error| bad(&input, &error, 0);
    let kind = found.kind().map_err(fail)?;
    if args.raw && kind == Kind::Bytes {
        args.out.refuse_terminal()?;
    }
    let raw = found.raw().map_err(fail)?;
    let mut output = args.out.out.create()?;
    if args.wbin {
        output.put(raw.as_bytes())?;
    } else if args.raw && kind == Kind::Bytes {
        output.put(found.bytes().map_err(fail)?)?;
    } else if args.raw && kind == Kind::String {
        output.put(found.str().map_err(fail)?)?;
    } else if args.diag {
        let text = match args.pretty {
            true => wbin::diag::to_string_pretty(raw.as_bytes()),
            false => wbin::diag::to_string(raw.as_bytes()),
        };
        output.put(text.map_err(|error| bad(&input, &error, found.position()))?)?;
        output.put("\n")?;
    } else {
        let value = found.to_value().map_err(fail)?;
        json::write(&mut output, &input, &value, args.pretty)?;
    }
    output.finish()
}

/// The value at a pointer; where there is none, the failure tells how far it went.
fn find<'a>(input: &'a Input, pointer: &str) -> Result<Cursor<'a>> {
    let fail = |error: wbin::Error| bad(input, &error, 0);
    let root = Cursor::new(&input.bytes);
    if let Some(found) = root.pointer(pointer).map_err(fail)? {
        // The root is found without being looked at.
        found.kind().map_err(fail)?;
        return Ok(found);
    }
    let mut known = "";
    let mut last = root.clone();
    for (end, _) in pointer.char_indices().skip(1).filter(|(_, c)| *c == '/') {
        match root.pointer(&pointer[..end]).map_err(fail)? {
            Some(cursor) => (known, last) = (&pointer[..end], cursor),
            None => break,
        }
    }
    let step = pointer[known.len() + 1..].split('/').next().unwrap_or_default();
    let step = printable(&step.replace("~1", "/").replace("~0", "~"));
    let why = match last.kind().map_err(fail)? {
        Kind::Map => format!("is a map without the key \"{step}\""),
        Kind::List => {
            let len = last.items().map_err(fail)?.count();
            match step.parse::<usize>() {
                Ok(_) => format!("is a list of {}", crate::text::count(len, "item")),
                Err(_) => format!("is a list, and \"{step}\" is no index"),
            }
        }
        kind => format!("is {kind}"),
    };
    let known = match known {
        "" => "the document".to_owned(),
        known => printable(known),
    };
    Err(Failure::Input(format!("{}: nothing at {}: {known} {why}", input.name, printable(pointer))))
}
