//! Where an agent looks things up: articles and folders of texts in a full-text index, PubMed and Open Targets, behind one trait.

mod article;
mod error;
mod folder;
mod index;
mod remote;
pub mod replies;
mod source;
mod sources;
mod starter;
mod words;

pub use article::{Article, articles};
pub use error::{EvidenceError, Problem};
pub use folder::open_folder;
pub use index::FullText;
pub use remote::cache::{EvidenceCache, MemoryCache};
pub use remote::endpoints::Endpoints;
pub use remote::open_targets::OpenTargets;
pub use remote::pubmed::{KEY_VARIABLE, PubMed};
pub use remote::settings::RemoteSettings;
pub use source::{EvidenceSource, Passage, Query};
pub use sources::{Asking, Found, SourceDown, Sources};
pub use starter::{starter, starter_articles};
