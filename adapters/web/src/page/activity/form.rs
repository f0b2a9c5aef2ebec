//! The form of an activity: its fields as they are sent, and the draft that they say.

use domain::{Faults, MarketBasis, MarketOrigin, Quality};
use files::{Json, Members, activity_draft};
use maud::{Markup, html};
use ports::inbound::{ActivityDraft, ActivityView};

use super::offers::Offers;
use crate::component::{Field, Input, field};
use crate::filter::Dimension;
use crate::form::Fields;

/// The members that the form has, in its order, each with its label.
pub(super) const MEMBERS: [(&str, &str); 19] = [
    ("name", "Name"),
    ("startDate", "First day"),
    ("endDate", "Last day"),
    ("quantity", "Quantity"),
    ("unit", "Unit"),
    ("product", "Product"),
    ("org", "Org"),
    ("scope", "Scope"),
    ("taxonomy", "Category"),
    ("UpstreamCO2e", "Upstream CO₂e in kg"),
    ("DownstreamCO2e", "Downstream CO₂e in kg"),
    ("biogenicCO2", "Biogenic CO₂ in kg"),
    ("quality", "Quality"),
    ("marketInstrument", "Market instrument"),
    ("marketFactor", "Market-based factor"),
    ("marketReference", "Certificate or contract"),
    ("evidence", "Evidence"),
    ("syncId", "syncId"),
    ("description", "Description"),
];

/// What is in the form, member by member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Values(Vec<(&'static str, String)>);

impl Values {
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    pub(super) fn set(&mut self, name: &'static str, value: &str) {
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, value.to_owned()));
    }

    /// As they were when the form was made.
    pub(super) fn before(fields: &Fields) -> Self {
        Self(
            MEMBERS
                .iter()
                .map(|(name, _)| (*name, fields.filled(&format!("before-{name}")).unwrap_or_default().to_owned()))
                .collect(),
        )
    }

    /// As a form sent them.
    pub(super) fn sent(fields: &Fields) -> Self {
        Self(MEMBERS.iter().map(|(name, _)| (*name, fields.filled(name).unwrap_or_default().to_owned())).collect())
    }

    /// As an activity has them: parts of its CO2e only where they were given with it.
    pub(super) fn of(view: &ActivityView) -> Self {
        let activity = &view.activity.value;
        let supplied = activity.calculation.supplied();
        let text = |value: Option<String>| value.unwrap_or_default();
        // That of the product's residual mix was named by nobody.
        let market = activity.stated.market.as_ref().filter(|market| market.origin == MarketOrigin::Named);
        let value = |name: &str| match name {
            "name" => activity.name.to_string(),
            "startDate" => activity.span.start().to_string(),
            "endDate" => text(activity.span.end().map(|end| end.to_string())),
            "quantity" => text(activity.measured.map(|one| one.quantity.to_string())),
            "unit" => text(activity.measured.map(|one| one.unit.to_string())),
            "product" => text(activity.product.map(|id| id.to_string())),
            "org" => text(activity.org.map(|id| id.to_string())),
            "scope" => text(activity.scope.map(|id| id.to_string())),
            "taxonomy" => text(activity.taxonomy.map(|id| id.to_string())),
            "UpstreamCO2e" => text(supplied.upstream.map(|one| one.to_string())),
            "DownstreamCO2e" => text(supplied.downstream.map(|one| one.to_string())),
            "biogenicCO2" => text(activity.stated.biogenic.map(|one| one.to_string())),
            "marketInstrument" => text(market.map(|market| market.basis.word().to_owned())),
            "marketFactor" => text(market.map(|market| market.factor.to_string())),
            "marketReference" => text(market.and_then(|market| market.reference.as_ref()).map(ToString::to_string)),
            "evidence" => {
                activity.stated.evidence.as_slice().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }
            "quality" => text(activity.stated.quality.map(|one| one.word().to_owned())),
            "syncId" => text(activity.sync_id.as_ref().map(ToString::to_string)),
            "description" => text(activity.description.as_ref().map(ToString::to_string)),
            _ => String::new(),
        };
        Self(MEMBERS.iter().map(|(name, _)| (*name, value(name))).collect())
    }

    /// The draft that they say: read as the API reads a body, so that both refuse the same with the same words. Where
    /// `before` is given, what is as it was there is left out, and so stays whatever somebody else makes of it.
    pub(super) fn draft(&self, before: Option<&Self>) -> ActivityDraft {
        let mut members = Vec::new();
        for (name, value) in &self.0 {
            let is_reference = matches!(*name, "product" | "org" | "scope" | "taxonomy");
            let json = match value.as_str() {
                "" if before.is_none() => continue,
                "" => Json::Null,
                value if is_reference => {
                    let by = if domain::parse_uuid(value).is_ok() { "uuid" } else { "syncId" };
                    Json::Object(vec![(by.to_owned(), Json::Text(value.to_owned()))])
                }
                value if *name == "evidence" => {
                    Json::Array(lines(value).map(|one| Json::Text(one.to_owned())).collect())
                }
                value => Json::Text(value.to_owned()),
            };
            if before.is_some_and(|before| same(before.get(name), value)) {
                continue;
            }
            members.push(((*name).to_owned(), json));
        }
        let missing = before.is_some();
        let mut draft = activity_draft(&Json::Object(members), Members::Given);
        if missing {
            // A change need not give what a new record must.
            draft.faults = without_required(draft.faults);
        }
        draft
    }
}

/// The lines of a text that say something. Browsers end lines in two ways.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn same(one: &str, other: &str) -> bool {
    one == other || one.lines().eq(other.lines())
}

fn without_required(faults: Faults) -> Faults {
    let mut kept = Faults::new();
    for fault in faults {
        if fault.code != domain::FaultCode::Required {
            kept.add_coded(fault.code, fault.pointer, fault.detail);
        }
    }
    kept
}

/// The fields of the form.
pub(super) fn fields(values: &Values, offers: &Offers, faults: &Faults) -> Markup {
    let one = |name: &'static str, hint: Option<&'static str>, input: Input<'_>| {
        let label = MEMBERS.iter().find(|(known, _)| *known == name).map_or(name, |(_, label)| *label);
        let required = matches!(name, "name" | "startDate");
        field(&Field { name, label, hint, input, value: values.get(name), required }, faults)
    };
    let (orgs, scopes) = (offers.nodes(Dimension::Org), offers.nodes(Dimension::Scope));
    let taxonomies = offers.nodes(Dimension::Taxonomy);
    let qualities: Vec<_> = Quality::ALL.iter().map(|one| (one.word().to_owned(), one.word().to_owned())).collect();
    let bases: Vec<_> = MarketBasis::ALL.iter().map(|one| (one.word().to_owned(), one.word().to_owned())).collect();
    html! {
        (one("name", None, Input::Text))
        div.row {
            (one("startDate", Some("YYYY-MM-DD, or with a time and its offset"), Input::Text))
            (one("endDate", Some("empty for a single day"), Input::Text))
        }
        div.row {
            (one("quantity", Some("with a point: 120.5"), Input::Number))
            (one("unit", Some("such as kWh, L, kg, tkm"), Input::Text))
            (one("product", None, Input::Choice(&offers.products)))
        }
        div.row {
            (one("org", None, Input::Choice(&orgs)))
            (one("scope", None, Input::Choice(&scopes)))
            (one("taxonomy", None, Input::Choice(&taxonomies)))
        }
        div.row {
            (one("UpstreamCO2e", Some("only to replace the computed part"), Input::Number))
            (one("DownstreamCO2e", Some("only to replace the computed part"), Input::Number))
            (one("biogenicCO2", Some("beside CO₂e; only to replace what the factor says"), Input::Number))
            (one("quality", None, Input::Choice(&qualities)))
        }
        div.row {
            (one("marketInstrument", Some("scope 2 alone, together with the factor"), Input::Choice(&bases)))
            (one("marketFactor", Some("those of the product, and those that are found below"), Input::Choice(&offers.market)))
            (one("marketReference", Some("which one it is"), Input::Text))
        }
        (one("evidence", Some("a line each: an address that begins with https://, or sha256: with the digits, a blank and the name of the file"), Input::Lines))
        (one("syncId", Some("what another system calls it: unique"), Input::Text))
        (one("description", None, Input::Lines))
    }
}
