//! `[secrets]`: what the private signing keys are sealed with.

use std::path::PathBuf;

use auth::InstallationSecret;

use super::load::reader::Settings;

/// The secrets of the installation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Seals the private signing keys.
    pub key: InstallationKey,
}

/// Where the secret that seals the private signing keys comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InstallationKey {
    /// The file `secret.key` in the data folder, made when it is not there.
    #[default]
    Own,
    /// A file that must be there.
    File(PathBuf),
    /// The value is in the setting itself.
    Given(InstallationSecret),
}

impl Secrets {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("secrets");
        let given = section
            .secret("key", "key_file", |text| InstallationSecret::parse(text).map_err(|error| error.to_string()));
        section.finish();
        let key = match given {
            (Some(secret), _) => InstallationKey::Given(secret),
            (None, Some(path)) => InstallationKey::File(PathBuf::from(path)),
            (None, None) => InstallationKey::Own,
        };
        Self { key }
    }
}
