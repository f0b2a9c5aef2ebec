//! Counting and printing what became of an import's rows.

use std::fs::File;
use std::io::Seek as _;

use anyhow::{Context as _, Result};
use domain::Faults;
use files::{Json, Reasons};
use ports::ImportId;
use ports::inbound::{BatchOutcome, Outcome, RowDraft};

use super::super::json::{array, count, object, optional, text};
use super::partly::PartlyTaken;
use crate::counted::counted;

/// Rejected rows whose faults are printed, and as many rows with warnings; all faults go to the file of `--errors`.
const PRINTED: usize = 20;
/// Rejected rows whose faults are in the JSON, and as many rows with warnings.
const IN_JSON: usize = 1_000;

/// What is said when there is no room for reasons.
const NO_REASONS: &str = "the reasons for --errors cannot be kept in the system's folder for temporary files";

/// The counts, faults and warnings of the rows so far.
pub(super) struct Tally {
    sum: BatchOutcome,
    /// How many warnings there are; the first of them are in `sum`.
    warned: u64,
    /// How many activities the map left out.
    skipped: u64,
    /// Columns whose numbers may mean something else than the map says.
    doubts: Vec<String>,
    partly: PartlyTaken,
    /// Why rows were rejected, in a file without a name, where they are to be copied.
    reasons: Option<Reasons<File>>,
}

impl Tally {
    /// Nothing yet; what is wrong with rows is kept where they are to be copied.
    pub(super) fn new(keeps_reasons: bool) -> Result<Self> {
        let make = || tempfile::tempfile().map(Reasons::new).context(NO_REASONS);
        let reasons = keeps_reasons.then(make).transpose()?;
        let (sum, partly) = (BatchOutcome::default(), PartlyTaken::default());
        Ok(Self { sum, warned: 0, skipped: 0, doubts: Vec::new(), partly, reasons })
    }

    /// Notes activities that are to be imported.
    pub(super) fn read(&mut self, activities: &[RowDraft]) {
        self.partly.read(activities);
    }

    /// Adds what became of some rows.
    pub(super) fn add(&mut self, outcome: BatchOutcome) -> Result<()> {
        if let Some(reasons) = &mut self.reasons {
            for (line, faults) in &outcome.faults {
                reasons.write(*line, faults).context(NO_REASONS)?;
            }
        }
        self.partly.reject(&outcome.faults);
        self.warned += outcome.warned();
        let sum = &mut self.sum;
        sum.created += outcome.created;
        sum.updated += outcome.updated;
        sum.unchanged += outcome.unchanged;
        sum.rejected += outcome.rejected;
        sum.without_sync_id += outcome.without_sync_id;
        sum.already_recorded += outcome.already_recorded;
        sum.incomplete += outcome.incomplete;
        let room = IN_JSON.saturating_sub(sum.faults.len());
        sum.faults.extend(outcome.faults.into_iter().take(room));
        let room = IN_JSON.saturating_sub(sum.warnings.len());
        sum.warnings.extend(outcome.warnings.into_iter().take(room));
        Ok(())
    }

    /// Forgets what became of the rows, which are taken once more.
    pub(super) fn begin_again(&mut self) {
        (self.sum, self.warned) = (BatchOutcome::default(), 0);
    }

    /// Adds how many activities the map left out.
    pub(super) const fn skip(&mut self, skipped: u64) {
        self.skipped += skipped;
    }

    /// Adds columns whose numbers may mean something else than the map says.
    pub(super) fn doubt(&mut self, doubts: Vec<String>) {
        self.doubts.extend(doubts);
    }

    /// Why rows were rejected, from the first on, where that is kept.
    pub(super) fn take_reasons(&mut self) -> Result<Option<File>> {
        let Some(reasons) = self.reasons.take() else { return Ok(None) };
        let mut file = reasons.finish().context(NO_REASONS)?;
        file.rewind().context(NO_REASONS)?;
        Ok(Some(file))
    }

    /// How many rows were seen.
    pub(super) const fn rows(&self) -> u64 {
        self.sum.created + self.sum.updated + self.sum.unchanged + self.sum.rejected
    }

    /// How many activities were added or changed.
    pub(super) const fn written(&self) -> u64 {
        self.sum.created + self.sum.updated
    }

    /// How many rows were rejected.
    pub(super) const fn rejected(&self) -> u64 {
        self.sum.rejected
    }

    /// The outcome as JSON.
    pub(super) fn json(&self, wrote: bool, import: Option<ImportId>) -> Json {
        let sum = &self.sum;
        object([
            ("import", optional(import)),
            ("created", count(sum.created)),
            ("updated", count(sum.updated)),
            ("unchanged", count(sum.unchanged)),
            ("rejected", count(sum.rejected)),
            ("skipped", count(self.skipped)),
            ("partlyTaken", count(self.partly.count())),
            ("withoutSyncId", count(sum.without_sync_id)),
            ("alreadyRecorded", count(sum.already_recorded)),
            ("incomplete", count(sum.incomplete)),
            ("written", Json::Bool(wrote)),
            ("warnings", count(self.warned)),
            ("errors", listed(&sum.faults)),
            ("warningDetails", listed(&sum.warnings)),
        ])
    }

    /// The rejected rows, the first ones at least: line, field, reason.
    pub(super) fn complaints(&self, has_file: bool) -> Vec<String> {
        let mut lines: Vec<String> =
            self.sum.faults.iter().take(PRINTED).flat_map(|(line, faults)| complaint(*line, faults)).collect();
        let more = self.sum.rejected.saturating_sub(PRINTED as u64);
        if more > 0 {
            let whole =
                if has_file { "the file of --errors has them all" } else { "--errors FILE.csv writes them all" };
            let more = counted(more, "more rejected row", "more rejected rows");
            lines.push(format!("... and {more}; {whole}"));
        }
        lines
    }

    /// What rows that were taken should be looked at for, the first ones at least.
    pub(super) fn warnings(&self) -> Vec<String> {
        let rows = self.sum.warnings.iter().take(PRINTED);
        let mut lines: Vec<String> = rows
            .flat_map(|(line, warnings)| complaint(*line, warnings))
            .map(|line| format!("warning: {line}"))
            .collect();
        let more = self.warned.saturating_sub(lines.len() as u64);
        if more > 0 {
            lines.push(format!("... and {}", counted(more, "more warning", "more warnings")));
        }
        lines.extend(self.doubts.iter().map(|doubt| format!("warning: {doubt}")));
        lines
    }

    /// The outcome as text.
    pub(super) fn summary(&self, name: &str, outcome: Outcome, import: Option<ImportId>) -> String {
        let sum = &self.sum;
        let counts = format!(
            "{} created, {} updated, {} unchanged, {} rejected",
            sum.created, sum.updated, sum.unchanged, sum.rejected
        );
        let mut lines = vec![match outcome {
            Outcome::AllOrNothing if sum.rejected > 0 => {
                format!("{name}: nothing was written, as rows are wrong; without them: {counts}")
            }
            Outcome::KeepGood | Outcome::AllOrNothing => format!("{name}: {counts}"),
            Outcome::Nothing => format!("{name}: nothing was written (--dry-run); it would be: {counts}"),
        }];
        let partly = self.partly.count();
        if partly > 0 && outcome != Outcome::AllOrNothing {
            lines.push(format!(
                "{partly} of the rows with rejected activities make others, which were taken: without a syncId in the map, mending \
                 such a row and importing it again adds those again"
            ));
        }
        if self.skipped > 0 {
            lines.push(format!("{} left out, as the map's skip says", self.skipped));
        }
        if self.warned > 0 {
            let warnings = counted(self.warned, "warning", "warnings");
            lines.push(format!("{warnings} about rows that were taken"));
        }
        if sum.incomplete > 0 {
            lines.push(format!(
                "{} without CO2e: neither amounts nor a product with a factor valid on the day",
                sum.incomplete
            ));
        }
        if sum.without_sync_id > 0 {
            lines.push(format!("{} without a syncId: importing them again adds them again", sum.without_sync_id));
        }
        if sum.already_recorded > 0 {
            lines.push(format!(
                "{} without a syncId say what activities say that are recorded already, and are counted twice",
                sum.already_recorded
            ));
        }
        if let Some(import) = import.filter(|_| sum.created + sum.updated > 0) {
            lines.push(format!("to take it back: tonne import undo {import}"));
        }
        lines.join("\n")
    }
}

/// Each fault with the line of its row.
fn listed(rows: &[(u64, Faults)]) -> Json {
    array(rows.iter().flat_map(|(line, faults)| {
        faults.as_slice().iter().map(|fault| {
            object([("line", count(*line)), ("pointer", text(&fault.pointer)), ("detail", text(&fault.detail))])
        })
    }))
}

pub(in crate::command) fn complaint(line: u64, faults: &Faults) -> Vec<String> {
    let one = |fault: &domain::Fault| match fault.pointer.trim_start_matches('/') {
        "" => format!("line {line}: the row {}", fault.detail),
        field => format!("line {line}, {field}: {}", fault.detail),
    };
    faults.as_slice().iter().map(one).collect()
}
