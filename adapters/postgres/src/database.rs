//! A database that is open: its connections, and how transactions begin.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use ports::TenantId;
use ports::store::StoreError;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::begin::{Access, Begin, Spread};
use crate::conn::{Conn, GRACE, TenantConn};
use crate::connection_slots::{Held, Shares, of_tenants};
use crate::error::{OpenError, StoreErr as _, failed, is_unreachable};
use crate::message::first_message;
use crate::migration;
use crate::options::Options;
use crate::pooled_transaction::PooledTransaction;
use crate::role::{self, Role, Standing};
use crate::row_security;
use crate::setup::{connect, connect_options, settle, value};
use crate::worker::{Worker, Workers};

/// A database that is open, migrated and found sound. Clones share its connections.
#[derive(Debug)]
pub struct Database {
    pool: PgPool,
    options: Options,
    begin: Begin,
    bulk: Bulk,
    shares: Shares,
    /// Where the tables are distributed.
    workers: Option<Workers>,
    is_superuser: bool,
    runtime: Handle,
}

/// By which way many rows come in; found out when the database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bulk {
    /// COPY into a temporary table, and from there into the table.
    Temporary,
    /// INSERT of many rows: where tables are distributed, the other is refused.
    Rows,
}

/// What a database lacks that was never migrated.
const EVERYTHING: &str = "the tables of Tonne";

impl Database {
    /// Opens the database: migrates it where it may, and checks that nothing but row-level security decides what a
    /// transaction sees.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        let service = connect_options(&options.url, options.pooler)?;
        let mut conn = connect(&service, options.pooler).await?;
        let standing = match &options.migrator_url {
            Some(url) => {
                migration::migrate(url, options.pooler, options.steps).await?;
                let mut owner = connect(&connect_options(url, options.pooler)?, options.pooler).await?;
                role::admit(&mut conn, &mut owner).await?;
                Standing::Restricted
            }
            None => prepare(&mut conn, &options).await?,
        };
        Self::over(conn, service, standing, options).await
    }

    /// Whether the database was ever migrated. Nothing is made.
    pub async fn exists(options: &Options) -> Result<bool, OpenError> {
        let service = connect_options(&options.url, options.pooler)?;
        migration::is_there(&mut connect(&service, options.pooler).await?).await
    }

    /// Opens the database for a look at it as it is: nothing is made, migrated or granted.
    pub async fn inspect(options: Options) -> Result<Self, OpenError> {
        let service = connect_options(&options.url, options.pooler)?;
        let mut conn = connect(&service, options.pooler).await?;
        if !migration::is_there(&mut conn).await? {
            return Err(OpenError::Unmigrated(EVERYTHING.to_owned()));
        }
        let may_take = options.migrator_url.is_none() && role::exceeds(&mut conn).await?;
        let standing = if may_take { Standing::Privileged } else { Standing::Restricted };
        role::check(&mut conn, standing).await?;
        migration::check(&mut conn, options.steps).await?;
        Self::over(conn, service, standing, options).await
    }

    /// The database, if nothing but row-level security decides what a transaction sees.
    async fn over(
        mut conn: PgConnection,
        service: PgConnectOptions,
        standing: Standing,
        options: Options,
    ) -> Result<Self, OpenError> {
        role::check(&mut conn, standing).await?;
        row_security::check_policies(&mut conn).await?;
        let spread = if row_security::is_distributed(&mut conn).await? { Spread::Workers } else { Spread::Here };
        let bulk = if spread == Spread::Workers {
            role::check_login(&mut conn).await?;
            Bulk::Rows
        } else if role::lacks_temporary(&mut conn).await? {
            tracing::warn!("imports are slow: the role tonne_app lacks the TEMPORARY privilege on the database");
            Bulk::Rows
        } else {
            Bulk::Temporary
        };
        let commit: String = value(&mut conn, "SHOW synchronous_commit", "its settings").await?;
        let begin = Begin::new(&options, spread, &commit);
        let is_superuser = role::is_superuser(&mut conn).await?;
        let pooler = options.pooler;
        let pool = PgPoolOptions::new()
            .max_connections(options.connections)
            .after_connect(move |conn, _| settle(conn, pooler).boxed())
            // A connection that is not there any more is found by its first message.
            .test_before_acquire(false)
            .acquire_timeout(options.wait)
            .connect_lazy_with(service);
        let shares = Shares::new(options.connections, options.connections_per_tenant);
        let workers = (spread == Spread::Workers).then(|| Workers::new(of_tenants(options.connections)));
        Ok(Self { pool, options, begin, bulk, shares, workers, is_superuser, runtime: Handle::current() })
    }

    /// Whether the user of the service's address is a superuser: then nothing but what the service does itself keeps it from
    /// anything.
    #[must_use]
    pub const fn works_as_superuser(&self) -> bool {
        self.is_superuser
    }

    /// Closes every connection, once the transactions under way have ended.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// What it was opened with.
    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// By which way many rows come in.
    pub(crate) const fn bulk(&self) -> Bulk {
        self.bulk
    }

    /// Where tasks run that no caller's end breaks off.
    pub(crate) const fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Whether the tables are on the server that is connected to.
    pub(crate) fn is_on_one_server(&self) -> bool {
        self.begin.spread() == Spread::Here
    }

    /// The rows of a query without parameters on a tenant's records, by one message to the server. The query is one statement,
    /// and so sees one snapshot. `None` where the tables are distributed: settings are carried to the workers by messages
    /// of their own.
    pub(crate) async fn query_tenant(&self, tenant: TenantId, query: &str) -> Result<Option<Vec<PgRow>>, StoreError> {
        if !self.is_on_one_server() {
            return Ok(None);
        }
        let held = self.shares.reader(tenant, None, self.options.wait).await?;
        // Several statements in one message are a transaction, in which `SET LOCAL` holds. Its answer is in text, of which
        // sqlx reads one form of `bytea`.
        let settings = self.begin.of_tenant(Access::Read, "SET LOCAL bytea_output = 'hex'; ", tenant);
        self.query(held, self.options.statement + GRACE, format!("{settings}; {query}")).await.map(Some)
    }

    /// The rows of a query that is one message to the server.
    async fn query(&self, held: Held, patience: Duration, message: String) -> Result<Vec<PgRow>, StoreError> {
        let (pool, message): (PgPool, Arc<str>) = (self.pool.clone(), message.into());
        let task = tokio::spawn(async move {
            let _held = held;
            let answer = first_message(&pool, patience, |conn| {
                let query = sqlx::raw_sql(AssertSqlSafe(Arc::clone(&message)));
                async move { query.fetch_all(conn).await }.boxed()
            });
            answer.await.map(|(_, rows)| rows)
        });
        self.heard(task.await.unwrap_or(Err(sqlx::Error::WorkerCrashed)))
    }

    /// The places of the worker that has the tenant's rows, where the tables are distributed.
    async fn worker(&self, tenant: TenantId) -> Result<Worker, StoreError> {
        let Some(workers) = &self.workers else { return Ok(None) };
        if let Some(places) = workers.known(tenant) {
            return Ok(Some(places));
        }
        let held = self.shares.anyone(self.options.wait).await?;
        let text = format!("{}; {}", Role::Tenants.take(), Workers::query(tenant));
        let rows = self.query(held, self.options.wait, text).await?;
        let row = rows.first().ok_or_else(|| failed(format!("no worker has the rows of {tenant}")))?;
        Ok(Some(workers.learn(tenant, row.try_get(0).store_err()?)))
    }

    /// A snapshot of a tenant's rows.
    pub(crate) async fn read(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let worker = self.worker(tenant).await?;
        let held = self.shares.reader(tenant, worker, self.options.wait).await?;
        let tx = self.begin(Access::Read, tenant).await?;
        Ok(TenantConn::new(Conn::new(tx, &self.options, held), tenant))
    }

    /// A transaction that writes a tenant's rows. It waits behind the tenant's other writers on this node.
    pub(crate) async fn write(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let Options { turn, wait, .. } = self.options;
        let worker = self.worker(tenant).await?;
        let held = self.shares.writer(tenant, worker, turn, wait).await?;
        self.writing(tenant, held).await
    }

    /// A transaction that writes rows of a tenant beside its writers: it takes no turn, and must lock nothing that they do.
    pub(crate) async fn write_aside(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let worker = self.worker(tenant).await?;
        let held = self.shares.reader(tenant, worker, self.options.wait).await?;
        self.writing(tenant, held).await
    }

    async fn writing(&self, tenant: TenantId, held: Held) -> Result<TenantConn, StoreError> {
        let tx = self.begin(Access::Write, tenant).await?;
        Ok(TenantConn::new(Conn::new(tx, &self.options, held), tenant))
    }

    /// A snapshot of the directory, which belongs to no tenant. No tenant's rows are seen in it.
    pub(crate) async fn read_directory(&self) -> Result<Conn, StoreError> {
        self.directory(Access::Read).await
    }

    /// A transaction that writes the directory.
    pub(crate) async fn write_directory(&self) -> Result<Conn, StoreError> {
        self.directory(Access::Write).await
    }

    /// The directory's version, by one message to the server.
    pub(crate) async fn directory_version(&self) -> Result<u64, StoreError> {
        let held = self.shares.anyone(self.options.wait).await?;
        let text = format!("{}; SELECT number FROM tonne_directory.head", Role::Directory.take());
        let rows = self.query(held, self.options.wait, text).await?;
        let row = rows.first().ok_or_else(|| failed("the directory has no head"))?;
        let number: i64 = row.try_get(0).store_err()?;
        u64::try_from(number).map_err(|_| failed(format!("{number} is no version")))
    }

    /// How many bytes the database takes on the server's disks; where the tables are distributed, on the one connected to.
    pub async fn size(&self) -> Result<u64, StoreError> {
        let rows = self.ask("SELECT pg_database_size(current_database())").await?;
        let row = rows.first().ok_or_else(|| failed("the database does not say how large it is"))?;
        let bytes: i64 = row.try_get(0).store_err()?;
        Ok(u64::try_from(bytes).unwrap_or_default())
    }

    /// The rows of a query on no table of ours.
    pub(crate) async fn ask(&self, query: &str) -> Result<Vec<PgRow>, StoreError> {
        let held = self.shares.anyone(self.options.wait).await?;
        self.query(held, self.options.statement, format!("{}; {query}", Role::Directory.take())).await
    }

    async fn directory(&self, access: Access) -> Result<Conn, StoreError> {
        let held = self.shares.anyone(self.options.wait).await?;
        let tx = self.begun(access, &self.begin.of_directory(access)).await?;
        Ok(Conn::new(tx, &self.options, held))
    }

    /// A transaction on a tenant's records.
    async fn begin(&self, access: Access, tenant: TenantId) -> Result<PooledTransaction, StoreError> {
        match self.begin.spread() {
            Spread::Here => self.begun(access, &self.begin.of_tenant(access, "", tenant)).await,
            // A setting is carried to the workers with the whole message that it is in; the role must not be.
            Spread::Workers => {
                let mut tx = self.begun(access, Role::Tenants.take()).await?;
                let settings = self.begin.carried(access, "", tenant);
                self.reached(sqlx::raw_sql(AssertSqlSafe(settings)).execute(tx.conn().store_err()?)).await?;
                Ok(tx)
            }
        }
    }

    /// A transaction that begins with these settings, by one message.
    async fn begun(&self, access: Access, settings: &str) -> Result<PooledTransaction, StoreError> {
        let begin = format!("{}; {settings}", access.statement());
        self.reached(PooledTransaction::begin(self.pool.clone(), self.options.wait, begin)).await
    }

    /// What the server answers at a transaction's begin, if it can be reached.
    async fn reached<T>(&self, begin: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, StoreError> {
        self.heard(timeout(self.options.wait, begin).await.unwrap_or(Err(sqlx::Error::PoolTimedOut)))
    }

    /// What the server answered. Where it did not, all who wait are told that it is away.
    fn heard<T>(&self, answer: Result<T, sqlx::Error>) -> Result<T, StoreError> {
        // Where all connections are in use (those of callers who left may be for a while) the server is there, only busy.
        let is_full = || self.pool.size() >= self.options.connections;
        let away = |error: &sqlx::Error| {
            let is_late = matches!(error, sqlx::Error::PoolTimedOut);
            if is_late { !is_full() } else { is_unreachable(error) }
        };
        if answer.as_ref().is_err_and(away) {
            self.shares.server_is_away();
        }
        answer.store_err()
    }
}

/// Makes the database ready with the one address there is: its user migrates and then takes the restricted role; a user
/// that is restricted itself finds everything done by another.
async fn prepare(conn: &mut PgConnection, options: &Options) -> Result<Standing, OpenError> {
    let is_there = migration::is_there(conn).await?;
    if role::exceeds(conn).await? || (!is_there && role::may_create(conn).await?) {
        migration::migrate(&options.url, options.pooler, options.steps).await?;
        role::take(conn).await?;
        return Ok(Standing::Privileged);
    }
    if !is_there {
        return Err(OpenError::Unmigrated(EVERYTHING.to_owned()));
    }
    role::check(conn, Standing::Restricted).await?;
    migration::check(conn, options.steps).await?;
    Ok(Standing::Restricted)
}
