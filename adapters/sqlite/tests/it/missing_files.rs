//! What is gone is not made anew, what belongs elsewhere is refused, and what is closed is whole.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use ports::TenantSlug;
use ports::contract::sample;
use ports::directory::{Directory as _, Tenant};
use ports::store::{Store as _, StoreError};
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;
use tonne_sqlite::{OpenError, ServeLock, SqliteDirectory, SqliteStore};

use crate::support::{grant, installation, options, tenant};

fn slug() -> TenantSlug {
    TenantSlug::parse("acme").unwrap()
}

/// A store with the tenant attached under its slug.
fn store(folder: &Path) -> SqliteStore {
    let store = SqliteStore::open(folder, options());
    store.attach(tenant(), &slug());
    store
}

/// A folder whose tenant has one record, and its file; nobody has it open.
async fn filled() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let store = store(folder.path());
    store.create_file(tenant(), &slug()).await.unwrap();
    add_product(&store, 1).await;
    let file = store.path_of("acme");
    (folder, file)
}

async fn add_product(store: &SqliteStore, number: u64) {
    let mut write = store.write(&grant().to_write(), sample::intent()).await.unwrap();
    write.products_mut().add(sample::product(number)).await.unwrap();
    write.commit().await.unwrap();
}

fn reason(error: StoreError) -> String {
    let StoreError::Failed(error) = error else { unreachable!("{error} is not why a file is refused") };
    error.to_string()
}

#[tokio::test]
async fn a_known_tenants_file_that_is_gone_or_empty_is_not_made_anew() {
    for emptied in [false, true] {
        let (folder, file) = filled().await;
        fs::remove_file(&file).unwrap();
        if emptied {
            fs::write(&file, "").unwrap();
        }
        let told = reason(store(folder.path()).check(tenant()).await.unwrap_err());
        assert!(told.ends_with("restore it from a backup") && told.contains("acme.db is missing or empty"), "{told}");
        assert_eq!(fs::metadata(&file).map(|metadata| metadata.len()).ok(), emptied.then_some(0));
        // The lock files of whoever wrote before stay.
        let names = file.parent().unwrap().read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let made: Vec<_> =
            names.filter(|name| !["acme.db-next", "acme.db-turn"].map(OsStr::new).contains(&&**name)).collect();
        assert_eq!(made.len(), usize::from(emptied), "{made:?}");
    }
}

#[tokio::test]
async fn a_lost_directory_is_not_made_anew_beside_tenants() {
    for emptied in [false, true] {
        let (folder, _) = filled().await;
        let file = folder.path().join("directory.db");
        if emptied {
            fs::write(&file, "").unwrap();
        }
        let error = SqliteDirectory::open(folder.path(), options()).unwrap_err();
        assert!(matches!(&error, OpenError::Lost(path) if *path == file), "{error}");
        assert_eq!(fs::metadata(&file).map(|metadata| metadata.len()).ok(), emptied.then_some(0));
    }
}

#[tokio::test]
async fn the_file_of_a_try_that_got_no_further_is_taken_over() {
    let folder = TempDir::new().unwrap();
    let store = store(folder.path());
    assert_eq!(store.create_file(sample::id(7), &slug()).await.unwrap(), sample::id(7));
    assert_eq!(store.create_file(sample::id(8), &slug()).await.unwrap(), sample::id(7));
    let empty = TempDir::new().unwrap();
    fs::create_dir(empty.path().join("tenants")).unwrap();
    fs::write(empty.path().join("tenants/acme.db"), "").unwrap();
    let store = SqliteStore::open(empty.path(), options());
    assert_eq!(store.create_file(sample::id(8), &slug()).await.unwrap(), sample::id(8));
}

#[tokio::test]
async fn records_that_the_directory_does_not_know_are_not_taken_over() {
    let (folder, file) = filled().await;
    let before = fs::read(&file).unwrap();
    let told = reason(store(folder.path()).create_file(sample::id(8), &slug()).await.unwrap_err());
    assert!(told.contains("directory.db knows no such company"), "{told}");
    assert!(fs::read(&file).unwrap() == before);
}

#[tokio::test]
async fn another_tenants_file_is_refused() {
    let (folder, _) = filled().await;
    let store = SqliteStore::open(folder.path(), options());
    store.attach(sample::id(2), &slug());
    let told = reason(store.check(sample::id(2)).await.unwrap_err());
    assert!(told.contains("another company") && told.contains(&tenant().to_string()), "{told}");
}

/// Whether a file is whole by itself: without a log, and readable without one.
fn whole(file: &Path) -> bool {
    let beside = |end: &str| PathBuf::from(format!("{}{end}", file.display())).exists();
    let copy = TempDir::new().unwrap();
    let path = copy.path().join("copy.db");
    fs::copy(file, &path).unwrap();
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let changes: u64 = conn.query_row("SELECT count(*) FROM change", [], |row| row.get(0)).unwrap();
    !beside("-wal") && !beside("-shm") && changes > 0
}

#[tokio::test]
async fn closing_leaves_files_that_are_whole_and_ends_all_use() {
    let folder = TempDir::new().unwrap();
    let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    let entry = Tenant {
        id: tenant(),
        slug: slug(),
        name: sample::name("Acme"),
        created: sample::at(0),
        epoch: sample::uuid(1),
        year_start: domain::YearStart::default(),
        statement: domain::StatementSettings::default(),
    };
    directory.add_tenant(&installation(), entry).await.unwrap();
    let store = store(folder.path());
    store.create_file(tenant(), &slug()).await.unwrap();
    add_product(&store, 1).await;
    drop(store.read(&grant().to_read()).await.unwrap());
    store.close().await;
    directory.close().await;
    assert!(whole(&folder.path().join("directory.db")) && whole(&store.path_of("acme")));
    assert!(reason(store.read(&grant().to_read()).await.err().unwrap()).contains("closed"));
    assert!(reason(store.write(&grant().to_write(), sample::intent()).await.err().unwrap()).contains("closed"));
    assert!(reason(directory.version().await.unwrap_err()).contains("closed"));
    assert!(reason(directory.sweep(&installation(), sample::at(0)).await.unwrap_err()).contains("closed"));
}

#[tokio::test]
async fn a_store_that_is_dropped_leaves_a_whole_file() {
    let (folder, file) = filled().await;
    assert!(whole(&file));
    let store = store(folder.path());
    add_product(&store, 2).await;
    drop(store.read(&grant().to_read()).await.unwrap());
    assert!(!whole(&file), "what was written last is not in the file yet");
    drop(store);
    assert!(whole(&file));
}

#[tokio::test]
async fn closing_leaves_the_log_to_who_still_uses_it() {
    let (folder, file) = filled().await;
    let other = store(folder.path());
    add_product(&other, 2).await;
    let store = store(folder.path());
    add_product(&store, 3).await;
    store.close().await;
    add_product(&other, 4).await;
    other.close().await;
    assert!(whole(&file));
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_made_for_their_owner_alone_in_a_folder_that_others_may_enter() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let _lock = ServeLock::take(folder.path()).unwrap();
    let _directory = SqliteDirectory::open(folder.path(), options()).unwrap();
    let store = store(folder.path());
    store.create_file(tenant(), &slug()).await.unwrap();
    add_product(&store, 1).await;
    let mode = |name: &str| folder.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(""), mode("tenants")), (0o755, 0o700));
    for name in ["serve.lock", "directory.db", "directory.db-wal", "directory.db-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    for name in ["tenants/acme.db", "tenants/acme.db-wal", "tenants/acme.db-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
}
