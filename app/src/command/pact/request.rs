//! `tonne pact request` and `requests`: a partner is asked for footprints by an event, and answers by one.

use anyhow::Result;
use clap::Args;
use files::Json;
use ports::inbound::{Done, Field, RequestDraft, RequestState, RequestView};
use ports::repo::Page;

use super::super::context::{Context, IfAbsent};
use super::super::credential::or_dash;
use super::super::json::{array, object, optional, text};
use super::super::terminal_table::{Align, Table};
use super::super::{Ending, output, partner};

/// Ask a partner for the footprints of products.
///
/// The request is sent by the running service, and answered by the partner's host at once or later: `tonne pact requests` shows
/// its state, `tonne pact pull PARTNER --announced` makes factors of what was sent.
#[derive(Debug, Args)]
pub(in crate::command) struct Request {
    /// The partner, by its id or name.
    #[arg(value_name = "PARTNER")]
    partner: String,
    /// A product by the partner's id or one that it knows; may be given more than once.
    #[arg(long = "product-id", value_name = "URN", required = true)]
    product_ids: Vec<String>,
    /// What is said beside it.
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List our requests to a partner and what became of each, the newest first.
#[derive(Debug, Args)]
pub(in crate::command) struct Requests {
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

impl Request {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let id = partner::find(&app, &operator, &self.partner).await?.partner.value.id;
        let draft = RequestDraft {
            product_ids: Field::Given(self.product_ids),
            comment: Field::of(self.comment),
            ..RequestDraft::default()
        };
        if let Done::New(view) = app.areas().exchange.request(&operator, id, draft, None).await? {
            output::say(&if self.json { json(&view).to_string() } else { format!("request {}", view.id) })?;
        }
        Ok(Ending::Done)
    }
}

impl Requests {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let id = partner::find(&app, &operator, &self.partner).await?.partner.value.id;
        let page = Page { number: 1, size: self.limit };
        let all = app.areas().exchange.requests(&operator, id, page).await?.data;
        output::say(&if self.json { array(all.iter().map(json)).to_string() } else { table(&all) })?;
        Ok(Ending::Done)
    }
}

const fn state(view: &RequestView) -> &'static str {
    match view.state {
        RequestState::Waiting => "waiting",
        RequestState::Sent => "sent",
        RequestState::Fulfilled(_) => "fulfilled",
        RequestState::Rejected { .. } => "rejected",
        RequestState::GivenUp(_) => "given up",
    }
}

/// The code and the reason of a request that came to nothing.
fn reason(view: &RequestView) -> (Option<&String>, Option<&String>) {
    match &view.state {
        RequestState::Rejected { code, message } => (Some(code), Some(message)),
        RequestState::GivenUp(why) => (None, Some(why)),
        RequestState::Waiting | RequestState::Sent | RequestState::Fulfilled(_) => (None, None),
    }
}

fn footprints(view: &RequestView) -> Vec<String> {
    match &view.state {
        RequestState::Fulfilled(all) => all.iter().map(ToString::to_string).collect(),
        RequestState::Waiting | RequestState::Sent | RequestState::Rejected { .. } | RequestState::GivenUp(_) => {
            Vec::new()
        }
    }
}

fn json(view: &RequestView) -> Json {
    let (code, message) = reason(view);
    object([
        ("id", text(&view.id)),
        ("productIds", array(view.product_ids.iter().map(text))),
        ("comment", optional(view.comment.as_ref())),
        ("pact", text(view.edition.segment())),
        ("state", text(state(view))),
        ("footprints", array(footprints(view).iter().map(text))),
        ("code", optional(code)),
        ("message", optional(message)),
        ("created", text(view.created)),
        ("answered", optional(view.answered)),
    ])
}

fn table(all: &[RequestView]) -> String {
    let columns = ["created", "products", "state", "answered", "what came"];
    let mut table = Table::new(columns.map(|name| (name, Align::Left)));
    for view in all {
        let came = match reason(view) {
            (Some(code), Some(message)) => format!("{code}: {message}"),
            (_, Some(why)) => why.clone(),
            (_, None) => footprints(view).join(", "),
        };
        table.row([
            view.created.to_string(),
            view.product_ids.join(", "),
            state(view).to_owned(),
            or_dash(view.answered),
            came,
        ]);
    }
    table.render()
}
