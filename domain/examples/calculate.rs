//! Converts a quantity and calculates what it emits: `cargo run -p tonne-domain --example calculate`.

use tonne_domain::{Co2e, Intensity, Quantity, Unit, convert, emissions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (quantity, gallons) = (Quantity::parse("1250.5")?, Unit::parse("gal")?);
    let litres = Unit::parse("litre")?;

    // Exact ratios; one rounding, half to even, at the 18th fractional digit.
    let in_litres = convert(quantity, gallons, litres).ok_or("no ratio between them")?;
    println!("{quantity} {gallons} are {in_litres} {litres}");

    // 2.66155 kg CO2e per litre of diesel: the quantity is converted on the way.
    let co2e: Co2e = emissions(quantity, gallons, Intensity::parse("2.66155")?, litres)?;
    println!("burning it emits {co2e} kg CO2e, about {co2e:.0} kg");

    // What does not fit says why.
    for wrong in ["ton", "kwh", "TWh", "parsec"] {
        match Unit::parse(wrong) {
            Ok(unit) => println!("{unit} is a unit of {}: {} {}", unit.dimension(), unit.to_base(), unit.base()),
            Err(error) => println!("{error}"),
        }
    }
    if let Err(error) = emissions(quantity, Unit::parse("kWh")?, Intensity::parse("2.66155")?, litres) {
        println!("{error}");
    }
    Ok(())
}
