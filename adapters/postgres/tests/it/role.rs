//! Who may open a database, and what a node may do in it then.

use std::error::Error as _;

use futures_util::future::join_all;
use ports::contract::sample;
use ports::directory::Directory as _;
use ports::store::StoreError;
use ports::{Grant, Installation};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tonne_postgres::{Database, OpenError, Options, PostgresDirectory};

use crate::database_users::DatabaseWithUsers;
use crate::harness::{Fresh, options, tenant};
use crate::temporary_server::TemporaryServer;

/// With the migrator's address beside the service's.
fn two(service: String, migrator: String) -> Options {
    Options { migrator_url: Some(migrator), ..options(service) }
}

async fn refusal(options: Options) -> String {
    Database::open(options).await.unwrap_err().to_string()
}

/// Whether the service can work in it.
async fn works(database: Database) -> Result<(), StoreError> {
    let directory = PostgresDirectory::new(database.into());
    let grant = Grant::for_maintenance(Installation, "test");
    directory.list_tenants(&grant).await?;
    directory.version().await?;
    directory.touch(&grant, &[], &[]).await
}

#[tokio::test]
async fn nodes_that_open_an_empty_database_at_once_all_serve() {
    let database = DatabaseWithUsers::of(Fresh::bare().await);
    for opened in join_all((0..16).map(|_| Database::open(options(database.url())))).await {
        works(opened.unwrap()).await.unwrap();
    }
    let steps = database.rows("SELECT number, needs FROM tonne_directory.migration ORDER BY 1").await;
    assert_eq!(steps, [["1", "1"], ["2", "2"]]);
}

#[tokio::test]
async fn databases_of_a_new_server_opened_at_once_all_get_the_role() {
    let server = TemporaryServer::new();
    let mut conn = PgConnection::connect(server.url()).await.unwrap();
    // One superuser and owners of their own: each makes or grants the same role.
    let mut urls = Vec::new();
    for number in 0..16 {
        let statements = [
            format!("CREATE ROLE owner_{number} LOGIN CREATEROLE"),
            format!("CREATE DATABASE db_{number} OWNER owner_{number}"),
        ];
        for statement in statements {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut conn).await.unwrap();
        }
        let user = if number % 2 == 0 { format!("owner_{number}") } else { "postgres".to_owned() };
        urls.push(server.url_of(&user, &format!("db_{number}")));
        urls.push(server.url_of("owner_0", "db_0"));
    }
    for opened in join_all(urls.into_iter().map(|url| Database::open(options(url)))).await {
        let database = opened.unwrap();
        works(database).await.unwrap();
    }
}

#[tokio::test]
async fn a_superusers_transactions_have_no_more_rights_than_the_role() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let directory = PostgresDirectory::new(Database::open(options(database.url())).await.unwrap().into());
    let grant = Grant::for_maintenance(Installation, "test");
    directory.list_tenants(&grant).await.unwrap();
    database.run("REVOKE SELECT ON tonne_directory.tenant FROM tonne_directory").await;
    let StoreError::Failed(refused) = directory.list_tenants(&grant).await.unwrap_err() else {
        panic!("expected a refusal")
    };
    assert!(refused.to_string().contains("permission denied for table tenant"), "{refused}");
}

#[tokio::test]
async fn an_owner_who_is_no_superuser_migrates_and_serves() {
    let mut database = DatabaseWithUsers::of(Fresh::bare().await);
    let owner = database.owner("CREATEROLE").await;
    works(Database::open(options(database.url_of(&owner))).await.unwrap()).await.unwrap();
    works(Database::open(options(database.url_of(&owner))).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_migrator_makes_the_tables_and_admits_the_user_that_serves() {
    let mut database = DatabaseWithUsers::of(Fresh::bare().await);
    let (owner, user) = (database.owner("CREATEROLE").await, database.user("").await);
    let opened = Database::open(two(database.url_of(&user), database.url_of(&owner))).await;
    works(opened.unwrap()).await.unwrap();
    let owners = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname IN ('tonne', 'tonne_directory')";
    assert_eq!(database.text(owners).await, owner);
    assert_eq!(database.text(&format!("SELECT pg_has_role('{user}', 'tonne_app', 'USAGE')")).await, "t");
    // From then on it needs no migrator.
    works(Database::open(options(database.url_of(&user))).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_user_that_could_do_more_than_the_service_should_is_refused() {
    let mut database = DatabaseWithUsers::of(Fresh::bare().await);
    let owner = database.owner("SUPERUSER").await;
    let cases = [
        ("SUPERUSER", "SELECT", "is a superuser, or can become one"),
        ("", "GRANT {owner} TO {user}", "is a superuser, or can become one"),
        ("BYPASSRLS", "SELECT", "has BYPASSRLS, or can take a role that has it"),
        ("", "ALTER TABLE tonne.series OWNER TO {user}", "owns tables of Tonne, or can take the role that does"),
        ("", "ALTER SCHEMA tonne OWNER TO {user}", "owns tables of Tonne, or can take the role that does"),
        ("", "GRANT TRUNCATE ON tonne.activity TO {user}", "may truncate tables of Tonne"),
    ];
    Database::open(options(database.url_of(&owner))).await.unwrap();
    for (attributes, statement, excess) in cases {
        let user = database.user(attributes).await;
        database.run(&statement.replace("{user}", &user).replace("{owner}", &owner)).await;
        let refused = refusal(two(database.url_of(&user), database.url_of(&owner))).await;
        let expected = format!(
            "the role {user} {excess}; give database.url a user that owns nothing and is bound by row-level security"
        );
        assert_eq!(refused, expected, "{attributes} {statement}");
        database.run(&format!("REASSIGN OWNED BY {user} TO {owner}; DROP OWNED BY {user}")).await;
    }
}

#[tokio::test]
async fn a_member_of_the_owner_is_refused() {
    let mut database = DatabaseWithUsers::of(Fresh::bare().await);
    let (owner, user) = (database.owner("CREATEROLE").await, database.user("").await);
    database.run(&format!("GRANT {owner} TO {user}")).await;
    let refused = refusal(two(database.url_of(&user), database.url_of(&owner))).await;
    assert!(refused.contains("owns tables of Tonne, or can take the role that does"), "{refused}");
}

#[tokio::test]
async fn a_role_that_became_more_than_it_was_is_refused_to_a_superuser_too() {
    let mut database = DatabaseWithUsers::of(Fresh::migrated().await);
    let owner = database.user("").await;
    database
        .run(&format!("ALTER TABLE tonne.series OWNER TO {owner}; GRANT TRUNCATE ON tonne.series TO tonne_app"))
        .await;
    let refused = refusal(options(database.url())).await;
    assert!(refused.starts_with("the role tonne_app may truncate tables of Tonne"), "{refused}");
}

#[tokio::test]
async fn a_restricted_user_without_rights_is_told_which_to_grant() {
    let mut database = DatabaseWithUsers::of(Fresh::migrated().await);
    let user = database.user("").await;
    let expected = format!(
        "the role {user} may not use the tables; as a superuser run: GRANT tonne_app, tonne_directory TO \"{user}\"; where it has that \
         already, run `tonne migrate`"
    );
    assert_eq!(refusal(options(database.url_of(&user))).await, expected);
    database.run(&format!("GRANT tonne_app, tonne_directory TO {user}")).await;
    works(Database::open(options(database.url_of(&user))).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_restricted_user_does_not_serve_an_empty_database() {
    let mut database = DatabaseWithUsers::of(Fresh::bare().await);
    let user = database.user("").await;
    let name = database.text("SELECT current_database()").await;
    database.run(&format!("REVOKE CREATE ON DATABASE {name} FROM PUBLIC")).await;
    let error = Database::open(options(database.url_of(&user))).await.unwrap_err();
    assert!(matches!(&error, OpenError::Unmigrated(what) if what == "the tables of Tonne"), "{error}");
}

#[tokio::test]
async fn an_owner_who_may_not_make_roles_is_told_what_to_run() {
    let server = TemporaryServer::new();
    let mut conn = PgConnection::connect(server.url()).await.unwrap();
    for statement in ["CREATE ROLE owner LOGIN", "CREATE DATABASE db OWNER owner"] {
        sqlx::raw_sql(statement).execute(&mut conn).await.unwrap();
    }
    let url = server.url_of("owner", "db");
    let refused = refusal(options(url.clone())).await;
    let (told, remedy) = refused.split_once("; as a superuser run: ").unwrap();
    assert_eq!(told, "the roles that the service works under cannot be made");
    let makes = "CREATE ROLE tonne_app NOLOGIN; CREATE ROLE tonne_directory NOLOGIN; ";
    let grants = "GRANT tonne_app, tonne_directory TO \"owner\"";
    assert_eq!(remedy, format!("{makes}{grants}"));
    sqlx::raw_sql(makes).execute(&mut conn).await.unwrap();
    let expected = format!("the roles tonne_app, tonne_directory cannot be granted; as a superuser run: {grants}");
    assert_eq!(refusal(options(url.clone())).await, expected);
    sqlx::raw_sql(grants).execute(&mut conn).await.unwrap();
    works(Database::open(options(url)).await.unwrap()).await.unwrap();
}

#[tokio::test]
async fn an_address_where_no_database_is_is_told_with_the_reason_once_and_without_the_password() {
    let server = TemporaryServer::new();
    let url = server.url_of("nobody:hunter2", "nowhere");
    let error = Database::open(options(url)).await.unwrap_err();
    let (told, reason) = (error.to_string(), error.source().unwrap());
    assert!(told.starts_with("the database nobody@") && told.ends_with("/nowhere cannot be reached"), "{told}");
    assert_eq!(reason.to_string(), "role \"nobody\" does not exist");
    assert!(reason.source().is_none() && !format!("{error:?}").contains("hunter2"), "{error:?}");
}

#[tokio::test]
async fn rights_that_were_lost_are_granted_again() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let name = database.text("SELECT current_database()").await;
    database
        .run(&format!("REVOKE ALL ON tonne.activity FROM tonne_app; REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC"))
        .await;
    Database::open(options(database.url())).await.unwrap();
    let may = "SELECT has_table_privilege('tonne_app', 'tonne.activity', 'DELETE') AND \
               has_database_privilege('tonne_app', current_database(), 'TEMPORARY')";
    assert_eq!(database.text(may).await, "t");
}

#[tokio::test]
async fn a_table_that_is_not_protected_is_named_and_nothing_is_served() {
    let cases = [
        "ALTER TABLE tonne.activity NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE tonne.activity DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON tonne.activity",
        "CREATE POLICY other ON tonne.activity USING (true)",
        "CREATE POLICY other ON tonne.activity FOR SELECT USING (true)",
        "ALTER POLICY tenant ON tonne.activity USING (true)",
        "ALTER POLICY tenant ON tonne.activity USING (tenant_id IS NOT NULL)",
        "ALTER POLICY tenant ON tonne.activity TO tonne_app",
        "ALTER POLICY tenant ON tonne.activity WITH CHECK (true)",
        "DROP POLICY tenant ON tonne.activity; CREATE POLICY tenant ON tonne.activity FOR SELECT \
         USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid)",
    ];
    let mut database = DatabaseWithUsers::of(Fresh::migrated().await);
    let user = database.user("").await;
    database.run(&format!("GRANT tonne_app, tonne_directory TO {user}")).await;
    let restore = "ALTER TABLE tonne.activity ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; \
                   DROP POLICY IF EXISTS other ON tonne.activity; DROP POLICY IF EXISTS tenant ON tonne.activity; \
                   CREATE POLICY tenant ON tonne.activity \
                   USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid)";
    for statement in cases {
        database.run(statement).await;
        for url in [database.url(), database.url_of(&user)] {
            let error = Database::open(options(url)).await.unwrap_err();
            assert!(matches!(&error, OpenError::Unprotected(tables) if tables == "activity"), "{statement}: {error}");
        }
        database.run(restore).await;
        Database::open(options(database.url())).await.unwrap();
    }
    database.run("CREATE TABLE tonne.notes (tenant_id uuid); CREATE TABLE tonne.bills (tenant_id uuid)").await;
    let refused = refusal(options(database.url())).await;
    assert!(refused.starts_with("row-level security does not protect bills, notes;"), "{refused}");
}

#[tokio::test]
async fn a_policy_that_lets_fewer_rows_through_is_nobodys_business() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    database.run("CREATE POLICY fewer ON tonne.activity AS RESTRICTIVE USING (name <> 'hidden')").await;
    Database::open(options(database.url())).await.unwrap();
}

#[tokio::test]
async fn a_tenants_transaction_sees_nothing_of_the_directory_and_the_directorys_nothing_of_tenants() {
    let fresh = Fresh::migrated().await;
    let mut conn = fresh.superuser().await;
    let tables = "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname LIKE 'tonne%' \
                  AND tablename <> 'migration'";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut conn).await.unwrap();
    for (role, foreign) in [("tonne_app", "tonne_directory."), ("tonne_directory", "tonne.")] {
        for table in tables.iter().filter(|table| table.starts_with(foreign)) {
            for statement in [
                format!("SELECT FROM {table}"),
                format!("DELETE FROM {table}"),
                format!("INSERT INTO {table} SELECT * FROM {table}"),
            ] {
                let text = format!("BEGIN; SET LOCAL ROLE {role}; {statement}");
                let refused = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut conn).await.unwrap_err().to_string();
                assert!(refused.contains("permission denied"), "{role} {statement}: {refused}");
                sqlx::raw_sql("ROLLBACK").execute(&mut conn).await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn under_a_foreign_tenant_no_credential_of_it_can_be_changed() {
    let fresh = Fresh::migrated().await;
    let directory = PostgresDirectory::new(fresh.database().await);
    directory.add_tenant(&sample::installation(), sample::tenant(1, "main")).await.unwrap();
    let foreign = tenant(1);
    let mut conn = fresh.superuser().await;
    for change in [
        "UPDATE tonne_directory.key SET name = 'x'",
        "UPDATE tonne_directory.client SET name = 'x'",
        "UPDATE tonne_directory.tenant SET name = 'x'",
        "DELETE FROM tonne_directory.refresh",
    ] {
        let text = format!("BEGIN; SET LOCAL ROLE tonne_app; SET LOCAL app.tenant = '{foreign}'; {change}");
        let refused = sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut conn).await.unwrap_err().to_string();
        assert!(refused.contains("permission denied"), "{change}: {refused}");
        sqlx::raw_sql("ROLLBACK").execute(&mut conn).await.unwrap();
    }
}

#[tokio::test]
async fn a_role_that_sees_more_than_its_own_tables_is_refused() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    for (right, on, role, told) in [
        ("SELECT", "tonne_directory.key", "tonne_app", "the role tonne_app sees the directory"),
        ("UPDATE (name)", "tonne_directory.client", "tonne_app", "the role tonne_app sees the directory"),
        ("SELECT", "tonne.activity", "tonne_directory", "the role tonne_directory sees companies' records"),
        ("UPDATE (digest)", "tonne.change", "tonne_app", "the role tonne_app may change or delete the history"),
        (
            "DELETE",
            "tonne_directory.change",
            "tonne_directory",
            "the role tonne_directory may change or delete the history",
        ),
    ] {
        database.run(&format!("GRANT {right} ON {on} TO {role}")).await;
        let refused = refusal(options(database.url())).await;
        assert!(refused.starts_with(told) && refused.contains("; take back what it has"), "{refused}");
        database.run(&format!("REVOKE {right} ON {on} FROM {role}")).await;
    }
    Database::open(options(database.url())).await.unwrap();
}

#[tokio::test]
async fn a_superuser_is_told_from_an_owner() {
    let mut database = DatabaseWithUsers::of(Fresh::bare().await);
    let owner = database.owner("CREATEROLE").await;
    assert!(!Database::open(options(database.url_of(&owner))).await.unwrap().works_as_superuser());
    assert!(Database::open(options(database.url())).await.unwrap().works_as_superuser());
}
