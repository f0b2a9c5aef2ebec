//! What is missing, as it is shown.

use domain::{Incomplete, IncompleteToday, ScopeKind};
use ports::inbound::{CompletenessView, CoverageState, CoverageView, GapView, IncompleteExample, IncompleteReason};

use crate::answer_value::{REFERENCE, list, number, or_null, reference, text};
use crate::exclusion::SHAPE as EXCLUSION;
use crate::schema::Kind;
use crate::shape::{Member, Shape};

type Of<V> = Member<V, ()>;

const COUNT: Kind = Kind::Integer(0, i64::MAX);

/// What is missing in a period.
pub(super) static COMPLETENESS: Shape<CompletenessView, ()> = Shape {
    name: "Completeness",
    doc: "What is missing in a period.",
    members: &[
        Of::<CompletenessView>::new("startDate", Kind::Date, "The first day.").shown(|view| text(view.first)),
        Of::<CompletenessView>::new("endDate", Kind::Date, "The last day, included.").shown(|view| text(view.last)),
        Of::<CompletenessView>::new("count", COUNT, "How many activities begin in the period.")
            .shown(|view| number(view.count)),
        Of::<CompletenessView>::new("incompleteCount", COUNT, "How many of them have no CO2e.")
            .shown(|view| number(view.incomplete)),
        Of::<CompletenessView>::new(
            "incomplete",
            Kind::List(&Kind::Object(&REASON), 0),
            "Those by the reason why, by the factors of today, the most frequent first.",
        )
        .shown(|view| list(&view.reasons, |reason| REASON.show(reason))),
        Of::<CompletenessView>::new("gapCount", COUNT, "How many series that usually have data lack months.")
            .shown(|view| number(view.gap_count)),
        Of::<CompletenessView>::new(
            "gaps",
            Kind::List(&Kind::Object(&GAP), 1_000),
            "Those series, the one that lacks the most months first; at most 1,000.",
        )
        .shown(|view| list(&view.gaps, |gap| GAP.show(gap))),
        Of::<CompletenessView>::new(
            "coverage",
            Kind::List(&Kind::Object(&COVERAGE), 18),
            "Scope 1, scope 2 and each category of scope 3; and scope 3 without a category, where there are such activities.",
        )
        .shown(|view| list(&view.coverage, |line| COVERAGE.show(line))),
    ],
};

fn codes() -> Vec<&'static str> {
    let missing = Incomplete::ALL.iter().map(|reason| reason.code());
    missing.chain([IncompleteToday::FactorCameLater.code()]).collect()
}

static REASON: Shape<IncompleteReason, ()> = Shape {
    name: "CompletenessReason",
    doc: "Activities without CO2e for one reason.",
    members: &[
        Of::<IncompleteReason>::new("code", Kind::Word(codes), "The reason, a word for programs.")
            .shown(|group| text(group.reason.code())),
        Of::<IncompleteReason>::new("detail", Kind::Text(1, 10_000), "The reason, a sentence for people.")
            .shown(|group| text(group.reason)),
        Of::<IncompleteReason>::new("count", COUNT, "How many activities there are.")
            .shown(|group| number(group.count)),
        Of::<IncompleteReason>::new(
            "examples",
            Kind::List(&Kind::Object(&EXAMPLE), 5),
            "The first five by day; none without the permission activity:read.",
        )
        .shown(|group| list(&group.examples, |example| EXAMPLE.show(example))),
    ],
};

static EXAMPLE: Shape<IncompleteExample, ()> = Shape {
    name: "CompletenessExample",
    doc: "An activity without CO2e.",
    members: &[
        Of::<IncompleteExample>::new("uuid", Kind::Uuid, "The activity.").shown(|one| text(one.id)),
        Of::<IncompleteExample>::new("name", Kind::Text(1, 255), "What it is called.").shown(|one| text(&one.name)),
        Of::<IncompleteExample>::new("day", Kind::Date, "Its first day.").shown(|one| text(one.day)),
    ],
};

static GAP: Shape<GapView, ()> = Shape {
    name: "CompletenessGap",
    doc: "Activities of one scope, org and taxonomy, which usually have data, and the months without any.",
    members: &[
        Of::<GapView>::new("scope", Kind::Object(&REFERENCE), "Their scope; null where they have none.")
            .shown_or_null(|gap| or_null(gap.scope.as_ref(), reference)),
        Of::<GapView>::new("org", Kind::Object(&REFERENCE), "Their org; null where they have none.")
            .shown_or_null(|gap| or_null(gap.org.as_ref(), reference)),
        Of::<GapView>::new("taxonomy", Kind::Object(&REFERENCE), "Their taxonomy; null where they have none.")
            .shown_or_null(|gap| or_null(gap.taxonomy.as_ref(), reference)),
        Of::<GapView>::new("months", Kind::List(&Kind::Text(7, 7), 132), "The months without data, YYYY-MM, in order.")
            .shown(|gap| list(&gap.months, text)),
        Of::<GapView>::new(
            "monthsWithData",
            COUNT,
            "How many months have data, within the period and the year before.",
        )
        .shown(|gap| number(gap.with_data)),
        Of::<GapView>::new("monthsLookedAt", COUNT, "Of how many, from the first that has data to the last.")
            .shown(|gap| number(gap.of)),
    ],
};

fn kinds() -> Vec<&'static str> {
    [ScopeKind::Scope1, ScopeKind::Scope2, ScopeKind::Scope3].map(ScopeKind::as_str).to_vec()
}

fn states() -> Vec<&'static str> {
    CoverageState::ALL.map(CoverageState::word).to_vec()
}

static COVERAGE: Shape<CoverageView, ()> = Shape {
    name: "CompletenessCoverage",
    doc: "Whether a scope or a category of scope 3 has activities, and what of it is left out.",
    members: &[
        Of::<CoverageView>::new("kind", Kind::Word(kinds), "The scope.").shown(|line| text(line.class.kind())),
        Of::<CoverageView>::new("category", Kind::Integer(1, 15), "The category; null of scopes 1 and 2.")
            .shown_or_null(|line| or_null(line.class.category(), number)),
        Of::<CoverageView>::new(
            "state",
            Kind::Word(states),
            "reported: it has activities; excluded: it has none, and all of it is left out in each year of the period; \
             partlyExcluded: some of it is left out; missing: nothing says why it has none.",
        )
        .shown(|line| text(line.state.word())),
        Of::<CoverageView>::new("count", COUNT, "How many activities begin in the period.")
            .shown(|line| number(line.count)),
        Of::<CoverageView>::new("incompleteCount", COUNT, "How many of them have no CO2e.")
            .shown(|line| number(line.incomplete)),
        Of::<CoverageView>::new(
            "exclusions",
            Kind::List(&Kind::Object(&EXCLUSION), 0),
            "What leaves out some of it in a year of the period, with the reasons.",
        )
        .shown(|line| list(&line.exclusions, |exclusion| EXCLUSION.show(exclusion))),
    ],
};
