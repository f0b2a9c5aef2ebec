//! The installation's secret: what private keys are sealed with, from the configuration or a file.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use ports::credential::CredentialError;

use crate::secrets::random_bytes;

/// Bytes of a secret's file that are read at most: no secret is longer.
const LONGEST: u64 = 1024;

/// Standard base64, padded or not; the URL-safe alphabet is translated first.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The secret of an installation: 32 to 64 bytes. Prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct InstallationSecret(Vec<u8>);

impl InstallationSecret {
    /// Reads 32 to 64 bytes in base64, of either alphabet, padded or not; white space around it is ignored.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let text = text.trim().replace('-', "+").replace('_', "/");
        let bytes = BASE64.decode(text).map_err(|_| SecretError)?;
        if (32..=64).contains(&bytes.len()) { Ok(Self(bytes)) } else { Err(SecretError) }
    }

    /// A secret of 32 random bytes.
    pub fn random() -> Result<Self, CredentialError> {
        random_bytes().map(|bytes| Self(bytes.to_vec()))
    }

    /// The 32 to 64 bytes that keys are derived from.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for InstallationSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A text that is no installation secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a secret of 32 to 64 bytes in base64; `openssl rand -base64 32` makes one")]
pub struct SecretError;

/// A secret that was read from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The secret that was read or created.
    pub secret: InstallationSecret,
    /// What to warn the operator of, if anything: that others may read the file.
    pub warning: Option<String>,
}

/// Why there is no secret. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    /// The file cannot be read.
    #[error("the secret file {} cannot be read", path.display())]
    Read {
        /// Where the secret is expected.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be made.
    #[error("the secret file {} cannot be made", path.display())]
    Create {
        /// Where the secret should have been written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds something else.
    #[error(
        "the secret file {} {fault}; it was left as it is. Put the right one back from a backup: signing keys sealed \
         with it cannot be opened with another", path.display()
    )]
    Malformed {
        /// Where the secret was read.
        path: PathBuf,
        /// What is wrong with it.
        fault: SecretError,
    },
    /// There is no randomness to make a secret of.
    #[error("no secret can be made: {0}")]
    NoRandomness(#[source] ports::credential::CredentialError),
}

/// Reads the secret of a file that must be there.
pub fn read(path: &Path) -> Result<Loaded, SecretFileError> {
    let failed = |source| SecretFileError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let warning = exposure(path, &file).map_err(failed)?;
    let malformed = |fault| SecretFileError::Malformed { path: path.to_owned(), fault };
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| malformed(SecretError))?;
    let secret = InstallationSecret::parse(&text).map_err(malformed)?;
    Ok(Loaded { secret, warning })
}

/// Reads the secret of a file, or makes one of 32 random bytes where there is no file. It appears whole or not at all,
/// for the owner alone, and never in the place of another, whoever makes one at the same time.
pub fn read_or_create(path: &Path) -> Result<Loaded, SecretFileError> {
    match read(path) {
        Err(SecretFileError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    let text = URL_SAFE_NO_PAD.encode(random_bytes().map_err(SecretFileError::NoRandomness)?);
    create(path, &text).map_err(|source| SecretFileError::Create { path: path.to_owned(), source })?;
    read(path)
}

/// Writes the text aside and links it to its place, which fails where there is a file: then that one stays.
fn create(path: &Path, text: &str) -> io::Result<()> {
    let aside = beside(path, text);
    let written = write_new(&aside, text).and_then(|()| fs::hard_link(&aside, path));
    let removed = fs::remove_file(&aside);
    match written {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(()) => removed.and_then(|()| sync_folder(path)),
    }
}

/// A name of its own in the same folder, so that two at once do not meet.
fn beside(path: &Path, text: &str) -> PathBuf {
    let mark = domain::Digest::of(text.as_bytes()).to_string();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", &mark[..16]));
    path.with_file_name(name)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}

/// Makes the file's name durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// The warning when others than the owner and the group may use the file.
#[cfg(unix)]
fn exposure(path: &Path, file: &File) -> io::Result<Option<String>> {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = file.metadata()?.permissions().mode();
    Ok((mode & 0o007 != 0).then(|| {
        let path = path.display();
        format!("the secret file {path} is open to every user (mode {:04o}); run: chmod 600 {path}", mode & 0o7777)
    }))
}

/// Nothing is known about who may read a file here.
#[cfg(not(unix))]
fn exposure(_path: &Path, _file: &File) -> io::Result<Option<String>> {
    Ok(None)
}
