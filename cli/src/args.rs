//! The command line.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

const EXIT_CODES: &str = "\
Exit codes:
  0  it worked
  1  the input is bad: not what it should be, or nothing at the place asked for
  2  the command line is wrong
  3  reading or writing failed";

/// Puts examples and the exit codes under the help of a command.
macro_rules! after {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\nExit codes: 0 it worked, 1 the input is bad, 2 the command line is wrong, 3 reading or writing failed"
        )
    };
}

/// Converts JSON to wbin, a compact tagged binary format, and back; looks into documents.
#[derive(Parser, Debug)]
#[command(name = "wbin", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every command takes.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct Common {
    /// The most bytes to read as input, with K, M or G for powers of 1024
    #[arg(long, global = true, value_name = "BYTES", default_value = "1G", value_parser = parse_size)]
    pub(crate) max_input: u64,
    /// Colours: on terminals only, always or never (NO_COLOR is respected by `auto`)
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Tell the sizes before and after, not only on a terminal
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Tell nothing but errors, and show no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }

    /// Whether what is written to the standard output is to have colours.
    pub(crate) fn on_stdout(self) -> bool {
        let choice = match self.choice() {
            anstream::ColorChoice::Auto => anstream::AutoStream::choice(&std::io::stdout()),
            choice => choice,
        };
        choice != anstream::ColorChoice::Never
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Encode(Encode),
    Decode(Decode),
    Inspect(Inspect),
    Check(Check),
    Canon(Canon),
    Get(Get),
    Diag(Diag),
    Undiag(Undiag),
    Stats(Stats),
    Compare(Compare),
}

/// Where output goes.
#[derive(ClapArgs, Debug)]
pub(crate) struct Out {
    /// The file to write, in whole or not at all; `-` is the standard output
    #[arg(short = 'o', long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) path: PathBuf,
}

/// Where binary output goes.
#[derive(ClapArgs, Debug)]
pub(crate) struct BinaryOut {
    #[command(flatten)]
    pub(crate) out: Out,
    /// Write binary even to a terminal
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// Encode JSON as wbin.
///
/// Reads one JSON value, or with --ndjson one on each line, and writes the values one after another.
/// Everything is kept: the order of members, ints from -2^127 to 2^128-1 digit by digit, other numbers
/// as the nearest binary64 float. Equal names in one object, numbers out of range and malformed
/// `$wbin:` forms are errors with line and column.
///
/// Lists of like values and large maps are stored by columns where that is shorter: what the records of a
/// list have in common, such as their names, is written once, and what differs stands together, packed. The
/// values and their order are the same either way.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin encode shop.json -o shop.wbin
  wbin encode events.ndjson -o events.wbin
  wbin encode shop.json --plain -o shop.plain.wbin
  curl -s https://example.com/a.json | wbin encode - --signature > a.wbin"))]
pub(crate) struct Encode {
    /// The JSON file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: BinaryOut,
    /// One JSON value on each line (the default for files named .ndjson or .jsonl)
    #[arg(long)]
    pub(crate) ndjson: bool,
    /// Store nothing by columns: larger, but each part of the file is bytes that can be cut out
    #[arg(long)]
    pub(crate) plain: bool,
    /// Write the canonical form: the same bytes for the same value, members sorted
    #[arg(long)]
    pub(crate) canonical: bool,
    /// Begin with the signature DF 57 42 01
    #[arg(long, conflicts_with = "canonical")]
    pub(crate) signature: bool,
}

/// Decode wbin to JSON.
///
/// Writes each value on a line of its own. What JSON cannot hold has a form that `encode` reads back:
/// `{"$wbin:bytes": "00ff"}` and its like for bytes, exts, large ints, NaN, infinities, and maps with
/// keys that are not strings.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin decode shop.wbin
  wbin decode shop.wbin --pretty -o shop.json
  wbin decode events.wbin | head -n 1"))]
pub(crate) struct Decode {
    /// The wbin file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: Out,
    /// Indent by two spaces
    #[arg(short, long)]
    pub(crate) pretty: bool,
}

/// Show every byte of a document and what it means.
///
/// A line for each value: offset, bytes, the name of the tag, the value, indented by nesting. A list or
/// map by columns has a line for each column, with its kind, how many elements it has and how wide they
/// are; only the values in plain columns follow one by one. Of a broken document everything before the
/// error is shown, then the error.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin inspect shop.wbin
  wbin inspect shop.wbin --full
  wbin inspect shop.wbin --color always | less -R"))]
pub(crate) struct Inspect {
    /// The wbin file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Show long payloads and lists of fields in whole
    #[arg(long)]
    pub(crate) full: bool,
}

/// Check that a file is one valid document.
///
/// Prints one line with the size, or the first error with its name, offset and path.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin check shop.wbin
  wbin check shop.wbin --canonical --quiet && echo canonical
  wbin check events.wbin --sequence"))]
pub(crate) struct Check {
    /// The wbin file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Accept the canonical form only
    #[arg(long)]
    pub(crate) canonical: bool,
    /// Accept any number of values one after another, none included
    #[arg(long)]
    pub(crate) sequence: bool,
}

/// Rewrite a document in canonical form.
///
/// The same bytes for the same value: everything in its shortest encoding, map entries sorted by
/// their keys, one NaN, no signature. Of several values in the file each is rewritten.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin canon shop.wbin -o shop.canonical.wbin
  wbin canon shop.wbin -o shop.wbin
  wbin canon shop.wbin | sha256sum"))]
pub(crate) struct Canon {
    /// The wbin file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: BinaryOut,
}

/// Print one part of a document.
///
/// PATH is a JSON pointer: text keys and list indices, each after a `/`; `~1` stands for `/` in a key
/// and `~0` for `~`. The empty path is the whole value. What stands before the part is passed over
/// unread, what stands after it is not looked at; of several values in the file the first is taken.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin get shop.wbin /users/0/name
  wbin get shop.wbin /users/0/name --raw
  wbin get shop.wbin /users --wbin -o users.wbin"))]
pub(crate) struct Get {
    /// The wbin file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The place, as a JSON pointer
    #[arg(value_name = "PATH", value_parser = parse_pointer)]
    pub(crate) pointer: String,
    /// Indent by two spaces
    #[arg(short, long, conflicts_with_all = ["raw", "wbin"])]
    pub(crate) pretty: bool,
    /// Print diagnostic notation instead of JSON
    #[arg(long, conflicts_with_all = ["raw", "wbin"])]
    pub(crate) diag: bool,
    /// Print a string without quotes and line end, bytes as they are; anything else as JSON
    #[arg(short, long, conflicts_with = "wbin")]
    pub(crate) raw: bool,
    /// Print the encoded bytes of the part, a document of its own; what was in columns is plain
    #[arg(long)]
    pub(crate) wbin: bool,
    #[command(flatten)]
    pub(crate) out: BinaryOut,
}

/// Print a document in diagnostic notation.
///
/// Each value on a line of its own, in the text form of the specification, which shows everything of
/// the value and nothing of its encoding.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin diag shop.wbin
  wbin diag shop.wbin --pretty -o shop.diag
  echo '{1: h'\\''00ff'\\''}' | wbin diag --reverse - > a.wbin"))]
pub(crate) struct Diag {
    /// The wbin file, or with --reverse the text; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: BinaryOut,
    /// Indent by two spaces
    #[arg(short, long)]
    pub(crate) pretty: bool,
    /// Read notation and write wbin, as `undiag` does
    #[arg(short, long, conflicts_with = "pretty")]
    pub(crate) reverse: bool,
}

/// Encode diagnostic notation as wbin.
///
/// Reads one value in the notation that `diag` prints; `#` begins a comment. Writes what `encode` would:
/// everything in its shortest form, by columns where that is shorter.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin undiag shop.diag -o shop.wbin
  echo '[1, nan, some(null)]' | wbin undiag - | wbin inspect -"))]
pub(crate) struct Undiag {
    /// The text file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) out: BinaryOut,
}

/// Tell what the bytes of a document are spent on.
///
/// Counts the values of each type, and the bytes of their tags and of what they hold. Values in columns
/// have no bytes of their own; for what is by columns a second table has the kinds of columns.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin stats shop.wbin
  wbin stats shop.wbin --top 20"))]
pub(crate) struct Stats {
    /// The wbin file; `-` is the standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How many of the longest strings and of the most costly keys to list
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
}

/// Compare formats on data of your own.
///
/// Tells how large the values of a JSON file are as JSON, MessagePack, CBOR, BSON and wbin, by columns
/// and plain, and how long each takes to encode and to decode. All of them go through serde, from and
/// into the same dynamic value, and have to give it back equal before anything is timed; one that cannot
/// is listed with its reason. They are timed in turn, and the least time of each counts. Types of your own
/// may give other times: this is what data takes whose type is not known.
#[derive(ClapArgs, Debug)]
#[command(after_help = after!(
    "  wbin compare shop.json
  wbin compare shop.json events.ndjson --time 10
  wbin compare shop.json --json | jq '.formats[] | {name, bytes}'"))]
pub(crate) struct Compare {
    /// The JSON files; `-` is the standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON value on each line (the default for files named .ndjson or .jsonl)
    #[arg(long)]
    pub(crate) ndjson: bool,
    /// How long to measure each file; large ones take a few rounds even so
    #[arg(short, long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    pub(crate) time: Duration,
    /// Print a line of JSON for each file: bytes, and nanoseconds for all values of the file
    #[arg(long)]
    pub(crate) json: bool,
}

/// A time in seconds, with a fraction or without.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| *time <= MAX_TIME).ok_or_else(|| "not a number of seconds from 0 to 3600".into())
}

/// Nobody waits longer for a file.
const MAX_TIME: Duration = Duration::from_secs(3600);

/// A number of bytes: digits, and K, M or G.
fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        _ => return Err("a number of bytes is digits, then K, M, G or nothing".into()),
    };
    let number: Option<u64> = digits.parse().ok();
    number.and_then(|n| n.checked_mul(1 << shift)).ok_or_else(|| "not a number of bytes".into())
}

/// A JSON pointer (RFC 6901).
fn parse_pointer(text: &str) -> Result<String, String> {
    if !text.is_empty() && !text.starts_with('/') {
        return Err(format!("a path begins with `/`; did you mean `/{text}`?"));
    }
    let escapes = text.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
    match escapes {
        true => Ok(text.into()),
        false => Err("`~` in a path is followed by 0 (for `~`) or 1 (for `/`)".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("17"), Ok(17));
        assert_eq!(parse_size("2k"), Ok(2048));
        assert_eq!(parse_size("3MiB"), Ok(3 << 20));
        assert_eq!(parse_size("1G"), Ok(1 << 30));
        for bad in ["", "G", "-1", "1.5G", "1T", "99999999999G"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_seconds("0"), Ok(Duration::ZERO));
        assert_eq!(parse_seconds("0.25"), Ok(Duration::from_millis(250)));
        for bad in ["", "-1", "nan", "inf", "3601", "1e300", "1s"] {
            assert!(parse_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pointers() {
        for good in ["", "/", "/a/0", "/a~1b/~0"] {
            assert_eq!(parse_pointer(good).as_deref(), Ok(good));
        }
        for bad in ["a", "a/b", "/a~", "/~2"] {
            assert!(parse_pointer(bad).is_err(), "{bad}");
        }
    }
}
