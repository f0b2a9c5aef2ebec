//! The scale of an axis: round steps from below the smallest to above the largest amount.

use domain::Total;

/// A scale with about four steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    bottom: Total,
    top: Total,
    step: Total,
}

impl Scale {
    /// One that has room for those amounts, and for zero.
    #[must_use]
    pub fn of(amounts: impl IntoIterator<Item = Total>) -> Self {
        let (mut bottom, mut top) = (Total::ZERO, Total::ZERO);
        for amount in amounts {
            bottom = bottom.min(amount);
            top = top.max(amount);
        }
        let (least, most, step) = (bottom, top, step(top - bottom));
        (bottom, top) = (Total::ZERO, Total::ZERO);
        while bottom > least {
            bottom -= step;
        }
        while top < most || top == bottom {
            top += step;
        }
        Self { bottom, top, step }
    }

    /// How far above the bottom the amount is, where the whole scale is that high.
    #[must_use]
    pub fn height(&self, amount: Total, of: i64) -> i64 {
        let parts = (amount - self.bottom).parts_of(self.top - self.bottom, of);
        parts.and_then(|parts| i64::try_from(parts).ok()).unwrap_or(0).clamp(0, of)
    }

    /// The amounts at which a line is drawn, from the bottom up.
    #[must_use]
    pub fn ticks(&self) -> Vec<Total> {
        let mut ticks = vec![self.bottom];
        while let Some(last) = ticks.last().copied().filter(|last| *last < self.top) {
            ticks.push(last + self.step);
        }
        ticks
    }
}

/// The smallest of 1, 2 and 5 times a power of ten of which four make up the range.
fn step(range: Total) -> Total {
    for power in -18_i8..=60 {
        for digit in ["1", "2", "5"] {
            let step = Total::parse(digit).unwrap_or_default().shifted(power);
            let Some(step) = Total::parse(&step).ok().filter(|step| !step.is_zero()) else { continue };
            if step.times(4) >= range {
                return step;
            }
        }
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(amounts: &[&str]) -> Vec<String> {
        let amounts = amounts.iter().map(|text| Total::parse(text).unwrap());
        Scale::of(amounts).ticks().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn steps_are_round_and_hold_every_amount() {
        assert_eq!(ticks(&["873.2", "12"]), ["0", "500", "1000"]);
        assert_eq!(ticks(&["0.0031"]), ["0", "0.001", "0.002", "0.003", "0.004"]);
        assert_eq!(ticks(&["-30", "90"]), ["-50", "0", "50", "100"]);
        assert_eq!(ticks(&[]).len(), 2);
    }

    #[test]
    fn heights_are_parts_of_the_scale() {
        let scale = Scale::of([Total::parse("100").unwrap()]);
        assert_eq!((scale.height(Total::parse("25").unwrap(), 1_000), scale.height(Total::ZERO, 1_000)), (250, 0));
    }
}
