//! The figures at the top: the total, each scope, and what is beside them.

use domain::{Scope2, ScopeKind, Total, Totals};
use maud::{Markup, html};
use ports::inbound::{Breakdown, Label};
use uuid::Uuid;

use super::super::question::{activities, report};
use super::{Asked, Found, shows_both};
use crate::chart::Ink;
use crate::figure::Figures;
use crate::filter::{Dimension, Filter};
use crate::here::Here;

/// What activities come to by kind of scope.
#[derive(Debug, Default)]
pub(super) struct Kinds(Vec<Kind>);

/// A kind of scope.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) of: Option<ScopeKind>,
    pub(super) totals: Totals,
    pub(super) compared: Option<Totals>,
    /// The nodes at the top that have the kind.
    nodes: Vec<Uuid>,
}

/// The kinds that make up the total, and no scope, in the order in which they are stacked.
const STACKED: [Option<ScopeKind>; 4] =
    [Some(ScopeKind::Scope1), Some(ScopeKind::Scope2), Some(ScopeKind::Scope3), None];

impl Kinds {
    /// Of a report by scopes.
    pub(super) fn of(found: &Breakdown) -> Self {
        let mut kinds = Self::default();
        for row in &found.rows {
            let (kind, id) = kind_of(row.labels.first());
            let at = kinds.0.iter().position(|one| one.of == kind).unwrap_or_else(|| {
                kinds.0.push(Kind { of: kind, totals: Totals::default(), compared: None, nodes: Vec::new() });
                kinds.0.len() - 1
            });
            let Some(one) = kinds.0.get_mut(at) else { continue };
            one.totals += row.totals;
            if let Some(compared) = row.compared {
                *one.compared.get_or_insert_default() += compared;
            }
            one.nodes.extend(id.filter(|id| !one.nodes.contains(id)));
        }
        kinds
    }

    /// Those that are stacked.
    pub(super) fn stacked(&self) -> impl Iterator<Item = &Kind> {
        STACKED.iter().filter_map(|kind| self.0.iter().find(|one| one.of == *kind))
    }
}

impl Kind {
    /// How much it is of what is stacked.
    pub(super) fn amount(&self, totals: &Totals) -> Total {
        amount(self.of, totals)
    }

    /// The filter of its activities, where a node says it.
    fn filter(&self, filter: &Filter) -> Option<Filter> {
        match self.nodes[..] {
            [one] => Some(filter.at(Dimension::Scope, one)),
            _ => None,
        }
    }
}

/// The kind of scope that a row is about, and its node.
pub(super) fn kind_of(label: Option<&Label>) -> (Option<ScopeKind>, Option<Uuid>) {
    match label {
        Some(Label::Record { kind, id, .. }) => (*kind, Some(*id)),
        Some(Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without) | None => (None, None),
    }
}

pub(super) fn amount(kind: Option<ScopeKind>, totals: &Totals) -> Total {
    if kind.is_none() { totals.uncategorized } else { totals.co2e }
}

pub(super) const fn ink(kind: Option<ScopeKind>) -> Ink {
    match kind {
        Some(ScopeKind::Scope1) => Ink::Scope1,
        Some(ScopeKind::Scope2) => Ink::Scope2,
        Some(ScopeKind::Scope3) => Ink::Scope3,
        Some(ScopeKind::Biogenic | ScopeKind::Credit | ScopeKind::Outside) => Ink::Accent,
        None => Ink::NoScope,
    }
}

pub(super) const fn name(kind: Option<ScopeKind>) -> &'static str {
    match kind {
        Some(ScopeKind::Scope1) => "Scope 1",
        Some(ScopeKind::Scope2) => "Scope 2",
        Some(ScopeKind::Scope3) => "Scope 3",
        Some(ScopeKind::Biogenic) => "Biogenic",
        Some(ScopeKind::Credit) => "Credits",
        Some(ScopeKind::Outside) => "Outside the scopes",
        None => "No scope",
    }
}

/// The amounts that are shown, for their unit.
pub(super) fn amounts(kinds: &Kinds) -> Vec<Total> {
    vec![kinds.stacked().map(|kind| kind.amount(&kind.totals)).sum()]
}

pub(super) fn head(here: &Here, asked: &Asked, found: &Found, figures: &Figures) -> Markup {
    let (whole, scope2) = (&found.months.whole.totals, asked.filter.scope2);
    let total = whole.co2e;
    let explained = super::super::question::report(&asked.filter, "scope").path().to_owned() + "/explanation";
    let explained = crate::Address::to(explained).filtered(&asked.filter);
    let market = Filter { scope2: Scope2::Market, ..asked.filter.clone() };
    html! {
        h1 { (here.company.name) " " span.muted { (asked.filter.days) } }
        div.head {
            a.total href=(here.link(&activities(&asked.filter))) {
                (figures.amount(total)) " " span.unit { (figures.heading()) }
            }
            (change(here, asked, found, total))
            @if shows_both(scope2) {
                a href=(here.link(&activities(&market))) { "market-based " (figures.with_unit(whole.co2e + whole.market_delta)) }
            }
            a.small href=(here.link(&explained)) { "what is this made of?" }
            (not_computed(here, &asked.filter, whole))
        }
        ul.tiles {
            @for kind in found.kinds.stacked() { (tile(here, asked, kind, whole, figures)) }
            @for (title, amount) in [("Biogenic CO₂", whole.biogenic), ("Credits", whole.credits), ("Other, outside the scopes", whole.outside)] {
                @if !amount.is_zero() {
                    li { a href=(here.link(&report(&asked.filter, "scope"))) { span.label { (title) ", apart" } b { (figures.with_unit(amount)) } } }
                }
            }
        }
    }
}

/// How many activities have no CO2e, and where that is mended.
fn not_computed(here: &Here, filter: &Filter, totals: &Totals) -> Markup {
    html! {
        @if totals.incomplete == 0 {
            span.tag.ok { "all activities computed" }
        } @else {
            a.tag.warn href=(here.link(&activities(filter).with("incomplete", "true"))) {
                (here.numbers().counted(totals.incomplete, "activity", "activities")) " not computed → fix"
            }
        }
    }
}

/// By how much the total changed.
fn change(here: &Here, asked: &Asked, found: &Found, total: Total) -> Markup {
    let Some(days) = &asked.compare else { return html! {} };
    let before = found.compared.as_ref().filter(|whole| whole.totals.count > 0);
    html! {
        @match before.map(|whole| whole.totals.co2e) {
            None => span.muted { "no data for " (days) " to compare with" },
            Some(before) => span {
                (changed(here, total, before)) " "
                span.muted { "compared with " (days) }
            },
        }
    }
}

/// A change in percent, marked as more or less.
pub(super) fn changed(here: &Here, now: Total, before: Total) -> Markup {
    let class = if now > before { "up num" } else { "down num" };
    html! {
        @match here.numbers().change(now, before) {
            Some(text) => span class=(class) { (text) },
            None => span.muted { "-" },
        }
    }
}

fn tile(here: &Here, asked: &Asked, kind: &Kind, whole: &Totals, figures: &Figures) -> Markup {
    let amount = kind.amount(&kind.totals);
    let address = match kind.of {
        None => activities(&asked.filter).with("uncategorized", "true"),
        Some(_) => {
            kind.filter(&asked.filter).map_or_else(|| report(&asked.filter, "scope"), |filter| activities(&filter))
        }
    };
    let before = kind.compared.filter(|totals| totals.count > 0).map(|totals| kind.amount(&totals));
    html! {
        li {
            a href=(here.link(&address)) {
                span.label { i.swatch.(ink(kind.of).swatch()) aria-hidden="true" {} (name(kind.of)) }
                b { (figures.with_unit(amount)) }
                span.label {
                    @if kind.of.is_some() {
                        @if let Some(share) = here.numbers().percent(amount, whole.co2e) { (share) " of the total" }
                        @if let Some(before) = before { ", " (changed(here, amount, before)) }
                    } @else { "in no total" }
                }
            }
        }
    }
}
