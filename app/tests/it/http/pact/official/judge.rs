//! How the suite judges answers, and the cases that both versions have.

use domain::footprint::Edition;
use ports::partner_host::{HostAnswer, HostAuthorization};

use super::super::super::harness::Value;
use super::super::super::token;
use super::table::{departures, departures_of_v2};
use super::{Run, TOKEN_FORM};

/// What was found, or what is wrong.
pub(super) type Judged<T> = Result<T, String>;

pub(super) const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

pub(super) fn is_json(answer: &HostAnswer) -> bool {
    answer.content_type.as_deref().is_some_and(|kind| kind.starts_with("application/json"))
}

/// The JSON of an answer, which says that it is some.
pub(super) fn parsed(answer: &HostAnswer) -> Judged<Value> {
    if !is_json(answer) {
        return Err(format!("{} {:?} is no JSON", answer.status, answer.content_type));
    }
    serde_json::from_slice(&answer.body).map_err(|error| error.to_string())
}

pub(super) fn status(answer: &HostAnswer, expected: &[u16]) -> Judged<()> {
    if expected.contains(&answer.status) { Ok(()) } else { Err(format!("{} {}", answer.status, text(answer))) }
}

fn text(answer: &HostAnswer) -> String {
    String::from_utf8_lossy(&answer.body).chars().take(300).collect()
}

/// The footprints of a list that is answered with 200.
pub(super) fn list(answer: &HostAnswer) -> Judged<Vec<Value>> {
    listed(answer, &[200])
}

/// The footprints of a list that is answered with one of these.
pub(super) fn listed(answer: &HostAnswer, statuses: &[u16]) -> Judged<Vec<Value>> {
    status(answer, statuses)?;
    let body = parsed(answer)?;
    body["data"].as_array().cloned().ok_or_else(|| format!("no array of data: {}", text(answer)))
}

/// An error in the form of the standard, with one of these codes.
pub(super) fn error(answer: &HostAnswer, statuses: &[u16], codes: &[&str]) -> Judged<()> {
    status(answer, statuses)?;
    let body = parsed(answer)?;
    let is_told = body["message"].as_str().is_some_and(|message| !message.is_empty());
    let is_code = body["code"].as_str().is_some_and(|code| codes.contains(&code));
    if is_told && is_code { Ok(()) } else { Err(text(answer)) }
}

pub(super) fn holds(holds: bool, otherwise: impl FnOnce() -> String) -> Judged<()> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

impl Run {
    /// The footprint has the whole form of the version.
    pub(super) fn has_the_form(&self, footprint: &Value) -> Judged<()> {
        // The schema takes any zone.
        let json = footprint.to_string().replace("+00:00\"", "Z\"");
        let found = match self.version.edition() {
            Edition::V2 => departures_of_v2(&json, self.version.minor()),
            Edition::V3 => departures(&json, Edition::V3),
        };
        holds(found.is_empty(), || found.join("; "))
    }

    /// Some footprints are found, and each of them is as asked.
    pub(super) fn finds(&self, query: &str, is_asked: impl Fn(&Value) -> bool) -> Judged<()> {
        let found = list(&self.get(&format!("/footprints?{query}"))?)?;
        holds(!found.is_empty(), || format!("{query} finds nothing"))?;
        found.iter().try_for_each(|one| self.has_the_form(one))?;
        holds(found.iter().all(is_asked), || format!("{query} finds others"))
    }

    /// Nothing is found, and that is no error.
    pub(super) fn finds_nothing(&self, query: &str) -> Judged<()> {
        let found = list(&self.get(&format!("/footprints?{query}"))?)?;
        holds(found.is_empty(), || format!("{query} finds {}", found.len()))
    }
}

pub(super) fn gives_a_token(run: &Run) -> Judged<()> {
    let answer = run.ask_token(&run.token_endpoint()?, run.own())?;
    status(&answer, &[200])?;
    let body = parsed(&answer)?;
    let is_bearer = body["token_type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"));
    holds(is_bearer && body["access_token"].is_string(), || body.to_string())
}

fn wrong_credentials() -> HostAuthorization {
    HostAuthorization::Basic { id: "8f14e45f".to_owned(), secret: "c9f0f895".to_owned() }
}

pub(super) fn refuses_wrong_credentials(run: &Run) -> Judged<()> {
    status(&run.ask_token(&run.token_endpoint()?, wrong_credentials())?, &[400, 401])
}

/// The endpoint that was discovered lies below the base address, or is the fixed one.
pub(super) fn gives_a_token_at_the_fixed_path(run: &Run) -> Judged<()> {
    let fixed = format!("{}/auth/token", run.host.at.base_url);
    holds(run.token_endpoint()? == fixed, || run.token_endpoint().unwrap_or_default())?;
    status(&run.ask_token(&fixed, run.own())?, &[200])
}

pub(super) fn refuses_wrong_credentials_there(run: &Run) -> Judged<()> {
    status(&run.ask_token(&format!("{}/auth/token", run.host.at.base_url), wrong_credentials())?, &[400, 401])
}

pub(super) fn gets_a_footprint(run: &Run) -> Judged<()> {
    let id = run.raw("/id").unwrap_or_default();
    let answer = run.get(&format!("/footprints/{id}"))?;
    status(&answer, &[200])?;
    let body = parsed(&answer)?;
    run.has_the_form(&body["data"])?;
    holds(body["data"]["id"] == id, || body.to_string())
}

pub(super) fn lists_all_in_the_form(run: &Run) -> Judged<()> {
    let found = listed(&run.get("/footprints")?, &[200, 202])?;
    found.iter().try_for_each(|one| run.has_the_form(one))?;
    holds(found.len() == run.list.len(), || format!("{} in place of {}", found.len(), run.list.len()))
}

/// The first target of the Link header, whatever its relation, which is in quotes.
pub(super) fn first_link(answer: &HostAnswer) -> Judged<&str> {
    let link = answer.link.as_deref().ok_or("there is no Link")?;
    let (target, relation) = link.split_once('<').and_then(|(_, rest)| rest.split_once('>')).ok_or(link.to_owned())?;
    if relation.trim_start_matches([';', ' ']).starts_with("rel=\"") { Ok(target) } else { Err(link.to_owned()) }
}

pub(super) fn follows_the_link(run: &Run) -> Judged<()> {
    let target = first_link(&run.page)?;
    // A relative one is followed too.
    let base = &run.host.at.base_url;
    let origin = &base[..base.len() - run.base_path().len()];
    let target = if target.starts_with('/') { format!("{origin}{target}") } else { target.to_owned() };
    let found = list(&run.get_with(&target, &run.token)?)?;
    holds(!found.is_empty() && found.iter().all(|one| one["id"].is_string()), || format!("{found:?}"))
}

pub(super) fn list_needs_a_token(run: &Run) -> Judged<()> {
    status(&run.get_with(&run.url("/footprints"), "garbage")?, &[400, 401])
}

pub(super) fn footprint_needs_a_token(run: &Run) -> Judged<()> {
    let id = run.raw("/id").unwrap_or_default();
    status(&run.get_with(&run.url(&format!("/footprints/{id}")), "garbage")?, &[400, 401])
}

pub(super) fn no_token_by_http(run: &Run) -> Judged<()> {
    let path = format!("{}/auth/token", run.base_path());
    let (kind, form) = TOKEN_FORM;
    let HostAuthorization::Basic { id, secret } = run.own() else { return Err("no credentials".to_owned()) };
    let own = token::basic(&id, &secret);
    let head = format!(
        "POST {path} HTTP/1.1\r\nAuthorization: {own}\r\nContent-Type: {kind}\r\nContent-Length: {}",
        form.len()
    );
    let status = run.plainly(&head, form);
    holds(status != Some(200), || "a token by http".to_owned())
}

/// By `GET`, with the token that is good by TLS.
pub(super) fn not_by_http(run: &Run, path: &str) -> Judged<()> {
    let (base, segment) = (run.base_path(), run.version.edition().segment());
    let head = format!("GET {base}/{segment}{path} HTTP/1.1\r\nAuthorization: Bearer {}", run.token);
    holds(run.plainly(&head, "").is_none_or(|status| status >= 300), || format!("{path} by http"))
}

pub(super) fn no_list_by_http(run: &Run) -> Judged<()> {
    not_by_http(run, "/footprints")
}

pub(super) fn no_footprint_by_http(run: &Run) -> Judged<()> {
    not_by_http(run, &format!("/footprints/{}", run.raw("/id").unwrap_or_default()))
}
