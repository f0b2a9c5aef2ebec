//! Walking along the chain: whether each change follows the one before it and each item what stood there.

use std::collections::BTreeMap;

use domain::Digest;
use uuid::Uuid;

use super::ItemsError;
use crate::change::{Action, BlankedVersion, ChainHead, Change, ChangeDigest, ChangeItem};
use crate::record::RecordKind;
use crate::store::finding::CHANGE_DIGEST;
use crate::store::{Finding, Verification};

/// A check of a chain from its first change on.
///
/// [`begin`](Self::begin), [`item`](Self::item) for each item in order and [`end`](Self::end) for each change, then
/// [`head`](Self::head). What does not fit becomes a finding.
#[derive(Debug, Default)]
pub struct ChainWalk {
    number: u64,
    digest: Option<Digest>,
    catalog: u64,
    /// The texts that are gone, and that no change so far said it blanked: how many of each version.
    gone: BTreeMap<(RecordKind, Uuid, BlankedVersion), u32>,
    under_way: Option<UnderWay>,
}

#[derive(Debug)]
struct UnderWay {
    change: Change,
    digest: ChangeDigest,
    items: u64,
}

impl ChainWalk {
    /// Begins the next change, whose number must follow that of the one before.
    pub fn begin(&mut self, change: Change, found: &mut Verification) {
        found.changes += 1;
        let expected = self.number + 1;
        if change.number != expected {
            let detail = format!("stands where change {expected} is expected");
            find(found, format!("change {}", change.number), detail);
        }
        let previous = self.digest.unwrap_or(Digest::ZERO);
        let digest = ChangeDigest::new(previous, change.number, change.at, &change.actor, &change.cause);
        self.under_way = Some(UnderWay { change, digest, items: 0 });
    }

    /// The next item of the change; `before` is what the last item of its record left, `None` where there is none or
    /// the record was removed.
    pub fn item(&mut self, item: &ChangeItem, before: Option<Digest>, found: &mut Verification) {
        let Some(UnderWay { change, digest, items }) = &mut self.under_way else { return };
        digest.item(item);
        *items += 1;
        let number = change.number;
        if item.kind.is_catalog() {
            self.catalog = number;
        }
        if let Some(version) = item.blanked() {
            self.blanked(number, item, *version, found);
            return;
        }
        if let Some(replaced) = item.replaced().filter(|replaced| replaced.text.is_none()) {
            let version = BlankedVersion { version: replaced.version, digest: replaced.digest };
            *self.gone.entry((item.kind, item.id, version)).or_default() += 1;
            found.blanked += 1;
        }
        if !continues(before, item) {
            let detail = format!("what it replaced of {} {} is not what stood there", item.kind, item.id);
            find(found, format!("change {number}"), detail);
        }
    }

    /// A change that says that it blanked a text: it must be gone from an earlier one.
    fn blanked(&mut self, number: u64, item: &ChangeItem, version: BlankedVersion, found: &mut Verification) {
        let of = (item.kind, item.id, version);
        match self.gone.get_mut(&of) {
            Some(1) => drop(self.gone.remove(&of)),
            Some(more) => *more -= 1,
            None => {
                let (kind, id, version) = (item.kind, item.id, version.version);
                let detail =
                    format!("says that it blanked version {version} of {kind} {id}, which is not blank before it");
                find(found, format!("change {number}"), detail);
            }
        }
    }

    /// Bytes where items of the change were expected.
    pub fn damaged(&self, error: &ItemsError, found: &mut Verification) {
        let number = self.under_way.as_ref().map_or(self.number, |under_way| under_way.change.number);
        find(found, format!("change {number}"), error.to_string());
    }

    /// The end of the change.
    pub fn end(&mut self, found: &mut Verification) {
        let Some(UnderWay { change, digest, items }) = self.under_way.take() else { return };
        if items == 0 {
            find(found, format!("change {}", change.number), "has no items".to_owned());
        }
        if digest.finish() != change.digest {
            find(found, format!("change {}", change.number), CHANGE_DIGEST.to_owned());
        }
        (self.number, self.digest) = (change.number, Some(change.digest));
    }

    /// Compares the head with the last change, and whether changes say of all texts that are gone that they were blanked.
    pub fn head(&self, head: &ChainHead, found: &mut Verification) {
        let subject = || "head".to_owned();
        for (kind, id, BlankedVersion { version, .. }) in self.gone.keys() {
            let detail = format!("the text of its version {version} is gone, and no change says that it was blanked");
            find(found, format!("{kind} {id}"), detail);
        }
        if head.number != self.number {
            let detail = format!("is at change {}, but the newest change is {}", head.number, self.number);
            find(found, subject(), detail);
        }
        if head.digest != self.digest.unwrap_or(Digest::ZERO) {
            find(found, subject(), "does not have the digest of the newest change".to_owned());
        }
        if head.catalog != self.catalog {
            let (says, was) = (head.catalog, self.catalog);
            find(found, subject(), format!("says that change {says} was the last of the catalog, but {was} was"));
        }
    }
}

fn find(found: &mut Verification, subject: String, detail: String) {
    found.findings.push(Finding { subject, detail });
}

/// Whether an item follows the last one of the same record: an added one follows none or a removal, any other the digest
/// that the record had before. One that blanked a text goes on from any. The text that it replaced, unless blanked, must have that digest.
#[must_use]
pub fn continues(before: Option<Digest>, item: &ChangeItem) -> bool {
    match &item.action {
        Action::Added(_) => before.is_none(),
        Action::Blanked(_) => true,
        Action::Updated { replaced, .. } | Action::Removed(replaced) => {
            before == Some(replaced.digest) && replaced.is_sound()
        }
    }
}
