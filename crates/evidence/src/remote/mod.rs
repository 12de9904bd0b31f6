//! Services on the network: one way of asking, two services.

pub(crate) mod cache;
pub(crate) mod endpoints;
mod key;
pub(crate) mod open_targets;
mod pace;
pub(crate) mod pubmed;
mod retry;
mod send;
mod service;
pub(crate) mod settings;
mod xml;
