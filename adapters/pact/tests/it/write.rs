//! What is written is what was read.

use domain::footprint::Edition;

use crate::sample::{V2, V3, received, shown, written};

#[test]
fn a_full_footprint_is_written_as_its_owner_wrote_it() {
    assert_eq!(written(&shown(&received(V2, Edition::V2), Edition::V2)), V2);
    assert_eq!(written(&shown(&received(V3, Edition::V3), Edition::V3)), V3);
}

#[test]
fn what_is_not_known_is_absent() {
    for (json, edition) in [(V2, Edition::V2), (V3, Edition::V3)] {
        let mut footprint = received(json, edition);
        for name in ["extensions", "precedingPfIds", "validityPeriodStart"] {
            footprint.fields.remove(name);
        }
        let text = written(&shown(&footprint, edition));
        for name in ["null,", "[]", "extensions", "precedingPfIds", "validityPeriodStart"] {
            assert!(!text.contains(name), "{name}: {text}");
        }
    }
}

#[test]
fn a_number_of_ours_that_nobody_resolved_is_not_written() {
    use domain::footprint::{FieldValue, Reference, project};
    let mut footprint = received(V3, Edition::V3);
    footprint.fields.set("precedingPfIds", FieldValue::References(vec![Reference::Number(3)])).unwrap();
    let text = written(&project(&footprint, Edition::V3).unwrap());
    assert!(!text.contains("precedingPfIds"), "{text}");
}
