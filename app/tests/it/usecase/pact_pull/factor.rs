//! What factor a footprint becomes, what a later footprint does to it, and which become none.

use domain::footprint::Edition;
use domain::{Decimal, Factor, corrected_by};
use ports::inbound::Pulled;
use serde_json::{Value, json};

use super::{NEW, OLD, Supplied, URN, footprint, newer};

fn days(factor: &Factor) -> (String, String) {
    (factor.data().valid_from.to_string(), factor.data().valid_to.unwrap().to_string())
}

#[tokio::test]
async fn a_footprint_becomes_a_factor_of_a_product_and_says_where_it_is_from() {
    for supplied in Supplied::both().await {
        let pulled = supplied.pull(vec![vec![footprint(OLD)]]).await;
        assert_eq!(pulled, Pulled { came: 1, added: 1, ..Pulled::default() });
        let (product, factors) = supplied.product(URN).await;
        assert_eq!((product.name.as_str(), product.unit.code()), ("Water", "L"));
        let [factor] = factors.as_slice() else { panic!("{factors:?}") };
        let data = factor.data();
        assert_eq!(
            (data.unit.code(), data.upstream.unwrap().to_string().as_str(), data.downstream),
            ("L", "1.5", None)
        );
        assert_eq!(days(factor), ("2025-01-01".to_owned(), "2027-01-01".to_owned()));
        assert_eq!(data.source.as_str(), format!("Bottlers, footprint {OLD} at https://supplier.example/api"));
        assert_eq!(data.gwp.unwrap().to_string(), "AR6");
        let supplier = data.supplier.as_deref().unwrap();
        assert_eq!((supplier.company.as_str(), supplier.footprint.to_string().as_str()), ("Bottlers", OLD));
        assert_eq!(supplier.primary_data_share(), Some(Decimal::parse("62.5").unwrap()));
    }
}

#[tokio::test]
async fn a_newer_footprint_ends_the_factor_of_the_one_it_takes_the_place_of() {
    for supplied in Supplied::both().await {
        supplied.pull(vec![vec![footprint(OLD)]]).await;
        let pulled = supplied.pull(vec![vec![newer(), footprint(OLD)]]).await;
        assert_eq!(pulled, Pulled { came: 2, added: 1, unchanged: 1, closed: 1, ..Pulled::default() });
        let (_, factors) = supplied.product(URN).await;
        let days: Vec<_> = factors.iter().map(days).collect();
        let expected = [("2025-01-01", "2025-07-01"), ("2025-07-01", "2027-01-01")];
        assert_eq!(days, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    }
}

#[tokio::test]
async fn a_newer_footprint_of_the_same_days_corrects_the_older_one() {
    for supplied in Supplied::both().await {
        supplied.pull(vec![vec![footprint(OLD)]]).await;
        let mut same_days = newer();
        same_days["validityPeriodStart"] = json!("2025-01-01T00:00:00Z");
        let list = vec![vec![footprint(OLD), same_days]];
        let pulled = supplied.pull(list.clone()).await;
        assert_eq!(pulled, Pulled { came: 2, unchanged: 1, corrected: 1, ..Pulled::default() });
        let (_, factors) = supplied.product(URN).await;
        let corrected = factors.iter().find(|factor| corrected_by(&factors, factor.id()).is_some()).unwrap();
        assert_eq!(corrected.data().supplier.as_ref().unwrap().footprint.to_string(), OLD);
        assert_eq!(supplied.pull(list).await, Pulled { came: 2, unchanged: 2, ..Pulled::default() });
    }
}

#[tokio::test]
async fn a_deprecated_footprint_ends_its_factor_today_and_becomes_none() {
    for supplied in Supplied::both().await {
        supplied.pull(vec![vec![footprint(OLD)]]).await;
        let mut old = footprint(OLD);
        old["status"] = json!("Deprecated");
        let mut other = footprint(NEW);
        other["status"] = json!("Deprecated");
        let list = vec![vec![old, other]];
        let pulled = supplied.pull(list.clone()).await;
        assert_eq!(pulled, Pulled { came: 2, ended: 1, deprecated: 1, ..Pulled::default() });
        let (_, factors) = supplied.product(URN).await;
        assert_eq!(days(&factors[0]), ("2025-01-01".to_owned(), "2025-06-01".to_owned()), "today is 1 June 2025");
        assert_eq!(supplied.pull(list).await, Pulled { came: 2, unchanged: 1, deprecated: 1, ..Pulled::default() });
    }
}

#[tokio::test]
async fn a_deprecated_footprint_that_held_on_no_day_yet_leaves_no_factor() {
    let supplied = Supplied::memory().await;
    supplied.pull(vec![vec![newer()]]).await;
    let mut gone = newer();
    gone["status"] = json!("Deprecated");
    assert_eq!(supplied.pull(vec![vec![gone]]).await, Pulled { came: 1, ended: 1, ..Pulled::default() });
    assert_eq!(supplied.product(URN).await.1, []);
}

#[tokio::test]
async fn what_cannot_become_a_factor_is_listed_with_the_reason_and_the_others_are_kept() {
    let broken = |pointer: &str, value: Value| {
        let mut one = footprint(&format!("33333333-3333-4333-8333-{:012}", pointer.len()));
        *one.pointer_mut(pointer).unwrap() = value;
        one["productIds"] = json!([format!("urn:x:{}", pointer.len())]);
        one
    };
    let cases = [
        (broken("/pcf/declaredUnitOfMeasurement", json!("megabit second")), "declared unit \"megabit second\""),
        (broken("/pcf/declaredUnitAmount", json!("0")), "not above zero"),
        (broken("/pcf/pcfExcludingBiogenicUptake", Value::Null), "no pcfExcludingBiogenicUptake"),
        (broken("/validityPeriodEnd", json!("2024-01-01T00:00:00Z")), "valid on no day"),
        (broken("/pcf/primaryDataShare", json!("101")), "between 0 and 100"),
        (broken("/productNameCompany", json!("a\nb")), "productNameCompany cannot be kept"),
        (json!({ "id": "x" }), "cannot be read"),
    ];
    for (bad, reason) in cases {
        let supplied = Supplied::memory().await;
        let pulled = supplied.pull(vec![vec![bad, footprint(OLD)]]).await;
        assert_eq!((pulled.came, pulled.added, pulled.refused.len()), (2, 1, 1), "{pulled:?}");
        assert!(pulled.refused[0].reason.contains(reason), "{reason}: {pulled:?}");
    }
}

#[tokio::test]
async fn another_footprint_of_the_same_days_is_refused_and_a_unit_of_another_dimension() {
    let supplied = Supplied::memory().await;
    let mut mass = footprint("44444444-4444-4444-8444-444444444444");
    mass["pcf"]["declaredUnitOfMeasurement"] = json!("kilogram");
    mass["validityPeriodStart"] = json!("2027-01-01T00:00:00Z");
    mass["validityPeriodEnd"] = json!("2027-12-31T00:00:00Z");
    let pulled = supplied.pull(vec![vec![footprint(OLD), footprint(NEW), mass]]).await;
    assert_eq!((pulled.added, pulled.refused.len()), (1, 2), "{pulled:?}");
    assert!(pulled.refused[0].reason.contains("overlap"), "{pulled:?}");
    assert_eq!(supplied.product(URN).await.1.len(), 1);
}

#[tokio::test]
async fn a_third_is_rounded_once_and_counted() {
    let supplied = Supplied::memory().await;
    let mut third = footprint(OLD);
    third["pcf"]["declaredUnitAmount"] = json!("7");
    let pulled = supplied.pull(vec![vec![third]]).await;
    assert_eq!((pulled.added, pulled.rounded), (1, 1));
    let (_, factors) = supplied.product(URN).await;
    assert_eq!(factors[0].data().upstream.unwrap().to_string(), "2.571428571428571429");
}

#[tokio::test]
async fn version_2_is_per_one_declared_unit_and_valid_for_three_years() {
    let supplied = Supplied::memory().await;
    let mut record = footprint(OLD);
    record["specVersion"] = json!("2.3.0");
    record.as_object_mut().unwrap().remove("validityPeriodStart");
    record.as_object_mut().unwrap().remove("validityPeriodEnd");
    record["pcf"] = json!({
        "declaredUnit": "kilowatt hour",
        "unitaryProductAmount": "3",
        "pCfExcludingBiogenic": "0.207074",
        "referencePeriodStart": "2024-01-01T00:00:00Z",
        "referencePeriodEnd": "2025-01-01T00:00:00Z",
        "ipccCharacterizationFactorsSources": ["AR5", "AR6"],
        "primaryDataShare": 40
    });
    let pulled = supplied.pull_of(Edition::V2, vec![vec![record]]).await;
    assert_eq!(pulled, Pulled { came: 1, added: 1, ..Pulled::default() });
    let (product, factors) = supplied.product(URN).await;
    let data = factors[0].data();
    assert_eq!((product.unit.code(), data.upstream.unwrap().to_string().as_str()), ("kWh", "0.207074"));
    assert_eq!(days(&factors[0]), ("2025-01-01".to_owned(), "2028-01-01".to_owned()));
    assert_eq!(data.gwp, None, "two sets are no set");
}
