//! The factors from which something outdated may have been computed, and all that decides whether it is.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use domain::{Day, Digest, Factor, FactorId, FactorRule, ProductId};
use ports::inbound::Error;
use ports::repo::{Page, Pending, Query};
use ports::store::ReadTx;
use ports::{Stored, Version};

/// How many factors are read at once.
const FACTORS: u32 = 1_000;

/// The factors from which something outdated may have been computed, as one snapshot has them.
#[derive(Clone, Debug)]
pub(super) struct Suspects {
    factors: BTreeMap<FactorId, Day>,
    /// Of all that decides, with an activity itself, whether it is outdated. Where it is the same, so is what is outdated.
    basis: Digest,
}

impl Suspects {
    /// Those with the first day from which they count: factors that were corrected, those that have an end, from there on, and
    /// those that a rule chose which is another by now or goes by the regions of orgs.
    pub(super) async fn read(tx: &mut dyn ReadTx) -> Result<Self, Error> {
        let (mut suspects, mut ended, mut rules) = (BTreeMap::new(), BTreeMap::new(), HashMap::new());
        let (mut all, mut goes_by_regions) = (Vec::new(), false);
        for number in 1.. {
            let page = Page { number, size: FACTORS };
            let listing = tx.factors().list(&Query::all(page)).await?;
            let factors = || listing.data.iter().map(|stored| &stored.value);
            all.extend(listing.data.iter().map(Known::of));
            suspects.extend(factors().filter_map(|factor| Some((factor.corrects()?, Day::MIN))));
            ended.extend(factors().filter_map(|factor| Some((factor.id(), factor.data().valid_to?))));
            for factor in factors().filter(|factor| factor.is_chosen()) {
                let id = factor.product();
                if let Entry::Vacant(unknown) = rules.entry(id) {
                    unknown.insert(tx.products().find(id).await?.and_then(|product| product.value.rule));
                }
                let Some(rule) = rules.get(&id).and_then(Option::as_ref) else { continue };
                goes_by_regions |= rule.region.is_none();
                suspects.extend(may_depart(factor, rule).then(|| (factor.id(), Day::MIN)));
            }
            if page.offset() + u64::from(page.size) >= listing.count {
                break;
            }
        }
        ended.extend(suspects);
        let basis = basis(tx, &ended, all, goes_by_regions).await?;
        Ok(Self { factors: ended, basis })
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// What may be outdated for them.
    pub(super) fn pending(&self) -> Pending {
        Pending::ComputedFrom(self.factors.clone())
    }

    /// Whether the same activities are outdated as by the others.
    pub(super) fn say_as(&self, others: &Self) -> bool {
        self.basis == others.basis
    }
}

/// A factor that is there.
struct Known {
    product: ProductId,
    factor: FactorId,
    version: Version,
    is_chosen: bool,
}

impl Known {
    fn of(factor: &Stored<Factor>) -> Self {
        let Stored { value, version, .. } = factor;
        Self { product: value.product(), factor: value.id(), version: *version, is_chosen: value.is_chosen() }
    }
}

/// Whether the rule that chose the factor may choose another one for some org today.
fn may_depart(factor: &Factor, rule: &FactorRule) -> bool {
    let (data, day) = (factor.data(), factor.data().valid_from);
    let region = data.choice.as_ref().and_then(|choice| choice.region.as_ref());
    rule.region.is_none() || rule.departure(data, region, day).is_some()
}

/// The digest of the products of suspects, of all their factors, and of the regions of orgs where a rule goes by them. Factors
/// that were chosen are left out: they never change, and a new one says nothing of activities that are older than it.
async fn basis(
    tx: &mut dyn ReadTx,
    suspects: &BTreeMap<FactorId, Day>,
    mut all: Vec<Known>,
    goes_by_regions: bool,
) -> Result<Digest, Error> {
    let mut text = String::new();
    let of_suspects = all.iter().filter(|known| suspects.contains_key(&known.factor));
    let products: BTreeSet<ProductId> = of_suspects.map(|known| known.product).collect();
    all.retain(|known| !known.is_chosen && products.contains(&known.product));
    all.sort_unstable_by_key(|known| known.factor);
    for Known { factor, version, .. } in all {
        let _ = writeln!(text, "factor {factor} {version} {:?}", suspects.get(&factor));
    }
    let products: Vec<ProductId> = products.into_iter().collect();
    let mut products = tx.products().find_all(&products).await?;
    products.sort_unstable_by_key(|product| product.value.id);
    for product in products {
        let _ = writeln!(text, "product {} {}", product.value.id, product.version);
    }
    if goes_by_regions {
        let mut orgs = tx.orgs().all().await?;
        orgs.sort_unstable_by_key(|org| org.value.id);
        for org in orgs.iter().map(|org| &org.value) {
            let _ = writeln!(text, "org {} {:?} {:?}", org.id, org.parent, org.region);
        }
    }
    Ok(Digest::of(text.as_bytes()))
}
