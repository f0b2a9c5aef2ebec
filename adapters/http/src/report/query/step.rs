//! Which activities a report gives, from a place on.

use domain::{Day, FaultCode, parse_uuid};
use ports::inbound::Step;
use ports::repo::{Page, Place, Side};

use crate::query::{Query, size};

/// The step that is asked for, if one is.
pub(super) fn step(query: &mut Query) -> Option<Step> {
    let is_asked = ["after", "before", "limit"].iter().any(|name| query.has(name));
    if query.has("after") && query.has("before") {
        let detail =
            "goes without after; give before for the activities in front of a place, after for those behind it";
        query.fault(FaultCode::Mismatch, "before", detail);
    }
    let (after, before) = (query.read("after", place), query.read("before", place));
    let limit = query.read("limit", size).unwrap_or(Page::FIRST.size);
    let side = before.map_or(Side::After(after), Side::Before);
    is_asked.then_some(Step { side, limit })
}

fn place(text: &str) -> Result<Place, &'static str> {
    let place = text.split_once('.').and_then(|(day, id)| Some((Day::parse(day).ok()?, parse_uuid(id).ok()?)));
    let place = place.map(|(day, id)| Place { day, id: id.into() });
    place.ok_or("is not a place such as 2025-01-31.01a203f1-5c64-764a-8672-0fbaec55086a")
}
