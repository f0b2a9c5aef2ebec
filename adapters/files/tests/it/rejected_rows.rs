//! The table of rejected rows.

use domain::Faults;
use tonne_files::Rejects;

#[test]
fn every_fault_is_a_line_with_its_place_and_reason() {
    let mut rejects = Rejects::new(Vec::new()).unwrap();
    let mut faults = Faults::one("/org/uuid", "is not a \"UUID\"");
    faults.add("", "has 2 cells");
    rejects.write(7, &faults).unwrap();
    let text = String::from_utf8(rejects.finish().unwrap()).unwrap();
    assert_eq!(text, "line,field,reason\n7,org/uuid,\"is not a \"\"UUID\"\"\"\n7,,has 2 cells\n");
}
