//! Footprints that a partner announced, one of which its host does not give.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{FootprintId, PartnerId};
use ports::Grant;
use ports::clock::Clock as _;
use ports::contract::sample;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::{PullError, SupplierFactors as _};
use ports::partner_event::EventData;
use ports::partner_host::{HostError, HostPage, NotTaken, PartnerAddress, PartnerHost};
use ports::repo::{Page, Query};
use tonne::usecase::pact::pull::{MOST_BYTES, PullService};

use super::super::Counting;
use super::{Company, Does};

/// A host with the footprints 1 to 3, which answers some with a status or another fault.
#[derive(Default)]
struct Host {
    faults: HashMap<String, HostError>,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl PartnerHost for Host {
    async fn send(&self, _: &PartnerAddress, _: Edition, _: &str) -> Result<(), NotTaken> {
        unreachable!()
    }

    async fn list(&self, _: &PartnerAddress, _: Edition, _: &str) -> Result<HostPage, HostError> {
        unreachable!()
    }

    async fn next(&self, _: &PartnerAddress, _: &str) -> Result<HostPage, HostError> {
        unreachable!()
    }

    async fn footprint(&self, _: &PartnerAddress, _: Edition, id: &str) -> Result<String, HostError> {
        self.asked.lock().unwrap().push(id.to_owned());
        match self.faults.get(id) {
            Some(fault) => Err(fault.clone()),
            None => Ok(format!("{{\"data\":{}}}", super::super::pact_pull::footprint_of(id))),
        }
    }
}

fn status(status: u16) -> HostError {
    HostError::Status { status, code: None, message: "no".to_owned() }
}

/// What pulling three announced footprints comes to, where the host has that to say of the first one: how many became factors, how
/// many were refused, and which are still kept.
async fn pulled(fault: HostError) -> (Result<(u64, usize), PullError>, Vec<FootprintId>, usize) {
    let company = Company::memory().await;
    let partner = company.partner(1, Does::Take).await;
    let grant = Grant::for_maintenance(company.admin.tenant, "test").to_write();
    let mut tx = company.store.write(&grant, sample::intent()).await.unwrap();
    for number in 1..=3 {
        company.time.advance(1);
        let id = format!("{partner}/{}", sample::id::<FootprintId>(number));
        let (kind, at, content) = (ExchangeKind::Footprint, company.time.now(), "{\"edition\":3}".to_owned());
        tx.exchange_mut().put(ExchangeRow { kind, id, partner, at, due: None, content }).await.unwrap();
    }
    tx.commit().await.unwrap();
    let faults = [(sample::id::<FootprintId>(1).to_string(), fault)].into();
    let host = Arc::new(Host { faults, ..Host::default() });
    let pulled = service(&company, &host).pull_announced(&company.admin, partner, &at()).await;
    let asked = host.asked.lock().unwrap().len();
    (pulled.map(|pulled| (pulled.added, pulled.refused.len())), kept(&company, partner).await, asked)
}

fn service(company: &Company, host: &Arc<Host>) -> PullService {
    PullService {
        store: Arc::clone(&company.store),
        clock: company.time.clone(),
        ids: Arc::new(Counting::default()),
        host: host.clone(),
        most_bytes: MOST_BYTES,
    }
}

fn at() -> PartnerAddress {
    PartnerAddress {
        base_url: "https://supplier.example/api".to_owned(),
        auth_url: None,
        client_id: "us".to_owned(),
        client_secret: "secret".to_owned(),
        private_addresses: false,
        plain_http: false,
    }
}

async fn kept(company: &Company, partner: PartnerId) -> Vec<FootprintId> {
    let grant = Grant::for_maintenance(company.admin.tenant, "test").to_read();
    let mut tx = company.store.read(&grant).await.unwrap();
    let rows = tx.exchange().list(ExchangeKind::Footprint, partner, Page::FIRST).await.unwrap().data;
    let id = |row: ExchangeRow| domain::parse_uuid(row.id.split_once('/').unwrap().1).unwrap();
    rows.into_iter().map(|row| FootprintId::new(id(row))).collect()
}

#[tokio::test]
async fn one_that_the_host_refuses_is_kept_no_longer_and_the_others_are_taken_over() {
    for refusal in [400, 403, 404, 410, 422] {
        let (ended, kept, asked) = pulled(status(refusal)).await;
        assert_eq!((ended.unwrap(), kept, asked), ((2, 1), vec![], 3), "{refusal}");
    }
}

#[tokio::test]
async fn one_that_the_host_cannot_give_now_stays_and_the_others_are_taken_over() {
    for fault in [status(500), status(503), HostError::Answer("it is not JSON".to_owned())] {
        let told = fault.to_string();
        let (ended, kept, asked) = pulled(fault).await;
        assert_eq!((ended.unwrap(), kept, asked), ((2, 1), vec![sample::id(1)], 3), "{told}");
    }
}

#[tokio::test]
async fn a_host_that_refuses_us_or_is_not_there_is_asked_no_further() {
    for fault in
        [status(401), status(429), HostError::Unreachable("no".to_owned()), HostError::NoToken("no".to_owned())]
    {
        let (ended, kept, asked) = pulled(fault.clone()).await;
        assert!(matches!(ended, Err(PullError::Host(found)) if found == fault));
        assert_eq!((kept.len(), asked), (3, 1), "{fault}");
    }
}

#[tokio::test]
async fn one_that_was_sent_and_announced_since_is_asked_for_and_taken_as_it_was_sent_where_the_host_refuses() {
    for (fault, emissions) in [(None, "1.5"), (Some(status(403)), "2")] {
        let company = Company::memory().await;
        let partner = company.partner(1, Does::Take).await;
        company.ask(partner, 1).await;
        let request = company.deliveries(partner).await[0].id.clone();
        let id = sample::id::<FootprintId>(1);
        let mut sent = super::super::pact_pull::footprint_of(&id.to_string());
        sent["pcf"]["pcfExcludingBiogenicUptake"] = serde_json::json!("24");
        let footprints = vec![(id, sent.to_string())];
        company.take(partner, "sent", EventData::Fulfilled { request, footprints }).await.unwrap();
        company.take(partner, "announced", EventData::Published { footprints: vec![id] }).await.unwrap();
        let faults = fault.into_iter().map(|fault| (id.to_string(), fault)).collect();
        let host = Arc::new(Host { faults, ..Host::default() });
        let pulled = service(&company, &host).pull_announced(&company.admin, partner, &at()).await.unwrap();
        assert_eq!((pulled.added, pulled.refused.len()), (1, 0), "{pulled:?}");
        assert_eq!(host.asked.lock().unwrap().len(), 1);
        let grant = Grant::for_maintenance(company.admin.tenant, "test").to_read();
        let mut tx = company.store.read(&grant).await.unwrap();
        let factor = tx.factors().list(&Query::all(Page::FIRST)).await.unwrap().data.remove(0).value;
        assert_eq!(factor.data().upstream.unwrap().to_string(), emissions);
    }
}
