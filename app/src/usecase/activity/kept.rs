//! Supplied amounts that a change keeps though what they were supplied for is another by now.

use domain::{Activity, Co2e, FaultCode, Faults};
use ports::inbound::{ActivityDraft, Field};

/// Notes each supplied amount of `before` that `activity` keeps, where its quantity, its unit or its product changes. An amount
/// that the draft states anew is no kept one, unless the draft is an answer that is written back.
pub(super) fn warn_of_kept_amounts(
    warnings: &mut Faults,
    draft: &ActivityDraft,
    before: &Activity,
    activity: &Activity,
) {
    let Some(what) = changed(before, activity) else { return };
    let (was, is) = (before.calculation.supplied(), activity.calculation.supplied());
    let is_written_back = draft.read_back.supplied.is_some();
    for (name, part, was, is) in [
        ("UpstreamCO2e", &draft.upstream, was.upstream, is.upstream),
        ("DownstreamCO2e", &draft.downstream, was.downstream, is.downstream),
        ("biogenicCO2", &draft.biogenic, before.stated.biogenic, activity.stated.biogenic),
    ] {
        let Some(kept) = is.filter(|is| was == Some(*is)) else { continue };
        if is_written_back || matches!(part, Field::Absent) {
            warnings.add_coded(FaultCode::Mismatch, format!("/{name}"), sentence(kept, &what));
        }
    }
}

fn sentence(kept: Co2e, what: &str) -> String {
    format!(
        "was supplied and stays {kept} kg, though {what}: give the amount that belongs to it, or null to have it computed"
    )
}

/// What changes of that which amounts are supplied for; `None` where nothing does, or there was nothing.
fn changed(before: &Activity, activity: &Activity) -> Option<String> {
    let was = before.measured?;
    match activity.measured {
        Some(is) if is != was => {
            Some(format!("the quantity changes from {} {} to {} {}", was.quantity, was.unit, is.quantity, is.unit))
        }
        Some(_) if activity.product != before.product => Some("the product changes".to_owned()),
        Some(_) => None,
        None => Some(format!("the quantity of {} {} goes", was.quantity, was.unit)),
    }
}
