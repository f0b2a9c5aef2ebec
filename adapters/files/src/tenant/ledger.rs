//! Lines of the history: series, changes and their items.

use domain::{Canonical, CanonicalWriter, Digest, SeriesKey, Timestamp, parse_uuid};
use ports::{Change, ChangeItem, RecordKind, Verb};

use super::members::{Members, storable};
use crate::json::{Json, Wrong};

/// A series with its index.
pub(super) struct SeriesLine(pub(super) u32, pub(super) SeriesKey);

impl Canonical for SeriesLine {
    fn write(&self, record: &mut CanonicalWriter) {
        record.text("index", self.0);
        record.optional("scope", self.1.scope);
        record.optional("org", self.1.org);
        record.optional("taxonomy", self.1.taxonomy);
    }
}

pub(super) fn series(json: Json) -> Result<SeriesLine, Wrong> {
    let mut members = Members::of(json)?;
    let index = members.text("index", str::parse)?;
    let key = SeriesKey {
        scope: members.optional("scope", str::parse)?,
        org: members.optional("org", str::parse)?,
        taxonomy: members.optional("taxonomy", str::parse)?,
    };
    members.finish()?;
    Ok(SeriesLine(index, key))
}

/// A change, and how many items it has.
pub(super) struct ChangeLine<C>(pub(super) C, pub(super) u64);

impl<C: std::borrow::Borrow<Change>> Canonical for ChangeLine<C> {
    fn write(&self, record: &mut CanonicalWriter) {
        let Change { number, at, actor, cause, digest } = self.0.borrow();
        record.text("number", number);
        record.text("at", at);
        record.text("actor", actor);
        record.text("cause", cause);
        record.text("digest", digest);
        record.text("items", self.1);
    }
}

pub(super) fn change(json: Json) -> Result<ChangeLine<Change>, Wrong> {
    let mut members = Members::of(json)?;
    let change = Change {
        number: members.text("number", str::parse)?,
        at: members.text("at", Timestamp::parse)?,
        actor: members.string("actor")?,
        cause: members.string("cause")?,
        digest: members.text("digest", digest)?,
    };
    let items = members.text("items", str::parse)?;
    members.finish()?;
    Ok(ChangeLine(change, items))
}

/// An item of a change.
pub(super) struct ItemLine<I>(pub(super) I);

impl<I: std::borrow::Borrow<ChangeItem>> Canonical for ItemLine<I> {
    fn write(&self, record: &mut CanonicalWriter) {
        let ChangeItem { verb, kind, id, digest, replaced } = self.0.borrow();
        record.text("verb", verb.as_str());
        record.text("kind", kind);
        record.text("id", id.as_hyphenated());
        record.text("digest", digest);
        record.optional("replaced", replaced.as_ref());
    }
}

pub(super) fn item(json: Json) -> Result<ItemLine<ChangeItem>, Wrong> {
    let mut members = Members::of(json)?;
    let item = ChangeItem {
        verb: members.text("verb", |word| Verb::parse(word).ok_or("is no verb"))?,
        kind: members.text("kind", |word| RecordKind::parse(word).ok_or("is no kind of record"))?,
        id: members.text("id", parse_uuid)?,
        digest: members.text("digest", digest)?,
        replaced: members.optional("replaced", storable)?,
    };
    members.finish()?;
    Ok(ItemLine(item))
}

/// Reads 64 hexadecimal digits.
pub(super) fn digest(text: &str) -> Result<Digest, Wrong> {
    let wrong = || Wrong::new("is no digest of 64 hexadecimal digits");
    let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| wrong())?;
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = [pair.first(), pair.last()].map(|digit| digit.copied().and_then(nibble));
        *byte = high.zip(low).map(|(high, low)| high << 4 | low).ok_or_else(wrong)?;
    }
    Ok(Digest::from_stored(bytes))
}
