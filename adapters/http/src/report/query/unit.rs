//! The unit that a report shows CO2e in.

/// The unit of CO2e in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Co2eUnit {
    Gram,
    Kilogram,
    Tonne,
}

impl Co2eUnit {
    const ALL: [Self; 3] = [Self::Gram, Self::Kilogram, Self::Tonne];

    pub(super) fn parse(code: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|unit| unit.code() == code).ok_or("is not g, kg or t")
    }

    /// The codes of all.
    pub(in crate::report) fn codes() -> Vec<&'static str> {
        Self::ALL.iter().map(|unit| unit.code()).collect()
    }

    pub(in crate::report) const fn code(self) -> &'static str {
        match self {
            Self::Gram => "g",
            Self::Kilogram => "kg",
            Self::Tonne => "t",
        }
    }

    /// By how many decimal places kilograms are shifted.
    pub(in crate::report) const fn shift(self) -> i8 {
        match self {
            Self::Gram => 3,
            Self::Kilogram => 0,
            Self::Tonne => -3,
        }
    }
}
