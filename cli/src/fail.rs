//! Why the program stops, what it says then, and its exit code.

use crate::text::printable;
use std::io::Write;
use std::process::ExitCode;

/// An end before the work was done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is bad.
    Input(String),
    /// The command line asks for what cannot be.
    Usage(String),
    /// Reading or writing failed.
    Io(String),
    /// Whoever reads the output has enough of it.
    Closed,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// Says what happened, on the standard error; gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (text, code) = match self {
            Failure::Input(text) => (text, 1),
            Failure::Usage(text) => (text, 2),
            Failure::Io(text) => (text, 3),
            Failure::Closed => return ExitCode::SUCCESS,
        };
        let style = anstyle::AnsiColor::Red.on_default().bold();
        // Where the standard error is closed, the exit code has to say it alone.
        let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {}", printable(text));
        ExitCode::from(code)
    }
}
