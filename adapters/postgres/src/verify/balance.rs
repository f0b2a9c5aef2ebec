//! Whether what the chain left is what is there, in little memory.
//!
//! Each item adds the version that it left and takes away the one that it replaced; each record that is there takes away
//! its own. Versions are added up by their hashes, apart for each of many groups of records: where all fits, every sum
//! comes to zero. Where one does not, the records of that group are looked at one by one.

use std::collections::{BTreeSet, HashMap};

use domain::Digest;
use ports::store::Verification;
use ports::{Action, ChangeItem, RecordKind, Version};
use uuid::Uuid;

use super::find;

/// How many groups there are.
const GROUPS: usize = 1 << 16;

/// The sums of all groups.
pub(super) struct Balance(Vec<[u64; 4]>);

/// A version of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// The change that wrote it.
    pub(super) version: Version,
    /// The digest of the record.
    pub(super) digest: Digest,
}

impl Balance {
    pub(super) fn new() -> Self {
        Self(vec![[0; 4]; GROUPS])
    }

    /// Takes in an item of that change.
    pub(super) fn item(&mut self, change: u64, item: &ChangeItem) {
        if let Some(digest) = item.left() {
            self.add(item.kind, item.id, Left { version: Version(change), digest }, u64::wrapping_add);
        }
        if let Some(replaced) = item.replaced() {
            let left = Left { version: replaced.version, digest: replaced.digest };
            self.add(item.kind, item.id, left, u64::wrapping_sub);
        }
    }

    /// Takes in a record that is there.
    pub(super) fn record(&mut self, kind: RecordKind, id: Uuid, left: Left) {
        self.add(kind, id, left, u64::wrapping_sub);
    }

    fn add(&mut self, kind: RecordKind, id: Uuid, left: Left, add: fn(u64, u64) -> u64) {
        let (version, digest) = (left.version.0.to_be_bytes(), left.digest.as_bytes());
        let hash = Digest::of(&[&[kind.code()], id.as_bytes().as_slice(), &version, digest].concat());
        let Some(sums) = self.0.get_mut(group(kind, id)) else { return };
        for (sum, bytes) in sums.iter_mut().zip(hash.as_bytes().as_chunks::<8>().0) {
            *sum = add(*sum, u64::from_be_bytes(*bytes));
        }
    }

    /// The groups whose sum is not zero.
    pub(super) fn wrong(&self) -> Wrong {
        let groups = self.0.iter().enumerate().filter(|(_, sums)| **sums != [0; 4]).map(|(group, _)| group);
        Wrong { groups: groups.collect(), left: HashMap::new() }
    }
}

/// The group of a record.
fn group(kind: RecordKind, id: Uuid) -> usize {
    let [.., high, low] = *id.as_bytes();
    (usize::from(high) << 8 | usize::from(low)) ^ (usize::from(kind.code()) << 12)
}

/// The groups in which something is wrong, and what the chain left of their records.
pub(super) struct Wrong {
    groups: BTreeSet<usize>,
    /// `None` is one that was removed.
    left: HashMap<(RecordKind, Uuid), Option<Left>>,
}

impl Wrong {
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Whether the record may be one of those.
    pub(super) fn concerns(&self, kind: RecordKind, id: Uuid) -> bool {
        self.groups.contains(&group(kind, id))
    }

    /// Follows an item of that change, and reports where it does not go on from what stood there.
    pub(super) fn item(&mut self, change: u64, item: &ChangeItem, report: &mut Verification) {
        let (kind, id) = (item.kind, item.id);
        if !self.concerns(kind, id) || item.blanked().is_some() {
            return;
        }
        let before = self.left.get(&(kind, id)).copied().flatten();
        let replaced = item.replaced().map(|replaced| Left { version: replaced.version, digest: replaced.digest });
        if before != replaced {
            let detail = format!("what it replaced of {kind} {id} is not what stood there");
            find(report, format!("change {change}"), detail);
        }
        let left = match &item.action {
            Action::Added(digest) | Action::Updated { digest, .. } => {
                Some(Left { version: Version(change), digest: *digest })
            }
            Action::Removed(_) | Action::Blanked(_) => None,
        };
        self.left.insert((kind, id), left);
    }

    /// What is wrong with a record that is there.
    pub(super) fn record(&mut self, kind: RecordKind, id: Uuid, there: Left) -> Option<&'static str> {
        match self.left.insert((kind, id), None) {
            None => Some("is in no change of the chain"),
            Some(None) => Some("was removed, but stands in the store"),
            Some(Some(left)) if left.digest != there.digest => Some("is not as its newest change left it"),
            Some(Some(left)) if left.version != there.version => Some("its version is not its newest change"),
            Some(Some(_)) => None,
        }
    }

    /// Takes a record as looked at whose row does not read.
    pub(super) fn unread(&mut self, kind: RecordKind, id: Uuid) {
        self.left.insert((kind, id), None);
    }

    /// Reports the records that are not there.
    pub(super) fn finish(self, report: &mut Verification) {
        let mut missing: Vec<_> = self.left.into_iter().filter(|(_, left)| left.is_some()).map(|(of, _)| of).collect();
        missing.sort_unstable();
        for (kind, id) in missing {
            find(report, format!("{kind} {id}"), "is in the change chain, but not in the store");
        }
    }
}
