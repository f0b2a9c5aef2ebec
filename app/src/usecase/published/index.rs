//! An index of published factors: which words begin so, and in which factors they stand.
//!
//! Factors are numbered in the order in which equally good answers stand, so a rank is three small numbers. A word has the
//! numbers of its factors in one run; the words are sorted, so those that begin alike stand together.

use std::collections::HashMap;
use std::mem::size_of;

use domain::{FactorPlace, FactorQuery, FactorSet, FactorWords, Name, PublishedFactor, PublishedUse, Unit};
use ports::factor_sets::{FactorKey, InstalledSet};

/// Where a word stands in a factor, and how well one of a question fits it.
const IN_NAME: u8 = 1;
const EXACT: u8 = 2;
const FOUND: u8 = 4;

/// An index of the factors of some sets.
#[derive(Debug, Default)]
pub(super) struct FactorIndex {
    sets: Vec<FactorSet>,
    /// Those of the factors, each once.
    regions: Vec<Option<Name>>,
    entries: Vec<Entry>,
    /// Sorted, each once.
    words: Vec<Box<str>>,
    /// Where the run of each word ends among the postings.
    ends: Vec<u32>,
    postings: Vec<Posting>,
}

#[derive(Debug)]
struct Entry {
    cell: Name,
    set: u32,
    region: u32,
    unit: Unit,
    usage: PublishedUse,
}

/// A factor that has a word, and whether it is in the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Posting {
    entry: u32,
    is_in_name: bool,
}

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// How many factors answer.
    pub(super) count: u64,
    /// Those of the page that was asked for, the best first.
    pub(super) keys: Vec<FactorKey>,
}

impl FactorIndex {
    /// How many factors it has.
    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let cells: usize = self.entries.iter().map(|entry| entry.cell.as_str().len()).sum();
        let words: usize = self.words.iter().map(|word| word.len() + size_of::<Box<str>>()).sum();
        let numbers = self.ends.len() * size_of::<u32>() + self.postings.len() * size_of::<Posting>();
        cells + words + numbers + self.entries.len() * size_of::<Entry>()
    }

    /// The factors that answer, by the rule of [`FactorQuery::rank`]: `size` of them behind the first `offset`.
    pub(super) fn search(&self, query: &FactorQuery, offset: u64, size: u32) -> Found {
        let sets: Vec<bool> = self.sets.iter().map(|set| query.admits_set(set)).collect();
        let regions: Vec<bool> = self.regions.iter().map(|region| query.admits_region(region.as_ref())).collect();
        let is = |of: &[bool], place: u32| of.get(place as usize).copied().unwrap_or(false);
        // For each factor what of its rank is not its place: `None` where it does not answer.
        let mut ranks: Vec<Option<(u8, u8)>> = self
            .entries
            .iter()
            .map(|entry| {
                let is_admitted = is(&sets, entry.set) && is(&regions, entry.region);
                (is_admitted && query.admits(entry.unit, entry.usage)).then_some((0, 0))
            })
            .collect();
        let mut fits = vec![0_u8; self.entries.len()];
        for word in query.words.as_slice() {
            fits.fill(0);
            self.mark(word, &mut fits);
            for (rank, fit) in ranks.iter_mut().zip(&fits) {
                let Some((inexact, outside_name)) = rank else { continue };
                if fit & FOUND == 0 {
                    *rank = None;
                    continue;
                }
                // A question has few words.
                *inexact += u8::from(fit & EXACT == 0);
                *outside_name += u8::from(fit & IN_NAME == 0);
            }
        }
        let ranked = ranks.into_iter().zip(&self.entries).enumerate();
        let mut found: Vec<_> = ranked.filter_map(|(place, (rank, entry))| Some((rank?, place, entry))).collect();
        found.sort_unstable_by_key(|(rank, place, _)| (*rank, *place));
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let page = found.iter().skip(offset).take(size as usize);
        let key =
            |entry: &Entry| Some(FactorKey { set: self.sets.get(entry.set as usize)?.id, cell: entry.cell.clone() });
        Found { count: found.len() as u64, keys: page.filter_map(|(_, _, entry)| key(entry)).collect() }
    }

    /// Marks how well a word of a question fits each factor.
    fn mark(&self, word: &str, fits: &mut [u8]) {
        let first = self.words.partition_point(|own| own.as_ref() < word);
        for (place, own) in self.words.iter().enumerate().skip(first).take_while(|(_, own)| own.starts_with(word)) {
            let exact = if own.as_ref() == word { EXACT } else { 0 };
            for posting in self.run(place) {
                let in_name = if posting.is_in_name { IN_NAME } else { 0 };
                if let Some(fit) = fits.get_mut(posting.entry as usize) {
                    *fit |= FOUND | exact | in_name;
                }
            }
        }
    }

    /// The factors of a word.
    fn run(&self, word: usize) -> &[Posting] {
        let begin = word.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(word).copied().unwrap_or(begin);
        self.postings.get(begin as usize..end as usize).unwrap_or_default()
    }
}

/// An index in the making.
#[derive(Debug, Default)]
pub(super) struct IndexBuilder {
    sets: Vec<FactorSet>,
    regions: HashMap<Option<Name>, u32>,
    entries: Vec<(FactorPlace, Entry)>,
    words: HashMap<Box<str>, Vec<Posting>>,
}

impl IndexBuilder {
    /// Begins a set, and gives its place.
    pub(super) fn set(&mut self, installed: &InstalledSet) -> usize {
        self.sets.push(installed.set.clone());
        self.sets.len() - 1
    }

    /// Takes in a factor of the set at that place. What is beyond the four billionth is left out.
    pub(super) fn factor(&mut self, place: usize, factor: &PublishedFactor) {
        let (Some(of), Ok(set), Ok(entry)) =
            (self.sets.get(place), u32::try_from(place), u32::try_from(self.entries.len()))
        else {
            return;
        };
        let words = FactorWords::of(of, factor);
        let number = u32::try_from(self.regions.len()).unwrap_or(u32::MAX);
        let region = *self.regions.entry(factor.region.clone()).or_insert(number);
        let (cell, unit, usage) = (factor.cell.clone(), factor.unit, factor.usage);
        self.entries.push((FactorPlace::of(of, factor), Entry { cell, set, region, unit, usage }));
        for (words, is_in_name) in [(words.name, true), (words.others, false)] {
            for word in words {
                self.words.entry(word.into_boxed_str()).or_default().push(Posting { entry, is_in_name });
            }
        }
    }

    /// The index of what was taken in.
    pub(super) fn build(self) -> FactorIndex {
        let mut order: Vec<u32> = (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).collect();
        order.sort_by(|a, b| {
            let place = |of: &u32| self.entries.get(*of as usize).map(|(place, _)| place);
            place(a).cmp(&place(b))
        });
        let mut numbers = vec![0_u32; order.len()];
        for (number, of) in (0_u32..).zip(&order) {
            if let Some(slot) = numbers.get_mut(*of as usize) {
                *slot = number;
            }
        }
        let mut entries: Vec<_> =
            numbers.iter().copied().zip(self.entries.into_iter().map(|(_, entry)| entry)).collect();
        entries.sort_unstable_by_key(|(number, _)| *number);
        let mut regions: Vec<_> = self.regions.into_iter().collect();
        regions.sort_unstable_by_key(|(_, number)| *number);
        let mut words: Vec<_> = self.words.into_iter().collect();
        words.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut index = FactorIndex {
            sets: self.sets,
            regions: regions.into_iter().map(|(region, _)| region).collect(),
            entries: entries.into_iter().map(|(_, entry)| entry).collect(),
            ..FactorIndex::default()
        };
        for (word, mut run) in words {
            for posting in &mut run {
                posting.entry = numbers.get(posting.entry as usize).copied().unwrap_or(u32::MAX);
            }
            // Of a word that is in the name and elsewhere the former stays.
            run.sort_unstable_by_key(|posting| (posting.entry, !posting.is_in_name));
            run.dedup_by_key(|posting| posting.entry);
            index.postings.extend(run);
            index.ends.push(u32::try_from(index.postings.len()).unwrap_or(u32::MAX));
            index.words.push(word);
        }
        index.postings.shrink_to_fit();
        index
    }
}
