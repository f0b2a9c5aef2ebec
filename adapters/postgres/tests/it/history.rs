//! History is added to and read: no role of the service changes it, but for texts that are blanked, by a function alone.

use ports::RecordKind;
use ports::contract::sample;
use ports::ledger::texts as texts_of;
use ports::store::Store as _;
use sqlx::PgConnection;

use crate::harness::{grant, reading, tenant, writing};
use crate::isolation::{begin, run, texts, two_tenants};

/// The tables of history, by what the database says of them: those of changes, and those whose rows name the change that
/// they belong to.
pub(crate) async fn tables(conn: &mut PgConnection) -> Vec<String> {
    let text = "SELECT DISTINCT relnamespace::regnamespace::text || '.' || relname FROM pg_class \
                JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped \
                WHERE relnamespace IN ('tonne'::regnamespace, 'tonne_directory'::regnamespace) AND relkind IN ('r', 'p') \
                AND (relname = 'change' OR attname = 'change') ORDER BY 1";
    let tables = texts(conn, text).await;
    assert!(tables.len() >= 7, "{tables:?}");
    tables
}

/// The role that the service takes for a table.
fn role(table: &str) -> &'static str {
    if table.starts_with("tonne_directory.") { "tonne_directory" } else { "tonne_app" }
}

#[tokio::test]
async fn a_table_of_history_can_be_added_to_and_read_and_nothing_else() {
    let (_fresh, mut conn) = two_tenants().await;
    for table in tables(&mut conn).await {
        let (role, own) = (role(&table), tenant(1));
        let column = if table.ends_with(".change") { "number" } else { "change" };
        for statement in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table}"),
        ] {
            run(&mut conn, &format!("BEGIN; SET LOCAL ROLE {role}; SET LOCAL app.tenant = '{own}'")).await.unwrap();
            let refused = run(&mut conn, &statement).await.unwrap_err();
            let code = refused.as_database_error().and_then(sqlx::error::DatabaseError::code);
            assert_eq!(code.as_deref(), Some("42501"), "{statement}: {refused}");
            run(&mut conn, "ROLLBACK").await.unwrap();
        }
        let may = format!(
            "SELECT (has_table_privilege('{role}', '{table}', 'SELECT') AND \
             has_table_privilege('{role}', '{table}', 'INSERT'))::text"
        );
        assert_eq!(texts(&mut conn, &may).await, ["true"], "{table}");
    }
}

#[tokio::test]
async fn no_table_but_those_of_history_and_of_migrations_is_kept_from_changes() {
    let (_fresh, mut conn) = two_tenants().await;
    let mut expected = tables(&mut conn).await;
    expected.push("tonne_directory.migration".to_owned());
    let text = "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('tonne', 'tonne_directory') \
                ORDER BY 1";
    let mut kept = Vec::new();
    for table in texts(&mut conn, text).await {
        let may =
            ["UPDATE", "DELETE"].map(|right| format!("has_table_privilege('{}', '{table}', '{right}')", role(&table)));
        if texts(&mut conn, &format!("SELECT ({})::text", may.join(" AND "))).await != ["true"] {
            kept.push(table);
        }
    }
    expected.sort();
    kept.sort();
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn a_company_that_is_removed_takes_its_history_and_leaves_the_others() {
    let (fresh, mut conn) = two_tenants().await;
    let store = fresh.store().await;
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
    store.remove(&grant(1), 1).await.unwrap();
    for table in crate::isolation::tables(&mut conn).await {
        let left = format!("SELECT count(*)::text FROM tonne.{table} WHERE tenant_id = '{}'", tenant(1));
        assert_eq!(texts(&mut conn, &left).await, ["0"], "{table}");
    }
    assert_eq!(store.verify(&grant(2)).await.unwrap().findings, []);
}

#[tokio::test]
async fn the_function_that_blanks_texts_refuses_all_but_the_place_of_a_whole_text() {
    let (fresh, mut conn) = two_tenants().await;
    let store = fresh.store().await;
    let mut tx = store.write(&writing(1), sample::intent()).await.unwrap();
    let seen = tx.products().find(sample::id(1)).await.unwrap().unwrap();
    tx.products_mut().update(seen.value.with_name(sample::name("Other")), seen.version).await.unwrap();
    tx.commit().await.unwrap();
    let mut read = store.read(&reading(1)).await.unwrap();
    let places = texts_of(read.ledger(), RecordKind::Product, sample::uuid(1)).await.unwrap().unwrap();
    drop(read);
    let (change, part) = (places[0].part.change, places[0].part.part);
    let (first, behind) = (places[0].bytes.start, places[0].bytes.end);
    let whole = format!("{change}, {part}, {first}, {behind}");
    let all = "SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM tonne.change_items AS t";
    let before = texts(&mut conn, all).await;
    for (who, arguments) in [
        (Some(1), format!("{}, {part}, {first}, {behind}", change + 1)),
        (Some(1), format!("{change}, {}, {first}, {behind}", part + 1)),
        (Some(1), format!("{change}, {part}, {}, {behind}", first + 1)),
        (Some(1), format!("{change}, {part}, {first}, {}", behind - 1)),
        (Some(1), format!("{change}, {part}, {first}, {}", behind + 1)),
        (Some(1), format!("{change}, {part}, {first}, {first}")),
        (Some(1), format!("{change}, {part}, {behind}, {first}")),
        // The digest that names the text, with it.
        (Some(1), format!("{change}, {part}, {}, {behind}", first - 32)),
        (Some(1), format!("{change}, {part}, 0, {behind}")),
        (Some(1), format!("{change}, {part}, -1, {behind}")),
        (Some(1), format!("{change}, {part}, {first}, {}", i32::MAX)),
        (Some(1), format!("NULL, {part}, {first}, {behind}")),
        (Some(1), format!("{change}, NULL, {first}, {behind}")),
        (Some(1), format!("{change}, {part}, NULL, {behind}")),
        (Some(1), format!("{change}, {part}, {first}, NULL")),
        // Under another company's name, and under none.
        (Some(2), whole.clone()),
        (None, whole.clone()),
    ] {
        begin(&mut conn, who).await;
        let blanked = texts(&mut conn, &format!("SELECT tonne.blank_text({arguments})::text")).await;
        run(&mut conn, "COMMIT").await.unwrap();
        assert_eq!(blanked, ["false"], "{who:?}: {arguments}");
    }
    assert_eq!(texts(&mut conn, all).await, before);
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
    // The right ones, so that the others are refused for what is wrong with them.
    begin(&mut conn, Some(1)).await;
    assert_eq!(texts(&mut conn, &format!("SELECT tonne.blank_text({whole})::text")).await, ["true"]);
    run(&mut conn, "ROLLBACK").await.unwrap();
}
