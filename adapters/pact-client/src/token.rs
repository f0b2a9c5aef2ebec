//! Access tokens: where they are asked for, asked for, and kept until shortly before they run out.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::{Request, Response};
use oauth2::basic::{BasicClient, BasicErrorResponse};
use oauth2::{
    AsyncHttpClient, AuthType, ClientId, ClientSecret, HttpRequest, HttpResponse, RequestTokenError,
    TokenResponse as _, TokenUrl,
};
use ports::partner_host::{HostError, PartnerAddress, TokenEndpoint};
use serde::Deserialize;
use url::Url;

use crate::address::{below, read, without_secrets};
use crate::call::{Answered, Caller};

/// How long before it runs out a token is not used any more.
const MARGIN: Duration = Duration::from_secs(30);
/// How long a token is kept that does not say when it runs out.
const UNSAID: Duration = Duration::from_mins(5);
/// The longest that a token is kept, whatever it says.
const LONGEST: Duration = Duration::from_hours(1);
/// The most tokens that are kept.
const MOST: usize = 1_000;

/// The tokens of partners.
#[derive(Default)]
pub(crate) struct Tokens(Mutex<HashMap<Key, Kept>>);

/// What a token is for: where it was asked for and by whom.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    base: String,
    client_id: String,
    client_secret: String,
}

struct Kept {
    token: String,
    until: Instant,
}

/// What of a discovery document counts.
#[derive(Deserialize)]
struct Document {
    token_endpoint: String,
}

/// Whether a kept token will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// One that is kept, if there is one.
    Any,
    /// A new one: the kept one was refused.
    New,
}

/// A token, and where it is from.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) from: Origin,
}

/// Where a token is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was asked for earlier: the host may have forgotten it.
    Kept,
    /// It was asked for now.
    Host,
}

impl Tokens {
    /// A token for the partner's host.
    pub(crate) async fn get(&self, caller: &Caller, at: &PartnerAddress, wanted: Wanted) -> Result<Token, HostError> {
        if wanted == Wanted::Any
            && let Some(text) = self.kept(at)
        {
            return Ok(Token { text, from: Origin::Kept });
        }
        let endpoint = endpoint(caller, at).await?;
        let reach =
            PartnerAddress { private_addresses: at.private_addresses && is_its_own(&endpoint.url, at), ..at.clone() };
        let (token, lifetime) = ask(caller, &reach, &endpoint.url).await?;
        self.keep(at, &token, lifetime);
        Ok(Token { text: token, from: Origin::Host })
    }

    fn kept(&self, at: &PartnerAddress) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&key(at)).filter(|kept| kept.until > Instant::now()).map(|kept| kept.token.clone())
    }

    fn keep(&self, at: &PartnerAddress, token: &str, lifetime: Option<Duration>) {
        let lifetime = lifetime.map_or(UNSAID, |lifetime| lifetime.saturating_sub(MARGIN).min(LONGEST));
        let now = Instant::now();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| kept.until > now);
        if kept.len() < MOST {
            kept.insert(key(at), Kept { token: token.to_owned(), until: now + lifetime });
        }
    }
}

fn key(at: &PartnerAddress) -> Key {
    let (client_id, client_secret) = (at.client_id.clone(), at.client_secret.clone());
    Key { base: auth_base(at).to_owned(), client_id, client_secret }
}

/// The address that discovery and the token's path stand below.
fn auth_base(at: &PartnerAddress) -> &str {
    at.auth_url.as_deref().unwrap_or(&at.base_url)
}

/// Where tokens are asked for: what the discovery document says, else `/auth/token`.
pub(crate) async fn endpoint(caller: &Caller, at: &PartnerAddress) -> Result<TokenEndpoint, HostError> {
    let url = below(auth_base(at), "/.well-known/openid-configuration", at)?;
    let mut request = Request::new(Vec::new());
    request.headers_mut().insert(hyper::header::ACCEPT, hyper::header::HeaderValue::from_static("application/json"));
    let answer = match caller.call(at, &url, request).await {
        Ok(answer) => answer,
        Err(HostError::Answer(why)) => return fixed(at, why),
        Err(error) => return Err(error),
    };
    match document(&answer) {
        Ok(Document { token_endpoint }) => {
            // The document says where the secret goes: it must be an address that may be called.
            let url = read(&token_endpoint, at)?;
            Ok(TokenEndpoint { url: url.into(), no_document: None })
        }
        Err(why) => fixed(at, why),
    }
}

/// Whether the endpoint is at a host that the partner is registered with. One that its document alone names is not called in
/// our own network, whatever the partner's record allows.
fn is_its_own(endpoint: &str, at: &PartnerAddress) -> bool {
    let host = |address: &str| Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned));
    let named = host(endpoint);
    named.is_some() && [at.base_url.as_str(), auth_base(at)].into_iter().any(|own| host(own) == named)
}

fn fixed(at: &PartnerAddress, why: String) -> Result<TokenEndpoint, HostError> {
    let url = below(auth_base(at), "/auth/token", at)?;
    Ok(TokenEndpoint { url: url.into(), no_document: Some(why) })
}

fn document(answer: &Answered) -> Result<Document, String> {
    if answer.status != 200 {
        return Err(format!("the discovery document is answered with {}", answer.status));
    }
    serde_json::from_slice(&answer.body).map_err(|error| format!("the discovery document cannot be read: {error}"))
}

/// Asks for a token, and how long it lasts.
async fn ask(caller: &Caller, at: &PartnerAddress, endpoint: &str) -> Result<(String, Option<Duration>), HostError> {
    let wrong = |error| HostError::NotAllowed(format!("{}: {error}", without_secrets(endpoint)));
    let client = BasicClient::new(ClientId::new(at.client_id.clone()))
        .set_client_secret(ClientSecret::new(at.client_secret.clone()))
        .set_auth_type(AuthType::BasicAuth)
        .set_token_uri(TokenUrl::new(endpoint.to_owned()).map_err(wrong)?);
    let token = client.exchange_client_credentials().request_async(&Connections { caller, at }).await;
    let token = token.map_err(|error| told(error, at))?;
    Ok((token.access_token().secret().clone(), token.expires_in()))
}

/// Our connections, as the protocol asks for them.
struct Connections<'a> {
    caller: &'a Caller,
    at: &'a PartnerAddress,
}

impl<'c> AsyncHttpClient<'c> for Connections<'_> {
    type Error = HostError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HostError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let url: Url = read(&request.uri().to_string(), self.at)?;
            let answer = self.caller.call(self.at, &url, request).await?;
            let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&answer.body).is_ok();
            if answer.status != 200 && !is_json {
                return Err(HostError::NoToken(format!("it answered {} without JSON", answer.status)));
            }
            let mut response = Response::new(answer.body);
            *response.status_mut() = hyper::StatusCode::from_u16(answer.status)
                .map_err(|_| HostError::NoToken("its status is none".to_owned()))?;
            Ok(response)
        })
    }
}

/// The failure in words; bodies, which may hold a token, are not in it.
fn told(error: RequestTokenError<HostError, BasicErrorResponse>, at: &PartnerAddress) -> HostError {
    match error {
        RequestTokenError::Request(error) => error,
        RequestTokenError::ServerResponse(response) => {
            let description = response.error_description().cloned().unwrap_or_default();
            let description = description.replace(&at.client_secret, "***");
            let description: String = description.chars().filter(|c| !c.is_control()).take(200).collect();
            let colon = if description.is_empty() { "" } else { ": " };
            let code: String = response.error().to_string().chars().filter(|c| !c.is_control()).take(100).collect();
            HostError::NoToken(format!("{code}{colon}{description}"))
        }
        RequestTokenError::Parse(error, _) => {
            let path = error.path().to_string();
            let place = if path == "." { String::new() } else { format!("{path} of ") };
            HostError::NoToken(format!("{place}its answer is not of the form of RFC 6749"))
        }
        RequestTokenError::Other(_) => HostError::NoToken("its answer is empty".to_owned()),
    }
}
