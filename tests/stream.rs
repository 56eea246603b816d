//! Values one after the other, from slices and from readers.
#![cfg(all(feature = "std", feature = "serde"))]

#[path = "support/strategies.rs"]
mod strategies;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::io::{BufReader, Error as IoError, ErrorKind, Read, Result as IoResult};
use std::rc::Rc;
use strategies::{OneByte, hex, unhex};
use wbin::{Category, Config, Error, OwnedValue, Value, wbin};

/// Delivers its parts call by call: bytes, in pieces of any size, or an error.
struct Scripted {
    parts: Vec<IoResult<Vec<u8>>>,
    /// How many bytes were taken, and how many times it was called.
    taken: Rc<Cell<usize>>,
    calls: Rc<Cell<usize>>,
}

impl Scripted {
    fn new(parts: Vec<IoResult<Vec<u8>>>) -> Scripted {
        Scripted { parts: parts.into_iter().rev().collect(), taken: Rc::default(), calls: Rc::default() }
    }
}

impl Read for Scripted {
    fn read(&mut self, buf: &mut [u8]) -> IoResult<usize> {
        self.calls.set(self.calls.get() + 1);
        assert!(!buf.is_empty(), "a read of nothing");
        match self.parts.pop() {
            None => Ok(0),
            Some(Err(error)) => Err(error),
            Some(Ok(mut part)) => {
                let n = part.len().min(buf.len());
                buf[..n].copy_from_slice(&part[..n]);
                self.taken.set(self.taken.get() + n);
                if n < part.len() {
                    self.parts.push(Ok(part.split_off(n)));
                }
                Ok(n)
            }
        }
    }
}

fn fails(kind: ErrorKind) -> IoResult<Vec<u8>> {
    Err(IoError::from(kind))
}

fn place(error: &Error) -> (&'static str, Option<usize>) {
    (error.name(), error.offset())
}

/// What a sequence gives: values, or names and offsets of errors; and the offset after each.
type Seen = Vec<(Result<u8, (&'static str, Option<usize>)>, usize)>;

fn by_slice(config: &Config, bytes: &[u8]) -> Seen {
    let mut iter = config.iter::<u8>(bytes);
    let mut seen = Vec::new();
    while let Some(item) = iter.next() {
        seen.push((item.map_err(|error| place(&error)), iter.byte_offset()));
        assert!(seen.len() <= bytes.len(), "it never ends");
    }
    assert!(iter.next().is_none() && iter.next().is_none(), "what has ended stays so");
    seen
}

fn by_reader<R: Read>(config: &Config, reader: R, len: usize) -> Seen {
    let mut iter = config.iter_reader::<_, u8>(reader);
    let mut seen = Vec::new();
    while let Some(item) = iter.next() {
        seen.push((item.map_err(|error| place(&error)), iter.byte_offset()));
        assert!(seen.len() <= len + 1, "it never ends");
    }
    assert!(iter.next().is_none() && iter.next().is_none(), "what has ended stays so");
    seen
}

/// Both ways, and in pieces of one byte.
#[track_caller]
fn sequence_with(config: &Config, bytes: &str, expected: Seen) {
    let bytes = unhex(bytes);
    assert_eq!(by_slice(config, &bytes), expected, "slice {}", hex(&bytes));
    assert_eq!(by_reader(config, &bytes[..], bytes.len()), expected, "reader {}", hex(&bytes));
    assert_eq!(by_reader(config, OneByte(&bytes), bytes.len()), expected, "byte by byte {}", hex(&bytes));
    let buffered = BufReader::with_capacity(3, &bytes[..]);
    assert_eq!(by_reader(config, buffered, bytes.len()), expected, "buffered {}", hex(&bytes));
}

#[track_caller]
fn sequence(bytes: &str, expected: Seen) {
    sequence_with(&Config::new(), bytes, expected);
}

#[test]
fn the_end_of_input_between_two_values_is_the_end() {
    sequence("", vec![]);
    sequence("05", vec![(Ok(5), 1)]);
    sequence("05 a0 ff 00", vec![(Ok(5), 1), (Ok(255), 3), (Ok(0), 4)]);
    sequence("bb 05 a1 07 00", vec![(Ok(5), 2), (Ok(7), 5)]);
    assert!(wbin::from_reader::<_, u8>(&b""[..]).is_err(), "a document is one value");
}

#[test]
fn the_end_of_input_inside_a_value_is_an_error() {
    let truncated = |offset| Err(("truncated", Some(offset)));
    sequence("a1 05", vec![(truncated(0), 0)]);
    sequence("05 a1 05", vec![(Ok(5), 1), (truncated(1), 1)]);
    sequence("05 43 61 62", vec![(Ok(5), 1), (truncated(1), 1)]);
    sequence("05 bf", vec![(Ok(5), 1), (truncated(2), 1)]);
    // A count that cannot be right is at fault itself, also where nobody knew how much would come.
    sequence("05 83 01 02", vec![(Ok(5), 1), (truncated(1), 1)]);
    sequence("05 82 01 82 02", vec![(Ok(5), 1), (truncated(3), 1)]);
    sequence("05 cb ff ff ff ff ff ff ff ff 01", vec![(Ok(5), 1), (truncated(1), 1)]);
    sequence("05 cf 00 00 00 00 00 00 00 80 01 01", vec![(Ok(5), 1), (truncated(1), 1)]);
    sequence("05 d0 01", vec![(Ok(5), 1), (truncated(3), 1)]);
    sequence("05 d1 01", vec![(Ok(5), 1), (truncated(3), 1)]);
}

#[test]
fn a_claim_of_any_length_is_an_error_not_a_panic() {
    // A reader does not know what will come: what is claimed is neither added up nor allocated.
    for tag in ["c3", "c7"] {
        for claim in [
            "ff ff ff ff ff ff ff ff",
            "00 00 00 00 00 00 00 80",
            "ff ff ff ff ff ff ff 7f",
            "00 00 00 00 00 01 00 00",
        ] {
            for prefix in ["", "82 05", "d0"] {
                let bytes = unhex(&format!("{prefix} {tag} {claim} 61 62 63"));
                for max in [10, 1000, 1 << 30, u64::MAX] {
                    let config = Config::new().max_input(max);
                    let mut iter = config.iter_reader::<_, IgnoredAny>(&bytes[..]);
                    let error = iter.next().unwrap().unwrap_err();
                    assert!(matches!(error.name(), "truncated" | "input-limit"), "{error}");
                    assert!(iter.next().is_none());
                    assert!(config.from_reader::<_, IgnoredAny>(&bytes[..]).is_err());
                }
            }
        }
    }
}

#[test]
fn after_a_value_of_another_type_the_next_one_is_read() {
    let wrong = |name, offset| Err((name, Some(offset)));
    sequence(
        "05 41 61 06 a1 00 01 07 82 01 02 08 f6 09",
        vec![
            (Ok(5), 1),
            (wrong("invalid-type", 1), 3),
            (Ok(6), 4),
            (wrong("invalid-value", 4), 7),
            (Ok(7), 8),
            (wrong("invalid-type", 8), 11),
            (Ok(8), 12),
            (wrong("invalid-value", 12), 13),
            (Ok(9), 14),
        ],
    );
    // The last one, too.
    sequence("05 b8", vec![(Ok(5), 1), (wrong("invalid-type", 1), 2)]);
    sequence("b8", vec![(wrong("invalid-type", 0), 1)]);
    // A value of another type that is cut off as well: there is no next one.
    sequence("05 82 01", vec![(Ok(5), 1), (wrong("truncated", 1), 1)]);
    #[derive(Deserialize, Serialize, PartialEq, Debug)]
    struct Point {
        x: u8,
        y: u8,
    }
    let points = [
        wbin!({"x": 1, "y": 2}),
        wbin!({"x": 1}),
        wbin!({"x": 1, "y": [[]], "z": 2}),
        wbin!({"y": 4, "x": 3}),
    ];
    let bytes: Vec<u8> = points.iter().flat_map(|point| point.to_vec().unwrap()).collect();
    let read: Vec<Result<Point, wbin::Error>> = wbin::iter(&bytes).collect();
    assert_eq!(
        (read[0].as_ref().unwrap(), read[3].as_ref().unwrap()),
        (&Point { x: 1, y: 2 }, &Point { x: 3, y: 4 })
    );
    let error = read[2].as_ref().unwrap_err();
    assert_eq!((error.path().as_deref(), error.offset()), (Some(".y"), Some(17)));
    assert_eq!(read[1].as_ref().unwrap_err().offset(), Some(7));
    let streamed: Vec<Result<Point, wbin::Error>> = wbin::iter_reader(OneByte(&bytes)).collect();
    for (a, b) in read.iter().zip(&streamed) {
        assert_eq!(
            a.as_ref().map_err(|error| error.to_string()),
            b.as_ref().map_err(|error| error.to_string())
        );
    }
    assert_eq!(streamed.len(), 4);
}

#[test]
fn after_bytes_that_are_no_value_nothing_is_read() {
    let bad = |name, offset| Err((name, Some(offset)));
    sequence("05 d4 06", vec![(Ok(5), 1), (bad("reserved-tag", 1), 1)]);
    sequence("05 d2 00 06", vec![(Ok(5), 1), (bad("invalid-column", 1), 1)]);
    sequence("05 d2 02 05 06", vec![(Ok(5), 1), (bad("invalid-column", 3), 1)]);
    sequence("05 d2 06", vec![(Ok(5), 1), (bad("truncated", 1), 1)]);
    sequence("05 be 06", vec![(Ok(5), 1), (bad("unexpected-end", 1), 1)]);
    sequence("05 bf ff 06", vec![(Ok(5), 1), (bad("ext-type", 2), 1)]);
    sequence("05 82 01 dd 06", vec![(Ok(5), 1), (bad("reserved-tag", 3), 1)]);
    let deep = format!("05 {} 06", "81".repeat(200));
    let config = Config::new();
    let bytes = unhex(&deep);
    let mut stream = config.iter_reader::<_, IgnoredAny>(&bytes[..]);
    stream.next().unwrap().unwrap();
    let error = stream.next().unwrap().unwrap_err();
    assert_eq!((place(&error), error.category()), (("depth-limit", Some(129)), Category::Limit));
    assert!(stream.next().is_none());
    let mut iter = config.iter::<IgnoredAny>(&bytes);
    iter.next().unwrap().unwrap();
    assert_eq!(place(&iter.next().unwrap().unwrap_err()), ("depth-limit", Some(129)));
    assert!(iter.next().is_none());
    // Well-formed, but not valid: a value is not handed out, and the sequence is at its end.
    for (bytes, name, offset) in
        [("05 41 ff 06", "invalid-utf8", 1), ("05 92 01 02 01 03 06", "duplicate-key", 4)]
    {
        let bytes = unhex(bytes);
        let mut iter = wbin::iter::<Value<'_>>(&bytes);
        let mut stream = wbin::iter_reader::<_, OwnedValue>(&bytes[..]);
        assert_eq!(iter.next().unwrap().unwrap(), 5);
        assert_eq!(stream.next().unwrap().unwrap().0, 5);
        assert_eq!(place(&iter.next().unwrap().unwrap_err()), (name, Some(offset)));
        assert_eq!(place(&stream.next().unwrap().err().unwrap()), (name, Some(offset)));
        assert!(iter.next().is_none() && stream.next().is_none());
    }
}

#[test]
fn a_signature_stands_at_the_start_or_nowhere() {
    sequence("df 57 42 01 05", vec![(Ok(5), 5)]);
    sequence("df 57 42 01 05 06", vec![(Ok(5), 5), (Ok(6), 6)]);
    let bad = |name, offset| Err((name, Some(offset)));
    sequence("05 df 57 42 01 06", vec![(Ok(5), 1), (bad("bad-signature", 1), 1)]);
    sequence("df 57 42 01 df 57 42 01 05", vec![(bad("bad-signature", 4), 0)]);
    sequence("df 57 42 02 05", vec![(bad("unsupported-version", 0), 0)]);
    sequence("df 58 42 01 05", vec![(bad("bad-signature", 0), 0)]);
    sequence("df", vec![(bad("truncated", 0), 0)]);
    sequence("df 57", vec![(bad("truncated", 0), 0)]);
    sequence("df 57 42", vec![(bad("truncated", 0), 0)]);
    // After a signature a value has to follow.
    sequence("df 57 42 01", vec![(bad("truncated", 4), 0)]);
    sequence("df 57 42 01 a1 05", vec![(bad("truncated", 4), 0)]);
    // Offsets count it.
    sequence("df 57 42 01 41 61 05", vec![(bad("invalid-type", 4), 6), (Ok(5), 7)]);
}

#[test]
fn strict_reading_takes_canonical_values_only() {
    let strict = Config::new().strict(true);
    let bad = |name, offset| Err((name, Some(offset)));
    sequence_with(&strict, "05 a0 40 06", vec![(Ok(5), 1), (Ok(64), 3), (Ok(6), 4)]);
    sequence_with(&strict, "05 a0 05 06", vec![(Ok(5), 1), (bad("not-canonical", 1), 1)]);
    sequence_with(&strict, "df 57 42 01 05", vec![(bad("not-canonical", 0), 0)]);
    sequence_with(&strict, "05 df 57 42 01 06", vec![(Ok(5), 1), (bad("bad-signature", 1), 1)]);
    sequence_with(&strict, "05 a1 05", vec![(Ok(5), 1), (bad("truncated", 1), 1)]);
    sequence_with(&strict, "05 41 61 06", vec![(Ok(5), 1), (bad("invalid-type", 1), 3), (Ok(6), 4)]);
    sequence_with(&strict, "05 d0 06 be", vec![(Ok(5), 1), (bad("not-canonical", 1), 1)]);
    sequence_with(&strict, "", vec![]);
}

#[test]
fn nothing_is_read_beyond_the_value() {
    // Whoever has the other end of a pipe waits for an answer, and sends nothing before it gets one.
    let values = [
        wbin!(5),
        wbin!(300),
        wbin!("text"),
        wbin!("x".repeat(1000)),
        Value::Bytes(vec![7; 70_000].into()),
        wbin!([1, [2, "three"], {"four": 5.5}]),
        wbin!({"k": vec![(); 20]}),
        Value::from(wbin::Ext::new(300, wbin!([1]))),
        wbin!([]),
        wbin!(u128::MAX),
        (0..300).map(Value::from).collect(),
    ];
    let mut documents: Vec<Vec<u8>> = values.iter().map(|value| value.to_vec().unwrap()).collect();
    documents.push(unhex("d0 05 d1 06 07 be be"));
    documents.push(unhex("bb bb b8"));
    for config in [Config::new(), Config::new().max_input(u64::MAX)] {
        let all = documents.concat();
        let reader = Scripted::new(vec![Ok(all.clone())]);
        let taken = reader.taken.clone();
        let mut stream = config.iter_reader::<_, IgnoredAny>(reader);
        assert_eq!(taken.get(), 0, "nothing is read before it is asked for");
        let mut end = 0;
        for document in &documents {
            stream.next().unwrap().unwrap();
            end += document.len();
            assert_eq!(
                (taken.get(), stream.byte_offset()),
                (end, end),
                "{}",
                hex(&document[..document.len().min(20)])
            );
        }
        let mut reader = stream.into_reader();
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 0);
    }
    // With a signature, and after a value that the type did not want.
    let reader = Scripted::new(vec![Ok(unhex("df 57 42 01 05 41 61 82 01 02 07"))]);
    let taken = reader.taken.clone();
    let mut stream = wbin::iter_reader::<_, u8>(reader);
    for end in [5, 7, 10] {
        let _ = stream.next().unwrap();
        assert_eq!((taken.get(), stream.byte_offset()), (end, end));
    }
    // What is left can be read by something else.
    let mut rest = Vec::new();
    stream.into_reader().read_to_end(&mut rest).unwrap();
    assert_eq!(rest, [0x07]);
}

#[test]
fn values_are_handed_out_as_soon_as_they_are_there() {
    // Each part arrives alone; a value must not wait for the part after it.
    let parts = ["05", "41", "61", "82", "01", "02", "a1", "00", "01"].map(|part| Ok(unhex(part)));
    let reader = Scripted::new(parts.into());
    let calls = reader.calls.clone();
    let mut stream = wbin::iter_reader::<_, OwnedValue>(reader);
    for (value, so_far) in [(wbin!(5), 1), (wbin!("a"), 3), (wbin!([1, 2]), 6), (wbin!(256), 9)] {
        assert_eq!(stream.next().unwrap().unwrap().0, value);
        assert_eq!(calls.get(), so_far, "a call more than there were bytes to come");
    }
    assert!(stream.next().is_none());
}

#[test]
fn an_interrupted_reader_is_asked_again() {
    let parts = vec![
        fails(ErrorKind::Interrupted),
        Ok(unhex("43")),
        fails(ErrorKind::Interrupted),
        fails(ErrorKind::Interrupted),
        Ok(unhex("61 62")),
        fails(ErrorKind::Interrupted),
        Ok(unhex("63 05")),
        fails(ErrorKind::Interrupted),
    ];
    let copy = |parts: &[IoResult<Vec<u8>>]| {
        let copies = parts.iter().map(|part| match part {
            Ok(bytes) => Ok(bytes.clone()),
            Err(error) => fails(error.kind()),
        });
        Scripted::new(copies.collect())
    };
    let mut stream = wbin::iter_reader::<_, OwnedValue>(copy(&parts));
    assert_eq!(stream.next().unwrap().unwrap().0, "abc");
    assert_eq!(stream.next().unwrap().unwrap().0, 5);
    assert!(stream.next().is_none());
    let error = wbin::from_reader::<_, OwnedValue>(copy(&parts)).err().unwrap();
    assert_eq!(place(&error), ("trailing-bytes", Some(4)));
    assert_eq!(wbin::from_reader::<_, OwnedValue>(copy(&parts[..6])).err().unwrap().name(), "truncated");
}

#[test]
fn an_error_of_the_reader_is_an_io_error_wherever_it_comes() {
    let bytes = unhex("43 61 62 63 82 05 c4 02 00 01 df");
    let kinds = [
        ErrorKind::WouldBlock,
        ErrorKind::TimedOut,
        ErrorKind::BrokenPipe,
        ErrorKind::Other,
        // What a decompressor says when its own input is cut: not the end of ours.
        ErrorKind::UnexpectedEof,
    ];
    for kind in kinds {
        for at in 0..=10 {
            for step in [1, 2, 100] {
                let mut parts: Vec<IoResult<Vec<u8>>> =
                    bytes[..at].chunks(step).map(|part| Ok(part.to_vec())).collect();
                parts.push(fails(kind));
                parts.push(Ok(bytes[at..].to_vec()));
                let mut stream = wbin::iter_reader::<_, OwnedValue>(Scripted::new(parts));
                let whole = [4, 10].into_iter().filter(|end| at >= *end).count();
                for _ in 0..whole {
                    stream.next().unwrap().unwrap();
                }
                let error = stream.next().unwrap().err().unwrap();
                assert_eq!((error.name(), error.category()), ("io", Category::Io), "{kind:?} at {at}");
                assert_eq!(stream.byte_offset(), [0, 4, 10][whole]);
                assert_eq!(IoError::from(error).kind(), kind);
                assert!(stream.next().is_none(), "what was read of the value is gone");
            }
        }
        let reader = Scripted::new(vec![Ok(unhex("82 05")), fails(kind), Ok(unhex("06"))]);
        let error = wbin::from_reader::<_, OwnedValue>(reader).err().unwrap();
        assert_eq!((error.name(), std::error::Error::source(&error).is_some()), ("io", true));
    }
    // The reader's own error comes out again.
    let own = IoError::other("the disk is on fire");
    let error = wbin::from_reader::<_, u8>(Scripted::new(vec![Err(own)])).unwrap_err();
    assert_eq!(error.to_string(), "the disk is on fire");
    assert_eq!(IoError::from(error).to_string(), "the disk is on fire");
    // Other errors have a kind, too.
    let truncated: IoError = wbin::from_reader::<_, u8>(&b"\xA1"[..]).unwrap_err().into();
    assert_eq!(truncated.kind(), ErrorKind::UnexpectedEof);
    let invalid: IoError = wbin::from_reader::<_, u8>(&b"\xD4"[..]).unwrap_err().into();
    assert_eq!(invalid.kind(), ErrorKind::InvalidData);
}

#[test]
fn a_reader_delivers_no_more_than_allowed() {
    let text = wbin!("x".repeat(100)).to_vec().unwrap();
    assert_eq!(text.len(), 102);
    let list = wbin!([1, 2, 3]).to_vec().unwrap();
    for (document, len) in [(&text, 102), (&list, 4)] {
        for max in 0..len + 3 {
            let config = Config::new().max_input(max as u64);
            let result = config.from_reader::<_, IgnoredAny>(&document[..]);
            let mut stream = config.iter_reader::<_, IgnoredAny>(OneByte(document));
            let first = stream.next().unwrap();
            if max >= len {
                result.unwrap();
                first.unwrap();
                assert!(stream.next().is_none());
            } else {
                for error in [result.unwrap_err(), first.unwrap_err()] {
                    assert_eq!(place(&error), ("input-limit", Some(max)));
                    assert_eq!(error.category(), Category::Limit);
                }
                assert!(stream.next().is_none());
            }
            // What is in memory already is not limited.
            config.from_slice::<IgnoredAny>(document).unwrap();
        }
    }
    // A limit for each value of a stream, not for all of them; offsets are of the whole.
    let config = Config::new().max_input(4);
    let bytes = [&list[..], &list, b"\x05", &list, &text, b"\x05"].concat();
    let mut stream = config.iter_reader::<_, IgnoredAny>(&bytes[..]);
    for end in [4, 8, 9, 13] {
        stream.next().unwrap().unwrap();
        assert_eq!(stream.byte_offset(), end);
    }
    assert_eq!(place(&stream.next().unwrap().unwrap_err()), ("input-limit", Some(17)));
    assert!(stream.next().is_none());
    // Too large is not taken in before it is refused.
    let endless = std::io::repeat(0x81);
    assert_eq!(config.from_reader::<_, IgnoredAny>(endless).unwrap_err().name(), "input-limit");
    let mut stream = config.iter_reader::<_, IgnoredAny>(std::io::repeat(0x81));
    assert_eq!(stream.next().unwrap().unwrap_err().name(), "input-limit");
    let mut stream = wbin::iter_reader::<_, IgnoredAny>(std::io::repeat(0x81));
    assert_eq!(place(&stream.next().unwrap().unwrap_err()), ("depth-limit", Some(128)));
    let mut stream = wbin::iter_reader::<_, u8>(std::io::repeat(0x05));
    assert!((0..1000).all(|_| stream.next().unwrap().unwrap() == 5));
}

#[test]
fn a_type_that_reads_nothing_does_not_make_an_endless_sequence() {
    #[derive(Debug)]
    struct Nothing;
    impl<'de> Deserialize<'de> for Nothing {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Nothing, D::Error> {
            Ok(Nothing)
        }
    }
    assert!(wbin::iter::<Nothing>(&[1, 2, 3]).take(100).count() < 100);
    assert!(wbin::iter_reader::<_, Nothing>(&[1, 2, 3][..]).take(100).count() < 100);
}

#[test]
fn types_are_borrowed_from_a_slice() {
    let bytes = unhex("41 61 42 62 63 40");
    let texts: Vec<&str> = wbin::iter(&bytes).collect::<Result<_, _>>().unwrap();
    assert_eq!(texts, ["a", "bc", ""]);
    assert_eq!(texts[1].as_ptr(), bytes[3..].as_ptr());
}

#[test]
fn iterators_are_ordinary_values() {
    let iter = wbin::iter::<u8>(&[1, 2]);
    assert!(format!("{iter:?}").contains("Iter"));
    let sum: u32 = iter.map(|n| u32::from(n.unwrap())).sum();
    assert_eq!(sum, 3);
    let stream = wbin::iter_reader::<_, u8>(&[1, 2][..]);
    assert!(format!("{stream:?}").contains("Iter"));
    let stopped: Result<Vec<u8>, _> = wbin::iter(&[1, 0x41, 0x61, 2]).collect();
    assert_eq!(stopped.unwrap_err().name(), "invalid-type");
}

#[test]
fn a_stream_in_pieces_of_any_size_is_the_same_stream() {
    let values: Vec<Value<'_>> = (0..40)
        .map(|n: usize| match n % 4 {
            0 => wbin!("x".repeat(n * 7)),
            1 => wbin!([n, {"k": [n as f64 / 3.0, null]}]),
            2 => wbin!(u128::MAX - n as u128),
            _ => (0..n).map(|i| (i, "v")).collect(),
        })
        .collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_vec().unwrap()).collect();
    for step in [1, 2, 3, 7, 8, 9, 31, 64, 1000, bytes.len()] {
        let reader = Scripted::new(bytes.chunks(step).map(|part| Ok(part.to_vec())).collect());
        let read: Vec<Value<'_>> =
            wbin::iter_reader::<_, OwnedValue>(reader).map(|value| value.unwrap().0).collect();
        assert_eq!(read, values, "{step}");
    }
}
