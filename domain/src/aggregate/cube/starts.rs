//! On which days activities start.

use super::Cube;
use super::lanes::Lanes;
use crate::calendar::day::Day;

impl Cube {
    /// The days from `first` through `last` on which activities of the series start, each with how many of them, until
    /// there are `enough` together.
    pub(crate) fn starting_days(&self, first: Day, last: Day, lanes: &Lanes, enough: u64) -> Vec<(Day, u64)> {
        let begin = self.blocks.partition_point(|block| block.cells.last() < first);
        let (mut days, mut found) = (Vec::new(), 0_u64);
        for block in self.blocks.get(begin..).unwrap_or_default() {
            let (cells, starts) = (&block.cells, block.cells.table().starts());
            for at in cells.days_through(first.number() - 1)..cells.day_count() {
                let (day, rows) = cells.day(at);
                if day > last || found >= enough {
                    return days;
                }
                let series = cells.series(rows.clone());
                let is_meant = |series: u32| !lanes.of_series()[series as usize].is_left_out();
                let counts = rows.zip(series).filter(|(_, series)| is_meant(**series)).map(|(row, _)| starts.get(row));
                if let Ok(count @ 1..) = u64::try_from(counts.sum::<i64>()) {
                    days.push((day, count));
                    found = found.saturating_add(count);
                }
            }
        }
        days
    }
}
