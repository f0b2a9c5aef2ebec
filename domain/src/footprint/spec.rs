//! How a field of a footprint is described: its JSON type, who asks for it, its form and its unit.

use std::fmt;

use crate::footprint::edition::{Edition, Major};

/// The description of one field.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its JSON type.
    pub kind: Kind,
    /// What its number counts.
    pub unit: Unit,
    /// What its value has to look like.
    pub form: Form,
    /// Whether the service fills it in when it was not written.
    pub filled: bool,
    pub(super) distinct: bool,
    v2: Need,
    v2_minor: u8,
    v3: Need,
}

/// The JSON type of a field and the variant of [`FieldValue`](super::FieldValue) that holds it.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A string.
    Text,
    /// A decimal number, read from a JSON number or string.
    Number,
    /// A whole JSON number.
    Integer,
    /// `true` or `false`.
    Flag,
    /// A date-time in a string.
    Moment,
    /// An array of strings.
    Texts,
    /// An array of references to footprints: whole numbers for ours, strings for others'.
    References,
    /// An object of those fields.
    Object(&'static Shape),
    /// An array of objects of those fields.
    Objects(&'static Shape),
    /// Any JSON, kept verbatim.
    Raw,
}

/// How much an edition asks for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The edition does not have the field. It is kept, but not judged.
    Unknown,
    /// It may be left out.
    Optional,
    /// It may be left out only when the reference period ends before 2025.
    From2025,
    /// It must be there.
    Required,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The field is no amount.
    None,
    /// Declared units.
    DeclaredUnits,
    /// Kilograms per declared unit.
    Kilograms,
    /// Kilograms of CO2 equivalent per declared unit.
    Co2e,
    /// Kilograms of carbon per declared unit.
    Carbon,
    /// Square metres times years per declared unit.
    SquareMetreYears,
    /// Hundredths.
    Percent,
    /// A data quality rating: 1 to 3 in version 2, 1 to 5 in version 3.
    Rating,
}

/// What a value has to look like. On an array, each of its items.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Nothing is asked of it.
    Any,
    /// At least one character.
    NotEmpty,
    /// One of those texts.
    OneOf(&'static [&'static str]),
    /// One of those texts in version 2; any that is not empty in version 3.
    OneOfInV2(&'static [&'static str]),
    /// The name of a UN region or subregion (M49).
    Region,
    /// A country code (ISO 3166-1).
    Country,
    /// The code of a country's subdivision (ISO 3166-2).
    Subdivision,
    /// A URN.
    Urn,
    /// An assessment report of the IPCC, such as AR6.
    AssessmentReport,
    /// An https address.
    Https,
    /// A URI.
    Uri,
    /// Three numbers with points between them.
    SemanticVersion,
    /// An object, where any JSON is kept.
    JsonObject,
    /// 0 to 2^31-1.
    Version,
    /// Above zero.
    Positive,
    /// Zero or above.
    NotNegative,
    /// Zero or below.
    NotPositive,
    /// 0 to 100.
    Percent,
    /// 0 to 5 in version 2, as its text asks; 0 to 100 in version 3.
    Exempted,
    /// 1 to 3 in version 2, 1 to 5 in version 3.
    Rating,
}

/// The fields of one kind of object, in the order they are written.
pub struct Shape {
    /// What the object is.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [FieldSpec],
}

impl Shape {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Shape {}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Unit {
    /// Whether the number changes with the size of the declared unit.
    #[must_use]
    pub const fn is_per_declared_unit(self) -> bool {
        match self {
            Self::Kilograms | Self::Co2e | Self::Carbon | Self::SquareMetreYears => true,
            Self::None | Self::DeclaredUnits | Self::Percent | Self::Rating => false,
        }
    }
}

impl FieldSpec {
    /// How much that edition asks for the field.
    #[must_use]
    pub const fn need(&self, edition: Edition) -> Need {
        let minor = match edition {
            Edition::V2_0 => 0,
            Edition::V2_1 => 1,
            Edition::V2_2 => 2,
            Edition::V2_3 => 3,
            Edition::V3_0 => return self.v3,
        };
        if minor < self.v2_minor { Need::Unknown } else { self.v2 }
    }

    /// Whether PACT writes the number as a JSON number; it writes all others in strings.
    #[must_use]
    pub const fn is_json_number(&self, major: Major) -> bool {
        matches!((major, self.unit), (Major::V2, Unit::Percent | Unit::Rating))
    }

    pub(super) const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            unit: Unit::None,
            form: Form::Any,
            filled: false,
            distinct: matches!(kind, Kind::Texts | Kind::References),
            v2: Need::Unknown,
            v2_minor: 0,
            v3: Need::Unknown,
        }
    }

    pub(super) const fn amount(name: &'static str, unit: Unit, form: Form) -> Self {
        let mut spec = Self::new(name, Kind::Number).form(form);
        spec.unit = unit;
        spec
    }

    pub(super) const fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    pub(super) const fn filled(mut self) -> Self {
        self.filled = true;
        self
    }

    pub(super) const fn distinct(mut self) -> Self {
        self.distinct = true;
        self
    }

    pub(super) const fn v2(mut self, need: Need) -> Self {
        self.v2 = need;
        self
    }

    /// Known in version 2 since that minor version.
    pub(super) const fn v2_since(mut self, minor: u8, need: Need) -> Self {
        self.v2 = need;
        self.v2_minor = minor;
        self
    }

    pub(super) const fn v3(mut self, need: Need) -> Self {
        self.v3 = need;
        self
    }

    pub(super) const fn both(self, need: Need) -> Self {
        self.v2(need).v3(need)
    }
}
