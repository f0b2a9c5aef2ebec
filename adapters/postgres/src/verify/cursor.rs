//! A query whose rows are taken a few at a time, so that others can be asked in between.

use std::collections::VecDeque;

use ports::store::StoreError;
use sea_orm::QueryResult;

use crate::conn::{TenantConn, sql};
use crate::error::failed;

/// How many rows are fetched at a time.
const ROWS: u32 = 5_000;

/// Makes a value of a row.
pub(super) type Read<T> = fn(&QueryResult) -> Result<T, StoreError>;

/// An open query. It ends with its transaction.
pub(super) struct Cursor<T> {
    name: &'static str,
    read: Read<T>,
    fetched: VecDeque<Option<T>>,
    ended: bool,
}

impl<T> Cursor<T> {
    /// Opens a query of the tenant's rows under a name that no other one of the crate has. In its text `{tenant}` stands
    /// for the tenant.
    pub(super) async fn open(
        conn: &mut TenantConn,
        name: &'static str,
        text: &str,
        read: Read<T>,
    ) -> Result<Self, StoreError> {
        let text = text.replace("{tenant}", &format!("'{}'", conn.tenant()));
        conn.batch(&format!("DECLARE {name} NO SCROLL CURSOR FOR {text}")).await?;
        Ok(Self { name, read, fetched: VecDeque::new(), ended: false })
    }

    /// The next row, which is `None` itself where a column does not read.
    pub(super) async fn next(&mut self, conn: &mut TenantConn) -> Result<Option<Option<T>>, StoreError> {
        if self.fetched.is_empty() && !self.ended {
            let (read, fetched, text) = (self.read, &mut self.fetched, format!("FETCH {ROWS} FROM {}", self.name));
            conn.each(sql(&text, []), |row| {
                fetched.push_back(read(row).ok());
                Ok(())
            })
            .await?;
            self.ended = u32::try_from(self.fetched.len()).map_err(|_| failed("too many rows"))? < ROWS;
        }
        Ok(self.fetched.pop_front())
    }
}
