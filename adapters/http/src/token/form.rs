//! Reading what a client sends to the token endpoint: its credentials and the fields of its form (RFC 6749, 2.3.1).

use actix_web::HttpRequest;
use actix_web::http::header;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ports::credential::Secret;
use ports::inbound::ClientCredentials;

use super::Refusal;
use crate::forwarded::source;
use crate::query::decode;
use crate::service::Service;

/// The fields of a form; a field that appears twice is refused, one without a value counts as absent.
#[derive(Debug)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn parse(body: &[u8]) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(body).map_err(|_| Refusal::request("The form is not UTF-8."))?;
        let mut fields: Vec<(String, String)> = Vec::new();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (Some(name), Some(value)) = (decode(name), decode(value)) else {
                return Err(Refusal::request("The form is not percent-encoded UTF-8."));
            };
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(Refusal::request("A field of the form stands twice."));
            }
            fields.push((name, value));
        }
        Ok(Self(fields))
    }

    /// The value of a field that has one.
    pub(super) fn find(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, value)| known == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }

    /// The value of a field that must have one.
    pub(super) fn get(&self, name: &str) -> Result<&str, Refusal> {
        self.find(name).ok_or_else(|| Refusal::request(format!("The form lacks the field {name}.")))
    }
}

/// The client's credentials: from `Authorization: Basic`, or from the form, never from both.
pub(super) fn credentials(
    request: &HttpRequest,
    fields: &Fields,
    service: &Service,
) -> Result<ClientCredentials, Refusal> {
    let from = service.sender(request).map(|address| source(address).to_string()).unwrap_or_default();
    let in_form = fields.find("client_secret");
    let mut headers = request.headers().get_all(header::AUTHORIZATION);
    let (id, secret) = match (headers.next(), in_form) {
        (Some(_), Some(_)) => return Err(Refusal::request("Send the client's credentials once, not twice.")),
        (Some(value), None) => {
            if headers.next().is_some() {
                return Err(Refusal::request("Send the header Authorization once."));
            }
            let (id, secret) = value.to_str().ok().and_then(basic).ok_or(Refusal::Client)?;
            if fields.find("client_id").is_some_and(|other| other != id) {
                return Err(Refusal::request("client_id is not the client that Authorization names."));
            }
            (id, secret)
        }
        (None, Some(secret)) => (fields.get("client_id")?.to_owned(), secret.to_owned()),
        (None, None) => return Err(Refusal::Client),
    };
    Ok(ClientCredentials { id, secret: Secret(secret), from })
}

/// Username and password of `Basic`, parted at the first colon, each percent-decoded.
fn basic(value: &str) -> Option<(String, String)> {
    let (scheme, encoded) = value.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((decode(id)?, decode(secret)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        basic(&format!("basic {}", STANDARD.encode(text)))
    }

    #[test]
    fn the_first_colon_parts_them_and_each_is_decoded() {
        assert_eq!(read("a%3Ab:c:d%25"), Some(("a:b".into(), "c:d%".into())));
        assert_eq!(read("a:"), Some(("a".into(), String::new())));
    }

    #[test]
    fn what_is_no_pair_is_refused() {
        assert_eq!(read("alone"), None);
        assert_eq!(read("a:%zz"), None);
        assert_eq!(basic("Basic !!!"), None);
        assert_eq!(basic("Bearer YTpi"), None);
    }

    #[test]
    fn a_field_twice_is_refused_and_an_empty_one_is_absent() {
        assert!(Fields::parse(b"scope=a&scope=b").is_err());
        assert_eq!(Fields::parse(b"scope=&grant_type=x").unwrap().find("scope"), None);
    }
}
