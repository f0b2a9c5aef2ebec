//! Footprints of a host's answers, and whether they have the form of their version.

use domain::footprint::{Edition, Layer, validate};
use domain::{FaultCode, Footprint, Timestamp};
use pact::Received;
use ports::partner_host::HostAnswer;

use super::HostTest;
use crate::usecase::pact::{word, words};

/// A footprint as it was read, and what of its form is wrong.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) received: Received,
    pub(super) wrong: Vec<String>,
}

impl HostTest<'_> {
    /// The footprints of a list, which may be an empty one.
    pub(super) fn records(&self, answer: &HostAnswer) -> Result<Vec<Record>, String> {
        if answer.status != 200 {
            return Err(came(answer));
        }
        let items = pact::listed(&answer.body).map_err(|faults| format!("200, but the body: {}", words(&faults)))?;
        items
            .iter()
            .enumerate()
            .map(|(at, item)| self.record(item).map_err(|wrong| format!("/data/{at}: {wrong}")))
            .collect()
    }

    /// The footprint, or why it cannot be read.
    pub(super) fn record(&self, json: &str) -> Result<Record, String> {
        let received = pact::read(json.as_bytes(), self.edition);
        let received = received.map_err(|faults| words(&faults))?;
        // Members that the version does not have are allowed.
        let departures: Vec<_> =
            received.departures.as_slice().iter().filter(|fault| fault.code != FaultCode::Unknown).cloned().collect();
        let mut wrong: Vec<_> = departures.iter().map(word).collect();
        wrong.extend(broken(&received, self.edition));
        Ok(Record { received, wrong })
    }
}

/// What the schema of the version refuses of it.
fn broken(received: &Received, edition: Edition) -> Vec<String> {
    let Some(created) = Timestamp::from_millis(0) else { return Vec::new() };
    let footprint = Footprint::new(received.id, 1, created, received.fields.clone());
    let mut wrong = Vec::new();
    if received.fields.moment("created").is_none() {
        wrong.push("/created is missing".to_owned());
    }
    let version = received.fields.text("specVersion").unwrap_or_default();
    if !version.starts_with(edition.segment()) {
        wrong.push(format!("/specVersion is {version:.20?}, not {}", edition.spec_version_text()));
    }
    let found = validate(&footprint);
    wrong.extend(
        found
            .into_iter()
            .filter(|one| one.rule.layer() == Layer::Wire)
            .map(|one| format!("{} {}", one.pointer, one.detail)),
    );
    wrong
}

/// The status of an answer, and its code where it has one.
pub(super) fn came(answer: &HostAnswer) -> String {
    let code = pact::text_member(&answer.body, "code").or_else(|| pact::text_member(&answer.body, "error"));
    let code: String = code.unwrap_or_default().chars().filter(|c| !c.is_control()).take(40).collect();
    format!("{} {code}", answer.status).trim_end().to_owned()
}
