//! Where the suite is called back: tokens at the fixed path without a discovery document, and events of both versions, by
//! http on loopback. It looks at no token.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::super::super::harness::Value;

/// How long an event is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// What came.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) path: String,
    pub(super) content_type: String,
    pub(super) body: Value,
}

/// A running listener. It ends when it is dropped.
pub(super) struct Listener {
    pub(super) base: String,
    patience: Duration,
    received: Arc<Mutex<Vec<Received>>>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let noted = Arc::clone(&received);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                match stream.ok().and_then(answered) {
                    Some(one) if one.path == "end" => return,
                    Some(one) => noted.lock().unwrap().push(one),
                    None => {}
                }
            }
        });
        Self { base, patience: PATIENCE, received, thread: Some(thread) }
    }

    /// Nothing will come, so that nothing is waited for.
    pub(super) const fn expect_nothing(&mut self) {
        self.patience = Duration::ZERO;
    }

    /// How much came that fits.
    pub(super) fn count(&self, fits: impl Fn(&Received) -> bool) -> usize {
        self.received.lock().unwrap().iter().filter(|one| fits(one)).count()
    }

    /// What came and fits, waited for.
    pub(super) fn wait(&self, fits: impl Fn(&Received) -> bool) -> Option<Received> {
        let end = Instant::now() + self.patience;
        loop {
            if let Some(found) = self.received.lock().unwrap().iter().find(|one| fits(one)).cloned() {
                return Some(found);
            }
            if Instant::now() >= end {
                return None;
            }
            std::thread::yield_now();
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Ok(mut stream) = TcpStream::connect(self.base.trim_start_matches("http://")) {
            let _ = stream.write_all(b"GET end HTTP/1.1\r\n\r\n");
        }
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Reads a request and answers it; gives what it was.
fn answered(mut stream: TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let (mut length, mut content_type) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "content-type" => value.trim().clone_into(&mut content_type),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (status, answer) = match path.as_str() {
        "/auth/token" => ("200 OK", r#"{"access_token":"anything","token_type":"Bearer"}"#),
        "/2/events" | "/3/events" => ("200 OK", ""),
        _ => ("404 Not Found", r#"{"code":"NotFound","message":"no"}"#),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}", answer.len());
    stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n{answer}").as_bytes()).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Received { path, content_type, body })
}
