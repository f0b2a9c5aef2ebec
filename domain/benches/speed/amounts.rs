//! Exact decimals: reading, writing, adding, multiplying.

use divan::Bencher;
use tonne_domain::{Co2e, Decimal, Intensity, Quantity, Total, Unit, emissions};

const TEXTS: [&str; 4] = ["0", "103.537", "-25431.0004731", "99999999999999999999.999999999999999999"];

#[divan::bench(args = TEXTS)]
fn decimal_from_text(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

#[divan::bench(args = TEXTS)]
fn decimal_to_text(bencher: Bencher<'_, '_>, text: &str) {
    let decimal = Decimal::parse(text).unwrap();
    bencher.bench(|| divan::black_box(decimal).to_string());
}

#[divan::bench]
fn a_thousand_amounts_added(bencher: Bencher<'_, '_>) {
    let amounts: Vec<Co2e> = (1..=1_000).map(|n| Co2e::parse(&format!("{n}.0{n}")).unwrap()).collect();
    bencher.bench(|| amounts.iter().copied().map(Total::from).sum::<Total>());
}

#[divan::bench]
fn quantity_times_factor(bencher: Bencher<'_, '_>) {
    let (quantity, kwh) = (Quantity::parse("51234.567").unwrap(), Unit::parse("kWh").unwrap());
    let factor = Intensity::parse("0.207074").unwrap();
    bencher.bench(|| emissions(divan::black_box(quantity), kwh, factor, kwh));
}
