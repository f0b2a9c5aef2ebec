//! Files: what is accepted as a store, and what a store's file looks like.

use std::fs;

use ports::contract::sample;
use ports::directory::Directory as _;
use ports::store::{Store as _, StoreError};
use rusqlite::Connection;
use tempfile::TempDir;
use tonne_sqlite::{OpenError, SqliteDirectory, SqliteStore};

use crate::support::{Shop, by_hand, grant, installation, options, tenant};

/// Why the tenant cannot be prepared in a folder.
async fn refusal(folder: &TempDir) -> String {
    let store = SqliteStore::open(folder.path(), options());
    let StoreError::Failed(error) = store.prepare(&grant()).await.unwrap_err() else { unreachable!("fails") };
    error.to_string()
}

#[tokio::test]
async fn a_file_of_a_later_version_is_refused_and_left_as_it_is() {
    let Shop { store, folder } = Shop::open().await;
    let file = store.path_of(&tenant().to_string());
    drop(store);
    by_hand(&file, "PRAGMA user_version = 99");
    let before = fs::read(&file).unwrap();
    let refusal = refusal(&folder).await;
    assert!(refusal.contains("format 99") && refusal.contains("later version"), "{refusal}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn what_is_no_store_is_refused_and_left_as_it_is() {
    let foreign = {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("other.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE a (b); INSERT INTO a VALUES (1)").unwrap();
        fs::read(path).unwrap()
    };
    let mut torn = b"SQLite format 3\0".to_vec();
    torn.extend([7; 5000]);
    for content in [b"not a database".to_vec(), vec![0; 5000], torn, foreign] {
        let folder = TempDir::new().unwrap();
        let store = SqliteStore::open(folder.path(), options());
        let file = store.path_of(&tenant().to_string());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &content).unwrap();
        let refusal = refusal(&folder).await;
        assert!(refusal.contains("left as it is") || refusal.contains("cannot be opened"), "{refusal}");
        assert_eq!(fs::read(&file).unwrap(), content);
    }
}

#[tokio::test]
async fn a_tenant_that_is_attached_has_a_file_of_its_slug() {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(folder.path(), options());
    store.attach(tenant(), &ports::TenantSlug::parse("acme").unwrap());
    assert!(matches!(store.read(&grant().to_read()).await, Err(StoreError::Failed(_))), "nothing is made by reading");
    assert!(!folder.path().join("tenants").exists());
    store.prepare(&grant()).await.unwrap();
    assert!(folder.path().join("tenants/acme.db").is_file());
}

#[test]
fn a_directory_and_a_tenant_are_not_taken_for_each_other() {
    let folder = TempDir::new().unwrap();
    drop(SqliteDirectory::open(folder.path(), options()).unwrap());
    by_hand(&folder.path().join("directory.db"), "PRAGMA application_id = 1");
    let error = SqliteDirectory::open(folder.path(), options()).unwrap_err();
    assert!(matches!(error, OpenError::Foreign(_)), "{error}");
}

#[tokio::test]
async fn no_check_bounds_a_code_or_word_of_which_there_may_be_more() {
    let shop = Shop::open().await;
    let other = TempDir::new().unwrap();
    drop(SqliteDirectory::open(other.path(), options()).unwrap());
    for file in [shop.file(), other.path().join("directory.db")] {
        let schema = schema(&file);
        assert!(!schema.contains("BETWEEN") && !schema.contains("IN ('"), "{schema}");
    }
    by_hand(&shop.file(), "INSERT INTO removed (kind, id, change) VALUES (200, zeroblob(16), 1)");
    by_hand(&shop.file(), "INSERT INTO activity_use (kind, id, activities) VALUES (200, zeroblob(16), 1)");
}

#[tokio::test]
async fn the_final_schema_is_pinned() {
    let shop = Shop::open().await;
    let other = TempDir::new().unwrap();
    drop(SqliteDirectory::open(other.path(), options()).unwrap());
    insta::assert_snapshot!("tenant_schema", schema(&shop.file()));
    insta::assert_snapshot!("directory_schema", schema(&other.path().join("directory.db")));
}

/// The columns, references and indexes of every table, without the words of their migrations.
fn schema(file: &std::path::Path) -> String {
    let conn = Connection::open(file).unwrap();
    let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name";
    let mut statement = conn.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let tidy = |sql: String| {
        let lines = sql.lines().map(|line| line.split("--").next().unwrap_or("").trim()).collect::<Vec<_>>().join(" ");
        lines.split_whitespace().collect::<Vec<_>>().join(" ").replace(", ", ",\n    ")
    };
    rows.map(|sql| tidy(sql.unwrap())).collect::<Vec<_>>().join("\n\n")
}

#[cfg(unix)]
#[tokio::test]
async fn what_was_written_while_the_file_was_replaced_is_not_committed() {
    let shop = Shop::open().await;
    let (file, aside) = (shop.file(), shop.folder.path().join("aside.db"));
    let mut write = shop.write().await;
    write.products_mut().add(sample::product(1)).await.unwrap();
    std::fs::rename(&file, &aside).unwrap();
    std::fs::copy(&aside, &file).unwrap();
    let refused = write.commit().await.unwrap_err().to_string();
    let cause = |error: StoreError| std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(!refused.is_empty());
    let reading = shop.store.read(&grant().to_read()).await;
    assert!(cause(reading.err().unwrap()).contains("was moved, removed or replaced"));
    // A reader that would be opened now is not kept for later.
    std::fs::rename(&aside, &file).unwrap();
    assert_eq!(shop.store.head(&grant().to_read()).await.unwrap().number, 0);
    let mut write = shop.write().await;
    write.products_mut().add(sample::product(1)).await.unwrap();
    assert_eq!(write.commit().await.unwrap().number, 1);
    assert!(shop.findings().await.is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_was_replaced_while_it_was_closed_is_not_opened_again() {
    let folder = TempDir::new().unwrap();
    let directory = std::sync::Arc::new(SqliteDirectory::open(folder.path(), options()).unwrap());
    directory.add_tenant(&installation(), sample::tenant(1, "acme")).await.unwrap();
    let store = SqliteStore::open(folder.path(), options()).with_directory(directory);
    store.prepare(&grant()).await.unwrap();
    for _ in 0..2 {
        store.close_unused().await.unwrap();
    }
    let file = store.path_of("acme");
    std::fs::copy(&file, folder.path().join("copy.db")).unwrap();
    std::fs::rename(folder.path().join("copy.db"), &file).unwrap();
    assert!(store.head(&grant().to_read()).await.is_err(), "the log beside it may be another file's");
}

#[cfg(unix)]
#[tokio::test]
async fn a_directory_that_was_replaced_or_removed_is_neither_written_nor_read() {
    for is_replaced in [true, false] {
        let folder = TempDir::new().unwrap();
        let directory = SqliteDirectory::open(folder.path(), options()).unwrap();
        directory.add_tenant(&installation(), sample::tenant(1, "acme")).await.unwrap();
        let before = directory.version().await.unwrap();
        let (file, aside) = (folder.path().join("directory.db"), folder.path().join("aside.db"));
        fs::rename(&file, &aside).unwrap();
        if is_replaced {
            fs::copy(&aside, &file).unwrap();
        }
        let written = directory.add_tenant(&installation(), sample::tenant(2, "other")).await.unwrap_err();
        let read = directory.version().await.unwrap_err();
        for refused in [written, read] {
            let StoreError::Failed(error) = refused else { unreachable!("{refused} is not why") };
            assert!(error.to_string().contains("directory.db was moved, removed or replaced"), "{error}");
        }
        fs::rename(&aside, &file).unwrap();
        assert_eq!(directory.version().await.unwrap(), before, "nothing was written into the file that was moved");
        directory.add_tenant(&installation(), sample::tenant(2, "other")).await.unwrap();
        assert_eq!(directory.verify(&installation()).await.unwrap().findings, []);
    }
}

#[tokio::test]
async fn a_company_that_was_removed_and_imported_again_is_read_from_its_new_file() {
    let folder = TempDir::new().unwrap();
    let directory = std::sync::Arc::new(SqliteDirectory::open(folder.path(), options()).unwrap());
    let here = || SqliteStore::open(folder.path(), options()).with_directory(directory.clone());
    let (server, command) = (here(), here());
    let listed = sample::tenant(1, "acme");
    directory.add_tenant(&installation(), listed.clone()).await.unwrap();
    server.prepare(&grant()).await.unwrap();
    for _ in 0..2 {
        server.close_unused().await.unwrap();
    }
    directory.remove_tenant(&grant()).await.unwrap();
    command.remove(&grant(), 0).await.unwrap();
    command.create_file(tenant(), &listed.slug).await.unwrap();
    let again = ports::directory::Tenant { epoch: sample::uuid(99), ..listed };
    directory.add_tenant(&installation(), again).await.unwrap();
    assert_eq!(server.head(&grant().to_read()).await.unwrap().number, 0);
}
