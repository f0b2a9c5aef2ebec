//! What a multiplication comes to before it is rounded.

use std::fmt;

use crate::amount::decimal::{Decimal, FRACTION_DIGITS, SCALE};
use crate::amount::wide::Wide;
use crate::amount::wide::digits::long_division;
use crate::amount::{Co2e, Intensity, Quantity, plain, round};
use crate::unit::Ratio;

/// How many digits after the point an exact product of two amounts has at most.
const PLACES: usize = 2 * FRACTION_DIGITS as usize;
/// How many digits beyond those a quotient is looked at for its end.
const FURTHER: usize = 60;
/// How many digits after the point are written of one that does not end there.
const CUT: usize = 30;

/// An exact number: a decimal of any length over a whole one. Nothing of it is rounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The decimal times 10^36.
    top: Wide,
    bottom: i128,
}

impl Exact {
    /// A quantity, counted in another unit by that ratio, times an intensity.
    #[must_use]
    pub fn product(quantity: Quantity, conversion: Ratio, intensity: Intensity) -> Self {
        let [quantity, intensity] = [quantity.decimal(), intensity.decimal()].map(|one| Wide::from(one.scaled()));
        Self { top: &(&quantity * &intensity) * &conversion.numerator().into(), bottom: conversion.denominator() }
    }

    /// The decimal above the line, every digit of it.
    #[must_use]
    pub fn numerator(&self) -> String {
        self.signed(&plain::text(&self.top.digits(), PLACES, 0))
    }

    /// What is below the line: one where the number is a decimal.
    #[must_use]
    pub const fn denominator(&self) -> i128 {
        self.bottom
    }

    /// The digits of the number, and whether these are all; one that does not end is cut, not rounded.
    #[must_use]
    pub fn digits(&self) -> (String, bool) {
        let (whole, fraction, ends) = long_division(&self.top.digits(), self.bottom.unsigned_abs(), FURTHER);
        let text = plain::text(&format!("{whole}{fraction}"), PLACES + fraction.len(), 0);
        let cut = text.find('.').map_or(text.len(), |point| (point + 1 + CUT).min(text.len()));
        (self.signed(if ends { &text } else { &text[..cut] }), ends)
    }

    /// The number rounded half to even, once, at the 18th digit after the point; `None` beyond 20 integer digits.
    #[must_use]
    pub fn rounded(&self) -> Option<Co2e> {
        let bottom = &Wide::from(self.bottom) * &Wide::from(SCALE);
        round::wide_quotient(&self.top, &bottom).and_then(Decimal::from_wide).map(Co2e::new)
    }

    fn signed(&self, magnitude: &str) -> String {
        if self.top.is_negative() { format!("-{magnitude}") } else { magnitude.to_owned() }
    }
}

impl fmt::Display for Exact {
    /// The digits of the number; `...` behind those of one that does not end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (digits, ends) = self.digits();
        f.write_str(&digits)?;
        if ends { Ok(()) } else { f.write_str("...") }
    }
}
