//! The `wbin` program: JSON to wbin and back, and a look into documents.
#![forbid(unsafe_code)]

mod args;
mod check;
mod compare;
mod convert;
mod fail;
#[cfg(test)]
#[path = "../../fuzz/src/cli_json.rs"]
mod fuzz;
mod get;
mod inspect;
mod io;
mod json;
mod notation;
mod pieces;
mod progress;
mod sequence;
mod stats;
mod text;
mod walk;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    args.common.color.choice().write_global();
    let common = &args.common;
    let result = match &args.command {
        Command::Encode(command) => convert::encode(command, common),
        Command::Decode(command) => convert::decode(command, common),
        Command::Canon(command) => convert::canon(command, common),
        Command::Inspect(command) => inspect::run(command, common),
        Command::Check(command) => check::run(command, common),
        Command::Get(command) => get::run(command, common),
        Command::Diag(command) => notation::diag(command, common),
        Command::Undiag(command) => notation::undiag(command, common),
        Command::Stats(command) => stats::run(command, common),
        Command::Compare(command) => compare::run(command, common),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
