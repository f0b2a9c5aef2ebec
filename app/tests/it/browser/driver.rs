//! The process that drives a browser, asked by the protocol of W3C (`WebDriver` 2, <https://www.w3.org/TR/webdriver2/>).
//!
//! Calls are made here and not by a library: `thirtyfour` turns on `preserve_order` of `serde_json`, which changes what
//! all other tests of the workspace are built with.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::session::named;

/// How often it is started before that is given up.
const TRIES: usize = 5;

/// A process that drives browsers; it ends when this is dropped.
pub(super) struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// A new process. It asks for a free port and then for the same one of IPv6, and ends where another has that one.
    pub(super) fn start() -> Self {
        (0..TRIES).find_map(|_| Self::try_start()).expect("the driver starts")
    }

    fn try_start() -> Option<Self> {
        let mut command = Command::new(named("TONNE_TEST_CHROMEDRIVER"));
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        let Some(said) = lines.find(|line| line.contains("was started successfully on port")) else {
            child.wait().unwrap();
            return None;
        };
        let port = said.trim_end_matches('.').rsplit(' ').next().and_then(|port| port.parse().ok()).expect("a port");
        // Whoever does not read on would stop it once the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { child, port })
    }

    pub(super) fn get(&self, path: &str) -> Value {
        self.value("GET", path, "")
    }

    /// The value of what is asked of an element; `None` where its page is gone.
    pub(super) fn found(&self, path: &str) -> Option<Value> {
        let mut answer = self.answer("GET", path, "");
        if answer["value"]["error"] == "stale element reference" {
            return None;
        }
        assert!(answer["value"].get("error").is_none(), "GET {path}: {answer}");
        Some(answer["value"].take())
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        self.value("POST", path, &body.to_string())
    }

    /// Ends a browser; one that ended by itself is none to end.
    pub(super) fn delete(&self, path: &str) {
        let _ = self.ask("DELETE", path, "");
    }

    /// The value of an answer.
    ///
    /// # Panics
    ///
    /// If the answer is an error.
    fn value(&self, method: &str, path: &str, body: &str) -> Value {
        let mut answer = self.answer(method, path, body);
        assert!(answer["value"].get("error").is_none(), "{method} {path}: {answer}");
        answer["value"].take()
    }

    /// An answer, which may be an error.
    fn answer(&self, method: &str, path: &str, body: &str) -> Value {
        let answer = self.ask(method, path, body).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{method} {path}: {answer}"))
    }

    /// The body of an answer. The driver says that it closes the connection and does not, so that its length counts.
    fn ask(&self, method: &str, path: &str, body: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        let head = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
        let kind = "Content-Type: application/json";
        write!(stream, "{head}{kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
        let (mut lines, mut length, mut line) = (BufReader::new(stream), 0, String::new());
        while lines.read_line(&mut line)? > 2 {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
            line.clear();
        }
        let mut body = vec![0; length];
        lines.read_exact(&mut body)?;
        String::from_utf8(body).map_err(io::Error::other)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
