//! Canonical texts of records.

use domain::Canonical as _;
use ports::contract::sample;

use ports::load::AnyRecord;
use ports::{Entity, Stored, Version};

use super::check;

fn text<T: Entity>(value: T) -> Vec<u8> {
    let stored = Stored { value, created: sample::at(-3), updated: sample::at(5), version: Version(12) };
    stored.canonical().into_bytes()
}

/// A canonical text of each kind.
pub(super) fn samples() -> Vec<Vec<u8>> {
    let (product, model) = (sample::product(1), sample::filled_model(1));
    let factor = sample::factor(1, &product, "2025-01-01");
    vec![
        text(sample::scope(1)),
        text(sample::org(1)),
        text(sample::taxonomy(1, "a")),
        text(sample::filled_input(1, &model, &product, &factor)),
        text(sample::switch(1, &[model.id])),
        text(product),
        text(factor),
        text(model),
        text(sample::filled_footprint(1)),
        text(sample::filled_activity(1)),
    ]
}

#[test]
fn what_is_read_as_canonical_is_written_as_the_same_text() {
    let words = [
        "\"form\":1",
        "\"kind\":\"",
        "\"content\":{",
        "\"version\":",
        "null",
        "\\u0000",
        "\\n",
        "1.0",
        "-0",
        "}",
        ",",
        "\"\"",
    ];
    check("canonical", &samples(), &words, |input| {
        let text = String::from_utf8_lossy(input);
        match AnyRecord::from_canonical((), &text) {
            Ok(record) => {
                assert_eq!(record.canonical(), text);
                "a record".to_owned()
            }
            Err(error) => {
                assert!(!error.detail().is_empty() && error.at() <= text.len(), "{error:?}");
                error.to_string()
            }
        }
    });
}
