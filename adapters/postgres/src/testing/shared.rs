//! Databases that tests take one after another where none can be made by a copy: those of a cluster.

use std::sync::LazyLock;

use sqlx::{Connection as _, PgConnection};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Takes all rows of companies and of the directory, also where tables are distributed.
const EMPTY: &str = "DO $$
BEGIN
    EXECUTE 'TRUNCATE ' || (SELECT string_agg(oid::regclass::text, ', ') FROM pg_class WHERE relkind = 'r'
        AND relnamespace IN ('tonne'::regnamespace, 'tonne_directory'::regnamespace)
        AND oid NOT IN ('tonne_directory.migration'::regclass, 'tonne_directory.head'::regclass)) || ' CASCADE';
END $$;
UPDATE tonne_directory.head SET number = 0, digest = decode(repeat('00', 32), 'hex')";

/// Those that nobody uses.
static FREE: LazyLock<(UnboundedSender<String>, Mutex<UnboundedReceiver<String>>)> = LazyLock::new(|| {
    let (give, take) = unbounded_channel();
    for url in std::env::var(NAMES).unwrap_or_default().split_whitespace() {
        give.send(url.to_owned()).unwrap();
    }
    (give, Mutex::new(take))
});

/// Names the addresses, with spaces between.
const NAMES: &str = "TONNE_TEST_DATABASES";

/// A database that is not to be dropped; others may have it afterwards.
pub(super) struct Shared {
    pub(super) url: String,
}

impl Shared {
    /// One of those that are named, empty, once it is free. `None` where none is named.
    pub(super) async fn take() -> Option<Self> {
        std::env::var_os(NAMES)?;
        let url = FREE.1.lock().await.recv().await.unwrap();
        let mut conn = PgConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(EMPTY).execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        Some(Self { url })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        FREE.0.send(std::mem::take(&mut self.url)).unwrap();
    }
}
