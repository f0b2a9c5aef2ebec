//! What the company does over and over: streams of activities, each with its place in the three trees, its amount and
//! its rhythm.

mod energy;
mod freight;
mod outcome;
mod purchase;
mod staff;

use domain::Quality;

use super::calendar::Rhythm;

/// Thousandths of a usual month, January to December.
pub(super) type Season = [i64; 12];

/// The same all year.
const EVEN: Season = [1_000; 12];
/// Light and machines: more in winter, less in the works holidays.
const POWER: Season = [1_120, 1_090, 1_060, 1_000, 950, 920, 820, 840, 970, 1_040, 1_090, 1_100];
/// How heating is spread over the months.
const HEAT: Season = [2_150, 1_930, 1_540, 940, 420, 140, 90, 100, 330, 890, 1_480, 1_990];
/// Building bicycles: ahead of spring, holidays in July.
const BUILD: Season = [1_180, 1_240, 1_290, 1_200, 1_080, 960, 540, 760, 980, 1_010, 980, 780];
/// How sales of bicycles are spread over the months.
const SELL: Season = [520, 640, 1_020, 1_480, 1_620, 1_490, 1_180, 1_080, 990, 760, 560, 660];
/// Commuting and work in offices.
const WORK: Season = [1_060, 1_040, 1_080, 1_010, 990, 980, 680, 820, 1_060, 1_080, 1_090, 1_110];

/// The year that the books begin with.
const FIRST_YEAR: i32 = 2023;

/// A stream of activities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    /// Its word in syncIds.
    pub(super) code: &'static str,
    /// What its activities are called, one of them each.
    pub(super) names: &'static [&'static str],
    /// Where they happen; where there are several, each by its size.
    pub(super) orgs: &'static [&'static str],
    /// Their scope; empty for those that nobody has sorted yet.
    pub(super) scope: &'static str,
    /// Their category.
    pub(super) taxonomy: &'static str,
    /// What they are computed from.
    pub(super) basis: Basis,
    pub(super) rhythm: Rhythm,
    /// How amounts vary over a year, month by month, in thousandths.
    pub(super) season: &'static Season,
    /// Thousandths that a year is above the one before.
    pub(super) trend: i64,
    /// What the same quantity causes elsewhere.
    pub(super) also: &'static [Also],
    /// A remark on each.
    pub(super) remark: &'static str,
    /// How well its amounts are known, where somebody says so.
    pub(super) quality: Option<Quality>,
    /// The year that it begins in.
    pub(super) since: i32,
}

/// What an activity's CO2e comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Basis {
    /// So much of a product, in whole units.
    Of(&'static str, &'static str, i64),
    /// So many kg CO2e as somebody else stated them.
    Stated(i64),
    /// The quantity is not known yet.
    Unknown,
}

/// The same quantity of another product, in another scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Also {
    pub(super) code: &'static str,
    pub(super) name: &'static str,
    pub(super) scope: &'static str,
    pub(super) taxonomy: &'static str,
    pub(super) product: &'static str,
}

pub(super) fn all() -> impl Iterator<Item = &'static Stream> {
    [energy::STREAMS, freight::STREAMS, staff::STREAMS, purchase::STREAMS, outcome::STREAMS].into_iter().flatten()
}

const fn stream(
    code: &'static str,
    names: &'static [&'static str],
    orgs: &'static [&'static str],
    (scope, taxonomy): (&'static str, &'static str),
    rhythm: Rhythm,
) -> Stream {
    Stream {
        code,
        names,
        orgs,
        scope,
        taxonomy,
        basis: Basis::Unknown,
        rhythm,
        season: &EVEN,
        trend: 0,
        also: &[],
        remark: "",
        quality: None,
        since: FIRST_YEAR,
    }
}

impl Stream {
    /// So much of a product each time.
    const fn of(self, amount: i64, unit: &'static str, product: &'static str) -> Self {
        Self { basis: Basis::Of(product, unit, amount), ..self }
    }

    /// So many kg CO2e each time.
    const fn stated(self, kg: i64) -> Self {
        Self { basis: Basis::Stated(kg), ..self }
    }

    const fn over(self, season: &'static Season) -> Self {
        Self { season, ..self }
    }

    const fn trend(self, trend: i64) -> Self {
        Self { trend, ..self }
    }

    const fn also(self, also: &'static [Also]) -> Self {
        Self { also, ..self }
    }

    const fn remark(self, remark: &'static str) -> Self {
        Self { remark, ..self }
    }

    /// Known that well.
    const fn known(self, quality: Quality) -> Self {
        Self { quality: Some(quality), ..self }
    }

    const fn since(self, year: i32) -> Self {
        Self { since: year, ..self }
    }
}

/// Making and moving a fuel or power: scope 3.3.
const fn supply(code: &'static str, name: &'static str, product: &'static str) -> Also {
    Also { code, name, scope: "3.3", taxonomy: "energy-supply", product }
}
