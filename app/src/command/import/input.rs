//! A file or standard input, opened: what it is is seen from its first bytes, and what is compressed is inflated.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use domain::Digest;
use files::{FileStart, Hashing, Workbook};
use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;

use super::super::output;
use super::source::{is_stdin, name_of, refused};
pub(in crate::command) use crate::table_source::Content;
use crate::table_source::{MOST_SPOOLED, START, Source, Unpacked, buffered, peeked, unpacked};
use crate::temporary_file::temporary_file;

/// What is imported: a file, or standard input where it is `-`.
pub(in crate::command) struct Input {
    path: PathBuf,
    /// What standard input said, where it is read twice.
    kept: Option<File>,
}

impl Input {
    pub(in crate::command) const fn new(path: PathBuf) -> Self {
        Self { path, kept: None }
    }

    /// What it is called.
    pub(in crate::command) fn name(&self) -> String {
        name_of(&self.path)
    }

    /// Keeps what standard input or a pipe says, so that it can be opened again.
    pub(in crate::command) fn keep(&mut self) -> Result<()> {
        if self.path.is_file() || self.kept.is_some() {
            return Ok(());
        }
        let cannot = || format!("{} cannot be kept in the system's folder for temporary files", self.name());
        let kept = if is_stdin(&self.path) {
            temporary_file(std::io::stdin().lock(), u64::MAX)
        } else {
            temporary_file(File::open(&self.path).with_context(|| format!("{} cannot be read", self.name()))?, u64::MAX)
        };
        self.kept = Some(kept.with_context(cannot)?);
        Ok(())
    }

    /// The SHA-256 of what is in it, which is the same whether or not it is compressed; `None` of standard input that is not kept,
    /// which is read once, and of what cannot be unpacked.
    pub(super) fn hash(&self) -> Result<Option<Digest>> {
        let cannot = || format!("{} cannot be read", self.name());
        let file = match &self.kept {
            Some(kept) => {
                let mut again = kept.try_clone().with_context(cannot)?;
                again.rewind().with_context(cannot)?;
                again
            }
            None if is_stdin(&self.path) => return Ok(None),
            None => File::open(&self.path).with_context(cannot)?,
        };
        // What cannot be read twice, such as a pipe that has a name, is not read for this.
        if !file.metadata().with_context(cannot)?.is_file() {
            return Ok(None);
        }
        let (start, source) = peeked(buffered(file)).with_context(cannot)?;
        if start == FileStart::Gzip {
            return Ok(Hashing::new(MultiGzDecoder::new(source)).digest().ok());
        }
        Ok(Some(Hashing::new(source).digest().with_context(cannot)?))
    }

    /// Opens it. What is read of a text moves the bar, which is drawn only on a terminal.
    pub(in crate::command) fn open(&self) -> Result<(Content, ProgressBar)> {
        let cannot = || format!("{} cannot be read", self.name());
        let file = match &self.kept {
            Some(kept) => {
                let mut again = kept.try_clone().with_context(cannot)?;
                again.rewind().with_context(cannot)?;
                again
            }
            None if is_stdin(&self.path) => {
                let bar = output::bar(ProgressBar::new_spinner(), "{spinner} {bytes} read, {elapsed}{msg}");
                let source = buffered(bar.wrap_read(std::io::stdin()));
                return Ok((self.content(source)?, bar));
            }
            None => File::open(&self.path).with_context(cannot)?,
        };
        self.of_file(file).with_context(cannot)
    }

    /// Opens what must be a text.
    pub(super) fn open_text(&self) -> Result<(Source, ProgressBar)> {
        match self.open()? {
            (Content::Text(source), bar) => Ok((source, bar)),
            (Content::Workbook(_), _) => bail!("{} is a workbook", self.name()),
        }
    }

    fn of_file(&self, mut file: File) -> Result<(Content, ProgressBar)> {
        let length = file.metadata()?.len();
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(START).read_to_end(&mut start)?;
        let start_of = FileStart::of(&start);
        if start_of == FileStart::Workbook {
            file.rewind()?;
            return Ok((Content::Workbook(self.workbook(file)?), ProgressBar::hidden()));
        }
        let bar = output::bar(ProgressBar::new(length), "{wide_bar} {percent}% of {total_bytes}, {eta} left{msg}");
        // A pipe that has a name cannot go back to its start.
        let source = if file.rewind().is_ok() {
            buffered(bar.wrap_read(file))
        } else {
            buffered(Cursor::new(start).chain(bar.wrap_read(file)))
        };
        let content = if start_of == FileStart::Gzip { self.content(source)? } else { Content::Text(source) };
        Ok((content, bar))
    }

    /// What a source has that is read from front to back.
    fn content(&self, source: Source) -> Result<Content> {
        let cannot = || format!("the workbook in {} cannot be kept while it is read", self.name());
        match unpacked(source)? {
            Unpacked::Text(source) => Ok(Content::Text(source)),
            Unpacked::Workbook(source) => {
                let file = temporary_file(source.take(MOST_SPOOLED + 1), MOST_SPOOLED).with_context(cannot)?;
                Ok(Content::Workbook(self.workbook(file)?))
            }
        }
    }

    fn workbook(&self, file: File) -> Result<Workbook> {
        Workbook::open(Box::new(BufReader::new(file))).map_err(|error| refused(&self.name(), error))
    }
}
