//! Connections: how many there may be, and how long each may take over what it sends and reads.
//!
//! A connection's [`Phase`] is known from two sides: `outer_middleware` says when a request begins and when its answer has
//! ended, the [`stream`] sees the bytes. So a head that does not end, a body that nobody reads and a parser's own answer
//! are told apart from requests that are being answered.

mod farewell;
mod refusal;
mod slots;
mod stream;
mod transport;

use std::cell::Cell;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;
use tokio::time::Instant;

pub(crate) use farewell::Farewells;
pub(crate) use refusal::Refusals;
pub(crate) use slots::{ConnectionSlot, ConnectionSlots};
pub(crate) use stream::GuardedStream;
pub(crate) use transport::Transport;

/// How long a client may take to take note that its connection closes.
pub(crate) const FAREWELL: Duration = Duration::from_secs(5);

/// Where a connection is between its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No request is being answered. What is written now is the parser's own answer.
    Waiting,
    /// A request was read and is being answered.
    Answering,
    /// The answer has ended, but not all of it was handed to the network.
    Ending,
}

/// How long a connection may take, and how much of a refused body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConnectionLimits {
    /// How long the head of a request may take, and what is left of a refused body.
    pub(crate) head: Duration,
    /// How long an idle connection is kept.
    pub(crate) keep_alive: Duration,
    /// How long a client may take for each 64 KiB of an answer.
    pub(crate) write_silence: Duration,
    /// The most bytes that are read of a body after its request was answered without it.
    pub(crate) drain_bytes: usize,
}

/// What is known of a connection. Clones are the same connection.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Rc<State>);

#[derive(Debug)]
struct State {
    limits: ConnectionLimits,
    /// The address that the client reached.
    local: Option<SocketAddr>,
    phase: Cell<Phase>,
    /// Whether the request has a body of which not all was read.
    body_left: Cell<bool>,
    /// How many bytes may still be read, where that is bounded.
    allowance: Cell<Option<usize>>,
    /// When the connection is cut, unless a request begins before.
    deadline: Cell<Option<Instant>>,
}

impl Connection {
    fn new(limits: ConnectionLimits, local: Option<SocketAddr>) -> Self {
        Self(Rc::new(State {
            limits,
            local,
            phase: Cell::new(Phase::Waiting),
            body_left: Cell::new(false),
            allowance: Cell::new(None),
            deadline: Cell::new(None),
        }))
    }

    /// The address that the client reached.
    pub(crate) fn local(&self) -> Option<SocketAddr> {
        self.0.local
    }

    /// A request was read; the payload is what stands in for its body from now on.
    pub(crate) fn begin(&self, payload: Payload) -> Payload {
        self.0.phase.set(Phase::Answering);
        self.0.allowance.set(None);
        self.0.deadline.set(None);
        let has_body = !matches!(payload, Payload::None);
        self.0.body_left.set(has_body);
        if has_body {
            Payload::Stream { payload: Box::pin(WatchedBody { payload, connection: self.clone() }) }
        } else {
            payload
        }
    }

    /// The request has its answer: what is left of its body is read no further than the limit says.
    pub(crate) fn answered(&self) {
        if self.0.body_left.get() {
            self.0.allowance.set(Some(self.0.limits.drain_bytes));
        }
    }

    /// Whether the request has a body of which not all was read.
    pub(crate) fn has_body_left(&self) -> bool {
        self.0.body_left.get()
    }

    /// Nothing more belongs to the answer.
    pub(crate) fn ended(&self) {
        self.0.phase.set(Phase::Ending);
        if self.0.body_left.get() {
            self.0.deadline.set(Some(Instant::now() + self.0.limits.head));
        }
    }

    /// The answer's body, at whose end the answer has ended.
    pub(crate) fn until_end_of(&self, body: BoxBody) -> BoxBody {
        BoxBody::new(WatchedAnswer { body, connection: self.clone() })
    }
}

/// A request's body, that says when all of it was read.
struct WatchedBody {
    payload: Payload,
    connection: Connection,
}

impl Stream for WatchedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.payload).poll_next(context);
        if matches!(next, Poll::Ready(None)) {
            self.connection.0.body_left.set(false);
        }
        next
    }
}

/// An answer's body, that says when it has ended.
struct WatchedAnswer {
    body: BoxBody,
    connection: Connection,
}

impl MessageBody for WatchedAnswer {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

impl Drop for WatchedAnswer {
    fn drop(&mut self) {
        self.connection.ended();
    }
}
