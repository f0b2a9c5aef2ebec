//! Bodies that close a period or open one again.

use domain::{Day, Faults, Reason, Significance};
use files::Json;
use ports::inbound::{PeriodDraft, ReopenDraft};
use serde_json::Value;

use crate::answer_value::REFERENCE;
use crate::media;
use crate::request_part::Content;
use crate::schema::{Components, Kind, Side, reference};
use crate::shape::{Member, Shape};

static CLOSING: Shape<(), PeriodDraft> = Shape {
    name: "PeriodClosing",
    doc: "What to close.",
    members: &[
        Member::<(), PeriodDraft>::new(
            "org",
            Kind::Object(&REFERENCE),
            "The org to close it for, with all below; the whole company unless given.",
        )
        .optional(|draft, reader, name| draft.org = reader.reference(name)),
        Member::<(), PeriodDraft>::new(
            "period",
            Kind::Text(1, 20),
            "The days by their name, in place of first and last: 2025, 2025-Q1, 2025-03 of the calendar, FY2025, FY2025-Q1 of the \
             company's fiscal years, which are named by the calendar year that they end in.",
        )
        .optional(|draft, reader, name| draft.period = reader.string(name)),
        Member::<(), PeriodDraft>::new("first", Kind::Date, "The first day; required without a period.")
            .optional(|draft, reader, name| draft.first = reader.text(name, Day::parse))
            .example(r#""2019-01-01""#),
        Member::<(), PeriodDraft>::new("last", Kind::Date, "The last day, included; required without a period.")
            .optional(|draft, reader, name| draft.last = reader.text(name, Day::parse))
            .example(r#""2019-12-31""#),
        Member::<(), PeriodDraft>::new(
            "baseYear",
            Kind::Text(1, 8),
            "That it is the base year, and above how many per cent a change of it is significant, such as 5; for the whole \
             company alone.",
        )
        .optional(|draft, reader, name| draft.base_year = reader.text(name, Significance::parse))
        .example(r#""5""#),
        Member::<(), PeriodDraft>::new("reason", Kind::Text(1, 1_000), "Why it is closed.")
            .optional(|draft, reader, name| draft.reason = reader.text(name, Reason::parse))
            .example(r#""Audited and published""#),
    ],
};

static REOPENING: Shape<(), ReopenDraft> = Shape {
    name: "PeriodReopening",
    doc: "Why a period is opened again.",
    members: &[Member::<(), ReopenDraft>::new("reason", Kind::Text(1, 1_000), "The reason.")
        .required(|draft, reader, name| draft.reason = reader.text(name, Reason::parse))
        .example(r#""A meter was read wrongly""#)],
};

/// A body that closes a period.
pub(super) struct Closing(pub(super) PeriodDraft);

impl Content for Closing {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&CLOSING, Side::New, components)
    }

    fn example() -> Option<Value> {
        CLOSING.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = CLOSING.read(json, Side::New)?;
        draft.faults = faults.clone();
        Ok((Self(draft), faults))
    }
}

/// A body that opens one again.
pub(super) struct Reopening(pub(super) ReopenDraft);

impl Content for Reopening {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&REOPENING, Side::New, components)
    }

    fn example() -> Option<Value> {
        REOPENING.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = REOPENING.read(json, Side::New)?;
        draft.faults = faults.clone();
        Ok((Self(draft), faults))
    }
}
