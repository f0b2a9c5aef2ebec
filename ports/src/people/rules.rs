//! What holds among the users of a tenant, in every store.

use super::User;
use crate::conflict::Conflict;
use crate::store::StoreError;

/// Refuses to write a user beside the `others` of its tenant: `before` is what is there of it, `after` what is to be. A name or
/// an identity that another has is a conflict, and so is taking away the last user who may administer the tenant.
pub fn check_users(others: &[User], before: Option<&User>, after: Option<&User>) -> Result<(), StoreError> {
    if let Some(after) = after {
        if let Some(holder) = others.iter().find(|other| other.name == after.name) {
            return Err(StoreError::Conflict(Conflict::UserName { holder: holder.id.uuid() }));
        }
        let holder = others.iter().find(|other| after.identity.is_some() && other.identity == after.identity);
        if let Some(holder) = holder {
            return Err(StoreError::Conflict(Conflict::UserIdentity { holder: holder.id.uuid() }));
        }
    }
    let administered = before.is_some_and(User::administers);
    if administered && !after.into_iter().chain(others).any(User::administers) {
        return Err(StoreError::Conflict(Conflict::LastAdmin));
    }
    Ok(())
}
