//! Lists of 100,000 footprints, of which a partner may read 5,000.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Figures;
use crate::bench::client::{Client, Credentials};
use crate::bench::figure::{Figure, Unit, number};
use crate::bench::load::{Until, load};
use crate::bench::service::Service;
use crate::bench::subject::Subject;

/// How many footprints there are.
const ALL: u32 = 100_000;
/// How many of them the partner may read.
const SHARED: usize = 5_000;
/// How many clients write them.
const WRITERS: u32 = 32;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let store = subject.new_store_without_factors("footprints")?;
    let service = Service::start(&store)?;
    let written = AtomicU32::new(0);
    let writing = load(
        service.host(),
        WRITERS,
        201,
        Until::Ended(&|| written.load(Ordering::Relaxed) >= ALL),
        |_, _, request| {
            let number = written.fetch_add(1, Ordering::Relaxed);
            service.all.send("POST", "/v1/footprint", &footprint(number).to_string(), request);
        },
    )?;
    figures.add(Figure::new(format!("footprints written, {WRITERS} clients"), Unit::PerSecond, Ok(writing.rate())));
    let partner = partner(&service)?;

    let (took, bytes) = whole(&service, &service.all, "/pact/2/footprints")?;
    let rate = number(bytes) / 1e6 / took;
    figures.add(Figure::new("the interface's whole list of footprints", Unit::Seconds, Ok(took)));
    figures.add(Figure::new("the interface's whole list of footprints: bytes", Unit::MegabytesPerSecond, Ok(rate)));
    for (who, credentials, expected) in [("our own", &service.all, ALL as usize), ("a partner's", &partner, SHARED)] {
        let begin = Instant::now();
        let count = walk(&service, credentials)?;
        ensure!(count >= expected, "{who} list has {count} of {expected}");
        let what = format!("{who} list of {expected} footprints, walked in parts of 1,000");
        figures.add(Figure::new(what, Unit::Seconds, Ok(begin.elapsed().as_secs_f64())));
        for question in
            ["/3/footprints?limit=100", "/3/footprints?productId=urn:a:77", "/3/footprints?status=Deprecated&limit=100"]
        {
            part(&service, credentials, who, question, figures)?;
        }
    }
    part(&service, &service.all, "our own", "/v1/footprint?page=900&pageSize=100", figures)?;
    service.stop()?;
    subject.remove_store("footprints")
}

/// How long a list of some answers takes.
fn part(service: &Service, who: &Credentials, name: &str, question: &str, figures: &mut Figures) -> Result<()> {
    let answers = load(service.host(), 1, 200, Until::Time, |_, _, request| who.get(question, "", request))?;
    for (which, value) in [("p50", answers.latencies.p50()), ("p99", answers.latencies.p99())] {
        figures.add(Figure::new(format!("{name} list, {question}: {which}"), Unit::Millis, value));
    }
    Ok(())
}

/// Reads a list that is one answer: seconds and bytes.
fn whole(service: &Service, who: &Credentials, path: &str) -> Result<(f64, u64)> {
    let (mut request, mut bytes) = (Vec::new(), 0);
    who.get(path, "", &mut request);
    let begin = Instant::now();
    let status = service.connect()?.exchange(&request, |piece| bytes += piece.len() as u64)?;
    ensure!(status == 200, "{path} was answered {status}");
    Ok((begin.elapsed().as_secs_f64(), bytes))
}

/// How many footprints a list has that is followed to its end.
fn walk(service: &Service, who: &Credentials) -> Result<usize> {
    let (mut client, mut request, mut count) = (service.connect()?, Vec::new(), 0);
    let mut path = "/3/footprints?limit=1000".to_owned();
    loop {
        who.get(&path, "", &mut request);
        let body = client.body_of(&request)?;
        count += body.windows(9).filter(|bytes| *bytes == b"\"created\"").count();
        let Some(link) = client.header("link") else { return Ok(count) };
        let target =
            link.split_once('<').and_then(|(_, rest)| rest.split_once('>')).context("a Link without a target")?.0;
        path = target.find("/3/footprints").map(|at| target[at..].to_owned()).context("a Link to another list")?;
    }
}

/// A partner that some footprints, spread over all, are shared with.
fn partner(service: &Service) -> Result<Credentials> {
    let mut client = service.connect()?;
    let body = json!({ "name": "Buyer", "baseUrl": "https://buyer.example" });
    let partner = sent(&mut client, service, "POST", "/v1/partner", &body)?["uuid"].clone();
    let partner = partner.as_str().context("a partner without uuid")?;
    let made = sent(&mut client, service, "POST", &format!("/v1/partner/{partner}/client"), &Value::Null)?;
    let value = |name: &str| made[name].as_str().with_context(|| format!("a new client has no {name}"));
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        value("client_id")?,
        value("client_secret")?
    );
    let pages = SHARED / 1_000;
    for page in 0..pages {
        let number = page * (ALL as usize / 1_000 / pages) + 1;
        let listed = service.get(&format!("/v1/footprint?page={number}&pageSize=1000"))?;
        // The one before has waited longer than the service keeps a connection open.
        client = service.connect()?;
        for one in listed["data"].as_array().context("no page of footprints")? {
            let path = format!("/v1/footprint/{}/sharing", one["uuid"].as_str().context("a footprint without uuid")?);
            sent(&mut client, service, "PUT", &path, &json!({ "partners": [partner] }))?;
        }
    }
    let mut request = Vec::new();
    service.all.form("/auth/token", &form, &mut request);
    let token: Value = serde_json::from_slice(&client.body_of(&request)?)?;
    Ok(service.with_key(token["access_token"].as_str().context("no token")?))
}

fn sent(client: &mut Client, service: &Service, method: &str, path: &str, body: &Value) -> Result<Value> {
    let mut request = Vec::new();
    service.all.send(method, path, &body.to_string(), &mut request);
    Ok(serde_json::from_slice(&client.body_of(&request)?)?)
}

/// A made-up footprint that both versions show; a tenth of them is deprecated, twenty are of each product.
fn footprint(number: u32) -> Value {
    json!({
        "specVersion": "3.0.0", "companyName": "Works", "companyIds": ["urn:pact:works.example:company:1"],
        "status": if number.is_multiple_of(10) { "Deprecated" } else { "Active" },
        "productNameCompany": format!("Part {number}"), "productDescription": "Made up",
        "productIds": [format!("urn:a:{}", number % (ALL / 20))], "productClassifications": ["urn:cpc:41532"],
        "pcf": {
            "declaredUnitOfMeasurement": "kilogram", "declaredUnitAmount": "1", "productMassPerDeclaredUnit": "1",
            "referencePeriodStart": "2024-01-01T00:00:00Z", "referencePeriodEnd": "2025-01-01T00:00:00Z",
            "geographyCountry": "NO", "pcfExcludingBiogenicUptake": "2.5", "pcfIncludingBiogenicUptake": "2.5",
            "fossilGhgEmissions": format!("2.{number:06}"), "fossilCarbonContent": "0", "biogenicCarbonContent": "0",
            "packagingEmissionsIncluded": false, "ipccCharacterizationFactors": ["AR6"],
            "crossSectoralStandards": ["ISO14067"], "exemptedEmissionsPercent": "0", "primaryDataShare": "50",
        },
    })
}
