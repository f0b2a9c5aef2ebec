//! Copies of a data folder's files for a backup: each is one snapshot, whole without its `-wal`, and checked.

use std::path::Path;

use ports::ChainHead;
use ports::directory::{DirectoryHead, Tenant};
use ports::store::{StoreError, Verification};
use rusqlite::Connection;

use crate::directory;
use crate::error::{StoreErr as _, failed};
use crate::file::open_as_is;
use crate::inspection::Inspection;
use crate::migration::{DIRECTORY, Format, TENANT};
use crate::options::Options;
use crate::session::read_head;
use crate::thread::blocking;
use crate::verify;

/// The copy of a tenant's file.
#[derive(Clone, Debug)]
pub struct TenantCopy {
    /// Where the change chain ends in the copy.
    pub head: ChainHead,
    /// What checking the copy found.
    pub found: Verification,
}

/// The copy of the directory's file.
#[derive(Clone, Debug)]
pub struct DirectoryCopy {
    /// Where the change chain ends in the copy.
    pub head: DirectoryHead,
    /// The tenants that the copy knows, by slug.
    pub tenants: Vec<Tenant>,
    /// What checking the copy found.
    pub found: Verification,
}

impl Inspection {
    /// Copies a tenant's records to a file that is not there yet. Servers and commands may write meanwhile.
    pub async fn copy_tenant(&self, tenant: &Tenant, to: &Path) -> Result<TenantCopy, StoreError> {
        let (id, from, to, options) =
            (tenant.id, self.tenant_file(&tenant.slug), to.to_owned(), self.options().clone());
        blocking(move || {
            copy(&from, &to, &TENANT, &options)?;
            let head = read_head(open_as_is(&to, &TENANT, &options)?.conn())?.head;
            let found = verify::tenant(|| Ok(open_as_is(&to, &TENANT, &options)?.into_parts().0), id)?;
            Ok(TenantCopy { head, found })
        })
        .await
    }

    /// Copies the directory to a file that is not there yet.
    pub async fn copy_directory(&self, to: &Path) -> Result<DirectoryCopy, StoreError> {
        let (from, to, options) = (self.directory_file(), to.to_owned(), self.options().clone());
        blocking(move || {
            copy(&from, &to, &DIRECTORY, &options)?;
            let look = open_as_is(&to, &DIRECTORY, &options)?;
            let conn = look.conn();
            let (head, tenants) = (directory::head(conn)?, directory::tenant::list(conn)?);
            let found = directory::verify::directory(conn)?;
            Ok(DirectoryCopy { head, tenants, found })
        })
        .await
    }
}

/// Copies a file as it is in one snapshot. SQLite's own way of copying page by page begins again whenever another process
/// commits; this one does not.
fn copy(from: &Path, to: &Path, format: &'static Format, options: &Options) -> Result<(), StoreError> {
    let look = open_as_is(from, format, options)?;
    look.end(vacuum_into(look.conn(), to))
}

fn vacuum_into(conn: &Connection, to: &Path) -> Result<(), StoreError> {
    let name = to.to_str().ok_or_else(|| failed(format!("the name of {} is not in UTF-8", to.display())))?;
    conn.execute("VACUUM INTO ?", [name]).map(drop).store_err()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
    use std::thread;

    use ports::contract::sample::{SampleClock, SampleIds};
    use tempfile::TempDir;

    use super::*;
    use crate::file::{Absent, open_writer};

    #[test]
    fn a_copy_beside_commits_without_pause_ends_and_holds_all_up_to_one_of_them() {
        let folder = TempDir::new().unwrap();
        let (from, to) = (folder.path().join("from.db"), folder.path().join("to.db"));
        let options = Options::new(SampleClock::shared(), SampleIds::shared());
        let writer = open_writer(&from, &TENANT, Absent::Make, &options).unwrap();
        let tables = "CREATE TABLE bulk (bytes BLOB) STRICT; CREATE TABLE entry (number INTEGER PRIMARY KEY) STRICT; \
                      CREATE TABLE newest (number INTEGER) STRICT; INSERT INTO newest VALUES (0)";
        writer.execute_batch(tables).unwrap();
        for _ in 0..20 {
            writer.execute("INSERT INTO bulk VALUES (randomblob(1000000))", []).unwrap();
        }
        let (newest, is_over) = (AtomicI64::new(0), AtomicBool::new(false));
        let (counter, end) = (&newest, &is_over);
        let (before, copied) = thread::scope(|scope| {
            let writing = scope.spawn(move || {
                for number in 1.. {
                    if end.load(Ordering::SeqCst) {
                        break;
                    }
                    let step = format!(
                        "BEGIN IMMEDIATE; INSERT INTO entry VALUES ({number}); UPDATE newest SET number = {number}; COMMIT"
                    );
                    writer.execute_batch(&step).unwrap();
                    counter.store(number, Ordering::SeqCst);
                }
            });
            while counter.load(Ordering::SeqCst) == 0 && !writing.is_finished() {
                thread::yield_now();
            }
            let before = counter.load(Ordering::SeqCst);
            let copied = copy(&from, &to, &TENANT, &options);
            end.store(true, Ordering::SeqCst);
            (before, copied)
        });
        copied.unwrap();
        let look = open_as_is(&to, &TENANT, &options).unwrap();
        let number = |query| look.conn().query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
        let held = number("SELECT number FROM newest");
        assert_eq!((number("SELECT count(*) FROM entry"), number("SELECT max(number) FROM entry")), (held, held));
        assert!((before..=newest.load(Ordering::SeqCst)).contains(&held), "{before}, {held}");
    }
}
