//! A dozen footprints, in the second and the third version of PACT, and one that is made of a model. Two are not valid, each
//! for a reason that can be seen: a reference period that ends before it begins, and packaging emissions where packaging is
//! said to be left out.

mod form;
mod of_model;
mod pact_fields;

use std::collections::BTreeMap;

use domain::footprint::Reference;
use domain::{Fields, ModelId, Moment};
use ports::Caller;
use ports::inbound::{Error, Footprints};
use ports::repo::Page;
use uuid::Uuid;

use pact_fields::{Record, Written};

/// Names the company in footprints.
const COMPANY_URN: &str = "urn:pact:halvenmere.example:supplier-id:halvenmere";
/// What the URNs of its products begin with.
const PRODUCT_URN: &str = "urn:pact:halvenmere.example:product-id:";

/// What a list of footprints is asked for; the demo has fewer.
const ALL: Page = Page { number: 1, size: 1_000 };

/// Each product of a year before the one that replaces it.
const RECORDS: [Record; 12] = [
    Record::new("heron-2023", "Heron city bicycle", ["5.023", "0.041", "0.018", "0.052", "-0.164"])
        .of(2023, Written::V2 { mass: "14.2" })
        .deprecated("Replaced by the footprint of 2024."),
    Record::new("heron-2024", "Heron city bicycle", ["4.781", "0.038", "0.017", "0.049", "-0.164"])
        .of(2024, Written::V2 { mass: "14.2" })
        .after("heron-2023"),
    Record::new("wren-2024", "Wren children's bicycle", ["4.062", "0.022", "0.011", "0.034", "-0.121"])
        .of(2024, Written::V2 { mass: "8.1" }),
    Record::new("otter-2024", "Otter cargo bike", ["5.384", "0.094", "0.042", "0.066", "-0.712"])
        .of(2024, Written::V2 { mass: "41.5" }),
    Record::new("panniers-2024", "Pair of panniers", ["3.417", "0.012", "0", "0.021", "-0.083"])
        .of(2024, Written::V2 { mass: "1.18" })
        .in_class("29220"),
    Record::new("frame-2024", "Heron frame, painted", ["9.866", "0.004", "0", "0.019", "0"])
        .of(2024, Written::V2 { mass: "3.7" })
        .in_class("49942"),
    Record::new("swift-2024", "Swift e-bike", ["151.2", "0.94", "0.31", "1.12", "-3.84"])
        .of(2024, Written::V3 { mass: "23.6" }),
    Record::new("otter-2025", "Otter cargo bike", ["216.8", "3.72", "1.64", "2.61", "-29.1"])
        .of(2025, Written::V3 { mass: "41.5" })
        .after("otter-2024"),
    Record::new("heron-2025", "Heron city bicycle", ["65.93", "0.51", "0.22", "0.66", "-2.31"])
        .of(2025, Written::V3 { mass: "14.1" })
        .after("heron-2024"),
    Record::new("box-2025", "Cargo box of larch", ["3.914", "0.62", "0.41", "0.18", "-19.6"])
        .of(2025, Written::V3 { mass: "11.5" })
        .in_class("31700"),
    Record::new("kingfisher-2024", "Kingfisher tandem", ["4.906", "0.036", "0.015", "0.047", "-0.158"])
        .of(2024, Written::V2 { mass: "21.4" })
        .with_period_reversed(),
    Record::new("swift-low-2025", "Swift e-bike, low step", ["149.7", "0.93", "0.31", "1.11", "-3.84"])
        .of(2025, Written::V3 { mass: "23.9" })
        .with_packaging_denied(),
];

/// Fills in the footprints that are not there yet, that of the e-bike's model among them, and gives how many there are.
pub(super) async fn fill(footprints: &dyn Footprints, model: Uuid, caller: &Caller) -> Result<u64, Error> {
    let model = ModelId::new(model);
    let known = footprints.list(caller, ALL).await?;
    let mut count = known.count;
    let mut numbers: BTreeMap<Key, u64> = BTreeMap::new();
    for view in &known.data {
        numbers.insert(key(&view.footprint.value.fields), view.footprint.value.number);
    }
    let mut by_code: BTreeMap<&str, u64> = BTreeMap::new();
    for record in &RECORDS {
        let preceding = record.preceding().and_then(|code| by_code.get(code)).copied();
        let draft = record.draft(preceding.and_then(|number| i64::try_from(number).ok()).map(Reference::Number))?;
        let number = if let Some(number) = numbers.get(&key(&draft.fields)) {
            *number
        } else {
            count += 1;
            footprints.add(caller, draft).await?.footprint.value.number
        };
        by_code.insert(record.code(), number);
    }
    // What somebody made of the model since stays as it is.
    let mut made = known.data.iter().filter_map(|view| view.footprint.value.from_model.as_deref());
    if !made.any(|made| made.model == model) {
        of_model::publish(footprints, model, caller).await?;
        count += 1;
    }
    Ok(count)
}

/// What tells one footprint from another: the product and the end of its reference period.
type Key = (Vec<String>, Option<String>);

fn key(fields: &Fields) -> Key {
    let end = fields.object("pcf").and_then(|pcf| pcf.moment("referencePeriodEnd"));
    (fields.texts("productIds").to_vec(), end.as_ref().map(Moment::to_string))
}
