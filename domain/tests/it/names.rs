//! The root and `footprint` can be imported whole, side by side: a name that stood for two things would not compile.

use tonne_domain::footprint::*;
use tonne_domain::*;

#[test]
fn no_name_of_footprint_stands_for_something_else_at_the_root() {
    let kilogram: Unit = Unit::parse("kg").unwrap();
    let spec: &FieldSpec = PCF.field("fossilGhgEmissions").unwrap();
    assert_eq!((kilogram.code(), spec.unit), ("kg", FieldUnit::Co2e));
    let _: Option<(Format, JsonType, Requirement, Major)> = None;
    let _: Option<(Rule, FieldValue, Reference, RawJson)> = None;
    let _: Option<(FieldError, SpecVersionError, AmendError)> = None;
    let _: Option<(Stamps, Violation, Fields, Footprint, SpecVersion)> = None;
    let _: Option<&ObjectSchema> = None;
    let _ = (ACTIVE, DEPRECATED, &FOOTPRINT, validate as fn(&Footprint) -> Vec<Violation>);
}
