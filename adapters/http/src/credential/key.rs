//! Keys: credentials that are presented as they are.

use std::fmt::Display;

use domain::{Faults, SyncId};
use ports::inbound::{CredentialDraft, Done, Error, KeyView, Once};
use ports::repo::{Listing, Page};
use ports::{KeyId, Permission, Version};

use super::{permission_words, take_expires, take_name, take_permissions, words};
use crate::answer_value::{text, text_or_null};
use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{self, Shape};

/// The operations on keys.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        resource::list::<Key>(),
        resource::create::<Key>(),
        resource::get::<Key>(),
        resource::update::<Key>().noting("It takes effect within a second."),
        resource::remove::<Key>().does("Removes a key; within a second it is dead."),
    ]
}

/// Keys as a resource.
pub(super) struct Key;

type Member = shape::Member<KeyView, CredentialDraft>;

static SHAPE: Shape<KeyView, CredentialDraft> = Shape {
    name: "Key",
    doc: "An API key; without the key itself, which is shown once.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.key.id)),
        Member::new("prefix", Kind::Text(1, 255), "Its first characters, to tell keys apart.")
            .shown(|view| text(&view.key.prefix)),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.key.name))
            .required(take_name)
            .example(r#""Accounting""#),
        Member::new("permissions", Kind::List(&Kind::Word(permission_words), 100), "What it may do; at least one.")
            .shown(|view| words(view.key.permissions))
            .required(take_permissions)
            .example(r#"["activity:read", "catalog:read"]"#),
        Member::new("expires", Kind::Moment, "When it runs out, or a date; null for never.")
            .shown_or_null(|view| text_or_null(view.key.expires))
            .optional(take_expires)
            .example(r#""2099-12-31""#),
        Member::new("lastUsed", Kind::Time, "When it was last used, to the minute.")
            .shown_or_null(|view| text_or_null(view.key.last_used)),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.key.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.key.updated)),
        Member::new("key", Kind::Text(1, 255), "Shown once, when it is made."),
    ],
};

impl Resource for Key {
    type In = Root;
    type At = PathId<KeyId>;
    type View = KeyView;
    type Draft = CredentialDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/key",
        record: "/v1/key/{uuid}",
        one: "key",
        many: "keys",
        tag: "Credentials",
        reads: Permission::Admin,
        writes: Permission::Admin,
    };
    const HAS_SYNC_ID: bool = false;
    const SECRET: Option<(&'static str, &'static str)> =
        Some(("key", "What it presents behind `Authorization: Bearer`; shown this once."));

    shape!(SHAPE);

    fn identity(view: &KeyView) -> (impl Display, Version) {
        (view.key.id, view.version)
    }

    fn blame(draft: &mut CredentialDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<KeyView, Error> {
        by.areas.credentials.get_key(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: CredentialDraft,
        once: Option<Once<KeyView>>,
    ) -> Result<Done<Added<KeyView>>, Error> {
        let new = by.areas.credentials.add_key_once(by.caller, draft, once.map(|once| once.request)).await?;
        Ok(Done::New(Added { view: new.view, secret: Some(new.secret) }))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.credentials.remove_key(by.caller, id, seen).await
    }
}

impl Lists for Key {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, _: Option<SyncId>, page: Page) -> Result<Listing<KeyView>, Error> {
        by.areas.credentials.list_keys(by.caller, page).await
    }
}

impl Changes for Key {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<KeyView, Error> {
        by.areas.credentials.update_key(by.caller, id, seen, draft).await
    }
}
