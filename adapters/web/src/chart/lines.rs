//! Lines: amounts over time, such as the factors of a product.

use std::fmt::Write as _;

use domain::Total;
use maud::{Markup, html};

use super::{Px, Scale, drawing, mark};

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is called.
    pub name: String,
    /// Its points from left to right, evenly spaced; a gap where there is none.
    pub points: Vec<Option<Point>>,
}

/// A point of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// How high it is.
    pub amount: Total,
    /// What it is called and how much it is, in words.
    pub says: String,
    /// Where it leads.
    pub link: Option<String>,
}

const WIDTH: i64 = 12_000;
const HEIGHT: i64 = 2_400;
const LEFT: i64 = 560;
const BOTTOM: i64 = 200;
const TOP: i64 = 80;

/// Draws them; `labels` stand below, `id` is unique on its page, and `tick` writes an amount beside the axis.
#[must_use]
pub fn lines(id: &str, title: &str, labels: &[String], all: &[Line], tick: &dyn Fn(Total) -> String) -> Markup {
    let points = || all.iter().flat_map(|line| &line.points).flatten();
    let scale = Scale::of(points().map(|point| point.amount));
    let height = HEIGHT - TOP - BOTTOM;
    let y = |amount| TOP + height - scale.height(amount, height);
    let pitch = (WIDTH - LEFT) / i64::try_from(labels.len().max(1)).unwrap_or(1);
    let x = |index: usize| LEFT + pitch / 2 + pitch * i64::try_from(index).unwrap_or(0);
    let every = labels.len().div_ceil(26).max(1);
    let marks = html! {
        @for at in scale.ticks() {
            line x1=(Px(LEFT)) x2=(Px(WIDTH)) y1=(Px(y(at))) y2=(Px(y(at))) class=(if at.is_zero() { "axis" } else { "grid" }) {}
            text x=(Px(LEFT - 60)) y=(Px(y(at) + 35)) text-anchor="end" { (tick(at)) }
        }
        @for (index, label) in labels.iter().enumerate().filter(|(index, _)| index % every == 0) {
            text x=(Px(x(index))) y=(Px(HEIGHT - 50)) text-anchor="middle" { (label) }
        }
        @for line in all { path.s-line d=(path(line, &x, &y)) { title { (line.name) } } }
        @for (index, point) in all.iter().flat_map(|line| line.points.iter().enumerate()) {
            @if let Some(point) = point {
                (mark(point.link.as_deref(), &point.says, index == 0, &html! {
                    circle.f-accent cx=(Px(x(index))) cy=(Px(y(point.amount))) r="3.5" {}
                }))
            }
        }
    };
    drawing(
        id,
        (Px(WIDTH), Px(HEIGHT)),
        (title, "A point for each stretch of time, joined where both have data."),
        &marks,
    )
}

fn path(line: &Line, x: &dyn Fn(usize) -> i64, y: &dyn Fn(Total) -> i64) -> String {
    let (mut path, mut draws) = (String::new(), false);
    for (index, point) in line.points.iter().enumerate() {
        if let Some(point) = point {
            let letter = if draws { 'L' } else { 'M' };
            // Writing to a string does not fail.
            let _ = write!(path, "{letter}{} {}", Px(x(index)), Px(y(point.amount)));
        }
        draws = point.is_some();
    }
    path
}
