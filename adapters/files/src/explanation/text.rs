//! An explanation as text: the arithmetic line by line, so that a person can check it with a calculator.

use std::fmt::Display;

use domain::{
    CitedFactor, EmittedGas, Explained, ExplainedMarket, Explanation, MarketOrigin, Multiplication, Part, Ratio, Term,
};
use ports::Change;
use ports::inbound::{ExplanationView, Imported};

use super::source;

/// The explanation, a line for each step.
#[must_use]
pub fn explanation_text(view: &ExplanationView) -> String {
    let ExplanationView { explanation, name, sync_id, product, written, import, no_choice } = view;
    let mut out = Lines::default();
    let (kind, id) = match explanation.of {
        Explained::Activity(id) => ("Activity", id.uuid()),
        Explained::Input(id) => ("Input", id.uuid()),
    };
    out.head(&format!("{kind} \"{name}\" ({id})"));
    match explanation.stored.co2e {
        Some(co2e) => out.line("CO2e", format!("{co2e} kg")),
        None => out.line("CO2e", "none"),
    }
    if let Some(reason) = explanation.reason {
        match no_choice {
            Some(no_choice) => out.line("because", no_choice),
            None => out.line("because", reason),
        }
    }
    out.head("Given");
    if let Some(sync_id) = sync_id {
        out.line("syncId", sync_id);
    }
    match explanation.measured {
        Some(measured) => out.line("quantity", format!("{} {}", measured.quantity, measured.unit)),
        None => out.line("quantity", "none"),
    }
    let product = product.as_ref().map(|product| format!("\"{}\" ({})", product.name, product.id));
    out.line("product", product.unwrap_or_else(|| "none".to_owned()));
    let day = if matches!(explanation.of, Explained::Input(_)) { "model's day" } else { "first day" };
    out.line(day, explanation.day);
    if let Some(cited) = &explanation.factor {
        factor(&mut out, cited, explanation);
    }
    for (part, term) in &explanation.terms {
        self::term(&mut out, *part, term, explanation);
    }
    sum(&mut out, explanation);
    measures(&mut out, explanation);
    quality(&mut out, explanation);
    if let Some(of) = &explanation.market {
        market(&mut out, of);
    }
    written_by(&mut out, written, import.as_ref());
    out.0
}

fn factor(out: &mut Lines, cited: &CitedFactor, explanation: &Explanation) {
    let CitedFactor { factor, corrected_by } = cited;
    let data = factor.data();
    out.head(&format!("Factor {}", factor.id()));
    for (part, intensity) in [("upstream", data.upstream), ("downstream", data.downstream)] {
        if let Some(intensity) = intensity {
            out.line(part, format!("{intensity} kg CO2e per {}", data.unit));
        }
    }
    let end = data.valid_to.map_or_else(|| "open".to_owned(), |end| format!("up to and without {end}"));
    out.line("valid", format!("from {}, {end}", data.valid_from));
    if !factor.valid_on(explanation.day) {
        out.line("", "a factor that came after this computation holds on that day now");
    }
    for (name, value) in source::lines(factor) {
        out.line(name, value);
    }
    if let Some(wrong) = factor.corrects() {
        out.line("corrects", format!("factor {wrong}"));
    }
    if let Some(successor) = corrected_by {
        out.line("corrected", format!("by factor {successor}; this figure is of the earlier one until recalculated"));
    }
}

fn term(out: &mut Lines, part: Part, term: &Term, explanation: &Explanation) {
    out.head(match part {
        Part::Upstream => "Upstream part",
        Part::Downstream => "Downstream part",
        Part::Both => "Both parts in one multiplication",
    });
    match term {
        Term::Supplied(co2e) => {
            out.line("supplied", format!("{co2e} kg, given with the record, in place of a computed one"));
        }
        Term::Absent => out.line(
            "none",
            if explanation.factor.is_some() {
                "the factor has no such part, and none was given"
            } else {
                "none was given, and nothing was computed"
            },
        ),
        Term::Computed(multiplication) => {
            if part == Part::Both
                && let Some(cited) = &explanation.factor
            {
                let data = cited.factor.data();
                let [upstream, downstream] =
                    [data.upstream, data.downstream].map(|one| one.unwrap_or_default().to_string());
                out.line("intensity", format!("{upstream} + {downstream} = {}", multiplication.intensity));
            }
            computed(out, multiplication);
        }
    }
}

fn computed(out: &mut Lines, multiplication: &Multiplication) {
    let Multiplication { quantity, unit, conversion, factor_unit, intensity, co2e, .. } = multiplication;
    if unit != factor_unit {
        out.line("conversion", format!("1 {unit} = {} {factor_unit}", ratio(*conversion)));
    }
    let product = multiplication.product();
    let above = if *conversion == Ratio::ONE {
        format!("{quantity} x {intensity}")
    } else {
        let times = match conversion.numerator() {
            1 => String::new(),
            numerator => format!(" x {numerator}"),
        };
        match conversion.denominator() {
            1 => format!("{quantity}{times} x {intensity}"),
            denominator => format!("{quantity}{times} x {intensity} / {denominator}"),
        }
    };
    out.line("computed", &above);
    if product.denominator() != 1 {
        out.line("", format!("= {} / {}", product.numerator(), product.denominator()));
    }
    let (_, ends) = product.digits();
    out.line("", format!("= {product} kg{}", if ends { ", exactly" } else { "" }));
    if !ends || product.digits().0 != co2e.to_string() {
        out.line("rounded", format!("{co2e} kg, half to even at the 18th digit after the point"));
    }
}

/// The ratio as a decimal where it has one, and as a fraction where it has no whole number.
fn ratio(ratio: Ratio) -> String {
    let (text, fraction) = (ratio.to_string(), format!("{}/{}", ratio.numerator(), ratio.denominator()));
    if ratio.denominator() == 1 || text == fraction { text } else { format!("{text} (that is {fraction})") }
}

fn sum(out: &mut Lines, explanation: &Explanation) {
    let Some(figures) = explanation.replay() else {
        out.head("Sum");
        out.line("", "beyond 20 digits before the point");
        return;
    };
    let known: Vec<String> = figures.parts.iter().flatten().map(ToString::to_string).collect();
    out.head("Sum");
    match figures.co2e {
        Some(co2e) if known.len() > 1 => out.line("added", format!("{} = {co2e} kg", known.join(" + "))),
        Some(co2e) => out.line("alone", format!("{co2e} kg")),
        None => out.line("", "nothing to add"),
    }
    if explanation.holds() {
        out.line("stored", "the same, digit for digit");
    } else {
        out.line("stored", format!("{}: NOT what it comes to, {figures}", explanation.stored));
    }
}

/// How the market-based figure comes about.
fn market(out: &mut Lines, of: &ExplainedMarket) {
    let ExplainedMarket { market, source, terms } = of;
    out.head("Market-based, never added to the CO2e");
    let named = if market.origin == MarketOrigin::Named { "named by the record" } else { "of the product" };
    out.line("rests on", format!("{}, {named}", market.basis));
    if let Some(reference) = &market.reference {
        out.line("reference", reference);
    }
    out.line("factor", market.factor);
    out.line("source", source);
    for term in terms {
        computed(out, term);
    }
}

/// How well the figure is known, and what shows it.
fn quality(out: &mut Lines, explanation: &Explanation) {
    let stated = &explanation.stated;
    if stated.quality.is_none() && stated.evidence.is_empty() {
        return;
    }
    out.head("Known by");
    if let Some(quality) = stated.quality {
        out.line("quality", quality);
    }
    for piece in stated.evidence.as_slice() {
        out.line("evidence", piece);
    }
}

/// The gases that the factor knows, and biogenic CO2.
fn measures(out: &mut Lines, explanation: &Explanation) {
    if explanation.gases.is_empty() && explanation.stated.biogenic.is_none() {
        return;
    }
    out.head("Beside it");
    for (factor, emitted) in &explanation.gases {
        let EmittedGas { gas, co2e, mass, .. } = emitted;
        let part = if gas.is_in_scopes() { "of the CO2e" } else { "beside the CO2e, in no total" };
        out.line(gas.name(), format!("{mass} kg, {co2e} kg CO2e at {} per unit: {part}", factor.intensity));
    }
    if let Some(biogenic) = explanation.stated.biogenic {
        out.line("supplied", format!("{biogenic} kg biogenic CO2, given with the record"));
    }
}

fn written_by(out: &mut Lines, written: &Change, import: Option<&Imported>) {
    out.head("Written");
    out.line("change", format!("{} at {}", written.number, written.at));
    out.line("by", &written.actor);
    out.line("for", &written.cause);
    if let Some(Imported { batch: import, line }) = import {
        out.head(&format!("Import {}", import.id));
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        out.line("file", format!("\"{}\"{line}", import.name));
        out.line("SHA-256", import.hash.map_or_else(|| "not known".to_owned(), |hash| hash.to_string()));
        out.line("by", format!("{} at {}", import.actor, import.begun));
    }
}

/// Lines of a text.
#[derive(Default)]
pub(super) struct Lines(pub(super) String);

impl Lines {
    /// A line that others belong to.
    pub(super) fn head(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// A line below it: what it is about, and what it says.
    pub(super) fn line(&mut self, about: &str, says: impl Display) {
        self.aligned(about, 11, says);
    }

    /// The same beside longer words.
    pub(super) fn wide(&mut self, about: &str, says: impl Display) {
        self.aligned(about, 22, says);
    }

    fn aligned(&mut self, about: &str, width: usize, says: impl Display) {
        let line = format!("  {about:<width$} {says}");
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }
}
