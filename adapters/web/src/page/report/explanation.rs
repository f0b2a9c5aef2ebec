//! What a total or a line of the report is made of: the filter in words, the counts, the largest activities, and that all of them
//! added up again one by one come to the same digits.

mod bound;
mod file;

use actix_web::HttpResponse;
use domain::Total;
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::Permission;
use ports::inbound::{BreakdownLine, Error, Label, LineActivity};
use ports::repo::Page;

use super::super::question::{activities, bar, faults_of, faulty, years};
use super::{Asked, SECTION};
use crate::address::Address;
use crate::component::{empty, notice};
use crate::csv;
use crate::figure::Figures;
use crate::filter_bar::{Choices, words};
use crate::here::Here;
use crate::layout::Layout;

const TITLE: &str = "What this is made of";
/// Activities a page.
const SIZE: u32 = 100;
/// So many of the largest are named, and only of so many activities in all.
const LARGEST: usize = 10;
/// Reading more than these one by one takes too long for a page or a file.
const MOST: u32 = 50_000;

/// Answers GET of `/report/explanation`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let line = params.take("line");
    let number =
        params.read("page", |text| text.parse::<u32>().ok().filter(|page| *page > 0).ok_or("is no number of a page"));
    let asked = Asked::take(&mut params, &here);
    let faults = params.finish();
    let (choices, years) = (Choices::find(&here).await?, years(&here).await?);
    let address = |page: u32| {
        let by: Vec<_> = asked.by.iter().map(|by| by.word()).collect();
        let address = Address::to("/report/explanation").with_some("by", line.as_ref().map(|_| by.join(",")));
        let address =
            address.with_some("depth", (asked.depth > 1).then_some(asked.depth)).with_some("line", line.as_ref());
        address.with_some("page", (page > 1).then_some(page)).with_some("digits", asked.digits.word())
    };
    let bar = || bar(&here, &asked.filter, &choices, &address(1), &years);
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, SECTION, bar(), &faults));
    }
    let layout = Layout::new(TITLE, SECTION).bar(bar()).about(words(&asked.filter, &choices));
    if !here.viewer.may(Permission::ActivityRead) {
        if asked.csv {
            here.caller().check(Permission::ActivityRead).map_err(Error::from)?;
        }
        let words =
            html! { p { "Naming the activities behind a total needs the permission " code { "activity:read" } "." } };
        return Ok(layout
            .body(html! { h1 { (TITLE) } (empty("Single activities are not shown to you", words)) })
            .answer(&here));
    }
    let page =
        if asked.csv { Page { number: 1, size: MOST } } else { Page { number: number.unwrap_or(1), size: SIZE } };
    let slot = edge::stream_slot(here.request(), here.caller()).await?;
    let count = here.areas().breakdowns.breakdown(here.caller(), asked.query()).await;
    let found = match count {
        Ok(found) => {
            let count = bound::count(&found, line.as_deref());
            if count > i64::from(MOST) {
                drop(slot);
                if asked.csv {
                    return Err(file::too_many(MOST));
                }
                let body = html! { h1 { (TITLE) } (too_many(&here, count)) };
                return Ok(layout.as_of(found.revision).body(body).answer(&here));
            }
            here.areas().breakdowns.line(here.caller(), asked.query(), line.clone(), page).await
        }
        Err(error) => Err(error),
    };
    drop(slot);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(faulty(&here, TITLE, SECTION, bar(), &faults_of(error)?)),
    };
    if asked.csv && found.activities.count > u64::from(MOST) {
        return Err(file::too_many(MOST));
    }
    if asked.csv {
        return csv::file("explanation", &file::table(&found.activities.data));
    }
    let largest = if found.activities.count <= u64::from(SIZE) { found.activities.data.clone() } else { Vec::new() };
    let amounts = [found.totals.co2e, found.totals.uncategorized];
    let figures = Figures::of(here.numbers(), asked.digits, amounts);
    let sentence = words(&asked.filter, &choices);
    let body = html! {
        h1 { (TITLE) }
        (summary(&here, &asked, &found, &figures, &sentence))
        @if !largest.is_empty() { (ranked(&here, &largest, &figures)) }
        @else if found.activities.count > u64::from(SIZE) { (unranked(&here, &asked, line.is_some())) }
        (rows(&here, &found, &figures))
        (pages(&here, &found, &|page| address(page).filtered(&asked.filter)))
    };
    let layout = layout.csv(&address(1).filtered(&asked.filter).with("form", "csv"));
    Ok(layout.as_of(found.revision).body(body).answer(&here))
}

fn too_many(here: &Here, count: i64) -> Markup {
    empty(
        "Too many activities to add up one by one",
        html! { p { "There are " (here.numbers().count(count)) "; narrow the filter to " (here.numbers().count(MOST)) " or fewer." } },
    )
}

fn summary(here: &Here, asked: &Asked, found: &BreakdownLine, figures: &Figures, words: &str) -> Markup {
    let totals = &found.totals;
    let names: Vec<_> = found.labels.iter().map(label).collect();
    let numbers = here.numbers();
    html! {
        section { div.steps {
            div { span.step { "Total" } div.sum { b { (figures.with_unit(totals.co2e)) }
                div.small.muted { (figures.exact(totals.co2e)) } } }
            @if !totals.uncategorized.is_zero() {
                div { span.step { "No scope" } div { (figures.with_unit(totals.uncategorized)) ", in no total of the scopes" } }
            }
            div { span.step { "Selection" } div { (words) @if !names.is_empty() { "; the row " b { (names.join(" · ")) } } } }
            div { span.step { "Counts" } div {
                a href=(here.link(&activities(&asked.filter))) { (numbers.counted(totals.count, "activity", "activities")) }
                @if names.is_empty() && totals.incomplete > 0 {
                    ", " a href=(here.link(&activities(&asked.filter).with("incomplete", "true"))) { (numbers.count(totals.incomplete)) " not computed" } (if totals.incomplete == 1 { ", which counts as nothing" } else { ", which count as nothing" })
                } @else { ", " (numbers.count(totals.incomplete)) " not computed" }
            } }
            div { span.step { "Checked" } div {
                @if found.holds() { span.tag.ok { "✓ added up again, one by one: the same digits" } }
                @else { span.tag.bad { "added up again it is " (figures.exact(found.recomputed.co2e)) } }
            } }
            div { span.step { "As of" } div { "change " (numbers.count(found.revision.number)) } }
        } }
    }
}

fn label(label: &Label) -> String {
    match label {
        Label::Record { path, .. } => path.clone(),
        Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => super::pivot::name(label),
    }
}

fn adds(one: &LineActivity) -> Total {
    one.adds.co2e + one.adds.uncategorized + one.adds.biogenic + one.adds.credits + one.adds.outside
}

fn ranked(here: &Here, all: &[LineActivity], figures: &Figures) -> Markup {
    let mut largest: Vec<&LineActivity> = all.iter().collect();
    largest.sort_by_key(|one| std::cmp::Reverse(adds(one)));
    html! {
        section { h2 { "The largest" }
            ol { @for one in largest.iter().take(LARGEST) {
                li { a href=(here.path(&format!("/activities/{}", one.id))) { (one.name) } " " (figures.with_unit(adds(one))) }
            } }
        }
    }
}

/// Why the largest are not named: what activities add is not stored in the order of its size, so that finding the largest reads all
/// of them once more.
fn unranked(here: &Here, asked: &Asked, is_line: bool) -> Markup {
    let sorted = activities(&asked.filter).with("sort", "largest");
    html! {
        section { h2 { "The largest" }
            p.muted {
                "They are named here of up to " (here.numbers().count(SIZE)) " activities. "
                @if !is_line { a href=(here.link(&sorted)) { "Put all activities of the selection in order, the largest first" } "." }
                @else { "Narrow the filter to name them." }
            }
        }
    }
}

fn rows(here: &Here, found: &BreakdownLine, figures: &Figures) -> Markup {
    html! {
        section { h2 { "The activities" }
            @if found.activities.data.is_empty() { p.muted { "None." } } @else {
                div.scroll { table.compact data-rows {
                    caption { "In " (figures.heading()) }
                    thead { tr { th scope="col" { "Day" } th scope="col" { "Name" } th.r scope="col" { "Adds" } th scope="col" { span.aloud { "Explanation" } } } }
                    tbody { @for one in &found.activities.data {
                        @let at = format!("/activities/{}", one.id);
                        tr data-row {
                            td.num { (one.day) }
                            th scope="row" { a href=(here.path(&at)) { (one.name) } }
                            td.r { @if one.co2e.is_some() { (figures.amount(adds(one))) } @else { span.muted { "-" } } }
                            td.link { a href=(here.path(&format!("{at}/explanation"))) { "explain" } }
                        }
                    } }
                } }
            }
            @if found.activities.data.len() > 1 && !found.holds() { (notice("bad", html! { "The stored sums do not agree with these activities: ask whoever runs Tonne to run " code { "tonne verify" } "." })) }
        }
    }
}

fn pages(here: &Here, found: &BreakdownLine, address: &dyn Fn(u32) -> Address) -> Markup {
    let page = found.activities.page;
    let last = u32::try_from(found.activities.count.div_ceil(page.size.into())).unwrap_or(u32::MAX).max(1);
    html! {
        @if last > 1 {
            nav.pages aria-label="Pages of activities" {
                span { @if page.number > 1 { a rel="prev" href=(here.link(&address(page.number - 1))) { "← earlier" } } }
                span.muted { "page " (page.number) " of " (here.numbers().count(last)) }
                span { @if page.number < last { a rel="next" href=(here.link(&address(page.number + 1))) { "later →" } } }
            }
        }
    }
}
