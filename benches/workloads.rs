//! wbin beside other self-describing formats, each through its serde crate and with its plainest calls: a group
//! for each workload and what is done with it.
//!
//! ```text
//! cargo bench -p wbin                     everything
//! cargo bench -p wbin -- dict/decode      one group
//! cargo bench -p wbin -- --test           each once, to see that it works
//! ```
//!
//! The groups of a workload are `encode`, which makes a new vector and frees it; `decode`, which makes a value of
//! the type that was encoded and frees it; `borrow`, the same for a type that borrows its strings from the bytes;
//! and `value/encode` and `value/decode`, for the value of any type that each crate has of its own. Before anything
//! is measured, every format has to give back an equal value.
//!
//! Beside the seeded data there are the JSON documents in the folder that the environment variable `WBIN_DATA`
//! names, or in `shared/data` beside the repository, if it is there.

#[path = "data.rs"]
mod data;

use criterion::Criterion;
use data::{Data, typed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Data of one type, and what every format decodes it into.
trait Sample: Serialize + DeserializeOwned + PartialEq + Debug {
    /// The type that borrows, if there is one.
    type Ref<'a>: Deserialize<'a>;
    const BORROWS: bool;

    /// Whether BSON can hold it as it is: it has documents only.
    fn is_document(&self) -> bool {
        true
    }
}

impl Sample for Data {
    type Ref<'a> = ();
    const BORROWS: bool = false;

    fn is_document(&self) -> bool {
        matches!(self, Data::Dict(_))
    }
}

impl Sample for typed::Logs {
    type Ref<'a> = typed::LogsRef<'a>;
    const BORROWS: bool = true;
}

impl Sample for typed::Mesh {
    type Ref<'a> = ();
    const BORROWS: bool = false;
}

impl Sample for typed::Save {
    type Ref<'a> = typed::SaveRef<'a>;
    const BORROWS: bool = true;
}

impl Sample for typed::Updates {
    type Ref<'a> = ();
    const BORROWS: bool = false;
}

/// What is no document, in one.
#[derive(Serialize, Deserialize)]
struct Wrapped<T> {
    value: T,
}

/// A format: from values of a type to bytes, and back.
struct Format<S: Sample> {
    name: &'static str,
    encode: fn(&S) -> Vec<u8>,
    decode: fn(&[u8]) -> S,
    borrow: for<'a> fn(&'a [u8]) -> S::Ref<'a>,
}

const PLAIN: wbin::Config = wbin::Config::new().plain(true);

fn formats<S: Sample>(is_document: bool) -> [Format<S>; 5] {
    let wbin = Format::<S> {
        name: "wbin",
        encode: |sample| wbin::to_vec(sample).expect("wbin encodes"),
        decode: |bytes| wbin::from_slice(bytes).expect("wbin decodes"),
        borrow: |bytes| wbin::from_slice(bytes).expect("wbin decodes"),
    };
    let plain =
        Format { name: "wbin-plain", encode: |sample| PLAIN.to_vec(sample).expect("wbin encodes"), ..wbin };
    let bson = Format::<S> {
        name: "bson",
        encode: |sample| bson::serialize_to_vec(sample).expect("bson encodes"),
        decode: |bytes| bson::deserialize_from_slice(bytes).expect("bson decodes"),
        borrow: |bytes| bson::deserialize_from_slice(bytes).expect("bson decodes"),
    };
    let wrapped = Format::<S> {
        name: "bson",
        encode: |sample| bson::serialize_to_vec(&Wrapped { value: sample }).expect("bson encodes"),
        decode: |bytes| {
            let wrapped: Wrapped<S> = bson::deserialize_from_slice(bytes).expect("bson decodes");
            wrapped.value
        },
        borrow: |bytes| {
            let wrapped: Wrapped<S::Ref<'_>> = bson::deserialize_from_slice(bytes).expect("bson decodes");
            wrapped.value
        },
    };
    let serde_json = Format::<S> {
        name: "serde_json",
        encode: |sample| serde_json::to_vec(sample).expect("serde_json encodes"),
        decode: |bytes| serde_json::from_slice(bytes).expect("serde_json decodes"),
        borrow: |bytes| serde_json::from_slice(bytes).expect("serde_json decodes"),
    };
    let rmp_serde = Format::<S> {
        name: "rmp-serde",
        encode: |sample| rmp_serde::to_vec_named(sample).expect("rmp-serde encodes"),
        decode: |bytes| rmp_serde::from_slice(bytes).expect("rmp-serde decodes"),
        borrow: |bytes| rmp_serde::from_slice(bytes).expect("rmp-serde decodes"),
    };
    [wbin, plain, if is_document { bson } else { wrapped }, serde_json, rmp_serde]
}

/// What a format is to be measured with.
type Task<'a> = (&'static str, Box<dyn Fn() + 'a>);

fn task<'a, T>(name: &'static str, work: impl Fn() -> T + 'a) -> Task<'a> {
    (name, Box::new(move || drop(black_box(work()))))
}

fn group<'a>(criterion: &mut Criterion, name: String, tasks: impl IntoIterator<Item = Task<'a>>) {
    let mut group = criterion.benchmark_group(name);
    for (format, task) in tasks {
        group.bench_function(format, |bencher| bencher.iter(&task));
    }
    group.finish();
}

/// Encoding, decoding and borrowing.
fn types<S: Sample>(criterion: &mut Criterion, workload: &str, sample: &S) {
    let formats = formats::<S>(sample.is_document());
    let encoded: Vec<_> = formats
        .iter()
        .map(|format| {
            let bytes = (format.encode)(sample);
            assert!((format.decode)(&bytes) == *sample, "{} on {workload}", format.name);
            (format, bytes)
        })
        .collect();
    let encode = formats.iter().map(|format| task(format.name, || (format.encode)(black_box(sample))));
    group(criterion, format!("{workload}/encode"), encode);
    let decode =
        encoded.iter().map(|(format, bytes)| task(format.name, || (format.decode)(black_box(bytes))));
    group(criterion, format!("{workload}/decode"), decode);
    if S::BORROWS {
        let borrow = encoded.iter().map(|(format, bytes)| {
            // Inside of a function, as the value borrows.
            (
                format.name,
                Box::new(|| drop(black_box((format.borrow)(black_box(bytes))))) as Box<dyn Fn() + '_>,
            )
        });
        group(criterion, format!("{workload}/borrow"), borrow);
    }
}

/// The values of any type that the crates have of their own. That of rmp-serde is in a crate apart.
fn values(criterion: &mut Criterion, workload: &str, data: &Data) {
    let formats = formats::<Data>(data.is_document());
    let [columns, plain, bson, json, _] = formats.each_ref().map(|format| (format.encode)(data));
    let wbin = wbin::Value::from_slice(&columns).expect("wbin decodes");
    let document = document_of(&bson);
    let serde_json: serde_json::Value = serde_json::from_slice(&json).expect("serde_json decodes");
    assert_eq!(wbin::from_value::<Data>(&wbin).expect("it decodes"), *data);
    assert_eq!(wbin, wbin::Value::from_slice(&plain).expect("wbin decodes"));
    assert_eq!((formats[2].decode)(&document.to_vec().expect("bson encodes")), *data);
    assert_eq!(serde_json, serde_json::to_value(data).expect("serde_json encodes"));
    let encode = [
        task("wbin", || black_box(&wbin).to_vec()),
        task("wbin-plain", || black_box(&wbin).to_vec_with(&PLAIN)),
        task("bson", || black_box(&document).to_vec()),
        task("serde_json", || serde_json::to_vec(black_box(&serde_json))),
    ];
    group(criterion, format!("{workload}/value/encode"), encode);
    let decode = [
        task("wbin", || wbin::Value::from_slice(black_box(&columns)).map(drop)),
        task("wbin-plain", || wbin::Value::from_slice(black_box(&plain)).map(drop)),
        task("bson", || document_of(black_box(&bson))),
        task("serde_json", || serde_json::from_slice::<serde_json::Value>(black_box(&json))),
    ];
    group(criterion, format!("{workload}/value/decode"), decode);
}

fn document_of(bytes: &[u8]) -> bson::Document {
    let raw = bson::RawDocument::from_bytes(bytes).expect("bson decodes");
    bson::Document::try_from(raw).expect("bson decodes")
}

/// The JSON documents that [`Data`] can hold, and their names.
fn real() -> Vec<(String, Data)> {
    let folder = match std::env::var_os("WBIN_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    let mut paths: Vec<PathBuf> = match folder.read_dir() {
        Ok(entries) => entries.map(|entry| entry.expect("an entry").path()).collect(),
        Err(_) => Vec::new(),
    };
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let documents: Vec<_> = paths
        .iter()
        .filter_map(|path| {
            let text = std::fs::read(path).expect("a file that can be read");
            let name = path.file_stem()?.to_str()?.to_owned();
            Some((name, serde_json::from_slice(&text).ok()?))
        })
        .collect();
    if documents.is_empty() {
        eprintln!("skipped: there are no real documents in {}", folder.display());
    }
    documents
}

fn main() {
    // There are some two hundred; what is measured for long takes fewer samples than there are by default.
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    let seeded = data::WORKLOADS.map(|(workload, make)| (workload.to_owned(), make()));
    for (workload, data) in seeded.into_iter().chain(real()) {
        types(&mut criterion, &workload, &data);
        values(&mut criterion, &workload, &data);
    }
    types(&mut criterion, "logs", &typed::logs());
    types(&mut criterion, "mesh", &typed::mesh());
    types(&mut criterion, "save", &typed::save());
    types(&mut criterion, "updates", &typed::updates());
    criterion.final_summary();
}
