//! The figures of a row, in the order that every form has them.

use domain::Totals;

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
        name: "CO2e",
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
        name: "biogenicCO2",
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
