//! What can be typed to share runs: with workers, with a server, with people who look.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct WorkerArgs {
    /// The server that holds the runs: postgres://USER@HOST/DATABASE[?team=NAME]. The password comes from PGPASSWORD or ~/.pgpass
    #[arg(long, value_name = "URL", env = "WATERJAR_STORE", hide_env_values = true)]
    pub store: String,
    /// Take only parts with one of these labels: answer, judge, cpu (no model over a network), model:NAME
    #[arg(long, value_name = "LABEL", value_delimiter = ',')]
    pub take: Vec<String>,
    /// Parts at once, of some 32 questions each
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub at_once: u16,
    /// Seconds of silence after which what this worker had goes to others
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(3..))]
    pub lease: u64,
    /// Stop after so many seconds without work, instead of waiting for more
    #[arg(long, value_name = "SECONDS")]
    pub until_idle: Option<u64>,
    /// Start the programs that studies name (`command`): whoever can plan a run in the team then runs commands here
    #[arg(long)]
    pub programs: bool,
    /// Answer /healthz and /metrics at this address
    #[arg(long, value_name = "ADDRESS")]
    pub health: Option<std::net::SocketAddr>,
}

#[derive(Args)]
pub struct MoveArgs {
    /// The directory of a run
    pub run: PathBuf,
    /// Where to: postgres://USER@HOST/DATABASE[?run=NAME&team=NAME]; without it, from the server back into the directory
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
}

#[derive(Args)]
pub struct ServeArgs {
    /// Directories of runs, or folders with runs in them
    #[arg(required_unless_present = "store", value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// All runs of a team on a PostgreSQL server: postgres://USER@HOST/DATABASE[?team=NAME]
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// Where to listen. Only this machine can reach a loopback address; any other needs a password
    #[arg(long, default_value = "127.0.0.1:8787", value_name = "ADDRESS:PORT")]
    pub listen: std::net::SocketAddr,
    /// A file whose first line is the owner's password; or set WATERJAR_PASSWORD. Raters need none: they have links of their own
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Where others reach this server behind a proxy (`https://rate.example.org`): for raters' links and the name it answers to
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// A folder of forms (TOML) beside those that come with the program
    #[arg(long, value_name = "FOLDER")]
    pub forms: Option<PathBuf>,
    /// A file with the token that POST /v1/score asks for; WATERJAR_TOKEN in the environment does as well. Without one, scoring is off
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}
