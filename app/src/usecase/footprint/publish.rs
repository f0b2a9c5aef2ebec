//! The footprint of a model: made of its inputs and what is said, and put in the place of the one before.

use domain::footprint::publish::{ModelFootprint, SourcedInput, of_model, said_together};
use domain::footprint::{DEPRECATED, FieldValue, FromModel, Reference, Verdict};
use domain::{Factor, Fields, Footprint, FootprintId, Input, ModelId, Sharing, Timestamp};
use ports::inbound::{Error, FootprintView, PublishDraft, PublishOutcome, PublishedFootprint, SaidEarlier};
use ports::store::{ReadTx, WriteTx};
use ports::{Stored, Version};
use uuid::Uuid;

use super::view;
use crate::usecase::model::all_inputs;
use crate::usecase::resolve::Resolver;

/// A model's footprint, not written yet.
pub(super) struct Made {
    model: ModelId,
    said: Fields,
    footprint: ModelFootprint,
    /// The newest one that was made of the model.
    before: Option<Stored<Footprint>>,
}

/// Makes the footprint of a model; or all that is missing or wrong.
pub(super) async fn made(tx: &mut dyn ReadTx, id: ModelId, draft: PublishDraft) -> Result<Made, Error> {
    let model = tx.models().find(id).await?.ok_or(Error::NotFound)?.value;
    let PublishDraft { company, said, earlier, mut faults } = draft;
    let before = tx.footprints().of_model(id).await?;
    let said_before = before.as_ref().filter(|_| earlier == SaidEarlier::Holds);
    let said_before = said_before.and_then(|stored| Some((&stored.value, stored.value.from_model.as_deref()?)));
    let said = said_together(said_before, &model, &said);
    let inputs: Vec<Input> = all_inputs(tx, id).await?.into_iter().map(|stored| stored.value).collect();
    let factors = factors(tx, &inputs).await?;
    let sourced: Vec<_> =
        inputs.iter().zip(&factors).map(|(input, factor)| SourcedInput { input, factor: factor.as_ref() }).collect();
    match of_model(&model, &sourced, &company, &said) {
        Ok(footprint) => {
            faults.into_result()?;
            Ok(Made { model: id, said, footprint, before })
        }
        Err(more) => {
            faults.extend(more);
            Err(faults.into())
        }
    }
}

/// The factor that each input was computed from.
async fn factors(tx: &mut dyn ReadTx, inputs: &[Input]) -> Result<Vec<Option<Factor>>, Error> {
    let (mut resolver, mut found) = (Resolver::default(), Vec::with_capacity(inputs.len()));
    for input in inputs {
        let Some(used) = input.calculation.factor() else {
            found.push(None);
            continue;
        };
        let material = resolver.product_with_factors(tx, input.material).await?;
        let factor = material.and_then(|product| product.factors.iter().find(|one| one.id() == used).cloned());
        let gone =
            || Error::Failed(format!("input {} is computed from factor {used}, which is not there", input.id).into());
        found.push(Some(factor.ok_or_else(gone)?));
    }
    Ok(found)
}

impl Made {
    /// The one before, if it says the same and is in use.
    fn unchanged(&self) -> Option<&Stored<Footprint>> {
        let before = self.before.as_ref()?;
        let mut fields = before.value.fields.clone();
        fields.remove("precedingPfIds");
        fields.remove("statusComment");
        let is_same_said = before.value.from_model.as_deref().is_some_and(|made| made.said == self.said);
        (fields == self.footprint.fields && is_same_said).then_some(before)
    }

    fn record(&self, id: FootprintId, now: Timestamp) -> Footprint {
        let mut fields = self.footprint.fields.clone();
        if let Some(before) = &self.before {
            let number = i64::try_from(before.value.number).unwrap_or(i64::MAX);
            // The field is one of the schema, and of that type.
            let _ = fields.set("precedingPfIds", FieldValue::References(vec![Reference::Number(number)]));
        }
        let from_model = FromModel { model: self.model, said: self.said.clone() };
        Footprint::new(id, 0, now, fields).with_from_model(Some(Box::new(from_model)))
    }

    fn answer(&self, outcome: PublishOutcome, stored: Stored<Footprint>) -> PublishedFootprint {
        let verdict = Verdict::of(&stored.value);
        let replaces = self.before.as_ref().map(|before| before.value.id).filter(|id| *id != stored.value.id);
        PublishedFootprint {
            outcome,
            footprint: FootprintView { verdict: Some(Box::new(verdict)), ..view(stored) },
            replaces,
            stages: self.footprint.stages.clone(),
            notes: self.footprint.notes.clone(),
        }
    }

    /// What would be published.
    pub(super) fn preview(&self, now: Timestamp) -> PublishedFootprint {
        if let Some(before) = self.unchanged() {
            return self.answer(PublishOutcome::Unchanged, before.clone());
        }
        let record = self.record(FootprintId::new(Uuid::nil()), now);
        let stored = Stored { value: record, created: now, updated: now, version: Version(1) };
        self.answer(PublishOutcome::Preview, stored)
    }

    /// Adds it, shared with those that the one before is shared with, and deprecates that; unless nothing has changed.
    pub(super) async fn publish(
        &self,
        tx: &mut dyn WriteTx,
        id: FootprintId,
        now: Timestamp,
    ) -> Result<PublishedFootprint, Error> {
        if let Some(before) = self.unchanged() {
            return Ok(self.answer(PublishOutcome::Unchanged, before.clone()));
        }
        let stored = tx.footprints_mut().add(self.record(id, now)).await?;
        if let Some(before) = self.before.as_ref().filter(|before| before.value.status() != DEPRECATED) {
            let comment = format!("Replaced by footprint {}", stored.value.number);
            let amended = before.value.amend(DEPRECATED, Some(&comment), now);
            let amended = amended.map_err(|error| Error::Failed(error.into()))?;
            tx.footprints_mut().update(amended, before.version).await?;
        }
        if let Some(before) = &self.before
            && let Some(sharing) = tx.sharings().find(before.value.id).await?
        {
            tx.sharings_mut().add(Sharing::new(id, sharing.value.with)).await?;
        }
        Ok(self.answer(PublishOutcome::Published, stored))
    }
}
