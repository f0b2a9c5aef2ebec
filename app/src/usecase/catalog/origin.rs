//! Published factors that drafts name, found in the sets of the installation.

use std::collections::{HashMap, HashSet};

use domain::{Day, FactorData, FactorOrigin, FactorSet, FaultCode, Faults, Name, NotUsable, PublishedFactor};
use ports::factor_sets::{FactorKey, FactorSets, InstalledSet, MOST_FACTORS};
use ports::inbound::{Error, FactorDraft, Field, SetPrefix};
use ports::{Grant, Read};

use crate::usecase::draft::required;

/// The sets and the factors that some drafts name, as far as the installation has them. They are read before a
/// transaction begins: a set never changes.
#[derive(Debug, Default)]
pub(super) struct Origins {
    sets: HashMap<SetPrefix, Result<FactorSet, String>>,
    factors: HashMap<FactorKey, PublishedFactor>,
}

/// Where a draft names its published factor, and what it is named by.
const PUBLISHED: &str = "/published";
const SET: &str = "/published/set";
const CELL: &str = "/published/cell";

impl Origins {
    /// Finds what those drafts name.
    pub(super) async fn find(
        sets: &dyn FactorSets,
        grant: &Grant<Read>,
        drafts: impl Iterator<Item = &FactorDraft> + Send,
    ) -> Result<Self, Error> {
        let wanted: HashSet<(SetPrefix, Option<Name>)> = drafts.filter_map(wanted).collect();
        let mut found = Self::default();
        if wanted.is_empty() {
            return Ok(found);
        }
        let installed = sets.list_sets(grant).await?;
        let mut keys = Vec::with_capacity(wanted.len());
        for (prefix, cell) in wanted {
            let known = found.sets.entry(prefix.clone()).or_insert_with(|| named(&prefix, &installed));
            if let (Ok(set), Some(cell)) = (known, cell) {
                keys.push(FactorKey { set: set.id, cell });
            }
        }
        for keys in keys.chunks(MOST_FACTORS) {
            found.factors.extend(sets.find_factors(grant, keys).await?);
        }
        Ok(found)
    }

    /// The first day that the draft's factor would hold on, as far as that is known.
    pub(super) fn first_day(&self, draft: &FactorDraft) -> Option<Day> {
        let of_set = || self.sets.get(draft.published.given()?.set.given()?)?.as_ref().ok().map(|set| set.valid_from);
        draft.valid_from.given().copied().or_else(of_set)
    }

    fn origin(&self, set: &SetPrefix, cell: &Name) -> Result<FactorOrigin, (&'static str, String)> {
        let found = match self.sets.get(set) {
            Some(Ok(found)) => found,
            Some(Err(detail)) => return Err((SET, detail.clone())),
            None => return Err((SET, no_set(set))),
        };
        let key = FactorKey { set: found.id, cell: cell.clone() };
        let FactorSet { title, edition, .. } = found;
        self.factors
            .get(&key)
            .map(|factor| FactorOrigin::new(found.clone(), factor.clone()))
            .ok_or_else(|| (CELL, format!("no factor of {title}, {edition}, has its figure in the cell {cell}")))
    }

    /// What a factor says that is a copy of the published one that the draft names; or all that is wrong with it. `days`
    /// are those it must hold on, where that is known.
    pub(super) fn copied(&self, draft: FactorDraft, days: Option<(Day, Option<Day>)>) -> Result<FactorData, Faults> {
        let is_faulty = |draft: &FactorDraft| draft.valid_from == Field::Faulty || draft.valid_to == Field::Faulty;
        let no_days = is_faulty(&draft);
        let said = [
            ("/unit", draft.unit.is_missing()),
            ("/upstream", draft.upstream.is_missing()),
            ("/downstream", draft.downstream.is_missing()),
            ("/source", draft.source.is_missing()),
        ];
        let mut faults = draft.faults;
        for (pointer, _) in said.into_iter().filter(|(_, is_missing)| !is_missing) {
            faults.add_coded(FaultCode::Mismatch, pointer, "is what the published factor says: leave it out");
        }
        let (set, cell) = match draft.published {
            Field::Given(published) => {
                (required(&mut faults, SET, published.set, None), required(&mut faults, CELL, published.cell, None))
            }
            Field::Absent | Field::Null | Field::Faulty => (None, None),
        };
        let (Some(set), Some(cell)) = (set, cell) else { return Err(faults) };
        let origin = match self.origin(&set, &cell) {
            Ok(origin) => origin,
            Err((pointer, detail)) => {
                faults.add_coded(FaultCode::NotFound, pointer, detail);
                return Err(faults);
            }
        };
        let gwp = draft.gwp.into_option();
        let basis = draft.basis.into_option().unwrap_or_default();
        let mut data = match FactorData::copied(origin, gwp) {
            Ok(data) => data.with_basis(basis),
            Err(error) => {
                let of_gwp = gwp.is_some() && matches!(error, NotUsable::NoCo2e(_));
                let pointer = if of_gwp { "/gwp" } else { PUBLISHED };
                faults.add_coded(FaultCode::Mismatch, pointer, format!("the published factor cannot be used: {error}"));
                return Err(faults);
            }
        };
        if let Some((from, to)) = days {
            (data.valid_from, data.valid_to) = (from, to);
        } else if !no_days {
            let from = draft.valid_from.into_option();
            let to = draft.valid_to.into_option();
            let ends_before = data.valid_to.filter(|end| to.is_none() && from.is_some_and(|from| from >= *end));
            if let Some(end) = ends_before {
                let detail = format!(
                    "is required where validFrom lies behind the days that the set was published for, which end before {end}"
                );
                faults.add_coded(FaultCode::Required, "/validTo", detail);
            }
            data.valid_from = from.unwrap_or(data.valid_from);
            data.valid_to = to.or(data.valid_to).filter(|_| ends_before.is_none());
            if draft.other_days.into_option() != Some(true) && ends_before.is_none() {
                for (pointer, detail) in other_days(&data) {
                    faults.add_coded(FaultCode::Mismatch, pointer, detail);
                }
            }
        }
        if faults.is_empty() { Ok(data) } else { Err(faults) }
    }
}

/// The set and the cell that a draft names.
fn wanted(draft: &FactorDraft) -> Option<(SetPrefix, Option<Name>)> {
    let published = draft.published.given()?;
    Some((published.set.given()?.clone(), published.cell.given().cloned()))
}

/// The only set whose id begins so.
fn named(prefix: &SetPrefix, sets: &[InstalledSet]) -> Result<FactorSet, String> {
    let mut named = sets.iter().filter(|installed| prefix.begins(installed.set.id));
    match (named.next(), named.count()) {
        (Some(only), 0) => Ok(only.set.clone()),
        (Some(_), more) => Err(format!("is how the ids of {} sets begin: give more of it", more + 1)),
        (None, _) => Err(no_set(prefix)),
    }
}

fn no_set(prefix: &SetPrefix) -> String {
    format!("there is no set {prefix}; `tonne import factors` adds one, `tonne factor sets` lists them")
}

/// What is to be said of days on which a copy is to hold and for which its set was not published.
fn other_days(data: &FactorData) -> Vec<(&'static str, String)> {
    let Some(set) = data.origin.as_deref().map(|origin| &origin.set) else { return Vec::new() };
    let published = match set.valid_to {
        Some(end) => format!("from {} up to and without {end}", set.valid_from),
        None => format!("from {} on", set.valid_from),
    };
    let said = format!(
        "is beyond the days that the set was published for, {published}; otherDays (--other-days) says that the factor is \
         to hold on others too"
    );
    let begins_before = data.valid_from < set.valid_from;
    let ends_behind = set.valid_to.is_some_and(|end| data.valid_to.is_none_or(|to| to > end));
    [("/validFrom", begins_before), ("/validTo", ends_behind)]
        .into_iter()
        .filter(|(_, is_beyond)| *is_beyond)
        .map(|(pointer, _)| (pointer, said.clone()))
        .collect()
}

/// The same faults, as a table's columns `set` and `cell` have them.
pub(super) fn of_columns(faults: Faults) -> Faults {
    let mut all = Faults::new();
    for fault in faults {
        let pointer = match fault.pointer.strip_prefix(PUBLISHED) {
            Some("") => "/cell",
            Some(member) => member,
            None => &fault.pointer,
        };
        all.add_coded(fault.code, pointer, fault.detail);
    }
    all
}
