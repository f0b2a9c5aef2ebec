//! What came after the books were written: a factor that had been missing, and the correction of one that was wrong. What
//! they complete and change waits for `tonne recalculate`.

use domain::{Day, GwpSet, Intensity, ProductId, Source, Unit};
use ports::Caller;
use ports::inbound::{Catalog, Error, FactorDraft};
use ports::repo::Page;

use super::{parse, product};

/// The factor that came last. Where it is, so is the other.
const MISSING: Later = Later {
    product: "magnesium",
    unit: "kg",
    upstream: "22.96",
    from: "2023-01-01",
    to: "2024-01-01",
    source: "Demo factor set 2023, supplement (invented)",
};

/// What takes the place of a wrong factor, over the same days.
const CORRECTION: Later = Later {
    product: "hotel",
    unit: "piece",
    upstream: "12.31",
    from: "2025-01-01",
    to: "",
    source: "Demo factor set 2025, corrected (invented)",
};

struct Later {
    product: &'static str,
    unit: &'static str,
    upstream: &'static str,
    from: &'static str,
    /// The day after its last; empty where it is open.
    to: &'static str,
    source: &'static str,
}

impl Later {
    fn draft(&self) -> Result<FactorDraft, Error> {
        Ok(FactorDraft {
            unit: parse::field(Unit::parse, self.unit)?,
            upstream: parse::field(Intensity::parse, self.upstream)?,
            source: parse::field(Source::parse, self.source)?,
            gwp: parse::field(GwpSet::parse, "AR6")?,
            ..FactorDraft::default()
        })
    }
}

/// Whether all of it is there.
pub(super) async fn is_there(catalog: &dyn Catalog, caller: &Caller) -> Result<bool, Error> {
    let id = product::find(catalog, caller, MISSING.product).await?.ok_or(Error::NotFound)?;
    has_source(catalog, caller, id, MISSING.source).await
}

/// Fills in what is not there yet.
pub(super) async fn fill(catalog: &dyn Catalog, caller: &Caller) -> Result<(), Error> {
    let id = product::find(catalog, caller, CORRECTION.product).await?.ok_or(Error::NotFound)?;
    if !has_source(catalog, caller, id, CORRECTION.source).await? {
        let from = parse::text(Day::parse, CORRECTION.from)?;
        let factors = catalog.list_factors(caller, id, Page::FIRST).await?.data;
        let wrong = factors.into_iter().find(|factor| factor.value.data().valid_from == from);
        let wrong = wrong.ok_or(Error::NotFound)?.value.id();
        catalog.correct_factor(caller, id, wrong, CORRECTION.draft()?).await?;
    }
    let id = product::find(catalog, caller, MISSING.product).await?.ok_or(Error::NotFound)?;
    if !has_source(catalog, caller, id, MISSING.source).await? {
        let (from, to) = (parse::field(Day::parse, MISSING.from)?, parse::field(Day::parse, MISSING.to)?);
        let draft = FactorDraft { valid_from: from, valid_to: to, ..MISSING.draft()? };
        catalog.add_factor(caller, id, draft).await?;
    }
    Ok(())
}

async fn has_source(catalog: &dyn Catalog, caller: &Caller, id: ProductId, source: &str) -> Result<bool, Error> {
    let factors = catalog.list_factors(caller, id, Page::FIRST).await?.data;
    Ok(factors.iter().any(|factor| factor.value.data().source.as_str() == source))
}
