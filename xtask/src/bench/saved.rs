//! The page that figures are kept on.

use std::fs;

use anyhow::{Context, Result};

use super::figure::Figure;
use super::machine::said;
use super::store::Kind;
use super::table::{line, table};

/// Where pages are kept, from the root of the repository.
const FOLDER: &str = "docs/benchmarks";

/// The page: what it was measured on, the table, and what misses its goal.
pub(super) fn page(kind: Kind, activities: u32, machine: &[(&'static str, String)], figures: &[Figure]) -> String {
    let facts: Vec<_> = machine.iter().map(|(name, value)| format!("- {name}: {value}\n")).collect();
    let missed: Vec<_> = figures
        .iter()
        .filter(|figure| figure.reached() == Some(false))
        .map(|figure| format!("- {}\n", line(figure)))
        .collect();
    let missed = if missed.is_empty() { "- none\n".to_owned() } else { missed.concat() };
    format!(
        "# {}, {activities} activities\n\n{}- the load generator shares the cores with the service\n\n{}\n\
         ## Goals that were missed\n\n{missed}",
        kind.name(),
        facts.concat(),
        table(figures)
    )
}

/// Writes the page under the date, the store and the number of activities.
pub(super) fn save(kind: Kind, activities: u32, page: &str) -> Result<()> {
    let name = format!("{}-{}-{activities}.md", said("date", &["-u", "+%F"])?, kind.name().to_lowercase());
    let path = crate::cargo::root().join(FOLDER).join(name);
    fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("written: {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::figure::{Goal, Unit};

    #[test]
    fn a_page_lists_what_was_missed_beside_its_floor() {
        let figure = |what, value| Figure::new(what, Unit::Millis, Ok(value)).goal(Goal::AtMost(1.0)).floor(Ok(0.5));
        let page = page(Kind::Sqlite, 10, &[("date", "today".to_owned())], &[figure("one", 1.0), figure("other", 2.0)]);
        let (_, missed) = page.split_once("missed\n\n").unwrap();
        assert_eq!(missed, "- other: 2.00 ms; goal at most 1.00 ms (no); floor 0.50 ms (4.00)\n");
        assert!(page.starts_with("# SQLite, 10 activities\n\n- date: today\n"));
    }
}
