//! The inventory statement of a year, as it is handed to an auditor: what it says is said by the same rules as the file.

mod behind;
mod file;

use actix_web::HttpResponse;
use domain::Name;
use files::{
    Look, ReportUnit, ShownStatement, StatementCell, StatementRow, StatementSection, StatementWeight,
    statement_sections, statement_title,
};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::inbound::{Error, Statement, StatementQuery};

use self::behind::page_of;
use super::question::{faults_of, years};
use crate::address::Address;
use crate::component::{self, Control, controls};
use crate::csv;
use crate::figure::{Digits, Numbers};
use crate::filter::ATTRIBUTIONS;
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

const TITLE: &str = "Statement";
const SECTION: &str = "/statement";
/// With how many digits after the point tonnes are shown where not all are.
const DECIMALS: u8 = 3;

/// What is asked of the page beside the year.
struct Asked {
    year: Option<String>,
    attribution: domain::Attribution,
    digits: Digits,
    /// Whether a file is asked for, which has every digit.
    csv: bool,
}

impl Asked {
    fn address(&self, year: &str) -> Address {
        let word = ATTRIBUTIONS.iter().find(|(_, one)| *one == self.attribution).map(|(word, _)| *word);
        let is_default = self.attribution == domain::Attribution::default();
        Address::to(format!("{SECTION}/{year}"))
            .with_some("attribution", word.filter(|_| !is_default))
            .with_some("digits", self.digits.word())
    }
}

/// Answers GET of `/statement`: that of the year in which the last activity begins.
pub(crate) async fn newest(here: Here) -> Result<HttpResponse, Failure> {
    Box::pin(answer(here, None)).await
}

/// Answers GET of `/statement/{year}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let year = segment(here.request(), "year").to_owned();
    Box::pin(answer(here, Some(year))).await
}

async fn answer(here: Here, year: Option<String>) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let asked = Asked {
        year,
        attribution: params.word("attribution", &ATTRIBUTIONS).unwrap_or_default(),
        digits: Digits::take(&mut params),
        csv: params.word("form", &[("csv", true)]).unwrap_or(false),
    };
    let faults = params.finish();
    let wrong = |faults: &domain::Faults| {
        let body = html! { h1 { (TITLE) } (component::faults(faults)) };
        Layout::new(TITLE, SECTION).status(actix_web::http::StatusCode::BAD_REQUEST).body(body).answer(&here)
    };
    if !faults.is_empty() {
        return Ok(wrong(&faults));
    }
    let years = years(&here).await?;
    if asked.year.is_none() && years.is_empty() && !asked.csv {
        let body = html! { h1 { (TITLE) } (component::empty("No activities yet", html! { p { "A statement is of a year that something is recorded of." } })) };
        return Ok(Layout::new(TITLE, SECTION).body(body).answer(&here));
    }
    // The year's activities are read one by one.
    let slot = edge::stream_slot(here.request(), here.caller()).await?;
    let found = here.areas().statements.statement(here.caller(), query(&here, &asked)?).await;
    drop(slot);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(wrong(&faults_of(error)?)),
    };
    if asked.csv {
        let name = format!("statement-{}-{}", found.first, found.last);
        return csv::file(&name, &file::table(&found, &edge::api_url(here.request())?));
    }
    let look = match asked.digits {
        Digits::All => Look::default(),
        Digits::Fixed => Look { unit: ReportUnit::Tonne, decimals: Some(DECIMALS), percent_decimals: None },
    };
    let shown = ShownStatement { found: &found, look, base: "" };
    let digest = digest(&here, &found).await?;
    let body = html! {
        (choose(&here, &asked, &found, &years))
        h1 { (statement_title(shown)) }
        @for one in statement_sections(shown) { (section(&here, &one, look.decimals.map(|_| DECIMALS))) }
        @if let Some(digest) = digest { p.small.muted { "The chain of changes has the digest " code { (digest) } " at change " (here.numbers().count(found.revision.number)) "." } }
    };
    let layout = Layout::new(statement_title(shown), SECTION).as_of(found.revision);
    Ok(layout.csv(&asked.address(&found.year).with("form", "csv")).body(body).answer(&here))
}

fn query(here: &Here, asked: &Asked) -> Result<StatementQuery, Failure> {
    Ok(StatementQuery {
        year: asked.year.clone(),
        year_start: here.company.year_start,
        attribution: asked.attribution,
        company: Name::parse(&here.company.name).map_err(Failure::internal)?,
        stated: here.company.stated.clone(),
        faults: domain::Faults::new(),
    })
}

/// The digest of the chain at the change that the statement is of, for whoever may read changes.
async fn digest(here: &Here, found: &Statement) -> Result<Option<domain::Digest>, Failure> {
    match here.areas().histories.head(here.caller(), Some(found.revision.number)).await {
        Ok(head) => Ok(head.map(|head| head.digest)),
        Err(Error::Denied(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn choose(here: &Here, asked: &Asked, found: &Statement, years: &[String]) -> Markup {
    let with = |attribution, digits| Asked { year: None, attribution, digits, csv: false }.address(&found.year);
    let chosen = years.iter().map(|year| (year.clone(), asked.address(year), *year == found.year));
    let booked = ATTRIBUTIONS
        .iter()
        .zip(["first day", "spread over days"])
        .map(|((_, one), name)| (name.to_owned(), with(*one, asked.digits), *one == asked.attribution));
    let digits = [("rounded", Digits::Fixed), ("all", Digits::All)]
        .map(|(name, one)| (name.to_owned(), with(asked.attribution, one), one == asked.digits));
    controls(
        here,
        &[
            Control { label: "Year", choices: chosen.collect() },
            Control { label: "Booked", choices: booked.collect() },
            Control { label: "Digits", choices: digits.to_vec() },
        ],
    )
}

/// A section; amounts of emissions have so many decimals, where all have the same.
fn section(here: &Here, section: &StatementSection, decimals: Option<u8>) -> Markup {
    let (amounts, numbers) = (section.amounts(), here.numbers());
    let decimals: Vec<_> = section.columns.iter().map(|name| decimals.filter(|_| name.ends_with("(t)"))).collect();
    let is_explained = section.is_explained();
    html! {
        section {
            @if !section.heading.is_empty() { h2 { (section.heading) } }
            @if !section.rows.is_empty() { div.scroll { table {
                @if !section.columns.is_empty() {
                    thead { tr {
                        @for (name, is_amount) in section.columns.iter().zip(&amounts) { th scope="col" class=[is_amount.then_some("r")] { (name) } }
                        @if is_explained { th.noprint scope="col" { "Behind it" } }
                    } }
                }
                tbody { @for row in &section.rows { (line(here, section, row, (&amounts, &decimals, &numbers), is_explained)) } }
            } } }
            @for note in &section.notes {
                p.small.muted {
                    (note.text)
                    @if let Some(link) = note.explained.as_deref().and_then(page_of) { " " a.noprint href=(here.link(&link)) { "show" } }
                }
            }
        }
    }
}

fn line(
    here: &Here,
    section: &StatementSection,
    row: &StatementRow,
    (amounts, decimals, numbers): (&[bool], &[Option<u8>], &Numbers),
    is_explained: bool,
) -> Markup {
    html! {
        tr class=[(row.weight == StatementWeight::Total).then_some("sub")] {
            @for (at, cell) in row.cells.iter().enumerate() {
                @let is_amount = amounts.get(at).copied().unwrap_or(false);
                @if at == 0 { th.wrap scope="row" { (value(cell, numbers, 0)) } }
                @else { td class=(if is_amount { "r" } else { "wrap" }) { (value(cell, numbers, decimals.get(at).copied().flatten().unwrap_or(0))) } }
            }
            @if is_explained && !section.columns.is_empty() {
                td.noprint.link { @for (number, link) in (1..).zip(row.explained.iter().filter_map(|address| page_of(address))) {
                    @if number > 1 { " " }
                    a href=(here.link(&link)) { @if number == 1 { "show" } @else { (number) } }
                } }
            }
        }
    }
}

/// A cell; an amount has so many decimals at least.
fn value(cell: &StatementCell, numbers: &Numbers, decimals: u8) -> Markup {
    match cell {
        StatementCell::Text(text) => html! { (text) },
        StatementCell::Amount(amount) => html! { data value=(amount) { (numbers.padded(amount, decimals)) } },
        StatementCell::Absent(word) => html! { span.muted { (word) } },
        StatementCell::Blank => html! {},
    }
}
