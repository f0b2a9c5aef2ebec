//! Writing a tenant's file.

use std::io::{self, Write};

use domain::{Canonical, Digest, PackedCells, SeriesKey};
use ports::credential::PasswordHash;
use ports::directory::{Client, Key, Versioned};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::load::LoadEnd;
use ports::people::User;
use ports::{Change, Entity, Stored};
use sha2::{Digest as _, Sha256};

use super::NO_VERSION;
use super::header::{Seal, TenantCounts, TenantEnd, TenantHeader};
use super::ledger::{ChangeLine, ImportLine, ItemsLine, LinesLine, PostingsLine, SeriesLine};
use super::user::UserLine;

/// Writes a tenant's file line by line. The order of the calls is that of the lines.
pub struct TenantWriter<W> {
    out: W,
    hash: Sha256,
    bytes: u64,
    counts: TenantCounts,
}

impl<W: Write> TenantWriter<W> {
    /// Begins the file with its header.
    pub fn new(out: W, header: &TenantHeader) -> io::Result<Self> {
        let mut writer = Self { out, hash: Sha256::new(), bytes: 0, counts: TenantCounts::default() };
        writer.line(header.canonical())?;
        Ok(writer)
    }

    /// Writes the next series.
    pub fn series(&mut self, key: SeriesKey) -> io::Result<()> {
        let index = u32::try_from(self.counts.series).map_err(io::Error::other)?;
        self.counts.series += 1;
        self.line(SeriesLine(index, key).canonical())
    }

    /// Writes the line of a record.
    pub fn record<T: Entity>(&mut self, stored: &Stored<T>) -> io::Result<()> {
        self.counts.add(T::KIND);
        self.line(stored.canonical())
    }

    /// Writes a change, whose items, postings and lines follow in that order.
    pub fn change(&mut self, change: &Change) -> io::Result<()> {
        self.counts.changes += 1;
        self.line(ChangeLine::text(change))
    }

    /// Writes the next part of the items of a change.
    pub fn items(&mut self, place: PartPlace, items: &PackedItems) -> io::Result<()> {
        self.counts.items += 1;
        self.line(ItemsLine::text(place, items))
    }

    /// Writes the next part of the postings of a change.
    pub fn postings(&mut self, place: PartPlace, cells: &PackedCells) -> io::Result<()> {
        self.counts.postings += 1;
        self.line(PostingsLine::text(place, cells))
    }

    /// Writes the next part of the lines that an import wrote the activities of a change from.
    pub fn lines(&mut self, place: PartPlace, lines: &PackedLines) -> io::Result<()> {
        self.counts.lines += 1;
        self.line(LinesLine::text(place, lines))
    }

    /// Writes an import.
    pub fn import(&mut self, import: &ImportBatch) -> io::Result<()> {
        self.counts.imports += 1;
        self.line(ImportLine::text(import))
    }

    /// Writes the line of a client, with the hash of its secret.
    pub fn client(&mut self, client: &Client) -> io::Result<()> {
        self.counts.clients += 1;
        self.line(Versioned { value: client.clone(), version: NO_VERSION }.canonical())
    }

    /// Writes the line of an API key, with its hash.
    pub fn key(&mut self, key: &Key) -> io::Result<()> {
        self.counts.keys += 1;
        self.line(Versioned { value: key.clone(), version: NO_VERSION }.canonical())
    }

    /// Writes the line of a user, with the hash of its password.
    pub fn user(&mut self, user: &User, password: Option<&PasswordHash>) -> io::Result<()> {
        self.counts.users += 1;
        self.line(UserLine::of(user, password).canonical())
    }

    /// How many bytes were written.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the last two lines and gives what was counted, and how many bytes there are.
    pub fn finish(mut self, end: LoadEnd) -> io::Result<(TenantCounts, u64)> {
        let counts = self.counts;
        self.line(TenantEnd { end, counts }.canonical())?;
        let seal = Seal(Digest::from_stored(self.hash.clone().finalize().into()));
        self.line(seal.canonical())?;
        self.out.flush()?;
        Ok((counts, self.bytes))
    }

    fn line(&mut self, mut text: String) -> io::Result<()> {
        text.push('\n');
        self.hash.update(text.as_bytes());
        self.bytes += text.len() as u64;
        self.out.write_all(text.as_bytes())
    }
}
