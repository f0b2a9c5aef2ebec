//! Activities made ready to be written, on a thread that holds nobody up.

use domain::{Activity, Canonical as _};
use ports::Version;
use ports::repo::ActivityWrite;
use rusqlite::types::Value;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::{key_columns, values};
use crate::keys::Keys;

/// How many are made ready at a time, while those before are written.
const CHUNK: usize = 1_000;
/// So few are made ready by the caller.
const FEW: usize = 50;

/// An activity made ready.
pub(super) struct Encoded {
    /// The activity.
    pub(super) activity: Activity,
    /// The version of the one that it replaces.
    pub(super) seen: Option<Version>,
    /// Its canonical text.
    pub(super) content: String,
    /// Its columns, but for the keys of what it refers to.
    pub(super) values: Vec<Value>,
}

impl Encoded {
    fn new(activity: Activity, seen: Option<Version>) -> Self {
        let (content, values) = (activity.canonical(), values(&activity, Keys::default()));
        Self { activity, seen, content, values }
    }

    /// Puts those keys into its columns.
    pub(super) fn set_keys(&mut self, keys: Keys) {
        for (at, key) in key_columns(keys) {
            self.values[at] = key;
        }
    }
}

/// A batch that is made ready while it is written.
pub(crate) struct Batch {
    /// How many writes it has.
    pub(super) count: usize,
    /// They, in their order.
    pub(super) chunks: mpsc::Receiver<Vec<Encoded>>,
}

impl Batch {
    /// Begins to make the writes ready.
    pub(crate) fn of(writes: Vec<ActivityWrite>) -> Self {
        let count = writes.len();
        let (sender, chunks) = mpsc::channel(2);
        if count <= FEW {
            // There is room for two chunks.
            let _ = sender.try_send(writes.into_iter().map(encode).collect());
        } else {
            spawn_blocking(move || {
                let mut writes = writes.into_iter();
                loop {
                    let chunk: Vec<Encoded> = writes.by_ref().take(CHUNK).map(encode).collect();
                    if chunk.is_empty() || sender.blocking_send(chunk).is_err() {
                        return;
                    }
                }
            });
        }
        Self { count, chunks }
    }
}

fn encode(write: ActivityWrite) -> Encoded {
    match write {
        ActivityWrite::Add(activity) => Encoded::new(activity, None),
        ActivityWrite::Update(activity, seen) => Encoded::new(activity, Some(seen)),
    }
}
