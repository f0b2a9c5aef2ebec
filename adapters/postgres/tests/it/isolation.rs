//! Tenants are kept apart by the database itself, whatever the queries say.

use std::borrow::Cow;
use std::sync::Arc;

use ports::contract::sample;
use ports::import_batch::ImportBatch;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::spool::{Spool as _, SpoolPart};
use ports::store::Store as _;
use ports::{ImportId, StagedId};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};
use tonne_postgres::{PostgresSpool, PostgresStore};

use crate::harness::{Fresh, grant, options, reading, tenant, writing};

/// A database in which two tenants have a row in every table, and a superuser's connection to it.
pub(crate) async fn two_tenants() -> (Fresh, PgConnection) {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    let spool = PostgresSpool::new(fresh.database_with(options(fresh.url())).await);
    for number in [1, 2] {
        fill(&store, number).await;
        let staged = StagedId::new(sample::id(1));
        spool.add(&writing(number), staged, "{}", 9).await.unwrap();
        spool.put_chunk(&writing(number), staged, SpoolPart::File, 0, b"a".into()).await.unwrap();
    }
    let conn = fresh.superuser().await;
    (fresh, conn)
}

async fn fill(store: &PostgresStore, number: u64) {
    store.prepare(&grant(number)).await.unwrap();
    let mut tx = store.write(&writing(number), sample::intent()).await.unwrap();
    // Ids are the same for both tenants: nothing but the tenant tells their rows apart.
    tx.scopes_mut().add(sample::scope(1)).await.unwrap();
    tx.orgs_mut().add(sample::org(1)).await.unwrap();
    tx.taxonomies_mut().add(sample::taxonomy(1, "a")).await.unwrap();
    let product = tx.products_mut().add(sample::product(1)).await.unwrap().value;
    let factor = tx.factors_mut().add(sample::factor(1, &product, "2025-01-01")).await.unwrap().value;
    let model = tx.models_mut().add(sample::filled_model(1)).await.unwrap().value;
    tx.inputs_mut().add(sample::filled_input(1, &model, &product, &factor)).await.unwrap();
    tx.switches_mut().add(sample::switch(1, &[model.id])).await.unwrap();
    tx.footprints_mut().add(sample::filled_footprint(1)).await.unwrap();
    tx.closed_periods_mut().add(sample::closed_period(1)).await.unwrap();
    tx.exclusions_mut().add(sample::exclusion(1)).await.unwrap();
    tx.partners_mut().add(sample::partner(1)).await.unwrap();
    tx.sharings_mut().add(sample::sharing(1)).await.unwrap();
    tx.exchange_mut().put(sample::exchange_row(1)).await.unwrap();
    tx.activities_mut().add(sample::filled_activity(1)).await.unwrap();
    tx.ledger_mut().note_lines(vec![2]).await.unwrap();
    let gone = tx.products_mut().add(sample::product(2)).await.unwrap();
    tx.products_mut().remove(gone.value.id, gone.version).await.unwrap();
    let request = KeyedRequest::new(RequestKey::new("key:1", "POST /v1/org", "k"), "", b"{}");
    let answer = FirstAnswer { status: 201, location: None, etag: None, body: b"{}".to_vec() };
    tx.answers_mut().add(request, answer).await.unwrap();
    let import = ImportId::new(sample::id(1));
    let import = ImportBatch::begin(import, "rows.csv".to_owned(), "key:1".to_owned(), sample::at(0), None);
    tx.imports_mut().put(import).await.unwrap();
    let revision = tx.commit().await.unwrap().revision();
    let mut read = store.read(&reading(number)).await.unwrap();
    let cells = ports::ledger::cells(read.ledger()).await.unwrap().cube();
    store.checkpoint(&grant(number), revision, Arc::new(cells)).await.unwrap();
}

/// Runs what a transaction of the store begins with, for that tenant or for none.
pub(crate) async fn begin(conn: &mut PgConnection, of: Option<u64>) {
    let named = of.map(|number| format!("SET LOCAL app.tenant = '{}'", tenant(number))).unwrap_or_default();
    run(conn, &format!("BEGIN; SET LOCAL ROLE tonne_app; {named}")).await.unwrap();
}

pub(crate) async fn run(conn: &mut PgConnection, text: &str) -> Result<u64, sqlx::Error> {
    sqlx::raw_sql(AssertSqlSafe(text)).execute(conn).await.map(|done| done.rows_affected())
}

/// The first column of each row.
pub(crate) async fn texts(conn: &mut PgConnection, text: &str) -> Vec<String> {
    let rows = sqlx::raw_sql(AssertSqlSafe(text)).fetch_all(conn).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Every table of tenants' records.
pub(crate) async fn tables(conn: &mut PgConnection) -> Vec<String> {
    let tables = texts(conn, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'tonne' ORDER BY 1").await;
    assert_eq!(tables.len(), 33, "{tables:?}");
    tables
}

/// Those whose rows the role may change.
async fn changeable(conn: &mut PgConnection) -> Vec<String> {
    let (mut tables, history) = (tables(conn).await, crate::history::tables(conn).await);
    tables.retain(|table| !history.contains(&format!("tonne.{table}")));
    tables
}

/// Whether the error is a refusal by a policy.
fn is_refused(error: &sqlx::Error) -> bool {
    let message = error.as_database_error().map(ToString::to_string).unwrap_or_default();
    message.contains("row-level security policy") || message.contains("row level security policy")
}

#[tokio::test]
async fn a_query_without_its_tenant_sees_the_tenant_of_the_transaction_alone() {
    let (_fresh, mut conn) = two_tenants().await;
    for table in tables(&mut conn).await {
        let all = texts(&mut conn, &format!("SELECT DISTINCT tenant_id::text FROM tonne.{table} ORDER BY 1")).await;
        assert_eq!(all, [tenant(1).to_string(), tenant(2).to_string()], "{table} as its owner sees it");
        for number in [1, 2] {
            begin(&mut conn, Some(number)).await;
            let seen = texts(&mut conn, &format!("SELECT DISTINCT tenant_id::text FROM tonne.{table}")).await;
            run(&mut conn, "ROLLBACK").await.unwrap();
            assert_eq!(seen, [tenant(number).to_string()], "{table}");
        }
    }
}

#[tokio::test]
async fn a_transaction_without_a_tenant_sees_nothing() {
    let (_fresh, mut conn) = two_tenants().await;
    for table in tables(&mut conn).await {
        begin(&mut conn, None).await;
        let seen = texts(&mut conn, &format!("SELECT tenant_id::text FROM tonne.{table}")).await;
        run(&mut conn, "ROLLBACK").await.unwrap();
        assert_eq!(seen, Vec::<String>::new(), "{table}");
    }
}

#[tokio::test]
async fn a_transaction_after_one_with_a_tenant_sees_nothing_without_its_own() {
    let (_fresh, mut conn) = two_tenants().await;
    begin(&mut conn, Some(1)).await;
    run(&mut conn, "COMMIT").await.unwrap();
    begin(&mut conn, None).await;
    // What a tenant has set is an empty text now, not nothing.
    assert_eq!(texts(&mut conn, "SELECT current_setting('app.tenant', true)").await, [""]);
    assert_eq!(texts(&mut conn, "SELECT tenant_id::text FROM tonne.head").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_row_of_another_tenant_cannot_be_added() {
    let (_fresh, mut conn) = two_tenants().await;
    for table in tables(&mut conn).await {
        begin(&mut conn, Some(1)).await;
        // The same rows under the other tenant's name: refused before any key is compared.
        let copy = format!(
            "CREATE TEMPORARY TABLE copy ON COMMIT DROP AS SELECT * FROM tonne.{table}; \
             UPDATE copy SET tenant_id = '{}'; INSERT INTO tonne.{table} SELECT * FROM copy",
            tenant(2)
        );
        let error = run(&mut conn, &copy).await.unwrap_err();
        run(&mut conn, "ROLLBACK").await.unwrap();
        assert!(is_refused(&error), "{table}: {error}");
    }
}

#[tokio::test]
async fn a_row_cannot_be_given_to_another_tenant() {
    let (_fresh, mut conn) = two_tenants().await;
    for table in changeable(&mut conn).await {
        begin(&mut conn, Some(1)).await;
        let give = format!("UPDATE tonne.{table} SET tenant_id = '{}'", tenant(2));
        let error = run(&mut conn, &give).await.unwrap_err();
        run(&mut conn, "ROLLBACK").await.unwrap();
        assert!(is_refused(&error), "{table}: {error}");
    }
}

#[tokio::test]
async fn rows_of_another_tenant_are_neither_changed_nor_removed() {
    let (_fresh, mut conn) = two_tenants().await;
    for table in changeable(&mut conn).await {
        let whole = format!("SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM tonne.{table} AS t");
        let theirs = format!("{whole} WHERE tenant_id = '{}'", tenant(2));
        let before = texts(&mut conn, &theirs).await;
        // Other tables that refer to its rows would be in the way otherwise.
        run(&mut conn, "BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL ROLE tonne_app").await.unwrap();
        run(&mut conn, &format!("SET LOCAL app.tenant = '{}'", tenant(1))).await.unwrap();
        let own: i64 = texts(&mut conn, &format!("SELECT count(*)::text FROM tonne.{table}")).await[0].parse().unwrap();
        let changed = run(&mut conn, &format!("UPDATE tonne.{table} SET tenant_id = tenant_id")).await.unwrap();
        let removed = run(&mut conn, &format!("DELETE FROM tonne.{table}")).await.unwrap();
        run(&mut conn, "COMMIT").await.unwrap();
        let own = u64::try_from(own).unwrap();
        assert_eq!((changed, removed), (own, own), "{table}: of the own rows");
        assert_eq!(texts(&mut conn, &theirs).await, before, "{table}");
    }
}

#[tokio::test]
async fn a_superusers_connection_is_bound_once_it_has_taken_the_role() {
    let (_fresh, mut conn) = two_tenants().await;
    let who = "SELECT rolsuper::text FROM pg_roles WHERE rolname = current_user";
    assert_eq!(texts(&mut conn, who).await, ["true"]);
    assert_eq!(texts(&mut conn, "SELECT tenant_id::text FROM tonne.head").await.len(), 2);
    begin(&mut conn, Some(1)).await;
    assert_eq!(texts(&mut conn, who).await, ["false"]);
    assert_eq!(texts(&mut conn, "SELECT tenant_id::text FROM tonne.head").await, [tenant(1).to_string()]);
    run(&mut conn, "COMMIT").await.unwrap();
}

#[tokio::test]
async fn the_role_can_neither_change_tables_nor_switch_their_policies_off() {
    let (_fresh, mut conn) = two_tenants().await;
    for statement in [
        "ALTER TABLE tonne.activity DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON tonne.activity",
        "CREATE POLICY all_of_them ON tonne.activity USING (true)",
        "TRUNCATE tonne.activity",
        "CREATE TABLE tonne.other (tenant_id uuid)",
        "CREATE SCHEMA other",
    ] {
        begin(&mut conn, Some(1)).await;
        let error = run(&mut conn, statement).await.unwrap_err();
        run(&mut conn, "ROLLBACK").await.unwrap();
        let code = error.as_database_error().and_then(|error| error.code().map(Cow::into_owned));
        assert_eq!(code.as_deref(), Some("42501"), "{statement}: {error}");
    }
    // And with row-level security off it gets an error, not the rows.
    begin(&mut conn, Some(1)).await;
    let error = run(&mut conn, "SET LOCAL row_security = off; SELECT * FROM tonne.activity").await.unwrap_err();
    assert!(is_refused(&error), "{error}");
    conn.close().await.unwrap();
}

#[tokio::test]
async fn uniqueness_and_references_are_within_a_tenant() {
    // Both tenants hold the same ids and syncIds; what one refers to is its own.
    let (_fresh, mut conn) = two_tenants().await;
    let text = "SELECT conrelid::regclass::text || ' ' || conname FROM pg_constraint \
                JOIN pg_class ON pg_class.oid = conrelid WHERE relnamespace = 'tonne'::regnamespace \
                AND contype IN ('p', 'u', 'f') AND NOT conkey @> ARRAY[(SELECT attnum FROM pg_attribute \
                WHERE attrelid = conrelid AND attname = 'tenant_id')]";
    assert_eq!(texts(&mut conn, text).await, Vec::<String>::new());
    let text = "SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid \
                WHERE relnamespace = 'tonne'::regnamespace AND indkey[0] <> (SELECT attnum FROM pg_attribute \
                WHERE attrelid = indrelid AND attname = 'tenant_id')";
    assert_eq!(texts(&mut conn, text).await, Vec::<String>::new());
}
