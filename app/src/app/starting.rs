//! Tells when a server takes connections.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use tokio::sync::oneshot;

/// Runs the server to its end; `started` is told once its workers run and connections are taken, and dropped where it
/// ends before.
pub(super) async fn run(mut server: http::Server, started: oneshot::Sender<()>) -> io::Result<()> {
    let mut started = Some(started);
    poll_fn(move |context| {
        // The first poll starts the workers and waits for them.
        let polled = Pin::new(&mut server).poll(context);
        if let (true, Some(started)) = (polled.is_pending(), started.take()) {
            // Whoever does not wait for it need not be told.
            let _ = started.send(());
        }
        polled
    })
    .await
}
