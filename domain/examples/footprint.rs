//! Validates a product carbon footprint by PACT's rules: `cargo run -p tonne-domain --example footprint`.

use tonne_domain::footprint::{FOOTPRINT, FieldValue, PCF, validate};
use tonne_domain::{Decimal, Fields, Footprint, FootprintId, Moment, Timestamp, uuid::Uuid};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = |text: &str| FieldValue::Text(text.to_owned());
    let mut pcf = Fields::new(&PCF);
    pcf.set("declaredUnitOfMeasurement", text("kilogram"))?;
    pcf.set("declaredUnitAmount", FieldValue::Number(Decimal::ONE))?;
    pcf.set("fossilGhgEmissions", FieldValue::Number(Decimal::parse("-2.5")?))?;
    pcf.set("referencePeriodStart", FieldValue::Moment(Moment::parse("2025-01-01T00:00:00Z")?))?;
    pcf.set("referencePeriodEnd", FieldValue::Moment(Moment::parse("2024-01-01T00:00:00Z")?))?;

    let mut fields = Fields::new(&FOOTPRINT);
    fields.set("specVersion", text("3.0.0"))?;
    fields.set("companyName", text("Halvenmere Ltd"))?;
    fields.set("companyIds", FieldValue::Texts(vec!["urn:example:halvenmere".to_owned()]))?;
    fields.set("pcf", FieldValue::Object(pcf))?;

    // What cannot be stored is refused at once; everything else is kept, and every rule it breaks is named.
    if let Err(error) = fields.set("companyNmae", text("x")) {
        println!("companyNmae: {error}");
    }
    let created = Timestamp::parse("2025-06-01T12:00:00Z")?;
    let footprint = Footprint::new(FootprintId::new(Uuid::from_u128(1)), 1, created, fields);
    for violation in validate(&footprint) {
        println!("{violation}");
    }
    Ok(())
}
