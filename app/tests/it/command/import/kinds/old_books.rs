//! Workbooks of Excel 97 to 2003, written here record by record.

use std::io::{Cursor, Write as _};

use flate2::{Compression, write::GzEncoder};

use super::{Kind, POWER};

/// A cell of the sheet.
enum Cell {
    Text(&'static str),
    Number(f64),
}

use Cell::{Number, Text};

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &u16::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
}

/// An .xls of one sheet with those rows.
fn book(rows: &[[Cell; 4]]) -> Vec<u8> {
    let begin = |kind: u8| record(0x0809, &[0, 6, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let sheet = |place: u32| record(0x0085, &[&place.to_le_bytes()[..], &[0, 0, 4, 0], b"2025"].concat());
    let end = record(0x000a, &[]);
    let start = u32::try_from(begin(5).len() + sheet(0).len() + end.len()).unwrap();
    let mut stream = [begin(5), sheet(start), end.clone(), begin(0x10)].concat();
    for (row, cells) in (0_u16..).zip(rows) {
        for (column, cell) in (0_u16..).zip(cells) {
            let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
            stream.extend(match cell {
                Number(number) => record(0x0203, &[&place[..], &number.to_le_bytes()].concat()),
                Text(text) => {
                    let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                    let length = u16::try_from(letters.len() / 2).unwrap().to_le_bytes();
                    record(0x0204, &[&place[..], &length, &[1], &letters].concat())
                }
            });
        }
    }
    stream.extend(end);
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    file.create_stream("/Workbook").unwrap().write_all(&stream).unwrap();
    file.into_inner().into_inner()
}

#[test]
fn numbers_and_texts_of_an_old_workbook_compressed_or_not() {
    let plain = book(&[
        [Text("Site"), Text("Date"), Text("Usage"), Text("Unit")],
        // Numbers of 17 digits are those of 15 that a reader sees.
        [Text("Zürich"), Text("2025-01-31"), Number(0.1 + 0.2), Text("kWh")],
        [Text("Łódź"), Text("2025-02-28"), Number(1_234_567.25), Text("kWh")],
    ]);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain).unwrap();
    for (file, bytes) in [("old.xls", plain), ("old.xls.gz", encoder.finish().unwrap())] {
        Kind { file, bytes, mends: &[POWER], created: 2, rejected: &[], skipped: 0, total: "493827.02" }
            .goes_the_whole_way();
    }
}
