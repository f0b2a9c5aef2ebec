//! The service over TLS, as `tonne pact test` and `tonne pact pull` find it.

use std::sync::Arc;

use domain::footprint::Edition;
use ports::inbound::{Pull, Pulled, SupplierFactors as _};
use tonne::usecase::pact::host_test::{EventSource, Outcome, Tested, test_host};

use super::super::footprint::examples::{v2, v3, with};
use super::super::harness::json;
use super::secure::{Secure, TESTER};

impl Secure {
    /// Makes factors of its own footprints.
    fn pull(&self, edition: Edition) -> Pulled {
        let client = self.client();
        let (app, operator, at) = (self.service.app(), self.service.operator(), self.at.clone());
        let wanted = Pull { edition, product_ids: vec![], since: None };
        self.service.wait(async move {
            app.supplier_factors(Arc::new(client)).pull(&operator, None, &at, wanted).await.unwrap()
        })
    }

    fn test(&self, edition: Edition, only: Option<u8>) -> Tested {
        let client = self.client();
        let at = self.at.clone();
        let source = EventSource { base_url: TESTER.to_owned(), run: "a run".to_owned() };
        self.service.wait(async move { test_host(&client, &at, edition, only, Some(source)).await })
    }
}

#[test]
fn all_cases_pass_together() {
    let host = Secure::with_records();
    for (edition, count) in [(Edition::V2, 20), (Edition::V3, 39)] {
        let tested = host.test(edition, None);
        let failed: Vec<u8> = tested
            .results
            .iter()
            .filter(|result| result.outcome == Outcome::Failed)
            .map(|result| result.case.number)
            .collect();
        assert_eq!(failed, [] as [u8; 0], "{tested:#?}");
        assert_eq!(tested.count(Outcome::Passed), count);
    }
}

#[test]
fn an_empty_host_does_not_conform_and_is_told_what_it_lacks() {
    let tested = Secure::start(vec![]).test(Edition::V3, None);
    assert!(!tested.conforms());
    let case = |number: u8| tested.results.iter().find(|result| result.case.number == number).unwrap();
    assert_eq!(case(1).outcome, Outcome::Passed);
    assert_eq!(case(3).outcome, Outcome::NotApplicable);
    assert!(case(3).came.contains("the list is empty"), "{}", case(3).came);
    assert_eq!(case(5).outcome, Outcome::Failed);
}

#[test]
fn wrong_credentials_fail_what_needs_a_token_and_are_not_shown() {
    let mut host = Secure::with_records();
    host.at.client_secret = "wrong-secret".to_owned();
    let tested = host.test(Edition::V3, None);
    let first = &tested.results[0];
    assert_eq!((first.outcome, first.came.as_str()), (Outcome::Failed, "401 invalid_client"));
    assert!(!format!("{tested:?}").contains("wrong-secret"));
    assert!(tested.count(Outcome::Failed) > 20, "{tested:#?}");
}

#[test]
fn what_a_host_of_ours_shows_is_pulled_and_pulled_again_changes_nothing() {
    for (edition, record) in [(Edition::V2, v2()), (Edition::V3, v3())] {
        // Some parts of a list, of one product each.
        let records =
            (0..150).map(|number| with(record.clone(), "/productIds", Some(json!([format!("urn:gtin:{number}")]))));
        let host = Secure::start(records.collect());
        let pulled = host.pull(edition);
        assert_eq!(pulled, Pulled { came: 150, added: 150, ..Pulled::default() });
        assert_eq!(host.pull(edition), Pulled { came: 150, unchanged: 150, ..Pulled::default() });
    }
}
