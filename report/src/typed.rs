//! Typed data: each format encodes the same structs, and decodes them into types that own their strings and into types
//! that borrow them from the input.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zerompk::{FromMessagePack, ToMessagePack};

use crate::codecs::{self, Class, Failure, Result};
use crate::compress;
use crate::figures::Figures;
use crate::measure::{self, Plan, Task};
use crate::memory::{self, Peaks};
use crate::samples::Case;
use crate::table::{Limits, Outcome, Row};

/// What every format can encode: all of them use serde's traits but one, which has its own.
pub trait Encode: Serialize + ToMessagePack {}

impl<T: Serialize + ToMessagePack> Encode for T {}

/// What every format can decode.
pub trait Decode<'de>: Deserialize<'de> + FromMessagePack<'de> {}

impl<'de, T: Deserialize<'de> + FromMessagePack<'de>> Decode<'de> for T {}

/// Typed data of which there are samples.
pub trait Sample: Encode + DeserializeOwned + for<'de> Decode<'de> + PartialEq + Clone {
    /// Whether a type of its own borrows what this one owns.
    const BORROWS: bool = false;
    /// The type that borrows; `()` if there is none.
    type Ref<'a>: Encode + Decode<'a>;
}

/// One format through one crate, for values of any type.
pub trait Typed {
    /// What `--codec` looks for.
    const NAME: &'static str;
    const CLASS: Class;
    /// What a reader must know to judge the figures, or nothing.
    const NOTE: &'static str = "";
    /// Whether the values go through serde's traits.
    const SERDE: bool = true;
    /// Whether the crate can decode into types that borrow.
    const BORROWS: bool = true;
    /// Whether the bytes tell enough to pass over a value of unknown type.
    const SKIPS: bool = true;

    /// What is kept between calls.
    type Buffer: Default;

    /// Encodes a value, in the way in which the crate is fastest: into the buffer or, if there is no call for that, into a
    /// new vector that takes the buffer's place.
    fn encode<'b, T: Encode>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8]>;

    /// Encodes a value as who has no buffer does.
    fn encode_once<T: Encode>(value: &T) -> Result<()> {
        Self::encode(value, &mut Self::Buffer::default()).map(|_| ())
    }

    /// Decodes a value that may borrow from the bytes.
    fn borrow<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Result<T>;

    /// Decodes a value that owns all it has. The contents of `scratch` mean nothing, only its memory is kept.
    fn decode<T: DeserializeOwned + for<'de> Decode<'de>>(
        bytes: &[u8],
        scratch: &mut Self::Buffer,
    ) -> Result<T> {
        let _ = scratch;
        Self::borrow(bytes)
    }

    /// Finds the end of a value of unknown type.
    fn skip(bytes: &[u8], scratch: &mut Self::Buffer) -> Result<()> {
        let _ = (bytes, scratch);
        Err(Failure("the bytes do not tell where they end".to_owned()))
    }
}

/// For crates that always make a new vector: the old one is freed before, as if it had never been kept.
pub fn fresh(buffer: &mut Vec<u8>, encode: impl FnOnce() -> Result<Vec<u8>>) -> Result<&[u8]> {
    drop(std::mem::take(buffer));
    *buffer = encode()?;
    Ok(buffer)
}

/// For crates that fill a slice: it grows until it is long enough, and keeps its length.
pub fn filled<E: std::fmt::Debug>(
    buffer: &mut Vec<u8>,
    mut encode: impl FnMut(&mut [u8]) -> std::result::Result<usize, E>,
) -> Result<&[u8]> {
    loop {
        match encode(buffer) {
            Ok(len) => return Ok(&buffer[..len]),
            Err(error) if buffer.len() > 1 << 30 => return Err(codecs::fail(error)),
            Err(_) => buffer.resize((4 * buffer.len()).max(1 << 10), 0),
        }
    }
}

/// The time of so many passes over the bytes.
type Timed = fn(&[u8], u64) -> u64;

/// A format as a table of functions, each with its code compiled into the loop that is timed.
pub struct Entry<S> {
    pub name: &'static str,
    pub class: Class,
    pub note: &'static str,
    serde: bool,
    /// Encodes a sample and checks that it survives the round trip on each path that is timed.
    prepare: fn(&S) -> Result<Vec<u8>>,
    encode: fn(&S, u64) -> u64,
    decode: Timed,
    borrow: Option<Timed>,
    skip: Option<Timed>,
    peaks: fn(&S, &[u8]) -> Peaks,
}

impl<S: Sample> Entry<S> {
    pub fn new<C: Typed>() -> Entry<S> {
        Entry {
            name: C::NAME,
            class: C::CLASS,
            note: C::NOTE,
            serde: C::SERDE,
            prepare: prepare::<C, S>,
            encode: measure::encode_typed::<C, S>,
            decode: measure::decode_typed::<C, S>,
            borrow: (C::BORROWS && S::BORROWS).then_some(measure::borrow_typed::<C, S>),
            skip: C::SKIPS.then_some(|bytes, batch| measure::skip::<C, _>(&[bytes], batch)),
            peaks: memory::of_typed::<C, S>,
        }
    }
}

fn prepare<C: Typed, S: Sample>(sample: &S) -> Result<Vec<u8>> {
    let wrong = |what: &str| Err(Failure(what.to_owned()));
    let mut buffer = C::Buffer::default();
    let bytes = C::encode(sample, &mut buffer)?.to_vec();
    if C::encode(sample, &mut buffer)? != bytes {
        return wrong("encodes the same value to other bytes the second time");
    }
    let mut scratch = C::Buffer::default();
    for _ in 0..2 {
        if C::decode::<S>(&bytes, &mut scratch)? != *sample {
            return wrong("the decoded value differs");
        }
    }
    if C::BORROWS && S::BORROWS {
        let borrowed: S::Ref<'_> = C::borrow(&bytes)?;
        if C::encode(&borrowed, &mut buffer)? != bytes {
            return wrong("the borrowed value differs");
        }
    }
    if C::SKIPS {
        C::skip(&bytes, &mut scratch)?;
    }
    Ok(bytes)
}

/// Measures one sample in each of the chosen formats.
pub fn measure<S: Sample>(case: &Case, sample: &S, names: &[&str], plan: Plan) -> Outcome {
    let mut failures = Vec::new();
    let mut measured: Vec<(Entry<S>, Vec<u8>)> = Vec::new();
    for codec in codecs::typed() {
        if !names.contains(&codec.name) {
            continue;
        }
        match (codec.prepare)(sample) {
            Ok(bytes) => measured.push((codec, bytes)),
            Err(Failure(reason)) => failures.push((codec.name.to_owned(), reason)),
        }
    }

    let smallest = measured.iter().min_by_key(|(_, bytes)| bytes.len());
    let (copied, least) = smallest.map_or(("nothing", &[][..]), |(codec, bytes)| (codec.name, &bytes[..]));
    let copied_bytes = [least.to_vec()];
    let mut tasks: Vec<Task<'_>> = vec![
        Box::new(|batch| measure::clone_and_drop(std::slice::from_ref(sample), batch)),
        Box::new(|batch| measure::copy(&copied_bytes, batch)),
        Box::new(|batch| measure::copy_fresh(&copied_bytes, batch)),
    ];
    for (codec, bytes) in &measured {
        tasks.push(Box::new(|batch| (codec.encode)(sample, batch)));
        tasks.push(Box::new(|batch| (codec.decode)(bytes, batch)));
        for time in [codec.borrow, codec.skip].into_iter().flatten() {
            tasks.push(Box::new(move |batch| time(bytes, batch)));
        }
    }

    let mut times = measure::run(&tasks, plan).into_iter();
    let mut next = || times.next().expect("one time for each task");
    let limits =
        Limits { clone_and_drop: next(), copied: copied.to_owned(), copy: next(), copy_fresh: next() };
    let rows = measured
        .iter()
        .map(|(codec, bytes)| Row {
            codec: codec.name.to_owned(),
            class: codec.class,
            serde: codec.serde,
            bytes: bytes.len(),
            peaks: (codec.peaks)(sample, bytes),
            gzip: compress::gzip(bytes),
            zstd: compress::zstd(bytes),
            encode: next(),
            decode: next(),
            borrowed: codec.borrow.map(|_| next()),
            skip: codec.skip.map(|_| next()),
            decode_own: None,
            encode_own: None,
        })
        .collect();
    Outcome {
        workload: case.name.to_owned(),
        about: case.about.to_owned(),
        typed: true,
        rows,
        failures,
        limits,
    }
}

/// Measures the encoding and decoding of one sample in the chosen formats, and nothing else.
pub fn measure_whole<S: Sample>(
    workload: &str,
    sample: &S,
    names: &[&str],
    plan: Plan,
) -> std::result::Result<Vec<Figures>, String> {
    let mut measured: Vec<(Entry<S>, Vec<u8>)> = Vec::new();
    for codec in codecs::typed().into_iter().filter(|codec| names.contains(&codec.name)) {
        let bytes = (codec.prepare)(sample);
        let bytes = bytes.map_err(|Failure(reason)| format!("{workload}: {}: {reason}", codec.name))?;
        measured.push((codec, bytes));
    }
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (codec, bytes) in &measured {
        tasks.push(Box::new(|batch| (codec.encode)(sample, batch)));
        tasks.push(Box::new(|batch| (codec.decode)(bytes, batch)));
    }
    let times = measure::run(&tasks, plan);
    let (times, _) = times.as_chunks();
    let figures = measured.iter().zip(times).map(|((codec, bytes), times)| {
        Figures::new(workload, codec.name, codec.class, bytes.len() as u64, *times)
    });
    Ok(figures.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check() {
        let names: Vec<&str> = codecs::typed::<Vec<u8>>().iter().map(|codec| codec.name).collect();
        let once = Plan { rounds: 1, batch_time: 1, budget: 0, fewest: 1 };
        for case in crate::samples::all() {
            // The others take too long without optimisation; they are checked whenever they are measured.
            if ["save", "ints", "struct", "log"].contains(&case.name) {
                let outcome = (case.run)(&case, &names, once);
                assert_eq!(outcome.failures, [], "{}", case.name);
                assert_eq!(outcome.rows.len(), names.len());
            }
        }
    }

    #[test]
    fn every_codec_keeps_the_samples() {
        // What some derives make of large structs needs much stack without optimisation.
        let thread = std::thread::Builder::new().stack_size(64 << 20);
        thread.spawn(check).unwrap().join().unwrap();
    }
}
