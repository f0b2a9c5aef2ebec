//! Activities made ready to be written, on a thread that holds nobody up.

use domain::{Activity, Canonical as _, Digest, Timestamp};
use ports::repo::ActivityWrite;
use ports::{Envelope, RecordKind, Version};
use rusqlite::types::Value;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::{key_columns, values};
use crate::keys::Keys;

/// How many are made ready at a time, while those before are written.
const CHUNK: usize = 1_000;
/// So few are made ready by the caller.
pub(crate) const FEW: usize = 50;

/// An activity made ready.
pub(super) struct Encoded {
    /// The activity.
    pub(super) activity: Activity,
    /// What becomes of one that is stored.
    pub(super) action: Action,
    /// Its columns, but for the keys of what it refers to.
    pub(super) values: Vec<Value>,
}

/// What becomes of an activity that is stored.
pub(super) enum Action {
    /// It is added, and this is the digest of its record.
    Add(Digest),
    /// It is added, and has this canonical text: its digest also needs the change.
    AddAs(String),
    /// It replaces one of that version, and has this canonical text: its digest also needs when that one was added.
    Replace(Version, String),
}

impl Encoded {
    fn new(write: ActivityWrite, change: Option<(Timestamp, Version)>) -> Self {
        let (activity, action) = match (write, change) {
            (ActivityWrite::Add(activity), Some((at, version))) => {
                let envelope =
                    Envelope { kind: RecordKind::Activity, id: activity.id.uuid(), created: at, updated: at, version };
                let digest = envelope.digest_around(&activity.canonical());
                (activity, Action::Add(digest))
            }
            (ActivityWrite::Add(activity), None) => {
                let content = activity.canonical();
                (activity, Action::AddAs(content))
            }
            (ActivityWrite::Update(activity, seen), _) => {
                let content = activity.canonical();
                (activity, Action::Replace(seen, content))
            }
        };
        let values = values(&activity, Keys::default());
        Self { activity, action, values }
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
    /// Begins to make the writes ready: of a change of that moment and version, where they are known.
    pub(crate) fn of(writes: Vec<ActivityWrite>, change: Option<(Timestamp, Version)>) -> Self {
        let encode = move |write| Encoded::new(write, change);
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
