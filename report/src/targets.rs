//! What the column layer was to reach, beside what was measured.

use crate::codecs::{Class, SUBJECT};
use crate::table::{BORROWED, BYTES, Column, DECODE, ENCODE, NOTHING, Outcome, Row, table};

/// How far a figure of wbin may be from that of a peer, at most: their ratio for size, encoding, decoding, and decoding
/// with borrowed strings.
struct Target {
    workload: &'static str,
    peer: Peer,
    at_most: [Option<f64>; 4],
}

/// Whose figure is compared with.
enum Peer {
    /// The best, in each figure, of those with field names that go through serde.
    Names,
    /// This one.
    One(&'static str),
}

impl Peer {
    fn name(&self) -> &'static str {
        match self {
            Peer::Names => "the best with names",
            Peer::One(name) => name,
        }
    }

    fn figure(&self, rows: &[Row], figure: fn(&Row) -> Option<f64>) -> Option<f64> {
        rows.iter()
            .filter(|row| match self {
                Peer::Names => row.class == Class::Names && row.serde,
                Peer::One(name) => row.codec == *name,
            })
            .filter_map(figure)
            .min_by(f64::total_cmp)
    }
}

const FIGURES: [Column; 4] = [BYTES, ENCODE, DECODE, BORROWED];

const fn ratios(workload: &'static str, peer: Peer, [size, encode, decode, borrowed]: [f64; 4]) -> Target {
    Target { workload, peer, at_most: [Some(size), Some(encode), Some(decode), Some(borrowed)] }
}

const fn times(workload: &'static str, peer: &'static str, most: f64) -> Target {
    Target { workload, peer: Peer::One(peer), at_most: [None, Some(most), Some(most), None] }
}

const fn size(workload: &'static str, peer: &'static str) -> Target {
    Target { workload, peer: Peer::One(peer), at_most: [Some(1.0), None, None, None] }
}

const PLAIN: &str = "wbin plain";
const RMP: &str = "rmp-serde named";

const TARGETS: [Target; 28] = [
    ratios("logs", Peer::Names, [0.5, 0.8, 0.4, 0.25]),
    ratios("mesh", Peer::Names, [0.5, 0.8, 0.4, 0.25]),
    ratios("save", Peer::Names, [0.5, 0.8, 0.4, 0.25]),
    ratios("updates", Peer::Names, [0.5, 0.8, 0.4, 0.25]),
    ratios("logs", Peer::One(RMP), [0.5, 0.8, 0.4, 0.25]),
    ratios("mesh", Peer::One(RMP), [0.5, 0.8, 0.4, 0.25]),
    ratios("save", Peer::One(RMP), [0.5, 0.8, 0.4, 0.25]),
    ratios("updates", Peer::One(RMP), [0.5, 0.8, 0.4, 0.25]),
    ratios("logs", Peer::One("postcard"), [0.9, 1.3, 0.8, 0.55]),
    ratios("mesh", Peer::One("postcard"), [1.0, 3.0, 3.0, 0.55]),
    ratios("save", Peer::One("postcard"), [0.5, 1.3, 0.9, 0.55]),
    ratios("updates", Peer::One("postcard"), [0.8, 1.3, 1.0, 0.55]),
    ratios("logs", Peer::One("zerompk"), [0.85, 1.0, 0.7, 0.4]),
    ratios("mesh", Peer::One("zerompk"), [0.85, 2.5, 0.7, 0.4]),
    ratios("save", Peer::One("zerompk"), [0.85, 1.5, 0.7, 0.4]),
    ratios("updates", Peer::One("zerompk"), [0.85, 1.5, 0.7, 0.4]),
    ratios("logs", Peer::One("bitcode"), [1.0, 1.5, 1.1, 1.3]),
    ratios("mesh", Peer::One("bitcode"), [1.0, 1.5, 1.1, 1.3]),
    ratios("save", Peer::One("bitcode"), [1.0, 1.5, 1.1, 1.3]),
    ratios("updates", Peer::One("bitcode"), [1.0, 1.5, 1.1, 1.3]),
    size("ints", RMP),
    times("ints", PLAIN, 1.1),
    size("struct", RMP),
    times("struct", PLAIN, 1.1),
    times("S4", PLAIN, 1.1),
    times("floats", RMP, 1.0),
    times("bytes", RMP, 1.0),
    times("strings", RMP, 1.0),
];

/// Sizes that wbin may not be above: what it is of, the bytes, and where they come from.
const SIZES: [(&str, usize, &str); 13] = [
    ("floats", 800_000 + 16, "raw and 16"),
    ("bytes", (1 << 20) + 16, "raw and 16"),
    ("twitter.json", 101_009, PROTOTYPE),
    ("citm_catalog.json", 48_139, PROTOTYPE),
    ("canada.json", 851_881, PROTOTYPE),
    ("random.json", 113_404, PROTOTYPE),
    ("instruments.json", 5_233, PROTOTYPE),
    ("apache_builds.json", 64_755, PROTOTYPE),
    ("github_events.json", 39_011, PROTOTYPE),
    ("twitter_timeline.json", 16_554, PROTOTYPE),
    ("mesh.json", 242_570, PROTOTYPE),
    ("google_maps_api_response.json", 2_872, PROTOTYPE),
    ("numbers.json", 80_013, PROTOTYPE),
];

const PROTOTYPE: &str = "the prototype and 5 %";

/// A ratio beside its limit, both to two decimals.
fn cell(ratio: f64, most: f64) -> String {
    // What rounds to the limit has reached it.
    let sign = if (ratio * 100.0).round() <= (most * 100.0).round() { "≤" } else { "**>**" };
    format!("{ratio:.2} {sign} {most:.2}")
}

/// The ratios of what was measured to what was to be reached; nothing if none of it was measured.
pub fn section(outcomes: &[Outcome]) -> String {
    let find = |workload: &str| {
        let outcome = outcomes.iter().find(|outcome| outcome.workload == workload)?;
        Some((outcome, outcome.rows.iter().find(|row| row.codec == SUBJECT)?))
    };
    let mut body = Vec::new();
    let mut line = |workload: &str, peer: &str, cells: Vec<Option<String>>| {
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or(NOTHING.to_owned()));
            body.push([workload.to_owned(), peer.to_owned()].into_iter().chain(cells).collect::<Vec<_>>());
        }
    };

    for target in &TARGETS {
        let Some((outcome, own)) = find(target.workload) else { continue };
        let cells = FIGURES.iter().zip(target.at_most).map(|((_, figure), most)| {
            Some(cell(figure(own)? / target.peer.figure(&outcome.rows, *figure)?, most?))
        });
        line(target.workload, target.peer.name(), cells.collect());
    }
    for (workload, bytes, source) in SIZES {
        let Some((_, own)) = find(workload) else { continue };
        let most = if source == PROTOTYPE { 1.05 } else { 1.0 };
        line(workload, source, vec![Some(cell(own.bytes as f64 / bytes as f64, most)), None, None, None]);
    }
    for outcome in outcomes.iter().filter(|outcome| outcome.workload.ends_with(".json")) {
        let Some((_, own)) = find(&outcome.workload) else { continue };
        let own_times = |row: &Row| row.encode_own.zip(row.decode_own);
        let Some((encode, decode)) = own_times(own) else { continue };
        if let Some(json) = outcome.rows.iter().find(|row| row.codec == "serde_json")
            && let Some((json_encode, json_decode)) = own_times(json)
        {
            let cells = [cell(encode / json_encode, 1.0), cell(decode / json_decode, 1.0 / 3.0)];
            let [encode, decode] = cells.map(Some);
            line(&outcome.workload, "serde_json::Value", vec![None, encode, decode, None]);
        }
        let peers = outcome.rows.iter().filter(|row| row.class == Class::Names);
        if let Some(best) = peers.filter_map(|row| row.decode_own).min_by(f64::total_cmp) {
            line(
                &outcome.workload,
                "the best own value",
                vec![None, None, Some(cell(decode / best, 1.0)), None],
            );
        }
    }

    if body.is_empty() {
        return String::new();
    }
    let names = FIGURES.iter().map(|(name, _)| *name);
    let head: Vec<String> = ["workload", "against"].into_iter().chain(names).map(str::to_owned).collect();
    format!(
        "## Targets: the ratio of {SUBJECT} to a peer, and what it may be at most\n\n{}",
        table(&head, &body)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Peaks;
    use crate::table::Limits;

    #[test]
    fn a_limit_is_reached_as_printed() {
        assert_eq!(cell(1.004, 1.0), "1.00 ≤ 1.00");
        assert_eq!(cell(1.006, 1.0), "1.01 **>** 1.00");
    }

    #[test]
    fn what_was_measured_is_compared_and_nothing_else() {
        let row = |codec: &str, class, bytes| Row {
            codec: codec.to_owned(),
            class,
            serde: codec != "zerompk",
            bytes,
            gzip: 40,
            zstd: 30,
            encode: bytes as f64,
            decode: 100.0,
            borrowed: None,
            skip: None,
            decode_own: None,
            encode_own: None,
            peaks: Peaks { encode: 1, decode: 1 },
        };
        let outcome = Outcome {
            workload: "save".to_owned(),
            about: "made up".to_owned(),
            typed: true,
            rows: vec![
                row(SUBJECT, Class::Subject, 50),
                row("zerompk", Class::Names, 80),
                row("pot", Class::Names, 100),
                row("cbor4ii", Class::Names, 200),
                row("bitcode", Class::Schema, 50),
            ],
            failures: Vec::new(),
            limits: Limits { clone_and_drop: 1.0, copied: SUBJECT.to_owned(), copy: 1.0, copy_fresh: 1.0 },
        };
        let text = section(&[outcome]).replace(' ', "");
        let lines: Vec<&str> = text.lines().skip(4).collect();
        let expected = [
            "|save|thebestwithnames|0.50≤0.50|0.50≤0.80|1.00**>**0.40|–|",
            "|save|zerompk|0.62≤0.85|0.62≤1.50|1.00**>**0.70|–|",
            "|save|bitcode|1.00≤1.00|1.00≤1.50|1.00≤1.10|–|",
        ];
        assert_eq!(lines, expected);
        assert_eq!(section(&[]), "");
    }
}
