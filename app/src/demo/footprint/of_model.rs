//! The footprint that is made of a model: what is said of the e-bike besides what its inputs come to.

use domain::footprint::FOOTPRINT;
use domain::footprint::publish::PublishingCompany;
use domain::{ModelId, Name};
use ports::Caller;
use ports::inbound::{Done, Error, Footprints, PublishDraft, SaidEarlier};

use super::form::Form;
use super::{COMPANY_URN, PRODUCT_URN};
use crate::demo::{COMPANY, parse};

/// Makes the footprint of the e-bike's model.
pub(super) async fn publish(footprints: &dyn Footprints, model: ModelId, caller: &Caller) -> Result<(), Error> {
    let Form { fields, faults } = said()?;
    let company = PublishingCompany { name: parse::text(Name::parse, COMPANY)?, ids: vec![COMPANY_URN.to_owned()] };
    let draft = PublishDraft { company, said: fields, earlier: SaidEarlier::Holds, faults };
    footprints.publish_once(caller, model, draft, None).await.and_then(Done::only_now).map(drop)
}

fn said() -> Result<Form, Error> {
    let mut form = Form::new(&FOOTPRINT);
    form.texts("productIds", &[&format!("{PRODUCT_URN}swift")]);
    form.text("productDescription", "Swift e-bike, computed from its model");
    form.texts("productClassifications", &["urn:cpc:49921"]);
    form.below("pcf", |pcf| {
        pcf.number("productMassPerDeclaredUnit", "23.6")?;
        pcf.text("geographyRegionOrSubregion", "Northern Europe");
        pcf.texts("crossSectoralStandards", &["GHGP-Product", "ISO14067"]);
        pcf.number("exemptedEmissionsPercent", "0.8")?;
        pcf.text("exemptedEmissionsDescription", "Small parts below a gram");
        pcf.number("fossilCarbonContent", "0.08")?;
        pcf.number("biogenicCarbonContent", "0")?;
        // The carton is outbound logistics.
        pcf.flag("packagingEmissionsIncluded", false);
        pcf.below("dqi", |dqi| {
            dqi.number("technologicalDQR", "1.6")?;
            dqi.number("geographicalDQR", "2.1")
        })
    })?;
    Ok(form)
}
