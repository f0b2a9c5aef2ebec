//! Reading a tenant's file line by line.

use std::io::{self, BufRead, Read as _};

use domain::{Canonical, CanonicalError, CanonicalReader, Digest};
use ports::directory::{Client, EntryKind, Key, Versioned};
use ports::{RecordKind, TenantId, Version, read_form};
use sha2::{Digest as _, Sha256};

use super::header::{END, EXPORT, SEAL, Seal, TenantHeader};
use super::ledger::{
    CHANGE, ChangeLine, IMPORT, ITEMS, ImportLine, ItemsLine, LINES, LinesLine, POSTINGS, PostingsLine, SERIES,
    SeriesLine,
};
use super::user::UserLine;
use super::{Canonized, NO_VERSION, TenantLine};

const CLIENT: &str = EntryKind::Client.as_str();
const KEY: &str = EntryKind::Key.as_str();
const USER: &str = EntryKind::User.as_str();

/// The most bytes of a line. A record is at most as large as a request's body was, and a part of items ends soon
/// behind a large one.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// Why a tenant's file is refused; completes "`<file>` ...".
#[derive(Debug, thiserror::Error)]
pub enum TenantError {
    /// Reading failed before the end.
    #[error("cannot be read to its end")]
    Read(#[source] io::Error),
    /// A line is wrong.
    #[error("is refused at line {line}, which {detail}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it; completes "which ...".
        detail: String,
    },
}

/// Reads a tenant's file.
///
/// The last line, whose digest binds all the others, is checked when it is reached; until then nothing that was read
/// may be kept. That lines are in their order and fit each other is for the caller to check.
pub struct TenantReader<R> {
    input: R,
    hash: Sha256,
    tenant: Option<TenantId>,
    line: u64,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> TenantReader<R> {
    /// A reader that is before the first line.
    pub fn new(input: R) -> Self {
        Self { input, hash: Sha256::new(), tenant: None, line: 0, buffer: Vec::new(), ended: false }
    }

    /// The number of the line that was read last.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// What is wrong with the line that was read last.
    pub fn refuse(&self, detail: impl Into<String>) -> TenantError {
        TenantError::Line { line: self.line, detail: detail.into() }
    }

    /// The next line; `None` behind the last one, when its digest is that of all the bytes before it.
    pub fn read(&mut self) -> Result<Option<TenantLine>, TenantError> {
        if self.ended {
            return Ok(None);
        }
        self.read_bytes()?;
        let buffer = std::mem::take(&mut self.buffer);
        let line = self.understand(&buffer).map_err(|detail| self.refuse(detail))?;
        self.hash.update(&buffer);
        self.buffer = buffer;
        match &line {
            Some(TenantLine::Header(header)) => self.tenant = Some(header.tenant.id),
            None => {
                self.ended = true;
                self.read_bytes_behind()?;
            }
            Some(_) => {}
        }
        Ok(line)
    }

    /// Reads a line with its end into the buffer.
    fn read_bytes(&mut self) -> Result<(), TenantError> {
        self.line += 1;
        self.buffer.clear();
        let read = (&mut self.input).take(MAX_LINE_BYTES).read_until(b'\n', &mut self.buffer);
        read.map_err(TenantError::Read)?;
        if self.buffer.is_empty() {
            return Err(self.refuse("is missing: the file is cut off"));
        }
        if self.buffer.last() != Some(&b'\n') {
            let long = self.buffer.len() as u64 == MAX_LINE_BYTES;
            return Err(self.refuse(if long { "is too long" } else { "has no end: the file is cut off" }));
        }
        Ok(())
    }

    /// Makes sure that nothing follows.
    fn read_bytes_behind(&mut self) -> Result<(), TenantError> {
        let more = !self.input.fill_buf().map_err(TenantError::Read)?.is_empty();
        if more {
            self.line += 1;
            return Err(self.refuse("stands behind the end"));
        }
        Ok(())
    }

    /// What a line says; `None` for the last one.
    fn understand(&self, bytes: &[u8]) -> Result<Option<TenantLine>, String> {
        let text = std::str::from_utf8(bytes).ok().and_then(|line| line.strip_suffix('\n'));
        let text = text.filter(|text| text.starts_with("{\"form\":")).ok_or_else(|| {
            let what = if self.line == 1 { "the header of a company's export" } else { "a line of a company's export" };
            format!("is not {what}")
        })?;
        let kind = CanonicalReader::read_start(text, |from| {
            read_form(from)?;
            from.string("kind")
        });
        let kind = kind.map_err(wrong)?;
        let Some(tenant) = self.tenant else {
            if kind != EXPORT {
                return Err("is not the header of a company's export".to_owned());
            }
            return of::<TenantHeader>(text).map(|header| Some(TenantLine::Header(header)));
        };
        Ok(Some(match kind.as_str() {
            SERIES => {
                let SeriesLine(index, key) = of(text)?;
                TenantLine::Series(index, key)
            }
            CHANGE => TenantLine::Change(of::<ChangeLine>(text)?.0),
            ITEMS => {
                let ItemsLine(place, items) = of(text)?;
                TenantLine::Items(place, items)
            }
            POSTINGS => {
                let PostingsLine(place, cells) = of(text)?;
                TenantLine::Postings(place, cells)
            }
            LINES => {
                let LinesLine(place, lines) = of(text)?;
                TenantLine::Lines(place, lines)
            }
            IMPORT => TenantLine::Import(Box::new(of::<ImportLine>(text)?.0)),
            CLIENT => {
                let Versioned { value, version } = of::<Versioned<Client>>(text)?;
                check_credential((version, value.tenant), tenant)?;
                TenantLine::Client(value)
            }
            KEY => {
                let Versioned { value, version } = of::<Versioned<Key>>(text)?;
                check_credential((version, value.tenant), tenant)?;
                TenantLine::Key(value)
            }
            USER => {
                let UserLine(Versioned { value, version }, password) = of(text)?;
                check_credential((version, value.tenant), tenant)?;
                TenantLine::User(Box::new(value), password)
            }
            END => TenantLine::End(of(text)?),
            SEAL => {
                let found = of::<Seal>(text)?;
                return if found == Seal(Digest::from_stored(self.hash.clone().finalize().into())) {
                    Ok(None)
                } else {
                    Err("does not have the digest of the lines before it: the file was changed".to_owned())
                };
            }
            other if RecordKind::parse(other).is_some() => {
                let (record, digest) = (of(text)?, Digest::of(text.as_bytes()));
                TenantLine::Record(Box::new(Canonized { record, digest }))
            }
            other => return Err(format!("is of a kind that is not known, {other:?}")),
        }))
    }
}

fn of<T: Canonical<Known = ()>>(text: &str) -> Result<T, String> {
    T::from_canonical((), text).map_err(wrong)
}

/// What is wrong with a line, as it completes "which ...".
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn wrong(error: CanonicalError) -> String {
    if error.path().is_empty() {
        error.detail().to_owned()
    } else {
        format!("has a fault at {}: it {}", error.path(), error.detail())
    }
}

/// Refuses a credential with the version of a directory, or of another tenant than the header's.
fn check_credential((version, of): (Version, TenantId), tenant: TenantId) -> Result<(), String> {
    if version != NO_VERSION {
        return Err(format!("has version {version}, and credentials in a file have none: 0"));
    }
    if of == tenant { Ok(()) } else { Err("is a credential of another company than the header's".to_owned()) }
}
