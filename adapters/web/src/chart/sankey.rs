//! A sankey chart: bands from what goes in to where it counts, as thick as their amounts.

use domain::Total;
use maud::{Markup, html};

use super::treemap::clipped;
use super::{Ink, Px, Rect, drawing, filled, mark};
use crate::figure::Figures;

/// A band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// What goes in.
    pub from: String,
    /// Where it counts. Bands of one place stand together.
    pub to: String,
    /// How much it is, in kg. A removal, below zero, is an outline.
    pub amount: Total,
    /// Where it leads.
    pub link: Option<String>,
    /// Whether its place is one among the others.
    pub place: Place,
}

/// How the place of a band stands to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It is a part of the total.
    Counted,
    /// It is in no total, and stands apart.
    Apart,
}

const WIDTH: i64 = 8_000;
/// Where bands begin and end.
const LEFT: i64 = 2_100;
const RIGHT: i64 = 5_400;
/// The sum of all bands is so thick.
const THICK: i64 = 2_400;
/// The thinnest band that can be seen.
const LEAST: i64 = 10;
/// From one line of text to the next.
const LINE: i64 = 170;
/// Between places, and before the one that stands apart.
const GAP: i64 = 120;
const FAR: i64 = 360;

/// A band where it is drawn: its top at either end, and how thick it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Band {
    left: i64,
    right: i64,
    thick: i64,
}

/// A place with its bands.
struct Group<'a> {
    flows: Vec<(&'a Flow, Band)>,
    top: i64,
    thick: i64,
}

/// Draws the bands in the order of their places as they are given; `id` is unique on its page.
#[must_use]
pub fn sankey(id: &str, title: &str, flows: &[Flow], figures: &Figures) -> Markup {
    let groups = placed(flows);
    let bottom = |group: &Group<'_>| {
        let left = group.flows.iter().map(|(_, band)| band.left + band.thick.max(LINE)).max();
        left.unwrap_or(0).max(group.top + group.thick.max(2 * LINE))
    };
    let height = groups.iter().map(bottom).max().unwrap_or(0) + 20;
    let amount = |amount: Total| format!("{} {}", figures.text(amount), figures.unit());
    let first = groups.first().and_then(|group| group.flows.first()).map(|(flow, _)| *flow);
    let marks = html! {
        @for group in &groups {
            @let sum: Total = group.flows.iter().map(|(flow, _)| flow.amount).sum();
            @for (flow, band) in &group.flows {
                @let says = format!("{} to {}: {}", flow.from, flow.to, amount(flow.amount));
                @let is_first = first.is_some_and(|first| std::ptr::eq(first, *flow));
                (mark(flow.link.as_deref(), &says, is_first, &html! { g.box { path d=(shape(*band)) class=(class(flow)) {} } }))
                text.strong x=(Px(LEFT - 60)) y=(Px(band.left + band.thick / 2 + 40)) text-anchor="end" { (clipped(&flow.from, LEFT - 120)) }
            }
            @if let Some((flow, _)) = group.flows.first() {
                (filled(id, Rect { x: Px(RIGHT), y: Px(group.top), width: Px(80), height: Px(group.thick) }, Ink::Accent))
                text.strong x=(Px(RIGHT + 140)) y=(Px(group.top + 100)) { (clipped(&flow.to, WIDTH - RIGHT - 200)) }
                text x=(Px(RIGHT + 140)) y=(Px(group.top + 100 + LINE)) { (amount(sum)) @if flow.place == Place::Apart { ", in no total" } }
            }
        }
    };
    let description =
        "A band from each input to the stage it counts in, as thick as its CO₂e; an outline is below zero.";
    drawing(id, (Px(WIDTH), Px(height)), (title, description), &marks)
}

fn class(flow: &Flow) -> &'static str {
    if flow.amount < Total::ZERO { "f-before" } else { Ink::Heat(4).class() }
}

/// The flows by their places, from the top down; those of a place in the order in which they are given.
fn placed(flows: &[Flow]) -> Vec<Group<'_>> {
    let size = |total: Total| if total < Total::ZERO { -total } else { total };
    let whole: Total = flows.iter().map(|flow| size(flow.amount)).sum();
    let thick = |flow: &Flow| {
        let parts = size(flow.amount).parts_of(whole, THICK).and_then(|parts| i64::try_from(parts).ok());
        parts.unwrap_or(0).clamp(LEAST, THICK)
    };
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: Vec<(&str, Place)> = Vec::new();
    for flow in flows {
        if !places.contains(&(flow.to.as_str(), flow.place)) {
            places.push((&flow.to, flow.place));
        }
    }
    let (mut left, mut right) = (40, 40);
    for (index, (to, place)) in places.into_iter().enumerate() {
        if index > 0 {
            let gap = if place == Place::Apart { FAR } else { GAP };
            // What is at the same height on both sides is followed by the eye.
            left = left.max(right) + gap;
            right = left;
        }
        let mut group = Group { flows: Vec::new(), top: right, thick: 0 };
        for flow in flows.iter().filter(|flow| flow.to == to && flow.place == place) {
            let band = Band { left, right: group.top + group.thick, thick: thick(flow) };
            left += band.thick.max(LINE);
            group.thick += band.thick;
            group.flows.push((flow, band));
        }
        right += group.thick.max(2 * LINE);
        groups.push(group);
    }
    groups
}

fn shape(band: Band) -> String {
    let (x0, x1, middle) = (Px(LEFT), Px(RIGHT), Px(i64::midpoint(LEFT, RIGHT)));
    let (left, right) = (Px(band.left), Px(band.right));
    let (low, down) = (Px(band.left + band.thick), Px(band.right + band.thick));
    format!(
        "M{x0} {left}C{middle} {left} {middle} {right} {x1} {right}V{down}C{middle} {down} {middle} {low} {x0} {low}Z"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(to: &str, amount: &str, place: Place) -> Flow {
        let amount = Total::parse(amount).unwrap();
        Flow { from: "Steel".to_owned(), to: to.to_owned(), amount, link: None, place }
    }

    #[test]
    fn bands_are_as_thick_as_their_amounts_and_those_of_a_place_stand_together() {
        let flows = [
            flow("A1", "30", Place::Counted),
            flow("A3", "40", Place::Counted),
            flow("A1", "20", Place::Counted),
            flow("D", "-10", Place::Apart),
            flow("C4", "0.0000001", Place::Counted),
        ];
        let groups = placed(&flows);
        let thick: Vec<_> = groups.iter().map(|group| (group.flows[0].0.to.as_str(), group.thick)).collect();
        assert_eq!(thick, [("A1", 1_200), ("A3", 960), ("D", 240), ("C4", LEAST)]);
        for pair in groups.windows(2) {
            assert!(pair[1].top >= pair[0].top + pair[0].thick + GAP, "places overlap");
        }
        let [(_, one), (_, other)] = groups[0].flows.as_slice() else { panic!("two bands") };
        assert_eq!(other.right, one.right + one.thick);
        assert!(other.left >= one.left + one.thick);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(placed(&[]).is_empty());
        let only = flow("A1", "0", Place::Counted);
        assert_eq!(placed(std::slice::from_ref(&only))[0].thick, LEAST);
    }
}
