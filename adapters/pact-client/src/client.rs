//! The port's calls, made over the network.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use domain::footprint::Edition;
use hyper::Request;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, LINK};
use ports::partner_host::{HostError, HostPage, NotTaken, PartnerAddress, PartnerHost};
use serde::Deserialize;
use serde::de::IgnoredAny;
use url::Url;

use crate::address::{below, read, same_origin};
use crate::call::{Answered, Caller, Limits};
use crate::link;
use crate::network::Network;
use crate::roots::Roots;
use crate::token::{Origin, Token, Tokens, Wanted};

/// What a message of another host may take in ours, in characters.
const MESSAGE: usize = 200;

/// Calls partners' hosts. It keeps tokens in memory until shortly before they run out.
pub struct Client {
    pub(crate) caller: Caller,
    tokens: Tokens,
}

impl Client {
    /// Calls over that network, to hosts that those certificates vouch for.
    #[must_use]
    pub fn new(network: Arc<dyn Network>, roots: Roots, limits: Limits) -> Self {
        Self { caller: Caller { network, roots, limits }, tokens: Tokens::default() }
    }

    /// Sends a request with a token, and once more with a new one where the token is refused: with 401, or by a host of version 2
    /// with 400, which answers other faults so too. There it is the token's only if that one was kept.
    async fn authorized(&self, at: &PartnerAddress, url: &Url, event: Option<&str>) -> Result<Answered, HostError> {
        self.authorized_noting(at, url, event, &AtomicBool::new(false)).await
    }

    /// The same, noting that the request begins to leave this process; one that was refused with its token did not count.
    async fn authorized_noting(
        &self,
        at: &PartnerAddress,
        url: &Url,
        event: Option<&str>,
        has_left: &AtomicBool,
    ) -> Result<Answered, HostError> {
        for wanted in [Wanted::Any, Wanted::New] {
            let Token { text: token, from } = self.tokens.get(&self.caller, at, wanted).await?;
            let mut request = with_body(event.map(|event| ("application/cloudevents+json; charset=UTF-8", event)));
            let bearer = HeaderValue::from_str(&format!("Bearer {token}"));
            let mut bearer =
                bearer.map_err(|_| HostError::NoToken("it has characters that cannot be sent".to_owned()))?;
            bearer.set_sensitive(true);
            request.headers_mut().insert(AUTHORIZATION, bearer);
            let mut answer = self.caller.call_noting(at, url, request, has_left).await?;
            if !(200..300).contains(&answer.status) {
                answer.body = String::from_utf8_lossy(&answer.body).replace(&token, "***").into_bytes();
            }
            let is_refused = match answer.status {
                401 => true,
                400 => from == Origin::Kept && is_version_2(url, at),
                _ => false,
            };
            if !is_refused || wanted == Wanted::New {
                return Ok(answer);
            }
            has_left.store(false, Ordering::SeqCst);
        }
        Err(HostError::NoToken("no token was asked for".to_owned()))
    }

    async fn page(&self, at: &PartnerAddress, url: &Url) -> Result<HostPage, HostError> {
        let answer = self.authorized(at, url, None).await?;
        let next = header(&answer, &LINK);
        let next = next.as_deref().and_then(link::next).map(|target| {
            url.join(target)
                .map_err(|error| HostError::Answer(format!("the target of its Link is no address: {error}")))
        });
        let next = next.transpose()?;
        if let Some(next) = &next {
            same_host(next, at)?;
        }
        Ok(HostPage { body: json(answer)?, next: next.map(String::from) })
    }
}

#[async_trait]
impl PartnerHost for Client {
    async fn send(&self, at: &PartnerAddress, edition: Edition, event: &str) -> Result<(), NotTaken> {
        let has_left = AtomicBool::new(false);
        let sent = async {
            let url = below(&at.base_url, &format!("/{}/events", edition.segment()), at)?;
            let answer = self.authorized_noting(at, &url, Some(event), &has_left).await?;
            if (200..300).contains(&answer.status) { Ok(()) } else { Err(status(&answer)) }
        };
        sent.await.map_err(|error| NotTaken { error, has_left: has_left.load(Ordering::SeqCst) })
    }

    async fn list(&self, at: &PartnerAddress, edition: Edition, query: &str) -> Result<HostPage, HostError> {
        let question = if query.is_empty() { "" } else { "?" };
        let path = format!("/{}/footprints{question}{query}", edition.segment());
        self.page(at, &below(&at.base_url, &path, at)?).await
    }

    async fn next(&self, at: &PartnerAddress, link: &str) -> Result<HostPage, HostError> {
        let url = read(link, at)?;
        same_host(&url, at)?;
        self.page(at, &url).await
    }

    async fn footprint(&self, at: &PartnerAddress, edition: Edition, id: &str) -> Result<String, HostError> {
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(HostError::NotAllowed("the footprint's id is no UUID".to_owned()));
        }
        let url = below(&at.base_url, &format!("/{}/footprints/{id}", edition.segment()), at)?;
        json(self.authorized(at, &url, None).await?)
    }
}

/// Whether an address is one of version 2.
fn is_version_2(url: &Url, at: &PartnerAddress) -> bool {
    read(&at.base_url, at).is_ok_and(|base| {
        let below = url.path().strip_prefix(base.path().trim_end_matches('/'));
        below.is_some_and(|path| path.starts_with("/2/"))
    })
}

/// Refuses an address at another host than the partner's.
fn same_host(url: &Url, at: &PartnerAddress) -> Result<(), HostError> {
    if same_origin(url, &read(&at.base_url, at)?) {
        return Ok(());
    }
    let host = url.host_str().unwrap_or_default();
    Err(HostError::NotAllowed(format!("the link leads to {}://{host}, which is not the partner's host", url.scheme())))
}

/// A request by GET, or with a body by POST.
pub(crate) fn with_body(body: Option<(&'static str, &str)>) -> Request<Vec<u8>> {
    let mut request = Request::new(body.map_or_else(Vec::new, |(_, text)| text.as_bytes().to_vec()));
    if let Some((kind, _)) = body {
        *request.method_mut() = hyper::Method::POST;
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
    request
}

/// A header, all of its lines joined; what is no text is left out.
pub(crate) fn header(answer: &Answered, name: &HeaderName) -> Option<String> {
    let lines: Vec<_> = answer.headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    (!lines.is_empty()).then(|| lines.join(", "))
}

/// The JSON of an answer with status 200.
fn json(answer: Answered) -> Result<String, HostError> {
    if answer.status != 200 {
        return Err(status(&answer));
    }
    let text = String::from_utf8(answer.body).map_err(|_| HostError::Answer("it is not UTF-8".to_owned()))?;
    if let Err(error) = serde_json::from_str::<IgnoredAny>(&text) {
        return Err(HostError::Answer(format!("it is not JSON: {error}")));
    }
    Ok(text)
}

/// What an answer with another status says.
fn status(answer: &Answered) -> HostError {
    #[derive(Deserialize)]
    struct Told {
        code: Option<String>,
        message: Option<String>,
    }
    let told: Option<Told> = serde_json::from_slice(&answer.body).ok();
    let (code, message) = told.map_or((None, None), |told| (told.code, told.message));
    let message = message.unwrap_or_else(|| String::from_utf8_lossy(&answer.body).into_owned());
    HostError::Status { status: answer.status, code: code.as_deref().map(short), message: short(&message) }
}

/// The beginning of another host's words, without control characters.
fn short(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MESSAGE).collect()
}
