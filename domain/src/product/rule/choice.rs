//! What a rule chose and why, or why it chose nothing.

use std::fmt;
use std::str::FromStr;

use crate::calendar::day::Day;
use crate::canonical::Digest;
use crate::text::Name;

/// The most factors that a choice names as considered.
pub const MAX_CONSIDERED: usize = 20;

/// Why a factor of a product was chosen among the published ones.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The region that it was to hold in; `None` where neither the rule nor the org says one.
    pub region: Option<Name>,
    /// By which day its set will do.
    pub basis: YearBasis,
    /// The place of its set among the rule's preferences, from 1.
    pub preference: u32,
    /// What was considered, the chosen factor first.
    pub considered: Vec<Considered>,
    /// How many more were considered than are named.
    pub others: u32,
}

/// By which day a set will do for an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum YearBasis {
    /// It holds on the activity's day.
    Day,
    /// It holds on another day of that calendar year.
    Year,
    /// It ended before that day.
    Before,
}

/// A published factor that a rule considered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Considered {
    /// The set it is of: the SHA-256 of the set's file.
    pub set: Digest,
    /// Who published the set.
    pub publisher: Name,
    /// Which edition it is.
    pub edition: Name,
    /// Where the figure stands in the file.
    pub cell: Name,
    /// Where it holds; `None` where the source does not say.
    pub region: Option<Name>,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a factor that was considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It was chosen.
    Chosen,
    /// Another one is as good, and says something else or stands elsewhere.
    Alike,
    /// A set that the rule prefers has one.
    LessPreferred,
    /// A set that is closer to the day has one.
    FartherDay,
    /// A newer edition has one.
    OlderEdition,
    /// One of a closer region is there.
    WiderRegion,
    /// It holds in other regions.
    OtherRegion,
    /// Its set holds in other years.
    OtherYear,
    /// Its publisher corrected its set, and the correction has one.
    Corrected,
    /// Its emissions are of another part of an inventory than the rule and the product's own factors are of: a rule that names no
    /// use looks for emissions of the use itself.
    OtherUse,
    /// It cannot be a product's factor, or has no CO2e under the rule's set of global warming potentials.
    NotUsable,
}

/// A text that is no word of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no such word")]
pub struct UnknownWord;

macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal,)* }) => {
        impl $type {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text).ok_or(UnknownWord)
            }
        }
    };
}

words! {
    YearBasis {
        Day = "day",
        Year = "year",
        Before = "before",
    }
}

words! {
    Verdict {
        Chosen = "chosen",
        Alike = "alike",
        LessPreferred = "less-preferred",
        FartherDay = "farther-day",
        OlderEdition = "older-edition",
        WiderRegion = "wider-region",
        OtherRegion = "other-region",
        OtherYear = "other-year",
        Corrected = "corrected",
        OtherUse = "other-use",
        NotUsable = "not-usable",
    }
}

impl Verdict {
    /// The same for people.
    #[must_use]
    pub const fn told(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Alike => "another one is as good",
            Self::LessPreferred => "the rule prefers another set",
            Self::FartherDay => "another set is closer to the day",
            Self::OlderEdition => "there is a newer edition",
            Self::WiderRegion => "another one is of a closer region",
            Self::OtherRegion => "holds in another region",
            Self::OtherYear => "holds in other years",
            Self::Corrected => "its set was corrected",
            Self::OtherUse => "is of another use",
            Self::NotUsable => "cannot be used",
        }
    }
}

impl fmt::Display for Considered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { publisher, edition, cell, region, verdict, .. } = self;
        let region = region.as_ref().map_or("no region", Name::as_str);
        write!(f, "{publisher}, {edition}, {cell}, {region}: {}", verdict.told())
    }
}

impl fmt::Display for Choice {
    /// A sentence for people: why this one won.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = match self.basis {
            YearBasis::Day => "holds on the day",
            YearBasis::Year => "holds in the day's calendar year",
            YearBasis::Before => "is the newest before the day",
        };
        write!(f, "preference {} of the product's rule, whose set {day}", self.preference)?;
        match &self.region {
            Some(region) => write!(f, ", for the region {region}"),
            None => f.write_str(", for no region"),
        }
    }
}

/// Why a rule chose nothing for a region and a day.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoChoice {
    /// The region; `None` where neither the rule nor the org says one.
    pub region: Option<Name>,
    /// The day.
    pub day: Day,
    /// What was considered, the closest first.
    pub considered: Vec<Considered>,
    /// How many more were considered than are named.
    pub others: u32,
}

impl NoChoice {
    /// Where what was chosen for a day is of another use than the product's own factors.
    #[must_use]
    pub fn of_another_use(choice: &Choice, day: Day) -> Self {
        let Choice { region, considered, others, .. } = choice.clone();
        let other_use = |mut one: Considered| {
            if matches!(one.verdict, Verdict::Chosen | Verdict::Alike) {
                one.verdict = Verdict::OtherUse;
            }
            one
        };
        Self { region, day, considered: considered.into_iter().map(other_use).collect(), others }
    }
}

impl fmt::Display for NoChoice {
    /// A sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { region, day, considered, others } = self;
        if considered.is_empty() {
            return f.write_str(
                "None of the sets that the product's rule names has a factor of its name and unit; `tonne factor sets` \
                 lists the sets.",
            );
        }
        let alike = considered.iter().filter(|one| one.verdict == Verdict::Alike).count();
        match region {
            _ if alike > 1 => write!(f, "{alike} published factors fit the product's rule equally well on {day}")?,
            Some(region) => write!(f, "No published factor fits the product's rule in {region} on {day}")?,
            None => {
                write!(
                    f,
                    "No published factor fits the product's rule on {day}, and neither it nor the org has a region"
                )?;
            }
        }
        for (place, one) in considered.iter().enumerate() {
            write!(f, "{}{one}", if place == 0 { ": " } else { "; " })?;
            if alike > 1 {
                write!(f, " (set {:.12})", one.set.to_string())?;
            }
        }
        if *others > 0 {
            write!(f, "; and {others} more")?;
        }
        f.write_str(".")
    }
}
