//! Choosing published factors for products that have a rule: what the rules choose among is looked up here, and what they
//! choose becomes a factor of the product.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{
    Activity, CountedNowhere, Day, Factor, FactorId, FactorOrigin, FactorQuery, FactorRule, MAX_SEARCH_WORDS,
    Misplaced, Name, NoChoice, Org, OrgId, ProductId, SearchWords, check_use, factor_on, search_words,
};
use ports::factor_sets::{FactorSets, MOST_FACTORS};
use ports::inbound::Error;
use ports::store::{ReadTx, StoreError};
use ports::{Grant, Read};

use super::index_cache::IndexCache;
use crate::usecase::resolve::{ProductWithFactors, Resolver};

/// Chooses among the published factors of an installation.
#[derive(Clone)]
pub struct Chooser {
    pub(super) sets: Arc<dyn FactorSets>,
    pub(super) index: Arc<IndexCache>,
}

/// The choices of one request, of one batch of an import or of a recalculation, all among the same published factors.
pub(in crate::usecase) struct Choosing {
    chooser: Chooser,
    grant: Grant<Read>,
    /// What the rule of each product chooses among.
    candidates: HashMap<ProductId, (FactorRule, Arc<[FactorOrigin]>)>,
    regions: HashMap<OrgId, Option<Name>>,
    chosen: HashMap<(ProductId, Option<Name>, Day), Option<Arc<Factor>>>,
    /// Chosen factors that the products do not have yet.
    made: HashMap<FactorId, Arc<Factor>>,
}

impl Chooser {
    /// Choices among the factors of those sets.
    #[must_use]
    pub fn new(sets: Arc<dyn FactorSets>) -> Self {
        Self { sets, index: Arc::default() }
    }

    /// Begins choices that are asked for with that grant.
    pub(in crate::usecase) fn begin(&self, grant: Grant<Read>) -> Choosing {
        Choosing {
            chooser: self.clone(),
            grant,
            candidates: HashMap::new(),
            regions: HashMap::new(),
            chosen: HashMap::new(),
            made: HashMap::new(),
        }
    }

    /// The published factors that a rule looks for, in no order.
    async fn candidates(&self, grant: &Grant<Read>, rule: &FactorRule) -> Result<Arc<[FactorOrigin]>, Error> {
        let sets: Vec<_> = self.sets.list_sets(grant).await?;
        if !sets.iter().any(|installed| rule.preference(&installed.set).is_some()) {
            return Ok(Arc::default());
        }
        let index = self.index.of(self.sets.as_ref(), grant, &sets).await?;
        let query =
            FactorQuery::default().with_words(words(&rule.name)).with_unit(Some(rule.unit)).with_usage(rule.usage);
        let (mut found, mut offset) = (Vec::new(), 0);
        let most = u32::try_from(MOST_FACTORS).unwrap_or(u32::MAX);
        loop {
            let keys = index.search(&query, offset, most).keys;
            if keys.is_empty() {
                return Ok(found.into());
            }
            offset += keys.len() as u64;
            for (key, factor) in self.sets.find_factors(grant, &keys).await? {
                let of = sets.iter().map(|installed| &installed.set).find(|set| set.id == key.set);
                if let Some(set) = of.filter(|set| rule.preference(set).is_some() && rule.finds(&factor)) {
                    found.push(FactorOrigin::new(set.clone(), factor));
                }
            }
        }
    }
}

impl Choosing {
    /// Begins anew in another snapshot of the company: what is chosen among stays.
    pub(in crate::usecase) fn begin(&mut self) {
        self.regions.clear();
        self.chosen.clear();
        self.made.clear();
    }

    /// The factor that the product's rule chooses for an org and a day; `None` where there is no rule, where a factor of
    /// the product's own holds on the day, or where the rule finds none.
    pub(in crate::usecase) async fn choose(
        &mut self,
        tx: &mut dyn ReadTx,
        resolver: &Resolver,
        found: &ProductWithFactors,
        org: Option<OrgId>,
        day: Day,
    ) -> Result<Option<Arc<Factor>>, Error> {
        let product = &found.product;
        let Some(rule) = product.rule.as_ref().filter(|_| factor_on(&found.factors, day).is_none()) else {
            return Ok(None);
        };
        let region = match org {
            Some(org) if rule.region.is_none() => self.region(tx, resolver, org).await?,
            Some(_) | None => None,
        };
        let key = (product.id, region, day);
        if let Some(known) = self.chosen.get(&key) {
            return Ok(known.clone());
        }
        let candidates = self.candidates(product.id, rule).await?;
        let chosen = match rule.choose(&candidates, key.1.as_ref(), day) {
            Ok(data) => {
                let cannot =
                    |error| StoreError::Failed(Box::<dyn std::error::Error + Send + Sync>::from(format!("{error}")));
                let factor = Factor::chosen(product, data).map_err(cannot)?;
                // It is none beside the product's own factors of another use: no_choice says so.
                let (id, is_of_use) = (factor.id(), check_use(&found.factors, &factor).is_ok());
                let factor = Arc::new(factor);
                if is_of_use && found.factors.iter().all(|known| known.id() != id) {
                    self.made.insert(id, Arc::clone(&factor));
                }
                is_of_use.then_some(factor)
            }
            Err(_) => None,
        };
        self.chosen.insert(key, chosen.clone());
        Ok(chosen)
    }

    /// Why a product's rule chooses nothing for an org and a day; `None` where it chooses, or there is no rule.
    pub(in crate::usecase) async fn no_choice(
        &mut self,
        tx: &mut dyn ReadTx,
        found: &ProductWithFactors,
        org: Option<OrgId>,
        day: Day,
    ) -> Result<Option<NoChoice>, Error> {
        let Some(rule) = &found.product.rule else { return Ok(None) };
        let region = match org {
            Some(org) => self.region(tx, &Resolver::default(), org).await?,
            None => None,
        };
        let candidates = self.candidates(found.product.id, rule).await?;
        Ok(match rule.choose(&candidates, region.as_ref(), day) {
            Err(none) => Some(none),
            Ok(data) => {
                let choice = data.choice.clone();
                let chosen = Factor::chosen(&found.product, data).ok();
                let is_of_another_use = chosen.is_some_and(|factor| check_use(&found.factors, &factor).is_err());
                choice.filter(|_| is_of_another_use).map(|choice| NoChoice::of_another_use(&choice, day))
            }
        })
    }

    /// Whether the activity may be computed with the factor that it is computed with, by what that was published as; and what is
    /// to be said of it.
    pub(in crate::usecase) async fn check_place(
        &self,
        tx: &mut dyn ReadTx,
        resolver: &mut Resolver,
        factors: &[Factor],
        activity: &Activity,
    ) -> Result<Result<Option<Misplaced>, CountedNowhere>, Error> {
        let Some(id) = activity.calculation.factor() else { return Ok(Ok(None)) };
        let made = self.made.get(&id).map(AsRef::as_ref);
        let Some(factor) = factors.iter().find(|factor| factor.id() == id).or(made) else { return Ok(Ok(None)) };
        if factor.usage().is_none() {
            return Ok(Ok(None));
        }
        Ok(factor.check_place(resolver.scope_kind(tx, activity.scope).await?))
    }

    /// The factor of the activity, where it was chosen and the product does not have it yet.
    pub(in crate::usecase) fn made_for(&self, activity: &Activity) -> Option<Factor> {
        self.made.get(&activity.calculation.factor()?).map(|factor| Factor::clone(factor))
    }

    /// The same, once.
    pub(in crate::usecase) fn take_made_for(&mut self, activity: &Activity) -> Option<Factor> {
        self.made.remove(&activity.calculation.factor()?).map(Arc::unwrap_or_clone)
    }

    /// Those of the activities, each once.
    pub(in crate::usecase) fn into_made<'a>(mut self, activities: impl Iterator<Item = &'a Activity>) -> Vec<Factor> {
        if self.made.is_empty() {
            return Vec::new();
        }
        activities.filter_map(|activity| self.take_made_for(activity)).collect()
    }

    async fn candidates(&mut self, product: ProductId, rule: &FactorRule) -> Result<Arc<[FactorOrigin]>, Error> {
        if let Some((_, known)) = self.candidates.get(&product).filter(|(of, _)| of == rule) {
            return Ok(Arc::clone(known));
        }
        let found = self.chooser.candidates(&self.grant, rule).await?;
        self.candidates.insert(product, (rule.clone(), Arc::clone(&found)));
        Ok(found)
    }

    /// The region of an org: its own, else that of the next one above that has one.
    pub(in crate::usecase) async fn region(
        &mut self,
        tx: &mut dyn ReadTx,
        resolver: &Resolver,
        org: OrgId,
    ) -> Result<Option<Name>, Error> {
        region_of(tx, &mut self.regions, |id| resolver.made_org(id).cloned(), org).await
    }
}

/// The region of an org: its own, else that of the next one above that has one. `known` keeps those of all orgs on the way;
/// `made` has orgs that the store does not have yet.
pub(in crate::usecase) async fn region_of(
    tx: &mut dyn ReadTx,
    known: &mut HashMap<OrgId, Option<Name>>,
    made: impl Fn(OrgId) -> Option<Org> + Send,
    org: OrgId,
) -> Result<Option<Name>, Error> {
    let (mut walked, mut next, mut region) = (Vec::new(), Some(org), None);
    while let Some(id) = next.filter(|id| !walked.contains(id)) {
        if let Some(known) = known.get(&id) {
            region.clone_from(known);
            break;
        }
        walked.push(id);
        let org = match made(id) {
            Some(made) => Some(made),
            None => tx.orgs().find(id).await?.map(|found| found.value),
        };
        let Some(org) = org else { break };
        if org.region.is_some() {
            region = org.region;
            break;
        }
        next = org.parent;
    }
    for id in walked {
        known.insert(id, region.clone());
    }
    Ok(region)
}

/// The words that a factor of that name has; whether it has no others is looked at afterwards.
fn words(name: &Name) -> SearchWords {
    let mut words = search_words(name.as_str());
    words.truncate(MAX_SEARCH_WORDS);
    SearchWords::parse(&words.join(" ")).unwrap_or_default()
}
