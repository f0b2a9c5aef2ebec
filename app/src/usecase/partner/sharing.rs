//! With whom footprints are shared.

use std::collections::BTreeSet;

use domain::{FaultCode, Faults, FootprintId, PartnerId, SharedWith, Sharing};
use ports::inbound::{Error, Field, SharingDraft, SharingView};
use ports::store::{ReadTx, WriteTx};
use ports::{Stored, Version};

use crate::usecase::activity::fresh;

/// The most partners that a footprint is shared with by name.
const MOST: usize = 1_000;

/// So many are read at once when a partner is removed.
const AT_ONCE: u32 = 1_000;

/// With whom a footprint, which must be there, is shared.
pub(super) async fn find(tx: &mut dyn ReadTx, id: FootprintId) -> Result<SharingView, Error> {
    tx.footprints().find(id).await?.ok_or(Error::NotFound)?;
    Ok(view(id, tx.sharings().find(id).await?))
}

fn view(footprint: FootprintId, sharing: Option<Stored<Sharing>>) -> SharingView {
    match sharing {
        Some(stored) => SharingView { footprint, with: Some(stored.value.with), version: stored.version },
        None => SharingView { footprint, with: None, version: Version(0) },
    }
}

/// Whom a draft names; `None` is nobody.
pub(super) async fn build(
    tx: &mut dyn ReadTx,
    draft: SharingDraft,
) -> Result<Result<Option<SharedWith>, Faults>, Error> {
    let SharingDraft { all, partners, mut faults } = draft;
    let all = matches!(all, Field::Given(true));
    let named = partners.into_option().unwrap_or_default();
    if all && !named.is_empty() {
        let detail = "does not go with all: a footprint is shared with every partner or with those that are named";
        faults.add_coded(FaultCode::Mismatch, "/partners", detail);
    }
    if named.len() > MOST {
        faults.add_coded(FaultCode::Invalid, "/partners", format!("names more than {MOST} partners"));
    }
    let mut partners = BTreeSet::new();
    for (index, uuid) in named.into_iter().enumerate().take(MOST) {
        let id = PartnerId::new(uuid);
        if tx.partners().find(id).await?.is_none() {
            faults.add_coded(FaultCode::NotFound, format!("/partners/{index}"), format!("there is no partner {id}"));
        }
        partners.insert(id);
    }
    Ok(match faults.into_result() {
        Err(faults) => Err(faults),
        Ok(()) if all => Ok(Some(SharedWith::All)),
        Ok(()) => Ok((!partners.is_empty()).then_some(SharedWith::Partners(partners))),
    })
}

/// Writes it where it is another than before. Whether it was.
pub(super) async fn put(
    tx: &mut dyn WriteTx,
    id: FootprintId,
    seen: Option<Version>,
    with: Option<SharedWith>,
) -> Result<SharingView, Error> {
    tx.footprints().find(id).await?.ok_or(Error::NotFound)?;
    let before = tx.sharings().find(id).await?;
    fresh(before.as_ref().map_or(Version(0), |stored| stored.version), seen)?;
    let stored = match (before, with) {
        (None, None) => None,
        (Some(before), None) => {
            tx.sharings_mut().remove(id, before.version).await?;
            None
        }
        (None, Some(with)) => Some(tx.sharings_mut().add(Sharing::new(id, with)).await?),
        (Some(before), Some(with)) if before.value.with == with => Some(before),
        (Some(before), Some(with)) => Some(tx.sharings_mut().update(Sharing::new(id, with), before.version).await?),
    };
    Ok(view(id, stored))
}

/// Takes a partner out of everything that is shared with it by name.
pub(super) async fn forget(tx: &mut dyn WriteTx, partner: PartnerId) -> Result<(), Error> {
    loop {
        let named = tx.sharings().naming(partner, AT_ONCE).await?;
        if named.is_empty() {
            return Ok(());
        }
        for stored in named {
            let SharedWith::Partners(mut partners) = stored.value.with else { continue };
            partners.remove(&partner);
            if partners.is_empty() {
                tx.sharings_mut().remove(stored.value.id, stored.version).await?;
            } else {
                let left = Sharing::new(stored.value.id, SharedWith::Partners(partners));
                tx.sharings_mut().update(left, stored.version).await?;
            }
        }
    }
}
