//! What the run is a run of.

use crate::sql::sql;
use crate::{Store, StoreError};

const PUT: &str = "INSERT INTO meta (key, value) VALUES ($1, $2) \
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const PUT_IF_ABSENT: &str = "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const GET: &str = "SELECT value FROM meta WHERE key = $1";

/// What makes two runs the same run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Of everything that changes what is asked. Runs with different hashes do not mix.
    pub study_hash: String,
    /// The study file as it was written, for the record.
    pub study_text: String,
    /// The version of the program that started the run.
    pub program: String,
}

impl Store {
    /// Writes the identity into a new run (`false`) or finds it there (`true`). Refuses a run of another study.
    pub async fn claim(&self, identity: &Identity) -> Result<bool, StoreError> {
        if let Some(held) = self.identity().await? {
            if held.study_hash != identity.study_hash {
                return Err(StoreError::OtherStudy { path: self.path().to_owned(), why: None });
            }
            return Ok(true);
        }
        let facts = [
            ("study_hash", &identity.study_hash),
            ("study_text", &identity.study_text),
            ("program", &identity.program),
        ];
        let put = facts.map(|(key, value)| sql(PUT_IF_ABSENT).bind(key).bind(value));
        self.database.write(put.into()).await?;
        Ok(false)
    }

    /// `None` for a run that nobody has claimed.
    pub async fn identity(&self) -> Result<Option<Identity>, StoreError> {
        let (Some(study_hash), Some(study_text), Some(program)) =
            (self.meta("study_hash").await?, self.meta("study_text").await?, self.meta("program").await?)
        else {
            return Ok(None);
        };
        Ok(Some(Identity { study_hash, study_text, program }))
    }

    pub async fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.database.text(sql(GET).bind(key)).await
    }

    pub async fn put_meta(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(PUT).bind(key).bind(value)]).await?;
        Ok(())
    }
}
