//! Writing a tenant's file.

use std::io::{self, Write};

use domain::{Canonical, Digest, SeriesKey};
use ports::directory::{Client, Key};
use ports::load::LoadEnd;
use ports::{Change, ChangeItem, Entity, Stored};
use sha2::{Digest as _, Sha256};

use super::credential::{ClientLine, KeyLine};
use super::header::{Seal, TenantCounts, TenantEnd, TenantHeader};
use super::ledger::{ChangeLine, ItemLine, SeriesLine};

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
        writer.line("tonne-tenant", header)?;
        Ok(writer)
    }

    /// Writes the next series.
    pub fn series(&mut self, key: SeriesKey) -> io::Result<()> {
        let index = u32::try_from(self.counts.series).map_err(io::Error::other)?;
        self.counts.series += 1;
        self.line("series", &SeriesLine(index, key))
    }

    /// Writes a record.
    pub fn record<T: Entity>(&mut self, stored: &Stored<T>) -> io::Result<()> {
        let kind = stored.value.kind();
        self.counts.add(kind);
        self.line(kind.as_str(), stored)
    }

    /// Writes a change and its items.
    pub fn change(&mut self, change: &Change, items: &[ChangeItem]) -> io::Result<()> {
        self.counts.changes += 1;
        self.counts.items += items.len() as u64;
        self.line("change", &ChangeLine(change, items.len() as u64))?;
        items.iter().try_for_each(|item| self.line("item", &ItemLine(item)))
    }

    /// Writes a client.
    pub fn client(&mut self, client: &Client) -> io::Result<()> {
        self.counts.clients += 1;
        self.line("client", &ClientLine(client))
    }

    /// Writes a key.
    pub fn key(&mut self, key: &Key) -> io::Result<()> {
        self.counts.keys += 1;
        self.line("key", &KeyLine(key))
    }

    /// How many bytes were written.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes the last two lines and gives what was counted, and how many bytes there are.
    pub fn finish(mut self, end: LoadEnd) -> io::Result<(TenantCounts, u64)> {
        let counts = self.counts;
        self.line("end", &TenantEnd { end, counts })?;
        let seal = Seal(Digest::from_stored(self.hash.clone().finalize().into())).line();
        self.write(seal.as_bytes())?;
        self.out.flush()?;
        Ok((counts, self.bytes))
    }

    fn line(&mut self, name: &str, content: &impl Canonical) -> io::Result<()> {
        self.write(line(name, &content.canonical()).as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// A line, with its end.
fn line(name: &str, content: &str) -> String {
    format!("{{\"{name}\":{content}}}\n")
}
