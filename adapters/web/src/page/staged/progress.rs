//! How far a check or an import is: rows so far, how much of the whole that is, how fast it goes and how long the rest takes.

use maud::{Markup, html};
use ports::staged_import::StagedImport;

use crate::figure::Numbers;
use crate::here::Here;

/// Before so many milliseconds nothing is said of how fast it goes: the first rows say little of the others.
const LEAST_MS: u64 = 1_000;

/// How far it is, in an element that tells readers of screens what changes in it.
pub(super) fn progress(here: &Here, staged: &StagedImport, doing: &str) -> Markup {
    html! {
        p role="status" {
            (doing) ": " (so_far(&here.numbers(), staged)) ". This page may be closed: it goes on, and is found under Imports."
        }
        p { a href=(here.address()) { "Look again" } }
    }
}

fn so_far(numbers: &Numbers, staged: &StagedImport) -> String {
    let mut said = vec![format!("{} so far", numbers.counted(staged.rows, "row", "rows"))];
    let part = part(staged);
    let percent = part.and_then(|(done, all)| percent(done, all));
    said.extend(percent.map(|percent| format!("{percent}\u{a0}%")));
    if let Some(elapsed) = elapsed_ms(staged) {
        said.push(match staged.rows.saturating_mul(1_000) / elapsed {
            0 => "less than 1 row a second".to_owned(),
            pace => numbers.counted(pace, "row a second", "rows a second"),
        });
        let left = part.and_then(|(done, all)| left_s(elapsed, done, all));
        said.extend(left.map(|seconds| format!("about {} left", duration(numbers, seconds))));
    }
    said.join(", ")
}

/// How much is done of how much: rows where a check counted them, else bytes of the file; `None` where neither is known.
fn part(staged: &StagedImport) -> Option<(u64, u64)> {
    let counted = staged.checked.as_ref().map(|found| {
        let counts = found.counts;
        (staged.rows, counts.created + counts.updated + counts.unchanged + counts.rejected)
    });
    counted.or_else(|| Some((staged.read?, staged.bytes)))
}

/// So much of all in whole percent, 100 at most; `None` of nothing.
fn percent(done: u64, all: u64) -> Option<u64> {
    done.min(all).saturating_mul(100).checked_div(all)
}

/// How long rows were taken until it was last heard of, in milliseconds; `None` where that says nothing of how fast it goes.
fn elapsed_ms(staged: &StagedImport) -> Option<u64> {
    let elapsed = staged.updated.millis().checked_sub(staged.started?.millis())?;
    u64::try_from(elapsed).ok().filter(|elapsed| *elapsed >= LEAST_MS && staged.rows > 0)
}

/// How many seconds the rest takes at the same pace, one at least; `None` where nothing is done yet, or all is.
fn left_s(elapsed_ms: u64, done: u64, all: u64) -> Option<u64> {
    let rest = all.checked_sub(done).filter(|rest| *rest > 0)?;
    let left = u128::from(elapsed_ms) * u128::from(rest);
    let left = left.checked_div(u128::from(done))?.div_ceil(1_000).max(1);
    u64::try_from(left).ok()
}

/// A time in its largest unit, rounded up.
fn duration(numbers: &Numbers, seconds: u64) -> String {
    match seconds {
        ..60 => numbers.counted(seconds, "second", "seconds"),
        60..3_600 => numbers.counted(seconds.div_ceil(60), "minute", "minutes"),
        3_600.. => numbers.counted(seconds.div_ceil(3_600), "hour", "hours"),
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use ports::import_batch::ImportCounts;
    use ports::staged_import::Preview;

    use super::*;
    use crate::viewer::Locale;

    /// A file of 4,000 bytes of which rows are taken for so many milliseconds.
    fn taken(rows: u64, ms: i64) -> StagedImport {
        let at = |ms| Timestamp::from_millis(ms).unwrap();
        let staged = StagedImport::begin(uuid::Uuid::nil().into(), "a.csv".to_owned(), "user:ann".to_owned(), at(0));
        StagedImport { bytes: 4_000, rows, started: Some(at(5_000)), updated: at(5_000 + ms), ..staged }
    }

    /// The same whose check counted so many rows.
    fn of(all: u64, staged: StagedImport) -> StagedImport {
        let counts = ImportCounts { created: all, ..ImportCounts::default() };
        StagedImport { checked: Some(Preview { counts, ..Preview::default() }), ..staged }
    }

    fn said(staged: &StagedImport) -> String {
        so_far(&Numbers::new(&Locale::default()), staged).replace('\u{a0}', " ")
    }

    #[test]
    fn an_import_is_told_in_percent_of_the_rows_that_were_checked_with_its_pace_and_the_time_left() {
        for (staged, expected) in [
            (of(40_000, taken(24_800, 2_000)), "24,800 rows so far, 62 %, 12,400 rows a second, about 2 seconds left"),
            (of(100_000, taken(1_000, 1_000)), "1,000 rows so far, 1 %, 1,000 rows a second, about 2 minutes left"),
            (of(10_000, taken(1, 2_000)), "1 row so far, 0 %, less than 1 row a second, about 6 hours left"),
            (of(3, taken(3, 3_000)), "3 rows so far, 100 %, 1 row a second"),
            (of(3, taken(4, 4_000)), "4 rows so far, 100 %, 1 row a second"),
        ] {
            assert_eq!(said(&staged), expected);
        }
    }

    #[test]
    fn a_check_is_told_in_percent_of_the_bytes_that_were_read_and_of_a_workbook_by_rows_alone() {
        let text = StagedImport { read: Some(1_000), ..taken(500, 2_000) };
        assert_eq!(said(&text), "500 rows so far, 25 %, 250 rows a second, about 6 seconds left");
        assert_eq!(said(&taken(500, 2_000)), "500 rows so far, 250 rows a second");
    }

    #[test]
    fn nothing_is_said_of_the_pace_before_a_second_is_over_or_a_row_is_taken() {
        assert_eq!(said(&of(10, taken(5, 999))), "5 rows so far, 50 %");
        assert_eq!(said(&of(10, taken(0, 5_000))), "0 rows so far, 0 %");
        assert_eq!(said(&of(10, StagedImport { started: None, ..taken(5, 5_000) })), "5 rows so far, 50 %");
        assert_eq!(said(&of(0, taken(0, 0))), "0 rows so far");
    }
}
