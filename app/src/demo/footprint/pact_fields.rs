//! One footprint of the demo: what the table says of it in a line, and the whole record that follows.

use domain::footprint::{ACTIVE, DEPRECATED, FOOTPRINT, FieldValue, Reference};
use ports::inbound::{Error, FootprintDraft};

use super::form::Form;
use super::{COMPANY_URN, PRODUCT_URN};
use crate::demo::COMPANY;

/// kg CO2e per declared unit: fossil, land use change, land management, other biogenic, and what was taken up.
type Parts = [&'static str; 5];

/// What the table says of a footprint.
#[derive(Clone, Copy)]
pub(super) struct Record {
    code: &'static str,
    name: &'static str,
    parts: Parts,
    year: u16,
    written: Written,
    class: &'static str,
    preceding: Option<&'static str>,
    deprecated: Option<&'static str>,
    flaw: Flaw,
}

/// The version of PACT that it is written in, with the product's mass in kg.
#[derive(Clone, Copy)]
pub(super) enum Written {
    /// Per kilogram.
    V2 { mass: &'static str },
    /// Per piece.
    V3 { mass: &'static str },
}

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    PeriodReversed,
    PackagingDenied,
}

impl Record {
    /// A bicycle's footprint of 2024 per piece, with defaults for what the table does not say.
    pub(super) const fn new(code: &'static str, name: &'static str, parts: Parts) -> Self {
        let written = Written::V3 { mass: "1" };
        Self {
            code,
            name,
            parts,
            year: 2024,
            written,
            class: "49921",
            preceding: None,
            deprecated: None,
            flaw: Flaw::None,
        }
    }

    pub(super) const fn of(self, year: u16, written: Written) -> Self {
        Self { year, written, ..self }
    }

    /// The class of the product by the UN's Central Product Classification.
    pub(super) const fn in_class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    pub(super) const fn after(self, code: &'static str) -> Self {
        Self { preceding: Some(code), ..self }
    }

    pub(super) const fn deprecated(self, comment: &'static str) -> Self {
        Self { deprecated: Some(comment), ..self }
    }

    pub(super) const fn with_period_reversed(self) -> Self {
        Self { flaw: Flaw::PeriodReversed, ..self }
    }

    pub(super) const fn with_packaging_denied(self) -> Self {
        Self { flaw: Flaw::PackagingDenied, ..self }
    }

    pub(super) const fn code(&self) -> &'static str {
        self.code
    }

    pub(super) const fn preceding(&self) -> Option<&'static str> {
        self.preceding
    }

    /// The whole record; `preceding` is the one it replaces.
    pub(super) fn draft(&self, preceding: Option<Reference>) -> Result<FootprintDraft, Error> {
        let mut form = Form::new(&FOOTPRINT);
        let status = if self.deprecated.is_some() { DEPRECATED } else { ACTIVE };
        let product = self.code.rsplit_once('-').map_or(self.code, |(product, _)| product);
        form.text("status", status);
        form.texts("companyIds", &[COMPANY_URN]);
        form.text("companyName", COMPANY);
        form.texts("productIds", &[&format!("{PRODUCT_URN}{product}")]);
        form.text("productNameCompany", self.name);
        form.text("productDescription", &format!("{}, as sold in {}", self.name, self.year));
        form.text("comment", "Invented for the demo.");
        form.set("precedingPfIds", FieldValue::References(preceding.into_iter().collect()));
        form.texts("productClassifications", &[&format!("urn:cpc:{}", self.class)]);
        if self.flaw != Flaw::PeriodReversed {
            // It would follow from the wrong end of the reference period.
            form.moment("validityPeriodStart", &format!("{}-02-01T00:00:00Z", self.year + 1))?;
            form.moment("validityPeriodEnd", &format!("{}-12-31T00:00:00Z", self.year + 3))?;
        }
        match self.written {
            Written::V2 { .. } => {
                form.text("specVersion", "2.3.0");
                form.text("productCategoryCpc", self.class);
                form.text("statusComment", self.deprecated.unwrap_or_default());
            }
            Written::V3 { .. } => form.text("specVersion", "3.0.0"),
        }
        form.below("pcf", |carbon| self.carbon(carbon))?;
        Ok(FootprintDraft { fields: form.fields, faults: form.faults })
    }

    fn carbon(&self, form: &mut Form) -> Result<(), Error> {
        let (start, end) = (format!("{}-01-01T00:00:00Z", self.year), format!("{}-01-01T00:00:00Z", self.year + 1));
        let reversed = self.flaw == Flaw::PeriodReversed;
        form.moment("referencePeriodStart", if reversed { &end } else { &start })?;
        form.moment("referencePeriodEnd", if reversed { &start } else { &end })?;
        form.text("geographyRegionOrSubregion", "Northern Europe");
        form.text("boundaryProcessesDescription", "Cradle to gate: materials, making, power and freight to the works");
        form.text("allocationRulesDescription", "Power and heat of the works by the mass of what they make");
        form.number("exemptedEmissionsPercent", "0.8")?;
        form.text("exemptedEmissionsDescription", "Small parts below a gram");
        form.number("primaryDataShare", "42.5")?;
        form.flag("packagingEmissionsIncluded", self.flaw != Flaw::PackagingDenied);
        form.number("packagingGhgEmissions", "0.12")?;
        form.number("fossilGhgEmissions", self.parts[0])?;
        form.number("fossilCarbonContent", "0.08")?;
        form.number("biogenicCarbonContent", "0.03")?;
        form.texts("crossSectoralStandards", &["GHGP-Product", "ISO14067"]);
        form.list("secondaryEmissionFactorSources", |source| {
            source.text("name", "Demo factor set (invented)");
            source.text("version", &self.year.to_string());
        });
        form.below("dqi", |dqi| self.quality(dqi))?;
        match self.written {
            Written::V2 { mass } => self.per_kilogram(form, mass),
            Written::V3 { mass } => self.per_piece(form, mass),
        }
    }

    fn per_kilogram(&self, form: &mut Form, mass: &str) -> Result<(), Error> {
        let [fossil, change, management, other, uptake] = self.parts;
        form.text("declaredUnit", "kilogram");
        form.number("unitaryProductAmount", mass)?;
        form.number("productMassPerDeclaredUnit", "1")?;
        form.number("pCfExcludingBiogenic", fossil)?;
        form.sum("pCfIncludingBiogenic", &[fossil, change, management, other, uptake])?;
        form.number("dLucGhgEmissions", change)?;
        form.number("landManagementGhgEmissions", management)?;
        form.number("otherBiogenicGhgEmissions", other)?;
        form.number("biogenicCarbonWithdrawal", uptake)?;
        form.number("aircraftGhgEmissions", "0")?;
        form.text("characterizationFactors", "AR6");
        form.texts("ipccCharacterizationFactorsSources", &["AR6"]);
        form.texts("crossSectoralStandardsUsed", &["GHG Protocol Product standard", "ISO Standard 14067"]);
        form.text("biogenicAccountingMethodology", "GHGP");
        form.text("uncertaintyAssessmentDescription", "Estimated from the quality of the data");
        Ok(())
    }

    fn per_piece(&self, form: &mut Form, mass: &str) -> Result<(), Error> {
        let [fossil, change, management, other, uptake] = self.parts;
        form.text("declaredUnitOfMeasurement", "piece");
        form.number("declaredUnitAmount", "1")?;
        form.number("productMassPerDeclaredUnit", mass)?;
        form.sum("pcfExcludingBiogenicUptake", &[fossil, change, management, other])?;
        form.sum("pcfIncludingBiogenicUptake", &[fossil, change, management, other, uptake])?;
        form.number("landUseChangeGhgEmissions", change)?;
        form.number("landManagementBiogenicCO2Emissions", management)?;
        form.number("biogenicNonCO2Emissions", other)?;
        form.number("biogenicCO2Uptake", uptake)?;
        form.number("recycledCarbonContent", "0")?;
        form.number("outboundLogisticsGhgEmissions", "1.9")?;
        form.flag("ccsTechnologicalCO2CaptureIncluded", false);
        form.texts("ipccCharacterizationFactors", &["AR6"]);
        Ok(())
    }

    fn quality(&self, form: &mut Form) -> Result<(), Error> {
        form.number("technologicalDQR", "1.6")?;
        form.number("temporalDQR", "1.4")?;
        form.number("geographicalDQR", "2.1")?;
        if matches!(self.written, Written::V2 { .. }) {
            form.number("coveragePercent", "88")?;
            form.number("completenessDQR", "1.5")?;
            form.number("reliabilityDQR", "1.9")?;
        }
        Ok(())
    }
}
