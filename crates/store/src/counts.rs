//! How far a run has come.

use crate::sql::sql;
use crate::{Store, StoreError};
use std::collections::BTreeMap;
use waterjar_core::{SubjectId, SuiteId};

// All of these are answered from an index; none reads a body.
const CASES: &str = "SELECT COUNT(*) FROM cases WHERE suite = $1";
const FAMILIES: &str = "SELECT state, COUNT(*) FROM families WHERE suite = $1 GROUP BY state";
const VARIANTS: &str = "SELECT COUNT(*) FROM variants v JOIN families f \
    ON f.suite = v.suite AND f.position = v.position WHERE v.suite = $1 AND f.state = 'kept'";
const RESPONSES: &str = "SELECT subject, COUNT(*) FROM responses WHERE suite = $1 GROUP BY subject";
const FAILED: &str = "SELECT subject, COUNT(*) FROM responses \
    WHERE suite = $1 AND state <> 'ok' GROUP BY subject";
const VERDICTS: &str = "SELECT subject, COUNT(*) FROM verdicts WHERE suite = $1 GROUP BY subject";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Eligible cases.
    pub cases: u64,
    pub kept: u64,
    pub lost: u64,
    pub surplus: u64,
    /// Of the kept families.
    pub variants: u64,
    pub subjects: BTreeMap<SubjectId, SubjectCounts>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubjectCounts {
    /// Answers and failures.
    pub responses: u64,
    /// Of these, the failures.
    pub failed: u64,
    pub verdicts: u64,
}

impl Store {
    pub async fn counts(&self, suite: &SuiteId) -> Result<Counts, StoreError> {
        let families: BTreeMap<String, u64> = self.groups(FAMILIES, suite).await?.into_iter().collect();
        let of = |state: &str| families.get(state).copied().unwrap_or(0);
        Ok(Counts {
            cases: self.count(CASES, suite).await?,
            kept: of("kept"),
            lost: of("lost"),
            surplus: of("surplus"),
            variants: self.variants(suite).await?,
            subjects: self.subjects(suite).await?,
        })
    }

    /// Of the kept families.
    pub async fn variants(&self, suite: &SuiteId) -> Result<u64, StoreError> {
        self.count(VARIANTS, suite).await
    }

    pub async fn subjects(&self, suite: &SuiteId) -> Result<BTreeMap<SubjectId, SubjectCounts>, StoreError> {
        let mut subjects: BTreeMap<SubjectId, SubjectCounts> = BTreeMap::new();
        for (subject, n) in self.groups(RESPONSES, suite).await? {
            subjects.entry(SubjectId::new(subject)).or_default().responses = n;
        }
        for (subject, n) in self.groups(FAILED, suite).await? {
            subjects.entry(SubjectId::new(subject)).or_default().failed = n;
        }
        for (subject, n) in self.groups(VERDICTS, suite).await? {
            subjects.entry(SubjectId::new(subject)).or_default().verdicts = n;
        }
        Ok(subjects)
    }

    async fn count(&self, text: &'static str, suite: &SuiteId) -> Result<u64, StoreError> {
        self.database.count(sql(text).bind(suite.as_str())).await
    }

    async fn groups(&self, text: &'static str, suite: &SuiteId) -> Result<Vec<(String, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = self.database.rows(sql(text).bind(suite.as_str())).await?;
        Ok(rows.into_iter().map(|(name, n)| (name, n.unsigned_abs())).collect())
    }
}
