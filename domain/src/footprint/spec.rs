//! How a field of a footprint is described: its JSON type, who asks for it, its form and its unit.

use std::fmt;

use crate::footprint::spec_version::{Major, SpecVersion};

/// The description of one field.
#[derive(Clone, Copy, Debug)]
pub struct FieldSpec {
    /// Its name in JSON.
    pub name: &'static str,
    /// What JSON value the field has.
    pub kind: JsonType,
    /// What its number counts.
    pub unit: FieldUnit,
    /// What its value has to look like.
    pub form: Format,
    /// Whether the service fills it in when it was not written.
    pub filled: bool,
    pub(super) distinct: bool,
    /// By minor version: 2.0, 2.1, 2.2, 2.3.
    v2: [Requirement; 4],
    v3: Requirement,
}

/// The JSON type of a field and the variant of [`FieldValue`](super::FieldValue) that holds it.
#[derive(Clone, Copy, Debug)]
pub enum JsonType {
    /// A JSON string.
    Text,
    /// A decimal number, read from a JSON number or string.
    Number,
    /// A whole JSON number.
    Integer,
    /// A JSON boolean.
    Flag,
    /// A date-time in a string.
    Moment,
    /// An array of strings.
    Texts,
    /// An array of references to footprints: whole numbers for ours, strings for others'.
    References,
    /// An object of those fields.
    Object(&'static ObjectSchema),
    /// An array of objects of those fields.
    Objects(&'static ObjectSchema),
    /// Any JSON, kept verbatim.
    Raw,
}

/// How much a version of PACT asks for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The version does not have the field. It is stored, but not validated.
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
pub enum FieldUnit {
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
pub enum Format {
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
    /// A URI of any scheme.
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
pub struct ObjectSchema {
    /// What the object is.
    pub name: &'static str,
    /// Its fields, in the order in which they are written.
    pub fields: &'static [FieldSpec],
}

impl ObjectSchema {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FieldSpec> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl PartialEq for ObjectSchema {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ObjectSchema {}

impl fmt::Debug for ObjectSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl FieldUnit {
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
    /// How much that version asks for the field.
    #[must_use]
    pub const fn need(&self, spec_version: SpecVersion) -> Requirement {
        match spec_version {
            SpecVersion::V2_0 => self.v2[0],
            SpecVersion::V2_1 => self.v2[1],
            SpecVersion::V2_2 => self.v2[2],
            SpecVersion::V2_3 => self.v2[3],
            SpecVersion::V3_0 => self.v3,
        }
    }

    /// Whether PACT writes the number as a JSON number; it writes all others in strings.
    #[must_use]
    pub const fn is_json_number(&self, major: Major) -> bool {
        matches!((major, self.unit), (Major::V2, FieldUnit::Percent | FieldUnit::Rating))
    }

    pub(super) const fn new(name: &'static str, kind: JsonType) -> Self {
        Self {
            name,
            kind,
            unit: FieldUnit::None,
            form: Format::Any,
            filled: false,
            distinct: matches!(kind, JsonType::Texts | JsonType::References),
            v2: [Requirement::Unknown; 4],
            v3: Requirement::Unknown,
        }
    }

    pub(super) const fn amount(name: &'static str, unit: FieldUnit, form: Format) -> Self {
        let mut spec = Self::new(name, JsonType::Number).format(form);
        spec.unit = unit;
        spec
    }

    pub(super) const fn format(mut self, form: Format) -> Self {
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

    pub(super) const fn v2(mut self, need: Requirement) -> Self {
        self.v2 = [need; 4];
        self
    }

    /// So since that minor version of version 2; before it as said until here.
    pub(super) const fn v2_since(mut self, minor: usize, need: Requirement) -> Self {
        let mut at = minor;
        while at < self.v2.len() {
            self.v2[at] = need;
            at += 1;
        }
        self
    }

    pub(super) const fn v3(mut self, need: Requirement) -> Self {
        self.v3 = need;
        self
    }

    pub(super) const fn both(self, need: Requirement) -> Self {
        self.v2(need).v3(need)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_be_optional_before_a_version_and_required_from_it() {
        let field = FieldSpec::new("x", JsonType::Text).v2(Requirement::Optional).v2_since(3, Requirement::Required);
        let needs = [SpecVersion::V2_0, SpecVersion::V2_2, SpecVersion::V2_3, SpecVersion::V3_0]
            .map(|spec_version| field.need(spec_version));
        assert_eq!(needs, [Requirement::Optional, Requirement::Optional, Requirement::Required, Requirement::Unknown]);
        let added = FieldSpec::new("y", JsonType::Text).v2_since(2, Requirement::Optional).v3(Requirement::Required);
        assert_eq!(added.need(SpecVersion::V2_1), Requirement::Unknown);
        assert_eq!(added.need(SpecVersion::V2_2), Requirement::Optional);
        assert_eq!(added.need(SpecVersion::V3_0), Requirement::Required);
    }
}
