//! Figures: exact decimals from text to text, in the form of the viewer's numbers. None is ever a binary float.

use std::fmt;
use std::rc::Rc;

use domain::Total;
use files::{Look, ReportUnit};
use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_decimal::options::DecimalFormatterOptions;
use maud::{Markup, html};

use crate::viewer::Locale;

/// The form of a viewer's numbers.
#[derive(Clone)]
pub struct Numbers(Option<Rc<DecimalFormatter>>);

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Numbers").finish_non_exhaustive()
    }
}

impl Numbers {
    /// That of the locale.
    #[must_use]
    pub fn new(locale: &Locale) -> Self {
        Self(
            DecimalFormatter::try_new(locale.icu().clone().into(), DecimalFormatterOptions::default())
                .ok()
                .map(Rc::new),
        )
    }

    /// A number in plain notation, in the viewer's form: each digit of it, and no other.
    #[must_use]
    pub fn plain(&self, text: &str) -> String {
        self.padded(text, 0)
    }

    /// The same with zeros up to so many digits after the point.
    #[must_use]
    pub fn padded(&self, text: &str, decimals: u8) -> String {
        let Ok(mut number) = text.parse::<Decimal>() else { return text.to_owned() };
        number.pad_end(-i16::from(decimals));
        let shown = match &self.0 {
            Some(formatter) => formatter.format(&number).to_string(),
            None => number.to_string(),
        };
        // The sign for less than nothing, as wide as a plus; files have the one of the keyboard.
        shown.replace('-', "\u{2212}")
    }

    /// A number of things.
    #[must_use]
    pub fn count(&self, count: impl fmt::Display) -> String {
        self.plain(&count.to_string())
    }

    /// A number of things with their name, which is another for one thing than for several or none.
    #[must_use]
    pub fn counted(&self, count: impl fmt::Display, one: &str, several: &str) -> String {
        let text = count.to_string();
        format!("{} {}", self.plain(&text), if text == "1" { one } else { several })
    }

    /// How much of `whole` the part is, in percent with one digit after the point; `None` where the whole is not positive.
    #[must_use]
    pub fn percent(&self, part: Total, whole: Total) -> Option<String> {
        let look = Look { percent_decimals: Some(1), ..Look::default() };
        if whole > Total::ZERO {
            look.percent(part, whole).map(|text| format!("{}\u{a0}%", self.padded(&text, 1)))
        } else {
            None
        }
    }

    /// By how much it changed since `before`, in percent with its sign; `None` where that was not positive.
    #[must_use]
    pub fn change(&self, now: Total, before: Total) -> Option<String> {
        let difference = now - before;
        let text = self.percent(difference, before)?;
        Some(if difference > Total::ZERO { format!("+{text}") } else { text })
    }
}

/// How many digits of amounts are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// As many after the point as the table's largest amount asks for.
    #[default]
    Fixed,
    /// All of them.
    All,
}

impl Digits {
    /// Takes `digits=all` from an address.
    pub fn take(params: &mut crate::Params) -> Self {
        params.word("digits", &[("all", Self::All)]).unwrap_or_default()
    }

    /// Its word in an address, where it is not the default.
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Fixed => None,
            Self::All => Some("all"),
        }
    }
}

/// How the amounts of one table are shown: all in one unit, with one number of digits after the point.
#[derive(Clone, Debug)]
pub struct Figures {
    numbers: Numbers,
    unit: ReportUnit,
    digits: Digits,
    decimals: u8,
}

impl Figures {
    /// That of a table with those amounts, in kg: the unit in which the largest is a handy number.
    #[must_use]
    pub fn of(numbers: Numbers, digits: Digits, amounts: impl IntoIterator<Item = Total>) -> Self {
        let size = |total: Total| if total < Total::ZERO { -total } else { total };
        let largest = amounts.into_iter().map(size).max().unwrap_or_default();
        let unit = match integer_digits(largest, 0) {
            0 if largest.is_zero() => ReportUnit::Kilogram,
            0 => ReportUnit::Gram,
            1..=3 => ReportUnit::Kilogram,
            _ => ReportUnit::Tonne,
        };
        let decimals =
            u8::try_from(5_usize.saturating_sub(integer_digits(largest, unit.shift()))).unwrap_or(0).clamp(1, 4);
        Self { numbers, unit, digits, decimals }
    }

    /// The unit, as it is written behind amounts.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        self.unit.code()
    }

    /// The unit with what it is of, for a heading.
    #[must_use]
    pub fn heading(&self) -> String {
        format!("{} CO\u{2082}e", self.unit())
    }

    /// The form of the viewer's numbers.
    #[must_use]
    pub const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The amount as text. A zero is `0`; what comes to one only by rounding has digits after the point.
    #[must_use]
    pub fn text(&self, amount: Total) -> String {
        match self.digits {
            _ if amount.is_zero() => "0".to_owned(),
            Digits::All => self.numbers.plain(&amount.shifted(self.unit.shift())),
            Digits::Fixed => self.numbers.padded(&amount.rounded(self.unit.shift(), self.decimals), self.decimals),
        }
    }

    /// The amount, which tells its exact number of kg to whoever points at it or copies it.
    #[must_use]
    pub fn amount(&self, amount: Total) -> Markup {
        html! { data value=(amount) title=(self.exact(amount)) { (self.text(amount)) } }
    }

    /// The amount with its unit.
    #[must_use]
    pub fn with_unit(&self, amount: Total) -> Markup {
        html! { (self.amount(amount)) "\u{a0}" (self.unit()) }
    }

    /// The amount at a line of a scale, where round numbers are.
    #[must_use]
    pub fn tick(&self, amount: Total) -> String {
        self.numbers.plain(&amount.shifted(self.unit.shift()))
    }

    /// The exact number of kg, in words.
    #[must_use]
    pub fn exact(&self, amount: Total) -> String {
        format!("exactly {} kg", self.numbers.plain(&amount.to_string()))
    }
}

/// How many digits are before the point of the amount times 10^`shift`; none of one below 1.
fn integer_digits(amount: Total, shift: i8) -> usize {
    let text = amount.shifted(shift);
    let whole = text.split('.').next().unwrap_or("").trim_start_matches('0');
    whole.len()
}
