//! Rows of NDJSON.

use files::{Members, NdjsonRows, activity_draft, parse};

use super::check;

const SAMPLES: [&str; 3] = [
    "{\"name\":\"Gas\",\"startDate\":\"2025-01-01\",\"quantity\":\"12.50\",\"unit\":\"kWh\",\"org\":{\"syncId\":\"n\"}}\n",
    "\u{feff}{\"name\":\"a\",\"syncId\":\"1\",\"startDate\":\"2025-01-01\",\"UpstreamCO2e\":1}\r\n\r\n{\"name\":null}\n[1]\n",
    "{\"uuid\":\"0190a000-0000-7000-8000-000000000001\",\"supplied\":{\"upstream\":\"1\"},\"CO2e\":\"1\"}",
];
const MOST_BYTES: usize = 2_000;

#[test]
fn each_line_is_a_row_by_itself_whatever_is_around_it() {
    let words =
        ["\n", "\r\n", "\u{feff}", "\"endDate\":", "\"product\":{\"uuid\":", "\"DownstreamCO2e\":", "null", "}{", "\0"];
    check("ndjson", &SAMPLES.map(|text| text.as_bytes().to_vec()), &words, |input| {
        let rows: Vec<_> = NdjsonRows::new(input, MOST_BYTES).map(Result::unwrap).collect();
        let lines: Vec<_> = input.split(|byte| *byte == b'\n').collect();
        assert!(rows.len() <= lines.len());
        assert!(rows.windows(2).all(|two| two[0].line < two[1].line));
        let mut words = String::new();
        for row in &rows {
            let line = lines[usize::try_from(row.line).unwrap() - 1];
            let faults = row.draft.faults.as_slice();
            assert!(faults.iter().all(|fault| !fault.detail.is_empty()));
            let line = if row.line == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
            match parse(line.trim_ascii(), 8) {
                Ok(json) if line.len() < MOST_BYTES - 3 => {
                    assert_eq!(row.draft, activity_draft(&json, Members::WholeRecord));
                }
                _ => assert!(!faults.is_empty(), "a line that cannot be read is said to be"),
            }
            words.push_str(faults.first().map_or("a row", |fault| &fault.detail));
        }
        words
    });
}
