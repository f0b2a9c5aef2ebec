//! What all drafts share: required members, places of faults, opening a transaction.

use domain::{FaultCode, Faults};
use ports::clock::Clock;
use ports::inbound::{Error, Field, Reference};
use ports::store::{Intent, Store, WriteTx};
use ports::{Grant, Write};

/// Where in the input a reference stands.
pub(super) fn pointer(member: &str, reference: &Reference) -> String {
    match reference {
        Reference::Id(_) => format!("{member}/uuid"),
        Reference::SyncId(_) => format!("{member}/syncId"),
        Reference::Word(_) | Reference::Shown(_) | Reference::Path(_) => member.to_owned(),
    }
}

/// A member that must be there: given, or from before. `null` never clears it.
pub(super) fn required<T>(faults: &mut Faults, pointer: &str, field: Field<T>, before: Option<T>) -> Option<T> {
    match field {
        Field::Given(value) => Some(value),
        Field::Absent if before.is_some() => before,
        Field::Absent => {
            faults.add_coded(FaultCode::Required, pointer, "is required");
            None
        }
        Field::Null => {
            faults.add_coded(FaultCode::Required, pointer, "is required and cannot be empty or null");
            None
        }
        Field::Faulty => None,
    }
}

/// The refusal of a draft that is known to be faulty, once building it has found all its faults.
pub(super) fn refused<T>(built: Result<T, Faults>) -> Error {
    match built {
        Err(faults) => Error::Invalid(faults),
        // Not reached: what is built of a draft with faults is its faults.
        Ok(_) => Error::Failed("a draft with faults was built".into()),
    }
}

/// Opens a write transaction now.
pub(super) async fn begin(
    store: &dyn Store,
    clock: &dyn Clock,
    grant: &Grant<Write>,
    cause: impl Into<String> + Send,
) -> Result<Box<dyn WriteTx>, Error> {
    Ok(store.write(grant, Intent { at: clock.now(), cause: cause.into() }).await?)
}
