//! Periods that stand fast: a month that was closed too early and opened again, and the base year.

use domain::{Day, Reason, Significance};
use ports::Caller;
use ports::inbound::{Error, Field, PeriodDraft, PeriodView, Periods, ReopenDraft};
use ports::repo::Page;

use super::parse;

/// A page with more periods than anybody closes in a demo.
const ALL: Page = Page { number: 1, size: 1_000 };

/// The month that was closed before its last bills came.
const MONTH: &str = "2023-12";
/// Its first day.
const MONTH_BEGINS: &str = "2023-12-01";
/// The year that others are compared with.
const BASE_YEAR: &str = "2024";
/// How large a change of it is significant, in per cent.
const SIGNIFICANT: &str = "5";

/// Closes the month and opens it again, unless that was done before.
pub(super) async fn fill_month(periods: &dyn Periods, caller: &Caller) -> Result<(), Error> {
    let begins = parse::text(Day::parse, MONTH_BEGINS)?;
    let known = periods.list(caller, ALL).await?.data;
    let is_it = |view: &&PeriodView| view.period.value.first() == begins && view.period.value.org.is_none();
    let known: Vec<&PeriodView> = known.iter().filter(is_it).collect();
    if known.iter().any(|view| view.period.value.reopened.is_some()) {
        return Ok(());
    }
    let id = match known.first() {
        Some(view) => view.period.value.id,
        None => periods.close(caller, draft(MONTH, "All bills are in.", Field::Absent)?).await?.period.value.id,
    };
    let reason = parse::field(Reason::parse, "The forwarder's last bills came in January.")?;
    periods.reopen(caller, id, ReopenDraft { reason, ..ReopenDraft::default() }).await.map(drop)
}

/// Closes the base year, unless there is or was one.
pub(super) async fn fill_base_year(periods: &dyn Periods, caller: &Caller) -> Result<(), Error> {
    let known = periods.list(caller, ALL).await?.data;
    if known.iter().any(|view| view.period.value.base_year.is_some()) {
        return Ok(());
    }
    let significant = parse::field(Significance::parse, SIGNIFICANT)?;
    periods.close(caller, draft(BASE_YEAR, "Audited; the year that targets refer to.", significant)?).await.map(drop)
}

fn draft(period: &str, reason: &str, base_year: Field<Significance>) -> Result<PeriodDraft, Error> {
    Ok(PeriodDraft {
        period: Field::Given(period.to_owned()),
        reason: parse::field(Reason::parse, reason)?,
        base_year,
        ..PeriodDraft::default()
    })
}
