//! A form with a file: its first field is the session's token, the next the file, which is read while it comes.

use std::cell::RefCell;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::time::Duration;

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

/// A form whose token was read and whose file comes next. A handler takes it as an argument.
#[derive(Clone)]
pub(crate) struct Sent(Rc<RefCell<Option<Multipart>>>);

/// The file of a form.
pub(crate) struct SentFile {
    /// What the browser calls it.
    pub(crate) name: String,
    field: Field,
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
    let token = match next(&mut form).await? {
        Some(mut field) if field.name() == Some(TOKEN) => {
            let mut bytes = Vec::new();
            while let Some(chunk) = piece(&mut field).await? {
                if bytes.len() + chunk.len() > MOST_TOKEN {
                    return Err(Failure::malformed("The form's token is too long."));
                }
                bytes.extend_from_slice(&chunk);
            }
            String::from_utf8(bytes).ok()
        }
        Some(_) | None => None,
    };
    Ok((token, Sent(Rc::new(RefCell::new(Some(form))))))
}

impl Sent {
    /// The file, whose bytes come next; `None` where the form has none.
    pub(crate) async fn file(self) -> Result<Option<SentFile>, Failure> {
        let form = self.0.borrow_mut().take();
        let Some(mut form) = form else { return Ok(None) };
        let Some(field) = next(&mut form).await?.filter(|field| field.name() == Some(FILE)) else { return Ok(None) };
        let name = field.content_disposition().and_then(|said| said.get_filename()).unwrap_or_default().to_owned();
        Ok(Some(SentFile { name, field, _form: form }))
    }
}

impl SentFile {
    /// The next bytes; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        piece(&mut self.field).await
    }
}

async fn next(form: &mut Multipart) -> Result<Option<Field>, Failure> {
    let next = timeout(SILENCE, form.next()).await.map_err(|_| late())?;
    next.transpose().map_err(|error| Failure::malformed(format!("The form cannot be read: {error}.")))
}

async fn piece(field: &mut Field) -> Result<Option<Bytes>, Failure> {
    let next = timeout(SILENCE, field.next()).await.map_err(|_| late())?;
    next.transpose().map_err(|_| Failure::malformed("The file did not arrive whole. Send it again."))
}

fn late() -> Failure {
    Failure::malformed("The file did not arrive: nothing came for half a minute. Send it again.")
}

impl FromRequest for Sent {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let sent = request.extensions().get::<Self>().cloned();
        ready(sent.ok_or_else(|| Failure::media_type("A file is sent as multipart/form-data.")))
    }
}
