//! What several pages ask in the same way.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::{Faults, Period, Stretch, Total, Totals};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Breakdown, BreakdownBy, Error, Label};

use crate::address::Address;
use crate::component;
use crate::filter::{Days, Dimension, Filter};
use crate::filter_bar;
use crate::filter_bar::Choices;
use crate::here::Here;
use crate::layout::Layout;

/// All that activities come to that is stacked in a chart: what is in the scopes, and what has none.
pub(crate) fn in_all(totals: &Totals) -> Total {
    totals.co2e + totals.uncategorized
}

/// The faults of a question that was asked wrongly; any other error ends the page.
pub(crate) fn faults_of(error: Error) -> Result<Faults, Failure> {
    if let Error::Parameters(faults) = error { Ok(faults) } else { Err(error.into()) }
}

/// The page that says what is wrong with its address.
pub(crate) fn faulty(here: &Here, title: &str, section: &'static str, bar: Markup, faults: &Faults) -> HttpResponse {
    let body = html! { h1 { (title) } (component::faults(faults)) };
    Layout::new(title, section).status(StatusCode::BAD_REQUEST).bar(bar).body(body).answer(here)
}

/// The years that there are activities of, the newest first: what the filter bar offers.
pub(crate) async fn years(here: &Here) -> Result<Vec<String>, Failure> {
    let query = Filter::default().breakdown(&[BreakdownBy::Time(Stretch::Year)], 1);
    let found = here.areas().breakdowns.breakdown(here.caller(), query).await?;
    let names = found.rows.iter().filter_map(|row| match row.labels.first() {
        Some(Label::Time(name)) if row.totals.count > 0 => Some(name.clone()),
        _ => None,
    });
    let mut years: Vec<_> = names.collect();
    years.reverse();
    Ok(years)
}

/// The filter bar of a page, with what can be chosen.
pub(crate) fn bar(here: &Here, filter: &Filter, choices: &Choices, page: &Address, years: &[String]) -> Markup {
    filter_bar::bar(here, filter, choices, page, years)
}

/// The activities of the filter.
pub(crate) fn activities(filter: &Filter) -> Address {
    Address::to("/activities").filtered(filter)
}

/// The report of the filter, broken down in that way.
pub(crate) fn report(filter: &Filter, by: &str) -> Address {
    Address::to("/report").with("by", by).filtered(filter)
}

/// The days of the same name a year before.
pub(crate) fn year_before(name: &str) -> Option<String> {
    let before = |year: &str| Some(format!("{:04}", year.parse::<u16>().ok()?.checked_sub(1)?));
    match name.split_once('/') {
        Some((one, rest)) if one.len() == 4 => {
            let (other, quarter) = rest.split_at_checked(4)?;
            Some(format!("{}/{}{quarter}", before(one)?, before(other)?))
        }
        Some(_) => None,
        None => {
            let (year, rest) = name.split_at_checked(4)?;
            Some(format!("{}{rest}", before(year)?))
        }
    }
}

/// The days that lie as long before as the filter's do: those of the same name in the year before.
pub(crate) fn before(here: &Here, days: &Days) -> Option<Days> {
    match days {
        Days::Named(name, _) => Days::named(&year_before(name)?, here.company.year_start).ok(),
        Days::All | Days::Span(_) => None,
    }
}

/// In which stretches of time a period is drawn.
pub(crate) fn stretch(period: Period) -> Stretch {
    let days = period.first().zip(period.last()).map(|(first, last)| last.number() - first.number());
    match days {
        Some(..=45) => Stretch::Day,
        Some(46..=1_200) | None => Stretch::Month,
        Some(_) => Stretch::Year,
    }
}

/// The report by the nodes of a tree, at the first level that has several.
pub(crate) async fn by_nodes(
    here: &Here,
    filter: &Filter,
    compare: Option<Period>,
    dimension: Dimension,
) -> Result<(Breakdown, usize), Error> {
    let mut depth = 1;
    loop {
        let mut query = filter.breakdown(&[dimension.by()], depth);
        query.compare = compare;
        let found = here.areas().breakdowns.breakdown(here.caller(), query).await?;
        let nodes = found.rows.iter().filter(|row| matches!(row.labels.first(), Some(Label::Record { .. }))).count();
        let is_deepest = found.rows.iter().all(|row| level(row.labels.first()) < depth);
        if nodes > 1 || is_deepest || depth >= 8 {
            return Ok((found, depth));
        }
        depth += 1;
    }
}

/// The level of a label in its tree, from 1; none of what is in no tree.
pub(crate) fn level(label: Option<&Label>) -> usize {
    match label {
        Some(Label::Record { above, .. }) => above.len() + 1,
        Some(Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without) | None => 0,
    }
}

/// A stretch of time as a column says it: `Jan`, `Q1`, `14`, `2025`.
pub(crate) fn short_time(name: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    if let Some((_, quarter)) = name.split_once("-Q") {
        return format!("Q{quarter}");
    }
    let month = |text: &str| text.parse::<usize>().ok().and_then(|number| MONTHS.get(number.checked_sub(1)?));
    match name.split('-').collect::<Vec<_>>()[..] {
        [_, number] => month(number).map_or_else(|| name.to_owned(), |month| (*month).to_owned()),
        [_, _, day] => day.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_year_before_has_the_same_form() {
        for (name, before) in [
            ("2025", "2024"),
            ("2025-03", "2024-03"),
            ("2025-Q1", "2024-Q1"),
            ("2024/2025", "2023/2024"),
            ("2024/2025-Q1", "2023/2024-Q1"),
        ] {
            assert_eq!(year_before(name).as_deref(), Some(before));
        }
    }

    #[test]
    fn columns_say_the_last_part_of_their_time() {
        assert_eq!(["2025-01", "2025-Q3", "2025-01-14", "2025"].map(short_time), ["Jan", "Q3", "14", "2025"]);
    }
}
