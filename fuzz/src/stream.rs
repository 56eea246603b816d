//! Values one after the other: from slices, and from readers that deliver as they like.

use super::fault;
use super::support::reference::Fault;
use serde::de::IgnoredAny;
use std::cell::Cell;
use std::io::{BufReader, Error, ErrorKind, Read};
use wbin::{Config, OwnedValue, Value};

/// A reader that gives so many bytes at a time, is interrupted now and then, and fails where it is told to.
struct Chunks<'a> {
    bytes: &'a [u8],
    step: usize,
    interrupted: bool,
    fails: bool,
    taken: &'a Cell<usize>,
}

impl<'a> Chunks<'a> {
    fn new(bytes: &'a [u8], step: usize, taken: &'a Cell<usize>) -> Chunks<'a> {
        Chunks { bytes, step: step.max(1), interrupted: false, fails: false, taken }
    }
}

impl Read for Chunks<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        if self.bytes.is_empty() && self.fails {
            return Err(Error::other("no more of it"));
        }
        let n = self.step.min(buf.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(n);
        buf[..n].copy_from_slice(now);
        self.bytes = later;
        self.taken.set(self.taken.get() + n);
        Ok(n)
    }
}

/// The values of a sequence with the offsets behind them, and the error that ended it.
#[derive(PartialEq, Debug)]
struct Seen {
    values: Vec<(Value<'static>, usize)>,
    error: Option<(&'static str, Option<usize>)>,
    /// Where the next value would begin, or the one at fault begins.
    end: usize,
}

fn from_reader(reader: impl Read, config: &Config) -> Seen {
    let mut items = config.iter_reader::<_, OwnedValue>(reader);
    let (mut values, mut error) = (Vec::new(), None);
    while let Some(item) = items.next() {
        match item {
            Ok(OwnedValue(value)) => values.push((value, items.byte_offset())),
            Err(fault) => {
                error = Some((fault.name(), fault.offset()));
                assert!(items.next().is_none(), "what has ended stays so");
            }
        }
    }
    Seen { values, error, end: items.byte_offset() }
}

/// A slice and a reader give the same values, and end in the same way.
pub(crate) fn sequences(bytes: &[u8], config: &Config) {
    let reader = from_reader(bytes, config);
    let mut slice = config.iter::<Value<'_>>(bytes);
    for (value, end) in &reader.values {
        assert_eq!(slice.next().map(|item| item.map_err(|error| fault(&error))), Some(Ok(value.clone())));
        assert_eq!(slice.byte_offset(), *end);
    }
    let there = match reader.error {
        None => {
            assert!(slice.next().is_none() && reader.end == bytes.len());
            return;
        }
        // A slice has no such limit.
        Some(("input-limit", _)) => return,
        Some((name, offset)) => (name, offset.expect("an error of reading has an offset")),
    };
    let here = fault(&slice.next().expect("an error").expect_err("refused from a reader"));
    // Of several faults either may come first (ERR-5), since a reader does not see the end, and passes over
    // the whole value before it looks into it.
    let at = slice.byte_offset();
    if at > 0 && bytes[at] == 0xDF {
        assert_eq!((here, there), (("bad-signature", at), ("bad-signature", at)));
        return;
    }
    match config.skip(&bytes[at..]).map_err(|error| fault(&error)) {
        Ok(_) => assert_eq!(here, there),
        // (Strict reading may refuse something before that.)
        Err(("depth-limit", place)) if !config.is_strict() => assert_eq!(there, ("depth-limit", at + place)),
        Err(_) => {}
    }
    assert!(slice.next().is_none());
    assert_eq!(at, reader.end);
}

/// The first three bytes say how what follows is delivered, and which limits there are.
pub fn stream(bytes: &[u8]) {
    let [step, options, limit, bytes @ ..] = bytes else { return };
    let (step, limit) = (usize::from(*step), usize::from(*limit));
    let depth = [0, 1, 3, Config::DEFAULT_MAX_DEPTH][usize::from(options & 3)];
    let config = Config::new().max_depth(depth).strict(options & 4 != 0);
    sequences(bytes, &config);

    // However it is delivered, the same is seen, and nothing is read beyond the value that is asked for.
    let limited = config.max_input(limit as u64);
    for config in [config, limited] {
        let whole = from_reader(bytes, &config);
        let taken = Cell::new(0);
        assert_eq!(from_reader(Chunks::new(bytes, step, &taken), &config), whole);
        if whole.error.is_none() {
            assert_eq!(taken.get(), bytes.len());
        }
        let buffered = BufReader::with_capacity(1 + limit, Chunks::new(bytes, step, &taken));
        assert_eq!(from_reader(buffered, &config), whole);
        let taken = Cell::new(0);
        let mut items = config.iter_reader::<_, IgnoredAny>(Chunks::new(bytes, 256, &taken));
        while let Some(Ok(_)) = items.next() {
            assert_eq!(taken.get(), items.byte_offset());
        }
    }

    // A reader that fails: all values before are there, and then its error, unless there is another before.
    let cut = limit.min(bytes.len());
    let whole = from_reader(bytes, &config);
    let taken = Cell::new(0);
    let failing = Chunks { fails: true, ..Chunks::new(&bytes[..cut], step, &taken) };
    let seen = from_reader(failing, &config);
    let before = whole.values.iter().filter(|(_, end)| *end <= cut).count();
    assert_eq!(seen.values, whole.values[..before]);
    match seen.error {
        Some(("io", None)) => {}
        error => assert_eq!(error, whole.error, "another error before that of the reader"),
    }

    one(bytes, step, &config, limit as u64);
}

/// A document from a reader is what it is in a slice, and two of them are two.
fn one(bytes: &[u8], step: usize, config: &Config, limit: u64) {
    let here = config.from_slice::<OwnedValue>(bytes).map(|OwnedValue(value)| value);
    let faults = |got: wbin::Result<Value<'static>>| got.map_err(|error| fault(&error));
    let here: Result<Value<'_>, Fault> = faults(here);
    let taken = Cell::new(0);
    let read = |config: &Config| {
        let got = config.from_reader::<_, OwnedValue>(Chunks::new(bytes, step, &taken));
        got.map(|OwnedValue(value)| value)
    };
    assert_eq!(faults(read(config)), here);
    match read(&config.max_input(limit)) {
        Err(error) if bytes.len() as u64 > limit => assert_eq!(error.name(), "input-limit"),
        got => assert_eq!(faults(got), here),
    }
    let Ok(value) = here else { return };
    if bytes.first() != Some(&0xDF) {
        let twice = [bytes, bytes].concat();
        let values = vec![(value.clone(), bytes.len()), (value, 2 * bytes.len())];
        let expected = Seen { values, error: None, end: 2 * bytes.len() };
        assert_eq!(from_reader(Chunks::new(&twice, step, &taken), config), expected);
        sequences(&twice, config);
    }
}
