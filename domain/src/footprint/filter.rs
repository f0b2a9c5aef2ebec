//! What partners ask a list of footprints for.

use std::cmp::Ordering;

use crate::calendar::moment::Moment;
use crate::footprint::cross_field_rules::three_years_after;
use crate::footprint::fields::Fields;
use time::OffsetDateTime;

/// Which footprints are asked for: those of which every condition holds; all without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FootprintFilter {
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// Something asked of a footprint as an edition shows it. Texts are compared without regard to case, and one of several is
/// enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// One of its `productIds` is one of those.
    ProductId(Vec<String>),
    /// One of its `companyIds` is.
    CompanyId(Vec<String>),
    /// One of its `productClassifications` is.
    Classification(Vec<String>),
    /// Its country, region or subdivision is.
    Geography(Vec<String>),
    /// Its status is.
    Status(Vec<String>),
    /// It is valid then, both ends of its validity included.
    ValidOn(Moment),
    /// Its validity starts after that.
    ValidAfter(Moment),
    /// Its validity ends before that.
    ValidBefore(Moment),
    /// A field compares so (version 2 alone).
    Compares(Comparison),
}

/// A comparison of one field. A footprint that lacks the field is not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How.
    pub operator: Operator,
    /// Which field, and with what.
    pub with: Compared,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The same.
    Eq,
    /// The field is less.
    Lt,
    /// The field is less or the same.
    Le,
    /// The field is greater.
    Gt,
    /// The field is greater or the same.
    Ge,
}

/// A field and what it is compared with: moments as instants, texts character by character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// `created`.
    Created(Moment),
    /// `updated`.
    Updated(Moment),
    /// `productCategoryCpc`.
    Category(String),
    /// `pcf/geographyCountry`.
    Country(String),
    /// `pcf/referencePeriodStart`.
    ReferenceStart(Moment),
    /// `pcf/referencePeriodEnd`.
    ReferenceEnd(Moment),
}

impl FootprintFilter {
    /// The product ids of which every footprint that is asked for has one, as
    /// [`Footprint::product_keys`](crate::footprint::Footprint::product_keys) has them; `None` where no product is asked for.
    #[must_use]
    pub fn product_keys(&self) -> Option<Vec<String>> {
        let asked = |condition: &Condition| match condition {
            Condition::ProductId(ids) => Some(ids.iter().map(|id| id.to_lowercase()).collect()),
            Condition::CompanyId(_)
            | Condition::Classification(_)
            | Condition::Geography(_)
            | Condition::Status(_)
            | Condition::ValidOn(_)
            | Condition::ValidAfter(_)
            | Condition::ValidBefore(_)
            | Condition::Compares(_) => None,
        };
        self.conditions.iter().find_map(asked)
    }

    /// Whether a footprint with those fields, as an edition shows it, is asked for.
    #[must_use]
    pub fn matches(&self, fields: &Fields) -> bool {
        self.conditions.iter().all(|condition| condition.holds(fields))
    }
}

impl Condition {
    fn holds(&self, fields: &Fields) -> bool {
        let pcf = fields.object("pcf");
        let bounds = || validity(fields);
        match self {
            Self::ProductId(asked) => is_among(fields.texts("productIds"), asked),
            Self::CompanyId(asked) => is_among(fields.texts("companyIds"), asked),
            Self::Classification(asked) => is_among(fields.texts("productClassifications"), asked),
            Self::Geography(asked) => {
                let names = ["geographyCountry", "geographyRegionOrSubregion", "geographyCountrySubdivision"];
                names.iter().filter_map(|name| pcf?.text(name)).any(|place| is_one_of(place, asked))
            }
            Self::Status(asked) => fields.text("status").is_some_and(|status| is_one_of(status, asked)),
            Self::ValidOn(at) => {
                let (start, end) = bounds();
                start.is_some_and(|start| start <= at.instant()) && end.is_some_and(|end| at.instant() <= end)
            }
            Self::ValidAfter(at) => bounds().0.is_some_and(|start| start > at.instant()),
            Self::ValidBefore(at) => bounds().1.is_some_and(|end| end < at.instant()),
            Self::Compares(comparison) => comparison.holds(fields),
        }
    }
}

impl Comparison {
    fn holds(&self, fields: &Fields) -> bool {
        let moment =
            |fields: Option<&Fields>, name, with: Moment| Some(fields?.moment(name)?.instant().cmp(&with.instant()));
        let pcf = fields.object("pcf");
        let found = match &self.with {
            Compared::Created(with) => moment(Some(fields), "created", *with),
            Compared::Updated(with) => moment(Some(fields), "updated", *with),
            Compared::ReferenceStart(with) => moment(pcf, "referencePeriodStart", *with),
            Compared::ReferenceEnd(with) => moment(pcf, "referencePeriodEnd", *with),
            Compared::Category(with) => fields.text("productCategoryCpc").map(|own| own.cmp(with)),
            Compared::Country(with) => pcf.and_then(|pcf| pcf.text("geographyCountry")).map(|own| own.cmp(with)),
        };
        found.is_some_and(|found| self.operator.allows(found))
    }
}

impl Operator {
    const fn allows(self, found: Ordering) -> bool {
        match self {
            Self::Eq => found.is_eq(),
            Self::Lt => found.is_lt(),
            Self::Le => found.is_le(),
            Self::Gt => found.is_gt(),
            Self::Ge => found.is_ge(),
        }
    }
}

/// From when to when a footprint is valid: as written, else from the end of its reference period for three years.
pub(crate) fn validity(fields: &Fields) -> (Option<OffsetDateTime>, Option<OffsetDateTime>) {
    let written = |name| fields.moment(name).map(Moment::instant);
    let reference = fields.object("pcf").and_then(|pcf| pcf.moment("referencePeriodEnd")).map(Moment::instant);
    let end = || reference.and_then(three_years_after);
    (written("validityPeriodStart").or(reference), written("validityPeriodEnd").or_else(end))
}

fn is_among(own: &[String], asked: &[String]) -> bool {
    own.iter().any(|own| is_one_of(own, asked))
}

fn is_one_of(own: &str, asked: &[String]) -> bool {
    let own = own.to_lowercase();
    asked.iter().any(|asked| asked.to_lowercase() == own)
}
