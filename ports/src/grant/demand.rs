//! What each permission is demanded for: to read or to write. [`permit`](super::permit) turns a demand into a grant of
//! the same access, so a permission to read never opens a write.

use std::marker::PhantomData;

use super::{Access, Read, Write};
use crate::permission::Permission;

/// A permission, and the access that it gives.
#[derive(Clone, Copy, Debug)]
pub struct Demand<A: Access> {
    permission: Permission,
    access: PhantomData<A>,
}

impl<A: Access> Demand<A> {
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
    ($($(#[$doc:meta])* $name:ident: $access:ident = $permission:ident;)*) => {
        $($(#[$doc])* pub const $name: Demand<$access> = Demand::new(Permission::$permission);)*

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
    /// To write footprints.
    FOOTPRINT_WRITE: Write = FootprintWrite;
    /// To read units, scopes, orgs, taxonomies, products and factors.
    CATALOG_READ: Read = CatalogRead;
    /// To write scopes, orgs, taxonomies, products and factors.
    CATALOG_WRITE: Write = CatalogWrite;
    /// To see clients and keys.
    ADMIN_READ: Read = Admin;
    /// To add, change and remove clients and keys.
    ADMIN_WRITE: Write = Admin;
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
