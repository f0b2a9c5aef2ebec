//! The dashboard: what the company emitted, month by month, by whom and by what, beside the year before.

pub(super) mod gaps;
mod head;
mod months;
mod parts;

use actix_web::HttpResponse;
use domain::{Period, Scope2, Stretch};
use http::edge::Failure;
use maud::html;
use ports::Permission;
use ports::inbound::{Breakdown, BreakdownBy, Error, Whole};

use super::catalog::standard;
use super::question::{bar, before, by_nodes, faults_of, faulty, stretch, years};
use crate::address::Address;
use crate::component;
use crate::figure::{Digits, Figures};
use crate::filter::{Days, Dimension, Filter};
use crate::filter_bar::{Choices, words};
use crate::here::Here;
use crate::layout::Layout;
use head::Kinds;

const TITLE: &str = "Dashboard";
const SECTION: &str = "/";

/// What is asked of the dashboard.
struct Asked {
    filter: Filter,
    /// What it is compared with.
    compare: Option<Days>,
    digits: Digits,
}

impl Asked {
    fn address(&self) -> Address {
        Address::to("/").with_some("digits", self.digits.word())
    }

    fn compared(&self) -> Option<Period> {
        self.compare.as_ref().map(Days::period)
    }
}

/// Answers GET of the company's address.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let (choices, years) = (Choices::find(&here).await?, years(&here).await?);
    let mut params = here.params();
    let year_start = here.company.year_start;
    let mut filter = Filter::take(&mut params, year_start);
    let compare = params.read("compare", |text| match text {
        "none" => Ok(None),
        name => Days::named(name, year_start).map(Some),
    });
    let digits = Digits::take(&mut params);
    let faults = params.finish();
    if filter.days == Days::All
        && let Some(newest) = years.first()
    {
        filter = filter.dated(newest, year_start);
    }
    let compare = compare.unwrap_or_else(|| before(&here, &filter.days));
    let asked = Asked { filter, compare, digits };
    let bar = || bar(&here, &asked.filter, &choices, &asked.address(), &years);
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, SECTION, bar(), &faults));
    }
    let found = match find(&here, &asked).await {
        Ok(found) => found,
        Err(error) => return Ok(faulty(&here, TITLE, SECTION, bar(), &faults_of(error)?)),
    };
    let layout = Layout::new(TITLE, SECTION).bar(bar()).about(words(&asked.filter, &choices));
    let layout = layout.as_of(found.months.revision);
    if found.months.whole.totals.count == 0 {
        return Ok(layout.body(nothing(&here, years.is_empty()).await?).answer(&here));
    }
    let amounts = head::amounts(&found.kinds);
    let figures = Figures::of(here.numbers(), asked.digits, amounts);
    let body = html! {
        (head::head(&here, &asked, &found, &figures))
        (months::section(&here, &asked, &found))
        div.cols {
            (parts::orgs(&here, &asked, &found, &figures))
            (parts::taxonomies(&here, &asked, &found, &choices, &figures))
        }
        (gaps::section(&here, &asked).await?)
    };
    Ok(layout.csv(&super::question::report(&asked.filter, "scope,month").with("form", "csv")).body(body).answer(&here))
}

/// What the dashboard shows.
struct Found {
    /// By scope and stretch of time.
    months: Breakdown,
    /// All of the period that it is compared with.
    compared: Option<Whole>,
    /// By kind of scope.
    kinds: Kinds,
    orgs: Breakdown,
    taxonomies: Breakdown,
}

async fn find(here: &Here, asked: &Asked) -> Result<Found, Error> {
    let breakdowns = here.areas().breakdowns.as_ref();
    let stretch = stretch(asked.filter.days.period());
    let mut query = asked.filter.breakdown(&[BreakdownBy::Scope], 1);
    query.compare = asked.compared();
    let scopes = breakdowns.breakdown(here.caller(), query).await?;
    let mut query = asked.filter.breakdown(&[BreakdownBy::Scope, BreakdownBy::Time(stretch)], 1);
    // Days of two months are not the same: those are compared as a whole alone.
    query.compare = asked.compared().filter(|_| stretch != Stretch::Day);
    let months = breakdowns.breakdown(here.caller(), query).await?;
    let (orgs, _) = by_nodes(here, &asked.filter, asked.compared(), Dimension::Org).await?;
    let (taxonomies, _) = by_nodes(here, &asked.filter, asked.compared(), Dimension::Taxonomy).await?;
    Ok(Found { kinds: Kinds::of(&scopes), compared: scopes.compared, months, orgs, taxonomies })
}

/// What there is to do where there are no activities.
async fn nothing(here: &Here, is_new: bool) -> Result<maud::Markup, Failure> {
    if is_new {
        let link = |needs, path: &str, words: &str| {
            html! { @if here.viewer.may(needs) { a href=(here.path(path)) { (words) } } @else { (words) } }
        };
        let scopes = standard::offer(here).await?;
        return Ok(html! {
            h1 { (TITLE) }
            (component::empty("No activities yet", html! {
                ol {
                    li { "Set up the " (link(Permission::CatalogRead, "/catalog/org", "catalog")) ": orgs, scopes, categories, and the products that you buy or burn." (scopes) }
                    li {
                        (link(Permission::ActivityWrite, "/imports/new", "Import activities from a table")) ", or "
                        (link(Permission::ActivityWrite, "/activities/new", "add one by hand")) "."
                    }
                    li { (link(Permission::Admin, "/settings/keys", "Make a key")) " for the programs that are to send or read data." }
                }
            }))
        });
    }
    Ok(html! {
        h1 { (TITLE) }
        (component::empty("No activities in this selection", html! {
            p { "There are activities, but none that this filter leaves in. " a href=(here.path("/")) { "Show all of the newest year" } "." }
        }))
    })
}

/// Whether scope 2 is shown both ways.
const fn shows_both(scope2: Scope2) -> bool {
    matches!(scope2, Scope2::Both)
}
