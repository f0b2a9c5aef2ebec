//! What counts in the market for an activity: it comes back as it was written, and its factor is in use.

use domain::{Activity, Day, Factor, FactorBasis, FactorId, Market, MarketBasis, MarketOrigin, Quality, Stated};

use super::sample;
use super::tenant::Tenant;
use crate::RecordKind;
use crate::repo::{Pending, Use};
use crate::store::{Conflict, Store, StoreError};

fn residual_mix(number: u64) -> Factor {
    let product = sample::product(1);
    let data = sample::factor(number, &product, "2025-01-01").data().clone().with_basis(FactorBasis::ResidualMix);
    Factor::new(sample::id(number), &product, data).expect("a factor")
}

fn in_market(number: u64, factor: FactorId) -> Activity {
    let market = Market::new(MarketBasis::Certificate, factor, MarketOrigin::Named)
        .with_reference(Some(sample::name("GO 'wind' \"4711\" \\")));
    sample::activity(number).with_stated(Stated::default().with_market(Some(market)))
}

pub async fn a_residual_mix_and_what_counts_in_the_market_come_back_as_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    let mix = tenant.add(residual_mix(1)).await;
    let activity = tenant.add(in_market(1, mix.value.id())).await;
    assert_eq!(tenant.find::<Factor>(mix.value.id()).await, Some(mix));
    assert_eq!(tenant.find::<Activity>(activity.value.id).await, Some(activity));
}

pub async fn a_factor_that_counts_in_the_market_must_be_there_and_is_kept(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    let error = tenant.try_add(in_market(1, sample::id(1))).await.expect_err("is refused");
    let missing = Conflict::Missing { kind: RecordKind::Factor, id: sample::uuid(1) };
    assert!(matches!(&error, StoreError::Conflict(found) if *found == missing), "{error:?}");
    let mix = tenant.add(residual_mix(1)).await;
    let activity = tenant.add(in_market(1, mix.value.id())).await;
    assert_eq!(tenant.uses::<Factor>(mix.value.id()).await, [Use { kind: RecordKind::Activity, count: 1 }]);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
    let error = tenant.try_remove::<Factor>(mix.value.id(), mix.version).await.expect_err("is in use");
    assert!(matches!(error, StoreError::Conflict(Conflict::InUse(_))), "{error:?}");
    tenant.remove(&activity).await;
    tenant.remove(&mix).await;
}

pub async fn activities_are_found_by_the_factors_that_count_for_them_in_the_market(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    tenant.add(sample::product(1)).await;
    let [one, other] = [residual_mix(1), residual_mix(2)];
    let (one, other) = (tenant.add(one).await.value.id(), tenant.add(other).await.value.id());
    let (first, second) = (tenant.add(in_market(1, one)).await, tenant.add(in_market(2, other)).await);
    tenant.add(sample::activity(3)).await;
    let quality = Stated::default().with_quality(Some(Quality::Measured));
    tenant.add(sample::activity(4).with_stated(quality)).await;
    let mut tx = tenant.read().await;
    let start = first.value.span.first();
    let later = Day::parse("2100-01-01").expect("a day");
    for (factors, expected) in [
        (vec![(one, start)], vec![first.clone()]),
        (vec![(one, Day::MIN), (other, start)], vec![first.clone(), second.clone()]),
        (vec![(one, later), (other, Day::MIN)], vec![second.clone()]),
        (vec![(sample::id(9), Day::MIN)], vec![]),
    ] {
        let pending = Pending::ComputedFrom(factors.into_iter().collect());
        let found = tx.activities().pending(&pending, None, 10).await.expect("reads");
        assert!(expected.iter().all(|stored| pending.selects(&stored.value)), "{pending:?}");
        assert_eq!(found, expected, "{pending:?}");
    }
}
