//! Clients and keys: who may call. All of it needs the permission admin.

pub(crate) mod client;
mod key;

use domain::{Moment, MomentError, Name, Timestamp};
use files::{Json, Reader, Wrong};
use ports::inbound::{CredentialDraft, Field};
use ports::{Permission, Permissions};

use crate::operation::Operation;

/// So many permissions are read at the most; there are fewer.
const MOST_PERMISSIONS: usize = 100;

/// The operations on clients and keys.
pub(crate) fn operations() -> Vec<Operation> {
    client::operations().into_iter().chain(key::operations()).collect()
}

fn permission_words() -> Vec<&'static str> {
    Permission::ALL.iter().map(|permission| permission.as_str()).collect()
}

fn take_name(draft: &mut CredentialDraft, reader: &mut Reader<'_>, name: &'static str) {
    draft.name = reader.text(name, Name::parse);
}

fn take_permissions(draft: &mut CredentialDraft, reader: &mut Reader<'_>, name: &'static str) {
    draft.permissions = match reader.list(name, MOST_PERMISSIONS, permission) {
        Field::Given(several) => Field::Given(several.into_iter().collect()),
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    };
}

fn take_expires(draft: &mut CredentialDraft, reader: &mut Reader<'_>, name: &'static str) {
    draft.expires = reader.text(name, expiry);
}

/// One permission. Several in one text would be a slip, so each is read alone.
fn permission(json: &Json) -> Result<Permission, Wrong> {
    json.text(|word| Permission::parse(word).ok_or_else(|| ports::UnknownPermission(vec![word.to_owned()])))
}

/// A moment, or a date: that day's last second.
fn expiry(text: &str) -> Result<Timestamp, MomentError> {
    Moment::parse_end(text).and_then(|moment| Timestamp::new(moment.instant()))
}

fn words(permissions: Permissions) -> Json {
    crate::answer_value::list(permissions.iter(), crate::answer_value::text)
}
