//! What the server says of itself: settings that decide whether a commit lasts, its clock, and who is connected.

use domain::Timestamp;
use ports::store::StoreError;
use sqlx::Row as _;

use crate::database::Database;
use crate::error::{StoreErr as _, failed};

/// What the server says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerState {
    /// Whether the user of the service's address is a superuser.
    pub is_superuser: bool,
    /// Its setting `fsync`.
    pub fsync: String,
    /// Its setting `full_page_writes`.
    pub full_page_writes: String,
    /// The setting `synchronous_commit` of new connections. Transactions of this crate set their own.
    pub synchronous_commit: String,
    /// Its time.
    pub now: Timestamp,
}

const QUERY: &str = "SELECT current_setting('fsync'), current_setting('full_page_writes'), \
    (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit'), \
    floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

impl Database {
    /// What the server says of itself.
    pub async fn server_state(&self) -> Result<ServerState, StoreError> {
        let rows = self.ask(QUERY).await?;
        let row = rows.first().ok_or_else(|| failed("the server does not tell its settings"))?;
        let millis: i64 = row.try_get(3).store_err()?;
        Ok(ServerState {
            is_superuser: self.works_as_superuser(),
            fsync: row.try_get(0).store_err()?,
            full_page_writes: row.try_get(1).store_err()?,
            synchronous_commit: row.try_get(2).store_err()?,
            now: Timestamp::from_millis(millis).ok_or_else(|| failed(format!("{millis} is no time")))?,
        })
    }
}
