//! The one text of a record: writing, digesting, reading.

use divan::Bencher;
use tonne_domain::{
    Activity, ActivityId, Calculation, CalculationParts, Canonical as _, Co2e, Moment, Name, Span, SuppliedCo2e, SyncId,
};
use uuid::Uuid;

const ID: ActivityId = ActivityId::new(Uuid::from_u128(1));

fn activity() -> Activity {
    let amount = |text| Some(Co2e::parse(text).unwrap());
    let supplied = SuppliedCo2e::default().with_upstream(amount("25431.0004731"));
    let parts = CalculationParts::default().with_supplied(supplied).with_upstream(supplied.upstream);
    let start = Moment::parse("2025-01-01T00:00:00Z").unwrap();
    Activity::new(ID, Name::parse("Meter reading 4711").unwrap(), Span::new(start, None).unwrap())
        .with_sync_id(Some(SyncId::parse("erp-4711").unwrap()))
        .with_scope(Some(Uuid::from_u128(2).into()))
        .with_org(Some(Uuid::from_u128(3).into()))
        .with_taxonomy(Some(Uuid::from_u128(4).into()))
        .with_calculation(Calculation::from_parts(parts).unwrap())
}

#[divan::bench]
fn activity_to_text(bencher: Bencher<'_, '_>) {
    let activity = activity();
    bencher.bench(|| divan::black_box(&activity).canonical());
}

#[divan::bench]
fn activity_to_digest(bencher: Bencher<'_, '_>) {
    let activity = activity();
    bencher.bench(|| divan::black_box(&activity).digest());
}

#[divan::bench]
fn activity_from_text(bencher: Bencher<'_, '_>) {
    let text = activity().canonical();
    bencher.bench(|| Activity::from_canonical(ID, divan::black_box(&text)).unwrap());
}
