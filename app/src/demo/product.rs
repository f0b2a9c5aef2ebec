//! What the company consumes and sells, with the factors of three editions of an invented factor set.
//!
//! What lies before the use is a product of its own where it belongs to another scope: well-to-tank emissions and grid
//! losses are scope 3.3, the fuel's own are scope 1. The figures are plausible and nothing more.

use domain::{Day, GwpSet, Intensity, Name, ProductId, Source, SyncId, Unit};
use ports::Caller;
use ports::inbound::{Catalog, Error, FactorDraft, ProductDraft};
use ports::repo::Page;

use super::{ONE, parse, sync_text};

/// A product and its factors, edition by edition.
pub(super) struct Product {
    code: &'static str,
    name: &'static str,
    unit: &'static str,
    upstream: Editions,
    downstream: Editions,
}

/// kg CO2e per unit in the editions of 2023, 2024 and 2025; empty where an edition has none.
type Editions = [&'static str; 3];

const NONE: Editions = [""; 3];

const YEARS: [u16; 3] = [2023, 2024, 2025];

/// The sets of global warming potentials that the editions were made with.
const GWP: [&str; 3] = ["AR5", "AR6", "AR6"];

#[rustfmt::skip]
const PRODUCTS: [Product; 54] = [
    before("electricity", "Electricity, grid mix", "kWh", ["0.2314", "0.2141", "0.1963"]),
    before("wind-power", "Electricity of a wind park, by contract", "kWh", ["0.0118", "0.0118", "0.0118"]),
    before("residual-mix", "Electricity that nobody claimed, residual mix", "kWh", ["0.3312", "0.3187", "0.3054"]),
    before("grid-losses", "Electricity, grid losses and fuel supply", "kWh", ["0.0412", "0.0387", "0.0361"]),
    after("natural-gas", "Natural gas, burned", "kWh", ["0.18293", "0.18287", "0.18301"]),
    before("natural-gas-supply", "Natural gas, well to tank", "kWh", ["0.0312", "0.0307", "0.0304"]),
    before("district-heat", "District heat", "kWh", ["0.1421", "0.1334", "0.1212"]),
    before("heat-losses", "District heat, network losses", "kWh", ["0.0091", "0.0085", "0.0079"]),
    after("diesel", "Diesel, burned", "L", ["2.5124", "2.5121", "2.5104"]),
    before("diesel-supply", "Diesel, well to tank", "L", ["0.6124", "0.6092", "0.6071"]),
    after("lpg", "LPG, burned", "kg", ["2.9389", "2.9391", "2.9384"]),
    before("lpg-supply", "LPG, well to tank", "kg", ["0.3462", "0.3448", "0.3431"]),
    after("pellets", "Wood pellets, methane and nitrous oxide", "kg", ["0.0153", "0.0151", "0.0151"]),
    after("pellets-biogenic", "Wood pellets, biogenic CO2", "kg", ["1.6792", "1.6792", "1.6792"]),
    before("pellets-supply", "Wood pellets, making and transport", "kg", ["0.1836", "0.1811", "0.1787"]),
    after("welding-gas", "Shielding gas, CO2 released", "kg", ["0.1812", "0.1812", "0.1812"]),
    after("r410a", "Cooling agent R-410A, leaked", "kg", ["1923.5", "2255.5", "2255.5"]),
    before("aluminium", "Aluminium tube", "kg", ["8.943", "8.612", "8.124"]),
    before("steel", "Steel parts", "kg", ["2.3141", "2.2436", "2.1918"]),
    before("magnesium", "Magnesium casting", "kg", ["", "21.74", "20.42"]),
    before("tyre", "Tyre with tube", "piece", ["3.862", "3.814", "3.741"]),
    before("drivetrain", "Drivetrain set", "piece", ["11.62", "11.43", "11.12"]),
    before("motor", "Hub motor", "piece", ["24.81", "24.12", "23.54"]),
    before("battery", "Battery pack, 500 Wh", "piece", ["41.24", "38.93", "36.41"]),
    before("saddle", "Saddle and grips", "piece", ["2.214", "2.187", "2.153"]),
    before("textile", "Pannier fabric", "m2", ["1.942", "1.913", "1.874"]),
    before("timber", "Cargo box timber", "kg", ["0.3124", "0.3071", "0.3018"]),
    before("powder", "Powder paint", "kg", ["3.961", "3.914", "3.882"]),
    both("cardboard", "Cardboard packaging", "kg", ["0.8214", "0.8103", "0.8022"], ["0.0452", "0.0448", "0.0441"]),
    before("spares", "Spare parts, mixed", "kg", ["4.238", "4.171", "4.096"]),
    both("water", "Water and sewage", "m3", ["0.1491", "0.1488", "0.1482"], ["0.2014", "0.1997", "0.1973"]),
    before("services", "Services, by spend", "EUR", ["0.0842", "0.0817", "0.0793"]),
    before("machines", "Machines and tools, by spend", "EUR", ["0.3124", "0.3047", "0.2962"]),
    before("building", "Building works, by spend", "EUR", ["0.2713", "0.2668", "0.2604"]),
    before("computer", "Computer with screen", "piece", ["331.2", "324.6", "318.4"]),
    before("road", "Road freight", "tkm", ["0.1062", "0.1043", "0.1021"]),
    before("sea", "Sea freight", "tkm", ["0.01614", "0.01598", "0.01571"]),
    before("parcel-van", "Parcel van", "vkm", ["0.2431", "0.2387", "0.2318"]),
    before("flight-short", "Flight, short haul", "pkm", ["0.1583", "0.1571", "0.1564"]),
    before("flight-long", "Flight, long haul", "pkm", ["0.1524", "0.1519", "0.1511"]),
    before("rail", "Rail travel", "pkm", ["0.0354", "0.0347", "0.0331"]),
    before("hotel", "Hotel night", "piece", ["10.43", "10.21", "9.94"]),
    before("car", "Car, commuting", "vkm", ["0.1682", "0.1651", "0.1607"]),
    before("bus", "Bus, commuting", "pkm", ["0.0965", "0.0943", "0.0918"]),
    after("mixed-waste", "Mixed waste, burned for energy", "kg", ["0.4972", "0.4936", "0.4911"]),
    after("scrap", "Metal scrap, sorted and remelted", "kg", ["0.0212", "0.0211", "0.0209"]),
    after("credit-aluminium", "Aluminium saved by recycling", "kg", ["-6.142", "-6.034", "-5.871"]),
    after("care", "Bicycle, care over its life", "piece", ["4.112", "4.087", "4.041"]),
    after("charging", "E-bike, charging over its life", "piece", ["19.63", "18.42", "17.04"]),
    after("disposal", "Bicycle, end of life", "piece", ["2.914", "2.887", "2.846"]),
    after("fleet", "Hired-out bicycle, a month", "piece", ["0.9312", "0.9164", "0.8971"]),
    after("completion", "Frame, completed by its buyer", "piece", ["7.812", "7.694", "7.531"]),
    before("warehouse", "Warehouse space, leased for a quarter", "m2", ["9.612", "9.384", "9.127"]),
    after("biochar", "Biochar, carbon stored", "kg", ["-2.462", "-2.462", "-2.462"]),
];

/// Fills in the products and factors that are not there yet.
pub(super) async fn fill(catalog: &dyn Catalog, caller: &Caller) -> Result<(), Error> {
    for product in &PRODUCTS {
        let id = put(catalog, caller, product).await?;
        let known = catalog.list_factors(caller, id, Page::FIRST).await?.data;
        for (index, year) in YEARS.into_iter().enumerate() {
            let Some(draft) = factor(product, index, year)? else { continue };
            let begins = draft.valid_from.given();
            if !known.iter().any(|factor| Some(&factor.value.data().valid_from) == begins) {
                catalog.add_factor(caller, id, draft).await?;
            }
        }
    }
    Ok(())
}

/// The product of that code, if it is there.
pub(super) async fn find(catalog: &dyn Catalog, caller: &Caller, code: &str) -> Result<Option<ProductId>, Error> {
    let sync_id = parse::text(SyncId::parse, &sync_text("product", code))?;
    let known = catalog.list_products(caller, Some(sync_id), ONE).await?.data;
    Ok(known.first().map(|view| view.product.value.id))
}

async fn put(catalog: &dyn Catalog, caller: &Caller, product: &Product) -> Result<ProductId, Error> {
    if let Some(id) = find(catalog, caller, product.code).await? {
        return Ok(id);
    }
    let draft = ProductDraft {
        name: parse::field(Name::parse, product.name)?,
        sync_id: parse::field(SyncId::parse, &sync_text("product", product.code))?,
        unit: parse::field(Unit::parse, product.unit)?,
        ..ProductDraft::default()
    };
    Ok(catalog.add_product(caller, draft).await?.product.value.id)
}

/// The factor of an edition, if it has one.
fn factor(product: &Product, index: usize, year: u16) -> Result<Option<FactorDraft>, Error> {
    let of = |editions: Editions| editions.get(index).copied().unwrap_or_default();
    let (upstream, downstream) = (of(product.upstream), of(product.downstream));
    if upstream.is_empty() && downstream.is_empty() {
        return Ok(None);
    }
    Ok(Some(FactorDraft {
        unit: parse::field(Unit::parse, product.unit)?,
        upstream: parse::optional(Intensity::parse, upstream)?,
        downstream: parse::optional(Intensity::parse, downstream)?,
        valid_from: parse::field(Day::parse, &format!("{year}-01-01"))?,
        source: parse::field(Source::parse, &format!("Demo factor set {year} (invented)"))?,
        gwp: parse::optional(GwpSet::parse, GWP.get(index).copied().unwrap_or_default())?,
        ..FactorDraft::default()
    }))
}

/// A product that emits before its use.
const fn before(code: &'static str, name: &'static str, unit: &'static str, upstream: Editions) -> Product {
    both(code, name, unit, upstream, NONE)
}

/// A product that emits in its use or after it.
const fn after(code: &'static str, name: &'static str, unit: &'static str, downstream: Editions) -> Product {
    both(code, name, unit, NONE, downstream)
}

const fn both(
    code: &'static str,
    name: &'static str,
    unit: &'static str,
    upstream: Editions,
    downstream: Editions,
) -> Product {
    Product { code, name, unit, upstream, downstream }
}
