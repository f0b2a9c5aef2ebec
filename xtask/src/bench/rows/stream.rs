//! All activities in one answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use super::Figures;
use crate::bench::client::Client;
use crate::bench::figure::{Figure, Goal, Unit, number};
use crate::bench::floor::socket::{Answer, serve};
use crate::bench::peer;
use crate::bench::process::Process;
use crate::bench::subject::Subject;

/// How often the service's memory is looked at.
const PAUSE: Duration = Duration::from_millis(20);

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let store = subject.store()?;
    // The peer comes first: what it reads of the disk is in memory for the program too.
    let (name, peer) = peer::rows_as_json(subject, &store);
    let duckdb = subject.duckdb().map(|duckdb| duckdb.json_megabytes_per_second);
    let (service, _) = subject.warm_service()?;
    let mut request = Vec::new();
    service.all.get("/v1/activity", "Accept: application/json\r\n", &mut request);
    let process = service.process();
    let before = process.memory();
    let (read, most) = beside(&process, || read(&mut service.connect()?, &request))?;
    let floor = serve(Answer::Stream(read.bytes)).and_then(|host| self::read(&mut Client::connect(&host)?, &request));

    let goal = peer.as_ref().map_or(Goal::Open, |rate| Goal::AtLeast(2.0 * rate));
    let figure = Figure::new("stream of all activities", Unit::MegabytesPerSecond, Ok(read.megabytes_per_second()));
    figures.add(figure.goal(goal).floor(floor.map(|floor| floor.megabytes_per_second())).peer(name, peer));
    let figure = Figure::new(
        "stream of all activities, beside an export",
        Unit::MegabytesPerSecond,
        Ok(read.megabytes_per_second()),
    );
    figures.add(figure.peer("DuckDB", duckdb));
    let rows = f64::from(subject.activities) / read.took.as_secs_f64();
    figures.add(Figure::new("stream of all activities: rows", Unit::RowsPerSecond, Ok(rows)));
    let first = Figure::new("stream of all activities: first byte", Unit::Millis, Ok(read.first.as_secs_f64() * 1e3));
    figures.add(first.goal(Goal::AtMost(50.0)));
    let growth = before.map(|before| number(most.saturating_sub(before)) / 1e6);
    let growth = Figure::new("stream of all activities: growth of memory", Unit::Megabytes, growth);
    figures.add(growth.goal(Goal::AtMost(32.0)));
    service.stop()
}

/// An answer that was read to its end.
struct Read {
    bytes: u64,
    first: Duration,
    took: Duration,
}

impl Read {
    fn megabytes_per_second(&self) -> f64 {
        number(self.bytes) / 1e6 / self.took.as_secs_f64()
    }
}

fn read(client: &mut Client, request: &[u8]) -> Result<Read> {
    let (begin, mut first, mut bytes) = (Instant::now(), None, 0);
    let status = client.exchange(request, |some| {
        first.get_or_insert_with(|| begin.elapsed());
        bytes += some.len() as u64;
    })?;
    ensure!(status == 200, "the stream was answered {status}");
    Ok(Read { bytes, first: first.unwrap_or_default(), took: begin.elapsed() })
}

/// Does the work and gives the most memory that the process had meanwhile.
fn beside<T: Send>(process: &Process, work: impl FnOnce() -> Result<T> + Send) -> Result<(T, u64)> {
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut most = 0;
            while !ended.load(Ordering::Relaxed) {
                most = most.max(process.memory().unwrap_or_default());
                std::thread::sleep(PAUSE);
            }
            most
        });
        let done = work();
        ended.store(true, Ordering::Relaxed);
        let Ok(most) = looking.join() else { bail!("memory could not be looked at") };
        Ok((done?, most))
    })
}
