//! Raters, and who of them is signed in. Secrets come and stay here as hashes.

use super::Ratings;
use crate::StoreError;
use crate::sql::{Statement, sql};

const PUT: &str = "INSERT INTO raters (project, name, link, password) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
const RATERS: &str = "SELECT name, password, blocked FROM raters WHERE project = $1 ORDER BY name";
const BY_LINK: &str = "SELECT project, name FROM raters WHERE link = $1 AND blocked = 0";
const RELINK: &str = "UPDATE raters SET link = $3 WHERE project = $1 AND name = $2";
const BLOCK: &str = "UPDATE raters SET blocked = $3 WHERE project = $1 AND name = $2";
const SIGN_OUT_ALL: &str = "DELETE FROM sessions WHERE project = $1 AND rater = $2";
const BEGIN: &str = "INSERT INTO sessions (hash, project, rater, until) VALUES ($1, $2, $3, $4)";
const FORGET_OLD: &str = "DELETE FROM sessions WHERE until < $1";
const END: &str = "DELETE FROM sessions WHERE hash = $1";
// A rater who is blocked is out at once, whatever their browser keeps.
const SESSION: &str = "SELECT s.project, s.rater FROM sessions s \
    JOIN raters r ON r.project = s.project AND r.name = s.rater AND r.blocked = 0 WHERE s.hash = $1 AND s.until >= $2";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRater {
    pub name: String,
    /// The hash of the secret in the personal link.
    pub link: String,
    /// The hash of a password, where there is one.
    pub password: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRater {
    pub name: String,
    pub password: Option<String>,
    pub blocked: bool,
}

/// Who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub project: String,
    pub rater: String,
}

impl NewRater {
    pub(super) fn put(&self, project: &str) -> Statement {
        sql(PUT).bind(project).bind(&self.name).bind(&self.link).bind(self.password.clone())
    }
}

impl Ratings {
    /// `false` where there is one of that name.
    pub async fn add_rater(&self, project: &str, rater: &NewRater) -> Result<bool, StoreError> {
        Ok(self.write(vec![rater.put(project)]).await? == [1])
    }

    pub async fn raters(&self, project: &str) -> Result<Vec<StoredRater>, StoreError> {
        let rows: Vec<(String, Option<String>, i64)> = self.database.rows(sql(RATERS).bind(project)).await?;
        let rater = |(name, password, blocked)| StoredRater { name, password, blocked: blocked != 0 };
        Ok(rows.into_iter().map(rater).collect())
    }

    /// Whose link it is, unless they are blocked.
    pub async fn by_link(&self, hash: &str) -> Result<Option<Session>, StoreError> {
        Ok(self.database.row(sql(BY_LINK).bind(hash)).await?.map(session))
    }

    /// Another link; the old one is of no use any more, and whoever came by it is signed out.
    pub async fn relink(&self, project: &str, rater: &str, hash: &str) -> Result<(), StoreError> {
        self.change(project, rater, sql(RELINK).bind(project).bind(rater).bind(hash)).await
    }

    pub async fn block(&self, project: &str, rater: &str, blocked: bool) -> Result<(), StoreError> {
        self.change(project, rater, sql(BLOCK).bind(project).bind(rater).bind(i64::from(blocked))).await
    }

    async fn change(&self, project: &str, rater: &str, change: Statement) -> Result<(), StoreError> {
        self.write(vec![change, sql(SIGN_OUT_ALL).bind(project).bind(rater)]).await?;
        Ok(())
    }

    /// `now` and `until` are seconds since 1970. Sessions that have ended are forgotten on the way.
    pub async fn sign_in(&self, hash: &str, who: &Session, now: i64, until: i64) -> Result<(), StoreError> {
        let begin = sql(BEGIN).bind(hash).bind(&who.project).bind(&who.rater).bind(until);
        self.database.write(vec![sql(FORGET_OLD).bind(now), begin]).await?;
        Ok(())
    }

    pub async fn session(&self, hash: &str, now: i64) -> Result<Option<Session>, StoreError> {
        Ok(self.database.row(sql(SESSION).bind(hash).bind(now)).await?.map(session))
    }

    pub async fn sign_out(&self, hash: &str) -> Result<(), StoreError> {
        self.database.write(vec![sql(END).bind(hash)]).await?;
        Ok(())
    }
}

fn session((project, rater): (String, String)) -> Session {
    Session { project, rater }
}
