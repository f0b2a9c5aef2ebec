//! The statement as a workbook and as a page: every figure of the JSON, beside the addresses that the JSON has for it.

use std::collections::BTreeSet;

use calamine::{DataType, Reader as _};

use super::{company, figures, statement};
use crate::http::harness::Value;
use crate::http::report::workbook::digits;

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A row of any sheet: what its cells show, and the addresses of its explanations.
struct Row {
    cells: Vec<String>,
    addresses: BTreeSet<String>,
}

/// The rows below the headings of each sheet, and the sheets with figures that no row explains.
fn rows(workbook: Vec<u8>) -> (Vec<Row>, Vec<String>) {
    let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(workbook)).unwrap();
    let (mut rows, mut unexplained) = (Vec::new(), Vec::new());
    for name in book.sheet_names() {
        let range = book.worksheet_range(&name).unwrap();
        let mut of_sheet = range.rows();
        let columns: Vec<_> = of_sheet.next().unwrap().iter().map(ToString::to_string).collect();
        let explanation = columns.iter().position(|column| column == "explanation");
        for row in of_sheet {
            let addresses = explanation.map(|at| row[at].to_string()).unwrap_or_default();
            let addresses: BTreeSet<_> = addresses.lines().map(str::to_owned).collect();
            if addresses.is_empty() && row.iter().any(DataType::is_float) {
                unexplained.push(format!("{name}: {row:?}"));
            }
            rows.push(Row { cells: row.iter().filter_map(digits).collect(), addresses });
        }
    }
    (rows, unexplained)
}

fn addresses(object: &Value) -> BTreeSet<String> {
    let all = object["explanation"].as_array().unwrap().iter();
    all.map(|address| address.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_figure_stands_in_the_workbook_and_the_page_beside_the_addresses_that_explain_it() {
    let it = company();
    let found = statement(&it.admin, "year=2025");
    let of = |form: &str| it.admin.request("GET", "/v1/statement?year=2025").header("Accept", form).send().expect(200);
    let (rows, unexplained) = rows(of(XLSX).body);
    assert_eq!(unexplained, Vec::<String>::new());
    let page = of("text/html");
    let mut seen = 0;
    for figure in ["CO2e", "marketCO2e", "biogenicCO2", "mass", "count"] {
        let mut objects = Vec::new();
        figures(&found, figure, "", &mut objects);
        // Several roots of one scope are told apart in JSON alone.
        objects.retain(|(at, _)| !at.contains("/parts/"));
        for (at, object) in objects {
            let addresses = addresses(object);
            assert!(!addresses.is_empty(), "{at} has {figure}");
            for address in &addresses {
                assert!(page.text().contains(&address.replace('&', "&amp;")), "{at}: {address}");
            }
            let stated = object[figure].as_str().map_or_else(|| object[figure].to_string(), str::to_owned);
            let is_of = |row: &&Row| row.addresses.is_superset(&addresses);
            let beside: Vec<_> = rows.iter().filter(is_of).collect();
            assert!(!beside.is_empty(), "{at}: {addresses:?}");
            if stated != "0" {
                assert!(beside.iter().any(|row| row.cells.contains(&stated)), "{at} has {figure} {stated}");
                assert!(page.text().contains(&stated), "{at} has {figure} {stated}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}
