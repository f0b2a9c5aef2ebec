//! What a mapping file says, and what can be wrong with it.

use domain::{Fault, Faults};
use ports::inbound::Field;

use super::Map;
use super::activity_spec::{ActivitySpec, activity};
use super::table_spec::{TableSpec, table};
use crate::json::{Json, Members, Reader};

/// How many activities a row may make.
const MOST_ACTIVITIES: usize = 100;

/// What a tree says of a map, and what is wrong with the rest; pointers of faults are JSON pointers into it. An error where
/// the tree is no table.
pub(super) fn read(json: &Json) -> Result<(Map, Faults), Faults> {
    let mut reader = Reader::new(json, Members::Given)?;
    let (mut table_spec, mut common, mut own) = (TableSpec::default(), ActivitySpec::default(), Vec::new());
    let _: Field<()> = reader.member("table", |json, at, faults| {
        table_spec = section(json, at, faults, table)?;
        Some(())
    });
    let _: Field<()> = reader.member("common", |json, at, faults| {
        common = section(json, at, faults, activity)?;
        Some(())
    });
    let activities = reader.items("activity", MOST_ACTIVITIES, |json, at, faults| {
        own.push(section(json, at, faults, activity).unwrap_or_default());
        Some(())
    });
    if activities.is_missing() || activities.given().is_some_and(Vec::is_empty) {
        reader.fault("activity", "is missing: each [[activity]] is an activity that a row makes");
    }
    let mut faults = reader.finish();
    let activities: Vec<_> = own.into_iter().map(|activity| activity.merge(&common)).collect();
    let mut together = Faults::new();
    for (index, activity) in activities.iter().enumerate() {
        let at = format!("/activity/{index}");
        activity.check(&at, &table_spec.dates, &|key| is_faulty(&faults, &at, key), &mut together);
    }
    faults.extend(together);
    Ok((Map { table: table_spec, activities }, faults))
}

/// Whether a key of an activity is there and wrong, in the activity or in common, so that it is not missing; of dates also
/// whether their forms are.
fn is_faulty(faults: &Faults, activity: &str, key: &str) -> bool {
    faults.as_slice().iter().any(|Fault { pointer, .. }| {
        let of_key = |place: &str| {
            let rest = pointer.strip_prefix(place)?;
            let rest = rest.strip_prefix('/').unwrap_or(rest).strip_prefix(key)?;
            Some(rest.is_empty() || rest.starts_with('/'))
        };
        let is_whole = pointer == activity || pointer == "/common";
        is_whole
            || [activity, "/common"].into_iter().any(|place| of_key(place) == Some(true))
            || (key.ends_with("Date") && pointer.starts_with("/table/dates"))
    })
}

/// What a part of the map says, as far as it can be read; `None` where it is no table.
fn section<'a, T>(json: &'a Json, at: &str, faults: &mut Faults, read: impl FnOnce(&mut Reader<'a>) -> T) -> Option<T> {
    match Reader::at(json, at, Members::Given) {
        Ok(mut reader) => {
            let read = read(&mut reader);
            faults.extend(reader.finish());
            Some(read)
        }
        Err(found) => {
            faults.extend(found);
            None
        }
    }
}
