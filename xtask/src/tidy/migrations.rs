//! Migrations: named alike in every store that has them, numbered without gaps.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::tree::Tree;

const STORES: [&str; 2] = ["adapters/sqlite/migrations/", "adapters/postgres/migrations/"];

/// Checks the names in each store's folder, then the two lists against each other where both exist.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let lists = STORES.map(|store| tree.below(store).map(|(_, rest)| rest).collect::<BTreeSet<_>>());
    let mut findings = Vec::new();
    for (store, names) in STORES.iter().zip(&lists) {
        findings.extend(misnamed(store, names));
    }
    let [sqlite, postgres] = &lists;
    if !sqlite.is_empty() && !postgres.is_empty() {
        findings.extend(missing(sqlite, postgres, STORES[1]));
        findings.extend(missing(postgres, sqlite, STORES[0]));
    }
    findings
}

/// Names that are none, numbers that are doubled or leave a gap; each folder counts for itself.
fn misnamed(store: &str, names: &BTreeSet<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut last: BTreeMap<&str, u32> = BTreeMap::new();
    for path in names {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let at = format!("{store}{path}");
        let Some(number) = number(name) else {
            let remedy = "call it NNNN_words.sql: four digits, lower-case words with `_` between";
            findings.push(Finding::new(&at, 1, "not a migration's name", remedy));
            continue;
        };
        let expected = last.get(folder).copied().unwrap_or(0) + 1;
        if number != expected {
            let wrong = format!("number {number:04} where {expected:04} follows");
            findings.push(Finding::new(&at, 1, wrong, "number migrations from 0001 without gaps or doubles"));
        }
        last.insert(folder, number);
    }
    findings
}

fn missing(from: &BTreeSet<&str>, to: &BTreeSet<&str>, store: &str) -> Vec<Finding> {
    let finding = |name: &&str| {
        Finding::new(&format!("{store}{name}"), 1, "missing, the other store has it", "give both stores this migration")
    };
    from.difference(to).map(finding).collect()
}

/// The number of a migration with a right name.
fn number(name: &str) -> Option<u32> {
    let (digits, words) = name.strip_suffix(".sql")?.split_once('_')?;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let named = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit()) && words.split('_').all(is_word);
    if named { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(paths: &[&str]) -> Vec<String> {
        let files: Vec<_> = paths.iter().map(|path| (*path, "")).collect();
        check(&Tree::of(&files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn equal_lists_without_gaps_are_right() {
        let sqlite = ["adapters/sqlite/migrations/0001_first.sql", "adapters/sqlite/migrations/0002_more_of_it.sql"];
        assert_eq!(findings(&sqlite), Vec::<String>::new());
        let folders =
            ["adapters/sqlite/migrations/tenant/0001_a.sql", "adapters/sqlite/migrations/directory/0001_a.sql"];
        assert_eq!(findings(&folders), Vec::<String>::new());
        let both = [sqlite[0], "adapters/postgres/migrations/0001_first.sql"];
        assert_eq!(findings(&both), Vec::<String>::new());
    }

    #[test]
    fn folders_are_compared_each_with_its_namesake() {
        let [tenant, directory] = ["tenant", "directory"].map(|folder| {
            ["sqlite", "postgres"].map(|store| format!("adapters/{store}/migrations/{folder}/0001_initial.sql"))
        });
        assert_eq!(findings(&[&tenant[0], &tenant[1], &directory[0], &directory[1]]), Vec::<String>::new());
        let found = findings(&[&tenant[0], &tenant[1], &directory[0]]);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("adapters/postgres/migrations/directory/0001_initial.sql:1: missing"),
            "{found:?}"
        );
    }

    #[test]
    fn wrong_names_gaps_and_doubles_are_found() {
        for name in
            ["1_a.sql", "0001-a.sql", "0001_.sql", "0001_A.sql", "0001_a.txt", "a.sql", "+001_a.sql", "0002_a.sql"]
        {
            assert_eq!(findings(&[&format!("adapters/sqlite/migrations/{name}")]).len(), 1, "{name}");
        }
        let doubled = ["adapters/sqlite/migrations/0001_a.sql", "adapters/sqlite/migrations/0001_b.sql"];
        assert!(findings(&doubled)[0].contains("number 0001 where 0002 follows"));
    }

    #[test]
    fn a_migration_of_one_store_alone_is_found() {
        let found = findings(&[
            "adapters/postgres/migrations/0001_a.sql",
            "adapters/sqlite/migrations/0001_a.sql",
            "adapters/sqlite/migrations/0002_b.sql",
        ]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("adapters/postgres/migrations/0002_b.sql:1: missing"), "{found:?}");
    }
}
