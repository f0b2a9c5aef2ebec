//! Activities one by one. What reads and writes them is in `files`, since rows of files are the same.

use std::fmt::Display;

use domain::{ActivityId, Faults, MarketBasis, Quality};
use files::{Json, Members, Reader, activity_draft, write_activity_json};
use ports::inbound::{ActivityDraft, ActivityView, Done, Error, Once};
use ports::{Permission, Version};
use serde_json::Value;

use crate::answer_value::REFERENCE;
use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::problem::Problem;
use crate::resource::{self, Added, Asking, Changes, Labels, Resource};
use crate::schema::{Kind, Named, Side};
use crate::shape::{self, Shape};

/// The operations on activities one by one.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        resource::create::<Activity>().does("Records an activity."),
        resource::get::<Activity>(),
        resource::update::<Activity>(),
        resource::remove::<Activity>().does("Removes an activity."),
    ]
}

/// Activities as a resource.
pub(crate) struct Activity;

fn parts() -> Vec<&'static str> {
    vec!["UpstreamCO2e", "DownstreamCO2e", "biogenicCO2", "marketFactor"]
}

fn instruments() -> Vec<&'static str> {
    MarketBasis::ALL.map(MarketBasis::word).to_vec()
}

pub(crate) fn qualities() -> Vec<&'static str> {
    Quality::ALL.map(Quality::word).to_vec()
}

fn co2e_units() -> Vec<&'static str> {
    vec!["g", "t"]
}

/// Members are taken all together: what one says depends on others.
const fn together(_: &mut ActivityDraft, _: &mut Reader<'_>, _: &'static str) {}

type Member = shape::Member<ActivityView, ActivityDraft>;

/// Of what an activity consists.
pub(crate) static SHAPE: Shape<ActivityView, ActivityDraft> = Shape {
    name: "Activity",
    doc: "A recorded cause of emissions. Every CO2e is in kg, except in a report that was asked for in another unit.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").written().repeated(),
        Member::new("name", Kind::Text(1, 255), "What it is called.").written().required(together).example(r#""Van 7""#),
        Member::new("created", Kind::Time, "When it was recorded.").written().repeated(),
        Member::new("updated", Kind::Time, "When it was last changed.").written().repeated(),
        Member::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
            .written_or_null()
            .optional(together)
            .example(r#""invoice-1""#),
        Member::new("description", Kind::Text(0, 10_000), "More about it.").written_or_null().optional(together),
        Member::new("quantity", Kind::Number, "How much was burnt, bought or driven; together with unit.")
            .written_or_null()
            .optional(together)
            .example(r#""120.5""#),
        Member::new("unit", Kind::Text(1, 64), "The code of the quantity's unit; together with quantity.")
            .written_or_null()
            .optional(together)
            .example(r#""kWh""#),
        Member::new(
            "UpstreamCO2e",
            Kind::Amount,
            "The upstream part of its CO2e, supplied or computed. One that is given replaces the computed one, in kg.",
        )
        .written_or_null()
        .optional(together),
        Member::new(
            "DownstreamCO2e",
            Kind::Amount,
            "The downstream part of its CO2e, supplied or computed. One that is given replaces the computed one, in kg.",
        )
        .written_or_null()
        .optional(together),
        Member::new("product", Kind::Object(&REFERENCE), "What was consumed.")
            .written_or_null()
            .optional(together)
            .example(r#"{ "syncId": "natural-gas" }"#),
        Member::new("scope", Kind::Object(&REFERENCE), "The GHG scope.")
            .written_or_null()
            .optional(together)
            .example(r#"{ "syncId": "fleet" }"#),
        Member::new("taxonomy", Kind::Object(&REFERENCE), "The category of activity.")
            .written_or_null()
            .optional(together)
            .example(r#"{ "syncId": "heating" }"#),
        Member::new("org", Kind::Object(&REFERENCE), "The organisation unit.")
            .written_or_null()
            .optional(together)
            .example(r#"{ "syncId": "north" }"#),
        Member::new("startDate", Kind::Moment, "When it began, with the offset it was written with; or a date.")
            .written()
            .required(together)
            .example(r#""2025-01-01""#),
        Member::new(
            "endDate",
            Kind::Moment,
            "When it ended, with the offset it was written with; or a date; null for a single day.",
        )
        .written_or_null()
        .optional(together)
        .example(r#""2025-01-31""#),
        Member::new(
            "CO2e",
            Kind::Amount,
            "The sum of the two parts; null when neither is supplied nor can be computed.",
        )
        .written_or_null()
        .repeated(),
        Member::new(
            "biogenicCO2",
            Kind::Amount,
            "CO2 from living matter in kg, beside CO2e and no part of it; supplied, or computed where the factor knows its \
             gases. One that is given replaces the computed one.",
        )
        .written_or_null()
        .optional(together),
        Member::new(
            "marketInstrument",
            Kind::Word(instruments),
            "What its market-based CO2e rests on, in scope 2; together with marketFactor. An activity that names none has the \
             residual mix of its product, where there is one.",
        )
        .written_or_null()
        .optional(together),
        Member::new(
            "marketFactor",
            Kind::Uuid,
            "The factor that counts in the market, of any product; it must hold on the first day.",
        )
        .written_or_null()
        .optional(together),
        Member::new("marketReference", Kind::Text(1, 255), "Which certificate or contract it is.")
            .written_or_null()
            .optional(together),
        Member::new(
            "marketCO2e",
            Kind::Amount,
            "Its market-based CO2e, never added to CO2e; null where nothing counts in the market, which is then CO2e.",
        )
        .written_or_null()
        .repeated(),
        Member::new(
            "quality",
            Kind::Word(qualities),
            "How well its CO2e is known: measured (read from a meter or a bill), estimated (worked out from other data of the \
             same activity) or proxy (taken from something that stands for it); null where nothing is stated.",
        )
        .written_or_null()
        .optional(together)
        .example(r#""measured""#),
        Member::new(
            "evidence",
            Kind::List(&Kind::Text(1, 2_200), 20),
            "What shows that it is as it is recorded, each piece once: an http or https address, which is never fetched, or \
             `sha256:`, the 64 hexadecimal digits of a file's SHA-256, a blank and its name.",
        )
        .written()
        .optional(together)
        .example(r#"["https://archive.example/invoices/1"]"#),
        Member::new(
            "supplied",
            Kind::List(&Kind::Word(parts), 4),
            "Which of the two parts, biogenicCO2 and marketFactor were supplied and not computed. A body with it writes back what was \
             read: the others are taken as computed, and members that only answers have may stand in it.",
        )
        .written()
        .optional(together),
        Member::new("incomplete", Kind::Text(1, 10_000), "Why CO2e is null, by the factors of today.").written_or_null().repeated(),
        Member::new("outdated", Kind::Flag, "Whether CO2e was computed from a factor that was corrected, or ended by a later one, since, or chosen by a rule or for a region that is another by now.").written().repeated(),
        Member::new(
            "warnings",
            Kind::List(&Kind::Text(1, 10_000), 100),
            "What is to be said of what was written: in the answer to writing it, where there is something.",
        )
        .at_times()
        .repeated(),
        Member::new(
            "periodCO2e",
            Kind::Amount,
            "The share of CO2e that falls in the period; in reports with attribution=daily.",
        )
        .at_times_or_null()
        .repeated(),
        Member::new(
            "CO2eUnit",
            Kind::Word(co2e_units),
            "The unit of every CO2e; in reports that were asked for in another unit than kg.",
        )
        .at_times(),
    ],
};

impl Resource for Activity {
    type In = Root;
    type At = PathId<ActivityId>;
    type View = ActivityView;
    type Draft = ActivityDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/activity",
        record: "/v1/activity/{uuid}",
        one: "activity",
        many: "activities",
        tag: "Activities",
        reads: Permission::ActivityRead,
        writes: Permission::ActivityWrite,
    };

    fn schema() -> &'static dyn Named {
        &SHAPE
    }

    fn example(side: Side) -> Option<Value> {
        SHAPE.example(side)
    }

    fn identity(view: &ActivityView) -> (impl Display, Version) {
        (view.activity.value.id, view.activity.version)
    }

    fn blame(draft: &mut ActivityDraft, faults: Faults) {
        draft.faults = faults;
    }

    fn read(json: &Json, _: Side) -> Result<(ActivityDraft, Faults), Faults> {
        let draft = activity_draft(json, Members::Given);
        let faults = draft.faults.clone();
        Ok((draft, faults))
    }

    fn write(view: &ActivityView) -> Result<Json, Problem> {
        files::parse(&Self::body(view)?, 8).map_err(Problem::internal)
    }

    fn body(view: &ActivityView) -> Result<Vec<u8>, Problem> {
        let mut text = String::with_capacity(1_024);
        write_activity_json(&mut text, view, 0, None);
        Ok(text.into_bytes())
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<ActivityView, Error> {
        by.areas.activities.get(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: ActivityDraft,
        once: Option<Once<ActivityView>>,
    ) -> Result<Done<Added<ActivityView>>, Error> {
        Ok(by.areas.activities.add_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.activities.remove(by.caller, id, seen).await
    }
}

impl Changes for Activity {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: ActivityDraft,
    ) -> Result<ActivityView, Error> {
        by.areas.activities.update(by.caller, id, seen, draft).await
    }
}
