//! How a figure comes about, step by step: from what was given, by which factor, from which row of which publication, and
//! that computing it again from these steps gives the same digits.

use domain::{CitedFactor, EmittedGas, Explanation, FactorOrigin, Multiplication, Part, Ratio, Term, Total};
use maud::{Markup, html};
use ports::Change;
use ports::inbound::{ExplanationView, Imported};

use crate::figure::{Digits, Figures};
use crate::here::Here;

/// The steps of a figure. `factor_link` is where a product's factor is shown, where there is such a page.
#[must_use]
pub fn explain(here: &Here, view: &ExplanationView) -> Markup {
    let explanation = &view.explanation;
    let co2e = explanation.stored.co2e.map(Total::from);
    let figures = Figures::of(here.numbers(), Digits::Fixed, co2e);
    html! {
        div.steps {
            div {
                span.step { "Result" }
                div.sum {
                    @match co2e {
                        Some(co2e) => {
                            b { (figures.with_unit(co2e)) } " " span.small.muted { (figures.exact(co2e)) }
                        }
                        None => { b { "-" } " not computed: " (reason(view)) },
                    }
                }
            }
            (given(here, view))
            @if let Some(cited) = &explanation.factor { (factor(here, view, cited)) }
            @for (part, term) in &explanation.terms { (self::term(here, *part, term, explanation)) }
            (gases(here, explanation))
            @if let Some(market) = &explanation.market {
                div { span.step { "Market-based" } div {
                    "rests on " (market.market.basis) ", " (market.source) "; never added to the CO₂e"
                    @for term in &market.terms { div { (arithmetic(here, term)) } }
                } }
            }
            (checked(here, explanation))
            (written(here, &view.written))
        }
    }
}

fn reason(view: &ExplanationView) -> String {
    match (&view.no_choice, view.explanation.reason) {
        (Some(no_choice), _) => no_choice.to_string(),
        (None, Some(reason)) => reason.to_string(),
        (None, None) => "nothing is known of it".to_owned(),
    }
}

fn given(here: &Here, view: &ExplanationView) -> Markup {
    let explanation = &view.explanation;
    html! {
        div { span.step { "Given" } div {
            @match explanation.measured {
                Some(measured) => { b.num { (here.numbers().plain(&measured.quantity.to_string())) " " (measured.unit) } },
                None => { b { "no quantity" } },
            }
            @if let Some(product) = &view.product { " of " b { (product.name) } }
            div.small.muted {
                "day " (explanation.day)
                @if let Some(sync_id) = &view.sync_id { " · syncId " code { (sync_id) } }
                @if let Some(Imported { batch, line }) = &view.import {
                    " · import “" (batch.name) "”" @if let Some(line) = line { ", line " (line) } " by " (batch.actor)
                }
            }
            @if let Some(quality) = explanation.stated.quality { div.small { "quality: " (quality) } }
            @for piece in explanation.stated.evidence.as_slice() { div.small { "evidence: " (piece) } }
        } }
    }
}

fn factor(here: &Here, view: &ExplanationView, cited: &CitedFactor) -> Markup {
    let data = cited.factor.data();
    let parts = [("upstream", data.upstream), ("downstream", data.downstream)];
    html! {
        div { span.step { "Factor" } div {
            @for (index, (name, intensity)) in parts.iter().filter_map(|(name, one)| Some((name, (*one)?))).enumerate() {
                @if index > 0 { " and " }
                b.num { "× " (here.numbers().plain(&intensity.to_string())) " kg/" (data.unit) } " " span.muted { (name) }
            }
            div { "“" (data.source) "”"
                @if let Some(gwp) = data.gwp { ", " (gwp) }
                ", valid from " (data.valid_from) @if let Some(end) = data.valid_to { " and before " (end) }
            }
            @if let Some(origin) = &data.origin { (published(origin)) }
            @if let Some(supplier) = data.supplier.as_ref().and_then(|one| one.primary_data_share()) {
                div.small.muted { "primary data " (supplier) " %" }
            }
        } }
        div { span.step { "Why this factor" } div {
            @match &data.choice {
                Some(choice) => {
                    (choice)
                    @if !choice.considered.is_empty() {
                        details.small { summary { "considered " (choice.considered.len() + usize::try_from(choice.others).unwrap_or(0)) }
                            ul { @for one in &choice.considered { li { (one) } } } }
                    }
                },
                None if cited.factor.valid_on(view.explanation.day) => "the one of the product that is valid on the day",
                None => span.tag.warn { "another factor is valid on the day by now; this figure is of the earlier one until it is recalculated" },
            }
            @if let Some(successor) = cited.corrected_by {
                div { span.tag.warn { "corrected since, by factor " code { (successor) } "; this figure is of the earlier one until it is recalculated" } }
            }
        } }
    }
}

/// Where a factor was published, down to the row of the file.
#[must_use]
pub fn published(origin: &FactorOrigin) -> Markup {
    let FactorOrigin { set, factor, .. } = origin;
    let rows: Vec<_> = factor.rows.iter().map(|row| row.row.to_string()).collect();
    html! {
        details.source open {
            summary { (set.publisher) ", " (set.edition) ", cell " code { (factor.cell) } @if !rows.is_empty() { ", row " (rows.join(", ")) } }
            div.small.muted { (set.title) " · " (set.licence) " · file " code { (set.file) } " · SHA-256 " code { (set.id) } }
            @for row in &factor.rows {
                div.scroll { table.compact { caption { "Row " (row.row) " as it was published" }
                    tbody { @for (header, value) in &row.cells { tr { th.muted scope="row" { (header) } td { (value) } } } }
                } }
            }
        }
    }
}

fn term(here: &Here, part: Part, term: &Term, explanation: &Explanation) -> Markup {
    let title = match part {
        Part::Upstream => "Upstream",
        Part::Downstream => "Downstream",
        Part::Both => "Both parts",
    };
    let numbers = here.numbers();
    html! {
        @match term {
            // Of a record without any figure nothing was to be multiplied.
            Term::Absent if explanation.stored.co2e.is_none() => {},
            Term::Absent => div { span.step { (title) } div.muted { "none: neither given nor in the factor" } },
            Term::Supplied(co2e) => div { span.step { (title) } div {
                b.num { (numbers.plain(&co2e.to_string())) " kg" } ", given with the record in place of a computed one"
            } },
            Term::Computed(multiplication) => div { span.step { (title) } div { (arithmetic(here, multiplication)) } },
        }
    }
}

/// A multiplication: the conversion, the product, and its one rounding.
fn arithmetic(here: &Here, multiplication: &Multiplication) -> Markup {
    let Multiplication { quantity, unit, conversion, factor_unit, intensity, co2e, .. } = multiplication;
    let plain = |text: String| here.numbers().plain(&text);
    let (digits, ends) = multiplication.product().digits();
    let is_unrounded = ends && digits == co2e.to_string();
    html! {
        span.num {
            (plain(quantity.to_string())) " " (unit)
            @if *conversion != Ratio::ONE {
                " × " (conversion.numerator()) @if conversion.denominator() != 1 { "/" (conversion.denominator()) }
                " " (factor_unit) "/" (unit)
            }
            " × " (plain(intensity.to_string())) " kg/" (factor_unit) " = " b { (plain(co2e.to_string())) " kg" }
        }
        div.small.muted {
            @if is_unrounded { "exact; one rounding (half even, 18th digit): no change" }
            @else { "before its one rounding (half even, 18th digit): " span.num { (digits) @if !ends { "…" } } }
        }
    }
}

fn gases(here: &Here, explanation: &Explanation) -> Markup {
    let plain = |text: String| here.numbers().plain(&text);
    html! {
        @if !explanation.gases.is_empty() || explanation.stated.biogenic.is_some() {
            div { span.step { "Gases" } div.small {
                @for (factor, emitted) in &explanation.gases {
                    @let EmittedGas { gas, co2e, mass, .. } = emitted;
                    div { b { (gas.name()) } " " span.num { (plain(mass.to_string())) " kg, " (plain(co2e.to_string())) " kg CO₂e at " (plain(factor.intensity.to_string())) " per unit" }
                        @if !gas.is_in_scopes() { span.muted { ", beside the CO₂e, in no total" } } }
                }
                @if let Some(biogenic) = explanation.stated.biogenic { div { (plain(biogenic.to_string())) " kg biogenic CO₂, given with the record" } }
            } }
        }
    }
}

fn checked(here: &Here, explanation: &Explanation) -> Markup {
    html! {
        div { span.step { "Checked" } div {
            @if explanation.holds() { span.tag.ok { "✓ replayed: the same digits" } }
            @else if let Some(figures) = explanation.replay() {
                span.tag.bad { "! replayed it is " (figures.co2e.map_or_else(|| "nothing".to_owned(), |co2e| here.numbers().plain(&co2e.to_string()))) " kg" }
            } @else { span.tag.bad { "! cannot be replayed" } }
        } }
    }
}

fn written(here: &Here, change: &Change) -> Markup {
    html! {
        div { span.step { "Written" } div {
            "change " (here.numbers().count(change.number)) ", " time datetime=(change.at) { (change.at) } ", by " (change.actor)
            span.muted { " · " (change.cause) }
        } }
    }
}
