//! A field of a form, with its faults beside it.

use domain::Faults;
use maud::{Markup, html};

/// A field of a form.
///
/// ```
/// # use domain::Faults;
/// # use tonne_web::component::{Field, Input, field};
/// let faults = Faults::one("/quantity", "must be a number");
/// let quantity = Field { name: "quantity", label: "Quantity", hint: Some("with a point: 120.5"), input: Input::Number, value: "1,5", required: false };
/// assert!(field(&quantity, &faults).into_string().contains("must be a number"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The name it is sent by; its faults are those at `/name` and below.
    pub name: &'a str,
    /// What it is called.
    pub label: &'a str,
    /// What may be written in it.
    pub hint: Option<&'a str>,
    /// How it is given.
    pub input: Input<'a>,
    /// What is in it.
    pub value: &'a str,
    /// Whether it must be filled.
    pub required: bool,
}

/// How a field is given.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A line of text.
    Text,
    /// An amount: a text, since a browser's own number would pass through a float or another comma.
    Number,
    /// Several lines.
    Lines,
    /// One of some values, each with its name; nothing may be chosen.
    Choice(&'a [(String, String)]),
}

/// The field, and what is wrong with it.
#[must_use]
pub fn field(field: &Field<'_>, faults: &Faults) -> Markup {
    let Field { name, label, hint, input, value, required } = *field;
    let pointer = format!("/{name}");
    let below = format!("{pointer}/");
    let mine =
        || faults.as_slice().iter().filter(|fault| fault.pointer == pointer || fault.pointer.starts_with(&below));
    let wrong = mine().next().is_some();
    let fault_id = format!("{name}-fault");
    let described = wrong.then_some(fault_id.as_str());
    let invalid = wrong.then_some("true");
    html! {
        label.field {
            span { (label) @if required { " *" } }
            @match input {
                Input::Text => input name=(name) value=(value) required[required] aria-invalid=[invalid] aria-describedby=[described];,
                Input::Number => input name=(name) value=(value) inputmode="decimal" autocomplete="off" required[required]
                    aria-invalid=[invalid] aria-describedby=[described];,
                Input::Lines => textarea name=(name) rows="2" aria-invalid=[invalid] aria-describedby=[described] { (value) },
                Input::Choice(values) => select name=(name) aria-invalid=[invalid] aria-describedby=[described] {
                    option value="" { "-" }
                    @if !value.is_empty() && !values.iter().any(|(known, _)| known == value) { option value=(value) selected { (value) } }
                    @for (known, shown) in values { option value=(known) selected[known == value] { (shown) } }
                },
            }
            @if let Some(hint) = hint { span.hint { (hint) } }
            @if wrong { span.fault id=(fault_id) { @for fault in mine() { "! " (label) " " (fault.detail) ". " } } }
        }
    }
}
