//! Requests, down to their bytes: whoever tests what is malformed must be able to send it.

use std::fmt::{Display, Write as _};
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use super::described::{self, Sent};
use super::{Answer, Value};

/// Longer than anything takes; it keeps a test that hangs from hanging for ever.
const PATIENCE: Duration = Duration::from_mins(1);

/// A client of the service.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    /// The path of the base address.
    base: String,
    /// What is sent as `Host`.
    host: String,
    key: Option<String>,
}

impl Client {
    pub(super) fn new(address: SocketAddr, base: &str, host: String) -> Self {
        Self { address, base: base.to_owned(), host, key: None }
    }

    /// The same with an API key or access token.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self.clone() }
    }

    /// The same at another name of the service.
    pub(crate) fn at_host(&self, host: &str) -> Self {
        Self { host: host.to_owned(), ..self.clone() }
    }

    /// What is sent as `Host`.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// A request of a path below the base address, or of a whole one that begins with the origin.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let origin = format!("http://{}", self.address);
        let path = path.strip_prefix(&origin).map_or_else(|| format!("{}{path}", self.base), str::to_owned);
        self.outside(method, &path)
    }

    /// A request of a path that need not be below the base address.
    pub(crate) fn outside(&self, method: &str, path: &str) -> Request {
        let request = Request {
            address: self.address,
            base: self.base.clone(),
            method: method.to_owned(),
            path: path.to_owned(),
            host: self.host.clone(),
            headers: vec![],
            body: vec![],
        };
        match &self.key {
            Some(key) => request.header("Authorization", format!("Bearer {key}")),
            None => request,
        }
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path).json(body).send()
    }

    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.request("PATCH", path).json(body).send()
    }

    #[track_caller]
    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.request("PUT", path).json(body).send()
    }

    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path).send()
    }

    /// Sends bytes as they are and reads whatever comes back.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        exchange(self.address, bytes)
    }
}

/// A request that is being made.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) struct Request {
    address: SocketAddr,
    base: String,
    method: String,
    path: String,
    host: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(mut self, name: &str, value: impl Display) -> Self {
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    /// With that body, whose Content-Type is for the test to give.
    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.json_text(&body.to_string())
    }

    /// With that text as a JSON body, well-formed or not.
    pub(crate) fn json_text(self, body: &str) -> Self {
        self.header("Content-Type", "application/json").body(body)
    }

    /// With that text as a form.
    pub(crate) fn form(self, body: &str) -> Self {
        self.header("Content-Type", "application/x-www-form-urlencoded").body(body)
    }

    /// The answer, which must be one that the OpenAPI document describes.
    #[track_caller]
    pub(crate) fn send(self) -> Answer {
        let Self { method, path, host, .. } = &self;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        let framed = self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("Transfer-Encoding"));
        if !framed && (!self.body.is_empty() || method != "GET") {
            let _ = write!(head, "Content-Length: {}\r\n", self.body.len());
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        let answer = exchange(self.address, &[head.as_bytes(), &self.body].concat());
        if let Some(path) = path.strip_prefix(&self.base) {
            let body = (!framed).then_some(self.body.as_slice());
            described::check(&Sent { method, path, body }, &answer);
        }
        answer
    }
}

fn exchange(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // A service that refuses a body early may have closed the connection: its answer counts, not our write.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let _ = stream.shutdown(Shutdown::Both);
    Answer::parse(&answer)
}
