//! Models: what answers a question in text. So far the built-in readers, which need no key, no network and no download.

pub mod embedded;
