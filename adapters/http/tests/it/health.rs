//! `/health`.

use std::sync::Arc;

use async_trait::async_trait;
use ports::TenantSlug;
use ports::inbound::{Error, Health};
use tonne_http::{Areas, Limits, Service};

use crate::api::{send, send_to};
use crate::fake::{self, Activities};

/// A store that cannot be read.
struct Gone;

#[async_trait]
impl Health for Gone {
    async fn check(&self, _: Option<&TenantSlug>) -> Result<(), Error> {
        Err(Error::Failed("/var/lib/tonne cannot be read".into()))
    }
}

#[actix_web::test]
async fn a_service_that_is_well_says_so() {
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(send("GET", path, &[], "").await.text, r#"{"status":"ok"}"#);
    }
}

#[actix_web::test]
async fn a_service_whose_store_cannot_be_read_lives_but_is_not_ready() {
    let areas = Areas { health: Arc::new(Gone), ..fake::areas(Activities::default()) };
    let service = Service::new(areas, fake::settings(Limits::default()));
    assert_eq!(send_to(&service, "GET", "/health/live", &[], "").await.status, 200);
    let ready = send_to(&service, "GET", "/health/ready", &[], "").await;
    assert_eq!((ready.status, ready.problem().as_str()), (503, "busy"));
    assert!(!ready.text.contains("/var/lib"), "{}", ready.text);
}
