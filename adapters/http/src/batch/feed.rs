//! The bytes of a bulk body: of any size, but never slower than a bound.

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, Read};
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{Buf as _, Bytes};
use actix_web::{FromRequest, HttpRequest, web};
use flate2::read::MultiGzDecoder;
use futures_util::StreamExt as _;
use futures_util::future::{Ready, ready};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, timeout_at};

use super::MEDIA;
use crate::media;
use crate::operation::{About, Describe};
use crate::problem::{Kind, Problem};
use crate::service::Service;

/// Chunks of a body that wait to be read.
const CHUNKS: usize = 8;
/// How many bytes come at least in each [`WINDOW`].
const LEAST: u64 = 64 * 1024;
/// Over which time a body's rate is measured; while the service itself keeps the client waiting the time stands still.
const WINDOW: Duration = Duration::from_secs(30);
/// How many times its size a body may inflate to, beyond the first [`INFLATED_FREE`] bytes.
const INFLATION: u64 = 128;
/// So many bytes may any body inflate to.
const INFLATED_FREE: u64 = 1 << 20;

/// The body of a bulk request, not read yet.
pub(super) struct BulkBody {
    payload: Payload,
    pub(super) form: BulkForm,
    silence: Duration,
    window: Duration,
}

/// How the bytes of a body are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BulkForm {
    pub(super) media: &'static str,
    pub(super) is_gzip: bool,
}

impl Describe for BulkBody {
    fn describe(_: &mut About) {}
}

impl FromRequest for BulkBody {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_gzip = request.headers().get(header::CONTENT_ENCODING).is_some_and(|coding| coding == "gzip");
        let silence = request.app_data::<web::Data<Service>>().map_or(WINDOW, |service| service.limits().body_silence);
        let media = media::check_bulk_body(request.headers(), MEDIA, is_gzip);
        ready(match media {
            Ok(media) => {
                Ok(Self { payload: payload.take(), form: BulkForm { media, is_gzip }, silence, window: WINDOW })
            }
            Err(problem) => Err(problem.closing()),
        })
    }
}

/// What goes from the connection to the thread that reads rows.
pub(super) enum Fed {
    Bytes(Bytes),
    /// All of the body came. Without it the body broke off.
    End,
}

/// Where a body is fed and where it is read.
pub(super) fn pipe(form: BulkForm) -> (Sender<Fed>, BodyReader) {
    let (feed, fed) = channel(CHUNKS);
    let raw = Raw { fed, chunk: Bytes::new(), has_ended: false, begins_as_text: !form.is_gzip };
    let hashing = files::Hashing::new(raw);
    (feed, if form.is_gzip { BodyReader::Gzip(Box::new(Capped::new(hashing))) } else { BodyReader::Plain(hashing) })
}

impl BulkBody {
    /// Feeds the body as it comes. Ends early where nobody reads it any more; the error says that it is too slow or broke off.
    pub(super) async fn feed(mut self, to: Sender<Fed>) -> Result<(), Problem> {
        let (mut waited, mut came, window) = (Duration::ZERO, 0_u64, self.window);
        loop {
            let begun = Instant::now();
            let until = begun + self.silence.min(window.saturating_sub(waited));
            let next = timeout_at(until, self.payload.next()).await;
            waited += begun.elapsed();
            match next {
                Err(_) if waited >= window && came >= LEAST => {}
                Err(_) if waited >= window => return Err(too_slow("Less than 64 KiB of the body came in 30 s.")),
                Err(_) => {
                    let seconds = self.silence.as_secs();
                    return Err(too_slow(&format!("No byte of the body came for {seconds} s.")));
                }
                Ok(None) => {
                    drop(to.send(Fed::End).await);
                    return Ok(());
                }
                Ok(Some(Err(_))) => return Err(Problem::new(Kind::Malformed, "The body broke off.").closing()),
                Ok(Some(Ok(chunk))) => {
                    came += chunk.len() as u64;
                    if to.send(Fed::Bytes(chunk)).await.is_err() {
                        return Ok(());
                    }
                }
            }
            if waited >= window {
                (waited, came) = (Duration::ZERO, 0);
            }
        }
    }
}

fn too_slow(detail: &str) -> Problem {
    Problem::new(Kind::Timeout, detail).closing()
}

/// Reads a body on a thread that may wait.
pub(super) enum BodyReader {
    Plain(files::Hashing<Raw>),
    Gzip(Box<Capped>),
}

impl BodyReader {
    /// The SHA-256 of the body as it was sent, what was not read yet included.
    pub(super) fn digest(self) -> io::Result<domain::Digest> {
        match self {
            Self::Plain(hashing) => hashing.digest(),
            Self::Gzip(capped) => match capped.into_packed() {
                Some(packed) => packed.digest(),
                None => Err(io::ErrorKind::InvalidData.into()),
            },
        }
    }
}

impl Read for BodyReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(plain) => plain.read(into),
            Self::Gzip(packed) => packed.read(into),
        }
    }
}

/// The bytes as they were sent.
pub(super) struct Raw {
    fed: Receiver<Fed>,
    chunk: Bytes,
    has_ended: bool,
    /// Whether the body is taken for a text, and nothing of it came yet.
    begins_as_text: bool,
}

/// A body begins as gzip does, and its head does not say so.
#[derive(Debug)]
pub(super) struct UnsaidGzip;

impl fmt::Display for UnsaidGzip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body is gzip, and no Content-Encoding says so")
    }
}

impl std::error::Error for UnsaidGzip {}

/// The bytes that gzip begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

impl Read for Raw {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            if self.has_ended {
                return Ok(0);
            }
            match self.fed.blocking_recv() {
                Some(Fed::Bytes(chunk)) => {
                    if self.begins_as_text && chunk.starts_with(&GZIP) {
                        return Err(io::Error::new(io::ErrorKind::InvalidData, UnsaidGzip));
                    }
                    self.begins_as_text &= chunk.is_empty();
                    self.chunk = chunk;
                }
                Some(Fed::End) => self.has_ended = true,
                None => return Err(io::ErrorKind::ConnectionAborted.into()),
            }
        }
        let count = into.len().min(self.chunk.len());
        self.chunk.copy_to_slice(&mut into[..count]);
        Ok(count)
    }
}

/// Inflates, but not without bound.
pub(super) struct Capped {
    packed: Packed,
    inflated: u64,
}

enum Packed {
    /// Making a decoder reads the first bytes, which has to wait for the thread that may.
    Unread(Option<files::Hashing<Raw>>),
    Begun(Box<MultiGzDecoder<files::Hashing<Raw>>>),
}

impl Capped {
    const fn new(packed: files::Hashing<Raw>) -> Self {
        Self { packed: Packed::Unread(Some(packed)), inflated: 0 }
    }

    /// The bytes as they were sent.
    fn into_packed(self) -> Option<files::Hashing<Raw>> {
        match self.packed {
            Packed::Unread(raw) => raw,
            Packed::Begun(decoder) => Some(decoder.into_inner()),
        }
    }
}

impl Read for Capped {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Packed::Unread(raw) = &mut self.packed
            && let Some(raw) = raw.take()
        {
            self.packed = Packed::Begun(Box::new(MultiGzDecoder::new(raw)));
        }
        let Packed::Begun(decoder) = &mut self.packed else { return Ok(0) };
        let count = decoder.read(into)?;
        self.inflated += count as u64;
        let packed = decoder.get_ref().count();
        if self.inflated > INFLATED_FREE + packed.saturating_mul(INFLATION) {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "inflates to more than a body may"));
        }
        Ok(count)
    }
}
