//! Computes the footprint of a switch from a model: `cargo run -p tonne-domain --example switch`.

use tonne_domain::uuid::Uuid;
use tonne_domain::{
    Day, DeclaredAmount, Factor, FactorData, FactorId, FactorLookup, Input, InputId, Intensity, Model, ModelId, Name,
    Product, ProductId, Quantity, Source, Sources, Stage, Switch, SwitchFootprint, SwitchId, SwitchModels, Unit,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (kilogram, piece) = (Unit::parse("kg")?, Unit::parse("piece")?);
    let steel = Product::new(ProductId::new(Uuid::from_u128(1)), Name::parse("Steel")?, kilogram);
    let source = Source::parse("A made-up database, 2025")?;
    let mut data = FactorData::new(Unit::parse("t")?, Day::parse("2025-01-01")?, source);
    data.upstream = Some(Intensity::parse("1850")?);
    let factor = Factor::new(FactorId::new(Uuid::from_u128(2)), &steel, data)?;

    // Three frames weigh 12 kg: made of steel (A1), a part of which comes back at the end (D).
    let id = ModelId::new(Uuid::from_u128(3));
    let mut frame = Model::new(id, Name::parse("Frame")?, piece, Day::parse("2025-06-01")?);
    frame.amount = DeclaredAmount::new(Quantity::parse("3")?)?;
    let lookup = FactorLookup { product: &steel, factors: &[factor], day: frame.reference_date, chosen: None };
    let mut inputs = Vec::new();
    for (number, stage, quantity) in [(4, "A1", "12"), (5, "D", "-2.4")] {
        let (id, quantity) = (InputId::new(Uuid::from_u128(number)), Quantity::parse(quantity)?);
        let mut input = Input::new(id, frame.id, Name::parse("Steel")?, steel.id, quantity, kilogram);
        input.stage = Some(Stage::parse(stage)?);
        input.compute(lookup)?;
        inputs.push(input);
    }

    let mut switch = Switch::new(SwitchId::new(Uuid::from_u128(6)), Name::parse("Frame, painted")?);
    switch.unit = Some(piece);
    switch.sources = Sources::new(vec![frame.id])?;
    let models = SwitchModels::new(&switch, |id| (id == frame.id).then_some((&frame, inputs.as_slice())))
        .map_err(|model| format!("model {model} is missing"))?;
    let footprint = SwitchFootprint::of(&models);
    let shown = |figure: Option<_>| {
        figure.map_or_else(|| "not declared".to_owned(), |figure: tonne_domain::Total| format!("{figure} kg"))
    };
    println!("stages A to C: {}", shown(footprint.product_carbon_footprint));
    println!("A1 to A3:      {}", shown(footprint.a1_a3));
    println!("module D:      {}", shown(footprint.d));
    for issue in footprint.issues {
        println!("{issue}");
    }
    Ok(())
}
