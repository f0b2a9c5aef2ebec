//! Reports that are broken down, out: as JSON, as a table for machines, and as one to be read.

mod figures;
mod json;
mod line;
mod page;
mod readable;
mod table;

use domain::{Total, Totals};
use ports::inbound::Breakdown;

pub use json::{breakdown_json, breakdown_lines};
pub use line::{breakdown_line_json, breakdown_line_text};
pub use page::breakdown_page;
pub use readable::{Readable, readable};
pub use table::{breakdown_sheet, breakdown_table};

/// The unit of every CO2e of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportUnit {
    /// Grams.
    Gram,
    /// Kilograms.
    #[default]
    Kilogram,
    /// Metric tonnes.
    Tonne,
}

impl ReportUnit {
    /// Every unit.
    pub const ALL: [Self; 3] = [Self::Gram, Self::Kilogram, Self::Tonne];

    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Gram => "g",
            Self::Kilogram => "kg",
            Self::Tonne => "t",
        }
    }

    /// By how many decimal places kilograms are shifted.
    #[must_use]
    pub const fn shift(self) -> i8 {
        match self {
            Self::Gram => 3,
            Self::Kilogram => 0,
            Self::Tonne => -3,
        }
    }
}

/// How the figures of a report are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The unit of every CO2e.
    pub unit: ReportUnit,
    /// To how many digits after the point amounts are rounded, half to even, each by itself, totals too; exact unless given.
    pub decimals: Option<u8>,
    /// With how many digits after the point shares and changes are shown in percent, rounded half to even; neither is shown
    /// unless given.
    pub percent_decimals: Option<u8>,
}

impl Look {
    /// The amount as it is shown.
    #[must_use]
    pub fn amount(self, total: Total) -> String {
        match self.decimals {
            Some(decimals) => total.rounded(self.unit.shift(), decimals),
            None => total.shifted(self.unit.shift()),
        }
    }

    /// How much of `whole` the part is, in percent; `None` where the whole is zero or no percentages are shown.
    #[must_use]
    pub fn percent(self, part: Total, whole: Total) -> Option<String> {
        let decimals = self.percent_decimals?;
        let parts = 100_i64.checked_mul(10_i64.checked_pow(decimals.into())?)?;
        Some(plain(part.parts_of(whole, parts)?, decimals))
    }

    /// How much of the whole's CO2e that of a row is, in percent.
    fn share(self, row: &Totals, whole: &Totals) -> Option<String> {
        self.percent(row.co2e, whole.co2e)
    }

    /// By how much CO2e changed since the period that it is compared with, in percent; `None` where it was not positive then: of
    /// removals a percentage would have the sign of the opposite.
    fn change(self, figures: &Totals, before: &Totals) -> Option<String> {
        if before.co2e > Total::ZERO { self.percent(figures.co2e - before.co2e, before.co2e) } else { None }
    }
}

/// A number over 10^`decimals` in plain notation.
fn plain(scaled: i128, decimals: u8) -> String {
    let (digits, sign) = (scaled.unsigned_abs().to_string(), if scaled < 0 { "-" } else { "" });
    let decimals = usize::from(decimals);
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// The days of a report in words.
fn days(found: &Breakdown) -> String {
    match (found.whole.first, found.whole.last) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "no activities".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn total(text: &str) -> Total {
        Total::parse(text).unwrap()
    }

    #[test]
    fn amounts_are_rounded_half_to_even_in_the_unit_that_is_shown() {
        let look = |unit, decimals| Look { unit, decimals: Some(decimals), percent_decimals: None };
        assert_eq!(look(ReportUnit::Kilogram, 1).amount(total("0.25")), "0.2");
        assert_eq!(look(ReportUnit::Tonne, 0).amount(total("2500")), "2");
        assert_eq!(look(ReportUnit::Tonne, 0).amount(total("-3500.000000000000000001")), "-4");
        assert_eq!(look(ReportUnit::Gram, 0).amount(total("0.0005")), "0");
        assert_eq!(look(ReportUnit::Kilogram, 0).amount(total("-0.5")), "0");
        assert_eq!(look(ReportUnit::Kilogram, 18).amount(total("0.000000000000000001")), "0.000000000000000001");
        assert_eq!(look(ReportUnit::Tonne, 18).amount(total("0.000000000000000001")), "0");
        assert_eq!(Look::default().amount(total("0.000000000000000001")), "0.000000000000000001");
    }

    #[test]
    fn percentages_are_of_exact_numbers_and_of_nothing_there_are_none() {
        let look = Look { percent_decimals: Some(1), ..Look::default() };
        assert_eq!(look.percent(total("1"), total("3")).as_deref(), Some("33.3"));
        assert_eq!(look.percent(total("0.0005"), total("1")).as_deref(), Some("0"));
        assert_eq!(look.percent(total("0.0015"), total("1")).as_deref(), Some("0.2"));
        assert_eq!(look.percent(total("-2"), total("3")).as_deref(), Some("-66.7"));
        assert_eq!(look.percent(total("1"), total("0")), None);
        assert_eq!(Look::default().percent(total("1"), total("3")), None);
    }

    #[test]
    fn there_is_no_percentage_of_change_since_removals_or_nothing() {
        let look = Look { percent_decimals: Some(1), ..Look::default() };
        let of = |co2e: &str| {
            let mut totals = Totals::default();
            totals.co2e = total(co2e);
            totals
        };
        assert_eq!(look.change(&of("150"), &of("100")).as_deref(), Some("50"));
        assert_eq!(look.change(&of("-50"), &of("100")).as_deref(), Some("-150"));
        assert_eq!(look.change(&of("-50"), &of("-100")), None);
        assert_eq!(look.change(&of("50"), &of("0")), None);
    }

    proptest! {
        #[test]
        fn a_rounded_amount_is_within_half_a_step(
            scaled in any::<i64>(), decimals in 0_u8..=18, unit in prop::sample::select(&ReportUnit::ALL[..]),
        ) {
            let amount = Total::from(domain::Decimal::parse(&format!("{scaled}e-18")).unwrap());
            let rounded = Look { unit, decimals: Some(decimals), percent_decimals: None }.amount(amount);
            let digits = rounded.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            prop_assert!(digits <= usize::from(decimals), "{}", rounded);
            prop_assume!(unit != ReportUnit::Tonne);
            let back = Total::parse(&rounded).unwrap();
            let exact = Total::parse(&amount.shifted(unit.shift())).unwrap();
            let off = back - exact;
            let twice = off + off;
            let step = Total::parse(&plain(1, decimals)).unwrap();
            prop_assert!(twice <= step && -twice <= step, "{} {}", rounded, exact);
        }
    }
}
