//! Which passes are done for a suite, and what they counted.

use crate::body::{from_body, to_body};
use crate::sql::{Statement, sql};
use crate::{Store, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use waterjar_core::SuiteId;

const PUT: &str = "INSERT INTO stages (suite, stage, summary) VALUES ($1, $2, $3) \
    ON CONFLICT (suite, stage) DO UPDATE SET summary = excluded.summary";
const GET: &str = "SELECT summary FROM stages WHERE suite = $1 AND stage = $2";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Screen,
    Vary,
    Answer,
    Judge,
    Measure,
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Vary => "vary",
            Self::Answer => "answer",
            Self::Judge => "judge",
            Self::Measure => "measure",
        }
    }
}

impl Store {
    /// What the stage counted, or `None` while it is not done.
    pub async fn stage<T: DeserializeOwned>(&self, suite: &SuiteId, stage: Stage) -> Result<Option<T>, StoreError> {
        let summary: Option<String> = self.database.text(sql(GET).bind(suite.as_str()).bind(stage.as_str())).await?;
        summary.map(|summary| from_body("stages", stage.as_str(), &summary)).transpose()
    }

    /// Flush the writer first: a stage is done when its rows are there. Screening ends with [`Store::finish_screening`].
    pub async fn finish_stage<T: Serialize>(
        &self,
        suite: &SuiteId,
        stage: Stage,
        summary: &T,
    ) -> Result<(), StoreError> {
        let summary = to_body("stages", stage.as_str(), summary)?;
        self.database.write(vec![put(suite, stage, summary)]).await?;
        Ok(())
    }
}

pub(crate) fn put(suite: &SuiteId, stage: Stage, summary: String) -> Statement {
    sql(PUT).bind(suite.as_str()).bind(stage.as_str()).bind(summary)
}
