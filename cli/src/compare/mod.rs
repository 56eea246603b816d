//! `compare`: formats side by side, on the user's own data.

mod formats;
mod measure;
mod value;

use crate::args::{self, Compare};
use crate::convert::is_ndjson;
use crate::fail::Result;
use crate::io::{Input, Output};
use crate::json;
use crate::progress::Progress;
use crate::text::{count, duration, printable, share, thousands};
use anstyle::{AnsiColor, Style};
use formats::{ABOUT, FORMATS, Format, OWN};
use measure::Task;
use serde_json::json;
use std::hint::black_box;
use std::path::Path;
use value::Common;

pub(crate) fn run(args: &Compare, common: &args::Common) -> Result<()> {
    let mut output = Output::standard();
    for (index, file) in args.files.iter().enumerate() {
        let comparison = compare(file, args, common)?;
        if args.json {
            output.put(format!("{}\n", comparison.json()))?;
        } else {
            output.put(if index == 0 { about() } else { String::new() })?;
            output.put(comparison.text(common.color.on_stdout()))?;
        }
    }
    output.finish()
}

/// What the figures are of, and how much they are worth.
fn about() -> String {
    let debug = "This program was built without optimisation, so its times mean little.\n";
    ABOUT.to_owned() + if cfg!(debug_assertions) { debug } else { "" }
}

/// What was found out about one file.
struct Comparison {
    file: String,
    bytes: usize,
    values: usize,
    rounds: u32,
    rows: Vec<Row>,
}

struct Row {
    format: &'static str,
    /// Or why the format does not do for the data.
    figures: std::result::Result<Figures, String>,
}

struct Figures {
    bytes: usize,
    encode_ns: f64,
    decode_ns: f64,
}

fn compare(file: &Path, args: &Compare, common: &args::Common) -> Result<Comparison> {
    let input = Input::read(file, common)?;
    let progress = Progress::start("comparing", None, common);
    let mut values: Vec<Common> = Vec::new();
    let lines = args.ndjson || is_ndjson(file);
    json::read_values(&input, lines, json::read_as_it_is, &progress, |value| {
        values.push(wbin::from_value(&value).map_err(|error| error.to_string())?);
        Ok(())
    })?;
    if values.is_empty() {
        return Err(input.bad("no value in it"));
    }
    let encoded: Vec<_> = FORMATS.iter().map(|format| round_trip(format, &values)).collect();
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (format, documents) in FORMATS.iter().zip(&encoded) {
        if let Ok(documents) = documents {
            // What failed would have failed in the round trip.
            tasks.push(Box::new(|| values.iter().for_each(|value| drop(black_box((format.encode)(value))))));
            tasks.push(Box::new(|| {
                documents.iter().for_each(|bytes| drop(black_box((format.decode)(bytes))))
            }));
        }
    }
    let (times, rounds) = measure::least(&tasks, args.time);
    let mut times = times.chunks_exact(2);
    let rows = FORMATS.iter().zip(&encoded).map(|(format, documents)| {
        let figures = documents.as_ref().map_err(String::clone).map(|documents| {
            let times = times.next().unwrap_or(&[f64::NAN; 2]);
            let bytes = documents.iter().map(Vec::len).sum();
            Figures { bytes, encode_ns: times[0], decode_ns: times[1] }
        });
        Row { format: format.name, figures }
    });
    let rows = rows.collect();
    Ok(Comparison { file: input.name.clone(), bytes: input.bytes.len(), values: values.len(), rounds, rows })
}

/// The bytes of all values, after each was decoded and found equal.
fn round_trip(format: &Format, values: &[Common]) -> std::result::Result<Vec<Vec<u8>>, String> {
    let mut documents = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let place = |what: String| match values.len() {
            1 => what,
            _ => format!("value {}: {what}", index + 1),
        };
        let bytes = (format.encode)(value).map_err(place)?;
        if (format.decode)(&bytes).map_err(place)? != *value {
            return Err(place("what comes back is another value".into()));
        }
        documents.push(bytes);
    }
    Ok(documents)
}

/// How many characters the longest bar of a table has.
const BAR: f64 = 32.0;

impl Comparison {
    /// For programs.
    fn json(&self) -> serde_json::Value {
        let tenths = |ns: f64| (ns * 10.0).round() / 10.0;
        let rows = self.rows.iter().map(|row| match &row.figures {
            Ok(figures) => json!({
                "name": row.format,
                "bytes": figures.bytes,
                "encode_ns": tenths(figures.encode_ns),
                "decode_ns": tenths(figures.decode_ns),
            }),
            Err(problem) => json!({"name": row.format, "problem": problem}),
        });
        json!({
            "file": self.file,
            "bytes": self.bytes,
            "values": self.values,
            "rounds": self.rounds,
            "formats": rows.collect::<Vec<_>>(),
        })
    }

    /// For people: a table for the size and for each direction.
    fn text(&self, coloured: bool) -> String {
        let (bytes, values) = (count(self.bytes, "byte"), count(self.values, "value"));
        let rounds = count(self.rounds as usize, "round");
        let mut text = format!("\n{}: {bytes}, {values}, {rounds}\n", self.file);
        text.push_str(&self.table(
            "size",
            coloured,
            |figures| figures.bytes as f64,
            |bytes| thousands(bytes as u64),
        ));
        text.push_str(&self.table("encode", coloured, |figures| figures.encode_ns, duration));
        text.push_str(&self.table("decode", coloured, |figures| figures.decode_ns, duration));
        let problems = self.rows.iter().filter_map(|row| Some((row.format, row.figures.as_ref().err()?)));
        for (index, (format, problem)) in problems.enumerate() {
            let gap = if index == 0 { "\n" } else { "" };
            text.push_str(&format!("{gap}{format} is left out: {}\n", printable(problem)));
        }
        text
    }

    /// The formats by one figure, the least first.
    fn table(
        &self,
        title: &str,
        coloured: bool,
        figure: impl Fn(&Figures) -> f64,
        show: impl Fn(f64) -> String,
    ) -> String {
        let of = |row: &Row| row.figures.as_ref().ok().map(&figure);
        let mut rows: Vec<_> = self.rows.iter().filter_map(|row| Some((row.format, of(row)?))).collect();
        rows.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        let base = self.rows.first().and_then(of).unwrap_or_default();
        let most = rows.last().map_or(1.0, |(_, most)| *most);
        let mut text = format!("\n{title:<14}{:>12}{:>12}\n", "", format!("of {}", FORMATS[0].name));
        for (format, figure) in rows {
            let style = match (coloured, format) {
                (false, _) => Style::new(),
                (true, OWN) => AnsiColor::Green.on_default().bold(),
                (true, _) => AnsiColor::Cyan.on_default(),
            };
            let (shown, share, bar) = (show(figure), share(figure, base), bar(figure / most));
            text.push_str(&format!("{format:<14}{shown:>12}{share:>12}  {style}{bar}{style:#}\n"));
        }
        text
    }
}

/// A bar for a part of the longest, in eighths of a character.
fn bar(part: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    // Whatever is there is seen.
    let eighths = ((part * BAR * 8.0).round() as usize).max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars() {
        assert_eq!(bar(1.0), "█".repeat(32));
        assert_eq!(bar(1.5 / 32.0), "█▌");
        assert_eq!(bar(1e-9), "▏");
    }
}
