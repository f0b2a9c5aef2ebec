//! Reading bodies: bounded in size, time and silence, of a media type that is taken, JSON without a doubt.

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest, web};
use files::Json;
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use tokio::time::{Instant, timeout_at};

use crate::media;
use crate::problem::{Kind, Problem};
use crate::service::{Limits, Service};

/// A body of type `application/x-www-form-urlencoded`.
#[derive(Debug)]
pub(crate) struct Form(pub(crate) Bytes);

impl FromRequest for Form {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let read = bytes(request, payload, &[media::FORM]);
        Box::pin(async { read.await.map(|(bytes, _)| Self(bytes)) })
    }
}

/// A body that is an event.
#[derive(Debug)]
pub(crate) struct EventBody(pub(crate) Bytes);

impl EventBody {
    /// The media types of events, the documented one first.
    pub(crate) const MEDIA: &'static [&'static str] = &[pact::EVENT_MEDIA, media::JSON];
}

impl FromRequest for EventBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let read = bytes(request, payload, Self::MEDIA);
        Box::pin(async { read.await.map(|(bytes, _)| Self(bytes)) })
    }
}

/// The JSON of a body of one of those media types, and its bytes.
pub(crate) fn json(
    request: &HttpRequest,
    payload: &mut Payload,
    taken: &[&'static str],
) -> impl Future<Output = Result<(Json, Bytes), Problem>> + use<> {
    let read = bytes(request, payload, taken);
    async {
        let (bytes, limits) = read.await?;
        if bytes.is_empty() {
            return Err(Problem::new(Kind::Malformed, "The body is empty; send a JSON object."));
        }
        let json = files::parse(&bytes, limits.json_depth).map_err(|faults| {
            let first = faults.as_slice().first();
            let said = first.map(|fault| {
                let place = if fault.pointer.is_empty() { "it" } else { &fault.pointer };
                format!("The body cannot be read: {place} {}.", fault.detail)
            });
            Problem::new(Kind::Malformed, said.unwrap_or_default()).with_faults(faults)
        })?;
        Ok((json, bytes))
    }
}

/// All of the body, once its type and length are found to be right.
fn bytes(
    request: &HttpRequest,
    payload: &mut Payload,
    taken: &[&'static str],
) -> impl Future<Output = Result<(Bytes, Limits), Problem>> + use<> {
    let limits = request.app_data::<web::Data<Service>>().map(|service| service.limits().clone()).unwrap_or_default();
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let refusal = match media::check_body(request.headers(), taken) {
        Err(problem) => Some(problem),
        Ok(_) if announced.is_some_and(|length: u64| length > limits.body_bytes as u64) => Some(too_large(&limits)),
        Ok(_) => None,
    };
    let payload = payload.take();
    async move {
        match refusal {
            Some(problem) => Err(problem.closing()),
            None => collect(payload, &limits).await.map(|bytes| (bytes, limits)),
        }
    }
}

pub(crate) async fn collect(mut payload: Payload, limits: &Limits) -> Result<Bytes, Problem> {
    let mut body = BytesMut::new();
    let end = Instant::now() + limits.body;
    loop {
        let until = end.min(Instant::now() + limits.body_silence);
        let Ok(next) = timeout_at(until, payload.next()).await else {
            return Err(too_slow(limits, until == end));
        };
        match next {
            None => return Ok(body.freeze()),
            Some(Ok(chunk)) if body.len() + chunk.len() <= limits.body_bytes => body.extend_from_slice(&chunk),
            Some(Ok(_)) => return Err(too_large(limits).closing()),
            Some(Err(_)) => return Err(Problem::new(Kind::Malformed, "The body broke off.").closing()),
        }
    }
}

fn too_large(limits: &Limits) -> Problem {
    Problem::new(Kind::TooLarge, format!("The body may have {} bytes.", limits.body_bytes))
}

/// The body, or a part of it, did not come in time.
fn too_slow(limits: &Limits, is_whole: bool) -> Problem {
    let detail = if is_whole {
        format!("The body did not arrive within {} s.", limits.body.as_secs())
    } else {
        format!("No byte of the body came for {} s.", limits.body_silence.as_secs())
    };
    Problem::new(Kind::Timeout, detail).closing()
}
