//! Who calls.

use domain::PartnerId;

use crate::id::TenantId;
use crate::permission::{Denied, Permission, Permissions};

/// Who asks: authenticated, of one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The tenant that the credentials belong to.
    pub tenant: TenantId,
    /// Who it is, as the change chain names it: `client:<uuid>`, `key:<uuid>`, `user:<uuid>`, `cli:` and an account.
    pub actor: String,
    /// What they may do.
    pub permissions: Permissions,
    /// The partner that calls; `None` for the company itself.
    pub partner: Option<PartnerId>,
}

impl Caller {
    /// Refuses a caller who does not hold the permission.
    pub fn check(&self, permission: Permission) -> Result<(), Denied> {
        if self.permissions.allows(permission) { Ok(()) } else { Err(Denied(permission)) }
    }
}
