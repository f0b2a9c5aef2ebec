//! A write transaction whose end is measured. What it reads and writes goes to the store's own.

use async_trait::async_trait;
use domain::{
    ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope, Sharing, Switch, Taxonomy,
};
use ports::ChainHead;
use ports::repo::{
    ActivityReader, ActivityWriter, AnswerReader, AnswerWriter, ExchangeReader, ExchangeWriter, FactorReader,
    FootprintReader, ImportReader, ImportWriter, LedgerReader, LedgerWriter, PartnerReader, PeriodReader,
    ProductReader, Reader, SharingReader, TaxonomyReader, TreeReader, Writer,
};
use ports::store::{ReadTx, StoreError, WriteTx};
use tracing::{Instrument as _, info_span};

use super::writing::Writing;

pub(super) struct MeasuredTx {
    tx: Box<dyn WriteTx>,
    writing: Writing,
}

impl MeasuredTx {
    pub(super) fn new(tx: Box<dyn WriteTx>, writing: Writing) -> Self {
        Self { tx, writing }
    }
}

macro_rules! pass_on {
    ($($name:ident: $repository:ty,)*) => {$(
        fn $name(&mut self) -> &mut $repository {
            self.tx.$name()
        }
    )*};
}

#[async_trait]
impl ReadTx for MeasuredTx {
    async fn head(&mut self) -> Result<ChainHead, StoreError> {
        self.tx.head().await
    }

    pass_on! {
        activities: dyn ActivityReader,
        scopes: dyn TreeReader<Scope>,
        orgs: dyn TreeReader<Org>,
        taxonomies: dyn TaxonomyReader,
        products: dyn ProductReader,
        factors: dyn FactorReader,
        models: dyn Reader<Model>,
        inputs: dyn Reader<Input>,
        switches: dyn Reader<Switch>,
        footprints: dyn FootprintReader,
        closed_periods: dyn PeriodReader,
        exclusions: dyn Reader<Exclusion>,
        partners: dyn PartnerReader,
        sharings: dyn SharingReader,
        ledger: dyn LedgerReader,
        answers: dyn AnswerReader,
        imports: dyn ImportReader,
        exchange: dyn ExchangeReader,
    }
}

#[async_trait]
impl WriteTx for MeasuredTx {
    fn number(&self) -> u64 {
        self.tx.number()
    }

    pass_on! {
        activities_mut: dyn ActivityWriter,
        scopes_mut: dyn Writer<Scope>,
        orgs_mut: dyn Writer<Org>,
        taxonomies_mut: dyn Writer<Taxonomy>,
        products_mut: dyn Writer<Product>,
        factors_mut: dyn Writer<Factor>,
        models_mut: dyn Writer<Model>,
        inputs_mut: dyn Writer<Input>,
        switches_mut: dyn Writer<Switch>,
        footprints_mut: dyn Writer<Footprint>,
        exclusions_mut: dyn Writer<Exclusion>,
        partners_mut: dyn Writer<Partner>,
        sharings_mut: dyn Writer<Sharing>,
        closed_periods_mut: dyn Writer<ClosedPeriod>,
        ledger_mut: dyn LedgerWriter,
        answers_mut: dyn AnswerWriter,
        imports_mut: dyn ImportWriter,
        exchange_mut: dyn ExchangeWriter,
    }

    fn others_wait(&mut self) -> bool {
        self.tx.others_wait()
    }

    async fn commit(self: Box<Self>) -> Result<ChainHead, StoreError> {
        let Self { tx, writing } = *self;
        let ended = tx.commit().instrument(info_span!("store.commit")).await;
        writing.end(&ended);
        ended
    }
}
