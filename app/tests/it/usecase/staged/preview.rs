//! Generated files: what a check of each says is what its run does, and an undoing gives back what was there.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use domain::Period;
use ports::inbound::{Again, Error, Imports as _, RunOptions, RunRows, StagedImports as _, UndoPatience};
use ports::staged_import::StagedState;
use ports::{demand, permit};

use super::{HEADER, Site, site};

/// Numbers that look like chance and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A table with a column of its own, whose nodes are made on the way.
const MAP: &str = r#"
[[activity]]
name = "{name}"
syncId = "{syncId}"
startDate = "{startDate}"
UpstreamCO2e = "{UpstreamCO2e}"
org = ["Group", "{branch}"]
"#;

/// A file: rows that are new, that change or repeat others, that have no syncId, and that are wrong.
fn generated(numbers: &mut Numbers, map: Option<&str>) -> String {
    let has_branch = map.is_some();
    let mut text = if has_branch { HEADER.replace('\n', ",branch\n") } else { HEADER.to_owned() };
    let is_clean = numbers.below(3) == 0;
    for row in 0..=numbers.below(40) {
        let id = match numbers.below(8) {
            0 if !is_clean => String::new(),
            _ if is_clean => format!("clean-{row}"),
            _ => format!("row-{}", numbers.below(25)),
        };
        let day = if !is_clean && numbers.below(12) == 0 {
            "2025-02-30".to_owned()
        } else {
            format!("202{}-0{}-1{}", 3 + numbers.below(3), 1 + numbers.below(9), numbers.below(9))
        };
        let kg =
            if !is_clean && numbers.below(12) == 0 { "much".to_owned() } else { format!("{}.5", numbers.below(9)) };
        // Some say the same in every file: they stay as they are.
        if !is_clean && numbers.below(5) == 0 {
            let at = numbers.below(5);
            let branch = if has_branch { ",Branch 1" } else { "" };
            let _ = writeln!(text, "same-{at}-{has_branch},Van,2024-01-1{at},{at}.5{branch}");
            continue;
        }
        // Some are known by now, some are new.
        let most = if numbers.below(8) == 0 { 1 << 20 } else { 30 };
        let branch = if has_branch { format!(",Branch {}", numbers.below(most)) } else { String::new() };
        let _ = writeln!(text, "{id},Van {},{day},{kg}{branch}", numbers.below(4));
    }
    text
}

/// How many files are tried: 1,000 where somebody has the time.
fn files() -> u64 {
    std::env::var("TONNE_TEST_IMPORT_FILES").ok().and_then(|count| count.parse().ok()).unwrap_or(50)
}

/// How many orgs there are.
async fn orgs(site: &Site) -> Vec<String> {
    let grant = permit(site.admin(), demand::CATALOG_READ).unwrap();
    let nodes = site.world.store.read(&grant).await.unwrap().orgs().all().await.unwrap();
    nodes.iter().map(|org| org.value.name.to_string()).collect()
}

/// What a file holds that a batch does not show by itself.
fn spread(text: &str, batch: usize) -> [(&'static str, bool); 2] {
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let is_apart = |column: usize| {
        let said = |at: usize| rows[at].get(column).copied().filter(|cell| !cell.is_empty());
        (0..rows.len()).any(|at| {
            (0..at).any(|before| said(at).is_some() && said(at) == said(before) && at / batch != before / batch)
        })
    };
    [("a syncId in two batches", is_apart(0)), ("a branch in two batches", is_apart(4))]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_check_says_is_what_the_run_does() {
    let site = site().await;
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..files() {
        let mut numbers = Numbers(seed);
        let map = (seed % 2 == 1).then_some(MAP);
        let text = generated(&mut numbers, map);
        let id = site.stage(&text).await;
        let before = orgs(&site).await;
        let checked = site.checked(id, map).await.checked.unwrap();
        assert_eq!(orgs(&site).await, before, "{seed}: a check writes nothing");
        let all = numbers.below(2) == 0;
        let rows = if all { RunRows::AllOrNone } else { RunRows::Good };
        if all && checked.counts.rejected > 0 {
            let refused = site.service.run(site.admin(), id, RunOptions { rows, again: Again::No }).await;
            assert!(matches!(refused, Err(Error::Conflict { .. })), "{seed}: {refused:?}");
            *seen.entry("refused").or_insert(0) += 1;
            site.service.discard(site.admin(), id).await.unwrap();
            continue;
        }
        for effect in &checked.years {
            let (_, total) = site.total(&effect.year.to_string()).await;
            assert_eq!(total, effect.before.to_string(), "{seed}: before {}\n{text}", effect.year);
        }
        let whole = site.reported(Period::ALL).await;
        let done = site.run(id, rows, Again::Yes).await;
        assert_eq!(done.state, StagedState::Done, "{seed}: {:?}\n{text}", done.failure);
        assert_eq!(done.outcome, Some(checked.counts), "{seed}\n{text}");
        for effect in &checked.years {
            let (_, total) = site.total(&effect.year.to_string()).await;
            assert_eq!(total, effect.after.to_string(), "{seed}: {}\n{text}", effect.year);
        }
        let count = site.reported(Period::ALL).await.0;
        assert_eq!(count, whole.0 + checked.counts.created, "{seed}\n{text}");
        assert_eq!(checked.changed.is_empty(), checked.counts.updated == 0, "{seed}");
        let mut after = orgs(&site).await;
        let made = after.len() - before.len();
        after.sort();
        after.dedup();
        assert_eq!(after.len(), before.len() + made, "{seed}: a branch is made once\n{text}");
        let wrote = checked.counts.created + checked.counts.updated > 0;
        for (what, count) in [
            ("created", checked.counts.created),
            ("updated", checked.counts.updated),
            ("unchanged", checked.counts.unchanged),
            ("rejected", checked.counts.rejected),
            ("new nodes", made as u64),
            ("new nodes of all or none", if all { made as u64 } else { 0 }),
            ("all at once", u64::from(all && wrote)),
        ] {
            *seen.entry(what).or_insert(0) += count;
        }
        for (what, is_so) in spread(&text, 7) {
            *seen.entry(what).or_insert(0) += u64::from(is_so);
        }
        if seed % 5 == 0 && wrote {
            site.imports.undo(site.admin(), done.import.unwrap(), UndoPatience::Whole).await.unwrap();
            assert_eq!(site.reported(Period::ALL).await, whole, "{seed}: undone\n{text}");
            assert_eq!(orgs(&site).await, before, "{seed}: its nodes are gone\n{text}");
            *seen.entry("undone").or_insert(0) += 1;
        }
        site.service.discard(site.admin(), id).await.unwrap();
    }
    for what in [
        "created",
        "updated",
        "unchanged",
        "rejected",
        "refused",
        "new nodes",
        "new nodes of all or none",
        "all at once",
        "a syncId in two batches",
        "a branch in two batches",
        "undone",
    ] {
        assert!(seen.get(what).is_some_and(|count| *count > 0), "no file tries {what}: {seen:?}");
    }
    println!("{seen:?}");
}
