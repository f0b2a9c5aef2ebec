//! An export as a file: it is there when it is whole and on the disk, and readable by its owner alone. Or by way of one, to
//! whoever may read slowly.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use ports::directory::Tenant;
use ports::store::Store;
use ports::{Grant, Maintenance};
use tempfile::NamedTempFile;

use super::{Credentials, ExportError, Exported, WithPeople, export};
use crate::temporary_file::TemporaryWriter;

/// What becomes of a file that is where the export is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept, and the export fails.
    Kept,
    /// It is replaced when the export is whole.
    Replaced,
}

/// Exports the tenant to a file. It is written beside its place and put there at the end, so that a failed export leaves
/// what was there.
pub async fn export_to_file(
    store: &dyn Store,
    of: WithPeople<'_>,
    tenant: (&Grant<Maintenance>, &Tenant),
    credentials: Credentials,
    (path, existing): (&Path, Existing),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Exported, ExportError> {
    if existing == Existing::Kept && path.symlink_metadata().is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists).into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut out = BufWriter::with_capacity(1 << 18, NamedTempFile::new_in(folder)?);
    let exported = export(store, of, tenant, credentials, &mut out, progress).await?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    match existing {
        Existing::Kept => file.persist_noclobber(path),
        Existing::Replaced => file.persist(path),
    }
    .map_err(|refused| refused.error)?;
    // The name is on the disk only when the folder is.
    #[cfg(unix)]
    std::fs::File::open(folder)?.sync_all()?;
    Ok(exported)
}

/// Exports the tenant to whoever may read slowly, such as a pipe. It is written to a temporary file first: the snapshot has ended
/// before the first byte goes out, and a failed export writes none.
pub async fn export_to_reader(
    store: &dyn Store,
    of: WithPeople<'_>,
    tenant: (&Grant<Maintenance>, &Tenant),
    credentials: Credentials,
    out: &mut (impl Write + Send),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Exported, ExportError> {
    let mut kept = TemporaryWriter::begin().map_err(ExportError::Keep)?;
    let exported = export(store, of, tenant, credentials, &mut kept, progress).await;
    let exported = exported.map_err(|error| match error {
        ExportError::Write(cause) => ExportError::Keep(cause),
        other @ (ExportError::Store(_) | ExportError::Keep(_)) => other,
    })?;
    let mut file = kept.into_file().map_err(ExportError::Keep)?;
    io::copy(&mut file, out)?;
    out.flush()?;
    Ok(exported)
}
