//! Stacked columns, with an outline of what they are compared with.

use domain::Total;
use maud::{Markup, html};

use super::{Ink, Px, Rect, Scale, drawing, filled, mark};
use crate::figure::Figures;

/// A chart of columns.
///
/// ```
/// # use domain::Total;
/// # use tonne_web::chart::{Column, Columns, Ink, Part, columns};
/// # use tonne_web::{Figures, Locale, figure::{Digits, Numbers}};
/// let (energy, fuel) = (Total::parse("1200")?, Total::parse("800")?);
/// let figures = Figures::of(Numbers::new(&Locale::default()), Digits::Fixed, [energy + fuel]);
/// let parts = vec![Part { ink: Ink::Scope1, name: "Scope 1", amount: fuel }, Part { ink: Ink::Scope2, name: "Scope 2", amount: energy }];
/// let column = Column { label: "Jan".into(), name: "2025-01".into(), parts, compared: None, link: Some("/report?date=2025-01".into()) };
/// let chart = Columns { id: "months", title: "CO2e by month", description: "Stacked by scope.", columns: &[column], figures: &figures };
/// assert!(columns(&chart).into_string().contains("/report?date=2025-01"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Unique on its page.
    pub id: &'a str,
    /// What it is.
    pub title: &'a str,
    /// What it shows, in a sentence.
    pub description: &'a str,
    /// The columns from left to right.
    pub columns: &'a [Column],
    /// How amounts are written.
    pub figures: &'a Figures,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What stands below it.
    pub label: String,
    /// What it is called.
    pub name: String,
    /// Its parts from the bottom up; those that are negative go down from zero.
    pub parts: Vec<Part>,
    /// What it is compared with; `None` where that has no data.
    pub compared: Option<Total>,
    /// Where it leads.
    pub link: Option<String>,
}

/// A part of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is filled with.
    pub ink: Ink,
    /// What it is called.
    pub name: &'static str,
    /// How much it is, in kg.
    pub amount: Total,
}

const WIDTH: i64 = 12_000;
const HEIGHT: i64 = 2_900;
const LEFT: i64 = 560;
const TOP: i64 = 100;
const BOTTOM: i64 = 220;

impl Column {
    fn above(&self) -> Total {
        self.parts.iter().map(|part| part.amount).filter(|amount| *amount > Total::ZERO).sum()
    }

    fn below(&self) -> Total {
        self.parts.iter().map(|part| part.amount).filter(|amount| *amount < Total::ZERO).sum()
    }

    fn says(&self, figures: &Figures) -> String {
        let parts: Vec<_> = self.parts.iter().filter(|part| !part.amount.is_zero()).collect();
        let amount = |amount| format!("{} {}", figures.text(amount), figures.unit());
        let all: Total = self.parts.iter().map(|part| part.amount).sum();
        let mut says = format!("{}: {}", self.name, amount(all));
        if parts.len() > 1 {
            let each: Vec<_> = parts.iter().map(|part| format!("{} {}", part.name, amount(part.amount))).collect();
            says = format!("{says} ({})", each.join(", "));
        }
        match self.compared {
            Some(compared) => format!("{says}; before {}", amount(compared)),
            None => says,
        }
    }
}

/// Draws it.
#[must_use]
pub fn columns(chart: &Columns<'_>) -> Markup {
    let Columns { id, columns, figures, .. } = *chart;
    let sums = columns.iter().flat_map(|column| [Some(column.above()), Some(column.below()), column.compared]);
    let scale = Scale::of(sums.flatten());
    let height = HEIGHT - TOP - BOTTOM;
    let y = |amount| TOP + height - scale.height(amount, height);
    let pitch = (WIDTH - LEFT) / i64::try_from(columns.len().max(1)).unwrap_or(1);
    let width = (pitch * 7 / 10).clamp(10, 700);
    let every = columns.len().div_ceil(26).max(1);
    let x = |index: usize| LEFT + pitch * i64::try_from(index).unwrap_or(0) + (pitch - width) / 2;
    let marks = html! {
        @for tick in scale.ticks() {
            line x1=(Px(LEFT)) x2=(Px(WIDTH)) y1=(Px(y(tick))) y2=(Px(y(tick))) class=(if tick.is_zero() { "axis" } else { "grid" }) {}
            text x=(Px(LEFT - 60)) y=(Px(y(tick) + 35)) text-anchor="end" { (figures.tick(tick)) }
        }
        text x="0" y="9" { (figures.unit()) }
        @for (index, column) in columns.iter().enumerate() {
            (mark(column.link.as_deref(), &column.says(figures), index == 0, &html! {
                rect.f-clear x=(Px(x(index) - (pitch - width) / 2)) y=(Px(TOP)) width=(Px(pitch)) height=(Px(height)) {}
                (stack(id, column, (x(index), width), &y))
                @if let Some(compared) = column.compared { (outline(compared, (x(index), width), &y)) }
            }))
            @if index % every == 0 {
                text x=(Px(x(index) + width / 2)) y=(Px(HEIGHT - BOTTOM + 150)) text-anchor="middle" { (column.label) }
            }
        }
    };
    drawing(id, (Px(WIDTH), Px(HEIGHT)), (chart.title, chart.description), &marks)
}

fn stack(id: &str, column: &Column, (x, width): (i64, i64), y: &dyn Fn(Total) -> i64) -> Markup {
    let (mut above, mut below) = (Total::ZERO, Total::ZERO);
    let mut rects = Vec::new();
    for part in column.parts.iter().filter(|part| !part.amount.is_zero()) {
        let side = if part.amount > Total::ZERO { &mut above } else { &mut below };
        let (from, to) = (*side, *side + part.amount);
        *side = to;
        let (top, bottom) = (y(from.max(to)), y(from.min(to)));
        let rect = Rect { x: Px(x), y: Px(top), width: Px(width), height: Px((bottom - top).max(5)) };
        rects.push((rect, part.ink));
    }
    html! { @for (rect, ink) in rects { (filled(id, rect, ink)) } }
}

/// The outline of what the column is compared with: a little wider, so that it is seen behind one of the same height.
fn outline(compared: Total, (x, width): (i64, i64), y: &dyn Fn(Total) -> i64) -> Markup {
    let (top, bottom) = (y(compared.max(Total::ZERO)), y(compared.min(Total::ZERO)));
    html! {
        rect.f-before x=(Px(x - 25)) y=(Px(top)) width=(Px(width + 50)) height=(Px(bottom - top)) {}
    }
}
