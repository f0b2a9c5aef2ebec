//! A made-up later format that rebuilds a table that another refers to.

use std::sync::Arc;

use ports::contract::sample;
use ports::store::Store as _;
use tonne_postgres::{PostgresStore, STEPS};

use crate::database_users::DatabaseWithUsers;
use crate::format_change::{WAIT, kill_waiting};
use crate::harness::{Fresh, grant, reading, writing};
use crate::migration::{format, later, open};

/// Makes the table of switches anew, with a column more. Rows of all tenants are copied, so row-level security must not bind the
/// table's owner meanwhile.
const STATEMENTS: [&str; 8] = [
    "ALTER TABLE tonne.switch NO FORCE ROW LEVEL SECURITY;",
    "CREATE TABLE tonne.switch_new (LIKE tonne.switch INCLUDING CONSTRAINTS, length integer NOT NULL DEFAULT 0, \
     PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, sync_id));",
    "INSERT INTO tonne.switch_new SELECT *, length(name) FROM tonne.switch;",
    "ALTER TABLE tonne.switch_source DROP CONSTRAINT switch_source_tenant_id_switch_fkey; DROP TABLE tonne.switch;",
    "ALTER TABLE tonne.switch_new RENAME TO switch;",
    "ALTER TABLE tonne.switch_source ADD FOREIGN KEY (tenant_id, switch) REFERENCES tonne.switch (tenant_id, id);",
    "ALTER TABLE tonne.switch ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;",
    "CREATE POLICY tenant ON tonne.switch USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);",
];

/// Whom row-level security binds, table by table.
async fn bound(database: &DatabaseWithUsers) -> Vec<Vec<String>> {
    let query = "SELECT relname, relrowsecurity, relforcerowsecurity FROM pg_class \
                 WHERE relnamespace = 'tonne'::regnamespace AND relkind = 'r' ORDER BY 1";
    database.rows(query).await
}

#[tokio::test]
async fn a_migrator_that_is_killed_behind_any_statement_of_a_rebuild_leaves_all_as_it_was_for_the_next_one() {
    let database = DatabaseWithUsers::of(Fresh::migrated().await);
    let switch = || sample::switch(2, &[sample::id(1)]);
    {
        let store = PostgresStore::new(Arc::new(open(&database, STEPS).await.unwrap()));
        store.prepare(&grant(1)).await.unwrap();
        let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
        write.models_mut().add(sample::model(1)).await.unwrap();
        write.switches_mut().add(switch()).await.unwrap();
        write.commit().await.unwrap();
    }
    let rows = || database.rows("SELECT * FROM tonne.switch");
    let (formats, bounds, switches) = (format(&database).await, bound(&database).await, rows().await);
    assert_eq!(switches.len(), 1);
    for done in 0..=STATEMENTS.len() {
        let statements = format!("{}{WAIT};", STATEMENTS[..done].concat());
        kill_waiting(&database, later(3, statements.leak())).await;
        assert_eq!(format(&database).await, formats, "{done} statements");
        assert_eq!((bound(&database).await, rows().await), (bounds.clone(), switches.clone()), "{done} statements");
    }
    let whole = later(3, STATEMENTS.concat().leak());
    let store = PostgresStore::new(Arc::new(open(&database, whole).await.unwrap()));
    assert_eq!(bound(&database).await, bounds);
    assert_eq!(database.text("SELECT length FROM tonne.switch").await, switch().name.as_str().len().to_string());
    let references = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'tonne.switch'::regclass";
    assert_eq!(database.text(references).await, "1");
    let found = store.read(&reading(1)).await.unwrap().switches().find(sample::id(2)).await.unwrap();
    assert_eq!(found.unwrap().value, switch());
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
}
