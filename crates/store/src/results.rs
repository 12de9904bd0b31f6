//! What was measured: the figures of each subject, the shares they are made of, and the checks on the benchmark.

use crate::body::{from_body, to_body};
use crate::sql::{Statement, sql};
use crate::{Page, Store, StoreError};
use waterjar_core::metric::Share;
use waterjar_core::{Check, Shares, SubjectId, SubjectResult, SuiteId};

const PUT_RESULT: &str = "INSERT INTO results (suite, subject, body) VALUES ($1, $2, $3) \
    ON CONFLICT (suite, subject) DO UPDATE SET body = excluded.body";
const RESULTS: &str = "SELECT subject, body FROM results WHERE suite = $1 ORDER BY subject";
const SUITES: &str = "SELECT DISTINCT suite FROM results ORDER BY suite";
const CLEAR_SHARES: &str = "DELETE FROM shares WHERE suite = $1 AND subject = $2";
// Pages of figures that are still being made are counted down from -1: nobody reads them, and what is there stays until they are complete.
const CLEAR_OLD: &str = "DELETE FROM shares WHERE suite = $1 AND subject = $2 AND page >= 0";
const ADOPT_NEW: &str = "UPDATE shares SET page = -1 - page WHERE suite = $1 AND subject = $2 AND page < 0";
const CLEAR_NEW: &str = "DELETE FROM shares WHERE suite = $1 AND subject = $2 AND page < 0";
const PUT_SHARES: &str = "INSERT INTO shares (suite, subject, metric, page, body) VALUES ($1, $2, $3, $4, $5)";
const SHARES: &str =
    "SELECT body FROM shares WHERE suite = $1 AND subject = $2 AND metric = $3 AND page >= 0 ORDER BY page";
const SHARES_PAGE: &str = "SELECT page, body FROM shares \
    WHERE suite = $1 AND subject = $2 AND metric = $3 AND page > $4 ORDER BY page LIMIT $5";
const SHARED: &str =
    "SELECT DISTINCT metric FROM shares WHERE suite = $1 AND subject = $2 AND page >= 0 ORDER BY metric";
const PUT_CHECKS: &str = "INSERT INTO checks (suite, body) VALUES ($1, $2) \
    ON CONFLICT (suite) DO UPDATE SET body = excluded.body";
const CHECKS: &str = "SELECT body FROM checks WHERE suite = $1";

/// Shares in one row of the table: texts of a size that is allocated again and again.
const PAGE: usize = 256;

/// How many pages of shares were put aside for figures that are not there yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NewShares {
    pages: i64,
}

/// One statement after the other, because the shares of a large benchmark are megabytes. Pages are counted over all metrics.
fn pages<'a>(
    suite: &'a SuiteId,
    subject: &'a SubjectId,
    shares: &'a Shares,
    number: impl Fn(i64) -> i64 + Send + 'a,
) -> impl Iterator<Item = Result<Statement, StoreError>> + Send + 'a {
    let of_metric = |metric| shares.of(metric).pages(PAGE).map(move |some| (metric, some));
    shares.metrics().flat_map(of_metric).zip(0..).map(move |((metric, some), at)| {
        let body = to_body("shares", metric, &some)?;
        let put = sql(PUT_SHARES).bind(suite.as_str()).bind(subject.as_str());
        Ok(put.bind(metric).bind(number(at)).bind(body))
    })
}

impl Store {
    /// The figures of one subject with their shares, in place of those that were there.
    pub async fn replace_result(&self, result: &SubjectResult, shares: &Shares) -> Result<(), StoreError> {
        self.replace_result_after(result, NewShares::default(), shares).await
    }

    /// The same with shares of which some were put aside already; `rest` are those after them.
    pub async fn replace_result_after(
        &self,
        result: &SubjectResult,
        aside: NewShares,
        rest: &Shares,
    ) -> Result<(), StoreError> {
        let (suite, subject) = (&result.suite, &result.subject);
        let put = sql(PUT_RESULT).bind(suite.as_str()).bind(subject.as_str());
        let put = put.bind(to_body("results", subject.as_str(), result)?);
        let of_subject = |text| sql(text).bind(suite.as_str()).bind(subject.as_str());
        let first = match aside.pages {
            // Of a measuring that was broken off there may be some.
            0 => vec![put, of_subject(CLEAR_SHARES)],
            _ => vec![put, of_subject(CLEAR_OLD), of_subject(ADOPT_NEW)],
        };
        let pages = || pages(suite, subject, rest, |at| aside.pages + at);
        self.database.write_each(|| Box::new(first.clone().into_iter().map(Ok).chain(pages()))).await
    }

    /// Puts shares aside until the figures are there, because those of a large benchmark are megabytes. Begun anew, what was put aside before goes.
    pub async fn put_aside(
        &self,
        suite: &SuiteId,
        subject: &SubjectId,
        aside: NewShares,
        shares: &Shares,
    ) -> Result<NewShares, StoreError> {
        let begin = (aside.pages == 0).then(|| sql(CLEAR_NEW).bind(suite.as_str()).bind(subject.as_str()));
        let new = || pages(suite, subject, shares, |at| -1 - (aside.pages + at));
        self.database.write_each(|| Box::new(begin.clone().into_iter().map(Ok).chain(new()))).await?;
        let more: usize = shares.metrics().map(|metric| shares.of(metric).pages(PAGE).count()).sum();
        Ok(NewShares { pages: aside.pages + more as i64 })
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
        let (is_there, mut shares) = (!pages.is_empty(), Vec::new());
        // Each page goes as it is read.
        for (body,) in pages {
            shares.extend(from_body::<Vec<Share>>("shares", metric, &body)?);
        }
        Ok(is_there.then_some(shares))
    }

    /// The same so many rows of the table at a time (-1 to begin), for whoever need not hold them all. Nothing when the metric was not measured.
    pub async fn shares_page(
        &self,
        suite: &SuiteId,
        subject: &SubjectId,
        metric: &str,
        after: i64,
        limit: u32,
    ) -> Result<Page<Share>, StoreError> {
        let statement = sql(SHARES_PAGE).bind(suite.as_str()).bind(subject.as_str()).bind(metric);
        // Below -1 are those that are put aside.
        let rows: Vec<(i64, String)> = self.database.rows(statement.bind(after.max(-1)).bind(limit)).await?;
        let mut shares = Vec::new();
        for (_, body) in &rows {
            shares.extend(from_body::<Vec<Share>>("shares", metric, body)?);
        }
        let pages: Vec<i64> = rows.iter().map(|(page, _)| *page).collect();
        Ok(Page::new(shares, &pages, limit))
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
