//! From a draft to a switch.

use domain::{Faults, Switch, SwitchId};
use ports::Stored;
use ports::inbound::{Error, SwitchDraft};
use ports::store::ReadTx;

use crate::usecase::draft::required;

/// The switch of that id, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, id: SwitchId) -> Result<Stored<Switch>, Error> {
    tx.switches().find(id).await?.ok_or(Error::NotFound)
}

/// The switch that a draft makes, of nothing or of `before`; or all that is wrong with it.
pub(super) fn build(id: SwitchId, before: Option<&Switch>, draft: SwitchDraft) -> Result<Switch, Faults> {
    let SwitchDraft { name, sync_id, unit, mut faults } = draft;
    let name = required(&mut faults, "/name", name, before.map(|b| b.name.clone()));
    match name {
        Some(name) if faults.is_empty() => Ok(Switch::new(id, name)
            .with_sync_id(sync_id.merge(before.and_then(|b| b.sync_id.clone())))
            .with_unit(unit.merge(before.and_then(|b| b.unit)))
            .with_image(before.and_then(|b| b.image.clone()))
            .with_sources(before.map(|b| b.sources.clone()).unwrap_or_default())),
        Some(_) | None => Err(faults),
    }
}
