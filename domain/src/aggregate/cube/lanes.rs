//! Which sum of a report a series counts in, and on which days.

use std::hash::Hash;

use super::series::{Nodes, SeriesList};

/// How many slots there are: two for each of seven sums, and one for what is left out.
pub(crate) const SLOTS: usize = 16;

/// One series in this many may count for the others not to be looked at: reading single rows takes about as many times as
/// long as reading rows in sequence.
const FEW: usize = 8;

/// The sum that a series counts in, and on which days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane(u8);

impl Lane {
    /// Counts nowhere.
    pub(crate) const LEFT_OUT: Self = Self(u8::MAX);
    /// The bit that [`LEFT_OUT`](Self::LEFT_OUT) alone has.
    const OUT: u8 = 0x80;
    const SPREAD: u8 = 1;

    /// The sum of that number, below 7; activities count on their first day.
    pub(crate) const fn whole(sum: u8) -> Self {
        Self(sum << 1 & !(Self::OUT | Self::SPREAD))
    }

    /// The sum of that number, below 7; activities count on every day they cover.
    pub(crate) const fn spread(sum: u8) -> Self {
        Self(Self::whole(sum).0 | Self::SPREAD)
    }

    /// Where it is added up. What is left out has a slot as well: adding it there takes less time than mispredicted
    /// branches.
    #[inline]
    pub(crate) const fn slot(self) -> usize {
        self.0 as usize % SLOTS
    }

    #[inline]
    pub(crate) const fn is_left_out(self) -> bool {
        self.0 == Self::LEFT_OUT.0
    }

    /// Whether it counts, and on the first day.
    #[inline]
    pub(crate) const fn is_whole(self) -> bool {
        self.0 & (Self::OUT | Self::SPREAD) == 0
    }

    /// Whether it counts, and on every day.
    #[inline]
    pub(crate) const fn is_spread(self) -> bool {
        self.0 & (Self::OUT | Self::SPREAD) == Self::SPREAD
    }
}

/// The lanes of all series, by index.
pub(crate) struct Lanes {
    of_series: Vec<Lane>,
    few: Option<Vec<u32>>,
    any_whole: bool,
    any_spread: bool,
}

impl Lanes {
    /// The lanes of those series: that of the scope, unless the org or the taxonomy does not count. What is said of nodes
    /// is by their numbers; `None` is that all of them count.
    pub(crate) fn new(
        series: &SeriesList,
        scopes: &[Lane],
        orgs: Option<&[bool]>,
        taxonomies: Option<&[bool]>,
    ) -> Self {
        let count = series.len();
        let counted: Vec<bool> = scopes.iter().map(|lane| !lane.is_left_out()).collect();
        let few = few(&series.scopes, Some(&counted), count)
            .into_iter()
            .chain(few(&series.orgs, orgs, count))
            .chain(few(&series.taxonomies, taxonomies, count))
            .min_by_key(Vec::len);
        let Some(mut few) = few else { return Self::of_all(series, scopes, orgs, taxonomies) };
        let mut of_series = vec![Lane::LEFT_OUT; count];
        few.retain(|index| {
            let at = *index as usize;
            if series.orgs.is_among(at, orgs) && series.taxonomies.is_among(at, taxonomies) {
                of_series[at] = scopes[series.scopes.of_series()[at] as usize];
            }
            !of_series[at].is_left_out()
        });
        let any = |is: fn(Lane) -> bool| few.iter().any(|index| is(of_series[*index as usize]));
        let (any_whole, any_spread) = (any(Lane::is_whole), any(Lane::is_spread));
        Self { of_series, few: Some(few), any_whole, any_spread }
    }

    fn of_all(series: &SeriesList, scopes: &[Lane], orgs: Option<&[bool]>, taxonomies: Option<&[bool]>) -> Self {
        let mut of_series: Vec<Lane> =
            series.scopes.of_series().iter().map(|number| scopes[*number as usize]).collect();
        leave_out(&mut of_series, &series.orgs, orgs);
        leave_out(&mut of_series, &series.taxonomies, taxonomies);
        let (any_whole, any_spread) =
            (of_series.iter().any(|lane| lane.is_whole()), of_series.iter().any(|lane| lane.is_spread()));
        Self { of_series, few: None, any_whole, any_spread }
    }

    /// The lanes, by index of series.
    pub(crate) fn of_series(&self) -> &[Lane] {
        &self.of_series
    }

    /// The series that count, in any order, where they are so few that it pays to look at them alone.
    pub(crate) fn few(&self) -> Option<&[u32]> {
        self.few.as_deref()
    }

    /// Whether activities of a series count on their first day.
    pub(crate) const fn any_whole(&self) -> bool {
        self.any_whole
    }

    /// Whether activities of a series count on every day.
    pub(crate) const fn any_spread(&self) -> bool {
        self.any_spread
    }

    /// Hands over each series that counts, and perhaps others, with its lane and its number of activities.
    #[inline]
    pub(crate) fn visit(&self, counts: &[i64], mut visit: impl FnMut(usize, Lane, i64)) {
        let few = self.few.iter().flatten().map(|index| *index as usize);
        few.for_each(|index| visit(index, self.of_series[index], counts[index]));
        let all = if self.few.is_none() { self.of_series.as_slice() } else { &[] };
        for (index, (lane, count)) in all.iter().zip(counts).enumerate() {
            visit(index, *lane, *count);
        }
    }

    /// Whether that is so of a series that counts.
    pub(crate) fn any(&self, mut is: impl FnMut(u32, Lane) -> bool) -> bool {
        match &self.few {
            Some(few) => few.iter().any(|index| is(*index, self.of_series[*index as usize])),
            None => (0_u32..).zip(&self.of_series).any(|(index, lane)| !lane.is_left_out() && is(index, *lane)),
        }
    }
}

/// The series whose nodes count, where those are few.
fn few<Id: Copy + Hash + Ord>(nodes: &Nodes<Id>, counted: Option<&[bool]>, count: usize) -> Option<Vec<u32>> {
    let lists: Vec<&[u32]> =
        counted?.iter().enumerate().filter(|(_, counts)| **counts).map(|(number, _)| nodes.series(number)).collect();
    let total: usize = lists.iter().map(|list| list.len()).sum();
    (total <= count / FEW).then(|| lists.concat())
}

fn leave_out<Id: Copy + Hash + Ord>(of_series: &mut [Lane], nodes: &Nodes<Id>, counted: Option<&[bool]>) {
    let Some(counted) = counted else { return };
    for (lane, number) in of_series.iter_mut().zip(nodes.of_series()) {
        *lane = if counted[*number as usize] { *lane } else { Lane::LEFT_OUT };
    }
}
