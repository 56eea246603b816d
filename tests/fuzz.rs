//! Do the properties that are fuzzed hold for the seeds of fuzzing? Without a nightly compiler, so that what
//! was found once is looked at by every run of the tests.
#![cfg(all(feature = "std", feature = "json"))]

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, unused_imports)]
mod properties;

use arbitrary::{Arbitrary, Unstructured};

/// Every seed of a target.
fn replay(target: &str, property: impl Fn(&[u8])) {
    let folder = format!("{}/fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of seeds") {
        let path = entry.expect("an entry of the folder").path();
        println!("{}", path.display()); // shown where it fails
        property(&std::fs::read(path).expect("a seed"));
        seeds += 1;
    }
    assert!(seeds >= 4, "{seeds} seeds");
}

/// What a target makes of its bytes, as libFuzzer does it.
fn made<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> T {
    T::arbitrary_take_rest(Unstructured::new(bytes)).expect("something")
}

#[test]
fn value() {
    replay("value", properties::value);
}

#[test]
fn differential() {
    replay("differential", properties::differential);
}

#[test]
fn typed() {
    replay("typed", properties::typed);
}

#[test]
fn canonical() {
    replay("canonical", properties::canonical);
}

#[test]
fn stream() {
    replay("stream", properties::stream);
}

#[test]
fn structured() {
    replay("structured", |bytes| properties::structured(&made(bytes)));
}

#[test]
fn columns() {
    replay("columns", |bytes| properties::columns(&made(bytes)));
}
