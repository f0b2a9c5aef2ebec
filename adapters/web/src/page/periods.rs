//! Closed periods: which there are, closing one, and opening one again for a reason.

use actix_web::HttpResponse;
use domain::{Day, Faults, Name, Reason, Significance, Timestamp, parse_uuid};
use files::{Cell, Table};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{Error, Field, PeriodDraft, PeriodView, Reference, ReopenDraft};
use ports::repo::Page;

use super::login::see_other;
use super::refused::refused;
use crate::address::Address;
use crate::component::{self, Input, moment};
use crate::csv;
use crate::figure::{Digits, Figures};
use crate::filter::Dimension;
use crate::filter_bar::Choices;
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;

const TITLE: &str = "Closed periods";
const PATH: &str = "/periods";
/// The most periods that are shown.
const MOST: u32 = 1_000;

/// Answers GET of `/periods`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    if params.word("form", &[("csv", true)]) == Some(true) {
        let (periods, key) = (&here.areas().periods, |view: &PeriodView| view.period.value.id);
        let found = whole_list(key, |page| periods.list(here.caller(), page)).await?;
        return csv::file("periods", &listed(&found));
    }
    let said = match params.take("done").as_deref() {
        Some("closed") => Some("Closed. Its figures stand fast until it is opened again."),
        Some("reopened") => Some("Opened again. Its frozen report stays."),
        _ => None,
    };
    let said = said.map(|said| html! { p.notice.ok role="status" { (said) } });
    let body = body(&here, said, &Fields::default(), &Faults::new()).await?;
    Ok(Layout::new(TITLE, PATH).csv(&Address::to(PATH).with("form", "csv")).body(body).answer(&here))
}

const COLUMNS: [&str; 18] = [
    "uuid",
    "orgUuid",
    "org",
    "first",
    "last",
    "baseYear",
    "state",
    "closedAt",
    "closedBy",
    "closedReason",
    "reopenedAt",
    "reopenedBy",
    "reopenedReason",
    "sha256",
    "change",
    "CO2e",
    "count",
    "incompleteCount",
];

/// The periods in the order in which the page has them.
fn listed(periods: &[PeriodView]) -> Table {
    let row = |view: &PeriodView| {
        let period = &view.period.value;
        let state = if period.is_closed() { "closed" } else { "reopened" };
        let mut cells =
            vec![Cell::text(period.id), csv::text(period.org), csv::text(view.org.as_ref().map(|org| &org.name))];
        cells.extend([period.first(), period.last()].map(Cell::text));
        cells.extend([csv::number(period.base_year), Cell::text(state)]);
        for signature in [Some(&period.closed), period.reopened.as_ref()] {
            cells.extend([csv::text(signature.map(|one| one.at)), csv::text(signature.map(|one| &one.by))]);
            cells.push(csv::text(signature.and_then(|one| one.reason.as_ref())));
        }
        cells.extend([Cell::text(period.frozen.digest()), csv::number(Some(period.frozen.number()))]);
        cells.push(csv::number(Some(view.frozen.co2e)));
        cells.extend([view.frozen.count, view.frozen.incomplete].map(|count| csv::number(Some(count))));
        cells
    };
    csv::table("periods", &COLUMNS, periods.iter().rev().map(row).collect())
}

/// Answers POST to `/periods`: closes a period, or opens one again.
pub(crate) async fn change(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let (periods, caller) = (&here.areas().periods, here.caller());
    let (done, word) = match fields.get("do") {
        Some("close") => (periods.close(caller, closing(&here, &fields)).await, "closed"),
        Some("reopen") => {
            let id = fields.get("period").and_then(|text| text.parse().ok());
            let id = id.ok_or_else(|| Failure::malformed("The form names no period."))?;
            (periods.reopen(caller, id, reopening(&fields)).await, "reopened")
        }
        Some(_) | None => return Err(Failure::malformed("The form does not say what to do.")),
    };
    let Err(error) = done else { return Ok(see_other(&format!("{}?done={word}", here.path(PATH)))) };
    let mut faults = Faults::new();
    if let (Error::Invalid(found), "closed") = (&error, word) {
        faults = found.clone();
    }
    let (status, wrong) = refused(error)?;
    let body = body(&here, Some(wrong), &fields, &faults).await?;
    Ok(Layout::new(TITLE, PATH).status(status).body(body).answer(&here))
}

fn closing(here: &Here, fields: &Fields) -> PeriodDraft {
    let mut faults = Faults::new();
    let mut draft = PeriodDraft {
        period: Field::of(fields.filled("days").map(str::to_owned)),
        year_start: here.company.year_start,
        first: fields.parse("first", Day::parse, &mut faults),
        last: fields.parse("last", Day::parse, &mut faults),
        base_year: fields.parse("baseYear", Significance::parse, &mut faults),
        reason: fields.parse("reason", Reason::parse, &mut faults),
        ..PeriodDraft::default()
    };
    draft.org = fields.parse("org", |text| parse_uuid(text).map(Reference::Id), &mut faults);
    PeriodDraft { faults, ..draft }
}

fn reopening(fields: &Fields) -> ReopenDraft {
    let mut faults = Faults::new();
    let reason = fields.parse("reason", Reason::parse, &mut faults);
    ReopenDraft { reason, faults }
}

async fn body(here: &Here, said: Option<Markup>, fields: &Fields, faults: &Faults) -> Result<Markup, Failure> {
    let listing = here.areas().periods.list(here.caller(), Page { number: 1, size: MOST }).await?;
    let may_close = here.viewer.may(Permission::PeriodClose);
    let choices = if may_close { Choices::find_orgs(here).await? } else { Choices::default() };
    Ok(html! {
        h1 { (TITLE) }
        (said.unwrap_or_default())
        section {
            @if listing.data.is_empty() {
                (component::empty("No period is closed", html! { p {
                    "A closed period refuses changes that would touch its figures, and keeps its report as it was. "
                    @if may_close { "Close one below." } @else { "Closing one needs the permission " code { "period:close" } "." }
                } }))
            } @else { (table(here, &listing.data, may_close)) }
            @if listing.count > u64::from(MOST) { p.muted { "The first " (here.numbers().count(MOST)) " of " (here.numbers().count(listing.count)) "." } }
        }
        @if may_close { (form(here, fields, faults, &choices)) }
    })
}

fn table(here: &Here, periods: &[PeriodView], may_close: bool) -> Markup {
    let figures = Figures::of(here.numbers(), Digits::Fixed, periods.iter().map(|view| view.frozen.co2e));
    html! {
        div.scroll { table {
            caption { "Scopes 1 to 3 as they were frozen, in " (figures.heading()) "; the period that was closed last comes first" }
            thead { tr {
                th scope="col" { "Days" } th scope="col" { "Org" } th scope="col" { "State" } th.r scope="col" { "As frozen" }
                th.r scope="col" { "Not computed" } th scope="col" { "Closed" } th scope="col" { "Opened again" }
            } }
            tbody { @for view in periods.iter().rev() { (row(here, view, &figures, may_close)) } }
        } }
    }
}

fn row(here: &Here, view: &PeriodView, figures: &Figures, may_close: bool) -> Markup {
    let period = &view.period.value;
    let days = Address::to("/activities").with("sd", period.first()).with("ed", period.last());
    let days = days.with_some("org", period.org.map(uuid::Uuid::from));
    html! {
        tr {
            th.link scope="row" { a href=(here.link(&days)) { (period.first()) " to " (period.last()) } }
            td.clip { @match &view.org { Some(org) => (org.name), None => "the whole company" } }
            td {
                @if period.is_closed() { span.tag.ok { "closed" } } @else { span.tag.warn { "open again" } }
                @if let Some(significance) = period.base_year { " " span.tag { "base year, " (significance) " %" } }
            }
            td.r { (figures.amount(view.frozen.co2e)) }
            td.r { (here.numbers().count(view.frozen.incomplete)) }
            td.wrap { (signed(period.closed.at, &period.closed.by, period.closed.reason.as_ref())) }
            td.wrap {
                @match &period.reopened {
                    Some(signature) => (signed(signature.at, &signature.by, signature.reason.as_ref())),
                    None if may_close => (reopen(here, view)),
                    None => {},
                }
            }
        }
    }
}

fn signed(at: Timestamp, by: &Name, reason: Option<&Reason>) -> Markup {
    html! { (moment(at)) " by " (by) @if let Some(reason) = reason { div.muted { (reason) } } }
}

fn reopen(here: &Here, view: &PeriodView) -> Markup {
    html! {
        details {
            summary { "Open again" }
            form.form method="post" action=(here.path(PATH)) {
                (here.token_field())
                input type="hidden" name="period" value=(view.period.value.id);
                label.field { span { "Reason *" } input type="text" name="reason" maxlength="1000" autocomplete="off" required; }
                p { button.danger type="submit" name="do" value="reopen" { "Open again" } }
            }
        }
    }
}

fn form(here: &Here, fields: &Fields, faults: &Faults, choices: &Choices) -> Markup {
    let orgs: Vec<_> =
        choices.all(Dimension::Org).iter().map(|org| (org.id.to_string(), org.path.join(" / "))).collect();
    let is_closing = fields.get("do") == Some("close");
    let text = |name, label, hint| {
        let value = if is_closing { fields.get(name).unwrap_or_default() } else { "" };
        component::field(&component::Field { name, label, hint, input: Input::Text, value, required: false }, faults)
    };
    let org = if is_closing { fields.get("org").unwrap_or_default() } else { "" };
    let org = component::Field {
        name: "org",
        label: "Org",
        hint: Some("empty: the whole company"),
        input: Input::Choice(&orgs),
        value: org,
        required: false,
    };
    html! {
        section {
            h2 { "Close a period" }
            form.form method="post" action=(here.path(PATH)) {
                (here.token_field())
                div.row {
                    (text("days", "Days by name", Some("2025, 2025-Q1, 2025-03, FY2025; or the first and the last day:")))
                    (text("first", "First day", Some("2025-01-01")))
                    (text("last", "Last day", Some("2025-12-31, included")))
                }
                (component::field(&org, faults))
                (text("reason", "Reason", None))
                (text("baseYear", "Base year: threshold in %", Some("Only of the base year: a later change of its figures above this is significant. 5 is usual.")))
                p { button type="submit" name="do" value="close" { "Close" } }
            }
        }
    }
}
