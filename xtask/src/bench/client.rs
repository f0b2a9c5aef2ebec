//! As much of HTTP/1.1 as measuring needs: one connection that is kept, answers with a length or in chunks.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// A client with a key.
pub(super) struct Client {
    stream: BufReader<TcpStream>,
    base: String,
    key: String,
}

impl Client {
    /// Connects to the service of a base address such as `http://127.0.0.1:8080/api`.
    pub(super) fn connect(base: &str, key: &str) -> Result<Self> {
        let rest = base.strip_prefix("http://").context("the base address is not of http://")?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let stream = TcpStream::connect(host).with_context(|| format!("cannot connect to {host}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), base: path.to_owned(), key: key.to_owned() })
    }

    /// Asks for a JSON document.
    pub(super) fn get(&mut self, path: &str) -> Result<Value> {
        self.ask("GET", path, "application/json", "")
    }

    /// Sends a JSON document.
    pub(super) fn post(&mut self, path: &str, body: &str) -> Result<Value> {
        self.ask("POST", path, "application/json", body)
    }

    /// Asks for a long answer and gives its length in bytes.
    pub(super) fn stream(&mut self, path: &str, media_type: &str) -> Result<u64> {
        self.send("GET", path, media_type, "")?;
        let mut length = 0;
        self.answer(path, |bytes| length += bytes.len() as u64)?;
        Ok(length)
    }

    fn ask(&mut self, method: &str, path: &str, media_type: &str, body: &str) -> Result<Value> {
        self.send(method, path, media_type, body)?;
        let mut answer = Vec::new();
        self.answer(path, |bytes| answer.extend_from_slice(bytes))?;
        serde_json::from_slice(&answer).with_context(|| format!("{path} did not answer JSON"))
    }

    fn send(&mut self, method: &str, path: &str, media_type: &str, body: &str) -> Result<()> {
        let Self { base, key, .. } = self;
        let request = format!(
            "{method} {base}{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nAccept: {media_type}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).with_context(|| format!("cannot ask {path}"))
    }

    fn answer(&mut self, path: &str, mut take: impl FnMut(&[u8])) -> Result<()> {
        let status = self.line()?;
        let (mut length, mut chunked) = (0, false);
        loop {
            let line = self.line()?.to_ascii_lowercase();
            match line.split_once(": ") {
                _ if line.is_empty() => break,
                Some(("content-length", value)) => length = value.parse()?,
                Some(("transfer-encoding", "chunked")) => chunked = true,
                _ => {}
            }
        }
        if chunked {
            loop {
                let size = u64::from_str_radix(&self.line()?, 16).context("a chunk has no size")?;
                self.body(size, &mut take)?;
                ensure!(self.line()?.is_empty(), "a chunk is longer than it says");
                if size == 0 {
                    break;
                }
            }
        } else {
            self.body(length, &mut take)?;
        }
        if !status.starts_with("HTTP/1.1 2") {
            bail!("{path} was answered {status}");
        }
        Ok(())
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.stream.read_line(&mut line)? > 0, "the service closed the connection");
        Ok(line.trim_end().to_owned())
    }

    fn body(&mut self, length: u64, take: &mut impl FnMut(&[u8])) -> Result<()> {
        let mut left = (&mut self.stream).take(length);
        loop {
            let bytes = left.fill_buf()?;
            if bytes.is_empty() {
                ensure!(left.limit() == 0, "an answer was cut");
                return Ok(());
            }
            let count = bytes.len();
            take(bytes);
            left.consume(count);
        }
    }
}
