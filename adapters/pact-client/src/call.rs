//! One request and its answer, on a connection of its own to an address that was judged.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, HOST, HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Request, Response, client::conn::http1};
use hyper_util::rt::TokioIo;
use ports::partner_host::{HostError, PartnerAddress};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Host, Url};

use crate::network::Network;
use crate::reach::{Unreached, judge};
use crate::roots::Roots;

/// How long a call may take and how much it may answer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// To find the name's addresses, and then to be connected to one of them: each gets an equal share of what is left, so that
    /// one where nothing answers leaves time for the others.
    pub connect: Duration,
    /// For the whole call, from the name to the last byte.
    pub whole: Duration,
    /// Bytes of an answer's body.
    pub answer_bytes: usize,
}

impl Default for Limits {
    /// 10 s to be connected, 60 s for the whole, 8 MiB.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), whole: Duration::from_mins(1), answer_bytes: 8 << 20 }
    }
}

/// What calls are made with.
pub(crate) struct Caller {
    pub(crate) network: Arc<dyn Network>,
    pub(crate) roots: Roots,
    pub(crate) limits: Limits,
}

/// An answer that was read to its end.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Ends the task of a connection with the call that it is for.
struct Ended(JoinHandle<()>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Caller {
    /// Sends the request to that address, whose path and query it gets.
    pub(crate) async fn call(
        &self,
        at: &PartnerAddress,
        url: &Url,
        request: Request<Vec<u8>>,
    ) -> Result<Answered, HostError> {
        self.call_noting(at, url, request, &AtomicBool::new(false)).await
    }

    /// The same, noting that the request begins to leave this process.
    pub(crate) async fn call_noting(
        &self,
        at: &PartnerAddress,
        url: &Url,
        request: Request<Vec<u8>>,
        has_left: &AtomicBool,
    ) -> Result<Answered, HostError> {
        let name = host_of(url)?;
        let limit = self.limits.whole;
        let whole = async {
            let stream = self.connect(at, url, &name).await?;
            if url.scheme() == "http" {
                return self.exchange(stream, url, request, has_left).await;
            }
            let server = ServerName::try_from(name.clone())
                .map_err(|_| HostError::NotAllowed(format!("{name} is no name that a certificate can hold")))?;
            let connector = TlsConnector::from(Arc::clone(&self.roots.0));
            let stream = connector.connect(server, stream).await;
            let stream = stream.map_err(|error| HostError::Unreachable(format!("{name}, by TLS: {error}")))?;
            self.exchange(stream, url, request, has_left).await
        };
        let late = |_| HostError::Unreachable(format!("{name} did not answer whole within {} ms", limit.as_millis()));
        timeout(limit, whole).await.map_err(late)?
    }

    /// A connection to the first of the host's addresses that takes one. All of them must be allowed.
    async fn connect(&self, at: &PartnerAddress, url: &Url, name: &str) -> Result<TcpStream, HostError> {
        let unreachable = |why: String| HostError::Unreachable(format!("{name}: {why}"));
        let late = || unreachable(format!("no connection within {} ms", self.limits.connect.as_millis()));
        let port = url.port_or_known_default().unwrap_or(443);
        let found = async {
            match url.host() {
                Some(Host::Ipv4(address)) => Ok(vec![IpAddr::V4(address)]),
                Some(Host::Ipv6(address)) => Ok(vec![IpAddr::V6(address)]),
                Some(Host::Domain(_)) | None => self.network.resolve(name).await,
            }
        };
        let addresses = timeout(self.limits.connect, found).await.map_err(|_| late())?;
        let addresses = addresses.map_err(|error| unreachable(format!("the name has no address: {error}")))?;
        for address in &addresses {
            check(name, *address, at)?;
        }
        let connected = async {
            let mut why = "the name has no address".to_owned();
            let end = Instant::now() + self.limits.connect;
            let mut left = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
            for address in addresses {
                let share = end.saturating_duration_since(Instant::now()) / left.max(1);
                left = left.saturating_sub(1);
                match timeout(share, self.network.connect(SocketAddr::new(address, port))).await {
                    Ok(Ok(stream)) => return Ok(stream),
                    Ok(Err(error)) => why = format!("{address} port {port}: {error}"),
                    Err(_) => why = format!("{address} port {port}: no connection within {} ms", share.as_millis()),
                }
            }
            Err(unreachable(why))
        };
        connected.await
    }

    async fn exchange(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        url: &Url,
        request: Request<Vec<u8>>,
        has_left: &AtomicBool,
    ) -> Result<Answered, HostError> {
        let name = url.host_str().unwrap_or_default();
        let broken = |error: hyper::Error| HostError::Unreachable(format!("{name}: {}", whole_error(&error)));
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        let _ended = Ended(tokio::spawn(async {
            // What goes wrong with the connection is told by the request on it.
            let _ = connection.await;
        }));
        let request = prepared(url, request)?;
        has_left.store(true, Ordering::SeqCst);
        let answer = sender.send_request(request).await.map_err(broken)?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        if let Some(encoding) = headers.get(CONTENT_ENCODING).filter(|value| !value.as_bytes().is_empty())
            && encoding != "identity"
        {
            return Err(HostError::Answer("it is compressed, which was not asked for".to_owned()));
        }
        let body = self.body(answer).await.map_err(|error| error.unwrap_or_else(broken))?;
        Ok(Answered { status, headers, body })
    }

    /// The body, of which no byte above the limit is kept.
    async fn body(&self, answer: Response<Incoming>) -> Result<Vec<u8>, Broken> {
        let (mut body, mut bytes) = (answer.into_body(), Vec::new());
        let limit = self.limits.answer_bytes;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(Broken::Connection)?;
            let Some(data) = frame.data_ref() else { continue };
            if bytes.len() + data.len() > limit {
                return Err(Broken::TooLarge(limit));
            }
            bytes.extend_from_slice(data);
        }
        Ok(bytes)
    }
}

/// Why a body was not read to its end.
enum Broken {
    Connection(hyper::Error),
    TooLarge(usize),
}

impl Broken {
    fn unwrap_or_else(self, told: impl FnOnce(hyper::Error) -> HostError) -> HostError {
        match self {
            Self::Connection(error) => told(error),
            Self::TooLarge(limit) => HostError::Answer(format!("it is larger than {limit} bytes")),
        }
    }
}

/// The request in the form of a connection to the host itself.
fn prepared(url: &Url, request: Request<Vec<u8>>) -> Result<Request<Full<Bytes>>, HostError> {
    let unsendable = |what: &str| HostError::NotAllowed(format!("{what} cannot be sent"));
    let (mut parts, body) = request.into_parts();
    let query = url.query().map_or_else(String::new, |query| format!("?{query}"));
    parts.uri = format!("{}{query}", url.path()).parse().map_err(|_| unsendable("its path and query"))?;
    let host = url.host_str().unwrap_or_default();
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    parts.headers.insert(HOST, HeaderValue::from_str(&host).map_err(|_| unsendable("its host"))?);
    let agent = concat!("tonne/", env!("CARGO_PKG_VERSION"));
    for (name, value) in [(USER_AGENT, agent), (ACCEPT_ENCODING, "identity"), (CONNECTION, "close")] {
        parts.headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(Request::from_parts(parts, Full::new(Bytes::from(body))))
}

/// Refuses an address that may not be called.
fn check(name: &str, address: IpAddr, at: &PartnerAddress) -> Result<(), HostError> {
    let refused = |what: Unreached, mend: &str| {
        let leads = if name.parse() == Ok(address) { "is".to_owned() } else { format!("leads to {address},") };
        Err(HostError::NotAllowed(format!("{name} {leads} {}{mend}", what.words())))
    };
    match judge(address) {
        None => Ok(()),
        Some(Unreached::Nearby(_)) if at.private_addresses => Ok(()),
        Some(what @ Unreached::Nearby(_)) => refused(what, ": private addresses are not allowed for this partner"),
        Some(what @ Unreached::Special(_)) => refused(what, ": no host is there"),
    }
}

/// The name of the host; an address of IPv6 without its brackets.
fn host_of(url: &Url) -> Result<String, HostError> {
    match url.host() {
        Some(Host::Domain(name)) => Ok(name.to_owned()),
        Some(Host::Ipv4(address)) => Ok(address.to_string()),
        Some(Host::Ipv6(address)) => Ok(address.to_string()),
        None => Err(HostError::NotAllowed("the address has no host".to_owned())),
    }
}

/// The error and what it comes from.
fn whole_error(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        told = format!("{told}: {error}");
        source = error.source();
    }
    told
}
