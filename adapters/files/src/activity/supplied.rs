//! What an answer says about its CO2e, so that it can be written back: which parts were supplied, and in which unit.

use domain::{Co2e, MarketOrigin};
use ports::inbound::{ActivityDraft, ActivityView, Field, SuppliedParts};

use crate::json::{Json, Wrong};

/// The name of the upstream part.
pub(crate) const UPSTREAM: &str = "UpstreamCO2e";
/// The name of the downstream part.
pub(crate) const DOWNSTREAM: &str = "DownstreamCO2e";
/// The name of CO2 from living matter.
pub(crate) const BIOGENIC: &str = "biogenicCO2";
/// The name of the factor that counts in the market.
pub(crate) const MARKET_FACTOR: &str = "marketFactor";
/// What a table's cell says when no part was supplied; an empty cell says nothing.
pub(crate) const NONE: &str = "none";

fn add(listed: &mut SuppliedParts, name: &str) -> Result<(), Wrong> {
    match name {
        UPSTREAM => listed.upstream = true,
        DOWNSTREAM => listed.downstream = true,
        BIOGENIC => listed.biogenic = true,
        MARKET_FACTOR => listed.market = true,
        _ => {
            let detail = format!(
                "lists {name:?}; it lists {UPSTREAM}, {DOWNSTREAM}, {BIOGENIC} and {MARKET_FACTOR}, or nothing"
            );
            return Err(Wrong::new(detail));
        }
    }
    Ok(())
}

/// The parts that the member lists.
pub(crate) fn listed(json: &Json) -> Result<SuppliedParts, Wrong> {
    let Json::Array(items) = json else { return Err(Wrong::kind("an array of the parts that were supplied", json)) };
    let mut listed = SuppliedParts::default();
    for item in items {
        item.text(|name| add(&mut listed, name))?;
    }
    Ok(listed)
}

/// The parts that a table's cell lists: `none`, or names with blanks between them.
pub(crate) fn listed_cell(cell: &str) -> Result<SuppliedParts, Wrong> {
    let mut listed = SuppliedParts::default();
    for name in cell.split_whitespace().filter(|name| *name != NONE) {
        add(&mut listed, name)?;
    }
    Ok(listed)
}

/// Takes the parts that were computed for what the record says of itself, where the draft says which were supplied.
pub(crate) fn settle(draft: &mut ActivityDraft) {
    let Some(listed) = draft.read_back.supplied else { return };
    if !listed.upstream {
        draft.read_back.upstream = std::mem::replace(&mut draft.upstream, Field::Null).into_option();
    }
    if !listed.downstream {
        draft.read_back.downstream = std::mem::replace(&mut draft.downstream, Field::Null).into_option();
    }
    if !listed.biogenic {
        draft.read_back.biogenic = std::mem::replace(&mut draft.biogenic, Field::Null).into_option();
    }
    if !listed.market {
        draft.market_instrument = Field::Null;
        draft.market_factor = Field::Null;
        draft.market_reference = Field::Null;
    }
}

/// The unit that every CO2e of a row is in. Bodies are in kg always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Co2eUnit {
    /// Grams.
    Gram,
    /// Kilograms.
    #[default]
    Kilogram,
    /// Tonnes.
    Tonne,
}

impl Co2eUnit {
    pub(crate) fn parse(code: &str) -> Result<Self, Wrong> {
        match code {
            "g" => Ok(Self::Gram),
            "kg" => Ok(Self::Kilogram),
            "t" => Ok(Self::Tonne),
            _ => Err(Wrong::new("must be g, kg or t")),
        }
    }

    /// The code of the unit whose numbers are those in kg, shifted by so many places; `None` for kg itself.
    pub(crate) const fn of_shift(places: i8) -> Option<&'static str> {
        match places {
            3 => Some("g"),
            -3 => Some("t"),
            _ => None,
        }
    }

    /// The CO2e that `digits` are in this unit.
    pub(crate) fn co2e(self, digits: &str) -> Result<Co2e, Wrong> {
        let exponent = match self {
            Self::Kilogram => return Co2e::parse(digits).map_err(Wrong::new),
            Self::Gram => "e-3",
            Self::Tonne => "e3",
        };
        Co2e::parse(&format!("{digits}{exponent}")).map_err(Wrong::new)
    }
}

/// Notes a fault where `unit` is given but wrong, and gives the unit that counts.
pub(crate) fn unit_or_kg(unit: Field<Co2eUnit>) -> Co2eUnit {
    unit.into_option().unwrap_or_default()
}

/// Notes that a part is listed but has no value, in a record that is whole.
pub(crate) fn missing(draft: &mut ActivityDraft) {
    let Some(listed) = draft.read_back.supplied else { return };
    for (name, is_listed, part) in [
        (UPSTREAM, listed.upstream, &draft.upstream),
        (DOWNSTREAM, listed.downstream, &draft.downstream),
        (BIOGENIC, listed.biogenic, &draft.biogenic),
    ] {
        if is_listed && *part == Field::Null {
            draft.faults.add("/supplied", format!("lists {name}, which has no value"));
        }
    }
}

/// The names of the parts of an activity that were supplied.
pub(crate) fn listed_names(view: &ActivityView) -> Vec<&'static str> {
    let activity = &view.activity.value;
    let supplied = activity.calculation.supplied();
    let market = activity.stated.market.as_ref().filter(|market| market.origin == MarketOrigin::Named);
    [
        (UPSTREAM, supplied.upstream.is_some()),
        (DOWNSTREAM, supplied.downstream.is_some()),
        (BIOGENIC, activity.stated.biogenic.is_some()),
        (MARKET_FACTOR, market.is_some()),
    ]
    .into_iter()
    .filter_map(|(name, is_supplied)| is_supplied.then_some(name))
    .collect()
}
