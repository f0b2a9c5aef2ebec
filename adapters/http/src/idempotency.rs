//! Requests that may be sent again: the header `Idempotency-Key`, and what makes two requests the same one.

use actix_web::HttpRequest;
use ports::inbound::Once;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};

use crate::caller::Caller;
use crate::keyed_body::{self, HEADER};
use crate::problem::{HeadFaults, Problem};
use crate::request_part::{Parameter, Part, Place};
use crate::schema::Kind;

/// The header, as it is documented.
pub(crate) const NAME: &str = "Idempotency-Key";
/// How many characters a key has at most.
const LONGEST: usize = 255;

/// What the header `Idempotency-Key` says, if it is sent.
#[derive(Clone, Debug)]
pub(crate) struct IdempotencyKey(Option<String>);

impl IdempotencyKey {
    /// The request under its key, where it has one. Its sender and its address belong to the key, its query and its body
    /// to what it asks.
    pub(crate) fn request(&self, caller: &Caller, request: &HttpRequest) -> Option<KeyedRequest> {
        let key = self.0.as_ref()?;
        let route = format!("{} {}", request.method(), request.path());
        Some(KeyedRequest::new(
            RequestKey::new(&caller.actor, &route, key),
            request.query_string(),
            &keyed_body::of(request),
        ))
    }

    /// That what the request asks for is done once, where it has a key; `answer` is what it is answered then.
    pub(crate) fn once<V: 'static>(
        &self,
        caller: &Caller,
        request: &HttpRequest,
        answer: impl Fn(&V) -> Result<FirstAnswer, Problem> + Send + Sync + 'static,
    ) -> Option<Once<V>> {
        let why = |problem: Problem| problem.causes().unwrap_or_else(|| problem.to_string());
        let render = move |view: &V| answer(view).map_err(|problem| why(problem).into());
        self.request(caller, request).map(|request| Once::new(request, render))
    }
}

impl Part for IdempotencyKey {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter {
            name: NAME,
            place: Place::Header,
            doc: "Makes it safe to send the request again: within 24 hours it is carried out once, and answered as the first \
                  time. A value that no other request has, such as a UUID.",
            kind: Kind::Text(1, 255),
            more: &[("pattern", r#""^[!-~]+$""#), ("examples", r#"["0b7f4a5e-7c1d-4f8e-9d55-2f1f0f3a9c11"]"#)],
        }]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let mut values = request.headers().get_all(HEADER);
        let Some(value) = values.next() else { return Some(Self(None)) };
        if values.next().is_some() {
            faults.malformed(NAME, "is sent twice; send it once");
            return None;
        }
        let text = value.to_str().ok().filter(|text| is_key(text));
        if text.is_none() {
            faults.malformed(NAME, "is not 1 to 255 visible ASCII characters; send a UUID, for example");
        }
        text.map(|text| Self(Some(text.to_owned())))
    }
}

fn is_key(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_visible_ascii_of_bounded_length() {
        for good in ["a", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"", "!~", &"k".repeat(255)] {
            assert!(is_key(good), "{good}");
        }
        for bad in ["", " ", "a b", "a\tb", "é", &"k".repeat(256)] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
