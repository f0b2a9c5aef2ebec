//! Cells and counts of uses follow the activities: what a call changes is added up first, then added to each once.

use std::collections::BTreeMap;

use domain::{Activity, Cell, Day};
use ports::RecordKind;
use ports::store::StoreError;
use uuid::Uuid;

use crate::bulk::{Kind, Rows, Target};
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;
use crate::session::kind_code;

/// The table of cells, to which rows are added.
static CELLS: Target = Target {
    table: "tonne.cell",
    columns: &[
        ("day", Kind::Date),
        ("series", Kind::Integer),
        ("starts", Kind::Bigint),
        ("ends", Kind::Bigint),
        ("incomplete_starts", Kind::Bigint),
        ("incomplete_ends", Kind::Bigint),
        ("co2e", Kind::Numeric),
        ("slope", Kind::Numeric),
        ("step", Kind::Numeric),
        ("version", Kind::Bigint),
    ],
    end: "ON CONFLICT (tenant_id, day, series) DO UPDATE SET starts = cell.starts + excluded.starts, \
          ends = cell.ends + excluded.ends, \
          incomplete_starts = cell.incomplete_starts + excluded.incomplete_starts, \
          incomplete_ends = cell.incomplete_ends + excluded.incomplete_ends, co2e = cell.co2e + excluded.co2e, \
          slope = cell.slope + excluded.slope, step = cell.step + excluded.step, version = excluded.version",
};

/// The table of uses, to which rows are added.
static USES: Target = Target {
    table: "tonne.activity_use",
    columns: &[("kind", Kind::Smallint), ("id", Kind::Uuid), ("activities", Kind::Bigint)],
    end: "ON CONFLICT (tenant_id, kind, id) DO UPDATE SET activities = activity_use.activities + excluded.activities",
};

/// By how much cells and counts of uses change.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// By day and series.
    cells: BTreeMap<(Day, u32), Cell>,
    /// By the record that activities refer to.
    uses: BTreeMap<(RecordKind, Uuid), i64>,
}

impl Postings {
    /// Adds an activity of that series.
    pub(crate) fn add(&mut self, activity: &Activity, series: u32) {
        for (day, cell) in activity.posting().cells() {
            *self.cells.entry((day, series)).or_default() += cell;
        }
        for used in used(activity) {
            *self.uses.entry(used).or_default() += 1;
        }
    }

    /// Takes an activity of that series away.
    pub(crate) fn take(&mut self, activity: &Activity, series: u32) {
        for (day, cell) in activity.posting().cells() {
            *self.cells.entry((day, series)).or_default() += -cell;
        }
        for used in used(activity) {
            *self.uses.entry(used).or_default() -= 1;
        }
    }

    /// Adds the changes to the cells, stamps them with the number of a change, and adds to the counts.
    pub(crate) async fn post(self, conn: &mut TenantConn, bulk: Bulk, number: u64) -> Result<(), StoreError> {
        let version = i64::try_from(number).map_err(|_| failed("the number of a change is out of range"))?;
        let mut rows = Rows::new(&CELLS);
        for ((day, series), change) in self.cells.into_iter().filter(|(_, change)| !change.is_zero()) {
            let series = i32::try_from(series).map_err(|_| failed("there are too many series"))?;
            let Cell { starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step } = change;
            let mut row = rows.row();
            row.day(day).integer(series).bigint(starts).bigint(ends).bigint(incomplete_starts);
            row.bigint(incomplete_ends).total(co2e).total(slope).total(step).bigint(version);
        }
        rows.insert(conn, bulk).await?;
        let mut rows = Rows::new(&USES);
        for ((kind, id), change) in self.uses.into_iter().filter(|(_, change)| *change != 0) {
            rows.row().smallint(kind_code(kind)).id(id).bigint(change);
        }
        rows.insert(conn, bulk).await
    }
}

/// The records whose uses by activities are counted. Nodes are not: their cells count them.
fn used(activity: &Activity) -> impl Iterator<Item = (RecordKind, Uuid)> {
    let product = activity.product.map(|id| (RecordKind::Product, id.uuid()));
    product.into_iter().chain(activity.calculation.factor().map(|id| (RecordKind::Factor, id.uuid())))
}
