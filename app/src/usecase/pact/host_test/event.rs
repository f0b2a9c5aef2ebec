//! Cases 12, 14, 15, 17, 21 and 40: events that a host takes, and such as it must refuse.

use domain::footprint::Edition;
use pact::EventKind;
use ports::partner_host::{HostAnswer, HostAuthorization};
use serde_json::{Value, json};

use super::case::Ruling;
use super::read::NOBODY;
use super::record::came;
use super::{HostTest, MADE_UP};

/// A product that nobody has a footprint of.
const NO_PRODUCT: &str = "urn:pact:null";

/// Whom events are said to be from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSource {
    /// Our base address, as the host knows it.
    pub base_url: String,
    /// What the ids of this run's events begin with: no two runs have the same.
    pub run: String,
}

impl HostTest<'_> {
    /// Asks for the footprints of the first footprint's products.
    pub(super) async fn takes_a_request(&self) -> Ruling {
        let first = self.list.as_ref().ok().and_then(|list| list.first());
        let Some(first) = first else { return Ruling::not_applicable("the list is empty") };
        let products = first.received.fields.texts("productIds").to_vec();
        Ruling::of(self.request("12", &products).await)
    }

    /// Asks for a product that there is not, which is taken all the same, and rejected.
    pub(super) async fn takes_a_request_for_nothing(&self) -> Ruling {
        let answered = async {
            self.request("14.A", &[NO_PRODUCT.to_owned()]).await?;
            self.rejects("14.A").await
        };
        Ruling::of(answered.await)
    }

    /// Sends a request, which is taken.
    pub(super) async fn request(&self, case: &str, products: &[String]) -> Result<String, String> {
        self.expects(case, products).await?;
        self.takes(case, EventKind::Requested, self.asked(products)).await
    }

    /// Tells of a footprint that the host cannot know.
    pub(super) async fn takes_what_is_published(&self) -> Ruling {
        Ruling::of(self.takes("15", EventKind::Published, json!({ "pfIds": [NOBODY] })).await)
    }

    /// Tells of a footprint by a URN.
    pub(super) async fn refuses_a_urn(&self, case: &str) -> Ruling {
        let data = json!({ "pfIds": ["urn:gtin:4712345060507"] });
        Ruling::of(match self.send(case, EventKind::Published, &data).await {
            Ok(answer) if answer.status == 400 => Ok(came(&answer)),
            Ok(answer) => Err(came(&answer)),
            Err(why) => Err(why),
        })
    }

    fn asked(&self, products: &[String]) -> Value {
        match self.edition {
            Edition::V2 => json!({ "pf": { "productIds": products } }),
            Edition::V3 => json!({ "productId": products }),
        }
    }

    /// Passed with 200 and an empty body.
    async fn takes(&self, case: &str, kind: EventKind, data: Value) -> Result<String, String> {
        match self.send(case, kind, &data).await {
            Ok(answer) if answer.status == 200 && answer.body.is_empty() => Ok("200".to_owned()),
            Ok(answer) if answer.status == 200 => Ok("200, with a body that should be empty".to_owned()),
            Ok(answer) => Err(came(&answer)),
            Err(why) => Err(why),
        }
    }

    /// The id of a case's event.
    pub(super) fn event_id(&self, case: &str) -> String {
        let run = self.source.as_ref().map_or(MADE_UP, |source| source.run.as_str());
        format!("{run}/{case}")
    }

    async fn send(&self, case: &str, kind: EventKind, data: &Value) -> Result<HostAnswer, String> {
        let token = self.token.clone()?;
        let body = Some(self.event(case, kind, data));
        let url = self.url("/events");
        self.ask(&url, HostAuthorization::Bearer(token), body).await.map_err(|error| error.to_string())
    }

    /// An event with its media type.
    fn event(&self, case: &str, kind: EventKind, data: &Value) -> (&'static str, String) {
        let segment = self.edition.segment();
        let base = self.source.as_ref().map_or("https://tonne.example", |source| source.base_url.trim_end_matches('/'));
        let event = json!({
            "type": kind.type_in(self.edition),
            "specversion": "1.0",
            "id": self.event_id(case),
            "source": format!("{base}/{segment}/events"),
            "time": "2025-01-01T00:00:00Z",
            "data": data,
        });
        ("application/cloudevents+json; charset=UTF-8", event.to_string())
    }

    /// An event that a footprint was published which nobody has.
    pub(super) fn published(&self) -> (&'static str, String) {
        self.event("16", EventKind::Published, &json!({ "pfIds": [NOBODY] }))
    }
}
