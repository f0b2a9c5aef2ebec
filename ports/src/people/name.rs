//! The name that a user signs in with.

use std::fmt;

/// What a user signs in with: 1-100 characters without blanks, control or invisible ones, in lower case, so that no two users
/// of a tenant differ in case alone. An e-mail address will do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignInName(String);

impl SignInName {
    /// Reads it, however it is cased.
    pub fn parse(text: &str) -> Result<Self, SignInNameError> {
        let name = domain::Name::parse(text).map_err(|_| SignInNameError)?.as_str().to_lowercase();
        let fits = name.chars().count() <= 100 && !name.chars().any(char::is_whitespace);
        if fits { Ok(Self(name)) } else { Err(SignInNameError) }
    }

    /// The name in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SignInName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl std::str::FromStr for SignInName {
    type Err = SignInNameError;

    fn from_str(text: &str) -> Result<Self, SignInNameError> {
        Self::parse(text)
    }
}

/// That a text is no name to sign in with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name to sign in with has 1 to 100 characters, none of them a blank or invisible")]
pub struct SignInNameError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_are_the_same() {
        assert_eq!(SignInName::parse(" Ana@Example.ORG ").unwrap(), SignInName::parse("ana@example.org").unwrap());
        assert_eq!(SignInName::parse("ÅSA").unwrap().as_str(), "åsa");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", " ", "a b", "a\u{a0}b", "a\nb", "\u{200b}", &"a".repeat(101)] {
            assert_eq!(SignInName::parse(text), Err(SignInNameError), "{text:?}");
        }
    }
}
