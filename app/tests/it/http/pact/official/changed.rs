//! A good host with one thing changed.

use async_trait::async_trait;
use pact_client::Client;
use ports::partner_host::{
    HostAnswer, HostAuthorization, HostError, HostProbe, HostRequest, PartnerAddress, TokenEndpoint,
};

use super::super::super::harness::Value;

/// What is changed.
#[derive(Clone, Copy)]
pub(super) enum Change {
    None,
    /// Answers become others, by what was asked.
    Answer(fn(&HostRequest, &mut HostAnswer)),
    /// Requests for footprints are answered well and forgotten.
    NoCallback,
}

impl Change {
    /// Whether events do not reach the host.
    pub(super) const fn takes_events(self) -> bool {
        matches!(self, Self::NoCallback)
    }
}

/// Another path at which tokens are given, beside that of the standard.
pub(super) const ELSEWHERE: &str = "/elsewhere/token";

/// The host and its change.
pub(super) struct Changed {
    pub(super) client: Client,
    pub(super) change: Change,
}

#[async_trait]
impl HostProbe for Changed {
    async fn token_endpoint(&self, at: &PartnerAddress) -> Result<TokenEndpoint, HostError> {
        let url = format!("{}/.well-known/openid-configuration", at.base_url);
        let authorization = HostAuthorization::Bearer(String::new());
        let document = self.ask(at, HostRequest { url, authorization, body: None }).await?;
        let document: Value = serde_json::from_slice(&document.body).unwrap();
        Ok(TokenEndpoint { url: document["token_endpoint"].as_str().unwrap().to_owned(), no_document: None })
    }

    async fn ask(&self, at: &PartnerAddress, request: HostRequest) -> Result<HostAnswer, HostError> {
        let is_request = request.body.as_ref().is_some_and(|(_, body)| body.contains("Created"));
        if self.change.takes_events() && is_request {
            return Ok(HostAnswer { status: 200, ..HostAnswer::default() });
        }
        let sent = HostRequest { url: request.url.replace(ELSEWHERE, "/auth/token"), ..request.clone() };
        let mut answer = self.client.ask(at, sent).await?;
        if let Change::Answer(change) = self.change {
            change(&request, &mut answer);
        }
        Ok(answer)
    }
}
