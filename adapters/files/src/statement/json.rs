//! A statement as JSON: amounts as texts, to the last digit unless rounding was asked for.

use domain::{Asked, Attribution, Category, FigureSource, GwpSet, Scope2, ScopeKind, StatementLine, Total};
use ports::inbound::{Named, PeriodView, StatementBaseYear, StatementExclusion, StatementPeriod};

use super::members::{Members, explained, figures, member, number, or_null, state, text};
use super::{CLAIM, ShownStatement};
use crate::json::Json;

/// The statement as one object.
#[must_use]
pub fn statement_json(shown: ShownStatement<'_>) -> Json {
    let found = shown.found;
    let mut members = heading(shown);
    members.push(member("period", period(shown)));
    members.push(member("activities", activities(shown)));
    let kinds = [ScopeKind::Scope1, ScopeKind::Scope2, ScopeKind::Scope3];
    let scopes = kinds.map(|kind| {
        let name = member("scope", text(kind));
        let scope2 = if kind == ScopeKind::Scope2 { Scope2::Both } else { Scope2::Location };
        Json::Object([name].into_iter().chain(line(shown, found.tables.kind(kind), scope2)).collect())
    });
    members.push(member("scopes", Json::Array(scopes.into())));
    members.push(member("scope2", scope2(shown)));
    members.push(member("scope3", scope3(shown)));
    let exclusions = found.exclusions.iter().map(|one| exclusion(shown, one));
    members.push(member("exclusions", Json::Array(exclusions.collect())));
    members.push(member("gases", gases(shown)));
    members.push(member("apart", apart(shown)));
    members.push(member("baseYear", found.base_year.as_ref().map_or(Json::Null, |base| base_year(shown, base))));
    members.push(member("sources", sources(shown)));
    Json::Object(members)
}

fn heading(shown: ShownStatement<'_>) -> Members {
    let (found, look) = (shown.found, shown.look);
    let (query, stated) = (&found.query, &found.query.stated);
    let not_stated = [("consolidation", stated.consolidation.is_none()), ("boundary", stated.boundary.is_none())];
    let not_stated = not_stated.into_iter().filter(|(_, absent)| *absent).map(|(name, _)| text(name)).collect();
    let attribution = match query.attribution {
        Attribution::Start => "start",
        Attribution::Daily => "daily",
    };
    let revision = vec![member("epoch", text(found.revision.epoch)), member("number", number(found.revision.number))];
    vec![
        member("company", text(stated.company.as_ref().unwrap_or(&query.company))),
        member("year", text(&found.year)),
        member("yearStart", text(query.year_start)),
        member("first", text(found.first)),
        member("last", text(found.last)),
        member("attribution", text(attribution)),
        member("consolidation", or_null(stated.consolidation)),
        member("boundary", or_null(stated.boundary.as_ref())),
        member("notStated", Json::Array(not_stated)),
        member("CO2eUnit", text(look.unit.code())),
        member("roundedTo", look.decimals.map_or(Json::Null, number)),
        member("revision", Json::Object(revision)),
        member("claim", text(CLAIM)),
    ]
}

/// Whether the year is closed, and by which periods.
fn period(shown: ShownStatement<'_>) -> Json {
    let of = |period: &StatementPeriod| {
        let mut members = signed(shown, &period.view);
        members.push(member("agrees", Json::Bool(period.agrees)));
        Json::Object(members)
    };
    Json::Object(vec![
        member("state", text(shown.found.coverage.word())),
        member("periods", Json::Array(shown.found.periods.iter().map(of).collect())),
    ])
}

/// A closed period, who closed it, and the digest of its frozen report.
fn signed(shown: ShownStatement<'_>, view: &PeriodView) -> Members {
    let period = &view.period.value;
    vec![
        member("uuid", text(period.id)),
        member("first", text(period.first())),
        member("last", text(period.last())),
        member("org", view.org.as_ref().map_or(Json::Null, named)),
        member("closedAt", text(period.closed.at)),
        member("closedBy", text(&period.closed.by)),
        member("reason", or_null(period.closed.reason.as_ref())),
        member("sha256", text(period.frozen.digest())),
        explained(vec![shown.addresses().frozen(period.id)]),
    ]
}

/// How many activities there are, and what they come to.
fn activities(shown: ShownStatement<'_>) -> Json {
    let addresses = shown.addresses();
    let mut members = figures(&shown.found.tables.whole, Scope2::Both, shown.look);
    members.push(member("outdatedCount", number(shown.found.outdated)));
    members.push(explained(vec![addresses.of(Asked::Whole)]));
    members.push(member("incompleteExplanation", text(addresses.incomplete())));
    Json::Object(members)
}

fn line(shown: ShownStatement<'_>, line: &StatementLine, scope2: Scope2) -> Members {
    let mut members = vec![member("state", text(state(line)))];
    members.extend(figures(&line.totals, scope2, shown.look));
    members.push(member("parts", parts(shown, line, scope2)));
    members.push(explained(shown.addresses().line(line)));
    members
}

/// What a line is made of, node by node.
fn parts(shown: ShownStatement<'_>, line: &StatementLine, scope2: Scope2) -> Json {
    let parts = line.parts.iter().map(|part| {
        let scope = match part.asked {
            Asked::Below(id) | Asked::At(id) => Some(id),
            Asked::Whole | Asked::WithoutScope => None,
        };
        let path = scope.and_then(|id| shown.found.scopes.get(&id));
        let scope =
            scope.map_or(Json::Null, |id| Json::Object(vec![member("uuid", text(id)), member("path", or_null(path))]));
        let mut members = vec![member("scope", scope)];
        members.extend(figures(&part.totals, scope2, shown.look));
        members.push(explained(vec![shown.addresses().of(part.asked)]));
        Json::Object(members)
    });
    Json::Array(parts.collect())
}

/// Both figures of scope 2, and what the market-based one rests on.
fn scope2(shown: ShownStatement<'_>) -> Json {
    let (line, look) = (shown.found.tables.kind(ScopeKind::Scope2), shown.look);
    let totals = &line.totals;
    let rests = [
        ("locationCO2e", totals.co2e),
        ("marketCO2e", totals.market_co2e()),
        ("instrumentCO2e", totals.market_instrument),
        ("residualCO2e", totals.market_residual),
        ("locationInMarketCO2e", totals.market_location()),
    ];
    let mut members: Members =
        rests.into_iter().map(|(name, amount)| member(name, text(look.amount(amount)))).collect();
    let market = shown.found.sources.market.iter().map(|one| {
        let mut members = vec![member("basis", text(one.basis))];
        members.extend(source(&one.source));
        members.push(member("count", number(one.count)));
        members.push(member("CO2e", text(look.amount(one.co2e))));
        Json::Object(members)
    });
    members.push(member("market", Json::Array(market.collect())));
    members.push(explained(shown.addresses().line(line)));
    Json::Object(members)
}

/// Scope 3 by category.
fn scope3(shown: ShownStatement<'_>) -> Json {
    let tables = &shown.found.tables;
    let excluded = |category: Option<Category>| {
        let is_of_it = |one: &&StatementExclusion| one.kind == Some(ScopeKind::Scope3) && one.category == category;
        let ids = shown.found.exclusions.iter().filter(is_of_it).map(|one| text(one.view.exclusion.value.id));
        member("exclusions", Json::Array(ids.collect()))
    };
    let category = |(category, found): (Category, &StatementLine)| {
        let head = [
            member("category", number(category.number())),
            member("name", text(category.title())),
            excluded(Some(category)),
        ];
        Json::Object(head.into_iter().chain(line(shown, found, Scope2::Location)).collect())
    };
    let lines = Category::all().zip(&tables.categories).map(category);
    let without = [member("category", Json::Null), member("name", text("Without a category")), excluded(None)];
    let without = without.into_iter().chain(line(shown, &tables.without_category, Scope2::Location)).collect();
    Json::Array(lines.chain([Json::Object(without)]).collect())
}

fn named(record: &Named) -> Json {
    Json::Object(vec![member("uuid", text(record.id)), member("name", text(&record.name))])
}

/// What is left out on purpose.
fn exclusion(shown: ShownStatement<'_>, one: &StatementExclusion) -> Json {
    let exclusion = &one.view.exclusion.value;
    Json::Object(vec![
        member("uuid", text(exclusion.id)),
        member("kind", or_null(one.kind)),
        member("category", one.category.map_or(Json::Null, |category| number(category.number()))),
        member("scope", one.view.scope.as_ref().map_or(Json::Null, named)),
        member("org", one.view.org.as_ref().map_or(Json::Null, named)),
        member("firstYear", number(exclusion.years().first())),
        member("lastYear", number(exclusion.years().last())),
        member("reason", text(&exclusion.reason)),
        explained(vec![shown.addresses().exclusion(exclusion.id)]),
    ])
}

/// The gases of scopes 1 and 2.
fn gases(shown: ShownStatement<'_>) -> Json {
    let rows = shown.found.tables.gases.iter().map(|(gas, lines)| {
        let of = |line: &StatementLine| {
            Json::Object(vec![
                member("state", text(state(line))),
                member("mass", text(shown.look.amount(line.totals.mass))),
                member("CO2e", text(shown.look.amount(line.totals.co2e))),
                explained(shown.addresses().gas(*gas, line)),
            ])
        };
        let [scope1, scope2] = lines;
        Json::Object(vec![member("gas", text(gas.word())), member("scope1", of(scope1)), member("scope2", of(scope2))])
    });
    Json::Array(rows.collect())
}

/// What is in no scope's CO2e.
fn apart(shown: ShownStatement<'_>) -> Json {
    let (tables, look) = (&shown.found.tables, shown.look);
    let of = |amount: Total, line: &StatementLine| {
        Json::Object(vec![
            member("state", text(state(line))),
            member("count", number(line.totals.count)),
            member("incompleteCount", number(line.totals.incomplete)),
            member("amount", text(look.amount(amount))),
            explained(shown.addresses().line(line)),
        ])
    };
    let kind = |kind| tables.kind(kind);
    Json::Object(vec![
        member("biogenicCO2", text(look.amount(tables.whole.biogenic))),
        member("biogenicNodes", of(kind(ScopeKind::Biogenic).totals.biogenic, kind(ScopeKind::Biogenic))),
        member("credits", of(kind(ScopeKind::Credit).totals.credits, kind(ScopeKind::Credit))),
        member("outside", of(kind(ScopeKind::Outside).totals.outside, kind(ScopeKind::Outside))),
        member("withoutScope", of(tables.without_scope.totals.uncategorized, &tables.without_scope)),
        explained(vec![shown.addresses().of(Asked::Whole)]),
    ])
}

fn base_year(shown: ShownStatement<'_>, base: &StatementBaseYear) -> Json {
    let amount = |amount: Total| text(shown.look.amount(amount));
    let mut members = signed(shown, &base.view);
    members.push(member("state", text(if base.view.period.value.is_closed() { "closed" } else { "reopened" })));
    members.push(member("significance", text(base.significance)));
    let scopes = ["scope1", "scope2", "scope3"].into_iter().zip(base.frozen.iter().zip(&base.today));
    let scopes = scopes.map(|(scope, (frozen, today))| {
        let head = [("scope", text(scope)), ("frozenCO2e", amount(frozen.co2e)), ("CO2e", amount(today.co2e))];
        Json::Object(head.into_iter().map(|(name, value)| member(name, value)).collect())
    });
    members.push(member("scopes", Json::Array(scopes.collect())));
    members.push(member("difference", amount(base.difference())));
    members.push(member("differenceExplanation", text(shown.addresses().base_year())));
    Json::Object(members)
}

/// What the figures come from.
fn sources(shown: ShownStatement<'_>) -> Json {
    let found = &shown.found.sources;
    let lines = found.lines.iter().map(|line| {
        let mut members = source(&line.source);
        members.extend(figures(&line.totals, Scope2::Location, shown.look));
        let others = [
            ("uncategorizedCO2e", line.totals.uncategorized),
            ("creditsCO2e", line.totals.credits),
            ("outsideCO2e", line.totals.outside),
        ];
        members.extend(others.map(|(name, amount)| member(name, text(shown.look.amount(amount)))));
        Json::Object(members)
    });
    let gwp = found
        .gwp
        .iter()
        .map(|set| Json::Object(vec![member("name", text(set)), member("citation", text(set.citation()))]));
    Json::Object(vec![
        member("gwp", Json::Array(gwp.collect())),
        member("lines", Json::Array(lines.collect())),
        member("agrees", Json::Bool(found.agrees)),
        explained(vec![shown.addresses().of(Asked::Whole)]),
    ])
}

/// A source, member by member: those that it has not are null.
fn source(source: &FigureSource) -> Members {
    let gwp = source.gwp().map(GwpSet::name);
    let (kind, told): (&str, [Option<String>; 8]) = match source {
        FigureSource::Set { publisher, title, edition, valid_from, valid_to, licence, sha256, gwp: _ } => {
            let last = valid_to.map(domain::Day::previous);
            let told = [publisher, title, edition].map(|name| Some(name.to_string()));
            let [publisher, title, edition] = told;
            let days = [Some(valid_from.to_string()), last.map(|day| day.to_string())];
            let [first, last] = days;
            ("set", [publisher, title, edition, first, last, Some(licence.to_string()), Some(sha256.to_string()), None])
        }
        FigureSource::Written { source, gwp: _ } => {
            ("written", [None, None, None, None, None, None, None, Some(source.to_string())])
        }
        FigureSource::Missing(id) => ("missing", [None, None, None, None, None, None, None, Some(id.to_string())]),
        FigureSource::Supplied => ("supplied", [const { None }; 8]),
        FigureSource::Incomplete => ("incomplete", [const { None }; 8]),
    };
    let names = ["publisher", "title", "edition", "first", "last", "licence", "sha256", "source"];
    let mut members = vec![member("kind", text(kind))];
    members.extend(names.into_iter().zip(told).map(|(name, value)| member(name, or_null(value))));
    members.push(member("gwp", or_null(gwp)));
    members
}
