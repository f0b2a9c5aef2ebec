//! Parameters that several answers have: the days, how activities belong to them, how tables are written.

use domain::{Attribution, Day, FaultCode, Period, Scope2, Timestamp, YearStart, parse_uuid};
use files::{ByteOrderMark, Cells};
use ports::inbound::{Only, State};

use crate::query::Query;
use crate::request_part::Parameter;
use crate::schema::Kind;

/// How activities and days belong together, by words.
const ATTRIBUTIONS: [(&str, Attribution); 2] = [("start", Attribution::Start), ("daily", Attribution::Daily)];

/// The words for how activities and days belong together.
pub(crate) fn attribution_words() -> Vec<&'static str> {
    ATTRIBUTIONS.iter().map(|(word, _)| *word).collect()
}

/// The word for how activities and days belong together.
pub(crate) fn attribution_word(attribution: Attribution) -> &'static str {
    ATTRIBUTIONS.iter().find(|(_, one)| *one == attribution).map_or("", |(word, _)| word)
}

/// The words for how cells are written.
pub(crate) fn cells_words() -> Vec<&'static str> {
    vec!["text"]
}

/// The words for which figures of scope 2 count.
pub(crate) fn scope2_words() -> Vec<&'static str> {
    Scope2::ALL.iter().map(|(word, _)| *word).collect()
}

/// The parameter that says which figures of scope 2 count.
pub(crate) fn scope2_parameter() -> Parameter {
    Parameter::query(
        "scope2",
        Kind::Word(scope2_words),
        "location: scope 2 by where energy is used; market: by instruments, else the residual mix, else by location; both: the \
         one beside the other, never added. location unless given.",
    )
}

/// How the cells of CSV are to be written.
pub(crate) fn cells(query: &mut Query) -> Cells {
    let cells = query.read("cells", |word| if word == "text" { Ok(Cells::Text) } else { Err("is not text") });
    cells.unwrap_or_default()
}

/// Whether CSV is to begin with a byte-order mark.
pub(crate) fn mark(query: &mut Query) -> ByteOrderMark {
    if query.flag("bom") { ByteOrderMark::Written } else { ByteOrderMark::Absent }
}

/// The parameter that says so.
pub(crate) const BOM: Parameter = Parameter::query("bom", Kind::Flag, "true: CSV begins with a byte-order mark.");

/// The parameter that says how the cells of CSV are to be written.
pub(crate) const CELLS: Parameter = Parameter::query(
    "cells",
    Kind::Word(cells_words),
    "text: in CSV, a text that a spreadsheet would take for a formula has an apostrophe before it; verbatim unless given.",
);

/// The parameters that say which single activities.
pub(crate) const ONLY: [Parameter; 5] = [
    Parameter::query("product", Kind::Uuid, "Only activities of this product."),
    Parameter::query("name", Kind::Text(1, 255), "Only activities with that text in their name, whatever the case."),
    Parameter::query("updatedSince", Kind::Time, "Only activities that were added or changed since then."),
    Parameter::query("incomplete", Kind::Flag, "true: only activities without CO2e."),
    Parameter::query("uncategorized", Kind::Flag, "true: only activities without a scope."),
];

/// Which single activities are asked for.
pub(crate) fn only(query: &mut Query) -> Only {
    let states = [("incomplete", State::Incomplete), ("uncategorized", State::Uncategorized)];
    Only {
        product: query.read("product", parse_uuid).map(|id| id.to_string()),
        name: query.take("name"),
        updated_since: query.read("updatedSince", Timestamp::parse),
        states: states.into_iter().filter(|(name, _)| query.flag(name)).map(|(_, state)| state).collect(),
    }
}

/// How activities and days belong together.
pub(crate) fn attribution(word: &str) -> Result<Attribution, &'static str> {
    ATTRIBUTIONS.iter().find(|(one, _)| *one == word).map(|(_, found)| *found).ok_or("is not start or daily")
}

/// The period that is asked for.
pub(crate) fn period(query: &mut Query) -> Period {
    let read = |text: &str| {
        let period = YearStart::default().period(text);
        period.map_err(|_| "is not a day, month, quarter or year of the calendar: YYYY-MM-DD, YYYY-MM, YYYY-Q1 or YYYY")
    };
    period_by(query, read)
}

/// The period that is asked for, `date` read by that rule.
pub(crate) fn period_by(query: &mut Query, read: impl FnOnce(&str) -> Result<Period, &'static str>) -> Period {
    let both = query.has("date") && (query.has("sd") || query.has("ed"));
    let date = query.read("date", read);
    let (first, last) = (query.read("sd", Day::parse), query.read("ed", Day::parse));
    if both {
        query.fault(FaultCode::Mismatch, "date", "goes without sd and ed; give either date or the first and last day");
    }
    match date {
        Some(period) => period,
        None => Period::new(first, last).unwrap_or_else(|| {
            query.fault(FaultCode::Mismatch, "sd", "lies after ed");
            Period::ALL
        }),
    }
}
