//! Answers that no request got: to a connection for which there is no slot, and in place of those that the HTTP parser
//! gives by itself. They are problems like all others.

use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;
use std::time::Instant;

use actix_web::body::MessageBody as _;
use actix_web::http::StatusCode;

use crate::log_pace::LogPace;
use crate::problem::{ErrorForm, Kind, Problem};
use crate::request_id::{HEADER, RequestId};

/// What the log says of connections that were refused: a line a second of each sort.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    full: LogPace,
    unreadable: LogPace,
    handshake: LogPace,
}

impl Refusals {
    /// Notes that there was no slot for a connection.
    pub(crate) fn full(&self, peer: Option<SocketAddr>) {
        if let Some(left_out) = self.full.due(Instant::now()) {
            let peer = peer.map(|peer| peer.to_string()).unwrap_or_default();
            tracing::warn!(peer, left_out, "A connection was refused: there are too many, in all or of its address.");
        }
    }

    /// Notes that a connection was closed before its handshake was done.
    pub(crate) fn handshake(&self, peer: Option<SocketAddr>, error: &io::Error) {
        // Whoever only asks whether the port answers connects and leaves.
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return;
        }
        if let Some(left_out) = self.handshake.due(Instant::now()) {
            let peer = peer.map(|peer| peer.to_string()).unwrap_or_default();
            tracing::warn!(peer, %error, left_out, "A connection was refused: its TLS handshake failed.");
        }
    }

    /// Notes that what came on a connection could not be read as a request.
    fn unreadable(&self, peer: Option<SocketAddr>, status: StatusCode, id: &RequestId) {
        if let Some(left_out) = self.unreadable.due(Instant::now()) {
            let (peer, status) = (peer.map(|peer| peer.to_string()).unwrap_or_default(), status.as_u16());
            tracing::warn!(request.id = id.as_str(), peer, status, left_out, "What a client sent is no request.");
        }
    }

    /// Where the parser's answer begins that those bytes end with. It comes behind the answer to the request before, in
    /// one piece with its end. No answer of ours ends so: each says its type, and a chunked body ends otherwise.
    pub(super) fn start_in(bytes: &[u8]) -> Option<usize> {
        const STATUS: &[u8] = b"HTTP/1.";
        let head = bytes.strip_suffix(b"\r\n\r\n")?;
        let start = head.windows(STATUS.len()).rposition(|window| window == STATUS)?;
        let mut lines = head.get(start..)?.split(|byte| *byte == b'\n').skip(1);
        let known: [&[u8]; 3] = [b"content-length: 0", b"connection: ", b"date: "];
        lines.all(|line| known.iter().any(|known| line.starts_with(known))).then_some(start)
    }

    /// The problem that takes the place of the parser's answer, if those bytes are one.
    pub(super) fn in_place_of(&self, answer: &[u8], peer: Option<SocketAddr>) -> Option<Vec<u8>> {
        let behind = answer.strip_prefix(b"HTTP/1.").and_then(|rest| rest.get(1..))?.strip_prefix(b" ")?;
        let status = StatusCode::from_bytes(behind.get(..3)?).ok()?;
        let problem = match status {
            StatusCode::REQUEST_TIMEOUT => {
                Problem::new(Kind::Timeout, "The head of the request did not arrive in time.")
            }
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Problem::new(
                Kind::HeadTooLarge,
                "The first line and the headers may have 128 KiB: send a shorter query, or fewer headers.",
            ),
            status if status.is_client_error() => {
                Problem::new(Kind::Malformed, "What was sent cannot be read as a request of HTTP/1.1.")
            }
            _ => return None,
        };
        let id = RequestId::new();
        if status != StatusCode::REQUEST_TIMEOUT {
            self.unreadable(peer, status, &id);
        }
        Some(bytes(&problem, &id))
    }
}

/// The answer to a connection for which there is no slot.
pub(super) fn busy_answer() -> Vec<u8> {
    bytes(&Problem::busy("there are too many connections"), &RequestId::new())
}

/// The whole answer, with its head, after which the connection closes.
fn bytes(problem: &Problem, id: &RequestId) -> Vec<u8> {
    let answer = problem.render(ErrorForm::Problem, Some(id.as_str()));
    let mut head = format!("HTTP/1.1 {}\r\nconnection: close\r\n{HEADER}: {}\r\n", answer.status(), id.as_str());
    for (name, value) in answer.headers() {
        if let Ok(value) = value.to_str() {
            let _ = write!(head, "{name}: {value}\r\n");
        }
    }
    let body = answer.into_body().try_into_bytes().unwrap_or_default();
    let _ = write!(head, "content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), &body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_place_of(answer: &str) -> Option<String> {
        let answer = Refusals::default().in_place_of(answer.as_bytes(), None)?;
        Some(String::from_utf8(answer).unwrap())
    }

    #[test]
    fn a_parsers_answer_becomes_a_problem_that_closes() {
        for (status, name) in
            [("400 Bad Request", "malformed-request"), ("431 Request Header Fields Too Large", "head-too-large")]
        {
            let answer = in_place_of(&format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n")).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{head}");
            assert!(head.contains("connection: close") && head.contains("x-request-id: "), "{head}");
            assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
            assert!(body.contains(&format!("/problems/{name}")), "{body}");
        }
    }

    #[test]
    fn other_bytes_stay_as_they_are() {
        for bytes in ["", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "hello", "HTTP/1.1 4"] {
            assert_eq!(in_place_of(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn a_parsers_answer_is_found_behind_another() {
        let parsers = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: now\r\n\r\n";
        let first = "HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ncontent-length: 5\r\n\r\nhello";
        assert_eq!(Refusals::start_in(parsers.as_bytes()), Some(0));
        assert_eq!(Refusals::start_in(format!("{first}{parsers}").as_bytes()), Some(first.len()));
        let chunked = format!("{parsers}\r\n0\r\n\r\n");
        for other in [first, "", chunked.as_str(), "HTTP/1.1 400 Bad Request\r\nx-request-id: a\r\n\r\n"] {
            assert_eq!(Refusals::start_in(other.as_bytes()), None, "{other:?}");
        }
    }

    #[test]
    fn a_refused_connection_is_told_when_to_come_back() {
        let answer = String::from_utf8(busy_answer()).unwrap();
        assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: 1\r\n"), "{answer}");
    }
}
