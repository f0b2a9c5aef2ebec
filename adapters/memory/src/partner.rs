//! Partners by their clients, and what is shared with them in the order of lists.

use std::ops::Bound;
use std::sync::Arc;

use async_trait::async_trait;
use domain::footprint::FootprintPlace;
use domain::{Footprint, FootprintId, Partner, PartnerId, Sharing};
use ports::Stored;
use ports::repo::{PartnerReader, SharingReader};
use ports::store::StoreError;
use uuid::Uuid;

use crate::state::State;
use crate::tx::Tx;

/// Lets the clients that partners name follow a write of a partner.
pub(crate) fn settle_clients(state: &mut State, before: Option<&Partner>, after: Option<&Partner>) {
    let of = |partner: &Partner| -> Vec<_> { partner.clients.iter().map(|client| (*client, partner.id)).collect() };
    let clients = Arc::make_mut(&mut state.partner_clients);
    for client in before.map(of).unwrap_or_default() {
        clients.remove(&client);
    }
    clients.extend(after.map(of).unwrap_or_default());
}

/// Lets the places of what is shared follow a write of a sharing.
pub(crate) fn settle_shared(state: &mut State, before: Option<&Sharing>, after: Option<&Sharing>) {
    let Some(id) = before.or(after).map(|sharing| sharing.id) else { return };
    let place = place(state.footprints.find(id.uuid()).map(|stored| &stored.value));
    replace(state, id, (before, place), (after, place));
}

/// Lets the places of what is shared follow a write of a footprint.
pub(crate) fn settle_places(state: &mut State, before: Option<&Footprint>, after: Option<&Footprint>) {
    let Some(id) = before.or(after).map(|footprint| footprint.id) else { return };
    let Some(sharing) = state.sharings.find(id.uuid()).cloned() else { return };
    let sharing = Some(&sharing.value);
    replace(state, id, (sharing, place(before)), (sharing, place(after)));
}

fn place(footprint: Option<&Footprint>) -> FootprintPlace {
    footprint.map_or(FootprintPlace::START, FootprintPlace::of)
}

/// A sharing, if there is one, and the place of its footprint.
type Shared<'a> = (Option<&'a Sharing>, FootprintPlace);

fn replace(state: &mut State, id: FootprintId, before: Shared<'_>, after: Shared<'_>) {
    let of = |(sharing, place): Shared<'_>| -> Vec<_> {
        let readers = sharing.map(|sharing| sharing.with.readers()).unwrap_or_default();
        readers.into_iter().map(|partner| (partner, place, id)).collect()
    };
    let places = Arc::make_mut(&mut state.shared_places);
    for shared in of(before) {
        places.remove(&shared);
    }
    places.extend(of(after));
}

/// The places behind `after` of what is shared with the partner, in their order, at most `limit`.
pub(crate) fn opened(
    state: &State,
    partner: PartnerId,
    after: Option<FootprintPlace>,
    limit: usize,
) -> Vec<(FootprintPlace, FootprintId)> {
    let last = FootprintId::new(Uuid::max());
    let mut found: Vec<_> = [None, Some(partner)]
        .into_iter()
        .flat_map(|reader| {
            let first = Bound::Excluded((reader, after.unwrap_or(FootprintPlace::START), last));
            let places = state.shared_places.range((first, Bound::Unbounded));
            places.take_while(move |(of, ..)| *of == reader).take(limit).map(|(_, place, id)| (*place, *id))
        })
        .collect();
    found.sort_unstable();
    found.truncate(limit);
    found
}

#[async_trait]
impl<W: Send> PartnerReader for Tx<W> {
    async fn of_client(&mut self, client: Uuid) -> Result<Option<Stored<Partner>>, StoreError> {
        let first = (client, PartnerId::new(Uuid::nil()));
        let named = self.state.partner_clients.range(first..).next().filter(|(of, _)| *of == client);
        Ok(named.and_then(|(_, id)| self.state.partners.find(id.uuid())).map(|stored| stored.as_ref().clone()))
    }
}

#[async_trait]
impl<W: Send> SharingReader for Tx<W> {
    async fn naming(&mut self, partner: PartnerId, limit: u32) -> Result<Vec<Stored<Sharing>>, StoreError> {
        let first = (Some(partner), FootprintPlace::START, FootprintId::new(Uuid::nil()));
        let named = self.state.shared_places.range(first..).take_while(|(of, ..)| *of == Some(partner));
        let found = named.take(limit as usize).filter_map(|(.., id)| self.state.sharings.find(id.uuid()));
        Ok(found.map(|stored| stored.as_ref().clone()).collect())
    }
}
