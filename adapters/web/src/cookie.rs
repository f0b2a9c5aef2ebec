//! The cookie that a session is carried in.
//!
//! Over https its name binds it to this host (`__Host-`), and in path mode, where companies share a host, to https (`__Secure-`)
//! and the company's path. Over plain http browsers drop such names silently, so it has a plain one there, and pages say that
//! everybody on the way can read it.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use http::edge::{self, Failure};
use ports::credential::Secret;
use ports::people::Session;

/// The cookie at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionCookie {
    name: &'static str,
    path: String,
    is_secure: bool,
}

impl SessionCookie {
    /// The one of a request's address.
    pub(crate) fn of(request: &HttpRequest) -> Result<Self, Failure> {
        Ok(Self::at(&edge::pages_path(request)?, edge::is_secure(request)))
    }

    /// The one that carries an attempt to sign in elsewhere.
    pub(crate) fn of_attempt(request: &HttpRequest) -> Result<Self, Failure> {
        let session = Self::of(request)?;
        let name = match session.name {
            "__Host-tonne" => "__Host-tonne-oidc",
            "__Secure-tonne" => "__Secure-tonne-oidc",
            _ => "tonne-oidc",
        };
        Ok(Self { name, ..session })
    }

    fn at(base: &str, is_secure: bool) -> Self {
        let name = match (is_secure, base.is_empty()) {
            (true, true) => "__Host-tonne",
            (true, false) => "__Secure-tonne",
            (false, _) => "tonne",
        };
        Self { name, path: format!("{base}/"), is_secure }
    }

    /// What the request carries in it.
    pub(crate) fn read(&self, request: &HttpRequest) -> Option<Secret> {
        let headers = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
        let mut pairs = headers.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.name).map(|(_, value)| Secret(value.to_owned()))
    }

    /// Has the answer set the cookie to that text, for as long as a session lives at most.
    pub(crate) fn set(&self, text: &Secret, answer: &mut HttpResponse) -> Result<(), Failure> {
        self.write(&text.0, Session::LIFETIME_MS / 1000, answer)
    }

    /// Has the answer take the cookie away.
    pub(crate) fn clear(&self, answer: &mut HttpResponse) -> Result<(), Failure> {
        self.write("", 0, answer)
    }

    /// Has the answer set the cookie to that text, for so many seconds.
    pub(crate) fn write(&self, value: &str, max_age_s: i64, answer: &mut HttpResponse) -> Result<(), Failure> {
        let text = HeaderValue::from_str(&self.text(value, max_age_s)).map_err(Failure::internal)?;
        answer.headers_mut().append(header::SET_COOKIE, text);
        Ok(())
    }

    fn text(&self, value: &str, max_age_s: i64) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        format!("{}={value}; Path={}; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}", self.name, self.path)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_cookie_is_bound_as_closely_as_browsers_bind_one() {
        let text = |base, is_secure| SessionCookie::at(base, is_secure).text("x", 60);
        assert_eq!(text("", true), "__Host-tonne=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(text("/acme", true), "__Secure-tonne=x; Path=/acme/; Max-Age=60; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(text("", false), "tonne=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax");
        assert_eq!(text("/acme", false), "tonne=x; Path=/acme/; Max-Age=60; HttpOnly; SameSite=Lax");
    }

    #[test]
    fn it_is_found_among_others_by_its_whole_name() {
        let read = |text: &str| {
            let request = TestRequest::default().insert_header((header::COOKIE, text.to_owned())).to_http_request();
            SessionCookie::at("", true).read(&request).map(|secret| secret.0)
        };
        assert_eq!(read("a=b; __Host-tonne=x; tonne=y").as_deref(), Some("x"));
        assert_eq!(read("tonne=y; not__Host-tonne=z"), None);
    }
}
