//! What was measured, as Markdown.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::codecs::{Class, SUBJECT};
use crate::figures::{Figures, tenths};
use crate::memory::Peaks;

/// The figures of one codec for one workload. Times are in nanoseconds for all its documents together.
#[derive(Serialize, Deserialize)]
pub struct Row {
    pub codec: String,
    pub class: Class,
    /// Whether the value went through serde.
    pub serde: bool,
    pub bytes: usize,
    /// The bytes that are left after gzip.
    pub gzip: usize,
    /// The bytes that are left after zstd.
    pub zstd: usize,
    pub encode: f64,
    pub decode: f64,
    /// Decoding into types that borrow.
    pub borrowed: Option<f64>,
    /// Finding the end without decoding.
    pub skip: Option<f64>,
    pub decode_own: Option<f64>,
    pub encode_own: Option<f64>,
    pub peaks: Peaks,
}

/// What no codec can do much better than.
#[derive(Serialize, Deserialize)]
pub struct Limits {
    pub clone_and_drop: f64,
    /// The codec whose bytes were copied: the one with the fewest.
    pub copied: String,
    pub copy: f64,
    pub copy_fresh: f64,
}

/// All about one workload.
#[derive(Serialize, Deserialize)]
pub struct Outcome {
    pub workload: String,
    pub about: String,
    /// Whether the data was of types known beforehand, or of the common dynamic one.
    pub typed: bool,
    pub rows: Vec<Row>,
    /// Codecs that did not keep the data, and what went wrong.
    pub failures: Vec<(String, String)>,
    pub limits: Limits,
}

/// A column of figures, in the order of the tables.
pub type Column = (&'static str, fn(&Row) -> Option<f64>);

pub const BYTES: Column = ("bytes", |row| Some(row.bytes as f64));
const GZIP: Column = ("gzip", |row| Some(row.gzip as f64));
const ZSTD: Column = ("zstd", |row| Some(row.zstd as f64));
pub const ENCODE: Column = ("encode", |row| Some(row.encode));
pub const DECODE: Column = ("decode", |row| Some(row.decode));
pub const BORROWED: Column = ("borrowed", |row| row.borrowed);
const SKIP: Column = ("skip", |row| row.skip);
const OWN_DECODE: Column = ("own decode", |row| row.decode_own);
const OWN_ENCODE: Column = ("own encode", |row| row.encode_own);

const ENCODE_PEAK: Column = ("encode peak", |row| Some(row.peaks.encode as f64));
const DECODE_PEAK: Column = ("decode peak", |row| Some(row.peaks.decode as f64));

const DYNAMIC: [Column; 10] =
    [BYTES, GZIP, ZSTD, ENCODE, DECODE, OWN_DECODE, OWN_ENCODE, SKIP, ENCODE_PEAK, DECODE_PEAK];
const TYPED: [Column; 9] = [BYTES, GZIP, ZSTD, ENCODE, DECODE, BORROWED, SKIP, ENCODE_PEAK, DECODE_PEAK];
const TYPED_SCHEMA: [Column; 8] = [BYTES, GZIP, ZSTD, ENCODE, DECODE, BORROWED, ENCODE_PEAK, DECODE_PEAK];

/// The columns of the summaries, which name the best peer through serde apart.
const SUMMARY: [Column; 7] = [
    BYTES,
    ENCODE,
    ("serde encode", |row| row.serde.then_some(row.encode)),
    DECODE,
    ("serde decode", |row| row.serde.then_some(row.decode)),
    OWN_DECODE,
    OWN_ENCODE,
];

/// The least figure of the peers in one class, and whose it is.
fn best(rows: &[Row], class: Class, figure: fn(&Row) -> Option<f64>) -> Option<(f64, &str)> {
    rows.iter()
        .filter(|row| row.class == class)
        .filter_map(|row| Some((figure(row)?, row.codec.as_str())))
        .min_by(|a, b| a.0.total_cmp(&b.0))
}

/// A figure with its thousands apart; one decimal below 100.
pub fn number(figure: f64) -> String {
    if figure < 100.0 && figure.fract() != 0.0 {
        return format!("{figure:.1}");
    }
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub const NOTHING: &str = "–";

/// A Markdown table whose first column is text and whose others are figures.
pub fn table(head: &[String], body: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = body.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count(), 3]).max().unwrap_or(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    let mut line = |cells: &[String]| {
        for (i, cell) in cells.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            text += &if i == 0 { format!("| {cell}{pad} |") } else { format!(" {pad}{cell} |") };
        }
        text.push('\n');
    };
    line(head);
    line(
        &widths
            .iter()
            .enumerate()
            .map(|(i, width)| if i == 0 { "-".repeat(*width) } else { "-".repeat(width - 1) + ":" })
            .collect::<Vec<_>>(),
    );
    body.iter().for_each(|row| line(row));
    text
}

/// The figures of wbin and of the peers in one class, each with its ratio to the best of these peers.
fn ranking(outcome: &Outcome, class: Class, columns: &[Column]) -> String {
    let mut head = vec!["codec".to_owned()];
    for (name, _) in columns {
        head.extend([(*name).to_owned(), "×".to_owned()]);
    }
    let body: Vec<Vec<String>> = outcome
        .rows
        .iter()
        .filter(|row| row.class == class || row.class == Class::Subject)
        .map(|row| {
            let mut cells = vec![row.codec.clone()];
            for (_, figure) in columns {
                let best = best(&outcome.rows, class, *figure);
                let ratio = figure(row).zip(best).map(|(own, (best, _))| own / best);
                cells.push(figure(row).map_or(NOTHING.to_owned(), number));
                cells.push(ratio.map_or(NOTHING.to_owned(), |ratio| format!("{ratio:.2}")));
            }
            cells
        })
        .collect();
    table(&head, &body)
}

/// The section of one workload.
pub fn section(outcome: &Outcome) -> String {
    let tables = if outcome.typed {
        format!(
            "Formats with field names:\n\n{}\nFormats that need a schema:\n\n{}",
            ranking(outcome, Class::Names, &TYPED),
            ranking(outcome, Class::Schema, &TYPED_SCHEMA),
        )
    } else {
        ranking(outcome, Class::Names, &DYNAMIC)
    };
    let limits = &outcome.limits;
    let mut text = format!("## {}: {}\n\n{tables}\n", outcome.workload, outcome.about);
    let _ = writeln!(
        text,
        "Limits: clone and drop of the value {} ns; copy of the bytes of {} into ready memory {} ns, into a \
         fresh vector {} ns.",
        number(limits.clone_and_drop),
        limits.copied,
        number(limits.copy),
        number(limits.copy_fresh),
    );
    for (codec, reason) in &outcome.failures {
        let _ = writeln!(text, "\nNot measured: {codec}: {reason}");
    }
    text
}

/// The best peer of every dynamic workload, and how wbin stands beside it.
pub fn summary(outcomes: &[Outcome]) -> String {
    let outcomes: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.typed).collect();
    if outcomes.is_empty() {
        return String::new();
    }
    let head = |last: &str| {
        let names = SUMMARY.iter().map(|(name, _)| *name);
        ["workload"].into_iter().chain(names).chain([last]).map(str::to_owned).collect::<Vec<_>>()
    };
    let peers: Vec<Vec<String>> = outcomes
        .iter()
        .map(|outcome| {
            let mut cells = vec![outcome.workload.clone()];
            for (_, figure) in SUMMARY {
                let best = best(&outcome.rows, Class::Names, figure);
                cells.push(
                    best.map_or(NOTHING.to_owned(), |(best, codec)| format!("{} {codec}", number(best))),
                );
            }
            cells.push(number(outcome.limits.clone_and_drop));
            cells
        })
        .collect();
    let mut text = format!("## The best peer of each\n\n{}", table(&head("clone + drop"), &peers));

    let ours: Vec<Vec<String>> = outcomes
        .iter()
        .filter_map(|outcome| {
            let row = outcome.rows.iter().find(|row| row.codec == SUBJECT)?;
            let mut cells = vec![outcome.workload.clone()];
            for (_, figure) in SUMMARY {
                let ratio = figure(row)
                    .zip(best(&outcome.rows, Class::Names, figure))
                    .map(|(own, (best, _))| own / best);
                let ratio = ratio.map_or(NOTHING.to_owned(), |ratio| format!("{ratio:.2}"));
                cells
                    .push(figure(row).map_or(NOTHING.to_owned(), |own| format!("{} ({ratio})", number(own))));
            }
            cells.push(format!("{:.2}", row.decode / outcome.limits.clone_and_drop));
            Some(cells)
        })
        .collect();
    if !ours.is_empty() {
        let head = head("decode / clone + drop");
        let _ = write!(text, "\n## {SUBJECT}, and its ratio to the best peer\n\n{}", table(&head, &ours));
    }
    text
}

/// The figures of a workload, a line for each codec.
pub fn figures(outcome: &Outcome) -> Vec<Figures> {
    let limits = &outcome.limits;
    let line = |row: &Row| Figures {
        own_decode_ns: row.decode_own.map(tenths),
        own_encode_ns: row.encode_own.map(tenths),
        clone_drop_ns: Some(tenths(limits.clone_and_drop)),
        copy_ns: Some(tenths(limits.copy)),
        copy_fresh_ns: Some(tenths(limits.copy_fresh)),
        borrowed_ns: row.borrowed.map(tenths),
        skip_ns: row.skip.map(tenths),
        gzip_bytes: Some(row.gzip as u64),
        zstd_bytes: Some(row.zstd as u64),
        encode_peak: Some(row.peaks.encode as u64),
        decode_peak: Some(row.peaks.decode as u64),
        ..Figures::new(&outcome.workload, &row.codec, row.class, row.bytes as u64, [row.encode, row.decode])
    };
    outcome.rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome() -> Outcome {
        let row = |codec: &str, bytes, encode, decode_own| Row {
            codec: codec.to_owned(),
            class: if codec == SUBJECT { Class::Subject } else { Class::Names },
            serde: codec != "a",
            bytes,
            gzip: 40,
            zstd: 30,
            encode,
            decode: 2.0 * encode,
            borrowed: None,
            skip: None,
            decode_own,
            encode_own: None,
            peaks: Peaks { encode: 2 * bytes, decode: 80 },
        };
        Outcome {
            workload: "S0".to_owned(),
            about: "made up".to_owned(),
            typed: false,
            rows: vec![
                row(SUBJECT, 90, 60.0, Some(10.5)),
                row("a", 1234, 120.0, Some(21.0)),
                row("b", 100, 240.0, None),
            ],
            failures: vec![("c".to_owned(), "no".to_owned())],
            limits: Limits { clone_and_drop: 100.0, copied: "b".to_owned(), copy: 1.0, copy_fresh: 20.25 },
        }
    }

    #[test]
    fn figures_are_grouped() {
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(12.0), "12");
        assert_eq!(number(999.4), "999");
        assert_eq!(number(1234567.0), "1,234,567");
    }

    #[test]
    fn ratios_are_to_the_best_peer() {
        let text = section(&outcome());
        let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().replace(' ', "");
        assert_eq!(
            line("| wbin"),
            "|wbin|90|0.90|40|1.00|30|1.00|60|0.50|120|0.50|10.5|0.50|–|–|–|–|180|0.90|80|1.00|"
        );
        assert_eq!(
            line("| a"),
            "|a|1,234|12.34|40|1.00|30|1.00|120|1.00|240|1.00|21|1.00|–|–|–|–|2,468|12.34|80|1.00|"
        );
        assert!(text.contains("Not measured: c: no"));
    }

    #[test]
    fn classes_are_ranked_apart() {
        let mut outcome = Outcome { typed: true, ..outcome() };
        outcome.rows[2].class = Class::Schema;
        outcome.rows[2].borrowed = Some(50.0);
        let text = section(&outcome).replace(' ', "");
        let (names, schema) = text.split_once("Formatsthatneedaschema").unwrap();
        assert!(
            names.contains("|wbin|90|0.07|40|1.00|30|1.00|60|0.50|120|0.50|–|–|–|–|180|0.07|80|1.00|"),
            "{names}"
        );
        assert!(names.contains("|a|") && !names.contains("|b|"), "{names}");
        assert!(
            schema.contains("|wbin|90|0.90|40|1.00|30|1.00|60|0.25|120|0.25|–|–|180|0.90|80|1.00|"),
            "{schema}"
        );
        assert!(
            schema.contains("|b|100|1.00|40|1.00|30|1.00|240|1.00|480|1.00|50|1.00|200|1.00|80|1.00|"),
            "{schema}"
        );
        assert!(!schema.contains("|a|"), "{schema}");
    }

    #[test]
    fn the_summary_names_the_best_peer() {
        let text = summary(&[outcome()]).replace(' ', "");
        assert!(text.contains("|S0|100b|120a|240b|240a|480b|21a|–|100|"));
        assert!(text.contains("|S0|90(0.90)|60(0.50)|60(0.25)|120(0.50)|120(0.25)|10.5(0.50)|–|1.20|"));
    }

    #[test]
    fn figures_have_a_line_for_each_codec() {
        let figures = figures(&outcome());
        assert_eq!(figures.len(), 3);
        let b = &figures[2];
        assert_eq!((&*b.workload, &*b.codec, b.class, b.bytes), ("S0", "b", Class::Names, 100));
        assert_eq!([b.encode_ns, b.decode_ns, b.copy_fresh_ns.unwrap()], [240.0, 480.0, 20.3]);
        assert_eq!((b.gzip_bytes, b.encode_peak, b.decode_peak), (Some(40), Some(200), Some(80)));
        assert_eq!((b.own_decode_ns, figures[0].own_decode_ns), (None, Some(10.5)));
    }
}
