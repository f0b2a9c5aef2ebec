//! Regions that factors hold in, and how close one is to the region that is asked for.

use crate::published::words::search_words;
use crate::text::Name;

/// How far a region that a factor holds in is from the one that is asked for: the least is the closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegionFit {
    /// It is the region, or the smallest of those around it: so many steps out, as `US` is one around `US-RFCW`.
    Around(usize),
    /// The source does not say where the factor holds.
    Unsaid,
}

/// The parts of a region's code, the widest first: `US-RFCW` is `us`, `rfcw`. `UK`, which ISO 3166 keeps for the United
/// Kingdom, is `GB`.
#[must_use]
pub fn region_parts(region: &Name) -> Vec<String> {
    let mut parts = search_words(region.as_str());
    if let Some(first) = parts.first_mut().filter(|first| *first == "uk") {
        "gb".clone_into(first);
    }
    parts
}

impl RegionFit {
    /// How a factor of `region` fits what is asked for; `None` where it holds elsewhere.
    #[must_use]
    pub fn of(region: Option<&Name>, asked: Option<&Name>) -> Option<Self> {
        let Some(region) = region.map(region_parts) else { return Some(Self::Unsaid) };
        let asked = region_parts(asked?);
        asked.starts_with(&region).then(|| Self::Around(asked.len() - region.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(region: &str, asked: &str) -> Option<RegionFit> {
        let name = |text: &str| (!text.is_empty()).then(|| Name::parse(text).unwrap());
        RegionFit::of(name(region).as_ref(), name(asked).as_ref())
    }

    #[test]
    fn the_region_itself_is_closer_than_one_around_it_and_that_than_none() {
        assert_eq!(fit("US-RFCW", "us-rfcw"), Some(RegionFit::Around(0)));
        assert_eq!(fit("US", "US-RFCW"), Some(RegionFit::Around(1)));
        assert_eq!(fit("", "US-RFCW"), Some(RegionFit::Unsaid));
        assert!(fit("US", "US-RFCW") < fit("", "US-RFCW"));
    }

    #[test]
    fn a_part_or_another_region_does_not_fit() {
        for (region, asked) in [("US-RFCW", "US"), ("GB", "US"), ("US", ""), ("USA", "US")] {
            assert_eq!(fit(region, asked), None, "{region} for {asked}");
        }
        assert_eq!(fit("", ""), Some(RegionFit::Unsaid));
    }

    #[test]
    fn the_united_kingdom_has_two_codes() {
        assert_eq!(fit("GB", "uk"), Some(RegionFit::Around(0)));
        assert_eq!(fit("UK", "GB-SCT"), Some(RegionFit::Around(1)));
    }
}
