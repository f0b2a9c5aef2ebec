//! A footprint as the service keeps it: the fields that were written, its number, and the rules that it breaks.

use std::fmt::Display;

use domain::footprint::{Edition, FOOTPRINT, Verdict};
use domain::{FaultCode, Faults, Fields, FootprintId};
use files::{Json, Members, Reader};
use ports::inbound::{Done, Error, Field, FootprintDraft, FootprintView, Once};
use ports::{Permission, Version};

use super::json::{shown, storable, taken};
use super::schema::{EDITION, RULE};
use crate::answer_value::{list, number, text, text_or_null};
use crate::path::{PathId, Root};
use crate::problem::Problem;
use crate::resource::{Added, Asking, Changes, Labels, Resource};
use crate::schema::{Named, Side};

/// Footprints as a resource.
pub(super) struct Footprint;

/// What the service says of a footprint beside its fields.
const OURS: &[&str] = &["id", "uuid", "valid", "brokenRules", "editions", "model"];

/// What a body says of a footprint: all of a new one, of another its status.
#[derive(Clone)]
pub(super) struct Draft {
    fields: Fields,
    status: Field<String>,
    comment: Field<String>,
    faults: Faults,
}

impl Default for Draft {
    fn default() -> Self {
        let fields = Fields::new(&FOOTPRINT);
        Self { fields, status: Field::Absent, comment: Field::Absent, faults: Faults::new() }
    }
}

impl Resource for Footprint {
    type In = Root;
    type At = PathId<FootprintId>;
    type View = FootprintView;
    type Draft = Draft;

    const LABELS: Labels = Labels {
        collection: "/v1/footprint",
        record: "/v1/footprint/{uuid}",
        one: "footprint",
        many: "footprints",
        tag: "Footprints",
        reads: Permission::FootprintRead,
        writes: Permission::FootprintWrite,
    };

    fn schema() -> &'static dyn Named {
        &super::schema::RECORD
    }

    fn example(side: Side) -> Option<serde_json::Value> {
        super::schema::example(side)
    }

    fn identity(view: &FootprintView) -> (impl Display, Version) {
        (view.footprint.value.id, view.footprint.version)
    }

    fn blame(draft: &mut Draft, faults: Faults) {
        draft.faults = faults;
    }

    fn read(json: &Json, side: Side) -> Result<(Draft, Faults), Faults> {
        let mut reader = Reader::new(json, Members::Given)?;
        let mut draft = Draft::default();
        if side == Side::New {
            draft.fields = taken(&mut reader, &FOOTPRINT);
        } else {
            draft.status = reader.string("status");
            draft.comment = reader.text("statusComment", storable);
            let others = FOOTPRINT.fields.iter().map(|spec| spec.name);
            for name in others.filter(|name| !matches!(*name, "status" | "statusComment")) {
                if reader.has(name) {
                    let detail = "cannot change; add a new footprint that names this one in precedingPfIds";
                    reader.fault_coded(FaultCode::ReadOnly, name, detail);
                }
                reader.ignore(&[name]);
            }
        }
        reader.read_only(OURS);
        Ok((draft, reader.finish()))
    }

    fn write(view: &FootprintView) -> Result<Json, Problem> {
        Ok(written(view))
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<FootprintView, Error> {
        by.areas.footprints.get(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: Draft,
        once: Option<Once<FootprintView>>,
    ) -> Result<Done<Added<FootprintView>>, Error> {
        let Draft { fields, faults, .. } = draft;
        let draft = FootprintDraft { fields, faults };
        Ok(by.areas.footprints.add_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.footprints.remove(by.caller, id, seen).await
    }
}

impl Changes for Footprint {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: Draft,
    ) -> Result<FootprintView, Error> {
        let Draft { status, comment, faults, .. } = draft;
        by.areas.footprints.amend(by.caller, id, seen, status, comment, faults).await
    }
}

/// The footprint as it is shown. Of `created`, `updated`, `version` and `status` it has the service's own where none was
/// written.
pub(super) fn written(view: &FootprintView) -> Json {
    let footprint = &view.footprint.value;
    let mut members = vec![
        ("uuid".to_owned(), text(footprint.id)),
        ("id".to_owned(), number(footprint.number)),
        ("valid".to_owned(), Json::Bool(view.violations.is_empty())),
        ("brokenRules".to_owned(), list(&view.violations, |violation| RULE.show(violation))),
    ];
    if let Some(verdict) = &view.verdict {
        members.push(("editions".to_owned(), list(Edition::ALL, |edition| edition_shown(edition, verdict))));
    }
    if let Some(made) = &footprint.from_model {
        members.push(("model".to_owned(), text(made.model)));
    }
    for spec in FOOTPRINT.fields {
        let value = match spec.name {
            "created" => Some(text(footprint.created())),
            "updated" => Some(text_or_null(footprint.updated())),
            "version" => Some(number(footprint.version())),
            "status" => Some(text(footprint.status())),
            name => footprint.fields.find(name).map(shown),
        };
        members.extend(value.map(|value| (spec.name.to_owned(), value)));
    }
    Json::Object(members)
}

/// What an edition finds.
fn edition_shown(edition: Edition, verdict: &Verdict) -> Json {
    EDITION.show(&(edition, verdict.edition(edition).clone()))
}
