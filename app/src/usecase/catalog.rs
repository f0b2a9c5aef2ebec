//! The catalog: the three trees, products and their factors.

mod factor;
mod factor_search;
mod import;
mod node;
mod origin;
mod product;
pub(super) mod scope;
mod search;
mod use_factor;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Factor, FactorId, ProductId, SyncId};
use ports::clock::Clock;
use ports::factor_sets::FactorSets;
use ports::id_source::Ids;
use ports::inbound::{
    Catalog, Done, Error, FactorDraft, FactorPlace, FactorSearch, Found, NewFactor, NodeDraft, NodeView, Nodes, Once,
    ProductDraft, ProductFactor, ProductSearch, ProductView,
};
use ports::repo::{Listing, Page, Query};
use ports::store::{Store, WriteTx};
use ports::{Caller, Grant, Stored, Version, Write, demand, permit};

use origin::Origins;

use super::activity::fresh;
use super::draft::{begin, refused};
use super::once;
use super::recalculation;
use super::resolve::Referred;
use super::tree::{Built, IdOf};

/// Keeps the trees, products and factors in a store.
pub struct CatalogService {
    /// The store of these records.
    pub store: Arc<dyn Store>,
    /// Stamps what is written.
    pub clock: Arc<dyn Clock>,
    /// Gives new records their ids.
    pub ids: Arc<dyn Ids>,
    /// The published factors that companies copy.
    pub sets: Arc<dyn FactorSets>,
}

impl CatalogService {
    /// The published factors that drafts name.
    async fn origins(
        &self,
        grant: &Grant<Write>,
        drafts: impl Iterator<Item = &FactorDraft> + Send,
    ) -> Result<Origins, Error> {
        Origins::find(self.sets.as_ref(), &grant.to_read(), drafts).await
    }

    async fn write(&self, grant: &Grant<Write>, cause: impl Into<String> + Send) -> Result<Box<dyn WriteTx>, Error> {
        begin(self.store.as_ref(), self.clock.as_ref(), grant, cause).await
    }
}

#[async_trait]
impl<T: Referred> Nodes<T> for CatalogService {
    async fn list_nodes(
        &self,
        caller: &Caller,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<NodeView<T>>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let Listing { count, page, data } = T::reader(tx.as_mut()).list(&Query { sync_id, ..Query::all(page) }).await?;
        Ok(Listing { count, page, data: node::views(tx.as_mut(), data).await? })
    }

    async fn get_node(&self, caller: &Caller, id: IdOf<T>) -> Result<NodeView<T>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let node = node::find(tx.as_mut(), id).await?;
        node::view(tx.as_mut(), node).await
    }

    async fn add_node_once(
        &self,
        caller: &Caller,
        draft: NodeDraft<T::Detail>,
        once: Option<Once<NodeView<T>>>,
    ) -> Result<Done<NodeView<T>>, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let work = async {
            let id = self.ids.next(self.clock.now()).into();
            if !draft.faults.is_empty() {
                let mut tx = self.store.read(&grant.to_read()).await?;
                return Err(refused(node::build::<T>(tx.as_mut(), id, None, draft).await?));
            }
            let mut tx = self.write(&grant, format!("POST /v1/{}", T::TREE)).await?;
            let Built { node, .. } = node::build::<T>(tx.as_mut(), id, None, draft).await??;
            let stored = T::writer(tx.as_mut()).add(node).await?;
            let view = node::view(tx.as_mut(), stored).await?;
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update_node(
        &self,
        caller: &Caller,
        id: IdOf<T>,
        seen: Option<Version>,
        draft: NodeDraft<T::Detail>,
    ) -> Result<NodeView<T>, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = node::find::<T>(tx.as_mut(), id).await?;
            return Err(refused(node::build(tx.as_mut(), id, Some(&before.value), draft).await?));
        }
        let mut tx = self.write(&grant, format!("PATCH /v1/{}", T::TREE)).await?;
        let before = node::find::<T>(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let Built { node, below } = node::build(tx.as_mut(), id, Some(&before.value), draft).await??;
        if node == before.value {
            return node::view(tx.as_mut(), before).await;
        }
        let stored = T::writer(tx.as_mut()).update(node, before.version).await?;
        for node in below {
            T::writer(tx.as_mut()).update(node.value, node.version).await?;
        }
        let view = node::view(tx.as_mut(), stored).await?;
        tx.commit().await?;
        Ok(view)
    }

    async fn remove_node(&self, caller: &Caller, id: IdOf<T>, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let mut tx = self.write(&grant, format!("DELETE /v1/{}", T::TREE)).await?;
        let before = node::find::<T>(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        T::writer(tx.as_mut()).remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }
}

#[async_trait]
impl Catalog for CatalogService {
    async fn list_products(
        &self,
        caller: &Caller,
        sync_id: Option<SyncId>,
        page: Page,
    ) -> Result<Listing<ProductView>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        let query = Query { sync_id, ..Query::all(page) };
        Ok(tx.products().list(&query).await?.map(|product| ProductView { product }))
    }

    async fn search_products(
        &self,
        caller: &Caller,
        search: &ProductSearch,
    ) -> Result<Found<ProductView, ProductId>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        search::search(tx.as_mut(), search).await
    }

    async fn get_product(&self, caller: &Caller, id: ProductId) -> Result<ProductView, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        Ok(ProductView { product: product::find(tx.as_mut(), id).await? })
    }

    async fn add_product_once(
        &self,
        caller: &Caller,
        draft: ProductDraft,
        once: Option<Once<ProductView>>,
    ) -> Result<Done<ProductView>, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let work = async {
            let id = ProductId::new(self.ids.next(self.clock.now()));
            if !draft.faults.is_empty() {
                let mut tx = self.store.read(&grant.to_read()).await?;
                return Err(refused(product::build(tx.as_mut(), id, None, draft).await?));
            }
            let mut tx = self.write(&grant, "POST /v1/product").await?;
            let product = product::build(tx.as_mut(), id, None, draft).await??;
            let view = ProductView { product: tx.products_mut().add(product).await? };
            once::keep(tx.as_mut(), once.as_ref(), &view).await?;
            tx.commit().await?;
            Ok(view)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn update_product(
        &self,
        caller: &Caller,
        id: ProductId,
        seen: Option<Version>,
        draft: ProductDraft,
    ) -> Result<ProductView, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        if !draft.faults.is_empty() {
            let mut tx = self.store.read(&grant.to_read()).await?;
            let before = product::find(tx.as_mut(), id).await?;
            return Err(refused(product::build(tx.as_mut(), id, Some(&before.value), draft).await?));
        }
        let mut tx = self.write(&grant, "PATCH /v1/product").await?;
        let before = product::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        let product = product::build(tx.as_mut(), id, Some(&before.value), draft).await??;
        if product == before.value {
            return Ok(ProductView { product: before });
        }
        let product = tx.products_mut().update(product, before.version).await?;
        tx.commit().await?;
        Ok(ProductView { product })
    }

    async fn remove_product(&self, caller: &Caller, id: ProductId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/product").await?;
        let before = product::find(tx.as_mut(), id).await?;
        fresh(before.version, seen)?;
        tx.products_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn list_factors(
        &self,
        caller: &Caller,
        product: ProductId,
        page: Page,
    ) -> Result<Listing<Stored<Factor>>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        product::find(tx.as_mut(), product).await?;
        Ok(tx.factors().list(&Query::of(product, page)).await?)
    }

    async fn search_factors(
        &self,
        caller: &Caller,
        search: &FactorSearch,
    ) -> Result<Found<ProductFactor, FactorPlace>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        factor_search::search(tx.as_mut(), search).await
    }

    async fn get_factor(&self, caller: &Caller, product: ProductId, id: FactorId) -> Result<Stored<Factor>, Error> {
        let grant = permit(caller, demand::CATALOG_READ)?;
        let mut tx = self.store.read(&grant).await?;
        factor::find(tx.as_mut(), product, id).await
    }

    async fn add_factor_once(
        &self,
        caller: &Caller,
        product: ProductId,
        draft: FactorDraft,
        once: Option<Once<NewFactor>>,
    ) -> Result<Done<NewFactor>, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let work = async {
            let id = FactorId::new(self.ids.next(self.clock.now()));
            let origins = self.origins(&grant, std::iter::once(&draft)).await?;
            if !draft.faults.is_empty() {
                let mut tx = self.store.read(&grant.to_read()).await?;
                let product = product::find(tx.as_mut(), product).await?;
                return Err(refused(factor::build(id, &product.value, draft, &origins)));
            }
            // Counted before, so that no writer waits for it.
            let fills = {
                let mut tx = self.store.read(&grant.to_read()).await?;
                let product = product::find(tx.as_mut(), product).await?.value;
                let factor = factor::build(id, &product, draft.clone(), &origins)?;
                recalculation::fills(tx.as_mut(), &product, factor.data()).await?
            };
            let mut tx = self.write(&grant, "POST /v1/product/factor").await?;
            let product = product::find(tx.as_mut(), product).await?;
            let factor = factor::build(id, &product.value, draft, &origins)?;
            let new = NewFactor { factor: factor::put(tx.as_mut(), factor).await?, fills };
            once::keep(tx.as_mut(), once.as_ref(), &new).await?;
            tx.commit().await?;
            Ok(new)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn correct_factor_once(
        &self,
        caller: &Caller,
        product: ProductId,
        wrong: FactorId,
        draft: FactorDraft,
        once: Option<Once<Stored<Factor>>>,
    ) -> Result<Done<Stored<Factor>>, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let work = async {
            let id = FactorId::new(self.ids.next(self.clock.now()));
            let origins = self.origins(&grant, std::iter::once(&draft)).await?;
            if !draft.faults.is_empty() {
                let mut tx = self.store.read(&grant.to_read()).await?;
                let wrong = factor::find(tx.as_mut(), product, wrong).await?;
                let product = product::find(tx.as_mut(), product).await?;
                return Err(refused(factor::build_correction(id, &product.value, &wrong.value, draft, &origins)));
            }
            let mut tx = self.write(&grant, "POST /v1/product/factor/correction").await?;
            let wrong = factor::find(tx.as_mut(), product, wrong).await?;
            let product = product::find(tx.as_mut(), product).await?;
            let factor = factor::build_correction(id, &product.value, &wrong.value, draft, &origins)?;
            let stored = factor::put_correction(tx.as_mut(), factor, wrong.value.id()).await?;
            once::keep(tx.as_mut(), once.as_ref(), &stored).await?;
            tx.commit().await?;
            Ok(stored)
        };
        once::once(self.store.as_ref(), self.clock.as_ref(), &grant, once::request(once.as_ref()), work).await
    }

    async fn remove_factor(
        &self,
        caller: &Caller,
        product: ProductId,
        id: FactorId,
        seen: Option<Version>,
    ) -> Result<(), Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let mut tx = self.write(&grant, "DELETE /v1/product/factor").await?;
        let before = factor::find(tx.as_mut(), product, id).await?;
        fresh(before.version, seen)?;
        tx.factors_mut().remove(id, before.version).await?;
        tx.commit().await?;
        Ok(())
    }
}
