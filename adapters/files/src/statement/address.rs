//! Where a figure of a statement is explained: the question of the report that gives it again, with the activities behind it.

use domain::{Asked, Attribution, ClosedPeriodId, GasRow, StatementLine};
use ports::inbound::Statement;

/// A level of the scope tree that is below every node.
const EVERY_LEVEL: u8 = 255;

/// The addresses of a statement's explanations.
#[derive(Clone, Debug)]
pub(super) struct Addresses<'a> {
    base: &'a str,
    /// The days and how activities belong to them, as a query has them.
    days: String,
}

impl<'a> Addresses<'a> {
    pub(super) fn new(found: &Statement, base: &'a str) -> Self {
        let spread = match found.query.attribution {
            Attribution::Start => "",
            Attribution::Daily => "&attribution=daily",
        };
        Self { base, days: format!("sd={}&ed={}{spread}", found.first, found.last) }
    }

    /// The activities behind a part of a line.
    pub(super) fn of(&self, asked: Asked) -> String {
        let Self { base, days } = self;
        let question = match asked {
            Asked::Whole => String::new(),
            Asked::Below(scope) => format!("&scope={scope}"),
            Asked::At(scope) => format!("&by=scope&depth={EVERY_LEVEL}&line={scope}"),
            Asked::WithoutScope => "&uncategorized=true".to_owned(),
        };
        format!("{base}/v1/report/explanation?{days}&scope2=both{question}")
    }

    /// The activities of a line, part by part; of one without an activity the report that has none of it.
    pub(super) fn line(&self, line: &StatementLine) -> Vec<String> {
        if line.is_recorded() {
            return line.parts.iter().map(|part| self.of(part.asked)).collect();
        }
        vec![format!("{}/v1/report?{}&scope2=both&by=scope&depth={EVERY_LEVEL}", self.base, self.days)]
    }

    /// The activities behind a gas of a scope; of a gas that there is none of the report by gas.
    pub(super) fn gas(&self, gas: GasRow, line: &StatementLine) -> Vec<String> {
        let Self { base, days } = self;
        let address = |asked| match asked {
            Asked::Below(scope) => {
                Some(format!("{base}/v1/report/explanation?{days}&by=gas&scope={scope}&line={}", gas.word()))
            }
            Asked::Whole | Asked::At(_) | Asked::WithoutScope => None,
        };
        let found: Vec<String> = line.parts.iter().filter_map(|part| address(part.asked)).collect();
        if found.is_empty() { vec![format!("{base}/v1/report?{days}&by=scope,gas")] } else { found }
    }

    /// The activities without CO2e.
    pub(super) fn incomplete(&self) -> String {
        format!("{}/v1/report/explanation?{}&incomplete=true", self.base, self.days)
    }

    /// The frozen report of a period, byte for byte.
    pub(super) fn frozen(&self, period: ClosedPeriodId) -> String {
        format!("{}/v1/period/{period}/report", self.base)
    }

    /// The base year against what it is today.
    pub(super) fn base_year(&self) -> String {
        format!("{}/v1/base-year", self.base)
    }
}
