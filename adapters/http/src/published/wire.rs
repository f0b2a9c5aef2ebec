//! Published factors and their sets, as they are shown.

use domain::{Gas, GasAmount, GasSplit, GwpSet, Intensity, NoCo2eUnder, SourceRow};
use ports::factor_sets::InstalledSet;
use ports::inbound::FoundFactor;
use serde_json::Value;

use super::ask::{gwp_sets, uses};
use crate::answer::page_schema;
use crate::answer_value::{list, number, text, text_or_null};
use crate::schema::{Components, Kind, Named, Side};
use crate::shape::{Member, Shape};

/// A factor, as it is shown.
pub(super) struct View {
    pub(super) found: FoundFactor,
    /// Its CO2e under the set that was asked for.
    pub(super) under: Option<(GwpSet, Result<Intensity, NoCo2eUnder>)>,
}

type OfSet = Member<InstalledSet, ()>;
type OfFactor = Member<View, ()>;
type OfGas = Member<(Gas, GasAmount), ()>;
type OfUnder = Member<(GwpSet, Result<Intensity, NoCo2eUnder>), ()>;
type OfRow = Member<SourceRow, ()>;
type OfCell = Member<(String, String), ()>;

/// The answer of the sets.
pub(super) static SETS: Shape<Vec<InstalledSet>, ()> = Shape {
    name: "FactorSets",
    doc: "Every set of published factors.",
    members: &[
        Member::<Vec<InstalledSet>, ()>::new("count", Kind::Integer(0, i64::MAX), "How many there are.")
            .shown(|sets| number(sets.len())),
        Member::<Vec<InstalledSet>, ()>::new("data", Kind::List(&Kind::Object(&SET), 1_000), "The newest first.")
            .shown(|sets| list(sets, |set| SET.show(set))),
    ],
};

pub(super) static SET: Shape<InstalledSet, ()> = Shape {
    name: "FactorSet",
    doc: "An edition of a publisher's factors, as one file holds it; it never changes.",
    members: &[
        OfSet::new("id", Kind::Text(64, 64), "The SHA-256 of the file.").shown(|one| text(one.set.id)),
        OfSet::new("publisher", Kind::Text(1, 255), "Who published it.").shown(|one| text(&one.set.publisher)),
        OfSet::new("title", Kind::Text(1, 255), "What the table is called.").shown(|one| text(&one.set.title)),
        OfSet::new("edition", Kind::Text(1, 255), "Which edition it is.").shown(|one| text(&one.set.edition)),
        OfSet::new("validFrom", Kind::Date, "The first day it holds on.").shown(|one| text(one.set.valid_from)),
        OfSet::new("validTo", Kind::Date, "The day before which it ends; null while no end is known.")
            .shown_or_null(|one| text_or_null(one.set.valid_to)),
        OfSet::new("licence", Kind::Text(1, 1_000), "Its licence, and the attribution that it asks for.")
            .shown(|one| text(&one.set.licence)),
        OfSet::new("file", Kind::Text(1, 255), "The name of the file.").shown(|one| text(&one.set.file)),
        OfSet::new("gwp", Kind::Word(gwp_sets), "The global warming potentials behind its CO2e; null where unknown.")
            .shown_or_null(|one| text_or_null(one.set.gwp)),
        OfSet::new(
            "corrects",
            Kind::Text(64, 64),
            "The set that its publisher corrected by it; null where it corrects none.",
        )
        .shown_or_null(|one| text_or_null(one.set.corrects)),
        OfSet::new("factors", Kind::Integer(1, i64::MAX), "How many factors it has.").shown(|one| number(one.factors)),
        OfSet::new("added", Kind::Time, "When it was added.").shown(|one| text(one.added)),
        OfSet::new("by", Kind::Text(1, 255), "Who added it.").shown(|one| text(&one.by)),
    ],
};

/// A page of factors.
pub(super) static PAGE: Page = Page;

pub(super) struct Page;

impl Named for Page {
    fn name(&self, _: Side) -> String {
        "PublishedFactors".to_owned()
    }

    fn describe(&self, _: Side, components: &mut Components) -> Value {
        page_schema(&FACTOR, components)
    }
}

pub(super) static FACTOR: Shape<View, ()> = Shape {
    name: "PublishedFactor",
    doc: "What a unit emits, as a publisher gives it.",
    members: &[
        OfFactor::new("set", Kind::Object(&SET), "The set it is of.").shown(|view| SET.show(&view.found.installed)),
        OfFactor::new("cell", Kind::Text(1, 255), "Where its figure stands in the file; unique in the set.")
            .shown(|view| text(&view.found.factor.cell)),
        OfFactor::new("name", Kind::Text(1, 255), "What it is a factor of.")
            .shown(|view| text(&view.found.factor.name)),
        OfFactor::new("path", Kind::List(&Kind::Text(1, 255), 100), "The categories above it, the widest first.")
            .shown(|view| list(&view.found.factor.path, text)),
        OfFactor::new("unit", Kind::Text(1, 64), "The unit that the figures are per.")
            .shown(|view| text(view.found.factor.unit)),
        OfFactor::new("use", Kind::Word(uses), "What its emissions are in an inventory.")
            .shown(|view| text(view.found.factor.usage)),
        OfFactor::new("region", Kind::Text(1, 255), "Where it holds; null where the source does not say.")
            .shown_or_null(|view| text_or_null(view.found.factor.region.as_ref())),
        OfFactor::new("co2e", Kind::Amount, "kg of CO2 equivalent per unit, as published.")
            .shown_or_null(|view| text_or_null(view.found.factor.intensity().ok())),
        OfFactor::new("gwp", Kind::Word(gwp_sets), "The global warming potentials behind it; null where unknown.")
            .shown_or_null(|view| {
                let of_gases = view.found.factor.gases.as_ref().map(GasSplit::set);
                text_or_null(of_gases.or(view.found.installed.set.gwp))
            }),
        OfFactor::new("gases", Kind::List(&Kind::Object(&GAS), 100), "The gases, where the source gives them.").shown(
            |view| {
                let gases = view.found.factor.gases.iter().flat_map(domain::GasSplit::amounts);
                list(gases, |gas| GAS.show(gas))
            },
        ),
        OfFactor::new("rows", Kind::List(&Kind::Object(&ROW), 100), "The rows of the file it was read from.")
            .shown(|view| list(&view.found.factor.rows, |row| ROW.show(row))),
        OfFactor::new("under", Kind::Object(&UNDER), "Its CO2e under the set that `gwp` names.")
            .shown_at_times(|view| view.under.as_ref().map(|under| UNDER.show(under))),
    ],
};

static GAS: Shape<(Gas, GasAmount), ()> = Shape {
    name: "PublishedGas",
    doc: "How much of a gas a unit emits: its mass, or its CO2e under the source's set.",
    members: &[
        OfGas::new("gas", Kind::Text(1, 64), "The gas.").shown(|(gas, _)| text(gas)),
        OfGas::new("mass", Kind::Amount, "Kilograms of the gas.").shown_or_null(|(_, amount)| match amount {
            GasAmount::Mass(mass) => text(mass),
            GasAmount::Co2e(_) => files::Json::Null,
        }),
        OfGas::new("co2e", Kind::Amount, "Kilograms of CO2 equivalent.").shown_or_null(|(_, amount)| match amount {
            GasAmount::Co2e(co2e) => text(co2e),
            GasAmount::Mass(_) => files::Json::Null,
        }),
    ],
};

static UNDER: Shape<(GwpSet, Result<Intensity, NoCo2eUnder>), ()> = Shape {
    name: "Co2eUnder",
    doc: "A factor's CO2e under a set of global warming potentials.",
    members: &[
        OfUnder::new("gwp", Kind::Word(gwp_sets), "The set.").shown(|(gwp, _)| text(gwp)),
        OfUnder::new("co2e", Kind::Amount, "kg of CO2 equivalent per unit; null where there is none.")
            .shown_or_null(|(_, co2e)| text_or_null(co2e.as_ref().ok())),
        OfUnder::new("reason", Kind::Text(1, 1_000), "Why there is none.")
            .shown_or_null(|(_, co2e)| text_or_null(co2e.as_ref().err())),
    ],
};

static ROW: Shape<SourceRow, ()> = Shape {
    name: "SourceRow",
    doc: "A row of a published file, as it stands there.",
    members: &[
        OfRow::new("row", Kind::Integer(1, u32::MAX as i64), "Its number, from 1.").shown(|row| number(row.row)),
        OfRow::new("cells", Kind::List(&Kind::Object(&CELL), 1_000), "Its cells with something in them.")
            .shown(|row| list(&row.cells, |cell| CELL.show(cell))),
    ],
};

static CELL: Shape<(String, String), ()> = Shape {
    name: "SourceCell",
    doc: "A cell of a published file.",
    members: &[
        OfCell::new("header", Kind::Text(0, 32_767), "The header it stands under.").shown(|(header, _)| text(header)),
        OfCell::new("value", Kind::Text(0, 32_767), "What stands in it.").shown(|(_, value)| text(value)),
    ],
};
