//! The program's reader of JSON against `serde_json`, and against the writer. A part of the target `cli-json`
//! and of the program's own tests: `crate::json` is the program's in both.

use crate::json;
use crate::progress::Progress;
use serde_json::Value as Json;
use wbin::{Config, Value};

/// Any bytes as JSON text, and as a value that becomes text.
pub(crate) fn cli_json(bytes: &[u8]) {
    let read = json::read(bytes, &Progress::none());
    let other = serde_json::from_slice::<Json>(bytes);
    match (&read, &other) {
        (Ok(value), Ok(other)) => {
            if !has_long_number(bytes) {
                let other = wbin::json::from_json(other).expect("a value, as it is here");
                assert_eq!(form(&other), form(value), "serde_json reads another value");
            }
        }
        // serde_json has a limit of its own to the depth.
        (Ok(_), Err(error)) => assert!(error.to_string().contains("recursion limit"), "{error}"),
        (Err(fault), Ok(other)) => {
            let may_be = fault.what.starts_with("duplicate name") || has_long_number(bytes);
            assert!(may_be || wbin::json::from_json(other).is_err(), "{fault} in what serde_json reads");
        }
        (Err(_), Err(_)) => {}
    }
    match read {
        Ok(value) => written(&value),
        Err(fault) => {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64
                + bytes.iter().filter(|byte| **byte == b'\r').count() as u64;
            assert!((1..=lines + 1).contains(&fault.line), "{fault}");
            assert!((1..=bytes.len() as u64 + 1).contains(&fault.column), "{fault}");
        }
    }
    if let Ok(value) = Value::from_slice(bytes) {
        written(&value);
    }
}

/// What a value is, whatever the order of the names: whether `serde_json` keeps it is a feature.
fn form(value: &Value<'_>) -> Option<Vec<u8>> {
    value.to_vec_with(&Config::new().canonical(true)).ok()
}

/// Whether there may be an int of more than 64 bits, which `serde_json` takes for a float.
fn has_long_number(text: &[u8]) -> bool {
    text.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() > 18)
}

/// A value comes back from its text, with its entries in their order.
fn written(value: &Value<'_>) {
    let texts = [serde_json::to_string, serde_json::to_string_pretty];
    for text in texts.map(|write| write(&wbin::json::Json::new(value)).expect("a value has a text")) {
        let back = json::read(text.as_bytes(), &Progress::none());
        assert_eq!(back.as_ref(), Ok(value), "{text}");
    }
}

/// Every seed, without a nightly compiler.
#[cfg(test)]
#[test]
fn the_seeds_of_fuzzing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/cli-json");
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of seeds") {
        let path = entry.expect("an entry of the folder").path();
        println!("{}", path.display()); // shown where it fails
        cli_json(&std::fs::read(path).expect("a seed"));
        seeds += 1;
    }
    assert!(seeds > 40, "{seeds} seeds");
}
