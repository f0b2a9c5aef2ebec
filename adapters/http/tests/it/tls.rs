//! TLS: handshakes, the certificate they show, and what a client may cost before its first request.

mod certificate;

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tonne_http::{Limits, Service, Settings, Tls, probe};

use certificate::Files;

use crate::fake::{self, Activities};
use crate::server::{PATIENCE, Server, blocking, drain, until};

/// So long a handshake may take where a test is about that.
const SHORT: Duration = Duration::from_millis(200);
const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";

type Client = StreamOwned<ClientConnection, TcpStream>;

fn server(files: &Files, limits: Limits) -> (Server, Tls) {
    let tls = files.load();
    let activities = Activities { batches: 100, ..Activities::default() };
    (Server::over_tls(fake::service(activities, limits), tls.clone()), tls)
}

/// A connection that trusts that certificate alone.
fn connect(server: &Server, trusted: &CertificateDer<'static>) -> Client {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config =
        config.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("carbon.example").unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), server.connect())
}

/// Asks for the health of the service and reads the answer; the connection stays open.
fn ask(client: &mut Client) -> std::io::Result<String> {
    client.write_all(LIVE.as_bytes())?;
    let (mut answer, mut byte) = (Vec::new(), [0]);
    while !answer.ends_with(b"}") {
        client.read_exact(&mut byte)?;
        answer.push(byte[0]);
    }
    Ok(String::from_utf8(answer).unwrap())
}

/// Everything that is answered to a GET of that path, until the connection ends.
async fn get(mut client: Client, path: &str, headers: &str) -> String {
    let request = format!("GET /api{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
    blocking(move || {
        let mut answer = String::new();
        client.write_all(request.as_bytes()).unwrap();
        client.read_to_string(&mut answer).unwrap();
        answer
    })
    .await
}

#[actix_web::test]
async fn requests_are_answered_and_addresses_begin_with_https() {
    let files = Files::new();
    let settings = Settings { public_url: None, ..fake::settings(Limits::default()) };
    let service = Service::new(fake::areas(Activities::default()), settings);
    let server = Server::over_tls(service, files.load());
    let answer = get(connect(&server, &files.certificate), "/.well-known/openid-configuration", "").await;
    assert!(answer.contains(&format!("\"https://{}/api", server.address)), "{answer}");
    assert_eq!(probe(server.address, true, PATIENCE).await.unwrap(), 200);
}

#[actix_web::test]
async fn a_long_answer_arrives_whole() {
    let files = Files::new();
    let (server, _) = server(&files, Limits::default());
    let client = connect(&server, &files.certificate);
    let answer = get(client, "/v1/activity", "Authorization: Bearer activity:read\r\n").await;
    let mut rest = answer.split_once("\r\n\r\n").unwrap().1;
    let mut body = String::new();
    while let Some((size, behind)) = rest.split_once("\r\n") {
        let (chunk, next) = behind.split_at(usize::from_str_radix(size, 16).unwrap());
        body.push_str(chunk);
        rest = next.strip_prefix("\r\n").unwrap();
    }
    assert_eq!(body.matches(fake::ACTIVITY).count(), 10_000);
    assert!(answer.ends_with("\r\n0\r\n\r\n"));
}

#[actix_web::test]
async fn a_client_that_reads_nothing_of_a_long_answer_is_cut() {
    let files = Files::new();
    let activities = Activities { batches: 1_000_000, ..Activities::default() };
    let held = activities.held.clone();
    let limits = Limits { stream_silence: Duration::from_secs(1), ..Limits::default() };
    let server = Server::over_tls(fake::service(activities, limits), files.load());
    let mut client = connect(&server, &files.certificate);
    let client = blocking(move || {
        let request = "GET /api/v1/activity HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer activity:read\r\n\r\n";
        client.write_all(request.as_bytes()).unwrap();
        client.read_exact(&mut [0]).unwrap();
        client
    });
    let _open = client.await;
    until(|| held.load(Ordering::SeqCst) == 0).await;
}

#[actix_web::test]
async fn a_handshake_that_does_not_end_is_cut() {
    let files = Files::new();
    let (server, _) = server(&files, Limits { head: SHORT, ..Limits::default() });
    for bytes in [&b""[..], b"\x16\x03\x01\x02\x00\x01\x00\x01"] {
        let mut stream = server.connect();
        let ended = blocking(move || {
            let start = Instant::now();
            stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
            loop {
                // A byte at a time does not put the end off.
                let _ = stream.write_all(bytes.get(..1).unwrap_or_default());
                match stream.read(&mut [0; 64]) {
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                    Ok(0) | Err(_) => return true,
                    Ok(_) => {}
                }
                if start.elapsed() > PATIENCE {
                    return false;
                }
            }
        });
        assert!(ended.await, "{bytes:?}");
    }
}

/// Whether a connection of its own is answered.
async fn is_answered(server: &Server, files: &Files) -> bool {
    let mut client = connect(server, &files.certificate);
    blocking(move || ask(&mut client).is_ok()).await
}

#[actix_web::test]
async fn a_handshake_takes_a_place_like_any_connection() {
    let files = Files::new();
    let (server, _) = server(&files, Limits { head: PATIENCE, connections_per_address: 1, ..Limits::default() });
    let start = Instant::now();
    // Two connections may come to their places in any order.
    let silent = loop {
        assert!(start.elapsed() < PATIENCE, "a silent connection has no place");
        let silent = server.connect();
        if !is_answered(&server, &files).await {
            break silent;
        }
    };
    drop(silent);
    while !is_answered(&server, &files).await {
        assert!(start.elapsed() < PATIENCE, "the place was not given back");
    }
}

#[actix_web::test]
async fn a_new_certificate_is_shown_to_new_connections_and_open_ones_stay() {
    let mut files = Files::new();
    let (server, tls) = server(&files, Limits::default());
    let old = files.certificate.clone();
    let mut open = connect(&server, &old);
    let mut open = blocking(move || {
        ask(&mut open).unwrap();
        open
    })
    .await;
    assert!(!tls.reload().unwrap(), "nothing changed");

    // Halfway, the certificate is new and the key is not.
    let key = files.replace_certificate();
    let error = tls.reload().unwrap_err().to_string();
    assert!(error.contains("key.pem is not that of the first certificate in "), "{error}");
    assert!(!tls.reload().unwrap(), "it is told once");
    let mut between = connect(&server, &old);
    blocking(move || ask(&mut between)).await.unwrap();

    std::fs::write(files.key(), key).unwrap();
    assert!(tls.reload().unwrap());
    let mut renewed = connect(&server, &files.certificate);
    blocking(move || ask(&mut renewed)).await.unwrap();
    let mut stale = connect(&server, &old);
    assert!(blocking(move || ask(&mut stale)).await.is_err());
    blocking(move || ask(&mut open)).await.unwrap();
}

#[actix_web::test]
async fn what_speaks_no_tls_gets_no_answer_of_http() {
    let files = Files::new();
    let (server, _) = server(&files, Limits::default());
    let mut stream = server.connect();
    stream.write_all(LIVE.as_bytes()).unwrap();
    let text = blocking(move || drain(stream)).await;
    assert!(!text.contains("HTTP/1.1"), "{text}");
    assert!(probe(server.address, false, PATIENCE).await.is_err());
}

#[test]
fn files_that_are_no_certificate_with_its_key_are_named() {
    let files = Files::new();
    let fault = || Tls::load(&files.certificate_file(), &files.key()).unwrap_err().to_string();
    let certificate = std::fs::read(files.certificate_file()).unwrap();
    std::fs::write(files.certificate_file(), "no certificate").unwrap();
    assert!(fault().contains("certificate.pem holds no certificate in PEM"), "{}", fault());
    std::fs::write(files.certificate_file(), certificate).unwrap();
    std::fs::write(files.key(), "no key").unwrap();
    assert!(fault().contains("key.pem holds no private key in PEM"), "{}", fault());
    std::fs::remove_file(files.key()).unwrap();
    std::fs::remove_file(files.certificate_file()).unwrap();
    assert!(
        fault().contains("key.pem cannot be read") && fault().contains("certificate.pem cannot be read"),
        "{}",
        fault()
    );
}
