//! Requests that may be sent again: what they ask for is done once, and its answer is stored with what it wrote.

use ports::clock::Clock;
use ports::inbound::{Done, Error, Once};
use ports::repeat::{FirstAnswer, KeyedRequest};
use ports::store::{Store, WriteTx};
use ports::{Grant, Write};

/// Does the work, unless it was done before for the same request. The work stores its answer by [`keep`] in the transaction
/// that it writes in.
///
/// Two that are sent at the same time take turns in the store: the later one is refused for what the first one did, such as
/// a conflict, and is answered as the first one if that is committed by then.
pub(super) async fn once<V: 'static>(
    store: &dyn Store,
    clock: &dyn Clock,
    grant: &Grant<Write>,
    once: Option<KeyedRequest>,
    work: impl Future<Output = Result<V, Error>> + Send,
) -> Result<Done<V>, Error> {
    let Some(request) = once else { return work.await.map(Done::New) };
    if let Some(first) = find(store, clock, grant, request).await? {
        return Ok(Done::Before(first));
    }
    match work.await {
        Ok(done) => Ok(Done::New(done)),
        // Nothing is known of what the store has.
        Err(error @ (Error::Busy(_) | Error::Unknown(_) | Error::Failed(_))) => Err(error),
        Err(refused) => find(store, clock, grant, request).await?.map(Done::Before).ok_or(refused),
    }
}

/// The first answer to the request. `KeyReused` where its key has the answer to another one.
async fn find(
    store: &dyn Store,
    clock: &dyn Clock,
    grant: &Grant<Write>,
    request: KeyedRequest,
) -> Result<Option<FirstAnswer>, Error> {
    let mut tx = store.read(&grant.to_read()).await?;
    match tx.answers().find(request.key, clock.now()).await? {
        Some(stored) if stored.content == request.content => Ok(Some(stored.answer)),
        Some(_) => Err(Error::KeyReused),
        None => Ok(None),
    }
}

/// Stores the answer with what the transaction writes, where the request may be sent again.
pub(super) async fn keep<V: 'static>(tx: &mut dyn WriteTx, once: Option<&Once<V>>, view: &V) -> Result<(), Error> {
    let Some(once) = once else { return Ok(()) };
    Ok(tx.answers_mut().add(once.request, once.answer(view)?).await?)
}

/// The request of an act that is done once.
pub(super) fn request<V>(once: Option<&Once<V>>) -> Option<KeyedRequest> {
    once.map(|once| once.request)
}
