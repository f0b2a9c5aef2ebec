//! Workbooks, read back: every figure is that of the JSON, digit for digit.

use calamine::{Data, DataType as _, Reader as _};
use domain::Decimal;

use super::emit;
use crate::http::harness::{Client, Service, Value, json, to};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The rows of the first sheet, without the names of its columns, which come first.
fn read(client: &Client, path: &str) -> (Vec<String>, Vec<Vec<Data>>) {
    let answer = client.request("GET", path).header("Accept", XLSX).send().expect(200);
    assert!(answer.whole, "{path}");
    let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(answer.body)).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    let mut rows = range.rows().map(<[Data]>::to_vec);
    let names = rows.next().unwrap().iter().map(ToString::to_string).collect();
    (names, rows.collect())
}

/// The digits that a cell shows: of a number cell its decimal of 15 digits, of a text the text.
pub(crate) fn digits(cell: &Data) -> Option<String> {
    if let Data::Float(number) = cell {
        return Some(Decimal::parse(&format!("{number:.14e}")).unwrap().to_string());
    }
    assert!(cell.is_string() || cell.is_empty(), "{cell:?} is no number");
    cell.get_string().map(str::to_owned)
}

/// The digits of a member of JSON.
fn told(value: &Value) -> Option<String> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    (!value.is_null()).then_some(text)
}

/// The member of a row that a column shows.
fn member<'a>(row: &'a Value, column: &str) -> &'a Value {
    let Some(compared) = column.strip_prefix("compared") else { return &row[column] };
    let lower = format!("{}{}", compared[..1].to_lowercase(), &compared[1..]);
    let compared = if compared == "CO2e" { compared.to_owned() } else { lower };
    &row["compared"][compared]
}

/// Activities whose amounts have few digits and many, no scope and every kind of scope.
fn fill(admin: &Client) {
    for kind in ["scope1", "scope2", "biogenic", "credit", "outside"] {
        let scope = admin.scope(kind);
        for (day, kilograms) in [
            ("2025-01-15", "1007.250000000000000001"),
            ("2025-03-01", "0.1"),
            ("2024-03-01", "12345678901234567.5"),
            ("2024-07-01", "-3.25"),
        ] {
            emit(admin, &scope, day, kilograms);
        }
        admin.activity(json!({ "startDate": "2025-02-01", "scope": to(&scope) }));
    }
    admin.activity(json!({ "startDate": "2025-02-01", "DownstreamCO2e": "0.000000000000007" }));
}

#[test]
fn every_figure_of_a_broken_down_report_is_that_of_the_json() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    for query in [
        "by=scope",
        "by=month,scope&shares=2",
        "by=scope&date=2025&compare=2024&shares=3&co2eUnit=t",
        "by=quarter&round=2&co2eUnit=g",
        "by=scope&uncategorized=true",
    ] {
        let told_of = admin.get(&format!("/v1/report?{query}")).ok();
        let (names, mut rows) = read(&admin, &format!("/v1/report?{query}"));
        let total = rows.pop().unwrap();
        assert_eq!(total[0].to_string(), "total", "{query}");
        let expected = told_of["rows"].as_array().unwrap();
        assert_eq!(rows.len(), expected.len(), "{query}");
        let figures = names.iter().position(|name| name == "count").unwrap();
        let unit = names.iter().position(|name| name == "CO2eUnit").unwrap();
        for (cells, row) in rows.iter().zip(expected).chain([(&total, &told_of)]) {
            // The whole has no share of itself in JSON.
            for at in (figures..unit).filter(|at| names[*at] != "share" || !row["share"].is_null()) {
                assert_eq!(digits(&cells[at]), told(member(row, &names[at])), "{} of {query}", names[at]);
            }
            assert_eq!(cells[unit].to_string(), told_of["CO2eUnit"].as_str().unwrap(), "{query}");
        }
    }
}

#[test]
fn every_amount_of_a_workbook_of_activities_is_that_of_the_json() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let product = admin.priced("kWh", "0.000000000001", "0.4");
    admin.activity(json!({ "quantity": "1500.5", "unit": "kWh", "product": to(&product) }));
    for query in ["", "co2eUnit=t", "attribution=daily&date=2025"] {
        let told_of = admin.get(&format!("/v1/activity?{query}")).ok();
        let (names, rows) = read(&admin, &format!("/v1/activity?{query}"));
        let expected = told_of["data"].as_array().unwrap();
        assert_eq!(rows.len(), expected.len(), "{query}");
        let at = |name: &str| names.iter().position(|one| one.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        for (cells, one) in rows.iter().zip(expected) {
            assert_eq!(cells[at("uuid")].to_string(), one["uuid"].as_str().unwrap());
            for name in ["quantity", "UpstreamCO2e", "DownstreamCO2e", "CO2e"] {
                assert_eq!(digits(&cells[at(name)]), told(&one[name]), "{name} of {query}");
            }
        }
    }
}

#[test]
fn names_come_first_and_uuids_last_and_the_total_is_called_so_in_the_first_column() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let (names, rows) = read(&admin, "/v1/report?by=scope,month");
    assert_eq!((names[0].as_str(), names.last().unwrap().as_str()), ("scopeName", "scope"), "{names:?}");
    let total = rows.last().unwrap();
    assert_eq!((total[0].to_string(), total.last().unwrap().is_empty()), ("total".to_owned(), true), "{total:?}");
    let uuids = rows.iter().filter(|row| row.last().unwrap().to_string().len() == 36).count();
    assert!(uuids > 0 && uuids < rows.len(), "{rows:?}");
}
