//! Who looks at a page.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use http::edge::{Failure, Standing};
use ports::{Caller, Permission};

pub use actix_web::HttpRequest;

/// Somebody who signed in, as pages know them.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// Who they are to the use cases, and what they may do.
    pub caller: Caller,
    /// What they are called.
    pub name: String,
    /// What every form of theirs carries: of this session alone, and never in an address.
    pub form_token: FormToken,
    /// In which form numbers are shown.
    pub locale: Locale,
}

impl Viewer {
    /// Whether they hold the permission: to leave out what they cannot use. Use cases decide.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.caller.permissions.allows(permission)
    }
}

/// What a session's forms carry, so that no other site's form passes for one of them.
#[derive(Clone, PartialEq, Eq)]
pub struct FormToken(pub String);

impl fmt::Debug for FormToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl FormToken {
    /// Whether that is the token; takes as long for every text of its length.
    #[must_use]
    pub fn is(&self, given: &str) -> bool {
        use subtle::ConstantTimeEq as _;
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

/// The form of numbers: a language, with or without a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale(icu_locale_core::Locale);

/// The locales that are offered, with their names.
pub const LOCALES: [(&str, &str); 14] = [
    ("en", "English (1,234.5)"),
    ("de", "Deutsch (1.234,5)"),
    ("de-CH", "Deutsch, Schweiz (1'234.5)"),
    ("en-IN", "English, India (12,34,567.8)"),
    ("es", "Español (1234,5)"),
    ("fr", "Français (1 234,5)"),
    ("it", "Italiano (1.234,5)"),
    ("ja", "日本語 (1,234.5)"),
    ("nb", "Norsk bokmål (1 234,5)"),
    ("nl", "Nederlands (1.234,5)"),
    ("pl", "Polski (1234,5)"),
    ("pt-BR", "Português (1.234,5)"),
    ("sv", "Svenska (1 234,5)"),
    ("zh", "中文 (1,234.5)"),
];

impl Locale {
    /// Reads a language tag that is offered, such as `de-CH`.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let (known, _) = LOCALES.iter().find(|(known, _)| known.eq_ignore_ascii_case(tag))?;
        known.parse().ok().map(Self)
    }

    /// The one that a browser asks for by `Accept-Language`, of those that are offered; else English.
    #[must_use]
    pub fn asked(accept_language: &str) -> Self {
        let mut tags = accept_language.split(',').filter_map(|part| part.split(';').next()).map(str::trim);
        tags.find_map(|tag| Self::parse(tag).or_else(|| Self::parse(tag.split('-').next()?))).unwrap_or_default()
    }

    pub(crate) const fn icu(&self) -> &icu_locale_core::Locale {
        &self.0
    }
}

impl Default for Locale {
    fn default() -> Self {
        Self(icu_locale_core::locale!("en"))
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Finds out who sent a request to a page.
#[async_trait(?Send)]
pub trait Recognize: Send + Sync {
    /// Who sent it; `None` for whoever did not sign in at this company's address. Reads cookies and writes nothing.
    async fn viewer(&self, request: &HttpRequest) -> Result<Option<Viewer>, Failure>;

    /// What is asked again and again while a long answer to the viewer's request is under way, so that a session that was
    /// revoked gets no more of it; `None` where no session was recognized.
    fn standing(&self, request: &HttpRequest) -> Option<Arc<dyn Standing>>;
}

/// Recognizes nobody.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

#[async_trait(?Send)]
impl Recognize for Nobody {
    async fn viewer(&self, _: &HttpRequest) -> Result<Option<Viewer>, Failure> {
        Ok(None)
    }

    fn standing(&self, _: &HttpRequest) -> Option<Arc<dyn Standing>> {
        None
    }
}
