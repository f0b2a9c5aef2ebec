//! Pulling a list: again, a part of it, from a partner that moves, and one that is too long.

use domain::footprint::Edition;
use domain::{Moment, PartnerId};
use ports::inbound::{Error, Pull, PullError, Pulled, SupplierFactors as _};
use ports::partner_host::HostError;
use serde_json::json;
use tonne::usecase::pact::pull::PullService;

use super::super::caller;
use super::{OLD, Supplied, URN, everything, footprint, footprint_of, newer, partner};

#[tokio::test]
async fn pulled_again_nothing_changes() {
    for supplied in Supplied::both().await {
        let list = vec![vec![footprint(OLD)], vec![newer()]];
        let first = supplied.pull(list.clone()).await;
        assert_eq!((first.came, first.added, first.closed), (2, 2, 1), "{first:?}");
        let changes = supplied.world.changes().await;
        let again = supplied.pull(list).await;
        assert_eq!(again, Pulled { came: 2, unchanged: 2, ..Pulled::default() });
        assert_eq!(supplied.world.changes().await, changes, "no empty change");
    }
}

#[tokio::test]
async fn only_what_is_asked_for_is_taken_whatever_the_host_sends() {
    let supplied = Supplied::memory().await;
    let mut other = footprint("55555555-5555-4555-8555-555555555555");
    other["productIds"] = json!(["urn:gtin:1"]);
    let wanted = Pull {
        edition: Edition::V3,
        product_ids: vec![URN.to_uppercase()],
        since: Some(Moment::parse("2025-05-01T00:00:00Z").unwrap()),
    };
    let pulled = supplied.pull_some(wanted, vec![vec![footprint(OLD), newer(), other]]).await;
    assert_eq!(pulled, Pulled { came: 3, left_out: 2, added: 1, ..Pulled::default() });
    assert_eq!(*supplied.host.asked.lock().unwrap(), ["limit=100&productId=URN%3AGTIN%3A4712345060507"]);
}

#[tokio::test]
async fn a_partner_that_moves_to_another_address_keeps_its_products_and_factors() {
    let id = Some(PartnerId::new(uuid::Uuid::from_u128(7)));
    for supplied in Supplied::both().await {
        // Before it was registered its host was known by its address.
        let list = vec![vec![footprint(OLD)]];
        let first = supplied.pull_from(None, "https://supplier.example/api", list.clone()).await.unwrap();
        let mut other = footprint("55555555-5555-4555-8555-555555555555");
        other["productIds"] = json!(["urn:gtin:1"]);
        let list = vec![vec![footprint(OLD), other]];
        let registered = supplied.pull_from(id, "https://supplier.example/api", list.clone()).await.unwrap();
        let moved = supplied.pull_from(id, "https://pcf.supplier.example", list.clone()).await.unwrap();
        assert_eq!(first, Pulled { came: 1, added: 1, ..Pulled::default() });
        assert_eq!(registered, Pulled { came: 2, added: 1, unchanged: 1, ..Pulled::default() });
        // The one that is known by the old address alone is not found at the new one.
        assert_eq!(moved, Pulled { came: 2, added: 1, unchanged: 1, ..Pulled::default() });
        let changes = supplied.world.changes().await;
        let again = supplied.pull_from(id, "https://pcf.supplier.example/", list).await.unwrap();
        assert_eq!(again, Pulled { came: 2, unchanged: 2, ..Pulled::default() });
        assert_eq!(supplied.world.changes().await, changes);
        assert_eq!(supplied.products().await, 3);
    }
}

#[tokio::test]
async fn two_partners_that_call_products_the_same_have_products_of_their_own() {
    let supplied = Supplied::memory().await;
    let list = vec![vec![footprint(OLD)]];
    for id in [7, 8] {
        let id = PartnerId::new(uuid::Uuid::from_u128(id));
        supplied.pull_from(Some(id), &format!("https://{id}.example"), list.clone()).await.unwrap();
    }
    assert_eq!(supplied.products().await, 2);
}

#[tokio::test]
async fn a_list_of_which_too_much_would_be_kept_is_refused_before_anything_is_written() {
    let supplied = Supplied::memory().await;
    let small = PullService { most_bytes: 20_000, ..supplied.service };
    let part =
        |from: u32| (from..from + 4).map(|n| footprint_of(&format!("33333333-3333-4333-8333-{n:012}"))).collect();
    *supplied.host.parts.lock().unwrap() = (0..9).map(|number| part(number * 4)).collect();
    let before = supplied.world.changes().await;
    let refused = small.pull(&supplied.world.admin, None, &partner(), everything()).await;
    let Err(PullError::Host(HostError::Answer(why))) = refused else { panic!("{refused:?}") };
    assert!(why.contains("ask for less"), "{why}");
    assert_eq!(supplied.world.changes().await, before);
    // What cannot be read is kept as a refusal, and counts.
    *supplied.host.parts.lock().unwrap() = (0..9).map(|_| vec![json!({}); 4]).collect();
    small.pull(&supplied.world.admin, None, &partner(), everything()).await.unwrap_err();
    *supplied.host.parts.lock().unwrap() = vec![part(0), part(4)];
    let pulled = small.pull(&supplied.world.admin, None, &partner(), everything()).await.unwrap();
    assert_eq!(pulled.added, 8);
}

#[tokio::test]
async fn pulling_needs_the_permission_to_write_the_catalog() {
    let supplied = Supplied::memory().await;
    let wanted = everything();
    let refused = supplied.service.pull(&caller("catalog:read"), None, &partner(), wanted).await;
    assert!(matches!(refused, Err(PullError::Kept(Error::Denied(_)))), "{refused:?}");
    assert_eq!(*supplied.host.asked.lock().unwrap(), [] as [&str; 0], "nothing is asked");
}
