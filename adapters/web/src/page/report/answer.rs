//! The page of the report around its table or chart.

use actix_web::HttpResponse;
use domain::{Scope2, Stretch};
use maud::{Markup, html};
use ports::inbound::{Breakdown, BreakdownBy};

use super::super::question::activities;
use super::names::{apart, title};
use super::pivot::Pivot;
use super::{Asked, SECTION, TITLE, View, chart, table};
use crate::address::Address;
use crate::component::{self, Control, controls};
use crate::figure::{Digits, Figures};
use crate::filter::{Days, Dimension, Filter};
use crate::filter_bar::{Choices, words};
use crate::here::Here;
use crate::layout::Layout;

pub(super) fn page(here: &Here, asked: &Asked, found: &Breakdown, choices: &Choices, bar: Markup) -> HttpResponse {
    let layout = Layout::new(TITLE, SECTION).bar(bar).about(words(&asked.filter, choices)).as_of(found.revision);
    let layout = layout.csv(&asked.address().with("form", "csv"));
    let (whole, scope2) = (&found.whole.totals, asked.filter.scope2);
    if whole.count == 0 && found.compared.is_none_or(|whole| whole.totals.count == 0) {
        let body = html! { h1 { (TITLE) } (choose(here, asked)) (none(here, asked, choices)) };
        return layout.body(body).answer(here);
    }
    let pivot = Pivot::of(found, [asked.root(0), asked.root(1)], asked.depth);
    let amounts = pivot.rows.iter().map(|row| row.all.totals.co2e).chain([whole.co2e]);
    let figures = Figures::of(here.numbers(), asked.digits, amounts);
    let total = whole.co2e;
    let body = html! {
        h1 { (TITLE) " " span.muted { (asked.filter.days) } }
        div.head {
            a.total href=(here.link(&activities(&asked.filter))) { (figures.amount(total)) " " span.unit { (figures.heading()) } }
            span.muted { (here.numbers().counted(whole.count, "activity", "activities")) }
            @if scope2 == Scope2::Both { span { "market-based " (figures.with_unit(whole.co2e + whole.market_delta)) } }
            @for (name, amount) in apart(whole) { span.muted { (name) " " (figures.with_unit(amount)) ", apart" } }
            a.small href=(here.link(&Address::to("/report/explanation").filtered(&asked.filter))) { "what is this made of?" }
        }
        (choose(here, asked))
        @match asked.view {
            View::Table => (table::table(here, asked, found, &pivot, &figures)),
            View::Chart => {
                (chart::chart(here, asked, &pivot, &figures))
                details.behind { summary { "The figures behind" } (table::table(here, asked, found, &pivot, &figures)) }
            },
        }
    };
    layout.body(body).answer(here)
}

/// What the report can be broken down by, and how it is shown.
fn choose(here: &Here, asked: &Asked) -> Markup {
    let with = |change: &dyn Fn(&mut Asked)| {
        let mut other = asked.clone();
        change(&mut other);
        other.address()
    };
    let (rows, columns) = (asked.by.first().copied(), asked.by.get(1).copied());
    let mut row_choices = Vec::new();
    for by in all() {
        let address = with(&|other| {
            other.by = [Some(by), columns.filter(|column| *column != by)].into_iter().flatten().collect();
            other.flipped.clear();
        });
        row_choices.push((title(by).to_owned(), address, rows == Some(by)));
    }
    let mut column_choices = vec![("none".to_owned(), with(&|other| other.by.truncate(1)), columns.is_none())];
    for by in all().filter(|by| Some(*by) != rows) {
        column_choices.push((
            title(by).to_owned(),
            with(&|other| other.by = rows.into_iter().chain([by]).collect()),
            columns == Some(by),
        ));
    }
    let mut groups =
        vec![Control { label: "Rows", choices: row_choices }, Control { label: "Columns", choices: column_choices }];
    if asked.has_tree() {
        let depth = |depth: usize| {
            let address = with(&|other| {
                other.depth = depth;
                other.flipped.clear();
            });
            (depth.to_string(), address, asked.depth == depth && asked.flipped.is_empty())
        };
        groups.push(Control { label: "Levels", choices: (1..=5).map(depth).collect() });
    }
    if let Some(before) = super::super::question::before(here, &asked.filter.days) {
        let compared = |days: Option<Days>| with(&move |other| other.compare.clone_from(&days));
        groups.push(Control {
            label: "Compare",
            choices: vec![
                ("no".to_owned(), compared(None), asked.compare.is_none()),
                (before.to_string(), compared(Some(before.clone())), asked.compare.as_ref() == Some(&before)),
            ],
        });
    }
    groups.push(Control {
        label: "As",
        choices: vec![
            ("table".to_owned(), with(&|other| other.view = View::Table), asked.view == View::Table),
            ("chart".to_owned(), with(&|other| other.view = View::Chart), asked.view == View::Chart),
        ],
    });
    groups.push(Control {
        label: "Digits",
        choices: vec![
            ("rounded".to_owned(), with(&|other| other.digits = Digits::Fixed), asked.digits == Digits::Fixed),
            ("all".to_owned(), with(&|other| other.digits = Digits::All), asked.digits == Digits::All),
        ],
    });
    controls(here, &groups)
}

fn all() -> impl Iterator<Item = BreakdownBy> {
    [
        BreakdownBy::Org,
        BreakdownBy::Scope,
        BreakdownBy::Taxonomy,
        BreakdownBy::Product,
        BreakdownBy::Gas,
        BreakdownBy::Quality,
        BreakdownBy::Time(Stretch::Month),
        BreakdownBy::Time(Stretch::Quarter),
        BreakdownBy::Time(Stretch::Year),
    ]
    .into_iter()
}

/// That the filter leaves nothing in: each part of it can be taken away.
fn none(here: &Here, asked: &Asked, choices: &Choices) -> Markup {
    let without = |filter: Filter| here.link(&asked.page().filtered(&filter));
    component::empty(
        "No activities in this selection",
        html! {
            p { "Each of these leaves some out:" }
            ul {
                @if asked.filter.days != Days::All {
                    li { (asked.filter.days) " · " a href=(without(asked.filter.on(Days::All))) { "all days" } }
                }
                @for dimension in Dimension::ALL {
                    @if let Some(id) = asked.filter.node(dimension) {
                        li { (dimension.title()) " " (choices.path(dimension, id)) " · "
                            a href=(without(asked.filter.anywhere(dimension))) { "all" } }
                    }
                }
                @if asked.filter == Filter::default() { li { "nothing: there are no activities yet" } }
            }
        },
    )
}
