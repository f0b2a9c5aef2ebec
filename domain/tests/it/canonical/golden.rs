//! Texts and digests that never change: one file for each kind in `tests/golden`.
//!
//! For each content there are three lines: what it is, its text, and the digest of the text. Another program that writes
//! the same texts is right.

use std::fmt::{Debug, Write as _};
use std::path::PathBuf;

use tonne_domain::footprint::{
    Edition, FOOTPRINT, FieldValue, Fields, FromModel, JsonType, ObjectSchema, RawJson, Reference,
};
use tonne_domain::{
    Activity, Block, Calculation, CalculationParts, Canonical, Category, ClosedPeriod, Day, Decimal, DeclaredAmount,
    Description, Digest, EvidenceList, ExcludedPart, ExcludedYears, Exclusion, Factor, FactorBasis, FactorData,
    FactorOrigin, FactorRule, Footprint, Frozen, FrozenAbout, FrozenFigures, FrozenLine, FrozenNode, FrozenReport, Gas,
    GasAmount, GasRow, GasSplit, GasTotal, GasTotals, GwpSet, HostAddress, HostClientId, ImageAddress, Incomplete,
    Input, InputCalculation, Market, MarketBasis, MarketOrigin, Measure, Measured, Measures, Model, Moment, Name, Org,
    Partner, PeriodSignature, Product, ProductAlias, PublishedFactor, PublishedUse, PublisherSets, Quality, Reason,
    Scope, ScopeClass, ScopeKind, SeriesKey, SetPreference, SharedWith, Sharing, Significance, Slug, Source, Sources,
    Span, Stage, Stated, SuppliedCo2e, SupplierFootprint, Switch, SyncId, Taxonomy, Timestamp, Total, YearRule,
};

use crate::sample::{co2e, day, id, intensity, name, published, quantity, set, unit};

/// The contents are those of the file, and its texts are read as the contents.
fn check<T: Canonical + Clone + Debug + PartialEq>(kind: &str, known: impl Fn(&T) -> T::Known, contents: &[(&str, T)]) {
    let written = contents.iter().fold(String::new(), |mut written, (what, content)| {
        writeln!(written, "# {what}\n{}\n{}", content.canonical(), content.digest()).unwrap();
        written
    });
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{kind}.txt"));
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == golden, "{} should be:\n{written}", path.display());
    let lines: Vec<&str> = golden.lines().collect();
    for (lines, (_, content)) in lines.chunks(3).zip(contents) {
        let (text, digest) = (lines[1], lines[2]);
        assert_eq!(Digest::parse(digest), Ok(Digest::of(text.as_bytes())));
        assert_eq!(T::from_canonical(known(content), text).as_ref(), Ok(content), "{text}");
    }
}

fn sync_id(text: &str) -> SyncId {
    SyncId::parse(text).unwrap()
}

fn moment(text: &str) -> Moment {
    Moment::parse(text).unwrap()
}

/// Ten kilograms on a day, supplied, and nothing else.
fn activity() -> Activity {
    let supplied = SuppliedCo2e::default().with_upstream(Some(co2e("10")));
    let parts = CalculationParts::default().with_supplied(supplied).with_upstream(supplied.upstream);
    Activity::new(id(1), name("Diesel"), Span::new(moment("2025-01-01T00:00:00Z"), None).unwrap())
        .with_calculation(Calculation::from_parts(parts).unwrap())
}

#[test]
fn activities() {
    let parts = CalculationParts::default()
        .with_supplied(SuppliedCo2e::default().with_upstream(Some(co2e("0.000000000000000001"))))
        .with_upstream(Some(co2e("0.000000000000000001")))
        .with_downstream(Some(co2e("-99999999999999999999.5")))
        .with_factor(Some(id(5)));
    let filled = activity()
        .with_sync_id(Some(sync_id("erp/4711 \"ä\"")))
        .with_name(name("Flüge “Köln–東京” \\ 𝛑"))
        .with_description(Some(Description::parse("one\ntwo\t\"three\"").unwrap()))
        .with_measured(Some(Measured { quantity: quantity("1234.5"), unit: unit("kWh") }))
        .with_product(Some(id(2)))
        .with_scope(Some(id(3)))
        .with_taxonomy(Some(id(4)))
        .with_org(Some(id(0xfedc_ba98)))
        .with_span(
            Span::new(moment("2025-03-01T23:30:00.120-05:30"), Some(moment("2025-04-02T00:00:00.000000001+14:00")))
                .unwrap(),
        )
        .with_calculation(Calculation::from_parts(parts).unwrap());
    let incomplete = activity().with_calculation(Calculation::incomplete(Incomplete::NoFactorOnDay));
    let measures = [(Measure::Sf6, co2e("0")), (Measure::BiogenicCo2, co2e("-2.5"))];
    let measured = activity().with_measures(Measures::new(measures).unwrap());
    let both = SuppliedCo2e::default().with_upstream(Some(co2e("0"))).with_downstream(Some(co2e("-7")));
    let parts =
        CalculationParts::default().with_supplied(both).with_upstream(both.upstream).with_downstream(both.downstream);
    let supplied = activity().with_calculation(Calculation::from_parts(parts).unwrap());
    let market = |basis, origin| Market::new(basis, id(6), origin);
    let stated = Stated::default().with_biogenic(Some(co2e("12.5"))).with_market(Some(
        market(MarketBasis::Certificate, MarketOrigin::Named).with_reference(Some(name("GO 4711 \"wind\""))),
    ));
    let stated = activity().with_stated(stated);
    let pieces = "https://archive.example/4711\nsha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a a \"b\".pdf";
    let known =
        Stated::default().with_quality(Some(Quality::Estimated)).with_evidence(EvidenceList::parse(pieces).unwrap());
    let known =
        activity().with_stated(known).with_measures(Measures::new([(Measure::Co2eEstimated, co2e("10"))]).unwrap());
    let mix = market(MarketBasis::ResidualMix, MarketOrigin::Product);
    let mix = activity().with_stated(Stated::default().with_market(Some(mix)));
    check(
        "activity",
        |activity: &Activity| activity.id,
        &[
            ("supplied, on a day", activity()),
            ("every member, one part computed", filled),
            ("without CO2e", incomplete),
            ("with other measures", measured),
            ("both parts supplied", supplied),
            ("with what was stated of other measures", stated),
            ("with the residual mix of the product", mix),
            ("estimated, with evidence", known),
        ],
    );
}

#[test]
fn scopes() {
    let class = ScopeClass::of(ScopeKind::Scope1);
    let bare = Scope::new(id(1), name("Scope 1"), class);
    let class = ScopeClass::new(ScopeKind::Scope3, Some(15)).unwrap();
    let filled = bare.clone().with_sync_id(Some(sync_id("s3.15"))).with_parent(Some(id(2))).with_class(class);
    check("scope", |scope: &Scope| scope.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn orgs() {
    let bare = Org::new(id(1), name("Werk Süd"));
    let filled =
        bare.clone().with_sync_id(Some(sync_id("o1"))).with_parent(Some(id(2))).with_region(Some(name("GB-SCT")));
    check("org", |org: &Org| org.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn taxonomies() {
    let slug = Slug::parse("travel-2").unwrap();
    let bare = Taxonomy::new(id(1), name("Travel"), slug);
    let filled = bare.clone().with_sync_id(Some(sync_id("t1"))).with_parent(Some(id(2)));
    check("taxonomy", |taxonomy: &Taxonomy| taxonomy.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn products() {
    let bare = Product::new(id(1), name("Grid electricity"), unit("kWh"));
    let filled = bare.clone().with_sync_id(Some(sync_id(" p1 "))).with_unit(unit("EUR"));
    let newest = PublisherSets::new(name("A ministry"));
    let edition = newest
        .clone()
        .with_title(Some(name("Conversion factors")))
        .with_edition(Some(name("2024 v1.1")))
        .with_year(Some(2024));
    let sets = vec![
        SetPreference::Set(Digest::from_stored([7; 32])),
        SetPreference::Publisher(edition),
        SetPreference::Publisher(newest.clone()),
    ];
    let rule = FactorRule::new(sets, name("Electricity: UK"), unit("kWh"))
        .unwrap()
        .with_path(vec![name("UK electricity"), name("Electricity generated")])
        .with_usage(Some(PublishedUse::PurchasedEnergy))
        .with_region(Some(name("GB")))
        .with_years(YearRule::NewestBefore)
        .with_gwp(Some(GwpSet::Ar5));
    let short = FactorRule::new(vec![SetPreference::Publisher(newest)], name("Electricity: UK"), unit("kWh")).unwrap();
    check(
        "product",
        |product: &Product| product.id,
        &[
            ("what must be there", bare.clone()),
            ("every member", filled.with_rule(Some(rule))),
            ("a rule with what a rule must have", bare.with_rule(Some(short))),
        ],
    );
}

/// Gases by mass and by the CO2e that their source gives.
fn gases_both_ways() -> GasSplit {
    let amounts = [
        (Gas::CO2, GasAmount::Mass(Decimal::parse("0.2").unwrap())),
        (Gas::CH4, GasAmount::Co2e(Decimal::parse("0.0028").unwrap())),
    ];
    GasSplit::new(GwpSet::Ar5, amounts).unwrap()
}

#[test]
fn factors() {
    let bare = FactorData::new(unit("kWh"), day("2024-01-01"), Source::parse("A published table").unwrap())
        .with_downstream(Some(intensity("0.20707400")));
    let filled = bare
        .clone()
        .with_upstream(Some(intensity("-12345678901234567890.123456789012345678")))
        .with_valid_to(Some(Day::MAX))
        .with_gwp(Some(GwpSet::Ar6));
    let upstream = bare.clone().with_upstream(Some(intensity("1"))).with_downstream(None);
    let split = published(PublishedUse::Upstream).with_gases(Some(gases_both_ways()));
    let copied = FactorData::copied(FactorOrigin::new(set(1, Some(GwpSet::Ar5)), split), Some(GwpSet::Ar6)).unwrap();
    let total = FactorOrigin::new(set(2, None).with_valid_to(None), published(PublishedUse::PurchasedEnergy));
    let as_published = FactorData::copied(total, None).unwrap();
    let sets = vec![SetPreference::Publisher(PublisherSets::new(name("A ministry")))];
    let rule = FactorRule::new(sets, name("Electricity: UK"), unit("kWh")).unwrap();
    let [better, worse] =
        [2, 1].map(|number| FactorOrigin::new(set(number, None), published(PublishedUse::PurchasedEnergy)));
    let mut worse = worse;
    worse.factor.region = None;
    let chosen = rule.choose(&[worse, better], Some(&name("GB")), day("2024-02-29")).unwrap();
    let residual = FactorData::new(unit("kWh"), day("2024-01-01"), Source::parse("A published table").unwrap())
        .with_downstream(Some(intensity("0.4")))
        .with_basis(FactorBasis::ResidualMix);
    let supplied = SupplierFootprint::new(
        name("Bottlers"),
        id(4),
        Source::parse("https://supplier.example/api").unwrap(),
        Source::parse("urn:gtin:4712345060507").unwrap(),
    );
    let shared = supplied.clone().with_primary_data_share(Some(Decimal::parse("62.5").unwrap())).unwrap();
    let of_supplier = |footprint| {
        FactorData::new(unit("L"), day("2025-01-01"), Source::parse("Bottlers, a footprint").unwrap())
            .with_upstream(Some(intensity("1.5")))
            .with_supplier(Some(std::sync::Arc::new(footprint)))
    };
    let factor = |data, corrects| Factor::from_stored(id(1), id(2), data, corrects).unwrap();
    check(
        "factor",
        Factor::id,
        &[
            ("what must be there", factor(bare, None)),
            ("every member", factor(filled, Some(id(3)))),
            ("an upstream intensity alone", factor(upstream, None)),
            ("a copy of a published factor with its gases, read under another set", factor(copied, None)),
            ("a copy of a factor published as CO2e alone", factor(as_published, None)),
            ("one that a rule chose", factor(chosen, None)),
            ("a residual mix", factor(residual, None)),
            ("one that was made of a supplier's footprint", factor(of_supplier(shared), None)),
            ("one of a footprint that says nothing of primary data", factor(of_supplier(supplied), None)),
        ],
    );
}

#[test]
fn factor_sets() {
    let bare = set(1, None).with_valid_to(None);
    check(
        "factor_set",
        |_| (),
        &[
            ("what must be there", bare),
            ("every member", set(2, Some(GwpSet::Ar6GhgProtocol)).with_corrects(Some(set(1, None).id))),
        ],
    );
}

#[test]
fn published_factors() {
    let bare = PublishedFactor::new(name("C13"), name("Diesel"), unit("L"), PublishedUse::Direct);
    let filled = published(PublishedUse::GridLoss).with_gases(Some(gases_both_ways()));
    check("published_factor", |_| (), &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn models() {
    let bare = Model::new(id(1), name("Housing"), unit("piece"), day("2024-06-01"));
    let filled = bare
        .clone()
        .with_sync_id(Some(sync_id("m1")))
        .with_amount(DeclaredAmount::new(quantity("0.000000000000000001")).unwrap())
        .with_blocks(vec![Block { id: id(8), name: name("Gehäuse") }, Block { id: id(7), name: name("Anzeige") }]);
    check("model", |model: &Model| model.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn inputs() {
    let bare = Input::new(id(1), id(2), name("Steel"), id(3), quantity("1"), unit("kg"))
        .with_calculation(InputCalculation::Incomplete(Incomplete::NoFactor));
    let filled = bare
        .clone()
        .with_sync_id(Some(sync_id("i1")))
        .with_block(Some(id(7)))
        .with_stage(Some(Stage::parse("A1-A3").unwrap()))
        .with_quantity(quantity("-2.50"))
        .with_order(i32::MIN)
        .with_calculation(InputCalculation::Computed { co2e: co2e("-5.0"), factor: id(9) });
    check("input", |input: &Input| input.id, &[("what must be there", bare), ("every member", filled)]);
}

#[test]
fn switches() {
    let bare = Switch::new(id(1), name("Wall switch"));
    let filled = bare
        .clone()
        .with_sync_id(Some(sync_id("sw1")))
        .with_unit(Some(unit("piece")))
        .with_image(Some(ImageAddress::parse("https://images.example/ü.png?a='b'").unwrap()))
        .with_sources(Sources::new(vec![id(3), id(2)]).unwrap());
    check("switch", |switch: &Switch| switch.id, &[("what must be there", bare), ("every member", filled)]);
}

/// Every field of every edition.
fn filled(shape: &'static ObjectSchema) -> Fields {
    let mut fields = Fields::new(shape);
    for spec in shape.fields {
        let value = match spec.kind {
            JsonType::Text => FieldValue::Text(format!("{} \"ü\" \\ \u{1}\n東京", spec.name)),
            JsonType::Number => FieldValue::Number(Decimal::parse("-1.50").unwrap()),
            JsonType::Integer => FieldValue::Integer(i64::MIN),
            JsonType::Flag => FieldValue::Flag(false),
            JsonType::Moment => FieldValue::Moment(moment("0001-01-01T00:00:00.100+23:59")),
            JsonType::Texts => FieldValue::Texts(vec!["urn:a:1".to_owned(), String::new()]),
            JsonType::References => FieldValue::References(vec![
                Reference::Number(7),
                Reference::Text("7".to_owned()),
                Reference::Number(-1),
            ]),
            JsonType::Object(shape) => FieldValue::Object(filled(shape)),
            JsonType::Objects(shape) => FieldValue::Objects(vec![filled(shape), Fields::new(shape)]),
            JsonType::Raw => FieldValue::Raw(RawJson::parse(r#" { "a": 1.50, "a": ["\u00fc", null] }"#).unwrap()),
        };
        fields.set(spec.name, value).unwrap();
    }
    fields
}

#[test]
fn footprints() {
    let created = Timestamp::from_millis(1_735_689_600_007).unwrap();
    let bare = Footprint::new(id(1), 1, created, Fields::new(&FOOTPRINT));
    let mut all = Footprint::new(id(2), u64::MAX, created, filled(&FOOTPRINT));
    all.stamps.updated = Some(Timestamp::from_millis(-1).unwrap());
    all.stamps.amendments = u32::MAX;
    let from_model = FromModel { model: id(4), said: Fields::new(&FOOTPRINT) };
    let made = Footprint::new(id(3), 2, created, Fields::new(&FOOTPRINT)).with_from_model(Some(Box::new(from_model)));
    check(
        "footprint",
        |footprint: &Footprint| footprint.id,
        &[("nothing written", bare), ("every field of every edition", all), ("made of a model", made)],
    );
}

/// A report of a series with every member and of one without nodes.
fn frozen_report() -> FrozenReport {
    let figures = FrozenFigures::new(3, 1, Total::parse("99999999999999999999999.000000000000000001").unwrap());
    let series = SeriesKey { scope: Some(id(2)), org: Some(id(3)), taxonomy: Some(id(4)) };
    let bare = FrozenLine {
        series: SeriesKey::default(),
        kind: None,
        started: FrozenFigures::default(),
        spread: figures.clone(),
    };
    let filled = FrozenLine { series, kind: Some(ScopeKind::Scope1), started: figures.clone(), spread: figures };
    FrozenReport { lines: vec![bare, filled], ..FrozenReport::default() }
}

#[test]
fn frozen_reports() {
    let total = |text: &str| Total::parse(text).unwrap();
    let figures = FrozenFigures::new(1, 0, total("10"));
    let gas = |gas, co2e, mass| (gas, GasTotal { co2e: total(co2e), mass: total(mass) });
    let gases = GasTotals::new([gas(GasRow::N2o, "2.65", "0.01"), gas(GasRow::Co2, "-7", "-7")]);
    let started = figures.clone().with_measures(total("2.5"), total("-4"));
    let spread = figures.with_measures(Total::ZERO, total("-0.000000000000000001")).with_gases(gases);
    let series = SeriesKey { scope: Some(id(2)), ..SeriesKey::default() };
    let line = FrozenLine { series, kind: Some(ScopeKind::Scope2), started, spread };
    let measures = FrozenReport { lines: vec![line], ..FrozenReport::default() };
    let node = |number: u128, parent: Option<u128>| FrozenNode {
        id: id::<tonne_domain::ScopeId>(number).uuid(),
        name: name("Works"),
        parent: parent.map(|number| id::<tonne_domain::ScopeId>(number).uuid()),
    };
    let mut about = FrozenAbout::new(day("2025-01-01"), day("2025-12-31"));
    (about.org, about.scopes) = (Some(id(3)), vec![node(2, None)]);
    (about.orgs, about.taxonomies) = (vec![node(3, None), node(4, Some(3))], vec![node(5, Some(6))]);
    let told = FrozenReport::default().with_about(about);
    check(
        "frozen_report",
        |_: &FrozenReport| (),
        &[
            ("no series", FrozenReport::default()),
            ("two", frozen_report()),
            ("measures beside CO2e", measures),
            ("what it is about", told),
        ],
    );
}

#[test]
fn exclusions() {
    let years = ExcludedYears::new(2025, 2025).unwrap();
    let reason = Reason::parse("below 1 % of scope 3 by \"spend\"").unwrap();
    let bare = Exclusion::new(id(1), ExcludedPart::Category(Category::new(14).unwrap()), years, reason);
    let filled = bare
        .clone()
        .with_part(ExcludedPart::Scope(id(2)))
        .with_org(Some(id(3)))
        .with_years(ExcludedYears::new(1, 9_999).unwrap());
    check("exclusion", |exclusion: &Exclusion| exclusion.id, &[("a category", bare), ("a scope of an org", filled)]);
}

#[test]
fn partners() {
    let address = |text: &str| HostAddress::parse(text).unwrap();
    let bare = Partner::new(id(1), Name::parse("Alloys \"A\"").unwrap(), address("https://pact.example.com/"));
    let filled = bare
        .clone()
        .with_auth_url(Some(address("http://login.example.com:8080/sub")))
        .with_client_id(Some(HostClientId::parse("tonne").unwrap()))
        .with_aliases(vec![ProductAlias { theirs: "urn:a:1".to_owned(), ours: "urn:b:é".to_owned() }])
        .with_private_addresses(true)
        .with_plain_http(true)
        .with_clients(vec![uuid::Uuid::from_u128(2), uuid::Uuid::from_u128(1)])
        .with_pact(Edition::V2);
    check("partner", |partner: &Partner| partner.id, &[("an address", bare), ("all of it", filled)]);
}

#[test]
fn sharings() {
    let all = Sharing::new(id(1), SharedWith::All);
    let some = Sharing::new(id(1), SharedWith::Partners([id(3), id(2)].into()));
    check("sharing", |sharing: &Sharing| sharing.id, &[("with all", all), ("with two partners", some)]);
}

#[test]
fn closed_periods() {
    let sign = |reason: Option<&str>| {
        let at = Timestamp::parse("2026-02-01T09:30:00.000Z").unwrap();
        PeriodSignature::new(at, name("cli:me"), reason.map(|reason| Reason::parse(reason).unwrap()))
    };
    let closed = |frozen: &FrozenReport, signature| {
        let frozen = Frozen::new(frozen, id::<tonne_domain::ActivityId>(9).uuid(), 7);
        ClosedPeriod::new(id(1), day("2025-01-01"), day("2025-12-31"), signature, frozen).unwrap()
    };
    let bare = closed(&FrozenReport::default(), sign(None));
    let filled = closed(&frozen_report(), sign(Some("audited")))
        .with_org(Some(id(3)))
        .with_base_year(Some(Significance::parse("2.5").unwrap()))
        .with_reopened(Some(sign(Some("a meter was read wrongly"))));
    check("period", |period: &ClosedPeriod| period.id, &[("what must be there", bare), ("every member", filled)]);
}
