//! The report as it is written. Its activities come last, so that an answer that was cut has no end.

use std::io;

use domain::{Day, Name, Scope2, Total};
use files::Json;
use ports::inbound::{Named, ReportView, TaxonomyView};
use uuid::Uuid;

use super::parameters::{attribution_word, attribution_words, scope2_words};
use super::query::{Co2eUnit, Lists, Question};
use crate::activity;
use crate::answer_value::{REFERENCE, number, or_null, text};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

/// How a report without activities ends; activities are before it.
pub(super) const FOOT: &[u8] = b"]}";

/// What was asked, and what activities add up to.
pub(super) struct Answered {
    pub(super) question: Question,
    pub(super) view: ReportView,
}

impl Answered {
    /// About how many bytes it is written in: so much for most names that nothing is moved as it grows.
    pub(super) fn length(&self) -> usize {
        let Lists { scopes, orgs, taxonomies } = self.question.lists;
        let lists = [(scopes, self.view.scopes.len()), (orgs, self.view.orgs.len())];
        let nodes: usize = lists.into_iter().filter(|(asked, _)| *asked).map(|(_, count)| count).sum();
        let taxonomies = if taxonomies { self.view.taxonomies.len() } else { 0 };
        self.question.raw.len() + 1_000 + 100 * nodes + 200 * taxonomies
    }

    /// A market-based figure, where it is asked for.
    fn market(&self, is_asked: bool, total: Total) -> Json {
        if is_asked { self.amount(total) } else { Json::Null }
    }

    /// What market-based scope 2 rests on.
    fn rests(&self, total: Total) -> Json {
        self.market(self.question.query.scope2 != Scope2::Location, total)
    }

    fn amount(&self, total: Total) -> Json {
        text(total.shifted(self.question.unit.shift()))
    }
}

/// A list of nodes where it was asked for, else an empty one. A company has hundreds: they are written without a value
/// of each.
fn nodes<T>(
    asked: bool,
    nodes: &[T],
    out: &mut Vec<u8>,
    write: impl Fn(&T, &mut Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    out.push(b'[');
    for (at, node) in if asked { nodes } else { &[] }.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write(node, out)?;
    }
    out.push(b']');
    Ok(())
}

/// A node as [`REFERENCE`] describes it.
fn reference(node: &Named, out: &mut Vec<u8>) -> io::Result<()> {
    begin_node(node.id, &node.name, out)?;
    out.push(b'}');
    Ok(())
}

fn taxonomy(node: &TaxonomyView, out: &mut Vec<u8>) -> io::Result<()> {
    begin_node(node.id, &node.name, out)?;
    out.extend_from_slice(b",\"slug\":");
    serde_json::to_writer(&mut *out, node.slug.as_str())?;
    out.extend_from_slice(b",\"path\":");
    serde_json::to_writer(&mut *out, &node.path)?;
    out.push(b'}');
    Ok(())
}

fn begin_node(id: Uuid, name: &Name, out: &mut Vec<u8>) -> io::Result<()> {
    out.extend_from_slice(b"{\"uuid\":\"");
    out.extend_from_slice(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
    out.extend_from_slice(b"\",\"name\":");
    serde_json::to_writer(&mut *out, name.as_str())?;
    Ok(())
}

/// What of the total is of which quality.
static QUALITY: Shape<Answered, ()> = Shape {
    name: "ReportQuality",
    doc: "How well a total is known, by what its activities state.",
    members: &[
        Member::<Answered, ()>::new("measuredCO2e", Kind::Amount, "Of activities that state that theirs is measured.")
            .shown(|answer| answer.amount(answer.view.quality.measured)),
        Member::<Answered, ()>::new("estimatedCO2e", Kind::Amount, "Of those that state that it is estimated.")
            .shown(|answer| answer.amount(answer.view.quality.estimated)),
        Member::<Answered, ()>::new("proxyCO2e", Kind::Amount, "Of those that state that it comes from a proxy.")
            .shown(|answer| answer.amount(answer.view.quality.proxy)),
        Member::<Answered, ()>::new("notStatedCO2e", Kind::Amount, "Of those that state nothing.")
            .shown(|answer| answer.amount(answer.view.quality.not_stated)),
    ],
};

/// What activities add up to; written without its activities.
pub(super) static REPORT: Shape<Answered, ()> = Shape {
    name: "ActivityReport",
    doc: "What activities add up to.",
    members: &[
        Member::<Answered, ()>::new("count", Kind::Integer(0, i64::MAX), "How many activities there are.")
            .shown(|answer| number(answer.view.count)),
        Member::<Answered, ()>::new(
            "incompleteCount",
            Kind::Integer(0, i64::MAX),
            "How many of them have no CO2e and add nothing.",
        )
        .shown(|answer| number(answer.view.incomplete)),
        Member::<Answered, ()>::new(
            "outdatedCount",
            Kind::Integer(0, i64::MAX),
            "How many of them have a CO2e that is outdated and counts as it is, until a recalculation is confirmed.",
        )
        .shown(|answer| number(answer.view.outdated)),
        Member::<Answered, ()>::new(
            "queryString",
            Kind::Text(0, 8_192),
            "The query string used to filter the activities.",
        )
        .shown(|answer| text(&answer.question.raw)),
        Member::<Answered, ()>::new(
            "startDate",
            Kind::Time,
            "The first instant of the period; null where there is none.",
        )
        .shown_or_null(|answer| or_null(answer.view.first, |day: Day| text(format_args!("{day}T00:00:00Z")))),
        Member::<Answered, ()>::new("endDate", Kind::Time, "The last second of the period; null where there is none.")
            .shown_or_null(|answer| or_null(answer.view.last, |day: Day| text(format_args!("{day}T23:59:59Z")))),
        Member::<Answered, ()>::new(
            "attribution",
            Kind::Word(attribution_words),
            "How activities and days belong together.",
        )
        .shown(|answer| text(attribution_word(answer.question.query.attribution))),
        Member::<Answered, ()>::new("CO2e", Kind::Amount, "Total of the activities in scopes 1 to 3.")
            .shown(|answer| answer.amount(answer.view.co2e)),
        Member::<Answered, ()>::new("uncategorizedCO2e", Kind::Amount, "Total of the activities without a scope.")
            .shown(|answer| answer.amount(answer.view.uncategorized)),
        Member::<Answered, ()>::new(
            "biogenicCO2",
            Kind::Amount,
            "Biogenic CO2: of activities in nodes of kind biogenic, and beside the CO2e of all others.",
        )
        .shown(|answer| answer.amount(answer.view.biogenic)),
        Member::<Answered, ()>::new(
            "creditsCO2e",
            Kind::Amount,
            "Total of the activities in nodes of kind credit: credits and avoided emissions.",
        )
        .shown(|answer| answer.amount(answer.view.credits)),
        Member::<Answered, ()>::new("outsideCO2e", Kind::Amount, "Total of the activities in nodes of kind outside.")
            .shown(|answer| answer.amount(answer.view.outside)),
        Member::<Answered, ()>::new("scope2", Kind::Word(scope2_words), "Which figures of scope 2 CO2e has; location of both.")
            .shown(|answer| text(answer.question.query.scope2.word())),
        Member::<Answered, ()>::new(
            "marketCO2e",
            Kind::Amount,
            "Total in scopes 1 to 3 with scope 2 market-based, beside CO2e, with scope2=both; else null.",
        )
        .shown_or_null(|answer| answer.market(answer.question.query.scope2 == Scope2::Both, answer.view.market.co2e)),
        Member::<Answered, ()>::new(
            "scope2InstrumentCO2e",
            Kind::Amount,
            "What of market-based scope 2 rests on certificates, contracts and rates of suppliers; null with scope2=location.",
        )
        .shown_or_null(|answer| answer.rests(answer.view.market.instrument)),
        Member::<Answered, ()>::new(
            "scope2ResidualCO2e",
            Kind::Amount,
            "What of it rests on a residual mix; null with scope2=location.",
        )
        .shown_or_null(|answer| answer.rests(answer.view.market.residual)),
        Member::<Answered, ()>::new(
            "scope2LocationCO2e",
            Kind::Amount,
            "What of it rests on location-based factors, for want of both; null with scope2=location.",
        )
        .shown_or_null(|answer| answer.rests(answer.view.market.location)),
        Member::<Answered, ()>::new(
            "quality",
            Kind::Object(&QUALITY),
            "What of the total in scopes 1 to 3, with scope 2 location-based, is how well known; the four add up to it.",
        )
        .shown(|answer| QUALITY.show(answer)),
        Member::<Answered, ()>::new("CO2eUnit", Kind::Word(Co2eUnit::codes), "The unit of every CO2e.")
            .shown(|answer| text(answer.question.unit.code())),
        Member::<Answered, ()>::new(
            "scopes",
            Kind::List(&Kind::Object(&REFERENCE), 0),
            "The scopes that the activities carry.",
        )
        .streamed(|answer, out| nodes(answer.question.lists.scopes, &answer.view.scopes, out, reference)),
        Member::<Answered, ()>::new(
            "orgs",
            Kind::List(&Kind::Object(&REFERENCE), 0),
            "The orgs that the activities carry.",
        )
        .streamed(|answer, out| nodes(answer.question.lists.orgs, &answer.view.orgs, out, reference)),
        Member::<Answered, ()>::new(
            "taxonomies",
            Kind::List(&Kind::Object(&TAXONOMY), 0),
            "The taxonomies that the activities carry.",
        )
        .streamed(|answer, out| nodes(answer.question.lists.taxonomies, &answer.view.taxonomies, out, taxonomy)),
        Member::<Answered, ()>::new(
            "data",
            Kind::List(&Kind::Object(&activity::SHAPE), 0),
            "The activities by day, then uuid; empty without the permission activity:read.",
        )
        .shown(|_| Json::Array(Vec::new())),
    ],
};

static TAXONOMY: Shape<TaxonomyView, ()> = Shape {
    name: "TaxonomyReference",
    doc: "A category of activity that another record refers to.",
    members: &[
        Member::<TaxonomyView, ()>::new("uuid", Kind::Uuid, "Identifies it.").written(),
        Member::<TaxonomyView, ()>::new("name", Kind::Text(1, 255), "What it is called.").written(),
        Member::<TaxonomyView, ()>::new("slug", Kind::Text(1, 255), "Its part of the path.").written(),
        Member::<TaxonomyView, ()>::new("path", Kind::Text(1, 10_000), "The slugs from the root, joined by a slash.")
            .written(),
    ],
};
