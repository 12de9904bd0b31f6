//! What a subject may name as `evidence`, opened from `waterjar-evidence`: our articles, folders of texts, PubMed, Open Targets.

mod place;
mod replies;
mod shelf;

use crate::embedders;
pub use place::cache_dir;
use replies::KeptReplies;
use shelf::{Opened, Shelf};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use waterjar_agents::ecr::evidence as ecr;
use waterjar_core::Embedder;
use waterjar_engine::study::{Endpoints as Allowed, Privacy};
use waterjar_evidence::{
    Endpoints, EvidenceError, EvidenceSource, KEY_VARIABLE, OpenTargets, PubMed, RemoteSettings, open_folder, starter,
};
use waterjar_knowledge::KnowledgeBase;
use waterjar_models::Patience;

const STARTER: &str = "starter";
const PUBMED: &str = "pubmed";
const OPEN_TARGETS: &str = "opentargets";

pub struct Library<'a> {
    /// What conditions are called.
    pub base: &'a KnowledgeBase,
    pub privacy: Privacy,
    /// Services are checked and not asked.
    pub rehearsing: bool,
}

impl ecr::Library for Library<'_> {
    fn open(&self, names: &[String], folder: &Path) -> Result<Arc<dyn ecr::Evidence>, String> {
        let mut opened: Vec<Opened> = Vec::new();
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(format!("`{name}` is there twice"));
            }
            let source = self.source(name, folder)?;
            if source.is_service && self.base.conditions().is_empty() {
                return Err(format!(
                    "`{}` is asked only about conditions of a knowledge base, and these cases come without one; name a folder of texts",
                    kind_of(name)
                ));
            }
            if !(source.is_service && self.rehearsing) {
                opened.push(source);
            }
        }
        Ok(match opened.is_empty() {
            true => Arc::new(ecr::Nothing),
            false => Arc::new(Shelf::new(opened, self.base)),
        })
    }

    fn embedder(&self, name: &str) -> Result<Arc<dyn Embedder>, String> {
        if name.contains('/') {
            return Err(format!(
                "`{name}` is a model at an address, which would be sent what patients say and counted by nobody; write \"lexical\" or \"minilm\""
            ));
        }
        let opened = embedders::open(name, None, self.privacy, Patience::default()).map(embedders::remembering);
        opened.map_err(|problem| problem.trim_start_matches("embedder: ").to_owned())
    }
}

impl Library<'_> {
    fn source(&self, name: &str, folder: &Path) -> Result<Opened, String> {
        let told = |error: EvidenceError| format!("`{name}`: {}", error.problem);
        let (kind, url) = name.split_once(':').map_or((name, None), |(kind, url)| (kind, Some(url)));
        match kind {
            STARTER if url.is_none() => Ok(Opened { source: starter().map_err(told)?, is_service: false }),
            PUBMED => self.service(name, |settings| {
                let key = std::env::var(KEY_VARIABLE).ok();
                let opened =
                    PubMed::new(key.as_deref(), None, RemoteSettings { url: url.map(str::to_owned), ..settings })?;
                opened.allowed()?;
                Ok(Arc::new(opened))
            }),
            OPEN_TARGETS => self.service(name, |settings| {
                let opened = OpenTargets::new(RemoteSettings { url: url.map(str::to_owned), ..settings })?;
                opened.allowed()?;
                Ok(Arc::new(opened))
            }),
            _ => {
                let path = folder.join(name);
                if !path.is_dir() {
                    return Err(format!(
                        "`{name}` is neither {STARTER}, {PUBMED} or {OPEN_TARGETS}, nor a folder of texts ({})",
                        path.display()
                    ));
                }
                let whole = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
                let hash = blake3::hash(whole.as_os_str().as_encoded_bytes()).to_hex();
                let index = cache_dir()?.join("texts").join(&hash[..16]);
                let texts = open_folder(name, &path, &index).map_err(told)?;
                Ok(Opened { source: Arc::new(texts), is_service: false })
            }
        }
    }

    /// Services count requests by whom they come from, so all subjects of a process share one client, with its pace and its rest.
    fn service(
        &self,
        name: &str,
        open: impl Fn(RemoteSettings) -> Result<Arc<dyn EvidenceSource>, EvidenceError>,
    ) -> Result<Opened, String> {
        static OPENED: Mutex<BTreeMap<(String, bool), Arc<dyn EvidenceSource>>> = Mutex::new(BTreeMap::new());
        let local = self.privacy.endpoints == Allowed::Local;
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.get(&(name.to_owned(), local)) {
            return Ok(Opened { source: Arc::clone(known), is_service: true });
        }
        let settings = RemoteSettings {
            endpoints: if local { Endpoints::Local } else { Endpoints::Any },
            cache: Arc::new(KeptReplies::at(cache_dir()?.join("replies"))),
            ..RemoteSettings::default()
        };
        let source = open(settings).map_err(|error| format!("`{}`: {}", kind_of(name), error.problem))?;
        opened.insert((name.to_owned(), local), Arc::clone(&source));
        Ok(Opened { source, is_service: true })
    }
}

/// An address may hold what is nobody's business.
fn kind_of(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}
