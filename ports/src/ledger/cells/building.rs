//! A thread that takes cells in, while those behind them are read.

use std::error::Error;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use domain::{Cell, CubeBuilder, Day};

use super::Placed;
use crate::store::StoreError;

/// How many parts wait to be taken in, at most.
const WAITING: usize = 4;

/// What cells are taken into.
pub(super) trait Take: Send + 'static {
    /// Takes the next cell in, by day, then series.
    fn take(&mut self, series: u32, day: Day, cell: Cell) -> Result<(), Box<dyn Error>>;
}

impl Take for CubeBuilder {
    fn take(&mut self, series: u32, day: Day, cell: Cell) -> Result<(), Box<dyn Error>> {
        Ok(self.push(series, day, cell)?)
    }
}

/// Some cells in their order, and what they are part of.
type Part = (String, Vec<Placed>);

/// A cube or packed parts in the making, on a thread of its own.
pub(super) struct Building<T> {
    parts: SyncSender<Part>,
    thread: JoinHandle<Result<T, StoreError>>,
}

impl<T: Take> Building<T> {
    /// Begins with what has no cells yet.
    pub(super) fn begin(into: T) -> Result<Self, StoreError> {
        let (sender, parts) = sync_channel(WAITING);
        let thread = Builder::new().name("cells".to_owned()).spawn(move || build(into, &parts));
        Ok(Self { parts: sender, thread: thread.map_err(|error| StoreError::Failed(Box::new(error)))? })
    }

    /// Hands over the next cells, when there is room; whether more are wanted.
    pub(super) fn add(&self, subject: String, cells: Vec<Placed>) -> bool {
        self.parts.send((subject, cells)).is_ok()
    }

    /// What has all cells, or why one was not taken in.
    pub(super) fn finish(self) -> Result<T, StoreError> {
        let Self { parts, thread } = self;
        drop(parts);
        thread.join().map_err(|_| StoreError::Failed("the thread that takes cells in ended early".into()))?
    }
}

fn build<T: Take>(mut into: T, parts: &Receiver<Part>) -> Result<T, StoreError> {
    for (subject, cells) in parts {
        for (series, day, cell) in cells {
            into.take(series, day, cell).map_err(|error| super::damaged(subject.clone(), error.as_ref()))?;
        }
    }
    Ok(into)
}
