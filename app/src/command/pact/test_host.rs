//! `tonne pact test`: what a partner's host does wrong.

use std::time::{Duration, Instant};

use anyhow::Result;
use async_trait::async_trait;
use clap::Args;
use domain::PartnerId;
use domain::footprint::Edition;
use files::Json;
use ports::Caller;
use ports::id_source::Ids as _;
use ports::inbound::PartnerAnswer;

use super::super::context::{Context, IfAbsent};
use super::super::json::{array, count, object, text};
use super::super::terminal_table::{Align, Table};
use super::super::{Ending, Usage, output};
use super::partner::{Named, Partner, PartnerArgs, edition};
use crate::App;
use crate::id_source::SystemIds;
use crate::usecase::pact::host_test::{Answers, EventSource, Outcome, Tested, test_host, test_host_and_answers};

/// How often an answer is looked for.
const LOOKED: Duration = Duration::from_millis(200);

/// Test whether a host keeps to PACT, by the cases of the official conformance suite that are calls.
///
/// Each case is told with what came and what the standard asks. The cases about plain http send made-up credentials. Exits with 0
/// if all mandatory cases are passed. Requests and other events that the host is to take (cases 12, 14 and 15) are sent where our
/// own address is known to it: that of `server.public_url`, where a partner is named, or `--our-url`. The host answers the
/// requests there; with `--answers` our service, which must be running there, takes these answers, and they are judged (case
/// 13 and the second part of 14). The requests stay in `tonne pact requests`, and footprints of the answers become factors
/// at the next `tonne pact pull --announced`.
#[derive(Debug, Args)]
pub(in crate::command) struct TestHost {
    #[command(flatten)]
    partner: PartnerArgs,
    /// The version of PACT: 2 (2.3) or 3 (3.0).
    #[arg(long, value_name = "VERSION", default_value = "3", value_parser = edition)]
    pact: Edition,
    /// Our own base address, as the host knows it: that of which events are said to come.
    #[arg(long, value_name = "URL")]
    our_url: Option<String>,
    /// Wait so many seconds for the host's answer to each request; for a partner that is named.
    #[arg(long, value_name = "SECONDS", requires = "partner", value_parser = clap::value_parser!(u64).range(1..=3_600))]
    answers: Option<u64>,
    /// One case alone, by its number.
    #[arg(long, value_name = "NUMBER")]
    case: Option<u8>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl TestHost {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { partner, pact, our_url, answers, case, json } = self;
        let ids = SystemIds::new();
        let source = |base_url: String| EventSource { base_url, run: ids.random().to_string() };
        let (client, named) = (partner.client()?, partner.named()?);
        let tested = match named {
            Named::Flags(address) => test_host(&client, &address, pact, case, our_url.map(source)).await,
            Named::Partner(word) => {
                let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
                let partner = Partner::find(&app, &operator, &word).await?;
                let own = match our_url {
                    Some(url) => Some(url),
                    None => app.public_base_url(&operator).await?,
                };
                let own = own.map(source);
                if answers.is_some() && own.is_none() {
                    let words = "--answers needs our own address, which the host answers to: set server.public_url or --our-url";
                    return Err(Usage(words.to_owned()).into());
                }
                let answers = answers.map(|seconds| OwnService {
                    app: &app,
                    operator: &operator,
                    partner: partner.id,
                    patience: Duration::from_secs(seconds),
                });
                let answers = answers.as_ref().map(|answers| answers as &dyn Answers);
                let tested = test_host_and_answers(&client, &partner.address, pact, case, own, answers).await;
                if tested.count(Outcome::Passed) > 0 {
                    partner.answered().await?;
                }
                app.close().await;
                tested
            }
        };
        if let (Some(case), []) = (case, tested.results.as_slice()) {
            return Err(Usage(format!("there is no case {case} of PACT {pact} that is tested here")).into());
        }
        output::say(&if json { as_json(&tested).to_string() } else { table(&tested) })?;
        Ok(if tested.conforms() { Ending::Done } else { Ending::Failed })
    }
}

/// Our running service, which takes the host's answers into the store that this command reads.
struct OwnService<'a> {
    app: &'a App,
    operator: &'a Caller,
    partner: PartnerId,
    patience: Duration,
}

#[async_trait]
impl Answers for OwnService<'_> {
    async fn expect(&self, edition: Edition, event: &str, products: &[String]) -> Result<(), String> {
        let exchange = &self.app.areas().exchange;
        let expected = exchange.expect(self.operator, self.partner, edition, event, products.to_vec()).await;
        expected.map_err(|error| error.to_string())
    }

    async fn wait(&self, event: &str) -> Result<PartnerAnswer, String> {
        let end = Instant::now() + self.patience;
        let mut often = tokio::time::interval(LOOKED);
        loop {
            let answer = self.app.areas().exchange.answer(self.operator, self.partner, event).await;
            if let Some(answer) = answer.map_err(|error| error.to_string())? {
                return Ok(answer);
            }
            if Instant::now() >= end {
                return Err(format!(
                    "no answer that could be taken came to our service within {} s",
                    self.patience.as_secs()
                ));
            }
            often.tick().await;
        }
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
