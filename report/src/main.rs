//! Measures how fast wbin and other self-describing formats encode and decode the same dynamic data, and how many bytes
//! they make of it: all in one process, interleaved, by the CPU time of one thread.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

mod codecs;
mod data;
mod measure;
mod record;
mod table;
mod value;

use codecs::{Entry, Failure, SUBJECT};
use data::Workload;
use measure::{Plan, Subject, Task};
use table::{Limits, Outcome, Row};

/// Measures wbin beside other self-describing formats.
///
/// Real JSON documents are taken from the folder named by the environment variable WBIN_DATA.
#[derive(Parser)]
struct Options {
    /// Only this workload: S1 to S7, S5-list, or the name of a JSON file (may be repeated)
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Only this codec, by the name in the tables (may be repeated)
    #[arg(long, value_name = "NAME")]
    codec: Vec<String>,
    /// How often each figure is taken; the least counts
    #[arg(long, default_value_t = 51, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Three rounds of short batches, to see that everything works
    #[arg(long)]
    quick: bool,
    /// Write the figures to this file as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the report to this file as well
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
}

fn main() -> ExitCode {
    match report(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wbin-report: {message}");
            ExitCode::FAILURE
        }
    }
}

fn report(options: &Options) -> Result<(), String> {
    let plan = if options.quick {
        Plan { rounds: 3, batch_time: 20_000 }
    } else {
        Plan { rounds: options.rounds, batch_time: 200_000 }
    };
    let codecs = chosen_codecs(&options.codec)?;
    let workloads = chosen_workloads(&options.only)?;

    let mut text = record::header(&codecs, plan);
    println!("{text}");
    let mut outcomes = Vec::new();
    for workload in &workloads {
        let outcome = measure(workload, &codecs, plan)?;
        let section = table::section(&outcome);
        println!("{section}");
        text += &format!("\n{section}");
        outcomes.push(outcome);
    }
    let summary = table::summary(&outcomes);
    println!("{summary}");
    text += &format!("\n{summary}");

    let write = |path: &Option<PathBuf>, text: &str| match path {
        Some(path) => std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display())),
        None => Ok(()),
    };
    write(&options.md, &text)?;
    write(&options.csv, &table::csv(&outcomes))?;

    let failed = |outcome: &&Outcome| outcome.failures.iter().any(|(codec, _)| *codec == SUBJECT);
    match outcomes.iter().find(failed) {
        Some(outcome) => Err(format!("{SUBJECT} did not keep the data of {}", outcome.workload)),
        None => Ok(()),
    }
}

fn chosen_codecs(names: &[String]) -> Result<Vec<Entry>, String> {
    let all = codecs::all();
    let known = |name: &&String| all.iter().any(|codec| codec.name.eq_ignore_ascii_case(name));
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let list: Vec<&str> = all.iter().map(|codec| codec.name).collect();
        return Err(format!("no codec {name}: there are {}", list.join(", ")));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n.eq_ignore_ascii_case(name));
    Ok(all.iter().filter(|codec| wanted(codec.name)).copied().collect())
}

fn chosen_workloads(names: &[String]) -> Result<Vec<Workload>, String> {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b) || a.strip_suffix(".json") == Some(b);
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| same(name, n));
    let mut workloads = data::seeded();
    workloads.retain(|workload| wanted(&workload.name));
    match data::real(wanted) {
        Ok(real) => workloads.extend(real),
        Err(reason) => eprintln!("wbin-report: no real documents: {reason}"),
    }
    match names.iter().find(|n| !workloads.iter().any(|workload| same(&workload.name, n))) {
        Some(name) => Err(format!("no workload {name}")),
        None => Ok(workloads),
    }
}

fn measure(workload: &Workload, codecs: &[Entry], plan: Plan) -> Result<Outcome, String> {
    let mut failures = Vec::new();
    let mut measured: Vec<(Entry, Vec<Vec<u8>>)> = Vec::new();
    for codec in codecs {
        match (codec.prepare)(&workload.docs) {
            Ok(bytes) => measured.push((*codec, bytes)),
            Err(Failure(reason)) => failures.push((codec.name, reason)),
        }
    }
    let size = |bytes: &[Vec<u8>]| bytes.iter().map(Vec::len).sum::<usize>();
    let Some((smallest, copied)) = measured.iter().min_by_key(|(_, bytes)| size(bytes)) else {
        return Err(format!("no codec kept the data of {}: {failures:?}", workload.name));
    };

    let docs = &workload.docs;
    let mut tasks: Vec<Task<'_>> = vec![
        Box::new(|batch| measure::clone_and_drop(docs, batch)),
        Box::new(|batch| measure::copy(copied, batch)),
        Box::new(|batch| measure::copy_fresh(copied, batch)),
    ];
    for (codec, bytes) in &measured {
        let timed = |time: fn(&Subject<'_>, u64) -> u64| -> Task<'_> {
            Box::new(move |batch| time(&Subject { docs, bytes }, batch))
        };
        tasks.extend([timed(codec.encode), timed(codec.decode)]);
        if codec.own.is_some() {
            tasks.extend([timed(codec.decode_own), timed(codec.encode_own)]);
        }
    }

    let mut times = measure::run(&tasks, plan).into_iter();
    let mut next = || times.next().expect("one time for each task");
    let limits = Limits { clone_and_drop: next(), copied: smallest.name, copy: next(), copy_fresh: next() };
    let rows = measured
        .iter()
        .map(|(codec, bytes)| Row {
            codec: codec.name,
            serde: codec.serde,
            bytes: size(bytes),
            encode: next(),
            decode: next(),
            decode_own: codec.own.map(|_| next()),
            encode_own: codec.own.map(|_| next()),
        })
        .collect();
    Ok(Outcome { workload: workload.name.clone(), about: workload.about.clone(), rows, failures, limits })
}
