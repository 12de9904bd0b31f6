//! Where the variants of a run are: a table of their names is read once, and again when the run has changed.

use std::collections::HashMap;
use waterjar_core::{SuiteId, VariantId};
use waterjar_store::{Store, StoreError};

/// The position of the family of every variant.
pub struct Places(HashMap<VariantId, i64>);

/// Families read at a time.
const PAGE: u32 = 256;

impl Places {
    pub async fn read(store: &Store, suite: &SuiteId) -> Result<Self, StoreError> {
        let mut places = HashMap::new();
        let mut after = Some(0);
        while let Some(position) = after {
            let page = store.families_page(suite, position, PAGE).await?;
            for family in page.items {
                places.extend(family.variants.into_iter().map(|it| (it.id, family.position)));
            }
            after = page.next;
        }
        Ok(Self(places))
    }

    pub fn of(&self, variant: &str) -> Option<i64> {
        self.0.get(&VariantId::from(variant)).copied()
    }
}
