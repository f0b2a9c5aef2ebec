//! What is wrong, or may soon be, with an installation: each finding with the way to mend it. Nothing is changed.

mod certificate;
mod clock;
mod credentials;
mod database;
mod files;
mod growth;
mod logs;
mod settings;
mod start;
mod store;

use domain::Timestamp;
use ports::clock::Clock as _;

use crate::App;
use crate::app::{inspect, must_be_there};
use crate::clock::SystemClock;
use crate::config::Config;

pub(crate) use settings::clear_sessions;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something does not work, is damaged or open to others.
    Error,
    /// Something may go wrong, or is less safe than it could be.
    Warning,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was looked at, such as `permissions`: a word that scripts may compare.
    pub check: &'static str,
    /// Where: a file, a setting, a company.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// How to mend it.
    pub mend: String,
}

impl Finding {
    fn error(check: &'static str, place: impl Into<String>, what: impl Into<String>, mend: impl Into<String>) -> Self {
        let (place, what, mend) = (place.into(), what.into(), mend.into());
        Self { severity: Severity::Error, check, place, what, mend }
    }

    fn warning(
        check: &'static str,
        place: impl Into<String>,
        what: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Warning, ..Self::error(check, place, what, mend) }
    }
}

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What takes seconds.
    Quick,
    /// Everything that is stored too, as `tonne verify` does.
    Deep,
}

/// Looks at the installation of that configuration. Errors come first.
pub async fn examine(config: &Config, depth: Depth) -> Vec<Finding> {
    let now = SystemClock.now();
    let mut findings = settings::look(config);
    findings.extend(start::of_settings(config));
    findings.extend(certificate::look(config, now));
    if config.database.url.is_none() {
        findings.extend(files::look(&config.store));
        findings.extend(clock::look_at_files(&config.store.data_dir, now));
    }
    findings.extend(of_store(config, depth, now).await);
    findings.sort_by_key(|finding| finding.severity);
    findings
}

/// What is found where the store has to be opened for it.
async fn of_store(config: &Config, depth: Depth, now: Timestamp) -> Vec<Finding> {
    let place = if config.database.url.is_some() {
        "database.url".to_owned()
    } else {
        config.store.data_dir.display().to_string()
    };
    let closed = |error: anyhow::Error| {
        vec![Finding::error(
            "store",
            &place,
            format!("{error:#}"),
            "do what the message says; where the files are damaged, restore the last backup that verifies",
        )]
    };
    if let Err(error) = must_be_there(config).await {
        return closed(error);
    }
    let app = match App::build_to_look(config.clone()).await {
        Ok(app) => app,
        Err(error) => return closed(error),
    };
    let mut findings = database::look(&app, now).await;
    findings.extend(store::look(&app, now).await);
    findings.extend(start::of_secret(&app).await);
    app.close().await;
    if depth == Depth::Deep {
        match inspect(config).await {
            Ok(inspect) => findings.extend(store::verify(inspect.as_ref()).await),
            Err(error) => findings.extend(closed(error)),
        }
    }
    findings
}
