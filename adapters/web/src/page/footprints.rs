//! Footprints: which there are, found by words, status and validity, and which of PACT's editions shows each.

use actix_web::HttpResponse;
use domain::footprint::{ACTIVE, DEPRECATED, Edition, Verdict};
use files::{Cell, Table};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{FootprintSearch, FootprintView, Found, SearchWords};

use super::listed::{Asked, all_found, faulty, pages, parts, words, words_field};
use crate::address::Address;
use crate::component;
use crate::csv;
use crate::here::Here;
use crate::layout::Layout;
use crate::params::Params;

const TITLE: &str = "Footprints";
pub(super) const PATH: &str = "/footprints";
/// Footprints a page.
const SIZE: u32 = 100;
/// Footprints that are in memory at once for a file, of up to 1 MiB each.
const AT_ONCE: u32 = 32;

/// Which footprints are asked for.
#[derive(Clone, Debug)]
struct Question {
    words: Option<SearchWords>,
    status: Option<&'static str>,
    is_valid: Option<bool>,
}

impl Question {
    fn take(params: &mut Params) -> Self {
        Self {
            words: words(params),
            status: params.word("status", &[("active", ACTIVE), ("deprecated", DEPRECATED)]),
            is_valid: params.word("valid", &[("yes", true), ("no", false)]),
        }
    }

    const fn is_all(&self) -> bool {
        self.words.is_none() && self.status.is_none() && self.is_valid.is_none()
    }

    fn search(&self, after: u64, limit: u32) -> FootprintSearch {
        let words = self.words.clone().unwrap_or_default();
        FootprintSearch { words, status: self.status.map(str::to_owned), is_valid: self.is_valid, after, limit }
    }

    fn address(&self) -> Address {
        Address::to(PATH)
            .with_some("q", self.words.as_ref().map(SearchWords::as_str))
            .with_some("status", self.status.map(str::to_lowercase))
            .with_some("valid", self.is_valid.map(|is_valid| if is_valid { "yes" } else { "no" }))
    }
}

/// What is kept of a footprint while others are read.
struct Row {
    id: String,
    number: u64,
    product: String,
    company: String,
    status: String,
    spec_version: String,
    created: String,
    version: i64,
    model: Option<String>,
    /// How many rules it breaks of the version that it is written in.
    broken: usize,
    /// Whether each edition shows it.
    shown: [bool; 2],
}

impl Row {
    fn of(view: &FootprintView) -> Self {
        let footprint = &view.footprint.value;
        let fields = &footprint.fields;
        let text = |name: &str| fields.text(name).unwrap_or_default().to_owned();
        let verdict = Verdict::of(footprint);
        Self {
            id: footprint.id.to_string(),
            number: footprint.number,
            product: text("productNameCompany"),
            company: text("companyName"),
            status: footprint.status().to_owned(),
            spec_version: text("specVersion"),
            created: footprint.created().to_string(),
            version: footprint.version(),
            model: footprint.from_model.as_ref().map(|from| from.model.to_string()),
            broken: view.violations.len(),
            shown: Edition::ALL.map(|edition| verdict.is_shown(edition)),
        }
    }
}

/// Answers GET of `/footprints`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let (asked, question) = (Asked::take(&mut params), Question::take(&mut params));
    let after = params.read("after", str::parse::<u64>);
    let faults = params.finish();
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, PATH, &faults));
    }
    let footprints = &here.areas().footprints;
    if asked.csv {
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        let next = async |after: Option<u64>| {
            let found = footprints.search(here.caller(), &question.search(after.unwrap_or(0), AT_ONCE)).await?;
            let data: Vec<_> = found.data.iter().map(Row::of).collect();
            Ok(Found { data, end: found.end, looked_at: found.looked_at })
        };
        return csv::file("footprints", &table(&all_found(next).await?));
    }
    let (rows, part) = if question.is_all() && here.viewer.may(Permission::FootprintReview) {
        let listing = footprints.list(here.caller(), asked.page(SIZE)).await?;
        (listing.data.iter().map(Row::of).collect::<Vec<_>>(), Part::Page(listing.count))
    } else {
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        let found = footprints.search(here.caller(), &question.search(after.unwrap_or(0), SIZE)).await?;
        (found.data.iter().map(Row::of).collect(), Part::Found(found.end))
    };
    let list = question.address();
    let body = html! {
        h1 { (TITLE) }
        (search(&here, &question))
        @if !here.viewer.may(Permission::FootprintReview) {
            p.small.muted { "Those that break no rule. The others need the permission " code { "footprint:review" } "." }
        }
        @if !rows.is_empty() {
            (listed(&here, &rows, &part))
        } @else if question.is_all() {
            (component::empty("No footprints", html! {
                p { "The footprint of a model is made by " code { "tonne footprint publish MODEL" } " or through the API (" code { "POST /v1/model/{uuid}/footprint" } "); one that was written elsewhere is added through the API (" code { "POST /v1/footprint" } ")." }
                @if here.viewer.may(Permission::ModelRead) { p { a href=(here.path("/models")) { "Your models" } } }
            }))
        } @else {
            @match part {
                Part::Found(Some(end)) => p.notice { "None up to number " (here.numbers().count(end)) " matches." },
                Part::Page(_) | Part::Found(None) => (component::empty("No footprint matches", html! { p { a href=(here.path(PATH)) { "All footprints" } } })),
            }
        }
        @match part {
            Part::Page(count) => (pages(&here, &list, asked.number, SIZE, count)),
            Part::Found(end) => (parts(&here, &list, after.is_some(), end)),
        }
    };
    Ok(Layout::new(TITLE, PATH).csv(&list.with("form", "csv")).body(body).answer(&here))
}

/// Which part of the footprints a page has.
enum Part {
    /// A page of so many.
    Page(u64),
    /// Those that were found up to that number; all that are left where there is none.
    Found(Option<u64>),
}

fn search(here: &Here, question: &Question) -> Markup {
    let choice = |name: &str, label: &str, values: &[(&str, &str)], chosen: Option<&str>| {
        html! {
            label { span { (label) } select name=(name) {
                option value="" { "all" }
                @for (value, shown) in values { option value=(value) selected[chosen == Some(value)] { (shown) } }
            } }
        }
    };
    let status = question.status.map(str::to_lowercase);
    let validity = question.is_valid.map(|is_valid| if is_valid { "yes" } else { "no" });
    html! {
        form.search.noprint method="get" action=(here.path(PATH)) role="search" {
            (words_field(question.words.as_ref(), "Product, company or id"))
            (choice("status", "Status", &[("active", ACTIVE), ("deprecated", DEPRECATED)], status.as_deref()))
            (choice("valid", "Rules of its version", &[("yes", "kept"), ("no", "broken")], validity))
            button.plain type="submit" { "Show" }
        }
    }
}

fn listed(here: &Here, rows: &[Row], part: &Part) -> Markup {
    let numbers = here.numbers();
    html! {
        div.scroll { table data-rows {
            caption { @match part {
                Part::Page(count) => { (numbers.counted(*count, "footprint", "footprints")) ", by their number" },
                Part::Found(_) => "The footprints that match, by their number",
            } }
            thead { tr {
                th.r scope="col" { "No." } th scope="col" { "Product" } th scope="col" { "Company" } th scope="col" { "Status" } th scope="col" { "Written in" }
                @for edition in Edition::ALL { th scope="col" { (titled(edition)) } }
                th scope="col" { "Created" }
            } }
            tbody { @for row in rows { tr data-row {
                td.r { (numbers.count(row.number)) }
                th.clip.link scope="row" { a href=(here.path(&format!("{PATH}/{}", row.id))) { (named(&row.product)) } }
                td.clip { (row.company) }
                td { (status(&row.status)) }
                td { (row.spec_version) @if row.broken > 0 { " " span.tag.bad { "! " (numbers.count(row.broken)) " broken" } } }
                @for is_shown in row.shown { td { (shown(is_shown)) } }
                td { (row.created.get(..10).unwrap_or(&row.created)) }
            } } }
        } }
    }
}

/// What a footprint is called: that of its product.
pub(super) fn named(product: &str) -> &str {
    if product.trim().is_empty() { "without a product name" } else { product }
}

/// A status with its mark.
pub(super) fn status(status: &str) -> Markup {
    let kind = if status == ACTIVE { "ok" } else { "warn" };
    html! { span.tag.(kind) { (status) } }
}

/// What an edition is called.
pub(super) const fn titled(edition: Edition) -> &'static str {
    match edition {
        Edition::V2 => "PACT 2.3",
        Edition::V3 => "PACT 3.0",
    }
}

/// Whether an edition shows a record.
pub(super) fn shown(is_shown: bool) -> Markup {
    html! { @if is_shown { span.tag.ok { "shown" } } @else { span.tag.warn { "! not shown" } } }
}

const COLUMNS: [&str; 12] = [
    "uuid",
    "id",
    "productNameCompany",
    "companyName",
    "status",
    "version",
    "specVersion",
    "created",
    "brokenRules",
    "shownIn2",
    "shownIn3",
    "model",
];

fn table(rows: &[Row]) -> Table {
    let row = |row: &Row| {
        let mut cells = vec![Cell::text(&row.id), csv::number(Some(row.number))];
        cells.extend([&row.product, &row.company, &row.status].map(Cell::text));
        cells.extend([csv::number(Some(row.version)), Cell::text(&row.spec_version), Cell::text(&row.created)]);
        cells.push(csv::number(Some(row.broken)));
        cells.extend(row.shown.map(Cell::text));
        cells.push(csv::text(row.model.as_ref()));
        cells
    };
    csv::table("footprints", &COLUMNS, rows.iter().map(row).collect())
}
