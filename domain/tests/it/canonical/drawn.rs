//! Records drawn at random, of every kind.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use tonne_domain::footprint::{FOOTPRINT, FieldValue, Fields, JsonType, ObjectSchema, RawJson, Reference, Stamps};
use tonne_domain::{
    Activity, Block, Calculation, CalculationParts, Co2e, Day, Decimal, DeclaredAmount, Description, Digest, Factor,
    FactorBasis, FactorData, FactorSet, Footprint, Gas, GasAmount, GasSplit, GwpSet, ImageAddress, Incomplete, Input,
    InputCalculation, Intensity, Market, MarketBasis, MarketOrigin, Measure, Measured, Measures, Model, Moment, Name,
    Org, Product, PublishedFactor, PublishedUse, Quantity, Scope, ScopeClass, ScopeKind, Slug, Source, SourceRow,
    Sources, Span, Stage, Stated, SuppliedCo2e, Switch, SyncId, Taxonomy, Timestamp, Unit,
};
use uuid::Uuid;

use super::drawn_origin::copied_factor;
use super::drawn_rule::rule;

pub(super) fn id<Id: From<Uuid> + std::fmt::Debug>() -> impl Strategy<Value = Id> {
    any::<u128>().prop_map(|bits| Uuid::from_u128(bits).into())
}

pub(super) fn name() -> impl Strategy<Value = Name> {
    "\\PC{1,20}".prop_filter_map("no name", |text| Name::parse(&text).ok())
}

fn sync_id() -> impl Strategy<Value = SyncId> {
    "\\PC{1,20}".prop_filter_map("no syncId", |text| SyncId::parse(&text).ok())
}

fn description() -> impl Strategy<Value = Description> {
    "(?s).{1,30}".prop_filter_map("no description", |text| Description::parse(&text).ok())
}

fn decimal() -> impl Strategy<Value = Decimal> {
    let limit = Decimal::MAX.scaled();
    prop_oneof![
        (-limit..=limit).prop_map(|scaled| Decimal::from_scaled(scaled).unwrap()),
        (-3_i64..6).prop_map(Decimal::from_integer),
    ]
}

pub(super) fn small() -> impl Strategy<Value = Decimal> {
    any::<i64>().prop_map(|scaled| Decimal::from_scaled(i128::from(scaled)).unwrap())
}

pub(super) fn unit() -> impl Strategy<Value = Unit> {
    prop::sample::select(vec!["kg", "t", "kWh", "MMBtu", "L", "gal_uk", "EUR", "piece", "tkm", "m2"])
        .prop_map(|code| Unit::parse(code).unwrap())
}

fn moment() -> impl Strategy<Value = Moment> {
    let zone = prop::sample::select(vec!["Z", "+14:00", "-23:59", "+05:30"]);
    let parts = (1_u16..=9999, 1_u8..=12, 1_u8..=31, 0_u8..24, "(\\.[0-9]{1,9})?", zone);
    parts.prop_filter_map("no such day", |(year, month, day, hour, fraction, zone)| {
        Moment::parse(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:07:59{fraction}{zone}")).ok()
    })
}

pub(super) fn day() -> impl Strategy<Value = Day> {
    moment().prop_map(Moment::day)
}

fn timestamp() -> impl Strategy<Value = Timestamp> {
    (-4_000_000_000_000_i64..4_000_000_000_000).prop_map(|millis| Timestamp::from_millis(millis).unwrap())
}

fn reason() -> impl Strategy<Value = Incomplete> {
    prop::sample::select(vec![Incomplete::NoFactor, Incomplete::NoProduct, Incomplete::NoFactorOnDay])
}

pub(crate) fn activity() -> impl Strategy<Value = Activity> {
    let texts = (id(), of(sync_id()), name(), of(description()));
    let measured =
        of((decimal(), unit()).prop_map(|(amount, unit)| Measured { quantity: Quantity::new(amount), unit }));
    let span = (moment(), of(moment())).prop_filter_map("no span", |(start, end)| Span::new(start, end).ok());
    let references = (of(id()), of(id()), of(id()), of(id()));
    (texts, measured, span, (calculation(), stated(), measures()), references).prop_map(
        |(texts, measured, span, (calculation, stated, measures), (product, scope, taxonomy, org))| {
            let (id, sync_id, name, description) = texts;
            Activity::new(id, name, span)
                .with_sync_id(sync_id)
                .with_description(description)
                .with_measured(measured)
                .with_product(product)
                .with_scope(scope)
                .with_taxonomy(taxonomy)
                .with_org(org)
                .with_calculation(calculation)
                .with_stated(stated)
                .with_measures(measures)
        },
    )
}

fn stated() -> impl Strategy<Value = Stated> {
    let origin = select(vec![MarketOrigin::Named, MarketOrigin::Product]);
    let market = (select(MarketBasis::ALL.to_vec()), id(), origin, of(name()))
        .prop_map(|(basis, factor, origin, reference)| Market::new(basis, factor, origin).with_reference(reference));
    (of(decimal().prop_map(Co2e::new)), of(market))
        .prop_map(|(biogenic, market)| Stated::default().with_biogenic(biogenic).with_market(market))
}

/// Mostly none.
fn measures() -> impl Strategy<Value = Measures> {
    let of_measure = |measure: &Measure| {
        of(decimal()).prop_map({
            let measure = *measure;
            move |amount| amount.map(|amount| (measure, Co2e::new(amount)))
        })
    };
    let all: Vec<_> = Measure::ALL.iter().skip(1).map(of_measure).collect();
    of(all).prop_map(|some| Measures::new(some.into_iter().flatten().flatten()).unwrap())
}

/// Each part supplied, computed or not there.
fn calculation() -> impl Strategy<Value = Calculation> {
    let part = || of((any::<bool>(), small().prop_map(Co2e::new)));
    (part(), part(), id(), reason()).prop_map(|(upstream, downstream, factor, reason)| {
        let counts = |part: Option<(bool, Co2e)>| part.map(|(_, co2e)| co2e);
        let supplied = |part: Option<(bool, Co2e)>| part.filter(|(is_supplied, _)| *is_supplied).map(|(_, co2e)| co2e);
        let is_computed = [upstream, downstream].into_iter().flatten().any(|(is_supplied, _)| !is_supplied);
        Calculation::from_parts(
            CalculationParts::default()
                .with_supplied(
                    SuppliedCo2e::default().with_upstream(supplied(upstream)).with_downstream(supplied(downstream)),
                )
                .with_upstream(counts(upstream))
                .with_downstream(counts(downstream))
                .with_factor(is_computed.then_some(factor))
                .with_reason((upstream.is_none() && downstream.is_none()).then_some(reason)),
        )
        .unwrap()
    })
}

pub(crate) fn scope() -> impl Strategy<Value = Scope> {
    let class = prop_oneof![
        Just((ScopeKind::Scope1, None)),
        Just((ScopeKind::Biogenic, None)),
        Just((ScopeKind::Credit, None)),
        Just((ScopeKind::Outside, None)),
        of(1_u8..=15).prop_map(|category| (ScopeKind::Scope3, category)),
    ];
    (id(), of(sync_id()), name(), of(id()), class).prop_map(|(id, sync_id, name, parent, (kind, category))| {
        Scope::new(id, name, ScopeClass::new(kind, category).unwrap()).with_sync_id(sync_id).with_parent(parent)
    })
}

pub(crate) fn org() -> impl Strategy<Value = Org> {
    (id(), of(sync_id()), name(), of(id()), of(name())).prop_map(|(id, sync_id, name, parent, region)| {
        Org::new(id, name).with_sync_id(sync_id).with_parent(parent).with_region(region)
    })
}

pub(crate) fn taxonomy() -> impl Strategy<Value = Taxonomy> {
    let slug = "[a-z0-9]{1,9}".prop_map(|slug| Slug::parse(&slug).unwrap());
    (id(), of(sync_id()), name(), of(id()), slug).prop_map(|(id, sync_id, name, parent, slug)| {
        Taxonomy::new(id, name, slug).with_sync_id(sync_id).with_parent(parent)
    })
}

pub(crate) fn product() -> impl Strategy<Value = Product> {
    (id(), of(sync_id()), name(), unit(), of(rule()))
        .prop_map(|(id, sync_id, name, unit, rule)| Product::new(id, name, unit).with_sync_id(sync_id).with_rule(rule))
}

pub(crate) fn factor() -> impl Strategy<Value = Factor> {
    prop_oneof![3 => written_factor(), 1 => copied_factor()]
}

fn written_factor() -> impl Strategy<Value = Factor> {
    let source = "\\PC{1,20}".prop_filter_map("no source", |text| Source::parse(&text).ok());
    let basis = select(vec![FactorBasis::Location, FactorBasis::ResidualMix]);
    let named = (id(), id(), of(id()), basis);
    let parts =
        (named, unit(), of(decimal()), of(decimal()), day(), of(day()), source, of(select(GwpSet::ALL.to_vec())));
    parts.prop_filter_map("no factor", |(named, unit, upstream, downstream, from, valid_to, source, gwp)| {
        let (id, product, corrects, basis) = named;
        let (upstream, downstream) = (upstream.map(Intensity::new), downstream.map(Intensity::new));
        let terms = FactorData::new(unit, from, source)
            .with_upstream(upstream)
            .with_downstream(downstream)
            .with_valid_to(valid_to)
            .with_gwp(gwp)
            .with_basis(basis);
        Factor::from_stored(id, product, terms, corrects).ok()
    })
}

pub(crate) fn model() -> impl Strategy<Value = Model> {
    let block = (id(), name()).prop_map(|(id, name)| Block { id, name });
    let amount = decimal().prop_filter_map("not above zero", |amount| DeclaredAmount::new(Quantity::new(amount)).ok());
    (id(), of(sync_id()), name(), unit(), amount, day(), vec(block, 0..4)).prop_map(
        |(id, sync_id, name, unit, amount, reference_date, blocks)| {
            Model::new(id, name, unit, reference_date).with_sync_id(sync_id).with_amount(amount).with_blocks(blocks)
        },
    )
}

pub(crate) fn input() -> impl Strategy<Value = Input> {
    let stage = prop::sample::select(vec!["A1", "A1-A3", "B7", "D"]).prop_map(|code| Stage::parse(code).unwrap());
    let texts = (id(), id(), of(sync_id()), name(), id(), of(id()), of(stage));
    let calculation = prop_oneof![
        (decimal(), id()).prop_map(|(co2e, factor)| InputCalculation::Computed { co2e: Co2e::new(co2e), factor }),
        reason().prop_map(InputCalculation::Incomplete),
    ];
    (texts, decimal(), unit(), any::<i32>(), calculation).prop_map(
        |((id, model, sync_id, name, material, block, stage), quantity, unit, order, calculation)| {
            Input::new(id, model, name, material, Quantity::new(quantity), unit)
                .with_sync_id(sync_id)
                .with_block(block)
                .with_stage(stage)
                .with_order(order)
                .with_calculation(calculation)
        },
    )
}

pub(crate) fn switch() -> impl Strategy<Value = Switch> {
    let image =
        "([a-zü/?]|%20){0,9}".prop_map(|path| ImageAddress::parse(&format!("https://a.example/{path}")).unwrap());
    let sources = vec(id(), 0..5).prop_filter_map("no sources", |models| Sources::new(models).ok());
    (id(), of(sync_id()), name(), of(unit()), of(image), sources).prop_map(
        |(id, sync_id, name, unit, image, sources)| {
            Switch::new(id, name).with_sync_id(sync_id).with_unit(unit).with_image(image).with_sources(sources)
        },
    )
}

pub(crate) fn footprint() -> impl Strategy<Value = Footprint> {
    (id(), any::<u64>(), timestamp(), of(timestamp()), any::<u32>(), fields(&FOOTPRINT)).prop_map(
        |(id, number, created, updated, amendments, fields)| {
            let stamps = Stamps::new(created).with_updated(updated).with_amendments(amendments);
            Footprint::new(id, number, created, fields).with_stamps(stamps)
        },
    )
}

fn fields(shape: &'static ObjectSchema) -> BoxedStrategy<Fields> {
    let member = (0..shape.fields.len()).prop_flat_map(|index| {
        let spec = &shape.fields[index];
        value(spec.kind).prop_map(move |value| (spec.name, value))
    });
    vec(member, 0..shape.fields.len())
        .prop_map(move |members| {
            let mut fields = Fields::new(shape);
            for (name, value) in members {
                fields.set(name, value).unwrap();
            }
            fields
        })
        .boxed()
}

fn value(kind: JsonType) -> BoxedStrategy<FieldValue> {
    let text = || "(?s)[^\\x00]{0,12}";
    let reference = prop_oneof![any::<i64>().prop_map(Reference::Number), text().prop_map(Reference::Text)];
    let raw = prop::sample::select(vec!["{ \"a\": 1.50, \"a\": null }", "[1e400,\n\"\\u00fc\"]", " \"x\" ", "0"]);
    match kind {
        JsonType::Text => text().prop_map(FieldValue::Text).boxed(),
        JsonType::Number => decimal().prop_map(FieldValue::Number).boxed(),
        JsonType::Integer => any::<i64>().prop_map(FieldValue::Integer).boxed(),
        JsonType::Flag => any::<bool>().prop_map(FieldValue::Flag).boxed(),
        JsonType::Moment => moment().prop_map(FieldValue::Moment).boxed(),
        JsonType::Texts => vec(text(), 0..3).prop_map(FieldValue::Texts).boxed(),
        JsonType::References => vec(reference, 0..3).prop_map(FieldValue::References).boxed(),
        JsonType::Object(shape) => fields(shape).prop_map(FieldValue::Object).boxed(),
        JsonType::Objects(shape) => vec(fields(shape), 0..3).prop_map(FieldValue::Objects).boxed(),
        JsonType::Raw => raw.prop_map(|text| FieldValue::Raw(RawJson::parse(text).unwrap())).boxed(),
    }
}

fn source() -> impl Strategy<Value = Source> {
    "\\PC{1,40}".prop_filter_map("no source", |text| Source::parse(&text).ok())
}

pub(crate) fn factor_set() -> impl Strategy<Value = FactorSet> {
    let names = (name(), name(), name(), name());
    let gwp = of(select(GwpSet::ALL.to_vec()));
    (any::<[u8; 32]>(), names, source(), day(), of(day()), gwp, of(any::<[u8; 32]>())).prop_map(
        |(id, (file, publisher, title, edition), licence, from, to, gwp, corrects)| {
            FactorSet::new(Digest::from_stored(id), file, publisher, title, edition, licence, from)
                .with_valid_to(to)
                .with_gwp(gwp)
                .with_corrects(corrects.map(Digest::from_stored))
        },
    )
}

fn gases() -> impl Strategy<Value = GasSplit> {
    let gas = select(vec!["CO2", "CO2_biogenic", "CH4_fossil", "N2O", "HFC-134a", "SF6", "HCFC-22"]);
    let amount = (small(), any::<bool>())
        .prop_map(|(value, is_mass)| if is_mass { GasAmount::Mass(value) } else { GasAmount::Co2e(value) });
    (select(GwpSet::ALL.to_vec()), prop::collection::btree_map(gas, amount, 1..5)).prop_map(|(set, amounts)| {
        let named = amounts.into_iter().map(|(name, amount)| (Gas::parse(name).unwrap(), amount));
        GasSplit::new(set, named).unwrap()
    })
}

pub(crate) fn published_factor() -> impl Strategy<Value = PublishedFactor> {
    let cell = ("\\PC{0,12}", "\\PC{0,12}");
    let row = (any::<u32>(), vec(cell, 0..4)).prop_map(|(row, cells)| SourceRow { row, cells });
    let figures = (of(decimal().prop_map(Intensity::new)), of(gases()));
    let usage = select(PublishedUse::ALL.to_vec());
    (name(), name(), vec(name(), 0..4), unit(), usage, figures, of(name()), vec(row, 0..3)).prop_map(
        |(cell, name, path, unit, usage, (co2e, gases), region, rows)| {
            PublishedFactor::new(cell, name, unit, usage)
                .with_path(path)
                .with_co2e(co2e)
                .with_gases(gases)
                .with_region(region)
                .with_rows(rows)
        },
    )
}
