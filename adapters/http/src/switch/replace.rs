//! Switches: replacing their sources and their image.

use actix_web::{HttpResponse, web};
use domain::{Faults, ImageAddress, MAX_SOURCES, SwitchId};
use files::{Json, Members, Reader};
use ports::inbound::{Field, Reference};
use serde_json::{Value, json};

use super::Switch;
use crate::answer_value::REFERENCE;
use crate::caller::Caller;
use crate::condition::IfMatchParam;
use crate::media;
use crate::path::PathId;
use crate::problem::Problem;
use crate::query::NoQuery;
use crate::request_part::{Ask, Content};
use crate::resource::{Asking, changed, or_tagged, version_seen};
use crate::schema::{Components, Kind, Side, reference};
use crate::service::Service;
use crate::shape::{Member, Shape};

/// The models that a body names; `None` in the place of one that cannot be read.
pub(super) struct Sources(Vec<Option<Reference>>, Faults);

impl Content for Sources {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        let items = reference(&REFERENCE, Side::New, components);
        json!({ "type": "array", "items": items, "maxItems": MAX_SOURCES })
    }

    fn example() -> Option<Value> {
        Some(json!([{ "syncId": "box" }]))
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let mut faults = Faults::new();
        let sources = files::references(json, MAX_SOURCES, &mut faults);
        Ok((Self(sources, faults.clone()), faults))
    }
}

/// The address of an image that a body gives.
pub(super) struct Image(Field<ImageAddress>, Faults);

static IMAGE: Shape<(), Field<ImageAddress>> = Shape {
    name: "SwitchImage",
    doc: "The address of a switch's image.",
    members: &[Member::<(), Field<ImageAddress>>::new(
        "image",
        Kind::Formatted("uri"),
        "Stored and never fetched; null clears it.",
    )
    .optional(|draft, reader, name| *draft = reader.text(name, ImageAddress::parse))
    .example(r#""https://example.com/crate.png""#)],
};

impl Content for Image {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(&IMAGE, Side::New, components)
    }

    fn example() -> Option<Value> {
        IMAGE.example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let mut reader = Reader::new(json, Members::Given)?;
        let image = IMAGE.take(&mut reader, Side::New);
        if matches!(image, Field::Absent) {
            reader.fault_coded(domain::FaultCode::Required, "image", "is required; null clears it");
        }
        let faults = reader.finish();
        Ok((Self(image, faults.clone()), faults))
    }
}

/// Handles PUT of a switch's sources.
pub(super) async fn put_switch_sources(
    caller: Caller,
    Ask((at, condition, NoQuery), Sources(sources, faults)): Ask<(PathId<SwitchId>, IfMatchParam, NoQuery), Sources>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<Switch>(by, at, &condition).await?;
    let put = by.areas.switches.put_sources(&caller, at.0, seen, sources, faults).await;
    changed::<Switch>(by, &or_tagged::<Switch, _>(by, at, put).await?)
}

/// Handles PUT of a switch's image.
pub(super) async fn put_switch_image(
    caller: Caller,
    Ask((at, condition, NoQuery), Image(image, faults)): Ask<(PathId<SwitchId>, IfMatchParam, NoQuery), Image>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let by = Asking::of(&service, &caller);
    let seen = version_seen::<Switch>(by, at, &condition).await?;
    let put = by.areas.switches.put_image(&caller, at.0, seen, image, faults).await;
    changed::<Switch>(by, &or_tagged::<Switch, _>(by, at, put).await?)
}
