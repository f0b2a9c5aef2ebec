//! Rules by which factors are chosen, as bodies of requests and catalogs give them.

use domain::{
    Digest, FactorRule, FaultCode, GwpSet, MAX_PREFERENCES, Name, PublishedUse, PublisherSets, SetPreference, Unit,
    YearRule,
};
use ports::inbound::Field;

use crate::json::{Json, Reader};

/// The most categories above a name.
const MOST_CATEGORIES: usize = 100;

/// Takes a rule with everything that is wrong with it.
pub fn factor_rule(reader: &mut Reader<'_>, name: &'static str) -> Field<FactorRule> {
    match reader.object(name, rule) {
        Field::Given(Some(rule)) => Field::Given(rule),
        // What is wrong was noted.
        Field::Given(None) | Field::Faulty => Field::Faulty,
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
    }
}

fn rule(reader: &mut Reader<'_>) -> Option<FactorRule> {
    for name in ["sets", "name", "unit"] {
        reader.must_have(name);
    }
    let sets = reader.objects("sets", MAX_PREFERENCES, preference).into_option();
    let (name, unit) = (reader.text("name", Name::parse), reader.text("unit", Unit::parse));
    let path = reader.list("path", MOST_CATEGORIES, |json| json.text(Name::parse)).into_option();
    let usage = reader.text("use", PublishedUse::parse).into_option();
    let region = reader.text("region", Name::parse).into_option();
    let years = reader.text("years", str::parse::<YearRule>).into_option();
    let gwp = reader.text("gwp", GwpSet::parse).into_option();
    let sets: Vec<SetPreference> = sets?.into_iter().collect::<Option<_>>()?;
    match FactorRule::new(sets, name.into_option()?, unit.into_option()?) {
        Ok(rule) => Some(
            rule.with_path(path.unwrap_or_default())
                .with_usage(usage)
                .with_region(region)
                .with_years(years.unwrap_or_default())
                .with_gwp(gwp),
        ),
        Err(error) => {
            reader.fault("sets", error);
            None
        }
    }
}

/// A set by its file, or the sets of a publisher.
fn preference(reader: &mut Reader<'_>) -> Option<SetPreference> {
    let set = reader.text("set", Digest::parse);
    let publisher = reader.text("publisher", Name::parse);
    let (title, edition) = (reader.text("title", Name::parse), reader.text("edition", Name::parse));
    let year = reader.integer("year", 1..=9999);
    let narrowed = [("title", title.is_missing()), ("edition", edition.is_missing()), ("year", year.is_missing())];
    if set.is_missing() && publisher.is_missing() {
        reader.fault_coded(FaultCode::Required, "publisher", "is required where no set is given");
        return None;
    }
    if !set.is_missing() {
        let beside = [("publisher", publisher.is_missing())].into_iter().chain(narrowed);
        for (name, _) in beside.filter(|(_, is_missing)| !is_missing) {
            reader.fault_coded(FaultCode::Mismatch, name, "is what the set says: leave it out");
        }
        return set.into_option().map(SetPreference::Set);
    }
    let year = year.into_option().and_then(|year| i32::try_from(year).ok());
    let sets = PublisherSets::new(publisher.into_option()?)
        .with_title(title.into_option())
        .with_edition(edition.into_option())
        .with_year(year);
    Some(SetPreference::Publisher(sets))
}

/// The rule as the JSON that [`factor_rule`] takes, without what is not said.
#[must_use]
pub fn factor_rule_json(rule: &FactorRule) -> Json {
    let text = |value: &dyn std::fmt::Display| Json::Text(value.to_string());
    let mut members = vec![
        ("sets", Json::Array(rule.sets().iter().map(sets_json).collect())),
        ("name", text(&rule.name)),
        ("unit", text(&rule.unit)),
    ];
    if !rule.path.is_empty() {
        members.push(("path", Json::Array(rule.path.iter().map(|name| text(name)).collect())));
    }
    members.extend(rule.usage.map(|usage| ("use", text(&usage))));
    members.extend(rule.region.as_ref().map(|region| ("region", text(region))));
    members.push(("years", text(&rule.years)));
    members.extend(rule.gwp.map(|gwp| ("gwp", text(&gwp))));
    Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn sets_json(sets: &SetPreference) -> Json {
    let text = |value: &dyn std::fmt::Display| Json::Text(value.to_string());
    let members = match sets {
        SetPreference::Set(set) => vec![("set", text(set))],
        SetPreference::Publisher(PublisherSets { publisher, title, edition, year, .. }) => {
            let mut members = vec![("publisher", text(publisher))];
            members.extend(title.as_ref().map(|title| ("title", text(title))));
            members.extend(edition.as_ref().map(|edition| ("edition", text(edition))));
            members.extend(year.map(|year| ("year", Json::Number(year.to_string()))));
            members
        }
    };
    Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
