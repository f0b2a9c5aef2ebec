//! The listener of metrics: one page, for a program that collects measurements, guarded as the service's own listener is.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_http::{HttpService, Method, Request, Response, StatusCode};
use actix_server::{Server, ServerBuilder};
use actix_service::{ServiceFactoryExt as _, fn_service};
use actix_web::body::BoxBody;
use actix_web::http::header::{self, HeaderValue};
use futures_util::future::BoxFuture;
use tokio::net::TcpStream;

use crate::connection::{ConnectionLimits, ConnectionSlots, FAREWELL, Farewells, GuardedStream, Refusals, Transport};
use crate::server::bound_silence;

/// Makes the page of metrics, in the text format of Prometheus.
pub type MetricsPage = Arc<dyn Fn() -> BoxFuture<'static, String> + Send + Sync>;

/// Where the page is.
const PATH: &str = "/metrics";
/// The media type of the text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
/// So many connections at once, and so many of one address: collectors are few.
const CONNECTIONS: usize = 32;
const CONNECTIONS_PER_ADDRESS: usize = 16;
/// How long the head of a request may take, and the reading of the page.
const HEAD: Duration = Duration::from_secs(5);
/// How long a collector's connection is kept between two looks.
const KEEP_ALIVE: Duration = Duration::from_secs(90);

/// A server of the page: a future that is to be awaited, and ends when its handle stops it. It has a thread of its own, so
/// that the service can be measured when it is overloaded, and so that whoever floods it holds up nobody else.
pub fn serve_metrics(page: MetricsPage, listener: TcpListener) -> io::Result<Server> {
    bound_silence(&listener, HEAD)?;
    let limits = ConnectionLimits { head: HEAD, keep_alive: KEEP_ALIVE, write_silence: HEAD, drain_bytes: 0 };
    let slots = ConnectionSlots::new(CONNECTIONS, CONNECTIONS_PER_ADDRESS, Vec::new());
    let (refusals, farewells) = (Arc::new(Refusals::default()), Farewells::default());
    let builder = ServerBuilder::new().workers(1).shutdown_timeout(1).disable_signals();
    let server = builder.listen("tonne-metrics", listener, move || {
        let page = Arc::clone(&page);
        let answer = move |request: Request| {
            let page = Arc::clone(&page);
            async move { Ok::<_, Response<BoxBody>>(answer(&request, &page).await) }
        };
        let http = HttpService::build()
            .client_request_timeout(HEAD)
            .client_disconnect_timeout(FAREWELL)
            .keep_alive(KEEP_ALIVE)
            .h1(fn_service(answer));
        let (slots, refusals, farewells) = (slots.clone(), Arc::clone(&refusals), farewells.clone());
        let admission = fn_service(move |io: TcpStream| {
            let (slots, refusals, farewells) = (slots.clone(), Arc::clone(&refusals), farewells.clone());
            async move {
                let (local, peer) = (io.local_addr().ok(), io.peer_addr().ok());
                if let Some(slot) = slots.take(peer.map(|peer| peer.ip())) {
                    let io = Transport::Plain(io);
                    return Ok((GuardedStream::new(io, (local, peer), limits, refusals, slot), peer));
                }
                refusals.full(peer);
                farewells.say(io);
                Err(())
            }
        });
        admission.and_then(http.map_err(drop))
    })?;
    Ok(server.run())
}

async fn answer(request: &Request, page: &MetricsPage) -> Response<BoxBody> {
    let (status, text, text_type) = match (request.path(), request.method()) {
        (PATH, &Method::GET | &Method::HEAD) => (StatusCode::OK, page().await, TEXT),
        (PATH, _) => (StatusCode::METHOD_NOT_ALLOWED, "The methods here are GET, HEAD.\n".to_owned(), "text/plain"),
        _ => (StatusCode::NOT_FOUND, "Metrics are at /metrics.\n".to_owned(), "text/plain"),
    };
    let mut answer = Response::with_body(status, BoxBody::new(text));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(text_type));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    answer
}
