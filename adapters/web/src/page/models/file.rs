//! A model as a file: a line for each input, beside the figures of the model that it goes into.

use actix_web::HttpResponse;
use domain::Stage;
use files::{Cell, Table};
use http::edge::{Failure, whole_list};
use ports::inbound::{InputView, ModelView};

use crate::csv;
use crate::here::Here;

/// How often a model is read with its inputs before it is said to change too fast.
const READINGS: u32 = 5;

const COLUMNS: [&str; 19] = [
    "model",
    "modelName",
    "modelUnit",
    "modelAmount",
    "modelCO2e",
    "modelModuleDCO2e",
    "uuid",
    "syncId",
    "name",
    "block",
    "blockName",
    "lifecycleStage",
    "inTotal",
    "material",
    "materialName",
    "quantity",
    "unit",
    "CO2e",
    "notComputed",
];

/// The file of a model that was just read. Its figures fit its lines where it is the same after its inputs were read.
pub(super) async fn answer(here: &Here, mut view: ModelView) -> Result<HttpResponse, Failure> {
    let (models, id) = (&here.areas().models, view.model.value.id);
    for _ in 0..READINGS {
        let key = |one: &InputView| one.input.value.id;
        let inputs = whole_list(key, |page| models.list_inputs(here.caller(), id, None, page)).await?;
        let after = models.get(here.caller(), id).await?;
        if after == view {
            return csv::file(&format!("model-{id}"), &table(&view, &inputs));
        }
        view = after;
    }
    Err(Failure::busy("the model changed faster than it was read"))
}

/// The inputs of a model. Its own figures are kg of CO2 equivalent per unit; those of an input are for the model's whole amount.
fn table(view: &ModelView, inputs: &[InputView]) -> Table {
    let model = &view.model.value;
    let row = |one: &InputView| {
        let (input, block) = (&one.input.value, one.block.as_ref());
        let reason = input.calculation.reason().filter(|_| one.co2e.is_none());
        let mut cells = vec![Cell::text(model.id), Cell::text(&model.name), Cell::text(model.unit)];
        cells.push(csv::number(Some(model.amount.quantity())));
        cells.extend([view.co2e, view.module_d].map(csv::number));
        cells.extend([Cell::text(input.id), csv::text(input.sync_id.as_ref()), Cell::text(&input.name)]);
        cells.extend([csv::text(block.map(|one| one.id)), csv::text(block.map(|one| &one.name))]);
        cells.extend([csv::text(input.stage.map(Stage::code)), Cell::text(!input.is_module_d())]);
        cells.extend([Cell::text(one.material.id), Cell::text(&one.material.name)]);
        cells.extend([csv::number(Some(input.quantity)), Cell::text(input.unit)]);
        cells.extend([csv::number(one.co2e), csv::text(reason)]);
        cells
    };
    csv::table("model", &COLUMNS, inputs.iter().map(row).collect())
}
