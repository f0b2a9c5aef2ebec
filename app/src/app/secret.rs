//! The installation's secret, with which the signing keys are sealed.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use auth::InstallationSecret;

use super::files::make_folder;
use crate::config::{Config, InstallationKey};

/// What to do when the secret that the signing keys are sealed with is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingSecret {
    /// Building fails.
    Refuse,
    /// A new secret is created.
    Create,
    /// None is looked for: nothing is signed.
    NotNeeded,
}

/// The secret of the configuration, which is made where it is the installation's own and `missing` says so.
pub(super) fn installation_secret(config: &Config, missing: MissingSecret) -> Result<InstallationSecret> {
    let loaded = match &config.secrets.key {
        InstallationKey::Given(secret) => return Ok(secret.clone()),
        InstallationKey::File(path) => auth::read(path)?,
        InstallationKey::Own => {
            let path = config.store.data_dir.join("secret.key");
            if config.database.url.is_some() {
                return shared_secret(&path, missing);
            }
            if missing == MissingSecret::Refuse && !path.try_exists()? {
                bail!(
                    "{} is missing, and the signing keys are sealed with it; restore the file, or run `tonne \
                     signing-key rotate`, which makes another",
                    path.display()
                );
            }
            auth::read_or_create(&path)?
        }
    };
    Ok(with_warning_logged(loaded))
}

/// The secret of the configuration as it is: none is made. None where there is none and, as `is_needed` says, nothing was
/// sealed with one.
pub(super) fn present_secret(config: &Config, is_needed: bool) -> Result<Option<InstallationSecret>> {
    if config.secrets.key == InstallationKey::Own {
        let path = config.store.data_dir.join("secret.key");
        if !path.try_exists()? {
            ensure!(!is_needed, "{} is missing, and the signing keys are sealed with it", path.display());
            return Ok(None);
        }
        return Ok(Some(auth::read(&path)?.secret));
    }
    installation_secret(config, MissingSecret::Refuse).map(Some)
}

/// The secret of one node among those of a database, which all need the same.
fn shared_secret(path: &Path, missing: MissingSecret) -> Result<InstallationSecret> {
    let is_there = path.try_exists()?;
    if missing == MissingSecret::Refuse && !is_there {
        bail!(
            "the signing keys in the database are sealed with a secret that this node has not: set secrets.key_file to a \
             copy of the one that the other nodes have, or put it to {}; where it is lost, `tonne signing-key rotate` \
             makes another",
            path.display()
        );
    }
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let loaded = auth::read_or_create(path)?;
    if !is_there {
        let path = path.display().to_string();
        tracing::warn!(path, "the signing keys are sealed with a new secret: other nodes of the database need it too");
    }
    Ok(with_warning_logged(loaded))
}

/// The secret that was read; what is to be said about its file is logged.
fn with_warning_logged(loaded: auth::Loaded) -> InstallationSecret {
    if let Some(warning) = loaded.warning {
        tracing::warn!("{warning}");
    }
    loaded.secret
}
