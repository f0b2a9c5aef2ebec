//! `tonne partner deliveries` and `retry`: what became of events to a partner.

use anyhow::Result;
use clap::Args;
use files::Json;
use ports::inbound::{DeliveryState, DeliveryView, DeliveryWhat};
use ports::repo::Page;

use super::find;
use crate::command::context::{Context, IfAbsent};
use crate::command::credential::or_dash;
use crate::command::json::{array, count, object, optional, text};
use crate::command::terminal_table::{Align, Table};
use crate::command::{Ending, output};
use crate::counted::counted;

/// List the events to a partner and what became of each, the newest first.
#[derive(Debug, Args)]
pub(in crate::command) struct Deliveries {
    /// The partner, by its id or name.
    #[arg(value_name = "PARTNER")]
    partner: String,
    /// How many at most.
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Send at once what waits for a partner or was given up. The service does it, when it runs.
#[derive(Debug, Args)]
pub(in crate::command) struct Retry {
    /// The partner, by its id or name.
    #[arg(value_name = "PARTNER")]
    partner: String,
}

impl Deliveries {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let id = find(&app, &operator, &self.partner).await?.partner.value.id;
        let page = Page { number: 1, size: self.limit };
        let all = app.areas().exchange.deliveries(&operator, id, page).await?.data;
        output::say(&if self.json { array(all.iter().map(json)).to_string() } else { table(&all) })?;
        Ok(Ending::Done)
    }
}

impl Retry {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let id = find(&app, &operator, &self.partner).await?.partner.value.id;
        let again = app.areas().exchange.retry(&operator, id).await?;
        output::say(&format!("{} sent again", counted(again, "event is", "events are")))?;
        Ok(Ending::Done)
    }
}

const fn kind(what: DeliveryWhat) -> &'static str {
    match what {
        DeliveryWhat::Answer => "answer",
        DeliveryWhat::Published => "published",
        DeliveryWhat::Request => "request",
    }
}

const fn state(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Waiting => "waiting",
        DeliveryState::Sent => "sent",
        DeliveryState::GivenUp => "given up",
        DeliveryState::Dropped => "dropped",
    }
}

fn json(view: &DeliveryView) -> Json {
    object([
        ("id", text(&view.id)),
        ("event", text(kind(view.what))),
        ("pact", text(view.edition.segment())),
        ("about", text(&view.about)),
        ("state", text(state(view.state))),
        ("attempts", count(view.attempts.into())),
        ("tried", optional(view.tried)),
        ("answer", optional(view.answer.as_ref())),
        ("next", optional(view.next)),
        ("created", text(view.created)),
    ])
}

fn table(all: &[DeliveryView]) -> String {
    let columns = ["created", "event", "state", "attempts", "answer", "next", "about"];
    let mut table = Table::new(columns.map(|name| (name, if name == "attempts" { Align::Point } else { Align::Left })));
    for view in all {
        table.row([
            view.created.to_string(),
            kind(view.what).to_owned(),
            state(view.state).to_owned(),
            view.attempts.to_string(),
            or_dash(view.answer.as_ref()),
            or_dash(view.next),
            view.about.clone(),
        ]);
    }
    table.render()
}
