//! What the tests share: the vectors, a tree that holds every value, and the naive twin of the crate.
#![allow(dead_code)] // each test takes what it needs

pub(crate) mod alike;
pub(crate) mod columns;
pub(crate) mod loose;
pub(crate) mod reference;
pub(crate) mod strategy;
pub(crate) mod tree;
pub(crate) mod vectors;

use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;

pub(crate) use tree::Tree;

/// A reader that gives one byte at a time, and is interrupted before each.
pub(crate) struct OneByte<'a> {
    bytes: &'a [u8],
    interrupted: bool,
}

impl<'a> OneByte<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> OneByte<'a> {
        OneByte { bytes, interrupted: false }
    }
}

impl Read for OneByte<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        match (buf.first_mut(), self.bytes.split_first()) {
            (Some(slot), Some((byte, rest))) => {
                *slot = *byte;
                self.bytes = rest;
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}

/// A file of the repository.
pub(crate) fn path(relative: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(relative)
}

pub(crate) fn read(relative: &str) -> String {
    std::fs::read_to_string(path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
}

/// Every source file of the library, with its path below `src`; unit tests that have a file of their own are none.
pub(crate) fn sources() -> Vec<(String, String)> {
    fn visit(folder: PathBuf, name: &str, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let entry = entry.expect("an entry of a folder");
            let own = entry.file_name().into_string().expect("a name in UTF-8");
            let name = if name.is_empty() { own } else { format!("{name}/{own}") };
            if entry.path().is_dir() {
                visit(entry.path(), &name, found);
            } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
                let text = std::fs::read_to_string(entry.path()).expect("a source in UTF-8");
                found.push((name, text));
            }
        }
    }
    let mut found = Vec::new();
    visit(path("src"), "", &mut found);
    found.sort();
    assert!(found.len() > 20, "the sources are not where they were");
    found
}

/// The code of a source alone: comments and what stands in quotes are blanked, and the module of unit
/// tests, which is the last thing in a file, is cut off. Lines keep their numbers.
pub(crate) fn code_of(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut code = String::new();
    let mut rest = text;
    let blank = |part: &str| -> String { part.chars().map(|c| if c == '\n' { c } else { ' ' }).collect() };
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|after| after.len() - after.trim_start_matches('#').len());
        let is_name = code.ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(hashes) = raw.filter(|n| !is_name && rest[1 + n..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = 2 + hashes;
            rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
        } else if c == '"' {
            quoted(rest, '"')
        } else if c == '\'' && (rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'')) {
            quoted(rest, '\'')
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        code += &blank(&rest[..len]);
        rest = &rest[len..];
    }
    code
}

/// The length of what stands in quotes at the beginning of a text.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes from hex digits, with or without spaces between them.
pub(crate) fn unhex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        digits.chars().filter(|c| *c != ' ').map(|c| c.to_digit(16).expect("a hex digit")).collect();
    assert_eq!(digits.len() % 2, 0, "half a byte");
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}
