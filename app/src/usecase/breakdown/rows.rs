//! The rows of a breakdown: what activities add up to node by node or month by month.

use domain::{Day, Faults, Filter, NodeTree, Period, Report, SeriesKey, Totals, TreeNode, breakdown};
use ports::ReadModel;
use ports::inbound::{BreakdownBy, BreakdownRow, Error};

use super::nodes;

/// More months than these are a mistake in a date, rather than a report.
const MOST_MONTHS: usize = 2_400;

/// The rows, in the order they are shown: scopes as they were made, other nodes by their path, activities without one
/// last.
pub(super) fn rows(
    read_model: &ReadModel,
    filter: &Filter,
    found: &Report,
    by: BreakdownBy,
) -> Result<Vec<BreakdownRow>, Error> {
    let catalog = read_model.catalog();
    let mut rows = match by {
        BreakdownBy::Month => return months(read_model, filter, found),
        BreakdownBy::Scope(depth) => {
            let key = |key: &SeriesKey| key.scope.map(|id| catalog.scopes.forest().at_depth(id, depth));
            by_node(read_model, filter, &catalog.scopes, &key)
        }
        BreakdownBy::Org(depth) => {
            let key = |key: &SeriesKey| key.org.map(|id| catalog.orgs.forest().at_depth(id, depth));
            by_node(read_model, filter, &catalog.orgs, &key)
        }
        BreakdownBy::Taxonomy(depth) => {
            let key = |key: &SeriesKey| key.taxonomy.map(|id| catalog.taxonomies.forest().at_depth(id, depth));
            by_node(read_model, filter, &catalog.taxonomies, &key)
        }
    };
    match by {
        BreakdownBy::Org(_) | BreakdownBy::Taxonomy(_) => {
            rows.sort_by(|a, b| (a.name.is_none(), &a.name).cmp(&(b.name.is_none(), &b.name)));
        }
        BreakdownBy::Scope(_) | BreakdownBy::Month => rows.sort_by_key(|row| (row.node.is_none(), row.node)),
    }
    Ok(rows)
}

fn by_node<T: TreeNode>(
    read_model: &ReadModel,
    filter: &Filter,
    tree: &NodeTree<T>,
    key: &dyn Fn(&SeriesKey) -> Option<T::Id>,
) -> Vec<BreakdownRow> {
    let catalog = read_model.catalog();
    let table = breakdown(read_model.cube(), filter, &|id| catalog.class(id), &[filter.period], key);
    let row = |(_, node, totals): (Period, Option<T::Id>, Totals)| BreakdownRow {
        node: node.map(Into::into),
        name: node.map(|id| nodes::path(tree, id)),
        totals,
    };
    table.into_iter().map(row).collect()
}

fn months(read_model: &ReadModel, filter: &Filter, found: &Report) -> Result<Vec<BreakdownRow>, Error> {
    let (Some(first), Some(last)) = (found.first, found.last) else { return Ok(Vec::new()) };
    let months = months_between(first, last);
    if months.len() > MOST_MONTHS {
        let detail = format!("{first} to {last} are {} months: give a period", months.len());
        return Err(Error::Parameters(Faults::one("date", detail)));
    }
    let catalog = read_model.catalog();
    let table = breakdown(read_model.cube(), filter, &|id| catalog.class(id), &months, &|_| ());
    let row = |(period, (), totals): (Period, (), Totals)| BreakdownRow {
        node: None,
        name: period.first().map(|day| day.to_string()[..7].to_owned()),
        totals,
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
