//! Tables, with a map and without one.

use files::{CsvRows, Map};
use ports::inbound::RowDraft;

use super::check;

/// What is between the map and the table of an input.
const BETWEEN: &[u8] = b"\n----\n";
const MOST_BYTES: usize = 2_000;
const MAP: &str = include_str!("../../../../docs/examples/seattle-buildings.toml");
const SAMPLES: [&str; 3] = [
    "[table]\ndecimal = \",\"\nthousands = \".\"\ndates = [\"DD.MM.YYYY\"]\nnulls = [\"-\"]\n\n[[activity]]\nname = \"{Name}\"\nsyncId = \"x-{Id}\"\nstartDate = \"{Day}\"\nquantity = \"{Amount}\"\nunit = { value = \"kWh\" }\n----\nId,Name,Day,Amount\n1,Gas,31.12.2024,\"1.234,50\"\n2,-,1.1.2025,x\n",
    "\n----\nname,startDate,syncId,quantity,unit\nGas,2025-01-01,1,12.5,kWh\n\"a\nb\",2025,,,\n",
    "\n----\n\u{feff}syncId;name\r\n\"1\"\"\";x\r\n",
];

#[test]
fn a_table_gives_rows_in_its_order_or_says_what_is_wrong_with_it() {
    let mut samples: Vec<Vec<u8>> = SAMPLES.iter().map(|text| text.as_bytes().to_vec()).collect();
    let table = include_str!("../../../../docs/examples/seattle-buildings.csv");
    let beginning = table.lines().take(4).collect::<Vec<_>>().join("\n");
    samples.push([MAP.as_bytes(), BETWEEN, beginning.as_bytes()].concat());
    let words = [
        "[table]",
        "[[activity]]",
        "[common]",
        "delimiter = \"\\t\"",
        "header = 3",
        "skip = [",
        "{Name}",
        "{{",
        "}}",
        "\"\"",
        "encoding = \"utf-8\"",
        "dates = [\"MM/DD/YY\"]",
        "\r\n",
        "\n----\n",
        "intensity = {",
        "org = { syncId = \"{Id}\" }",
    ];
    check("map", &samples, &words, |input| {
        let at = input.windows(BETWEEN.len()).position(|bytes| bytes == BETWEEN);
        let (map, table) = at.map_or((&[][..], input), |at| (&input[..at], &input[at + BETWEEN.len()..]));
        let map = String::from_utf8_lossy(map);
        let plain = match CsvRows::new(table, MOST_BYTES) {
            Ok(rows) => judged(rows.map(Result::unwrap), table, 1),
            Err(error) => error.to_string(),
        };
        assert!(!plain.is_empty());
        let mapped = match Map::parse(&map) {
            Ok(known) => match known.rows(table, MOST_BYTES) {
                Ok(rows) => {
                    judged(rows.map(Result::unwrap), table, map.matches("[[").count() + map.matches('{').count())
                }
                Err(error) => error.to_string(),
            },
            Err(error) => {
                assert!(!Map::refusal(&map, table, MOST_BYTES).to_string().is_empty());
                error.to_string()
            }
        };
        assert!(!mapped.is_empty());
        format!("{plain:.40}; {mapped}")
    });
}

/// What rows there are: in the order of their lines, each fault in words, not more than the table has lines for.
fn judged(rows: impl Iterator<Item = RowDraft>, table: &[u8], each: usize) -> String {
    let lines = table.split(|byte| matches!(byte, b'\n' | b'\r')).count();
    let (mut last, mut count, mut words) = (0, 0, String::from("rows: "));
    for row in rows {
        assert!(row.line >= last, "line {} after {last}", row.line);
        (last, count) = (row.line, count + 1);
        for fault in row.draft.faults.as_slice() {
            assert!(!fault.detail.is_empty());
            words.push_str(&fault.detail);
        }
    }
    assert!(count <= lines * each.max(1), "{count} rows of {lines} lines");
    words
}
