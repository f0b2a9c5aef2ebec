//! What `tonne key` and `tonne client` have in common: how a credential is described and shown.

use std::fmt;

use clap::Args;
use domain::{Moment, MomentError, Name, Timestamp};
use files::Json;
use ports::Permissions;
use ports::inbound::{CredentialDraft, Field};
use ports::repo::Page;

use super::json::{array, text};

/// Pages of lists are asked for in this size.
const PAGE_SIZE: u32 = 1_000;

/// A new credential.
#[derive(Debug, Args)]
pub(super) struct Create {
    /// What it is called.
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    name: Name,
    /// What it may do: words with commas between them, such as activity:read,switch:write; admin is all.
    #[arg(long, value_name = "WORDS", value_parser = permissions)]
    permissions: Permissions,
    /// When it runs out: a date (its last second, UTC) or a moment such as 2027-01-31T12:00:00Z.
    #[arg(long, value_name = "DATE", value_parser = expiry)]
    expires: Option<Timestamp>,
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

impl Create {
    /// The same for the use case.
    pub(super) fn draft(&self) -> CredentialDraft {
        CredentialDraft {
            name: Field::Given(self.name.clone()),
            permissions: Field::Given(self.permissions),
            expires: Field::of(self.expires),
            ..CredentialDraft::default()
        }
    }
}

pub(super) fn permissions(words: &str) -> Result<Permissions, String> {
    match Permissions::parse(words) {
        Ok(none) if none.is_empty() => Err("names no permission".to_owned()),
        Ok(some) => Ok(some),
        Err(unknown) => Err(unknown.to_string()),
    }
}

fn expiry(text: &str) -> Result<Timestamp, MomentError> {
    Moment::parse_end(text).and_then(|moment| Timestamp::new(moment.instant()))
}

/// Permissions as an array of words.
pub(super) fn words(permissions: Permissions) -> Json {
    array(permissions.iter().map(text))
}

/// A moment that may be missing, for a table.
pub(super) fn or_dash(value: Option<impl fmt::Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// The page of that number.
pub(super) const fn page(number: u32) -> Page {
    Page { number, size: PAGE_SIZE }
}
