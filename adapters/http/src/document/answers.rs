//! Examples of answers: what the service answered to the requests of the examples, which a test of the service writes and
//! compares. Identifiers, moments and secrets in them are made up, and long lists are cut.

use std::sync::LazyLock;

use serde_json::{Map, Value};

static ANSWERS: LazyLock<Map<String, Value>> =
    LazyLock::new(|| serde_json::from_str(include_str!("answers.json")).unwrap_or_default());

/// What the operation of that name answered.
pub(super) fn example(operation: &str) -> Option<&'static Value> {
    ANSWERS.get(operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_examples() {
        assert!(ANSWERS.len() > 50, "answers.json cannot be read");
    }
}
