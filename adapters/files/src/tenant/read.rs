//! Reading a tenant's file line by line.

use std::io::{self, BufRead, Read as _};

use domain::{Canonical as _, Digest, Faults};
use ports::{RecordKind, TenantId};
use sha2::{Digest as _, Sha256};

use super::credential::{ClientLine, KeyLine, client, key};
use super::header::{Seal, end, header};
use super::ledger::{change, item, series};
use super::record::record;
use super::{Canonized, TenantLine};
use crate::json::{Wrong, parse_in_order};

/// The most bytes of a line. A record is at most as large as a request's body was, and is escaped twice where a change
/// replaced it.
const MAX_LINE_BYTES: u64 = 64 << 20;
/// A footprint's fields are objects in arrays in objects.
const MAX_DEPTH: usize = 32;

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
/// may be kept. That lines stand in their order and fit each other is for the caller to check.
pub struct TenantReader<R> {
    input: R,
    hash: Sha256,
    tenant: Option<TenantId>,
    line: u64,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: BufRead> TenantReader<R> {
    /// A reader that stands before the first line.
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
        let line = self.understand(&buffer).map_err(|wrong| self.refuse(wrong.to_string()))?;
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
    fn understand(&self, bytes: &[u8]) -> Result<Option<TenantLine>, Wrong> {
        let (name, content) = split(bytes).ok_or_else(|| {
            let what = if self.line == 1 { "the header of a company's export" } else { "a line of a company's export" };
            Wrong::new(format_args!("is not {what}"))
        })?;
        let json = || {
            let first = |faults: Faults| faults.into_iter().next().map_or_else(String::new, |fault| fault.detail);
            parse_in_order(content.as_bytes(), MAX_DEPTH).map_err(|faults| Wrong::new(first(faults)))
        };
        let Some(tenant) = self.tenant else {
            if name != "tonne-tenant" {
                return Err(Wrong::new("is not the header of a company's export"));
            }
            let header = header(json()?)?;
            return same(content, &header.canonical()).map(|()| Some(TenantLine::Header(header)));
        };
        let (line, text) = match name {
            "series" => {
                let line = series(json()?)?;
                let text = line.canonical();
                (TenantLine::Series(line.0, line.1), text)
            }
            "change" => {
                let line = change(json()?)?;
                let text = line.canonical();
                (TenantLine::Change(line.0, line.1), text)
            }
            "item" => {
                let line = item(json()?)?;
                let text = line.canonical();
                (TenantLine::Item(line.0), text)
            }
            "client" => {
                let client = client(json()?, tenant)?;
                let text = ClientLine(&client).canonical();
                (TenantLine::Client(client), text)
            }
            "key" => {
                let key = key(json()?, tenant)?;
                let text = KeyLine(&key).canonical();
                (TenantLine::Key(key), text)
            }
            "end" => {
                let end = end(json()?)?;
                (TenantLine::End(end), end.canonical())
            }
            "sha256" => {
                let seal = Seal(Digest::from_stored(self.hash.clone().finalize().into()));
                return if bytes == seal.line().as_bytes() {
                    Ok(None)
                } else {
                    Err(Wrong::new("does not have the digest of the lines before it: the file was changed"))
                };
            }
            other => {
                let kind = RecordKind::parse(other)
                    .ok_or_else(|| Wrong::new(format_args!("is of a sort that is not known, {other:?}")))?;
                let (record, text) = record(kind, json()?)?;
                let digest = Digest::of(text.as_bytes());
                (TenantLine::Record(Box::new(Canonized { record, digest })), text)
            }
        };
        same(content, &text).map(|()| Some(line))
    }
}

/// The name and the content of a line; `None` when it has another form.
fn split(bytes: &[u8]) -> Option<(&str, &str)> {
    let line = std::str::from_utf8(bytes).ok()?;
    line.strip_prefix("{\"")?.strip_suffix("}\n")?.split_once("\":")
}

/// Refuses a text that is not how its content is written.
fn same(found: &str, canonical: &str) -> Result<(), Wrong> {
    if found == canonical { Ok(()) } else { Err(Wrong::new("is not written in the canonical form")) }
}
