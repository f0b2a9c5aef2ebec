//! Lines of the history: series, changes and their items.

use std::fmt;

use base64::Engine as _;
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, SeriesKey, Timestamp};
use ports::Change;
use ports::ledger::{PackedItems, PartPlace};

use super::{begin, begun};

pub(super) const SERIES: &str = "series";
pub(super) const CHANGE: &str = "change";
pub(super) const ITEMS: &str = "items";

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

/// A change.
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
        CanonicalWriter::text_of(|to| write_items(place, items, to))
    }
}

fn write_items(place: PartPlace, items: &PackedItems, to: &mut CanonicalWriter) {
    begin(ITEMS, to);
    to.integer("change", place.change);
    to.integer("part", place.part);
    to.text("items", Base64Display::new(items.as_bytes(), &STANDARD));
}

impl Canonical for ItemsLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        write_items(self.0, &self.1, to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(ITEMS, from)?;
        let place = PartPlace { change: from.integer("change")?, part: from.integer("part")? };
        let Base64(bytes) = from.text("items", Base64::parse)?;
        Ok(Self(place, PackedItems::from_stored(bytes)))
    }
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
