//! The workloads: seeded data that is the same on every machine and in every year, and real JSON documents.
//!
//! Each generator is tested against a recorded digest. Whoever changes one changes what the recorded figures mean.

use std::path::{Path, PathBuf};

use crate::value::Value;
use seeded::Data;

/// The data of the benches, typed and not.
#[path = "../../benches/data.rs"]
pub(crate) mod seeded;

/// One workload: documents that are encoded and decoded apart, one after the other.
pub struct Workload {
    /// What `--only` looks for.
    pub name: String,
    /// What the data is.
    pub about: String,
    /// Most workloads are one document.
    pub docs: Vec<Value>,
}

impl From<Data> for Value {
    fn from(data: Data) -> Value {
        match data {
            Data::Null => Value::Null,
            Data::Bool(on) => Value::Bool(on),
            Data::Int(n) => Value::I64(n),
            Data::Float(f) => Value::F64(f),
            Data::Text(text) => Value::String(text),
            Data::List(items) => Value::List(items.into_iter().map(Value::from).collect()),
            Data::Dict(entries) => {
                Value::Map(entries.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

/// The eight messages of S5.
fn messages() -> Vec<Value> {
    match seeded::rpc() {
        Data::List(messages) => messages.into_iter().map(Value::from).collect(),
        one => vec![one.into()],
    }
}

/// The seeded workloads, in the order of their names.
pub fn seeded() -> Vec<Workload> {
    let workload = |name: &str, about: &str, docs: Vec<Value>| Workload {
        name: name.to_owned(),
        about: about.to_owned(),
        docs,
    };
    vec![
        workload("S1", "the string \"foo bar baz\"", vec![seeded::string().into()]),
        workload("S2", "a map of 200 random floats", vec![seeded::dict().into()]),
        workload(
            "S3",
            "1,000 random items: ints, floats, strings, lists, maps",
            vec![seeded::mixed().into()],
        ),
        workload("S4", "a job of a queue", vec![seeded::job().into()]),
        workload("S5", "eight small call and reply messages, each encoded apart", messages()),
        workload("S5-list", "the eight messages of S5 in one list", vec![seeded::rpc().into()]),
        workload("S6", "100 records of name, min, max", vec![seeded::entities().into()]),
        workload(
            "S7",
            "a document: a paragraph, 100 ints, a map of 100, an int, a float",
            vec![seeded::document().into()],
        ),
    ]
}

/// Where the real documents lie: `WBIN_DATA`, or the folder `shared/data` beside the repository.
fn real_folder() -> PathBuf {
    match std::env::var_os("WBIN_DATA") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
    }
}

/// The real JSON documents, or what kept them from being read. They are not part of the repository.
pub fn real(wanted: impl Fn(&str) -> bool) -> Result<Vec<Workload>, String> {
    let folder = real_folder();
    let listing = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{}: no .json files", folder.display()));
    }
    let mut workloads = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !wanted(&name) {
            continue;
        }
        let fail = |error: &dyn std::error::Error| format!("{}: {error}", path.display());
        let text = std::fs::read(&path).map_err(|error| fail(&error))?;
        let doc: Value = serde_json::from_slice(&text).map_err(|error| fail(&error))?;
        // A clone has no spare capacity, whatever the JSON parser left: its size in memory is that of the data.
        let doc = doc.clone();
        workloads.push(Workload {
            name,
            about: format!("a real document, {} bytes as stored", text.len()),
            docs: vec![doc],
        });
    }
    Ok(workloads)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a, 64 bits, over an unambiguous walk of the value.
    fn digest(value: &Value) -> u64 {
        fn feed(hash: &mut u64, bytes: &[u8]) {
            for &byte in bytes {
                *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
            }
        }

        fn feed_text(hash: &mut u64, text: &[u8]) {
            feed(hash, &(text.len() as u64).to_le_bytes());
            feed(hash, text);
        }

        fn walk(hash: &mut u64, value: &Value) {
            match value {
                Value::Null => feed(hash, b"n"),
                Value::Bool(value) => feed(hash, if *value { b"t" } else { b"f" }),
                Value::I64(value) => {
                    feed(hash, b"i");
                    feed(hash, &value.to_le_bytes());
                }
                Value::U64(value) => {
                    feed(hash, b"u");
                    feed(hash, &value.to_le_bytes());
                }
                Value::F64(value) => {
                    feed(hash, b"d");
                    feed(hash, &value.to_bits().to_le_bytes());
                }
                Value::String(value) => {
                    feed(hash, b"s");
                    feed_text(hash, value.as_bytes());
                }
                Value::Bytes(value) => {
                    feed(hash, b"b");
                    feed_text(hash, value);
                }
                Value::List(items) => {
                    feed(hash, b"l");
                    feed(hash, &(items.len() as u64).to_le_bytes());
                    items.iter().for_each(|item| walk(hash, item));
                }
                Value::Map(entries) => {
                    feed(hash, b"m");
                    feed(hash, &(entries.len() as u64).to_le_bytes());
                    for (key, value) in entries {
                        feed_text(hash, key.as_bytes());
                        walk(hash, value);
                    }
                }
            }
        }

        let mut hash = 0xCBF2_9CE4_8422_2325;
        walk(&mut hash, value);
        hash
    }

    #[test]
    fn the_random_numbers_are_splitmix64() {
        // The first outputs for the seed 0, as published with the algorithm.
        let mut random = seeded::Random::new(0);
        assert_eq!(random.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.next(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(random.next(), 0x06C4_5D18_8009_454F);
    }

    #[test]
    fn the_data_has_not_drifted() {
        let recorded = [
            ("S1", 0xE7B7_205C_DDEC_60F3),
            ("S2", 0xB64B_6C13_1BE1_B3D9),
            ("S3", 0xF4D0_0264_05F8_F2F6),
            ("S4", 0xF16D_4D68_53FF_A63C),
            ("S5", 0xD6E5_B6DF_D355_80D0),
            ("S5-list", 0x126C_3E65_24F6_391F),
            ("S6", 0x7A9B_F390_18EA_F7E3),
            ("S7", 0xAA96_BE77_2E34_8E43),
        ];
        let found: Vec<(String, u64)> = seeded()
            .into_iter()
            .map(|w| (w.name, w.docs.iter().map(digest).fold(0_u64, |a, b| a.rotate_left(1) ^ b)))
            .collect();
        let text = |name: &str, digest: u64| format!("(\"{name}\", 0x{digest:016X})");
        let recorded: Vec<String> = recorded.iter().map(|(name, digest)| text(name, *digest)).collect();
        let found: Vec<String> = found.iter().map(|(name, digest)| text(name, *digest)).collect();
        assert_eq!(found, recorded);
    }

    #[test]
    fn the_data_is_what_it_says() {
        let Value::Map(floats) = Value::from(seeded::dict()) else { panic!() };
        assert_eq!(floats.len(), 200);
        assert!(floats.iter().all(|(_, value)| matches!(value, Value::F64(x) if (0.0..1.0).contains(x))));
        let Value::List(items) = Value::from(seeded::mixed()) else { panic!() };
        assert_eq!(items.len(), 1000);
        assert_eq!(messages().len(), 8);
        let Value::List(records) = Value::from(seeded::entities()) else { panic!() };
        assert_eq!(records.len(), 100);
    }
}
