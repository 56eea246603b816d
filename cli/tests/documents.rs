//! Are real documents the same after a round trip, through every command?

mod support;

use support::{documents, folder, minified, tokens, wbin};

#[test]
fn json_to_wbin_and_back_changes_no_bit() {
    for path in documents() {
        let original = std::fs::read(&path).unwrap();
        let encoded = wbin(&["encode".as_ref(), path.as_os_str()], b"").ok();
        assert!(encoded.len() < original.len(), "{path:?}");
        assert_eq!(wbin::check(&encoded).map_err(|error| error.to_string()), Ok(()), "{path:?}");
        let decoded = wbin(&["decode", "-"], &encoded).ok();
        let expected = tokens(&original);
        assert!(tokens(&decoded) == expected, "{path:?}");
        // Not `assert_eq`: nobody could read what it would print.
        assert!(decoded == (minified(&expected) + "\n").into_bytes(), "{path:?}");
        let pretty = wbin(&["decode", "-", "--pretty"], &encoded).ok();
        assert!(tokens(&pretty) == expected, "{path:?}");
        // What was decoded encodes to the same bytes.
        assert!(wbin(&["encode", "-"], &pretty).ok() == encoded, "{path:?}");
    }
}

#[test]
fn columns_change_no_value() {
    for path in documents() {
        let columns = wbin(&["encode".as_ref(), path.as_os_str()], b"").ok();
        let plain = wbin(&["encode".as_ref(), "--plain".as_ref(), path.as_os_str()], b"").ok();
        assert!(columns.len() <= plain.len(), "{path:?}");
        let decoded = wbin(&["decode", "-"], &columns).ok();
        assert!(wbin(&["decode", "-"], &plain).ok() == decoded, "{path:?}");
        if plain.len() > 100_000 {
            continue;
        }
        assert!(wbin(&["diag", "-"], &columns).ok() == wbin(&["diag", "-"], &plain).ok(), "{path:?}");
        assert!(wbin(&["canon", "-"], &columns).ok() == wbin(&["canon", "-"], &plain).ok(), "{path:?}");
        let get = |bytes: &[u8]| wbin(&["get", "-", ""], bytes).ok();
        assert!(get(&columns) == get(&plain), "{path:?}");
        let counts = |bytes: &[u8]| {
            let stats = wbin(&["stats", "-"], bytes).ok_text();
            let total = stats.lines().find(|line| line.starts_with("total")).unwrap();
            total.split_whitespace().nth(1).map(str::to_owned)
        };
        assert_eq!(counts(&columns), counts(&plain), "{path:?}");
    }
}

#[test]
fn diagnostic_notation_and_back_changes_no_value() {
    for path in documents() {
        let encoded = wbin(&["encode".as_ref(), path.as_os_str()], b"").ok();
        let canonical = wbin(&["canon", "-"], &encoded).ok();
        let text = wbin(&["diag", "-"], &encoded).ok();
        let pretty = wbin(&["diag", "--pretty", "-"], &encoded).ok();
        // The notation does not say what stood in columns; what is read from it has none.
        let plain = wbin(&["undiag", "-"], &text).ok();
        assert!(wbin(&["diag", "--reverse", "-"], &pretty).ok() == plain, "{path:?}");
        assert!(wbin(&["diag", "-"], &plain).ok() == text, "{path:?}");
        assert!(wbin(&["canon", "-"], &plain).ok() == canonical, "{path:?}");
    }
}

#[test]
fn the_canonical_form_is_one() {
    for path in documents() {
        let plain = wbin(&["encode".as_ref(), path.as_os_str()], b"").ok();
        let canonical = wbin(&["encode".as_ref(), "--canonical".as_ref(), path.as_os_str()], b"").ok();
        assert!(wbin(&["canon", "-"], &plain).ok() == canonical, "{path:?}");
        assert!(wbin(&["canon", "-"], &canonical).ok() == canonical, "{path:?}");
        let checked = wbin(&["check", "--canonical", "-"], &canonical).ok_text();
        assert!(checked.starts_with("standard input: ok, canonical, "), "{checked}");
    }
}

#[test]
fn inspect_shows_every_byte_and_stats_count_them() {
    for path in documents() {
        let encoded = wbin(&["encode".as_ref(), path.as_os_str()], b"").ok();
        if encoded.len() > 100_000 {
            continue;
        }
        let folder = folder();
        let file = folder.path().join("a.wbin");
        std::fs::write(&file, &encoded).unwrap();
        let shown = wbin(&["inspect".as_ref(), "--full".as_ref(), file.as_os_str()], b"").ok_text();
        let mut bytes = Vec::new();
        for line in shown.lines() {
            let (offset, rest) = line.split_at(8);
            assert_eq!(usize::from_str_radix(offset, 16), Ok(bytes.len()), "{line}");
            // The hex digits stand in the first 36 columns after the offset.
            let column: String = rest.chars().skip(2).take(36).collect();
            bytes.extend(column.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()));
        }
        assert!(bytes == encoded, "{path:?}");
        let stats = wbin(&["stats".as_ref(), file.as_os_str()], b"").ok_text();
        let total = stats.lines().find(|line| line.starts_with("total")).unwrap();
        assert!(total.ends_with("100.0 %"), "{total}");
    }
}

#[test]
fn ndjson_is_a_sequence_of_the_lines() {
    let mut lines = String::new();
    let mut parts = Vec::new();
    for path in documents() {
        let original = std::fs::read(&path).unwrap();
        if original.len() < 100_000 {
            lines += &(minified(&tokens(&original)) + "\n");
            parts.extend(wbin(&["encode".as_ref(), path.as_os_str()], b"").ok());
        }
    }
    let encoded = wbin(&["encode", "--ndjson", "-"], lines.as_bytes()).ok();
    assert!(encoded == parts);
    if !encoded.is_empty() {
        assert!(wbin(&["decode", "-"], &encoded).ok() == lines.into_bytes());
    }
}
