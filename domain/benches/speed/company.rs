//! A made-up company: its series, and its activities as cells on the days of three years.

use std::collections::BTreeMap;

use tonne_domain::{
    Cell, Co2e, Cube, CubeBuilder, Day, Decimal, Measure, Measures, OrgId, Period, Posting, ScopeClass, ScopeId,
    ScopeKind, SeriesKey, TaxonomyId,
};
use uuid::Uuid;

pub(crate) const ORGS: u32 = 425;
pub(crate) const TAXONOMIES: u32 = 20;
pub(crate) const SCOPES: u32 = 4;
const SERIES: u32 = ORGS * TAXONOMIES * SCOPES;
const DAYS: u32 = 3 * 365;
const FIRST: i32 = 2_460_000;

/// How long its activities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Length {
    /// All on one day.
    OneDay,
    /// Half of them on one day, half on thirty.
    Mixed,
}

/// Repeatable numbers without a pattern (`SplitMix64`).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((z ^ (z >> 31)) % u64::from(bound)).unwrap()
    }

    /// A period of one to so many days.
    pub(crate) fn period(&mut self, days: u32) -> Period {
        let length = 1 + self.below(days.min(DAYS - 1));
        let first = self.below(DAYS - length);
        Period::new(Some(day(first)), Some(day(first + length - 1))).unwrap()
    }
}

fn day(offset: u32) -> Day {
    Day::from_number(FIRST + offset.cast_signed()).unwrap()
}

fn id<Id: From<Uuid>>(number: u32) -> Id {
    // Identifiers have no order that the numbers have.
    Uuid::from_u128(u128::from(number.reverse_bits()) << 64 | u128::from(number)).into()
}

pub(crate) fn org(number: u32) -> OrgId {
    id(number)
}

pub(crate) fn scope(number: u32) -> ScopeId {
    id(number)
}

pub(crate) fn taxonomy(number: u32) -> TaxonomyId {
    id(number)
}

/// What each scope counts as: the last one is reported apart.
#[expect(clippy::unnecessary_wraps, reason = "what a report asks for")]
pub(crate) fn class(id: ScopeId) -> Option<ScopeClass> {
    Some(ScopeClass::of(if id == scope(SCOPES - 1) { ScopeKind::Outside } else { ScopeKind::Scope1 }))
}

fn series() -> Vec<SeriesKey> {
    let key = |number: u32| SeriesKey {
        scope: Some(scope(number % SCOPES)),
        org: Some(org(number / SCOPES % ORGS)),
        taxonomy: Some(taxonomy(number / SCOPES / ORGS)),
    };
    // In the order in which chance brings them, as a store has them.
    let mut keys: Vec<SeriesKey> = (0..SERIES).map(key).collect();
    let mut chance = Chance(7);
    for at in (1..SERIES).rev() {
        keys.swap(at as usize, chance.below(at + 1) as usize);
    }
    keys
}

/// A cube of about so many activities.
pub(crate) fn cube(activities: u32, length: Length) -> Cube {
    cube_with(activities, length, &[])
}

/// The same where each activity has those measures too.
pub(crate) fn cube_with(activities: u32, length: Length, measures: &[Measure]) -> Cube {
    let mut chance = Chance(42);
    let mut builder = CubeBuilder::new(series());
    let mut later: BTreeMap<Day, BTreeMap<u32, Cell>> = BTreeMap::new();
    for offset in 0..DAYS {
        let mut cells = later.remove(&day(offset)).unwrap_or_default();
        for _ in 0..activities / DAYS {
            let days = if length == Length::Mixed && chance.below(2) == 0 { 30 } else { 1 };
            let amount = i128::from(chance.below(1_000_000_000)) * 10_000_000_000_000;
            let amount = Decimal::from_scaled(amount).map(Co2e::new);
            let series = chance.below(SERIES);
            let mut posting = Posting::new(day(offset), day(offset + days - 1), amount);
            posting.measures = Measures::new(measures.iter().copied().zip(amount.into_iter().cycle())).unwrap();
            for (on, cell) in posting.cells() {
                let cells = if on == day(offset) { &mut cells } else { later.entry(on).or_default() };
                let place = cells.entry(series).or_default();
                *place = std::mem::take(place).checked_add(&cell).unwrap();
            }
        }
        for (series, cell) in cells {
            builder.push(series, day(offset), cell).unwrap();
        }
    }
    builder.finish()
}
