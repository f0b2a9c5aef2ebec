//! The bytes of a connection, which is cut where its client takes too long: over the head of a request, over the rest of
//! a body that was refused, or over reading its answer.

use std::future::Future as _;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::{Connection, ConnectionLimits, ConnectionSlot, Phase, Refusals, Transport};

/// What a client must take of an answer within the limit's time.
const BLOCK: usize = 64 << 10;

/// A connection's bytes, with its slot.
pub(crate) struct GuardedStream {
    io: Transport,
    connection: Connection,
    peer: Option<SocketAddr>,
    refusals: Arc<Refusals>,
    /// Wakes the connection at its deadline.
    deadline: Timer,
    /// Since when the client was to take more of its answer, and how much it took since.
    unread: Timer,
    taken: usize,
    /// What is written in place of the parser's answer, and how much of it was.
    replacement: Option<(Vec<u8>, usize)>,
    _slot: ConnectionSlot,
}

impl GuardedStream {
    /// A connection between those addresses: the one that the client reached, and the client's.
    pub(crate) fn new(
        io: Transport,
        (local, peer): (Option<SocketAddr>, Option<SocketAddr>),
        limits: ConnectionLimits,
        refusals: Arc<Refusals>,
        slot: ConnectionSlot,
    ) -> Self {
        let connection = Connection::new(limits, local);
        Self {
            peer,
            io,
            connection,
            refusals,
            deadline: Timer::default(),
            unread: Timer::default(),
            taken: 0,
            replacement: None,
            _slot: slot,
        }
    }

    /// What is known of it.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Fails once the connection's deadline has passed; else its task is woken then.
    fn check_deadline(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let Some(deadline) = self.connection.0.deadline.get() else { return Ok(()) };
        if self.deadline.passed(deadline, context) { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// Notes that bytes were read: between requests they begin the next one.
    fn note_read(&self, bytes: usize) {
        let state = &self.connection.0;
        if let Some(allowance) = state.allowance.get() {
            state.allowance.set(Some(allowance.saturating_sub(bytes)));
        }
        if state.phase.get() == Phase::Waiting {
            let head = Instant::now() + state.limits.head;
            // The deadline of a head does not move while the head trickles in.
            state.deadline.set(Some(state.deadline.get().map_or(head, |deadline| deadline.min(head))));
        }
    }

    /// Fails where the client takes too little of its answer for too long.
    fn check_unread(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let silence = self.connection.0.limits.write_silence;
        let until = self.unread.at().unwrap_or_else(|| {
            self.taken = 0;
            Instant::now() + silence
        });
        if !self.unread.passed(until, context) {
            return Ok(());
        }
        if self.taken < BLOCK {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.taken = 0;
        self.unread.passed(Instant::now() + silence, context);
        Ok(())
    }

    fn write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.io).poll_write(context, bytes) {
            Poll::Ready(Ok(written)) => {
                self.taken = self.taken.saturating_add(written);
                Poll::Ready(Ok(written))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                self.check_unread(context).map_or_else(|error| Poll::Ready(Err(error)), |()| Poll::Pending)
            }
        }
    }

    /// Writes what takes the place of the parser's answer.
    fn write_replacement(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some((bytes, written)) = self.replacement.take() {
            if written == bytes.len() {
                break;
            }
            let result = self.write(context, &bytes[written..]);
            let more = match &result {
                Poll::Ready(Ok(more)) => *more,
                Poll::Ready(Err(_)) | Poll::Pending => 0,
            };
            self.replacement = Some((bytes, written + more));
            if ready!(result)? == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for GuardedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.connection.0.allowance.get() == Some(0) {
            // As if the client had sent nothing more: the answer still goes out, then the connection closes.
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        match Pin::new(&mut self.io).poll_read(context, buffer) {
            Poll::Ready(Ok(())) => {
                let bytes = buffer.filled().len() - before;
                if bytes > 0 {
                    self.note_read(bytes);
                }
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                self.check_deadline(context).map_or_else(|error| Poll::Ready(Err(error)), |()| Poll::Pending)
            }
        }
    }
}

impl AsyncWrite for GuardedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replacement.is_none() && self.connection.0.phase.get() != Phase::Answering {
            match Refusals::start_in(bytes) {
                Some(0) => {
                    let answer = self.refusals.in_place_of(bytes, self.peer);
                    self.replacement = answer.map(|answer| (answer, 0));
                }
                // First the end of the answer before it.
                Some(start) => return self.write(context, &bytes[..start]),
                None => {}
            }
        }
        if self.replacement.is_some() {
            ready!(self.write_replacement(context))?;
            return Poll::Ready(Ok(bytes.len()));
        }
        self.write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if Pin::new(&mut self.io).poll_flush(context)?.is_pending() {
            return self.check_unread(context).map_or_else(|error| Poll::Ready(Err(error)), |()| Poll::Pending);
        }
        // All that there was to write has been handed to the network.
        self.unread.clear();
        self.taken = 0;
        let state = &self.connection.0;
        if state.phase.get() == Phase::Ending {
            state.phase.set(Phase::Waiting);
            if state.deadline.get().is_none() {
                let idle = state.limits.keep_alive + state.limits.head;
                state.deadline.set(Some(Instant::now() + idle));
            }
            if let Err(error) = self.check_deadline(context) {
                return Poll::Ready(Err(error));
            }
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

/// Wakes a task at a moment.
#[derive(Default)]
struct Timer {
    at: Option<Instant>,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    const fn at(&self) -> Option<Instant> {
        self.at
    }

    const fn clear(&mut self) {
        self.at = None;
    }

    /// Whether the moment has passed; else the task is woken then.
    fn passed(&mut self, moment: Instant, context: &mut Context<'_>) -> bool {
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(moment)));
        if self.at != Some(moment) {
            sleep.as_mut().reset(moment);
            self.at = Some(moment);
        }
        sleep.as_mut().poll(context).is_ready()
    }
}
