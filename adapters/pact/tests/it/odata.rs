//! The `$filter` of version 2.

use domain::Moment;
use domain::footprint::{Compared, Comparison, Condition, Operator};
use proptest::prelude::*;
use tonne_pact::{FilterError, read_filter};

fn conditions(text: &str) -> Vec<Condition> {
    read_filter(text).unwrap_or_else(|error| panic!("{text}: {error}")).conditions
}

fn created(operator: Operator) -> Condition {
    let with = Compared::Created(Moment::parse("2025-02-01T10:00:00Z").unwrap());
    Condition::Compares(Comparison { operator, with })
}

#[test]
fn every_operator_compares() {
    let operators = [Operator::Eq, Operator::Lt, Operator::Le, Operator::Gt, Operator::Ge];
    for (word, operator) in ["eq", "lt", "le", "gt", "ge"].into_iter().zip(operators) {
        assert_eq!(conditions(&format!("created {word} '2025-02-01T10:00:00Z'")), [created(operator)]);
    }
}

#[test]
fn every_field_that_the_standard_names_can_be_compared() {
    for field in ["updated", "pcf/referencePeriodStart", "pcf/referencePeriodEnd"] {
        assert_eq!(conditions(&format!("{field} ge '2025-02-01T10:00:00.000Z'")).len(), 1);
    }
    for field in ["productCategoryCpc", "pcf/geographyCountry"] {
        assert_eq!(conditions(&format!("{field} eq 'FR'")).len(), 1);
    }
}

#[test]
fn identifiers_are_asked_for_by_any() {
    let expected = [Condition::ProductId(vec!["urn:gtin:4712345060507".to_owned()])];
    for text in [
        "productIds/any(productId:(productId eq 'urn:gtin:4712345060507'))",
        "productIds/any(x: x eq 'urn:gtin:4712345060507')",
        "((productIds/any(p:(p eq 'urn:gtin:4712345060507'))))",
    ] {
        assert_eq!(conditions(text), expected, "{text}");
    }
    let company = conditions("companyIds/any(companyId:(companyId eq 'it''s'))");
    assert_eq!(company, [Condition::CompanyId(vec!["it's".to_owned()])]);
}

#[test]
fn what_is_joined_by_and_must_all_hold() {
    let both = conditions("created ge '2025-02-01T10:00:00Z' and (created lt '2025-02-01T10:00:00Z')");
    assert_eq!(both, [created(Operator::Ge), created(Operator::Lt)]);
}

#[test]
fn what_odata_has_beyond_the_subset_is_told_as_not_implemented() {
    for text in [
        "created ge '2025-02-01T10:00:00Z' or updated ge '2025-02-01T10:00:00Z'",
        "created ne '2025-02-01T10:00:00Z'",
        "companyName eq 'Example'",
        "startswith(companyName,'E')",
        "not (created eq '2025-02-01T10:00:00Z')",
        "productIds/all(p:(p eq 'a'))",
        "productIds/any(p:(p ne 'a'))",
        "productIds/any(p:(p eq 'a' or p eq 'b'))",
        "productIds/any(p:(created eq 'a'))",
    ] {
        let error = read_filter(text);
        assert!(matches!(error, Err(FilterError::NotImplemented(_))), "{text}: {error:?}");
    }
}

#[test]
fn what_cannot_be_read_is_told_as_malformed() {
    let deep = format!("{}created eq '2025-02-01T10:00:00Z'{}", "(".repeat(17), ")".repeat(17));
    for text in ["", "created", "created eq", "created eq 5", "created eq 'x", "created eq 'soon'", "(created", &deep] {
        assert!(matches!(read_filter(text), Err(FilterError::Malformed(_))), "{text}: {:?}", read_filter(text));
    }
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "([a-zA-Z/()': ]|created|eq|and|any|productIds|'2025-02-01T10:00:00Z'){0,40}") {
        let _ = read_filter(&text);
    }
}
