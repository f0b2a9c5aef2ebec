//! The made-up company: 34,000 combinations of site, taxonomy and scope, 30 products with factors, some models and
//! switches. All is made over HTTP.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

use super::client::{Client, Credentials};
use super::service::Service;

/// Sites that activities are at; they lie in `REGIONS`.
pub(super) const ORGS: u32 = 425;
const REGIONS: u32 = 25;
pub(super) const TAXONOMIES: u32 = 20;
pub(super) const PRODUCTS: u32 = 30;
pub(super) const SCOPE_COUNT: u32 = 4;
pub(super) const SCOPES: [&str; SCOPE_COUNT as usize] = ["scope1", "scope2", "scope3.1", "scope3.4"];
const MODELS: u32 = 10;
const INPUTS: u32 = 5;
const SWITCHES: u32 = 100;

/// Identifiers of the company's records, to ask with.
#[derive(Clone, Debug)]
pub(super) struct Company {
    /// Regions and sites.
    pub(super) orgs: Vec<String>,
    pub(super) scopes: Vec<String>,
    pub(super) taxonomies: Vec<String>,
    pub(super) switches: Vec<String>,
}

/// Upstream and downstream kg CO2e of a kWh, in hundredths of a gram.
pub(super) const fn factor(product: u32) -> (u32, u32) {
    (1_000 + product * 37, 20_000 + product * 411)
}

/// A factor as a decimal of kg.
fn kilograms(hundred_thousandths: u32) -> String {
    format!("{}.{:05}", hundred_thousandths / 100_000, hundred_thousandths % 100_000)
}

impl Company {
    /// Adds its records but the activities, with or without factors of its products; the usual scopes are there.
    pub(super) fn found(service: &Service, factors: bool) -> Result<()> {
        let mut writer = Writer { client: service.connect()?, credentials: &service.all };
        for at in 0..REGIONS {
            writer.post("/v1/org", &format!(r#"{{"name":"Region {at}","syncId":"region{at}"}}"#))?;
        }
        for at in 0..ORGS {
            let region = at % REGIONS;
            let site = format!(r#"{{"name":"Site {at}","syncId":"site{at}","parent":{{"syncId":"region{region}"}}}}"#);
            writer.post("/v1/org", &site)?;
        }
        for at in 0..TAXONOMIES {
            writer.post("/v1/taxonomy", &format!(r#"{{"name":"Kind {at}","syncId":"kind{at}"}}"#))?;
        }
        for at in 0..PRODUCTS {
            let fuel = format!(r#"{{"name":"Fuel {at}","syncId":"fuel{at}","unit":"kWh"}}"#);
            let id = writer.post("/v1/product", &fuel)?;
            if !factors {
                continue;
            }
            let (upstream, downstream) = factor(at);
            let (upstream, downstream) = (kilograms(upstream), kilograms(downstream));
            let factor = format!(
                r#"{{"unit":"kWh","upstream":"{upstream}","downstream":"{downstream}","validFrom":"2020-01-01","source":"made up"}}"#
            );
            writer.post(&format!("/v1/product/{id}/factor"), &factor)?;
        }
        writer.switches()
    }

    /// Those of the store that the service is on.
    pub(super) fn find(service: &Service) -> Result<Self> {
        let ids = |path: &str, keep: &dyn Fn(&str) -> bool| -> Result<Vec<String>> {
            let answer = service.get(path)?;
            let data = answer["data"].as_array().with_context(|| format!("{path} has no data"))?;
            let kept = data.iter().filter(|one| one["syncId"].as_str().is_some_and(keep));
            Ok(kept.filter_map(|one| one["uuid"].as_str().map(str::to_owned)).collect())
        };
        Ok(Self {
            orgs: ids("/v1/org?pageSize=1000", &|_| true)?,
            scopes: ids("/v1/scope?pageSize=1000", &|sync_id| SCOPES.contains(&sync_id))?,
            taxonomies: ids("/v1/taxonomy?pageSize=1000", &|_| true)?,
            switches: ids("/v1/switch?pageSize=1000", &|_| true)?,
        })
    }
}

/// Adds records one by one.
struct Writer<'a> {
    client: Client,
    credentials: &'a Credentials,
}

impl Writer<'_> {
    fn switches(&mut self) -> Result<()> {
        for at in 0..MODELS {
            let model = format!(
                r#"{{"name":"Model {at}","syncId":"model{at}","unit":"kg","amount":10,"referenceDate":"2023-06-01"}}"#
            );
            let id = self.post("/v1/model", &model)?;
            for input in 0..INPUTS {
                let fuel = (at * INPUTS + input) % PRODUCTS;
                let body = format!(
                    r#"{{"name":"Input {input}","material":{{"syncId":"fuel{fuel}"}},"quantity":{}.5,"unit":"kWh","lifecycleStage":{{"code":"A3"}}}}"#,
                    input + 1
                );
                self.post(&format!("/v1/model/{id}/input"), &body)?;
            }
        }
        for at in 0..SWITCHES {
            let switch = format!(r#"{{"name":"Switch {at}","syncId":"switch{at}","unit":"kg"}}"#);
            let id = self.post("/v1/switch", &switch)?;
            let mut sources = String::from("[");
            let _ =
                write!(sources, r#"{{"syncId":"model{}"}},{{"syncId":"model{}"}}]"#, at % MODELS, (at + 1) % MODELS);
            self.send("PUT", &format!("/v1/switch/{id}/sources"), &sources)?;
        }
        Ok(())
    }

    /// Adds a record and gives its identifier.
    fn post(&mut self, path: &str, body: &str) -> Result<String> {
        let made = self.send("POST", path, body)?;
        made["uuid"].as_str().map(str::to_owned).with_context(|| format!("what {path} made has no uuid"))
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> Result<Value> {
        let mut request = Vec::new();
        self.credentials.send(method, path, body, &mut request);
        Ok(serde_json::from_slice(&self.client.body_of(&request)?)?)
    }
}
