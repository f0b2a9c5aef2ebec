//! Lines of the history: series, changes with their items, postings and lines of files, and imports.

#[cfg(test)]
mod tests;

use std::fmt;

use base64::Engine as _;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, PackedCells, SeriesKey, Timestamp};
use ports::Change;
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace};

use super::{begin, begun};

pub(super) const SERIES: &str = "series";
pub(super) const CHANGE: &str = "change";
pub(super) const ITEMS: &str = "items";
pub(super) const POSTINGS: &str = "postings";
pub(super) const LINES: &str = "lines";
pub(super) const IMPORT: &str = "import";

/// A series with its index.
pub(super) struct SeriesLine(pub(super) u32, pub(super) SeriesKey);

impl Canonical for SeriesLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self(index, SeriesKey { scope, org, taxonomy }) = self;
        begin(SERIES, to);
        to.integer("index", *index);
        to.optional("scope", *scope);
        to.optional("org", *org);
        to.optional("taxonomy", *taxonomy);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(SERIES, from)?;
        let index = from.integer("index")?;
        let scope = from.optional("scope", str::parse)?;
        let org = from.optional("org", str::parse)?;
        Ok(Self(index, SeriesKey { scope, org, taxonomy: from.optional("taxonomy", str::parse)? }))
    }
}

pub(super) struct ChangeLine(pub(super) Change);

impl ChangeLine {
    pub(super) fn text(change: &Change) -> String {
        CanonicalWriter::text_of(|to| write_change(change, to))
    }
}

fn write_change(change: &Change, to: &mut CanonicalWriter) {
    let Change { number, at, actor, cause, digest } = change;
    begin(CHANGE, to);
    to.integer("number", *number);
    to.text("at", at);
    to.text("actor", actor);
    to.text("cause", cause);
    to.text("digest", digest);
}

impl Canonical for ChangeLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        write_change(&self.0, to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(CHANGE, from)?;
        Ok(Self(Change {
            number: from.integer("number")?,
            at: from.text("at", Timestamp::parse)?,
            actor: from.string("actor")?,
            cause: from.string("cause")?,
            digest: from.text("digest", Digest::parse)?,
        }))
    }
}

/// A part of a change's items.
pub(super) struct ItemsLine(pub(super) PartPlace, pub(super) PackedItems);

impl ItemsLine {
    pub(super) fn text(place: PartPlace, items: &PackedItems) -> String {
        CanonicalWriter::text_of(|to| write_part(ITEMS, place, items.as_bytes(), to))
    }
}

impl Canonical for ItemsLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        write_part(ITEMS, self.0, self.1.as_bytes(), to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let (place, bytes) = read_part(ITEMS, from)?;
        Ok(Self(place, PackedItems::from_stored(bytes)))
    }
}

/// A part of a change's postings.
pub(super) struct PostingsLine(pub(super) PartPlace, pub(super) PackedCells);

impl PostingsLine {
    pub(super) fn text(place: PartPlace, cells: &PackedCells) -> String {
        CanonicalWriter::text_of(|to| write_part(POSTINGS, place, cells.as_bytes(), to))
    }
}

impl Canonical for PostingsLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        write_part(POSTINGS, self.0, self.1.as_bytes(), to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let (place, bytes) = read_part(POSTINGS, from)?;
        Ok(Self(place, PackedCells::from_stored(bytes)))
    }
}

/// A part of the lines that an import wrote a change's activities from.
pub(super) struct LinesLine(pub(super) PartPlace, pub(super) PackedLines);

impl LinesLine {
    pub(super) fn text(place: PartPlace, lines: &PackedLines) -> String {
        CanonicalWriter::text_of(|to| write_part(LINES, place, lines.as_bytes(), to))
    }
}

impl Canonical for LinesLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        write_part(LINES, self.0, self.1.as_bytes(), to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let (place, bytes) = read_part(LINES, from)?;
        Ok(Self(place, PackedLines::from_stored(bytes)))
    }
}

/// An import, as stores have it.
pub(super) struct ImportLine(pub(super) ImportBatch);

impl ImportLine {
    pub(super) fn text(import: &ImportBatch) -> String {
        CanonicalWriter::text_of(|to| write_import(import, to))
    }
}

fn write_import(import: &ImportBatch, to: &mut CanonicalWriter) {
    begin(IMPORT, to);
    to.object("content", |to| import.write(to));
}

impl Canonical for ImportLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        write_import(&self.0, to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(IMPORT, from)?;
        Ok(Self(from.object("content", |from| ImportBatch::read((), from))?))
    }
}

/// Writes a line of that kind; the member with the bytes has the name of the kind.
fn write_part(kind: &str, place: PartPlace, bytes: &[u8], to: &mut CanonicalWriter) {
    begin(kind, to);
    to.integer("change", place.change);
    to.integer("part", place.part);
    to.text(kind, Base64Display::new(bytes, &STANDARD));
}

fn read_part(kind: &str, from: &mut CanonicalReader<'_>) -> Result<(PartPlace, Vec<u8>), CanonicalError> {
    begun(kind, from)?;
    let place = PartPlace { change: from.integer("change")?, part: from.integer("part")? };
    Ok((place, from.text(kind, Base64::parse)?.0))
}

/// Bytes as base64 text, padded (RFC 4648, section 4).
struct Base64(Vec<u8>);

impl Base64 {
    fn parse(text: &str) -> Result<Self, &'static str> {
        STANDARD.decode(text).map(Self).map_err(|_| "not base64 (RFC 4648)")
    }
}

impl fmt::Display for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(&self.0, &STANDARD).fmt(f)
    }
}
