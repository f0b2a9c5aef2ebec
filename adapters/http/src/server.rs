//! The server: connections, their time limits, and how it stops.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::{App, HttpServer};

use crate::routes::configure;
use crate::service::Service;

/// How long a client may take to take note that its connection closes.
const FAREWELL: Duration = Duration::from_secs(5);

/// A server of the service on the listener: a future that is to be awaited, and ends when its handle stops it.
///
/// A graceful stop takes no new connection, lets requests finish for as long as the limits say, then cuts the rest.
/// Signals are the caller's to handle.
pub fn serve(service: Service, listener: TcpListener) -> io::Result<Server> {
    let limits = service.limits().clone();
    bound_silence(&listener, limits.stream_silence)?;
    let app = move || App::new().configure(configure(&service));
    let server = HttpServer::new(app)
        .client_request_timeout(limits.head)
        .client_disconnect_timeout(FAREWELL)
        .keep_alive(limits.keep_alive)
        .shutdown_timeout(limits.shutdown.as_secs())
        .disable_signals()
        .listen(listener)?;
    Ok(server.run())
}

/// Has connections closed whose client takes nothing of what was sent for that long. Accepted connections inherit it.
#[cfg(target_os = "linux")]
fn bound_silence(listener: &TcpListener, silence: Duration) -> io::Result<()> {
    socket2::SockRef::from(listener).set_tcp_user_timeout(Some(silence))
}

/// Elsewhere the system's own time limit stands.
#[cfg(not(target_os = "linux"))]
fn bound_silence(_: &TcpListener, _: Duration) -> io::Result<()> {
    Ok(())
}
