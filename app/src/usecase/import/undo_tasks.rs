//! Which imports are being undone beside requests: one task for each.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use ports::{ImportId, TenantId};

/// The tasks of this process that undo imports.
#[derive(Clone, Debug, Default)]
pub struct UndoTasks(Arc<Mutex<HashSet<(TenantId, ImportId)>>>);

/// That an import is being undone by a task, until it is dropped.
pub(super) struct UndoTask {
    tasks: UndoTasks,
    of: (TenantId, ImportId),
}

impl UndoTasks {
    /// Begins the task of an import; `None` where there is one.
    pub(super) fn begin(&self, tenant: TenantId, id: ImportId) -> Option<UndoTask> {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.insert((tenant, id)).then(|| UndoTask { tasks: self.clone(), of: (tenant, id) })
    }
}

impl Drop for UndoTask {
    fn drop(&mut self) {
        self.tasks.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.of);
    }
}
