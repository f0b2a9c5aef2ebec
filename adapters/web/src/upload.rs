//! A form with a file: its first field is the session's token, the next the file, which is read while it comes.

use std::cell::RefCell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_multipart::{Field, Multipart};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header;
use actix_web::rt::time::timeout;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::StreamExt as _;
use http::edge::Failure;
use ports::staged_import::MOST_BYTES;

use crate::form::TOKEN;

/// The end of the only path that files are sent to.
const PATH: &str = "/imports/new";
/// The name of the field with the file.
pub(crate) const FILE: &str = "file";
/// The most bytes of a token.
const MOST_TOKEN: usize = 1 << 10;
/// What a form has around its file, at most.
const AROUND: u64 = 64 << 10;
/// So long nothing may come.
const SILENCE: Duration = Duration::from_secs(30);
/// So many bytes a second must come, on the whole, once the time for a plain body is over.
const LEAST_BYTES_A_SECOND: u64 = 64 << 10;

/// A form whose token was read and whose file comes next. A handler takes it as an argument.
#[derive(Clone)]
pub(crate) struct Sent(Rc<RefCell<Option<Multipart>>>, Pace);

/// How fast a form must come: a sender that drips holds no connection for ever.
#[derive(Clone, Copy, Debug)]
struct Pace {
    begun: Instant,
    /// How long any form may take.
    free: Duration,
    /// How much of the file came.
    bytes: u64,
}

impl Pace {
    /// How long it may take until the next bytes are there; nothing once it is over.
    fn patience(self, now: Instant) -> Duration {
        let whole = self.free + Duration::from_secs(self.bytes / LEAST_BYTES_A_SECOND);
        SILENCE.min((self.begun + whole).saturating_duration_since(now))
    }
}

/// The file of a form.
pub(crate) struct SentFile {
    /// What the browser calls it.
    pub(crate) name: String,
    field: Field,
    pace: Pace,
    /// What the field is read from.
    _form: Multipart,
}

/// Whether a request is such a form, sent to where files are taken.
pub(crate) fn is_sent(request: &ServiceRequest) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let is_form = kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case("multipart/form-data");
    is_form && request.path().ends_with(PATH)
}

/// Reads the first field, and leaves the rest. One that says that it is too long is refused unread.
pub(crate) async fn begin(request: &mut ServiceRequest) -> Result<(Option<String>, Sent), Failure> {
    let length =
        request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MOST_BYTES + AROUND) {
        return Err(Failure::too_large(format!("A file may have {} MiB.", MOST_BYTES >> 20)));
    }
    let payload = request.take_payload();
    let mut form = Multipart::new(request.headers(), payload);
    let pace = Pace { begun: Instant::now(), free: http::edge::body_time(request.request()), bytes: 0 };
    let token = match next(&mut form, pace).await? {
        Some(mut field) if field.name() == Some(TOKEN) => {
            let mut bytes = Vec::new();
            while let Some(chunk) = piece(&mut field, pace).await? {
                if bytes.len() + chunk.len() > MOST_TOKEN {
                    return Err(Failure::malformed("The form's token is too long."));
                }
                bytes.extend_from_slice(&chunk);
            }
            String::from_utf8(bytes).ok()
        }
        Some(_) | None => None,
    };
    Ok((token, Sent(Rc::new(RefCell::new(Some(form))), pace)))
}

impl Sent {
    /// The file, whose bytes come next; `None` where the form has none.
    pub(crate) async fn file(self) -> Result<Option<SentFile>, Failure> {
        let form = self.0.borrow_mut().take();
        let Some(mut form) = form else { return Ok(None) };
        let Some(field) = next(&mut form, self.1).await?.filter(|field| field.name() == Some(FILE)) else {
            return Ok(None);
        };
        let name = field.content_disposition().and_then(|said| said.get_filename()).unwrap_or_default().to_owned();
        Ok(Some(SentFile { name, field, pace: self.1, _form: form }))
    }
}

impl SentFile {
    /// The next bytes; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let bytes = piece(&mut self.field, self.pace).await?;
        self.pace.bytes += bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
        Ok(bytes)
    }
}

async fn next(form: &mut Multipart, pace: Pace) -> Result<Option<Field>, Failure> {
    let next = timeout(pace.patience(Instant::now()), form.next()).await.map_err(|_| late())?;
    next.transpose().map_err(|error| Failure::malformed(format!("The form cannot be read: {error}.")))
}

async fn piece(field: &mut Field, pace: Pace) -> Result<Option<Bytes>, Failure> {
    let next = timeout(pace.patience(Instant::now()), field.next()).await.map_err(|_| late())?;
    next.transpose().map_err(|_| Failure::malformed("The file did not arrive whole. Send it again."))
}

fn late() -> Failure {
    Failure::malformed("The file did not arrive: nothing came for half a minute, or it came too slowly. Send it again.")
}

impl FromRequest for Sent {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let sent = request.extensions().get::<Self>().cloned();
        ready(sent.ok_or_else(|| Failure::media_type("A file is sent as multipart/form-data.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_drips_has_an_end_and_one_that_flows_has_time() {
        let begun = Instant::now();
        let pace = |bytes| Pace { begun, free: Duration::from_mins(2), bytes };
        let after = |seconds| begun + Duration::from_secs(seconds);
        assert_eq!(pace(0).patience(begun), SILENCE);
        assert_eq!(pace(100).patience(after(110)), Duration::from_secs(10));
        assert_eq!(pace(100).patience(after(121)), Duration::ZERO);
        let whole = MOST_BYTES / LEAST_BYTES_A_SECOND;
        assert_eq!(pace(MOST_BYTES).patience(after(whole)), SILENCE, "as slow as may be, and still under way");
        assert_eq!(pace(MOST_BYTES).patience(after(whole + 121)), Duration::ZERO);
    }
}
