//! Switches: named items whose footprint is computed from models.

mod footprint;
mod put;

use actix_web::HttpResponse;
use domain::{Name, SwitchId, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::Version;
use ports::inbound::{Error, SwitchDraft, SwitchView};
use ports::repo::{Listing, Page};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problem::Problem;
use crate::resource::{Asking, Resource, created, resource};
use crate::wire::{Reference, Time};
use footprint::Footprint;

/// What a body may not change.
const READ_ONLY: &[&str] = &["uuid", "image", "sources", "footprint", "created", "updated"];

/// A named item whose footprint is computed from models.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Switch {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The code of the unit that its footprint is counted per.
    #[schema(required, example = "kg")]
    unit: Option<&'static str>,
    /// The address of an image.
    #[schema(required)]
    image: Option<String>,
    /// The models that its footprint is computed from.
    sources: Vec<Reference>,
    /// What it emits.
    footprint: Footprint,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

/// A new switch.
#[derive(ToSchema)]
#[schema(as = SwitchDraft, rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct NewSwitch {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit that its footprint is counted per.
    #[schema(example = "kg")]
    unit: Option<String>,
}

/// A change of a switch.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct SwitchChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit that its footprint is counted per.
    unit: Option<String>,
}

impl Resource for Switch {
    type Id = SwitchId;
    type View = SwitchView;
    type Draft = SwitchDraft;

    fn of(view: SwitchView) -> Self {
        let stored = view.switch;
        let switch = stored.value;
        Self {
            uuid: switch.id.uuid(),
            sync_id: switch.sync_id.map(|id| id.to_string()),
            name: switch.name.to_string(),
            unit: switch.unit.map(domain::Unit::code),
            image: switch.image.map(|image| image.to_string()),
            sources: view.sources.into_iter().map(Reference::from).collect(),
            footprint: Footprint::of(&view.footprint),
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }

    fn identity(view: &SwitchView) -> (SwitchId, Version) {
        (view.switch.value.id, view.switch.version)
    }

    fn draft(json: &Json) -> Result<SwitchDraft, Problem> {
        let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
        let mut draft = SwitchDraft {
            name: members.text("name", Name::parse),
            sync_id: members.text("syncId", SyncId::parse),
            unit: members.text("unit", Unit::parse),
            ..SwitchDraft::default()
        };
        members.read_only(READ_ONLY);
        draft.faults = members.finish();
        Ok(draft)
    }

    async fn list(by: Asking<'_>, sync_id: Option<SyncId>, page: Page) -> Result<Listing<SwitchView>, Error> {
        by.areas.switches.list(by.caller, sync_id, page).await
    }

    async fn get(by: Asking<'_>, id: SwitchId) -> Result<SwitchView, Error> {
        by.areas.switches.get(by.caller, id).await
    }

    async fn add(by: Asking<'_>, draft: SwitchDraft, collection: &str) -> Result<HttpResponse, Problem> {
        created::<Self>(collection, by.areas.switches.add(by.caller, draft).await?)
    }

    async fn update(
        by: Asking<'_>,
        id: SwitchId,
        seen: Option<Version>,
        draft: SwitchDraft,
    ) -> Result<SwitchView, Error> {
        by.areas.switches.update(by.caller, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: SwitchId, seen: Option<Version>) -> Result<(), Error> {
        by.areas.switches.remove(by.caller, id, seen).await
    }
}

resource! {
    Switch, "The switch", at "/v1/switch" and "/v1/switch/{uuid}", tagged "Switches";
    /// Needs the permission switch:read.
    reading;
    /// Needs the permission switch:write.
    writing;

    /// The switches, page by page.
    list list_switches(Paging, BySyncId);
    /// Adds a switch.
    create create_switch(NewSwitch) -> Switch, "ETag";
    /// One switch.
    get get_switch;
    /// Changes a switch: members that are left out stay, null clears.
    update update_switch(SwitchChange);
    /// Removes a switch.
    remove remove_switch;
    also put "/v1/switch/{uuid}/sources" put::put_switch_sources;
    also put "/v1/switch/{uuid}/image" put::put_switch_image;
}
