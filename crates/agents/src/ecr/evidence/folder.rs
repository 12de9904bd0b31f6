//! Articles in a folder: one text per condition, in a file named by the condition's id.

use super::{Evidence, Passage};
use crate::ecr::lexicon::Lexicon;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub struct Folder {
    texts: BTreeMap<String, String>,
    lexicon: Arc<Lexicon>,
}

impl Folder {
    /// Reads all `*.md` and `*.txt` of the folder. A folder without any is an error: it would silently be no evidence at all.
    pub fn open(path: &Path, lexicon: Arc<Lexicon>) -> Result<Self, String> {
        let fault = |error: &std::io::Error| format!("{} cannot be read: {error}", path.display());
        let mut texts = BTreeMap::new();
        for entry in std::fs::read_dir(path).map_err(|error| fault(&error))? {
            let file = entry.map_err(|error| fault(&error))?.path();
            let is_text = file.extension().is_some_and(|it| it == "md" || it == "txt");
            let Some(name) = file.file_stem().and_then(|it| it.to_str()).filter(|_| is_text) else { continue };
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            texts.insert(name.to_owned(), text);
        }
        if texts.is_empty() {
            return Err(format!("{} holds no articles (*.md or *.txt, named by the condition's id)", path.display()));
        }
        Ok(Self { texts, lexicon })
    }
}

#[async_trait]
impl Evidence for Folder {
    fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (name, text) in &self.texts {
            hasher.update(name.as_bytes());
            hasher.update(blake3::hash(text.as_bytes()).as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    async fn about(&self, condition: &str) -> Result<Vec<Passage>, String> {
        let id = self.lexicon.id_of(condition);
        let found = self.texts.get(id).map(|text| Passage { text: text.clone(), source: format!("article {id}") });
        Ok(found.into_iter().collect())
    }
}
