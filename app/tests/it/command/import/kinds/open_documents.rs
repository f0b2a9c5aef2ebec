//! Workbooks of the open document format.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Kind, POWER};

/// An .ods of one sheet with those rows.
fn document(rows: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
         xmlns:calcext=\"urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0\"><office:body>\
         <office:spreadsheet><table:table table:name=\"Data\">{rows}</table:table></office:spreadsheet></office:body>\
         </office:document-content>"
    );
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    for (name, text) in [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", content.as_str()),
    ] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn text(text: &str) -> String {
    format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
}

fn number(number: &str) -> String {
    format!(
        "<table:table-cell office:value-type=\"float\" office:value=\"{number}\"><text:p>?</text:p></table:table-cell>"
    )
}

#[test]
fn repeated_rows_of_an_open_document_compressed_or_not() {
    let day = "<table:table-cell office:value-type=\"date\" office:date-value=\"2025-01-31\"><text:p>31.01.25</text:p>\
               </table:table-cell>";
    let rows = format!(
        "<table:table-row>{}{}{}</table:table-row><table:table-row table:number-rows-repeated=\"2\">{}{day}{}\
         <table:table-cell table:number-columns-repeated=\"16381\"/></table:table-row><table:table-row \
         table:number-rows-repeated=\"1048573\"><table:table-cell table:number-columns-repeated=\"16384\"/>\
         </table:table-row>",
        text("Site"),
        text("Date"),
        text("Usage (kWh)"),
        text("A"),
        number("0.30000000000000004"),
    );
    let plain = document(&rows);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain).unwrap();
    for (file, bytes) in [("repeated.ods", plain), ("repeated.ods.gz", encoder.finish().unwrap())] {
        Kind { file, bytes, mends: &[POWER], created: 2, rejected: &[], skipped: 0, total: "0.24" }
            .goes_the_whole_way();
    }
}

#[test]
fn failed_formulas_of_an_open_document() {
    let failed = "<table:table-cell table:formula=\"of:=1/0\" office:value-type=\"string\" office:string-value=\"\" \
                  calcext:value-type=\"error\"><text:p>#DIV/0!</text:p></table:table-cell>";
    let row = |cells: [String; 4]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let rows = [
        row(["Site", "Date", "Usage", "Unit"].map(text)),
        row([text("A"), text("2025-01-31"), number("10"), text("kWh")]),
        row([text("B"), text("2025-01-31"), failed.to_owned(), text("kWh")]),
    ];
    Kind {
        file: "failed.ods",
        bytes: document(&rows.concat()),
        mends: &[POWER],
        created: 1,
        rejected: &["line 3: the row has #DIV/0! in"],
        skipped: 0,
        total: "4",
    }
    .goes_the_whole_way();
}
