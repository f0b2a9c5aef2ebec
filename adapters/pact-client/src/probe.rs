//! Single requests, to find out what a host does wrong.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, LINK};
use ports::partner_host::{
    HostAnswer, HostAuthorization, HostError, HostProbe, HostRequest, PartnerAddress, TokenEndpoint,
};
use url::form_urlencoded::byte_serialize;

use crate::address::read;
use crate::client::{Client, header, with_body};
use crate::token;

#[async_trait]
impl HostProbe for Client {
    async fn token_endpoint(&self, at: &PartnerAddress) -> Result<TokenEndpoint, HostError> {
        token::endpoint(&self.caller, at).await
    }

    async fn ask(&self, at: &PartnerAddress, request: HostRequest) -> Result<HostAnswer, HostError> {
        let HostRequest { url, authorization, body } = request;
        let url = read(&url, at)?;
        let mut sent = with_body(body.as_ref().map(|(kind, text)| (*kind, text.as_str())));
        let value = match &authorization {
            HostAuthorization::Basic { id, secret } => format!("Basic {}", basic(id, secret)),
            HostAuthorization::Bearer(token) => format!("Bearer {token}"),
        };
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| HostError::NotAllowed("the credentials have characters that cannot be sent".to_owned()))?;
        value.set_sensitive(true);
        sent.headers_mut().insert(AUTHORIZATION, value);
        let answer = self.caller.call(at, &url, sent).await?;
        let (content_type, link) = (header(&answer, &CONTENT_TYPE), header(&answer, &LINK));
        Ok(HostAnswer { status: answer.status, content_type, link, body: answer.body })
    }
}

/// A client's id and secret as RFC 6749 (2.3.1) writes them: each encoded as in a form, then both by base 64.
fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)))
}
