//! The way to a vendor's model outside of a run, as while a memory grows. Replies, spending and transcripts are kept beside what is made,
//! so that a kill costs at most the call under way.

use crate::catalog::Parts;
use crate::output::Output;
use anyhow::Result;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::ChatModel;
use waterjar_engine::gateway::{Gateway, Prices};
use waterjar_engine::{Catalog, EngineError, StudyFile, Telling, VendorModel};
use waterjar_store::{Mode, Store};
use waterjar_views::spending;

pub struct Calls {
    store: Store,
    gateway: Gateway,
    prices: Prices,
    pub model: Arc<dyn ChatModel>,
}

impl Calls {
    /// Kept in `file`: what is made is whole without it, and going on without it would pay again.
    pub async fn open(file: &Path, study: &StudyFile, vendor: &VendorModel, out: &Output) -> Result<Self> {
        let store = Store::open(file, Mode::Create).await.map_err(EngineError::from)?;
        let prices = Parts.prices().overridden_by(study.prices.clone());
        let progress = out.progress();
        let telling = Telling { tell: Arc::new(move |event| progress.tell(&event)), calls: out.verbose >= 2 };
        let gateway = Gateway::open(study.gateway.clone(), prices.clone(), &store, Arc::new(telling)).await;
        let gateway = gateway.map_err(EngineError::from)?;
        let model = gateway.model(vendor, Arc::clone(&vendor.model));
        Ok(Self { store, gateway, prices, model })
    }

    /// Returns when everything is on the disk.
    pub async fn close(self, out: &Output) -> Result<()> {
        self.gateway.flush().await.map_err(EngineError::from)?;
        for it in spending::uses(&self.prices, &self.store).await? {
            out.say(&spending::line(&it));
        }
        self.store.close().await;
        Ok(())
    }
}
