//! `tonne pact test`: what a partner's host does wrong.

use anyhow::Result;
use clap::Args;
use domain::footprint::Edition;
use files::Json;

use super::super::json::{array, count, object, text};
use super::super::terminal_table::{Align, Table};
use super::super::{Ending, Usage, output};
use super::partner::{PartnerArgs, edition};
use crate::usecase::pact::host_test::{Outcome, Tested, test_host};

/// Test whether a host keeps to PACT, by the cases of the official conformance suite that are calls.
///
/// Each case is told with what came and what the standard asks. The cases about plain http send made-up credentials; nothing
/// is written at the host. Exits with 0 if all mandatory cases are passed. Events are not sent, but for one that must be
/// refused: cases 12 to 15, 17, 21 and 40 need a host that calls back, and are for the suite itself.
#[derive(Debug, Args)]
pub(in crate::command) struct TestHost {
    #[command(flatten)]
    partner: PartnerArgs,
    /// The version of PACT: 2 (2.3) or 3 (3.0).
    #[arg(long, value_name = "VERSION", default_value = "3", value_parser = edition)]
    pact: Edition,
    /// One case alone, by its number.
    #[arg(long, value_name = "NUMBER")]
    case: Option<u8>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl TestHost {
    pub(super) async fn run(self) -> Result<Ending> {
        let Self { partner, pact, case, json } = self;
        let (client, address) = (partner.client()?, partner.address()?);
        let tested = test_host(&client, &address, pact, case).await;
        if let (Some(case), []) = (case, tested.results.as_slice()) {
            return Err(Usage(format!("there is no case {case} of PACT {pact} that is tested here")).into());
        }
        output::say(&if json { as_json(&tested).to_string() } else { table(&tested) })?;
        Ok(if tested.conforms() { Ending::Done } else { Ending::Failed })
    }
}

fn table(tested: &Tested) -> String {
    let columns = [("case", Align::Point), ("outcome", Align::Left), ("came", Align::Left), ("asked", Align::Left)];
    let mut table = Table::new(columns);
    for result in &tested.results {
        let optional = if result.case.is_mandatory { "" } else { " (optional)" };
        table.row([
            result.case.number.to_string(),
            result.outcome.word().to_owned(),
            result.came.clone(),
            format!("{}{optional}", result.case.asks),
        ]);
    }
    let counts = [Outcome::Passed, Outcome::Failed, Outcome::NotApplicable].map(|outcome| {
        let count = tested.count(outcome);
        format!("{count} {}", outcome.word())
    });
    let conforms =
        if tested.conforms() { "all mandatory cases are passed" } else { "not all mandatory cases are passed" };
    format!("{}\n\nPACT {}: {}; {conforms}", table.render(), tested.edition, counts.join(", "))
}

fn as_json(tested: &Tested) -> Json {
    let number = |count_of: usize| count(u64::try_from(count_of).unwrap_or(u64::MAX));
    let case = |result: &crate::usecase::pact::host_test::CaseResult| {
        object([
            ("case", count(result.case.number.into())),
            ("mandatory", Json::Bool(result.case.is_mandatory)),
            ("outcome", text(result.outcome.word())),
            ("came", text(&result.came)),
            ("asked", text(result.case.asks)),
        ])
    };
    object([
        ("pact", text(tested.edition)),
        ("conforms", Json::Bool(tested.conforms())),
        ("passed", number(tested.count(Outcome::Passed))),
        ("failed", number(tested.count(Outcome::Failed))),
        ("notApplicable", number(tested.count(Outcome::NotApplicable))),
        ("cases", array(tested.results.iter().map(case))),
    ])
}
