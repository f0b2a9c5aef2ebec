//! Tokens for client credentials.

use anyhow::{Context, Result};

use super::Figures;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::floor::commits::commits;
use crate::bench::load::{Until, load};
use crate::bench::service::Service;
use crate::bench::subject::Subject;

const CLIENTS: u32 = 32;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let (service, _) = subject.warm_service()?;
    let forms = (0..CLIENTS).map(|at| form(&service, at)).collect::<Result<Vec<_>>>()?;
    let tokens = load(service.host(), CLIENTS, 200, Until::Time, |client, _, request| {
        service.all.form("/auth/token", &forms[client as usize], request);
    })?;
    let figure = Figure::new("tokens issued, 32 clients", Unit::PerSecond, Ok(tokens.rate()));
    // Each token's row is on the disk before it is given out.
    let floor = commits(subject, CLIENTS as usize).map(|commits| commits.rate);
    figures.add(figure.goal(Goal::AtLeast(2_000.0)).floor(floor));
    figures.add(Figure::new("tokens issued, 32 clients: p50", Unit::Millis, tokens.latencies.p50()));
    figures.add(Figure::new("tokens issued, 32 clients: p99", Unit::Millis, tokens.latencies.p99()));
    service.stop()
}

/// The form that a new client asks with.
fn form(service: &Service, at: u32) -> Result<String> {
    let mut request = Vec::new();
    let body = format!(r#"{{"name":"Client {at}","permissions":["activity:report"]}}"#);
    service.all.send("POST", "/v1/client", &body, &mut request);
    let made: serde_json::Value = serde_json::from_slice(&service.connect()?.body_of(&request)?)?;
    let value = |name: &str| made[name].as_str().with_context(|| format!("a new client has no {name}"));
    let (id, secret) = (value("client_id")?, value("client_secret")?);
    Ok(format!("grant_type=client_credentials&client_id={id}&client_secret={secret}"))
}
