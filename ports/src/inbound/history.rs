//! What changed, in order, and what became of one record.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use domain::{Faults, Reason};
use uuid::Uuid;

use super::draft::Field;
use super::{Done, Error, Once};
use crate::ledger::{PartPlace, PinnedHead};
use crate::{Caller, Change, RecordKind, Revision, Verb, Version};

/// Reading the history of a tenant, and blanking what of it has to be forgotten.
#[async_trait]
pub trait Histories: Send + Sync {
    /// Changes behind a place, in order, at most `limit`, with what they did to records that the caller may read. `Gone` for a
    /// place of another epoch; `Parameters` for one that lies ahead. Needs `activity:read`.
    async fn changes(&self, caller: &Caller, after: Option<ChangeMark>, limit: u32) -> Result<ChangePage, Error>;

    /// The digest of the chain at the newest change, or at the change of that number; `None` where the chain ends before it.
    /// Needs `activity:read`.
    async fn head(&self, caller: &Caller, number: Option<u64>) -> Result<Option<PinnedHead>, Error>;

    /// What changes did to a record, the newest first, at most `limit`. `NotFound` when there never was one. Needs the
    /// permission to read such records.
    async fn of_record(
        &self,
        caller: &Caller,
        kind: RecordKind,
        id: Uuid,
        limit: usize,
    ) -> Result<Vec<RecordChange>, Error>;

    /// Blanks the texts of a record's replaced versions: their digests stay, the chain holds, and a change says who did so, when
    /// and why. What the record is now stays as it is. Nothing is written where all of them are blank already. Needs `admin`.
    async fn blank(&self, caller: &Caller, draft: BlankDraft) -> Result<Blanked, Error> {
        self.blank_once(caller, draft, None).await?.only_now()
    }

    /// The same once, where the request may be sent again.
    async fn blank_once(
        &self,
        caller: &Caller,
        draft: BlankDraft,
        once: Option<Once<Blanked>>,
    ) -> Result<Done<Blanked>, Error>;
}

/// What is to be blanked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlankDraft {
    /// What the record is; required.
    pub kind: Field<RecordKind>,
    /// The record, which may be removed; required.
    pub id: Field<Uuid>,
    /// The replaced version whose text is blanked; all of them without one.
    pub version: Field<Version>,
    /// Why; required, and kept for ever.
    pub reason: Field<Reason>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// What was blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blanked {
    /// What the record is.
    pub kind: RecordKind,
    /// The record.
    pub id: Uuid,
    /// The change that says so; `None` where there was nothing left to blank.
    pub change: Option<u64>,
    /// The versions whose texts were blanked, the newest first.
    pub versions: Vec<Version>,
    /// How many of those that were asked for were blank already.
    pub already: u64,
}

/// A place in a tenant's history: behind a change, or behind some parts of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    /// The epoch of the history that it is a place in.
    pub epoch: Uuid,
    /// All changes up to this number are before it.
    pub number: u64,
    /// How many parts of the next change's items are before it too.
    pub parts: u32,
}

/// A text is no place in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be EPOCH.NUMBER, as an answer gave it")]
pub struct NoChangeMark;

impl ChangeMark {
    /// The place as that of a part of items.
    #[must_use]
    pub const fn place(self) -> PartPlace {
        match self.parts.checked_sub(1) {
            Some(part) => PartPlace { change: self.number + 1, part },
            None => PartPlace::behind(self.number),
        }
    }
}

impl fmt::Display for ChangeMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.epoch, self.number)?;
        if self.parts == 0 { Ok(()) } else { write!(f, ".{}", self.parts) }
    }
}

impl FromStr for ChangeMark {
    type Err = NoChangeMark;

    fn from_str(text: &str) -> Result<Self, NoChangeMark> {
        let mut parts = text.split('.');
        let epoch = parts.next().and_then(|epoch| domain::parse_uuid(epoch).ok()).ok_or(NoChangeMark)?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = parts.next().filter(|text| digits(text)).and_then(|number| number.parse().ok());
        let number = number.filter(|number: &u64| i64::try_from(*number).is_ok()).ok_or(NoChangeMark)?;
        let part = match parts.next() {
            Some(part) => part.parse().ok().filter(|_| digits(part)).ok_or(NoChangeMark)?,
            None => 0,
        };
        if parts.next().is_some() { Err(NoChangeMark) } else { Ok(Self { epoch, number, parts: part }) }
    }
}

/// Changes, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangePage {
    /// The newest change there is.
    pub newest: Revision,
    /// The changes.
    pub changes: Vec<ChangeView>,
    /// The place behind them, to go on from.
    pub next: ChangeMark,
    /// Whether there are more by now.
    pub has_more: bool,
}

/// A change with what it did to records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeView {
    /// The change: who, when, what for.
    pub change: Change,
    /// What it did to records, in order; a large one goes on in the next page.
    pub records: Vec<(RecordKind, Uuid, Verb)>,
    /// Whether there is more of it.
    pub goes_on: bool,
}

/// What a change did to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChange {
    /// The change: who, when, what for.
    pub change: Change,
    /// What was done.
    pub verb: Verb,
    /// The version before it, where there was one.
    pub replaced: Option<Version>,
    /// The canonical text of the record before it; `None` where there was none, or it was blanked.
    pub before: Option<String>,
    /// The canonical text of the record behind it; `None` where there is none, or it was blanked.
    pub after: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_read_back_and_nothing_else_does() {
        let epoch = "0193d3c5-0000-7000-8000-000000000002";
        for text in [format!("{epoch}.0"), format!("{epoch}.17"), format!("{epoch}.17.3")] {
            assert_eq!(text.parse::<ChangeMark>().unwrap().to_string(), text);
        }
        for text in ["", epoch, "x.1", ".1", "17"] {
            assert!(text.parse::<ChangeMark>().is_err(), "{text}");
        }
        for end in [".", ".-1", ".+1", ".1.", ".1.2.3", ".99999999999999999999", ".18446744073709551615"] {
            assert!(format!("{epoch}{end}").parse::<ChangeMark>().is_err(), "{end}");
        }
    }
}
