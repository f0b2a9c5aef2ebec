//! Footprints of a host's answers, and whether they have the form of their version.

use domain::footprint::{Edition, Layer, Rule, validate};
use domain::{Fault, FaultCode, Fields, Footprint, Timestamp, Violation};
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
        let received = pact::read_form(json.as_bytes(), self.edition);
        let received = received.map_err(|faults| words(&faults))?;
        // Members that the version does not have are allowed, and so are more digits than are kept here.
        let is_wrong = |fault: &&Fault| !matches!(fault.code, FaultCode::Unknown | FaultCode::TooMuch);
        let mut wrong: Vec<_> = received.departures.as_slice().iter().filter(is_wrong).map(word).collect();
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
    let is_left_out = |one: &Violation| received.departures.as_slice().iter().any(|left| left.pointer == one.pointer);
    let found = validate(&footprint).into_iter().filter(|one| one.rule.layer() == Layer::Wire);
    let refused = found.filter(|one| !is_left_out(one) && !is_urn_by_the_schema(one, &received.fields));
    wrong.extend(refused.map(|one| format!("{} {}", one.pointer, one.detail)));
    wrong
}

/// Whether it is a URN that the schema lets through: that asks for its first four characters alone, where the rules here ask
/// for the whole form of RFC 8141.
fn is_urn_by_the_schema(violation: &Violation, fields: &Fields) -> bool {
    let mut place = violation.pointer.trim_start_matches('/').split('/');
    let text = place.next().zip(place.next().and_then(|index| index.parse::<usize>().ok()));
    let text = text.and_then(|(name, index)| fields.texts(name).get(index));
    violation.rule == Rule::UrnForm
        && text.and_then(|text| text.get(..4)).is_some_and(|start| start.eq_ignore_ascii_case("urn:"))
}

/// The status of an answer, and its code where it has one.
pub(super) fn came(answer: &HostAnswer) -> String {
    let code = pact::text_member(&answer.body, "code").or_else(|| pact::text_member(&answer.body, "error"));
    let code: String = code.unwrap_or_default().chars().filter(|c| !c.is_control()).take(40).collect();
    format!("{} {code}", answer.status).trim_end().to_owned()
}
