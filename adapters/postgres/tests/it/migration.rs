//! How a database comes to its format, and how nodes of different versions share it.

use ports::contract::sample;
use ports::repo::ActivityWrite;
use ports::store::Store as _;
use tonne_postgres::{Database, OpenError, Options, PostgresStore, STEPS, Sql, Step, script};

use crate::database_users::DatabaseWithUsers;
use crate::harness::{Fresh, grant, options, reading, writing};

/// The steps of a version after this one, with one more.
pub(crate) fn later(needs: i32, sql: &'static str) -> &'static [Step] {
    with(needs, Sql::Together(sql))
}

/// The same with a step that runs so.
pub(crate) fn with(needs: i32, sql: Sql) -> &'static [Step] {
    let number = STEPS.last().unwrap().number + 1;
    let mut steps = STEPS.to_vec();
    steps.push(Step { number, name: "tenant/9999_later", needs, sql });
    steps.leak()
}

/// A node of that version.
pub(crate) async fn open(database: &DatabaseWithUsers, steps: &'static [Step]) -> Result<Database, OpenError> {
    Database::open(Options { steps, ..options(database.url()) }).await
}

/// What a database's tables, policies and rights are.
pub(crate) async fn format(database: &DatabaseWithUsers) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for query in [
        "SELECT table_schema, table_name, column_name, data_type, is_nullable, collation_name, numeric_precision::text \
         FROM information_schema.columns WHERE table_schema LIKE 'tonne%' ORDER BY 1, 2, ordinal_position",
        "SELECT schemaname, indexname, indexdef FROM pg_indexes WHERE schemaname LIKE 'tonne%' ORDER BY 1, 2",
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(pg_constraint.oid) FROM pg_constraint \
         JOIN pg_namespace ON pg_namespace.oid = connamespace WHERE nspname LIKE 'tonne%' ORDER BY 1, 2",
        "SELECT * FROM pg_policies ORDER BY tablename",
        "SELECT table_schema, table_name, privilege_type FROM information_schema.table_privileges \
         WHERE grantee = 'tonne_app' ORDER BY 1, 2, 3",
        "SELECT table_schema, table_name, privilege_type FROM information_schema.table_privileges \
         WHERE grantee = 'tonne_directory' ORDER BY 1, 2, 3",
        "SELECT number, name, needs FROM tonne_directory.migration ORDER BY 1",
    ] {
        rows.extend(database.rows(query).await);
    }
    rows
}

#[tokio::test]
async fn the_printed_script_makes_what_migrating_makes() {
    let mut printed = DatabaseWithUsers::of(Fresh::bare().await);
    printed.run(&script()).await;
    let migrated = DatabaseWithUsers::of(Fresh::migrated().await);
    assert_eq!(format(&printed).await, format(&migrated).await);

    let user = printed.user("").await;
    printed.run(&format!("GRANT tonne_app, tonne_directory TO {user}")).await;
    Database::open(options(printed.url_of(&user))).await.unwrap();
    Database::open(options(printed.url())).await.unwrap();
}

#[tokio::test]
async fn a_look_at_a_database_changes_nothing_in_it() {
    let bare = DatabaseWithUsers::of(Fresh::bare().await);
    let error = Database::inspect(options(bare.url())).await.unwrap_err();
    assert!(matches!(&error, OpenError::Unmigrated(_)), "{error}");
    assert_eq!(bare.text("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'tonne%'").await, "0");

    let migrated = DatabaseWithUsers::of(Fresh::migrated().await);
    Database::inspect(options(migrated.url())).await.unwrap();
    let steps = later(2, "ALTER TABLE tonne.product ADD extra text;");
    let error = Database::inspect(Options { steps, ..options(migrated.url()) }).await.unwrap_err();
    assert!(matches!(&error, OpenError::Unmigrated(name) if name == "tenant/9999_later"), "{error}");
    migrated.run("REVOKE SELECT ON tonne.activity FROM tonne_app").await;
    let error = Database::inspect(options(migrated.url())).await.unwrap_err();
    assert!(matches!(&error, OpenError::Lack { .. }), "{error}");
}

#[tokio::test]
async fn a_step_that_fails_leaves_an_empty_database_empty() {
    let database = DatabaseWithUsers::of(Fresh::bare().await);
    let broken = later(2, "CREATE TABLE tonne.later (tenant_id uuid); SELECT 1 / 0;");
    let error = open(&database, broken).await.unwrap_err();
    assert_eq!(error.to_string(), "the database cannot be prepared: tenant/9999_later");
    assert_eq!(database.text("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'tonne%'").await, "0");
}

#[tokio::test]
async fn a_step_that_fails_leaves_a_database_as_it_was() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let before = format(&database).await;
    let broken = later(2, "ALTER TABLE tonne.product ADD extra text; SELECT 1 / 0;");
    open(&database, broken).await.unwrap_err();
    assert_eq!(format(&database).await, before);
    open(&database, STEPS).await.unwrap();
}

#[tokio::test]
async fn a_node_works_beside_a_later_one_that_only_added() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    open(&database, later(2, "ALTER TABLE tonne.product ADD extra text;")).await.unwrap();
    open(&database, STEPS).await.unwrap();
    let mut other = database;
    let user = other.user("").await;
    other.run(&format!("GRANT tonne_app, tonne_directory TO {user}")).await;
    Database::open(options(other.url_of(&user))).await.unwrap();
}

#[tokio::test]
async fn a_node_reads_on_while_a_later_one_adds_columns() {
    let fresh = Fresh::migrated().await;
    let store = PostgresStore::new(fresh.database().await);
    store.prepare(&grant(1)).await.unwrap();
    let since = store.head(&reading(1)).await.unwrap();
    let add = |number| vec![ActivityWrite::Add(sample::activity(number))];
    for number in 1..=10 {
        store.put_activities(&writing(1), sample::intent(), &since, add(number)).await.unwrap();
        assert!(store.activity(&reading(1), sample::id(number)).await.unwrap().1.is_some());
        if number == 5 {
            let mut superuser = fresh.superuser().await;
            for table in ["activity", "head", "series", "change", "change_items", "posting", "activity_use"] {
                let text = format!("ALTER TABLE tonne.{table} ADD extra text");
                sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(&mut superuser).await.unwrap();
            }
        }
    }
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_node_does_not_start_once_a_later_one_took_away_what_it_needs() {
    let mut database = DatabaseWithUsers::of(Fresh::migrated().await);
    open(&database, later(3, "ALTER TABLE tonne.product RENAME name TO title;")).await.unwrap();
    let user = database.user("").await;
    database.run(&format!("GRANT tonne_app, tonne_directory TO {user}")).await;
    for url in [database.url(), database.url_of(&user)] {
        let error = Database::open(options(url)).await.unwrap_err();
        assert!(matches!(&error, OpenError::Later(name) if name == "tenant/9999_later"), "{error}");
    }
}

#[tokio::test]
async fn a_node_whose_user_may_not_migrate_waits_for_the_step_it_needs() {
    let mut database = DatabaseWithUsers::of(Fresh::migrated().await);
    let user = database.user("").await;
    database.run(&format!("GRANT tonne_app, tonne_directory TO {user}")).await;
    let steps = later(2, "ALTER TABLE tonne.product ADD extra text;");
    let newer = || Database::open(Options { steps, ..options(database.url_of(&user)) });
    let error = newer().await.unwrap_err();
    assert!(matches!(&error, OpenError::Unmigrated(name) if name == "tenant/9999_later"), "{error}");
    open(&database, steps).await.unwrap();
    newer().await.unwrap();
}

#[tokio::test]
async fn rights_follow_to_the_tables_of_later_steps() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let table = "CREATE TABLE tonne.later (tenant_id uuid PRIMARY KEY); \
                 ALTER TABLE tonne.later ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; \
                 CREATE POLICY tenant ON tonne.later \
                 USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);";
    open(&database, later(2, table)).await.unwrap();
    assert_eq!(database.text("SELECT has_table_privilege('tonne_app', 'tonne.later', 'INSERT')").await, "t");
}

#[tokio::test]
async fn an_address_that_leads_nowhere_says_so() {
    for (url, expected) in [
        ("no address", "the database address cannot be read; it looks like postgres://user:password@host/database"),
        ("postgres://nobody@127.0.0.1:1/none", "the database nobody@127.0.0.1:1/none cannot be reached"),
    ] {
        assert_eq!(Database::open(options(url.to_owned())).await.unwrap_err().to_string(), expected);
    }
}
