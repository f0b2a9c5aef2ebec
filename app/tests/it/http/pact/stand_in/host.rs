//! The stand-in: a thread that answers one connection after the other.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::http::harness::{Value, json};

pub(super) const SECRET: &str = "a secret: with a colon";
const TOKEN: &str = "opaque-token";
/// How many footprints there are, and how many it shows at once at most.
const COUNT: usize = 5;
const AT_ONCE: usize = 2;

/// What was asked: the target and the body.
type Asked = Arc<Mutex<Vec<(String, String)>>>;

/// A running stand-in. It ends when it is dropped.
pub(super) struct StandIn {
    pub(super) base: String,
    asked: Asked,
    thread: Option<JoinHandle<()>>,
}

impl StandIn {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/pact", listener.local_addr().unwrap());
        let (asked, own_base) = (Asked::default(), base.clone());
        let noted = Arc::clone(&asked);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let note = |target: &str, body: &str| {
                    noted.lock().unwrap().push((target.to_owned(), body.to_owned()));
                };
                if stream.ok().and_then(|stream| answered(stream, &own_base, note)) == Some(Ended(true)) {
                    return;
                }
            }
        });
        Self { base, asked, thread: Some(thread) }
    }

    /// The targets with that in them.
    pub(super) fn paths(&self, part: &str) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(target, _)| target.clone()).filter(|one| one.contains(part)).collect()
    }

    /// The bodies that were sent to a path.
    pub(super) fn bodies(&self, path: &str) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|(target, _)| target.ends_with(path)).map(|(_, body)| body.clone()).collect()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let address = self.base.trim_start_matches("http://").trim_end_matches("/pact").to_owned();
        if let Ok(mut stream) = TcpStream::connect(address) {
            let _ = stream.write_all(b"GET end HTTP/1.1\r\n\r\n");
        }
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Whether the stand-in was told to end.
#[derive(PartialEq, Eq)]
struct Ended(bool);

/// Reads a request, has it noted and answers it.
fn answered(mut stream: TcpStream, base: &str, note: impl Fn(&str, &str)) -> Option<Ended> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    if target == "end" {
        return Some(Ended(true));
    }
    note(&target, &body);
    let answer = answer(&method, &target, &headers, (&body, base));
    stream.write_all(answer.as_bytes()).ok()?;
    Some(Ended(false))
}

fn reply(status: &str, headers: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{headers}Connection: close\r\n\r\n{body}"
    )
}

fn error(status: &str, code: &str) -> String {
    let body = json!({ "code": code, "message": format!("{code}: sorry") });
    reply(status, "", "application/json; charset=utf-8", &body.to_string())
}

fn answer(method: &str, target: &str, headers: &HashMap<String, String>, (body, base): (&str, &str)) -> String {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let Some(path) = path.strip_prefix("/pact") else { return error("404 Not Found", "NotFound") };
    let authorization = headers.get("authorization").map(String::as_str).unwrap_or_default();
    if (method, path) == ("POST", "/auth/token") {
        // Its framework compares the header as a whole.
        let expected = format!("Basic {}", STANDARD.encode(format!("us:{}", "a+secret%3A+with+a+colon")));
        let plain = format!("Basic {}", STANDARD.encode(format!("us:{SECRET}")));
        return if authorization == expected || authorization == plain {
            let body = json!({ "token_type": "bearer", "access_token": TOKEN });
            reply("200 OK", "", "application/json; charset=utf-8", &body.to_string())
        } else {
            let body = json!({ "error": "invalid_client", "error_description": "Authentication failed" });
            reply("400 Bad Request", "", "application/json; charset=utf-8", &body.to_string())
        };
    }
    let Some((version, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
        return reply("404 Not Found", "", "text/html", "<!DOCTYPE html><pre>Cannot GET</pre>");
    };
    if !matches!(version, "2" | "3") {
        return reply("404 Not Found", "", "text/html", "<!DOCTYPE html><pre>Cannot GET</pre>");
    }
    if authorization != format!("Bearer {TOKEN}") {
        return error("400 Bad Request", "BadRequest");
    }
    match (method, rest.split_once('/')) {
        ("POST", None) if rest == "events" && body.contains(r#""pfIds":["urn:"#) => {
            error("400 Bad Request", "BadRequest")
        }
        ("POST", None) if rest == "events" => reply("200 OK", "", "text/plain", ""),
        ("GET", None) if rest == "footprints" => list(version, query, base),
        ("GET", Some(("footprints", id))) => {
            let found = all(version).into_iter().find(|footprint| footprint["id"] == id);
            let none = if version == "2" { "NoSuchFootprint" } else { "NotFound" };
            found.map_or_else(|| error("404 Not Found", none), |found| ok("", &json!({ "data": found })))
        }
        _ => error("404 Not Found", "NotFound"),
    }
}

fn ok(headers: &str, body: &Value) -> String {
    reply("200 OK", headers, "application/json; charset=utf-8", &body.to_string())
}

/// A part of the list, counted from the beginning. The link has neither filter nor anything else of the query.
fn list(version: &str, query: &str, base: &str) -> String {
    let pairs: Vec<(String, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let number = |name: &str| pairs.iter().find(|(own, _)| own == name).and_then(|(_, value)| value.parse().ok());
    let (offset, limit) = (number("offset").unwrap_or(0), number("limit").unwrap_or(AT_ONCE).min(AT_ONCE));
    let found: Vec<Value> = all(version)
        .into_iter()
        .filter(|footprint| version == "2" || pairs.iter().all(|(name, _)| matches(footprint, name, &pairs)))
        .collect();
    let part: Vec<_> = found.iter().skip(offset).take(limit).cloned().collect();
    let next = offset + part.len();
    let link = if next < found.len() {
        format!("Link: <{base}/{version}/footprints?offset={next}&limit={limit}>; rel=\"next\"\r\n")
    } else {
        String::new()
    };
    ok(&link, &json!({ "data": part }))
}

/// Whether one of the values that are given for the name fits.
fn matches(footprint: &Value, name: &str, pairs: &[(String, String)]) -> bool {
    let mut values = pairs.iter().filter(|(own, _)| own == name).map(|(_, value)| value.as_str());
    let has =
        |member: &str, value: &str| footprint[member].as_array().is_some_and(|ids| ids.iter().any(|id| id == value));
    let day = |text: &str| text[..10].to_owned();
    let [start, end] = ["validityPeriodStart", "validityPeriodEnd"].map(|name| day(footprint[name].as_str().unwrap()));
    match name {
        "productId" => values.any(|value| has("productIds", value)),
        "companyId" => values.any(|value| has("companyIds", value)),
        "classification" => values.any(|value| has("productClassifications", value)),
        "geography" => values.any(|value| footprint["pcf"]["geographyCountry"] == value),
        "status" => values.any(|value| footprint["status"] == value),
        "validOn" => values.any(|value| start <= day(value) && day(value) <= end),
        "validAfter" => values.any(|value| start > day(value)),
        "validBefore" => values.any(|value| end < day(value)),
        _ => true,
    }
}

fn decoded(text: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((first, more)) = rest.split_first() {
        let hex = (*first == b'%').then(|| more.get(..2)).flatten().and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (out.push(byte), rest = &more[2..]).1,
            None => (out.push(*first), rest = more).1,
        }
    }
    String::from_utf8(out).unwrap()
}

/// The footprints in the form of the version, the newest first: one of each product.
fn all(version: &str) -> Vec<Value> {
    (1..=COUNT).map(|number| if version == "2" { footprint_v2(number) } else { footprint_v3(number) }).collect()
}

fn common(number: usize, version: &str) -> Value {
    json!({
        "id": format!("00000000-0000-4000-8000-{number:012}"),
        "specVersion": version,
        "created": format!("2025-01-0{}T10:00:00Z", COUNT + 1 - number),
        "status": "Active",
        "validityPeriodStart": "2025-01-01T00:00:00Z",
        "validityPeriodEnd": "2027-12-31T00:00:00Z",
        "companyName": "Others",
        "companyIds": ["urn:pact:others.example:company:1"],
        "productDescription": "A product",
        "productIds": [format!("urn:gtin:{number}")],
        "productClassifications": ["urn:cpc:41532"],
        "productNameCompany": format!("Product {number}"),
        "comment": "",
    })
}

fn footprint_v2(number: usize) -> Value {
    let mut footprint = common(number, "2.3.0");
    footprint["version"] = json!(1);
    footprint["productCategoryCpc"] = json!("41532");
    footprint["pcf"] = json!({
        "declaredUnit": "kilogram", "unitaryProductAmount": "10.0", "pCfExcludingBiogenic": "2.5",
        "pCfIncludingBiogenic": "2.5", "fossilGhgEmissions": "2.5", "fossilCarbonContent": "0",
        "biogenicCarbonContent": "0", "characterizationFactors": "AR6", "ipccCharacterizationFactorsSources": ["AR6"],
        "crossSectoralStandardsUsed": ["GHG Protocol Product standard"], "boundaryProcessesDescription": "All",
        "referencePeriodStart": "2024-01-01T00:00:00Z", "referencePeriodEnd": "2025-01-01T00:00:00Z",
        "geographyCountry": "FR", "exemptedEmissionsPercent": 0, "exemptedEmissionsDescription": "",
        "packagingEmissionsIncluded": false, "primaryDataShare": 50.5
    });
    footprint
}

fn footprint_v3(number: usize) -> Value {
    let mut footprint = common(number, "3.0.0");
    footprint["pcf"] = json!({
        "declaredUnitOfMeasurement": "kilogram", "declaredUnitAmount": "10.0", "productMassPerDeclaredUnit": "10.0",
        "referencePeriodStart": "2024-01-01T00:00:00Z", "referencePeriodEnd": "2025-01-01T00:00:00Z",
        "geographyCountry": "FR", "pcfExcludingBiogenicUptake": "25.00", "pcfIncludingBiogenicUptake": "25.00",
        "fossilGhgEmissions": "25.00", "fossilCarbonContent": "0", "ipccCharacterizationFactors": ["AR6"],
        "crossSectoralStandards": ["ISO14067"], "exemptedEmissionsPercent": "0", "primaryDataShare": "50.5"
    });
    footprint
}
