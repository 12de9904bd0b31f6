//! The eligible cases of a suite, and the order in which they are varied.

use crate::body::{from_body, to_body};
use crate::families::FamilyState;
use crate::insert::{Insert, Row};
use crate::sql::{Value, sql};
use crate::stages::{self, Stage};
use crate::{Page, Store, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use waterjar_core::{Case, CaseId, SuiteId};

// Returning the ids tells which cases were already there: after a cleared screening, those the source gives twice.
const INSERT: Insert = Insert {
    into: "INSERT INTO cases (suite, id, grp, rank, body) VALUES",
    columns: 5,
    conflict: "ON CONFLICT DO NOTHING RETURNING id",
};
const CLEAR_CASES: &str = "DELETE FROM cases WHERE suite = $1";
const CLEAR_CANDIDATES: &str = "DELETE FROM candidates WHERE suite = $1";
// The first of every group, then the second of every group. Within a round chance decides, not the alphabet: a quota may end in mid-round.
const ORDER_CANDIDATES: &str = "INSERT INTO candidates (suite, position, case_id) \
    SELECT suite, ROW_NUMBER() OVER (ORDER BY round, rank, id), id FROM ( \
        SELECT suite, id, rank, ROW_NUMBER() OVER (PARTITION BY grp ORDER BY rank, id) AS round \
        FROM cases WHERE suite = $1) AS rounds";
const PAGE: &str = "SELECT n.position, c.id, c.grp, c.body, f.state FROM candidates n \
    JOIN cases c ON c.suite = n.suite AND c.id = n.case_id \
    LEFT JOIN families f ON f.suite = n.suite AND f.position = n.position \
    WHERE n.suite = $1 AND n.position > $2 ORDER BY n.position LIMIT $3";

/// A case that passed the screening.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCase {
    pub suite: SuiteId,
    /// What it is balanced in.
    pub group: String,
    /// Its place in the group, drawn by chance.
    pub rank: i64,
    pub case: Case,
}

/// A case in its turn to be varied.
#[derive(Clone, Debug, PartialEq)]
pub struct CandidateCase {
    /// Counts from 1.
    pub position: i64,
    pub group: String,
    pub case: Case,
    /// What became of it; `None` when it was not varied yet.
    pub state: Option<FamilyState>,
}

impl Store {
    /// The counts of a finished screening. Otherwise clears what a killed one left, so that it can be repeated.
    pub async fn begin_screening<T: DeserializeOwned>(&self, suite: &SuiteId) -> Result<Option<T>, StoreError> {
        if let Some(summary) = self.stage(suite, Stage::Screen).await? {
            return Ok(Some(summary));
        }
        let clear = [CLEAR_CASES, CLEAR_CANDIDATES].map(|clear| sql(clear).bind(suite.as_str()));
        self.database.write(clear.into()).await?;
        Ok(None)
    }

    /// Fixes the order of the candidates and stores the counts, in one transaction. Flush the writer first.
    pub async fn finish_screening<T: Serialize>(&self, suite: &SuiteId, summary: &T) -> Result<(), StoreError> {
        let summary = to_body("stages", Stage::Screen.as_str(), summary)?;
        let order = [CLEAR_CANDIDATES, ORDER_CANDIDATES].map(|order| sql(order).bind(suite.as_str()));
        let done = stages::put(suite, Stage::Screen, summary);
        self.database.write(order.into_iter().chain([done]).collect()).await?;
        Ok(())
    }

    /// The candidates after a position (0 to begin), round robin over the groups.
    pub async fn candidates(&self, suite: &SuiteId, after: i64, limit: u32) -> Result<Page<CandidateCase>, StoreError> {
        let rows: Vec<(i64, String, String, String, Option<String>)> =
            self.database.rows(sql(PAGE).bind(suite.as_str()).bind(after).bind(limit)).await?;
        let items = rows
            .into_iter()
            .map(|(position, id, group, body, state)| {
                Ok(CandidateCase {
                    position,
                    group,
                    case: from_body("cases", &id, &body)?,
                    state: state.map(|state| FamilyState::read(&state)).transpose()?,
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        let positions: Vec<i64> = items.iter().map(|item| item.position).collect();
        Ok(Page::new(items, &positions, limit))
    }
}

#[derive(Debug)]
pub(crate) struct CaseRow {
    suite: String,
    pub id: String,
    group: String,
    rank: i64,
    body: String,
}

impl CaseRow {
    pub fn of(new: &NewCase) -> Result<Self, StoreError> {
        let id: &CaseId = &new.case.id;
        Ok(Self {
            suite: new.suite.as_str().to_owned(),
            id: id.as_str().to_owned(),
            group: new.group.clone(),
            rank: new.rank,
            body: to_body("cases", id.as_str(), &new.case)?,
        })
    }
}

impl Row for CaseRow {
    const INSERT: Insert = INSERT;

    fn long(&self) -> usize {
        self.body.len()
    }

    fn values(self, into: &mut Vec<Value>) {
        into.extend([self.suite.into(), self.id.into(), self.group.into(), self.rank.into(), self.body.into()]);
    }
}
