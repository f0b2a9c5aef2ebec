//! Closed periods and restatements as they are printed.

use domain::{ClassTotals, FrozenLine, GasRow, GasTotal, PeriodSignature};
use files::Json;
use ports::inbound::{BaseYear, PeriodView, RestatedCause, RestatedLine, RestatedTotals, Restatement};

use crate::command::json::{array, count, object, optional, text};
use crate::command::terminal_table::{Align, Table};
use crate::counted::counted;

pub(super) fn json(view: &PeriodView) -> Json {
    let period = &view.period.value;
    object([
        ("uuid", text(period.id)),
        ("org", optional(period.org)),
        ("first", text(period.first())),
        ("last", text(period.last())),
        ("baseYear", optional(period.base_year)),
        ("state", text(state(view))),
        ("closed", signature(&period.closed)),
        ("reopened", period.reopened.as_ref().map_or(Json::Null, signature)),
        ("sha256", text(period.frozen.digest())),
        ("change", count(period.frozen.number())),
        ("CO2e", text(view.frozen.co2e)),
        ("count", Json::Number(view.frozen.count.to_string())),
        ("incompleteCount", Json::Number(view.frozen.incomplete.to_string())),
    ])
}

fn signature(signature: &PeriodSignature) -> Json {
    object([("at", text(signature.at)), ("by", text(&signature.by)), ("reason", optional(signature.reason.as_ref()))])
}

const fn state(view: &PeriodView) -> &'static str {
    if view.period.value.is_closed() { "closed" } else { "reopened" }
}

fn org(view: &PeriodView) -> String {
    view.org.as_ref().map_or_else(|| "the whole company".to_owned(), |org| org.name.to_string())
}

pub(super) fn closed(view: &PeriodView) -> String {
    let period = &view.period.value;
    format!(
        "the period {} to {} is closed for {}: {}\n{} activities, {} kg CO2e in scopes 1 to 3, frozen as sha256 {}",
        period.first(),
        period.last(),
        org(view),
        period.id,
        view.frozen.count,
        view.frozen.co2e,
        period.frozen.digest()
    ) + &incomplete(view)
}

/// That activities of the period have no CO2e, so that its figures are too small; nothing where all have.
fn incomplete(view: &PeriodView) -> String {
    let count = view.frozen.incomplete.unsigned_abs();
    if count == 0 {
        return String::new();
    }
    let activities = counted(count, "activity", "activities");
    format!(
        "\nWARNING: {activities} of it without CO2e: the figures lack them. `tonne recalculate --incomplete` fills in what has \
         a factor by now, once the period is open again"
    )
}

pub(super) fn reopened(view: &PeriodView) -> String {
    let period = &view.period.value;
    format!("the period {} to {} is open again for {}: {}", period.first(), period.last(), org(view), period.id)
}

pub(super) fn told(view: &PeriodView) -> String {
    let period = &view.period.value;
    let mut lines = vec![closed(view), signed("closed", &period.closed)];
    lines.extend(period.reopened.as_ref().map(|reopened| signed("reopened", reopened)));
    lines.join("\n")
}

fn signed(what: &str, by: &PeriodSignature) -> String {
    let why = by.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{what} by {} at {}{why}", by.by, by.at)
}

pub(super) fn table(views: &[PeriodView], all: u64) -> String {
    let left = |name| (name, Align::Left);
    let mut table = Table::new([
        left("uuid"),
        left("first"),
        left("last"),
        left("org"),
        left("state"),
        ("kg CO2e", Align::Point),
        left("closed by"),
        left("when"),
    ]);
    for view in views {
        let period = &view.period.value;
        table.row([
            period.id.to_string(),
            period.first().to_string(),
            period.last().to_string(),
            org(view),
            state(view).to_owned(),
            view.frozen.co2e.to_string(),
            period.closed.by.to_string(),
            period.closed.at.to_string(),
        ]);
    }
    let more = all.saturating_sub(views.len() as u64);
    let rest = if more > 0 { format!("\n... and {more} more; --limit lists more") } else { String::new() };
    format!("{}{rest}", table.render())
}

pub(super) fn restatement(found: &Restatement) -> String {
    let period = &found.period.period.value;
    let (was, is) = (found.period.frozen.co2e, found.now.co2e);
    let mut lines = vec![
        format!("{} to {}, {}, in scopes 1 to 3:", period.first(), period.last(), org(&found.period)),
        format!("frozen {was} kg CO2e, today {is} kg CO2e, difference {}", is - was),
    ];
    lines.extend(found.causes.iter().map(|cause| format!("  {}: {}", cause.cause.as_str(), cause.totals.started.co2e)));
    if found.causes.iter().any(is_of_more) {
        lines.push("by cause, in each figure that differs (kg):".to_owned());
        lines.push(by_class(&found.causes));
    }
    if !found.lines.is_empty() {
        lines.push(differences(&found.lines));
    }
    lines.join("\n")
}

/// Whether a cause changed more than CO2e in scopes 1 to 3 of activities that are counted wholly.
fn is_of_more(cause: &RestatedCause) -> bool {
    let RestatedTotals { started, spread } = &cause.totals;
    started.market_co2e != started.co2e
        || spread != started
        || started.named().into_iter().skip(2).any(|(_, total)| !total.is_zero())
        || started.gases.iter().any(|(gas, _)| gas != GasRow::Unspecified)
}

/// By how much which cause changed which figure.
fn by_class(causes: &[RestatedCause]) -> String {
    let left = |name| (name, Align::Left);
    let mut table = Table::new([left("cause"), left("attribution"), left("figure"), ("difference", Align::Point)]);
    for RestatedCause { cause, totals } in causes {
        for (attribution, classes) in [("start", &totals.started), ("daily", &totals.spread)] {
            let named = classes.named().map(|(name, total)| (name.to_owned(), total));
            let gases = classes.gases.iter().flat_map(|(gas, GasTotal { co2e, mass })| {
                [(format!("{} (CO2e)", gas.word()), co2e), (format!("{} (mass)", gas.word()), mass)]
            });
            for (name, total) in named.into_iter().chain(gases).filter(|(_, total)| !total.is_zero()) {
                table.row([cause.as_str().to_owned(), attribution.to_owned(), name, total.to_string()]);
            }
        }
    }
    table.render()
}

/// Figures class by class, under both attributions.
fn both(totals: &RestatedTotals) -> Json {
    let gas = |(gas, GasTotal { co2e, mass }): (GasRow, GasTotal)| {
        object([("gas", text(gas.word())), ("CO2e", text(co2e)), ("mass", text(mass))])
    };
    let classes = |classes: &ClassTotals| {
        let [co2e, market, uncategorized, biogenic, credits, outside] =
            classes.named().map(|(name, total)| (name, text(total)));
        let gases = ("gases", array(classes.gases.iter().map(gas)));
        object([co2e, market, uncategorized, biogenic, credits, outside, gases])
    };
    object([("started", classes(&totals.started)), ("spread", classes(&totals.spread))])
}

fn differences(lines: &[RestatedLine]) -> String {
    let left = |name| (name, Align::Left);
    let mut table =
        Table::new([left("scope"), left("org"), left("taxonomy"), ("frozen", Align::Point), ("today", Align::Point)]);
    for line in lines {
        let [scope, org, taxonomy] = line.names.clone().map(|name| name.map_or_else(String::new, |it| it.to_string()));
        let figure = |line: Option<&FrozenLine>| line.map_or_else(String::new, |it| it.started.co2e.to_string());
        table.row([scope, org, taxonomy, figure(line.was.as_ref()), figure(line.is.as_ref())]);
    }
    table.render()
}

pub(super) fn restatement_json(found: &Restatement) -> Json {
    let cause = |cause: &RestatedCause| {
        let part = cause.totals.started.co2e;
        object([("cause", text(cause.cause.as_str())), ("CO2e", text(part)), ("figures", both(&cause.totals))])
    };
    let line = |line: &RestatedLine| {
        let figure = |line: Option<&FrozenLine>| line.map_or(Json::Null, |it| text(it.started.co2e));
        object([
            ("scope", optional(line.series.scope)),
            ("org", optional(line.series.org)),
            ("taxonomy", optional(line.series.taxonomy)),
            ("was", figure(line.was.as_ref())),
            ("is", figure(line.is.as_ref())),
        ])
    };
    object([
        ("period", json(&found.period)),
        ("change", count(found.revision.number)),
        ("CO2eFrozen", text(found.period.frozen.co2e)),
        ("CO2e", text(found.now.co2e)),
        ("difference", text(found.now.co2e - found.period.frozen.co2e)),
        ("frozen", both(&found.was)),
        ("now", both(&found.is)),
        ("causes", array(found.causes.iter().map(cause))),
        ("lines", array(found.lines.iter().map(line))),
    ])
}

pub(super) fn base_year(found: &BaseYear) -> String {
    let share = found.significance;
    let asked = if found.asks_for_recalculation {
        format!("more than {share} % of the base year changed: recalculate it, and close it anew with --base-year")
    } else {
        format!("no change is above {share} % of the base year")
    };
    let market = if found.market_outdated == found.outdated {
        String::new()
    } else {
        format!(", {} with scope 2 market-based", found.market_outdated)
    };
    let outdated = format!("outdated: a recalculation would change it by {} kg CO2e{market}", found.outdated);
    [restatement(&found.restatement), outdated, asked].join("\n")
}

pub(super) fn base_year_json(found: &BaseYear) -> Json {
    object([
        ("significance", text(found.significance)),
        ("recalculationAsked", Json::Bool(found.asks_for_recalculation)),
        ("CO2eOutdated", text(found.outdated)),
        ("marketCO2eOutdated", text(found.market_outdated)),
        ("restatement", restatement_json(&found.restatement)),
    ])
}
