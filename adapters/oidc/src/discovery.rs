//! What a provider says of itself: its endpoints and its keys, read when they are needed and kept for a while.

use std::time::{Duration, Instant};

use hyper::Request;
use hyper::header::{ACCEPT, HeaderValue};
use jsonwebtoken::jwk::JwkSet;
use pact_client::PlainCalls;
use ports::provider::ProviderError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

/// How long the document is good.
const DOCUMENT_LIVES: Duration = Duration::from_hours(1);
/// How long keys are good, unless a token names another one.
const KEYS_LIVE: Duration = Duration::from_hours(1);
/// How long keys are kept though a token names another: a flood of made-up names asks no more often.
const KEYS_LAST: Duration = Duration::from_secs(30);

/// How long it is told of a provider that could not be asked, before it is asked again: while it is away, nobody waits for each
/// answer that does not come.
const FAILURE_LASTS: Duration = Duration::from_secs(10);

/// What of the document counts (`OpenID` Connect Discovery 1.0, section 3).
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Document {
    issuer: String,
    pub(crate) authorization_endpoint: String,
    pub(crate) token_endpoint: String,
    jwks_uri: String,
}

/// What is known of the provider.
#[derive(Default)]
pub(crate) struct Known {
    document: Mutex<Option<(Instant, Result<Document, String>)>>,
    keys: Mutex<Option<(Instant, JwkSet)>>,
}

impl Known {
    /// The provider's document, whose issuer must be exactly the one that was asked.
    pub(crate) async fn document(&self, calls: &PlainCalls, issuer: &str) -> Result<Document, ProviderError> {
        let mut kept = self.document.lock().await;
        if let Some((at, known)) = kept.as_ref() {
            let lives = if known.is_ok() { DOCUMENT_LIVES } else { FAILURE_LASTS };
            if at.elapsed() < lives {
                return known.clone().map_err(ProviderError::Failed);
            }
        }
        let asked = ask(calls, issuer).await;
        let known = match &asked {
            Ok(document) => Ok(document.clone()),
            Err(error) => Err(error.to_string()),
        };
        *kept = Some((Instant::now(), known));
        asked
    }

    /// The provider's keys; anew where none has the name that a token says.
    pub(crate) async fn keys(
        &self,
        calls: &PlainCalls,
        document: &Document,
        kid: Option<&str>,
    ) -> Result<JwkSet, ProviderError> {
        let mut kept = self.keys.lock().await;
        if let Some((at, keys)) = kept.as_ref() {
            let has = kid.is_none_or(|kid| keys.find(kid).is_some());
            if at.elapsed() < if has { KEYS_LIVE } else { KEYS_LAST } {
                return Ok(keys.clone());
            }
        }
        let keys: JwkSet = get(calls, &document.jwks_uri).await?;
        *kept = Some((Instant::now(), keys.clone()));
        Ok(keys)
    }
}

/// The provider's document as it is now.
async fn ask(calls: &PlainCalls, issuer: &str) -> Result<Document, ProviderError> {
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let document: Document = get(calls, &address).await?;
    if document.issuer != issuer {
        let told: String = document.issuer.chars().take(200).collect();
        return Err(ProviderError::Failed(format!("it calls itself {told:?}, and oidc.issuer is {issuer:?}")));
    }
    Ok(document)
}

async fn get<T: DeserializeOwned>(calls: &PlainCalls, address: &str) -> Result<T, ProviderError> {
    let failed = |why: String| ProviderError::Failed(format!("{address}: {why}"));
    let mut request = Request::new(Vec::new());
    *request.uri_mut() = address.parse().map_err(|_| failed("is no address".to_owned()))?;
    request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
    let answer = calls.call(request).await.map_err(|error| failed(error.to_string()))?;
    if answer.status() != hyper::StatusCode::OK {
        return Err(failed(format!("is answered with {}", answer.status())));
    }
    serde_json::from_slice(answer.body()).map_err(|error| failed(format!("cannot be read: {error}")))
}
