//! Charts as SVG: typed functions from exact amounts to marks. Their geometry is whole tenths of a pixel, worked out of exact
//! amounts; no figure passes through a float on the way.
//!
//! Each chart is a group with a title and a description; marks are links. One of them is reached by the tab key and the
//! others by arrows, and the table behind has every figure, so that nobody needs the drawing.

mod bar;
mod columns;
mod heat;
mod lines;
mod sankey;
mod scale;
mod strip;
mod treemap;

use std::fmt;

use maud::{Markup, html};

pub use bar::bar;
pub use columns::{Column, Columns, Part, columns};
pub use heat::{HeatRow, Square, heat};
pub use lines::{Line, Point, lines};
pub use sankey::{Flow, Place, sankey};
pub use scale::Scale;
pub use strip::{Stroke, strip};
pub use treemap::{Tile, treemap};

/// What a mark is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Of scope 1.
    Scope1,
    /// Of scope 2.
    Scope2,
    /// Of scope 3.
    Scope3,
    /// Without a scope: hatched, never by colour alone.
    NoScope,
    /// Of nothing in particular.
    Accent,
    /// A step of a scale from 1 to 5.
    Heat(u8),
}

impl Ink {
    /// The class of marks.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Scope1 => "f-scope1",
            Self::Scope2 => "f-scope2",
            Self::Scope3 => "f-scope3",
            Self::NoScope => "f-hatched",
            Self::Accent => "f-accent",
            Self::Heat(0 | 1) => "f-heat1",
            Self::Heat(2) => "f-heat2",
            Self::Heat(3) => "f-heat3",
            Self::Heat(4) => "f-heat4",
            Self::Heat(_) => "f-heat5",
        }
    }

    /// The class of its swatch in a legend.
    #[must_use]
    pub const fn swatch(self) -> &'static str {
        match self {
            Self::Scope1 => "scope1",
            Self::Scope2 => "scope2",
            Self::Scope3 => "scope3",
            Self::NoScope => "none",
            Self::Accent | Self::Heat(_) => "accent",
        }
    }
}

/// A number of tenths of a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Px(pub(crate) i64);

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match size % 10 {
            0 => write!(f, "{sign}{}", size / 10),
            tenth => write!(f, "{sign}{}.{tenth}", size / 10),
        }
    }
}

/// Wider ones are not made smaller than they can be read at: a narrow screen is moved along them.
const WIDE: Px = Px(8_000);

/// A chart of that size with its title and what it shows in a sentence; `id` is unique on its page.
fn drawing(id: &str, (width, height): (Px, Px), (title, description): (&str, &str), marks: &Markup) -> Markup {
    html! {
        svg class=(if width > WIDE { "chart wide" } else { "chart" }) role="group" aria-labelledby={ (id) "-title " (id) "-desc" } data-marks
            viewBox={ "0 0 " (width) " " (height) } xmlns="http://www.w3.org/2000/svg" {
            title id={ (id) "-title" } { (title) }
            desc id={ (id) "-desc" } { (description) }
            defs {
                pattern id={ (id) "-hatch" } width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    rect.f-bg width="5" height="5" {}
                    line.s-none x1="1" y1="0" x2="1" y2="5" {}
                }
            }
            (marks)
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) x: Px,
    pub(crate) y: Px,
    pub(crate) width: Px,
    pub(crate) height: Px,
}

/// A filled rectangle of the chart of that id.
fn filled(id: &str, Rect { x, y, width, height }: Rect, ink: Ink) -> Markup {
    html! {
        @if ink == Ink::NoScope {
            rect x=(x) y=(y) width=(width) height=(height) fill={ "url(#" (id) "-hatch)" } class="s-hair" {}
        } @else {
            rect x=(x) y=(y) width=(width) height=(height) class=(ink.class()) {}
        }
    }
}

/// A mark that leads somewhere and says what it is. The first of a chart is reached by the tab key.
fn mark(link: Option<&str>, says: &str, is_first: bool, shape: &Markup) -> Markup {
    html! {
        @if let Some(link) = link {
            a href=(link) aria-label=(says) tabindex=(if is_first { "0" } else { "-1" }) { title { (says) } (shape) }
        } @else {
            g { title { (says) } (shape) }
        }
    }
}
