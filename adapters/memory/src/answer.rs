//! First answers to requests that may be sent again, in transactions.

use std::sync::Arc;

use async_trait::async_trait;
use domain::Timestamp;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey, StoredAnswer};
use ports::repo::{AnswerReader, AnswerWriter, SWEPT};
use ports::store::{Conflict, StoreError};

use crate::tx::{Tx, Writing};

#[async_trait]
impl<W: Send> AnswerReader for Tx<W> {
    async fn find(&mut self, key: RequestKey, now: Timestamp) -> Result<Option<StoredAnswer>, StoreError> {
        Ok(self.state.answers.find(key, now).map(|answer| StoredAnswer::clone(answer)))
    }

    async fn count_outdated(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        Ok(self.state.answers.count_outdated(now))
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
        answers.sweep(at, SWEPT);
        answers.put(key, at, StoredAnswer { content, answer });
        self.write.writes_beside = true;
        Ok(())
    }
}
