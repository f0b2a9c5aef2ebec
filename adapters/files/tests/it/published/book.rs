//! Samples as workbooks: a cell that reads as a number becomes a number cell.

use std::io::{Cursor, Write as _};

use calamine::{Reader as _, Xlsx};
use rust_xlsxwriter::Workbook as Writer;

/// The rows of a CSV.
pub(super) fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The rows of a sheet of a workbook, from its first row and column on.
pub(super) fn sheet_rows(workbook: Vec<u8>, sheet: &str) -> Vec<Vec<String>> {
    let mut workbook = Xlsx::new(Cursor::new(workbook)).unwrap();
    let range = workbook.worksheet_range(sheet).unwrap();
    let (above, before) = range.start().unwrap();
    let empty = std::iter::repeat_n(Vec::new(), above as usize);
    let row = |row: &[calamine::Data]| {
        let cells = row.iter().map(ToString::to_string);
        std::iter::repeat_n(String::new(), before as usize).chain(cells).collect()
    };
    empty.chain(range.rows().map(row)).collect()
}

/// A workbook of those sheets.
pub(super) fn xlsx(sheets: &[(&str, &[Vec<String>])]) -> Vec<u8> {
    xlsx_with_hidden(sheets, &[])
}

/// The same with sheets behind them that are not shown.
pub(super) fn xlsx_with_hidden(shown: &[(&str, &[Vec<String>])], hidden: &[(&str, &[Vec<String>])]) -> Vec<u8> {
    let mut writer = Writer::new();
    for (place, (name, rows)) in shown.iter().chain(hidden).enumerate() {
        let sheet = writer.add_worksheet();
        sheet.set_name(*name).unwrap().set_hidden(place >= shown.len());
        for (row, cells) in (0..).zip(rows.iter()) {
            for (column, cell) in (0..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
                match cell.parse::<f64>() {
                    Ok(number) => sheet.write(row, column, number).unwrap(),
                    Err(_) => sheet.write(row, column, cell.as_str()).unwrap(),
                };
            }
        }
    }
    writer.save_to_buffer().unwrap()
}

/// A workbook of the older format, with one sheet.
pub(super) fn xls(name: &str, rows: &[Vec<String>]) -> Vec<u8> {
    let begin = |kind: u8| record(0x0809, &[0, 6, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let entry = |place: u32| {
        let head = [&place.to_le_bytes()[..], &[0, 0, u8::try_from(name.len()).unwrap(), 0]].concat();
        record(0x0085, &[&head[..], name.as_bytes()].concat())
    };
    let start = begin(5).len() + entry(0).len() + record(0x000a, &[]).len();
    let mut stream = [begin(5), entry(u32::try_from(start).unwrap()), record(0x000a, &[]), begin(0x10)].concat();
    for (row, cells) in (0_u16..).zip(rows) {
        for (column, cell) in (0_u16..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
            if let Ok(number) = cell.parse::<f64>() {
                stream.extend(record(0x0203, &[&place[..], &number.to_le_bytes()].concat()));
            } else {
                let letters: Vec<u8> = cell.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let length = u16::try_from(letters.len() / 2).unwrap().to_le_bytes();
                stream.extend(record(0x0204, &[&place[..], &length, &[1], &letters].concat()));
            }
        }
    }
    stream.extend(record(0x000a, &[]));
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    file.create_stream("/Workbook").unwrap().write_all(&stream).unwrap();
    file.into_inner().into_inner()
}

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &u16::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
}
