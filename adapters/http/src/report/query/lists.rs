//! Which lists of nodes a report fills.

use domain::FaultCode;

use crate::query::Query;

/// Which of the three lists are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) struct Lists {
    pub(in crate::report) scopes: bool,
    pub(in crate::report) orgs: bool,
    pub(in crate::report) taxonomies: bool,
}

/// The words for the lists.
pub(super) fn lists_words() -> Vec<&'static str> {
    vec!["scope", "org", "taxonomy"]
}

/// The lists that are asked for; all unless any is.
pub(super) fn lists(query: &mut Query) -> Lists {
    const ALL: Lists = Lists { scopes: true, orgs: true, taxonomies: true };
    let values = query.take_all(&["list", "list[]"]);
    if values.is_empty() {
        return ALL;
    }
    let mut lists = Lists { scopes: false, orgs: false, taxonomies: false };
    for word in values.iter().flat_map(|value| value.split(',')) {
        match word.trim().to_ascii_lowercase().as_str() {
            "scope" | "scopes" => lists.scopes = true,
            "org" | "orgs" => lists.orgs = true,
            "taxonomy" | "taxonomies" => lists.taxonomies = true,
            "" => query.fault(FaultCode::Required, "list", "is empty; name scope, org or taxonomy, or leave it out"),
            _ => query.fault(FaultCode::Invalid, "list", format!("{word:?} is not scope, org or taxonomy")),
        }
    }
    lists
}
