//! List Units: every unit that quantities can be given in.

use actix_web::HttpResponse;
use domain::Unit;
use files::{ByteOrderMark, Cells};
use ports::Permission;

use crate::answer;
use crate::answer_value::{list, number, text, text_or_null};
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::Ask;
use crate::resource::{table, tabled};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

/// The operations on units.
pub(crate) fn operations() -> Vec<Operation> {
    let list = Operation::get(Permission::CatalogRead, "/v1/unit", list_units)
        .named("list_units", "Units")
        .does("Every unit that quantities can be given in.")
        .offering(&[media::JSON, media::CSV, media::XLSX])
        .answers(
            Answer::ok(SchemaOf::Named(&UNITS))
                .or(media::CSV, SchemaOf::Text)
                .or(media::XLSX, SchemaOf::Text)
                .with_header_at_times("Content-Disposition", "The name to keep a table under."),
        );
    vec![list]
}

static UNITS: Shape<Vec<Unit>, ()> = Shape {
    name: "Units",
    doc: "Every unit.",
    members: &[
        Member::<Vec<Unit>, ()>::new("count", Kind::Integer(0, i64::MAX), "How many there are.")
            .shown(|units| number(units.len())),
        Member::<Vec<Unit>, ()>::new(
            "data",
            Kind::List(&Kind::Object(&UNIT), 1_000),
            "The units, by what they measure; currencies last.",
        )
        .shown(|units| list(units, |unit| UNIT.show(unit))),
    ],
};

fn dimensions() -> Vec<&'static str> {
    let mut names: Vec<_> = Unit::all().map(|unit| unit.dimension().name()).collect();
    names.dedup();
    names
}

static UNIT: Shape<Unit, ()> = Shape {
    name: "Unit",
    doc: "A unit of measurement, or a currency.",
    members: &[
        Member::<Unit, ()>::new("code", Kind::Text(1, 64), "What unit fields hold. Case counts.")
            .shown(|unit| text(unit.code())),
        Member::<Unit, ()>::new("name", Kind::Text(1, 255), "The name in words.").shown(|unit| text(unit.name())),
        Member::<Unit, ()>::new("symbol", Kind::Text(1, 64), "What is printed behind a number.")
            .shown(|unit| text(unit.symbol())),
        Member::<Unit, ()>::new(
            "dimension",
            Kind::Word(dimensions),
            "What it measures. Units convert within one dimension only; a currency only to itself.",
        )
        .shown(|unit| text(unit.dimension().name())),
        Member::<Unit, ()>::new("base", Kind::Text(1, 64), "The code of the unit that the factor counts in.")
            .shown(|unit| text(unit.base().code())),
        Member::<Unit, ()>::new("factor", Kind::Amount, "How many base units one of it is, exactly.")
            .shown(|unit| text(unit.to_base())),
        Member::<Unit, ()>::new("rec20", Kind::Text(1, 3), "The code of UN/ECE Recommendation 20.")
            .shown_or_null(|unit| text_or_null(unit.rec20())),
    ],
};

/// Handles GET of the units.
async fn list_units(_: Caller, _: Ask<(NoQuery,)>, accepted: Accepted) -> Result<HttpResponse, Problem> {
    if accepted.0 != media::JSON {
        let units: Vec<_> = Unit::all().map(|unit| UNIT.show(&unit)).collect();
        let table = table("units", &UNIT.columns(), &units);
        return tabled(&table, accepted, Cells::Verbatim, ByteOrderMark::Absent);
    }
    answer::ok(&UNITS.show(&Unit::all().collect()))
}
