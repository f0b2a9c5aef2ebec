//! A statement to be read by people: its title and its sections.

use super::readable::Section;
use super::{ShownStatement, company, emissions, excluded, history, source};

/// What a statement is called.
#[must_use]
pub fn statement_title(shown: ShownStatement<'_>) -> String {
    format!("Greenhouse gas inventory of {}, {}", company::name(shown), shown.found.year)
}

/// The sections of a statement, in the order in which they are read.
#[must_use]
pub fn statement_sections(shown: ShownStatement<'_>) -> Vec<Section> {
    vec![
        company::company(shown),
        emissions::scopes(shown),
        emissions::scope2(shown),
        emissions::scope3(shown),
        excluded::exclusions(shown),
        emissions::gases(shown),
        emissions::apart(shown),
        history::base_year(shown),
        history::periods(shown),
        source::sources(shown),
        source::potentials(shown),
    ]
}
