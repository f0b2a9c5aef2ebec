//! The report as it is written. Its activities come last, so that an answer that was cut has no end.

use domain::{Attribution, Day, Total};
use ports::inbound::{ReportView, TaxonomyView};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::ask::Question;
use crate::activity::ActivitySchema;
use crate::wire::{Amount, Reference};

/// How a report without activities ends; activities stand before it.
pub(super) const FOOT: &[u8] = b"]}";

/// What activities add up to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityReport)]
pub(super) struct Report<'a> {
    /// How many activities there are.
    count: u64,
    /// How many of them have no CO2e and add nothing.
    incomplete_count: u64,
    /// The query string used to filter the activities.
    query_string: &'a str,
    /// The first instant of the period.
    #[schema(required, format = DateTime)]
    start_date: Option<String>,
    /// The last second of the period.
    #[schema(required, format = DateTime)]
    end_date: Option<String>,
    /// How activities and days belong together: start or daily.
    attribution: &'static str,
    /// Total of the activities in scopes 1 to 3.
    #[serde(rename = "CO2e")]
    co2e: Amount,
    /// Total of the activities without a scope.
    #[serde(rename = "uncategorizedCO2e")]
    uncategorized: Amount,
    /// Biogenic CO2, of the activities in nodes of kind biogenic.
    #[serde(rename = "biogenicCO2")]
    biogenic: Amount,
    /// Total of the activities in nodes of kind credit: credits and avoided emissions.
    #[serde(rename = "creditsCO2e")]
    credits: Amount,
    /// Total of the activities in nodes of kind outside.
    #[serde(rename = "outsideCO2e")]
    outside: Amount,
    /// The unit of every CO2e.
    #[serde(rename = "CO2eUnit")]
    #[schema(example = "kg")]
    unit: &'static str,
    /// The scopes that the activities carry.
    scopes: Vec<Reference>,
    /// The orgs that the activities carry.
    orgs: Vec<Reference>,
    /// The taxonomies that the activities carry.
    taxonomies: Vec<Taxonomy>,
    /// The activities by day, then uuid; empty without the permission activity:read.
    #[schema(value_type = Vec<ActivitySchema>)]
    data: [(); 0],
}

/// A category of activity.
#[derive(Serialize, ToSchema)]
#[schema(as = TaxonomyReference)]
pub(super) struct Taxonomy {
    /// Identifies it.
    uuid: Uuid,
    /// What it is called.
    name: String,
    /// Its part of the path.
    slug: String,
    /// The slugs from the root, joined by `/`.
    path: String,
}

impl<'a> Report<'a> {
    /// The report without its activities.
    pub(super) fn of(question: &'a Question, view: &ReportView) -> Self {
        let amount = |total: Total| Amount::of(total.shifted(question.unit.shift()));
        let attribution = match question.query.attribution {
            Attribution::Start => "start",
            Attribution::Daily => "daily",
        };
        Self {
            count: view.count,
            incomplete_count: view.incomplete,
            query_string: &question.raw,
            start_date: view.first.map(|day: Day| format!("{day}T00:00:00Z")),
            end_date: view.last.map(|day: Day| format!("{day}T23:59:59Z")),
            attribution,
            co2e: amount(view.co2e),
            uncategorized: amount(view.uncategorized),
            biogenic: amount(view.biogenic),
            credits: amount(view.credits),
            outside: amount(view.outside),
            unit: question.unit.code(),
            scopes: asked(question.lists.scopes, &view.scopes, |node| node.clone().into()),
            orgs: asked(question.lists.orgs, &view.orgs, |node| node.clone().into()),
            taxonomies: asked(question.lists.taxonomies, &view.taxonomies, Taxonomy::of),
            data: [],
        }
    }
}

impl Taxonomy {
    fn of(view: &TaxonomyView) -> Self {
        Self { uuid: view.id, name: view.name.to_string(), slug: view.slug.to_string(), path: view.path.clone() }
    }
}

fn asked<S, T>(asked: bool, nodes: &[S], show: impl FnMut(&S) -> T) -> Vec<T> {
    if asked { nodes.iter().map(show).collect() } else { Vec::new() }
}
