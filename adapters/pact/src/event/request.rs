//! What a request asks for: in version 3 by the filters of lists, in version 2 by a part of a footprint.

use domain::footprint::{Compared, Comparison, Condition, Edition, FootprintFilter, Operator};
use domain::{FaultCode, Faults, FootprintId, parse_uuid};
use serde::Deserialize as _;
use serde_json::value::RawValue;

use super::members::Members;
use crate::FilterQuery;
use crate::json::{Kind, pointer};

/// The most texts of one member.
const MOST: usize = 1_000;

/// What a request asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedFor {
    /// What must hold of the footprints.
    pub filter: FootprintFilter,
    /// The one footprint that is named, if one is (version 2 alone).
    pub id: Option<FootprintId>,
    /// What the sender says beside it.
    pub comment: Option<String>,
}

impl AskedFor {
    /// Whether nothing is said that footprints are found by: then every one is asked for.
    #[must_use]
    pub const fn is_for_all(&self) -> bool {
        self.filter.conditions.is_empty() && self.id.is_none()
    }

    /// The product ids that are asked for.
    pub fn product_ids(&self) -> impl Iterator<Item = &str> {
        self.filter
            .conditions
            .iter()
            .flat_map(|condition| match condition {
                Condition::ProductId(ids) => ids.as_slice(),
                Condition::CompanyId(_)
                | Condition::Classification(_)
                | Condition::Geography(_)
                | Condition::Status(_)
                | Condition::ValidOn(_)
                | Condition::ValidAfter(_)
                | Condition::ValidBefore(_)
                | Condition::Compares(_) => &[],
            })
            .map(String::as_str)
    }
}

/// Reads the `data` of a request.
pub fn read_request(data: &str, edition: Edition) -> Result<AskedFor, Faults> {
    let raw: &RawValue =
        serde_json::from_str(data).map_err(|error| Faults::one("/data", format!("is not JSON: {error}")))?;
    let mut faults = Faults::new();
    let asked = Members::read(raw, "/data", &mut faults).map(|members| match edition {
        Edition::V2 => part(&members, &mut faults),
        Edition::V3 => filters(&members, &mut faults),
    });
    match asked {
        Some(asked) if faults.is_empty() => Ok(asked),
        Some(_) | None => Err(faults),
    }
}

/// Version 3: the parameters of lists, each a text or an array of texts.
fn filters(members: &Members<'_>, faults: &mut Faults) -> AskedFor {
    let mut query = FilterQuery::default();
    // `null` is as if it were not given, as everywhere in events.
    for (name, raw) in members.iter().filter(|(name, raw)| *name != "comment" && Kind::of(raw) != Kind::Null) {
        let at = pointer("/data", name);
        if FilterQuery::PARAMETERS.iter().any(|parameter| parameter.name == name) {
            query.read(name, texts(raw, &at, faults));
        } else {
            faults.add_coded(FaultCode::Unknown, at, "is no filter that is known here");
        }
    }
    let filter = match query.finish() {
        Ok(filter) => filter,
        Err(wrong) => {
            for fault in wrong.as_slice() {
                faults.add_coded(fault.code, pointer("/data", &fault.pointer), fault.detail.clone());
            }
            FootprintFilter::default()
        }
    };
    AskedFor { filter, id: None, comment: members.text("comment", 10_000, faults) }
}

/// Version 2: `pf`, of whose members those count that identify a footprint, its product or its place.
fn part(members: &Members<'_>, faults: &mut Faults) -> AskedFor {
    let comment = members.text("comment", 10_000, faults);
    let Some(raw) = members.get("pf") else {
        faults.add_coded(FaultCode::Required, "/data/pf", "is missing");
        return AskedFor::default();
    };
    let Some(part) = Members::read(raw, "/data/pf", faults) else { return AskedFor::default() };
    let mut conditions = Vec::new();
    let mut several = |name: &str, condition: fn(Vec<String>) -> Condition| {
        let found = part.get(name).map(|raw| texts(raw, &pointer("/data/pf", name), faults)).unwrap_or_default();
        if !found.is_empty() {
            conditions.push(condition(found));
        }
    };
    several("productIds", Condition::ProductId);
    several("companyIds", Condition::CompanyId);
    several("productClassifications", Condition::Classification);
    if let Some(status) = part.text("status", 100, faults) {
        conditions.push(Condition::Status(vec![status]));
    }
    if let Some(category) = part.text("productCategoryCpc", 1_000, faults) {
        let with = Compared::Category(category);
        conditions.push(Condition::Compares(Comparison { operator: Operator::Eq, with }));
    }
    if let Some(pcf) = part.get("pcf").and_then(|raw| Members::read(raw, "/data/pf/pcf", faults)) {
        for name in ["geographyCountry", "geographyRegionOrSubregion", "geographyCountrySubdivision"] {
            conditions.extend(pcf.text(name, 1_000, faults).map(|place| Condition::Geography(vec![place])));
        }
    }
    let id = part.text("id", 100, faults).and_then(|id| faults.check("/data/pf/id", parse_uuid(&id)));
    AskedFor { filter: FootprintFilter { conditions }, id: id.map(FootprintId::new), comment }
}

/// A text, or the texts of an array; those that are empty are as if they were not given.
fn texts(raw: &RawValue, at: &str, faults: &mut Faults) -> Vec<String> {
    let all = match Kind::of(raw) {
        Kind::Text => String::deserialize(raw).map(|text| vec![text]).ok(),
        Kind::Array => serde_json::from_str::<Vec<String>>(raw.get()).ok().filter(|all| all.len() <= MOST),
        Kind::Null | Kind::Flag | Kind::Number | Kind::Object => None,
    };
    let Some(all) = all else {
        faults.add_coded(FaultCode::Type, at, format!("must be an array of texts, at most {MOST}"));
        return Vec::new();
    };
    all.into_iter().filter(|text| !text.is_empty()).collect()
}
