//! Every footprint that the viewer may read, batch by batch, and those that a footprint names or is named by.

use domain::footprint::Reference;
use domain::{Footprint, FootprintId};
use http::edge::{self, Failure};
use ports::Permission;
use ports::inbound::{FootprintBatches, FootprintView};
use ports::repo::Page;

use crate::here::Here;
use crate::page::listed::MOST_ROWS;

/// Footprints that are in memory at once, of up to 1 MiB each.
const BATCH: u32 = 32;

/// The footprints by their number: all of them, or, without the permission to review, those that break no rule.
pub(in crate::page) enum Records {
    All(Box<dyn FootprintBatches>),
    Valid { after: u64 },
}

impl Records {
    pub(in crate::page) async fn open(here: &Here) -> Result<Self, Failure> {
        if !here.viewer.may(Permission::FootprintReview) {
            return Ok(Self::Valid { after: 0 });
        }
        let page = Page { number: 1, size: u32::MAX };
        Ok(Self::All(here.areas().footprints.open_page(here.caller(), page).await?.records))
    }

    /// The next of them; none at the end.
    pub(in crate::page) async fn next(&mut self, here: &Here) -> Result<Vec<FootprintView>, Failure> {
        match self {
            Self::All(records) => Ok(records.next(BATCH).await?),
            Self::Valid { after } => {
                let found = here.areas().footprints.list_valid(here.caller(), *after, BATCH).await?;
                if let Some(last) = found.last() {
                    *after = last.footprint.value.number;
                }
                Ok(found)
            }
        }
    }
}

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
    /// Those that name it.
    pub(super) after: Vec<Link>,
    /// Whether there are more footprints than were looked at.
    pub(super) is_cut: bool,
}

impl Chain {
    /// Reads every footprint, as none says by which others it is named.
    pub(super) async fn find(here: &Here, of: &Footprint) -> Result<Self, Failure> {
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        let named = of.fields.references("precedingPfIds");
        let mut chain = Self { before: named.iter().map(|one| (written(one), None)).collect(), ..Self::default() };
        let (mut records, mut seen) = (Records::open(here).await?, 0);
        loop {
            let batch = records.next(here).await?;
            seen += batch.len();
            chain.is_cut = seen > MOST_ROWS;
            if batch.is_empty() || chain.is_cut {
                return Ok(chain);
            }
            for other in batch.iter().map(|view| &view.footprint.value).filter(|other| other.id != of.id) {
                for (place, reference) in chain.before.iter_mut().zip(named) {
                    if names(reference, other) {
                        place.1 = Some(Link::to(other));
                    }
                }
                if other.fields.references("precedingPfIds").iter().any(|reference| names(reference, of)) {
                    chain.after.push(Link::to(other));
                }
            }
        }
    }
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
