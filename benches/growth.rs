//! Does time grow with the size of a document, and no faster, where someone wants it to? Not a benchmark but a
//! table: nanoseconds for each byte, for documents of 1 kB to 10 MB that were made to be slow.
//!
//! `cargo bench -p wbin --bench growth` measures; with `-- --test` everything runs once on the smallest sizes.
//! A row whose last figures keep growing with the size is a fault.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};
use wbin::{Config, Cursor, Decoder, Encoder, Value};

/// A document of about so many bytes.
type Make = fn(usize) -> Vec<u8>;

fn plain() -> Encoder {
    Encoder::with_config(&Config::new().plain(true))
}

/// What an encoder is told, `n` times between the ends of an open list or map.
fn filled(map: bool, n: usize, mut each: impl FnMut(&mut Encoder, usize) -> wbin::Result<()>) -> Vec<u8> {
    let mut encoder = plain();
    let mut write = || {
        let _ = if map { encoder.open_map()? } else { encoder.open_list()? };
        (0..n).try_for_each(|index| each(&mut encoder, index))?;
        encoder.end().map(drop)
    };
    write().expect("calls in their order");
    encoder.finish().expect("a document")
}

/// A number that looks like chance.
fn mixed(n: usize) -> u64 {
    (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Documents in the plain layer.
const DOCUMENTS: [(&str, Make); 16] = [
    ("a map of ints, rising", |size| {
        filled(true, size / 6, |e, i| e.int(i as u64 + 100_000)?.null().map(drop))
    }),
    ("a map of ints, falling", |size| {
        filled(true, size / 6, |e, i| e.int(20_000_000 - i as u64)?.null().map(drop))
    }),
    ("a map of ints, by chance", |size| filled(true, size / 10, |e, i| e.int(mixed(i))?.null().map(drop))),
    ("a map of ints in longer forms", |size| {
        let n = size / 7;
        let key = |i: usize| [&[0xA4][..], &(mixed(i) >> 40).to_le_bytes()[..5], &[0x05]].concat();
        [&[0xCE][..], &(n as u32).to_le_bytes(), &(0..n).flat_map(key).collect::<Vec<u8>>()].concat()
    }),
    ("a map of texts that begin alike", |size| {
        filled(true, size / 50, |e, i| e.str(&format!("{:040}{i}", 0))?.null().map(drop))
    }),
    ("a map of lists", |size| {
        filled(true, size / 12, |e, i| e.list(2)?.int(0)?.int(mixed(i))?.end()?.null().map(drop))
    }),
    ("a map whose last key is its first", |size| {
        let mut bytes = filled(true, size / 10, |e, i| e.int(mixed(i))?.null().map(drop));
        bytes.pop();
        bytes.extend_from_within(1..11);
        bytes.push(0xBE);
        bytes
    }),
    ("maps as keys of maps, 60 deep", |size| {
        let inner = [vec![0x91; 60], (0..size - 122).map(|_| 0).collect::<Vec<u8>>()].concat();
        let text = &inner[60..];
        let mut bytes = vec![0x91; 60];
        bytes.push(0xC6);
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
        bytes.extend([0x05; 60]);
        bytes
    }),
    ("many maps of two keys", |size| {
        filled(false, size / 6, |e, i| e.map(2)?.int(i % 9)?.null()?.int(9)?.null()?.end().map(drop))
    }),
    ("maps of which each has a key of its own", |size| {
        filled(false, size / 12, |e, i| e.map(1)?.str(&format!("k{i}"))?.int(i % 60)?.end().map(drop))
    }),
    ("maps of forty forms by turns", |size| {
        filled(false, size / 14, |e, i| {
            let form = mixed(i) >> 58;
            e.map(2)?.str(&format!("a{}", form % 8))?.int(1)?.str(&format!("b{}", form % 5))?.int(2)?;
            e.end().map(drop)
        })
    }),
    ("maps whose keys come in any order", |size| {
        filled(false, size / 20, |e, i| {
            let by = mixed(i) as usize % 6;
            e.map(6)?;
            for at in 0..6 {
                e.str(["a", "b", "c", "d", "e", "f"][(at * (1 + by % 2 * 4) + by) % 6])?.int(at)?;
            }
            e.end().map(drop)
        })
    }),
    ("lists of lists of all lengths", |size| {
        filled(false, size / 10, |e, i| {
            let n = mixed(i) >> 60;
            e.list(n as usize)?;
            (0..n).try_for_each(|at| e.int(at).map(drop))?;
            e.end().map(drop)
        })
    }),
    ("lists in lists, forty deep", |size| {
        filled(false, size / 176 + 1, |e, _| {
            (0..40).try_for_each(|_| e.list(3).map(drop))?;
            e.str("a text that is long enough for all of them to be tried")?.null()?.null()?.end()?;
            (1..40).try_for_each(|_| e.int(-1)?.int(-1)?.end().map(drop))
        })
    }),
    ("values of all kinds by turns", |size| {
        filled(false, size / 4, |e, i| {
            let next = match mixed(i) >> 61 {
                0 => e.null()?,
                1 => e.int(mixed(i) >> 40)?,
                2 => e.f64(i as f64 / 8.0)?,
                3 => e.str("x")?,
                4 => e.list(0)?.end()?,
                5 => e.map(0)?.end()?,
                6 => e.bytes(b"")?,
                _ => e.ext(70)?.null()?.end()?,
            };
            let _ = next;
            Ok(())
        })
    }),
    ("texts of which each is new", |size| {
        filled(false, size / 18, |e, i| e.str(&format!("{:016x}", mixed(i))).map(drop))
    }),
];

/// Documents by columns, with bits or bytes of zeros for what they count.
fn by_columns(tag: u8, heads: &[u8], tail: &[u8], bits_each: usize, size: usize) -> Vec<u8> {
    let n = (size - heads.len() - tail.len() - 10) * 8 / bits_each;
    let mut bytes = vec![tag, 0xA7];
    bytes.extend((n as u64).to_le_bytes());
    bytes.extend(heads);
    bytes.resize(bytes.len() + (n * bits_each).div_ceil(8), 0);
    bytes.extend(tail);
    bytes
}

const COLUMNS: [(&str, Make); 10] = [
    ("bools", |size| by_columns(0xD2, &[0x20], &[], 1, size)),
    ("absent values", |size| by_columns(0xD2, &[0x12], &[], 1, size)),
    ("differences of ten bits", |size| by_columns(0xD2, &[0x47, 0x00, 0x05], &[], 10, size)),
    ("texts of no bytes", |size| by_columns(0xD2, &[0x70, 0x00], &[], 1, size)),
    ("lists of one", |size| by_columns(0xD2, &[0xB0, 0x01, 0x31, 0x05], &[], 2, size)),
    ("maps of one entry, a table", |size| {
        by_columns(0xD2, &[0xD0, 0x01, 0x41, b'a', 0x31, 0x05], &[], 2, size)
    }),
    ("a choice of nulls", |size| by_columns(0xD2, &[0xE0, 0x02], &[0x10], 1, size)),
    ("a table of many sparse fields", |size| {
        // As many as there may be, again and again.
        let n = (size / 7).min(4095);
        let times = (size / 7).div_ceil(n);
        let mut bytes = vec![0xD2, 0x08, 0xD0, 0xA3];
        bytes.extend((n as u32).to_le_bytes());
        for i in 0..n {
            let digit = |by: usize| b'0' + (i >> by & 63) as u8;
            bytes.extend([0x44, digit(18), digit(12), digit(6), digit(0)]);
        }
        bytes.extend([0x11, 0x00].repeat(n));
        [&[0xCA][..], &(times as u32).to_le_bytes(), &bytes.repeat(times)].concat()
    }),
    ("a dictionary of many texts", |size| {
        // Each element has an entry of its own, of eight bytes, in an order that tells nothing.
        let n = size / 12;
        let count = |n: usize| [&[0xA3][..], &(n as u32).to_le_bytes()].concat();
        let text: String = (0..n).map(|at| format!("{at:08}")).collect();
        let entries = [&[0x70, 0x08][..], &vec![0; n.div_ceil(8)], text.as_bytes()].concat();
        let indices: Vec<u8> =
            (0..n).flat_map(|at| ((at * 7919 % n) as u32).to_le_bytes().into_iter().take(3)).collect();
        [&[0xD2][..], &count(n), &[0x9A], &count(n), &entries, &indices].concat()
    }),
    ("a map of keys by differences", |size| {
        let n = size * 4 - 100;
        let mut bytes = vec![0xD3, 0xA3];
        bytes.extend((n as u32).to_le_bytes());
        bytes.extend([0x40, 0x00, 0x01]);
        bytes.resize(bytes.len() + (n - 1).div_ceil(8), 0);
        bytes.push(0x12);
        bytes.resize(bytes.len() + n.div_ceil(8), 0);
        bytes
    }),
];

/// What is done with a document; whether it succeeds does not matter.
type Work = fn(&[u8]);

const READING: [(&str, Work); 6] = [
    ("skip", |bytes| drop(black_box(wbin::skip(bytes)))),
    ("check", |bytes| drop(black_box(wbin::check(bytes)))),
    ("events", |bytes| {
        let mut decoder = Decoder::new(bytes);
        while let Ok(Some(event)) = decoder.event() {
            black_box(event);
        }
    }),
    ("canonical", |bytes| drop(black_box(wbin::canonical::to_canonical(bytes)))),
    ("last item", |bytes| {
        let cursor = Cursor::new(bytes);
        black_box((cursor.index(usize::MAX).is_ok(), cursor.get("none").is_ok()));
    }),
    ("Value", |bytes| drop(black_box(Value::from_slice(bytes)))),
];

/// These make values of the document, which takes too much memory where a bit is one.
const WRITING: [(&str, Work); 3] = [
    ("check that fails at the end", |bytes| {
        drop(black_box(wbin::check(&bytes[..bytes.len() - 1])));
    }),
    ("a typed map", |bytes| {
        drop(black_box(wbin::from_slice::<HashMap<u64, Option<()>>>(bytes)));
    }),
    ("decode, then encode by columns", |bytes| {
        if let Ok(value) = Value::from_slice(bytes) {
            drop(black_box(value.to_vec()));
        }
    }),
];

/// The time that this thread had, so that what else runs does not count, where the system tells; else what the
/// clock says.
fn now(began: Instant) -> Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

/// The time of one call, of so many that they take `least` together.
fn time(work: Work, bytes: &[u8], least: Duration) -> Duration {
    let began = Instant::now();
    let start = now(began);
    for calls in 1.. {
        work(bytes);
        let spent = now(began).saturating_sub(start);
        if spent >= least {
            return spent / calls;
        }
    }
    Duration::ZERO
}

fn table(title: &str, documents: &[(&str, Make)], work: &[(&str, Work)], sizes: &[usize], least: Duration) {
    println!("\n{title}: ns for each byte\n");
    print!("| document | |");
    sizes.iter().for_each(|size| print!(" {} kB |", size / 1000));
    println!("\n|---|---|{}", "---|".repeat(sizes.len()));
    for (document, make) in documents {
        for (name, work) in work {
            print!("| {document} | {name} |");
            for size in sizes {
                let bytes = make(*size);
                print!(" {:.2} |", time(*work, &bytes, least).as_nanos() as f64 / bytes.len() as f64);
            }
            println!();
        }
    }
}

fn main() {
    let sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    let test = std::env::args().any(|argument| argument == "--test");
    let (plain, columns, milliseconds) = if test { (1, 1, 0) } else { (5, 4, 30) };
    let least = Duration::from_millis(milliseconds);
    table("Plain layer", &DOCUMENTS, &[&READING[..], &WRITING[..]].concat(), &sizes[..plain], least);
    table("By columns", &COLUMNS, &READING, &sizes[..columns], least);
}
