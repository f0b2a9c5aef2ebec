//! Who calls: reading `Authorization` and finding the caller of it.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use uuid::Uuid;

use crate::problem::{Kind, Problem};

/// Who calls: authenticated, at the address of their own tenant.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) caller: ports::Caller,
    /// The epoch of that tenant.
    pub(crate) epoch: Uuid,
}

impl std::ops::Deref for Caller {
    type Target = ports::Caller;

    fn deref(&self) -> &ports::Caller {
        &self.caller
    }
}

/// The key or token of `Authorization: Bearer`.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    const MISSING: &str = "Send the header Authorization: Bearer with an API key or an access token.";
    let mut values = headers.get_all(header::AUTHORIZATION);
    let Some(value) = values.next() else { return Err(Problem::unauthenticated(MISSING, "Bearer")) };
    if values.next().is_some() {
        return Err(Problem::new(Kind::Malformed, "Send the header Authorization once."));
    }
    let Ok(text) = value.to_str() else {
        return Err(Problem::new(Kind::Malformed, "The header Authorization holds characters beyond ASCII."));
    };
    let (scheme, token) = text.trim().split_once(' ').unwrap_or((text, ""));
    let token = token.trim_start();
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(Problem::unauthenticated(MISSING, "Bearer"));
    }
    if token.is_empty() || token.contains(|c: char| !c.is_ascii_graphic()) {
        let challenge = r#"Bearer error="invalid_token""#;
        return Err(Problem::unauthenticated("What stands behind Bearer is no key or token.", challenge));
    }
    Ok(token)
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = request.extensions().get::<Self>().cloned();
        ready(caller.ok_or_else(|| Problem::internal("a public operation asks for its caller")))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn read(values: &[&str]) -> Result<String, u16> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        bearer(&headers).map(str::to_owned).map_err(|problem| problem.status_code().as_u16())
    }

    #[test]
    fn the_scheme_is_read_in_any_case() {
        assert_eq!(read(&["bEARER  tonne_abc"]), Ok("tonne_abc".to_owned()));
    }

    #[test]
    fn other_headers_are_refused() {
        for values in
            [vec![], vec!["Basic YTpi"], vec!["Bearer"], vec!["Bearer "], vec!["Bearer a b"], vec!["tonne_abc"]]
        {
            assert_eq!(read(&values), Err(401), "{values:?}");
        }
        assert_eq!(read(&["Bearer a", "Bearer b"]), Err(400));
    }
}
