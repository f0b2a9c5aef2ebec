//! The rule by which a product's factors are chosen, as it is shown and described. `files::factor_rule` reads it.

use domain::{FactorRule, GwpSet, PublishedUse, SetPreference, YearRule};
use files::{Json, Reader};

use crate::answer_value::{list, number, text, text_or_null};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

type Told = Member<FactorRule, ()>;
type ToldSets = Member<SetPreference, ()>;

/// A member is read with the whole rule.
const fn with_the_rule((): &mut (), _: &mut Reader<'_>, _: &'static str) {}

pub(super) static RULE: Shape<FactorRule, ()> = Shape {
    name: "FactorRule",
    doc: "Which published factor is a product's where none of its own holds. The one of the first set that has one wins.",
    members: &[
        Told::new("sets", Kind::List(&Kind::Object(&SETS), 16), "Where it is looked for, the preferred sets first.")
            .shown(|rule| list(rule.sets(), |sets| SETS.show(sets)))
            .required(with_the_rule),
        Told::new("name", Kind::Text(1, 255), "What the published factor is called; case and marks do not count.")
            .shown(|rule| text(&rule.name))
            .required(with_the_rule),
        Told::new("unit", Kind::Text(1, 64), "The code of the unit it is per; of the product's dimension.")
            .shown(|rule| text(rule.unit.code()))
            .required(with_the_rule),
        Told::new(
            "path",
            Kind::List(&Kind::Text(1, 255), 100),
            "All of the publisher's categories above it, the widest first; empty leaves any.",
        )
        .shown(|rule| list(&rule.path, text))
        .optional(with_the_rule),
        Told::new("use", Kind::Word(uses), "What its emissions are in an inventory; null is the use itself, neither before it nor outside the scopes.")
            .shown_or_null(|rule| text_or_null(rule.usage))
            .optional(with_the_rule),
        Told::new(
            "region",
            Kind::Text(1, 255),
            "Where it is to hold, such as `GB`; null takes the region of the activity's org.",
        )
        .shown_or_null(|rule| text_or_null(rule.region.as_ref()))
        .optional(with_the_rule),
        Told::new(
            "years",
            Kind::Word(years),
            "`sameYear`: of a set that holds on the day, else on another day of its calendar year. `newestBefore`: else of \
             the newest that ended before.",
        )
        .shown(|rule| text(rule.years))
        .optional(with_the_rule),
        Told::new(
            "gwp",
            Kind::Word(gwp_sets),
            "The set of global warming potentials it is read under; null takes it as it was published.",
        )
        .shown_or_null(|rule| text_or_null(rule.gwp))
        .optional(with_the_rule),
    ],
};

static SETS: Shape<SetPreference, ()> = Shape {
    name: "SetPreference",
    doc: "A set by its file, or the sets of a publisher, of which the newest edition wins.",
    members: &[
        ToldSets::new("set", Kind::Text(64, 64), "The SHA-256 of a set's file; else `publisher` is required.")
            .shown_at_times(|sets| match sets {
                SetPreference::Set(set) => Some(text(set)),
                SetPreference::Publisher(_) => None,
            })
            .optional(with_the_rule),
        ToldSets::new("publisher", Kind::Text(1, 255), "Who published the sets.")
            .shown_at_times(|sets| publisher(sets, |sets| text(&sets.publisher)))
            .optional(with_the_rule),
        ToldSets::new("title", Kind::Text(1, 255), "What the table is called; without it any.")
            .shown_at_times(|sets| publisher(sets, |sets| text_or_null(sets.title.as_ref())))
            .optional(with_the_rule),
        ToldSets::new("edition", Kind::Text(1, 255), "The edition; without it the newest one wins.")
            .shown_at_times(|sets| publisher(sets, |sets| text_or_null(sets.edition.as_ref())))
            .optional(with_the_rule),
        ToldSets::new("year", Kind::Integer(1, 9_999), "A calendar year that the sets hold in; without it any.")
            .shown_at_times(|sets| publisher(sets, |sets| sets.year.map_or(Json::Null, number)))
            .optional(with_the_rule),
    ],
};

/// A member of the sets of a publisher, unless nothing is said there.
fn publisher(sets: &SetPreference, show: impl FnOnce(&domain::PublisherSets) -> Json) -> Option<Json> {
    match sets {
        SetPreference::Set(_) => None,
        SetPreference::Publisher(sets) => Some(show(sets)).filter(|shown| *shown != Json::Null),
    }
}

fn uses() -> Vec<&'static str> {
    PublishedUse::ALL.iter().map(|usage| usage.as_str()).collect()
}

fn years() -> Vec<&'static str> {
    YearRule::ALL.iter().map(|rule| rule.as_str()).collect()
}

fn gwp_sets() -> Vec<&'static str> {
    GwpSet::ALL.iter().map(|set| set.name()).collect()
}
