//! The published factor that a factor is a copy of: how it is named, and how it is shown.

use domain::{FactorOrigin, Gas, GasAmount, GasSplit, Name, PublishedUse, SourceRow};
use ports::inbound::{PublishedDraft, SetPrefix};

use super::gwp_sets;
use crate::answer_value::{list, number, or_null, text, text_or_null};
use crate::schema::Kind;
use crate::shape::{Member, Shape};
use files::Json;

type Named = Member<(), PublishedDraft>;

/// A published factor, as a body names it.
pub(super) static PUBLISHED: Shape<(), PublishedDraft> = Shape {
    name: "PublishedFactorKey",
    doc: "A published factor of the installation.",
    members: &[
        Named::new(
            "set",
            Kind::Text(8, 64),
            "The set: the SHA-256 of its file, or at least the first eight digits of it.",
        )
        .required(|draft, reader, name| draft.set = reader.text(name, SetPrefix::parse)),
        Named::new(
            "cell",
            Kind::Text(1, 255),
            "Where its figure stands in the file, such as `Factors by Category!J13`.",
        )
        .required(|draft, reader, name| draft.cell = reader.text(name, Name::parse)),
    ],
};

type Shown = Member<FactorOrigin, ()>;

/// What a factor was copied from, as answers show it.
pub(crate) static ORIGIN: Shape<FactorOrigin, ()> = Shape {
    name: "FactorOrigin",
    doc: "The published factor that a factor is a copy of, with its set, its gases and the rows it was read from.",
    members: &[
        Shown::new("set", Kind::Text(64, 64), "The SHA-256 of the set's file.").shown(|origin| text(origin.set.id)),
        Shown::new("publisher", Kind::Text(1, 255), "Who published the set.")
            .shown(|origin| text(&origin.set.publisher)),
        Shown::new("title", Kind::Text(1, 255), "What the set is called.").shown(|origin| text(&origin.set.title)),
        Shown::new("edition", Kind::Text(1, 255), "Which edition it is.").shown(|origin| text(&origin.set.edition)),
        Shown::new("licence", Kind::Text(1, 1_000), "Its licence, and the attribution that it asks for.")
            .shown(|origin| text(&origin.set.licence)),
        Shown::new("file", Kind::Text(1, 255), "The name of its file.").shown(|origin| text(&origin.set.file)),
        Shown::new("validFrom", Kind::Date, "The first day for which the set was published.")
            .shown(|origin| text(origin.set.valid_from)),
        Shown::new("validTo", Kind::Date, "The day after the last; null while no end is known.")
            .shown_or_null(|origin| text_or_null(origin.set.valid_to)),
        Shown::new("gwp", Kind::Word(gwp_sets), "The set of global warming potentials behind the published figures.")
            .shown_or_null(|origin| text_or_null(origin.published_under())),
        Shown::new("cell", Kind::Text(1, 255), "Where the figure stands in the file.")
            .shown(|origin| text(&origin.factor.cell)),
        Shown::new("name", Kind::Text(1, 255), "What it is a factor of.").shown(|origin| text(&origin.factor.name)),
        Shown::new("path", Kind::List(&Kind::Text(1, 255), 100), "The publisher's categories, the widest first.")
            .shown(|origin| list(&origin.factor.path, text)),
        Shown::new("region", Kind::Text(1, 255), "Where it holds; null where the source does not say.")
            .shown_or_null(|origin| text_or_null(origin.factor.region.as_ref())),
        Shown::new("use", Kind::Word(uses), "What its emissions are in an inventory.")
            .shown(|origin| text(origin.factor.usage)),
        Shown::new(
            "CO2e",
            Kind::Amount,
            "The published kg of CO2 equivalent per unit; null where the gases alone are.",
        )
        .shown_or_null(|origin| text_or_null(origin.factor.co2e)),
        Shown::new("gases", Kind::List(&Kind::Object(&GAS), 300), "The gases; empty where the source has none.").shown(
            |origin| list(origin.factor.gases.as_ref().map(GasSplit::amounts).unwrap_or_default(), |gas| GAS.show(gas)),
        ),
        Shown::new("rows", Kind::List(&Kind::Object(&ROW), 1_000), "The rows it was read from, as they stand there.")
            .shown(|origin| list(&origin.factor.rows, |row| ROW.show(row))),
    ],
};

type Amount = (Gas, GasAmount);

static GAS: Shape<Amount, ()> = Shape {
    name: "FactorOriginGas",
    doc: "How much of a gas a unit emits, as the source gives it: as mass or as CO2 equivalent.",
    members: &[
        Member::<Amount, ()>::new("gas", Kind::Text(1, 64), "The gas.").shown(|(gas, _)| text(gas)),
        Member::<Amount, ()>::new("mass", Kind::Amount, "kg of the gas; null where the source gives CO2 equivalent.")
            .shown_or_null(|(_, amount)| match amount {
                GasAmount::Mass(mass) => text(mass),
                GasAmount::Co2e(_) => Json::Null,
            }),
        Member::<Amount, ()>::new("CO2e", Kind::Amount, "kg of CO2 equivalent under the source's set of potentials.")
            .shown_or_null(|(_, amount)| match amount {
                GasAmount::Mass(_) => Json::Null,
                GasAmount::Co2e(co2e) => text(co2e),
            }),
    ],
};

static ROW: Shape<SourceRow, ()> = Shape {
    name: "FactorOriginRow",
    doc: "A row of a published file.",
    members: &[
        Member::<SourceRow, ()>::new("row", Kind::Integer(1, 4_294_967_295), "Its number, from 1.")
            .shown(|row| number(row.row)),
        Member::<SourceRow, ()>::new("cells", Kind::List(&Kind::Object(&CELL), 10_000), "Its cells, verbatim.")
            .shown(|row| list(&row.cells, |cell| CELL.show(cell))),
    ],
};

type Cell = (String, String);

static CELL: Shape<Cell, ()> = Shape {
    name: "FactorOriginCell",
    doc: "A cell of a published file.",
    members: &[
        Member::<Cell, ()>::new("header", Kind::Text(0, 100_000), "The header it stands under.")
            .shown(|(header, _)| text(header)),
        Member::<Cell, ()>::new("value", Kind::Text(0, 100_000), "What stands in it.").shown(|(_, value)| text(value)),
    ],
};

fn uses() -> Vec<&'static str> {
    PublishedUse::ALL.iter().map(|usage| usage.as_str()).collect()
}

/// What a factor was copied from, or null.
pub(super) fn shown(origin: Option<&FactorOrigin>) -> Json {
    or_null(origin, |origin| ORIGIN.show(origin))
}
