//! Which single activities a report is about, by what its sums do not know: each activity is read to tell.

use std::collections::HashSet;

use domain::{Activity, Attribution, Catalog, Cube, Faults, Filter, Period, ProductId, ScopeId, SyncId, Timestamp};
use ports::Stored;
use ports::inbound::{Error, Only, State};
use ports::repo::Place;
use ports::store::{ReadTx, StoreError};

use super::breakdown::nodes::several;
use super::without_co2e::WithoutCo2e;

/// Single activities, with every word looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    product: Option<ProductId>,
    /// In lower case.
    name: Option<String>,
    updated_since: Option<Timestamp>,
    states: Vec<State>,
}

/// A part of a walk over activities.
pub(super) struct Batch {
    /// The selected ones of those that were read, by first day, then id.
    pub(super) activities: Vec<Stored<Activity>>,
    /// Where the walk goes on; `None` where there are no more.
    pub(super) next: Option<Place>,
}

impl Choice {
    /// Where those of the activities that the filter selects stand, if such without CO2e are asked for: what
    /// [`walk`](Self::walk) goes along. The cube is that of the snapshot.
    pub(super) fn without_co2e(&self, cube: &Cube, filter: &Filter) -> Option<WithoutCo2e> {
        let is_asked = self.states.contains(&State::Incomplete);
        is_asked.then(|| match filter.attribution {
            Attribution::Start => WithoutCo2e::of(cube, filter),
            Attribution::Daily => {
                // Those that begin before the period may last into it.
                let until = Period::new(None, filter.period.last()).unwrap_or_default();
                WithoutCo2e::of(cube, &filter.clone().with_period(until))
            }
        })
    }

    /// Reads up to `limit` activities behind `after`, of those that the filter selects; of those without CO2e alone where
    /// such are asked for.
    pub(super) async fn walk(
        &self,
        tx: &mut dyn ReadTx,
        catalog: &Catalog,
        (filter, not_spread, without_co2e): (&Filter, &HashSet<ScopeId>, Option<&WithoutCo2e>),
        after: Option<Place>,
        limit: u32,
    ) -> Result<Batch, StoreError> {
        let mut activities = match without_co2e {
            Some(without_co2e) => without_co2e.behind(tx, after, limit).await?,
            None => tx.activities().range(filter, not_spread, after, limit).await?,
        };
        let is_last = activities.len() < limit as usize;
        let next = activities.last().filter(|_| !is_last).map(|last| Place::of(&last.value));
        activities.retain(|stored| filter.selects(&stored.value, not_spread) && self.selects(catalog, stored));
        Ok(Batch { activities, next })
    }

    /// Looks up what is asked for. A product that is not there is a fault of `product`.
    pub(super) async fn read(
        tx: &mut dyn ReadTx,
        catalog: &Catalog,
        only: &Only,
        faults: &mut Faults,
    ) -> Result<Self, Error> {
        let Only { product: word, name, updated_since, states } = only;
        let product = match word {
            None => None,
            Some(word) => faults.check("product", product(tx, catalog, word).await?),
        };
        let name = name.as_ref().map(|name| name.to_lowercase());
        Ok(Self { product, name, updated_since: *updated_since, states: states.clone() })
    }

    /// Whether the activity is one of them.
    pub(super) fn selects(&self, catalog: &Catalog, stored: &Stored<Activity>) -> bool {
        let activity = &stored.value;
        let in_state = |state: &State| match state {
            State::Incomplete => activity.co2e().is_none(),
            State::Uncategorized => activity.scope.and_then(|id| catalog.class(id)).is_none(),
        };
        let named = |text: &String| activity.name.as_str().to_lowercase().contains(text);
        self.product.is_none_or(|product| activity.product == Some(product))
            && self.name.as_ref().is_none_or(named)
            && self.updated_since.is_none_or(|since| stored.updated >= since)
            && self.states.iter().all(in_state)
    }
}

/// The product of that UUID, syncId or name; else what is wrong with the word.
async fn product(tx: &mut dyn ReadTx, catalog: &Catalog, word: &str) -> Result<Result<ProductId, String>, Error> {
    if let Ok(id) = domain::parse_uuid(word) {
        let known = catalog.products.contains_key(&id.into());
        return Ok(if known { Ok(id.into()) } else { Err(format!("there is no product {id}")) });
    }
    if let Ok(sync_id) = SyncId::parse(word)
        && let Some(found) = tx.products().find_by_sync_id(&sync_id).await?
    {
        return Ok(Ok(found.value.id));
    }
    let mut named: Vec<ProductId> =
        catalog.products.iter().filter(|(_, name)| name.as_str() == word).map(|(id, _)| *id).collect();
    named.sort_unstable();
    Ok(match named.as_slice() {
        [one] => Ok(*one),
        [] => {
            let near = files::did_you_mean(word, catalog.products.values().map(domain::Name::as_str));
            Err(format!("there is no product {word:?}{near}"))
        }
        ids => Err(several(word, ids)),
    })
}
