//! Each workload is measured in a process of its own: what was measured before leaves no traces in its memory.
//!
//! glibc, besides, gives large blocks back to the system or keeps them by rules that change while a program runs: an
//! encoder that makes a fresh vector is then measured at one or at two and a half times the same figure, by chance. So
//! the process is started with rules that are fixed: freed memory is kept. Whoever sets these variables has the last
//! word.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;

/// Variables that only glibc looks at.
const RULES: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "1073741824"), ("MALLOC_TRIM_THRESHOLD_", "2147483648")];

fn overruled() -> bool {
    RULES.iter().any(|(name, _)| std::env::var_os(name).is_some())
}

/// How the processes treat freed memory, for the record.
pub fn memory() -> &'static str {
    match overruled() {
        false if cfg!(target_env = "gnu") => ", whose allocator keeps what is freed",
        _ => "",
    }
}

/// The path of this program.
pub fn program() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("this program is not found: {error}"))
}

/// Runs this program with other arguments, and reads what it prints as JSON.
pub fn run<T: DeserializeOwned>(arguments: &[String]) -> Result<T, String> {
    read(Command::new(program()?).args(arguments))
}

/// Runs a command, and reads what it prints as JSON.
pub fn read<T: DeserializeOwned>(command: &mut Command) -> Result<T, String> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    if !overruled() {
        command.envs(RULES);
    }
    let output = command.output().map_err(|error| format!("a measuring process does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("a measuring process ended: {}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("what was measured is not read: {error}"))
}
