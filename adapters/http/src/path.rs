//! The variable segments of a path.

use actix_web::HttpRequest;
use uuid::Uuid;

use crate::problem::HeadFaults;
use crate::request_part::{Parameter, Part};

/// The record that the segment `{uuid}` names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathId<T>(pub(crate) T);

/// A record that the segment `{id}` names, within the one that `{uuid}` names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathIds<T, U>(pub(crate) T, pub(crate) U);

/// That the path names no record: it is a collection's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root;

impl Part for Root {
    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }

    fn read(_: &HttpRequest, _: &mut HeadFaults) -> Option<Self> {
        Some(Self)
    }
}

impl<T: From<Uuid> + 'static> Part for PathId<T> {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter::id("uuid", "The record.")]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        Some(Self(uuid(request, "uuid", faults)?.into()))
    }
}

impl<T: From<Uuid> + 'static, U: From<Uuid> + 'static> Part for PathIds<T, U> {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter::id("uuid", "The record that it belongs to."), Parameter::id("id", "The record.")]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let (outer, inner) = (uuid(request, "uuid", faults), uuid(request, "id", faults));
        Some(Self(outer?.into(), inner?.into()))
    }
}

fn uuid(request: &HttpRequest, segment: &str, faults: &mut HeadFaults) -> Option<Uuid> {
    let uuid = domain::parse_uuid(request.match_info().query(segment));
    uuid.map_err(|error| faults.malformed(segment, format_args!("is {error}"))).ok()
}
