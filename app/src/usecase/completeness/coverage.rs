//! Scopes and categories with their activities, and the exclusions that say why there are none.

use std::ops::RangeInclusive;

use domain::{Catalog, Cube, Day, Exclusion, Filter, LeftOut, OrgId};
use ports::Stored;
use ports::inbound::{CoverageState, CoverageView, Error, ExclusionView};
use ports::repo::{Listing, Page, Query};
use ports::store::ReadTx;

use crate::usecase::names;

/// How many exclusions are read at a time.
const PAGE: u32 = 1_000;

/// An exclusion that is about some of the company that is asked about, in some year of the period.
struct Related {
    exclusion: Stored<Exclusion>,
    /// Whether it is for all of that part of the company.
    is_for_all: bool,
}

/// A line for each scope and category.
pub(super) async fn coverage(
    tx: &mut dyn ReadTx,
    catalog: &Catalog,
    cube: &Cube,
    filter: &Filter,
) -> Result<Vec<CoverageView>, Error> {
    let years = years(filter);
    let related = related(tx, catalog, filter, &years).await?;
    let lines = domain::coverage(cube, filter, &|id| catalog.class(id));
    Ok(lines
        .into_iter()
        .map(|line| {
            let left_out = |one: &Related| domain::left_out(&one.exclusion.value, line.class, &catalog.scopes);
            let about: Vec<(&Related, LeftOut)> =
                related.iter().filter_map(|one| Some((one, left_out(one)?))).collect();
            let is_covered = |year: u16| {
                about.iter().any(|(one, left_out)| {
                    one.is_for_all && *left_out == LeftOut::Whole && one.exclusion.value.touches(&(year..=year))
                })
            };
            let state = if line.count != 0 {
                CoverageState::Reported
            } else if years.clone().all(is_covered) {
                CoverageState::Excluded
            } else if about.is_empty() {
                CoverageState::Missing
            } else {
                CoverageState::PartlyExcluded
            };
            CoverageView {
                class: line.class,
                count: u64::try_from(line.count).unwrap_or(0),
                incomplete: u64::try_from(line.incomplete).unwrap_or(0),
                state,
                exclusions: about.into_iter().map(|(one, _)| view(catalog, &one.exclusion)).collect(),
            }
        })
        .collect())
}

/// The calendar years that the period touches.
fn years(filter: &Filter) -> RangeInclusive<u16> {
    let year = |day: Option<Day>, open: u16| day.and_then(|day| u16::try_from(day.calendar().0).ok()).unwrap_or(open);
    year(filter.period.first(), 1)..=year(filter.period.last(), 9_999)
}

/// The exclusions that are about some of the orgs that the filter selects, in some of those years.
async fn related(
    tx: &mut dyn ReadTx,
    catalog: &Catalog,
    filter: &Filter,
    years: &RangeInclusive<u16>,
) -> Result<Vec<Related>, Error> {
    let (mut found, mut page) = (Vec::new(), Page { number: 1, size: PAGE });
    loop {
        let Listing { data, .. } = tx.exclusions().list(&Query::all(page)).await?;
        let is_last = data.len() < PAGE as usize;
        for exclusion in data.into_iter().filter(|stored| stored.value.touches(years)) {
            let is_for_all = match (exclusion.value.org, &filter.orgs) {
                (None, _) => Some(true),
                (Some(_), None) => Some(false),
                (Some(org), Some(asked)) => {
                    let of: std::collections::HashSet<OrgId> = catalog.orgs.forest().subtree(org);
                    let is_any = asked.iter().any(|org| of.contains(org));
                    is_any.then(|| asked.is_subset(&of))
                }
            };
            found.extend(is_for_all.map(|is_for_all| Related { exclusion, is_for_all }));
        }
        if is_last {
            return Ok(found);
        }
        page.number += 1;
    }
}

fn view(catalog: &Catalog, exclusion: &Stored<Exclusion>) -> ExclusionView {
    ExclusionView {
        scope: exclusion.value.scope().and_then(|id| names::node(&catalog.scopes, id)),
        scope_path: exclusion.value.scope().and_then(|id| names::path(&catalog.scopes, id)),
        org: exclusion.value.org.and_then(|id| names::node(&catalog.orgs, id)),
        org_path: exclusion.value.org.and_then(|id| names::path(&catalog.orgs, id)),
        exclusion: exclusion.clone(),
    }
}
