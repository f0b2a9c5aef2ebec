//! A treemap: rectangles whose areas are amounts.

use domain::Total;
use maud::{Markup, html};

use super::{Ink, Px, Rect, drawing, filled, mark};
use crate::figure::Figures;

/// A rectangle of a treemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// What it is called.
    pub name: String,
    /// How much it is, in kg. Only what is above zero has an area.
    pub amount: Total,
    /// Where it leads.
    pub link: Option<String>,
}

const WIDTH: i64 = 5_600;
const HEIGHT: i64 = 2_600;
/// So wide are letters, roughly.
const LETTER: i64 = 62;

/// Draws it, the largest first; `id` is unique on its page.
#[must_use]
pub fn treemap(id: &str, title: &str, tiles: &[Tile], figures: &Figures) -> Markup {
    let mut tiles: Vec<&Tile> = tiles.iter().filter(|tile| tile.amount > Total::ZERO).collect();
    tiles.sort_by(|one, other| other.amount.cmp(&one.amount).then_with(|| one.name.cmp(&other.name)));
    let mut placed = Vec::new();
    let whole = Rect { x: Px(0), y: Px(0), width: Px(WIDTH), height: Px(HEIGHT) };
    place(&tiles, whole, &mut placed);
    let count = placed.len();
    let marks = html! {
        @for (index, (tile, rect)) in placed.iter().enumerate() {
            @let says = format!("{}: {}", tile.name, written(tile, figures));
            (mark(tile.link.as_deref(), &says, index == 0, &html! {
                g.box { (filled(id, *rect, if index * 3 < count { Ink::Heat(2) } else { Ink::Heat(1) })) }
            }))
        }
        // Not in the links: what is clipped would not be what they are called.
        g aria-hidden="true" pointer-events="none" {
            @for (tile, rect) in &placed { (label(tile, *rect, figures)) }
        }
    };
    drawing(id, (Px(WIDTH), Px(HEIGHT)), (title, "A rectangle for each; its area is its CO₂e."), &marks)
}

fn written(tile: &Tile, figures: &Figures) -> String {
    format!("{} {}", figures.text(tile.amount), figures.unit())
}

/// The name and the amount of a tile, as far as it has place for them.
fn label(tile: &Tile, rect: Rect, figures: &Figures) -> Markup {
    let (x, width) = (Px(rect.x.0 + 70), rect.width.0 - 120);
    html! {
        @if rect.width.0 > 500 && rect.height.0 > 180 {
            text.strong x=(x) y=(Px(rect.y.0 + 150)) { (clipped(&tile.name, width)) }
        }
        @if rect.width.0 > 500 && rect.height.0 > 330 {
            text.strong x=(x) y=(Px(rect.y.0 + 290)) { (clipped(&written(tile, figures), width)) }
        }
    }
}

/// Places the tiles in the rectangle: divided into two groups of about the same sum, across its longer side.
fn place<'a>(tiles: &[&'a Tile], rect: Rect, placed: &mut Vec<(&'a Tile, Rect)>) {
    let (first, rest) = match tiles {
        [] => return,
        [one] => return placed.push((one, rect)),
        [_, ..] => halves(tiles),
    };
    let sum = |tiles: &[&Tile]| tiles.iter().map(|tile| tile.amount).sum::<Total>();
    let of = |length: Px| {
        let parts = sum(first).parts_of(sum(tiles), length.0).and_then(|parts| i64::try_from(parts).ok());
        parts.unwrap_or(0).clamp(0, length.0)
    };
    let (mut one, mut other) = (rect, rect);
    if rect.width >= rect.height {
        let width = of(rect.width);
        (one.width, other.x, other.width) = (Px(width), Px(rect.x.0 + width), Px(rect.width.0 - width));
    } else {
        let height = of(rect.height);
        (one.height, other.y, other.height) = (Px(height), Px(rect.y.0 + height), Px(rect.height.0 - height));
    }
    place(first, one, placed);
    place(rest, other, placed);
}

/// The tiles in two groups, neither empty, the first at least about half of the sum.
fn halves<'a, 't>(tiles: &'t [&'a Tile]) -> (&'t [&'a Tile], &'t [&'a Tile]) {
    let all: Total = tiles.iter().map(|tile| tile.amount).sum();
    let (mut sum, mut count) = (Total::ZERO, 0);
    while count + 1 < tiles.len() && sum + sum < all {
        sum += tiles.get(count).map_or(Total::ZERO, |tile| tile.amount);
        count += 1;
    }
    tiles.split_at(count.max(1))
}

/// As much of the text as fits.
pub(super) fn clipped(text: &str, width: i64) -> String {
    let most = usize::try_from(width / LETTER).unwrap_or(0);
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    if start.trim().is_empty() { String::new() } else { format!("{}…", start.trim_end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_the_amounts_and_cover_all() {
        let tile = |amount: &str| Tile { name: amount.to_owned(), amount: Total::parse(amount).unwrap(), link: None };
        let tiles = [tile("50"), tile("25"), tile("15"), tile("10")];
        let mut placed = Vec::new();
        let whole = Rect { x: Px(0), y: Px(0), width: Px(1_000), height: Px(1_000) };
        place(&tiles.iter().collect::<Vec<_>>(), whole, &mut placed);
        let areas: Vec<i64> = placed.iter().map(|(_, rect)| rect.width.0 * rect.height.0 / 10_000).collect();
        assert_eq!(areas, [50, 25, 15, 10]);
    }
}
