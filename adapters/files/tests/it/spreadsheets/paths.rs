//! Paths of nodes of which cells are empty.

use super::Table;

#[test]
fn a_path_with_a_name_missing_rejects_its_row_and_one_that_is_empty_is_none() {
    let table =
        Table::text("Region,Site,Date\nNorth,Oslo,2025-01-31\n,Bergen,2025-01-31\nSouth,,2025-01-31\n,,2025-01-31\n");
    let map = "[[activity]]\nname = \"x\"\nstartDate = \"{Date}\"\norg = [\"{Region}\", \"{Site}\"]\n";
    let rows = table.read(map);
    assert!(rows[0].starts_with("2 x") && rows[3].starts_with("5 x"), "{rows:?}");
    assert!(
        rows[1].starts_with("3 WRONG /org is a path of which a name is empty in column \"Region\", beside \"Bergen\""),
        "{rows:?}"
    );
    assert!(
        rows[2].starts_with("4 WRONG /org is a path of which a name is empty in column \"Site\", beside \"South\""),
        "{rows:?}"
    );
}
