//! How far a run has come.

use crate::{Store, StoreError};
use std::collections::BTreeMap;
use waterjar_core::{SubjectId, SuiteId};

// All of these are answered from an index; none reads a body.
const CASES: &str = "SELECT COUNT(*) FROM cases WHERE suite = $1";
const FAMILIES: &str = "SELECT COUNT(*) FROM families WHERE suite = $1 AND state = $2";
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
        let mut counts = Counts {
            cases: self.count(CASES, suite, None).await?,
            kept: self.count(FAMILIES, suite, Some("kept")).await?,
            lost: self.count(FAMILIES, suite, Some("lost")).await?,
            surplus: self.count(FAMILIES, suite, Some("surplus")).await?,
            variants: self.count(VARIANTS, suite, None).await?,
            subjects: BTreeMap::new(),
        };
        for (subject, n) in self.by_subject(RESPONSES, suite).await? {
            counts.subjects.entry(subject).or_default().responses = n;
        }
        for (subject, n) in self.by_subject(FAILED, suite).await? {
            counts.subjects.entry(subject).or_default().failed = n;
        }
        for (subject, n) in self.by_subject(VERDICTS, suite).await? {
            counts.subjects.entry(subject).or_default().verdicts = n;
        }
        Ok(counts)
    }

    async fn count(&self, sql: &'static str, suite: &SuiteId, state: Option<&str>) -> Result<u64, StoreError> {
        let mut query = sqlx::query_scalar(sql).bind(suite.as_str());
        if let Some(state) = state {
            query = query.bind(state);
        }
        let n: i64 = query.fetch_one(&self.reading).await.map_err(|error| self.wrong(&error))?;
        Ok(n.unsigned_abs())
    }

    async fn by_subject(&self, sql: &'static str, suite: &SuiteId) -> Result<Vec<(SubjectId, u64)>, StoreError> {
        let rows: Vec<(String, i64)> = sqlx::query_as(sql)
            .bind(suite.as_str())
            .fetch_all(&self.reading)
            .await
            .map_err(|error| self.wrong(&error))?;
        Ok(rows.into_iter().map(|(subject, n)| (SubjectId::new(subject), n.unsigned_abs())).collect())
    }
}
