//! How a connection is told that there is no slot for it. What it sent already has to be read for that: the system answers bytes
//! that nobody reads with a reset, and that takes the answer from whoever has not read it yet.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::refusal::busy_answer;

/// So many connections are told at once. Those beyond are closed without a word.
const AT_ONCE: usize = 64;
/// How long one may take to read it and to end.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much is read of what it sends.
const MOST_BYTES: usize = 64 << 10;

/// The connections that are being told. Clones share the bound.
#[derive(Clone, Debug)]
pub(crate) struct Farewells(Arc<Semaphore>);

impl Default for Farewells {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Farewells {
    /// Tells the connection in a task of its own that there is no slot, and closes it once its client has, or has had its time.
    pub(crate) fn say(&self, io: TcpStream) {
        let Ok(permit) = Arc::clone(&self.0).try_acquire_owned() else { return };
        actix_web::rt::spawn(async move {
            // Whoever has no patience for this gets the end of the connection.
            let _ = timeout(PATIENCE, tell(io)).await;
            drop(permit);
        });
    }
}

async fn tell(mut io: TcpStream) -> io::Result<()> {
    io.write_all(&busy_answer()).await?;
    io.shutdown().await?;
    let (mut block, mut read) = ([0; 4 << 10], 0);
    while read < MOST_BYTES {
        io.readable().await?;
        match io.try_read(&mut block) {
            Ok(0) => break,
            Ok(bytes) => read += bytes,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
