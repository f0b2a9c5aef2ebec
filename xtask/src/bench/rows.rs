//! The rows of the table, each on its own.

mod beside;
mod factors;
mod footprints;
mod import;
mod measures;
mod pages;
mod points;
mod report;
mod start;
mod stream;
mod tokens;
mod verify;
mod web;
mod writes;

use clap::ValueEnum;

use super::figure::Figure;
use super::subject::Subject;
use super::table::line;

/// A row of the table, or a group that is measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Row {
    /// Import of activities on random days; makes the store anew that the other rows are measured on.
    Import,
    /// Import of activities on ascending days.
    Ascending,
    /// Import of activities with random syncIds.
    Scattered,
    /// From the start of a service until it answers and until its first report; its memory.
    Start,
    /// Reports: new questions, questions asked before, `ETag` hits.
    Report,
    /// Reports and breakdowns where activities have five measures, and where they have none.
    Measures,
    /// One activity and one switch by 16 connections.
    Points,
    /// Pages of activities, by number and by link.
    Pages,
    /// The dashboard, reports and lists of activities in a browser.
    Web,
    /// All activities in one answer.
    Stream,
    /// `tonne verify`.
    Verify,
    /// Single writes by 32 clients and by one.
    Writes,
    /// An import beside one writer and beside 32.
    Beside,
    /// An import beside a slow reader of all activities.
    Slow,
    /// Tokens for 32 clients.
    Tokens,
    /// Published factors found by words among 50,000.
    Factors,
    /// Lists of 100,000 footprints, for ourselves and for a partner that may read 5,000.
    Footprints,
}

impl Row {
    /// Measures it; a failure is a figure that misses its goal.
    pub(super) fn measure(self, subject: &Subject) -> Vec<Figure> {
        let mut figures = Figures(Vec::new());
        let done = match self {
            Self::Import => import::random(subject, &mut figures),
            Self::Ascending => import::ascending(subject, &mut figures),
            Self::Scattered => import::scattered(subject, &mut figures),
            Self::Report => report::measure(subject, &mut figures),
            Self::Measures => measures::measure(subject, &mut figures),
            Self::Points => points::measure(subject, &mut figures),
            Self::Pages => pages::measure(subject, &mut figures),
            Self::Web => web::measure(subject, &mut figures),
            Self::Stream => stream::measure(subject, &mut figures),
            Self::Verify => verify::measure(subject, &mut figures),
            Self::Writes => writes::measure(subject, &mut figures),
            Self::Beside => beside::writers(subject, &mut figures),
            Self::Slow => beside::slow_reader(subject, &mut figures),
            Self::Tokens => tokens::measure(subject, &mut figures),
            Self::Factors => factors::measure(subject, &mut figures),
            Self::Footprints => footprints::measure(subject, &mut figures),
            Self::Start => start::measure(subject, &mut figures),
        };
        if let Err(error) = done {
            let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
            figures.add(Figure::new(format!("{name}, all of it"), super::figure::Unit::Ratio, Err(error)));
        }
        figures.0
    }
}

/// What was measured so far; each figure is printed as it comes.
struct Figures(Vec<Figure>);

impl Figures {
    fn add(&mut self, figure: Figure) {
        eprintln!("{}", line(&figure));
        self.0.push(figure);
    }
}

/// A goal that is one figure for each kind of store.
type Goals = (super::figure::Goal, super::figure::Goal);

/// The goal for the subject's store.
fn goal(subject: &Subject, (sqlite, postgres): Goals) -> super::figure::Goal {
    subject.kind.pick(sqlite, postgres)
}
