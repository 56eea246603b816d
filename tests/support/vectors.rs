//! The conformance vectors, as `tests/vectors/README.md` describes them.

use super::{path, unhex};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// The cases of one file.
pub(crate) enum Cases {
    Bytes(Vec<BytesCase>),
    Large(Vec<LargeCase>),
    Equality(Vec<EqualityCase>),
    Sequence(Vec<SequenceCase>),
    Diag(Vec<DiagCase>),
    Json(Vec<JsonCase>),
    Serde(Vec<SerdeCase>),
}

pub(crate) struct File {
    pub(crate) topic: String,
    pub(crate) cases: Cases,
    /// Of each case its id and the rules that it is about, in the order of the file.
    pub(crate) rules: Vec<(String, Vec<String>)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    format: String,
    spec_version: u32,
    topic: String,
    kind: String,
    cases: Vec<Json>,
}

/// What an error has to be.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    pub(crate) error: String,
    pub(crate) offset: usize,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Canonical,
    Noncanonical,
    Invalid,
    Limit,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    #[serde(rename = "type")]
    pub(crate) ext_type: String,
    pub(crate) valid: bool,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct BytesCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    pub(crate) hex: String,
    pub(crate) result: Outcome,
    pub(crate) value: Option<Json>,
    pub(crate) diag: Option<String>,
    pub(crate) canonical: Option<String>,
    pub(crate) preferred: Option<String>,
    pub(crate) canonical_error: Option<Expected>,
    pub(crate) look_through_error: Option<Expected>,
    pub(crate) error: Option<String>,
    pub(crate) offset: Option<usize>,
    pub(crate) well_formed: Option<bool>,
    pub(crate) strict_error: Option<String>,
    pub(crate) strict_offset: Option<usize>,
    pub(crate) max_depth: Option<u32>,
    pub(crate) max_input: Option<u64>,
    pub(crate) known: Option<Known>,
    pub(crate) note: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct LargeValue {
    pub(crate) kind: String,
    pub(crate) length: usize,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct LargeCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    pub(crate) parts: Vec<(String, usize)>,
    pub(crate) value: Option<LargeValue>,
    pub(crate) result: Outcome,
    pub(crate) canonical_parts: Option<Vec<(String, usize)>>,
    pub(crate) error: Option<String>,
    pub(crate) offset: Option<usize>,
    pub(crate) strict_offset: Option<usize>,
    pub(crate) note: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct EqualityCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) equal: bool,
    pub(crate) note: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct SequenceCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    pub(crate) hex: String,
    pub(crate) diags: Vec<String>,
    pub(crate) error: Option<String>,
    pub(crate) offset: Option<usize>,
    pub(crate) note: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiagCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    pub(crate) text: String,
    pub(crate) hex: Option<String>,
    pub(crate) printed: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) note: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Direction {
    Both,
    From,
    To,
    Read,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsonCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    pub(crate) json: String,
    pub(crate) hex: Option<String>,
    pub(crate) direction: Direction,
    pub(crate) error: Option<String>,
    pub(crate) needs: Option<String>,
    pub(crate) note: Option<String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct SerdeCase {
    pub(crate) id: String,
    pub(crate) rules: Vec<String>,
    #[serde(rename = "type")]
    pub(crate) type_name: String,
    pub(crate) hex: String,
    pub(crate) diag: String,
    pub(crate) direction: Direction,
    pub(crate) value: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) note: Option<String>,
}

impl BytesCase {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        unhex(&self.hex)
    }

    /// Whether default reading accepts it.
    pub(crate) fn accepted(&self) -> bool {
        matches!(self.result, Outcome::Canonical | Outcome::Noncanonical)
    }
}

/// Runs of bytes, written out.
pub(crate) fn join(parts: &[(String, usize)]) -> Vec<u8> {
    parts.iter().flat_map(|(piece, times)| unhex(piece).repeat(*times)).collect()
}

/// The vectors: every file beside the schema.
pub(crate) fn all() -> Vec<File> {
    folder("tests/vectors")
}

/// The cases that are wrong on purpose.
pub(crate) fn selftest() -> Vec<File> {
    folder("tests/vectors/selftest")
}

fn folder(relative: &str) -> Vec<File> {
    let entries = std::fs::read_dir(path(relative)).expect("the folder of the vectors");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry of a folder").file_name().into_string().expect("a name in UTF-8"))
        .filter(|name| name.ends_with(".json") && name != "schema.json")
        .collect();
    names.sort();
    names.iter().map(|name| file(&format!("{relative}/{name}"))).collect()
}

fn file(relative: &str) -> File {
    let raw: RawFile =
        serde_json::from_str(&super::read(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"));
    assert_eq!((raw.format.as_str(), raw.spec_version), ("wbin-vectors", 1), "{relative}");
    let text = |json: &Json| json.as_str().unwrap_or_else(|| panic!("{relative}: {json}")).to_string();
    let rules = raw.cases.iter().map(|case| {
        let rules = case["rules"].as_array().unwrap_or_else(|| panic!("{relative}: {case}"));
        (text(&case["id"]), rules.iter().map(text).collect())
    });
    let rules = rules.collect();
    let cases = match raw.kind.as_str() {
        "bytes" => Cases::Bytes(cases(relative, raw.cases)),
        "large" => Cases::Large(cases(relative, raw.cases)),
        "equality" => Cases::Equality(cases(relative, raw.cases)),
        "sequence" => Cases::Sequence(cases(relative, raw.cases)),
        "diag" => Cases::Diag(cases(relative, raw.cases)),
        "json" => Cases::Json(cases(relative, raw.cases)),
        "serde" => Cases::Serde(cases(relative, raw.cases)),
        other => panic!("{relative}: a kind of vectors that nothing here runs: {other}"),
    };
    File { topic: raw.topic, cases, rules }
}

fn cases<T: DeserializeOwned>(relative: &str, raw: Vec<Json>) -> Vec<T> {
    let read = |case: Json| {
        let id = case["id"].to_string();
        serde_json::from_value(case).unwrap_or_else(|error| panic!("{relative}, {id}: {error}"))
    };
    raw.into_iter().map(read).collect()
}
