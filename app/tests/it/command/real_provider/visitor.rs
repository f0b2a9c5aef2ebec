//! Somebody with a browser, as far as two services can tell: cookies are kept for each, and redirects lead from one to the other.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::http::harness::Answer;

/// A browser that has been nowhere.
#[derive(Default)]
pub(super) struct Visitor {
    cookies: BTreeMap<String, BTreeMap<String, String>>,
}

/// The address of a page that names another one.
fn joined(at: &str, to: &str) -> String {
    if to.starts_with('/') { format!("{}{to}", origin(at)) } else { to.to_owned() }
}

/// The origin of an address.
fn origin(address: &str) -> &str {
    let behind = address.find("://").unwrap() + 3;
    let end = address[behind..].find('/').map_or(address.len(), |length| behind + length);
    &address[..end]
}

impl Visitor {
    pub(super) fn get(&mut self, address: &str) -> Answer {
        self.ask("GET", address, "")
    }

    /// Sends a form.
    pub(super) fn send(&mut self, address: &str, form: &str) -> Answer {
        self.ask("POST", address, form)
    }

    /// Where the page of that address leads.
    #[track_caller]
    pub(super) fn led(&mut self, address: &str) -> String {
        let answer = self.get(address);
        let to = answer.header("location").unwrap_or_else(|| panic!("{address} leads nowhere: {answer:?}"));
        joined(address, to)
    }

    /// Goes on at the provider from there, as whoever it is said to be or as nobody, to the address that it leads back to.
    /// A provider that knows the visitor does not ask.
    #[track_caller]
    pub(super) fn vouched(&mut self, address: &str, name: Option<&str>) -> String {
        let provider = origin(address).to_owned();
        let mut at = address.to_owned();
        while at.starts_with(&provider) {
            let answer = self.get(&at);
            let to = if let Some(to) = answer.header("location") {
                to.to_owned()
            } else {
                let action = answer.text().split("action=\"").nth(1).and_then(|rest| rest.split('"').next());
                let action = joined(&at, action.unwrap_or_else(|| panic!("no form at {at}: {answer:?}")));
                let form = name.map_or("answer=no".to_owned(), |name| format!("login={name}&answer=yes"));
                let answer = self.send(&action, &form);
                answer.header("location").unwrap_or_else(|| panic!("{action}: {answer:?}")).to_owned()
            };
            at = joined(&at, &to);
        }
        at
    }

    fn ask(&mut self, method: &str, address: &str, form: &str) -> Answer {
        let authority = origin(address).split_once("://").unwrap().1.to_owned();
        let path = &address[origin(address).len()..];
        let cookies = self.cookies.entry(authority.clone()).or_default();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\nAccept: text/html\r\n");
        if method == "POST" {
            let kind = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin";
            let _ = write!(head, "{kind}\r\nContent-Length: {}\r\n", form.len());
        }
        if !cookies.is_empty() {
            let pairs: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let _ = write!(head, "Cookie: {}\r\n", pairs.join("; "));
        }
        let mut stream = TcpStream::connect(&authority).unwrap();
        write!(stream, "{head}\r\n{form}").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let answer = Answer::parse(&bytes);
        for set in answer.headers("set-cookie") {
            let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}
