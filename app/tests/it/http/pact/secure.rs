//! The service over TLS, with footprints and a partner that may read them.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{Faults, HostAddress, HostClientId, Name};
use pact_client::{Client, Limits, Network, Roots};
use ports::credential::Secret;
use ports::inbound::{Done, Field, FootprintDraft, PartnerDraft, SharingDraft};
use ports::partner_host::PartnerAddress;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tonne::config::TlsFiles;

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

/// Where the tester is, unless it is somewhere else.
pub(super) const TESTER: &str = "https://tester.example";

/// The service with a certificate, footprints that both versions show, and the credentials of a partner that may read them.
pub(super) struct Secure {
    pub(super) service: Service,
    roots: Roots,
    pub(super) at: PartnerAddress,
    _files: TempDir,
}

impl Secure {
    pub(super) fn start(records: Vec<Value>) -> Self {
        Self::tested_from(records, TESTER)
    }

    /// The same for a tester at that address, which knows us by `test_client_id`.
    pub(super) fn tested_from(records: Vec<Value>, tester: &str) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let files = TempDir::new().unwrap();
        let pair = TlsFiles { certificate: files.path().join("c.pem"), key: files.path().join("k.pem") };
        std::fs::write(&pair.certificate, made.cert.pem()).unwrap();
        std::fs::write(&pair.key, made.signing_key.serialize_pem()).unwrap();
        let service = Service::with(move |config| config.server.tls = Some(pair));
        let (app, operator) = (service.app(), service.operator());
        let partner = PartnerDraft {
            name: Field::Given(Name::parse("Tester").unwrap()),
            base_url: Field::Given(HostAddress::parse(tester).unwrap()),
            client_id: Field::Given(HostClientId::parse("test_client_id").unwrap()),
            client_secret: Field::Given(Secret("test_client_secret".to_owned())),
            private_addresses: Field::Given(true),
            plain_http: Field::Given(tester.starts_with("http://")),
            ..PartnerDraft::default()
        };
        let made_client = service.wait(async move {
            let partners = &app.areas().partners;
            for record in records {
                let fields = fields(record);
                let draft = FootprintDraft { fields, faults: Faults::new() };
                let Done::New(added) = app.areas().footprints.add_once(&operator, draft, None).await.unwrap() else {
                    panic!("it was added before")
                };
                let all = SharingDraft { all: Field::Given(true), ..SharingDraft::default() };
                partners.share(&operator, added.footprint.value.id, None, all).await.unwrap();
            }
            let partner = partners.add(&operator, partner).await.unwrap().partner.value.id;
            partners.add_client(&operator, partner).await.unwrap()
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
    pub(super) fn with_records() -> Self {
        Self::start(records())
    }

    /// What calls it.
    pub(super) fn client(&self) -> Client {
        Client::new(Arc::new(Here), self.roots.clone(), Limits::default())
    }
}

/// Records of both versions, the first of them by creation one of version 2.
pub(super) fn records() -> Vec<Value> {
    let whole = with(v2(), "/pcf/productMassPerDeclaredUnit", Some(json!("1")));
    vec![v3(), whole, with(v3(), "/status", Some(json!("Deprecated"))), v2()]
}

/// The fields of a record as the interface takes it.
fn fields(record: Value) -> domain::Fields {
    let record = with(record, "/id", Some(json!("b6d5ef9e-3f3c-4f4e-8b9b-6f1d9a2c3b4d")));
    let edition = if record["specVersion"].as_str().unwrap().starts_with('2') { Edition::V2 } else { Edition::V3 };
    pact::read(record.to_string().as_bytes(), edition).unwrap().fields
}
