//! Streams: answers of any length in constant memory, that never wait for their reader without bound.
//!
//! A task of its own reads the source and hands on blocks of 64 KiB; the connection takes them as its client reads. A
//! client that takes too long for a block, or for the whole, ends the task. Whatever the source holds, such as a snapshot that
//! makes a store's log grow, is let go sooner: once it has waited for the client for some seconds in all, the rest of it is
//! written to a temporary file and sent from there. What
//! cannot be finished is aborted on the connection, so that nobody takes it for whole. So is what its caller may no longer
//! have.

mod outlet;
mod spool;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::{Version, header};
use actix_web::web::Bytes;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use async_trait::async_trait;
use ports::Permission;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::timeout_at;
use tracing::{Instrument as _, Span};

use crate::credential_watch::CredentialWatch;
use crate::measure::KnownCaller;
use crate::problem::{Kind, Problem};
use crate::request_id::RequestId;
use crate::service::Settings;
use crate::stream_slots::StreamSlot;
use outlet::Outlet;

/// How many blocks wait for the connection.
const WAITING: usize = 2;

/// Where the middle of a stream comes from.
#[async_trait]
pub(crate) trait Source: Send + 'static {
    /// The next bytes; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem>;
}

/// The media type of a stream, and its bytes before and behind the records.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) media_type: &'static str,
    /// What is sent before the rows.
    pub(crate) head: Vec<u8>,
    /// What is sent after the last row.
    pub(crate) foot: Vec<u8>,
}

impl Form {
    /// The answer to a request for its head alone.
    pub(crate) fn head_only(&self) -> HttpResponse {
        HttpResponse::Ok().content_type(self.media_type).body(Blocks { blocks: None, done: true })
    }
}

/// The most bytes that are answered over HTTP/1.0.
const SHORT: usize = 4 << 20;

/// Answers with the stream. Its first bytes are read before the answer begins, so that what fails at once is a problem
/// and not half an answer. The slot, which a page goes without, is kept until the source is read to its end or dropped.
/// `needs` is the permission without which the caller may not have the rest.
pub(crate) async fn answer(
    form: Form,
    mut source: impl Source,
    slot: Option<StreamSlot>,
    settings: &Settings,
    id: RequestId,
    request: &HttpRequest,
    needs: Permission,
) -> Result<HttpResponse, Problem> {
    if request.version() < Version::HTTP_11 {
        // It has no chunks, in which a stream that was cut looks like a whole one.
        return gathered(form, source, SHORT).await;
    }
    let watch = CredentialWatch::of(request, needs)?;
    let credential = request.extensions().get::<KnownCaller>().and_then(KnownCaller::actor).map(str::to_owned);
    let first = source.next().await?;
    let (sender, receiver) = channel(WAITING);
    let mut out = Outlet::new(sender, form.head, settings);
    let work = async move {
        let result = tokio::select! {
            result = pour(&mut out, first, source, slot, &form.foot) => result,
            () = watch.lost() => Err(End::Revoked),
        };
        if let Err(end) = result {
            end.log(&id, credential.as_deref());
            // The last of a stream is its `Ok(None)`; without it the connection is aborted.
            return;
        }
        out.end().await;
    };
    tokio::spawn(work.instrument(Span::current()));
    let body = Blocks { blocks: Some(receiver), done: false };
    Ok(HttpResponse::Ok().content_type(form.media_type).body(body))
}

/// Answers with all of a source, with its length; refuses what has more than `most` bytes.
pub(crate) async fn gathered(form: Form, mut source: impl Source, most: usize) -> Result<HttpResponse, Problem> {
    let mut body = form.head;
    while let Some(bytes) = source.next().await? {
        body.extend_from_slice(&bytes);
        if body.len() > most {
            let detail =
                "This is too long for HTTP/1.0: ask over HTTP/1.1, or where activities are asked for, page by page.";
            return Err(Problem::new(Kind::Upgrade, detail).with_header(header::UPGRADE, "HTTP/1.1"));
        }
    }
    body.extend_from_slice(&form.foot);
    Ok(HttpResponse::Ok().content_type(form.media_type).body(body))
}

/// Why a stream was not finished.
#[derive(Debug)]
enum End {
    /// The client closed the connection.
    Left,
    /// The client read too slowly.
    Slow,
    /// The caller's credential was revoked, has run out or has lost the permission.
    Revoked,
    /// The rest of it could not be written to a temporary file.
    Unspooled(io::Error),
    /// The source of rows failed.
    Failed(Problem),
}

impl End {
    fn log(&self, id: &RequestId, credential: Option<&str>) {
        let id = id.as_str();
        match self {
            Self::Left => tracing::debug!(request.id = id, credential, "A client left before its stream ended."),
            Self::Slow => tracing::warn!(request.id = id, credential, "A stream was cut: its client read too slowly."),
            Self::Revoked => {
                tracing::warn!(request.id = id, credential, "A stream was cut: its caller may no longer have it.");
            }
            Self::Unspooled(error) => {
                tracing::error!(request.id = id, credential, %error, "A stream was cut: its rest found no room on the disk.");
            }
            Self::Failed(problem) => {
                let causes = problem.causes().unwrap_or_else(|| problem.to_string());
                if problem.kind() == Kind::Busy {
                    tracing::warn!(
                        request.id = id,
                        credential,
                        error = causes,
                        "A stream was cut: its source is away."
                    );
                } else {
                    tracing::error!(
                        request.id = id,
                        credential,
                        error = causes,
                        "A stream was cut: its source failed."
                    );
                }
            }
        }
    }
}

/// Reads the source to its end, lets it go, and waits for what of it the client has not taken yet.
async fn pour(
    out: &mut Outlet,
    first: Option<Vec<u8>>,
    mut source: impl Source,
    slot: Option<StreamSlot>,
    foot: &[u8],
) -> Result<(), End> {
    let mut next = first;
    while let Some(bytes) = next {
        out.write(&bytes).await?;
        next = match timeout_at(out.deadline(), source.next()).await {
            Ok(result) => result.map_err(End::Failed)?,
            Err(_) => return Err(End::Slow),
        };
    }
    drop(source);
    out.write(foot).await?;
    out.finish().await?;
    drop(slot);
    Ok(())
}

/// The body of a stream: blocks, then either its end or an abort.
struct Blocks {
    blocks: Option<Receiver<Option<Bytes>>>,
    done: bool,
}

/// The stream was cut.
#[derive(Debug)]
struct Cut;

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the stream was cut")
    }
}

impl std::error::Error for Cut {}

impl MessageBody for Blocks {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.done {
            return Poll::Ready(None);
        }
        let Some(blocks) = &mut self.blocks else { return Poll::Ready(None) };
        match blocks.poll_recv(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(Some(block))) => Poll::Ready(Some(Ok(block))),
            Poll::Ready(Some(None)) => {
                self.done = true;
                Poll::Ready(None)
            }
            Poll::Ready(None) => {
                self.done = true;
                Poll::Ready(Some(Err(Box::new(Cut))))
            }
        }
    }
}
