//! What a user may do: a role, or permissions one by one.

use std::fmt;

use crate::{Permission, Permissions, UnknownPermission};

/// A preset of permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sees what activities add up to, and the catalog.
    Viewer,
    /// Reads everything, drafts of footprints included, and writes nothing.
    Auditor,
    /// Writes all records.
    Editor,
    /// May do everything, users and keys included.
    Admin,
}

impl Role {
    /// Every role, those with less first.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Auditor, Self::Editor, Self::Admin];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Auditor => "auditor",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    /// The role of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }

    /// What it permits.
    #[must_use]
    pub fn permissions(self) -> Permissions {
        use Permission as P;
        match self {
            Self::Viewer => [P::ActivityReport, P::CatalogRead].into_iter().collect(),
            Self::Auditor => {
                [P::ActivityRead, P::SwitchRead, P::ModelRead, P::FootprintReview, P::CatalogRead].into_iter().collect()
            }
            Self::Editor => [P::ActivityWrite, P::SwitchWrite, P::ModelWrite, P::FootprintWrite, P::CatalogWrite]
                .into_iter()
                .collect(),
            Self::Admin => [P::Admin].into_iter().collect(),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a user may do. A role grows with the permissions of later versions, a list does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rights {
    /// What the role permits.
    Role(Role),
    /// These permissions; none are possible. `admin` alone reads as the role.
    Permissions(Permissions),
}

impl Rights {
    /// Reads the word of a role, or permissions with blanks or commas between them.
    pub fn parse(text: &str) -> Result<Self, UnknownPermission> {
        match Role::parse(text) {
            Some(role) => Ok(Self::Role(role)),
            None => Permissions::parse(text).map(Self::Permissions),
        }
    }

    /// What they permit.
    #[must_use]
    pub fn permissions(self) -> Permissions {
        match self {
            Self::Role(role) => role.permissions(),
            Self::Permissions(permissions) => permissions,
        }
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role(role) => role.fmt(f),
            Self::Permissions(permissions) => permissions.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(role: Role, permission: Permission) -> bool {
        role.permissions().allows(permission)
    }

    #[test]
    fn auditors_read_everything_and_write_nothing() {
        let is_read = |permission: &&Permission| permission.as_str().ends_with(":read");
        assert!(Permission::ALL.iter().filter(is_read).all(|permission| allows(Role::Auditor, *permission)));
        assert!(
            allows(Role::Auditor, Permission::FootprintReview) && allows(Role::Auditor, Permission::ActivityReport)
        );
        for role in [Role::Viewer, Role::Auditor] {
            let written = Permission::ALL.iter().filter(|permission| permission.as_str().ends_with(":write"));
            assert!(written.into_iter().all(|permission| !allows(role, *permission)), "{role}");
        }
    }

    #[test]
    fn editors_write_all_records_and_only_admins_administer() {
        let is_written = |permission: &&Permission| permission.as_str().ends_with(":write");
        assert!(Permission::ALL.iter().filter(is_written).all(|permission| allows(Role::Editor, *permission)));
        let administer: Vec<Role> = Role::ALL.into_iter().filter(|role| allows(*role, Permission::Admin)).collect();
        assert_eq!(administer, [Role::Admin]);
    }

    #[test]
    fn rights_are_read_as_they_are_written() {
        for text in ["viewer", "auditor", "editor", "admin", "", "activity:read catalog:write"] {
            assert_eq!(Rights::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Rights::parse("Viewer, x").unwrap_err().0, ["Viewer", "x"]);
    }
}
