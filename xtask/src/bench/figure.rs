//! A measured figure with its goal, its floor and its peer.

use anyhow::Result;

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    RowsPerSecond,
    PerSecond,
    MegabytesPerSecond,
    Millis,
    Seconds,
    Megabytes,
    Mebibytes,
    BytesPerRow,
    Times,
    Ratio,
}

impl Unit {
    /// The value with its unit, to three digits or so.
    pub(super) fn shown(self, value: f64) -> String {
        let number = match value.abs() {
            below if below < 0.1 => format!("{value:.4}"),
            below if below < 10.0 => format!("{value:.2}"),
            below if below < 100.0 => format!("{value:.1}"),
            _ => grouped(&format!("{value:.0}")),
        };
        match self {
            Self::RowsPerSecond => number + " rows/s",
            Self::PerSecond => number + "/s",
            Self::MegabytesPerSecond => number + " MB/s",
            Self::Millis => number + " ms",
            Self::Seconds => number + " s",
            Self::Megabytes => number + " MB",
            Self::Mebibytes => number + " MiB",
            Self::BytesPerRow => number + " B/row",
            Self::Times => format!("{value:.0} times"),
            Self::Ratio => number,
        }
    }
}

/// Commas between groups of three digits.
fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a figure must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// It is measured for what it says about the others.
    Open,
}

/// A value to compare with, or why there is none.
pub(super) type Reading = std::result::Result<f64, String>;

/// A figure of the table.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) what: String,
    pub(super) unit: Unit,
    pub(super) measured: Reading,
    pub(super) goal: Goal,
    /// The same work without what the program does beside it.
    pub(super) floor: Option<Reading>,
    /// What another program takes for the same question, with its name.
    pub(super) peer: Option<(&'static str, Reading)>,
}

impl Figure {
    /// A figure that was measured, or why it was not.
    pub(super) fn new(what: impl Into<String>, unit: Unit, measured: Result<f64>) -> Self {
        Self { what: what.into(), unit, measured: reading(measured), goal: Goal::Open, floor: None, peer: None }
    }

    pub(super) const fn goal(mut self, goal: Goal) -> Self {
        self.goal = goal;
        self
    }

    pub(super) fn floor(mut self, floor: Result<f64>) -> Self {
        self.floor = Some(reading(floor));
        self
    }

    pub(super) fn peer(mut self, name: &'static str, peer: Result<f64>) -> Self {
        self.peer = Some((name, reading(peer)));
        self
    }

    /// Whether it reached its goal, where it has one.
    pub(super) fn reached(&self) -> Option<bool> {
        match (&self.measured, self.goal) {
            (Err(_), _) => Some(false),
            (_, Goal::Open) => None,
            (Ok(value), Goal::AtLeast(bound)) => Some(*value >= bound),
            (Ok(value), Goal::AtMost(bound)) => Some(*value <= bound),
        }
    }

    /// The figure divided by the other one.
    pub(super) fn ratio(&self, other: &Reading) -> Option<f64> {
        let (measured, other) = (self.measured.as_ref().ok()?, other.as_ref().ok()?);
        (*other > 0.0).then(|| measured / other)
    }
}

fn reading(value: Result<f64>) -> Reading {
    // One line, however the cause was told.
    value.map_err(|error| format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "/"))
}

/// A count as a number to calculate with.
pub(super) fn number(count: impl TryInto<u64>) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a measured count, shown to three digits")]
    let number = count.try_into().unwrap_or(u64::MAX) as f64;
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_with_its_unit_to_three_digits() {
        assert_eq!(Unit::RowsPerSecond.shown(1_234_567.8), "1,234,568 rows/s");
        assert_eq!(Unit::PerSecond.shown(999.6), "1,000/s");
        assert_eq!(Unit::Millis.shown(0.804), "0.80 ms");
        assert_eq!(Unit::Seconds.shown(12.345), "12.3 s");
        assert_eq!(Unit::Mebibytes.shown(-256.0), "-256 MiB");
    }

    #[test]
    fn a_goal_is_reached_at_its_bound() {
        let figure = |value, goal| Figure::new("a", Unit::Millis, Ok(value)).goal(goal).reached();
        assert_eq!(figure(1.0, Goal::AtMost(1.0)), Some(true));
        assert_eq!(figure(1.1, Goal::AtMost(1.0)), Some(false));
        assert_eq!(figure(1.0, Goal::AtLeast(1.0)), Some(true));
        assert_eq!(figure(0.9, Goal::AtLeast(1.0)), Some(false));
        assert_eq!(figure(0.9, Goal::Open), None);
    }

    #[test]
    fn what_could_not_be_measured_misses_its_goal() {
        let figure = Figure::new("a", Unit::Millis, Err(anyhow::anyhow!("it\nfailed"))).goal(Goal::AtMost(1.0));
        assert_eq!(figure.reached(), Some(false));
        assert_eq!(figure.measured, Err("it failed".to_owned()));
        assert_eq!(figure.ratio(&Ok(1.0)), None);
    }
}
