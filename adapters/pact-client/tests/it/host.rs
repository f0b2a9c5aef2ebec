//! A host whose answers a test writes, the network that leads to it, and a client of it.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use ports::partner_host::PartnerAddress;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tonne_pact_client::{Client, Limits, Network, Roots};

/// An address of the internet: nothing is sent there, since the scripted network leads to the host.
pub(crate) const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 215, 14));

/// A request as the host got it.
#[derive(Clone, Debug)]
pub(crate) struct Got {
    /// Such as `GET /api/2/footprints`.
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Got {
    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// What the host does with a request.
pub(crate) enum Reply {
    /// Sends those bytes and closes.
    Bytes(Vec<u8>),
    /// Sends a head, and then a body without end.
    Endless,
    /// Says nothing and holds the connection.
    Silence,
}

/// A whole answer.
pub(crate) fn reply(status: u16, headers: &[&str], body: &str) -> Reply {
    let more = headers.iter().flat_map(|line| [*line, "\r\n"]).collect::<String>();
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n", body.len());
    Reply::Bytes(format!("{head}{body}").into_bytes())
}

/// An answer of JSON.
pub(crate) fn json(status: u16, body: &str) -> Reply {
    reply(status, &["Content-Type: application/json"], body)
}

/// A host, what it was asked, and how it is reached.
pub(crate) struct Host {
    pub(crate) at: PartnerAddress,
    pub(crate) client: Client,
    pub(crate) network: Arc<Scripted>,
    got: Arc<Mutex<Vec<Got>>>,
}

/// A network whose names lead where the test says, and whose connections all lead to the host.
pub(crate) struct Scripted {
    /// What names lead to, one after the other; the last stays.
    names: Mutex<VecDeque<Vec<IpAddr>>>,
    /// The addresses that connections were asked for.
    pub(crate) connected: Mutex<Vec<IpAddr>>,
    /// How often a name was asked for.
    pub(crate) resolved: Mutex<u32>,
    /// The addresses that nothing answers at.
    pub(crate) silent: Mutex<Vec<IpAddr>>,
}

#[async_trait]
impl Network for Scripted {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        *self.resolved.lock().unwrap() += 1;
        let mut names = self.names.lock().unwrap();
        let next = if names.len() > 1 { names.pop_front() } else { names.front().cloned() };
        next.ok_or_else(|| io::Error::other("no such name"))
    }

    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        self.connected.lock().unwrap().push(address.ip());
        let is_silent = self.silent.lock().unwrap().contains(&address.ip());
        if is_silent {
            std::future::pending::<()>().await;
        }
        TcpStream::connect((Ipv4Addr::LOCALHOST, address.port())).await
    }
}

impl Scripted {
    /// What names lead to from now on, one after the other.
    pub(crate) fn leads_to(&self, answers: impl IntoIterator<Item = Vec<IpAddr>>) {
        *self.names.lock().unwrap() = answers.into_iter().collect();
    }
}

impl Host {
    /// A host at an address of the internet.
    pub(crate) async fn start(script: impl Fn(&Got) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(Limits { whole: Duration::from_secs(20), ..Limits::default() }, script).await
    }

    /// The same with other limits of the client.
    pub(crate) async fn with(limits: Limits, script: impl Fn(&Got) -> Reply + Send + Sync + 'static) -> Self {
        let made = rcgen::generate_simple_self_signed(["partner.example".to_owned()]).unwrap();
        let certificate = made.cert.der().to_vec();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(certificate.clone())], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let got = Arc::new(Mutex::new(Vec::new()));
        tokio::spawn(serve(listener, TlsAcceptor::from(Arc::new(server)), Arc::new(script), Arc::clone(&got)));
        let network = Arc::new(Scripted {
            names: Mutex::new(VecDeque::from([vec![PUBLIC]])),
            connected: Mutex::default(),
            resolved: Mutex::default(),
            silent: Mutex::default(),
        });
        let client = Client::new(Arc::clone(&network) as Arc<_>, Roots::only([certificate]).unwrap(), limits);
        let at = PartnerAddress {
            base_url: format!("https://partner.example:{port}/api"),
            auth_url: None,
            client_id: "us:at them".to_owned(),
            client_secret: "a secret/of+ours%".to_owned(),
            private_addresses: false,
            plain_http: false,
        };
        Self { at, client, network, got }
    }

    /// What it was asked, in order.
    pub(crate) fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// The first lines of what it was asked.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.got().into_iter().map(|got| got.line).collect()
    }
}

type Script = dyn Fn(&Got) -> Reply + Send + Sync;

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, script: Arc<Script>, got: Arc<Mutex<Vec<Got>>>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (acceptor, script, got) = (acceptor.clone(), Arc::clone(&script), Arc::clone(&got));
        tokio::spawn(async move {
            let Ok(mut stream) = acceptor.accept(stream).await else { return };
            let Some(request) = request(&mut stream).await else { return };
            got.lock().unwrap().push(request.clone());
            let reply = script(&request);
            match reply {
                Reply::Bytes(bytes) => {
                    let _ = stream.write_all(&bytes).await;
                    let _ = stream.shutdown().await;
                }
                Reply::Endless => {
                    let head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"data\":[\"";
                    let mut sent = stream.write_all(head).await;
                    while sent.is_ok() {
                        sent = stream.write_all(&[b'a'; 16_384]).await;
                    }
                }
                Reply::Silence => {
                    let _ = stream.read(&mut [0]).await;
                }
            }
        });
    }
}

async fn request(stream: &mut (impl AsyncRead + Unpin)) -> Option<Got> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    let end = loop {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        if let Some(at) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let line = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
    let mut got = Got { line, head, body: String::new() };
    let length: usize = got.header("content-length").map_or(0, |value| value.parse().unwrap());
    while bytes.len() < end + length {
        let read = stream.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
    }
    got.body = String::from_utf8(bytes[end..].to_vec()).unwrap();
    Some(got)
}

/// The reply to the calls for a token, and to the others what the test says.
pub(crate) fn with_token(request: &Got, other: impl FnOnce(&Got) -> Reply) -> Reply {
    match request.line.as_str() {
        "GET /api/.well-known/openid-configuration" => json(404, "{}"),
        "POST /api/auth/token" => json(200, r#"{"access_token":"t0ken","token_type":"bearer","expires_in":3600}"#),
        _ => other(request),
    }
}
