//! A database with users of its own, who may do what the test says.

use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use crate::harness::{Fresh, runtime, server};

/// A database and users, gone with the test.
pub(crate) struct DatabaseWithUsers {
    fresh: Option<Fresh>,
    users: Vec<String>,
}

impl DatabaseWithUsers {
    /// Users for that database.
    pub(crate) fn of(fresh: Fresh) -> Self {
        Self { fresh: Some(fresh), users: Vec::new() }
    }

    /// A new user with those attributes, such as `BYPASSRLS`.
    pub(crate) async fn user(&mut self, attributes: &str) -> String {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let name = format!("tonne_test_{}_user_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        self.run(&format!("CREATE ROLE {name} LOGIN {attributes}")).await;
        self.users.push(name.clone());
        name
    }

    /// A new user that owns the database, with those attributes.
    pub(crate) async fn owner(&mut self, attributes: &str) -> String {
        let owner = self.user(attributes).await;
        let name = self.text("SELECT current_database()").await;
        self.run(&format!("ALTER DATABASE {name} OWNER TO {owner}")).await;
        owner
    }

    /// The database's address, for a superuser.
    pub(crate) fn url(&self) -> String {
        self.fresh.as_ref().unwrap().url()
    }

    /// The database's address, for that user.
    pub(crate) fn url_of(&self, user: &str) -> String {
        let url = self.url();
        let (scheme, rest) = url.split_once("://").unwrap();
        let (_, place) = rest.split_once('@').unwrap();
        format!("{scheme}://{user}@{place}")
    }

    /// Runs statements as a superuser.
    pub(crate) async fn run(&self, statements: &str) {
        let mut conn = self.fresh.as_ref().unwrap().superuser().await;
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
    }

    /// The rows of a query as a superuser, each column a text.
    pub(crate) async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        let mut conn = self.fresh.as_ref().unwrap().superuser().await;
        let rows = sqlx::raw_sql(AssertSqlSafe(query)).fetch_all(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        let text =
            |row: &sqlx::postgres::PgRow, column| row.get_unchecked::<Option<String>, _>(column).unwrap_or_default();
        rows.iter().map(|row| (0..row.len()).map(|column| text(row, column)).collect()).collect()
    }

    /// The only value of a query as a superuser.
    pub(crate) async fn text(&self, query: &str) -> String {
        let [row] = &mut self.rows(query).await[..] else { panic!("expected one row of {query}") };
        row.swap_remove(0)
    }
}

impl Drop for DatabaseWithUsers {
    fn drop(&mut self) {
        // Users that own or may do something in it cannot be dropped before it.
        drop(self.fresh.take());
        let users = std::mem::take(&mut self.users);
        let dropped = std::thread::spawn(move || {
            runtime().block_on(async move {
                let mut conn = PgConnection::connect(&server()).await.unwrap();
                for user in users {
                    sqlx::raw_sql(AssertSqlSafe(format!("DROP ROLE {user}"))).execute(&mut conn).await.unwrap();
                }
            });
        });
        let dropped = dropped.join();
        assert!(dropped.is_ok() || std::thread::panicking(), "the users were not dropped");
    }
}
