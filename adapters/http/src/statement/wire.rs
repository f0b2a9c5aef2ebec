//! What an inventory statement consists of, for the document; `files` writes it.

mod source;

use domain::{Consolidation, GasRow, ScopeKind};

use crate::breakdown::query::unit_codes;
use crate::report::parameters::attribution_words;
use crate::schema::Kind;
use crate::shape::{Member, Shape};
use source::{SCOPE2, SOURCES};

type Of = Member<(), ()>;

const COUNT: Of = Of::new("count", Kind::Integer(0, i64::MAX), "How many activities there are.").written();
const INCOMPLETE: Of =
    Of::new("incompleteCount", Kind::Integer(0, i64::MAX), "How many of them have no CO2e and add nothing.").written();
const CO2E: Of = Of::new("CO2e", Kind::Amount, "What they come to in scopes 1 to 3, scope 2 location-based.").written();
const MARKET: Of = Of::new("marketCO2e", Kind::Amount, "The same with scope 2 market-based, beside CO2e.").written();
const MARKET_AT_TIMES: Of = Of::new("marketCO2e", Kind::Amount, "The same market-based, of scope 2.").at_times();
const BIOGENIC: Of = Of::new("biogenicCO2", Kind::Amount, "Their biogenic CO2, which is in no CO2e.").written();
const EXPLANATION: Of = Of::new(
    "explanation",
    Kind::List(&Kind::Formatted("uri"), 0),
    "The addresses that give it again with the activities behind it, which together are all of it.",
)
.written();
const STATE: Of = Of::new(
    "state",
    Kind::Word(states),
    "none: no activity was recorded; incomplete: none of those recorded has CO2e. Neither is zero.",
)
.written();
static PART_KIND: Kind = Kind::Object(&PART);
const PARTS: Of = Of::new("parts", Kind::List(&PART_KIND, 0), "What it is made of, scope by scope.").written();
const SHA256: Kind = Kind::Text(64, 64);

fn states() -> Vec<&'static str> {
    vec!["recorded", "incomplete", "none"]
}

fn closed_states() -> Vec<&'static str> {
    vec!["closed", "partly", "open"]
}

fn consolidations() -> Vec<&'static str> {
    Consolidation::ALL.map(Consolidation::word).to_vec()
}

fn stated() -> Vec<&'static str> {
    vec!["consolidation", "boundary"]
}

fn scopes() -> Vec<&'static str> {
    [ScopeKind::Scope1, ScopeKind::Scope2, ScopeKind::Scope3].map(ScopeKind::as_str).to_vec()
}

fn gases() -> Vec<&'static str> {
    GasRow::ALL.map(GasRow::word).to_vec()
}

/// A statement.
pub(super) static STATEMENT: Shape<(), ()> = Shape {
    name: "Statement",
    doc: "The inventory statement of a year.",
    members: &[
        Of::new("company", Kind::Text(1, 255), "The company that reports.").written(),
        Of::new("year", Kind::Text(4, 9), "The name of the year.").written(),
        Of::new("yearStart", Kind::Text(5, 5), "The day on which years begin, MM-DD.").written(),
        Of::new("first", Kind::Date, "Its first day.").written(),
        Of::new("last", Kind::Date, "Its last day, included.").written(),
        Of::new("attribution", Kind::Word(attribution_words), "How activities and days belong together.").written(),
        Of::new("consolidation", Kind::Word(consolidations), "The approach that the company states; null: not stated.")
            .written_or_null(),
        Of::new("boundary", Kind::Text(0, 10_000), "Which operations are inside, as it states; null: not stated.")
            .written_or_null(),
        Of::new("notStated", Kind::List(&Kind::Word(stated), 2), "What the company should state and does not.")
            .written(),
        Of::new("CO2eUnit", Kind::Word(unit_codes), "The unit of every CO2e and mass.").written(),
        Of::new(
            "roundedTo",
            Kind::Integer(0, 18),
            "To how many digits after the point amounts are rounded, each by itself; null where they are exact.",
        )
        .written_or_null(),
        Of::new("revision", Kind::Object(&REVISION), "The point of history that all of it is of.").written(),
        Of::new("claim", Kind::Text(1, 1_000), "What the statement is, and what it does not claim.").written(),
        Of::new("period", Kind::Object(&CLOSED), "Whether the year is closed.").written(),
        Of::new("activities", Kind::Object(&ACTIVITIES), "All activities of the year.").written(),
        Of::new("scopes", Kind::List(&Kind::Object(&SCOPE), 3), "Scopes 1, 2 and 3.").written(),
        Of::new("scope2", Kind::Object(&SCOPE2), "Both figures of scope 2, which are never added.").written(),
        Of::new(
            "scope3",
            Kind::List(&Kind::Object(&CATEGORY), 16),
            "Scope 3 by category, 1 to 15, and what has none; they add up to scope 3.",
        )
        .written(),
        Of::new("exclusions", Kind::List(&Kind::Object(&EXCLUSION), 0), "What is left out in the year on purpose.")
            .written(),
        Of::new("gases", Kind::List(&Kind::Object(&GAS), 0), "Scope 1 and location-based scope 2, gas by gas.")
            .written(),
        Of::new("apart", Kind::Object(&APART), "What is reported apart from the scopes.").written(),
        Of::new("baseYear", Kind::Object(&BASE_YEAR), "The base year; null where none was closed as such.")
            .written_or_null(),
        Of::new("sources", Kind::Object(&SOURCES), "What the figures come from.").written(),
    ],
};

static REVISION: Shape<(), ()> = Shape {
    name: "StatementRevision",
    doc: "A point of a company's history.",
    members: &[
        Of::new("epoch", Kind::Uuid, "The epoch.").written(),
        Of::new("number", Kind::Integer(0, i64::MAX), "The number of the newest change.").written(),
    ],
};

static CLOSED: Shape<(), ()> = Shape {
    name: "StatementClosed",
    doc: "What of a year is closed.",
    members: &[
        Of::new("state", Kind::Word(closed_states), "How much of it is closed for the whole company.").written(),
        Of::new(
            "periods",
            Kind::List(&Kind::Object(&PERIOD), 0),
            "The closed periods that have a day of it, those of a part of the company too.",
        )
        .written(),
    ],
};

static EXCLUSION: Shape<(), ()> = Shape {
    name: "StatementExclusion",
    doc: "What a company leaves out on purpose. It changes no figure.",
    members: &[
        Of::new("uuid", Kind::Uuid, "Identifies it.").written(),
        Of::new("kind", Kind::Word(kinds), "The kind of scope that it is of; null: of a scope that is gone.")
            .written_or_null(),
        Of::new("category", Kind::Integer(1, 15), "The category of scope 3 that it is of; null: of none.")
            .written_or_null(),
        Of::new("scope", Kind::Object(&NODE), "The scope that is left out with all below; null: all of the category.")
            .written_or_null(),
        Of::new("org", Kind::Object(&NODE), "The org that it is left out for, with all below; null: the company.")
            .written_or_null(),
        Of::new("firstYear", Kind::Integer(1, 9_999), "The first year.").written(),
        Of::new("lastYear", Kind::Integer(1, 9_999), "The last year, included.").written(),
        Of::new("reason", Kind::Text(1, 1_000), "Why.").written(),
        EXPLANATION,
    ],
};

fn kinds() -> Vec<&'static str> {
    ScopeKind::ALL.map(ScopeKind::as_str).to_vec()
}

static NODE: Shape<(), ()> = Shape {
    name: "StatementNode",
    doc: "An org or a scope.",
    members: &[
        Of::new("uuid", Kind::Uuid, "Identifies it.").written(),
        Of::new("name", Kind::Text(1, 255), "What it is called.").written(),
    ],
};

const PERIOD_UUID: Of = Of::new("uuid", Kind::Uuid, "Identifies the period.").written();
const PERIOD_FIRST: Of = Of::new("first", Kind::Date, "Its first day.").written();
const PERIOD_LAST: Of = Of::new("last", Kind::Date, "Its last day, included.").written();
const PERIOD_ORG: Of =
    Of::new("org", Kind::Object(&NODE), "The org that it is closed for, with all below; null: the company.")
        .written_or_null();
const CLOSED_AT: Of = Of::new("closedAt", Kind::Time, "When it was closed.").written();
const CLOSED_BY: Of = Of::new("closedBy", Kind::Text(1, 255), "Who closed it.").written();
const REASON: Of = Of::new("reason", Kind::Text(1, 1_000), "Why.").written_or_null();
const DIGEST: Of = Of::new("sha256", SHA256, "The SHA-256 of its frozen report, in hexadecimal.").written();

static PERIOD: Shape<(), ()> = Shape {
    name: "StatementPeriod",
    doc: "A closed period that has a day of the year.",
    members: &[
        PERIOD_UUID,
        PERIOD_FIRST,
        PERIOD_LAST,
        PERIOD_ORG,
        CLOSED_AT,
        CLOSED_BY,
        REASON,
        DIGEST,
        EXPLANATION,
        Of::new("agrees", Kind::Flag, "Whether its frozen report is the report of today, digit for digit.").written(),
    ],
};

static ACTIVITIES: Shape<(), ()> = Shape {
    name: "StatementActivities",
    doc: "All activities of a year.",
    members: &[
        COUNT,
        INCOMPLETE,
        CO2E,
        MARKET,
        BIOGENIC,
        Of::new(
            "outdatedCount",
            Kind::Integer(0, i64::MAX),
            "How many of them have a CO2e that is outdated and counts as it is, until a recalculation is confirmed.",
        )
        .written(),
        EXPLANATION,
        Of::new("incompleteExplanation", Kind::Formatted("uri"), "Which activities have no CO2e.").written(),
    ],
};

static PART_SCOPE: Shape<(), ()> = Shape {
    name: "StatementPartScope",
    doc: "A scope that a figure is made of.",
    members: &[
        Of::new("uuid", Kind::Uuid, "Identifies it.").written(),
        Of::new("path", Kind::Text(1, 100_000), "The names from the root down to it.").written_or_null(),
    ],
};

static PART: Shape<(), ()> = Shape {
    name: "StatementPart",
    doc: "What of a figure is in one scope and those below.",
    members: &[
        Of::new("scope", Kind::Object(&PART_SCOPE), "The scope; null: activities without one.").written_or_null(),
        COUNT,
        INCOMPLETE,
        CO2E,
        MARKET_AT_TIMES,
        BIOGENIC,
        EXPLANATION,
    ],
};

static SCOPE: Shape<(), ()> = Shape {
    name: "StatementScope",
    doc: "The emissions of a scope.",
    members: &[
        Of::new("scope", Kind::Word(scopes), "Which scope.").written(),
        STATE,
        COUNT,
        INCOMPLETE,
        CO2E,
        MARKET_AT_TIMES,
        BIOGENIC,
        PARTS,
        EXPLANATION,
    ],
};

static CATEGORY: Shape<(), ()> = Shape {
    name: "StatementCategory",
    doc: "The emissions of a category of scope 3.",
    members: &[
        Of::new("category", Kind::Integer(1, 15), "Its number; null: activities of scope 3 without a category.")
            .written_or_null(),
        Of::new("name", Kind::Text(1, 255), "What the standard calls it.").written(),
        Of::new("exclusions", Kind::List(&Kind::Uuid, 0), "The exclusions of all or a part of it.").written(),
        STATE,
        COUNT,
        INCOMPLETE,
        CO2E,
        BIOGENIC,
        PARTS,
        EXPLANATION,
    ],
};

static GAS: Shape<(), ()> = Shape {
    name: "StatementGas",
    doc: "A gas in scopes 1 and 2.",
    members: &[
        Of::new("gas", Kind::Word(gases), "unspecified is CO2e of which no gas is known; CO2_biogenic is in no CO2e.")
            .written(),
        Of::new("scope1", Kind::Object(&GAS_FIGURE), "In scope 1.").written(),
        Of::new("scope2", Kind::Object(&GAS_FIGURE), "In location-based scope 2.").written(),
    ],
};

static GAS_FIGURE: Shape<(), ()> = Shape {
    name: "StatementGasFigure",
    doc: "How much of a gas. Where none is known, more of it may be in what is unspecified.",
    members: &[
        Of::new("state", Kind::Word(gas_states), "none: nothing is known of it.").written(),
        Of::new("mass", Kind::Amount, "The mass of the gas; 0 of unspecified ones.").written(),
        Of::new("CO2e", Kind::Amount, "Its CO2e.").written(),
        EXPLANATION,
    ],
};

fn gas_states() -> Vec<&'static str> {
    vec!["recorded", "none"]
}

static APART: Shape<(), ()> = Shape {
    name: "StatementApart",
    doc: "What is in no scope's CO2e, and netted with none.",
    members: &[
        Of::new("biogenicCO2", Kind::Amount, "All biogenic CO2: beside the scopes, and in nodes of that kind.")
            .written(),
        Of::new("biogenicNodes", Kind::Object(&APART_LINE), "Activities in nodes of kind biogenic.").written(),
        Of::new("credits", Kind::Object(&APART_LINE), "Activities in nodes of kind credit.").written(),
        Of::new("outside", Kind::Object(&APART_LINE), "Activities in nodes of kind outside.").written(),
        Of::new("withoutScope", Kind::Object(&APART_LINE), "Activities without a scope.").written(),
        EXPLANATION,
    ],
};

static APART_LINE: Shape<(), ()> = Shape {
    name: "StatementApartLine",
    doc: "Activities that are reported apart.",
    members: &[STATE, COUNT, INCOMPLETE, Of::new("amount", Kind::Amount, "What they come to.").written(), EXPLANATION],
};

static BASE_YEAR: Shape<(), ()> = Shape {
    name: "StatementBaseYear",
    doc: "The base year, each activity counted wholly in the year in which it begins.",
    members: &[
        PERIOD_UUID,
        PERIOD_FIRST,
        PERIOD_LAST,
        PERIOD_ORG,
        CLOSED_AT,
        CLOSED_BY,
        REASON,
        DIGEST,
        EXPLANATION,
        Of::new("state", Kind::Word(base_states), "Whether it is closed.").written(),
        Of::new("significance", Kind::Text(1, 8), "Above how many per cent a change asks for recalculation.").written(),
        Of::new("scopes", Kind::List(&Kind::Object(&BASE_SCOPE), 3), "Scopes 1, 2 and 3.").written(),
        Of::new("difference", Kind::Amount, "By how much it is more today than it was frozen.").written(),
        Of::new(
            "differenceExplanation",
            Kind::Formatted("uri"),
            "What differs and why, and whether that asks for recalculation.",
        )
        .written(),
    ],
};

fn base_states() -> Vec<&'static str> {
    vec!["closed", "reopened"]
}

static BASE_SCOPE: Shape<(), ()> = Shape {
    name: "StatementBaseScope",
    doc: "A scope in the base year, scope 2 location-based.",
    members: &[
        Of::new("scope", Kind::Word(scopes), "Which scope.").written(),
        Of::new("frozenCO2e", Kind::Amount, "As it was frozen.").written(),
        Of::new("CO2e", Kind::Amount, "As it is today.").written(),
    ],
};
