//! The service over TLS, as the cases of `tonne pact test` find it. Each case is a test of its name.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{Faults, Name};
use pact_client::{Client, Limits, Network, Roots};
use ports::Permissions;
use ports::inbound::{CredentialDraft, Field, FootprintDraft, Pull, Pulled, SupplierFactors as _};
use ports::partner_host::PartnerAddress;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tonne::config::TlsFiles;
use tonne::usecase::pact::host_test::{Outcome, Tested, test_host};

use super::super::footprint::examples::{v2, v3, with};
use super::super::harness::{Service, Value, json};

/// A network of which every name is this machine.
struct Here;

#[async_trait]
impl Network for Here {
    async fn resolve(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)])
    }

    async fn connect(&self, address: SocketAddr) -> std::io::Result<TcpStream> {
        TcpStream::connect(address).await
    }
}

/// The service with a certificate, footprints that both versions show, and a client that may read them.
pub(super) struct Secure {
    service: Service,
    roots: Roots,
    at: PartnerAddress,
    _files: TempDir,
}

impl Secure {
    fn start(records: Vec<Value>) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let files = TempDir::new().unwrap();
        let pair = TlsFiles { certificate: files.path().join("c.pem"), key: files.path().join("k.pem") };
        std::fs::write(&pair.certificate, made.cert.pem()).unwrap();
        std::fs::write(&pair.key, made.signing_key.serialize_pem()).unwrap();
        let service = Service::with(move |config| config.server.tls = Some(pair));
        let (app, operator) = (service.app(), service.operator());
        let made_client = service.wait(async move {
            for record in records {
                let fields = fields(record);
                let draft = FootprintDraft { fields, faults: Faults::new() };
                app.areas().footprints.add_once(&operator, draft, None).await.unwrap();
            }
            let draft = CredentialDraft {
                name: Field::Given(Name::parse("Partner").unwrap()),
                permissions: Field::Given(Permissions::parse("footprint:read").unwrap()),
                ..CredentialDraft::default()
            };
            app.areas().credentials.add_client(&operator, draft).await.unwrap()
        });
        let at = PartnerAddress {
            base_url: service.base_at(&format!("https://{}", service.address())),
            auth_url: None,
            client_id: made_client.view.client.id.to_string(),
            client_secret: made_client.secret.0,
            private_addresses: true,
            plain_http: false,
        };
        let roots = Roots::only([made.cert.der().to_vec()]).unwrap();
        Self { service, roots, at, _files: files }
    }

    /// With records of both versions, the first of them by creation one of version 2.
    fn with_records() -> Self {
        let whole = with(v2(), "/pcf/productMassPerDeclaredUnit", Some(json!("1")));
        Self::start(vec![v3(), whole, with(v3(), "/status", Some(json!("Deprecated"))), v2()])
    }

    /// Makes factors of its own footprints.
    fn pull(&self, edition: Edition) -> Pulled {
        let client = Client::new(Arc::new(Here), self.roots.clone(), Limits::default());
        let (app, operator, at) = (self.service.app(), self.service.operator(), self.at.clone());
        let wanted = Pull { edition, product_ids: vec![], since: None };
        self.service
            .wait(async move { app.supplier_factors(Arc::new(client)).pull(&operator, &at, wanted).await.unwrap() })
    }

    fn test(&self, edition: Edition, only: Option<u8>) -> Tested {
        let client = Client::new(Arc::new(Here), self.roots.clone(), Limits::default());
        let at = self.at.clone();
        self.service.wait(async move { test_host(&client, &at, edition, only).await })
    }
}

/// The fields of a record as the interface takes it.
fn fields(record: Value) -> domain::Fields {
    let record = with(record, "/id", Some(json!("b6d5ef9e-3f3c-4f4e-8b9b-6f1d9a2c3b4d")));
    let edition = if record["specVersion"].as_str().unwrap().starts_with('2') { Edition::V2 } else { Edition::V3 };
    pact::read(record.to_string().as_bytes(), edition).unwrap().fields
}

#[track_caller]
fn passes(edition: Edition, number: u8) {
    let tested = Secure::with_records().test(edition, Some(number));
    assert_eq!(tested.results.len(), 1);
    assert_eq!(tested.results[0].outcome, Outcome::Passed, "{:?}", tested.results[0]);
}

macro_rules! cases {
    ($($name:ident: $edition:ident $number:literal;)*) => {
        $(#[test]
        fn $name() {
            passes(Edition::$edition, $number);
        })*
    };
}

cases! {
    v3_case_1_a_token_is_given: V3 1;
    v3_case_2_wrong_credentials_are_refused: V3 2;
    v3_case_3_a_footprint_is_got: V3 3;
    v3_case_4_the_list_has_the_form: V3 4;
    v3_case_5_the_link_leads_on: V3 5;
    v3_case_6_a_list_needs_a_token: V3 6;
    v3_case_7_a_footprint_needs_a_token: V3 7;
    v3_case_8_there_is_no_such_footprint: V3 8;
    v3_case_9_there_is_no_token_by_http: V3 9;
    v3_case_10_there_is_no_list_by_http: V3 10;
    v3_case_11_there_is_no_footprint_by_http: V3 11;
    v3_case_18_a_token_is_given_at_the_fixed_path: V3 18;
    v3_case_19_wrong_credentials_are_refused_there: V3 19;
    v3_case_20_by_product: V3 20;
    v3_case_21_by_company: V3 21;
    v3_case_22_by_geography: V3 22;
    v3_case_23_by_classification: V3 23;
    v3_case_24_valid_on: V3 24;
    v3_case_25_valid_after: V3 25;
    v3_case_26_valid_before: V3 26;
    v3_case_27_by_status: V3 27;
    v3_case_28_by_status_and_product: V3 28;
    v3_case_29_by_one_of_several_companies: V3 29;
    v3_case_30_an_unknown_product: V3 30;
    v3_case_31_an_unknown_company: V3 31;
    v3_case_32_an_unknown_geography: V3 32;
    v3_case_33_an_unknown_classification: V3 33;
    v3_case_34_valid_on_long_ago: V3 34;
    v3_case_35_valid_after_the_end: V3 35;
    v3_case_36_valid_before_long_ago: V3 36;
    v3_case_37_an_unknown_status: V3 37;
    v3_case_38_an_unknown_company_and_product: V3 38;
    v3_case_39_several_unknown_companies: V3 39;
    v2_case_1_a_token_is_given: V2 1;
    v2_case_2_wrong_credentials_are_refused: V2 2;
    v2_case_3_a_footprint_is_got: V2 3;
    v2_case_4_the_list_has_the_form: V2 4;
    v2_case_5_the_link_leads_on: V2 5;
    v2_case_6_a_list_needs_a_token: V2 6;
    v2_case_7_a_footprint_needs_a_token: V2 7;
    v2_case_8_there_is_no_such_footprint: V2 8;
    v2_case_9_there_is_no_token_by_http: V2 9;
    v2_case_10_there_is_no_list_by_http: V2 10;
    v2_case_11_there_is_no_footprint_by_http: V2 11;
    v2_case_18_a_token_is_given_at_the_fixed_path: V2 18;
    v2_case_19_wrong_credentials_are_refused_there: V2 19;
    v2_case_20_by_creation: V2 20;
}

#[test]
fn all_cases_but_that_of_events_pass_together() {
    let host = Secure::with_records();
    for (edition, count) in [(Edition::V2, 14), (Edition::V3, 33)] {
        let tested = host.test(edition, None);
        let failed: Vec<u8> = tested
            .results
            .iter()
            .filter(|result| result.outcome == Outcome::Failed)
            .map(|result| result.case.number)
            .collect();
        assert_eq!(failed, [16], "the host takes no events: {tested:#?}");
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
