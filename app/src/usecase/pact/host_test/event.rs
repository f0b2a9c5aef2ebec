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
        self.takes("12", EventKind::Requested, self.asked(&products)).await
    }

    /// Asks for a product that there is not, which is taken all the same.
    pub(super) async fn takes_a_request_for_nothing(&self) -> Ruling {
        self.takes("14.A", EventKind::Requested, self.asked(&[NO_PRODUCT.to_owned()])).await
    }

    /// Tells of a footprint that the host cannot know.
    pub(super) async fn takes_what_is_published(&self) -> Ruling {
        self.takes("15", EventKind::Published, json!({ "pfIds": [NOBODY] })).await
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
    async fn takes(&self, case: &str, kind: EventKind, data: Value) -> Ruling {
        Ruling::of(match self.send(case, kind, &data).await {
            Ok(answer) if answer.status == 200 && answer.body.is_empty() => Ok("200".to_owned()),
            Ok(answer) if answer.status == 200 => Ok("200, with a body that should be empty".to_owned()),
            Ok(answer) => Err(came(&answer)),
            Err(why) => Err(why),
        })
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
        let (source, id) = match &self.source {
            Some(EventSource { base_url, run }) => {
                (format!("{}/{segment}/events", base_url.trim_end_matches('/')), format!("{run}/{case}"))
            }
            None => (format!("https://tonne.example/{segment}/events"), format!("{MADE_UP}/{case}")),
        };
        let event = json!({
            "type": kind.type_in(self.edition),
            "specversion": "1.0",
            "id": id,
            "source": source,
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
