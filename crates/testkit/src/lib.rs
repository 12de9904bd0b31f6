//! What tests share: scripted models, temporary stores, a browser, a server that does as it was told, and the simulated endpoint under
//! one name.

mod browser;
mod canned_server;
mod flaky;
mod scripted;
mod temp_store;

pub use browser::Browser;
pub use canned_server::{Act, CannedServer};
pub use flaky::FlakyModel;
pub use scripted::ScriptedModel;
pub use temp_store::{TempStore, temp_store};
pub use waterjar_simulation::*;
