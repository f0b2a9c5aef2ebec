//! Certificates in files, which handshakes show.

use std::path::PathBuf;

use tempfile::TempDir;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tonne_http::Tls;

/// A folder with a certificate and its key.
pub(super) struct Files {
    folder: TempDir,
    pub(super) certificate: CertificateDer<'static>,
}

impl Files {
    pub(super) fn new() -> Self {
        let mut files = Self { folder: TempDir::new().unwrap(), certificate: CertificateDer::from(Vec::new()) };
        let key = files.replace_certificate();
        std::fs::write(files.key(), key).unwrap();
        files
    }

    /// Puts another certificate in place of the one that is there, and gives its key.
    pub(super) fn replace_certificate(&mut self) -> String {
        let made = rcgen::generate_simple_self_signed(["carbon.example".to_owned()]).unwrap();
        std::fs::write(self.certificate_file(), made.cert.pem()).unwrap();
        self.certificate = made.cert.der().clone();
        made.signing_key.serialize_pem()
    }

    pub(super) fn certificate_file(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    pub(super) fn key(&self) -> PathBuf {
        self.folder.path().join("key.pem")
    }

    pub(super) fn load(&self) -> Tls {
        Tls::load(&self.certificate_file(), &self.key()).unwrap()
    }
}
