//! The models that switches are computed from.

use std::collections::HashMap;

use domain::{
    FaultCode, Faults, Input, MAX_SOURCES, Model, ModelId, Sources, SourcesError, Switch, SwitchFootprint, SwitchModels,
};
use ports::Stored;
use ports::inbound::{Error, Named, Reference, SwitchView};
use ports::store::ReadTx;

use crate::usecase::draft::pointer;
use crate::usecase::model::all_inputs;

/// The models that references name, each once; or all that is wrong with them.
pub(super) async fn find(
    tx: &mut dyn ReadTx,
    references: &[Option<Reference>],
    mut faults: Faults,
) -> Result<Result<Sources, Faults>, Error> {
    if references.len() > MAX_SOURCES {
        note(&mut faults, &SourcesError::TooMany(references.len()));
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
    Ok(match Sources::new(found) {
        Ok(sources) if faults.is_empty() => Ok(sources),
        Ok(_) => Err(faults),
        Err(error) => {
            note(&mut faults, &error);
            Err(faults)
        }
    })
}

/// Notes what is wrong with a list of models, at its places in the list.
fn note(faults: &mut Faults, error: &SourcesError) {
    match error {
        SourcesError::TooMany(_) => faults.add_coded(FaultCode::TooMuch, "", error.to_string()),
        SourcesError::Repeated(places) => {
            for place in places {
                faults.add_coded(FaultCode::Repeated, format!("/{place}"), error.to_string());
            }
        }
    }
}

/// The model that a reference names, or a sentence that says why it names none.
async fn model(tx: &mut dyn ReadTx, reference: &Reference) -> Result<Result<ModelId, String>, Error> {
    let (model, what) = match reference {
        Reference::Id(id) => (tx.models().find(ModelId::new(*id)).await?, format!("uuid {id}")),
        Reference::SyncId(sync_id) => (tx.models().find_by_sync_id(sync_id).await?, format!("syncId {sync_id}")),
        Reference::Word(_) | Reference::Shown(_) | Reference::Path(_) => {
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
        self.read(tx, switch.value.sources.as_slice()).await?;
        let find = |id| self.known.get(&id).map(|(model, inputs)| (model, inputs.as_slice()));
        // No store removes a model while a switch is computed from it.
        let models = SwitchModels::new(&switch.value, find).map_err(|id| {
            let detail = format!("switch {} refers to model {id}, which is not there", switch.value.id);
            Error::Failed(detail.into())
        })?;
        let sources = models.models().map(|model| Named { id: model.id.uuid(), name: model.name.clone() }).collect();
        let footprint = SwitchFootprint::of(&models);
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
