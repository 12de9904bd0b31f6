//! What was measured: the figures of each subject, the shares they are made of, and the checks on the benchmark.

use crate::body::{from_body, to_body};
use crate::{Store, StoreError};
use waterjar_core::metric::Share;
use waterjar_core::{Check, Shares, SubjectId, SubjectResult, SuiteId};

const PUT_RESULT: &str = "INSERT INTO results (suite, subject, body) VALUES ($1, $2, $3) \
    ON CONFLICT (suite, subject) DO UPDATE SET body = excluded.body";
const RESULTS: &str = "SELECT subject, body FROM results WHERE suite = $1 ORDER BY subject";
const SUITES: &str = "SELECT DISTINCT suite FROM results ORDER BY suite";
const CLEAR_SHARES: &str = "DELETE FROM shares WHERE suite = $1 AND subject = $2";
const PUT_SHARES: &str = "INSERT INTO shares (suite, subject, metric, body) VALUES ($1, $2, $3, $4)";
const SHARES: &str = "SELECT body FROM shares WHERE suite = $1 AND subject = $2 AND metric = $3";
const PUT_CHECKS: &str = "INSERT INTO checks (suite, body) VALUES ($1, $2) \
    ON CONFLICT (suite) DO UPDATE SET body = excluded.body";
const CHECKS: &str = "SELECT body FROM checks WHERE suite = $1";

const FEW_PAGES: &str = "PRAGMA cache_size = -2048";
const ALL_PAGES: &str = "PRAGMA cache_size = -16384";

impl Store {
    /// The figures of one subject with their shares, in place of those that were there.
    pub async fn replace_result(&self, result: &SubjectResult, shares: &Shares) -> Result<(), StoreError> {
        let (suite, subject) = (result.suite.as_str(), result.subject.as_str());
        let body = to_body("results", subject, result)?;
        let wrong = |error: sqlx::Error| self.wrong(&error);
        let mut transaction = self.begin().await?;
        // Shares are written once, one after the other: to keep their pages would take as much room as there are families.
        sqlx::raw_sql(FEW_PAGES).execute(transaction.connection()).await.map_err(wrong)?;
        let put = sqlx::query(PUT_RESULT).bind(suite).bind(subject).bind(body);
        put.execute(transaction.connection()).await.map_err(wrong)?;
        let clear = sqlx::query(CLEAR_SHARES).bind(suite).bind(subject);
        clear.execute(transaction.connection()).await.map_err(wrong)?;
        // One after the other: those of a large benchmark are megabytes each.
        for metric in shares.metrics() {
            let body = to_body("shares", metric, &shares.of(metric))?;
            let put = sqlx::query(PUT_SHARES).bind(suite).bind(subject).bind(metric).bind(body);
            put.execute(transaction.connection()).await.map_err(wrong)?;
        }
        sqlx::raw_sql(ALL_PAGES).execute(transaction.connection()).await.map_err(wrong)?;
        self.commit(transaction).await
    }

    /// Ordered by subject.
    pub async fn results(&self, suite: &SuiteId) -> Result<Vec<SubjectResult>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as(RESULTS)
            .bind(suite.as_str())
            .fetch_all(&self.reading)
            .await
            .map_err(|error| self.wrong(&error))?;
        rows.iter().map(|(subject, body)| from_body("results", subject, body)).collect()
    }

    /// The suites that have figures.
    pub async fn measured_suites(&self) -> Result<Vec<SuiteId>, StoreError> {
        let names: Vec<String> =
            sqlx::query_scalar(SUITES).fetch_all(&self.reading).await.map_err(|error| self.wrong(&error))?;
        Ok(names.into_iter().map(SuiteId::new).collect())
    }

    /// `None` when the metric was not measured.
    pub async fn shares(
        &self,
        suite: &SuiteId,
        subject: &SubjectId,
        metric: &str,
    ) -> Result<Option<Vec<Share>>, StoreError> {
        let body: Option<String> = sqlx::query_scalar(SHARES)
            .bind(suite.as_str())
            .bind(subject.as_str())
            .bind(metric)
            .fetch_optional(&self.reading)
            .await
            .map_err(|error| self.wrong(&error))?;
        body.map(|body| from_body("shares", metric, &body)).transpose()
    }

    pub async fn replace_checks(&self, suite: &SuiteId, checks: &[Check]) -> Result<(), StoreError> {
        let body = to_body("checks", suite.as_str(), checks)?;
        let mut transaction = self.begin().await?;
        sqlx::query(PUT_CHECKS)
            .bind(suite.as_str())
            .bind(body)
            .execute(transaction.connection())
            .await
            .map_err(|error| self.wrong(&error))?;
        self.commit(transaction).await
    }

    /// Empty when there are none.
    pub async fn checks(&self, suite: &SuiteId) -> Result<Vec<Check>, StoreError> {
        let body: Option<String> = sqlx::query_scalar(CHECKS)
            .bind(suite.as_str())
            .fetch_optional(&self.reading)
            .await
            .map_err(|error| self.wrong(&error))?;
        body.map_or(Ok(Vec::new()), |body| from_body("checks", suite.as_str(), &body))
    }
}
