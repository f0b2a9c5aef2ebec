//! The number of the rules rises whenever a verdict changes: a store takes verdicts of the number of now as they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use tonne_domain::footprint::{RULE_SET, Verdict};
use tonne_domain::{Canonical as _, Footprint};

use crate::footprint::{empty, number, put, text, valid_v2, valid_v3};
use crate::footprint_verdict::told_records;
use crate::footprint_violations::broken_records;

/// Records that every rule and every conversion has a part in.
fn records() -> Vec<(String, Footprint)> {
    let changed = |mut footprint: Footprint, pointer: &str, value| {
        put(&mut footprint, pointer, Some(value));
        footprint
    };
    let mut records = vec![
        ("empty".to_owned(), empty()),
        ("2.3".to_owned(), valid_v2()),
        ("2.0".to_owned(), changed(valid_v2(), "/specVersion", text("2.0.0"))),
        ("2.3 per 0.7".to_owned(), changed(valid_v2(), "/pcf/unitaryProductAmount", number("0.7"))),
        ("3.0".to_owned(), valid_v3()),
        ("3.0 in litres".to_owned(), changed(valid_v3(), "/pcf/declaredUnitOfMeasurement", text("liter"))),
    ];
    records.extend(broken_records());
    records.extend(told_records());
    let mut seen = BTreeMap::<String, u32>::new();
    for (name, _) in &mut records {
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            *name = format!("{name} {count}");
        }
    }
    records
}

#[test]
fn verdicts_of_one_rule_set_never_change() {
    let mut written = format!("rule set {RULE_SET}\n");
    for (what, footprint) in records() {
        let mut verdict = Verdict::of(&footprint);
        // The digests are those of what was found, whatever the number.
        verdict.rules = 0;
        writeln!(written, "{} {what}", verdict.digest()).unwrap();
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/verdicts.txt");
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    if golden.starts_with(&format!("rule set {RULE_SET}\n")) {
        let before: BTreeMap<_, _> = golden.lines().filter_map(by_name).collect();
        let changed = |(name, digest): &(&str, &str)| before.get(name).is_some_and(|known| known != digest);
        let changed: Vec<_> = written.lines().filter_map(by_name).filter(changed).map(|(name, _)| name).collect();
        assert_eq!(
            changed, [""; 0],
            "a rule or a conversion changed, and stores keep verdicts by those before under the same number: make \
             RULE_SET in domain/src/footprint/verdict.rs one more"
        );
    }
    assert!(written == golden, "{} should be:\n{written}", path.display());
}

/// A digest by the name of its record.
fn by_name(line: &str) -> Option<(&str, &str)> {
    line.split_once(' ').filter(|(digest, _)| digest.len() == 64).map(|(digest, name)| (name, digest))
}
