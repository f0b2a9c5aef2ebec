//! The models that switches are computed from.

use std::collections::HashMap;

use domain::{FaultCode, Faults, Input, MAX_SOURCES, Model, ModelId, Switch, SwitchFootprint};
use ports::inbound::{Error, Named, Reference, SwitchView};
use ports::store::ReadTx;
use ports::{RecordKind, Stored};

use crate::usecase::draft::pointer;
use crate::usecase::model::all_inputs;

/// The models that references name, each once; or all that is wrong with them.
pub(super) async fn find(
    tx: &mut dyn ReadTx,
    references: &[Option<Reference>],
    mut faults: Faults,
) -> Result<Result<Vec<ModelId>, Faults>, Error> {
    if references.len() > MAX_SOURCES {
        let detail = format!("has {} sources, and a switch has at most {MAX_SOURCES}", references.len());
        faults.add_coded(FaultCode::TooMuch, "", detail);
        return Ok(Err(faults));
    }
    let mut found = Vec::with_capacity(references.len());
    for (index, reference) in references.iter().enumerate() {
        let Some(reference) = reference else { continue };
        let place = pointer(&format!("/{index}"), reference);
        match model(tx, reference).await? {
            Ok(id) if found.contains(&id) => {
                faults.add_coded(FaultCode::Repeated, place, "names a model that stands in the list already");
            }
            Ok(id) => found.push(id),
            Err(detail) => faults.add_coded(FaultCode::NotFound, place, detail),
        }
    }
    if let Err(more) = Switch::check_sources(&found) {
        faults.extend(more);
    }
    Ok(if faults.is_empty() { Ok(found) } else { Err(faults) })
}

/// The model that a reference names, or a sentence that says why it names none.
async fn model(tx: &mut dyn ReadTx, reference: &Reference) -> Result<Result<ModelId, String>, Error> {
    let (model, what) = match reference {
        Reference::Id(id) => (tx.models().find(ModelId::new(*id)).await?, format!("uuid {id}")),
        Reference::SyncId(sync_id) => {
            (tx.models().find_by_sync_id(RecordKind::Model, sync_id).await?, format!("syncId {sync_id}"))
        }
        Reference::Word(_) | Reference::Path(_) => {
            return Ok(Err("must name a model by its uuid or its syncId".to_owned()));
        }
    };
    let missing = || format!("there is no model with the {what}; GET /v1/model lists those there are");
    Ok(model.map(|model| model.value.id).ok_or_else(missing))
}

/// Models with their inputs, each read once for all the switches that are shown together.
#[derive(Debug, Default)]
pub(super) struct Models {
    known: HashMap<ModelId, (Model, Vec<Input>)>,
}

impl Models {
    /// A switch with its footprint.
    pub(super) async fn view(&mut self, tx: &mut dyn ReadTx, switch: Stored<Switch>) -> Result<SwitchView, Error> {
        self.read(tx, &switch.value.sources).await?;
        let mut sources = Vec::with_capacity(switch.value.sources.len());
        let mut parts: Vec<(&Model, &[Input])> = Vec::with_capacity(switch.value.sources.len());
        for id in &switch.value.sources {
            // No store removes a model while a switch is computed from it.
            let (model, inputs) = self.known.get(id).ok_or_else(|| {
                let detail = format!("switch {} refers to model {id}, which is not there", switch.value.id);
                Error::Failed(detail.into())
            })?;
            sources.push(Named { id: id.uuid(), name: model.name.clone() });
            parts.push((model, inputs));
        }
        let footprint = SwitchFootprint::of(&switch.value, &parts);
        Ok(SwitchView { switch, sources, footprint })
    }

    async fn read(&mut self, tx: &mut dyn ReadTx, ids: &[ModelId]) -> Result<(), Error> {
        let unknown: Vec<ModelId> = ids.iter().filter(|id| !self.known.contains_key(id)).copied().collect();
        if unknown.is_empty() {
            return Ok(());
        }
        for model in tx.models().find_all(&unknown).await? {
            let model = model.value;
            let inputs = all_inputs(tx, model.id).await?.into_iter().map(|input| input.value).collect();
            self.known.insert(model.id, (model, inputs));
        }
        Ok(())
    }
}
