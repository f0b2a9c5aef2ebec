//! What the company leaves out on purpose, and why.

use domain::{Category, ExcludedPart};
use ports::inbound::StatementExclusion;

use super::ShownStatement;
use super::readable::{Note, Row, Section, Shown};

/// The exclusions of the year, with their reasons.
pub(super) fn exclusions(shown: ShownStatement<'_>) -> Section {
    let rows: Vec<Row> = shown
        .found
        .exclusions
        .iter()
        .map(|one| {
            let exclusion = &one.view.exclusion.value;
            let whose =
                one.view.org.as_ref().map_or_else(|| "the whole company".to_owned(), |org| org.name.to_string());
            let years = exclusion.years();
            let cells = vec![
                Shown::Text(part(one)),
                Shown::Text(whose),
                Shown::Text(if years.first() == years.last() {
                    format!("{:04}", years.first())
                } else {
                    format!("{:04} to {:04}", years.first(), years.last())
                }),
                Shown::text(&exclusion.reason),
            ];
            Row::new(cells, vec![shown.addresses().exclusion(exclusion.id)])
        })
        .collect();
    let notes = if rows.is_empty() {
        "Nothing is stated to be left out."
    } else {
        "An exclusion changes no figure: activities that were recorded nevertheless count as ever."
    };
    Section {
        sheet: "Exclusions",
        heading: "Exclusions".to_owned(),
        columns: ["what is left out", "for", "years", "reason"].map(str::to_owned).to_vec(),
        rows,
        notes: vec![Note::new(notes)],
    }
}

/// What an exclusion leaves out, in words.
fn part(one: &StatementExclusion) -> String {
    match (one.view.exclusion.value.part, &one.view.scope) {
        (ExcludedPart::Category(category), _) => format!("Scope 3, {}. {}", category.number(), category.title()),
        (ExcludedPart::Scope(_), Some(scope)) => format!("{} and all below it", scope.name),
        (ExcludedPart::Scope(id), None) => format!("scope {id} and all below it"),
    }
}

/// What is said of a category in which nothing was recorded.
pub(super) fn nothing(shown: ShownStatement<'_>, category: Category) -> Shown {
    let of_it: Vec<_> = shown.found.exclusions.iter().filter(|one| one.category == Some(category)).collect();
    if of_it.is_empty() {
        Shown::Absent("no activities recorded")
    } else if of_it.iter().any(|one| one.is_whole_category()) {
        Shown::Absent("excluded")
    } else {
        Shown::Absent("no activities recorded, excluded in part")
    }
}
