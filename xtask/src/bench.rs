//! The figures of `docs/operating.md`: one company's activities on each store, on this machine, in one run.
//!
//! Everything goes through the program as its users have it: commands and HTTP. Results are printed, not compared with a limit.

mod client;
mod data;
mod service;
mod timing;

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::cargo::{cargo, metadata, succeeds};
use crate::postgres::Durable;
use client::Client;
use data::Company;
use service::{Service, Store};
use timing::{Times, millis};

/// Readings of one kind that a figure is made from.
const READINGS: usize = 200;
/// Clients that read single activities at once.
const CLIENTS: usize = 8;

/// What was measured of a store.
struct Figures {
    store: &'static str,
    rows: Vec<(&'static str, String)>,
}

/// Measures each store with so many activities and prints a table.
pub(crate) fn run(activities: u32) -> Result<bool> {
    let program = build()?;
    let folder = std::env::temp_dir().join(format!("tonne-bench-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let measured = measure_all(&program, &folder, activities);
    let removed = fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()));
    print!("{}", table(activities, &measured?));
    removed.map(|()| true)
}

fn build() -> Result<PathBuf> {
    if !succeeds(&mut cargo(&["build", "--release", "--locked", "--package", "tonne"]))? {
        bail!("the program does not build");
    }
    Ok(metadata()?.target_directory.join("release").join("tonne"))
}

fn measure_all(program: &Path, folder: &Path, activities: u32) -> Result<Vec<Figures>> {
    let company = Company::of(activities);
    let rows = folder.join("activities.csv");
    let mut file = BufWriter::new(fs::File::create(&rows).context("cannot write the activities")?);
    company.write(&mut file).and_then(|()| file.flush()).context("cannot write the activities")?;
    let files = Store { name: "SQLite", arguments: vec!["--data-dir".into(), folder.join("sqlite").into()] };
    let mut measured = vec![measure(program, &files, &company, &rows)?];
    let server = Durable::start()?;
    let database = Store {
        name: "Postgres",
        arguments: vec![
            "--data-dir".into(),
            folder.join("postgres").into(),
            "--database-url".into(),
            server.url().into(),
        ],
    };
    measured.push(measure(program, &database, &company, &rows)?);
    Ok(measured)
}

fn measure(program: &Path, store: &Store, company: &Company, rows: &Path) -> Result<Figures> {
    println!("== {}", store.name);
    let mut figures = Vec::new();
    let service = Service::start(program, store)?;
    let mut client = service.client()?;
    Company::found(&mut client)?;
    let single =
        Times::of(READINGS, |at| client.post("/v1/switch", &format!(r#"{{"name":"Switch {at}"}}"#)).map(drop))?;
    drop(client);
    drop(service);

    let begin = Instant::now();
    store.command(program).args(["import", "activities"]).arg(rows).run()?;
    let took = begin.elapsed();
    figures.push(("ingest", format!("{:.0} rows/s", f64::from(company.activities) / took.as_secs_f64())));
    figures.push(("a single write", single.shown()));

    let service = Service::start(program, store)?;
    let mut client = service.client()?;
    let begin = Instant::now();
    let report = "/v1/activity?date=2023&page=1&pageSize=1";
    client.get(report)?;
    figures.push(("the first report", millis(begin.elapsed())));
    figures.push(("a report of a year", Times::of(READINGS, |_| client.get(report).map(drop))?.shown()));
    let ids = Company::some_ids(&mut client)?;
    let point = |client: &mut Client, at: usize| client.get(&format!("/v1/activity/{}", ids[at % ids.len()])).map(drop);
    figures.push(("a point read", Times::of(READINGS * 5, |at| point(&mut client, at))?.shown()));
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    service.client().and_then(|mut own| (0..READINGS * 5).try_for_each(|at| point(&mut own, at)))
                })
            })
            .collect();
        readers.into_iter().try_for_each(|reader| reader.join().unwrap_or_else(|_| bail!("a reader failed")))
    })?;
    let reads = f64::from(u32::try_from(CLIENTS * READINGS * 5)?);
    figures.push(("point reads by 8 clients", format!("{:.0}/s", reads / begin.elapsed().as_secs_f64())));
    let begin = Instant::now();
    let bytes = client.stream("/v1/activity", "application/x-ndjson")?;
    let seconds = begin.elapsed().as_secs_f64();
    let rate = f64::from(company.activities) / seconds;
    figures.push(("the stream of all", format!("{seconds:.1} s, {} MB, {rate:.0} rows/s", bytes / 1_000_000)));
    figures.push(("memory of the service after it", format!("{} MB", service.resident_megabytes()?)));
    Ok(Figures { store: store.name, rows: figures })
}

fn table(activities: u32, measured: &[Figures]) -> String {
    let line = |first: &str, cells: &mut dyn Iterator<Item = &str>| {
        cells.fold(format!("| {first} |"), |line, cell| format!("{line} {cell} |")) + "\n"
    };
    let heads = line(&format!("{activities} activities"), &mut measured.iter().map(|figures| figures.store));
    let rule = line("---", &mut measured.iter().map(|_| "---"));
    let rows = measured.first().map_or(0, |figures| figures.rows.len());
    let row = |at: usize| {
        let what = measured.first().map_or("", |figures| figures.rows[at].0);
        line(what, &mut measured.iter().map(|figures| figures.rows[at].1.as_str()))
    };
    format!("\n{heads}{rule}{}", (0..rows).map(row).collect::<String>())
}
