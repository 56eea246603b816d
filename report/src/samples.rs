//! The typed workloads: the four sets that the benches have, too, and small or simple ones.

use serde::{Deserialize, Serialize};
use zerompk::{FromMessagePack, ToMessagePack};

use crate::data::seeded;
use crate::data::seeded::Random;
use crate::measure::Plan;
use crate::table::Outcome;
use crate::typed::{self, Sample};

use seeded::typed::{Log, LogRef, Logs, LogsRef, Mesh, Save, SaveRef, Updates};
pub(crate) use seeded::typed::{first_logs, logs, mesh, save, updates};

/// One typed workload.
pub struct Case {
    /// What `--only` looks for.
    pub name: &'static str,
    /// What the data is.
    pub about: &'static str,
    /// Measures it in the formats of these names.
    pub run: fn(&Case, &[&str], Plan) -> Outcome,
}

/// The typed workloads, in the order of the report.
pub fn all() -> Vec<Case> {
    macro_rules! cases {
        ($($name:literal, $about:literal, $make:expr;)*) => {
            vec![$(Case {
                name: $name,
                about: $about,
                run: |case, names, plan| typed::measure(case, &$make, names, plan),
            },)*]
        };
    }
    cases! {
        "logs", "10,000 lines of a web server's log: address, strings, ints", logs();
        "mesh", "125,000 triangles of f32", mesh();
        "save", "500 saved games: enums, options, nested lists", save();
        "updates", "1,000 messages of a game: mixed ints and floats", updates();
        "ints", "a list of 3 ints", ints();
        "struct", "a struct of 4 fields", account();
        "log", "one line of a web server's log", log();
        "floats", "100,000 random f64", floats();
        "bytes", "1 MiB of random u8 in a `Vec<u8>`, which serde takes for a list of ints", bytes();
        "strings", "10,000 random strings of 1 to 28 letters", strings();
    }
}

/// A struct with a field of each common kind.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToMessagePack, FromMessagePack)]
pub struct Account {
    id: u32,
    name: String,
    active: bool,
    balance: f64,
}

#[derive(Serialize, Deserialize, ToMessagePack, FromMessagePack)]
pub struct AccountRef<'a> {
    id: u32,
    name: &'a str,
    active: bool,
    balance: f64,
}

fn ints() -> Vec<u32> {
    vec![7, 300, 70_000]
}

fn account() -> Account {
    Account { id: 20_817, name: "lovelace".to_owned(), active: true, balance: 1234.56 }
}

fn log() -> Log {
    logs().logs.swap_remove(17)
}

fn floats() -> Vec<f64> {
    let mut random = Random::new(21);
    (0..100_000).map(|_| random.unit()).collect()
}

fn bytes() -> Vec<u8> {
    let mut random = Random::new(22);
    (0..1 << 20).map(|_| random.next() as u8).collect()
}

fn strings() -> Vec<String> {
    let mut random = Random::new(23);
    (0..10_000).map(|_| random.letters(28)).collect()
}

impl Sample for Logs {
    const BORROWS: bool = true;
    type Ref<'a> = LogsRef<'a>;
}

impl Sample for Mesh {
    type Ref<'a> = ();
}

impl Sample for Save {
    const BORROWS: bool = true;
    type Ref<'a> = SaveRef<'a>;
}

impl Sample for Updates {
    type Ref<'a> = ();
}

impl Sample for Vec<u32> {
    type Ref<'a> = ();
}

impl Sample for Account {
    const BORROWS: bool = true;
    type Ref<'a> = AccountRef<'a>;
}

impl Sample for Log {
    const BORROWS: bool = true;
    type Ref<'a> = LogRef<'a>;
}

impl Sample for Vec<f64> {
    type Ref<'a> = ();
}

impl Sample for Vec<u8> {
    type Ref<'a> = ();
}

impl Sample for Vec<String> {
    const BORROWS: bool = true;
    type Ref<'a> = Vec<&'a str>;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a, 64 bits, of a sample as JSON.
    fn digest<S: Sample>(sample: &S) -> String {
        let text = serde_json::to_vec(sample).unwrap();
        let feed = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        format!("{:016x}", text.iter().fold(0xCBF2_9CE4_8422_2325, feed))
    }

    /// The four large ones are tested where they are made.
    #[test]
    fn the_small_samples_have_not_drifted() {
        let found = [
            digest(&ints()),
            digest(&account()),
            digest(&log()),
            digest(&floats()),
            digest(&bytes()),
            digest(&strings()),
        ];
        let recorded = [
            "0161c6928c590ff2",
            "835836d7b3adbbf5",
            "971b50b1b5a710a7",
            "f5f52c8ffb3e75b9",
            "1a274de90df71d2b",
            "2dadf4987daa7cd8",
        ];
        assert_eq!(found, recorded);
    }
}
