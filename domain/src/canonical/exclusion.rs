//! The content of an exclusion.

use super::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use crate::exclusion::{Category, ExcludedPart, ExcludedYears, Exclusion};
use crate::id::ExclusionId;
use crate::text::Reason;

impl Canonical for Exclusion {
    type Known = ExclusionId;

    fn write(&self, to: &mut CanonicalWriter) {
        to.optional("scope", self.scope());
        to.optional_integer("category", self.category().map(Category::number));
        to.optional("org", self.org);
        to.integer("firstYear", self.years().first());
        to.integer("lastYear", self.years().last());
        to.text("reason", &self.reason);
    }

    fn read(id: ExclusionId, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let scope = from.optional("scope", str::parse)?;
        let part = match (scope, from.optional_integer("category")?) {
            (Some(scope), None) => ExcludedPart::Scope(scope),
            (None, Some(number)) => ExcludedPart::Category(
                Category::new(number).map_err(|error| from.wrong(format_args!("is refused: {error}")))?,
            ),
            (None, None) | (Some(_), Some(_)) => return Err(from.wrong("names a scope or else a category")),
        };
        let org = from.optional("org", str::parse)?;
        let (first, last) = (from.integer("firstYear")?, from.integer("lastYear")?);
        let years = ExcludedYears::new(first, last).map_err(|error| from.wrong(format_args!("is refused: {error}")))?;
        Ok(Self::new(id, part, years, from.text("reason", Reason::parse)?).with_org(org))
    }
}
