//! `deploy/citus.sql`, run by `psql` on a migrated database whose cluster is made up: each call of a function of Citus is noted.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tonne_postgres::Database;

use crate::harness::options;
use crate::temporary_server::TemporaryServer;

/// What the script asks of Citus.
const CLUSTER: &str = r#"
CREATE TABLE public.pg_dist_partition (logicalrelid regclass, partmethod "char");
CREATE TABLE public.called (number serial, what text, about text);
CREATE TABLE public.worker (nodename text, nodeport int, success boolean, result text);
INSERT INTO public.worker VALUES ('one', 5432, true, 't'), ('two', 5433, true, 't');
CREATE FUNCTION public.create_distributed_table(subject regclass, column_name text, colocate_with text) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO public.pg_dist_partition VALUES (subject, 'h');
    INSERT INTO public.called (what, about) VALUES ('distribute by ' || column_name || ' with ' || colocate_with, subject::text);
$$;
CREATE FUNCTION public.undistribute_table(subject regclass, cascade_via_foreign_keys boolean) RETURNS void
LANGUAGE sql AS $$
    DELETE FROM public.pg_dist_partition WHERE logicalrelid = subject;
    INSERT INTO public.called (what, about) VALUES ('undistribute', subject::text);
$$;
CREATE FUNCTION public.truncate_local_data_after_distributing_table(subject regclass) RETURNS void
LANGUAGE sql AS $$ INSERT INTO public.called (what, about) VALUES ('truncate', subject::text) $$;
CREATE FUNCTION public.run_command_on_workers(command text)
RETURNS TABLE (nodename text, nodeport int, success boolean, result text) LANGUAGE sql AS $$
    INSERT INTO public.called (what, about) VALUES ('on workers', command);
    SELECT nodename, nodeport, success, result FROM public.worker;
$$;
"#;

/// A migrated database on a cluster that is made up.
struct Cluster {
    server: TemporaryServer,
    conn: PgConnection,
}

impl Cluster {
    async fn new() -> Self {
        let server = TemporaryServer::new();
        drop(Database::open(options(server.url().to_owned())).await.unwrap());
        let mut conn = PgConnection::connect(server.url()).await.unwrap();
        sqlx::raw_sql(CLUSTER).execute(&mut conn).await.unwrap();
        Self { server, conn }
    }

    async fn run(&mut self, statements: &str) {
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut self.conn).await.unwrap();
    }

    /// Runs the script as the documentation says.
    fn script(&self) -> Output {
        let psql = std::env::var("PG_BIN").map_or_else(|_| "psql".to_owned(), |folder| format!("{folder}/psql"));
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/citus.sql");
        Command::new(psql).args(["--no-psqlrc", "--file", script, self.server.url()]).output().unwrap()
    }

    /// Runs it to a good end.
    fn script_ok(&self) -> String {
        let output = self.script();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the calls were about whose name begins so, in order.
    async fn called(&mut self, what: &str) -> Vec<(String, String)> {
        let query = format!("SELECT what, about FROM public.called WHERE what LIKE '{what}%' ORDER BY number");
        sqlx::query_as(AssertSqlSafe(query)).fetch_all(&mut self.conn).await.unwrap()
    }

    async fn texts(&mut self, query: &str) -> Vec<String> {
        sqlx::query_scalar(AssertSqlSafe(query)).fetch_all(&mut self.conn).await.unwrap()
    }

    /// The tables of companies.
    async fn tables(&mut self) -> Vec<String> {
        let query = "SELECT attrelid::regclass::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid \
                     WHERE attname = 'tenant_id' AND relkind IN ('r', 'p') AND NOT relispartition \
                     AND relnamespace = 'tonne'::regnamespace";
        self.texts(query).await
    }
}

#[tokio::test]
async fn every_table_of_companies_is_distributed_the_head_first_and_each_behind_those_it_refers_to() {
    let mut cluster = Cluster::new().await;
    let printed = cluster.script_ok();
    let distributed = cluster.called("distribute").await;
    let first = ("distribute by tenant_id with none".to_owned(), "tonne.head".to_owned());
    assert_eq!(distributed[0], first);
    assert!(
        distributed[1..].iter().all(|(how, _)| how == "distribute by tenant_id with tonne.head"),
        "{distributed:?}"
    );
    let order: Vec<String> = distributed.into_iter().map(|(_, table)| table).collect();
    let tables: BTreeSet<String> = cluster.tables().await.into_iter().collect();
    assert!(tables.len() > 10 && order.len() == tables.len(), "{order:?}");
    assert_eq!(order.iter().cloned().collect::<BTreeSet<_>>(), tables);
    let references = "SELECT conrelid::regclass || ' ' || confrelid::regclass FROM pg_constraint \
                      WHERE contype = 'f' AND conrelid <> confrelid AND connamespace = 'tonne'::regnamespace";
    let place = |table: &str| order.iter().position(|known| known == table);
    for reference in cluster.texts(references).await {
        let (from, to) = reference.split_once(' ').unwrap();
        assert!(place(to) < place(from), "{reference}");
    }
    for table in tables {
        let line = printed.lines().find(|line| line.trim_start().starts_with(&format!("{table} "))).unwrap();
        assert!(line.ends_with("| distributed"), "{line}");
    }
}

#[tokio::test]
async fn the_directory_stays_on_the_coordinator_and_comes_back_to_it() {
    let mut cluster = Cluster::new().await;
    cluster.script_ok();
    let is_directory = |call: &(String, String)| call.1.starts_with("tonne_directory.");
    let all = cluster.called("").await;
    assert!(!all.iter().any(is_directory), "{all:?}");
    cluster
        .run(
            "INSERT INTO public.pg_dist_partition VALUES ('tonne_directory.key', 'n'), ('tonne_directory.client', 'n')",
        )
        .await;
    cluster.script_ok();
    let mut back: Vec<_> = cluster.called("undistribute").await.into_iter().map(|(_, table)| table).collect();
    back.sort();
    assert_eq!(back, ["tonne_directory.client", "tonne_directory.key"]);
}

#[tokio::test]
async fn what_is_left_on_the_coordinator_is_truncated_once_for_each_table_the_head_last() {
    let mut cluster = Cluster::new().await;
    cluster.script_ok();
    let truncated: Vec<_> = cluster.called("truncate").await.into_iter().map(|(_, table)| table).collect();
    assert_eq!(truncated.last().unwrap(), "tonne.head");
    let once: BTreeSet<_> = truncated.iter().cloned().collect();
    assert_eq!((once.len(), once), (truncated.len(), cluster.tables().await.into_iter().collect()));
}

#[tokio::test]
async fn what_is_distributed_already_stays_as_it_is() {
    let mut cluster = Cluster::new().await;
    cluster.script_ok();
    let first = cluster.called("distribute").await;
    cluster.script_ok();
    assert_eq!(cluster.called("distribute").await, first);
}

#[tokio::test]
async fn a_worker_where_the_role_may_not_use_the_tables_fails_the_script_and_is_named() {
    let mut cluster = Cluster::new().await;
    cluster.script_ok();
    let [(_, asked)] = &cluster.called("on workers").await[..] else { panic!("asked once") };
    for part in
        ["has_schema_privilege('tonne_app', 'tonne', 'USAGE')", "has_database_privilege('tonne_app', 'postgres'"]
    {
        assert!(asked.contains(part), "{asked}");
    }
    for (wrong, told) in [
        ("success = true, result = 'f'", "tonne_app may not use the tables on two:5433 (f)"),
        ("success = false, result = 'away'", "tonne_app may not use the tables on two:5433 (away)"),
    ] {
        cluster.run(&format!("UPDATE public.worker SET {wrong} WHERE nodename = 'two'")).await;
        let output = cluster.script();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains(told), "{stderr}");
    }
}
