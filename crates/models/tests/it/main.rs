//! Wire formats on fixtures, properties, and real HTTP against a small server.

mod bytes;
mod embeddings;
mod fixtures;
mod http;
mod opening;
mod server;
