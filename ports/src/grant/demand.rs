//! What each permission is demanded for: to read or to write, records or credentials. [`permit`](super::permit) turns a
//! demand into a grant of the same access, so a permission to read never opens a write, and none but `admin` a credential.

use std::marker::PhantomData;

use super::{Access, Read, TenantCredentials, Within, Write};
use crate::id::TenantId;
use crate::permission::Permission;

/// A permission, the access that it gives, and to what: a tenant's records or its credentials.
#[derive(Clone, Copy, Debug)]
pub struct Demand<A: Access, S: Within = TenantId> {
    permission: Permission,
    access: PhantomData<(A, S)>,
}

impl<A: Access, S: Within> Demand<A, S> {
    /// Only this module says what a permission is good for.
    const fn new(permission: Permission) -> Self {
        Self { permission, access: PhantomData }
    }

    /// The permission that is demanded.
    #[must_use]
    pub const fn permission(self) -> Permission {
        self.permission
    }
}

macro_rules! demands {
    ($($(#[$doc:meta])* $name:ident: $access:ident $(of $of:ident)? = $permission:ident;)*) => {
        $($(#[$doc])* pub const $name: Demand<$access $(, $of)?> = Demand::new(Permission::$permission);)*

        /// Every permission that is demanded somewhere.
        #[cfg(test)]
        const DEMANDED: &[Permission] = &[$(Permission::$permission),*];
    };
}

demands! {
    /// To see what activities add up to.
    ACTIVITY_REPORT: Read = ActivityReport;
    /// To read activities one by one.
    ACTIVITY_READ: Read = ActivityRead;
    /// To record, change and remove activities.
    ACTIVITY_WRITE: Write = ActivityWrite;
    /// To close periods and to open them again.
    PERIOD_CLOSE: Write = PeriodClose;
    /// To read switches.
    SWITCH_READ: Read = SwitchRead;
    /// To write switches.
    SWITCH_WRITE: Write = SwitchWrite;
    /// To read models and their inputs.
    MODEL_READ: Read = ModelRead;
    /// To write models and their inputs.
    MODEL_WRITE: Write = ModelWrite;
    /// To read the footprints that are shared with partners.
    FOOTPRINT_READ: Read = FootprintRead;
    /// To read all footprints, drafts included, with their verdicts.
    FOOTPRINT_REVIEW: Read = FootprintReview;
    /// To take an event of a partner, who may read what is shared with it.
    EVENT_TAKE: Write = FootprintRead;
    /// To send events to partners.
    EVENT_SEND: Write = FootprintWrite;
    /// To write footprints.
    FOOTPRINT_WRITE: Write = FootprintWrite;
    /// To read partners.
    PARTNER_READ: Read = FootprintReview;
    /// To add, change and remove partners, whose credentials are kept with them.
    PARTNER_WRITE: Write = Admin;
    /// To read units, scopes, orgs, taxonomies, products and factors.
    CATALOG_READ: Read = CatalogRead;
    /// To write scopes, orgs, taxonomies, products and factors.
    CATALOG_WRITE: Write = CatalogWrite;
    /// To blank texts of replaced versions.
    HISTORY_BLANK: Write = Admin;
    /// To see clients, keys and users.
    ADMIN_READ: Read of TenantCredentials = Admin;
    /// To add, change and remove clients, keys and users.
    ADMIN_WRITE: Write of TenantCredentials = Admin;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permission_is_good_for_something() {
        let idle: Vec<_> = Permission::ALL.iter().filter(|permission| !DEMANDED.contains(permission)).collect();
        assert!(idle.is_empty(), "{idle:?}");
    }
}
