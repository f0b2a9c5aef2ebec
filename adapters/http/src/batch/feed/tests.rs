//! Tests: a bulk body that comes too slowly is ended, and one whose reader is slow is not.

use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::web::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};

use super::{BulkBody, BulkForm, CHUNKS, Fed, LEAST, MEDIA, pipe};
use crate::problem::Kind;

const FORM: BulkForm = BulkForm { media: MEDIA[0], is_gzip: false };
/// Stands for the time over which a body's rate is measured.
const WINDOW: Duration = Duration::from_millis(100);

fn body(chunks: impl Stream<Item = Bytes> + 'static, silence: Duration) -> BulkBody {
    let payload = Payload::Stream { payload: chunks.map(Ok).boxed_local() };
    BulkBody { payload, form: FORM, silence, window: WINDOW }
}

/// A byte at a time, for ever, and more often than a silence ends a body.
fn trickle() -> impl Stream<Item = Bytes> {
    stream::unfold(tokio::time::interval(WINDOW / 20), async |mut next| {
        next.tick().await;
        Some((Bytes::from_static(b"a"), next))
    })
}

#[actix_web::test]
async fn a_body_of_less_than_64_kib_in_its_time_is_ended() {
    let (feed, mut fed) = tokio::sync::mpsc::channel(CHUNKS);
    let read = actix_web::rt::spawn(async move { while fed.recv().await.is_some() {} });
    let refused = body(trickle(), Duration::MAX).feed(feed).await.unwrap_err();
    assert_eq!(refused.kind(), Kind::Timeout);
    assert!(refused.to_string().contains("Less than 64 KiB"), "{refused}");
    read.await.unwrap();
}

#[actix_web::test]
async fn a_body_without_a_byte_is_ended_before_that() {
    let (feed, _fed) = tokio::sync::mpsc::channel(CHUNKS);
    let refused = body(stream::pending(), WINDOW / 10).feed(feed).await.unwrap_err();
    assert!(refused.to_string().contains("No byte of the body"), "{refused}");
}

#[actix_web::test]
async fn a_body_that_waits_for_the_service_is_not_too_slow() {
    let count = 4 * CHUNKS;
    let chunk = Bytes::from(vec![b'a'; usize::try_from(LEAST).unwrap() / 64]);
    let (feed, mut fed) = tokio::sync::mpsc::channel(CHUNKS);
    let whole = actix_web::rt::spawn(body(stream::iter(vec![chunk; count]), WINDOW).feed(feed));
    // The channel is full long before that.
    let mut window = tokio::time::interval(WINDOW);
    for _ in 0..4 {
        window.tick().await;
    }
    let mut came = 0;
    while let Some(part) = fed.recv().await {
        came += usize::from(matches!(part, Fed::Bytes(_)));
    }
    whole.await.unwrap().unwrap();
    assert_eq!(came, count);
}

#[actix_web::test]
async fn a_body_is_read_as_it_was_sent() {
    let (feed, reader) = pipe(FORM);
    let parts = stream::iter([Bytes::from_static(b"a,"), Bytes::from_static(b"b\n")]);
    let read = actix_web::rt::task::spawn_blocking(move || std::io::read_to_string(reader));
    body(parts, WINDOW).feed(feed).await.unwrap();
    assert_eq!(read.await.unwrap().unwrap(), "a,b\n");
}
