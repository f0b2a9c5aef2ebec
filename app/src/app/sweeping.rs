//! Forgetting what has run out, in the directory and in the records of every company.

use std::future::Future;

use domain::Timestamp;
use metrics::counter;
use ports::directory::{ClockBehind, Swept, Tenant};
use ports::metric;
use ports::repo::{RENEWED_AT_ONCE, SWEPT_AT_ONCE};
use ports::store::StoreError;

use super::App;
use super::operator::{installation, maintenance};
use crate::usecase::exchange::sweep::sweep;

/// How a look for what has run out ended, as the metrics tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All that certainly ran out is removed.
    Done,
    /// The clock is behind an earlier one: nothing was removed.
    Behind,
    /// Some of it could not be removed.
    Failed,
}

impl Outcome {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Behind => "behind",
            Self::Failed => "failed",
        }
    }
}

impl App {
    /// Forgets what has run out, and says in the log and the metrics how that ended.
    pub(super) async fn sweep(&self) {
        let outcome = self.try_sweep().await;
        counter!(metric::SWEEPS.name, "outcome" => outcome.as_str()).increment(1);
    }

    async fn try_sweep(&self) -> Outcome {
        let Swept { removed, behind, past } = match self.access.sweep().await {
            Ok(swept) => swept,
            Err(error) => {
                tracing::warn!(%error, "what has run out was not forgotten; it is tried again in an hour");
                return Outcome::Failed;
            }
        };
        counter!(metric::EXPIRED_REMOVED.name, "kind" => "credential").increment(removed);
        let mut outcome = behind.map_or(Outcome::Done, log_behind);
        if let Some(past) = past {
            let (answers, exchange) = (self.sweep_answers(past).await, self.sweep_exchange(past).await);
            if !answers || !exchange {
                outcome = Outcome::Failed;
            }
        }
        if !self.sweep_staged().await {
            outcome = Outcome::Failed;
        }
        self.renew_verdicts().await;
        outcome
    }

    /// Makes the verdicts on footprints anew that were made by the rules of another release, some at a time: lists do without
    /// until then.
    async fn renew_verdicts(&self) {
        let Ok(tenants) = self.directory.list_tenants(&installation()).await else { return };
        for tenant in &tenants {
            let grant = maintenance(tenant.id);
            loop {
                match self.store.renew_verdicts(&grant).await {
                    Ok(renewed) if renewed == u64::from(RENEWED_AT_ONCE) => {}
                    Ok(_) => break,
                    Err(error) => {
                        let company = tenant.slug.as_str();
                        tracing::warn!(company, %error, "verdicts on footprints were not all renewed; it is tried again");
                        break;
                    }
                }
            }
        }
    }

    /// Removes the files of every company that wait to be imported and that nobody goes on with. Whether all of them.
    async fn sweep_staged(&self) -> bool {
        let Ok(tenants) = self.directory.list_tenants(&installation()).await else { return false };
        let mut is_all = true;
        for tenant in &tenants {
            match self.staged.sweep(&maintenance(tenant.id)).await {
                Ok(removed) => counter!(metric::EXPIRED_REMOVED.name, "kind" => "staged").increment(removed),
                Err(error) => {
                    let company = tenant.slug.as_str();
                    tracing::warn!(company, %error, "files that wait to be imported were not all forgotten; it is tried again");
                    is_all = false;
                }
            }
        }
        is_all
    }

    /// Removes what is done of the exchange of every company with its partners. Whether all of it.
    async fn sweep_exchange(&self, past: Timestamp) -> bool {
        let Ok(tenants) = self.directory.list_tenants(&installation()).await else { return false };
        let mut is_all = true;
        for tenant in &tenants {
            match sweep(self.store.as_ref(), self.clock.as_ref(), tenant.id, past).await {
                Ok(removed) => counter!(metric::EXPIRED_REMOVED.name, "kind" => "event").increment(removed),
                Err(error) => {
                    let company = tenant.slug.as_str();
                    tracing::warn!(company, %error, "events were not all forgotten; it is tried again");
                    is_all = false;
                }
            }
        }
        is_all
    }

    /// Removes the answers of every company that were outdated at a moment that is certainly past. Whether all are.
    async fn sweep_answers(&self, past: Timestamp) -> bool {
        let tenants = match self.directory.list_tenants(&installation()).await {
            Ok(tenants) => tenants,
            Err(error) => {
                tracing::warn!(%error, "outdated answers were not removed: the companies were not listed");
                return false;
            }
        };
        let Removed { answers, failed } = of_each(&tenants, |tenant| self.sweep_answers_of(tenant, past)).await;
        counter!(metric::EXPIRED_REMOVED.name, "kind" => "answer").increment(answers);
        let Some((company, error)) = failed else { return true };
        tracing::warn!(company, %error, "outdated answers were not all removed; it is tried again within a day");
        false
    }

    /// Removes those of one company, and gives how many; with the error that kept it from going on, if any.
    async fn sweep_answers_of(&self, tenant: &Tenant, past: Timestamp) -> (u64, Option<StoreError>) {
        let (grant, mut removed) = (maintenance(tenant.id), 0);
        loop {
            match self.store.sweep_answers(&grant, past).await {
                Ok(swept) => {
                    removed += swept;
                    if swept < u64::from(SWEPT_AT_ONCE) {
                        return (removed, None);
                    }
                }
                Err(error) => return (removed, Some(error)),
            }
        }
    }
}

/// Says in the log that the clock is behind.
fn log_behind(behind: ClockBehind) -> Outcome {
    tracing::warn!(
        behind_min = behind.by_ms / 60_000,
        "the clock was set back, or is behind that of another node: until all agree to within 90 minutes revocations and \
         tokens that ran out are kept; see \"Clocks\" in docs/operating.md"
    );
    Outcome::Behind
}

/// What became of the answers of all companies.
#[derive(Debug, Default)]
struct Removed {
    /// How many were removed.
    answers: u64,
    /// The first company that failed, and why.
    failed: Option<(String, StoreError)>,
}

/// Does it with each company, also behind one that fails.
async fn of_each<'a, F>(tenants: &'a [Tenant], mut sweep: impl FnMut(&'a Tenant) -> F) -> Removed
where
    F: Future<Output = (u64, Option<StoreError>)>,
{
    let mut all = Removed::default();
    for tenant in tenants {
        let (removed, error) = sweep(tenant).await;
        all.answers += removed;
        if let (None, Some(error)) = (&all.failed, error) {
            all.failed = Some((tenant.slug.to_string(), error));
        }
    }
    all
}

#[cfg(test)]
mod tests;
