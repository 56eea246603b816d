//! Types change, documents stay: what old and new versions of a type read of one another. The bytes are
//! written out, so that a change of the format cannot go unseen.
#![cfg(all(feature = "std", feature = "serde"))]

#[path = "support/strategies.rs"]
mod strategies;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use strategies::{hex, unhex};
use wbin::{Error, RawValue, Value, wbin};

/// What is written is exactly these bytes.
#[track_caller]
fn frozen<T: Serialize>(value: &T, bytes: &str) -> Vec<u8> {
    let written = wbin::to_vec(value).unwrap();
    assert_eq!(hex(&written), bytes.replace([' ', '\n'], ""));
    written
}

#[track_caller]
fn reads<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], value: T) {
    assert_eq!(wbin::from_slice::<T>(bytes).unwrap(), value);
    assert_eq!(wbin::from_reader::<_, T>(bytes).unwrap(), value);
    // In the middle of other things, too: nothing is read too far, or not far enough.
    let between = [&[0x83, 0x01][..], bytes, &[0x02]].concat();
    let (one, value, two): (u8, T, u8) = assert_same(wbin::from_slice(&between).unwrap(), (1, value, 2));
    assert_eq!((one, two), (1, 2));
    // Among others of its kind, row by row and by columns.
    for many in twenty(bytes) {
        let read: Vec<T> = wbin::from_slice(&many).unwrap();
        assert!(read.len() == 20 && read.iter().all(|read| *read == value), "{}", hex(&many));
    }
}

#[track_caller]
fn assert_same<T: PartialEq + Debug>(read: T, value: T) -> T {
    assert_eq!(read, value);
    read
}

/// A list of twenty times the same, in the plain form and by default.
fn twenty(bytes: &[u8]) -> [Vec<u8>; 2] {
    let raw = RawValue::from_slice(bytes).expect("a document");
    let many = [0; 20].map(|_| raw.clone());
    let plain = wbin::Config::new().plain(true).to_vec(&many).unwrap();
    let by_columns = wbin::to_vec(&many).unwrap();
    // Twenty strings of one letter take two bytes each.
    assert!(by_columns.len() < plain.len() || bytes.len() < 4, "{}", hex(bytes));
    [plain, by_columns]
}

#[track_caller]
fn refuses<T: DeserializeOwned + Debug>(bytes: &[u8], name: &str) -> Error {
    let error = wbin::from_slice::<T>(bytes).unwrap_err();
    assert_eq!(error.name(), name, "{error}");
    if RawValue::from_slice(bytes).is_ok() {
        for many in twenty(bytes) {
            let error = wbin::from_slice::<Vec<T>>(&many).unwrap_err();
            assert_eq!(error.name(), name, "{error}, in {}", hex(&many));
            assert!(error.path().is_some_and(|path| path.starts_with("[0]")), "{error}");
        }
    }
    error
}

/// The first version of a type; all others are its later lives.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct User {
    id: u8,
    name: String,
    score: f32,
    tags: Vec<String>,
}

fn user() -> User {
    User { id: 7, name: "Ada".into(), score: 0.5, tags: vec!["x".into()] }
}

const USER: &str = "94 42 6964 07 44 6e616d65 43 416461 45 73636f7265 b0 29 44 74616773 81 41 78";

#[test]
fn a_field_is_added() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Defaulted {
        id: u8,
        name: String,
        score: f32,
        tags: Vec<String>,
        #[serde(default)]
        active: bool,
        #[serde(default = "ten")]
        quota: u32,
    }
    fn ten() -> u32 {
        10
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Optional {
        id: u8,
        email: Option<String>,
        name: String,
        score: f32,
        tags: Vec<String>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Required {
        id: u8,
        name: String,
        score: f32,
        tags: Vec<String>,
        email: String,
    }
    let User { id, name, score, tags } = user();
    let old = frozen(&user(), USER);
    // Forward: the new type reads the old document.
    let new = Defaulted { id, name: name.clone(), score, tags: tags.clone(), active: false, quota: 10 };
    reads(&old, new);
    reads(&old, Optional { id, email: None, name: name.clone(), score, tags: tags.clone() });
    assert_eq!(refuses::<Required>(&old, "missing-field").to_string(), "missing field `email` at byte 0");
    // Backward: the old type reads the new document, and passes over what it does not know.
    let new = frozen(
        &Defaulted { id, name: name.clone(), score, tags: tags.clone(), active: true, quota: 300 },
        "96 42 6964 07 44 6e616d65 43 416461 45 73636f7265 b0 29 44 74616773 81 41 78
         46 616374697665 ba 45 71756f7461 a1 2c01",
    );
    reads(&new, user());
    let new = frozen(
        &Optional { id, email: None, name, score, tags },
        "95 42 6964 07 45 656d61696c b8 44 6e616d65 43 416461 45 73636f7265 b0 29 44 74616773 81 41 78",
    );
    reads(&new, user());
}

#[test]
fn a_field_of_any_kind_is_passed_over() {
    let others = [
        "null",
        "true",
        "5",
        "-1000000",
        "340282366920938463463374607431768211455",
        "1.5",
        "nan",
        "\"text\"",
        "h'00ff'",
        "[1, [2, {}]]",
        "{1: {\"a\": [null]}, [2]: 3}",
        "ext(70, {\"deep\": [1]})",
        "some(null)",
        "some(some(null))",
    ];
    for other in others {
        let notation = format!(
            r#"{{"new": {other}, "id": 7, "newer": {other}, "name": "Ada", "score": 0.5, "tags": ["x"], "newest": {other}}}"#
        );
        let bytes = wbin::diag::parse(&notation).unwrap();
        reads(&bytes, user());
        // As an open map, in which nobody has counted.
        let open = [&[0xD1][..], &bytes[1..], &[0xBE]].concat();
        reads(&open, user());
    }
    // And so is a list of a million bytes, without being read.
    let large = wbin!({"id": 7, "large": vec![0_u8; 100_000], "name": "Ada", "score": 0.5, "tags": ["x"]});
    reads(&large.to_vec().unwrap(), user());
}

#[test]
fn a_field_is_removed() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Smaller {
        id: u8,
        tags: Vec<String>,
    }
    let old = frozen(&user(), USER);
    reads(&old, Smaller { id: 7, tags: vec!["x".into()] });
    let new = frozen(&Smaller { id: 7, tags: vec!["x".into()] }, "92 42 6964 07 44 74616773 81 41 78");
    assert_eq!(refuses::<User>(&new, "missing-field").to_string(), "missing field `name` at byte 0");
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Nothing {}
    reads(&old, Nothing {});
    frozen(&Nothing {}, "90");
    // A type that said that it wants to know refuses instead.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        id: u8,
    }
    let error = refuses::<Strict>(&old, "unknown-field");
    assert_eq!(error.to_string(), "unknown field: `name`, expected `id` at byte 5");
}

#[test]
fn fields_are_reordered() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Reordered {
        tags: Vec<String>,
        score: f32,
        id: u8,
        name: String,
    }
    let User { id, name, score, tags } = user();
    let old = frozen(&user(), USER);
    let new = Reordered { tags, score, id, name };
    let bytes = frozen(&new, "94 44 74616773 81 41 78 45 73636f7265 b0 29 42 6964 07 44 6e616d65 43 416461");
    reads(&old, new);
    reads(&bytes, user());
    // The canonical form is the same for both.
    let canonical = wbin::Config::new().canonical(true);
    assert_eq!(
        canonical.to_vec(&user()).unwrap(),
        canonical.to_vec(&wbin::from_slice::<Reordered>(&bytes).unwrap()).unwrap()
    );
}

#[test]
fn a_field_is_renamed() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Renamed {
        #[serde(rename = "uid", alias = "id", alias = "user_id")]
        id: u8,
        #[serde(alias = "name")]
        nick: String,
        score: f32,
        tags: Vec<String>,
    }
    let new = || Renamed { id: 7, nick: "Ada".into(), score: 0.5, tags: vec!["x".into()] };
    reads(&frozen(&user(), USER), new());
    let bytes =
        frozen(&new(), "94 43 756964 07 44 6e69636b 43 416461 45 73636f7265 b0 29 44 74616773 81 41 78");
    reads(&bytes, new());
    // Without an alias the old type does not know the new name.
    refuses::<User>(&bytes, "missing-field");
    // Old and new name in one document are the same field twice.
    let both = wbin!({"uid": 7, "id": 7, "nick": "", "score": 0.5, "tags": []}).to_vec().unwrap();
    refuses::<Renamed>(&both, "duplicate-field");
    // Aliases count as positions in serde's list of names, which nobody reads here.
    let late = wbin!({"tags": [], "score": 1, "name": "n", "user_id": 1}).to_vec().unwrap();
    reads(&late, Renamed { id: 1, nick: "n".into(), score: 1.0, tags: vec![] });
}

#[test]
fn numbers_are_widened_and_narrowed() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Wide {
        id: u128,
        name: String,
        score: f64,
        tags: Vec<String>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Signed {
        id: i16,
        score: f64,
    }
    let old = frozen(&user(), USER);
    reads(&old, Wide { id: 7, name: "Ada".into(), score: 0.5, tags: vec!["x".into()] });
    reads(&old, Signed { id: 7, score: 0.5 });
    // A number has one form, whatever type it had: the document is the same, and reads back.
    let bytes = frozen(&Wide { id: 7, name: "Ada".into(), score: 0.5, tags: vec!["x".into()] }, USER);
    reads(&bytes, user());
    // What does not fit is an error with its place, not another number.
    let large = wbin::to_vec(&Wide { id: 256, name: String::new(), score: 0.5, tags: vec![] }).unwrap();
    let error = refuses::<User>(&large, "invalid-value");
    assert_eq!((error.path().as_deref(), error.offset()), (Some(".id"), Some(4)));
    // From int to float is a widening; the way back is not.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Float {
        id: f64,
    }
    reads(&old, Float { id: 7.0 });
    let error = refuses::<User>(&wbin::to_vec(&Float { id: 7.0 }).unwrap(), "invalid-type");
    assert_eq!(error.to_string(), "invalid type: floating point `7.0`, expected u8 at byte 4 in .id");
    // A double reads into a single with rounding.
    let tenth = wbin!({"id": 1, "name": "", "score": 0.1, "tags": []}).to_vec().unwrap();
    reads(&tenth, User { id: 1, name: String::new(), score: 0.1, tags: vec![] });
}

#[test]
fn a_field_becomes_optional() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Maybe {
        id: Option<u8>,
        name: Option<String>,
        score: Option<Option<f32>>,
        tags: Option<Vec<Option<String>>>,
    }
    let old = frozen(&user(), USER);
    let new = Maybe {
        id: Some(7),
        name: Some("Ada".into()),
        score: Some(Some(0.5)),
        tags: Some(vec![Some("x".into())]),
    };
    // Some is the value itself, so that old and new are the same bytes as long as nothing is missing.
    reads(&frozen(&new, USER), user());
    reads(&old, new);
    let none = Maybe { id: Some(1), name: None, score: Some(None), tags: None };
    let bytes = frozen(&none, "94 42 6964 01 44 6e616d65 b8 45 73636f7265 bb b8 44 74616773 b8");
    reads(&bytes, none);
    assert_eq!(refuses::<User>(&bytes, "invalid-type").path().as_deref(), Some(".name"));
}

#[test]
fn a_newtype_is_put_around_a_field() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Id(u8);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Score(Inner);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Inner(f32);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Tags(Vec<Box<str>>);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Typed {
        id: Id,
        name: Box<str>,
        score: Score,
        tags: Tags,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Whole {
        user: User,
    }
    let typed =
        Typed { id: Id(7), name: "Ada".into(), score: Score(Inner(0.5)), tags: Tags(vec!["x".into()]) };
    reads(&frozen(&typed, USER), user());
    reads(&frozen(&user(), USER), typed);
    reads(&frozen(&Whole { user: user() }, USER), user());
}

#[test]
fn a_struct_becomes_a_map_and_a_map_a_struct() {
    let old = frozen(&user(), USER);
    let as_map: HashMap<String, wbin::OwnedValue> = wbin::from_slice(&old).unwrap();
    assert_eq!((as_map.len(), &as_map["name"].0), (4, &Value::from("Ada")));
    let by_value: Value<'_> = wbin::from_slice(&old).unwrap();
    assert_eq!(by_value, wbin!({"id": 7, "name": "Ada", "score": 0.5, "tags": ["x"]}));
    reads(&by_value.to_vec().unwrap(), user());
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Ports {
        http: u16,
        https: u16,
    }
    let map = BTreeMap::from([("http", 80), ("https", 443)]);
    let bytes = frozen(&map, "92 44 68747470 a0 50 45 6874747073 a1 bb01");
    reads(&bytes, Ports { http: 80, https: 443 });
    frozen(&Ports { http: 80, https: 443 }, "92 44 68747470 a0 50 45 6874747073 a1 bb01");
}

#[test]
fn fields_move_into_a_flattened_struct() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Split {
        id: u8,
        #[serde(flatten)]
        profile: Profile,
        #[serde(flatten)]
        extra: BTreeMap<String, u8>,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Profile {
        name: String,
        score: f32,
        tags: Vec<String>,
    }
    let split = |extra| Split {
        id: 7,
        profile: Profile { name: "Ada".into(), score: 0.5, tags: vec!["x".into()] },
        extra,
    };
    reads(&frozen(&user(), USER), split(BTreeMap::new()));
    reads(&frozen(&split(BTreeMap::new()), USER), user());
    // What the old type does not know survives in the new one, and goes out again.
    let newer = wbin!({"id": 7, "name": "Ada", "score": 0.5, "tags": ["x"], "level": 3}).to_vec().unwrap();
    reads(&newer, split(BTreeMap::from([("level".into(), 3)])));
    assert_eq!(wbin::to_vec(&wbin::from_slice::<Split>(&newer).unwrap()).unwrap(), newer);
}

#[test]
fn tuples_do_not_change_their_length() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Two(u8, String);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Three(u8, String, bool);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Defaulted(u8, String, #[serde(default)] bool);
    let two = frozen(&Two(1, "a".into()), "82 01 41 61");
    let three = frozen(&Three(1, "a".into(), true), "83 01 41 61 ba");
    reads(&two, (1, "a".to_string()));
    assert_eq!(refuses::<Three>(&two, "invalid-length").offset(), Some(0));
    // Not the first two of three.
    assert_eq!(refuses::<Two>(&three, "invalid-length").offset(), Some(4));
    assert_eq!(refuses::<(u8,)>(&two, "invalid-length").offset(), Some(2));
    assert_eq!(refuses::<[u8; 2]>(&frozen(&[1, 2, 3], "83 01 02 03"), "invalid-length").offset(), Some(3));
    // A default at the end is the one way to add to a tuple.
    reads(&two, Defaulted(1, "a".into(), false));
    reads(&three, Defaulted(1, "a".into(), true));
    // From an array to a list and back.
    reads(&frozen(&[1, 2, 3], "83 01 02 03"), vec![1_u64, 2, 3]);
    reads(&frozen(&vec![1_u8, 2, 3], "83 01 02 03"), [1_i32, 2, 3]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Event {
    Start,
    Stop(u8),
    Move(u8, u8),
    Note { text: String },
}

const EVENTS: &str =
    "84 45 5374617274 91 44 53746f70 05 91 44 4d6f7665 82 01 02 91 44 4e6f7465 91 44 74657874 41 61";

fn events() -> Vec<Event> {
    vec![Event::Start, Event::Stop(5), Event::Move(1, 2), Event::Note { text: "a".into() }]
}

#[test]
fn variants_are_added_removed_and_reordered() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Later {
        Pause(u8),
        Note { text: String },
        Move(u8, u8),
        Stop(u8),
        Start,
    }
    let old = frozen(&events(), EVENTS);
    let later = || vec![Later::Start, Later::Stop(5), Later::Move(1, 2), Later::Note { text: "a".into() }];
    reads(&old, later());
    reads(&frozen(&later(), EVENTS), events());
    let new = frozen(&[Later::Pause(1), Later::Start], "82 91 45 5061757365 01 45 5374617274");
    let error = refuses::<Vec<Event>>(&new, "unknown-variant");
    assert_eq!((error.path().as_deref(), error.offset()), (Some("[0]"), Some(2)));
    assert_eq!(
        error.to_string(),
        "unknown variant: `Pause`, expected one of `Start`, `Stop`, `Move`, `Note` at byte 2 in [0]"
    );
    // A variant for all that is to come.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Open {
        Start,
        #[serde(other)]
        Unknown,
    }
    reads(
        &wbin!(["Start", "Pause", {"Resume": null}]).to_vec().unwrap(),
        vec![Open::Start, Open::Unknown, Open::Unknown],
    );
    // A renamed one, by its old name.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Renamed {
        #[serde(alias = "Start")]
        Begin,
        #[serde(rename = "Stop")]
        End(u8),
    }
    reads(
        &wbin!(["Start", "Begin", {"Stop": 5}]).to_vec().unwrap(),
        vec![Renamed::Begin, Renamed::Begin, Renamed::End(5)],
    );
}

#[test]
fn the_contents_of_variants_change() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Later {
        Start,
        Stop(Option<u64>),
        Move(Vec<u8>),
        Note {
            #[serde(default)]
            level: u8,
            text: String,
        },
    }
    let old = frozen(&events(), EVENTS);
    reads(
        &old,
        vec![
            Later::Start,
            Later::Stop(Some(5)),
            Later::Move(vec![1, 2]),
            Later::Note { level: 0, text: "a".into() },
        ],
    );
    let new = wbin::to_vec(&[Later::Note { level: 3, text: "a".into() }]).unwrap();
    reads(&new, vec![Event::Note { text: "a".into() }]);
    // A unit variant gets contents: old documents lack them.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Filled {
        Start(Option<u8>),
    }
    assert_eq!(refuses::<Filled>(&wbin::to_vec("Start").unwrap(), "invalid-type").offset(), Some(0));
    reads(&wbin!({"Start": null}).to_vec().unwrap(), Filled::Start(None));
    // And loses them: null is what is left.
    reads(&wbin!({"Start": null}).to_vec().unwrap(), Event::Start);
    assert_eq!(
        refuses::<Event>(&wbin!({"Start": 5}).to_vec().unwrap(), "invalid-type").path().as_deref(),
        Some(".Start")
    );
    // A newtype variant around a struct and a struct variant are the same bytes.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Moved {
        Note(Note),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Note {
        text: String,
    }
    let bytes = frozen(&Moved::Note(Note { text: "a".into() }), "91 44 4e6f7465 91 44 74657874 41 61");
    reads(&bytes, Event::Note { text: "a".into() });
}

#[test]
fn an_enum_changes_its_representation_together_with_its_readers() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "type")]
    enum Internal {
        Start,
        Note { text: String },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "type", content = "of")]
    enum Adjacent {
        Start,
        Note { text: String },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Any {
        Internal(Internal),
        External(Event),
    }
    let note = || "a".to_string();
    frozen(&Internal::Start, "91 44 74797065 45 5374617274");
    let internal = frozen(&Internal::Note { text: note() }, "92 44 74797065 44 4e6f7465 44 74657874 41 61");
    frozen(&Adjacent::Start, "91 44 74797065 45 5374617274");
    frozen(&Adjacent::Note { text: note() }, "92 44 74797065 44 4e6f7465 42 6f66 91 44 74657874 41 61");
    // For a time, both are read.
    reads(&internal, Any::Internal(Internal::Note { text: note() }));
    reads(&wbin::to_vec(&events()[3]).unwrap(), Any::External(Event::Note { text: note() }));
    reads(&wbin::to_vec(&events()[0]).unwrap(), Any::External(Event::Start));
}

#[test]
fn the_bytes_of_version_one_stay_what_they_are() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct All {
        unit: (),
        flag: bool,
        ints: (i8, u64, i128),
        floats: (f32, f64, f64),
        text: (char, String),
        list: Vec<Option<Option<u8>>>,
        map: BTreeMap<i32, String>,
        #[serde(with = "wbin::with::duration")]
        span: std::time::Duration,
        #[serde(with = "wbin::with::uuid")]
        id: [u8; 16],
        at: wbin::ext::Timestamp,
        price: wbin::ext::Decimal,
        big: wbin::ext::BigInt,
        own: wbin::ext::Tagged<[u8; 2]>,
        #[serde(with = "wbin::with::owned")]
        any: Value<'static>,
        events: Vec<Event>,
    }
    let all = || All {
        unit: (),
        flag: true,
        ints: (-33, u64::MAX, i128::MIN),
        floats: (0.1, 12.99, 1.0 / 3.0),
        text: ('😀', "é".into()),
        list: vec![None, Some(None), Some(Some(64))],
        map: BTreeMap::from([(-1, "a".into()), (300, String::new())]),
        span: std::time::Duration::new(1, 5),
        id: [1; 16],
        at: wbin::ext::Timestamp::new(1_700_000_000, 0).unwrap(),
        price: wbin::ext::Decimal::new(1999, -2),
        big: wbin::ext::BigInt::from(-256_i128),
        own: wbin::ext::Tagged { ext_type: 100, value: [1, 2] },
        any: wbin!({"k": [null, 2.5]}),
        events: events(),
    };
    let bytes = frozen(
        &all(),
        "9f
         44 756e6974 b8
         44 666c6167 ba
         44 696e7473 83 a820 a7ffffffffffffffff bdffffffffffffffffffffffffffffff7f
         46 666c6f617473 83 b6cdcccc3d b19a28 b7555555555555d53f
         44 74657874 82 44f09f9880 42c3a9
         44 6c697374 83 b8 bbb8 a040
         43 6d6170 92 ff 4161 a12c01 40
         44 7370616e 82 01 05
         42 6964 bf01 c410 01010101010101010101010101010101
         42 6174 bf00 a300f15365
         45 7072696365 bf03 82 a1cf07 fe
         43 626967 bf02 c402 00ff
         43 6f776e bfa064 82 01 02
         43 616e79 91 416b 82 b8 b1c900
         46 6576656e7473
         84 45 5374617274 91 44 53746f70 05 91 44 4d6f7665 82 01 02 91 44 4e6f7465 91 44 74657874 41 61",
    );
    reads(&bytes, all());
    // The same in other encodings of the same values, as other writers may choose them.
    let longer = unhex("82 a0 05 d0 a1 0600 be");
    reads(&longer, (5_u8, vec![6_u8]));
}
