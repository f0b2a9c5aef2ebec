//! From streams to activities: which quantity on which days, and their import year by year.

use domain::Day;
use domain::{Co2e, Decimal, Description, EvidenceList, Moment, Name, Quantity, SyncId, Tree, Unit};
use ports::Caller;
use ports::import_batch::ImportState;
use ports::inbound::{ActivityDraft, BatchOutcome, Error, Field, ImportOptions, Imports, RowDraft};
use ports::repo::Page;

use super::calendar::{Slot, slots};
use super::market::Market;
use super::random::Random;
use super::stream::{Basis, Stream, all};
use super::{DemoError, company, node_text, parse, sync_text};

/// The most rows of one call: few enough that a slow machine writes them within its turn.
const ROWS: usize = 5_000;

/// The year of the books that are imported last.
const LAST_YEAR: i32 = 2025;
/// How many imports are looked at at once.
const IMPORTS: u32 = 1_000;

/// Where the bills for electricity are kept; nothing is fetched from there.
const BILLS: &str = "https://halvenmere.example/bills/electricity/";
/// Bills that never came, by stream, site and month: gaps in series that have a figure every month.
const UNBILLED: [(&str, &str, &str); 1] = [("gas", "mill", "2025-03")];

/// A hundredth, in the stored form of a decimal.
const HUNDREDTH: i128 = 10_000_000_000_000_000;

/// What an activity is computed from, with its amount in hundredths.
#[derive(Clone, Copy)]
enum Amount {
    Of { product: &'static str, unit: &'static str, hundredths: i64 },
    Stated { hundredths: i64 },
    Unknown,
}

fn name_of(year: impl std::fmt::Display) -> String {
    format!("Books of {year}")
}

/// Whether all activities were imported, whatever became of them since: the import of the last was not broken off.
pub(super) async fn are_there(imports: &dyn Imports, caller: &Caller) -> Result<bool, Error> {
    was_imported(imports, caller, &name_of(LAST_YEAR)).await
}

/// Whether there was an import of that name which was not broken off, whatever became of it since.
pub(super) async fn was_imported(imports: &dyn Imports, caller: &Caller, name: &str) -> Result<bool, Error> {
    for number in 1.. {
        let listed = imports.list(caller, Page { number, size: IMPORTS }).await?.data;
        if listed.is_empty() {
            break;
        }
        let is_whole = |state| matches!(state, ImportState::Done | ImportState::Undoing | ImportState::Undone);
        if listed.iter().any(|batch| batch.name == name && is_whole(batch.state)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Imports the activities, year by year; those that are there already and as they were stay as they are.
pub(super) async fn fill(imports: &dyn Imports, market: &Market, caller: &Caller) -> Result<(), DemoError> {
    let year = |day: &Day| day.calendar().0;
    for books in drafts(market)?.chunk_by(|(one, _), (other, _)| year(one) == year(other)) {
        let name = books.first().map(|(day, _)| name_of(year(day))).unwrap_or_default();
        let mut import = imports.begin(caller, ImportOptions { name, ..ImportOptions::default() })?;
        let mut line = 0;
        for chunk in books.chunks(ROWS) {
            let number = |(_, draft): &(Day, ActivityDraft)| {
                line += 1;
                RowDraft { line, draft: draft.clone() }
            };
            check(import.rows(chunk.iter().map(number).collect()).await?)?;
        }
        check(import.finish().await?)?;
    }
    Ok(())
}

/// Refuses a row that was rejected.
fn check(outcome: BatchOutcome) -> Result<(), DemoError> {
    outcome.faults.into_iter().next().map_or(Ok(()), |(line, faults)| Err(DemoError::Rejected { line, faults }))
}

/// Every activity of the company, by its first day.
fn drafts(market: &Market) -> Result<Vec<(Day, ActivityDraft)>, Error> {
    let mut dated: Vec<(Day, ActivityDraft)> = Vec::new();
    for stream in all() {
        for org in stream.orgs {
            let mut random = Random::of(&[stream.code, org]);
            let is_told = |slot: &Slot| {
                slot.first.calendar().0 >= stream.since && !UNBILLED.contains(&(stream.code, org, slot.tag.as_str()))
            };
            for slot in slots(stream.rhythm, &mut random).into_iter().filter(is_told) {
                let name = random.pick(stream.names).copied().unwrap_or(stream.code);
                let amount = amount(stream, org, &slot, &mut random);
                let mut draft = own(stream, org, &slot, name, amount)?;
                if stream.code == "electricity" {
                    draft = market.told(draft, org, slot.first.calendar().0)?;
                    draft.evidence = parse::field(EvidenceList::parse, &format!("{BILLS}{org}/{}.pdf", slot.tag))?;
                }
                dated.push((slot.first, draft));
                for draft in companions(stream, org, &slot, amount) {
                    dated.push((slot.first, draft?));
                }
            }
        }
    }
    dated.sort_by_key(|(day, _)| *day);
    Ok(dated)
}

/// How much it is this time: by size, year and season, and up to an eighth more or less by chance.
fn amount(stream: &Stream, org: &str, slot: &Slot, random: &mut Random) -> Amount {
    let (year, month, _) = slot.first.calendar();
    let season = stream.season.get(usize::from(month) - 1).copied().unwrap_or(1_000);
    let size = if stream.orgs.len() > 1 { company::size(org) } else { 1_000 };
    let chance = random.between(875, 251);
    let scaled = |whole: i64| {
        let years = (2023..year).map(|_| 1_000 + stream.trend);
        let factors = [size, season, chance].into_iter().chain(years);
        factors.fold(whole.saturating_mul(100), |amount, factor| amount.saturating_mul(factor) / 1_000)
    };
    match stream.basis {
        Basis::Of(product, unit, whole) => {
            let hundredths = scaled(whole);
            // Pieces are whole, and there is one at least.
            let hundredths = if unit == "piece" { (hundredths / 100).max(1) * 100 } else { hundredths };
            Amount::Of { product, unit, hundredths }
        }
        Basis::Stated(whole) => Amount::Stated { hundredths: scaled(whole) },
        Basis::Unknown => Amount::Unknown,
    }
}

fn own(stream: &Stream, org: &str, slot: &Slot, name: &str, amount: Amount) -> Result<ActivityDraft, Error> {
    let code = format!("{}-{org}-{}", stream.code, slot.tag);
    let draft = draft(&code, name, org, (stream.scope, stream.taxonomy), slot)?;
    let description = parse::optional(Description::parse, stream.remark)?;
    let draft = ActivityDraft { description, quality: Field::of(stream.quality), ..draft };
    with(draft, amount)
}

/// What the same quantity causes elsewhere.
fn companions(
    stream: &Stream,
    org: &str,
    slot: &Slot,
    amount: Amount,
) -> impl Iterator<Item = Result<ActivityDraft, Error>> {
    stream.also.iter().filter_map(move |also| {
        let Amount::Of { unit, hundredths, .. } = amount else { return None };
        let code = format!("{}-{}-{org}-{}", stream.code, also.code, slot.tag);
        let draft = draft(&code, also.name, org, (also.scope, also.taxonomy), slot);
        Some(draft.and_then(|draft| with(draft, Amount::Of { product: also.product, unit, hundredths })))
    })
}

fn draft(
    code: &str,
    name: &str,
    org: &str,
    (scope, taxonomy): (&str, &str),
    slot: &Slot,
) -> Result<ActivityDraft, Error> {
    let name = if slot.label.is_empty() { name.to_owned() } else { format!("{name}, {}", slot.label) };
    let scope = if scope.is_empty() { Field::Absent } else { parse::reference(&node_text(Tree::Scope, scope))? };
    let end = slot.last.map(|last| parse::text(Moment::parse_end, &last.to_string())).transpose()?;
    Ok(ActivityDraft {
        name: parse::field(Name::parse, &name)?,
        sync_id: parse::field(SyncId::parse, &sync_text("activity", code))?,
        scope,
        taxonomy: parse::reference(&node_text(Tree::Taxonomy, taxonomy))?,
        org: parse::reference(&node_text(Tree::Org, org))?,
        start: parse::field(Moment::parse_start, &slot.first.to_string())?,
        end: Field::of(end),
        ..ActivityDraft::default()
    })
}

fn with(draft: ActivityDraft, amount: Amount) -> Result<ActivityDraft, Error> {
    Ok(match amount {
        Amount::Of { product, unit, hundredths } => ActivityDraft {
            product: parse::reference(&sync_text("product", product))?,
            quantity: Field::of(decimal(hundredths).map(Quantity::new)),
            unit: parse::field(Unit::parse, unit)?,
            ..draft
        },
        Amount::Stated { hundredths } => {
            ActivityDraft { upstream: Field::of(decimal(hundredths).map(Co2e::new)), ..draft }
        }
        Amount::Unknown => draft,
    })
}

/// So many hundredths; always within bounds, as an i64 is.
fn decimal(hundredths: i64) -> Option<Decimal> {
    Decimal::from_scaled(i128::from(hundredths) * HUNDREDTH)
}
