//! Does every command print what it should, for small inputs?

mod support;

use support::{bytes_of, unhex, wbin};

#[test]
fn numbers_are_exact() {
    let table = [
        ("0", "00"),
        ("-1", "ff"),
        ("-0", "b600000080"),
        ("-0.0", "b600000080"),
        ("1.0", "b008"),
        ("1E0", "b008"),
        ("18446744073709551616", "bc00000000000000000100000000000000"),
        ("-18446744073709551616", "afffffffffffffffff"),
        ("-18446744073709551617", "bd00000000000000000100000000000000"),
        ("340282366920938463463374607431768211455", "bcffffffffffffffffffffffffffffffff"),
        ("-170141183460469231731687303715884105728", "bdffffffffffffffffffffffffffffff7f"),
        // Halfway cases, which need all the digits.
        ("9007199254740993.0", "b70000000000004043"),
        ("9007199254740993.00000000000000000000000000000001", "b70100000000004043"),
        ("2.2250738585072011e-308", "b7ffffffffffff0f00"),
        ("1.7976931348623158e308", "b7ffffffffffffef7f"),
        ("1e-400", "b000"),
        ("-1e-400", "b600000080"),
    ];
    for (json, hex) in table {
        let encoded = wbin(&["encode", "-"], json.as_bytes()).ok();
        // 2^53 is a float that binary32 holds, so its form is shorter than binary64.
        let expected = if json == "9007199254740993.0" {
            wbin::to_vec(&9007199254740992.0).unwrap()
        } else {
            unhex(hex)
        };
        assert_eq!(encoded, expected, "{json}");
    }
}

#[test]
fn forms_stand_for_what_json_cannot_hold() {
    let json = concat!(
        r#"{"$wbin:map":[[5,{"$wbin:bytes":"00ff"}],[{"$wbin:map":[["$wbin:x",1]]},{"$wbin:ext":[64,[{"$wbin:float":"nan"}]]}],"#,
        r#"[null,{"$wbin:int":"-170141183460469231731687303715884105728"}],[1.5,{"$wbin:float":"7ff8000000000001"}]]}"#
    );
    let encoded = wbin(&["encode", "-"], json.as_bytes()).ok();
    let notation = "{5: h'00ff', {\"$wbin:x\": 1}: ext(64, [nan]), null: -170141183460469231731687303715884105728, \
                    1.5: f64'7ff8000000000001'}\n";
    assert_eq!(wbin(&["diag", "-"], &encoded).ok_text(), notation);
    assert_eq!(wbin(&["decode", "-"], &encoded).ok_text(), format!("{json}\n"));
}

#[test]
fn encode_has_switches() {
    assert_eq!(wbin(&["encode", "-", "--signature"], b"5").ok(), unhex("df57420105"));
    assert_eq!(wbin(&["encode", "-", "--plain"], b"5").ok(), [5]);
    assert_eq!(wbin(&["encode", "-", "--canonical"], br#"{"b": 1, "a": 2}"#).ok(), unhex("92416102416201"));
    assert_eq!(wbin(&["encode", "-"], br#"{"b": 1, "a": 2}"#).ok(), unhex("92416201416102"));
    assert_eq!(wbin(&["encode", "-"], b"\xEF\xBB\xBF[]").ok(), [0x80]);
    let lines = b"{}\r\n\n[1]\n \n\"x\"";
    assert_eq!(wbin(&["encode", "-", "--ndjson"], lines).ok(), unhex("9081014178"));
    assert_eq!(wbin(&["encode", "-", "--ndjson", "--signature"], lines).ok(), unhex("df5742019081014178"));
    assert_eq!(wbin(&["encode", "-", "--ndjson"], b"\n").ok(), b"");
    wbin(&["encode", "-", "--ndjson", "--signature"], b"\n")
        .fails(1, "standard input: no value in it, and a signature needs one after it");
}

#[test]
fn decode_writes_a_line_for_each_value() {
    let sequence = unhex("df5742019081014178");
    assert_eq!(wbin(&["decode", "-"], &sequence).ok_text(), "{}\n[1]\n\"x\"\n");
    let pretty = wbin(&["decode", "-", "--pretty"], &bytes_of(r#"{"a": [1, 2.0]}"#)).ok_text();
    assert_eq!(pretty, "{\n  \"a\": [\n    1,\n    2.0\n  ]\n}\n");
}

#[test]
fn inspect_is_a_tree() {
    let bytes = unhex(
        "df574201 92 41 61 82 05 b079 42 c3a9 d0 bb b8 bf 03 82 a11305 fe be".replace(' ', "").as_str(),
    );
    let expected = "\
00000000  df 57 42 01                          signature version 1
00000004  92                                   map-inline, 2 entries
00000005  41 61                                  key str-inline \"a\"
00000007  82                                     list-inline, 2 items
00000008  05                                       [0] int-inline-pos 5
00000009  b0 79                                    [1] decimal 1.5
0000000b  42 c3 a9                               key str-inline \"é\"
0000000e  d0                                     list-open
0000000f  bb                                       [0] some
00000010  b8                                         null
00000011  bf 03                                    [1] ext, type 3 (decimal)
00000013  82                                         list-inline, 2 items
00000014  a1 13 05                                     [0] int-pos 1299
00000017  fe                                           [1] int-inline-neg -2
00000018  be                                     end
";
    assert_eq!(wbin(&["inspect", "-"], &bytes).ok_text(), expected);
}

#[test]
fn inspect_shows_what_is_before_an_error() {
    let ran = wbin(&["inspect", "-"], &unhex("9241610541ff06"));
    let expected = "\
00000000  92                                   map-inline, 2 entries
00000001  41 61                                  key str-inline \"a\"
00000003  05                                     int-inline-pos 5
00000004  41 ff 06                               ✗ str-inline, 3 bytes left: invalid-utf8 at byte 4: a string is not valid UTF-8
";
    assert_eq!((ran.code, ran.text()), (1, expected));
    assert_eq!(ran.stderr, "error: standard input: invalid-utf8: a string is not valid UTF-8 at byte 4\n");

    let ran = wbin(&["inspect", "-"], &unhex("93416101416202416103"));
    let expected = "\
00000000  93                                   map-inline, 3 entries
00000001  41 61                                  key str-inline \"a\"
00000003  01                                     int-inline-pos 1
00000004  41 62                                  key str-inline \"b\"
00000006  02                                     int-inline-pos 2
00000007  41 61                                  key str-inline \"a\"  ← duplicate-key: a map has the same key twice
00000009  03                                     int-inline-pos 3
";
    assert_eq!((ran.code, ran.text()), (1, expected));
    assert_eq!(
        ran.stderr,
        "error: standard input: duplicate-key: a map has the same key twice at byte 7 in .a\n"
    );
}

#[test]
fn inspect_shortens_and_colours() {
    let long = bytes_of(&format!("[\"{}\", h'{}']", "a".repeat(70), "00".repeat(300)));
    let shown = wbin(&["inspect", "-"], &long).ok_text();
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].ends_with(&format!("[0] str \"{}…\", 70 bytes", "a".repeat(48))), "{shown}");
    assert!(lines[2].ends_with(&format!("[1] bytes h'{}…', 300 bytes", "00".repeat(24))), "{shown}");
    let full = wbin(&["inspect", "-", "--full"], &long).ok_text();
    assert!(full.contains(&"a".repeat(70)) && full.contains(&"00".repeat(300)) && !full.contains('…'));

    let plain = wbin(&["inspect", "-"], &[5]).ok_text();
    assert_eq!(wbin(&["inspect", "-", "--color", "never"], &[5]).ok_text(), plain);
    let coloured = wbin(&["inspect", "-", "--color", "always"], &[5]).ok_text();
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn check_says_ok_or_nothing() {
    assert_eq!(wbin(&["check", "-"], &[5]).ok_text(), "standard input: ok, 1 byte\n");
    assert_eq!(
        wbin(&["check", "-", "--canonical"], &[0x81, 5]).ok_text(),
        "standard input: ok, canonical, 2 bytes\n"
    );
    assert_eq!(
        wbin(&["check", "-", "--sequence"], &[5, 6]).ok_text(),
        "standard input: ok, 2 values, 2 bytes\n"
    );
    assert_eq!(wbin(&["check", "-", "--sequence"], &[]).ok_text(), "standard input: ok, 0 values, 0 bytes\n");
    assert_eq!(wbin(&["check", "-", "--quiet"], &[5]).ok_text(), "");
}

#[test]
fn canon_rewrites_each_value() {
    assert_eq!(wbin(&["canon", "-"], &unhex("df574201924162014161a005")).ok(), unhex("92416105416201"));
    assert_eq!(wbin(&["canon", "-"], &unhex("a005d0a006be")).ok(), unhex("058106"));
    wbin(&["canon", "-"], &unhex("05 92b7010000000000f87f00b7000000000000f87f01".replace(' ', "").as_str()))
        .fails(1, "standard input: duplicate-key: a map has the same key twice at byte 12 in value 2, [nan]");
}

#[test]
fn get_takes_a_part() {
    let shop = bytes_of(
        r#"{"users": [{"name": "Ada"}, {"name": "Bob", "id": h'00ff'}], "": {"a/b": {"~": some(null)}}}"#,
    );
    let get = |args: &[&str]| wbin(&[&["get", "-"], args].concat(), &shop).ok_text();
    assert_eq!(get(&["/users/1/name"]), "\"Bob\"\n");
    assert_eq!(get(&["/users/1/name", "--raw"]), "Bob");
    assert_eq!(get(&["/users/0"]), "{\"name\":\"Ada\"}\n");
    assert_eq!(get(&["/users/0", "--pretty"]), "{\n  \"name\": \"Ada\"\n}\n");
    assert_eq!(get(&["/users/0", "--raw"]), "{\"name\":\"Ada\"}\n");
    assert_eq!(get(&["/users/1", "--diag"]), "{\"name\": \"Bob\", \"id\": h'00ff'}\n");
    assert_eq!(get(&["/users/1", "--diag", "--pretty"]), "{\n  \"name\": \"Bob\",\n  \"id\": h'00ff'\n}\n");
    assert_eq!(get(&["//a~1b/~0", "--diag"]), "some(null)\n");
    assert_eq!(get(&["//a~1b/~0"]), "null\n");
    assert_eq!(wbin(&["get", "-", "/users/1/id", "--raw"], &shop).ok(), [0, 0xFF]);
    assert_eq!(
        wbin(&["get", "-", "/users/1", "--wbin"], &shop).ok(),
        bytes_of("{\"name\": \"Bob\", \"id\": h'00ff'}")
    );
    assert_eq!(wbin(&["get", "-", "", "--wbin"], &shop).ok(), shop);
    assert_eq!(wbin(&["get", "-", "", "--wbin"], &unhex("df57420105")).ok(), [5]);
    // What stands after the part is not looked at.
    assert_eq!(wbin(&["get", "-", "/0"], &[0x82, 7, 0xD4]).ok_text(), "7\n");
}

#[test]
fn notation_goes_both_ways() {
    let notation = "{\"a\": [1, -0.0, nan], 5: ext(64, h'00')}";
    let bytes = bytes_of(notation);
    assert_eq!(wbin(&["diag", "-"], &bytes).ok_text(), format!("{notation}\n"));
    assert_eq!(wbin(&["undiag", "-"], notation.as_bytes()).ok(), bytes);
    let pretty = wbin(&["diag", "-", "--pretty"], &bytes).ok_text();
    assert!(pretty.lines().count() > 5);
    assert_eq!(wbin(&["diag", "-", "--reverse"], ("# so\n".to_owned() + &pretty).as_bytes()).ok(), bytes);
    assert_eq!(wbin(&["diag", "-"], &[5, 0xDF - 0x1F]).code, 1);
    assert_eq!(wbin(&["diag", "-"], &[5, 0x41, 0x61]).ok_text(), "5\n\"a\"\n");
}

#[test]
fn stats_add_up() {
    let shop = bytes_of(r#"[{"name": "Ada Lovelace", "n": 1.5}, {"name": "Bob", "n": 1000, [1]: null}]"#);
    let expected = "\
standard input: 42 bytes, 14 values, depth 3

type                     values        heads     payloads        bytes    share
null                          1            1            0            1    2.4 %
int                           2            2            2            4    9.5 %
  int-inline-pos              1            1            0            1    2.4 %
  int-pos                     1            1            2            3    7.1 %
float                         1            1            1            2    4.8 %
  decimal                     1            1            1            2    4.8 %
string                        6            6           25           31   73.8 %
  str-inline                  6            6           25           31   73.8 %
list                          2            2            0            2    4.8 %
  list-inline                 2            2            0            2    4.8 %
map                           2            2            0            2    4.8 %
  map-inline                  2            2            0            2    4.8 %
total                        14           14           28           42  100.0 %

keys: 5, 3 different; 16 bytes, 38.1 % of all
keys that stand elsewhere already: 2; 7 bytes, 16.7 % of all

repeated keys
        bytes        times  key
           10            2  \"name\"
            4            2  \"n\"

longest strings
        bytes      at byte  text
           12            7  \"Ada Lovelace\"
            4            2  \"name\" (in a key)
";
    assert_eq!(wbin(&["stats", "-", "--top", "2"], &shop).ok_text(), expected);
    let sequence = wbin(&["stats", "-"], &unhex("df57420105d101d002bebe")).ok_text();
    assert!(
        sequence.starts_with("standard input: 11 bytes, 5 values, 2 one after another, depth 2\n"),
        "{sequence}"
    );
    assert!(
        sequence
            .contains("\n  end                         0            1            0            1    9.1 %\n"),
        "{sequence}"
    );
    assert!(!sequence.contains("repeated keys\n") && !sequence.contains("longest strings"), "{sequence}");
}
