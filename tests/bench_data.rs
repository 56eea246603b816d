//! Is the data that the benches measure still the same as when their figures were recorded?

#[path = "../benches/data.rs"]
mod data;

use data::{Data, Random, typed};
use serde::Serialize;

/// FNV-1a of 64 bits over a walk that tells any two values apart.
struct Digest(u64);

impl Digest {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    fn number(&mut self, kind: &[u8], n: u64) {
        self.bytes(kind);
        self.bytes(&n.to_le_bytes());
    }

    fn text(&mut self, kind: &[u8], text: &str) {
        self.number(kind, text.len() as u64);
        self.bytes(text.as_bytes());
    }

    fn value(&mut self, value: &Data) {
        match value {
            Data::Null => self.bytes(b"n"),
            Data::Bool(on) => self.bytes(if *on { b"t" } else { b"f" }),
            Data::Int(n) => self.number(b"i", *n as u64),
            Data::Float(f) => self.number(b"d", f.to_bits()),
            Data::Text(text) => self.text(b"s", text),
            Data::List(items) => {
                self.number(b"l", items.len() as u64);
                items.iter().for_each(|item| self.value(item));
            }
            Data::Dict(entries) => {
                self.number(b"m", entries.len() as u64);
                for (key, value) in entries {
                    self.text(b"", key);
                    self.value(value);
                }
            }
        }
    }
}

#[test]
fn the_random_numbers_are_those_of_splitmix64() {
    // What the algorithm gives for the seed 0.
    let mut random = Random::new(0);
    let found = [random.next(), random.next(), random.next()];
    assert_eq!(found, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
}

#[test]
fn the_data_is_what_was_recorded() {
    let found = data::WORKLOADS.map(|(name, make)| {
        let mut digest = Digest(0xCBF2_9CE4_8422_2325);
        digest.value(&make());
        format!("{name} {:016x}", digest.0)
    });
    assert_eq!(
        found,
        [
            "string e7b7205cddec60f3",
            "dict b64b6c131be1b3d9",
            "mixed f4d0026405f8f2f6",
            "job f16d4d6853ffa63c",
            "rpc 126c3e6524f6391f",
            "entities 7a9bf39018eaf7e3",
            "document aa96be772e348e43",
        ]
    );
}

/// The length and the digest of a set as JSON, which all its names and values are a part of.
fn json<T: Serialize>(name: &str, set: &T) -> String {
    let text = serde_json::to_vec(set).unwrap();
    let mut digest = Digest(0xCBF2_9CE4_8422_2325);
    digest.bytes(&text);
    format!("{name} {} {:016x}", text.len(), digest.0)
}

#[test]
fn the_typed_data_is_what_was_recorded() {
    let found = [
        json("logs", &typed::logs()),
        json("mesh", &typed::mesh()),
        json("save", &typed::save()),
        json("updates", &typed::updates()),
    ];
    assert_eq!(
        found,
        [
            "logs 1764872 62eaeb98aade9c5d",
            "mesh 26942417 d33210266e85943a",
            "save 1416093 a78646c8ddce08e8",
            "updates 9128942 e8ee192f02685c71",
        ]
    );
}

#[test]
fn the_typed_data_is_what_it_is_said_to_be() {
    let logs = typed::logs().logs;
    assert_eq!(logs.len(), 10_000);
    assert!(logs.is_sorted_by_key(|log| log.date.clone()), "the days are of one month");
    assert_eq!(typed::mesh().triangles.len(), 125_000);

    let players = typed::save().players;
    assert_eq!(players.len(), 500);
    let vehicles: Vec<_> = players.iter().filter_map(|player| player.vehicle.as_ref()).collect();
    assert!((90..160).contains(&vehicles.len()), "{}", vehicles.len());
    let levels = |entity| {
        let mut levels = 0;
        let mut entities = vec![entity];
        while !entities.is_empty() {
            levels += 1;
            entities = entities.iter().flat_map(|entity: &&typed::Entity| &entity.passengers).collect();
        }
        levels
    };
    assert_eq!(vehicles.into_iter().map(levels).max(), Some(3));

    let updates = typed::updates().updates;
    assert_eq!(updates.len(), 1000);
    assert!(updates.iter().all(|update| update.contacts.len() < 60));
    let players = |update: &typed::Update| update.contacts.iter().filter(|c| c.player_id.is_some()).count();
    let contacts: usize = updates.iter().map(|update| update.contacts.len()).sum();
    let players: usize = updates.iter().map(players).sum();
    assert!((2 * players).abs_diff(contacts) < contacts / 20, "{players} of {contacts} have a player");
}

#[test]
fn borrowing_types_are_the_same_to_a_format() {
    // Nothing in this data needs an escape, so that JSON can lend its strings.
    let logs = serde_json::to_string(&typed::logs()).unwrap();
    let borrowed: typed::LogsRef = serde_json::from_str(&logs).unwrap();
    assert!(serde_json::to_string(&borrowed).unwrap() == logs);
    let save = serde_json::to_string(&typed::save()).unwrap();
    let borrowed: typed::SaveRef = serde_json::from_str(&save).unwrap();
    assert!(serde_json::to_string(&borrowed).unwrap() == save);
}

#[test]
fn the_data_is_what_it_is_said_to_be() {
    assert_eq!(data::string(), Data::Text("foo bar baz".to_owned()));
    let Data::Dict(entries) = data::dict() else { panic!("no dict") };
    assert_eq!(entries.len(), 200);
    for (at, (key, value)) in entries.iter().enumerate() {
        assert_eq!(*key, at.to_string());
        assert!(matches!(value, Data::Float(f) if (0.0..1.0).contains(f)), "{value:?}");
    }
    let Data::List(items) = data::mixed() else { panic!("no list") };
    assert_eq!(items.len(), 1000);
    let mut kinds = [0; 5];
    for item in &items {
        match item {
            Data::List(items) => {
                assert!((1..=15).contains(&items.len()));
                items.iter().for_each(scalar);
                kinds[3] += 1;
            }
            Data::Dict(entries) => {
                assert!((1..=15).contains(&entries.len()));
                entries.iter().for_each(|(key, value)| {
                    text(key);
                    scalar(value);
                });
                kinds[4] += 1;
            }
            other => {
                scalar(other);
                kinds[match other {
                    Data::Int(_) => 0,
                    Data::Float(_) => 1,
                    _ => 2,
                }] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|n| (150..=250).contains(n)), "{kinds:?}");
}

fn scalar(value: &Data) {
    match value {
        Data::Int(n) => assert!(*n >= 0),
        Data::Float(f) => assert!(f.abs() <= 1e9),
        Data::Text(letters) => text(letters),
        other => panic!("nested deeper than one level: {other:?}"),
    }
}

fn text(letters: &str) {
    assert!((1..=254).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphabetic()));
}
