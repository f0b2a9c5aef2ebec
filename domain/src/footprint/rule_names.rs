//! The names of the rules that make a footprint valid, and what is reported when one is broken. What a rule says is in
//! `validate` and `cross_field_rules`.

use std::fmt;

/// A rule that a footprint breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule that is broken.
    pub rule: Rule,
    /// Where: a JSON pointer into the record as it is written, such as `/pcf/referencePeriodEnd`.
    pub pointer: String,
    /// What is wrong and how to mend it, in a sentence.
    pub detail: String,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident = $name:literal,)*) => {
        /// A rule of PACT. Its name never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// The rule of that name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|rule| rule.name() == name)
            }

            /// The rule's name, such as `reference-period-order`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    /// `specVersion` is three numbers with points between them.
    SpecVersionForm = "spec-version-form",
    /// `specVersion` names a version whose rules are known.
    SpecVersionKnown = "spec-version-known",
    /// A field that the version requires is there.
    RequiredField = "required-field",
    /// A field that version 2 requires of reference periods that reach into 2025 or later is there.
    RequiredFrom2025 = "required-from-2025",
    /// In version 2, `primaryDataShare` or `dqi` is there whatever the reference period.
    PrimaryShareOrDqi = "primary-share-or-dqi",
    /// A text is one of those the version knows.
    AllowedValue = "allowed-value",
    /// A text has at least one character.
    TextNotEmpty = "text-not-empty",
    /// No item appears twice in a set.
    ItemsDistinct = "items-distinct",
    /// An identifier is a URN (RFC 8141).
    UrnForm = "urn-form",
    /// An item of `precedingPfIds` is a UUID, or a number from 1.
    PrecedingIdForm = "preceding-id-form",
    /// A footprint does not precede itself.
    PrecedingIdOwn = "preceding-id-own",
    /// `version` is a whole number from 0 to 2^31-1.
    VersionRange = "version-range",
    /// `updated` lies after `created`.
    UpdatedAfterCreated = "updated-after-created",
    /// The declared amount is above zero.
    AmountPositive = "amount-positive",
    /// An amount that counts emissions or contents is not below zero.
    AmountNotNegative = "amount-not-negative",
    /// An amount that counts removals is not above zero.
    AmountNotPositive = "amount-not-positive",
    /// A percentage lies within its bounds.
    PercentRange = "percent-range",
    /// A data quality rating lies within the version's scale.
    RatingRange = "rating-range",
    /// The reference period ends after it starts.
    ReferencePeriodOrder = "reference-period-order",
    /// In version 2, the validity period has both of its ends or neither.
    ValidityPeriodComplete = "validity-period-complete",
    /// The validity period starts at the end of the reference period or later.
    ValidityPeriodStart = "validity-period-start",
    /// The validity period ends after it starts.
    ValidityPeriodOrder = "validity-period-order",
    /// The validity period ends within three years after the reference period.
    ValidityPeriodLength = "validity-period-length",
    /// At most one of region, country and subdivision is given.
    SingleGeography = "single-geography",
    /// A country has two capital letters.
    CountryForm = "country-form",
    /// A subdivision has a country, a hyphen and up to three capital letters or digits.
    SubdivisionForm = "subdivision-form",
    /// A region is a UN region or subregion by its name.
    RegionName = "region-name",
    /// A source of characterization factors is an assessment report of the IPCC.
    AssessmentReportForm = "assessment-report-form",
    /// Where packaging is not included, no emissions of packaging are given.
    PackagingExcluded = "packaging-excluded",
    /// Where capture and storage is not included, none of its amounts is given.
    CcsExcluded = "ccs-excluded",
    /// `otherOperatorName` is there if, and only if, the operator is Other.
    OtherOperatorName = "other-operator-name",
    /// A certification is given only for the calculation approach Credit.
    CreditCertification = "credit-certification",
    /// A reference is a URI (RFC 3986).
    UriForm = "uri-form",
    /// The addresses of an extension are https addresses.
    ExtensionAddress = "extension-address",
    /// The version of an extension is a semantic version.
    ExtensionVersion = "extension-version",
    /// The data of an extension is a JSON object.
    ExtensionData = "extension-data",
    /// A converted amount has at most 20 digits before its point.
    AmountBounds = "amount-bounds",
    /// A date-time lies in the years 1 to 9999 in UTC, in which editions write it.
    MomentBounds = "moment-bounds",
    /// A converted amount needs no more than 18 digits behind its point; else it is rounded half to even at the 18th.
    AmountRounded = "amount-rounded",
    /// The edition has a field for what the record says.
    LeftOut = "left-out",
    /// A field that the method of PACT asks for is there.
    FieldAdvised = "field-advised",
    /// The footprint without uptake is the sum of its parts, to a hundredth of itself.
    SumExcluding = "sum-excluding",
    /// The footprint with uptake is that without and the uptake, to a hundredth of itself.
    SumIncluding = "sum-including",
    /// The footprint with uptake is not above that without.
    UptakeOrder = "uptake-order",
    /// The newest assessment report, AR6, is among the sources.
    NewestReport = "newest-report",
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.pointer, self.detail, self.rule)
    }
}

/// The broken rules found so far.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Violation>);

impl Findings {
    pub(super) fn add(&mut self, rule: Rule, pointer: impl Into<String>, detail: impl Into<String>) {
        self.0.push(Violation { rule, pointer: pointer.into(), detail: detail.into() });
    }
}
