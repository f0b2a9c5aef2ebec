//! Asking a running service whether it can answer, as whoever watches over it does.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

/// The status that the service at that address answers `GET /health/ready` with. Over TLS any certificate will do: it is for
/// the name that clients call, not for this address, and nothing secret is sent.
pub async fn probe(address: SocketAddr, is_tls: bool, patience: Duration) -> io::Result<u16> {
    let late = |_| io::Error::new(io::ErrorKind::TimedOut, "no answer came in time");
    timeout(patience, ask(address, is_tls)).await.map_err(late)?
}

async fn ask(address: SocketAddr, is_tls: bool) -> io::Result<u16> {
    let stream = TcpStream::connect(address).await?;
    if !is_tls {
        return status(stream, address).await;
    }
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
    let config = config.map_err(io::Error::other)?.dangerous();
    let config = config.with_custom_certificate_verifier(Arc::new(AnyCertificate(provider))).with_no_client_auth();
    let name = ServerName::IpAddress(address.ip().into());
    status(TlsConnector::from(Arc::new(config)).connect(name, stream).await?, address).await
}

async fn status(mut stream: impl AsyncRead + AsyncWrite + Unpin, address: SocketAddr) -> io::Result<u16> {
    let request = format!("GET /health/ready HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    // The status line as far as the status. Some close a connection of TLS without saying so, which is no matter then.
    let mut start = [0; b"HTTP/1.1 200".len()];
    stream.read_exact(&mut start).await?;
    let status = start.strip_prefix(b"HTTP/1.1 ").and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    status.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "what answers there does not speak HTTP/1.1"))
}

/// Takes a certificate of any name and issuer, whose key signed the handshake.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
