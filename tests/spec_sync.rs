//! Do SPEC.md, the vectors and the code say the same?
//!
//! Every rule has vectors and every label that is cited exists; the tag table is the one of `tag.rs`;
//! every example of SPEC.md runs; the names of errors are those of the crate; constants of the wire
//! stand in one file.
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use support::{code_of, read, reference, sources, unhex, vectors};
use wbin::{Category, Config, Value, diag, tag};

fn spec() -> String {
    read("SPEC.md")
}

/// The lines of a numbered chapter.
fn chapter(number: u32) -> Vec<String> {
    let start = format!("## {number}. ");
    let lines: Vec<String> = spec()
        .lines()
        .skip_while(|line| !line.starts_with(&start))
        .enumerate()
        .take_while(|(at, line)| *at == 0 || !line.starts_with("## "))
        .map(|(_, line)| line.to_string())
        .collect();
    assert!(lines.len() > 3, "SPEC.md has no chapter {number}");
    lines
}

/// The rows of the tables in a chapter that have so many columns, without their heads.
fn rows(number: u32, columns: usize) -> Vec<Vec<String>> {
    let lines = chapter(number);
    let table = lines.iter().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let rows = table.map(|row| row.split(" | ").map(|cell| cell.trim().to_string()).collect::<Vec<_>>());
    let rows: Vec<_> = rows.filter(|row| row.len() == columns).skip(1).collect();
    assert!(!rows.is_empty(), "chapter {number} has no table of {columns} columns");
    rows
}

/// What stands between backquotes.
fn quoted(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`')
}

/// Labels such as `INT-1` in a text, with the lines where they stand.
fn labels(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        for word in line.split(|c: char| !is_part(c)) {
            let Some((letters, digits)) = word.split_once('-') else {
                continue;
            };
            let is_label = letters.len() == 3
                && letters.bytes().all(|byte| byte.is_ascii_uppercase())
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            if is_label && word != "UTF-8" {
                found.push((word.to_string(), number + 1));
            }
        }
    }
    found
}

/// The labels that SPEC.md defines, in bold at the beginning of a paragraph.
fn defined() -> BTreeSet<String> {
    let text = spec();
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let label = line.strip_prefix("**").and_then(|rest| rest.split_once("**"));
        if let Some((label, _)) = label {
            assert!(found.insert(label.to_string()), "{label} is defined twice");
        }
    }
    assert!(found.len() > 100, "{} labels", found.len());
    found
}

#[test]
fn every_rule_has_a_vector_and_every_vector_a_rule() {
    let defined = defined();
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for (id, rules) in vectors::all().iter().chain(&vectors::selftest()).flat_map(|file| &file.rules) {
        assert!(!rules.is_empty(), "{id} is about nothing");
        for rule in rules {
            assert!(defined.contains(rule), "{id} is about {rule}, which SPEC.md does not have");
        }
    }
    for (_, rules) in vectors::all().iter().flat_map(|file| &file.rules) {
        for rule in rules {
            *used.entry(rule.clone()).or_default() += 1;
        }
    }
    let without: Vec<_> = defined.iter().filter(|label| !used.contains_key(*label)).collect();
    assert!(without.is_empty(), "no vector is about {without:?}");
}

#[test]
fn labels_are_numbered_without_gaps() {
    let mut numbers: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for label in defined() {
        let (letters, digits) = label.split_once('-').expect("a label");
        numbers.entry(letters.to_string()).or_default().push(digits.parse().expect("a number"));
    }
    for (letters, mut found) in numbers {
        found.sort_unstable();
        let expected: Vec<u32> = (1..=found.len() as u32).collect();
        assert_eq!(found, expected, "{letters}");
    }
}

#[test]
fn labels_that_are_cited_exist() {
    let defined = defined();
    let mut unknown = Vec::new();
    let mut cited = 0;
    let spec = [("SPEC.md".to_string(), spec())];
    for (name, text) in spec.into_iter().chain(sources()) {
        for (label, line) in labels(&text) {
            cited += 1;
            if !defined.contains(&label) {
                unknown.push(format!("{name}:{line}: {label}"));
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(cited > 200, "{cited} labels are cited");
}

/// `A0–A7`, or `B6` alone.
fn tags_of(cell: &str) -> std::ops::RangeInclusive<u8> {
    let byte = |digits: &str| u8::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("{cell} is no tag"));
    match cell.split_once('–') {
        Some((first, last)) => byte(first)..=byte(last),
        None => byte(cell)..=byte(cell),
    }
}

#[test]
fn the_tag_table_is_that_of_the_code() {
    let mut names: BTreeMap<u8, String> = BTreeMap::new();
    for row in rows(4, 4) {
        if row[0].starts_with('-') {
            continue;
        }
        for byte in tags_of(&row[0]) {
            let before = names.insert(byte, row[1].clone());
            assert_eq!(before, None, "{byte:02X} is in two rows");
        }
    }
    for byte in 0..=255 {
        let name = names.get(&byte).unwrap_or_else(|| panic!("{byte:02X} is in no row"));
        assert_eq!(tag::Class::of(byte).name(), name, "{byte:02X}");
    }
}

/// The constants of `tag.rs` are where the table has them.
#[test]
fn the_constants_are_those_of_the_table() {
    let constants = [
        ("int-inline-pos", 0, tag::INT_INLINE_MAX),
        ("str-inline", tag::STR_INLINE, tag::STR_INLINE + tag::STR_INLINE_MAX as u8),
        ("list-inline", tag::LIST_INLINE, tag::LIST_INLINE + tag::COUNT_INLINE_MAX as u8),
        ("map-inline", tag::MAP_INLINE, tag::MAP_INLINE + tag::COUNT_INLINE_MAX as u8),
        ("int-pos", tag::INT_POS, tag::INT_NEG - 1),
        ("int-neg", tag::INT_NEG, tag::DECIMAL - 1),
        ("decimal", tag::DECIMAL, tag::DECIMAL_LAST),
        ("float32", tag::FLOAT32, tag::FLOAT32),
        ("float64", tag::FLOAT64, tag::FLOAT64),
        ("null", tag::NULL, tag::NULL),
        ("false", tag::FALSE, tag::FALSE),
        ("true", tag::TRUE, tag::TRUE),
        ("some", tag::SOME, tag::SOME),
        ("int-pos-16", tag::INT_POS_16, tag::INT_POS_16),
        ("int-neg-16", tag::INT_NEG_16, tag::INT_NEG_16),
        ("end", tag::END, tag::END),
        ("ext", tag::EXT, tag::EXT),
        ("str", tag::STR, tag::STR + 3),
        ("bytes", tag::BYTES, tag::BYTES + 3),
        ("list", tag::LIST, tag::LIST + 3),
        ("map", tag::MAP, tag::MAP + 3),
        ("list-open", tag::LIST_OPEN, tag::LIST_OPEN),
        ("map-open", tag::MAP_OPEN, tag::MAP_OPEN),
        ("list-columns", tag::LIST_COLUMNS, tag::LIST_COLUMNS),
        ("map-columns", tag::MAP_COLUMNS, tag::MAP_COLUMNS),
        ("reserved", tag::RESERVED, tag::RESERVED_LAST),
        ("signature", tag::SIGNATURE_TAG, tag::SIGNATURE_TAG),
        ("int-inline-neg", tag::INT_INLINE_NEG, 0xFF),
    ];
    let table: Vec<_> = rows(4, 4).into_iter().filter(|row| !row[0].starts_with('-')).collect();
    assert_eq!(table.len(), constants.len());
    for (row, (name, first, last)) in table.iter().zip(constants) {
        assert_eq!((row[1].as_str(), tags_of(&row[0])), (name, first..=last));
    }
    assert_eq!(tag::SIGNATURE, [0xDF, 0x57, 0x42, 0x01]);
}

/// One line of an example.
enum Example {
    Value(String),
    Error(String, usize),
}

fn examples() -> Vec<(usize, Vec<u8>, Example)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in spec().lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```wbin";
            continue;
        }
        if !inside || line.trim().is_empty() {
            continue;
        }
        let is_hex = |c: char| c.is_ascii_hexdigit() || c == ' ';
        let digits = line.trim_end_matches(|c| !is_hex(c)).len().min(line.find(|c| !is_hex(c)).unwrap_or(0));
        let (bytes, rest) = (unhex(&line[..digits]), &line[digits..]);
        let what = match rest.split_at_checked(1) {
            Some(("=", text)) => Example::Value(text.trim().to_string()),
            Some(("!", text)) => {
                let (name, offset) = text.trim().split_once(" @").unwrap_or_else(|| panic!("{line}"));
                Example::Error(name.to_string(), offset.parse().unwrap_or_else(|_| panic!("{line}")))
            }
            _ => panic!("line {} of SPEC.md is no example: {line}", number + 1),
        };
        found.push((number + 1, bytes, what));
    }
    found
}

#[test]
fn examples_run() {
    let examples = examples();
    let (mut values, mut errors) = (0, 0);
    for (line, bytes, example) in &examples {
        let twin = reference::decode(bytes, 128);
        match example {
            Example::Value(text) => {
                values += 1;
                assert_eq!(diag::to_string(bytes).as_ref().ok(), Some(text), "line {line}");
                assert!(wbin::check(bytes).is_ok(), "line {line}");
                let tree = twin.unwrap_or_else(|faults| panic!("line {line}: {faults:?}"));
                let parsed = diag::parse(text).unwrap_or_else(|error| panic!("line {line}: {error}"));
                assert_eq!(parsed, reference::preferred(&tree), "line {line}");
                if !tree.has_some() {
                    let value =
                        Value::from_slice(bytes).unwrap_or_else(|error| panic!("line {line}: {error}"));
                    assert_eq!(value.to_string(), *text, "line {line}");
                }
            }
            Example::Error(name, offset) => {
                errors += 1;
                let expected = (name.as_str(), Some(*offset));
                let faults = twin.expect_err("a fault that the twin does not see");
                assert_eq!(faults, [(faults[0].0, *offset)], "line {line}");
                assert_eq!(faults[0].0, name, "line {line}");
                for result in [
                    wbin::check(bytes),
                    Value::from_slice(bytes).map(drop),
                    wbin::from_slice::<Value<'_>>(bytes).map(drop),
                    wbin::from_slice::<support::Tree>(bytes).map(drop),
                ] {
                    let error = result.expect_err("a fault that the crate does not see");
                    assert_eq!((error.name(), error.offset()), expected, "line {line}");
                }
            }
        }
    }
    println!("{values} values, {errors} errors");
    assert!(values >= 118 && errors >= 67, "{values} values, {errors} errors");
}

#[test]
fn the_table_of_canonical_documents_runs() {
    let rows = rows(20, 4);
    let mut seen = 0;
    for row in &rows {
        let Some(digits) = quoted(&row[0]) else {
            continue;
        };
        seen += 1;
        let bytes = unhex(digits);
        let answer = |result: wbin::Result<()>| match result {
            Ok(()) => "accepted".to_string(),
            Err(error) => format!("`{}`", error.name()),
        };
        assert_eq!(answer(wbin::check(&bytes)), row[2], "{digits}");
        assert_eq!(answer(Value::from_slice(&bytes).map(drop)), row[2], "{digits}");
        assert_eq!(answer(wbin::canonical::check(&bytes)), row[3], "{digits}, strict");
        assert_eq!(answer(Config::new().strict(true).check(&bytes)), row[3], "{digits}, strict");
        let canonical = wbin::canonical::to_canonical(&bytes).is_ok_and(|form| form == bytes);
        assert_eq!(canonical, row[1] == "yes", "{digits}");
        let twin = reference::decode(&bytes, 128).ok().and_then(|tree| reference::canonical(&tree));
        assert_eq!(twin.is_some_and(|form| form == bytes), row[1] == "yes", "{digits}, by the twin");
    }
    assert!(seen >= 40, "{seen} rows");
}

/// The table of the chapter about JSON.
#[cfg(feature = "json")]
#[test]
fn the_table_of_json_runs() {
    let mut seen = 0;
    for row in rows(23, 2) {
        let (Some(notation), Some(text)) = (quoted(&row[0]), quoted(&row[1])) else {
            continue;
        };
        seen += 1;
        let bytes = diag::parse(notation).unwrap_or_else(|error| panic!("{notation}: {error}"));
        let value = Value::from_slice(&bytes).unwrap_or_else(|error| panic!("{notation}: {error}"));
        let written = serde_json::to_string(&wbin::json::Json::new(&value)).expect("JSON");
        let compact: String = text.chars().filter(|c| *c != ' ').collect();
        assert_eq!(written, compact, "{notation}");
        let read: Value<'_> = serde_json::from_str(text).expect("JSON");
        assert_eq!(wbin::json::resolve(read).expect("a value"), value, "{notation}");
    }
    assert!(seen >= 12, "{seen} rows");
}

/// Each name of the error chapter, and bytes (or a limit) that the crate refuses with it.
fn produced() -> Vec<wbin::Error> {
    let check = |digits: &str| wbin::check(&unhex(digits)).expect_err(digits);
    vec![
        check("A0"),
        check("D4"),
        check("81 D2 00"),
        check("BE"),
        check("81 DF"),
        check("DF 57 42 02 05"),
        check("BF B8 00"),
        check("05 05"),
        check("41 FF"),
        check("BD 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80"),
        check("92 01 00 01 00"),
        wbin::canonical::check(&unhex("A0 05")).expect_err("a long int"),
        Config::new().max_depth(0).check(&unhex("80")).expect_err("too deep"),
        Config::new().max_input(1).from_reader::<_, Vec<u8>>(&[0x81, 0x05][..]).expect_err("too long"),
    ]
}

#[test]
fn the_names_of_errors_are_those_of_the_code() {
    let table: BTreeMap<String, String> =
        rows(17, 4).iter().filter_map(|row| Some((quoted(&row[0])?.to_string(), row[1].clone()))).collect();
    let produced = produced();
    let names: BTreeSet<&str> = produced.iter().map(|error| error.name()).collect();
    assert_eq!(names, table.keys().map(String::as_str).collect());
    for error in &produced {
        let expected = match (error.name(), table[error.name()].as_str()) {
            ("truncated", "not well-formed") => Category::Truncated,
            (_, "not well-formed" | "not valid" | "not canonical") => Category::Syntax,
            (_, "limit") => Category::Limit,
            other => panic!("{other:?}"),
        };
        assert_eq!(error.category(), expected, "{}", error.name());
    }

    // Those of interfaces, which the text names after the table.
    let text = chapter(17).join(" ");
    let (_, interfaces) = text.split_once("Interfaces add errors of their own.").expect("the paragraph");
    let (interfaces, _) = interfaces.split_once("```").expect("the examples after it");
    let interfaces = interfaces.split('`').skip(1).step_by(2).map(str::to_string);
    let in_spec: BTreeSet<String> = table.into_keys().chain(interfaces).collect();

    let source = read("src/error.rs");
    let (_, source) = source.split_once("fn row(self)").expect("the table of error.rs");
    let (source, _) = source.split_once("\n    }\n").expect("its end");
    let mut in_code: BTreeSet<String> =
        source.split("=> (\"").skip(1).filter_map(|row| Some(row.split_once('"')?.0.to_string())).collect();
    // Texts are no documents: the names of their errors are not fixed (chapter 22).
    for own in ["notation", "json"] {
        assert!(in_code.remove(own), "{own} is gone: take it out here, too");
    }
    assert_eq!(in_code, in_spec);
}

#[test]
fn the_limits_are_those_of_the_code() {
    let rows = rows(18, 3);
    let limit = |what: &str| {
        let row = rows.iter().find(|row| row[0].starts_with(what)).unwrap_or_else(|| panic!("{what}"));
        row[2].clone()
    };
    assert_eq!(limit("depth, by default"), Config::DEFAULT_MAX_DEPTH.to_string());
    assert_eq!(limit("input of a stream reader"), "2^30 bytes (1 GiB)");
    assert_eq!(Config::DEFAULT_MAX_INPUT, 1 << 30);
    assert_eq!(limit("int"), "2^128-1");
    assert_eq!(wbin::Int::MAX.to_string(), u128::MAX.to_string());
    assert_eq!(wbin::Int::MIN.to_string(), i128::MIN.to_string());
}

#[test]
fn serde_has_29_types() {
    let numbers: Vec<String> = rows(24, 4).into_iter().map(|row| row[0].clone()).collect();
    let expected: Vec<String> = (1..=29).map(|number| number.to_string()).collect();
    assert_eq!(
        numbers.iter().filter(|cell| !cell.starts_with('-')).collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );
}

/// Hex literals of two digits above the small ints look like tags; these are none: file, literal, why.
const NO_TAGS: [(&str, &str, &str); 0] = [];

#[test]
fn constants_of_the_wire_stand_in_one_file() {
    let mut found = Vec::new();
    let mut allowed: BTreeSet<(&str, &str)> =
        NO_TAGS.iter().map(|(file, literal, _)| (*file, *literal)).collect();
    for (name, text) in sources() {
        if name == "tag.rs" {
            continue;
        }
        for (number, line) in code_of(&text).lines().enumerate() {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for literal in words.filter(|word| word.starts_with("0x") && word.len() == 4) {
                let value = u8::from_str_radix(&literal[2..], 16).expect("a hex literal");
                let known = NO_TAGS.iter().find(|(file, known, _)| *file == name && *known == literal);
                match known {
                    Some((file, literal, _)) => drop(allowed.remove(&(*file, *literal))),
                    // FF is the largest byte, whatever it is the end of.
                    None if value >= 0x40 && value != 0xFF => {
                        found.push(format!("src/{name}:{}: {literal}", number + 1))
                    }
                    None => {}
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(allowed.is_empty(), "no longer there: {allowed:?}");
}
