//! Reading a backup, and finding out whether it is whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use domain::Digest;
use tar::{Archive, Entry};

use super::manifest::BackupManifest;
use super::{DIRECTORY_FILE, MANIFEST, SECRET_FILE, SUMS};
use crate::hashing::Hashing;

/// The most bytes of the manifest, and of the digests: more than a hundred thousand companies need.
const MOST_TEXT: u64 = 64 << 20;

/// Why a backup is refused; completes "`<file>` ...".
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// It cannot be read, or what is in it cannot be written elsewhere.
    #[error("cannot be read or unpacked")]
    Io(#[from] io::Error),
    /// It is none, was cut off, or was changed.
    #[error("{0}")]
    Refused(String),
}

fn refused<T>(detail: impl Into<String>) -> Result<T, BackupError> {
    Err(BackupError::Refused(detail.into()))
}

/// Reads a whole backup, and says what is in it. Nothing is kept.
pub fn check_backup(from: impl Read) -> Result<BackupManifest, BackupError> {
    read(from, |_| Ok(io::sink()))
}

/// Unpacks a backup into a folder, which must be there and empty, and says what is in it. After an error what was unpacked
/// is worth nothing.
pub fn unpack_backup(from: impl Read, folder: &Path) -> Result<BackupManifest, BackupError> {
    make_folder(&folder.join("tenants"))?;
    read(from, |name| new_file(&folder.join(name)))
}

fn read<W: Write>(from: impl Read, mut keep: impl FnMut(&str) -> io::Result<W>) -> Result<BackupManifest, BackupError> {
    let mut archive = Archive::new(from);
    let (mut digests, mut manifest, mut sums) = (BTreeMap::new(), None, None);
    for entry in archive.entries()? {
        let mut entry = entry.map_err(|error| BackupError::Refused(format!("is no backup of Tonne's: {error}")))?;
        let name = name(&entry)?;
        if sums.is_some() || digests.contains_key(&name) {
            return refused(format!("holds {name} where nothing more may come"));
        }
        let mut hashing = Hashing::new(&mut entry);
        match name.as_str() {
            MANIFEST => manifest = Some(text(&mut hashing)?),
            SUMS => {
                sums = Some(text(&mut hashing)?);
                continue;
            }
            member => {
                let mut out = keep(member)?;
                io::copy(&mut hashing, &mut out)?;
                out.flush()?;
            }
        }
        digests.insert(name, hashing.finish().1);
    }
    let (Some(manifest), Some(sums)) = (manifest, sums) else {
        return refused("is no whole backup of Tonne's: it was cut off, or is something else");
    };
    compare(&digests, &sums)?;
    let manifest: BackupManifest = serde_json::from_slice(&manifest)
        .map_err(|error| BackupError::Refused(format!("has a manifest that cannot be read: {error}")))?;
    if let Some(fault) = manifest.fault() {
        return refused(fault);
    }
    let there: BTreeSet<&str> = digests.keys().map(String::as_str).filter(|name| *name != MANIFEST).collect();
    if there != manifest.members() {
        return refused("does not hold what its manifest says");
    }
    Ok(manifest)
}

/// The name of a member, if it can be one of a backup's.
fn name<R: Read>(entry: &Entry<'_, R>) -> Result<String, BackupError> {
    let path = entry.path_bytes();
    let name = String::from_utf8_lossy(&path).into_owned();
    let is_records = |name: &str| {
        let slug = name.strip_prefix("tenants/").and_then(|file| file.rsplit_once('.'));
        slug.is_some_and(|(slug, end)| ports::TenantSlug::parse(slug).is_ok() && matches!(end, "db" | "tonne"))
    };
    let is_known = matches!(name.as_str(), DIRECTORY_FILE | SECRET_FILE | MANIFEST | SUMS) || is_records(&name);
    if !is_known || !entry.header().entry_type().is_file() {
        return refused(format!("is no backup of Tonne's: it holds {name:?}"));
    }
    Ok(name)
}

fn text(from: &mut impl Read) -> Result<Vec<u8>, BackupError> {
    let mut text = Vec::new();
    from.take(MOST_TEXT).read_to_end(&mut text)?;
    Ok(text)
}

/// Compares what was read with the last member.
fn compare(digests: &BTreeMap<String, Digest>, sums: &[u8]) -> Result<(), BackupError> {
    let listed: Vec<String> = String::from_utf8_lossy(sums).lines().map(str::to_owned).collect();
    for line in &listed {
        let Some((digest, name)) = line.split_once("  ") else { return refused("has digests that cannot be read") };
        match digests.get(name) {
            None => return refused(format!("lacks {name}")),
            Some(found) if found.to_string() != digest => {
                return refused(format!("was changed: {name} is not what it was when the backup was made"));
            }
            Some(_) => {}
        }
    }
    if listed.len() == digests.len() { Ok(()) } else { refused("holds something that its digests do not name") }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
