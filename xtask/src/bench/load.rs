//! Many connections that ask one request after the other.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use super::client::Client;
use super::figure::number;
use super::latencies::Latencies;

/// How long requests are made before they count.
const WARM_UP: Duration = Duration::from_millis(500);
/// The status of a service that is too busy, and how long a client waits before it asks again.
const TOO_BUSY: u16 = 503;
const PAUSE: Duration = Duration::from_millis(10);
/// How long they count.
const MEASURED: Duration = Duration::from_secs(5);

/// What a load took.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) latencies: Latencies,
    /// How many were answered, those of the warm-up too.
    pub(super) answered: u64,
    /// How often the service was too busy (503); the request was sent again.
    pub(super) refused: u64,
    took: Duration,
}

impl Load {
    /// How many were answered in a second.
    pub(super) fn rate(&self) -> f64 {
        number(self.latencies.count() as u64) / self.took.as_secs_f64()
    }
}

/// When connections end.
#[derive(Clone, Copy)]
pub(super) enum Until<'a> {
    /// After the usual time.
    Time,
    /// When it says so.
    Ended(&'a (dyn Fn() -> bool + Sync)),
}

/// Has so many connections ask one request after the other. `ask` writes the request, given the number of the
/// connection and that of the request; each must be answered with the status. One that is refused as the service is too
/// busy is sent again, and its time goes on.
pub(super) fn load(
    host: &str,
    connections: u32,
    status: u16,
    until: Until<'_>,
    ask: impl Fn(u32, u32, &mut Vec<u8>) + Sync,
) -> Result<Load> {
    let barrier = Barrier::new(connections as usize);
    let begin = Instant::now();
    let all = std::thread::scope(|scope| {
        let one = |connection| {
            let (barrier, ask) = (&barrier, &ask);
            scope.spawn(move || {
                let client = Client::connect(host);
                barrier.wait();
                ask_until(client?, connection, status, until, ask)
            })
        };
        let threads: Vec<_> = (0..connections).map(one).collect();
        let ended = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("a connection failed")));
        ended.collect::<Result<Vec<_>>>()
    })?;
    let took = match until {
        Until::Time => MEASURED,
        Until::Ended(_) => begin.elapsed(),
    };
    let refused = all.iter().map(|one| one.refused).sum();
    let answered = all.iter().map(|one| u64::from(one.answered)).sum();
    let latencies = Latencies::of(all.into_iter().flat_map(|one| one.times).collect());
    ensure!(latencies.count() > 0, "nothing was answered");
    Ok(Load { latencies, answered, refused, took })
}

/// What one connection did.
struct Asked {
    times: Vec<Duration>,
    answered: u32,
    refused: u64,
}

fn ask_until(
    mut client: Client,
    connection: u32,
    status: u16,
    until: Until<'_>,
    ask: &impl Fn(u32, u32, &mut Vec<u8>),
) -> Result<Asked> {
    let (mut request, mut all) = (Vec::new(), Vec::with_capacity(1 << 16));
    let (mut answered, mut refused) = (0, 0);
    let begin = Instant::now();
    for at in 0.. {
        ask(connection, at, &mut request);
        let sent = Instant::now();
        let mut found = client.exchange(&request, |_| {})?;
        while found == TOO_BUSY {
            refused += 1;
            std::thread::sleep(PAUSE);
            found = client.exchange(&request, |_| {})?;
        }
        let now = Instant::now();
        if found != status {
            let body = client.body_of(&request).map_or_else(|error| format!("{error:#}"), |_| found.to_string());
            bail!("{status} was expected: {body}");
        }
        answered += 1;
        match until {
            Until::Time if now < begin + WARM_UP => {}
            Until::Time if now > begin + WARM_UP + MEASURED => break,
            Until::Time => all.push(now.duration_since(sent)),
            Until::Ended(ended) => {
                all.push(now.duration_since(sent));
                if ended() {
                    break;
                }
            }
        }
    }
    Ok(Asked { times: all, answered, refused })
}
