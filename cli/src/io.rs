//! Files in and out.

use crate::args::{BinaryOut, Common, Out};
use crate::fail::{Failure, Result};
use crate::progress::Progress;
use crate::text::{count, percent, printable, thousands};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An input, read in whole.
pub(crate) struct Input {
    /// What messages call it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or the standard input for `-`.
    pub(crate) fn read(path: &Path, common: &Common) -> Result<Input> {
        if is_standard(path) {
            let name = "standard input".to_owned();
            let bytes = read(&name, io::stdin().lock(), None, common)?;
            return Ok(Input { name, bytes });
        }
        let name = printable(&path.to_string_lossy());
        let open = || -> io::Result<_> {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::Error::new(ErrorKind::IsADirectory, "it is a directory"));
            }
            Ok((file, metadata.is_file().then_some(metadata.len())))
        };
        let (file, len) = open().map_err(|error| Failure::Io(format!("{name}: cannot open it: {error}")))?;
        let bytes = read(&name, file, len, common)?;
        Ok(Input { name, bytes })
    }

    /// The failure that this input deserves.
    pub(crate) fn bad(&self, what: impl std::fmt::Display) -> Failure {
        Failure::Input(format!("{}: {what}", self.name))
    }
}

fn read(name: &str, mut source: impl Read, len: Option<u64>, common: &Common) -> Result<Vec<u8>> {
    let limit = common.max_input;
    let too_large = || {
        let limit = thousands(limit);
        Failure::Input(format!("{name}: input-limit: larger than {limit} bytes; --max-input allows more"))
    };
    if len.is_some_and(|len| len > limit) {
        return Err(too_large());
    }
    let progress = Progress::start("reading", len, common);
    let mut bytes = Vec::with_capacity(usize::try_from(len.unwrap_or(0)).unwrap_or(0));
    loop {
        // In steps, for the progress, and one byte beyond the limit, to see that it is exceeded.
        let step = (limit - bytes.len() as u64).saturating_add(1).min(1 << 20);
        let read = source.by_ref().take(step).read_to_end(&mut bytes);
        match read.map_err(|error| Failure::Io(format!("{name}: cannot read it: {error}")))? {
            0 => return Ok(bytes),
            _ if bytes.len() as u64 > limit => return Err(too_large()),
            _ => progress.reached(bytes.len() as u64),
        }
    }
}

impl BinaryOut {
    /// Refuses to write binary to a terminal. To be asked before any work is done.
    pub(crate) fn refuse_terminal(&self) -> Result<()> {
        if is_standard(&self.out.path) && !self.force && io::stdout().is_terminal() {
            return Err(Failure::Usage(
                "binary is not written to a terminal; use -o FILE, a pipe, or --force".into(),
            ));
        }
        Ok(())
    }
}

/// An output that is being written.
pub(crate) struct Output {
    name: String,
    written: u64,
    target: Target,
}

enum Target {
    Standard(BufWriter<io::StdoutLock<'static>>),
    /// A file that takes the name it is for when all is written.
    Replace(BufWriter<NamedTempFile>, PathBuf),
    /// A device or a pipe, which cannot be replaced.
    Direct(BufWriter<File>),
}

impl Out {
    /// Begins the output. An existing file stays as it is until [`Output::finish`].
    pub(crate) fn create(&self) -> Result<Output> {
        if is_standard(&self.path) {
            return Ok(Output::standard());
        }
        let name = printable(&self.path.to_string_lossy());
        let target = open_target(&self.path)
            .map_err(|error| Failure::Io(format!("{name}: cannot write it: {error}")))?;
        Ok(Output { name, written: 0, target })
    }
}

fn open_target(path: &Path) -> io::Result<Target> {
    // Through links, so that the file is replaced and not the link to it.
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let existing = target.metadata().ok();
    match &existing {
        Some(metadata) if metadata.is_dir() => {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a directory"));
        }
        Some(metadata) if !metadata.is_file() => {
            let file = File::options().write(true).open(&target)?;
            return Ok(Target::Direct(BufWriter::with_capacity(1 << 16, file)));
        }
        _ => {}
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Asked for its own sake, since the error about the temporary file would name that file.
    folder.metadata()?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wbin-").suffix(".tmp");
    #[cfg(unix)]
    {
        // What any new file gets, less the umask, instead of the private mode of temporary files.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Some(metadata) = existing {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    Ok(Target::Replace(BufWriter::with_capacity(1 << 16, file), target))
}

impl Output {
    /// The standard output.
    pub(crate) fn standard() -> Output {
        let target = Target::Standard(BufWriter::with_capacity(1 << 16, io::stdout().lock()));
        Output { name: "standard output".into(), written: 0, target }
    }

    /// Writes bytes.
    pub(crate) fn put(&mut self, bytes: impl AsRef<[u8]>) -> Result<()> {
        self.write_all(bytes.as_ref()).map_err(|error| self.failure(&error))
    }

    /// The failure that an error of writing to it is.
    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        failure(&self.name, error)
    }

    /// Makes the output what it is to be: a file has its name only from now on.
    pub(crate) fn finish(mut self) -> Result<()> {
        let done = self.flush().and_then(|()| match self.target {
            Target::Replace(file, path) => {
                let file = file.into_inner().map_err(|error| error.into_error())?;
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|error| error.error)
            }
            _ => Ok(()),
        });
        done.map_err(|error| failure(&self.name, &error))
    }

    /// [`finish`](Output::finish), and tells the sizes before and after, if anyone wants to know:
    /// `a.json: 120 bytes → a.wbin: 60 bytes (50.0 %)`.
    pub(crate) fn finish_and_tell(self, input: &Input, common: &Common, by_default: bool) -> Result<()> {
        let (name, after) = (self.name.clone(), self.written);
        self.finish()?;
        let wanted = common.verbose || by_default && !common.quiet && io::stderr().is_terminal();
        if wanted {
            let before = input.bytes.len();
            let share = percent(usize::try_from(after).unwrap_or(usize::MAX), before);
            let (from, before, after) = (&input.name, count(before, "byte"), thousands(after));
            // Where the standard error is closed, nobody wanted to know.
            let _ = writeln!(anstream::stderr(), "{from}: {before} → {name}: {after} bytes ({share})");
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = match &mut self.target {
            Target::Standard(out) => out.write(bytes),
            Target::Replace(out, _) => out.write(bytes),
            Target::Direct(out) => out.write(bytes),
        }?;
        self.written += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Standard(out) => out.flush(),
            Target::Replace(out, _) => out.flush(),
            Target::Direct(out) => out.flush(),
        }
    }
}

/// The failure that an error of writing is.
fn failure(name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Io(format!("{name}: cannot write it: {error}")),
    }
}
