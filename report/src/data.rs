//! The workloads: seeded data that is the same on every machine and in every year, and real JSON documents.
//!
//! Each generator is tested against a recorded digest. Whoever changes one changes what the recorded figures mean.

use std::path::{Path, PathBuf};

use crate::value::Value;

/// One workload: documents that are encoded and decoded apart, one after the other.
pub struct Workload {
    /// What `--only` looks for.
    pub name: String,
    /// What the data is.
    pub about: String,
    /// Most workloads are one document.
    pub docs: Vec<Value>,
}

/// SplitMix64, written out here so that no other crate's release can change the data.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`. The bias of the remainder does not matter at the sizes used here.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A multiple of 2^-53 from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 1 to `max` ASCII letters.
    pub fn letters(&mut self, max: u64) -> String {
        const LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let len = 1 + self.below(max);
        (0..len).map(|_| char::from(LETTERS[self.below(52) as usize])).collect()
    }
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.map(|(key, value)| (key.to_owned(), value)).into())
}

/// S1: one short string.
pub fn s1() -> Value {
    Value::from("foo bar baz")
}

/// S2: a map of 200 floats under the keys "0" to "199".
pub fn s2() -> Value {
    let mut random = Random::new(2);
    Value::Map((0..200).map(|i| (i.to_string(), Value::F64(random.unit()))).collect())
}

/// S3: 1,000 random items: ints, floats, strings, lists and maps of scalars.
pub fn s3() -> Value {
    fn scalar(random: &mut Random) -> Value {
        match random.below(3) {
            0 => Value::I64((random.next() >> 1) as i64),
            1 => Value::F64((random.unit() * 2.0 - 1.0) * 1e9),
            _ => Value::String(random.letters(254)),
        }
    }

    fn item(random: &mut Random) -> Value {
        match random.below(5) {
            3 => {
                let len = 1 + random.below(15);
                Value::List((0..len).map(|_| scalar(random)).collect())
            }
            4 => {
                let len = 1 + random.below(15);
                Value::Map((0..len).map(|_| (random.letters(254), scalar(random))).collect())
            }
            _ => scalar(random),
        }
    }

    let mut random = Random::new(3);
    Value::List((0..1000).map(|_| item(&mut random)).collect())
}

/// S4: a job as a queue holds it, about 150 bytes of MessagePack.
pub fn s4() -> Value {
    map([
        ("id", Value::from("5f1c2a9be07d4d33")),
        ("task", Value::from("thumbnail.create")),
        ("args", Value::List(vec![Value::from("photo-0017.jpg"), Value::I64(640), Value::Bool(true)])),
        (
            "kwargs",
            map([("quality", Value::F64(0.85)), ("format", Value::from("webp")), ("retries", Value::I64(3))]),
        ),
        ("tags", Value::from(vec!["images", "low"])),
        ("created", Value::I64(1_764_547_200)),
        ("eta", Value::Null),
    ])
}

/// S5: eight messages of a remote procedure call: four calls and their replies.
pub fn s5() -> Vec<Value> {
    let call = |id: i64, method: &str, params: Value| {
        map([("id", Value::I64(id)), ("method", Value::from(method)), ("params", params)])
    };
    let reply = |id: i64, result: Value| map([("id", Value::I64(id)), ("result", result)]);
    vec![
        call(1, "add", Value::from(vec![19_i64, 23])),
        reply(1, Value::I64(42)),
        call(2, "user.find", map([("name", Value::from("ada")), ("limit", Value::I64(1))])),
        reply(
            2,
            Value::List(vec![map([
                ("uid", Value::I64(70_113)),
                ("name", Value::from("ada")),
                ("active", Value::Bool(true)),
            ])]),
        ),
        call(3, "sensor.mean", map([("sensor", Value::from("roof-2")), ("hours", Value::I64(24))])),
        reply(3, Value::F64(11.62)),
        call(4, "file.open", Value::from(vec!["/srv/reports/today.txt", "r"])),
        map([
            ("id", Value::I64(4)),
            ("error", map([("code", Value::I64(-404)), ("message", Value::from("no such file"))])),
        ]),
    ]
}

/// S6: 100 records of a name, a lowest and a highest temperature.
pub fn s6() -> Value {
    let mut random = Random::new(6);
    let record = |i: u64, random: &mut Random| {
        let min = random.below(400) as i64 - 200;
        let max = min + random.below(200) as i64;
        map([
            ("name", Value::String(format!("station {i}"))),
            ("min", Value::F64(min as f64 / 10.0)),
            ("max", Value::F64(max as f64 / 10.0)),
        ])
    };
    Value::List((0..100).map(|i| record(i, &mut random)).collect())
}

/// S7: a document of a paragraph, the ints 0 to 99, a map of 100, an int and a float.
pub fn s7() -> Value {
    const PARAGRAPH: &str = "The harbour freezes late here, some winters not at all. When it does, the ferry stops at \
        the outer pier, and whoever lives on the islands walks the last half mile across the ice, pulling whatever was \
        bought in town on a sledge. Nobody minds much. The ice is quiet, the lamps on the far shore come closer slowly, \
        and there is always somebody with a thermos.";
    map([
        ("text", Value::from(PARAGRAPH)),
        ("ints", Value::List((0..100).map(Value::I64).collect())),
        ("map", Value::Map((0..100).map(|i| (i.to_string(), Value::I64(i))).collect())),
        ("int", Value::I64(123_456_789)),
        ("float", Value::F64(3.140_625)),
    ])
}

/// The seeded workloads, in the order of their names.
pub fn seeded() -> Vec<Workload> {
    let workload = |name: &str, about: &str, docs: Vec<Value>| Workload {
        name: name.to_owned(),
        about: about.to_owned(),
        docs,
    };
    vec![
        workload("S1", "the string \"foo bar baz\"", vec![s1()]),
        workload("S2", "a map of 200 random floats", vec![s2()]),
        workload("S3", "1,000 random items: ints, floats, strings, lists, maps", vec![s3()]),
        workload("S4", "a job of a queue", vec![s4()]),
        workload("S5", "eight small call and reply messages, each encoded apart", s5()),
        workload("S5-list", "the eight messages of S5 in one list", vec![Value::List(s5())]),
        workload("S6", "100 records of name, min, max", vec![s6()]),
        workload("S7", "a document: a paragraph, 100 ints, a map of 100, an int, a float", vec![s7()]),
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
        let mut random = Random::new(0);
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
        let Value::Map(floats) = s2() else { panic!() };
        assert_eq!(floats.len(), 200);
        assert!(floats.iter().all(|(_, value)| matches!(value, Value::F64(x) if (0.0..1.0).contains(x))));
        let Value::List(items) = s3() else { panic!() };
        assert_eq!(items.len(), 1000);
        assert_eq!(s5().len(), 8);
        let Value::List(records) = s6() else { panic!() };
        assert_eq!(records.len(), 100);
    }
}
