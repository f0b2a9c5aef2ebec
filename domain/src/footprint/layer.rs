//! How much weighs a rule: what the form of an edition asks, what its text asks, and what is advice.

use crate::footprint::rule_names::Rule;

/// What becomes of a record that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The schema of PACT refuses the record: no list shows it.
    Wire,
    /// The text of PACT forbids it, though the schema does not: no list shows it.
    Rule,
    /// The method of PACT advises otherwise, or a conversion lost something: the record is shown.
    Advice,
}

impl Layer {
    /// Its name: `wire`, `rule` or `advice`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wire => "wire",
            Self::Rule => "rule",
            Self::Advice => "advice",
        }
    }

    /// Whether a list hides a record that breaks such a rule.
    #[must_use]
    pub const fn hides(self) -> bool {
        match self {
            Self::Wire | Self::Rule => true,
            Self::Advice => false,
        }
    }
}

impl Rule {
    /// What becomes of a record that breaks it, in an [`Edition`](crate::footprint::Edition). The fields that the text of
    /// version 2 asks for from 2025 on are optional in the schema of 2.3, and not all of them can be converted: advice.
    #[must_use]
    pub const fn layer(self) -> Layer {
        match self {
            Self::SpecVersionForm
            | Self::SpecVersionKnown
            | Self::RequiredField
            | Self::AllowedValue
            | Self::TextNotEmpty
            | Self::ItemsDistinct
            | Self::UrnForm
            | Self::PrecedingIdForm
            | Self::VersionRange
            | Self::SingleGeography
            | Self::CountryForm
            | Self::SubdivisionForm
            | Self::RegionName
            | Self::AssessmentReportForm
            | Self::UriForm
            | Self::ExtensionVersion
            | Self::ExtensionData
            | Self::AmountBounds
            | Self::MomentBounds => Layer::Wire,
            Self::PrecedingIdOwn
            | Self::UpdatedAfterCreated
            | Self::AmountPositive
            | Self::AmountNotNegative
            | Self::AmountNotPositive
            | Self::PercentRange
            | Self::RatingRange
            | Self::ReferencePeriodOrder
            | Self::ValidityPeriodComplete
            | Self::ValidityPeriodStart
            | Self::ValidityPeriodOrder
            | Self::ValidityPeriodLength
            | Self::PackagingExcluded
            | Self::CcsExcluded
            | Self::OtherOperatorName
            | Self::CreditCertification
            | Self::ExtensionAddress => Layer::Rule,
            Self::RequiredFrom2025
            | Self::PrimaryShareOrDqi
            | Self::AmountRounded
            | Self::LeftOut
            | Self::FieldAdvised
            | Self::SumExcluding
            | Self::SumIncluding
            | Self::UptakeOrder
            | Self::NewestReport => Layer::Advice,
        }
    }
}
