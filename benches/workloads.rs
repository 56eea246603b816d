//! wbin beside other self-describing formats, each through its serde crate and with its plainest calls:
//! a group for each workload and direction.
//!
//! ```text
//! cargo bench -p wbin                     everything
//! cargo bench -p wbin -- dict/decode      one group
//! cargo bench -p wbin -- --test           each once, to see that it works
//! ```
//!
//! Encoding makes a new vector and frees it; decoding makes a [`Data`] and frees it. Before anything is
//! measured, every format has to give back an equal value.

#[path = "data.rs"]
mod data;

use criterion::Criterion;
use data::Data;
use serde::Serialize;
use std::hint::black_box;

/// A format: to bytes and back.
struct Codec {
    name: &'static str,
    encode: fn(&Data) -> Vec<u8>,
    decode: fn(&[u8]) -> Data,
}

const CODECS: [Codec; 4] = [
    Codec {
        name: "wbin",
        encode: |data| wbin::to_vec(data).expect("wbin encodes"),
        decode: |bytes| wbin::from_slice(bytes).expect("wbin decodes"),
    },
    Codec { name: "bson", encode: to_bson, decode: from_bson },
    Codec {
        name: "serde_json",
        encode: |data| serde_json::to_vec(data).expect("serde_json encodes"),
        decode: |bytes| serde_json::from_slice(bytes).expect("serde_json decodes"),
    },
    Codec {
        name: "rmp-serde",
        encode: |data| rmp_serde::to_vec_named(data).expect("rmp-serde encodes"),
        decode: |bytes| rmp_serde::from_slice(bytes).expect("rmp-serde decodes"),
    },
];

/// BSON has documents only: what is no map goes into one, under this key.
const WRAPPED: &str = "value";

#[derive(Serialize)]
struct Wrapped<'a> {
    value: &'a Data,
}

fn to_bson(data: &Data) -> Vec<u8> {
    match data {
        Data::Dict(_) => bson::serialize_to_vec(data),
        other => bson::serialize_to_vec(&Wrapped { value: other }),
    }
    .expect("bson encodes")
}

/// No workload is a map with that key alone.
fn from_bson(bytes: &[u8]) -> Data {
    match bson::deserialize_from_slice(bytes).expect("bson decodes") {
        Data::Dict(mut entries) if matches!(&entries[..], [(key, _)] if key == WRAPPED) => {
            entries.remove(0).1
        }
        data => data,
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (workload, make) in data::WORKLOADS {
        let data = make();
        let encoded = CODECS.map(|codec| (codec.encode)(&data));
        for (codec, bytes) in CODECS.iter().zip(&encoded) {
            assert_eq!((codec.decode)(bytes), data, "{} on {workload}", codec.name);
        }

        let mut group = criterion.benchmark_group(format!("{workload}/encode"));
        for codec in &CODECS {
            group.bench_function(codec.name, |bencher| bencher.iter(|| (codec.encode)(black_box(&data))));
        }
        group.finish();

        let mut group = criterion.benchmark_group(format!("{workload}/decode"));
        for (codec, bytes) in CODECS.iter().zip(&encoded) {
            group.bench_function(codec.name, |bencher| bencher.iter(|| (codec.decode)(black_box(bytes))));
        }
        group.finish();
    }
    criterion.final_summary();
}
