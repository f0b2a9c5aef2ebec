//! Parameters that several answers have: the days, how activities belong to them, how tables are written.

use domain::{Attribution, Day, FaultCode, Period};
use files::{ByteOrderMark, Cells};

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

/// How activities and days belong together.
pub(crate) fn attribution(word: &str) -> Result<Attribution, &'static str> {
    ATTRIBUTIONS.iter().find(|(one, _)| *one == word).map(|(_, found)| *found).ok_or("is not start or daily")
}

/// The period that is asked for.
pub(crate) fn period(query: &mut Query) -> Period {
    let both = query.has("date") && (query.has("sd") || query.has("ed"));
    let date = query.read("date", |text| {
        Period::parse(text).map_err(|_| "is not a day, month or year of the calendar: YYYY-MM-DD, YYYY-MM or YYYY")
    });
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
