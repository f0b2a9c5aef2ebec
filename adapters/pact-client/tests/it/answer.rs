//! Answers that are too slow, too large or no answers.

use std::time::Duration;

use domain::footprint::Edition;
use ports::partner_host::{HostError, PartnerHost as _};
use tonne_pact_client::Limits;

use crate::host::{Host, Reply, json, reply, with_token};

async fn list(host: &Host) -> HostError {
    host.client.list(&host.at, Edition::V3, "").await.unwrap_err()
}

#[tokio::test]
async fn a_host_that_says_nothing_is_given_up() {
    let limits = Limits { whole: Duration::from_millis(200), ..Limits::default() };
    let host = Host::with(limits, |_| Reply::Silence).await;
    let error = list(&host).await;
    assert!(matches!(&error, HostError::Unreachable(told) if told.contains("200 ms")), "{error}");
}

#[tokio::test]
async fn a_body_without_end_is_read_up_to_the_limit() {
    let limits = Limits { answer_bytes: 100_000, ..Limits::default() };
    let host = Host::with(limits, |request| with_token(request, |_| Reply::Endless)).await;
    assert_eq!(list(&host).await, HostError::Answer("it is larger than 100000 bytes".to_owned()));
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_taken() {
    let limits = Limits { answer_bytes: 1_000, ..Limits::default() };
    let body = format!("\"{}\"", "a".repeat(998));
    let host = Host::with(limits, move |request| with_token(request, |_| json(200, &body))).await;
    assert_eq!(host.client.list(&host.at, Edition::V3, "").await.unwrap().body.len(), 1_000);
}

#[tokio::test]
async fn a_compressed_body_is_refused_unread() {
    let host = Host::start(|request| with_token(request, |_| reply(200, &["Content-Encoding: gzip"], "x"))).await;
    assert_eq!(list(&host).await, HostError::Answer("it is compressed, which was not asked for".to_owned()));
}

#[tokio::test]
async fn a_body_that_is_cut_short_is_no_answer() {
    let cut = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":[]}";
    let host = Host::start(move |request| with_token(request, |_| Reply::Bytes(cut.to_vec()))).await;
    let error = list(&host).await;
    assert!(matches!(error, HostError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn what_is_no_json_is_told() {
    for body in ["<html>", "", "{\"data\":[}", "{} {}"] {
        let host = Host::start(move |request| with_token(request, |_| reply(200, &[], body))).await;
        let error = list(&host).await;
        assert!(matches!(&error, HostError::Answer(told) if told.starts_with("it is not JSON")), "{body}: {error}");
    }
}

#[tokio::test]
async fn a_head_without_end_is_given_up() {
    let endless =
        [b"HTTP/1.1 200 OK\r\n".to_vec(), b"X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(100_000)].concat();
    let host = Host::start(move |request| with_token(request, |_| Reply::Bytes(endless.clone()))).await;
    let error = list(&host).await;
    assert!(matches!(error, HostError::Unreachable(_)), "{error}");
}
