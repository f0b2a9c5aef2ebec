//! The fields of a footprint, written down once: every name of the interface and of PACT 2.0 to 3.0.

use crate::footprint::spec::Format::{
    Any, AssessmentReport, Country, Exempted, Https, JsonObject, NotEmpty, NotNegative, NotPositive, OneOf, OneOfInV2,
    Percent, Positive, Rating, Region, SemanticVersion, Subdivision, Uri, Urn, Version,
};
use crate::footprint::spec::Requirement::{From2025, Optional, Required};
use crate::footprint::spec::{FieldSpec, FieldUnit, Format, JsonType, ObjectSchema};

/// The value of `status` of a footprint in use.
pub const ACTIVE: &str = "Active";
/// The value of `status` of a footprint that should no longer be used.
pub const DEPRECATED: &str = "Deprecated";

/// The members of a footprint but `id`, which the service gives.
pub static FOOTPRINT: ObjectSchema = ObjectSchema {
    name: "footprint",
    fields: &[
        text("specVersion").both(Required),
        FieldSpec::new("precedingPfIds", JsonType::References).both(Optional),
        FieldSpec::new("version", JsonType::Integer).format(Version).filled().v2(Required),
        moment("created").filled().both(Required),
        moment("updated").v2(Optional),
        text("status").format(OneOf(&[ACTIVE, DEPRECATED])).filled().both(Required),
        text("statusComment").v2(Optional),
        moment("validityPeriodStart").both(Optional),
        moment("validityPeriodEnd").both(Optional),
        text("companyName").format(NotEmpty).both(Required),
        texts("companyIds", Urn).both(Required),
        text("productDescription").both(Required),
        texts("productIds", Urn).both(Required),
        texts("productClassifications", Urn).v2_since(3, Optional).v3(Optional),
        text("productCategoryCpc").format(NotEmpty).v2(Required),
        text("productNameCompany").format(NotEmpty).both(Required),
        text("comment").v2(Required).v3(Optional),
        FieldSpec::new("pcf", JsonType::Object(&PCF)).both(Required),
        FieldSpec::new("extensions", JsonType::Objects(&EXTENSION)).both(Optional),
    ],
};

/// The members of `pcf`. Those of version 2 come first, then those that version 3 added.
pub static PCF: ObjectSchema = ObjectSchema {
    name: "pcf",
    fields: &[
        text("declaredUnit").format(OneOf(DECLARED_UNITS_V2)).v2(Required),
        amount("unitaryProductAmount", FieldUnit::DeclaredUnits, Positive).v2(Required),
        amount("productMassPerDeclaredUnit", FieldUnit::Kilograms, NotNegative).v2_since(3, Optional).v3(Required),
        co2e("pCfExcludingBiogenic", NotNegative).v2(Required),
        co2e("pCfIncludingBiogenic", Any).v2(From2025),
        co2e("fossilGhgEmissions", NotNegative).both(Required),
        carbon("fossilCarbonContent").both(Required),
        carbon("biogenicCarbonContent").v2(Required).v3(Optional),
        co2e("dLucGhgEmissions", NotNegative).v2(From2025),
        co2e("landManagementGhgEmissions", Any).v2(From2025),
        co2e("otherBiogenicGhgEmissions", NotNegative).v2(From2025),
        co2e("iLucGhgEmissions", NotNegative).v2(Optional),
        co2e("biogenicCarbonWithdrawal", NotPositive).v2(From2025),
        co2e("aircraftGhgEmissions", NotNegative).both(Optional),
        text("characterizationFactors").format(OneOf(&["AR5", "AR6"])).v2(Required),
        texts("ipccCharacterizationFactorsSources", AssessmentReport).v2_since(2, Required),
        texts("crossSectoralStandardsUsed", OneOf(STANDARDS_USED)).v2(Required),
        texts("crossSectoralStandards", OneOfInV2(STANDARDS)).v2_since(3, Optional).v3(Required),
        FieldSpec::new("productOrSectorSpecificRules", JsonType::Objects(&SPECIFIC_RULE)).distinct().both(Optional),
        text("biogenicAccountingMethodology").format(OneOf(&["PEF", "ISO", "GHGP", "Quantis"])).v2(From2025),
        text("boundaryProcessesDescription").v2(Required).v3(Optional),
        moment("referencePeriodStart").both(Required),
        moment("referencePeriodEnd").both(Required),
        text("geographyCountrySubdivision").format(Subdivision).both(Optional),
        text("geographyCountry").format(Country).both(Optional),
        text("geographyRegionOrSubregion").format(Region).both(Optional),
        FieldSpec::new("secondaryEmissionFactorSources", JsonType::Objects(&FACTOR_SOURCE)).both(Optional),
        amount("exemptedEmissionsPercent", FieldUnit::Percent, Exempted).both(Required),
        text("exemptedEmissionsDescription").v2(Required).v3(Optional),
        FieldSpec::new("packagingEmissionsIncluded", JsonType::Flag).v2(Required).v3(Optional),
        co2e("packagingGhgEmissions", NotNegative).both(Optional),
        text("allocationRulesDescription").both(Optional),
        text("uncertaintyAssessmentDescription").v2(Optional),
        amount("primaryDataShare", FieldUnit::Percent, Percent).v2(From2025).v3(Optional),
        FieldSpec::new("dqi", JsonType::Object(&DQI)).v2(From2025).v3(Optional),
        FieldSpec::new("assurance", JsonType::Object(&ASSURANCE)).v2(Optional),
        text("declaredUnitOfMeasurement").format(OneOf(DECLARED_UNITS_V3)).v3(Required),
        amount("declaredUnitAmount", FieldUnit::DeclaredUnits, Positive).v3(Required),
        co2e("pcfExcludingBiogenicUptake", Any).v3(Required),
        co2e("pcfIncludingBiogenicUptake", Any).v3(Required),
        carbon("recycledCarbonContent").v3(Optional),
        co2e("landUseChangeGhgEmissions", NotNegative).v3(Optional),
        co2e("biogenicNonCO2Emissions", NotNegative).v3(Optional),
        co2e("biogenicCO2Uptake", NotPositive).v3(Optional),
        co2e("landManagementFossilGhgEmissions", NotNegative).v3(Optional),
        co2e("landManagementBiogenicCO2Emissions", NotNegative).v3(Optional),
        co2e("landManagementBiogenicCO2Removals", NotPositive).v3(Optional),
        co2e("landCarbonLeakage", NotNegative).v3(Optional),
        amount("landAreaOccupation", FieldUnit::SquareMetreYears, NotNegative).v3(Optional),
        carbon("packagingBiogenicCarbonContent").v3(Optional),
        co2e("outboundLogisticsGhgEmissions", NotNegative).v3(Optional),
        FieldSpec::new("ccsTechnologicalCO2CaptureIncluded", JsonType::Flag).v3(Optional),
        co2e("ccsTechnologicalCO2Capture", NotPositive).v3(Optional),
        co2e("technologicalCO2Removals", NotPositive).v3(Optional),
        text("technologicalCO2CaptureOrigin").v3(Optional),
        carbon("ccuCarbonContent").v3(Optional),
        text("ccuCalculationApproach").format(OneOf(&["Cut-off", "Credit"])).v3(Optional),
        text("ccuCreditCertification").format(Uri).v3(Optional),
        texts("ipccCharacterizationFactors", AssessmentReport).v3(Required),
        FieldSpec::new("verification", JsonType::Object(&VERIFICATION)).v3(Optional),
    ],
};

/// The members of `pcf.dqi`.
pub(super) static DQI: ObjectSchema = ObjectSchema {
    name: "dqi",
    fields: &[
        amount("coveragePercent", FieldUnit::Percent, Percent).v2(Required),
        amount("technologicalDQR", FieldUnit::Rating, Rating).both(Required),
        amount("temporalDQR", FieldUnit::Rating, Rating).both(Required),
        amount("geographicalDQR", FieldUnit::Rating, Rating).both(Required),
        amount("completenessDQR", FieldUnit::Rating, Rating).v2(Required),
        amount("reliabilityDQR", FieldUnit::Rating, Rating).v2(Required),
    ],
};

/// The members of `pcf.assurance`.
pub(super) static ASSURANCE: ObjectSchema = ObjectSchema {
    name: "assurance",
    fields: &[
        FieldSpec::new("assurance", JsonType::Flag).v2(Required),
        text("coverage")
            .format(OneOf(&["corporate level", "product line", "PCF system", "product level"]))
            .v2(Optional),
        text("level").format(OneOf(&["limited", "reasonable"])).v2(Optional),
        text("boundary").format(OneOf(&["Gate-to-Gate", "Cradle-to-Gate"])).v2(Optional),
        text("providerName").v2(Required),
        moment("completedAt").v2(Optional),
        text("standardName").v2(Optional),
        text("comments").v2(Optional),
    ],
};

/// The members of `pcf.verification`.
pub(super) static VERIFICATION: ObjectSchema = ObjectSchema {
    name: "verification",
    fields: &[
        text("coverage").format(OneOf(&["PCF calculation model", "PCF program", "product level"])).v3(Optional),
        text("providerName").v3(Optional),
        moment("completedAt").v3(Optional),
        text("standardName").v3(Optional),
        text("comments").v3(Optional),
    ],
};

/// The members of an item of `pcf.productOrSectorSpecificRules`.
pub(super) static SPECIFIC_RULE: ObjectSchema = ObjectSchema {
    name: "productOrSectorSpecificRule",
    fields: &[
        text("operator").format(OneOf(&["PEF", "EPD International", "Other"])).both(Required),
        texts("ruleNames", NotEmpty).both(Required),
        text("otherOperatorName").format(NotEmpty).both(Optional),
    ],
};

/// The members of an item of `pcf.secondaryEmissionFactorSources`.
pub(super) static FACTOR_SOURCE: ObjectSchema = ObjectSchema {
    name: "secondaryEmissionFactorSource",
    fields: &[text("name").format(NotEmpty).both(Required), text("version").format(NotEmpty).both(Required)],
};

/// The members of an item of `extensions`.
pub(super) static EXTENSION: ObjectSchema = ObjectSchema {
    name: "extension",
    fields: &[
        text("specVersion").format(SemanticVersion).both(Required),
        text("dataSchema").format(Https).both(Required),
        text("documentation").format(Https).both(Optional),
        FieldSpec::new("data", JsonType::Raw).format(JsonObject).both(Required),
    ],
};

/// The names of the UN regions and subregions (M49) that `geographyRegionOrSubregion` takes.
pub(super) const REGIONS: &[&str] = &[
    "Africa",
    "Americas",
    "Asia",
    "Europe",
    "Oceania",
    "Australia and New Zealand",
    "Central Asia",
    "Eastern Asia",
    "Eastern Europe",
    "Latin America and the Caribbean",
    "Melanesia",
    "Micronesia",
    "Northern Africa",
    "Northern America",
    "Northern Europe",
    "Polynesia",
    "South-eastern Asia",
    "Southern Asia",
    "Southern Europe",
    "Sub-Saharan Africa",
    "Western Asia",
    "Western Europe",
];

const DECLARED_UNITS_V2: &[&str] =
    &["liter", "kilogram", "cubic meter", "kilowatt hour", "megajoule", "ton kilometer", "square meter"];

const DECLARED_UNITS_V3: &[&str] = &[
    "liter",
    "kilogram",
    "cubic meter",
    "kilowatt hour",
    "megajoule",
    "ton kilometer",
    "square meter",
    "piece",
    "hour",
    "megabit second",
];

const STANDARDS_USED: &[&str] = &["GHG Protocol Product standard", "ISO Standard 14067", "ISO Standard 14044"];

const STANDARDS: &[&str] =
    &["ISO14067", "ISO14083", "ISO14040-44", "GHGP-Product", "PEF", "PACT-1.0", "PACT-2.0", "PACT-3.0"];

const fn text(name: &'static str) -> FieldSpec {
    FieldSpec::new(name, JsonType::Text)
}

const fn texts(name: &'static str, form: Format) -> FieldSpec {
    FieldSpec::new(name, JsonType::Texts).format(form)
}

const fn moment(name: &'static str) -> FieldSpec {
    FieldSpec::new(name, JsonType::Moment)
}

const fn amount(name: &'static str, unit: FieldUnit, form: Format) -> FieldSpec {
    FieldSpec::amount(name, unit, form)
}

const fn co2e(name: &'static str, form: Format) -> FieldSpec {
    FieldSpec::amount(name, FieldUnit::Co2e, form)
}

const fn carbon(name: &'static str) -> FieldSpec {
    FieldSpec::amount(name, FieldUnit::Carbon, NotNegative)
}
