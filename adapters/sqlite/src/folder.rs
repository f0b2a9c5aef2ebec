//! The tenants' files in a data folder: which there are, how one is made for a new tenant, and how it goes.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ports::store::StoreError;
use ports::{TenantId, TenantSlug};
use rusqlite::Connection;

use crate::error::{OpenError, StoreErr as _, of_commit};
use crate::file::{Absent, open_another_writer, open_reader, open_writer};
use crate::migration::TENANT;
use crate::options::Options;
use crate::owner::Owner;
use crate::private;
use crate::queue::Queue;
use crate::session::{make_head, mark_removed, read_head};

/// The file of the tenant of that slug below a data folder.
pub(crate) fn tenant_file(folder: &Path, slug: &str) -> PathBuf {
    folder.join("tenants").join(format!("{slug}.db"))
}

/// The tenants' files below a data folder.
pub(crate) fn tenant_files(folder: &Path) -> Result<Vec<PathBuf>, OpenError> {
    let tenants = folder.join("tenants");
    let io = |cause| OpenError::Io { path: tenants.clone(), cause };
    let entries = match fs::read_dir(&tenants) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(io(cause)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "db") {
            files.push(path);
        }
    }
    Ok(files)
}

/// Opens a tenant's file to write in it; a new one becomes that tenant's.
pub(crate) fn open_with_head(
    path: &Path,
    absent: Absent,
    tenant: TenantId,
    options: &Options,
) -> Result<Connection, OpenError> {
    let conn = open_writer(path, &TENANT, absent, options)?;
    let epoch = options.ids.random();
    make_head(&conn, tenant, epoch).map_err(|cause| OpenError::Sqlite { path: path.to_owned(), cause })?;
    Ok(conn)
}

/// Makes the file of a tenant that the directory does not know yet, and says whose it is: that tenant's, or that of an
/// earlier try that got no further. A file that holds records is refused; one whose removal got no further goes now.
pub(crate) fn create_file(
    folder: &Path,
    slug: &TenantSlug,
    tenant: TenantId,
    options: &Options,
) -> Result<TenantId, StoreError> {
    let _turn = turn(folder)?;
    let path = tenant_file(folder, slug.as_str());
    let row = read_head(&open_with_head(&path, Absent::Make, tenant, options)?)?;
    if row.is_removed() {
        unlink(&path)?;
        return Ok(read_head(&open_with_head(&path, Absent::Make, tenant, options)?)?.tenant);
    }
    if row.head.number > 0 { Err(OpenError::Unlisted(path).into()) } else { Ok(row.tenant) }
}

/// Removes the file, if it holds the owner's records and their newest change has that number. Whoever has it open cannot
/// read or write in it any more.
pub(crate) fn remove(folder: &Path, owner: &Owner, number: u64, options: &Options) -> Result<(), StoreError> {
    let _turn = turn(folder)?;
    let conn = match open_another_writer(&owner.path, &TENANT, options) {
        Ok(conn) => conn,
        Err(OpenError::Lost(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    // From here on others that write wait; then they find the file given up. An error undoes it with the connection.
    let queue = Queue::of(&owner.path);
    queue.begin(&conn, options.wait).store_err()?;
    let row = read_head(&conn)?;
    if row.is_removed() {
        drop(conn);
        return Ok(unlink(&owner.path)?);
    }
    if row.tenant != owner.id {
        return Ok(());
    }
    if row.head.number != number {
        return Err(StoreError::Stale);
    }
    mark_removed(&conn)?;
    conn.execute_batch("COMMIT").map_err(of_commit)?;
    drop(conn);
    Ok(unlink(&owner.path)?)
}

/// The file below a data folder that holds the records of the tenant, whatever its name.
pub(crate) fn search(folder: &Path, tenant: TenantId, options: &Options) -> Result<Option<PathBuf>, StoreError> {
    for path in tenant_files(folder)? {
        // What cannot be read holds no records of a tenant.
        let head = open_reader(&path, options).store_err().and_then(|conn| read_head(&conn));
        if head.is_ok_and(|row| row.tenant == tenant) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Files of tenants are made and removed one at a time: so that nobody removes what is beside another's new file.
fn turn(folder: &Path) -> Result<File, OpenError> {
    let path = folder.join("tenants.lock");
    let io = |cause| OpenError::Io { path: path.clone(), cause };
    private::make_folder(folder).map_err(io)?;
    let file = private::open_or_make(&path).map_err(io)?;
    file.lock().map_err(io)?;
    Ok(file)
}

/// Removes a file and what stands beside it.
fn unlink(path: &Path) -> Result<(), OpenError> {
    for end in ["", "-wal", "-shm", "-next", "-turn"] {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        match fs::remove_file(&name) {
            Ok(()) => {}
            Err(cause) if cause.kind() == ErrorKind::NotFound => {}
            Err(cause) => return Err(OpenError::Io { path: name.into(), cause }),
        }
    }
    Ok(())
}
