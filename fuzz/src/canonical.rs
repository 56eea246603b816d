//! Strict reading accepts what the canonical form is, and nothing else.

use super::support::{Tree, reference};
use serde::de::IgnoredAny;
use wbin::{Config, Decoder, OwnedValue, RawValue, Value, canonical as form};

/// Every reader, and whether it looks through `some`, whereby keys may become equal (MAP-7).
type Reader = fn(&Config, &[u8]) -> wbin::Result<()>;
const READERS: [(&str, bool, Reader); 11] = [
    ("check", false, |config, bytes| config.check(bytes)),
    ("canonical::check", false, |_, bytes| form::check(bytes)),
    ("Value::from_slice", true, |config, bytes| Value::from_slice_with(bytes, config).map(drop)),
    ("Value by serde", true, |config, bytes| config.from_slice::<Value<'_>>(bytes).map(drop)),
    ("a value from a reader", true, |config, bytes| config.from_reader::<_, OwnedValue>(bytes).map(drop)),
    ("IgnoredAny", false, |config, bytes| config.from_slice::<IgnoredAny>(bytes).map(drop)),
    ("RawValue", false, |config, bytes| config.from_slice::<RawValue<'_>>(bytes).map(drop)),
    ("events", false, |config, bytes| {
        let mut decoder = Decoder::with_config(bytes, config)?;
        Tree::from_events(&mut decoder)?;
        decoder.finish()
    }),
    ("the first", false, |config, bytes| match config.take_from_slice::<IgnoredAny>(bytes)? {
        (_, []) => Ok(()),
        _ => config.check(bytes),
    }),
    ("a sequence", false, |config, bytes| only(config.iter::<IgnoredAny>(bytes))),
    ("a sequence from a reader", false, |config, bytes| only(config.iter_reader::<_, IgnoredAny>(bytes))),
];

/// The one item of a sequence, or the error that more of them or none are.
fn only(mut items: impl Iterator<Item = wbin::Result<IgnoredAny>>) -> wbin::Result<()> {
    let Some(first) = items.next() else { return form::check(&[]) };
    first?;
    match items.next() {
        Some(second) => second.and_then(|_| form::check(&[0, 0])),
        None => Ok(()),
    }
}

/// Any bytes: what is canonical, and for values, that nothing but the value decides what the form is.
pub fn canonical(bytes: &[u8]) {
    let twin = reference::decode(bytes, 128).ok();
    let expected = twin.as_ref().and_then(reference::canonical);
    assert_eq!(form::to_canonical(bytes).ok(), expected);
    let is_canonical = expected.as_deref() == Some(bytes);
    let collides = twin.as_ref().is_some_and(Tree::collides);
    let strict = Config::new().strict(true);
    for (name, looks_through, read) in READERS {
        let got = read(&strict, bytes);
        let accepts = is_canonical && !(looks_through && collides);
        assert_eq!(got.is_ok(), accepts, "{name}: {got:?}");
    }
    let (Some(tree), Some(expected)) = (twin, expected) else { return };
    assert!(
        READERS
            .iter()
            .all(|(_, looks_through, read)| { looks_through & collides || read(&strict, &expected).is_ok() })
    );

    // Neither the order of entries nor the bits of NaNs nor columns make a difference.
    let turned = turned(&tree);
    for other in [reference::preferred(&turned), wbin::to_vec(&turned).expect("an encoding")] {
        assert_eq!(form::to_canonical(&other).ok().as_ref(), Some(&expected));
    }
    let config = Config::new().canonical(true);
    assert_eq!(config.to_vec(&turned).expect("an encoding"), expected);
}

/// The same value with the entries of every map in the opposite order, and every NaN another one.
fn turned(tree: &Tree) -> Tree {
    match tree {
        Tree::Float(bits) if f64::from_bits(*bits).is_nan() => Tree::Float(0xFFF0_0000_0000_0001),
        Tree::List(items) => Tree::List(items.iter().map(turned).collect()),
        Tree::Map(entries) => {
            Tree::Map(entries.iter().rev().map(|(key, value)| (turned(key), turned(value))).collect())
        }
        Tree::Ext(ext_type, payload) => Tree::Ext(*ext_type, Box::new(turned(payload))),
        Tree::Some(payload) => Tree::Some(Box::new(turned(payload))),
        scalar => scalar.clone(),
    }
}
