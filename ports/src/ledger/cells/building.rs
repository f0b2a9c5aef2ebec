//! A thread that takes cells into a cube, while those behind them are read.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use domain::{CubeBuilder, CubeError};

use super::Placed;
use crate::store::StoreError;

/// How many parts wait to be taken in, at most.
const WAITING: usize = 4;

/// Some cells in their order, and what they are part of.
type Part = (String, Vec<Placed>);

/// A cube in the making, on a thread of its own.
pub(super) struct Building {
    parts: SyncSender<Part>,
    thread: JoinHandle<Result<CubeBuilder, StoreError>>,
}

impl Building {
    /// Begins with a cube that has its series.
    pub(super) fn begin(builder: CubeBuilder) -> Result<Self, StoreError> {
        let (sender, parts) = sync_channel(WAITING);
        let thread = Builder::new().name("cells".to_owned()).spawn(move || build(builder, &parts));
        Ok(Self { parts: sender, thread: thread.map_err(|error| StoreError::Failed(Box::new(error)))? })
    }

    /// Hands over the next cells, when there is room; whether more are wanted.
    pub(super) fn add(&self, subject: String, cells: Vec<Placed>) -> bool {
        self.parts.send((subject, cells)).is_ok()
    }

    /// The cube with all cells, or why one was not taken in.
    pub(super) fn finish(self) -> Result<CubeBuilder, StoreError> {
        let Self { parts, thread } = self;
        drop(parts);
        thread.join().map_err(|_| StoreError::Failed("the thread that takes cells into a cube ended early".into()))?
    }
}

fn build(mut builder: CubeBuilder, parts: &Receiver<Part>) -> Result<CubeBuilder, StoreError> {
    for (subject, cells) in parts {
        for (series, day, cell) in cells {
            let out_of_place =
                |error: CubeError| StoreError::Corrupt { subject: subject.clone(), detail: error.to_string() };
            builder.push(series, day, cell).map_err(out_of_place)?;
        }
    }
    Ok(builder)
}
