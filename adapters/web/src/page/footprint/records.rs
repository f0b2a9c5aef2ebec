//! Footprints that a footprint names, each by a look-up, and those that name it, sought among a bounded number of others.

use domain::footprint::Reference;
use domain::{Footprint, FootprintId};
use http::edge::{self, Failure};
use ports::inbound::{Error, FootprintSearch};

use crate::here::Here;

/// So many others are looked at for one part of those that name a footprint.
const LOOK_AT: u64 = 200;
/// Footprints that are in memory at once, of up to 1 MiB each.
const BATCH: u32 = 32;
/// The most references that are looked up.
const MOST_NAMED: usize = 100;

/// Another footprint of the same chain.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Its uuid.
    pub(super) id: String,
    /// What its product is called.
    pub(super) product: String,
    /// Its status.
    pub(super) status: String,
    /// When it was created.
    pub(super) created: String,
}

impl Link {
    fn to(footprint: &Footprint) -> Self {
        Self {
            id: footprint.id.to_string(),
            product: footprint.fields.text("productNameCompany").unwrap_or_default().to_owned(),
            status: footprint.status().to_owned(),
            created: footprint.created().to_string(),
        }
    }
}

/// What came before a footprint and after it, of those that the viewer may read.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// Each that it names, as it names it; `None` where it is none that the viewer may read.
    pub(super) before: Vec<(String, Option<Link>)>,
    /// How many more it names, which are not looked up.
    pub(super) more_before: usize,
    /// Those that name it, among those that were looked at.
    pub(super) after: Vec<Link>,
    /// The number behind which to look further for those that name it.
    pub(super) end: Option<u64>,
}

impl Chain {
    /// What a footprint names, and those that name it among the first that came after it; among those behind a number where one is
    /// given, since none says by which others it is named.
    pub(super) async fn find(here: &Here, of: &Footprint, behind: Option<u64>) -> Result<Self, Failure> {
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        let references = of.fields.references("precedingPfIds");
        let mut chain = Self { more_before: references.len().saturating_sub(MOST_NAMED), ..Self::default() };
        for reference in references.iter().take(MOST_NAMED) {
            chain.before.push((written(reference), named(here, reference).await?));
        }
        let (mut after, mut looked_at) = (behind.unwrap_or(of.number), 0);
        loop {
            let search = FootprintSearch { after, limit: BATCH, ..FootprintSearch::default() };
            let found = here.areas().footprints.search(here.caller(), &search).await?;
            looked_at += found.looked_at;
            let names_it = |other: &&Footprint| {
                other.id != of.id && other.fields.references("precedingPfIds").iter().any(|one| names(one, of))
            };
            chain.after.extend(found.data.iter().map(|view| &view.footprint.value).filter(names_it).map(Link::to));
            match found.end {
                Some(end) if looked_at < LOOK_AT => after = end,
                end => {
                    chain.end = end;
                    return Ok(chain);
                }
            }
        }
    }
}

/// The footprint that a reference means; `None` where it is none that the viewer may read.
async fn named(here: &Here, reference: &Reference) -> Result<Option<Link>, Failure> {
    let footprints = &here.areas().footprints;
    let found = match reference {
        Reference::Number(number) => {
            let Some(before) = u64::try_from(*number).ok().and_then(|number| number.checked_sub(1)) else {
                return Ok(None);
            };
            let next = FootprintSearch { after: before, limit: 1, ..FootprintSearch::default() };
            footprints.search(here.caller(), &next).await?.data.into_iter().next()
        }
        Reference::Text(text) => {
            let Ok(id) = domain::parse_uuid(text) else { return Ok(None) };
            match footprints.get(here.caller(), FootprintId::new(id)).await {
                Err(Error::NotFound | Error::Denied(_)) => None,
                found => Some(found?),
            }
        }
    };
    let found = found.as_ref().map(|view| &view.footprint.value);
    Ok(found.filter(|found| names(reference, found)).map(Link::to))
}

fn written(reference: &Reference) -> String {
    match reference {
        Reference::Number(number) => number.to_string(),
        Reference::Text(text) => text.clone(),
    }
}

/// Whether that is the footprint that is meant, by its number or its uuid.
fn names(reference: &Reference, footprint: &Footprint) -> bool {
    match reference {
        Reference::Number(number) => u64::try_from(*number).is_ok_and(|number| number == footprint.number),
        Reference::Text(text) => domain::parse_uuid(text).is_ok_and(|id| FootprintId::new(id) == footprint.id),
    }
}
