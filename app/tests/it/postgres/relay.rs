//! A way to a server over TCP that can be closed, or go silent without closing.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

/// A TCP connection between client and server that a test can cut.
pub(super) struct Relay {
    address: SocketAddr,
    state: watch::Sender<State>,
}

/// What becomes of what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Bytes are passed on.
    Open,
    /// Connections are cut, and new ones refused.
    Closed,
    /// Connections are taken, and nothing arrives until the way is open again.
    Silent,
}

impl Relay {
    /// A way to the server of that socket, open.
    pub(super) async fn to(socket: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, seen) = watch::channel(State::Open);
        tokio::spawn(listen(listener, address, socket.to_owned(), seen));
        Self { address, state }
    }

    /// The address of the server's first database on this way.
    pub(super) fn url(&self) -> String {
        format!("postgres://postgres@{}/postgres?sslmode=disable", self.address)
    }

    /// Opens, closes or silences it.
    pub(super) fn set(&self, state: State) {
        self.state.send_replace(state);
    }
}

async fn listen(first: TcpListener, address: SocketAddr, socket: PathBuf, mut state: watch::Receiver<State>) {
    let mut listener = Some(first);
    loop {
        let now = *state.borrow_and_update();
        match (now, &listener) {
            (State::Closed, _) => {
                listener = None;
                if state.changed().await.is_err() {
                    return;
                }
            }
            (State::Open | State::Silent, None) => listener = Some(TcpListener::bind(address).await.unwrap()),
            (State::Open | State::Silent, Some(open)) => tokio::select! {
                taken = open.accept() => drop(tokio::spawn(carry(taken.unwrap().0, socket.clone(), state.clone()))),
                changed = state.changed() => if changed.is_err() { return },
            },
        }
    }
}

async fn carry(client: TcpStream, socket: PathBuf, mut state: watch::Receiver<State>) -> io::Result<()> {
    if !is_open(&mut state).await {
        return Ok(());
    }
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = UnixStream::connect(socket).await?.into_split();
    let (there, back) = (pump(from_client, to_server, state.clone()), pump(from_server, to_client, state));
    tokio::select! {
        done = there => done,
        done = back => done,
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<State>,
) -> io::Result<()> {
    let mut bytes = vec![0; 16_384];
    while is_open(&mut state).await {
        tokio::select! {
            biased;
            _ = state.changed() => {}
            count = from.read(&mut bytes) => match count? {
                0 => return Ok(()),
                count => to.write_all(&bytes[..count]).await?,
            },
        }
    }
    Ok(())
}

/// Waits while the way is silent; whether it is open then.
async fn is_open(state: &mut watch::Receiver<State>) -> bool {
    state.wait_for(|state| *state != State::Silent).await.is_ok_and(|state| *state == State::Open)
}
