//! What migrating leaves, word by word.

use std::fmt::Write as _;

use sqlx::{PgConnection, Row as _};

use crate::harness::Fresh;

/// What is in `schema.txt`, table by table: its columns, constraints, indexes and policies, whether row-level security
/// binds its owner too, and what the roles may do with it.
const QUERIES: [&str; 6] = [
    "SELECT relname::text, 'rows: ' || relrowsecurity || ', of the owner: ' || relforcerowsecurity
     FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r'",
    "SELECT relname::text, lpad(attnum::text, 2, '0') || ' ' || attname || ' ' || format_type(atttypid, atttypmod) ||
        CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END ||
        coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '')
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped",
    "SELECT relname::text, conname || ': ' || pg_get_constraintdef(pg_constraint.oid)
     FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE relnamespace = $1::regnamespace AND contype IN ('c', 'f', 'p', 'u')",
    "SELECT tablename::text, indexdef FROM pg_indexes WHERE schemaname = $1",
    "SELECT tablename::text, 'POLICY ' || policyname || ' ' || permissive || ' FOR ' || cmd || ' TO ' || roles::text ||
        ' USING ' || qual || coalesce(' WITH CHECK ' || with_check, '')
     FROM pg_policies WHERE schemaname = $1",
    "SELECT table_name::text, grantee || ': ' || string_agg(privilege_type, ', ' ORDER BY privilege_type)
     FROM information_schema.role_table_grants WHERE table_schema = $1 AND grantee IN ('tonne_app', 'tonne_directory')
     GROUP BY table_name, grantee",
];

async fn described(conn: &mut PgConnection, schema: &str) -> String {
    let mut lines = Vec::new();
    for (query, order) in QUERIES.into_iter().zip(0..) {
        for row in sqlx::query(query).bind(schema).fetch_all(&mut *conn).await.unwrap() {
            lines.push((row.get::<String, _>(0), order, row.get::<String, _>(1)));
        }
    }
    lines.sort();
    let (mut text, mut last) = (String::new(), String::new());
    for (table, _, line) in lines {
        if table != last {
            writeln!(text, "{}{schema}.{table}", if text.is_empty() { "" } else { "\n" }).unwrap();
            last = table;
        }
        writeln!(text, "    {line}").unwrap();
    }
    text
}

#[tokio::test]
async fn migrating_leaves_the_schema_that_is_written_down() {
    let fresh = Fresh::migrated().await;
    let mut conn = fresh.superuser().await;
    let directory = described(&mut conn, "tonne_directory").await;
    let found = format!("{directory}\n{}", described(&mut conn, "tonne").await);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/schema.txt");
    if std::env::var_os("TONNE_WRITE_SCHEMA").is_some() {
        std::fs::write(file, &found).unwrap();
    }
    let written = std::fs::read_to_string(file).unwrap_or_default();
    let differs = written.lines().zip(found.lines()).find(|(written, found)| written != found);
    assert_eq!(differs, None, "run this test with TONNE_WRITE_SCHEMA=1 to write down what is meant to change");
    assert_eq!(written.lines().count(), found.lines().count(), "the schema has more or fewer lines than {file}");
}

#[tokio::test]
async fn texts_that_are_indexed_are_compared_byte_by_byte() {
    let fresh = Fresh::migrated().await;
    let text = "SELECT relname || '.' || attname FROM pg_index JOIN pg_class ON pg_class.oid = indrelid \
        JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) \
        JOIN pg_collation ON pg_collation.oid = attcollation \
        WHERE relnamespace IN ('tonne'::regnamespace, 'tonne_directory'::regnamespace) AND collname <> 'C'";
    let mut conn = fresh.superuser().await;
    let others = sqlx::query(text).fetch_all(&mut conn).await.unwrap();
    let others: Vec<String> = others.iter().map(|row| row.get(0)).collect();
    assert_eq!(others, Vec::<String>::new());
}
