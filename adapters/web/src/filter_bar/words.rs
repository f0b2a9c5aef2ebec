//! A filter in words, as pages and papers say it.

use domain::{Attribution, Scope2};

use super::Choices;
use crate::filter::{Dimension, Filter};

/// What the filter leaves in, in a sentence without a full stop.
#[must_use]
pub fn words(filter: &Filter, choices: &Choices) -> String {
    let mut parts = vec![match filter.days.period() {
        period if period == domain::Period::ALL => "all days".to_owned(),
        period => period.to_string(),
    }];
    for dimension in Dimension::ALL {
        if let Some(id) = filter.node(dimension) {
            parts.push(format!("{} “{}” and below", dimension.title().to_lowercase(), choices.path(dimension, id)));
        }
    }
    parts.push(match filter.attribution {
        Attribution::Start => "booked on the first day".to_owned(),
        Attribution::Daily => "spread evenly over the days".to_owned(),
    });
    match filter.scope2 {
        Scope2::Location => {}
        Scope2::Market => parts.push("scope 2 market-based".to_owned()),
        Scope2::Both => parts.push("scope 2 location-based and market-based".to_owned()),
    }
    parts.join(", ")
}
