//! Looking at files leaves them as they are, whatever is found.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use domain::Digest;
use ports::TenantSlug;
use ports::contract::sample;
use ports::directory::{Directory as _, Tenant};
use ports::store::{Store as _, StoreError, Verification};
use tempfile::TempDir;
use tonne_sqlite::{Access, Inspection, Options, SqliteDirectory, SqliteStore};

use crate::support::{by_hand, grant, installation, options, tenant};

fn slug() -> TenantSlug {
    TenantSlug::parse("acme").unwrap()
}

fn entry() -> Tenant {
    Tenant {
        id: tenant(),
        slug: slug(),
        name: sample::name("Acme"),
        created: sample::at(0),
        epoch: sample::uuid(1),
        year_start: domain::YearStart::default(),
        statement: domain::StatementSettings::default(),
    }
}

/// A folder with a directory and a tenant that has a record, both still open.
async fn filled() -> (TempDir, SqliteDirectory, SqliteStore) {
    let folder = TempDir::new().unwrap();
    let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    directory.add_tenant(&installation(), entry()).await.unwrap();
    let store = SqliteStore::open(folder.path(), options());
    store.attach(tenant(), &slug());
    store.prepare(&grant()).await.unwrap();
    let mut write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
    write.products_mut().add(sample::product(1)).await.unwrap();
    write.commit().await.unwrap();
    (folder, directory, store)
}

/// The files of such a folder that nobody has open, with all they hold or as a crash would leave them.
async fn left(whole: bool) -> TempDir {
    let (folder, _directory, _store) = filled().await;
    let copy = TempDir::new().unwrap();
    fs::create_dir(copy.path().join("tenants")).unwrap();
    for name in ["directory.db", "tenants/acme.db"] {
        if whole {
            by_hand(&folder.path().join(name), "PRAGMA wal_checkpoint(TRUNCATE)");
        } else {
            let log = format!("{name}-wal");
            fs::copy(folder.path().join(&log), copy.path().join(log)).unwrap();
        }
        fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    copy
}

/// The digest of each file's content but those that SQLite shares memory by, and without empty ones.
fn content(folder: &Path) -> BTreeMap<String, Digest> {
    let mut files = BTreeMap::new();
    for below in [folder.to_owned(), folder.join("tenants")] {
        for entry in fs::read_dir(below).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.path().is_file() && !name.ends_with("-shm") && entry.metadata().unwrap().len() > 0 {
                files.insert(name, Digest::of(&fs::read(entry.path()).unwrap()));
            }
        }
    }
    files
}

async fn look(folder: &Path) -> Result<(Verification, Verification), StoreError> {
    let files = Inspection::new(folder, options());
    Ok((files.verify_directory().await?, files.verify_tenant(&entry()).await?))
}

/// Why the folder is refused; nothing of it may change by that.
async fn refusal(folder: &Path) -> String {
    let before = content(folder);
    let StoreError::Failed(error) = look(folder).await.unwrap_err() else { unreachable!("fails") };
    assert_eq!(content(folder), before);
    error.to_string()
}

#[tokio::test]
async fn files_are_checked_and_stay_as_they_are_beside_who_writes_them() {
    let (folder, _directory, _store) = filled().await;
    let before = content(folder.path());
    assert!(before.contains_key("acme.db-wal"), "what was written last is not in the file yet");
    let (of_directory, of_tenant) = look(folder.path()).await.unwrap();
    assert_eq!((of_directory.findings, of_tenant.findings), (vec![], vec![]));
    assert_eq!((of_directory.records, of_tenant.records), (1, 1));
    assert_eq!(content(folder.path()), before);
}

#[tokio::test]
async fn what_nobody_has_open_is_read_and_stays_as_it_is_even_after_a_crash() {
    for (whole, files) in [(true, 2), (false, 4)] {
        let folder = left(whole).await;
        let before = content(folder.path());
        assert_eq!(before.len(), files);
        let (of_directory, of_tenant) = look(folder.path()).await.unwrap();
        assert_eq!((of_directory.findings, of_tenant.findings), (vec![], vec![]));
        assert_eq!((of_directory.records, of_tenant.records), (1, 1));
        assert_eq!(content(folder.path()), before);
    }
}

#[tokio::test]
async fn another_format_is_refused_and_left_as_it_is() {
    let cases = [
        ("PRAGMA user_version = 99", "format 99"),
        ("PRAGMA user_version = 0", "not a file of Tonne's"),
        ("PRAGMA application_id = 7", "not a file of Tonne's"),
    ];
    for (statement, expected) in cases {
        for file in ["directory.db", "tenants/acme.db"] {
            let folder = left(true).await;
            by_hand(&folder.path().join(file), statement);
            let told = refusal(folder.path()).await;
            assert!(told.contains(expected), "{file}: {told}");
        }
    }
}

#[tokio::test]
async fn what_is_absent_is_not_made() {
    let folder = TempDir::new().unwrap();
    let files = Inspection::new(&folder.path().join("nowhere"), options());
    let StoreError::Failed(error) = files.verify_directory().await.unwrap_err() else { unreachable!("fails") };
    assert!(error.to_string().ends_with("directory.db does not exist"), "{error}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    let folder = left(true).await;
    fs::remove_file(folder.path().join("tenants/acme.db")).unwrap();
    assert!(refusal(folder.path()).await.ends_with("acme.db does not exist"));
    fs::write(folder.path().join("tenants/acme.db"), b"").unwrap();
    assert!(refusal(folder.path()).await.contains("not a file of Tonne's"));
    assert_eq!(fs::metadata(folder.path().join("tenants/acme.db")).unwrap().len(), 0);
}

#[tokio::test]
async fn the_records_of_another_tenant_are_found() {
    let folder = left(true).await;
    let files = Inspection::new(folder.path(), options());
    let other = Tenant { id: sample::id(2), ..entry() };
    let findings = files.verify_tenant(&other).await.unwrap().findings;
    let told: Vec<_> = findings.iter().map(|finding| (finding.subject.as_str(), finding.detail.as_str())).collect();
    assert!(matches!(told[..], [("head", detail)] if detail.contains("another company")), "{told:?}");
}

/// As in a folder that may not be written: what SQLite shares memory by cannot be made.
#[cfg(unix)]
fn forbid(folder: &Path) {
    for name in ["directory.db-shm", "tenants/acme.db-shm"] {
        std::os::unix::fs::symlink("nowhere", folder.join(name)).unwrap();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn files_in_a_folder_that_may_not_be_written_are_checked_where_they_are_whole() {
    let folder = left(true).await;
    forbid(folder.path());
    let before = content(folder.path());
    let (of_directory, of_tenant) = look(folder.path()).await.unwrap();
    assert_eq!((of_directory.findings, of_tenant.findings), (vec![], vec![]));
    assert_eq!((of_directory.records, of_tenant.records), (1, 1));
    assert_eq!(content(folder.path()), before);

    let folder = left(false).await;
    forbid(folder.path());
    let told = refusal(folder.path()).await;
    assert!(told.contains("directory.db has a log (-wal)") && told.contains("copy both"), "{told}");
}

/// Writes a folder where it may be written, past what forbids it here.
#[cfg(unix)]
fn write_elsewhere(folder: &Path) {
    let (file, shared) = (folder.join("tenants/acme.db"), folder.join("tenants/acme.db-shm"));
    fs::remove_file(&shared).unwrap();
    by_hand(&file, "CREATE TABLE other (x INTEGER); PRAGMA wal_checkpoint(TRUNCATE)");
    let _ = fs::remove_file(&shared);
    std::os::unix::fs::symlink("nowhere", shared).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_somebody_changes_where_nobody_may_is_read_no_further() {
    let folder = left(true).await;
    forbid(folder.path());
    let options = Options { access: Access::Read, ..options() };
    let directory = SqliteDirectory::open(folder.path(), options.clone()).unwrap();
    let store = SqliteStore::open(folder.path(), options).with_directory(Arc::new(directory));
    let mut read = store.read(&grant().to_read()).await.unwrap();
    read.products().find(sample::id(1)).await.unwrap();
    write_elsewhere(folder.path());
    let refused = read.products().find(sample::id(1)).await.unwrap_err();
    assert!(
        matches!(&refused, StoreError::Failed(error) if error.to_string().contains("was changed while")),
        "{refused:?}"
    );
    drop(read);
    let refused = store.read(&grant().to_read()).await.err().unwrap();
    assert!(
        matches!(&refused, StoreError::Failed(error) if error.to_string().contains("was changed while")),
        "{refused:?}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_store_that_is_opened_to_be_read_works_where_nothing_may_be_written_and_writes_nothing() {
    let folder = left(true).await;
    forbid(folder.path());
    let before = content(folder.path());
    let refused = SqliteDirectory::open(folder.path(), options()).unwrap_err();
    assert!(refused.is_write_refused(), "{refused}");
    let options = Options { access: Access::Read, ..options() };
    let directory = SqliteDirectory::open(folder.path(), options.clone()).unwrap();
    assert_eq!(directory.find_tenant(&slug()).await.unwrap(), Some(entry()));
    let store = SqliteStore::open(folder.path(), options).with_directory(Arc::new(directory));
    let mut read = store.read(&grant().to_read()).await.unwrap();
    assert_eq!(read.products().find(sample::id(1)).await.unwrap().map(|stored| stored.value), Some(sample::product(1)));
    drop(read);
    let write = store.write(&grant().to_write(), sample::intent()).await;
    assert!(matches!(write.err(), Some(StoreError::Failed(error)) if error.to_string().contains("read alone")));
    let directory = SqliteDirectory::open(folder.path(), Options { access: Access::Read, ..self::options() }).unwrap();
    let sweep = directory.sweep(&installation(), sample::at(0)).await;
    assert!(matches!(sweep.err(), Some(StoreError::Failed(error)) if error.to_string().contains("read alone")));
    store.close().await;
    assert_eq!(content(folder.path()), before);
}
