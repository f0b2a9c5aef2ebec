//! `tonne verify --head`: whether the chain of changes still has the digests that were kept elsewhere.

use anyhow::Result;
use ports::directory::Tenant;
use ports::ledger::PinnedHead;
use ports::store::Finding;

use crate::App;

/// What does not fit the heads. That the chain leads to the digests that it has is checked apart.
pub(super) async fn check(app: &App, tenant: &Tenant, heads: &[PinnedHead]) -> Result<Vec<Finding>> {
    let operator = app.operator(tenant);
    let mut findings = Vec::new();
    for head in heads {
        let there = app.areas().histories.head(&operator, Some(head.number)).await?;
        let detail = match there {
            Some(there) if there.digest == head.digest => continue,
            Some(there) => {
                format!("was pinned with the digest {}, and the chain has {} there", head.digest, there.digest)
            }
            None => format!("was pinned, and the chain of changes ends before it: {head}"),
        };
        findings.push(Finding { subject: format!("change {}", head.number), detail });
    }
    Ok(findings)
}
