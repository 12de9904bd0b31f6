//! Files that a run leans on, for workers on other machines.

use crate::sql::sql;
use crate::{Store, StoreError};

const PUT: &str = "INSERT INTO files (name, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const NAMES: &str = "SELECT name FROM files ORDER BY name";
const BODY: &str = "SELECT body FROM files WHERE name = $1";

impl Store {
    /// `name` is relative to the run's directory. What is there stays.
    pub async fn put_file(&self, name: &str, body: Vec<u8>) -> Result<(), StoreError> {
        self.database.write(vec![sql(PUT).bind(name).bind(body)]).await.map(|_| ())
    }

    pub async fn file_names(&self) -> Result<Vec<String>, StoreError> {
        let names: Vec<(String,)> = self.database.rows(sql(NAMES)).await?;
        Ok(names.into_iter().map(|(name,)| name).collect())
    }

    pub async fn file(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let row: Option<(Vec<u8>,)> = self.database.row(sql(BODY).bind(name)).await?;
        Ok(row.map(|(body,)| body))
    }
}
