//! A run in a PostgreSQL database, where many processes may write to it at once.

mod errors;
mod lock;
mod server;
mod side;

pub(crate) use errors::{is_away, wrong};
pub use server::Server;
pub(crate) use side::{Patience, PgSide};
