//! One process that plans a run: a lock on the server that ends with its connection, however the process ends.

use super::server::Server;
use sqlx::postgres::PgConnection;
use sqlx::{ConnectOptions, Connection};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Workers write beside whoever holds it.
pub(super) struct PlannerLock(PgConnection);

const TAKE: &str = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))";

/// Until a server has noticed that the last one who had it is gone.
const GONE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(100);

impl PlannerLock {
    /// The same, but gives whoever just died a moment to be noticed.
    pub async fn wait(server: &Server) -> Result<Option<Self>, sqlx::Error> {
        let until = Instant::now() + GONE;
        loop {
            let taken = Self::take(server).await?;
            if taken.is_some() || Instant::now() >= until {
                return Ok(taken);
            }
            sleep(LOOK).await;
        }
    }

    /// `None` while another process has it.
    async fn take(server: &Server) -> Result<Option<Self>, sqlx::Error> {
        let mut connection = server.options().connect().await?;
        let taken: bool = sqlx::query_scalar(TAKE).bind(server.schema()).fetch_one(&mut connection).await?;
        if taken {
            return Ok(Some(Self(connection)));
        }
        connection.close().await?;
        Ok(None)
    }

    /// Whether its connection still stands.
    pub async fn holds(&mut self) -> bool {
        self.0.ping().await.is_ok()
    }

    pub async fn release(self) {
        // The server lets go of it either way.
        let _ = self.0.close().await;
    }
}
