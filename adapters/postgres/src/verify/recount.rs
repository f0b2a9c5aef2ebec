//! The activities added up anew, in the order of their cells.

use bigdecimal::BigDecimal;
use domain::{Calculation, Cell, Co2e, Day, Posting};
use ports::store::StoreError;
use sea_orm::QueryResult;
use time::Date;

use super::cursor::Cursor;
use crate::conn::{TenantConn, column};
use crate::row::{self, Damage};

/// An activity comes once for its first day, and once more for its last if that is another.
const PARTS: &str = "SELECT day, series, day, last, upstream, downstream FROM tonne.activity \
    WHERE tenant_id = {tenant} \
    UNION ALL SELECT last, series, day, last, upstream, downstream FROM tonne.activity \
    WHERE tenant_id = {tenant} AND last <> day \
    ORDER BY 1, 2";

/// A day and a series.
pub(super) type At = (Day, i32);

struct Columns {
    at: Date,
    series: i32,
    day: Date,
    last: Date,
    upstream: Option<BigDecimal>,
    downstream: Option<BigDecimal>,
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
        recount.part = recount.next_part(conn).await?;
        recount.advance(conn).await?;
        Ok(recount)
    }

    /// The next cell.
    pub(super) const fn next(&self) -> Option<(At, Cell)> {
        self.sum
    }

    /// Goes on to the cell behind it.
    pub(super) async fn advance(&mut self, conn: &mut TenantConn) -> Result<(), StoreError> {
        self.sum = self.part;
        let Some((at, mut sum)) = self.part else { return Ok(()) };
        loop {
            self.part = self.next_part(conn).await?;
            match self.part {
                Some((next, part)) if next == at => sum += part,
                Some(_) | None => break,
            }
        }
        self.sum = Some((at, sum));
        Ok(())
    }

    /// What does not read was reported with the records; its cells will differ.
    async fn next_part(&mut self, conn: &mut TenantConn) -> Result<Option<(At, Cell)>, StoreError> {
        while let Some(columns) = self.parts.next(conn).await? {
            if let Some(part) = columns.and_then(|columns| columns.read().ok().flatten()) {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }
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
        })
    }

    fn read(self) -> Result<Option<(At, Cell)>, Damage> {
        let at = row::day("day", self.at)?;
        let part = |column: &str, value: Option<BigDecimal>| -> Result<Option<Co2e>, Damage> {
            value.map(|value| row::decimal(column, &value).map(Co2e::new)).transpose()
        };
        let (upstream, downstream) = (part("upstream", self.upstream)?, part("downstream", self.downstream)?);
        let calculation =
            Calculation::new(upstream, downstream, None, None).map_err(|error| row::damage("upstream", error))?;
        let posting =
            Posting { first: row::day("day", self.day)?, last: row::day("last", self.last)?, co2e: calculation.co2e() };
        let cell = posting.cells().find(|(day, _)| *day == at);
        Ok(cell.map(|(day, cell)| ((day, self.series), cell)))
    }
}
