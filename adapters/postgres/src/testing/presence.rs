//! How processes that test know of each other: by the name of a connection.

use std::sync::Once;

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::{process, runtime, server};

/// Keeps a connection that is named after the process for as long as it lives: by that others know that its databases
/// are in use.
pub(super) fn stay() {
    static STAYS: Once = Once::new();
    STAYS.call_once(|| {
        let (connected, wait) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            runtime().block_on(async move {
                let mut conn = PgConnection::connect(&server()).await.unwrap();
                let name = format!("SET application_name = '{}'", process());
                sqlx::raw_sql(AssertSqlSafe(name)).execute(&mut conn).await.unwrap();
                connected.send(()).unwrap();
                std::future::pending::<()>().await;
            });
        });
        wait.recv().unwrap();
    });
}
