//! Requests over connections of their own, which may break off anywhere.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than anything takes; it keeps a test that hangs from hanging for ever.
const PATIENCE: Duration = Duration::from_secs(90);

/// A client of a service with a key.
#[derive(Clone)]
pub(super) struct Speaker {
    address: SocketAddr,
    base: String,
    key: String,
}

/// A request down to its bytes.
#[derive(Clone)]
pub(super) struct Request {
    address: SocketAddr,
    bytes: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

/// Where a client leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leave {
    /// After so many thousandths of the request.
    Asking(usize),
    /// After so many bytes of the answer; 0 is before it begins.
    Reading(usize),
}

impl Speaker {
    pub(super) fn new(address: SocketAddr, base: String, key: String) -> Self {
        Self { address, base, key }
    }

    /// The same at the same address with the key of another.
    pub(super) fn with_key_of(&self, other: &Self) -> Self {
        Self { key: other.key.clone(), ..self.clone() }
    }

    /// A request of that path below the base address, for an answer of that media type.
    pub(super) fn request(&self, method: &str, path: &str, accept: &str, body: &Value) -> Request {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (base, key, length) = (&self.base, &self.key, body.len());
        let text = format!(
            "{method} {base}{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
             Accept: {accept}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        Request { address: self.address, bytes: text.into_bytes() }
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "*/*", &Value::Null).send().await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", path, "*/*", body).send().await
    }
}

impl Request {
    /// Sends it and reads the whole answer.
    pub(super) async fn send(&self) -> Answer {
        let exchange = async {
            let mut stream = TcpStream::connect(self.address).await?;
            stream.write_all(&self.bytes).await?;
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).await?;
            io::Result::Ok(bytes)
        };
        Answer::parse(&timeout(PATIENCE, exchange).await.unwrap().unwrap())
    }

    /// Sends it, or a part of it, leaves, and gives what came back until then.
    pub(super) async fn leave(&self, place: Leave) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let (sent, read) = match place {
            Leave::Asking(thousandths) => (self.bytes.len() * thousandths / 1_000, 0),
            Leave::Reading(count) => (self.bytes.len(), count),
        };
        stream.write_all(&self.bytes[..sent]).await.unwrap();
        let mut bytes = Vec::new();
        let mut part = stream.take(read as u64);
        // The service may have closed the connection first.
        let _ = timeout(PATIENCE, part.read_to_end(&mut bytes)).await.unwrap();
        bytes
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_ascii_lowercase();
        let body = if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
        Self { status, head, body }
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The uuid of the record that was made.
    pub(super) fn uuid(&self) -> String {
        assert_eq!(self.status, 201, "{self:?}");
        self.json()["uuid"].as_str().unwrap().to_owned()
    }

    /// Whether the service says that it does not know the outcome.
    pub(super) fn is_unknown(&self) -> bool {
        self.status == 503 && self.body.contains("/problems/outcome-unknown")
    }

    /// Whether the service was busy, and said when to come again.
    pub(super) fn is_busy(&self) -> bool {
        let is_busy = self.status == 503 && !self.is_unknown();
        assert!(!is_busy || self.head.contains("\r\nretry-after: "), "{self:?}");
        is_busy
    }
}

/// The content of chunks, all of which must have come.
fn unchunked(mut text: &str) -> String {
    let mut content = String::new();
    loop {
        let (length, rest) = text.split_once("\r\n").unwrap_or_else(|| panic!("cut: {text:?}"));
        match usize::from_str_radix(length, 16).unwrap() {
            0 => return content,
            length => {
                content.push_str(&rest[..length]);
                text = &rest[length + 2..];
            }
        }
    }
}
