//! The store: whether it can be read, and with a deep look whether it is what was written.

use domain::Timestamp;
use ports::directory::Tenant;
use ports::store::{StoreError, Verification};

use super::{Finding, clock, credentials, growth};
use crate::App;
use crate::app::{Inspect, installation, maintenance};

const RESTORE: &str = "keep the files, and restore the last backup that verifies";

/// A quick look at every tenant.
pub(super) async fn look(app: &App, now: Timestamp) -> Vec<Finding> {
    let tenants = match app.directory().list_tenants(&installation()).await {
        Ok(tenants) => tenants,
        Err(error) => return vec![unreadable("directory", &error)],
    };
    let mut findings = Vec::new();
    for tenant in tenants {
        match of_tenant(app, &tenant, now).await {
            Ok(found) => findings.extend(found),
            Err(error) => findings.push(unreadable(&format!("company {}", tenant.slug), &error)),
        }
    }
    findings
}

async fn of_tenant(app: &App, tenant: &Tenant, now: Timestamp) -> Result<Vec<Finding>, StoreError> {
    let mut findings = credentials::look(app.directory().as_ref(), tenant, now).await?;
    let grant = maintenance(tenant.id);
    let mut tx = app.store().read(&grant.to_read()).await?;
    let head = tx.head().await?;
    let newest = tx.ledger().changes_since(head.number.saturating_sub(1), 1).await?.pop();
    drop(tx);
    let place = format!("company {}", tenant.slug);
    findings.extend(newest.and_then(|change| clock::compare(&place, "its newest change", change.at, now)));
    findings.extend(growth::look(app.store().as_ref(), tenant, &grant, now).await?);
    Ok(findings)
}

/// Everything that is stored, as `tonne verify` checks it.
pub(super) async fn verify(inspect: &dyn Inspect) -> Vec<Finding> {
    let mut findings = of_part("directory", inspect.verify_directory().await);
    let tenants = match inspect.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => {
            let what = format!("no company was verified, since they cannot be listed: {error:#}");
            findings.push(Finding::error("integrity", "directory", what, RESTORE));
            return findings;
        }
    };
    for tenant in tenants {
        findings.extend(of_part(&format!("company {}", tenant.slug), inspect.verify_tenant(&tenant).await));
    }
    findings
}

fn of_part(place: &str, verified: anyhow::Result<Verification>) -> Vec<Finding> {
    match verified {
        Ok(verification) => verification
            .findings
            .iter()
            .map(|one| Finding::error("integrity", place, format!("{}: {}", one.subject, one.detail), RESTORE))
            .collect(),
        Err(error) => vec![Finding::error("integrity", place, format!("it cannot be verified: {error:#}"), RESTORE)],
    }
}

fn unreadable(place: &str, error: &StoreError) -> Finding {
    let (mut what, mut cause) = (format!("it cannot be read: {error}"), std::error::Error::source(error));
    while let Some(error) = cause {
        what = format!("{what}: {error}");
        cause = error.source();
    }
    match error {
        StoreError::Busy(_) => {
            Finding::warning("integrity", place, what, "run `tonne doctor` again when there is less to do")
        }
        StoreError::Corrupt { .. }
        | StoreError::Failed(_)
        | StoreError::Unknown(_)
        | StoreError::Conflict(_)
        | StoreError::Stale => Finding::error("integrity", place, what, RESTORE),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Result, bail};
    use async_trait::async_trait;

    use super::*;

    /// A store whose companies cannot be listed.
    struct Unlisted;

    #[async_trait]
    impl Inspect for Unlisted {
        async fn tenants(&self) -> Result<Vec<Tenant>> {
            bail!("no list")
        }

        async fn verify_directory(&self) -> Result<Verification> {
            Ok(Verification::default())
        }

        async fn verify_tenant(&self, _: &Tenant) -> Result<Verification> {
            Ok(Verification::default())
        }
    }

    #[tokio::test]
    async fn companies_that_cannot_be_listed_are_not_found_sound() {
        let found = verify(&Unlisted).await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].what.contains("no list"), "{found:?}");
    }
}
