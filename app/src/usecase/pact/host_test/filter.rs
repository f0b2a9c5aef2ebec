//! Cases 20 to 39 of version 3: its filters, by what the first footprint has.

use std::fmt::Write as _;

use domain::Moment;
use domain::footprint::FootprintFilter;
use pact::FilterQuery;
use time::Duration;
use time::format_description::well_known::Rfc3339;

use super::HostTest;
use super::case::Ruling;
use super::record::Record;
use crate::usecase::pact::query::encoded;
use crate::usecase::pact::words;

const BOGUS: [&str; 3] = ["3f1c-made-up", "b2d4-made-up", "9a77-made-up"];

/// What a case asks for.
type Pairs = Vec<(&'static str, String)>;

impl HostTest<'_> {
    pub(super) async fn filters(&self, number: u8) -> Ruling {
        let first = match self.first() {
            Ok(first) => first,
            Err(ruling) => return ruling,
        };
        let pairs = match pairs(number, first) {
            Ok(pairs) => pairs,
            Err(why) => return Ruling::not_applicable(why),
        };
        let wants_some = number < 30;
        let mut asked = FilterQuery::default();
        let mut query = String::new();
        for (name, value) in &pairs {
            let _ = write!(query, "{}{name}={}", if query.is_empty() { '?' } else { '&' }, encoded(value));
        }
        for name in FilterQuery::PARAMETERS.map(|parameter| parameter.name) {
            let values = pairs.iter().filter(|(own, _)| *own == name).map(|(_, value)| value.clone());
            asked.read(name, values.collect());
        }
        let filter = match asked.finish() {
            Ok(filter) => filter,
            Err(faults) => return Ruling::not_applicable(format!("the first footprint: {}", words(&faults))),
        };
        let found = async {
            let records = self.records(&self.get(&format!("/footprints{query}")).await?)?;
            if !wants_some {
                return if records.is_empty() {
                    Ok("200 with none".to_owned())
                } else {
                    Err(format!("200 with {}", records.len()))
                };
            }
            self.judge(&records, &filter)
        };
        Ruling::of(found.await)
    }

    /// Whether the answer has some footprints, and no other than those asked for; all where nothing was.
    fn judge(&self, records: &[Record], filter: &FootprintFilter) -> Result<String, String> {
        if records.is_empty() {
            return Err("200 with none".to_owned());
        }
        if let Some(other) = records.iter().find(|record| !filter.matches(&record.received.fields)) {
            return Err(format!("200 with {}, which is not asked for", other.received.id));
        }
        let all = self.list.as_ref().map_or(0, Vec::len);
        if filter.conditions.is_empty() && records.len() != all {
            return Err(format!("200 with {} of {all}, where an empty parameter asks for all", records.len()));
        }
        Ok(format!("200 with {}", records.len()))
    }
}

/// What the case of that number asks for, or why it cannot be made.
fn pairs(number: u8, first: &Record) -> Result<Pairs, String> {
    let fields = &first.received.fields;
    let first_of = |name: &str| fields.texts(name).first().cloned();
    let has =
        |name: &'static str, value: Option<String>| value.ok_or_else(|| format!("the first footprint has no {name}"));
    let one = |name: &'static str, value: String| Ok(vec![(name, value)]);
    let bogus =
        |name: &'static str, count: usize| BOGUS.iter().take(count).map(move |value| (name, (*value).to_owned()));
    let status = || has("status", fields.text("status").map(str::to_owned));
    let product = || has("productIds", first_of("productIds"));
    let company = || has("companyIds", first_of("companyIds"));
    match number {
        20 => one("productId", product()?),
        21 => one("companyId", company()?),
        22 => {
            let pcf = fields.object("pcf");
            let names = ["geographyCountry", "geographyRegionOrSubregion", "geographyCountrySubdivision"];
            let place = names.iter().find_map(|name| pcf?.text(name)).unwrap_or_default();
            one("geography", place.to_owned())
        }
        23 => one("classification", first_of("productClassifications").unwrap_or_default()),
        24 => one("validOn", shifted(start(first), Duration::ZERO)?),
        25 => one("validAfter", shifted(start(first), Duration::days(-1))?),
        26 => one("validBefore", shifted(end(first), Duration::days(1))?),
        27 => one("status", status()?),
        28 => Ok(vec![("status", status()?), ("productId", product()?)]),
        29 => Ok(std::iter::once(("companyId", company()?)).chain(bogus("companyId", 2)).collect()),
        30 => Ok(bogus("productId", 1).collect()),
        31 => Ok(bogus("companyId", 1).collect()),
        32 => one("geography", "XX".to_owned()),
        33 => Ok(bogus("classification", 1).collect()),
        34 => one("validOn", "1900-01-01T00:00:00Z".to_owned()),
        35 => one("validAfter", "2099-12-31T23:59:59Z".to_owned()),
        36 => one("validBefore", "1900-01-01T00:00:00Z".to_owned()),
        37 => one("status", "BogusStatus".to_owned()),
        38 => Ok(bogus("companyId", 1).chain(bogus("productId", 1)).collect()),
        39 => Ok(bogus("companyId", 3).collect()),
        other => Err(format!("there is no case {other}")),
    }
}

/// The first instant of its validity.
fn start(record: &Record) -> Option<Moment> {
    let fields = &record.received.fields;
    fields.moment("validityPeriodStart").or_else(|| fields.object("pcf")?.moment("referencePeriodEnd"))
}

/// The last instant of its validity: the one before which it ends, found by asking for that.
fn end(record: &Record) -> Option<Moment> {
    let fields = &record.received.fields;
    fields.moment("validityPeriodEnd").or_else(|| {
        let reference = fields.object("pcf")?.moment("referencePeriodEnd")?;
        let text =
            reference.to_utc().instant().replace_year(reference.instant().year() + 3).ok()?.format(&Rfc3339).ok()?;
        Moment::parse(&text).ok()
    })
}

/// The moment, some time later.
fn shifted(moment: Option<Moment>, by: Duration) -> Result<String, String> {
    let none = || "the first footprint says nothing of its validity".to_owned();
    let at = moment.ok_or_else(none)?.to_utc().instant().checked_add(by).ok_or_else(none)?;
    at.format(&Rfc3339).map_err(|error| error.to_string())
}
