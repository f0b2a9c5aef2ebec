//! A strip of small columns: how many there are, month by month.

use maud::{Markup, html};

use super::{Ink, Px, Rect, drawing, filled, mark};

/// One column of a strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// What it is called and how many it is, in words.
    pub says: String,
    /// How many.
    pub count: u64,
    /// Where it leads.
    pub link: Option<String>,
    /// Whether it is what the page is about.
    pub is_chosen: bool,
}

const HEIGHT: i64 = 420;
const WIDTH: i64 = 9_000;

/// Draws it; `id` is unique on its page.
#[must_use]
pub fn strip(id: &str, title: &str, strokes: &[Stroke]) -> Markup {
    let most = i128::from(strokes.iter().map(|stroke| stroke.count).max().unwrap_or(0).max(1));
    let pitch = WIDTH / i64::try_from(strokes.len().max(12)).unwrap_or(12);
    let marks = html! {
        line.axis x1="0" x2=(Px(WIDTH)) y1=(Px(HEIGHT - 5)) y2=(Px(HEIGHT - 5)) {}
        @for (index, stroke) in strokes.iter().enumerate() {
            @let x = pitch * i64::try_from(index).unwrap_or(0);
            @let parts = i128::from(stroke.count) * i128::from(HEIGHT - 20) / most;
            @let height = i64::try_from(parts).unwrap_or(0).max(if stroke.count == 0 { 0 } else { 15 });
            (mark(stroke.link.as_deref(), &stroke.says, index == 0, &html! {
                rect.f-clear x=(Px(x)) y="0" width=(Px(pitch)) height=(Px(HEIGHT)) {}
                (filled(id, Rect { x: Px(x + pitch / 10), y: Px(HEIGHT - 10 - height), width: Px(pitch * 8 / 10), height: Px(height) },
                    if stroke.is_chosen { Ink::Accent } else { Ink::Heat(3) }))
            }))
        }
    };
    drawing(
        id,
        (Px(WIDTH), Px(HEIGHT)),
        (title, "A column for each month; its height is the number of activities."),
        &marks,
    )
}
