//! What the figures of a period are today, against its frozen report.

use actix_web::{HttpResponse, web};
use domain::{ClassTotals, ClosedPeriodId, FrozenFigures, FrozenLine, GasRow, GasTotal, GasTotals, Name, ScopeKind};
use files::Json;
use ports::Permission;
use ports::inbound::{BaseYear, Cause, RestatedCause, RestatedLine, RestatedTotals, Restatement};
use uuid::Uuid;

use super::TAG;
use super::shown::PERIOD;
use crate::answer;
use crate::answer_value::{list, number, or_null, text, text_or_null};
use crate::caller::Caller;
use crate::operation::Operation;
use crate::path::PathId;
use crate::problem::{Kind as Problems, Problem};
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::schema::Kind;
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The operation that says what differs.
pub(super) fn operation() -> Operation {
    Operation::get(Permission::ActivityReport, "/v1/period/{uuid}/restatement", get_restatement)
        .named("get_restatement", TAG)
        .does("What the figures of a period are today, against its frozen report, by cause and by series.")
        .answers_with(&RESTATEMENT)
        .refused_with(Problems::NotFound)
}

/// The operation that says whether the base year is to be recalculated.
pub(super) fn base_year_operation() -> Operation {
    Operation::get(Permission::ActivityReport, "/v1/base-year", get_base_year)
        .named("get_base_year", TAG)
        .does("The base year against what it is today, and whether that asks for its recalculation.")
        .noting("404 where no period was closed as the base year (`baseYear` of `POST /v1/period`).")
        .answers_with(&BASE_YEAR)
        .refused_with(Problems::NotFound)
}

static BASE_YEAR: Shape<BaseYear, ()> = Shape {
    name: "BaseYear",
    doc: "The base year against what it is today.",
    members: &[
        Member::<BaseYear, ()>::new("significance", Kind::Amount, "Above how many per cent a change is significant.")
            .shown(|base| text(base.significance)),
        Member::<BaseYear, ()>::new(
            "recalculationAsked",
            Kind::Flag,
            "Whether the difference, that of a single cause, or what is outdated is more than that share of the frozen CO2e, with scope 2 \
             location-based or market-based.",
        )
        .shown(|base| Json::Bool(base.asks_for_recalculation)),
        Member::<BaseYear, ()>::new(
            "CO2eOutdated",
            Kind::Amount,
            "By how much the recalculation of what is outdated would change it besides, in kg.",
        )
        .shown(|base| text(base.outdated)),
        Member::<BaseYear, ()>::new(
            "marketCO2eOutdated",
            Kind::Amount,
            "The same with scope 2 market-based, in kg.",
        )
        .shown(|base| text(base.market_outdated)),
        Member::<BaseYear, ()>::new("restatement", Kind::Object(&RESTATEMENT), "What differs, and why.")
            .shown(|base| RESTATEMENT.show(&base.restatement)),
    ],
};

type Shown = Member<Restatement, ()>;

static RESTATEMENT: Shape<Restatement, ()> = Shape {
    name: "Restatement",
    doc: "What the figures of a period are today, against its frozen report.",
    members: &[
        Shown::new("period", Kind::Object(&PERIOD), "The period.").shown(|view| PERIOD.show(&view.period)),
        Shown::new("change", Kind::Integer(0, i64::MAX), "The number of the newest change in today's figures.")
            .shown(|view| number(view.revision.number)),
        Shown::new("CO2eFrozen", Kind::Amount, "What the frozen report comes to in scopes 1 to 3, in kg.")
            .shown(|view| text(view.period.frozen.co2e)),
        Shown::new("CO2e", Kind::Amount, "What that comes to today.").shown(|view| text(view.now.co2e)),
        Shown::new("difference", Kind::Amount, "Today's less the frozen one; the causes add up to it.")
            .shown(|view| text(view.now.co2e - view.period.frozen.co2e)),
        Shown::new("frozen", Kind::Object(&BOTH), "What the frozen report comes to, class by class.")
            .shown(|view| BOTH.show(&view.was)),
        Shown::new("now", Kind::Object(&BOTH), "What that comes to today.").shown(|view| BOTH.show(&view.is)),
        Shown::new("causes", Kind::List(&Kind::Object(&CAUSE), 6), "What the difference is due to.")
            .shown(|view| list(&view.causes, |cause| CAUSE.show(cause))),
        Shown::new(
            "lines",
            Kind::List(&Kind::Object(&LINE), 1_000_000),
            "The series whose figures differ, those outside scopes 1 to 3 too.",
        )
        .shown(|view| list(&view.lines, |line| LINE.show(line))),
    ],
};

fn causes() -> Vec<&'static str> {
    Cause::ALL.map(Cause::as_str).to_vec()
}

static CAUSE: Shape<RestatedCause, ()> = Shape {
    name: "RestatementCause",
    doc: "What of a difference is due to what.",
    members: &[
        Member::<RestatedCause, ()>::new(
            "cause",
            Kind::Word(causes),
            "data: recorded, edited, imported or removed; factor: completed by a factor that came later; correction: a \
             factor was corrected; gwp: gases are read under other potentials; rule: a rule chooses another factor; structure: \
             orgs came or moved, scopes became others.",
        )
        .shown(|cause| text(cause.cause.as_str())),
        Member::<RestatedCause, ()>::new("CO2e", Kind::Amount, "By how much in scopes 1 to 3, in kg.")
            .shown(|cause| text(cause.totals.started.co2e)),
        Member::<RestatedCause, ()>::new("figures", Kind::Object(&BOTH), "By how much each figure changed.")
            .shown(|cause| BOTH.show(&cause.totals)),
    ],
};

static BOTH: Shape<RestatedTotals, ()> = Shape {
    name: "RestatedTotals",
    doc: "What activities come to, class by class, under both attributions.",
    members: &[
        Member::<RestatedTotals, ()>::new(
            "started",
            Kind::Object(&CLASSES),
            "Those that begin in the period, each wholly.",
        )
        .shown(|both| CLASSES.show(&both.started)),
        Member::<RestatedTotals, ()>::new(
            "spread",
            Kind::Object(&CLASSES),
            "Those that touch it, each with its share of days.",
        )
        .shown(|both| CLASSES.show(&both.spread)),
    ],
};

type Class = Member<ClassTotals, ()>;

static CLASSES: Shape<ClassTotals, ()> = Shape {
    name: "ClassTotals",
    doc: "What activities come to, in kg, by class of their scopes.",
    members: &[
        Class::new("CO2e", Kind::Amount, "In scopes 1 to 3, scope 2 location-based.").shown(|it| text(it.co2e)),
        Class::new("marketCO2e", Kind::Amount, "In scopes 1 to 3, scope 2 market-based.")
            .shown(|it| text(it.market_co2e)),
        Class::new("uncategorizedCO2e", Kind::Amount, "Of activities without a scope.")
            .shown(|it| text(it.uncategorized)),
        Class::new("biogenicCO2", Kind::Amount, "Biogenic CO2, which is in no CO2e.").shown(|it| text(it.biogenic)),
        Class::new("creditsCO2e", Kind::Amount, "In nodes of kind credit.").shown(|it| text(it.credits)),
        Class::new("outsideCO2e", Kind::Amount, "In nodes of kind outside.").shown(|it| text(it.outside)),
        Class::new("gases", Kind::List(&Kind::Object(&GAS), 11), "What of the first is of which gas; adds up to it.")
            .shown(|it| gases(&it.gases)),
    ],
};

type OneGas = Member<(GasRow, GasTotal), ()>;

static GAS: Shape<(GasRow, GasTotal), ()> = Shape {
    name: "FrozenGas",
    doc: "What activities come to of one gas, in kg.",
    members: &[
        OneGas::new("gas", Kind::Word(gas_words), "The gas; unspecified: CO2e of which none is known.")
            .shown(|gas| text(gas.0.word())),
        OneGas::new("CO2e", Kind::Amount, "Its CO2e.").shown(|gas| text(gas.1.co2e)),
        OneGas::new("mass", Kind::Amount, "The mass of the gas itself.").shown(|gas| text(gas.1.mass)),
    ],
};

fn gas_words() -> Vec<&'static str> {
    GasRow::ALL.into_iter().filter(|gas| *gas != GasRow::BiogenicCo2).map(GasRow::word).collect()
}

fn gases(totals: &GasTotals) -> Json {
    list(totals.iter().collect::<Vec<_>>().iter(), |gas| GAS.show(gas))
}

type Line = Member<RestatedLine, ()>;

static LINE: Shape<RestatedLine, ()> = Shape {
    name: "RestatedLine",
    doc: "A series whose figures differ.",
    members: &[
        Line::new("scope", Kind::Object(&NODE), "The scope that its activities carry; null: none.")
            .shown_or_null(|line| node(line.series.scope.map(Into::into), line.names[0].as_ref())),
        Line::new("org", Kind::Object(&NODE), "The org that they carry; null: none.")
            .shown_or_null(|line| node(line.series.org.map(Into::into), line.names[1].as_ref())),
        Line::new("taxonomy", Kind::Object(&NODE), "The taxonomy that they carry; null: none.")
            .shown_or_null(|line| node(line.series.taxonomy.map(Into::into), line.names[2].as_ref())),
        Line::new("was", Kind::Object(&FIGURES), "As it was frozen; null: no activity.")
            .shown_or_null(|line| or_null(line.was.as_ref(), |was| FIGURES.show(was))),
        Line::new("is", Kind::Object(&FIGURES), "As it is; null: no activity.")
            .shown_or_null(|line| or_null(line.is.as_ref(), |is| FIGURES.show(is))),
    ],
};

fn node(id: Option<Uuid>, name: Option<&Name>) -> Json {
    or_null(id, |id| NODE.show(&(id, name.cloned())))
}

static NODE: Shape<(Uuid, Option<Name>), ()> = Shape {
    name: "RestatedNode",
    doc: "A node that activities carry.",
    members: &[
        Member::<(Uuid, Option<Name>), ()>::new("uuid", Kind::Uuid, "Identifies it.").shown(|node| text(node.0)),
        Member::<(Uuid, Option<Name>), ()>::new("name", Kind::Text(1, 255), "What it is called; null: it is gone.")
            .shown_or_null(|node| text_or_null(node.1.as_ref())),
    ],
};

static FIGURES: Shape<FrozenLine, ()> = Shape {
    name: "RestatedFigures",
    doc: "What a series comes to in a period.",
    members: &[
        Member::<FrozenLine, ()>::new("kind", Kind::Text(1, 64), "The kind of its scope; null: none.")
            .shown_or_null(|line| text_or_null(line.kind.map(ScopeKind::as_str))),
        Member::<FrozenLine, ()>::new("started", Kind::Object(&SUM), "Those that begin in it, each counted wholly.")
            .shown(|line| SUM.show(&line.started)),
        Member::<FrozenLine, ()>::new(
            "spread",
            Kind::Object(&SUM),
            "Those that touch it, each with its share of days.",
        )
        .shown(|line| SUM.show(&line.spread)),
    ],
};

static SUM: Shape<FrozenFigures, ()> = Shape {
    name: "RestatedSum",
    doc: "What activities come to.",
    members: &[
        Member::<FrozenFigures, ()>::new("count", Kind::Integer(0, i64::MAX), "How many there are.")
            .shown(|sum| number(sum.count)),
        Member::<FrozenFigures, ()>::new("incompleteCount", Kind::Integer(0, i64::MAX), "Those without CO2e.")
            .shown(|sum| number(sum.incomplete)),
        Member::<FrozenFigures, ()>::new("CO2e", Kind::Amount, "In kg.").shown(|sum| text(sum.co2e)),
        Member::<FrozenFigures, ()>::new("biogenicCO2", Kind::Amount, "Biogenic CO2 beside the CO2e, in kg.")
            .shown(|sum| text(sum.biogenic)),
        Member::<FrozenFigures, ()>::new(
            "marketDeltaCO2e",
            Kind::Amount,
            "By how much scope 2 is more market-based than location-based, in kg.",
        )
        .shown(|sum| text(sum.market_delta)),
        Member::<FrozenFigures, ()>::new(
            "gases",
            Kind::List(&Kind::Object(&GAS), 11),
            "What of the CO2e is of which gas; the rest is of none that is known.",
        )
        .shown(|sum| gases(&sum.gases)),
    ],
};

/// Handles GET of a restatement.
async fn get_restatement(
    caller: Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<ClosedPeriodId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    answer::ok(&RESTATEMENT.show(&service.areas().periods.restatement(&caller, id).await?))
}

/// Handles GET of the base year.
async fn get_base_year(
    caller: Caller,
    Ask((NoQuery,), _): Ask<(NoQuery,)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    answer::ok(&BASE_YEAR.show(&service.areas().periods.base_year(&caller).await?))
}
