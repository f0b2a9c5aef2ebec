//! A set of made-up published factors, to try searches on.

use files::read_published;
use ports::factor_sets::NewFactorSet;
use ports::inbound::{Beside, FactorSetImports};
use ports::{Grant, Installation, Maintenance};

const FILE: &[u8] = include_bytes!("factors.csv");

/// Adds the set, unless it is there.
pub async fn add_factors(
    imports: &dyn FactorSetImports,
    grant: &Grant<Maintenance, Installation>,
) -> anyhow::Result<()> {
    let file = read_published(FILE, "factors.csv")?;
    imports.add_factor_set(grant, NewFactorSet::new(file.set, &file.factors)?, Beside::Refused).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_factor() {
        let file = read_published(FILE, "factors.csv").unwrap();
        assert_eq!((file.factors.len(), file.account.rows), (4, 4), "{:?}", file.account);
    }
}
