//! What callers may do, in words that tokens, keys and commands share.

use std::fmt;

macro_rules! permissions {
    ($(#[doc = $doc:literal] $name:ident = $word:literal;)*) => {
        /// What a client or key may do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Permission { $(#[doc = $doc] $name,)* }

        impl Permission {
            /// Every permission, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word for it, as tokens and commands write it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// What it allows, in a sentence.
            #[must_use]
            pub const fn what_for(self) -> &'static str {
                match self { $(Self::$name => $doc.trim_ascii(),)* }
            }
        }
    };
}

permissions! {
    /// High level data of the activity report.
    ActivityReport = "activity:report";
    /// Activities one by one; includes `activity:report`.
    ActivityRead = "activity:read";
    /// Adding, changing and removing activities; includes `activity:read`.
    ActivityWrite = "activity:write";
    /// Reading switches.
    SwitchRead = "switch:read";
    /// Writing switches; includes `switch:read`.
    SwitchWrite = "switch:write";
    /// Reading models and their inputs.
    ModelRead = "model:read";
    /// Writing models and their inputs; includes `model:read`.
    ModelWrite = "model:write";
    /// Reading the footprints that are shared: the valid ones.
    FootprintRead = "footprint:read";
    /// Reading all footprints, drafts included, with the rules that they break; includes `footprint:read`.
    FootprintReview = "footprint:review";
    /// Writing footprints; includes `footprint:review`.
    FootprintWrite = "footprint:write";
    /// Reading units, scopes, orgs, taxonomies, products and factors.
    CatalogRead = "catalog:read";
    /// Writing scopes, orgs, taxonomies, products and factors; includes `catalog:read`.
    CatalogWrite = "catalog:write";
    /// Closing periods and opening them again.
    PeriodClose = "period:close";
    /// Everything, clients and keys included.
    Admin = "admin";
}

impl Permission {
    /// The permission of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|permission| permission.as_str() == word)
    }

    /// What it directly includes.
    #[must_use]
    pub const fn includes(self) -> &'static [Self] {
        match self {
            Self::ActivityWrite => &[Self::ActivityRead],
            Self::ActivityRead => &[Self::ActivityReport],
            Self::SwitchWrite => &[Self::SwitchRead],
            Self::ModelWrite => &[Self::ModelRead],
            Self::FootprintWrite => &[Self::FootprintReview],
            Self::FootprintReview => &[Self::FootprintRead],
            Self::CatalogWrite => &[Self::CatalogRead],
            Self::Admin => Self::ALL,
            Self::ActivityReport
            | Self::SwitchRead
            | Self::ModelRead
            | Self::FootprintRead
            | Self::CatalogRead
            | Self::PeriodClose => &[],
        }
    }

    const fn bit(self) -> u16 {
        1 << (self as u16)
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of permissions, as it was given: what its members include is held but not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Permissions(u16);

impl Permissions {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Whether the set holds the permission, directly or because a member includes it.
    #[must_use]
    pub fn allows(self, permission: Permission) -> bool {
        self.closure().0 & permission.bit() != 0
    }

    /// Whether the permission was given itself.
    #[must_use]
    pub const fn names(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// The set with everything that its members include.
    #[must_use]
    pub fn closure(self) -> Self {
        let mut all = self;
        loop {
            let wider = all.iter().flat_map(Permission::includes_of).fold(all, |set, p| Self(set.0 | p.bit()));
            if wider == all {
                return all;
            }
            all = wider;
        }
    }

    /// What both sets hold, implied permissions included.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        Self(self.closure().0 & other.closure().0)
    }

    /// The members, in the order of [`Permission::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.iter().copied().filter(move |permission| self.names(*permission))
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Reads words separated by blanks or commas; the error lists the words that are no permission.
    pub fn parse(text: &str) -> Result<Self, UnknownPermission> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let (mut set, mut unknown) = (Self::NONE, Vec::new());
        for word in words {
            match Permission::parse(word) {
                Some(permission) => set = Self(set.0 | permission.bit()),
                None => unknown.push(word.to_owned()),
            }
        }
        if unknown.is_empty() { Ok(set) } else { Err(UnknownPermission(unknown)) }
    }
}

impl Permission {
    fn includes_of(self) -> impl Iterator<Item = Self> {
        self.includes().iter().copied()
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(items: I) -> Self {
        Self(items.into_iter().fold(0, |bits, permission| bits | permission.bit()))
    }
}

impl fmt::Display for Permissions {
    /// The members' words, separated by blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.iter().map(Permission::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

/// A permission that a caller lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("needs the permission {0}")]
pub struct Denied(pub Permission);

/// Words that name no permission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is no permission; there are {}", .0.join(", "), all_words())]
pub struct UnknownPermission(pub Vec<String>);

fn all_words() -> String {
    Permission::ALL.iter().map(|permission| permission.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_includes_reading_and_reading_includes_the_report() {
        let held = Permissions::parse("activity:write").unwrap();
        assert!(held.allows(Permission::ActivityReport));
        assert!(!held.allows(Permission::SwitchRead));
        assert!(!held.names(Permission::ActivityRead));
        assert_eq!(held.closure().to_string(), "activity:report activity:read activity:write");
    }

    #[test]
    fn admin_holds_everything() {
        let held = Permissions::parse("admin").unwrap();
        assert!(Permission::ALL.iter().all(|permission| held.allows(*permission)));
    }

    #[test]
    fn unknown_words_are_all_named() {
        let error = Permissions::parse("activity:read,nonsense, more").unwrap_err();
        assert_eq!(error.0, ["nonsense", "more"]);
    }
}
