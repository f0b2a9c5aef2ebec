//! Workbooks.

use std::io::{Cursor, Read as _, Write as _};

use rust_xlsxwriter::{Format, Formula, Worksheet};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Table, has, mended};

fn row(sheet: &mut Worksheet, row: u32, texts: &[&str]) {
    for (column, text) in (0..).zip(texts) {
        if !text.is_empty() {
            sheet.write(row, column, *text).unwrap();
        }
    }
}

#[test]
fn dates_as_serials_and_as_texts_in_one_column() {
    let table = Table::sheet(|sheet| {
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
        let day = Format::new().set_num_format("dd.mm.yyyy");
        for (at, site) in (1..).zip(["A", "B"]) {
            row(sheet, at, &[site, "", "", "kWh"]);
            sheet.write_with_format(at, 1, 45_687 + at, &day).unwrap();
            sheet.write(at, 2, 1.1 * f64::from(at)).unwrap();
        }
        row(sheet, 3, &["C", "2025-03-01", "", "kWh"]);
        sheet.write(3, 2, 5).unwrap();
    });
    let map = table.suggested();
    has(&map, "startDate = \"{Date}\"");
    let rows = ["2 A 2025-01-31..- 1.1 kWh", "3 B 2025-02-01..- 2.2 kWh", "4 C 2025-03-01..- 5 kWh"];
    assert_eq!(table.read(&map), rows);
}

#[test]
fn serials_of_1904_are_dates_by_the_type_of_the_cell() {
    let bytes = archive(&[
        ("[Content_Types].xml", r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#),
        (
            "_rels/.rels",
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
        ),
        (
            "xl/workbook.xml",
            r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
        ),
        (
            "xl/styles.xml",
            r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#,
        ),
        (
            "xl/worksheets/sheet1.xml",
            r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Site</t></is></c><c r="B1" t="inlineStr"><is><t>Date</t></is></c><c r="C1" t="inlineStr"><is><t>Usage (kWh)</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>A</t></is></c><c r="B2" s="1"><v>44226</v></c><c r="C2"><v>1.7429600000000001</v></c></row></sheetData></worksheet>"#,
        ),
    ]);
    let table = Table::Book(bytes);
    assert_eq!(table.read(&table.suggested()), ["2 A: Usage (kWh) 2025-01-31..- 1.74296 kWh"]);
}

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_merged_header_over_groups_of_columns() {
    let table = Table::sheet(|sheet| {
        let plain = Format::new();
        sheet.merge_range(0, 0, 0, 5, "Energy 2025", &plain).unwrap();
        sheet.merge_range(1, 0, 2, 0, "Site", &plain).unwrap();
        sheet.merge_range(1, 1, 2, 1, "Date", &plain).unwrap();
        sheet.merge_range(1, 2, 1, 3, "Power", &plain).unwrap();
        sheet.merge_range(1, 4, 1, 5, "Gas", &plain).unwrap();
        row(sheet, 2, &["", "", "kWh", "EUR", "kWh", "EUR"]);
        row(sheet, 3, &["A", "2025-01-31"]);
        for (column, number) in (2..).zip([10.5, 1.0, 20.25, 2.0]) {
            sheet.write(3, column, number).unwrap();
        }
    });
    let map = table.suggested();
    has(&map, "header = [2, 3]");
    let rows = ["4 A: Power kWh 2025-01-31..- 10.5 kWh", "4 A: Gas kWh 2025-01-31..- 20.25 kWh"];
    assert_eq!(table.read(&map), rows);
}

#[test]
fn hidden_sheets_are_not_taken_for_the_table() {
    let table = Table::book(|book| {
        row(book.add_worksheet().set_name("Lists").unwrap().set_hidden(true), 0, &["kWh", "MWh"]);
        let sheet = book.add_worksheet().set_name("2025").unwrap();
        sheet.set_active(true);
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
        row(sheet, 1, &["A", "2025-01-31", "", "MWh"]);
        sheet.write(1, 2, 3).unwrap();
    });
    let map = table.suggested();
    has(&map, "sheet = \"2025\"");
    assert_eq!(table.read(&map), ["2 A 2025-01-31..- 3 MWh"]);
}

#[test]
fn formulas_with_errors_are_refused_row_by_row() {
    let table = Table::sheet(|sheet| {
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
        for (at, result) in (1..).zip(["12.5", "#DIV/0!", "#REF!", "7"]) {
            row(sheet, at, &["A", "2025-01-31", "", "kWh"]);
            sheet.write_formula(at, 2, Formula::new("=B1/C1").set_result(result)).unwrap();
        }
    });
    let rows = table.read(&table.suggested());
    assert_eq!((rows[0].as_str(), rows[3].as_str()), ("2 A 2025-01-31..- 12.5 kWh", "5 A 2025-01-31..- 7 kWh"));
    assert_eq!(rows[1], "3 WRONG  has #DIV/0! in column \"Usage\": mend the formula, or what it refers to");
    assert!(rows[2].contains("#REF!"), "{}", rows[2]);
}

#[test]
fn a_formula_without_a_saved_result_is_a_reason_and_one_that_says_nothing_is_an_empty_cell() {
    // As programs write them that compute nothing: the first has no result, the second the empty text.
    let cell = |row: u32, formula: &str| {
        format!(
            "<row r=\"{row}\"><c r=\"A{row}\" t=\"inlineStr\"><is><t>A</t></is></c><c r=\"B{row}\" t=\"inlineStr\"><is><t>\
             2025-01-31</t></is></c>{formula}<c r=\"D{row}\" t=\"inlineStr\"><is><t>kWh</t></is></c></row>"
        )
    };
    let table = Table::sheet(|sheet| {
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
    });
    let Table::Book(bytes) = &table else { unreachable!() };
    let rows = [
        cell(2, "<c r=\"C2\"><v>12.5</v></c>"),
        cell(3, "<c r=\"C3\"><f>C2*2</f></c>"),
        cell(4, "<c r=\"C4\"><f>C2*2</f><v></v></c>"),
        cell(5, "<c r=\"C5\" t=\"str\"><f>IF(A1=1,1,\"\")</f><v></v></c>"),
        cell(6, "<c r=\"C6\"><f>C2*2</f><v>25</v></c>"),
    ];
    let mut old = zip::ZipArchive::new(Cursor::new(bytes.clone())).unwrap();
    let parts: Vec<(String, String)> = (0..old.len())
        .map(|at| {
            let mut part = old.by_index(at).unwrap();
            let mut text = String::new();
            part.read_to_string(&mut text).unwrap();
            let name = part.name().unwrap().into_owned();
            let is_sheet = name.ends_with("sheet1.xml");
            (
                name,
                if is_sheet { text.replace("</sheetData>", &format!("{}</sheetData>", rows.concat())) } else { text },
            )
        })
        .collect();
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let map = "[[activity]]\nname = \"{Site}\"\nstartDate = \"{Date}\"\nquantity = \"{Usage}\"\nunit = \"{Unit}\"\n\
               skip = { empty = \"Usage\" }\n";
    let read = Table::Book(archive(&parts)).read(map);
    assert_eq!(read[0], "2 A 2025-01-31..- 12.5 kWh");
    for (row, line) in [(&read[1], 3), (&read[2], 4)] {
        assert!(
            row.starts_with(&format!(
                "{line} WRONG  has a formula without a saved result in column \"Usage\": open the"
            )),
            "{row}"
        );
    }
    assert_eq!(read[3], "6 A 2025-01-31..- 25 kWh");
    assert_eq!(read.len(), 4);
}

#[test]
fn rows_that_stand_twice_come_in_twice_and_a_unit_that_is_missing_is_said_by_hand() {
    let table = Table::sheet(|sheet| {
        row(sheet, 0, &["Vehicle", "Fuel", "Refuelled on", "Quantity"]);
        for at in 1..3 {
            row(sheet, at, &["Van 7", "Diesel", "2025-01-31"]);
            sheet.write(at, 3, 40).unwrap();
        }
    });
    let map = table.suggested();
    for line in ["# unit = \"kWh\"", "# product = \"{Fuel}\"", "# syncId"] {
        has(&map, line);
    }
    let map = mended(&mended(&map, "unit", "\"L\""), "quantity", "\"{Quantity}\"");
    assert_eq!(table.read(&map), ["2 Diesel 2025-01-31..- 40 L", "3 Diesel 2025-01-31..- 40 L"]);
}

#[test]
fn an_open_document_with_repeated_cells() {
    let content = r#"<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="Data"><table:table-row><table:table-cell office:value-type="string"><text:p>Site</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Date</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Usage (kWh)</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><text:p>A</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2025-01-31"><text:p>31.01.25</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="0.30000000000000004"><text:p>0.3</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16381"/></table:table-row><table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#;
    let table = Table::Book(archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content),
        (
            "META-INF/manifest.xml",
            r#"<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>"#,
        ),
    ]));
    let rows = table.read(&table.suggested());
    assert_eq!(rows, ["2 A: Usage (kWh) 2025-01-31..- 0.3 kWh", "3 A: Usage (kWh) 2025-01-31..- 0.3 kWh"]);
}

/// An .ods of one sheet whose cells are texts and numbers as such a file has them; what begins with `#` or `Err:` failed.
fn open_document(rows: &[&[&str]]) -> Table {
    let cell = |text: &&str| {
        let kind = if text.parse::<f64>().is_ok() {
            format!("office:value-type=\"float\" office:value=\"{text}\"")
        } else if text.starts_with(['#', 'E']) {
            "table:formula=\"of:=1/0\" office:value-type=\"string\" office:string-value=\"\" calcext:value-type=\"error\""
                .to_owned()
        } else {
            "office:value-type=\"string\"".to_owned()
        };
        format!("<table:table-cell {kind}><text:p>{text}</text:p></table:table-cell>")
    };
    let row =
        |row: &&[&str]| format!("<table:table-row>{}</table:table-row>", row.iter().map(cell).collect::<String>());
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
         xmlns:calcext=\"urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0\"><office:body>\
         <office:spreadsheet><table:table table:name=\"Data\">{}</table:table></office:spreadsheet></office:body>\
         </office:document-content>",
        rows.iter().map(row).collect::<String>()
    );
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    for (name, text) in [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", content.as_str()),
    ] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
    }
    Table::Book(archive.finish().unwrap().into_inner())
}

#[test]
fn failed_formulas_of_an_open_document_reject_their_rows_and_are_no_nulls() {
    let table = open_document(&[
        &["Site", "Date", "Usage", "Unit"],
        &["A", "2025-01-31", "10", "kWh"],
        &["B", "2025-01-31", "#N/A", "kWh"],
        &["C", "2025-01-31", "Err:502", "kWh"],
        &["D", "#DIV/0!", "5", "kWh"],
    ]);
    let map = table.suggested();
    assert!(!map.contains("nulls") && !map.contains("skip"), "{map}");
    let rows = table.read(&map);
    assert_eq!(rows[0], "2 A 2025-01-31..- 10 kWh");
    for (row, told) in
        rows[1..].iter().zip(["3 WRONG  has #N/A in", "4 WRONG  has Err:502 in", "5 WRONG  has #DIV/0! in"])
    {
        assert!(row.starts_with(told), "{row}");
    }
    assert_eq!(rows.len(), 4);
    // In a text they are no nulls either: the row is refused.
    let table = Table::text("Site,Date,Usage,Unit\nA,2025-01-31,10,kWh\nB,2025-01-31,#N/A,kWh\n");
    let map = table.suggested();
    assert!(!map.contains("nulls"), "{map}");
    assert!(table.read(&map)[1].starts_with("3 WRONG"), "{map}");
}
