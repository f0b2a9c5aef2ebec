//! What the tests share.

use std::str::FromStr;

use domain::{
    Activity, ActivityId, Calculation, CalculationParts, Co2e, FactorId, Faults, Measured, Measures, Moment, Name,
    OrgId, Quantity, Span, SuppliedCo2e, SyncId, Timestamp, Unit,
};
use ports::inbound::{ActivityView, Named, NodePaths};
use ports::{Stored, Version};
use tonne_files::{Json, parse};

/// The JSON of a text that is some.
pub(crate) fn json(text: &str) -> Json {
    parse(text.as_bytes(), 32).unwrap()
}

/// Pointers and details, one a line.
pub(crate) fn lines(faults: &Faults) -> Vec<String> {
    faults.as_slice().iter().map(|fault| format!("{}: {}", fault.pointer, fault.detail)).collect()
}

/// An activity with one part supplied and the other computed.
pub(crate) fn view() -> ActivityView {
    let org = "0190a000-0000-7000-8000-000000000002";
    let upstream = Some(Co2e::parse("-0.000000000000000001").unwrap());
    let downstream = Some(Co2e::parse("12345678901234567890.5").unwrap());
    ActivityView {
        activity: Stored {
            value: Activity::new(
                ActivityId::from_str("0190a000-0000-7000-8000-000000000001").unwrap(),
                Name::parse("Gas, north").unwrap(),
                Span::new(Moment::parse_start("2025-01-01T00:30:00+13:00").unwrap(), None).unwrap(),
            )
            .with_sync_id(Some(SyncId::parse("=2015 \"a\"").unwrap()))
            .with_measured(Some(Measured {
                quantity: Quantity::parse("1234.50").unwrap(),
                unit: Unit::parse("kWh").unwrap(),
            }))
            .with_org(Some(OrgId::from_str(org).unwrap()))
            .with_measures(Measures::default())
            .with_calculation(
                Calculation::from_parts(
                    CalculationParts::default()
                        .with_supplied(SuppliedCo2e::default().with_upstream(upstream))
                        .with_upstream(upstream)
                        .with_downstream(downstream)
                        .with_factor(Some(FactorId::from_str(org).unwrap())),
                )
                .unwrap(),
            ),
            created: Timestamp::from_millis(0).unwrap(),
            updated: Timestamp::from_millis(1_500).unwrap(),
            version: Version(1),
        },
        product: None,
        scope: None,
        taxonomy: None,
        org: Some(Named { id: OrgId::from_str(org).unwrap().uuid(), name: Name::parse("North").unwrap() }),
        incomplete: None,
        outdated: false,
        paths: NodePaths::default(),
        warnings: Vec::new(),
    }
}

/// The JSON of an activity.
#[expect(clippy::option_option, reason = "no share is no member, the share of an incomplete activity is null")]
pub(crate) fn written(view: &ActivityView, shift: i8, share: Option<Option<domain::Co2e>>) -> String {
    let mut text = String::new();
    tonne_files::write_activity_json(&mut text, view, shift, share);
    text
}
