//! Where rows come from: a file or standard input, as CSV, as NDJSON, or as a table that a map describes.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use domain::Digest;
use files::{CsvRows, FileError, Hashing, MAX_ROW_BYTES, Map, NdjsonRows};
use indicatif::ProgressBar;
use ports::inbound::RowDraft;
use tempfile::NamedTempFile;

use super::super::{Usage, output};

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Comma-separated values; the first row names the columns.
    Csv,
    /// One JSON object a line.
    Ndjson,
}

impl Format {
    /// The form that the file's name implies.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("ndjson" | "jsonl") => Ok(Self::Ndjson),
            Some(_) | None if path == Path::new("-") => {
                Err(Usage("standard input has no name that tells its form: add --format csv or --format ndjson".into())
                    .into())
            }
            Some("xlsx" | "xls") => {
                Err(Usage(format!("{} is a workbook: save its sheet as CSV first", path.display())).into())
            }
            Some(_) | None => Err(Usage(format!(
                "{} ends neither in .csv nor in .ndjson: add --format csv or --format ndjson",
                path.display()
            ))
            .into()),
        }
    }
}

/// Rows, one after the other.
pub(super) type Rows<'a> = Box<dyn Iterator<Item = Result<RowDraft, FileError>> + Send + 'a>;

/// Something to read rows from.
pub(super) type Source = Box<dyn BufRead + Send>;

/// What is imported: a file, or standard input where it is `-`.
pub(super) struct Input {
    path: PathBuf,
    /// Where standard input waits to be read again; gone with this.
    spool: Option<NamedTempFile>,
}

impl Input {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self { path, spool: None }
    }

    /// What it is called.
    pub(super) fn name(&self) -> String {
        if self.path == Path::new("-") { "standard input".to_owned() } else { self.path.display().to_string() }
    }

    /// The same, to be read more than once: standard input is put aside in the system's folder for temporary files.
    pub(super) fn repeatable(self) -> Result<Self> {
        if !self.is_stdin() {
            return Ok(self);
        }
        let cannot = "standard input cannot be put aside in the folder for temporary files (TMPDIR)";
        let mut spool = NamedTempFile::new().context(cannot)?;
        std::io::copy(&mut std::io::stdin(), &mut spool).context(cannot)?;
        Ok(Self { spool: Some(spool), ..self })
    }

    /// The file that is read.
    fn file(&self) -> &Path {
        self.spool.as_ref().map_or(&self.path, |spool| spool.path())
    }

    /// Opens it. What is read moves the bar, which is drawn only on a terminal.
    pub(super) fn open(&self) -> Result<(Source, ProgressBar)> {
        if self.is_stdin() {
            let bar = output::bar(ProgressBar::new_spinner(), "{spinner} {bytes} read, {elapsed}{msg}");
            return Ok((buffered(bar.wrap_read(std::io::stdin())), bar));
        }
        let cannot = || format!("{} cannot be read", self.path.display());
        let file = File::open(self.file()).with_context(cannot)?;
        let length = file.metadata().with_context(cannot)?.len();
        let bar = output::bar(ProgressBar::new(length), "{wide_bar} {percent}% of {total_bytes}, {eta} left{msg}");
        Ok((buffered(bar.wrap_read(file)), bar))
    }

    /// The SHA-256 of the file; `None` of standard input, which is read once.
    pub(super) fn hash(&self) -> Result<Option<Digest>> {
        if self.is_stdin() {
            return Ok(None);
        }
        let read =
            File::open(self.file()).and_then(|file| Hashing::new(BufReader::with_capacity(1 << 16, file)).digest());
        Ok(Some(read.with_context(|| format!("{} cannot be read", self.path.display()))?))
    }

    fn is_stdin(&self) -> bool {
        self.spool.is_none() && self.path == Path::new("-")
    }
}

/// The rows of the source.
pub(super) fn rows(source: Source, format: Format, map: Option<&Map>) -> Result<Rows<'_>, FileError> {
    Ok(match (map, format) {
        (Some(map), _) => Box::new(map.rows(source, MAX_ROW_BYTES)?),
        (None, Format::Csv) => Box::new(CsvRows::new(source, MAX_ROW_BYTES)?),
        (None, Format::Ndjson) => Box::new(NdjsonRows::new(source, MAX_ROW_BYTES)),
    })
}

/// Says which file it is that cannot be read, or is wrong.
pub(super) fn refused(name: &str, error: FileError) -> anyhow::Error {
    let sentence = format!("{name} {error}");
    match error {
        FileError::Read(cause) => anyhow::Error::new(cause).context(sentence),
        FileError::Header(_) | FileError::Map(_) => anyhow::Error::msg(sentence),
    }
}

fn buffered(source: impl Read + Send + 'static) -> Source {
    Box::new(BufReader::with_capacity(1 << 16, source))
}
