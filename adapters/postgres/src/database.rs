//! A database that is open: its connections, and how transactions begin.

use std::time::Duration;

use ports::TenantId;
use ports::store::StoreError;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};
use tokio::time::timeout;

use crate::conn::{Conn, TenantConn};
use crate::connection_slots::{Held, Shares};
use crate::error::{OpenError, StoreErr as _, failed, is_unreachable};
use crate::migration::{self, Step};
use crate::options::Options;
use crate::pooled_transaction::PooledTransaction;
use crate::role::{self, Standing};
use crate::row_security;
use crate::setup::{connect, connect_options};

/// A database that is open, migrated and found sound. Clones share its connections.
#[derive(Debug)]
pub struct Database {
    pool: PgPool,
    options: Options,
    begin: Begin,
    bulk: Bulk,
    shares: Shares,
}

/// What transactions begin with, beside their tenant.
#[derive(Debug)]
struct Begin {
    /// The `SET LOCAL` statements of every transaction.
    settings: String,
    spread: Spread,
}

/// Where the tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    /// On the server that is connected to.
    Here,
    /// On the workers of a cluster (Citus).
    Workers,
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

/// How transactions begin that read.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// How transactions begin that write.
const TURN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

impl Database {
    /// Opens the database: migrates it where it may, and checks that nothing but row-level security decides what a
    /// transaction sees.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        let service = connect_options(&options.url, options.pooler)?;
        let mut conn = connect(&service, options.pooler).await?;
        let standing = match &options.migrator_url {
            Some(url) => {
                let mut owner = connect(&connect_options(url, options.pooler)?, options.pooler).await?;
                migration::migrate(&mut owner, options.steps).await?;
                role::admit(&mut conn, &mut owner).await?;
                Standing::Restricted
            }
            None => prepare(&mut conn, options.steps).await?,
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
            role::check_login(&mut conn, standing).await?;
            Bulk::Rows
        } else if role::lacks_temporary(&mut conn, standing).await? {
            tracing::warn!("imports are slow: the service's role lacks the TEMPORARY privilege on the database");
            Bulk::Rows
        } else {
            Bulk::Temporary
        };
        let pool = PgPoolOptions::new()
            .max_connections(options.connections)
            // A connection that is not there any more is found by its first message.
            .test_before_acquire(false)
            .acquire_timeout(options.wait)
            .connect_lazy_with(service);
        let shares = Shares::new(options.connections, options.connections_per_tenant);
        let begin = Begin::new(standing, spread, options.statement);
        Ok(Self { pool, options, begin, bulk, shares })
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

    /// The connections.
    pub(crate) const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Whether the tables are on the server that is connected to.
    pub(crate) fn is_on_one_server(&self) -> bool {
        self.begin.spread == Spread::Here
    }

    /// What sets a tenant, where that can stand in one message with what needs it.
    pub(crate) fn settings_in_one_message(&self, tenant: TenantId) -> Option<String> {
        self.is_on_one_server().then(|| self.begin.of_tenant("", tenant))
    }

    /// A place among the connections for a reader of a tenant's rows.
    pub(crate) async fn place_to_read(&self, tenant: TenantId) -> Result<Held, StoreError> {
        self.shares.reader(tenant, self.options.wait).await
    }

    /// A snapshot of a tenant's rows.
    pub(crate) async fn read(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let held = self.place_to_read(tenant).await?;
        let tx = self.begin(SNAPSHOT, &self.begin.of_tenant("", tenant)).await?;
        Ok(TenantConn::new(Conn::new(tx, &self.options, held), tenant))
    }

    /// A transaction that writes a tenant's rows. It waits behind the tenant's other writers on this node.
    pub(crate) async fn write(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let Options { turn, wait, .. } = self.options;
        let held = self.shares.writer(tenant, turn, wait).await?;
        self.writing(tenant, turn, held).await
    }

    /// A transaction that writes rows of a tenant beside its writers: it takes no turn, and must lock nothing that they do.
    pub(crate) async fn write_aside(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let Options { turn, wait, .. } = self.options;
        let held = self.shares.reader(tenant, wait).await?;
        self.writing(tenant, turn, held).await
    }

    async fn writing(&self, tenant: TenantId, turn: Duration, held: Held) -> Result<TenantConn, StoreError> {
        let patience = format!("SET LOCAL lock_timeout = {}; ", turn.as_millis());
        let tx = self.begin(TURN, &self.begin.of_tenant(&patience, tenant)).await?;
        Ok(TenantConn::new(Conn::new(tx, &self.options, held), tenant))
    }

    /// A snapshot of the directory, which belongs to no tenant. No tenant's rows are seen in it.
    pub(crate) async fn read_directory(&self) -> Result<Conn, StoreError> {
        self.directory(SNAPSHOT).await
    }

    /// A transaction that writes the directory.
    pub(crate) async fn write_directory(&self) -> Result<Conn, StoreError> {
        self.directory(TURN).await
    }

    /// The directory's version, by one message to the server.
    pub(crate) async fn directory_version(&self) -> Result<u64, StoreError> {
        let _held = self.shares.anyone(self.options.wait).await?;
        let rows = self.first_answer("SELECT number FROM tonne_directory.head").await?;
        let row = rows.first().ok_or_else(|| failed("the directory has no head"))?;
        let number: i64 = row.try_get(0).store_err()?;
        u64::try_from(number).map_err(|_| failed(format!("{number} is no version")))
    }

    async fn directory(&self, begin: &'static str) -> Result<Conn, StoreError> {
        let settings = format!("{}SET LOCAL lock_timeout = {}", self.begin.settings, self.options.turn.as_millis());
        let held = self.shares.anyone(self.options.wait).await?;
        let tx = self.begin(begin, &settings).await?;
        Ok(Conn::new(tx, &self.options, held))
    }

    async fn begin(&self, begin: &'static str, settings: &str) -> Result<PooledTransaction, StoreError> {
        let pool = self.pool.clone();
        match self.begin.spread {
            Spread::Here => self.reached(PooledTransaction::begin(pool, format!("{begin}; {settings}"))).await,
            // A setting is carried to the workers with the whole message that it is in.
            Spread::Workers => {
                let mut tx = self.reached(PooledTransaction::begin(pool, begin.to_owned())).await?;
                self.reached(sqlx::raw_sql(AssertSqlSafe(settings)).execute(&mut *tx)).await?;
                Ok(tx)
            }
        }
    }

    /// What the server answers at a transaction's begin, if it can be reached.
    pub(crate) async fn reached<T>(
        &self,
        begin: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let begun = timeout(self.options.wait, begin).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        // Where all connections are in use (those of callers who left may be for a while) the server is there, only busy.
        let is_full = || self.pool.size() >= self.options.connections;
        let away = |error: &sqlx::Error| {
            let is_late = matches!(error, sqlx::Error::PoolTimedOut);
            if is_late { !is_full() } else { is_unreachable(error) }
        };
        if begun.as_ref().is_err_and(away) {
            self.shares.server_is_away();
        }
        begun.store_err()
    }
}

/// Makes the database ready with the one address there is: its user migrates and then takes the restricted role; a user
/// that is restricted itself finds everything done by another.
async fn prepare(conn: &mut PgConnection, steps: &[Step]) -> Result<Standing, OpenError> {
    let is_there = migration::is_there(conn).await?;
    if role::exceeds(conn).await? || (!is_there && role::may_create(conn).await?) {
        migration::migrate(conn, steps).await?;
        role::take(conn).await?;
        return Ok(Standing::Privileged);
    }
    if !is_there {
        return Err(OpenError::Unmigrated(EVERYTHING.to_owned()));
    }
    role::check(conn, Standing::Restricted).await?;
    migration::check(conn, steps).await?;
    Ok(Standing::Restricted)
}

impl Begin {
    fn new(standing: Standing, spread: Spread, statement: Duration) -> Self {
        // Nobody's function in another schema is taken for one of the server's own.
        let path = "SET LOCAL search_path = pg_catalog, pg_temp; ";
        let settings = format!("{path}{}SET LOCAL statement_timeout = {}; ", standing.take(), statement.as_millis());
        Self { settings, spread }
    }

    /// What the transactions of a tenant begin with.
    fn of_tenant(&self, more: &str, tenant: TenantId) -> String {
        let carry = match self.spread {
            Spread::Here => "",
            // Last but one: from there on each setting is carried, once with all those before it.
            Spread::Workers => "SET LOCAL citus.propagate_set_commands = 'local'; ",
        };
        format!("{}{more}{carry}SET LOCAL app.tenant = '{tenant}'", self.settings)
    }
}
