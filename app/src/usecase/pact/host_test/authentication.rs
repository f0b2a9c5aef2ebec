//! Cases 1, 2, 6, 7, 16, 18 and 19: who may ask.

use domain::footprint::Edition;
use ports::partner_host::{HostAnswer, HostAuthorization, HostError};

use super::case::Ruling;
use super::record::came;
use super::{HostTest, MADE_UP};

impl HostTest<'_> {
    pub(super) async fn ask_token(&self, url: &str, who: HostAuthorization) -> Result<HostAnswer, HostError> {
        let form = ("application/x-www-form-urlencoded", "grant_type=client_credentials".to_owned());
        self.ask(url, who, Some(form)).await
    }

    /// The token of the answer that has one.
    pub(super) fn read_token(&self) -> Result<String, String> {
        let answer = self.token_answer.as_ref().map_err(Clone::clone)?;
        if answer.status != 200 {
            return Err(came(answer));
        }
        let token = pact::text_member(&answer.body, "access_token").filter(|token| !token.is_empty());
        let token = token.ok_or_else(|| "200 without an access_token that is a text".to_owned())?;
        let kind = pact::text_member(&answer.body, "token_type");
        if kind.as_deref().is_none_or(|kind| !kind.eq_ignore_ascii_case("bearer")) {
            return Err("200 without the token_type Bearer".to_owned());
        }
        Ok(token)
    }

    pub(super) fn gives_a_token(&self) -> Ruling {
        let by = match &self.endpoint {
            Ok(endpoint) => endpoint.no_document.as_ref().map_or_else(
                || "200, at the address of the discovery document".to_owned(),
                |why| format!("200, at /auth/token: {why}"),
            ),
            Err(error) => return Ruling::failed(error.to_string()),
        };
        Ruling::of(self.token.clone().map(|_| by))
    }

    pub(super) async fn refuses_credentials(&self, url: Option<String>) -> Ruling {
        let Some(url) = url else { return Ruling::failed("there is no address of tokens") };
        let who = HostAuthorization::Basic { id: MADE_UP.to_owned(), secret: MADE_UP.to_owned() };
        Ruling::of(refused(self.ask_token(&url, who).await))
    }

    pub(super) async fn gives_a_token_at_the_fixed_path(&self) -> Ruling {
        Ruling::of(match self.ask_token(&self.fixed_token_url(), self.own()).await {
            Ok(answer) if answer.status == 200 => Ok(came(&answer)),
            Ok(answer) => Err(came(&answer)),
            Err(error) => Err(error.to_string()),
        })
    }

    pub(super) fn fixed_token_url(&self) -> String {
        let base = self.at.auth_url.as_deref().unwrap_or(&self.at.base_url);
        format!("{}/auth/token", base.trim_end_matches('/'))
    }

    /// Version 2 asks for the code `BadRequest` where an event is refused.
    pub(super) async fn refuses_token(&self, path: &str, body: Option<(&'static str, String)>) -> Ruling {
        let is_event = body.is_some();
        let answer = self.ask(&self.url(path), HostAuthorization::Bearer(MADE_UP.to_owned()), body).await;
        let code = answer.as_ref().ok().and_then(|answer| pact::text_member(&answer.body, "code"));
        let refused = refused(answer);
        Ruling::of(match (refused, self.edition, code.as_deref()) {
            (Ok(came), Edition::V2, code) if is_event && code != Some("BadRequest") => {
                Err(format!("{came}: its code must be BadRequest"))
            }
            (refused, ..) => refused,
        })
    }
}

/// Passed with 400 or 401.
fn refused(answer: Result<HostAnswer, HostError>) -> Result<String, String> {
    match answer {
        Ok(answer) if matches!(answer.status, 400 | 401) => Ok(came(&answer)),
        Ok(answer) => Err(came(&answer)),
        Err(error) => Err(error.to_string()),
    }
}
