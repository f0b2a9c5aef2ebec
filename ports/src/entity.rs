//! What each kind of record says of itself: its kind, its identifier, its syncId.

use domain::{
    Activity, ActivityId, Factor, FactorId, Footprint, FootprintId, Input, InputId, Model, ModelId, Node, NodeId,
    Product, ProductId, Switch, SwitchId, SyncId, Tree,
};

use crate::record::{Entity, RecordKind};

impl From<Tree> for RecordKind {
    /// The kind of the tree's nodes.
    fn from(tree: Tree) -> Self {
        match tree {
            Tree::Scope => Self::Scope,
            Tree::Org => Self::Org,
            Tree::Taxonomy => Self::Taxonomy,
        }
    }
}

impl Entity for Input {
    type Id = InputId;

    fn kind(&self) -> RecordKind {
        RecordKind::Input
    }

    fn id(&self) -> InputId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }
}

impl Entity for Footprint {
    type Id = FootprintId;

    fn kind(&self) -> RecordKind {
        RecordKind::Footprint
    }

    fn id(&self) -> FootprintId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        None
    }
}

impl Entity for Model {
    type Id = ModelId;

    fn kind(&self) -> RecordKind {
        RecordKind::Model
    }

    fn id(&self) -> ModelId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }
}

impl Entity for Switch {
    type Id = SwitchId;

    fn kind(&self) -> RecordKind {
        RecordKind::Switch
    }

    fn id(&self) -> SwitchId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }
}

impl Entity for Product {
    type Id = ProductId;

    fn kind(&self) -> RecordKind {
        RecordKind::Product
    }

    fn id(&self) -> ProductId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }
}

impl Entity for Activity {
    type Id = ActivityId;

    fn kind(&self) -> RecordKind {
        RecordKind::Activity
    }

    fn id(&self) -> ActivityId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }
}

impl Entity for Factor {
    type Id = FactorId;

    fn kind(&self) -> RecordKind {
        RecordKind::Factor
    }

    fn id(&self) -> FactorId {
        self.id()
    }

    fn sync_id(&self) -> Option<&SyncId> {
        None
    }
}

impl Entity for Node {
    type Id = NodeId;

    fn kind(&self) -> RecordKind {
        self.tree().into()
    }

    fn id(&self) -> NodeId {
        self.id
    }

    fn sync_id(&self) -> Option<&SyncId> {
        self.sync_id.as_ref()
    }
}
