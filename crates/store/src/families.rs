//! Families with their variants, and the cases that were lost on the way.

use crate::body::from_body;
use crate::page::kept_page;
use crate::sql::sql;
use crate::{Page, Store, StoreError};
use serde::Deserialize;
use serde_json::Value as JsonValue;
use std::collections::BTreeMap;
use waterjar_core::{CaseId, Expectation, FamilyId, Intervention, Loss, Quota, SuiteId, Variant, VariantId};

// At most $2 of a group, then the first $3 of all that remain, both in the order of the candidates.
const SETTLE: &str = "UPDATE families SET state = CASE WHEN position IN ( \
        SELECT position FROM ( \
            SELECT position, ROW_NUMBER() OVER (ORDER BY position) AS place FROM ( \
                SELECT position, ROW_NUMBER() OVER (PARTITION BY grp ORDER BY position) AS round \
                FROM families WHERE suite = $1 AND state <> 'lost') AS rounds \
            WHERE round <= $2) AS places \
        WHERE place <= $3) THEN 'kept' ELSE 'surplus' END \
    WHERE suite = $1 AND state <> 'lost'";
const LAST_KEPT: &str = "SELECT MAX(position) FROM families WHERE suite = $1 AND state = 'kept'";
const STATES: &str = "SELECT state, COUNT(*) FROM families \
    WHERE suite = $1 AND position <= $2 GROUP BY state";
const LOSSES: &str = "SELECT loss, COUNT(*) FROM families \
    WHERE suite = $1 AND state = 'lost' AND position <= $2 GROUP BY loss";
const PAGE: &str = concat!(
    "SELECT f.id, f.position, v.id, v.body FROM ",
    kept_page!(),
    " JOIN variants v ON v.suite = f.suite AND v.position = f.position ORDER BY f.position, v.ord"
);
const NTH: &str =
    "SELECT position FROM families WHERE suite = $1 AND state = 'kept' ORDER BY position LIMIT 1 OFFSET $2";
const LOST_LIKE: &str = "SELECT id, loss FROM families \
    WHERE suite = $1 AND state = 'lost' AND substr(id, 1, length($2)) = $2 ORDER BY position LIMIT $3";
// Those of which nothing was written would end a page early.
const LOST_PAGE: &str = "SELECT f.id, f.position, v.id, v.body FROM (SELECT suite, id, position FROM families \
        WHERE suite = $1 AND state = 'lost' AND position > $2 AND EXISTS ( \
            SELECT 1 FROM variants w WHERE w.suite = families.suite AND w.position = families.position) \
        ORDER BY position LIMIT $3) AS f \
    JOIN variants v ON v.suite = f.suite AND v.position = f.position ORDER BY f.position, v.ord";

/// What became of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFamily {
    pub suite: SuiteId,
    pub id: FamilyId,
    pub case: CaseId,
    /// The candidate's.
    pub position: i64,
    pub group: String,
    pub outcome: FamilyOutcome,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FamilyOutcome {
    /// In the order of asking, the control first.
    Made(Vec<NewVariant>),
    /// With what was written of it.
    Lost(Loss, Vec<NewVariant>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct NewVariant {
    pub variant: Variant,
    /// Of its content.
    pub hash: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyState {
    /// In the benchmark, unless [`Store::settle`] finds it beyond the quota.
    Kept,
    Lost,
    Surplus,
}

/// A family with its variants in order.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredFamily {
    pub id: FamilyId,
    pub position: i64,
    pub variants: Vec<Variant>,
}

/// The benchmark as it stands after [`Store::settle`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    pub kept: u64,
    /// Made beyond the quota. How many depends on how far work had run ahead, so it belongs in no figure.
    pub surplus: u64,
    /// Losses among the candidates that were needed; these do not depend on timing.
    pub losses: BTreeMap<String, u64>,
    /// The last candidate that was needed to fill the quota; `None` where all were.
    pub needed: Option<i64>,
}

impl Store {
    /// Marks the families within the quota as kept and the others as surplus. May be repeated. Flush the writer first.
    pub async fn settle(&self, suite: &SuiteId, quota: Quota) -> Result<Settled, StoreError> {
        let settle = sql(SETTLE).bind(suite.as_str()).bind(or_all(quota.per_group)).bind(or_all(quota.families));
        self.database.write(vec![settle]).await?;
        self.settled(suite, quota).await
    }

    async fn settled(&self, suite: &SuiteId, quota: Quota) -> Result<Settled, StoreError> {
        let last: Option<(Option<i64>,)> = self.database.row(sql(LAST_KEPT).bind(suite.as_str())).await?;
        let last_kept = last.and_then(|(last,)| last);
        let states = self.tally(STATES, suite, i64::MAX).await?;
        let count = |state: &str| states.get(state).copied().unwrap_or(0);
        let kept = count("kept");
        // A quota that was never filled needed every candidate, also those after the last kept one. Of a group that is full it depends on
        // timing who was still tried, so there the last kept one is the end.
        let ends = quota.per_group.is_some() || quota.families.is_some_and(|wanted| kept >= wanted);
        let needed = last_kept.filter(|_| ends);
        Ok(Settled { kept, surplus: count("surplus"), losses: self.losses(suite, needed).await?, needed })
    }

    /// How many candidates were lost for which reason, up to and including a position.
    async fn losses(&self, suite: &SuiteId, through: Option<i64>) -> Result<BTreeMap<String, u64>, StoreError> {
        self.tally(LOSSES, suite, through.unwrap_or(i64::MAX)).await
    }

    async fn tally(
        &self,
        text: &'static str,
        suite: &SuiteId,
        through: i64,
    ) -> Result<BTreeMap<String, u64>, StoreError> {
        let rows: Vec<(String, i64)> = self.database.rows(sql(text).bind(suite.as_str()).bind(through)).await?;
        Ok(rows.into_iter().map(|(name, n)| (name, n.unsigned_abs())).collect())
    }

    /// The kept families after a position (0 to begin).
    pub async fn families_page(
        &self,
        suite: &SuiteId,
        after: i64,
        limit: u32,
    ) -> Result<Page<StoredFamily>, StoreError> {
        self.page_of(PAGE, suite, after, limit, from_body).await
    }

    /// The same for asking: without facts and record, which no subject is told.
    pub async fn told_page(&self, suite: &SuiteId, after: i64, limit: u32) -> Result<Page<StoredFamily>, StoreError> {
        self.page_of(PAGE, suite, after, limit, told).await
    }

    /// The position of the nth family that was kept, counted from 1.
    pub async fn nth_family(&self, suite: &SuiteId, n: u64) -> Result<Option<i64>, StoreError> {
        let Some(skipped) = n.checked_sub(1) else { return Ok(None) };
        let rows: Vec<(i64,)> = self.database.rows(sql(NTH).bind(suite.as_str()).bind(skipped as i64)).await?;
        Ok(rows.first().map(|(position,)| *position))
    }

    /// The lost ones of which something was written, after a position (0 to begin).
    pub async fn lost_page(&self, suite: &SuiteId, after: i64, limit: u32) -> Result<Page<StoredFamily>, StoreError> {
        self.page_of(LOST_PAGE, suite, after, limit, from_body).await
    }

    /// Lost ones whose ids begin as asked, and why each was lost, in the order of the candidates.
    pub async fn lost_like(
        &self,
        suite: &SuiteId,
        begins: &str,
        limit: u32,
    ) -> Result<Vec<(FamilyId, String)>, StoreError> {
        let asked = sql(LOST_LIKE).bind(suite.as_str()).bind(begins).bind(limit);
        let rows: Vec<(String, Option<String>)> = self.database.rows(asked).await?;
        Ok(rows.into_iter().map(|(id, loss)| (FamilyId::new(id), loss.unwrap_or_default())).collect())
    }

    async fn page_of(
        &self,
        text: &'static str,
        suite: &SuiteId,
        after: i64,
        limit: u32,
        read: fn(&'static str, &str, &str) -> Result<Variant, StoreError>,
    ) -> Result<Page<StoredFamily>, StoreError> {
        let rows: Vec<(String, i64, String, String)> =
            self.database.rows(sql(text).bind(suite.as_str()).bind(after).bind(limit)).await?;
        let mut families: Vec<StoredFamily> = Vec::new();
        for (family, position, id, body) in rows {
            let variant = read("variants", &id, &body)?;
            match families.last_mut() {
                Some(last) if last.position == position => last.variants.push(variant),
                _ => families.push(StoredFamily { id: FamilyId::new(family), position, variants: vec![variant] }),
            }
        }
        let positions: Vec<i64> = families.iter().map(|family| family.position).collect();
        Ok(Page::new(families, &positions, limit))
    }
}

fn told(table: &'static str, id: &str, body: &str) -> Result<Variant, StoreError> {
    /// What is not named here is skipped over.
    #[derive(Deserialize)]
    struct Told {
        id: VariantId,
        family: FamilyId,
        case: CaseId,
        text: String,
        intervention: Option<Intervention>,
        expectation: Expectation,
        #[serde(default)]
        strata: BTreeMap<String, String>,
    }
    let Told { id, family, case, text, intervention, expectation, strata } = from_body(table, id, body)?;
    Ok(Variant { id, family, case, text, facts: None, intervention, expectation, strata, record: JsonValue::Null })
}

/// The largest number stands for "no limit", which needs no second statement.
fn or_all(limit: Option<u64>) -> i64 {
    limit.map_or(i64::MAX, |limit| i64::try_from(limit).unwrap_or(i64::MAX))
}

impl FamilyState {
    pub(crate) fn read(text: &str) -> Result<Self, StoreError> {
        match text {
            "kept" => Ok(Self::Kept),
            "lost" => Ok(Self::Lost),
            "surplus" => Ok(Self::Surplus),
            other => Err(StoreError::Body {
                table: "families",
                id: other.to_owned(),
                problem: "this is no state of a family".to_owned(),
            }),
        }
    }
}
