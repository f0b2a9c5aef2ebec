//! Bodies that add or change a record of a resource.

use domain::Faults;
use files::Json;
use serde_json::Value;

use super::Resource;
use crate::media;
use crate::request_part::Content;
use crate::schema::{Components, Side, reference};

/// A body that adds a record.
pub(crate) struct New<R: Resource>(pub(crate) R::Draft);

/// A body that changes a record: a merge patch.
pub(crate) struct Change<R: Resource>(pub(crate) R::Draft);

impl<R: Resource> Content for New<R> {
    const MEDIA: &'static [&'static str] = &[media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(R::schema(), Side::New, components)
    }

    fn example() -> Option<Value> {
        R::example(Side::New)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = R::read(json, Side::New)?;
        R::blame(&mut draft, faults.clone());
        Ok((Self(draft), faults))
    }
}

impl<R: Resource> Content for Change<R> {
    const MEDIA: &'static [&'static str] = &[media::MERGE_PATCH, media::JSON];

    fn schema(components: &mut Components) -> Value {
        reference(R::schema(), Side::Change, components)
    }

    fn example() -> Option<Value> {
        R::example(Side::Change)
    }

    fn read(json: &Json) -> Result<(Self, Faults), Faults> {
        let (mut draft, faults) = R::read(json, Side::Change)?;
        R::blame(&mut draft, faults.clone());
        Ok((Self(draft), faults))
    }
}
