//! A heat map: a square for each row and month, darker where there is more, hatched where something is missing.

use maud::{Markup, html};

use super::{Ink, Px, Rect, drawing, filled, mark};

/// A square of a heat map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// What it is, in words.
    pub says: String,
    /// How many there are.
    pub count: u64,
    /// Whether something is missing.
    pub is_missing: bool,
    /// Where it leads.
    pub link: Option<String>,
}

/// A row of a heat map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeatRow {
    /// What it is called.
    pub name: String,
    /// Its squares, one for each column.
    pub squares: Vec<Square>,
}

const WIDTH: i64 = 9_000;
const NAMES: i64 = 1_900;
const ROW: i64 = 240;
const HEAD: i64 = 220;
/// So many letters of a name are beside its row; its squares say all of it.
const LETTERS: usize = 28;

/// Draws it; `id` is unique on its page. `columns` are what the columns are called.
#[must_use]
pub fn heat(id: &str, title: &str, columns: &[String], rows: &[HeatRow]) -> Markup {
    let most = rows.iter().flat_map(|row| &row.squares).map(|square| square.count).max().unwrap_or(0);
    let pitch = (WIDTH - NAMES) / whole(columns.len().max(12));
    let height = HEAD + ROW * whole(rows.len());
    let first = rows.iter().position(|row| row.squares.iter().any(|square| square.link.is_some()));
    let marks = html! {
        @for (index, column) in columns.iter().enumerate() {
            text x=(Px(NAMES + pitch * whole(index) + pitch / 2)) y="14" text-anchor="middle" { (column) }
        }
        @for (at, row) in rows.iter().enumerate() {
            @let y = HEAD + ROW * whole(at);
            text.strong x=(Px(NAMES - 80)) y=(Px(y + 165)) text-anchor="end" { (short(&row.name)) }
            @let tabbed = row.squares.iter().position(|square| square.link.is_some()).filter(|_| first == Some(at));
            @for (index, square) in row.squares.iter().enumerate() {
                @let x = NAMES + pitch * whole(index);
                @let rect = Rect { x: Px(x + 10), y: Px(y + 10), width: Px(pitch - 20), height: Px(ROW - 20) };
                (mark(square.link.as_deref(), &square.says, tabbed == Some(index), &html! {
                    rect.f-clear x=(Px(x)) y=(Px(y)) width=(Px(pitch)) height=(Px(ROW)) {}
                    @match (square.count, square.is_missing) {
                        (0, false) => {},
                        (0, true) => (filled(id, rect, Ink::NoScope)),
                        (count, _) => (filled(id, rect, Ink::Heat(step(count, most)))),
                    }
                    @if square.is_missing {
                        rect.f-bg x=(Px(x + pitch / 2 - 60)) y=(Px(y + 55)) width="12" height="13" rx="2" {}
                        text.strong x=(Px(x + pitch / 2)) y=(Px(y + 160)) text-anchor="middle" { "!" }
                    }
                }))
            }
        }
    };
    let says = "A square for each month; darker is more activities, hatched with an exclamation mark is a month without data where \
                there usually is some.";
    drawing(id, (Px(WIDTH), Px(height)), (title, says), &marks)
}

/// The step of the scale, from 1 to 5.
fn step(count: u64, most: u64) -> u8 {
    let step = u128::from(count) * 5 / u128::from(most.max(1));
    u8::try_from(step).unwrap_or(5).clamp(1, 5)
}

fn short(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        name.to_owned()
    } else {
        format!("{}…", name.chars().take(LETTERS - 1).collect::<String>())
    }
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX / WIDTH)
}
