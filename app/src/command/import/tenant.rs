//! `tonne import tenant`: a whole company from the file of an export.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use domain::{Name, StatementSettings, YearStart};
use files::{TenantError, TenantHeader};
use ports::directory::Tenant;
use ports::{RecordKind, TenantSlug};

use super::super::context::{Context, IfAbsent};
use super::super::json::{count, members, text};
use super::super::{Ending, Usage, output};
use super::counts_of;
use super::input::Input;
use crate::App;
use crate::app::single_tenant;
use crate::config::Mode;
use crate::counted::counted;
use crate::usecase::transfer::{Credentials, ImportError, Imported, Incoming};

/// Import a whole company from the file of `tonne export`.
///
/// The company is made, or is there and empty. The file is checked to its last line before anything is stored: its
/// digest, every record's, and the change chain. All of it is imported or nothing.
#[derive(Debug, Args)]
pub(in crate::command) struct ImportTenant {
    /// The file; - is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The company's slug here [default: that of --tenant, else the one in the file].
    #[arg(long = "as", value_name = "SLUG", value_parser = TenantSlug::parse)]
    slug: Option<TenantSlug>,
    /// What the company is called here [default: as in the file].
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    name: Option<Name>,
    /// Give the company an identifier of its own, where one of the same identifier is here.
    #[arg(long)]
    new_id: bool,
    /// Restore clients and keys, which must be in the file.
    #[arg(long)]
    with_credentials: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The company that is filled, and whether it was made for that.
struct Target {
    tenant: Tenant,
    is_new: bool,
}

impl ImportTenant {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let input = Input::new(self.file.clone());
        let (source, bar) = input.open_text()?;
        let incoming = Incoming::open(source).map_err(|error| refused(&input.name(), error.into()))?;
        if self.with_credentials && !incoming.header().credentials {
            return Err(refused(&input.name(), ImportError::NoCredentials));
        }
        let app = context.app_without_tenant(IfAbsent::Make).await?;
        let target = self.target(&app, context.named_tenant(), incoming.header()).await?;
        let credentials = if self.with_credentials { Credentials::Carried } else { Credentials::LeftOut };
        let (year_start, statement) = (incoming.header().tenant.year_start, incoming.header().tenant.statement.clone());
        let skipped = incoming.header().credentials && !self.with_credentials;
        let imported = app.import_tenant(&target.tenant, credentials, incoming).await;
        bar.finish_and_clear();
        let imported = match imported {
            Ok(imported) => imported,
            Err(error) => {
                let error = refused(&input.name(), error);
                return Err(if target.is_new { take_back(&app, &target.tenant, error).await } else { error });
            }
        };
        settle_year_start(&app, &target.tenant, year_start).await?;
        settle_statement(&app, &target.tenant, statement).await?;
        if skipped {
            output::note("clients and keys stayed behind: --with-credentials restores them");
        }
        output::say(&if self.json { json(&target, &imported) } else { summary(&target, &imported) })?;
        app.close().await;
        Ok(Ending::Done)
    }

    /// Finds the company that is to be filled, or makes it.
    async fn target(&self, app: &App, named: Option<&TenantSlug>, header: &TenantHeader) -> Result<Target> {
        let given = self.slug.as_ref().or(named);
        let slug = if app.config().tenancy.mode == Mode::Single {
            let single = single_tenant()?;
            if let Some(other) = given.filter(|given| **given != single) {
                return Err(Usage(format!(
                    "there can be no company {other} here: with tenancy.mode single there is {single} alone; leave out --as \
                     and --tenant, or set the mode to path or host"
                ))
                .into());
            }
            single
        } else {
            given.unwrap_or(&header.tenant.slug).clone()
        };
        if let Some(tenant) = app.find_tenant(&slug).await? {
            if self.name.as_ref().is_some_and(|name| *name != tenant.name) {
                return Err(
                    Usage(format!("{slug} is there and called {:?}: leave out --name", tenant.name.as_str())).into()
                );
            }
            return Ok(Target { tenant, is_new: false });
        }
        let (id, created) = if self.new_id {
            let now = app.clock().now();
            (app.ids().next(now).into(), now)
        } else {
            (header.tenant.id, header.tenant.created)
        };
        if let Some(there) = app.find_tenant_by_id(id).await? {
            bail!(
                "this company is here already, as {}: --new-id imports it a second time, with an identifier of its own",
                there.slug
            );
        }
        let name = self.name.as_ref().unwrap_or(&header.tenant.name).clone();
        let (epoch, year_start) = (app.ids().random(), header.tenant.year_start);
        let statement = header.tenant.statement.clone();
        let tenant = Tenant { id, slug, name, created, epoch, year_start, statement };
        app.adopt_tenant(&tenant).await.with_context(|| format!("{} cannot be made", tenant.slug))?;
        Ok(Target { tenant, is_new: true })
    }
}

/// Takes over the day on which years begin, but where the company that was filled has a day of its own.
async fn settle_year_start(app: &App, tenant: &Tenant, in_file: YearStart) -> Result<()> {
    let (slug, own) = (&tenant.slug, tenant.year_start);
    if own == in_file {
        return Ok(());
    }
    if own == YearStart::default() {
        app.set_year_start(tenant, in_file).await?;
    } else {
        output::note(&format!(
            "years of {slug} begin on {own} as before, in the file on {in_file}: `tonne tenant set {slug} --year-start \
             {in_file}` takes that over"
        ));
    }
    Ok(())
}

/// Takes over what is stated for inventory statements, but where the company that was filled states something of its own.
async fn settle_statement(app: &App, tenant: &Tenant, in_file: StatementSettings) -> Result<()> {
    if tenant.statement == in_file {
        return Ok(());
    }
    if tenant.statement.is_empty() {
        app.set_statement(tenant, in_file).await?;
    } else {
        let slug = &tenant.slug;
        output::note(&format!(
            "{slug} states for its inventory what it stated before, and the file something else: `tonne tenant set {slug}` \
             takes that over, word by word"
        ));
    }
    Ok(())
}

/// Removes a company that was made for an import that failed, unless another import has filled it, and gives the import's
/// error.
async fn take_back(app: &App, tenant: &Tenant, error: anyhow::Error) -> anyhow::Error {
    match app.take_back_tenant(tenant).await {
        Ok(_) => error,
        Err(left) => error.context(format!(
            "the import failed, and {slug}, which was made for it, could not be taken back ({left}): `tonne tenant remove \
             {slug}` removes it",
            slug = tenant.slug
        )),
    }
}

/// Says which file it is that was refused.
fn refused(name: &str, error: ImportError) -> anyhow::Error {
    let sentence = match &error {
        ImportError::File(_) => format!("{name} {error}; nothing was imported"),
        ImportError::Store(_) => format!("{name} cannot be imported; nothing of it was stored"),
        ImportError::NoCredentials
        | ImportError::Taken(_)
        | ImportError::Differs(_)
        | ImportError::NotEmpty
        | ImportError::Refused(_) => {
            return anyhow::Error::msg(format!("{name} {error}"));
        }
    };
    match error {
        ImportError::File(TenantError::Line { .. }) => anyhow::Error::msg(sentence),
        ImportError::File(TenantError::Read(cause)) => anyhow::Error::new(cause).context(sentence),
        ImportError::Store(cause) => anyhow::Error::new(cause).context(sentence),
        ImportError::NoCredentials
        | ImportError::Taken(_)
        | ImportError::Differs(_)
        | ImportError::NotEmpty
        | ImportError::Refused(_) => anyhow::Error::new(error),
    }
}

fn summary(target: &Target, imported: &Imported) -> String {
    let counts = &imported.counts;
    format!(
        "{}{}: {}, {} of them activities, {} and {} imported",
        target.tenant.slug,
        if target.is_new { " (new)" } else { "" },
        counted(counts.all_records(), "record", "records"),
        counts.of(RecordKind::Activity),
        counted(counts.changes, "change", "changes"),
        counted(imported.credentials, "credential", "credentials")
    )
}

fn json(target: &Target, imported: &Imported) -> String {
    let tenant = &target.tenant;
    let mut all = members([
        ("tenant", text(&tenant.slug)),
        ("uuid", text(tenant.id)),
        ("created", files::Json::Bool(target.is_new)),
    ]);
    all.extend(counts_of(&imported.counts));
    all.extend(members([("credentials", count(imported.credentials))]));
    files::Json::Object(all).to_string()
}
