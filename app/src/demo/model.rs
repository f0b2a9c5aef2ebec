//! The products as models, input by input, and the switches computed from them.

use domain::{Day, Faults, ImageAddress, ModelId, Name, Quantity, Stage, SwitchId, SyncId, Unit};
use ports::Caller;
use ports::inbound::{Error, Field, InputDraft, ModelDraft, Models, Reference, SwitchDraft, SwitchView, Switches};
use uuid::Uuid;

use super::{ONE, UseCases, parse, sync_text};

/// A product as it is made, for an amount of pieces.
struct Model {
    code: &'static str,
    name: &'static str,
    amount: &'static str,
    inputs: &'static [Input],
}

/// Block, stage, name, material, quantity and unit.
type Input = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// A switch and the codes of the models it is computed from.
struct Switch {
    code: &'static str,
    name: &'static str,
    sources: &'static [&'static str],
}

/// The day whose factors count.
const REFERENCE_DATE: &str = "2025-01-01";

#[rustfmt::skip]
const CITY: &[Input] = &[
    ("Frame", "A1", "Frame tubes", "aluminium", "3.4", "kg"),
    ("Frame", "A1", "Fork and rack", "steel", "2.1", "kg"),
    ("Frame", "A1", "Powder paint", "powder", "0.28", "kg"),
    ("Frame", "A3", "Welding and drying, power", "electricity", "21.5", "kWh"),
    ("Frame", "A3", "Drying, gas", "natural-gas", "38", "MJ"),
    ("Drive", "A1", "Drivetrain", "drivetrain", "1", "piece"),
    ("Wheels", "A1", "Tyres with tubes", "tyre", "2", "piece"),
    ("Wheels", "A1", "Rims and spokes", "steel", "1.9", "kg"),
    ("Finish", "A1", "Saddle and grips", "saddle", "1", "piece"),
    ("Finish", "A3", "Assembly, power", "electricity", "4.2", "kWh"),
    ("Way", "A2", "Materials to the works", "road", "6.8", "tkm"),
    ("Way", "A4", "Bicycle to the shop", "road", "3.1", "tkm"),
    ("Way", "A4", "Carton", "cardboard", "2.6", "kg"),
    ("Life", "B2", "Care over its life", "care", "1", "piece"),
    ("Life", "C4", "End of life", "disposal", "1", "piece"),
    ("Life", "D", "Aluminium to be melted again", "credit-aluminium", "2.9", "kg"),
];

#[rustfmt::skip]
const E_BIKE: &[Input] = &[
    ("Frame", "A1", "Frame tubes", "aluminium", "4.1", "kg"),
    ("Frame", "A1", "Fork and rack", "steel", "2.3", "kg"),
    ("Frame", "A1", "Powder paint", "powder", "310", "g"),
    ("Frame", "A3", "Welding and drying, power", "electricity", "24.8", "kWh"),
    ("Frame", "A3", "Drying, gas", "natural-gas", "41", "MJ"),
    ("Drive", "A1", "Hub motor", "motor", "1", "piece"),
    ("Drive", "A1", "Battery pack", "battery", "1", "piece"),
    ("Drive", "A1", "Motor housing", "magnesium", "0.62", "kg"),
    ("Drive", "A1", "Drivetrain", "drivetrain", "1", "piece"),
    ("Wheels", "A1", "Tyres with tubes", "tyre", "2", "piece"),
    ("Wheels", "A1", "Rims and spokes", "steel", "2.2", "kg"),
    ("Finish", "A1", "Saddle and grips", "saddle", "1", "piece"),
    ("Finish", "A3", "Assembly, power", "electricity", "6.1", "kWh"),
    ("Way", "A2", "Motor and battery by sea", "sea", "112", "tkm"),
    ("Way", "A2", "Materials to the works", "road", "8.2", "tkm"),
    ("Way", "A4", "E-bike to the shop", "road", "4.6", "tkm"),
    ("Way", "A4", "Carton", "cardboard", "3.4", "kg"),
    ("Life", "B2", "Care over its life", "care", "1", "piece"),
    ("Life", "B4", "Second battery pack", "battery", "1", "piece"),
    ("Life", "B6", "Charging over its life", "charging", "1", "piece"),
    ("Life", "C4", "End of life", "disposal", "2", "piece"),
    ("Life", "D", "Aluminium to be melted again", "credit-aluminium", "3.5", "kg"),
];

#[rustfmt::skip]
const CARGO: &[Input] = &[
    ("Frame", "A1", "Frame tubes", "aluminium", "7.8", "kg"),
    ("Frame", "A1", "Fork and steering", "steel", "5.6", "kg"),
    ("Frame", "A1", "Powder paint", "powder", "0.52", "kg"),
    ("Frame", "A3", "Welding and drying, power", "electricity", "0.0412", "MWh"),
    ("Box", "A1", "Timber", "timber", "11.5", "kg"),
    ("Box", "A1", "Rain cover", "textile", "2.4", "m2"),
    ("Drive", "A1", "Hub motor", "motor", "1", "piece"),
    ("Drive", "A1", "Battery packs", "battery", "2", "piece"),
    ("Drive", "A1", "Drivetrain", "drivetrain", "1", "piece"),
    ("Wheels", "A1", "Tyres with tubes", "tyre", "3", "piece"),
    ("Finish", "A1", "Saddle and grips", "saddle", "1", "piece"),
    ("Way", "A2", "Materials to the works", "road", "21.4", "tkm"),
    ("Way", "A4", "Cargo bike to the shop", "road", "11.9", "tkm"),
    ("Life", "B2", "Care over its life", "care", "2", "piece"),
    ("Life", "B6", "Charging over its life", "charging", "2", "piece"),
    ("Life", "C4", "End of life", "disposal", "3", "piece"),
    ("Life", "D", "Aluminium to be melted again", "credit-aluminium", "6.6", "kg"),
];

/// Made in batches of a hundred pairs.
#[rustfmt::skip]
const PANNIERS: &[Input] = &[
    ("Bags", "A1", "Fabric", "textile", "148", "m2"),
    ("Bags", "A1", "Hooks and stiffeners", "steel", "46", "kg"),
    ("Bags", "A3", "Sewing, power", "electricity", "84", "kWh"),
    ("Way", "A2", "Fabric to the works", "road", "18", "tkm"),
    ("Way", "A4", "Cartons", "cardboard", "22", "kg"),
    ("Life", "C4", "End of life", "mixed-waste", "118", "kg"),
];

#[rustfmt::skip]
const CHILD: &[Input] = &[
    ("Frame", "A1", "Frame tubes", "aluminium", "2.1", "kg"),
    ("Frame", "A1", "Fork", "steel", "0.9", "kg"),
    ("Frame", "A3", "Welding and drying, power", "electricity", "15.2", "kWh"),
    ("Wheels", "A1", "Tyres with tubes", "tyre", "2", "piece"),
    ("Finish", "A1", "Saddle and grips", "saddle", "1", "piece"),
    ("Way", "A4", "Carton", "cardboard", "1.8", "kg"),
    ("Life", "C4", "End of life", "disposal", "0.6", "piece"),
];

const MODELS: [Model; 5] = [
    Model { code: "heron", name: "Heron city bicycle", amount: "1", inputs: CITY },
    Model { code: "swift", name: "Swift e-bike", amount: "1", inputs: E_BIKE },
    Model { code: "otter", name: "Otter cargo bike", amount: "1", inputs: CARGO },
    Model { code: "wren", name: "Wren children's bicycle", amount: "1", inputs: CHILD },
    Model { code: "panniers", name: "Pair of panniers, batch of 100", amount: "100", inputs: PANNIERS },
];

const SWITCHES: [Switch; 6] = [
    Switch { code: "heron", name: "Heron city bicycle", sources: &["heron"] },
    Switch { code: "swift", name: "Swift e-bike", sources: &["swift"] },
    Switch { code: "otter", name: "Otter cargo bike", sources: &["otter"] },
    Switch { code: "wren", name: "Wren children's bicycle", sources: &["wren"] },
    Switch { code: "commuter", name: "Commuter set: Swift e-bike with panniers", sources: &["swift", "panniers"] },
    Switch { code: "tandem", name: "Kingfisher tandem, still being designed", sources: &[] },
];

/// Fills in models and switches; gives the e-bike's model and the switch of the commuter set.
pub(super) async fn fill(use_cases: UseCases<'_>, caller: &Caller) -> Result<(Uuid, Uuid), Error> {
    let (mut model, mut switch) = (None, None);
    for one in &MODELS {
        let id = put_model(use_cases.models, caller, one).await?;
        model = if one.code == "swift" { Some(id.uuid()) } else { model };
    }
    for one in &SWITCHES {
        let id = put_switch(use_cases.switches, caller, one).await?;
        switch = if one.code == "commuter" { Some(id.uuid()) } else { switch };
    }
    model.zip(switch).ok_or(Error::NotFound)
}

async fn put_model(models: &dyn Models, caller: &Caller, model: &Model) -> Result<ModelId, Error> {
    let text = sync_text("model", model.code);
    let sync_id = parse::text(SyncId::parse, &text)?;
    let known = models.list(caller, Some(sync_id.clone()), ONE).await?.data.into_iter().next();
    let id = if let Some(view) = known {
        view.model.value.id
    } else {
        let draft = ModelDraft {
            name: parse::field(Name::parse, model.name)?,
            sync_id: Field::Given(sync_id),
            unit: parse::field(Unit::parse, "piece")?,
            amount: parse::field(Quantity::parse, model.amount)?,
            reference_date: parse::field(Day::parse, REFERENCE_DATE)?,
            faults: Faults::new(),
        };
        models.add(caller, draft).await?.model.value.id
    };
    for (order, input) in (1..).zip(model.inputs) {
        put_input(models, caller, id, &format!("{text}-{order}"), (order, input)).await?;
    }
    Ok(id)
}

async fn put_input(
    models: &dyn Models,
    caller: &Caller,
    model: ModelId,
    sync_id: &str,
    (order, (block, stage, name, material, quantity, unit)): (i32, &Input),
) -> Result<(), Error> {
    let sync_id = parse::text(SyncId::parse, sync_id)?;
    if models.list_inputs(caller, model, Some(sync_id.clone()), ONE).await?.count > 0 {
        return Ok(());
    }
    let draft = InputDraft {
        name: parse::field(Name::parse, name)?,
        sync_id: Field::Given(sync_id),
        material: parse::reference(&sync_text("product", material))?,
        block: parse::field(Name::parse, block)?,
        stage: parse::field(Stage::parse, stage)?,
        quantity: parse::field(Quantity::parse, quantity)?,
        unit: parse::field(Unit::parse, unit)?,
        order: Field::Given(order),
        faults: Faults::new(),
    };
    models.add_input(caller, model, draft).await.map(drop)
}

async fn put_switch(switches: &dyn Switches, caller: &Caller, switch: &Switch) -> Result<SwitchId, Error> {
    let sync_id = parse::text(SyncId::parse, &sync_text("switch", switch.code))?;
    let known = switches.list(caller, Some(sync_id.clone()), ONE).await?.data.into_iter().next();
    let view = if let Some(view) = known {
        view
    } else {
        let draft = SwitchDraft {
            name: parse::field(Name::parse, switch.name)?,
            sync_id: Field::Given(sync_id),
            unit: parse::field(Unit::parse, "piece")?,
            faults: Faults::new(),
        };
        switches.add(caller, draft).await?
    };
    let id = view.switch.value.id;
    if view.sources.is_empty() && !switch.sources.is_empty() {
        let models = switch.sources.iter().map(|code| parse::text(SyncId::parse, &sync_text("model", code)));
        let sources: Vec<_> =
            models.map(|model| model.map(|id| Some(Reference::SyncId(id)))).collect::<Result<_, _>>()?;
        switches.put_sources(caller, id, None, sources, Faults::new()).await?;
    }
    put_image(switches, caller, &view, switch.code).await?;
    Ok(id)
}

async fn put_image(switches: &dyn Switches, caller: &Caller, view: &SwitchView, code: &str) -> Result<(), Error> {
    if view.switch.value.image.is_none() {
        let image = parse::field(ImageAddress::parse, &format!("https://halvenmere.example/images/{code}.png"))?;
        switches.put_image(caller, view.switch.value.id, None, image, Faults::new()).await?;
    }
    Ok(())
}
