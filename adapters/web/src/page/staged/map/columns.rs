//! A select for each column, and texts for what no column says.

use files::{ColumnMap, MAP_FIELDS, Map, PERIOD, is_said};
use maud::{Markup, html};
use ports::inbound::{Doubt, SniffedTable, WrittenForm};

use super::faults::MapFaults;
use crate::form::Fields;

/// The fields that a text is offered for where nothing is written in it yet; any other is written in the map.
const OFFERED: [&str; 12] = [
    "name",
    "syncId",
    "startDate",
    "endDate",
    "quantity",
    "unit",
    "product",
    "scope",
    "org",
    "taxonomy",
    "CO2eUnit",
    "quality",
];

/// The map that the selects and texts of a form make of the map `before` that the form was made from, of which `base` is the text;
/// and which doubts were decided otherwise than it says, each with the way.
pub(super) fn chosen(
    fields: &Fields,
    base: &str,
    before: &ColumnMap,
    sniffed: &SniffedTable,
    faults: &mut MapFaults,
) -> (ColumnMap, Vec<(usize, usize)>) {
    let mut map = before.clone();
    let names = own_names(sniffed);
    let mut columns: Vec<(String, String)> = Vec::new();
    for (index, column) in sniffed.columns.iter().enumerate().filter(|(_, column)| column.has_own_name) {
        let Some(field) = fields.filled(&format!("column-{index}")) else { continue };
        if let Some((other, _)) = columns.iter().find(|(_, chosen)| overlap(chosen, field)) {
            faults
                .of_column(&column.name, format!("is the same as {other:?}; one column says it, or a text names both"));
            continue;
        }
        columns.push((column.name.clone(), field.to_owned()));
    }
    let mut texts: Vec<(String, String)> = Vec::new();
    for (field, _) in MAP_FIELDS {
        let Some(text) = fields.filled(&format!("text-{field}")) else { continue };
        match columns.iter().find(|(_, chosen)| overlap(chosen, field)) {
            // A column takes the place of what the map said before.
            Some(_) if map.text_of(field, &names) == Some(text) => {}
            Some((column, _)) => faults.of_field(field, format!("is said by the column {column:?} already")),
            None => texts.push((field.to_owned(), text.to_owned())),
        }
    }
    map.choose(&columns, &texts);
    let said = Map::of_what_is_sound(base);
    let mut decisions = Vec::new();
    for (index, doubt) in sniffed.doubts.iter().enumerate() {
        let decided = fields.get(&format!("doubt-{index}")).and_then(|way| way.parse::<usize>().ok());
        let Some((way, reading)) = decided.and_then(|way| Some((way, doubt.readings.get(way)?))) else { continue };
        if !said.as_ref().is_some_and(|said| is_said(said, doubt, &reading.form)) {
            decide(&mut map, doubt, &reading.form);
            decisions.push((index, way));
        }
    }
    (map, decisions)
}

/// Has a map say how the column of a doubt is written.
pub(super) fn decide(map: &mut ColumnMap, doubt: &Doubt, form: &WrittenForm) {
    let ways: Vec<WrittenForm> = doubt.readings.iter().map(|reading| reading.form.clone()).collect();
    map.decide(&doubt.column, form, &ways);
}

/// The columns that a map can name.
fn own_names(sniffed: &SniffedTable) -> Vec<String> {
    sniffed.columns.iter().filter(|column| column.has_own_name).map(|column| column.name.clone()).collect()
}

/// Whether two choices say the same field.
fn overlap(one: &str, other: &str) -> bool {
    let days = |field: &str| matches!(field, "startDate" | "endDate");
    one == other || (one == PERIOD.0 && days(other)) || (other == PERIOD.0 && days(one))
}

/// The rows of the table of columns, and the texts below it.
pub(super) fn selects(map: &ColumnMap, sniffed: &SniffedTable, faults: &MapFaults) -> Markup {
    let names = own_names(sniffed);
    let text = |field: &str| map.text_of(field, &names);
    let is_offered = |field: &str| {
        OFFERED.contains(&field) || text(field).is_some() || !faults.at_text(map, &names, field).is_empty()
    };
    let texts: Vec<_> = MAP_FIELDS.iter().filter(|(field, _)| is_offered(field)).collect();
    let is_open =
        texts.iter().any(|(field, _)| text(field).is_some() || !faults.at_text(map, &names, field).is_empty());
    html! {
        div.scroll tabindex="0" role="region" aria-label="The columns" { table {
            caption { "What each column is" }
            thead { tr { th scope="col" { "Column" } th scope="col" { "First cells" } th scope="col" { "Becomes" } } }
            tbody { @for (index, column) in sniffed.columns.iter().enumerate() {
                tr {
                    th.clip scope="row" title=(column.name) { @if column.name.is_empty() { span.muted { "without a name" } } @else { (column.name) } }
                    td.clip { (column.examples.join(" · ")) }
                    td.field {
                        @if column.has_own_name { (select(map, index, &column.name, faults)) }
                        @else { span.muted { "left out: a map cannot name it" } }
                    }
                }
            } }
        } }
        details open[is_open] {
            summary { "Texts that are the same in all rows, or made of several columns" }
            div.form {
                @for (field, label) in texts {
                    @let wrong = faults.at_text(map, &names, field);
                    @let id = format!("text-{field}");
                    label.field {
                        span { (label) }
                        input name=(id) value=(text(field).unwrap_or_default()) autocomplete="off" aria-invalid=[(!wrong.is_empty()).then_some("true")]
                            aria-describedby=[(!wrong.is_empty()).then(|| format!("{id}-fault"))];
                        (told(&id, &wrong))
                    }
                }
                p.small.muted { "A column in braces stands for its cell: " code { "{Site}: {Fuel}" } "." }
            }
        }
        @let others = map.others();
        @if !others.is_empty() {
            p.small { "The map also says, and goes on saying: " @for other in others { code { (other) } " " } }
        }
    }
}

fn select(map: &ColumnMap, index: usize, column: &str, faults: &MapFaults) -> Markup {
    let (chosen, wrong) = (map.field_of(column), faults.at_column(map, column));
    let id = format!("column-{index}");
    html! {
        select name=(id) aria-label=(format!("What {column} is")) aria-invalid=[(!wrong.is_empty()).then_some("true")]
            aria-describedby=[(!wrong.is_empty()).then(|| format!("{id}-fault"))] {
            option value="" { "leave out" }
            @for (field, label) in [PERIOD].iter().chain(&MAP_FIELDS) { option value=(field) selected[chosen == Some(*field)] { (label) } }
        }
        (told(&id, &wrong))
    }
}

fn told(id: &str, wrong: &[String]) -> Markup {
    html! { @if !wrong.is_empty() { span.fault id=(format!("{id}-fault")) { @for one in wrong { "! " (one) ". " } } } }
}
