//! Nodes that are paused, cut off or left in the middle: what they hold on the server is free again soon.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use domain::Filter;
use ports::contract::sample;
use ports::directory::Directory as _;
use ports::repo::ActivityWrite;
use ports::store::Store as _;
use sqlx::PgConnection;
use tokio::time::timeout;
use tonne_postgres::{Options, PostgresDirectory, PostgresStore};

use crate::harness::{Fresh, grant, options, reading, writing};
use crate::idle_connection::Way;

/// How long anything may take that is to happen soon.
const SOON: Duration = Duration::from_secs(20);

/// Waits until a query counts nothing any more.
async fn until_none(superuser: &mut PgConnection, count: &'static str) {
    let since = Instant::now();
    while sqlx::query_scalar::<_, i64>(count).fetch_one(&mut *superuser).await.unwrap() > 0 {
        assert!(since.elapsed() < SOON, "still there: {count}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_node_that_falls_silent_in_its_transaction_does_not_keep_others_from_writing() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let hold = Duration::from_millis(500);
    let silent = PostgresStore::new(fresh.database_with(Options { hold, ..options(way.url.clone()) }).await);
    let other = fresh.store().await;
    other.prepare(&grant(1)).await.unwrap();
    let mut held = silent.write(&writing(1), sample::intent()).await.unwrap();
    held.products_mut().add(sample::product(1)).await.unwrap();
    way.silence();
    // It waits for its turn for as long as any writer does, and that is enough.
    let mut write = other.write(&writing(1), sample::intent()).await.unwrap();
    assert_eq!(write.products_mut().find(sample::id(1)).await.unwrap(), None);
    write.products_mut().add(sample::product(2)).await.unwrap();
    assert_eq!(write.commit().await.unwrap().number, 1);
}

#[tokio::test]
async fn a_writer_that_was_silent_for_too_long_has_written_nothing() {
    let fresh = Fresh::migrated().await;
    let hold = Duration::from_millis(100);
    let store = PostgresStore::new(fresh.database_with(Options { hold, ..options(fresh.url()) }).await);
    store.prepare(&grant(1)).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    write.products_mut().add(sample::product(1)).await.unwrap();
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'";
    until_none(&mut fresh.superuser().await, open).await;
    write.commit().await.unwrap_err();
    let mut read = store.read(&reading(1)).await.unwrap();
    assert_eq!(read.head().await.unwrap().number, 0);
    assert_eq!(read.products().find(sample::id(1)).await.unwrap(), None);
}

#[tokio::test]
async fn a_read_whose_caller_left_ends_on_the_server_too() {
    let fresh = Fresh::migrated().await;
    let store = fresh.store().await;
    store.prepare(&grant(1)).await.unwrap();
    let mut read = store.read(&reading(1)).await.unwrap();
    let mut superuser = fresh.superuser().await;
    // A query that takes for ever.
    sqlx::raw_sql("BEGIN; LOCK TABLE tonne.activity IN ACCESS EXCLUSIVE MODE").execute(&mut superuser).await.unwrap();
    let (everything, none) = (Filter::default(), HashSet::new());
    let mut activities = Box::pin(async { read.activities().range(&everything, &none, None, 10).await });
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                 AND application_name = 'tonne' AND wait_event_type = 'Lock'";
    loop {
        assert!(timeout(Duration::from_millis(20), &mut activities).await.is_err(), "it waits");
        if sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut superuser).await.unwrap() == 1 {
            break;
        }
    }
    drop(activities);
    drop(read);
    until_none(&mut superuser, waits).await;
    drop(store.read(&reading(1)).await.unwrap());
}

#[tokio::test]
async fn what_is_acknowledged_is_durable_whatever_the_server_is_set_to() {
    for (set, expected) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
        let fresh = Fresh::migrated().await;
        let mut superuser = fresh.superuser().await;
        let database: String =
            sqlx::query_scalar("SELECT current_database()::text").fetch_one(&mut superuser).await.unwrap();
        let see = format!(
            "ALTER DATABASE {database} SET synchronous_commit = {set}; CREATE TABLE public.seen (setting text); \
             CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN \
             INSERT INTO public.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$; \
             CREATE TRIGGER see AFTER INSERT ON tonne.change FOR EACH STATEMENT EXECUTE FUNCTION public.see(); \
             CREATE TRIGGER see AFTER INSERT ON tonne_directory.change FOR EACH STATEMENT EXECUTE FUNCTION public.see()"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(see)).execute(&mut superuser).await.unwrap();
        let database = fresh.database().await;
        let store = PostgresStore::new(database.clone());
        store.prepare(&grant(1)).await.unwrap();
        let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
        write.orgs_mut().add(sample::org(1)).await.unwrap();
        let since = write.commit().await.unwrap();
        let writes = vec![ActivityWrite::Add(sample::activity(1))];
        store.put_activities(&writing(1), sample::intent(), &since, writes).await.unwrap();
        let directory = PostgresDirectory::new(database);
        directory.add_tenant(&sample::installation(), sample::tenant(1, "main")).await.unwrap();
        let seen: Vec<String> =
            sqlx::query_scalar("SELECT setting FROM public.seen").fetch_all(&mut superuser).await.unwrap();
        assert_eq!(seen, [expected; 3], "{set}");
    }
}

#[tokio::test]
async fn the_server_is_told_to_look_each_second_whether_a_node_is_gone() {
    let fresh = Fresh::migrated().await;
    let mut superuser = fresh.superuser().await;
    let see = "CREATE TABLE public.seen (setting text); \
               CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN \
               INSERT INTO public.seen VALUES (current_setting('client_connection_check_interval')); RETURN NULL; END $$; \
               CREATE TRIGGER see AFTER INSERT ON tonne_directory.change FOR EACH STATEMENT EXECUTE FUNCTION public.see()";
    sqlx::raw_sql(see).execute(&mut superuser).await.unwrap();
    let directory = PostgresDirectory::new(fresh.database().await);
    directory.add_tenant(&sample::installation(), sample::tenant(1, "main")).await.unwrap();
    let seen: Vec<String> =
        sqlx::query_scalar("SELECT setting FROM public.seen").fetch_all(&mut superuser).await.unwrap();
    assert_eq!(seen, ["1s"]);
}
