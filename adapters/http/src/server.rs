//! The server: connections, their time limits, and how it stops.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_http::HttpService;
use actix_server::ServerBuilder;
use actix_service::{IntoServiceFactory as _, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::App;
use actix_web::dev::{AppConfig, Extensions, Server};
use tokio::net::TcpStream;

use crate::connection::{ConnectionLimits, ConnectionSlots, FAREWELL, Farewells, GuardedStream, Refusals, Transport};
use crate::reached::Listening;
use crate::routes::configure;
use crate::service::Service;
use crate::tls::Tls;

/// A server of the service on the listener: a future that is to be awaited, and ends when its handle stops it.
///
/// A graceful stop takes no new connection, lets requests finish for as long as the limits say, then cuts the rest.
/// Signals are the caller's to handle. With `tls` a connection begins with a handshake, which may take as long as the head of a
/// request and takes a slot like any other; one for which there is no slot is closed without a word.
pub fn serve(service: Service, listener: TcpListener, tls: Option<Tls>) -> io::Result<Server> {
    let limits = service.limits().clone();
    bound_silence(&listener, limits.stream_silence)?;
    let address = listener.local_addr()?;
    let of_connection = ConnectionLimits {
        head: limits.head,
        keep_alive: limits.keep_alive,
        write_silence: limits.stream_silence,
        drain_bytes: limits.drain_bytes,
    };
    let proxies = service.settings().trusted_proxies.clone();
    let slots = ConnectionSlots::counted(limits.connections, limits.connections_per_address, proxies);
    let (refusals, farewells) = (Arc::new(Refusals::default()), Farewells::default());
    let builder = ServerBuilder::new().shutdown_timeout(limits.shutdown.as_secs()).disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let server = builder.listen("tonne", listener, move || {
        let (service, slots, stopping) = (service.clone(), slots.clone(), stopping.clone());
        let (refusals, farewells) = (Arc::clone(&refusals), farewells.clone());
        let acceptor = tls.as_ref().map(Tls::acceptor);
        let scheme = if tls.is_some() { "https" } else { "http" };
        let app = App::new().app_data(Listening { address, scheme }).configure(configure(&service));
        let app = app.into_factory().map_err(|error: actix_web::Error| error.error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .client_request_timeout(limits.head)
            .client_disconnect_timeout(FAREWELL)
            .keep_alive(limits.keep_alive)
            .local_addr(address)
            .on_connect_ext(|io: &GuardedStream, data: &mut Extensions| {
                data.insert(io.connection().clone());
            })
            .h1(map_config(app, |()| AppConfig::default()));
        let admission = fn_service(move |io: TcpStream| {
            let (slots, refusals, farewells) = (slots.clone(), Arc::clone(&refusals), farewells.clone());
            let acceptor = acceptor.clone();
            async move {
                let peer = io.peer_addr().ok();
                let Some(slot) = slots.take(peer.map(|peer| peer.ip())) else {
                    refusals.full(peer);
                    if acceptor.is_none() {
                        farewells.say(io);
                    }
                    return Err(());
                };
                let local = io.local_addr().ok();
                match Transport::begin(io, acceptor, of_connection.head).await {
                    Ok(io) => Ok((GuardedStream::new(io, (local, peer), of_connection, refusals, slot), peer)),
                    Err(error) => {
                        refusals.handshake(peer, &error);
                        Err(())
                    }
                }
            }
        });
        admission.and_then(http.map_err(drop))
    })?;
    Ok(server.run())
}

/// How many bytes of an answer wait in the system beside those that are on their way. With more, a slow reader would be taken
/// for a silent one: the system says only after a third of all that waits that there is room again.
#[cfg(target_os = "linux")]
const WAITING_BYTES: u32 = 64 << 10;

/// Has connections closed whose client takes nothing of what was sent for that long. Accepted connections inherit it.
#[cfg(target_os = "linux")]
pub(crate) fn bound_silence(listener: &TcpListener, silence: Duration) -> io::Result<()> {
    let socket = socket2::SockRef::from(listener);
    socket.set_tcp_notsent_lowat(WAITING_BYTES)?;
    socket.set_tcp_user_timeout(Some(silence))
}

/// Elsewhere the system's own time limit stands.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bound_silence(_: &TcpListener, _: Duration) -> io::Result<()> {
    Ok(())
}
