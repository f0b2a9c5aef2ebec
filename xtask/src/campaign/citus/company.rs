//! A company of the cluster and requests to it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::bench::client::{Client, Credentials};
use crate::campaign::service::Service;
use crate::campaign::writer::{activity, sync_ids_of};

const CREATED: u16 = 201;
const UNAVAILABLE: u16 = 503;

/// A company, and a key of it that may do everything.
#[derive(Clone, Debug)]
pub(super) struct Company {
    pub(super) slug: String,
    pub(super) id: String,
    pub(super) key: String,
}

impl Company {
    /// What requests for it begin with.
    pub(super) fn credentials(&self, service: &Service) -> Credentials {
        Credentials::of(&service.base().replace("{tenant}", &self.slug), &self.key)
    }

    /// A client of it.
    pub(super) fn caller(&self, service: &Service) -> Result<Caller> {
        Caller::new(service, self.credentials(service))
    }
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
    pub(super) took: Duration,
    has_retry_after: bool,
}

impl Answer {
    /// Whether it is a refusal that says when to come again.
    pub(super) const fn is_refusal(&self) -> bool {
        self.status == UNAVAILABLE && self.has_retry_after
    }

    /// Whether what was asked may have been done all the same.
    pub(super) fn is_unknown(&self) -> bool {
        self.is_refusal() && self.body.contains("outcome-unknown")
    }
}

/// A client of a company, with a connection that is kept.
pub(super) struct Caller {
    credentials: Credentials,
    host: String,
    client: Client,
}

/// How long a client waits for a byte: longer than a request for a worker that hangs takes.
const PATIENCE: Duration = Duration::from_mins(3);

fn connect(host: &str) -> Result<Client> {
    Client::patient(host, PATIENCE)
}

impl Caller {
    /// One with those credentials.
    pub(super) fn new(service: &Service, credentials: Credentials) -> Result<Self> {
        let host = service.host().to_owned();
        Ok(Self { credentials, client: connect(&host)?, host })
    }

    fn exchange(&mut self, request: &[u8]) -> Result<Answer> {
        let (begin, mut body) = (Instant::now(), Vec::new());
        let status = self.client.exchange(request, |bytes| body.extend_from_slice(bytes))?;
        let has_retry_after = self.client.header("retry-after").is_some();
        if self.client.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")) {
            self.client = connect(&self.host)?;
        }
        let body = String::from_utf8_lossy(&body).into_owned();
        Ok(Answer { status, body, has_retry_after, took: begin.elapsed() })
    }

    /// Reads something.
    pub(super) fn get(&mut self, path: &str) -> Result<Answer> {
        let mut request = Vec::new();
        self.credentials.get(path, "", &mut request);
        self.exchange(&request)
    }

    /// Reads a page of activities.
    pub(super) fn read(&mut self) -> Result<Answer> {
        self.get("/v1/activity?page=1&pageSize=10")
    }

    /// Adds an activity.
    pub(super) fn add(&mut self, sync_id: &str) -> Result<Answer> {
        self.post("/v1/activity", &activity(sync_id))
    }

    /// Sends a record.
    pub(super) fn post(&mut self, path: &str, body: &str) -> Result<Answer> {
        let mut request = Vec::new();
        self.credentials.send("POST", path, body, &mut request);
        self.exchange(&request)
    }

    /// Asks for a token of a client.
    pub(super) fn token(&mut self, form: &str) -> Result<Answer> {
        let mut request = Vec::new();
        self.credentials.form("/auth/token", form, &mut request);
        self.exchange(&request)
    }

    /// The syncIds of all activities.
    pub(super) fn sync_ids(&mut self) -> Result<Vec<String>> {
        sync_ids_of(&mut self.client, &self.credentials)
    }
}

/// A record that was made, as the answer has it.
pub(super) fn made(answer: &Answer) -> Result<Value> {
    ensure!(answer.status == CREATED, "answered {}: {}", answer.status, answer.body);
    serde_json::from_str(&answer.body).context("an answer that is no JSON")
}
