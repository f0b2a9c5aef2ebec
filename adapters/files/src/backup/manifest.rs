//! What a backup says of itself.

use std::collections::BTreeSet;

use domain::{Digest, Timestamp};
use ports::TenantSlug;
use ports::directory::{DirectoryHead, Tenant};
use serde::{Deserialize, Serialize};

use super::{DIRECTORY_FILE, SECRET_FILE};

/// The form that is written, and the only one that is read.
const FORM: u32 = 1;

/// In which form records are in a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordsForm {
    /// A SQLite file for each company, and the directory's.
    Sqlite,
    /// An export of each company, with its credentials.
    Export,
}

/// What is in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupManifest {
    form: u32,
    /// The version of Tonne that wrote it.
    pub version: String,
    /// When it was begun, as RFC 3339 says a moment.
    pub created: String,
    /// In which form records are in it.
    pub records: RecordsForm,
    /// Whether the installation's secret is in it.
    pub secrets: bool,
    /// Where the directory's chain ends, if it is in it.
    pub directory: Option<BackupDirectory>,
    /// The companies.
    pub tenants: Vec<BackupTenant>,
}

/// Where the chain of the directory ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupDirectory {
    /// The number of the newest change.
    pub number: u64,
    /// The digest of the chain, in hexadecimal digits.
    pub digest: String,
}

impl From<DirectoryHead> for BackupDirectory {
    fn from(head: DirectoryHead) -> Self {
        Self { number: head.number, digest: head.digest.to_string() }
    }
}

/// A company in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupTenant {
    /// Identifies it.
    pub uuid: String,
    /// Its part of the address.
    pub slug: String,
    /// What it is called.
    pub name: String,
    /// The member with its records.
    pub file: String,
    /// The number of its newest change.
    pub number: u64,
    /// The digest of its change chain, in hexadecimal digits.
    pub digest: String,
}

impl BackupTenant {
    /// A tenant in that form, whose chain ends there.
    #[must_use]
    pub fn of(tenant: &Tenant, records: RecordsForm, number: u64, digest: Digest) -> Self {
        Self {
            uuid: tenant.id.to_string(),
            slug: tenant.slug.to_string(),
            name: tenant.name.to_string(),
            file: records.member(&tenant.slug),
            number,
            digest: digest.to_string(),
        }
    }

    /// Its slug, where it is one.
    pub fn slug(&self) -> Result<TenantSlug, domain::TextError> {
        TenantSlug::parse(&self.slug)
    }
}

impl RecordsForm {
    /// The member with the records of the tenant of that slug.
    #[must_use]
    pub fn member(self, slug: &TenantSlug) -> String {
        match self {
            Self::Sqlite => format!("tenants/{slug}.db"),
            Self::Export => format!("tenants/{slug}.tonne"),
        }
    }
}

impl BackupManifest {
    /// That of a backup that begins now, with nothing in it yet.
    #[must_use]
    pub fn new(version: &str, created: Timestamp, records: RecordsForm) -> Self {
        Self {
            form: FORM,
            version: version.to_owned(),
            created: created.to_string(),
            records,
            secrets: false,
            directory: None,
            tenants: Vec::new(),
        }
    }

    /// The members that there must be besides the last two.
    pub(super) fn members(&self) -> BTreeSet<&str> {
        let mut members: BTreeSet<&str> = self.tenants.iter().map(|tenant| tenant.file.as_str()).collect();
        members.extend(self.directory.is_some().then_some(DIRECTORY_FILE));
        members.extend(self.secrets.then_some(SECRET_FILE));
        members
    }

    /// What is wrong with it, if something is.
    pub(super) fn fault(&self) -> Option<String> {
        if self.form != FORM {
            return Some(format!("is a backup of form {}, and this version of Tonne reads form {FORM}", self.form));
        }
        if self.directory.is_some() != (self.records == RecordsForm::Sqlite) {
            return Some("does not hold the directory where it must, or holds it where it must not".to_owned());
        }
        for tenant in &self.tenants {
            let fits = tenant.slug().is_ok_and(|slug| tenant.file == self.records.member(&slug));
            if !fits {
                return Some(format!("names the company {:?}, which cannot be", tenant.slug));
            }
        }
        None
    }
}
