//! Is the code laid out as it is meant to be? Modules know those below them only; serde stands apart;
//! nothing is unsafe; the standard library is asked for by its feature alone.

#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use std::collections::BTreeSet;
use support::{code_of, read, sources};

/// The modules from the lowest to the highest: each may name those before it and, within a level,
/// those beside it.
///
/// | level | what it is |
/// |---|---|
/// | wire | constants, errors, limits |
/// | numbers | ints and short decimals |
/// | bytes | the cursor over the input, the growing output |
/// | plain | heads and scalars |
/// | skip | passing over a value |
/// | walks | whole documents: encoding, decoding, checking, columns, comparing keys, the canonical form, and the values and raw values that encoders take and decoders give |
/// | views | what stands on the walks: the notation, cursors |
/// | serde | everything about serde |
const LEVELS: [(&str, &[&str]); 8] = [
    ("wire", &["tag", "error", "config"]),
    ("numbers", &["num"]),
    ("bytes", &["read", "write"]),
    ("plain", &["plain"]),
    ("skip", &["skip"]),
    ("walks", &["encode", "decode", "check", "columns", "keys", "value", "canonical", "raw"]),
    ("views", &["diag", "cursor"]),
    ("serde", &["serde"]),
];

/// Where a lower module names a higher one, and why it may: `file`, `module`.
const UPWARD: [(&str, &str, &str); 3] = [
    ("skip.rs", "columns", "the structure of columns is told in one place"),
    ("raw.rs", "diag", "`Debug` prints the notation"),
    ("value/walk.rs", "diag", "`Display` and `Debug` print the notation"),
];

fn level_of(module: &str) -> Option<usize> {
    LEVELS.iter().position(|(_, modules)| modules.contains(&module))
}

/// The first folder or file below `src` that a path belongs to.
fn module_of(file: &str) -> &str {
    file.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

/// The modules that code names after `crate::`, alone or in braces.
fn named(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = |text: &str| text.chars().take_while(|c| is_part(*c)).collect::<String>();
        match rest.strip_prefix('{') {
            None => drop(found.insert(word(rest))),
            Some(list) => {
                // The parts of the outermost braces.
                let mut depth = 0;
                let mut part = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => {
                            found.insert(word(part.trim()));
                            part.clear();
                            continue;
                        }
                        _ => {}
                    }
                    part.push(c);
                }
                found.insert(word(part.trim()));
            }
        }
    }
    found.retain(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    found
}

/// What the other tests stand on: code without comments and quotes, and the names in it.
#[test]
fn names_are_found() {
    let text = r##"
use crate::{error::{Code, Error}, read, serde::de::{self, Deserializer}};
use crate::num::Int; // crate::comment
fn f<'a>(c: char) -> &'a str {
    match c {
        '"' => "crate::quoted \" crate::still_quoted",
        '\\' => r#"crate::raw " crate::still_raw"#,
        '\'' => crate::diag::print(c),
        _ => crate::Error::name(),
    }
}
#[cfg(test)]
mod tests {
    use crate::check;
}
"##;
    let expected = ["diag", "error", "num", "read", "serde"];
    assert_eq!(named(&code_of(text)).into_iter().collect::<Vec<_>>(), expected);
    let gated_text = [
        "#[cfg(feature = \"std\")]",
        "fn f() {",
        "    if x {",
        "        std::a();",
        "    }",
        "}",
        "fn g() {",
        "    std::b();",
        "}",
    ];
    assert!(gated(&gated_text, 3) && !gated(&gated_text, 7));
}

#[test]
fn every_module_has_a_level() {
    let known: BTreeSet<&str> = LEVELS.iter().flat_map(|(_, modules)| modules.iter().copied()).collect();
    let files = sources();
    let present: BTreeSet<&str> =
        files.iter().map(|(file, _)| module_of(file)).filter(|module| *module != "lib").collect();
    assert_eq!(present, known);
}

#[test]
fn modules_know_those_below_only() {
    let mut wrong = Vec::new();
    let mut excused: BTreeSet<(&str, &str)> =
        UPWARD.iter().map(|(file, module, _)| (*file, *module)).collect();
    let mut seen = 0;
    for (file, text) in sources() {
        let module = module_of(&file);
        let Some(level) = level_of(module) else {
            continue; // lib.rs names them all
        };
        for name in named(&code_of(&text)) {
            let Some(other) = level_of(&name) else {
                continue; // an item of the crate's root, or a macro
            };
            seen += 1;
            if other > level {
                match UPWARD.iter().find(|(from, to, _)| *from == file && *to == name) {
                    Some((from, to, _)) => drop(excused.remove(&(*from, *to))),
                    None => wrong.push(format!("src/{file} names {name}, which is above it")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(excused.is_empty(), "no longer there: {excused:?}");
    assert!(seen > 80, "{seen} names were found; are they written in another way now?");
}

/// The items of the crate's root hide where they come from; modules name modules.
#[test]
fn modules_do_not_name_the_root() {
    for (file, text) in sources() {
        for (number, line) in code_of(&text).lines().enumerate() {
            let root = line
                .match_indices("crate::")
                .any(|(at, _)| line[at + "crate::".len()..].starts_with(|c: char| c.is_ascii_uppercase()));
            let macro_or_lib = line.contains("$crate::") || file == "lib.rs";
            assert!(!root || macro_or_lib, "src/{file}:{}: {line}", number + 1);
        }
    }
}

/// Lines outside of `src/serde` and `lib.rs` that name serde: a method each, behind the feature.
const SERDE: [(&str, &str); 2] = [
    (
        "encode.rs",
        "pub fn serialize<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> Result<&mut Encoder> {",
    ),
    ("raw.rs", "pub fn decode<'de, T: serde::Deserialize<'de>>(&'de self) -> Result<T> {"),
];

#[test]
fn serde_is_named_in_its_folder_only() {
    let mut excused: BTreeSet<(&str, &str)> = SERDE.into_iter().collect();
    for (file, text) in sources() {
        if file == "lib.rs" || module_of(&file) == "serde" {
            continue;
        }
        let code = code_of(&text);
        let lines: Vec<&str> = code.lines().collect();
        let originals: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if !line.split(|c| !is_part(c)).any(|word| word == "serde" || word == "serde_json") {
                continue;
            }
            let place = format!("src/{file}:{}: {line}", number + 1);
            let known = SERDE.iter().find(|(from, text)| *from == file && line.trim() == *text);
            let (from, text) = known.unwrap_or_else(|| panic!("{place}"));
            excused.remove(&(*from, *text));
            // Strings are blanked in `code`, so the original is asked for the feature.
            let gate = originals[..number].iter().rev().take_while(|line| line.starts_with("    #["));
            assert!(gate.into_iter().any(|line| line.trim() == "#[cfg(feature = \"serde\")]"), "{place}");
        }
    }
    assert!(excused.is_empty(), "no longer there: {excused:?}");
    // In lib.rs it is a module behind its feature.
    let lib = read("src/lib.rs");
    assert!(lib.contains("#[cfg(feature = \"serde\")]\nmod serde;"));
}

#[test]
fn nothing_is_unsafe() {
    assert!(read("src/lib.rs").lines().any(|line| line == "#![forbid(unsafe_code)]"));
    for (file, text) in sources() {
        let code = code_of(&text);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        assert!(!code.split(|c| !is_part(c)).any(|word| word == "unsafe"), "src/{file}");
    }
}

#[test]
fn std_is_asked_for_by_its_feature_only() {
    assert!(read("src/lib.rs").lines().any(|line| line == "#![no_std]"));
    let mut seen = 0;
    for (file, text) in sources() {
        let code = code_of(&text);
        let lines: Vec<&str> = code.lines().collect();
        let originals: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let mut before = "";
            let mut names_std = false;
            for word in line.split_inclusive(|c: char| !is_part(c)) {
                names_std |= word == "std:" && !before.ends_with("::");
                before = word;
            }
            if !names_std {
                continue;
            }
            seen += 1;
            assert!(
                gated(&originals, number),
                "src/{file}:{}: {line}\nstands behind no `#[cfg(feature = \"std\")]`",
                number + 1
            );
        }
    }
    assert!(seen > 5, "{seen} uses were found");
}

/// Whether a line stands in an item, block, field or statement that `#[cfg(feature = "std")]` (or the
/// same with more conditions) is written before: on the way out, each line with less indentation than
/// the last is what encloses it, and the attributes before it belong to it.
fn gated(lines: &[&str], number: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_gate = |line: &str| {
        let line = line.trim();
        line.starts_with("#[cfg(") && line.contains("feature = \"std\"") && !line.contains("not(")
    };
    let mut innermost = indent(lines[number]);
    let mut attributes = true;
    for line in lines[..number].iter().rev().filter(|line| !line.trim().is_empty()) {
        if indent(line) < innermost {
            innermost = indent(line);
            attributes = true;
            if is_gate(line) {
                return true;
            }
            continue;
        }
        if indent(line) > innermost {
            attributes = false;
            continue;
        }
        // Beside it: attributes and documentation right before it count, other things end them. A
        // closing bracket or the head of a `where` clause belongs to what is asked about.
        let text = line.trim();
        if attributes && is_gate(line) {
            return true;
        }
        attributes &= text.starts_with("#[") || text.starts_with("//");
    }
    false
}
