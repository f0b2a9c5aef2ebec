//! A way to a server over TCP that breaks at random, and that can take the tenant out of the statements which go along it: so
//! queries without their tenant are tried without a switch in the store.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy, split};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use crate::isolation_stress::Dice;

/// One message of so many breaks its connection.
const BREAKS: u64 = 2_000;

/// What becomes of the tenant in statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clause {
    Stays,
    Removed,
}

#[derive(Debug)]
struct State {
    clause: Clause,
    breaks: AtomicBool,
    cut: AtomicU64,
    changed: AtomicU64,
    connections: AtomicU64,
}

pub(super) struct Way {
    pub(super) url: String,
    state: Arc<State>,
}

impl Way {
    pub(super) async fn to(url: &str, clause: Clause) -> Self {
        let server = Arc::new(PgConnectOptions::from_str(url).unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let (user, database) = (server.get_username(), server.get_database().unwrap());
        let url = format!("postgres://{user}@{address}/{database}?sslmode=disable");
        let (breaks, zero) = (AtomicBool::new(false), AtomicU64::default);
        let state = Arc::new(State { clause, breaks, cut: zero(), changed: zero(), connections: zero() });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, state) = (Arc::clone(&server), Arc::clone(&shared));
                tokio::spawn(async move {
                    // However it ends, both sides are closed.
                    let _ = carry(client, &server, &state).await;
                });
            }
        });
        Self { url, state }
    }

    /// From here on connections break.
    pub(super) fn begin_to_break(&self) {
        self.state.breaks.store(true, Ordering::Relaxed);
    }

    /// How many connections it cut.
    pub(super) fn cut(&self) -> u64 {
        self.state.cut.load(Ordering::Relaxed)
    }

    /// In how many statements the tenant was removed.
    pub(super) fn changed(&self) -> u64 {
        self.state.changed.load(Ordering::Relaxed)
    }
}

async fn carry(client: TcpStream, server: &PgConnectOptions, state: &State) -> io::Result<()> {
    let (host, port) = (server.get_host(), server.get_port());
    let folder = server.get_socket().cloned().or_else(|| host.starts_with('/').then(|| PathBuf::from(host)));
    match folder {
        Some(folder) => pump(client, UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?, state).await,
        None => pump(client, TcpStream::connect((host, port)).await?, state).await,
    }
}

/// Carries messages one way and bytes the other until an end closes, or a message breaks the connection.
async fn pump(client: TcpStream, server: impl AsyncRead + AsyncWrite, state: &State) -> io::Result<()> {
    client.set_nodelay(true)?;
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) = (split(client), split(server));
    let mut dice = Dice(state.connections.fetch_add(1, Ordering::Relaxed) + 77);
    let forth = async {
        // The first message has no type.
        let length = from_client.read_u32().await?;
        to_server.write_all(&message(None, length, &mut from_client).await?).await?;
        loop {
            let kind = from_client.read_u8().await?;
            let length = from_client.read_u32().await?;
            let mut bytes = message(Some(kind), length, &mut from_client).await?;
            if state.breaks.load(Ordering::Relaxed) && dice.roll(BREAKS) == 0 {
                state.cut.fetch_add(1, Ordering::Relaxed);
                // Half of them reach the server, and their answer does not reach the client.
                if dice.roll(2) == 0 {
                    to_server.write_all(&bytes).await?;
                }
                return Ok(());
            }
            if state.clause == Clause::Removed && matches!(kind, b'P' | b'Q') {
                bytes = without_tenant(bytes, &state.changed);
            }
            to_server.write_all(&bytes).await?;
        }
    };
    tokio::select! {
        ended = forth => ended,
        ended = copy(&mut from_server, &mut to_client) => ended.map(drop),
    }
}

/// A whole message, whose type and length were read.
async fn message(kind: Option<u8>, length: u32, from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut bytes: Vec<u8> = kind.into_iter().chain(length.to_be_bytes()).collect();
    let start = bytes.len();
    bytes.resize(start + length as usize - 4, 0);
    from.read_exact(&mut bytes[start..]).await?;
    Ok(bytes)
}

/// The message with statements whose condition on the tenant holds for every row. Parameters stay where they are.
fn without_tenant(bytes: Vec<u8>, changed: &AtomicU64) -> Vec<u8> {
    const NAMES: [&[u8]; 2] = [b"tenant_id = ", b"tenant_id\" = "];
    let (head, body) = bytes.split_at(5);
    let mut new = head.to_vec();
    let (mut rest, mut count) = (body, 0);
    while !rest.is_empty() {
        let operand =
            NAMES.iter().find_map(|name| rest.strip_prefix(*name)).and_then(|rest| Some((rest, operand(rest)?)));
        let Some((behind, operand)) = operand else {
            new.push(rest[0]);
            rest = &rest[1..];
            continue;
        };
        let column = &rest[..rest.len() - behind.len() - 3];
        new.extend_from_slice(column);
        new.extend_from_slice(b" >= least(");
        new.extend_from_slice(operand);
        new.extend_from_slice(b", '00000000-0000-0000-0000-000000000000'::uuid)");
        (rest, count) = (&behind[operand.len()..], count + 1);
    }
    if count == 0 {
        return bytes;
    }
    changed.fetch_add(1, Ordering::Relaxed);
    let length = u32::try_from(new.len() - 1).unwrap();
    new[1..5].copy_from_slice(&length.to_be_bytes());
    new
}

/// The parameter or literal that the bytes begin with.
fn operand(bytes: &[u8]) -> Option<&[u8]> {
    let end = match bytes.first()? {
        b'$' => 1 + bytes[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
        b'\'' => 2 + bytes[1..].iter().position(|byte| *byte == b'\'')?,
        _ => return None,
    };
    Some(&bytes[..end])
}
