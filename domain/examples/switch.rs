//! Computes the footprint of a switch from a model: `cargo run -p tonne-domain --example switch`.

use tonne_domain::uuid::Uuid;
use tonne_domain::{
    Day, DeclaredAmount, Factor, FactorData, FactorId, FactorLookup, Incomplete, Input, InputCalculation, InputId,
    Intensity, Model, ModelId, Name, Product, ProductId, Quantity, Source, Sources, Stage, Switch, SwitchFootprint,
    SwitchId, SwitchModels, Unit,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (kilogram, piece) = (Unit::parse("kg")?, Unit::parse("piece")?);
    let steel =
        Product { id: ProductId::new(Uuid::from_u128(1)), sync_id: None, name: Name::parse("Steel")?, unit: kilogram };
    let factor = Factor::new(
        FactorId::new(Uuid::from_u128(2)),
        &steel,
        FactorData {
            unit: Unit::parse("t")?,
            upstream: Some(Intensity::parse("1850")?),
            downstream: None,
            valid_from: Day::parse("2025-01-01")?,
            valid_to: None,
            source: Source::parse("A made-up database, 2025")?,
            gwp: None,
        },
    )?;

    // Three frames weigh 12 kg: made of steel (A1), a part of which comes back at the end (D).
    let frame = Model {
        id: ModelId::new(Uuid::from_u128(3)),
        sync_id: None,
        name: Name::parse("Frame")?,
        unit: piece,
        amount: DeclaredAmount::new(Quantity::parse("3")?)?,
        reference_date: Day::parse("2025-06-01")?,
        blocks: Vec::new(),
    };
    let lookup = FactorLookup { product: &steel, factors: &[factor], day: frame.reference_date };
    let mut inputs = Vec::new();
    for (number, stage, quantity) in [(4, "A1", "12"), (5, "D", "-2.4")] {
        let mut input = Input {
            id: InputId::new(Uuid::from_u128(number)),
            model: frame.id,
            sync_id: None,
            name: Name::parse("Steel")?,
            material: steel.id,
            block: None,
            stage: Some(Stage::parse(stage)?),
            quantity: Quantity::parse(quantity)?,
            unit: kilogram,
            order: 0,
            calculation: InputCalculation::Incomplete(Incomplete::NoFactor),
        };
        input.compute(lookup)?;
        inputs.push(input);
    }

    let switch = Switch {
        id: SwitchId::new(Uuid::from_u128(6)),
        sync_id: None,
        name: Name::parse("Frame, painted")?,
        unit: Some(piece),
        image: None,
        sources: Sources::new(vec![frame.id])?,
    };
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
