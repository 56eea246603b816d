//! Do errors name the file, the place and the reason, with the exit code that is documented?

mod support;

use support::{bytes_of, folder, unhex, wbin};

#[test]
fn json_errors_have_line_column_and_path() {
    let table: &[(&str, &str)] = &[
        ("", "the text ends before the value does at line 1, column 1"),
        ("[1, 2", "the text ends before the value does at line 1, column 6 in [2]"),
        ("{\"a\": 1\n \"b\": 2}", "expected a comma or a closing bracket at line 2, column 2 in .a"),
        ("[1,]", "a comma before a closing bracket at line 1, column 3 in [1]"),
        ("[1,,2]", "a comma where none can stand at line 1, column 4 in [1]"),
        ("{\"a\" 1}", "expected a colon at line 1, column 6 in .a"),
        ("{a: 1}", "expected a name in quotes or `}` at line 1, column 2"),
        ("[tru]", "expected `null`, `true` or `false` at line 1, column 2 in [0]"),
        ("[01]", "a malformed number at line 1, column 2 in [0]"),
        ("[NaN]", "expected a value at line 1, column 2 in [0]"),
        ("[1] // no", "JSON has no comments at line 1, column 5"),
        ("{} {}", "more text after the value (--ndjson reads one value on each line) at line 1, column 4"),
        ("[\"a\nb\"]", "a control character that is not escaped at line 1, column 4 in [0]"),
        ("[\"\\x\"]", "a malformed escape at line 1, column 3 in [0]"),
        ("[\"\\ud800\"]", "an escaped surrogate without its other half at line 1, column 3 in [0]"),
        (
            "{\"a\": [0, {\"b c\": 1e999}]}",
            "a number too large for a float at line 1, column 19 in .a[1][\"b c\"]",
        ),
        (
            "[-170141183460469231731687303715884105729]",
            "an int out of the range -2^127 to 2^128-1 at line 1, column 2 in [0]",
        ),
        (
            "[340282366920938463463374607431768211456]",
            "an int out of the range -2^127 to 2^128-1 at line 1, column 2 in [0]",
        ),
        ("{\"é\": {\"a\": 1,\n  \"b\": 2, \"a\": 3}}", "duplicate name \"a\" at line 2, column 11 in .é"),
        ("{\"a\": 1, \"\\u0061\": 2}", "duplicate name \"a\" at line 1, column 10"),
        (
            "[{\"$wbin:bytes\": \"00\"}, {\"$wbin:bytes\": \"0\"}]",
            "a malformed form: $wbin:bytes at line 1, column 25 in [1]",
        ),
        ("{\"a\": {\"$wbin:what\": 1}}", "a malformed form: $wbin:what at line 1, column 7 in .a"),
        (
            "{\"$wbin:map\": [[1, 2], [{\"$wbin:int\": \"1\"}, 3]]}",
            "a map has the same key twice at line 1, column 1",
        ),
    ];
    for (text, message) in table {
        wbin(&["encode", "-"], text.as_bytes()).fails(1, &format!("standard input: {message}"));
    }
    wbin(&["encode", "-"], b"[\"a\xFF\"]")
        .fails(1, "standard input: invalid UTF-8 data at line 1, column 4 in [0]");
}

#[test]
fn depth_of_json_is_that_of_values() {
    let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert_eq!(wbin(&["encode", "-"], nested(128).as_bytes()).ok().len(), 128);
    let ran = wbin(&["encode", "-"], nested(129).as_bytes());
    assert!(
        ran.stderr.starts_with(
            "error: standard input: nested deeper than the limit of 128 at line 1, column 129 in …[0]"
        ),
        "{}",
        ran.stderr
    );
    // A form of a scalar is no level of its own, that of an ext is one.
    let around = |n: usize, form: &str| "[".repeat(n) + form + &"]".repeat(n);
    for form in [r#"{"$wbin:float":"nan"}"#, r#"{"$wbin:int":"-170141183460469231731687303715884105728"}"#] {
        let encoded = wbin(&["encode", "-"], around(128, form).as_bytes()).ok();
        assert_eq!(wbin(&["decode", "-"], &encoded).ok_text(), around(128, form) + "\n");
    }
    let ext = r#"{"$wbin:ext":[5,{"$wbin:bytes":"00"}]}"#;
    let encoded = wbin(&["encode", "-"], around(127, ext).as_bytes()).ok();
    assert_eq!(wbin(&["decode", "-"], &encoded).ok_text(), around(127, ext) + "\n");
    let ran = wbin(&["encode", "-"], around(128, ext).as_bytes());
    assert!(
        ran.stderr.contains("nested deeper than the limit of 128 at line 1, column 129 in"),
        "{}",
        ran.stderr
    );
    // As deep as it gets, maps with keys that are no strings take three levels of JSON each.
    let deep = unhex(&("9105".repeat(128) + "05"));
    let json = wbin(&["decode", "-"], &deep).ok();
    assert_eq!(wbin(&["encode", "-"], &json).ok(), deep);
    let million = nested(1_000_000);
    assert_eq!(wbin(&["encode", "-"], million.as_bytes()).code, 1);
    assert_eq!(wbin(&["undiag", "-"], million.as_bytes()).code, 1);
    assert_eq!(wbin(&["inspect", "-"], &[0x81; 1_000_000]).code, 1);
}

#[test]
fn ndjson_errors_have_the_line_of_the_file() {
    let text = b"{\"a\": 1}\n\n[1, x]\n";
    wbin(&["encode", "--ndjson", "-"], text)
        .fails(1, "standard input: expected a value at line 3, column 5 in [1]");
    // A value does not go on in the next line.
    wbin(&["encode", "--ndjson", "-"], b"[1,\n2]\n")
        .fails(1, "standard input: the text ends before the value does at line 1, column 4 in [1]");
    let two_nans = b"1\n{\"$wbin:map\": [[{\"$wbin:float\": \"nan\"}, 1], [{\"$wbin:float\": \"7ff8000000000001\"}, 2]]}";
    assert_eq!(wbin(&["encode", "--ndjson", "-"], two_nans).ok().len(), 18);
    wbin(&["encode", "--ndjson", "--canonical", "-"], two_nans)
        .fails(1, "standard input: duplicate-key: a map has the same key twice at line 2");
}

#[test]
fn binary_errors_have_name_offset_and_path() {
    let table: &[(&str, &str)] = &[
        ("", "truncated: the input ends inside a value at byte 0"),
        ("8205a105", "truncated: the input ends inside a value at byte 2 in [1]"),
        ("d4", "reserved-tag: tag D4 is reserved at byte 0"),
        ("be", "unexpected-end: an end tag where no open list or map can end at byte 0"),
        ("81df574201", "bad-signature: a bad or misplaced signature at byte 1 in [0]"),
        ("df57420205", "unsupported-version: format version 2 is not supported at byte 0"),
        ("9141 61bfb800", "ext-type: an ext type is an int of 0 to 2^64-1 at byte 4 in .a"),
        ("9141 6181 41ff", "invalid-utf8: a string is not valid UTF-8 at byte 4 in .a[0]"),
        (
            "9141 6192 420a 61 01 420a 61 02",
            "duplicate-key: a map has the same key twice at byte 8 in .a[\"\\na\"]",
        ),
        ("92 8101 01 8101 02", "duplicate-key: a map has the same key twice at byte 4 in [[1]]"),
    ];
    for (hex, message) in table {
        let bytes = unhex(&hex.replace(' ', ""));
        for command in ["check", "decode"] {
            wbin(&[command, "-"], &bytes).fails(1, &format!("standard input: {message}"));
        }
        if !message.starts_with("duplicate") {
            for command in [&["canon", "-"][..], &["diag", "-"], &["stats", "-"], &["get", "-", "/x"]] {
                assert_eq!(wbin(command, &bytes).code, 1, "{command:?} {hex}");
            }
        }
    }
    wbin(&["check", "-"], &[5, 6]).fails(
        1,
        "standard input: trailing-bytes: bytes after the value at byte 1 (--sequence accepts several values)",
    );
    wbin(&["check", "--canonical", "-"], &unhex("92416201416102")).fails(
        1,
        "standard input: not-canonical: a key that is smaller than the one before it at byte 4 in .a",
    );
    wbin(&["check", "--sequence", "-"], &unhex("0581a1"))
        .fails(1, "standard input: truncated: the input ends inside a value at byte 2 in value 2, [0]");
    wbin(&["check", "--sequence", "--canonical", "-"], &unhex("0581a005")).fails(
        1,
        "standard input: not-canonical: an int that is not in its shortest form at byte 2 in value 2, [0]",
    );
}

#[test]
fn values_before_a_broken_one_are_there() {
    let ran = wbin(&["decode", "-"], &unhex("0541 61d4".replace(' ', "").as_str()));
    assert_eq!((ran.code, ran.text()), (1, "5\n\"a\"\n"));
    assert_eq!(ran.stderr, "error: standard input: reserved-tag: tag D4 is reserved at byte 3 in value 3\n");
}

#[test]
fn notation_errors_have_line_and_column() {
    wbin(&["undiag", "-"], b"[1,\n 2").fails(1, "standard input: expected `,` or `]` at line 2, column 3");
    wbin(&["diag", "--reverse", "-"], "[\"é\", x]".as_bytes())
        .fails(1, "standard input: expected a value at line 1, column 7");
    wbin(&["undiag", "-"], b"\"a\xFF\"").fails(1, "standard input: invalid UTF-8 data at line 1, column 3");
    assert_eq!(wbin(&["undiag", "-"], b"{1: 2, 1: 3}").code, 1);
}

#[test]
fn what_get_does_not_find() {
    let shop = bytes_of(r#"{"users": [{"name": "Ada"}, 5], "a/b": {}}"#);
    let table = [
        ("/nobody", "nothing at /nobody: the document is a map without the key \"nobody\""),
        ("/users/2/name", "nothing at /users/2/name: /users is a list of 2 items"),
        ("/users/01", "nothing at /users/01: /users is a list of 2 items"),
        ("/users/x", "nothing at /users/x: /users is a list, and \"x\" is no index"),
        ("/users/0/age", "nothing at /users/0/age: /users/0 is a map without the key \"age\""),
        ("/users/1/x", "nothing at /users/1/x: /users/1 is an int"),
        ("/a~1b/c~1d", "nothing at /a~1b/c~1d: /a~1b is a map without the key \"c/d\""),
    ];
    for (path, message) in table {
        wbin(&["get", "-", path], &shop).fails(1, &format!("standard input: {message}"));
    }
    let ran = wbin(&["get", "-", "users"], &shop);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("a path begins with `/`; did you mean `/users`?"), "{}", ran.stderr);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let ran = wbin(&["encode", "-"], b"{\"$wbin:\\u001b[31m\": 1}");
    assert_eq!(
        ran.stderr,
        "error: standard input: a malformed form: $wbin:\\u001b[31m at line 1, column 1\n"
    );
    let shown = wbin(&["inspect", "-"], b"\x44\xC2\x9B\x1B[").ok_text();
    assert!(shown.ends_with("str-inline \"\\u009b\\u001b[\"\n"), "{shown}");
}

#[test]
fn input_is_limited() {
    wbin(&["decode", "-", "--max-input", "3"], &[0x83, 1, 2, 3])
        .fails(1, "standard input: input-limit: larger than 3 bytes; --max-input allows more");
    assert_eq!(wbin(&["decode", "-", "--max-input", "4"], &[0x83, 1, 2, 3]).ok_text(), "[1,2,3]\n");
    let folder = folder();
    let path = folder.path().join("a.json");
    std::fs::write(&path, " ".repeat(2000)).unwrap();
    let ran = wbin(&["encode".as_ref(), path.as_os_str(), "--max-input=1k".as_ref()], b"");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.ends_with("a.json: input-limit: larger than 1,024 bytes; --max-input allows more\n"));
}

#[test]
fn usage_is_exit_code_2() {
    for args in [
        &[][..],
        &["encode"],
        &["nothing", "-"],
        &["decode", "-", "--what"],
        &["encode", "-", "--canonical", "--signature"],
        &["get", "-", "/a", "--raw", "--wbin"],
        &["diag", "-", "--reverse", "--pretty"],
        &["check", "-", "--quiet", "--verbose"],
        &["decode", "-", "--max-input", "much"],
        &["inspect", "-", "--color", "blue"],
    ] {
        let ran = wbin(args, b"5");
        assert_eq!((ran.code, ran.text()), (2, ""), "{args:?}");
        assert!(
            ran.stderr.contains("Usage: wbin") || ran.stderr.contains("--help"),
            "{args:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn help_has_examples_and_exit_codes() {
    let help = wbin(&["--help"], b"").ok_text();
    for code in [
        "0  it worked",
        "1  the input is bad",
        "2  the command line is wrong",
        "3  reading or writing failed",
    ] {
        assert!(help.contains(code), "{help}");
    }
    for command in ["encode", "decode", "inspect", "check", "canon", "get", "diag", "undiag", "stats"] {
        assert!(help.contains(&format!("  {command} ")), "{command}: {help}");
        let own = wbin(&[command, "--help"], b"").ok_text();
        assert!(own.contains(&format!("Examples:\n  wbin {command} ")), "{own}");
        assert!(
            own.contains(
                "Exit codes: 0 it worked, 1 the input is bad, 2 the command line is wrong, 3 reading"
            )
        );
        assert!(own.contains("`-` is the standard input"), "{own}");
        assert!(own.lines().all(|line| line.chars().count() <= 120), "{own}");
    }
    assert_eq!(wbin(&["--version"], b"").ok_text(), concat!("wbin ", env!("CARGO_PKG_VERSION"), "\n"));
}
