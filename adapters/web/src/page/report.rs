//! The report broken down: by one or two dimensions, as a table whose rows open, or as a chart.

mod answer;
mod chart;
mod drill;
pub(crate) mod explanation;
mod names;
mod pivot;
mod table;

use actix_web::HttpResponse;
use domain::Period;
use files::{Look, breakdown_table};
use http::edge::{self, Failure};
use ports::inbound::{BreakdownBy, BreakdownQuery};
use uuid::Uuid;

use super::question::{bar, faults_of, faulty, years};
use crate::address::Address;
use crate::csv;
use crate::figure::Digits;
use crate::filter::{Days, Dimension, Filter};
use crate::filter_bar::Choices;
use crate::here::Here;
use crate::params::Params;

const TITLE: &str = "Report";
const SECTION: &str = "/report";
/// What rows and columns are unless given.
const BY: &str = "org,month";
/// The most levels that are shown at once.
const MOST_LEVELS: usize = 20;
/// So many levels are told apart above a node whose place is not known.
const UNKNOWN_LEVELS: usize = 12;
/// The most nodes that are opened or closed by themselves.
const MOST_FLIPPED: usize = 100;

/// What is asked of the report.
#[derive(Clone, Debug)]
struct Asked {
    filter: Filter,
    by: Vec<BreakdownBy>,
    /// How many levels of a tree are open.
    depth: usize,
    /// The nodes that are not as the depth says: open below it, closed above.
    flipped: Vec<Uuid>,
    compare: Option<Days>,
    digits: Digits,
    view: View,
    /// Whether a file is asked for.
    csv: bool,
    /// How many levels are above the nodes that the filter names: the tree is shown from those on.
    above: usize,
}

/// How the report is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum View {
    #[default]
    Table,
    Chart,
}

impl Asked {
    fn take(params: &mut Params, here: &Here) -> Self {
        let years = here.company.year_start;
        let by = params
            .read("by", BreakdownBy::parse_list)
            .unwrap_or_else(|| BreakdownBy::parse_list(BY).unwrap_or_default());
        Self {
            filter: Filter::take(params, years),
            by,
            depth: params.read("depth", level).unwrap_or(1),
            flipped: params.read("flip", identifiers).unwrap_or_default(),
            compare: params.read("compare", |text| Days::named(text, years)),
            digits: Digits::take(params),
            view: params.word("view", &[("chart", View::Chart), ("table", View::Table)]).unwrap_or_default(),
            csv: params.word("form", &[("csv", true)]).unwrap_or(false),
            above: 0,
        }
    }

    /// The address without the filter.
    fn page(&self) -> Address {
        let by: Vec<_> = self.by.iter().map(|by| by.word()).collect();
        let flipped: Vec<_> = self.flipped.iter().map(Uuid::to_string).collect();
        Address::to("/report")
            .with("by", by.join(","))
            .with_some("depth", (self.depth > 1).then_some(self.depth))
            .with_some("flip", (!flipped.is_empty()).then(|| flipped.join(",")))
            .with_some("compare", self.compare.as_ref())
            .with_some("digits", self.digits.word())
            .with_some("view", (self.view == View::Chart).then_some("chart"))
    }

    fn address(&self) -> Address {
        self.page().filtered(&self.filter)
    }

    fn compared(&self) -> Option<Period> {
        self.compare.as_ref().map(Days::period)
    }

    /// How many levels are told apart, from the roots of the trees on.
    const fn whole_depth(&self) -> usize {
        self.depth + self.above
    }

    /// The node that the filter names in that dimension.
    fn root(&self, position: usize) -> Option<Uuid> {
        self.filter.node(Dimension::of(*self.by.get(position)?)?)
    }

    /// The question as the API is asked it.
    fn query(&self) -> BreakdownQuery {
        BreakdownQuery { compare: self.compared(), ..self.filter.breakdown(&self.by, self.whole_depth()) }
    }

    /// The question of the tree: one level more than any that is open, so that it is known which nodes have others below.
    fn of_tree(&self) -> BreakdownQuery {
        BreakdownQuery { depth: self.whole_depth() + self.flipped.len() + 1, ..self.query() }
    }

    /// Whether a node at that level is open.
    fn is_open(&self, id: Uuid, level: usize) -> bool {
        (level < self.depth) != self.flipped.contains(&id)
    }

    /// The same with a node opened or closed.
    fn flip(&self, id: Uuid) -> Self {
        let mut other = self.clone();
        match other.flipped.iter().position(|one| *one == id) {
            Some(at) => drop(other.flipped.remove(at)),
            None => other.flipped.push(id),
        }
        other
    }

    /// Whether a dimension is a tree.
    fn has_tree(&self) -> bool {
        self.by.iter().any(|by| Dimension::of(*by).is_some())
    }

    /// Whether activities are read one by one to answer it.
    fn takes_long(&self) -> bool {
        self.by.iter().any(|by| matches!(by, BreakdownBy::Product | BreakdownBy::Time(domain::Stretch::Day)))
    }
}

/// How many levels are above the nodes that the filter names in what the report is broken down by.
fn above(asked: &Asked, choices: &Choices) -> usize {
    let named = asked.by.iter().filter_map(|by| {
        let dimension = Dimension::of(*by)?;
        let id = asked.filter.node(dimension)?;
        let known = choices.all(dimension).iter().find(|choice| choice.id == id);
        // Of whoever may not read the catalog nothing is known but what the report says.
        Some(known.map_or(UNKNOWN_LEVELS, |choice| choice.path.len().saturating_sub(1)))
    });
    named.max().unwrap_or(0)
}

fn level(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_LEVELS).contains(number));
    number.ok_or_else(|| format!("is not a whole number from 1 to {MOST_LEVELS}"))
}

fn identifiers(text: &str) -> Result<Vec<Uuid>, String> {
    let found: Result<Vec<_>, _> = text.split(',').map(domain::parse_uuid).collect();
    let found = found.map_err(|_| "is not identifiers with commas between them".to_owned())?;
    if found.len() > MOST_FLIPPED {
        Err(format!("opens more than {MOST_FLIPPED} nodes; choose a depth"))
    } else {
        Ok(found)
    }
}

/// Answers GET of `/report`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let mut asked = Asked::take(&mut params, &here);
    let faults = params.finish();
    let (choices, years) = (Choices::find(&here).await?, years(&here).await?);
    asked.above = above(&asked, &choices);
    let bar = || bar(&here, &asked.filter, &choices, &asked.page(), &years);
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, SECTION, bar(), &faults));
    }
    let slot = if asked.takes_long() { Some(edge::stream_slot(here.request(), here.caller()).await?) } else { None };
    let query = if asked.csv { asked.query() } else { asked.of_tree() };
    let found = here.areas().breakdowns.breakdown(here.caller(), query).await;
    drop(slot);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Ok(faulty(&here, TITLE, SECTION, bar(), &faults_of(error)?)),
    };
    if asked.csv {
        let words: Vec<_> = asked.by.iter().map(|by| by.word()).collect();
        return csv::file(&format!("report-by-{}", words.join("-")), &breakdown_table(&found, Look::default()));
    }
    Ok(answer::page(&here, &asked, &found, &choices, bar()))
}
