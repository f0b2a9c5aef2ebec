//! The certificates that hosts are trusted by.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Why there are no certificates to trust.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RootsError(String);

/// Certificates of authorities that hosts' certificates must come from.
#[derive(Clone)]
pub struct Roots(pub(crate) Arc<ClientConfig>);

impl Roots {
    /// Those of the system, or of the files that `SSL_CERT_FILE` and `SSL_CERT_DIR` name; and those of a file in PEM, if
    /// one is given.
    pub fn of_system(more: Option<&Path>) -> Result<Self, RootsError> {
        let mut store = RootCertStore::empty();
        let found = rustls_native_certs::load_native_certs();
        store.add_parsable_certificates(found.certs);
        if let Some(path) = more {
            let wrong = |error: &dyn std::fmt::Display| RootsError(format!("{}: {error}", path.display()));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| wrong(&error))? {
                store.add(certificate.map_err(|error| wrong(&error))?).map_err(|error| wrong(&error))?;
            }
        }
        if store.is_empty() {
            let why = found.errors.first().map_or_else(String::new, |error| format!(" ({error})"));
            return Err(RootsError(format!(
                "the system has no certificates to trust{why}; install them (ca-certificates), or name a file of them in \
                 SSL_CERT_FILE"
            )));
        }
        Self::of(store)
    }

    /// Those alone, in DER.
    pub fn only(certificates: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, RootsError> {
        let mut store = RootCertStore::empty();
        for certificate in certificates {
            store.add(CertificateDer::from(certificate)).map_err(|error| RootsError(error.to_string()))?;
        }
        Self::of(store)
    }

    fn of(store: RootCertStore) -> Result<Self, RootsError> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| RootsError(format!("TLS cannot be set up: {error}")))?;
        let mut config = config.with_root_certificates(store).with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(config)))
    }
}
