//! Activities out, as JSON: every field of the interface, always, and ours beside them.
//!
//! Written by hand, member by member, since reports have them by the million.

use std::fmt::{Display, Write as _};

use domain::{Co2e, Name, Quality, Total};
use ports::inbound::{ActivityView, Named, NodePaths, NodePlace};

use super::supplied::{BIOGENIC, Co2eUnit, DOWNSTREAM, UPSTREAM, listed_names};
use crate::json::write_text;

/// Appends the JSON of an activity: the fields of the interface, always all of them, `null` where unknown, and ours:
///
/// - `biogenicCO2`: CO2 from living matter, beside `CO2e`;
/// - `marketInstrument`, `marketFactor`, `marketReference`, `marketCO2e`: what counts in the market;
/// - `quality`: how well `CO2e` is known; `evidence`: what shows it, a list;
/// - `supplied`: which of `UpstreamCO2e`, `DownstreamCO2e` and `biogenicCO2` were supplied and not computed;
/// - `incomplete`: the sentence that says why `CO2e` is `null`, or `null`;
/// - `outdated`: whether `CO2e` was computed from a factor that was corrected, or ended by a later one, since, or chosen by a rule or
///   region that is another by now;
/// - `warnings`: what is to be said to whoever wrote it now; only where there is something;
/// - `periodCO2e`: the share that falls in a report's period; only when `share` is given;
/// - `CO2eUnit`: the unit of the CO2e; only when it is not kg.
///
/// Every CO2e is shifted by `shift` decimal places from kg, exactly: 3 for g, -3 for t.
pub fn write_activity_json(to: &mut String, view: &ActivityView, shift: i8, share: Option<Option<Co2e>>) {
    write(to, view, shift, share, None);
}

/// Appends the same as a row of NDJSON, whose references also have what finds them in another installation that imports it:
/// `syncId`, where the record has one, and `path`.
pub fn write_activity_row(to: &mut String, view: &ActivityView, shift: i8, share: Option<Option<Co2e>>) {
    write(to, view, shift, share, Some(&view.paths));
}

#[expect(clippy::option_option, reason = "no share is no member, the share of an incomplete activity is null")]
fn write(to: &mut String, view: &ActivityView, shift: i8, share: Option<Option<Co2e>>, paths: Option<&NodePaths>) {
    let ActivityView { activity: stored, product, scope, taxonomy, org, incomplete, outdated, warnings, .. } = view;
    let activity = &stored.value;
    let co2e = |value: Option<Co2e>| value.map(|value| Shifted(value, shift));
    let mut members = Members { to };
    members.plain("{\"uuid\":", Some(Quoted(activity.id)));
    members.text("name", Some(activity.name.as_str()));
    members.plain(",\"created\":", Some(Quoted(stored.created)));
    members.plain(",\"updated\":", Some(Quoted(stored.updated)));
    members.text("syncId", activity.sync_id.as_ref().map(AsRef::as_ref));
    members.text("description", activity.description.as_ref().map(AsRef::as_ref));
    members.plain(",\"quantity\":", activity.measured.map(|measured| measured.quantity));
    members.text("unit", activity.measured.map(|measured| measured.unit.code()));
    members.co2e(UPSTREAM, co2e(activity.calculation.upstream()));
    members.co2e(DOWNSTREAM, co2e(activity.calculation.downstream()));
    members.named("product", product.as_ref(), None);
    members.named("scope", scope.as_ref(), paths.map(|paths| &paths.scope));
    members.named("taxonomy", taxonomy.as_ref(), paths.map(|paths| &paths.taxonomy));
    members.named("org", org.as_ref(), paths.map(|paths| &paths.org));
    members.plain(",\"startDate\":", Some(Quoted(activity.span.start())));
    members.plain(",\"endDate\":", activity.span.end().map(Quoted));
    members.co2e("CO2e", co2e(activity.co2e()));
    members.co2e(BIOGENIC, co2e(activity.biogenic()));
    let market = activity.stated.market.as_ref();
    members.text("marketInstrument", market.map(|market| market.basis.word()));
    members.plain(",\"marketFactor\":", market.map(|market| Quoted(market.factor)));
    members.text("marketReference", market.and_then(|market| market.reference.as_ref()).map(Name::as_str));
    members.co2e("marketCO2e", co2e(activity.market_co2e()));
    members.text("quality", activity.stated.quality.map(Quality::word));
    members.texts("evidence", activity.stated.evidence.as_slice());
    members.names("supplied", listed_names(view));
    members.text("incomplete", incomplete.map(|reason| reason.to_string()).as_deref());
    members.plain(",\"outdated\":", Some(outdated));
    if !warnings.is_empty() {
        members.texts("warnings", warnings);
    }
    if let Some(share) = share {
        members.co2e("periodCO2e", co2e(share));
    }
    if let Some(unit) = Co2eUnit::of_shift(shift) {
        members.text("CO2eUnit", Some(unit));
    }
    members.to.push('}');
}

/// Members behind each other.
struct Members<'a> {
    to: &'a mut String,
}

impl Members<'_> {
    /// What is written as it is displayed, behind its name and what is before that; `null` where there is none.
    fn plain(&mut self, before: &str, value: Option<impl Display>) {
        self.to.push_str(before);
        match value {
            // Writing to a string never fails.
            Some(value) => drop(write!(self.to, "{value}")),
            None => self.to.push_str("null"),
        }
    }

    fn name(&mut self, name: &str) {
        self.to.push_str(",\"");
        self.to.push_str(name);
        self.to.push_str("\":");
    }

    fn text(&mut self, name: &str, text: Option<&str>) {
        self.name(name);
        match text {
            Some(text) => write_text(self.to, text),
            None => self.to.push_str("null"),
        }
    }

    fn co2e(&mut self, name: &str, value: Option<Shifted>) {
        self.name(name);
        self.plain("", value.map(Quoted));
    }

    fn named(&mut self, name: &str, named: Option<&Named>, place: Option<&NodePlace>) {
        self.name(name);
        let Some(Named { id, name }) = named else { return self.to.push_str("null") };
        self.plain("{\"uuid\":", Some(Quoted(id.as_hyphenated())));
        self.text("name", Some(name.as_str()));
        if let Some(sync_id) = place.and_then(|place| place.sync_id.as_ref()) {
            self.text("syncId", Some(sync_id.as_ref()));
        }
        if let Some(path) = place.and_then(|place| place.path.as_deref()) {
            self.text("path", Some(path));
        }
        self.to.push('}');
    }

    /// A list of texts.
    fn texts(&mut self, name: &str, values: &[impl Display]) {
        self.name(name);
        self.to.push('[');
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.to.push(',');
            }
            write_text(self.to, &value.to_string());
        }
        self.to.push(']');
    }

    /// A list of names that need no escape.
    fn names(&mut self, name: &str, names: impl IntoIterator<Item = &'static str>) {
        self.name(name);
        self.to.push('[');
        for (at, name) in names.into_iter().enumerate() {
            self.plain(if at == 0 { "" } else { "," }, Some(Quoted(name)));
        }
        self.to.push(']');
    }
}

/// What is displayed between quotation marks and needs no escape.
struct Quoted<T>(T);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("\"")?;
        self.0.fmt(f)?;
        f.write_str("\"")
    }
}

/// A CO2e in kg, shifted by decimal places.
pub(super) struct Shifted(pub(super) Co2e, pub(super) i8);

impl Display for Shifted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.1 == 0 { self.0.fmt(f) } else { f.write_str(&Total::from(self.0).shifted(self.1)) }
    }
}
