//! The activities added up anew, in the order of their cells.

use bigdecimal::BigDecimal;
use domain::{Canonical as _, Cell, Co2e, Day, Measures, Posting};
use ports::store::StoreError;
use sea_orm::QueryResult;
use time::Date;

use super::cursor::Cursor;
use crate::conn::{TenantConn, column};
use crate::row::{self, Damage};

/// An activity comes once for its first day, and once more for its last if that is another.
const PARTS: &str = "SELECT day, series, day, last, upstream, downstream, measures FROM tonne.activity \
    WHERE tenant_id = {tenant} \
    UNION ALL SELECT last, series, day, last, upstream, downstream, measures FROM tonne.activity \
    WHERE tenant_id = {tenant} AND last <> day \
    ORDER BY 1, 2";

/// A day and a series.
pub(super) type At = (Day, u32);

struct Columns {
    at: Date,
    series: i32,
    day: Date,
    last: Date,
    upstream: Option<BigDecimal>,
    downstream: Option<BigDecimal>,
    measures: Option<String>,
}

/// What the activities add up to, in the order of day, then series.
pub(super) struct Recount {
    parts: Cursor<Columns>,
    part: Option<(At, Cell)>,
    sum: Option<(At, Cell)>,
}

impl Recount {
    /// Starts at the first cell.
    pub(super) async fn open(conn: &mut TenantConn) -> Result<Self, StoreError> {
        let mut recount =
            Self { parts: Cursor::open(conn, "tonne_recount", PARTS, Columns::of).await?, part: None, sum: None };
        recount.part = next_part(&mut recount.parts, conn).await?;
        recount.advance(conn).await?;
        Ok(recount)
    }

    /// The place of the next cell.
    pub(super) fn next(&self) -> Option<At> {
        self.sum.as_ref().map(|(at, _)| *at)
    }

    /// Takes the next cell, and goes on to the one behind it.
    pub(super) async fn take(&mut self, conn: &mut TenantConn) -> Result<Option<(At, Cell)>, StoreError> {
        let taken = self.sum.take();
        self.advance(conn).await?;
        Ok(taken)
    }

    async fn advance(&mut self, conn: &mut TenantConn) -> Result<(), StoreError> {
        self.sum = self.part.take();
        let Some((at, sum)) = &mut self.sum else { return Ok(()) };
        loop {
            self.part = match next_part(&mut self.parts, conn).await? {
                Some((next, part)) if next == *at => {
                    let added = std::mem::take(sum).checked_add(&part);
                    *sum = added.map_err(|error| StoreError::Corrupt {
                        subject: "the recount".to_owned(),
                        detail: error.to_string(),
                    })?;
                    continue;
                }
                other => other,
            };
            return Ok(());
        }
    }
}

/// The next part of a cell. What does not read was reported with the records; its cells will differ.
async fn next_part(parts: &mut Cursor<Columns>, conn: &mut TenantConn) -> Result<Option<(At, Cell)>, StoreError> {
    while let Some(columns) = parts.next(conn).await? {
        if let Some(part) = columns.and_then(|columns| columns.read().ok().flatten()) {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

impl Columns {
    fn of(row: &QueryResult) -> Result<Self, StoreError> {
        Ok(Self {
            at: column(row, 0)?,
            series: column(row, 1)?,
            day: column(row, 2)?,
            last: column(row, 3)?,
            upstream: column(row, 4)?,
            downstream: column(row, 5)?,
            measures: column(row, 6)?,
        })
    }

    fn read(self) -> Result<Option<(At, Cell)>, Damage> {
        let at = row::day("day", self.at)?;
        let part = |column: &str, value: Option<BigDecimal>| -> Result<Option<Co2e>, Damage> {
            value.map(|value| row::decimal(column, &value).map(Co2e::new)).transpose()
        };
        let (upstream, downstream) = (part("upstream", self.upstream)?, part("downstream", self.downstream)?);
        let co2e = match (upstream, downstream) {
            (Some(a), Some(b)) => Some(a.checked_add(b).ok_or_else(|| row::damage("upstream", "is too large"))?),
            (one, None) | (None, one) => one,
        };
        let measures = |text: &str| Measures::from_canonical((), text);
        let measures = row::parse_optional("measures", self.measures.as_deref(), measures)?.unwrap_or_default();
        let (first, last) = (row::day("day", self.day)?, row::day("last", self.last)?);
        let series = u32::try_from(self.series).map_err(|error| row::damage("series", error))?;
        let mut posting = Posting::new(first, last, co2e);
        posting.measures = measures;
        let cell = posting.cells().find(|(day, _)| *day == at);
        Ok(cell.map(|(day, cell)| ((day, series), cell)))
    }
}
