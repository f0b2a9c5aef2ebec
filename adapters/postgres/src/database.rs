//! A database that is open: its connections, and how transactions begin.

use std::time::Duration;

use domain::TenantId;
use ports::store::StoreError;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};

use crate::conn::{Conn, TenantConn};
use crate::error::{Meaning as _, OpenError, failed};
use crate::migration::{self, Step};
use crate::options::Options;
use crate::role::{self, Standing};
use crate::setup::{connect, connect_options};
use crate::share::Shares;
use crate::sound;

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
    /// `SET LOCAL` statements.
    settings: String,
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
        let mut conn = connect(&service).await?;
        let standing = match &options.migrator_url {
            Some(url) => {
                let mut owner = connect(&connect_options(url, options.pooler)?).await?;
                migration::migrate(&mut owner, options.steps).await?;
                role::admit(&mut conn, &mut owner).await?;
                Standing::Restricted
            }
            None => prepare(&mut conn, options.steps).await?,
        };
        Self::over(conn, service, standing, options).await
    }

    /// The same for a look at the database as it is: nothing is made, migrated or granted.
    pub async fn inspect(options: Options) -> Result<Self, OpenError> {
        let service = connect_options(&options.url, options.pooler)?;
        let mut conn = connect(&service).await?;
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
        sound::check(&mut conn).await?;
        let distributed = sound::is_distributed(&mut conn).await?;
        let bulk = if distributed {
            Bulk::Rows
        } else if role::lacks_temporary(&mut conn, standing).await? {
            tracing::warn!("imports are slow: the service's role lacks the TEMPORARY privilege on the database");
            Bulk::Rows
        } else {
            Bulk::Temporary
        };
        let pool = PgPoolOptions::new()
            .max_connections(options.connections)
            .acquire_timeout(options.wait)
            .connect_lazy_with(service);
        let shares = Shares::new(options.connections_per_tenant.min(options.connections));
        let begin = Begin::new(standing, distributed, options.statement);
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

    /// A snapshot of a tenant's rows.
    pub(crate) async fn read(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let held = self.shares.reader(tenant, self.options.wait).await?;
        let text = format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {}SET LOCAL app.tenant = '{tenant}'",
            self.begin.settings
        );
        let tx = self.pool.begin_with(AssertSqlSafe(text)).await.meant()?;
        Ok(TenantConn::new(Conn::new(tx, self.options.pooler, Some(held)), tenant))
    }

    /// A transaction that writes a tenant's rows. It waits behind the tenant's other writers on this node.
    pub(crate) async fn write(&self, tenant: TenantId) -> Result<TenantConn, StoreError> {
        let Options { turn, wait, .. } = self.options;
        let held = self.shares.writer(tenant, turn, wait).await?;
        let text = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; {}SET LOCAL lock_timeout = {}; SET LOCAL app.tenant = '{tenant}'",
            self.begin.settings,
            turn.as_millis()
        );
        let tx = self.pool.begin_with(AssertSqlSafe(text)).await.meant()?;
        Ok(TenantConn::new(Conn::new(tx, self.options.pooler, Some(held)), tenant))
    }

    /// A snapshot of the directory, which belongs to no tenant. No tenant's rows are seen in it.
    pub(crate) async fn read_directory(&self) -> Result<Conn, StoreError> {
        self.directory("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
    }

    /// A transaction that writes the directory.
    pub(crate) async fn write_directory(&self) -> Result<Conn, StoreError> {
        self.directory("BEGIN ISOLATION LEVEL READ COMMITTED").await
    }

    /// The directory's version, by one message to the server.
    pub(crate) async fn directory_version(&self) -> Result<u64, StoreError> {
        let row = sqlx::raw_sql("SELECT number FROM tonne_directory.head").fetch_one(&self.pool).await.meant()?;
        let number: i64 = row.try_get(0).meant()?;
        u64::try_from(number).map_err(|_| failed(format!("{number} is no version")))
    }

    async fn directory(&self, begin: &str) -> Result<Conn, StoreError> {
        let text = format!("{begin}; {}SET LOCAL lock_timeout = 5000", self.begin.settings);
        let tx = self.pool.begin_with(AssertSqlSafe(text)).await.meant()?;
        Ok(Conn::new(tx, self.options.pooler, None))
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
    fn new(standing: Standing, distributed: bool, statement: Duration) -> Self {
        let role = standing.take();
        // Before all else: it carries what follows to the workers.
        let carry = if distributed { "SET LOCAL citus.propagate_set_commands = 'local'; " } else { "" };
        let settings = format!("{carry}{role}SET LOCAL statement_timeout = {}; ", statement.as_millis());
        Self { settings }
    }
}
