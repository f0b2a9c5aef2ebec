//! Cases 13 and 14, second part: what the host answers to requests, by events to our own address.

use async_trait::async_trait;
use domain::footprint::Edition;
use ports::inbound::PartnerAnswer;

use super::HostTest;
use super::case::Ruling;
use crate::usecase::pact::told;

/// Where the answers to a test's requests come to.
#[async_trait]
pub trait Answers: Send + Sync {
    /// Has the answer to the request whose event has that id be taken.
    async fn expect(&self, edition: Edition, event: &str, products: &[String]) -> Result<(), String>;

    /// The answer, once it came; why there is none, where it is waited for no longer.
    async fn wait(&self, event: &str) -> Result<PartnerAnswer, String>;
}

impl HostTest<'_> {
    /// Has the answer be taken, where answers are waited for.
    pub(super) async fn expects(&self, case: &str, products: &[String]) -> Result<(), String> {
        match self.answers {
            Some(answers) => answers.expect(self.edition, &self.event_id(case), products).await,
            None => Ok(()),
        }
    }

    /// Asks once more for the first footprint's products: the answer has footprints in the whole form of the version, each of
    /// a product that was asked for.
    pub(super) async fn fulfils_the_request(&self) -> Ruling {
        let Some(answers) = self.answers else { return Ruling::not_applicable("no answers are waited for") };
        let products = match self.first() {
            Ok(first) => first.received.fields.texts("productIds").to_vec(),
            Err(ruling) => return ruling,
        };
        let answered = async {
            self.request("13", &products).await?;
            match answers.wait(&self.event_id("13")).await? {
                PartnerAnswer::Rejected { code, message } => Err(format!("it was rejected, {code}: {message}")),
                PartnerAnswer::Fulfilled(footprints) => self.judge_answer(&footprints, &products),
            }
        };
        Ruling::of(answered.await)
    }

    fn judge_answer(&self, footprints: &[String], products: &[String]) -> Result<String, String> {
        let mut wrong = Vec::new();
        for (at, json) in footprints.iter().enumerate() {
            match self.record(json) {
                Ok(record) => {
                    let own = record.received.fields.texts("productIds");
                    if !own.iter().any(|one| products.iter().any(|asked| asked.eq_ignore_ascii_case(one))) {
                        wrong.push(format!("/data/pfs/{at} is of no product that was asked for"));
                    }
                    wrong.extend(record.wrong.into_iter().map(|one| format!("/data/pfs/{at}{one}")));
                }
                Err(why) => wrong.push(format!("/data/pfs/{at}: {why}")),
            }
        }
        match (footprints.len(), wrong.is_empty()) {
            (0, _) => Err("it was fulfilled with no footprint".to_owned()),
            (count, true) => Ok(format!("fulfilled with {count}")),
            (_, false) => Err(told(wrong.into_iter())),
        }
    }

    /// What came to a request for a product that there is not: nothing that is waited for, or a rejection.
    pub(super) async fn rejects(&self, case: &str) -> Result<String, String> {
        let Some(answers) = self.answers else { return Ok("200".to_owned()) };
        match answers.wait(&self.event_id(case)).await? {
            PartnerAnswer::Rejected { code, .. } => Ok(format!("200, then rejected with {code:.40}")),
            PartnerAnswer::Fulfilled(footprints) => {
                Err(format!("200, then fulfilled with {} where there can be none", footprints.len()))
            }
        }
    }
}
