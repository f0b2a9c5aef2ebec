//! Commits whose answer is lost on the way: the caller gets the error that the outcome is not known, whichever it was.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;

use futures_util::future::{join_all, poll_immediate};
use ports::contract::sample;
use ports::directory::Directory as _;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::repo::ActivityWrite;
use ports::store::{Store as _, StoreError};
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tonne_postgres::{PostgresDirectory, PostgresStore};

use crate::harness::{Fresh, grant, options, reading, writing};

/// When a connection is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Never,
    /// When the client sends COMMIT, which does not reach the server.
    BeforeCommit,
    /// When the server answers COMMIT, which does not reach the client.
    AfterCommit,
}

/// A way to a server over TCP that can be cut at a COMMIT.
struct Way {
    url: String,
    cut: watch::Sender<Cut>,
}

impl Way {
    async fn to(url: &str) -> Self {
        let server = Arc::new(PgConnectOptions::from_str(url).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let (user, database) = (server.get_username(), server.get_database().unwrap());
        let url = format!("postgres://{user}@{address}/{database}?sslmode=disable");
        let (cut, seen) = watch::channel(Cut::Never);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, Arc::clone(&server), seen.clone()));
            }
        });
        Self { url, cut }
    }

    fn set(&self, cut: Cut) {
        self.cut.send_replace(cut);
    }
}

/// Carries one connection, to a socket in the file system or over TCP.
async fn carry(client: TcpStream, server: Arc<PgConnectOptions>, cut: watch::Receiver<Cut>) -> io::Result<()> {
    let (host, port) = (server.get_host(), server.get_port());
    let folder = server.get_socket().cloned().or_else(|| host.starts_with('/').then(|| PathBuf::from(host)));
    match folder {
        Some(folder) => pump(client, UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?, cut).await,
        None => pump(client, TcpStream::connect((host, port)).await?, cut).await,
    }
}

/// Carries bytes both ways until an end closes or the way is cut.
async fn pump(
    mut client: TcpStream,
    mut server: impl AsyncRead + AsyncWrite + Unpin,
    cut: watch::Receiver<Cut>,
) -> io::Result<()> {
    let (mut sent, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            count = client.read(&mut sent) => {
                let bytes = &sent[..count?];
                let cut = if bytes.windows(7).any(|word| word == b"COMMIT\0") { *cut.borrow() } else { Cut::Never };
                if bytes.is_empty() || cut == Cut::BeforeCommit {
                    return Ok(());
                }
                server.write_all(bytes).await?;
                if cut == Cut::AfterCommit {
                    return server.read(&mut answered).await.map(drop);
                }
            }
            count = server.read(&mut answered) => {
                let bytes = &answered[..count?];
                if bytes.is_empty() {
                    return Ok(());
                }
                client.write_all(bytes).await?;
            }
        }
    }
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_has_an_unknown_outcome() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let store = PostgresStore::new(fresh.database_with(options(way.url.clone())).await);
    store.prepare(&grant(1)).await.unwrap();
    for (number, cut, is_kept) in [(1, Cut::BeforeCommit, false), (2, Cut::AfterCommit, true)] {
        let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
        write.products_mut().add(sample::product(number)).await.unwrap();
        let key = RequestKey::new("key:1", "POST /v1/product", &number.to_string());
        let answer = FirstAnswer { status: 201, location: None, etag: None, body: b"{}".to_vec() };
        write.answers_mut().add(KeyedRequest::new(key, "", b"{}"), answer).await.unwrap();
        way.set(cut);
        let error = write.commit().await.unwrap_err();
        way.set(Cut::Never);
        assert!(matches!(error, StoreError::Unknown(_)), "{error:?}");
        let mut read = store.read(&reading(1)).await.unwrap();
        assert_eq!(read.products().find(sample::id(number)).await.unwrap().is_some(), is_kept);
        let found = read.answers().find(key, sample::at(0)).await.unwrap();
        assert_eq!(found.is_some(), is_kept, "a repeat finds out");
    }
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
}

#[tokio::test]
async fn each_change_of_a_group_whose_commit_is_lost_has_an_unknown_outcome() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let store = PostgresStore::new(fresh.database_with(options(way.url.clone())).await);
    store.prepare(&grant(1)).await.unwrap();
    let since = store.head(&reading(1)).await.unwrap();
    for (first, cut, is_kept) in [(1, Cut::BeforeCommit, false), (11, Cut::AfterCommit, true)] {
        let writer = store.write(&writing(1), sample::intent()).await.unwrap();
        let grant = writing(1);
        let puts = (first..first + 3).map(|number| {
            let writes = vec![ActivityWrite::Add(sample::activity(number))];
            store.put_activities(&grant, sample::intent(), &since, writes)
        });
        let mut puts = join_all(puts);
        assert!(poll_immediate(&mut puts).await.is_none());
        way.set(cut);
        drop(writer);
        let ended = puts.await;
        way.set(Cut::Never);
        assert!(ended.iter().all(|ended| matches!(ended, Err(StoreError::Unknown(_)))), "{ended:?}");
        for number in first..first + 3 {
            let (_, found) = store.activity(&reading(1), sample::id(number)).await.unwrap();
            assert_eq!(found.is_some(), is_kept, "{number}");
        }
    }
    assert_eq!(store.head(&reading(1)).await.unwrap().number, 3);
    assert_eq!(store.verify(&grant(1)).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_credential_whose_commit_is_lost_has_an_unknown_outcome() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let directory = PostgresDirectory::new(fresh.database_with(options(way.url.clone())).await);
    directory.add_tenant(&sample::installation(), sample::tenant(1, "main")).await.unwrap();
    way.set(Cut::AfterCommit);
    let added = directory.add_key(&grant(1).to_write_credentials(), sample::key(1, 1)).await;
    way.set(Cut::Never);
    assert!(matches!(added, Err(StoreError::Unknown(_))), "{added:?}");
    assert!(directory.find_key_by_hash(sample::key(1, 1).hash).await.unwrap().is_some());
}

#[tokio::test]
async fn an_answer_alone_whose_commit_is_lost_has_an_unknown_outcome() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let store = PostgresStore::new(fresh.database_with(options(way.url.clone())).await);
    store.prepare(&grant(1)).await.unwrap();
    let mut write = store.write(&writing(1), sample::intent()).await.unwrap();
    let request = KeyedRequest::new(RequestKey::new("key:1", "POST /v1/recalculation", "a"), "", b"{}");
    let answer = FirstAnswer { status: 200, location: None, etag: None, body: b"{}".to_vec() };
    write.answers_mut().add(request, answer).await.unwrap();
    way.set(Cut::AfterCommit);
    let error = write.commit().await.unwrap_err();
    way.set(Cut::Never);
    assert!(matches!(error, StoreError::Unknown(_)), "{error:?}");
    let mut read = store.read(&reading(1)).await.unwrap();
    assert!(read.answers().find(request.key, sample::at(0)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_transaction_that_wrote_nothing_can_be_repeated_though_its_end_is_lost() {
    let fresh = Fresh::migrated().await;
    let way = Way::to(&fresh.url()).await;
    let store = PostgresStore::new(fresh.database_with(options(way.url.clone())).await);
    store.prepare(&grant(1)).await.unwrap();
    let write = store.write(&writing(1), sample::intent()).await.unwrap();
    way.set(Cut::AfterCommit);
    let error = write.commit().await.unwrap_err();
    assert!(matches!(error, StoreError::Busy(_)), "{error:?}");
}
