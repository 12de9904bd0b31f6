//! What judges said of families.

use crate::body::{from_body, to_body};
use crate::insert::{Insert, Row};
use crate::page::kept_page;
use crate::sql::{Value, sql};
use crate::{Page, Store, StoreError};
use waterjar_core::{FamilyVerdict, JudgeId, SubjectId, SuiteId};

const INSERT: Insert = Insert {
    into: "INSERT INTO verdicts (suite, position, subject, repeat, judge, family, key, body) VALUES",
    columns: 8,
    conflict: "ON CONFLICT (suite, position, subject, repeat, judge) DO UPDATE SET \
        key = excluded.key, body = excluded.body WHERE verdicts.key <> excluded.key",
};
const OF_SUBJECT: &str = concat!(
    "SELECT f.position, j.key, j.body FROM ",
    kept_page!(),
    " LEFT JOIN verdicts j ON j.suite = f.suite AND j.position = f.position AND j.subject = $4 AND j.judge = $5 \
      ORDER BY f.position, j.repeat"
);
const OF_ALL: &str = concat!(
    "SELECT f.position, j.key, j.body FROM ",
    kept_page!(),
    " LEFT JOIN verdicts j ON j.suite = f.suite AND j.position = f.position \
      ORDER BY f.position, j.subject, j.repeat, j.judge"
);

#[derive(Clone, Debug, PartialEq)]
pub struct NewVerdict {
    pub suite: SuiteId,
    /// The family's.
    pub position: i64,
    /// A hash of what was judged.
    pub key: String,
    pub verdict: FamilyVerdict,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StoredVerdict {
    pub position: i64,
    pub key: String,
    pub verdict: FamilyVerdict,
}

impl Store {
    /// One judge's verdicts on one subject for the kept families after a position, ordered by family and repeat. `limit` counts families.
    pub async fn verdicts_on(
        &self,
        suite: &SuiteId,
        subject: &SubjectId,
        judge: &JudgeId,
        after: i64,
        limit: u32,
    ) -> Result<Page<StoredVerdict>, StoreError> {
        let rows = self
            .database
            .rows(
                sql(OF_SUBJECT)
                    .bind(suite.as_str())
                    .bind(after)
                    .bind(limit)
                    .bind(subject.as_str())
                    .bind(judge.as_str()),
            )
            .await?;
        page_of(rows, limit)
    }

    /// All verdicts on the kept families after a position, ordered by family, subject, repeat, judge. `limit` counts families.
    pub async fn verdicts_page(
        &self,
        suite: &SuiteId,
        after: i64,
        limit: u32,
    ) -> Result<Page<StoredVerdict>, StoreError> {
        let rows = self.database.rows(sql(OF_ALL).bind(suite.as_str()).bind(after).bind(limit)).await?;
        page_of(rows, limit)
    }
}

type PageRow = (i64, Option<String>, Option<String>);

fn page_of(rows: Vec<PageRow>, limit: u32) -> Result<Page<StoredVerdict>, StoreError> {
    let positions: Vec<i64> = rows.iter().map(|row| row.0).collect();
    let items = rows.into_iter().filter_map(read).collect::<Result<_, _>>()?;
    Ok(Page::new(items, &positions, limit))
}

/// `None` for a family nobody has judged.
fn read((position, key, body): PageRow) -> Option<Result<StoredVerdict, StoreError>> {
    let (key, body) = key.zip(body)?;
    let verdict = from_body("verdicts", &key, &body);
    Some(verdict.map(|verdict| StoredVerdict { position, key, verdict }))
}

#[derive(Debug)]
pub(crate) struct VerdictRow {
    suite: String,
    position: i64,
    subject: String,
    repeat: i64,
    judge: String,
    family: String,
    key: String,
    body: String,
}

impl VerdictRow {
    pub fn of(new: &NewVerdict) -> Result<Self, StoreError> {
        let verdict = &new.verdict;
        Ok(Self {
            suite: new.suite.as_str().to_owned(),
            position: new.position,
            subject: verdict.subject.as_str().to_owned(),
            repeat: i64::from(verdict.repeat),
            judge: verdict.judge.as_str().to_owned(),
            family: verdict.family.as_str().to_owned(),
            key: new.key.clone(),
            body: to_body("verdicts", verdict.family.as_str(), verdict)?,
        })
    }
}

impl Row for VerdictRow {
    const INSERT: Insert = INSERT;

    fn long(&self) -> usize {
        self.body.len()
    }

    fn values(self, into: &mut Vec<Value>) {
        into.extend([
            self.suite.into(),
            self.position.into(),
            self.subject.into(),
            self.repeat.into(),
            self.judge.into(),
            self.family.into(),
            self.key.into(),
            self.body.into(),
        ]);
    }
}
