//! Answers that failed, and forgetting them so that they are asked for again.

use crate::sql::sql;
use crate::{Store, StoreError, StoredVerdict};
use waterjar_core::{SubjectId, SuiteId};

const FAILED: &str = "SELECT position, ord, subject, repeat FROM responses WHERE suite = $1 AND state <> 'ok' \
    ORDER BY position, ord, subject, repeat";
// What a judge made of a family holds only for the answers it was shown.
const VERDICTS: &str = "DELETE FROM verdicts WHERE suite = $1 AND position = $2 AND subject = $3 AND repeat = $4";
const RESPONSE: &str =
    "DELETE FROM responses WHERE suite = $1 AND position = $2 AND ord = $3 AND subject = $4 AND repeat = $5";
// A reply that could not be used is kept like any other, and would be given again.
const REPLIES: &str = "DELETE FROM replies WHERE key IN \
    (SELECT reply_key FROM transcripts WHERE role = 'subject' AND item = $1)";
const CALLS: &str = "DELETE FROM transcripts WHERE role = 'subject' AND item = $1";
const VERDICT: &str =
    "DELETE FROM verdicts WHERE suite = $1 AND position = $2 AND subject = $3 AND repeat = $4 AND judge = $5";
const JUDGES_REPLIES: &str = "DELETE FROM replies WHERE key IN \
    (SELECT reply_key FROM transcripts WHERE role = 'judge' AND item = $1)";
const JUDGES_CALLS: &str = "DELETE FROM transcripts WHERE role = 'judge' AND item = $1";
// What was said on the way stays, and is not asked again.
const LOST: &str = "DELETE FROM families WHERE suite = $1 AND state = 'lost' AND loss = $2";

/// A question that ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedResponse {
    pub position: i64,
    pub ord: u32,
    pub subject: SubjectId,
    pub repeat: u32,
}

impl Store {
    pub async fn failed(&self, suite: &SuiteId) -> Result<Vec<FailedResponse>, StoreError> {
        let rows: Vec<(i64, i64, String, i64)> = self.database.rows(sql(FAILED).bind(suite.as_str())).await?;
        let small = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        let failed = |(position, ord, subject, repeat)| FailedResponse {
            position,
            ord: small(ord),
            subject: SubjectId::new(subject),
            repeat: small(repeat),
        };
        Ok(rows.into_iter().map(failed).collect())
    }

    /// All at once or not at all: each failure with the calls made for it (`item` names them) and the verdicts that rest on it.
    pub async fn forget(
        &self,
        suite: &SuiteId,
        failed: &[FailedResponse],
        item: impl Fn(&FailedResponse) -> String + Send + Sync,
    ) -> Result<(), StoreError> {
        let forgotten = |it: &FailedResponse| {
            let item = item(it);
            let (ord, repeat) = (i64::from(it.ord), i64::from(it.repeat));
            [
                sql(VERDICTS).bind(suite.as_str()).bind(it.position).bind(it.subject.as_str()).bind(repeat),
                sql(RESPONSE).bind(suite.as_str()).bind(it.position).bind(ord).bind(it.subject.as_str()).bind(repeat),
                sql(REPLIES).bind(&item),
                sql(CALLS).bind(&item),
            ]
        };
        self.database.write_each(|| Box::new(failed.iter().flat_map(&forgotten).map(Ok))).await
    }

    /// The same for verdicts, each with the calls made for it.
    pub async fn forget_verdicts(
        &self,
        suite: &SuiteId,
        verdicts: &[StoredVerdict],
        item: impl Fn(&StoredVerdict) -> String + Send + Sync,
    ) -> Result<(), StoreError> {
        let forgotten = |it: &StoredVerdict| {
            let item = item(it);
            let verdict = &it.verdict;
            [
                sql(VERDICT)
                    .bind(suite.as_str())
                    .bind(it.position)
                    .bind(verdict.subject.as_str())
                    .bind(i64::from(verdict.repeat))
                    .bind(verdict.judge.as_str()),
                sql(JUDGES_REPLIES).bind(&item),
                sql(JUDGES_CALLS).bind(&item),
            ]
        };
        self.database.write_each(|| Box::new(verdicts.iter().flat_map(&forgotten).map(Ok))).await
    }

    /// Candidates that were lost for one of these reasons are open again; tells how many.
    pub async fn forget_lost(&self, suite: &SuiteId, reasons: &[&str]) -> Result<u64, StoreError> {
        let forget = |reason: &&str| sql(LOST).bind(suite.as_str()).bind(*reason);
        Ok(self.database.write(reasons.iter().map(forget).collect()).await?.iter().sum())
    }
}
