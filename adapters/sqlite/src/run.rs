//! Where the statements of a transaction run: on a reading connection, or on the thread that writes.
//! Every query is written once, against this seam.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use ports::ChainHead;
use ports::store::StoreError;
use rusqlite::Connection;
use tokio::task::spawn_blocking;

use crate::error::{StoreErr as _, Trouble};
use crate::migration::TENANT;
use crate::owner::Owner;
use crate::pool::{Pool, PooledConn};
use crate::session::read_head;

/// Runs work on a transaction's connection.
#[async_trait]
pub(crate) trait Run: Send {
    /// The head at the transaction's begin.
    fn head(&self) -> ChainHead;

    /// Runs work that takes as long as a few look-ups.
    async fn run<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError>;

    /// Runs work that takes as long as there are rows, without keeping an asynchronous thread from others.
    async fn run_long<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError>;
}

/// A snapshot of a file.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pooled: PooledConn,
    head: ChainHead,
}

impl Snapshot {
    /// Fixes a snapshot by reading the head in it, which must be the owner's.
    pub(crate) async fn open(pool: &Arc<Pool>, owner: &Owner) -> Result<Self, StoreError> {
        let pooled = pool.take().await?;
        let head = fix(pooled.conn()?, owner);
        // Of a file that was replaced or changed that is said, and not what reading it came to.
        pool.check_identity()?;
        let head = head?;
        Ok(Self { pooled, head })
    }
}

/// Fixes a snapshot by reading the head in it.
fn fix(conn: &Connection, owner: &Owner) -> Result<ChainHead, StoreError> {
    conn.execute_batch("BEGIN DEFERRED").store_err()?;
    TENANT.must_be_known(conn, &owner.path)?;
    let row = read_head(conn)?;
    owner.check(&row)?;
    Ok(row.head)
}

#[async_trait]
impl Run for Snapshot {
    fn head(&self) -> ChainHead {
        self.head
    }

    async fn run<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let result = work(self.pooled.conn()?);
        self.pooled.check_unchanged()?;
        result
    }

    async fn run_long<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let lifted = self.pooled.lift()?;
        let caller = Caller::default();
        let has_left = Arc::clone(&caller.has_left);
        lifted.conn.progress_handler(STEPS, Some(move || has_left.load(Ordering::Relaxed))).store_err()?;
        let thread = spawn_blocking(move || {
            let result = work(&lifted.conn);
            (lifted, result)
        });
        let done = thread.await;
        caller.stays();
        let (lifted, result) = done.map_err(|error| StoreError::Failed(Box::new(Trouble(error.to_string()))))?;
        self.pooled.put_back(lifted);
        self.pooled.check_unchanged()?;
        result
    }
}

/// After so many steps of its machine SQLite looks whether somebody still waits for what it reads: some 10 microseconds.
const STEPS: i32 = 1_000;

/// Who waits for work on another thread. Where nobody does any more, SQLite is told to end what it reads.
#[derive(Default)]
struct Caller {
    has_left: Arc<AtomicBool>,
    stayed: bool,
}

impl Caller {
    /// The work is done: the connection is good for whoever comes next.
    fn stays(mut self) {
        self.stayed = true;
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        if !self.stayed {
            self.has_left.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use ports::contract::sample::{SampleClock, SampleIds};
    use tempfile::TempDir;
    use tokio::sync::Semaphore;
    use tokio::time::timeout;

    use super::*;
    use crate::file::Absent;
    use crate::folder::open_with_head;
    use crate::options::Options;

    const ENDLESS: &str = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT count(*) FROM n";

    #[tokio::test]
    async fn a_read_whose_caller_left_ends_and_gives_its_place_back_then() {
        let folder = TempDir::new().unwrap();
        let options = Options { readers: 1, ..Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default())) };
        let owner = Owner { id: ports::contract::sample::id(1), path: folder.path().join("tenants/a.db") };
        drop(open_with_head(&owner.path, Absent::Make, owner.id, &options).unwrap());
        let pool = Pool::new(
            (owner.path.clone(), crate::identity::Identity::of(&owner.path).unwrap()),
            &TENANT,
            options,
            Arc::new(Semaphore::new(1)),
        );
        for _ in 0..3 {
            let mut snapshot = Snapshot::open(&pool, &owner).await.unwrap();
            let ((begun, begins), (ended, ends)) = (channel(), channel());
            let mut read = snapshot.run_long(move |conn| {
                begun.send(()).unwrap();
                let read = conn.query_row(ENDLESS, [], |row| row.get::<_, i64>(0));
                ended.send(read.is_err()).unwrap();
                read.store_err()
            });
            assert!(timeout(Duration::ZERO, &mut read).await.is_err());
            begins.recv_timeout(Duration::from_secs(10)).unwrap();
            drop(read);
            drop(snapshot);
            assert_eq!(ends.recv_timeout(Duration::from_secs(10)), Ok(true));
        }
        let mut snapshot = Snapshot::open(&pool, &owner).await.unwrap();
        let counted = snapshot.run_long(|conn| conn.query_row("SELECT 1", [], |row| row.get::<_, i64>(0)).store_err());
        assert_eq!(counted.await.unwrap(), 1);
    }
}
