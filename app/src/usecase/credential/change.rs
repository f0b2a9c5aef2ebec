//! What a draft makes of a client's or key's members, and how often a change is tried.

use domain::{FaultCode, Faults, Name, Timestamp};
use ports::inbound::{CredentialDraft, Error, Field};
use ports::{Permissions, Version};

/// What a caller gives a client or key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Members {
    pub(super) name: Name,
    pub(super) permissions: Permissions,
    pub(super) expires: Option<Timestamp>,
}

/// The members of a new record, or every fault of the draft.
pub(super) fn new_members(draft: CredentialDraft, now: Timestamp) -> Result<Members, Faults> {
    let mut faults = draft.faults;
    if draft.name.is_missing() {
        faults.add_coded(FaultCode::Required, "/name", "is required");
    }
    if draft.permissions.is_missing() {
        faults.add_coded(FaultCode::Required, "/permissions", "is required");
    }
    check(&draft.permissions, &draft.expires, now, &mut faults);
    match (draft.name.into_option(), draft.permissions.into_option()) {
        (Some(name), Some(permissions)) if faults.is_empty() => {
            Ok(Members { name, permissions, expires: draft.expires.into_option() })
        }
        (Some(_) | None, Some(_) | None) => Err(faults),
    }
}

/// The members as the draft leaves them, `None` when it changes nothing, or every fault of it.
pub(super) fn changed(before: &Members, draft: CredentialDraft, now: Timestamp) -> Result<Option<Members>, Faults> {
    let mut faults = draft.faults;
    if draft.name == Field::Null {
        faults.add_coded(FaultCode::Required, "/name", "must not be null");
    }
    if draft.permissions == Field::Null {
        faults.add_coded(FaultCode::Required, "/permissions", "must not be null");
    }
    check(&draft.permissions, &draft.expires, now, &mut faults);
    faults.into_result()?;
    let after = Members {
        name: draft.name.into_option().unwrap_or_else(|| before.name.clone()),
        permissions: draft.permissions.into_option().unwrap_or(before.permissions),
        expires: draft.expires.merge(before.expires),
    };
    Ok((after != *before).then_some(after))
}

fn check(permissions: &Field<Permissions>, expires: &Field<Timestamp>, now: Timestamp, faults: &mut Faults) {
    if permissions.given().is_some_and(|permissions| permissions.is_empty()) {
        faults.add_coded(FaultCode::Required, "/permissions", "must name at least one permission");
    }
    if expires.given().is_some_and(|expires| *expires <= now) {
        faults.add("/expires", "must be in the future");
    }
}

/// So often a change is tried that others come before; then the directory counts as busy.
const MOST: u32 = 100;

/// Attempts at a change that does not name the version it means: when another change comes between its reading and its
/// writing, it is made again of what is there then.
#[derive(Debug)]
pub(in crate::usecase) struct Attempts {
    is_named: bool,
    left: u32,
}

impl Attempts {
    /// Attempts at a change that names a version, or none.
    pub(in crate::usecase) const fn new(seen: Option<Version>) -> Self {
        Self { is_named: seen.is_some(), left: MOST }
    }

    /// What the change comes to, or `None` when it is to be tried again.
    pub(in crate::usecase) fn ended<T>(&mut self, written: Result<T, Error>) -> Option<Result<T, Error>> {
        if self.is_named || !matches!(written, Err(Error::Stale)) {
            return Some(written);
        }
        self.left -= 1;
        (self.left == 0).then(|| Err(Error::Busy("others change the same credential or user all the time".into())))
    }
}
