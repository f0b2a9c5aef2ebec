//! Cells follow the activities: what a call changes is added up first, then added to each cell once.

use std::collections::BTreeMap;

use domain::{Activity, Cell, Day};
use ports::store::StoreError;

use crate::bulk::{Kind, Rows, Target};
use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;

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

/// By how much cells change, by day and series.
#[derive(Debug, Default)]
pub(crate) struct Book(BTreeMap<(Day, u32), Cell>);

impl Book {
    /// Adds an activity of that series.
    pub(crate) fn add(&mut self, activity: &Activity, series: u32) {
        for (day, cell) in activity.booking().cells() {
            *self.0.entry((day, series)).or_default() += cell;
        }
    }

    /// Takes an activity of that series away.
    pub(crate) fn take(&mut self, activity: &Activity, series: u32) {
        for (day, cell) in activity.booking().cells() {
            *self.0.entry((day, series)).or_default() += -cell;
        }
    }

    /// Adds the changes to the cells and stamps them with the number of a change.
    pub(crate) async fn post(self, conn: &mut TenantConn, bulk: Bulk, number: u64) -> Result<(), StoreError> {
        let version = i64::try_from(number).map_err(|_| failed("the number of a change is out of range"))?;
        let mut rows = Rows::new(&CELLS);
        for ((day, series), change) in self.0.into_iter().filter(|(_, change)| !change.is_zero()) {
            let series = i32::try_from(series).map_err(|_| failed("there are too many series"))?;
            let Cell { starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step } = change;
            let mut row = rows.row();
            row.day(day).integer(series).bigint(starts).bigint(ends).bigint(incomplete_starts);
            row.bigint(incomplete_ends).total(co2e).total(slope).total(step).bigint(version);
        }
        rows.insert(conn, bulk).await
    }
}
