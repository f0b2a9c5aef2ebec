//! Who a user is at a provider of sign-ins.

use std::fmt;

/// A person as a provider of sign-ins names it: by issuer and subject, which alone never pass to another person.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    issuer: String,
    subject: String,
}

impl Identity {
    /// Both as the provider writes them: 1-255 characters each, without blanks and control characters in the issuer.
    pub fn new(issuer: &str, subject: &str) -> Result<Self, IdentityError> {
        let fits = |text: &str| (1..=255).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        if fits(issuer) && !issuer.contains(char::is_whitespace) && fits(subject) {
            Ok(Self { issuer: issuer.to_owned(), subject: subject.to_owned() })
        } else {
            Err(IdentityError)
        }
    }

    /// The provider's address.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// What it calls the person.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.subject, self.issuer)
    }
}

/// That two texts are no identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an issuer and a subject have 1 to 255 characters each, none of them a control character")]
pub struct IdentityError;
