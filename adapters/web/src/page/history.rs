//! What changed, the newest first, and what became of one record.

use actix_web::HttpResponse;
use domain::parse_uuid;
use files::{Cell, Table};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::inbound::{ChangeMark, ChangeView};
use ports::{RecordKind, Revision, Verb};
use uuid::Uuid;

use super::listed::{MOST_ROWS, faulty, too_many};
use crate::address::Address;
use crate::component::{self, history, moment};
use crate::csv;
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

const TITLE: &str = "History";
const SECTION: &str = "/history";
/// Changes a page.
const SIZE: u32 = 50;
/// So many records of a change are named.
const MOST_RECORDS: usize = 5;
/// So many changes of one record are shown.
const MOST_CHANGES: usize = 100;

/// Answers GET of `/history`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let before = params.read("before", |text| {
        text.parse::<u64>().ok().filter(|number| *number > 1).ok_or("is no number of a change above 1")
    });
    let is_csv = params.word("form", &[("csv", true)]).unwrap_or(false);
    let faults = params.finish();
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, SECTION, &faults));
    }
    if is_csv {
        return csv::file("history", &file(&here, before).await?);
    }
    let (newest, changes) = find(&here, before).await?;
    let oldest = changes.last().map_or(0, |view| view.change.number);
    let body = html! {
        h1 { (TITLE) }
        @if changes.is_empty() {
            (component::empty("Nothing has changed yet", html! { p { "Each change is listed here with who made it, when and what for." } }))
        } @else {
            (table(&here, &changes))
            nav.pages aria-label="Pages of the history" {
                @if before.is_some() { a href=(here.path(SECTION)) { "← newest" } } @else { span {} }
                @if oldest > 1 { a href=(here.link(&Address::to(SECTION).with("before", oldest))) { "earlier →" } }
            }
        }
    };
    let csv = Address::to(SECTION).with_some("before", before).with("form", "csv");
    Ok(Layout::new(TITLE, SECTION).as_of(newest).csv(&csv).body(body).answer(&here))
}

/// The changes before that number, or the newest ones, the newest first. Changes are numbered without a gap.
async fn find(here: &Here, before: Option<u64>) -> Result<(Revision, Vec<ChangeView>), Failure> {
    let histories = &here.areas().histories;
    let newest = here.areas().activities.revision(here.caller()).await?;
    let last = before.map_or(newest.number, |before| newest.number.min(before - 1));
    let number = last.saturating_sub(u64::from(SIZE));
    let (mut at, mut found) = (ChangeMark { epoch: newest.epoch, number, parts: 0 }, Vec::new());
    while at.number < last {
        let left = u32::try_from(last - at.number).unwrap_or(SIZE);
        let page = histories.changes(here.caller(), Some(at), left).await?;
        let Some(end) = page.changes.last().map(|view| view.change.number) else { break };
        found.extend(page.changes);
        // Of a change with very many records the first ones are enough.
        at.number = end;
    }
    found.reverse();
    Ok((newest, found))
}

/// A line for each record of each change before that number, or of all changes, the first change first, as they came.
async fn file(here: &Here, before: Option<u64>) -> Result<Table, Failure> {
    let _slot = edge::stream_slot(here.request(), here.caller()).await?;
    let newest = here.areas().activities.revision(here.caller()).await?;
    let last = before.map_or(newest.number, |before| newest.number.min(before - 1));
    let (mut after, mut rows) = (ChangeMark { epoch: newest.epoch, number: 0, parts: 0 }, Vec::new());
    loop {
        let page = here.areas().histories.changes(here.caller(), Some(after), SIZE).await?;
        let is_end = page.changes.is_empty() || page.next == after;
        for view in page.changes.iter().filter(|view| view.change.number <= last) {
            rows.extend(lines(view));
        }
        if rows.len() > MOST_ROWS {
            return Err(too_many());
        }
        if is_end || page.next.number >= last && page.next.parts == 0 {
            break;
        }
        after = page.next;
    }
    Ok(csv::table("history", &["change", "at", "actor", "cause", "verb", "kind", "uuid"], rows))
}

fn lines(view: &ChangeView) -> Vec<Vec<Cell>> {
    let change = &view.change;
    let head =
        [csv::number(Some(change.number)), Cell::text(change.at), Cell::text(&change.actor), Cell::text(&change.cause)];
    let record = |(kind, id, verb): &(RecordKind, Uuid, Verb)| {
        head.iter().cloned().chain([Cell::text(said(*verb)), Cell::text(kind), Cell::text(id)]).collect()
    };
    if view.records.is_empty() {
        return vec![head.iter().cloned().chain([Cell::Empty, Cell::Empty, Cell::Empty]).collect()];
    }
    view.records.iter().map(record).collect()
}

fn table(here: &Here, changes: &[ChangeView]) -> Markup {
    html! {
        div.scroll { table.compact {
            thead { tr { th.r scope="col" { "Change" } th scope="col" { "When" } th scope="col" { "Who" } th scope="col" { "What for" } th scope="col" { "Records" } } }
            tbody { @for view in changes { tr {
                th.r scope="row" { (here.numbers().count(view.change.number)) }
                td { (moment(view.change.at)) }
                td.clip title=(view.change.actor) { (view.change.actor) }
                td.clip title=(view.change.cause) { (view.change.cause) }
                td.wrap.link { (records(here, view)) }
            } } }
        } }
    }
}

fn records(here: &Here, view: &ChangeView) -> Markup {
    let more = view.records.len().saturating_sub(MOST_RECORDS);
    html! {
        @for (kind, id, verb) in view.records.iter().take(MOST_RECORDS) {
            div { (said(*verb)) " " a href=(here.path(&path(*kind, *id))) { (kind) " " (id) } }
        }
        @if view.goes_on { div.muted { "and more than " (here.numbers().counted(more, "other", "others")) } }
        @else if more > 0 { div.muted { "and " (here.numbers().counted(more, "other", "others")) } }
    }
}

const fn said(verb: Verb) -> &'static str {
    match verb {
        Verb::Added => "created",
        Verb::Updated => "changed",
        Verb::Removed => "removed",
        Verb::Blanked => "blanked an earlier text of",
    }
}

fn path(kind: RecordKind, id: Uuid) -> String {
    format!("{SECTION}/{kind}/{id}")
}

/// Answers GET of `/history/{kind}/{uuid}`: what became of one record, before and after each change.
pub(crate) async fn record(here: Here) -> Result<HttpResponse, Failure> {
    let named = segment(here.request(), "kind");
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.as_str() == named).ok_or_else(Failure::nowhere)?;
    let id = parse_uuid(segment(here.request(), "uuid")).map_err(|_| Failure::nowhere())?;
    let changes = here.areas().histories.of_record(here.caller(), kind, id, MOST_CHANGES).await?;
    let title = format!("History of {kind} {id}");
    let body = html! {
        p.small { a href=(here.path(SECTION)) { "← History" } }
        h1 { (title) }
        (history(&here, &changes))
        @if changes.len() == MOST_CHANGES { p.muted { "The newest " (MOST_CHANGES) " changes." } }
    };
    Ok(Layout::new(title, SECTION).body(body).answer(&here))
}
