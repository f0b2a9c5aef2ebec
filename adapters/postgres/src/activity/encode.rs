//! From activities to rows, and what a batch comes to besides: the items of the change, postings and uses.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{Activity, Canonical as _, Digest, Incomplete, Postings, SeriesKey};
use ports::store::StoreError;
use ports::{Action, ChangeItem, RecordKind, Replaced, Stored};

use super::plan::{Plan, Write};
use super::{measures_column, stated_column};
use crate::bulk::{Kind, Rows, Target};
use crate::error::failed;
use crate::usage::Uses;

/// The table of activities.
static ACTIVITIES: Target = Target {
    table: "tonne.activity",
    columns: &[
        ("id", Kind::Uuid),
        ("day", Kind::Date),
        ("last", Kind::Date),
        ("series", Kind::Integer),
        ("sync_id", Kind::Text),
        ("name", Kind::Text),
        ("description", Kind::Text),
        ("quantity", Kind::Numeric),
        ("unit", Kind::Text),
        ("supplied_upstream", Kind::Numeric),
        ("supplied_downstream", Kind::Numeric),
        ("product", Kind::Uuid),
        ("start_at", Kind::Text),
        ("end_at", Kind::Text),
        ("upstream", Kind::Numeric),
        ("downstream", Kind::Numeric),
        ("stated", Kind::Text),
        ("measures", Kind::Text),
        ("factor", Kind::Uuid),
        ("incomplete", Kind::Text),
        ("created", Kind::Timestamp),
        ("updated", Kind::Timestamp),
        ("version", Kind::Bigint),
        ("digest", Kind::Bytes),
    ],
    end: "",
};

/// What a batch comes to besides the rows of its activities.
#[derive(Debug, Default)]
pub(super) struct Sum {
    /// The items of the change, in order.
    pub(super) items: Vec<ChangeItem>,
    /// By how much cells change.
    pub(super) postings: Postings,
    /// By how much counts of uses change.
    pub(super) uses: Uses,
}

/// Makes the rows of a batch, a few at a time.
pub(super) struct Encoder {
    plan: Arc<Plan>,
    series: Arc<HashMap<SeriesKey, u32>>,
    sum: Sum,
    next: usize,
}

impl Encoder {
    /// Starts at the first write of the batch.
    pub(super) fn new(plan: Arc<Plan>, series: Arc<HashMap<SeriesKey, u32>>) -> Self {
        Self { plan, series, sum: Sum::default(), next: 0 }
    }

    /// The rows that the next writes leave, of at most so many writes; `None` behind the last one.
    pub(super) fn next(&mut self, count: usize) -> Result<Option<Rows>, StoreError> {
        let mut rows = activity_rows();
        let (begin, end) = (self.next, self.next.saturating_add(count));
        while self.next < end
            && let Some(write) = self.plan.write(self.next)
        {
            self.encode(&write, &mut rows)?;
            self.next += 1;
        }
        Ok((self.next > begin).then_some(rows))
    }

    /// What the batch comes to.
    pub(super) fn finish(self) -> Sum {
        self.sum
    }

    fn encode(&mut self, write: &Write, rows: &mut Rows) -> Result<(), StoreError> {
        let (Write { stored, before, stays }, Sum { items, postings, uses }) = (write, &mut self.sum);
        let (digest, series) = (stored.digest(), index(&self.series, &stored.value)?);
        if *stays {
            activity_row(rows, stored, digest, series)?;
        }
        postings.add(series, &stored.value.posting());
        uses.add(&stored.value);
        let action = match before {
            None => Action::Added(digest),
            Some(before) => {
                postings.take(index(&self.series, &before.value)?, &before.value.posting());
                uses.take(&before.value);
                Action::Updated { digest, replaced: Replaced::new(before) }
            }
        };
        items.push(ChangeItem { kind: RecordKind::Activity, id: stored.value.id.into(), action });
        Ok(())
    }
}

/// Appends the row of an activity.
pub(super) fn activity_row(
    rows: &mut Rows,
    stored: &Stored<Activity>,
    digest: Digest,
    series: u32,
) -> Result<(), StoreError> {
    let Stored { value, created, updated, version } = stored;
    let Activity { id, sync_id, name, description, measured, product, span, calculation, stated, measures, .. } = value;
    let supplied = calculation.supplied();
    let series = i32::try_from(series).map_err(|_| failed("there are too many series"))?;
    let version = i64::try_from(version.0).map_err(|_| failed("a version is out of range"))?;
    let mut row = rows.row();
    row.id(*id).day(span.first()).day(span.last()).integer(series);
    row.text_or_null(sync_id.as_ref()).text(name).text_or_null(description.as_ref());
    row.amount_or_null(measured.map(|measured| measured.quantity.decimal()));
    row.text_or_null(measured.map(|measured| measured.unit.code()));
    row.amount_or_null(supplied.upstream.map(domain::Co2e::decimal));
    row.amount_or_null(supplied.downstream.map(domain::Co2e::decimal));
    row.id_or_null(*product).text(span.start()).text_or_null(span.end());
    row.amount_or_null(calculation.upstream().map(domain::Co2e::decimal));
    row.amount_or_null(calculation.downstream().map(domain::Co2e::decimal));
    row.text_or_null(stated_column(stated)).text_or_null(measures_column(measures));
    row.id_or_null(calculation.factor()).text_or_null(calculation.reason().map(Incomplete::code));
    row.timestamp(*created).timestamp(*updated).bigint(version).digest(digest);
    Ok(())
}

/// Rows of the table `activity`, none so far.
pub(super) fn activity_rows() -> Rows {
    Rows::new(&ACTIVITIES)
}

fn index(series: &HashMap<SeriesKey, u32>, activity: &Activity) -> Result<u32, StoreError> {
    series.get(&activity.series()).copied().ok_or_else(|| failed(format!("activity {} has no series", activity.id)))
}
