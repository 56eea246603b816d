//! Measures how fast wbin and other formats encode and decode the same data, and how many bytes they make of it: all in
//! one process, interleaved, by the CPU time of one thread. The data is typed first, and then dynamic.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

mod child;
mod codecs;
mod compress;
mod data;
mod measure;
mod record;
mod samples;
mod table;
mod targets;
mod typed;
mod value;

use codecs::{Class, Entry, Failure, SUBJECT};
use data::Workload;
use measure::{Plan, Subject, Task};
use samples::Case;
use table::{Limits, Outcome, Row};

/// Measures wbin beside other formats.
///
/// Real JSON documents are taken from the folder named by the environment variable WBIN_DATA.
#[derive(Parser)]
struct Options {
    /// Only this workload (may be repeated): logs, mesh, save, updates, ints, struct, log, floats, bytes or strings, which
    /// are typed; S1 to S7, S5-list or the name of a JSON file, which are dynamic
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Only this codec, by the name in the tables (may be repeated)
    #[arg(long, value_name = "NAME")]
    codec: Vec<String>,
    /// How often each figure is taken; the least counts. Without this, 51 times, or less often if a workload would take
    /// longer than six seconds
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Three rounds of short batches, to see that everything works
    #[arg(long)]
    quick: bool,
    /// Measure the one workload of `--only` in this process, and print what was measured as JSON
    #[arg(long, hide = true)]
    outcome: bool,
    /// Write the figures to this file as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the report to this file as well
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match report(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wbin-report: {message}");
            ExitCode::FAILURE
        }
    }
}

fn report(options: &Options) -> Result<(), String> {
    let plan = match options.rounds {
        _ if options.quick => Plan { rounds: 3, batch_time: 20_000, budget: 0 },
        Some(rounds) => Plan { rounds, batch_time: 200_000, budget: u64::MAX },
        None => Plan { rounds: 51, batch_time: 200_000, budget: 6_000_000_000 },
    };
    let (typed, dynamic) = chosen_codecs(&options.codec)?;
    let (cases, workloads) = chosen_workloads(&options.only)?;

    let typed_names: Vec<&str> = typed.iter().map(|(name, ..)| *name).collect();
    if options.outcome {
        let outcome = match (&cases[..], &workloads[..]) {
            ([case], []) => (case.run)(case, &typed_names, plan),
            ([], [workload]) => measure(workload, &dynamic, plan)?,
            _ => return Err("one workload at a time".to_owned()),
        };
        let json = serde_json::to_string(&outcome).map_err(|error| error.to_string())?;
        println!("{json}");
        return Ok(());
    }

    let about_typed = if cases.is_empty() { &[][..] } else { &typed };
    let about_dynamic = if workloads.is_empty() { &[][..] } else { &dynamic };
    let mut text = record::header(about_dynamic, about_typed, plan);
    println!("{text}");
    let mut outcomes = Vec::new();
    // A codec may be for typed data only, or for dynamic data only.
    let cases = cases.iter().map(|case| case.name).filter(|_| !typed.is_empty());
    let workloads = workloads.iter().map(|workload| workload.name.as_str()).filter(|_| !dynamic.is_empty());
    for workload in cases.chain(workloads) {
        let outcome = child::run(arguments(options, workload))?;
        let section = table::section(&outcome);
        println!("{section}");
        text += &format!("\n{section}");
        outcomes.push(outcome);
    }
    for end in [table::summary(&outcomes), targets::section(&outcomes)] {
        if !end.is_empty() {
            println!("{end}");
            text += &format!("\n{end}");
        }
    }

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

/// The command line for a process that measures one workload.
fn arguments(options: &Options, workload: &str) -> Vec<String> {
    let mut arguments = vec!["--outcome".to_owned(), "--only".to_owned(), workload.to_owned()];
    arguments.extend(options.codec.iter().map(|name| format!("--codec={name}")));
    arguments.extend(options.rounds.map(|rounds| format!("--rounds={rounds}")));
    arguments.extend(options.quick.then(|| "--quick".to_owned()));
    arguments
}

/// The codecs for typed data, by name, class and note, and those for dynamic data.
type Chosen = (Vec<(&'static str, Class, &'static str)>, Vec<Entry>);

fn chosen_codecs(names: &[String]) -> Result<Chosen, String> {
    let mut dynamic = codecs::all();
    // Their names are the same for data of every type.
    let typed = codecs::typed::<Vec<u8>>();
    let mut typed: Vec<_> = typed.iter().map(|codec| (codec.name, codec.class, codec.note)).collect();

    let mut known: Vec<&str> = typed.iter().map(|(name, ..)| *name).collect();
    known.extend(dynamic.iter().map(|codec| codec.name));
    if let Some(name) = names.iter().find(|name| !known.iter().any(|k| k.eq_ignore_ascii_case(name))) {
        known.sort_unstable();
        known.dedup();
        return Err(format!("no codec {name}: there are {}", known.join(", ")));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n.eq_ignore_ascii_case(name));
    typed.retain(|(name, ..)| wanted(name));
    dynamic.retain(|codec| wanted(codec.name));
    Ok((typed, dynamic))
}

fn chosen_workloads(names: &[String]) -> Result<(Vec<Case>, Vec<Workload>), String> {
    let mut cases = samples::all();
    // "mesh" is the typed one, "mesh.json" the document.
    let typed: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let same = |a: &str, b: &str| {
        a.eq_ignore_ascii_case(b) || (a.strip_suffix(".json") == Some(b) && !typed.contains(&b))
    };
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| same(name, n));
    cases.retain(|case| wanted(case.name));
    let mut workloads = data::seeded();
    workloads.retain(|workload| wanted(&workload.name));
    match data::real(wanted) {
        Ok(real) => workloads.extend(real),
        Err(reason) => eprintln!("wbin-report: no real documents: {reason}"),
    }
    let known = |n: &str| {
        cases.iter().any(|case| same(case.name, n))
            || workloads.iter().any(|workload| same(&workload.name, n))
    };
    match names.iter().find(|name| !known(name)) {
        Some(name) => Err(format!("no workload {name}")),
        None => Ok((cases, workloads)),
    }
}

fn measure(workload: &Workload, codecs: &[Entry], plan: Plan) -> Result<Outcome, String> {
    let mut failures = Vec::new();
    let mut measured: Vec<(Entry, Vec<Vec<u8>>)> = Vec::new();
    for codec in codecs {
        match (codec.prepare)(&workload.docs) {
            Ok(bytes) => measured.push((*codec, bytes)),
            Err(Failure(reason)) => failures.push((codec.name.to_owned(), reason)),
        }
    }
    let size = |bytes: &[Vec<u8>]| bytes.iter().map(Vec::len).sum::<usize>();
    let compressed = |bytes: &[Vec<u8>], to: fn(&[u8]) -> usize| bytes.iter().map(|doc| to(doc)).sum();
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
        tasks.extend(codec.skip.map(timed));
    }

    let mut times = measure::run(&tasks, plan).into_iter();
    let mut next = || times.next().expect("one time for each task");
    let limits =
        Limits { clone_and_drop: next(), copied: smallest.name.to_owned(), copy: next(), copy_fresh: next() };
    let rows = measured
        .iter()
        .map(|(codec, bytes)| Row {
            codec: codec.name.to_owned(),
            class: codec.class,
            serde: codec.serde,
            bytes: size(bytes),
            gzip: compressed(bytes, compress::gzip),
            zstd: compressed(bytes, compress::zstd),
            encode: next(),
            decode: next(),
            borrowed: None,
            decode_own: codec.own.map(|_| next()),
            encode_own: codec.own.map(|_| next()),
            skip: codec.skip.map(|_| next()),
        })
        .collect();
    Ok(Outcome {
        workload: workload.name.clone(),
        about: workload.about.clone(),
        typed: false,
        rows,
        failures,
        limits,
    })
}
