//! Hands the program what its records must name: the compiler and the versions of the crates it was built with.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that are measured.
const MEASURED: [&str; 18] = [
    "bincode",
    "bitcode",
    "bson",
    "cbor4ii",
    "ciborium",
    "flexbuffers",
    "minicbor-serde",
    "musli",
    "postcard",
    "pot",
    "rmp-serde",
    "rmpv",
    "serde",
    "serde-brief",
    "serde_json",
    "simd-json",
    "sonic-rs",
    "zerompk",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // benches/typed.rs, which is a part of this program, then has the traits of zerompk.
    println!("cargo::rustc-check-cfg=cfg(zerompk)");
    println!("cargo::rustc-cfg=zerompk");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=WBIN_REPORT_RUSTC={}", version.unwrap_or_default());

    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let lock = folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|path| path.is_file());
    let versions = lock.map(|path| versions(&path)).unwrap_or_default();
    println!("cargo::rustc-env=WBIN_REPORT_VERSIONS={versions}");
}

/// `name version, name version, …` of the measured crates, from the lock file.
fn versions(lock: &Path) -> String {
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = std::fs::read_to_string(lock).unwrap_or_default();
    let field = |line: &str, name: &str| {
        line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"').map(str::to_owned)
    };
    let mut found = Vec::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(value) = field(line, "name") {
            name = value;
        } else if let Some(version) = field(line, "version")
            && MEASURED.contains(&name.as_str())
        {
            found.push(format!("{name} {version}"));
        }
    }
    found.join(", ")
}
