//! What the calls of a dry run would have left, so that a later row finds what it would find.

use ports::inbound::Repeats;

use super::nodes::MadeNodes;
use super::touched::Touched;
use crate::usecase::resolve::Resolver;

/// What a call would have left.
#[derive(Debug)]
pub(super) struct Left {
    /// The nodes that it would have made.
    pub(super) nodes: MadeNodes,
    /// The activities as it would have left them.
    pub(super) touched: Touched,
}

/// What was not written.
#[derive(Debug, Default)]
pub(super) struct DryRun {
    /// Orgs and taxonomies, in the order they would have been made.
    nodes: MadeNodes,
    /// The activities as they would be, for rows that change one again: kept only where [`Repeats::Last`] lets them.
    touched: Touched,
}

impl DryRun {
    /// The nodes that earlier calls would have made.
    pub(super) const fn nodes(&self) -> &MadeNodes {
        &self.nodes
    }

    /// A resolver that takes those nodes for there.
    pub(super) fn resolver(&self) -> Resolver {
        Resolver::knowing(&self.nodes.orgs, &self.nodes.taxonomies)
    }

    /// The activities that earlier calls would have left.
    pub(super) fn take_touched(&mut self) -> Touched {
        std::mem::take(&mut self.touched)
    }

    /// Notes the nodes and activities that a call would have left.
    pub(super) fn note(&mut self, Left { nodes, touched }: Left, repeats: Repeats) {
        self.nodes.orgs.extend(nodes.orgs);
        self.nodes.taxonomies.extend(nodes.taxonomies);
        if repeats == Repeats::Last {
            self.touched = touched.without_writes();
        }
    }
}
