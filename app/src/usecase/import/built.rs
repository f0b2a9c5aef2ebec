//! What the rows of a batch come to, and how that is written.

use domain::Activity;
use ports::ChainHead;
use ports::inbound::{BatchOutcome, Error};
use ports::repo::ActivityWrite;
use ports::store::WriteTx;

use super::nodes::MadeNodes;
use super::seen::Key;

/// What the rows of a batch come to, to be written.
#[derive(Debug)]
pub(super) struct Built {
    /// The head of the snapshot that it was built in.
    pub(super) since: ChainHead,
    /// The nodes that it makes.
    pub(super) nodes: MadeNodes,
    /// The activities as it leaves them.
    pub(super) writes: Vec<RowWrite>,
    /// What its rows noted of what they are about.
    pub(super) noted: Vec<Key>,
    /// What becomes of its rows once it is written.
    pub(super) outcome: BatchOutcome,
}

/// An activity as a row leaves it.
#[derive(Debug)]
pub(super) struct RowWrite {
    /// The line of the row.
    pub(super) line: u64,
    pub(super) write: ActivityWrite,
}

impl RowWrite {
    pub(super) const fn activity(&self) -> &Activity {
        match &self.write {
            ActivityWrite::Add(activity) | ActivityWrite::Update(activity, _) => activity,
        }
    }
}

/// Writes nodes, and the activities that may name them with the lines that they come from.
pub(super) async fn put_rows(tx: &mut dyn WriteTx, nodes: MadeNodes, writes: Vec<RowWrite>) -> Result<(), Error> {
    for org in nodes.orgs {
        tx.orgs_mut().add(org).await?;
    }
    for taxonomy in nodes.taxonomies {
        tx.taxonomies_mut().add(taxonomy).await?;
    }
    for factor in nodes.factors {
        tx.factors_mut().add(factor).await?;
    }
    if !writes.is_empty() {
        let (lines, writes) = writes.into_iter().map(|RowWrite { line, write }| (line, write)).unzip();
        tx.activities_mut().put_all(writes).await?;
        tx.ledger_mut().note_lines(lines).await?;
    }
    Ok(())
}
