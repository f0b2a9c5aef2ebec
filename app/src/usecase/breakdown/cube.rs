//! Breaking down what the cube knows: by nodes and stretches of time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use domain::{Filter, Period, SeriesKey, Totals, breakdown, breakdown_by_gas, breakdown_by_quality, report};
use ports::ReadModel;
use ports::inbound::{Error, Whole};

use super::question::Question;
use super::sums::{About, Records, Sums, of_part, records};

/// So many parts of a period are added up without leaving the thread: that takes a few milliseconds at most.
const PARTS_AT_ONCE: usize = 32;
/// So many parts are added up before their rows are counted, of which a table has a limited number.
const PARTS_OF_A_TABLE: usize = 16;

/// What the activities that the filter selects come to, whole and row by row; what is outdated is not counted.
pub(super) async fn sums(
    read_model: &Arc<ReadModel>,
    question: &Question,
    filter: Filter,
) -> Result<(Whole, Sums), Error> {
    let catalog = read_model.catalog();
    let found = report(read_model.cube(), &filter, &|id| catalog.class(id));
    let whole = Whole { first: found.first, last: found.last, totals: found.totals, outdated: 0 };
    let sums = Sums::new(question, filter.period, (found.first, found.last))?;
    if sums.parts.len() <= PARTS_AT_ONCE {
        return Ok((whole, add_up(read_model, question, &filter, sums)?));
    }
    let (read_model, question) = (Arc::clone(read_model), question.clone());
    let work = tokio::task::spawn_blocking(move || add_up(&read_model, &question, &filter, sums));
    Ok((whole, work.await.map_err(|error| Error::Failed(Box::new(error)))??))
}

fn add_up(read_model: &ReadModel, question: &Question, filter: &Filter, mut sums: Sums) -> Result<Sums, Error> {
    let catalog = read_model.catalog();
    // Every part of the period has nearly the same series, and walking up the trees costs more than adding.
    let known: RefCell<HashMap<SeriesKey, Records>> = RefCell::default();
    let key = |series: &SeriesKey| {
        *known.borrow_mut().entry(*series).or_insert_with(|| records(catalog, question, series, None))
    };
    let parts = sums.parts.clone();
    for (chunk, begin) in parts.chunks(PARTS_OF_A_TABLE).zip((0..).step_by(PARTS_OF_A_TABLE)) {
        for (part, records, totals) in rows(read_model, question, filter, chunk, &key) {
            let number = begin + chunk.iter().take_while(|one| **one != part).count();
            sums.add((number, records), &totals)?;
        }
    }
    Ok(sums)
}

/// The rows of those parts of the period.
fn rows(
    read_model: &ReadModel,
    question: &Question,
    filter: &Filter,
    parts: &[Period],
    key: &dyn Fn(&SeriesKey) -> Records,
) -> Vec<(Period, Records, Totals)> {
    let (cube, catalog) = (read_model.cube(), read_model.catalog());
    let class = |id| catalog.class(id);
    let of = |records, about| of_part(question, records, about);
    if question.is_by_gas() {
        let found = breakdown_by_gas(cube, filter, &class, parts, key).into_iter();
        found.map(|(part, (records, gas), totals)| (part, of(records, About::Gas(gas)), totals)).collect()
    } else if question.is_by_quality() {
        let found = breakdown_by_quality(cube, filter, &class, parts, key).into_iter();
        found.map(|(part, (records, quality), totals)| (part, of(records, About::Quality(quality)), totals)).collect()
    } else {
        breakdown(cube, filter, &class, parts, key)
    }
}
