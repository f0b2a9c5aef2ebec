//! Checks a tenant's file: that it is sound, that records, changes and chain fit each other, and that the cells are
//! what the activities add up to. Everything streams, in one snapshot that several readers share; what must be remembered is
//! put aside.

mod cells;
mod chain;
mod file;
mod indexes;
mod join;
mod records;
mod recount;
mod snapshot;
mod spool;
mod work;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ports::TenantId;
use ports::store::{Finding, StoreError, Verification};
use rusqlite::Connection;

use crate::session::{HeadRow, read_head};
use crate::usage::Usage;
use indexes::{Hashing, INDEXES, Scan};
use records::{Known, Reached, Section, Tally};
use recount::Runs;
use work::{Job, Step, Steps};

pub(crate) use file::check as check_file;

/// Checks the whole file of a tenant in one snapshot; `open` gives a reader of it. Damage becomes findings; an error means
/// that it could not be checked.
pub(crate) fn tenant(
    open: impl Fn() -> Result<Connection, StoreError>,
    tenant: TenantId,
) -> Result<Verification, StoreError> {
    let mut readers = snapshot::readers(open)?;
    let mut steps = Steps::default();
    let hashing = Hashing::default();

    let (mut of_file, mut of_chain, mut of_series) = (Step::default(), Step::default(), Step::default());
    let mut stored: Step<Runs> = Step::default();
    let mut scans = INDEXES.map(|_| Step::<Scan>::default());
    let mut jobs: Vec<Job<'_>> = vec![
        Box::new(|conn| {
            of_file.take(|report| {
                file::check_but_activities(conn, report);
                check_owner(conn, tenant, report);
                Ok(())
            });
        }),
        Box::new(|conn| of_series.take(|report| cells::check_series(conn, report))),
        Box::new(|conn| of_chain.take(|report| chain::check(conn, report))),
        Box::new(|conn| stored.take(|report| cells::stored(conn, report))),
    ];
    for (index, scan) in INDEXES.iter().zip(&mut scans) {
        let hashing = &hashing;
        jobs.push(Box::new(move |conn| scan.take(|_| index.scan(conn, hashing))));
    }
    work::run(&mut readers, jobs);
    steps.add(of_file);
    let (items, walk) = steps.add(of_chain).unzip();
    let series = steps.add(of_series);
    let stored = steps.add(stored);
    let scans = scans.map(|scan| steps.add(scan));

    // Without the series nothing can be said of the cells.
    let stored = stored.filter(|_| series.is_some());
    let (series, missing) = series.unwrap_or_default();
    let rows = check_rows(&mut readers, &mut steps, &Known { series, missing, hashing });
    let (mut of_head, mut of_indexes) = (Step::default(), Step::default());
    let Some(first) = readers.first() else { return steps.finish() };
    if let Some(walk) = walk {
        of_head.take(|report| chain::check_head(first, report, &walk));
    }
    if !rows.is_in_order {
        find(&mut steps.report, "activities", "are not in the order of their primary key, each once");
    }
    let rows_are_sound = rows.is_whole && rows.is_in_order;
    of_indexes.take(|report| indexes::compare(first, scans, &rows.entries, rows_are_sound, report));
    steps.add(of_head);
    steps.add(of_indexes);
    let (mut join, mut compared) = (Step::default(), Step::default());
    let (of_join, of_cells) = (&mut join, &mut compared);
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let Rows { records, cells, usage, reached, .. } = rows;
    // What follows from rows is wrong where rows are missing.
    if let Some(stored) = stored.filter(|_| reached.activities) {
        jobs.push(Box::new(move |conn| of_cells.take(|report| cells::compare(conn, &stored, &cells, report))));
    }
    if let Some(items) = items.filter(|_| reached.activities && reached.others) {
        jobs.push(Box::new(move |_| of_join.take(|report| join::check(&items, &records, report))));
    }
    work::run(&mut readers, jobs);
    steps.add(join);
    steps.add(compared);
    let mut of_usage = Step::default();
    if let Some(first) = readers.first().filter(|_| reached.activities) {
        of_usage.take(|report| cells::compare_usage(first, &usage, report));
    }
    steps.add(of_usage);
    steps.finish()
}

/// Finds a head that is another tenant's. One that cannot be read is reported with the chain.
fn check_owner(conn: &Connection, tenant: TenantId, report: &mut Verification) {
    if let Ok(HeadRow { tenant: found, .. }) = read_head(conn)
        && found != tenant
    {
        find(report, "head", format!("the records are those of another company: of {found}, not of {tenant}"));
    }
}

/// What all rows come to.
struct Rows {
    records: Vec<join::Records>,
    cells: Vec<Runs>,
    usage: Usage,
    entries: indexes::Sums,
    is_whole: bool,
    is_in_order: bool,
    reached: Reached,
}

/// Checks the rows of all records, each reader some sections.
fn check_rows(readers: &mut [Connection], steps: &mut Steps, known: &Known) -> Rows {
    let mut sections = Step::default();
    if let Some(first) = readers.first() {
        sections.take(|_| records::sections(first));
    }
    let sections = steps.add(sections);
    let are_known = sections.is_some();
    let sections = Mutex::new(VecDeque::from(sections.unwrap_or_default()));
    let mut tallies: Vec<Step<Tally>> = readers.iter().map(|_| Step::default()).collect();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for tally in &mut tallies {
        let sections = &sections;
        jobs.push(Box::new(move |conn| tally.take(|report| check_sections(conn, known, sections, report))));
    }
    work::run(readers, jobs);
    let mut rows = Rows {
        records: Vec::new(),
        cells: Vec::new(),
        usage: Usage::default(),
        entries: indexes::Sums::default(),
        is_whole: are_known,
        is_in_order: true,
        reached: Reached { activities: are_known, others: are_known },
    };
    for tally in tallies {
        let Some(Tally { records, cells, usage, entries, is_whole, reached, failed, is_in_order, .. }) =
            steps.add(tally)
        else {
            // What it would have read is in no sum.
            (rows.is_whole, rows.reached) = (false, Reached { activities: false, others: false });
            continue;
        };
        steps.failed.extend(failed);
        let mut finished = Step::default();
        finished.take(|_| cells.finish());
        let finished = steps.add(finished);
        rows.reached.activities &= reached.activities && finished.is_some();
        rows.reached.others &= reached.others;
        rows.cells.extend(finished);
        rows.records.push(records);
        rows.usage.merge(&usage);
        rows.entries.merge(&entries);
        rows.is_whole &= is_whole;
        rows.is_in_order &= is_in_order;
    }
    rows
}

/// Checks sections until none is left.
fn check_sections(
    conn: &Connection,
    known: &Known,
    sections: &Mutex<VecDeque<Section>>,
    report: &mut Verification,
) -> Result<Tally, StoreError> {
    let mut tally = Tally::open()?;
    let next = || sections.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some(section) = next() {
        tally.check(conn, known, section);
    }
    *report = std::mem::take(&mut tally.report);
    Ok(tally)
}

fn find(report: &mut Verification, subject: impl Into<String>, detail: impl Into<String>) {
    report.findings.push(Finding { subject: subject.into(), detail: detail.into() });
}
