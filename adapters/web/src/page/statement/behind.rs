//! The pages that show what is behind a statement's figures and sentences.

use crate::address::Address;
use crate::params::Params;

/// The most levels that a page of the report tells apart: those that the statement asks for are all there are.
const LEVELS: &str = "20";

/// The page that shows what the API answers at an address with.
pub(super) fn page_of(address: &str) -> Option<Address> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut params = Params::parse(query);
    let by = params.take("by");
    let to = match (path, &by) {
        ("/v1/report/explanation", None) => "/activities",
        ("/v1/report/explanation", Some(_)) => "/report/explanation",
        ("/v1/report", _) => "/report",
        ("/v1/base-year", _) => "/periods",
        (path, _) if path.starts_with("/v1/period/") => "/periods",
        (path, _) if path.starts_with("/v1/exclusion/") => "/completeness",
        _ => return None,
    };
    let depth = params.take("depth").map(|_| LEVELS);
    let address = Address::to(to).with_some("by", by).with_some("depth", depth);
    let names = ["sd", "ed", "attribution", "scope2", "scope", "line", "uncategorized", "incomplete"];
    Some(names.into_iter().fold(address, |address, name| address.with_some(name, params.take(name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(address: &str) -> Option<String> {
        page_of(address).map(|address| address.to_string())
    }

    #[test]
    fn what_is_behind_a_figure_is_on_the_page_of_the_same_question() {
        for (address, shown) in [
            (
                "/v1/report/explanation?sd=2025-01-01&ed=2025-12-31&scope2=both&uncategorized=true",
                "/activities?sd=2025-01-01&ed=2025-12-31&scope2=both&uncategorized=true",
            ),
            (
                "/v1/report/explanation?sd=2025-01-01&ed=2025-12-31&scope2=both&by=scope&depth=255&line=x",
                "/report/explanation?by=scope&depth=20&sd=2025-01-01&ed=2025-12-31&scope2=both&line=x",
            ),
            (
                "/v1/report/explanation?sd=2025-01-01&ed=2025-12-31&incomplete=true",
                "/activities?sd=2025-01-01&ed=2025-12-31&incomplete=true",
            ),
            ("/v1/period/x/report", "/periods"),
            ("/v1/base-year", "/periods"),
            ("/v1/exclusion/x", "/completeness"),
        ] {
            assert_eq!(page(address).as_deref(), Some(shown));
        }
        assert_eq!(page("/v1/other"), None);
    }
}
