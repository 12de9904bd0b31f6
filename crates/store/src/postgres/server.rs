//! The address of a PostgreSQL database, the team that shares it, and the run in it.

use crate::StoreError;
use crate::place::is_address;
use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// `postgres://HOST/DATABASE?run=NAME&team=NAME`, the rest as everywhere with PostgreSQL.
///
/// A run is a schema `TEAM:RUN`, so that its tables are those of a run in a file, one command drops it, and rights can be given by run.
#[derive(Clone, Debug)]
pub struct Server {
    options: PgConnectOptions,
    shown: String,
    pub(crate) team: String,
    pub(crate) run: Option<String>,
    schema: String,
}

const TEAM: &str = "waterjar";
/// PostgreSQL cuts longer names without a word.
const LONGEST: usize = 63;
/// What a process holds at once: readers, the two who write, and one to spare.
const CONNECTIONS: u32 = 6;
/// A connection nobody uses is given back: the server has a hundred for everybody.
const IDLE: Duration = Duration::from_secs(5);
/// Asking for a connection gives up sooner than those who wait for a server to come back.
const CONNECTING: Duration = Duration::from_secs(10);

impl Server {
    pub fn parse(url: &str) -> Result<Self, StoreError> {
        if !is_address(url) {
            let problem = "it does not begin with `postgres://`".to_owned();
            return Err(StoreError::Address { url: without_password(url), problem });
        }
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut team, mut run, mut rest) = (TEAM.to_owned(), None, Vec::new());
        for part in query.split('&').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("team", name)) => name.clone_into(&mut team),
                Some(("run", name)) => run = Some(name.to_owned()),
                _ => rest.push(part),
            }
        }
        let mut kept = address.to_owned();
        if !rest.is_empty() {
            kept = format!("{kept}?{}", rest.join("&"));
        }
        let kept = remembered(kept);
        let shown = without_password(url);
        let wrong = |problem: String| StoreError::Address { url: shown.clone(), problem };
        let options = PgConnectOptions::from_str(&kept).map_err(|error| wrong(error.to_string()))?;
        let options = options.application_name("waterjar").disable_statement_logging();
        for name in [Some(&team), run.as_ref()].into_iter().flatten() {
            check(name).map_err(wrong)?;
        }
        let schema = team.clone();
        let server = Self { options, shown, team, run: None, schema };
        match run {
            Some(run) => server.with_run(&run),
            None => Ok(server),
        }
    }

    /// From a file that says where a run is.
    pub fn read(path: &std::path::Path) -> Result<Self, StoreError> {
        let url = std::fs::read_to_string(path).map_err(|error| StoreError::from_io(path, &error))?;
        Self::of_run(url.trim())
    }

    pub(crate) fn of_run(url: &str) -> Result<Self, StoreError> {
        let server = Self::parse(url)?;
        if server.run.is_some() {
            return Ok(server);
        }
        let problem = "it names no run: add `?run=NAME`".to_owned();
        Err(StoreError::Address { url: server.shown, problem })
    }

    /// The same server with another run.
    pub fn with_run(mut self, run: &str) -> Result<Self, StoreError> {
        let wrong = |problem: String| StoreError::Address { url: self.shown.clone(), problem };
        check(run).map_err(wrong)?;
        self.schema = format!("{}:{run}", self.team);
        if self.schema.len() + ":ratings".len() > LONGEST {
            return Err(wrong(format!("the names of team and run together are longer than {} bytes", LONGEST - 9)));
        }
        self.run = Some(run.to_owned());
        self.shown = self.address();
        Ok(self)
    }

    pub(crate) fn ratings(mut self) -> Self {
        self.schema.push_str(":ratings");
        self
    }

    pub fn team_name(&self) -> &str {
        &self.team
    }

    /// The tables that all runs of a team share.
    pub(crate) fn team(mut self) -> Self {
        self.schema.clone_from(&self.team);
        self.run = None;
        self
    }

    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    pub(crate) fn queue(&self) -> String {
        format!("{}:queue:", self.team)
    }

    /// Without a password: it comes from the environment (`PGPASSWORD`) or from `~/.pgpass` wherever it is needed again.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// What stands in a run's directory in place of a database.
    pub fn address(&self) -> String {
        let (address, query) = self.shown.split_once('?').unwrap_or((&self.shown, ""));
        let ours = |part: &&str| !part.is_empty() && !part.starts_with("run=");
        let mut parts: Vec<String> = query.split('&').filter(ours).map(str::to_owned).collect();
        parts.extend(self.run.as_ref().map(|run| format!("run={run}")));
        format!("{address}?{}", parts.join("&"))
    }

    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(&self.shown)
    }

    /// Connections see the tables of this schema and no others.
    pub(crate) fn options(&self) -> PgConnectOptions {
        self.options.clone().options([("search_path", format!("\"{}\"", self.schema))])
    }

    pub(crate) fn pool(&self) -> PgPool {
        self.pool_of(CONNECTIONS)
    }

    /// For whoever only looks: a server of pages may look at a hundred runs.
    pub(crate) fn looking_pool(&self) -> PgPool {
        self.pool_of(1)
    }

    fn pool_of(&self, most: u32) -> PgPool {
        PgPoolOptions::new()
            .max_connections(most)
            .acquire_timeout(CONNECTING)
            .idle_timeout(IDLE)
            .test_before_acquire(false)
            .connect_lazy_with(self.options())
    }
}

/// A password that was typed holds for this process, wherever else it meets the same address: in a run's directory it is not written.
fn remembered(address: String) -> String {
    static TYPED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let open = without_password(&address);
    let mut typed = TYPED.lock().unwrap_or_else(PoisonError::into_inner);
    if open == address {
        return typed.get(&open).cloned().unwrap_or(address);
    }
    typed.insert(open, address.clone());
    address
}

/// Names stand in schemas, in files and in the terminal.
fn check(name: &str) -> Result<(), String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.chars().all(fits) {
        return Ok(());
    }
    Err(format!("`{name}` is no name for a team or a run: letters, digits, `-`, `_` and `.` are"))
}

/// Whatever was typed: also where it is no address, what stands before the last `@` after a colon may be one.
fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (&url[..scheme.len() + 3], rest));
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => rest.to_owned(),
    };
    let url = format!("{scheme}{rest}");
    let Some((address, query)) = url.split_once('?') else { return url };
    let open = |part: &&str| !part.starts_with("password=") && !part.is_empty();
    let query: Vec<&str> = query.split('&').filter(open).collect();
    if query.is_empty() { address.to_owned() } else { format!("{address}?{}", query.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (url, shown) in [
            ("postgres://ana:s3cret@db.example/wj?run=a", "postgres://ana@db.example/wj?run=a"),
            ("postgres://ana:p@ss@db/wj?run=a", "postgres://ana@db/wj?run=a"),
            ("postgres:///wj?user=ana&password=s3cret&run=a", "postgres:///wj?user=ana&run=a"),
        ] {
            let server = Server::parse(url).unwrap();
            assert_eq!(server.shown(), shown);
            assert!(!server.address().contains("s3cret"));
        }
    }

    #[test]
    fn also_what_cannot_be_read_hides_it() {
        for url in [
            "postgres://ana:s3/cret@db/wj",
            "postgres://ana:s3?cret@db/wj",
            "ana:s3cret@db/wj",
            "mysql://ana:s3cret@db/wj",
        ] {
            let shown = Server::of_run(url).unwrap_err().to_string();
            assert!(!shown.contains("cret"), "{shown}");
        }
    }

    #[test]
    fn a_run_is_a_schema_of_its_team() {
        let server = Server::parse("postgres://db/wj?team=onco&sslmode=disable").unwrap();
        assert_eq!(server.schema(), "onco");
        let run = server.with_run("first").unwrap();
        assert_eq!(run.schema(), "onco:first");
        assert_eq!(run.address(), "postgres://db/wj?team=onco&sslmode=disable&run=first");
        assert_eq!(Server::parse(&run.address()).unwrap().schema(), "onco:first");
    }

    #[test]
    fn names_that_could_mean_something_else_are_refused() {
        for run in ["", "a b", "a\"b", "a:b", "a/b", "日", &"x".repeat(60)] {
            assert!(Server::parse("postgres://db/wj").unwrap().with_run(run).is_err(), "{run}");
        }
        assert!(matches!(Server::of_run("postgres://db/wj"), Err(StoreError::Address { .. })));
    }
}
