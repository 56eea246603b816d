//! The crate against its naive twin, which is SPEC.md's decoder written down.

use super::fault;
use super::support::Tree;
use super::support::reference::{self, Fault};
use serde::de::IgnoredAny;
use wbin::{Config, Decoder, Encoder, Event, RawValue, Value, canonical, diag};

/// The form that the twin writes.
const PLAIN: Config = Config::new().plain(true);

/// Any bytes give the same value, or an error that SPEC.md allows, with the default limit and a low one.
pub fn differential(bytes: &[u8]) {
    for limit in [Config::DEFAULT_MAX_DEPTH, 3] {
        judge(bytes, &Config::new().max_depth(limit), limit as usize);
    }
}

fn judge(bytes: &[u8], config: &Config, limit: usize) {
    let twin = reference::judge(bytes, limit);
    // Equal keys in a plain column may be found before another fault in it, of which the twin says no more.
    let late = twin.as_ref().is_err_and(|refusal| refusal.late);
    let twin = twin.map_err(|refusal| refusal.faults);
    let faults: &[Fault] = twin.as_ref().err().map_or(&[], |faults| faults);
    let known =
        |error: &wbin::Error| faults.contains(&fault(error)) || late && error.name() == "duplicate-key";
    // One value and what is after it; well-formed is enough, so there is one answer (ERR-4).
    let end = reference::skip(bytes, limit);
    assert_eq!(config.skip(bytes).map_err(|error| fault(&error)), end);
    let ignored = config.take_from_slice::<IgnoredAny>(bytes).map(|(_, rest)| bytes.len() - rest.len());
    assert_eq!(ignored.map_err(|error| fault(&error)), end);

    // Of several faults any may be reported (ERR-5).
    let valid = |what: &str, got: wbin::Result<()>| match got {
        Ok(()) => assert!(twin.is_ok(), "{what} accepts, the twin says {faults:?}"),
        Err(error) => {
            assert!(known(&error), "{what}: {:?}, not in {faults:?}", fault(&error))
        }
    };
    valid("check", config.check(bytes));
    valid("RawValue", config.from_slice::<RawValue<'_>>(bytes).map(drop));

    let collision = twin.as_ref().is_ok_and(Tree::collides);
    for got in [Value::from_slice_with(bytes, config), config.from_slice(bytes)] {
        match (got, &twin) {
            (Ok(value), Ok(tree)) => {
                assert!(!collision, "an entry is lost (MAP-7)");
                let plain = tree.without_some();
                assert_eq!(Tree::from(&value), plain);
                let form = reference::preferred(&plain);
                assert_eq!(value.to_vec_with(&PLAIN).expect("an encoding"), form);
                // By columns it is not longer, and means the same.
                let by_default = value.to_vec().expect("an encoding");
                assert!(by_default.len() <= form.len());
                assert_eq!(reference::decode(&by_default, 128).map(|tree| tree.without_some()), Ok(plain));
            }
            (Err(error), Ok(_)) => assert!(collision && error.name() == "duplicate-key", "{error}"),
            // Keys may collide here that are different to the twin.
            (Err(error), Err(_)) if error.name() == "duplicate-key" && bytes.contains(&0xBB) => {}
            (Err(error), Err(_)) => {
                assert!(known(&error), "{:?}, not in {faults:?}", fault(&error))
            }
            (Ok(value), Err(_)) => panic!("{value:?}, but the twin says {faults:?}"),
        }
    }

    // Events do not compare keys.
    let readable: Vec<Fault> = faults.iter().copied().filter(|(name, _)| *name != "duplicate-key").collect();
    match copy(bytes, config) {
        Ok((tree, copied)) => {
            assert!(readable.is_empty(), "events of {readable:?}");
            if let Ok(twin) = &twin {
                assert_eq!(tree, *twin);
                assert_eq!(copied.expect("an encoding"), reference::preferred(twin));
            } else {
                assert_eq!(copied.expect_err("equal keys").name(), "duplicate-key", "LIM-5");
            }
        }
        // Those of columns were compared when these were opened.
        Err(error) => assert!(known(&error), "events: {:?}", fault(&error)),
    }
    if limit as u32 == Config::DEFAULT_MAX_DEPTH {
        match diag::to_string(bytes) {
            Ok(text) => {
                assert!(readable.is_empty(), "the notation of {readable:?}");
                let parsed = diag::parse(&text).map_err(|error| error.name());
                assert_eq!(parsed, twin.as_ref().map(reference::preferred).map_err(|_| "duplicate-key"));
            }
            Err(error) => assert!(known(&error), "the notation: {:?}", fault(&error)),
        }
    }

    let form = twin.as_ref().ok().and_then(reference::canonical);
    match (config.to_canonical(bytes), &form) {
        (Ok(got), Some(form)) => assert_eq!(got, *form),
        (Err(error), None) if error.name() == "duplicate-key" => {}
        (Err(error), None) => assert!(known(&error), "to_canonical: {:?}", fault(&error)),
        (got, _) => panic!("the canonical form: {got:?}, but the twin says {form:?}"),
    }
    let strict = config.strict(true).check(bytes);
    assert_eq!(strict.is_ok(), form.as_deref() == Some(bytes), "{strict:?}");
    if limit as u32 == Config::DEFAULT_MAX_DEPTH {
        assert_eq!(
            canonical::check(bytes).map_err(|error| fault(&error)),
            strict.map_err(|error| fault(&error))
        );
    }
}

/// The tree of the events, and what an encoder writes that is told the same values.
#[allow(clippy::type_complexity)]
fn copy(bytes: &[u8], config: &Config) -> wbin::Result<(Tree, wbin::Result<Vec<u8>>)> {
    let mut decoder = Decoder::with_config(bytes, config)?;
    let tree = Tree::from_events(&mut decoder)?;
    decoder.finish()?;
    assert!(matches!(decoder.event(), Ok(None) | Err(_)) && !matches!(decoder.event(), Ok(Some(Event::End))));
    let mut encoder = Encoder::with_config(&config.plain(true));
    let copied = tree.encode(&mut encoder).and_then(|()| encoder.finish());
    Ok((tree, copied))
}
