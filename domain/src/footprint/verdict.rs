//! The verdict on a record: whether its own version finds it valid, and what each edition finds wrong with it. It is made
//! when the record is written and kept beside it, with the number of the rules it was made by.

use crate::canonical::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::footprint::Footprint;
use crate::footprint::advice::advise;
use crate::footprint::edition::Edition;
use crate::footprint::layer::Layer;
use crate::footprint::projection::project;
use crate::footprint::rule_names::{Findings, Rule, Violation};
use crate::footprint::validate::validate;

/// The number of the rules that verdicts are made by now: one more whenever a rule or a conversion changes, so that a
/// verdict by other rules is made anew before it is used.
pub const RULE_SET: u32 = 2;
/// The most findings that a verdict keeps of an edition.
pub const MAX_FINDINGS: usize = 100;

/// What was found of a record by rules of one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The number of the rules; see [`RULE_SET`].
    pub rules: u32,
    /// Whether the record breaks no rule of the version it is written in.
    pub is_valid: bool,
    v2: EditionVerdict,
    v3: EditionVerdict,
}

/// What was found of a record as an edition shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditionVerdict {
    /// Whether the edition's lists show it: whether nothing that was found hides it.
    pub is_shown: bool,
    /// What was found, at most [`MAX_FINDINGS`]; what hides the record comes first. Pointers lead into the record as the
    /// edition shows it, those of what a conversion lost into the record as it was written.
    pub findings: Vec<Violation>,
    /// How many more there are.
    pub more: u64,
}

impl Verdict {
    /// The verdict by the rules of now.
    #[must_use]
    pub fn of(footprint: &Footprint) -> Self {
        let [v2, v3] = Edition::ALL.map(|edition| EditionVerdict::of(footprint, edition));
        Self { rules: RULE_SET, is_valid: validate(footprint).is_empty(), v2, v3 }
    }

    /// What was found of it in that edition.
    #[must_use]
    pub const fn edition(&self, edition: Edition) -> &EditionVerdict {
        match edition {
            Edition::V2 => &self.v2,
            Edition::V3 => &self.v3,
        }
    }

    /// Whether the edition's lists show the record.
    #[must_use]
    pub const fn is_shown(&self, edition: Edition) -> bool {
        self.edition(edition).is_shown
    }

    /// Whether it was made by the rules of now.
    #[must_use]
    pub const fn is_current(&self) -> bool {
        self.rules == RULE_SET
    }
}

impl EditionVerdict {
    fn of(footprint: &Footprint, edition: Edition) -> Self {
        let mut found = match project(footprint, edition) {
            Some(projection) => {
                let mut found = Findings(validate(&projection.footprint));
                found.0.extend(projection.losses);
                advise(&projection.footprint.fields, edition.major(), &mut found);
                found.0
            }
            // Without a known version nothing can be converted, and that alone is told.
            None => validate(footprint),
        };
        found.sort_by_key(|violation| violation.rule.layer());
        let is_shown = !found.iter().any(|violation| violation.rule.layer().hides());
        let more = found.len().saturating_sub(MAX_FINDINGS);
        found.truncate(MAX_FINDINGS);
        Self { is_shown, findings: found, more: u64::try_from(more).unwrap_or(u64::MAX) }
    }
}

impl Violation {
    /// What becomes of a record that breaks the rule, in an edition.
    #[must_use]
    pub const fn layer(&self) -> Layer {
        self.rule.layer()
    }
}

impl Canonical for Verdict {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.integer("rules", self.rules);
        to.flag("valid", self.is_valid);
        to.object("v2", |to| self.v2.write(to));
        to.object("v3", |to| self.v3.write(to));
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Ok(Self {
            rules: from.integer("rules")?,
            is_valid: from.flag("valid")?,
            v2: from.object("v2", |from| EditionVerdict::read((), from))?,
            v3: from.object("v3", |from| EditionVerdict::read((), from))?,
        })
    }
}

impl Canonical for EditionVerdict {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        to.flag("shown", self.is_shown);
        to.objects("findings", &self.findings, |violation, to| {
            to.text("rule", violation.rule);
            to.text("pointer", &violation.pointer);
            to.text("detail", &violation.detail);
        });
        to.integer("more", self.more);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let violation = |from: &mut CanonicalReader<'_>| {
            Ok(Violation {
                rule: from.word("rule", Rule::parse)?,
                pointer: from.string("pointer")?,
                detail: from.string("detail")?,
            })
        };
        Ok(Self {
            is_shown: from.flag("shown")?,
            findings: from.objects("findings", violation)?,
            more: from.integer("more")?,
        })
    }
}
