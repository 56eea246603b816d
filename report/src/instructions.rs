//! How many instructions wbin takes: the same number in every run, which no busy machine changes.
//!
//! This program runs itself under callgrind. The counter is on in [`counted`] alone, and the counts are written out
//! whenever that ends.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::child;
use crate::codecs::SUBJECT;
use crate::data;
use crate::figures::Figures;
use crate::samples;
use crate::table::{number, table};
use crate::typed::Sample;

/// Real documents as `wbin::Value`, where they are there; `S3` always is.
const DOCUMENTS: [&str; 2] = ["S3", "twitter.json"];

/// The instructions of one call.
pub struct Count {
    pub workload: String,
    pub encode: u64,
    pub decode: u64,
}

/// Callgrind counts what is done in here. It is known by its name.
#[inline(never)]
fn counted(work: impl FnOnce()) {
    work();
}

fn both(encode: impl Fn() -> Vec<u8>, decode: impl Fn(&[u8])) {
    // Once uncounted: what is done the first time only is no part of it.
    let bytes = encode();
    decode(&bytes);
    counted(|| drop(black_box(encode())));
    counted(|| decode(black_box(&bytes)));
}

const CHECKED: &str = "it was measured before";

fn sample<S: Sample>(sample: &S) {
    both(
        || wbin::to_vec(black_box(sample)).expect(CHECKED),
        |bytes| drop(black_box(wbin::from_slice::<S>(bytes).expect(CHECKED))),
    );
}

/// Does what is counted, and says of which workloads: each is encoded and then decoded.
pub fn work() -> Result<Vec<String>, String> {
    sample(&samples::logs());
    sample(&samples::mesh());
    sample(&samples::save());
    sample(&samples::updates());
    let mut names = ["logs", "mesh", "save", "updates"].map(str::to_owned).to_vec();
    let wanted = |name: &str| DOCUMENTS.contains(&name);
    let seeded = data::seeded().into_iter().filter(|workload| wanted(&workload.name));
    for workload in seeded.chain(data::real(wanted).unwrap_or_default()) {
        for doc in &workload.docs {
            let bytes = wbin::to_vec(doc).map_err(|error| error.to_string())?;
            let value = wbin::Value::from_slice(&bytes).map_err(|error| error.to_string())?;
            both(
                || black_box(&value).to_vec().expect(CHECKED),
                |bytes| drop(black_box(wbin::Value::from_slice(bytes).expect(CHECKED))),
            );
        }
        names.push(workload.name);
    }
    Ok(names)
}

/// Whether there is a callgrind to run under.
pub fn possible() -> bool {
    let version =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Counts, by running this program with these arguments, with which it calls [`work`] and prints the names as JSON.
pub fn count(arguments: &[String]) -> Result<Vec<Count>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("count");
    // With one and the same pattern for both, callgrind would do only the first.
    let function = concat!(module_path!(), "::counted*");
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(format!("--toggle-collect=*{function}"))
        .arg(format!("--dump-after={function}"))
        .arg(child::program()?)
        .args(arguments);
    let names: Vec<String> = child::read(&mut valgrind)?;
    // The dumps are numbered from 1.
    let one = |place: usize| dumped(&out.with_extension(format!("{place}")));
    let counts = names.into_iter().enumerate().map(|(place, workload)| {
        Ok(Count { workload, encode: one(2 * place + 1)?, decode: one(2 * place + 2)? })
    });
    counts.collect()
}

/// The sum of a dump.
fn dumped(path: &Path) -> Result<u64, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    sum(&text).ok_or_else(|| format!("{}: there is no sum", path.display()))
}

fn sum(dump: &str) -> Option<u64> {
    dump.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok()).filter(|sum| *sum > 0)
}

/// Writes the counts to the lines of their workloads.
pub fn note(counts: &[Count], figures: &mut [Figures]) {
    for count in counts {
        let line = figures.iter_mut().find(|line| line.codec == SUBJECT && line.workload == count.workload);
        if let Some(line) = line {
            line.encode_instructions = Some(count.encode);
            line.decode_instructions = Some(count.decode);
        }
    }
}

/// The section of a report; nothing if nothing was counted.
pub fn section(counts: &[Count]) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let head = ["workload", "encode", "decode"].map(str::to_owned);
    let cells = |count: &Count| {
        vec![count.workload.clone(), number(count.encode as f64), number(count.decode as f64)]
    };
    let body: Vec<Vec<String>> = counts.iter().map(cells).collect();
    format!(
        "## Instructions\n\nWhat {SUBJECT} executes, counted by callgrind; for documents with `wbin::Value`.\n\n{}",
        table(&head, &body)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecs::Class;

    #[test]
    fn sums_are_found() {
        let dump = "# callgrind format\nevents: Ir\nsummary: 7\n\nfn=(1) a\n3 7\n\ntotals: 1234\n";
        assert_eq!(sum(dump), Some(1234));
        // Nothing was counted: the function was not found.
        assert_eq!(sum("totals: 0\n"), None);
        assert_eq!(sum("events: Ir\n"), None);
    }

    #[test]
    fn counts_go_to_their_lines() {
        let figures = |codec, class| Figures::new("logs", codec, class, 1, [1.0, 1.0]);
        let mut lines = [figures("wbin plain", Class::Subject), figures(SUBJECT, Class::Subject)];
        let counts = [
            Count { workload: "S3".to_owned(), encode: 1, decode: 2 },
            Count { workload: "logs".to_owned(), encode: 5000, decode: 6 },
        ];
        note(&counts, &mut lines);
        assert_eq!(lines[0].encode_instructions, None);
        assert_eq!((lines[1].encode_instructions, lines[1].decode_instructions), (Some(5000), Some(6)));
        assert!(section(&counts).replace(' ', "").ends_with("|S3|1|2|\n|logs|5,000|6|\n"));
        assert_eq!(section(&[]), "");
    }

    #[test]
    fn all_that_is_counted_works() {
        // What is done is checked; that it is counted shows only under callgrind.
        let names =
            std::thread::Builder::new().stack_size(64 << 20).spawn(work).unwrap().join().unwrap().unwrap();
        assert_eq!(names[..5], ["logs", "mesh", "save", "updates", "S3"]);
    }
}
