//! The table of activities, a page at a time.

use domain::{Attribution, Co2e, Total};
use maud::{Markup, html};
use ports::inbound::{ActivityView, Named};
use ports::repo::Side;

use super::{Asked, Found, SIZE};
use crate::component::{empty, notice};
use crate::figure::Figures;
use crate::here::Here;

/// An activity, with what of it falls in the period.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) view: ActivityView,
    pub(super) share: Option<Co2e>,
}

impl Row {
    fn amount(&self, attribution: Attribution) -> Option<Total> {
        let own = self.view.activity.value.co2e();
        let counted = if attribution == Attribution::Daily { self.share.or(own) } else { own };
        counted.map(Total::from)
    }
}

/// Keeps the largest, by amount without its sign.
pub(super) fn keep_largest(rows: &mut Vec<Row>, most: usize) {
    let size = |row: &Row| {
        row.amount(Attribution::Daily).map_or(Total::ZERO, |total| if total < Total::ZERO { -total } else { total })
    };
    rows.sort_by_key(|row| std::cmp::Reverse(size(row)));
    rows.truncate(most);
}

pub(super) fn section(here: &Here, asked: &Asked, found: &Found, reads: bool) -> Markup {
    if !reads {
        return empty(
            "Single activities are not shown to you",
            html! { p { "You may see totals and counts. Rows need the permission " code { "activity:read" } ", which an administrator can give." } },
        );
    }
    if found.view.count == 0 {
        return super::none(here, asked);
    }
    let spread = asked.filter.attribution;
    let figures = Figures::of(here.numbers(), asked.digits, found.rows.iter().filter_map(|row| row.amount(spread)));
    html! {
        @if found.too_many {
            (notice("warn", html! { "The largest are sought among " (here.numbers().count(super::MOST_SCANNED)) " activities at most: narrow the filter." }))
        }
        div.scroll {
            table data-rows {
                thead { tr {
                    th scope="col" aria-sort=[(!asked.largest_first).then_some("ascending")] { (sort(here, asked, false, "Day")) }
                    th scope="col" { "Name" } th scope="col" { "Org" } th scope="col" { "Product" }
                    th.r scope="col" { "Quantity" }
                    th.r scope="col" aria-sort=[asked.largest_first.then_some("descending")] { (sort(here, asked, true, "CO₂e")) " (" (figures.unit()) ")" }
                    th scope="col" { span.aloud { "Explanation" } }
                } }
                tbody { @for row in &found.rows { (shown(here, row, spread, &figures)) } }
            }
        }
        (pages(here, asked, found))
    }
}

fn sort(here: &Here, asked: &Asked, largest_first: bool, name: &str) -> Markup {
    if asked.largest_first == largest_first {
        return html! { (name) @if largest_first { " ↓" } @else { " ↑" } };
    }
    let address = Asked { largest_first, side: Side::After(None), ..asked.clone() }.address();
    html! { a href=(here.link(&address)) { (name) } }
}

fn shown(here: &Here, row: &Row, attribution: Attribution, figures: &Figures) -> Markup {
    let view = &row.view;
    let activity = &view.activity.value;
    let at = format!("/activities/{}", activity.id);
    let name = |named: &Option<Named>| named.as_ref().map_or_else(String::new, |named| named.name.to_string());
    html! {
        tr data-row {
            td.num { (activity.span.first()) }
            th.clip scope="row" title=(activity.name) { a href=(here.path(&at)) { (activity.name) } }
            td.clip { (name(&view.org)) }
            td.clip { (name(&view.product)) }
            td.r { @if let Some(measured) = activity.measured {
                data value=(measured.quantity) { (here.numbers().plain(&measured.quantity.to_string())) } " " (measured.unit)
            } }
            td.r {
                @match (row.amount(attribution), &view.incomplete) {
                    (Some(amount), _) => (figures.amount(amount)),
                    (None, Some(reason)) => span.tag.warn title=(reason) { "not computed" },
                    (None, None) => "-",
                }
                @if view.outdated { " " span.tag.warn title="computed from a factor that was corrected or replaced since" { "outdated" } }
            }
            td.link { a href=(here.path(&format!("{at}/explanation"))) data-explain { "explain" } }
        }
    }
}

fn pages(here: &Here, asked: &Asked, found: &Found) -> Markup {
    if asked.largest_first && !found.too_many {
        return html! { p.muted.small { "The largest " (here.numbers().count(found.rows.len())) " of " (here.numbers().count(found.view.count)) "." } };
    }
    html! {
        nav.pages aria-label="Pages of activities" {
            span { @if let Some(place) = found.view.previous { a rel="prev" href=(here.link(&asked.beside(Side::Before(place)))) { "← earlier" } } }
            span.muted.noscript-keys { "j/k move, Enter open, e explain" }
            span { @if let Some(place) = found.view.next { a rel="next" href=(here.link(&asked.beside(Side::After(Some(place))))) { "later →" } } }
        }
        @if found.view.count <= i64::from(SIZE).unsigned_abs() { p.muted.small { "All of them are shown." } }
    }
}
