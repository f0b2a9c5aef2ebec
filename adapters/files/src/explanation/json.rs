//! An explanation as JSON: every number as the text of all its digits.

use domain::{
    CitedFactor, EmittedGas, Exact, Explained, ExplainedMarket, Explanation, Figures, GasAmount, GasFactor,
    MarketOrigin, Multiplication, Term,
};
use ports::Change;
use ports::inbound::{ExplanationView, Imported, Named};

use super::members::{Members, member, optional, text};
use super::source;
use crate::json::Json;

/// How computed parts are rounded, in words.
pub(super) const ROUNDING: &str = "each computed part once, half to even, at the 18th digit after the point";

/// The explanation as one object. [`read_explanation`](super::read_explanation) reads the computation back.
#[must_use]
pub fn explanation_json(view: &ExplanationView) -> Json {
    let ExplanationView { explanation, name, sync_id, product, written, import, no_choice } = view;
    let (kind, id) = match explanation.of {
        Explained::Activity(id) => ("activity", id.uuid()),
        Explained::Input(id) => ("input", id.uuid()),
    };
    let replayed = explanation.replay();
    let measured = explanation.measured;
    let incomplete = explanation.reason.map_or(Json::Null, |reason| {
        let detail = no_choice.as_ref().map_or_else(|| text(reason), text);
        let looked_at = no_choice.as_ref().map(|no_choice| no_choice.considered.as_slice()).unwrap_or_default();
        let considered = member("considered", source::considered(looked_at));
        Json::Object(vec![member("code", text(reason.code())), member("detail", detail), considered])
    });
    Json::Object(vec![
        member("kind", text(kind)),
        member("uuid", text(id)),
        member("name", text(name)),
        member("syncId", optional(sync_id.as_ref())),
        member("CO2e", optional(explanation.stored.co2e)),
        member("recomputed", optional(replayed.and_then(|figures| figures.co2e))),
        member("agrees", Json::Bool(explanation.holds())),
        member("incomplete", incomplete),
        member("day", text(explanation.day)),
        member("quantity", optional(measured.map(|measured| measured.quantity))),
        member("unit", optional(measured.map(|measured| measured.unit))),
        member("product", product_of(explanation, product.as_ref())),
        member("factor", explanation.factor.as_ref().map_or(Json::Null, |cited| factor(cited, explanation))),
        member("parts", parts(explanation)),
        member("gases", Json::Array(explanation.gases.iter().map(gas).collect())),
        member("suppliedBiogenicCO2", optional(explanation.stated.biogenic)),
        member("quality", optional(explanation.stated.quality)),
        member("evidence", Json::Array(explanation.stated.evidence.as_slice().iter().map(text).collect())),
        member("market", explanation.market.as_ref().map_or(Json::Null, market)),
        member("measures", measures(&explanation.stored)),
        member("rounding", text(ROUNDING)),
        member("written", change(written)),
        member("import", import.as_ref().map_or(Json::Null, imported)),
    ])
}

fn product_of(explanation: &Explanation, named: Option<&Named>) -> Json {
    let name = |named: &Named| member("name", text(&named.name));
    explanation
        .product
        .map_or(Json::Null, |id| Json::Object([member("uuid", text(id))].into_iter().chain(named.map(name)).collect()))
}

fn factor(cited: &CitedFactor, explanation: &Explanation) -> Json {
    let CitedFactor { factor, corrected_by } = cited;
    let data = factor.data();
    let mut members = vec![
        member("uuid", text(factor.id())),
        member("product", text(factor.product())),
        member("unit", text(data.unit)),
        member("upstream", optional(data.upstream)),
        member("downstream", optional(data.downstream)),
        member("validFrom", text(data.valid_from)),
        member("validTo", optional(data.valid_to)),
        member("holdsOnDay", Json::Bool(factor.valid_on(explanation.day))),
        member("corrects", optional(factor.corrects())),
        member("correctedBy", optional(*corrected_by)),
    ];
    members.extend(source::members(factor));
    Json::Object(members)
}

fn parts(explanation: &Explanation) -> Json {
    let stored = explanation.stored.parts.iter().copied().chain(std::iter::repeat(None));
    let parts = explanation.terms.iter().zip(stored).map(|((part, term), stored)| {
        let mut members = vec![member("part", text(part.word())), member("from", text(from(term)))];
        if let Term::Computed(multiplication) = term {
            members.extend(computed(multiplication));
        }
        members.push(member("CO2e", optional(term.co2e())));
        members.push(member("stored", optional(stored)));
        Json::Object(members)
    });
    Json::Array(parts.collect())
}

/// What the factor says of a gas, and what the quantity emits of it.
fn gas((factor, emitted): &(GasFactor, EmittedGas)) -> Json {
    let (mass, co2e) = match factor.amount {
        GasAmount::Mass(mass) => (Some(mass), None),
        GasAmount::Co2e(co2e) => (None, Some(co2e)),
    };
    Json::Object(vec![
        member("gas", text(factor.gas)),
        member("intensity", text(factor.intensity)),
        member("massPerUnit", optional(mass)),
        member("CO2ePerUnit", optional(co2e)),
        member("gwp", text(factor.set)),
        member("CO2e", text(emitted.co2e)),
        member("mass", text(emitted.mass)),
    ])
}

/// How the market-based figure comes about.
fn market(of: &ExplainedMarket) -> Json {
    let ExplainedMarket { market, source, terms } = of;
    let term = |term: &Multiplication| {
        let mut members = computed(term);
        members.push(member("CO2e", text(term.co2e)));
        Json::Object(members)
    };
    Json::Object(vec![
        member("instrument", text(market.basis)),
        member("factor", text(market.factor)),
        member("reference", optional(market.reference.as_ref())),
        member("named", Json::Bool(market.origin == MarketOrigin::Named)),
        member("source", text(source)),
        member("parts", Json::Array(terms.iter().map(term).collect())),
    ])
}

/// The other measures, by their names.
fn measures(stored: &Figures) -> Json {
    let one = |(measure, amount)| Json::Object(vec![member("measure", text(measure)), member("amount", text(amount))]);
    Json::Array(stored.measures.iter().map(one).collect())
}

/// The word for where a part comes from.
const fn from(term: &Term) -> &'static str {
    match term {
        Term::Supplied(_) => "supplied",
        Term::Computed(_) => "computed",
        Term::Absent => "absent",
    }
}

fn computed(multiplication: &Multiplication) -> Members {
    let Multiplication { quantity, unit, conversion, factor_unit, intensity, .. } = multiplication;
    vec![
        member("quantity", text(quantity)),
        member("unit", text(unit)),
        member("factorUnit", text(factor_unit)),
        member(
            "conversion",
            Json::Object(vec![
                member("numerator", text(conversion.numerator())),
                member("denominator", text(conversion.denominator())),
                member("text", text(conversion)),
            ]),
        ),
        member("intensity", text(intensity)),
        member("product", product(&multiplication.product())),
    ]
}

fn product(exact: &Exact) -> Json {
    let (digits, ends) = exact.digits();
    Json::Object(vec![
        member("numerator", text(exact.numerator())),
        member("denominator", text(exact.denominator())),
        member("digits", text(digits)),
        member("ends", Json::Bool(ends)),
    ])
}

/// A change: which one, when, who, what for.
pub(super) fn change(change: &Change) -> Json {
    Json::Object(vec![
        member("change", Json::Number(change.number.to_string())),
        member("at", text(change.at)),
        member("actor", text(&change.actor)),
        member("cause", text(&change.cause)),
    ])
}

fn imported(Imported { batch, line }: &Imported) -> Json {
    Json::Object(vec![
        member("uuid", text(batch.id)),
        member("name", text(&batch.name)),
        member("hash", optional(batch.hash)),
        member("actor", text(&batch.actor)),
        member("begun", text(batch.begun)),
        member("line", line.map_or(Json::Null, |line| Json::Number(line.to_string()))),
    ])
}
