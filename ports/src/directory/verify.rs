//! Checking a directory: whether its chain adds up, and whether its records are what the chain says.

use std::collections::HashMap;

use domain::Digest;

use super::chain::{DirectoryChange, DirectoryHead, DirectoryItem};
use super::entry::{Entry, EntryKind};
use crate::credential::PasswordHash;
use crate::store::finding::{CHANGE_DIGEST, CONTENT_DIGEST};
use crate::store::{Finding, Verification};
use crate::{UserId, Verb};

/// A check under way: all changes in order, then all records, then the head.
#[derive(Clone, Debug)]
pub struct DirectoryCheck {
    head: DirectoryHead,
    /// The digest that the newest change gave each record that is still there.
    expected: HashMap<(EntryKind, String), Digest>,
    found: Verification,
}

impl Default for DirectoryCheck {
    fn default() -> Self {
        Self { head: DirectoryHead::NEW, expected: HashMap::new(), found: Verification::default() }
    }
}

impl DirectoryCheck {
    /// Takes in the next change, as it is stored.
    pub fn change(&mut self, change: &DirectoryChange) {
        self.found.changes += 1;
        let (expected, number) = (self.head.number + 1, change.number);
        let subject = format!("change {number}");
        if number != expected {
            self.find(&subject, format!("stands where change {expected} is expected"));
        }
        if change.digest_behind(self.head.digest) != change.digest {
            self.find(&subject, CHANGE_DIGEST);
        }
        for item in change.items.iter().filter(|item| item.kind.is_record()) {
            self.item(&subject, item);
        }
        self.head = change.head();
    }

    fn item(&mut self, subject: &str, item: &DirectoryItem) {
        let DirectoryItem { verb, kind, id, digest, replaced } = item;
        let key = (*kind, id.clone());
        let before = match verb {
            Verb::Added | Verb::Updated => self.expected.insert(key, *digest),
            Verb::Removed => self.expected.remove(&key),
            Verb::Blanked => {
                self.find(subject, format!("blanked {kind} {id}, which the directory does not do"));
                return;
            }
        };
        if replaced.as_ref().map(|text| Digest::of(text.as_bytes())) != before {
            self.find(subject, format!("what it replaced of {kind} {id} is not what stood there"));
        }
        if *verb == Verb::Removed && before != Some(*digest) {
            self.find(subject, format!("what it removed is not {kind} {id} as it stood there"));
        }
    }

    /// Takes in a record and the digest that is beside it.
    pub fn record<E: Entry>(&mut self, entry: &E, beside: Digest) {
        self.found.records += 1;
        let (digest, id) = (entry.digest(), entry.id());
        let subject = format!("{} {id}", E::KIND);
        let known = self.expected.remove(&(E::KIND, id));
        if digest != beside {
            self.find(&subject, CONTENT_DIGEST);
        } else if known != Some(digest) {
            self.find(&subject, "is not as its newest change left it");
        }
    }

    /// Takes in the hash of a user's password, and the digest that the user's record names it by.
    pub fn password(&mut self, user: UserId, named: Option<Digest>, stored: Option<&PasswordHash>) {
        if stored.map(PasswordHash::digest) != named {
            self.find(&format!("user {user}"), "has another password than its record names");
        }
    }

    /// Counts a part of a record, which is checked elsewhere.
    pub(crate) const fn counted(&mut self) {
        self.found.records += 1;
    }

    /// Notes a row that cannot be read.
    pub fn damaged(&mut self, subject: &str, detail: impl Into<String>) {
        self.find(subject, detail);
    }

    /// What was found, given where the stored head stands.
    #[must_use]
    pub fn finish(mut self, head: DirectoryHead) -> Verification {
        if head != self.head {
            self.find("head", "is not at the newest change");
        }
        let mut missing: Vec<_> = std::mem::take(&mut self.expected).into_keys().collect();
        missing.sort();
        for (kind, id) in missing {
            self.find(&format!("{kind} {id}"), "is in the change chain, but not in the directory");
        }
        self.found
    }

    fn find(&mut self, subject: &str, detail: impl Into<String>) {
        self.found.findings.push(Finding { subject: subject.to_owned(), detail: detail.into() });
    }
}

#[cfg(test)]
mod tests {
    use domain::Canonical as _;

    use super::*;
    use crate::directory::golden::{changes, client, tenant};

    fn subjects(check: DirectoryCheck, head: DirectoryHead) -> Vec<String> {
        check.finish(head).findings.into_iter().map(|finding| finding.subject).collect()
    }

    fn check(changes: &[DirectoryChange]) -> DirectoryCheck {
        let mut check = DirectoryCheck::default();
        for change in changes {
            check.change(change);
        }
        check
    }

    fn head() -> DirectoryHead {
        changes().last().unwrap().head()
    }

    #[test]
    fn a_sound_directory_has_no_findings() {
        let mut check = check(&changes());
        check.record(&tenant(), tenant().digest());
        let found = check.finish(head());
        assert_eq!((found.records, found.changes, found.findings), (1, 4, vec![]));
    }

    #[test]
    fn an_item_that_was_altered_is_found() {
        let mut altered = changes();
        altered[1].items[0].id.push('0');
        let mut check = check(&altered);
        check.record(&tenant(), tenant().digest());
        let found = subjects(check, head());
        assert!(found.contains(&"change 2".to_owned()) && found.contains(&"change 3".to_owned()), "{found:?}");
    }

    #[test]
    fn a_replaced_text_that_was_altered_is_found() {
        let mut altered = changes();
        altered[2].items[0].replaced = Some("{}".to_owned());
        let mut check = check(&altered);
        check.record(&tenant(), tenant().digest());
        assert!(subjects(check, head()).contains(&"change 3".to_owned()));
    }

    #[test]
    fn a_change_that_is_gone_is_found() {
        let mut check = check(&changes()[..3]);
        check.record(&tenant(), tenant().digest());
        check.record(&client(), client().digest());
        assert!(subjects(check, head()).contains(&"head".to_owned()));
    }

    #[test]
    fn a_record_that_came_back_is_found() {
        let mut check = check(&changes());
        check.record(&tenant(), tenant().digest());
        check.record(&client(), client().digest());
        assert_eq!(subjects(check, head()), [format!("client {}", client().value.id)]);
    }

    #[test]
    fn a_record_that_is_not_there_is_found() {
        assert_eq!(subjects(check(&changes()), head()), [format!("tenant {}", tenant().id)]);
    }
}
