//! `[tokens]`: how long tokens live.

use super::load::reader::Settings;

/// How long tokens live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// Seconds that an access token lives.
    pub access_lifetime_s: u64,
    /// Seconds that a refresh token lives.
    pub refresh_lifetime_s: u64,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { access_lifetime_s: 3_600, refresh_lifetime_s: 30 * 24 * 3_600 }
    }
}

impl Tokens {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("tokens");
        let tokens = Self {
            access_lifetime_s: section.number("access_lifetime_s", default.access_lifetime_s, 60..=86_400),
            refresh_lifetime_s: section.number("refresh_lifetime_s", default.refresh_lifetime_s, 60..=31_536_000),
        };
        section.finish();
        tokens
    }
}
