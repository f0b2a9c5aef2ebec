//! First answers to requests that may be sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use domain::Timestamp;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey, StoredAnswer, outdated_before};
use ports::repo::{AnswerReader, AnswerWriter, SWEPT};
use ports::store::{Conflict, StoreError};

use crate::tx::{Tx, Writing};

/// The first answers of a tenant.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    by_key: BTreeMap<RequestKey, (Timestamp, Arc<StoredAnswer>)>,
    /// The same by their age.
    by_time: BTreeSet<(Timestamp, RequestKey)>,
}

impl Answers {
    fn find(&self, key: RequestKey, now: Timestamp) -> Option<&Arc<StoredAnswer>> {
        self.by_key.get(&key).filter(|(at, _)| *at > outdated_before(now)).map(|(_, answer)| answer)
    }

    fn put(&mut self, key: RequestKey, at: Timestamp, answer: StoredAnswer) {
        if let Some((before, _)) = self.by_key.insert(key, (at, Arc::new(answer))) {
            self.by_time.remove(&(before, key));
        }
        self.by_time.insert((at, key));
    }

    fn sweep(&mut self, now: Timestamp) {
        for _ in 0..SWEPT {
            let Some((at, key)) = self.by_time.first().copied().filter(|(at, _)| *at <= outdated_before(now)) else {
                break;
            };
            self.by_time.remove(&(at, key));
            self.by_key.remove(&key);
        }
    }
}

#[async_trait]
impl<W: Send> AnswerReader for Tx<W> {
    async fn find(&mut self, key: RequestKey, now: Timestamp) -> Result<Option<StoredAnswer>, StoreError> {
        Ok(self.state.answers.find(key, now).map(|answer| StoredAnswer::clone(answer)))
    }
}

#[async_trait]
impl AnswerWriter for Writing {
    async fn add(&mut self, request: KeyedRequest, answer: FirstAnswer) -> Result<(), StoreError> {
        let KeyedRequest { key, content } = request;
        let at = self.write.draft.at();
        if self.state.answers.find(key, at).is_some() {
            return Err(StoreError::Conflict(Conflict::Repeated));
        }
        let answers = Arc::make_mut(&mut self.state.answers);
        answers.sweep(at);
        answers.put(key, at, StoredAnswer { content, answer });
        self.write.has_answer = true;
        Ok(())
    }
}
