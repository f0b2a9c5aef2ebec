//! Cases 9 to 11 and 17: nothing is served by plain http. What is sent so is made up, so that no secret is.

use ports::partner_host::{HostAnswer, HostAuthorization, HostError, HostRequest, PartnerAddress};

use super::case::Ruling;
use super::record::came;
use super::{HostTest, MADE_UP};

impl HostTest<'_> {
    pub(super) async fn token_by_http(&self) -> Ruling {
        let Ok(endpoint) = &self.endpoint else { return Ruling::not_applicable("there is no address of tokens") };
        let who = HostAuthorization::Basic { id: MADE_UP.to_owned(), secret: MADE_UP.to_owned() };
        let form = ("application/x-www-form-urlencoded", "grant_type=client_credentials".to_owned());
        self.plain(HostRequest { url: endpoint.url.clone(), authorization: who, body: Some(form) }).await
    }

    pub(super) async fn by_http(&self, path: &str, body: Option<(&'static str, String)>) -> Ruling {
        let authorization = HostAuthorization::Bearer(MADE_UP.to_owned());
        self.plain(HostRequest { url: self.url(path), authorization, body }).await
    }

    /// Sends the request by http; an answer like the one by https is one too many.
    async fn plain(&self, request: HostRequest) -> Ruling {
        let Some(rest) = request.url.strip_prefix("https://").map(str::to_owned) else {
            return Ruling::failed("the host is called by http");
        };
        let secure = self.probe.ask(self.at, request.clone()).await;
        let at = PartnerAddress { plain_http: true, ..self.at.clone() };
        let plain = self.probe.ask(&at, HostRequest { url: format!("http://{rest}"), ..request }).await;
        Ruling::of(match plain {
            Err(HostError::NotAllowed(why)) => return Ruling::not_applicable(why),
            Err(_) => Ok("no answer".to_owned()),
            Ok(answer) if (200..300).contains(&answer.status) || is_same(&answer, secure.ok().as_ref()) => {
                Err(format!("{}, by http as by https", came(&answer)))
            }
            Ok(answer) => Ok(came(&answer)),
        })
    }
}

/// Whether the answer is the one that the service gives, not that of something before it.
fn is_same(plain: &HostAnswer, secure: Option<&HostAnswer>) -> bool {
    let is_json = plain.content_type.as_deref().is_some_and(|kind| kind.contains("json"));
    is_json && secure.is_some_and(|secure| secure.status == plain.status && secure.content_type == plain.content_type)
}
