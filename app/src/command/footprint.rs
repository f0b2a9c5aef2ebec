//! `tonne footprint`: footprints that are made of models.

mod said;
mod shown;

use anyhow::{Error as Anyhow, Result, anyhow};
use clap::{Args, Subcommand};
use domain::footprint::publish::PublishingCompany;
use domain::{Faults, ModelId};
use ports::RecordKind;
use ports::inbound::{Error, PublishDraft, SaidEarlier};

use super::context::{Context, IfAbsent};
use super::{Ending, Usage, find_record, output};
use said::Said;

/// Make product carbon footprints of models, for partners who read PACT.
#[derive(Debug, Subcommand)]
pub(super) enum FootprintCommand {
    Publish(Box<Publish>),
}

/// Make the footprint of a model, in the form of PACT 3, and deprecate the one before.
///
/// It counts the model's inputs up to the gate: stages A0 to A3 and inputs without a stage. What cannot be computed is asked for
/// by the names of options, all at once; what was said for the model's last footprint holds until something else is said.
/// Where nothing has changed, nothing happens.
#[derive(Debug, Args)]
pub(super) struct Publish {
    /// The model, by its syncId, name or UUID.
    #[arg(value_name = "MODEL")]
    model: String,
    #[command(flatten)]
    said: Said,
    /// What was said for the model's last footprint does not count.
    #[arg(long)]
    anew: bool,
    /// Write nothing; show what would be published.
    #[arg(long)]
    dry_run: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl FootprintCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Publish(command) => command.run(context).await,
        }
    }
}

impl Publish {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = if self.dry_run {
            context.operated_app_to_read().await?
        } else {
            context.operated_app(IfAbsent::Refuse).await?
        };
        let tenant = app.find_tenant_by_id(operator.tenant).await?;
        let tenant = tenant.ok_or_else(|| anyhow!("the company was removed meanwhile"))?;
        let model = ModelId::new(find_record::find(&app, &operator, RecordKind::Model, &self.model).await?);
        let draft = PublishDraft {
            company: PublishingCompany { name: tenant.statement.company.unwrap_or(tenant.name), ids: Vec::new() },
            said: self.said.fields()?,
            earlier: if self.anew { SaidEarlier::Dropped } else { SaidEarlier::Holds },
            faults: Faults::new(),
        };
        let footprints = &app.areas().footprints;
        let done = if self.dry_run {
            footprints.preview(&operator, model, draft).await
        } else {
            footprints.publish_once(&operator, model, draft, None).await.and_then(ports::inbound::Done::only_now)
        };
        let done = done.map_err(|error| refused(error, &self.model))?;
        output::say(&if self.json { shown::json(&done)?.to_string() } else { shown::told(&done, &self.model) })?;
        Ok(Ending::Done)
    }
}

/// Faults by the options that mend them.
fn refused(error: Error, model: &str) -> Anyhow {
    let Error::Invalid(faults) = error else {
        return Anyhow::new(error).context(format!("the footprint of {model} was not published"));
    };
    let mut text = format!("the footprint of {model} was not published:");
    for fault in faults.as_slice() {
        let option = said::option(&fault.pointer).map_or_else(|| fault.pointer.clone(), |name| format!("--{name}"));
        text += &["\n  ", &option, " ", &fault.detail].concat();
    }
    Usage(text).into()
}
