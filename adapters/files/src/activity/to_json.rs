//! Activities out, as JSON: every field of the interface, always, and ours beside them.

use std::fmt::Display;

use domain::{Co2e, Total};
use ports::inbound::{ActivityView, Named};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

use super::supplied::{Co2eUnit, DOWNSTREAM, UPSTREAM, listed_names};
use crate::json::number;

/// An activity to be written by a `serde_json` serialiser.
#[derive(Clone, Copy, Debug)]
pub struct ActivityJson<'a> {
    view: &'a ActivityView,
    shift: i8,
    #[expect(
        clippy::option_option,
        reason = "no share asked for is no member; the share of an incomplete activity is null"
    )]
    share: Option<Option<Co2e>>,
}

/// The JSON of an activity: the fields of the interface, always all of them, `null` where unknown, and ours:
///
/// - `supplied`: which of `UpstreamCO2e` and `DownstreamCO2e` were supplied and not computed;
/// - `incomplete`: the sentence that says why `CO2e` is `null`, or `null`;
/// - `outdated`: whether `CO2e` was computed from a factor that was corrected since;
/// - `periodCO2e`: the share that falls in a report's period; only when `share` is given;
/// - `CO2eUnit`: the unit of the CO2e; only when it is not kg.
///
/// Every CO2e is shifted by `shift` decimal places from kg, exactly: 3 for g, -3 for t.
#[must_use]
pub const fn activity_json(view: &ActivityView, shift: i8, share: Option<Option<Co2e>>) -> ActivityJson<'_> {
    ActivityJson { view, shift, share }
}

impl Serialize for ActivityJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ActivityView { activity: stored, product, scope, taxonomy, org, incomplete, outdated } = self.view;
        let activity = &stored.value;
        let co2e = |value: Option<Co2e>| value.map(|value| shifted(value, self.shift));
        let quantity = activity.measured.map(|measured| number(&measured.quantity.to_string()));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("uuid", &Text(activity.id))?;
        map.serialize_entry("name", activity.name.as_str())?;
        map.serialize_entry("created", &Text(stored.created))?;
        map.serialize_entry("updated", &Text(stored.updated))?;
        map.serialize_entry("syncId", &activity.sync_id.as_ref().map(Text))?;
        map.serialize_entry("description", &activity.description.as_ref().map(Text))?;
        map.serialize_entry("quantity", &quantity.transpose().map_err(S::Error::custom)?)?;
        map.serialize_entry("unit", &activity.measured.map(|measured| measured.unit.code()))?;
        map.serialize_entry(UPSTREAM, &co2e(activity.calculation.upstream()))?;
        map.serialize_entry(DOWNSTREAM, &co2e(activity.calculation.downstream()))?;
        map.serialize_entry("product", &product.as_ref().map(NamedJson))?;
        map.serialize_entry("scope", &scope.as_ref().map(NamedJson))?;
        map.serialize_entry("taxonomy", &taxonomy.as_ref().map(NamedJson))?;
        map.serialize_entry("org", &org.as_ref().map(NamedJson))?;
        map.serialize_entry("startDate", &Text(activity.span.start()))?;
        map.serialize_entry("endDate", &activity.span.end().map(Text))?;
        map.serialize_entry("CO2e", &co2e(activity.co2e()))?;
        map.serialize_entry("supplied", &listed_names(self.view))?;
        map.serialize_entry("incomplete", &incomplete.map(Text))?;
        map.serialize_entry("outdated", outdated)?;
        if let Some(share) = self.share {
            map.serialize_entry("periodCO2e", &co2e(share))?;
        }
        if let Some(unit) = Co2eUnit::of_shift(self.shift) {
            map.serialize_entry("CO2eUnit", unit)?;
        }
        map.end()
    }
}

/// A CO2e in kg, shifted by decimal places.
pub(super) fn shifted(value: Co2e, places: i8) -> String {
    if places == 0 { value.to_string() } else { Total::from(value).shifted(places) }
}

/// What displays as the text to write.
struct Text<T>(T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A record that another refers to.
struct NamedJson<'a>(&'a Named);

impl Serialize for NamedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("uuid", &Text(self.0.id))?;
        map.serialize_entry("name", self.0.name.as_str())?;
        map.end()
    }
}
