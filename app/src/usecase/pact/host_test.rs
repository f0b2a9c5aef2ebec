//! What a partner's host does wrong: the cases of the official conformance suite that are calls, made one by one.
//!
//! Credentials are sent to the host by `https` alone. The cases that ask it by `http` carry made-up ones: a host that answers
//! them as it does by `https` serves both.

mod answers;
mod authentication;
mod case;
mod event;
mod filter;
mod plain;
mod read;
mod record;

use domain::footprint::Edition;
use ports::partner_host::{
    HostAnswer, HostAuthorization, HostError, HostProbe, HostRequest, PartnerAddress, TokenEndpoint,
};

pub use answers::Answers;
pub use case::{Case, CaseResult, Outcome, Tested};
use case::{Ruling, cases};
pub use event::EventSource;
use record::Record;

/// Credentials that no host knows.
const MADE_UP: &str = "tonne-conformance-test-made-up";

/// A host under test and what was learnt of it before the cases.
struct HostTest<'a> {
    probe: &'a dyn HostProbe,
    at: &'a PartnerAddress,
    edition: Edition,
    endpoint: Result<TokenEndpoint, HostError>,
    token_answer: Result<HostAnswer, String>,
    token: Result<String, String>,
    list: Result<Vec<Record>, String>,
    /// The list with `limit=1`.
    page: Result<HostAnswer, String>,
    /// Whom events are from.
    source: Option<EventSource>,
    /// Where the answers to requests come to.
    answers: Option<&'a dyn Answers>,
}

/// Runs the cases of that edition against the host: all, or the one of that number. Events that the host is to take are sent
/// where our own address is said; it answers a request there.
pub async fn test_host(
    probe: &dyn HostProbe,
    at: &PartnerAddress,
    edition: Edition,
    only: Option<u8>,
    source: Option<EventSource>,
) -> Tested {
    test_host_and_answers(probe, at, edition, only, source, None).await
}

/// The same, and the answers to the requests of cases 12 and 14 are waited for and judged.
pub async fn test_host_and_answers(
    probe: &dyn HostProbe,
    at: &PartnerAddress,
    edition: Edition,
    only: Option<u8>,
    source: Option<EventSource>,
    answers: Option<&dyn Answers>,
) -> Tested {
    let mut test = HostTest::begin(probe, at, edition).await;
    test.answers = answers.filter(|_| source.is_some());
    test.source = source;
    let mut results = Vec::new();
    let is_asked = |case: &Case| only.is_none_or(|only| only == case.number);
    let is_known = |case: &Case| match case.number {
        12 | 14 | 15 => test.source.is_some(),
        13 => test.answers.is_some(),
        _ => true,
    };
    for case in cases(edition).filter(is_asked).filter(is_known) {
        let ruling = test.run(case.number).await;
        results.push(CaseResult::new(case, ruling));
    }
    Tested { edition, results }
}

impl<'a> HostTest<'a> {
    /// Finds out what the cases start from: the address of tokens, a token, the list and its first part.
    async fn begin(probe: &'a dyn HostProbe, at: &'a PartnerAddress, edition: Edition) -> Self {
        let endpoint = probe.token_endpoint(at).await;
        let untold = || "not asked for".to_owned();
        let mut test = Self {
            probe,
            at,
            edition,
            endpoint,
            token_answer: Err(untold()),
            token: Err(untold()),
            list: Err(untold()),
            page: Err(untold()),
            source: None,
            answers: None,
        };
        test.token_answer = match &test.endpoint {
            Ok(endpoint) => test.ask_token(&endpoint.url, test.own()).await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        test.token = test.read_token();
        if test.token.is_ok() {
            test.list = match test.get("/footprints").await {
                Ok(answer) => test.records(&answer),
                Err(error) => Err(error),
            };
            test.page = test.get("/footprints?limit=1").await;
        } else {
            test.list = Err("there is no token".to_owned());
            test.page = Err("there is no token".to_owned());
        }
        test
    }

    async fn run(&self, number: u8) -> Ruling {
        match number {
            1 => self.gives_a_token(),
            2 => self.refuses_credentials(self.endpoint.as_ref().ok().map(|endpoint| endpoint.url.clone())).await,
            3 => self.gets_the_first().await,
            4 => self.lists_all().await,
            5 => self.follows_the_link().await,
            6 => self.refuses_token("/footprints", None).await,
            7 => self.refuses_token(&self.path_of_first(), None).await,
            8 => self.has_no_such_footprint().await,
            9 => self.token_by_http().await,
            10 => self.by_http("/footprints", None).await,
            11 => self.by_http(&self.path_of_first(), None).await,
            12 => self.takes_a_request().await,
            13 => self.fulfils_the_request().await,
            14 => self.takes_a_request_for_nothing().await,
            15 => self.takes_what_is_published().await,
            17 => self.by_http("/events", Some(self.published())).await,
            16 => self.refuses_token("/events", Some(self.published())).await,
            18 => self.gives_a_token_at_the_fixed_path().await,
            19 => self.refuses_credentials(Some(self.fixed_token_url())).await,
            other => match (self.edition, other) {
                (Edition::V2, 21) | (Edition::V3, 40) => self.refuses_a_urn(&other.to_string()).await,
                (Edition::V2, _) => self.finds_by_creation().await,
                (Edition::V3, _) => self.filters(other).await,
            },
        }
    }

    /// Our credentials at the host.
    fn own(&self) -> HostAuthorization {
        HostAuthorization::Basic { id: self.at.client_id.clone(), secret: self.at.client_secret.clone() }
    }

    /// Asks for a path below the edition's with the token, and with nothing else where there is none.
    async fn get(&self, path: &str) -> Result<HostAnswer, String> {
        let token = self.token.clone()?;
        self.ask(&self.url(path), HostAuthorization::Bearer(token), None).await.map_err(|error| error.to_string())
    }

    /// The address of a path below the edition's.
    fn url(&self, path: &str) -> String {
        format!("{}/{}{path}", self.at.base_url.trim_end_matches('/'), self.edition.segment())
    }

    async fn ask(
        &self,
        url: &str,
        authorization: HostAuthorization,
        body: Option<(&'static str, String)>,
    ) -> Result<HostAnswer, HostError> {
        self.probe.ask(self.at, HostRequest { url: url.to_owned(), authorization, body }).await
    }

    /// The path of the first footprint of the list; of none where there is no list.
    fn path_of_first(&self) -> String {
        let id = self.list.as_ref().ok().and_then(|list| list.first()).map(|first| first.received.id.to_string());
        format!("/footprints/{}", id.as_deref().unwrap_or(read::NOBODY))
    }
}
