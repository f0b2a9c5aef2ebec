//! A server on a real connection, and clients that say and hear its very bytes.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use socket2::SockRef;
use tonne_http::{Limits, Service, Tls, serve};

use crate::fake::{self, Activities};

/// Longer than any test may take.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// The size of a connection's buffers where they are to be small.
const BUFFER: usize = 16 << 10;

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

    /// One for whose connections the system keeps no more than some KiB that were not read.
    pub(crate) fn with_small_buffers(service: Service) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        SockRef::from(&listener).set_recv_buffer_size(BUFFER).unwrap();
        Self::on(listener, service, None)
    }

    fn at(address: &str, service: Service, tls: Option<Tls>) -> Self {
        Self::on(TcpListener::bind(address).unwrap(), service, tls)
    }

    fn on(listener: TcpListener, service: Service, tls: Option<Tls>) -> Self {
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

    /// A connection of whose bytes the system keeps no more than some KiB that were not sent.
    pub(crate) fn connect_with_small_buffers(&self) -> TcpStream {
        let stream = self.connect();
        SockRef::from(&stream).set_send_buffer_size(BUFFER).unwrap();
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

/// Reads one answer by its length.
pub(crate) fn one_answer_to_end(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    let mut byte = [0];
    loop {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{answer}");
        answer.push(char::from(byte[0]));
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { continue };
        let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap();
        if body.len() == length.parse::<usize>().unwrap() {
            return answer;
        }
    }
}
