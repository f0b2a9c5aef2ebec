//! A server on a real connection, and clients that say and hear its very bytes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use tonne_http::{Limits, Service, Tls, serve};

use crate::fake::{self, Activities};

/// Longer than any test may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A server over the stand-ins, that stops when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    handle: actix_web::dev::ServerHandle,
}

impl Server {
    pub(crate) fn start(activities: Activities, limits: Limits) -> Self {
        Self::of(fake::service(activities, limits))
    }

    pub(crate) fn of(service: Service) -> Self {
        Self::at("127.0.0.1:0", service, None)
    }

    /// One that listens on every address.
    pub(crate) fn everywhere(service: Service) -> Self {
        let mut server = Self::at("0.0.0.0:0", service, None);
        server.address = SocketAddr::from(([127, 0, 0, 1], server.address.port()));
        server
    }

    /// One whose connections begin with a handshake.
    pub(crate) fn over_tls(service: Service, tls: Tls) -> Self {
        Self::at("127.0.0.1:0", service, Some(tls))
    }

    fn at(address: &str, service: Service, tls: Option<Tls>) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let server = serve(service, listener, tls).unwrap();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { address, handle }
    }

    /// A connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A connection that asked for all activities.
    pub(crate) fn ask(&self, method: &str) -> TcpStream {
        self.ask_at("/api", method)
    }

    /// The same at a base path.
    pub(crate) fn ask_at(&self, base: &str, method: &str) -> TcpStream {
        let mut stream = self.connect();
        let head = format!(
            "{method} {base}/v1/activity HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer activity:read\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
    }
}

/// Everything that comes until the connection ends.
pub(crate) fn drain(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    actix_web::rt::task::spawn_blocking(work).await.unwrap()
}

/// Waits until the condition holds.
pub(crate) async fn until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "it did not come about");
        actix_web::rt::task::yield_now().await;
    }
}
