//! Connections that go away while nobody uses them: the next caller finds it out, and is served by another.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use ports::contract::sample;
use ports::store::{Store as _, StoreError};
use sqlx::postgres::PgConnectOptions;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, UnixStream};
use tokio::sync::watch;
use tonne_postgres::testing::ask;
use tonne_postgres::{Options, PostgresStore};

use crate::harness::{Fresh, grant, options, reading, writing};

/// A way to a server over TCP, on which connections fall silent: nobody closes them and nothing gets through.
pub(crate) struct Way {
    pub(crate) url: String,
    silent: watch::Sender<u64>,
}

impl Way {
    pub(crate) async fn to(url: &str) -> Self {
        let server = Arc::new(PgConnectOptions::from_str(url).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let (user, database) = (server.get_username(), server.get_database().unwrap());
        let url = format!("postgres://{user}@{address}/{database}?sslmode=disable");
        let (silent, seen) = watch::channel(0);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (server, mut seen) = (Arc::clone(&server), seen.clone());
                tokio::spawn(async move {
                    let folder = server.get_socket().cloned().unwrap_or_else(|| PathBuf::from(server.get_host()));
                    let socket = folder.join(format!(".s.PGSQL.{}", server.get_port()));
                    let mut server = UnixStream::connect(socket).await.unwrap();
                    seen.mark_unchanged();
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut server) => {}
                        _ = seen.changed() => std::future::pending().await,
                    }
                });
            }
        });
        Self { url, silent }
    }

    /// From here on nothing gets through on the connections that there are.
    pub(crate) fn silence(&self) {
        self.silent.send_modify(|count| *count += 1);
    }
}

/// A store with so many connections in use, all idle, over that address.
async fn warmed(fresh: &Fresh, options: Options) -> PostgresStore {
    let connections = options.connections_per_tenant;
    let store = PostgresStore::new(fresh.database_with(options).await);
    store.prepare(&grant(1)).await.unwrap();
    let snapshots = join_all((0..connections).map(|_| async { store.read(&reading(1)).await.unwrap() })).await;
    drop(snapshots);
    store
}

#[tokio::test]
async fn a_connection_that_fell_silent_is_given_up_and_others_take_its_place() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let wait = Duration::from_millis(300);
    let bounds = Options { connections: 4, connections_per_tenant: 3, wait, ..options(way.url.clone()) };
    let store = warmed(&fresh, bounds).await;
    way.silence();
    let mut refused = 0;
    while let Err(error) = store.read(&reading(1)).await.map(drop) {
        assert!(matches!(error, StoreError::Busy(_)), "{error:?}");
        refused += 1;
        assert!(refused <= 4, "as many as there were connections");
    }
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    write.products_mut().add(sample::product(1)).await.unwrap();
    assert_eq!(write.commit().await.unwrap().number, 1);
    assert_eq!(store.head(&reading(1)).await.unwrap().number, 1);
}

#[tokio::test]
async fn a_connection_that_the_server_closed_is_replaced_without_an_error() {
    let fresh = Fresh::migrated().await;
    let database = ask(&fresh.url(), "SELECT current_database()::text").await.remove(0);
    ask(&fresh.url(), &format!("ALTER DATABASE {database} SET idle_session_timeout = '1s'")).await;
    let bounds = Options { connections: 4, connections_per_tenant: 3, ..options(fresh.url()) };
    for round in 0..4 {
        let store = warmed(&fresh, bounds.clone()).await;
        let mut superuser = fresh.superuser().await;
        let text =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tonne'";
        while sqlx::query_scalar::<_, i64>(text).fetch_one(&mut superuser).await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
        match round {
            0 => drop(store.read(&reading(1)).await.unwrap()),
            1 => drop(store.write(&writing(1), sample::intent()).await.unwrap()),
            2 => drop(store.head(&reading(1)).await.unwrap()),
            _ => drop(store.activity(&reading(1), sample::id(1)).await.unwrap()),
        }
    }
}

#[tokio::test]
async fn the_head_is_read_whatever_form_the_server_writes_bytes_in() {
    let fresh = Fresh::migrated().await;
    let database = ask(&fresh.url(), "SELECT current_database()::text").await.remove(0);
    ask(&fresh.url(), &format!("ALTER DATABASE {database} SET bytea_output = 'escape'")).await;
    let store = PostgresStore::new(fresh.database_with(options(fresh.url())).await);
    store.prepare(&grant(1)).await.unwrap();
    assert_eq!(store.head(&reading(1)).await.unwrap(), store.read(&reading(1)).await.unwrap().head().await.unwrap());
}
