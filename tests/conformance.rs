//! Does the crate do what the vectors of `tests/vectors` say, on every way in and out?
//!
//! Each case goes through every entry point that it concerns: slices, readers (one of them gives a
//! byte at a time), iterators, events, cursors, raw values, strict reading, the canonical form, the
//! notation, and back through every way of writing. The naive twin runs along, so that it is known
//! to be right where other tests let it judge.
#![cfg(all(feature = "std", feature = "serde"))]

mod support;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::Cursor as IoCursor;
use support::vectors::{
    self, BytesCase, Cases, DiagCase, Direction, EqualityCase, Expected, File, JsonCase, LargeCase, Outcome,
    SequenceCase, SerdeCase,
};
use support::{OneByte, Tree, hex, reference, unhex};
use wbin::{
    Config, Cursor, Decoder, Encoder, Error, Event, OwnedValue, RawValue, Value, canonical, diag, ext,
};

/// What a reader gives: a value, or the name and the offset of an error.
type Answer<T> = Result<T, (String, Option<usize>)>;

fn answer<T>(result: wbin::Result<T>) -> Answer<T> {
    result.map_err(|error| (error.name().to_string(), error.offset()))
}

fn refusal(expected: &Expected) -> (String, Option<usize>) {
    (expected.error.clone(), Some(expected.offset))
}

/// The checks of one case.
#[derive(Default)]
struct Checks {
    done: usize,
    faults: Vec<String>,
}

impl Checks {
    fn same<T: PartialEq + Debug>(&mut self, what: &str, got: T, expected: &T) {
        self.done += 1;
        if got != *expected {
            self.faults.push(format!("{what}: {got:?}, expected {expected:?}"));
        }
    }

    fn hold(&mut self, what: &str, holds: bool) {
        self.done += 1;
        if !holds {
            self.faults.push(what.to_string());
        }
    }

    /// Bytes, shown as hex digits.
    fn bytes(&mut self, what: &str, got: wbin::Result<Vec<u8>>, expected: &Answer<Vec<u8>>) {
        let as_hex = |answer: Answer<Vec<u8>>| answer.map(|bytes| hex(&bytes));
        self.same(what, as_hex(answer(got)), &as_hex(expected.clone()));
    }

    fn value(&mut self, what: &str, got: wbin::Result<Value<'_>>, expected: &Answer<Tree>) {
        self.same(what, answer(got).map(|value| Tree::from(&value)), expected);
    }

    fn tree(&mut self, what: &str, got: wbin::Result<Tree>, expected: &Answer<Tree>) {
        self.same(what, answer(got), expected);
    }
}

// --- kind `bytes` ---------------------------------------------------------------------------------

/// What the crate has to answer to one document, in every respect.
struct Truth {
    /// Readers that know `some`, of the whole document.
    tree: Answer<Tree>,
    /// Readers that look through it.
    value: Answer<Tree>,
    /// The length of the first value.
    skip: Answer<usize>,
    /// Bytes after the value are the only fault: readers of the first value accept.
    first_only: bool,
    /// Strict reading: `Err(None)` if the name is not fixed.
    strict: Result<(), Option<(String, Option<usize>)>>,
    preferred: Answer<Vec<u8>>,
    /// What is written by default: `preferred`, or shorter with columns.
    written: Answer<Vec<u8>>,
    canonical: Answer<Vec<u8>>,
}

fn config_of(case: &BytesCase) -> Config {
    let config = Config::new();
    case.max_depth.map_or(config, |levels| config.max_depth(levels))
}

fn truth(case: &BytesCase, checks: &mut Checks) -> Option<Truth> {
    let bytes = case.bytes();
    let limit = config_of(case).get_max_depth() as usize;
    let twin = reference::decode(&bytes, limit);
    let error = case.error.clone().zip(case.offset).map(|(error, offset)| (error, Some(offset)));
    // A limit of a stream does not concern the twin, nor slices.
    let of_slices = match case.max_input {
        Some(_) => None,
        None => error.clone(),
    };
    match (&twin, &of_slices) {
        (Ok(_), None) => {}
        (Err(faults), Some((name, offset))) => {
            let known = faults.iter().any(|fault| fault.0 == name && Some(fault.1) == *offset);
            checks.hold(&format!("the twin knows only {faults:?}"), known);
        }
        (Err(faults), None) => checks.hold(&format!("the twin finds {faults:?}"), false),
        (Ok(_), Some(error)) => checks.hold(&format!("the twin accepts, no {error:?}"), false),
    }
    let tree = match of_slices {
        Some(error) => Err(error),
        None => Ok(twin.ok()?),
    };
    if let (Some(json), Ok(tree)) = (&case.value, &tree) {
        checks.same("the value, of the twin", Ok(tree.clone()), &Tree::from_vector(json));
    }
    let value = match &case.look_through_error {
        Some(expected) => Err(refusal(expected)),
        None => tree.clone().map(|tree| tree.without_some()),
    };
    let trailing = case.error.as_deref() == Some("trailing-bytes");
    let skip = match (&tree, case.well_formed, case.offset) {
        (Ok(_), _, _) | (Err(_), Some(true), _) => Ok(bytes.len()),
        (Err(_), _, Some(offset)) if trailing => Ok(offset),
        (Err(error), _, _) => Err(error.clone()),
    };
    let twin_skip = reference::skip(&bytes, limit).map_err(|(name, offset)| (name.to_string(), Some(offset)));
    checks.same("skipping, by the twin", twin_skip, &skip);
    let strict = match (case.result, &case.strict_error, case.strict_offset) {
        (Outcome::Canonical, _, _) => Ok(()),
        (Outcome::Noncanonical, _, offset) => Err(Some(("not-canonical".to_string(), offset))),
        (_, Some(name), offset) => Err(Some((name.clone(), offset))),
        // What is too much for a stream is not for a slice.
        (_, None, _) if case.max_input.is_some() => match reference::canonical(tree.as_ref().ok()?) {
            Some(form) if form == bytes => Ok(()),
            _ => Err(None),
        },
        _ => Err(None),
    };
    let canonical = match (&case.canonical, &case.canonical_error, &tree) {
        (Some(form), _, _) => Ok(unhex(form)),
        (_, Some(expected), _) => Err(refusal(expected)),
        (_, _, Ok(tree)) => Ok(reference::canonical(tree)?),
        (_, _, Err(error)) => Err(error.clone()),
    };
    let preferred = match (&case.preferred, &tree) {
        (Some(form), _) => Ok(unhex(form)),
        (None, Ok(_)) => canonical.clone(),
        (None, Err(error)) => Err(error.clone()),
    };
    if let Ok(tree) = &tree {
        checks.bytes("the preferred encoding, by the twin", Ok(reference::preferred(tree)), &preferred);
        let form = reference::canonical(tree);
        checks.same(
            "the canonical form, by the twin",
            form.as_deref().map(hex),
            &canonical.as_deref().ok().map(hex),
        );
    }
    let written = match &tree {
        Ok(tree) => written(checks, tree, &config_of(case), &preferred),
        Err(error) => Err(error.clone()),
    };
    Some(Truth { tree, value, skip, first_only: trailing, strict, preferred, written, canonical })
}

/// What is written by default, which has to mean the same and not to be longer than the plain form.
fn written(checks: &mut Checks, tree: &Tree, config: &Config, plain: &Answer<Vec<u8>>) -> Answer<Vec<u8>> {
    let written = answer(config.to_vec(tree));
    match (&written, plain) {
        (Ok(bytes), Ok(plain)) => {
            checks.hold("what is written is longer than the plain form", bytes.len() <= plain.len());
            checks.tree("what is written", config.from_slice(bytes), &Ok(tree.clone()));
            let twin = reference::decode(bytes, config.get_max_depth() as usize);
            checks.same("what is written, by the twin", twin.as_ref(), &Ok(tree));
        }
        _ => checks.same("what is written", written.as_ref(), &plain.as_ref()),
    }
    written
}

/// One way of writing, of which both forms are known.
fn both(
    checks: &mut Checks,
    what: &str,
    config: &Config,
    (plain, written): (&Answer<Vec<u8>>, &Answer<Vec<u8>>),
    write: impl Fn(&Config) -> wbin::Result<Vec<u8>>,
) {
    checks.bytes(what, write(config), written);
    checks.bytes(&format!("{what}, plain"), write(&config.plain(true)), plain);
}

fn bytes_case(case: &BytesCase) -> Checks {
    let mut checks = Checks::default();
    let (bytes, config) = (case.bytes(), config_of(case));
    if case.result == Outcome::Canonical {
        checks.hold("a canonical case is its own canonical form", case.canonical.as_ref() == Some(&case.hex));
    }
    let Some(truth) = truth(case, &mut checks) else {
        checks.hold("the case declares what the twin refuses to be valid", false);
        return checks;
    };
    read(&mut checks, &bytes, &config, &truth, case);
    read_first(&mut checks, &bytes, &config, &truth, case);
    pass_over(&mut checks, &bytes, &config, &truth);
    read_strictly(&mut checks, &bytes, &config, &truth, case);
    notation(&mut checks, &bytes, &truth, case);
    write(&mut checks, &bytes, &config, &truth);
    cut(&mut checks, &bytes, &config, &truth, case);
    known(&mut checks, &bytes, case);
    checks
}

/// Readers of a whole document.
fn read(checks: &mut Checks, bytes: &[u8], config: &Config, truth: &Truth, case: &BytesCase) {
    let Truth { tree, value, .. } = truth;
    checks.value("Value::from_slice_with", Value::from_slice_with(bytes, config), value);
    checks.value("from_slice into a Value", config.from_slice(bytes), value);
    checks.value("deserialize into a Value", config.deserialize(bytes), value);
    checks.tree("from_slice into a tree", config.from_slice(bytes), tree);
    checks.same("check", answer(config.check(bytes)), &tree.clone().map(drop));

    // The limit of a reader concerns readers only.
    let (mut config, mut tree, mut value) = (*config, tree.clone(), value.clone());
    if let Some(most) = case.max_input {
        config = config.max_input(most);
        if let Some((error, offset)) = case.error.clone().zip(case.offset) {
            tree = Err((error.clone(), Some(offset)));
            value = Err((error, Some(offset)));
        }
    }
    let owned = |got: wbin::Result<OwnedValue>| got.map(|value| value.0);
    checks.value("from_reader", owned(config.from_reader(IoCursor::new(bytes))), &value);
    checks.value("from_reader, bytes one by one", owned(config.from_reader(OneByte::new(bytes))), &value);
    checks.tree("from_reader into a tree", config.from_reader(OneByte::new(bytes)), &tree);

    if case.max_depth.is_none() && case.max_input.is_none() {
        checks.value("Value::from_slice", Value::from_slice(bytes), &value);
        checks.value("Value::from_reader", Value::from_reader(OneByte::new(bytes)), &value);
        checks.value("wbin::from_slice", wbin::from_slice(bytes), &value);
        checks.value("wbin::deserialize", wbin::deserialize(bytes), &value);
        checks.value("wbin::from_reader", owned(wbin::from_reader(bytes)), &value);
        checks.tree("wbin::from_slice into a tree", wbin::from_slice(bytes), &tree);
        checks.same("wbin::check", answer(wbin::check(bytes)), &tree.clone().map(drop));

        let unsigned = bytes.strip_prefix(&wbin::tag::SIGNATURE).unwrap_or(bytes);
        let raw = RawValue::from_slice(bytes).map(|raw| raw.as_bytes().to_vec());
        checks.bytes("RawValue::from_slice", raw, &tree.clone().map(|_| unsigned.to_vec()));
        let raw = RawValue::from_vec(bytes.to_vec()).map(RawValue::into_vec);
        checks.bytes("RawValue::from_vec", raw, &tree.clone().map(|_| unsigned.to_vec()));
        let raw = wbin::from_slice::<RawValue<'_>>(bytes).map(RawValue::into_vec);
        checks.bytes("from_slice into a RawValue", raw, &tree.clone().map(|_| unsigned.to_vec()));
        if let Ok(raw) = RawValue::from_slice(bytes) {
            // Offsets are those of the raw value, which has no signature.
            let shift = bytes.len() - unsigned.len();
            let moved = value.clone().map_err(|(name, offset)| (name, offset.map(|offset| offset - shift)));
            checks.value("RawValue::to_value", raw.to_value(), &moved);
            checks.value("RawValue::decode", raw.decode(), &moved);
            checks.same("the notation of a RawValue", Some(format!("{raw:?}")), &case.diag);
        }
    }
}

/// Readers of the first value, and what they leave.
fn read_first(checks: &mut Checks, bytes: &[u8], config: &Config, truth: &Truth, case: &BytesCase) {
    let end = truth.skip.clone().unwrap_or(bytes.len());
    let twin = || reference::decode(&bytes[..end], config.get_max_depth() as usize).ok();
    let (tree, value) = match truth.first_only {
        true => {
            let Some(tree) = twin() else {
                return checks.hold("the first value is bad, not what comes after it", false);
            };
            (Ok(tree.clone()), Ok(tree.without_some()))
        }
        false => (truth.tree.clone(), truth.value.clone()),
    };
    let taken = config.take_from_slice(bytes).map(|(value, rest): (Value<'_>, _)| (Tree::from(&value), rest));
    checks.same("take_from_slice", answer(taken), &value.clone().map(|value| (value, &bytes[end..])));
    let taken = config.take_from_slice::<Tree>(bytes);
    checks.same(
        "take_from_slice into a tree",
        answer(taken),
        &tree.clone().map(|tree| (tree, &bytes[end..])),
    );

    let mut decoder = Decoder::with_config(bytes, config).expect("a decoder that is not strict");
    checks.value("Decoder::value", decoder.value(), &value);
    if value.is_ok() {
        checks.same("where Decoder::value stops", decoder.position(), &end);
        checks.same("Decoder::finish", decoder.finish().is_ok(), &!truth.first_only);
    }
    let raw = |mut decoder: Decoder<'_>| decoder.raw().map(RawValue::into_vec);
    let signature = bytes.len() - bytes.strip_prefix(&wbin::tag::SIGNATURE).unwrap_or(bytes).len();
    let expected = tree.clone().map(|_| bytes[signature..end].to_vec());
    let decoder = Decoder::with_config(bytes, config).expect("a decoder that is not strict");
    checks.bytes("Decoder::raw", raw(decoder), &expected);

    let cursor = Cursor::with_config(bytes, config);
    checks.value("Cursor::to_value", cursor.to_value(), &value);
    checks.bytes("Cursor::raw", cursor.raw().map(RawValue::into_vec), &expected);

    // Events do not compare keys (that takes the whole map), but find all the rest; columns are checked
    // when they are opened.
    let mut decoder = Decoder::with_config(bytes, config).expect("a decoder that is not strict");
    let events = Tree::from_events(&mut decoder);
    match &tree {
        Err((name, _)) if name == "duplicate-key" => {
            let found = events.map_err(|error| error.name() == "duplicate-key");
            checks.hold("events of a map", !matches!(found, Err(false)));
        }
        _ => checks.tree("events", events, &tree),
    }

    // As the only or first one of a sequence; no bytes are a sequence of nothing.
    if bytes.is_empty() {
        checks.hold("iter of nothing", config.iter::<Tree>(bytes).next().is_none());
        checks.hold("iter_reader of nothing", config.iter_reader::<_, Tree>(bytes).next().is_none());
        return;
    }
    let mut iter = config.iter::<Value<'_>>(bytes);
    checks.value("iter", iter.next().unwrap_or_else(|| Ok(Value::Null)), &value);
    if value.is_ok() {
        checks.same("where iter stands", iter.byte_offset(), &end);
        checks.hold("what iter gives next", iter.next().is_some() == truth.first_only);
    }
    let first = config.iter::<Tree>(bytes).next().unwrap_or(Ok(Tree::Null));
    checks.tree("iter of trees", first, &tree);

    let (mut config, mut tree, mut value) = (*config, tree, value);
    if let Some(most) = case.max_input {
        config = config.max_input(most);
        if let Some((error, offset)) = case.error.clone().zip(case.offset) {
            tree = Err((error.clone(), Some(offset)));
            value = Err((error, Some(offset)));
        }
    }
    let mut iter = config.iter_reader::<_, OwnedValue>(OneByte::new(bytes));
    let first = iter.next().unwrap_or_else(|| Ok(OwnedValue(Value::Null)));
    checks.value("iter_reader", first.map(|value| value.0), &value);
    if value.is_ok() {
        checks.same("where iter_reader stands", iter.byte_offset(), &end);
        checks.hold("what iter_reader gives next", iter.next().is_some() == truth.first_only);
    }
    let mut iter = config.iter_reader::<_, Tree>(IoCursor::new(bytes));
    checks.tree("iter_reader of trees", iter.next().unwrap_or(Ok(Tree::Null)), &tree);
}

/// Going over a document without reading it: it needs to be well-formed only.
fn pass_over(checks: &mut Checks, bytes: &[u8], config: &Config, truth: &Truth) {
    checks.same("skip", answer(config.skip(bytes)), &truth.skip);
    if *config == Config::new() {
        checks.same("wbin::skip", answer(wbin::skip(bytes)), &truth.skip);
    }
    let mut decoder = Decoder::with_config(bytes, config).expect("a decoder that is not strict");
    let skipped = decoder.skip().map(|()| decoder.position());
    checks.same("Decoder::skip", answer(skipped), &truth.skip);
    let ignored = config.take_from_slice::<IgnoredAny>(bytes).map(|(_, rest)| bytes.len() - rest.len());
    checks.same("IgnoredAny", answer(ignored), &truth.skip);
}

fn read_strictly(checks: &mut Checks, bytes: &[u8], config: &Config, truth: &Truth, case: &BytesCase) {
    let strict = config.strict(true);
    let value = match (&truth.strict, &truth.value) {
        (Ok(()), value) => Ok(value.clone()),
        (Err(error), _) => Err(error.clone()),
    };
    let mut expect = |what: &str, got: wbin::Result<Value<'_>>| match &value {
        Ok(value) => checks.value(what, got, value),
        Err(Some(error)) => checks.value(what, got, &Err(error.clone())),
        Err(None) => checks.hold(&format!("{what} refuses"), got.is_err()),
    };
    expect("strict, Value::from_slice_with", Value::from_slice_with(bytes, &strict));
    expect("strict, from_slice", strict.from_slice(bytes));
    let owned = |got: wbin::Result<OwnedValue>| got.map(|value| value.0);
    expect("strict, from_reader", owned(strict.from_reader(OneByte::new(bytes))));
    if !truth.first_only && !bytes.is_empty() {
        expect("strict, take_from_slice", strict.take_from_slice(bytes).map(|(value, _)| value));
        expect("strict, iter", strict.iter(bytes).next().unwrap_or(Ok(Value::Null)));
        let first = strict.iter_reader(OneByte::new(bytes)).next();
        expect("strict, iter_reader", owned(first.unwrap_or(Ok(OwnedValue(Value::Null)))));
        let decoder = Decoder::with_config(bytes, &strict);
        expect("strict, Decoder::with_config", decoder.and_then(|mut decoder| decoder.value()));
    }
    let mut expect = |what: &str, got: wbin::Result<()>| match &truth.strict {
        Ok(()) => checks.same(what, answer(got), &Ok(())),
        Err(Some(error)) => checks.same(what, answer(got), &Err(error.clone())),
        Err(None) => checks.hold(&format!("{what} refuses"), got.is_err()),
    };
    expect("strict, check", strict.check(bytes));
    expect("strict, from_slice into a tree", strict.from_slice::<Tree>(bytes).map(drop));
    if case.max_depth.is_none() {
        expect("canonical::check", canonical::check(bytes));
    }
}

fn notation(checks: &mut Checks, bytes: &[u8], truth: &Truth, case: &BytesCase) {
    if case.max_depth.is_some() {
        return; // the notation has no switch for it
    }
    let printed = diag::to_string(bytes);
    match (&truth.tree, &case.diag) {
        (Ok(tree), Some(text)) => {
            checks.same("diag::to_string", answer(printed).as_ref(), &Ok(text));
            checks.bytes("diag::parse", diag::parse(text), &truth.preferred);
            let pretty = diag::to_string_pretty(bytes).and_then(|pretty| diag::parse(&pretty));
            checks.bytes("diag::to_string_pretty and back", pretty, &truth.preferred);
            if !tree.has_some() {
                checks.same("the notation of a Value", &tree.to_value().to_string(), &text);
            }
        }
        (Ok(_), None) => checks.hold("an accepted case without its notation", case.max_input.is_some()),
        // Keys that are equal are no obstacle to showing them, unless they stand in columns.
        (Err((name, _)), _) if name == "duplicate-key" => {
            let found = printed.map_err(|error| error.name() == "duplicate-key");
            checks.hold("diag::to_string", !matches!(found, Err(false)));
        }
        (Err(error), _) => checks.same("diag::to_string", answer(printed), &Err(error.clone())),
    }
}

/// Every way of writing the value.
fn write(checks: &mut Checks, bytes: &[u8], config: &Config, truth: &Truth) {
    let rewritten = config.to_canonical(bytes);
    checks.bytes("to_canonical", rewritten, &truth.canonical);
    if *config == Config::new() {
        checks.bytes("canonical::to_canonical", canonical::to_canonical(bytes), &truth.canonical);
    }
    let tree = match &truth.tree {
        Ok(tree) => tree,
        Err((name, _)) if name == "depth-limit" => return write_too_deep(checks, bytes, config),
        Err(_) => return,
    };
    if let Ok(form) = &truth.canonical {
        checks.bytes("the canonical form of itself", config.to_canonical(form), &truth.canonical);
    }

    let told = |config: &Config| {
        let mut encoder = Encoder::with_config(config);
        tree.encode(&mut encoder)?;
        encoder.finish()
    };
    let forms = (&truth.preferred, &truth.written);
    both(checks, "an Encoder", config, forms, told);
    both(checks, "to_vec of a tree", config, forms, |config| config.to_vec(tree));
    both(checks, "to_writer of a tree", config, forms, |config| {
        let mut written = Vec::new();
        config.to_writer(&mut written, tree).map(|()| written)
    });

    // An encoder knows no offsets in a document.
    let without_offset = truth.canonical.clone().map_err(|(name, _)| name);
    let named = |got: wbin::Result<Vec<u8>>| got.map_err(|error| error.name().to_string());
    let sorted = config.canonical(true);
    checks.same("to_vec in canonical form", named(sorted.to_vec(tree)), &without_offset);
    checks.same("an Encoder in canonical form", named(told(&sorted)), &without_offset);

    let signed =
        [forms.0, forms.1].map(|form| form.clone().map(|bytes| [&wbin::tag::SIGNATURE[..], &bytes].concat()));
    let forms_signed = (&signed[0], &signed[1]);
    let sign = config.signature(true);
    both(checks, "to_vec with the signature", &sign, forms_signed, |config| config.to_vec(tree));
    both(checks, "an Encoder with the signature", &sign, forms_signed, told);
    for signed in signed.iter().flatten() {
        checks.tree("what has the signature", config.from_slice(signed), &truth.tree);
    }

    // What events say goes back as it came: an open list stays one, if it is long.
    let replayed = |config: &Config| replay(bytes, config);
    match tree_is_long(tree) && (bytes.contains(&0xD0) || bytes.contains(&0xD1)) {
        false => both(checks, "events into an Encoder", config, forms, replayed),
        true => {
            for config in [*config, config.plain(true)] {
                let again = replayed(&config).and_then(|bytes| config.from_slice(&bytes));
                checks.tree("events into an Encoder", again, &truth.tree);
            }
        }
    }

    if *config == Config::new() {
        checks.bytes("wbin::to_vec of a tree", wbin::to_vec(tree), &truth.written);
        checks.bytes("wbin::serialize of a tree", wbin::serialize(tree), &truth.written);
        // What a raw value holds is not touched, unless by columns it is shorter.
        let unsigned = bytes.strip_prefix(&wbin::tag::SIGNATURE).unwrap_or(bytes);
        let raw = RawValue::from_slice(bytes);
        let again = raw.and_then(|raw| config.plain(true).to_vec(&raw));
        checks.bytes("to_vec of a RawValue, plain", again, &Ok(unsigned.to_vec()));
        let again = RawValue::from_slice(bytes).and_then(|raw| wbin::to_vec(&raw));
        let shorter = again.as_ref().is_ok_and(|again| again.len() < unsigned.len() || again == unsigned);
        checks.hold("to_vec of a RawValue is as long, and not the same", shorter);
        let again = again.and_then(|again| wbin::from_slice(&again));
        checks.tree("to_vec of a RawValue", again, &truth.tree);
    }

    let Ok(looked_through) = &truth.value else {
        return;
    };
    let value = looked_through.to_value();
    let form = match tree.has_some() {
        true => Ok(reference::preferred(looked_through)),
        false => truth.preferred.clone(),
    };
    let shortest = match tree.has_some() {
        true => written(checks, looked_through, config, &form),
        false => truth.written.clone(),
    };
    let forms = (&form, &shortest);
    both(checks, "Value::to_vec_with", config, forms, |config| value.to_vec_with(config));
    both(checks, "to_vec of a Value", config, forms, |config| config.to_vec(&value));
    both(checks, "Encoder::value", config, forms, |config| {
        let mut encoder = Encoder::with_config(config);
        encoder.value(&value)?;
        encoder.finish()
    });
    both(checks, "Encoder::serialize", config, forms, |config| {
        let mut encoder = Encoder::with_config(config);
        encoder.serialize(&value)?;
        encoder.finish()
    });
    if !tree.has_some() {
        let sorted = value.to_vec_with(&config.canonical(true));
        checks.same("Value::to_vec_with in canonical form", named(sorted), &without_offset);
    }
    if *config == Config::new() {
        checks.bytes("Value::to_vec", value.to_vec(), &shortest);
    }
}

/// What is too deep for a reader is too deep for a writer with the same limit (LIM-5).
fn write_too_deep(checks: &mut Checks, bytes: &[u8], config: &Config) {
    let Ok(tree) = reference::decode(bytes, 1000) else {
        return;
    };
    if tree.depth() <= config.get_max_depth() {
        return; // what made it too deep was a `some` that is not written
    }
    let refused = |got: wbin::Result<Vec<u8>>| got.err().map(|error| error.name());
    let mut encoder = Encoder::with_config(config);
    let told = tree.encode(&mut encoder).and_then(|()| encoder.finish());
    checks.same("an Encoder, too deep", refused(told), &Some("depth-limit"));
    checks.same("to_vec, too deep", refused(config.to_vec(&tree)), &Some("depth-limit"));
    let plain = tree.without_some();
    if plain.depth() > config.get_max_depth() {
        let value = plain.to_value();
        checks.same("a Value, too deep", refused(value.to_vec_with(config)), &Some("depth-limit"));
        checks.same("to_vec of a Value, too deep", refused(config.to_vec(&value)), &Some("depth-limit"));
    }
}

fn tree_is_long(tree: &Tree) -> bool {
    match tree {
        Tree::List(items) => items.len() > 15 || items.iter().any(tree_is_long),
        Tree::Map(entries) => {
            entries.len() > 15 || entries.iter().any(|(key, value)| tree_is_long(key) || tree_is_long(value))
        }
        Tree::Ext(_, payload) | Tree::Some(payload) => tree_is_long(payload),
        _ => false,
    }
}

/// The events of a document, told to an encoder.
fn replay(bytes: &[u8], config: &Config) -> wbin::Result<Vec<u8>> {
    let mut decoder = Decoder::with_config(bytes, config)?;
    let mut encoder = Encoder::with_config(config);
    while let Some(event) = decoder.event()? {
        match event {
            Event::Null => encoder.null()?,
            Event::Bool(on) => encoder.bool(on)?,
            Event::Int(int) => encoder.int(int)?,
            Event::Float(f) => encoder.f64(f)?,
            Event::String(text) => encoder.str(text)?,
            Event::Bytes(bytes) => encoder.bytes(bytes)?,
            Event::List(Some(n)) => encoder.list(n)?,
            Event::List(None) => encoder.open_list()?,
            Event::Map(Some(n)) => encoder.map(n)?,
            Event::Map(None) => encoder.open_map()?,
            Event::Ext(ext_type) => encoder.ext(ext_type)?,
            Event::Some => encoder.some()?,
            Event::End => encoder.end()?,
            other => panic!("an event that nobody knows: {other:?}"),
        };
    }
    encoder.finish()
}

/// Every strict prefix of what is accepted is truncated (GEN-3).
fn cut(checks: &mut Checks, bytes: &[u8], config: &Config, truth: &Truth, case: &BytesCase) {
    if truth.tree.is_err() {
        return;
    }
    let limit = config.get_max_depth() as usize;
    for end in 0..bytes.len() {
        let cut = &bytes[..end];
        let expected = match reference::decode(cut, limit) {
            Err(faults) if faults.len() == 1 => faults[0],
            other => panic!("{}: the twin says {other:?} to {end} bytes", case.id),
        };
        checks.hold(&format!("{end} bytes are {expected:?} to the twin"), expected.0 == "truncated");
        let refused = Err((expected.0.to_string(), Some(expected.1)));
        checks.same(&format!("check of {end} bytes"), answer(config.check(cut)), &refused);
        checks.same(&format!("skip of {end} bytes"), answer(config.skip(cut)).map(drop), &refused);
        let value = Value::from_slice_with(cut, config);
        checks.same(&format!("Value of {end} bytes"), answer(value).map(drop), &refused);
        let tree = config.from_slice::<Tree>(cut);
        checks.same(&format!("a tree of {end} bytes"), answer(tree).map(drop), &refused);
        let form = config.to_canonical(cut);
        checks.same(&format!("to_canonical of {end} bytes"), answer(form).map(drop), &refused);
        if end > 0 {
            let first = config.iter::<Tree>(cut).next().map(answer);
            checks.same(
                &format!("iter of {end} bytes"),
                first.map(|got| got.map(drop)),
                &Some(refused.clone()),
            );
            let first = config.iter_reader::<_, Tree>(OneByte::new(cut)).next().map(answer);
            let what = format!("iter_reader of {end} bytes");
            checks.same(&what, first.map(|got| got.map(drop)), &Some(refused.clone()));
        }
        if case.result == Outcome::Canonical {
            let strict = config.strict(true);
            checks.same(&format!("strict check of {end} bytes"), answer(strict.check(cut)), &refused);
        }
    }
}

/// Whoever reads an ext as the type that it is says whether its payload is good (EXT-5).
fn known(checks: &mut Checks, bytes: &[u8], case: &BytesCase) {
    let Some(known) = &case.known else {
        return;
    };
    fn reads<T: DeserializeOwned>(bytes: &[u8]) -> [bool; 2] {
        [wbin::from_slice::<T>(bytes).is_ok(), wbin::from_reader::<_, T>(OneByte::new(bytes)).is_ok()]
    }
    let got = match known.ext_type.as_str() {
        "timestamp" => reads::<ext::Timestamp>(bytes),
        "uuid" => reads::<ext::Uuid>(bytes),
        "big-integer" => reads::<ext::BigInt>(bytes),
        "decimal" => reads::<ext::Decimal>(bytes),
        other => panic!("{}: {other} is no known type", case.id),
    };
    checks.same(&format!("read as a {}", known.ext_type), got, &[known.valid; 2]);
}

// --- the other kinds ------------------------------------------------------------------------------

fn large_case(case: &LargeCase) -> Checks {
    let mut checks = Checks::default();
    let bytes = vectors::join(&case.parts);
    let config = Config::new();
    let shape = |value: &Value<'_>| match value {
        Value::String(text) => ("str".to_string(), text.len()),
        Value::Bytes(bytes) => ("bytes".to_string(), bytes.len()),
        Value::List(items) => ("list".to_string(), items.len()),
        Value::Map(entries) => ("map".to_string(), entries.len()),
        other => (other.kind().to_string(), 0),
    };
    let error = case.error.clone().zip(case.offset).map(|(error, offset)| (error, Some(offset)));
    let expected = match (&case.value, error) {
        (_, Some(error)) => Err(error),
        (Some(value), None) => Ok((value.kind.clone(), value.length)),
        (None, None) => panic!("{}: neither a value nor an error", case.id),
    };
    let owned = |got: wbin::Result<OwnedValue>| got.map(|value| value.0);
    let mut values: Vec<(&str, wbin::Result<Value<'_>>)> = vec![
        ("Value::from_slice", Value::from_slice(&bytes)),
        ("from_slice", wbin::from_slice(&bytes)),
        ("from_reader", owned(wbin::from_reader(OneByte::new(&bytes)))),
        ("take_from_slice", wbin::take_from_slice(&bytes).map(|(value, _)| value)),
        ("iter", wbin::iter(&bytes).next().expect("one value")),
        ("iter_reader", owned(wbin::iter_reader(OneByte::new(&bytes)).next().expect("one value"))),
        ("Decoder::value", Decoder::new(&bytes).value()),
        ("Cursor::to_value", Cursor::new(&bytes).to_value()),
    ];
    values.push((
        "RawValue",
        RawValue::from_slice(&bytes).and_then(|raw| raw.to_value().map(Value::into_owned)),
    ));
    for (what, got) in values {
        checks.same(what, answer(got).map(|value| shape(&value)), &expected);
    }
    let fine = expected.clone().map(drop);
    checks.same("check", answer(wbin::check(&bytes)), &fine);
    checks.same("skip", answer(wbin::skip(&bytes)), &fine.clone().map(|()| bytes.len()));
    checks.same("IgnoredAny", answer(wbin::from_slice::<IgnoredAny>(&bytes)).map(drop), &fine);
    checks.same("a tree", answer(wbin::from_slice::<Tree>(&bytes)).map(drop), &fine);
    checks.same("diag::to_string", answer(diag::to_string(&bytes)).map(drop), &fine);
    let strict = answer(config.strict(true).check(&bytes));
    match case.result {
        Outcome::Canonical => checks.same("strict check", strict, &Ok(())),
        Outcome::Noncanonical => {
            checks.same("strict check", strict, &Err(("not-canonical".to_string(), case.strict_offset)))
        }
        _ => checks.hold("strict check refuses", strict.is_err()),
    }
    // Millions of hex digits tell nobody anything.
    let form = case.canonical_parts.as_deref().map(vectors::join);
    let same = |got: wbin::Result<Vec<u8>>| match &form {
        Some(form) => got.is_ok_and(|got| got == *form),
        None => answer(got).map(drop) == fine,
    };
    checks.hold("to_canonical", same(canonical::to_canonical(&bytes)));
    if let Ok(value) = Value::from_slice(&bytes) {
        let plain = config.plain(true);
        checks.hold("Value::to_vec_with, plain", same(value.to_vec_with(&plain)));
        checks.hold("to_vec, plain", same(plain.to_vec(&value)));
        let written = value.to_vec().expect("an encoding");
        checks.hold("to_vec", wbin::to_vec(&value).is_ok_and(|bytes| bytes == written));
        checks.hold("Value::to_vec is longer", form.as_ref().is_none_or(|form| written.len() <= form.len()));
        checks.hold("Value::to_vec", Value::from_slice(&written).is_ok_and(|again| again == value));
        let text = diag::to_string(&bytes).expect("the notation");
        checks.hold("diag::parse", same(diag::parse(&text)));
    }
    checks
}

fn equality_case(case: &EqualityCase, skipped: &mut BTreeMap<&'static str, usize>) -> Checks {
    let mut checks = Checks::default();
    let (a, b) = (unhex(&case.a), unhex(&case.b));
    let trees = [&a, &b].map(|bytes| wbin::from_slice::<Tree>(bytes).expect("a valid document"));
    checks.same("trees", trees[0] == trees[1], &case.equal);
    let twins = [&a, &b].map(|bytes| reference::decode(bytes, 128).expect("a valid document"));
    checks.same("the twin", twins[0] == twins[1], &case.equal);
    let forms = trees.each_ref().map(|tree| wbin::to_vec(tree).expect("an encoding"));
    checks.same("preferred encodings", forms[0] == forms[1], &case.equal);

    // As keys of one map (MAP-6). A signature does not go into a map.
    let cut = |bytes: &[u8]| bytes.strip_prefix(&wbin::tag::SIGNATURE).unwrap_or(bytes).to_vec();
    let map = [vec![0x92], cut(&a), vec![0x00], cut(&b), vec![0x00]].concat();
    let second = 2 + cut(&a).len();
    let twice = Err(("duplicate-key".to_string(), Some(second)));
    let expected = if case.equal { twice } else { Ok(()) };
    checks.same("as keys, check", answer(wbin::check(&map)), &expected);
    checks.same("as keys, a tree", answer(wbin::from_slice::<Tree>(&map)).map(drop), &expected);
    let told = wbin::to_vec(&Tree::Map(vec![(trees[0].clone(), Tree::Null), (trees[1].clone(), Tree::Null)]));
    checks.same("as keys, to_vec", told.is_ok(), &!case.equal);

    if trees.iter().any(Tree::has_some) {
        // A `Value` looks through `some`, and cannot be asked.
        *skipped.entry("equality of a `Value` that would have to hold some").or_default() += 1;
        return checks;
    }
    let values = [&a, &b].map(|bytes| Value::from_slice(bytes).expect("a valid document"));
    checks.same("values", values[0] == values[1], &case.equal);
    checks.same("values, the other way round", values[1] == values[0], &case.equal);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    if case.equal {
        checks.same("hashes", hasher.hash_one(&values[0]), &hasher.hash_one(&values[1]));
    }
    checks.same("as keys, a Value", answer(Value::from_slice(&map)).map(drop), &expected);
    let [a, b] = values;
    let built = wbin::Map::try_from_entries(vec![(a, Value::Null), (b, Value::Null)]);
    checks.same("as keys, Map::try_from_entries", built.is_ok(), &!case.equal);
    checks
}

fn sequence_case(case: &SequenceCase) -> Checks {
    let mut checks = Checks::default();
    let bytes = unhex(&case.hex);
    let error = case.error.clone().zip(case.offset).map(|(error, offset)| (error, Some(offset)));
    let expected: Vec<Answer<String>> = case.diags.iter().cloned().map(Ok).chain(error.map(Err)).collect();
    let show = |tree: Tree| diag::to_string(&reference::preferred(&tree)).expect("the notation");
    let all = |trees: &mut dyn Iterator<Item = wbin::Result<Tree>>| -> Vec<Answer<String>> {
        trees.map(|tree| answer(tree).map(show)).collect()
    };
    let config = Config::new();
    checks.same("iter", all(&mut config.iter(&bytes)), &expected);
    checks.same("wbin::iter", all(&mut wbin::iter(&bytes)), &expected);
    checks.same("iter_reader", all(&mut config.iter_reader(OneByte::new(&bytes))), &expected);
    checks.same("wbin::iter_reader", all(&mut wbin::iter_reader(&bytes[..])), &expected);
    let values = config.iter::<Value<'_>>(&bytes).map(|value| answer(value).map(|value| value.to_string()));
    checks.same("iter of values", values.collect(), &expected);

    let mut decoder = Decoder::new(&bytes);
    let mut events = Vec::new();
    // Nothing at all is a sequence, though not a document.
    while !bytes.is_empty() {
        match decoder.more() {
            Ok(false) if decoder.position() == wbin::tag::SIGNATURE.len() && events.is_empty() => {}
            Ok(false) => break,
            Ok(true) => {}
            Err(error) => {
                events.push(Err((error.name().to_string(), error.offset())));
                break;
            }
        }
        let tree = Tree::from_events(&mut decoder);
        let failed = tree.is_err();
        events.push(answer(tree).map(show));
        if failed {
            break;
        }
    }
    checks.same("events", events, &expected);
    checks
}

fn diag_case(case: &DiagCase) -> Checks {
    let mut checks = Checks::default();
    let parsed = diag::parse(&case.text);
    let Some(digits) = &case.hex else {
        checks.hold("diag::parse refuses", parsed.is_err());
        return checks;
    };
    let bytes = unhex(digits);
    checks.bytes("diag::parse", parsed, &Ok(bytes.clone()));
    let printed = case.printed.clone().unwrap_or_else(|| case.text.clone());
    checks.same("diag::to_string", answer(diag::to_string(&bytes)), &Ok(printed.clone()));
    checks.bytes("diag::parse of what was printed", diag::parse(&printed), &Ok(bytes.clone()));
    let pretty = diag::to_string_pretty(&bytes).and_then(|pretty| diag::parse(&pretty));
    checks.bytes("diag::to_string_pretty and back", pretty, &Ok(bytes.clone()));
    let tree = wbin::from_slice::<Tree>(&bytes);
    checks.hold("the bytes are a document", tree.is_ok());
    if let Some(tree) = tree.ok().filter(|tree| !tree.has_some()) {
        checks.same("the notation of a Value", tree.to_value().to_string(), &printed);
        checks.same("Debug of a Value", format!("{:?}", tree.to_value()), &printed);
    }
    checks
}

#[cfg(not(feature = "json"))]
fn json_case(_: &JsonCase, skipped: &mut BTreeMap<&'static str, usize>) -> Checks {
    *skipped.entry("JSON, since the feature `json` is off").or_default() += 1;
    Checks::default()
}

#[cfg(feature = "json")]
fn json_case(case: &JsonCase, skipped: &mut BTreeMap<&'static str, usize>) -> Checks {
    use serde_json::Value as Json;
    use wbin::json;

    let mut checks = Checks::default();
    let bytes = case.hex.as_deref().map(unhex);
    if case.direction != Direction::To {
        // Any reader of JSON that drives serde: it keeps the order and shows repeated names.
        let read = serde_json::from_str::<Value<'_>>(&case.json).ok();
        let read = read.and_then(|value| json::resolve(value).ok()).map(|value| value.to_vec());
        let read = read.and_then(Result::ok);
        // `serde_json::Value`, which sorts.
        let sorted = serde_json::from_str::<Json>(&case.json).ok();
        let sorted = sorted.as_ref().and_then(|value| json::from_json(value).ok());
        let sorted = sorted.and_then(|value| value.to_vec_with(&Config::new().canonical(true)).ok());
        let canonical = bytes.as_deref().and_then(|bytes| canonical::to_canonical(bytes).ok());
        match case.needs.as_deref() {
            Some("exact-ints") => {
                *skipped.entry("JSON ints of more than 64 bits, which serde_json rounds").or_default() += 1;
            }
            Some("repeated-names") => {
                *skipped
                    .entry("repeated names in JSON, of which `serde_json::Value` keeps one")
                    .or_default() += 1;
                checks.hold("a repeated name is refused", read.is_none() && case.error.is_some());
            }
            Some(other) => panic!("{}: nothing is known of the need for {other}", case.id),
            None => {
                let expected = case.error.is_none().then(|| bytes.clone()).flatten();
                checks.same("JSON text to bytes", read.as_deref().map(hex), &expected.as_deref().map(hex));
                let expected = case.error.is_none().then_some(canonical).flatten();
                checks.same("from_json", sorted.as_deref().map(hex), &expected.as_deref().map(hex));
            }
        }
    }
    if case.direction != Direction::From {
        let bytes = bytes.unwrap_or_else(|| panic!("{}: to JSON from nothing", case.id));
        let value = Value::from_slice(&bytes).ok();
        let text = value.as_ref().and_then(|value| serde_json::to_string(&json::Json::new(value)).ok());
        let tree = value.as_ref().and_then(|value| json::to_json(value).ok());
        if case.error.is_some() {
            checks.hold("to JSON it is refused", text.is_none() && tree.is_none());
            return checks;
        }
        // Compared as JSON: with the order, with 1 and 1.0 apart, with the sign of zero.
        let read = |text: &str| serde_json::from_str::<Value<'_>>(text).map(Value::into_owned).ok();
        checks.same("to JSON text", text.as_deref().and_then(read), &read(&case.json));
        let read = |text: &str| serde_json::from_str::<Json>(text).ok();
        checks.same("to_json", tree, &read(&case.json));
    }
    checks
}

// --- kind `serde` ---------------------------------------------------------------------------------

#[derive(Serialize, Deserialize, Debug)]
struct Unit;

#[derive(Serialize, Deserialize, Debug)]
struct Newtype(u8);

#[derive(Serialize, Deserialize, Debug)]
struct Pair(u8, bool);

#[derive(Serialize, Deserialize, Debug)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Serialize, Deserialize, Debug)]
enum Shape {
    Empty,
    Circle(u8),
    Line(u8, u8),
    Rect { w: u8, h: u8 },
}

/// A vector that is bytes, not a list of ints.
struct ByteBuf(Vec<u8>);

impl Debug for ByteBuf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for ByteBuf {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for ByteBuf {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<ByteBuf, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = ByteBuf;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<ByteBuf, E> {
                Ok(ByteBuf(bytes.to_vec()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<ByteBuf, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = seq.next_element()? {
                    bytes.push(byte);
                }
                Ok(ByteBuf(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Span {
    #[serde(with = "wbin::with::duration")]
    span: std::time::Duration,
}

impl Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.span.fmt(f)
    }
}

/// Whatever comes, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Any(serde_json::Value);

impl Debug for Any {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

fn typed<T: Serialize + DeserializeOwned + Debug>(case: &SerdeCase) -> Checks {
    let mut checks = Checks::default();
    let bytes = unhex(&case.hex);
    checks.same("the notation", answer(diag::to_string(&bytes)), &Ok(case.diag.clone()));
    let expected = match (&case.value, &case.error) {
        (Some(value), None) => Ok(value.clone()),
        (None, Some(error)) => Err(error.clone()),
        _ => panic!("{}: a value, or an error", case.id),
    };
    let show = |got: wbin::Result<T>| match got {
        Ok(value) => Ok(format!("{value:?}")),
        Err(error) => Err(error.name().to_string()),
    };
    checks.same("from_slice", show(wbin::from_slice(&bytes)), &expected);
    checks.same("deserialize", show(wbin::deserialize(&bytes)), &expected);
    checks.same("from_reader", show(wbin::from_reader(OneByte::new(&bytes))), &expected);
    checks.same("take_from_slice", show(wbin::take_from_slice(&bytes).map(|(value, _)| value)), &expected);
    checks.same("iter", show(wbin::iter(&bytes).next().expect("one value")), &expected);
    let first = wbin::iter_reader(OneByte::new(&bytes)).next();
    checks.same("iter_reader", show(first.expect("one value")), &expected);
    let raw = RawValue::from_slice(&bytes).expect("a valid document");
    checks.same("RawValue::decode", show(raw.decode()), &expected);
    let mut deserializer = wbin::Deserializer::from_slice(&bytes);
    checks.same("a Deserializer", show(T::deserialize(&mut deserializer)), &expected);
    if case.direction == Direction::Both {
        match wbin::from_slice::<T>(&bytes) {
            Ok(value) => {
                checks.bytes("to_vec", wbin::to_vec(&value), &Ok(bytes.clone()));
                let mut encoder = Encoder::new();
                let encoded = encoder.serialize(&value).map(drop).and_then(|()| encoder.finish());
                checks.bytes("Encoder::serialize", encoded, &Ok(bytes));
            }
            Err(error) => checks.hold(&format!("nothing to write: {error}"), false),
        }
    }
    checks
}

fn serde_case(case: &SerdeCase) -> Checks {
    macro_rules! dispatch {
        ($($name:literal => $type:ty,)*) => {
            match case.type_name.as_str() {
                $($name => typed::<$type>(case),)*
                other => panic!("{}: nothing here is a {other}", case.id),
            }
        };
    }
    dispatch! {
        "bool" => bool,
        "i8" => i8,
        "i16" => i16,
        "i32" => i32,
        "i64" => i64,
        "i128" => i128,
        "u8" => u8,
        "u16" => u16,
        "u32" => u32,
        "u64" => u64,
        "u128" => u128,
        "f32" => f32,
        "f64" => f64,
        "char" => char,
        "String" => String,
        "bytes" => ByteBuf,
        "Vec<u8>" => Vec<u8>,
        "Vec<bool>" => Vec<bool>,
        "Option<u8>" => Option<u8>,
        "Option<()>" => Option<()>,
        "Option<Unit>" => Option<Unit>,
        "Option<Option<u8>>" => Option<Option<u8>>,
        "Option<Option<Option<u8>>>" => Option<Option<Option<u8>>>,
        "()" => (),
        "Unit" => Unit,
        "Newtype" => Newtype,
        "Pair" => Pair,
        "Point" => Point,
        "Shape" => Shape,
        "(u8, bool)" => (u8, bool),
        "BTreeMap<String, u8>" => BTreeMap<String, u8>,
        "BTreeMap<u8, bool>" => BTreeMap<u8, bool>,
        "Duration" => Span,
        "any" => Any,
    }
}

// --- running --------------------------------------------------------------------------------------

/// What became of the cases of some files.
#[derive(Default)]
struct Run {
    cases: usize,
    checks: usize,
    /// Of each case with a fault its id and its faults.
    faulty: Vec<(String, Vec<String>)>,
    /// What was left out, and why.
    skipped: BTreeMap<&'static str, usize>,
}

fn run(files: &[File], wanted: impl Fn(&Cases) -> bool) -> Run {
    let mut total = Run::default();
    for file in files.iter().filter(|file| wanted(&file.cases)) {
        let mut skipped = std::mem::take(&mut total.skipped);
        let results: Vec<(&str, Checks)> = match &file.cases {
            Cases::Bytes(cases) => cases.iter().map(|case| (case.id.as_str(), bytes_case(case))).collect(),
            Cases::Large(cases) => cases.iter().map(|case| (case.id.as_str(), large_case(case))).collect(),
            Cases::Equality(cases) => {
                cases.iter().map(|case| (case.id.as_str(), equality_case(case, &mut skipped))).collect()
            }
            Cases::Sequence(cases) => {
                cases.iter().map(|case| (case.id.as_str(), sequence_case(case))).collect()
            }
            Cases::Diag(cases) => cases.iter().map(|case| (case.id.as_str(), diag_case(case))).collect(),
            Cases::Json(cases) => {
                cases.iter().map(|case| (case.id.as_str(), json_case(case, &mut skipped))).collect()
            }
            Cases::Serde(cases) => cases.iter().map(|case| (case.id.as_str(), serde_case(case))).collect(),
        };
        let checks: usize = results.iter().map(|(_, checks)| checks.done).sum();
        println!("{}: {} cases, {checks} checks", file.topic, results.len());
        assert_eq!(results.len(), file.rules.len(), "cases of {} were lost", file.topic);
        total.cases += results.len();
        total.checks += checks;
        total.skipped = skipped;
        for (id, checks) in results {
            if !checks.faults.is_empty() {
                total.faulty.push((id.to_string(), checks.faults));
            }
        }
    }
    for (what, n) in &total.skipped {
        println!("skipped in {n} cases: {what}");
    }
    total
}

/// Runs the vectors of some kinds; there have to be as many as when this was written, or more.
fn pass(at_least: usize, wanted: impl Fn(&Cases) -> bool) {
    let run = run(&vectors::all(), wanted);
    for (id, faults) in &run.faulty {
        println!("{id}:");
        for fault in faults {
            let shown: String = fault.chars().take(600).collect();
            println!("    {shown}");
        }
    }
    assert!(run.faulty.is_empty(), "{} of {} cases have faults", run.faulty.len(), run.cases);
    assert!(run.cases >= at_least, "{} cases, of {at_least} and more", run.cases);
    println!("{} cases passed, with {} checks", run.cases, run.checks);
}

#[test]
fn documents() {
    pass(560, |cases| matches!(cases, Cases::Bytes(_)));
}

#[test]
fn large_documents() {
    pass(17, |cases| matches!(cases, Cases::Large(_)));
}

#[test]
fn equality() {
    pass(36, |cases| matches!(cases, Cases::Equality(_)));
}

#[test]
fn sequences() {
    pass(12, |cases| matches!(cases, Cases::Sequence(_)));
}

#[test]
fn diagnostic_notation() {
    pass(87, |cases| matches!(cases, Cases::Diag(_)));
}

#[test]
fn json_mapping() {
    pass(80, |cases| matches!(cases, Cases::Json(_)));
}

#[test]
fn serde_types() {
    pass(83, |cases| matches!(cases, Cases::Serde(_)));
}

/// A runner that passes a case of these does not look at what is wrong in it.
#[test]
fn faults_are_found() {
    let files = vectors::selftest();
    let json = cfg!(feature = "json");
    let run = run(&files, |cases| json || !matches!(cases, Cases::Json(_)));
    let found: Vec<&str> = run.faulty.iter().map(|(id, _)| id.as_str()).collect();
    for file in &files {
        if !json && matches!(file.cases, Cases::Json(_)) {
            continue;
        }
        for (id, _) in &file.rules {
            assert!(found.contains(&id.as_str()), "{id} is wrong on purpose, and passed");
        }
    }
    assert!(run.cases >= if json { 44 } else { 40 }, "{} cases", run.cases);
}

/// Ids are the names under which faults are reported.
#[test]
fn ids_are_unique() {
    let files = vectors::all();
    let mut ids: Vec<&str> = files.iter().flat_map(|file| &file.rules).map(|(id, _)| id.as_str()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// `Error` is what every entry point fails with; the runner relies on its name and offset alone.
#[test]
fn errors_have_names() {
    let error: Error = wbin::check(&[]).expect_err("nothing is no document");
    assert_eq!((error.name(), error.offset()), ("truncated", Some(0)));
}
