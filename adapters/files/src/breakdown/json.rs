//! A report that is broken down, as JSON: amounts as texts, to the last digit unless rounding was asked for.

use domain::{Attribution, Day, Scope2, Totals};
use ports::inbound::{Breakdown, BreakdownQuery, BreakdownRow, Label, Whole};

use super::Look;
use super::figures::{CO2E, FIGURES, Figure, FigureKind, MARKET, figures_of};
use crate::json::Json;

type Members = Vec<(String, Json)>;

/// The report as one object; `asked` is the query string that asked for it.
#[must_use]
pub fn breakdown_json(found: &Breakdown, look: Look, asked: &str) -> Json {
    let query = &found.query;
    let mut members = whole(&found.whole, look);
    members.push(member("queryString", text(asked)));
    members.extend(days(&found.whole));
    members.push(member("attribution", text(attribution(query.attribution))));
    members.push(member("scope2", text(query.scope2.word())));
    members.extend(market(found, look));
    members.push(member("CO2eUnit", text(look.unit.code())));
    members.push(member("by", Json::Array(query.by.iter().map(|by| text(by.word())).collect())));
    members.push(member("depth", number(query.depth)));
    members.push(member("yearStart", text(query.year)));
    members.push(member("roundedTo", look.decimals.map_or(Json::Null, number)));
    members.push(member("percentRoundedTo", look.percent_decimals.map_or(Json::Null, number)));
    members.push(member("compared", found.compared.map_or(Json::Null, |whole| compared(&whole, look))));
    if let Some(before) = &found.compared {
        members.extend(changes(&found.whole.totals, &before.totals, look));
    }
    let rows = found.rows.iter().map(|row| Json::Object(self::row(found, row, look)));
    members.push(member("rows", Json::Array(rows.collect())));
    Json::Object(members)
}

/// The rows alone, one object a line.
#[must_use]
pub fn breakdown_lines(found: &Breakdown, look: Look) -> Vec<u8> {
    let mut out = String::new();
    for row in &found.rows {
        let mut members = self::row(found, row, look);
        members.push(member("CO2eUnit", text(look.unit.code())));
        out.push_str(&Json::Object(members).to_string());
        out.push('\n');
    }
    out.into_bytes()
}

fn row(found: &Breakdown, row: &BreakdownRow, look: Look) -> Members {
    let mut members: Members =
        found.query.by.iter().zip(&row.labels).map(|(by, label)| member(by.word(), self::label(label))).collect();
    members.extend(row_figures(found, &row.totals, look));
    if look.percent_decimals.is_some() {
        members.push(member("share", optional(look.share(&row.totals, &found.whole.totals))));
    }
    if let Some(before) = &row.compared {
        members.push(member("compared", Json::Object(row_figures(found, before, look))));
        members.extend(changes(&row.totals, before, look));
    }
    members
}

fn compared(whole: &Whole, look: Look) -> Json {
    Json::Object(self::whole(whole, look).into_iter().chain(days(whole)).collect())
}

/// By how much CO2e changed: exactly, and in percent where those are shown.
fn changes(figures: &Totals, before: &Totals, look: Look) -> Members {
    let mut members = vec![member("difference", text(look.amount(figures.co2e - before.co2e)))];
    if look.percent_decimals.is_some() {
        members.push(member("change", optional(look.change(figures, before))));
    }
    members
}

pub(super) fn label(label: &Label) -> Json {
    match label {
        Label::Time(name) => text(name),
        Label::Gas(gas) => text(gas.word()),
        Label::Quality(quality) => text(quality.word()),
        Label::Record { id, name, path, .. } => {
            Json::Object(vec![member("uuid", text(id)), member("name", text(name)), member("path", text(path))])
        }
        Label::Without => Json::Null,
    }
}

/// What all activities come to, and how many of them are outdated.
fn whole(whole: &Whole, look: Look) -> Members {
    let mut members = figures(&whole.totals, look);
    let at = members.iter().position(|(name, _)| name == CO2E).unwrap_or(members.len());
    members.insert(at, member("outdatedCount", number(whole.outdated)));
    members
}

fn figures(totals: &Totals, look: Look) -> Members {
    FIGURES.iter().map(|figure| shown(figure, totals, look)).collect()
}

/// What market-based scope 2 rests on, where it is asked for.
fn market(found: &Breakdown, look: Look) -> Members {
    let (totals, scope2) = (&found.whole.totals, found.query.scope2);
    if scope2 == Scope2::Location {
        return Vec::new();
    }
    let both = (scope2 == Scope2::Both).then(|| shown(&MARKET, totals, look));
    let rests = [
        ("scope2InstrumentCO2e", totals.market_instrument),
        ("scope2ResidualCO2e", totals.market_residual),
        ("scope2LocationCO2e", totals.market_location()),
    ];
    both.into_iter().chain(rests.map(|(name, total)| member(name, text(look.amount(total))))).collect()
}

/// All figures of a line: beside those that every report has, the mass of a gas and CO2e with scope 2 market-based.
pub(super) fn line_figures(query: &BreakdownQuery, totals: &Totals, look: Look) -> Members {
    let is_of_line = |figure: &&'static Figure| FIGURES.iter().all(|one| one.name != figure.name);
    let besides = figures_of(query).filter(is_of_line).map(|figure| shown(figure, totals, look));
    figures(totals, look).into_iter().chain(besides).collect()
}

/// The figures of a row.
fn row_figures(found: &Breakdown, totals: &Totals, look: Look) -> Members {
    figures_of(&found.query).map(|figure| shown(figure, totals, look)).collect()
}

fn shown(figure: &Figure, totals: &Totals, look: Look) -> (String, Json) {
    let shown = (figure.show)(totals, look);
    let value = match figure.kind {
        FigureKind::Count => Json::Number(shown),
        FigureKind::Amount => Json::Text(shown),
    };
    member(figure.name, value)
}

fn days(whole: &Whole) -> Members {
    let instant = |day: Option<Day>, time: &str| day.map_or(Json::Null, |day| text(format_args!("{day}T{time}Z")));
    vec![member("startDate", instant(whole.first, "00:00:00")), member("endDate", instant(whole.last, "23:59:59"))]
}

const fn attribution(attribution: Attribution) -> &'static str {
    match attribution {
        Attribution::Start => "start",
        Attribution::Daily => "daily",
    }
}

pub(super) fn member(name: &str, value: Json) -> (String, Json) {
    (name.to_owned(), value)
}

pub(super) fn text(value: impl std::fmt::Display) -> Json {
    Json::Text(value.to_string())
}

pub(super) fn number(value: impl std::fmt::Display) -> Json {
    Json::Number(value.to_string())
}

fn optional(value: Option<String>) -> Json {
    value.map_or(Json::Null, Json::Text)
}
