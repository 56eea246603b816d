//! Measures wbin beside other formats on the same data: how many bytes they make of it, how fast they encode and decode
//! it, and how much memory they take. Times are CPU times of one thread, interleaved. The data is typed first, and then
//! dynamic.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use serde::Serialize;

mod charts;
mod child;
mod codecs;
mod compare;
mod compress;
mod data;
mod figures;
mod growth;
mod instructions;
mod measure;
mod memory;
mod record;
mod samples;
mod table;
mod targets;
mod typed;
mod value;

use codecs::{Class, Entry, Failure, SUBJECT};
use data::Workload;
use figures::Figures;
use measure::{Plan, Subject, Task};
use samples::Case;
use table::{Limits, Outcome, Row};

/// Measures wbin beside other formats.
///
/// Without options all is measured, and written to benches/record with charts of it. Real JSON documents are taken from
/// the folder named by the environment variable WBIN_DATA.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// Only this workload (may be repeated): logs, mesh, save, updates, ints, struct, log, floats, bytes or strings, which
    /// are typed; S1 to S7, S5-list or the name of a JSON file, which are dynamic; growth; instructions
    #[arg(long, value_name = "WORKLOAD")]
    only: Vec<String>,
    /// Write what was measured, and charts of it, into this folder; without this, only a complete measurement is written
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

#[derive(Args)]
struct How {
    /// Only this codec, by the name in the tables (may be repeated)
    #[arg(long, value_name = "NAME")]
    codec: Vec<String>,
    /// How often each figure is taken; the least counts. Without this, 51 times, or less often if a workload would take
    /// longer than three seconds
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Three rounds of short batches, to see that everything works
    #[arg(long)]
    quick: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Tell what of wbin is worse in one record than in another; ends with code 1 if anything is, and with 2 if they cannot
    /// be compared
    Compare {
        /// The .csv of the earlier record
        old: PathBuf,
        /// The .csv of the later one
        new: PathBuf,
        /// What is worse by so much or less does not count
        #[arg(long, default_value_t = 3.0)]
        percent: f64,
    },
    /// Draw the charts of a record again
    Charts {
        /// The .csv of the record
        record: PathBuf,
        /// Where the charts are put
        folder: PathBuf,
    },
    /// Measure one workload in this process, and print the outcome as JSON
    #[command(hide = true)]
    Outcome {
        workload: String,
        #[command(flatten)]
        how: How,
    },
    /// Measure one size of growth in this process, and print the figures as JSON
    #[command(hide = true)]
    Grow {
        size: String,
        #[command(flatten)]
        how: How,
    },
    /// Do in this process what callgrind counts, and print the names of it as JSON
    #[command(hide = true)]
    Work,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let (result, failure) = match &options.command {
        None => (report(&options).map(|()| ExitCode::SUCCESS), ExitCode::FAILURE),
        Some(Command::Compare { old, new, percent }) => (compared(old, new, *percent), ExitCode::from(2)),
        Some(command) => (carry_out(command).map(|()| ExitCode::SUCCESS), ExitCode::FAILURE),
    };
    result.unwrap_or_else(|message| {
        eprintln!("wbin-report: {message}");
        failure
    })
}

fn compared(old: &Path, new: &Path, percent: f64) -> Result<ExitCode, String> {
    let comparison = compare::compare(&figures::read(old)?, &figures::read(new)?, percent)?;
    print!("{}", comparison.text());
    Ok(if comparison.worse.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn carry_out(command: &Command) -> Result<(), String> {
    match command {
        Command::Compare { .. } => unreachable!("it has a code of its own"),
        Command::Charts { record, folder } => charts::draw(&figures::read(record)?, folder),
        Command::Outcome { workload, how } => print(&outcome(workload, how)?),
        Command::Grow { size, how } => print(&grow(size, how)?),
        Command::Work => print(&instructions::work()?),
    }
}

fn print(value: &impl Serialize) -> Result<(), String> {
    println!("{}", serde_json::to_string(value).map_err(|error| error.to_string())?);
    Ok(())
}

impl How {
    fn plan(&self) -> Plan {
        match self.rounds {
            _ if self.quick => Plan { rounds: 3, batch_time: 20_000, budget: 0, fewest: 3 },
            Some(rounds) => Plan { rounds, batch_time: 200_000, budget: u64::MAX, fewest: rounds },
            None => Plan { rounds: 51, batch_time: 200_000, budget: 3_000_000_000, fewest: 5 },
        }
    }

    /// Many sizes make up for few rounds, and the largest takes long.
    fn growth_plan(&self) -> Plan {
        let plan = self.plan();
        Plan { budget: plan.budget / 10, fewest: plan.fewest.min(2), ..plan }
    }

    /// The command line for a process that measures.
    fn arguments(&self, command: &str, about: &str) -> Vec<String> {
        let mut arguments = vec![command.to_owned(), about.to_owned()];
        arguments.extend(self.codec.iter().map(|name| format!("--codec={name}")));
        arguments.extend(self.rounds.map(|rounds| format!("--rounds={rounds}")));
        arguments.extend(self.quick.then(|| "--quick".to_owned()));
        arguments
    }
}

/// What `--only` calls the parts that are no workloads.
const GROWTH: &str = "growth";
const INSTRUCTIONS: &str = "instructions";

fn report(options: &Options) -> Result<(), String> {
    let start = Instant::now();
    let how = &options.how;
    let (typed, dynamic) = chosen_codecs(&how.codec)?;
    let names: Vec<String> = options
        .only
        .iter()
        .filter(|name| ![GROWTH, INSTRUCTIONS].contains(&name.as_str()))
        .cloned()
        .collect();
    let all = options.only.is_empty();
    let (cases, workloads) = match all || !names.is_empty() {
        true => chosen_workloads(&names)?,
        false => (Vec::new(), Vec::new()),
    };
    let with = |part: &str| all || options.only.iter().any(|name| name == part);

    let about_typed = if cases.is_empty() { &[][..] } else { &typed };
    let about_dynamic = if workloads.is_empty() { &[][..] } else { &dynamic };
    let mut text = record::header(about_dynamic, about_typed, how.plan());
    println!("{text}");
    let mut add = |section: &str| {
        if !section.is_empty() {
            println!("{section}");
            text += &format!("\n{section}");
        }
    };

    let mut outcomes: Vec<Outcome> = Vec::new();
    // A codec may be for typed data only, or for dynamic data only.
    let cases = cases.iter().map(|case| case.name).filter(|_| !typed.is_empty());
    let workloads = workloads.iter().map(|workload| workload.name.as_str()).filter(|_| !dynamic.is_empty());
    for workload in cases.chain(workloads) {
        let outcome = child::run(&how.arguments("outcome", workload))?;
        add(&table::section(&outcome));
        outcomes.push(outcome);
    }
    let mut figures: Vec<Figures> = outcomes.iter().flat_map(table::figures).collect();
    if with(GROWTH) {
        for size in &growth::SIZES {
            figures.extend(child::run::<Vec<Figures>>(&how.arguments("grow", size.name))?);
        }
        add(&growth::section(&figures));
    }
    if with(INSTRUCTIONS) {
        if instructions::possible() {
            let counts = instructions::count(&["work".to_owned()])?;
            instructions::note(&counts, &mut figures);
            add(&instructions::section(&counts));
        } else {
            eprintln!("wbin-report: no counts of instructions: valgrind is not installed");
        }
    }
    add(&table::summary(&outcomes));
    add(&targets::section(&outcomes));
    add(&format!("Measured in {} s.\n", start.elapsed().as_secs()));

    let complete = all && how.codec.is_empty() && how.rounds.is_none() && !how.quick;
    let folder = options.record.clone().or_else(|| complete.then(record::folder));
    if let Some(folder) = folder {
        record::write(&folder, &text, &figures)?;
    }

    let failed = |outcome: &&Outcome| outcome.failures.iter().any(|(codec, _)| codec.starts_with(SUBJECT));
    match outcomes.iter().find(failed) {
        Some(outcome) => Err(format!("{SUBJECT} did not keep the data of {}", outcome.workload)),
        None => Ok(()),
    }
}

fn outcome(workload: &str, how: &How) -> Result<Outcome, String> {
    let (typed, dynamic) = chosen_codecs(&how.codec)?;
    let (cases, workloads) = chosen_workloads(&[workload.to_owned()])?;
    let typed: Vec<&str> = typed.iter().map(|(name, ..)| *name).collect();
    match (&cases[..], &workloads[..]) {
        ([case], []) => Ok((case.run)(case, &typed, how.plan())),
        ([], [workload]) => measure(workload, &dynamic, how.plan()),
        _ => Err("one workload at a time".to_owned()),
    }
}

fn grow(size: &str, how: &How) -> Result<Vec<Figures>, String> {
    let (typed, _) = chosen_codecs(&how.codec)?;
    let mut names = growth::CODECS.to_vec();
    names.retain(|name| typed.iter().any(|(typed, ..)| typed == name));
    let size = growth::SIZES.iter().find(|known| known.name == size).ok_or("no such size")?;
    let logs = samples::first_logs(size.rows);
    typed::measure_whole(&growth::workload(size), &logs, &names, how.growth_plan())
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
            peaks: (codec.peaks)(&Subject { docs, bytes }),
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
