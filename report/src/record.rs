//! What a record says about the run that made it, and where it is put.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::charts;
use crate::child;
use crate::codecs::{Class, Entry};
use crate::figures::{self, Figures};
use crate::measure::Plan;

/// Year, month and day of a day counted from 1970-01-01, by the rule of the Gregorian calendar.
fn date(day: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut rest = day;
    let mut year = 1970;
    while rest >= 365 + u64::from(leap(year)) {
        rest -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, rest + 1)
}

/// The processor's name, where the system tells it.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(std::env::consts::ARCH, |(_, name)| name).to_owned()
}

/// The day in Greenwich, as year-month-day.
fn today() -> String {
    let seconds = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The state of the sources, where they lie in a git repository.
fn commit() -> Option<String> {
    let state = ["describe", "--always", "--dirty", "--exclude=*"];
    let output = Command::new("git").args(["-C", env!("CARGO_MANIFEST_DIR")]).args(state).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command line without the folders of this machine.
fn command() -> String {
    let name = |arg: String| arg.rsplit('/').next().map(str::to_owned).unwrap_or_default();
    ["wbin-report".to_owned()]
        .into_iter()
        .chain(std::env::args().skip(1).map(name))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The top of the report. Codecs for typed data are told by their names, classes and notes.
pub fn header(dynamic: &[Entry], typed: &[(&str, Class, &str)], plan: Plan) -> String {
    let avx2 =
        if cfg!(target_feature = "avx2") { "with AVX2 throughout" } else { "for the baseline of the target" };
    let fewer = match plan.budget {
        0 | u64::MAX => String::new(),
        budget => {
            format!(" (of {} or more if they would take over {} s)", plan.fewest, budget / 1_000_000_000)
        }
    };
    let mut text = format!(
        "# wbin beside other formats\n\n\
         - {}{}; `{}`\n\
         - {}; {}, compiled {avx2}\n\
         - {}\n\
         - Thread CPU time in nanoseconds, the least of {} rounds over all codecs in turn{}, batches of at least {} µs. \
         Each workload has a process of its own{}. × is the ratio to the best peer of the table.\n\
         - gzip and zstd: the bytes after compression at level 6 and at level 3. `skip` finds the end of the bytes without a \
         type, by the crate's own call or by serde's `IgnoredAny`. The peaks are the most bytes of memory that a call takes at \
         once, what it makes included; each starts without a buffer.\n",
        today(),
        commit().map_or(String::new(), |commit| format!(", commit {commit}")),
        command(),
        machine(),
        env!("WBIN_REPORT_RUSTC"),
        env!("WBIN_REPORT_VERSIONS"),
        plan.rounds,
        fewer,
        plan.batch_time / 1000,
        child::memory(),
    );
    if !typed.is_empty() {
        text += "\nTyped data: encoding goes into a buffer that is kept, where the crate has a call for that, or else makes \
                 a fresh vector and frees it. Decoding includes dropping what was decoded; `borrowed` decodes into types \
                 that borrow their strings from the input.\n\n";
        for (name, class, note) in typed {
            let class = match class {
                Class::Subject | Class::Names => "with field names",
                Class::Schema => "needs a schema",
            };
            text += &format!("- {name}: {class}; {note}\n");
        }
    }
    if !dynamic.is_empty() {
        text += "\nDynamic data: encoding makes a fresh vector and frees it, decoding includes dropping the value. Own \
                 decode and own encode use the crate's own dynamic value instead of the common one.\n\n";
    }
    for codec in dynamic {
        let own = codec.own.map(|own| format!("own value `{own}`"));
        let note = (!codec.note.is_empty()).then(|| codec.note.to_owned());
        let about: Vec<String> = own.into_iter().chain(note).collect();
        if !about.is_empty() {
            text += &format!("- {}: {}\n", codec.name, about.join("; "));
        }
    }
    text
}

/// Where records are kept.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/record")
}

/// Writes the report and the figures under the names of the day and the commit, and the charts, of which only the latest
/// are kept.
pub fn write(folder: &Path, report: &str, figures: &[Figures]) -> Result<(), String> {
    let name = format!("{}-{}", today(), commit().unwrap_or("unknown".to_owned()));
    charts::draw(figures, &folder.join("charts"))?;
    for (extension, text) in [("md", report), ("csv", &figures::write(figures)?)] {
        let path = folder.join(format!("{name}.{extension}"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        eprintln!("wbin-report: written: {name}.{extension}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dated() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_788), (2026, 12, 1));
    }
}
