//! `[server]`: where the service listens and what it calls itself.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use http::IpNet;

use super::load::reader::{Section, Settings};

/// Where the service listens and what it calls itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The address to listen on: host and port; port 0 takes any that is free.
    pub listen: String,
    /// The origin that addresses are printed with, instead of the one that a trusted proxy names or the listener's.
    pub public_url: Option<Origin>,
    /// Other hosts that the service is known under, which links may lead to.
    pub allowed_hosts: Vec<String>,
    /// The certificate that it shows; without one it speaks HTTP without TLS.
    pub tls: Option<TlsFiles>,
    /// The proxies whose word on a request's sender and origin counts.
    pub trusted_proxies: Vec<IpNet>,
    /// The origins whose pages may read answers.
    pub cors_origins: Vec<Origin>,
    /// Seconds that requests get to finish in when the service stops.
    pub stop_timeout_s: u64,
}

impl Default for Server {
    fn default() -> Self {
        let listen = "127.0.0.1:8080".to_owned();
        Self {
            listen,
            public_url: None,
            allowed_hosts: Vec::new(),
            tls: None,
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            stop_timeout_s: 30,
        }
    }
}

impl Server {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("server");
        let server = Self {
            listen: section.value("listen", default.listen, listen),
            public_url: section.optional("public_url", Origin::parse),
            allowed_hosts: section.list("allowed_hosts", host),
            tls: TlsFiles::read(&mut section),
            trusted_proxies: section.list("trusted_proxies", network),
            cors_origins: section.list("cors_origins", Origin::parse),
            stop_timeout_s: section.number("stop_timeout_s", default.stop_timeout_s, 0..=3_600),
        };
        section.finish();
        server
    }
}

/// Where a certificate and its private key are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The chain of certificates in PEM, the service's own first.
    pub certificate: PathBuf,
    /// The private key in PEM.
    pub key: PathBuf,
}

impl TlsFiles {
    fn read(section: &mut Section<'_, '_>) -> Option<Self> {
        let given = ["tls_certificate", "tls_key"].map(|key| section.is_given(key));
        if given[0] != given[1] {
            let (there, missing) = if given[0] { ("certificate", "key") } else { ("key", "certificate") };
            section.note_fault(format!("server.tls_{there} is given without server.tls_{missing}: give both or none"));
        }
        let certificate = section.optional("tls_certificate", path);
        let key = section.optional("tls_key", path);
        Some(Self { certificate: certificate?.into(), key: key?.into() })
    }
}

fn path(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("names no file".to_owned()) } else { Ok(text.to_owned()) }
}

pub(super) fn listen(text: &str) -> Result<String, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
    let bare = !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
    if !host.is_empty() && bare && port.parse::<u16>().is_ok() {
        return Ok(text.to_owned());
    }
    Err(format!("{text:?} is no host and port, such as 127.0.0.1:8080 or [::1]:8080"))
}

/// Reads `192.0.2.7`, `2001:db8::7` or a range such as `10.0.0.0/8`.
fn network(text: &str) -> Result<IpNet, String> {
    let one = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
    let Ok(network) = one.or_else(|_| text.parse::<IpNet>()) else {
        return Err(format!("{text:?} is no address and no range of addresses, such as 192.0.2.7 or 10.0.0.0/8"));
    };
    if network.addr() != network.network() {
        return Err(format!("{text:?} begins within its range: write {}", network.trunc()));
    }
    // Peers of version 4 are known by their own addresses.
    if network.addr() != network.addr().to_canonical() {
        return Err(format!("{text:?} stands for addresses of IPv4: write them as such"));
    }
    Ok(network)
}

/// Reads `tonne.example` or `tonne.example:8443`.
fn host(text: &str) -> Result<String, String> {
    let is_host = !text.contains('/') && Origin::parse(&format!("https://{text}")).is_ok();
    if is_host {
        Ok(text.to_owned())
    } else {
        Err(format!("{text:?} is no host, such as tonne.example or tonne.example:8443"))
    }
}

/// Scheme, host and port of an address, without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// Reads `https://tonne.example` or `http://tonne.example:8080/`: nothing behind host and port but one slash.
    pub fn parse(text: &str) -> Result<Self, String> {
        let whole = text.strip_suffix('/').unwrap_or(text);
        let host = whole.strip_prefix("https://").or_else(|| whole.strip_prefix("http://"));
        let plain = |host: &str| {
            let (name, port) = match host.strip_prefix('[') {
                Some(rest) => rest.split_once(']').unwrap_or(("", "")),
                None => host.split_at(host.find(':').unwrap_or(host.len())),
            };
            let digits = |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok();
            let numbered = port.is_empty() || port.strip_prefix(':').is_some_and(digits);
            let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':');
            !name.is_empty() && numbered && name.bytes().all(allowed)
        };
        if host.is_some_and(plain) {
            return Ok(Self(whole.to_owned()));
        }
        Err(format!("{text:?} is no origin: scheme, host and port alone, such as https://tonne.example"))
    }

    /// The origin as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host, without the port.
    #[must_use]
    pub fn host(&self) -> &str {
        let behind = self.0.split_once("://").map_or(self.0.as_str(), |(_, behind)| behind);
        let port = behind.rfind(':').filter(|at| !behind[*at..].contains(']'));
        &behind[..port.unwrap_or(behind.len())]
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
