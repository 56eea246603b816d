//! Do the commands agree with the conformance vectors?

mod support;

use serde_json::Value;
use std::path::Path;
use support::{minified, tokens, unhex, wbin};

/// The cases of a kind, from all the files.
fn cases(kind: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: the vectors are not here");
        return Vec::new();
    };
    let mut cases = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.extension().is_some_and(|extension| extension == "json") {
            let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            if file["kind"] == kind {
                cases.extend(file["cases"].as_array().unwrap().iter().cloned());
            }
        }
    }
    // The limits are those of the program.
    cases.retain(|case| case.get("max_depth").is_none() && case.get("max_input").is_none());
    println!("{} cases of kind {kind}", cases.len());
    cases
}

fn hex(case: &Value) -> Vec<u8> {
    unhex(case["hex"].as_str().unwrap())
}

/// Whether an error has this name, and this offset if one is given.
fn reports(stderr: &str, name: &Value, offset: &Value) -> bool {
    let name = format!("error: standard input: {}: ", name.as_str().unwrap());
    let offset = offset.as_u64().map(|offset| format!(" at byte {offset}"));
    let place = offset.is_none_or(|offset| {
        stderr.trim_end().ends_with(&offset)
            || stderr.contains(&(offset.clone() + " "))
            || stderr.contains(&(offset + "\n"))
    });
    stderr.starts_with(&name) && place
}

#[test]
fn check_finds_the_faults() {
    for case in cases("bytes") {
        let bytes = hex(&case);
        let ran = wbin(&["check", "-"], &bytes);
        match case.get("error") {
            None => assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{case}"),
            Some(name) => {
                assert_eq!((ran.code, ran.text()), (1, ""), "{case}");
                assert!(reports(&ran.stderr, name, &case["offset"]), "{case}\n{}", ran.stderr);
            }
        }
        let strict = wbin(&["check", "--canonical", "-"], &bytes);
        assert_eq!(strict.code == 0, case["result"] == "canonical", "{case}\n{}", strict.stderr);
        let not_canonical = Value::from("not-canonical");
        let name = case.get("strict_error").or((case["result"] == "noncanonical").then_some(&not_canonical));
        if let Some(name) = name {
            assert!(reports(&strict.stderr, name, &case["strict_offset"]), "{case}\n{}", strict.stderr);
        }
    }
}

#[test]
fn inspect_shows_what_is_broken() {
    for case in cases("bytes") {
        let ran = wbin(&["inspect", "-"], &hex(&case));
        // Bytes after a value are the next value here.
        if case.get("error").is_some_and(|name| name != "trailing-bytes") {
            assert_eq!(ran.code, 1, "{case}");
            assert!(reports(&ran.stderr, &case["error"], &case["offset"]), "{case}\n{}", ran.stderr);
            let mark = case["error"].as_str().unwrap();
            assert!(ran.text().contains(mark), "{case}\n{}", ran.text());
        } else if case.get("error").is_none() {
            assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{case}");
        }
    }
}

#[test]
fn diag_and_canon_give_what_the_vectors_say() {
    for case in cases("bytes").into_iter().filter(|case| case.get("error").is_none()) {
        let bytes = hex(&case);
        if let Some(diag) = case["diag"].as_str() {
            assert_eq!(wbin(&["diag", "-"], &bytes).ok_text(), format!("{diag}\n"), "{case}");
        }
        let canon = wbin(&["canon", "-"], &bytes);
        match (case["canonical"].as_str(), &case["canonical_error"]) {
            (Some(canonical), _) => assert_eq!(canon.ok(), unhex(canonical), "{case}"),
            (None, error) => {
                assert_eq!(canon.code, 1, "{case}");
                assert!(
                    reports(&canon.stderr, &error["error"], &error["offset"]) || error.get("error").is_none()
                );
            }
        }
    }
}

#[test]
fn sequences_end_where_they_should() {
    for case in cases("sequence") {
        let ran = wbin(&["check", "--sequence", "-"], &hex(&case));
        match case.get("error") {
            None => {
                let n = case["diags"].as_array().unwrap().len();
                let values = if n == 1 { "1 value".to_owned() } else { format!("{n} values") };
                assert!(ran.ok_text().starts_with(&format!("standard input: ok, {values}, ")), "{case}");
            }
            Some(name) => {
                assert!(reports(&ran.stderr, name, &case["offset"]), "{case}\n{}", ran.stderr);
                let diag = wbin(&["diag", "-"], &hex(&case));
                let lines: Vec<_> = diag.text().lines().map(Value::from).collect();
                assert_eq!(Value::from(lines), case["diags"], "{case}");
                assert!(reports(&diag.stderr, name, &case["offset"]), "{case}\n{}", diag.stderr);
            }
        }
    }
}

#[test]
fn undiag_parses_the_notation() {
    for case in cases("diag") {
        let ran = wbin(&["undiag", "-"], case["text"].as_str().unwrap().as_bytes());
        match case.get("error") {
            None => assert_eq!(ran.ok(), hex(&case), "{case}"),
            Some(_) => assert_eq!((ran.code, ran.text()), (1, ""), "{case}"),
        }
    }
}

#[test]
fn json_maps_as_the_vectors_say() {
    for case in cases("json") {
        let refused = case.get("error").is_some();
        let json = case["json"].as_str();
        if case["direction"] != "to" {
            let ran = wbin(&["encode", "-"], json.unwrap().as_bytes());
            match refused {
                false => assert_eq!(ran.ok(), hex(&case), "{case}"),
                true => assert_eq!((ran.code, ran.text()), (1, ""), "{case}"),
            }
        }
        if case["direction"] != "from" {
            let ran = wbin(&["decode", "-"], &hex(&case));
            match refused {
                false => {
                    assert_eq!(ran.ok_text(), minified(&tokens(json.unwrap().as_bytes())) + "\n", "{case}")
                }
                true => assert_eq!((ran.code, ran.text()), (1, ""), "{case}"),
            }
        }
    }
}
