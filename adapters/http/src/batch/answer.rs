//! What became of the rows of a body.

use std::mem;

use domain::{FaultCode, Faults};
use ports::ImportId;
use ports::inbound::BatchOutcome;

use crate::answer_value::{list, number, text, text_or_null};
use crate::schema::Kind;
use crate::shape::{Member, Shape};
use files::Json;

/// How many faults are listed, and how many warnings.
const LISTED: usize = 1_000;

/// What became of the rows so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) sum: BatchOutcome,
    warned: u64,
    errors: Vec<Listed>,
    warnings: Vec<Listed>,
    pub(super) import: Option<ImportId>,
    pub(super) same_as: Option<ImportId>,
    pub(super) written: bool,
}

/// A fault of a row, or a warning.
#[derive(Debug)]
struct Listed {
    line: u64,
    pointer: String,
    code: FaultCode,
    detail: String,
}

impl Tally {
    /// Adds what became of more rows; of faults and warnings the first are kept.
    pub(super) fn add(&mut self, mut outcome: BatchOutcome) {
        self.warned += outcome.warned();
        take(&mut self.errors, &mem::take(&mut outcome.faults));
        take(&mut self.warnings, &mem::take(&mut outcome.warnings));
        self.sum.add(outcome);
    }

    /// What is wrong with rejected rows, each fault with the line of its row.
    pub(super) fn faults(&self) -> Faults {
        let mut faults = Faults::new();
        for Listed { line, pointer, code, detail } in &self.errors {
            let place = if pointer.is_empty() { "the row " } else { "" };
            faults.add_coded(*code, pointer.clone(), format!("line {line}: {place}{detail}"));
        }
        faults
    }

    /// How many rows there were.
    pub(super) const fn rows(&self) -> u64 {
        self.sum.created + self.sum.updated + self.sum.unchanged + self.sum.rejected
    }
}

fn take(listed: &mut Vec<Listed>, rows: &[(u64, Faults)]) {
    for (line, faults) in rows {
        for fault in faults.as_slice() {
            if listed.len() >= LISTED {
                return;
            }
            let (pointer, detail) = (fault.pointer.clone(), fault.detail.clone());
            listed.push(Listed { line: *line, pointer, code: fault.code, detail });
        }
    }
}

type Shown = Member<Tally, ()>;

const COUNT: Kind = Kind::Integer(0, i64::MAX);

/// The answer to a batch.
pub(super) static RESULT: Shape<Tally, ()> = Shape {
    name: "BatchResult",
    doc: "What became of the rows of a batch, or would.",
    members: &[
        Shown::new(
            "import",
            Kind::Uuid,
            "The import that is listed under `/v1/import`; null where nothing was written.",
        )
        .shown_or_null(|tally| text_or_null(tally.import)),
        Shown::new("created", COUNT, "Activities that were added.").shown(|tally| number(tally.sum.created)),
        Shown::new("updated", COUNT, "Activities that were changed.").shown(|tally| number(tally.sum.updated)),
        Shown::new("unchanged", COUNT, "Rows that changed nothing.").shown(|tally| number(tally.sum.unchanged)),
        Shown::new("rejected", COUNT, "Rows with faults, which were left out.")
            .shown(|tally| number(tally.sum.rejected)),
        Shown::new("withoutSyncId", COUNT, "Rows that would be added again if they came again, for want of a syncId.")
            .shown(|tally| number(tally.sum.without_sync_id)),
        Shown::new(
            "alreadyRecorded",
            COUNT,
            "Rows without a syncId that say what a recorded activity says: they are counted twice. Each is among the warnings.",
        )
        .shown(|tally| number(tally.sum.already_recorded)),
        Shown::new("incomplete", COUNT, "Activities that were written without CO2e: it cannot be computed.")
            .shown(|tally| number(tally.sum.incomplete)),
        Shown::new(
            "written",
            Kind::Flag,
            "Whether anything was to be written: not in a dry run.",
        )
        .shown(|tally| Json::Bool(tally.written)),
        Shown::new("warnings", COUNT, "Warnings about rows that were taken.").shown(|tally| number(tally.warned)),
        Shown::new(
            "sameAs",
            Kind::Uuid,
            "An earlier import of the very same body that was not undone; null if there is none.",
        )
        .shown_or_null(|tally| text_or_null(tally.same_as)),
        Shown::new("errors", Kind::List(&Kind::Object(&FAULT), LISTED), "The first 1,000 faults of rejected rows.")
            .shown(|tally| list(&tally.errors, |listed| FAULT.show(listed))),
        Shown::new("warningDetails", Kind::List(&Kind::Object(&FAULT), LISTED), "The first 1,000 warnings.")
            .shown(|tally| list(&tally.warnings, |listed| FAULT.show(listed))),
    ],
};

static FAULT: Shape<Listed, ()> = Shape {
    name: "BatchFault",
    doc: "What is wrong with a row.",
    members: &[
        Member::<Listed, ()>::new("line", Kind::Integer(1, i64::MAX), "The line that the row starts on, from 1.")
            .shown(|listed| number(listed.line)),
        Member::<Listed, ()>::new("pointer", Kind::Text(0, 10_000), "The member, or empty.")
            .shown(|listed| text(&listed.pointer)),
        Member::<Listed, ()>::new("detail", Kind::Text(1, 10_000), "A sentence for people.")
            .shown(|listed| text(&listed.detail)),
    ],
};
