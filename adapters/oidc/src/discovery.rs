//! What a provider says of itself: its endpoints, read when they are needed and kept for a while.

use std::time::{Duration, Instant};

use hyper::Request;
use hyper::header::{ACCEPT, AUTHORIZATION, HeaderValue};
use jsonwebtoken::jwk::JwkSet;
use oauth2::AccessToken;
use pact_client::PlainCalls;
use ports::provider::ProviderError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

use crate::keys::{FAILURE_LASTS, Keys, Next};

/// How long the document is good.
const DOCUMENT_LIVES: Duration = Duration::from_hours(1);

/// What of the document counts (`OpenID` Connect Discovery 1.0, section 3).
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Document {
    issuer: String,
    pub(crate) authorization_endpoint: String,
    pub(crate) token_endpoint: String,
    pub(crate) userinfo_endpoint: Option<String>,
    jwks_uri: String,
}

/// What is known of the provider.
#[derive(Default)]
pub(crate) struct Known {
    document: Mutex<Option<(Instant, Result<Document, String>)>>,
    keys: Mutex<Keys>,
}

impl Known {
    /// The provider's document, whose issuer must be exactly the one that was asked. While the provider is away it is told from
    /// memory, so that nobody waits for each answer that does not come.
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

    /// The provider's keys; anew where none has the name that a token says. Told from memory too while they cannot be had.
    pub(crate) async fn keys(
        &self,
        calls: &PlainCalls,
        document: &Document,
        kid: Option<&str>,
    ) -> Result<JwkSet, ProviderError> {
        let mut known = self.keys.lock().await;
        match known.next(kid) {
            Next::Use(keys) => Ok(keys),
            Next::Fail(error) => Err(error),
            Next::Ask => known.take(get(calls, &document.jwks_uri, None).await),
        }
    }
}

/// The provider's document as it is now.
async fn ask(calls: &PlainCalls, issuer: &str) -> Result<Document, ProviderError> {
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let document: Document = get(calls, &address, None).await?;
    if document.issuer != issuer {
        let told: String = document.issuer.chars().take(200).collect();
        return Err(ProviderError::Failed(format!("it calls itself {told:?}, and oidc.issuer is {issuer:?}")));
    }
    Ok(document)
}

/// What the provider answers there, to whoever has that access token where one is given.
pub(crate) async fn get<T: DeserializeOwned>(
    calls: &PlainCalls,
    address: &str,
    token: Option<&AccessToken>,
) -> Result<T, ProviderError> {
    let failed = |why: String| ProviderError::Failed(format!("{address}: {why}"));
    let mut request = Request::new(Vec::new());
    *request.uri_mut() = address.parse().map_err(|_| failed("is no address".to_owned()))?;
    request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
    if let Some(token) = token {
        let value = HeaderValue::from_str(&format!("Bearer {}", token.secret()));
        let value = value.map_err(|_| failed("its access token is none".to_owned()))?;
        request.headers_mut().insert(AUTHORIZATION, value);
    }
    let answer = calls.call(request).await.map_err(|error| failed(error.to_string()))?;
    if answer.status() != hyper::StatusCode::OK {
        return Err(failed(format!("is answered with {}", answer.status())));
    }
    serde_json::from_slice(answer.body()).map_err(|error| failed(format!("cannot be read: {error}")))
}
