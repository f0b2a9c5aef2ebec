//! Records to try a store with, each with a number that distinguishes it from the others of its kind.

mod credential;
mod footprint;
mod ids;
mod published;

pub use credential::{
    authenticated, claims, client, filled_user, installation, key, link, maintaining, password, permissions, refresh,
    refresh_hash, session, signed_in, signing_key, tenant, user,
};
pub use footprint::{filled_footprint, footprint, shown_footprint};
pub use ids::{SampleClock, SampleIds};
pub use published::{factor_set, filled_published_factor, published_factor};

use domain::footprint::Edition;
use domain::{
    Activity, Block, Calculation, CalculationParts, Category, ClosedPeriod, Co2e, Day, DeclaredAmount, Description,
    ExcludedPart, ExcludedYears, Exclusion, Factor, FactorData, Frozen, FrozenFigures, FrozenLine, FrozenReport,
    GwpSet, HostAddress, HostClientId, ImageAddress, Incomplete, Input, InputCalculation, Intensity, Measure, Measured,
    Measures, Model, ModelId, Moment, Name, Org, Partner, PeriodSignature, Product, ProductAlias, Quantity, Reason,
    Scope, ScopeClass, ScopeKind, SeriesKey, SharedWith, Sharing, Slug, Source, Sources, Span, Stage, Stated,
    SuppliedCo2e, Switch, SyncId, Taxonomy, Timestamp, Total, Unit,
};
use uuid::Uuid;

use crate::exchange::{ExchangeKind, ExchangeRow};
use crate::store::Intent;

/// The UUID of that number, of version 7; a greater number sorts behind.
#[must_use]
pub fn uuid(number: u64) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | u128::from(number))
}

/// The identifier of that number.
#[must_use]
pub fn id<Id: From<Uuid>>(number: u64) -> Id {
    uuid(number).into()
}

/// So many seconds after the first second of 2025.
#[must_use]
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_735_689_600_000 + seconds * 1000).expect("a moment of the calendar")
}

/// What the sample transactions are for.
#[must_use]
pub fn intent() -> Intent {
    Intent { at: at(0), cause: "contract".into() }
}

/// A name.
#[must_use]
pub fn name(text: &str) -> Name {
    Name::parse(text).expect("a name")
}

/// A syncId.
#[must_use]
pub fn sync_id(text: &str) -> SyncId {
    SyncId::parse(text).expect("a syncId")
}

/// A day written as `YYYY-MM-DD`.
#[must_use]
pub fn day(text: &str) -> Day {
    Day::parse(text).expect("a day")
}

/// Kilograms of CO2 equivalent.
#[must_use]
pub fn co2e(text: &str) -> Co2e {
    Co2e::parse(text).expect("an amount")
}

/// A quantity.
#[must_use]
pub fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).expect("a quantity")
}

/// A unit.
#[must_use]
pub fn unit(code: &str) -> Unit {
    Unit::parse(code).expect("a unit")
}

/// From the first to the last of two days.
#[must_use]
pub fn span(first: &str, last: &str) -> Span {
    let moment = |text| Moment::parse_start(text).expect("a day");
    Span::new(moment(first), Some(Moment::parse_end(last).expect("a day"))).expect("a span")
}

/// A calculation of a supplied upstream part alone.
#[must_use]
pub fn supplied(text: &str) -> Calculation {
    let supplied = SuppliedCo2e::default().with_upstream(Some(co2e(text)));
    domain::calculate(supplied, None, None).expect("a calculation")
}

/// A calculation of an upstream part alone, computed from the factor of that number.
#[must_use]
pub fn computed(text: &str, factor: u64) -> Calculation {
    let parts = CalculationParts::default().with_upstream(Some(co2e(text))).with_factor(Some(id(factor)));
    Calculation::from_parts(parts).expect("a calculation")
}

/// A calculation without CO2e.
#[must_use]
pub const fn incomplete() -> Calculation {
    Calculation::incomplete(Incomplete::NoProduct)
}

/// An activity of one day, 10 kg, that refers to nothing.
#[must_use]
pub fn activity(number: u64) -> Activity {
    activity_in(number, span("2025-03-01", "2025-03-01"), "10")
}

/// An activity that refers to nothing.
#[must_use]
pub fn activity_in(number: u64, span: Span, kilograms: &str) -> Activity {
    Activity::new(id(number), name(&format!("Activity {number}")), span).with_calculation(supplied(kilograms))
}

/// An activity of those days with that much CO2e, if any, and that much biogenic CO2.
#[must_use]
pub fn measured_activity(number: u64, span: Span, kilograms: Option<&str>, biogenic: &str) -> Activity {
    let activity = activity_in(number, span, kilograms.unwrap_or("0"));
    let measures = Measures::new([(Measure::BiogenicCo2, co2e(biogenic))]).expect("measures");
    match kilograms {
        Some(_) => activity.with_measures(measures),
        None => activity.with_measures(measures).with_calculation(incomplete()),
    }
}

/// An activity that has everything; the records it refers to have the number too, and are those of this module.
#[must_use]
pub fn filled_activity(number: u64) -> Activity {
    let start = Moment::parse("2025-03-01T23:30:00.120-05:30").expect("a moment");
    let end = Moment::parse("2025-04-02T00:00:00.000000001+14:00").expect("a moment");
    Activity::new(
        id(number),
        name("Flüge “Köln–東京” 'n' \\ \"zurück\" %s {0}"),
        Span::new(start, Some(end)).expect("a span"),
    )
    .with_sync_id(Some(sync_id(&format!("activity/{number}"))))
    .with_description(Some(Description::parse("line one\nline\ttwo\r\nÅ 𝛑 'quoted' \"twice\" \\").expect("a text")))
    .with_measured(Some(Measured { quantity: quantity("-12345678901234567890.123456789012345678"), unit: unit("kg") }))
    .with_product(Some(id(number)))
    .with_scope(Some(id(SCOPE + number)))
    .with_taxonomy(Some(id(TAXONOMY + number)))
    .with_org(Some(id(ORG + number)))
    .with_calculation(
        Calculation::from_parts(
            CalculationParts::default()
                .with_supplied(SuppliedCo2e::default().with_upstream(Some(co2e("0.000000000000000001"))))
                .with_upstream(Some(co2e("0.000000000000000001")))
                .with_downstream(Some(co2e("-0.5")))
                .with_factor(Some(id(number))),
        )
        .expect("a calculation"),
    )
    .with_stated(Stated::default().with_biogenic(Some(co2e("-99999999999999999999.999999999999999999"))))
    .with_measures(
        Measures::new([
            (Measure::BiogenicCo2, co2e("-99999999999999999999.999999999999999999")),
            (Measure::Nf3, Co2e::ZERO),
        ])
        .expect("measures"),
    )
}

/// What is added to the number of a scope to make its id.
pub const SCOPE: u64 = 1_000_000;
/// What is added to the number of an org to make its id.
pub const ORG: u64 = 2_000_000;
/// What is added to the number of a taxonomy to make its id.
pub const TAXONOMY: u64 = 3_000_000;

/// A root of the scope tree.
#[must_use]
pub fn scope(number: u64) -> Scope {
    let class = ScopeClass::new(ScopeKind::Scope3, Some(6)).expect("a class");
    Scope::new(id(SCOPE + number), name(&format!("Scope {number}")), class)
}

/// A root of the org tree.
#[must_use]
pub fn org(number: u64) -> Org {
    Org::new(id(ORG + number), name(&format!("Org {number}")))
}

/// A root of the taxonomy tree.
#[must_use]
pub fn taxonomy(number: u64, slug: &str) -> Taxonomy {
    Taxonomy::new(id(TAXONOMY + number), name(&format!("Taxonomy {number}")), Slug::parse(slug).expect("a slug"))
}

/// A product counted in kg.
#[must_use]
pub fn product(number: u64) -> Product {
    Product::new(id(number), name(&format!("Product {number}")), unit("kg"))
}

/// A factor of that product, from that day on.
#[must_use]
pub fn factor(number: u64, of: &Product, valid_from: &str) -> Factor {
    let terms = FactorData::new(unit("t"), day(valid_from), Source::parse("A table, page 7").expect("a source"))
        .with_upstream(Some(Intensity::parse("2675.123456789012345678").expect("an intensity")))
        .with_gwp(Some(GwpSet::Ar6));
    Factor::new(id(number), of, terms).expect("a factor")
}

/// A factor of that product in the place of a wrong one.
#[must_use]
pub fn correction(number: u64, of: &Product, wrong: &Factor) -> Factor {
    Factor::correction(id(number), of, wrong, wrong.data().clone()).expect("a factor")
}

/// A model without blocks.
#[must_use]
pub fn model(number: u64) -> Model {
    Model::new(id(number), name(&format!("Model {number}")), unit("piece"), day("2025-01-01"))
}

/// A model with blocks.
#[must_use]
pub fn filled_model(number: u64) -> Model {
    let block = |n: u64, text| Block { id: id(number * 10 + n), name: name(text) };
    model(number)
        .with_sync_id(Some(sync_id("Modell ‘ß’")))
        .with_amount(DeclaredAmount::new(quantity("0.000000000000000001")).expect("above zero"))
        .with_reference_date(Day::MAX)
        .with_blocks(vec![block(2, "Gehäuse"), block(1, "Anzeige"), block(3, "\"Kabel\"")])
}

/// An input of that model and material, at that place.
#[must_use]
pub fn input(number: u64, of: &Model, material: &Product, order: i32) -> Input {
    Input::new(id(number), of.id, name(&format!("Input {number}")), material.id, quantity("1"), unit("kg"))
        .with_order(order)
        .with_calculation(InputCalculation::Incomplete(Incomplete::NoFactor))
}

/// An input that has everything.
#[must_use]
pub fn filled_input(number: u64, of: &Model, material: &Product, factor: &Factor) -> Input {
    input(number, of, material, i32::MIN)
        .with_sync_id(Some(sync_id(&format!("input/{number}"))))
        .with_block(of.blocks.first().map(|block| block.id))
        .with_stage(Some(Stage::parse("A1-A3").expect("a stage")))
        .with_quantity(quantity("-99999999999999999999.999999999999999999"))
        .with_calculation(InputCalculation::Computed {
            co2e: co2e("99999999999999999999.999999999999999999"),
            factor: factor.id(),
        })
}

/// A switch made from those models.
#[must_use]
pub fn switch(number: u64, sources: &[ModelId]) -> Switch {
    Switch::new(id(number), name(&format!("Switch {number}")))
        .with_unit(Some(unit("piece")))
        .with_image(Some(ImageAddress::parse("https://images.example/ü.png?a='b'").expect("an address")))
        .with_sources(Sources::new(sources.to_vec()).expect("each named once"))
}

/// Who closed a period or opened it again.
#[must_use]
pub fn period_signature() -> PeriodSignature {
    let reason = Reason::parse("as audited").expect("a reason");
    PeriodSignature::new(intent().at, name("cli:me"), Some(reason))
}

/// The year 2024, closed for the whole company, with a report of one series.
#[must_use]
pub fn closed_period(number: u64) -> ClosedPeriod {
    let figures =
        FrozenFigures::new(3, 1, Total::parse("99999999999999999999999.000000000000000001").expect("a total"));
    let series = SeriesKey { scope: Some(id(SCOPE + number)), org: None, taxonomy: Some(id(TAXONOMY + number)) };
    let line = FrozenLine { series, kind: Some(ScopeKind::Scope3), started: figures.clone(), spread: figures };
    let frozen = Frozen::new(&FrozenReport { lines: vec![line], ..FrozenReport::default() }, uuid(1), 7);
    let (first, last) = (day("2024-01-01"), day("2024-12-31"));
    ClosedPeriod::new(id(number), first, last, period_signature(), frozen).expect("a period")
}

/// A category of scope 3 that the whole company leaves out in two years.
#[must_use]
pub fn exclusion(number: u64) -> Exclusion {
    let part = ExcludedPart::Category(Category::new(14).expect("a category"));
    let years = ExcludedYears::new(2024, 2025).expect("years");
    Exclusion::new(id(number), part, years, Reason::parse("there are no franchises").expect("a reason"))
}

/// A partner with all that a partner may have.
#[must_use]
pub fn partner(number: u64) -> Partner {
    let address = |text: &str| HostAddress::parse(text).expect("an address");
    let alias = ProductAlias { theirs: "urn:a:\"é\"".to_owned(), ours: "urn:b:1".to_owned() };
    Partner::new(id(number), name("Partner"), address("https://pact.example/sub"))
        .with_auth_url(Some(address("https://login.example")))
        .with_client_id(Some(HostClientId::parse("it's us").expect("an id")))
        .with_aliases(vec![alias])
        .with_private_addresses(true)
        .with_plain_http(true)
        .with_clients(vec![uuid(number), uuid(number + 1)])
        .with_pact(Edition::V2)
}

/// The footprint of that number shared with two partners.
#[must_use]
pub fn sharing(number: u64) -> Sharing {
    Sharing::new(id(number), SharedWith::Partners([id(1), id(2)].into()))
}

/// A row of the exchange with a partner.
#[must_use]
pub fn exchange_row(number: u64) -> ExchangeRow {
    let (kind, partner) = (ExchangeKind::Delivery, id(number));
    ExchangeRow { kind, id: number.to_string(), partner, at: at(0), due: Some(at(1)), content: "{}".to_owned() }
}
