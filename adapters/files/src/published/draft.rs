//! A factor being put together from what a file says.

use domain::{Intensity, Name, PublishedFactor};

/// A factor and the figures it is made of; the error says what keeps it from being one.
pub(super) fn name(what: &str, text: &str) -> Result<Name, String> {
    Name::parse(text).map_err(|error| format!("has {text:?} as its {what}: {error}"))
}

/// Names of categories, without the empty ones.
pub(super) fn path<'a>(parts: impl IntoIterator<Item = &'a str>) -> Result<Vec<Name>, String> {
    parts.into_iter().filter(|part| !part.is_empty()).map(|part| name("category", part)).collect()
}

/// The factor, where it has a figure that can be read.
pub(super) fn with_figure(factor: PublishedFactor) -> Result<PublishedFactor, String> {
    let figure = factor.intensity().map(Intensity::decimal);
    figure.map(|_| factor).map_err(|error| format!("has no figure: {error}"))
}
