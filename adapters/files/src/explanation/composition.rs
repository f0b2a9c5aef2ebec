//! The explanation of a switch or a model: which inputs are in its figures, and how they are brought to one unit.

use domain::{Composed, Composition, CompositionSource as Source, Figure, SourceInput};
use ports::inbound::CompositionView;

use super::json::change;
use super::members::{member, optional, text};
use super::text::Lines;
use crate::json::Json;

/// How figures of a composition are rounded, in words.
const ROUNDING: &str = "each figure once, half to even, at the 18th digit after the point; shares each by itself";

/// The composition as one object.
#[must_use]
pub fn composition_json(view: &CompositionView) -> Json {
    let CompositionView { composition, written } = view;
    let (kind, id) = record(composition.of);
    let figures = composition.figures.iter().map(|(figure, shown)| {
        let recomputed = composition.replay(*figure);
        Json::Object(vec![
            member("figure", text(figure.name())),
            member("CO2e", optional(*shown)),
            member("recomputed", optional(recomputed)),
            member("agrees", Json::Bool(recomputed == *shown)),
        ])
    });
    let issues = composition
        .issues
        .iter()
        .map(|issue| Json::Object(vec![member("code", text(issue.code())), member("detail", text(issue))]));
    Json::Object(vec![
        member("kind", text(kind)),
        member("uuid", text(id)),
        member("name", text(&composition.name)),
        member("unit", optional(composition.unit)),
        member("figures", Json::Array(figures.collect())),
        member("sources", Json::Array(composition.sources.iter().map(source).collect())),
        member("issues", Json::Array(issues.collect())),
        member("rounding", text(ROUNDING)),
        member("written", change(written)),
    ])
}

fn record(of: Composed) -> (&'static str, String) {
    match of {
        Composed::Switch(id) => ("switch", id.to_string()),
        Composed::Model(id) => ("model", id.to_string()),
    }
}

fn source(source: &Source) -> Json {
    let conversion = source.conversion.map_or(Json::Null, |ratio| {
        Json::Object(vec![
            member("numerator", text(ratio.numerator())),
            member("denominator", text(ratio.denominator())),
            member("text", text(ratio)),
        ])
    });
    let named = vec![member("uuid", text(source.model)), member("name", text(&source.name))];
    Json::Object(vec![
        member("model", Json::Object(named)),
        member("amount", text(source.amount)),
        member("unit", text(source.unit)),
        member("conversion", conversion),
        member("inputs", Json::Array(source.inputs.iter().map(|one| input(source, one)).collect())),
    ])
}

fn input(source: &Source, input: &SourceInput) -> Json {
    let figures = [Figure::ProductCarbonFootprint, Figure::A1A3, Figure::D];
    let counted = figures.into_iter().filter(|figure| figure.counts(input.stage));
    Json::Object(vec![
        member("uuid", text(input.id)),
        member("name", text(&input.name)),
        member("stage", optional(input.stage.map(domain::Stage::code))),
        member("CO2e", optional(input.co2e)),
        member("share", optional(source.share(input))),
        member("in", Json::Array(counted.map(|figure| text(figure.name())).collect())),
    ])
}

/// The composition, a line for each step.
#[must_use]
pub fn composition_text(view: &CompositionView) -> String {
    let CompositionView { composition, written } = view;
    let mut out = Lines::default();
    let (kind, id) = record(composition.of);
    let per = composition.unit.map_or_else(String::new, |unit| format!(", per 1 {unit}"));
    let title = if kind == "switch" { "Switch" } else { "Model" };
    out.head(&format!("{title} \"{}\" ({id}){per}", composition.name));
    for (figure, shown) in &composition.figures {
        let shown = shown.map_or_else(|| "none".to_owned(), |total| format!("{total} kg"));
        out.wide(figure.name(), shown);
    }
    for issue in &composition.issues {
        out.wide("missing", issue);
    }
    for source in &composition.sources {
        out.head(&format!(
            "Inputs of model \"{}\" ({}), which make {} {}",
            source.name, source.model, source.amount, source.unit
        ));
        for input in &source.inputs {
            let stage = input.stage.map_or("no stage", domain::Stage::code);
            let co2e = input.co2e.map_or_else(|| "none".to_owned(), |co2e| format!("{co2e} kg"));
            out.wide(stage, format!("{co2e} \"{}\" ({})", input.name, input.id));
        }
    }
    for (figure, shown) in &composition.figures {
        if let Some(shown) = shown {
            self::figure(&mut out, composition, *figure, &shown.to_string());
        }
    }
    out.head("Written");
    out.line("change", format!("{} at {}", written.number, written.at));
    out.line("by", &written.actor);
    out.line("for", &written.cause);
    out.0
}

fn figure(out: &mut Lines, composition: &Composition, figure: Figure, shown: &str) {
    out.head(figure.name());
    for source in &composition.sources {
        let counted = source.inputs.iter().filter(|input| figure.counts(input.stage));
        let known: Vec<String> = counted.filter_map(|input| input.co2e).map(|co2e| co2e.to_string()).collect();
        let (Some(sum), Some(ratio)) = (source.sum(figure), source.conversion) else { continue };
        let added = if known.len() > 1 { format!("{} = {sum}", known.join(" + ")) } else { sum.to_string() };
        out.wide("model", format!("\"{}\": {added} kg for {} {}", source.name, source.amount, source.unit));
        if composition.unit.is_some_and(|unit| unit != source.unit) {
            let unit = composition.unit.map(|unit| unit.to_string()).unwrap_or_default();
            out.wide("conversion", format!("1 {unit} = {ratio} {}", source.unit));
            out.wide("share", format!("{sum} x {} / ({} x {})", ratio.numerator(), ratio.denominator(), source.amount));
        } else {
            out.wide("share", format!("{sum} / {}", source.amount));
        }
    }
    let replayed = composition.replay(figure).map_or_else(|| "none".to_owned(), |total| total.to_string());
    out.wide("rounded", format!("{replayed} kg, the shares added, half to even at the 18th digit after the point"));
    if replayed == shown {
        out.wide("shown", "the same, digit for digit");
    } else {
        out.wide("shown", format!("{shown} kg: NOT what it comes to"));
    }
}
