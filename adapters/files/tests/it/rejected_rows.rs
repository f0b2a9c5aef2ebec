//! Rejected rows, as they were.

use domain::Faults;
use tonne_files::{
    MAX_ROW_BYTES, Map, NdjsonRows, Reasons, Workbook, copy_rejected, copy_rejected_lines, copy_rejected_of_sheet,
};

fn reasons(of: &[(u64, &str, &str)]) -> Vec<u8> {
    let mut reasons = Reasons::new(Vec::new());
    for (line, pointer, detail) in of {
        reasons.write(*line, &Faults::one(*pointer, *detail)).unwrap();
    }
    reasons.finish().unwrap()
}

fn copied(source: &[u8], map: Option<&Map>, of: &[(u64, &str, &str)]) -> String {
    let mut target = Vec::new();
    copy_rejected(source, map, &reasons(of)[..], &mut target).unwrap();
    String::from_utf8(target).unwrap()
}

#[test]
fn rejected_rows_are_copied_with_their_reasons_behind_the_header() {
    let source = b"name,unit\n\"a, b\",x\ngood,kWh\nshort\n\nlast,\"two\nlines\"\n";
    let of = [(2, "/unit", "no unit"), (2, "/name", "no name"), (4, "", "is short"), (6, "", "is last")];
    let text = copied(source, None, &of);
    assert_eq!(
        text,
        "\u{feff}name,unit,rejectedBecause\n\"a, b\",x,line 2: unit: no unit; name: no name\n\
         short,,\"line 4: is short; fill in what is missing, and take away the empty cell at its end\",\n\
         last,\"two\nlines\",line 6: is last\n"
    );
    // Copied once more, the reasons are those of the second time.
    let again = copied(text.as_bytes(), None, &[(2, "", "still wrong")]);
    assert_eq!(again, "\u{feff}name,unit,rejectedBecause\n\"a, b\",x,line 2: still wrong\n");
}

#[test]
fn a_row_that_is_cut_short_stays_refused_until_it_is_mended() {
    let map = "[[activity]]\nname = \"{Site}\"\nstartDate = \"{Day}\"\ndescription = \"{Note}\"";
    let map = Map::parse(map).unwrap();
    let mut text = "Site,Day,Note\nA,2025-01-01\n".to_owned();
    for _ in 0..4 {
        text = copied(text.as_bytes(), Some(&map), &[(2, "", "has 2 cells")]);
        let rows: Vec<_> = map.rows(text.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 1);
        assert!(!rows[0].draft.faults.is_empty(), "{text}");
    }
    let mended = copied(b"Site,Day,Note\nA,2025-01-01\n", Some(&map), &[(2, "", "x")]).replace(",,line", ",late,line");
    let mended = mended.replace("end\",", "end\"").replace("x; fill in what is missing, and", "");
    let rows: Vec<_> = map.rows(mended.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
    assert!(rows[0].draft.faults.is_empty(), "{mended}: {}", rows[0].draft.faults);
}

#[test]
fn the_same_map_reads_the_copy() {
    let map = "[table]\ndelimiter = \";\"\nencoding = \"windows-1252\"\nheader = 4\n\
               [[activity]]\nname = \"{Ort}\"\nstartDate = \"{Tag}\"";
    let map = Map::parse(map).unwrap();
    let source = b"K\xf6ln;\"a\nb\"\n\nOrt;Tag\nK\xf6ln;2025-02-30\nBonn;2025-01-01\n";
    let text = copied(source, Some(&map), &[(5, "/startDate", "no day")]);
    assert!(text.ends_with("Ort;Tag;rejectedBecause\nK\u{f6}ln;2025-02-30;line 5: startDate: no day\n"), "{text}");
    let mended = text.replace("02-30", "02-28");
    let rows: Vec<_> = map.rows(mended.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].draft.name.given().unwrap().as_str(), "K\u{f6}ln");
    assert!(rows[0].draft.faults.is_empty(), "{}", rows[0].draft.faults);
}

#[test]
fn a_number_of_a_workbook_has_the_mark_of_its_column_in_the_copy() {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (at, name) in (0..).zip(["Site", "Day", "kWh", "kg"]) {
        sheet.write(0, at, name).unwrap();
    }
    sheet.write(1, 0, "Oslo").unwrap().write(1, 1, "2025-02-30").unwrap();
    sheet.write(1, 2, 1.234).unwrap().write(1, 3, 5.678).unwrap();
    let book = Workbook::open(Box::new(std::io::Cursor::new(book.save_to_buffer().unwrap()))).unwrap();
    let map = "[table]\ncolumns = { kWh = { decimal = \",\", thousands = \".\" } }\n[[activity]]\nname = \"{Site}\"\n\
               startDate = \"{Day}\"\nquantity = \"{kWh}\"\nunit = \"kWh\"\nUpstreamCO2e = \"{kg}\"\n";
    let map = Map::parse(map).unwrap();
    let mut copy = Vec::new();
    copy_rejected_of_sheet(book, None, Some(&map), &reasons(&[(2, "/startDate", "no day")])[..], &mut copy).unwrap();
    let mended = String::from_utf8(copy).unwrap().replace("02-30", "02-28");
    let rows: Vec<_> = map.rows(mended.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
    let draft = &rows[0].draft;
    assert!(draft.faults.is_empty(), "{mended}: {}", draft.faults);
    assert_eq!(draft.quantity.given().unwrap().to_string(), "1.234", "{mended}");
    assert_eq!(draft.upstream.given().unwrap().to_string(), "5.678", "{mended}");
}

#[test]
fn lines_of_json_get_a_member() {
    let source = b"{\"name\":\"a\"}\n{\"name\":\"b\"}\nno json\n{}\n";
    let copy = |source: &[u8], of: &[(u64, &str, &str)]| {
        let mut target = Vec::new();
        copy_rejected_lines(source, &reasons(of)[..], &mut target).unwrap();
        String::from_utf8(target).unwrap()
    };
    let text = copy(source, &[(2, "/name", "is \"b\""), (3, "", "x"), (4, "", "y")]);
    let lines = "{\"rejectedBecause\":\"line 2: name: is \\\"b\\\"\",\"name\":\"b\"}\nno json\n{\"rejectedBecause\":\"line 4: y\"}\n";
    assert_eq!(text, lines);
    assert_eq!(copy(text.as_bytes(), &[(1, "", "z")]), "{\"rejectedBecause\":\"line 1: z\",\"name\":\"b\"}\n");
    let row = NdjsonRows::new(text.as_bytes(), MAX_ROW_BYTES).next().unwrap().unwrap();
    assert!(
        !row.draft.faults.as_slice().iter().any(|fault| fault.pointer.contains("rejected")),
        "{}",
        row.draft.faults
    );
}
