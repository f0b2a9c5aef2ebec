//! The flow: where a browser is sent, and what becomes of the code that it comes back with.

use std::future::Future;
use std::pin::Pin;

use async_trait::async_trait;
use domain::Timestamp;
use oauth2::basic::{
    BasicErrorResponse, BasicErrorResponseType, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
    BasicTokenType,
};
use oauth2::{
    AsyncHttpClient, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, ExtraTokenFields,
    HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    StandardErrorResponse, StandardRevocableToken, StandardTokenResponse, TokenResponse as _, TokenUrl,
};
use pact_client::PlainCalls;
use ports::credential::Secret;
use ports::inbound::ProvenIdentity;
use ports::partner_host::HostError;
use ports::provider::{Provider, ProviderError, SignInAttempt};
use serde::{Deserialize, Serialize};

use crate::discovery::Known;
use crate::id_token::{self, Expected};
use crate::names;

/// What a provider knows us by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcSettings {
    /// Its issuer, exactly as it calls itself.
    pub issuer: String,
    /// Our id there.
    pub client_id: String,
    /// Our secret there; a public client has none.
    pub client_secret: Option<Secret>,
    /// Whether it matters what it calls somebody.
    pub names: Names,
}

/// Whether names are wanted of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Whoever is new is called so: its userinfo endpoint is asked where the identity token has no name.
    Wanted,
    /// Nobody is added by it.
    Unneeded,
}

/// A provider of `OpenID` Connect.
pub struct OidcProvider {
    settings: OidcSettings,
    calls: PlainCalls,
    known: Known,
}

/// What a token's answer has besides the tokens of OAuth.
#[derive(Deserialize, Serialize)]
struct WithIdentity {
    id_token: Option<String>,
}

impl std::fmt::Debug for WithIdentity {
    /// Without the token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WithIdentity").finish_non_exhaustive()
    }
}

impl ExtraTokenFields for WithIdentity {}

type OidcClient = Client<
    StandardErrorResponse<BasicErrorResponseType>,
    StandardTokenResponse<WithIdentity, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
>;

impl OidcProvider {
    /// A provider that is called over those connections. Nothing is asked of it before somebody signs in.
    #[must_use]
    pub fn new(settings: OidcSettings, calls: PlainCalls) -> Self {
        Self { settings, calls, known: Known::default() }
    }

    fn client(&self) -> OidcClient {
        let client = OidcClient::new(ClientId::new(self.settings.client_id.clone()));
        match &self.settings.client_secret {
            Some(secret) => client.set_client_secret(ClientSecret::new(secret.0.clone())),
            None => client,
        }
    }
}

impl std::fmt::Debug for OidcProvider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OidcProvider").field("issuer", &self.settings.issuer).finish_non_exhaustive()
    }
}

#[async_trait]
impl Provider for OidcProvider {
    async fn address(&self, attempt: &SignInAttempt) -> Result<String, ProviderError> {
        let document = self.known.document(&self.calls, &self.settings.issuer).await?;
        let verifier = PkceCodeVerifier::new(attempt.verifier.0.clone());
        let client = self
            .client()
            .set_auth_uri(AuthUrl::new(document.authorization_endpoint).map_err(|error| wrong(&error))?)
            .set_redirect_uri(RedirectUrl::new(attempt.redirect.clone()).map_err(|error| wrong(&error))?);
        let state = attempt.state.0.clone();
        let (address, _) = client
            .authorize_url(|| CsrfToken::new(state))
            .add_scope(Scope::new("openid".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .add_extra_param("nonce", attempt.nonce.0.clone())
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .url();
        Ok(address.into())
    }

    async fn identify(
        &self,
        attempt: &SignInAttempt,
        code: &Secret,
        now: Timestamp,
    ) -> Result<ProvenIdentity, ProviderError> {
        let document = self.known.document(&self.calls, &self.settings.issuer).await?;
        let client = self
            .client()
            .set_token_uri(TokenUrl::new(document.token_endpoint.clone()).map_err(|error| wrong(&error))?)
            .set_redirect_uri(RedirectUrl::new(attempt.redirect.clone()).map_err(|error| wrong(&error))?);
        let token = client
            .exchange_code(AuthorizationCode::new(code.0.clone()))
            .set_pkce_verifier(PkceCodeVerifier::new(attempt.verifier.0.clone()))
            .request_async(&Connections(&self.calls))
            .await
            .map_err(told)?;
        let none = || ProviderError::Refused("it gave no identity token".to_owned());
        let access = token.access_token();
        let token = token.extra_fields().id_token.as_deref().ok_or_else(none)?;
        let kid = id_token::key_of(token)?;
        let keys = self.known.keys(&self.calls, &document, kid.as_deref()).await?;
        let OidcSettings { issuer, client_id, names, .. } = &self.settings;
        let mut who = id_token::read(token, &keys, &Expected { issuer, client_id, nonce: &attempt.nonce.0, now })?;
        if let (Names::Wanted, None, Some(address)) = (names, &who.name, &document.userinfo_endpoint) {
            names::add(&mut who, &self.calls, address, access).await;
        }
        Ok(who)
    }
}

/// Our connections, as the protocol asks for them.
struct Connections<'a>(&'a PlainCalls);

impl<'c> AsyncHttpClient<'c> for Connections<'_> {
    type Error = HostError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HostError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.0.call(request))
    }
}

fn wrong(error: &dyn std::fmt::Display) -> ProviderError {
    ProviderError::Failed(format!("an address of it cannot be used: {error}"))
}

/// The failure in words; bodies, which may hold a token, are not in it.
fn told(error: RequestTokenError<HostError, BasicErrorResponse>) -> ProviderError {
    match error {
        RequestTokenError::Request(error) => ProviderError::Failed(error.to_string()),
        RequestTokenError::ServerResponse(response) => {
            let code: String = response.error().to_string().chars().filter(|c| !c.is_control()).take(100).collect();
            ProviderError::Refused(format!("it exchanges the code for no token: {code}"))
        }
        RequestTokenError::Parse(..) => ProviderError::Failed("its answer is not of the form of RFC 6749".to_owned()),
        RequestTokenError::Other(_) => ProviderError::Failed("its answer is empty".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pact_client::{Limits, Reach, Roots, SystemNetwork};

    use super::*;

    #[test]
    fn nothing_that_holds_a_secret_prints_it_by_debug() {
        let hush = || "hush".to_owned();
        let settings = OidcSettings {
            issuer: "https://login.example.com".to_owned(),
            client_id: "tonne".to_owned(),
            client_secret: Some(Secret(hush())),
            names: Names::Unneeded,
        };
        let roots = Roots::only(Vec::<Vec<u8>>::new()).unwrap();
        let calls = PlainCalls::new(Arc::new(SystemNetwork), roots, Limits::default(), Reach::default());
        let identity = WithIdentity { id_token: Some(hush()) };
        let told =
            [format!("{settings:?}"), format!("{identity:?}"), format!("{:?}", OidcProvider::new(settings, calls))];
        for text in told {
            assert!(!text.is_empty() && !text.contains("hush"), "{text}");
        }
    }
}
