//! What was measured: the figures of each subject, the shares they are made of, and the checks on the benchmark.

use crate::body::{from_body, to_body};
use crate::sql::sql;
use crate::{Store, StoreError};
use waterjar_core::metric::Share;
use waterjar_core::shares::SharesOf;
use waterjar_core::{Check, Shares, SubjectId, SubjectResult, SuiteId};

const PUT_RESULT: &str = "INSERT INTO results (suite, subject, body) VALUES ($1, $2, $3) \
    ON CONFLICT (suite, subject) DO UPDATE SET body = excluded.body";
const RESULTS: &str = "SELECT subject, body FROM results WHERE suite = $1 ORDER BY subject";
const SUITES: &str = "SELECT DISTINCT suite FROM results ORDER BY suite";
const CLEAR_SHARES: &str = "DELETE FROM shares WHERE suite = $1 AND subject = $2";
const PUT_SHARES: &str = "INSERT INTO shares (suite, subject, metric, page, body) VALUES ($1, $2, $3, $4, $5)";
const SHARES: &str = "SELECT body FROM shares WHERE suite = $1 AND subject = $2 AND metric = $3 ORDER BY page";
const SHARED: &str = "SELECT DISTINCT metric FROM shares WHERE suite = $1 AND subject = $2 ORDER BY metric";
const PUT_CHECKS: &str = "INSERT INTO checks (suite, body) VALUES ($1, $2) \
    ON CONFLICT (suite) DO UPDATE SET body = excluded.body";
const CHECKS: &str = "SELECT body FROM checks WHERE suite = $1";

/// Shares in one row of the table: texts of a size that is allocated again and again.
const PAGE: usize = 256;

impl Store {
    /// The figures of one subject with their shares, in place of those that were there.
    pub async fn replace_result(&self, result: &SubjectResult, shares: &Shares) -> Result<(), StoreError> {
        let (suite, subject) = (result.suite.as_str(), result.subject.as_str());
        let put = sql(PUT_RESULT).bind(suite).bind(subject).bind(to_body("results", subject, result)?);
        let first = [put, sql(CLEAR_SHARES).bind(suite).bind(subject)];
        let of_page = |metric: &str, page: i64, some: SharesOf<'_>| {
            let body = to_body("shares", metric, &some)?;
            Ok(sql(PUT_SHARES).bind(suite).bind(subject).bind(metric).bind(page).bind(body))
        };
        // One after the other: those of a large benchmark are megabytes.
        let pages = || shares.metrics().flat_map(|it| shares.of(it).pages(PAGE).zip(0..).map(move |page| (it, page)));
        let rest = || pages().map(|(metric, (some, page))| of_page(metric, page, some));
        self.database.write_each(|| Box::new(first.clone().into_iter().map(Ok).chain(rest()))).await
    }

    /// Ordered by subject.
    pub async fn results(&self, suite: &SuiteId) -> Result<Vec<SubjectResult>, StoreError> {
        let rows: Vec<(String, String)> = self.database.rows(sql(RESULTS).bind(suite.as_str())).await?;
        rows.iter().map(|(subject, body)| from_body("results", subject, body)).collect()
    }

    /// The suites that have figures.
    pub async fn measured_suites(&self) -> Result<Vec<SuiteId>, StoreError> {
        let names: Vec<(String,)> = self.database.rows(sql(SUITES)).await?;
        Ok(names.into_iter().map(|(name,)| SuiteId::new(name)).collect())
    }

    /// `None` when the metric was not measured.
    pub async fn shares(
        &self,
        suite: &SuiteId,
        subject: &SubjectId,
        metric: &str,
    ) -> Result<Option<Vec<Share>>, StoreError> {
        let pages: Vec<(String,)> =
            self.database.rows(sql(SHARES).bind(suite.as_str()).bind(subject.as_str()).bind(metric)).await?;
        let mut shares = Vec::new();
        for (body,) in &pages {
            shares.extend(from_body::<Vec<Share>>("shares", metric, body)?);
        }
        Ok((!pages.is_empty()).then_some(shares))
    }

    /// The metrics that `shares` has of a subject.
    pub async fn metrics_with_shares(&self, suite: &SuiteId, subject: &SubjectId) -> Result<Vec<String>, StoreError> {
        let statement = sql(SHARED).bind(suite.as_str()).bind(subject.as_str());
        let names: Vec<(String,)> = self.database.rows(statement).await?;
        Ok(names.into_iter().map(|(name,)| name).collect())
    }

    pub async fn replace_checks(&self, suite: &SuiteId, checks: &[Check]) -> Result<(), StoreError> {
        let body = to_body("checks", suite.as_str(), checks)?;
        self.database.write(vec![sql(PUT_CHECKS).bind(suite.as_str()).bind(body)]).await?;
        Ok(())
    }

    /// Empty when there are none.
    pub async fn checks(&self, suite: &SuiteId) -> Result<Vec<Check>, StoreError> {
        let body: Option<String> = self.database.text(sql(CHECKS).bind(suite.as_str())).await?;
        body.map_or(Ok(Vec::new()), |body| from_body("checks", suite.as_str(), &body))
    }
}
