//! The rows of a report: what it comes to node by node or month by month.

use domain::{Day, Filter, NodeId, Period, Report, SeriesKey, Totals, Tree, breakdown};
use ports::ReadModel;

use super::super::Usage;
use super::{By, nodes};

/// More months than these are a mistake in a date, rather than a report.
const MOST_MONTHS: usize = 2_400;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The node, where the row is about one.
    pub(super) node: Option<NodeId>,
    /// The month, or the path of the node; `None` for activities that carry no node.
    pub(super) name: Option<String>,
    /// What its activities come to.
    pub(super) figures: Totals,
}

/// The rows, in the order they are shown: scopes as they were made, other nodes by their path, activities without one
/// last.
pub(super) fn rows(
    read_model: &ReadModel,
    filter: &Filter,
    found: &Report,
    by: By,
    depth: usize,
) -> Result<Vec<Row>, Usage> {
    let catalog = read_model.catalog();
    let mut rows = match by {
        By::Month => return months(read_model, filter, found),
        By::Scope => {
            let key = |key: &SeriesKey| key.scope.map(|id| NodeId::from(catalog.scopes().at_depth(id, depth)));
            by_node(read_model, filter, Tree::Scope, &key)
        }
        By::Org => {
            let key = |key: &SeriesKey| key.org.map(|id| NodeId::from(catalog.orgs().at_depth(id, depth)));
            by_node(read_model, filter, Tree::Org, &key)
        }
        By::Taxonomy => {
            let key = |key: &SeriesKey| key.taxonomy.map(|id| NodeId::from(catalog.taxonomies().at_depth(id, depth)));
            by_node(read_model, filter, Tree::Taxonomy, &key)
        }
    };
    match by {
        By::Org | By::Taxonomy => rows.sort_by(|a, b| (a.name.is_none(), &a.name).cmp(&(b.name.is_none(), &b.name))),
        By::Scope | By::Month => rows.sort_by_key(|row| (row.node.is_none(), row.node)),
    }
    Ok(rows)
}

fn by_node(
    read_model: &ReadModel,
    filter: &Filter,
    tree: Tree,
    key: &dyn Fn(&SeriesKey) -> Option<NodeId>,
) -> Vec<Row> {
    let catalog = read_model.catalog();
    let table = breakdown(read_model.cube(), filter, &|id| catalog.class(id), &[filter.period], key);
    let row = |(_, node, figures): (Period, Option<NodeId>, Totals)| Row {
        node,
        name: node.map(|id| nodes::path(catalog, tree, id)),
        figures,
    };
    table.into_iter().map(row).collect()
}

fn months(read_model: &ReadModel, filter: &Filter, found: &Report) -> Result<Vec<Row>, Usage> {
    let (Some(first), Some(last)) = (found.first, found.last) else { return Ok(Vec::new()) };
    let months = months_between(first, last);
    if months.len() > MOST_MONTHS {
        let message = format!("{first} to {last} are {} months: give --date, or --sd and --ed", months.len());
        return Err(Usage(message));
    }
    let catalog = read_model.catalog();
    let table = breakdown(read_model.cube(), filter, &|id| catalog.class(id), &months, &|_| ());
    let row = |(period, (), figures): (Period, (), Totals)| Row {
        node: None,
        name: period.first().map(|day| day.to_string()[..7].to_owned()),
        figures,
    };
    Ok(table.into_iter().map(row).collect())
}

fn months_between(first: Day, last: Day) -> Vec<Period> {
    let months = |day: Day| {
        let (year, month, _) = day.calendar();
        year * 12 + i32::from(month) - 1
    };
    let text = |month: i32| format!("{:04}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1);
    (months(first)..=months(last)).filter_map(|month| Period::parse(&text(month)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_months_between_two_days_hold_both() {
        let day = |text| Day::parse(text).unwrap();
        let months = months_between(day("2023-11-30"), day("2024-02-01"));
        let firsts: Vec<_> = months.iter().map(|month| month.first().unwrap().to_string()).collect();
        assert_eq!(firsts, ["2023-11-01", "2023-12-01", "2024-01-01", "2024-02-01"]);
    }
}
