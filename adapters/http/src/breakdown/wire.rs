//! What a report that is broken down consists of, for the document; `files` writes it.

use domain::{GasRow, QualityRow};

use super::query::unit_codes;
use crate::report::parameters::{attribution_words, scope2_words};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

type Of = Member<(), ()>;

const COUNT: Of = Of::new("count", Kind::Integer(0, i64::MAX), "How many activities there are.").written();
const INCOMPLETE: Of =
    Of::new("incompleteCount", Kind::Integer(0, i64::MAX), "How many of them have no CO2e and add nothing.").written();
const OUTDATED: Of = Of::new(
    "outdatedCount",
    Kind::Integer(0, i64::MAX),
    "How many of them have a CO2e that is outdated and counts as it is, until a recalculation is confirmed.",
)
.written();
const CO2E: Of = Of::new("CO2e", Kind::Amount, "Total of the activities in scopes 1 to 3.").written();
const UNCATEGORIZED: Of =
    Of::new("uncategorizedCO2e", Kind::Amount, "Total of the activities without a scope.").written();
const BIOGENIC: Of = Of::new(
    "biogenicCO2",
    Kind::Amount,
    "Biogenic CO2: of activities in nodes of kind biogenic, and beside the CO2e of all others.",
)
.written();
const CREDITS: Of = Of::new("creditsCO2e", Kind::Amount, "Total of the activities in nodes of kind credit.").written();
const OUTSIDE: Of = Of::new("outsideCO2e", Kind::Amount, "Total of the activities in nodes of kind outside.").written();
const START: Of =
    Of::new("startDate", Kind::Time, "The first instant of the period; null where there is none.").written_or_null();
const END: Of =
    Of::new("endDate", Kind::Time, "The last second of the period; null where there is none.").written_or_null();
const DIFFERENCE: Of = Of::new("difference", Kind::Amount, "CO2e less that of what it is compared with.").at_times();
const CHANGE: Of = Of::new(
    "change",
    Kind::Amount,
    "The difference in percent of what it is compared with, rounded; null where that is not positive.",
)
.at_times_or_null();
const DECIMALS: Kind = Kind::Integer(0, 18);

const fn stretch(name: &'static str) -> Of {
    Of::new(name, Kind::Text(4, 12), "The stretch of time, where rows are about one.").at_times()
}

const fn record(name: &'static str) -> Of {
    Of::new(name, Kind::Object(&LABEL), "The record, where rows are about one; null for activities without.")
        .at_times_or_null()
}

/// The report.
pub(super) static BREAKDOWN: Shape<(), ()> = Shape {
    name: "Breakdown",
    doc: "What activities add up to, in rows.",
    members: &[
        COUNT,
        INCOMPLETE,
        OUTDATED,
        CO2E,
        UNCATEGORIZED,
        BIOGENIC,
        CREDITS,
        OUTSIDE,
        Of::new("queryString", Kind::Text(0, 8_192), "The query string that asked for it.").written(),
        START,
        END,
        Of::new("attribution", Kind::Word(attribution_words), "How activities and days belong together.").written(),
        Of::new("scope2", Kind::Word(scope2_words), "Which figures of scope 2 CO2e has; location of both.").written(),
        MARKET,
        Of::new("scope2InstrumentCO2e", Kind::Amount, "What of market-based scope 2 rests on instruments.").at_times(),
        Of::new("scope2ResidualCO2e", Kind::Amount, "What of it rests on a residual mix.").at_times(),
        Of::new(
            "scope2LocationCO2e",
            Kind::Amount,
            "What of it rests on location-based factors, for want of both.",
        )
        .at_times(),
        Of::new("CO2eUnit", Kind::Word(unit_codes), "The unit of every CO2e.").written(),
        Of::new("by", Kind::List(&Kind::Text(3, 8), 2), "What a row is about.").written(),
        Of::new("depth", Kind::Integer(1, 255), "How many levels of a tree are told apart.").written(),
        Of::new("yearStart", Kind::Text(5, 5), "The day on which years begin, MM-DD.").written(),
        Of::new(
            "roundedTo",
            DECIMALS,
            "To how many digits after the point amounts are rounded, each by itself: rounded rows need not add up to the \
             rounded total. null where they are exact.",
        )
        .written_or_null(),
        Of::new("percentRoundedTo", DECIMALS, "With how many digits percentages are shown; null where there are none.")
            .written_or_null(),
        Of::new("compared", Kind::Object(&PERIOD), "The period that it is compared with, or null.").written_or_null(),
        DIFFERENCE,
        CHANGE,
        Of::new("rows", Kind::List(&Kind::Object(&ROW), 0), "The rows, which add up to the totals.").written(),
    ],
};

static FIGURES: Shape<(), ()> = Shape {
    name: "BreakdownFigures",
    doc: "What activities add up to.",
    members: &[
        COUNT,
        INCOMPLETE,
        CO2E,
        UNCATEGORIZED,
        BIOGENIC,
        CREDITS,
        OUTSIDE,
        MARKET,
        Of::new("mass", Kind::Amount, "The mass of the gas, of a line about one, in the unit of CO2e.").at_times(),
    ],
};

static PERIOD: Shape<(), ()> = Shape {
    name: "BreakdownPeriod",
    doc: "What the activities of a period add up to.",
    members: &[COUNT, INCOMPLETE, OUTDATED, CO2E, UNCATEGORIZED, BIOGENIC, CREDITS, OUTSIDE, START, END],
};

static ROW: Shape<(), ()> = Shape {
    name: "BreakdownRow",
    doc: "What the activities of a row add up to.",
    members: &[
        stretch("day"),
        stretch("month"),
        stretch("quarter"),
        stretch("year"),
        record("scope"),
        record("org"),
        record("taxonomy"),
        record("product"),
        GAS,
        QUALITY,
        ROW_COUNT,
        ROW_INCOMPLETE,
        CO2E,
        UNCATEGORIZED,
        BIOGENIC.at_times(),
        CREDITS,
        OUTSIDE,
        MARKET,
        Of::new(
            "mass",
            Kind::Amount,
            "The mass of the gas, in rows about gases, in the unit of CO2e; that of unspecified gases is 0.",
        )
        .at_times(),
        Of::new("share", Kind::Amount, "Its CO2e in percent of the total, rounded; null where that is zero.")
            .at_times_or_null(),
        Of::new("compared", Kind::Object(&COMPARED), "What those that it is compared with add up to.").at_times(),
        DIFFERENCE,
        CHANGE,
        Of::new("CO2eUnit", Kind::Word(unit_codes), "The unit of every CO2e, in rows that stand alone.").at_times(),
    ],
};

static LABEL: Shape<(), ()> = Shape {
    name: "BreakdownLabel",
    doc: "A record that a row is about.",
    members: &[
        Of::new("uuid", Kind::Uuid, "Identifies it.").written(),
        Of::new("name", Kind::Text(1, 255), "What it is called.").written(),
        Of::new("path", Kind::Text(1, 100_000), "The names from the root of its tree down to it.").written(),
    ],
};

/// A line of the report with its activities.
pub(super) static LINE: Shape<(), ()> = Shape {
    name: "ReportLine",
    doc: "Which activities a line of the report is made of.",
    members: &[
        Of::new("line", Kind::Object(&LINE_LABELS), "What the row is about; null of the whole.").written_or_null(),
        Of::new("CO2eUnit", Kind::Word(unit_codes), "The unit of every CO2e.").written(),
        Of::new("shown", Kind::Object(&FIGURES), "What the report says.").written(),
        Of::new("recomputed", Kind::Object(&FIGURES), "What its activities come to, added up one by one.").written(),
        Of::new("agrees", Kind::Flag, "Whether both are the same, digit for digit.").written(),
        Of::new("count", Kind::Integer(0, i64::MAX), "How many activities the line is made of.").written(),
        Of::new("page", Kind::Integer(1, i64::MAX), "The number of the page, from 1.").written(),
        Of::new("pageSize", Kind::Integer(1, 1_000), "How many activities a page holds.").written(),
        Of::new("data", Kind::List(&Kind::Object(&LINE_ACTIVITY), 1_000), "The activities, by their day.").written(),
    ],
};

static LINE_LABELS: Shape<(), ()> = Shape {
    name: "ReportLineLabels",
    doc: "What a row is about.",
    members: &[
        stretch("day"),
        stretch("month"),
        stretch("quarter"),
        stretch("year"),
        record("scope"),
        record("org"),
        record("taxonomy"),
        record("product"),
        GAS,
        QUALITY,
    ],
};

static LINE_ACTIVITY: Shape<(), ()> = Shape {
    name: "ReportLineActivity",
    doc: "An activity in a line.",
    members: &[
        Of::new("uuid", Kind::Uuid, "The activity.").written(),
        Of::new("name", Kind::Text(1, 255), "What it is called.").written(),
        Of::new("day", Kind::Date, "Its first day.").written(),
        Of::new("CO2e", Kind::Amount, "Its stored CO2e; null where it has none.").written_or_null(),
        Of::new("adds", Kind::Amount, "What it adds to the line: less than all where it is spread over its days.")
            .written(),
        Of::new("explanation", Kind::Formatted("uri"), "The address of its explanation.").written(),
    ],
};

/// What the row that a row is compared with adds up to.
static COMPARED: Shape<(), ()> = Shape {
    name: "BreakdownCompared",
    doc: "What the activities that a row is compared with add up to.",
    members: &[
        ROW_COUNT,
        ROW_INCOMPLETE,
        CO2E,
        UNCATEGORIZED,
        BIOGENIC.at_times(),
        CREDITS,
        OUTSIDE,
        MARKET,
        Of::new("mass", Kind::Amount, "The mass of the gas, in rows about gases.").at_times(),
    ],
};

const ROW_COUNT: Of =
    Of::new("count", Kind::Integer(0, i64::MAX), "How many activities there are; not in rows about gases or quality.")
        .at_times();

const ROW_INCOMPLETE: Of = Of::new(
    "incompleteCount",
    Kind::Integer(0, i64::MAX),
    "How many of them have no CO2e and add nothing; not in rows about gases or quality.",
)
.at_times();

const MARKET: Of = Of::new(
    "marketCO2e",
    Kind::Amount,
    "Total in scopes 1 to 3 with scope 2 market-based, beside CO2e, with scope2=both.",
)
.at_times();

const GAS: Of = Of::new(
    "gas",
    Kind::Word(gas_words),
    "The gas, where rows are about one: unspecified is CO2e of which no gas is known; CO2_biogenic is in no CO2e.",
)
.at_times();

fn gas_words() -> Vec<&'static str> {
    GasRow::ALL.map(GasRow::word).to_vec()
}

const QUALITY: Of = Of::new(
    "quality",
    Kind::Word(quality_words),
    "How well the CO2e is known, where rows are about that: notStated is that of activities that say nothing of it.",
)
.at_times();

fn quality_words() -> Vec<&'static str> {
    QualityRow::ALL.map(QualityRow::word).to_vec()
}
