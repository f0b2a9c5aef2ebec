//! The part of an address that names a tenant.

use std::fmt;

use domain::{Slug, TextError};

/// Words that stand for something else at the place of a tenant's slug in an address.
const RESERVED: [&str; 7] = ["api", "health", "metrics", "assets", "docs", "login", "problems"];
const IS_RESERVED: &str = "a word that stands for something else in addresses";
const MAX_CHARACTERS: usize = 40;

/// The part of an address that names a tenant: `[a-z0-9](-?[a-z0-9])*`, 1-40 characters, no reserved word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantSlug(Slug);

impl TenantSlug {
    /// Reads it, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        if RESERVED.contains(&text) {
            return Err(TextError::Form(IS_RESERVED));
        }
        let slug = Slug::parse(text)?;
        if text.len() > MAX_CHARACTERS { Err(TextError::TooLong(MAX_CHARACTERS)) } else { Ok(Self(slug)) }
    }

    /// The slug as it is in addresses.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for TenantSlug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl AsRef<str> for TenantSlug {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_for_something_else_in_an_address_are_refused() {
        for word in RESERVED {
            assert_eq!(TenantSlug::parse(word), Err(TextError::Form(IS_RESERVED)), "{word}");
        }
        assert_eq!(TenantSlug::parse("problem").unwrap().as_str(), "problem");
    }

    #[test]
    fn a_tenants_slug_has_at_most_40_characters() {
        assert!(TenantSlug::parse(&"a".repeat(40)).is_ok());
        assert_eq!(TenantSlug::parse(&"a".repeat(41)), Err(TextError::TooLong(40)));
    }
}
