//! How far a run has come.

use crate::sql::sql;
use crate::{Store, StoreError};
use std::collections::BTreeMap;
use waterjar_core::{JudgeId, SubjectId, SuiteId};

// None reads a body, and all but the failures, which are few, are answered from an index. What hangs on families that are left out of the
// benchmark stays in the store and counts nowhere.
const CASES: &str = "SELECT COUNT(*) FROM cases WHERE suite = $1";
const FAMILIES: &str = "SELECT state, COUNT(*) FROM families WHERE suite = $1 GROUP BY state";
const VARIANTS: &str = "SELECT COUNT(*) FROM variants v JOIN families f \
    ON f.suite = v.suite AND f.position = v.position WHERE v.suite = $1 AND f.state = 'kept'";
const RESPONSES: &str = "SELECT r.subject, COUNT(*) FROM responses r JOIN families f \
    ON f.suite = r.suite AND f.position = r.position WHERE r.suite = $1 AND f.state = 'kept' GROUP BY r.subject";
const FAILED: &str = "SELECT r.subject, COUNT(*) FROM responses r JOIN families f \
    ON f.suite = r.suite AND f.position = r.position \
    WHERE r.suite = $1 AND r.state <> 'ok' AND f.state = 'kept' GROUP BY r.subject";
const JUDGED: &str = "SELECT j.subject, COUNT(*) FROM verdicts j JOIN families f \
    ON f.suite = j.suite AND f.position = j.position \
    WHERE j.suite = $1 AND j.judge = $2 AND f.state = 'kept' GROUP BY j.subject";

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

/// On the kept families.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubjectCounts {
    /// Answers and failures.
    pub responses: u64,
    /// Of these, the failures.
    pub failed: u64,
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
        Ok(subjects)
    }

    /// How many verdicts of a judge there are on the kept families, by subject.
    pub async fn judged(&self, suite: &SuiteId, judge: &JudgeId) -> Result<BTreeMap<SubjectId, u64>, StoreError> {
        let judged = sql(JUDGED).bind(suite.as_str()).bind(judge.as_str());
        let rows: Vec<(String, i64)> = self.database.rows(judged).await?;
        Ok(rows.into_iter().map(|(subject, n)| (SubjectId::new(subject), n.unsigned_abs())).collect())
    }

    async fn count(&self, text: &'static str, suite: &SuiteId) -> Result<u64, StoreError> {
        self.database.count(sql(text).bind(suite.as_str())).await
    }

    async fn groups(&self, text: &'static str, suite: &SuiteId) -> Result<Vec<(String, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = self.database.rows(sql(text).bind(suite.as_str())).await?;
        Ok(rows.into_iter().map(|(name, n)| (name, n.unsigned_abs())).collect())
    }
}
