//! Activities: a page of them at a time, with facets whose counts are exact, and a strip of months.

mod facets;
mod rows;

use actix_web::HttpResponse;
use domain::{ActivityId, Day};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{Error, Only, ReportQuery, ReportRows, ReportView, State, Step};
use ports::repo::{Place, Side};

use super::question::{bar, faults_of, faulty, years};
use crate::address::Address;
use crate::component;
use crate::figure::{Digits, Figures};
use crate::filter::Filter;
use crate::filter_bar::{Choices, words};
use crate::here::Here;
use crate::layout::Layout;
use crate::params::Params;
use facets::Facets;

const TITLE: &str = "Activities";
const SECTION: &str = "/activities";
/// Activities a page.
const SIZE: u32 = 100;
/// The largest are sought among so many at most, and so is a name.
const MOST_SCANNED: i64 = 50_000;

/// What is asked of the page.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a parameter of its own")]
struct Asked {
    filter: Filter,
    /// Only those of this product.
    product: Option<uuid::Uuid>,
    /// Only those with that text in their name.
    name: Option<String>,
    /// Only those without CO2e.
    incomplete: bool,
    /// Only those without a scope.
    uncategorized: bool,
    side: Side,
    /// Whether the largest come first, in place of the order of days.
    largest_first: bool,
    digits: Digits,
    csv: bool,
}

impl Asked {
    fn take(params: &mut Params, here: &Here) -> Self {
        let filter = Filter::take(params, here.company.year_start);
        let (after, before) = (params.read("after", place), params.read("before", place));
        if after.is_some() && before.is_some() {
            params.faults.add("before", "is given together with after; give one or the other");
        }
        Self {
            filter,
            product: params.id("product"),
            name: params.take("name").map(|name| name.trim().to_owned()),
            incomplete: params.word("incomplete", &[("true", true)]).unwrap_or(false),
            uncategorized: params.word("uncategorized", &[("true", true)]).unwrap_or(false),
            side: before.map_or(Side::After(after), Side::Before),
            largest_first: params.word("sort", &[("largest", true), ("day", false)]).unwrap_or(false),
            digits: Digits::take(params),
            csv: params.word("form", &[("csv", true)]).unwrap_or(false),
        }
    }

    fn states(&self) -> Vec<State> {
        let states = [(self.incomplete, State::Incomplete), (self.uncategorized, State::Uncategorized)];
        states.into_iter().filter(|(asked, _)| *asked).map(|(_, state)| state).collect()
    }

    fn only(&self) -> Only {
        let product = self.product.map(|id| id.to_string());
        Only { product, name: self.name.clone(), updated_since: None, states: self.states() }
    }

    /// The question of the report, without rows.
    fn query(&self) -> ReportQuery {
        ReportQuery { only: self.only(), ..self.filter.report() }
    }

    /// The address of the page, without the filter and from the first activity on.
    fn page(&self) -> Address {
        Address::to("/activities")
            .with_some("product", self.product)
            .with_some("name", self.name.as_ref())
            .with_some("incomplete", self.incomplete.then_some("true"))
            .with_some("uncategorized", self.uncategorized.then_some("true"))
            .with_some("sort", self.largest_first.then_some("largest"))
            .with_some("digits", self.digits.word())
    }

    fn address(&self) -> Address {
        self.page().filtered(&self.filter)
    }

    fn beside(&self, side: Side) -> Address {
        let text = |place: Place| format!("{}.{}", place.day, place.id);
        match side {
            Side::After(Some(place)) => self.address().with("after", text(place)),
            Side::After(None) => self.address(),
            Side::Before(place) => self.address().with("before", text(place)),
        }
    }
}

/// Reads the place of an activity, `DAY.UUID`.
fn place(text: &str) -> Result<Place, &'static str> {
    let read = || {
        let (day, id) = text.split_once('.')?;
        Some(Place { day: Day::parse(day).ok()?, id: id.parse::<ActivityId>().ok()? })
    };
    read().ok_or("is not the place of an activity, as a link gives it")
}

/// Answers GET of `/activities`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let asked = Asked::take(&mut params, &here);
    let faults = params.finish();
    if asked.csv && faults.is_empty() {
        return edge::activities_csv(here.request(), asked.query()).await;
    }
    let (choices, years) = (Choices::find(&here).await?, years(&here).await?);
    let bar = || bar(&here, &asked.filter, &choices, &asked.page(), &years);
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, SECTION, bar(), &faults));
    }
    let reads = here.viewer.may(Permission::ActivityRead);
    // What sums do not know is answered by reading activities one by one, which takes long.
    let slot = if asked.only().is_all() && !asked.largest_first {
        None
    } else {
        Some(edge::stream_slot(here.request(), here.caller()).await?)
    };
    let found = find(&here, &asked, reads).await;
    drop(slot);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(faulty(&here, TITLE, SECTION, bar(), &faults_of(error)?)),
    };
    let layout =
        Layout::new(TITLE, SECTION).bar(bar()).about(words(&asked.filter, &choices)).as_of(found.view.revision);
    let layout = if reads { layout.csv(&asked.address().with("form", "csv")) } else { layout };
    let total = found.view.co2e;
    let figures = Figures::of(here.numbers(), asked.digits, [total]);
    let body = html! {
        (head(&here, &asked, &found, &figures))
        div.side {
            (facets::facets(&here, &asked, &found.facets, &choices))
            div {
                (facets::strip(&here, &asked, &found.facets))
                (rows::section(&here, &asked, &found, reads))
            }
        }
    };
    Ok(layout.body(body).answer(&here))
}

/// What the page shows.
struct Found {
    view: ReportView,
    facets: Facets,
    rows: Vec<rows::Row>,
    /// Whether the largest were asked for, and there are too many to seek them among.
    too_many: bool,
}

async fn find(here: &Here, asked: &Asked, reads: bool) -> Result<Found, Error> {
    let facets = Facets::find(here, asked).await?;
    let too_many = asked.largest_first && facets.whole().totals.count > MOST_SCANNED;
    let all = asked.largest_first && !too_many;
    let rows = match (reads, all) {
        (false, _) => ReportRows::None,
        (true, true) => ReportRows::All,
        (true, false) => ReportRows::Step(Step { side: asked.side, limit: SIZE }),
    };
    let mut view = here.areas().activities.report(here.caller(), ReportQuery { rows, ..asked.query() }).await?;
    let mut rows = Vec::new();
    loop {
        let batch = view.rows.next().await?;
        if batch.is_empty() {
            break;
        }
        rows.extend(batch.into_iter().map(|(view, share)| rows::Row { view, share }));
        if all {
            rows::keep_largest(&mut rows, SIZE as usize);
        }
    }
    Ok(Found { view, facets, rows, too_many })
}

fn head(here: &Here, asked: &Asked, found: &Found, figures: &Figures) -> Markup {
    let (view, numbers) = (&found.view, here.numbers());
    html! {
        h1 { (TITLE) " " span.muted { (asked.filter.days) } }
        div.head {
            span.total { (numbers.count(view.count)) " " span.unit { "of " (numbers.count(found.facets.all)) } }
            span { b { (figures.with_unit(view.co2e)) } ", " (figures.exact(view.co2e)) }
            @if !view.uncategorized.is_zero() { span.muted { "no scope " (figures.with_unit(view.uncategorized)) } }
            @if !view.biogenic.is_zero() { span.muted { "biogenic CO₂ " (figures.with_unit(view.biogenic)) ", apart" } }
            @if view.incomplete > 0 && !asked.incomplete {
                a.tag.warn href=(here.link(&asked.address().with("incomplete", "true"))) { (numbers.count(view.incomplete)) " not computed" }
            }
            @if view.outdated > 0 { span.tag.warn title="computed from a factor that was corrected or replaced since" { (numbers.count(view.outdated)) " outdated" } }
            @if here.viewer.may(Permission::ActivityWrite) { a.button.plain href=(here.path("/activities/new")) { "Add an activity" } }
        }
    }
}

/// That the filter leaves nothing in.
fn none(here: &Here, asked: &Asked) -> Markup {
    component::empty(
        "No activities in this selection",
        html! { p { "Take something out of the filter, or "
        a href=(here.path("/activities")) { "show all activities" } "." }
        @if asked.incomplete { p { "None of those that it leaves in lacks its CO₂e." } } },
    )
}
