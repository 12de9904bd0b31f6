//! What a judge is shown: families with the answers of one subject.

use crate::body::from_body;
use crate::page::kept_page;
use crate::sql::sql;
use crate::{Page, Store, StoreError};
use waterjar_core::{Family, FamilyId, JudgeId, Member, SubjectId, SuiteId};

// The subject and the repeat stand in the joins: a variant without an answer is still a member of the family.
const PAGE: &str = concat!(
    "SELECT f.position, f.id, v.hash, v.body, r.key, r.body, j.key FROM ",
    kept_page!(),
    " JOIN variants v ON v.suite = f.suite AND v.position = f.position \
      LEFT JOIN responses r ON r.suite = v.suite AND r.position = v.position AND r.ord = v.ord \
          AND r.subject = $4 AND r.repeat = $5 \
      LEFT JOIN verdicts j ON j.suite = f.suite AND j.position = f.position AND j.subject = $4 AND j.repeat = $5 \
          AND j.judge = $6 \
      ORDER BY f.position, v.ord"
);

/// Whose answers are judged, and by whom.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    pub suite: &'a SuiteId,
    pub subject: &'a SubjectId,
    pub repeat: u32,
    pub judge: &'a JudgeId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FamilyToJudge {
    pub position: i64,
    pub family: Family,
    /// One per member, in their order: what the key of the verdict is made of.
    pub keys: Vec<MemberKeys>,
    /// The key of the verdict that is there already. Equal to the new key, nothing has changed and nobody need judge again.
    pub judged: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemberKeys {
    /// The hash of the variant.
    pub variant: String,
    /// The key of the response, where there is one.
    pub response: Option<String>,
}

type PageRow = (i64, String, String, String, Option<String>, Option<String>, Option<String>);

impl Store {
    /// The kept families after a position (0 to begin), each with all its variants, answered or not.
    pub async fn judging_page(
        &self,
        bench: Bench<'_>,
        after: i64,
        limit: u32,
    ) -> Result<Page<FamilyToJudge>, StoreError> {
        let rows: Vec<PageRow> = self
            .database
            .rows(
                sql(PAGE)
                    .bind(bench.suite.as_str())
                    .bind(after)
                    .bind(limit)
                    .bind(bench.subject.as_str())
                    .bind(i64::from(bench.repeat))
                    .bind(bench.judge.as_str()),
            )
            .await?;
        let mut page: Vec<FamilyToJudge> = Vec::new();
        for (position, id, hash, variant, key, response, judged) in rows {
            if page.last().is_none_or(|last| last.position != position) {
                page.push(bench.open(position, &id, judged));
            }
            let family = page.last_mut().expect("one was just pushed");
            family.family.members.push(Member {
                variant: from_body("variants", &id, &variant)?,
                response: response.map(|body| from_body("responses", &id, &body)).transpose()?,
            });
            family.keys.push(MemberKeys { variant: hash, response: key });
        }
        let positions: Vec<i64> = page.iter().map(|family| family.position).collect();
        Ok(Page::new(page, &positions, limit))
    }
}

impl Bench<'_> {
    fn open(&self, position: i64, id: &str, judged: Option<String>) -> FamilyToJudge {
        FamilyToJudge {
            position,
            family: Family {
                suite: self.suite.clone(),
                id: FamilyId::from(id),
                subject: self.subject.clone(),
                repeat: self.repeat,
                members: Vec::new(),
            },
            keys: Vec::new(),
            judged,
        }
    }
}
