//! Keys and tokens that were good and were revoked.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::bench::client::Credentials;
use crate::campaign::service::Service;

/// How long a node may take to see what another process revoked or added.
const SEEN: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(20);

/// What was revoked, and what it is.
pub(super) struct Revoked {
    what: &'static str,
    secret: String,
}

impl Revoked {
    /// A key, an access token that was revoked, and one whose client was.
    pub(super) fn some(service: &Service, admin: &str) -> Result<[Self; 3]> {
        Ok([Self::key(service, admin)?, Self::token(service, admin, false)?, Self::token(service, admin, true)?])
    }

    /// A key that was made, used and revoked.
    pub(super) fn key(service: &Service, admin: &str) -> Result<Self> {
        let made = post(service, admin, "/v1/key")?;
        let one = Self { what: "a revoked key", secret: text(&made, "key")? };
        one.is_good(service)?;
        remove(service, admin, &format!("/v1/key/{}", text(&made, "uuid")?))?;
        Ok(one)
    }

    /// An access token that was given, used and revoked, by itself or with its client.
    fn token(service: &Service, admin: &str, with_client: bool) -> Result<Self> {
        let made = post(service, admin, "/v1/client")?;
        let (id, secret) = (text(&made, "client_id")?, text(&made, "client_secret")?);
        let credentials = format!("client_id={id}&client_secret={secret}");
        let given = form(service, "/auth/token", &format!("grant_type=client_credentials&{credentials}"))?;
        let what = if with_client { "a token of a removed client" } else { "a revoked token" };
        let one = Self { what, secret: text(&given, "access_token")? };
        one.is_good(service)?;
        if with_client {
            remove(service, admin, &format!("/v1/client/{}", text(&made, "uuid")?))?;
        } else {
            form(service, "/auth/revoke", &format!("token={}&{credentials}", one.secret))?;
        }
        Ok(one)
    }

    fn is_good(&self, service: &Service) -> Result<()> {
        let since = Instant::now();
        while self.status(service)? != 200 {
            ensure!(since.elapsed() < SEEN, "{}: it was not good before", self.what);
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// The node, which may have to learn of it, refuses it soon.
    pub(super) fn is_refused_soon(&self, service: &Service) -> Result<()> {
        let since = Instant::now();
        while self.status(service)? != 401 {
            ensure!(since.elapsed() < SEEN, "{} stays good", self.what);
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// The node refuses it.
    pub(super) fn is_refused(&self, service: &Service) -> Result<()> {
        let status = self.status(service)?;
        ensure!(status == 401, "{} is good again: {status}", self.what);
        Ok(())
    }

    fn status(&self, service: &Service) -> Result<u16> {
        let mut request = Vec::new();
        service.credentials(&self.secret).get("/v1/activity?page=1&pageSize=1", "", &mut request);
        service.connect()?.exchange(&request, |_| {})
    }
}

fn post(service: &Service, admin: &str, path: &str) -> Result<Value> {
    let body = r#"{"name":"a","permissions":["activity:read"]}"#;
    let mut request = Vec::new();
    service.credentials(admin).send("POST", path, body, &mut request);
    Ok(serde_json::from_slice(&service.connect()?.body_of(&request)?)?)
}

fn remove(service: &Service, admin: &str, path: &str) -> Result<()> {
    let mut request = Vec::new();
    service.credentials(admin).send("DELETE", path, "", &mut request);
    service.connect()?.body_of(&request).map(drop)
}

/// Sends a form, and gives the JSON of its answer, or null.
fn form(service: &Service, path: &str, body: &str) -> Result<Value> {
    let mut request = Vec::new();
    Credentials::of(service.base(), "").form(path, body, &mut request);
    let answer = service.connect()?.body_of(&request)?;
    if answer.is_empty() { Ok(Value::Null) } else { Ok(serde_json::from_slice(&answer)?) }
}

fn text(made: &Value, member: &str) -> Result<String> {
    Ok(made[member].as_str().with_context(|| format!("an answer without {member}"))?.to_owned())
}
