//! The figures of a row, in the order that every form has them.

use domain::{Scope2, Totals};
use ports::inbound::{BreakdownBy, BreakdownQuery};

use super::Look;

/// A figure of a row or a whole.
pub(super) struct Figure {
    /// Its name in JSON and in tables.
    pub(super) name: &'static str,
    /// Its name beside the figures that it is compared with.
    pub(super) compared: &'static str,
    /// Its heading in a table to be read; of amounts before their unit.
    pub(super) heading: &'static str,
    pub(super) show: fn(&Totals, Look) -> String,
    pub(super) kind: FigureKind,
    /// Whether a table to be read has it though every row says zero.
    pub(super) always: bool,
}

/// What sort of figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FigureKind {
    Count,
    Amount,
}

/// The name of the figure that bars and shares are of.
pub(super) const CO2E: &str = "CO2e";

/// The name of biogenic CO2.
const BIOGENIC: &str = "biogenicCO2";

/// The figures of the rows of a report. Of single gases their mass, and no number of activities, as one of them is in several
/// rows; with both figures of scope 2 the one beside the other. Quality is that of CO2e: of biogenic CO2 and of the number of
/// activities it is not known.
pub(super) fn figures_of(query: &BreakdownQuery) -> impl Iterator<Item = &'static Figure> {
    let is_by_gas = query.by.contains(&BreakdownBy::Gas);
    let is_by_quality = query.by.contains(&BreakdownBy::Quality);
    let has_both = query.scope2 == Scope2::Both;
    let figures = FIGURES.iter().chain(has_both.then_some(&MARKET)).chain(is_by_gas.then_some(&MASS));
    figures.filter(move |one| {
        let is_count = one.kind == FigureKind::Count;
        !(is_count && (is_by_gas || is_by_quality) || one.name == BIOGENIC && is_by_quality)
    })
}

/// CO2e with scope 2 market-based, beside the location-based one.
pub(super) static MARKET: Figure = Figure {
    name: "marketCO2e",
    compared: "comparedMarketCO2e",
    heading: "market-based CO2e",
    show: |totals, look| look.amount(totals.market_co2e()),
    kind: FigureKind::Amount,
    always: true,
};

/// The mass of a gas. Masses of several gases are never added.
pub(super) static MASS: Figure = Figure {
    name: "mass",
    compared: "comparedMass",
    heading: "mass of the gas",
    show: |totals, look| look.amount(totals.mass),
    kind: FigureKind::Amount,
    always: true,
};

pub(super) static FIGURES: [Figure; 7] = [
    Figure {
        name: "count",
        compared: "comparedCount",
        heading: "activities",
        show: |totals, _| totals.count.to_string(),
        kind: FigureKind::Count,
        always: true,
    },
    Figure {
        name: "incompleteCount",
        compared: "comparedIncompleteCount",
        heading: "without CO2e",
        show: |totals, _| totals.incomplete.to_string(),
        kind: FigureKind::Count,
        always: false,
    },
    Figure {
        name: CO2E,
        compared: "comparedCO2e",
        heading: "CO2e",
        show: |totals, look| look.amount(totals.co2e),
        kind: FigureKind::Amount,
        always: true,
    },
    Figure {
        name: "uncategorizedCO2e",
        compared: "comparedUncategorizedCO2e",
        heading: "uncategorised",
        show: |totals, look| look.amount(totals.uncategorized),
        kind: FigureKind::Amount,
        always: false,
    },
    Figure {
        name: BIOGENIC,
        compared: "comparedBiogenicCO2",
        heading: "biogenic CO2",
        show: |totals, look| look.amount(totals.biogenic),
        kind: FigureKind::Amount,
        always: false,
    },
    Figure {
        name: "creditsCO2e",
        compared: "comparedCreditsCO2e",
        heading: "credits",
        show: |totals, look| look.amount(totals.credits),
        kind: FigureKind::Amount,
        always: false,
    },
    Figure {
        name: "outsideCO2e",
        compared: "comparedOutsideCO2e",
        heading: "outside",
        show: |totals, look| look.amount(totals.outside),
        kind: FigureKind::Amount,
        always: false,
    },
];
