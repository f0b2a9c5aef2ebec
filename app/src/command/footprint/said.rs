//! Options that say what of a model's footprint cannot be computed.

use anyhow::Result;
use clap::Args;
use domain::footprint::{FOOTPRINT, FieldValue, Fields, JsonType, PCF};
use domain::{Decimal, Moment};

use super::super::Usage;

/// What is said of a footprint. Amounts are for the model's whole amount.
#[derive(Debug, Args)]
pub(super) struct Said {
    /// A URN of the product, such as urn:gtin:4712345060507; can be given several times.
    #[arg(long, value_name = "URN")]
    product_id: Vec<String>,
    /// A URN of the company; can be given several times.
    #[arg(long, value_name = "URN")]
    company_id: Vec<String>,
    /// The company's name [default: its name here, or the one that reports].
    #[arg(long, value_name = "NAME")]
    company_name: Option<String>,
    /// The product's name [default: the model's].
    #[arg(long, value_name = "NAME")]
    product_name: Option<String>,
    /// What the product is.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// A URN of a classification; of urn:cpc:CODE PACT 2 needs one.
    #[arg(long, value_name = "URN")]
    classification: Vec<String>,
    /// A remark [default: what is not known or was rounded].
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// How many per cent of the emissions the model leaves out.
    #[arg(long, value_name = "PERCENT", value_parser = Decimal::parse)]
    exempted_percent: Option<Decimal>,
    /// What it leaves out, and why.
    #[arg(long, value_name = "TEXT")]
    exempted_description: Option<String>,
    /// A standard by which the model was made, such as GHGP-Product or ISO14067.
    #[arg(long, value_name = "NAME")]
    standard: Vec<String>,
    /// Kilograms of fossil carbon in the product.
    #[arg(long, value_name = "KG", value_parser = Decimal::parse)]
    fossil_carbon: Option<Decimal>,
    /// Kilograms of biogenic carbon in the product; PACT 2 needs it.
    #[arg(long, value_name = "KG", value_parser = Decimal::parse)]
    biogenic_carbon: Option<Decimal>,
    /// What the product weighs without packaging, where its unit does not tell.
    #[arg(long, value_name = "KG", value_parser = Decimal::parse)]
    mass: Option<Decimal>,
    /// How much of the inputs' CO2e is uptake of CO2 by living matter: 0 or less.
    #[arg(long, value_name = "KG", value_parser = Decimal::parse, allow_hyphen_values = true)]
    biogenic_uptake: Option<Decimal>,
    /// How much of the inputs' CO2e living matter emits other than CO2, where factors do not tell.
    #[arg(long, value_name = "KG", value_parser = Decimal::parse)]
    biogenic_non_co2: Option<Decimal>,
    /// How much of the inputs' CO2e is of land-use change.
    #[arg(long, value_name = "KG", value_parser = Decimal::parse)]
    land_use_change: Option<Decimal>,
    /// The report of the IPCC behind factors that do not name theirs, such as AR6.
    #[arg(long, value_name = "REPORT")]
    characterization_factors: Vec<String>,
    /// The country it is made in, such as NO; the whole world unless a place is given.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["subdivision", "region"])]
    country: Option<String>,
    /// The part of a country it is made in, such as US-CA.
    #[arg(long, value_name = "CODE", conflicts_with = "region")]
    subdivision: Option<String>,
    /// The UN region it is made in, such as "Northern Europe".
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// When the reference period starts [default: with the year of the model's reference date].
    #[arg(long, value_name = "TIME", value_parser = Moment::parse_start)]
    reference_start: Option<Moment>,
    /// The first moment after the reference period [default: the end of that year].
    #[arg(long, value_name = "TIME", value_parser = Moment::parse_start)]
    reference_end: Option<Moment>,
    /// A declared unit of PACT, where the model's unit has none.
    #[arg(long, value_name = "UNIT")]
    declared_unit: Option<String>,
    /// How much of that unit the model's whole amount is.
    #[arg(long, value_name = "NUMBER", value_parser = Decimal::parse)]
    declared_amount: Option<Decimal>,
    /// How well the factors fit the technology, 1 (best) to 5; the other two ratings are computed then.
    #[arg(long, value_name = "RATING", value_parser = Decimal::parse)]
    technological_dqr: Option<Decimal>,
    /// How well they fit the place, 1 to 5, where no country is given.
    #[arg(long, value_name = "RATING", value_parser = Decimal::parse)]
    geographical_dqr: Option<Decimal>,
    /// Whether packaging is included; PACT 2 needs it.
    #[arg(long, value_name = "BOOL")]
    packaging_included: Option<bool>,
    /// Whether the capture and storage of CO2 is included.
    #[arg(long, value_name = "BOOL")]
    ccs_included: Option<bool>,
}

/// The options by the fields that they give.
const OPTIONS: [(&str, &str); 28] = [
    ("/productIds", "product-id"),
    ("/companyIds", "company-id"),
    ("/companyName", "company-name"),
    ("/productNameCompany", "product-name"),
    ("/productDescription", "description"),
    ("/productClassifications", "classification"),
    ("/comment", "comment"),
    ("/pcf/exemptedEmissionsPercent", "exempted-percent"),
    ("/pcf/exemptedEmissionsDescription", "exempted-description"),
    ("/pcf/crossSectoralStandards", "standard"),
    ("/pcf/fossilCarbonContent", "fossil-carbon"),
    ("/pcf/biogenicCarbonContent", "biogenic-carbon"),
    ("/pcf/productMassPerDeclaredUnit", "mass"),
    ("/pcf/biogenicCO2Uptake", "biogenic-uptake"),
    ("/pcf/biogenicNonCO2Emissions", "biogenic-non-co2"),
    ("/pcf/landUseChangeGhgEmissions", "land-use-change"),
    ("/pcf/ipccCharacterizationFactors", "characterization-factors"),
    ("/pcf/geographyCountry", "country"),
    ("/pcf/geographyCountrySubdivision", "subdivision"),
    ("/pcf/geographyRegionOrSubregion", "region"),
    ("/pcf/referencePeriodStart", "reference-start"),
    ("/pcf/referencePeriodEnd", "reference-end"),
    ("/pcf/declaredUnitOfMeasurement", "declared-unit"),
    ("/pcf/declaredUnitAmount", "declared-amount"),
    ("/pcf/dqi/technologicalDQR", "technological-dqr"),
    ("/pcf/dqi/geographicalDQR", "geographical-dqr"),
    ("/pcf/packagingEmissionsIncluded", "packaging-included"),
    ("/pcf/ccsTechnologicalCO2CaptureIncluded", "ccs-included"),
];

/// The option that gives what stands there; an item of a list stands in it.
pub(super) fn option(pointer: &str) -> Option<&'static str> {
    let is_it = |at: &str| pointer.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    OPTIONS.iter().find(|(at, _)| is_it(at)).map(|(_, option)| *option)
}

impl Said {
    /// The fields of a footprint that are said.
    pub(super) fn fields(&self) -> Result<Fields> {
        let (mut top, mut pcf) = (Fields::new(&FOOTPRINT), Fields::new(&PCF));
        for (pointer, value) in self.values() {
            let (fields, name) = match pointer.strip_prefix("/pcf/") {
                Some(name) => (&mut pcf, name),
                None => (&mut top, pointer.trim_start_matches('/')),
            };
            set(fields, name, value, pointer)?;
        }
        if let Some(JsonType::Object(schema)) = PCF.field("dqi").map(|spec| spec.kind) {
            let mut dqi = Fields::new(schema);
            for (name, rating) in
                [("technologicalDQR", self.technological_dqr), ("geographicalDQR", self.geographical_dqr)]
            {
                if let Some(rating) = rating {
                    set(&mut dqi, name, FieldValue::Number(rating), name)?;
                }
            }
            if schema.fields.iter().any(|spec| dqi.find(spec.name).is_some()) {
                set(&mut pcf, "dqi", FieldValue::Object(dqi), "dqi")?;
            }
        }
        if PCF.fields.iter().any(|spec| pcf.find(spec.name).is_some()) {
            set(&mut top, "pcf", FieldValue::Object(pcf), "pcf")?;
        }
        Ok(top)
    }

    fn values(&self) -> Vec<(&'static str, FieldValue)> {
        let texts = [
            ("/companyName", &self.company_name),
            ("/productNameCompany", &self.product_name),
            ("/productDescription", &self.description),
            ("/comment", &self.comment),
            ("/pcf/exemptedEmissionsDescription", &self.exempted_description),
            ("/pcf/geographyCountry", &self.country),
            ("/pcf/geographyCountrySubdivision", &self.subdivision),
            ("/pcf/geographyRegionOrSubregion", &self.region),
            ("/pcf/declaredUnitOfMeasurement", &self.declared_unit),
        ];
        let lists = [
            ("/productIds", &self.product_id),
            ("/companyIds", &self.company_id),
            ("/productClassifications", &self.classification),
            ("/pcf/crossSectoralStandards", &self.standard),
            ("/pcf/ipccCharacterizationFactors", &self.characterization_factors),
        ];
        let numbers = [
            ("/pcf/exemptedEmissionsPercent", self.exempted_percent),
            ("/pcf/fossilCarbonContent", self.fossil_carbon),
            ("/pcf/biogenicCarbonContent", self.biogenic_carbon),
            ("/pcf/productMassPerDeclaredUnit", self.mass),
            ("/pcf/biogenicCO2Uptake", self.biogenic_uptake),
            ("/pcf/biogenicNonCO2Emissions", self.biogenic_non_co2),
            ("/pcf/landUseChangeGhgEmissions", self.land_use_change),
            ("/pcf/declaredUnitAmount", self.declared_amount),
        ];
        let moments =
            [("/pcf/referencePeriodStart", self.reference_start), ("/pcf/referencePeriodEnd", self.reference_end)];
        let flags = [
            ("/pcf/packagingEmissionsIncluded", self.packaging_included),
            ("/pcf/ccsTechnologicalCO2CaptureIncluded", self.ccs_included),
        ];
        let texts = texts.into_iter().filter_map(|(at, value)| Some((at, FieldValue::Text(value.clone()?))));
        let lists = lists.into_iter().map(|(at, value)| (at, FieldValue::Texts(value.clone())));
        let numbers = numbers.into_iter().filter_map(|(at, value)| Some((at, FieldValue::Number(value?))));
        let moments = moments.into_iter().filter_map(|(at, value)| Some((at, FieldValue::Moment(value?))));
        let flags = flags.into_iter().filter_map(|(at, value)| Some((at, FieldValue::Flag(value?))));
        texts.chain(lists).chain(numbers).chain(moments).chain(flags).collect()
    }
}

fn set(fields: &mut Fields, name: &str, value: FieldValue, pointer: &str) -> Result<()> {
    let named = option(pointer).unwrap_or(name);
    Ok(fields.set(name, value).map_err(|error| Usage(format!("--{named}: {error}")))?)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        said: Said,
    }

    #[test]
    fn every_option_gives_the_field_that_it_is_named_for() {
        let line = Line::command();
        let known: Vec<_> =
            line.get_arguments().filter_map(clap::Arg::get_long).filter(|name| *name != "help").collect();
        assert_eq!(known.len(), OPTIONS.len());
        for (pointer, option) in OPTIONS {
            assert!(known.contains(&option), "{option}");
            let word = match option {
                "packaging-included" | "ccs-included" => "true",
                "reference-start" | "reference-end" => "2025-01-01",
                _ => "7",
            };
            let said = Line::try_parse_from(["line", &format!("--{option}={word}")]).unwrap().said;
            let fields = said.fields().unwrap();
            let names: Vec<_> = pointer.split('/').skip(1).collect();
            let (last, outer) = names.split_last().unwrap();
            let found = outer.iter().try_fold(&fields, |fields, name| fields.object(name));
            assert!(found.unwrap().find(last).is_some(), "{option} {pointer}");
        }
    }

    #[test]
    fn an_item_of_a_list_is_mended_by_the_option_of_the_list() {
        assert_eq!(option("/productIds/0"), Some("product-id"));
        assert_eq!(option("/productIdsToo"), None);
    }
}
