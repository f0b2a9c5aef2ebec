//! What an explanation consists of, for the document; `files` writes it.

use domain::GwpSet;

use crate::activity::qualities;
use crate::answer_value::REFERENCE;
use crate::factor::{CHOICE, CONSIDERED, ORIGIN};
use crate::schema::Kind;
use crate::shape::{Member, Shape};

type Of = Member<(), ()>;

fn kinds() -> Vec<&'static str> {
    vec!["activity", "input"]
}

fn parts() -> Vec<&'static str> {
    vec!["upstream", "downstream", "both"]
}

fn origins() -> Vec<&'static str> {
    vec!["supplied", "computed", "absent"]
}

fn gwp_sets() -> Vec<&'static str> {
    GwpSet::ALL.iter().map(|set| set.name()).collect()
}

/// How the figure of an activity or an input comes about.
pub(super) static EXPLANATION: Shape<(), ()> = Shape {
    name: "Explanation",
    doc: "How a figure comes about, in kg of CO2 equivalent: every exact number from which it can be computed anew.",
    members: &[
        Of::new("kind", Kind::Word(kinds), "What the record is.").written(),
        Of::new("uuid", Kind::Uuid, "The record.").written(),
        Of::new("name", Kind::Text(1, 255), "What it is called.").written(),
        Of::new("syncId", Kind::Text(1, 255), "What another system calls it.").written_or_null(),
        Of::new("CO2e", Kind::Amount, "The stored figure; null where there is none.").written_or_null(),
        Of::new("recomputed", Kind::Amount, "What the parts come to, computed anew.").written_or_null(),
        Of::new("agrees", Kind::Flag, "Whether every stored figure is the one computed anew, digit for digit.")
            .written(),
        Of::new("incomplete", Kind::Object(&REASON), "Why there is no figure, as the record says.").written_or_null(),
        Of::new("day", Kind::Date, "The day whose factor counts: the first day, or the model's reference date.")
            .written(),
        Of::new("quantity", Kind::Amount, "How much, as it was given.").written_or_null(),
        Of::new("unit", Kind::Text(1, 64), "The unit of the quantity.").written_or_null(),
        Of::new("product", Kind::Object(&REFERENCE), "What it is a quantity of.").written_or_null(),
        Of::new("factor", Kind::Object(&FACTOR), "The factor that parts were computed from.").written_or_null(),
        Of::new("parts", Kind::List(&Kind::Object(&PART), 2), "The parts, which are added.").written(),
        Of::new(
            "gases",
            Kind::List(&Kind::Object(&GAS), 100),
            "The gases that the factor knows, and what was emitted.",
        )
        .written(),
        Of::new("suppliedBiogenicCO2", Kind::Amount, "Biogenic CO2 that was given with the record, in kg.")
            .written_or_null(),
        Of::new("quality", Kind::Word(qualities), "How well its figure is known, as it was stated.").written_or_null(),
        Of::new("evidence", Kind::List(&Kind::Text(1, 2_200), 20), "What shows that, as it was given.").written(),
        Of::new("market", Kind::Object(&MARKET), "How its market-based figure comes about; null where none does.")
            .written_or_null(),
        Of::new(
            "measures",
            Kind::List(&Kind::Object(&MEASURE), 100),
            "What the record has of gases and of biogenic CO2, as it is stored.",
        )
        .written(),
        Of::new("rounding", Kind::Text(1, 255), "What is rounded, and how.").written(),
        Of::new("written", Kind::Object(&CHANGE), "The change that last wrote the record.").written(),
        Of::new("import", Kind::Object(&IMPORT), "The newest import that the record has content of.").written_or_null(),
    ],
};

static REASON: Shape<(), ()> = Shape {
    name: "ExplanationReason",
    doc: "Why there is no figure.",
    members: &[
        Of::new("code", Kind::Text(1, 64), "A word for programs.").written(),
        Of::new("detail", Kind::Text(1, 20_000), "A sentence for people.").written(),
        Of::new(
            "considered",
            Kind::List(&Kind::Object(&CONSIDERED), 20),
            "The published factors that the product's rule looked at, where it found none; absent of a composition.",
        )
        .at_times(),
    ],
};

static FACTOR: Shape<(), ()> = Shape {
    name: "ExplanationFactor",
    doc: "A factor, as it was when the answer was made.",
    members: &[
        Of::new("uuid", Kind::Uuid, "The factor.").written(),
        Of::new("product", Kind::Uuid, "The product it is of.").written(),
        Of::new("unit", Kind::Text(1, 64), "The unit that its parts are per.").written(),
        Of::new("upstream", Kind::Amount, "kg of CO2 equivalent per unit, before the use.").written_or_null(),
        Of::new("downstream", Kind::Amount, "kg of CO2 equivalent per unit, in the use and after it.")
            .written_or_null(),
        Of::new("validFrom", Kind::Date, "The first day it holds on.").written(),
        Of::new("validTo", Kind::Date, "The day before which it ends; null while it is open.").written_or_null(),
        Of::new("holdsOnDay", Kind::Flag, "Whether it holds on the day; a later factor may have closed it since.")
            .written(),
        Of::new("corrects", Kind::Uuid, "The wrong factor that it stands in the place of.").written_or_null(),
        Of::new("correctedBy", Kind::Uuid, "The factor that stands in its place since.").written_or_null(),
        Of::new("source", Kind::Text(1, 1_000), "Where it was published.").written(),
        Of::new("gwp", Kind::Word(gwp_sets), "The set of global warming potentials behind it.").written_or_null(),
        Of::new("origin", Kind::Object(&ORIGIN), "The published factor that it is a copy of; null where it is none.")
            .written_or_null(),
        Of::new("choice", Kind::Object(&CHOICE), "Why the product's rule chose it; null where somebody gave it.")
            .written_or_null(),
        Of::new(
            "primaryDataShare",
            Kind::Amount,
            "How much of the emissions is computed from primary data, in percent, of a supplier's footprint that says so.",
        )
        .at_times(),
    ],
};

static PART: Shape<(), ()> = Shape {
    name: "ExplanationPart",
    doc: "A part of a figure and where it comes from.",
    members: &[
        Of::new("part", Kind::Word(parts), "Which part; both of an input of a model.").written(),
        Of::new("from", Kind::Word(origins), "supplied: given with the record, in place of a computed one.").written(),
        Of::new("quantity", Kind::Amount, "How much, of a computed part.").at_times(),
        Of::new("unit", Kind::Text(1, 64), "The unit of the quantity.").at_times(),
        Of::new("factorUnit", Kind::Text(1, 64), "The unit of the factor.").at_times(),
        Of::new("conversion", Kind::Object(&CONVERSION), "How many of the factor's units one unit is.").at_times(),
        Of::new("intensity", Kind::Amount, "kg of CO2 equivalent per unit of the factor.").at_times(),
        Of::new("product", Kind::Object(&PRODUCT), "quantity x conversion x intensity before rounding.").at_times(),
        Of::new("CO2e", Kind::Amount, "What it comes to; null of an absent one.").written_or_null(),
        Of::new("stored", Kind::Amount, "What is stored of it.").written_or_null(),
    ],
};

static CONVERSION: Shape<(), ()> = Shape {
    name: "ExplanationConversion",
    doc: "An exact ratio between two units, in lowest terms.",
    members: &[
        Of::new("numerator", Kind::Text(1, 40), "A whole number.").written(),
        Of::new("denominator", Kind::Text(1, 40), "A whole number.").written(),
        Of::new("text", Kind::Text(1, 81), "As a decimal where that ends, else as a fraction.").written(),
    ],
};

static PRODUCT: Shape<(), ()> = Shape {
    name: "ExplanationProduct",
    doc: "An exact product: numerator over denominator.",
    members: &[
        Of::new("numerator", Kind::Text(1, 200), "A decimal with every digit.").written(),
        Of::new("denominator", Kind::Text(1, 40), "A whole number.").written(),
        Of::new("digits", Kind::Text(1, 300), "The quotient in digits.").written(),
        Of::new("ends", Kind::Flag, "Whether these are all of its digits; else they are cut.").written(),
    ],
};

static CHANGE: Shape<(), ()> = Shape {
    name: "ExplanationChange",
    doc: "A change: which one, when, who, what for.",
    members: &[
        Of::new("change", Kind::Integer(1, i64::MAX), "Its number.").written(),
        Of::new("at", Kind::Time, "When it was made.").written(),
        Of::new("actor", Kind::Text(1, 255), "Who made it.").written(),
        Of::new("cause", Kind::Text(1, 10_000), "What for.").written(),
    ],
};

static IMPORT: Shape<(), ()> = Shape {
    name: "ExplanationImport",
    doc: "An import of activities, and where in the file with that hash the record stands.",
    members: &[
        Of::new("uuid", Kind::Uuid, "The import.").written(),
        Of::new("name", Kind::Text(0, 10_000), "The name of the file, or what it was called.").written(),
        Of::new("hash", Kind::Text(64, 64), "The SHA-256 of the file; null where it is not known.").written_or_null(),
        Of::new("actor", Kind::Text(1, 255), "Who imported.").written(),
        Of::new("begun", Kind::Time, "When it began.").written(),
        Of::new(
            "line",
            Kind::Integer(1, i64::MAX),
            "The line that the row starts on, from 1; null where it is not known.",
        )
        .written_or_null(),
    ],
};

fn composed() -> Vec<&'static str> {
    vec!["model", "switch"]
}

fn figures() -> Vec<&'static str> {
    vec!["productCarbonFootprint", "A1_A3", "D"]
}

/// How the figures of a model or a switch come about.
pub(super) static COMPOSITION: Shape<(), ()> = Shape {
    name: "Composition",
    doc: "How figures come about from the stored CO2e of inputs, in kg of CO2 equivalent per one unit.",
    members: &[
        Of::new("kind", Kind::Word(composed), "What the record is.").written(),
        Of::new("uuid", Kind::Uuid, "The record.").written(),
        Of::new("name", Kind::Text(1, 255), "What it is called.").written(),
        Of::new("unit", Kind::Text(1, 64), "What figures are per one of.").written_or_null(),
        Of::new("figures", Kind::List(&Kind::Object(&FIGURE), 3), "The figures.").written(),
        Of::new("sources", Kind::List(&Kind::Object(&SOURCE), 100), "The models, in their order.").written(),
        Of::new("issues", Kind::List(&Kind::Object(&REASON), 0), "Why figures are missing.").written(),
        Of::new("rounding", Kind::Text(1, 255), "What is rounded, and how.").written(),
        Of::new("written", Kind::Object(&CHANGE), "The change that last wrote the record itself.").written(),
    ],
};

static FIGURE: Shape<(), ()> = Shape {
    name: "CompositionFigure",
    doc: "A figure of a composition.",
    members: &[
        Of::new("figure", Kind::Word(figures), "Which one; D is in no other.").written(),
        Of::new("CO2e", Kind::Amount, "As it is shown elsewhere; null where it is missing.").written_or_null(),
        Of::new("recomputed", Kind::Amount, "Computed anew from what stands here.").written_or_null(),
        Of::new("agrees", Kind::Flag, "Whether both are the same, digit for digit.").written(),
    ],
};

static SOURCE: Shape<(), ()> = Shape {
    name: "CompositionSource",
    doc: "What a model gives to the figures: the sum of its inputs x conversion / amount.",
    members: &[
        Of::new("model", Kind::Object(&REFERENCE), "The model.").written(),
        Of::new("amount", Kind::Amount, "How much its inputs make.").written(),
        Of::new("unit", Kind::Text(1, 64), "The unit of that amount.").written(),
        Of::new("conversion", Kind::Object(&CONVERSION), "How many of that unit one of the figures' unit is.")
            .written_or_null(),
        Of::new("inputs", Kind::List(&Kind::Object(&INPUT), 0), "Its inputs, in their order.").written(),
    ],
};

static INPUT: Shape<(), ()> = Shape {
    name: "CompositionInput",
    doc: "An input in a composition.",
    members: &[
        Of::new("uuid", Kind::Uuid, "The input.").written(),
        Of::new("name", Kind::Text(1, 255), "What it is called.").written(),
        Of::new("stage", Kind::Text(1, 10), "The life-cycle stage that it belongs to.").written_or_null(),
        Of::new("CO2e", Kind::Amount, "Its stored CO2e, for the model's whole amount.").written_or_null(),
        Of::new("share", Kind::Amount, "Its share in one unit, rounded by itself.").written_or_null(),
        Of::new("in", Kind::List(&Kind::Word(figures), 3), "The figures that it is in.").written(),
    ],
};

static GAS: Shape<(), ()> = Shape {
    name: "ExplainedGas",
    doc: "What the factor says of a gas, and what the quantity emits of it.",
    members: &[
        Of::new("gas", Kind::Text(1, 64), "The gas.").written(),
        Of::new("intensity", Kind::Amount, "kg CO2e of it per unit of the factor.").written(),
        Of::new("massPerUnit", Kind::Amount, "kg of it per unit, where the source gives that.").written_or_null(),
        Of::new("CO2ePerUnit", Kind::Amount, "kg CO2e of it per unit, where the source gives that.").written_or_null(),
        Of::new("gwp", Kind::Text(3, 16), "The set of global warming potentials that the source counts by.").written(),
        Of::new(
            "CO2e",
            Kind::Amount,
            "Its CO2e in kg: what the gases up to it come to together, rounded, less what those before it do; biogenic CO2 \
             stands alone.",
        )
        .written(),
        Of::new("mass", Kind::Amount, "Its mass in kg, rounded once.").written(),
    ],
};

static MEASURE: Shape<(), ()> = Shape {
    name: "ExplainedMeasure",
    doc: "What a record has of a measure beside CO2e.",
    members: &[
        Of::new("measure", Kind::Text(1, 64), "Its name.").written(),
        Of::new("amount", Kind::Amount, "In kg CO2e; of a name that ends in _mass in kg of the gas.").written(),
    ],
};

static MARKET: Shape<(), ()> = Shape {
    name: "ExplainedMarket",
    doc: "How a market-based figure comes about. It is never added to the CO2e.",
    members: &[
        Of::new("instrument", Kind::Text(1, 64), "What it rests on.").written(),
        Of::new("factor", Kind::Uuid, "The factor.").written(),
        Of::new("reference", Kind::Text(1, 255), "Which certificate or contract it is.").written_or_null(),
        Of::new("named", Kind::Flag, "Whether the record names it; else it is the residual mix of the product.")
            .written(),
        Of::new("source", Kind::Text(1, 1_000), "Where the factor was published.").written(),
        Of::new("parts", Kind::List(&Kind::Object(&MARKET_PART), 2), "The parts, which are added.").written(),
    ],
};

static MARKET_PART: Shape<(), ()> = Shape {
    name: "ExplainedMarketPart",
    doc: "A part of a market-based figure.",
    members: &[
        Of::new("quantity", Kind::Amount, "How much.").written(),
        Of::new("unit", Kind::Text(1, 64), "The unit of the quantity.").written(),
        Of::new("factorUnit", Kind::Text(1, 64), "The unit of the factor.").written(),
        Of::new("conversion", Kind::Object(&CONVERSION), "How many of the factor's units one unit is.").written(),
        Of::new("intensity", Kind::Amount, "kg of CO2 equivalent per unit of the factor.").written(),
        Of::new("product", Kind::Object(&PRODUCT), "quantity x conversion x intensity before rounding.").written(),
        Of::new("CO2e", Kind::Amount, "What it comes to.").written(),
    ],
};
