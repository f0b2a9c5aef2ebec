//! What is missing: a map of orgs or categories by month, activities without CO2e by reason, scopes that nothing is said of,
//! and what is left out on purpose.

mod map;
mod sections;

use actix_web::HttpResponse;
use domain::{Day, FaultCode, Stretch};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::inbound::{BreakdownBy, CompletenessQuery, CompletenessView};

use super::question::{bar, by_nodes, faults_of, faulty, years};
use crate::address::Address;
use crate::component::{self, Control, controls};
use crate::csv;
use crate::filter::{Days, Dimension, Filter};
use crate::filter_bar::{Choices, words};
use crate::here::Here;
use crate::layout::Layout;
use crate::params::Params;
use map::Map;

const TITLE: &str = "Completeness";
const SECTION: &str = "/completeness";
/// What the rows of the map can be.
const ROWS: [(&str, Dimension); 2] = [("org", Dimension::Org), ("taxonomy", Dimension::Taxonomy)];

/// What is asked of the page.
#[derive(Clone, Debug)]
struct Asked {
    filter: Filter,
    by: Dimension,
    csv: bool,
}

impl Asked {
    fn take(params: &mut Params, here: &Here) -> Self {
        Self {
            filter: Filter::take(params, here.company.year_start),
            by: params.word("by", &ROWS).unwrap_or(Dimension::Org),
            csv: params.word("form", &[("csv", true)]).unwrap_or(false),
        }
    }

    /// The address without the filter.
    fn page(&self) -> Address {
        Address::to(SECTION).with_some("by", (self.by != Dimension::Org).then_some(self.by.word()))
    }

    fn address(&self) -> Address {
        self.page().filtered(&self.filter)
    }

    fn query(&self) -> CompletenessQuery {
        let period = self.filter.days.period();
        let (first, last, org) = (period.first(), period.last(), self.filter.org);
        CompletenessQuery { first, last, org, ..CompletenessQuery::default() }
    }
}

/// Answers GET of `/completeness`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let asked = Asked::take(&mut params, &here);
    let faults = params.finish();
    let (choices, years) = (Choices::find(&here).await?, years(&here).await?);
    let bar = || bar(&here, &asked.filter, &choices, &asked.page(), &years);
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, SECTION, bar(), &faults));
    }
    // Where many activities have no CO2e, reading them for the reasons takes long.
    let slot = edge::stream_slot(here.request(), here.caller()).await?;
    let found = here.areas().completeness.completeness(here.caller(), asked.query()).await;
    drop(slot);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            let faults = faults_of(error)?;
            let is_empty = asked.filter.days == Days::All && years.is_empty() && !asked.csv;
            if is_empty && faults.as_slice().iter().all(|fault| fault.code == FaultCode::Required) {
                return Ok(Layout::new(TITLE, SECTION).bar(bar()).body(nothing(&here)).answer(&here));
            }
            return Ok(faulty(&here, TITLE, SECTION, bar(), &faults));
        }
    };
    // Where no days are asked for, those that were looked at are the ones that every figure of the page is of.
    let filter = spanned(&asked.filter, found.first, found.last);
    let (_, depth) = match by_nodes(&here, &filter, None, asked.by).await {
        Ok(found) => found,
        Err(error) => return Ok(faulty(&here, TITLE, SECTION, bar(), &faults_of(error)?)),
    };
    let query = filter.breakdown(&[asked.by.by(), BreakdownBy::Time(Stretch::Month)], depth);
    let cells = here.areas().breakdowns.breakdown(here.caller(), query).await?;
    let map = Map::of(&cells, &found, &choices, asked.by);
    if asked.csv {
        return csv::file("completeness", &map.table());
    }
    let body = html! {
        h1 { (TITLE) " " span.muted { (found.first) " to " (found.last) } }
        (summary(&here, &found))
        (choose(&here, &asked))
        section { (map.section(&here, &filter, depth)) }
        (sections::reasons(&here, &filter, &found))
        (sections::coverage(&here, &found))
        (sections::gaps(&here, &filter, &found))
    };
    let layout = Layout::new(TITLE, SECTION).bar(bar()).about(words(&filter, &choices)).as_of(found.revision);
    Ok(layout.csv(&asked.address().with("form", "csv")).body(body).answer(&here))
}

/// That no days are asked for and none are recorded that could be taken instead.
fn nothing(here: &Here) -> Markup {
    html! {
        h1 { (TITLE) }
        (component::empty("No activities yet", html! {
            p {
                "What is missing is told once something is recorded, or of days that are chosen above. "
                a href=(here.path("/")) { "How to begin" } "."
            }
        }))
    }
}

/// The filter of those days, under the name that they were asked for by.
fn spanned(filter: &Filter, first: Day, last: Day) -> Filter {
    match filter.days {
        Days::Named(..) => filter.clone(),
        Days::All | Days::Span(_) => domain::Period::new(Some(first), Some(last))
            .map_or_else(|| filter.clone(), |days| filter.on(Days::Span(days))),
    }
}

fn summary(here: &Here, found: &CompletenessView) -> Markup {
    let numbers = here.numbers();
    let silent = sections::silent(found).count();
    html! {
        ul.tiles {
            li { b { (numbers.count(found.count)) } span.label { @if found.count == 1 { "activity begins" } @else { "activities begin" } " in these days" } }
            li { b { (numbers.count(found.incomplete)) } span.label { "of them not computed" } }
            li { b { (numbers.count(found.gap_count)) } span.label { "series with months without data" } }
            li { b { (numbers.count(silent)) } span.label { "scopes and scope 3 categories without activities or an exclusion" } }
        }
        @if found.count > 0 && found.incomplete == 0 && found.gap_count == 0 && silent == 0 {
            p { span.tag.ok { "complete" } " Each activity is computed, each series that usually has data has some in each month that \
                is over, and of scope 1, scope 2 and each category of scope 3 something is recorded or excluded with a reason." }
        }
    }
}

fn choose(here: &Here, asked: &Asked) -> Markup {
    let choices = ROWS.iter().map(|(_, by)| {
        let other = Asked { by: *by, ..asked.clone() };
        (by.title().to_lowercase(), other.address(), asked.by == *by)
    });
    controls(here, &[Control { label: "Rows", choices: choices.collect() }])
}
