//! Switches: named items whose footprint is computed from models.

mod carbon;
mod replace;

use std::fmt::Display;

use domain::{Faults, Name, SwitchId, SyncId, Unit};
use ports::inbound::{Done, Error, Once, SwitchDraft, SwitchView};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};

use crate::answer_value::{REFERENCE, list, reference, text, text_or_null};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{self, Shape};
use carbon::FOOTPRINT;

/// The operations on switches.
pub(crate) fn operations() -> Vec<Operation> {
    let shown = || Answer::ok(SchemaOf::Named(&SHAPE)).tagged();
    let Labels { tag, writes, .. } = Switch::LABELS;
    let sources = Operation::put(writes, "/v1/switch/{uuid}/sources", replace::put_switch_sources)
        .named("put_switch_sources", tag)
        .does("Says which models a switch's footprint is computed from: at most 100, each once.")
        .answers(shown());
    let image = Operation::put(writes, "/v1/switch/{uuid}/image", replace::put_switch_image)
        .named("put_switch_image", tag)
        .does("Sets or clears the address of a switch's image.")
        .answers(shown());
    let remove = resource::remove::<Switch>().does("Removes a switch.");
    let mut all = vec![resource::list::<Switch>(), resource::create::<Switch>(), resource::get::<Switch>()];
    all.extend([resource::update::<Switch>(), remove, sources, image]);
    all
}

/// Switches as a resource.
pub(crate) struct Switch;

type Member = shape::Member<SwitchView, SwitchDraft>;

static SHAPE: Shape<SwitchView, SwitchDraft> = Shape {
    name: "Switch",
    doc: "A named item whose footprint is computed from models.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.switch.value.id)),
        Member::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
            .shown_or_null(|view| text_or_null(view.switch.value.sync_id.as_ref()))
            .optional(|draft, reader, name| draft.sync_id = reader.text(name, SyncId::parse))
            .example(r#""crate""#),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.switch.value.name))
            .required(|draft, reader, name| draft.name = reader.text(name, Name::parse))
            .example(r#""Crate of two boxes""#),
        Member::new("unit", Kind::Text(1, 64), "The code of the unit that its footprint is counted per.")
            .shown_or_null(|view| text_or_null(view.switch.value.unit.map(Unit::code)))
            .optional(|draft, reader, name| draft.unit = reader.text(name, Unit::parse))
            .example(r#""piece""#),
        Member::new("image", Kind::Formatted("uri"), "The address of an image.")
            .shown_or_null(|view| text_or_null(view.switch.value.image.as_ref())),
        Member::new(
            "sources",
            Kind::List(&Kind::Object(&REFERENCE), 100),
            "The models that its footprint is computed from.",
        )
        .shown(|view| list(&view.sources, reference)),
        Member::new("footprint", Kind::Object(&FOOTPRINT), "What it emits.")
            .shown(|view| FOOTPRINT.show(&view.footprint)),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.switch.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.switch.updated)),
    ],
};

impl Resource for Switch {
    type In = Root;
    type At = PathId<SwitchId>;
    type View = SwitchView;
    type Draft = SwitchDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/switch",
        record: "/v1/switch/{uuid}",
        one: "switch",
        many: "switches",
        tag: "Switches",
        reads: Permission::SwitchRead,
        writes: Permission::SwitchWrite,
    };

    shape!(SHAPE);

    fn identity(view: &SwitchView) -> (impl Display, Version) {
        (view.switch.value.id, view.switch.version)
    }

    fn blame(draft: &mut SwitchDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<SwitchView, Error> {
        by.areas.switches.get(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: SwitchDraft,
        once: Option<Once<SwitchView>>,
    ) -> Result<Done<Added<SwitchView>>, Error> {
        Ok(by.areas.switches.add_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.switches.remove(by.caller, id, seen).await
    }
}

impl Lists for Switch {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, sync_id: Option<SyncId>, page: Page) -> Result<Listing<SwitchView>, Error> {
        by.areas.switches.list(by.caller, sync_id, page).await
    }
}

impl Changes for Switch {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: SwitchDraft,
    ) -> Result<SwitchView, Error> {
        by.areas.switches.update(by.caller, id, seen, draft).await
    }
}
