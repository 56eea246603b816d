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

/// Records: `{"id": 1000, "lang": "en", "score": 0.5, "note": ["a"]}` and its like.
fn records() -> String {
    let record = |i: usize| {
        let (lang, id) = (["en", "de"][i % 2], 1000 + 3 * i);
        let note = if i % 3 == 0 { format!(", \"note\": {}", ["[1]", "{}"][i % 2]) } else { String::new() };
        format!("{{\"id\": {id}, \"lang\": \"{lang}\", \"score\": {i}.5{note}}}")
    };
    let records: Vec<String> = (0..12).map(record).collect();
    format!("{{\"rows\": [{}], \"n\": 12}}", records.join(", "))
}

#[test]
fn inspect_shows_columns() {
    let bytes = unhex(
        "82 05 d203 d003 426964 446c616e67 446e6f7465 31a06524 9002 700200656e6465 02 11 05 00 03 05 81 06"
            .replace(' ', "")
            .as_str(),
    );
    let expected = "\
00000000  82                                   list-inline, 2 items
00000001  05                                     [0] int-inline-pos 5
00000002  d2 03                                  [1] list-columns, 3 items
00000004  d0 03 42 69 64 44 6c 61 6e 67 44  …      column table: 3 elements, 3 fields: \"id\" \"lang\" \"note\"
00000013  31 a0 65 24                                \"id\" column int: 3 elements, 2 bits each
00000017  90 02                                      \"lang\" column dictionary: 3 elements
00000019  70 02 00 65 6e 64 65                         entries column string: 2 elements, 1 bit each
00000020  02                                           indices, 1 bit each
00000021  11 05                                      \"note\" column sparse: 3 elements
00000023  00 03                                        column plain: 2 elements
00000025  05                                             [0] int-inline-pos 5
00000026  81                                             [1] list-inline, 1 item
00000027  06                                               [0] int-inline-pos 6
";
    assert_eq!(wbin(&["inspect", "-"], &bytes).ok_text(), expected);
    let full = wbin(&["inspect", "--full", "-"], &bytes).ok_text();
    assert!(
        full.contains("\n00000004  d0 03 42 69 64 44 6c 61 6e 67 44 6e")
            && full.contains("\n00000010  6f 74 65\n")
    );

    // What follows goes on as before; in a map by columns, and in columns in plain columns.
    let bytes = unhex("92 41 61 d3 01 30 05 00 00 04 d2 02 20 01 41 62 b8".replace(' ', "").as_str());
    let expected = "\
00000000  92                                   map-inline, 2 entries
00000001  41 61                                  key str-inline \"a\"
00000003  d3 01                                  map-columns, 1 entry
00000005  30 05 00                                 keys column int: 1 element, 1 bit each
00000008  00 04                                    values column plain: 1 element
0000000a  d2 02                                      [0] list-columns, 2 items
0000000c  20 01                                        column bool: 2 elements
0000000e  41 62                                  key str-inline \"b\"
00000010  b8                                     null
";
    assert_eq!(wbin(&["inspect", "-"], &bytes).ok_text(), expected);
    let others = unhex(
        "d2 04 e0 02 06 b1 02 3001 02 51 00000000 00000000 f0 01 b0 01 20 01".replace(' ', "").as_str(),
    );
    let expected = "\
00000000  d2 04                                list-columns, 4 items
00000002  e0 02 06                               column union: 4 elements, 1 bit each
00000005  b1 02                                    variant 0 column tuples: 2 elements
00000007  30 01 02                                   [0] column int: 2 elements, 1 bit each
0000000a  51 00 00 00 00 00 00 00 00                 [1] column float, 32 bits: 2 elements
00000013  f0 01                                    variant 1 column ext: 2 elements, type 1 (UUID)
00000015  b0 01                                      column lists of one length: 2 elements
00000017  20 01                                        column bool: 2 elements
";
    assert_eq!(wbin(&["inspect", "-"], &others).ok_text(), expected);
}

#[test]
fn inspect_shows_columns_up_to_an_error() {
    // The second value of the field "b" has a reserved tag; the field "c" is behind it.
    let bytes = unhex("d2 02 d0 03 4161 4162 4163 20 01 00 02 05 d4 20 01".replace(' ', "").as_str());
    let ran = wbin(&["inspect", "-"], &bytes);
    let expected = "\
00000000  d2 02                                list-columns, 2 items
00000002  d0 03 41 61 41 62 41 63                column table: 2 elements, 3 fields: \"a\" \"b\" \"c\"
0000000a  20 01                                    \"a\" column bool: 2 elements
0000000c  00 02                                    \"b\" column plain: 2 elements
0000000e  05                                         [0] int-inline-pos 5
0000000f  d4 20 01                                   ✗ reserved, 3 bytes left: reserved-tag at byte 15: tag D4 is reserved
";
    assert_eq!((ran.code, ran.text()), (1, expected));
    assert_eq!(ran.stderr, "error: standard input: reserved-tag: tag D4 is reserved at byte 15 in [1].b\n");
    // Of columns that do not hold together none is shown.
    let ran = wbin(&["inspect", "-"], &unhex("81d203300015"));
    assert_eq!(ran.code, 1);
    assert!(ran.text().starts_with("00000000  81"), "{}", ran.text());
    assert!(ran.text().contains("✗ "), "{}", ran.text());
    assert!(
        ran.stderr.contains("invalid-column: ") && ran.stderr.ends_with(" at byte 3 in [0]\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn every_command_reads_columns() {
    let json = records();
    let columns = wbin(&["encode", "-"], json.as_bytes()).ok();
    let plain = wbin(&["encode", "-", "--plain"], json.as_bytes()).ok();
    assert!(columns.len() < plain.len(), "{} {}", columns.len(), plain.len());
    let same = |args: &[&str]| {
        let from_plain = wbin(args, &plain).ok();
        assert_eq!(wbin(args, &columns).ok(), from_plain, "{args:?}");
        from_plain
    };
    assert_eq!(same(&["decode", "-"]), (json.replace(": ", ":").replace(", ", ",") + "\n").as_bytes());
    same(&["decode", "-", "--pretty"]);
    let notation = same(&["diag", "-"]);
    same(&["diag", "-", "--pretty"]);
    // The notation does not say what stood in columns; what is read from it has none.
    assert_eq!(wbin(&["undiag", "-"], &notation).ok(), plain);
    let canonical = same(&["canon", "-"]);
    wbin(&["check", "-", "--canonical"], &canonical).ok();
    assert_eq!(
        wbin(&["check", "-"], &columns).ok_text(),
        format!("standard input: ok, {} bytes\n", columns.len())
    );
    wbin(&["check", "-", "--canonical"], &columns)
        .fails(1, "standard input: not-canonical: a list or map by columns at byte 6 in .rows");
    for (pointer, json) in [
        ("/rows/3/id", "1009\n"),
        ("/rows/11/lang", "\"de\"\n"),
        ("/rows/4/score", "4.5\n"),
        ("/rows/0/note/0", "1\n"),
        ("/rows/9/note", "{}\n"),
        ("/rows/2", "{\"id\":1006,\"lang\":\"en\",\"score\":2.5}\n"),
        ("/n", "12\n"),
    ] {
        assert_eq!(same(&["get", "-", pointer]), json.as_bytes());
        same(&["get", "-", pointer, "--diag"]);
        same(&["get", "-", pointer, "--raw"]);
        let part = wbin(&["get", "-", pointer, "--wbin"], &columns).ok();
        assert_eq!(wbin(&["decode", "-"], &part).ok(), json.as_bytes());
    }
    same(&["get", "-", "/rows", "--pretty"]);
    let whole = wbin(&["get", "-", "/rows", "--wbin"], &columns).ok();
    assert_eq!(whole[0], 0xD2);
    wbin(&["get", "-", "/rows/2/note"], &columns)
        .fails(1, "standard input: nothing at /rows/2/note: /rows/2 is a map without the key \"note\"");
    wbin(&["get", "-", "/rows/12"], &columns)
        .fails(1, "standard input: nothing at /rows/12: /rows is a list of 12 items");
}

#[test]
fn stats_count_columns() {
    let bytes = unhex(
        "82 05 d203 d003 426964 446c616e67 446e6f7465 31a06524 9002 700200656e6465 02 11 05 00 03 05 81 06"
            .replace(' ', "")
            .as_str(),
    );
    let expected = "\
standard input: 40 bytes, 23 values, depth 4

type                     values        heads     payloads        bytes    share
int                           6            3            0            3    7.5 %
  int-inline-pos              3            3            0            3    7.5 %
  in columns                  3            0            0            0    0.0 %
string                       11            0            0            0    0.0 %
  in columns                 11            0            0            0    0.0 %
list                          3            4            0            4   10.0 %
  list-columns                1            2            0            2    5.0 %
  list-inline                 2            2            0            2    5.0 %
map                           3            0            0            0    0.0 %
  in columns                  3            0            0            0    0.0 %
columns                       0           25            8           33   82.5 %
total                        23           32            8           40  100.0 %

kind                    columns     elements        heads     payloads        bytes    share
plain                         1            2            2            0            2    5.0 %
sparse                        1            3            1            1            2    5.0 %
int                           1            3            3            1            4   10.0 %
string                        1            2            2            5            7   17.5 %
dictionary                    1            3            2            1            3    7.5 %
table                         1            3           15            0           15   37.5 %

keys: 3, 3 different; 13 bytes, 32.5 % of all
keys that stand elsewhere already: 0; 0 bytes, 0.0 % of all

longest strings
        bytes      at byte  text
            4            4  \"lang\" (in a key)
            4            4  \"note\" (in a key)
";
    assert_eq!(wbin(&["stats", "-", "--top", "2"], &bytes).ok_text(), expected);
    // As many values of each type, and as deep, as in the plain layer.
    let json = records();
    let types = |switch: &[&str]| {
        let encoded = wbin(&[&["encode", "-"], switch].concat(), json.as_bytes()).ok();
        let stats = wbin(&["stats", "-"], &encoded).ok_text();
        let depth = stats.lines().next().and_then(|line| line.split(", ").last()).map(str::to_owned);
        let types: Vec<_> = stats
            .lines()
            .skip(3)
            .take_while(|line| !line.is_empty())
            .filter(|line| !line.starts_with([' ', 'c']))
            .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
            .collect();
        (depth, types)
    };
    assert_eq!(types(&[]), types(&["--plain"]));
}
