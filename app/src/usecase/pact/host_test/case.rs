//! The cases, by the numbers of the official conformance suite, and how they end.

use domain::footprint::Edition;

/// A case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its number in the suite.
    pub number: u8,
    /// Whether a host must pass it to conform.
    pub is_mandatory: bool,
    /// What the standard asks.
    pub asks: &'static str,
}

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The host does what the standard asks.
    Passed,
    /// It does something else.
    Failed,
    /// Nothing can be said: what the case starts from is not there.
    NotApplicable,
}

/// A case and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseResult {
    /// The case.
    pub case: Case,
    /// How it ended.
    pub outcome: Outcome,
    /// What came, in a few words.
    pub came: String,
}

/// All cases of a host and how they ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// The edition whose cases they are.
    pub edition: Edition,
    /// Each case, by its number.
    pub results: Vec<CaseResult>,
}

/// What was found, and what came.
#[derive(Clone, Debug)]
pub(super) struct Ruling {
    outcome: Outcome,
    came: String,
}

impl Ruling {
    pub(super) fn passed(came: impl Into<String>) -> Self {
        Self { outcome: Outcome::Passed, came: came.into() }
    }

    pub(super) fn failed(came: impl Into<String>) -> Self {
        Self { outcome: Outcome::Failed, came: came.into() }
    }

    pub(super) fn not_applicable(why: impl Into<String>) -> Self {
        Self { outcome: Outcome::NotApplicable, came: why.into() }
    }

    /// Passed with what came, or failed with what is wrong.
    pub(super) fn of(result: Result<String, String>) -> Self {
        result.map_or_else(Self::failed, Self::passed)
    }
}

impl CaseResult {
    pub(super) fn new(case: Case, Ruling { outcome, came }: Ruling) -> Self {
        Self { case, outcome, came }
    }
}

impl Outcome {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::NotApplicable => "not applicable",
        }
    }
}

impl Tested {
    /// Whether each mandatory case was passed.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.results.iter().all(|result| !result.case.is_mandatory || result.outcome == Outcome::Passed)
    }

    /// How many cases ended so.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.results.iter().filter(|result| result.outcome == outcome).count()
    }
}

/// The cases of an edition, by their numbers.
pub(super) fn cases(edition: Edition) -> impl Iterator<Item = Case> {
    let own = match edition {
        Edition::V2 => &V2[..],
        Edition::V3 => &V3[..],
    };
    COMMON.iter().chain(own).map(move |(number, asks)| {
        let is_mandatory = !matches!((edition, number), (_, 18 | 19) | (Edition::V2, 20));
        Case { number: *number, is_mandatory, asks }
    })
}

const COMMON: [(u8, &str); 19] = [
    (1, "200 and an access_token for the right credentials"),
    (2, "400 or 401 for wrong credentials"),
    (3, "200 and that footprint, in the whole form of the version"),
    (4, "200 and each footprint in the whole form of the version, the same ones each time"),
    (5, "with limit=1 a Link whose first target answers with at least one footprint"),
    (6, "400 or 401 for a list with a token that is none"),
    (7, "400 or 401 for a footprint with a token that is none"),
    (8, "404 or 400 with its code for a footprint that there is not"),
    (9, "no token by http"),
    (10, "no list by http"),
    (11, "no footprint by http"),
    (12, "200 for a request for the first footprint's products"),
    (13, "an event that fulfils that request, with whole footprints of one of the products"),
    (14, "200 for a request for a product that there is not, and an event that rejects it"),
    (15, "200 for an event of a footprint that nobody knows"),
    (16, "400 or 401 for an event with a token that is none"),
    (17, "no event by http"),
    (18, "200 at /auth/token for the right credentials"),
    (19, "400 or 401 at /auth/token for wrong credentials"),
];

const V2: [(u8, &str); 2] = [
    (20, "the footprints of $filter=created ge, alone"),
    (21, "400 for an event of a footprint that is named by a URN"),
];

const V3: [(u8, &str); 21] = [
    (20, "productId of the first footprint: those that have it"),
    (21, "companyId of the first footprint: those that have it"),
    (22, "geography of the first footprint: those of there; an empty one: all"),
    (23, "classification of the first footprint: those that have it; an empty one: all"),
    (24, "validOn: those that are valid then"),
    (25, "validAfter: those whose validity starts after it"),
    (26, "validBefore: those whose validity ends before it"),
    (27, "status of the first footprint: those that have it"),
    (28, "status and productId: those of both"),
    (29, "several companyId: those that have one of them"),
    (30, "an unknown productId: 200 and none"),
    (31, "an unknown companyId: 200 and none"),
    (32, "a geography that nothing is from: 200 and none"),
    (33, "an unknown classification: 200 and none"),
    (34, "validOn in the year 1900: 200 and none"),
    (35, "validAfter in the year 2099: 200 and none"),
    (36, "validBefore in the year 1900: 200 and none"),
    (37, "a status that there is not: 200 and none"),
    (38, "an unknown companyId and an unknown productId: 200 and none"),
    (39, "three unknown companyId: 200 and none"),
    (40, "400 for an event of a footprint that is named by a URN"),
];
