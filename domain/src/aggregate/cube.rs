//! The cells of a tenant in memory, laid out so that the sums of all series over any range of days take one pass over
//! two columns and two short runs of cells, however many activities there are.
//!
//! The days are cut into blocks that hold at least as many cells as there are series (and at least 256), so the running
//! totals kept after each block take about as much memory as the cells, and a part block about as long to read as a
//! column.

use std::fmt;
use std::ops::{AddAssign, SubAssign};
use std::sync::Arc;

use block::{Block, Row};
use series::SeriesList;

use crate::aggregate::cell::{Cell, SeriesKey};
use crate::aggregate::count::Magnitude;
use crate::aggregate::measure::Measure;
use crate::aggregate::packed::{PackError, PackedCells};
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};

mod adding;
mod block;
mod bounds;
mod build;
mod change;
mod column;
pub(crate) mod group_totals;
pub(crate) mod lane_totals;
pub(crate) mod lanes;
pub(crate) mod series;
mod series_totals;
mod starts;
mod table;

pub use build::{CubeBuilder, CubeError};
pub use starts::Starts;

/// The fewest cells of a block that is not the only one.
const MIN_BLOCK: usize = 256;

/// Which days an activity counts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attribution {
    /// Wholly on its first day.
    #[default]
    Start,
    /// On every day it covers, in even shares, the last day taking what the division leaves.
    Daily,
}

/// What the activities of one series in a period come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SeriesTotals {
    /// How many there are.
    pub count: i64,
    /// How many of them have no amount.
    pub incomplete: i64,
    /// Kilograms of CO2 equivalent.
    pub co2e: Total,
}

impl AddAssign for SeriesTotals {
    /// Both together. A number that would leave 64 bits, which no cube has, stays at their end.
    fn add_assign(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.incomplete = self.incomplete.saturating_add(other.incomplete);
        self.co2e += other.co2e;
    }
}

impl SubAssign for SeriesTotals {
    /// The difference. A number that would leave 64 bits, which no cube has, stays at their end.
    fn sub_assign(&mut self, other: Self) {
        self.count = self.count.saturating_sub(other.count);
        self.incomplete = self.incomplete.saturating_sub(other.incomplete);
        self.co2e -= other.co2e;
    }
}

/// A cell names a series that the cube does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no series of index {0}")]
pub struct UnknownSeries(
    /// The series index that was given.
    pub u32,
);

/// All cells of a tenant at one moment. Immutable; [`Cube::plus`] makes the next one.
#[derive(Clone, Default)]
pub struct Cube {
    series: Arc<SeriesList>,
    blocks: Vec<Block>,
    /// Of all cells that were ever added: no sum that it gives leaves 64 bits.
    magnitude: Magnitude,
}

impl fmt::Debug for Cube {
    /// The sizes: the cells themselves would fill pages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: usize = self.blocks.iter().map(|block| block.cells.len()).sum();
        f.debug_struct("Cube").field("series", &self.series.len()).field("cells", &cells).finish_non_exhaustive()
    }
}

impl Cube {
    /// The cube of these series, which get the indices 0, 1, ... in order, and these cells. Cells of the same series
    /// and day are added. An error is [`CubeError::Series`] or [`CubeError::TooMany`].
    pub fn new(
        series: impl IntoIterator<Item = SeriesKey>,
        cells: impl IntoIterator<Item = (u32, Day, Cell)>,
    ) -> Result<Self, CubeError> {
        let series: SeriesList = series.into_iter().collect();
        let (mut rows, mut magnitude): (Vec<Row>, Magnitude) = (Vec::new(), Magnitude::default());
        for (index, day, cell) in cells {
            known(&series, index)?;
            magnitude = magnitude.with(cell.counts())?;
            rows.push(((day, index), cell));
        }
        rows.sort_unstable_by_key(|(place, _)| *place);
        rows.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1.add_within(&next.1);
            }
            same
        });
        rows.retain(|(_, cell)| !cell.is_zero());
        Ok(Self::from_rows(Arc::new(series), &rows, magnitude))
    }

    /// The series, by index.
    #[must_use]
    pub fn series(&self) -> &[SeriesKey] {
        self.series.keys()
    }

    /// The series with the numbers of their nodes.
    pub(crate) fn series_list(&self) -> &SeriesList {
        &self.series
    }

    /// How many cells are not zero.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.blocks.iter().map(|block| block.cells.len()).sum()
    }

    /// Every cell that is not zero, by day, then series.
    pub fn cells(&self) -> impl Iterator<Item = (u32, Day, Cell)> {
        self.blocks.iter().flat_map(|block| block.cells.rows()).map(|((day, series), cell)| (series, day, cell))
    }

    /// Every cell that is not zero, packed: by day, then series, also from part to part. Cubes of the same cells have the
    /// same parts, however they came about. An error is [`PackError::TooLarge`].
    pub fn parts(&self) -> impl Iterator<Item = Result<PackedCells, PackError>> {
        let mut cells = self.cells();
        std::iter::from_fn(move || {
            let part: Vec<(u32, Day, Cell)> = cells.by_ref().take(PackedCells::PART).collect();
            (!part.is_empty()).then(|| PackedCells::pack(part.iter().map(|(series, day, cell)| (*series, *day, cell))))
        })
    }

    /// What each series comes to in the period, by index. Under [`Attribution::Daily`] the count is of activities that
    /// touch the period, and `not_spread` names the series that are never spread: they are summed as under
    /// [`Attribution::Start`]. The amounts of the parts of a period add up to those of the whole, under
    /// [`Attribution::Start`] the counts too.
    #[must_use]
    pub fn sums(
        &self,
        period: Period,
        attribution: Attribution,
        not_spread: &dyn Fn(&SeriesKey) -> bool,
    ) -> Vec<SeriesTotals> {
        self.totals_of_series(period, &self.whole_series(attribution, not_spread))
    }

    /// What each series has of a measure in the period, by index; as [`Cube::sums`] otherwise.
    #[must_use]
    pub fn sums_of(
        &self,
        measure: Measure,
        period: Period,
        attribution: Attribution,
        not_spread: &dyn Fn(&SeriesKey) -> bool,
    ) -> Vec<Total> {
        self.measure_of_series(measure, period, &self.whole_series(attribution, not_spread))
    }

    /// Whether a cell has some of a measure.
    #[must_use]
    pub fn has(&self, measure: Measure) -> bool {
        self.blocks.iter().any(|block| block.cells.table().columns(measure).is_some())
    }

    /// The cube of rows in order, none of them zero, all of known series.
    fn from_rows(series: Arc<SeriesList>, rows: &[Row], magnitude: Magnitude) -> Self {
        let mut blocks = Vec::new();
        extend(&mut blocks, rows, series.len());
        Self { series, blocks, magnitude }
    }
}

/// Appends blocks of these rows, cut after a day as soon as enough cells stand on either side.
fn extend(blocks: &mut Vec<Block>, rows: &[Row], width: usize) {
    let (target, mut start) = (target(width), 0);
    for day in rows.chunk_by(|a, b| a.0.0 == b.0.0).scan(0, |end, day| {
        *end += day.len();
        Some(*end)
    }) {
        if day == rows.len() || (day - start >= target && rows.len() - day >= target) {
            let block = Block::new(blocks.last(), &rows[start..day], width);
            blocks.push(block);
            start = day;
        }
    }
}

/// How many cells a block should hold at least.
fn target(width: usize) -> usize {
    width.max(MIN_BLOCK)
}

fn known(series: &SeriesList, index: u32) -> Result<(), UnknownSeries> {
    if (index as usize) < series.len() { Ok(()) } else { Err(UnknownSeries(index)) }
}
