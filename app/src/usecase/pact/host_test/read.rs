//! Cases 3, 4, 5 and 8: lists and single footprints. Case 20 of version 2: its filter.

use domain::footprint::Edition;
use ports::partner_host::HostAuthorization;

use super::HostTest;
use super::case::Ruling;
use super::record::{Record, came};
use crate::counted::counted;
use crate::usecase::pact::query::encoded;
use crate::usecase::pact::{told, words};

/// The id that no footprint has.
pub(super) const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

impl HostTest<'_> {
    /// The first footprint of the list, or what hinders the case.
    pub(super) fn first(&self) -> Result<&Record, Ruling> {
        match &self.list {
            Ok(list) => list.first().ok_or_else(|| {
                Ruling::not_applicable("the list is empty: the suite needs two footprints that we may read")
            }),
            Err(why) => Err(Ruling::failed(format!("the list: {why}"))),
        }
    }

    pub(super) async fn gets_the_first(&self) -> Ruling {
        let first = match self.first() {
            Ok(first) => first,
            Err(ruling) => return ruling,
        };
        let got = async {
            let answer = self.get(&format!("/footprints/{}", first.received.id)).await?;
            if answer.status != 200 {
                return Err(came(&answer));
            }
            let data = pact::single(&answer.body).map_err(|faults| format!("200, but the body: {}", words(&faults)))?;
            let record = self.record(&data)?;
            if record.received.id != first.received.id {
                return Err(format!("200 with the footprint {}", record.received.id));
            }
            if record.wrong.is_empty() { Ok("200".to_owned()) } else { Err(told(record.wrong.into_iter())) }
        };
        Ruling::of(got.await)
    }

    pub(super) async fn lists_all(&self) -> Ruling {
        let listed = async {
            let before = self.list.as_ref().map_err(Clone::clone)?;
            let again = self.records(&self.get("/footprints").await?)?;
            if again.len() != before.len() {
                let first = counted(before.len() as u64, "footprint", "footprints");
                return Err(format!("{first}, and then {}", again.len()));
            }
            let wrong = again
                .iter()
                .enumerate()
                .flat_map(|(at, record)| record.wrong.iter().map(move |wrong| format!("/data/{at}: {wrong}")));
            let wrong: Vec<_> = wrong.collect();
            if wrong.is_empty() { Ok(format!("200 with {}", again.len())) } else { Err(told(wrong.into_iter())) }
        };
        Ruling::of(listed.await)
    }

    pub(super) async fn follows_the_link(&self) -> Ruling {
        let page = match &self.page {
            Ok(page) => page,
            Err(why) => return Ruling::failed(why.clone()),
        };
        let links = page.link.as_deref().unwrap_or_default();
        let target = links.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(target, _)| target);
        let Some(target) = target else {
            return Ruling::failed(format!(
                "{} without a Link: there must be two footprints that we may read",
                came(page)
            ));
        };
        let followed = async {
            if !same_origin(target, &self.at.base_url) {
                return Err("the Link's target is not at the address that was asked".to_owned());
            }
            let token = self.token.clone()?;
            let answer = self.ask(target, HostAuthorization::Bearer(token), None).await;
            let records = self.records(&answer.map_err(|error| error.to_string())?)?;
            if records.is_empty() { Err("200 with none".to_owned()) } else { Ok(format!("200 with {}", records.len())) }
        };
        Ruling::of(followed.await)
    }

    pub(super) async fn has_no_such_footprint(&self) -> Ruling {
        let not_found = match self.edition {
            Edition::V2 => "NoSuchFootprint",
            Edition::V3 => "NotFound",
        };
        let asked = async {
            let answer = self.get(&format!("/footprints/{NOBODY}")).await?;
            let code = pact::text_member(&answer.body, "code").unwrap_or_default();
            if matches!(answer.status, 400 | 404) && (code == not_found || code == "BadRequest") {
                return Ok(came(&answer));
            }
            Err(format!("{}: its code must be {not_found} or BadRequest", came(&answer)))
        };
        Ruling::of(asked.await)
    }

    pub(super) async fn finds_by_creation(&self) -> Ruling {
        let first = match self.first() {
            Ok(first) => first,
            Err(ruling) => return ruling,
        };
        let Some(created) = first.received.fields.moment("created") else {
            return Ruling::failed("the first footprint has no created");
        };
        let found = async {
            let filter = encoded(&format!("created ge '{created}'"));
            let records = self.records(&self.get(&format!("/footprints?$filter={filter}")).await?)?;
            let is_later = |record: &Record| {
                record.received.fields.moment("created").is_some_and(|own| own.instant() >= created.instant())
            };
            match records.iter().find(|record| !is_later(record)) {
                _ if records.is_empty() => Err("200 with none".to_owned()),
                Some(earlier) => Err(format!("{} was created before", earlier.received.id)),
                None => Ok(format!("200 with {}", records.len())),
            }
        };
        Ruling::of(found.await)
    }
}

/// Whether both begin with the same scheme, host and port.
fn same_origin(one: &str, other: &str) -> bool {
    let origin = |url: &str| {
        let (scheme, rest) = url.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next()?;
        Some((scheme.to_ascii_lowercase(), host.to_ascii_lowercase()))
    };
    origin(one).is_some() && origin(one) == origin(other)
}
