//! Footprints: which are listed, and what may become of them.

use std::sync::Arc;

use auth::HmacTextSigner;
use domain::footprint::{Edition, FOOTPRINT, FieldValue, Fields, FootprintFilter, JsonType, Reference};
use domain::{Decimal, Faults, FootprintId, Moment, PartnerId, Timestamp};
use ports::clock::Clock;
use ports::inbound::{
    Error, Field, FootprintDraft, FootprintSearch, FootprintView, Footprints as _, SearchWords, ShownList, ShownPage,
};
use ports::repo::Page;
use ports::{Caller, Permissions};
use tonne::usecase::footprint::FootprintService;

use super::{World, conflict, fault, given, pointers, world};

fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.to_owned())
}

fn fields(parent: &Fields, name: &str, members: Vec<(&str, FieldValue)>) -> FieldValue {
    let Some(JsonType::Object(shape)) = parent.schema().field(name).map(|spec| spec.kind) else {
        panic!("{name} is no object");
    };
    let mut object = Fields::new(shape);
    for (name, value) in members {
        object.set(name, value).unwrap();
    }
    FieldValue::Object(object)
}

/// What a record of PACT 2.2 needs to be valid.
pub(super) fn valid() -> Fields {
    let number = |text| FieldValue::Number(Decimal::parse(text).unwrap());
    let moment = |text| FieldValue::Moment(Moment::parse(text).unwrap());
    let texts = |text: &str| FieldValue::Texts(vec![text.to_owned()]);
    let mut all = Fields::new(&FOOTPRINT);
    let pcf = vec![
        ("declaredUnit", text("kilogram")),
        ("unitaryProductAmount", number("1")),
        ("pCfExcludingBiogenic", number("18.4")),
        ("fossilGhgEmissions", number("18")),
        ("fossilCarbonContent", number("0")),
        ("biogenicCarbonContent", number("0")),
        ("characterizationFactors", text("AR6")),
        ("ipccCharacterizationFactorsSources", texts("AR6")),
        ("crossSectoralStandardsUsed", texts("GHG Protocol Product standard")),
        ("boundaryProcessesDescription", text("Smelting and rolling")),
        ("referencePeriodStart", moment("2023-01-01T00:00:00Z")),
        ("referencePeriodEnd", moment("2024-01-01T00:00:00Z")),
        ("exemptedEmissionsPercent", number("0")),
        ("exemptedEmissionsDescription", text("")),
        ("packagingEmissionsIncluded", FieldValue::Flag(false)),
        ("primaryDataShare", number("50")),
    ];
    for (name, value) in [
        ("specVersion", text("2.2.0")),
        ("companyName", text("Aluminium Works")),
        ("companyIds", texts("urn:pact:works.example:company:1")),
        ("productDescription", text("")),
        ("productIds", texts("urn:gtin:4712345060507")),
        ("productCategoryCpc", text("41532")),
        ("productNameCompany", text("Aluminium sheet")),
        ("comment", text("")),
        ("pcf", fields(&all, "pcf", pcf)),
    ] {
        all.set(name, value).unwrap();
    }
    all
}

fn invalid() -> Fields {
    let mut fields = valid();
    fields.remove("companyName");
    fields
}

fn preceded_by(references: Vec<Reference>) -> Fields {
    let mut fields = valid();
    fields.set("precedingPfIds", FieldValue::References(references)).unwrap();
    fields
}

async fn add(world: &World, fields: Fields) -> Result<FootprintView, Error> {
    world.footprints.add(&world.admin, FootprintDraft { fields, faults: Faults::new() }).await
}

async fn amend(world: &World, id: FootprintId, status: &str, comment: Field<String>) -> Result<FootprintView, Error> {
    let status = given(status.to_owned());
    world.footprints.amend(&world.admin, id, None, status, comment, Faults::new()).await
}

async fn listed(world: &World, after: u64, limit: u32) -> Vec<u64> {
    let views = world.footprints.list_valid(&world.admin, after, limit).await.unwrap();
    views.iter().map(|view| view.footprint.value.number).collect()
}

#[tokio::test]
async fn only_valid_records_are_for_partners_and_all_are_kept() {
    let world = world().await;
    let first = add(&world, valid()).await.unwrap();
    assert_eq!(first.violations, []);
    assert_eq!(first.footprint.value.id.uuid().get_version_num(), 4);
    add(&world, invalid()).await.unwrap();
    add(&world, valid()).await.unwrap();
    assert_eq!(listed(&world, 0, 10).await, [1, 3]);
    let all = world.footprints.list(&world.admin, Page::FIRST).await.unwrap();
    assert_eq!((all.count, all.data[1].violations.len()), (3, 1));
}

#[tokio::test]
async fn a_search_walks_on_by_number_and_finds_each_once() {
    let world = world().await;
    let named = |name: &str, fields: Fields| {
        let mut fields = fields;
        fields.set("productNameCompany", text(name)).unwrap();
        fields
    };
    for number in 1..=90_u64 {
        let name = if number.is_multiple_of(40) { "Cold rolled sheet" } else { "Ingot" };
        let fields = if number.is_multiple_of(3) { invalid() } else { valid() };
        add(&world, named(name, fields)).await.unwrap();
    }
    let reader = Caller { permissions: Permissions::parse("footprint:read").unwrap(), ..world.admin.clone() };
    for (words, is_valid, caller, expected) in [
        ("ROLLED sheet", None, &world.admin, vec![40, 80]),
        ("rolled ingot", None, &world.admin, vec![]),
        ("", Some(false), &world.admin, (1..=30).map(|third| third * 3).collect()),
        ("", None, &reader, (1..=90).filter(|number| number % 3 > 0).collect::<Vec<u64>>()),
    ] {
        for limit in [1, 7, 1000] {
            let (mut walked, mut after) = (Vec::new(), 0);
            loop {
                let search = FootprintSearch {
                    words: SearchWords::of(words),
                    is_valid,
                    after,
                    limit,
                    ..FootprintSearch::default()
                };
                let found = world.footprints.search(caller, &search).await.unwrap();
                assert!(found.data.len() <= limit as usize);
                walked.extend(found.data.iter().map(|view| view.footprint.value.number));
                match found.end {
                    Some(end) => after = end,
                    None => break,
                }
            }
            assert_eq!(walked, expected, "{words:?} {limit} at a time");
        }
    }
}

#[tokio::test]
async fn partners_walk_on_by_number_whatever_was_removed() {
    let world = world().await;
    for number in 1..=230_u64 {
        let fields = if number.is_multiple_of(3) { invalid() } else { valid() };
        let view = add(&world, fields).await.unwrap();
        if number.is_multiple_of(9) {
            world.footprints.remove(&world.admin, view.footprint.value.id, None).await.unwrap();
        }
    }
    let expected: Vec<u64> = (1..=230_u64).filter(|number| !number.is_multiple_of(3)).collect();
    for limit in [5, 40, 1000] {
        let mut walked = Vec::new();
        loop {
            let page = listed(&world, walked.last().copied().unwrap_or(0), limit).await;
            assert!(page.len() <= limit as usize);
            if page.is_empty() {
                break;
            }
            walked.extend(page);
        }
        assert_eq!(walked, expected, "{limit} at a time");
    }
}

#[tokio::test]
async fn a_page_is_walked_in_batches_of_any_size_and_none_is_larger_than_asked() {
    let world = world().await;
    for number in 1..=30_u64 {
        let view = add(&world, invalid()).await.unwrap();
        if number.is_multiple_of(3) {
            world.footprints.remove(&world.admin, view.footprint.value.id, None).await.unwrap();
        }
    }
    let kept: Vec<u64> = (1..=30_u64).filter(|number| !number.is_multiple_of(3)).collect();
    for (number, size, limit) in [(1, 7, 8), (1, 1000, 8), (2, 7, 3), (3, 7, 1), (4, 7, 2), (2, 20, 8)] {
        let mut page = world.footprints.open_page(&world.admin, Page { number, size }).await.unwrap();
        assert_eq!((page.count, page.page), (20, Page { number, size }));
        let mut walked = Vec::new();
        loop {
            let batch = page.records.next(limit).await.unwrap();
            assert!(batch.len() <= limit as usize);
            if batch.is_empty() {
                break;
            }
            walked.extend(batch.into_iter().map(|view| view.footprint.value.number));
        }
        let expected = kept.iter().skip(((number - 1) * size) as usize).take(size as usize);
        assert!(walked.iter().eq(expected), "page {number} of {size} by {limit}: {walked:?}");
    }
}

#[tokio::test]
async fn a_page_stays_as_it_was_when_it_was_asked_for() {
    let world = world().await;
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(add(&world, invalid()).await.unwrap().footprint.value.id);
    }
    let mut page = world.footprints.open_page(&world.admin, Page::FIRST).await.unwrap();
    world.footprints.remove(&world.admin, all[2], None).await.unwrap();
    add(&world, invalid()).await.unwrap();
    let mut walked = Vec::new();
    for _ in 0..4 {
        walked.extend(page.records.next(1).await.unwrap().into_iter().map(|view| view.footprint.value.id));
    }
    assert_eq!((page.count, &walked), (4, &all));
    assert_eq!(page.records.next(1).await.unwrap(), []);
}

#[tokio::test]
async fn a_valid_record_can_be_deprecated_but_not_removed() {
    let world = world().await;
    let id = add(&world, valid()).await.unwrap().footprint.value.id;
    assert!(conflict(world.footprints.remove(&world.admin, id, None).await).1.contains("Deprecated"));
    let amended = amend(&world, id, "Deprecated", given("superseded".to_owned())).await.unwrap();
    assert_eq!((amended.footprint.value.status(), amended.violations), ("Deprecated", Vec::new()));
    assert_eq!(pointers(amend(&world, id, "Active", Field::Absent).await), ["/status"]);
    let changes = world.changes().await;
    amend(&world, id, "Deprecated", Field::Absent).await.unwrap();
    assert_eq!(world.changes().await, changes);
}

#[tokio::test]
async fn an_invalid_record_can_be_removed() {
    let world = world().await;
    let id = add(&world, invalid()).await.unwrap().footprint.value.id;
    world.footprints.remove(&world.admin, id, None).await.unwrap();
    assert!(matches!(world.footprints.get(&world.admin, id).await, Err(Error::NotFound)));
}

#[tokio::test]
async fn an_amendment_leaves_a_valid_record_valid() {
    let world = world().await;
    let mut fields = valid();
    // No moment lies behind it that the amendment could be noted at.
    fields.set("created", FieldValue::Moment(Moment::parse("9999-12-31T23:59:59.999Z").unwrap())).unwrap();
    let view = add(&world, fields).await.unwrap();
    assert_eq!(view.violations, []);
    assert_eq!(pointers(amend(&world, view.footprint.value.id, "Deprecated", Field::Absent).await), ["/updated"]);
}

#[tokio::test]
async fn preceding_records_are_kept_as_they_are_written_and_judged() {
    let world = world().await;
    let references: Vec<_> = [7, 0, -1, 1].into_iter().map(Reference::Number).collect();
    let view = add(&world, preceded_by(references.clone())).await.unwrap();
    assert_eq!(view.footprint.value.fields.references("precedingPfIds"), references);
    let broken: Vec<_> = view.violations.iter().map(|broken| broken.pointer.as_str()).collect();
    assert_eq!(broken, ["/precedingPfIds/1", "/precedingPfIds/2", "/precedingPfIds/3"]);
}

#[tokio::test]
async fn a_record_that_could_not_be_read_is_refused() {
    let world = world().await;
    let draft = FootprintDraft { fields: preceded_by(vec![Reference::Number(8)]), faults: fault("/pcf/dqi") };
    let answer = world.footprints.add(&world.admin, draft).await;
    assert_eq!(pointers(answer), ["/pcf/dqi"]);
}

/// What is asked of the list of version 2.
fn asked(limit: u32, next: Option<String>) -> ShownList {
    let filter = FootprintFilter::default();
    ShownList { edition: Edition::V2, filter, limit, asked: format!("limit={limit}"), next }
}

#[tokio::test]
async fn credentials_of_a_partner_that_has_them_no_more_read_nothing_at_all() {
    let World { admin, footprints, .. } = world().await;
    let draft = FootprintDraft { fields: valid(), faults: Faults::new() };
    let id = footprints.add(&admin, draft).await.unwrap().footprint.value.id;
    let client = "0198c0de-0000-7000-8000-000000000001";
    let permissions = Permissions::parse("footprint:review").unwrap();
    let own = Caller { actor: format!("client:{client}"), permissions, ..admin.clone() };
    footprints.list_shown(&own, asked(7, None)).await.unwrap();
    // The directory of a node knows the client a moment longer than the store knows the partner.
    let gone = Caller { partner: Some(PartnerId::new(uuid::Uuid::from_u128(7))), ..own };
    let is_refused = |answer: Result<(), Error>| matches!(answer, Err(Error::Refused(_)));
    assert!(is_refused(footprints.list_shown(&gone, asked(7, None)).await.map(drop)));
    assert!(is_refused(footprints.get(&gone, id).await.map(drop)));
    assert!(is_refused(footprints.list(&gone, Page::FIRST).await.map(drop)));
}

/// An hour behind [`super::Noon`].
struct AnHourLater;

impl Clock for AnHourLater {
    fn now(&self) -> Timestamp {
        Timestamp::parse("2025-06-01T13:00:00.000Z").unwrap()
    }
}

#[tokio::test]
async fn a_link_is_good_an_hour_later_for_a_service_that_has_started_again_and_for_no_other_secret() {
    let World { admin, footprints, .. } = world().await;
    for _ in 0..5 {
        footprints.add(&admin, FootprintDraft { fields: valid(), faults: Faults::new() }).await.unwrap();
    }
    let first = footprints.list_shown(&admin, asked(2, None)).await.unwrap();
    let ids = |page: &ShownPage| page.footprints.iter().map(|one| one.footprint.id).collect::<Vec<_>>();
    let second = footprints.list_shown(&admin, asked(2, first.next.clone())).await.unwrap();
    let later = FootprintService {
        clock: Arc::new(AnHourLater),
        marks: Arc::new(HmacTextSigner::new(&[7; 32]).unwrap()),
        ..footprints
    };
    for _ in 0..2 {
        let again = later.list_shown(&admin, asked(2, first.next.clone())).await.unwrap();
        assert_eq!((ids(&again), &again.next), (ids(&second), &second.next));
    }
    let last = later.list_shown(&admin, asked(2, second.next)).await.unwrap();
    assert_eq!((last.footprints.len(), last.next), (1, None));
    let stranger = FootprintService { marks: Arc::new(HmacTextSigner::new(&[8; 32]).unwrap()), ..later };
    let refused = stranger.list_shown(&admin, asked(2, first.next)).await;
    assert!(matches!(refused, Err(Error::Parameters(_))));
}
