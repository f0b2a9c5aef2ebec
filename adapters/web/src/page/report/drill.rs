//! Where a figure of the report leads: to exactly the activities that it is made of.

use ports::inbound::Label;
use uuid::Uuid;

use super::super::question::{activities, level};
use super::Asked;
use super::pivot::{Column, Key};
use crate::address::Address;
use crate::filter::{Dimension, Filter};
use crate::here::Here;

/// A row as a figure of it is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of<'a> {
    /// With everything below.
    All(&'a Key),
    /// Alone, though there are others below.
    Own(&'a Label),
}

/// The address of what is behind the figure in that row and column.
pub(super) fn address(here: &Here, asked: &Asked, row: Option<Of<'_>>, column: Option<&Column>) -> Address {
    let mut filter = Some((asked.filter.clone(), None));
    match row {
        None => {}
        Some(Of::All(key)) => filter = filter.and_then(|filter| narrowed(here, asked, filter, 0, key)),
        Some(Of::Own(_)) => filter = None,
    }
    if let Some(column) = column {
        let position = usize::from(asked.by.len() > 1);
        let said = filter.filter(|_| !column.is_own);
        filter = said.and_then(|filter| narrowed(here, asked, filter, position, &Key::of(&column.label)));
    }
    match filter {
        Some((filter, extra)) => extra
            .into_iter()
            .fold(activities(&filter), |address, (name, value): (&str, String)| address.with(name, value)),
        None => line(asked, row, column),
    }
}

type Narrowed = (Filter, Option<(&'static str, String)>);

/// The filter narrowed to that key of that dimension; `None` where no filter says it.
fn narrowed(here: &Here, asked: &Asked, (filter, extra): Narrowed, position: usize, key: &Key) -> Option<Narrowed> {
    use ports::inbound::BreakdownBy as By;
    let by = *asked.by.get(position)?;
    match (by, key) {
        (By::Time(_), Key::Word(name)) => Some((filter.dated(name, here.company.year_start), extra)),
        (By::Product, Key::Record(id)) => Some((filter, Some(("product", id.to_string())))),
        (By::Scope | By::Org | By::Taxonomy, Key::Record(id)) => Some((filter.at(Dimension::of(by)?, *id), extra)),
        (By::Scope, Key::Without) if asked.filter.scope.is_none() => {
            Some((filter, Some(("uncategorized", "true".to_owned()))))
        }
        _ => None,
    }
}

/// The explanation of a line, which names its activities one by one.
fn line(asked: &Asked, row: Option<Of<'_>>, column: Option<&Column>) -> Address {
    let by: Vec<_> = asked.by.iter().map(|by| by.word()).collect();
    let (key, depth) = match row {
        Some(Of::Own(label)) => (Some(label.key()), level(Some(label)) + 1),
        Some(Of::All(key)) => (Some(word(key)), asked.whole_depth()),
        None => (None, asked.whole_depth()),
    };
    // Of a table of two dimensions, a row or a column as a whole is a line of a report by that one alone.
    let (by, line) = match (key, column) {
        (Some(row), Some(column)) => (by.join(","), format!("{row},{}", column.label.key())),
        (Some(row), None) => (by.first().copied().unwrap_or_default().to_owned(), row),
        (None, Some(column)) => (by.last().copied().unwrap_or_default().to_owned(), column.label.key()),
        (None, None) => (by.join(","), String::new()),
    };
    let address = Address::to("/report/explanation").with("by", by).with_some("depth", (depth > 1).then_some(depth));
    address.with_some("line", (!line.is_empty()).then_some(line)).filtered(&asked.filter)
}

fn word(key: &Key) -> String {
    match key {
        Key::Record(id) => Uuid::to_string(id),
        Key::Word(word) => word.clone(),
        Key::Without => "none".to_owned(),
    }
}
