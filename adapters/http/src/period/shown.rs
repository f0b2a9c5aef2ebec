//! Closed periods as they are shown.

use domain::PeriodSignature;
use ports::inbound::PeriodView;

use crate::answer_value::{REFERENCE, number, or_null, reference, text, text_or_null};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

type Shown = Member<PeriodView, ()>;

/// Of what a closed period consists.
pub(super) static PERIOD: Shape<PeriodView, ()> = Shape {
    name: "ClosedPeriod",
    doc: "A period that is closed, or was.",
    members: &[
        Shown::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.period.value.id)),
        Shown::new(
            "org",
            Kind::Object(&REFERENCE),
            "The org that it is closed for, with all below; null: the company.",
        )
        .shown_or_null(|view| or_null(view.org.as_ref(), reference)),
        Shown::new("orgPath", Kind::Text(1, 100_000), "The names from the root to that org; not there without one.")
            .shown_at_times(|view| view.org_path.as_ref().map(text))
            .in_tables(),
        Shown::new("first", Kind::Date, "Its first day.").shown(|view| text(view.period.value.first())),
        Shown::new("last", Kind::Date, "Its last day, included.").shown(|view| text(view.period.value.last())),
        Shown::new(
            "baseYear",
            Kind::Text(1, 8),
            "The significance threshold in per cent, of a base year; null: it is none.",
        )
        .shown_or_null(|view| text_or_null(view.period.value.base_year)),
        Shown::new("state", Kind::Word(states), "Whether it is closed.").shown(|view| text(state(view))),
        Shown::new("closed", Kind::Object(&SIGNATURE), "Who closed it, when and why.")
            .shown(|view| SIGNATURE.show(&view.period.value.closed)),
        Shown::new("reopened", Kind::Object(&SIGNATURE), "Who opened it again, when and why; null while it is closed.")
            .shown_or_null(|view| or_null(view.period.value.reopened.as_ref(), |signature| SIGNATURE.show(signature))),
        Shown::new("sha256", Kind::Text(64, 64), "The SHA-256 of its frozen report, in hexadecimal.")
            .shown(|view| text(view.period.value.frozen.digest())),
        Shown::new("change", Kind::Integer(0, i64::MAX), "The number of the newest change that the frozen report has.")
            .shown(|view| number(view.period.value.frozen.number())),
        Shown::new("CO2e", Kind::Amount, "What the frozen report comes to in scopes 1 to 3, in kg.")
            .shown(|view| text(view.frozen.co2e)),
        Shown::new("count", Kind::Integer(0, i64::MAX), "How many activities that is.")
            .shown(|view| number(view.frozen.count)),
        Shown::new("incompleteCount", Kind::Integer(0, i64::MAX), "How many of them have no CO2e.")
            .shown(|view| number(view.frozen.incomplete)),
    ],
};

fn states() -> Vec<&'static str> {
    vec!["closed", "reopened"]
}

const fn state(view: &PeriodView) -> &'static str {
    if view.period.value.is_closed() { "closed" } else { "reopened" }
}

static SIGNATURE: Shape<PeriodSignature, ()> = Shape {
    name: "PeriodSignature",
    doc: "Who closed a period or opened it again.",
    members: &[
        Member::<PeriodSignature, ()>::new("at", Kind::Time, "When.").shown(|signature| text(signature.at)),
        Member::<PeriodSignature, ()>::new("by", Kind::Text(1, 255), "Who.").shown(|signature| text(&signature.by)),
        Member::<PeriodSignature, ()>::new("reason", Kind::Text(1, 1_000), "Why.")
            .shown_or_null(|signature| text_or_null(signature.reason.as_ref())),
    ],
};
