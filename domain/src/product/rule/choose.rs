//! Choosing: a function of the rule, the published factors, the region and the day, and of nothing else.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::choice::{Choice, Considered, MAX_CONSIDERED, NoChoice, Verdict, YearBasis};
use super::{FactorRule, SetPreference, YearRule};
use crate::amount::Intensity;
use crate::calendar::day::Day;
use crate::canonical::Digest;
use crate::gas::potential::GwpSet;
use crate::gas::split::GasSplit;
use crate::product::factor::FactorData;
use crate::published::PublishedUse;
use crate::published::origin::FactorOrigin;
use crate::published::region::RegionFit;
use crate::text::Name;

/// How good a factor is: the least is the best. First whether its set ended before the day's year, then the preference, the day,
/// the edition and the region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_before: bool,
    preference: usize,
    basis: YearBasis,
    edition: Reverse<(Day, EditionNumber)>,
    fit: RegionFit,
}

/// The numbers in an edition's name, each by its length and digits: `v1.10` is newer than `v1.9`, and `draft` is neither newer nor
/// older than `final`.
type EditionNumber = Vec<(usize, String)>;

impl FactorRule {
    /// The factor that the rule chooses among published ones, for a day and the region of an org: what a product's factor
    /// says that is a copy of it, with the [`Choice`]; else why there is none.
    ///
    /// The order of the candidates does not count, nor do those that the rule does not look for. The best is the one of
    /// the first preference, whose set holds on the day (else in its calendar year), of the newest edition, of the closest region;
    /// where no preference has one and the rule allows it, of a set that ended before. One of a set that another one with the factor
    /// corrects is none. Two that are equally good and say different figures are no choice. Where the rule names no use, emissions
    /// before the use and outside the scopes are none of it.
    pub fn choose(
        &self,
        candidates: &[FactorOrigin],
        org_region: Option<&Name>,
        day: Day,
    ) -> Result<FactorData, NoChoice> {
        let region = self.region.as_ref().or(org_region);
        let found = candidates.iter().filter(|origin| self.finds(&origin.factor));
        let found: Vec<_> = found.filter_map(|origin| Some((self.preference(&origin.set)?, origin))).collect();
        let corrected: BTreeSet<Digest> = found.iter().filter_map(|(_, origin)| origin.set.corrects).collect();
        let judge = |(preference, origin): (usize, &'_ FactorOrigin)| {
            // A set that is preferred by its digest is meant, whatever became of it.
            let is_meant = matches!(self.sets().get(preference), Some(SetPreference::Set(_)));
            if corrected.contains(&origin.set.id) && !is_meant {
                return Err(Verdict::Corrected);
            }
            self.judge(preference, origin, region, day)
        };
        let mut judged: Vec<_> =
            found.iter().map(|(preference, origin)| (judge((*preference, origin)), *preference, *origin)).collect();
        judged.sort_by(|(a, a_preference, a_origin), (b, b_preference, b_origin)| {
            by_rank(a, b).then_with(|| place(*a_preference, a_origin).cmp(&place(*b_preference, b_origin)))
        });
        judged.dedup_by(|a, b| a.2.set.id == b.2.set.id && a.2.factor.cell == b.2.factor.cell);
        let best = judged.first().and_then(|(judged, _, _)| judged.as_ref().ok()).map(|(rank, _)| rank.clone());
        let best_figures =
            judged.first().and_then(|(judged, _, _)| judged.as_ref().ok()).map(|(_, data)| figures(data));
        let says_otherwise = |judged: &Judged| {
            let has_best = |(rank, _): &&(Rank, FactorData)| Some(rank) == best.as_ref();
            judged.as_ref().ok().filter(has_best).is_some_and(|(_, data)| Some(figures(data)) != best_figures)
        };
        let is_tie = judged.iter().any(|(judged, _, _)| says_otherwise(judged));
        let considered: Vec<Considered> = judged
            .iter()
            .take(MAX_CONSIDERED)
            .enumerate()
            .map(|(place, (judged, _, origin))| {
                let is_chosen = place == 0 && !is_tie;
                considered(origin, verdict(judged, best.as_ref(), is_chosen))
            })
            .collect();
        let others = u32::try_from(judged.len() - considered.len()).unwrap_or(u32::MAX);
        let region = region.cloned();
        match judged.into_iter().next() {
            Some((Ok((Rank { preference, basis, .. }, data)), _, _)) if !is_tie => {
                let preference = u32::try_from(preference + 1).unwrap_or(u32::MAX);
                let choice = Choice { region, basis, preference, considered, others };
                Ok(data.with_choice(Some(Arc::new(choice))))
            }
            Some(_) | None => Err(NoChoice { region, day, considered, others }),
        }
    }

    /// How good a factor is, and what a copy of it says; or why it does not come into question.
    fn judge(
        &self,
        preference: usize,
        origin: &FactorOrigin,
        region: Option<&Name>,
        day: Day,
    ) -> Result<(Rank, FactorData), Verdict> {
        let set = &origin.set;
        let usage = origin.factor.usage;
        if self.usage.is_none() && (usage.is_before_use() || usage == PublishedUse::OutsideScopes) {
            return Err(Verdict::OtherUse);
        }
        let year = day.calendar().0;
        let basis = if set.holds_on(day) {
            YearBasis::Day
        } else if set.holds_in(year) {
            YearBasis::Year
        } else if self.years == YearRule::NewestBefore && set.valid_to.is_some_and(|end| end <= day) {
            YearBasis::Before
        } else {
            return Err(Verdict::OtherYear);
        };
        let fit = RegionFit::of(origin.factor.region.as_ref(), region).ok_or(Verdict::OtherRegion)?;
        let copied = FactorData::copied(origin.clone(), self.gwp).map_err(|_| Verdict::NotUsable)?;
        let data = match basis {
            YearBasis::Day => copied,
            YearBasis::Year | YearBasis::Before => {
                let (from, to) = calendar_year(day);
                copied.with_valid_from(from).with_valid_to(to)
            }
        };
        let edition = Reverse((set.valid_from, edition_number(&set.edition)));
        Ok((Rank { is_before: basis == YearBasis::Before, preference, basis, edition, fit }, data))
    }
}

type Judged = Result<(Rank, FactorData), Verdict>;

/// The runs of digits in an edition's name, without zeros that say nothing.
fn edition_number(edition: &Name) -> EditionNumber {
    let runs = edition.as_str().split(|char: char| !char.is_ascii_digit()).filter(|run| !run.is_empty());
    let mut numbers: EditionNumber =
        runs.map(|run| run.trim_start_matches('0')).map(|run| (run.len(), run.to_owned())).collect();
    while numbers.last().is_some_and(|(length, _)| *length == 0) {
        numbers.pop();
    }
    numbers
}

/// What a copy says of emissions, wherever it stands.
pub(super) type Figures<'a> =
    (Option<Intensity>, Option<Intensity>, Option<GwpSet>, Option<(PublishedUse, Option<&'a GasSplit>)>);

pub(super) fn figures(data: &FactorData) -> Figures<'_> {
    let factor = data.origin.as_deref().map(|origin| &origin.factor);
    (data.upstream, data.downstream, data.gwp, factor.map(|factor| (factor.usage, factor.gases.as_ref())))
}

fn rank_of(judged: &Judged) -> Option<&Rank> {
    judged.as_ref().ok().map(|(rank, _)| rank)
}

/// Those that come into question first, the best first.
fn by_rank(a: &Judged, b: &Judged) -> Ordering {
    match (rank_of(a), rank_of(b)) {
        (Some(a), Some(b)) => a.cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Where a factor stands among those that are as good: each has a place of its own.
fn place(preference: usize, origin: &FactorOrigin) -> (usize, Reverse<(Day, &Name, Digest)>, &Name) {
    let set = &origin.set;
    (preference, Reverse((set.valid_from, &set.edition, set.id)), &origin.factor.cell)
}

/// What became of a factor, where `best` is the best rank.
fn verdict(judged: &Judged, best: Option<&Rank>, is_chosen: bool) -> Verdict {
    let (rank, best) = match (judged, best) {
        (Err(verdict), _) => return *verdict,
        (Ok((rank, _)), Some(best)) => (rank, best),
        (Ok(_), None) => return Verdict::Alike,
    };
    if is_chosen {
        Verdict::Chosen
    } else if rank == best {
        Verdict::Alike
    } else if rank.is_before != best.is_before {
        Verdict::FartherDay
    } else if rank.preference != best.preference {
        Verdict::LessPreferred
    } else if rank.basis != best.basis {
        Verdict::FartherDay
    } else if rank.edition != best.edition {
        Verdict::OlderEdition
    } else {
        Verdict::WiderRegion
    }
}

fn considered(origin: &FactorOrigin, verdict: Verdict) -> Considered {
    let FactorOrigin { set, factor } = origin;
    Considered {
        set: set.id,
        publisher: set.publisher.clone(),
        edition: set.edition.clone(),
        cell: factor.cell.clone(),
        region: factor.region.clone(),
        verdict,
    }
}

/// The first day of a day's calendar year, and the day after its last where there is one.
fn calendar_year(day: Day) -> (Day, Option<Day>) {
    let year = u16::try_from(day.calendar().0).unwrap_or(u16::MAX);
    let first = Day::from_calendar(year, 1, 1).unwrap_or(Day::MIN);
    (first, Day::from_calendar(year.saturating_add(1), 1, 1).ok())
}
