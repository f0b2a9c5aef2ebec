//! The certificate of the listener, which can be replaced while connections are served.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use domain::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, InconsistentKeys, ServerConfig};
use x509_parser::prelude::{FromDer as _, X509Certificate};

/// A certificate with its key, from two files. Clones are the same one.
#[derive(Clone)]
pub struct Tls(Arc<Inner>);

struct Inner {
    certificate: PathBuf,
    key: PathBuf,
    shown: Arc<Shown>,
    server: Arc<ServerConfig>,
    /// What the files held when they were last read, good or not.
    last_read: Mutex<Digest>,
}

type Digest = [u8; 32];

/// The certificate that handshakes show.
#[derive(Debug)]
struct Shown(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Tls {
    /// Reads a chain of certificates, the service's own first, and the private key of that one, both in PEM.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let (read, digest) = read(certificate, key);
        let shown = Arc::new(Shown(RwLock::new(Arc::new(read.and_then(|pair| pair.certified(&provider))?))));
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(|error| TlsError(format!("TLS cannot be set up: {error}")))?;
        let mut config = config.with_no_client_auth().with_cert_resolver(Arc::clone(&shown) as Arc<_>);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(Inner {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            shown,
            server: Arc::new(config),
            last_read: Mutex::new(digest),
        })))
    }

    /// From when until when each certificate of the chain that is shown is good, the service's own first.
    pub fn lifetimes(&self) -> Result<Vec<Lifetime>, TlsError> {
        let shown = Arc::clone(&self.0.shown.0.read().unwrap_or_else(PoisonError::into_inner));
        shown.cert.iter().map(|certificate| Lifetime::of(certificate, &self.0.certificate)).collect()
    }

    /// Reads the files again, and has handshakes from now on show what is in them; whether that is another certificate than
    /// before. Connections that are open stay. Fails once for each content that is no certificate with its key; handshakes
    /// then show what they showed before.
    pub fn reload(&self) -> Result<bool, TlsError> {
        let (read, digest) = read(&self.0.certificate, &self.0.key);
        let mut last_read = self.0.last_read.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *last_read, digest) == digest {
            return Ok(false);
        }
        let new = read?.certified(self.0.server.crypto_provider())?;
        *self.0.shown.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
        Ok(true)
    }

    /// What does the handshakes of connections.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.0.server))
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls").field("certificate", &self.0.certificate).finish_non_exhaustive()
    }
}

/// From when until when a certificate is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Whom it is for, such as `CN=carbon.example.com`.
    pub subject: String,
    /// The first moment at which it is good.
    pub from: Timestamp,
    /// The last one.
    pub until: Timestamp,
}

impl Lifetime {
    fn of(certificate: &CertificateDer<'_>, file: &Path) -> Result<Self, TlsError> {
        let file = file.display();
        let (_, read) = X509Certificate::from_der(certificate)
            .map_err(|error| TlsError(format!("{file} holds a certificate that cannot be read: {error}")))?;
        let moment = |seconds: i64| {
            let read = seconds.checked_mul(1_000).and_then(Timestamp::from_millis);
            read.ok_or_else(|| TlsError(format!("{file} holds a certificate with a time that is none")))
        };
        let validity = read.validity();
        let (from, until) = (moment(validity.not_before.timestamp())?, moment(validity.not_after.timestamp())?);
        Ok(Self { subject: read.subject().to_string(), from, until })
    }
}

/// The contents of the two files.
struct Pair<'a> {
    certificate: (&'a Path, Vec<u8>),
    key: (&'a Path, Vec<u8>),
}

/// What the files hold, and a digest of it; also of that they cannot be read.
fn read<'a>(certificate: &'a Path, key: &'a Path) -> (Result<Pair<'a>, TlsError>, Digest) {
    let mut digest = Sha256::new();
    let mut bytes = |path: &'a Path| {
        let read = std::fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()));
        let content = read.as_ref().map_or_else(String::as_bytes, Vec::as_slice);
        digest.update(content.len().to_be_bytes());
        digest.update(content);
        read
    };
    let (one, other) = (bytes(certificate), bytes(key));
    let pair = match (one, other) {
        (Ok(one), Ok(other)) => Ok(Pair { certificate: (certificate, one), key: (key, other) }),
        (Err(one), Err(other)) => Err(TlsError(format!("{one}; {other}"))),
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(TlsError(error)),
    };
    (pair, digest.finalize().into())
}

impl Pair<'_> {
    fn certified(&self, provider: &CryptoProvider) -> Result<CertifiedKey, TlsError> {
        let ((certificate, chain), (key, private)) = (&self.certificate, &self.key);
        let (certificate, key) = (certificate.display(), key.display());
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
        let chain =
            chain.map_err(|error| TlsError(format!("{certificate} is no chain of certificates in PEM: {error}")))?;
        if chain.is_empty() {
            return Err(TlsError(format!("{certificate} holds no certificate in PEM (-----BEGIN CERTIFICATE-----)")));
        }
        let private = PrivateKeyDer::from_pem_slice(private)
            .map_err(|error| TlsError(format!("{key} holds no private key in PEM that can be read: {error}")))?;
        CertifiedKey::from_der(chain, private, provider).map_err(|error| {
            TlsError(if error == Error::InconsistentKeys(InconsistentKeys::KeyMismatch) {
                format!("the key in {key} is not that of the first certificate in {certificate}")
            } else {
                format!("{certificate} and {key} cannot be used: {error}")
            })
        })
    }
}

/// Why a certificate cannot be used: which file, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsError(String);

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TlsError {}
