//! Streams on a real connection: whole or aborted, and never waiting for their reader without bound.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use ports::credential::Secret;
use ports::directory::AuthenticatedClient;
use ports::inbound::{Access, AccessError, ClientCredentials, Granted, PublicKey, TokenError, TokenRequest};
use ports::{Caller, Denied, Permission, Permissions, TenantId};
use tonne_http::{Areas, Limits, Service, Settings, Tenancy};

use async_trait::async_trait;

use crate::fake::{self, Activities, Doorkeeper};
use crate::server::{PATIENCE, Server, blocking, drain, until};

#[actix_web::test]
async fn a_long_report_comes_in_chunks_with_an_end() {
    let server = Server::start(Activities { batches: 20, ..Activities::default() }, Limits::default());
    let stream = server.ask("GET");
    let text = blocking(move || drain(stream)).await;
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("transfer-encoding: chunked") && !head.contains("content-length"), "{head}");
    assert!(body.ends_with("]}\r\n0\r\n\r\n"), "{}", &body[body.len() - 40..]);
}

#[actix_web::test]
async fn a_stream_that_fails_midway_has_no_end() {
    let activities = Activities { batches: 20, fails_after: Some(10), ..Activities::default() };
    let server = Server::start(activities, Limits::default());
    let stream = server.ask("GET");
    let text = blocking(move || drain(stream)).await;
    assert!(text.starts_with("HTTP/1.1 200") && text.len() > 100_000, "{}", text.len());
    assert!(!text.ends_with("0\r\n\r\n") && !text.contains("disk on fire"));
}

#[actix_web::test]
async fn what_fails_before_the_first_byte_is_a_problem() {
    let activities = Activities { batches: 20, fails_after: Some(0), ..Activities::default() };
    let server = Server::start(activities, Limits::default());
    let stream = server.ask("GET");
    let text = blocking(move || drain(stream)).await;
    assert!(text.starts_with("HTTP/1.1 500") && !text.contains("disk on fire"), "{text}");
}

#[actix_web::test]
async fn the_head_of_a_report_holds_no_rows() {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let held = activities.held.clone();
    let server = Server::start(activities, Limits::default());
    let stream = server.ask("HEAD");
    let text = blocking(move || drain(stream)).await;
    assert!(text.starts_with("HTTP/1.1 200") && text.ends_with("\r\n\r\n"), "{text}");
    assert_eq!(held.load(Ordering::SeqCst), 0);
}

#[actix_web::test]
async fn a_client_that_does_not_read_is_cut_and_lets_the_snapshot_go() {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let (held, begun) = (activities.held.clone(), activities.begun.clone());
    let limits = Limits { stream_silence: Duration::from_millis(300), ..Limits::default() };
    let server = Server::start(activities, limits);
    let stream = server.ask("GET");
    until(|| begun.load(Ordering::SeqCst) == 1).await;
    until(|| held.load(Ordering::SeqCst) == 0).await;
    let text = blocking(move || drain(stream)).await;
    assert!(text.starts_with("HTTP/1.1 200") && !text.ends_with("0\r\n\r\n"));
}

#[actix_web::test]
async fn a_client_that_is_behind_keeps_no_snapshot_and_gets_all_of_the_stream() {
    let activities = Activities { batches: 2_000, ..Activities::default() };
    let (held, begun) = (activities.held.clone(), activities.begun.clone());
    let limits = Limits { stream_patience: Duration::from_millis(100), ..Limits::default() };
    let server = Server::start(activities, limits);
    let quick = server.ask("GET");
    let expected = blocking(move || drain(quick)).await;
    until(|| held.load(Ordering::SeqCst) == 0).await;
    let behind = server.ask("GET");
    until(|| begun.load(Ordering::SeqCst) == 2).await;
    // It reads nothing until the source is gone.
    until(|| held.load(Ordering::SeqCst) == 0).await;
    let text = blocking(move || drain(behind)).await;
    let body = |text: &str| text.split_once("\r\n\r\n").unwrap().1.replace("\r\n", "");
    assert!(text.ends_with("0\r\n\r\n") && text.len() > 8 << 20, "{}", text.len());
    let rows = |text: &str| body(text).matches("\"uuid\"").count();
    assert_eq!(rows(&text), rows(&expected));
}

#[actix_web::test]
async fn a_stream_that_needs_more_room_on_the_disk_than_it_may_have_is_cut() {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let (held, begun) = (activities.held.clone(), activities.begun.clone());
    let limits =
        Limits { stream_patience: Duration::from_millis(100), stream_spool_bytes: 4 << 20, ..Limits::default() };
    let server = Server::start(activities, limits);
    let stream = server.ask("GET");
    until(|| begun.load(Ordering::SeqCst) == 1).await;
    until(|| held.load(Ordering::SeqCst) == 0).await;
    let text = blocking(move || drain(stream)).await;
    assert!(text.starts_with("HTTP/1.1 200") && !text.ends_with("0\r\n\r\n"));
}

#[actix_web::test]
async fn a_client_that_leaves_lets_the_snapshot_go() {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let (held, begun) = (activities.held.clone(), activities.begun.clone());
    let server = Server::start(activities, Limits::default());
    let stream = server.ask("GET");
    until(|| begun.load(Ordering::SeqCst) == 1).await;
    drop(stream);
    until(|| held.load(Ordering::SeqCst) == 0).await;
}

#[actix_web::test]
async fn one_stream_more_than_there_are_places_is_told_when_to_come_back() {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let held = activities.held.clone();
    let server = Server::start(activities, Limits { streams: 1, ..Limits::default() });
    let first = server.ask("GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    let second = server.ask("GET");
    let text = blocking(move || drain(second)).await.to_lowercase();
    assert!(text.starts_with("http/1.1 503") && text.contains("retry-after: 1"), "{text}");
    drop(first);
}

#[actix_web::test]
async fn one_tenants_streams_leave_the_others_their_share() {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let held = activities.held.clone();
    let limits = Limits { streams: 3, streams_per_tenant: 1, ..Limits::default() };
    let settings = Settings { tenancy: Tenancy::Path, ..fake::settings(limits) };
    let server = Server::of(Service::new(fake::areas(activities), settings));
    let first = server.ask_at("/main/api", "GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    let second = server.ask_at("/main/api", "GET");
    let text = blocking(move || drain(second)).await.to_lowercase();
    assert!(text.starts_with("http/1.1 503") && text.contains("retry-after: 1"), "{text}");
    let other = server.ask_at("/acme/api", "GET");
    until(|| held.load(Ordering::SeqCst) == 2).await;
    drop((first, other));
}

/// What became of every credential, all at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Now {
    Good,
    Revoked,
    WithoutPermission,
    Unknown,
}

/// Lets in whom the state says.
#[derive(Clone, Default)]
struct Fickle(Arc<AtomicU8>);

impl Fickle {
    fn becomes(&self, now: Now) {
        self.0.store(now as u8, Ordering::SeqCst);
    }
}

#[async_trait]
impl Access for Fickle {
    async fn authenticate(&self, tenant: TenantId, bearer: &str) -> Result<Caller, AccessError> {
        let caller = Doorkeeper.authenticate(tenant, bearer).await?;
        match self.0.load(Ordering::SeqCst) {
            0 => Ok(caller),
            1 => Err(AccessError::Invalid),
            2 => Ok(Caller { permissions: Permissions::parse("activity:report").unwrap(), ..caller }),
            _ => Err(AccessError::Busy("away".into())),
        }
    }

    fn check(&self, caller: &Caller, permission: Permission) -> Result<(), Denied> {
        Doorkeeper.check(caller, permission)
    }

    async fn client(&self, tenant: TenantId, given: &ClientCredentials) -> Result<AuthenticatedClient, TokenError> {
        Doorkeeper.client(tenant, given).await
    }

    async fn token(&self, client: &AuthenticatedClient, request: TokenRequest) -> Result<Granted, TokenError> {
        Doorkeeper.token(client, request).await
    }

    async fn revoke(&self, client: &AuthenticatedClient, token: &Secret) -> Result<(), TokenError> {
        Doorkeeper.revoke(client, token).await
    }

    async fn public_keys(&self) -> Result<Vec<PublicKey>, AccessError> {
        Doorkeeper.public_keys().await
    }
}

/// An endless stream to a client that reads it, and who may have it.
async fn endless() -> (Fickle, fake::Held, actix_web::rt::task::JoinHandle<String>, Server) {
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let (access, held) = (Fickle::default(), activities.held.clone());
    let areas = Areas { access: Arc::new(access.clone()), ..fake::areas(activities) };
    let server = Server::of(Service::new(areas, fake::settings(Limits::default())));
    let mut stream = server.ask("GET");
    until(|| held.load(Ordering::SeqCst) == 1).await;
    // The end alone is kept: the whole has no bound.
    let read = actix_web::rt::task::spawn_blocking(move || {
        let (mut block, mut end) = (vec![0; 1 << 16], Vec::new());
        while let Ok(read @ 1..) = stream.read(&mut block) {
            end = block[..read].to_vec();
        }
        String::from_utf8_lossy(&end).into_owned()
    });
    (access, held, read, server)
}

#[actix_web::test]
async fn a_stream_is_cut_soon_after_the_revocation_of_its_credential() {
    for now in [Now::Revoked, Now::WithoutPermission] {
        let (access, held, read, _server) = endless().await;
        access.becomes(now);
        let end = tokio::time::timeout(PATIENCE, read).await.expect("an endless stream ends").unwrap();
        assert!(!end.ends_with("0\r\n\r\n"), "{now:?}: it looks whole");
        until(|| held.load(Ordering::SeqCst) == 0).await;
    }
}

/// Waits until so much time has passed: how long somebody stays unknown is what is tested.
async fn passes(time: Duration) {
    let start = Instant::now();
    until(|| start.elapsed() >= time).await;
}

#[actix_web::test]
async fn a_stream_outlives_a_moment_in_which_nobody_knows_of_its_credential_and_no_more() {
    let (access, held, read, _server) = endless().await;
    access.becomes(Now::Unknown);
    passes(Duration::from_millis(600)).await;
    access.becomes(Now::Good);
    passes(Duration::from_millis(600)).await;
    assert_eq!(held.load(Ordering::SeqCst), 1);
    access.becomes(Now::Unknown);
    let end = read.await.unwrap();
    assert!(!end.ends_with("0\r\n\r\n"), "it looks whole");
}

/// The whole answer to a GET over HTTP/1.0.
async fn over_http_1_0(server: &Server, path: &str, accept: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let permission = if path.contains("footprint") { "footprint:review" } else { "activity:read" };
    let head = format!("GET /api{path} HTTP/1.0\r\nAuthorization: Bearer {permission}\r\nAccept: {accept}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    blocking(move || drain(stream)).await
}

#[actix_web::test]
async fn what_is_short_is_told_over_http_1_0_with_its_length() {
    let server = Server::start(Activities { batches: 1, ..Activities::default() }, Limits::default());
    for (path, accept) in [
        ("/v1/activity", "text/csv"),
        ("/v1/activity", "application/x-ndjson"),
        ("/v1/activity", "application/json"),
        ("/v1/activity?page=1", "application/json"),
        ("/pact/2/footprints", "application/json"),
        ("/v1/footprint?pageSize=1", "application/json"),
    ] {
        let text = over_http_1_0(&server, path, accept).await;
        assert!(text.starts_with("HTTP/1.0 200"), "{path} {accept}: {text}");
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{path} {accept}: {head}");
        assert!(!head.contains("transfer-encoding"), "{path} {accept}: {head}");
    }
}

#[actix_web::test]
async fn what_is_long_is_refused_over_http_1_0_where_a_cut_could_not_be_told() {
    let server = Server::start(Activities { batches: 1_000, ..Activities::default() }, Limits::default());
    let text = over_http_1_0(&server, "/v1/activity", "application/json").await;
    assert!(text.starts_with("HTTP/1.0 426") && text.contains("needs-http-1-1"), "{text}");
}
