//! `tonne verify --explain`: every stored figure computed anew from its explanation.

use anyhow::Result;
use ports::directory::Tenant;
use ports::inbound::{CheckedFigures, Error, Wrong, WrongFigure};
use ports::store::Finding;

use crate::App;

/// What became of a company's figures, and what is wrong with them.
pub(super) async fn check(app: &App, tenant: &Tenant) -> Result<(CheckedFigures, Vec<Finding>)> {
    let mut findings = Vec::new();
    let mut tell = |wrong: WrongFigure| findings.push(finding(&wrong));
    let checked = app.areas().explanations.check(&app.operator(tenant), &mut tell).await;
    match checked {
        Ok(checked) => Ok((checked, findings)),
        // A record that cannot be read at all is one of the findings.
        Err(Error::Failed(error)) => {
            findings
                .push(Finding { subject: "figures".to_owned(), detail: format!("cannot be computed anew: {error}") });
            Ok((CheckedFigures::default(), findings))
        }
        Err(error) => Err(error.into()),
    }
}

fn finding(wrong: &WrongFigure) -> Finding {
    let WrongFigure { kind, id, name, wrong } = wrong;
    let detail = match wrong {
        Wrong::Unexplained(unexplained) => unexplained.to_string(),
        Wrong::Differs { stored, recomputed, factor } => {
            let by = factor.map_or_else(|| "without a factor".to_owned(), |factor| format!("by factor {factor}"));
            format!("has {stored} kg stored; it comes to {recomputed} kg {by}")
        }
    };
    Finding { subject: format!("{kind} {id} (\"{name}\")"), detail }
}
