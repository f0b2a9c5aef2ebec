//! A tree of the catalog: each node with the total of its activities and those below.

pub(crate) mod standard;

use std::collections::HashMap;

use actix_web::HttpResponse;
use domain::{Org, Totals};
use files::{Cell, Table};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Label, Nodes};
use ports::repo::Page;
use uuid::Uuid;

use super::question::{activities, bar, faults_of, faulty, years};
use crate::address::Address;
use crate::component::{self, Control, controls};
use crate::csv;
use crate::figure::{Digits, Figures};
use crate::filter::{Dimension, Filter};
use crate::filter_bar::{Choice, Choices, words};
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

const SECTION: &str = "/catalog/org";
/// More levels than any tree is deep that people look at.
const LEVELS: usize = 64;
/// So many nodes are shown; the file has all.
const MOST: usize = 2_000;

/// Answers GET of `/catalog/{tree}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let tree = segment(here.request(), "tree");
    let tree = Dimension::ALL.into_iter().find(|one| one.word() == tree).ok_or_else(Failure::nowhere)?;
    let title = plural(tree);
    let mut params = here.params();
    let filter = Filter::take(&mut params, here.company.year_start);
    let digits = Digits::take(&mut params);
    let is_csv = params.word("form", &[("csv", true)]).unwrap_or(false);
    let faults = params.finish();
    // Whoever may not read the tree is refused here, in place of being shown an empty one.
    Nodes::<Org>::list_nodes(here.areas().catalog.as_ref(), here.caller(), None, Page { number: 1, size: 1 }).await?;
    let (choices, years) = (Choices::find(&here).await?, years(&here).await?);
    let page = Address::to(path(tree)).with_some("digits", digits.word());
    let bar = || bar(&here, &filter, &choices, &page, &years);
    if !faults.is_empty() {
        return Ok(faulty(&here, title, SECTION, bar(), &faults));
    }
    let query = filter.breakdown(&[tree.by()], LEVELS);
    let found = match here.areas().breakdowns.breakdown(here.caller(), query).await {
        Ok(found) => found,
        Err(error) => return Ok(faulty(&here, title, SECTION, bar(), &faults_of(error)?)),
    };
    let totals = totals(found.rows.iter().filter_map(|row| Some((row.labels.first()?, row.totals))));
    let nodes = choices.all(tree);
    let of = |node: &Choice| totals.get(&node.id).copied().unwrap_or_default();
    if is_csv {
        return csv::file(tree.word(), &table(tree, nodes, &of));
    }
    let amounts = nodes.iter().map(|node| of(node).co2e);
    let figures = Figures::of(here.numbers(), digits, amounts.chain([found.whole.totals.co2e]));
    let body = html! {
        h1 { (title) " " span.muted { (filter.days) } }
        (choose(&here, tree, &filter, digits))
        @if tree == Dimension::Scope { (standard::offer(&here).await?) }
        @if nodes.is_empty() {
            (component::empty("Nothing here yet", html! { p { (title) " come with " code { "tonne import catalog" } ", with imports of activities, or through the API." } }))
        } @else { (rows(&here, tree, nodes, &filter, &figures, &of)) }
    };
    let layout = Layout::new(title, SECTION).bar(bar()).about(words(&filter, &choices)).as_of(found.revision);
    Ok(layout.csv(&page.clone().filtered(&filter).with("form", "csv")).body(body).answer(&here))
}

fn path(tree: Dimension) -> String {
    format!("/catalog/{}", tree.word())
}

const fn plural(tree: Dimension) -> &'static str {
    match tree {
        Dimension::Org => "Orgs",
        Dimension::Scope => "Scopes",
        Dimension::Taxonomy => "Categories",
    }
}

/// What each node comes to with all below it.
fn totals<'a>(rows: impl Iterator<Item = (&'a Label, Totals)>) -> HashMap<Uuid, Totals> {
    let mut found: HashMap<Uuid, Totals> = HashMap::new();
    for (label, totals) in rows {
        if let Label::Record { id, above, .. } = label {
            for node in above.iter().map(|one| one.id).chain([*id]) {
                *found.entry(node).or_default() += totals;
            }
        }
    }
    found
}

fn choose(here: &Here, tree: Dimension, filter: &Filter, digits: Digits) -> Markup {
    let address = |tree, digits: Digits| Address::to(path(tree)).with_some("digits", digits.word()).filtered(filter);
    let trees = Dimension::ALL.map(|one| (plural(one).to_lowercase(), address(one, digits), one == tree));
    let shown = [("rounded", Digits::Fixed), ("all", Digits::All)];
    let shown = shown.map(|(name, one)| (name.to_owned(), address(tree, one), one == digits));
    let groups = [("Tree", trees.to_vec()), ("Digits", shown.to_vec())];
    controls(here, &groups.map(|(label, choices)| Control { label, choices }))
}

fn rows(
    here: &Here,
    tree: Dimension,
    nodes: &[Choice],
    filter: &Filter,
    figures: &Figures,
    of: &dyn Fn(&Choice) -> Totals,
) -> Markup {
    let numbers = here.numbers();
    html! {
        @if nodes.len() > MOST { (component::notice("warn", html! { "The first " (numbers.count(MOST)) " of " (numbers.count(nodes.len())) ". The CSV has all of them." })) }
        div.scroll { table data-rows {
            caption { "Each with all below it, in " (figures.heading()) }
            thead { tr { th scope="col" { (tree.title()) } th.r scope="col" { "CO₂e" } th.r scope="col" { "Activities" } th.r scope="col" { "Not computed" } } }
            tbody { @for node in nodes.iter().take(MOST) {
                @let (totals, link) = (of(node), activities(&filter.at(tree, node.id)));
                tr data-row {
                    th scope="row" class=[class(node)] { (node.name) }
                    td.r { @if totals != Totals::default() { a href=(here.link(&link)) { (figures.amount(totals.co2e)) } } }
                    td.r { (numbers.count(totals.count)) }
                    td.r { @if totals.incomplete == 0 { "0" } @else { a href=(here.link(&link.clone().with("incomplete", "true"))) { (numbers.count(totals.incomplete)) } } }
                }
            } }
        } }
    }
}

/// How far a node is moved in.
fn class(node: &Choice) -> Option<String> {
    (!node.above.is_empty()).then(|| format!("in{}", node.above.len().min(5)))
}

fn table(tree: Dimension, nodes: &[Choice], of: &dyn Fn(&Choice) -> Totals) -> Table {
    let columns = ["uuid", "path", "co2e_kg", "activities", "not_computed"];
    let rows = nodes.iter().map(|node| {
        let totals = of(node);
        vec![
            Cell::text(node.id),
            Cell::text(node.path.join(" / ")),
            Cell::Number(totals.co2e.to_string()),
            Cell::Number(totals.count.to_string()),
            Cell::Number(totals.incomplete.to_string()),
        ]
    });
    Table {
        title: plural(tree).to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests {
    use domain::{Name, Total};
    use ports::inbound::Named;

    use super::*;

    #[test]
    fn a_node_comes_to_what_it_has_and_all_below_it() {
        let (root, leaf) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let label = |id, above: &[Uuid]| Label::Record {
            id,
            name: "a".to_owned(),
            path: "a".to_owned(),
            above: above.iter().map(|id| Named { id: *id, name: Name::parse("a").unwrap() }).collect(),
            kind: None,
        };
        let of = |co2e: &str| {
            let mut totals = Totals::default();
            (totals.co2e, totals.count) = (Total::parse(co2e).unwrap(), 1);
            totals
        };
        let (own, below) = (label(root, &[]), label(leaf, &[root]));
        let found = totals([(&own, of("0.1")), (&below, of("0.2")), (&Label::Without, of("9"))].into_iter());
        let shown = |id| found.get(&id).map(|totals| (totals.co2e.to_string(), totals.count));
        assert_eq!(shown(root), Some(("0.3".to_owned(), 2)));
        assert_eq!(shown(leaf), Some(("0.2".to_owned(), 1)));
    }
}
