//! Does `compare` tell the sizes that the formats have, best first, and why one is left out?

mod support;

use serde_json::Value;
use support::{Ran, folder, wbin};

/// What `compare --json` says about one file.
fn compared(ran: Ran) -> Value {
    let text = ran.ok_text();
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

fn format<'v>(comparison: &'v Value, name: &str) -> &'v Value {
    let formats = comparison["formats"].as_array().unwrap();
    formats.iter().find(|format| format["name"] == name).unwrap()
}

/// The bytes of JSON, MessagePack, CBOR, BSON, wbin and plain wbin; 0 for what is left out.
fn sizes(comparison: &Value) -> [u64; 6] {
    ["JSON", "MessagePack", "CBOR", "BSON", "wbin", "wbin --plain"]
        .map(|name| format(comparison, name)["bytes"].as_u64().unwrap_or_default())
}

fn compare(input: &str) -> Value {
    compared(wbin(&["compare", "-", "--json", "--time", "0"], input.as_bytes()))
}

#[test]
fn sizes_are_those_of_the_formats() {
    // By hand. A document of BSON is a length of 4 bytes, its fields and a 0; a field is a type, a name with a 0 and
    // what it holds, 4 bytes for these ints. A list is a document with indices for names.
    assert_eq!(sizes(&compare("[1, 2, 3]")), [7, 4, 4, 5 + 7 + 5 + 3 * 7, 4, 4]);
    assert_eq!(sizes(&compare("{\"value\": 5}")), [11, 8, 8, 5 + 7 + 5 + 7 + 4, 8, 8]);
    // A form is an object like any other.
    assert_eq!(sizes(&compare("{\"$wbin:bytes\": \"00ff\"}"))[0], 22);

    let orders = std::fs::read_to_string("../examples/data/orders.json").unwrap();
    let comparison = compare(&orders);
    let encoded = |args: &[&str]| wbin(args, orders.as_bytes()).ok().len() as u64;
    let [json, .., columns, plain] = sizes(&comparison);
    assert_eq!(columns, encoded(&["encode", "-"]));
    assert_eq!(plain, encoded(&["encode", "-", "--plain"]));
    assert_eq!(json, serde_json::from_str::<Value>(&orders).unwrap().to_string().len() as u64);
    assert_eq!(comparison["bytes"], orders.len());
    assert_eq!(comparison["values"], 1);
    for name in ["JSON", "BSON", "wbin"] {
        let times = ["encode_ns", "decode_ns"].map(|time| format(&comparison, name)[time].as_f64().unwrap());
        assert!(times.iter().all(|ns| *ns > 1000.0), "{comparison}");
    }
}

#[test]
fn each_line_is_a_value() {
    let lines = ["compare", "-", "--ndjson", "--json", "--time", "0"];
    let comparison = compared(wbin(&lines, b"[1]\n\n[2, 3]\n"));
    assert_eq!(comparison["values"], 2);
    assert_eq!(sizes(&comparison), [8, 5, 5, 2 * 17 + 3 * 7, 5, 5]);
    wbin(&lines, b"\n").fails(1, "standard input: no value in it");
    wbin(&lines, b"1\n[1,]\n")
        .fails(1, "standard input: a comma before a closing bracket at line 2, column 3 in [1]");
}

#[test]
fn what_cannot_hold_the_data_is_left_out() {
    let comparison = compare("[18446744073709551615]");
    assert_eq!(sizes(&comparison)[3], 0);
    let problem = format(&comparison, "BSON")["problem"].as_str().unwrap();
    assert!(problem.contains("18446744073709551615"), "{problem}");

    let text = wbin(&["compare", "-", "--ndjson", "-t", "0"], b"1\n[18446744073709551616]\n").ok_text();
    for name in ["JSON", "MessagePack", "BSON"] {
        assert!(text.contains(&format!("\n{name} is left out: value 2: ")), "{text}");
        assert!(!text.contains(&format!("\n{name}  ")), "{text}");
    }
    assert!(text.contains("\nCBOR  ") && text.contains("\nwbin  "), "{text}");
}

#[test]
fn tables_are_ranked_and_drawn() {
    let folder = folder();
    let paths = ["a.json", "b.ndjson"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let records: Vec<_> = (10..50).map(|i| format!("{{\"id\": {i}, \"name\": \"same\"}}")).collect();
    std::fs::write(&paths[0], format!("[{}]", records.join(","))).unwrap();
    std::fs::write(&paths[1], records.join("\n")).unwrap();
    let args = ["compare", &paths[0], &paths[1], "--time", "0"];
    let text = wbin(&args, b"").ok_text();
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(wbin(&[&args[..], &["--color", "always"]].concat(), b"").ok_text().contains("\u{1b}[36m█"));
    assert_eq!(text.matches("All go through serde").count(), 1, "{text}");
    assert!(text.contains("a.json: 1,081 bytes, 1 value, 5 rounds\n"), "{text}");
    assert!(text.contains("b.ndjson: 1,079 bytes, 40 values, 5 rounds\n"), "{text}");

    let tables: Vec<&str> = text.split("\n\n").filter(|part| part.contains(" of JSON\n")).collect();
    let titles: Vec<_> = tables.iter().map(|table| table.split(' ').next().unwrap()).collect();
    assert_eq!(titles, ["size", "encode", "decode", "size", "encode", "decode"], "{text}");
    for table in tables {
        let bars: Vec<_> = table.lines().skip(1).map(|line| line.matches('█').count()).collect();
        assert!(bars.len() == 6 && bars.is_sorted() && bars[5] == 32, "{table}");
        let json = table.lines().find(|line| line.starts_with("JSON ")).unwrap();
        assert!(json.contains(" 100.0 %  "), "{table}");
    }
}
